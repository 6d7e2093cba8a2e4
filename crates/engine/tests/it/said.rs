//! What a scenario lets people say, as the engine's replies: sides, questions, responses, rulings.
//! Given the words after a line's name (`table.rs` says which); hands on what a panel or a person would have said.

use s2s_engine::opening::{SeatId, Sides};
use s2s_engine::record::{RuledBy, Ruling, RulingChoice};
use s2s_engine::reply::{Choice, Question, Response, Vote};
use s2s_engine::step::Brief;

/// `a b | c`: the seats for and against.
pub fn sides(said: &str) -> Sides {
    let (pro, con) = said.split_once('|').unwrap_or((said, ""));
    let side = |text: &str| text.split_whitespace().map(SeatId::from).collect();
    Sides { pro: side(pro), con: side(con), proposal: String::new() }
}

/// `text -> a b`; nothing = a question to all. `blank` = one without words.
pub fn question(said: &str, number: u32) -> Question {
    let (text, named) = said.split_once("->").unwrap_or((said, ""));
    let text = match text.trim() {
        "" => format!("Question {number}?"),
        "blank" => String::new(),
        text => text.to_owned(),
    };
    let participants = named.split_whitespace().map(String::from).collect();
    Question { question: text, focus: format!("focus {number}"), context_summary: String::new(), participants }
}

/// `0.8 position | worry: text | doubt: text | +C1.1 -C1.2=reason ~C1.3`; votes default to support.
pub fn response(said: &str, seat: &str, brief: &Brief) -> Response {
    let mut parts = said.split('|').map(str::trim);
    let (confidence, position) = parts.next().unwrap_or("").split_once(' ').unwrap_or((said, ""));
    let mut response = Response {
        position: if position.is_empty() { format!("view of {seat}") } else { position.to_owned() },
        confidence: confidence.trim().parse().unwrap_or(0.7),
        ..Response::default()
    };
    let vote = |choice| Vote { choice, reason: None };
    for point in brief.ballot.iter() {
        response.votes.insert(point.clone(), vote(Choice::Support));
    }
    for part in parts {
        match part.split_once(':') {
            Some(("worry", text)) => response.concerns.push(text.trim().to_owned()),
            Some(("doubt", text)) => response.context_challenge = Some(text.trim().to_owned()),
            _ => {
                for word in part.split_whitespace() {
                    let (point, reason) = word[1..].split_once('=').map_or((&word[1..], None), |(p, r)| (p, Some(r)));
                    let choice = match &word[..1] {
                        "+" => Choice::Support,
                        "~" => Choice::StandAside,
                        "-" => Choice::Block,
                        "?" => {
                            response.votes.remove(point);
                            continue;
                        }
                        other => panic!("vote {other:?}"),
                    };
                    response.votes.insert(point.to_owned(), Vote { choice, reason: reason.map(String::from) });
                }
            }
        }
    }
    response
}

/// `accept`, `decide text`, `continue 2`, `accept_context text`, `keep_context`, `discuss 1`.
pub fn ruling(line: &str) -> Ruling {
    let (choice, rest) = line.split_once(' ').unwrap_or((line, ""));
    let choice: RulingChoice = choice.parse().unwrap();
    let rounds = rest.parse().ok();
    let text = (rounds.is_none() && !rest.is_empty()).then(|| rest.to_owned());
    Ruling { choice, text, rounds, by: RuledBy::Person, name: None, at: None, then: None }
}
