//! A debate: who argues for what, and with which facts.
//! The proposal is the option that the topic names first; the pro side argues for it, the con side against
//! it and for the strongest other option. Given a table; hands on sides and drafts. Seats argue for the side
//! they were given; only their votes are their own. Deliberately absent: the ballot.

use s2s_engine::opening::{SeatId, Sides};

use super::said::Line;
use super::speak::Draft;
use super::stance::Stance;
use super::subject::first_option;
use super::table::{Table, Turn};
use super::words::{opening_with, within};

/// Deals the sides: the seats that like the proposal best are for it, in equal numbers.
pub(super) fn sides(table: &Table<'_>) -> Sides {
    let (proposal, other) = motion(table);
    let seats = table.seats();
    let likes = |seat: usize| table.views[seat].score_of(proposal) - table.views[seat].score_of(other);
    let mut order: Vec<usize> = (0..seats.len()).collect();
    order.sort_by(|&a, &b| likes(b).total_cmp(&likes(a)).then(a.cmp(&b)));
    let half = seats.len().div_ceil(2);
    let ids = |places: &[usize]| {
        let mut places = places.to_vec();
        places.sort_unstable();
        places.iter().map(|&place| seats[place].id.clone()).collect::<Vec<SeatId>>()
    };
    Sides {
        pro: ids(&order[..half]),
        con: ids(&order[half..]),
        proposal: format!("{} rather than {}", opening_with(&table.option(proposal).decide), table.name(other)),
    }
}

/// What is argued about: the proposal, and the strongest other option.
pub(super) fn motion(table: &Table<'_>) -> (usize, usize) {
    let given = table.session.opening().sides.as_ref().map(|sides| sides.proposal.as_str());
    let given = given.and_then(|text| {
        let decided = |option: &&usize| text.contains(&table.option(**option).decide);
        let focus = &table.subject.focus;
        focus.iter().find(decided).copied().or_else(|| first_option(table.playbook(), text))
    });
    let proposal = given.or_else(|| table.subject.named.first().copied()).unwrap_or_else(|| table.strongest());
    let total = |option: usize| table.views.iter().map(|view| view.score_of(option)).sum::<f64>();
    let others = table.subject.focus.iter().copied().filter(|option| *option != proposal);
    let other = others.max_by(|&a, &b| total(a).total_cmp(&total(b)).then(b.cmp(&a)));
    (proposal, other.unwrap_or(proposal))
}

/// What a seat could say for its side.
pub(super) fn draft(table: &Table<'_>, turn: &Turn, seat: usize) -> Draft {
    let (proposal, other) = motion(table);
    let pro = is_pro(table, seat);
    let (ours, theirs) = if pro { (proposal, other) } else { (other, proposal) };
    let position = match turn.stance {
        Stance::Opening => opening(table, seat, pro, ours, theirs),
        Stance::Rebuttal => rebuttal(table, seat, turn.criterion, pro, ours, theirs),
        _ => closing(table, seat, ours, theirs),
    };
    let leads = lead(table, seat, ours, theirs);
    let strong = leads.iter().filter(|&&c| table.score(ours, c) >= table.score(theirs, c).max(3.0));
    let strong = strong.map(|&c| table.cell_line(ours, c));
    let weak = leads.iter().filter(|&&c| table.score(theirs, c) <= table.score(ours, c).min(3.0));
    let weak = weak.map(|&c| table.cell_line(theirs, c));
    let signals = table.signal_lines(seat, None).into_iter().take(1);
    let rationale = signals.chain(strong).chain(weak).chain(table.condition_lines(ours)).collect();
    Draft {
        position,
        rationale,
        reasons: 3,
        concerns: table.risk_lines(theirs, seat, turn.criterion),
        worries: if turn.stance == Stance::Closing { 1 } else { 2 },
    }
}

fn is_pro(table: &Table<'_>, seat: usize) -> bool {
    table.session.side_of(&table.seats()[seat].id) != Some("con")
}

