//! Marks in a statement by which it is sorted: a number with a unit, a rule, an actor, an outside system, a verb.
//! Given text written by people; hands on what was found, in its own words. Tables of words as data.
//! Deliberately absent: what is made of it.

use std::collections::BTreeSet;

use super::super::words::{find, tokens};

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Up to minutes: what a person waits for.
    Time,
    /// Hours and days: what the business counts in.
    Span,
    Share,
    Load,
    Size,
    Standard,
}

/// A number to reach, in the words of the statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub text: String,
    pub unit: Unit,
}

const TIME: &str = "ms, millisecond, milliseconds, s, sec, secs, second, seconds, min, mins, minute, minutes";
const SPAN: &str = "h, hour, hours, day, days";
const SIZE: &str = "kb, mb, gb, tb, kilobytes, megabytes, gigabytes, terabytes";
const LOAD: &str = "user, users, request, requests, rps, order, orders, record, records, row, rows, customer, \
    customers, session, sessions, connection, connections, transaction, transactions, message, \
    messages, event, events, document, documents, file, files, item, items, tenant, tenants, \
    device, devices, product, products, sensor, sensors, concurrent";
const PERIODS: &str = "second, minute, hour, day, week, month, year";
const BEFORE_NUMBERS: &str = "within, under, below, above, over, most, least, than, to, up, at, no, not, more, less, \
    fewer, every, faster, slower, shorter, longer, higher, lower, greater, smaller, larger, exceed, maximum, max, minimum";
/// Of these, those that say the opposite behind a "not".
const BOUNDS: &str = "more, longer, slower, higher, greater, larger, over, above, exceed, less, fewer, lower, shorter, \
    smaller, below, under";
/// Signs that compare; they stand before a number too.
const COMPARING: [char; 8] = ['<', '>', '=', '≤', '≥', '~', '±', '≈'];
const NUMBERS: &str = "one, two, three, four, five, six, seven, eight, nine, ten, twelve, twenty, fifty, hundred, \
    thousand, million";
/// Numbers about the work are no quality of the system.
const OF_THE_WORK: &str = "developer, developers, deadline, budget, team, teams, sprint, week, weeks, launch, hire, euro, \
    euros, eur, usd, dollar, dollars, engineer, engineers";
/// A rule that leaves no choice.
const STRICT: &str = "only, never, at most, no more than, may not, must not, cannot, not allowed, forbidden, not be, \
    always";
/// Words for people and organisations that use a system.
const ACTORS: &str = "customer, user, buyer, seller, supplier, admin, administrator, operator, clerk, driver, doctor, \
    nurse, patient, student, teacher, guest, member, visitor, editor, reader, author, employee, \
    accountant, garage, shop, dispatcher, tenant, citizen, librarian, player, mechanic, moderator, \
    auditor, warehouse worker, support agent, storekeeper, planner";
/// Words for systems on the other side of an interface.
const OUTSIDERS: &str = "partner, payment provider, bank, erp, crm, identity provider, mail server, email provider, \
    legacy system, third party, third-party, carrier, marketplace, data warehouse, supplier system, \
    accounting system, sms gateway";
const TECHNOLOGY: &str = "rust, java, python, typescript, javascript, react, angular, postgres, postgresql, mysql, \
    mongodb, redis, kafka, rabbitmq, kubernetes, docker, aws, azure, graphql, grpc, microservice, \
    microservices, monolith, oracle, spring, django, terraform";
const VERBS: &str = "accept, add, allow, answer, approve, assign, book, borrow, build, calculate, call, cancel, change, \
    check, choose, collect, compare, create, delete, deliver, detect, download, edit, enable, \
    export, find, give, handle, help, import, invoice, keep, lend, let, list, log, make, manage, measure, \
    move, notify, offer, open, order, pay, plan, print, provide, publish, read, receive, record, \
    register, remind, remove, replace, report, reserve, return, schedule, search, see, sell, send, \
    serve, share, ship, show, sign, start, stop, store, support, sync, take, track, update, upload, \
    validate, view, warn, write";
