//! The one HTTP client of a process: its connections are shared by all providers.
//! Given nothing; hands on a client that follows no redirect, unpacks nothing and keeps its connections.
//! Deliberately absent: addresses, keys, formats.

use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};
use reqwest::{Client, ClientBuilder, Url, redirect};

use crate::endpoint::is_loopback;
use crate::{Fault, FaultKind};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// Shorter than what servers and the proxies before them usually keep, so that few calls meet a closed connection.
const IDLE_CONNECTION: Duration = Duration::from_secs(50);

/// The shared client. Clones share its connections.
#[derive(Debug, Clone)]
pub struct HttpClient {
    /// Goes through the system's proxy, where there is one.
    outside: Client,
    /// Stays on this machine: a proxy there would see what is meant for a local model.
    inside: Client,
}

impl HttpClient {
    /// A client with no connections yet.
    pub fn new() -> Result<Self, Fault> {
        let broken = |error: reqwest::Error| {
            Fault::new(FaultKind::Network, format!("no HTTP client could be made: {error}"))
                .next("check that this system has root certificates")
        };
        let outside = builder().build().map_err(broken)?;
        let inside = builder().no_proxy().build().map_err(broken)?;
        Ok(Self { outside, inside })
    }

    /// The client for an address.
    pub(super) fn for_url(&self, url: &Url) -> &Client {
        if is_loopback(url) { &self.inside } else { &self.outside }
    }
}

fn builder() -> ClientBuilder {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    Client::builder()
        .user_agent(concat!("s2s/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .redirect(redirect::Policy::none())
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_keepalive(KEEP_ALIVE)
        .tcp_nodelay(true)
        .pool_idle_timeout(IDLE_CONNECTION)
}
