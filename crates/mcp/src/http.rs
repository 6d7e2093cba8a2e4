//! The server over HTTP, at `/mcp`.
//! Given a listening socket, a token and the names under which clients may call; serves until it is dropped. Whoever
//! shows no token gets 401 before anything is read; a foreign `Host` or any `Origin` of a browser gets 403, so that no
//! web page reaches it under another name; bodies have an end. Deliberately absent: TLS, which is a proxy's work.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use s2s::Failure;
use tokio::net::TcpListener;

use crate::server::Server;
use crate::token::Token;

/// The largest body: a call with its arguments.
const MOST_BYTES: usize = 1 << 20;
/// Where the server answers.
pub(crate) const PATH: &str = "/mcp";

/// Where clients come in.
pub struct Door {
    listener: TcpListener,
    address: SocketAddr,
    names: Vec<String>,
}

impl Door {
    /// Listens. Only this machine can call, unless others are allowed.
    ///
    /// # Errors
    /// If the address is not of this machine and others are not allowed, or it cannot be listened on.
    pub async fn open(address: SocketAddr, allow_remote: bool, more_names: &[String]) -> Result<Self, Failure> {
        if !address.ip().is_loopback() && !allow_remote {
            return Err(Failure::bad_input(format!("{address} can be reached from other machines"))
                .next("listen on 127.0.0.1, or add --allow-remote if you mean it; the token goes over plain HTTP"));
        }
        let failed = |error: std::io::Error| {
            Failure::failed(format!("cannot listen on {address}: {error}"))
                .next("choose another port, or 0 for a free one")
        };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
        names.push(match address.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => ip.to_string(),
        });
        names.extend_from_slice(more_names);
        Ok(Self { listener, address, names })
    }

    /// Where clients call.
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }
}

/// Serves clients over HTTP, for as long as it is polled.
///
/// # Errors
/// If the socket breaks.
pub async fn serve_http(server: Server, door: Door, token: Token) -> Result<(), Failure> {
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(door.names)
        .enforce_origin_validation()
        .with_max_request_body_bytes(MOST_BYTES);
    let make = move || Ok(server.clone());
    let service = StreamableHttpService::new(make, Arc::new(LocalSessionManager::default()), config);
    let router = Router::new().route_service(PATH, service).layer(from_fn_with_state(Arc::new(token), guard));
    let served = axum::serve(door.listener, router).await;
    served.map_err(|error| Failure::failed(format!("the server broke off: {error}")))
}

/// Lets through whoever shows the token.
async fn guard(State(token): State<Arc<Token>>, request: Request, next: Next) -> Response {
    let shown = request.headers().get(AUTHORIZATION).map(HeaderValue::as_bytes);
    if token.is_shown_by(shown) {
        return next.run(request).await;
    }
    let text = "The token is missing or wrong. Send it as the header `Authorization: Bearer TOKEN`; `s2s mcp --http` \
                tells it when it starts.\n";
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}
