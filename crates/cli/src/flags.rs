//! The flags of a run that set settings: who answers, with which models, within which budget.
//! Given what was typed; hands on flag values for the settings. Deliberately absent: checking them, which the
//! settings do for every layer alike.

use s2s::Failure;
use s2s::config::FlagValue;

use crate::args::Run;

/// The flags for another run of a session that a budget stopped, as its sentence tells: the same as before, with a
/// larger budget to be filled in. Any other sentence leaves the flags as they are.
pub fn raised(again: &str, sentence: &str) -> String {
    let budget = ["Reached the budget of ", "The budget of "].iter().find_map(|start| sentence.strip_prefix(start));
    let mut words = budget.unwrap_or_default().split([' ', ':', ';']);
    let (flag, value) = match (words.next().unwrap_or_default(), words.next().unwrap_or_default()) {
        (number, _) if number.starts_with('$') => ("--max-cost", "USD"),
        (_, "call" | "calls") => ("--max-calls", "N"),
        (_, "token" | "tokens") => ("--max-tokens", "N"),
        (_, "minute" | "minutes") => ("--max-minutes", "N"),
        _ => return again.to_owned(),
    };
    let kept = match again.split_once(&format!(" {flag} ")) {
        Some((before, rest)) => format!("{before}{}", rest.find(' ').map_or("", |end| &rest[end..])),
        None => again.to_owned(),
    };
    format!("{kept} {flag} {value}")
}

/// The settings that a run's flags set, `(flag, setting, value)`; a setting's name may hold a seat's.
pub struct RunFlags<'a> {
    fixed: Vec<(&'static str, &'static str, &'a str)>,
    seats: Vec<(String, &'a str)>,
}

impl<'a> RunFlags<'a> {
    /// Reads the flags.
    pub fn of(run: &'a Run) -> Result<Self, Failure> {
        let texts = [
            ("--panel", "panel", run.panel.as_deref()),
            ("--on-escalation", "roundtable.escalation.on_escalation", run.on_escalation.as_deref()),
            ("--on-absent", "roundtable.escalation.on_absent", run.on_absent.as_deref()),
            ("--model", "models.default", run.model.as_deref()),
            ("--facilitator-model", "models.facilitator", run.facilitator_model.as_deref()),
            ("--max-cost", "roundtable.limits.max_cost_usd", run.max_cost.as_deref()),
            ("--max-calls", "roundtable.limits.max_calls", run.max_calls.as_deref()),
            ("--max-tokens", "roundtable.limits.max_tokens", run.max_tokens.as_deref()),
            ("--max-minutes", "roundtable.limits.max_minutes", run.max_minutes.as_deref()),
            ("--no-live", "roundtable.live", run.no_live.then_some("false")),
        ];
        let fixed = texts.into_iter().filter_map(|(flag, path, text)| Some((flag, path, text?))).collect();
        let mut seats: Vec<(String, &str)> = Vec::new();
        for text in &run.seat {
            let (seat, model) =
                text.split_once('=').map(|(seat, model)| (seat.trim(), model.trim())).unwrap_or_default();
            if seat.is_empty() || model.is_empty() || model.contains([',', '=']) {
                return Err(Failure::bad_input(format!("--seat \"{text}\" is not of the form SEAT=MODEL"))
                    .next("one flag for each seat, for example: --seat qa-lead=openai:gpt-6.1-terra"));
            }
            let path = format!("models.seats.{seat}");
            if seats.iter().any(|(other, _)| *other == path) {
                return Err(Failure::bad_input(format!("--seat names \"{seat}\" twice")).next("name it once"));
            }
            seats.push((path, model));
        }
        Ok(Self { fixed, seats })
    }

    /// The flags as the settings know them.
    pub fn values(&self) -> Vec<FlagValue<'_>> {
        let fixed = self.fixed.iter().map(|(flag, path, text)| FlagValue { flag, path, text });
        let seats = self.seats.iter().map(|(path, text)| FlagValue { flag: "--seat", path, text });
        fixed.chain(seats).collect()
    }

    /// The flags that name models, for another run of the session, with a blank before each; empty = none were given.
    pub fn models_again(run: &Run) -> String {
        let fixed = [("--model", &run.model), ("--facilitator-model", &run.facilitator_model)];
        let seats = run.seat.iter().map(|text| ("--seat", text.as_str()));
        typed(fixed.into_iter().filter_map(|(flag, text)| Some((flag, text.as_deref()?))).chain(seats))
    }

    /// The other flags for another run of the session, in the same way.
    pub fn again(run: &Run) -> String {
        let fixed = [
            ("--max-cost", &run.max_cost),
            ("--max-calls", &run.max_calls),
            ("--max-tokens", &run.max_tokens),
            ("--max-minutes", &run.max_minutes),
        ];
        typed(fixed.into_iter().filter_map(|(flag, text)| Some((flag, text.as_deref()?))))
    }
}

/// Flags as they are typed.
fn typed<'a>(flags: impl Iterator<Item = (&'static str, &'a str)>) -> String {
    flags.map(|(flag, text)| format!(" {flag} {}", crate::screen::shell(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::raised;

    #[test]
    fn a_budget_that_stopped_a_run_is_named_once_and_to_be_raised() {
        let again = " --model a:b --max-cost 0.5 --max-calls 3";
        for (sentence, flags) in [
            ("The budget of $0.50 is too small for one round", " --model a:b --max-calls 3 --max-cost USD"),
            ("Reached the budget of 3 calls: 3 made", " --model a:b --max-cost 0.5 --max-calls N"),
            ("The budget of 1 token is too small", " --model a:b --max-cost 0.5 --max-calls 3 --max-tokens N"),
            ("Reached the budget of 1 minute", " --model a:b --max-cost 0.5 --max-calls 3 --max-minutes N"),
            ("it was interrupted", again),
        ] {
            assert_eq!(raised(again, sentence), flags);
        }
    }
}
