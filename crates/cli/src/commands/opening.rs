//! What a new session starts from: topic, project, strategy, sides and context.
//! Given what was typed; hands on checked values, asking a person where one is there and the answer is
//! missing (T2). Deliberately absent: setting the table and running it (`start.rs`).

use std::io;
use std::path::{Path, PathBuf};

use s2s::Failure;
use s2s::catalog::{Detection, Kind, detect};
use s2s::config::{FlagValue, Layer};
use s2s::linked::HandedOn;
use s2s::project::{self, Attachment, Combined, Project};
use s2s::prompts::Charter;
use s2s::secrets;
use s2s::topic::{Checked, TopicError, check_topic};

use crate::args::Sitting;
use crate::asking::{self, Choice};
use crate::console::Console;
use crate::seating::models::variables;
use crate::workplace::Workplace;

/// The topic that was typed, or said (`conversation.rs`).
pub fn topic(words: &[String]) -> Result<Checked, Failure> {
    check_topic(&words.join(" ")).map_err(|error: TopicError| Failure::bad_input(error.to_string()))
}

/// The project here; a folder that is none becomes one if somebody says so.
pub fn project(cwd: &Path, typed: &Sitting, console: &Console) -> Result<Project, Failure> {
    if let Some(project) = project::find(cwd) {
        return Ok(project);
    }
    let makes = match typed.run.yes {
        // Looking at prompts writes nothing, and that includes a project.
        _ if typed.show_prompts || typed.dry_run => false,
        true => true,
        false if console.attended => asking::confirm("This folder is not an s2s project yet. Make it one?", true)?,
        false => false,
    };
    if makes {
        super::init::for_start(cwd, console)?;
    }
    crate::workplace::project_at(cwd)
}

/// The settings that flags set, as the settings know them.
pub fn flags<'a>(typed: &'a Sitting, strategy: Option<&'a str>, seats_key: &'a str) -> Vec<FlagValue<'a>> {
    let texts = [
        ("--strategy", "roundtable.strategy", strategy),
        ("--participants", seats_key, typed.participants.as_deref()),
        ("--min-rounds", "roundtable.limits.min_rounds", typed.min_rounds.as_deref()),
        ("--max-rounds", "roundtable.limits.max_rounds", typed.max_rounds.as_deref()),
        ("--verbose", "roundtable.verbose", typed.verbose.then_some("true")),
        ("--interactive", "roundtable.interactive", typed.interactive.then_some("true")),
    ];
    texts.into_iter().filter_map(|(flag, path, text)| Some(FlagValue { flag, path, text: text? })).collect()
}

/// The names in a list with commas; a flag that names nobody is a slip.
pub fn names(flag: &str, text: Option<&str>) -> Result<Vec<String>, Failure> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    if names.iter().any(String::is_empty) {
        return Err(Failure::bad_input(format!("{flag} \"{text}\" has an empty name in it"))
            .next("give role names with commas, such as qa-lead,technical-lead"));
    }
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return Err(Failure::bad_input(format!("{flag} names \"{name}\" twice")).next("name each once"));
        }
    }
    Ok(names)
}

/// The seats that are named for the proposal, and those against it.
pub fn sides(sitting: &Sitting) -> Result<(Vec<String>, Vec<String>), Failure> {
    Ok((names("--pro", sitting.pro.as_deref())?, names("--con", sitting.con.as_deref())?))
}

/// The strategy: flag or environment, else what the topic's words suggest, else the settings (T1, T2).
pub fn strategy(
    topic: &str,
    workplace: &Workplace,
    yes: bool,
    console: &Console,
    notes: &mut Vec<String>,
) -> Result<String, Failure> {
    let default = workplace.settings.config.roundtable.strategy.clone();
    if workplace.settings.strategy_is_named() {
        return Ok(default);
    }
    let words = workplace.catalog.words()?.value;
    match detect(topic, &words) {
        Some(found) if found.strategy == default => Ok(default),
        Some(found) if console.attended && !yes => confirm(&found, &default, workplace, console),
        Some(found) => {
            notes.push(format!(
                "Strategy {}: the topic has the word \"{}\". {} (--strategy NAME chooses another.)",
                found.strategy, found.word, found.reason
            ));
            Ok(found.strategy)
        }
        None => Ok(default),
    }
}

/// Lets a person confirm what the topic's words suggest (T2).
pub fn confirm(found: &Detection, default: &str, workplace: &Workplace, console: &Console) -> Result<String, Failure> {
    let question = format!("Recommended strategy: {} (the topic has the word \"{}\")", found.strategy, found.word);
    let usual = named_in_settings("roundtable.strategy", workplace).unwrap_or("the usual one");
    let choices = vec![
        Choice::new(Some(found.strategy.clone()), format!("Use {} (recommended)", found.strategy)),
        Choice::new(Some(default.to_owned()), format!("Use {default}, {usual}")),
        Choice::new(None, "Choose from all strategies"),
    ];
    console.note(&found.reason);
    if let Some(strategy) = asking::choose(&question, choices)? {
        return Ok(strategy);
    }
    any_strategy(workplace, console)
}

/// Who named a setting in a file, where somebody did; a built-in value is nobody's reason.
pub fn named_in_settings(key: &str, workplace: &Workplace) -> Option<&'static str> {
    match workplace.settings.origin(key)?.layer {
        Layer::User => Some("named in your own settings"),
        Layer::Project => Some("named in the project's settings"),
        Layer::BuiltIn | Layer::Environment | Layer::Flag => None,
    }
}

