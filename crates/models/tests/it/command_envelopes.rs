//! What the known CLIs print, as the real ones printed it, behind programs of their names.

use s2s_models::{Fault, FaultKind, Reply, Stop, Usage};

use crate::command_fixture::{Bench, answer, ask, hasty, overheard};

/// Runs a program of this name that prints these lines and exits with this code.
async fn printed(argv: &[&str], lines: &str, code: u8) -> (Result<Reply, Fault>, String) {
    let bench = Bench::new();
    bench.program(argv[0], &format!("cat > /dev/null\ncat <<'END'\n{lines}\nEND\nexit {code}"));
    overheard(&bench.provider(argv), &ask("Hi")).await
}

const CLAUDE_JSON: [&str; 4] = ["claude", "-p", "--output-format", "json"];

const CLAUDE_RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false,"api_error_status":null,"num_turns":1,"result":"hello from mock","stop_reason":"end_turn","session_id":"dee8c512","total_cost_usd":0.00025,"usage":{"input_tokens":12,"cache_creation_input_tokens":3,"cache_read_input_tokens":7,"output_tokens":5},"modelUsage":{"claude-sonnet-5":{"inputTokens":12,"outputTokens":5,"cacheReadInputTokens":7,"cacheCreationInputTokens":3,"costUSD":0.00025}}}"#;

const CLAUDE_USAGE: Usage =
    Usage { input_tokens: 22, cached_tokens: 7, cache_write_tokens: 3, output_tokens: 5, cost_usd: 0.000_25 };

#[tokio::test]
async fn claude_one_document() {
    let (reply, _) = printed(&CLAUDE_JSON, CLAUDE_RESULT, 0).await;
    let reply = reply.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.stop), ("hello from mock", Stop::End));
    assert_eq!(reply.usage, CLAUDE_USAGE);
    assert_eq!(reply.request_id.as_deref(), Some("dee8c512"));
}

#[tokio::test]
async fn claude_event_lines_are_heard_as_they_come() {
    let lines = [
        r#"{"type":"system","subtype":"init","tools":[]}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello "}}}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"from mock"}}}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"text","text":"hello from mock"}]}}"#,
        CLAUDE_RESULT,
    ];
    let (reply, heard) = printed(&["claude"], &lines.join("\n"), 0).await;
    assert_eq!(reply.expect("a reply").usage, CLAUDE_USAGE);
    assert_eq!(heard, "hello from mock");
    let (reply, _) = printed(&["claude"], &lines[..4].join("\n"), 0).await;
    assert_eq!(reply.expect_err("no end mark").kind, FaultKind::Cut);
}

#[tokio::test]
async fn a_whole_reply_counts_even_if_the_exit_code_says_otherwise() {
    let (reply, _) = printed(&CLAUDE_JSON, CLAUDE_RESULT, 1).await;
    assert_eq!(reply.expect("a reply").text, "hello from mock");
}

#[tokio::test]
async fn claude_complaints_are_sorted() {
    let complaints = [
        ("null", "Not logged in · Please run /login", FaultKind::Unauthorized, "run `claude` once and log in, or set"),
        ("401", "Failed to authenticate. API Error: 401", FaultKind::Unauthorized, "run `claude` once"),
        ("429", "API Error: Request rejected (429) · slow down", FaultKind::RateLimited, "try again later"),
        ("429", "You've hit your session limit · resets 3pm", FaultKind::SpendLimit, "wait until the limit is reset"),
        ("529", "API Error: 529 overloaded_error.", FaultKind::Overloaded, "try again later"),
        (
            "404",
            "There's an issue with the selected model (x).",
            FaultKind::NotFound,
            "name a model that `claude` knows",
        ),
        ("400", "API Error: 400 invalid_request_error", FaultKind::Rejected, "run the command by hand"),
    ];
    for (status, words, kind, next) in complaints {
        let line = format!(
            r#"{{"type":"result","subtype":"success","is_error":true,"api_error_status":{status},"result":"{words}","session_id":"s","usage":{{"input_tokens":4}}}}"#
        );
        let fault = printed(&CLAUDE_JSON, &line, 1).await.0.expect_err("a fault");
        assert_eq!((fault.kind, fault.what), (kind, format!("`claude` says: {words}")));
        assert!(fault.next.as_deref().is_some_and(|said| said.starts_with(next)), "{:?}", fault.next);
        assert_eq!(fault.usage.input_tokens, 4);
    }
}

#[tokio::test]
async fn claude_length_and_refusal() {
    let with = |reason: &str| CLAUDE_RESULT.replace("end_turn", reason);
    let (reply, _) = printed(&CLAUDE_JSON, &with("max_tokens"), 0).await;
    assert_eq!(reply.expect("a reply").stop, Stop::Length);
    let (reply, _) = printed(&CLAUDE_JSON, &with("refusal"), 0).await;
    assert_eq!(reply.expect_err("a fault").kind, FaultKind::Filtered);
}

#[tokio::test]
async fn a_document_that_is_none_is_not_understood() {
    for text in ["hello", "{\"type\":\"result\",\"subty"] {
        let fault = printed(&CLAUDE_JSON, text, 0).await.0.expect_err("a fault");
        assert_eq!(fault.kind, FaultKind::Malformed, "{text}");
    }
    let fault = printed(&CLAUDE_JSON, "{\"something\":1}", 0).await.0.expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Cut);
}

