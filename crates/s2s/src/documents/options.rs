//! What was considered: the options, and what each seat said for and against them.
//! Given the session; hands on statements under the option they are about. Where the topic names its
//! options, a statement belongs to the one that it names; where not, each distinct position is one. A
//! seat's reasons count for its own position, its concerns against it; what it says about another option is
//! neither (neutral), because nobody here can tell praise from blame. Without answers (a session resumed
//! without its tape) the positions in conflicts stand in.

use s2s_engine::opening::SeatId;
use s2s_engine::record::RoundKind;
use s2s_engine::{Session, Standing};

use super::escape::inline;
use super::gather::point_source;
use super::view::{ChosenView, OptionView, Statement};
use super::words::{count, hits, options_in, same_text, words};

/// Statements of one seat in one list; more make a record nobody reads.
const MOST_PER_SEAT: usize = 4;
/// The longest title made from a position, in characters.
const TITLE_CHARS: usize = 90;

/// Words that show that a statement can be checked.
const CHECKING: &[&str] = &[
    "measure", "measured", "metric", "test", "tested", "testing", "verify", "verified", "monitor", "monitored",
    "monitoring", "alert", "audit", "benchmark", "p95", "p99", "slo", "threshold", "dashboard", "load test",
    "contract test", "acceptance", "revisit", "look at this decision again", "review", "checked", "lint", "budget",
];

/// The options of a session.
#[derive(Debug, Default)]
pub(super) struct Considered {
    pub(super) options: Vec<OptionView>,
    pub(super) chosen: Option<ChosenView>,
}

/// One answer, or what stands in for it.
struct Heard<'s> {
    round: u32,
    seat: &'s SeatId,
    position: &'s str,
    rationale: &'s [String],
    concerns: &'s [String],
}

pub(super) fn considered(session: &Session) -> Considered {
    let heard = heard(session);
    let names = options_in(&session.opening().topic);
    if names.is_empty() {
        return Considered { options: by_position(&heard), chosen: None };
    }
    let named: Vec<Vec<String>> = names.iter().map(|name| words(name)).collect();
    let mut options: Vec<OptionView> = names.iter().map(|name| empty(inline(name))).collect();
    for said in &heard {
        let for_option = spoken_for(said.position, &named);
        place(&mut options, &named, said, for_option);
    }
    if options.iter().all(|option| option.positions.is_empty() && option.good.is_empty()) {
        return Considered { options: by_position(&heard), chosen: None };
    }
    options.iter_mut().for_each(shorten);
    Considered { chosen: chosen(session, &names, &named), options }
}

fn heard(session: &Session) -> Vec<Heard<'_>> {
    let mut heard = Vec::new();
    for round in session.rounds().iter().filter(|round| round.kind == RoundKind::Discussion) {
        let number = round.number;
        match session.answers_of(number) {
            Some(answers) => heard.extend(answers.iter().map(|answer| Heard {
                round: number,
                seat: &answer.participant,
                position: &answer.position,
                rationale: &answer.rationale,
                concerns: &answer.concerns,
            })),
            None => {
                let positions = round.conflicts.iter().flat_map(|conflict| &conflict.positions);
                heard.extend(positions.map(|(seat, position)| Heard {
                    round: number,
                    seat,
                    position,
                    rationale: &[],
                    concerns: &[],
                }));
            }
        }
    }
    heard.retain(|said| !said.position.trim().is_empty());
    heard
}

/// The option that a position names most often; of equals, the first named.
fn spoken_for(position: &str, named: &[Vec<String>]) -> Option<usize> {
    let text = words(position);
    let first = |name: &Vec<String>| (0..text.len()).find(|at| count(&text[..=*at], name) > 0);
    let mentions = named.iter().enumerate().map(|(index, name)| (count(&text, name), first(name), index));
    let best = mentions.filter(|(count, ..)| *count > 0).max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
    best.map(|(_, _, index)| index)
}

