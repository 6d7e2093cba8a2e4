//! From an answer to a ruling.
//! Given what a person filled in, or what an agent passed where agents may answer; hands on the ruling that the
//! escalation offers, or why it fits none (E8). Deliberately absent: who may answer (`answering.rs`).

use s2s::Failure;
use s2s::clean::clean_text;
use s2s::engine::record::{Escalation, RuledBy, Ruling, RulingChoice};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The most rounds that an answer grants.
const MOST_ROUNDS: i64 = 1000;

/// A form as it was filled in.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Filled {
    #[serde(default)]
    pub(crate) choice: String,
    #[serde(default)]
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) rounds: i64,
}

/// The word of a choice, as in the session file.
pub(crate) fn word(choice: RulingChoice) -> &'static str {
    match choice {
        RulingChoice::Accept => "accept",
        RulingChoice::Decide => "decide",
        RulingChoice::Continue => "continue",
        RulingChoice::AcceptContext => "accept_context",
        RulingChoice::KeepContext => "keep_context",
        RulingChoice::Discuss => "discuss",
    }
}

/// What each choice does.
fn meaning(choice: RulingChoice) -> &'static str {
    match choice {
        RulingChoice::Accept => "take the recommendation",
        RulingChoice::Decide => "give a decision of your own in `text`",
        RulingChoice::Continue => "discuss for more rounds",
        RulingChoice::AcceptContext => "accept the challenge: the session's context changes",
        RulingChoice::KeepContext => "keep the context as it is",
        RulingChoice::Discuss => "discuss the challenge for more rounds",
    }
}

/// The choices of an escalation, each with what it does.
pub(crate) fn choices(escalation: &Escalation) -> Vec<String> {
    told(escalation.options.iter())
}

fn told<'c>(choices: impl Iterator<Item = &'c RulingChoice>) -> Vec<String> {
    choices.map(|choice| format!("{}: {}", word(*choice), meaning(*choice))).collect()
}

/// Whether a choice is a person's own, whoever may answer (E10).
fn is_own(choice: RulingChoice) -> bool {
    matches!(choice, RulingChoice::Decide | RulingChoice::AcceptContext)
}

/// The form that a person fills in, as the protocol's forms are: flat, with plain values.
pub(crate) fn form(escalation: &Escalation) -> Value {
    let words: Vec<&str> = escalation.options.iter().map(|choice| word(*choice)).collect();
    let mut fields = Map::new();
    let description = choices(escalation).join("; ");
    fields.insert(
        "choice".to_owned(),
        json!({ "type": "string", "title": "Your choice", "description": description, "enum": words }),
    );
    if takes_text(escalation) {
        let what = "Your decision, or what holds from now on; only for a choice that needs words";
        fields.insert("text".to_owned(), json!({ "type": "string", "title": "In words", "description": what }));
    }
    if takes_rounds(escalation) {
        let what = "How many more rounds; only where you chose to discuss on";
        fields.insert(
            "rounds".to_owned(),
            json!({ "type": "integer", "title": "Rounds", "description": what, "minimum": 1, "maximum": MOST_ROUNDS }),
        );
    }
    json!({ "type": "object", "properties": fields, "required": ["choice"] })
}

fn takes_text(escalation: &Escalation) -> bool {
    escalation.options.iter().any(|choice| is_own(*choice))
}

fn takes_rounds(escalation: &Escalation) -> bool {
    escalation.options.iter().any(|choice| matches!(choice, RulingChoice::Continue | RulingChoice::Discuss))
}

/// The ruling that an answer means; by a person, or by an agent that may answer.
pub(crate) fn ruling(answer: &Filled, escalation: &Escalation, by_agent: bool) -> Result<Ruling, Failure> {
    let offered = || told(escalation.options.iter().filter(|choice| !by_agent || !is_own(**choice))).join("\n");
    let asked = answer.choice.trim();
    let choice = escalation.options.iter().copied().find(|choice| word(*choice) == asked);
    let Some(choice) = choice else {
        let what = match asked {
            "" => format!("{} waits, and no choice is given", escalation.id),
            other => format!("{} offers no choice \"{}\"", escalation.id, s2s::clean::clean_line(other)),
        };
        return Err(Failure::bad_input(what).next(format!("give `choice` as one of:\n{}", offered())));
    };
    if by_agent && is_own(choice) {
        return Err(Failure::bad_input(format!("only a person can choose `{asked}`, even where agents may answer"))
            .next(format!("ask the person, or give `choice` as one of:\n{}", offered())));
    }
    let text = Some(clean_text(&answer.text).trim().to_owned()).filter(|text| !text.is_empty());
    let text = match choice {
        RulingChoice::Accept => escalation.recommendation.clone(),
        RulingChoice::Decide if text.is_none() => {
            return Err(Failure::bad_input("the choice `decide` needs the decision in words")
                .next("give it in `text`, in the person's own words"));
        }
        RulingChoice::Decide | RulingChoice::AcceptContext => text,
        RulingChoice::Continue | RulingChoice::KeepContext | RulingChoice::Discuss => None,
    };
    let rounds = match choice {
        RulingChoice::Continue | RulingChoice::Discuss => rounds(answer.rounds)?,
        _ => None,
    };
    let (by, name) = match by_agent {
        // An agent's answer is never kept as a person's.
        true => (RuledBy::Policy, Some("the calling agent".to_owned())),
        false => (RuledBy::Person, None),
    };
    Ok(Ruling { choice, text, rounds, by, name, at: None, then: None })
}

/// The rounds granted; 0 = as the settings say.
fn rounds(asked: i64) -> Result<Option<u32>, Failure> {
    match asked {
        0 => Ok(None),
        1..=MOST_ROUNDS => Ok(u32::try_from(asked).ok()),
        other => Err(Failure::bad_input(format!("`rounds` is {other}")).next(format!("give 1 to {MOST_ROUNDS}"))),
    }
}
