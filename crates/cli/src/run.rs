//! Runs a session that is on the table, from here to its end or its next pause.
//! Given a held session, its panel and a chair; hands on the exit code. Starting, resuming and answering
//! all come here. Deliberately absent: how the session came to the table, and every rule of it.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use jiff::Timestamp;
use s2s::clean::clean_line;
use s2s::documents::living::Edit;
use s2s::documents::{Shelf, Templates};
use s2s::engine::record::{Escalation, InterventionKind, RulingChoice};
use s2s::engine::{Session, Unattended};
use s2s::forecast::forecast;
use s2s::panel::{Panel, Wrote};
use s2s::prompts::Charter;
use s2s::roundtable::{Audience, Budgets, Ended, Interrupter, Notice, Paused, Roundtable, Surroundings, Word};
use s2s::store::{Held, Keeper, Panel as PanelKind};
use s2s::{Failure, FailureKind};
use s2s_mcp::Stage;

use crate::args;
use crate::asking;
use crate::chair::Seated;
use crate::commands::docs::{self, Wish};
use crate::commands::reopen;
use crate::console::{Console, width};
use crate::context_file;
use crate::desk::{Desk, Means};
use crate::flags;
use crate::screen::{Bearings, Expected, JsonLines, Kept, Plain, Style, keys};
use crate::seating::Seating;
use crate::signals::{self, Listening};
use crate::way;
use crate::workplace::{Workplace, shown, up_to};

/// How much of an answer is shown where it is only recalled, in characters.
const SHORT: usize = 120;

/// How the note of a session that asks nobody begins.
const NOBODY_ASKED: &str = "No seat was asked: drawn from CONTEXT.md.";

/// The note on the panel; `skips` = nobody is asked but the facilitator.
pub fn panel_note(note: &str, skips: bool) -> String {
    if skips { format!("{NOBODY_ASKED} {note}").trim_end().to_owned() } else { note.to_owned() }
}

/// A session with everything it needs to run.
pub struct Table {
    /// The session, under lock.
    pub held: Held,
    /// Its texts; for a session whose tape holds them, those hold (S7).
    pub charter: Charter,
    /// Who answers.
    pub seating: Seating,
    /// Budgets that hold for this run instead of the session's own.
    pub budgets: Option<Budgets>,
    /// What people said with the command, for the first moment between two rounds.
    pub words: Vec<Word>,
    /// Whether it was taken up again.
    pub resumed: bool,
    /// Whether this run asks after each round, whatever the session was begun with.
    pub joined: bool,
}

/// What must be ready before a session is made or touched.
pub struct Backstage {
    shelf: Shelf,
    listening: Listening,
    runtime: tokio::runtime::Runtime,
    /// The server that runs it: nobody sits at a terminal, and the command line's current session stays as it is (S5).
    served: Option<Stage>,
}

impl Backstage {
    /// Checks where documents go, listens for signals or the server, and starts the runtime.
    pub fn ready(workplace: &Workplace, run: &args::Run, console: &Console) -> Result<Self, Failure> {
        let templates = Templates::of(&workplace.catalog)?;
        let shelf = Shelf::new(&workplace.project.root, &workplace.settings.config, templates)?;
        let asks = *console;
        // Whoever leaves the question keeps their text.
        let settle = move |edits: &[Edit]| docs::settled(edits, &Wish::default(), &asks).unwrap_or_default();
        let warn = move |failure: &Failure| asks.note(&docs::warning(failure));
        let shelf = shelf.with_living(docs::rack(workplace)?, workplace.sessions.clone(), settle, warn);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::failed(format!("cannot start the runtime: {error}")))?;
        let listening = match &run.served {
            Some(stage) => signals::heard_by(stage.interrupt.clone()),
            None => signals::listen()?,
        };
        Ok(Self { shelf, listening, runtime, served: run.served.clone() })
    }
}

/// Now, to the millisecond: finer digits only make the minutes harder to read.
pub fn now() -> Timestamp {
    let exact = Timestamp::now();
    Timestamp::from_millisecond(exact.as_millisecond()).unwrap_or(exact)
}