/// Verbs that are things as well.
const BOTH: &str = "order, invoice, report, record, book, plan, list, return, share, search";
/// Verbs that speak of a figure before and after.
pub(super) const CHANGING: &str = "halve, reduce, cut, lower, shorten, increase, raise, improve, grow, double, speed, decrease, \
    fewer, less, more, faster";
const EMPTY: &str = "the, a, an, and, or, of, for, to, in, on, at, by, with, from, that, this, these, those, is, \
    are, be, can, may, must, should, will, we, our, their, its, it, they, all, any, each, every, \
    as, than, then, when, if, until, who, which, what, how, has, have, into, without, within, not, \
    no, only, never, time, system, new, way, more, less, them, up, out, so, per, own, over, about, \
    able, some, one, two, later, now, end, start";

/// Whether a text holds one of these phrases, which have commas between them.
pub(super) fn holds(text: &str, phrases: &str) -> bool {
    let words = tokens(text);
    let is = |word: &str, wanted: &str| word == wanted || (wanted.len() > 2 && word.strip_suffix('s') == Some(wanted));
    // Most phrases are one plain word; those need not be taken apart.
    phrases.split(", ").any(|phrase| match phrase.bytes().all(|byte| byte.is_ascii_lowercase()) {
        true => words.iter().any(|token| is(&token.word, phrase)),
        false => !find(phrase, &words).is_empty(),
    })
}

/// Whether a word is one of these, as it is written.
fn among(word: &str, table: &str) -> bool {
    table.split(", ").any(|known| known == word)
}

/// The number to reach that a statement names.
pub(super) fn target(text: &str) -> Option<Target> {
    if let Some(standard) = standard(text) {
        return Some(Target { text: standard, unit: Unit::Standard });
    }
    if holds(text, OF_THE_WORK) {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let found = targets(&words);
    let (end, first) = found.first()?;
    // "95% of pages answer within 300 ms": the time is what is to be reached, and the share says how often.
    let often = share_of(&words, *end).filter(|_| first.unit == Unit::Share);
    let time = found.iter().map(|(_, target)| target).find(|target| target.unit == Unit::Time);
    let (Some(of), Some(time)) = (often, time) else { return Some(first.clone()) };
    let under = found.iter().map(|(_, target)| target).find(|target| target.unit == Unit::Load);
    let under = under.filter(|load| load.text.starts_with("at ")).map(|load| format!(" {}", load.text));
    Some(Target {
        text: format!("{} for {}{of}{}", time.text, first.text, under.unwrap_or_default()),
        unit: Unit::Time,
    })
}

/// The load that a statement names.
pub(super) fn load(text: &str) -> Option<Target> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let found = if holds(text, OF_THE_WORK) { Vec::new() } else { targets(&words) };
    found.into_iter().map(|(_, target)| target).find(|target| target.unit == Unit::Load)
}

/// Whether a statement says how much of the time something is there.
pub(super) fn is_availability(text: &str) -> bool {
    let nearly_all = |target: &Target| {
        let number: String = target.text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
        target.unit == Unit::Share && number.parse::<f64>().is_ok_and(|share| share >= 90.0)
    };
    holds(text, "available, reachable") && target(text).as_ref().is_some_and(nearly_all)
}

/// Every number with a unit, with the place of its last word.
fn targets(words: &[&str]) -> Vec<(usize, Target)> {
    let mut found: Vec<(usize, Target)> = Vec::new();
    for at in 0..words.len() {
        if found.last().is_none_or(|(end, _)| at > *end) {
            found.extend(target_at(words, at));
        }
    }
    found
}

