//! The whole discussion as one readable text: head, rounds, what people did between them, outcome.
//! Given the minutes, and the folded session where there is one (it knows answers from the tape and
//! what is open); hands on text. Deliberately absent: files, and any judgement of the record.

use s2s::engine::Session;
use s2s::engine::record::{Escalation, Intervention, InterventionKind, Round, RoundKind, SeatResponse};
use s2s::matrix::Matrix;
use s2s::panel::StoodIn;
use s2s::roundtable::Followed;
use s2s::store::{Aside, Minutes, Status};

use super::marks::{Mark, Tone};
use super::page::Page;
use super::votes::Votes;
use super::wrap::one_line;
use super::{Bearings, Decided, Style, asides, asking, ending, kept, matrix, one_seat, round, words};

/// How many doubts of a round are shown without being asked for.
const DOUBTS: usize = 3;

/// What of a discussion is wanted; nothing named = all of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// One round alone.
    pub round: Option<u32>,
    /// One seat alone, by its id.
    pub seat: Option<&'a str>,
    /// What single seats were asked between rounds.
    pub follow_ups: &'a [Followed],
    /// What was asked beside the record.
    pub asides: &'a [Aside],
    /// What was weighed, as kept beside the record.
    pub matrices: &'a [Matrix],
}

/// The part of a discussion that is wanted.
pub fn excerpt(
    minutes: &Minutes,
    session: Option<&Session>,
    wanted: &Wanted<'_>,
    bearings: &Bearings,
    style: &Style,
) -> String {
    if wanted.round.is_none() && wanted.seat.is_none() {
        return whole(minutes, session, wanted, bearings, style);
    }
    let mut page = Page::new(style);
    page.title("Roundtable Discussion", Tone::Title);
    page.row_whole("Session", minutes.id());
    page.row("Topic", minutes.topic());
    let votes = Votes::of(minutes.rounds());
    for round in minutes.rounds().iter().filter(|round| wanted.round.is_none_or(|number| number == round.number)) {
        let answers = answers_of(round, session);
        match wanted.seat {
            Some(seat) => one_seat::round(&mut page, round, seat, answers),
            None => in_full(&mut page, minutes, round, answers, &votes),
        }
        let of_seat = |followed: &&Followed| wanted.seat.is_none_or(|seat| seat == &*followed.seat);
        followed(&mut page, wanted.follow_ups.iter().filter(of_seat), round.number);
    }
    if let Some(seat) = wanted.seat.filter(|_| wanted.round.is_none()) {
        let own: Vec<&Aside> = wanted.asides.iter().filter(|aside| aside.asked.seat == seat).collect();
        asides::afterwards(&mut page, &own);
    }
    page.finish()
}

/// The whole discussion.
#[cfg(test)]
pub fn discussion(minutes: &Minutes, session: Option<&Session>, bearings: &Bearings, style: &Style) -> String {
    excerpt(minutes, session, &Wanted::default(), bearings, style)
}

fn answers_of<'a>(round: &'a Round, session: Option<&'a Session>) -> Option<&'a [SeatResponse]> {
    round.responses.as_deref().or_else(|| session.and_then(|session| session.answers_of(round.number)))
}

/// A round with what people did after it.
fn in_full(page: &mut Page<'_>, minutes: &Minutes, round: &Round, answers: Option<&[SeatResponse]>, votes: &Votes) {
    one_round(page, minutes, round, answers, votes);
    for escalation in minutes.escalations().iter().filter(|escalation| escalation.round == round.number) {
        raised(page, escalation, round);
    }
    between(page, minutes, round.number);
}

/// What seats were asked after a round, and answered (L9).
fn followed<'a>(page: &mut Page<'_>, follow_ups: impl IntoIterator<Item = &'a Followed>, round: u32) {
    for followed in follow_ups.into_iter().filter(|followed| followed.round == round) {
        page.gap();
        page.row("Follow-up", &format!("to {}: {}", one_line(&followed.seat), followed.question));
        page.rich_row("Answer", &followed.answer);
        page.note("outside the votes; nobody else at the table was shown it");
    }
}

