//! Held out: YAML as a hasty writer leaves it, and answers that are Markdown.

use serde_json::Value;

use crate::kinds::{CHAIR, EITHER, Kind, Made, PLAIN, RICH, SEAT, kept, kind};
use crate::rng::Rng;
use crate::styles::clean_yaml;
use crate::styles::markdown::{body, title};
use crate::styles::yaml::{Yaml, wrapped, yaml};
use crate::words::plain;
use crate::{Form, tree, values};

pub(crate) const KINDS: &[Kind] = &[
    kind("u_hash_in_plain_text", "yaml", "a hash after a space in a plain text", EITHER, PLAIN, hash_in_text),
    kind("u_other_bullets", "yaml", "stars, dots or plus signs for dashes", EITHER, PLAIN, other_bullets),
    kind("u_bar_and_text", "yaml", "a block mark with the text on the same line", EITHER, PLAIN, bar_and_text),
    kind("u_ragged_items", "yaml", "items of one list at different depths", SEAT, PLAIN, ragged_items),
    kind("u_document_marks", "yaml", "marks of a document's start and end", EITHER, RICH, document_marks),
    kind("u_odd_first_character", "yaml", "a plain text starts with a reserved character", EITHER, PLAIN, odd_start),
    kind("u_yaml_comments", "yaml", "comments between and after fields", EITHER, PLAIN, yaml_comments),
    kind("u_wrapped_plain", "yaml", "plain texts wrapped over several lines", EITHER, PLAIN, wrapped_plain),
    kind("u_dash_without_space", "yaml", "no space after a dash", EITHER, PLAIN, dash_without_space),
    kind("u_keys_under_dash", "yaml", "an item's further keys stand under its dash", CHAIR, PLAIN, keys_under_dash),
    kind("u_numbered_headings", "markdown", "a numbered heading for each field", SEAT, PLAIN, numbered_headings),
    kind("u_table", "markdown", "a table of fields and values", SEAT, PLAIN, table),
    kind("u_numbered_bold", "markdown", "a numbered item with a bold name for each field", SEAT, PLAIN, numbered_bold),
    kind("u_bold_yaml_keys", "markdown", "YAML with every key in bold", EITHER, PLAIN, bold_yaml_keys),
];

fn names(value: &Value) -> (&'static str, &'static str) {
    if values::form(value) == Form::Participant { ("position", "rationale") } else { ("synthesis", "consensus") }
}

fn retold(value: &Value, mut text: impl FnMut() -> String) -> Value {
    let (main, list) = names(value);
    let mut items = tree::items(value, list);
    if let Some(first) = items.first_mut() {
        *first = text();
    }
    tree::set(&tree::set(value, main, text()), list, items)
}

fn hash_in_text(value: &Value, rng: &mut Rng) -> Made {
    let value = retold(value, || {
        let number = rng.within(3, 900);
        match rng.below(3) {
            0 => format!("{} as in issue #{number} of the tracker", plain(rng)),
            1 => format!("{} and priority #1 is the fix", plain(rng)),
            _ => format!("{}, see PR #{number}", plain(rng)),
        }
    });
    kept(&value, yaml(&value, &Yaml::PLAIN))
}

fn other_bullets(value: &Value, rng: &mut Rng) -> Made {
    let bullet: fn(usize) -> String =
        rng.pick(&[|_| "* ".to_owned(), |_| "• ".to_owned(), |_| "+ ".to_owned(), |_| "– ".to_owned()]);
    kept(value, yaml(value, &Yaml { bullet, ..Yaml::CLEAN }))
}

fn bar_and_text(value: &Value, rng: &mut Rng) -> Made {
    let mark = rng.pick(&["|", ">", "|-", ">-"]);
    let (main, _) = names(value);
    let mut text = clean_yaml(value);
    for key in [main, "recommendation", "context_challenge"] {
        let words = tree::text(value, key);
        if !words.is_empty() {
            text = text.replacen(&format!("{key}: {words}"), &format!("{key}: {mark} {words}"), 1);
        }
    }
    kept(value, text)
}

fn ragged_items(value: &Value, rng: &mut Rng) -> Made {
    let mut widths = Vec::new();
    let mut line = |line: &str| match line.strip_prefix("  - ") {
        Some(item) => {
            widths.push(rng.pick(&[1, 2, 2, 3, 4]));
            format!("{}- {item}", " ".repeat(widths.last().copied().unwrap_or(2)))
        }
        None => line.to_owned(),
    };
    let text = clean_yaml(value).lines().map(&mut line).collect::<Vec<_>>().join("\n");
    if widths.iter().all(|width| *width == 2) { None } else { kept(value, text) }
}

