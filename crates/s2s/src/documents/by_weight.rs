//! What was considered where seats weighed it: options, choice, reasons and voices as the matrices have them.
//! Given the session and the matrices kept beside it; hands on the same as `options`, but by ids and by the texts that
//! the table itself claims and votes on: no word of the topic says what won. Each subject has its own choice. Only what
//! people and models say at such a table is read for names. Deliberately absent: sentences about cells (`cells`).

use s2s_engine::record::Escalation;
use s2s_engine::slug::slug;
use s2s_engine::{Session, Standing};

use super::cells;
use super::choice::{self, Choice};
use super::escape::inline;
use super::heard::{Heard, heard};
use super::names::Names;
use super::options::{self, Considered, empty};
use super::view::{ChosenView, OptionView, Statement};
use crate::matrix::{Matrix, Weighed, named};

/// Risks of an option that seats named.
const MOST_RISKS: usize = 3;

/// What the matrices say was considered; none without one, or with one of an earlier s2s that does not say enough.
pub(super) fn considered(session: &Session, matrices: &[Matrix]) -> Option<Considered> {
    let whole = |option: &Weighed| !option.decide.is_empty();
    if matrices.is_empty() || !matrices.iter().all(|matrix| matrix.options.iter().all(whole)) {
        return None;
    }
    let labels: Vec<String> = matrices.iter().map(|matrix| named(&matrix.subject)).collect();
    let subject = |at: usize| Subject::of(session, &matrices[at], &labels, at).considered();
    let mut parts: Vec<Considered> = (0..matrices.len()).map(subject).collect();
    if parts.len() == 1 {
        return parts.pop();
    }
    let undecided = (0..parts.len()).filter(|&at| parts[at].chosen.is_none()).map(|at| inline(&labels[at])).collect();
    for (part, label) in parts.iter_mut().zip(&labels) {
        under(part, &inline(label));
    }
    Some(joined(parts, undecided))
}

/// Puts the name of its subject before what is told of one of several.
fn under(part: &mut Considered, label: &str) {
    let put = |text: &mut String| text.insert_str(0, &format!("{label}: "));
    part.options.iter_mut().for_each(|option| put(&mut option.title));
    part.decisions.iter_mut().for_each(|decision| put(&mut decision.title));
    let lists = [&mut part.good, &mut part.bad, &mut part.risks, &mut part.overruled, &mut part.holdouts];
    lists.into_iter().flatten().for_each(|statement| put(&mut statement.text));
}

fn joined(parts: Vec<Considered>, undecided: Vec<String>) -> Considered {
    let mut all = Considered { undecided, ..Considered::default() };
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for part in parts {
        all.options.extend(part.options);
        all.decisions.extend(part.decisions);
        good.push(part.good);
        bad.push(part.bad);
        for (list, more) in [
            (&mut all.others, part.others),
            (&mut all.risks, part.risks),
            (&mut all.overruled, part.overruled),
            (&mut all.holdouts, part.holdouts),
        ] {
            list.extend(more.into_iter().filter(|statement| !list.contains(statement)).collect::<Vec<_>>());
        }
        let more: Vec<String> = part.disagreed.into_iter().filter(|seat| !all.disagreed.contains(seat)).collect();
        all.disagreed.extend(more);
    }
    // The first of each subject before the second of any, for whoever reads only the first few.
    (all.good, all.bad) = (in_turn(good), in_turn(bad));
    let told = |part: fn(&ChosenView) -> &str| all.decisions.iter().map(part).collect::<Vec<_>>().join("; ");
    all.chosen = (!all.decisions.is_empty()).then(|| ChosenView {
        title: told(|decision| &decision.title),
        text: None,
        how: told(|decision| &decision.how),
        points: all.decisions.iter().flat_map(|decision| decision.points.clone()).collect(),
    });
    all
}

fn in_turn(lists: Vec<Vec<Statement>>) -> Vec<Statement> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or_default();
    (0..longest).flat_map(|at| lists.iter().filter_map(move |list| list.get(at).cloned())).collect()
}

/// One subject of a session.
struct Subject<'s> {
    session: &'s Session,
    matrix: &'s Matrix,
    /// Whether the topic has no other.
    only: bool,
    /// The options that were weighed, then those that were not, then those that are out.
    names: Names,
    heard: Vec<Heard<'s>>,
}

impl<'s> Subject<'s> {
    fn of(session: &'s Session, matrix: &'s Matrix, labels: &[String], at: usize) -> Self {
        let known = matrix.options.iter().map(|option| named(&option.name));
        let out = matrix.ruled_out.iter().map(|out| named(&out.name));
        let titles = known.chain(matrix.not_weighed.iter().cloned()).chain(out).collect();
        let mut heard = heard(session);
        for said in &mut heard {
            said.position = part_of(said.position, labels, at);
        }
        Self { session, matrix, only: labels.len() == 1, names: Names::of(titles), heard }
    }

