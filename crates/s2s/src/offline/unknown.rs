//! A topic that no playbook covers: the roles ask what they would have to know, and give no verdict.
//! Given a session and the roles; hands on answers with a confidence so low that a person is asked (E2).
//! Later rounds go on with the questions that were not asked yet. Deliberately absent: facts and opinions
//! about the topic, because there is nothing here to take them from.

use s2s_catalog::Role;
use s2s_engine::opening::{Seat, Sides};
use s2s_engine::record::RoundKind;
use s2s_engine::reply::{Action, Answer, Choice, Question, Resolution, ResolutionType, Response, Synthesis, Vote};
use s2s_engine::step::{Brief, CallKind};
use s2s_engine::{Session, has_word};

use super::chair::{open_topic, summarised};
use super::stance::Stance;
use super::sum::{ANSWER_FIRST, coverage, next_action};
use super::words::{counted, opening_with, within};

/// How sure a seat is of anything here.
const CONFIDENCE: f64 = 0.35;
/// Questions of a role's list that it asks in one round.
const PER_ROUND: usize = 2;

/// What the facilitator asks, a different one each round, with the focus of each.
const QUESTIONS: [(&str, &str); 6] = [
    ("Purpose", "What would have to be different afterwards for this to have been worth doing, and who would notice?"),
    ("Limits", "Which limits are fixed, and which are habits that could be changed?"),
    ("Options", "Which ways are open, including doing nothing, and what separates them?"),
    ("Risks", "What would make each of you refuse, and what would lift that?"),
    ("Evidence", "Which facts would settle it, and who can get them by when?"),
    ("First step", "What is the smallest step that would teach us most?"),
];

/// The answer to a brief.
pub(super) fn answer(session: &Session, roles: &[Role], brief: &Brief) -> Answer {
    match brief.call.kind {
        CallKind::Sides => Answer::Sides(sides(session)),
        CallKind::Question => Answer::Question(question(session)),
        CallKind::Response => Answer::Response(response(session, roles, brief)),
        CallKind::Synthesis => Answer::Synthesis(Box::new(synthesis(session, roles))),
    }
}

fn sides(session: &Session) -> Sides {
    let seats = &session.opening().seats;
    let every_other = |start: usize| seats.iter().skip(start).step_by(2).map(|seat| seat.id.clone()).collect();
    Sides { pro: every_other(0), con: every_other(1), proposal: session.opening().topic.clone() }
}

fn question(session: &Session) -> Question {
    let (focus, asks) = QUESTIONS[session.rounds().len() % QUESTIONS.len()];
    let context = summarised(&session.opening().context);
    let context_summary = if context.is_empty() { "No project context was given.".to_owned() } else { context };
    let (question, focus) = match open_topic(session) {
        Some(topic) => (format!("{}: {}", topic.name, within(asks)), format!("{}: {}", topic.name, within(focus))),
        None => (asks.to_owned(), focus.to_owned()),
    };
    Question { question, focus, context_summary, participants: Vec::new() }
}

