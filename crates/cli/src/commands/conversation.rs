//! Begins a session as a conversation, where nothing was said and somebody is at the terminal: the question, the
//! strategy with its reason (T2), who sits at the table, a look at all of it, and go. Given what was typed; hands on the
//! same with the answers in it, as if they had been flags: so every answer has one, and what is shown at the end can be
//! typed the next time. Deliberately absent: beginning the session (`start.rs`).

use std::borrow::Cow;

use s2s::Failure;
use s2s::catalog::detect;
use s2s::config;
use s2s::engine::opening::{FACILITATOR, HUMAN, Workflow};
use s2s::project;
use s2s::topic::check_topic;

use super::{opening, start};
use crate::args::Sitting;
use crate::asking::{self, Choice};
use crate::console::Console;
use crate::screen::{self, SetTable, Style, shell};
use crate::seating::models;
use crate::workplace::{Workplace, here};

/// What is known before a session begins.
pub struct Said<'a> {
    /// The words of the topic.
    pub topic: Cow<'a, [String]>,
    /// The flags.
    pub sitting: Cow<'a, Sitting>,
}

/// What was typed, with the answers of a person where no topic was; none = the person would rather not begin.
/// `of_workflow`: the command is a workflow's own, which has its strategy.
pub fn said<'a>(
    topic: &'a [String],
    sitting: &'a Sitting,
    workflow: Workflow,
    of_workflow: bool,
    console: &Console,
) -> Result<Option<Said<'a>>, Failure> {
    if !topic.is_empty() || !console.attended || sitting.run.yes {
        return Ok(Some(Said { topic: Cow::Borrowed(topic), sitting: Cow::Borrowed(sitting) }));
    }
    let had_project = project::find(&here()?).is_some();
    let wrong = |text: &str| check_topic(text).err().map(|error| error.to_string());
    let asked = asking::text("What is the question?", "", wrong)?;
    let mut sitting = sitting.clone();
    let workplace = start::workplace(&sitting, workflow, &[], console)?;
    let strategy = strategy(&asked, workflow, of_workflow, &workplace, console)?;
    let least = workplace.catalog.strategy(&strategy)?.value.least_participants as usize;
    if sitting.participants.is_none() {
        sitting.participants = Some(participants(workflow, least, &workplace, console)?.join(","));
    }
    sitting.strategy = Some(strategy);
    let looks_only = sitting.show_prompts || sitting.dry_run;
    if !looks_only && !begins(&asked, &sitting, workflow, console)? {
        console.note(match had_project {
            true => "Nothing was begun and nothing was changed.",
            false => "Nothing was begun; this folder is an s2s project now (.s2s/).",
        });
        return Ok(None);
    }
    Ok(Some(Said { topic: Cow::Owned(vec![asked]), sitting: Cow::Owned(sitting) }))
}

/// The strategy: named, else recommended with its reason and confirmed (T2).
fn strategy(
    topic: &str,
    workflow: Workflow,
    of_workflow: bool,
    workplace: &Workplace,
    console: &Console,
) -> Result<String, Failure> {
    let config = &workplace.settings.config;
    if workplace.settings.strategy_is_named() {
        return Ok(config.roundtable.strategy.clone());
    }
    // A workflow has its own; a roundtable goes by the topic's words, else by the settings.
    let (default, found) = match of_workflow {
        true => (config.strategy_of(workflow), None),
        false => (config.roundtable.strategy.as_str(), detect(topic, &workplace.catalog.words()?.value)),
    };
    let why = match &found {
        Some(found) if found.strategy != default => return opening::confirm(found, default, workplace, console),
        Some(found) => format!("the topic has the word \"{}\"", found.word),
        None => why_usual(workflow, of_workflow, workplace),
    };
    let summary = workplace.catalog.strategy(default)?.value.summary;
    let choices = vec![
        Choice::new(true, console.fitting(&format!("Use {default} (recommended): {summary}"))),
        Choice::new(false, "Choose from all strategies"),
    ];
    match asking::choose(&format!("Recommended strategy: {default} ({why})"), choices)? {
        true => Ok(default.to_owned()),
        false => opening::any_strategy(workplace, console),
    }
}

