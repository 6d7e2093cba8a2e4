//! Drafts: what the facilitator would keep, before the engine gives it an id.
//! Given a statement and what the session holds; hands on a draft with a short title, as new or as a change of what
//! is known. Deliberately absent: the rules that draw drafts, and the plan they are put into.

use s2s_engine::artifact::{Artifact, ArtifactId, ArtifactKind, Change, Details, Proposal};
use s2s_engine::opening::{SeatId, Workflow};
use s2s_engine::{Holding, Session, Standing};

use super::super::words::opening_with;
use super::marks::likeness;

/// The most words of a title that is kept whole, of one that is cut, and the fewest of a clause that makes one.
const WHOLE_TITLE: usize = 14;
const TITLE_WORDS: usize = 10;
const CLAUSE: usize = 4;
/// From here on a statement is another wording of a known artifact.
pub(super) const SAME_THING: f64 = 0.6;
/// From here on a text under the same title is the statement in its older form.
const SAME_TEXT: f64 = 0.5;
/// How a text begins that gathers several statements.
pub(super) const SAID_OF_THEM: &str = "The context says of them: ";
pub(super) const SAID_ABOUT_IT: &str = "Keeps together what is said about it: ";
const GATHERED: [&str; 2] = [SAID_OF_THEM, SAID_ABOUT_IT];

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

    /// What stands for an artifact in a text until its id is known (`pick` puts it in).
    pub(super) fn mark(kind: ArtifactKind, title: &str) -> String {
        format!("\u{27e6}{kind}:{}\u{27e7}", same_text(title))
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

/// The draft, if the session does not hold it already; as a change, if the project has it in other words or another
/// size. What is still `wanted` as it reads is changed by nothing else, nor what was `taken` by another draft.
pub(super) fn fresh(session: &Session, draft: Draft, wanted: &[String], taken: &[ArtifactId]) -> Option<Draft> {
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
    if let Some(known) = held().find(|holding| holding.versions.iter().any(|version| same(&version.artifact.title))) {
        return changed(session, known, draft).filter(|draft| !draft.id.is_some_and(|id| taken.contains(&id)));
    }
    let open = held().filter(|holding| {
        let still_said = || wanted.contains(&same_text(&holding.current().artifact.title));
        let free = draft.kind.is_claim() && !holding.is_own() && !taken.contains(&holding.id());
        free && holding.status().is_live() && !still_said()
    });
    let alike = open.map(|holding| (alike(&holding.current().artifact, &draft), holding.id()));
    let reworded = alike.filter(|(like, _)| *like >= SAME_THING).max_by(|(a, x), (b, y)| a.total_cmp(b).then(y.cmp(x)));
    Some(Draft { id: reworded.map(|(_, id)| id), ..draft })
}

/// How much a known artifact and a draft say the same. Where a title is cut, the whole text tells.
fn alike(known: &Artifact, draft: &Draft) -> f64 {
    let cut = |title: &str| title.ends_with('…');
    match cut(&known.title) || cut(&draft.title) {
        true => likeness(stated_part(&known.text).0, &draft.text),
        false => likeness(&known.title, &draft.title),
    }
}

/// A draft under a title that the project has: nothing, unless the statement behind it reads differently now, is
/// weighed differently, or serves what does not stand any more.
fn changed(session: &Session, known: &Holding, draft: Draft) -> Option<Draft> {
    let before = &known.current().artifact;
    if known.is_own() || !known.status().is_live() || !draft.kind.is_claim() {
        return None;
    }
    let id = Some(before.id);
    let (stated, added) = stated_part(&before.text);
    let says_so = same_text(stated) == same_text(&draft.text);
    let wish = matches!(draft.kind, ArtifactKind::Req | ArtifactKind::Br | ArtifactKind::Nfr | ArtifactKind::Ex);
    let gathered = GATHERED.iter().any(|lead| stated.starts_with(lead) && draft.text.starts_with(lead));
    // A text that somebody else wrote is left as it is; only the statement itself follows the context.
    let follows = gathered || (wish && likeness(stated, &draft.text) >= SAME_TEXT);
    if !says_so && follows && !stated.is_empty() {
        let text = format!("{} {added}", draft.text).trim_end().to_owned();
        return Some(Draft { id, text, ..draft });
    }
    if says_so && draft.details.priority.is_some() && draft.details.priority != before.details.priority {
        return Some(Draft { id, text: before.text.clone(), ..draft });
    }
    let stale = before.serves.iter().any(|served| !stands(session, *served)) && !draft.serves.is_empty();
    stale.then(|| Draft { id, text: before.text.clone(), details: Details::default(), ..draft })
}

/// Whether what is served still counts. Ideas and risks may be of sessions that are not known here.
pub(super) fn stands(session: &Session, id: ArtifactId) -> bool {
    let wish = matches!(id.kind, ArtifactKind::Req | ArtifactKind::Br | ArtifactKind::Nfr);
    !wish || session.artifact(id).is_some_and(|holding| holding.status().is_live())
}

/// A text as it was drawn, and what a person had added to it.
pub(super) fn stated_part(text: &str) -> (&str, &str) {
    text.find(super::refine::ASKED).map_or((text, ""), |at| (text[..at].trim_end(), &text[at..]))
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
