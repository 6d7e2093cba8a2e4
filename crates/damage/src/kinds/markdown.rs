//! Markdown and XML-ish fields where JSON or YAML was asked for.

use super::fence::fenced;
use super::{EITHER, Kind, LINES, RICH, SEAT, free_of, kept, kind};
use crate::styles::markdown::{body, bold, bullets, headings, title};
use crate::styles::xml::{element, fields};
use crate::styles::yaml::{Yaml, yaml};
use crate::styles::{either, json};
use crate::tree;

pub(crate) const KINDS: &[Kind] = &[
    kind("markdown_headings", "markdown", "a heading for each key", SEAT, RICH, |v, r| {
        let level = r.pick(&["#", "##", "###", "####"]);
        kept(v, headings(v, level, title))
    }),
    kind(
        "markdown_headings_nested",
        "markdown",
        "a heading for each key, objects as YAML below",
        EITHER,
        RICH,
        |v, r| {
            let level = r.pick(&["##", "###"]);
            kept(v, headings(v, level, if r.percent(50) { title } else { |key| key.to_owned() }))
        },
    ),
    kind("markdown_bold_keys", "markdown", "bold keys with the colon inside", SEAT, RICH, |v, _| {
        kept(v, bold(v, |key| format!("**{}:**", title(key))))
    }),
    kind("markdown_bold_keys_colon_outside", "markdown", "bold keys with the colon outside", SEAT, RICH, |v, r| {
        let name =
            if r.percent(50) { |key: &str| format!("**{}**:", title(key)) } else { |key: &str| format!("**{key}**:") };
        kept(v, bold(v, name))
    }),
    kind("markdown_bullets", "markdown", "a bullet with a bold key for each field", SEAT, RICH, |v, _| {
        kept(v, bullets(v))
    }),
    kind(
        "markdown_table",
        "markdown",
        "a table of field and value, items parted by line breaks",
        SEAT,
        RICH,
        |v, _| {
            free_of(v, "|<")?;
            let row = |(key, field): (&String, &serde_json::Value)| {
                format!("| {key} | {} |\n", body(field).replace('\n', "<br>"))
            };
            let rows: String = tree::fields(v).iter().map(row).collect();
            kept(v, format!("| Field | Value |\n|---|---|\n{rows}"))
        },
    ),
    kind("markdown_backtick_keys", "markdown", "keys in backticks", SEAT, RICH, |v, r| {
        if r.percent(50) {
            kept(v, bold(v, |key| format!("`{key}`:")))
        } else {
            kept(v, yaml(v, &Yaml { key: |key| format!("`{key}`"), ..Yaml::CLEAN }))
        }
    }),
    kind(
        "markdown_title_and_rule",
        "markdown",
        "a title, rules between the parts, a closing line",
        SEAT,
        RICH,
        |v, _| {
            let parts = headings(v, "##", title).replace("\n\n## ", "\n\n---\n\n## ");
            kept(v, format!("# Response of the panel\n\n{parts}"))
        },
    ),
    kind("markdown_heading_then_fence", "markdown", "a heading and the answer in a fence", EITHER, LINES, |v, r| {
        kept(
            v,
            format!("## Response\n\n{}\n\n## Notes\n\nNone.", fenced("json", &json(v)))
                .replace("None.", r.pick(&["Nothing to add.", "See the brief."])),
        )
    }),
    kind("xml_wrapper", "xml", "the answer inside one element", EITHER, RICH, |v, r| {
        let tag = r.pick(&["answer", "output", "response", "result", "json", "final_answer"]);
        kept(v, format!("<{tag}>\n{}\n</{tag}>", either(v, r).trim_end()))
    }),
    kind("xml_fields", "xml", "an element for each field, `item` for each item", EITHER, LINES, |v, r| {
        kept(v, fields(v, r.pick(&["response", "answer", "participant_response"])))
    }),
    kind("xml_fields_no_root", "xml", "elements without one around them", EITHER, RICH, |v, _| {
        let parts = tree::fields(v);
        let text: String =
            parts.iter().map(|(key, field)| element(key, field, 0, &crate::styles::xml::escaped, "item")).collect();
        kept(v, text)
    }),
    kind("xml_bulleted_lists", "xml", "lists as bullets inside an element", SEAT, RICH, |v, _| {
        free_of(v, "<&")?;
        let one = |(key, field): (&String, &serde_json::Value)| match field {
            serde_json::Value::Array(_) => format!("<{key}>\n{}\n</{key}>\n", body(field)),
            serde_json::Value::Null => format!("<{key}></{key}>\n"),
            other => format!("<{key}>{}</{key}>\n", body(other)),
        };
        kept(v, tree::fields(v).iter().map(one).collect::<String>())
    }),
];
