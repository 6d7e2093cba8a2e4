//! The table as a server sets it: the command line's own ways to begin and to go on, with nobody at a terminal.
//! Given wishes and rulings of clients; hands on runs. The project is that of the folder in which the server was
//! started. Deliberately absent: the protocol, threads, and any flag that a client could set beyond its wish.

use std::path::PathBuf;

use s2s::Failure;
use s2s::catalog::Catalog;
use s2s::config::Layer;
use s2s::engine::opening::Workflow;
use s2s::engine::record::Ruling;
use s2s::project::{self, Project};
use s2s::secrets;
use s2s::store::Panel as PanelKind;
use s2s_mcp::{Hall, Permission, Stage, Wish};

use super::resume::{self, Given};
use super::{opening, start, work};
use crate::args::{Brainstorm, Design, Run, Sitting, Specs, Start, Work};
use crate::console::Console;
use crate::run::Backstage;
use crate::workplace;

/// The setting that lets agents answer.
const MAY_ANSWER: &str = "roundtable.escalation.agents_may_answer";

/// Holds the sessions of the folder in which the server was started.
pub struct Table {
    cwd: PathBuf,
    console: Console,
}

impl Table {
    pub fn new(cwd: PathBuf, console: Console) -> Self {
        Self { cwd, console }
    }
}

impl Hall for Table {
    fn project(&self) -> Result<Project, Failure> {
        project::find(&self.cwd).ok_or_else(|| {
            Failure::bad_input(format!("{} is not an s2s project", self.cwd.display())).next(
                "ask the person to run `s2s init` in the project's folder, or to start the server there (s2s mcp --project DIR)",
            )
        })
    }

    fn catalog(&self) -> Catalog {
        workplace::catalog(project::find(&self.cwd).as_ref())
    }

    fn begin(&self, wish: Wish, stage: Stage) -> Result<(), Failure> {
        self.project()?;
        let Wish { workflow, topic, strategy, participants, max_rounds, from, .. } = wish;
        let given = |text: String| Some(text).filter(|text| !text.trim().is_empty());
        let topic: Vec<String> = given(topic).into_iter().collect();
        if topic.is_empty() && !matches!(workflow, Some(Workflow::Specs | Workflow::Design)) {
            return Err(
                Failure::bad_input("there is no topic").next("give the question in `topic`, in a sentence or two")
            );
        }
        let sitting = Sitting {
            strategy: given(strategy),
            participants: Some(participants.join(",")).filter(|_| !participants.is_empty()),
            max_rounds: Some(max_rounds).filter(|rounds| *rounds > 0).map(|rounds| rounds.to_string()),
            run: served(stage),
            ..Sitting::default()
        };
        let console = &self.console;
        let Some(workflow) = workflow else {
            let workflow_type = Workflow::Brainstorm.to_string();
            return start::start(&Start { topic, workflow_type, sitting, ..Start::default() }, console).map(|_| ());
        };
        let work = Work { topic, from: given(from), sitting, session: None };
        match workflow {
            Workflow::Specs => work::specs(&Specs { work, ..Specs::default() }, console),
            Workflow::Design => work::design(&Design { work, ..Design::default() }, console),
            Workflow::Brainstorm => work::brainstorm(&Brainstorm { work }, console),
        }
        .map(|_| ())
    }

    fn go_on(&self, id: &str, ruling: Option<(String, Ruling)>, stage: Stage) -> Result<(), Failure> {
        self.project()?;
        let run = served(stage);
        let workplace = resume::workplace(&run)?;
        let said = ruling.as_ref().and_then(|(_, ruling)| ruling.text.as_deref()).unwrap_or_default();
        if workplace.sessions.read(id)?.panel() == Some(PanelKind::Models) {
            opening::refuse_found(secrets::scan("the answer", said))?;
        }
        let backstage = Backstage::ready(&workplace, &run, &self.console)?;
        resume::go_on(id, &workplace, backstage, &run, &self.console, Given { ruling, ..Given::default() }).map(|_| ())
    }

    fn permission(&self) -> Result<Permission, Failure> {
        let project = project::find(&self.cwd);
        let settings = workplace::settings(&self.cwd, project.as_ref(), &[])?;
        if !settings.config.roundtable.escalation.agents_may_answer {
            return Ok(Permission::Withheld);
        }
        // Whoever wrote the project's file is not the one whose place is taken.
        Ok(match settings.origin(MAY_ANSWER) {
            Some(origin) if origin.layer == Layer::Project => Permission::OnlyByProject(origin.place()),
            _ => Permission::Granted,
        })
    }
}

fn served(stage: Stage) -> Run {
    Run { served: Some(stage), ..Run::default() }
}
