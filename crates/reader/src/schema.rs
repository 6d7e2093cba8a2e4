//! What each kind of reply holds: fields, their shapes, and the other names models give them.
//! Given a key as it was written; says which field it means. The tables are the policy of docs/reading.md.

use crate::Kind;
use crate::scalar::is_ornament;

/// The shape of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    /// One text.
    Text,
    /// How sure: a number from 0 to 1, as [`crate::policy::confidence`] reads it.
    Confidence,
    /// What is proposed next: one of a closed set.
    NextAction,
    /// A list of texts.
    Texts,
    /// A list of names, with commas between them or not.
    Names,
    /// A list of records.
    Records(&'static Schema),
    /// A list whose items are texts or records.
    Remarks(&'static Schema),
    /// One entry per key: its text, or its record where the entry has more than a text.
    Pairs(&'static Schema),
}

/// One field of a record.
#[derive(Debug)]
pub(crate) struct Field {
    pub name: &'static str,
    pub also: &'static [&'static str],
    pub shape: Shape,
    pub required: bool,
}

/// A record: its fields, which of them names it, and which a bare text stands for.
#[derive(Debug)]
pub(crate) struct Schema {
    pub fields: &'static [Field],
    pub key: &'static str,
    pub main: &'static str,
}

const fn must(name: &'static str, also: &'static [&'static str], shape: Shape) -> Field {
    Field { name, also, shape, required: true }
}

const fn may(name: &'static str, also: &'static [&'static str], shape: Shape) -> Field {
    Field { name, also, shape, required: false }
}

/// The record a kind of reply is made of.
pub(crate) fn of(kind: Kind) -> &'static Schema {
    match kind {
        Kind::Sides => &SIDES,
        Kind::Question => &QUESTION,
        Kind::Response => &RESPONSE,
        Kind::Synthesis => &SYNTHESIS,
        Kind::Plan => &PLAN,
    }
}

/// No record: for values whose keys may be any.
pub(crate) static NO_FIELDS: Schema = Schema { fields: &[], key: "", main: "" };

static SIDES: Schema = Schema {
    fields: &[
        must("pro", &["for", "pros", "in_favor", "in_favour", "pro_side", "supporters"], Shape::Names),
        must("con", &["against", "cons", "contra", "con_side", "opponents"], Shape::Names),
        may("proposal", &["motion", "thesis", "statement"], Shape::Text),
    ],
    key: "",
    main: "",
};

static QUESTION: Schema = Schema {
    fields: &[
        must("action", &[], Shape::Text),
        must("question", &["focused_question", "next_question", "question_text"], Shape::Text),
        may("participants", &["seats", "asked", "addressees", "to"], Shape::Names),
        may("focus", &["focus_area", "aspect", "focus_on"], Shape::Text),
        may("context_summary", &["context", "project_context", "summary_of_context"], Shape::Text),
    ],
    key: "",
    main: "",
};

static RESPONSE: Schema = Schema {
    fields: &[
        must(
            "position",
            &["stance", "opinion", "viewpoint", "view", "position_statement", "answer", "positions", "verdict"],
            Shape::Text,
        ),
        may(
            "rationale",
            &["rationales", "reasons", "reasoning", "justification", "arguments", "supporting_arguments", "why"],
            Shape::Texts,
        ),
        must(
            "confidence",
            &["confidence_level", "confidence_score", "confidence_rating", "certainty", "confidence_value"],
            Shape::Confidence,
        ),
        may("concerns", &["concern", "risks", "risk", "worries", "caveats", "issues", "drawbacks"], Shape::Texts),
        may(
            "context_challenge",
            &["context_challenges", "challenge_to_context", "context_objection", "context_issue", "challenge"],
            Shape::Text,
        ),
        may("votes", &["vote", "ballot", "ballots"], Shape::Pairs(&VOTE)),
    ],
    key: "",
    main: "",
};

static VOTE: Schema = Schema {
    fields: &[
        must("point", &["id", "point_id", "on", "item"], Shape::Text),
        must("vote", &["choice", "stance", "value", "decision"], Shape::Text),
        may("reason", &["rationale", "why", "because", "comment", "reasoning"], Shape::Text),
    ],
    key: "point",
    main: "vote",
};

static SYNTHESIS: Schema = Schema {
    fields: &[
        must("action", &["action_type"], Shape::Text),
        must("synthesis", &["summary", "summing_up", "round_summary", "synthesis_text", "overview"], Shape::Text),
        may(
            "consensus",
            &["consensus_points", "agreements", "agreement", "points_of_agreement", "agreed", "agreed_points"],
            Shape::Texts,
        ),
        may(
            "conflicts",
            &["conflict", "disagreements", "open_conflicts", "points_of_disagreement", "tensions"],
            Shape::Records(&CONFLICT),
        ),
        may(
            "resolved",
            &["resolutions", "resolved_conflicts", "conflicts_resolved", "resolved_disagreements"],
            Shape::Records(&RESOLUTION),
        ),
        must("next_action", &["next_step", "next", "next_actions", "proposed_action", "next_move"], Shape::NextAction),
        may("next_focus", &["focus", "next_topic", "next_question_focus", "focus_next"], Shape::Text),
        may(
            "escalation_reason",
            &["reason_for_escalation", "escalation", "escalate_reason", "why_escalate"],
            Shape::Text,
        ),
        may("recommendation", &["recommendations", "recommended", "recommended_decision", "proposal"], Shape::Text),
        may("output_type", &["output", "document_type", "output_kind", "output_format", "deliverable"], Shape::Text),
        may(
            "agenda_coverage",
            &["agenda", "coverage", "agenda_status", "topics_covered", "topic_coverage"],
            Shape::Records(&COVERAGE),
        ),
        may(
            "context_challenges",
            &["context_challenge", "challenges", "context_objections", "challenges_to_context"],
            Shape::Remarks(&CHALLENGE),
        ),
        may("artifacts", &["artifact", "register", "deliverables", "new_artifacts"], Shape::Records(&ARTIFACT)),
    ],
    key: "",
    main: "",
};

static ARTIFACT: Schema = Schema {
    fields: &[
        may("id", &["artifact_id", "ref"], Shape::Text),
        may("kind", &["type", "artifact_type"], Shape::Text),
        may("title", &["name", "heading"], Shape::Text),
        may("text", &["description", "statement", "body", "content", "details"], Shape::Text),
        may("topic", &["topic_id", "agenda_topic"], Shape::Text),
        may("status", &["state"], Shape::Text),
        may("priority", &["moscow"], Shape::Text),
        may("acceptance", &["acceptance_criteria", "criteria", "checks"], Shape::Texts),
        may("characteristic", &["quality", "iso25010", "iso_25010"], Shape::Text),
        may("target", &["goal", "threshold"], Shape::Text),
        may("measure", &["metric", "measured_by", "measurement"], Shape::Text),
        may("source", &["origin", "owner"], Shape::Text),
        may("reason", &["rationale", "why", "because"], Shape::Text),
        may("options", &["alternatives", "considered_options"], Shape::Texts),
        may("consequences", &["consequence", "effects"], Shape::Texts),
        may("severity", &["harm"], Shape::Text),
        may("likelihood", &["probability", "chance"], Shape::Text),
        may("impact", &["value", "benefit"], Shape::Text),
        may("effort", &["cost"], Shape::Text),
        may("answer", &["resolution"], Shape::Text),
        may("between", &["ends", "connects"], Shape::Names),
        may("serves", &["satisfies", "mitigates", "implements", "addresses", "fulfils", "fulfills"], Shape::Names),
        may("uses", &["depends_on", "dependencies"], Shape::Names),
        may("supersedes", &["replaces"], Shape::Names),
        may("proposed_by", &["proposers", "by", "participants"], Shape::Names),
    ],
    key: "id",
    main: "text",
};

static PLAN: Schema = Schema {
    fields: &[must("tasks", &["task", "plan", "steps", "work_items", "task_list"], Shape::Records(&TASK))],
    key: "",
    main: "",
};

static TASK: Schema = Schema {
    fields: &[
        may("key", &["id", "task_id", "ref", "slug"], Shape::Text),
        may("title", &["name", "heading", "task"], Shape::Text),
        may("text", &["description", "details", "body", "content", "what"], Shape::Text),
        may("serves", &["implements", "satisfies", "requirements", "addresses", "covers"], Shape::Names),
        may("depends_on", &["dependencies", "after", "requires", "blocked_by", "needs"], Shape::Names),
        may("estimate", &["effort", "size", "duration"], Shape::Text),
    ],
    key: "key",
    main: "title",
};

static CONFLICT: Schema = Schema {
    fields: &[
        may("id", &["conflict_id", "conflict", "slug", "name"], Shape::Text),
        may("description", &["summary", "issue", "about", "text", "details", "title"], Shape::Text),
        may("positions", &["position", "views", "stances", "sides", "seats"], Shape::Pairs(&HELD)),
    ],
    key: "id",
    main: "description",
};

static HELD: Schema = Schema {
    fields: &[
        must("participant", &["seat", "name", "who", "role", "id", "expert", "speaker"], Shape::Text),
        must("position", &["view", "stance", "text", "opinion", "says", "claim", "statement"], Shape::Text),
    ],
    key: "participant",
    main: "position",
};

static RESOLUTION: Schema = Schema {
    fields: &[
        must("conflict_id", &["id", "conflict"], Shape::Text),
        may("resolution", &["outcome", "description", "decision", "text", "how"], Shape::Text),
        may("resolution_type", &["type", "by", "kind", "method"], Shape::Text),
    ],
    key: "conflict_id",
    main: "resolution",
};

static COVERAGE: Schema = Schema {
    fields: &[
        must("topic", &["topic_id", "id", "name", "item", "title"], Shape::Text),
        must("status", &["coverage", "state"], Shape::Text),
        may("met", &["criteria_met", "done", "met_criteria"], Shape::Names),
    ],
    key: "topic",
    main: "status",
};

static CHALLENGE: Schema = Schema {
    fields: &[
        may("participant", &["seat", "who", "from", "role", "by", "name"], Shape::Text),
        must("challenge", &["objection", "text", "description", "issue", "context_challenge"], Shape::Text),
        may("suggestion", &["proposal", "instead", "suggested_change"], Shape::Text),
    ],
    key: "participant",
    main: "challenge",
};

impl Schema {
    /// The field that a written key means: its own name, another name, a qualified name ("my position",
    /// "key concerns"), or one slip of the pen.
    pub(crate) fn field(&self, key: &str) -> Option<usize> {
        let folded = Folded::new(key)?;
        let written = folded.as_bytes();
        self.named(written)
            .or_else(|| QUALIFIERS.iter().find_map(|before| self.named(written.strip_prefix(*before)?)))
            .or_else(|| self.misspelt(written))
    }

    /// The field whose own name this is, in whatever case and joints.
    pub(crate) fn own(&self, key: &str) -> Option<usize> {
        let folded = Folded::new(key)?;
        self.fields.iter().position(|field| folds_to(field.name, folded.as_bytes()))
    }

    pub(crate) fn required_missing<'s>(&'s self, has: impl Fn(usize) -> bool + 's) -> impl Iterator<Item = usize> + 's {
        (0..self.fields.len()).filter(move |&at| self.fields[at].required && !has(at))
    }

    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    fn named(&self, written: &[u8]) -> Option<usize> {
        let own = self.fields.iter().position(|field| folds_to(field.name, written));
        own.or_else(|| self.fields.iter().position(|field| field.also.iter().any(|name| folds_to(name, written))))
    }

    /// Only long names with one slip, and only if they mean one field.
    fn misspelt(&self, written: &[u8]) -> Option<usize> {
        if written.len() < 7 {
            return None;
        }
        let mut near = (0..self.fields.len()).filter(|&at| slipped(self.fields[at].name, written));
        let found = near.next()?;
        near.next().is_none().then_some(found)
    }
}

/// Words that models put before the name of a field.
const QUALIFIERS: [&[u8]; 16] = [
    b"my",
    b"the",
    b"your",
    b"our",
    b"key",
    b"main",
    b"overall",
    b"final",
    b"proposed",
    b"response",
    b"participant",
    b"export",
    b"const",
    b"let",
    b"var",
    b"set",
];

/// The longest key that is looked at.
pub(crate) const LONGEST_KEY: usize = 48;

/// A key without case, blanks and marks: `Context-Challenge`, `contextChallenge`, `CONTEXT CHALLENGE`.
struct Folded {
    bytes: [u8; LONGEST_KEY],
    len: usize,
}

impl Folded {
    fn new(key: &str) -> Option<Self> {
        // `response.position`, `1. position`, `$position`
        let key = key.rsplit(['.', '/']).find(|part| part.bytes().any(|b| b.is_ascii_alphabetic())).unwrap_or(key);
        let key = key.trim_end_matches("\\t").trim_end_matches("\\n");
        let mut folded = Self { bytes: [0; LONGEST_KEY], len: 0 };
        for c in key.chars() {
            let c = half_width(c);
            match c {
                'a'..='z' | 'A'..='Z' => folded.push(c)?,
                '0'..='9' if folded.len > 0 => folded.push(c)?,
                // `concerns (list)`
                '(' | '[' if folded.len > 2 => break,
                _ if c.is_ascii_digit() || c.is_ascii_punctuation() || c.is_whitespace() || is_ornament(c) => {}
                _ => return None,
            }
        }
        (folded.len > 0).then_some(folded)
    }

    fn push(&mut self, c: char) -> Option<()> {
        *self.bytes.get_mut(self.len)? = (c as u8).to_ascii_lowercase();
        self.len += 1;
        Some(())
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The plain form of a wide letter.
pub(crate) fn half_width(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

fn letters(name: &str) -> impl Iterator<Item = u8> + '_ {
    name.bytes().filter(|byte| *byte != b'_')
}

fn folds_to(name: &str, written: &[u8]) -> bool {
    name.as_bytes().first() == written.first() && letters(name).eq(written.iter().copied())
}

/// One letter more, less, other, or two swapped; in a long name up to three letters in one place.
fn slipped(name: &str, written: &[u8]) -> bool {
    let length = letters(name).count();
    if length.abs_diff(written.len()) > 1 {
        return false;
    }
    let ahead = letters(name).zip(written).take_while(|(a, b)| a == *b).count();
    let back = name.bytes().rev().filter(|byte| *byte != b'_').zip(written.iter().rev());
    let behind = back.take_while(|(a, b)| a == *b).count();
    let (shorter, longer) = (length.min(written.len()), length.max(written.len()));
    // One letter other: all but one are the same. One more or less: all of the shorter are in the longer.
    if ahead + behind >= shorter.min(longer - 1) {
        return true;
    }
    let swapped = || {
        let pair: Vec<u8> = letters(name).skip(ahead).take(2).collect();
        length == written.len() && ahead + behind + 2 == length && pair == [written[ahead + 1], written[ahead]]
    };
    swapped() || (length >= 10 && ahead + behind + 3 >= longer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_known_by_its_letters() {
        let name = |key: &str| RESPONSE.field(key).map(|at| RESPONSE.fields[at].name);
        for key in ["context_challenge", "Context Challenge", "contextChallenge", "CONTEXT-CHALLENGE"] {
            assert_eq!(name(key), Some("context_challenge"), "{key}");
        }
        assert_eq!(name("My position"), Some("position"));
        assert_eq!(name("key concerns"), Some("concerns"));
        for key in
            ["postion", "posiition", "positoin", "pozition", "1. position", "response.position", "position (text)"]
        {
            assert_eq!(name(key), Some("position"), "{key}");
        }
        for key in ["option", "positively"] {
            assert_eq!(name(key), None, "{key}");
        }
        assert_eq!(name("confidance"), Some("confidence"));
        assert_eq!(name("pos"), None);
        assert_eq!(name("позиция"), None);
        assert_eq!(name(""), None);
    }
}
