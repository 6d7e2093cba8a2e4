//! Weighs the options of a subject as each seat would: its role's weights, shifted by what topic and
//! context say. Given a subject, roles and text; hands on a [`View`] per seat. The arithmetic is plain:
//! a weighted mean of the cells, from 1 to 5. Deliberately absent: sentences, rounds, other seats.

use std::borrow::Cow;
use std::ops::Range;

use s2s_catalog::Role;
use s2s_catalog::playbook::{Cell, Playbook, Signal};

use super::bounds::there;
use super::naming::meet;
use super::subject::Subject;
use super::words::{Token, quote, stated, tokens, without_comments};
use crate::matrix::{MOST, POWER};

/// Where a signal was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Topic,
    Project,
}

/// A signal that fired.
#[derive(Debug, Clone)]
pub(super) struct Heard<'p> {
    pub signal: Cow<'p, Signal>,
    /// The words that set it off, as written.
    pub words: String,
    pub place: Place,
    /// Where those words stand there.
    pub at: Range<usize>,
}

/// The signals that topic and context set off: the playbook's own, what is there already, and the constraints of any
/// project where the playbook has nothing of its own to say to the same words.
pub(super) fn hear<'p>(playbook: &'p Playbook, topic: &str, context: &str) -> Vec<Heard<'p>> {
    let there = there(playbook, topic, context);
    let topic = tokens(topic);
    let context = tokens(&without_comments(context));
    let first = |signal: &Signal, among: &[Token]| signal.when.iter().find_map(|phrase| stated(phrase, among));
    let fired = |signal: &'p Signal| {
        let in_topic = || first(signal, &topic).map(|at| (Place::Topic, at, &topic));
        let (place, at, among) = first(signal, &context).map(|at| (Place::Project, at, &context)).or_else(in_topic)?;
        Some(Heard { signal: Cow::Borrowed(signal), words: quote(among, at.clone()), place, at })
    };
    let mut heard: Vec<Heard<'p>> = playbook.signals.iter().filter_map(fired).collect();
    heard.extend(there);
    for general in playbook.general.signals.iter().filter_map(fired) {
        let said = |own: &Heard<'_>| {
            own.signal.criterion == general.signal.criterion && own.place == general.place && meet(&own.at, &general.at)
        };
        if !heard.iter().any(said) {
            heard.push(general);
        }
    }
    heard
}

/// Two things the project says that cannot both hold.
pub(super) fn contradiction<'h, 'p>(heard: &'h [Heard<'p>]) -> Option<(&'h Heard<'p>, &'h Heard<'p>)> {
    let in_project = |one: &&Heard<'p>| one.place == Place::Project;
    heard.iter().filter(in_project).find_map(|one| {
        let against = one.signal.contradicts.as_ref()?;
        let other = heard.iter().filter(in_project).find(|other| other.signal.id.as_ref() == Some(against))?;
        Some((one, other))
    })
}

