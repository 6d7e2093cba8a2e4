//! A client of our own, as bare as can be: lines over pipes, and requests over sockets, so that a test sees every byte.
//! The clients that others wrote are in `interop.rs`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::Folder;

/// A server over pipes, with a client that has shaken hands.
pub struct Talk {
    pub child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
    /// What the person answers when the server asks; none = the client cannot ask anybody.
    pub person: Option<Value>,
    /// Notifications so far.
    pub notified: Vec<Value>,
}

impl Talk {
    /// Starts the server in a folder; the client is of protocol 2025-11-25.
    pub fn in_folder(folder: &Folder, person: Option<Value>) -> Self {
        Self::of(folder.command(&["mcp"]), person)
    }

    /// Starts this command as the server.
    pub fn of(mut command: Command, person: Option<Value>) -> Self {
        let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut talk = Self { child, input, output, last: 0, person, notified: Vec::new() };
        let can = if talk.person.is_some() { json!({ "elicitation": {} }) } else { json!({}) };
        let client = json!({ "name": "bare", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": can, "clientInfo": client });
        let greeting = talk.request("initialize", params);
        assert_eq!(greeting["result"]["protocolVersion"], "2025-11-25", "{greeting}");
        talk.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        talk
    }

    pub fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    pub fn send_text(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    /// The next message; every line of the output is one.
    pub fn hear(&mut self) -> Value {
        let mut line = String::new();
        let read = self.output.read_line(&mut line).unwrap();
        assert!(read > 0, "the server has ended");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in: {line}"))
    }

    /// Asks something; gives the whole answer.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.hear();
            match message["method"].as_str() {
                Some("elicitation/create") => {
                    let result = self.person.clone().expect("nobody can be asked");
                    self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
                }
                Some(_) => self.notified.push(message),
                None if message["id"] == id => return message,
                None => panic!("an answer to nothing: {message}"),
            }
        }
    }

    /// Calls a tool; gives its result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": tool } });
        let answer = self.request("tools/call", params);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Calls a tool that must work; gives what it tells.
    #[track_caller]
    pub fn told(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that must refuse; gives its words.
    #[track_caller]
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Waits for a session until it no longer runs.
    pub fn wait(&mut self, session: &str) -> Value {
        loop {
            let told = self.told("roundtable_wait", json!({ "session": session, "seconds": 50 }));
            if told["status"] != "running" {
                return told;
            }
        }
    }

    /// The client leaves: the server's input ends.
    pub fn leave(&mut self) {
        self.input = None;
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server over HTTP.
pub struct Served {
    pub child: Child,
    pub port: u16,
    pub token: String,
    pub said: String,
}

impl Served {
    /// Starts the server on a free port and reads from its standard error where it is, and its token.
    pub fn in_folder(folder: &Folder) -> Self {
        Self::of(folder.command(&["mcp", "--http", "127.0.0.1:0"]))
    }

    pub fn of(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let (mut said, mut token, mut port) = (String::new(), String::new(), 0);
        while port == 0 {
            let mut line = String::new();
            assert!(errors.read_line(&mut line).unwrap() > 0, "the server has ended: {said}");
            if let Some(rest) = line.strip_prefix("Token, told only now: ") {
                token = rest.trim().to_owned();
            }
            if let Some((_, rest)) = line.split_once("http://127.0.0.1:") {
                port = rest.trim().strip_suffix("/mcp").unwrap().parse().unwrap();
            }
            said.push_str(&line);
        }
        // Read on, so that the server never waits for us.
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        Self { child, port, token, said }
    }

    /// Sends a request with these header lines instead of the usual ones; gives status and body.
    pub fn post(&self, headers: &[String], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut head = String::from("POST /mcp HTTP/1.1\r\nconnection: close\r\ncontent-type: application/json\r\n");
        head.push_str("accept: application/json, text/event-stream\r\n");
        headers.iter().for_each(|line| head.push_str(&format!("{line}\r\n")));
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses by the head alone may not read the rest.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default();
        (status.unwrap_or_else(|| panic!("no answer: {answer}")), body)
    }

    /// The headers of a client that may call.
    pub fn usual(&self) -> Vec<String> {
        vec![format!("host: 127.0.0.1:{}", self.port), format!("authorization: Bearer {}", self.token)]
    }

    /// Asks something as a client of protocol 2026-07-28, which has no handshake; gives the whole answer.
    pub fn request(&self, method: &str, params: Value) -> Value {
        self.request_as(json!({}), method, params)
    }

    /// The same, for a client that can do this.
    pub fn request_as(&self, can: Value, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "bare", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": can,
        });
        let mut headers = self.usual();
        headers.push("mcp-protocol-version: 2026-07-28".to_owned());
        headers.push(format!("mcp-method: {method}"));
        if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
            headers.push(format!("mcp-name: {name}"));
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let (status, body) = self.post(&headers, &body);
        assert_eq!(status, 200, "{body}");
        message_in(&body)
    }

    /// Calls a tool that must work; gives what it tells.
    #[track_caller]
    pub fn told(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        answer["result"]["structuredContent"].clone()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answer in a body: JSON by itself, in chunks, or the last event of a stream.
fn message_in(body: &str) -> Value {
    let lines = body.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    let messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut answers = messages.filter(|message| message.get("result").is_some() || message.get("error").is_some());
    answers.next_back().unwrap_or_else(|| panic!("no message in: {body}"))
}