/// What to know where a session asks after each round, and there is nobody to ask.
pub fn nobody_to_ask(interactive: bool, console: &Console) -> Option<String> {
    let nobody = interactive && !console.attended;
    nobody.then(|| "Nobody can be asked after each round without a terminal; the run goes on.".to_owned())
}

/// What is done with an escalation without asking; none = a person is asked (E9).
pub fn policy(run: &args::Run, console: &Console, workplace: &Workplace) -> Option<Unattended> {
    let flag = run.on_escalation.as_deref().and_then(|word| word.parse().ok());
    let configured = workplace.settings.config.roundtable.escalation.on_escalation.as_str().parse().ok();
    match flag {
        Some(policy) => Some(policy),
        None if run.yes => Some(Unattended::Accept),
        None if console.attended => None,
        None => configured.or(Some(Unattended::Pause)),
    }
}

/// Where people with a seat answer, with what they gave in the command.
pub fn desk(
    run: &args::Run,
    panel: Option<PanelKind>,
    given: BTreeMap<String, Wrote>,
    workplace: &Workplace,
    console: &Console,
) -> Desk {
    let absent = workplace.settings.config.roundtable.escalation.on_absent;
    let guarded = panel == Some(PanelKind::Models) && !run.allow_secrets;
    Desk::new(Means { console: *console, absent, guarded, given })
}

/// What a policy's ruling is by, as a person would name it.
pub fn policy_name(run: &args::Run) -> String {
    match &run.on_escalation {
        Some(word) => format!("--on-escalation {word}"),
        None if run.yes => "--yes".to_owned(),
        None => "`on_escalation` in the settings".to_owned(),
    }
}

/// Runs the session; the exit code where the screen has said all, else a failure to report.
pub fn hold(
    table: Table,
    backstage: Backstage,
    workplace: &Workplace,
    console: &Console,
    mut chair: Seated,
) -> Result<u8, Failure> {
    let id = table.held.minutes().id().to_owned();
    let Seating { panel, mut notes, again, models_again, desk } = table.seating;
    let warning = unfinished(&table.held, workplace);
    let note = panel_note(&panel.note(), table.held.minutes().panel_note().starts_with(NOBODY_ASKED));
    let has_models = panel.kind() == PanelKind::Models;
    let expected = if has_models { expected(&table.held, &table.charter, &*panel) } else { None };
    let clock = Arc::new(now);
    let (mut roundtable, answers_kept) = match table.resumed {
        true => Roundtable::take_up(table.held, table.charter, panel, clock)?,
        false => (Roundtable::begin(table.held, table.charter, panel, clock)?, 0),
    };
    if let Some(budgets) = table.budgets {
        roundtable.set_budgets(budgets)?;
    }
    roundtable.put_words(table.words);
    roundtable.join(table.joined);
    let Backstage { shelf, listening, runtime, served } = backstage;
    stands(&id, served.as_ref(), workplace)?;
    notes.extend(kept_answers(roundtable.session()));
    let bearings = Bearings {
        up: up_to(&workplace.cwd, &workplace.project.root),
        again: format!("{again}{models_again}"),
        with_another_model: if has_models { format!("{again} --model PROVIDER:MODEL") } else { String::new() },
        ruled_by: chair.policy_name.clone(),
        menu_follows: console.attended && chair.policy.is_none() && chair.given.is_none(),
        pause_told: !console.terminal,
        onward: onward(roundtable.session()),
        ..Bearings::default()
    };
    let changes = chair.given.as_ref().is_some_and(|ruling| ruling.choice == RulingChoice::AcceptContext);
    let screen = match served {
        Some(_) => Screen::Nobody,
        None => Screen::new(&watched(console, workplace), &roundtable, bearings.clone(), expected),
    };
    let Listening { interrupt, interrupter, at_editor } = listening;
    if let Some(desk) = &desk {
        let people = roundtable.session().opening().seats.iter().filter(|seat| seat.is_human()).count();
        desk.place(at_editor, workplace.sessions.minutes_path(&id).with_extension(""), people > 1);
    }
    let mut audience = Watching { screen, console, changes, interrupter };
    audience.notice(&started(&roundtable, note, table.resumed, answers_kept));
    if table.resumed {
        audience.notice(&roundtable.spent().told());
    }
    for text in notes {
        audience.notice(&Notice::Noted { text });
    }
    warning.into_iter().for_each(|text| audience.notice(&Notice::Warned { text }));
    let mut around = Surroundings { audience: &mut audience, chair: &mut chair, scribe: &shelf, interrupt };
    let ended = runtime.block_on(roundtable.run(&mut around));
    // A name that is still being looked up must not hold the end.
    runtime.shutdown_background();
    let left = chair.was_left() || desk.as_ref().is_some_and(Desk::was_left);
    desk.iter().for_each(Desk::close);
    match audience.screen.broken() {
        None => {}
        Some(io::ErrorKind::BrokenPipe) if matches!(ended, Ok(Ended::Paused(Paused::Interrupted))) => {
            console.note("Nobody reads the output any more, so the run was stopped as by Ctrl-C.");
        }
        Some(_) => {
            console.note(&format!("The output could not be written; the session went on. See it: s2s show {id}"))
        }
    }
    let code = closed(ended, roundtable.session(), workplace, console, left, &bearings);
    // How the session ended matters more than what follows from it.
    let followed = reopen::follow(&id, workplace, console);
    let code = code.and_then(|code| followed.map(|()| code));
    if !chair.for_context_file.is_empty() {
        // How the session ended matters more than a file that a person can mend by hand.
        let added = context_file::append(&workplace.project.dir, &id, &chair.for_context_file);
        return code.and_then(|code| added.map(|()| code));
    }
    code
}

