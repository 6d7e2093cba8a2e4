//! The second set: Markdown and XML-ish fields.

use crate::kinds::more_markdown::indented;
use crate::kinds::more_markdown::is_filled;
use crate::kinds::more_markdown::parts;
use serde_json::Value;

use crate::kinds::{CHAIR, EITHER, Kind, LINES, RICH, SEAT, free_of, kept, kind};
use crate::styles::markdown::{body, bold, headings, title};
use crate::styles::xml::{element, escaped, fields};
use crate::tree;

fn nested(value: &Value, depth: usize, name: fn(&str) -> String) -> String {
    let pad = "  ".repeat(depth);
    let one = |(key, field): (&String, &Value)| match field {
        Value::Object(_) => format!(
            "{pad}- **{}**:\n{}",
            name(key),
            nested(field, depth + 1, if key == "positions" { str::to_owned } else { title })
        ),
        Value::Array(items) if items.is_empty() => format!("{pad}- **{}**: None\n", name(key)),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            format!("{pad}- **{}**:\n{}\n", name(key), indented(&body(field), &format!("{pad}  ")))
        }
        Value::Array(items) => {
            let each = |item: &Value| {
                let text = nested(item, depth + 2, title);
                let first = text.trim_start().trim_start_matches("- ").to_owned();
                format!("{pad}  - {first}")
            };
            format!("{pad}- **{}**:\n{}", name(key), items.iter().map(each).collect::<String>())
        }
        other => format!("{pad}- **{}**: {}\n", name(key), body(other)),
    };
    tree::fields(value).iter().map(one).collect()
}

pub(crate) const KINDS: &[Kind] = &[
    kind("second_italic_keys", "markdown", "keys in italics", SEAT, RICH, |v, r| {
        let name = if r.percent(50) {
            |key: &str| format!("_{}_:", title(key))
        } else {
            |key: &str| format!("*{}:*", title(key))
        };
        kept(v, bold(v, name))
    }),
    kind("second_underlined_headings", "markdown", "headings underlined with dashes", SEAT, RICH, |v, r| {
        let mark = r.pick(&["-", "="]);
        kept(v, parts(v, |_, key, field| format!("{}\n{}\n\n{}\n\n", title(key), mark.repeat(key.len()), body(field))))
    }),
    kind("second_heading_with_value", "markdown", "the value on the line of the heading", SEAT, RICH, |v, _| {
        let text = parts(v, |_, key, field| {
            if is_filled(field) {
                format!("## {}\n{}\n\n", title(key), body(field))
            } else {
                format!("## {}: {}\n\n", title(key), body(field))
            }
        });
        kept(v, text)
    }),
    kind("second_emoji_headings", "markdown", "a picture in each heading", SEAT, RICH, |v, r| {
        let marks = ["🎯", "💡", "📊", "⚠️", "🔍"];
        kept(v, parts(v, |_, key, field| format!("## {} {}\n\n{}\n\n", r.pick(&marks), title(key), body(field))))
    }),
    kind("second_wide_table", "markdown", "a table with a column for each key", SEAT, RICH, |v, _| {
        free_of(v, "|<")?;
        let names: Vec<String> = tree::fields(v).keys().map(|key| title(key)).collect();
        let cells: Vec<String> = tree::fields(v).values().map(|field| body(field).replace('\n', "<br>")).collect();
        let rule = vec!["---"; names.len()].join(" | ");
        kept(v, format!("| {} |\n| {rule} |\n| {} |", names.join(" | "), cells.join(" | ")))
    }),
    kind("second_capital_labels", "markdown", "labels in capitals, the value below", SEAT, RICH, |v, _| {
        kept(v, parts(v, |_, key, field| format!("{}:\n{}\n\n", title(key).to_uppercase(), body(field))))
    }),
    kind("second_headings_numbered_items", "markdown", "headings with numbered items", SEAT, RICH, |v, _| {
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
    kind(
        "second_bold_line_then_value",
        "markdown",
        "a bold key on its own line, the value below",
        SEAT,
        RICH,
        |v, r| {
            let gap = r.pick(&["\n", "\n\n"]);
            kept(v, parts(v, |_, key, field| format!("**{}**{gap}{}\n\n", title(key), body(field))))
        },
    ),
    kind("second_bold_heading_keys", "markdown", "headings whose words are bold, with a colon", SEAT, RICH, |v, _| {
        kept(v, headings(v, "##", |key| format!("**{}:**", title(key))))
    }),
    kind("second_heading_percent", "markdown", "headings, and the confidence in percent", SEAT, RICH, |v, _| {
        let share = format!("{:.0}%", v.get("confidence")?.as_f64()? * 100.0);
        kept(v, headings(&tree::set(v, "confidence", share), "##", title))
    }),
    kind("second_nested_bullets", "markdown", "bullets in bullets for objects", CHAIR, RICH, |v, _| {
        kept(v, nested(v, 0, title))
    }),
    kind("second_cdata", "xml", "texts in CDATA", EITHER, LINES, |v, r| {
        let text = |text: &str| format!("<![CDATA[{text}]]>");
        kept(v, element(r.pick(&["response", "answer"]), v, 0, &text, "item"))
    }),
    kind("second_attributes", "xml", "texts and the number as attributes", SEAT, RICH, |v, _| {
        let (position, confidence) = (tree::text(v, "position"), v.get("confidence")?);
        let head = escaped(position).replace('"', "&quot;");
        let lists = tree::without(&tree::without(v, "position"), "confidence");
        let inner: String =
            tree::fields(&lists).iter().map(|(key, field)| element(key, field, 1, &escaped, "item")).collect();
        kept(v, format!("<response position=\"{head}\" confidence=\"{confidence}\">\n{inner}</response>"))
    }),
    kind("second_declaration", "xml", "a declaration and a comment above", EITHER, LINES, |v, _| {
        kept(v, format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- answer -->\n{}", fields(v, "response")))
    }),
    kind("second_self_closing", "xml", "elements that close themselves for nothing", EITHER, RICH, |v, _| {
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
    kind("second_named_items", "xml", "items under names of their own", EITHER, RICH, |v, _| {
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
    kind("second_raw_elements", "xml", "marks inside texts are not escaped", EITHER, RICH, |v, _| {
        kept(v, element("response", v, 0, &str::to_owned, "item"))
    }),
    kind("second_fenced_elements", "xml", "elements in a fence, with prose", EITHER, LINES, |v, _| {
        kept(v, format!("Here is the XML:\n\n```xml\n{}```", fields(v, "participant_response")))
    }),
    kind("second_elements_around_json", "xml", "an element with attributes around JSON", EITHER, LINES, |v, r| {
        let head = r.pick(&[
            "artifact identifier=\"answer\" type=\"application/json\"",
            "response format=\"json\"",
            "output lang=\"en\"",
        ]);
        let name = head.split(' ').next()?;
        kept(v, format!("<{head}>\n{}\n</{name}>", crate::styles::json(v)))
    }),
];
