//! The running account of a session: points, conflicts, coverage, settled causes, counts.
//! Given one committed round or ruling at a time, it keeps what the rules ask about (S4), so that no
//! rule ever walks back over old rounds. Deliberately absent: decisions.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::holding::Holdings;
use crate::opening::{Coverage, Opening, SeatId};
use crate::record::{Escalation, Round, RoundKind, RuledBy, Ruling, RulingChoice, Tally};
use crate::reply::{Conflict, PointId, Resolution, ResolutionType};
use crate::slug::conflict_id;

/// A claimed point and what the panel made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// `C{round}.{position}`.
    pub id: PointId,
    /// The claim.
    pub text: String,
    /// The round that claimed it.
    pub round: u32,
    /// Where it stands.
    pub standing: Standing,
    /// The id of the conflict that it becomes if the panel votes it down (V3).
    pub conflict: String,
}

/// Where a point stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Claimed, not voted on yet.
    Unvoted,
    /// The panel carried it.
    Carried,
    /// The panel did not; it became a conflict (V3).
    Failed,
}

/// A conflict that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenConflict {
    /// Slug.
    pub id: String,
    /// What it is about.
    pub description: String,
    /// Who holds what.
    pub positions: BTreeMap<SeatId, String>,
    /// The round that named it.
    pub since: u32,
    /// Rounds it has been open, counting those that track conflicts.
    pub age: u32,
    /// The age at which it escalates (E1, E7).
    pub fires_at: u32,
}

/// A point that failed, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FailedPoint {
    point: usize,
    /// The round in which its conflict was closed last, and whether a person did it.
    closed: Option<(u32, bool)>,
    /// Whether the same claim was carried in a later vote.
    redeemed: bool,
}

/// The folded account.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ledger {
    pub(crate) phase: usize,
    pub(crate) rounds_in_phase: u32,
    pub(crate) total_rounds: u32,
    pub(crate) points: Vec<Point>,
    point_by_id: HashMap<PointId, usize>,
    point_by_text: HashMap<String, usize>,
    conflict_names: HashSet<String>,
    unvoted: Vec<usize>,
    pub(crate) carried: u32,
    pub(crate) conflicts: BTreeMap<String, OpenConflict>,
    pub(crate) coverage: Vec<Coverage>,
    /// The criteria that each topic has met (A5).
    pub(crate) met: Vec<BTreeSet<u32>>,
    pub(crate) holdings: Holdings,
    /// Causes that were answered, and whether a person ever did.
    settled: HashMap<(String, String), bool>,
    pub(crate) probes_used: Vec<String>,
    /// The first round of the degraded streak under way, and its length (E6).
    pub(crate) degraded_streak: Option<(u32, u32)>,
    pub(crate) degraded_rounds: u32,
    pub(crate) silent: Vec<SeatId>,
    failed: Vec<FailedPoint>,
    pub(crate) granted_until: u32,
    /// The last round of those that a person added after the end (D9).
    pub(crate) extended_until: u32,
}

impl Ledger {
    pub(crate) fn new(opening: &Opening) -> Self {
        Self {
            coverage: vec![Coverage::Pending; opening.agenda.len()],
            met: vec![BTreeSet::new(); opening.agenda.len()],
            holdings: Holdings::new(opening.register.as_ref()),
            ..Self::default()
        }
    }

    /// Takes a round into the account.
    pub(crate) fn absorb(&mut self, opening: &Opening, round: &Round) {
        let method = &opening.settings.method;
        if let Some(index) = method.phase_index(&round.phase)
            && index != self.phase
        {
            self.phase = index;
            self.rounds_in_phase = 0;
        }
        self.total_rounds += 1;
        if round.kind == RoundKind::Discussion {
            self.rounds_in_phase += 1;
        }
        if round.probing {
            self.probes_used.push(round.question.clone());
        }
        self.note_degraded(round);
        if !round.asked.is_empty() {
            self.silent.clone_from(&round.no_response);
        }
        for tally in &round.tallies {
            self.count(tally);
            self.holdings.count(tally);
        }
        for resolution in &round.resolved {
            self.resolve(resolution, round.number, false);
        }
        for conflict in &round.conflicts {
            self.name_conflict(opening, conflict, round.number);
        }
        self.claim(&round.consensus, round.number);
        self.holdings.absorb(&round.artifacts, round.number);
        for covered in &round.agenda_coverage {
            if let Some(index) = opening.agenda.iter().position(|topic| topic.id == covered.topic) {
                self.coverage[index] = self.coverage[index].max(covered.status);
                self.met[index].extend(&covered.met);
            }
        }
        if round.kind == RoundKind::Discussion && method.phases[self.phase].tracks {
            for conflict in self.conflicts.values_mut() {
                conflict.age += 1;
            }
        }
    }

