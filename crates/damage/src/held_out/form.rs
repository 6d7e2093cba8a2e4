//! Held out: characters that a clipboard, a page or a pager changed, and JSON that is not quite JSON.

use serde_json::Value;

use crate::kinds::{EITHER, Kind, Made, PLAIN, RICH, SEAT, kept, kind};
use crate::rng::Rng;
use crate::styles::bracketed::{JSON, Syntax, bracketed, quoted};
use crate::styles::yaml::{Yaml, yaml};
use crate::styles::{clean_yaml, either, json};
use crate::words::plain;
use crate::{Form, tree, values};

pub(crate) const KINDS: &[Kind] = &[
    kind("u_mark_and_crlf", "characters", "a byte order mark and CRLF line ends", EITHER, RICH, mark_and_crlf),
    kind("u_nbsp_indent", "characters", "no-break spaces as indentation", EITHER, PLAIN, nbsp_indent),
    kind("u_zero_width_sprinkled", "characters", "zero-width characters inside words", EITHER, PLAIN, zero_width),
    kind("u_html_entities", "characters", "the whole JSON escaped for HTML", EITHER, RICH, html_entities),
    kind("u_curly_quotes", "characters", "curly quotes for JSON's quotes", EITHER, PLAIN, curly_quotes),
    kind("u_line_numbers", "characters", "a line number before every line", EITHER, PLAIN, line_numbers),
    kind(
        "u_escaped_underscores",
        "characters",
        "keys with underscores escaped for Markdown",
        EITHER,
        PLAIN,
        underscores,
    ),
    kind("u_missing_commas", "json", "commas missing at line ends", EITHER, RICH, missing_commas),
    kind("u_comments", "json", "comments in JSON", EITHER, RICH, comments),
    kind("u_raw_line_break", "json", "a line break inside a string, not escaped", EITHER, RICH, raw_line_break),
    kind("u_arrow_for_colon", "json", "an arrow or an equals sign for the colon", EITHER, RICH, arrow_for_colon),
    kind("u_no_outer_braces", "json", "the outer braces are missing", EITHER, RICH, no_outer_braces),
    kind("u_key_quote_missing", "json", "one quote of one key is missing", EITHER, PLAIN, key_quote_missing),
    kind("u_concatenated_strings", "json", "a long string as a sum of two", EITHER, PLAIN, concatenated),
    kind("u_toml", "json", "TOML instead of JSON", SEAT, RICH, toml),
];

fn mark_and_crlf(value: &Value, rng: &mut Rng) -> Made {
    kept(value, format!("\u{feff}{}", either(value, rng).replace('\n', "\r\n")))
}

fn nbsp_indent(value: &Value, rng: &mut Rng) -> Made {
    let text = if rng.percent(40) { json(value) } else { clean_yaml(value) };
    let line = |line: &str| {
        let body = line.trim_start_matches(' ');
        format!("{}{body}", "\u{a0}".repeat(line.len() - body.len()))
    };
    kept(value, text.lines().map(line).collect::<Vec<_>>().join("\n"))
}

fn zero_width(value: &Value, rng: &mut Rng) -> Made {
    let mut text = String::new();
    for letter in either(value, rng).chars() {
        text.push(letter);
        if letter.is_alphabetic() && rng.percent(3) {
            text.push(rng.pick(&['\u{200b}', '\u{200b}', '\u{2060}', '\u{feff}']));
        }
    }
    kept(value, text)
}

fn html_entities(value: &Value, rng: &mut Rng) -> Made {
    let escaped = json(value).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let apostrophe = rng.pick(&["&#39;", "&#x27;", "'"]);
    kept(value, escaped.replace('"', "&quot;").replace('\'', apostrophe))
}

fn curly_quotes(value: &Value, _: &mut Rng) -> Made {
    let curly = |text: &str| format!("“{text}”");
    kept(value, bracketed(value, &Syntax { key: curly, text: curly, ..JSON }))
}

fn line_numbers(value: &Value, rng: &mut Rng) -> Made {
    let text = if rng.percent(50) { json(value) } else { clean_yaml(value) };
    let gutter: fn(usize) -> String = rng.pick(&[
        |at| format!("{at:>3} | "),
        |at| format!("{at:>6}\t"),
        |at| format!("{at:>6}→"),
        |at| format!("{at:>2}│ "),
    ]);
    let lines = text.lines().enumerate().map(|(at, line)| format!("{}{line}", gutter(at + 1)));
    kept(value, lines.collect::<Vec<_>>().join("\n"))
}

