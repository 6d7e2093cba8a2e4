//! What a design is made of, by the words of what is wanted: parts called after what functions are about, and the
//! systems and people on the other side of an interface. Given the desk; hands on names with the statements they come
//! from. Deliberately absent: names from figures and qualities, which say how well and not what.

use std::collections::BTreeSet;

use s2s_engine::artifact::{Artifact, ArtifactKind};

use super::super::words::{Token, opening_with, tokens};
use super::design::{ACCESS, about};
use super::draft::same_text;
use super::marks::{Unit, actors, content, holds, likeness, outsiders, target, technology, things};
use super::story::Section;
use super::{Desk, asked_for};

/// The most components that are drawn from what is wanted.
const MOST_PARTS: usize = 8;
/// The most interfaces, and how many there are before people count too.
const MOST_ENDS: usize = 8;
const ENOUGH_ENDS: usize = 4;
/// How alike a statement and a requirement are that say one thing.
const ALIKE: f64 = 0.5;
/// The longest name of a part that is taken from a title, in words.
const LONGEST_NAME: usize = 4;

/// Words that no part is called after: units, times, ways of sending, and what only describes.
const NO_NAME: &str = "hand, name, second, minute, hour, day, week, weekday, month, year, percent, rate, number, amount, step, \
    level, kind, case, thing, part, place, page, phone, sms, mail, email, card, csv, pdf, monday, tuesday, wednesday, thursday, \
    friday, saturday, sunday, january, february, march, april, june, july, august, september, october, november, \
    december, online, chosen, failed, freed, open, free, single, simple, fast, quick, easy, early, late, automatic, \
    manual, daily, weekly, monthly, other, same, next, last, first, before, after, off, own, sync, kept, set, via, \
    german, french, italian, english, spanish, concurrent, available, without, block, show, fill, their, there, euro";
/// Words for people that are no part of a system.
const PEOPLE: &str = "receptionist, clinic, staff, manager, people, person, team, developer, owner, agent, client, \
    dentist, therapist, waiter, cook, parent, child, volunteer, instructor, trainer, host, technician";
/// Words in -ing or -ed that are things all the same.
const NOUNS: &str = "booking, building, meeting, pricing, billing, training, rating, listing, shipping, setting, \
    feed, seed, bed, ticketing, accounting, reporting, tracking, string, ring, thing, need, speed";
/// What makes one name of two words: an audit log, a waiting list.
const SECOND: &str = "log, list, record, plan, report, code, board, desk, book";
/// Where a title goes on beyond what it names.
const BEYOND: &str = "by, for, with, within, until, when, that, which, who, in, on, at, per, from, via, as, before, \
    after, only, to, without, so";
/// What stands before the name of another system.
const CUES: [&[&str]; 10] = [
    &["integrates", "with"],
    &["integrate", "with"],
    &["integration", "with"],
    &["sync", "with"],
    &["synced", "with"],
    &["import", "from"],
    &["imported", "from"],
    &["export", "to"],
    &["connected", "to"],
    &["via"],
];
/// Systems that are known by their names, in any case.
const SYSTEMS: &str = "sms, e-mail, email, stripe, twilio, salesforce, sap, outlook, google calendar, google maps, datev, slack, \
    shopify";
/// Names in two cases that are tools of the builders, not systems on the other side.
const TOOLS: &str =
    "typescript, javascript, postgresql, mysql, graphql, mongodb, rabbitmq, nodejs, sqlite, github, gitlab";

/// A part and what it is there for.
pub(super) struct Part {
    pub name: String,
    pub serves: Vec<String>,
    pub from: Vec<String>,
}

/// The parts that are stated; else one for each thing that the requirements, or the context's wishes, are about;
/// else the topic itself, if it says more than a name.
pub(super) fn parts(desk: &Desk<'_>) -> Vec<Part> {
    let stated: Vec<Part> = desk
        .story
        .of(&[Section::Part])
        .map(|item| {
            let end = item.text.find([':', ',', '(']).unwrap_or(item.text.len());
            let name = item.text[..end].trim();
            Part { name: opening_with(name), serves: about(desk, name), from: vec![item.text.clone()] }
        })
        .collect();
    if !stated.is_empty() {
        return stated;
    }
    let functions = desk.live(&[ArtifactKind::Req]);
    let mut texts: Vec<(String, Option<String>)> = functions
        .iter()
        // "The way of the customers" is about people, not about a thing.
        .filter(|artifact| !artifact.title.starts_with("The way of"))
        .map(|artifact| (artifact.title.clone(), Some(artifact.id.to_string())))
        .collect();
    if functions.is_empty() {
        texts.extend(desk.story.of(&[Section::Objective, Section::In]).map(|item| (item.text.clone(), None)));
    }
    texts.retain(|(text, _)| !is_measure(text));
    let mut parts = grouped(&texts);
    parts.sort_by_key(|part| std::cmp::Reverse(part.from.len()));
    parts.truncate(MOST_PARTS);
    let topic = asked_for(&desk.session.opening().topic).filter(|_| parts.is_empty() && desk.table.is_none());
    if let Some(topic) = topic {
        parts.push(Part { name: opening_with(topic), serves: Vec::new(), from: vec![topic.to_owned()] });
    }
    parts
}

