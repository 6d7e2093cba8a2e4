//! The small words of the screens: counts, ages, tallies, actions, choices.
//! Given values; hands on short plain English. Deliberately absent: layout.

use jiff::Timestamp;
pub(super) use s2s::engine::counted as count;
use s2s::engine::opening::Coverage;
use s2s::engine::record::{RuledBy, Ruling, RulingChoice, Tally};
use s2s::engine::reply::{Action, ResolutionType};

use super::marks::Mark;

/// A large number, short: 950, 12.4 k, 3.1 M.
pub(super) fn thousands(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{:.1} k", number as f64 / 1e3),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}

/// A size for people: 950 B, 12.4 kB, 3.1 MB.
pub fn bytes(number: u64) -> String {
    match number {
        0..1_000 => format!("{number} B"),
        1_000..1_000_000 => format!("{:.1} kB", number as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", number as f64 / 1e6),
        _ => format!("{:.1} GB", number as f64 / 1e9),
    }
}

/// The names of a list in one line.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ")
}

/// A duration with the precision that people care about.
pub(super) fn took(duration_ms: u64) -> String {
    match duration_ms {
        0..1_000 => format!("{duration_ms} ms"),
        1_000..60_000 => format!("{:.1} s", duration_ms as f64 / 1000.0),
        _ => format!("{} min {:02} s", duration_ms / 60_000, duration_ms / 1000 % 60),
    }
}

/// How long ago a time is; the date once it is weeks.
pub(super) fn ago(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(then).as_secs();
    match seconds {
        // A clock that was set back is not worth a word about seconds.
        -300..10 => "just now".to_owned(),
        10..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        86_400..1_209_600 => format!("{} d ago", seconds / 86_400),
        _ => format!("on {}", date(then)),
    }
}

/// The day of a time, in UTC.
pub(super) fn date(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

/// A time to the minute, in UTC.
pub(super) fn minute(at: Timestamp) -> String {
    let text = at.to_string();
    format!("{} {} UTC", text.get(..10).unwrap_or_default(), text.get(11..16).unwrap_or_default())
}

/// How long a conflict has been open.
pub(super) fn age(rounds: u32) -> String {
    match rounds {
        0 => "open; this phase does not count its age".to_owned(),
        _ => format!("open for {}", count(rounds as usize, "round")),
    }
}

/// An action as the screens name it.
pub(super) fn action(action: Action) -> &'static str {
    match action {
        Action::Continue => "continue",
        Action::Phase => "next phase",
        Action::Conclude => "conclude",
        Action::Escalate => "escalate to a person",
    }
}

/// The votes on a point in one line.
pub(super) fn tally(tally: &Tally) -> String {
    let mut parts = Vec::new();
    let mut add = |number: usize, one: &str, more: &str| match number {
        0 => {}
        1 => parts.push(format!("1 {one}")),
        _ => parts.push(format!("{number} {more}")),
    };
    add(tally.support.len(), "supports", "support");
    add(tally.stand_aside.len(), "stands aside", "stand aside");
    add(tally.block.len(), "blocks", "block");
    add(tally.no_vote.len(), "did not vote", "did not vote");
    if parts.is_empty() {
        parts.push("nobody voted".to_owned());
    }
    let result = if tally.carried { "carried" } else { "not carried" };
    let policy = tally.policy.replace('_', " ");
    format!("{result}: {} ({policy}{})", parts.join(", "), share(tally))
}

/// How the support counts. A share says nothing by itself where not every seat took a side.
fn share(tally: &Tally) -> String {
    let percent = tally.share * 100.0;
    if tally.stand_aside.is_empty() && tally.no_vote.is_empty() {
        return format!(", {percent:.0}% support");
    }
    let (support, cast) = (tally.support.len(), tally.support.len() + tally.block.len());
    if cast == 0 {
        return ": none cast".to_owned();
    }
    let weighed = (support as f64 / cast as f64 - tally.share).abs() > 0.005;
    let weight = if weighed { format!(", {percent:.0}% by weight") } else { String::new() };
    format!(": {support} of {cast} cast{weight}")
}

/// The mark of a topic's coverage.
pub(super) fn coverage(status: &str) -> Mark {
    match status {
        "covered" => Mark::Done,
        "partial" => Mark::Partly,
        _ => Mark::Open,
    }
}

/// How many topics are how far.
pub(super) fn covered(statuses: impl Iterator<Item = Coverage>) -> String {
    let mut counts = [0_usize; 3];
    for status in statuses {
        counts[status as usize] += 1;
    }
    let [pending, partial, covered] = counts;
    format!("{covered} covered, {partial} partial, {pending} pending")
}

/// Who ended a conflict.
pub(super) fn resolved_by(kind: ResolutionType) -> &'static str {
    match kind {
        ResolutionType::Consensus => "by consensus",
        ResolutionType::Facilitator => "by the facilitator's recommendation",
        ResolutionType::User => "by a person",
    }
}

/// What a choice in an escalation means.
pub(super) fn choice(choice: RulingChoice) -> &'static str {
    match choice {
        RulingChoice::Accept => "accept the facilitator's recommendation",
        RulingChoice::Decide => "give your own decision",
        RulingChoice::Continue => "go on for some more rounds",
        RulingChoice::AcceptContext => "accept the challenge: the context changes from here on",
        RulingChoice::KeepContext => "keep the context as it is",
        RulingChoice::Discuss => "discuss the challenge further",
    }
}

/// What was ruled, in a few words.
pub(super) fn ruled(ruling: &Ruling) -> String {
    let what = match ruling.choice {
        RulingChoice::Accept => "recommendation accepted",
        RulingChoice::Decide => "own decision",
        RulingChoice::Continue => "go on",
        RulingChoice::AcceptContext => "challenge accepted, the context changes",
        RulingChoice::KeepContext => "context kept",
        RulingChoice::Discuss => "discuss further",
    };
    let rounds = ruling.rounds.filter(|rounds| *rounds > 0);
    let rounds = rounds.map(|rounds| format!(" for {}", count(rounds as usize, "more round"))).unwrap_or_default();
    format!("{what}{rounds}")
}

/// A ruling in one line.
pub(super) fn ruling(ruling: &Ruling) -> String {
    let by = match (ruling.by, &ruling.name) {
        (RuledBy::Person, Some(name)) => name.as_str(),
        (RuledBy::Person, None) => "a person",
        (RuledBy::Policy, Some(name)) => name.as_str(),
        (RuledBy::Policy, None) => "the unattended policy",
    };
    format!("{}, by {by}", ruled(ruling))
}

/// Who did something between rounds, from the word in the minutes.
pub(super) fn doer(by: &str) -> &str {
    match by {
        "person" => "a person",
        "signal" => "a signal",
        "agent" => "an agent",
        "server" => "the server's end",
        "policy" => "the unattended policy",
        name => name,
    }
}

/// A confidence as it is shown everywhere.
pub(super) fn confidence(value: f64) -> String {
    format!("{value:.2}")
}

/// An argument that a shell takes as one word.
pub fn shell(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    if !argument.is_empty() && !argument.starts_with('-') && argument.chars().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}
