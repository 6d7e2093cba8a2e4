//! The ids in a Markdown text, against the project: for documents that people edit.
//! Given a text; hands on a finding for each id that no session made, that is defined twice, that was superseded or
//! withdrawn, or that only looks like one. A definition is a heading or a list item that starts with an id. Left out:
//! fenced code (the nodes of a diagram have names of their own) and comments. Deliberately absent: files.

use std::collections::{BTreeMap, BTreeSet};

use s2s_engine::artifact::{ArtifactId, ArtifactKind, ArtifactStatus};

use super::links::TaskLink;
use super::validate::{Finding, READ_FIRST, Severity, not_here};
use super::{Entry, ProjectRegister};

/// The prefix of tasks, which plans keep.
const TASK: &str = "TASK";

/// Everything that is wrong with the ids of a text; `path` is for the findings.
pub fn check_text(path: &str, text: &str, register: &ProjectRegister, tasks: &[TaskLink]) -> Vec<Finding> {
    let mut check = Check {
        path,
        register,
        tasks,
        defined: BTreeMap::new(),
        missing: BTreeSet::new(),
        told: BTreeSet::new(),
        found: Vec::new(),
    };
    let mut fence: Option<char> = None;
    let mut comment = false;
    for (number, line) in (1..).zip(text.lines()) {
        let bare = line.trim_start();
        let mark = ['`', '~'].into_iter().find(|mark| bare.chars().take_while(|c| c == mark).count() >= 3);
        match (fence, mark) {
            (None, Some(mark)) if !comment => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            (None, _) => check.line(number, &without_comments(line, &mut comment)),
        }
    }
    if !check.missing.is_empty() {
        let what = not_here(&check.missing);
        check.push(None, Severity::Warning, None, what, READ_FIRST);
    }
    check.found
}

/// The line with comments blanked out; a comment may go on over lines.
fn without_comments(line: &str, inside: &mut bool) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    loop {
        let mark = if *inside { "-->" } else { "<!--" };
        let (before, after) = match rest.split_once(mark) {
            Some((before, after)) => (before, Some(after)),
            None => (rest, None),
        };
        if !*inside {
            shown.push_str(before);
        }
        let Some(after) = after else { return shown };
        // A blank, so that nothing grows together around the comment.
        shown.push(' ');
        *inside = !*inside;
        rest = after;
    }
}

struct Check<'a> {
    path: &'a str,
    register: &'a ProjectRegister,
    tasks: &'a [TaskLink],
    defined: BTreeMap<ArtifactId, u32>,
    /// Ids that are not in the project, where sessions cannot be read: these may hold them.
    missing: BTreeSet<ArtifactId>,
    /// What was said already: once for each id is enough.
    told: BTreeSet<String>,
    found: Vec<Finding>,
}

impl Check<'_> {
    fn line(&mut self, number: u32, line: &str) {
        let mut start = definition(line);
        let low = line.to_lowercase();
        let marked = low.contains("supersed") || low.contains("withdrawn") || line.contains("~~");
        for word in candidates(line) {
            if let Some(rest) = word.strip_prefix(TASK) {
                self.task(number, word, rest);
                continue;
            }
            match word.parse::<ArtifactId>() {
                Err(()) => {
                    let what = format!("`{word}` looks like an id and is none");
                    self.tell(word, number, Severity::Error, None, what, "write a kind and a number, such as REQ-007");
                }
                Ok(id) => {
                    if word != id.to_string() {
                        let what = format!("`{word}` is written {id} everywhere else");
                        self.tell(word, number, Severity::Warning, Some(id), what, "write it the same way");
                    }
                    if start.take_if(|start| *start == word).is_some() {
                        self.define(number, id);
                    }
                    self.mention(number, id, marked);
                }
            }
        }
    }

    fn define(&mut self, number: u32, id: ArtifactId) {
        match self.defined.get(&id) {
            Some(first) => {
                let what = format!("{id} is defined a second time; the first is in line {first}");
                let next = "leave one of them; a new one gets its id in a new session";
                self.push(Some(number), Severity::Error, Some(id), what, next);
            }
            None => {
                self.defined.insert(id, number);
            }
        }
    }

    fn mention(&mut self, number: u32, id: ArtifactId, marked: bool) {
        let entry = self.register.get(id);
        match entry.map(Entry::status) {
            None if !self.register.unread.is_empty() => {
                self.missing.insert(id);
            }
            None => {
                let what = format!("{id} is not in the project: no session made it");
                let next = "ids are given by sessions: use one that `s2s trace` lists, or hold a session on it";
                self.tell(&id.to_string(), number, Severity::Error, Some(id), what, next);
            }
            Some(status @ (ArtifactStatus::Superseded | ArtifactStatus::Withdrawn)) if !marked => {
                let by = entry.and_then(|entry| entry.artifact().superseded_by);
                let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
                let what = format!("{id} is {status}{by}");
                let next = format!("see what became of it: s2s trace {id}");
                self.tell(&id.to_string(), number, Severity::Warning, Some(id), what, &next);
            }
            Some(_) => {}
        }
    }

    fn task(&mut self, number: u32, word: &str, rest: &str) {
        let digits = rest.strip_prefix('-').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        let known = self.tasks.iter().any(|task| task.id == word);
        if digits && !known && !self.tasks.is_empty() {
            let what = format!("{word} is in no plan of the project");
            self.tell(word, number, Severity::Error, None, what, "`s2s plan list` shows the plans");
        }
    }

    fn tell(&mut self, key: &str, number: u32, severity: Severity, id: Option<ArtifactId>, what: String, next: &str) {
        if self.told.insert(format!("{key} {what}")) {
            self.push(Some(number), severity, id, what, next);
        }
    }

    fn push(&mut self, line: Option<u32>, severity: Severity, id: Option<ArtifactId>, what: String, next: &str) {
        self.found.push(Finding {
            severity,
            session: None,
            file: self.path.into(),
            line,
            round: None,
            id,
            what,
            next: next.to_owned(),
        });
    }
}

/// The words of a line that are, or look like, an id: a kind, a hyphen or underscore, and something with a digit.
fn candidates(line: &str) -> impl Iterator<Item = &str> {
    let part_of = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    // Of an address only what stands before it counts: a link's text, not where it leads.
    let pieces = line.split_whitespace().map(|piece| piece.split_once("://").map_or(piece, |(before, _)| before));
    pieces.flat_map(move |piece| piece.split(move |c: char| !part_of(c))).filter(|word| {
        let Some((kind, rest)) = word.split_once(['-', '_']) else { return false };
        let ours = kind == TASK || kind.parse::<ArtifactKind>().is_ok();
        let short = rest.len() <= 12 && !rest.contains(['-', '_']);
        ours && short && rest.contains(|c: char| c.is_ascii_digit()) && rest.chars().all(char::is_alphanumeric)
    })
}

/// The id that a line defines: the first word of a heading or of a list item, under any emphasis.
fn definition(line: &str) -> Option<&str> {
    let bare = line.trim_start();
    let after = match bare.trim_start_matches('#') {
        rest if rest.len() < bare.len() => rest,
        _ => bare.strip_prefix(['-', '*', '+']).filter(|rest| rest.trim_start().starts_with("**"))?,
    };
    let word = after.trim_start_matches([' ', '*', '_', '`', '[', '~']);
    candidates(word).next().filter(|first| word.starts_with(first))
}