/// Says that the session stands: a server to its clients, the command line to its next command (S5).
fn stands(id: &str, served: Option<&Stage>, workplace: &Workplace) -> Result<(), Failure> {
    match served {
        Some(stage) => stage.begun(id),
        None => workplace.sessions.set_current(Some(id))?,
    }
    Ok(())
}

/// That the tape ended in the middle of a line, where it did.
fn unfinished(held: &Held, workplace: &Workplace) -> Option<String> {
    let torn = held.torn()?;
    let moved = torn.moved_to.as_ref().map(|path| format!("; it was set aside as {}", shown(&workplace.cwd, path)));
    let moved = moved.unwrap_or_default();
    Some(format!("Line {} of the tape was unfinished ({} bytes){moved}.", torn.line, torn.bytes))
}

/// What follows a session that keeps artifacts; a free discussion is not on the way from an idea to a plan.
pub fn onward(session: &Session) -> Option<(String, &'static str)> {
    let opening = session.opening();
    opening.register.as_ref().map(|_| way::after(opening.workflow, &opening.id))
}

/// The console as the settings want it watched.
fn watched(console: &Console, workplace: &Workplace) -> Console {
    let live = console.style.live && workplace.settings.config.roundtable.live;
    if !live {
        // Whoever wants nothing that moves does not want menus that do.
        asking::in_lines();
    }
    Console { style: Style { live, ..console.style }, ..*console }
}

/// What the session is expected to cost, where every price is known.
fn expected(held: &Held, charter: &Charter, panel: &dyn Panel) -> Option<Expected> {
    // A table that cannot be forecast can be held all the same.
    let told = forecast(&held.minutes().opening().ok()?, charter, panel).ok().filter(|told| told.priced)?;
    Some(Expected { likely_usd: told.likely.cost_usd, most_usd: told.most.cost_usd })
}

