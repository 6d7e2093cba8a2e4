//! How a statement would be checked: acceptance criteria in given, when and then, and measures of qualities.
//! Made of the statement's own words and marked as to be confirmed wherever it does not say enough.
//! Given a statement; hands on sentences. Deliberately absent: numbers that nobody stated.

use super::super::words::within;
use super::marks::{CHANGING, Unit, actors, holds, starts_with_verb, target};

/// What follows an actor and comes before what it does.
const MODALS: [&str; 8] =
    [" must be able to ", " are able to ", " is able to ", " should ", " must ", " can ", " may ", " want to "];
/// What leads to a condition.
const CONDITIONS: [&str; 6] = [" until ", " unless ", " as soon as ", " when ", " if ", " after "];
/// Conditions that end: what comes afterwards is refused.
const ENDING: [&str; 2] = ["until ", "unless "];
/// The most words of an actor.
const MOST_OF_AN_ACTOR: usize = 5;

const CONFIRM: &str = "(to be confirmed)";

/// The checks of a function: what has to be seen when it works and, where the statement sets an end to it, when that
/// end is passed.
pub(super) fn acceptance(statement: &str) -> Vec<String> {
    let statement = statement.trim().trim_end_matches('.');
    let (body, condition) = condition(statement);
    if let Some((actor, action)) = acting(body) {
        let seen = seen(outcome(action, statement), "they", statement);
        let given = within(actor);
        let doing = without_figure(action);
        let works = match condition {
            Some(condition) => format!("Given {given} {condition}"),
            None => format!("Given {given}"),
        };
        let mut checks = vec![format!("{works}, when they {doing}, then {seen} {CONFIRM}")];
        let ends = condition.filter(|condition| ENDING.iter().any(|word| condition.starts_with(word)));
        checks.extend(ends.map(|condition| {
            format!("Given {given}, but no longer \"{condition}\", when they {doing}, then it is refused and they are told why {CONFIRM}")
        }));
        return checks;
    }
    if holds(statement, CHANGING) {
        let wanted = within(statement);
        return vec![format!(
            "Given the figure measured before the release, when it is measured again after it, then it shows: {wanted} (to be confirmed: both figures)"
        )];
    }
    let given =
        condition.map_or_else(|| "the released system".to_owned(), |condition| format!("that it is {condition}"));
    vec![match starts_with_verb(body) {
        true => format!(
            "Given {given}, when somebody asks it to {}, then {} {CONFIRM}",
            without_figure(&within(body)),
            seen(outcome(body, statement), "whoever asked", statement)
        ),
        false => format!(
            "Given {given}, when somebody needs this: {}, then they get it{} from start to end (to be confirmed: what exactly)",
            within(body),
            in_time(statement)
        ),
    }]
}

