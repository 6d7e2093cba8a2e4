//! `s2s role new`: writes a starting file for a project's own role.
//! Given a name and what else is known; hands on the path and the role as it will be seated, or why it was not
//! written. The text is a whole one: it can be seated as it is, and is better once somebody has edited it.
//! Nothing is ever overwritten. Deliberately absent: what makes a role good (the catalog checks that), asking.

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use s2s_catalog::playbook::CRITERIA;
use s2s_catalog::{Catalog, Kind, Role};
use s2s_engine::opening::FACILITATOR;
use s2s_engine::slug::slug;
use serde::Serialize;
use serde_json::Value;

use super::Project;
use super::init::write_new;
use crate::clean::clean_line;
use crate::failure::Failure;

/// The longest name: it becomes a file's and a seat's.
const MAX_NAME: usize = 64;
/// The longest title, as the catalog takes it.
const MAX_TITLE: usize = 80;
/// A description is a sentence.
const MAX_DESCRIPTION: usize = 500;
/// How much a criterion counts until somebody says otherwise.
const PLAIN_WEIGHT: f64 = 2.0;

const QUESTIONS: [&str; 4] = [
    "What would have to be true for this to be a mistake, and how would we find out?",
    "Which part of this can be undone later, and which cannot?",
    "What does it ask of the people I speak for, on the first day and every day after?",
    "What have we tried before, and what came of it?",
];

const REFUSALS: [&str; 3] = [
    "A step that cannot be undone rests on an assumption that nobody has checked.",
    "The cost of a mistake is carried by somebody who is not at the table.",
    "Nobody could tell afterwards whether the promise was kept.",
];

/// What is known of a new role.
#[derive(Debug, Clone, Copy, Default)]
pub struct NewRole<'a> {
    /// The file's name, and the seat's.
    pub name: &'a str,
    /// The name for people.
    pub title: Option<&'a str>,
    /// A role to start from.
    pub from: Option<&'a str>,
    /// What they bring, in one sentence.
    pub description: Option<&'a str>,
}

/// A role's file that was written.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenRole {
    /// Where it is.
    pub path: PathBuf,
    /// The role as it will be seated.
    pub role: Role,
    /// Whether it takes the place of a built-in role.
    pub overrides: bool,
}

/// Writes a starting file to `.s2s/roles/NAME.md`.
///
/// # Errors
/// If the name cannot be one, the role to start from cannot be read, something is there already, or writing fails.
pub fn new_role(project: &Project, catalog: &Catalog, new: &NewRole<'_>) -> Result<WrittenRole, Failure> {
    check_name(new)?;
    let folder = project.dir.join(Kind::Role.folder());
    let path = folder.join(format!("{}{}", new.name, Kind::Role.ending()));
    if fs::symlink_metadata(&path).is_ok() {
        return Err(there_already(&path, new.name));
    }
    let draft = draft(catalog, new)?;
    let text = written(&draft);
    let role = Role::parse(new.name, &text).map_err(|misfits| {
        let lines: Vec<String> = misfits.iter().map(ToString::to_string).collect();
        Failure::bad_input(format!("the role was not written: {}", lines.join("; ")))
            .next("choose another name, description or role to start from")
    })?;
    make_folder(project, &folder)?;
    write_new(&path, &text).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => there_already(&path, new.name),
        _ => Failure::failed(format!("cannot write {}: {error}", path.display()))
            .next("mend the cause, then run the command again"),
    })?;
    Ok(WrittenRole { path, role, overrides: Catalog::builtin().role(new.name).is_ok() })
}

fn check_name(new: &NewRole<'_>) -> Result<(), Failure> {
    let name = new.name;
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let shaped = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()) && !name.ends_with('-');
    if name.is_empty() || name.len() > MAX_NAME || !shaped || !name.chars().all(fits) || name == "readme" {
        let failure = Failure::bad_input(format!(
            "\"{}\" cannot be the name of a role: lower case letters, digits and hyphens, at most {MAX_NAME}",
            clean_line(name).chars().take(60).collect::<String>()
        ));
        let near = slug(name.strip_prefix("project:").unwrap_or(name));
        return Err(match near.is_empty() || near == "readme" || near.len() > MAX_NAME {
            true => failure.next("for example: s2s role new data-protection --name \"Data Protection\""),
            false => failure.next(format!("for example: s2s role new {near}")),
        });
    }
    if name == FACILITATOR && new.from != Some(FACILITATOR) {
        return Err(Failure::bad_input("the facilitator chairs the table; a seat's text would not do for it")
            .next("start from the built-in one: s2s role new facilitator --from facilitator"));
    }
    Ok(())
}

