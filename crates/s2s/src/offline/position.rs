//! The first sentence of an answer: what a seat holds, in the words its stance asks for.
//! Given the table, the turn and a seat; hands on lines in order of preference, each with the fact it
//! rests on. Deliberately absent: which of them is said, and everything after the first sentence.

use super::said::Line;
use super::speak::rival;
use super::stance::Stance;
use super::table::{Table, Turn};
use super::vote;
use super::words::within;

/// What a seat could hold in this turn, best first.
pub(super) fn position(table: &Table<'_>, turn: &Turn, seat: usize) -> Vec<Line> {
    let option = table.leaning(seat, turn.held);
    let other = rival(table, seat, option);
    let focus = turn.criterion;
    let name = table.name(option);
    let fixes = |lead: String| table.fix_lines(option, seat, focus, &lead);
    match turn.stance {
        Stance::Dream => dream(table, seat, option, other),
        Stance::Attack => attack(table, turn, seat, option),
        Stance::Gut => gut(table, seat, option, other),
        Stance::Alternatives => alternatives(table, option, other),
        Stance::Adjust => [adjust(table, turn, seat, option), plain(table, turn, seat, option, other)].concat(),
        Stance::Facts => missing(table, seat),
        Stance::Build => {
            let text = format!("With {name} I would start small: {}", within(&table.option(option).start_with));
            let steps = fixes(match seat % 2 {
                0 => format!("if we build on {name}, {{}} would need a step of its own: "),
                _ => format!("I would plan for {{}} from the first week of {name}: "),
            });
            [vec![Line::new(format!("start:{option}"), text)], steps].concat()
        }
        Stance::Benefits => strengths(table, seat, option, |about, reason| match seat % 3 {
            0 => format!("The best thing about {name} is {about}: {reason}."),
            1 => format!("What we would gain from {name} is {about}: {reason}."),
            _ => format!("I look forward to {name} for {about}: {reason}."),
        }),
        Stance::Propose => {
            let text = format!("My proposal: {}.", within(&table.option(option).decide));
            let conditions = fixes(match seat % 2 {
                0 => format!("I propose {name}, on one condition for {{}}: "),
                _ => format!("my proposal is {name}, provided that we look after {{}}: "),
            });
            [vec![Line::new(format!("propose:{option}"), text)], conditions].concat()
        }
        Stance::Resolve if option != table.strongest() => {
            let wanted = table.strongest();
            let verdict = vote::verdict(table, seat, turn.held, wanted);
            let (mine, others) = table.parting(seat, wanted);
            let text = format!(
                "What keeps me with {name} is a matter of weights: I give more to {}, the others to {}.",
                table.about(mine),
                table.about(others)
            );
            let divided = vec![Line::new(format!("parting:{seat}"), text)];
            [verdict, divided, plain(table, turn, seat, option, other)].concat()
        }
        Stance::Resolve => {
            let verdict = vote::verdict(table, seat, turn.held, table.strongest());
            let reasons = strengths(table, seat, option, |about, reason| match seat % 3 {
                0 => format!("I support {name}: {reason}."),
                1 => format!("You have my support for {name}, above all for {about}: {reason}."),
                _ => format!("Support from me for {name}, because {reason}."),
            });
            [verdict, reasons, fixes(format!("I support {name}, with this added for {{}}: "))].concat()
        }
        _ => plain(table, turn, seat, option, other),
    }
}

/// The criteria on which an option is good, best first, each in the words given.
fn strengths(table: &Table<'_>, seat: usize, option: usize, text: impl Fn(&str, &str) -> String) -> Vec<Line> {
    let score = |c: usize| table.score(option, c);
    let mut good: Vec<usize> = table.views[seat].matters.iter().copied().filter(|&c| score(c) >= 4.0).collect();
    good.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
    let line = |c: usize| Line::new(table.cell_fact(option, c), text(table.about(c), &table.reason(option, c)));
    good.into_iter().map(line).collect()
}

fn dream(table: &Table<'_>, seat: usize, option: usize, other: usize) -> Vec<Line> {
    let (name, second) = (table.name(option), table.name(other));
    let best = format!("Picture {name} at its best: {}", within(&table.option(option).at_best));
    let rivals = format!("I would not forget the other dream, {second}: {}", within(&table.option(other).at_best));
    let calm = strengths(table, seat, option, |about, reason| {
        format!("I would sleep better with {name}, thinking of {about}: {reason}.")
    });
    [vec![Line::new(format!("best:{option}"), best)], calm, vec![Line::new(format!("best:{other}"), rivals)]].concat()
}

