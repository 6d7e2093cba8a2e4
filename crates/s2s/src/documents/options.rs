//! What was considered: the options, and what each seat said for and against them.
//! Given the session; hands on voices under the option they spoke for. Where the topic names its options,
//! a seat speaks for the one that its position names most; where not, each distinct position is an option.
//! A seat's reasons and concerns stay with its own position; what its reasons say about another option is
//! listed there as such, because nobody here can tell praise from blame. Without answers (a session
//! resumed without its tape) the positions in conflicts stand in.

use s2s_engine::opening::SeatId;
use s2s_engine::record::RoundKind;
use s2s_engine::{Session, Standing};

use super::escape::inline;
use super::view::{ChosenView, OptionView, Statement, VoiceView};
use super::words::{count, options_in, same_text, words};

/// Statements of one seat in one list; more make a record that nobody reads.
const MOST_OF_A_SEAT: usize = 3;
/// Statements about an option by those who spoke for another.
const MOST_ABOUT: usize = 6;
/// The longest form of a position in short, in characters.
const SHORT_CHARS: usize = 90;

/// The options of a session, and what follows from the one that was chosen.
#[derive(Debug, Default)]
pub(super) struct Considered {
    pub(super) options: Vec<OptionView>,
    /// The last position of seats that spoke for none of them.
    pub(super) others: Vec<Statement>,
    pub(super) chosen: Option<ChosenView>,
    pub(super) good: Vec<Statement>,
    pub(super) bad: Vec<Statement>,
}

/// One answer, or what stands in for it, and the option it speaks for.
struct Heard<'s> {
    round: u32,
    seat: &'s SeatId,
    position: &'s str,
    rationale: &'s [String],
    concerns: &'s [String],
    speaks_for: Option<usize>,
}

pub(super) fn considered(session: &Session) -> Considered {
    let mut heard = heard(session);
    let names = options_in(&session.opening().topic);
    let named: Vec<Vec<String>> = names.iter().map(|name| words(name)).collect();
    let by_name = !names.is_empty() && settle_leanings(session, &mut heard, &named);
    if !by_name {
        let options = by_position(session, &heard);
        let (good, bad) = consequences(session, &heard, None, &[]);
        return Considered { options, good, bad, ..Considered::default() };
    }
    let mut options: Vec<OptionView> = names.iter().map(|name| empty(inline(name))).collect();
    let mut others = Vec::new();
    for seat in &session.opening().seats {
        let said: Vec<&Heard<'_>> = heard.iter().filter(|said| *said.seat == seat.id).collect();
        let Some(last) = said.last() else { continue };
        match said.iter().rev().find_map(|said| said.speaks_for) {
            Some(option) => {
                let own: Vec<&Heard<'_>> =
                    said.iter().copied().filter(|said| said.speaks_for == Some(option)).collect();
                let fits = |text: &str| only_named(text, &named).is_none_or(|about| about == option);
                let mut voice = voice(&seat.name, &own, fits, &mut options[option].left_out);
                // A side's case is what it opens with; what it closes with is what it grants.
                if let (Some(voice), [first, .., _]) = (&mut voice, own.as_slice())
                    && session.opening().sides.is_some()
                {
                    voice.closing = Some(std::mem::replace(&mut voice.position, statement(first, first.position)));
                }
                options[option].voices.extend(voice);
            }
            None => others.push(statement(last, last.position)),
        }
    }
    for said in &heard {
        note_about_others(&mut options, &named, said);
    }
    let chosen = chosen(session, &named);
    let (good, bad) = consequences(session, &heard, chosen.as_ref().map(|(option, _)| *option), &named);
    let chosen = chosen.map(|(option, points)| ChosenView { title: inline(&names[option]), points });
    Considered { options, others, chosen, good, bad }
}

fn heard(session: &Session) -> Vec<Heard<'_>> {
    let mut heard = Vec::new();
    for round in session.rounds().iter().filter(|round| round.kind == RoundKind::Discussion) {
        let number = round.number;
        let speaks_for = None;
        match session.answers_of(number) {
            Some(answers) => heard.extend(answers.iter().map(|answer| Heard {
                round: number,
                seat: &answer.participant,
                position: &answer.position,
                rationale: &answer.rationale,
                concerns: &answer.concerns,
                speaks_for,
            })),
            None => {
                let positions = round.conflicts.iter().flat_map(|conflict| &conflict.positions);
                heard.extend(positions.map(|(seat, position)| Heard {
                    round: number,
                    seat,
                    position,
                    rationale: &[],
                    concerns: &[],
                    speaks_for,
                }));
            }
        }
    }
    heard.retain(|said| !said.position.trim().is_empty());
    heard
}

