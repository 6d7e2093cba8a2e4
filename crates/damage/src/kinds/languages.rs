//! Answers in the syntax of a programming language or of another format.

use serde_json::Value;

use super::fence::fenced;
use super::{EITHER, Kind, LINES, RICH, SEAT, kept, kind};
use crate::styles::bracketed::{JSON, Syntax, bare, bracketed, quoted, single};
use crate::{tree, values};

/// A key as JavaScript writes it: bare where it may be.
pub(crate) fn identifier(key: &str) -> String {
    if key.contains('-') { format!("'{key}'") } else { key.to_owned() }
}

/// The fields without those that are null.
pub(crate) fn without_nulls(value: &Value) -> Value {
    let mut map = tree::fields(value);
    map.retain(|_, field| !field.is_null());
    Value::Object(map)
}

fn assignments(value: &Value, equals: &str) -> String {
    let fields = tree::fields(&without_nulls(value));
    let line = |(key, field): (&String, &Value)| {
        let field = bracketed(field, &Syntax { indent: None, ..JSON });
        format!("{key}{equals}{field}\n")
    };
    fields.iter().map(line).collect()
}

pub(crate) const KINDS: &[Kind] = &[
    kind("javascript_constant", "languages", "an object given to a constant", EITHER, LINES, |v, r| {
        let text = r.pick(&[quoted as fn(&str) -> String, single]);
        let syntax = Syntax { key: identifier, text, last: ",", ..JSON };
        let head = r.pick(&["const response = ", "export default ", "let answer = ", "module.exports = "]);
        let code = format!("{head}{};", bracketed(v, &syntax));
        kept(v, if r.percent(50) { fenced("js", &code) } else { code })
    }),
    kind("python_assignment", "languages", "a dict given to a name", EITHER, RICH, |v, r| {
        let syntax = Syntax { null: "None", last: ",", indent: Some("    "), ..JSON };
        let code = format!("response = {}", bracketed(v, &syntax));
        kept(v, if r.percent(50) { fenced("python", &code) } else { code })
    }),
    kind("ruby_hash", "languages", "a hash with arrows", EITHER, RICH, |v, _| {
        kept(v, bracketed(v, &Syntax { colon: " => ", null: "nil", ..JSON }))
    }),
    kind("toml", "languages", "TOML with lists on one line", SEAT, RICH, |v, r| {
        let text = assignments(v, " = ");
        kept(v, if r.percent(50) { fenced("toml", &text) } else { text })
    }),
    kind("key_value_lines", "languages", "`key=value` lines", SEAT, RICH, |v, _| kept(v, assignments(v, "="))),
    kind("json5", "languages", "bare keys, single quotes, commas at the end, comments", EITHER, RICH, |v, _| {
        let text = bracketed(v, &Syntax { key: identifier, text: single, last: ",", ..JSON });
        kept(v, format!("// answer\n{text}"))
    }),
    kind("typescript_typed", "languages", "a typed constant", EITHER, RICH, |v, _| {
        let name = if values::form(v) == crate::Form::Participant { "Participant" } else { "Synthesis" };
        let text = bracketed(v, &Syntax { key: identifier, ..JSON });
        kept(v, format!("const reply: {name} = {text} as const;"))
    }),
    kind("bare_key_equals", "languages", "a configuration block with braces and equals signs", SEAT, RICH, |v, _| {
        let body = bracketed(&without_nulls(v), &Syntax { key: bare, colon: " = ", comma: "", ..JSON });
        kept(v, format!("response {body}"))
    }),
];
