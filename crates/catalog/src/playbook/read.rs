//! Reads a playbook and checks what it says: every option has a cell for every criterion, ids are
//! unique, every reference leads somewhere. Given the text of a YAML file; hands on a [`Playbook`], or
//! every misfit with its line. Deliberately absent: judgement of the knowledge itself.

use std::collections::{BTreeMap, BTreeSet};

use s2s_yaml::node::{Fields, Misfit, Misfits, Node, nearest, read};

use super::{Cell, Criterion, General, Playbook, PlaybookOption, Practice, Risk, Signal};

impl Playbook {
    /// Reads and checks a playbook; all that is wrong with it, in the order of the file.
    pub fn parse(text: &str) -> Result<Self, Vec<Misfit>> {
        let root = read(text).map_err(|flaw| vec![Misfit::from(flaw)])?;
        let mut reader = Reader::default();
        let playbook = reader.playbook(&root);
        reader.misfits.into_result(playbook)
    }
}

/// Gathers misfits while it reads, so that one look shows them all.
#[derive(Default)]
struct Reader {
    misfits: Misfits,
    criteria: Vec<String>,
    options: Vec<String>,
}

const TOP: [&str; 11] = [
    "name",
    "subject",
    "as_of",
    "decides",
    "names",
    "unless",
    "criteria",
    "options",
    "whichever",
    "signals",
    "changes",
];
const CRITERION: [&str; 5] = ["id", "name", "means", "asks", "find_out"];
const OPTION: [&str; 11] = [
    "id",
    "name",
    "aliases",
    "what",
    "decide",
    "at_best",
    "start_with",
    "right_when",
    "revisit_when",
    "risks",
    "cells",
];
const SIGNAL: [&str; 7] = ["id", "when", "criterion", "shift", "lifts", "why", "contradicts"];

impl Reader {
    fn playbook(&mut self, root: &Node) -> Option<Playbook> {
        let top = self.fields(root, &TOP)?;
        let criteria = self.list(top, "criteria", 2, 10, Self::criterion);
        let nodes: Vec<&Node> = criteria.iter().map(|(node, _)| *node).collect();
        self.criteria = criteria.iter().map(|(_, criterion)| criterion.id.clone()).collect();
        self.unique(&nodes, &self.criteria.clone(), "criterion");
        // Ids of all options first, because a signal may name any of them.
        let options = self.list(top, "options", 2, 6, Self::option);
        let nodes: Vec<&Node> = options.iter().map(|(node, _)| *node).collect();
        self.options = options.iter().map(|(_, option)| option.id.clone()).collect();
        self.unique(&nodes, &self.options.clone(), "option");
        let signals = self.list(top, "signals", 0, 40, Self::signal);
        self.contradictions(&signals);
        Some(Playbook {
            name: self.text(top, "name")?,
            subject: self.text(top, "subject")?,
            as_of: self.text(top, "as_of")?,
            decides: self.text(top, "decides")?,
            names: self.texts(top, "names", 1),
            unless: if top.get("unless").is_some() { self.texts(top, "unless", 1) } else { Vec::new() },
            whichever: values(self.list(top, "whichever", 1, 12, Self::practice)),
            changes: self.texts(top, "changes", 1),
            criteria: values(criteria),
            options: values(options),
            signals: values(signals),
            general: General::default(),
        })
    }

    fn criterion(&mut self, node: &Node) -> Option<Criterion> {
        let fields = self.fields(node, &CRITERION)?;
        Some(Criterion {
            id: self.text(fields, "id")?,
            name: self.text(fields, "name")?,
            means: self.text(fields, "means")?,
            asks: self.text(fields, "asks")?,
            find_out: self.text(fields, "find_out")?,
        })
    }

    fn option(&mut self, node: &Node) -> Option<PlaybookOption> {
        let fields = self.fields(node, &OPTION)?;
        let risks = values(self.list(fields, "risks", 1, 8, Self::risk));
        let cells = self.cells(fields);
        Some(PlaybookOption {
            id: self.text(fields, "id")?,
            name: self.text(fields, "name")?,
            aliases: self.texts(fields, "aliases", 1),
            what: self.text(fields, "what")?,
            decide: self.text(fields, "decide")?,
            at_best: self.text(fields, "at_best")?,
            start_with: self.text(fields, "start_with")?,
            right_when: self.texts(fields, "right_when", 1),
            revisit_when: self.text(fields, "revisit_when")?,
            risks,
            cells: cells?,
        })
    }

