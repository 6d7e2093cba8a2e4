//! Drafts: what the facilitator would keep, before the engine gives it an id, and the plan of one agenda topic.
//! A plan holds what the topic's rules drew from the context, which criteria that shows, and a question for each
//! criterion that nothing shows. Given statements and what the session holds; hands on drafts that are new.
//! Deliberately absent: the rules of the topics.

use s2s_engine::artifact::{ArtifactId, ArtifactKind, ArtifactStatus, Change, Details, Proposal};
use s2s_engine::opening::{SeatId, Topic};
use s2s_engine::{Session, Standing};

use super::super::words::opening_with;
use super::marks::overlap;

/// The most words of a title that is kept whole, of one that is cut, and the fewest of a clause that makes one.
const WHOLE_TITLE: usize = 14;
const TITLE_WORDS: usize = 10;
const CLAUSE: usize = 4;
/// From here on a statement is another wording of a known artifact.
const SAME_THING: f64 = 0.7;

/// What is asked where a topic has too little, one after the other.
const MORE: [&str; 5] = [
    "What else belongs under \"{}\"?",
    "What would be missed first under \"{}\" if it were left out?",
    "Who could say more about \"{}\", and by when?",
    "What under \"{}\" is most likely to change within a year?",
    "Which example of \"{}\" is the most awkward one?",
];

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

/// What the rules of one topic come to.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    /// What is claimed.
    pub claims: Vec<Draft>,
    /// What is asked because no statement shows a criterion.
    pub questions: Vec<Draft>,
    /// What is asked besides, and known questions that are answered now.
    pub more: Vec<Draft>,
    /// Criteria that something shows.
    pub shown: Vec<u32>,
    /// Criteria that are met only because the question is asked.
    pub asked: Vec<u32>,
    /// Questions that need not be asked, with what answers them.
    pub answered: Vec<(String, String)>,
}

impl Plan {
    /// Adds a claim, unless its kind has one of that title.
    pub(super) fn claim(&mut self, draft: Draft) {
        let taken = |claims: &[Draft], title: &str| {
            claims.iter().any(|known| known.kind == draft.kind && same_text(&known.title) == same_text(title))
        };
        if !taken(&self.claims, &draft.title) {
            self.claims.push(draft);
            return;
        }
        // Two statements may begin alike; the second is then called by all of its words.
        let whole = draft.from.as_deref().map(opening_with).unwrap_or_default();
        if !whole.is_empty() && !taken(&self.claims, &whole) {
            self.claims.push(Draft { title: whole, ..draft });
        }
    }

    /// A criterion of the topic: shown, or asked about.
    pub(super) fn criterion(&mut self, number: u32, shown: bool, question: &str, why: &str) {
        if shown {
            self.shown.push(number);
            self.answered.push((question.to_owned(), "By what is kept under the same topic now".to_owned()));
        } else {
            self.asked.push(number);
            self.questions.push(Draft::question(question, why));
        }
    }

    /// A question that belongs to no criterion, unless a statement answers it.
    pub(super) fn ask_unless(&mut self, stated: Option<&str>, question: &str, why: &str) {
        match stated {
            Some(statement) => self.answered.push((question.to_owned(), format!("Stated: {statement}"))),
            None => self.ask(question, why),
        }
    }

    /// A question that belongs to no criterion.
    pub(super) fn ask(&mut self, question: &str, why: &str) {
        if !self.questions.iter().chain(&self.more).any(|known| known.title == question) {
            self.more.push(Draft::question(question, why));
        }
    }

