//! What was considered: the options, and what each seat said for and against them.
//! Given the session; hands on voices under the option they spoke for. Where topic or conflicts name the
//! options, a seat speaks for the one that its position names most; in a debate for its side; where nothing
//! names them, seats that agree hold one option and others each their own. A seat's reasons speak for what
//! it holds and its concerns are risks of that, save that a debating side's are about the other. What names
//! only another option, or has no sign that could be known, is told without one.

use s2s_engine::{Session, Standing};

use super::choice::{self, Choice};
use super::escape::inline;
use super::heard::{Heard, heard, settle_leanings};
use super::names::{Names, names};
use super::signs::{is_risk, speaks_for};
use super::view::{ChosenView, OptionView, Statement, VoiceView};

/// Statements of one seat in one list; more make a record that nobody reads.
pub(super) const MOST_OF_A_SEAT: usize = 3;
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
    /// What was chosen, one for each subject.
    pub(super) decisions: Vec<ChosenView>,
    /// Subjects, of several, in which nothing was chosen.
    pub(super) undecided: Vec<String>,
    pub(super) good: Vec<Statement>,
    pub(super) bad: Vec<Statement>,
    pub(super) neutral: Vec<Statement>,
    pub(super) risks: Vec<Statement>,
    pub(super) overruled: Vec<Statement>,
    pub(super) holdouts: Vec<Statement>,
    pub(super) disagreed: Vec<String>,
}

pub(super) fn considered(session: &Session) -> Considered {
    let mut heard = heard(session);
    let mut names = names(session, &heard);
    if let Some(names) = &names {
        settle_leanings(session, &mut heard, names);
    }
    if session.opening().sides.is_some() && !heard.iter().any(|said| said.speaks_for.is_some()) {
        names = Some(Names::of_sides(session));
        for said in &mut heard {
            said.speaks_for = Some(usize::from(session.side_of(said.seat) != Some("pro")));
        }
    }
    let choice = choice::choice(session, &heard, names.as_ref());
    let (options, others) = match &names {
        Some(names) => by_name(session, &heard, names),
        None if parted(session) => (by_position(session, &heard), Vec::new()),
        None => {
            heard.iter_mut().for_each(|said| said.speaks_for = Some(0));
            (as_one(session, &heard).into_iter().collect(), Vec::new())
        }
    };
    let held = match (&choice, &names) {
        (Some(choice), _) => choice.option,
        (None, None) if !parted(session) && has_carried(session) => Some(0),
        (None, _) => None,
    };
    let follows = choice::consequences(session, &heard, held, names.as_ref());
    let dissent = choice::dissent(session, &heard, choice.as_ref());
    let chosen = choice.map(|Choice { view, .. }| view);
    Considered {
        options,
        others,
        decisions: chosen.iter().cloned().collect(),
        undecided: Vec::new(),
        chosen,
        good: follows.good,
        bad: follows.bad,
        neutral: follows.neutral,
        risks: follows.risks,
        overruled: dissent.overruled,
        holdouts: dissent.holdouts,
        disagreed: dissent.seats,
    }
}

/// Whether the seats parted: a conflict of their own was named, not only a point voted down.
fn parted(session: &Session) -> bool {
    let voted = |id: &str| session.points().iter().any(|point| point.conflict == id);
    session.rounds().iter().flat_map(|round| &round.conflicts).any(|conflict| !voted(&conflict.id))
}

fn has_carried(session: &Session) -> bool {
    session.points().iter().any(|point| point.standing == Standing::Carried)
}

