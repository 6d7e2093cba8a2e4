//! `s2s roundtable resume`: goes on with a session.
//! Given an id or its start, or nothing; takes the session up where its record ends (L7). A session of the
//! original plugin is given the project's settings first. Deliberately absent: the run (`run.rs`).

use std::collections::BTreeMap;

use s2s::Failure;
use s2s::config::Layer;
use s2s::convene::adopt;
use s2s::engine::record::Ruling;
use s2s::panel::Wrote;
use s2s::prompts::Charter;
use s2s::roundtable::{Budgets, Word};
use s2s::secrets;
use s2s::store::{ContextGiven, Held, Keeper, Minutes, Panel as PanelKind, Sessions, Status, validate};
use serde_json::Value;

use super::{keeping, opening};
use crate::args::{Resume, Run};
use crate::chair::Seated;
use crate::console::Console;
use crate::desk::Desk;
use crate::flags::RunFlags;
use crate::run::{self, Backstage, Table};
use crate::seating;
use crate::workplace::{Workplace, here, project_at};

/// Goes on with a session.
pub fn resume(typed: &Resume, console: &Console) -> Result<u8, Failure> {
    let console = &run::console_for(console, &typed.run, typed.verbose);
    let workplace = workplace(&typed.run)?;
    let id = open_one(&workplace.sessions, typed.id.as_deref())?;
    let words = words(typed)?;
    let said = words.iter().map(|word| match word {
        Word::Say(text) | Word::Ask { question: text, .. } => text.as_str(),
        Word::Continue | Word::Skip | Word::Pause => "",
    });
    if workplace.sessions.read(&id)?.panel() == Some(PanelKind::Models) && !typed.run.allow_secrets {
        opening::refuse_found(said.flat_map(|text| secrets::scan("what you say", text)).collect())?;
    }
    let backstage = Backstage::ready(&workplace, &typed.run, console)?;
    let given = Given { words, joins: typed.interactive, ..Given::default() };
    go_on(&id, &workplace, backstage, &typed.run, console, given)
}

/// What is said to the table, then what is asked, in the order typed.
fn words(typed: &Resume) -> Result<Vec<Word>, Failure> {
    let mut words = Vec::new();
    for text in &typed.say {
        if text.trim().is_empty() {
            return Err(Failure::bad_input("--say needs words").next("--say \"what the table must think of\""));
        }
        words.push(Word::Say(text.clone()));
    }
    for text in &typed.ask {
        let parts = text.split_once('=').map(|(seat, question)| (seat.trim(), question.trim()));
        let Some((seat, question)) = parts.filter(|(seat, question)| !seat.is_empty() && !question.is_empty()) else {
            return Err(Failure::bad_input(format!("--ask \"{text}\" is not of the form SEAT=TEXT"))
                .next("for example: --ask qa-lead=\"What would you test first?\""));
        };
        words.push(Word::Ask { seat: seat.to_owned(), question: question.to_owned() });
    }
    Ok(words)
}

/// The project here, under the flags of a run.
pub fn workplace(run: &Run) -> Result<Workplace, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    Workplace::open(cwd, project, &RunFlags::of(run)?.values())
}

/// The session that is meant: by id, else the current one, else the only one that can go on.
pub fn open_one(sessions: &Sessions, asked: Option<&str>) -> Result<String, Failure> {
    if let Some(asked) = asked {
        return Ok(sessions.resolve(asked)?);
    }
    if let Some(current) = sessions.current()? {
        return Ok(sessions.resolve(&current)?);
    }
    let mut rows = sessions.list()?;
    rows.retain(|row| row.problem.is_none());
    // Archived is what a person set aside: it is taken up by its name alone.
    let archived = rows.iter().rfind(|row| row.status == Some(Status::Archived)).map(|row| row.id.clone());
    rows.retain(|row| matches!(row.status, Some(Status::Active | Status::Paused)));
    match rows.as_slice() {
        [] => Err(nothing_open(archived)),
        [one] => Ok(one.id.clone()),
        several => {
            let ids: Vec<&str> = several.iter().map(|row| row.id.as_str()).collect();
            Err(Failure::bad_input(format!("several sessions can go on: {}", ids.join(", ")))
                .next("name one: s2s roundtable resume ID"))
        }
    }
}

fn nothing_open(archived: Option<String>) -> Failure {
    let failure = Failure::bad_input("no session can go on");
    match archived {
        Some(id) => failure.next(format!("take up the one that was archived last: s2s roundtable resume {id}")),
        None => failure.next("`s2s roundtable list` shows all sessions"),
    }
}

/// What came with the command.
#[derive(Default)]
pub struct Given {
    /// A ruling, with the id of the escalation that it is for.
    pub ruling: Option<(String, Ruling)>,
    /// What people say between two rounds.
    pub words: Vec<Word>,
    /// Answers of people, by seat.
    pub answers: BTreeMap<String, Wrote>,
    /// Whether to ask after each round, whatever the session was begun with.
    pub joins: bool,
}

