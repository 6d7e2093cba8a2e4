//! What stands on the tape: one line for every call asked, answered or failed.
//! Is given entries; hands on lines of JSON that end in their own checksum, and reads them back.
//! Deliberately absent: files (see `tape_file.rs`) and any reading of the replies themselves.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use s2s_engine::record::{StandIn, Usage};
use s2s_engine::step::CallId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Something to put on the tape; the keeper gives it its number.
#[derive(Debug, Clone, PartialEq)]
pub struct TapeEntry {
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub what: Taped,
}

/// An entry in its place on the tape.
#[derive(Debug, Clone, PartialEq)]
pub struct TapeLine {
    /// From 1, without gaps.
    pub seq: u64,
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub what: Taped,
}

/// What can happen on a tape.
#[derive(Debug, Clone, PartialEq)]
pub enum Taped {
    /// The session was opened.
    Opened(Opened),
    /// A call is about to be made.
    Asked(Asked),
    /// A reply arrived.
    Answered(Answered),
    /// No reply came.
    Failed(Failed),
}

/// The texts a session starts with and keeps (S7).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Opened {
    /// The text of each role, by seat.
    #[serde(default)]
    pub roles: BTreeMap<String, Arc<str>>,
    /// The prompt templates, by name.
    #[serde(default)]
    pub prompts: BTreeMap<String, Arc<str>>,
}

/// A call, as it is about to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Which call.
    pub call: CallId,
    /// `provider:model`, `offline`, `human` …
    pub model: String,
    /// What is sent.
    pub prompt: Prompt,
    /// The most it can cost.
    pub reserved_usd: f64,
    /// The most tokens it can take, sent and received; 0 on tapes that do not say.
    pub reserved_tokens: u64,
    /// What a person asked, in their words; only in a follow-up.
    pub question: Option<String>,
}

/// What is sent to a model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Prompt {
    /// Who the model is; the same in many calls, so shared.
    pub system: Arc<str>,
    /// What it is asked.
    pub user: String,
}

/// A reply, as it arrived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// Which call it answers.
    #[serde(with = "call_text")]
    pub call: CallId,
    /// The raw text.
    pub reply: String,
    /// Why the model stopped, in its provider's word.
    #[serde(default)]
    pub stop: Option<String>,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
    /// The provider's name for the request.
    #[serde(default)]
    pub request_id: Option<String>,
    /// The model that answered, where it is not the one that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<StandIn>,
    /// Tries that failed before this one.
    #[serde(default)]
    pub tries: Vec<Try>,
}

/// A call that got no reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// Which call.
    #[serde(with = "call_text")]
    pub call: CallId,
    /// The last error.
    pub error: String,
    /// What its tries cost.
    #[serde(default)]
    pub usage: Usage,
    /// The model of the last try, as `provider:model`; none where the call has only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The provider's name for the last try, where it gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// All that a program said, where the error has only the end of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// The tries before the last one.
    #[serde(default)]
    pub tries: Vec<Try>,
}

/// One failed try of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Try {
    /// When.
    pub at: Timestamp,
    /// Which model, as `provider:model`; none where there is only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why.
    pub error: String,
    /// What it cost, in the usage of the call too; none on tapes that do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The provider's name for it, where it gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl Taped {
    /// The call it is about; none for the opening.
    pub fn call(&self) -> Option<&CallId> {
        match self {
            Self::Opened(_) => None,
            Self::Asked(asked) => Some(&asked.call),
            Self::Answered(answered) => Some(&answered.call),
            Self::Failed(failed) => Some(&failed.call),
        }
    }

    /// At least how long the line will be: the length of its longest text.
    pub(crate) fn least_len(&self) -> usize {
        match self {
            Self::Opened(opened) => opened.roles.values().chain(opened.prompts.values()).map(|text| text.len()).sum(),
            Self::Asked(asked) => asked.prompt.system.len() + asked.prompt.user.len(),
            Self::Answered(answered) => answered.reply.len(),
            Self::Failed(failed) => failed.error.len().max(failed.details.as_ref().map_or(0, String::len)),
        }
    }

    /// The name used in the file.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Opened(_) => "opened",
            Self::Asked(_) => "asked",
            Self::Answered(_) => "answered",
            Self::Failed(_) => "failed",
        }
    }
}

/// Between the line's own fields and its end: `,"crc":"01234567"}`.
const CRC_KEY: &[u8] = b",\"crc\":\"";
const CRC_LEN: usize = CRC_KEY.len() + 8 + 2;

impl TapeLine {
    /// Appends the line, newline included, to `out`.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        let start = out.len();
        serde_json::to_writer(
            &mut *out,
            &Wire { seq: self.seq, at: self.at, r#type: self.what.type_name(), what: &self.what },
        )?;
        seal(out, start);
        Ok(())
    }

