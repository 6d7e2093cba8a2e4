//! Each act, in each format, as a real server does it.

use s2s_mock::{Act, Format, Plan, Server, Wait, WrongUsage};
use serde_json::{Value, json};

use crate::client::{Ended, Got, Line, access, ask, body, call, path, post};

async fn with(act: Act) -> Server {
    Server::start(Plan::calm().always(act)).await.unwrap()
}

async fn one(act: Act, format: Format) -> Got {
    call(&with(act).await, format).await
}

fn last(got: &Got) -> Value {
    got.events().pop().unwrap_or_else(|| panic!("no event in {}", got.text()))
}

#[tokio::test]
async fn a_status_comes_with_the_providers_own_body() {
    for status in [400, 401, 403, 404, 408, 413, 422, 500, 503, 504, 529] {
        for format in Format::ALL {
            let got = one(Act::Status(status), format).await;
            assert_eq!((got.status, got.ended), (status, Ended::Whole), "{format:?}");
            let said = got.json();
            let kept = match format {
                Format::Anthropic => said["type"] == "error" && said["error"]["type"].is_string(),
                Format::OpenAi | Format::Responses => said["error"]["type"].is_string(),
                Format::Gemini => said["error"]["code"] == status && said["error"]["status"].is_string(),
                Format::Ollama => said["error"].is_string(),
            };
            assert!(kept, "{format:?} {status}: {said}");
        }
    }
    let overloaded = one(Act::Status(529), Format::Anthropic).await.json();
    assert_eq!(overloaded["error"]["type"], "overloaded_error");
}

#[tokio::test]
async fn a_502_is_a_page_of_html() {
    let got = one(Act::Status(502), Format::OpenAi).await;
    assert_eq!((got.status, got.headers["content-type"].as_str()), (502, "text/html"));
    assert!(got.text().starts_with("<html>"));
}

#[tokio::test]
async fn a_429_says_when_to_come_back_in_many_ways() {
    let header = async |wait: Wait, name: &str| {
        let got = one(Act::RateLimit(wait), Format::Anthropic).await;
        assert_eq!((got.status, &got.json()["error"]["type"]), (429, &json!("rate_limit_error")));
        got.headers.get(name).cloned()
    };
    assert_eq!(header(Wait::Unsaid, "retry-after").await, None);
    assert_eq!(header(Wait::Seconds(7), "retry-after").await.unwrap(), "7");
    assert_eq!(header(Wait::Millis(70), "retry-after-ms").await.unwrap(), "70");
    assert!(header(Wait::Date(7), "retry-after").await.unwrap().ends_with(" GMT"));
    assert!(header(Wait::Nonsense, "retry-after").await.unwrap().parse::<f64>().is_err());
    let gemini = one(Act::RateLimit(Wait::Seconds(7)), Format::Gemini).await.json();
    assert_eq!(gemini["error"]["details"][0]["retryDelay"], "7s");
}

