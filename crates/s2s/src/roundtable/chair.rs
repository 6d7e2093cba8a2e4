//! Whoever speaks for people: answers escalations, and says how to go on after a round.
//! A person at a terminal, a browser, or a policy when nobody is there (E9).

use std::future::Future;
use std::pin::Pin;

use s2s_engine::record::{Escalation, Ruling};
use s2s_engine::{Session, Unattended};

/// What a person says after a round (L1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// Go on.
    Continue,
    /// Skip to the end (D1).
    Skip,
    /// Stop here for now.
    Pause,
    /// Say something to the table, which the next question must take up (L8); then ask again how to go on.
    Say(String),
    /// Ask one seat a follow-up, outside the votes (L9); then ask again how to go on.
    Ask {
        /// Whom.
        seat: String,
        /// What.
        question: String,
    },
}

/// What a person says when the table would conclude (D9).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Review {
    /// Write the documents.
    Approve,
    /// Hold more rounds, on what is said here if anything is.
    Extend {
        /// How many.
        rounds: u32,
        /// What is to be refined.
        text: Option<String>,
    },
    /// Decide later.
    Pause,
}

/// A decision on its way.
pub type Deciding<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Speaks for people.
pub trait Chair {
    /// Answers an escalation; none = pause until somebody does.
    fn rule<'a>(&'a mut self, session: &'a Session, escalation: &'a Escalation) -> Deciding<'a, Option<Ruling>>;

    /// Says how to go on after a round; asked only in an interactive session.
    fn after_round<'a>(&'a mut self, session: &'a Session) -> Deciding<'a, Word>;

    /// Says whether a session that keeps artifacts may end here.
    fn review<'a>(&'a mut self, _session: &'a Session) -> Deciding<'a, Review> {
        Box::pin(std::future::ready(Review::Approve))
    }
}

/// The chair when nobody is there.
#[derive(Debug, Clone, Copy)]
pub struct Policy(pub Unattended);

impl Chair for Policy {
    fn rule<'a>(&'a mut self, _session: &'a Session, escalation: &'a Escalation) -> Deciding<'a, Option<Ruling>> {
        Box::pin(std::future::ready(self.0.ruling(escalation)))
    }

    fn after_round<'a>(&'a mut self, _session: &'a Session) -> Deciding<'a, Word> {
        Box::pin(std::future::ready(Word::Continue))
    }
}