/// Finds the option that each answer speaks for; says whether any does. A side of a debate is kept from
/// its first words to its last, whatever it grants the other.
fn settle_leanings(session: &Session, heard: &mut [Heard<'_>], named: &[Vec<String>]) -> bool {
    for said in heard.iter_mut() {
        said.speaks_for = spoken_for(said.position, named);
    }
    if session.opening().sides.is_some() {
        let of_side = |side: &str| -> Vec<usize> {
            let seats = session.opening().seats.iter().filter(|seat| session.side_of(&seat.id) == Some(side));
            seats.filter_map(|seat| heard.iter().find(|said| *said.seat == seat.id)?.speaks_for).collect()
        };
        let pro = most(&of_side("pro"));
        let con = match (pro, named.len()) {
            (Some(pro), 2) => Some(1 - pro),
            _ => most(&of_side("con")),
        };
        for said in heard.iter_mut() {
            said.speaks_for = if session.side_of(said.seat) == Some("pro") { pro } else { con };
        }
    }
    heard.iter().any(|said| said.speaks_for.is_some())
}

fn most(options: &[usize]) -> Option<usize> {
    options.iter().copied().max_by_key(|option| options.iter().filter(|other| *other == option).count())
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

/// What one seat said for its option, and what worries it.
fn voice(name: &str, said: &[&Heard<'_>], fits: impl Fn(&str) -> bool, left_out: &mut usize) -> Option<VoiceView> {
    let last = said.last()?;
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for said in said {
        said.rationale.iter().filter(|text| fits(text)).for_each(|text| note(&mut good, said, text));
        said.concerns.iter().for_each(|text| note(&mut bad, said, text));
    }
    for list in [&mut good, &mut bad] {
        *left_out += list.len().saturating_sub(MOST_OF_A_SEAT);
        list.truncate(MOST_OF_A_SEAT);
    }
    let seat = inline(if name.is_empty() { last.seat } else { name });
    Some(VoiceView { seat, position: statement(last, last.position), closing: None, good, bad })
}

/// What reasons say about an option that their seat did not speak for.
fn note_about_others(options: &mut [OptionView], named: &[Vec<String>], said: &Heard<'_>) {
    for text in said.rationale {
        if let Some(about) = only_named(text, named)
            && said.speaks_for != Some(about)
        {
            let option = &mut options[about];
            note(&mut option.about, said, text);
            option.left_out += option.about.len().saturating_sub(MOST_ABOUT);
            option.about.truncate(MOST_ABOUT);
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
    OptionView { title, summary: None, voices: Vec::new(), about: Vec::new(), left_out: 0 }
}

/// Where the topic names no options: the last position of each seat, equal ones as one.
fn by_position(session: &Session, heard: &[Heard<'_>]) -> Vec<OptionView> {
    let mut options: Vec<(String, OptionView)> = Vec::new();
    for seat in &session.opening().seats {
        let said: Vec<&Heard<'_>> = heard.iter().filter(|said| *said.seat == seat.id).collect();
        let Some(last) = said.last() else { continue };
        let same = same_text(last.position);
        let place = options.iter().position(|(known, _)| *known == same).unwrap_or_else(|| {
            options.push((same, OptionView { summary: Some(in_short(last.position)), ..empty(String::new()) }));
            options.len() - 1
        });
        let option = &mut options[place].1;
        option.voices.extend(voice(&seat.name, &said, |_| true, &mut option.left_out));
    }
    let mut options: Vec<OptionView> = options.into_iter().map(|(_, option)| option).collect();
    for option in &mut options {
        let seats: Vec<&str> = option.voices.iter().map(|voice| voice.seat.as_str()).collect();
        option.title = format!("As put by {}", seats.join(" and "));
    }
    options
}

/// A position in short: its first clause, cut between words.
fn in_short(position: &str) -> String {
    let line = position.split_whitespace().collect::<Vec<_>>().join(" ");
    let clause =
        line.split_inclusive([';', ':', '.']).next().filter(|clause| clause.chars().count() >= 12).unwrap_or(&line);
    let mut short = String::new();
    for word in clause.split(' ') {
        if short.chars().count() + word.chars().count() > SHORT_CHARS {
            short.push_str(" …");
            break;
        }
        short.push_str(if short.is_empty() { "" } else { " " });
        short.push_str(word);
    }
    inline(short.trim_end_matches([';', ':', '.']))
}

/// The option that carried points name, if they name only one; and those points.
fn chosen(session: &Session, named: &[Vec<String>]) -> Option<(usize, Vec<String>)> {
    let mut found: Option<(usize, Vec<String>)> = None;
    for point in session.points().iter().filter(|point| point.standing == Standing::Carried) {
        let Some(option) = only_named(&point.text, named) else { continue };
        let (known, points) = found.get_or_insert_with(|| (option, Vec::new()));
        if *known != option {
            return None;
        }
        points.push(point.id.clone());
    }
    found
}

/// What follows, in the last words of each seat: the reasons and concerns of those who spoke for what was
/// chosen, and the position of those who spoke for something else. The concerns of a debating side are
/// about the other side, so there the losing side's are taken.
fn consequences(
    session: &Session,
    heard: &[Heard<'_>],
    chosen: Option<usize>,
    named: &[Vec<String>],
) -> (Vec<Statement>, Vec<Statement>) {
    let debate = session.opening().sides.is_some();
    let fits = |text: &&String| chosen.is_none() || only_named(text, named).is_none_or(|about| Some(about) == chosen);
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for seat in &session.opening().seats {
        let said: Vec<&Heard<'_>> = heard.iter().filter(|said| *said.seat == seat.id).collect();
        let Some(leaning) = said.iter().rev().find(|said| said.speaks_for.is_some()).or(said.last()) else { continue };
        let against = chosen.is_some() && leaning.speaks_for.is_some() && leaning.speaks_for != chosen;
        if against {
            note(&mut bad, leaning, leaning.position);
        } else if let Some(last) = said.iter().rev().find(|said| said.rationale.iter().any(|text| fits(&text))) {
            last.rationale.iter().filter(fits).take(2).for_each(|text| note(&mut good, last, text));
        }
        if debate && against {
            let concerns = said.iter().flat_map(|said| said.concerns.iter().map(move |text| (said, text)));
            concerns.take(MOST_OF_A_SEAT).for_each(|(said, text)| note(&mut bad, said, text));
        } else if !debate && let Some(last) = said.iter().rev().find(|said| !said.concerns.is_empty()) {
            last.concerns.iter().for_each(|text| note(&mut bad, last, text));
        }
    }
    (good, bad)
}