#[tokio::test]
async fn spent_money_is_told_from_too_many_calls() {
    for format in Format::ALL {
        assert_eq!(one(Act::SpendLimit, format).await.status, 429);
    }
    assert_eq!(one(Act::SpendLimit, Format::OpenAi).await.json()["error"]["code"], "insufficient_quota");
    assert!(one(Act::SpendLimit, Format::Anthropic).await.text().contains("Billing"));
    assert_eq!(one(Act::NoCredit, Format::Anthropic).await.status, 400);
    assert_eq!(one(Act::NoCredit, Format::OpenAi).await.status, 402);
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_a_400_that_says_so() {
    let got = one(Act::TooLong, Format::OpenAi).await;
    assert_eq!((got.status, &got.json()["error"]["code"]), (400, &json!("context_length_exceeded")));
    assert!(one(Act::TooLong, Format::Anthropic).await.text().contains("prompt is too long"));
}

#[tokio::test]
async fn an_error_comes_with_200_or_in_midstream() {
    for format in Format::ALL {
        let got = one(Act::ErrorBody, format).await;
        assert_eq!((got.status, got.headers["content-type"].as_str()), (200, "application/json"));
        assert!(got.json().get("error").is_some(), "{format:?}");
        let server = Server::start(Plan::calm().piece_bytes(9).always(Act::ErrorInStream)).await.unwrap();
        let got = ask(&server, format, &body(format, "# QA Lead", "```yaml\nposition: \"x\"\n```\n")).await;
        assert_eq!((got.status, got.ended), (200, Ended::Whole), "{format:?}");
        assert!(!got.said(format).is_empty(), "{format:?} begins to answer");
        let failed = last(&got);
        let known = match format {
            Format::Responses => failed["type"] == "response.failed" && failed["response"]["error"].is_object(),
            _ => failed.get("error").is_some(),
        };
        assert!(known, "{format:?}: {failed}");
    }
}

#[tokio::test]
async fn connections_end_before_the_first_byte() {
    assert_eq!(one(Act::CloseAtOnce, Format::OpenAi).await.ended, Ended::Cut);
    let got = one(Act::Reset, Format::OpenAi).await;
    assert_eq!((got.status, got.ended), (0, Ended::Reset));
}

#[tokio::test]
async fn streams_end_where_they_must_not() {
    for format in Format::ALL {
        let server = Server::start(Plan::calm().piece_bytes(1).always(Act::CutConnection)).await.unwrap();
        assert_eq!(call(&server, format).await.ended, Ended::Cut, "{format:?}");

        let got = one(Act::CutInCharacter, format).await;
        assert_eq!((got.ended, got.body.last()), (Ended::Whole, Some(&0xc3)), "{format:?}");
        assert!(String::from_utf8(got.body).is_err());

        let server = Server::start(Plan::calm().piece_bytes(1).always(Act::CutInJson)).await.unwrap();
        let got = call(&server, format).await;
        assert_eq!(got.ended, Ended::Whole, "{format:?}");
        let text = got.text();
        let line = text.lines().last().unwrap();
        let json = line.strip_prefix("data: ").unwrap_or(line);
        assert!(json.starts_with('{') && serde_json::from_str::<Value>(json).is_err(), "{format:?}: {line}");
    }
}

#[tokio::test]
async fn a_stream_without_its_end_mark_has_all_of_its_text() {
    for format in Format::ALL {
        let got = one(Act::NoEndMark, format).await;
        assert_eq!((got.ended, got.said(format).as_str()), (Ended::Whole, "OK"), "{format:?}");
        let text = got.text();
        for mark in
            ["message_stop", "[DONE]", "response.completed", "finishReason", "\"done\":true", "stop_reason\":\"end"]
        {
            assert!(!text.contains(mark), "{format:?} holds {mark}");
        }
    }
}

#[tokio::test]
async fn keep_alives_go_on_and_carry_nothing() {
    for format in Format::ALL {
        let server = with(Act::KeepAliveOnly { every_ms: 1 }).await;
        let mut line = Line::open(server.url()).await;
        line.send("POST", path(format), access(format), body(format, "S", "U").to_string().as_bytes()).await;
        while line.arrived().len() < 1500 {
            assert_eq!(line.more().await, None, "{format:?}");
        }
        let text = String::from_utf8_lossy(line.arrived()).into_owned();
        assert!(!text.contains("delta") && !text.contains("OK\""), "{format:?}: {text}");
        assert_eq!(server.counters().in_flight, 1);
    }
}

#[tokio::test]
async fn a_drip_is_whole_in_the_end_byte_by_byte() {
    let server = with(Act::Drip { every_ms: 0 }).await;
    let got = call(&server, Format::Ollama).await;
    assert_eq!((got.ended, got.said(Format::Ollama).as_str()), (Ended::Whole, "OK"));
}

#[tokio::test]
async fn a_flood_has_the_size_that_was_asked_for() {
    for format in Format::ALL {
        let got = one(Act::Flood { bytes: 3_000_000 }, format).await;
        assert_eq!(got.ended, Ended::Whole, "{format:?}");
        let said = got.said(format).len();
        assert!((3_000_000..3_040_000).contains(&said), "{format:?}: {said}");
    }
}

#[tokio::test]
async fn a_hundred_megabytes_go_through() {
    let server = with(Act::Flood { bytes: 100_000_000 }).await;
    let mut line = Line::open(server.url()).await;
    let asked = body(Format::OpenAi, "S", "U").to_string();
    line.send(
        "POST",
        path(Format::OpenAi),
        &format!("{}connection: close\r\n", access(Format::OpenAi)),
        asked.as_bytes(),
    )
    .await;
    assert!(line.drain().await > 100_000_000);
}

#[tokio::test]
async fn a_gzip_bomb_is_small_on_the_wire() {
    let got = one(Act::GzipBomb { bytes: 100_000_000 }, Format::Gemini).await;
    assert_eq!(got.headers["content-encoding"], "gzip");
    assert!(got.body.starts_with(&[0x1f, 0x8b]) && got.body.len() < 1_000_000, "{}", got.body.len());
}

#[tokio::test]
async fn a_redirect_leads_elsewhere_and_what_arrives_there_is_noted() {
    let plan = Plan::calm().on_call(1, Act::Redirect);
    let server = Server::start(plan).await.unwrap();
    let got = call(&server, Format::Anthropic).await;
    assert_eq!(got.status, 307);
    let to = &got.headers["location"];
    assert_eq!(*to, format!("{}/v1/messages", server.elsewhere()));
    let asked = body(Format::Anthropic, "S", "U").to_string();
    let (url, path) = to.split_at(server.elsewhere().len());
    post(url, path, access(Format::Anthropic), asked.as_bytes()).await;
    post(url, path, "", asked.as_bytes()).await;
    let seen = server.calls();
    assert_eq!(seen.iter().map(|seen| seen.elsewhere).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!((seen[1].key(), seen[2].key()), (Some("k"), None));
}

#[tokio::test]
async fn nothing_said_is_a_whole_reply_all_the_same() {
    for format in Format::ALL {
        let got = one(Act::Empty, format).await;
        assert_eq!((got.status, got.ended, got.said(format).as_str()), (200, Ended::Whole, ""), "{format:?}");
        let got = one(Act::ReasoningOnly, format).await;
        let text = got.text();
        let thinks =
            ["thinking_delta", "reasoning_content", "reasoning_summary_text", "\"thought\":true", "\"thinking\":"];
        assert!(thinks.iter().any(|mark| text.contains(mark)), "{format:?}");
        assert!(format == Format::Gemini || got.said(format).is_empty(), "{format:?}");
    }
}

#[tokio::test]
async fn each_format_declines_in_its_own_way() {
    let stop = |event: Value, place: &str| event.pointer(place).cloned().unwrap_or_default();
    let anthropic = one(Act::Refusal, Format::Anthropic).await.events();
    assert_eq!(stop(anthropic[anthropic.len() - 2].clone(), "/delta/stop_reason"), "refusal");
    assert!(one(Act::Refusal, Format::OpenAi).await.text().contains("\"delta\":{\"refusal\":\"I can't"));
    assert!(one(Act::Refusal, Format::Responses).await.text().contains("event: response.refusal.delta"));
    let gemini = last(&one(Act::Refusal, Format::Gemini).await);
    assert_eq!(stop(gemini, "/candidates/0/finishReason"), "SAFETY");
}

#[tokio::test]
async fn filter_and_length_are_told() {
    for (act, expected) in [
        (Act::Filter, ["refusal", "content_filter", "content_filter", "PROHIBITED_CONTENT", "stop"]),
        (Act::Length, ["max_tokens", "length", "max_output_tokens", "MAX_TOKENS", "length"]),
    ] {
        for (format, mark) in Format::ALL.into_iter().zip(expected) {
            let text = one(act.clone(), format).await.text();
            assert!(text.contains(&format!("\"{mark}\"")), "{format:?} {act:?}: {text}");
        }
    }
    assert_eq!(last(&one(Act::Length, Format::Responses).await)["type"], "response.incomplete");
    assert_eq!(last(&one(Act::Filter, Format::Gemini).await)["promptFeedback"]["blockReason"], "PROHIBITED_CONTENT");
}

#[tokio::test]
async fn usage_can_be_missing_negative_huge_or_a_text() {
    let figures = async |wrong: WrongUsage, format: Format| one(Act::WrongUsage(wrong), format).await.text();
    for format in Format::ALL {
        let names = ["output_tokens", "completion_tokens", "output_tokens", "promptTokenCount", "eval_count"];
        let name = names[Format::ALL.iter().position(|one| *one == format).unwrap()];
        assert!(!figures(WrongUsage::Missing, format).await.contains(&format!("\"{name}\":")), "{format:?}");
        assert!(figures(WrongUsage::Negative, format).await.contains(&format!("\"{name}\":-")), "{format:?}");
        assert!(figures(WrongUsage::Huge, format).await.contains(&format!("\"{name}\":18446744073709551615")));
        assert!(figures(WrongUsage::Texts, format).await.contains(&format!("\"{name}\":\"")), "{format:?}");
    }
}

#[tokio::test]
async fn a_call_that_hangs_ends_with_its_client() {
    for act in [Act::Hang, Act::Stall] {
        let server = with(act).await;
        let mut line = Line::open(server.url()).await;
        line.send("POST", "/api/chat", "", body(Format::Ollama, "S", "U").to_string().as_bytes()).await;
        while server.counters().in_flight == 0 {
            tokio::task::yield_now().await;
        }
        drop(line);
        while server.counters().abandoned == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(server.counters().in_flight, 0);
    }
}

#[tokio::test]
async fn faults_of_streams_also_break_whole_bodies() {
    for act in [Act::CutInJson, Act::CutInCharacter, Act::NoEndMark, Act::CutConnection] {
        let server = with(act.clone()).await;
        let mut asked = body(Format::OpenAi, "S", "U");
        asked["stream"] = json!(false);
        let got = ask(&server, Format::OpenAi, &asked).await;
        assert!(serde_json::from_slice::<Value>(&got.body).is_err(), "{act:?}: {}", got.text());
    }
}