/// Whether a statement says how well and not what: a share, a load, a standard.
fn is_measure(text: &str) -> bool {
    target(text).is_some_and(|target| matches!(target.unit, Unit::Share | Unit::Load | Unit::Size | Unit::Standard))
}

/// Each statement goes to the thing it names that most statements name, the first of equals; where it names none,
/// to a part called by its own words.
fn grouped(texts: &[(String, Option<String>)]) -> Vec<Part> {
    let named: Vec<Vec<String>> = texts.iter().map(|(text, _)| nouns(text)).collect();
    let times = |name: &String| named.iter().filter(|nouns| nouns.contains(name)).count();
    let mut parts: Vec<(String, Part)> = Vec::new();
    for ((text, id), nouns) in texts.iter().zip(&named) {
        let most = nouns.iter().map(times).max();
        let noun = nouns.iter().find(|name| Some(times(name)) == most).cloned();
        let Some(key) = noun.or_else(|| own_words(text)) else { continue };
        let at = parts.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            let name = opening_with(&whole_name(&key, text));
            parts.push((key.clone(), Part { name, serves: Vec::new(), from: Vec::new() }));
            parts.len() - 1
        });
        let part = &mut parts[at].1;
        part.serves.extend(id.clone());
        part.from.push(text.clone());
        if part.from.len() > 1 {
            part.name = opening_with(&key);
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// The words of a statement that a part can be called after.
fn nouns(text: &str) -> Vec<String> {
    if holds(text, ACCESS) && !holds(text, "api key, token") {
        return vec!["sign-in".to_owned()];
    }
    let describes =
        |word: &str| (word.ends_with("ing") || word.ends_with("ed") || word.ends_with("ly")) && !holds(word, NOUNS);
    let fits = |word: &String| !describes(word) && !holds(word, NO_NAME) && !holds(word, PEOPLE);
    things(text).into_iter().filter(fits).collect()
}

/// "audit" in "Audit log of every change" is an audit log, "list" in "Waiting list" a waiting list.
fn whole_name(noun: &str, text: &str) -> String {
    let words = tokens(text);
    let is = |token: &Token| token.word == noun || token.word.strip_suffix('s') == Some(noun);
    let Some(at) = words.iter().position(is) else { return noun.to_owned() };
    match (at.checked_sub(1).map(|before| &words[before].word), words.get(at + 1)) {
        (Some(before), _) if before.ends_with("ing") && holds(noun, SECOND) => format!("{before} {noun}"),
        (_, Some(next)) if holds(&next.word, SECOND) => format!("{noun} {}", next.word),
        _ => noun.to_owned(),
    }
}

/// What a title says to do, without who does it: its words up to where it goes on.
fn own_words(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let modal = words.iter().take(LONGEST_NAME).position(|word| holds(word, "can, may, must, should, will"));
    let rest = &words[modal.map_or(0, |at| at + 1)..];
    let end = rest.iter().skip(1).position(|word| holds(word, BEYOND)).map_or(rest.len(), |at| at + 1);
    let name = rest[..end.min(LONGEST_NAME)].join(" ");
    let name = name.trim_end_matches(|c: char| !c.is_alphanumeric());
    (name.chars().any(char::is_alphabetic) && !content(name).is_empty()).then(|| name.to_owned())
}

/// The part that talks to whoever a statement names: the one for what is stated, else the one whose name it holds.
pub(super) fn talking<'p>(desk: &Desk<'_>, parts: &[&'p Artifact], from: &str) -> Option<&'p Artifact> {
    let stated = desk.live(&[ArtifactKind::Req]);
    let same = stated.iter().find(|req| likeness(&req.title, from) >= ALIKE).map(|req| req.id);
    let serves = |part: &&&Artifact| same.is_some_and(|id| part.serves.contains(&id));
    let named = |part: &&&Artifact| !content(&part.title).is_disjoint(&content(from));
    parts.iter().find(serves).or_else(|| parts.iter().find(named)).or_else(|| parts.first()).copied()
}

/// Who is on the other side: stated systems first, then systems that statements name, then people that functions do.
pub(super) fn outside(desk: &Desk<'_>) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for item in desk.story.of(&[Section::Outside]) {
        let end = item.text.find([':', ',', '(']).unwrap_or(item.text.len());
        add(&mut found, item.text[..end].trim().to_owned(), &item.text);
    }
    let qualities: Vec<String> = desk.live(&[ArtifactKind::Nfr]).iter().map(|nfr| same_text(&nfr.title)).collect();
    let told: Vec<(String, bool)> = desk
        .story
        .items
        .iter()
        .filter(|item| !matches!(item.section, Section::Out | Section::Left | Section::Other | Section::Question))
        .map(|item| (item.text.clone(), item.section == Section::Constraint))
        .chain(desk.live(&[ArtifactKind::Req]).iter().map(|artifact| (artifact.title.clone(), false)))
        .filter(|(text, _)| !qualities.contains(&same_text(text)))
        .collect();
    for (text, _) in &told {
        systems(text).into_iter().chain(outsiders(text)).for_each(|name| add(&mut found, name, text));
    }
    found.truncate(MOST_ENDS);
    for (text, constraint) in &told {
        // A figure with users in it is about a load, not about whom the system talks to.
        let quality = is_measure(text) || (*constraint && target(text).is_some());
        for name in actors(text).into_iter().filter(|_| !quality) {
            if found.len() < ENOUGH_ENDS {
                add(&mut found, name, text);
            }
        }
    }
    found
}

/// Unless it is there, in other words for the same: "SMS" is the "SMS gateway" too.
fn add(found: &mut Vec<(String, String)>, name: String, from: &str) {
    let plain = |name: &str| -> BTreeSet<String> {
        let words = name.to_lowercase().replace("e-mail", "email");
        tokens(&words).into_iter().map(|token| token.word.trim_end_matches('s').to_owned()).collect()
    };
    let new = plain(&name);
    let same = |known: &str| plain(known).is_subset(&new) || new.is_subset(&plain(known));
    if !new.is_empty() && !found.iter().any(|(known, _)| same(known)) {
        found.push((name, from.to_owned()));
    }
}

/// The systems that a statement names: known ones, what follows "integrates with" and its like, and names like MediSoft.
fn systems(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare: Vec<&str> = words.iter().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let mut found: Vec<String> = Vec::new();
    for at in 0..words.len() {
        let cued = CUES.iter().any(|cue| {
            let start = at.checked_sub(cue.len());
            start.is_some_and(|start| cue.iter().zip(&bare[start..]).all(|(cue, word)| word.eq_ignore_ascii_case(cue)))
        });
        if cued {
            found.extend(name_at(&words, &bare, at));
        } else if is_brand(bare[at]) {
            found.push(bare[at].to_owned());
        }
    }
    for name in SYSTEMS.split(", ").filter(|name| holds(text, name)) {
        found.push(match name {
            "sms" | "sap" => name.to_uppercase(),
            "email" => "E-mail".to_owned(),
            _ => name.split(' ').map(opening_with).collect::<Vec<_>>().join(" "),
        });
    }
    found.retain(|name| technology(name).is_none() && !holds(name, TOOLS));
    found
}

/// The words with a capital from here on, as far as no comma ends them.
fn name_at(words: &[&str], bare: &[&str], at: usize) -> Option<String> {
    let mut name: Vec<&str> = Vec::new();
    for (word, bare) in words[at..].iter().zip(&bare[at..]).take(LONGEST_NAME) {
        if !bare.starts_with(char::is_uppercase) {
            break;
        }
        name.push(bare);
        if word.ends_with([',', '.', ';', ':', ')']) {
            break;
        }
    }
    (!name.is_empty()).then(|| name.join(" "))
}

/// Whether a word is written like MediSoft: a capital, small letters, and a capital again.
fn is_brand(word: &str) -> bool {
    let small = word.chars().skip(1).position(char::is_lowercase);
    let again = |at: usize| word.chars().skip(at + 2).any(char::is_uppercase);
    word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric) && small.is_some_and(again)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts_of(titles: &[&str]) -> Vec<String> {
        let texts: Vec<(String, Option<String>)> = titles.iter().map(|title| ((*title).to_owned(), None)).collect();
        grouped(&texts).into_iter().map(|part| part.name).collect()
    }

    #[test]
    fn components_were_called_rate_hour_and_cancelling() {
        for (title, name) in [
            ("Reminders by SMS and e-mail 24 hours before", "Reminder"),
            ("Cancelling and rescheduling by the patient", "Cancelling and rescheduling"),
            ("Waiting list that fills freed slots", "Waiting list"),
            ("Payment of a deposit by card", "Payment"),
            ("Clinics can set opening hours per weekday", "Set opening hours"),
            ("Sign in with a one-time code by SMS", "Sign-in"),
            ("Audit log of every change", "Audit log"),
        ] {
            assert_eq!(parts_of(&[title]), [name], "{title}");
        }
        assert!(
            is_measure("Receptionists spend 50% less time on the phone by June")
                && is_measure("No-show rate falls below 5%")
        );
        let both = ["Patients book an appointment in under 2 minutes", "Online booking of appointments with a doctor"];
        assert_eq!(parts_of(&both), ["Appointment"]);
    }

    #[test]
    fn systems_in_the_context_had_no_interface() {
        for (text, names) in [
            (
                "A calendar for each doctor, kept in sync with Google Calendar",
                &["Google Calendar", "Google Calendar"][..],
            ),
            ("The clinics' existing practice software (MediSoft, SOAP API) stays", &["MediSoft"]),
            ("Reminders by SMS and e-mail 24 hours before", &["SMS", "E-mail"]),
            ("Import from Exact Online, each night", &["Exact Online"]),
            ("All know TypeScript and PostgreSQL", &[]),
            ("GDPR and the national act apply", &[]),
        ] {
            assert_eq!(systems(text), names, "{text}");
        }
    }
}
