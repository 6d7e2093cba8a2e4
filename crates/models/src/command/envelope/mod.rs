//! What a command prints, taken piece by piece and understood at the end.
//! Is given stdout as it comes; hands on a whole reply, a complaint, or neither. Event lines are read and let go as
//! they come, so a long stream needs little memory. Deliberately absent: exit codes and stderr (see `verdict`).

mod claude;
mod codex;
mod gemini;

use serde_json::Value;

use super::preset::{Cli, value_of};
use super::run::{Ear, Sign};
use crate::{Heard, Stop, Usage};

/// The most that is kept of an answer: a text, a JSON document, or one event line.
const MOST_KEPT: usize = 4 * 1024 * 1024;
/// The most event lines may have in all: each piece of text comes wrapped in some hundred bytes.
const MOST_STREAMED: usize = 64 * 1024 * 1024;

/// What a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// The reply itself.
    Text,
    /// One JSON document of the Claude or the Gemini CLI, at the end.
    Document(Cli),
    /// JSON event lines of one of the three.
    Lines(Cli),
}

impl Format {
    /// What this argv makes the CLI print.
    pub fn of(cli: Cli, argv: &[String]) -> Self {
        let wanted = value_of(argv, &["--output-format", "-o"]);
        match (cli, wanted.as_deref()) {
            (Cli::Codex, _) => Self::Lines(cli),
            (Cli::Claude | Cli::Gemini, Some("stream-json")) => Self::Lines(cli),
            (Cli::Claude | Cli::Gemini, Some("json")) => Self::Document(cli),
            _ => Self::Text,
        }
    }

    /// Whether silence means something: some think long before they say the first word, some say all at the end.
    fn silence_counts(self, begun: bool) -> bool {
        match self {
            Self::Lines(Cli::Claude) => true,
            Self::Lines(Cli::Gemini) | Self::Text => begun,
            Self::Document(_) | Self::Lines(_) => false,
        }
    }
}

/// What the output has said so far.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The reply's text.
    pub text: String,
    /// Why it ended, once its end mark was there.
    pub stop: Option<Stop>,
    /// A complaint that ends the call.
    pub complaint: Option<Complaint>,
    /// What it cost.
    pub usage: Usage,
    /// The CLI's name for the call.
    pub request_id: Option<String>,
    /// The last trouble it went on from; it says why nothing came.
    pub trouble: Option<String>,
}

/// What a CLI says when it gives no reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    /// In its own words.
    pub text: String,
    /// The HTTP status behind it, where it names one.
    pub status: Option<u16>,
    /// The model itself would not answer.
    pub refused: bool,
}

impl Complaint {
    fn new(text: impl Into<String>, status: Option<u16>) -> Self {
        Self { text: text.into(), status, refused: false }
    }
}

/// The output of one run.
pub(super) struct Envelope<'a> {
    format: Format,
    heard: Heard<'a>,
    /// What is not yet understood: a line without its end, or the whole document.
    rest: Vec<u8>,
    /// How many bytes of a text have been passed on to whoever listens.
    passed_on: usize,
    total: usize,
    /// Whether something of the reply has come.
    begun: bool,
    said: Said,
    /// Something was not UTF-8, or no JSON where JSON was due.
    flaw: Option<&'static str>,
}

impl<'a> Envelope<'a> {
    /// Ready to take output of this format.
    pub fn new(format: Format, heard: Heard<'a>) -> Self {
        Self {
            format,
            heard,
            rest: Vec::new(),
            passed_on: 0,
            total: 0,
            begun: false,
            said: Said::default(),
            flaw: None,
        }
    }

    /// Whether anything at all was printed.
    pub fn is_silent(&self) -> bool {
        self.total == 0
    }

