//! The text of one decision record: its front matter, its title, and the lines that say what took whose place.
//! Given a text; hands on what it says, or the text with one line changed. Every other byte stays, line ends and the
//! order of keys included; what cannot be changed safely is refused with its line. Deliberately absent: files, and
//! which record a name means.

use s2s_yaml::Flaw;
use s2s_yaml::node::{self, Entry, Kind, Node};

use super::own_status;
use super::words::{decoded, target};

/// How the lines begin that say what took whose place.
const SUPERSEDES: &str = "- Supersedes [";
const SUPERSEDED: &str = "- Superseded by [";
const BOM: char = '\u{feff}';

/// What a record says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Said {
    pub(super) title: Option<String>,
    pub(super) status: Option<String>,
    pub(super) date: Option<String>,
    pub(super) session: Option<String>,
    /// What it says that it took the place of: file names, ids or numbers.
    pub(super) supersedes: Vec<String>,
    /// Whether its front matter is generated from the register.
    pub(super) generated: bool,
}

/// The front matter of a text.
struct Front<'t> {
    yaml: &'t str,
    /// Where the YAML begins, in bytes.
    from: usize,
    /// Where the body begins, in bytes, and its line, from 1.
    body: usize,
    body_line: usize,
}

/// Reads a record.
pub(super) fn read(text: &str) -> Result<Said, Flaw> {
    let mut said = Said::default();
    let front = front(text)?;
    let body = &text[front.as_ref().map_or(0, |front| front.body)..];
    if let Some(front) = &front {
        let entries = entries(front)?;
        said.status = text_of(&entries, "status");
        said.date = text_of(&entries, "date");
        let listed = entries.iter().find(|entry| entry.key == "supersedes").map(|entry| texts(&entry.value));
        said.supersedes = listed.unwrap_or_default();
        said.generated = front.yaml.lines().any(|line| line.starts_with("# s2s:part meta"));
    }
    if let Some(own) = own_status::find(body) {
        said.status = said.status.or(Some(own.words.to_owned()));
        said.date = said.date.or(own.date.map(str::to_owned));
    }
    let lines: Vec<&str> = body.lines().collect();
    said.title = heading(&lines).map(|(_, title)| title);
    said.session = session_in(&lines);
    for line in outside_fences(&lines).filter(|line| line.starts_with(SUPERSEDES)) {
        said.supersedes.extend(target(line).map(decoded));
    }
    Ok(said)
}

/// The text with another status, in front matter and where the body gives it. Other keys, comments and line ends stay.
pub(super) fn with_status(text: &str, status: &str) -> Result<String, Flaw> {
    let end = line_end(text);
    let value = if status.chars().all(|c| c.is_ascii_alphanumeric() || " -_.".contains(c)) {
        status.to_owned()
    } else {
        crate::documents::escape::yaml(status)
    };
    let Some(front) = front(text)? else {
        let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let (before, rest) = text.split_at(start);
        if let Some(own) = own_status::find(rest) {
            return Ok(format!("{before}{}", own.replaced(status)));
        }
        return Ok(format!("{before}---{end}status: {value}{end}---{end}{end}{rest}"));
    };
    let entries = entries(&front)?;
    let (head, body) = text.split_at(front.body);
    let own = own_status::find(body);
    let Some(entry) = entries.iter().find(|entry| entry.key == "status") else {
        if let Some(own) = own {
            return Ok(format!("{head}{}", own.replaced(status)));
        }
        return Ok(format!("{}status: {value}{end}{}", &text[..front.from], &text[front.from..]));
    };
    let at = entry.line as usize - 1;
    let lines: Vec<&str> = front.yaml.split_inclusive('\n').collect();
    let start: usize = lines[..at].iter().map(|line| line.len()).sum();
    let goes_on = lines.get(at + 1).is_some_and(|next| next.starts_with([' ', '\t']) && !next.trim().is_empty());
    let line = rewritten(lines[at], &value).filter(|_| !goes_on).ok_or_else(|| {
        Flaw::at(entry.line + 1, 1, "the status is not one plain value on a line of its own, so it is not changed")
    })?;
    let (from, to) = (front.from + start, front.from + start + lines[at].len());
    let body = with_own_status(body, text_of(&entries, "status").as_deref(), status);
    Ok(format!("{}{line}{}{body}", &text[..from], &head[to..]))
}

