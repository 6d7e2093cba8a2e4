//! The discussion as it went: rounds, what people did between them, rulings, and why a record is not whole.
//! Given the minutes, and the folded session where there is one (it knows answers from the tape); hands on the rounds of the
//! view. Of a round under way only its number and how many answers are in are told: it is blind until it is committed.

use std::collections::HashMap;

use jiff::Timestamp;
use s2s_engine::record::{Escalation, Intervention, InterventionKind, RuledBy, Ruling, RulingChoice};
use s2s_engine::{Session, counted};
use s2s_store::{Minutes, Status};

use super::view::RoundView;
use crate::roundtable::Followed;

/// The rounds with all that belongs to them.
pub(super) fn rounds<'a>(
    minutes: &'a Minutes,
    session: Option<&'a Session>,
    follow_ups: &'a [Followed],
) -> Vec<RoundView<'a>> {
    let mut raised: HashMap<u32, Vec<&'a Escalation>> = HashMap::new();
    for escalation in minutes.escalations() {
        raised.entry(escalation.round).or_default().push(escalation);
    }
    let mut done = done(minutes);
    let rounds = minutes.rounds().iter().map(|round| {
        let whole = !minutes.is_legacy() && round.number as usize > minutes.undigested();
        let kept = round.responses.as_deref();
        RoundView {
            round,
            answers: kept.or_else(|| session.and_then(|session| session.answers_of(round.number))),
            decided: whole || !round.decision.because.is_empty(),
            escalations: raised.remove(&round.number).unwrap_or_default(),
            after: done.remove(&round.number).unwrap_or_default(),
            followed: follow_ups.iter().filter(|followed| followed.round == round.number).collect(),
        }
    });
    rounds.collect()
}

/// What was done after a round; 0 = before the first.
pub(super) fn between(minutes: &Minutes, after: u32) -> Vec<String> {
    done(minutes).remove(&after).unwrap_or_default()
}

fn done(minutes: &Minutes) -> HashMap<u32, Vec<String>> {
    let mut done: HashMap<u32, Vec<String>> = HashMap::new();
    for change in &minutes.context().changes {
        let line = format!("From here on the context is changed, by {}: {}", doer(&change.by), change.text);
        done.entry(change.round).or_default().push(line);
    }
    for one in minutes.interventions() {
        done.entry(one.after_round).or_default().push(intervention(one));
    }
    done
}

fn intervention(done: &Intervention) -> String {
    let what = match done.kind {
        InterventionKind::Interjection => "said to the table",
        InterventionKind::Skip => "asked to skip to the end",
        InterventionKind::Budget => "stopped by a budget",
        InterventionKind::Extend => "asked for more rounds",
        InterventionKind::Pause => "paused",
        InterventionKind::Resume => "taken up again",
        InterventionKind::Close => "closed",
    };
    let by = done.by.as_ref().map(|by| format!(" by {}", doer(by))).unwrap_or_default();
    let text = done.text.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
    format!("{}: {what}{by}{text}", minute(done.at))
}

fn doer(by: &str) -> &str {
    match by {
        "person" => "a person",
        "signal" => "a signal",
        "agent" => "an agent",
        "server" => "the server's end",
        "policy" => "the unattended policy",
        name => name,
    }
}

/// What people decided in their own words.
pub(super) fn decided(minutes: &Minutes) -> Vec<(String, &str)> {
    let ruled = minutes.escalations().iter().filter_map(|escalation| Some((escalation, escalation.ruling.as_ref()?)));
    let own = ruled.filter(|(_, ruling)| ruling.choice == RulingChoice::Decide);
    own.filter_map(|(escalation, ruling)| {
        let text = ruling.text.as_deref().filter(|text| !text.trim().is_empty())?;
        Some((format!("{} after round {}, {}", escalation.id, escalation.round, ruled_by(ruling)), text))
    })
    .collect()
}

/// What was ruled, in a few words.
pub(super) fn ruled(ruling: &Ruling) -> String {
    let what = match ruling.choice {
        RulingChoice::Accept => "The facilitator's recommendation was taken",
        RulingChoice::Decide => "A decision of their own was given",
        RulingChoice::Continue => "The discussion went on",
        RulingChoice::AcceptContext => "The challenge was accepted: the context changed",
        RulingChoice::KeepContext => "The context was kept",
        RulingChoice::Discuss => "The challenge was discussed further",
    };
    let rounds = ruling.rounds.filter(|rounds| *rounds > 0);
    let rounds = rounds.map(|rounds| format!(" for {}", counted(rounds, "more round"))).unwrap_or_default();
    format!("{what}{rounds}, {}", ruled_by(ruling))
}

fn ruled_by(ruling: &Ruling) -> String {
    match (ruling.by, &ruling.name) {
        (RuledBy::Person, Some(name)) => format!("ruled by {name}"),
        (RuledBy::Person, None) => "ruled by a person".to_owned(),
        (RuledBy::Policy, _) => "ruled by the unattended policy, not by a person".to_owned(),
    }
}

/// Why the record is not whole; none where it is.
pub(super) fn partial(minutes: &Minutes, session: Option<&Session>) -> Option<String> {
    if minutes.outcome().is_some() {
        return None;
    }
    let held = counted(minutes.rounds().len(), "round");
    let stands = match (minutes.status(), minutes.pending()) {
        (Status::Archived, _) => closed(minutes),
        (_, Some(escalation)) => format!("it waits for a person to decide {}", escalation.id),
        (Status::Paused, None) => match minutes.interventions().last() {
            Some(last) if last.kind == InterventionKind::Pause => match &last.text {
                Some(text) => format!("it is paused ({})", text.trim().trim_end_matches('.')),
                None => "it is paused".to_owned(),
            },
            _ => "it is paused".to_owned(),
        },
        (Status::Active | Status::Completed, None) => "it is under way, or was when its process ended".to_owned(),
    };
    let open = session.and_then(under_way).unwrap_or_default();
    Some(format!("This session has no outcome yet: {stands}. This page tells of {held}.{open}"))
}

fn closed(minutes: &Minutes) -> String {
    let closing = minutes.closing();
    let by = closing.and_then(|closing| closing.by.as_deref()).map(|by| format!(" by {}", doer(by)));
    let why = closing.and_then(|closing| closing.text.as_deref()).map(|text| format!(" ({})", text.trim()));
    format!("it was closed unfinished{}{}", by.unwrap_or_default(), why.unwrap_or_default())
}

fn under_way(session: &Session) -> Option<String> {
    let waits = session.has_ended() || session.pending().is_some();
    let asked = session.asked().len();
    (!waits && asked > 0).then(|| {
        let (number, heard) = (session.round_number(), session.responses().count());
        format!(
            " Round {number} is open: {heard} of {} in; they are told once the round is committed.",
            counted(asked, "answer")
        )
    })
}

/// A time to the minute, in UTC.
pub(super) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}
