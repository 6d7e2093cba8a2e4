//! Values as YAML, the way a model writes it: blocks, with texts in double quotes.
//! Given a JSON value; hands on its text. A JSON scalar is a YAML scalar, so nothing needs a library.
//! Deliberately absent: reading.

use std::fmt::Write;

use serde_json::Value;

/// A mapping as YAML.
pub(crate) fn block(value: &Value) -> String {
    let mut out = String::with_capacity(1024);
    write_block(value, 0, &mut out);
    out
}

fn write_block(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(fields) => {
            for (index, (name, field)) in fields.iter().enumerate() {
                // The first line of a list item stands after its dash.
                if index > 0 || indent == 0 || out.ends_with('\n') {
                    pad(indent, out);
                }
                out.push_str(name);
                out.push(':');
                nested(field, indent + 2, out);
            }
        }
        Value::Array(items) => {
            for item in items {
                pad(indent, out);
                out.push_str("- ");
                match is_nested(item) {
                    true => write_block(item, indent + 2, out),
                    false => scalar(item, out),
                }
            }
        }
        other => scalar(other, out),
    }
}

fn nested(value: &Value, indent: usize, out: &mut String) {
    match is_nested(value) {
        true => {
            out.push('\n');
            write_block(value, indent, out);
        }
        false => {
            out.push(' ');
            scalar(value, out);
        }
    }
}

fn is_nested(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| !fields.is_empty())
        || value.as_array().is_some_and(|items| !items.is_empty())
}

fn scalar(value: &Value, out: &mut String) {
    // Writing to memory does not fail.
    let _ = writeln!(out, "{value}");
}

fn pad(indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_reads_back() {
        let value = json!({
            "action": "a \"quoted\": # text\nof two lines",
            "list": ["one", "two: three"],
            "records": [{"id": "x", "deep": {"a": null, "b": []}}, {"id": "y"}],
            "votes": {"C1.1": "support"}, "none": null, "empty": {}, "sure": 0.75,
        });
        let text = block(&value);
        assert_eq!(s2s_yaml::to_value(&text).unwrap(), value, "{text}");
        assert!(text.contains("\nvotes:\n  C1.1: \"support\"\n"), "{text}");
    }
}
