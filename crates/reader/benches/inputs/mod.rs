//! What is measured: replies as models write them, clean and damaged, and inputs of 1 MB that were made to hurt.
//! Shared by the benchmark and by the example `percentiles`.

use s2s_reader::{Kind, MAX_REPLY_BYTES};
use serde_json::Value;

/// Every kind of reply.
pub const KINDS: [Kind; 4] = [Kind::Sides, Kind::Question, Kind::Response, Kind::Synthesis];

/// One reply and what it answers.
#[derive(Debug)]
pub struct Reply {
    /// Its name.
    #[allow(dead_code, reason = "the benchmark names no single reply")]
    pub id: String,
    /// What was asked for.
    pub kind: Kind,
    /// What came back.
    pub text: String,
}

/// The replies of a file with one object on each line: `id`, `schema`, `text`.
pub fn replies(lines: &str) -> Result<Vec<Reply>, String> {
    let lines = lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| reply(line).map_err(|what| format!("line {}: {what}", at + 1))).collect()
}

fn reply(line: &str) -> Result<Reply, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let field = |name: &str| value[name].as_str().map(str::to_owned).ok_or_else(|| format!("it has no {name}"));
    let kind = match field("schema")?.as_str() {
        "question" => Kind::Question,
        "response" | "participant" => Kind::Response,
        "synthesis" | "facilitator" => Kind::Synthesis,
        "sides" => Kind::Sides,
        other => return Err(format!("unknown schema {other}")),
    };
    Ok(Reply { id: field("id")?, kind, text: field("text")? })
}

/// The inputs made to hurt, by name.
pub const HOSTILE: [&str; 22] = [
    "nested [",
    "nested {\"a\":",
    "word {x} [y]",
    "100,000 [",
    "one giant line",
    "alias bomb",
    "quotes",
    "backslashes",
    "position: lines",
    "- lines",
    "fences",
    "<think>",
    "<a>",
    "{{",
    "key: | lines",
    "\"position\": \"",
    "one giant string",
    "deeper and deeper lines",
    "escapes",
    "commas",
    "votes: lines",
    "strings in strings",
];

/// One of [`HOSTILE`], as large as a reply may be.
pub fn hostile(name: &str) -> String {
    match name {
        "nested [" => filled("["),
        "nested {\"a\":" => filled("{\"a\":"),
        "word {x} [y]" => filled("word {x} [y] "),
        "100,000 [" => "[".repeat(100_000),
        "one giant line" => format!("position: {}", filled("word ")),
        "alias bomb" => alias_bomb(),
        "quotes" => filled("\""),
        "backslashes" => format!("{{\"position\": \"{}", filled("\\")),
        "position: lines" => filled("position: \n"),
        "- lines" => filled("- \n"),
        "fences" => filled("```\n"),
        "<think>" => filled("<think>"),
        "<a>" => filled("<a>"),
        "{{" => filled("{{"),
        "key: | lines" => filled("key: |\n"),
        "\"position\": \"" => filled("\"position\": \""),
        "one giant string" => format!("{{\"position\": \"{}", filled("word ")),
        "deeper and deeper lines" => deeper(),
        "escapes" => filled("\u{1b}]0;\u{202e}"),
        "commas" => format!("[{}", filled(",")),
        "votes: lines" => filled("votes:\n"),
        "strings in strings" => filled("{\"arguments\": \"{\\\"\n"),
        other => other.to_owned(),
    }
}

/// A piece repeated up to a little less than the largest reply, so that something fits before it.
fn filled(piece: &str) -> String {
    piece.repeat((MAX_REPLY_BYTES - 64) / piece.len())
}

/// Nine levels of nine aliases, and text up to the full size.
fn alias_bomb() -> String {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    text.push_str("position: *a9\nrationale: *a9\nconfidence: 0.5\n");
    let rest = MAX_REPLY_BYTES - text.len();
    text.push_str(&"- *a9\n".repeat(rest / 6));
    text
}

/// Each line one blank further in than the one above.
fn deeper() -> String {
    let mut text = String::new();
    for depth in 0.. {
        let line = format!("{}a:\n", " ".repeat(depth));
        if text.len() + line.len() > MAX_REPLY_BYTES {
            break;
        }
        text.push_str(&line);
    }
    text
}
