//! What a seat says in a round: position, rationale, concerns, confidence, votes.
//! Given the table and the brief. Who has said what is told again from the first round on, with the same
//! function that finds the words now: so no seat repeats itself, no two seats say the same in one round, and
//! no answer of the round under way is looked at. Deliberately absent: facts that no playbook holds.

use s2s_engine::reply::Response;
use s2s_engine::step::Brief;

use super::said::{Line, Said};
use super::stance::Stance;
use super::table::{Table, Turn};
use super::vote::votes;
use super::weigh::contradiction;
use super::words::{tokens, within, without_comments};
use super::{debate, vote};

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
    let speech = if turn.ballot { vote::ballot_speech(table, seat, turn.held) } else { speech(table, &turn, seat) };
    Response {
        position: speech.position,
        rationale: speech.rationale,
        concerns: speech.concerns,
        confidence: confidence(table, &turn, seat),
        context_challenge: challenge(table, &turn, seat),
        votes,
    }
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
    let positions: Vec<String> = drafts.iter().map(|(seat, draft)| position_of(table, turn, *seat, draft, said)).collect();
    let rest = drafts.iter().zip(positions).map(|((seat, draft), position)| {
        let rationale = said.pick_some(*seat, &draft.rationale, draft.reasons);
        let concerns = said.pick_some(*seat, &draft.concerns, draft.worries);
        (*seat, Speech { position, rationale, concerns })
    });
    rest.collect()
}

