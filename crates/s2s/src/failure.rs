//! What a person is shown when something did not work, and the one table from its kind to exit codes.
//! Given errors of every room; hands on one shape: what happened, and what to do next.

use s2s_catalog::{CatalogError, Problem};
use s2s_engine::Misfit;
use s2s_store::{Kind, StoreError};

use crate::panel::ScriptError;
use crate::roundtable::RecallError;

/// Something that did not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Failure {
    /// What sort of failure.
    pub kind: FailureKind,
    /// What happened, and where.
    pub what: String,
    /// What to do next.
    pub next: Option<String>,
    /// The places in files that are to be mended; `what` names them too, a line each. Empty where it is no file's fault.
    pub problems: Vec<Problem>,
}

/// The sorts of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// Something went wrong while doing what was asked.
    Failed,
    /// What was asked cannot be done: flags, config, topic.
    BadInput,
    /// Paused; a person must decide.
    NeedsPerson,
    /// Nobody answered.
    NoAnswer,
    /// A budget was reached.
    Budget,
    /// Interrupted by a signal.
    Interrupted,
}

impl FailureKind {
    /// The exit code of the command line.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Failed => 1,
            Self::BadInput => 2,
            Self::NeedsPerson => 3,
            Self::NoAnswer => 4,
            Self::Budget => 5,
            Self::Interrupted => 130,
        }
    }

    /// The name in JSON output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::BadInput => "bad_input",
            Self::NeedsPerson => "needs_person",
            Self::NoAnswer => "no_answer",
            Self::Budget => "budget",
            Self::Interrupted => "interrupted",
        }
    }
}

impl Failure {
    /// Something went wrong.
    pub fn failed(what: impl Into<String>) -> Self {
        Self { kind: FailureKind::Failed, what: what.into(), next: None, problems: Vec::new() }
    }

    /// What was asked cannot be done.
    pub fn bad_input(what: impl Into<String>) -> Self {
        Self { kind: FailureKind::BadInput, ..Self::failed(what) }
    }

    /// Files that must be mended first.
    pub fn in_files(problems: Vec<Problem>) -> Self {
        let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
        Self { problems, ..Self::bad_input(lines.join("\n")) }
    }

    /// With what to do next.
    pub fn next(self, next: impl Into<String>) -> Self {
        Self { next: Some(next.into()), ..self }
    }
}

impl From<CatalogError> for Failure {
    fn from(error: CatalogError) -> Self {
        match error {
            CatalogError::Bad { problems } => Self::in_files(problems),
            error => Self::bad_input(error.to_string()),
        }
    }
}

impl From<ScriptError> for Failure {
    fn from(error: ScriptError) -> Self {
        Self::in_files(vec![error.into()])
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let what = error.to_string();
        match (&error, error.kind()) {
            (_, Kind::Usage) => Self::bad_input(what),
            // A tape is not written by hand: its lines are as long as prompts, and tell nobody anything.
            (StoreError::Unreadable { path, line, column, what: why }, _)
                if *line > 0 && path.extension().is_some_and(|name| name == "yaml") =>
            {
                let place = Problem::of_file(path.display().to_string(), why.as_str());
                let problems = vec![Problem { line: *line, column: *column, ..place }];
                let next = "nothing was changed; restore the file from a backup or version control";
                Self { problems, ..Self::failed(what).next(next) }
            }
            (StoreError::Locked { id, .. }, _) => Self::failed(what).next(format!("follow it: s2s watch {id}")),
            _ => Self::failed(what),
        }
    }
}

impl From<RecallError> for Failure {
    fn from(error: RecallError) -> Self {
        match error {
            RecallError::Store(error) => error.into(),
            tape => Self::failed(tape.to_string()).next("run `s2s session verify` to see where the record breaks"),
        }
    }
}

impl From<Misfit> for Failure {
    fn from(misfit: Misfit) -> Self {
        Self::failed(format!("the session does not hold together: {misfit}"))
            .next("run `s2s session validate` to see what is wrong with it")
    }
}
