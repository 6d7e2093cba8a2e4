//! The desk at the terminal: where people with a seat write their answers (H1 to H3).
//! Given what a person is asked; hands on what they wrote: in place, in their editor, or given with the command. One
//! person at a time; the screen shows nothing of the others meanwhile, which the run sees to. Deliberately absent: what
//! stands in a form (`s2s::panel`), and the run.

mod editor;

use std::collections::BTreeMap;
use std::future::ready;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use s2s::config::OnAbsent;
use s2s::engine::reply::{Choice as Cast, Response, Vote};
use s2s::panel::{self, Sheet, Writing, Wrote, read_form, written};
use s2s::{Failure, FailureKind};

use crate::asking::{self, Choice};
use crate::commands::opening::secret_in;
use crate::console::Console;
use crate::screen;

/// The place of "No vote" among the votes.
const NO_VOTE: usize = 3;

/// A desk that can be handed around.
#[derive(Clone)]
pub struct Desk(Arc<Place>);

/// What a desk is set up with.
pub struct Means {
    /// Where is spoken.
    pub console: Console,
    /// What becomes of a seat whose person cannot be asked.
    pub absent: OnAbsent,
    /// Whether what is written goes to models, and must hold no secret.
    pub guarded: bool,
    /// Answers that came with the command, by seat.
    pub given: BTreeMap<String, Wrote>,
}

struct Place {
    means: Means,
    given: Mutex<BTreeMap<String, Wrote>>,
    /// There is one chair.
    turn: tokio::sync::Mutex<()>,
    left: AtomicBool,
    run: OnceLock<Run>,
}

/// What a desk knows of its run.
struct Run {
    /// Set while an editor has the terminal: keys that mean a signal are the editor's then.
    at_editor: Arc<AtomicBool>,
    /// Where a form lies while it is filled in.
    folder: PathBuf,
    /// Whether several people share this terminal.
    shared: bool,
}

/// How a person would like to answer.
#[derive(Clone, Copy)]
enum Way {
    Here,
    Editor,
    Pass,
}

impl Desk {
    /// A desk with these means.
    pub fn new(mut means: Means) -> Self {
        let given = Mutex::new(std::mem::take(&mut means.given));
        let turn = tokio::sync::Mutex::new(());
        Self(Arc::new(Place { means, given, turn, left: AtomicBool::new(false), run: OnceLock::new() }))
    }

    /// Puts it into a run: where forms lie, and who must know that an editor is open.
    pub fn place(&self, at_editor: Arc<AtomicBool>, folder: PathBuf, shared: bool) {
        // A desk serves one run.
        let _ = self.0.run.set(Run { at_editor, folder, shared });
    }

    /// Whether a person left with Ctrl-C or Esc.
    pub fn was_left(&self) -> bool {
        self.0.left.load(Ordering::Relaxed)
    }

    /// Gives the terminal back as it was, should a question still be open on it.
    pub fn close(&self) {
        if self.0.means.console.attended {
            // Where nothing was changed there is nothing to undo.
            let _ = crossterm::terminal::disable_raw_mode();
        }
    }
}

impl panel::Desk for Desk {
    fn ask(&self, sheet: Sheet) -> Writing {
        let place = Arc::clone(&self.0);
        let given = place.given.lock().unwrap_or_else(PoisonError::into_inner).remove(&sheet.seat);
        if let Some(wrote) = given {
            return Box::pin(ready(wrote));
        }
        if !place.means.console.attended {
            return Box::pin(ready(match place.means.absent {
                OnAbsent::Pause => Wrote::Later,
                OnAbsent::Pass => Wrote::Pass,
            }));
        }
        Box::pin(async move {
            let _turn = place.turn.lock().await;
            if place.left.load(Ordering::Relaxed) {
                return Wrote::Later;
            }
            let sits = Arc::clone(&place);
            // On a thread of its own: the models are asked meanwhile.
            tokio::task::spawn_blocking(move || sits.sit_down(&sheet)).await.unwrap_or(Wrote::Later)
        })
    }
}

impl Place {
    /// Asks the person who sits down; whoever leaves is asked again later.
    fn sit_down(&self, sheet: &Sheet) -> Wrote {
        let console = &self.means.console;
        // The table is not drawn over what somebody writes, between two questions either.
        let _mine = screen::hush();
        let apart = self.run.get().is_some_and(|run| run.shared) && console.style.live;
        if apart {
            // A screen of its own: what one person writes is gone before the next one looks.
            let _ = console.print("\x1b[?1049h\x1b[H");
        }
        let wrote = self.asked(sheet);
        if apart {
            let _ = console.print("\x1b[?1049l");
        }
        match wrote {
            Ok(wrote) => {
                let said = match wrote {
                    Wrote::Answer(_) => "Your answer is in.",
                    Wrote::Pass | Wrote::Later => "No response from you in this round.",
                };
                let said = format!("{said} The others are shown once everybody has answered.");
                let _ = console.print(&screen::folded(&said, &console.style_now()));
                wrote
            }
            Err(failure) => {
                if failure.kind != FailureKind::Interrupted {
                    console.note(&failure.what);
                }
                self.left.store(true, Ordering::Relaxed);
                Wrote::Later
            }
        }
    }

