//! What is found, and where: session, file, line, round and id, with what to do next.
//! Given by the checks; hands on findings in a fixed order. Lines are looked up once per session, and only where
//! something was found. Deliberately absent: the checks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use s2s_engine::artifact::ArtifactId;
use s2s_store::{Sessions, StoreError, line_of_round};
use serde::Serialize;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It cannot be so.
    Error,
    /// It can be so, and somebody should know.
    Warning,
}

impl Severity {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// Something that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The session it is about, if one.
    pub session: Option<String>,
    /// The file it is in, from the project's folder.
    pub file: PathBuf,
    /// The line, from 1, where known.
    pub line: Option<u32>,
    /// The round, if one.
    pub round: Option<u32>,
    /// The artifact, if one.
    pub id: Option<ArtifactId>,
    /// What does not hold.
    pub what: String,
    /// What to do about it.
    pub next: String,
}

impl Finding {
    /// A session that cannot be read. The store's errors end with what to do.
    pub(super) fn unreadable(session: &str, file: &Path, error: &StoreError) -> Self {
        let text = error.to_string();
        let line = error.line();
        let place = line.map_or_else(|| file.display().to_string(), |line| format!("{}:{line}", file.display()));
        let bare = text.strip_prefix(&format!("{place}: ")).unwrap_or(&text);
        let (what, next) =
            bare.rsplit_once(". ").unwrap_or((bare, "Restore the file from a backup or version control"));
        Self {
            severity: Severity::Error,
            session: Some(session.to_owned()),
            file: file.to_owned(),
            line,
            round: error.round(),
            id: None,
            what: what.to_owned(),
            next: next.to_owned(),
        }
    }
}

/// The findings about one session, or about a project.
#[derive(Debug, Default)]
pub(super) struct Findings(pub(super) Vec<Finding>, Option<Place>);

/// Where findings are unless they say otherwise.
#[derive(Debug)]
struct Place {
    session: String,
    file: PathBuf,
}

impl Findings {
    /// Findings about this session.
    pub(super) fn of(sessions: &Sessions, id: &str) -> Self {
        Self(Vec::new(), Some(Place { session: id.to_owned(), file: sessions.minutes_path(id) }))
    }

    pub(super) fn push(&mut self, finding: Finding) {
        self.0.push(finding);
    }

    pub(super) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(super) fn error(
        &mut self,
        round: Option<u32>,
        id: Option<ArtifactId>,
        what: impl Into<String>,
        next: impl Into<String>,
    ) {
        let finding = self.made(Severity::Error, round, id, what, next);
        self.0.push(finding);
    }

    pub(super) fn warning(
        &mut self,
        round: Option<u32>,
        id: Option<ArtifactId>,
        what: impl Into<String>,
        next: impl Into<String>,
    ) {
        let finding = self.made(Severity::Warning, round, id, what, next);
        self.0.push(finding);
    }

    /// A finding in the session's own file.
    pub(super) fn made(
        &self,
        severity: Severity,
        round: Option<u32>,
        id: Option<ArtifactId>,
        what: impl Into<String>,
        next: impl Into<String>,
    ) -> Finding {
        let (session, file) = match &self.1 {
            Some(place) => (Some(place.session.clone()), place.file.clone()),
            None => (None, PathBuf::new()),
        };
        Finding { severity, session, file, line: None, round, id, what: what.into(), next: next.into() }
    }

    /// A tape that does not fit.
    pub(super) fn tape(&mut self, file: &Path, line: Option<u32>, what: String) {
        let next = "run `s2s session verify` to see where the record breaks";
        let finding = self.made(Severity::Error, None, None, what, next);
        self.0.push(Finding { file: file.to_owned(), line, ..finding });
    }

    /// What was asked beside the record does not hold; the record itself is not touched by that.
    pub(super) fn beside(&mut self, file: &Path, line: Option<u32>, what: String) {
        let next = "restore asides.jsonl from a backup, or put it away: minutes and tape do without it";
        let finding = self.made(Severity::Error, None, None, what, next);
        self.0.push(Finding { file: file.to_owned(), line, ..finding });
    }

    /// Gives every finding in the session's own file its line.
    pub(super) fn find_lines(&mut self) {
        let Some(place) = &self.1 else { return };
        let here = |finding: &&mut Finding| finding.line.is_none() && finding.file == place.file;
        if !self.0.iter_mut().any(|finding| here(&finding)) {
            return;
        }
        let Ok(text) = std::fs::read_to_string(&place.file) else { return };
        for finding in self.0.iter_mut().filter(here) {
            finding.line = line_in(&text, finding.round, finding.id);
        }
    }

    /// Files as seen from the project's folder; by session, then round, then place. Sessions that cannot be read come
    /// first: much of the rest may follow from them.
    pub(super) fn within(&mut self, root: &Path, unread: &[(String, String)]) {
        for finding in &mut self.0 {
            if let Ok(inside) = finding.file.strip_prefix(root) {
                finding.file = inside.to_owned();
            }
        }
        let is_read = |finding: &Finding| !unread.iter().any(|(id, _)| Some(id) == finding.session.as_ref());
        self.0.sort_by(|a, b| (&a.session, a.round, &a.file, a.line).cmp(&(&b.session, b.round, &b.file, b.line)));
        self.0.sort_by_key(is_read);
    }
}

/// How many ids are named where many are meant.
const NAMED: usize = 5;

/// What to do about ids that a session may hold that cannot be read.
pub(in crate::register) const READ_FIRST: &str = "restore the sessions that cannot be read, then look again";

/// The first of these ids, and how many more there are.
pub(in crate::register) fn some_of(ids: impl IntoIterator<Item = ArtifactId>) -> String {
    let mut names: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
    if names.len() > NAMED {
        let more = names.split_off(NAMED).len();
        names.push(format!("{more} more"));
    }
    names.join(", ")
}

/// That ids are in no session that can be read.
pub(in crate::register) fn not_here(ids: &BTreeSet<ArtifactId>) -> String {
    let are = if ids.len() == 1 { "is" } else { "are" };
    format!("{} {are} in no session that can be read", some_of(ids.iter().copied()))
}

/// The line of an artifact's record in a round, else of the round.
pub(super) fn line_in(text: &str, round: Option<u32>, id: Option<ArtifactId>) -> Option<u32> {
    let round = round?;
    let start = line_of_round(text, round)?;
    let end = line_of_round(text, round + 1).filter(|end| *end > start).unwrap_or(u32::MAX);
    let Some(id) = id else { return Some(start) };
    let named = format!("id: {id}");
    let own = (1..).zip(text.lines()).skip(start as usize).take_while(|(line, _)| *line < end);
    let record = own.into_iter().find(|(_, content)| {
        content.trim_start().trim_start_matches("- ").replace(['"', '\''], "").trim_end() == named
    });
    Some(record.map_or(start, |(line, _)| line))
}
