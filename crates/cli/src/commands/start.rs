//! `s2s roundtable start`: puts a topic to the panel; and the beginning that every other way to start shares.
//! Given what was typed, or a wish; sets the table, looks after the session that may be open (S5), and runs the
//! new one. Everything that can be wrong with the request is found before anything is written. Deliberately
//! absent: where each part of the request comes from (`opening.rs`, `work.rs`), and the run (`run.rs`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use s2s::Failure;
use s2s::clean::clean_line;
use s2s::config::FlagValue;
use s2s::convene::{Convened, Request, convene};
use s2s::engine::opening::{HUMAN, Opening, OutputType, Workflow};
use s2s::engine::slug::session_id;
use s2s::linked::same_subject;
use s2s::panel::Participant;
use s2s::project;
use s2s::prompts::Charter;
use s2s::register::ProjectRegister;
use s2s::store::{Held, Keeper, Minutes, Panel as PanelKind, Sessions, Status, StoreError};

use super::keeping::Keeps;
use super::{conversation, forecast, names, opening, prompts, resume};
use crate::args::{Sitting, Start};
use crate::asking::{self, Choice};
use crate::chair::Seated;
use crate::console::Console;
use crate::flags::RunFlags;
use crate::run::{self, Backstage, Table};
use crate::seating::{self, Seating};
use crate::workplace::{Workplace, here, shown};

/// How often an id is chosen anew when others are faster.
const MOST_TRIES: usize = 20;

/// Starts a session.
pub fn start(typed: &Start, console: &Console) -> Result<u8, Failure> {
    let console = &run::console_for(console, &typed.sitting.run, typed.sitting.verbose);
    let workflow: Workflow = typed.workflow_type.parse().unwrap_or_default();
    let Some(said) = conversation::said(&typed.topic, &typed.sitting, workflow, false, console)? else { return Ok(0) };
    let sitting = &*said.sitting;
    let checked = opening::topic(&said.topic)?;
    let sides = opening::sides(sitting)?;
    let workplace = workplace(sitting, workflow, &[], console)?;
    let mut notes = checked.notes;
    let strategy = opening::strategy(&checked.topic, &workplace, sitting.run.yes, console, &mut notes)?;
    let wish = Wish {
        sitting,
        topic: checked.topic,
        workflow,
        strategy,
        sides,
        output_type: typed.output_type.as_deref().and_then(|word| word.parse().ok()),
        notes,
        keeps: None,
        parent: typed.parent.clone(),
        reopens: typed.reopens.clone(),
    };
    begin(wish, &workplace, console)
}

/// What is put to the table.
pub struct Wish<'a> {
    /// The flags of every beginning.
    pub sitting: &'a Sitting,
    /// The topic, checked.
    pub topic: String,
    /// The kind of work.
    pub workflow: Workflow,
    /// The strategy's name.
    pub strategy: String,
    /// The seats for the proposal and those against it, if named.
    pub sides: (Vec<String>, Vec<String>),
    /// The document asked for.
    pub output_type: Option<OutputType>,
    /// What to know about all this.
    pub notes: Vec<String>,
    /// What a session that keeps artifacts is begun with; none = it keeps none.
    pub keeps: Option<Keeps>,
    /// The session it goes on from, where that hands on nothing.
    pub parent: Option<String>,
    /// The decision record that is put to the panel again.
    pub reopens: Option<String>,
}

