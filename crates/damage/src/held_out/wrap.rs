//! Held out: what stands around an answer (prose, fences, thoughts, tokens) and the envelopes of providers and tools.

use serde_json::{Value, json};

use crate::Form;
use crate::kinds::{EITHER, Kind, Made, PLAIN, RICH, another, kept, kind};
use crate::rng::Rng;
use crate::styles::bracketed::quoted;
use crate::styles::{clean_yaml, either, json, json_line};
use crate::{tree, values};

pub(crate) const KINDS: &[Kind] = &[
    kind("u_prose_around_yaml", "wrap", "a sentence before and after bare YAML", EITHER, PLAIN, prose_around_yaml),
    kind("u_fence_never_closed", "wrap", "a fence opens, the whole answer, no closing fence", EITHER, RICH, open_fence),
    kind("u_thoughts_before", "wrap", "an element with thoughts before the answer", EITHER, RICH, thoughts_before),
    kind("u_fence_of_four", "wrap", "a fence of four or five backticks", EITHER, RICH, fence_of_four),
    kind("u_fence_in_list_item", "wrap", "an indented fence inside a numbered item", EITHER, RICH, fence_in_item),
    kind("u_front_matter", "wrap", "the answer as front matter, notes below", EITHER, RICH, front_matter),
    kind("u_speaker_prefix", "wrap", "the speaker's name before the answer", EITHER, RICH, speaker_prefix),
    kind("u_chat_tokens", "wrap", "tokens of a chat template at the ends", EITHER, RICH, chat_tokens),
    kind("u_example_then_answer", "wrap", "an example of the format, then the answer", EITHER, RICH, example_first),
    kind("u_checklist_after", "wrap", "a checklist of the model's own after the answer", EITHER, RICH, checklist_after),
    kind("u_chat_completion", "envelope", "the body of a chat completion", EITHER, RICH, chat_completion),
    kind("u_content_blocks", "envelope", "a message with blocks of content", EITHER, RICH, content_blocks),
    kind("u_event_lines", "envelope", "a line of JSON for each event of an agent", EITHER, RICH, event_lines),
    kind("u_tool_call_element", "envelope", "a call in an element, the answer its arguments", EITHER, RICH, tool_call),
    kind("u_invoke_parameters", "envelope", "a call with an element for each parameter", EITHER, PLAIN, invoke),
    kind("u_code_assignment", "envelope", "the answer assigned to a variable in code", EITHER, PLAIN, code_assignment),
];

fn fenced(value: &Value, rng: &mut Rng) -> String {
    if rng.percent(50) {
        format!("```json\n{}\n```", json(value))
    } else {
        format!("```yaml\n{}```", clean_yaml(value))
    }
}

fn tool_name(value: &Value) -> &'static str {
    if values::form(value) == Form::Participant { "submit_response" } else { "submit_synthesis" }
}

fn prose_around_yaml(value: &Value, rng: &mut Rng) -> Made {
    let before = rng.pick(&[
        "Thanks, I have read the round so far. Here is where I stand:",
        "I went through the material once more before answering.",
        "Sure, my contribution to this round is below.",
    ]);
    let after = rng.pick(&[
        "Happy to go deeper on any of these points.",
        "Let me know if another angle would help.",
        "I can expand on this in the next round if needed.",
    ]);
    kept(value, format!("{before}\n\n{}\n{after}", clean_yaml(value)))
}

fn open_fence(value: &Value, rng: &mut Rng) -> Made {
    let whole = fenced(value, rng);
    let open = whole.strip_suffix("\n```")?.to_owned();
    let lead = rng.pick(&["", "", "Here is the answer:\n\n"]);
    kept(value, format!("{lead}{open}\n"))
}

