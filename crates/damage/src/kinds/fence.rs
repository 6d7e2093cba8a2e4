//! Fences around an answer: labelled, unlabelled, odd, unclosed.

use super::wrap::{AFTER, BEFORE};
use super::{EITHER, Kind, LINES, RICH, kept, kind};
use crate::styles::{clean_yaml, either, json, json_line};
use crate::{tree, values};

/// The text between fences.
pub(crate) fn fenced(label: &str, text: &str) -> String {
    format!("```{label}\n{}\n```", text.trim_end())
}

pub(crate) const KINDS: &[Kind] = &[
    kind("fence_json", "fence", "JSON in a fence, with prose", EITHER, LINES, |v, r| {
        kept(v, format!("{}\n\n{}\n\n{}", r.pick(&BEFORE), fenced("json", &json(v)), r.pick(&AFTER)))
    }),
    kind("fence_yaml", "fence", "YAML in a fence, with prose", EITHER, LINES, |v, r| {
        let label = r.pick(&["yaml", "yml", "YAML"]);
        kept(v, format!("{}\n\n{}\n\n{}", r.pick(&BEFORE), fenced(label, &clean_yaml(v)), r.pick(&AFTER)))
    }),
    kind("fence_no_label", "fence", "a fence without a label", EITHER, LINES, |v, r| {
        kept(v, fenced("", &either(v, r)))
    }),
    kind("fence_wrong_label", "fence", "a label that does not fit", EITHER, LINES, |v, r| {
        let label = r.pick(&["text", "python", "markdown", "javascript", "plaintext", "toml"]);
        kept(v, fenced(label, &either(v, r)))
    }),
    kind("fence_tilde", "fence", "tildes in place of backticks", EITHER, LINES, |v, r| {
        kept(v, format!("~~~yaml\n{}~~~", clean_yaml(v)).replace("~~~yaml", r.pick(&["~~~yaml", "~~~", "~~~~yml"])))
            .map(|(text, truth)| (if text.starts_with("~~~~") { text + "~" } else { text }, truth))
    }),
    kind("fence_unclosed", "fence", "the closing fence is missing, the answer is whole", EITHER, LINES, |v, r| {
        let (label, text) = if r.percent(50) { ("json", json(v)) } else { ("yaml", clean_yaml(v)) };
        let lead = if r.percent(50) { format!("{}\n", r.pick(&BEFORE)) } else { String::new() };
        kept(v, format!("{lead}```{label}\n{text}"))
    }),
    kind("fence_four_backticks", "fence", "four backticks, or four opened and three closed", EITHER, LINES, |v, r| {
        let close = r.pick(&["````", "```"]);
        kept(v, format!("````json\n{}\n{close}", json(v)))
    }),
    kind("fence_indented", "fence", "the fence and all in it stand to the right", EITHER, RICH, |v, r| {
        let pad = r.pick(&["  ", "   ", "    "]);
        let text = fenced("yaml", &clean_yaml(v));
        let lines: Vec<String> = text.lines().map(|line| format!("{pad}{line}")).collect();
        kept(v, format!("- My answer:\n\n{}", lines.join("\n")))
    }),
    kind("fence_attributes", "fence", "a label with attributes or in capitals", EITHER, LINES, |v, r| {
        let label = r.pick(&["JSON", "json title=\"answer.json\"", "{.json}", "json5", "jsonc", " json "]);
        kept(v, fenced(label, &json(v)))
    }),
    kind(
        "fence_closed_on_the_last_line",
        "fence",
        "the closing fence follows the last brace",
        EITHER,
        LINES,
        |v, r| {
            let text = if r.percent(50) { json(v) } else { json_line(v) };
            kept(v, format!("```json\n{text}```"))
        },
    ),
    kind("fence_in_value", "fence", "a text that holds a fence, in a fence", EITHER, RICH, |v, r| {
        let key = if values::form(v) == crate::Form::Participant { "position" } else { "synthesis" };
        let code = r.pick(&["```rust\nfn main() {}\n```", "```sh\nmake test\n```", "```\na: 1\n```"]);
        let v = &tree::set(v, key, format!("{}:\n{code}\nNothing else changes.", tree::text(v, key)));
        if r.percent(50) { kept(v, fenced("json", &json(v))) } else { kept(v, fenced("yaml", &clean_yaml(v))) }
    }),
];
