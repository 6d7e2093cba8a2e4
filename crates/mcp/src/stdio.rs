//! The server over standard input and output: one message a line.
//! Given the two streams; serves until the input ends, then lets the sessions that run here come to their end or their
//! next pause: a client that leaves takes no run with it. A line that is no JSON, or is too long, is answered as the
//! protocol says rather than left out in silence, and so is one that the protocol's own reader would leave out. Deliberately absent: signals, and everything else on the output.

use std::sync::Arc;

use rmcp::ServiceExt;
use s2s::Failure;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream};
use tokio::sync::Mutex;

use crate::server::Server;

/// The longest line: twice the largest arguments, which are refused with more words.
const MOST_BYTES: usize = 2 << 20;
/// How much waits between the streams and the protocol.
const BETWEEN: usize = 64 << 10;

const NO_JSON: (i64, &str) = (-32700, "the line is no JSON; nothing was done");
const TOO_LONG: (i64, &str) = (-32600, "the message is longer than 2 MB; nothing was done. Say it shorter");
const UNREADABLE: (i64, &str) =
    (-32700, "the message holds a broken character, a number out of range or too deep a nesting; nothing was done");
/// How deep a message may be nested; deeper ones the protocol's own reader leaves out without a word.
const MOST_DEEP: usize = 64;

/// As much of a message as can be read of any: whose it is.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    id: Value,
}

/// Serves one client until its input ends and nothing runs any more.
///
/// # Errors
/// If the streams break.
pub async fn serve_stdio(
    server: Server,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), Failure> {
    let (ours_in, theirs_in) = tokio::io::duplex(BETWEEN);
    let (theirs_out, ours_out) = tokio::io::duplex(BETWEEN);
    let output = Arc::new(Mutex::new(output));
    tokio::spawn(take_in(input, ours_in, Arc::clone(&output)));
    let giving = tokio::spawn(give_out(ours_out, output));
    match server.clone().serve((theirs_in, theirs_out)).await {
        Ok(running) => {
            // How the service ended says nothing about the sessions.
            let _ = running.waiting().await;
        }
        Err(error) => tracing::info!("no client came: {error}"),
    }
    // What was answered is out before the process may end.
    let _ = giving.await;
    server.runs.idle().await;
    Ok(())
}

/// Passes on lines that are JSON, and answers those that are not.
async fn take_in<O: AsyncWrite + Unpin>(input: impl AsyncRead + Unpin, mut to: DuplexStream, output: Arc<Mutex<O>>) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        let most = MOST_BYTES as u64 + 1;
        match (&mut input).take(most).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if line.len() > MOST_BYTES && !line.ends_with(b"\n") {
            let more = drop_rest(&mut input).await;
            say(TOO_LONG, &Value::Null, &output).await;
            if !more {
                return;
            }
            continue;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if let Err((flaw, id)) = readable(&line) {
            say(flaw, &id, &output).await;
            continue;
        }
        if !line.ends_with(b"\n") {
            line.push(b'\n');
        }
        if to.write_all(&line).await.is_err() {
            return;
        }
    }
}

/// Whether the protocol can read a line; else what is wrong, and whose message it is.
fn readable(line: &[u8]) -> Result<(), ((i64, &'static str), Value)> {
    match serde_json::from_slice::<Value>(line) {
        Ok(message) if depth(&message) <= MOST_DEEP => Ok(()),
        Ok(message) => Err((UNREADABLE, message.get("id").cloned().unwrap_or_default())),
        // What is only skipped may hold what cannot be read.
        Err(_) if serde_json::from_slice::<IgnoredAny>(line).is_ok() => {
            Err((UNREADABLE, serde_json::from_slice::<Head>(line).map(|head| head.id).unwrap_or_default()))
        }
        Err(_) => Err((NO_JSON, Value::Null)),
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

/// Reads to the end of a line without keeping it; false = the input has ended.
async fn drop_rest(input: &mut BufReader<impl AsyncRead + Unpin>) -> bool {
    loop {
        let Ok(read) = input.fill_buf().await else { return false };
        if read.is_empty() {
            return false;
        }
        let end = read.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(read.len(), |at| at + 1);
        input.consume(taken);
        if end.is_some() {
            return true;
        }
    }
}

/// Passes on what the protocol says, whole lines at a time.
async fn give_out<O: AsyncWrite + Unpin>(from: DuplexStream, output: Arc<Mutex<O>>) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    loop {
        line.clear();
        match from.read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let mut output = output.lock().await;
        if output.write_all(&line).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

async fn say<O: AsyncWrite + Unpin>((code, message): (i64, &str), id: &Value, output: &Mutex<O>) {
    let text = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } });
    let mut output = output.lock().await;
    // A client that does not read is gone; its input ends next.
    let _ = output.write_all(format!("{text}\n").as_bytes()).await;
    let _ = output.flush().await;
}