fn thoughts_before(value: &Value, rng: &mut Rng) -> Made {
    let tag = rng.pick(&["think", "thinking", "reasoning", "scratchpad"]);
    let first = values::remark(rng);
    let doubt = rng.pick(&[
        "A confidence of 0.4 feels too low given the evidence, so I go higher.",
        "The format asks for JSON or YAML with the fixed keys, nothing else.",
        "I should not repeat what the others said { or invent numbers }.",
    ]);
    let answer = if rng.percent(50) { either(value, rng) } else { fenced(value, rng) };
    kept(value, format!("<{tag}>\nLet me weigh this. {first}.\n\n{doubt}\n</{tag}>\n\n{answer}"))
}

fn fence_of_four(value: &Value, rng: &mut Rng) -> Made {
    let ticks = rng.pick(&["````", "````", "`````"]);
    let (label, body) = if rng.percent(50) { ("json", json(value) + "\n") } else { ("yaml", clean_yaml(value)) };
    kept(value, format!("{ticks}{label}\n{body}{ticks}"))
}

fn fence_in_item(value: &Value, rng: &mut Rng) -> Made {
    let indented: Vec<String> = fenced(value, rng).lines().map(|line| format!("   {line}")).collect();
    let first = rng.pick(&["I compared the options on the table.", "I read the brief and the last round."]);
    kept(value, format!("1. {first}\n2. My answer:\n\n{}\n", indented.join("\n")))
}

fn front_matter(value: &Value, rng: &mut Rng) -> Made {
    let notes = rng.pick(&[
        "The fields above are my full answer; nothing else is meant to be parsed.",
        "## Notes\n\nI kept this short on purpose.",
        "# Contribution\n\nSee the front matter.",
    ]);
    kept(value, format!("---\n{}---\n\n{notes}\n", clean_yaml(value)))
}

fn speaker_prefix(value: &Value, rng: &mut Rng) -> Made {
    let seat = rng.pick(&values::SEATS);
    let prefix = match rng.below(5) {
        0 => "Assistant:".to_owned(),
        1 => format!("[{seat}]"),
        2 => format!("**{seat}**:"),
        3 => format!("{seat} (round 2):"),
        _ => "assistant".to_owned(),
    };
    if rng.percent(40) && prefix.ends_with(':') {
        return kept(value, format!("{prefix} {}", json_line(value)));
    }
    kept(value, format!("{prefix}\n{}", either(value, rng)))
}

fn chat_tokens(value: &Value, rng: &mut Rng) -> Made {
    let (before, after) = rng.pick(&[
        ("<|im_start|>assistant\n", "<|im_end|>"),
        ("", "<|im_end|>"),
        ("[/INST] ", "</s>"),
        ("<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"),
        ("<start_of_turn>model\n", "<end_of_turn>"),
        ("", "<|endoftext|>"),
        ("<|channel|>final<|message|>", "<|return|>"),
    ]);
    let answer = if before.ends_with(' ') || before.ends_with('>') { json(value) } else { either(value, rng) };
    kept(value, format!("{before}{answer}{after}"))
}

fn example_first(value: &Value, rng: &mut Rng) -> Made {
    let example = another(value, rng);
    let lead = rng.pick(&["For example, an answer in this format looks like this:", "Example of the expected format:"]);
    let turn = rng.pick(&["And here is my own answer:", "My actual answer:", "Now my answer to the question:"]);
    kept(value, format!("{lead}\n\n{}\n\n{turn}\n\n{}", fenced(&example, rng), fenced(value, rng)))
}

fn checklist_after(value: &Value, rng: &mut Rng) -> Made {
    let checks = match values::form(value) {
        Form::Participant => ["`position` is one clear statement", "`confidence` is between 0 and 1"],
        Form::Facilitator => ["`synthesis` covers every seat", "`next_action` is one of the allowed values"],
    };
    let mark = rng.pick(&["- [x] ", "✅ ", "- ✓ "]);
    let title = rng.pick(&["Checklist:", "**Validation:**", "Self-check before sending:"]);
    let lines = format!("{mark}{}\n{mark}{}\n{mark}no extra keys", checks[0], checks[1]);
    kept(value, format!("{}\n\n{title}\n{lines}\n", fenced(value, rng)))
}

