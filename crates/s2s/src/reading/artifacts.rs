//! From the records of a reply to proposals of artifacts.
//! Given the reader's fields; hands on proposals as the engine takes them. A word that is none of its closed set is
//! left out with a doubt: one odd priority must not cost a round. Deliberately absent: ids, kinds and references,
//! which the engine checks.

use std::str::FromStr;

use s2s_engine::artifact::{Details, Level, Priority, Proposal};

use super::answer::{Fields, optional, text, texts};

/// The proposals of a synthesis.
pub(super) fn proposals<'v>(records: impl Iterator<Item = &'v Fields>, doubts: &mut Vec<String>) -> Vec<Proposal> {
    records.map(|record| proposal(record, doubts)).collect()
}

fn proposal(record: &Fields, doubts: &mut Vec<String>) -> Proposal {
    Proposal {
        id: optional(record, "id"),
        kind: optional(record, "kind"),
        title: text(record, "title"),
        text: text(record, "text"),
        topic: optional(record, "topic"),
        status: optional(record, "status"),
        details: details(record, doubts),
        serves: texts(record, "serves"),
        uses: texts(record, "uses"),
        supersedes: texts(record, "supersedes"),
        proposed_by: texts(record, "proposed_by"),
    }
}

fn details(record: &Fields, doubts: &mut Vec<String>) -> Details {
    Details {
        priority: word(record, "priority", doubts, priority),
        acceptance: texts(record, "acceptance"),
        characteristic: optional(record, "characteristic"),
        target: optional(record, "target"),
        measure: optional(record, "measure"),
        source: optional(record, "source"),
        reason: optional(record, "reason"),
        options: texts(record, "options"),
        consequences: texts(record, "consequences"),
        severity: word(record, "severity", doubts, level),
        likelihood: word(record, "likelihood", doubts, level),
        impact: word(record, "impact", doubts, level),
        effort: word(record, "effort", doubts, level),
        answer: optional(record, "answer"),
        between: texts(record, "between"),
    }
}

/// The first word of a field, as one of a closed set.
fn word<T>(record: &Fields, field: &str, doubts: &mut Vec<String>, of: impl Fn(&str) -> Option<T>) -> Option<T> {
    let said = optional(record, field)?;
    let letter = |c: char| if c.is_alphabetic() { c } else { ' ' };
    let folded: String = said.to_lowercase().replace(['\'', '\u{2019}'], "").chars().map(letter).collect();
    let found = folded.split_whitespace().next().and_then(&of);
    if found.is_none() && !said.trim().is_empty() {
        doubts.push(format!("`artifacts`: left out the {field} \"{}\"", said.chars().take(40).collect::<String>()));
    }
    found
}

fn priority(word: &str) -> Option<Priority> {
    match word {
        "high" | "critical" | "required" => Some(Priority::Must),
        "medium" => Some(Priority::Should),
        "low" => Some(Priority::Could),
        other => Priority::from_str(other).ok(),
    }
}

fn level(word: &str) -> Option<Level> {
    match word {
        "critical" | "severe" | "major" | "likely" | "large" => Some(Level::High),
        "moderate" | "possible" | "some" => Some(Level::Medium),
        "minor" | "unlikely" | "rare" | "small" | "little" => Some(Level::Low),
        other => Level::from_str(other).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_are_read_leniently_and_odd_ones_are_doubted() {
        let record = json!({ "kind": "REQ", "title": "Export", "priority": "Won't", "severity": "catastrophe" });
        let mut doubts = Vec::new();
        let read = proposals(record.as_object().into_iter(), &mut doubts);
        assert_eq!(read[0].details.priority, Some(Priority::Wont));
        let record = json!({ "priority": "Must-have", "likelihood": "HIGH", "effort": "small (a day)" });
        let read = proposals(record.as_object().into_iter(), &mut doubts);
        let details = &read[0].details;
        assert_eq!((details.priority, details.likelihood), (Some(Priority::Must), Some(Level::High)));
        assert_eq!(details.effort, Some(Level::Low));
        assert!(doubts.iter().any(|doubt| doubt.contains("catastrophe")), "{doubts:?}");
    }
}
