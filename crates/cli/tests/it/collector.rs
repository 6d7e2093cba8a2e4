//! An OpenTelemetry collector on loopback: takes spans by OTLP over HTTP and keeps them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;

/// What came in one request.
#[derive(Clone)]
pub struct Taken {
    /// Its head: request line and headers.
    pub head: String,
    /// Its body.
    pub body: Vec<u8>,
}

pub struct Collector {
    pub url: String,
    taken: Arc<Mutex<Vec<Taken>>>,
}

impl Collector {
    /// A collector that answers every request with this status.
    pub fn answering(status: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let taken = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&taken);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                thread::spawn(move || serve(stream, status, &kept));
            }
        });
        Self { url, taken }
    }

    /// Every request so far.
    pub fn taken(&self) -> Vec<Taken> {
        self.taken.lock().unwrap().clone()
    }

    /// Every span so far; each request must be one of traces.
    pub fn spans(&self) -> Vec<Span> {
        let requests = self.requests();
        let scopes = requests.into_iter().flat_map(|request| request.resource_spans).flat_map(|by| by.scope_spans);
        scopes.flat_map(|by| by.spans).collect()
    }

    /// A text attribute of whoever sent the first request.
    pub fn sender(&self, key: &str) -> String {
        text(&self.requests()[0].resource_spans[0].resource.as_ref().unwrap().attributes, key)
    }

    fn requests(&self) -> Vec<ExportTraceServiceRequest> {
        let read = |taken: Taken| {
            assert!(taken.head.starts_with("POST /v1/traces HTTP/1.1"), "{}", taken.head);
            ExportTraceServiceRequest::decode(&*taken.body).unwrap()
        };
        self.taken().into_iter().map(read).collect()
    }
}

fn serve(stream: TcpStream, status: &str, kept: &Mutex<Vec<Taken>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            // The client has gone, as it may.
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
            head.push_str(&line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        kept.lock().unwrap().push(Taken { head, body });
        stream.write_all(format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").as_bytes()).unwrap();
    }
}

/// An attribute's value.
pub fn value<'a>(attributes: &'a [KeyValue], key: &str) -> Option<&'a any_value::Value> {
    let found = attributes.iter().find(|attribute| attribute.key == key)?;
    found.value.as_ref().and_then(|AnyValue { value, .. }| value.as_ref())
}

/// A text attribute; empty = there is none.
pub fn text(attributes: &[KeyValue], key: &str) -> String {
    match value(attributes, key) {
        Some(any_value::Value::StringValue(text)) => text.clone(),
        None => String::new(),
        Some(other) => panic!("{key} is no text: {other:?}"),
    }
}

/// A whole number.
#[track_caller]
pub fn number(attributes: &[KeyValue], key: &str) -> i64 {
    match value(attributes, key) {
        Some(any_value::Value::IntValue(number)) => *number,
        other => panic!("{key} is no number: {other:?}"),
    }
}
