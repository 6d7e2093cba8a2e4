//! Asks a person at the terminal: one of several, yes or no, a text, a number.
//! Given a question; hands on the answer, or that the person left. The live view makes room for it, and keys that were
//! pressed before it could be seen do not count. Where the terminal cannot be drawn on, or nothing is to move, the same
//! is asked in plain lines (`lines`). Deliberately absent: when to ask (the callers know whether anybody is there) and
//! what the answers mean.

mod lines;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use inquire::list_option::ListOption;
use inquire::ui::RenderConfig;
use inquire::validator::Validation;
use inquire::{Confirm, CustomType, InquireError, MultiSelect, Select, Text};
use s2s::{Failure, FailureKind};

use crate::screen::{Hush, hush, keys};
use lines::Answered;

/// Whether questions are asked in plain lines.
static PLAIN: AtomicBool = AtomicBool::new(false);

/// What a text or a number is checked with: it gives what is wrong.
type Doubt = fn(&str) -> Option<String>;

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

/// From now on questions have no colour.
pub fn without_color() {
    inquire::set_global_render_config(RenderConfig::empty());
}

/// From now on questions are plain lines.
pub fn in_lines() {
    PLAIN.store(true, Ordering::Relaxed);
}

/// The terminal for one question.
struct Turn(#[allow(dead_code, reason = "held until the answer is there")] Hush);

impl Turn {
    fn taken() -> Self {
        let mine = hush();
        keys::forget();
        Self(mine)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        keys::answered();
    }
}

fn is_plain() -> bool {
    PLAIN.load(Ordering::Relaxed)
}

/// Lets a person choose; the first choice is the recommended one.
pub fn choose<T>(question: &str, choices: Vec<Choice<T>>) -> Result<T, Failure> {
    choose_from(question, choices, 0)
}

/// Lets a person choose; Enter alone takes the one at `start`.
pub fn choose_from<T>(question: &str, mut choices: Vec<Choice<T>>, start: usize) -> Result<T, Failure> {
    let _mine = Turn::taken();
    if is_plain() {
        let labels: Vec<String> = choices.iter().map(|choice| choice.label.clone()).collect();
        let count = labels.len();
        let one = |text: &str| lines::places(text, count).filter(|places| places.len() == 1).map(|places| places[0]);
        let doubt = format!("A number from 1 to {count}, please.");
        let at = asked_in_lines(question, Some((&labels, None)), "Number", &(start + 1).to_string(), |text| {
            one(text).ok_or_else(|| doubt.clone())
        })?;
        return Ok(choices.swap_remove(at).value);
    }
    let short = |chosen: ListOption<&Choice<T>>| fitting(&chosen.value.label, question.chars().count() + 3);
    let asked = Select::new(question, choices).with_help_message("arrows to move, Enter to choose, Esc to leave");
    // A menu is short: what is typed would only make it vanish.
    let asked = asked.with_formatter(&short).with_starting_cursor(start).without_filtering();
    asked.prompt().map(|choice| choice.value).map_err(left)
}

/// Asks yes or no.
pub fn confirm(question: &str, default: bool) -> Result<bool, Failure> {
    let _mine = Turn::taken();
    if is_plain() {
        let usual = if default { "yes" } else { "no" };
        return asked_in_lines(question, None, "yes or no", usual, |text| match text.to_lowercase().as_str() {
            "y" | "yes" => Ok(true),
            "n" | "no" => Ok(false),
            _ => Err("Yes or no, please.".to_owned()),
        });
    }
    Confirm::new(question).with_default(default).prompt().map_err(left)
}

/// Asks for a text that says something, and that `doubt` has nothing against: it gives what is wrong with a text.
pub fn text(question: &str, suggested: &str, doubt: Doubt) -> Result<String, Failure> {
    text_or_back(question, suggested, doubt)?.ok_or_else(gone)
}

/// The same; none = the person went one step back, with Esc.
pub fn text_or_back(question: &str, suggested: &str, doubt: Doubt) -> Result<Option<String>, Failure> {
    let _mine = Turn::taken();
    let wrong = move |input: &str| match input.trim().is_empty() {
        true => Some("Please type something.".to_owned()),
        false => doubt(input),
    };
    if is_plain() {
        return asked_in_lines(question, None, "", suggested, |text| checked(text, &wrong)).map(Some);
    }
    let asked = Text::new(question).with_initial_value(suggested).with_validator(validator(wrong));
    or_back(asked.prompt())
}

/// Asks for a text that may be left empty.
pub fn text_or_nothing(question: &str, suggested: &str, hint: &str) -> Result<String, Failure> {
    let _mine = Turn::taken();
    if is_plain() {
        return asked_in_lines(question, None, hint, suggested, |text| Ok(text.to_owned()));
    }
    let asked = Text::new(question).with_initial_value(suggested).with_help_message(hint);
    asked.prompt().map(|text| text.trim().to_owned()).map_err(left)
}

/// Asks for a text that may be left empty; if it says something, `doubt` must have nothing against it.
pub fn text_or_pass(question: &str, hint: &str, doubt: Doubt) -> Result<String, Failure> {
    let _mine = Turn::taken();
    if is_plain() {
        return asked_in_lines(question, None, hint, "", |text| checked(text, &doubt));
    }
    let asked = Text::new(question).with_help_message(hint).with_validator(validator(doubt));
    asked.prompt().map(|text| text.trim().to_owned()).map_err(left)
}

/// Asks for a number from 0 to 1.
pub fn share(question: &str, default: f64) -> Result<f64, Failure> {
    let _mine = Turn::taken();
    if is_plain() {
        return asked_in_lines(question, None, "", &default.to_string(), |text| {
            let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
            number.ok_or_else(|| "A number from 0 to 1 such as 0.7, please.".to_owned())
        });
    }
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
    let all: Vec<usize> = (0..choices.len()).collect();
    some(question, choices, &all, 0)
}

/// Lets a person choose at least so many; those at `ticked` are chosen at first.
pub fn some<T>(question: &str, choices: Vec<Choice<T>>, ticked: &[usize], least: usize) -> Result<Vec<T>, Failure> {
    let _mine = Turn::taken();
    if is_plain() {
        return some_in_lines(question, choices, ticked, least);
    }
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

fn some_in_lines<T>(
    question: &str,
    choices: Vec<Choice<T>>,
    ticked: &[usize],
    least: usize,
) -> Result<Vec<T>, Failure> {
    let labels: Vec<String> = choices.iter().map(|choice| choice.label.clone()).collect();
    let usual: Vec<String> = ticked.iter().map(|at| (at + 1).to_string()).collect();
    let count = labels.len();
    let hint = "Numbers with commas";
    let taken = asked_in_lines(question, Some((&labels, Some(ticked))), hint, &usual.join(","), |text| {
        match lines::places(text, count) {
            Some(places) if places.len() >= least => Ok(places),
            Some(_) => Err(format!("Please take at least {least}.")),
            None => Err(format!("Numbers from 1 to {count} with commas, please.")),
        }
    })?;
    let all = choices.into_iter().enumerate();
    Ok(all.filter(|(at, _)| taken.contains(at)).map(|(_, choice)| choice.value).collect())
}

/// Asks for a number of rounds; none = the person went one step back, with Esc.
pub fn rounds_or_back(question: &str, default: u32) -> Result<Option<u32>, Failure> {
    let _mine = Turn::taken();
    if is_plain() {
        let asked = asked_in_lines(question, None, "", &default.to_string(), |text| {
            let number = text.parse::<u32>().ok().filter(|number| (1..=1000).contains(number));
            number.ok_or_else(|| "A whole number from 1 to 1000, please.".to_owned())
        });
        return asked.map(Some);
    }
    let in_range = |number: &u32| {
        Ok(match (1..=1000).contains(number) {
            true => Validation::Valid,
            false => Validation::Invalid("From 1 to 1000, please.".into()),
        })
    };
    let asked = CustomType::<u32>::new(question).with_default(default).with_validator(in_range);
    or_back(asked.with_error_message("A whole number, please.").prompt())
}

/// Asks in plain lines until the answer will do.
fn asked_in_lines<A>(
    question: &str,
    choices: Option<(&[String], Option<&[usize]>)>,
    hint: &str,
    default: &str,
    read: impl Fn(&str) -> Result<A, String>,
) -> Result<A, Failure> {
    let failed = |error: std::io::Error| left(InquireError::IO(error));
    let ask = match choices {
        Some((labels, ticked)) => {
            lines::wrong(question).and_then(|()| lines::list(labels, ticked)).map_err(failed)?;
            format!("{hint}:")
        }
        None if hint.is_empty() => question.to_owned(),
        None => format!("{question} ({hint})"),
    };
    loop {
        match lines::line(&ask, default).map_err(failed)? {
            Answered::Left => return Err(gone()),
            Answered::Line(text) => match read(&text) {
                Ok(answer) => return Ok(answer),
                Err(why) => lines::wrong(&why).map_err(failed)?,
            },
        }
    }
}

fn checked(text: &str, doubt: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    doubt(text).map_or_else(|| Ok(text.to_owned()), Err)
}

fn validator(
    doubt: impl Fn(&str) -> Option<String> + Clone,
) -> impl Fn(&str) -> Result<Validation, inquire::CustomUserError> + Clone {
    move |input: &str| Ok(doubt(input).map_or(Validation::Valid, |doubt| Validation::Invalid(doubt.into())))
}

/// A text on what is left of a line after so many columns.
pub fn fitting(text: &str, after: usize) -> String {
    let room = crate::console::width().saturating_sub(after).max(20);
    match text.chars().count() > room {
        true => text.chars().take(room - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// Esc is one step back, Ctrl-C leaves.
fn or_back<A>(answer: Result<A, InquireError>) -> Result<Option<A>, Failure> {
    match answer {
        Err(InquireError::OperationCanceled) => Ok(None),
        answer => answer.map(Some).map_err(left),
    }
}

fn gone() -> Failure {
    left(InquireError::OperationInterrupted)
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
