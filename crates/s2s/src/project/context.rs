//! CONTEXT.md: what a session gets to know about the project.
//! Given the `.s2s` folder; hands on the text without HTML comments (they hold the questions that
//! `s2s init` puts to a person, not answers), and says whether it is thin. Deliberately absent:
//! attachments, and any reading of what the text means.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use s2s_engine::counted;

use super::CONTEXT_FILE;
use super::text_file::{self, NotText};
use crate::clean::clean;

/// The largest CONTEXT.md: it goes into every prompt.
const MAX_BYTES: u64 = 256 * 1024;
/// Fewer words than this tell a panel next to nothing.
const THIN_WORDS: usize = 30;
/// The sections that decisions rest on.
const SECTIONS: [&str; 3] = ["Objectives", "Scope", "Constraints"];

/// What CONTEXT.md says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextText {
    /// The text without comments, clean; empty if there is none.
    pub text: String,
    /// Whether it can carry a decision.
    pub standing: Standing,
    /// What a person should know about it, in sentences.
    pub notes: Vec<String>,
}

/// Whether a context can carry a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It says what the project is about.
    Sound,
    /// It says little: answers will be unsure.
    Thin,
    /// The file holds nothing but headings, comments or blanks.
    Empty,
    /// There is no file.
    Missing,
}

impl ContextText {
    /// Whether seats should be told that they know little.
    pub fn is_thin(&self) -> bool {
        self.standing != Standing::Sound
    }

    /// The text under a heading of any level, up to the next heading of its level or above.
    pub fn section(&self, heading: &str) -> Option<&str> {
        section(&self.text, heading)
    }
}

/// Why CONTEXT.md cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} cannot be used: {why}. {advice}", path.display())]
pub struct ContextError {
    /// The file.
    pub path: PathBuf,
    /// The cause.
    pub why: String,
    /// What to do.
    pub advice: &'static str,
}

/// Reads `CONTEXT.md` in a `.s2s` folder. A missing or empty file is a value with a note, not an error.
///
/// # Errors
/// [`ContextError`] where it is binary, too large, a folder, or cannot be read.
pub fn read_context(dir: &Path) -> Result<ContextText, ContextError> {
    let path = dir.join(CONTEXT_FILE);
    let refuse = |why: String, advice| Err(ContextError { path: path.clone(), why, advice });
    if path.is_dir() {
        return refuse("it is a folder".into(), "Move it away and run `s2s init`.");
    }
    if let Some(place) = outside(dir, &path) {
        let why = format!("it is a link that leads out of the project, to {}", place.display());
        return refuse(why, "Put the text itself there, or attach the file with --context FILE.");
    }
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let note = "There is no CONTEXT.md, so the context is thin. `s2s init` writes one to fill in.";
            return Ok(ContextText { text: String::new(), standing: Standing::Missing, notes: vec![note.into()] });
        }
        Err(error) => {
            return refuse(NotText::Unreadable(error).to_string(), "Check your right to read it.");
        }
    };
    match text_file::read(file, MAX_BYTES) {
        Ok(raw) => Ok(judge(&raw)),
        Err(why @ NotText::Unreadable(_)) => refuse(why.to_string(), "Check your right to read it."),
        Err(why @ NotText::TooLarge { .. }) => {
            refuse(why.to_string(), "Keep what decisions rest on, and attach the rest with --context FILE.")
        }
        Err(why) => refuse(why.to_string(), "Replace it by UTF-8 text, or move it away and run `s2s init`."),
    }
}

/// Where a link leads, if that is outside of the project: a project that somebody else made could draw in any file.
fn outside(dir: &Path, path: &Path) -> Option<PathBuf> {
    if !path.symlink_metadata().ok()?.is_symlink() {
        return None;
    }
    let place = path.canonicalize().ok()?;
    // The folder's own parent, as the person sees it: `.s2s` itself may be a link.
    let root = dir.parent()?.canonicalize().ok()?;
    (!place.starts_with(root) && !place.starts_with(dir.canonicalize().ok()?)).then_some(place)
}

