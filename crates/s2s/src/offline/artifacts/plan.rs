//! The plan of one agenda topic: what its rules drew from the context, which criteria that shows, and a question
//! for each criterion that nothing shows. Given drafts and criteria by the rules; hands on what is new to the
//! session. Deliberately absent: the rules of the topics.

use s2s_engine::artifact::{ArtifactId, ArtifactStatus, Details};
use s2s_engine::opening::Topic;
use s2s_engine::{Holding, Session};

use super::super::words::opening_with;
use super::draft::{Draft, fresh, same_text};

/// What is asked where a topic has too little, one after the other.
const MORE: [&str; 5] = [
    "What else belongs under \"{}\"?",
    "What would be missed first under \"{}\" if it were left out?",
    "Who could say more about \"{}\", and by when?",
    "What under \"{}\" is most likely to change within a year?",
    "Which example of \"{}\" is the most awkward one?",
];

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

    /// Whether nothing is new under the topic.
    pub(super) fn is_empty(&self) -> bool {
        self.claims.is_empty() && self.questions.is_empty() && self.more.is_empty()
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
        let mut taken: Vec<ArtifactId> = self.claims.iter().filter_map(|claim| claim.id).collect();
        let mut claims = Vec::new();
        for draft in std::mem::take(&mut self.claims) {
            let Some(draft) = fresh(session, draft, &wanted, &taken) else { continue };
            taken.extend(draft.id);
            claims.push(place(draft));
        }
        self.claims = claims;
        let new = |drafts: Vec<Draft>| drafts.into_iter().filter_map(|draft| fresh(session, draft, &[], &[]));
        self.questions = new(self.questions).map(place).collect();
        self.more = new(self.more).map(place).collect();
        self.more.extend(resolved);
        self
    }

    /// Enough for the agenda: where nothing more is stated, more is asked.
    fn fill(&mut self, session: &Session, topic: &Topic) {
        let on = |holding: &&Holding| holding.current().artifact.topic.as_deref() == Some(topic.id.as_str());
        let held = session.artifacts().filter(on).filter(|holding| holding.status().is_live()).count() as u32;
        for asks in MORE {
            let fresh = |draft: &Draft| fresh(session, draft.clone(), &[], &[]);
            let new = |draft: &&Draft| fresh(draft).is_some_and(|draft| draft.id.is_none());
            let more = self.claims.iter().chain(&self.questions).chain(&self.more).filter(new).count() as u32;
            if held + more >= topic.least {
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

#[cfg(test)]
mod tests {
    use s2s_engine::artifact::ArtifactKind;

    use super::*;

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
