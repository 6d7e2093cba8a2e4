//! Reads the body of an answer: within its time, within its size, and to its end, so that the connection can be used
//! again. Given a response; fills a draft, or hands on why it could not. Deliberately absent: what the pieces mean.

use std::pin::pin;
use std::time::Duration;

use reqwest::Response;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::trouble;
use crate::ask::seconds;
use crate::lines::Pieces;
use crate::wire::{self, Draft, Sign};
use crate::{Api, Fault, FaultKind, Patience};

/// The most text of a reply.
const MOST_TEXT: usize = 4 << 20;

/// The most bytes of a stream, with everything that is not text.
const MOST_STREAM: usize = 16 << 20;

/// The most that is read after the end mark, and for how long, to give the connection back.
const MOST_TAIL: usize = 64 << 10;
const LONGEST_TAIL: Duration = Duration::from_secs(1);

/// How long the body of an error may take.
const LONGEST_ERROR: Duration = Duration::from_secs(3);

/// As good as never, and safe to add to any moment.
const NEVER: Duration = Duration::from_secs(365 * 86_400);

/// When waiting ends.
#[derive(Debug)]
pub(super) struct Limits {
    /// For all of it.
    pub(super) deadline: Instant,
    /// For the next sign of life.
    silent_until: Instant,
    patience: Patience,
}

impl Limits {
    /// Counted from now.
    pub(super) fn new(patience: &Patience) -> Self {
        let now = Instant::now();
        let deadline = now + patience.deadline.min(NEVER);
        Self { deadline, silent_until: now + patience.idle.min(NEVER), patience: *patience }
    }

    /// The next moment at which something may be over.
    pub(super) fn next(&self) -> Instant {
        self.deadline.min(self.silent_until)
    }

    /// When to stop reading what an error says: its status is known, its words are a courtesy.
    pub(super) fn soon(&self) -> Instant {
        self.next().min(Instant::now() + LONGEST_ERROR)
    }

    /// What is over now, if anything.
    pub(super) fn over(&self, now: Instant) -> Option<Fault> {
        if now >= self.deadline {
            return Some(self.late());
        }
        (now >= self.silent_until).then(|| {
            let what = format!("sent nothing of a reply for {}", seconds(self.patience.idle));
            Fault::new(FaultKind::Idle, what)
        })
    }

    /// The deadline is over.
    pub(super) fn late(&self) -> Fault {
        Fault::new(FaultKind::Timeout, format!("gave no whole reply within {}", seconds(self.patience.deadline)))
    }

    fn alive(&mut self, now: Instant) {
        self.silent_until = now + self.patience.idle.min(NEVER);
    }
}

/// Reads a stream into the draft, up to its end mark and the end of the body; or up to where it breaks off.
pub(super) async fn stream(
    mut response: Response,
    api: Api,
    draft: &mut Draft<'_>,
    mut limits: Limits,
    place: &str,
) -> Result<(), Fault> {
    let mut pieces = Pieces::new(wire::framing(api));
    let mut seen = 0;
    // One timer for the whole stream: it is set anew only when it rings too early.
    let mut alarm = pin!(sleep_until(limits.next()));
    loop {
        let chunk = tokio::select! {
            biased;
            chunk = response.chunk() => chunk.map_err(|error| trouble::in_body(place, &error))?,
            () = &mut alarm => {
                if let Some(fault) = limits.over(Instant::now()) {
                    return Err(fault);
                }
                alarm.as_mut().reset(limits.next());
                continue;
            }
        };
        let Some(chunk) = chunk else { return ended(pieces, api, draft) };
        seen += chunk.len();
        if seen > MOST_STREAM {
            return Err(too_much("of stream", MOST_STREAM));
        }
        let mut alive = false;
        pieces.feed(&chunk, |piece| {
            alive |= wire::take(api, draft, piece)? == Sign::Life;
            let most = MOST_TEXT.min(draft.longest_text());
            if draft.text.len() > most { Err(too_much("of text", most)) } else { Ok(()) }
        })?;
        if draft.ended {
            tail(response, pieces, api, draft, limits.deadline).await;
            return Ok(());
        }
        let now = Instant::now();
        if let Some(fault) = limits.over(now) {
            return Err(fault);
        }
        if alive {
            limits.alive(now);
        }
    }
}

fn size(bytes: usize) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{} KiB", bytes >> 10) }
}

fn too_much(of: &str, most: usize) -> Fault {
    Fault::new(FaultKind::Oversize, format!("sent more than {} {of}; we hung up", size(most)))
}

/// The body is over and no end mark has come. What is left may be a whole piece that only lacks its line break;
/// half a piece is no error of its own, the reply is cut anyway.
fn ended(pieces: Pieces, api: Api, draft: &mut Draft<'_>) -> Result<(), Fault> {
    match pieces.rest(|piece| wire::take(api, draft, piece).map(|_| ())) {
        Err(fault) if fault.kind != FaultKind::Malformed => Err(fault),
        _ => Ok(()),
    }
}

/// Reads on after the end mark, so that the connection goes back to its pool. The reply is whole already: whatever
/// goes wrong here costs only the connection.
async fn tail(mut response: Response, mut pieces: Pieces, api: Api, draft: &mut Draft<'_>, deadline: Instant) {
    let until = deadline.min(Instant::now() + LONGEST_TAIL);
    let mut left = MOST_TAIL;
    let reading = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            left = left.saturating_sub(chunk.len());
            let fed = pieces.feed(&chunk, |piece| wire::take(api, draft, piece).map(|_| ()));
            if left == 0 || fed.is_err() {
                break;
            }
        }
    };
    // Out of time is as good as done.
    let _ = timeout_at(until, reading).await;
}

/// The beginning of a body that is no stream. What comes late or beyond `most` is left out.
pub(super) async fn whole(mut response: Response, most: usize, until: Instant) -> Vec<u8> {
    let mut body = Vec::new();
    let reading = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            let room = most - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if chunk.len() > room {
                break;
            }
        }
    };
    let _ = timeout_at(until, reading).await;
    body
}
