//! Held out: Markdown and XML-ish fields. Run it, do not read it.

use serde_json::Value;

use crate::kinds::{CHAIR, EITHER, Kind, LINES, RICH, SEAT, free_of, kept, kind};
use crate::styles::markdown::{body, bold, headings, title};
use crate::styles::xml::{element, escaped, fields};
use crate::tree;

/// Every field with its key, written by this.
fn parts(value: &Value, mut write: impl FnMut(usize, &str, &Value) -> String) -> String {
    tree::fields(value).iter().enumerate().map(|(at, (key, field))| write(at + 1, key, field)).collect()
}

fn is_filled(field: &Value) -> bool {
    field.as_array().is_some_and(|items| !items.is_empty())
}

fn indented(text: &str, pad: &str) -> String {
    text.lines().map(|line| format!("{pad}{line}")).collect::<Vec<_>>().join("\n")
}

fn pascal(key: &str) -> String {
    title(key).replace(' ', "")
}

fn nested(value: &Value, depth: usize) -> String {
    let pad = "  ".repeat(depth);
    let one = |(key, field): (&String, &Value)| match field {
        Value::Object(_) => format!("{pad}- **{}**:\n{}", title(key), nested(field, depth + 1)),
        Value::Array(items) if items.is_empty() => format!("{pad}- **{}**: None\n", title(key)),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            format!("{pad}- **{}**:\n{}\n", title(key), indented(&body(field), &format!("{pad}  ")))
        }
        Value::Array(items) => {
            let each = |item: &Value| {
                let text = nested(item, depth + 2);
                let first = text.trim_start().trim_start_matches("- ").to_owned();
                format!("{pad}  - {first}")
            };
            format!("{pad}- **{}**:\n{}", title(key), items.iter().map(each).collect::<String>())
        }
        other => format!("{pad}- **{}**: {}\n", title(key), body(other)),
    };
    tree::fields(value).iter().map(one).collect()
}

