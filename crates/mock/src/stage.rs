//! One call on stage: the bytes of its answer, before any of them is sent.
//! Given the call, the plan and an act; hands on heads, whole replies, streams in frames, and streams up to
//! where they break. Deliberately absent: the wire, and when what is sent.

use std::time::SystemTime;

use crate::act::Act;
use crate::asked::Asked;
use crate::brain;
use crate::formats;
use crate::http::reason;
use crate::memory::{BYTES_PER_TOKEN, Cached};
use crate::plan::Plan;
use crate::routes::Format;
use crate::speech::{End, Frames, Speech, Tokens};

/// A call, and everything its answer depends on.
pub(crate) struct Stage<'a> {
    pub(crate) n: u64,
    pub(crate) asked: &'a Asked,
    pub(crate) plan: &'a Plan,
    pub(crate) cached: Cached,
    /// Where a redirect leads: another origin.
    pub(crate) elsewhere: &'a str,
    /// The path and query, for a redirect.
    pub(crate) target: &'a str,
}

impl Stage<'_> {
    /// Whose format it is in.
    pub(crate) fn format(&self) -> Format {
        self.asked.format
    }

    /// The head of an answer, up to its empty line.
    pub(crate) fn head(&self, status: u16, kind: &str, more: &str) -> Vec<u8> {
        let headers = formats::headers(self.format(), self.n);
        format!("HTTP/1.1 {status} {}\r\ncontent-type: {kind}\r\n{headers}{more}\r\n", reason(status)).into_bytes()
    }

    /// An answer of known length.
    pub(crate) fn sized(&self, status: u16, kind: &str, more: &str, body: &[u8]) -> Vec<u8> {
        let mut bytes = self.head(status, kind, &format!("{more}content-length: {}\r\n", body.len()));
        bytes.extend_from_slice(body);
        bytes
    }

    /// An answer of unknown length: its head.
    pub(crate) fn chunked(&self) -> Vec<u8> {
        self.head(200, formats::stream_type(self.format()), "cache-control: no-cache\r\ntransfer-encoding: chunked\r\n")
    }

    /// Runs `with` on what an act makes the model say.
    pub(crate) fn speech<T>(&self, act: &Act, with: impl FnOnce(&Speech<'_>) -> T) -> T {
        let text = match act {
            Act::Say(text) => text.clone(),
            Act::Empty | Act::ReasoningOnly => String::new(),
            Act::Refusal | Act::Filter => String::new(),
            Act::CutInCharacter => format!("é{}", brain::reply(self.asked)),
            Act::Length => {
                let mut text = brain::reply(self.asked);
                let half = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
                text.truncate(half);
                text
            }
            _ => brain::reply(self.asked),
        };
        let thinks = self.asked.thinks && *act != Act::Empty || *act == Act::ReasoningOnly;
        let thoughts = if thinks { brain::thoughts(self.asked) } else { String::new() };
        let count = |bytes: usize| bytes.div_ceil(BYTES_PER_TOKEN) as u64;
        let tokens = Tokens {
            input: count(self.asked.prompt.len()),
            cached: self.cached.read,
            written: self.cached.written,
            output: count(text.len()) + count(thoughts.len()),
            thoughts: count(thoughts.len()),
        };
        with(&Speech {
            n: self.n,
            now: SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs()),
            model: &self.asked.model,
            text: &text,
            thoughts: &thoughts,
            end: match act {
                Act::Length => End::Length,
                Act::Filter => End::Filter,
                Act::Refusal => End::Refusal,
                _ => End::Done,
            },
            tokens,
            wrong: if let Act::WrongUsage(wrong) = act { Some(*wrong) } else { None },
            include_usage: self.asked.include_usage,
            piece_bytes: self.plan.piece_bytes,
        })
    }

    /// What an act makes the model say, as a stream or as the one body that was asked for.
    pub(crate) fn frames(&self, act: &Act) -> Frames {
        let format = self.format();
        match (self.asked.stream, self.asked.sse) {
            (true, true) => self.speech(act, |speech| formats::stream(format, speech)),
            (true, false) => {
                let whole = self.speech(act, |speech| formats::whole(format, speech));
                Frames { body: vec![format!("[{whole}]").into_bytes()], ..Frames::default() }
            }
            (false, _) => {
                let whole = self.speech(act, |speech| formats::whole(format, speech));
                Frames { body: vec![whole.to_string().into_bytes()], ..Frames::default() }
            }
        }
    }
}

/// The bytes of a reply up to where it breaks.
pub(crate) fn cut(act: &Act, format: Format, frames: &Frames, speech: &Speech<'_>) -> Vec<u8> {
    let all: Vec<u8> = frames.all().collect::<Vec<_>>().concat();
    let half = frames.body.len() / 2;
    let before = || [frames.head.clone(), frames.body[..half].concat()].concat();
    let one = frames.body.len() < 2;
    match act {
        // A body that is no stream has no end mark but its last bracket.
        Act::NoEndMark if frames.tail.is_empty() => all[..all.len().saturating_sub(1)].to_vec(),
        Act::NoEndMark => [frames.head.clone(), frames.body.concat()].concat(),
        Act::ErrorInStream => [before(), formats::failure(format, speech)].concat(),
        Act::CutInCharacter => {
            let first = all.iter().position(|byte| *byte == 0xc3).unwrap_or(all.len() / 2);
            all[..=first.min(all.len().saturating_sub(1))].to_vec()
        }
        _ if one => all[..all.len() / 2].to_vec(),
        _ => {
            let next = frames.body.get(half).map_or(&[] as &[u8], Vec::as_slice);
            [before().as_slice(), &next[..next.len() * 2 / 3]].concat()
        }
    }
}
