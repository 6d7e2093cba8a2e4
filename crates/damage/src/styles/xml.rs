//! XML-ish fields: given a value, an element for each field and `item` for each item.

use serde_json::Value;

/// `&`, `<` and `>` as entities.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The value inside an element of this name.
pub fn fields(value: &Value, root: &str) -> String {
    element(root, value, 0, &|text| escaped(text), "item")
}

/// One element with what it holds; `text` writes texts, `item` names the element of a list's item.
pub fn element(name: &str, value: &Value, depth: usize, text: &dyn Fn(&str) -> String, item: &str) -> String {
    let pad = "  ".repeat(depth);
    let inner: String = match value {
        Value::Object(map) => map.iter().map(|(key, field)| element(key, field, depth + 1, text, item)).collect(),
        Value::Array(items) => items.iter().map(|one| element(item, one, depth + 1, text, item)).collect(),
        Value::Null => return format!("{pad}<{name}></{name}>\n"),
        Value::String(words) => return format!("{pad}<{name}>{}</{name}>\n", text(words)),
        other => return format!("{pad}<{name}>{other}</{name}>\n"),
    };
    if inner.is_empty() {
        format!("{pad}<{name}></{name}>\n")
    } else {
        format!("{pad}<{name}>\n{inner}{pad}</{name}>\n")
    }
}
