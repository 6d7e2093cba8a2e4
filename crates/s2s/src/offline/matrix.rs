//! The matrix of a table: what the seats weighed, put down as numbers. Given a session seen through a playbook; hands on a
//! [`Matrix`] of the seats that answer from playbooks, and names the others. Counted once, when the session ends.
//! Deliberately absent: keeping it, showing it, and the arithmetic of what would flip it (`crate::matrix`).

use s2s_catalog::playbook::Unweighed;
use s2s_engine::Session;

use super::table::{Table, known_text};
use super::weigh::{Heard, Place, score};
use super::words::{quote, stated, tokens, unstopped, without_comments};
use crate::matrix::{
    After, Count, Matrix, Measure, Other, POWER, RuledOut, SCHEMA, Shift, Standing, Weighed, Weigher, Who, smallest,
};

/// What a seat's model is called where it answers from playbooks.
const OFFLINE: &str = "offline";

/// How far a session is.
pub(crate) fn after(session: &Session) -> After {
    let ruled = session.escalations().iter().filter(|escalation| escalation.ruling.is_some()).count();
    let told = session.interventions().iter().filter(|done| done.text.is_some()).count();
    After { rounds: session.rounds().len(), said: ruled + told + session.context_changes().len() }
}

/// The matrix of a table; none where no seat answers from playbooks.
pub(super) fn matrix(table: &Table<'_>) -> Option<Matrix> {
    let offline: Vec<usize> = (0..table.seats().len()).filter(|&at| &*table.seats()[at].model == OFFLINE).collect();
    if offline.is_empty() {
        return None;
    }
    let barred = &table.subject.barred;
    let mut focus: Vec<usize> = table.subject.focus.iter().copied().filter(|at| !barred.contains(at)).collect();
    // In the order of the playbook, by which the table too decides between two options that are alike.
    focus.sort_unstable();
    let options: Vec<Weighed> = focus.iter().map(|&option| weighed(table, option)).collect();
    let mut seats: Vec<Weigher> = offline.iter().map(|&seat| weigher(table, seat, &focus)).collect();
    let count = Count {
        scores: options.iter().map(|option| option.cells.clone()).collect(),
        weights: seats.iter().map(|seat| seat.weights.clone()).collect(),
    };
    for (at, seat) in seats.iter_mut().enumerate() {
        seat.favourite = count.favourite(at);
    }
    let each: Vec<Who> = (0..seats.len()).map(Who::Seat).collect();
    let others = (0..table.seats().len()).filter(|at| !offline.contains(at));
    Some(Matrix {
        schema: SCHEMA,
        after: after(table.session),
        playbook: table.playbook().name.clone(),
        subject: table.playbook().subject.clone(),
        as_of: table.playbook().as_of.clone(),
        criteria: table
            .playbook()
            .criteria
            .iter()
            .map(|criterion| Measure { id: criterion.id.clone(), name: criterion.name.clone() })
            .collect(),
        not_weighed: table.subject.unknown.clone(),
        ruled_out: barred.iter().map(|&option| ruled_out(table, option, &offline)).collect(),
        others: others
            .map(|at| Other { name: table.who(at).to_owned(), model: table.seats()[at].model.to_string() })
            .collect(),
        unweighed: unweighed(table).into_iter().map(|(words, _)| words).collect(),
        shifts: (0..table.heard.len()).map(|at| shift(table, at)).collect(),
        result: standing(table, &count, &focus),
        flip_all: smallest(&count, &[Who::All]),
        flip_one: smallest(&count, &each),
        options,
        seats,
    })
}

/// An option that is ruled out, with the words that do it: those against it, else those for another.
fn ruled_out(table: &Table<'_>, option: usize, offline: &[usize]) -> RuledOut {
    let against = table.bounds.iter().find(|bound| bound.option == option && !bound.demanded);
    let said = against.or_else(|| table.bounds.iter().find(|bound| bound.demanded));
    let words = said.map(|bound| bound.words.clone()).unwrap_or_default();
    let scores = offline.iter().map(|&seat| table.views[seat].score_of(option)).collect();
    RuledOut { name: table.name(option).to_owned(), words, weighed: Some(weighed(table, option)), scores }
}