fn compact_or_pretty(envelope: &Value, rng: &mut Rng) -> String {
    if rng.percent(60) { envelope.to_string() } else { json(envelope) }
}

fn content(value: &Value, rng: &mut Rng) -> String {
    if rng.percent(35) { fenced(value, rng) } else { either(value, rng) }
}

fn chat_completion(value: &Value, rng: &mut Rng) -> Made {
    let message = json!({"role": "assistant", "content": content(value, rng), "refusal": null});
    let envelope = json!({
        "id": "chatcmpl-9xQ2", "object": "chat.completion", "created": 1_762_000_000, "model": "gpt-5-mini",
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 912, "completion_tokens": 188, "total_tokens": 1100},
    });
    kept(value, compact_or_pretty(&envelope, rng))
}

fn content_blocks(value: &Value, rng: &mut Rng) -> Made {
    let mut blocks = vec![json!({"type": "text", "text": content(value, rng)})];
    if rng.percent(40) {
        blocks.insert(0, json!({"type": "thinking", "thinking": values::remark(rng), "signature": "EqQB"}));
    }
    let envelope = json!({
        "id": "msg_01XF", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": blocks, "stop_reason": "end_turn", "stop_sequence": null,
        "usage": {"input_tokens": 640, "output_tokens": 201},
    });
    kept(value, compact_or_pretty(&envelope, rng))
}

fn event_lines(value: &Value, rng: &mut Rng) -> Made {
    let thought = json!({"id": "item_0", "type": "reasoning", "text": format!("**Weighing** {}", values::remark(rng))});
    let answer = json!({"id": "item_1", "type": "agent_message", "text": content(value, rng)});
    let events = [
        json!({"type": "thread.started", "thread_id": "0199a213-81c0-7800"}),
        json!({"type": "turn.started"}),
        json!({"type": "item.completed", "item": thought}),
        json!({"type": "item.completed", "item": answer}),
        json!({"type": "turn.completed", "usage": {"input_tokens": 2400, "cached_input_tokens": 0, "output_tokens": 122}}),
    ];
    kept(value, events.iter().map(|event| format!("{event}\n")).collect::<String>())
}

fn tool_call(value: &Value, rng: &mut Rng) -> Made {
    let arguments = if rng.percent(60) { value.clone() } else { Value::String(value.to_string()) };
    let call = json!({"name": tool_name(value), "arguments": arguments});
    let tag = rng.pick(&["tool_call", "tool_call", "function_call"]);
    kept(value, format!("<{tag}>\n{}\n</{tag}>", json_line(&call)))
}

fn invoke(value: &Value, rng: &mut Rng) -> Made {
    let fields = tree::fields(value);
    let parameter = |(key, field): (&String, &Value)| match field {
        Value::Null => String::new(),
        Value::String(text) => format!("<parameter name=\"{key}\">{text}</parameter>\n"),
        other => format!("<parameter name=\"{key}\">{}</parameter>\n", json_line(other)),
    };
    let parameters: String = fields.iter().map(parameter).collect();
    let call = format!("<invoke name=\"{}\">\n{parameters}</invoke>", tool_name(value));
    kept(value, if rng.percent(70) { format!("<function_calls>\n{call}\n</function_calls>") } else { call })
}

fn code_assignment(value: &Value, rng: &mut Rng) -> Made {
    let body = json(value);
    let (label, code) = match rng.below(5) {
        0 => ("js", format!("const response = {body};")),
        1 => ("javascript", format!("export default {body};")),
        2 => ("ts", format!("return {body};")),
        3 => ("python", format!("import json\n\nresponse = json.loads({})", quoted(&value.to_string()))),
        _ => ("js", format!("module.exports = {body};")),
    };
    let bare = rng.percent(30) && label != "python";
    kept(value, if bare { code } else { format!("```{label}\n{code}\n```") })
}