fn underscores(value: &Value, rng: &mut Rng) -> Made {
    let text = if rng.percent(40) {
        bracketed(value, &Syntax { key: |key| format!("\"{}\"", key.replace('_', "\\_")), ..JSON })
    } else {
        yaml(value, &Yaml { key: |key| key.replace('_', "\\_"), ..Yaml::CLEAN })
    };
    if text.contains("\\_") { kept(value, text) } else { None }
}

fn missing_commas(value: &Value, rng: &mut Rng) -> Made {
    let text = json(value);
    let share = rng.pick(&[30, 60, 100]);
    let line = |line: &str| match line.strip_suffix(',') {
        Some(bare) if rng.percent(share) => bare.to_owned(),
        _ => line.to_owned(),
    };
    let damaged = text.lines().map(line).collect::<Vec<_>>().join("\n");
    if damaged == text { None } else { kept(value, damaged) }
}

fn comments(value: &Value, rng: &mut Rng) -> Made {
    let text = json(value);
    let mut lines: Vec<String> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let top = line.starts_with("  \"");
        if top && rng.percent(20) {
            lines.push(
                rng.pick(&["  // this part is the important one", "  /* see the brief, \"scope\" */"]).to_owned(),
            );
        }
        let after = if at > 0 && line.ends_with(',') && (rng.percent(20) || line.contains("\"confidence\"")) {
            rng.pick(&[" // from the last round", " // 0 to 1", " /* kept short */"])
        } else {
            ""
        };
        lines.push(format!("{line}{after}"));
    }
    let damaged = lines.join("\n");
    if damaged == text { None } else { kept(value, damaged) }
}

fn main_text(value: &Value) -> &'static str {
    if values::form(value) == Form::Participant { "position" } else { "synthesis" }
}

fn raw_line_break(value: &Value, rng: &mut Rng) -> Made {
    let gap = rng.pick(&["\n", "\n", "\n\n"]);
    let text = format!("{}.{gap}{}.", plain(rng), plain(rng));
    let value = tree::set(value, main_text(value), text);
    let raw = |text: &str| quoted(text).replace("\\n", "\n");
    kept(&value, bracketed(&value, &Syntax { text: raw, ..JSON }))
}

fn arrow_for_colon(value: &Value, rng: &mut Rng) -> Made {
    let colon = rng.pick(&[" => ", " => ", " = "]);
    kept(value, bracketed(value, &Syntax { colon, ..JSON }))
}

fn no_outer_braces(value: &Value, rng: &mut Rng) -> Made {
    let text = json(value);
    let inner = text.strip_prefix("{\n")?;
    let inner = if rng.percent(70) { inner.strip_suffix("\n}")? } else { inner };
    kept(value, inner)
}

fn key_quote_missing(value: &Value, rng: &mut Rng) -> Made {
    let keys: Vec<String> = tree::fields(value).keys().cloned().collect();
    let key = keys.get(rng.below(keys.len()))?;
    let damaged = if rng.percent(50) { format!("\n  \"{key}: ") } else { format!("\n  {key}\": ") };
    kept(value, json(value).replacen(&format!("\n  \"{key}\": "), &damaged, 1))
}

fn concatenated(value: &Value, rng: &mut Rng) -> Made {
    let text = tree::text(value, main_text(value)).to_owned();
    let spaces: Vec<usize> = text.match_indices(' ').map(|(at, _)| at + 1).collect();
    let (first, second) = text.split_at(*spaces.get(rng.below(spaces.len()))?);
    let sum = format!("{} +\n    {}", quoted(first), quoted(second));
    kept(value, json(value).replacen(&quoted(&text), &sum, 1))
}

fn toml(value: &Value, rng: &mut Rng) -> Made {
    let field = |(key, field): (&String, &Value)| match field {
        Value::Null => String::new(),
        Value::Array(items) if !items.is_empty() => {
            let items: String = items.iter().map(|item| format!("  {item},\n")).collect();
            format!("{key} = [\n{items}]\n")
        }
        other => format!("{key} = {other}\n"),
    };
    let body: String = tree::fields(value).iter().map(field).collect();
    let body = if rng.percent(40) { format!("[response]\n{body}") } else { body };
    kept(value, if rng.percent(60) { format!("```toml\n{body}```") } else { body })
}
