//! The numbers of a session: confidence by seat and round, agreement of seats, conflicts over the rounds.
//! Given the rounds and escalations of the record; hands on what the charts draw. Each round is looked at once. Deliberately
//! absent: drawing, and any weight: a vote is a vote here, whatever the policy made of it.

use std::collections::{BTreeMap, HashMap};

use s2s_engine::record::{Escalation, Round, RulingChoice, Tally};
use s2s_engine::reply::ResolutionType;
use s2s_store::Minutes;

use super::view::{Agreement, End, Figures, Names, PointView, Series, Span};

/// The numbers of these minutes.
pub(super) fn figures<'a>(minutes: &'a Minutes, names: &Names<'a>, points: &[PointView<'a>]) -> Figures<'a> {
    let sure: Vec<&Round> = minutes.rounds().iter().filter(|round| !round.confidence.is_empty()).collect();
    let values = |seat: &str| sure.iter().map(|round| round.confidence.get(seat).copied()).collect::<Vec<_>>();
    let series = minutes.seats().iter().map(|seat| Series { seat: names.of(&seat.id), values: values(&seat.id) });
    let mean = |round: &&Round| Some(round.confidence.values().sum::<f64>() / round.confidence.len() as f64);
    Figures {
        rounds: sure.iter().map(|round| round.number).collect(),
        confidence: series.filter(|series| series.values.iter().any(Option::is_some)).collect(),
        mean: sure.iter().map(mean).collect(),
        floor: minutes.settings().map(|settings| settings.escalation.confidence_below),
        agreement: agreement(minutes, names),
        conflicts: conflicts(minutes.rounds(), minutes.escalations()),
        held: minutes.rounds().len() as u32,
        votes: points.iter().filter(|point| point.vote.is_some()).copied().collect(),
    }
}

/// What each seat chose in each vote, then every two seats beside each other. Who did not vote is not counted.
fn agreement<'a>(minutes: &'a Minutes, names: &Names<'a>) -> Option<Agreement<'a>> {
    let place: HashMap<&str, usize> =
        minutes.seats().iter().enumerate().map(|(place, seat)| (&*seat.id, place)).collect();
    let votes: Vec<Vec<Option<u8>>> =
        minutes.rounds().iter().flat_map(|round| &round.tallies).map(|tally| choices(tally, &place)).collect();
    let voters: Vec<usize> = (0..place.len()).filter(|seat| votes.iter().any(|vote| vote[*seat].is_some())).collect();
    if voters.len() < 2 {
        return None;
    }
    let pair = |one: usize, other: usize| {
        votes.iter().fold((0, 0), |(alike, both), vote| match (vote[one], vote[other]) {
            (Some(one), Some(other)) => (alike + u32::from(one == other), both + 1),
            _ => (alike, both),
        })
    };
    let row = |one: &usize| voters.iter().map(|other| pair(*one, *other)).collect();
    Some(Agreement {
        seats: voters.iter().map(|seat| names.of(&minutes.seats()[*seat].id)).collect(),
        pairs: voters.iter().map(row).collect(),
    })
}

fn choices(tally: &Tally, place: &HashMap<&str, usize>) -> Vec<Option<u8>> {
    let mut chosen = vec![None; place.len()];
    let support = tally.support.iter().map(|seat| (&**seat, 0));
    let aside = tally.stand_aside.iter().map(|seat| (&**seat, 1));
    let block = tally.block.iter().map(|block| (&*block.seat, 2));
    for (seat, choice) in support.chain(aside).chain(block) {
        if let Some(place) = place.get(seat) {
            chosen[*place] = Some(choice);
        }
    }
    chosen
}

/// Every conflict in the order in which they were named. One that comes back after its end has a second line.
fn conflicts<'a>(rounds: &'a [Round], escalations: &'a [Escalation]) -> Vec<Span<'a>> {
    let mut spans: Vec<Span<'a>> = Vec::new();
    let mut open: BTreeMap<&'a str, usize> = BTreeMap::new();
    let mut raised = escalations.iter().peekable();
    for round in rounds {
        for end in &round.resolved {
            if let Some(place) = open.remove(end.conflict_id.as_str()) {
                spans[place].end = Some(End { by: by(end.resolution_type), how: &end.resolution });
                spans[place].until = round.number;
            }
        }
        for conflict in &round.conflicts {
            let place = *open.entry(&conflict.id).or_insert_with(|| {
                spans.push(Span {
                    id: &conflict.id,
                    description: "",
                    since: round.number,
                    until: round.number,
                    end: None,
                    positions: BTreeMap::new(),
                });
                spans.len() - 1
            });
            if !conflict.description.trim().is_empty() {
                spans[place].description = &conflict.description;
            }
            let held = conflict.positions.iter().map(|(seat, text)| (&**seat, text.as_str()));
            spans[place].positions.extend(held);
        }
        while let Some(escalation) = raised.next_if(|escalation| escalation.round <= round.number) {
            ruled(escalation, &mut open, &mut spans);
        }
    }
    let held = rounds.last().map_or(0, |round| round.number);
    open.values().for_each(|place| spans[*place].until = held);
    spans
}

/// A ruling may end the conflicts that were put before the person (E8).
fn ruled<'a>(escalation: &'a Escalation, open: &mut BTreeMap<&'a str, usize>, spans: &mut [Span<'a>]) {
    let Some(ruling) = &escalation.ruling else { return };
    let by = match ruling.choice {
        RulingChoice::Accept => "by a ruling: the recommendation was taken",
        RulingChoice::Decide => "by a person's decision",
        _ => return,
    };
    for id in &escalation.conflicts {
        if let Some(place) = open.remove(id.as_str()) {
            let how = ruling.text.as_deref().or(escalation.recommendation.as_deref());
            spans[place].end = Some(End { by, how: how.unwrap_or_default() });
            spans[place].until = escalation.round;
        }
    }
}

fn by(kind: ResolutionType) -> &'static str {
    match kind {
        ResolutionType::Consensus => "the seats came together",
        ResolutionType::Facilitator => "by the facilitator's recommendation",
        ResolutionType::User => "by a person",
    }
}
