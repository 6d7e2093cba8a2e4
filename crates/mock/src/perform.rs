//! Carries out an act: the bytes of each reply and each fault, onto the wire.
//! Given a call and what to do with it; hands on what becomes of the connection. Deliberately absent: which act
//! it is, and what the formats look like.

use std::io::{self, Write};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::act::{Act, Wait};
use crate::complaint::Complaint;
use crate::formats;
use crate::http::{LAST_CHUNK, Wire, chunk, reason};
use crate::speech::Frames;
use crate::stage::{Stage, cut};

/// What becomes of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// It stays open.
    Stay,
    /// It is closed.
    Close,
    /// It is reset.
    Reset,
}

/// The text of a flood, over and over.
const FLOOD: &str = "All work and no end makes a long reply. ";

impl Stage<'_> {
    /// Carries out an act.
    pub(crate) async fn perform(&self, wire: &mut Wire, act: &Act) -> io::Result<Then> {
        let latency = match act {
            Act::Late { after_ms } => Duration::from_millis(*after_ms),
            _ => self.plan.latency,
        };
        wire.wait(latency).await?;
        match act {
            Act::Answer | Act::Late { .. } | Act::WrongUsage(_) | Act::Say(_) => self.reply(wire, act).await,
            Act::Empty | Act::ReasoningOnly | Act::Refusal | Act::Filter | Act::Length => self.reply(wire, act).await,
            Act::Status(502) => wire.send(&self.page()).await.map(|()| Then::Close),
            Act::Status(status) => self.complain(wire, &Complaint::Status(*status), "").await,
            Act::RateLimit(wait) => self.rate_limit(wire, *wait).await,
            Act::SpendLimit => self.complain(wire, &Complaint::SpendLimit, "").await,
            Act::NoCredit => self.complain(wire, &Complaint::NoCredit, "").await,
            Act::TooLong => self.complain(wire, &Complaint::TooLong, "").await,
            Act::ErrorBody => self.error_body(wire).await,
            Act::ErrorInStream | Act::NoEndMark | Act::CutConnection | Act::Stall => self.broken(wire, act).await,
            Act::CutInCharacter | Act::CutInJson => self.broken(wire, act).await,
            Act::CloseAtOnce => Ok(Then::Close),
            Act::Reset => Ok(Then::Reset),
            Act::KeepAliveOnly { every_ms } => self.keep_alive(wire, Duration::from_millis(*every_ms)).await,
            Act::Drip { every_ms } => self.drip(wire, Duration::from_millis(*every_ms)).await,
            Act::Flood { bytes } => self.flood(wire, *bytes).await,
            Act::GzipBomb { bytes } => self.bomb(wire, *bytes).await,
            Act::Redirect => self.redirect(wire).await,
            Act::Hang => {
                wire.left().await;
                Err(io::ErrorKind::ConnectionAborted.into())
            }
        }
    }

    /// A whole reply.
    async fn reply(&self, wire: &mut Wire, act: &Act) -> io::Result<Then> {
        let frames = self.frames(act);
        if !self.asked.stream || !self.asked.sse {
            wire.send(&self.sized(200, "application/json", "", &frames.body.concat())).await?;
            return Ok(Then::Stay);
        }
        let mut out = self.chunked();
        for frame in frames.all() {
            chunk(&mut out, frame);
            if !self.plan.pace.is_zero() {
                wire.send(&out).await?;
                out.clear();
                wire.wait(self.plan.pace).await?;
            }
        }
        out.extend_from_slice(LAST_CHUNK);
        wire.send(&out).await?;
        Ok(Then::Stay)
    }

    /// An error of the provider's own.
    pub(crate) async fn complain(&self, wire: &mut Wire, complaint: &Complaint, more: &str) -> io::Result<Then> {
        let id = formats::request_id(self.format(), self.n);
        let (status, body) = complaint.body(self.format(), &id);
        wire.send(&self.sized(status, "application/json", more, body.to_string().as_bytes())).await?;
        Ok(Then::Stay)
    }

    async fn rate_limit(&self, wire: &mut Wire, wait: Wait) -> io::Result<Then> {
        let (header, seconds) = match wait {
            Wait::Unsaid => (String::new(), None),
            Wait::Seconds(seconds) => (format!("retry-after: {seconds}\r\n"), Some(seconds)),
            Wait::Millis(millis) => (format!("retry-after-ms: {millis}\r\n"), None),
            Wait::Date(seconds) => (format!("retry-after: {}\r\n", date(seconds)), None),
            Wait::Nonsense => ("retry-after: soon, perhaps\r\n".to_owned(), None),
        };
        self.complain(wire, &Complaint::RateLimit { seconds }, &header).await
    }

    /// What a proxy says when the server behind it is gone.
    fn page(&self) -> Vec<u8> {
        let body = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1>\
                    </center>\r\n</body>\r\n</html>\r\n";
        let (length, reason) = (body.len(), reason(502));
        let head = "content-type: text/html\r\nconnection: close\r\n";
        format!("HTTP/1.1 502 {reason}\r\n{head}content-length: {length}\r\n\r\n{body}").into_bytes()
    }

    async fn error_body(&self, wire: &mut Wire) -> io::Result<Then> {
        let (_, body) = Complaint::Status(500).body(self.format(), &formats::request_id(self.format(), self.n));
        wire.send(&self.sized(200, "application/json", "", body.to_string().as_bytes())).await?;
        Ok(Then::Stay)
    }

    /// A reply that is not whole.
    async fn broken(&self, wire: &mut Wire, act: &Act) -> io::Result<Then> {
        let frames = self.frames(act);
        let body = self.speech(act, |speech| cut(act, self.format(), &frames, speech));
        let mut out = match self.asked.stream {
            true => self.chunked(),
            false => self.head(200, "application/json", "transfer-encoding: chunked\r\n"),
        };
        chunk(&mut out, &body);
        if *act == Act::CutConnection {
            wire.send(&out).await?;
            return Ok(Then::Close);
        }
        if *act == Act::Stall {
            wire.send(&out).await?;
            wire.left().await;
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        out.extend_from_slice(LAST_CHUNK);
        wire.send(&out).await?;
        Ok(Then::Stay)
    }

    async fn keep_alive(&self, wire: &mut Wire, every: Duration) -> io::Result<Then> {
        let sign = self.speech(&Act::Empty, |speech| formats::keep_alive(self.format(), speech));
        let mut out = self.chunked();
        loop {
            chunk(&mut out, &sign);
            wire.send(&out).await?;
            out.clear();
            wire.wait(every.max(Duration::from_millis(1))).await?;
        }
    }

    async fn drip(&self, wire: &mut Wire, every: Duration) -> io::Result<Then> {
        let bytes: Vec<u8> = self.frames(&Act::Answer).all().collect::<Vec<_>>().concat();
        wire.send(&self.chunked()).await?;
        for byte in bytes {
            let mut out = Vec::with_capacity(8);
            chunk(&mut out, &[byte]);
            wire.send(&out).await?;
            wire.wait(every).await?;
        }
        wire.send(LAST_CHUNK).await?;
        Ok(Then::Stay)
    }

    async fn flood(&self, wire: &mut Wire, bytes: u64) -> io::Result<Then> {
        let text = FLOOD.repeat(400);
        let plan = self.plan.clone().piece_bytes(text.len());
        let stage = Stage { plan: &plan, ..*self };
        let frames = match self.asked.stream {
            true => stage.frames(&Act::Say(text.clone())),
            // One text of this size, between the quotes of a small one.
            false => {
                let whole =
                    String::from_utf8_lossy(&stage.frames(&Act::Say(FLOOD.to_owned())).body.concat()).into_owned();
                let (before, after) = whole.split_once(FLOOD).unwrap_or((&whole, ""));
                Frames { head: before.into(), body: vec![text.clone().into_bytes()], tail: after.into() }
            }
        };
        let (piece, before) =
            frames.body.split_last().map_or((&[] as &[u8], &[] as &[Vec<u8>]), |(last, all)| (last, all));
        let mut out = self.chunked();
        chunk(&mut out, &frames.head);
        before.iter().for_each(|frame| chunk(&mut out, frame));
        wire.send(&out).await?;
        out.clear();
        chunk(&mut out, piece);
        for _ in 0..bytes.div_ceil(text.len() as u64) {
            wire.send(&out).await?;
        }
        out.clear();
        chunk(&mut out, &frames.tail);
        out.extend_from_slice(LAST_CHUNK);
        wire.send(&out).await?;
        Ok(Then::Stay)
    }

    async fn bomb(&self, wire: &mut Wire, bytes: u64) -> io::Result<Then> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        let spaces = vec![b' '; 1 << 16];
        for _ in 0..bytes.div_ceil(spaces.len() as u64) {
            packed.write_all(&spaces)?;
        }
        let body = packed.finish()?;
        let kind = if self.asked.stream { formats::stream_type(self.format()) } else { "application/json" };
        wire.send(&self.sized(200, kind, "content-encoding: gzip\r\n", &body)).await?;
        Ok(Then::Stay)
    }

    async fn redirect(&self, wire: &mut Wire) -> io::Result<Then> {
        let to = format!("location: {}{}\r\n", self.elsewhere, self.target);
        wire.send(&self.sized(307, "text/plain", &to, b"")).await?;
        Ok(Then::Stay)
    }

    /// Any other answer in JSON.
    pub(crate) async fn plain(&self, wire: &mut Wire, body: &Value) -> io::Result<Then> {
        wire.send(&self.sized(200, "application/json", "", body.to_string().as_bytes())).await?;
        Ok(Then::Stay)
    }
}

/// A date as HTTP writes it, this many seconds from now.
fn date(seconds: u64) -> String {
    let then = SystemTime::now() + Duration::from_secs(seconds);
    let printed = jiff::Timestamp::try_from(then)
        .and_then(|time| jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&time));
    printed.unwrap_or_else(|_| "Fri, 31 Dec 9999 23:59:59 GMT".to_owned())
}