    fn considered(mut self) -> Considered {
        self.lean(None);
        let choice =
            choice::settled(self.session, &self.heard, self.names.titles(), self.carried(), &|escalation, text| {
                self.meant(escalation, text)
            });
        self.lean(choice.as_ref().and_then(|choice| choice.ruled.as_ref()).map(|(_, round)| *round));
        let (options, others) = self.options();
        let taken = choice.as_ref().and_then(|choice| choice.option);
        let weighed = taken.filter(|option| *option < self.matrix.options.len());
        let good = weighed.map(|option| cells::why(self.matrix, option)).unwrap_or_default();
        let bad = weighed.map(|option| cells::costs(self.matrix, option)).unwrap_or_default();
        let risks = match weighed {
            Some(option) => [bad.clone(), self.risks(option)].concat(),
            None => choice::consequences(self.session, &self.heard, None, None).risks,
        };
        let dissent = choice::dissent(self.session, &self.heard, choice.as_ref());
        let chosen = choice.map(|Choice { view, .. }| view);
        Considered {
            options,
            others,
            decisions: chosen.iter().cloned().collect(),
            undecided: Vec::new(),
            chosen,
            good,
            bad,
            neutral: Vec::new(),
            risks,
            overruled: dissent.overruled,
            holdouts: dissent.holdouts,
            disagreed: dissent.seats,
        }
    }

    /// The option that a point chooses: the one whose decision it begins with.
    fn chooses(&self, text: &str) -> Option<usize> {
        let options = self.matrix.options.iter().enumerate();
        let chosen = options.filter(|(_, option)| text.starts_with(option.decide.trim_end_matches('.')));
        chosen.max_by_key(|(_, option)| option.decide.len()).map(|(at, _)| at)
    }

    /// The option that was carried last, and the points that choose it. Where people or models sat at the table too, a
    /// point may be in their words.
    fn carried(&self) -> Option<(usize, Vec<String>)> {
        let carried = || self.session.points().iter().filter(|point| point.standing == Standing::Carried);
        let last_by = |chooses: &dyn Fn(&str) -> Option<usize>| {
            let option = carried().filter_map(|point| chooses(&point.text)).last()?;
            let points = carried().filter(|point| chooses(&point.text) == Some(option));
            Some((option, points.map(|point| point.id.clone()).collect()))
        };
        let in_words = || last_by(&|text| self.names.meant(text)).filter(|_| !self.matrix.others.is_empty());
        last_by(&|text| self.chooses(text)).or_else(in_words)
    }

    /// The option that a ruling on this subject takes.
    fn meant(&self, escalation: &Escalation, text: &str) -> Option<Option<usize>> {
        let options = self.matrix.options.iter().enumerate();
        let decided = options.filter_map(|(at, option)| Some((text.find(option.decide.trim_end_matches('.'))?, at)));
        let option = decided.min().map(|(_, at)| at).or_else(|| self.names.meant(text));
        match self.only {
            true => Some(option),
            false if option.is_some() && self.has(escalation) => Some(option),
            false => None,
        }
    }

    /// Whether an escalation is about a conflict of this subject.
    fn has(&self, escalation: &Escalation) -> bool {
        let ids: Vec<&str> = self.matrix.options.iter().map(|option| option.id.as_str()).collect();
        let back: Vec<&str> = ids.iter().rev().copied().collect();
        let mut own = vec![slug(&ids.join(" or ")), slug(&back.join(" or ")), slug(&self.matrix.playbook)];
        own.extend(self.matrix.options.iter().map(|option| slug(&option.decide)));
        escalation.conflicts.iter().any(|id| own.contains(id))
    }

    /// Says for each answer which option its seat is for. Debaters have a side; a seat that weighed is for what it voted
    /// for, else for its own favourite, and up to a ruling for what it spoke for then; anyone else for what they name.
    fn lean(&mut self, ruled: Option<u32>) {
        let sides = self.sides();
        let mut leanings: Vec<Option<usize>> = Vec::with_capacity(self.heard.len());
        for (at, said) in self.heard.iter().enumerate() {
            let spoken = || self.names.spoken_for(said.position);
            let leaning = match (sides, self.held(said.seat)) {
                (Some((pro, con)), _) => {
                    if self.session.side_of(said.seat) == Some("pro") {
                        pro
                    } else {
                        con
                    }
                }
                (None, Some(held)) if ruled.is_some_and(|round| said.round <= round) => spoken().or(Some(held)),
                (None, Some(held)) => Some(held),
                (None, None) => spoken().or_else(|| {
                    let before = (0..at).rev().find(|&before| self.heard[before].seat == said.seat)?;
                    leanings[before]
                }),
            };
            leanings.push(leaning);
        }
        for (said, leaning) in self.heard.iter_mut().zip(leanings) {
            said.speaks_for = leaning;
        }
    }

