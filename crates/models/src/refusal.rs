//! What a provider says instead of a reply, sorted by what can be done about it.
//! Given a status, headers and the body of an error, or an error in mid-stream; hands on a fault. One table for all
//! providers: their words are alike enough. Deliberately absent: the connection, and what is done with a fault.

mod said;
mod wait;

use reqwest::header::HeaderMap;

use crate::{Endpoint, Fault, FaultKind};

pub(crate) use said::{Said, cut, one_line};
pub(crate) use wait::retry_after;

/// The most of an error's body that is read.
pub(crate) const MOST_BODY: usize = 64 << 10;

/// An answer with a status that is no success.
pub(crate) fn by_status(status: u16, headers: &HeaderMap, body: &[u8]) -> Fault {
    let said = Said::read(body);
    let mut what = format!("answered {status}");
    if !said.message.is_empty() {
        what = format!("{what}: {}", said.message);
    }
    let retry_after = retry_after(headers, said.delay);
    Fault { retry_after, request_id: said.request_id.clone(), ..Fault::new(kind(Some(status), &said), what) }
}

/// An error in the middle of a stream, or in a body that came with status 200.
pub(crate) fn in_stream(piece: &[u8]) -> Fault {
    let said = Said::read(piece);
    let message = if said.message.is_empty() { "it does not say which" } else { said.message.as_str() };
    let what = format!("sent an error instead of a reply: {message}");
    let (retry_after, request_id) = (retry_after(&HeaderMap::new(), said.delay), said.request_id.clone());
    Fault { retry_after, request_id, ..Fault::new(kind(None, &said), what) }
}

/// The sort of failure: by status, and by the provider's words where a status means several things.
fn kind(status: Option<u16>, said: &Said) -> FaultKind {
    use FaultKind as Kind;
    match status {
        Some(300..=399) => Kind::Redirected,
        Some(400 | 422) => said.request().unwrap_or(Kind::Rejected),
        Some(401) => Kind::Unauthorized,
        Some(402) => Kind::SpendLimit,
        Some(403) => said.request().unwrap_or(Kind::Forbidden),
        Some(404 | 410) => Kind::NotFound,
        Some(413) => Kind::TooLong,
        Some(408 | 409 | 425) => Kind::Server,
        Some(429) if said.is_about_money() => Kind::SpendLimit,
        Some(429) => Kind::RateLimited,
        Some(503 | 529) => Kind::Overloaded,
        Some(500..) => Kind::Server,
        Some(_) => said.request().unwrap_or(Kind::Rejected),
        None => by_words(said),
    }
}

/// The sort of failure where no status tells it: an error in a stream, or one that came with status 200.
fn by_words(said: &Said) -> FaultKind {
    use FaultKind as Kind;
    if let Some(status) = said.code {
        return kind(Some(status), said);
    }
    if let Some(found) = said.request() {
        return found;
    }
    const TABLE: [(&str, FaultKind); 13] = [
        ("overloaded", Kind::Overloaded),
        ("unavailable", Kind::Overloaded),
        ("slow_down", Kind::Overloaded),
        ("rate_limit", Kind::RateLimited),
        ("resource_exhausted", Kind::RateLimited),
        ("too_many_requests", Kind::RateLimited),
        ("authentication", Kind::Unauthorized),
        ("unauthenticated", Kind::Unauthorized),
        ("permission", Kind::Forbidden),
        ("not_found", Kind::NotFound),
        ("too_large", Kind::TooLong),
        ("invalid_request", Kind::Rejected),
        ("invalid_argument", Kind::Rejected),
    ];
    TABLE.iter().find(|(word, _)| said.is_named(word)).map_or(Kind::Server, |(_, kind)| *kind)
}

/// What a person can do about a failure of this sort.
pub(crate) fn next_step(kind: FaultKind, endpoint: &Endpoint) -> Option<String> {
    use FaultKind as Kind;
    let from = if endpoint.key_from.is_empty() { "the settings" } else { endpoint.key_from.as_str() };
    let missing = endpoint.key.as_ref().is_none_or(crate::Key::is_empty);
    let next = match kind {
        Kind::Unauthorized if missing => return Some(format!("it wants a key, and none was sent: set one in {from}")),
        Kind::Unauthorized => return Some(format!("check the key in {from}")),
        Kind::Forbidden => return Some(format!("check what the key in {from} may be used for")),
        Kind::NotFound => "`s2s models` lists names; check base_url if all of them fail",
        Kind::SpendLimit => "add credit or choose another model with --model",
        Kind::RateLimited => "wait, let fewer calls run at once, or choose another model with --model",
        Kind::Overloaded | Kind::Server => "try again later, or choose another model with --model",
        Kind::TooLong => "shorten the topic or CONTEXT.md, or choose a model with a larger context",
        Kind::Rejected => "check what is set for this model: its name, effort, temperature and base_url",
        Kind::Filtered => "word the topic differently, or choose another model with --model",
        Kind::Redirected => "set base_url to the address it leads to, if you trust it with your key",
        Kind::Malformed => "check `api` and base_url of this provider",
        Kind::Timeout => "allow more time, or choose a faster model with --model",
        Kind::Idle => "try again, or allow longer silence if the model thinks long",
        Kind::Cut => "try again; if it stays so, look for a proxy that cuts long answers",
        Kind::Empty => "try again, or choose another model with --model",
        Kind::Oversize => "choose another model with --model: this one does not stop",
        _ => return None,
    };
    Some(next.to_owned())
}
