//! How a session goes on from others: what a finished one hands on, and which past decisions are about the same.
//! Given the sessions and the register of a project; hands on a text for the context, or lines for people.
//! Deliberately absent: whether to go on from one, which a person says, and documents' content beyond their titles.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use s2s_engine::opening::Workflow;
use s2s_store::{Minutes, Sessions, Status};

use crate::clean::clean_line;
use crate::failure::Failure;
use crate::register::{Entry, ProjectRegister};

/// The most past decisions that are named.
const MOST_NAMED: usize = 3;
/// The most decision records that are looked at.
const MOST_RECORDS: usize = 1_000;
/// How far into a record its title is looked for.
const TITLE_BYTES: u64 = 4_096;
/// How many distinctive words make it the same subject.
const SHARED_WORDS: usize = 2;
/// Words that say nothing about the subject.
const COMMON: &[&str] = &[
    "about",
    "after",
    "against",
    "also",
    "architecture",
    "before",
    "between",
    "choose",
    "could",
    "decide",
    "decision",
    "design",
    "does",
    "from",
    "have",
    "into",
    "more",
    "need",
    "only",
    "over",
    "requirements",
    "requirement",
    "should",
    "system",
    "than",
    "that",
    "their",
    "them",
    "then",
    "there",
    "they",
    "this",
    "through",
    "under",
    "using",
    "versus",
    "want",
    "what",
    "when",
    "where",
    "which",
    "while",
    "will",
    "with",
    "without",
    "would",
    "your",
    "application",
];

/// What a finished session hands on to one that goes on from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandedOn {
    /// The session's id.
    pub id: String,
    /// Its workflow.
    pub workflow: Workflow,
    /// Its outcome, recommendation, consensus and live artifacts, for the context.
    pub text: String,
}

/// What the session `asked` (an id, or its start) hands on.
///
/// # Errors
/// If there is no such session, or it is not complete.
pub fn hand_on(sessions: &Sessions, register: &ProjectRegister, asked: &str) -> Result<HandedOn, Failure> {
    let id = sessions.resolve(asked)?;
    let minutes = sessions.read(&id)?;
    if minutes.status() != Status::Completed || minutes.outcome().is_none() {
        let what = format!("session {id} is {}, so it has no outcome to go on from", minutes.status());
        return Err(Failure::bad_input(what).next(format!("finish it first: s2s roundtable resume {id}")));
    }
    let text = told(&minutes, register);
    Ok(HandedOn { id, workflow: minutes.workflow(), text })
}

fn told(minutes: &Minutes, register: &ProjectRegister) -> String {
    let mut text = format!("Topic: {} ({})\n", minutes.topic(), minutes.workflow());
    if let Some(outcome) = minutes.outcome() {
        text.push_str(&format!("Outcome: {}\n", outcome.status));
        if let Some(recommendation) = outcome.recommendation.as_deref().filter(|text| !text.trim().is_empty()) {
            text.push_str(&format!("Recommendation: {}\n", recommendation.trim()));
        }
        list(&mut text, "Agreed", outcome.consensus.iter().cloned());
        list(&mut text, "Not resolved", outcome.unresolved.iter().cloned());
    }
    let made = |entry: &&Entry| entry.versions.iter().any(|version| version.session == minutes.id());
    list(&mut text, "What it left", register.live().filter(made).map(artifact));
    text
}

fn artifact(entry: &Entry) -> String {
    let artifact = entry.artifact();
    match artifact.text.trim() {
        "" => format!("{} {}", artifact.id, artifact.title),
        text => format!("{} {}: {text}", artifact.id, artifact.title),
    }
}

fn list(text: &mut String, head: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.map(|line| format!("- {}\n", line.trim().replace('\n', "\n  "))).collect();
    if !lines.is_empty() {
        text.push_str(&format!("{head}:\n{}", lines.concat()));
    }
}

