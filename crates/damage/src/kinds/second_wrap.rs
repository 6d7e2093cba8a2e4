//! The second set: what stands around an answer, and several answers in one reply.

use crate::kinds::fence::fenced;
use crate::kinds::more_wrap::thoughts;
use serde_json::{Value, json};

use crate::kinds::{EITHER, Kind, LINES, RICH, another, kept, kind};
use crate::styles::{clean_yaml, either, json as json_text, json_line, xml};
use crate::tree;

/// The value with every field emptied.
fn hollow(value: &Value) -> Value {
    let empty = |(key, field): (String, Value)| match field {
        Value::Array(_) => (key, json!([])),
        Value::Number(_) => (key, Value::Null),
        _ => (key, json!("")),
    };
    Value::Object(tree::fields(value).into_iter().map(empty).collect())
}

const CODE: [&str; 3] = [
    "```rust\nfn retry() -> Result<(), Error> { Ok(()) }\n```",
    "```sh\nkubectl rollout undo deploy/web\n```",
    "```sql\nSELECT id FROM orders WHERE total > 10;\n```",
];

pub(crate) const KINDS: &[Kind] = &[
    kind("second_role_prefix", "wrap", "the name of the speaker before the answer", EITHER, RICH, |v, r| {
        match r.below(3) {
            0 => kept(v, format!("assistant: {}", json_line(v))),
            1 => kept(v, format!("**Architect (round 2):**\n\n{}", either(v, r))),
            _ => kept(v, format!("[facilitator]\n{}", either(v, r))),
        }
    }),
    kind("second_rules_around", "wrap", "begin and end marks around", EITHER, RICH, |v, r| {
        let (open, close) = r.pick(&[
            ("-----BEGIN RESPONSE-----", "-----END RESPONSE-----"),
            ("<<<BEGIN>>>", "<<<END>>>"),
            ("==========", "=========="),
            ("*** ANSWER ***", "*** END ***"),
        ]);
        kept(v, format!("{open}\n{}\n{close}", either(v, r).trim_end()))
    }),
    kind("second_prose_names_fields", "wrap", "prose that talks about the fields", EITHER, RICH, |v, r| {
        let lead = "My confidence is limited because the data is thin, and my concerns come last. The position I take is firm.";
        kept(v, format!("{lead}\n\n{}", either(v, r)))
    }),
    kind("second_note_after", "wrap", "a note with a colon after the answer", EITHER, RICH, |v, r| {
        let note = r.pick(&[
            "Note: I could not open the links.",
            "P.S.: figures are from last year.",
            "Source: the brief, section 2.",
        ]);
        kept(v, format!("{}\n\n{note}", either(v, r).trim_end()))
    }),
    kind("second_letter", "wrap", "a greeting and a signature", EITHER, RICH, |v, r| {
        kept(
            v,
            format!(
                "Hi all,\n\nplease find my answer below.\n\n{}\n\nBest regards,\nThe architect",
                either(v, r).trim_end()
            ),
        )
    }),
    kind("second_fence_one_line", "fence", "fence and answer on one line", EITHER, RICH, |v, r| {
        let (open, close) = r.pick(&[("```json ", " ```"), ("```", "```"), ("```json", "```")]);
        kept(v, format!("{open}{}{close}", json_line(v)))
    }),
    kind("second_fence_single_backticks", "fence", "the answer between single backticks", EITHER, RICH, |v, _| {
        let text = json_line(v);
        (!text.contains('`')).then_some(())?;
        kept(v, format!("`{text}`"))
    }),
    kind("second_fence_code_first", "fence", "a fence with code, then the answer in a fence", EITHER, RICH, |v, r| {
        let answer = if r.percent(50) { fenced("json", &json_text(v)) } else { fenced("yaml", &clean_yaml(v)) };
        kept(v, format!("What I have in mind:\n\n{}\n\nSo:\n\n{answer}", r.pick(&CODE)))
    }),
    kind("second_fence_code_after", "fence", "the answer in a fence, then a fence with code", EITHER, RICH, |v, r| {
        let answer = if r.percent(50) { fenced("json", &json_text(v)) } else { fenced("yaml", &clean_yaml(v)) };
        kept(v, format!("{answer}\n\nFor reference:\n\n{}", r.pick(&CODE)))
    }),
    kind("second_fence_label_below", "fence", "the label on the line after the fence", EITHER, LINES, |v, r| {
        if r.percent(50) {
            kept(v, format!("```\njson\n{}\n```", json_text(v)))
        } else {
            kept(v, format!("```\nyaml\n{}```", clean_yaml(v)))
        }
    }),
    kind("second_fence_html", "fence", "a code element of HTML, with entities", EITHER, RICH, |v, _| {
        let text = xml::escaped(&json_text(v)).replace('"', "&quot;");
        kept(v, format!("<pre><code class=\"language-json\">{text}</code></pre>"))
    }),
    kind("second_fence_only_closed", "fence", "only the closing fence is there", EITHER, LINES, |v, r| {
        kept(v, format!("{}\n```", either(v, r).trim_end()))
    }),
    kind("second_harmony", "thinking", "channels of an open model", EITHER, RICH, |v, r| {
        let answer = either(v, r);
        kept(
            v,
            format!(
                "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>{answer}<|return|>",
                thoughts(r)
            ),
        )
    }),
    kind("second_solution_marks", "thinking", "thought and solution between tokens", EITHER, RICH, |v, r| {
        let answer = either(v, r);
        kept(
            v,
            format!(
                "<|begin_of_thought|>\n{}\n<|end_of_thought|>\n<|begin_of_solution|>\n{answer}\n<|end_of_solution|>",
                thoughts(r)
            ),
        )
    }),
    kind(
        "second_thinking_in_bold",
        "thinking",
        "thinking under a bold word, then the answer under another",
        EITHER,
        RICH,
        |v, r| kept(v, format!("**Thinking**\n\n{}\n\n**Answer**\n\n{}", thoughts(r), fenced("json", &json_text(v)))),
    ),
    kind("second_thinking_with_fragments", "thinking", "thoughts that hold pieces of JSON", EITHER, RICH, |v, r| {
        let piece = "{\"position\": \"...\", \"confidence\": 0.5}";
        kept(v, format!("<think>\nFormat is {piece} I guess, or [{{}}].\n{}\n</think>\n{}", thoughts(r), either(v, r)))
    }),
    kind("second_thinking_details", "thinking", "thoughts in an element that folds", EITHER, RICH, |v, r| {
        kept(v, format!("<details>\n<summary>Reasoning</summary>\n\n{}\n\n</details>\n\n{}", thoughts(r), either(v, r)))
    }),
    kind("second_correction", "several", "an answer, then its correction", EITHER, RICH, |v, r| {
        let (first, word) = (
            another(v, r),
            r.pick(&[
                "Correction — use this one instead:",
                "Wait, that is not right. Revised answer:",
                "Updated final answer:",
            ]),
        );
        kept(v, format!("{}\n\n{word}\n\n{}", fenced("json", &json_text(&first)), fenced("json", &json_text(v))))
    }),
    kind("second_example_first", "several", "an example of the format, then the answer", EITHER, RICH, |v, r| {
        let example = another(v, r);
        kept(
            v,
            format!(
                "Example of the format:\n{}\n\nMy actual answer:\n{}",
                fenced("json", &json_text(&example)),
                fenced("json", &json_text(v))
            ),
        )
    }),
    kind(
        "second_repeated_other_spacing",
        "several",
        "the same answer on one line and on many",
        EITHER,
        LINES,
        |v, _| kept(v, format!("{}\n\nFormatted:\n\n{}", v, json_text(v))),
    ),
    kind("second_hollow_first", "several", "the format with empty fields, then the answer", EITHER, RICH, |v, r| {
        let (open, close) = r.pick(&[("Template:", "Filled:"), ("", "")]);
        kept(v, format!("{open}\n{}\n\n{close}\n{}", json_text(&hollow(v)), json_text(v)))
    }),
    kind("second_draft_and_final_tags", "several", "a draft and the final answer in tags", EITHER, RICH, |v, r| {
        let draft = another(v, r);
        kept(v, format!("<draft>\n{}\n</draft>\n<final>\n{}\n</final>", json_text(&draft), json_text(v)))
    }),
];
