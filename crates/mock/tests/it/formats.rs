//! Each format says the same thing in its own way: streamed, whole, with its headers, usage and lists.

use s2s_mock::{Format, Plan, Server};
use serde_json::{Value, json};

use crate::client::{Ended, access, ask, body, call, get, post};

fn types(events: &[Value]) -> Vec<&str> {
    let mut names: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    names.dedup();
    names
}

#[tokio::test]
async fn every_format_streams_a_whole_reply() {
    let plan = Plan::calm().piece_bytes(5);
    let server = Server::start(Format::ALL.iter().fold(plan, |plan, _| plan.say("Grüße, one and all."))).await.unwrap();
    for format in Format::ALL {
        let got = call(&server, format).await;
        assert_eq!((got.status, got.ended), (200, Ended::Whole), "{format:?}");
        assert_eq!(got.said(format), "Grüße, one and all.", "{format:?}");
        assert!(got.events().len() > 4, "{format:?} comes in pieces");
    }
    let seen = server.calls();
    assert!(seen.iter().all(|seen| seen.outcome == "say" && seen.model == "mock-large"));
    assert_eq!(seen.iter().map(|seen| seen.format).collect::<Vec<_>>(), Format::ALL);
}

#[tokio::test]
async fn anthropic_has_its_events_in_order() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let mut asked = body(Format::Anthropic, "S", "Say one word.");
    asked["thinking"] = json!({ "type": "enabled", "budget_tokens": 1024 });
    let got = ask(&server, Format::Anthropic, &asked).await;
    let events = got.events();
    let expected = [
        "message_start",
        "content_block_start",
        "ping",
        "content_block_delta",
        "content_block_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    assert_eq!(types(&events), expected);
    let deltas: Vec<&str> = events.iter().filter_map(|event| event["delta"]["type"].as_str()).collect();
    assert_eq!(deltas.first(), Some(&"thinking_delta"));
    assert!(deltas.contains(&"signature_delta") && deltas.ends_with(&["text_delta"]));
    assert_eq!(events[events.len() - 2]["delta"]["stop_reason"], "end_turn");
    assert!(events[events.len() - 2]["usage"]["output_tokens"].as_u64().unwrap() > 1);
    assert!(got.text().starts_with("event: message_start\ndata: {"));
    assert_eq!(got.headers["request-id"], "req_mock000000000001");
    assert!(got.headers.contains_key("anthropic-ratelimit-requests-remaining"));
}

#[tokio::test]
async fn openai_sends_usage_only_if_asked_and_then_done() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let mut asked = body(Format::OpenAi, "S", "Say one word.");
    let got = ask(&server, Format::OpenAi, &asked).await;
    let events = got.events();
    let [.., finish, usage, done] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(finish["choices"][0]["finish_reason"], "stop");
    assert_eq!(finish["usage"], Value::Null);
    assert_eq!((&usage["choices"], &usage["usage"]["prompt_tokens"]), (&json!([]), &json!(4)));
    assert_eq!(*done, json!("[DONE]"));
    assert!(got.headers["x-request-id"].starts_with("mock-"));
    asked["stream_options"] = Value::Null;
    let events = ask(&server, Format::OpenAi, &asked).await.events();
    assert!(events.iter().all(|event| event.get("usage").is_none()));
}

#[tokio::test]
async fn responses_numbers_its_events_and_completes() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let events = call(&server, Format::Responses).await.events();
    let numbers: Vec<u64> = events.iter().map(|event| event["sequence_number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..events.len() as u64).collect::<Vec<_>>());
    let expected = [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ];
    assert_eq!(types(&events), expected);
    let last = &events[events.len() - 1]["response"];
    assert_eq!(last["output"][0]["content"][0]["text"], "OK");
    assert_eq!(last["usage"]["output_tokens"], 1);
}

#[tokio::test]
async fn gemini_ends_lines_with_carriage_returns_and_says_stop() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let got = call(&server, Format::Gemini).await;
    assert!(got.text().ends_with("}\r\n\r\n"));
    let events = got.events();
    let last = &events[events.len() - 1];
    assert_eq!(last["candidates"][0]["finishReason"], "STOP");
    assert_eq!(last["usageMetadata"]["totalTokenCount"], json!(7));
    let array = "/v1beta/models/mock-large:streamGenerateContent";
    let asked = body(Format::Gemini, "S", "Say one word.").to_string();
    let got = post(server.url(), array, access(Format::Gemini), asked.as_bytes()).await;
    assert_eq!(got.json()[0]["candidates"][0]["content"]["parts"][0]["text"], "OK");
}