    /// The cells of one option: one for every criterion, none for anything else.
    fn cells(&mut self, option: Fields<'_>) -> Option<BTreeMap<String, Cell>> {
        let node = self.misfits.keep(option.required("cells"))?;
        let fields = self.misfits.keep(node.fields())?;
        let mut cells = BTreeMap::new();
        for entry in fields.entries() {
            if self.known(&entry.value, &entry.key, "criterion").is_none() {
                continue;
            }
            let Some(cell) = self.fields(&entry.value, &["score", "why"]) else { continue };
            let score = self.keep(cell.required("score").and_then(|score| score.whole(1..=5)));
            let why = self.text(cell, "why");
            if let (Some(score), Some(why)) = (score.and_then(|score| u8::try_from(score).ok()), why) {
                cells.insert(entry.key.clone(), Cell { score, why });
            }
        }
        for criterion in self.criteria.clone() {
            if !fields.entries().iter().any(|entry| entry.key == criterion) {
                self.misfits.add(node.misfit(format!("no cell for the criterion `{criterion}`")));
            }
        }
        Some(cells)
    }

    fn risk(&mut self, node: &Node) -> Option<Risk> {
        let fields = self.fields(node, &["risk", "touches", "mitigation"])?;
        Some(Risk {
            risk: self.text(fields, "risk")?,
            touches: self.reference(fields, "touches")?,
            mitigation: self.text(fields, "mitigation")?,
        })
    }

    fn practice(&mut self, node: &Node) -> Option<Practice> {
        let fields = self.fields(node, &["touches", "text"])?;
        Some(Practice { touches: self.reference(fields, "touches")?, text: self.text(fields, "text")? })
    }

    fn signal(&mut self, node: &Node) -> Option<Signal> {
        let fields = self.fields(node, &SIGNAL)?;
        let optional = |key| fields.get(key).map(|node: &Node| node.text().map(str::to_owned)).transpose();
        let id = self.keep(optional("id"))?;
        let contradicts = self.keep(optional("contradicts"))?;
        let lifts = self.lifts(fields);
        Some(Signal {
            id,
            when: self.phrases(fields),
            criterion: self.reference(fields, "criterion")?,
            shift: self.keep(fields.required("shift").and_then(|shift| shift.number(-5.0..=5.0)))?,
            lifts,
            why: self.text(fields, "why")?,
            contradicts,
        })
    }

    fn lifts(&mut self, signal: Fields<'_>) -> BTreeMap<String, i8> {
        let mut lifts = BTreeMap::new();
        let Some(fields) = signal.get("lifts").and_then(|node| self.keep(node.fields())) else { return lifts };
        for entry in fields.entries() {
            let known = self.known(&entry.value, &entry.key, "option");
            let lift = self.keep(entry.value.number(-2.0..=2.0));
            if let (Some(()), Some(lift)) = (known, lift) {
                lifts.insert(entry.key.clone(), lift.round() as i8);
            }
        }
        lifts
    }

    /// The phrases of a signal; a number range has to be one.
    fn phrases(&mut self, signal: Fields<'_>) -> Vec<String> {
        let phrases = self.texts(signal, "when", 1);
        for phrase in &phrases {
            let bad = phrase.split_whitespace().find(|word| word.contains(['{', '}']) && number_range(word).is_none());
            if let (Some(word), Some(node)) = (bad, signal.get("when")) {
                let what = format!("`{word}` is not a range of numbers; write for example `{{2-5}}`");
                self.misfits.add(node.misfit(what));
            }
        }
        phrases
    }

    fn contradictions(&mut self, signals: &[(&Node, Signal)]) {
        let ids: BTreeSet<&str> = signals.iter().filter_map(|(_, signal)| signal.id.as_deref()).collect();
        for (node, signal) in signals {
            if let Some(other) = signal.contradicts.as_deref().filter(|other| !ids.contains(other)) {
                self.misfits.add(node.misfit(format!("contradicts `{other}`, but no signal has that id")));
            }
        }
    }

