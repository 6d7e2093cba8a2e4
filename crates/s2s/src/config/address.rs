//! Addresses of providers: which are taken, and which are near.
//! Given a text; hands on a checked address, or what is wrong with it. A key goes wherever an address says, so
//! it says nothing twice, hides nothing and is not sent in the clear over a public network. Deliberately
//! absent: resolving names, and any connection.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// What a good address looks like.
pub(crate) const RULE: &str = "an address such as https://host/v1, or http:// for this machine or a private network";

/// Reads an address; what is wrong is said without the address, which may hold a password.
pub(crate) fn read(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text.trim()).map_err(|_| "this is not an address")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("the address must start with https:// or http://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a name or password does not belong in an address");
    }
    if url.fragment().is_some() {
        return Err("an address of a provider has no `#` part");
    }
    let tells_key = |name: &str| {
        ["key", "api_key", "api-key", "apikey", "token", "access_token", "secret"]
            .contains(&name.to_lowercase().as_str())
    };
    if url.query_pairs().any(|(name, _)| tells_key(&name)) {
        return Err("a key does not belong in an address");
    }
    match url.host() {
        Some(_) => Ok(url),
        None => Err("the address names no host"),
    }
}

/// Whether what is sent there can be read on the way: plain HTTP to a host that is not near.
pub(crate) fn is_exposed(url: &Url) -> bool {
    url.scheme() == "http" && !is_near(url)
}

/// Whether the address is this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// Whether the address is this machine or a private network. A name without a dot is one of a private network.
fn is_near(url: &Url) -> bool {
    let private = |ip: &Ipv4Addr| ip.is_private() || ip.is_loopback() || ip.is_link_local();
    let unique = |ip: &Ipv6Addr| ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local();
    match url.host() {
        Some(Host::Domain(name)) => {
            is_loopback(url)
                || !name.contains('.')
                || [".local", ".internal", ".lan"].iter().any(|end| name.ends_with(end))
        }
        Some(Host::Ipv4(ip)) => private(&ip),
        Some(Host::Ipv6(ip)) => unique(&ip) || ip.to_ipv4_mapped().is_some_and(|ip| private(&ip)),
        None => false,
    }
}

/// Scheme, host and port: what decides who gets a key.
pub(crate) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

#[cfg(test)]
mod tests {
    use super::{is_exposed, is_loopback, origin, read};

    #[test]
    fn addresses_are_taken_by_what_happens_to_a_key() {
        for (text, exposed) in [
            ("https://api.example.com/v1", false),
            ("http://127.0.0.1:8080/v1", false),
            ("http://localhost:8080", false),
            ("http://[::1]:8080", false),
            ("http://10.1.2.3/v1", false),
            ("http://192.168.0.7", false),
            ("http://[fd00::1]/", false),
            ("http://[::ffff:10.0.0.1]/", false),
            ("http://ollama:11434", false),
            ("http://gateway.internal", false),
            ("http://api.example.com", true),
            ("http://8.8.8.8", true),
            ("http://127.0.0.1.evil.com", true),
            ("http://localhost.evil.com", true),
            ("https://gateway/openai/deployments/x?api-version=2026-01-01", false),
        ] {
            assert_eq!(is_exposed(&read(text).expect(text)), exposed, "{text}");
        }
        for text in [
            "ftp://host/",
            "host/v1",
            "",
            "https://bob@host",
            "https://bob:pass@host",
            "https://host/#x",
            "https://host/?key=abc",
            "https://host/v1?API_KEY=abc",
            "file:///etc/passwd",
            "https://",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_origin_is_one_however_it_is_written() {
        for (text, expected) in [
            ("https://API.Example.com:443/v1/", "https://api.example.com"),
            ("http://127.1:8080/v1", "http://127.0.0.1:8080"),
            ("http://0x7f.1/", "http://127.0.0.1"),
        ] {
            assert_eq!(origin(&read(text).expect(text)), expected);
        }
        assert!(is_loopback(&read("http://127.0.0.1:1").expect("good")));
        assert!(!is_loopback(&read("http://10.0.0.1").expect("good")));
    }
}
