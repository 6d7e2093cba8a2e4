//! Answers that are no success, sorted by what can be done about them.

use std::time::Duration;

use s2s_models::{Api, Endpoint, FaultKind as Kind, HttpProvider, Provider};

use crate::server::{Server, answer, ask, client, endpoint, question};

const JSON: &str = "content-type: application/json\r\n";

/// An error in the words of each format.
fn error(api: Api, kind: &str, message: &str) -> String {
    match api {
        Api::Anthropic => {
            format!(r#"{{"type":"error","error":{{"type":"{kind}","message":"{message}"}},"request_id":"req_1"}}"#)
        }
        Api::OpenAi | Api::OpenAiResponses => {
            format!(r#"{{"error":{{"message":"{message}","type":"{kind}","param":null,"code":"{kind}"}}}}"#)
        }
        Api::Gemini => format!(r#"{{"error":{{"code":0,"message":"{message}","status":"{kind}"}}}}"#),
        Api::Ollama => format!(r#"{{"error":"{message}"}}"#),
    }
}

#[tokio::test]
async fn statuses_are_sorted_alike_for_all() {
    for api in Api::ALL {
        for (status, kind) in [
            (400, Kind::Rejected),
            (401, Kind::Unauthorized),
            (402, Kind::SpendLimit),
            (403, Kind::Forbidden),
            (404, Kind::NotFound),
            (405, Kind::Rejected),
            (408, Kind::Server),
            (409, Kind::Server),
            (413, Kind::TooLong),
            (422, Kind::Rejected),
            (429, Kind::RateLimited),
            (500, Kind::Server),
            (502, Kind::Server),
            (503, Kind::Overloaded),
            (504, Kind::Server),
            (529, Kind::Overloaded),
        ] {
            let body = error(api, "some_error", "Not today.");
            let fault = ask(api, answer(status, JSON, body.as_bytes())).await.unwrap_err();
            assert_eq!(fault.kind, kind, "{api:?} {status}");
            assert_eq!(fault.what, format!("acme answered {status}: Not today."));
            assert_eq!(fault.retry_after, None);
        }
    }
}

#[tokio::test]
async fn words_tell_what_a_status_does_not() {
    for (api, status, name, message, kind) in [
        (Api::OpenAi, 429, "insufficient_quota", "You exceeded your current quota.", Kind::SpendLimit),
        (Api::OpenAi, 429, "rate_limit_exceeded", "Rate limit reached for requests.", Kind::RateLimited),
        (
            Api::OpenAi,
            429,
            "rate_limit_exceeded",
            "Need more tokens? See https://host/settings/billing",
            Kind::RateLimited,
        ),
        (Api::Gemini, 400, "FAILED_PRECONDITION", "Billing is not enabled for this project.", Kind::SpendLimit),
        (Api::Ollama, 429, "", "you've reached your usage limit, please upgrade to continue", Kind::SpendLimit),
        (Api::OpenAi, 429, "billing_hard_limit_reached", "Billing hard limit.", Kind::SpendLimit),
        (Api::OpenAi, 400, "context_length_exceeded", "maximum context length is 8192 tokens", Kind::TooLong),
        (Api::OpenAi, 400, "content_filter", "The response was filtered.", Kind::Filtered),
        (Api::OpenAi, 403, "", "Key limit exceeded (total limit).", Kind::SpendLimit),
        (Api::OpenAiResponses, 400, "invalid_request_error", "Your input exceeds the context window.", Kind::TooLong),
        (
            Api::Anthropic,
            400,
            "invalid_request_error",
            "prompt is too long: 250000 tokens > 200000 maximum",
            Kind::TooLong,
        ),
        (Api::Anthropic, 400, "invalid_request_error", "Your credit balance is too low.", Kind::SpendLimit),
        (
            Api::Anthropic,
            400,
            "invalid_request_error",
            "You have reached your specified API usage limits.",
            Kind::SpendLimit,
        ),
        (Api::Anthropic, 400, "invalid_request_error", "max_tokens: must be at least 1", Kind::Rejected),
        (
            Api::Anthropic,
            429,
            "rate_limit_error",
            "would exceed your rate limit of 50,000 input tokens per minute",
            Kind::RateLimited,
        ),
        (Api::Anthropic, 413, "request_too_large", "Request too large.", Kind::TooLong),
        (
            Api::Gemini,
            400,
            "INVALID_ARGUMENT",
            "The input token count exceeds the maximum number of tokens",
            Kind::TooLong,
        ),
        (Api::Gemini, 400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", Kind::Unauthorized),
        (Api::Ollama, 400, "", "input is too long for the context length", Kind::TooLong),
    ] {
        let fault = ask(api, answer(status, JSON, error(api, name, message).as_bytes())).await.unwrap_err();
        assert_eq!(fault.kind, kind, "{api:?} {status} {message}");
    }
}

#[tokio::test]
async fn gemini_quotas_of_a_minute_pass_and_those_of_a_day_do_not() {
    for (quota, kind) in [("PerMinutePerProject", Kind::RateLimited), ("PerDayPerProject", Kind::SpendLimit)] {
        let body = format!(
            r#"[{{"error":{{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.",
            "status":"RESOURCE_EXHAUSTED","details":[
            {{"@type":"QuotaFailure","violations":[{{"quotaId":"GenerateRequests{quota}"}}]}},
            {{"@type":"RetryInfo","retryDelay":"34.5s"}}]}}}}]"#
        );
        let fault = ask(Api::Gemini, answer(429, JSON, body.as_bytes())).await.unwrap_err();
        assert_eq!(fault.kind, kind);
        assert_eq!(fault.retry_after, Some(Duration::from_millis(34_500)));
    }
}