/// What has to be seen, and by whom; the statement itself, where nobody can be sure how it is to be read.
fn seen(outcome: Option<String>, who: &str, statement: &str) -> String {
    match outcome {
        Some(outcome) => format!("{outcome} and {who} can see it"),
        None => format!("this is shown: {}", within(statement)),
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

/// Who does what: "customers can cancel an order", or "garages see the state of an order".
fn acting(body: &str) -> Option<(&str, &str)> {
    let short = |actor: &str| actor.split_whitespace().count() <= MOST_OF_AN_ACTOR;
    let modal = MODALS.iter().find_map(|word| body.split_once(word)).filter(|(actor, _)| short(actor));
    modal.or_else(|| {
        let spaces = body.match_indices(' ').map(|(at, _)| at).take(MOST_OF_AN_ACTOR);
        let mut parts = spaces.map(|at| (&body[..at], body[at..].trim_start()));
        parts.find(|(actor, action)| ends_with_actor(actor) && starts_with_verb(action))
    })
}

/// Whether the last word of a text names users.
fn ends_with_actor(text: &str) -> bool {
    text.split_whitespace().last().is_some_and(|word| !actors(word).is_empty())
}

/// The time that a statement promises, as it says it.
fn figure(statement: &str) -> Option<String> {
    target(statement).filter(|target| target.unit == Unit::Time).map(|target| target.text)
}

/// The same behind what is promised: " within 2 s", " in < 2 s".
fn in_time(statement: &str) -> String {
    let lead = |figure: &str| if figure.starts_with(char::is_alphabetic) { " " } else { " in " };
    figure(statement).map(|figure| format!("{}{figure}", lead(&figure))).unwrap_or_default()
}

/// An action without the figure it promises, which is what comes out.
fn without_figure(action: &str) -> String {
    let bare = figure(action).map_or_else(|| action.to_owned(), |figure| action.replacen(&figure, "", 1));
    let bare = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    bare.trim_end_matches(" in").trim_end_matches([',', ' ']).to_owned()
}

/// What is there once an action is done, in its own words: "the order is cancelled within 2 s". None where what
/// follows the verb is not surely what it is done to.
fn outcome(action: &str, statement: &str) -> Option<String> {
    let plain = without_figure(action);
    let figure = in_time(statement);
    let mut words = plain.split_whitespace();
    let (verb, rest) = (words.next().unwrap_or_default().to_lowercase(), words.collect::<Vec<_>>());
    let object = rest.iter().take_while(|word| !JOINS.contains(word)).copied().collect::<Vec<_>>();
    // A search is not checked by having been made, but by what it finds.
    if verb == "search" {
        return Some(format!("what fits, and nothing else, is shown{figure}"));
    }
    let Some(done) = done(&verb).filter(|_| !object.is_empty()) else {
        return Some(format!("that is done{figure}"));
    };
    if NO_OBJECT.contains(&object[0]) || object.iter().any(|word| TURNS.contains(word)) {
        return None;
    }
    let after = rest[object.len()..].join(" ");
    let head = object.iter().take_while(|word| **word != "of").last().copied().unwrap_or_default();
    let many = object.contains(&"and") || (head.ends_with('s') && !head.ends_with("ss") && !head.ends_with("us"));
    let is = if many { "are" } else { "is" };
    let object = match object[0] {
        "a" | "an" => format!("the {}", object[1..].join(" ")),
        "the" | "their" | "its" | "our" | "all" | "each" | "every" | "this" | "any" => object.join(" "),
        _ => format!("the {}", object.join(" ")),
    };
    let after = if after.is_empty() { after } else { format!(" {after}") };
    Some(format!("{object} {is} {done}{after}{figure}"))
}

/// Words that are not what an action is done to.
const NO_OBJECT: [&str; 14] =
    ["of", "and", "or", "it", "them", "back", "no", "more", "less", "again", "online", "one", "themselves", "together"];
/// Words by which a clause turns to something else.
const TURNS: [&str; 16] = [
    "up", "only", "down", "out", "off", "not", "than", "whether", "how", "what", "when", "who", "which", "that", "if",
    "until",
];

/// Words that end what an action is done to.
const JOINS: [&str; 16] = [
    "as", "by", "with", "for", "to", "from", "in", "on", "at", "within", "before", "per", "without", "into", "over",
    "via",
];
/// Verbs whose form does not follow the rule.
const IRREGULAR: [(&str, &str); 25] = [
    ("build", "built"),
    ("buy", "bought"),
    ("choose", "chosen"),
    ("find", "found"),
    ("get", "there"),
    ("give", "given"),
    ("keep", "kept"),
    ("let", ""),
    ("make", "made"),
    ("manage", ""),
    ("help", ""),
    ("pay", "paid"),
    ("read", "read"),
    ("see", "shown"),
    ("sell", "sold"),
    ("send", "sent"),
    ("show", "shown"),
    ("write", "written"),
    ("plan", "planned"),
    ("ship", "shipped"),
    ("stop", "stopped"),
    ("log", "logged"),
    ("cancel", "cancelled"),
    ("lend", "lent"),
    ("take", "taken"),
];

/// What a thing is once a verb is done to it; none where that would say nothing.
fn done(verb: &str) -> Option<String> {
    if let Some((_, done)) = IRREGULAR.iter().find(|(known, _)| *known == verb) {
        return (!done.is_empty()).then(|| (*done).to_owned());
    }
    let vowel = |c: char| "aeiou".contains(c);
    let before = verb.chars().rev().nth(1).unwrap_or_default();
    match verb.chars().last()? {
        'e' => Some(format!("{verb}d")),
        'y' if !vowel(before) => Some(format!("{}ied", &verb[..verb.len() - 1])),
        last if last.is_ascii_alphabetic() => Some(format!("{verb}ed")),
        _ => None,
    }
    .filter(|_| starts_with_verb(verb))
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
    fn a_check_only_said_the_title_again() {
        for (statement, expected) in [
            (
                "Customers can cancel an order until it ships",
                &[
                    "Given customers until it ships, when they cancel an order, then the order is cancelled and they can see it (to be confirmed)",
                    "Given customers, but no longer \"until it ships\", when they cancel an order, then it is refused and they are told why (to be confirmed)",
                ][..],
            ),
            (
                "Export orders as CSV.",
                &[
                    "Given the released system, when somebody asks it to export orders as CSV, then the orders are exported as CSV and whoever asked can see it (to be confirmed)",
                ],
            ),
            (
                "Garages find a part in < 5 seconds",
                &[
                    "Given garages, when they find a part, then the part is found in < 5 seconds and they can see it (to be confirmed)",
                ],
            ),
            (
                "Members see the state of their loans",
                &[
                    "Given members, when they see the state of their loans, then the state of their loans is shown and they can see it (to be confirmed)",
                ],
            ),
            (
                "Search by name",
                &[
                    "Given the released system, when somebody asks it to search by name, then what fits, and nothing else, is shown and whoever asked can see it (to be confirmed)",
                ],
            ),
            (
                "Halve the time to add a supplier",
                &[
                    "Given the figure measured before the release, when it is measured again after it, then it shows: halve the time to add a supplier (to be confirmed: both figures)",
                ],
            ),
            (
                "Invoices",
                &[
                    "Given the released system, when somebody needs this: invoices, then they get it from start to end (to be confirmed: what exactly)",
                ],
            ),
        ] {
            assert_eq!(acceptance(statement), expected);
        }
    }

    #[test]
    fn a_check_made_nonsense_of_what_it_could_not_read() {
        for (statement, done) in [
            (
                "Customers can cancel only up to 12 hours before",
                "Given customers, when they cancel only up to 12 hours before",
            ),
            ("Customers can reserve up to 5 tools", "Given customers, when they reserve up to 5 tools"),
        ] {
            let shown = within(statement);
            assert_eq!(acceptance(statement), [format!("{done}, then this is shown: {shown} (to be confirmed)")]);
        }
        for thing in ["Import of existing appointments", "Check-in: by hand"] {
            let check = acceptance(thing).remove(0);
            assert!(
                check.contains(&format!("when somebody needs this: {}, then they get it", within(thing))),
                "{check}"
            );
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
