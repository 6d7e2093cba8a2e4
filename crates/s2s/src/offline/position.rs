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
            let text = format!("The smallest useful start with {name}: {}", within(&table.option(option).start_with));
            let steps = fixes(format!("for {{}} the plan for {name} needs a step of its own: "));
            [vec![Line::new(format!("start:{option}"), text)], steps].concat()
        }
        Stance::Benefits => {
            strengths(table, seat, option, |about, reason| format!("The best thing about {name} is {about}: {reason}."))
        }
        Stance::Propose => {
            let text = format!("My proposal: {}.", within(&table.option(option).decide));
            let conditions = fixes(format!("I propose {name} as well, on one condition for {{}}: "));
            [vec![Line::new(format!("propose:{option}"), text)], conditions].concat()
        }
        Stance::Resolve => {
            let verdict = vote::verdict(table, seat, turn.held, table.strongest());
            let reasons = strengths(table, seat, option, |_, reason| format!("I support {name}: {reason}."));
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
        format!("With {name} we would not worry about {about} any more: {reason}.")
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
    let lead = match option == table.majority {
        true => format!("what would make {wanted} easier to support on {{}}: "),
        false => format!("what would win me for {wanted} on {{}}: "),
    };
    table.fix_lines(table.majority, seat, turn.criterion, &lead)
}

fn plain(table: &Table<'_>, turn: &Turn, seat: usize, option: usize, rival: usize) -> Vec<Line> {
    let view = &table.views[seat];
    let (name, title, focus) = (table.name(option), table.title(option), turn.criterion);
    let about = table.about(focus);
    let compared = table.compare(option, rival, focus);
    let (own, other) = (view.score_of(option), view.score_of(rival));
    let text = |c: usize, reason: &str| {
        let matter = table.about(c);
        if table.concedes(seat, turn.held) {
            let kept = table.name(rival);
            return format!(
                "I come round to {name}: my own count has {kept} only a little ahead ({other:.1} to {own:.1} of 5), and {reason}."
            );
        }
        if turn.held > 0 && option != table.majority {
            let against = table.name(table.majority);
            let theirs = view.score_of(table.majority);
            return format!(
                "I hold on to {name} on {about} too ({own:.1} of 5 in my count, {against} {theirs:.1}): {reason}."
            );
        }
        if turn.held > 0 && table.score(option, focus) < table.score(rival, focus) - 0.5 {
            return format!("On {about} {compared}; I accept that for {name}, because {reason}.");
        }
        if c == focus {
            return format!("{title}: on {about} {compared}, and that is what I look at, since {reason}.");
        }
        match (seat + turn.held as usize * 4) % 8 {
            0 => format!("{title}: on {about} {compared}, and what I look at most is {matter}, where {reason}."),
            1 => format!("I would take {name}, because {reason}; on {about} {compared}."),
            2 => format!("What decides it for me in favour of {name} is {matter}: {reason}; on {about} {compared}."),
            3 => format!("My pick: {name}, since {reason}; on {about} {compared}."),
            4 => format!("On {about} {compared}, and there is more to say for {name} on {matter}: {reason}."),
            5 => format!("I keep to {name}: {reason}; on {about} {compared}."),
            6 => format!("Looking at {about}, {compared}; I stay with {name}, since {reason}."),
            _ => format!("Nothing about {about} moves me away from {name} ({compared}): {reason}."),
        }
    };
    let mut lines = Vec::new();
    for &c in &view.matters {
        if table.score(option, c) >= 3.0 && table.score(option, c) >= table.score(rival, c) {
            lines.push(Line::new(table.cell_fact(option, c), text(c, &table.reason(option, c))));
        } else if table.score(rival, c) <= 2.0 {
            let reason = format!("with {} {}", table.name(rival), table.reason(rival, c));
            lines.push(Line::new(table.cell_fact(rival, c), text(c, &reason)));
        }
    }
    lines.extend(afterthoughts(table, turn, seat, option, &compared));
    lines
}

/// What is left to say once the reasons are said: what makes it work, what is missing, what it rests on.
fn afterthoughts(table: &Table<'_>, turn: &Turn, seat: usize, option: usize, compared: &str) -> Vec<Line> {
    let (name, about) = (table.name(option), table.about(turn.criterion));
    let known = table.option(option);
    let fixes = table.risks(option, seat, turn.criterion).into_iter().map(|(at, _)| {
        let text = format!(
            "On {about} {compared}; for {name} to work I would insist on this: {}.",
            within(&known.risks[at].mitigation)
        );
        Line::new(format!("fix:{option}:{at}"), text)
    });
    let missing = table.criterion(turn.criterion);
    let gap = Line::new(
        format!("gap:{}", turn.criterion),
        format!("On {about} {compared}; what would firm that up for me is to know {}.", missing.find_out),
    );
    let rests = known.right_when.iter().enumerate().map(|(at, when)| {
        let text = format!("On {about} {compared}; my choice of {name} rests on this: {when}.");
        Line::new(format!("cond:{option}:{at}"), text)
    });
    fixes.chain([gap]).chain(rests).map(Line::late).collect()
}

fn attack(table: &Table<'_>, turn: &Turn, seat: usize, option: usize) -> Vec<Line> {
    let name = table.name(option);
    let risks = table.risks(option, seat, turn.criterion).into_iter();
    let risk = |(at, touches): (usize, usize)| {
        let text = format!(
            "What I expect to fail with {name} is {}: {}",
            table.about(touches),
            within(&table.option(option).risks[at].risk)
        );
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
    let most = table.about(view.matters[0]);
    let texts = [
        format!("{title}; it simply feels right when I think of {most}."),
        format!("My gut says {name}, and it says so {loud}."),
        format!("I am drawn to {name}, and a little uneasy about {uneasy}."),
        format!("I get nervous about {} when I think of {most}.", table.name(rival)),
        format!("With {name} I sleep well; the thought of {uneasy} wakes me up."),
        format!("I warm to {name} more than I can explain."),
    ];
    let start = seat % texts.len();
    let turned = texts.iter().cycle().skip(start).take(texts.len()).cloned();
    let calm = view.matters.iter().map(|&c| format!("I feel calmer about {} with {name}.", table.about(c)));
    turned.chain(calm).map(|text| Line::new(format!("gut:{text}"), text)).collect()
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