fn standing(table: &Table<'_>, count: &Count, focus: &[usize]) -> Standing {
    let ranked = count.ranked();
    let leader = ranked.first().copied().unwrap_or_default();
    let seats = count.weights.len();
    let mean = |option: usize| (0..seats).map(|seat| count.mean(seat, option)).sum::<f64>() / seats.max(1) as f64;
    let taken = table.strongest();
    let ruled = (focus.get(leader) != Some(&taken) && taken != table.majority).then(|| named(table, taken));
    Standing {
        leader,
        second: ranked.get(1).copied(),
        votes: count.votes(),
        means: (0..count.scores.len()).map(mean).collect(),
        ruled,
    }
}

fn named(table: &Table<'_>, option: usize) -> String {
    table.called(option).map_or_else(|| table.option(option).name.clone(), str::to_owned)
}

fn weighed(table: &Table<'_>, option: usize) -> Weighed {
    let criteria = || 0..table.playbook().criteria.len();
    let base = |criterion: usize| {
        let cell = table.option(option).cells.get(&table.criterion(criterion).id);
        cell.map_or(3.0, |cell| f64::from(cell.score))
    };
    Weighed {
        id: table.option(option).id.clone(),
        name: named(table, option),
        cells: criteria().map(|at| table.score(option, at)).collect(),
        lifts: criteria().map(|at| table.score(option, at) - base(at)).collect(),
        decide: table.decide(option),
        why: criteria().map(|at| table.reason(option, at)).collect(),
        risks: table.option(option).risks.iter().map(|known| unstopped(&known.risk).to_owned()).collect(),
    }
}

fn weigher(table: &Table<'_>, seat: usize, focus: &[usize]) -> Weigher {
    let view = &table.views[seat];
    // A view holds weights that are raised to the power already.
    let weights: Vec<f64> = view.weights.iter().map(|weight| tidy(weight.powf(1.0 / POWER))).collect();
    Weigher {
        seat: table.seats()[seat].id.to_string(),
        name: table.who(seat).to_owned(),
        own: view.own,
        shares: (0..weights.len()).map(|at| view.share(at)).collect(),
        scores: focus.iter().map(|&option| view.score_of(option)).collect(),
        favourite: 0,
        weights,
    }
}

/// Without the crumbs of taking a root: weights have few places.
fn tidy(weight: f64) -> f64 {
    (weight * 1e9).round() / 1e9
}

/// What topic and context say of the kind that other playbooks weigh, as written, and nothing here does; and of which
/// kind that is.
pub(super) fn unweighed<'t>(table: &'t Table<'_>) -> Vec<(String, &'t str)> {
    let context = tokens(&without_comments(&known_text(table.session)));
    let texts = [context, tokens(&table.session.opening().topic)];
    let first = |idle: &'t Unweighed| {
        let mut places =
            texts.iter().flat_map(|text| idle.when.iter().filter_map(move |said| Some((text, stated(said, text)?))));
        places.next().map(|(text, at)| (quote(text, at), idle.about.as_str()))
    };
    let heard = |words: &str| {
        let mut known =
            table.heard.iter().map(|heard| &heard.words).chain(table.bounds.iter().map(|bound| &bound.words));
        known.any(|known| known.contains(words) || words.contains(known.as_str()))
    };
    table.playbook().general.unweighed.iter().filter_map(first).filter(|(words, _)| !heard(words)).collect()
}

