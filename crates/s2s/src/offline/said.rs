//! What has been said, so that nobody says it again.
//! Every line rests on a fact of the playbook; a seat uses a fact once, and a round uses it once. Given
//! lines in order of preference; hands on the first that is new. Deliberately absent: what lines mean.

use std::collections::HashSet;

/// Something a seat could say.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// The fact it rests on, as a key.
    pub fact: String,
    /// The words.
    pub text: String,
    /// Said only when nothing better is left.
    pub late: bool,
}

impl Line {
    /// A line that rests on this fact.
    pub(super) fn new(fact: impl Into<String>, text: impl Into<String>) -> Self {
        Self { fact: fact.into(), text: text.into(), late: false }
    }

    /// The same line, kept for when nothing better is left.
    pub(super) fn late(self) -> Self {
        Self { late: true, ..self }
    }
}

/// The memory of a session.
#[derive(Debug, Default)]
pub(super) struct Said {
    by_anyone: HashSet<String>,
    by_seat: HashSet<(usize, String)>,
    in_round: HashSet<String>,
}

impl Said {
    /// A new round: what others said before may be taken up again, if nothing newer is left.
    pub(super) fn next_round(&mut self) {
        self.in_round.clear();
    }

    /// The first line that is new to the table, else the first that is new to this seat and round.
    pub(super) fn pick(&mut self, seat: usize, lines: &[Line]) -> Option<String> {
        let sayable = |line: &&Line| {
            let new = |what: &String| !self.in_round.contains(what) && !self.by_seat.contains(&(seat, what.clone()));
            new(&line.fact) && new(&line.text)
        };
        let fresh = |line: &&Line| !self.by_anyone.contains(&line.fact) && sayable(line);
        let of = |late: bool| lines.iter().filter(move |line| line.late == late);
        let first = |late: bool| of(late).find(fresh).or_else(|| of(late).find(sayable));
        let line = first(false).or_else(|| first(true))?.clone();
        for what in [line.fact, line.text.clone()] {
            self.by_anyone.insert(what.clone());
            self.by_seat.insert((seat, what.clone()));
            self.in_round.insert(what);
        }
        Some(line.text)
    }

    /// Up to `most` new lines.
    pub(super) fn pick_some(&mut self, seat: usize, lines: &[Line], most: usize) -> Vec<String> {
        (0..most).map_while(|_| self.pick(seat, lines)).collect()
    }
}
