//! One connection: request after request until either side has enough.
//! Given a stream and the house it belongs to; decides what each request is, notes it, and has the answer
//! sent. Deliberately absent: bytes (`http`), answers (`perform`).

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::act::Act;
use crate::asked::Asked;
use crate::check;
use crate::complaint::Complaint;
use crate::formats;
use crate::http::{Incoming, Request, Wire, reason};
use crate::memory::{BYTES_PER_TOKEN, Cached};
use crate::perform::Then;
use crate::routes::{Format, Route, route};
use crate::seen::{Seen, sound};
use crate::server::House;
use crate::stage::Stage;

/// Where a connection arrived.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Door {
    /// The number of the connection, from 1.
    pub(crate) number: u64,
    /// Whether it is the port that redirects lead to.
    pub(crate) elsewhere: bool,
}

/// Serves one connection to its end.
pub(crate) async fn serve(stream: TcpStream, house: Arc<House>, door: Door) {
    // A stream of small pieces should arrive as small pieces; without this it still works, only later.
    let _ = stream.set_nodelay(true);
    let mut wire = Wire::new(stream);
    // A client that leaves is its own affair: nobody is there to be told.
    if let Ok(Then::Reset) = talk(&mut wire, &house, door).await {
        let _ = wire.stream.set_zero_linger();
    } else {
        let _ = wire.stream.shutdown().await;
    }
}

async fn talk(wire: &mut Wire, house: &House, door: Door) -> io::Result<Then> {
    loop {
        let request = match wire.request().await? {
            Incoming::Request(request) => *request,
            Incoming::Gone => return Ok(Then::Close),
            Incoming::Unreadable(status) => {
                let text =
                    format!("HTTP/1.1 {status} {}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", reason(status));
                wire.send(text.as_bytes()).await?;
                return Ok(Then::Close);
            }
        };
        let close = request.close;
        let then = answer(wire, house, door, request).await?;
        if then != Then::Stay || close {
            return Ok(then);
        }
    }
}

async fn answer(wire: &mut Wire, house: &House, door: Door, mut request: Request) -> io::Result<Then> {
    let wanted = route(&request.method, &request.path, &request.query, &request.headers);
    let format = match &wanted {
        Route::Reply(format) | Route::Models(format) => *format,
        Route::Gemini { .. } => Format::Gemini,
        Route::CountTokens => Format::Anthropic,
        Route::Root | Route::Version | Route::Nothing => return aside(wire, &wanted, &request).await,
    };
    let n = match wanted {
        Route::Models(_) | Route::CountTokens => 0,
        _ => house.tally.calls.fetch_add(1, Ordering::Relaxed) + 1,
    };
    let target = match request.query.is_empty() {
        true => request.path.clone(),
        false => format!("{}?{}", request.path, request.query),
    };
    let body = serde_json::from_slice::<Value>(&request.body).ok();
    let understood = understand(house, &wanted, format, &request, body.as_ref());
    let empty = Asked::new(format);
    let asked = understood.as_ref().unwrap_or(&empty);
    let cached = match (&understood, n) {
        (Ok(asked), 1..) => {
            let key = check::key(&request.headers, &request.query).unwrap_or_default();
            sound(&house.memory).meet(key, asked)
        }
        _ => Cached::default(),
    };
    let plan = &house.course.plan;
    let stage = Stage { n, asked, plan, cached, elsewhere: &house.elsewhere, target: &target };
    match wanted {
        Route::Models(format) if understood.is_ok() => return stage.plain(wire, &formats::models(format)).await,
        Route::CountTokens if understood.is_ok() => {
            let tokens = asked.prompt.len().div_ceil(BYTES_PER_TOKEN);
            return stage.plain(wire, &json!({ "input_tokens": tokens })).await;
        }
        _ => {}
    }
    let mut under_way = house.tally.begin();
    let decided = understood.as_ref().map(|asked| house.course.act(n, asked));
    let outcome = decided.as_ref().map_or_else(|complaint| complaint.name(), Act::name);
    if house.notes() {
        house.note(Seen {
            n,
            format,
            model: asked.model.clone(),
            path: target.clone(),
            headers: std::mem::take(&mut request.headers),
            body: body.unwrap_or_default(),
            connection: door.number,
            elsewhere: door.elsewhere,
            outcome,
        });
    } else {
        drop(body);
    }
    // Thousands of calls may wait at once: none holds more than its answer needs.
    drop(request);
    let then = match decided {
        Ok(act) => stage.perform(wire, &act).await,
        Err(complaint) => stage.complain(wire, complaint, "").await,
    };
    under_way.whole = then.is_ok();
    then
}

/// What a call asks, once it has passed the checks of a real server.
fn understand(
    house: &House,
    wanted: &Route,
    format: Format,
    request: &Request,
    body: Option<&Value>,
) -> Result<Asked, Complaint> {
    if !house.course.plan.keyless {
        check::access(format, &request.headers, &request.query)?;
    }
    if matches!(wanted, Route::Models(_)) {
        return Ok(Asked::new(format));
    }
    let body = body.ok_or(Complaint::NotJson)?;
    if *wanted == Route::CountTokens {
        return Ok(Asked::of(format, body));
    }
    if let Route::Gemini { model, .. } = wanted {
        check::known(model)?;
    }
    check::body(format, body)?;
    let mut asked = Asked::of(format, body);
    if let Route::Gemini { model, stream, sse } = wanted {
        (asked.model, asked.stream, asked.sse) = (model.clone(), *stream, *sse);
    }
    Ok(asked)
}

/// What is asked beside the calls.
async fn aside(wire: &mut Wire, wanted: &Route, request: &Request) -> io::Result<Then> {
    let (status, body) = match wanted {
        Route::Root => (200, "s2s mock server\n".to_owned()),
        Route::Version => (200, json!({ "version": "0.0.0-mock" }).to_string()),
        _ => {
            let message =
                format!("there is nothing at {} {}; docs/mock-server.md lists the paths", request.method, request.path);
            (404, json!({ "error": { "message": message, "type": "not_found", "code": null } }).to_string())
        }
    };
    let kind = if *wanted == Route::Root { "text/plain" } else { "application/json" };
    let (length, reason) = (body.len(), reason(status));
    let body = if request.method == "HEAD" { String::new() } else { body };
    let text = format!("HTTP/1.1 {status} {reason}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}");
    wire.send(text.as_bytes()).await?;
    Ok(Then::Stay)
}
