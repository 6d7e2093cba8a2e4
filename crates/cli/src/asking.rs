//! Asks a person at the terminal: one of several, yes or no, a text, a number.
//! Given a question; hands on the answer, or that the person left. The live view makes room for it. Deliberately
//! absent: when to ask (the callers know whether anybody is there) and what the answers mean.

use std::fmt;

use inquire::list_option::ListOption;
use inquire::validator::Validation;
use inquire::{Confirm, CustomType, InquireError, MultiSelect, Select, Text};
use s2s::{Failure, FailureKind};

use crate::screen::hush;

/// One of several answers: what it means, and how it reads.
#[derive(Debug, Clone)]
pub struct Choice<T> {
    /// What it means.
    pub value: T,
    /// How it reads.
    pub label: String,
}

impl<T> Choice<T> {
    /// A choice that reads like this.
    pub fn new(value: T, label: impl Into<String>) -> Self {
        Self { value, label: label.into() }
    }
}

impl<T> fmt::Display for Choice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

/// Lets a person choose; the first choice is the recommended one.
pub fn choose<T>(question: &str, choices: Vec<Choice<T>>) -> Result<T, Failure> {
    let _mine = hush();
    let asked = Select::new(question, choices).with_help_message("arrows to move, Enter to choose, Esc to leave");
    asked.prompt().map(|choice| choice.value).map_err(left)
}

/// Asks yes or no.
pub fn confirm(question: &str, default: bool) -> Result<bool, Failure> {
    let _mine = hush();
    Confirm::new(question).with_default(default).prompt().map_err(left)
}

/// Asks for a text that says something, and that `doubt` has nothing against: it gives what is wrong with a text.
pub fn text(question: &str, suggested: &str, doubt: fn(&str) -> Option<String>) -> Result<String, Failure> {
    let _mine = hush();
    let check = move |input: &str| {
        Ok(match doubt(input) {
            _ if input.trim().is_empty() => Validation::Invalid("Please type something.".into()),
            Some(doubt) => Validation::Invalid(doubt.into()),
            None => Validation::Valid,
        })
    };
    Text::new(question).with_initial_value(suggested).with_validator(check).prompt().map_err(left)
}

/// Asks for a text that may be left empty.
pub fn text_or_nothing(question: &str, suggested: &str, hint: &str) -> Result<String, Failure> {
    let _mine = hush();
    let asked = Text::new(question).with_initial_value(suggested).with_help_message(hint);
    asked.prompt().map(|text| text.trim().to_owned()).map_err(left)
}

/// Asks for a text that may be left empty; if it says something, `doubt` must have nothing against it.
pub fn text_or_pass(question: &str, hint: &str, doubt: fn(&str) -> Option<String>) -> Result<String, Failure> {
    let check =
        move |input: &str| Ok(doubt(input).map_or(Validation::Valid, |doubt| Validation::Invalid(doubt.into())));
    let asked = Text::new(question).with_help_message(hint).with_validator(check);
    asked.prompt().map(|text| text.trim().to_owned()).map_err(left)
}

/// Asks for a number from 0 to 1.
pub fn share(question: &str, default: f64) -> Result<f64, Failure> {
    let in_range = |number: &f64| {
        Ok(match (0.0..=1.0).contains(number) {
            true => Validation::Valid,
            false => Validation::Invalid("From 0 to 1, please.".into()),
        })
    };
    let asked = CustomType::<f64>::new(question).with_default(default).with_validator(in_range);
    asked.with_error_message("A number such as 0.7, please.").prompt().map_err(left)
}

/// Lets a person choose several; all are chosen at first.
pub fn several<T>(question: &str, choices: Vec<Choice<T>>) -> Result<Vec<T>, Failure> {
    let _mine = hush();
    let all: Vec<usize> = (0..choices.len()).collect();
    let asked = MultiSelect::new(question, choices).with_default(&all);
    let asked = asked.with_help_message("Space takes or leaves, Enter goes on, Esc to leave");
    asked.prompt().map(|chosen| chosen.into_iter().map(|choice| choice.value).collect()).map_err(left)
}

/// Lets a person choose at least so many; those at `ticked` are chosen at first.
pub fn some<T>(question: &str, choices: Vec<Choice<T>>, ticked: &[usize], least: usize) -> Result<Vec<T>, Failure> {
    let enough = move |chosen: &[ListOption<&Choice<T>>]| {
        Ok(match chosen.len() >= least {
            true => Validation::Valid,
            false => Validation::Invalid(format!("Please take at least {least}.").into()),
        })
    };
    let asked = MultiSelect::new(question, choices).with_default(ticked).with_page_size(12).with_validator(enough);
    let short = |chosen: &[ListOption<&Choice<T>>]| format!("{} taken", chosen.len());
    let asked = asked.with_formatter(&short);
    let asked = asked.with_help_message("Space takes or leaves, Enter goes on, type to filter");
    asked.prompt().map(|chosen| chosen.into_iter().map(|choice| choice.value).collect()).map_err(left)
}

/// Asks for a number of rounds.
pub fn rounds(question: &str, default: u32) -> Result<u32, Failure> {
    let _mine = hush();
    let in_range = |number: &u32| {
        Ok(match (1..=1000).contains(number) {
            true => Validation::Valid,
            false => Validation::Invalid("From 1 to 1000, please.".into()),
        })
    };
    let asked = CustomType::<u32>::new(question).with_default(default).with_validator(in_range);
    asked.with_error_message("A whole number, please.").prompt().map_err(left)
}

fn left(error: InquireError) -> Failure {
    match error {
        InquireError::OperationCanceled | InquireError::OperationInterrupted => {
            Failure { kind: FailureKind::Interrupted, ..Failure::failed("left without an answer; nothing was changed") }
        }
        error => Failure::failed(format!("cannot ask at this terminal: {error}"))
            .next("answer with flags instead; --help names them"),
    }
}
