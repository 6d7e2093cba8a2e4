//! The chair of the command line: a policy, a person at the terminal, or one ruling given beforehand.
//! Given escalations, and the end of a session; hands on rulings (E8, E9) and reviews (D9), and remembers which changes of the context the person
//! wants in CONTEXT.md. Deliberately absent: showing the escalation, which the audience has done.

use std::future::ready;

use s2s::engine::opening::Seat;
use s2s::engine::record::{Escalation, RuledBy, Ruling, RulingChoice};
use s2s::engine::reply::Action;
use s2s::engine::{Session, Unattended};
use s2s::roundtable::{Chair, Deciding, Review, Word};
use s2s::{Failure, FailureKind};

use crate::asking::{self, Choice};
use crate::commands::opening::secret_in;

/// What is asked wherever a discussion may go on.
const ROUNDS: &str = "How many more rounds?";

/// Speaks for people in this run.
#[derive(Debug, Default)]
pub struct Seated {
    /// The ruling that was given with the command; it goes first.
    pub given: Option<Ruling>,
    /// What is done without asking; none = a person is asked.
    pub policy: Option<Unattended>,
    /// What that is by, such as `--yes`.
    pub policy_name: String,
    /// Whether a person can be asked after a round.
    pub attended: bool,
    /// Whether what a person types goes to models, and must hold no secret.
    pub guarded: bool,
    /// Changes of the context to offer for CONTEXT.md.
    pub for_context_file: Vec<String>,
    /// Why the person left a question, where they did.
    pub left: Option<Failure>,
}

impl Chair for Seated {
    fn rule<'a>(&'a mut self, session: &'a Session, escalation: &'a Escalation) -> Deciding<'a, Option<Ruling>> {
        if let Some(ruling) = self.given.take() {
            return Box::pin(ready(Some(ruling)));
        }
        if let Some(policy) = self.policy {
            return Box::pin(ready(policy.ruling(escalation)));
        }
        let ruling = match ask(session, escalation, self.guarded) {
            Ok((ruling, for_file)) => {
                self.for_context_file.extend(for_file);
                Some(ruling)
            }
            Err(failure) => {
                self.left = Some(failure);
                None
            }
        };
        Box::pin(ready(ruling))
    }

    fn after_round<'a>(&'a mut self, session: &'a Session) -> Deciding<'a, Word> {
        if !self.attended {
            return Box::pin(ready(Word::Continue));
        }
        let taken = session.last_decision().map(|decision| decision.taken).unwrap_or_default();
        // What was said to the table just now comes before the end.
        let taken = if taken == Action::Conclude && !session.has_ended() { Action::Continue } else { taken };
        let word = ask_after(session, taken, self.policy.is_some(), self.guarded).unwrap_or_else(|failure| {
            self.left = Some(failure);
            Word::Pause
        });
        Box::pin(ready(word))
    }

    fn review<'a>(&'a mut self, session: &'a Session) -> Deciding<'a, Review> {
        if !self.attended {
            return Box::pin(ready(Review::Approve));
        }
        let review = ask_review(session, self.guarded).unwrap_or_else(|failure| {
            self.left = Some(failure);
            Review::Pause
        });
        Box::pin(ready(review))
    }
}

/// What a person may say when the table would conclude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Approve,
    Refine,
    More,
    Later,
}

/// Puts the end of a session to the person (D9). Without a panel there is nobody who could go on.
fn ask_review(session: &Session, guarded: bool) -> Result<Review, Failure> {
    loop {
        if let Some(review) = review_once(session, guarded)? {
            return Ok(review);
        }
    }
}

/// The question once; none = the person went back to it.
fn review_once(session: &Session, guarded: bool) -> Result<Option<Review>, Failure> {
    let doubt = if guarded { secret_in } else { |_: &str| None };
    let mut choices = vec![Choice::new(Verdict::Approve, "Approve: write the documents")];
    if session.opening().settings.method.asks_seats() {
        choices.push(Choice::new(Verdict::Refine, "Refine: say what, and discuss it"));
        choices.push(Choice::new(Verdict::More, "Add more rounds"));
    }
    choices.push(Choice::new(Verdict::Later, "Decide later: pause the session"));
    let usual = session.opening().settings.escalation.max_rounds_per_conflict;
    let verdict = asking::choose("Is this what you want to keep?", choices)?;
    let text = match verdict {
        Verdict::Approve => return Ok(Some(Review::Approve)),
        Verdict::Later => return Ok(Some(Review::Pause)),
        Verdict::More => None,
        Verdict::Refine => match asking::text_or_back("What is to be refined?", "", doubt)? {
            None => return Ok(None),
            text => text,
        },
    };
    Ok(asking::rounds_or_back(ROUNDS, usual)?.map(|rounds| Review::Extend { rounds, text }))
}

impl Seated {
    /// Whether the person left a question with Ctrl-C or Esc.
    pub fn was_left(&self) -> bool {
        self.left.as_ref().is_some_and(|failure| failure.kind == FailureKind::Interrupted)
    }
}

/// What a person may do after a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    Continue,
    Say,
    Ask,
    Skip,
    Pause,
}

