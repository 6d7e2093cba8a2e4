//! Votes: what a seat says to each point that is put to it, from its own count.
//! A seat supports what belongs to the option it leans to or one it scores almost as high, stands aside in
//! between, and blocks an option that is poor on the criterion it counts most. Given points by id; hands on
//! votes with reasons. Deliberately absent: counting.

use std::collections::BTreeMap;

use s2s_engine::counted;
use s2s_engine::reply::{Choice, PointId, Vote};

use super::claims::{ADDED, FIND_OUT, FIRST_STEP, LEAVE_OUT, REVISIT, revisit};
use super::said::Line;
use super::speak::Speech;
use super::subject::first_option;
use super::table::Table;
use super::words::within;

/// How far behind its favourite an option may be and still be supported.
const NEAR: f64 = 0.2;

/// What a point is about.
enum Claim {
    /// To choose an option.
    Choose(usize),
    /// To choose it with what answers an objection.
    Amended(usize),
    /// Something that follows once an option is chosen.
    Follows(usize),
    /// Right under every option.
    Common,
    /// Something the playbook does not know.
    Strange,
}

/// The votes of a seat on these points.
pub(super) fn votes(table: &Table<'_>, seat: usize, held: u32, ballot: &[PointId]) -> BTreeMap<PointId, Vote> {
    let known = ballot.iter().filter_map(|id| table.session.point(id));
    known.map(|point| (point.id.clone(), vote(table, seat, held, &point.text))).collect()
}

fn vote(table: &Table<'_>, seat: usize, held: u32, text: &str) -> Vote {
    let choice = |choice| Vote { choice, reason: None };
    match claim(table, text) {
        Claim::Common => choice(Choice::Support),
        Claim::Strange => {
            let reason = "The playbook says nothing about this, so I neither support nor block it.";
            Vote { choice: Choice::StandAside, reason: Some(reason.to_owned()) }
        }
        Claim::Follows(option) if near(table, seat, held, option) => choice(Choice::Support),
        Claim::Follows(_) => choice(Choice::StandAside),
        Claim::Choose(option) => on_option(table, seat, held, option),
        Claim::Amended(option) => on_amended(table, seat, held, option),
    }
}

/// Whether an option is a seat's own, or so close to it that it makes no difference.
pub(super) fn near(table: &Table<'_>, seat: usize, held: u32, option: usize) -> bool {
    let view = &table.views[seat];
    table.voting_for(seat, held) == option || view.score_of(view.favourite()) - view.score_of(option) <= NEAR
}

/// What a seat says to an option. One that has another favourite says so, even where it goes along.
pub(super) fn on_option(table: &Table<'_>, seat: usize, held: u32, option: usize) -> Vote {
    let view = &table.views[seat];
    let (most, own) = (view.matters[0], view.favourite());
    let (mine, theirs) = (view.score_of(own), view.score_of(option));
    let (name, kept, about) = (table.name(option), table.name(own), table.about(most));
    if own == option {
        return Vote { choice: Choice::Support, reason: None };
    }
    if near(table, seat, held, option) {
        let reason = format!("My own weights have {kept} ahead, {mine:.1} to {theirs:.1}; I go along with {name}.");
        return Vote { choice: Choice::Support, reason: Some(reason) };
    }
    let told = table.times_told(held) > 0;
    if table.score(option, most) <= 2.0 && table.score(own, most) >= 3.0 && !told {
        let reason = format!("I count {about} most, and with {name} {}.", table.reason(option, most));
        return Vote { choice: Choice::Block, reason: Some(reason) };
    }
    let reason = match told {
        true => format!(
            "I count {about} most and would choose {kept}, {mine:.1} to {theirs:.1}; I do not stand in the way."
        ),
        false => format!("By my weights it is {kept} {mine:.1}, {name} {theirs:.1} of 5; I can live with it."),
    };
    Vote { choice: Choice::StandAside, reason: Some(reason) }
}

/// What a seat says to an option that comes with an answer to the objection: nobody blocks it any more.
pub(super) fn on_amended(table: &Table<'_>, seat: usize, held: u32, option: usize) -> Vote {
    let vote = on_option(table, seat, held, option);
    if vote.choice != Choice::Block {
        return vote;
    }
    let about = table.about(table.views[seat].matters[0]);
    let reason = format!("I would not choose it, for {about}; with what was added I can live with it.");
    Vote { choice: Choice::StandAside, reason: Some(reason) }
}

