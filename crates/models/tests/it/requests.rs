//! What is sent, field by field, in each format.

use std::sync::Arc;

use s2s_models::{Api, Ask, Effort, Endpoint, HttpProvider, Key, Provider, Shape};
use serde_json::{Value, json};

use crate::samples;
use crate::server::{Asked, SECRET, Server, answer, client, endpoint, header, provider, question, stream};

async fn sent(api: Api, ask: &Ask) -> Asked {
    let server = Server::start(vec![stream(api, &samples::whole(api))]).await;
    provider(api, &server.url).ask(ask, &|_| ()).await.unwrap();
    server.asked()
}

fn body(asked: &Asked) -> Value {
    serde_json::from_str(&asked.body).unwrap()
}

fn schema() -> Value {
    json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false})
}

/// A question with everything set.
fn full() -> Ask {
    let shape = Arc::new(Shape { name: "position".to_owned(), schema: schema() });
    Ask { temperature: Some(0.5), effort: Some(Effort::High), shape: Some(shape), ..question() }
}

#[tokio::test]
async fn anthropic_requests() {
    let asked = sent(Api::Anthropic, &full()).await;
    assert_eq!(asked.line, "POST /v1/messages HTTP/1.1");
    assert_eq!(header(&asked.head, "x-api-key"), Some(SECRET));
    assert_eq!(header(&asked.head, "anthropic-version"), Some("2023-06-01"));
    assert_eq!(header(&asked.head, "authorization"), None);
    let mut expected = json!({
        "model": "model-1",
        "max_tokens": 1000,
        "system": [{"type": "text", "text": "You are blunt.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": "Tea or coffee?"}],
        "temperature": 0.5,
        "output_config": {"effort": "high", "format": {"type": "json_schema", "schema": schema()}},
        "stream": true,
    });
    assert_eq!(body(&asked), expected);
    expected.as_object_mut().unwrap().retain(|name, _| !["temperature", "output_config"].contains(&name.as_str()));
    assert_eq!(body(&sent(Api::Anthropic, &question()).await), expected);
}

