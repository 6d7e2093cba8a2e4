//! The question of a round in which no topic of the agenda is open: what is kept so far, and what is not.
//! Given the question as it would be asked anyway; hands on that one, or one about the artifacts. Deliberately
//! absent: questions on topics, which the panel asks anyway, and free discussions.

use s2s_engine::opening::Workflow;
use s2s_engine::reply::Question;
use s2s_engine::strategy::Asks;

use super::super::asking::open_topic;
use super::Desk;

/// What is asked, another one each round.
const ON_WHAT_IS_KEPT: [(&str, &str); 4] = [
    ("What could not stay", "Which of the artifacts so far could you not support as it reads, and what would mend it?"),
    ("What is missing", "What would somebody who has to build this miss in the artifacts so far?"),
    ("What must be answered", "Which open question has to be answered before anything else, and by whom?"),
    ("What may be wrong", "Which of the artifacts so far rests on the weakest statement?"),
];

/// The question of the round.
pub(super) fn question(desk: &Desk<'_>, question: Question) -> Question {
    let session = desk.session;
    let free = session.opening().workflow == Workflow::Brainstorm || desk.table.is_some();
    if free || open_topic(session).is_some() || session.phase().asks == Asks::None {
        return question;
    }
    let (focus, asks) = ON_WHAT_IS_KEPT[session.rounds().len() % ON_WHAT_IS_KEPT.len()];
    Question { question: asks.to_owned(), focus: focus.to_owned(), ..question }
}
