//! Drafts: what the facilitator would keep, before the engine gives it an id.
//! Given a statement and what the session holds; hands on a draft with a short title, as new or as a change of what
//! is known. Deliberately absent: the rules that draw drafts, and the plan they are put into.

use s2s_engine::artifact::{ArtifactId, ArtifactKind, Change, Details, Proposal};
use s2s_engine::opening::{SeatId, Workflow};
use s2s_engine::{Session, Standing};

use super::super::words::opening_with;
use super::marks::overlap;

/// The most words of a title that is kept whole, of one that is cut, and the fewest of a clause that makes one.
const WHOLE_TITLE: usize = 14;
const TITLE_WORDS: usize = 10;
const CLAUSE: usize = 4;
/// From here on a statement is another wording of a known artifact.
const SAME_THING: f64 = 0.7;

/// Something to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    pub kind: ArtifactKind,
    pub title: String,
    pub text: String,
    pub topic: Option<String>,
    pub details: Details,
    pub serves: Vec<String>,
    /// The words it rests on, as a seat would quote them.
    pub from: Option<String>,
    /// The seats that hold it by their own count; empty = the seats that were dealt it.
    pub who: Vec<SeatId>,
    /// The artifact it changes.
    pub id: Option<ArtifactId>,
    pub status: Option<&'static str>,
}

impl Draft {
    /// A draft with a title and a text.
    pub(super) fn new(kind: ArtifactKind, title: &str, text: impl Into<String>) -> Self {
        Self {
            kind,
            title: titled(title),
            text: text.into(),
            topic: None,
            details: Details::default(),
            serves: Vec::new(),
            from: None,
            who: Vec::new(),
            id: None,
            status: None,
        }
    }

    /// A question, with why it is asked. Its title is the question as it stands.
    pub(super) fn question(question: &str, why: &str) -> Self {
        Self { title: question.to_owned(), ..Self::new(ArtifactKind::Oq, "", why) }
    }

    /// The same, resting on these words.
    pub(super) fn resting_on(self, from: impl Into<String>) -> Self {
        Self { from: Some(from.into()), ..self }
    }

    /// The same, with these fields.
    pub(super) fn with(self, details: Details) -> Self {
        Self { details, ..self }
    }

    /// As a synthesis gives it.
    pub(super) fn proposal(&self, by: &[SeatId]) -> Proposal {
        Proposal {
            id: self.id.map(|id| id.to_string()),
            kind: Some(self.kind.to_string()),
            title: self.title.clone(),
            text: self.text.clone(),
            topic: self.topic.clone(),
            status: self.status.map(str::to_owned),
            details: self.details.clone(),
            serves: self.serves.clone(),
            uses: Vec::new(),
            supersedes: Vec::new(),
            proposed_by: by.iter().map(ToString::to_string).collect(),
        }
    }
}

/// The draft, if the session does not hold it already; as a change, if the project has it in other words.
pub(super) fn fresh(session: &Session, draft: Draft, wanted: &[String]) -> Option<Draft> {
    if draft.id.is_some() {
        return Some(draft);
    }
    // Another brainstorm's ideas and risks are about another topic; a question is asked once.
    let own = session.opening().workflow == Workflow::Brainstorm && draft.kind.is_claim();
    let held = || {
        let held = session.artifacts().filter(|holding| holding.id().kind == draft.kind);
        held.filter(|holding| !own || holding.is_own())
    };
    let same = |title: &str| same_text(title) == same_text(&draft.title);
    if held().any(|holding| holding.versions.iter().any(|version| same(&version.artifact.title))) {
        return None;
    }
    let reworded = held().find(|holding| {
        let artifact = &holding.current().artifact;
        let still_said = wanted.contains(&same_text(&artifact.title));
        draft.kind.is_claim()
            && holding.status().is_live()
            && !holding.is_own()
            && !still_said
            && overlap(&artifact.title, &draft.title) >= SAME_THING
    });
    Some(Draft { id: reworded.map(s2s_engine::Holding::id), ..draft })
}

/// Whether the panel voted a version down and nobody has put another in its place.
pub(super) fn voted_down(session: &Session, kind: ArtifactKind, title: &str) -> Option<ArtifactId> {
    let down = session.artifacts().find(|holding| {
        let current = holding.current();
        current.artifact.id.kind == kind
            && same_text(&current.artifact.title) == same_text(title)
            && current.standing == Some(Standing::Failed)
            && holding.versions.iter().all(|version| version.artifact.change == Change::Created)
    });
    down.map(s2s_engine::Holding::id)
}

/// The form in which two titles are the same.
pub(super) fn same_text(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.trim_end_matches(['.', '!', ';', ',', '?']).to_lowercase()
}

/// A statement as a title: as it is, or its first clause, or its first words with a mark that more follows.
pub(super) fn titled(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ends = |word: &&str| word.ends_with([',', ';', ':', '.']);
    let clause = words.iter().take(WHOLE_TITLE).skip(CLAUSE - 1).position(ends).map(|at| at + CLAUSE);
    let mut kept = match (words.len() <= WHOLE_TITLE, clause) {
        (true, _) => words.len(),
        (false, Some(clause)) => clause,
        (false, None) => TITLE_WORDS,
    };
    // A title that breaks off after "the" reads like a mistake.
    while kept < words.len() && clause.is_none() && kept > 1 && words[kept - 1].chars().count() < 4 {
        kept -= 1;
    }
    let title = words[..kept].join(" ");
    let title = opening_with(title.trim_end_matches(['.', ',', ';', ':']));
    // Nobody should take half a sentence for a whole one.
    if kept < words.len() && clause.is_none() { format!("{title}…") } else { title }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_were_cut_in_mid_sentence_without_a_mark() {
        assert_eq!(titled("orders"), "Orders");
        let long = "Halve the time that a buyer needs to add a new supplier to the list of all";
        assert_eq!(titled(long), "Halve the time that a buyer needs…");
        assert_eq!(titled(&titled(long)), titled(long));
        let clauses =
            "Measure the calls per screen, and add one endpoint made for it only where the numbers ask for it";
        assert_eq!(titled(clauses), "Measure the calls per screen");
        assert_eq!(
            titled("A tool may not be lent for more than 14 days"),
            "A tool may not be lent for more than 14 days"
        );
        assert_eq!(titled(""), "");
        assert_eq!(same_text(" A  b. "), "a b");
    }
}
