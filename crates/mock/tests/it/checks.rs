//! What a real server would not take, this one does not take either.

use s2s_mock::{Format, Plan, Server};
use serde_json::{Value, json};

use crate::client::{Line, access, ask, body, path, post};

async fn refused(format: Format, headers: &str, body: &Value) -> (u16, Value) {
    let server = Server::start(Plan::calm()).await.unwrap();
    let got = post(server.url(), path(format), headers, body.to_string().as_bytes()).await;
    (got.status, got.json())
}

async fn without(format: Format, field: &str) -> (u16, Value) {
    let mut body = body(format, "S", "U");
    body.as_object_mut().unwrap().remove(field);
    refused(format, access(format), &body).await
}

#[tokio::test]
async fn a_call_without_a_key_gets_the_providers_own_refusal() {
    let none = |format| async move { refused(format, "", &body(format, "S", "U")).await };
    let (status, said) = none(Format::Anthropic).await;
    assert_eq!((status, &said["type"], &said["error"]["type"]), (401, &json!("error"), &json!("authentication_error")));
    for format in [Format::OpenAi, Format::Responses] {
        let (status, said) = none(format).await;
        assert_eq!((status, &said["error"]["code"]), (401, &json!("invalid_api_key")));
    }
    let (status, said) = none(Format::Gemini).await;
    assert_eq!((status, &said["error"]["status"]), (403, &json!("PERMISSION_DENIED")));
    let server = Server::start(Plan::calm()).await.unwrap();
    let asked = body(Format::Ollama, "S", "U").to_string();
    assert_eq!(
        post(server.url(), path(Format::Ollama), "", asked.as_bytes()).await.status,
        200,
        "Ollama asks for none"
    );
}

#[tokio::test]
async fn the_key_of_another_provider_is_no_key() {
    let bearer = access(Format::OpenAi);
    assert_eq!(refused(Format::Gemini, bearer, &body(Format::Gemini, "S", "U")).await.0, 403);
    let google = access(Format::Gemini);
    assert_eq!(refused(Format::OpenAi, google, &body(Format::OpenAi, "S", "U")).await.0, 401);
    assert_eq!(refused(Format::Anthropic, google, &body(Format::Anthropic, "S", "U")).await.0, 401);
}

#[tokio::test]
async fn a_wrong_key_is_refused_and_noted() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let asked = body(Format::Gemini, "S", "U").to_string();
    let got = post(server.url(), path(Format::Gemini), "x-goog-api-key: wrong-1\r\n", asked.as_bytes()).await;
    assert_eq!(got.status, 400, "Gemini calls it a wrong argument");
    assert_eq!(got.json()["error"]["details"][0]["reason"], "API_KEY_INVALID");
    let asked = body(Format::OpenAi, "S", "U").to_string();
    let got = post(server.url(), path(Format::OpenAi), "authorization: Bearer wrong-2\r\n", asked.as_bytes()).await;
    assert_eq!(got.status, 401);
    let seen = server.calls();
    assert_eq!(seen.iter().map(|seen| seen.outcome).collect::<Vec<_>>(), ["wrong_key", "wrong_key"]);
    assert_eq!(seen[1].key(), Some("wrong-2"));
}

#[tokio::test]
async fn a_plan_without_keys_asks_for_none() {
    let server = Server::start(Plan::calm().without_keys()).await.unwrap();
    let asked = body(Format::OpenAi, "S", "U").to_string();
    assert_eq!(post(server.url(), path(Format::OpenAi), "", asked.as_bytes()).await.status, 200);
}

#[tokio::test]
async fn anthropic_wants_its_version_and_a_limit() {
    let asked = body(Format::Anthropic, "S", "U");
    let (status, said) = refused(Format::Anthropic, "x-api-key: k\r\n", &asked).await;
    assert_eq!((status, &said["error"]["type"]), (400, &json!("invalid_request_error")));
    let (status, said) = without(Format::Anthropic, "max_tokens").await;
    assert_eq!((status, &said["error"]["message"]), (400, &json!("max_tokens: Field required")));
    let mut asked = asked;
    asked["messages"][0]["role"] = json!("system");
    assert_eq!(refused(Format::Anthropic, access(Format::Anthropic), &asked).await.0, 400);
}