#[tokio::test]
async fn waits_are_taken_from_the_headers() {
    let date = "date: Sun, 15 Nov 2026 08:00:00 GMT\r\n";
    for (headers, expected) in [
        ("retry-after: 7\r\n".to_owned(), Some(7_000)),
        ("retry-after-ms: 250\r\nretry-after: 7\r\n".to_owned(), Some(250)),
        (format!("{date}retry-after: Sun, 15 Nov 2026 08:01:00 GMT\r\n"), Some(60_000)),
        ("retry-after: 99999\r\n".to_owned(), Some(3_600_000)),
        ("retry-after: soon\r\n".to_owned(), None),
        ("retry-after: -1\r\n".to_owned(), None),
        (String::new(), None),
    ] {
        for status in [429, 503, 529] {
            let act = answer(status, &headers, b"{}");
            let fault = ask(Api::Anthropic, act).await.unwrap_err();
            assert_eq!(fault.retry_after, expected.map(Duration::from_millis), "{headers}");
        }
    }
}

#[tokio::test]
async fn bodies_of_any_kind_are_shown_on_one_line() {
    let long = format!(r#"{{"error":{{"message":"{}"}}}}"#, "word ".repeat(10_000));
    for (body, expected) in [
        (
            "<html><head><TITLE>502 Bad\n Gateway</TITLE></head><body>…</body></html>",
            "answered 502: an HTML page, \"502 Bad\\n Gateway\"",
        ),
        ("<!DOCTYPE html><p>no title", "answered 502: an HTML page"),
        ("upstream\r\n\tconnect \u{1b}[31merror\u{202e}", "answered 502: upstream connect [31merror"),
        ("", "answered 502"),
        ("{\"detail\":\"Not ready\"}", "answered 502: Not ready"),
        ("{\"object\":\"error\",\"message\":\"Old\",\"code\":40001}", "answered 502: Old"),
        ("{\"error\":{\"type\":\"odd_error\"}}", "answered 502: odd_error"),
        ("[]", "answered 502: []"),
        ("null", "answered 502"),
    ] {
        let fault = ask(Api::OpenAi, answer(502, "", body.as_bytes())).await.unwrap_err();
        assert_eq!(fault.what, format!("acme {expected}"), "{body}");
    }
    let fault = ask(Api::OpenAi, answer(400, JSON, long.as_bytes())).await.unwrap_err();
    assert!(fault.what.chars().count() <= 341 && fault.what.ends_with('…'), "{}", fault.what);
    let invalid = ask(Api::OpenAi, answer(500, "", b"\xff\xfe broken")).await.unwrap_err();
    assert_eq!(invalid.kind, Kind::Server);
}

#[tokio::test]
async fn every_failure_says_what_to_do() {
    for (status, words) in [
        (401, "check the key in TEST_KEY"),
        (402, "add credit or choose another model with --model"),
        (404, "`s2s models` lists names"),
        (413, "choose a model with a larger context"),
    ] {
        let fault = ask(Api::OpenAi, answer(status, JSON, b"{}")).await.unwrap_err();
        assert!(fault.next.as_ref().is_some_and(|next| next.contains(words)), "{fault:?}");
    }
    let server = Server::start(vec![answer(401, JSON, b"{}")]).await;
    let endpoint = Endpoint { key: None, ..endpoint(Api::OpenAi, &server.url) };
    let provider = HttpProvider::new("acme", endpoint, client()).unwrap();
    let fault = provider.ask(&question(), &|_| ()).await.unwrap_err();
    assert_eq!(fault.next.as_deref(), Some("it wants a key, and none was sent: set one in TEST_KEY"));
}

#[tokio::test]
async fn an_error_with_status_200_is_sorted_by_its_words() {
    for (api, body, kind) in [
        (Api::Anthropic, error(Api::Anthropic, "overloaded_error", "Overloaded"), Kind::Overloaded),
        (Api::Anthropic, error(Api::Anthropic, "authentication_error", "invalid x-api-key"), Kind::Unauthorized),
        (Api::OpenAi, error(Api::OpenAi, "insufficient_quota", "Pay."), Kind::SpendLimit),
        (Api::OpenAi, error(Api::OpenAi, "server_error", "Oh."), Kind::Server),
        (Api::OpenAi, r#"{"error":{"code":429,"message":"Slow."}}"#.to_owned(), Kind::RateLimited),
        (Api::OpenAiResponses, error(Api::OpenAiResponses, "model_not_found", "No."), Kind::NotFound),
        (Api::Gemini, r#"[{"error":{"code":404,"status":"NOT_FOUND","message":"No."}}]"#.to_owned(), Kind::NotFound),
        (Api::Ollama, error(Api::Ollama, "", "model crashed"), Kind::Server),
        (Api::OpenAi, r#"{"choices":[{"message":{"content":"Tea."}}]}"#.to_owned(), Kind::Malformed),
    ] {
        let fault = ask(api, answer(200, JSON, body.as_bytes())).await.unwrap_err();
        assert_eq!(fault.kind, kind, "{api:?} {body} {}", fault.what);
    }
    let page = answer(200, "content-type: text/html\r\n", b"<html><title>Sign in</title></html>");
    let fault = ask(Api::OpenAi, page).await.unwrap_err();
    assert_eq!(fault.kind, Kind::Malformed);
    assert_eq!(fault.what, "acme answered 200, but with no stream: an HTML page, \"Sign in\"");
}

#[tokio::test]
async fn the_providers_name_for_a_failed_call_is_kept() {
    let fault = ask(Api::Anthropic, answer(500, "request-id: req_011\r\n", b"{}")).await.unwrap_err();
    assert_eq!(fault.request_id.as_deref(), Some("req_011"));
    // Without a header the body may have it; where both do, the header is the one a provider's people ask for.
    let body = error(Api::Anthropic, "api_error", "No.");
    let fault = ask(Api::Anthropic, answer(500, JSON, body.as_bytes())).await.unwrap_err();
    assert_eq!(fault.request_id.as_deref(), Some("req_1"));
    let fault = ask(Api::Anthropic, answer(500, "request-id: req_011\r\n", body.as_bytes())).await.unwrap_err();
    assert_eq!(fault.request_id.as_deref(), Some("req_011"));
}
