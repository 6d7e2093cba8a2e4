//! Counts verdicts by kind and in total, and says them as a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::judge::Verdict;

/// How many of each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Every field equal.
    pub recovered: usize,
    /// Accepted with a field different.
    pub wrong: usize,
    /// Refused although it can be read.
    pub refused: usize,
    /// Refused as it must be.
    pub rightly_refused: usize,
    /// Accepted although it must be refused.
    pub accepted: usize,
}

impl Tally {
    /// Counts one verdict.
    pub fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Recovered => self.recovered += 1,
            Verdict::Wrong => self.wrong += 1,
            Verdict::Refused => self.refused += 1,
            Verdict::RightlyRefused => self.rightly_refused += 1,
            Verdict::Accepted => self.accepted += 1,
        }
    }

    /// Adds another count to this one.
    pub fn add(&mut self, other: Tally) {
        self.recovered += other.recovered;
        self.wrong += other.wrong;
        self.refused += other.refused;
        self.rightly_refused += other.rightly_refused;
        self.accepted += other.accepted;
    }

    /// The replies that can be read.
    pub fn recoverable(self) -> usize {
        self.recovered + self.wrong + self.refused
    }

    /// The replies that must be refused.
    pub fn must_refuse(self) -> usize {
        self.rightly_refused + self.accepted
    }

    /// Whether every reply came out as it should.
    pub fn is_perfect(self) -> bool {
        self.wrong + self.refused + self.accepted == 0
    }

    /// The count in words.
    pub fn words(self) -> String {
        let mut words = String::new();
        if self.recoverable() > 0 {
            let all = self.recoverable();
            let _ = write!(
                words,
                "recovered {}/{all} ({}), wrong {} ({}), refused {}",
                self.recovered,
                percent(self.recovered, all),
                self.wrong,
                percent(self.wrong, all),
                self.refused
            );
        }
        if self.must_refuse() > 0 {
            let gap = if words.is_empty() { "" } else { "; " };
            let _ = write!(words, "{gap}must-refuse accepted {}/{}", self.accepted, self.must_refuse());
        }
        words
    }
}

/// A share with two decimals.
pub fn percent(part: usize, all: usize) -> String {
    let (part, all) = (u32::try_from(part).unwrap_or(u32::MAX), u32::try_from(all.max(1)).unwrap_or(u32::MAX));
    format!("{:.2} %", f64::from(part) * 100.0 / f64::from(all))
}

/// Tallies by name, in the order of the names.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The tally of each name.
    pub by_name: BTreeMap<String, Tally>,
}

impl Report {
    /// Counts one verdict under this name.
    pub fn count(&mut self, name: &str, verdict: Verdict) {
        self.by_name.entry(name.to_owned()).or_default().count(verdict);
    }

    /// All together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for tally in self.by_name.values() {
            total.add(*tally);
        }
        total
    }

    /// A line for each name; only for those that are not perfect, unless `all`.
    pub fn table(&self, all: bool) -> String {
        let mut table = String::new();
        for (name, tally) in &self.by_name {
            if all || !tally.is_perfect() {
                let _ = writeln!(table, "{name:<40} {}", tally.words());
            }
        }
        table
    }
}
