//! Generated parts inside a document that people edit: their markers.
//! A part stands between two marker lines, the first with a digest of what was generated. Given a text; hands on its
//! pieces: parts, and what is between them. Markers that do not pair up are refused, because what is between them could
//! not be told from what is not. Deliberately absent: bringing parts up to date (`weave.rs`), files, and asking.

use std::collections::BTreeSet;

use s2s_engine::artifact::ArtifactId;

use crate::failure::Failure;
use crate::plan::TaskId;

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that is written once and belongs to the person from then on.
    Own(String),
    /// A generated part.
    Part(Part),
}

/// A generated part: a section's frame, or one artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) text: String,
    /// Whether it stands in front matter, where markers are YAML comments.
    pub(super) front: bool,
    /// The line of its first marker, from 1.
    pub(super) line: usize,
    /// Of what was generated; none in a draft.
    pub(super) digest: String,
    /// Whether a person's text was kept in it.
    pub(super) kept: bool,
}

impl Part {
    /// Whether it is one artifact or task of a section, not the section's frame.
    pub(super) fn is_member(&self) -> bool {
        is_id(&self.name)
    }

    /// Whether its text is not the one that was generated.
    pub(super) fn is_edited(&self) -> bool {
        digest(&self.text) != self.digest
    }
}

/// Whether a word is the id of an artifact or a task, as documents write it.
pub(super) fn is_id(word: &str) -> bool {
    let artifact = || word.parse::<ArtifactId>().is_ok_and(|id| id.to_string() == word);
    let task = || word.parse::<TaskId>().is_ok_and(|id| id.to_string() == word);
    word.contains('-') && (artifact() || task())
}

/// What a marker line begins and ends with, in Markdown and in front matter.
struct Marks {
    begin: &'static str,
    end: &'static str,
    close: &'static str,
}

const MARKDOWN: Marks = Marks { begin: "<!-- s2s:part", end: "<!-- s2s:end", close: "-->" };
const FRONT: Marks = Marks { begin: "# s2s:part", end: "# s2s:end", close: "" };

fn marks(front: bool) -> &'static Marks {
    if front { &FRONT } else { &MARKDOWN }
}

/// A new document.
pub(super) fn fresh(draft: &[Piece]) -> String {
    let mut text = String::new();
    for piece in draft {
        match piece {
            Piece::Own(own) => text.push_str(own),
            Piece::Part(part) => put(&mut text, part, &part.text, &digest(&part.text), false),
        }
    }
    text
}

/// Puts a part down with its markers.
pub(super) fn put(text: &mut String, part: &Part, inside: &str, digest: &str, kept: bool) {
    let kept = if kept { " kept" } else { "" };
    let Marks { begin, end, close } = marks(part.front);
    let close = if close.is_empty() { String::new() } else { format!(" {close}") };
    text.push_str(&format!("{begin} {} {digest}{kept}{close}\n", part.name));
    text.push_str(inside);
    text.push_str(&format!("{end} {}{close}\n", part.name));
}

/// What tells a generated text from an edited one.
pub(super) fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// The pieces of a text with `\n` at its line ends: a document, or a rendered template, whose markers have no digests
/// (`<!-- s2s:part NAME -->`, `<!-- s2s:end NAME -->`).
///
/// # Errors
/// If markers do not pair up, are broken, or name a part twice.
pub(super) fn pieces(text: &str, file: &str) -> Result<Vec<Piece>, Failure> {
    let mut reading = Reading { pieces: Vec::new(), own: String::new(), open: None, names: BTreeSet::new() };
    let mut dashes = 0;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let bare = line.trim_end();
        // Front matter ends with the second line of three dashes; a heading further down is no marker.
        dashes += usize::from(bare == "---" && (dashes > 0 || at == 0));
        let front = dashes == 1;
        let taken = match (marked(bare, marks(front).begin, front), marked(bare, marks(front).end, front)) {
            (Some(words), _) => reading.begin(words, at + 1, front),
            (_, Some(words)) => reading.end(words),
            _ => {
                reading.text(line);
                Ok(())
            }
        };
        taken.map_err(|what| refused(file, at + 1, &what))?;
    }
    if let Some(open) = reading.open {
        return Err(refused(file, open.line, "this part never ends"));
    }
    reading.end_own();
    Ok(reading.pieces)
}

fn refused(file: &str, line: usize, what: &str) -> Failure {
    Failure::bad_input(format!("{file}, line {line}: {what}"))
        .next("mend the marker lines, or move the file away to have it made anew")
}

/// The words of a marker line; none = a line like any other. A marker that lost its end has no words.
fn marked<'t>(line: &'t str, opening: &str, front: bool) -> Option<Vec<&'t str>> {
    let rest = line.strip_prefix(opening)?;
    if !(rest.is_empty() || rest.starts_with([' ', '-'])) {
        return None;
    }
    let words = rest.strip_suffix(marks(front).close).unwrap_or_default();
    Some(words.split_whitespace().collect())
}

/// A text read up to some line.
struct Reading {
    pieces: Vec<Piece>,
    own: String,
    open: Option<Part>,
    names: BTreeSet<String>,
}

impl Reading {
    fn begin(&mut self, words: Vec<&str>, line: usize, front: bool) -> Result<(), String> {
        let (name, digest, kept) = match words[..] {
            [name] => (name, "", false),
            [name, digest] => (name, digest, false),
            [name, digest, "kept"] => (name, digest, true),
            _ => return Err("this marker is broken".to_owned()),
        };
        if let Some(before) = &self.open {
            return Err(format!("a part begins inside the part that began in line {}", before.line));
        }
        if !self.names.insert(name.to_owned()) {
            return Err(format!("a second part \"{name}\""));
        }
        self.end_own();
        let (name, digest) = (name.to_owned(), digest.to_owned());
        self.open = Some(Part { name, text: String::new(), front, line, digest, kept });
        Ok(())
    }

    fn end(&mut self, words: Vec<&str>) -> Result<(), String> {
        let [name] = words[..] else { return Err("this marker is broken".to_owned()) };
        match self.open.take() {
            Some(part) if part.name == name => self.pieces.push(Piece::Part(part)),
            Some(part) => return Err(format!("\"{name}\" ends, but the part of line {} is open", part.line)),
            None => return Err(format!("\"{name}\" ends, but never began")),
        }
        Ok(())
    }

    fn text(&mut self, line: &str) {
        match &mut self.open {
            Some(part) => part.text.push_str(line),
            None => self.own.push_str(line),
        }
    }

    fn end_own(&mut self) {
        if !self.own.is_empty() {
            self.pieces.push(Piece::Own(std::mem::take(&mut self.own)));
        }
    }
}
