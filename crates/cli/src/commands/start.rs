//! `s2s roundtable start`: puts a topic to the panel.
//! Given what was typed; sets the table, looks after the session that may be open (S5), and runs the new
//! one. Everything that can be wrong with the request is found before anything is written. Deliberately
//! absent: where each part of the request comes from (`opening.rs`), and the run (`run.rs`).

use std::path::PathBuf;

use s2s::Failure;
use s2s::convene::{Convened, Request, convene};
use s2s::engine::opening::{OutputType, Workflow};
use s2s::engine::slug::session_id;
use s2s::project;
use s2s::store::{Held, Keeper, Minutes, Panel as PanelKind, Status};

use super::{forecast, names, opening, prompts, reopen, resume};
use crate::args::Start;
use crate::asking::{self, Choice};
use crate::chair::Seated;
use crate::console::Console;
use crate::flags::RunFlags;
use crate::run::{self, Backstage, Table};
use crate::seating::{self, Seating};
use crate::workplace::{Workplace, here, shown};

/// Starts a session.
pub fn start(typed: &Start, console: &Console) -> Result<u8, Failure> {
    let console = &run::console_for(console, &typed.run, typed.verbose);
    let cwd = here()?;
    let checked = opening::topic(typed, console)?;
    let workflow: Workflow = typed.workflow_type.parse().unwrap_or_default();
    let output_type: Option<OutputType> = typed.output_type.as_deref().and_then(|word| word.parse().ok());
    let (pro, con) = (opening::names("--pro", typed.pro.as_deref())?, opening::names("--con", typed.con.as_deref())?);
    opening::names("--participants", typed.participants.as_deref())?;
    let project = opening::project(&cwd, typed, console)?;
    let seats_key = format!("roundtable.participants.{workflow}");
    // Names are in lower case; `Debate` can only mean one of them.
    let strategy = typed.strategy.as_ref().map(|name| name.to_lowercase());
    let run_flags = RunFlags::of(&typed.run)?;
    let mut flags = opening::flags(typed, strategy.as_deref(), &seats_key);
    flags.extend(run_flags.values());
    let workplace = Workplace::open(cwd, project, &flags)?;
    let config = &workplace.settings.config;

    refuse_strangers(&workplace, workflow)?;
    let mut notes = reopen::notes(typed, &checked, &workplace);
    let strategy = opening::strategy(&checked.topic, &workplace, typed.run.yes, console, &mut notes)?;
    opening::where_it_belongs(&checked.topic, &workplace.project, console)?;
    let context = opening::context(&workplace.project, &typed.context, &mut notes)?;
    let mut seating = seating::seat(&workplace, config.participants(workflow), console)?;
    seating.again.push_str(&RunFlags::again(&typed.run));
    seating.models_again = RunFlags::models_again(&typed.run);
    seating.notes.append(&mut notes);
    if config.roundtable.interactive && !console.attended {
        seating.notes.push("Nobody can be asked after each round without a terminal; the run goes on.".to_owned());
    }
    let now = run::now();
    let id = workplace.sessions.free_id(&session_id(now, &checked.topic));
    let request = Request {
        id: &id,
        topic: &checked.topic,
        workflow,
        strategy: &strategy,
        participants: config.participants(workflow),
        pro: &pro,
        con: &con,
        output_type,
        context: &context.text,
        register: None,
        parent: typed.parent.as_deref(),
    };
    let convened = convene(request, &workplace.catalog, config, &*seating.panel)?;
    if typed.show_prompts {
        return prompts::show(&convened, console);
    }
    let guarded = seating.panel.kind() == PanelKind::Models && !typed.run.allow_secrets;
    let held_back = if guarded { look_for_secrets(typed, &convened, &workplace) } else { Ok(()) };
    if typed.dry_run {
        return dry_run(&convened, &seating, held_back, console);
    }
    held_back?;
    let backstage = Backstage::ready(&workplace)?;
    let replaced = match look_after_open(typed, &workplace, console)? {
        After::Resume(open) => return resume::go_on(&open, &workplace, backstage, &typed.run, console, None),
        After::Start { replaced } => replaced,
    };
    let Convened { opening, charter } = convened;
    let panel = &seating.panel;
    let minutes = Minutes::new(&opening, now, panel.kind(), &panel.note(), &context.source)?;
    let held = workplace.sessions.create(minutes)?;
    if let Some(open) = replaced {
        // Only once the new session stands: if it could not be made, the open one is as it was.
        archive(*open, console)?;
    }
    let table = Table { held, charter, seating, budgets: None, resumed: false };
    let policy = run::policy(&typed.run, console, &workplace);
    let policy_name = run::policy_name(&typed.run);
    let attended = console.attended && !typed.run.yes;
    let chair = Seated { policy, policy_name, attended, guarded, ..Seated::default() };
    run::hold(table, backstage, &workplace, console, chair)
}