fn document_marks(value: &Value, rng: &mut Rng) -> Made {
    let (start, end) = rng.pick(&[
        ("---\n", ""),
        ("---\n", "...\n"),
        ("---\n", "---\n"),
        ("%YAML 1.2\n---\n", "...\n"),
        ("--- # the answer\n", ""),
    ]);
    kept(value, format!("{start}{}{end}", clean_yaml(value)))
}

fn odd_start(value: &Value, rng: &mut Rng) -> Made {
    let value = retold(value, || {
        let rest = plain(rng).to_lowercase();
        let start =
            rng.pick(&["@ops owns this", "`flush()` first", "%-based rollout", "[EU] first", "{id} routes stay"]);
        format!("{start} because {rest}")
    });
    kept(&value, yaml(&value, &Yaml::PLAIN))
}

fn yaml_comments(value: &Value, rng: &mut Rng) -> Made {
    let mut lines: Vec<String> = Vec::new();
    for line in clean_yaml(value).lines() {
        let top = line.starts_with(|first: char| first.is_alphabetic());
        if top && rng.percent(25) {
            lines.push(rng.pick(&["# as agreed in round one", "# confidence: see below", "# ---"]).to_owned());
        }
        let after = match line.split(':').next() {
            Some("confidence") => "  # from 0 to 1",
            Some("next_action") => "  # one of the four",
            Some("rationale" | "consensus") => " # most important first",
            _ => "",
        };
        lines.push(format!("{line}{after}"));
    }
    kept(value, lines.join("\n"))
}

fn wrapped_plain(value: &Value, _: &mut Rng) -> Made {
    let text = |text: &str, pad: &str| wrapped(text, 36).join(&format!("\n{pad}"));
    kept(value, yaml(value, &Yaml { text, ..Yaml::CLEAN }))
}

fn dash_without_space(value: &Value, _: &mut Rng) -> Made {
    kept(value, yaml(value, &Yaml { bullet: |_| "-".to_owned(), ..Yaml::CLEAN }))
}

fn keys_under_dash(value: &Value, _: &mut Rng) -> Made {
    let line = |line: &str| match line.strip_prefix("    ") {
        Some(rest) => format!("  {rest}"),
        None => line.to_owned(),
    };
    kept(value, clean_yaml(value).lines().map(line).collect::<Vec<_>>().join("\n"))
}

fn numbered_headings(value: &Value, rng: &mut Rng) -> Made {
    let level = rng.pick(&["##", "###"]);
    let fields = tree::fields(value);
    let part = |(at, (key, field)): (usize, (&String, &Value))| {
        format!("{level} {}. {}\n\n{}\n", at + 1, title(key), body(field))
    };
    let parts: Vec<String> = fields.iter().enumerate().map(part).collect();
    let top = rng.pick(&["", "# Response\n\n", "# My contribution\n\n"]);
    kept(value, format!("{top}{}", parts.join("\n")))
}

fn table(value: &Value, rng: &mut Rng) -> Made {
    let bullet = rng.pick(&["• ", "- ", ""]);
    let raw = rng.percent(50);
    let row = |(key, field): (&String, &Value)| {
        let name = if raw { key.clone() } else { title(key) };
        let cell = match field {
            Value::Array(items) if !items.is_empty() => {
                let items = items.iter().map(|item| format!("{bullet}{}", item.as_str().unwrap_or_default()));
                items.collect::<Vec<_>>().join("<br>")
            }
            other => body(other),
        };
        format!("| {name} | {cell} |\n")
    };
    let rows: String = tree::fields(value).iter().map(row).collect();
    kept(value, format!("| Field | Value |\n|-------|-------|\n{rows}"))
}

fn numbered_bold(value: &Value, rng: &mut Rng) -> Made {
    let inside = rng.percent(50);
    let name = |key: &str| if inside { format!("**{}:**", title(key)) } else { format!("**{}**:", title(key)) };
    let part = |(at, (key, field)): (usize, (&String, &Value))| match field {
        Value::Array(items) if !items.is_empty() => {
            let items: Vec<String> = body(field).lines().map(|line| format!("   {line}")).collect();
            format!("{}. {}\n{}\n", at + 1, name(key), items.join("\n"))
        }
        other => format!("{}. {} {}\n", at + 1, name(key), body(other)),
    };
    kept(value, tree::fields(value).iter().enumerate().map(part).collect::<String>())
}

fn bold_yaml_keys(value: &Value, rng: &mut Rng) -> Made {
    if rng.percent(50) {
        return kept(value, yaml(value, &Yaml { key: |key| format!("**{key}**"), ..Yaml::CLEAN }));
    }
    kept(value, yaml(value, &Yaml { key: |key| format!("**{key}:**"), colon: " ", ..Yaml::CLEAN }))
}
