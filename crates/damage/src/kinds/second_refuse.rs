//! The second set: replies that must be refused.

use crate::kinds::cut::last_text;
use crate::kinds::envelope::shown;
use crate::kinds::json::main_key;
use crate::kinds::more_refuse::cut;
use crate::kinds::more_refuse::is_participant;
use serde_json::{Value, json};

use crate::kinds::{CHAIR, EITHER, Kind, RICH, SEAT, another, kind, patched, patched_raw, refused};
use crate::rng::Rng;
use crate::styles::bracketed::{JSON, Syntax, bracketed, python, quoted};
use crate::styles::markdown::{headings, title};
use crate::styles::{clean_yaml, either, json as json_text, json_line, xml};
use crate::{tree, words};

fn cut_json(value: &Value, rng: &mut Rng) -> Option<String> {
    cut(&json_text(value), &last_text(value)?, quoted, rng)
}

fn data(delta: &Value, reason: Option<&str>) -> String {
    format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}))
}

pub(crate) const KINDS: &[Kind] = &[
    kind("second_error_page", "refuse_text", "an error page", EITHER, RICH, |_, r| {
        refused(r.pick(&[
            "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>",
            "<!DOCTYPE html><html><body>Just a moment...</body></html>",
            "upstream connect error or disconnect/reset before headers. reset reason: overflow",
        ]))
    }),
    kind("second_promise", "refuse_text", "a promise of an answer", EITHER, RICH, |_, r| {
        refused(r.pick(&[
            "I'll read the context first and then give my position, rationale and confidence.",
            "Let me look at the repository before I answer.\n\nReading files…",
            "Understood. I will answer in the YAML format with position, rationale, confidence and concerns.",
        ]))
    }),
    kind("second_other_tool", "refuse_text", "a call of another tool", EITHER, RICH, |_, r| {
        let call = json!({"name": "web_search", "arguments": {"query": words::plain(r), "limit": 5}});
        refused(if r.percent(50) { format!("<tool_call>\n{call}\n</tool_call>") } else { shown(&call, r) })
    }),
    kind(
        "second_prose_with_figures",
        "refuse_text",
        "prose that speaks of a position and a figure",
        EITHER,
        RICH,
        |_, r| {
            refused(format!(
                "My position is simple. {} I am about 80% confident, and my concerns are few. {}",
                words::sentences(r),
                words::sentences(r)
            ))
        },
    ),
    kind("second_only_thoughts", "refuse_text", "thoughts and nothing after them", EITHER, RICH, |v, r| {
        let draft = either(v, r);
        refused(format!(
            "<think>\n{}\nMaybe so:\n{draft}\n</think>{}",
            words::sentences(r),
            r.pick(&["", "\n", "\n\n"])
        ))
    }),
    kind(
        "second_open_thoughts_policy",
        "refuse_text",
        "thoughts that never end, with a draft in them",
        EITHER,
        RICH,
        |v, r| {
            refused(format!(
                "<think>\n{}\nA first draft:\n{}\nBut is that right? {}",
                words::sentences(r),
                json_text(v),
                words::plain(r)
            ))
        },
    ),
    kind("second_only_code", "refuse_text", "code that has nothing to do with it", EITHER, RICH, |_, r| {
        refused(r.pick(&[
            "```rust\nfn main() {\n    let position = 1;\n}\n```",
            "```python\nconfidence = model.predict(x)\nprint(confidence)\n```",
            "```yaml\nservices:\n  web:\n    image: nginx\n```",
        ]))
    }),
    kind("second_type_names", "refuse_text", "names of types for values", EITHER, RICH, |v, r| {
        let named = |(key, field): (String, Value)| match field {
            Value::Array(_) => (key, json!(["string"])),
            Value::Number(_) => (key, json!("number")),
            _ => (key, json!("string")),
        };
        let types = Value::Object(tree::fields(v).into_iter().map(named).collect());
        refused(either(&types, r))
    }),
    kind("second_two_confidences", "refuse_field", "two numbers in a list or an object", SEAT, RICH, |v, r| {
        let two = [json!([0.5, 0.9]), json!({"min": 0.4, "max": 0.8}), json!({"technical": 0.9, "business": 0.4})];
        refused(either(&tree::set(v, "confidence", two[r.below(3)].clone()), r))
    }),
    kind("second_confidence_truth", "refuse_field", "true or false as confidence", SEAT, RICH, |v, r| {
        let word = r.pick(&["true", "false"]);
        refused(patched_raw(v, "confidence", word, word, r))
    }),
    kind("second_confidence_contradicts_policy", "refuse_field", "two figures that contradict", SEAT, RICH, |v, r| {
        refused(patched(
            v,
            "confidence",
            r.pick(&["0.8 (60%)", "0.3 / 90%", "0.9, maybe 0.6", "70% today, 90% next year"]),
            r,
        ))
    }),
    kind("second_confidence_bound_policy", "refuse_field", "more than or less than a figure", SEAT, RICH, |v, r| {
        refused(patched(v, "confidence", r.pick(&["> 0.7", "at least 60%", "less than 0.5", "below 40%", "<= 0.6"]), r))
    }),
    kind("second_confidence_prose", "refuse_field", "prose without a figure", SEAT, RICH, |v, r| {
        refused(patched(
            v,
            "confidence",
            r.pick(&["it depends on the test", "as confident as one can be", "not sure", "hard to say", "uncertain"]),
            r,
        ))
    }),
    kind("second_actions_in_list", "refuse_field", "a list of two next actions", CHAIR, RICH, |v, r| {
        let two = r.pick(&[["continue", "conclude"], ["phase", "escalate"], ["conclude", "escalate"]]);
        refused(either(&tree::set(v, "next_action", json!(two)), r))
    }),
    kind(
        "second_action_condition",
        "refuse_field",
        "a next action under a condition on another",
        CHAIR,
        RICH,
        |v, r| {
            refused(patched(
                v,
                "next_action",
                r.pick(&[
                    "conclude if finance agrees, otherwise continue",
                    "continue, then escalate",
                    "phase unless ops objects, else conclude",
                    "continue until round 4 and conclude",
                ]),
                r,
            ))
        },
    ),
    kind(
        "second_action_declined",
        "refuse_field",
        "a next action that is declined in other words",
        CHAIR,
        RICH,
        |v, r| {
            let next = tree::text(v, "next_action");
            let frame = r.pick(&[
                "should not {} yet",
                "no need to {}",
                "cannot {}",
                "avoid: {}",
                "refuse to {}",
                "too early to {}",
            ]);
            refused(patched_raw(
                v,
                "next_action",
                &format!("\"{0}\"", frame.replace("{}", next)),
                &format!("\"{0}\"", frame.replace("{}", next)),
                r,
            ))
        },
    ),
    kind("second_action_options", "refuse_field", "all options as next action", CHAIR, RICH, |v, r| {
        refused(patched_raw(
            v,
            "next_action",
            "\"continue|phase|conclude|escalate\"",
            r.pick(&["continue|phase|conclude|escalate", "<continue, phase, conclude or escalate>"]),
            r,
        ))
    }),
    kind("second_main_null_word", "refuse_field", "a word for nothing as main text", EITHER, RICH, |v, r| {
        refused(patched(v, main_key(v), r.pick(&["N/A", "none", "n/a", "None"]), r))
    }),
    kind("second_main_hollow", "refuse_field", "an empty container as main text", EITHER, RICH, |v, r| {
        let word = r.pick(&["[]", "{}", "[\"\"]"]);
        refused(patched_raw(v, main_key(v), word, word, r))
    }),
    kind("second_two_in_other_styles", "several", "two different answers in two styles", EITHER, RICH, |v, r| {
        let other = another(v, r);
        match r.below(3) {
            0 => refused(format!("{v}\n{other}\n")),
            1 => refused(format!("{}\n{}", xml::fields(v, "response"), xml::fields(&other, "response"))),
            _ => refused(format!(
                "```json\n{}\n```\n\nAlternatively:\n\n```yaml\n{}```",
                json_text(v),
                clean_yaml(&other)
            )),
        }
    }),
    kind("second_two_candidates", "several", "two candidates that differ", EITHER, RICH, |v, r| {
        let other = another(v, r);
        let choice = |at: usize, value: &Value| json!({"index": at, "message": {"role": "assistant", "content": json_text(value)}, "finish_reason": "stop"});
        refused(shown(&json!({"object": "chat.completion", "choices": [choice(0, v), choice(1, &other)]}), r))
    }),
    kind("second_cut_python", "cut", "a dict of Python that ends inside a text", EITHER, RICH, |v, r| {
        let whole = bracketed(v, &Syntax { key: python, text: python, null: "None", indent: None, ..JSON });
        refused(cut(&whole, &last_text(v)?, python, r)?)
    }),
    kind("second_cut_markdown", "cut", "headings that end before a field that must be there", SEAT, RICH, |v, r| {
        let whole = headings(v, "##", title);
        let at = whole.find("## Confidence")?;
        let letters: Vec<char> = whole[..at].chars().collect();
        refused(letters[..r.within(letters.len() / 2, letters.len())].iter().collect::<String>())
    }),
    kind("second_cut_stream", "cut", "pieces that stop inside a text, without an end mark", EITHER, RICH, |v, r| {
        let text = cut_json(v, r)?;
        let letters: Vec<char> = text.chars().collect();
        refused(
            letters
                .chunks(17)
                .map(|piece| data(&json!({"content": piece.iter().collect::<String>()}), None))
                .collect::<String>(),
        )
    }),
    kind("second_cut_with_mark", "cut", "a cut that is marked as one", EITHER, RICH, |v, r| {
        let mark = r.pick(&["... [output truncated]", "…", "<truncated>", "... (1,204 more characters)", "[...]"]);
        refused(format!("{}{mark}", cut_json(v, r)?))
    }),
    kind("second_left_out_policy", "cut", "a mark that something was left out", EITHER, RICH, |v, r| {
        let key = if is_participant(v) { "rationale" } else { "consensus" };
        let at = json_text(v).find(&format!("\"{key}\": [\n"))?;
        let whole = json_text(v);
        let (head, tail) = whole.split_at(at + key.len() + 6);
        let mark = r.pick(&["    // ... remaining items omitted for brevity", "    ..."]);
        refused(format!("{head}{mark}\n{}", tail.trim_start_matches('\n')))
    }),
    kind("second_cut_number", "cut", "JSON that ends inside its number", SEAT, RICH, |v, r| {
        let whole = json_text(v);
        let at = whole.find("\"confidence\": 0.")?;
        refused(&whole[..at + 14 + r.within(1, 2)])
    }),
    kind("second_cut_arguments", "cut", "a tool call whose encoded arguments are cut", EITHER, RICH, |v, r| {
        let call =
            json!({"id": "call_1", "type": "function", "function": {"name": "respond", "arguments": cut_json(v, r)?}});
        refused(shown(&json!({"role": "assistant", "content": null, "tool_calls": [call]}), r))
    }),
    kind("second_cut_encoded", "cut", "an encoded answer that ends inside a text", EITHER, RICH, |v, r| {
        let whole = quoted(&cut_json(v, r)?);
        refused(whole.trim_end_matches('"'))
    }),
    kind("second_cut_escape", "cut", "JSON that ends inside an escape", EITHER, RICH, |v, r| {
        refused(format!("{}{}", cut_json(v, r)?, r.pick(&["\\", "\\u", "\\u4f", "\\u00e"])))
    }),
    kind("second_candidate_stopped", "stopped", "candidates that were stopped or blocked", EITHER, RICH, |v, r| {
        let whole = |reason: &str| json!({"candidates": [{"content": {"parts": [{"text": json_text(v)}], "role": "model"}, "finishReason": reason}]});
        let all = match r.below(4) {
            0 => whole("MAX_TOKENS"),
            1 => whole("RECITATION"),
            2 => json!({"candidates": [{"finishReason": "SAFETY", "index": 0}]}),
            _ => {
                json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"totalTokenCount": 88}})
            }
        };
        refused(shown(&all, r))
    }),
    kind("second_local_stopped", "stopped", "a local server that ran out", EITHER, RICH, |v, r| {
        let all = json!({"model": "llama3.3", "response": either(v, r), "done": true, "done_reason": "length"});
        refused(shown(&all, r))
    }),
    kind("second_cloud_stopped", "stopped", "a cloud that ran out", EITHER, RICH, |v, r| {
        let all = if r.percent(50) {
            json!({"output": {"message": {"role": "assistant", "content": [{"text": json_text(v)}]}}, "stopReason": "max_tokens"})
        } else {
            json!({"id": "c1", "message": {"role": "assistant", "content": [{"type": "text", "text": json_text(v)}]}, "finish_reason": "MAX_TOKENS"})
        };
        refused(shown(&all, r))
    }),
    kind("second_filtered", "stopped", "a completion that a filter stopped", EITHER, RICH, |v, r| {
        let said = json!({"role": "assistant", "content": cut_json(v, r)?});
        refused(shown(&json!({"choices": [{"index": 0, "message": said, "finish_reason": "content_filter"}]}), r))
    }),
    kind("second_declined", "stopped", "a message whose stop reason is refusal", EITHER, RICH, |_, r| {
        let all = json!({"type": "message", "role": "assistant", "content": [{"type": "text", "text": "I can't assist with that."}], "stop_reason": "refusal"});
        refused(shown(&all, r))
    }),
    kind("second_stream_stopped", "stopped", "pieces of a whole answer that end with length", EITHER, RICH, |v, _| {
        let letters: Vec<char> = json_line(v).chars().collect();
        let pieces: String =
            letters.chunks(23).map(|piece| data(&json!({"content": piece.iter().collect::<String>()}), None)).collect();
        refused(format!("{pieces}{}data: [DONE]\n", data(&json!({}), Some("length"))))
    }),
    kind("second_rpc_error", "stopped", "a remote call that failed", EITHER, RICH, |_, r| {
        let all = if r.percent(50) {
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "Internal error"}})
        } else {
            json!({"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "tool crashed"}], "isError": true}})
        };
        refused(shown(&all, r))
    }),
];
