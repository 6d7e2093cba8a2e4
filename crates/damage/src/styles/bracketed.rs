//! Brackets and commas: given a value and a syntax, the text in JSON or in a language that looks like it.

use serde_json::Value;

/// How a language writes maps, lists, texts.
#[derive(Clone, Copy)]
pub struct Syntax {
    /// Writes a key.
    pub key: fn(&str) -> String,
    /// Writes a text.
    pub text: fn(&str) -> String,
    /// Between key and value.
    pub colon: &'static str,
    /// Between two fields or items.
    pub comma: &'static str,
    /// After the last field or item.
    pub last: &'static str,
    /// Around a map.
    pub map: (&'static str, &'static str),
    /// Around a list.
    pub list: (&'static str, &'static str),
    /// For nothing.
    pub null: &'static str,
    /// One step to the right; none writes all on one line.
    pub indent: Option<&'static str>,
}

/// JSON on many lines.
pub const JSON: Syntax = Syntax {
    key: quoted,
    text: quoted,
    colon: ": ",
    comma: ",",
    last: "",
    map: ("{", "}"),
    list: ("[", "]"),
    null: "null",
    indent: Some("  "),
};

/// A text as JSON writes it.
pub fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// A text between double quotes, nothing escaped.
pub fn raw(text: &str) -> String {
    format!("\"{text}\"")
}

/// A text as it is.
pub fn bare(text: &str) -> String {
    text.to_owned()
}

/// A text between single quotes, apostrophes and backslashes escaped.
pub fn single(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

/// A text as Python prints it.
pub fn python(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('\n', "\\n");
    if text.contains('\'') && !text.contains('"') {
        format!("\"{escaped}\"")
    } else {
        format!("'{}'", escaped.replace('\'', "\\'"))
    }
}

/// A text between backticks.
pub fn backtick(text: &str) -> String {
    format!("`{}`", text.replace('`', "\\`").replace("${", "\\${"))
}

/// The value in this syntax.
pub fn bracketed(value: &Value, syntax: &Syntax) -> String {
    write(value, syntax, 0)
}

fn write(value: &Value, syntax: &Syntax, depth: usize) -> String {
    match value {
        Value::Null => syntax.null.to_owned(),
        Value::String(text) => (syntax.text)(text),
        Value::Array(items) => {
            let parts = items.iter().map(|item| write(item, syntax, depth + 1)).collect();
            enclosed(parts, syntax.list, syntax, depth)
        }
        Value::Object(map) => {
            let field = |(key, field): (&String, &Value)| {
                format!("{}{}{}", (syntax.key)(key), syntax.colon, write(field, syntax, depth + 1))
            };
            enclosed(map.iter().map(field).collect(), syntax.map, syntax, depth)
        }
        other => other.to_string(),
    }
}

fn enclosed(parts: Vec<String>, (open, close): (&str, &str), syntax: &Syntax, depth: usize) -> String {
    if parts.is_empty() {
        return format!("{open}{close}");
    }
    match syntax.indent {
        Some(step) => {
            let inner = step.repeat(depth + 1);
            let body = parts.join(&format!("{}\n{inner}", syntax.comma));
            format!("{open}\n{inner}{body}{}\n{}{close}", syntax.last, step.repeat(depth))
        }
        None => format!("{open}{}{}{close}", parts.join(&format!("{} ", syntax.comma)), syntax.last),
    }
}
