//! More Markdown and XML-ish fields.

use serde_json::Value;

use super::{EITHER, Kind, RICH, SEAT, kept, kind};
use crate::styles::markdown::{body, bold, title};
use crate::styles::xml::{element, escaped, fields};
use crate::tree;

/// Every field with its key, written by this.
pub(crate) fn parts(value: &Value, mut write: impl FnMut(usize, &str, &Value) -> String) -> String {
    tree::fields(value).iter().enumerate().map(|(at, (key, field))| write(at + 1, key, field)).collect()
}

pub(crate) fn is_filled(field: &Value) -> bool {
    field.as_array().is_some_and(|items| !items.is_empty())
}

pub(crate) fn indented(text: &str, pad: &str) -> String {
    text.lines().map(|line| format!("{pad}{line}")).collect::<Vec<_>>().join("\n")
}

fn pascal(key: &str) -> String {
    title(key).replace(' ', "")
}

pub(crate) const KINDS: &[Kind] = &[
    kind("numbered_bold", "markdown", "numbered bold keys", SEAT, RICH, |v, _| {
        let text = parts(v, |at, key, field| {
            if is_filled(field) {
                format!("{at}. **{}**:\n{}\n", title(key), indented(&body(field), "   "))
            } else {
                format!("{at}. **{}**: {}\n", title(key), body(field))
            }
        });
        kept(v, text)
    }),
    kind("numbered_headings", "markdown", "a number in each heading", SEAT, RICH, |v, _| {
        kept(v, parts(v, |at, key, field| format!("### {at}. {}\n\n{}\n\n", title(key), body(field))))
    }),
    kind("bold_with_dash", "markdown", "a bold key, a long dash, the value", SEAT, RICH, |v, r| {
        let dash = r.pick(&["—", "–", "-"]);
        let text = parts(v, |_, key, field| {
            if is_filled(field) {
                format!("**{}** {dash}\n{}\n\n", title(key), body(field))
            } else {
                format!("**{}** {dash} {}\n\n", title(key), body(field))
            }
        });
        kept(v, text)
    }),
    kind("star_bullets", "markdown", "bold keys with stars as bullets", SEAT, RICH, |v, r| {
        let mark = r.pick(&["* ", "• "]);
        kept(v, bold(v, |key| format!("**{}:**", title(key))).replace("\n- ", &format!("\n{mark}")))
    }),
    kind("repeated_elements", "xml", "an element for each item, without a list around", SEAT, RICH, |v, _| {
        let text = parts(v, |_, key, field| match field {
            Value::Array(items) => items.iter().map(|item| element(key, item, 1, &escaped, "item")).collect(),
            other => element(key, other, 1, &escaped, "item"),
        });
        kept(v, format!("<response>\n{text}</response>"))
    }),
    kind("pascal_elements", "xml", "elements in other case", EITHER, RICH, |v, _| {
        kept(v, fields(&tree::keys(v, pascal), "Response"))
    }),
];
