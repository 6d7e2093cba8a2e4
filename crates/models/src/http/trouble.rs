//! What goes wrong on the way, in plain words: names, connections, certificates.
//! Given an error of the HTTP client; hands on a fault that names the host and nothing else of the address.
//! Deliberately absent: what a server answers.

use std::error::Error;
use std::io::ErrorKind;

use crate::{Fault, FaultKind};

/// No answer came.
pub(super) fn at(place: &str, error: &reqwest::Error) -> Fault {
    let (what, next) = if chain_says(error, &["dns error", "failed to lookup address"]) {
        (
            format!("could not be reached: no address is known for {place}"),
            "check the host in base_url, and the network",
        )
    } else if io_kind(error) == Some(ErrorKind::ConnectionRefused) {
        (format!("could not be reached: {place} refused the connection"), "check that the server runs, and its port")
    } else if chain_says(error, &["certificate", "tls", "handshake", "invalidcontenttype"]) {
        let why = deepest(error);
        let next = "check the certificate and the clock, and whether base_url needs http:// or https://";
        (format!("could not be reached: no safe connection to {place} ({why})"), next)
    } else if error.is_connect() && error.is_timeout() {
        (
            format!("could not be reached: {place} did not answer the connection"),
            "check the network, a firewall or proxy",
        )
    } else if is_reset(error) {
        (format!("hung up: {place} closed the connection before it answered"), "try again")
    } else if chain_says(error, &["proxy", "tunnel"]) {
        (format!("could not be reached: the proxy gave no way to {place}"), "check HTTPS_PROXY and NO_PROXY")
    } else {
        (format!("could not be reached: {place} ({})", deepest(error)), "check the network and base_url")
    };
    Fault::new(FaultKind::Network, what).next(next)
}

/// The answer broke off. An end in the middle is a cut reply; anything else is the network.
pub(super) fn in_body(place: &str, error: &reqwest::Error) -> Fault {
    if is_early_end(error) {
        return Fault::new(FaultKind::Cut, "ended the reply in the middle: the connection was closed");
    }
    let what = if io_kind(error) == Some(ErrorKind::ConnectionReset) {
        format!("hung up: {place} reset the connection in mid-reply")
    } else {
        format!("hung up in mid-reply: {place} ({})", deepest(error))
    };
    Fault::new(FaultKind::Network, what).next("try again; if it stays so, check the network and any proxy")
}

fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    let mut next = error.source();
    std::iter::from_fn(move || {
        let cause = next?;
        next = cause.source();
        Some(cause)
    })
}

/// The words of the innermost cause. They never hold the address: only the outermost error knows it.
fn deepest(error: &reqwest::Error) -> String {
    chain(error).last().map_or_else(|| "no cause is known".to_owned(), ToString::to_string)
}

fn chain_says(error: &reqwest::Error, words: &[&str]) -> bool {
    chain(error).any(|cause| {
        let said = cause.to_string().to_lowercase();
        words.iter().any(|word| said.contains(word))
    })
}

/// The kind of the innermost error of the system.
fn io_kind(error: &reqwest::Error) -> Option<ErrorKind> {
    chain(error).filter_map(|cause| cause.downcast_ref::<std::io::Error>()).map(std::io::Error::kind).last()
}

fn is_early_end(error: &reqwest::Error) -> bool {
    io_kind(error) == Some(ErrorKind::UnexpectedEof)
        || chain_says(error, &["unexpected eof", "end of file before message length", "message completed"])
}

fn is_reset(error: &reqwest::Error) -> bool {
    let kinds = [ErrorKind::ConnectionReset, ErrorKind::ConnectionAborted, ErrorKind::BrokenPipe];
    io_kind(error).is_some_and(|kind| kinds.contains(&kind)) || is_early_end(error)
}
