//! What the server needs of whoever embeds it: a place where sessions are held.
//! Given wishes and rulings; hands on runs that last as long as the call. Deliberately absent: how a table is set,
//! which settings hold and where keys come from.

use std::fmt;
use std::sync::Arc;

use s2s::Failure;
use s2s::catalog::Catalog;
use s2s::engine::opening::Workflow;
use s2s::engine::record::Ruling;
use s2s::project::Project;
use s2s::roundtable::Interrupt;

/// Holds sessions. Its calls block; each run is called on a thread of its own.
pub trait Hall: Send + Sync + 'static {
    /// The project, which is fixed for as long as the server runs.
    ///
    /// # Errors
    /// If the folder is no project yet.
    fn project(&self) -> Result<Project, Failure>;

    /// The data files in force.
    fn catalog(&self) -> Catalog;

    /// Begins a session and runs it to its end or its next pause.
    ///
    /// # Errors
    /// If it could not begin, or the run failed.
    fn begin(&self, wish: Wish, stage: Stage) -> Result<(), Failure>;

    /// Takes a session up and runs it, first with a ruling for the escalation of this id, if one is given.
    ///
    /// # Errors
    /// If it could not be taken up, or the run failed.
    fn go_on(&self, id: &str, ruling: Option<(String, Ruling)>, stage: Stage) -> Result<(), Failure>;

    /// Whether agents may answer in a person's place.
    ///
    /// # Errors
    /// If the settings cannot be read.
    fn permission(&self) -> Result<Permission, Failure>;
}

/// Whether agents may answer in a person's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// The person's own settings allow it.
    Granted,
    /// They do not.
    Withheld,
    /// Only the project allows it, which does not count; with the place.
    OnlyByProject(String),
}

/// What is to be put to the table. Empty values are not set.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// The workflow whose command it is; none = a plain roundtable.
    pub workflow: Option<Workflow>,
    /// The question.
    pub topic: String,
    /// The strategy's name.
    pub strategy: String,
    /// Names of roles.
    pub participants: Vec<String>,
    /// The most rounds; 0 = as the settings say.
    pub max_rounds: i64,
    /// The finished session that it goes on from.
    pub from: String,
    /// What the calling agent tells the panel, besides the project's own context.
    pub context: String,
}

/// The link between a run and the server: what stops the run, and whom it tells that it stands.
#[derive(Clone)]
pub struct Stage {
    /// Stops the run.
    pub interrupt: Interrupt,
    /// What the calling agent tells the panel.
    pub context: Option<Arc<str>>,
    begun: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Stage {
    pub(crate) fn new(interrupt: Interrupt, context: &str, begun: impl Fn(&str) + Send + Sync + 'static) -> Self {
        let context = Some(context.trim()).filter(|text| !text.is_empty()).map(Arc::from);
        Self { interrupt, context, begun: Arc::new(begun) }
    }

    /// The session of this id is under lock and about to run.
    pub fn begun(&self, id: &str) {
        (self.begun)(id);
    }
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage").field("interrupt", &self.interrupt).finish_non_exhaustive()
    }
}
