//! What a prompt of a roundtable wants and tells.
//! Given a call; hands on which form is to be filled in, and what the prompt says about the session: the
//! form stands in a fenced block, the rest in headings, lines and lists. Deliberately absent: the answers.

use serde_json::Value;

use crate::asked::Asked;
use crate::random::{START, digest};

/// Which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sides,
    Question,
    Response,
    Synthesis,
    /// No form of ours.
    Other,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sides => "deal of the sides",
            Self::Question => "question",
            Self::Response => "position",
            Self::Synthesis => "summary",
            Self::Other => "reply",
        }
    }
}

/// A prompt, read.
#[derive(Debug)]
pub(crate) struct Form<'a> {
    pub(crate) kind: Kind,
    pub(crate) topic: &'a str,
    pub(crate) round: u64,
    /// Whether no phase comes after this one.
    pub(crate) last_phase: bool,
    /// The side to argue, if one is given.
    pub(crate) side: Option<&'a str>,
    /// Ids of the points to vote on.
    pub(crate) ballot: Vec<&'a str>,
    /// Ids of the seats.
    pub(crate) seats: Vec<&'a str>,
    /// Ids of the points claimed so far.
    pub(crate) points: Vec<&'a str>,
    /// Ids of the open conflicts.
    pub(crate) conflicts: Vec<&'a str>,
    /// Ids of the topics of the agenda.
    pub(crate) agenda: Vec<&'a str>,
    /// Tells one seat and model from another.
    pub(crate) temper: u64,
}

impl<'a> Form<'a> {
    pub(crate) fn of(asked: &'a Asked) -> Self {
        // What holds for the whole session stands in the system part, what is of this round in the other.
        let (text, whole) = (asked.user(), asked.prompt.as_str());
        let who = asked.system().lines().find(|line| line.starts_with("# ")).unwrap_or_default();
        let (number, of) = phase(text).unwrap_or((1, 1));
        Self {
            kind: asked.schema.as_ref().map_or(Kind::Other, by_schema).or(|| by_fence(&asked.prompt)),
            topic: line(whole, "Topic: ").unwrap_or("this question"),
            round: round(text).unwrap_or(1),
            last_phase: number >= of,
            side: line(whole, "Your side: ").and_then(|side| side.split(':').next()),
            ballot: items(text, "# Points put to the vote"),
            seats: items(whole, "Seats:"),
            points: items(text, "Consensus points:").into_iter().filter(|id| *id != "none").collect(),
            conflicts: items(text, "Open conflicts:").into_iter().filter(|id| *id != "none").collect(),
            agenda: items(text, "Agenda:"),
            temper: digest(digest(START, who.as_bytes()), asked.model.as_bytes()),
        }
    }
}

impl Kind {
    fn or(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Other { other() } else { self }
    }
}

/// The kind that a schema's fields tell.
fn by_schema(schema: &Value) -> Kind {
    let has = |name: &str| schema["properties"].get(name).is_some();
    match () {
        () if has("next_action") => Kind::Synthesis,
        () if has("position") => Kind::Response,
        () if has("question") => Kind::Question,
        () if has("pro") && has("con") => Kind::Sides,
        () => Kind::Other,
    }
}

/// The kind of the last fenced form; a fenced block of the project's own is none.
fn by_fence(text: &str) -> Kind {
    let mut rest = text;
    while let Some((before, block)) = rest.rsplit_once("```yaml\n") {
        let kind = match block {
            _ if block.starts_with("action: question") => Kind::Question,
            _ if block.starts_with("action: synthesis") => Kind::Synthesis,
            _ if block.starts_with("position:") => Kind::Response,
            _ if block.starts_with("pro:") => Kind::Sides,
            _ => Kind::Other,
        };
        if kind != Kind::Other {
            return kind;
        }
        rest = before;
    }
    Kind::Other
}

/// What follows these words on the first line that begins with them.
fn line<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(words)).map(str::trim)
}

/// The number of the round.
fn round(text: &str) -> Option<u64> {
    let after = text.split_once("question of round ").or(text.split_once("Sum up round "))?.1;
    let digits = after.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// Which phase of how many.
fn phase(text: &str) -> Option<(u64, u64)> {
    let (_, after) = line(text, "Phase: ")?.split_once('(')?;
    let (number, of) = after.split_once(')')?.0.split_once(" of ")?;
    Some((number.parse().ok()?, of.parse().ok()?))
}

/// The ids at the head of the items under a heading: up to a colon or a space.
fn items<'a>(text: &'a str, heading: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    for line in text.lines().skip_while(|line| *line != heading).skip(1) {
        match line.strip_prefix("- ") {
            Some(item) => found.extend(item.split([':', ' ']).next()),
            None if line.starts_with("  ") => {}
            None if found.is_empty() && !line.starts_with('#') => {}
            None => break,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::Format;

    const SUM_UP: &str = "Sum up round 2.\n\nTopic: REST or not\nPhase: realist (2 of 3), goal: x\n\
        Consensus points:\n- C1.1 (carried): a point\nOpen conflicts:\n- paging (open for 1 rounds): how\n  - qa: so\n\
        Agenda:\n- api: The API (critical): pending\n- data: Data: covered\nNotes.\n\n```yaml\naction: synthesis\n```\n";

    fn asked(prompt: &str) -> Asked {
        Asked { prompt: prompt.to_owned(), ..Asked::new(Format::OpenAi) }
    }

    #[test]
    fn a_prompt_tells_its_form_and_its_session() {
        let asked = asked(SUM_UP);
        let form = Form::of(&asked);
        assert_eq!((form.kind, form.round, form.last_phase), (Kind::Synthesis, 2, false));
        assert_eq!(form.topic, "REST or not");
        assert_eq!((form.points, form.conflicts, form.agenda), (vec!["C1.1"], vec!["paging"], vec!["api", "data"]));
    }

    #[test]
    fn a_fenced_block_of_the_project_is_no_form() {
        let asked = asked("```yaml\nposition: \"x\"\n```\n# The context\n```yaml\nservice: web\n```\n");
        assert_eq!(Form::of(&asked).kind, Kind::Response);
    }

    #[test]
    fn the_ballot_is_read_past_its_explanation() {
        let asked = asked(
            "# Points put to the vote\n\nVote on each under `votes`.\n\n- C1.1: one\n- C1.2: two\n\n# The question of round 2\n",
        );
        let form = Form::of(&asked);
        assert_eq!((form.ballot, form.round), (vec!["C1.1", "C1.2"], 2));
    }

    #[test]
    fn anything_else_is_no_form() {
        assert_eq!(Form::of(&asked("Say one word.")).kind, Kind::Other);
    }
}
