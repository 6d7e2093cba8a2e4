//! An agent CLI's complaint, sorted by what can be done about it.
//! Is given what it said (text, perhaps an HTTP status); hands on the kind of fault, or none where the words say
//! nothing we know. Deliberately absent: where the text was found.

use crate::FaultKind;

/// Words that say what sort of failure it is; the first line that fits decides, so the surest come first.
const WORDS: &[(FaultKind, &[&str])] = &[
    (
        FaultKind::SpendLimit,
        &[
            "usage limit",
            "session limit",
            "weekly limit",
            "hour limit",
            "spend limit",
            "spending cap",
            "budget",
            "credit balance",
            "insufficient_quota",
            "billing",
            "exhausted your daily",
            "exhausted your capacity",
            "current quota",
        ],
    ),
    (FaultKind::Oversize, &["output token maximum"]),
    (
        FaultKind::TooLong,
        &[
            "prompt is too long",
            "context length",
            "context window",
            "input is too long",
            "maximum context",
            "exceeds the maximum number of tokens",
        ],
    ),
    (
        FaultKind::Unauthorized,
        &[
            "not logged in",
            "/login",
            "codex login",
            "log in",
            "auth method",
            "failed to authenticate",
            "authentication_error",
            "invalid api key",
            "invalid x-api-key",
            "api key not valid",
            "incorrect api key",
            "missing bearer",
            "missing environment variable",
            "unauthorized",
            "token has expired",
            "refresh token",
        ],
    ),
    (FaultKind::Overloaded, &["overloaded", "at capacity", "model is busy"]),
    (FaultKind::RateLimited, &["rate limit", "rate_limit", "too many requests", "resource_exhausted"]),
    (
        FaultKind::NotFound,
        &[
            "selected model",
            "model_not_found",
            "not_found_error",
            "model does not exist",
            "model not found",
            "unknown model",
        ],
    ),
    (
        FaultKind::Filtered,
        &["usage policy", "content filter", "content_filter", "safety", "prohibited_content", "flagged"],
    ),
    (
        FaultKind::Network,
        &[
            "stream disconnected",
            "connection",
            "network",
            "enotfound",
            "econnre",
            "etimedout",
            "fetch failed",
            "lookup address",
            "getaddrinfo",
        ],
    ),
    (FaultKind::Timeout, &["timed out", "timeout"]),
];

/// The kind of fault that these words and this status tell of.
pub(super) fn sort(status: Option<u16>, text: &str) -> Option<FaultKind> {
    let text = text.to_lowercase();
    let by_words = WORDS.iter().find(|(_, words)| words.iter().any(|word| text.contains(word))).map(|(kind, _)| *kind);
    let by_status = status.or_else(|| status_in(&text)).and_then(of_status);
    match (by_status, by_words) {
        // The words know more about these statuses: out of money or just too fast, too long or plainly wrong.
        (Some(FaultKind::RateLimited | FaultKind::Rejected | FaultKind::Forbidden), Some(kind)) => Some(kind),
        (Some(kind), _) => Some(kind),
        (None, by_words) => by_words,
    }
}

/// The kind that an HTTP status stands for.
fn of_status(status: u16) -> Option<FaultKind> {
    match status {
        401 => Some(FaultKind::Unauthorized),
        402 => Some(FaultKind::SpendLimit),
        403 => Some(FaultKind::Forbidden),
        404 => Some(FaultKind::NotFound),
        408 | 409 => Some(FaultKind::Server),
        413 => Some(FaultKind::TooLong),
        429 => Some(FaultKind::RateLimited),
        503 | 529 => Some(FaultKind::Overloaded),
        400..=499 => Some(FaultKind::Rejected),
        500..=599 => Some(FaultKind::Server),
        _ => None,
    }
}

/// An HTTP status named in lower-case text, as in `status 401`, `status: 429`, `api error: 529` or `"code":401`.
fn status_in(text: &str) -> Option<u16> {
    ["status", "error", "code", "rejected"].iter().find_map(|word| {
        text.match_indices(word).find_map(|(at, word)| {
            let rest = text[at + word.len()..].trim_start_matches([' ', ':', '"', '(', '=']);
            let digits = rest.find(|c: char| !c.is_ascii_digit()).map_or(rest, |end| &rest[..end]);
            (digits.len() == 3).then(|| digits.parse().ok()).flatten().filter(|n| (400..=599).contains(n))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_real_clis_said_is_sorted() {
        use FaultKind::{
            Network, NotFound, Overloaded, Oversize, RateLimited, Rejected, SpendLimit, TooLong, Unauthorized,
        };
        let said = [
            (None, "Not logged in · Please run /login", Some(Unauthorized)),
            (Some(401), "Failed to authenticate. API Error: 401 made up", Some(Unauthorized)),
            (Some(429), "API Error: Request rejected (429) · made up", Some(RateLimited)),
            (Some(529), "API Error: 529 overloaded_error. This is a server-side issue", Some(Overloaded)),
            (Some(404), "There's an issue with the selected model (x). It may not exist", Some(NotFound)),
            (Some(400), "API Error: 400 made up invalid_request_error", Some(Rejected)),
            (Some(400), "Prompt is too long", Some(TooLong)),
            (Some(429), "You've hit your session limit · resets 3pm", Some(SpendLimit)),
            (Some(400), "Your credit balance is too low to access the API", Some(SpendLimit)),
            (None, "API Error: Claude's response exceeded the 64000 output token maximum.", Some(Oversize)),
            (None, "unexpected status 401 Unauthorized: made up, url: http://127.0.0.1/v1", Some(Unauthorized)),
            (None, "exceeded retry limit, last status: 429 Too Many Requests", Some(RateLimited)),
            (None, "You've hit your usage limit. Upgrade to Pro or try again in 2 hours", Some(SpendLimit)),
            (None, "stream disconnected before completion: failed to lookup address information", Some(Network)),
            (None, "Please set an Auth method in your settings.json or specify one of", Some(Unauthorized)),
            (None, "[API Error: {\"error\":{\"code\":401,\"status\":\"x\"}}]", Some(Unauthorized)),
            (None, "it did not work", None),
        ];
        for (status, text, kind) in said {
            assert_eq!(sort(status, text), kind, "{text}");
        }
    }
}
