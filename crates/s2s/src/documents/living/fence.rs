//! Generated parts inside a document that people edit.
//! A part stands between two marker lines, the first with a digest of what was generated. Text outside the markers
//! is the person's and is never touched; text inside that no longer fits its digest was edited, and somebody is
//! asked. Given the old text and a new draft; hands on the woven text. Deliberately absent: files, and asking.

use crate::failure::Failure;

/// A piece of a draft, as its template gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that is written once and belongs to the person from then on.
    Own(String),
    /// A generated part.
    Part(Part),
}

/// A generated part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) text: String,
    /// Whether it stands in front matter, where markers are YAML comments.
    pub(super) front: bool,
}

/// A generated part that somebody edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The document, below the project.
    pub file: String,
    /// The part's name.
    pub part: String,
    /// Its first line in the file, from 1.
    pub line: usize,
    /// What stands there.
    pub mine: String,
    /// What would stand there.
    pub generated: String,
}

/// What becomes of an edited part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settle {
    /// The person's text stays.
    Mine,
    /// The generated text takes its place.
    Generated,
}

/// A document put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Woven {
    pub(super) text: String,
    /// Edited parts that were kept.
    pub(super) kept: Vec<String>,
}

/// What a marker line begins and ends with, in Markdown and in front matter.
struct Marks {
    begin: &'static str,
    end: &'static str,
    close: &'static str,
}

const MARKDOWN: Marks = Marks { begin: "<!-- s2s:part ", end: "<!-- s2s:end ", close: " -->" };
const FRONT: Marks = Marks { begin: "# s2s:part ", end: "# s2s:end ", close: "" };

fn marks(front: bool) -> &'static Marks {
    if front { &FRONT } else { &MARKDOWN }
}

/// The pieces of a rendered template. Its markers have no digests: `<!-- s2s:part NAME -->`, `<!-- s2s:end NAME -->`.
pub(super) fn pieces(rendered: &str) -> Result<Vec<Piece>, Failure> {
    let (pieces, _) = split(rendered, "the template")?;
    Ok(pieces.into_iter().map(|found| found.piece).collect())
}

/// The pieces of a document that is there.
pub(super) fn pieces_of(text: &str, file: &str) -> Result<Vec<Piece>, Failure> {
    let (pieces, _) = split(&text.replace("\r\n", "\n"), file)?;
    Ok(pieces.into_iter().map(|found| found.piece).collect())
}

/// A new document.
pub(super) fn fresh(draft: &[Piece]) -> String {
    let mut text = String::new();
    for piece in draft {
        match piece {
            Piece::Own(own) => text.push_str(own),
            Piece::Part(part) => put(&mut text, part, &digest(&part.text), false),
        }
    }
    text
}

/// The old document with its generated parts renewed. `settle` is asked about each part that was edited.
pub(super) fn weave(
    old: &str,
    draft: &[Piece],
    file: &str,
    settle: &mut dyn FnMut(&Edit) -> Settle,
) -> Result<Woven, Failure> {
    if old.trim().is_empty() {
        return Ok(Woven { text: fresh(draft), kept: Vec::new() });
    }
    let windows = old.contains("\r\n");
    let plain = old.replace("\r\n", "\n");
    let (found, mut line_ends) = split(&plain, file)?;
    let mut woven = Woven { text: String::new(), kept: Vec::new() };
    let drafted: Vec<&Part> = draft.iter().filter_map(|piece| part(piece)).collect();
    let is_there = |name: &str| found.iter().any(|one| part(&one.piece).is_some_and(|part| part.name == name));
    let new_after = |name: Option<&str>| {
        let at = name.map_or(0, |name| drafted.iter().position(|part| part.name == name).map_or(0, |at| at + 1));
        drafted[at..].iter().take_while(|part| !is_there(&part.name)).copied().collect::<Vec<_>>()
    };
    let any = found.iter().any(|one| part(&one.piece).is_some());
    for one in &found {
        match &one.piece {
            Piece::Own(own) => woven.text.push_str(own),
            Piece::Part(mine) => {
                match drafted.iter().find(|part| part.name == mine.name) {
                    Some(new) => renew(&mut woven, one, mine, new, file, settle),
                    None => put(&mut woven.text, mine, &one.digest, one.kept),
                }
                for new in new_after(Some(&mine.name)) {
                    woven.text.push('\n');
                    put(&mut woven.text, new, &digest(&new.text), false);
                }
            }
        }
    }
    if !any {
        line_ends &= woven.text.is_empty() || woven.text.ends_with('\n');
        for new in new_after(None) {
            let gap = if line_ends { "\n" } else { "\n\n" };
            line_ends = true;
            woven.text.push_str(if woven.text.is_empty() { "" } else { gap });
            put(&mut woven.text, new, &digest(&new.text), false);
        }
    }
    if windows {
        woven.text = woven.text.replace('\n', "\r\n");
    }
    Ok(woven)
}

