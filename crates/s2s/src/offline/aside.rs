//! What an offline seat says when it is asked once more, beside the record.
//! Given the session, the table where a playbook covers it, and a question; hands on Markdown made of what the seat said
//! on the question's words and of what the playbook has on them. Where neither touches the question, it says so.
//! Deliberately absent: any sentence of fact that is not in the record or in a data file.

use std::collections::BTreeSet;

use s2s_engine::Session;
use s2s_engine::opening::FACILITATOR;
use s2s_engine::record::SeatResponse;

use super::table::Table;
use super::words::{opening_with, tokens, within};

/// How much of the record and of the playbook is given.
const MOST_SAID: usize = 4;
const MOST_KNOWN: usize = 3;
/// Words so short are too common, unless they are written in capitals.
const SHORTEST: usize = 4;
/// Words that begin alike over so many letters are taken for forms of one word.
const ALIKE: usize = 5;

const COMMON: [&str; 36] = [
    "what", "when", "where", "which", "would", "could", "should", "about", "there", "their", "they", "them", "that",
    "this", "than", "then", "have", "with", "without", "from", "into", "your", "yours", "does", "didn", "because",
    "again", "still", "think", "really", "were", "will", "work", "make", "more", "most",
];

/// The answer.
pub(super) fn answer(session: &Session, table: Option<&Table<'_>>, seat: &str, question: &str) -> String {
    let asked = keywords(question);
    let said = said(session, seat, &asked);
    let known = table.map(|table| known(table, seat, &asked, question)).unwrap_or_default();
    let mut parts = Vec::new();
    if !said.is_empty() {
        parts.push(format!("On this I said at the table:\n\n{}", said.join("\n")));
    }
    if !known.is_empty() {
        parts.push(format!("My playbook adds:\n\n{}", known.join("\n")));
    }
    let held = held(session, seat);
    if parts.is_empty() {
        parts.push(
            "Neither the record of what I said nor my playbook touches the words of this question, and I answer from \
             these two alone: no language model takes part. I have nothing to say on it that would not be made up."
                .to_owned(),
        );
        parts.extend(held.map(|held| format!("What I do hold, from the last round I answered in: {held}")));
    } else {
        parts.extend(held.map(|held| format!("I still hold: {held}")));
    }
    parts.join("\n\n")
}

/// What the seat said on these words, best first, each with its round.
fn said(session: &Session, seat: &str, asked: &BTreeSet<String>) -> Vec<String> {
    let mut found: Vec<(usize, u32, String)> = Vec::new();
    for round in session.rounds() {
        for text in texts(session, round.number, seat) {
            let hits = hits(&text, asked);
            let known = found.iter().any(|(_, _, other)| *other == text);
            if hits > 0 && !known {
                found.push((hits, round.number, text));
            }
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    found.truncate(MOST_SAID);
    found.sort_by_key(|(_, round, _)| *round);
    found.into_iter().map(|(_, round, text)| format!("- in round {round}: {text}")).collect()
}

/// Everything the seat said in a round; of the facilitator, its synthesis.
fn texts(session: &Session, round: u32, seat: &str) -> Vec<String> {
    if seat == FACILITATOR {
        let round = session.rounds().iter().find(|held| held.number == round);
        return round.map(|round| round.synthesis.clone()).into_iter().filter(|text| !text.is_empty()).collect();
    }
    let Some(answer) = own(session, round, seat) else { return Vec::new() };
    let reasons = answer.rationale.iter().chain(&answer.concerns);
    std::iter::once(&answer.position).chain(reasons).chain(&answer.context_challenge).cloned().collect()
}

fn own<'s>(session: &'s Session, round: u32, seat: &str) -> Option<&'s SeatResponse> {
    session.answers_of(round)?.iter().find(|answer| *answer.participant == *seat)
}

/// The last position of the seat.
fn held(session: &Session, seat: &str) -> Option<String> {
    session.rounds().iter().rev().find_map(|round| texts(session, round.number, seat).into_iter().next())
}

/// What the playbook has on these words: the criteria and options that they name, seen from where the seat leans.
fn known(table: &Table<'_>, seat: &str, asked: &BTreeSet<String>, question: &str) -> Vec<String> {
    let place = table.seats().iter().position(|known| *known.id == *seat);
    let held = table.session.rounds().len() as u32;
    let leaning = place.map_or(table.majority, |seat| table.leaning(seat, held));
    let mut lines: Vec<String> = Vec::new();
    let words = tokens(question);
    let named = |at: &usize| {
        let option = table.option(*at);
        let aliases = option.aliases.iter().map(|alias| alias.trim_start_matches('~'));
        aliases.chain([option.name.as_str()]).any(|name| !super::words::find(name, &words).is_empty())
    };
    let options: Vec<usize> = (0..table.playbook().options.len()).filter(named).collect();
    for criterion in (0..table.playbook().criteria.len()).filter(|at| {
        let criterion = table.criterion(*at);
        hits(&format!("{} {}", criterion.name, criterion.id), asked) > 0
    }) {
        let of = if options.is_empty() { vec![leaning] } else { options.clone() };
        lines.extend(of.into_iter().map(|option| table.cell_line(place.unwrap_or_default(), option, criterion).text));
    }
    for option in options.iter().copied().chain([leaning]) {
        for risk in table.option(option).risks.iter().filter(|risk| hits(&risk.risk, asked) > 0) {
            lines.push(format!("{} What helps: {}.", risk.risk, within(&risk.mitigation)));
        }
    }
    if lines.is_empty() {
        let apart = options.iter().filter(|option| **option != leaning);
        lines.extend(apart.map(|option| {
            let (to, from) = (table.name(leaning), table.name(*option));
            let revisit = &table.option(leaning).revisit_when;
            opening_with(&format!("{to} over {from}: I would look at this again as soon as {revisit}."))
        }));
    }
    let mut seen = BTreeSet::new();
    lines.retain(|line| seen.insert(line.clone()));
    lines.truncate(MOST_KNOWN);
    lines.into_iter().map(|line| format!("- {line}")).collect()
}

/// The words of a question that say what it is about.
fn keywords(question: &str) -> BTreeSet<String> {
    let says = |token: &super::words::Token| {
        let capitals = token.raw.len() > 1 && token.raw.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
        (token.word.chars().count() >= SHORTEST || capitals) && !COMMON.contains(&token.word.as_str())
    };
    tokens(question).into_iter().filter(says).map(|token| token.word).collect()
}

/// How many of the words a text has, in one form or another.
fn hits(text: &str, asked: &BTreeSet<String>) -> usize {
    let words: Vec<String> = tokens(text).into_iter().map(|token| token.word).collect();
    let alike = |a: &str, b: &str| {
        let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
        a == b || shared >= ALIKE
    };
    asked.iter().filter(|asked| words.iter().any(|word| alike(word, asked))).count()
}