#[tokio::test]
async fn codex_events() {
    let lines = r#"{"type":"thread.started","thread_id":"01a1"}
{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata not found."}}
{"type":"turn.started"}
{"type":"error","message":"Reconnecting... 2/5"}
{"type":"item.completed","item":{"id":"item_1","type":"reasoning","text":"hm"}}
{"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"hello from mock"}}
{"type":"turn.completed","usage":{"input_tokens":12,"cached_input_tokens":4,"cache_write_input_tokens":1,"output_tokens":5,"reasoning_output_tokens":2}}"#;
    let (reply, heard) = printed(&["codex", "exec"], lines, 0).await;
    let reply = reply.expect("a reply");
    assert_eq!((reply.text.as_str(), heard.as_str()), ("hello from mock", "hello from mock"));
    assert_eq!(reply.request_id.as_deref(), Some("01a1"));
    let usage = Usage { input_tokens: 12, cached_tokens: 4, cache_write_tokens: 1, output_tokens: 5, cost_usd: 0.0 };
    assert_eq!(reply.usage, usage);
    let without_end = lines.rsplit_once('\n').map_or("", |(head, _)| head);
    assert_eq!(printed(&["codex"], without_end, 0).await.0.expect_err("a fault").kind, FaultKind::Cut);
}

#[tokio::test]
async fn codex_complaints_are_sorted() {
    let complaints = [
        ("unexpected status 401 Unauthorized: no, url: http://127.0.0.1/v1/responses", FaultKind::Unauthorized),
        ("exceeded retry limit, last status: 429 Too Many Requests", FaultKind::RateLimited),
        ("You've hit your usage limit. Try again in 2 hours.", FaultKind::SpendLimit),
        ("unexpected status 404 Not Found: no such model", FaultKind::NotFound),
        ("stream disconnected before completion: failed to lookup address information", FaultKind::Network),
    ];
    for (words, kind) in complaints {
        let lines = format!(
            "{{\"type\":\"error\",\"message\":\"{words}\"}}\n{{\"type\":\"turn.failed\",\"error\":{{\"message\":\"{words}\"}}}}"
        );
        let fault = printed(&["codex", "exec", "--json"], &lines, 1).await.0.expect_err("a fault");
        assert_eq!((fault.kind, fault.what), (kind, format!("`codex` says: {words}")));
    }
}

#[tokio::test]
async fn codex_that_cannot_connect_says_why_when_time_is_up() {
    let bench = Bench::new();
    bench.program("codex", "echo '{\"type\":\"error\",\"message\":\"Reconnecting... 2/5\"}'; exec sleep 600");
    let fault = answer(&bench.provider(&["codex"]), &hasty(2_000, 100)).await.expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Timeout, "silence counts only where a CLI speaks in pieces");
    assert_eq!(fault.what, "`codex` gave no whole reply in 2 s and was ended: Reconnecting... 2/5");
}

#[tokio::test]
async fn gemini_one_document() {
    let text = r#"{
  "session_id": "97a0",
  "response": "hello from mock",
  "stats": {"models": {"g": {"tokens": {"input": 8, "prompt": 12, "candidates": 5, "cached": 4, "thoughts": 2}}}}
}"#;
    let (reply, _) = printed(&["gemini", "-o", "json"], text, 0).await;
    let reply = reply.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.request_id.as_deref()), ("hello from mock", Some("97a0")));
    assert_eq!(reply.usage, Usage { input_tokens: 12, cached_tokens: 4, output_tokens: 7, ..Usage::default() });
}

#[tokio::test]
async fn gemini_event_lines() {
    let lines = r#"{"type":"init","session_id":"50e8","model":"g"}
{"type":"message","role":"user","content":"Say hello."}
{"type":"message","role":"assistant","content":"hello ","delta":true}
{"type":"message","role":"assistant","content":"from mock","delta":true}
{"type":"result","status":"success","stats":{"total_tokens":17,"input_tokens":12,"output_tokens":5,"cached":4}}"#;
    let (reply, heard) = printed(&["gemini"], lines, 0).await;
    let reply = reply.expect("a reply");
    assert_eq!((reply.text.as_str(), heard.as_str()), ("hello from mock", "hello from mock"));
    assert_eq!(reply.usage, Usage { input_tokens: 12, cached_tokens: 4, output_tokens: 5, ..Usage::default() });
    let failed = r#"{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: {\"error\":{\"code\":401}}]"}}"#;
    assert_eq!(printed(&["gemini"], failed, 145).await.0.expect_err("a fault").kind, FaultKind::Unauthorized);
}

#[tokio::test]
async fn gemini_says_some_things_on_stderr_only() {
    let bench = Bench::new();
    let script = "cat >&2 <<'END'\nError when talking to the API {\n  status: 1\n}\n{\n  \"session_id\": \"965d\",\n  \"error\": {\"type\": \"Error\", \"message\": \"Please set an Auth method in your settings.json\", \"code\": 41}\n}\nEND\nexit 41";
    bench.program("gemini", script);
    let fault = answer(&bench.provider(&["gemini"]), &ask("Hi")).await.expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Unauthorized);
    assert_eq!(fault.what, "`gemini` says: Please set an Auth method in your settings.json");
    assert_eq!(fault.next.as_deref(), Some("run `gemini` once and log in, or set GEMINI_API_KEY"));
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipe_does_not_spoil_an_envelope() {
    let bench = Bench::new();
    bench.program("claude", &format!("cat > /dev/null; echo '{CLAUDE_RESULT}'; sleep 600 &"));
    let reply = answer(&bench.provider(&CLAUDE_JSON), &ask("Hi")).await;
    assert_eq!(reply.expect("a reply").text, "hello from mock");
}
