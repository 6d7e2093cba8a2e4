//! The facts of a playbook as lines that a seat can say: cells, risks, gaps, conditions, signals.
//! Given a table; hands on lines with the fact each rests on. Deliberately absent: which line is said,
//! and by whom.

use super::bounds::Bound;
use super::said::Line;
use super::table::Table;
use super::weigh::Place;
use super::words::{opening_with, unstopped, within};

impl Table<'_> {
    /// An option's name inside a sentence: the topic's own, else the playbook's.
    pub(super) fn name(&self, option: usize) -> &str {
        self.called(option).unwrap_or(&self.option(option).name)
    }

    /// An option's name at the start of a sentence.
    pub(super) fn title(&self, option: usize) -> String {
        opening_with(self.name(option))
    }

    /// A criterion's name inside a sentence.
    pub(super) fn about(&self, criterion: usize) -> &str {
        &self.criterion(criterion).name
    }

    /// How two options compare on a criterion, as a clause.
    pub(super) fn compare(&self, one: usize, other: usize, criterion: usize) -> String {
        let (a, b) = (self.score(one, criterion), self.score(other, criterion));
        if (a - b).abs() < 0.5 {
            return format!("there is little between {} and {} ({a:.0} each)", self.name(one), self.name(other));
        }
        let (better, worse) = if a > b { (one, other) } else { (other, one) };
        let (high, low) = (a.max(b), a.min(b));
        // "would", because names of options come in singular and plural.
        let much = if high - low > 1.5 { "clearly" } else { "a little" };
        format!("{} would do {much} better than {} ({high:.0} to {low:.0})", self.name(better), self.name(worse))
    }

    /// The reason in a cell, set into a sentence, without its full stop.
    pub(super) fn reason(&self, option: usize, criterion: usize) -> String {
        within(unstopped(self.why(option, criterion)))
    }

    /// The fact behind a cell.
    pub(super) fn cell_fact(&self, option: usize, criterion: usize) -> String {
        format!("cell:{option}:{criterion}")
    }

    /// A cell as a seat would put it: praise, doubt, or something in between.
    pub(super) fn cell_line(&self, seat: usize, option: usize, criterion: usize) -> Line {
        let (name, about, reason) = (self.name(option), self.about(criterion), self.reason(option, criterion));
        let score = self.score(option, criterion);
        let with = match reason.starts_with("it ") {
            true => format!("{}, {score:.0} of 5 on {about}: {reason}.", self.title(option)),
            false => format!("With {name}, {reason} ({about}: {score:.0} of 5)."),
        };
        let turn = (seat + option + 2 * criterion) % 3;
        let text = match (score.round() as u32, turn) {
            (_, 0) => with,
            (4.., 1) => format!("On {about} I trust {name}: {reason}."),
            (4.., _) => format!("What {name} would give us on {about}: {reason}."),
            (3, 1) => format!("On {about}, {name} would do, and no more than that: {reason}."),
            (3, _) => format!("A mixed picture for {name} on {about}: {reason}."),
            (_, 1) => format!("On {about} I am wary of {name}: {reason}."),
            (_, _) => format!("What {name} would cost us on {about}: {reason}."),
        };
        Line::new(self.cell_fact(option, criterion), text)
    }

    /// The risks of an option, those that touch the focus first, then by what the seat cares about.
    pub(super) fn risks(&self, option: usize, seat: usize, focus: usize) -> Vec<(usize, usize)> {
        let weight = |criterion: usize| self.views[seat].share(criterion);
        let touched = |at: usize| self.place_of(&self.option(option).risks[at].touches).unwrap_or_default();
        let mut risks: Vec<(usize, usize)> = (0..self.option(option).risks.len()).map(|at| (at, touched(at))).collect();
        risks.sort_by(|a, b| {
            let first = (b.1 == focus).cmp(&(a.1 == focus));
            first.then(weight(b.1).total_cmp(&weight(a.1))).then(a.0.cmp(&b.0))
        });
        risks
    }

    /// What goes wrong with an option, as lines in that order.
    pub(super) fn risk_lines(&self, option: usize, seat: usize, focus: usize) -> Vec<Line> {
        let risks = self.risks(option, seat, focus).into_iter();
        risks.map(|(at, _)| Line::new(format!("risk:{option}:{at}"), &self.option(option).risks[at].risk)).collect()
    }

    /// What helps against it.
    pub(super) fn fix_lines(&self, option: usize, seat: usize, focus: usize, lead: &str) -> Vec<Line> {
        let risks = self.risks(option, seat, focus).into_iter();
        let line = |(at, touches): (usize, usize)| {
            let lead = lead.replace("{}", self.about(touches));
            let text = format!("{lead}{}.", within(&self.option(option).risks[at].mitigation));
            Line::new(format!("fix:{option}:{at}"), opening_with(&text))
        };
        risks.map(line).collect()
    }

    /// What the option that was not chosen would do better, widest gap first.
    pub(super) fn better_lines(&self, seat: usize, other: usize, than: usize) -> Vec<Line> {
        let gap = |c: usize| self.score(other, c) - self.score(than, c);
        let mut better: Vec<usize> = (0..self.playbook().criteria.len()).filter(|&c| gap(c) > 0.5).collect();
        better.sort_by(|&a, &b| gap(b).total_cmp(&gap(a)).then(a.cmp(&b)));
        let line = |&c: &usize| {
            let (about, name, reason) = (self.about(c), self.name(other), self.reason(other, c));
            let text = match (seat + c) % 3 {
                0 => format!("We would give up what {name} would bring on {about}: {reason}."),
                1 => format!("{} would serve us better on {about}: {reason}.", opening_with(name)),
                _ => format!("What I would miss from {name} is {about}: {reason}."),
            };
            Line::new(self.cell_fact(other, c), text)
        };
        better.iter().map(line).collect()
    }

    /// What nobody has said about the project yet.
    pub(super) fn gap_line(&self, seat: usize, criterion: usize) -> Line {
        let find_out = &self.criterion(criterion).find_out;
        let text = match (seat + criterion) % 3 {
            0 => format!("Nobody has told us {}; the answer could move me.", find_out),
            1 => format!("Before I am sure I would want to know {find_out}."),
            _ => format!("Still open for me: {find_out}."),
        };
        Line::new(format!("gap:{criterion}"), text)
    }

    /// When to look at a choice again.
    pub(super) fn revisit_line(&self, option: usize) -> Line {
        let text = format!("I would look at this again as soon as {}.", self.option(option).revisit_when);
        Line::new(format!("revisit:{option}"), text)
    }

    /// What has to be true for an option to be right.
    pub(super) fn condition_lines(&self, option: usize) -> Vec<Line> {
        let conditions = self.option(option).right_when.iter().enumerate();
        let line = |(at, when): (usize, &String)| {
            let text = match at % 3 {
                0 => format!("{} would be right as long as {when}.", self.title(option)),
                1 => format!("For {} we assume that {when}.", self.name(option)),
                _ => format!("{} would also fit where {when}.", self.title(option)),
            };
            Line::new(format!("cond:{option}:{at}"), text)
        };
        conditions.map(line).collect()
    }

    /// What topic or context settles about the options, as this seat takes it.
    pub(super) fn bound_lines(&self, seat: usize) -> Vec<Line> {
        let Some(bound) = self.bounds.iter().find(|bound| self.settles(bound)) else { return Vec::new() };
        let (view, said) = (&self.views[seat], self.bound_clause(bound));
        let best = view.ranked.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(bound.option, |(option, _)| *option);
        let count = match self.subject.barred.contains(&best) {
            true => {
                format!("by my count alone it would have been {} ({:.1} of 5)", self.name(best), view.score_of(best))
            }
            false => format!("my own count agrees, with {} at {:.1} of 5", self.name(best), view.score_of(best)),
        };
        let most = self.about(view.matters[0]);
        let text = match seat % 3 {
            0 => format!("{}; {count}.", opening_with(&said)),
            1 => format!("I take it as given that {said}; with {most} first on my list, {count}."),
            _ => format!("{}, and with that I will not argue; {count}.", opening_with(&said)),
        };
        vec![Line::new(format!("bound:{seat}"), text)]
    }

    /// Whether a bound changes what may be taken.
    pub(super) fn settles(&self, bound: &Bound) -> bool {
        match bound.demanded {
            true => !self.subject.barred.is_empty() && !self.subject.barred.contains(&bound.option),
            false => self.subject.barred.contains(&bound.option),
        }
    }

    /// What a bound says, as a clause.
    pub(super) fn bound_clause(&self, bound: &Bound) -> String {
        let (place, words, name) = (place_name(bound.place), &bound.words, self.name(bound.option));
        match (bound.demanded, &bound.why) {
            (true, _) => format!("the {place} says \"{words}\", which leaves {name}"),
            (false, Some(why)) => format!("the {place} says \"{words}\", which rules {name} out, since {why}"),
            (false, None) => format!("the {place} says \"{words}\", which rules {name} out"),
        }
    }

    /// What topic and context say that shifts this seat's weights; one criterion only, where one is named.
    pub(super) fn signal_lines(&self, seat: usize, only: Option<usize>) -> Vec<Line> {
        let mut lines: Vec<(usize, f64, Line)> = Vec::new();
        for (at, heard) in self.heard.iter().enumerate() {
            let Some(criterion) = self.place_of(&heard.signal.criterion) else { continue };
            if only.is_some_and(|only| only != criterion) {
                continue;
            }
            let place = place_name(heard.place);
            let more = if heard.signal.shift < 0.0 { "less" } else { "more" };
            let (words, why, about) = (&heard.words, &heard.signal.why, self.about(criterion));
            let lifted = heard.signal.lifts.keys().next().filter(|_| heard.signal.when.is_empty());
            let lifted = lifted.and_then(|id| self.playbook().options.iter().position(|option| option.id == *id));
            let text = match (seat + at) % 3 {
                _ if lifted.is_some() => {
                    let name = self.name(lifted.unwrap_or_default());
                    match seat % 3 {
                        0 => format!("The {place} says \"{words}\": {why}, which lifts {name} on {about}."),
                        1 => format!("On {about} I give {name} more, as the {place} says \"{words}\" and {why}."),
                        _ => format!("\"{words}\", says the {place}, and {why}: that helps {name} on {about}."),
                    }
                }
                0 => format!("The {place} says \"{words}\": {why}, so I count {about} {more}."),
                1 => format!("I read \"{words}\" in the {place} as a reason to weigh {about} {more}: {why}."),
                _ => format!("With \"{words}\" in the {place}, {why}, and {about} should count for {more}."),
            };
            // The same words are taken up by one seat of a round.
            lines.push((criterion, self.views[seat].share(criterion), Line::new(format!("signal:{words}"), text)));
        }
        // One line for each criterion: what the playbook itself hears comes first.
        let mut told: Vec<usize> = Vec::new();
        lines.retain(|(criterion, _, _)| {
            let new = !told.contains(criterion);
            told.push(*criterion);
            new
        });
        lines.sort_by(|a, b| b.1.total_cmp(&a.1));
        lines.into_iter().map(|(_, _, line)| line).collect()
    }
}

/// What a person calls the place where something was read.
pub(super) fn place_name(place: Place) -> &'static str {
    match place {
        Place::Project => "context",
        Place::Topic => "topic",
    }
}