/// Stops where the settings name what is not there.
fn refuse_strangers(workplace: &Workplace, workflow: Workflow) -> Result<(), Failure> {
    let strangers = names::unknown(&workplace.settings, &workplace.catalog, &[workflow]);
    let lines: Vec<String> = strangers.iter().map(ToString::to_string).collect();
    if lines.is_empty() { Ok(()) } else { Err(Failure::bad_input(lines.join("\n"))) }
}

/// The forecast, with what would keep the run itself from being sent.
fn dry_run(
    convened: &Convened,
    seating: &Seating,
    held_back: Result<(), Failure>,
    console: &Console,
) -> Result<u8, Failure> {
    if let Err(failure) = held_back {
        console.note(&format!("The run itself would stop: {}", failure.what));
    }
    forecast::show(convened, &*seating.panel, console)
}

/// Stops before anything is sent that looks like a secret; the files it may stand in are looked through for its place.
fn look_for_secrets(typed: &Start, convened: &Convened, workplace: &Workplace) -> Result<(), Failure> {
    let own = project::context_files(&workplace.project).map_err(Failure::bad_input)?;
    let own = own.iter().map(|path| shown(&workplace.cwd, path).into());
    let files: Vec<PathBuf> = own.chain(typed.context.iter().cloned()).collect();
    let Convened { opening, charter } = convened;
    opening::refuse_secrets(&opening.topic, &opening.context, charter, &files)
}

/// What follows from a look at the session that may be open.
enum After {
    /// A new session may begin, in place of this open one.
    Start {
        /// Held until it is archived, so that nobody takes it up meanwhile.
        replaced: Option<Box<Held>>,
    },
    /// The person would rather go on with this one.
    Resume(String),
}

/// S5: an open session is resumed or archived, never forgotten, and never taken from another process.
fn look_after_open(typed: &Start, workplace: &Workplace, console: &Console) -> Result<After, Failure> {
    let sessions = &workplace.sessions;
    let Some(current) = sessions.current()? else { return Ok(After::Start { replaced: None }) };
    if !sessions.minutes_path(&current).exists() {
        console.note(&format!("The current session {current} is gone; it is forgotten."));
        return Ok(After::Start { replaced: None });
    }
    let archives = typed.new || typed.run.yes;
    let (status, again) = match sessions.read(&current) {
        Ok(minutes) => (minutes.status(), seating::script_named(&minutes)),
        Err(error) if archives => {
            console.note(&format!("The current session is left as it is: {error}"));
            return Ok(After::Start { replaced: None });
        }
        Err(error) => return Err(Failure::from(error).next("or leave it as it is and start anew: add --new")),
    };
    if !is_open(status) {
        return Ok(After::Start { replaced: None });
    }
    if sessions.is_held(&current)? {
        return Err(Failure::failed(format!("session {current} is being driven by another process"))
            .next("wait for it, or stop it; it is not archived while it runs"));
    }
    if !archives && !console.attended {
        return Err(Failure::bad_input(format!("a roundtable session is {status} already: {current}")).next(format!(
            "go on with it: s2s roundtable resume {current}{again}\n        or archive it and start: add --new"
        )));
    }
    if !archives {
        let choices = vec![
            Choice::new(true, format!("Resume it ({status})")),
            Choice::new(false, "Start new and archive it".to_owned()),
        ];
        if asking::choose(&format!("A session is open already: {current}"), choices)? {
            return Ok(After::Resume(current));
        }
    }
    let held = sessions.open(&current)?;
    // It may have ended while the person was thinking; what is complete stays complete.
    let replaced = is_open(held.minutes().status()).then(|| Box::new(held));
    Ok(After::Start { replaced })
}

fn archive(mut open: Held, console: &Console) -> Result<(), Failure> {
    let mut minutes = open.minutes().clone();
    let id = minutes.id().to_owned();
    minutes.close(run::now(), "person", Some("a new session was started"))?;
    open.save(minutes)?;
    console.note(&format!("Archived: {id}. `s2s roundtable resume {id}` takes it up again."));
    Ok(())
}

fn is_open(status: Status) -> bool {
    matches!(status, Status::Active | Status::Paused)
}