/// The text of a record whose front matter says already what took its place, with the same in its body.
pub(super) fn with_body_status(text: &str, status: &str) -> Result<String, Flaw> {
    let start = front(text)?.map_or(0, |front| front.body);
    Ok(format!("{}{}", &text[..start], with_own_status(&text[start..], None, status)))
}

fn with_own_status(body: &str, known: Option<&str>, status: &str) -> String {
    let own = own_status::find(body).filter(|own| own.is_standing(known));
    own.map_or_else(|| body.to_owned(), |own| own.replaced(status))
}

/// The line of a key with another value; its comment stays. None where the value is more than a plain word.
fn rewritten(line: &str, value: &str) -> Option<String> {
    let bare = line.trim_end_matches(['\r', '\n']);
    let end = &line[bare.len()..];
    let key = ["status", "\"status\"", "'status'"].into_iter().find(|key| bare.starts_with(key))?;
    let after = bare[key.len()..].trim_start().strip_prefix(':')?;
    let old = after.trim_start();
    let rest = match old.chars().next() {
        None | Some('#') => old,
        Some('|' | '>' | '&' | '*' | '!' | '{' | '[' | '@' | '%' | '`') => return None,
        Some(quote @ ('"' | '\'')) => &old[closing(old, quote)? + 1..],
        Some(_) => old.find(" #").map_or("", |at| &old[at + 1..]),
    };
    let rest = rest.trim();
    if !rest.is_empty() && !rest.starts_with('#') {
        return None;
    }
    let gap = if rest.is_empty() { "" } else { " " };
    Some(format!("{key}: {value}{gap}{rest}{end}"))
}

/// Where a quoted value ends.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        let doubled = quote == '\'' && c == quote && chars.peek().is_some_and(|(_, next)| *next == quote);
        if doubled || (quote == '"' && c == '\\') {
            chars.next();
        } else if c == quote {
            return Some(at);
        }
    }
    None
}

/// The text with a line about another record under its title; one that is there already is not written twice.
pub(super) fn with_line(text: &str, line: &str) -> Result<String, Flaw> {
    let end = line_end(text);
    let front = front(text)?;
    // A record whose front matter cannot be read is mended first.
    front.as_ref().map(entries).transpose()?;
    let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let body = front.map_or(start, |front| front.body);
    let lines: Vec<&str> = text[body..].split_inclusive('\n').collect();
    let bare: Vec<&str> = lines.iter().map(|line| line.trim_end_matches(['\r', '\n'])).collect();
    let same = |other: &&str| kind_of(other) == kind_of(line) && target(other) == target(line);
    if bare.iter().any(|other| kind_of(other).is_some() && same(other)) {
        return Ok(text.to_owned());
    }
    let after_title = heading(&bare).map_or(0, |(at, _)| at + 1);
    let blank = bare[after_title..].iter().take_while(|line| line.trim().is_empty()).count();
    let listed = bare[after_title + blank..].iter().take_while(|line| kind_of(line).is_some()).count();
    let at = if listed > 0 { after_title + blank + listed } else { after_title };
    let (before, after) = (lines[..at].concat(), lines[at..].concat());
    let open = if before.is_empty() || before.ends_with('\n') { "" } else { end };
    let gap = if listed > 0 || before.trim().is_empty() { "" } else { end };
    let close =
        if listed > 0 || after.is_empty() || after.trim_start_matches('\r').starts_with('\n') { "" } else { end };
    Ok(format!("{}{before}{open}{gap}{line}{end}{close}{after}", &text[..body]))
}

