//! What a round keeps: the plan of the topic in focus, cut to what one synthesis may propose, and how far that
//! brings the agenda. The seats are dealt the same drafts before they speak, so that what is proposed is what they
//! said. Given the desk; hands on drafts and coverage. Deliberately absent: sentences.

use std::collections::BTreeMap;

use s2s_engine::artifact::{ArtifactId, ArtifactKind, MOST_OF_A_KIND};
use s2s_engine::opening::{Coverage, SeatId, Topic, Workflow};
use s2s_engine::reply::TopicCoverage;
use s2s_engine::strategy::Asks;
use s2s_engine::{MOST_ALONE, MOST_PROPOSALS};

use super::super::asking::open_topic;
use super::draft::{Draft, fresh, same_text};
use super::plan::Plan;
use super::refine::refined;
use super::{Desk, design, specs, storm};

/// Of more questions than this on one topic the rest is asked as one.
const MOST_QUESTIONS: usize = 3;

/// What a round keeps.
#[derive(Debug, Default)]
pub(super) struct Picked {
    pub claims: Vec<Draft>,
    pub questions: Vec<Draft>,
    /// What a person asked for; no seat proposed it.
    pub refined: Vec<Draft>,
    pub coverage: Vec<TopicCoverage>,
    /// The topics in focus, with the criteria that are met only by asking.
    pub focus: Vec<(String, Vec<u32>)>,
    /// Drafts that wait for the next round, as there was no room.
    pub left: usize,
    /// Statements that no round will reach: they are quoted in an open question.
    pub unreached: usize,
}

impl Picked {
    /// What the round under way keeps.
    pub(super) fn of(desk: &Desk<'_>) -> Self {
        let mut picked = Self { coverage: unchanged(desk), ..Self::default() };
        if desk.session.phase().asks == Asks::None && !desk.is_direct() && !desk.in_last_phase() {
            return picked;
        }
        picked.refined = refined(desk);
        let mut plans: Vec<(&Topic, Plan)> = Vec::new();
        if desk.is_direct() {
            plans.extend(open_topics(desk).map(|topic| (topic, plan(desk, topic))));
        } else if let Some(topic) = open_topic(desk.session) {
            plans.push((topic, plan(desk, topic)));
            // Where a topic has nothing new, the others may have nothing new either: no round is held for them.
            if plans[0].1.is_empty() {
                let others = open_topics(desk).filter(|other| other.id != topic.id);
                let others = others.map(|topic| (topic, plan(desk, topic)));
                plans.extend(others.filter(|(_, plan)| plan.is_empty()));
            }
        }
        for (topic, plan) in plans {
            picked.take(desk, topic, plan);
        }
        let waiting = picked.coverage.iter().any(|topic| topic.status == Coverage::Pending);
        if !waiting || desk.is_direct() {
            picked.leftovers(desk);
        }
        picked.settle(desk);
        picked
    }

    /// The seats that a claim rests on: those that hold it, else the one that was dealt it.
    pub(super) fn carriers(&self, desk: &Desk<'_>, at: usize) -> Vec<SeatId> {
        let asked = desk.session.asked();
        let draft = &self.claims[at];
        if draft.who.is_empty() {
            return asked.get(at % asked.len().max(1)).cloned().into_iter().collect();
        }
        draft.who.iter().filter(|seat| asked.contains(seat)).cloned().collect()
    }

    /// Whether a session that goes on from artifacts has nothing to add to them.
    pub(super) fn is_nothing_new(&self) -> bool {
        let waiting = self.coverage.iter().any(|topic| topic.status == Coverage::Pending);
        !waiting && self.claims.is_empty() && self.questions.is_empty() && self.refined.is_empty()
    }

    /// A topic is done with what its plan shows and asks.
    fn take(&mut self, desk: &Desk<'_>, topic: &Topic, plan: Plan) {
        self.focus.push((topic.name.clone(), plan.asked.clone()));
        if let Some(coverage) = self.coverage.iter_mut().find(|coverage| coverage.topic == topic.id) {
            coverage.status = Coverage::Covered;
            coverage.met = [plan.shown.as_slice(), &plan.asked].concat();
            coverage.met.sort_unstable();
        }
        let questions = match desk.is_direct() {
            true => gathered([plan.questions, plan.more].concat(), topic, MOST_QUESTIONS),
            false => gathered(plan.questions, topic, MOST_QUESTIONS).into_iter().chain(plan.more).collect(),
        };
        self.add(plan.claims, questions);
    }

    /// Each draft once, whichever topics it comes from.
    fn add(&mut self, claims: Vec<Draft>, questions: Vec<Draft>) {
        let known = |drafts: &[Draft], new: &Draft| {
            drafts.iter().any(|draft| draft.kind == new.kind && same_text(&draft.title) == same_text(&new.title))
        };
        for draft in claims {
            let changed = draft.id.is_some() && self.claims.iter().any(|claim| claim.id == draft.id);
            if !changed && !known(&self.claims, &draft) {
                self.claims.push(draft);
            }
        }
        for draft in questions {
            if !known(&self.questions, &draft) {
                self.questions.push(draft);
            }
        }
    }

