//! `s2s specs`, `s2s design`, `s2s brainstorm`: the way from an idea to an architecture, one session each.
//! Given what was typed; hands on a wish with the workflow's strategy, panel and register to the beginning that
//! `roundtable start` has too. Deliberately absent: setting the table and running it (`start.rs`, `run.rs`).

use std::borrow::Cow;

use s2s::Failure;
use s2s::config::FlagValue;
use s2s::engine::artifact::ArtifactKind;
use s2s::engine::opening::Workflow;
use s2s::linked::hand_on;
use s2s::project;
use s2s::register::ProjectRegister;
use s2s::topic::{Checked, check_topic};

use super::conversation::{self, Said};
use super::keeping::{Existing, Keeps, existing};
use super::start::{Wish, begin, workplace};
use super::{docs, opening, resume};
use crate::args::{Brainstorm, Design, Earlier, Specs, Work};
use crate::console::Console;
use crate::run::{self, Backstage};
use crate::workplace::{Workplace, project_name};

/// The strategy in which nobody but the facilitator is asked.
const DIRECT: &str = "direct";

/// Works out requirements.
pub fn specs(typed: &Specs, console: &Console) -> Result<u8, Failure> {
    let format = typed.format.as_deref();
    let format = format.map(|text| FlagValue { flag: "--format", path: "docs.requirements_format", text });
    work(Workflow::Specs, &typed.work, Some(&typed.earlier), format, console)
}

/// Works out an architecture.
pub fn design(typed: &Design, console: &Console) -> Result<u8, Failure> {
    work(Workflow::Design, &typed.work, Some(&typed.earlier), None, console)
}

/// Gathers ideas.
pub fn brainstorm(typed: &Brainstorm, console: &Console) -> Result<u8, Failure> {
    work(Workflow::Brainstorm, &typed.work, None, None, console)
}

fn work(
    workflow: Workflow,
    typed: &Work,
    earlier: Option<&Earlier>,
    format: Option<FlagValue<'_>>,
    console: &Console,
) -> Result<u8, Failure> {
    let console = &run::console_for(console, &typed.sitting.run, typed.sitting.verbose);
    if let Some(id) = &typed.session {
        return go_on(workflow, id, typed, console);
    }
    // The free discussion has no subject of its own; what is to be built, and how, is about the project.
    let said = match workflow {
        Workflow::Brainstorm => conversation::said(&typed.topic, &typed.sitting, workflow, true, console)?,
        _ => Some(Said { topic: Cow::Borrowed(&typed.topic), sitting: Cow::Borrowed(&typed.sitting) }),
    };
    let Some(said) = said else { return Ok(0) };
    let sitting = &*said.sitting;
    let sides = opening::sides(sitting)?;
    let has_subject = workflow == Workflow::Brainstorm || !said.topic.is_empty();
    let asked = has_subject.then(|| opening::topic(&said.topic)).transpose()?;
    let skips = earlier.is_some_and(|earlier| earlier.skip_roundtable);
    let mut flags: Vec<FlagValue<'_>> = format.into_iter().collect();
    if skips {
        let once = |path| FlagValue { flag: "--skip-roundtable", path, text: "1" };
        flags.extend([once("roundtable.limits.min_rounds"), once("roundtable.limits.max_rounds")]);
    }
    let workplace = &workplace(sitting, workflow, &flags, console)?;
    let Checked { topic, mut notes } = match asked {
        Some(checked) => checked,
        None => about_the_project(workflow, workplace)?,
    };
    if skips {
        refuse_to_invent(workplace)?;
    }
    let register = ProjectRegister::read(&workplace.sessions)?;
    let parent = typed.from.as_deref().map(|id| hand_on(&workplace.sessions, &register, id)).transpose()?;
    let config = &workplace.settings.config;
    let replaces = match existing(&register, workflow, earlier, sitting, console, &mut notes)? {
        Existing::Merge => false,
        Existing::Replace => true,
        Existing::Cancel => {
            console.note("Cancelled; nothing was begun and nothing was changed.");
            return Ok(0);
        }
    };
    let strategy = match skips {
        true => DIRECT,
        false if workplace.settings.strategy_is_named() => &config.roundtable.strategy,
        false => config.strategy_of(workflow),
    };
    let rack = docs::rack(workplace)?;
    rack.check()?;
    let wish = Wish {
        sitting,
        topic,
        workflow,
        strategy: strategy.to_owned(),
        sides,
        output_type: None,
        notes,
        keeps: Some(Keeps { parent, replaces, skips, taken: rack.numbers()? }),
        parent: before(&register, workflow),
        reopens: None,
    };
    begin(wish, workplace, console)
}

/// The session that the newest of what comes before this workflow was made in: requirements before a design, ideas
/// before requirements.
fn before(register: &ProjectRegister, workflow: Workflow) -> Option<String> {
    let kinds: &[ArtifactKind] = match workflow {
        Workflow::Brainstorm => return None,
        Workflow::Specs => &[ArtifactKind::Idea],
        Workflow::Design => &[ArtifactKind::Req, ArtifactKind::Br, ArtifactKind::Nfr, ArtifactKind::Ex],
    };
    let live = register.live().filter(|entry| kinds.contains(&entry.id().kind));
    live.map(|entry| entry.current()).max_by_key(|version| version.at).map(|version| version.session.clone())
}

/// The topic where none is given: the project, as CONTEXT.md or its folder names it.
fn about_the_project(workflow: Workflow, workplace: &Workplace) -> Result<Checked, Failure> {
    let name = project_name(&workplace.project);
    let what = if workflow == Workflow::Design { "Architecture" } else { "Requirements" };
    check_topic(&format!("{what} for {name}")).map_err(|error| Failure::bad_input(error.to_string()))
}

/// Without a discussion there is only the context: one that says nothing leaves nothing to draw from.
fn refuse_to_invent(workplace: &Workplace) -> Result<(), Failure> {
    let standing = read_context(workplace)?.standing;
    match standing {
        project::Standing::Empty | project::Standing::Missing => {
            Err(Failure::bad_input("--skip-roundtable draws from CONTEXT.md alone, and it says nothing yet")
                .next("fill in .s2s/CONTEXT.md, or hold the discussion: leave --skip-roundtable out"))
        }
        project::Standing::Sound | project::Standing::Thin => Ok(()),
    }
}

fn read_context(workplace: &Workplace) -> Result<project::ContextText, Failure> {
    project::read_context(&workplace.project.dir).map_err(|error| Failure::bad_input(error.to_string()))
}

/// `--session`: goes on with one that was begun.
fn go_on(workflow: Workflow, asked: &str, typed: &Work, console: &Console) -> Result<u8, Failure> {
    let run = &typed.sitting.run;
    let workplace = resume::workplace(run)?;
    let id = workplace.sessions.resolve(asked)?;
    let kept = workplace.sessions.read(&id)?.workflow();
    if kept != workflow {
        return Err(Failure::bad_input(format!("session {id} is a {kept} session"))
            .next(format!("go on with it: s2s roundtable resume {id}")));
    }
    resume::go_on(&id, &workplace, Backstage::ready(&workplace, run, console)?, run, console, resume::Given::default())
}
