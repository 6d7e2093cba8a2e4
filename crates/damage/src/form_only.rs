//! Damage of form only: given any written value, the same value with something around it or before its lines.

use serde_json::json;

use crate::rng::Rng;
use crate::styles::bracketed::quoted;

/// One such damage.
pub struct FormOnly {
    /// Its name.
    pub name: &'static str,
    /// Damages a text.
    pub damage: fn(&str, &mut Rng) -> String,
}

fn each_line(text: &str, write: impl Fn(&str) -> String) -> String {
    text.trim_end().lines().map(write).collect::<Vec<_>>().join("\n")
}

/// What may stand directly around an answer.
pub const INNER: &[FormOnly] = &[
    FormOnly { name: "nothing", damage: |text, _| text.to_owned() },
    FormOnly { name: "fence", damage: |text, _| format!("```\n{}\n```", text.trim_end()) },
    FormOnly {
        name: "fence_label",
        damage: |text, rng| format!("```{}\n{}\n```", rng.pick(&["json", "yaml", "text"]), text.trim_end()),
    },
    FormOnly { name: "fence_tilde", damage: |text, _| format!("~~~\n{}\n~~~", text.trim_end()) },
    FormOnly { name: "element", damage: |text, _| format!("<answer>\n{}\n</answer>", text.trim_end()) },
    FormOnly { name: "block_quote", damage: |text, _| each_line(text, |line| format!("> {line}")) },
    FormOnly { name: "indented", damage: |text, _| each_line(text, |line| format!("    {line}")) },
    FormOnly { name: "trailing_spaces", damage: |text, _| each_line(text, |line| format!("{line}  ")) },
];

/// What may stand further out.
pub const OUTER: &[FormOnly] = &[
    FormOnly { name: "nothing", damage: |text, _| text.to_owned() },
    FormOnly { name: "prose_before", damage: |text, _| format!("Sure, here is my answer:\n\n{text}") },
    FormOnly { name: "prose_after", damage: |text, _| format!("{}\n\nLet me know if this helps!", text.trim_end()) },
    FormOnly { name: "thoughts", damage: |text, _| format!("<think>\nLet me see. Fine.\n</think>\n\n{text}") },
    FormOnly { name: "byte_order_mark", damage: |text, _| format!("\u{feff}{text}") },
    FormOnly { name: "windows_lines", damage: |text, _| text.replace('\n', "\r\n") },
    FormOnly { name: "encoded", damage: |text, _| quoted(text) },
    FormOnly {
        name: "result",
        damage: |text, _| {
            json!({"type": "result", "subtype": "success", "is_error": false, "result": text}).to_string()
        },
    },
    FormOnly {
        name: "completion",
        damage: |text, _| {
            let message = json!({"role": "assistant", "content": text});
            json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).to_string()
        },
    },
    FormOnly { name: "colours", damage: |text, _| each_line(text, |line| format!("\u{1b}[36m{line}\u{1b}[0m")) },
];