/// The one option that a text names; none if it names several or none.
fn only_named(text: &str, named: &[Vec<String>]) -> Option<usize> {
    let text = words(text);
    let mut found = named.iter().enumerate().filter(|(_, name)| count(&text, name) > 0).map(|(index, _)| index);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn place(options: &mut [OptionView], named: &[Vec<String>], said: &Heard<'_>, for_option: Option<usize>) {
    if let Some(option) = for_option {
        let positions = &mut options[option].positions;
        positions.retain(|old| !old.source.ends_with(&format!(", {}", said.seat)));
        positions.push(statement(said, said.position));
        // A seat that has changed its mind is quoted where it stands now.
        for (index, other) in options.iter_mut().enumerate() {
            if index != option {
                other.positions.retain(|old| !old.source.ends_with(&format!(", {}", said.seat)));
            }
        }
    }
    for text in said.rationale {
        match (only_named(text, named), for_option) {
            (Some(about), Some(own)) if about == own => note(&mut options[own].good, said, text),
            (Some(about), _) => note(&mut options[about].neutral, said, text),
            (None, Some(own)) => note(&mut options[own].good, said, text),
            (None, None) => {}
        }
    }
    for text in said.concerns {
        if let Some(about) = only_named(text, named).or(for_option) {
            note(&mut options[about].bad, said, text);
        }
    }
}

/// Adds a statement, or the source to one that says the same.
fn note(list: &mut Vec<Statement>, said: &Heard<'_>, text: &str) {
    let new = statement(said, text);
    if new.text.is_empty() {
        return;
    }
    match list.iter_mut().find(|old| same_text(&old.text) == same_text(&new.text)) {
        Some(old) => old.source.push_str(&format!("; {}", new.source)),
        None => list.push(new),
    }
}

fn statement(said: &Heard<'_>, text: &str) -> Statement {
    Statement { text: inline(text), source: format!("round {}, {}", said.round, inline(said.seat)) }
}

fn empty(title: String) -> OptionView {
    OptionView { title, positions: Vec::new(), good: Vec::new(), neutral: Vec::new(), bad: Vec::new(), left_out: 0 }
}

/// Keeps the first statements of each seat, and tells how many are left out.
fn shorten(option: &mut OptionView) {
    let mut left_out = 0;
    for list in [&mut option.good, &mut option.neutral, &mut option.bad] {
        let before = list.len();
        let mut seen: Vec<(String, usize)> = Vec::new();
        list.retain(|statement| {
            let seat = statement.source.rsplit(", ").next().unwrap_or_default().to_owned();
            let place = seen.iter().position(|(known, _)| *known == seat).unwrap_or_else(|| {
                seen.push((seat, 0));
                seen.len() - 1
            });
            seen[place].1 += 1;
            seen[place].1 <= MOST_PER_SEAT
        });
        left_out += before - list.len();
    }
    option.left_out = left_out;
}

/// Where the topic names no options: the last position of each seat, equal ones as one.
fn by_position(heard: &[Heard<'_>]) -> Vec<OptionView> {
    let mut seats: Vec<&SeatId> = Vec::new();
    for said in heard {
        if !seats.contains(&said.seat) {
            seats.push(said.seat);
        }
    }
    let mut options: Vec<(String, OptionView)> = Vec::new();
    for seat in seats {
        let Some(last) = heard.iter().rev().find(|said| said.seat == seat) else { continue };
        let same = same_text(last.position);
        let place = options.iter().position(|(known, _)| *known == same).unwrap_or_else(|| {
            options.push((same, empty(title(last.position))));
            options.len() - 1
        });
        let option = &mut options[place].1;
        option.positions.push(statement(last, last.position));
        for said in heard.iter().filter(|said| said.seat == seat) {
            said.rationale.iter().for_each(|text| note(&mut option.good, said, text));
            said.concerns.iter().for_each(|text| note(&mut option.bad, said, text));
        }
    }
    let mut options: Vec<OptionView> = options.into_iter().map(|(_, option)| option).collect();
    options.iter_mut().for_each(shorten);
    options
}

/// A position in short: its first sentence, cut between words.
fn title(position: &str) -> String {
    let line = position.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = line.split_inclusive([';', ':', '.']).next().unwrap_or(&line);
    let sentence = if sentence.chars().count() < 12 { &line } else { sentence };
    let mut short = String::new();
    for word in sentence.split(' ') {
        if short.chars().count() + word.chars().count() > TITLE_CHARS {
            short.push_str(" …");
            break;
        }
        short.push_str(if short.is_empty() { "" } else { " " });
        short.push_str(word);
    }
    inline(short.trim_end_matches([';', ':', '.']))
}

/// The option that carried points name, if they name only one.
fn chosen(session: &Session, names: &[String], named: &[Vec<String>]) -> Option<ChosenView> {
    let mut found: Option<(usize, Vec<String>)> = None;
    for point in session.points().iter().filter(|point| point.standing == Standing::Carried) {
        let Some(option) = only_named(&point.text, named) else { continue };
        let (known, points) = found.get_or_insert_with(|| (option, Vec::new()));
        if *known != option {
            return None;
        }
        points.push(point.id.clone());
    }
    found.map(|(option, points)| ChosenView { title: inline(&names[option]), points })
}

/// The last word of each seat for and against what was chosen; without a choice, its last word at all.
pub(super) fn last_words(session: &Session, chosen: Option<&ChosenView>) -> (Vec<Statement>, Vec<Statement>) {
    let named: Vec<Vec<String>> = options_in(&session.opening().topic).iter().map(|name| words(name)).collect();
    let heard = heard(session);
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    let fits = |text: &str| match (chosen, only_named(text, &named)) {
        (Some(chosen), Some(option)) => {
            options_in(&session.opening().topic).get(option).is_some_and(|name| inline(name) == chosen.title)
        }
        _ => true,
    };
    for seat in &session.opening().seats {
        let Some(last) = heard.iter().rev().find(|said| *said.seat == seat.id) else { continue };
        last.rationale.iter().filter(|text| fits(text)).take(2).for_each(|text| note(&mut good, last, text));
        last.concerns.iter().filter(|text| fits(text)).for_each(|text| note(&mut bad, last, text));
    }
    (good, bad)
}

/// Carried points, and then concerns and reasons, that speak of a check.
pub(super) fn checks(session: &Session) -> Vec<Statement> {
    let speaks = |text: &str| hits(&words(text), CHECKING) > 0;
    let carried = session.points().iter().filter(|point| point.standing == Standing::Carried && speaks(&point.text));
    carried.map(|point| Statement { text: inline(&point.text), source: point_source(session, point) }).collect()
}
