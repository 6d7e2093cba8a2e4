//! The words of an error: its message, its names, and how long it asks us to wait.
//! Given the body of any provider; hands on its message and what it is about. Cold: it may build trees.
//! Deliberately absent: status codes, and what kind of failure they make.

use std::time::Duration;

use serde_json::Value;

use crate::FaultKind;

/// What an error says.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// Its message, as it came. May be empty.
    pub message: String,
    /// The whole message, and every name of the error, in small letters.
    words: String,
    /// The names alone.
    names: String,
    /// The status it gives in its body.
    pub code: Option<u16>,
    /// How long it asks us to wait, where the body says so.
    pub delay: Option<Duration>,
    /// The provider's name for the call, where the body has it.
    pub request_id: Option<String>,
}

impl Said {
    /// Reads an error's body, be it JSON, HTML or plain text.
    pub(crate) fn read(body: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(tree) => Self::of_json(&tree),
            Err(_) => Self::of_text(&String::from_utf8_lossy(body)),
        }
    }

    fn of_json(tree: &Value) -> Self {
        // Gemini wraps the error of a stream in a list.
        let tree = tree.get(0).unwrap_or(tree);
        let error = tree.get("error").filter(|error| !error.is_null()).unwrap_or(tree);
        let text = |name: &str| error.get(name).and_then(Value::as_str);
        let message = error.as_str().or_else(|| text("message")).or_else(|| text("detail")).or_else(|| text("error"));
        let mut names: Vec<&str> = ["type", "code", "status", "reason"].iter().filter_map(|name| text(name)).collect();
        let details = error.get("details").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        names.extend(details.iter().filter_map(|detail| detail.get("reason")?.as_str()));
        names.extend(quotas(details));
        let names = names.join(" ").to_lowercase();
        let message = message.map(str::to_owned).unwrap_or_else(|| match error {
            Value::Object(_) | Value::Array(_) if names.is_empty() => error.to_string(),
            _ => names.clone(),
        });
        let number = error.get("code").or_else(|| error.get("status")).and_then(Value::as_u64);
        let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str()?.strip_suffix('s'));
        Self {
            words: format!("{} {names}", message.to_lowercase()),
            message,
            names,
            code: number.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code)),
            request_id: named(tree).or_else(|| named(error)),
            delay: delay.and_then(|seconds| Duration::try_from_secs_f64(seconds.parse().ok()?).ok()),
        }
    }

    fn of_text(text: &str) -> Self {
        let message = if looks_like_html(text) { page_title(text) } else { text.to_owned() };
        Self { words: message.to_lowercase(), message, ..Self::default() }
    }

    /// Whether one of the error's names holds this word.
    pub(crate) fn is_named(&self, word: &str) -> bool {
        self.names.contains(word)
    }

    /// Whether the account is out of money or quota, so that waiting a little will not help.
    pub(crate) fn is_about_money(&self) -> bool {
        // Gemini says the same sentence for a minute's limit and for a day's; only the quota's name tells.
        if self.names.contains("perminute") && !self.names.contains("perday") {
            return false;
        }
        // "Billing" alone says nothing: a plain rate limit also tells where more can be bought.
        const NAMES: [&str; 4] = ["billing", "insufficient_quota", "payment", "perday"];
        const WORDS: [&str; 17] = [
            "insufficient quota",
            "exceeded your current quota",
            "plan and billing",
            "billing account",
            "billing is not",
            "enable billing",
            "specified api usage limits",
            "reached your usage limit",
            "credit balance",
            "insufficient credit",
            "insufficient_credit",
            "insufficient balance",
            "insufficient_balance",
            "out of credit",
            "spend limit",
            "spending limit",
            "key limit exceeded",
        ];
        let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
        has(&self.names, &NAMES) || has(&self.words, &WORDS)
    }

    /// What is wrong with the request, where the words tell more than "bad request" or "forbidden".
    pub(crate) fn request(&self) -> Option<FaultKind> {
        const LONG: [&str; 11] = [
            "context length",
            "context_length",
            "context window",
            "context limit",
            "context size",
            "maximum context",
            "too many tokens",
            "too many input tokens",
            "prompt is too long",
            "input is too long",
            "input token count",
        ];
        const KEY: [&str; 4] = ["api_key_invalid", "invalid_api_key", "api key not valid", "invalid api key"];
        const FILTER: [&str; 4] = ["content_filter", "content_policy", "content management policy", "safety_violation"];
        let has = |words: &[&str]| words.iter().any(|word| self.words.contains(word));
        if self.is_about_money() {
            Some(FaultKind::SpendLimit)
        } else if has(&LONG) {
            Some(FaultKind::TooLong)
        } else if has(&KEY) {
            Some(FaultKind::Unauthorized)
        } else if has(&FILTER) {
            Some(FaultKind::Filtered)
        } else {
            None
        }
    }
}

/// The name of the call in a part of a body.
fn named(tree: &Value) -> Option<String> {
    let id = ["request_id", "requestId"].iter().find_map(|name| tree.get(*name)?.as_str());
    id.filter(|id| !id.is_empty()).map(str::to_owned)
}

/// The names of the quotas that Gemini says are used up.
fn quotas(details: &[Value]) -> impl Iterator<Item = &str> {
    details
        .iter()
        .filter_map(|detail| detail.get("violations")?.as_array())
        .flatten()
        .filter_map(|violation| violation.get("quotaId")?.as_str())
}

/// Whether a body is a page for people.
fn looks_like_html(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(15).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html") || start.starts_with("<head")
}

/// What a page says it is.
fn page_title(page: &str) -> String {
    let lower = page.to_ascii_lowercase();
    let title = lower.find("<title").and_then(|start| {
        let open = start + lower[start..].find('>')? + 1;
        let close = open + lower[open..].find("</title")?;
        Some(page[open..close].trim()).filter(|title| !title.is_empty())
    });
    title.map_or_else(|| "an HTML page".to_owned(), |title| format!("an HTML page, {title:?}"))
}

/// A text on one line, without control characters or marks that hide and turn it.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line.retain(|c| !is_invisible(c));
    line
}

/// The beginning of a text, with a mark where something is missing.
pub(crate) fn cut(text: &mut String, most: usize) {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
}

/// Marks that turn or hide text on a screen.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}
