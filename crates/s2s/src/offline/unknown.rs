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

use super::asking::{open_topic, summarised};
use super::role_of;
use super::stance::Stance;
use super::sum::{coverage, next_action};
use super::words::{within, without_comments};

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

/// What anybody may ask whose role has no questions of its own.
const ANYBODY: [&str; 6] = [
    "Who is affected by this and is not at the table?",
    "What would we see within a month if this were the wrong way?",
    "Which part of this could not be undone later?",
    "What has been tried before, and what came of it?",
    "What is lost by waiting for another quarter?",
    "Who looks after it once it is there?",
];
/// Questions that are taken from a role's text, where its file has no list of them.
const MOST_TAKEN: usize = 8;
/// Longer than this, a question is a paragraph.
const LONGEST_TAKEN: usize = 200;

/// How a concern begins that only asks.
pub(super) const OPEN: &str = "Open question: ";
/// Questions that the recommendation repeats.
const MOST_LISTED: usize = 6;

/// What the facilitator asks on the topics of the built-in agendas.
const ON_TOPICS: [(&str, &str); 11] = [
    (
        "user-workflows",
        "Who uses this, what do they want to get done, and how do they get back on course after a mistake?",
    ),
    (
        "functional-requirements",
        "What has to go in and come out, and what would make the release pointless if it were missing?",
    ),
    ("business-rules", "Which inputs are refused, which changes of state are not allowed, and who says so?"),
    ("nfr-measurable", "Which number, under which load, says that it is good enough, and who needs that number?"),
    ("acceptance-criteria", "How would someone who was not here check that it is done?"),
    ("out-of-scope", "What is left out on purpose, and who has to hear that?"),
    ("high-level-arch", "What are the main parts, where are the boundaries, and which quality goal put them there?"),
    ("components", "What does each part do alone, and which two parts always change together?"),
    ("data-flow", "Where does each piece of data begin, who owns it, and what happens when a step fails halfway?"),
    ("tech-choices", "What is already in use and known, and what would have to earn its place?"),
    ("integration", "Which outside systems are there, what do they promise, and what happens when one is down?"),
];

/// The same answer, where a reason comes first why nothing is chosen.
pub(super) fn told_first(answer: Answer, reason: &str) -> Answer {
    match answer {
        Answer::Synthesis(mut sum) => {
            sum.synthesis = format!("{reason} {}", sum.synthesis);
            sum.recommendation = Some(reason.to_owned());
            Answer::Synthesis(sum)
        }
        other => other,
    }
}

/// The answer to a brief.
pub(super) fn answer(session: &Session, roles: &[Role], brief: &Brief) -> Answer {
    match brief.call.kind {
        CallKind::Sides => Answer::Sides(sides(session)),
        CallKind::Question => Answer::Question(question(session)),
        CallKind::Response | CallKind::Followup => Answer::Response(response(session, roles, brief)),
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
        Some(topic) => {
            let known = ON_TOPICS.iter().find(|(id, _)| *id == topic.id).map(|(_, asks)| *asks);
            (format!("{}: {}", topic.name, within(known.unwrap_or(asks))), topic.name.clone())
        }
        None => (asks.to_owned(), focus.to_owned()),
    };
    Question { question, focus, context_summary, participants: Vec::new() }
}

