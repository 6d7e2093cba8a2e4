//! `s2s plan`: makes a plan or brings it up to date; lists, shows, closes and checks.
//! Given what was typed; turns it into calls of the library and prints what came of them. Deliberately absent: planning,
//! checks and files, which are the library's, and what the screens look like (`plan_lines.rs`).

use s2s::Failure;
use s2s::config::FlagValue;
use s2s::documents::living::Edit;
use s2s::engine::opening::FACILITATOR;
use s2s::plan::{self, Finding, Made, Plans, Prepared, Request, Weight, document};
use s2s::project::{CONTEXT_FILE, read_context};
use s2s::prompts::Charter;
use s2s::register::ProjectRegister;
use s2s::roundtable::{Budgets, dollars_at_most};
use s2s::store::Panel as PanelKind;
use serde_json::json;

use super::docs::{self, Wish};
use super::opening::refuse_secrets;
use super::plan_lines as lines;
use crate::args::{Plan, PlanCommand};
use crate::console::Console;
use crate::run::now;
use crate::screen::folded;
use crate::seating::models::runtime;
use crate::seating::{self, Seating};
use crate::workplace::{Workplace, here, project_at, shown};

/// Carries out `s2s plan`.
pub fn plan(typed: &Plan, console: &Console) -> Result<u8, Failure> {
    match &typed.what {
        None => make(typed, console),
        Some(PlanCommand::List) => list(console),
        Some(PlanCommand::Show { plan }) => show(plan.as_deref(), console),
        Some(PlanCommand::Close { name, note }) => close(name, note.as_deref(), console),
        Some(PlanCommand::Check) => check(console),
    }
}

fn workplace(typed: Option<&Plan>) -> Result<Workplace, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let given = typed.map(|typed| {
        [
            ("--panel", "panel", typed.panel.as_deref()),
            ("--model", "models.default", typed.model.as_deref()),
            ("--model", "models.facilitator", typed.model.as_deref()),
            ("--max-cost", "roundtable.limits.max_cost_usd", typed.max_cost.as_deref()),
        ]
    });
    let given = given.into_iter().flatten();
    let flags: Vec<FlagValue<'_>> =
        given.filter_map(|(flag, path, text)| Some(FlagValue { flag, path, text: text? })).collect();
    Workplace::open(cwd, project, &flags)
}

fn make(typed: &Plan, console: &Console) -> Result<u8, Failure> {
    let workplace = workplace(Some(typed))?;
    let config = &workplace.settings.config;
    let context = read_context(&workplace.project.dir).map_err(|error| Failure::bad_input(error.to_string()))?;
    let prepared = plan::prepare(Request {
        dir: &workplace.project.dir,
        sessions: &workplace.sessions,
        catalog: &workplace.catalog,
        context: &context.text,
        decisions: &plan::decision_titles(&workplace.project.root.join(&config.docs.decisions)),
        new: typed.new,
    })?;
    let seating = seating::seat(&workplace, &[], console)?;
    if typed.dry_run {
        return preview(&prepared, &seating, console);
    }
    let prompt = prepared.prompt(&[])?;
    if seating.panel.kind() == PanelKind::Models && !typed.allow_secrets {
        let own = shown(&workplace.cwd, &workplace.project.dir.join(CONTEXT_FILE));
        let charter = Charter { roles: [(FACILITATOR.to_owned(), prompt.system.clone())].into(), ..Charter::default() };
        refuse_secrets("", &prompt.user, &charter, &[own.into()])?;
    }
    for note in seating.notes {
        console.note(&note);
    }
    let budgets = Budgets {
        calls: config.roundtable.limits.max_calls,
        usd: config.roundtable.limits.max_cost_usd,
        tokens: config.roundtable.limits.max_tokens,
        minutes: config.roundtable.limits.max_minutes,
    };
    let register = prepared.register().clone();
    let made = runtime()?.block_on(prepared.carry_out(&*seating.panel, budgets, &now))?;
    let document = write_document(&workplace, &register, console)?;
    tell(&made, document.as_deref(), console)
}

fn tell(made: &Made, document: Option<&str>, console: &Console) -> Result<u8, Failure> {
    if console.json {
        let mut value = lines::value(&made.plan);
        value["new"] = json!(made.is_new);
        value["changes"] = json!(made.changes);
        value["doubts"] = json!(made.doubts);
        value["findings"] = json!(made.findings);
        value["document"] = json!(document);
        console.print_json(&value)?;
        return sound(&made.findings, console);
    }
    for doubt in &made.doubts {
        console.note(&format!("Doubt: {doubt}"));
    }
    console.print(&folded(&lines::made(made, document), &console.style))?;
    sound(&made.findings, console)
}