fn whole(
    minutes: &Minutes,
    session: Option<&Session>,
    wanted: &Wanted<'_>,
    bearings: &Bearings,
    style: &Style,
) -> String {
    let mut page = Page::new(style);
    head(&mut page, minutes);
    let votes = Votes::of(minutes.rounds());
    between(&mut page, minutes, 0);
    for round in minutes.rounds() {
        in_full(&mut page, minutes, round, answers_of(round, session), &votes);
        followed(&mut page, wanted.follow_ups, round.number);
    }
    if let Some(session) = session {
        kept::kept(&mut page, session);
    }
    match minutes.outcome() {
        Some(outcome) => {
            page.part("Outcome");
            let decided = Decided::all(minutes.escalations());
            ending::outcome(&mut page, outcome, votes.tallies(), &decided, &bearings.up);
        }
        None => unfinished(&mut page, minutes, session, bearings),
    }
    matrix::weighed(&mut page, wanted.matrices);
    asides::afterwards(&mut page, &wanted.asides.iter().collect::<Vec<_>>());
    page.finish()
}

fn head(page: &mut Page<'_>, minutes: &Minutes) {
    page.title("Roundtable Discussion", Tone::Title);
    page.row_whole("Session", minutes.id());
    page.row("Topic", minutes.topic());
    page.row("Strategy", minutes.strategy());
    page.row("Workflow", minutes.workflow().as_str());
    page.row("Status", &standing(minutes));
    page.label("Participants");
    for seat in minutes.seats() {
        let name = if seat.name.trim().is_empty() { &*seat.id } else { seat.name.as_str() };
        let model = if seat.model.trim().is_empty() { "model not recorded" } else { seat.model.as_str() };
        page.value(&format!("{} ({}, {})", one_line(name), seat.id, one_line(model)));
    }
    if let Some(sides) = minutes.sides() {
        if !sides.proposal.trim().is_empty() {
            page.row("Proposal", &sides.proposal);
        }
        page.row("For", &words::listed(&sides.pro));
        page.row("Against", &words::listed(&sides.con));
    }
    let note = match minutes.panel_note().trim() {
        "" => "not recorded: a session of the original plugin",
        note => note,
    };
    page.row("Panel", &StoodIn::of(minutes.rounds()).beside(note));
    if !minutes.context().source.trim().is_empty() {
        page.row("Context", &minutes.context().source);
    }
}

/// Where the session stands, with the times that go with it.
fn standing(minutes: &Minutes) -> String {
    let started = words::minute(minutes.started());
    let since = match minutes.status() {
        Status::Paused => minutes.paused_at(),
        Status::Completed => minutes.completed_at(),
        Status::Active | Status::Archived => None,
    };
    let since = since.map(|at| format!(" {}", words::minute(at))).unwrap_or_default();
    format!("{}{since}, started {started}", minutes.status())
}

fn one_round(page: &mut Page<'_>, minutes: &Minutes, round: &Round, answers: Option<&[SeatResponse]>, votes: &Votes) {
    let dot = if page.style().ascii { "|" } else { "·" };
    let ballot = if round.kind == RoundKind::Ballot { format!(" {dot} ballot") } else { String::new() };
    let at = words::minute(round.timestamp);
    page.part(&format!("Round {} {dot} {}{ballot} {dot} {at}", round.number, round.phase));
    if !round.focus.trim().is_empty() {
        page.row("Focus", &round.focus);
    }
    page.rich_row("Question", &round.question);
    if round.probing {
        page.remark("a probing question, because the agreement came easily (P1)");
    }
    let whole = !minutes.is_legacy() && round.number as usize > minutes.undigested();
    if whole || answers.is_some() || !round.confidence.is_empty() {
        given(page, round, answers);
    }
    page.gap();
    page.rich_row("Synthesis", &round.synthesis);
    round::points(page, round, votes);
    round::tallies(page, round, votes);
    round::artifacts(page, round);
    page.label("Conflicts");
    for conflict in &round.conflicts {
        page.item(Mark::Alert, &conflict.id, &conflict.description);
        round::positions_of(page, round, &conflict.id);
    }
    round::resolved(page, round);
    agenda(page, minutes, round);
    round::flaws(page, round, DOUBTS);
    // The plugin kept no decisions; what stands for one there is only a default.
    if whole || !round.decision.because.is_empty() {
        round::decision(page, "Decision", &round.decision);
    }
}