/// What is left to do and to say when a run is over.
fn closed(
    ended: Result<Ended, Failure>,
    session: &Session,
    workplace: &Workplace,
    console: &Console,
    left: bool,
    bearings: &Bearings,
) -> Result<u8, Failure> {
    let id = session.opening().id.as_str();
    match ended {
        Ok(Ended::Completed(_)) => {
            // Another session may have become the current one meanwhile; that is not ours to clear.
            if workplace.sessions.current()?.as_deref() == Some(id) {
                workplace.sessions.set_current(None)?;
            }
            match spent(session) {
                Some(budget) => said(out_of_budget(id, budget), console),
                None => Ok(0),
            }
        }
        Ok(Ended::Paused(Paused::ByPerson)) if !left => Ok(0),
        Ok(Ended::Paused(paused)) => said(paused_failure(id, &paused, left, bearings), console),
        Err(failure) if failure.next.is_none() => {
            let again = &bearings.again;
            Err(failure.next(format!("what was answered is kept; go on with: s2s roundtable resume {id}{again}")))
        }
        Err(failure) => Err(failure),
    }
}

/// At a terminal the screen has just said it; in a pipe standard error must say why the code is not 0.
pub fn said(failure: Failure, console: &Console) -> Result<u8, Failure> {
    if console.terminal && !console.json { Ok(failure.kind.exit_code()) } else { Err(failure) }
}

/// What the budget said, where it is what ended the session (D2).
pub fn spent(session: &Session) -> Option<&str> {
    let stop = session.interventions().iter().find(|done| done.kind == InterventionKind::Budget)?;
    Some(stop.text.as_deref().unwrap_or("Reached the budget"))
}

/// The failure of a session that a budget ended.
pub fn out_of_budget(id: &str, text: &str) -> Failure {
    let what = format!("session {id} ended early: {text}");
    let next =
        "to discuss for longer, start anew with a larger budget (--max-cost, --max-calls, --max-tokens, --max-minutes)";
    Failure { kind: FailureKind::Budget, ..Failure::failed(what).next(next) }
}

/// The failure of a session that waits: its kind is the exit code.
pub fn paused_failure(id: &str, paused: &Paused, left: bool, bearings: &Bearings) -> Failure {
    let reason = paused.to_string();
    let again = bearings.flags_after(&reason);
    let kind = match paused {
        _ if left => FailureKind::Interrupted,
        Paused::ForRuling(_) | Paused::ForPeople(_) => FailureKind::NeedsPerson,
        Paused::NobodyAnswered(_) => FailureKind::NoAnswer,
        Paused::OverBudget(_) => FailureKind::Budget,
        Paused::ByPerson | Paused::Interrupted => FailureKind::Interrupted,
    };
    let next = match paused {
        Paused::ForRuling(escalation) => format!("s2s roundtable answer {id}{again} {}", answers(escalation)),
        Paused::ForPeople(people) if !left => answer_as(id, again, people.first().map_or("NAME", |seat| seat)),
        Paused::OverBudget(text) => {
            format!("raise the budget: s2s roundtable resume {id}{}", flags::raised(again, text))
        }
        _ => format!("s2s roundtable resume {id}{again}"),
    };
    Failure { kind, ..Failure::failed(format!("session {id}: {reason}")).next(next) }
}

/// The command with which a person answers.
pub fn answer_as(id: &str, again: &str, person: &str) -> String {
    let person = crate::screen::shell(person);
    format!(
        "s2s roundtable answer {id}{again} --as {person} --file FILE (without --file it prints the form to fill in)"
    )
}

/// The flags that can answer an escalation, with bars between them.
pub fn answers(escalation: &Escalation) -> String {
    let flags: Vec<&str> = escalation.options.iter().map(|choice| flag(*choice)).collect();
    flags.join(" | ")
}

fn flag(choice: RulingChoice) -> &'static str {
    match choice {
        RulingChoice::Accept => "--accept",
        RulingChoice::Decide => "--decide \"TEXT\"",
        RulingChoice::Continue => "--continue N",
        RulingChoice::AcceptContext => "--accept-context",
        RulingChoice::KeepContext => "--keep-context",
        RulingChoice::Discuss => "--discuss N",
    }
}