/// Whether a point was claimed at this table, word for word.
pub(super) fn knows(table: &Table<'_>, text: &str) -> bool {
    known(table, text).is_some()
}

fn claim(table: &Table<'_>, text: &str) -> Claim {
    let by_name = || first_option(table.playbook(), text).map_or(Claim::Strange, Claim::Choose);
    known(table, text).unwrap_or_else(by_name)
}

/// What a point is about that the playbook has word for word.
fn known(table: &Table<'_>, text: &str) -> Option<Claim> {
    let playbook = table.playbook();
    for (at, option) in playbook.options.iter().enumerate() {
        let follows = text.strip_prefix(FIRST_STEP).is_some_and(|step| same(step, &option.start_with))
            || text.strip_prefix(REVISIT).is_some_and(|when| same(when, &option.revisit_when))
            || same(text, &revisit(table, at))
            || option.risks.iter().any(|risk| same(text, &risk.mitigation));
        let decide = table.decide(at);
        if same(text, &decide) {
            return Some(Claim::Choose(at));
        }
        if text.strip_prefix(decide.as_str()).is_some_and(|rest| rest.starts_with(ADDED)) {
            return Some(Claim::Amended(at));
        }
        if follows {
            return Some(Claim::Follows(at));
        }
    }
    let practice = playbook.whichever.iter().any(|practice| same(text, &practice.text));
    let asked = |what: &str| playbook.criteria.iter().any(|criterion| same(what, &criterion.find_out));
    if practice || text.strip_prefix(FIND_OUT).is_some_and(asked) {
        return Some(Claim::Common);
    }
    let left_out = |what: &str| what.contains(&table.option(table.strongest()).revisit_when);
    if text.strip_prefix(LEAVE_OUT).is_some_and(left_out) {
        return Some(Claim::Follows(table.strongest()));
    }
    None
}

fn same(one: &str, other: &str) -> bool {
    let plain = |text: &str| text.trim().trim_end_matches('.').to_lowercase();
    plain(one) == plain(other)
}

/// What a seat says when it has to support, stand aside or block, with what would lift a block.
pub(super) fn verdict(table: &Table<'_>, seat: usize, held: u32, option: usize) -> Vec<Line> {
    let name = table.name(option);
    let vote = on_option(table, seat, held, option);
    let most = table.views[seat].matters[0];
    let fix =
        table.risks(option, seat, most).first().map(|&(at, _)| within(&table.option(option).risks[at].mitigation));
    let lift = fix.map(|fix| format!(" The smallest change that would help: {fix}.")).unwrap_or_default();
    let reason = vote.reason.as_deref().map(within).unwrap_or_default();
    let text = match vote.choice {
        Choice::Support => return Vec::new(),
        Choice::StandAside => format!("I stand aside on {name}: {reason}{lift}"),
        Choice::Block => format!("I block {name} as it stands: {reason}{lift}"),
    };
    vec![Line::new(format!("verdict:{option}:{seat}:{held}"), text)]
}

/// What a seat says beside its votes in a ballot round.
pub(super) fn ballot_speech(table: &Table<'_>, seat: usize, held: u32) -> Speech {
    let view = &table.views[seat];
    let counts: Vec<String> =
        view.ranked.iter().take(3).map(|(option, score)| format!("{} {score:.2}", table.name(*option))).collect();
    let (counts, most) = (counts.join(", "), table.about(view.matters[0]));
    let held = counted(held, "round");
    let position = match (table.method().two_sides, seat % 3) {
        (true, _) => {
            format!("Out of my debating role after {held}, and with {most} first on my list, I make it {counts}.")
        }
        (false, 0) => format!("My count after {held}, with {most} first on my list: {counts}."),
        (false, 1) => format!("I vote with {most} uppermost, which after {held} makes it {counts}."),
        (false, _) => format!("After {held} it comes out as {counts} for me, with most weight on {most}."),
    };
    let (own, chosen) = (view.favourite(), table.strongest());
    let note = (own != chosen).then(|| {
        let (kept, against) = (table.name(own), table.name(chosen));
        let (mine, theirs) = (view.score_of(own), view.score_of(chosen));
        format!(
            "My own weights still put {kept} before {against} after {held}, {mine:.2} to {theirs:.2}; please keep that on record."
        )
    });
    Speech { position, rationale: Vec::new(), concerns: note.into_iter().collect() }
}
