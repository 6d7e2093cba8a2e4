//! Between two rounds: what people say then, and what follows from it (L1, L8, D9).
//! Given the chair, or words that came with the command; puts them into the record in their order. Deliberately absent:
//! rulings (`drive`), the call of a follow-up (`follow_up`), and what an interjection does, which is the engine's.

use s2s_engine::opening::SeatId;
use s2s_engine::record::{Intervention, InterventionKind};
use s2s_store::Keeper;

use super::chair::{Review, Word};
use super::drive::{Ended, Paused, Roundtable, Surroundings, unless_stopped};
use super::notice::{KindShown, Notice, open_questions};
use crate::clean::clean_text;
use crate::failure::Failure;

impl<K: Keeper> Roundtable<K> {
    /// What people say once a round is in the minutes: with the command, then at the pause.
    pub(super) async fn hear_people(&mut self, around: &mut Surroundings<'_>) -> Result<Option<Ended>, Failure> {
        match self.carry_out_words(around).await? {
            Some(ended) => Ok(Some(ended)),
            None => self.ask_person(around).await,
        }
    }

    /// H3: the session waits for people who have not answered.
    pub(super) fn wait_for(&mut self, people: Vec<SeatId>, around: &mut Surroundings<'_>) -> Result<Ended, Failure> {
        let seats = people.iter().map(ToString::to_string).collect();
        around.tell(Notice::PeopleAwaited { round: self.session.round_number(), seats });
        self.pause(Paused::ForPeople(people), around)
    }

    /// The pause after a round of an interactive session (L1).
    async fn ask_person(&mut self, around: &mut Surroundings<'_>) -> Result<Option<Ended>, Failure> {
        if !self.joined && !self.session.opening().settings.interactive {
            return Ok(None);
        }
        loop {
            let deciding = around.chair.after_round(&self.session);
            let word = unless_stopped(deciding, &mut around.interrupt).await;
            match word {
                Some(Word::Continue) => return Ok(None),
                Some(word) => {
                    let over = matches!(word, Word::Skip);
                    let ended = self.carry_out(word, around).await?;
                    if over || ended.is_some() {
                        return Ok(ended);
                    }
                }
                None => return self.pause(Paused::Interrupted, around).map(Some),
            }
        }
    }

    /// Puts words of people before the run: they are carried out at the first moment between two rounds.
    pub fn put_words(&mut self, words: impl IntoIterator<Item = Word>) {
        self.words.extend(words);
    }

    /// Carries out what came with the command. A round that is under way is finished first: all its seats must
    /// have been told the same (L2).
    pub(super) async fn carry_out_words(&mut self, around: &mut Surroundings<'_>) -> Result<Option<Ended>, Failure> {
        if self.session.is_under_way() && !self.words.is_empty() {
            let round = self.session.round_number();
            let text = format!("Round {round} is under way; what you said is put to the table after it.");
            around.tell(Notice::Noted { text });
            return Ok(None);
        }
        while let Some(word) = self.words.pop_front() {
            if let Some(ended) = self.carry_out(word, around).await? {
                return Ok(Some(ended));
            }
        }
        Ok(None)
    }

    /// Says what was not put to the table, because the run stops before there was a moment for it.
    pub(super) fn leave_words_unsaid(&mut self, around: &mut Surroundings<'_>) {
        if self.words.is_empty() {
            return;
        }
        self.words.clear();
        let text =
            "What you said was not put to the table: its moment did not come. Say it again when the session goes on.";
        around.tell(Notice::Warned { text: text.to_owned() });
    }

    async fn carry_out(&mut self, word: Word, around: &mut Surroundings<'_>) -> Result<Option<Ended>, Failure> {
        match word {
            Word::Continue => Ok(None),
            Word::Pause => self.pause(Paused::ByPerson, around).map(Some),
            Word::Skip => self.skip(around).map(|()| None),
            Word::Say(text) => self.say(&text, around).map(|()| None),
            Word::Ask { seat, question } => self.follow_up(&seat, &question, around).await,
        }
    }

    /// L8: an interjection, in the minutes before anybody acts on it.
    fn say(&mut self, text: &str, around: &mut Surroundings<'_>) -> Result<(), Failure> {
        let text = clean_text(text).trim().to_owned();
        if text.is_empty() {
            return Ok(());
        }
        let said = self.intervention(InterventionKind::Interjection, Some("person"));
        let after_round = said.after_round;
        self.intervene(Intervention { text: Some(text.clone()), ..said })?;
        around.tell(Notice::PersonSpoke { after_round, text });
        Ok(())
    }

    /// D9: a person may ask for more rounds before the documents are written, while there is budget for them.
    pub(super) async fn review(&mut self, around: &mut Surroundings<'_>) -> Result<Reviewed, Failure> {
        let spent = self.session.interventions().iter().any(|done| done.kind == InterventionKind::Budget);
        if self.session.opening().register.is_none() || spent {
            return Ok(Reviewed::Finish);
        }
        let artifacts = KindShown::all(&self.session);
        around.tell(Notice::ReviewOpened { artifacts, open_questions: open_questions(&self.session) });
        let deciding = around.chair.review(&self.session);
        match unless_stopped(deciding, &mut around.interrupt).await {
            Some(Review::Approve) => Ok(Reviewed::Finish),
            Some(Review::Extend { rounds, text }) => {
                let more = self.intervention(InterventionKind::Extend, Some("person"));
                self.intervene(Intervention { text, rounds: Some(rounds.max(1)), ..more })?;
                Ok(Reviewed::GoOn)
            }
            Some(Review::Pause) => self.pause(Paused::ByPerson, around).map(Reviewed::Stop),
            None => self.pause(Paused::Interrupted, around).map(Reviewed::Stop),
        }
    }
}

/// What follows from a review.
pub(super) enum Reviewed {
    Finish,
    GoOn,
    Stop(Ended),
}