/// Takes a session up and runs it, first with what came with the command.
pub fn go_on(
    id: &str,
    workplace: &Workplace,
    backstage: Backstage,
    run: &Run,
    console: &Console,
    given: Given,
) -> Result<u8, Failure> {
    let held = workplace.sessions.open(id)?;
    let waits = held.minutes().pending().map(|pending| pending.id.as_str());
    if let Some((escalation, _)) = given.ruling.as_ref().filter(|(escalation, _)| waits != Some(escalation.as_str())) {
        // Another process was faster; this ruling must not settle the next escalation.
        return Err(Failure::failed(format!("{escalation} of session {id} was settled meanwhile"))
            .next(format!("see what holds now: s2s show {id}")));
    }
    refuse_flawed(held.minutes())?;
    let desk = run::desk(run, held.minutes().panel(), given.answers, workplace, console);
    let mut table = table(held, desk, workplace, console)?;
    table.words = given.words;
    table.joined = given.joins;
    table.seating.notes.extend(run::nobody_to_ask(given.joins, console));
    table.seating.again.push_str(&RunFlags::again(run));
    table.seating.models_again = RunFlags::models_again(run);
    let guarded = table.seating.panel.kind() == PanelKind::Models && !run.allow_secrets;
    if guarded {
        let minutes = table.held.minutes();
        opening::refuse_secrets(minutes.topic(), &minutes.context().text, &table.charter, &[])?;
    }
    let policy = run::policy(run, console, workplace);
    let given = given.ruling.map(|(_, ruling)| ruling);
    let policy_name = run::policy_name(run);
    let attended = console.attended && !run.yes;
    let chair = Seated { given, policy, policy_name, attended, guarded, ..Seated::default() };
    run::hold(table, backstage, workplace, console, chair)
}

/// A record that does not hold together is not gone on with: what would follow could not be trusted.
fn refuse_flawed(minutes: &Minutes) -> Result<(), Failure> {
    let id = minutes.id();
    // The plugin's outcomes may have a shape of their own: what counts is that something stands there.
    let has_outcome = minutes.document().get("outcome").is_some_and(says_something);
    if has_outcome && minutes.status() != Status::Completed {
        return Err(Failure::failed(format!("session {id} has an outcome, but its status is {}", minutes.status()))
            .next(format!("see what is wrong with its file: s2s session validate {id}")));
    }
    let findings: Vec<String> = validate(minutes).iter().map(|finding| format!("\n- {finding}")).collect();
    if findings.is_empty() {
        return Ok(());
    }
    Err(Failure::failed(format!("session {id} does not hold together:{}", findings.concat()))
        .next(format!("mend or restore its file; check it: s2s session validate {id}")))
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => items.iter().any(says_something),
        Value::Object(fields) => fields.values().any(says_something),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// The budgets of the session, with those that flags set for this run; none where no flag does.
fn raised(held: &Held, workplace: &Workplace) -> Option<Budgets> {
    let kept = held.minutes().settings()?.limits;
    let now = &workplace.settings.config.roundtable.limits;
    let typed = |name: &str| {
        let origin = workplace.settings.origin(&format!("roundtable.limits.{name}"));
        origin.is_some_and(|origin| origin.layer == Layer::Flag)
    };
    let (cost, calls) = (typed("max_cost_usd"), typed("max_calls"));
    let (tokens, minutes) = (typed("max_tokens"), typed("max_minutes"));
    let budgets = Budgets {
        usd: if cost { now.max_cost_usd } else { kept.max_cost_usd },
        calls: if calls { now.max_calls } else { kept.max_calls },
        tokens: if tokens { now.max_tokens } else { kept.max_tokens },
        minutes: if minutes { now.max_minutes } else { kept.max_minutes },
    };
    (cost || calls || tokens || minutes).then_some(budgets)
}

/// A held session with everything it needs.
fn table(mut held: Held, desk: Desk, workplace: &Workplace, console: &Console) -> Result<Table, Failure> {
    let id = held.minutes().id().to_owned();
    if held.minutes().status() == Status::Completed {
        return Err(Failure::bad_input(format!("session {id} is complete; there is nothing to go on with"))
            .next(format!("see it: s2s show {id}")));
    }
    let mut seating = seating::seat_again(workplace, held.minutes(), desk, console)?;
    if held.minutes().status() == Status::Archived {
        // Until it is active again, another process might choose the numbers that it would give next.
        let _numbers = held.minutes().register().map(|_| workplace.sessions.lock_numbers()).transpose()?;
        keeping::refuse_taken(&workplace.sessions, held.minutes())?;
        let mut minutes = held.minutes().clone();
        // One that was closed while paused wakes from its pause: what failed then is asked again.
        match minutes.paused_at() {
            Some(at) => minutes.set_status(Status::Paused, at),
            None => minutes.set_status(Status::Active, run::now()),
        }
        held.save(minutes)?;
        seating.notes.push("The session was archived; it is active again.".to_owned());
    }
    let interactive = held.minutes().settings().is_some_and(|settings| settings.interactive);
    seating.notes.extend(run::nobody_to_ask(interactive, console));
    let mut charter = Charter::on_tape(&held.tape()?.lines);
    if held.minutes().is_legacy() {
        let mut notes = Vec::new();
        let context = opening::context(&workplace.project, &[], None, None, &mut notes)?;
        let context = ContextGiven { source: context.source, text: context.text, changes: Vec::new() };
        let config = &workplace.settings.config;
        let (adoption, texts) = adopt(held.minutes(), &workplace.catalog, config, &*seating.panel, context)?;
        let mut minutes = held.minutes().clone();
        minutes.adopt(adoption)?;
        held.save(minutes)?;
        charter.get_or_insert(texts);
        seating.notes.push(
            "This session was written by the plugin, without digests. It goes on with the project's settings; \
             digests start with the next round."
                .to_owned(),
        );
        seating.notes.append(&mut notes);
    }
    let charter = match charter {
        Some(charter) => charter,
        // The tape is gone: the texts in force now have to do.
        None => {
            let context = held.minutes().context().clone();
            let config = &workplace.settings.config;
            adopt(held.minutes(), &workplace.catalog, config, &*seating.panel, context)?.1
        }
    };
    let budgets = raised(&held, workplace);
    Ok(Table { held, charter, seating, budgets, words: Vec::new(), resumed: true, joined: false })
}