/// By how much a seat's own count speaks for the side it was given; nothing where it speaks against it.
pub(super) fn conviction(table: &Table<'_>, seat: usize) -> f64 {
    let (proposal, other) = motion(table);
    let view = &table.views[seat];
    let lead = view.score_of(proposal) - view.score_of(other);
    if is_pro(table, seat) { lead.max(0.0) } else { (-lead).max(0.0) }
}

/// The criteria on which one option leads another, widest lead first, weighed as the seat does.
fn lead(table: &Table<'_>, seat: usize, ours: usize, theirs: usize) -> Vec<usize> {
    let gap = |c: usize| table.score(ours, c) - table.score(theirs, c);
    let pull = |c: usize| gap(c) * (0.05 + table.views[seat].share(c));
    let mut criteria: Vec<usize> = (0..table.playbook().criteria.len()).collect();
    criteria.sort_by(|&a, &b| pull(b).total_cmp(&pull(a)).then(a.cmp(&b)));
    criteria
}

fn opening(table: &Table<'_>, seat: usize, pro: bool, ours: usize, theirs: usize) -> Vec<Line> {
    let strong = lead(table, seat, ours, theirs).into_iter();
    let strong = strong.map(|c| {
        let (about, reason) = (table.about(c), table.reason(ours, c));
        let text = match pro {
            true => format!("The case for {} rests on {about}: {reason}.", table.name(ours)),
            false => format!("A reason to prefer {} is {about}: {reason}.", table.name(ours)),
        };
        Line::new(table.cell_fact(ours, c), text)
    });
    let weak = lead(table, seat, ours, theirs).into_iter().map(|c| {
        let text = format!(
            "The case against {} rests on {}: {}.",
            table.name(theirs),
            table.about(c),
            table.reason(theirs, c)
        );
        Line::new(table.cell_fact(theirs, c), text)
    });
    // The con side attacks the proposal first; the pro side makes its own case first.
    if pro { strong.chain(weak).collect() } else { weak.take(1).chain(strong).collect() }
}

fn rebuttal(table: &Table<'_>, seat: usize, focus: usize, pro: bool, ours: usize, theirs: usize) -> Vec<Line> {
    let answers = table.risks(ours, seat, focus).into_iter().map(|(at, touches)| {
        let fix = within(&table.option(ours).risks[at].mitigation);
        let text =
            format!("What is held against {} on {} can be answered: {fix}.", table.name(ours), table.about(touches));
        Line::new(format!("fix:{ours}:{at}"), text)
    });
    let attacks = table.risks(theirs, seat, focus).into_iter().map(|(at, touches)| {
        let risk = within(&table.option(theirs).risks[at].risk);
        let text =
            format!("The case for {} leaves something out on {}: {risk}", table.name(theirs), table.about(touches));
        Line::new(format!("risk:{theirs}:{at}"), text)
    });
    if pro { answers.chain(attacks).collect() } else { attacks.chain(answers).collect() }
}

fn closing(table: &Table<'_>, seat: usize, ours: usize, theirs: usize) -> Vec<Line> {
    let best = lead(table, seat, ours, theirs);
    let mut lines = Vec::new();
    for &granted in best.iter().rev() {
        if table.score(theirs, granted) <= table.score(ours, granted) {
            break;
        }
        for &kept in best.iter().take(3) {
            let text = format!(
                "We grant {} the lead on {}: {}; what counts more for {} is {} ({:.0} to {:.0}).",
                table.name(theirs),
                table.about(granted),
                table.reason(theirs, granted),
                table.name(ours),
                table.about(kept),
                table.score(ours, kept),
                table.score(theirs, kept),
            );
            lines.push(Line::new(format!("grant:{theirs}:{granted}"), text));
        }
    }
    let conditions = table.condition_lines(ours).into_iter();
    lines.extend(
        conditions.map(|line| Line::new(line.fact, format!("In the end it comes to this: {}", within(&line.text)))),
    );
    lines
}
