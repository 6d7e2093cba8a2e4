//! Which path means what, and in whose format.
//! Given a method and a path; hands on what is wanted there. Only how a path ends counts, so that gateways
//! with a prefix of their own can be played too. Deliberately absent: the body.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A provider's wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI chat completions.
    #[serde(rename = "openai")]
    OpenAi,
    /// OpenAI Responses.
    Responses,
    /// Google Gemini.
    Gemini,
    /// Ollama.
    Ollama,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Anthropic, Self::OpenAi, Self::Responses, Self::Gemini, Self::Ollama];

    /// Its name in scripts and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Responses => "responses",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }
}

/// What a request wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    /// A reply.
    Reply(Format),
    /// A reply from Gemini, where path and query say which model and how.
    Gemini { model: String, stream: bool, sse: bool },
    /// How many tokens a prompt has (Anthropic).
    CountTokens,
    /// Which models there are.
    Models(Format),
    /// Whether anybody is there.
    Root,
    /// A version (Ollama).
    Version,
    /// Nothing we know.
    Nothing,
}

/// What is wanted at a path.
pub(crate) fn route(method: &str, path: &str, query: &str, headers: &BTreeMap<String, String>) -> Route {
    let path = path.trim_end_matches('/');
    if method == "POST" {
        return posted(path, query);
    }
    if method != "GET" && method != "HEAD" {
        return Route::Nothing;
    }
    match path {
        "" => Route::Root,
        _ if path.ends_with("/api/tags") => Route::Models(Format::Ollama),
        _ if path.ends_with("/api/version") => Route::Version,
        _ if path.ends_with("/v1beta/models") => Route::Models(Format::Gemini),
        _ if path.ends_with("/models") && headers.contains_key("anthropic-version") => Route::Models(Format::Anthropic),
        _ if path.ends_with("/models") => Route::Models(Format::OpenAi),
        _ => Route::Nothing,
    }
}

fn posted(path: &str, query: &str) -> Route {
    if let Some((_, rest)) = path.rsplit_once("/models/")
        && let Some((model, verb)) = rest.rsplit_once(':')
    {
        let stream = match verb {
            "streamGenerateContent" => true,
            "generateContent" => false,
            _ => return Route::Nothing,
        };
        let sse = query.split('&').any(|pair| pair == "alt=sse");
        return Route::Gemini { model: model.to_owned(), stream, sse };
    }
    let ends = [
        ("/messages", Route::Reply(Format::Anthropic)),
        ("/messages/count_tokens", Route::CountTokens),
        ("/chat/completions", Route::Reply(Format::OpenAi)),
        ("/responses", Route::Reply(Format::Responses)),
        ("/api/chat", Route::Reply(Format::Ollama)),
    ];
    let found = ends.into_iter().find(|(end, _)| path.ends_with(end));
    found.map_or(Route::Nothing, |(_, route)| route)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(method: &str, path: &str, query: &str) -> Route {
        route(method, path, query, &BTreeMap::new())
    }

    #[test]
    fn paths_are_known_by_their_end() {
        assert_eq!(at("POST", "/v1/messages", "beta=true"), Route::Reply(Format::Anthropic));
        assert_eq!(at("POST", "/openai/v1/chat/completions/", ""), Route::Reply(Format::OpenAi));
        assert_eq!(at("POST", "/v1/responses", ""), Route::Reply(Format::Responses));
        assert_eq!(at("POST", "/api/chat", ""), Route::Reply(Format::Ollama));
        assert_eq!(at("POST", "/v1/messages/count_tokens", ""), Route::CountTokens);
        assert_eq!(at("GET", "/v1/models", ""), Route::Models(Format::OpenAi));
        assert_eq!(at("GET", "/v1beta/models", "pageSize=5"), Route::Models(Format::Gemini));
        assert_eq!(at("GET", "/v1/messages", ""), Route::Nothing);
    }

    #[test]
    fn gemini_names_model_and_verb_in_the_path() {
        let model = "mock-large".to_owned();
        let path = "/v1beta/models/mock-large:streamGenerateContent";
        assert_eq!(at("POST", path, "alt=sse"), Route::Gemini { model, stream: true, sse: true });
        assert_eq!(at("POST", "/v1beta/models/x:embedContent", ""), Route::Nothing);
    }
}
