//! A small server that answers each request with the next act of its script, and remembers what it was asked.
//! Real sockets on the loopback; it knows nothing of the formats.

use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use s2s_models::{Api, Ask, Endpoint, Fault, HttpClient, HttpProvider, Key, Patience, Prompt, Provider, Reply};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// What is done with a request.
#[derive(Debug, Clone)]
pub enum Act {
    /// Sends these bytes and waits for the next request.
    Send(Vec<u8>),
    /// Sends these bytes and closes.
    Close(Vec<u8>),
    /// Sends these bytes and resets the connection.
    Reset(Vec<u8>),
    /// Sends the first bytes, then the second ones again and again, this far apart, until the other side hangs up.
    Repeat(Vec<u8>, Vec<u8>, Duration),
}

/// What the server was asked.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Method and path.
    pub line: String,
    /// Its headers, one per line, names in small letters.
    pub head: String,
    /// Its body.
    pub body: String,
}

#[derive(Debug, Default)]
pub struct Seen {
    pub connections: usize,
    pub asked: Vec<Asked>,
    /// Connections that are over.
    pub over: usize,
}

pub struct Server {
    pub url: String,
    pub seen: Arc<Mutex<Seen>>,
    changed: Arc<Notify>,
    accepting: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Server {
    /// Answers with the acts in turn; the last one is for all requests after it.
    pub async fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Seen::default()));
        let changed = Arc::new(Notify::new());
        let accepting = tokio::spawn({
            let (seen, changed) = (Arc::clone(&seen), Arc::clone(&changed));
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    seen.lock().unwrap().connections += 1;
                    let (acts, seen, changed) = (acts.clone(), Arc::clone(&seen), Arc::clone(&changed));
                    tokio::spawn(async move {
                        serve(stream, acts, &seen, &changed).await;
                        seen.lock().unwrap().over += 1;
                        changed.notify_one();
                    });
                }
            }
        });
        Self { url, seen, changed, accepting }
    }

    /// Waits until the server has seen this much.
    pub async fn until(&self, enough: impl Fn(&Seen) -> bool) {
        while !enough(&self.seen.lock().unwrap()) {
            self.changed.notified().await;
        }
    }

    pub fn asked(&self) -> Asked {
        self.seen.lock().unwrap().asked.last().cloned().unwrap_or_default()
    }
}

async fn serve(mut stream: TcpStream, acts: Vec<Act>, seen: &Mutex<Seen>, changed: &Notify) {
    stream.set_nodelay(true).unwrap();
    while let Some(asked) = request(&mut stream).await {
        let act = {
            let mut seen = seen.lock().unwrap();
            let act = acts[seen.asked.len().min(acts.len() - 1)].clone();
            seen.asked.push(asked);
            act
        };
        changed.notify_one();
        // A client that has hung up is no failure of the server.
        let done = match act {
            Act::Send(bytes) => stream.write_all(&bytes).await,
            Act::Close(bytes) => {
                let _ = stream.write_all(&bytes).await;
                return;
            }
            Act::Reset(bytes) => {
                let _ = stream.write_all(&bytes).await;
                let _ = stream.set_zero_linger();
                return;
            }
            Act::Repeat(first, again, pause) => repeat(&mut stream, &first, &again, pause).await,
        };
        if done.is_err() {
            return;
        }
    }
}

async fn repeat(stream: &mut TcpStream, first: &[u8], again: &[u8], pause: Duration) -> std::io::Result<()> {
    stream.write_all(first).await?;
    let mut ticks = tokio::time::interval(pause.max(Duration::from_micros(1)));
    loop {
        if !pause.is_zero() {
            ticks.tick().await;
        }
        stream.write_all(again).await?;
    }
}

async fn request(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let (line, head) = head.split_once("\r\n").unwrap_or((&head, ""));
            let size = header(head, "content-length").and_then(|size| size.parse().ok()).unwrap_or(0);
            let mut body = bytes.split_off(end + 4);
            while body.len() < size {
                if stream.read_buf(&mut body).await.ok()? == 0 {
                    return None;
                }
            }
            let body = String::from_utf8_lossy(&body).into_owned();
            return Some(Asked { line: line.to_owned(), head: head.to_owned(), body });
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

/// The value of a header.
pub fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

/// A whole answer.
pub fn answer(status: u16, headers: &str, body: &[u8]) -> Act {
    let head = format!("HTTP/1.1 {status} Said\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
    Act::Send([head.as_bytes(), body].concat())
}

/// A stream in one chunk, properly ended.
pub fn stream(api: Api, body: &str) -> Act {
    Act::Send([opened(api).as_slice(), &chunk(body.as_bytes()), b"0\r\n\r\n"].concat())
}

/// The head of a stream in chunks.
pub fn opened(api: Api) -> Vec<u8> {
    let kind = if api == Api::Ollama { "application/x-ndjson" } else { "text/event-stream; charset=utf-8" };
    format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\nx-request-id: req-7\r\n\r\n")
        .into()
}

/// One chunk.
pub fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// The secret that no fault may show.
pub const SECRET: &str = "sk-very-secret-0123456789";

/// An endpoint at this address, with a key.
pub fn endpoint(api: Api, url: &str) -> Endpoint {
    let base_url = match api {
        Api::OpenAi | Api::OpenAiResponses => format!("{url}/v1"),
        Api::Gemini => format!("{url}/v1beta"),
        Api::Anthropic | Api::Ollama => url.to_owned(),
    };
    Endpoint { base_url, key: Some(Key::new(SECRET)), key_from: "TEST_KEY".to_owned(), ..Endpoint::new(api) }
}

/// A plain question.
pub fn question() -> Ask {
    Ask {
        model: "model-1".to_owned(),
        prompt: Arc::new(Prompt { system: "You are blunt.".into(), user: "Tea or coffee?".to_owned() }),
        max_output_tokens: 1000,
        temperature: None,
        effort: None,
        shape: None,
        patience: Patience { deadline: Duration::from_secs(20), idle: Duration::from_secs(10) },
    }
}

/// One client for all tests: making one reads the system's certificates. Servers never share a port.
pub fn client() -> HttpClient {
    static CLIENT: LazyLock<HttpClient> = LazyLock::new(|| HttpClient::new().unwrap());
    CLIENT.clone()
}

pub fn provider(api: Api, url: &str) -> HttpProvider {
    HttpProvider::new("acme", endpoint(api, url), client()).unwrap()
}

/// Asks a plain question of a server that does this.
pub async fn ask(api: Api, act: Act) -> Result<Reply, Fault> {
    ask_with(api, act, &question()).await
}

/// Asks a question of a server that does this. No fault shows the secret.
pub async fn ask_with(api: Api, act: Act, question: &Ask) -> Result<Reply, Fault> {
    let server = Server::start(vec![act]).await;
    let done = provider(api, &server.url).ask(question, &|_| ()).await;
    if let Err(fault) = &done {
        assert!(!format!("{fault} {fault:?}").contains(SECRET), "{fault:?}");
        assert!(fault.what.starts_with("acme "), "{fault:?}");
        assert!(fault.next.is_some(), "no next step: {fault:?}");
        assert!(!fault.what.contains('\n'), "{fault:?}");
    }
    done
}
