//! The page of `s2s doctor`: what was checked, who was asked and what came back; and the line while they are asked.
//! Given checks and calls; hands on text. The same values are the JSON. Deliberately absent: checking and asking.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use s2s::catalog::Problem;
use s2s::roundtable::dollars;
use serde::Serialize;

use super::excerpt::excerpt;
use super::marks::{Mark, Tone};
use super::page::Page;
use super::{Style, words};

/// How often the line moves on.
const TICK: Duration = Duration::from_millis(100);

/// How something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Ok,
    /// Worth knowing, nothing is wrong.
    Note,
    /// Not looked at, because nobody wanted it.
    NotAsked,
    Failed,
}

impl State {
    fn mark(self) -> Mark {
        match self {
            Self::Ok => Mark::Done,
            Self::Note => Mark::Partly,
            Self::NotAsked => Mark::Open,
            Self::Failed => Mark::Failed,
        }
    }
}

/// One thing that was looked at.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    pub check: &'static str,
    pub state: State,
    pub says: String,
    /// What to do about it.
    pub next: Option<String>,
    /// The places in files that are to be mended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

impl Check {
    pub fn ok(check: &'static str, says: impl Into<String>) -> Self {
        Self { check, state: State::Ok, says: says.into(), next: None, problems: Vec::new() }
    }

    pub fn note(check: &'static str, says: impl Into<String>) -> Self {
        Self { state: State::Note, ..Self::ok(check, says) }
    }

    pub fn failed(check: &'static str, failure: s2s::Failure) -> Self {
        Self { state: State::Failed, next: failure.next, problems: failure.problems, ..Self::ok(check, failure.what) }
    }

    pub fn next(self, next: impl Into<String>) -> Self {
        Self { next: Some(next.into()), ..self }
    }
}

/// A model that was asked, or was not.
#[derive(Debug, Clone, Serialize)]
pub struct Called {
    pub model: String,
    /// Whose model it is.
    pub seats: Vec<String>,
    /// For whom it is asked instead of another.
    pub instead_for: Vec<String>,
    pub state: State,
    /// What went wrong, or why it was not asked.
    pub says: Option<String>,
    pub next: Option<String>,
    pub latency_ms: Option<u64>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// None = the price is not known.
    pub cost_usd: Option<f64>,
}

/// All that was found out.
#[derive(Debug, Clone, Serialize)]
pub struct Checkup {
    pub checks: Vec<Check>,
    pub models: Vec<Called>,
}

impl Checkup {
    /// How many things are not well.
    pub fn failed(&self) -> usize {
        let states = self.checks.iter().map(|check| check.state).chain(self.models.iter().map(|called| called.state));
        states.filter(|state| *state == State::Failed).count()
    }
}

/// The page.
pub fn checkup(found: &Checkup, style: &Style) -> String {
    let mut page = Page::new(style);
    for check in &found.checks {
        page.label(check.check);
        if check.problems.is_empty() {
            page.item(check.state.mark(), "", &check.says);
        }
        for problem in &check.problems {
            page.item(check.state.mark(), "", &problem.to_string());
            page.verbatim(&excerpt(problem, style));
        }
        next(&mut page, check.next.as_deref());
    }
    if !found.models.is_empty() {
        page.gap();
        page.label("models");
    }
    for called in &found.models {
        page.item(called.state.mark(), "", &called.model);
        if !called.seats.is_empty() {
            page.remark(&words::listed(&called.seats));
        }
        if !called.instead_for.is_empty() {
            page.remark(&format!("instead of another, for {}", words::listed(&called.instead_for)));
        }
        let says = called.says.clone().unwrap_or_else(|| answered(called));
        page.remark(&says);
        next(&mut page, called.next.as_deref());
    }
    page.gap();
    let (text, tone) = match found.failed() {
        0 => ("All is well.".to_owned(), Tone::Good),
        n => (
            format!("{} not well.", if n == 1 { "One thing is".to_owned() } else { format!("{n} things are") }),
            Tone::Bad,
        ),
    };
    page.line(2, &[(&text, tone)]);
    page.finish()
}

fn next(page: &mut Page<'_>, next: Option<&str>) {
    if let Some(next) = next {
        page.remark(&format!("next: {next}"));
    }
}

fn answered(called: &Called) -> String {
    let latency = words::took(called.latency_ms.unwrap_or_default());
    let cost = match called.cost_usd {
        None => "price not known".to_owned(),
        Some(usd) if usd > 0.0 && usd < 0.0001 => "under $0.0001".to_owned(),
        Some(usd) => dollars(usd),
    };
    let sent = words::count(called.input_tokens, "token");
    format!("answered in {latency}; {sent} in, {} out; {cost}", called.output_tokens)
}

/// The line while models are asked. Where nothing may move there is none.
pub struct Waiting(Option<ProgressBar>);

impl Waiting {
    pub fn new(style: &Style) -> Self {
        let shown = style.live && !style.quiet;
        Self(shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(
                ProgressStyle::with_template("{msg}, {elapsed}").unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            bar.enable_steady_tick(TICK);
            bar
        }))
    }

    /// So many of so many have answered, or failed to.
    pub fn tell(&self, done: usize, all: usize) {
        if let Some(bar) = &self.0 {
            bar.set_message(format!("Asking {}: {done} done", words::count(all, "model")));
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_fits_and_what_is_wrong_is_counted() {
        let called = |state, says: Option<&str>| Called {
            model: "anthropic:claude-sonnet-5-5".into(),
            seats: vec!["facilitator".into(), "qa-lead".into()],
            instead_for: vec!["technical-lead".into()],
            state,
            says: says.map(str::to_owned),
            next: says.map(|_| "set the key".into()),
            latency_ms: Some(1234),
            input_tokens: 20,
            output_tokens: 3,
            cost_usd: Some(0.0001),
        };
        let checks = vec![Check::ok("settings", "built-in"), Check::note("git", "word ".repeat(60)).next("look")];
        let mut found = Checkup { checks, models: vec![called(State::Ok, None)] };
        let text = checkup(&found, &Style::PIPE);
        assert!(text.contains("answered in 1.2 s; 20 tokens in, 3 out; $0.0001"), "{text}");
        assert!(text.ends_with("All is well.\n") && text.lines().all(|line| line.chars().count() <= 80), "{text}");
        found.models.push(called(State::Failed, Some("no access")));
        let text = checkup(&found, &Style::PIPE);
        assert!(text.contains("✗") && text.contains("next: set the key"), "{text}");
        assert!(text.ends_with("One thing is not well.\n"), "{text}");
    }
}
