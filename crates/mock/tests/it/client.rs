//! A client made of bytes: it sees what a real one would hide.
//! Given a server and a body; hands on status, headers, the body as it came, and how the connection ended.

use std::collections::BTreeMap;

use s2s_mock::{Format, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How a body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// As HTTP says it must.
    Whole,
    /// The connection was closed before.
    Cut,
    /// The connection was reset.
    Reset,
}

/// What came back.
#[derive(Debug, Clone)]
pub struct Got {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
    pub ended: Ended,
}

impl Got {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The JSON values of a stream, in order; `[DONE]` as a text.
    pub fn events(&self) -> Vec<Value> {
        let text = self.text();
        let lines = text.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
        let data = lines.filter(|line| line.starts_with('{') || line.starts_with('['));
        data.map(|line| serde_json::from_str(line).unwrap_or_else(|_| json!(line))).collect()
    }

    /// What a reader of this format takes for the reply.
    pub fn said(&self, format: Format) -> String {
        let text = |event: &Value| -> String {
            let found = match format {
                Format::Anthropic => &event["delta"]["text"],
                Format::OpenAi => &event["choices"][0]["delta"]["content"],
                Format::Responses if event["type"] == "response.output_text.delta" => &event["delta"],
                Format::Responses => &Value::Null,
                Format::Gemini => &event["candidates"][0]["content"]["parts"][0]["text"],
                Format::Ollama => &event["message"]["content"],
            };
            found.as_str().unwrap_or_default().to_owned()
        };
        self.events().iter().map(text).collect()
    }
}

/// The path of a format.
pub fn path(format: Format) -> &'static str {
    match format {
        Format::Anthropic => "/v1/messages",
        Format::OpenAi => "/v1/chat/completions",
        Format::Responses => "/v1/responses",
        Format::Gemini => "/v1beta/models/mock-large:streamGenerateContent?alt=sse",
        Format::Ollama => "/api/chat",
    }
}

/// The headers a client of a format sends.
pub fn access(format: Format) -> &'static str {
    match format {
        Format::Anthropic => "x-api-key: k\r\nanthropic-version: 2023-06-01\r\n",
        Format::OpenAi | Format::Responses => "authorization: Bearer k\r\n",
        Format::Gemini => "x-goog-api-key: k\r\n",
        Format::Ollama => "",
    }
}

/// The body of a streamed call.
pub fn body(format: Format, system: &str, user: &str) -> Value {
    let two = json!([{ "role": "system", "content": system }, { "role": "user", "content": user }]);
    match format {
        Format::Anthropic => json!({
            "model": "mock-large", "max_tokens": 1000, "stream": true,
            "system": [{ "type": "text", "text": system, "cache_control": { "type": "ephemeral" } }],
            "messages": [{ "role": "user", "content": user }],
        }),
        Format::OpenAi => json!({
            "model": "mock-large", "stream": true, "stream_options": { "include_usage": true }, "messages": two,
        }),
        Format::Responses => json!({ "model": "mock-large", "stream": true, "instructions": system, "input": user }),
        Format::Gemini => json!({
            "systemInstruction": { "parts": [{ "text": system }] },
            "contents": [{ "role": "user", "parts": [{ "text": user }] }],
        }),
        Format::Ollama => json!({ "model": "mock-large", "messages": two }),
    }
}

/// Makes the usual call of a format.
pub async fn call(server: &Server, format: Format) -> Got {
    ask(server, format, &body(format, "# QA Lead\n", "Say one word.")).await
}

/// Makes a call with this body.
pub async fn ask(server: &Server, format: Format, body: &Value) -> Got {
    post(server.url(), path(format), access(format), body.to_string().as_bytes()).await
}

/// Sends a request on a connection of its own.
pub async fn post(url: &str, path: &str, headers: &str, body: &[u8]) -> Got {
    let mut line = Line::open(url).await;
    line.send("POST", path, headers, body).await;
    line.receive().await
}

/// A request without a body.
pub async fn get(url: &str, path: &str, headers: &str) -> Got {
    let mut line = Line::open(url).await;
    line.send("GET", path, headers, b"").await;
    line.receive().await
}

/// A connection.
pub struct Line {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Line {
    pub async fn open(url: &str) -> Self {
        let stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).await.unwrap();
        Self { stream, buffer: Vec::new() }
    }

    pub async fn send(&mut self, method: &str, path: &str, headers: &str, body: &[u8]) {
        let head = format!("{method} {path} HTTP/1.1\r\nhost: x\r\n{headers}content-length: {}\r\n\r\n", body.len());
        self.stream.write_all(&[head.as_bytes(), body].concat()).await.unwrap();
    }

    pub async fn raw(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// Reads on; how the connection ended, if it did.
    pub async fn more(&mut self) -> Option<Ended> {
        match self.stream.read_buf(&mut self.buffer).await {
            Ok(0) => Some(Ended::Cut),
            Ok(_) => None,
            Err(_) => Some(Ended::Reset),
        }
    }

    /// Reads to the end and keeps nothing; how much it was.
    pub async fn drain(&mut self) -> usize {
        let mut sum = 0;
        while self.more().await.is_none() {
            sum += self.buffer.len();
            self.buffer.clear();
        }
        sum
    }

    /// What has arrived and is not taken yet.
    pub fn arrived(&self) -> &[u8] {
        &self.buffer
    }

    /// Reads one answer that comes after the word to go on.
    pub async fn receive_after_continue(&mut self) -> Got {
        let end = self.buffer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        self.buffer.drain(..end + 4);
        self.receive().await
    }

    /// Reads one answer.
    pub async fn receive(&mut self) -> Got {
        let mut got = Got { status: 0, headers: BTreeMap::new(), body: Vec::new(), ended: Ended::Whole };
        let end = loop {
            if let Some(at) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break at;
            }
            if let Some(ended) = self.more().await {
                got.ended = ended;
                return got;
            }
        };
        let head = String::from_utf8(self.buffer.drain(..end + 4).collect()).unwrap();
        let mut lines = head.lines();
        got.status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        got.headers =
            lines.filter_map(|line| line.split_once(": ")).map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
        if got.headers.contains_key("transfer-encoding") {
            self.chunks(&mut got).await;
        } else {
            let length: usize = got.headers["content-length"].parse().unwrap();
            while self.buffer.len() < length {
                if let Some(ended) = self.more().await {
                    got.ended = ended;
                    break;
                }
            }
            got.body = self.buffer.drain(..length.min(self.buffer.len())).collect();
        }
        got
    }

    async fn chunks(&mut self, got: &mut Got) {
        loop {
            let at = self.buffer.windows(2).position(|two| two == b"\r\n");
            let size =
                at.map(|at| usize::from_str_radix(std::str::from_utf8(&self.buffer[..at]).unwrap(), 16).unwrap());
            if let (Some(at), Some(size)) = (at, size)
                && self.buffer.len() >= at + 2 + size + 2
            {
                got.body.extend_from_slice(&self.buffer[at + 2..at + 2 + size]);
                self.buffer.drain(..at + 2 + size + 2);
                if size == 0 {
                    return;
                }
            } else if let Some(ended) = self.more().await {
                got.ended = ended;
                return;
            }
        }
    }
}
