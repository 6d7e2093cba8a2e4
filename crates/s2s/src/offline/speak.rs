//! What a seat says in a round: position, rationale, concerns, confidence, votes.
//! Given the table and the brief. Who has said what is told again from the first round on, with the same
//! function that finds the words now: so no seat repeats itself, no two seats say the same in one round, and
//! no answer of the round under way is looked at. Deliberately absent: facts that no playbook holds.

use s2s_engine::reply::Response;
use s2s_engine::step::Brief;

use super::position::position;
use super::said::{Line, Said};
use super::stance::Stance;
use super::table::{Table, Turn};
use super::vote::votes;
use super::weigh::contradiction;
use super::words::{tokens, without_comments};
use super::{debate, vote};

/// The most confidence where a person has to look at it (E2).
const UNSURE: f64 = 0.42;

/// What one seat says, before votes.
#[derive(Debug, Default)]
pub(super) struct Speech {
    pub position: String,
    pub rationale: Vec<String>,
    pub concerns: Vec<String>,
}

/// What a seat could say, best first, and how much of it.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub position: Vec<Line>,
    pub rationale: Vec<Line>,
    pub reasons: usize,
    pub concerns: Vec<Line>,
    pub worries: usize,
}

/// The answer of the seat that the brief names.
pub(super) fn response(table: &Table<'_>, brief: &Brief) -> Response {
    let seat = table.seats().iter().position(|seat| seat.id == brief.call.seat).unwrap_or_default();
    let turn = table.turn();
    let votes = votes(table, seat, turn.held, &brief.ballot);
    let mut speech = if turn.ballot { vote::ballot_speech(table, seat, turn.held) } else { speech(table, &turn, seat) };
    if !turn.ballot {
        speech.rationale.extend(without_weights(table, seat));
    }
    Response {
        position: speech.position,
        rationale: speech.rationale,
        concerns: speech.concerns,
        confidence: confidence(table, &turn, seat),
        context_challenge: challenge(table, &turn, seat),
        votes,
    }
}

/// What a seat whose role has no weights owes the table, once: why its count is nobody's own.
fn without_weights(table: &Table<'_>, seat: usize) -> Option<String> {
    let id = &table.seats()[seat].id;
    let spoke = table.session.rounds().iter().any(|round| round.asked.contains(id));
    if spoke || table.views[seat].own {
        return None;
    }
    let said = match seat % 3 {
        0 => "My role has no playbook of its own, so every criterion of this one counts alike for me.",
        1 => "I count all criteria of the playbook alike: my role's file gives them no weights of its own.",
        _ => "There are no weights in my role's file, so I go by the playbook as it stands, each criterion alike.",
    };
    Some(said.to_owned())
}

/// The words of one seat, with everything said before this round in mind.
fn speech(table: &Table<'_>, turn: &Turn, seat: usize) -> Speech {
    let mut said = Said::default();
    for round in table.session.rounds() {
        drop(say(table, &table.turn_of(round), &mut said));
    }
    let spoken = say(table, turn, &mut said).into_iter().find(|(speaker, _)| *speaker == seat);
    spoken.map(|(_, speech)| speech).unwrap_or_default()
}

/// What all asked seats say in a round. Facts are dealt out to the whole table, positions first, so that
/// the best lines do not all go to the first seat.
fn say(table: &Table<'_>, turn: &Turn, said: &mut Said) -> Vec<(usize, Speech)> {
    if turn.ballot {
        return Vec::new();
    }
    said.next_round();
    let drafts: Vec<(usize, Draft)> = turn.asked.iter().map(|&seat| (seat, draft(table, turn, seat))).collect();
    let positions: Vec<String> =
        drafts.iter().map(|(seat, draft)| position_of(table, turn, *seat, draft, said)).collect();
    let rest = drafts.iter().zip(positions).map(|((seat, draft), position)| {
        let position = table.in_voice(turn, *seat, position);
        let rationale = said.pick_some(*seat, &draft.rationale, draft.reasons);
        let concerns = said.pick_some(*seat, &draft.concerns, draft.worries);
        (*seat, Speech { position, rationale, concerns })
    });
    rest.collect()
}