/// What was heard at a place, with what it really did: cells stay within 1 to 5, so a lift may do less than it says.
fn shift(table: &Table<'_>, at: usize) -> Shift {
    let (heard, signal) = (&table.heard[at], &table.heard[at].signal);
    let Some(criterion) = table.place_of(&signal.criterion) else { return told(heard, String::new(), Vec::new()) };
    let lift = |&option: &usize| {
        let after = |heard: &[Heard<'_>]| score(table.playbook(), heard, option, criterion);
        let by = after(&table.heard[..=at]) - after(&table.heard[..at]);
        (by != 0.0).then(|| (named(table, option), by as i8))
    };
    told(heard, table.criterion(criterion).name.clone(), table.subject.focus.iter().filter_map(lift).collect())
}

fn told(heard: &Heard<'_>, criterion: String, lifts: Vec<(String, i8)>) -> Shift {
    Shift {
        criterion,
        by: heard.signal.shift,
        lifts,
        words: heard.words.clone(),
        in_topic: heard.place == Place::Topic,
        why: heard.signal.why.clone(),
    }
}

#[cfg(test)]
mod tests {
    use s2s_engine::Session;
    use s2s_engine::opening::Opening;

    use super::super::test_table::{opening, panel};
    use super::*;

    const FIVE: [&str; 5] = ["product-manager", "software-architect", "technical-lead", "qa-lead", "devops-engineer"];

    fn matrices(opening: Opening) -> Vec<Matrix> {
        panel().matrices(&Session::open(opening))
    }

    #[test]
    fn the_matrix_counts_as_the_table_does() {
        let contexts = ["", "Two developers, a deadline in May. Users: web and mobile apps with dashboards."];
        let topics = ["REST vs GraphQL", "Which kind of database", "Monolith or microservices", "Kafka or RabbitMQ"];
        for (topic, context) in topics.into_iter().flat_map(|topic| contexts.map(|context| (topic, context))) {
            let session = Session::open(opening(topic, "standard", &FIVE, context));
            let panel = panel();
            let table = Table::all(&session, &panel.playbooks, &panel.roles).remove(0);
            let matrix = matrix(&table).expect("weighed");
            assert_eq!(matrix.options[matrix.result.leader].id, table.option(table.majority).id, "{topic}");
            let count = matrix.count();
            for (seat, row) in matrix.seats.iter().enumerate() {
                assert_eq!(matrix.options[row.favourite].id, table.option(table.views[seat].favourite()).id, "{topic}");
                for (option, score) in row.scores.iter().enumerate() {
                    assert!((count.mean(seat, option) - score).abs() < 1e-9, "{topic}: {seat} {option}");
                }
                assert!((row.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn what_the_context_says_is_in_the_matrix() {
        let context = "Users: web and mobile apps with dashboards.";
        let matrix = &matrices(opening("REST or GraphQL", "standard", &FIVE, context))[0];
        assert!(!matrix.shifts.is_empty());
        let told = matrix.shifted().join("\n");
        assert!(told.contains("because the project says"), "{told}");
        assert!(matrices(opening("REST or GraphQL", "standard", &FIVE, ""))[0].shifts.is_empty());
    }

    #[test]
    fn an_unknown_option_is_named_and_not_weighed() {
        let matrix = &matrices(opening("REST vs SOAP", "standard", &FIVE, ""))[0];
        assert_eq!(matrix.not_weighed, ["SOAP"]);
        assert!(matrix.options.iter().all(|option| option.name != "SOAP"));
    }

    #[test]
    fn an_option_that_the_context_rules_out_does_not_compete() {
        let matrix = &matrices(opening("REST, GraphQL or gRPC", "standard", &FIVE, "We must not use GraphQL."))[0];
        assert_eq!(matrix.ruled_out.len(), 1, "{:?}", matrix.ruled_out);
        let aside: Vec<(String, String)> = matrix.set_aside().map(|aside| (aside.name.clone(), aside.told())).collect();
        assert_eq!(aside, [("GraphQL".to_owned(), "ruled out: “must not use GraphQL”".to_owned())]);
        assert_eq!(matrix.options.iter().map(|option| option.id.as_str()).collect::<Vec<_>>(), ["rest", "grpc"]);
    }

    #[test]
    fn bug_an_option_that_is_ruled_out_keeps_its_row_and_the_count_alone_is_told() {
        let context = "3 developers. We must use microservices.";
        let matrix = &matrices(opening("Monolith vs microservices", "standard", &FIVE, context))[0];
        assert_eq!(matrix.options.len(), 1);
        let aside = matrix.set_aside().next().expect("the monolith");
        assert!(aside.told().contains("must use microservices"), "{aside:?}");
        assert_eq!(aside.scores.len(), 5);
        let mean = aside.mean().expect("counted");
        assert!(mean > matrix.result.means[0], "{mean}");
        let alone = matrix.by_count_alone().expect("the monolith would lead");
        assert!(alone.starts_with("By the count alone a modular monolith would lead, "), "{alone}");
        assert!(alone.contains(&format!("{mean:.2} to {:.2}", matrix.result.means[0])), "{alone}");
        assert!(matrix.leads().contains("is the only option left, with "), "{}", matrix.leads());
        let flips = matrix.flips();
        assert_eq!(flips.len(), 1);
        assert!(flips[0].ends_with("only lifting “must use microservices” would."), "{flips:?}");
        let free = &matrices(opening("Monolith vs microservices", "standard", &FIVE, ""))[0];
        assert_eq!((free.by_count_alone(), free.set_aside().count()), (None, 0));
    }

    #[test]
    fn bug_a_lift_that_the_end_of_the_range_holds_back_is_told_as_what_it_did() {
        let context = "The team is experienced with PostgreSQL.";
        let matrix = &matrices(opening("Postgres or MongoDB", "standard", &FIVE, context))[0];
        assert!(!matrix.shifts.is_empty());
        let postgres = matrix.options.iter().find(|option| option.name == "Postgres").expect("weighed");
        for (at, criterion) in matrix.criteria.iter().enumerate() {
            let on_it = matrix.shifts.iter().filter(|shift| shift.criterion == criterion.name);
            let told = on_it.flat_map(|shift| &shift.lifts).filter(|(name, _)| *name == postgres.name);
            let told: f64 = told.map(|(_, by)| f64::from(*by)).sum();
            assert!(
                (told - postgres.lifts[at]).abs() < 1e-9,
                "{}: {told} told, {}",
                criterion.name,
                postgres.lifts[at]
            );
        }
        assert!(matrix.shifts.iter().any(|shift| shift.lifts.is_empty()), "one cell was at 5 already: {matrix:?}");
    }

    #[test]
    fn bug_no_flip_is_smaller_than_the_one_told_in_the_range_of_the_weighing() {
        let context = "Unpredictable load. No cloud.";
        let three = ["product-manager", "software-architect", "technical-lead"];
        let matrix = &matrices(opening("Serverless or Kubernetes?", "standard", &three, context))[0];
        let count = matrix.count();
        assert!(count.weights.iter().flatten().any(|weight| *weight > 5.0), "{:?}", count.weights);
        let told = matrix.flip_all.as_ref().map_or(f64::INFINITY, |flip| flip.limit.abs());
        for (criterion, step) in (0..matrix.criteria.len()).flat_map(|at| (1..=70).map(move |step| (at, step))) {
            let size = f64::from(step) / 10.0;
            for by in [size, -size] {
                let mut changed = count.clone();
                for weights in &mut changed.weights {
                    weights[criterion] = (weights[criterion] + by).clamp(0.0, 7.0);
                }
                assert!(changed.winner() == count.winner() || size >= told, "{criterion} by {by} flips, told: {told}");
            }
        }
    }

    #[test]
    fn bug_what_is_heard_and_not_weighed_is_said() {
        let context = "A hospital under the GDPR. It must run on premises. Team of 6.";
        let matrix = &matrices(opening("Postgres or MongoDB for records?", "standard", &FIVE, context))[0];
        assert_eq!(matrix.unweighed, ["GDPR", "must run on premises"], "the team's size is weighed");
        let told = matrix.shifted().pop().expect("said");
        assert_eq!(told, "Heard, but this playbook has nothing to weigh it on: “GDPR”, “must run on premises”.");
    }

    #[test]
    fn each_subject_of_a_topic_has_its_matrix() {
        let two = matrices(opening("REST or GraphQL, and PostgreSQL or MongoDB?", "standard", &FIVE, ""));
        let subjects: Vec<&str> = two.iter().map(|matrix| matrix.playbook.as_str()).collect();
        assert_eq!(subjects, ["api-style", "database-kind"]);
    }

    #[test]
    fn only_seats_that_answer_from_playbooks_are_counted() {
        let mut mixed = opening("REST vs GraphQL", "standard", &FIVE, "");
        mixed.seats[1].model = "human".into();
        let matrix = &matrices(mixed.clone())[0];
        assert_eq!((matrix.seats.len(), matrix.others.len()), (4, 1));
        assert!(matrix.left_out().expect("said").contains("(a person) has no weights"), "{:?}", matrix.left_out());
        mixed.seats.iter_mut().for_each(|seat| seat.model = "human".into());
        assert!(matrices(mixed).is_empty());
        assert!(matrices(opening("How should we name our meeting rooms", "standard", &FIVE, "")).is_empty());
    }
}
