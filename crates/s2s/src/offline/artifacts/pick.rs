//! What a round keeps: the plan of the topic in focus, cut to what one synthesis may propose, and how far that
//! brings the agenda. The seats are dealt the same drafts before they speak, so that what is proposed is what they
//! said. Given the desk; hands on drafts and coverage. Deliberately absent: sentences.

use std::collections::VecDeque;

use s2s_engine::opening::{Coverage, SeatId, Topic, Workflow};
use s2s_engine::reply::TopicCoverage;
use s2s_engine::strategy::Asks;

use super::super::asking::open_topic;
use super::draft::{Draft, fresh};
use super::plan::Plan;
use super::refine::refined;
use super::{Desk, design, specs, storm};

/// The most artifacts of a round on one topic.
const MOST: usize = 6;
/// The most of a round that has to take in all that is left.
const MOST_AT_ONCE: usize = 12;
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
    /// Drafts for which there was no room.
    pub left: usize,
}

impl Picked {
    /// What the round under way keeps.
    pub(super) fn of(desk: &Desk<'_>) -> Self {
        let mut picked = Self { coverage: unchanged(desk), ..Self::default() };
        if desk.session.phase().asks == Asks::None && !desk.is_direct() && !desk.in_last_phase() {
            return picked;
        }
        picked.refined = refined(desk);
        if desk.is_direct() {
            picked.at_once(desk);
            return picked;
        }
        let focus = open_topic(desk.session);
        if let Some(topic) = focus {
            picked.take(desk, topic);
        }
        let waiting = picked.coverage.iter().any(|topic| topic.status == Coverage::Pending);
        if waiting {
            picked.cut(MOST);
        } else {
            picked.leftovers(desk);
            picked.cut(MOST_AT_ONCE);
        }
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

    fn take(&mut self, desk: &Desk<'_>, topic: &Topic) {
        let plan = plan(desk, topic);
        self.close(topic, &plan);
        self.claims.extend(plan.claims);
        self.questions.extend(gathered(plan.questions, topic, MOST_QUESTIONS));
        self.questions.extend(plan.more);
    }

    /// A topic is done with what its plan shows and asks.
    fn close(&mut self, topic: &Topic, plan: &Plan) {
        self.focus.push((topic.name.clone(), plan.asked.clone()));
        if let Some(coverage) = self.coverage.iter_mut().find(|coverage| coverage.topic == topic.id) {
            coverage.status = Coverage::Covered;
            coverage.met = [plan.shown.as_slice(), &plan.asked].concat();
            coverage.met.sort_unstable();
        }
    }

    /// Every topic in one synthesis: what each needs first, then one more of each in turn.
    fn at_once(&mut self, desk: &Desk<'_>) {
        let agenda = &desk.session.opening().agenda;
        let open = agenda.iter().zip(desk.session.coverage()).filter(|(_, now)| **now != Coverage::Covered);
        let plans: Vec<(&Topic, Plan)> = open.map(|(topic, _)| (topic, plan(desk, topic))).collect();
        let asking = plans.iter().filter(|(_, plan)| !plan.questions.is_empty() || !plan.more.is_empty()).count();
        let crowded = plans.iter().map(|(_, plan)| plan.claims.len()).sum::<usize>() + asking > MOST_AT_ONCE;
        let mut waiting: Vec<VecDeque<Draft>> = Vec::new();
        let mut listed: Vec<String> = Vec::new();
        for (topic, mut plan) in plans {
            self.close(topic, &plan);
            let questions = [std::mem::take(&mut plan.questions), std::mem::take(&mut plan.more)].concat();
            let mut claims: VecDeque<Draft> = plan.claims.into();
            let needed = (topic.least as usize).max(1).min(claims.len());
            let most = (topic.least as usize).saturating_sub(claims.len()).max(1);
            // Where there is no room for a question of each topic, those that have claims share one.
            match crowded && needed >= topic.least as usize && !claims.is_empty() {
                true => {
                    listed.extend(questions.into_iter().filter(|draft| draft.id.is_none()).map(|draft| draft.title))
                }
                false => self.questions.extend(gathered(questions, topic, most)),
            }
            self.claims.extend(claims.drain(..needed));
            waiting.push(claims);
        }
        if !listed.is_empty() {
            self.questions.push(Draft::question("What does the context still have to say?", &listed.join(" ")));
        }
        let room = MOST_AT_ONCE.saturating_sub(self.questions.len());
        while self.claims.len() < room && waiting.iter().any(|claims| !claims.is_empty()) {
            self.claims.extend(waiting.iter_mut().filter_map(VecDeque::pop_front));
        }
        let over = self.claims.len().saturating_sub(room);
        self.claims.truncate(room);
        self.leftovers(desk);
        self.cut(MOST_AT_ONCE);
        self.left += over + waiting.iter().map(VecDeque::len).sum::<usize>();
    }

    /// What the topics that are done could not keep before, and without an agenda what the stage gives.
    fn leftovers(&mut self, desk: &Desk<'_>) {
        let opening = desk.session.opening();
        let mut plans: Vec<Plan> = Vec::new();
        for (topic, now) in opening.agenda.iter().zip(desk.session.coverage()) {
            if *now == Coverage::Covered {
                plans.push(plan(desk, topic));
            }
        }
        if opening.agenda.is_empty() && opening.workflow == Workflow::Brainstorm {
            plans.push(bare(desk, storm::plan(desk)));
        }
        for plan in plans {
            let known = |drafts: &[Draft], new: &Draft| drafts.iter().any(|draft| draft.title == new.title);
            let claims: Vec<Draft> = plan.claims.into_iter().filter(|draft| !known(&self.claims, draft)).collect();
            let questions: Vec<Draft> = plan.more.into_iter().filter(|draft| !known(&self.questions, draft)).collect();
            self.claims.extend(claims);
            self.questions.extend(questions);
        }
    }

    /// Questions that let a criterion count stay; the rest gives way to claims.
    fn cut(&mut self, most: usize) {
        let changed = |draft: &Draft| draft.id.is_some() && self.refined.iter().any(|known| known.id == draft.id);
        self.claims.retain(|draft| !changed(draft));
        self.questions.retain(|draft| !changed(draft));
        let most = most - self.refined.len().min(most);
        let all = self.claims.len() + self.questions.len();
        let asked = self.questions.len().min(most / 2);
        self.claims.truncate(most - asked);
        self.questions.truncate(most - self.claims.len());
        self.left = all - self.claims.len() - self.questions.len();
    }
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
    let new = |drafts: Vec<Draft>| drafts.into_iter().filter_map(|draft| fresh(desk.session, draft, &[])).collect();
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