fn missing(table: &Table<'_>, seat: usize) -> Vec<Line> {
    let lacks = |&c: &usize| {
        let text = format!("For {}, the fact I miss most is {}.", table.about(c), table.criterion(c).find_out);
        Line::new(format!("gap:{c}"), text)
    };
    table.views[seat].matters.iter().map(lacks).collect()
}

/// The change that would win support for what most seats want.
fn adjust(table: &Table<'_>, turn: &Turn, seat: usize, option: usize) -> Vec<Line> {
    let wanted = table.name(table.majority);
    let own = table.views[seat].favourite() == table.majority;
    let lead = match (option == table.majority, own, seat % 2) {
        (true, true, 0) => format!("I am for {wanted} already and would add this for {{}}: "),
        (true, true, _) => format!("one change would make {wanted} stronger on {{}}: "),
        (true, false, _) => format!("I can come round to {wanted} if we look after {{}}: "),
        (false, ..) => format!("what would win me for {wanted} on {{}}: "),
    };
    table.fix_lines(table.majority, seat, turn.criterion, &lead)
}

fn plain(table: &Table<'_>, turn: &Turn, seat: usize, option: usize, rival: usize) -> Vec<Line> {
    let view = &table.views[seat];
    let (mut lines, mut faint) = (Vec::new(), Vec::new());
    for &c in &view.matters {
        let score = table.score(option, c);
        if score >= 3.0 && score >= table.score(rival, c) {
            let text = reasoned(table, turn, seat, (option, rival), c, &table.reason(option, c));
            // A middling score reads like a weakness after "because": it is the last thing to argue from.
            let told = if score >= 4.0 { &mut lines } else { &mut faint };
            told.push(Line::new(table.cell_fact(option, c), text));
        } else if table.score(rival, c) <= 2.0 {
            let reason = format!("with {}, {}", table.name(rival), table.reason(rival, c));
            let text = reasoned(table, turn, seat, (option, rival), c, &reason);
            lines.push(Line::new(table.cell_fact(rival, c), text));
        }
    }
    lines.extend(faint);
    lines.extend(afterthoughts(table, turn, seat, option, &table.compare(option, rival, turn.criterion)));
    lines
}

/// A reason on one criterion, told by a seat that prefers the first option to the second. One sentence, so
/// that it is new whenever its reason is; the first option is named at least as often as the second.
fn reasoned(
    table: &Table<'_>,
    turn: &Turn,
    seat: usize,
    (option, rival): (usize, usize),
    c: usize,
    reason: &str,
) -> String {
    let (name, title, about) = (table.name(option), table.title(option), table.about(turn.criterion));
    if table.concedes(seat, turn.held) {
        return conceded(table, seat, option, rival, reason);
    }
    if turn.held > 0 && option != table.majority {
        return held_on(table, turn, seat, option, c, reason);
    }
    // One seat a round says how the options compare on what was asked; the others take that as said.
    // Two subjects in one answer are not told in the same words.
    let shift = usize::from(table.is_second);
    let recites = turn.asked.get((turn.held as usize + shift) % turn.asked.len().max(1)) == Some(&seat);
    let compared = table.compare(option, rival, turn.criterion);
    let voice = (seat + 2 * turn.held as usize + shift) % 4;
    let placed = placed(table, seat, c);
    if table.score(option, turn.criterion) < table.score(rival, turn.criterion) - 0.5 {
        return match voice {
            _ if recites => format!("{title}, although on {about} {compared}: {reason}."),
            0 => format!("I would pay that price on {about} for {name}, since {reason}."),
            1 => format!("{title} all the same: {placed}, and {reason}."),
            2 => format!("The other side has the better of it on {about}; I still prefer {name}, because {reason}."),
            _ => format!("I grant the point on {about}, and it does not move me off {name}: {reason}."),
        };
    }
    match (turn.held > 0, voice) {
        _ if recites && c == turn.criterion => format!("I would go for {name}: on {about} {compared}, as {reason}."),
        _ if recites => format!("I would go for {name}: on {about} {compared}, and beyond that {reason}."),
        _ if c == turn.criterion => format!("{title}, not least for {about}: {reason}."),
        (false, 0) => format!("I would take {name}: {placed}, and {reason}."),
        (false, 1) => format!("What tips it towards {name} for me is {}: {reason}.", table.about(c)),
        (false, 2) => format!("{title} for me: {placed}, and {reason}."),
        (false, _) => format!("From where I sit it is {name}, since {reason}."),
        (true, 0) => format!("Still {name} for me: {reason}."),
        (true, 1) => format!("Nothing about {about} moves me away from {name}: {reason}."),
        (true, 2) => format!("I stay with {name}; {placed}, and {reason}."),
        (true, _) => format!("On {} I have one more reason for {name}: {reason}.", table.about(c)),
    }
}

