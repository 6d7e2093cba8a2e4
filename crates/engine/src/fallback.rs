//! What stands in when the facilitator gives nothing usable (L4), and how sides are dealt (T3).
//! Given the topic, the seats and the answers; hands on values marked as degraded by the caller.

use std::collections::{BTreeMap, BTreeSet};

use crate::ballot::Answers;
use crate::opening::{Seat, SeatId, Sides};
use crate::reply::{Action, Conflict, Question, Synthesis};
use crate::words::telling_words;

/// The id of the conflict that a fallback synthesis opens.
pub const NEEDS_RESOLUTION: &str = "needs-resolution";

/// The question asked when the facilitator has none.
pub(crate) fn question(topic: &str) -> Question {
    Question {
        question: format!("What are the key considerations for {topic}?"),
        focus: "Core requirements".to_owned(),
        context_summary: String::new(),
        participants: Vec::new(),
    }
}

/// The synthesis used when the facilitator has none: themes by shared words, no consensus.
pub(crate) fn synthesis(topic: &str, answers: &Answers<'_>) -> Synthesis {
    let themes = themes(answers);
    let named = if themes.is_empty() { "none found".to_owned() } else { themes.join(", ") };
    let positions: BTreeMap<SeatId, String> = answers
        .iter()
        .filter_map(|(seat, response)| Some((seat.id.clone(), response.as_ref()?.position.clone())))
        .collect();
    Synthesis {
        synthesis: format!("The seats gave their views on {topic}. Common themes: {named}. Nothing is agreed yet."),
        conflicts: vec![Conflict {
            id: NEEDS_RESOLUTION.to_owned(),
            description: "The positions have not been brought together".to_owned(),
            positions,
        }],
        next_action: Action::Continue,
        next_focus: Some("Where the positions differ, and what they share".to_owned()),
        ..Synthesis::default()
    }
}

/// Up to five words that at least two answers share, the most shared first.
fn themes(answers: &Answers<'_>) -> Vec<String> {
    let mut shared: BTreeMap<String, usize> = BTreeMap::new();
    for (_, response) in answers {
        let Some(response) = response else { continue };
        let texts = std::iter::once(&response.position).chain(&response.rationale);
        let words: BTreeSet<String> = texts.flat_map(|text| telling_words(text)).collect();
        for word in words {
            *shared.entry(word).or_default() += 1;
        }
    }
    let mut ranked: Vec<(String, usize)> = shared.into_iter().filter(|(_, count)| *count >= 2).collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    ranked.into_iter().take(5).map(|(word, _)| word).collect()
}

/// Sides in turn, in seat order (T3).
pub(crate) fn sides(topic: &str, seats: &[Seat]) -> Sides {
    let side = |start: usize| seats.iter().skip(start).step_by(2).map(|seat| seat.id.clone()).collect();
    Sides { pro: side(0), con: side(1), proposal: topic.to_owned() }
}

/// Whether an assignment names everyone once, with sizes that differ by at most one (T3).
pub(crate) fn check_sides(sides: &Sides, seats: &[Seat]) -> Result<(), String> {
    let named: Vec<&SeatId> = sides.pro.iter().chain(&sides.con).collect();
    if let Some(stranger) = named.iter().find(|id| !seats.iter().any(|seat| seat.id == ***id)) {
        return Err(format!("\"{stranger}\" is not at the table"));
    }
    if let Some(seat) = seats.iter().find(|seat| named.iter().filter(|id| **id == &seat.id).count() != 1) {
        return Err(format!("\"{}\" must be on exactly one side", seat.id));
    }
    if sides.pro.is_empty() || sides.con.is_empty() || sides.pro.len().abs_diff(sides.con.len()) > 1 {
        let (pro, con) = (sides.pro.len(), sides.con.len());
        return Err(format!("the sides must be of equal size, or differ by one: {pro} for, {con} against"));
    }
    Ok(())
}