fn renew(woven: &mut Woven, old: &Found, mine: &Part, new: &Part, file: &str, settle: &mut dyn FnMut(&Edit) -> Settle) {
    let offered = digest(&new.text);
    let edited = digest(&mine.text) != old.digest && mine.text != new.text;
    // Offered before and turned down: nothing has changed since.
    let settled = old.kept && offered == old.digest;
    let edit = || Edit {
        file: file.to_owned(),
        part: mine.name.clone(),
        line: old.line + 1,
        mine: mine.text.clone(),
        generated: new.text.clone(),
    };
    if edited && (settled || settle(&edit()) == Settle::Mine) {
        woven.kept.push(mine.name.clone());
        return put(&mut woven.text, mine, &offered, true);
    }
    put(&mut woven.text, new, &offered, false);
}

fn part(piece: &Piece) -> Option<&Part> {
    match piece {
        Piece::Part(part) => Some(part),
        Piece::Own(_) => None,
    }
}

fn put(text: &mut String, part: &Part, digest: &str, kept: bool) {
    let kept = if kept { " kept" } else { "" };
    let Marks { begin, end, close } = marks(part.front);
    text.push_str(&format!("{begin}{} {digest}{kept}{close}\n", part.name));
    text.push_str(&part.text);
    text.push_str(&format!("{end}{}{close}\n", part.name));
}

fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// A piece found in a text.
struct Found {
    piece: Piece,
    /// The line of its first marker, from 1.
    line: usize,
    digest: String,
    kept: bool,
}

/// The pieces of a text, and whether it ends with a line end. Markers that do not pair up are refused: what is
/// between them could not be told from what is not.
fn split(text: &str, file: &str) -> Result<(Vec<Found>, bool), Failure> {
    let mut found: Vec<Found> = Vec::new();
    let mut own = String::new();
    let mut open: Option<Found> = None;
    let mut dashes = 0;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let number = at + 1;
        let refuse = |what: String| {
            Err(Failure::bad_input(format!("{file}, line {number}: {what}"))
                .next("mend the marker lines, or move the file away to have it made anew"))
        };
        let bare = line.trim_end();
        // Front matter ends with the second line of three dashes; a heading further down is no marker.
        dashes += usize::from(bare == "---" && (dashes > 0 || at == 0));
        let front = dashes == 1;
        if let Some(rest) = marked(bare, marks(front).begin, front) {
            let mut words = rest.split_whitespace();
            let name = words.next().unwrap_or_default().to_owned();
            if let Some(before) = &open {
                return refuse(format!("a part begins inside the part that began in line {}", before.line));
            }
            let is_it = |one: &Found| part(&one.piece).is_some_and(|part| part.name == name);
            if found.iter().any(is_it) {
                return refuse(format!("a second part \"{name}\""));
            }
            if !own.is_empty() {
                found.push(Found {
                    piece: Piece::Own(std::mem::take(&mut own)),
                    line: 0,
                    digest: String::new(),
                    kept: false,
                });
            }
            let digest = words.next().unwrap_or_default().to_owned();
            let kept = words.next() == Some("kept");
            open = Some(Found {
                piece: Piece::Part(Part { name, text: String::new(), front }),
                line: number,
                digest,
                kept,
            });
        } else if let Some(name) = marked(bare, marks(front).end, front) {
            match open.take() {
                Some(one) if part(&one.piece).is_some_and(|part| part.name == name) => found.push(one),
                Some(one) => return refuse(format!("\"{name}\" ends, but the part of line {} is open", one.line)),
                None => return refuse(format!("\"{name}\" ends, but never began")),
            }
        } else {
            match &mut open {
                Some(Found { piece: Piece::Part(part), .. }) => part.text.push_str(line),
                _ => own.push_str(line),
            }
        }
    }
    if let Some(open) = open {
        return Err(Failure::bad_input(format!("{file}, line {}: this part never ends", open.line))
            .next("mend the marker lines, or move the file away to have it made anew"));
    }
    let line_ends = text.is_empty() || text.ends_with('\n');
    if !own.is_empty() {
        found.push(Found { piece: Piece::Own(own), line: 0, digest: String::new(), kept: false });
    }
    Ok((found, line_ends))
}