/// How one option does on one criterion here: the cell, lifted by what was heard.
pub(super) fn score(playbook: &Playbook, heard: &[Heard<'_>], option: usize, criterion: usize) -> f64 {
    let known = &playbook.options[option];
    let id = &playbook.criteria[criterion].id;
    let base = known.cells.get(id).map_or(3.0, |cell: &Cell| f64::from(cell.score));
    let lifted = heard.iter().filter(|one| one.signal.criterion == *id);
    let lift: f64 = lifted.filter_map(|one| one.signal.lifts.get(&known.id)).map(|&lift| f64::from(lift)).sum();
    (base + lift).clamp(1.0, 5.0)
}

/// How one seat sees the options.
#[derive(Debug, Clone)]
pub(super) struct View {
    /// The weight of each criterion, in the playbook's order.
    pub weights: Vec<f64>,
    /// The options in focus with their score, best first.
    pub ranked: Vec<(usize, f64)>,
    /// The criteria, the one that counts most first.
    pub matters: Vec<usize>,
    /// Whether the weights are the role's own; else all criteria count alike.
    pub own: bool,
}

impl View {
    /// The view of a role; one without weights counts all criteria alike.
    pub(super) fn of(role: Option<&Role>, subject: &Subject<'_>, heard: &[Heard<'_>]) -> Self {
        let playbook = subject.playbook;
        let weighs = role.map(|role| &role.weighs).filter(|weighs| !weighs.is_empty());
        let weight = |id: &str| {
            let own = weighs.map_or(2.5, |weighs| weighs.get(id).copied().unwrap_or(1.0));
            let shifts = heard.iter().filter(|one| one.signal.criterion == id).map(|one| one.signal.shift);
            // Strong opinions count more than twice as much as half-strong ones, as they do in a meeting.
            (own + shifts.sum::<f64>()).clamp(0.0, MOST).powf(POWER)
        };
        let weights: Vec<f64> = playbook.criteria.iter().map(|criterion| weight(&criterion.id)).collect();
        let total: f64 = weights.iter().sum::<f64>().max(f64::EPSILON);
        let mean = |option: usize| {
            let parts = weights.iter().enumerate();
            parts.map(|(at, weight)| weight * score(playbook, heard, option, at)).sum::<f64>() / total
        };
        let mut ranked: Vec<(usize, f64)> = subject.focus.iter().map(|&option| (option, mean(option))).collect();
        // What may not be taken comes last, whatever it scores.
        let barred = |option: usize| subject.barred.contains(&option);
        ranked.sort_by(|a, b| barred(a.0).cmp(&barred(b.0)).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0)));
        let mut matters: Vec<usize> = (0..weights.len()).collect();
        matters.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
        Self { weights, ranked, matters, own: weighs.is_some() }
    }

    /// The option it likes best.
    pub(super) fn favourite(&self) -> usize {
        self.ranked.first().map_or(0, |(option, _)| *option)
    }

    /// The score of an option; 1 for one that is not in focus.
    pub(super) fn score_of(&self, option: usize) -> f64 {
        self.ranked.iter().find(|(known, _)| *known == option).map_or(1.0, |(_, score)| *score)
    }

    /// By how much the first is ahead of the second.
    pub(super) fn margin(&self) -> f64 {
        match self.ranked.as_slice() {
            [(_, first), (_, second), ..] => (first - second).max(0.0),
            _ => 0.0,
        }
    }

    /// The best option other than this one.
    pub(super) fn rival_of(&self, option: usize) -> usize {
        self.ranked.iter().map(|(known, _)| *known).find(|known| *known != option).unwrap_or(option)
    }

    /// The share of all weight that a criterion has.
    pub(super) fn share(&self, criterion: usize) -> f64 {
        let total: f64 = self.weights.iter().sum::<f64>().max(f64::EPSILON);
        self.weights.get(criterion).copied().unwrap_or_default() / total
    }
}

#[cfg(test)]
mod tests {
    use super::super::subject::recognise;
    use super::super::test_table::{playbooks, role};
    use super::*;

    /// Which option a role likes best, given a topic and a context.
    fn check(seat: &str, topic: &str, context: &str, expected: &str) {
        let playbooks = playbooks();
        let subject = recognise(&playbooks, topic).expect("the topic is covered");
        let heard = hear(subject.playbook, topic, context);
        let view = View::of(Some(&role(seat)), &subject, &heard);
        assert_eq!(subject.playbook.options[view.favourite()].id, expected, "{seat} on {topic} with {context:?}");
    }

    #[test]
    fn a_constraint_in_the_context_shifts_the_seat_it_should() {
        let api = "REST or GraphQL";
        check("software-architect", api, "", "rest");
        check("software-architect", api, "Users: web and mobile apps with dashboards.", "graphql");
        check("devops-engineer", api, "Users: web and mobile apps with dashboards.", "rest");
        let cut = "Monolith or microservices";
        check("product-manager", cut, "Two developers.", "modular-monolith");
        check("product-manager", cut, "There are 12 teams who release independently.", "microservices");
        check("business-analyst", cut, "There are 12 teams who release independently.", "modular-monolith");
        let store = "Which kind of database";
        check("software-architect", store, "Orders and payments.", "relational");
        check("software-architect", store, "Telemetry from sensors, billions of rows, low latency.", "key-value");
        let sign_in = "Which identity provider for sign-in";
        check("technical-lead", sign_in, "", "managed-provider");
        check("software-architect", sign_in, "On premises, with an operations team.", "self-hosted-provider");
    }

    #[test]
    fn what_stands_in_a_comment_or_is_denied_is_not_heard() {
        let playbooks = playbooks();
        let subject = recognise(&playbooks, "REST or GraphQL").expect("covered");
        let heard = hear(subject.playbook, "", "<!-- for example: two developers, mobile --> No deadline.");
        assert!(heard.is_empty(), "{heard:?}");
    }

    #[test]
    fn only_a_context_that_contradicts_itself_is_a_contradiction() {
        let playbooks = playbooks();
        let subject = recognise(&playbooks, "Monolith or microservices").expect("covered");
        let both = hear(subject.playbook, "", "One team of 3. Our many teams release weekly.");
        assert!(contradiction(&both).is_some());
        let one = hear(subject.playbook, "many teams", "A team of 3.");
        assert!(contradiction(&one).is_none(), "the topic may ask about what is not so yet");
    }
}