#[tokio::test]
async fn ollama_says_done_with_its_counts() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let got = call(&server, Format::Ollama).await;
    assert_eq!(got.headers["content-type"], "application/x-ndjson");
    let events = got.events();
    let last = &events[events.len() - 1];
    assert_eq!((&last["done"], &last["done_reason"]), (&json!(true), &json!("stop")));
    assert!(last["prompt_eval_count"].is_u64() && last["eval_count"].is_u64());
}

#[tokio::test]
async fn every_format_answers_whole_as_well() {
    let server = Server::start(Plan::calm()).await.unwrap();
    for format in Format::ALL {
        let mut asked = body(format, "S", "Say one word.");
        asked["stream"] = json!(false);
        let path = crate::client::path(format).replace("streamGenerateContent?alt=sse", "generateContent");
        let got = post(server.url(), &path, access(format), asked.to_string().as_bytes()).await.json();
        let text = match format {
            Format::Anthropic => &got["content"][0]["text"],
            Format::OpenAi => &got["choices"][0]["message"]["content"],
            Format::Responses => &got["output"][0]["content"][0]["text"],
            Format::Gemini => &got["candidates"][0]["content"]["parts"][0]["text"],
            Format::Ollama => &got["message"]["content"],
        };
        assert_eq!(text, "OK", "{format:?}: {got}");
    }
}

#[tokio::test]
async fn every_format_lists_its_models() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let list = async |path: &str, headers: &str| get(server.url(), path, headers).await.json();
    assert_eq!(list("/v1/models", access(Format::Anthropic)).await["data"][0]["type"], "model");
    assert_eq!(list("/v1/models", access(Format::OpenAi)).await["object"], "list");
    assert_eq!(list("/v1beta/models", access(Format::Gemini)).await["models"][0]["name"], "models/mock-large");
    assert_eq!(list("/api/tags", "").await["models"][1]["name"], "mock-small:latest");
    assert_eq!(get(server.url(), "/v1/models", "").await.status, 401);
    assert_eq!(server.counters().calls, 0, "lists are no calls");
}

#[tokio::test]
async fn a_prompt_met_before_is_read_from_the_cache() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let system = "A long rule. ".repeat(1000);
    let cached = async |format: Format, path: &str, key: &str| {
        let events = ask(&server, format, &body(format, &system, "Say one word.")).await.events();
        let found = events.iter().rev().find_map(|event| event.pointer(path)?.get(key)?.as_u64());
        found.unwrap_or_default()
    };
    let places = [
        (Format::Anthropic, "/message/usage", "cache_read_input_tokens"),
        (Format::OpenAi, "/usage/prompt_tokens_details", "cached_tokens"),
        (Format::Responses, "/response/usage/input_tokens_details", "cached_tokens"),
        (Format::Gemini, "/usageMetadata", "cachedContentTokenCount"),
    ];
    for (format, path, key) in places {
        let first = cached(format, path, key).await;
        let second = cached(format, path, key).await;
        // The same key and model: the two formats of one provider share a cache.
        assert!(first == 0 || format != Format::Anthropic, "{format:?}: {first}");
        assert!((3000..=3250).contains(&second), "{format:?}: {second}");
    }
}

#[tokio::test]
async fn a_shape_is_kept_in_every_format() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let schema = json!({ "type": "object", "additionalProperties": false, "required": ["word", "sure"],
        "properties": { "word": { "type": "string" }, "sure": { "type": "boolean" } } });
    for format in Format::ALL {
        let mut asked = body(format, "S", "Say one word.");
        match format {
            Format::Anthropic => {
                asked["output_config"] = json!({ "format": { "type": "json_schema", "schema": schema } })
            }
            Format::OpenAi => {
                let shape = json!({ "name": "word", "strict": true, "schema": schema });
                asked["response_format"] = json!({ "type": "json_schema", "json_schema": shape });
            }
            Format::Responses => {
                asked["text"] =
                    json!({ "format": { "type": "json_schema", "name": "word", "strict": true, "schema": schema } });
            }
            Format::Gemini => {
                asked["generationConfig"] =
                    json!({ "responseMimeType": "application/json", "responseJsonSchema": schema });
            }
            Format::Ollama => asked["format"] = schema.clone(),
        }
        let got = ask(&server, format, &asked).await;
        let said: Value =
            serde_json::from_str(&got.said(format)).unwrap_or_else(|_| panic!("{format:?}: {}", got.text()));
        assert_eq!(said, json!({ "word": "", "sure": false }), "{format:?}");
    }
}