    /// What the topics that are done could not keep before, and without an agenda what the stage gives.
    fn leftovers(&mut self, desk: &Desk<'_>) {
        let opening = desk.session.opening();
        for (topic, now) in opening.agenda.iter().zip(desk.session.coverage()) {
            if *now != Coverage::Pending {
                let plan = plan(desk, topic);
                self.add(plan.claims, plan.more);
            }
        }
        if opening.agenda.is_empty() && opening.workflow == Workflow::Brainstorm {
            let plan = bare(desk, storm::plan(desk));
            self.add(plan.claims, plan.more);
        }
    }

    /// Cuts the round to what one synthesis may hold. What is left waits, and its topic stays open; where there is no
    /// further round, or no further number of its kind, it is quoted in a question.
    fn settle(&mut self, desk: &Desk<'_>) {
        let changed = |draft: &Draft| draft.id.is_some() && self.refined.iter().any(|known| known.id == draft.id);
        self.claims.retain(|draft| !changed(draft));
        self.questions.retain(|draft| !changed(draft));
        let mut unreached = numberless(desk, &mut self.claims);
        let last = is_last(desk) || (desk.in_last_phase() && self.focus.is_empty());
        if last && !desk.is_direct() {
            let waiting = self.coverage.iter().filter(|topic| topic.status == Coverage::Pending);
            let waiting: Vec<&str> = waiting.map(|topic| topic.topic.as_str()).collect();
            let topics = desk.session.opening().agenda.iter().filter(|topic| waiting.contains(&topic.id.as_str()));
            unreached.extend(topics.flat_map(|topic| plan(desk, topic).claims));
        }
        let all = if desk.is_direct() { MOST_ALONE } else { MOST_PROPOSALS };
        let all = all - self.refined.len().min(all);
        // Where something cannot wait, each topic has a place for the question that quotes it.
        let fits = self.claims.len() + self.questions.len() + places(&unreached).len() <= all;
        let reserved = if fits || !last { places(&unreached).len() } else { desk.session.opening().agenda.len() + 1 };
        let over = self.cut(all - reserved.min(all));
        match last {
            true => unreached.extend(over.into_iter().filter(|draft| draft.id.is_none() || draft.kind.is_claim())),
            false => self.wait(desk, &over),
        }
        self.unreached = unreached.len();
        let quoting: Vec<Draft> = places(&unreached).into_iter().map(|topic| quoted(desk, topic, &unreached)).collect();
        self.questions.extend(quoting);
        self.shorten(desk);
        self.name_by_ids(desk);
    }

    /// Questions that let a criterion count stay; the rest gives way to claims. Gives back what has no room.
    fn cut(&mut self, most: usize) -> Vec<Draft> {
        let asked = self.questions.len().min(most / 2);
        let over = self.claims.split_off(self.claims.len().min(most - asked));
        let more = self.questions.split_off(self.questions.len().min(most - self.claims.len()));
        [over, more].concat()
    }

    /// A topic of which something is left is not done.
    fn wait(&mut self, desk: &Desk<'_>, over: &[Draft]) {
        self.left = over.len();
        let agenda = desk.session.opening().agenda.iter().zip(desk.session.coverage());
        for (topic, now) in agenda {
            let waits = over.iter().any(|draft| draft.topic.as_ref() == Some(&topic.id));
            if let Some(coverage) = self.coverage.iter_mut().find(|known| waits && known.topic == topic.id) {
                coverage.status = *now;
            }
        }
    }

    /// A topic with fewer claims than it needs is only touched, whatever is asked under it (A5).
    fn shorten(&mut self, desk: &Desk<'_>) {
        for topic in &desk.session.opening().agenda {
            let new = |draft: &&Draft| draft.id.is_none() && draft.topic.as_ref() == Some(&topic.id);
            let has = desk.session.artifacts_on(&topic.id) + self.claims.iter().filter(new).count() as u32;
            let covered = |known: &&mut TopicCoverage| known.topic == topic.id && known.status == Coverage::Covered;
            if let Some(coverage) = self.coverage.iter_mut().find(covered).filter(|_| has < topic.least) {
                coverage.status = Coverage::Partial;
            }
        }
    }

    /// Puts the ids in that new claims will be given, where a question speaks of them.
    fn name_by_ids(&mut self, desk: &Desk<'_>) {
        let mut last: BTreeMap<ArtifactKind, u32> =
            desk.session.opening().register.as_ref().map(|register| register.last.clone()).unwrap_or_default();
        for holding in desk.session.artifacts() {
            let number = last.entry(holding.id().kind).or_default();
            *number = (*number).max(holding.id().number);
        }
        let next = |draft: &Draft| {
            let number = last.entry(draft.kind).or_default();
            *number += u32::from(draft.id.is_none());
            let id = draft.id.unwrap_or(ArtifactId { kind: draft.kind, number: *number });
            (Draft::mark(draft.kind, &draft.title), id.to_string())
        };
        let ids: Vec<(String, String)> = self.claims.iter().map(next).collect();
        for question in &mut self.questions {
            for (mark, id) in &ids {
                question.text = question.text.replace(mark, id);
            }
            // What is not kept in this round is called by its words.
            question.text = question.text.replace(['\u{27e6}', '\u{27e7}'], "\"");
        }
    }
}