/// Nothing to complain of, or a failure that counts the errors.
fn sound(findings: &[Finding], console: &Console) -> Result<u8, Failure> {
    match findings.iter().filter(|finding| finding.weight == Weight::Error).count() {
        0 => Ok(0),
        _ if console.json => Ok(1),
        1 => Err(Failure::failed("the plan has one error")),
        n => Err(Failure::failed(format!("the plan has {n} errors"))),
    }
}

/// What a run would do; nothing is asked or written.
fn preview(prepared: &Prepared, seating: &Seating, console: &Console) -> Result<u8, Failure> {
    let panel = &seating.panel;
    if panel.kind() == PanelKind::Offline {
        let made = prepared.by_rule(now());
        if !console.json {
            console.print("Nothing was written. ")?;
        }
        return tell(&made, None, console);
    }
    let tokens = prepared.prompt(&[])?.tokens_at_most();
    let (model, most) = (panel.seat_model(FACILITATOR).0, panel.at_most(FACILITATOR, tokens));
    if console.json {
        let value = json!({ "model": model, "input_tokens": tokens, "most_per_call_usd": most.usd, "most_calls": 2 });
        return console.print_json(&value).map(|()| 0);
    }
    let cost = match panel.price(FACILITATOR) {
        Some(_) => format!("up to {} each", dollars_at_most(most.usd)),
        None => "at a price that is not known".to_owned(),
    };
    console.print(&format!(
        "Nobody was asked. A plan takes one call to {model}, two if the first has flaws: {tokens} tokens in, {cost}.\n"
    ))?;
    Ok(0)
}

/// Brings the document up to date; its path below the project.
fn write_document(
    workplace: &Workplace,
    register: &ProjectRegister,
    console: &Console,
) -> Result<Option<String>, Failure> {
    let rack = docs::rack(workplace)?;
    let plans = Plans::new(&workplace.project.dir).all()?;
    let mut settle = |edits: &[Edit]| docs::settled(edits, &Wish::told_after(), console).unwrap_or_default();
    let written = document::write(&rack, &plans, register, &mut settle)?;
    let Some(written) = written else { return Ok(None) };
    docs::about_kept(&written).iter().for_each(|line| console.note(line));
    Ok(written.files.into_iter().next())
}

fn list(console: &Console) -> Result<u8, Failure> {
    let plans = Plans::new(&project_at(&here()?)?.dir).all()?;
    match console.json {
        true => console.print_json(&json!({ "plans": plans.iter().map(lines::row).collect::<Vec<_>>() }))?,
        false => console.print(&folded(&lines::list(&plans), &console.style))?,
    }
    Ok(0)
}

fn show(name: Option<&str>, console: &Console) -> Result<u8, Failure> {
    let plans = Plans::new(&project_at(&here()?)?.dir).all()?;
    let meant = match name {
        None => plan::current(&plans).or(plans.last()).ok_or_else(none_yet)?,
        Some(name) => {
            let id = name.parse::<plan::PlanId>().ok();
            let found = plans.iter().find(|plan| Some(plan.id) == id);
            found.ok_or_else(|| {
                Failure::bad_input(format!("there is no plan \"{name}\"")).next("`s2s plan list` lists the plans")
            })?
        }
    };
    match console.json {
        true => console.print_json(&lines::value(meant))?,
        false => console.print(&folded(&lines::show(meant), &console.style))?,
    }
    Ok(0)
}

fn none_yet() -> Failure {
    Failure::bad_input("there is no plan yet").next("make one: s2s plan")
}

fn close(name: &str, note: Option<&str>, console: &Console) -> Result<u8, Failure> {
    let workplace = workplace(None)?;
    let register = ProjectRegister::read(&workplace.sessions)?;
    register.refuse_gaps()?;
    let closed = plan::close(&Plans::new(&workplace.project.dir), name, note, now())?;
    let document = write_document(&workplace, &register, console)?;
    if console.json {
        let mut value = json!(closed);
        value["document"] = json!(document);
        return console.print_json(&value).map(|()| 0);
    }
    console.print(&lines::closed(&closed, document.as_deref()))?;
    Ok(0)
}

fn check(console: &Console) -> Result<u8, Failure> {
    let workplace = workplace(None)?;
    let plans = Plans::new(&workplace.project.dir).all()?;
    if plans.is_empty() {
        return Err(none_yet());
    }
    let register = ProjectRegister::read(&workplace.sessions)?;
    let findings = plan::check(&plans, &register);
    for (session, why) in &register.unread {
        console.note(&format!("Session {session} cannot be read, so its artifacts seem to be missing: {why}"));
    }
    if console.json {
        let errors = findings.iter().any(|finding| finding.weight == Weight::Error);
        console.print_json(&json!({ "sound": !errors, "findings": findings }))?;
    } else {
        console.print(&folded(&lines::findings(&findings), &console.style))?;
    }
    sound(&findings, console)
}