    /// The plan for this topic of this session: only what is new, with questions for criteria that no rule knows.
    pub(super) fn settled(mut self, session: &Session, topic: &Topic) -> Self {
        for number in 1..=topic.criteria {
            if !self.shown.contains(&number) && !self.asked.contains(&number) {
                let question = format!("What shows that criterion {number} of \"{}\" is met?", topic.name);
                self.criterion(number, false, &question, "No rule here knows this criterion.");
            }
        }
        self.shown.retain(|number| *number <= topic.criteria);
        self.asked.retain(|number| *number <= topic.criteria);
        self.fill(session, topic);
        let resolved = self.resolved(session);
        let place = |draft: Draft| Draft { topic: Some(topic.id.clone()), ..draft };
        let wanted: Vec<String> = self.claims.iter().map(|claim| same_text(&claim.title)).collect();
        self.claims = self.claims.into_iter().filter_map(|draft| fresh(session, draft, &wanted)).map(place).collect();
        self.questions = self.questions.into_iter().filter_map(|draft| fresh(session, draft, &[])).map(place).collect();
        self.more = self.more.into_iter().filter_map(|draft| fresh(session, draft, &[])).map(place).collect();
        self.more.extend(resolved);
        self
    }

    /// Enough for the agenda: where nothing more is stated, more is asked.
    fn fill(&mut self, session: &Session, topic: &Topic) {
        for asks in MORE {
            let new = |draft: &&Draft| fresh(session, (*draft).clone(), &[]).is_some_and(|draft| draft.id.is_none());
            let more = self.claims.iter().chain(&self.questions).chain(&self.more).filter(new).count() as u32;
            if session.artifacts_on(&topic.id) + more >= topic.least {
                return;
            }
            let question = asks.replace("{}", &topic.name);
            self.ask(&question, "The agenda asks for more under this topic than anything stated gives.");
        }
    }

    /// Open questions of the project that something answers now.
    fn resolved(&self, session: &Session) -> Vec<Draft> {
        let mut drafts = Vec::new();
        for holding in session.artifacts().filter(|holding| holding.status() == ArtifactStatus::Open) {
            let artifact = &holding.current().artifact;
            let Some((_, answer)) = self.answered.iter().find(|(question, _)| *question == artifact.title) else {
                continue;
            };
            let details = Details { answer: Some(answer.clone()), ..Details::default() };
            let known = Draft::question(&artifact.title, &artifact.text).with(details);
            drafts.push(Draft {
                id: Some(artifact.id),
                status: Some("resolved"),
                topic: artifact.topic.clone(),
                ..known
            });
        }
        drafts
    }
}

/// The draft, if the session does not hold it already; as a change, if the project has it in other words.
pub(super) fn fresh(session: &Session, draft: Draft, wanted: &[String]) -> Option<Draft> {
    if draft.id.is_some() {
        return Some(draft);
    }
    let held = || session.artifacts().filter(|holding| holding.id().kind == draft.kind);
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

/// A statement as a title: as it is, or its first clause, or its first words.
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
    opening_with(title.trim_end_matches(['.', ',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_short_and_break_off_between_words() {
        assert_eq!(titled("orders"), "Orders");
        let long = "Halve the time that a buyer needs to add a new supplier to the list of all";
        assert_eq!(titled(long), "Halve the time that a buyer needs");
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

    #[test]
    fn a_criterion_is_shown_or_asked_and_never_both() {
        let mut plan = Plan::default();
        plan.criterion(1, true, "Who uses it?", "");
        plan.criterion(2, false, "How fast?", "No number is stated.");
        plan.ask("How fast?", "again");
        assert_eq!((plan.shown.as_slice(), plan.asked.as_slice()), (&[1][..], &[2][..]));
        assert_eq!((plan.questions.len(), plan.more.len()), (1, 0));
        plan.claim(Draft::new(ArtifactKind::Req, "Orders", ""));
        plan.claim(Draft::new(ArtifactKind::Req, "orders.", "twice"));
        assert_eq!(plan.claims.len(), 1);
        let alike =
            |end: &str| format!("All parts of an order, whatever the customer has said about them before, {end}");
        for end in ["are shown", "can be changed"] {
            plan.claim(Draft::new(ArtifactKind::Req, &alike(end), "").resting_on(alike(end)));
        }
        assert_eq!(plan.claims[1].title, "All parts of an order");
        assert_eq!(plan.claims[2].title, alike("can be changed"));
    }
}