fn position_of(table: &Table<'_>, turn: &Turn, seat: usize, draft: &Draft, said: &mut Said) -> String {
    let nothing_new = || {
        let option = table.leaning(seat, turn.held);
        let (name, score, about) = (table.name(option), table.views[seat].score_of(option), table.about(turn.criterion));
        format!("My choice stays {name} at {score:.2} of 5; on {about} I have nothing to add in round {}.", turn.held + 1)
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
    let good = |option: usize| cells(table, option, matters, |score| score >= 4.0);
    let bad = |option: usize| cells(table, option, matters, |score| score <= 2.0);
    let risks = table.risk_lines(option, seat, focus);
    let known = vec![table.cell_line(option, focus), table.cell_line(rival, focus)];
    let (rationale, reasons, concerns, worries) = match turn.stance {
        Stance::Gut => (Vec::new(), 0, Vec::new(), 0),
        Stance::Dream => (good(option), 2, Vec::new(), 0),
        Stance::Benefits => ([good(option), good(rival)].concat(), 2, Vec::new(), 0),
        Stance::Facts => (facts(table, focus), 2, vec![table.gap_line(focus)], 1),
        Stance::Build => {
            let rationale = [table.condition_lines(option), known, good(option)].concat();
            (rationale, 2, [vec![table.gap_line(matters[0])], risks].concat(), 1)
        }
        Stance::Attack => {
            let fixes = table.fix_lines(option, seat, focus, "What helps on {}: ");
            let rationale = [fixes, cells(table, option, matters, |score| score <= 3.0), table.condition_lines(option)].concat();
            (rationale, 2, [risks, vec![table.revisit_line(option)], gaps(table, matters)].concat(), 2)
        }
        Stance::Alternatives => {
            let rationale = [table.condition_lines(rival), good(rival)].concat();
            (rationale, 2, vec![table.revisit_line(option)], 1)
        }
        _ => {
            let only = (turn.held > 0).then_some(focus);
            let signals = table.signal_lines(seat, only).into_iter().take(2).collect();
            let rationale = [signals, known, good(option), bad(rival), table.condition_lines(option)].concat();
            let better = table.better_lines(rival, option).into_iter().take(1 + turn.held as usize).collect();
            let open = vec![table.gap_line(focus), table.revisit_line(option)];
            (rationale, 3, [better, risks, open, gaps(table, matters)].concat(), 2)
        }
    };
    Draft { position, rationale, reasons, concerns, worries }
}

/// The option a seat compares its choice with: the one it gave up, else its second.
pub(super) fn rival(table: &Table<'_>, seat: usize, option: usize) -> usize {
    let view = &table.views[seat];
    if view.favourite() == option { view.rival_of(option) } else { view.favourite() }
}

fn cells(table: &Table<'_>, option: usize, matters: &[usize], fits: impl Fn(f64) -> bool) -> Vec<Line> {
    let fitting = matters.iter().filter(|&&criterion| fits(table.score(option, criterion)));
    fitting.map(|&criterion| table.cell_line(option, criterion)).collect()
}

fn gaps(table: &Table<'_>, matters: &[usize]) -> Vec<Line> {
    matters.iter().map(|&criterion| table.gap_line(criterion)).collect()
}

fn facts(table: &Table<'_>, focus: usize) -> Vec<Line> {
    let as_of = &table.playbook().as_of;
    let options = table.subject.focus.iter();
    let line = |&option: &usize| {
        let cell = table.cell_line(option, focus);
        Line::new(cell.fact, format!("Known in general (as of {as_of}): {}", within(&cell.text)))
    };
    let all = (0..table.playbook().criteria.len()).filter(|&criterion| criterion != focus);
    let rest = all.flat_map(|criterion| table.subject.focus.iter().map(move |&option| (option, criterion)));
    let more = rest.map(|(option, criterion)| table.cell_line(option, criterion));
    options.map(line).chain(more).collect()
}

fn position(table: &Table<'_>, turn: &Turn, seat: usize) -> Vec<Line> {
    let option = table.leaning(seat, turn.held);
    let rival = rival(table, seat, option);
    let name = table.name(option);
    let known = table.option(option);
    let view = &table.views[seat];
    let each = |text: &dyn Fn(usize) -> String| -> Vec<Line> {
        let mut fair: Vec<usize> = view.matters.iter().copied().filter(|&c| table.score(option, c) >= 4.0).collect();
        fair.sort_by(|&a, &b| table.score(option, b).total_cmp(&table.score(option, a)));
        fair.into_iter().map(|c| Line::new(table.cell_fact(option, c), text(c))).collect()
    };
    match turn.stance {
        Stance::Dream => {
            let best = Line::new(format!("best:{option}"), format!("Picture {name} at its best: {}", within(&known.at_best)));
            let other = Line::new(
                format!("best:{rival}"),
                format!("I would not forget the other dream, {}: {}", table.name(rival), within(&table.option(rival).at_best)),
            );
            let worry = |c| format!("With {name} we would not worry about {} any more: {}", table.about(c), table.reason(option, c) + ".");
            [vec![best], each(&worry), vec![other]].concat()
        }
        Stance::Build => {
            let start = Line::new(format!("start:{option}"), format!("The smallest useful start with {name}: {}", within(&known.start_with)));
            [vec![start], table.fix_lines(option, seat, turn.criterion, &format!("for {{}} the plan for {name} needs a step of its own: "))].concat()
        }
        Stance::Attack => attack(table, turn, seat, option),
        Stance::Facts => {
            let lacks = |&c: &usize| Line::new(format!("gap:{c}"), format!("For {}, the fact I miss most is {}.", table.about(c), table.criterion(c).find_out));
            view.matters.iter().map(lacks).collect()
        }
        Stance::Gut => gut(table, seat, option, rival),
        Stance::Benefits => each(&|c| format!("The best thing about {name} is {}: {}.", table.about(c), table.reason(option, c))),
        Stance::Alternatives => alternatives(table, option, rival),
        Stance::Propose => {
            let first = Line::new(format!("propose:{option}"), format!("My proposal: {}.", within(&known.decide)));
            [vec![first], table.fix_lines(option, seat, turn.criterion, &format!("I propose {name} as well, on one condition for {{}}: "))].concat()
        }
        Stance::Adjust => {
            let about = table.majority;
            let lead = if option == about { "what would make" } else { "what would win me for" };
            let lead = format!("{lead} {} {{}}: ", table.name(about));
            let lead = lead.replace("{}", if option == about { "easier to support on {}" } else { "on {}" });
            [table.fix_lines(about, seat, turn.criterion, &lead), plain(table, turn, seat, option, rival)].concat()
        }
        Stance::Resolve => {
            let verdict = vote::verdict(table, seat, turn.held, table.strongest());
            let added = table.fix_lines(option, seat, turn.criterion, &format!("I support {name}, with this added for {{}}: "));
            [verdict, each(&|c| format!("I support {name}: {}.", table.reason(option, c))), added].concat()
        }
        _ => plain(table, turn, seat, option, rival),
    }
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
            return format!("I come round to {name}: my own count has {kept} only a little ahead ({other:.1} to {own:.1} of 5), and {reason}.");
        }
        if turn.held > 0 && option != table.majority {
            let against = table.name(table.majority);
            let theirs = view.score_of(table.majority);
            return format!("I hold on to {name} on {about} too ({own:.1} of 5 in my count, {against} {theirs:.1}): {reason}.");
        }
        if turn.held > 0 && table.score(option, focus) < table.score(rival, focus) - 0.5 {
            return format!("On {about} {compared}; I accept that for {name}, because {reason}.");
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
        let text = format!("On {about} {compared}; for {name} to work I would insist on this: {}.", within(&known.risks[at].mitigation));
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
    fixes.chain([gap]).chain(rests).collect()
}

fn attack(table: &Table<'_>, turn: &Turn, seat: usize, option: usize) -> Vec<Line> {
    let name = table.name(option);
    let risks = table.risks(option, seat, turn.criterion).into_iter();
    let risk = |(at, touches): (usize, usize)| {
        let text = format!("What I expect to fail with {name} is {}: {}", table.about(touches), within(&table.option(option).risks[at].risk));
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
        let text = format!("It need not be all one thing: {} where {when}, and {} for the rest.", table.name(rival), table.name(option));
        lines.push(Line::new(format!("mix:{option}:{rival}"), text));
    }
    let others = (0..table.playbook().options.len()).filter(|other| *other != option && *other != rival);
    for other in others {
        let text = format!("Worth a look beside these: {}, in short {}", table.name(other), within(&table.option(other).what));
        lines.push(Line::new(format!("also:{other}"), text));
    }
    let known = table.option(option);
    lines.push(Line::new(format!("start:{option}"), format!("We could put the decision off and learn first: {}", within(&known.start_with))));
    for (at, practice) in table.playbook().whichever.iter().enumerate() {
        let text = format!("Something that helps under every option: {}.", within(&practice.text));
        lines.push(Line::new(format!("do:{at}"), text));
    }
    lines
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
    let strange = if table.subject.unknown.is_empty() { 0.0 } else { 0.25 };
    let sure = 0.54 + 0.2 * (margin / 1.6).min(1.0) + known + heard + rounds - strange;
    (sure.clamp(0.2, 0.9) * 100.0).round() / 100.0
}

/// An objection to the context: once, by the seat that cares most, and only if it contradicts itself.
fn challenge(table: &Table<'_>, turn: &Turn, seat: usize) -> Option<String> {
    let (one, other) = contradiction(&table.heard)?;
    let criterion = table.place_of(&other.signal.criterion)?;
    let cares = |seat: usize| table.views[seat].share(criterion);
    let most = turn.asked.iter().copied().max_by(|&a, &b| cares(a).total_cmp(&cares(b)).then(b.cmp(&a)))?;
    (turn.held == 0 && most == seat && !turn.ballot).then(|| {
        format!("The context says both \"{}\" and \"{}\"; which of them holds changes my answer.", other.words, one.words)
    })
}