/// Why a strategy is recommended that no word of the topic suggests.
fn why_usual(workflow: Workflow, of_workflow: bool, workplace: &Workplace) -> String {
    let key = match of_workflow {
        true => format!("roundtable.strategies.{workflow}"),
        false => "roundtable.strategy".to_owned(),
    };
    let why = match (opening::named_in_settings(&key, workplace), workflow) {
        (Some(settings), _) => settings,
        (None, _) if !of_workflow => "no word of the question asks for another",
        (None, Workflow::Brainstorm) => "the usual one for finding ideas",
        (None, Workflow::Specs) => "the usual one for requirements",
        (None, Workflow::Design) => "the usual one for a design",
    };
    why.to_owned()
}

/// Who sits at the table: the usual ones are ticked.
fn participants(
    workflow: Workflow,
    least: usize,
    workplace: &Workplace,
    console: &Console,
) -> Result<Vec<String>, Failure> {
    let usual = workplace.settings.config.participants(workflow);
    let has_seat = |row: &s2s::catalog::RoleRow| row.id != FACILITATOR && row.id != HUMAN;
    let mut rows: Vec<_> = workplace.catalog.roles().0.into_iter().filter(has_seat).collect();
    // Who is ticked comes first, in the order of the table.
    rows.sort_by_key(|row| usual.iter().position(|name| *name == row.id).unwrap_or(usual.len()));
    // The boxes to tick take their columns too.
    let style = Style { width: console.style.width.saturating_sub(4), ..console.style };
    let beside = Console { style, ..*console };
    let choice = |row: s2s::catalog::RoleRow| {
        let says = beside.fitting(&format!("{}: {}", row.id, s2s::clean::clean_line(&row.role?.description)));
        Some(Choice::new(row.id, says))
    };
    let choices: Vec<Choice<String>> = rows.into_iter().filter_map(choice).collect();
    let is_usual = |(_, choice): &(usize, &Choice<String>)| usual.contains(&choice.value);
    let ticked: Vec<usize> = choices.iter().enumerate().filter(is_usual).map(|(at, _)| at).collect();
    asking::some("Who sits at the table?", choices, &ticked, least.max(1))
}

/// Shows the table; whether to begin.
fn begins(topic: &str, sitting: &Sitting, workflow: Workflow, console: &Console) -> Result<bool, Failure> {
    let workplace = start::workplace(sitting, workflow, &[], console)?;
    let config = &workplace.settings.config;
    let strategy = &config.roundtable.strategy;
    let summary = workplace.catalog.strategy(strategy)?.value.summary;
    let names = config.participants(workflow);
    let title = |name: &String| workplace.catalog.role(name).map(|role| role.value.title).unwrap_or_default();
    let table = SetTable {
        topic,
        strategy: (strategy, &summary),
        seats: names.iter().map(|name| (name.clone(), title(name))).collect(),
        answers: answered_by(&workplace, names)?,
        rounds: (config.roundtable.limits.min_rounds, config.roundtable.limits.max_rounds),
        command: command(topic, sitting),
    };
    console.print(&screen::set_table(&table, &console.style))?;
    asking::confirm("Begin?", true)
}

/// Who answers for the seats, in a few words.
fn answered_by(workplace: &Workplace, seats: &[String]) -> Result<String, Failure> {
    let lineup = match &workplace.settings.config.panel {
        config::Panel::Offline => return Ok("playbooks, no model (as `panel` says)".to_owned()),
        config::Panel::Script(file) => return Ok(format!("the script {}", file.display())),
        config::Panel::Models | config::Panel::Auto => models::lineup(&workplace.settings, &workplace.catalog, seats)?,
    };
    let Some(lineup) = lineup else {
        return Ok("playbooks, no model (no key is set; `s2s models` says what is missing)".to_owned());
    };
    let mut names: Vec<String> =
        lineup.seats.iter().filter_map(|(_, chain)| chain.first()).map(s2s::lineup::Chosen::name).collect();
    names.dedup();
    Ok(format!("{} (add --dry-run to see what it costs)", names.join(", ")))
}

/// What was typed, with the answers as flags.
fn command(topic: &str, sitting: &Sitting) -> String {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| typed.iter().any(|word| word == flag || word.starts_with(&format!("{flag}=")));
    let mut words: Vec<String> = typed.iter().map(|word| quoted(word)).collect();
    words.push(shell(topic));
    for (flag, value) in [("--strategy", &sitting.strategy), ("--participants", &sitting.participants)] {
        if let Some(value) = value.as_ref().filter(|_| !has(flag)) {
            words.extend([flag.to_owned(), quoted(value)]);
        }
    }
    format!("s2s {}", words.join(" "))
}

/// A word as it is typed: in quotes only where a shell would read it otherwise.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ',' | ':' | '=' | '/');
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { shell(word) }
}