fn by_name(session: &Session, heard: &[Heard<'_>], names: &Names) -> (Vec<OptionView>, Vec<Statement>) {
    let mut options: Vec<OptionView> = names.titles().iter().map(|name| empty(inline(name))).collect();
    let mut others = Vec::new();
    let debate = session.opening().sides.is_some();
    for seat in &session.opening().seats {
        let said: Vec<&Heard<'_>> = heard.iter().filter(|said| *said.seat == seat.id).collect();
        let Some(last) = said.last() else { continue };
        let Some(option) = last.speaks_for else {
            others.push(last.statement(last.position));
            continue;
        };
        let own: Vec<&Heard<'_>> = said.iter().copied().filter(|said| said.speaks_for == Some(option)).collect();
        let mut voice = silent_voice(&seat.name, last);
        // A side's case is what it opens with; what it closes with is what it grants.
        if let ([first, .., _], true) = (own.as_slice(), debate) {
            voice.closing = Some(std::mem::replace(&mut voice.position, first.statement(first.position)));
        }
        for said in own {
            sort_reasons(&mut voice, said, names, option);
            sort_concerns(&mut voice, said, names, option, debate);
        }
        options[option].left_out += voice.cut(MOST_OF_A_SEAT);
        options[option].voices.push(voice);
    }
    for said in heard {
        let last = heard.iter().rev().find(|other| other.seat == said.seat).and_then(|last| last.speaks_for);
        note_elsewhere(&mut options, said, names, last, debate);
    }
    for option in &mut options {
        for list in [&mut option.about, &mut option.against] {
            option.left_out += list.len().saturating_sub(MOST_ABOUT);
            list.truncate(MOST_ABOUT);
        }
    }
    (options, others)
}

fn sort_reasons(voice: &mut VoiceView, said: &Heard<'_>, names: &Names, option: usize) {
    for text in said.rationale {
        let names_it = names.only(text) == Some(option);
        if names_it || !names.any(text) {
            let list = if speaks_for(text, names_it) { &mut voice.good } else { &mut voice.said };
            said.note(list, text);
        } else if names.only(text).is_none() {
            said.note(&mut voice.said, text);
        }
    }
}

fn sort_concerns(voice: &mut VoiceView, said: &Heard<'_>, names: &Names, option: usize, debate: bool) {
    for text in said.concerns {
        let names_it = names.only(text) == Some(option);
        let own = names_it || (!debate && !names.any(text));
        if own && is_risk(text) {
            said.note(&mut voice.bad, text);
        } else if own || !is_risk(text) && names.only(text).is_none() {
            said.note(&mut voice.said, text);
        }
    }
}

/// What is said about an option that its seat does not hold, or no longer: reasons without a sign, and the
/// concerns of a debating side, which are about the other.
fn note_elsewhere(options: &mut [OptionView], said: &Heard<'_>, names: &Names, last: Option<usize>, debate: bool) {
    let own = said.speaks_for;
    let about = |text: &str| names.only(text).or_else(|| own.filter(|_| own != last && !names.any(text)));
    for text in said.rationale {
        if let Some(option) = about(text).filter(|option| Some(*option) != last) {
            said.note(&mut options[option].about, text);
        }
    }
    let other = own.filter(|_| debate && options.len() == 2).map(|own| 1 - own);
    for text in said.concerns {
        match (other, about(text)) {
            (Some(other), None) if is_risk(text) => said.note(&mut options[other].against, text),
            (Some(other), Some(option)) if option == other => said.note(&mut options[other].against, text),
            (None, Some(option)) if Some(option) != last => said.note(&mut options[option].about, text),
            _ => {}
        }
    }
}

pub(super) fn silent_voice(name: &str, last: &Heard<'_>) -> VoiceView {
    let seat = inline(if name.is_empty() { last.seat } else { name });
    let position = last.statement(last.position);
    VoiceView { seat, position, closing: None, good: Vec::new(), bad: Vec::new(), said: Vec::new() }
}

/// What one seat said, where nothing names the options: all of it is about what it holds.
pub(super) fn voice(name: &str, said: &[&Heard<'_>], left_out: &mut usize) -> Option<VoiceView> {
    let mut voice = silent_voice(name, said.last()?);
    for said in said {
        for text in said.rationale {
            said.note(if speaks_for(text, false) { &mut voice.good } else { &mut voice.said }, text);
        }
        for text in said.concerns {
            said.note(if is_risk(text) { &mut voice.bad } else { &mut voice.said }, text);
        }
    }
    *left_out += voice.cut(MOST_OF_A_SEAT);
    Some(voice)
}

pub(super) fn empty(title: String) -> OptionView {
    let none = Vec::new;
    OptionView {
        title,
        summary: None,
        good: none(),
        bad: none(),
        voices: Vec::new(),
        against: none(),
        about: none(),
        left_out: 0,
    }
}

/// Where the seats never parted and nothing names an option: the one they carried, or just what they said.
fn as_one(session: &Session, heard: &[Heard<'_>]) -> Option<OptionView> {
    let carried = session.points().iter().find(|point| point.standing == Standing::Carried);
    let mut option = match carried {
        Some(point) => OptionView {
            summary: Some(format!("{}; the panel saw no second one", in_short(&point.text))),
            ..empty("As the panel carried it".to_owned())
        },
        None => {
            OptionView { summary: Some("nobody named an option".to_owned()), ..empty("What the seats said".to_owned()) }
        }
    };
    for seat in &session.opening().seats {
        let said: Vec<&Heard<'_>> = heard.iter().filter(|said| *said.seat == seat.id).collect();
        option.voices.extend(voice(&seat.name, &said, &mut option.left_out));
    }
    (!option.voices.is_empty()).then_some(option)
}

/// Where nothing names the options: the last position of each seat, those with the same first clause as one.
fn by_position(session: &Session, heard: &[Heard<'_>]) -> Vec<OptionView> {
    let mut options: Vec<OptionView> = Vec::new();
    for seat in &session.opening().seats {
        let said: Vec<&Heard<'_>> = heard.iter().filter(|said| *said.seat == seat.id).collect();
        let Some(last) = said.last() else { continue };
        let summary = Some(in_short(last.position));
        let place = options.iter().position(|option| option.summary == summary).unwrap_or_else(|| {
            options.push(OptionView { summary, ..empty(String::new()) });
            options.len() - 1
        });
        let option = &mut options[place];
        option.voices.extend(voice(&seat.name, &said, &mut option.left_out));
    }
    for option in &mut options {
        let seats: Vec<&str> = option.voices.iter().map(|voice| voice.seat.as_str()).collect();
        option.title = format!("As put by {}", seats.join(" and "));
    }
    options
}

/// A text in short: its first clause, cut between words.
pub(super) fn in_short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
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
