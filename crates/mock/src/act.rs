//! What the server does with a call: the usual reply, or one of the ways a real server fails.
//! Plain values, as they are written in a script. Deliberately absent: how each looks on the wire, which is
//! in `perform` and `formats`, and when it is done, which is the plan's.

use serde::Deserialize;

/// What is done with one call.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// The usual reply.
    Answer,
    /// The usual reply, after this time instead of the plan's latency.
    Late {
        /// In milliseconds.
        after_ms: u64,
    },
    /// A reply of these words.
    Say(String),
    /// This status with the provider's own error body; 502 comes with a page of HTML, as from a proxy.
    Status(u16),
    /// 429, with this word on when to come back.
    RateLimit(Wait),
    /// 429 because the account has spent what it may.
    SpendLimit,
    /// The account has no credit: 400 from Anthropic and Gemini, 402 from the others.
    NoCredit,
    /// The prompt is longer than the model takes: a 400 that says so.
    TooLong,
    /// 200 with an error as its JSON body where a stream was asked for.
    ErrorBody,
    /// Half a reply, then the format's own error event; the stream ends cleanly.
    ErrorInStream,
    /// The connection is closed before the first byte.
    CloseAtOnce,
    /// Half a reply, then the connection is closed without the end of the HTTP body.
    CutConnection,
    /// Half a reply, then nothing more until the client leaves.
    Stall,
    /// The body ends cleanly, inside a character of two bytes.
    CutInCharacter,
    /// The body ends cleanly, inside a JSON value.
    CutInJson,
    /// All of the text, and a clean end, but neither stop reason, usage nor end mark.
    NoEndMark,
    /// The stream opens, then nothing but keep-alives until the client leaves.
    KeepAliveOnly {
        /// In milliseconds.
        every_ms: u64,
    },
    /// The usual reply, byte by byte.
    Drip {
        /// In milliseconds.
        every_ms: u64,
    },
    /// A reply with this much text.
    Flood {
        /// How much.
        bytes: u64,
    },
    /// A gzip body nobody asked for, which unpacks to this size.
    GzipBomb {
        /// How much.
        bytes: u64,
    },
    /// The connection is reset.
    Reset,
    /// 307 to another port, where the same server listens and notes what arrives.
    Redirect,
    /// A whole reply with no text.
    Empty,
    /// A whole reply of thoughts only.
    ReasoningOnly,
    /// The model declines, in the format's own way.
    Refusal,
    /// A filter stops the reply.
    Filter,
    /// The reply is cut at the limit on its length.
    Length,
    /// The usual reply with wrong figures.
    WrongUsage(WrongUsage),
    /// No answer, ever.
    Hang,
}

/// What a 429 says about when to come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wait {
    /// Nothing.
    Unsaid,
    /// `retry-after` in seconds; Gemini says it in the body too.
    Seconds(u64),
    /// `retry-after-ms`.
    Millis(u64),
    /// `retry-after` as a date, this many seconds from now.
    Date(u64),
    /// `retry-after` with something that is no time.
    Nonsense,
}

/// How usage figures are wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrongUsage {
    /// There are none.
    Missing,
    /// They are below zero.
    Negative,
    /// They are larger than any reply.
    Huge,
    /// They are texts.
    Texts,
}

impl Act {
    /// Its name in scripts, logs and [`crate::Seen::outcome`].
    pub fn name(&self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Late { .. } => "late",
            Self::Say(_) => "say",
            Self::Status(_) => "status",
            Self::RateLimit(_) => "rate_limit",
            Self::SpendLimit => "spend_limit",
            Self::NoCredit => "no_credit",
            Self::TooLong => "too_long",
            Self::ErrorBody => "error_body",
            Self::ErrorInStream => "error_in_stream",
            Self::CloseAtOnce => "close_at_once",
            Self::CutConnection => "cut_connection",
            Self::Stall => "stall",
            Self::CutInCharacter => "cut_in_character",
            Self::CutInJson => "cut_in_json",
            Self::NoEndMark => "no_end_mark",
            Self::KeepAliveOnly { .. } => "keep_alive_only",
            Self::Drip { .. } => "drip",
            Self::Flood { .. } => "flood",
            Self::GzipBomb { .. } => "gzip_bomb",
            Self::Reset => "reset",
            Self::Redirect => "redirect",
            Self::Empty => "empty",
            Self::ReasoningOnly => "reasoning_only",
            Self::Refusal => "refusal",
            Self::Filter => "filter",
            Self::Length => "length",
            Self::WrongUsage(_) => "wrong_usage",
            Self::Hang => "hang",
        }
    }

    /// The faults that another try can mend, none of which takes time: what a soak mixes in.
    pub fn passing() -> Vec<Self> {
        let statuses = [408, 500, 502, 503, 504, 529].map(Self::Status);
        let waits = [Wait::Unsaid, Wait::Seconds(0), Wait::Millis(10), Wait::Nonsense].map(Self::RateLimit);
        let cuts = [
            Self::ErrorInStream,
            Self::CloseAtOnce,
            Self::CutConnection,
            Self::CutInCharacter,
            Self::CutInJson,
            Self::NoEndMark,
            Self::Reset,
            Self::Empty,
            Self::ReasoningOnly,
        ];
        statuses.into_iter().chain(waits).chain(cuts).collect()
    }
}
