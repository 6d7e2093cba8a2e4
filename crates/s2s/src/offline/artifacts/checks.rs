//! How a statement would be checked: acceptance criteria in given, when and then, and measures of qualities.
//! Made of the statement's own words and marked as to be confirmed wherever it does not say enough.
//! Given a statement; hands on sentences. Deliberately absent: numbers that nobody stated.

use super::super::words::within;
use super::marks::{CHANGING, Unit, holds, starts_with_verb};

/// What follows an actor and comes before what it does.
const MODALS: [&str; 7] =
    [" must be able to ", " are able to ", " is able to ", " should ", " must ", " can ", " may "];
/// What leads to a condition.
const CONDITIONS: [&str; 6] = [" until ", " unless ", " as soon as ", " when ", " if ", " after "];

const CONFIRM: &str = "(to be confirmed)";

/// The check of a function.
pub(super) fn acceptance(statement: &str) -> String {
    let statement = statement.trim().trim_end_matches('.');
    let (body, condition) = condition(statement);
    if let Some((actor, action)) = split_at_any(body, &MODALS) {
        let given = match condition {
            Some(condition) => format!("Given {} {condition}", within(actor)),
            None => format!("Given {}", within(actor)),
        };
        return format!("{given}, when they {action}, then it is done and they can see that it is {CONFIRM}");
    }
    if holds(statement, CHANGING) {
        let wanted = within(statement);
        return format!(
            "Given the figure measured before the release, when it is measured again after it, then it shows: {wanted} (to be confirmed: both figures)"
        );
    }
    let given =
        condition.map_or_else(|| "the released system".to_owned(), |condition| format!("that it is {condition}"));
    match starts_with_verb(body) {
        true => format!(
            "Given {given}, when somebody asks it to {}, then that is done and can be seen {CONFIRM}",
            within(body)
        ),
        false => format!(
            "Given {given}, when somebody needs this: {}, then they get it from start to end (to be confirmed: what exactly)",
            within(body)
        ),
    }
}

/// The statement without its condition, and the condition.
fn condition(statement: &str) -> (&str, Option<&str>) {
    let at = CONDITIONS.iter().filter_map(|word| statement.find(word)).min();
    match at {
        Some(at) => (&statement[..at], Some(statement[at..].trim())),
        None => (statement, None),
    }
}

fn split_at_any<'t>(text: &'t str, words: &[&str]) -> Option<(&'t str, &'t str)> {
    words.iter().find_map(|word| text.split_once(word)).filter(|(actor, _)| actor.split_whitespace().count() < 6)
}

/// How a quality would be measured.
pub(super) fn measure(characteristic: &str, unit: Unit) -> String {
    let how = match (characteristic, unit) {
        (_, Unit::Standard) => "A check against the named standard before each release",
        ("Reliability", _) => "From monitoring of the running system, over one month",
        ("Security", _) => "By a review of the settings and a test of the access rules before each release",
        ("Interaction capability", _) => "By watching users do the task",
        ("Maintainability" | "Flexibility" | "Compatibility", _) => "By a review before each release",
        (_, Unit::Load) => "By a load test at that rate",
        (_, Unit::Size) => "By a test with that amount of data",
        _ => "By a load test, read from its report",
    };
    format!("{how} {CONFIRM}")
}

/// The reason that a statement gives for itself, and the statement without it.
pub(super) fn reason(statement: &str) -> (String, Option<String>) {
    for mark in [" because ", " since ", ", as ", ": ", " ("] {
        if let Some((what, why)) = statement.split_once(mark) {
            let why = why.trim().trim_end_matches(')');
            if !what.trim().is_empty() && !why.is_empty() {
                return (what.trim().to_owned(), Some(super::super::words::opening_with(why)));
            }
        }
    }
    (statement.trim().to_owned(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_use_the_words_of_the_statement() {
        for (statement, expected) in [
            (
                "Customers can cancel an order until it ships",
                "Given customers until it ships, when they cancel an order, then it is done and they can see that it is (to be confirmed)",
            ),
            (
                "Export orders as CSV.",
                "Given the released system, when somebody asks it to export orders as CSV, then that is done and can be seen (to be confirmed)",
            ),
            (
                "Halve the time to add a supplier",
                "Given the figure measured before the release, when it is measured again after it, then it shows: halve the time to add a supplier (to be confirmed: both figures)",
            ),
            (
                "Invoices",
                "Given the released system, when somebody needs this: invoices, then they get it from start to end (to be confirmed: what exactly)",
            ),
        ] {
            assert_eq!(acceptance(statement), expected);
        }
    }

    #[test]
    fn a_reason_is_taken_only_where_one_is_given() {
        assert_eq!(reason("Payments (a partner does them)"), ("Payments".into(), Some("A partner does them".into())));
        assert_eq!(reason("Loyalty points, as nobody asked").1.as_deref(), Some("Nobody asked"));
        assert_eq!(reason("Loyalty points"), ("Loyalty points".into(), None));
        assert!(measure("Reliability", Unit::Share).contains("monitoring"));
    }
}