/// Past decisions that share several distinctive words with a topic, the closest first, one line each: complete
/// sessions, and decision records in `records`. `without` is left out: it is known already.
pub fn same_subject(register: &ProjectRegister, records: &Path, topic: &str, without: Option<&str>) -> Vec<String> {
    let words = distinctive(topic);
    let shared = |text: &str| {
        let own = distinctive(text);
        // The same subject in one word, such as "An API for partners", is still the same.
        let enough = if own == words { 1 } else { SHARED_WORDS };
        Some(own.intersection(&words).count()).filter(|shared| *shared >= enough).unwrap_or_default()
    };
    let past = register.sessions.iter().filter(|seen| seen.status == Status::Completed);
    let past = past.filter(|seen| Some(seen.id.as_str()) != without);
    let mut found: Vec<(usize, String)> = past
        .map(|seen| (shared(&seen.topic), format!("session {} ({}): {}", seen.id, seen.workflow, seen.topic)))
        .chain(titles(records).map(|(file, title)| (shared(&title), format!("{file}: {title}"))))
        .filter(|(shared, _)| *shared > 0)
        .collect();
    // Of those that are equally close the newest first: ids and names start with their time or number.
    found.sort_by(|a, b| b.cmp(a));
    found.into_iter().take(MOST_NAMED).map(|(_, line)| clean_line(&line).into_owned()).collect()
}

/// The words of a text that say what it is about, without an ending for several.
fn distinctive(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let known = |word: &String| word.chars().count() >= 4 && !COMMON.contains(&word.as_str());
    let plain = |word: String| match word.strip_suffix('s') {
        Some(one) if word.len() > 4 && !word.ends_with("ss") => one.to_owned(),
        _ => word,
    };
    words.filter(known).map(plain).collect()
}

/// File names and titles of the Markdown files in a folder; what cannot be read has none.
fn titles(folder: &Path) -> impl Iterator<Item = (String, String)> {
    let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    files.sort();
    let newest = files.into_iter().rev().take(MOST_RECORDS);
    newest.filter_map(|path| Some((path.file_name()?.to_string_lossy().into_owned(), title(&path)?)))
}

fn title(path: &Path) -> Option<String> {
    let start = BufReader::new(fs::File::open(path).ok()?.take(TITLE_BYTES));
    let mut lines = start.lines().map_while(Result::ok);
    lines.find_map(|line| Some(line.strip_prefix("# ")?.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::register::SessionSeen;

    fn seen(id: &str, topic: &str, status: Status) -> SessionSeen {
        SessionSeen {
            id: id.into(),
            topic: topic.into(),
            workflow: Workflow::Brainstorm,
            status,
            started: jiff::Timestamp::UNIX_EPOCH,
            parent: None,
            requirements_format: None,
            panel_note: String::new(),
            register: None,
        }
    }

    #[test]
    fn past_decisions_on_the_same_subject_are_named_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("0001-cache.md"), "---\nid: 1\n---\n# Which cache for partner prices\n").unwrap();
        fs::write(folder.path().join("notes.txt"), "# Which cache for partner prices\n").unwrap();
        let register = ProjectRegister {
            sessions: vec![
                seen("1", "How do we cache partner price lists?", Status::Completed),
                seen("2", "Requirements for the system", Status::Completed),
                seen("3", "A cache for partner prices", Status::Paused),
                seen("4", "Caches, and who pays", Status::Completed),
            ],
            ..ProjectRegister::default()
        };
        let named = same_subject(&register, folder.path(), "Caching or a cache for partner prices", None);
        assert_eq!(
            named,
            [
                "session 1 (brainstorm): How do we cache partner price lists?",
                "0001-cache.md: Which cache for partner prices",
            ]
        );
        assert_eq!(same_subject(&register, folder.path(), "Requirements for the system", None), Vec::<String>::new());
        assert_eq!(same_subject(&register, folder.path(), "A cache for partner prices", Some("1")).len(), 1);
    }

    #[test]
    fn bug_the_very_same_topic_was_not_named_if_it_has_one_telling_word() {
        let sessions = vec![seen("1", "An API for partners", Status::Completed)];
        let register = ProjectRegister { sessions, ..ProjectRegister::default() };
        let named = |topic: &str| same_subject(&register, Path::new("none"), topic, None).len();
        assert_eq!((named("An API for partners"), named("Partners and their invoices")), (1, 0));
    }
}
