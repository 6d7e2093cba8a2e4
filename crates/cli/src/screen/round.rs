//! The recap of a round: what was agreed, voted, contested and resolved, and why the engine decided
//! as it did. Given a committed round and the account after it; hands on text. The parts are shared
//! with the whole discussion (`show.rs`). Deliberately absent: the session before and after.

use s2s::engine::artifact::Change;
use s2s::engine::record::{Decision, Degraded, Round, RoundKind, SeatResponse};
use s2s::roundtable::{ConflictShown, KindShown, TopicShown};

use super::marks::Mark;
use super::page::Page;
use super::votes::{Votes, point_id};
use super::{Style, start, words};

/// The recap shown after each round (L1).
pub(super) fn recap(
    round: &Round,
    open: &[ConflictShown],
    agenda: &[TopicShown],
    votes: &Votes,
    so_far: Option<&str>,
    style: &Style,
) -> String {
    let mut page = Page::new(style);
    page.heading(&format!("Recap of round {}", round.number));
    page.row("Phase", &round.phase);
    if !round.focus.trim().is_empty() {
        page.row("Focus", &round.focus);
    }
    page.row("Synthesis", &round.synthesis);
    points(&mut page, round, votes);
    tallies(&mut page, round, votes);
    artifacts(&mut page, round);
    page.label("Conflicts");
    for conflict in open {
        let text = format!("{} ({})", conflict.description.trim(), words::age(conflict.age));
        page.item(Mark::Alert, &conflict.id, &text);
        if style.verbose {
            positions_of(&mut page, round, &conflict.id);
        }
    }
    if open.is_empty() {
        page.value("none open");
    }
    resolved(&mut page, round);
    if !agenda.is_empty() {
        let mark = |topic: &TopicShown| words::coverage(topic.status).text(style.ascii);
        page.label("Agenda");
        page.flow(&agenda.iter().map(|t| format!("{} {}", mark(t), start::topic_name(t))).collect::<Vec<_>>());
    }
    flaws(&mut page, round, 0);
    decision(&mut page, "Decision", &round.decision);
    if let Some(so_far) = so_far {
        page.row("So far", so_far);
    }
    page.finish()
}

/// The points a round claims, and what became of them. A claim is not yet a vote: the screen says so.
pub(super) fn points(page: &mut Page<'_>, round: &Round, votes: &Votes) {
    let mut unvoted = 0;
    page.label("Consensus");
    for (position, text) in round.consensus.iter().enumerate() {
        let id = point_id(round.number, position);
        let fate = votes.fate(&id);
        let mark = match fate {
            Some((_, true)) => Mark::Done,
            Some((_, false)) => Mark::Failed,
            None => Mark::Open,
        };
        page.item(mark, &id, text);
        match fate {
            Some((voted, false)) => page.remark(&format!("voted down in round {voted}")),
            Some((voted, _)) => page.remark(&format!("carried in round {voted}")),
            None => unvoted += 1,
        }
    }
    if unvoted > 0 {
        page.note(&format!("{} claimed, not voted on yet", words::count(unvoted, "point")));
    } else if round.consensus.is_empty() && round.kind == RoundKind::Discussion {
        page.value("no new point");
    }
}

/// The votes a round counted.
pub(super) fn tallies(page: &mut Page<'_>, round: &Round, votes: &Votes) {
    page.label("Ballot");
    for tally in &round.tallies {
        let mark = if tally.carried { Mark::Done } else { Mark::Failed };
        page.item(mark, &tally.point, votes.text(&tally.point).unwrap_or("(claimed in an earlier run)"));
        page.remark(&words::tally(tally));
        for block in &tally.block {
            page.remark(&format!("blocked by {}: {}", block.seat, block.reason));
        }
    }
}

/// The artifacts a round made (+), changed (~) or took away (-).
pub(super) fn artifacts(page: &mut Page<'_>, round: &Round) {
    page.label("Artifacts");
    for artifact in &round.artifacts {
        let (id, title) = (artifact.id, artifact.title.trim());
        page.value(&match (artifact.change, artifact.superseded_by) {
            (Change::Created, _) => format!("+ {id} {title}"),
            (Change::Superseded, Some(by)) => format!("- {id} superseded by {by}: {title}"),
            (change @ (Change::Withdrawn | Change::Superseded), _) => format!("- {id} {change}: {title}"),
            (change @ (Change::Amended | Change::Resolved), _) => format!("~ {id} {change}: {title}"),
        });
    }
}