fn judge(raw: &str) -> ContextText {
    let cleaned = clean(raw);
    let (text, unclosed) = strip_comments(&cleaned.text);
    let text = tidy(&text);
    let mut notes = Vec::new();
    if cleaned.removed.any() {
        notes.push(format!("Taken out of CONTEXT.md: {}.", cleaned.removed.describe()));
    }
    if let Some(line) = unclosed {
        notes.push(format!("The comment that opens in line {line} of CONTEXT.md is never closed; its text is used."));
    }
    let words = text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).count();
    let headed: Vec<_> = SECTIONS.into_iter().filter_map(|name| Some((name, section(&text, name)?))).collect();
    let unfilled = !headed.is_empty() && headed.iter().all(|(_, body)| !has_prose(body));
    let standing = match words {
        0 => Standing::Empty,
        _ if words < THIN_WORDS || unfilled => Standing::Thin,
        _ => Standing::Sound,
    };
    match standing {
        Standing::Empty => notes.push("CONTEXT.md says nothing yet, so the context is thin. Fill it in.".into()),
        Standing::Thin if unfilled => {
            let names: Vec<_> = headed.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            notes.push(format!(
                "CONTEXT.md is thin: nothing is written under {names}. A few lines there sharpen every answer."
            ));
        }
        Standing::Thin => {
            notes.push(format!(
                "CONTEXT.md is thin: {}. Objectives, scope and constraints sharpen every answer.",
                counted(words, "word")
            ));
        }
        Standing::Sound | Standing::Missing => {}
    }
    let text = if standing == Standing::Empty { String::new() } else { text };
    ContextText { text, standing, notes }
}

fn has_prose(body: &str) -> bool {
    body.lines().any(|line| !line.starts_with('#') && line.chars().any(char::is_alphanumeric))
}

/// Takes `<!-- … -->` out, except in fenced code, where it is text. Gives the line of a comment that
/// is never closed; its text stays, because losing what a person wrote is worse.
pub(super) fn strip_comments(text: &str) -> (String, Option<usize>) {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut fence): (&str, Option<&str>) = (text, None);
    while !rest.is_empty() {
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let line = &rest[..end];
        let mark = fence_mark(line);
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if mark.starts_with(open) => fence = None,
            (None, None) => {
                if let Some(at) = line.find("<!--") {
                    out.push_str(&rest[..at]);
                    let Some(close) = rest[at + 4..].find("-->") else {
                        let before = &text[..text.len() - rest.len()];
                        out.push_str(&rest[at..]);
                        return (out, Some(before.matches('\n').count() + 1));
                    };
                    rest = &rest[at + 4 + close + 3..];
                    continue;
                }
            }
            _ => {}
        }
        out.push_str(line);
        rest = &rest[end..];
    }
    (out, None)
}

/// The run of backticks or tildes that opens or closes a fence.
fn fence_mark(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let first = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let run = line.len() - line.trim_start_matches(first).len();
    (run >= 3).then(|| &line[..run])
}

/// No trailing blanks, at most one empty line in a row: what comments leave behind.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().map(str::trim_end) {
        if !(line.is_empty() && (out.is_empty() || out.ends_with("\n\n"))) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// A heading may stand twice, once empty as `init` wrote it and once filled in: the filled one counts.
fn section<'t>(text: &'t str, heading: &str) -> Option<&'t str> {
    let mut start: Option<(usize, usize)> = None;
    let mut empty = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if let Some((level, name)) = heading_of(line) {
            if let Some((depth, from)) = start
                && level <= depth
            {
                match text[from..offset].trim() {
                    "" => (start, empty) = (None, Some("")),
                    filled => return Some(filled),
                }
            }
            if start.is_none() && name.eq_ignore_ascii_case(heading) {
                start = Some((level, offset + line.len()));
            }
        }
        offset += line.len();
    }
    start.map(|(_, from)| text[from..].trim()).or(empty)
}