    /// The option a seat that weighed voted for last, else its favourite.
    fn held(&self, seat: &str) -> Option<usize> {
        let own = self.matrix.seats.iter().find(|known| known.seat == seat)?;
        let tallies = self.session.rounds().iter().rev().flat_map(|round| &round.tallies);
        let mut supported = tallies.filter(|tally| tally.support.iter().any(|known| &**known == seat));
        let voted = supported.find_map(|tally| self.chooses(&self.session.point(&tally.point)?.text));
        Some(voted.unwrap_or(own.favourite))
    }

    /// What the sides of a debate are for. The proposal says both: "… rather than …".
    fn sides(&self) -> Option<(Option<usize>, Option<usize>)> {
        let proposal = self.session.opening().sides.as_ref()?.proposal.to_lowercase();
        let place = |text: &str| proposal.find(text.trim_end_matches('.').to_lowercase().as_str());
        let options = self.matrix.options.iter().enumerate();
        let decided = options.filter_map(|(at, option)| Some((place(&option.decide)?, at))).min().map(|(_, at)| at);
        let against = |at: &usize| place(&format!(" rather than {}", self.names.titles()[*at])).is_some();
        let con = (0..self.names.len()).filter(against).max_by_key(|&at| self.names.titles()[at].len());
        // What is out has no decision to be found by.
        let out = self.matrix.options.len() + self.matrix.not_weighed.len();
        let pro = decided.or_else(|| (out..self.names.len()).find(|at| Some(*at) != con));
        Some((pro, con))
    }

    fn options(&self) -> (Vec<OptionView>, Vec<Statement>) {
        let mut options: Vec<OptionView> = self.names.titles().iter().map(|title| empty(inline(title))).collect();
        let weighed = self.matrix.options.len();
        for (at, option) in options.iter_mut().enumerate().take(weighed) {
            option.good = cells::pros(self.matrix, at);
            option.bad = [cells::cons(self.matrix, at), self.risks(at)].concat();
        }
        let unknown = self.matrix.not_weighed.iter().map(|_| "not weighed, since no playbook knows it".to_owned());
        let out = self.matrix.ruled_out.iter().map(|out| match out.words.is_empty() {
            true => "ruled out".to_owned(),
            false => format!("ruled out: “{}”", inline(&out.words)),
        });
        for (option, became) in options[weighed..].iter_mut().zip(unknown.chain(out)) {
            option.summary = Some(became);
        }
        let others = self.voices(&mut options);
        (options, others)
    }

    /// Puts each seat under the option it is for; hands on what those say that are for none.
    fn voices(&self, options: &mut [OptionView]) -> Vec<Statement> {
        let mut others = Vec::new();
        for seat in &self.session.opening().seats {
            let said: Vec<&Heard<'_>> = self.heard.iter().filter(|said| *said.seat == seat.id).collect();
            let Some(last) = said.last() else { continue };
            let Some(option) = last.speaks_for else {
                others.push(last.statement(last.position));
                continue;
            };
            if !self.matrix.seats.iter().any(|known| *known.seat == *seat.id) {
                let mut left_out = 0;
                options[option].voices.extend(options::voice(&seat.name, &said, &mut left_out));
                options[option].left_out += left_out;
                continue;
            }
            // A hat or a phase may have had a seat speak of something else last.
            let of_it = |named: &dyn Fn(&str) -> Option<usize>| {
                said.iter().rev().copied().find(|said| named(said.position) == Some(option))
            };
            let told = of_it(&|text| self.names.only(text)).or_else(|| of_it(&|text| self.names.spoken_for(text)));
            let mut voice = options::silent_voice(&seat.name, told.unwrap_or(last));
            if let ([first, .., close], true) = (said.as_slice(), self.session.opening().sides.is_some()) {
                voice.position = first.statement(first.position);
                voice.closing = Some(close.statement(close.position));
            }
            options[option].voices.push(voice);
        }
        others
    }

    /// What can go wrong with an option, as far as seats have named it.
    fn risks(&self, option: usize) -> Vec<Statement> {
        let mut named = Vec::new();
        for said in &self.heard {
            for concern in said.concerns {
                let risk = self.matrix.options[option].risks.iter().find(|risk| concern.contains(risk.as_str()));
                risk.into_iter().for_each(|risk| said.note(&mut named, risk));
            }
        }
        named.truncate(MOST_RISKS);
        named
    }
}

/// What a text says on one of several subjects, each of which stands under its name.
fn part_of<'t>(text: &'t str, labels: &[String], at: usize) -> &'t str {
    if labels.len() == 1 {
        return text;
    }
    let start = |label: &String| text.find(&format!("{label}: "));
    let Some(from) = start(&labels[at]) else { return text };
    let until = labels.iter().filter_map(start).filter(|other| *other > from).min().unwrap_or(text.len());
    text[from..until].trim_start_matches(labels[at].as_str()).trim_start_matches(':').trim()
}
