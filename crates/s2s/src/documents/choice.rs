//! What was chosen, by whom, what follows from it, and who disagreed.
//! Given the session, what was heard and the names of the options; hands on the choice with how it came
//! about. A ruling on a conflict is the outcome, whatever the votes on other points say. What follows is
//! told only for a choice: the same concern is good news for another option.

use s2s_engine::record::{Escalation, RuledBy, Ruling, RulingChoice};
use s2s_engine::{Session, Standing};

use super::escape::inline;
use super::gather::ruled_by;
use super::heard::Heard;
use super::names::Names;
use super::options::{MOST_OF_A_SEAT, in_short};
use super::signs::{is_risk, speaks_for};
use super::view::{ChosenView, Statement};

/// Reasons of one seat among the consequences.
const MOST_REASONS: usize = 2;

/// The option that was chosen.
#[derive(Debug)]
pub(super) struct Choice {
    /// Its place among the options; none if a ruling named something else.
    pub(super) option: Option<usize>,
    pub(super) view: ChosenView,
    /// The escalation that settled it, and its round.
    pub(super) ruled: Option<(String, u32)>,
}

/// Whether a ruling decides a matter, so that it binds: an own decision does, and a recommendation that was
/// accepted where a conflict was escalated (E1, E4). Any other answer only lets the session go on.
pub(super) fn decides(escalation: &Escalation, ruling: &Ruling) -> bool {
    match ruling.choice {
        RulingChoice::Decide => true,
        RulingChoice::Accept => {
            let on_conflict = escalation.causes.iter().any(|cause| matches!(cause.rule.as_str(), "E1" | "E4"));
            on_conflict && !escalation.conflicts.is_empty()
        }
        _ => false,
    }
}

/// What a ruling says: its own words, or the recommendation it takes.
pub(super) fn ruled_text<'e>(escalation: &'e Escalation, ruling: &'e Ruling) -> Option<&'e str> {
    let own = ruling.text.as_deref().filter(|text| !text.trim().is_empty());
    match ruling.choice {
        RulingChoice::Accept => own.or(escalation.recommendation.as_deref()),
        _ => own,
    }
}

