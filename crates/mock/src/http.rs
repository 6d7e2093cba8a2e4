//! HTTP/1.1 as the server needs it: requests off a socket, bytes onto it.
//! Given a stream; hands on whole requests and sends what it is told, byte for byte. Kept by hand because
//! faults are made of bytes that no HTTP library would send. Deliberately absent: what a request means.

use std::collections::BTreeMap;
use std::future;
use std::io::{self, Write};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The longest head of a request.
const MAX_HEAD: usize = 64 * 1024;

/// The longest body of a request.
const MAX_BODY: usize = 64 * 1024 * 1024;

/// A whole request.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    /// Names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
    /// Whether the client wants the connection closed afterwards.
    pub(crate) close: bool,
}

/// What came off the socket.
pub(crate) enum Incoming {
    Request(Box<Request>),
    /// The client left between two requests, or within one.
    Gone,
    /// No request we can read: the status that says so.
    Unreadable(u16),
}

/// One connection.
pub(crate) struct Wire {
    pub(crate) stream: TcpStream,
    buffer: Vec<u8>,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// Reads the next request.
    pub(crate) async fn request(&mut self) -> io::Result<Incoming> {
        let (mut request, length) = loop {
            match head(&self.buffer) {
                Ok(Some((used, request))) => {
                    self.buffer.drain(..used);
                    break request;
                }
                Ok(None) if self.buffer.len() > MAX_HEAD => return Ok(Incoming::Unreadable(431)),
                Ok(None) => {}
                Err(()) => return Ok(Incoming::Unreadable(400)),
            }
            if self.more().await? == 0 {
                return Ok(Incoming::Gone);
            }
        };
        if request.headers.get("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
        }
        match length {
            Length::Known(length) if length > MAX_BODY => return Ok(Incoming::Unreadable(413)),
            Length::Known(length) => {
                self.buffer.reserve(length.saturating_sub(self.buffer.len()));
                while self.buffer.len() < length {
                    if self.more().await? == 0 {
                        return Ok(Incoming::Gone);
                    }
                }
                // The body keeps the room that was made for it; what waits behind it is rarely anything.
                let rest = self.buffer.split_off(length);
                request.body = std::mem::replace(&mut self.buffer, rest);
            }
            Length::Chunked => match self.chunks().await? {
                Ok(body) => request.body = body,
                Err(incoming) => return Ok(incoming),
            },
        }
        Ok(Incoming::Request(Box::new(request)))
    }

    /// A body in chunks, whole.
    async fn chunks(&mut self) -> io::Result<Result<Vec<u8>, Incoming>> {
        let mut body = Vec::new();
        loop {
            match httparse::parse_chunk_size(&self.buffer) {
                Ok(httparse::Status::Complete((used, size))) => {
                    let size = usize::try_from(size).unwrap_or(usize::MAX);
                    if body.len().saturating_add(size) > MAX_BODY {
                        return Ok(Err(Incoming::Unreadable(413)));
                    }
                    while self.buffer.len() < used + size + 2 {
                        if self.more().await? == 0 {
                            return Ok(Err(Incoming::Gone));
                        }
                    }
                    body.extend_from_slice(&self.buffer[used..used + size]);
                    self.buffer.drain(..used + size + 2);
                    if size == 0 {
                        return Ok(Ok(body));
                    }
                }
                Ok(httparse::Status::Partial) => {
                    if self.more().await? == 0 {
                        return Ok(Err(Incoming::Gone));
                    }
                }
                Err(_) => return Ok(Err(Incoming::Unreadable(400))),
            }
        }
    }

    async fn more(&mut self) -> io::Result<usize> {
        // Room is made when something has come: a connection that only waits should hold none.
        self.stream.readable().await?;
        self.buffer.reserve(8 * 1024);
        self.stream.read_buf(&mut self.buffer).await
    }

    /// Sends bytes.
    pub(crate) async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Waits; an error if the client leaves meanwhile.
    pub(crate) async fn wait(&self, time: Duration) -> io::Result<()> {
        if time.is_zero() {
            return Ok(());
        }
        tokio::select! {
            () = tokio::time::sleep(time) => Ok(()),
            () = self.left() => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }

    /// Comes back when the client has left.
    pub(crate) async fn left(&self) {
        let mut byte = [0];
        match self.stream.peek(&mut byte).await {
            Ok(0) | Err(_) => {}
            // A next request already waits: the client is there.
            Ok(_) => future::pending().await,
        }
    }
}

enum Length {
    Known(usize),
    Chunked,
}

/// The head of a request, if it is whole: its length, what it says, and how the body comes.
#[allow(clippy::type_complexity, reason = "used once, right above")]
fn head(bytes: &[u8]) -> Result<Option<(usize, (Request, Length))>, ()> {
    let mut room = [httparse::EMPTY_HEADER; 100];
    let mut parsed = httparse::Request::new(&mut room);
    let used = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(used)) => used,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err(()),
    };
    let mut request = Request { method: parsed.method.unwrap_or_default().to_owned(), ..Request::default() };
    let target = parsed.path.unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    (request.path, request.query) = (path.to_owned(), query.to_owned());
    for header in parsed.headers.iter() {
        let value = String::from_utf8_lossy(header.value).trim().to_owned();
        request.headers.insert(header.name.to_ascii_lowercase(), value);
    }
    let says = |name: &str, word: &str| {
        request.headers.get(name).is_some_and(|value| value.to_ascii_lowercase().contains(word))
    };
    let length = match request.headers.get("content-length") {
        _ if says("transfer-encoding", "chunked") => Length::Chunked,
        Some(length) => Length::Known(length.parse().map_err(|_| ())?),
        None => Length::Known(0),
    };
    request.close = says("connection", "close") || parsed.version == Some(0);
    Ok(Some((used, (request, length))))
}

/// The reason phrase of a status.
pub(crate) fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        307 => "Temporary Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        408 => "Request Timeout",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Error",
    }
}

/// Puts one chunk of a chunked body after what is there. An empty one would end the body.
pub(crate) fn chunk(out: &mut Vec<u8>, bytes: &[u8]) {
    if !bytes.is_empty() {
        // Writing to memory does not fail.
        let _ = write!(out, "{:x}\r\n", bytes.len());
        out.extend_from_slice(bytes);
        out.extend_from_slice(b"\r\n");
    }
}

/// What ends a chunked body.
pub(crate) const LAST_CHUNK: &[u8] = b"0\r\n\r\n";