fn response(session: &Session, roles: &[Role], brief: &Brief) -> Response {
    let seats = &session.opening().seats;
    let Some(seat) = seats.iter().find(|seat| seat.id == brief.call.seat) else { return Response::default() };
    let role = role_of(roles, seat);
    let triggers = &session.opening().settings.escalation.critical_keywords;
    let title = title(role, seat);
    // A title that holds a critical word would escalate each time it is said (E3), and mean nothing by it.
    let loaded = triggers.iter().any(|word| has_word(&title, word));
    let title = if loaded { "one seat of this table".to_owned() } else { title };
    let number = session.round_number();
    let support = || Vote { choice: Choice::Support, reason: None };
    let aside = || Vote {
        choice: Choice::StandAside,
        reason: Some("Nothing I have to go by speaks for or against this.".into()),
    };
    let known = brief.ballot.iter().filter_map(|id| session.point(id));
    let votes = known.map(|point| {
        let open_question = point.text.starts_with(ANSWER_FIRST);
        (point.id.clone(), if open_question { support() } else { aside() })
    });
    let mut response = Response { confidence: CONFIDENCE, votes: votes.collect(), ..Response::default() };
    if session.round_kind() == RoundKind::Ballot {
        response.position = format!("As {title} I support putting these questions first, and nothing beyond that.");
        return response;
    }
    let stance = Stance::of(&session.opening().settings.method, session.phase_index());
    let objects = stance == Stance::Attack || session.is_probing() || session.side_of(&seat.id) == Some("con");
    let asked = questions(session, role);
    let refusals = role.map_or(&[][..], |role| role.blocks.as_slice());
    let refusal = refusals.get(session.rounds().len());
    response.position = match (asked.first(), refusal) {
        (_, Some(refusal)) if objects => {
            format!("As {title} I would say no as long as this is so: {}", within(refusal))
        }
        (Some(first), _) if number == 1 => {
            format!("No playbook covers this, so as {title} I give no verdict; I would first ask: {}", within(first))
        }
        (Some(first), _) => {
            format!("In round {number} I still have no verdict as {title}, but another question: {}", within(first))
        }
        (None, _) => format!(
            "As {title} I have nothing to add in round {number} until someone tells us more about the goal, the limits and the options."
        ),
    };
    let more = asked.iter().skip(if objects { 0 } else { 1 });
    response.rationale = more.map(|question| format!("I would need to know: {}", within(question))).collect();
    if !objects {
        response.concerns =
            refusal.map(|refusal| format!("I would say no if this were so: {}", within(refusal))).into_iter().collect();
    }
    response
}

/// The questions of a role that are due in the round under way.
fn questions<'r>(session: &Session, role: Option<&'r Role>) -> Vec<&'r str> {
    let held = session.rounds().iter().filter(|round| round.kind == RoundKind::Discussion).count();
    let list = role.map_or(&[][..], |role| role.checklist.as_slice());
    list.iter().skip(held * PER_ROUND).take(PER_ROUND).map(String::as_str).collect()
}

fn synthesis(session: &Session, roles: &[Role]) -> Synthesis {
    let last = session.phase_index() + 1 == session.opening().settings.method.phases.len();
    let agenda_coverage = coverage(session);
    let next_action = next_action(session, last, false, &agenda_coverage);
    let seats = session.opening().seats.iter().filter(|seat| session.asked().contains(&seat.id));
    let due: Vec<&str> = seats.filter_map(|seat| questions(session, role_of(roles, seat)).first().copied()).collect();
    let new = |text: &String| !session.points().iter().any(|point| point.text == *text);
    let consensus: Vec<String> =
        due.iter().map(|question| format!("{ANSWER_FIRST}{question}")).filter(new).take(4).collect();
    let close = |id: &String| Resolution {
        conflict_id: id.clone(),
        resolution: "Left as an open question: nothing at this table can settle it".to_owned(),
        resolution_type: ResolutionType::Facilitator,
    };
    let asked = match due.len() {
        0 => "No seat had a further question.".to_owned(),
        many => opening_with(&format!(
            "{} new {} on the table.",
            counted(many),
            if many == 1 { "question is" } else { "questions are" }
        )),
    };
    let ends = next_action == Action::Conclude;
    let next = QUESTIONS[(session.rounds().len() + 1) % QUESTIONS.len()].0;
    Synthesis {
        synthesis: format!("No playbook covers this topic, so the seats name what they would have to know and give no verdict. {asked}"),
        consensus,
        resolved: session.open_conflicts().map(|open| close(&open.id)).collect(),
        next_action,
        next_focus: (!ends).then(|| next.to_owned()),
        recommendation: Some(
            "Do not decide on this record alone. Answer the questions below, then ask again with a playbook for this subject or with a model configured."
                .to_owned(),
        ),
        agenda_coverage,
        ..Synthesis::default()
    }
}

fn role_of<'r>(roles: &'r [Role], seat: &Seat) -> Option<&'r Role> {
    roles.iter().find(|role| *role.id == *seat.id)
}

fn title(role: Option<&Role>, seat: &Seat) -> String {
    let named = role.map(|role| role.title.as_str()).filter(|title| !title.is_empty());
    named.or(Some(seat.name.as_str()).filter(|name| !name.is_empty())).unwrap_or(&seat.id).to_owned()
}