fn heading_of(line: &str) -> Option<(usize, &str)> {
    let name = line.trim_start_matches('#');
    let level = line.len() - name.len();
    ((1..=6).contains(&level) && name.starts_with([' ', '\t', '\n']))
        .then(|| (level, name.trim().trim_end_matches(':')))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = "# Shop\n\nA web shop for spare parts, built by two teams in Rust, live since last year.\n\n\
        ## Objectives\n\nHalve the time to add a supplier.\n\n## Scope\n\n### In\n\nOrders.\n\n### Out\n\nPayments.\n\n\
        ## Constraints\n\n- Two developers, no operations team.\n- Data stays in the EU.\n";

    fn read(text: &[u8]) -> Result<ContextText, ContextError> {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join(CONTEXT_FILE), text).unwrap();
        read_context(home.path())
    }

    fn check(text: &str, standing: Standing, note: &str) {
        let context = read(text.as_bytes()).unwrap();
        assert_eq!(context.standing, standing, "{text:?}: {:?}", context.notes);
        let notes = context.notes.join(" ");
        assert!(if note.is_empty() { notes.is_empty() } else { notes.contains(note) }, "{notes:?} for {text:?}");
    }

    #[test]
    fn how_much_a_context_says_is_judged() {
        check(FULL, Standing::Sound, "");
        check("A shop.", Standing::Thin, "thin: 2 words");
        check("", Standing::Empty, "says nothing yet");
        check("# Shop\n\n<!-- what is it about? -->\n", Standing::Empty, "says nothing yet");
        let unfilled = format!("{}\n\n## Objectives\n\n<!-- ? -->\n\n## Constraints\n", "word ".repeat(50));
        check(&unfilled, Standing::Thin, "nothing is written under Objectives, Constraints");
        check(&"word ".repeat(50), Standing::Sound, "");
    }

    #[test]
    fn a_missing_file_is_a_thin_context_not_an_error() {
        let home = tempfile::tempdir().unwrap();
        let context = read_context(home.path()).unwrap();
        assert_eq!((context.text.as_str(), context.standing), ("", Standing::Missing));
        assert!(context.is_thin() && context.notes[0].contains("thin"));
    }

    #[test]
    fn what_is_not_text_is_refused_with_a_way_out() {
        for (bytes, part) in
            [(&b"PNG\0\x01"[..], "binary (a NUL byte in line 1)"), (b"a\n\xC3(", "not UTF-8 text (line 2)")]
        {
            let said = read(bytes).unwrap_err().to_string();
            assert!(said.contains(part) && said.contains("CONTEXT.md") && said.contains("s2s init"), "{said}");
        }
        let said = read(&[b'x'; 256 * 1024 + 1]).unwrap_err().to_string();
        assert!(said.contains("larger than 256 kB") && said.contains("--context FILE"), "{said}");
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join(CONTEXT_FILE)).unwrap();
        assert!(read_context(home.path()).unwrap_err().to_string().contains("it is a folder"));
    }

    #[test]
    fn a_link_that_leads_out_of_the_project_is_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("app/.s2s");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(home.path().join("private.md"), FULL).unwrap();
        std::fs::write(home.path().join("app/ABOUT.md"), FULL).unwrap();
        std::os::unix::fs::symlink("../../private.md", dir.join(CONTEXT_FILE)).unwrap();
        let said = read_context(&dir).unwrap_err().to_string();
        assert!(said.contains("leads out of the project") && said.contains("--context FILE"), "{said}");
        std::fs::remove_file(dir.join(CONTEXT_FILE)).unwrap();
        std::os::unix::fs::symlink("../ABOUT.md", dir.join(CONTEXT_FILE)).unwrap();
        assert_eq!(read_context(&dir).unwrap().standing, Standing::Sound);
    }

    #[test]
    fn comments_do_not_count_and_code_keeps_its_own() {
        for (text, stripped) in [
            ("a <!-- b --> c", "a  c"),
            ("a <!-- b\nc\n--> d\n<!-- e -->f", "a  d\nf"),
            ("```html\n<!-- kept -->\n```\n<!-- gone -->", "```html\n<!-- kept -->\n```\n"),
            ("~~~~\n~~~\n<!-- kept -->\n~~~~\nx", "~~~~\n~~~\n<!-- kept -->\n~~~~\nx"),
            ("a --> b", "a --> b"),
        ] {
            assert_eq!(strip_comments(text), (stripped.to_owned(), None), "{text:?}");
        }
        assert_eq!(strip_comments("a\nb <!-- c\nd"), ("a\nb <!-- c\nd".into(), Some(2)));
    }

    #[test]
    fn sections_are_found_with_what_is_below_them() {
        let context = read(FULL.as_bytes()).unwrap();
        assert_eq!(context.section("objectives"), Some("Halve the time to add a supplier."));
        assert_eq!(context.section("Scope"), Some("### In\n\nOrders.\n\n### Out\n\nPayments."));
        assert_eq!(context.section("Out"), Some("Payments."));
        assert!(context.section("Constraints").is_some_and(|text| text.ends_with("in the EU.")));
        assert_eq!(context.section("Budget"), None);
        let twice = read(b"## Constraints\n\n## Scope\nAll of it.\n\n## Constraints\n\nFour developers.\n").unwrap();
        assert_eq!(twice.section("Constraints"), Some("Four developers."));
    }
}