/// Where a criterion stands on a seat's list.
fn placed(table: &Table<'_>, seat: usize, c: usize) -> String {
    let about = table.about(c);
    match table.views[seat].matters.iter().position(|&known| known == c) {
        Some(0) => format!("I put {about} first"),
        Some(1 | 2) => format!("I put {about} high on my list"),
        _ => format!("I look at {about} too"),
    }
}

fn conceded(table: &Table<'_>, seat: usize, option: usize, rival: usize, reason: &str) -> String {
    let view = &table.views[seat];
    let (name, kept) = (table.name(option), table.name(rival));
    let (own, other) = (view.score_of(option), view.score_of(rival));
    match (other - own > 0.6, seat % 2) {
        (true, _) => format!(
            "I come round to {name} with a reservation: my own weights still have {kept} ahead ({other:.1} to {own:.1} of 5), but that is a matter of weights, and {reason}."
        ),
        (false, 0) => format!(
            "I come round to {name}: my own count has {kept} only a little ahead ({other:.1} to {own:.1} of 5), and {reason}."
        ),
        (false, _) => format!(
            "I come round to {name}: {other:.1} to {own:.1} for {kept} in my own count is not enough to hold out for, and {reason}."
        ),
    }
}

fn held_on(table: &Table<'_>, turn: &Turn, seat: usize, option: usize, c: usize, reason: &str) -> String {
    let view = &table.views[seat];
    let (name, against) = (table.name(option), table.name(table.majority));
    let (own, theirs) = (view.score_of(option), view.score_of(table.majority));
    if table.times_told(turn.held) > 0 {
        let (mine, others) = table.parting(seat, table.majority);
        let (mine, others) = (table.about(mine), table.about(others));
        return format!(
            "I hold on to {name}, and this is a difference of weights and not of facts: I give more weight to {mine}, the others to {others}; I will not stand in the way, and I want it noted that {reason}."
        );
    }
    if own - theirs <= table.tolerance(turn.held + 1) {
        return format!(
            "I hold on to {name} for now, and I am close to moving, {own:.1} to {theirs:.1} over {against}: {reason}."
        );
    }
    match (seat + turn.held as usize) % 3 {
        0 => format!("I hold on to {name}, {own:.1} to {theirs:.1} over {against} in my count: {reason}."),
        1 => format!("I hold on to {name}; {}, and {reason}.", placed(table, seat, c)),
        _ => format!(
            "I hold on to {name}: {reason}, and nothing said about {} outweighs that for me.",
            table.about(turn.criterion)
        ),
    }
}

/// What is left to say once the reasons are said: what makes it work, what is missing, what it rests on.
fn afterthoughts(table: &Table<'_>, turn: &Turn, seat: usize, option: usize, compared: &str) -> Vec<Line> {
    let (name, about) = (table.name(option), table.about(turn.criterion));
    let known = table.option(option);
    let fixes = table.risks(option, seat, turn.criterion).into_iter().map(|(at, _)| {
        let fix = within(&known.risks[at].mitigation);
        let text = match (seat + at) % 2 {
            0 => format!("My reasons for {name} are on the table; to make it work I would insist on this: {fix}."),
            _ => format!("For {name} to hold up I would ask for one thing: {fix}."),
        };
        Line::new(format!("fix:{option}:{at}"), text)
    });
    let missing = table.criterion(turn.criterion);
    let gap = Line::new(
        format!("gap:{}", turn.criterion),
        format!("On {about} {compared}; before I say more for {name} I would want to know {}.", missing.find_out),
    );
    let rests = known.right_when.iter().enumerate().map(|(at, when)| {
        let text = format!("My choice of {name} rests on this: {when}.");
        Line::new(format!("cond:{option}:{at}"), text)
    });
    fixes.chain([gap]).chain(rests).map(Line::late).collect()
}