    /// A ballot round asks nothing of the facilitator, so it neither makes a streak nor ends one (E6).
    fn note_degraded(&mut self, round: &Round) {
        if round.kind == RoundKind::Ballot {
            return;
        }
        self.degraded_streak = match (round.degraded.is_empty(), self.degraded_streak) {
            (true, _) => None,
            (false, None) => Some((round.number, 1)),
            (false, Some((since, rounds))) => Some((since, rounds + 1)),
        };
        self.degraded_rounds += u32::from(!round.degraded.is_empty());
    }

    fn claim(&mut self, texts: &[String], round: u32) {
        for (position, text) in texts.iter().enumerate() {
            let same = same_text(text);
            if self.stands(&same) {
                continue;
            }
            let id = point_id(round, position);
            let conflict = self.conflict_name(&same, text, &id);
            let index = self.points.len();
            self.point_by_text.insert(same, index);
            self.point_by_id.insert(id.clone(), index);
            self.unvoted.push(index);
            self.points.push(Point { id, text: text.clone(), round, standing: Standing::Unvoted, conflict });
        }
    }

    /// V3: the slug of the point. The same claim made again keeps its name; another claim that begins
    /// with the same words gets its point's id added, or one conflict would stand for both.
    fn conflict_name(&mut self, same: &str, text: &str, id: &str) -> String {
        if let Some(&index) = self.point_by_text.get(same) {
            return self.points[index].conflict.clone();
        }
        let name = conflict_id(text);
        if self.conflict_names.insert(name.clone()) { name } else { format!("{name}-{}", conflict_id(id)) }
    }

    /// Whether this claim (as `same_text` gives it) is already a point that has not failed.
    pub(crate) fn stands(&self, same: &str) -> bool {
        self.point_by_text.get(same).is_some_and(|&index| self.points[index].standing != Standing::Failed)
    }

    /// Whether a point voted down has left the conflict with this id.
    pub(crate) fn voted_down(&self, conflict: &str) -> bool {
        self.failed.iter().any(|failed| self.points[failed.point].conflict == conflict)
    }

    fn count(&mut self, tally: &Tally) {
        let Some(&index) = self.point_by_id.get(&tally.point) else { return };
        self.unvoted.retain(|&unvoted| unvoted != index);
        let Self { points, failed, .. } = self;
        if points[index].standing != Standing::Unvoted {
            return;
        }
        if tally.carried {
            points[index].standing = Standing::Carried;
            self.carried += 1;
            for failed in failed.iter_mut().filter(|failed| points[failed.point].conflict == points[index].conflict) {
                failed.redeemed = true;
            }
        } else {
            points[index].standing = Standing::Failed;
            failed.push(FailedPoint { point: index, closed: None, redeemed: false });
        }
    }

    fn name_conflict(&mut self, opening: &Opening, named: &Conflict, round: u32) {
        let fires_at = opening.settings.escalation.max_rounds_per_conflict;
        self.holdings.close_conflict(&named.id, false);
        let open = self.conflicts.entry(named.id.clone()).or_insert_with(|| OpenConflict {
            id: named.id.clone(),
            description: String::new(),
            positions: BTreeMap::new(),
            since: round,
            age: 0,
            fires_at,
        });
        if !named.description.is_empty() {
            open.description.clone_from(&named.description);
        }
        for (seat, position) in &named.positions {
            open.positions.insert(seat.clone(), position.clone());
        }
    }