#[tokio::test]
async fn a_missing_prompt_is_named() {
    let (status, said) = without(Format::OpenAi, "messages").await;
    assert_eq!((status, &said["error"]["param"]), (400, &json!("messages")));
    assert_eq!(without(Format::Responses, "input").await.1["error"]["param"], "input");
    assert_eq!(without(Format::Gemini, "contents").await.1["error"]["status"], "INVALID_ARGUMENT");
    assert_eq!(without(Format::Ollama, "messages").await.0, 400);
}

#[tokio::test]
async fn a_body_that_is_no_json_is_refused() {
    let server = Server::start(Plan::calm()).await.unwrap();
    for format in Format::ALL {
        let got = post(server.url(), path(format), access(format), b"{\"model\": ").await;
        assert_eq!(got.status, 400, "{format:?}");
        assert!(got.json().get("error").is_some(), "{format:?}");
    }
    assert!(server.calls().iter().all(|seen| seen.outcome == "bad_request" && seen.body.is_null()));
}

#[tokio::test]
async fn a_model_that_is_not_there_is_not_found() {
    let server = Server::start(Plan::calm()).await.unwrap();
    for format in Format::ALL {
        let mut asked = body(format, "S", "U");
        asked["model"] = json!("no-such-model");
        let path = path(format).replace("mock-large", "no-such-model");
        let got = post(server.url(), &path, access(format), asked.to_string().as_bytes()).await;
        assert_eq!(got.status, 404, "{format:?}");
        assert!(got.text().contains("no-such-model"), "{format:?}");
    }
}

#[tokio::test]
async fn openai_holds_a_strict_schema_to_its_rules() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let loose = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] });
    let shape = json!({ "type": "json_schema", "name": "answer", "strict": true, "schema": loose });
    let mut asked = body(Format::Responses, "S", "U");
    asked["text"] = json!({ "format": shape });
    let got = ask(&server, Format::Responses, &asked).await;
    assert_eq!((got.status, &got.json()["error"]["param"]), (400, &json!("text.format")));
    let mut asked = body(Format::OpenAi, "S", "U");
    asked["response_format"] = json!({ "type": "json_schema", "json_schema": shape });
    let got = ask(&server, Format::OpenAi, &asked).await;
    assert!(got.json()["error"]["message"].as_str().unwrap().contains("'additionalProperties' is required"));
    asked["response_format"]["json_schema"]["strict"] = json!(false);
    assert_eq!(ask(&server, Format::OpenAi, &asked).await.status, 200);
}

#[tokio::test]
async fn requests_come_in_pieces_in_chunks_and_one_after_the_other() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let mut line = Line::open(server.url()).await;
    let asked = body(Format::Ollama, "S", "Say one word.").to_string();
    let (first, rest) = asked.split_at(20);
    let head = "POST /api/chat HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n";
    line.raw(head.as_bytes()).await;
    line.more().await;
    assert!(line.arrived().starts_with(b"HTTP/1.1 100 Continue\r\n\r\n"));
    line.raw(format!("{:x}\r\n{first}\r\n", first.len()).as_bytes()).await;
    line.raw(format!("{:x}\r\n{rest}\r\n0\r\n\r\n", rest.len()).as_bytes()).await;
    let mut got = line.receive_after_continue().await;
    assert_eq!(got.said(Format::Ollama), "OK");
    for _ in 0..3 {
        line.send("POST", "/api/chat", "", asked.as_bytes()).await;
        got = line.receive().await;
        assert_eq!(got.status, 200);
    }
    assert_eq!((server.counters().connections, server.counters().calls), (1, 4));
}

#[tokio::test]
async fn a_path_nobody_knows_says_where_to_look() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let got = post(server.url(), "/v1/embeddings", access(Format::OpenAi), b"{}").await;
    assert_eq!(got.status, 404);
    assert!(got.text().contains("docs/mock-server.md"));
    let mut line = Line::open(server.url()).await;
    line.raw(b"not http at all\r\n\r\n").await;
    assert_eq!(line.receive().await.status, 400);
}