fn attack(table: &Table<'_>, turn: &Turn, seat: usize, option: usize) -> Vec<Line> {
    let name = table.name(option);
    let risks = table.risks(option, seat, turn.criterion).into_iter();
    let risk = |(at, touches): (usize, usize)| {
        let (about, risk) = (table.about(touches), within(&table.option(option).risks[at].risk));
        let text = match seat % 3 {
            0 => format!("What I expect to fail with {name} is {about}: {risk}"),
            1 => format!("If {name} should go wrong, it will be over {about}: {risk}"),
            _ => format!("My worry about {name} is {about}: {risk}"),
        };
        Line::new(format!("risk:{option}:{at}"), text)
    };
    let weak = table.views[seat].matters.iter().filter(|&&c| table.score(option, c) <= 3.0);
    let weak = weak.map(|&c| {
        let text = format!("The weak spot of {name} is {}: {}.", table.about(c), table.reason(option, c));
        Line::new(table.cell_fact(option, c), text)
    });
    risks.map(risk).chain(weak).collect()
}

/// Feelings need no reasons, so these lines rest on nothing but the seat's own count.
fn gut(table: &Table<'_>, seat: usize, option: usize, rival: usize) -> Vec<Line> {
    let view = &table.views[seat];
    let (name, title) = (table.name(option), table.title(option));
    let loud = if view.margin() > 0.6 { "loudly" } else { "quietly" };
    let uneasy = view.matters.iter().min_by(|&&a, &&b| table.score(option, a).total_cmp(&table.score(option, b)));
    let uneasy = table.about(uneasy.copied().unwrap_or_default());
    // What feels right is something on which it does better, and nothing else.
    let road = table.road(seat, option).map(|c| table.about(c));
    let texts = [
        road.map(|about| format!("{title}; it simply feels right when I think of {about}.")),
        Some(format!("My gut says {name}, and it says so {loud}.")),
        Some(format!("I am drawn to {name}, and a little uneasy about {uneasy}.")),
        road.map(|about| format!("I get nervous about {} when I think of {about}.", table.name(rival))),
        Some(format!("With {name} I sleep well; the thought of {uneasy} wakes me up.")),
        Some(format!("I warm to {name} more than I can explain.")),
    ];
    let start = seat % texts.len();
    let turned = texts.iter().cycle().skip(start).take(texts.len()).flatten().cloned();
    let better = |c: &&usize| table.score(option, **c) > table.score(rival, **c);
    let calm =
        view.matters.iter().filter(better).map(|&c| format!("I feel calmer about {} with {name}.", table.about(c)));
    let good = view.matters.iter().filter(|&&c| table.score(option, c) >= 4.0);
    let good = good.map(|&c| format!("On {} I have a good feeling about {name}.", table.about(c)));
    let moods = view.matters.iter().filter(|&&c| table.score(option, c) <= 3.0);
    let moods = moods.map(|&c| format!("{title}, with a slight unease about {}.", table.about(c)));
    turned.chain(calm).chain(good).chain(moods).map(|text| Line::new(format!("gut:{text}"), text)).collect()
}

fn alternatives(table: &Table<'_>, option: usize, rival: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(when) = table.option(rival).right_when.first() {
        let text = format!(
            "It need not be all one thing: {} where {when}, and {} for the rest.",
            table.name(rival),
            table.name(option)
        );
        lines.push(Line::new(format!("mix:{option}:{rival}"), text));
    }
    let others = (0..table.playbook().options.len()).filter(|other| *other != option && *other != rival);
    for other in others {
        let text =
            format!("Worth a look beside these: {}, in short {}", table.name(other), within(&table.option(other).what));
        lines.push(Line::new(format!("also:{other}"), text));
    }
    let known = table.option(option);
    lines.push(Line::new(
        format!("start:{option}"),
        format!("We could put the decision off and learn first: {}", within(&known.start_with)),
    ));
    for (at, practice) in table.playbook().whichever.iter().enumerate() {
        let text = format!("Something that helps under every option: {}.", within(&practice.text));
        lines.push(Line::new(format!("do:{at}"), text));
    }
    lines
}