    fn fields<'n>(&mut self, node: &'n Node, allowed: &[&str]) -> Option<Fields<'n>> {
        let fields = self.misfits.keep(node.fields())?;
        self.misfits.0.extend(fields.unknown(allowed));
        Some(fields)
    }

    fn keep<T>(&mut self, result: Result<T, Misfit>) -> Option<T> {
        self.misfits.keep(result)
    }

    fn text(&mut self, fields: Fields<'_>, key: &str) -> Option<String> {
        self.keep(fields.required(key).and_then(|node| node.text().map(str::to_owned)))
    }

    fn texts(&mut self, fields: Fields<'_>, key: &str, least: usize) -> Vec<String> {
        let Some(node) = self.keep(fields.required(key)) else { return Vec::new() };
        let texts = self.keep(node.texts()).unwrap_or_default();
        if texts.len() < least {
            self.misfits.add(node.misfit(format!("`{key}` needs at least {least}")));
        }
        texts
    }

    /// A list with between `least` and `most` items, each with its node for later checks.
    fn list<'n, T>(
        &mut self,
        fields: Fields<'n>,
        key: &str,
        least: usize,
        most: usize,
        item: fn(&mut Self, &Node) -> Option<T>,
    ) -> Vec<(&'n Node, T)> {
        let Some(node) = self.keep(fields.required(key)) else { return Vec::new() };
        let Some(items) = self.keep(node.items()) else { return Vec::new() };
        if items.len() < least || items.len() > most {
            let what = format!("`{key}` has {} entries; {least} to {most} are expected", items.len());
            self.misfits.add(node.misfit(what));
        }
        items.iter().filter_map(|node| Some((node, item(self, node)?))).collect()
    }

    /// The id of a criterion of this playbook.
    fn reference(&mut self, fields: Fields<'_>, key: &str) -> Option<String> {
        let node = self.keep(fields.required(key))?;
        let id = self.keep(node.text())?.to_owned();
        self.known(node, &id, "criterion").map(|()| id)
    }

    fn known(&mut self, node: &Node, id: &str, noun: &str) -> Option<()> {
        let ids = if noun == "option" { &self.options } else { &self.criteria };
        if ids.iter().any(|known| known == id) {
            return Some(());
        }
        let what = match nearest(id, ids.iter().map(String::as_str)) {
            Some(near) => format!("unknown {noun} `{id}`; did you mean `{near}`?"),
            None => format!("unknown {noun} `{id}`"),
        };
        let allowed = Some(ids.join(", "));
        self.misfits.add(Misfit { allowed, ..node.misfit(what) });
        None
    }

    fn unique(&mut self, nodes: &[&Node], ids: &[String], noun: &str) {
        for (index, id) in ids.iter().enumerate() {
            if ids[..index].contains(id) {
                self.misfits.add(nodes[index].misfit(format!("the {noun} `{id}` is given twice")));
            }
        }
    }
}

fn values<T>(list: Vec<(&Node, T)>) -> Vec<T> {
    list.into_iter().map(|(_, value)| value).collect()
}

/// The range of a `{2-5}` in a signal's phrase.
pub fn number_range(word: &str) -> Option<std::ops::RangeInclusive<u32>> {
    let (low, high) = word.strip_prefix('{')?.strip_suffix('}')?.split_once('-')?;
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    (low <= high).then_some(low..=high)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = include_str!("../../data/playbooks/api-style.yaml");

    /// What is said about the shipped playbook after one change to its text.
    fn check(from: &str, to: &str, expected: &str) {
        assert!(GOOD.contains(from), "the text to change is there: {from}");
        let misfits = Playbook::parse(&GOOD.replacen(from, to, 1)).expect_err("the change breaks it");
        let said: Vec<String> = misfits.iter().map(ToString::to_string).collect();
        assert!(said.iter().any(|one| one.contains(expected)), "{said:#?} does not say: {expected}");
        assert!(misfits.iter().all(|misfit| misfit.line > 0), "every misfit has a line: {said:#?}");
    }

    #[test]
    fn a_bad_playbook_is_told_with_its_line() {
        check(
            "      simplicity: {score: 4",
            "      simplicty: {score: 4",
            "unknown criterion `simplicty`; did you mean `simplicity`?",
        );
        check("      simplicity: {score: 4", "      simplicty: {score: 4", "no cell for the criterion `simplicity`");
        check("score: 4,", "score: 6,", "expected a whole number from 1 to 5, found the number 6");
        check("{score: 4,", "{scor: 4,", "unknown key `scor`; did you mean `score`?");
        check("  - id: graphql", "  - id: rest", "the option `rest` is given twice");
        check("  - id: simplicity", "  - id: client-fit", "the criterion `client-fit` is given twice");
        check("touches: client-fit", "touches: clients", "unknown criterion `clients`");
        check("lifts: {rest: 1", "lifts: {rset: 1", "unknown option `rset`; did you mean `rest`?");
        check("{1-5} developers", "{5-1} developers", "`{5-1}` is not a range of numbers; write for example `{2-5}`");
        check(
            "contradicts: small-team",
            "contradicts: tiny-team",
            "contradicts `tiny-team`, but no signal has that id",
        );
        check("shift: 1.5", "shift: 9", "expected a number from -5 to 5, found the number 9");
        check("subject: ", "subjects: ", "the key `subject` is missing");
        check("changes:", "changed:", "unknown key `changed`; did you mean `changes`?");
    }

    #[test]
    fn what_is_not_a_playbook_is_refused_without_a_panic() {
        for text in ["", "just words", "- a\n- b", "name: [", "options: 3\ncriteria: {}"] {
            assert!(Playbook::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_range_is_two_numbers_in_order() {
        assert_eq!(number_range("{2-5}"), Some(2..=5));
        for word in ["{5-2}", "{2}", "2-5", "{a-b}", "{-}"] {
            assert_eq!(number_range(word), None, "{word}");
        }
    }
}