    fn asked(&self, sheet: &Sheet) -> Result<Wrote, Failure> {
        let console = &self.means.console;
        if self.run.get().is_some_and(|run| run.shared) {
            let ready = format!("Only {} should look now. Ready?", sheet.name);
            while !asking::confirm(&ready, true)? {}
        }
        console.print(&format!("\n{}\n", screen::sheet(sheet, &console.style_now())))?;
        self.answered(sheet)
    }

    fn way(&self, sheet: &Sheet) -> Result<Wrote, Failure> {
        let editor = editor::name();
        let choices = vec![
            Choice::new(Way::Here, "Answer here, in a few lines"),
            Choice::new(Way::Editor, format!("Write it in your editor ({editor})")),
            Choice::new(Way::Pass, "Give no response in this round"),
        ];
        match asking::choose("How would you like to answer?", choices)? {
            Way::Here => self.here(sheet),
            Way::Editor => self.in_editor(sheet, &editor),
            Way::Pass => Ok(Wrote::Pass),
        }
    }

    /// Asks how to answer, and again where that does not work: a program that is not there gives no answer away.
    fn answered(&self, sheet: &Sheet) -> Result<Wrote, Failure> {
        loop {
            match self.way(sheet) {
                Err(failure) if failure.kind != FailureKind::Interrupted => {
                    let next = failure.next.map(|next| format!("; {next}")).unwrap_or_default();
                    self.means.console.note(&format!("{}{next}", failure.what));
                }
                wrote => return wrote,
            }
        }
    }

    fn doubt(&self) -> fn(&str) -> Option<String> {
        if self.means.guarded { secret_in } else { |_: &str| None }
    }

    /// Asks for each part in a line.
    fn here(&self, sheet: &Sheet) -> Result<Wrote, Failure> {
        let doubt = self.doubt();
        let position = asking::text_or_pass("Your position:", "leave it empty to give no response", doubt)?;
        if position.is_empty() {
            return Ok(Wrote::Pass);
        }
        let lines = |text: String| if text.is_empty() { Vec::new() } else { vec![text] };
        let rationale = lines(asking::text_or_pass("Why?", "may be left empty", doubt)?);
        let confidence = asking::share("How sure are you, from 0 to 1?", 0.7)?;
        let concerns = lines(asking::text_or_pass("What worries you about it?", "may be left empty", doubt)?);
        let mut votes = BTreeMap::new();
        for (id, point) in &sheet.ballot {
            let vote = |cast: Cast, label: &'static str| Choice::new(Some(cast), label);
            let choices = vec![
                vote(Cast::Support, "Support: I can defend it"),
                vote(Cast::StandAside, "Stand aside: I can live with it"),
                vote(Cast::Block, "Block: it must not go through like this"),
                Choice::new(None, "No vote"),
            ];
            let question = format!("{id}: {}", s2s::clean::clean_line(point));
            // Enter alone carries nothing: a vote is meant.
            let Some(choice) = asking::choose_from(&question, choices, NO_VOTE)? else { continue };
            let reason = match choice {
                Cast::Block => Some(asking::text("Why, and what would lift it?", "", doubt)?),
                _ => None,
            };
            votes.insert(id.clone(), Vote { choice, reason });
        }
        let answer = Response { position, rationale, confidence, concerns, votes, ..Response::default() };
        Ok(Wrote::Answer(written(answer)))
    }

    /// Opens the editor on the form, and again while it cannot be read.
    fn in_editor(&self, sheet: &Sheet, editor: &str) -> Result<Wrote, Failure> {
        let Some(run) = self.run.get() else { return Ok(Wrote::Later) };
        let file = run.folder.join(format!("answer-r{}-{}.txt", sheet.round, sheet.seat));
        let mut wrong: Option<(String, String)> = None;
        loop {
            let before = wrong.as_ref().map(|(text, why)| (text.as_str(), why.as_str()));
            let form = panel::form(sheet, before);
            let Some(text) = editor::open(editor, &file, &form, &run.at_editor)? else {
                self.means.console.note("The editor was left with an error: that is no response.");
                return Ok(Wrote::Pass);
            };
            let read = read_form(&text, sheet).and_then(|answer| match (self.doubt())(&text) {
                Some(doubt) => Err(doubt),
                None => Ok(answer),
            });
            match read {
                Ok(answer) => {
                    editor::discard(&file);
                    return Ok(answer.map_or(Wrote::Pass, |answer| Wrote::Answer(written(answer))));
                }
                Err(why) => {
                    self.means.console.note(&format!("This could not be used: {why}"));
                    if !asking::confirm("Open the editor again?", true)? {
                        return Ok(Wrote::Pass);
                    }
                    wrong = Some((text, why));
                }
            }
        }
    }
}
