//! `s2s playbook new`: a file to start from, with a comment at every part and every sentence still to be written.
//! Given a name, a subject, options and criteria; hands on the path. The file can be read as it is, and no session uses it
//! before its sentences are written. Nothing is ever overwritten. Deliberately absent: asking, and knowledge of any subject.

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use s2s_catalog::playbook::{CRITERIA, Playbook};
use s2s_catalog::{Catalog, Kind};
use s2s_engine::slug::slug;
use serde_json::Value;

use super::TO_WRITE;
use super::usual::usual_of;
use crate::clean::clean_line;
use crate::failure::Failure;
use crate::project::{Project, write_new};

/// The longest name: it becomes a file's.
const MAX_NAME: usize = 64;
/// The longest subject or option.
const MAX_TEXT: usize = 80;
/// How many options and criteria a playbook has.
const OPTIONS: std::ops::RangeInclusive<usize> = 2..=6;
const MEASURES: std::ops::RangeInclusive<usize> = 2..=10;

/// What is known of a new playbook.
#[derive(Debug, Clone, Default)]
pub struct NewPlaybook {
    /// The file's name.
    pub name: String,
    /// The subject in a few words.
    pub subject: String,
    /// The options, as they read in a sentence.
    pub options: Vec<String>,
    /// Ids of criteria.
    pub criteria: Vec<String>,
    /// Year and month.
    pub as_of: String,
}

/// A playbook's file that was written.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenPlaybook {
    /// Where it is.
    pub path: PathBuf,
    /// The playbook as it can be read.
    pub playbook: Playbook,
    /// Whether it takes the place of a built-in one once it is written.
    pub overrides: bool,
}

/// Writes a starting file to `.s2s/playbooks/NAME.yaml`.
///
/// # Errors
/// If the name or a part cannot be one, something is there already, or writing fails.
pub fn new_playbook(project: &Project, new: &NewPlaybook) -> Result<WrittenPlaybook, Failure> {
    check_name(project, &new.name)?;
    let new = checked(new)?;
    let text = written(&new);
    let playbook = Playbook::parse(&text).map_err(|misfits| {
        let lines: Vec<String> = misfits.iter().map(ToString::to_string).collect();
        Failure::bad_input(format!("the playbook was not written: {}", lines.join("; ")))
            .next("choose other options or criteria")
    })?;
    let path = path_of(project, &new.name);
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => there_already(&path, &new.name),
        _ => Failure::failed(format!("cannot write {}: {error}", path.display()))
            .next("mend the cause, then run the command again"),
    };
    let folder = project.dir.join(Kind::Playbook.folder());
    match fs::create_dir(&folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(failed(error)),
        _ => {}
    }
    write_new(&path, &text).map_err(failed)?;
    Ok(WrittenPlaybook { overrides: Catalog::builtin().playbook(&new.name).is_ok(), path, playbook })
}

fn path_of(project: &Project, name: &str) -> PathBuf {
    project.dir.join(Kind::Playbook.folder()).join(format!("{name}{}", Kind::Playbook.ending()))
}

/// Whether a playbook of this name can be written: found out before anybody is asked.
///
/// # Errors
/// If it cannot be a name, or something is there already.
pub fn check_name(project: &Project, name: &str) -> Result<(), Failure> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let shaped = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()) && !name.ends_with('-');
    if name.is_empty() || name.len() > MAX_NAME || !shaped || !name.chars().all(fits) {
        let failure = Failure::bad_input(format!(
            "\"{}\" cannot be the name of a playbook: lower case letters, digits and hyphens, at most {MAX_NAME}",
            clean_line(name).chars().take(60).collect::<String>()
        ));
        let near = Some(slug(name)).filter(|near| !near.is_empty() && near.len() <= MAX_NAME);
        return Err(failure.next(format!("for example: s2s playbook new {}", near.as_deref().unwrap_or("caching"))));
    }
    let path = path_of(project, name);
    if fs::symlink_metadata(&path).is_ok() { Err(there_already(&path, name)) } else { Ok(()) }
}

fn there_already(path: &Path, name: &str) -> Failure {
    Failure::bad_input(format!("{} is there already; nothing was written", path.display()))
        .next(format!("open it, or choose another name; see it: s2s playbook show {name}"))
}

