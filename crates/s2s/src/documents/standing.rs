//! What the votes and rulings came to, and when.
//! Given the session; hands on one sentence that hides neither a lost vote nor a ruling, and the day of
//! completion, and rulings that are told in full once.

use jiff::Timestamp;
use s2s_engine::counted;
use s2s_engine::record::RuledBy;
use s2s_engine::{Session, Standing};
use s2s_store::Minutes;

use super::escape::inline;
use super::view::RulingView;

/// The counts of points and rulings in a sentence, as "2 points carried, 1 voted down, none unvoted; no
/// conflict open; ruled by a person: X1".
pub(super) fn standing(session: &Session) -> String {
    let points = |standing: Standing| session.points().iter().filter(|point| point.standing == standing).count();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let or_none = |count: usize| if count == 0 { "none".to_owned() } else { count.to_string() };
    let carried = match points(Standing::Carried) {
        0 => "No point carried".to_owned(),
        count => format!("{} carried", counted(number(count), "point")),
    };
    let (failed, unvoted) = (or_none(points(Standing::Failed)), or_none(points(Standing::Unvoted)));
    let open = match session.open_conflicts().count() {
        0 => "no conflict open".to_owned(),
        count => format!("{} open", counted(number(count), "conflict")),
    };
    let mut line = format!("{carried}, {failed} voted down, {unvoted} unvoted; {open}");
    for (by, words) in
        [(RuledBy::Person, "ruled by a person"), (RuledBy::Policy, "ruled by the unattended policy, not by a person")]
    {
        let ruled =
            session.escalations().iter().filter(|one| one.ruling.as_ref().is_some_and(|ruling| ruling.by == by));
        let ids: Vec<String> = ruled.map(|escalation| inline(&escalation.id)).collect();
        if !ids.is_empty() {
            line.push_str(&format!("; {words}: {}", ids.join(", ")));
        }
    }
    line.push('.');
    line
}

/// When the session was completed: as the minutes say, or, while its document is written, when the last
/// round or ruling came in.
pub(super) fn completed(session: &Session, minutes: &Minutes) -> Timestamp {
    let rounds = session.rounds().iter().map(|round| round.timestamp);
    let rulings = session.escalations().iter().filter_map(|escalation| escalation.ruling.as_ref()?.at);
    let last = rounds.chain(rulings).chain([minutes.started()]).max();
    minutes.completed_at().or(last).unwrap_or_else(|| minutes.started())
}

/// Rulings with their rounds, each told which one said the same before it.
pub(super) fn told_once(rulings: impl Iterator<Item = (u32, RulingView)>) -> Vec<RulingView> {
    let mut told: Vec<(u32, RulingView)> = Vec::new();
    for (round, mut ruling) in rulings {
        let same = |(_, known): &&(u32, RulingView)| known.choice == ruling.choice && known.text == ruling.text;
        ruling.same_as = told.iter().find(same).filter(|_| ruling.text.is_some()).map(|(first, _)| *first);
        told.push((round, ruling));
    }
    told.into_iter().map(|(_, ruling)| ruling).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bug_a_recommendation_that_is_taken_again_is_not_told_again() {
        let ruling = |text: Option<&str>| RulingView {
            id: "X1".into(),
            causes: Vec::new(),
            choice: "Took the facilitator's recommendation".into(),
            text: text.map(str::to_owned),
            same_as: None,
            source: String::new(),
            decides: false,
        };
        let texts =
            [Some("Cache nothing"), Some("Cache nothing"), Some("Cache all"), None, None, Some("Cache nothing")];
        let told = told_once((1..).zip(texts.map(ruling)));
        let same: Vec<Option<u32>> = told.iter().map(|ruling| ruling.same_as).collect();
        assert_eq!(same, [None, Some(1), None, None, None, Some(1)]);
    }
}
