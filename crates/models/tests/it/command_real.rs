//! The real agent CLIs against a loopback server that speaks their wire formats: that the switches we give them are
//! theirs, that no tool is offered to the model, and that their envelopes are what we read.
//! Needs the CLIs, so it runs only where `S2S_AGENT_CLIS` names the folder that holds them (see docs/agent-clis.md).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use s2s_models::{Ask, Command, CommandProvider, Fault, FaultKind, Patience, Reply};

use crate::command_fixture::{Bench, answer, ask};

/// Answers every request in the format its address stands for; keeps the bodies.
struct Server {
    base: String,
    bodies: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(refuse: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let kept = bodies.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = kept.clone();
                std::thread::spawn(move || serve(&stream, refuse, &kept));
            }
        });
        Self { base, bodies }
    }

    /// All that was sent, in one text.
    fn seen(&self) -> String {
        self.bodies.lock().expect("a lock").join("\n")
    }
}

fn serve(stream: &TcpStream, refuse: bool, kept: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first).ok()?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let events = events_for(&first);
    if !events.is_empty() {
        kept.lock().ok()?.push(String::from_utf8_lossy(&body).into_owned());
    }
    let (status, kind, body) = match (refuse, events.is_empty()) {
        (true, _) => {
            let error =
                r#"{"type":"error","error":{"type":"authentication_error","message":"no such key","code":401}}"#;
            ("401 Unauthorized", "application/json", error.to_owned())
        }
        (false, true) => ("404 Not Found", "application/json", "{}".to_owned()),
        (false, false) => ("200 OK", "text/event-stream", events.concat()),
    };
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}", body.len());
    let mut stream = stream;
    write!(stream, "{head}\r\nconnection: close\r\n\r\n{body}").ok()
}