pub(crate) const KINDS: &[Kind] = &[
    kind("h_italic_keys", "markdown", "keys in italics", SEAT, RICH, |v, r| {
        let name = if r.percent(50) {
            |key: &str| format!("_{}_:", title(key))
        } else {
            |key: &str| format!("*{}:*", title(key))
        };
        kept(v, bold(v, name))
    }),
    kind("h_numbered_bold", "markdown", "numbered bold keys", SEAT, RICH, |v, _| {
        let text = parts(v, |at, key, field| {
            if is_filled(field) {
                format!("{at}. **{}**:\n{}\n", title(key), indented(&body(field), "   "))
            } else {
                format!("{at}. **{}**: {}\n", title(key), body(field))
            }
        });
        kept(v, text)
    }),
    kind("h_underlined_headings", "markdown", "headings underlined with dashes", SEAT, RICH, |v, r| {
        let mark = r.pick(&["-", "="]);
        kept(v, parts(v, |_, key, field| format!("{}\n{}\n\n{}\n\n", title(key), mark.repeat(key.len()), body(field))))
    }),
    kind("h_heading_with_value", "markdown", "the value on the line of the heading", SEAT, RICH, |v, _| {
        let text = parts(v, |_, key, field| {
            if is_filled(field) {
                format!("## {}\n{}\n\n", title(key), body(field))
            } else {
                format!("## {}: {}\n\n", title(key), body(field))
            }
        });
        kept(v, text)
    }),
    kind("h_emoji_headings", "markdown", "a picture in each heading", SEAT, RICH, |v, r| {
        let marks = ["🎯", "💡", "📊", "⚠️", "🔍"];
        kept(v, parts(v, |_, key, field| format!("## {} {}\n\n{}\n\n", r.pick(&marks), title(key), body(field))))
    }),
    kind("h_numbered_headings", "markdown", "a number in each heading", SEAT, RICH, |v, _| {
        kept(v, parts(v, |at, key, field| format!("### {at}. {}\n\n{}\n\n", title(key), body(field))))
    }),
    kind("h_wide_table", "markdown", "a table with a column for each key", SEAT, RICH, |v, _| {
        free_of(v, "|<")?;
        let names: Vec<String> = tree::fields(v).keys().map(|key| title(key)).collect();
        let cells: Vec<String> = tree::fields(v).values().map(|field| body(field).replace('\n', "<br>")).collect();
        let rule = vec!["---"; names.len()].join(" | ");
        kept(v, format!("| {} |\n| {rule} |\n| {} |", names.join(" | "), cells.join(" | ")))
    }),
    kind("h_capital_labels", "markdown", "labels in capitals, the value below", SEAT, RICH, |v, _| {
        kept(v, parts(v, |_, key, field| format!("{}:\n{}\n\n", title(key).to_uppercase(), body(field))))
    }),
    kind("h_headings_numbered_items", "markdown", "headings with numbered items", SEAT, RICH, |v, _| {
        let text = parts(v, |_, key, field| {
            let mut at = 0;
            let text = body(field);
            let lines = text.lines().map(|line| match line.strip_prefix("- ") {
                Some(item) if is_filled(field) => {
                    at += 1;
                    format!("{at}. {item}\n")
                }
                _ => format!("{line}\n"),
            });
            format!("## {}\n\n{}\n", title(key), lines.collect::<String>())
        });
        kept(v, text)
    }),
    kind("h_bold_with_dash", "markdown", "a bold key, a long dash, the value", SEAT, RICH, |v, r| {
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
    kind("h_bold_line_then_value", "markdown", "a bold key on its own line, the value below", SEAT, RICH, |v, r| {
        let gap = r.pick(&["\n", "\n\n"]);
        kept(v, parts(v, |_, key, field| format!("**{}**{gap}{}\n\n", title(key), body(field))))
    }),
    kind("h_bold_heading_keys", "markdown", "headings whose words are bold, with a colon", SEAT, RICH, |v, _| {
        kept(v, headings(v, "##", |key| format!("**{}:**", title(key))))
    }),
    kind("h_heading_percent", "markdown", "headings, and the confidence in percent", SEAT, RICH, |v, _| {
        let share = format!("{:.0}%", v.get("confidence")?.as_f64()? * 100.0);
        kept(v, headings(&tree::set(v, "confidence", share), "##", title))
    }),
    kind("h_star_bullets", "markdown", "bold keys with stars as bullets", SEAT, RICH, |v, r| {
        let mark = r.pick(&["* ", "• "]);
        kept(v, bold(v, |key| format!("**{}:**", title(key))).replace("\n- ", &format!("\n{mark}")))
    }),
    kind("h_nested_bullets", "markdown", "bullets in bullets for objects", CHAIR, RICH, |v, _| kept(v, nested(v, 0))),
    kind("h_cdata", "xml", "texts in CDATA", EITHER, LINES, |v, r| {
        let text = |text: &str| format!("<![CDATA[{text}]]>");
        kept(v, element(r.pick(&["response", "answer"]), v, 0, &text, "item"))
    }),
    kind("h_attributes", "xml", "texts and the number as attributes", SEAT, RICH, |v, _| {
        let (position, confidence) = (tree::text(v, "position"), v.get("confidence")?);
        let head = escaped(position).replace('"', "&quot;");
        let lists = tree::without(&tree::without(v, "position"), "confidence");
        let inner: String =
            tree::fields(&lists).iter().map(|(key, field)| element(key, field, 1, &escaped, "item")).collect();
        kept(v, format!("<response position=\"{head}\" confidence=\"{confidence}\">\n{inner}</response>"))
    }),
    kind("h_repeated_elements", "xml", "an element for each item, without a list around", SEAT, RICH, |v, _| {
        let text = parts(v, |_, key, field| match field {
            Value::Array(items) => items.iter().map(|item| element(key, item, 1, &escaped, "item")).collect(),
            other => element(key, other, 1, &escaped, "item"),
        });
        kept(v, format!("<response>\n{text}</response>"))
    }),
    kind("h_declaration", "xml", "a declaration and a comment above", EITHER, LINES, |v, _| {
        kept(v, format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- answer -->\n{}", fields(v, "response")))
    }),
    kind("h_self_closing", "xml", "elements that close themselves for nothing", EITHER, RICH, |v, _| {
        let mut text = fields(v, "response");
        for key in [
            "context_challenge",
            "concerns",
            "next_focus",
            "escalation_reason",
            "conflicts",
            "resolved",
            "context_challenges",
        ] {
            text = text.replace(&format!("<{key}></{key}>"), &format!("<{key}/>"));
        }
        kept(v, text)
    }),
    kind("h_named_items", "xml", "items under names of their own", EITHER, RICH, |v, _| {
        let text = parts(v, |_, key, field| {
            let item = match key {
                "rationale" => "reason",
                "concerns" => "concern",
                "conflicts" => "conflict",
                "agenda_coverage" => "entry",
                _ => "point",
            };
            element(key, field, 1, &escaped, item)
        });
        kept(v, format!("<response>\n{text}</response>"))
    }),
    kind("h_pascal_elements", "xml", "elements in other case", EITHER, RICH, |v, _| {
        kept(v, fields(&tree::keys(v, pascal), "Response"))
    }),
    kind("h_raw_elements", "xml", "marks inside texts are not escaped", EITHER, RICH, |v, _| {
        kept(v, element("response", v, 0, &str::to_owned, "item"))
    }),
    kind("h_fenced_elements", "xml", "elements in a fence, with prose", EITHER, LINES, |v, _| {
        kept(v, format!("Here is the XML:\n\n```xml\n{}```", fields(v, "participant_response")))
    }),
    kind("h_elements_around_json", "xml", "an element with attributes around JSON", EITHER, LINES, |v, r| {
        let head = r.pick(&[
            "artifact identifier=\"answer\" type=\"application/json\"",
            "response format=\"json\"",
            "output lang=\"en\"",
        ]);
        let name = head.split(' ').next()?;
        kept(v, format!("<{head}>\n{}\n</{name}>", crate::styles::json(v)))
    }),
];