/// What a session that keeps artifacts would leave, before it ends (D9).
pub(super) fn review(kinds: &[KindShown], open_questions: &[String], style: &Style) -> String {
    let mut page = Page::new(style);
    page.heading("What this session leaves");
    page.label("Artifacts");
    for shown in kinds {
        let parts = [(shown.carried, "carried"), (shown.unvoted, "without a vote"), (shown.withdrawn, "withdrawn")];
        let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
        let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
        page.value(&format!("{} {} ({}){parts}", shown.all, shown.kind, shown.kind.noun()));
    }
    if kinds.is_empty() {
        page.value("none");
    }
    page.label("Open");
    open_questions.iter().for_each(|question| page.item(Mark::Open, "", question));
    page.finish()
}

/// The conflicts a round resolved.
pub(super) fn resolved(page: &mut Page<'_>, round: &Round) {
    page.label("Resolved");
    for resolution in &round.resolved {
        let text = resolution.resolution.trim();
        let by = words::resolved_by(resolution.resolution_type);
        let text = if text.is_empty() { by.to_owned() } else { format!("{text} ({by})") };
        page.item(Mark::Done, &resolution.conflict_id, &text);
    }
}

/// Who holds what in a conflict that this round names.
pub(super) fn positions_of(page: &mut Page<'_>, round: &Round, conflict: &str) {
    let named = round.conflicts.iter().filter(|named| named.id == conflict);
    for (seat, position) in named.flat_map(|named| &named.positions) {
        page.remark(&format!("{seat}: {position}"));
    }
}

/// What was missing, made up or repaired in a round; of its doubts at most so many, unless verbose.
pub(super) fn flaws(page: &mut Page<'_>, round: &Round, most: usize) {
    if !round.no_response.is_empty() {
        page.label("No answer");
        page.item(Mark::Alert, "", &words::listed(&round.no_response));
    }
    for challenge in &round.context_challenges {
        page.label("Challenge");
        let suggestion = challenge.suggestion.as_ref().map(|text| format!(" Instead: {text}")).unwrap_or_default();
        page.item(Mark::Alert, &challenge.participant, &format!("{}{suggestion}", challenge.challenge));
    }
    page.label("Stand-in");
    for (seat, by) in &round.stand_ins {
        page.item(Mark::Alert, seat, &format!("{} answered, as the seat's own model failed", by.model));
    }
    page.label("Fallback");
    for part in &round.degraded {
        let text = match part {
            Degraded::Question => "the facilitator gave no usable question; a fixed one was asked (L4)",
            Degraded::Synthesis => "the facilitator gave no usable synthesis; the engine wrote this one (L4)",
        };
        page.item(Mark::Alert, "", text);
    }
    doubts(page, round, most);
}

fn doubts(page: &mut Page<'_>, round: &Round, most: usize) {
    let all = round.doubts.len();
    let most = if page.style().verbose { all } else { most.min(all) };
    page.label("Doubts");
    for doubt in &round.doubts[..most] {
        page.value(&format!("{}: {}", doubt.seat, doubt.what));
    }
    match all - most {
        0 => {}
        left if most > 0 => page.note(&format!("{left} more (--verbose lists them)")),
        left => page.value(&format!("{} repaired in the replies (--verbose lists them)", words::count(left, "flaw"))),
    }
}

/// What the engine decided, and by which rules.
pub(super) fn decision(page: &mut Page<'_>, label: &str, decision: &Decision) {
    let taken = words::action(decision.taken);
    let text = match decision.proposed == decision.taken {
        true => taken.to_owned(),
        false => format!("{taken} (proposed: {})", words::action(decision.proposed)),
    };
    page.row(label, &text);
    for because in &decision.because {
        page.reason(&because.rule, &because.text);
    }
    if let Some(focus) = decision.next_focus.as_ref().filter(|focus| !focus.trim().is_empty()) {
        page.row("Next focus", focus);
    }
}

/// What one seat answered.
pub(super) fn answer(page: &mut Page<'_>, response: &SeatResponse) {
    let confidence = words::confidence(response.confidence);
    page.row("Answer", &format!("{} (confidence {confidence})", response.participant));
    page.rich(&response.position);
    // What goes on over several lines stays inside its item.
    let within = |text: &str| text.trim().replace('\n', "\n  ");
    for reason in &response.rationale {
        page.rich(&format!("- {}", within(reason)));
    }
    for concern in &response.concerns {
        page.rich(&format!("- concern: {}", within(concern)));
    }
    if let Some(challenge) = &response.context_challenge {
        page.rich(&format!("- challenges the context: {}", within(challenge)));
    }
}
