//! What each seat said, round by round, and the option that it spoke for.
//! Given the session; hands on answers with their leaning. Without answers (a session resumed without its
//! tape) the positions in conflicts stand in. Deliberately absent: what an answer makes of an option.

use s2s_engine::Session;
use s2s_engine::opening::SeatId;
use s2s_engine::record::RoundKind;

use super::escape::inline;
use super::names::Names;
use super::view::Statement;
use super::words::same_text;

/// One answer, or what stands in for it, and the option it speaks for.
pub(super) struct Heard<'s> {
    pub(super) round: u32,
    pub(super) seat: &'s SeatId,
    pub(super) position: &'s str,
    pub(super) rationale: &'s [String],
    pub(super) concerns: &'s [String],
    pub(super) speaks_for: Option<usize>,
}

impl Heard<'_> {
    /// Something of this answer, with its source.
    pub(super) fn statement(&self, text: &str) -> Statement {
        Statement { text: inline(text), source: format!("round {}, {}", self.round, inline(self.seat)) }
    }

    /// Adds something of this answer to a list, or its source to what says the same there.
    pub(super) fn note(&self, list: &mut Vec<Statement>, text: &str) {
        let new = self.statement(text);
        if new.text.is_empty() {
            return;
        }
        match list.iter_mut().find(|old| same_text(&old.text) == same_text(&new.text)) {
            Some(old) if old.source.split("; ").any(|source| source == new.source) => {}
            Some(old) => old.source.push_str(&format!("; {}", new.source)),
            None => list.push(new),
        }
    }
}

/// Every answer of the discussion, in order.
pub(super) fn heard(session: &Session) -> Vec<Heard<'_>> {
    let mut heard = Vec::new();
    // A point voted down is a conflict too, but its positions are blocks of that point.
    let voted = |id: &str| session.points().iter().any(|point| point.conflict == id);
    for round in session.rounds().iter().filter(|round| round.kind == RoundKind::Discussion) {
        let number = round.number;
        let speaks_for = None;
        match session.answers_of(number) {
            Some(answers) => heard.extend(answers.iter().map(|answer| Heard {
                round: number,
                seat: &answer.participant,
                position: &answer.position,
                rationale: &answer.rationale,
                concerns: &answer.concerns,
                speaks_for,
            })),
            None => {
                let positions = round
                    .conflicts
                    .iter()
                    .filter(|conflict| !voted(&conflict.id))
                    .flat_map(|conflict| &conflict.positions);
                heard.extend(positions.map(|(seat, position)| Heard {
                    round: number,
                    seat,
                    position,
                    rationale: &[],
                    concerns: &[],
                    speaks_for,
                }));
            }
        }
    }
    heard.retain(|said| !said.position.trim().is_empty());
    heard
}

/// Finds the option that each answer speaks for. A side of a debate is kept from its first words to its
/// last, whatever it grants the other; elsewhere a seat that names no option stays with what it held.
pub(super) fn settle_leanings(session: &Session, heard: &mut [Heard<'_>], names: &Names) {
    for said in heard.iter_mut() {
        said.speaks_for = names.spoken_for(said.position);
    }
    if session.opening().sides.is_some() {
        let of_side = |side: &str| -> Vec<usize> {
            let seats = session.opening().seats.iter().filter(|seat| session.side_of(&seat.id) == Some(side));
            seats.filter_map(|seat| heard.iter().find(|said| *said.seat == seat.id)?.speaks_for).collect()
        };
        let pro = most(&of_side("pro"));
        let con = match (pro, names.len()) {
            (Some(pro), 2) => Some(1 - pro),
            _ => most(&of_side("con")),
        };
        for said in heard.iter_mut() {
            said.speaks_for = if session.side_of(said.seat) == Some("pro") { pro } else { con };
        }
        return;
    }
    for at in 1..heard.len() {
        if heard[at].speaks_for.is_none() {
            let seat = heard[at].seat;
            heard[at].speaks_for =
                heard[..at].iter().rev().find(|said| said.seat == seat).and_then(|said| said.speaks_for);
        }
    }
}

fn most(options: &[usize]) -> Option<usize> {
    options.iter().copied().max_by_key(|option| options.iter().filter(|other| *other == option).count())
}
