//! A debate: who argues for what, and with which facts.
//! The proposal is the first option of the topic that is not ruled out; the pro side argues for it, the con side against
//! it and for the strongest other option. Given a table; hands on sides and drafts. Seats argue for the side
//! they were given; only their votes are their own. Deliberately absent: the ballot.

use s2s_engine::opening::{SeatId, Sides};

use super::said::Line;
use super::speak::{Draft, spared};
use super::stance::Stance;
use super::subject::first_option;
use super::table::{Table, Turn};
use super::words::within;

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
        proposal: format!(
            "{} rather than {}: {}",
            table.title(proposal),
            table.name(other),
            within(&table.option(proposal).decide)
        ),
    }
}

/// What is argued about: the proposal, and the strongest other option.
pub(super) fn motion(table: &Table<'_>) -> (usize, usize) {
    let given = table.session.opening().sides.as_ref().map(|sides| sides.proposal.as_str());
    let given = given.and_then(|text| {
        let decided = |option: &&usize| text.contains(&within(&table.option(**option).decide));
        let focus = &table.subject.focus;
        focus.iter().find(decided).copied().or_else(|| first_option(table.playbook(), text))
    });
    // What is ruled out is not proposed, and stands against the proposal only if nothing else is left.
    let open = |option: &usize| !table.subject.barred.contains(option);
    let named = || table.subject.named.iter().copied().find(|option| open(option));
    let proposal = given.or_else(named).unwrap_or_else(|| table.strongest());
    let total = |option: usize| table.views.iter().map(|view| view.score_of(option)).sum::<f64>();
    let others = table.subject.focus.iter().copied().filter(|option| *option != proposal);
    let better = |a: usize, b: usize| open(&a).cmp(&open(&b)).then(total(a).total_cmp(&total(b))).then(b.cmp(&a));
    let other = others.max_by(|&a, &b| better(a, b));
    (proposal, other.unwrap_or(proposal))
}

/// What a seat could say for its side.
pub(super) fn draft(table: &Table<'_>, turn: &Turn, seat: usize) -> Draft {
    let pro = is_pro(table, seat);
    let (ours, theirs) = sided(table, seat);
    let position = match turn.stance {
        Stance::Opening => opening(table, turn, seat, pro, ours, theirs),
        Stance::Rebuttal => rebuttal(table, turn, seat, pro, ours, theirs),
        _ => closing(table, turn, seat, ours, theirs),
    };
    let leads = lead(table, seat, turn.criterion, ours, theirs);
    let strong = leads.iter().filter(|&&c| table.score(ours, c) >= 3.0).map(|&c| table.cell_line(seat, ours, c));
    let weak = leads.iter().filter(|&&c| table.score(theirs, c) <= 3.0).map(|&c| table.cell_line(seat, theirs, c));
    let signals = table.signal_lines(seat, None).into_iter().take(1);
    let rationale = signals.chain(strong).chain(weak).chain(table.condition_lines(ours)).collect();
    let risks = table.risk_lines(theirs, seat, turn.criterion);
    Draft {
        position,
        rationale,
        reasons: spared(table, 3),
        concerns: match turn.stance {
            Stance::Closing => [table.ask_lines(turn, seat), risks].concat(),
            _ => [risks.iter().take(1).cloned().collect(), table.block_lines(turn, seat), risks].concat(),
        },
        worries: spared(table, if turn.stance == Stance::Closing { 1 } else { 2 }),
    }
}

/// What a seat argues for, and against what.
fn sided(table: &Table<'_>, seat: usize) -> (usize, usize) {
    let (proposal, other) = motion(table);
    if is_pro(table, seat) { (proposal, other) } else { (other, proposal) }
}

/// The option a seat argues for.
pub(super) fn side_of(table: &Table<'_>, seat: usize) -> usize {
    sided(table, seat).0
}

/// Whether a seat argues for the proposal.
pub(super) fn is_pro(table: &Table<'_>, seat: usize) -> bool {
    table.session.side_of(&table.seats()[seat].id) != Some("con")
}

/// By how much a seat's own count speaks for the side it was given; nothing where it speaks against it.
pub(super) fn conviction(table: &Table<'_>, seat: usize) -> f64 {
    let (proposal, other) = motion(table);
    let view = &table.views[seat];
    let lead = view.score_of(proposal) - view.score_of(other);
    if is_pro(table, seat) { lead.max(0.0) } else { (-lead).max(0.0) }
}

/// The criteria on which one option leads another: the one in focus first, then by how much the lead weighs
/// for the seat. Nobody argues from a criterion on which the other side is ahead.
fn lead(table: &Table<'_>, seat: usize, focus: usize, ours: usize, theirs: usize) -> Vec<usize> {
    let gap = |c: usize| table.score(ours, c) - table.score(theirs, c);
    let pull = |c: usize| gap(c) * (0.05 + table.views[seat].share(c));
    let mut criteria: Vec<usize> = (0..table.playbook().criteria.len()).filter(|&c| gap(c) > 0.5).collect();
    let first = |c: usize| c == focus;
    criteria.sort_by(|&a, &b| first(b).cmp(&first(a)).then(pull(b).total_cmp(&pull(a))).then(a.cmp(&b)));
    criteria
}