fn events_for(first_line: &str) -> Vec<String> {
    let named = |data: &str| {
        let name = data.split('"').nth(3).unwrap_or_default();
        format!("event: {name}\ndata: {data}\n\n")
    };
    if first_line.starts_with("POST /v1/messages") && !first_line.contains("count_tokens") {
        let data = [
            r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"cache_read_input_tokens":7,"cache_creation_input_tokens":3,"output_tokens":1}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello there"}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}"#,
            r#"{"type":"message_stop"}"#,
        ];
        return data.map(named).into();
    }
    if first_line.starts_with("POST /v1/responses") {
        let item = r#"{"id":"i","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"hello there","annotations":[]}]}"#;
        let usage = r#"{"input_tokens":12,"input_tokens_details":{"cached_tokens":4},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":2},"total_tokens":17}"#;
        let data = [
            r#"{"type":"response.created","response":{"id":"r"}}"#.to_owned(),
            format!(r#"{{"type":"response.output_item.done","output_index":0,"item":{item}}}"#),
            format!(r#"{{"type":"response.completed","response":{{"id":"r","output":[{item}],"usage":{usage}}}}}"#),
        ];
        return data.iter().map(|data| named(data)).collect();
    }
    if first_line.contains(":streamGenerateContent") {
        let data = r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"hello there"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":5,"totalTokenCount":17,"cachedContentTokenCount":4},"modelVersion":"g"}"#;
        return vec![format!("data: {data}\n\n")];
    }
    Vec::new()
}

/// Asks a CLI through the server; none where no CLIs are there.
async fn through(server: &Server, program: &str, extra: &[String], model: &str) -> Option<Result<Reply, Fault>> {
    let Ok(folder) = std::env::var("S2S_AGENT_CLIS") else {
        println!("skipped: S2S_AGENT_CLIS names no folder with the agent CLIs");
        return None;
    };
    let mut bench = Bench::new();
    let home = bench.path("home");
    // What must not be used: a memory of the user's, and hooks that would leave a file.
    for (folder, memory) in [(".claude", "CLAUDE.md"), (".gemini", "GEMINI.md"), (".codex", "AGENTS.md")] {
        std::fs::create_dir_all(home.join(folder)).expect("a folder");
        std::fs::write(home.join(folder).join(memory), "REMEMBER-ME").expect("a file");
    }
    let touch = format!("touch {}", bench.path("hooked").display());
    let hooks = |event: &str| {
        format!(r#"{{"hooks":{{"{event}":[{{"hooks":[{{"type":"command","name":"h","command":"{touch}"}}]}}]}}}}"#)
    };
    std::fs::write(home.join(".claude/settings.json"), hooks("UserPromptSubmit")).expect("a file");
    std::fs::write(home.join(".gemini/settings.json"), hooks("BeforeAgent")).expect("a file");
    let base = &server.base;
    for (name, value) in [
        ("HOME", home.to_str().expect("a path")),
        ("ANTHROPIC_BASE_URL", base),
        ("ANTHROPIC_API_KEY", "made-up-key"),
        ("CLAUDE_CODE_MAX_RETRIES", "0"),
        ("OPENAI_API_KEY", "made-up-key"),
        ("CODEX_API_KEY", "made-up-key"),
        ("GOOGLE_GEMINI_BASE_URL", base),
        ("GEMINI_API_KEY", "made-up-key"),
    ] {
        bench.variables.insert(name.to_owned(), value.to_owned());
    }
    let argv = std::iter::once(format!("{folder}/{program}")).chain(extra.iter().cloned()).collect();
    let command = Command { argv, ..Command::default() };
    let provider = CommandProvider::new("real", command, &bench.variables).expect("a provider");
    let patience = Patience { deadline: Duration::from_secs(120), idle: Duration::from_secs(120) };
    let ask = Ask { model: model.to_owned(), patience, ..ask("Say hello.") };
    let answer = answer(&provider, &ask).await;
    assert!(!bench.path("hooked").exists(), "a hook of the user's has run");
    assert!(!server.seen().contains("REMEMBER-ME"), "the user's memory was sent");
    Some(answer)
}

fn codex_provider(server: &Server) -> Vec<String> {
    let base = &server.base;
    let provider = format!(
        "model_providers.loop={{name=\"loop\",base_url=\"{base}/v1\",wire_api=\"responses\",env_key=\"OPENAI_API_KEY\",\
         supports_websockets=false,request_max_retries=0,stream_max_retries=0}}"
    );
    ["exec", "-c", "model_provider=\"loop\"", "-c", &provider].map(str::to_owned).into()
}

#[tokio::test]
async fn claude_answers_without_tools() {
    for extra in [vec![], ["-p", "--output-format", "json"].map(str::to_owned).to_vec()] {
        let server = Server::start(false);
        let Some(reply) = through(&server, "claude", &extra, "sonnet").await else { return };
        let reply = reply.expect("a reply");
        assert_eq!((reply.text.as_str(), reply.usage.input_tokens), ("hello there", 22));
        let seen = server.seen();
        assert_eq!(seen.lines().count(), 1, "more than one paid call");
        assert!(seen.contains("\"tools\":[]") && seen.contains("\"text\":\"Rules.\""), "{seen}");
    }
    let server = Server::start(true);
    let refused = through(&server, "claude", &[], "sonnet").await.expect("asked").expect_err("a fault");
    assert_eq!(refused.kind, FaultKind::Unauthorized, "{refused}");
}

#[tokio::test]
async fn codex_answers_without_tools_that_reach_anything() {
    for model in ["default", "gpt-made-up"] {
        let server = Server::start(false);
        let Some(reply) = through(&server, "codex", &codex_provider(&server), model).await else { return };
        let reply = reply.expect("a reply");
        assert_eq!((reply.text.as_str(), reply.usage.cached_tokens), ("hello there", 4));
        let seen = server.seen();
        for tool in ["\"exec_command\"", "\"shell\"", "\"web_search\"", "\"spawn_agent\"", "\"view_image\""] {
            assert!(!seen.contains(tool), "{model} is offered {tool}");
        }
        assert!(seen.contains("\"text\":\"Rules.\""));
    }
    let server = Server::start(true);
    let refused = through(&server, "codex", &codex_provider(&server), "default").await.expect("asked");
    assert_eq!(refused.expect_err("a fault").kind, FaultKind::Unauthorized);
}

#[tokio::test]
async fn gemini_answers_without_tools() {
    for extra in [vec![], ["-o", "json"].map(str::to_owned).to_vec()] {
        let server = Server::start(false);
        let Some(reply) = through(&server, "gemini", &extra, "gemini-2.5-flash").await else { return };
        let reply = reply.expect("a reply");
        assert_eq!((reply.text.as_str(), reply.usage.cached_tokens), ("hello there", 4));
        let seen = server.seen();
        assert!(!seen.contains("functionDeclarations\":[{"), "a tool is offered");
        assert!(seen.contains("\"text\":\"Rules.\""));
    }
    let server = Server::start(true);
    let refused = through(&server, "gemini", &[], "gemini-2.5-flash").await.expect("asked").expect_err("a fault");
    assert_eq!(refused.kind, FaultKind::Unauthorized, "{refused}");
}
