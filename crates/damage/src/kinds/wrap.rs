//! Prose, thinking and chat tokens around an answer.

use super::{EITHER, Kind, LINES, RICH, another, kept, kind};
use crate::rng::Rng;
use crate::styles::{clean_yaml, either, json, json_line};
use crate::words;

pub(crate) const BEFORE: [&str; 10] = [
    "Sure, here's my contribution:",
    "Here is the JSON you requested:",
    "I've thought about this carefully. My answer follows.",
    "Understood. Responding as the architect:",
    "Certainly! Below is my structured reply.",
    "Thanks, everyone. After reading the other answers I come down as follows.",
    "**My answer**",
    "Based on the context provided, this is what I would say:",
    "As requested, in the given format:",
    "OK.",
];

pub(crate) const AFTER: [&str; 10] = [
    "Let me know if anything is unclear.",
    "Hope that helps!",
    "I am happy to go into more detail on any of these points.",
    "(I could be convinced otherwise by a load test.)",
    "This answer follows the format you gave.",
    "If the budget changes, I would revisit this.",
    "Would you like me to expand on the second point?",
    "— end of answer —",
    "Please note that I had no access to the repository.",
    "Feel free to push back on this.",
];

/// Thoughts that hold no answer.
pub(crate) fn thoughts(rng: &mut Rng) -> String {
    let starts = ["Okay, let me think.", "The user wants a structured answer.", "First, what do we know?", "Hmm."];
    format!("{} {} So: {}. I should keep it short.", rng.pick(&starts), words::sentences(rng), words::plain(rng))
}

fn tag(rng: &mut Rng) -> &'static str {
    rng.pick(&["think", "thinking", "reasoning", "thought", "scratchpad", "analysis"])
}

pub(crate) const KINDS: &[Kind] = &[
    kind("prose_before_json", "wrap", "a sentence, then JSON", EITHER, LINES, |v, r| {
        kept(v, format!("{}\n\n{}", r.pick(&BEFORE), json(v)))
    }),
    kind("prose_after_json", "wrap", "JSON, then a sentence", EITHER, LINES, |v, r| {
        kept(v, format!("{}\n\n{}", json(v), r.pick(&AFTER)))
    }),
    kind("prose_before_yaml", "wrap", "a sentence, then YAML without a fence", EITHER, RICH, |v, r| {
        kept(v, format!("{}\n\n{}", r.pick(&BEFORE), clean_yaml(v)))
    }),
    kind("prose_after_yaml", "wrap", "YAML without a fence, a blank line, then a sentence", EITHER, RICH, |v, r| {
        kept(v, format!("{}\n{}", clean_yaml(v), r.pick(&AFTER)))
    }),
    kind("prose_both_sides", "wrap", "sentences before and after", EITHER, RICH, |v, r| {
        let long = words::sentences(r);
        kept(v, format!("{} {long}\n\n{}\n\n{}", r.pick(&BEFORE), either(v, r), r.pick(&AFTER)))
    }),
    kind("label_line_before", "wrap", "a bare `json` or `yaml` line where a fence should be", EITHER, LINES, |v, r| {
        if r.percent(50) { kept(v, format!("json\n{}", json(v))) } else { kept(v, format!("yaml\n{}", clean_yaml(v))) }
    }),
    kind("prose_on_the_same_line", "wrap", "`Answer: {…}` on one line", EITHER, RICH, |v, r| {
        let lead = r.pick(&["Answer:", "Here you go:", "Final output:", "Response -"]);
        kept(v, format!("{lead} {}", json_line(v)))
    }),
    kind("prose_with_brackets_before", "wrap", "prose that itself holds braces and brackets", EITHER, RICH, |v, r| {
        let lead = "I filled in the template {position, rationale, …} as agreed [see above], using {x} where needed.";
        kept(v, format!("{lead}\n\n{}", either(v, r)))
    }),
    kind("thinking_block", "thinking", "thoughts in tags before the answer", EITHER, LINES, |v, r| {
        let tag = tag(r);
        kept(v, format!("<{tag}>\n{}\n</{tag}>\n\n{}", thoughts(r), either(v, r)))
    }),
    kind("thinking_with_draft", "thinking", "thoughts that hold another whole answer", EITHER, RICH, |v, r| {
        let (tag, draft) = (tag(r), another(v, r));
        let draft = either(&draft, r);
        kept(v, format!("<{tag}>\n{}\n{draft}\nNo, that is too weak.\n</{tag}>\n{}", thoughts(r), either(v, r)))
    }),
    kind("thinking_close_only", "thinking", "only the closing tag of the thoughts is left", EITHER, LINES, |v, r| {
        let tag = r.pick(&["think", "thinking", "reasoning"]);
        kept(v, format!("{}\n</{tag}>\n\n{}", thoughts(r), either(v, r)))
    }),
    kind("chat_tokens", "thinking", "the tokens of a chat template are left in", EITHER, RICH, |v, r| {
        let text = either(v, r);
        match r.below(4) {
            0 => kept(v, format!("<|im_start|>assistant\n{text}\n<|im_end|>")),
            1 => kept(v, format!("<|start_header_id|>assistant<|end_header_id|>\n\n{text}<|eot_id|>")),
            2 => kept(v, format!("[/INST] {text}</s>")),
            _ => kept(v, format!("{text}\n<|endoftext|>")),
        }
    }),
    kind("thinking_empty", "thinking", "an empty pair of thinking tags", EITHER, LINES, |v, r| {
        kept(v, format!("<think>\n\n</think>\n\n{}", either(v, r)))
    }),
];