#[tokio::test]
async fn openai_requests() {
    let asked = sent(Api::OpenAi, &full()).await;
    assert_eq!(asked.line, "POST /v1/chat/completions HTTP/1.1");
    assert_eq!(header(&asked.head, "authorization"), Some(format!("Bearer {SECRET}").as_str()));
    let mut expected = json!({
        "model": "model-1",
        "messages": [{"role": "system", "content": "You are blunt."}, {"role": "user", "content": "Tea or coffee?"}],
        "max_tokens": 1000,
        "temperature": 0.5,
        "reasoning_effort": "high",
        "response_format": {"type": "json_schema", "json_schema": {"name": "position", "strict": true, "schema": schema()}},
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    assert_eq!(body(&asked), expected);
    let left_out = ["temperature", "reasoning_effort", "response_format"];
    expected.as_object_mut().unwrap().retain(|name, _| !left_out.contains(&name.as_str()));
    assert_eq!(body(&sent(Api::OpenAi, &question()).await), expected);
}

#[tokio::test]
async fn responses_requests() {
    let asked = sent(Api::OpenAiResponses, &full()).await;
    assert_eq!(asked.line, "POST /v1/responses HTTP/1.1");
    let mut expected = json!({
        "model": "model-1",
        "instructions": "You are blunt.",
        "input": [{"role": "user", "content": "Tea or coffee?"}],
        "max_output_tokens": 1000,
        "temperature": 0.5,
        "reasoning": {"effort": "high"},
        "text": {"format": {"type": "json_schema", "name": "position", "strict": true, "schema": schema()}},
        "stream": true,
        "store": false,
    });
    assert_eq!(body(&asked), expected);
    expected.as_object_mut().unwrap().retain(|name, _| !["temperature", "reasoning", "text"].contains(&name.as_str()));
    assert_eq!(body(&sent(Api::OpenAiResponses, &question()).await), expected);
}

#[tokio::test]
async fn gemini_requests() {
    let asked = sent(Api::Gemini, &full()).await;
    assert_eq!(asked.line, "POST /v1beta/models/model-1:streamGenerateContent?alt=sse HTTP/1.1");
    assert_eq!(header(&asked.head, "x-goog-api-key"), Some(SECRET));
    let mut expected = json!({
        "systemInstruction": {"parts": [{"text": "You are blunt."}]},
        "contents": [{"role": "user", "parts": [{"text": "Tea or coffee?"}]}],
        "generationConfig": {
            "maxOutputTokens": 1000,
            "temperature": 0.5,
            "responseMimeType": "application/json",
            "responseJsonSchema": schema(),
            "thinkingConfig": {"thinkingLevel": "high"},
        },
    });
    assert_eq!(body(&asked), expected);
    expected["generationConfig"] = json!({"maxOutputTokens": 1000});
    assert_eq!(body(&sent(Api::Gemini, &question()).await), expected);
    let odd = Ask { model: "models/a/../b?x".to_owned(), ..question() };
    let line = sent(Api::Gemini, &odd).await.line;
    assert_eq!(line, "POST /v1beta/models/a%2F..%2Fb%3Fx:streamGenerateContent?alt=sse HTTP/1.1");
}

#[tokio::test]
async fn ollama_requests() {
    let asked = sent(Api::Ollama, &full()).await;
    assert_eq!(asked.line, "POST /api/chat HTTP/1.1");
    let mut expected = json!({
        "model": "model-1",
        "messages": [{"role": "system", "content": "You are blunt."}, {"role": "user", "content": "Tea or coffee?"}],
        "stream": true,
        "think": "high",
        "format": schema(),
        "options": {"num_predict": 1000, "num_ctx": 8192, "temperature": 0.5},
    });
    assert_eq!(body(&asked), expected);
    expected.as_object_mut().unwrap().retain(|name, _| !["think", "format"].contains(&name.as_str()));
    expected["options"] = json!({"num_predict": 1000, "num_ctx": 8192});
    assert_eq!(body(&sent(Api::Ollama, &question()).await), expected);
    let long = Ask { max_output_tokens: 9000, ..question() };
    assert_eq!(body(&sent(Api::Ollama, &long).await)["options"]["num_ctx"], 16384);
}

#[tokio::test]
async fn an_empty_system_part_is_left_out() {
    let ask =
        Ask { prompt: Arc::new(s2s_models::Prompt { user: "Hi".to_owned(), ..Default::default() }), ..question() };
    for (api, name) in
        [(Api::Anthropic, "system"), (Api::OpenAiResponses, "instructions"), (Api::Gemini, "systemInstruction")]
    {
        assert_eq!(body(&sent(api, &ask).await).get(name), None, "{api:?}");
    }
    for api in [Api::OpenAi, Api::Ollama] {
        assert_eq!(body(&sent(api, &ask).await)["messages"].as_array().unwrap().len(), 1, "{api:?}");
    }
}

#[tokio::test]
async fn every_request_says_who_asks_and_wants_nothing_packed() {
    for api in Api::ALL {
        let head = sent(api, &question()).await.head;
        assert_eq!(header(&head, "user-agent"), Some(concat!("s2s/", env!("CARGO_PKG_VERSION"))), "{api:?}");
        assert_eq!(header(&head, "accept-encoding"), Some("identity"), "{api:?}");
        assert_eq!(header(&head, "content-type"), Some("application/json"), "{api:?}");
    }
}

#[tokio::test]
async fn a_gateway_keeps_its_query_and_gets_its_headers() {
    let server = Server::start(vec![stream(Api::OpenAi, &samples::whole(Api::OpenAi))]).await;
    let endpoint = Endpoint {
        base_url: format!("{}/openai/deployments/x?api-version=2026-01-01", server.url),
        key_header: Some("api-key".to_owned()),
        headers: vec![("X-Team".to_owned(), Key::new("team-7"))],
        ..endpoint(Api::OpenAi, "")
    };
    let provider = HttpProvider::new("azure", endpoint, client()).unwrap();
    provider.ask(&question(), &|_| ()).await.unwrap();
    let asked = server.asked();
    assert_eq!(asked.line, "POST /openai/deployments/x/chat/completions?api-version=2026-01-01 HTTP/1.1");
    assert_eq!(header(&asked.head, "api-key"), Some(SECRET));
    assert_eq!(header(&asked.head, "authorization"), None);
    assert_eq!(header(&asked.head, "x-team"), Some("team-7"));
}

#[tokio::test]
async fn without_a_key_none_is_sent() {
    for api in Api::ALL {
        let server = Server::start(vec![stream(api, &samples::whole(api))]).await;
        let endpoint = Endpoint { key: None, ..endpoint(api, &server.url) };
        let provider = HttpProvider::new("local", endpoint, client()).unwrap();
        provider.ask(&question(), &|_| ()).await.unwrap();
        let head = server.asked().head;
        assert!(!head.contains("authorization") && !head.contains("api-key"), "{api:?}: {head}");
    }
}

#[tokio::test]
async fn models_are_listed_by_name() {
    for (api, path, body) in [
        (
            Api::Anthropic,
            "/v1/models?limit=1000",
            r#"{"data":[{"type":"model","id":"a","display_name":"A"},{"id":"b"}],"has_more":false}"#,
        ),
        (Api::OpenAi, "/v1/models", r#"{"object":"list","data":[{"id":"a","name":"An A"},{"id":"b"}]}"#),
        (Api::OpenAiResponses, "/v1/models", r#"{"object":"list","data":[{"id":"a"},{"id":"b"}]}"#),
        (
            Api::Gemini,
            "/v1beta/models?pageSize=1000",
            r#"{"models":[{"name":"models/a","version":"1"},{"name":"models/b"}]}"#,
        ),
        (Api::Ollama, "/api/tags", r#"{"models":[{"name":"a","model":"a"},{"name":"b"}]}"#),
    ] {
        let server = Server::start(vec![answer(200, "content-type: application/json\r\n", body.as_bytes())]).await;
        let names = provider(api, &server.url).models().await.unwrap();
        assert_eq!(names, ["a", "b"], "{api:?}");
        assert_eq!(server.asked().line, format!("GET {path} HTTP/1.1"));
    }
}
