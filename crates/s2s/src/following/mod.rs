//! Following a session that another process drives: its minutes and its tape, read as they grow.
//! Given the folder of sessions and an id; tells an audience what the driver's own audience was told, from what is on
//! disk. The session's lock is never taken: it is only asked whether somebody has it. Deliberately absent: writing,
//! and pieces of a reply, which are on no disk.

mod telling;

use std::fs;
use std::time::{Duration, SystemTime};

use s2s_engine::Session;
use s2s_engine::opening::SeatId;
use s2s_engine::record::InterventionKind;
use s2s_engine::step::{PauseCause, Step};
use s2s_engine::{counted, next_step};
use s2s_store::{Minutes, Sessions, Status, TapeTail};

use crate::failure::Failure;
use crate::roundtable::{Audience, Ended, Interrupt, Notice, Paused};
use telling::Telling;

/// How long to wait between two looks. People see no difference to "at once", and the machine sees no work.
const CALM: Duration = Duration::from_millis(200);
/// After so many looks without news, it is asked again whether anybody drives the session.
const LOOKS_BETWEEN: u32 = 5;

/// How following a session ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Left {
    /// The session ended or waits, as its driver would say it.
    Ended(Ended),
    /// The session was set aside by a person.
    Archived,
    /// The session is open, and nobody drives it.
    Undriven,
    /// Whoever watched has left; the run goes on.
    Interrupted,
}

/// A session being followed.
#[derive(Debug)]
pub struct Following {
    sessions: Sessions,
    id: String,
    tail: TapeTail,
    stamp: Option<Stamp>,
    minutes: Minutes,
    telling: Telling,
}

/// What changes whenever the minutes are replaced.
type Stamp = (Option<SystemTime>, u64, u64);

impl Following {
    /// Begins to follow. From the start, every round is told; else only the one under way, and what comes.
    ///
    /// # Errors
    /// If there is no such session, or its file has no settings to fold it by.
    pub fn new(sessions: &Sessions, id: &str, from_start: bool) -> Result<Self, Failure> {
        let stamp = stamp(sessions, id);
        let minutes = sessions.read(id)?;
        if minutes.settings().is_none() {
            return Err(Failure::bad_input(format!(
                "session {id} was written by the original plugin: nobody drives it"
            ))
            .next(format!("read it: s2s show {id}")));
        }
        let telling = Telling::of(&minutes, from_start)?;
        let tail = TapeTail::new(&sessions.tape_path(id));
        Ok(Self { sessions: sessions.clone(), id: id.to_owned(), tail, stamp, minutes, telling })
    }

    /// The minutes as last read.
    pub fn minutes(&self) -> &Minutes {
        &self.minutes
    }

    /// The session as far as it was told.
    pub fn session(&self) -> &Session {
        self.telling.session()
    }