/// " of all pages" right after a share.
fn share_of(words: &[&str], end: usize) -> Option<String> {
    let rest = words.get(end + 1..).filter(|rest| rest.first() == Some(&"of"))?;
    let leads = rest[1..].iter().take_while(|word| matches!(**word, "all" | "the" | "our" | "these")).count();
    let noun = rest.get(leads + 1)?.trim_end_matches([',', '.', ';']);
    Some([&[""], &rest[..=leads], &[noun]].concat().join(" "))
}

fn target_at(words: &[&str], at: usize) -> Option<(usize, Target)> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '%').to_lowercase();
    let word = words[at].trim_start_matches('(').trim_start_matches(COMPARING);
    let digits = word.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).count();
    let spelled = among(&bare(word), NUMBERS);
    if digits == 0 && !spelled {
        return None;
    }
    // The unit stands behind the number, or hangs on it.
    let hanging = if spelled { String::new() } else { bare(&word[digits..]) };
    let mut end = at;
    let mut unit = hanging;
    while unit.is_empty() || among(&unit, NUMBERS) {
        end += 1;
        unit = bare(words.get(end)?);
        if end > at + 3 {
            return None;
        }
    }
    let per = words.get(end + 1).map(|word| bare(word));
    let period = words.get(end + 2).map(|word| bare(word)).filter(|word| among(word, PERIODS));
    let rate = per.is_some_and(|per| matches!(per.as_str(), "per" | "a" | "an" | "each")) && period.is_some();
    let kind = match unit.as_str() {
        "%" | "percent" => Unit::Share,
        unit if among(unit, TIME) => Unit::Time,
        unit if among(unit, SPAN) => Unit::Span,
        unit if among(unit, SIZE) => Unit::Size,
        unit if among(unit, LOAD) || rate => Unit::Load,
        _ => return None,
    };
    let end = if rate { end + 2 } else { end };
    let named = words.get(end + 1).is_some_and(|word| among(&bare(word), LOAD));
    let end = if unit == "concurrent" && named { end + 1 } else { end };
    let end = if kind == Unit::Time { share_after(words, end) } else { end };
    // "< 200 ms" is another promise than "200 ms": what compares belongs to the number.
    let sign = |word: &str| !word.is_empty() && word.trim_start_matches('(').chars().all(|c| COMPARING.contains(&c));
    let leads = |near: &usize| among(&bare(words[*near]), BEFORE_NUMBERS) || sign(words[*near]);
    let start = (0..at).rev().take(4).take_while(leads).last();
    let quoted = words[start.unwrap_or(at)..=end].join(" ");
    let quoted = quoted.trim_start_matches('(').trim_end_matches([',', '.', ';', ')']);
    let before = &words[..start.unwrap_or(at)];
    let denied = before.iter().rev().take(3).any(|word| among(&bare(word), "not, never, cannot"));
    let text = match denied && among(&bare(words[start.unwrap_or(at)]), BOUNDS) {
        true => format!("not {quoted}"),
        false => quoted.to_owned(),
    };
    Some((end, Target { text, unit: kind }))
}

/// The end of "for 95 % of requests" right after a time, which belongs to it.
fn share_after(words: &[&str], end: usize) -> usize {
    let is = |at: usize, fits: &dyn Fn(&str) -> bool| words.get(at).is_some_and(|word| fits(word));
    if words[end].ends_with([',', '.', ';', ')']) || !is(end + 1, &|word| matches!(word, "for" | "in" | "at")) {
        return end;
    }
    let numbered = is(end + 2, &|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let share = match numbered {
        true if is(end + 2, &|word| word.contains('%')) => end + 2,
        true if is(end + 3, &|word| word.starts_with('%') || word == "percent") => end + 3,
        _ => return end,
    };
    if is(share + 1, &|word| word == "of") && words.len() > share + 2 { share + 2 } else { share }
}

/// A standard by its name and number, such as WCAG 2.2 AA.
fn standard(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(['(', ')', ',', '.'])).collect();
    let at = words.iter().position(|word| matches!(word.to_uppercase().as_str(), "WCAG" | "ISO" | "EN"))?;
    let rest = words[at + 1..].iter().take(3);
    let parts: Vec<&str> = rest
        .take_while(|word| word.starts_with(|c: char| c.is_ascii_digit()) || matches!(**word, "A" | "AA" | "AAA"))
        .copied()
        .collect();
    (!parts.is_empty()).then(|| format!("{} {}", words[at], parts.join(" ")))
}

