//! Where a provider is reached, in which format, and with which secrets.
//! Given settings; hands on addresses and headers. Deliberately absent: the calls, and where keys come from.

use std::fmt;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName};

use crate::{Fault, FaultKind, Key};

/// The formats we speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Api {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI chat completions, and everything that speaks them too.
    OpenAi,
    /// OpenAI responses.
    OpenAiResponses,
    /// Google Gemini.
    Gemini,
    /// Ollama's own.
    Ollama,
}

impl Api {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Anthropic, Self::OpenAi, Self::OpenAiResponses, Self::Gemini, Self::Ollama];

    /// The format of this name, as it stands in settings.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|api| api.as_str() == name)
    }

    /// The name used in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// Where its maker serves it.
    pub fn base_url(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com",
            Self::OpenAi | Self::OpenAiResponses => "https://api.openai.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta",
            Self::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// The header its key goes into.
    fn key_header(self) -> &'static str {
        match self {
            Self::Anthropic => "x-api-key",
            Self::Gemini => "x-goog-api-key",
            Self::OpenAi | Self::OpenAiResponses | Self::Ollama => "authorization",
        }
    }
}

/// Where a provider is reached.
#[derive(Clone)]
pub struct Endpoint {
    /// The format spoken there.
    pub api: Api,
    /// The address before the paths of the format. A query is kept: some gateways have their version there.
    pub base_url: String,
    /// The key, where one is needed.
    pub key: Option<Key>,
    /// Where the key comes from, in words for a person: the name of a variable, a command, a file.
    pub key_from: String,
    /// The header the key goes into; none = the format's own. Only `authorization` gets `Bearer` before the key.
    pub key_header: Option<String>,
    /// More headers, as gateways want them. Their values may be secrets and are kept as such.
    pub headers: Vec<(String, Key)>,
}

impl Endpoint {
    /// The format at its maker's address, without a key.
    pub fn new(api: Api) -> Self {
        let base_url = api.base_url().to_owned();
        Self { api, base_url, key: None, key_from: String::new(), key_header: None, headers: Vec::new() }
    }