/// The answers of the open round that are not asked for again, in short (L7).
fn kept_answers(session: &Session) -> Vec<String> {
    if session.people_missing().next().is_some() {
        // A person is still to answer, and answers blind (H1).
        return match session.responses().count() {
            0 => Vec::new(),
            answered => vec![format!(
                "{} answered already; their words are shown once everybody has.",
                if answered == 1 { "1 seat has".to_owned() } else { format!("{answered} seats have") }
            )],
        };
    }
    let kept = session.responses().map(|(seat, response)| {
        let position = clean_line(&response.position);
        let short: String = position.chars().take(SHORT).collect();
        let more = if short.len() < position.len() { "…" } else { "" };
        format!("{seat} has answered already ({:.2}): {short}{more}", response.confidence)
    });
    kept.collect()
}

/// Whoever watches, and what is said besides the screens.
struct Watching<'a> {
    screen: Screen,
    console: &'a Console,
    /// Whether the ruling that was given changes the context.
    changes: bool,
    /// Stops the run when nobody is left to see it: it would go on paying.
    interrupter: Arc<Interrupter>,
}

impl Audience for Watching<'_> {
    fn reads_along(&self) -> bool {
        self.screen.reads_along()
    }

    fn notice(&mut self, notice: &Notice) {
        self.screen.notice(notice);
        if self.screen.broken() == Some(io::ErrorKind::BrokenPipe) {
            self.interrupter.stop();
        }
        // Told only now that the ruling is in the minutes.
        if self.changes && matches!(notice, Notice::EscalationSettled { .. }) {
            self.changes = false;
            self.console.note("The session's context changes from here on; CONTEXT.md stays as it is.");
        }
    }
}

/// What is watched on: by people or by programs.
enum Screen {
    People(Box<Plain<io::Stdout>>),
    Programs(JsonLines<io::Stdout>),
    /// A server's clients, who follow the session's files.
    Nobody,
}

impl Screen {
    fn new(console: &Console, roundtable: &Roundtable<Held>, bearings: Bearings, expected: Option<Expected>) -> Self {
        // From here on time passes in which nothing is asked.
        keys::answered();
        match console.json {
            true => {
                let next = bearings.onward.map(|(command, _)| command);
                Self::Programs(JsonLines::new(io::stdout()).leading_to(next))
            }
            false => {
                let rounds = roundtable.session().rounds();
                let plain = Plain::new(io::stdout(), console.style).recalling(rounds).bearing(bearings);
                let plain = plain.ruled(roundtable.session().escalations());
                let plain = if console.terminal { plain.resizing(width) } else { plain };
                let kept = roundtable.session().responses().map(|(seat, response)| Kept {
                    seat: seat.to_string(),
                    confidence: response.confidence,
                    position: response.position.clone(),
                });
                let plain = plain.expecting(expected).keeping(kept.collect());
                Self::People(Box::new(plain))
            }
        }
    }

    /// Why nothing can be written any more.
    fn broken(&self) -> Option<io::ErrorKind> {
        match self {
            Self::People(plain) => plain.broken(),
            Self::Programs(lines) => lines.broken(),
            Self::Nobody => None,
        }
    }
}

impl Audience for Screen {
    fn reads_along(&self) -> bool {
        match self {
            Self::People(plain) => plain.reads_along(),
            Self::Programs(lines) => lines.reads_along(),
            Self::Nobody => false,
        }
    }

    fn notice(&mut self, notice: &Notice) {
        match self {
            Self::People(plain) => plain.notice(notice),
            Self::Programs(lines) => lines.notice(notice),
            Self::Nobody => {}
        }
    }
}

fn started(roundtable: &Roundtable<Held>, panel_note: String, resumed: bool, answers_kept: usize) -> Notice {
    let opening = roundtable.session().opening();
    Notice::SessionStarted {
        session: opening.id.clone(),
        topic: opening.topic.clone(),
        strategy: opening.settings.method.name.clone(),
        workflow: opening.workflow.to_string(),
        participants: opening.seats.iter().map(|seat| seat.name.clone()).collect(),
        panel_note,
        resumed,
        rounds_held: roundtable.session().rounds().len(),
        answers_kept,
    }
}

/// The console of a run: the flags of the command over those of the terminal.
pub fn console_for(console: &Console, run: &args::Run, verbose: bool) -> Console {
    let style = Style { quiet: run.quiet, verbose: verbose && !run.quiet, ..console.style };
    Console { style, ..*console }
}