/// Whether a statement is a rule. A constraint is one with a plain "must" too; in a wish "must" asks for a function.
pub(super) fn is_rule(text: &str, constraint: bool) -> bool {
    holds(text, STRICT) || (constraint && holds(text, "must, has to, have to, required, stays, stay"))
}

/// The kinds of users that a text names, in its own number, first one first.
pub(super) fn actors(text: &str) -> Vec<String> {
    named(text, ACTORS)
}

/// The outside systems that a text names.
pub(super) fn outsiders(text: &str) -> Vec<String> {
    named(text, OUTSIDERS)
}

fn named(text: &str, table: &str) -> Vec<String> {
    let words = tokens(text);
    let mut found: Vec<(usize, String)> = Vec::new();
    for name in table.split(", ") {
        for place in find(name, &words).into_iter().take(1) {
            let raw: Vec<&str> = words[place.clone()].iter().map(|token| token.word.as_str()).collect();
            found.push((place.start, raw.join(" ")));
        }
    }
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

/// The technology that a text names.
pub(super) fn technology(text: &str) -> Option<&'static str> {
    TECHNOLOGY.split(", ").find(|name| holds(text, name))
}

/// Whether a text starts with an order to do something; "check-in" and "import of dates" are things.
pub(super) fn starts_with_verb(text: &str) -> bool {
    let words = tokens(text);
    let first = text.split_whitespace().next().unwrap_or_default();
    let thing = first.contains(['-', ':']) || words.get(1).is_some_and(|token| token.word == "of");
    !thing && words.first().is_some_and(|token| among(&token.word, VERBS))
}

/// The words of a text that carry meaning, without a plural `s`.
pub(super) fn content(text: &str) -> BTreeSet<String> {
    ordered(text).into_iter().collect()
}

/// The same, in the order of the text; a word may come twice.
pub(super) fn ordered(text: &str) -> Vec<String> {
    let carries = |word: &str| word.chars().count() > 2 && !among(word, EMPTY);
    let single = |word: String| match word.strip_suffix('s') {
        Some(one) if one.len() > 3 && !one.ends_with(['s', 'u', 'i']) => one.to_owned(),
        _ => word,
    };
    tokens(text).into_iter().map(|token| token.word).filter(|word| carries(word)).map(single).collect()
}

/// The things that a statement may be about: its words that are no verb, actor or figure.
pub(super) fn things(text: &str) -> Vec<String> {
    let people: Vec<String> = actors(text).iter().flat_map(|name| ordered(name)).collect();
    let orders = starts_with_verb(text);
    let plain = |(at, word): &(usize, String)| {
        let verb = among(word, VERBS) && (!among(word, BOTH) || (*at == 0 && orders));
        let named = !among(word, CHANGING) && !people.contains(word);
        !verb && named && word.chars().all(char::is_alphabetic)
    };
    ordered(text).into_iter().enumerate().filter(plain).map(|(_, word)| word).collect()
}

/// How much two texts share, from 0 to 1, without figures and their units: "within 5 s" and "within 2 s" say one
/// thing of two sizes.
pub(super) fn likeness(one: &str, other: &str) -> f64 {
    let plain = |text: &str| {
        let figure = |word: &String| {
            let unit = among(word, TIME) || among(word, SPAN) || among(word, SIZE) || among(word, PERIODS);
            unit || among(word, NUMBERS) || among(word, BEFORE_NUMBERS) || word.contains(|c: char| c.is_ascii_digit())
        };
        content(text).into_iter().filter(|word| !figure(word)).collect::<BTreeSet<_>>()
    };
    shared(&plain(one), &plain(other))
}