    /// What was said, and what was wrong with it. `done` says that the command ended well, which is a plain text's
    /// only end mark.
    pub fn close(mut self, done: bool) -> (Said, Option<&'static str>) {
        let rest = std::mem::take(&mut self.rest);
        match self.format {
            Format::Text => match String::from_utf8(rest) {
                Ok(text) => (self.said.text, self.said.stop) = (text, done.then_some(Stop::End)),
                Err(_) => self.flaw = Some(NOT_UTF8),
            },
            Format::Document(_) if rest.iter().all(u8::is_ascii_whitespace) => {}
            Format::Document(cli) => match document(&rest) {
                Ok(value) if cli == Cli::Gemini => gemini::document(&value, &mut self.said),
                Ok(value) => claude::document(&value, &mut self.said),
                Err(flaw) => self.flaw = Some(flaw),
            },
            Format::Lines(_) => {
                self.line(&rest);
            }
        }
        (self.said, self.flaw)
    }

    fn hear_text(&mut self) {
        let new = &self.rest[self.passed_on..];
        let whole = match std::str::from_utf8(new) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&new[..error.valid_up_to()]).unwrap_or_default(),
        };
        if !whole.is_empty() {
            (self.heard)(whole);
            self.passed_on += whole.len();
        }
    }

    /// Takes one event line; says whether it was a sign of life.
    fn line(&mut self, line: &[u8]) -> bool {
        let line = line.trim_ascii();
        if line.is_empty() {
            return false;
        }
        let Format::Lines(cli) = self.format else { return false };
        let event = match document(line) {
            Ok(event) => event,
            // A warning among the events is not JSON and does no harm; a line that should be one does.
            Err(flaw) => {
                if flaw == NOT_UTF8 || line.starts_with(b"{") {
                    self.flaw = Some(flaw);
                }
                return false;
            }
        };
        match cli {
            Cli::Codex => codex::event(&event, &mut self.said, self.heard),
            Cli::Gemini => gemini::event(&event, &mut self.said, self.heard),
            _ => claude::event(&event, &mut self.said, self.heard),
        }
    }
}

impl Ear for Envelope<'_> {
    fn hear(&mut self, piece: &[u8]) -> Sign {
        self.total += piece.len();
        self.rest.extend_from_slice(piece);
        let mut life = true;
        match self.format {
            Format::Text => self.hear_text(),
            Format::Document(_) => {}
            Format::Lines(_) => {
                life = false;
                let rest = std::mem::take(&mut self.rest);
                let mut lines = rest.split_inclusive(|byte| *byte == b'\n').peekable();
                while let Some(line) = lines.next() {
                    match lines.peek().is_none() && !line.ends_with(b"\n") {
                        true => self.rest = line.to_vec(),
                        false => life |= self.line(line),
                    }
                }
            }
        }
        if self.rest.len() > MOST_KEPT || self.said.text.len() > MOST_KEPT || self.total > MOST_STREAMED {
            return Sign::TooMuch;
        }
        self.begun |= life;
        if life { Sign::Life } else { Sign::None }
    }

    fn expects_more(&self) -> bool {
        self.format.silence_counts(self.begun)
    }
}

/// What is said of output that is not UTF-8.
pub(super) const NOT_UTF8: &str = "its output is not UTF-8";
/// What is said of output that is not JSON where JSON is due.
pub(super) const NOT_JSON: &str = "its output is not the JSON that was asked for";

fn document(bytes: &[u8]) -> Result<Value, &'static str> {
    let text = std::str::from_utf8(bytes).map_err(|_| NOT_UTF8)?;
    serde_json::from_str(text).map_err(|_| NOT_JSON)
}

/// A whole JSON object at the end of a text that has other things before it, as the Gemini CLI leaves on stderr.
pub(super) fn complaint_at_the_end(text: &str) -> Option<Complaint> {
    let starts = text.match_indices('{').map(|(at, _)| at).filter(|at| *at == 0 || text[..*at].ends_with('\n'));
    let mut objects = starts.filter_map(|at| serde_json::from_str::<Value>(text[at..].trim()).ok());
    objects.next().as_ref().and_then(gemini::complaint)
}

fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str)
}

fn number(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}

fn status(value: &Value, pointer: &str) -> Option<u16> {
    let code = value.pointer(pointer).and_then(Value::as_u64)?;
    u16::try_from(code).ok().filter(|code| (400..=599).contains(code))
}