/// Puts the end of a round to the person (L1, L8, L9).
fn ask_after(session: &Session, taken: Action, policy: bool, guarded: bool) -> Result<Word, Failure> {
    let doubt = if guarded { secret_in } else { |_: &str| None };
    let seats: Vec<&Seat> = session.opening().seats.iter().filter(|seat| !seat.is_human()).collect();
    // Esc in what follows leads back to the menu, not out of the session.
    loop {
        let moves = after(taken, policy, !seats.is_empty());
        let word = match asking::choose("How would you like to proceed?", moves)? {
            Move::Continue => Some(Word::Continue),
            Move::Skip => Some(Word::Skip),
            Move::Pause => Some(Word::Pause),
            Move::Say => asking::text_or_back("What do you say to the table?", "", doubt)?.map(Word::Say),
            Move::Ask => {
                let label = |seat: &&Seat| s2s::clean::clean_line(&format!("{} ({})", seat.name, seat.id)).into_owned();
                let choices = seats.iter().map(|seat| Choice::new(seat.id.to_string(), label(seat))).collect();
                let seat = asking::choose("Whom do you ask?", choices)?;
                asking::text_or_back("What do you ask?", "", doubt)?.map(|question| Word::Ask { seat, question })
            }
        };
        if let Some(word) = word {
            return Ok(word);
        }
    }
}

/// The choices after a round; the first one says what the decision leads to.
fn after(taken: Action, policy: bool, has_seats: bool) -> Vec<Choice<Move>> {
    let next = match taken {
        Action::Continue => "One more round",
        Action::Phase => "Next phase",
        Action::Conclude => "Conclude now",
        Action::Escalate if policy => "Let the policy answer the escalation",
        Action::Escalate => "Answer the escalation",
    };
    let mut choices = vec![Choice::new(Move::Continue, next)];
    if taken != Action::Conclude {
        choices.push(Choice::new(Move::Skip, "Skip to the conclusion"));
    }
    choices.push(Choice::new(Move::Pause, "Pause the session"));
    choices.push(Choice::new(Move::Say, "Say something to the table"));
    if has_seats {
        choices.push(Choice::new(Move::Ask, "Ask one seat a follow-up"));
    }
    choices
}

/// Puts the choices of an escalation to the person. The second value is a text for CONTEXT.md.
fn ask(session: &Session, escalation: &Escalation, guarded: bool) -> Result<(Ruling, Option<String>), Failure> {
    loop {
        if let Some(ruled) = ask_once(session, escalation, guarded)? {
            return Ok(ruled);
        }
    }
}

/// A ruling, and a text for CONTEXT.md.
type Ruled = (Ruling, Option<String>);

/// The same once; none = the person went back to the choices.
fn ask_once(session: &Session, escalation: &Escalation, guarded: bool) -> Result<Option<Ruled>, Failure> {
    let doubt = if guarded { secret_in } else { |_: &str| None };
    let usual = session.opening().settings.escalation.max_rounds_per_conflict;
    let name = |choice: RulingChoice| match (choice, &escalation.recommendation) {
        (RulingChoice::Accept, Some(text)) => {
            let text = s2s::clean::clean_line(text);
            // The mark before it takes its columns too.
            asking::fitting(&format!("{}: {}", label(choice), text.trim()), 4)
        }
        _ => label(choice).to_owned(),
    };
    let choices = escalation.options.iter().map(|choice| Choice::new(*choice, name(*choice))).collect();
    let choice = asking::choose("How would you like to proceed?", choices)?;
    let mut ruling = by_person(choice);
    let mut for_file = None;
    match choice {
        RulingChoice::Accept => ruling.text.clone_from(&escalation.recommendation),
        RulingChoice::Decide => {
            let Some(text) = asking::text_or_back("Your decision:", "", doubt)? else { return Ok(None) };
            ruling.text = Some(text);
        }
        RulingChoice::Continue | RulingChoice::Discuss => {
            let Some(rounds) = asking::rounds_or_back(ROUNDS, usual)? else { return Ok(None) };
            ruling.rounds = Some(rounds);
        }
        RulingChoice::AcceptContext => {
            let asked = asking::text_or_back("What holds from now on?", &suggested(session), doubt)?;
            let Some(text) = asked else { return Ok(None) };
            if asking::confirm("Add this to CONTEXT.md as well?", true)? {
                for_file = Some(text.clone());
            }
            ruling.text = Some(text);
        }
        RulingChoice::KeepContext => {}
    }
    Ok(Some((ruling, for_file)))
}

/// A ruling of a person, still without its words.
pub fn by_person(choice: RulingChoice) -> Ruling {
    Ruling { choice, text: None, rounds: None, by: RuledBy::Person, name: None, at: None, then: None }
}

fn label(choice: RulingChoice) -> &'static str {
    match choice {
        RulingChoice::Accept => "Accept the recommendation",
        RulingChoice::Decide => "Give your own decision",
        RulingChoice::Continue => "Discuss for some more rounds",
        RulingChoice::AcceptContext => "Accept the challenge: change the context",
        RulingChoice::KeepContext => "Keep the context as it is",
        RulingChoice::Discuss => "Discuss the challenge further",
    }
}

/// What the seats would put in place of the context, in one line.
pub fn suggested(session: &Session) -> String {
    let challenges = session.rounds().last().map_or(&[][..], |round| &round.context_challenges);
    let texts: Vec<&str> = challenges.iter().map(|c| c.suggestion.as_deref().unwrap_or(&c.challenge)).collect();
    s2s::clean::clean_line(&texts.join("; ")).into_owned()
}