/// Whether a text names all that another one is about, and not much besides.
pub(super) fn names_all_of(text: &str, other: &str) -> bool {
    let (text, other) = (content(text), content(other));
    !other.is_empty() && other.is_subset(&text) && text.len() <= other.len() + 2
}

fn shared(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let all = one.union(other).count();
    if all == 0 { 0.0 } else { one.intersection(other).count() as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_a_unit_is_a_target_in_its_own_words() {
        for (text, expected) in [
            (
                "Search answers within 200 ms for 95 % of requests",
                Some(("within 200 ms for 95 % of requests", Unit::Time)),
            ),
            ("Search answers in < 200 ms", Some(("< 200 ms", Unit::Time))),
            ("Search answers in <200 ms.", Some(("<200 ms", Unit::Time))),
            ("A page is there (≤ 2 s)", Some(("≤ 2 s", Unit::Time))),
            ("Must be faster than 2 seconds", Some(("faster than 2 seconds", Unit::Time))),
            ("Answers may not take more than 3 s", Some(("not more than 3 s", Unit::Time))),
            (
                "95% of pages answer within 300 ms at 200 concurrent users",
                Some(("within 300 ms for 95% of pages at 200 concurrent users", Unit::Time)),
            ),
            ("95 % of all calls end in < 2 s", Some(("< 2 s for 95 % of all calls", Unit::Time))),
            ("99.9% availability, back within 15 minutes", Some(("99.9%", Unit::Share))),
            ("200 concurrent users", Some(("200 concurrent users", Unit::Load))),
            ("Errors stay below 1%", Some(("below 1%", Unit::Share))),
            ("99.9% availability", Some(("99.9%", Unit::Share))),
            ("Up to 500 orders per day", Some(("Up to 500 orders per day", Unit::Load))),
            ("at most two seconds", Some(("at most two seconds", Unit::Time))),
            ("Holds 20 GB (today)", Some(("20 GB", Unit::Size))),
            ("Forms follow WCAG 2.2 AA.", Some(("WCAG 2.2 AA", Unit::Standard))),
            ("ten thousand users", Some(("ten thousand users", Unit::Load))),
            ("lent for at most 14 days", Some(("at most 14 days", Unit::Span))),
            ("Three deliveries a day", Some(("Three deliveries a day", Unit::Load))),
            ("Two developers, deadline in 12 days", None),
            ("Built in 2019", None),
            ("Orders are shipped", None),
            ("5", None),
        ] {
            let found = target(text);
            assert_eq!(found.as_ref().map(|target| (target.text.as_str(), target.unit)), expected, "{text}");
        }
    }

    #[test]
    fn rules_actors_and_things_are_found_by_their_words() {
        assert!(is_rule("An order may not change once it has shipped", false));
        assert!(is_rule("Data must stay in the EU", true) && !is_rule("Customers must be able to pay", false));
        assert_eq!(actors("Customers and their Suppliers see orders; a customer pays"), ["customers", "suppliers"]);
        assert_eq!(outsiders("Payments go through a payment provider"), ["payment provider"]);
        assert_eq!(things("Customers can cancel an order until it arrives"), ["order", "arrive"]);
        assert_eq!(things("Export invoices as CSV"), ["invoice", "csv"]);
        assert_eq!(technology("We stay on Postgres"), Some("postgres"));
        assert!(likeness("Export orders as CSV", "export Order as csv") > 0.99);
        assert!(likeness("", "") < 0.1);
        assert!(likeness("Search answers within 500 ms", "Search must answer in under 200 ms") > 0.6);
        assert!(likeness("Export orders as CSV", "Export orders as PDF") < 0.6);
        assert!(names_all_of("Take payments by card", "Payments") && !names_all_of("Orders", "Orders from abroad"));
    }
}