    fn resolve(&mut self, resolution: &Resolution, round: u32, by_person: bool) {
        if self.conflicts.remove(&resolution.conflict_id).is_none() {
            return;
        }
        self.holdings.close_conflict(&resolution.conflict_id, true);
        let person = by_person || resolution.resolution_type == ResolutionType::User;
        let Self { points, failed, .. } = self;
        for failed in failed.iter_mut().filter(|failed| points[failed.point].conflict == resolution.conflict_id) {
            failed.closed = Some((round, person));
        }
    }

    /// Takes a ruling into the account: settles its causes, closes or extends its conflicts (E7, E8).
    pub(crate) fn rule(&mut self, opening: &Opening, escalation: &Escalation, ruling: &Ruling) {
        let person = ruling.by == RuledBy::Person;
        let granted = ruling.rounds.unwrap_or(opening.settings.escalation.max_rounds_per_conflict);
        let closes = match ruling.choice {
            RulingChoice::Accept => Some(ResolutionType::Facilitator),
            RulingChoice::Decide => Some(ResolutionType::User),
            _ => None,
        };
        for cause in &escalation.causes {
            *self.settled.entry((cause.rule.clone(), cause.subject.clone())).or_default() |= person;
        }
        for id in &escalation.conflicts {
            if let Some(resolution_type) = closes {
                let resolution = Resolution { conflict_id: id.clone(), resolution: String::new(), resolution_type };
                self.resolve(&resolution, escalation.round, person);
            } else if let Some(conflict) = self.conflicts.get_mut(id) {
                // Rounds granted before are never taken back by a shorter grant.
                conflict.fires_at = conflict.fires_at.max(conflict.age.saturating_add(granted.max(1)));
            }
        }
        if person && matches!(ruling.choice, RulingChoice::Continue | RulingChoice::Discuss) {
            self.granted_until = self.granted_until.max(escalation.round.saturating_add(granted));
        }
    }

    /// A person wants more rounds after the end (D9).
    pub(crate) fn extend(&mut self, rounds: u32) {
        let until = self.total_rounds.saturating_add(rounds.max(1));
        self.extended_until = self.extended_until.max(until);
        self.granted_until = self.granted_until.max(until);
    }

    /// Whether this cause has been answered before (E7). Conflicts have their own clock.
    pub(crate) fn is_settled(&self, rule: &str, subject: &str) -> bool {
        self.settled.contains_key(&(rule.to_owned(), subject.to_owned()))
    }

    /// Whether a person, not a policy, has answered this cause.
    pub(crate) fn is_settled_by_person(&self, rule: &str, subject: &str) -> bool {
        self.settled.get(&(rule.to_owned(), subject.to_owned())).copied().unwrap_or_default()
    }

    /// The points that nobody has voted on.
    pub(crate) fn unvoted(&self) -> impl Iterator<Item = &Point> {
        self.unvoted.iter().map(|&index| &self.points[index])
    }

    pub(crate) fn point(&self, id: &str) -> Option<&Point> {
        self.point_by_id.get(id).map(|&index| &self.points[index])
    }

    /// Points voted down whose conflict was closed by a model's word alone, with nothing carried since.
    pub(crate) fn quietly_dropped(&self) -> impl Iterator<Item = &Point> {
        self.failed.iter().filter_map(|failed| {
            let (round, person) = failed.closed?;
            let replaced = || self.points.iter().any(|p| p.standing == Standing::Carried && p.round >= round);
            let settled = person || failed.redeemed || replaced();
            (!settled).then(|| &self.points[failed.point])
        })
    }
}

/// The id of the point at this position (from 0) of a round.
pub(crate) fn point_id(round: u32, position: usize) -> PointId {
    format!("C{round}.{}", position + 1)
}

/// The form in which two claims count as the same.
pub(crate) fn same_text(text: &str) -> String {
    let mut same = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !same.is_empty() {
            same.push(' ');
        }
        if word.is_ascii() {
            same.push_str(word);
            let start = same.len() - word.len();
            same[start..].make_ascii_lowercase();
        } else {
            same.extend(word.chars().flat_map(char::to_lowercase));
        }
    }
    same.truncate(same.trim_end_matches(['.', '!', ';', ',']).len());
    same
}