fn response(session: &Session, roles: &[Role], brief: &Brief) -> Response {
    let seats = &session.opening().seats;
    let Some(place) = seats.iter().position(|seat| seat.id == brief.call.seat) else { return Response::default() };
    let (seat, role) = (&seats[place], role_of(roles, &seats[place]));
    let title = spoken_title(session, role, seat);
    let aside = || Vote {
        choice: Choice::StandAside,
        reason: Some("Nothing I have to go by speaks for or against this.".into()),
    };
    let known = brief.ballot.iter().filter_map(|id| session.point(id));
    let votes = known.map(|point| (point.id.clone(), aside())).collect();
    let mut response = Response { confidence: CONFIDENCE, votes, ..Response::default() };
    if session.round_kind() == RoundKind::Ballot {
        response.position = format!("As {title} I stand aside in round {}.", session.round_number());
        return response;
    }
    let stance = Stance::of(&session.opening().settings.method, session.phase_index());
    let objects = stance == Stance::Attack || session.is_probing() || session.side_of(&seat.id) == Some("con");
    let asked = due(role, place, discussed(session));
    let refusals = role.map_or(&[][..], |role| role.blocks.as_slice());
    let refusal = refusals.get(session.rounds().len());
    response.position = match (asked.first(), refusal) {
        (_, Some(refusal)) if objects => {
            format!("As {title} I would say no as long as this is so: {}", within(refusal))
        }
        (Some(first), _) => asking(&title, place, session.round_number(), &within(first)),
        (None, _) => format!(
            "As {title} I have nothing to add in round {} until someone tells us more about the goal, the limits and the options.",
            session.round_number()
        ),
    };
    response.rationale = told_about(session, place).into_iter().chain(without_list(session, role, seat)).collect();
    // Nothing here speaks for anything, so what a seat has is open questions, and they are concerns.
    let more = asked.iter().skip(if objects { 0 } else { 1 });
    response.concerns = more.map(|question| format!("{OPEN}{question}")).collect();
    if !objects {
        response.concerns.extend(refusal.map(|refusal| format!("I would say no if this were so: {}", within(refusal))));
    }
    response
}

/// A question instead of a position.
fn asking(title: &str, place: usize, round: u32, question: &str) -> String {
    match (round, place % 3) {
        (1, 0) => format!("No playbook covers this, so as {title} I give no verdict; I would first ask: {question}"),
        (1, 1) => format!("I have nothing to go by here and give no verdict as {title}; my first question: {question}"),
        (1, _) => format!("As {title} I would not decide this yet, as no playbook covers it; I need first: {question}"),
        (_, 0) => format!("Still no verdict from me as {title}, and another question: {question}"),
        (_, 1) => format!("Before I could say anything firm as {title}: {question}"),
        (_, _) => format!("What I would also have to know as {title}: {question}"),
    }
}

/// Something the context does say, another line for each seat and round: all there is to go by.
fn told_about(session: &Session, place: usize) -> Option<String> {
    let context = without_comments(&session.opening().context);
    let lines: Vec<&str> = context.lines().map(str::trim).filter_map(|line| line.strip_prefix("- ")).collect();
    let held = session.rounds().len();
    let line = lines.get(held * session.opening().seats.len() + place)?;
    Some(format!("All I have to go by is the context, which says: {}.", line.trim_end_matches('.')))
}

/// Where the questions of a seat come from that has no list of them; said once.
fn without_list(session: &Session, role: Option<&Role>, seat: &Seat) -> Option<String> {
    let listed = role.is_some_and(|role| !role.checklist.is_empty());
    if listed || session.rounds().iter().any(|round| round.asked.contains(&seat.id)) {
        return None;
    }
    let from = match role.is_some_and(|role| !in_text(&role.body).is_empty()) {
        true => "what I ask stands in its text",
        false => "I ask what anybody would ask",
    };
    Some(format!("My role has no playbook of its own and its file no list of questions; {from}."))
}

/// The questions of a role that are due after so many rounds of discussion: those of its list, else those that
/// stand in its text, else those of anybody, each seat beginning with others.
pub(super) fn due(role: Option<&Role>, place: usize, held: usize) -> Vec<&str> {
    let listed = role.map(|role| role.checklist.iter().map(String::as_str).collect::<Vec<_>>());
    let asks = listed.filter(|list| !list.is_empty()).or_else(|| role.map(|role| in_text(&role.body)));
    let asks = asks.filter(|list| !list.is_empty()).unwrap_or_else(|| {
        let from = place * PER_ROUND % ANYBODY.len();
        ANYBODY[from..].iter().chain(&ANYBODY[..from]).copied().collect()
    });
    asks.into_iter().skip(held * PER_ROUND).take(PER_ROUND).collect()
}