/// What the seats answered; where the answers were not kept, how sure they were.
fn given(page: &mut Page<'_>, round: &Round, answers: Option<&[SeatResponse]>) {
    match answers {
        Some(answers) if !answers.is_empty() => answers.iter().for_each(|response| round::answer(page, response)),
        _ if round.asked.is_empty() && round.confidence.is_empty() => {
            page.row("Asked", "nobody: the facilitator spoke alone");
        }
        _ => {
            let sure = round.confidence.iter().map(|(seat, value)| format!("{seat} {}", words::confidence(*value)));
            page.label("Confidence");
            page.flow(&sure.collect::<Vec<_>>());
            page.remark("the answers themselves are not in the record");
        }
    }
}

fn agenda(page: &mut Page<'_>, minutes: &Minutes, round: &Round) {
    if minutes.agenda().is_empty() {
        return;
    }
    // Coverage never falls back (A1), whatever a single round leaves out.
    let so_far = || minutes.rounds().iter().take_while(|held| held.number <= round.number);
    let all = || so_far().flat_map(|held| &held.agenda_coverage);
    let status = |id: &str| all().filter(|covered| covered.topic == id).map(|covered| covered.status).max();
    page.row("Agenda", &words::covered(minutes.agenda().iter().map(|topic| status(&topic.id).unwrap_or_default())));
}

/// An escalation in its place, with its ruling.
fn raised(page: &mut Page<'_>, escalation: &Escalation, round: &Round) {
    page.heading(&format!("{} Escalation {}", Mark::Alert.text(page.style().ascii), one_line(&escalation.id)));
    asking::body(page, escalation, Some(&round.confidence));
    match &escalation.ruling {
        Some(ruling) => asking::ruling(page, &escalation.id, ruling),
        None => page.row("Ruling", "pending: a person must decide"),
    }
}

/// What people did after a round, and how rulings changed the context.
fn between(page: &mut Page<'_>, minutes: &Minutes, after: u32) {
    for change in minutes.context().changes.iter().filter(|change| change.round == after && after > 0) {
        page.gap();
        page.row("Context", &format!("changed from here on, by {}:", words::doer(&change.by)));
        page.value(&change.text);
    }
    let done = minutes.interventions().iter().filter(|done| done.after_round == after);
    let lines: Vec<String> = done.map(intervention).collect();
    if !lines.is_empty() {
        page.gap();
        page.label("Meanwhile");
        lines.iter().for_each(|line| page.value(line));
    }
}

fn intervention(done: &Intervention) -> String {
    let what = match done.kind {
        InterventionKind::Interjection => "said to the table",
        InterventionKind::Skip => "asked to skip to the end",
        InterventionKind::Budget => "stopped the discussion",
        InterventionKind::Extend => "asked for more rounds",
        InterventionKind::Pause => "paused",
        InterventionKind::Resume => "taken up again",
        InterventionKind::Close => "closed",
    };
    let by = done.by.as_ref().map(|by| format!(" by {}", words::doer(by))).unwrap_or_default();
    let text = done.text.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
    format!("{} {what}{by}{text}", words::minute(done.at))
}

/// What is open in a session without an outcome, and how to go on.
fn unfinished(page: &mut Page<'_>, minutes: &Minutes, session: Option<&Session>, bearings: &Bearings) {
    page.part("So far");
    page.row("Rounds", &words::count(minutes.rounds().len(), "round"));
    page.label("Conflicts");
    for conflict in session.iter().flat_map(|session| session.open_conflicts()) {
        let text = format!("{} ({})", conflict.description.trim(), words::age(conflict.age));
        page.item(Mark::Alert, &conflict.id, &text);
    }
    if minutes.status() == Status::Archived {
        return;
    }
    let id = words::shell(&one_line(minutes.id()));
    page.heading("Next steps");
    if bearings.driven {
        return page.commands(&[(format!("s2s watch {id}"), "follow it: another process runs it")]);
    }
    let again = &bearings.again;
    let answer = (format!("s2s roundtable answer {id}{again}"), "settle what is pending");
    let resume = (format!("s2s roundtable resume {id}{again}"), "go on");
    match minutes.pending() {
        Some(_) => page.commands(&[answer, resume]),
        None => page.commands(&[resume]),
    }
}
