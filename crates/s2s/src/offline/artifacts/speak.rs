//! What a seat says where a session keeps artifacts: about the topic of the agenda, with the statements it was
//! dealt, what is missing, and its votes. Given the answer it would give without artifacts; hands on one that
//! speaks of them. A word that calls a person (E3) is quoted as a reason, where it is only a quotation.
//! Deliberately absent: what is kept.

use s2s_engine::has_word;
use s2s_engine::opening::Workflow;
use s2s_engine::record::RoundKind;
use s2s_engine::reply::{Choice, Response};
use s2s_engine::step::Brief;

use super::super::role_of;
use super::super::unknown::{OPEN, spoken_title};
use super::super::words::{counted, unstopped, within};
use super::Desk;
use super::draft::Draft;
use super::pick::Picked;
use super::vote;

/// How sure a seat is of what it found stated, and of what it only asks. Neither is doubt about the work: what is
/// not known is kept as an open question.
const FOUND: f64 = 0.62;
const ASKING: f64 = 0.5;
/// The most reasons and concerns of one answer.
const MOST_LINES: usize = 4;

/// The answer with what this session keeps in mind.
pub(super) fn response(desk: &Desk<'_>, brief: &Brief, mut response: Response) -> Response {
    let seats = &desk.session.opening().seats;
    let Some(seat) = seats.iter().position(|seat| seat.id == brief.call.seat) else { return response };
    response.votes.extend(vote::votes(desk, seat, &brief.ballot));
    if desk.session.round_kind() == RoundKind::Ballot {
        if desk.table.is_none() {
            response.position = ballot_position(desk, seat, &response);
            response.confidence = FOUND;
        }
        return response;
    }
    let picked = Picked::of(desk);
    let mine: Vec<&Draft> = (0..picked.claims.len())
        .filter(|&at| picked.carriers(desk, at).contains(&brief.call.seat))
        .map(|at| &picked.claims[at])
        .collect();
    if desk.table.is_none() {
        response.confidence = if mine.is_empty() { ASKING } else { FOUND };
    }
    if desk.session.opening().workflow != Workflow::Brainstorm {
        on_topic(desk, &picked, &mine, seat, &mut response);
    }
    let quoted = mine.iter().filter_map(|draft| draft.from.as_deref());
    let mut rationale: Vec<String> = quoted.map(|from| format!("Stated: \"{}\".", unstopped(from))).collect();
    // What a seat was dealt it says, however much that is.
    let most = rationale.len().max(MOST_LINES);
    rationale.append(&mut response.rationale);
    rationale.truncate(most);
    response.rationale = rationale;
    response.concerns.truncate(MOST_LINES);
    response
}

/// The position on the topic in focus, before what the seat says about options.
fn on_topic(desk: &Desk<'_>, picked: &Picked, mine: &[&Draft], seat: usize, response: &mut Response) {
    let asked = desk.session.asked().iter().position(|id| *id == desk.session.opening().seats[seat].id);
    let open: Vec<&Draft> = picked.questions.iter().filter(|draft| draft.id.is_none()).collect();
    let question = open.get(asked.unwrap_or_default() % open.len().max(1)).map(|draft| draft.title.as_str());
    let topic = picked.focus.first().map(|(name, _)| within(name));
    let said = match (&topic, mine.first()) {
        (Some(topic), Some(draft)) => found(desk, topic, draft, seat),
        (Some(topic), None) => match question {
            Some(question) => missing(topic, question, seat),
            None => format!("On {topic} I have nothing to add to what is on the table."),
        },
        (None, _) => standing(desk, seat),
    };
    // Without a playbook the base answer is a question of the role; it is kept as a concern.
    let base = std::mem::take(&mut response.position);
    response.position = match desk.table {
        Some(_) if topic.is_some() => format!("{said} {base}"),
        Some(_) => base,
        None => said,
    };
    if let Some(question) = question.filter(|question| !mine.is_empty() && !response.position.contains(question)) {
        response.concerns.insert(0, format!("{OPEN}{question}"));
    }
}

fn found(desk: &Desk<'_>, topic: &str, draft: &Draft, seat: usize) -> String {
    let noun = draft.kind.noun();
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    let loaded = desk.is_loaded(&draft.title);
    let what = if loaded { "what I quote below" } else { &draft.title };
    let what = within(what);
    let stop = if what.ends_with('…') { "" } else { "." };
    match seat % 3 {
        0 => format!("On {topic} I would keep this as {article} {noun}: {what}{stop}"),
        1 => format!("For {topic} I start from what is stated and put down {article} {noun}: {what}{stop}"),
        _ => format!("Under {topic} one {noun} belongs for me: {what}{stop}"),
    }
}

fn missing(topic: &str, question: &str, seat: usize) -> String {
    match seat % 3 {
        0 => format!("On {topic} nothing is stated that I could build on; I would first ask: {}", within(question)),
        1 => format!("For {topic} I will not guess; somebody has to say: {}", within(question)),
        _ => format!("Under {topic} I have only a question: {}", within(question)),
    }
}

/// Where no topic is in focus: what the seat makes of all that is kept.
fn standing(desk: &Desk<'_>, seat: usize) -> String {
    let live = desk.kept().count();
    let open: Vec<&str> = desk.open().map(|artifact| artifact.title.as_str()).collect();
    let title = desk.title(seat);
    let kept = format!("As {title} I can live with the {} artifacts so far", counted(live));
    let at = seat + desk.session.rounds().len();
    match open.get(at % open.len().max(1)) {
        Some(question) => format!("{kept}; of the open questions I would answer this first: {}", within(question)),
        None => format!("{kept}, and no question is open for me in round {}.", desk.session.round_number()),
    }
}

fn ballot_position(desk: &Desk<'_>, seat: usize, response: &Response) -> String {
    let count = |choice: Choice| response.votes.values().filter(|vote| vote.choice == choice).count();
    let (support, aside, block) = (count(Choice::Support), count(Choice::StandAside), count(Choice::Block));
    let title = desk.title(seat);
    format!(
        "As {title} I support {}, stand aside from {} and block {}.",
        counted(support),
        counted(aside),
        counted(block)
    )
}

impl Desk<'_> {
    /// A seat's title as it is said aloud.
    fn title(&self, seat: usize) -> String {
        let seat = &self.session.opening().seats[seat];
        spoken_title(self.session, role_of(self.roles, seat), seat)
    }

    /// Whether a text holds a word that calls a person.
    fn is_loaded(&self, text: &str) -> bool {
        self.session.opening().settings.escalation.critical_keywords.iter().any(|word| has_word(text, word))
    }
}