fn marked<'t>(line: &'t str, opening: &str, front: bool) -> Option<&'t str> {
    let rest = line.strip_prefix(opening)?.strip_suffix(marks(front).close)?.trim();
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(parts: &[(&str, &str)]) -> Vec<Piece> {
        let part = |(name, text): &(&str, &str)| {
            format!("## {name}\n\n<!-- s2s:part {name} -->\n{text}\n<!-- s2s:end {name} -->\n\n")
        };
        let text: String = parts.iter().map(part).collect();
        pieces(&text).unwrap()
    }

    fn never(edit: &Edit) -> Settle {
        panic!("asked about {edit:?}")
    }

    fn woven(old: &str, new: &[Piece], settle: &mut dyn FnMut(&Edit) -> Settle) -> String {
        weave(old, new, "a.md", settle).unwrap().text
    }

    #[test]
    fn what_is_outside_stays_and_what_is_inside_is_renewed() {
        let old = fresh(&draft(&[("one", "1"), ("two", "2")])).replace("## one", "# My words\n\n## one") + "My end";
        let new = woven(&old, &draft(&[("one", "uno"), ("two", "2")]), &mut never);
        assert!(new.starts_with("# My words\n\n## one\n") && new.ends_with("My end"), "{new}");
        assert!(new.contains("\nuno\n") && !new.contains("\n1\n"), "{new}");
        assert_eq!(woven(&new, &draft(&[("one", "uno"), ("two", "2")]), &mut never), new, "again changes nothing");
        let windows = new.replace('\n', "\r\n");
        assert_eq!(woven(&windows, &draft(&[("one", "uno"), ("two", "2")]), &mut never), windows);
    }

    #[test]
    fn an_edit_inside_is_asked_about_once() {
        let edited = fresh(&draft(&[("one", "1")])).replace("\n1\n", "\nmine\n");
        let mut asked = Vec::new();
        let kept = woven(&edited, &draft(&[("one", "1")]), &mut |edit| {
            asked.push((edit.line, edit.mine.clone(), edit.generated.clone()));
            Settle::Mine
        });
        assert_eq!(asked, [(4, "mine\n".to_owned(), "1\n".to_owned())]);
        assert_eq!(woven(&kept, &draft(&[("one", "1")]), &mut never), kept, "kept: nothing new is offered");
        let mut times = 0;
        let taken = woven(&kept, &draft(&[("one", "2")]), &mut |_| {
            times += 1;
            Settle::Generated
        });
        assert_eq!(times, 1, "something new is");
        assert_eq!(taken, fresh(&draft(&[("one", "2")])));
    }

    #[test]
    fn new_parts_come_after_the_one_before_them_and_lost_ones_stay() {
        let old = fresh(&draft(&[("one", "1"), ("gone", "g"), ("three", "3")]));
        let new = woven(&old, &draft(&[("one", "1"), ("two", "2"), ("three", "3")]), &mut never);
        let place = |text: &str| new.find(text).unwrap();
        assert!(place("\n1\n") < place("\n2\n") && place("\n2\n") < place("\n3\n"), "{new}");
        assert!(new.contains("\ng\n"), "{new}");
        let own = woven("My file, no end", &draft(&[("one", "1")]), &mut never);
        assert!(own.starts_with("My file, no end\n\n<!-- s2s:part one "), "{own}");
    }

    #[test]
    fn front_matter_has_parts_too() {
        let with = |status: &str| {
            let meta = format!("# s2s:part meta\nstatus: {status}\n# s2s:end meta\n");
            pieces(&format!("---\n{meta}---\n\n# s2s:part is a heading\n")).unwrap()
        };
        let new = woven(&fresh(&with("proposed")), &with("accepted"), &mut never);
        assert!(new.starts_with("---\n# s2s:part meta "), "{new}");
        assert!(new.contains("\nstatus: accepted\n# s2s:end meta\n---\n"), "{new}");
    }

    #[test]
    fn markers_that_do_not_pair_up_are_refused_with_their_line() {
        let good = fresh(&draft(&[("one", "1")]));
        for (text, words) in [
            (good.replace("<!-- s2s:end one -->\n", ""), "line 3: this part never ends"),
            (good.clone() + "<!-- s2s:end one -->\n", "\"one\" ends, but never began"),
            (good.clone() + &good, "a second part \"one\""),
            (good.replace("\n1\n", "\n<!-- s2s:part x y -->\n1\n"), "begins inside the part that began in line 3"),
            (good.replace("end one", "end two"), "\"two\" ends, but the part of line 3 is open"),
        ] {
            let said = weave(&text, &draft(&[("one", "1")]), "a.md", &mut never).unwrap_err().to_string();
            assert!(said.contains(words), "{words}: {said}");
        }
    }
}