/// Lets a person choose from all strategies.
pub fn any_strategy(workplace: &Workplace, console: &Console) -> Result<String, Failure> {
    let all = workplace.catalog.names(Kind::Strategy).into_iter().filter_map(|name| {
        let strategy = workplace.catalog.strategy(&name).ok()?.value;
        let line = console.fitting(&format!("{name}: {}", strategy.summary));
        strategy.asks_seats().then(|| Choice::new(name, line))
    });
    asking::choose("Which strategy?", all.collect())
}

/// Says in one line that a component's topic seems to belong somewhere else (docs/projects.md); stops nothing.
pub fn where_it_belongs(topic: &str, project: &Project, console: &Console) -> Result<(), Failure> {
    if let Some(hint) = project::belongs_elsewhere(topic, project)? {
        console.note(&format!("{}; to discuss it there: cd {}", hint.why, hint.folder));
    }
    Ok(())
}

/// CONTEXT.md, the workspaces' first, what the session before hands on, and the attachments in one text.
pub fn context(
    project: &Project,
    files: &[PathBuf],
    parent: Option<&HandedOn>,
    notes: &mut Vec<String>,
) -> Result<Combined, Failure> {
    let own = project::read_layers(project)?;
    let stdin = files.iter().filter(|file| is_stdin(file)).count();
    if stdin > 1 {
        return Err(Failure::bad_input("--context - is given twice").next("standard input can be read only once"));
    }
    let attach = |file: &PathBuf| match is_stdin(file) {
        true => project::read_attachment("standard input", io::stdin().lock()),
        false => project::open_attachment(file),
    };
    let handed =
        parent.map(|parent| project::read_attachment(&format!("session {}", parent.id), parent.text.as_bytes()));
    let attached: Result<Vec<Attachment>, _> = handed.into_iter().chain(files.iter().map(attach)).collect();
    let bad = |error: project::AttachmentError| Failure::bad_input(error.to_string());
    let combined = project::combine_layers(&own.source, &own.text, &attached.map_err(bad)?).map_err(bad)?;
    notes.extend(own.notes);
    notes.extend(combined.notes.iter().cloned());
    Ok(combined)
}

/// Refuses to send what looks like a key or a password, or is one of the person's own, with its place: in a file as
/// the person knows it, where it is found there.
pub fn refuse_secrets(topic: &str, context: &str, charter: &Charter, files: &[PathBuf]) -> Result<(), Failure> {
    if let Some(name) = own_key_in(topic).or_else(|| own_key_in(context)) {
        return Err(Failure::bad_input(format!(
            "nothing was sent: the topic or the context holds the value of {name}"
        ))
        .next("take it out of there; if it is no secret, add --allow-secrets"));
    }
    if !secrets::scan("the context", context).is_empty() {
        let read = |file: &PathBuf| Some((file.display().to_string(), std::fs::read_to_string(file).ok()?));
        let named = files.iter().filter_map(read).flat_map(|(name, text)| secrets::scan(&name, &text));
        refuse_found(named.collect())?;
    }
    let roles = charter.roles.iter().map(|(name, text)| (format!("the role {name}"), &**text));
    let prompts = charter.prompts.iter().map(|(name, text)| (format!("the prompt {name}"), &**text));
    let given = [("the topic".to_owned(), topic), ("the context".to_owned(), context)];
    let all = given.into_iter().chain(roles).chain(prompts);
    refuse_found(all.flat_map(|(name, text)| secrets::scan(&name, text)).collect())
}

/// The variable of this person whose secret value stands in a text.
fn own_key_in(text: &str) -> Option<String> {
    let held = |(name, value): &(String, String)| is_key(name) && value.len() >= 12 && text.contains(value.as_str());
    variables().into_iter().find(held).map(|(name, _)| name)
}

/// What is wrong with sending a text that a person types, if anything: the place in it, and never the secret.
pub fn secret_in(text: &str) -> Option<String> {
    let found = secrets::scan("this", text).first().map(ToString::to_string);
    let found = found.or_else(|| own_key_in(text).map(|name| format!("this holds the value of {name}")));
    found.map(|found| format!("{found}; please leave it out, or leave with Esc and add --allow-secrets"))
}

fn is_key(name: &str) -> bool {
    ["KEY", "TOKEN", "SECRET", "PASSWORD"].iter().any(|end| name.to_uppercase().ends_with(end))
}

/// The refusal for what looks like a secret, if anything does.
pub fn refuse_found(found: Vec<secrets::Finding>) -> Result<(), Failure> {
    let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    match lines.as_slice() {
        [] => Ok(()),
        lines => Err(Failure::bad_input(format!("nothing was sent:\n{}", lines.join("\n")))
            .next("take it out of there; if it is no secret, add --allow-secrets")),
    }
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names_are_split_and_slips_are_said() {
        assert_eq!(names("--pro", None).unwrap(), Vec::<String>::new());
        assert_eq!(names("--pro", Some(" a , b")).unwrap(), ["a", "b"]);
        for (text, part) in [("", "empty name"), ("a,,b", "empty name"), ("a,b,a", "\"a\" twice")] {
            let said = names("--pro", Some(text)).unwrap_err().what;
            assert!(said.contains(part) && said.contains("--pro"), "{said}");
        }
    }
}
