//! The policy for the next action: one of four words, another word for it, or a short sentence that names one.
//! Given a text; hands on the word, or why it is none. Two are as bad as none.

use super::{shortened, split_remark, words};

/// What a facilitator can propose.
pub(crate) const NEXT_ACTIONS: [&str; 4] = ["continue", "phase", "conclude", "escalate"];

/// Other words for them.
const NEXT_ACTION_WORDS: [(&str, &[&str]); 4] = [
    (
        "continue",
        &[
            "proceed",
            "keep going",
            "go on",
            "carry on",
            "next round",
            "another round",
            "one more round",
            "continue discussion",
            "continue round",
            "continue rounds",
            "continue debate",
            "more discussion",
        ],
    ),
    (
        "phase",
        &[
            "next phase",
            "advance phase",
            "new phase",
            "change phase",
            "switch phase",
            "phase change",
            "phase transition",
            "transition phase",
            "move to next phase",
            "advance to next phase",
            "phase advance",
            "advance the phase",
            "go to next phase",
            "move to the next phase",
            "advance to the next phase",
        ],
    ),
    (
        "conclude",
        &[
            "conclusion",
            "concluded",
            "finish",
            "finished",
            "wrap up",
            "end",
            "done",
            "close",
            "complete",
            "completed",
            "finalize",
            "finalise",
            "conclude discussion",
            "end discussion",
            "conclude session",
        ],
    ),
    (
        "escalate",
        &[
            "escalation",
            "escalated",
            "escalate to human",
            "escalate to user",
            "escalate to person",
            "escalate to a human",
            "escalate to a person",
            "ask human",
            "ask a human",
            "ask user",
            "ask the user",
            "ask a person",
            "human review",
            "needs human",
            "human decision",
        ],
    ),
];

/// The next action a text names: the word, another word for it, or the word with a remark behind it.
pub(crate) fn next_action(text: &str) -> Result<&'static str, String> {
    let refusal = || format!("is \"{}\"; allowed: {}", shortened(text), NEXT_ACTIONS.join(", "));
    // `Action::PHASE`, `NextAction.CONTINUE`
    let word = text.rsplit("::").next().unwrap_or(text);
    let asked = text.trim_end().ends_with('?');
    if let Some(action) = action_named(&words(word)).or_else(|| action_told(&words(text))).filter(|_| !asked) {
        return Ok(action);
    }
    if text.trim_end().ends_with('?') {
        return Err(refusal());
    }
    let (lead, tail) = split_remark(text).ok_or_else(refusal)?;
    let action = action_named(&self::words(lead)).ok_or_else(refusal)?;
    let contradicted = self::words(tail).split(' ').any(|word| NEXT_ACTIONS.contains(&word) && word != action);
    if contradicted || takes_back(action, tail) {
        return Err(format!("is \"{}\", which names two; allowed: {}", shortened(text), NEXT_ACTIONS.join(", ")));
    }
    Ok(action)
}

/// Whether a remark denies or conditions what it follows. "continue - no consensus yet" only says why.
fn takes_back(action: &str, remark: &str) -> bool {
    let said = words(remark);
    let first = said.split([' ', ',', '.']).next().unwrap_or_default();
    if remark.trim_end().ends_with('?') || matches!(said.as_str(), "false" | "no" | "not" | "never") {
        return true;
    }
    let denies = ["not", "no", "never", "false", "if", "unless", "or", "but", "until", "when", "once", "only"];
    let weighs = ["unless", "otherwise", "if", "or"];
    action != "continue" && (denies.contains(&first) || said.split(' ').any(|word| weighs.contains(&word)))
}

fn action_named(words: &str) -> Option<&'static str> {
    let own = NEXT_ACTIONS.iter().find(|action| **action == words);
    let whom = words.strip_prefix("escalate to ");
    if whom.is_some_and(|to| to.split(' ').count() <= 3 && !to.contains(" or ") && !to.starts_with("no")) {
        return Some("escalate");
    }
    own.copied().or_else(|| NEXT_ACTION_WORDS.iter().find(|(_, also)| also.contains(&words)).map(|(action, _)| *action))
}

/// A short sentence that names one action and nothing that could weigh or deny it: "We should conclude".
fn action_told(words: &str) -> Option<&'static str> {
    const NEUTRAL: [&str; 42] = [
        "we",
        "i",
        "us",
        "let's",
        "lets",
        "should",
        "must",
        "will",
        "would",
        "need",
        "needs",
        "propose",
        "suggest",
        "recommend",
        "to",
        "the",
        "a",
        "this",
        "it",
        "is",
        "my",
        "our",
        "move",
        "on",
        "go",
        "next",
        "now",
        "please",
        "with",
        "another",
        "round",
        "discussion",
        "proposal",
        "action",
        "ready",
        "time",
        "human",
        "person",
        "user",
        "session",
        "for",
        "into",
    ];
    let stems = [("continu", "continue"), ("phase", "phase"), ("conclu", "conclude"), ("escalat", "escalate")];
    let mut named = None;
    for (count, word) in words.split([' ', '.', ',']).filter(|word| !word.is_empty()).enumerate() {
        let letters = word.bytes().all(|b| b.is_ascii_alphabetic());
        match stems.iter().find(|(stem, _)| letters && word.starts_with(stem)) {
            Some((_, action)) if named.is_none_or(|named| named == *action) => named = Some(*action),
            None if count <= 10 && NEUTRAL.contains(&word) => {}
            _ => return None,
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_action_is_one_of_four() {
        for (text, action) in [
            ("continue", "continue"),
            ("CONCLUDE.", "conclude"),
            ("**phase**", "phase"),
            ("[escalate]", "escalate"),
            ("nextPhase", "phase"),
            ("next-phase", "phase"),
            ("wrap_up", "conclude"),
            ("keep going", "continue"),
            ("continue - one more round is needed", "continue"),
            ("escalate_to_human", "escalate"),
            ("\"conclude\"", "conclude"),
            ("conclude (all agree)", "conclude"),
            ("continue because it is open", "continue"),
        ] {
            assert_eq!(next_action(text), Ok(action), "{text}");
        }
        for text in [
            "",
            "continue or conclude",
            "conclude/escalate",
            "either phase or continue",
            "do not conclude",
            "maybe",
            "continue | phase | conclude | escalate",
            "continue, then conclude",
            "contnue",
            "stop",
            "not conclude",
            "conclude, not yet",
            "conclude (not recommended)",
            "conclude: false",
            "conclude - if everyone agrees",
            "conclude (unless ops objects)",
            "should we conclude?",
            "escalate to nobody, just wrap up",
        ] {
            assert!(next_action(text).is_err(), "{text}: {:?}", next_action(text));
        }
    }
}