fn position_of(table: &Table<'_>, turn: &Turn, seat: usize, draft: &Draft, said: &mut Said) -> String {
    let nothing_new = || {
        let (about, round) = (table.about(turn.criterion), turn.held + 1);
        let option = match turn.stance.takes_sides() {
            true => debate::side_of(table, seat),
            false => table.leaning(seat, turn.held),
        };
        let (view, name) = (&table.views[seat], table.name(option));
        let (score, most) = (view.score_of(option), table.about(view.matters[0]));
        format!(
            "I have nothing to add on {about} in round {round}; with {most} first on my list I leave it at {name} ({score:.2} of 5)."
        )
    };
    said.pick(seat, &draft.position).unwrap_or_else(nothing_new)
}

fn draft(table: &Table<'_>, turn: &Turn, seat: usize) -> Draft {
    if turn.stance.takes_sides() {
        return debate::draft(table, turn, seat);
    }
    let position = position(table, turn, seat);
    let option = table.leaning(seat, turn.held);
    let rival = rival(table, seat, option);
    let focus = turn.criterion;
    let matters = &table.views[seat].matters;
    let good = |option: usize| cells(table, seat, option, |score| score >= 4.0);
    let bad = |option: usize| cells(table, seat, option, |score| score <= 2.0);
    let risks = table.risk_lines(option, seat, focus);
    // What speaks for it is a reason, what speaks against it is a concern.
    let own = vec![table.cell_line(seat, option, focus)];
    let (own, against) = if table.score(option, focus) >= 3.0 { (own, Vec::new()) } else { (Vec::new(), own) };
    let known = [own, vec![table.cell_line(seat, rival, focus)]].concat();
    let at_most = |many: usize| spared(table, many);
    let (rationale, reasons, concerns, worries) = match turn.stance {
        Stance::Gut => (Vec::new(), 0, Vec::new(), 0),
        Stance::Dream => (good(option), 2, Vec::new(), 0),
        Stance::Benefits => ([good(option), good(rival)].concat(), 2, Vec::new(), 0),
        Stance::Facts => (facts(table, seat, focus), 2, [table.ask_lines(turn, seat), gaps(table, seat)].concat(), 1),
        Stance::Build => {
            let rationale = [table.condition_lines(option), good(option)].concat();
            (rationale, 2, [table.ask_lines(turn, seat), vec![table.gap_line(seat, matters[0])], risks].concat(), 1)
        }
        Stance::Attack => {
            let lead =
                if seat.is_multiple_of(2) { "what helps on {}: " } else { "against that, on {}, I would do this: " };
            let fixes = table.fix_lines(option, seat, focus, lead);
            let rationale = [fixes, good(option), table.condition_lines(option)].concat();
            let last = vec![table.revisit_line(option)];
            (rationale, 2, [table.block_lines(turn, seat), risks, bad(option), last, gaps(table, seat)].concat(), 2)
        }
        Stance::Alternatives => {
            let rationale = [table.condition_lines(rival), good(rival)].concat();
            (rationale, 2, [table.ask_lines(turn, seat), vec![table.revisit_line(option)]].concat(), 1)
        }
        _ => {
            let only = (turn.held > 0).then_some(focus);
            let settled = if turn.held == 0 { table.bound_lines(seat) } else { Vec::new() };
            let signals = table.signal_lines(seat, only);
            // What the project says is taken up once in an answer, and once in a round.
            let place = seat % signals.len().max(1);
            let signals = signals.into_iter().skip(place).take(1).collect();
            let heard = table.heard_lines(turn, seat, option).into_iter().take(1).collect();
            let rationale =
                [settled, signals, heard, known, good(option), bad(rival), table.condition_lines(option)].concat();
            let better = table.better_lines(seat, rival, option).into_iter().take(1 + turn.held as usize).collect();
            let open = vec![table.gap_line(seat, focus), table.revisit_line(option)];
            // One round says where the seat draws its line, the next what it asks for.
            let own = match turn.held % 2 {
                0 => table.block_lines(turn, seat),
                _ => table.ask_lines(turn, seat),
            };
            let plain = [against, better, risks, open, gaps(table, seat)].concat();
            let first = plain.iter().take(1).cloned().collect();
            (rationale, at_most(3), [first, own, plain].concat(), at_most(2))
        }
    };
    Draft { position, rationale, reasons, concerns, worries }
}