/// The parts in one line each and within their bounds.
fn checked(new: &NewPlaybook) -> Result<NewPlaybook, Failure> {
    let line = |flag: &str, text: &str| {
        let line = clean_line(text).trim().to_owned();
        match line.chars().count() {
            0 => Err(Failure::bad_input(format!("{flag} is empty")).next("say it in a few words")),
            chars if chars > MAX_TEXT => {
                Err(Failure::bad_input(format!("{flag} has {chars} characters; at most {MAX_TEXT} fit"))
                    .next("say it shorter; what it means goes into the file"))
            }
            _ => Ok(line),
        }
    };
    let many = |flag: &str, number: usize, bounds: &std::ops::RangeInclusive<usize>| match bounds.contains(&number) {
        true => Ok(()),
        false => Err(Failure::bad_input(format!(
            "{flag} is given {number} times; a playbook has {} to {} of them",
            bounds.start(),
            bounds.end()
        ))
        .next(format!("give {flag} once for each"))),
    };
    many("--option", new.options.len(), &OPTIONS)?;
    many("--criterion", new.criteria.len(), &MEASURES)?;
    for criterion in &new.criteria {
        if !CRITERIA.contains(&criterion.as_str()) {
            let own = Failure::bad_input(format!("\"{}\" is no criterion that roles weigh", clean_line(criterion)));
            return Err(own.next(format!("use some of: {}", CRITERIA.join(", "))));
        }
    }
    Ok(NewPlaybook {
        subject: line("--subject", &new.subject)?,
        options: new.options.iter().map(|option| line("--option", option)).collect::<Result<_, _>>()?,
        ..new.clone()
    })
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The id of an option: its name without an article.
fn id_of(option: &str) -> String {
    let lower = option.to_lowercase();
    let bare = ["a ", "an ", "the ", "one "].iter().find_map(|article| lower.strip_prefix(article)).unwrap_or(&lower);
    Some(slug(bare)).filter(|id| !id.is_empty()).unwrap_or_else(|| "option".to_owned())
}

fn written(new: &NewPlaybook) -> String {
    let lower = new.subject.to_lowercase();
    let mut text = format!(
        "# {0}: what is generally known, for the offline panel. docs/playbooks.md explains every part.\n\
         # Replace each \"{TO_WRITE} …\" by a sentence; `s2s playbook check {1}` says what is left.\n\
         # No session uses this file before all of them are written.\n\
         name: {1}\nsubject: {2}\nas_of: {3}\n\
         # A clause that follows \"To decide:\".\ndecides: \"{TO_WRITE} what is decided, as a clause\"\n\
         # Phrases of a topic that mean this subject; ~ before one that is too common alone.\nnames: [{4}]\n\
         # Phrases that show that a topic is about something else: unless: [\"…\"]\n\n",
        clean_line(&new.subject),
        new.name,
        quoted(&new.subject),
        quoted(&new.as_of),
        quoted(&lower),
    );
    text.push_str(
        "# What the options are compared by. Roles weigh these ids; the texts are the usual ones: sharpen them for the subject.\n\
         criteria:\n",
    );
    for usual in new.criteria.iter().filter_map(|id| usual_of(id)) {
        let _ = write!(
            text,
            "  - id: {}\n    name: {}\n    means: {}\n    asks: {}\n    find_out: {}\n",
            usual.id,
            quoted(usual.name),
            quoted(usual.means),
            quoted(usual.asks),
            quoted(usual.find_out),
        );
    }
    text.push_str(
        "\n# Three to six that people really argue about, each with its trade-offs; two are the least.\noptions:\n",
    );
    let mut ids: Vec<String> = Vec::new();
    for option in &new.options {
        let mut id = id_of(option);
        while ids.contains(&id) {
            id.push_str("-2");
        }
        put_option(&mut text, new, option, &id);
        ids.push(id);
    }
    let first = new.criteria.first().map_or("", String::as_str);
    let _ = write!(
        text,
        "\n# Worth doing under every option: three to five. A split table can agree on these.\nwhichever:\n  - touches: {first}\n    \
         text: \"{TO_WRITE} an instruction without a full stop\"\n\n\
         # Words of a topic or a context that shift a weight; {{1-5}} is a number. For your own: take the [] and the # away.\n\
         signals: []\n#  - when: [\"small team\", \"{{1-5}} developers\"]\n#    criterion: {first}\n#    shift: 2\n#    \
         lifts: {{{0}: 1}}\n#    why: \"each moving part is a share of somebody's week\"\n\n\
         # What would date this knowledge.\nchanges:\n  - \"{TO_WRITE} what would date this\"\n",
        ids.first().map_or("", String::as_str),
    );
    text
}

fn put_option(text: &mut String, new: &NewPlaybook, option: &str, id: &str) {
    let _ = write!(
        text,
        "  - id: {id}\n    name: {}\n    # What people call it, products and short forms too.\n    aliases: [{}]\n    \
         what: \"{TO_WRITE} what it is, in one sentence\"\n    # An instruction without a full stop.\n    decide: {}\n    at_best: \"{TO_WRITE} how it looks when all goes well\"\n    start_with: \"{TO_WRITE} the smallest \
         useful first step\"\n    right_when: [\"{TO_WRITE} what must be true for it to be right, as a clause\"]\n    \
         revisit_when: \"{TO_WRITE} when to look at it again, as a clause\"\n    risks:\n      - risk: \"{TO_WRITE} what goes \
         wrong\"\n        touches: {}\n        mitigation: \"{TO_WRITE} what helps, an instruction without a full stop\"\n    \
         # 1 = poor, 5 = very good, compared with the other options here. Write the sentence first.\n    cells:\n",
        quoted(option),
        quoted(&id.replace('-', " ")),
        quoted(&format!("Use {option}")),
        new.criteria.first().map_or("", String::as_str),
    );
    for criterion in &new.criteria {
        let name = usual_of(criterion).map_or(criterion.as_str(), |usual| usual.name);
        let why = quoted(&format!("{TO_WRITE} the trade-off of {option} in {name}"));
        let _ = writeln!(text, "      {criterion}: {{score: 3, why: {why}}}");
    }
}