pub(super) fn choice(session: &Session, heard: &[Heard<'_>], names: Option<&Names>) -> Option<Choice> {
    let titles = names.map(Names::titles).unwrap_or_default();
    let carried = names.and_then(|names| carried(session, names));
    settled(session, heard, titles, carried, &|_, text| Some(names.and_then(|names| names.meant(text))))
}

/// The option, if any, that a ruling takes with its words; none at all if the ruling is about something else.
pub(super) type Meant<'a> = &'a dyn Fn(&Escalation, &str) -> Option<Option<usize>>;

/// What rulings and carried points come to: the last ruling that decides, else the option that was carried.
pub(super) fn settled(
    session: &Session,
    heard: &[Heard<'_>],
    titles: &[String],
    carried: Option<(usize, Vec<String>)>,
    meant: Meant<'_>,
) -> Option<Choice> {
    let mut rulings = session.escalations().iter().rev();
    let Some(mut choice) = rulings.find_map(|escalation| ruled(session, heard, escalation, titles, meant)) else {
        let (option, points) = carried?;
        let how = format!("because the panel carried {}", points.join(", "));
        let title = inline(titles.get(option)?);
        let text = in_words(session, &points);
        return Some(Choice { option: Some(option), view: ChosenView { title, text, how, points }, ruled: None });
    };
    if let Some((_, points)) = carried.filter(|(option, _)| Some(*option) == choice.option) {
        choice.view.how.push_str(&format!("; the panel carried {}", points.join(", ")));
        choice.view.text = in_words(session, &points);
        choice.view.points = points;
    }
    Some(choice)
}

/// The first of some points, in words.
fn in_words(session: &Session, points: &[String]) -> Option<String> {
    points.first().and_then(|id| session.point(id)).map(|point| inline(&point.text))
}

/// The option that carried points name, if they name only one; and those points.
fn carried(session: &Session, names: &Names) -> Option<(usize, Vec<String>)> {
    let mut found: Option<(usize, Vec<String>)> = None;
    for point in session.points().iter().filter(|point| point.standing == Standing::Carried) {
        let Some(option) = names.meant(&point.text) else { continue };
        let (known, points) = found.get_or_insert_with(|| (option, Vec::new()));
        if *known != option {
            return None;
        }
        points.push(point.id.clone());
    }
    found
}

fn ruled(
    session: &Session,
    heard: &[Heard<'_>],
    escalation: &Escalation,
    titles: &[String],
    meant: Meant<'_>,
) -> Option<Choice> {
    let ruling = escalation.ruling.as_ref().filter(|ruling| decides(escalation, ruling))?;
    let text = ruled_text(escalation, ruling)?;
    let option = meant(escalation, text)?;
    let title = match option {
        Some(option) => inline(titles.get(option)?),
        _ if ruling.choice == RulingChoice::Decide && parts_seats(session, heard, escalation) => in_short(text),
        _ => return None,
    };
    let (id, round) = (inline(&escalation.id), escalation.round);
    let how = match ruling.by {
        RuledBy::Person => format!("{} ({id}, round {round})", ruled_by(ruling)),
        RuledBy::Policy => format!("taken by the unattended policy, no person decided ({id}, round {round})"),
    };
    Some(Choice { option, view: ChosenView { title, text: None, how, points: Vec::new() }, ruled: Some((id, round)) })
}

/// Whether an escalation was about what seats held for different options.
fn parts_seats(session: &Session, heard: &[Heard<'_>], escalation: &Escalation) -> bool {
    let voted = |id: &String| session.points().iter().any(|point| point.conflict == *id);
    let own = escalation.conflicts.iter().any(|id| !voted(id));
    let mut held = session.opening().seats.iter().filter_map(|seat| {
        heard.iter().rev().find(|said| *said.seat == seat.id && said.round <= escalation.round)?.speaks_for
    });
    let first = held.next();
    own && (first.is_none() || held.any(|other| Some(other) != first))
}

/// What follows from a choice.
#[derive(Debug, Default)]
pub(super) struct Consequences {
    pub(super) good: Vec<Statement>,
    pub(super) bad: Vec<Statement>,
    /// Said about it, with no sign that could be known.
    pub(super) neutral: Vec<Statement>,
    /// What to watch: the bad, or, without a choice, the last concerns of every seat.
    pub(super) risks: Vec<Statement>,
}

/// In the last words of each seat: reasons and concerns of those who hold what was chosen. The concerns of
/// a debating side are about the other side, so there the losing side's are taken.
pub(super) fn consequences(
    session: &Session,
    heard: &[Heard<'_>],
    chosen: Option<usize>,
    names: Option<&Names>,
) -> Consequences {
    let debate = session.opening().sides.is_some();
    let mut follows = Consequences::default();
    let about = |text: &str| names.and_then(|names| names.only(text));
    let fits = |text: &str| about(text).map_or(!names.is_some_and(|names| names.any(text)), |one| Some(one) == chosen);
    let pro = |text: &&String| fits(text) && speaks_for(text, about(text).is_some());
    let con = |text: &&String| fits(text) && is_risk(text);
    for seat in &session.opening().seats {
        let said: Vec<&Heard<'_>> = heard.iter().filter(|said| *said.seat == seat.id).collect();
        let Some(last) = said.last() else { continue };
        if chosen.is_none() {
            if let Some(said) = said.iter().rev().find(|said| !said.concerns.is_empty()) {
                said.concerns.iter().for_each(|text| said.note(&mut follows.risks, text));
            }
            continue;
        }
        let own = said.iter().rev().filter(|said| said.speaks_for == chosen);
        if last.speaks_for == chosen {
            if let Some(said) = own.clone().find(|said| said.rationale.iter().any(|text| pro(&text))) {
                said.rationale
                    .iter()
                    .filter(pro)
                    .take(MOST_REASONS)
                    .for_each(|text| said.note(&mut follows.good, text));
            }
            if let Some(said) = own.clone().find(|said| !debate && said.concerns.iter().any(|text| con(&text))) {
                said.concerns.iter().filter(con).for_each(|text| said.note(&mut follows.bad, text));
            }
            let open = |text: &&String| fits(text) && !is_risk(text);
            last.concerns.iter().filter(open).for_each(|text| last.note(&mut follows.neutral, text));
        } else if debate {
            let concerns = said.iter().flat_map(|said| said.concerns.iter().map(move |text| (said, text)));
            let concerns = concerns.filter(|(_, text)| con(text));
            concerns.take(MOST_OF_A_SEAT).for_each(|(said, text)| said.note(&mut follows.bad, text));
        }
    }
    if chosen.is_some() {
        follows.risks.clone_from(&follows.bad);
    }
    follows
}

/// Who did not hold what was chosen.
#[derive(Debug, Default)]
pub(super) struct Dissent {
    /// Held something else when a ruling settled it.
    pub(super) overruled: Vec<Statement>,
    /// Held something else to the end.
    pub(super) holdouts: Vec<Statement>,
    /// All who disagreed, in a few words each.
    pub(super) seats: Vec<String>,
}

pub(super) fn dissent(session: &Session, heard: &[Heard<'_>], choice: Option<&Choice>) -> Dissent {
    let mut dissent = Dissent::default();
    let debate = session.opening().sides.is_some();
    for seat in &session.opening().seats {
        let name = inline(if seat.name.is_empty() { &seat.id } else { &seat.name });
        let said: Vec<&Heard<'_>> = heard.iter().filter(|said| *said.seat == seat.id).collect();
        let other = |said: &&&Heard<'_>| {
            choice.is_some_and(|choice| said.speaks_for.is_some() && said.speaks_for != choice.option)
        };
        let against = said.iter().rev().find(other).copied();
        let last_is_other = said.last().is_some_and(|last| other(&last));
        let ruled = choice.and_then(|choice| choice.ruled.as_ref());
        let then = ruled.and_then(|(_, round)| said.iter().rev().find(|said| said.round <= *round)).filter(other);
        if let (Some(against), Some((id, round)), Some(_)) = (against, ruled, then) {
            let mut statement = against.statement(against.position);
            let later = if last_is_other { "" } else { ", came round later" };
            statement.source.push_str(&format!("; overruled by {id} in round {round}{later}"));
            dissent.overruled.push(statement);
            dissent.seats.push(format!("{name} (overruled by {id}{later})"));
        } else if let (Some(against), true, false) = (against, last_is_other, debate) {
            dissent.holdouts.push(against.statement(against.position));
            dissent.seats.push(format!("{name} (held another option to the end)"));
        }
        let blocked: Vec<&str> = session
            .rounds()
            .iter()
            .flat_map(|round| &round.tallies)
            .filter(|tally| tally.block.iter().any(|block| block.seat == seat.id))
            .map(|tally| tally.point.as_str())
            .collect();
        if !blocked.is_empty() {
            dissent.seats.push(format!("{name} (blocked {})", inline(&blocked.join(", "))));
        }
    }
    dissent
}
