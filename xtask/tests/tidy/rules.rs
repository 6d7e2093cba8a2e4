//! Every rule of the roundtable has a test, and docs/rules.md says which.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{root, rust};

/// The rules, by letter and highest number.
const RULES: [(char, u32); 12] = [
    ('L', 9),
    ('S', 7),
    ('D', 9),
    ('B', 6),
    ('P', 1),
    ('E', 10),
    ('A', 5),
    ('V', 4),
    ('T', 4),
    ('C', 4),
    ('F', 6),
    ('H', 3),
];

/// The rows of the table: rule id to the tests named for it.
fn table() -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(root().join("docs/rules.md")).expect("docs/rules.md");
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [id, .., proof] = cells.as_slice() else { continue };
        let id = id.trim_matches(|c| c == '*' || c == '`');
        if id.len() > 3 || !id.ends_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let named = proof.split('`').skip(1).step_by(2);
        let tests = named.map(|name| name.rsplit("::").next().unwrap_or(name).to_owned());
        rows.entry(id.to_owned()).or_default().extend(tests);
    }
    rows
}

fn tests_in_the_tree() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (_, text) in rust() {
        for line in text.lines().map(str::trim_start) {
            let rest = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ");
            if let Some(name) = rest.and_then(|rest| rest.split('(').next()) {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

#[test]
fn every_rule_names_a_test_that_exists() {
    let (table, tests) = (table(), tests_in_the_tree());
    let mut missing = Vec::new();
    for (letter, most) in RULES {
        for number in 1..=most {
            let id = format!("{letter}{number}");
            match table.get(&id) {
                None => missing.push(format!("{id} is not in docs/rules.md")),
                Some(named) if named.is_empty() => missing.push(format!("{id} names no test")),
                Some(named) => {
                    let lost = named.iter().filter(|name| !tests.contains(*name));
                    missing.extend(lost.map(|name| format!("{id} names {name}, which is no test")));
                    let prefix = format!("{}_", id.to_lowercase());
                    if !named.iter().any(|name| name.starts_with(&prefix)) {
                        missing.push(format!("{id} has no test that carries its id"));
                    }
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
