//! What the votes and rulings came to, and when.
//! Given the session; hands on one sentence that hides neither a lost vote nor a ruling, and the day of
//! completion.

use jiff::Timestamp;
use s2s_engine::counted;
use s2s_engine::record::RuledBy;
use s2s_engine::{Session, Standing};
use s2s_store::Minutes;

use super::escape::inline;

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
