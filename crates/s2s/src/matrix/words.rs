//! A matrix in words: who leads and by how much, what was shifted, what would flip it, who is not in it.
//! Given a matrix; hands on plain sentences, the same for every screen and document. Deliberately absent: tables.

use super::{Count, Flip, MOST, Matrix, Shift, Who};

/// Leads smaller than this are none.
const EVEN: f64 = 0.005;
/// The highest weight that was looked at in the first layout.
const FIRST_MOST: f64 = 5.0;

/// A number with as many places as it needs, three at most.
pub fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// A share in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// A name at the beginning of a line.
pub fn named(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Matrix {
    /// Who leads, and by how much.
    pub fn leads(&self) -> String {
        let result = &self.result;
        let (leader, seats) = (self.option(result.leader), self.seats.len());
        let for_it = result.votes.get(result.leader).copied().unwrap_or_default();
        let mean = result.means.get(result.leader).copied().unwrap_or_default();
        let first = match seats {
            _ if self.options.len() == 1 && !self.ruled_out.is_empty() => {
                return format!("{leader} is the only option left, with {mean:.2} of 5 on average.");
            }
            1 => format!("{leader} leads with {mean:.2} of 5"),
            _ => format!("{leader} leads: {for_it} of {seats} seats like it best, with {mean:.2} of 5 on average"),
        };
        let Some(at) = result.second else { return format!("{first}.") };
        let lead = mean - result.means.get(at).copied().unwrap_or_default();
        let second = within(&self.option(at));
        let beside = match lead {
            lead if lead.abs() < EVEN => format!("{first}, level with {second}"),
            lead if lead < 0.0 => format!("{first}; {second} has {:.2} more, and fewer seats", lead.abs()),
            lead => format!("{first}, {lead:.2} ahead of {second}"),
        };
        match self.highest().filter(|(option, _)| *option != at) {
            Some((option, high)) => {
                format!("{beside}. {} has the highest average, {high:.2}, and fewer seats.", self.option(option))
            }
            None => format!("{beside}."),
        }
    }

    /// The option with the highest average and that average, where it is not the one that leads.
    fn highest(&self) -> Option<(usize, f64)> {
        let means = &self.result.means;
        let (option, mean) =
            means.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
        let leads = means.get(self.result.leader)?;
        (option != self.result.leader && mean - leads > EVEN).then_some((option, mean))
    }

    /// Who leads, and what the count alone would have said where that is another one.
    pub fn came_out(&self) -> String {
        match self.by_count_alone() {
            Some(alone) => format!("{} {alone}", self.leads()),
            None => self.leads(),
        }
    }

    /// That a ruling took another option, where one did.
    pub fn ruled(&self) -> Option<String> {
        let ruled = self.result.ruled.as_ref()?;
        Some(format!("A ruling took {ruled} instead: the count stands beside it, not above it."))
    }

    /// What would flip the result, in a sentence or two.
    pub fn flips(&self) -> Vec<String> {
        if self.options.len() < 2 {
            let lifted = match self.constraints() {
                said if said.is_empty() => "one more to choose from".to_owned(),
                said => format!("lifting {}", said.join(" and ")),
            };
            return vec![format!("One option is left, so no weight changes the winner; only {lifted} would.")];
        }
        let none = |whose: &str| {
            let most = number(if self.schema < 2 { FIRST_MOST } else { MOST });
            format!("No change of a single weight within 0–{most}{whose} changes the winner.")
        };
        match (&self.flip_all, &self.flip_one) {
            (None, None) => vec![none("")],
            (None, Some(one)) if self.seats.len() > 1 => vec![self.flip(one), none(" for every seat at once")],
            (Some(all), None) => vec![self.flip(all), none(" for one seat alone")],
            (all, one) => {
                let one = one.as_ref().filter(|_| self.seats.len() > 1 || all.is_none());
                all.iter().chain(one).map(|flip| self.flip(flip)).collect()
            }
        }
    }

    fn flip(&self, flip: &Flip) -> String {
        let criterion = self.criteria.get(flip.criterion).map_or("", |criterion| criterion.name.as_str());
        let weight = |seat: usize| self.seats.get(seat).and_then(|seat| seat.weights.get(flip.criterion)).copied();
        let count = self.count();
        let seats = flip.who.seats(&count);
        let changed = count.changed(&seats, flip.criterion, flip.by);
        let now: Vec<f64> = seats.iter().filter_map(|&seat| weight(seat)).collect();
        let first = now.first().copied().unwrap_or_default();
        let then = seats.first().and_then(|&seat| changed.weights.get(seat)?.get(flip.criterion)).copied();
        let same = now.iter().all(|weight| (weight - first).abs() < EVEN);
        let how_much = match then.filter(|_| same) {
            Some(then) => format!("{} instead of {}", number(then), number(first)),
            None => format!("{} {}", number(flip.by.abs()), if flip.by > 0.0 { "more" } else { "less" }),
        };
        let whom = match flip.who {
            Who::All if self.seats.len() == 1 => self.seat(0),
            Who::All => "every seat".to_owned(),
            Who::Seat(seat) => self.seat(seat),
        };
        let alone = if matches!(flip.who, Who::Seat(_)) && self.seats.len() > 1 { " alone" } else { "" };
        let held = if same { String::new() } else { self.held(flip, &changed) };
        let leads = within(&self.option(flip.leads));
        format!("If {criterion} counted {how_much} for {whom}{alone}{held}, {leads} would lead.")
    }

    /// The seats whose weight a change would take out of the range, and where it is held.
    fn held(&self, flip: &Flip, changed: &Count) -> String {
        let told: Vec<String> = (self.seats.iter().zip(&changed.weights))
            .filter_map(|(seat, then)| {
                let (now, then) = (seat.weights.get(flip.criterion)?, then.get(flip.criterion)?);
                let short = (now + flip.by - then).abs() > EVEN;
                short.then(|| format!("{}'s is held at {}", seat.name, number(*then)))
            })
            .collect();
        if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
    }

    /// What was shifted by what was heard, a sentence each; the last one says what was heard and shifts nothing.
    pub fn shifted(&self) -> Vec<String> {
        let moved = self.shifts.iter().filter(|shift| shift.by != 0.0 || !shift.lifts.is_empty());
        let quoted: Vec<String> = self.unweighed.iter().map(|words| format!("“{words}”")).collect();
        let rest = (!quoted.is_empty())
            .then(|| format!("Heard, but this playbook has nothing to weigh it on: {}.", quoted.join(", ")));
        moved.map(shifted).chain(rest).collect()
    }

    /// Which seats are not in the matrix, where some are not.
    pub fn left_out(&self) -> Option<String> {
        let others: Vec<String> = self
            .others
            .iter()
            .map(|other| match other.model.as_str() {
                "human" => format!("{} (a person)", other.name),
                model => format!("{} ({model})", other.name),
            })
            .collect();
        let have = if others.len() == 1 { "has" } else { "have" };
        (!others.is_empty()).then(|| {
            format!("Only seats that answer from playbooks are counted; {} {have} no weights.", others.join(", "))
        })
    }

    /// The name of an option, for the beginning of a line.
    pub fn option(&self, at: usize) -> String {
        self.options.get(at).map_or_else(String::new, |option| named(&option.name))
    }

    fn seat(&self, at: usize) -> String {
        self.seats.get(at).map_or_else(String::new, |seat| seat.name.clone())
    }
}

/// A name inside a sentence: its own case, unless it is an article or a plain word of the playbook.
pub(super) fn within(name: &str) -> String {
    let article = ["A ", "An ", "The ", "One "].iter().any(|article| name.starts_with(article));
    if !article {
        return name.to_owned();
    }
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn shifted(shift: &Shift) -> String {
    let place = if shift.in_topic { "the topic says" } else { "the project says" };
    let by = match shift.by {
        by if by > 0.0 => format!("counts {} more", number(by)),
        by if by < 0.0 => format!("counts {} less", number(-by)),
        _ => "counts as before".to_owned(),
    };
    let lifts: Vec<String> =
        shift.lifts.iter().map(|(option, by)| format!("{option} does {} {} on it", by.abs(), better(*by))).collect();
    let lifts = if lifts.is_empty() { String::new() } else { format!("; {}", lifts.join(", ")) };
    let why = if shift.why.is_empty() { String::new() } else { format!(": {}", shift.why) };
    format!("{} {by} for every seat, because {place} “{}”{why}{lifts}.", named(&shift.criterion), shift.words)
}

fn better(by: i8) -> &'static str {
    if by > 0 { "better" } else { "worse" }
}