/// With an agenda there are many rounds, so less is said in each.
pub(super) fn spared(table: &Table<'_>, many: usize) -> usize {
    if table.session.opening().agenda.is_empty() { many } else { many.div_ceil(2) }
}

/// The option a seat compares its choice with: the one it gave up, else its second.
pub(super) fn rival(table: &Table<'_>, seat: usize, option: usize) -> usize {
    let view = &table.views[seat];
    if view.favourite() == option { view.rival_of(option) } else { view.favourite() }
}

fn cells(table: &Table<'_>, seat: usize, option: usize, fits: impl Fn(f64) -> bool) -> Vec<Line> {
    let fitting = table.views[seat].matters.iter().filter(|&&criterion| fits(table.score(option, criterion)));
    fitting.map(|&criterion| table.cell_line(seat, option, criterion)).collect()
}

fn gaps(table: &Table<'_>, seat: usize) -> Vec<Line> {
    table.views[seat].matters.iter().map(|&criterion| table.gap_line(seat, criterion)).collect()
}

fn facts(table: &Table<'_>, seat: usize, focus: usize) -> Vec<Line> {
    let as_of = &table.playbook().as_of;
    let options = table.subject.focus.iter();
    let line = |&option: &usize| {
        let (about, reason) = (table.about(focus), table.reason(option, focus));
        let text = format!("Known in general, as of {as_of}, about {} and {about}: {reason}.", table.name(option));
        Line::new(table.cell_fact(option, focus), text)
    };
    let all = (0..table.playbook().criteria.len()).filter(|&criterion| criterion != focus);
    let rest = all.flat_map(|criterion| table.subject.focus.iter().map(move |&option| (option, criterion)));
    let more = rest.map(|(option, criterion)| table.cell_line(seat, option, criterion));
    options.map(line).chain(more).collect()
}

/// How sure a seat is: its margin, how much is known about the project, and what it has heard since.
pub(super) fn confidence(table: &Table<'_>, turn: &Turn, seat: usize) -> f64 {
    let view = &table.views[seat];
    let option = table.leaning(seat, turn.held);
    let margin = match turn.stance.takes_sides() {
        // Arguing for a side against one's own count, nobody is very sure.
        true => debate::conviction(table, seat),
        false if option == view.favourite() => view.margin(),
        false => 0.0,
    };
    let said = tokens(&without_comments(&table.session.opening().context)).len();
    let known = match said {
        0..15 => 0.0,
        15..60 => 0.03,
        _ => 0.05,
    };
    let heard = 0.015 * table.heard.len().min(4) as f64;
    let rounds = 0.015 * f64::from(turn.held.min(3));
    let strange = if table.subject.unknown.is_empty() && table.subject.alike.is_empty() { 0.0 } else { 0.25 };
    let sure = 0.54 + 0.2 * (margin / 1.6).min(1.0) + known + heard + rounds - strange;
    let sure = if table.needs_a_person() { sure.min(UNSURE) } else { sure };
    (sure.clamp(0.2, 0.9) * 100.0).round() / 100.0
}

/// An objection to the context: once, by the seat that cares most, and only if it contradicts itself.
fn challenge(table: &Table<'_>, turn: &Turn, seat: usize) -> Option<String> {
    if let Some((must, banned)) = table.torn() {
        let first = turn.held == 0 && turn.asked.first() == Some(&seat) && !turn.ballot;
        return first.then(|| format!("It is said both that \"{must}\" and that \"{banned}\"; only one can hold."));
    }
    let (one, other) = contradiction(&table.heard)?;
    let criterion = table.place_of(&other.signal.criterion)?;
    let cares = |seat: usize| table.views[seat].share(criterion);
    let most = turn.asked.iter().copied().max_by(|&a, &b| cares(a).total_cmp(&cares(b)).then(b.cmp(&a)))?;
    (turn.held == 0 && most == seat && !turn.ballot).then(|| {
        format!(
            "The context says both \"{}\" and \"{}\"; which of them holds changes my answer.",
            other.words, one.words
        )
    })
}