    /// The address as it is used: whole, and one that HTTP can go to.
    pub(crate) fn address(&self) -> Result<Url, Fault> {
        let wrong = |what: &str| {
            Fault::new(FaultKind::Rejected, format!("has a base_url that {what}"))
                .next("write base_url as https://host/path, or http://127.0.0.1:port/path for a server on this machine")
        };
        let url = Url::parse(self.base_url.trim()).map_err(|error| wrong(&format!("is no address ({error})")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("is neither https nor http"));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(wrong("names no host"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            let next = "take it out of base_url; keys come from the environment, a command or a file";
            return Err(Fault::new(FaultKind::Rejected, "has a user or a password in its base_url").next(next));
        }
        Ok(url)
    }

    /// The headers of every call.
    pub(crate) fn header_map(&self) -> Result<HeaderMap, Fault> {
        let mut map = HeaderMap::new();
        if let Some(key) = self.key.as_ref().filter(|key| !key.is_empty()) {
            let name = self.key_header.as_deref().unwrap_or(self.api.key_header());
            let before = if name.eq_ignore_ascii_case("authorization") { "Bearer " } else { "" };
            map.insert(header_name(name)?, key.header(before, &self.key_from)?);
        }
        for (name, value) in &self.headers {
            map.insert(header_name(name)?, value.header("", &format!("the header {name}"))?);
        }
        Ok(map)
    }

    /// Takes every secret out of a text.
    pub(crate) fn redact(&self, text: &mut String) {
        for key in self.key.iter().chain(self.headers.iter().map(|(_, value)| value)) {
            key.redact(text);
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A query or a password in an address can be a secret too.
        let address = Url::parse(&self.base_url).map(|url| place(&url)).unwrap_or_default();
        f.debug_struct("Endpoint")
            .field("api", &self.api)
            .field("address", &address)
            .field("key", &self.key)
            .field("key_from", &self.key_from)
            .field("key_header", &self.key_header)
            .field("headers", &self.headers)
            .finish()
    }
}

fn header_name(name: &str) -> Result<HeaderName, Fault> {
    HeaderName::try_from(name).map_err(|_| {
        Fault::new(FaultKind::Rejected, format!("has a header name that cannot be sent: {name:?}"))
            .next("write header names with letters, digits and `-`")
    })
}

/// Host and port of an address: all of it that may be shown.
pub(crate) fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Whether an address leads to this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host.parse().map_or_else(
        |_| host == "localhost" || host.ends_with(".localhost"),
        |address: std::net::IpAddr| address.is_loopback(),
    )
}

/// The address with further path segments, and its query kept. Segments that end the address already are
/// not put there twice: people paste addresses with and without them.
pub(crate) fn below(base: &Url, segments: &[&str]) -> Url {
    let mut url = base.clone();
    let path = base.path().trim_end_matches('/');
    let there: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let twice = (1..=segments.len()).rev().find(|n| there.ends_with(&segments[..*n])).unwrap_or(0);
    if let Ok(mut end) = url.path_segments_mut() {
        end.pop_if_empty().extend(&segments[twice..]);
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(base: &str, segments: &[&str]) -> String {
        below(&Url::parse(base).unwrap(), segments).to_string()
    }

    #[test]
    fn paths_are_joined_once_and_queries_kept() {
        let chat = ["chat", "completions"];
        assert_eq!(joined("https://h/v1", &chat), "https://h/v1/chat/completions");
        assert_eq!(joined("https://h/v1/", &chat), "https://h/v1/chat/completions");
        assert_eq!(joined("https://h", &chat), "https://h/chat/completions");
        assert_eq!(joined("https://h/v1/chat/completions", &chat), "https://h/v1/chat/completions");
        assert_eq!(
            joined("https://h/openai/deployments/x?api-version=2", &chat),
            "https://h/openai/deployments/x/chat/completions?api-version=2"
        );
        assert_eq!(
            joined("https://api.anthropic.com/v1", &["v1", "messages"]),
            "https://api.anthropic.com/v1/messages"
        );
        assert_eq!(joined("http://h:1/api", &["api", "chat"]), "http://h:1/api/chat");
        assert_eq!(joined("http://h/", &["models", "a/../b?c:go"]), "http://h/models/a%2F..%2Fb%3Fc:go");
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for (url, expected) in [
            ("http://127.0.0.1:1", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:8", true),
            ("http://localhost:8", true),
            ("http://127.0.0.1.example.com", false),
            ("http://10.0.0.1", false),
            ("http://localhost.example.com", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }

    #[test]
    fn an_address_that_leads_nowhere_is_refused_with_what_to_write() {
        for base in ["", "127.0.0.1:80", "ftp://h/", "file:///etc", "unix:/x"] {
            let endpoint = Endpoint { base_url: base.to_owned(), ..Endpoint::new(Api::OpenAi) };
            let fault = endpoint.address().unwrap_err();
            assert_eq!(fault.kind, FaultKind::Rejected, "{base}");
            assert!(fault.next.is_some_and(|next| next.contains("https://host/path")), "{base}");
        }
    }

    #[test]
    fn every_api_has_a_name() {
        for api in Api::ALL {
            assert_eq!(Api::from_name(api.as_str()), Some(api));
        }
        assert_eq!(Api::from_name("command"), None);
    }

    #[test]
    fn secrets_of_an_endpoint_are_not_printed() {
        let endpoint = Endpoint {
            base_url: "https://user:pass-word@h/v1?key=query-secret".to_owned(),
            key: Some(Key::new("key-secret")),
            headers: vec![("x-team".to_owned(), Key::new("header-secret"))],
            ..Endpoint::new(Api::Gemini)
        };
        let shown = format!("{endpoint:?} {:?}", endpoint.header_map().unwrap());
        assert!(!shown.contains("secret") && !shown.contains("pass-word"), "{shown}");
    }
}
