//! The options of a matrix that did not compete, and what the count alone would have said of them. Given a matrix; hands on
//! rows beside those of the options, and one sentence. Deliberately absent: what rules an option out (`crate::offline`).

use super::words::{named, within};
use super::{Count, Matrix, Weighed};

/// An option that did not compete.
#[derive(Debug, Clone, PartialEq)]
pub struct Aside<'m> {
    /// Its name, for the beginning of a line.
    pub name: String,
    /// What became of it in two words.
    pub became: &'static str,
    /// The words that rule it out, as written; none where no playbook knows it.
    pub words: Option<&'m str>,
    /// How it does on each criterion, where that is known.
    pub weighed: Option<&'m Weighed>,
    /// What each seat's count of it comes to, where that is known.
    pub scores: &'m [f64],
}

impl Aside<'_> {
    /// What became of it, with the words that say so.
    pub fn told(&self) -> String {
        match self.words {
            Some(words) if !words.is_empty() => format!("{}: “{words}”", self.became),
            _ => self.became.to_owned(),
        }
    }

    /// The mean of the seats' scores.
    pub fn mean(&self) -> Option<f64> {
        (!self.scores.is_empty()).then(|| self.scores.iter().sum::<f64>() / self.scores.len() as f64)
    }
}

impl Matrix {
    /// The options that did not compete: those ruled out first, then those that no playbook knows.
    pub fn set_aside(&self) -> impl Iterator<Item = Aside<'_>> {
        let out = self.ruled_out.iter().map(|out| Aside {
            name: named(&out.name),
            became: "ruled out",
            words: Some(&out.words),
            weighed: out.weighed.as_ref(),
            scores: &out.scores,
        });
        let unknown = self.not_weighed.iter().map(|name| Aside {
            name: name.clone(),
            became: "not weighed",
            words: None,
            weighed: None,
            scores: &[],
        });
        out.chain(unknown)
    }

    /// What the count alone would have said, where an option that is ruled out would lead by it.
    pub fn by_count_alone(&self) -> Option<String> {
        let out: Vec<Aside<'_>> = self.set_aside().filter(|aside| aside.weighed.is_some()).collect();
        let cells = |option: &Weighed| option.cells.clone();
        let count = Count {
            scores: self.options.iter().chain(out.iter().filter_map(|aside| aside.weighed)).map(cells).collect(),
            weights: self.seats.iter().map(|seat| seat.weights.clone()).collect(),
        };
        let would = out.get(count.winner().checked_sub(self.options.len())?)?;
        let (mean, leads) = (would.mean()?, self.result.means.get(self.result.leader)?);
        let how = match mean >= *leads {
            true => format!("{mean:.2} to {leads:.2}"),
            false => format!("as more seats like it best, with {mean:.2} to {leads:.2} on average"),
        };
        Some(format!("By the count alone {} would lead, {how}; it is {}.", within(&would.name), would.told()))
    }

    /// The words that rule options out, each once.
    pub(super) fn constraints(&self) -> Vec<String> {
        let mut said: Vec<String> = Vec::new();
        for out in self.ruled_out.iter().filter(|out| !out.words.is_empty()) {
            let quoted = format!("“{}”", out.words);
            if !said.contains(&quoted) {
                said.push(quoted);
            }
        }
        said
    }
}