    /// Tells what is there already and goes on telling until the session ends or waits, nobody drives it any more, or
    /// whoever watches leaves.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub async fn follow(&mut self, audience: &mut dyn Audience, interrupt: &mut Interrupt) -> Result<Left, Failure> {
        let rounds_told = self.telling.rounds_told();
        audience.notice(&self.started());
        if rounds_told > 0 {
            let rounds = counted(rounds_told, "round");
            let them = if rounds_told == 1 { "it" } else { "them" };
            let text = format!("{rounds} held before; --from-start tells {them} too.");
            audience.notice(&Notice::Noted { text });
        }
        let mut quiet = 0;
        loop {
            if self.look(audience)? {
                quiet = 0;
                if self.is_behind() {
                    continue;
                }
            } else {
                quiet += 1;
            }
            if let Some(left) = self.left(quiet, audience)? {
                return Ok(left);
            }
            tokio::select! {
                biased;
                () = interrupt.requested() => return Ok(Left::Interrupted),
                () = tokio::time::sleep(CALM) => {}
            }
        }
    }

    /// Tells what is new; says whether anything was. The minutes are read before the tape, so that every line of a
    /// committed round is told before the round is, and again after it, so that what people decided is known before
    /// the calls that follow from it.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn look(&mut self, audience: &mut dyn Audience) -> Result<bool, Failure> {
        let first = self.read_minutes(false)?;
        let committed = self.minutes.rounds().len();
        let lines = self.tail.look()?;
        let fresh = !lines.is_empty();
        self.telling.take(lines);
        let second = fresh && self.read_minutes(false)?;
        let told = self.telling.advance(&self.minutes, committed, audience)?;
        Ok(first || second || fresh || told)
    }

    /// Whether the minutes have more rounds than were told.
    fn is_behind(&self) -> bool {
        self.telling.rounds_told() < self.minutes.rounds().len()
    }

    /// Reads the minutes if they were replaced; says whether they were.
    fn read_minutes(&mut self, in_any_case: bool) -> Result<bool, Failure> {
        let stamp = stamp(&self.sessions, &self.id);
        if !in_any_case && stamp.is_some() && stamp == self.stamp {
            return Ok(false);
        }
        let minutes = self.sessions.read(&self.id)?;
        self.stamp = stamp;
        let changed = minutes != self.minutes;
        self.minutes = minutes;
        Ok(changed)
    }

    /// Whether there is nothing more to wait for, after so many looks without news.
    fn left(&mut self, quiet: u32, audience: &mut dyn Audience) -> Result<Option<Left>, Failure> {
        match self.minutes.status() {
            Status::Completed => self.completed(audience).map(Some),
            Status::Archived => Ok(Some(Left::Archived)),
            // A driver that has just taken the lock writes next that the session goes on.
            Status::Paused if self.sessions.is_held(&self.id)? => Ok(None),
            Status::Paused if self.changed_meanwhile(audience)? => Ok(None),
            Status::Paused => Ok(Some(self.paused(audience))),
            Status::Active if quiet % LOOKS_BETWEEN != 1 || self.sessions.is_held(&self.id)? => Ok(None),
            // The driver may have written its last words before it let go.
            Status::Active if self.changed_meanwhile(audience)? => Ok(None),
            Status::Active => Ok(Some(Left::Undriven)),
        }
    }

    fn changed_meanwhile(&mut self, audience: &mut dyn Audience) -> Result<bool, Failure> {
        let changed = self.read_minutes(true)?;
        Ok(self.look(audience)? || changed)
    }

    fn completed(&mut self, audience: &mut dyn Audience) -> Result<Left, Failure> {
        self.telling.close_the_bill(audience);
        let outcome = self.minutes.outcome().cloned();
        let outcome = outcome.ok_or_else(|| {
            Failure::failed(format!("session {} has ended without an outcome", self.id))
                .next(format!("see what is wrong with its file: s2s session validate {}", self.id))
        })?;
        audience.notice(&Notice::SessionCompleted {
            session: self.id.clone(),
            outcome: outcome.clone(),
            total_rounds: self.minutes.rounds().len(),
        });
        Ok(Left::Ended(Ended::Completed(Box::new(outcome))))
    }

    fn paused(&self, audience: &mut dyn Audience) -> Left {
        let paused = self.cause();
        if let Paused::ForPeople(people) = &paused {
            let seats = people.iter().map(ToString::to_string).collect();
            audience.notice(&Notice::PeopleAwaited { round: self.session().round_number(), seats });
        }
        audience.notice(&Notice::SessionPaused { session: self.id.clone(), reason: paused.to_string() });
        Left::Ended(Ended::Paused(paused))
    }

    /// What the session waits for, as the record tells it.
    fn cause(&self) -> Paused {
        let pause = self.minutes.interventions().iter().rfind(|done| done.kind == InterventionKind::Pause);
        let by = pause.and_then(|done| done.by.as_deref());
        if by == Some("budget") {
            let text = pause.and_then(|done| done.text.clone());
            return Paused::OverBudget(text.unwrap_or_else(|| "its budget is too small for one round".to_owned()));
        }
        if by == Some("person") {
            return Paused::ByPerson;
        }
        if let Some(pending) = self.minutes.pending().filter(|_| by.is_none()) {
            return Paused::ForRuling(Box::new(pending.clone()));
        }
        let people: Vec<SeatId> = self.session().people_missing().cloned().collect();
        match next_step(self.session()) {
            Step::Pause(PauseCause::NobodyAnswered(errors)) if by.is_none() => Paused::NobodyAnswered(errors),
            Step::Ask(_) if by.is_none() && !people.is_empty() => Paused::ForPeople(people),
            _ => Paused::Interrupted,
        }
    }

    fn started(&self) -> Notice {
        let seats = self.minutes.seats().iter();
        Notice::SessionStarted {
            session: self.id.clone(),
            topic: self.minutes.topic().to_owned(),
            strategy: self.minutes.strategy().to_owned(),
            workflow: self.minutes.workflow().to_string(),
            participants: seats.map(|seat| seat.name.clone()).collect(),
            panel_note: self.minutes.panel_note().to_owned(),
            resumed: false,
            rounds_held: self.telling.rounds_told(),
            answers_kept: 0,
        }
    }
}

fn stamp(sessions: &Sessions, id: &str) -> Option<Stamp> {
    let meta = fs::metadata(sessions.minutes_path(id)).ok()?;
    #[cfg(unix)]
    let file = std::os::unix::fs::MetadataExt::ino(&meta);
    #[cfg(not(unix))]
    let file = 0;
    Some((meta.modified().ok(), meta.len(), file))
}
