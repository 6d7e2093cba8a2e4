//! Keys: sent to the provider, and shown to nobody.

use s2s_models::{Api, Endpoint, FaultKind, HttpProvider, Key, Provider};

use crate::samples::{self, Sample};
use crate::server::{Act, SECRET, Server, answer, chunk, client, endpoint, opened, question, stream};

const TEAM: &str = "team-secret-42";

/// Every way in which a server could hand a secret back.
fn echoes() -> Vec<Act> {
    let api = Api::OpenAi;
    let both = format!("{SECRET} and {TEAM}");
    let filler = "x".repeat(270);
    vec![
        answer(401, "", format!(r#"{{"error":{{"message":"bad key {both}"}}}}"#).as_bytes()),
        // The cut for length must not leave half of it.
        answer(401, "", format!(r#"{{"error":{{"message":"{filler} {both} {filler}"}}}}"#).as_bytes()),
        answer(403, "", format!("plain {both}").as_bytes()),
        answer(502, "", format!("<html><title>{both}</title></html>").as_bytes()),
        answer(500, &format!("x-request-id: {both}\r\n"), both.as_bytes()),
        answer(302, &format!("location: https://{SECRET}.example/{TEAM}\r\n"), b""),
        answer(200, "content-type: application/json\r\n", format!(r#"{{"error":"{both}"}}"#).as_bytes()),
        answer(200, "content-type: text/html\r\n", both.as_bytes()),
        stream(api, &format!("data: {{\"error\":{{\"message\":\"{both}\"}}}}\n\n")),
        stream(api, &format!("data: {{\"{both}\":\n\n")),
        stream(api, &samples::stream(api, &Sample { stop: &both, ..Sample::default() })),
        stream(api, &format!("data: {{\"choices\":[{{\"delta\":{{\"refusal\":\"{both}\"}}}}]}}\n\ndata: [DONE]\n\n")),
        stream(api, &format!("data: {{\"id\":\"{both}\",\"choices\":[{{\"delta\":{{\"content\":\"a\"}}}}]}}\n\n")),
        Act::Close(format!("HTTP/1.1 200 OK\r\n\r\ndata: {{\"id\":\"{both}\",\"choices\":[]}}\n\n").into_bytes()),
        Act::Close([opened(api), chunk(both.as_bytes())].concat()),
        Act::Close(format!("HTTP/1.1 {both}\r\n\r\n").into_bytes()),
        Act::Close(format!("{both}\r\n\r\n").into_bytes()),
    ]
}

#[tokio::test]
async fn no_fault_shows_a_secret() {
    for (number, act) in echoes().into_iter().enumerate() {
        let server = Server::start(vec![act]).await;
        let endpoint =
            Endpoint { headers: vec![("x-team".to_owned(), Key::new(TEAM))], ..endpoint(Api::OpenAi, &server.url) };
        let provider = HttpProvider::new("acme", endpoint, client()).unwrap();
        let fault = provider.ask(&question(), &|_| ()).await.unwrap_err();
        for shown in [format!("{fault}"), format!("{fault:?}"), format!("{provider:?}")] {
            for part in [SECRET, &SECRET[..12], TEAM, &TEAM[..10]] {
                assert!(!shown.contains(part), "echo {number}: {shown}");
            }
        }
        let fault = provider.models().await.err();
        assert!(!format!("{fault:?}").contains(SECRET), "echo {number} of the list");
    }
}

#[tokio::test]
async fn an_endpoint_that_cannot_be_used_is_refused_at_once() {
    let client = client();
    let bad_key = Endpoint { key: Some(Key::new("sk-very\nsecret")), ..endpoint(Api::OpenAi, "http://127.0.0.1:1") };
    let bad_header =
        Endpoint { headers: vec![("x y".to_owned(), Key::new(TEAM))], ..endpoint(Api::OpenAi, "http://127.0.0.1:1") };
    let password = endpoint(Api::OpenAi, "http://me:sk-very@127.0.0.1:1");
    let nowhere = endpoint(Api::Ollama, "not an address");
    for (endpoint, kind) in [
        (bad_key, FaultKind::Unauthorized),
        (bad_header, FaultKind::Rejected),
        (password, FaultKind::Rejected),
        (nowhere, FaultKind::Rejected),
    ] {
        let fault = HttpProvider::new("acme", endpoint, client.clone()).unwrap_err();
        assert_eq!(fault.kind, kind);
        assert!(fault.what.starts_with("acme has a ") && fault.next.is_some(), "{fault:?}");
        assert!(!format!("{fault:?}").contains("sk-very"), "{fault:?}");
    }
}