/// The line in a record that another one took the place of, and in the one that did.
pub(super) fn line_about(supersedes: bool, title: &str, file: &str, reason: Option<&str>) -> String {
    let start = if supersedes { SUPERSEDES } else { SUPERSEDED };
    let reason = reason.map(|reason| format!(": {}", super::words::safe(reason))).unwrap_or_default();
    format!("{start}{}]({}){reason}", super::words::safe(title), super::words::encoded(file))
}

fn kind_of(line: &str) -> Option<&'static str> {
    [SUPERSEDES, SUPERSEDED].into_iter().find(|start| line.starts_with(start))
}

/// The line of the body, from 1, that says another status than the one it was given: words that are not known as one.
pub(super) fn own_status_line(text: &str) -> Option<usize> {
    let front = front(text).ok()?;
    let (from, first) = front.map_or((0, 1), |front| (front.body, front.body_line));
    let own = own_status::find(&text[from..]).filter(|own| !own.is_superseded())?;
    Some(first + own.line)
}

fn front(text: &str) -> Result<Option<Front<'_>>, Flaw> {
    let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let mut lines = text[start..].split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return Ok(None) };
    let from = start + first.len();
    let mut at = from;
    for (number, line) in lines.enumerate() {
        if matches!(line.trim_end(), "---" | "...") {
            return Ok(Some(Front { yaml: &text[from..at], from, body: at + line.len(), body_line: number + 3 }));
        }
        at += line.len();
    }
    Err(Flaw::at(1, 1, "the front matter begins here and never ends"))
}

fn entries(front: &Front<'_>) -> Result<Vec<Entry>, Flaw> {
    let read = node::read(front.yaml).map_err(|flaw| match flaw.line {
        0 => flaw,
        line => Flaw { line: line + 1, ..flaw },
    })?;
    match read.kind {
        Kind::Map(entries) => Ok(entries),
        _ if read.is_nothing() => Ok(Vec::new()),
        _ => Err(Flaw::at(read.line + 1, read.column, "the front matter is no list of keys and values")),
    }
}

fn text_of(entries: &[Entry], key: &str) -> Option<String> {
    let value = &entries.iter().find(|entry| entry.key == key)?.value;
    texts(value).into_iter().next().filter(|text| !text.trim().is_empty())
}

fn texts(node: &Node) -> Vec<String> {
    match &node.kind {
        Kind::Scalar { text, .. } if !node.is_nothing() => vec![text.trim().to_owned()],
        Kind::Seq(items) => items.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

fn session_in(lines: &[&str]) -> Option<String> {
    let marked = |line: &&str| Some(line.trim().strip_prefix("<!-- s2s session: ")?.strip_suffix(" -->")?.to_owned());
    let source = |line: &&str| Some(line.strip_prefix("- Source: `")?.split_once('`')?.0.replace('\\', ""));
    lines.iter().find_map(marked).or_else(|| lines.iter().find_map(source))
}

/// The first heading, with the last line that belongs to it.
fn heading(lines: &[&str]) -> Option<(usize, String)> {
    let (mut fence, mut comment, mut part) = (false, false, false);
    for (at, line) in lines.iter().enumerate() {
        let bare = line.trim();
        part = (part || bare.starts_with("<!-- s2s:part ")) && !bare.starts_with("<!-- s2s:end ");
        fence ^= bare.starts_with("```") || bare.starts_with("~~~");
        if bare.contains("<!--") || comment {
            comment = !bare.contains("-->");
            continue;
        }
        if fence || part {
            continue;
        }
        if let Some(title) = line.strip_prefix("# ").filter(|title| !title.trim().is_empty()) {
            return Some((at, super::words::plain(title.trim().trim_end_matches('#').trim())));
        }
        let under = lines.get(at + 1).map_or("", |next| next.trim());
        if !bare.is_empty() && under.len() >= 3 && under.chars().all(|c| c == '=') {
            return Some((at + 1, super::words::plain(bare)));
        }
    }
    None
}

fn outside_fences<'l>(lines: &'l [&'l str]) -> impl Iterator<Item = &'l str> {
    let mut fence = false;
    lines.iter().copied().filter(move |line| {
        let mark = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        fence ^= mark;
        !fence && !mark
    })
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests;