/// A text that a person typed, in one line and within its bounds.
fn typed(flag: &str, text: &str, most: usize) -> Result<String, Failure> {
    let line = clean_line(text).into_owned();
    match line.chars().count() {
        0 => Err(Failure::bad_input(format!("{flag} is empty")).next("leave it out, or say something")),
        chars if chars > most => {
            Err(Failure::bad_input(format!("{flag} has {chars} characters; at most {most} fit")).next("say it shorter"))
        }
        _ => Ok(line),
    }
}

/// The role as it would be: from another one, or from the template.
fn draft(catalog: &Catalog, new: &NewRole<'_>) -> Result<Role, Failure> {
    let title = new.title.map(|text| typed("--name", text, MAX_TITLE)).transpose()?;
    let description = new.description.map(|text| typed("--description", text, MAX_DESCRIPTION)).transpose()?;
    let shipped = || Some(Catalog::builtin().role(new.name).ok()?.value.title);
    let title = title.or_else(shipped).unwrap_or_else(|| titled(new.name));
    if let Some(from) = new.from {
        let source = catalog.role(from)?.value;
        let heading = format!("# {}", source.title);
        let body = match source.body.strip_prefix(&heading).filter(|rest| rest.starts_with(['\n', '\r'])) {
            Some(rest) => format!("# {title}{rest}"),
            None => source.body.to_string(),
        };
        let description = description.unwrap_or(source.description);
        return Ok(Role { id: new.name.to_owned(), title, description, body: body.into(), ..source });
    }
    let description = description.unwrap_or_else(|| format!("What {title} sees and the others would miss."));
    let body = catalog.template("role")?.value.render(Values { title: &title, description: &description })?;
    Ok(Role {
        id: new.name.to_owned(),
        title,
        description,
        model: None,
        skills: Vec::new(),
        weighs: CRITERIA.iter().map(|criterion| ((*criterion).to_owned(), PLAIN_WEIGHT)).collect(),
        checklist: QUESTIONS.map(str::to_owned).to_vec(),
        blocks: REFUSALS.map(str::to_owned).to_vec(),
        voice: Vec::new(),
        body: body.into(),
    })
}

#[derive(Serialize)]
struct Values<'a> {
    title: &'a str,
    description: &'a str,
}

/// The file: what is for the program above, with comments that no model reads; what is for the model below.
fn written(role: &Role) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let mut text = format!(
        "---\n# The file's name, and how it is seated: --participants {0},qa-lead\nname: {0}\ntitle: {1}\n\
         # One sentence: what this person brings.\ndescription: {2}\n\
         # inherit = the model that everybody uses; else opus, sonnet, haiku or provider:model\nmodel: {3}\n",
        role.id,
        quoted(&role.title),
        quoted(&role.description),
        role.model.as_deref().map_or_else(|| "inherit".to_owned(), quoted),
    );
    let mut list = |key: &str, about: &str, items: &[String]| {
        if !items.is_empty() {
            let items: String = items.iter().map(|item| format!("  - {}\n", quoted(item))).collect();
            let _ = write!(text, "{about}{key}:\n{items}");
        }
    };
    list("skills", "", &role.skills);
    list("checklist", "# For the offline panel: what this person asks where no playbook helps.\n", &role.checklist);
    list("blocks", "# For the offline panel: what this person would not accept.\n", &role.blocks);
    list("voice", "# For the offline panel: how a sentence of theirs may begin.\n", &role.voice);
    if !role.weighs.is_empty() {
        text.push_str("# For the offline panel: how much each criterion of a playbook counts, from 0 to 5.\nweighs:\n");
        for (criterion, weight) in &role.weighs {
            let _ = writeln!(text, "  {}: {weight}", plain_key(criterion));
        }
    }
    format!("{text}---\n\n{}\n", role.body.trim())
}

/// A key as it can stand in YAML.
fn plain_key(key: &str) -> String {
    let plain = key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if plain { key.to_owned() } else { Value::from(key).to_string() }
}

/// `data-protection` for people: `Data Protection`.
fn titled(name: &str) -> String {
    let words = name.split('-').filter(|word| !word.is_empty()).map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect::<Vec<_>>().join(" ")
}

fn there_already(path: &Path, name: &str) -> Failure {
    Failure::bad_input(format!("{} is there already; nothing was written", path.display()))
        .next(format!("open it, or choose another name; see it: s2s role show {name}"))
}

/// Makes the folder of roles. One that leads out of the project is refused.
fn make_folder(project: &Project, folder: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::failed(format!("cannot make the folder {}: {error}", folder.display()))
            .next("mend the cause, then run the command again")
    };
    fs::create_dir_all(folder).map_err(failed)?;
    let (own, real) = (project.dir.canonicalize().map_err(failed)?, folder.canonicalize().map_err(failed)?);
    match real.starts_with(&own) {
        true => Ok(()),
        false => Err(Failure::bad_input(format!("{} is a link that leads to {}", folder.display(), real.display()))
            .next("make it a folder of the project")),
    }
}