fn opening(table: &Table<'_>, turn: &Turn, seat: usize, pro: bool, ours: usize, theirs: usize) -> Vec<Line> {
    let (us, them) = (table.name(ours), table.name(theirs));
    let leads = lead(table, seat, turn.criterion, ours, theirs);
    let strong = leads.iter().map(|&c| {
        let (about, reason) = (table.about(c), table.reason(ours, c));
        let text = match (pro, (seat + turn.held as usize) % 3) {
            (true, 0) => format!("The case for {us} rests on {about}: {reason}."),
            (true, 1) => format!("The case for {us} begins with {about}: {reason}."),
            (true, _) => format!("The case for {us}, as I see it, is {about}: {reason}."),
            (false, 0) => format!("I would rather have {us} for {about}: {reason}."),
            (false, 1) => format!("A reason to prefer {us} is {about}: {reason}."),
            (false, _) => format!("What {us} would give us instead is {about}: {reason}."),
        };
        Line::new(table.cell_fact(ours, c), text)
    });
    let weak = leads.iter().map(|&c| {
        let (about, reason) = (table.about(c), table.reason(theirs, c));
        let text = match (seat + turn.held as usize) % 2 {
            0 => format!("The case against {them} rests on {about}: {reason}."),
            _ => format!("The case against {them} begins with {about}: {reason}."),
        };
        Line::new(table.cell_fact(theirs, c), text)
    });
    let risks = table.risks(theirs, seat, turn.criterion).into_iter().map(|(at, touches)| {
        let risk = within(&table.option(theirs).risks[at].risk);
        let text = format!("One more thing against {them}, on {}: {risk}", table.about(touches));
        Line::new(format!("risk:{theirs}:{at}"), text)
    });
    let rests = table.option(ours).right_when.iter().enumerate().map(|(at, when)| {
        Line::new(format!("cond:{ours}:{at}"), format!("The case for {us} holds as long as {when}."))
    });
    let answers = table.risks(ours, seat, turn.criterion).into_iter().map(|(at, touches)| {
        let fix = within(&table.option(ours).risks[at].mitigation);
        let text = format!("The case for {us} comes with a safeguard on {}: {fix}.", table.about(touches));
        Line::new(format!("fix:{ours}:{at}"), text).late()
    });
    let common = table.playbook().whichever.iter().enumerate().map(|(at, practice)| {
        let text =
            format!("Whichever side is right, and I speak for {us}, we should do this: {}.", within(&practice.text));
        Line::new(format!("do:{at}"), text).late()
    });
    // The con side attacks the proposal first; the pro side makes its own case first.
    let (strong, weak): (Vec<Line>, Vec<Line>) = (strong.collect(), weak.collect());
    let case = match pro {
        true => [strong, weak].concat(),
        false => [weak.iter().take(2).cloned().collect(), strong, weak].concat(),
    };
    case.into_iter().chain(risks).chain(rests).chain(common).chain(answers).collect()
}

fn rebuttal(table: &Table<'_>, turn: &Turn, seat: usize, pro: bool, ours: usize, theirs: usize) -> Vec<Line> {
    let (us, them) = (table.name(ours), table.name(theirs));
    let answers = table.risks(ours, seat, turn.criterion).into_iter().map(|(at, touches)| {
        let (about, fix) = (table.about(touches), within(&table.option(ours).risks[at].mitigation));
        let text = match seat % 2 {
            0 => format!("What is held against {us} on {about} can be answered: {fix}."),
            _ => format!("On {about} the worry about {us} is fair, and there is a remedy: {fix}."),
        };
        Line::new(format!("fix:{ours}:{at}"), text)
    });
    let attacks = table.risks(theirs, seat, turn.criterion).into_iter().map(|(at, touches)| {
        let (about, risk) = (table.about(touches), within(&table.option(theirs).risks[at].risk));
        let text = match seat % 2 {
            0 => format!("The case for {them} leaves something out on {about}: {risk}"),
            _ => format!("What I have not heard from the side of {them}, on {about}: {risk}"),
        };
        Line::new(format!("risk:{theirs}:{at}"), text)
    });
    let case = opening(table, turn, seat, pro, ours, theirs);
    let first: Vec<Line> = if pro { answers.chain(attacks).collect() } else { attacks.chain(answers).collect() };
    first.into_iter().chain(case).collect()
}

fn closing(table: &Table<'_>, turn: &Turn, seat: usize, ours: usize, theirs: usize) -> Vec<Line> {
    let (us, them) = (table.name(ours), table.name(theirs));
    let kept = lead(table, seat, turn.criterion, ours, theirs);
    let mut lines = Vec::new();
    for (at, &granted) in lead(table, seat, turn.criterion, theirs, ours).iter().enumerate() {
        let Some(&kept) = kept.get(at % kept.len().max(1)) else { break };
        let (about, reason, kept_about) = (table.about(granted), table.reason(theirs, granted), table.about(kept));
        let (high, low) = (table.score(ours, kept), table.score(theirs, kept));
        let text = match seat % 3 {
            0 => format!(
                "On {about} the other side is right: {reason}; I still close for {us}, because I give more weight to {kept_about} ({high:.0} to {low:.0})."
            ),
            1 => format!(
                "I close for {us}: we concede {about}, since with {them} {reason}, but not {kept_about} ({high:.0} to {low:.0})."
            ),
            _ => format!(
                "If {about} were all that counted, I would follow the other side: {reason}; with {kept_about} in the balance ({high:.0} to {low:.0}) it stays {us}."
            ),
        };
        lines.push(Line::new(format!("grant:{theirs}:{granted}"), text));
    }
    let rests = table.option(ours).right_when.iter().enumerate().map(|(at, when)| {
        Line::new(format!("cond:{ours}:{at}"), format!("In the end it comes to this: {us}, as long as {when}."))
    });
    lines.extend(rests);
    lines
}