/// The questions in a role's text: lines of their own or items of a list, plain enough to be said as they are.
fn in_text(body: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for line in body.lines() {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || "-*+>.)".contains(c));
        let line = line.trim_end();
        let plain = line.ends_with('?') && !line.contains(['`', '<', '>', '{', '}', '|', '*', '#', '"']);
        let begins = line.starts_with(char::is_uppercase);
        if plain && begins && line.len() <= LONGEST_TAKEN && line.contains(' ') && !found.contains(&line) {
            found.push(line);
        }
    }
    found.truncate(MOST_TAKEN);
    found
}

/// Rounds in which seats were asked for their view.
pub(super) fn discussed(session: &Session) -> usize {
    session.rounds().iter().filter(|round| round.kind == RoundKind::Discussion && !round.asked.is_empty()).count()
}

fn synthesis(session: &Session, roles: &[Role]) -> Synthesis {
    let last = session.phase_index() + 1 == session.opening().settings.method.phases.len();
    let agenda_coverage = coverage(session);
    let next_action = next_action(session, last, false, &agenda_coverage);
    let held = discussed(session);
    let seats: Vec<&Seat> = session.opening().seats.iter().collect();
    let asked = |seat: &Seat| session.asked().contains(&seat.id);
    let new: Vec<String> = seats
        .iter()
        .enumerate()
        .filter(|(_, seat)| asked(seat))
        .filter_map(|(place, seat)| {
            Some((title(role_of(roles, seat), seat), *due(role_of(roles, seat), place, held).first()?))
        })
        .map(|(title, question)| format!("{question} ({title})"))
        .collect();
    let now = match new.as_slice() {
        [] => "No seat had a further question.".to_owned(),
        [one] => format!("Open question: {one}."),
        more => format!("Open questions: {}.", more.join(" · ")),
    };
    // Everything that was asked first by a seat in a round, the oldest first.
    let rounds = held + usize::from(!session.asked().is_empty());
    let first = |held: usize| {
        let seats = seats.iter().enumerate();
        seats.filter_map(move |(place, seat)| due(role_of(roles, seat), place, held).first().copied())
    };
    let mut open: Vec<&str> = Vec::new();
    for question in (0..rounds).flat_map(first) {
        if !open.contains(&question) {
            open.push(question);
        }
    }
    let close = |id: &String| Resolution {
        conflict_id: id.clone(),
        resolution: "Left as an open question: nothing at this table can settle it".to_owned(),
        resolution_type: ResolutionType::Facilitator,
    };
    let ends = next_action == Action::Conclude;
    let next = QUESTIONS[(session.rounds().len() + 1) % QUESTIONS.len()].0;
    Synthesis {
        synthesis: format!("No playbook covers this topic, so nothing was weighed and nothing is decided. {now}"),
        resolved: session.open_conflicts().map(|open| close(&open.id)).collect(),
        next_action,
        next_focus: (!ends).then(|| next.to_owned()),
        recommendation: Some(advice(&open)),
        agenda_coverage,
        ..Synthesis::default()
    }
}

/// No choice, but what has to be answered before there can be one.
fn advice(open: &[&str]) -> String {
    let numbered = open.iter().take(MOST_LISTED).enumerate().map(|(at, question)| format!("({}) {question}", at + 1));
    let questions = match open.is_empty() {
        true => String::new(),
        false => format!(" Answer these first: {}", numbered.collect::<Vec<_>>().join(" ")),
    };
    format!(
        "Do not decide on this record alone: it holds questions and no findings.{questions} Then ask again with a playbook for this subject in .s2s/playbooks/, or with a model configured."
    )
}

/// A role's title as its seat says it. One that holds a critical word would escalate each time it is said
/// (E3), and mean nothing by it.
pub(super) fn spoken_title(session: &Session, role: Option<&Role>, seat: &Seat) -> String {
    let title = title(role, seat);
    let triggers = &session.opening().settings.escalation.critical_keywords;
    let loaded = triggers.iter().any(|word| has_word(&title, word));
    if loaded { "one seat of this table".to_owned() } else { title }
}

fn title(role: Option<&Role>, seat: &Seat) -> String {
    let named = role.map(|role| role.title.as_str()).filter(|title| !title.is_empty());
    named.or(Some(seat.name.as_str()).filter(|name| !name.is_empty())).unwrap_or(&seat.id).to_owned()
}
