//! The life of each conflict of a session: when it opened, who held what, how old it grew, how it was settled.
//! Given the minutes, and the folded session where there is one; hands on lives, the oldest first. A conflict that is
//! named again after its end has a second life. Deliberately absent: any rule; what is open is what the engine says.

use std::collections::BTreeMap;

use s2s_engine::Session;
use s2s_engine::opening::SeatId;
use s2s_engine::record::RulingChoice;
use s2s_engine::reply::ResolutionType;
use s2s_store::Minutes;
use serde::Serialize;

/// One conflict, from its opening to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Life {
    /// Its id.
    pub id: String,
    /// What it is about, in its last words.
    pub description: String,
    /// The round that named it first.
    pub opened: u32,
    /// Every round that named it, with who held what there.
    pub rounds: Vec<Named>,
    /// For how many rounds it was or is open, the first one counted.
    pub age: u32,
    /// The escalations that were about it.
    pub escalations: Vec<String>,
    /// How it was settled; none = it is open.
    pub settled: Option<Settled>,
}

/// A conflict in one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The round.
    pub round: u32,
    /// Who held what.
    pub positions: BTreeMap<SeatId, String>,
}

/// The end of a conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settled {
    /// The round in or after which.
    pub round: u32,
    /// By whom.
    pub by: ResolutionType,
    /// The escalation whose ruling did it, if one did.
    pub escalation: Option<String>,
    /// In words, where some were given.
    pub text: String,
}

/// All conflicts of a session.
pub fn lives(minutes: &Minutes, session: Option<&Session>) -> Vec<Life> {
    let mut lives: Vec<Life> = Vec::new();
    for round in minutes.rounds() {
        for resolution in &round.resolved {
            let settled = Settled {
                round: round.number,
                by: resolution.resolution_type,
                escalation: None,
                text: resolution.resolution.clone(),
            };
            settle(&mut lives, &resolution.conflict_id, settled);
        }
        for conflict in &round.conflicts {
            let named = Named { round: round.number, positions: conflict.positions.clone() };
            match open(&mut lives, &conflict.id) {
                Some(life) => {
                    life.rounds.push(named);
                    if !conflict.description.trim().is_empty() {
                        life.description.clone_from(&conflict.description);
                    }
                }
                None => lives.push(Life {
                    id: conflict.id.clone(),
                    description: conflict.description.clone(),
                    opened: round.number,
                    rounds: vec![named],
                    age: 0,
                    escalations: Vec::new(),
                    settled: None,
                }),
            }
        }
        rule(minutes, round.number, &mut lives);
    }
    let last = minutes.total_rounds();
    for life in &mut lives {
        let counted = session.and_then(|session| session.open_conflicts().find(|open| open.id == life.id));
        let until = life.settled.as_ref().map_or(last, |settled| settled.round);
        let age = (until + 1).saturating_sub(life.opened);
        life.age = counted.filter(|_| life.settled.is_none()).map_or(age, |open| open.age);
    }
    lives
}

/// What the escalations of a round made of the conflicts they were about.
fn rule(minutes: &Minutes, round: u32, lives: &mut [Life]) {
    for escalation in minutes.escalations().iter().filter(|raised| raised.round == round) {
        for id in &escalation.conflicts {
            if let Some(life) = open(lives, id) {
                life.escalations.push(escalation.id.clone());
            }
            let Some(ruling) = &escalation.ruling else { continue };
            let by = match ruling.choice {
                RulingChoice::Accept => ResolutionType::Facilitator,
                RulingChoice::Decide => ResolutionType::User,
                _ => continue,
            };
            let recommended = escalation.recommendation.clone().filter(|_| ruling.choice == RulingChoice::Accept);
            let text = ruling.text.clone().or(recommended).unwrap_or_default();
            settle(lives, id, Settled { round, by, escalation: Some(escalation.id.clone()), text });
        }
    }
}

fn open<'l>(lives: &'l mut [Life], id: &str) -> Option<&'l mut Life> {
    lives.iter_mut().rfind(|life| life.id == id && life.settled.is_none())
}

fn settle(lives: &mut [Life], id: &str, settled: Settled) {
    if let Some(life) = open(lives, id) {
        life.settled = Some(settled);
    }
}