/// The project here under the flags of a beginning and some more, with every name in it known.
pub fn workplace(
    sitting: &Sitting,
    workflow: Workflow,
    more: &[FlagValue<'_>],
    console: &Console,
) -> Result<Workplace, Failure> {
    let cwd = here()?;
    opening::names("--participants", sitting.participants.as_deref())?;
    let project = opening::project(&cwd, sitting, console)?;
    let seats_key = format!("roundtable.participants.{workflow}");
    // Names are in lower case; `Debate` can only mean one of them.
    let strategy = sitting.strategy.as_ref().map(|name| name.to_lowercase());
    let run_flags = RunFlags::of(&sitting.run)?;
    let mut flags = opening::flags(sitting, strategy.as_deref(), &seats_key);
    flags.extend(run_flags.values());
    flags.extend_from_slice(more);
    let workplace = Workplace::open(cwd, project, &flags)?;
    refuse_strangers(&workplace, workflow)?;
    Ok(workplace)
}

/// Sets the table and runs the session.
pub fn begin(wish: Wish<'_>, workplace: &Workplace, console: &Console) -> Result<u8, Failure> {
    let (sitting, config) = (wish.sitting, &workplace.settings.config);
    let mut notes = workplace.settings.notes.clone();
    notes.extend(wish.notes);
    let parent = wish.keeps.as_ref().and_then(|keeps| keeps.parent.as_ref());
    let without = parent.map(|parent| parent.id.as_str()).or(wish.parent.as_deref());
    notes.extend(decided_before(&wish.topic, without, workplace)?);
    opening::where_it_belongs(&wish.topic, &workplace.project, console)?;
    let told = sitting.run.served.as_ref().and_then(|stage| stage.context.as_deref());
    let context = opening::context(&workplace.project, &sitting.context, told, parent, &mut notes)?;
    let participants = config.participants(wish.workflow);
    let people: Vec<Participant> =
        sitting.human.iter().map(|text| Participant::read(text)).collect::<Result<_, Failure>>()?;
    notes.extend(named_like_a_role(&people, workplace));
    let seating = seated(sitting, participants, &people, notes, workplace, console)?;
    let now = run::now();
    let id = workplace.sessions.free_id(&session_id(now, &wish.topic));
    let request = Request {
        id: &id,
        topic: &wish.topic,
        workflow: wish.workflow,
        strategy: &wish.strategy,
        participants,
        people: &people,
        pro: &wish.sides.0,
        con: &wish.sides.1,
        output_type: wish.output_type,
        context: &context.text,
        register: wish
            .keeps
            .as_ref()
            .map(|keeps| keeps.register(&workplace.sessions, wish.workflow, None))
            .transpose()?,
        parent: without,
    };
    let mut convened = convene(request, &workplace.catalog, config, &*seating.panel)?;
    if sitting.show_prompts {
        return prompts::show(&convened, console);
    }
    let guarded = seating.panel.kind() == PanelKind::Models && !sitting.run.allow_secrets;
    let held_back = if guarded { look_for_secrets(sitting, &convened, workplace) } else { Ok(()) };
    if sitting.dry_run {
        return dry_run(&convened, &seating, held_back, console);
    }
    held_back?;
    let backstage = Backstage::ready(workplace, &sitting.run, console)?;
    let replaced = match look_after_open(sitting, workplace, console)? {
        After::Resume(open) => {
            return resume::go_on(&open, workplace, backstage, &sitting.run, console, resume::Given::default());
        }
        After::Start { replaced } => replaced,
    };
    let note = run::panel_note(&seating.panel.note(), wish.keeps.as_ref().is_some_and(|keeps| keeps.skips));
    // What was read above may be old by now: the numbers that count are chosen while nobody else can choose any.
    let numbers = wish.keeps.as_ref().map(|_| workplace.sessions.lock_numbers()).transpose()?;
    if let Some(keeps) = &wish.keeps {
        let archived = replaced.as_ref().map(|held| held.minutes().id());
        convened.opening.register = Some(keeps.register(&workplace.sessions, wish.workflow, archived)?);
    }
    let make = |opening: &Opening| -> Result<Minutes, Failure> {
        let mut minutes = Minutes::new(opening, now, seating.panel.kind(), &note, &context.source)?;
        wish.reopens.as_ref().map(|record| minutes.set_reopens(record)).transpose()?;
        Ok(minutes)
    };
    let held = create(&mut convened.opening, &workplace.sessions, make)?;
    if let Some(open) = replaced {
        // Only once the new session stands: if it could not be made, the open one is as it was.
        archive(*open, sitting, console)?;
    }
    drop(numbers);
    run_new(held, convened.charter, seating, backstage, sitting, workplace, console)
}

/// What to know where a person is called like a role: the name alone gives no trade.
fn named_like_a_role(people: &[Participant], workplace: &Workplace) -> Vec<String> {
    let plain = people.iter().filter(|person| person.role == HUMAN && workplace.catalog.role(&person.id).is_ok());
    plain
        .map(|Participant { id, name, .. }| {
            format!("{name} is a person's name here, without a trade. For a person with that role: --human NAME:{id}")
        })
        .collect()
}

/// Everybody at the table, and what is to be told about them.
fn seated(
    sitting: &Sitting,
    participants: &[String],
    people: &[Participant],
    mut notes: Vec<String>,
    workplace: &Workplace,
    console: &Console,
) -> Result<Seating, Failure> {
    let seating = seating::seat(workplace, participants, console)?;
    let desk = run::desk(&sitting.run, Some(seating.panel.kind()), BTreeMap::new(), workplace, console);
    let mut seating = seating.with_people(people.iter().map(|person| person.id.clone()).collect(), desk);
    seating.again.push_str(&RunFlags::again(&sitting.run));
    seating.models_again = RunFlags::models_again(&sitting.run);
    seating.notes.append(&mut notes);
    seating.notes.extend(run::nobody_to_ask(workplace.settings.config.roundtable.interactive, console));
    Ok(seating)
}

/// Makes the session, under the next free id where another process took this one in the same second.
fn create(
    opening: &mut Opening,
    sessions: &Sessions,
    make: impl Fn(&Opening) -> Result<Minutes, Failure>,
) -> Result<Held, Failure> {
    let asked = opening.id.clone();
    for _ in 0..MOST_TRIES {
        match sessions.create(make(opening)?) {
            Err(StoreError::Exists { .. }) => opening.id = sessions.free_id(&asked),
            made => return Ok(made?),
        }
    }
    Ok(sessions.create(make(opening)?)?)
}

/// Past decisions on the same subject, in a line each; the one that this session goes on from is known.
fn decided_before(topic: &str, without: Option<&str>, workplace: &Workplace) -> Result<Vec<String>, Failure> {
    let register = ProjectRegister::read(&workplace.sessions)?;
    let records = workplace.project.root.join(&workplace.settings.config.docs.decisions);
    let past = same_subject(&register, &records, topic, without);
    Ok(past.into_iter().map(|line| format!("Decided before on this subject: {line}")).collect())
}

/// Runs a session that was just made.
fn run_new(
    held: Held,
    charter: Charter,
    seating: Seating,
    backstage: Backstage,
    sitting: &Sitting,
    workplace: &Workplace,
    console: &Console,
) -> Result<u8, Failure> {
    let table = Table { held, charter, seating, budgets: None, words: Vec::new(), resumed: false, joined: false };
    let policy = run::policy(&sitting.run, console, workplace);
    let policy_name = run::policy_name(&sitting.run);
    let attended = console.attended && !sitting.run.yes;
    let guarded = table.seating.panel.kind() == PanelKind::Models && !sitting.run.allow_secrets;
    let chair = Seated { policy, policy_name, attended, guarded, ..Seated::default() };
    run::hold(table, backstage, workplace, console, chair)
}

/// Stops where the settings name what is not there.
fn refuse_strangers(workplace: &Workplace, workflow: Workflow) -> Result<(), Failure> {
    let strangers = names::unknown(&workplace.settings, &workplace.catalog, &[workflow]);
    if strangers.is_empty() { Ok(()) } else { Err(Failure::in_files(strangers)) }
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
fn look_for_secrets(sitting: &Sitting, convened: &Convened, workplace: &Workplace) -> Result<(), Failure> {
    let own = project::context_files(&workplace.project)?;
    let own = own.iter().map(|path| shown(&workplace.cwd, path).into());
    let files: Vec<PathBuf> = own.chain(sitting.context.iter().cloned()).collect();
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
fn look_after_open(sitting: &Sitting, workplace: &Workplace, console: &Console) -> Result<After, Failure> {
    let sessions = &workplace.sessions;
    if sitting.run.served.is_some() {
        // The current session is the command line's.
        return Ok(After::Start { replaced: None });
    }
    let Some(current) = sessions.current()? else { return Ok(After::Start { replaced: None }) };
    if !sessions.minutes_path(&current).exists() {
        console.note(&format!("The current session {current} is gone; it is forgotten."));
        return Ok(After::Start { replaced: None });
    }
    let archives = sitting.new || sitting.run.yes;
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
    if let Some(holder) = sessions.holder(&current)? {
        let who = holder.pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"));
        if archives {
            // Sessions can run beside each other: each has its own lock, and its own numbers to give.
            console.note(&format!(
                "Session {current} is being driven by {who} and is left to it; this session runs beside it."
            ));
            return Ok(After::Start { replaced: None });
        }
        return Err(Failure::failed(format!("session {current} is being driven by {who}"))
            .next(format!("wait until it ends (s2s session status {current}), or hold another beside it: add --new")));
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
    let held = match sessions.open(&current) {
        // Taken up this very moment: it is not ours to put away.
        Err(StoreError::Locked { .. }) if archives => return Ok(After::Start { replaced: None }),
        held => held?,
    };
    // It may have ended while the person was thinking; what is complete stays complete.
    let replaced = is_open(held.minutes().status()).then(|| Box::new(held));
    Ok(After::Start { replaced })
}

/// Puts the open session away; what it was, why it went and how it comes back is said (S5).
fn archive(mut open: Held, sitting: &Sitting, console: &Console) -> Result<(), Failure> {
    let mut minutes = open.minutes().clone();
    let id = minutes.id().to_owned();
    let (status, workflow, rounds) = (minutes.status(), minutes.workflow(), minutes.total_rounds());
    let rounds = if rounds == 1 { "1 round".to_owned() } else { format!("{rounds} rounds") };
    let why = match (sitting.new, sitting.run.yes) {
        (true, _) => "--new starts anew",
        (false, true) => "--yes starts anew",
        (false, false) => "you chose to start anew",
    };
    minutes.close(run::now(), "person", Some("a new session was started"))?;
    open.save(minutes)?;
    console.note(&format!(
        "Archived, because {why}: the {status} {workflow} session {id} \"{}\", {rounds}. Nothing of it is lost; take it \
         up again: s2s roundtable resume {id}{}",
        clean_line(open.minutes().topic()),
        seating::script_named(open.minutes())
    ));
    Ok(())
}

fn is_open(status: Status) -> bool {
    matches!(status, Status::Active | Status::Paused)
}