/// The topics that are not covered.
fn open_topics<'d>(desk: &'d Desk<'_>) -> impl Iterator<Item = &'d Topic> {
    let agenda = desk.session.opening().agenda.iter().zip(desk.session.coverage());
    agenda.filter(|(_, now)| **now != Coverage::Covered).map(|(topic, _)| topic)
}

/// Whether no further round can be held.
fn is_last(desk: &Desk<'_>) -> bool {
    desk.is_direct() || desk.session.round_number() >= desk.session.opening().settings.limits.max_rounds
}

/// Takes out the claims for which the session has no number left.
fn numberless(desk: &Desk<'_>, claims: &mut Vec<Draft>) -> Vec<Draft> {
    let mut given: BTreeMap<ArtifactKind, u32> = BTreeMap::new();
    for holding in desk.session.artifacts().filter(|holding| holding.versions[0].round > 0) {
        *given.entry(holding.id().kind).or_default() += 1;
    }
    let (kept, beyond) = std::mem::take(claims).into_iter().partition(|draft: &Draft| {
        let count = given.entry(draft.kind).or_default();
        *count += u32::from(draft.id.is_none());
        draft.id.is_some() || *count <= MOST_OF_A_KIND
    });
    *claims = kept;
    beyond
}

/// The topics that drafts belong to, each once.
fn places(drafts: &[Draft]) -> Vec<Option<&String>> {
    let mut places: Vec<Option<&String>> = Vec::new();
    for draft in drafts {
        if !places.contains(&draft.topic.as_ref()) {
            places.push(draft.topic.as_ref());
        }
    }
    places
}

/// The question that quotes what was not reached under a topic.
fn quoted(desk: &Desk<'_>, topic: Option<&String>, unreached: &[Draft]) -> Draft {
    let drafts = unreached.iter().filter(|draft| draft.topic.as_ref() == topic);
    let said: Vec<String> =
        drafts.map(|draft| format!("\"{}\"", draft.from.as_deref().unwrap_or(&draft.title))).collect();
    let agenda = &desk.session.opening().agenda;
    let name = topic.and_then(|id| agenda.iter().find(|known| known.id == *id)).map(|known| known.name.as_str());
    let under = name.map(|name| format!(" under \"{name}\"")).unwrap_or_default();
    let why = format!("Stated, and not yet kept, as the session had no room left: {}.", said.join("; "));
    let question = Draft::question(&format!("What becomes of what was not reached{under}?"), &why);
    // A later session may leave other statements under the same question.
    let asked = desk.open().find(|known| same_text(&known.title) == same_text(&question.title));
    Draft { topic: topic.cloned(), id: asked.map(|known| known.id), ..question }
}

/// The plan of a topic: what is new under it.
fn plan(desk: &Desk<'_>, topic: &Topic) -> Plan {
    let plan = match desk.session.opening().workflow {
        Workflow::Specs => specs::plan(desk, topic),
        Workflow::Design => design::plan(desk, topic),
        Workflow::Brainstorm => storm::plan(desk),
    };
    plan.settled(desk.session, topic)
}

/// A plan without a topic: what is new of it.
fn bare(desk: &Desk<'_>, plan: Plan) -> Plan {
    let new =
        |drafts: Vec<Draft>| drafts.into_iter().filter_map(|draft| fresh(desk.session, draft, &[], &[])).collect();
    Plan { claims: new(plan.claims), more: new(plan.more), ..Plan::default() }
}

/// Questions as they are put: each for itself, and what is too many as one.
fn gathered(questions: Vec<Draft>, topic: &Topic, most: usize) -> Vec<Draft> {
    let (answers, open): (Vec<Draft>, Vec<Draft>) = questions.into_iter().partition(|draft| draft.id.is_some());
    if open.len() <= most {
        return open.into_iter().chain(answers).collect();
    }
    // All but the last place are for a question each.
    let (single, rest) = open.split_at(most.saturating_sub(1));
    let texts: Vec<&str> = rest.iter().map(|draft| draft.title.as_str()).collect();
    let question = format!("What is still to be said about \"{}\"?", topic.name);
    let one = Draft::question(&question, &texts.join(" "));
    let one = Draft { topic: Some(topic.id.clone()), ..one };
    single.iter().cloned().chain(std::iter::once(one)).chain(answers).collect()
}

fn unchanged(desk: &Desk<'_>) -> Vec<TopicCoverage> {
    let agenda = desk.session.opening().agenda.iter().zip(desk.session.coverage());
    agenda.map(|(topic, now)| TopicCoverage { topic: topic.id.clone(), status: *now, met: Vec::new() }).collect()
}
