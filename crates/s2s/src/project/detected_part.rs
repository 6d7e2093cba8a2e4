//! The part of CONTEXT.md that `s2s init` keeps: what was detected, between two comments.
//! Given the file's text and what is detected now; says whether the part is as it should be, was edited, or can be
//! renewed, with the lines that would change. The opening comment carries a digest of the lines below it, so that a
//! person's words inside are noticed and never replaced. Deliberately absent: the file, and everything around the part.

use super::detect::{Detected, Sign};

const OPEN: &str = "<!-- s2s:detected";
const CLOSE: &str = "<!-- s2s:detected end -->";
/// More members than this are counted, not named: the part goes into every prompt.
const MAX_NAMED: usize = 40;

/// How the part in a file stands to what is detected now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The file has none: it is left as it is.
    Absent,
    /// It says what is detected.
    Current,
    /// Somebody wrote into it, or it is not closed: it is left as it is.
    Edited,
    /// It is as `s2s init` wrote it, and something changed since.
    Changed {
        /// The whole file with the part renewed.
        text: String,
        /// The lines that go (`-`) and come (`+`).
        diff: Vec<String>,
    },
}

/// The part for a new file.
pub(super) fn part(found: &Detected) -> String {
    let lines = lines(found);
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    format!("{}\n{body}{CLOSE}\n", opening(&lines))
}

/// Compares the part in a file with what is detected now.
pub fn compare(text: &str, found: &Detected) -> Part {
    let is_close = |line: &str| line.trim() == CLOSE;
    let is_open = |line: &str| line.trim_start().starts_with(OPEN) && !is_close(line);
    let whole: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(open) = whole.iter().position(|line| is_open(line)) else { return Part::Absent };
    let Some(length) = whole[open + 1..].iter().position(|line| is_close(line)) else { return Part::Edited };
    let close = open + 1 + length;
    if whole[open + 1..].iter().any(|line| is_open(line)) {
        return Part::Edited;
    }
    let old: Vec<String> = whole[open + 1..close].iter().map(|line| line.trim_end().to_owned()).collect();
    let written = opening(&old);
    // Two bare comments with nothing between them are how a person asks for the part.
    let asked_for = old.iter().all(String::is_empty);
    if !asked_for && whole[open].trim() != written {
        return Part::Edited;
    }
    let new = lines(found);
    if old == new && whole[open].trim() == written {
        return Part::Current;
    }
    let end = if whole[open].ends_with("\r\n") { "\r\n" } else { "\n" };
    let mut renewed: String = whole[..open].concat();
    for line in std::iter::once(&opening(&new)).chain(&new) {
        renewed.push_str(line);
        renewed.push_str(end);
    }
    renewed.push_str(&whole[close..].concat());
    let gone = old.iter().filter(|line| !new.contains(line) && !line.is_empty()).map(|line| format!("- {line}"));
    let come = new.iter().filter(|line| !old.contains(line)).map(|line| format!("+ {line}"));
    Part::Changed { text: renewed, diff: gone.chain(come).collect() }
}

fn opening(lines: &[String]) -> String {
    let digest = blake3::hash(lines.join("\n").as_bytes()).to_hex();
    format!("{OPEN} {}: `s2s init` keeps these lines; write your own outside of them -->", &digest[..12])
}

/// What the panel should know of it. No counts: a line that changes with every commit would say nothing.
fn lines(found: &Detected) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |name: &str, items: Vec<String>| {
        if !items.is_empty() {
            // Names come from files: none may open or close a comment.
            let text = items.join(", ").replace("<!--", "<!- -").replace("-->", "- ->");
            lines.push(format!("{name}: {text}."));
        }
    };
    let languages = found.languages.iter().map(|language| match language.manifest {
        Some(manifest) => format!("{} ({manifest})", language.name),
        None => language.name.to_owned(),
    });
    line("Languages", languages.collect());
    line("Frameworks", signed(&found.frameworks));
    line("Package managers", found.package_managers.iter().map(|sign| sign.name.clone()).collect());
    line("Needs", signed(&found.needs));
    line("Documents", found.docs.clone());
    let members =
        found.members.iter().take(MAX_NAMED).map(|member| format!("{} ({})", member.path, member.kinds.join(", ")));
    let mut members: Vec<String> = members.map(|member| crate::clean::clean_line(&member).into_owned()).collect();
    if found.members.len() > MAX_NAMED {
        members.push(format!("and {} more", found.members.len() - MAX_NAMED));
    }
    line("Members", members);
    lines
}

fn signed(signs: &[Sign]) -> Vec<String> {
    signs.iter().map(|sign| format!("{} ({})", sign.name, crate::clean::clean_line(&sign.from))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::detect::{Language, Member};
    use super::*;

    fn found(framework: &str) -> Detected {
        let sign = Sign { name: framework.into(), from: "Cargo.toml".into() };
        let language = Language { name: "Rust", files: 3, manifest: Some("Cargo.toml") };
        Detected { frameworks: vec![sign], languages: vec![language], ..Detected::default() }
    }

    #[test]
    fn only_the_part_changes_and_the_rest_stays_to_the_byte() {
        let before = format!("# Mine\r\n\n{}my own words\n\ttoo", part(&found("axum")));
        assert_eq!(compare(&before, &found("axum")), Part::Current);
        let Part::Changed { text, diff } = compare(&before, &found("Rocket")) else { panic!() };
        assert_eq!(text, format!("# Mine\r\n\n{}my own words\n\ttoo", part(&found("Rocket"))));
        assert_eq!(diff, ["- Frameworks: axum (Cargo.toml).", "+ Frameworks: Rocket (Cargo.toml)."]);
        assert_eq!(compare(&text, &found("Rocket")), Part::Current);
        let windows = before.replace("\r\n", "\n").replace('\n', "\r\n");
        let Part::Changed { text, .. } = compare(&windows, &found("Rocket")) else { panic!() };
        assert!(!text.replace("\r\n", "").contains('\n'), "{text:?}");
    }

    #[test]
    fn a_person_s_words_inside_are_never_replaced() {
        let written = part(&found("axum"));
        for edited in [
            written.replace("axum", "axum, and one of our own"),
            written.replace("\n<!-- s2s:detected end", "\nMy line.\n<!-- s2s:detected end"),
            written.replace(CLOSE, ""),
            format!("{written}{written}"),
        ] {
            assert_eq!(compare(&edited, &found("Rocket")), Part::Edited, "{edited}");
        }
        assert_eq!(compare("# Mine\n", &found("axum")), Part::Absent);
    }

    #[test]
    fn two_bare_comments_ask_for_the_part() {
        let Part::Changed { text, diff } = compare(&format!("{OPEN} -->\n{CLOSE}\n"), &found("axum")) else { panic!() };
        assert_eq!((text, diff.len()), (part(&found("axum")), 2));
        let empty = part(&Detected::default());
        assert_eq!(compare(&empty, &Detected::default()), Part::Current);
        assert!(matches!(compare(&empty, &found("axum")), Part::Changed { .. }));
    }

    #[test]
    fn hostile_names_stay_names_and_many_are_counted() {
        let member = |n: usize| Member { path: format!("a-->{n}<!-- x"), name: String::new(), kinds: vec!["nx"] };
        let many = Detected { members: (0..50).map(member).collect(), ..Detected::default() };
        let text = part(&many);
        assert_eq!((text.matches("<!--").count(), text.matches("-->").count()), (2, 2), "{text}");
        assert!(text.contains("and 10 more."));
    }
}
