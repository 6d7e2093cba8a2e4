//! What `s2s init` asks a person, and what flags answer: the project in a few words, and its components.
//! Given what was typed and detected; hands on the answers, with what a person should know about them. Nothing is
//! written before the last answer. Deliberately absent: making anything (`init.rs`).

use std::path::Path;

use s2s::Failure;
use s2s::engine::counted;
use s2s::project::{Answers, Detected, component_meant};

use crate::args::Init;
use crate::asking::{self, Choice};
use crate::console::Console;

const LIST: &str = "several with ; between them, or empty for later";

/// The answers that flags give.
pub fn typed_answers(typed: &Init) -> Answers {
    Answers {
        description: typed.description.clone(),
        domain: typed.domain.clone(),
        objectives: typed.objective.clone(),
        scope_in: typed.scope_in.clone(),
        scope_out: typed.scope_out.clone(),
        constraints: typed.constraint.clone(),
    }
}

/// All answers: flags first, then a person if one is there, else what was detected, and that is said.
pub fn answers(typed: &Init, found: &Detected, console: &Console, notes: &mut Vec<String>) -> Result<Answers, Failure> {
    let mut answers = typed_answers(typed);
    if !console.attended || typed.yes {
        notes.extend(taken(&answers, found));
        return Ok(answers);
    }
    if answers.description.is_none() {
        let suggested = found.description.as_ref();
        let hint = suggested.map_or_else(|| "a sentence or two".to_owned(), |sign| format!("from {}", sign.from));
        let suggested = suggested.map_or("", |sign| sign.name.as_str());
        answers.description = Some(asking::text_or_nothing("What is this project?", suggested, &hint)?);
    }
    if answers.domain.is_none() {
        let hint = "such as: spare parts for garages; may be left empty";
        answers.domain = Some(asking::text_or_nothing("Which field is it for?", "", hint)?);
    }
    let lists = [
        ("What should be better once it is done?", &mut answers.objectives),
        ("What belongs to the work?", &mut answers.scope_in),
        ("What is left out on purpose?", &mut answers.scope_out),
        ("What must every decision respect?", &mut answers.constraints),
    ];
    for (question, list) in lists {
        if list.is_empty() {
            let text = asking::text_or_nothing(question, "", LIST)?;
            list.extend(text.split(';').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned));
        }
    }
    Ok(answers)
}

/// What was taken without asking.
fn taken(answers: &Answers, found: &Detected) -> Option<String> {
    let description = match (&answers.description, &found.description) {
        (None, Some(sign)) => Some(format!("the description is taken from {}", sign.from)),
        (None, None) => Some("there is no description".to_owned()),
        (Some(_), _) => None,
    };
    let open = [
        ("objectives", answers.objectives.is_empty()),
        ("scope", answers.scope_in.is_empty() && answers.scope_out.is_empty()),
        ("constraints", answers.constraints.is_empty()),
    ];
    let open: Vec<&str> = open.iter().filter(|(_, open)| *open).map(|(name, _)| *name).collect();
    let open = (!open.is_empty()).then(|| format!("{} are open", open.join(", ")));
    let said: Vec<String> = description.into_iter().chain(open).collect();
    (!said.is_empty()).then(|| format!("Nobody was asked: {}. Flags set them (s2s init --help).", said.join("; ")))
}

/// The components of a workspace: those that were named, else the detected members that are chosen.
pub fn components(
    typed: &Init,
    root: &Path,
    found: &Detected,
    console: &Console,
    notes: &mut Vec<String>,
) -> Result<Vec<String>, Failure> {
    if let Some(text) = &typed.components {
        return named(text, root, found);
    }
    let members: Vec<String> = found.members.iter().map(|member| member.path.clone()).collect();
    if members.is_empty() {
        return Err(Failure::bad_input("no members of a workspace were detected here")
            .next("name the folders: s2s init --workspace --components services/api,services/web"));
    }
    if console.attended && !typed.yes {
        let choices = found.members.iter().map(|member| {
            let label = format!("{} ({}, {})", member.path, member.name, member.kinds.join(", "));
            Choice::new(member.path.clone(), console.fitting(&label))
        });
        let chosen = asking::several("Which members shall be components?", choices.collect())?;
        if chosen.is_empty() {
            return Err(Failure::bad_input("no component was chosen, so nothing was made")
                .next("`s2s init` makes a project without components"));
        }
        return checked(chosen.iter().map(String::as_str), root, found);
    }
    notes.push(format!("{} became components; --components A,B chooses.", counted(members.len(), "detected member")));
    checked(members.iter().map(String::as_str), root, found)
}

fn named(text: &str, root: &Path, found: &Detected) -> Result<Vec<String>, Failure> {
    let typed: Vec<&str> = text.split(',').map(str::trim).collect();
    if typed.iter().any(|name| name.is_empty()) {
        return Err(Failure::bad_input(format!("--components \"{text}\" has an empty name in it"))
            .next("give folders with commas, such as services/api,services/web"));
    }
    checked(typed.into_iter(), root, found)
}

/// Every one is checked before anything is made.
fn checked<'n>(names: impl Iterator<Item = &'n str>, root: &Path, found: &Detected) -> Result<Vec<String>, Failure> {
    let (mut components, mut wrong) = (Vec::new(), Vec::new());
    for name in names {
        match component_meant(root, name, &found.members) {
            Ok(path) if components.contains(&path) => {}
            Ok(path) => components.push(path),
            Err(why) => wrong.push(why),
        }
    }
    if wrong.is_empty() {
        return Ok(components);
    }
    let known: Vec<&str> = found.members.iter().map(|member| member.path.as_str()).take(20).collect();
    let next = match known.as_slice() {
        [] => "name folders that are there, such as services/api".to_owned(),
        known => format!("detected here: {}", known.join(", ")),
    };
    Err(Failure::bad_input(wrong.join("\n")).next(next))
}
