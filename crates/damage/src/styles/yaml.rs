//! YAML: given a value and a manner, the text; the manner says how keys, bullets and texts are written.

use serde_json::Value;

use super::bracketed::quoted;
use super::json_line;

/// How YAML is written.
#[derive(Clone, Copy)]
pub struct Yaml {
    /// Writes a key.
    pub key: fn(&str) -> String,
    /// Between key and value.
    pub colon: &'static str,
    /// Before the item with this index.
    pub bullet: fn(usize) -> String,
    /// How far a list stands to the right of its key.
    pub list_indent: usize,
    /// Writes a text; the second argument is what a further line of it starts with.
    pub text: fn(&str, &str) -> String,
    /// For nothing.
    pub null: &'static str,
}

impl Yaml {
    /// Plain where it may be, quoted where it must.
    pub const CLEAN: Yaml = Yaml {
        key: |key| key.to_owned(),
        colon: ": ",
        bullet: |_| "- ".to_owned(),
        list_indent: 2,
        text: clean,
        null: "null",
    };
    /// Never a quote, even where YAML asks for one.
    pub const PLAIN: Yaml = Yaml { text: |text, _| text.to_owned(), ..Yaml::CLEAN };
}

/// Whether YAML reads this text back without quotes.
pub fn plain_is_safe(text: &str) -> bool {
    let starts = text.chars().next().is_some_and(char::is_alphabetic);
    let reserved = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "none", "nan", "inf"];
    starts
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains(['\n', '\t', '\u{a0}'])
        && !text.ends_with([':', ' '])
        && !reserved.contains(&text.to_lowercase().as_str())
}

/// Plain if safe, double-quoted if not.
pub fn clean(text: &str, pad: &str) -> String {
    if plain_is_safe(text) {
        text.to_owned()
    } else if text.contains('\n') {
        literal(text, pad)
    } else {
        quoted(text)
    }
}

/// Always double-quoted.
pub fn double(text: &str, _: &str) -> String {
    quoted(text)
}

/// Always single-quoted.
pub fn single(text: &str, _: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A literal block.
pub fn literal(text: &str, pad: &str) -> String {
    let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!("{pad}{line}") });
    format!("|-\n{}", lines.collect::<Vec<_>>().join("\n"))
}

/// A folded block, wrapped after about sixty characters.
pub fn folded(text: &str, pad: &str) -> String {
    format!(">-\n{pad}{}", wrapped(text, 60).join(&format!("\n{pad}")))
}

/// A text of one line cut at spaces into lines of about this width.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The value in this manner.
pub fn yaml(value: &Value, manner: &Yaml) -> String {
    block(value, manner, 0).join("\n") + "\n"
}

fn block(value: &Value, manner: &Yaml, depth: usize) -> Vec<String> {
    let pad = " ".repeat(depth);
    match value {
        Value::Object(map) => map.iter().flat_map(|(key, field)| pair(key, field, manner, &pad)).collect(),
        Value::Array(items) => items.iter().enumerate().flat_map(|(at, one)| item(at, one, manner, &pad)).collect(),
        other => vec![format!("{pad}{}", scalar(other, manner, &pad))],
    }
}

fn pair(key: &str, field: &Value, manner: &Yaml, pad: &str) -> Vec<String> {
    let name = (manner.key)(key);
    let filled = field.as_array().is_some_and(|items| !items.is_empty());
    if filled || field.as_object().is_some_and(|map| !map.is_empty()) {
        let step = if filled { manner.list_indent } else { 2 };
        let mut lines = vec![format!("{pad}{name}{}", manner.colon.trim_end())];
        lines.extend(block(field, manner, pad.len() + step));
        lines
    } else {
        vec![format!("{pad}{name}{}{}", manner.colon, scalar(field, manner, &format!("{pad}  ")))]
    }
}

fn item(at: usize, value: &Value, manner: &Yaml, pad: &str) -> Vec<String> {
    let bullet = (manner.bullet)(at);
    let inner = format!("{pad}{}", " ".repeat(bullet.chars().count()));
    match value {
        Value::Object(map) if !map.is_empty() => {
            let mut lines = block(value, manner, inner.len());
            if let Some(first) = lines.first_mut() {
                *first = format!("{pad}{bullet}{}", first.trim_start());
            }
            lines
        }
        other => vec![format!("{pad}{bullet}{}", scalar(other, manner, &inner))],
    }
}

fn scalar(value: &Value, manner: &Yaml, pad: &str) -> String {
    match value {
        Value::Null => manner.null.to_owned(),
        Value::String(text) if text.contains(['\n', ' ']) => (manner.text)(text, pad),
        Value::String(text) if plain_is_safe(text) => text.to_owned(),
        Value::String(text) => (manner.text)(text, pad),
        other => other.to_string(),
    }
}

/// Block keys with lists in flow style, as JSON writes them.
pub fn flow_lists(value: &Value) -> String {
    let fields = value.as_object().cloned().unwrap_or_default();
    let lines = fields.iter().map(|(key, field)| match field {
        Value::Array(_) => format!("{key}: {}", json_line(field)),
        other => format!("{key}: {}", scalar(other, &Yaml::CLEAN, "  ")),
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}