    /// Reads a line without its newline.
    pub(crate) fn read(line: &[u8]) -> Result<Self, String> {
        check_crc(line)?;
        // The text without its checksum is JSON but for the last brace; the whole line is JSON too,
        // and an unknown `crc` field does not disturb, so no copy is made.
        let told = |error: serde_json::Error| format!("not a line of a tape: {error}");
        let Peek { seq, at, r#type } = serde_json::from_slice(line).map_err(told)?;
        let what = match r#type.as_str() {
            "opened" => Taped::Opened(serde_json::from_slice(line).map_err(told)?),
            "asked" => Taped::Asked(serde_json::from_slice::<AskedWire<'_>>(line).map_err(told)?.into_asked()),
            "answered" => Taped::Answered(serde_json::from_slice(line).map_err(told)?),
            "failed" => Taped::Failed(serde_json::from_slice(line).map_err(told)?),
            other => return Err(format!("a line of type `{other}`, which this s2s does not know; a newer one may")),
        };
        Ok(Self { seq, at, what })
    }
}

/// Puts the checksum of the JSON object that begins at `start` into it as its last field, and a newline after it.
pub(crate) fn seal(out: &mut Vec<u8>, start: usize) {
    let crc = crc32fast::hash(&out[start..]);
    out.pop();
    out.extend_from_slice(CRC_KEY);
    out.extend_from_slice(format!("{crc:08x}\"}}\n").as_bytes());
}

/// Whether the checksum at the end of the line fits the rest of it.
pub(crate) fn check_crc(line: &[u8]) -> Result<(), String> {
    let none = || "no checksum at the end of the line".to_owned();
    let (body, tail) = line.split_at_checked(line.len().wrapping_sub(CRC_LEN)).ok_or_else(none)?;
    let hex = tail.strip_prefix(CRC_KEY).and_then(|rest| rest.strip_suffix(b"\"}")).ok_or_else(none)?;
    let mut crc = crc32fast::Hasher::new();
    crc.update(body);
    crc.update(b"}");
    if hex == format!("{:08x}", crc.finalize()).as_bytes() {
        Ok(())
    } else {
        Err("the checksum does not hold: the line was changed".to_owned())
    }
}

#[derive(Serialize)]
struct Wire<'a> {
    seq: u64,
    at: Timestamp,
    r#type: &'static str,
    #[serde(flatten)]
    what: &'a Taped,
}

impl Serialize for Taped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Opened(opened) => opened.serialize(serializer),
            Self::Asked(asked) => AskedWire::of(asked).serialize(serializer),
            Self::Answered(answered) => answered.serialize(serializer),
            Self::Failed(failed) => failed.serialize(serializer),
        }
    }
}

/// What every line has; the rest is skipped without being kept.
#[derive(Deserialize)]
struct Peek {
    seq: u64,
    at: Timestamp,
    r#type: String,
}

/// A call spelled out, for people and scripts that read the tape.
#[derive(Serialize, Deserialize)]
struct AskedWire<'a> {
    #[serde(with = "call_text")]
    call: CallId,
    round: u32,
    kind: std::borrow::Cow<'a, str>,
    seat: std::borrow::Cow<'a, str>,
    attempt: u32,
    model: std::borrow::Cow<'a, str>,
    prompt: std::borrow::Cow<'a, Prompt>,
    #[serde(default)]
    reserved_usd: f64,
    #[serde(default)]
    reserved_tokens: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<std::borrow::Cow<'a, str>>,
}

impl<'a> AskedWire<'a> {
    fn of(asked: &'a Asked) -> Self {
        use std::borrow::Cow::Borrowed;
        Self {
            call: asked.call.clone(),
            round: asked.call.round,
            kind: Borrowed(asked.call.kind.as_str()),
            seat: Borrowed(&asked.call.seat),
            attempt: asked.call.attempt,
            model: Borrowed(&asked.model),
            prompt: Borrowed(&asked.prompt),
            reserved_usd: asked.reserved_usd,
            reserved_tokens: asked.reserved_tokens,
            question: asked.question.as_deref().map(Borrowed),
        }
    }

    fn into_asked(self) -> Asked {
        Asked {
            call: self.call,
            model: self.model.into_owned(),
            prompt: self.prompt.into_owned(),
            reserved_usd: self.reserved_usd,
            reserved_tokens: self.reserved_tokens,
            question: self.question.map(std::borrow::Cow::into_owned),
        }
    }
}

/// A call by its name, `r2.response.qa-lead.1`.
mod call_text {
    use super::{CallId, Deserialize, Deserializer, Serializer};
    use serde::de::Error;

    pub(super) fn serialize<S: Serializer>(call: &CallId, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(call)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CallId, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| D::Error::custom(format!("`{text}` is not the name of a call")))
    }
}
