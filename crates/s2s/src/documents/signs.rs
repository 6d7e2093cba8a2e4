//! Whether a statement can be counted for or against what its seat holds.
//! Given a text; says no where its sign cannot be known: it doubts, asks, weighs or grants. Such a text is
//! told without a sign. These are hints in words; no decision rests on them.

use super::sorted::asks;
use super::words::{count, hits, words};

/// A seat that speaks of itself tells how it judges rather than what is so.
const OF_ONESELF: [&str; 8] = ["i", "me", "my", "mine", "i'd", "i'm", "i'll", "i've"];
/// What is not known, or only holds if something else does.
const OPEN: &str = "not said, not told, nobody has told, nobody knows, unknown, not known, unclear, still open, open question, right as long as, right when, right where, right if, fit where, fits where, assume, to be seen";
/// How criteria are weighed.
const WEIGHING: &str = "weigh, weight, weighs, count for more, count for less, counts for more, counts for less";
/// A reason that gives something away.
const DOUBTING: &str = "wary, mixed, doubt, doubtful, cost us, costs us, would cost, give up, gives up, no more than, worry, worried, weak, weakest, grant, concede, at the price of, loses";

/// Whether a reason speaks for what its seat holds.
pub(super) fn speaks_for(reason: &str, names_it: bool) -> bool {
    let text = words(reason);
    let of_oneself = !names_it && is_of_oneself(&text);
    let open = asks(reason) || hits(&text, OPEN) + hits(&text, WEIGHING) + hits(&text, DOUBTING) > 0;
    !of_oneself && !open && !scores_low(&text)
}

/// Whether a concern names something bad, rather than something to find out.
pub(super) fn is_risk(concern: &str) -> bool {
    let text = words(concern);
    !asks(concern) && !is_of_oneself(&text) && hits(&text, OPEN) == 0
}

fn is_of_oneself(text: &[String]) -> bool {
    text.iter().any(|word| OF_ONESELF.contains(&word.replace('’', "'").as_str()))
}

/// "2 of 5": not above the middle.
fn scores_low(text: &[String]) -> bool {
    let number = |word: &String| word.parse::<u32>().ok();
    text.windows(3).any(|three| match (number(&three[0]), number(&three[2])) {
        (Some(score), Some(best)) => {
            count(&three[1..2], &["of".to_owned()]) > 0 && score.saturating_mul(2) <= best.saturating_add(1)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_counts_only_if_its_sign_is_known() {
        for (reason, names_it, counts) in [
            ("Reading one order is one lookup", false, true),
            ("REST on simplicity, 4 of 5: verbs are common knowledge", true, true),
            ("I trust REST here: every proxy knows it", true, true),
            ("A log or stream on simplicity, 2 of 5: four new ideas", true, false),
            ("A message broker, 3 of 5 on agreement", true, false),
            ("I give control over access more weight", false, false),
            ("On skills I am wary of GraphQL: few have kept one fast", true, false),
            ("REST is right as long as callers are many", true, false),
            ("With RabbitMQ, delivery is confirmed as long as queues are durable (no lost work: 4 of 5)", true, true),
            ("Who would run it?", false, false),
        ] {
            assert_eq!(speaks_for(reason, names_it), counts, "{reason}");
        }
    }

    #[test]
    fn a_gap_is_no_risk() {
        assert!(is_risk("Queues that nobody reads any more fill up"));
        for gap in ["Not said yet: who runs the broker", "Still open for me: the load", "What is the load?"] {
            assert!(!is_risk(gap), "{gap}");
        }
    }
}
