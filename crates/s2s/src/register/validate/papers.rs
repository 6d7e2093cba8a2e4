//! The documents that sessions name: they are there, and the ids in them are the project's.
//! Given the paths of every outcome; hands on findings. A document is looked into only if every session that wrote
//! it keeps artifacts: others number by themselves; nor is one that was put aside for a new one. Deliberately absent: whether a text is still as it was written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path};

use super::super::{ProjectRegister, TaskLink, check_text};
use super::finding::{Finding, Findings, Severity};

/// A longer document is not looked into.
const LONGEST: u64 = 8 * 1024 * 1024;

/// The documents of one session.
pub(super) struct Papers {
    pub(super) session: String,
    pub(super) keeps_artifacts: bool,
    pub(super) files: Vec<String>,
}

/// Checks the documents of the sessions that were asked for.
pub(super) fn check(
    root: &Path,
    register: &ProjectRegister,
    tasks: &[TaskLink],
    papers: &[Papers],
    asked: &dyn Fn(&str) -> bool,
    found: &mut Findings,
) {
    let mut by_file: BTreeMap<&str, Vec<&Papers>> = BTreeMap::new();
    for paper in papers {
        for file in &paper.files {
            by_file.entry(file).or_default().push(paper);
        }
    }
    for (file, writers) in by_file {
        let Some(last) = writers.iter().rfind(|paper| asked(&paper.session)) else { continue };
        let path = root.join(file);
        let note = |what: String, next: &str| Finding {
            severity: Severity::Warning,
            session: Some(last.session.clone()),
            file: file.into(),
            line: None,
            round: None,
            id: None,
            what,
            next: next.to_owned(),
        };
        if !path.exists() {
            let next = "restore it from version control; the session still holds what it said";
            found.push(note(format!("the document {file} is not there any more"), next));
            continue;
        }
        let inside = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
        let ours = inside
            && file.ends_with(".md")
            && !was_put_aside(file)
            && writers.iter().all(|paper| paper.keeps_artifacts);
        if !ours || fs::metadata(&path).is_ok_and(|meta| meta.len() > LONGEST) {
            continue;
        }
        match fs::read_to_string(&path) {
            Ok(text) => check_text(file, &text, register, tasks).into_iter().for_each(|finding| found.push(finding)),
            Err(error) => found.push(note(format!("the document {file} cannot be read: {error}"), "check the file")),
        }
    }
}

/// Whether it is a document that a session started over: what it says held before that.
fn was_put_aside(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    ["requirements.before-", "architecture.before-"].iter().any(|start| name.starts_with(start))
}
