//! More prose, fences, thoughts and drafts around an answer.

use super::fence::fenced;
use super::{EITHER, Kind, LINES, RICH, another, kept, kind};
use crate::rng::Rng;
use crate::styles::{either, json as json_text};
use crate::{Form, tree, values, words};

fn prefixed(text: &str, prefix: &str) -> String {
    text.trim_end().lines().map(|line| format!("{prefix}{line}")).collect::<Vec<_>>().join("\n")
}

pub(crate) fn thoughts(rng: &mut Rng) -> String {
    format!("Let me weigh this. {} But {}", words::sentences(rng), words::rich(rng))
}

pub(crate) const KINDS: &[Kind] = &[
    kind("other_language", "wrap", "prose in another language around", EITHER, RICH, |v, r| {
        let (before, after) = r.pick(&[
            ("Gerne, hier ist meine Antwort im gewünschten Format:", "Ich hoffe, das hilft weiter!"),
            ("以下是我的结构化回答：", "如有需要，我可以进一步说明。"),
            ("Claro, aquí tienes mi respuesta:", "¿Quieres que amplíe algún punto?"),
            ("Вот мой ответ в требуемом формате:", "Готов пояснить детали."),
        ]);
        kept(v, format!("{before}\n\n{}\n\n{after}", either(v, r).trim_end()))
    }),
    kind("no_blank_lines", "wrap", "prose directly above and below JSON", EITHER, LINES, |v, _| {
        kept(v, format!("Here it is:\n{}\nThanks for waiting.", json_text(v)))
    }),
    kind("fence_twice", "fence", "a fence in a fence", EITHER, LINES, |v, r| {
        let outer = r.pick(&["markdown", "", "text"]);
        kept(v, format!("```{outer}\n{}\n```", fenced("json", &json_text(v))))
    }),
    kind("fence_quoted", "fence", "a fence inside a block quote", EITHER, RICH, |v, r| {
        kept(v, prefixed(&fenced(r.pick(&["json", ""]), &either(v, r)), "> "))
    }),
    kind("other_think_marks", "thinking", "thinking between other marks", EITHER, RICH, |v, r| {
        let (open, close) = r.pick(&[
            ("◁think▷", "◁/think▷"),
            ("[THINK]", "[/THINK]"),
            ("<seed:think>", "</seed:think>"),
            ("<antThinking>", "</antThinking>"),
        ]);
        kept(v, format!("{open}{}{close}\n{}", thoughts(r), either(v, r)))
    }),
    kind("thinking_after", "thinking", "the answer, then thoughts in tags", EITHER, RICH, |v, r| {
        kept(v, format!("{}\n\n<thinking>\n{}\n</thinking>", either(v, r).trim_end(), thoughts(r)))
    }),
    kind(
        "previous_round_policy",
        "several",
        "the answer of the round before as a quote, then the new one",
        EITHER,
        RICH,
        |v, r| {
            let before = another(v, r);
            kept(
                v,
                format!(
                    "In the previous round I said:\n\n{}\n\nMy final answer now:\n\n{}",
                    prefixed(&json_text(&before), "> "),
                    json_text(v)
                ),
            )
        },
    ),
    kind(
        "answer_then_summary",
        "several",
        "the answer, then a few of its fields again in prose",
        EITHER,
        RICH,
        |v, _| {
            let key = if values::form(v) == Form::Participant { "position" } else { "synthesis" };
            kept(v, format!("{}\n\nIn short: {}", json_text(v), tree::text(v, key)))
        },
    ),
];
