//! What an audience is told: one stream of facts, for a screen, a JSON reader, a browser alike.
//! Everything told about a round is on disk already (L1). Deliberately absent: how it looks.

use s2s_engine::record::{Escalation, Outcome, Round, RoundKind, Ruling};
use s2s_engine::{OpenConflict, Session};
use serde::Serialize;

/// Something that has happened, for people and programs that watch.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Notice {
    /// The table is set.
    SessionStarted {
        /// Session id.
        session: String,
        /// The topic.
        topic: String,
        /// Strategy name.
        strategy: String,
        /// Workflow name.
        workflow: String,
        /// The seats' names, in order.
        participants: Vec<String>,
        /// What to know about the panel.
        panel_note: String,
        /// Whether the session was taken up again.
        resumed: bool,
        /// Rounds held before.
        rounds_held: usize,
        /// Answers of the open round that are not asked for again (L7).
        answers_kept: usize,
    },
    /// The sides of a debate are known: named at the start, or dealt (T3).
    SidesTaken {
        /// What is argued about.
        proposal: String,
        /// Seats for it.
        pro: Vec<String>,
        /// Seats against it.
        con: Vec<String>,
    },
    /// A round begins.
    RoundStarted {
        /// Its number.
        round: u32,
        /// At most.
        max_rounds: u32,
        /// Its phase.
        phase: String,
        /// Its kind.
        kind: RoundKind,
        /// The agenda as it stands; empty = free-form.
        agenda: Vec<TopicShown>,
    },
    /// A call was made.
    CallStarted {
        /// The call's name.
        call: String,
        /// Who is asked.
        seat: String,
        /// Which model answers.
        model: String,
    },
    /// A piece of a reply arrived; only for audiences that read along.
    Heard {
        /// The call's name.
        call: String,
        /// Who speaks.
        seat: String,
        /// What was said since the last piece, as it came.
        text: String,
    },
    /// A call came to its end.
    CallEnded {
        /// The call's name.
        call: String,
        /// Who was asked.
        seat: String,
        /// How it ended.
        #[serde(flatten)]
        end: CallEnd,
        /// How long it took.
        duration_ms: u64,
        /// What it cost, in US dollars.
        cost_usd: f64,
        /// What the session has cost so far.
        spent_usd: f64,
    },
    /// The question is posed.
    QuestionPosed {
        /// Round number.
        round: u32,
        /// The question.
        question: String,
        /// Its focus.
        focus: String,
        /// Who is asked.
        asked: Vec<String>,
        /// Whether it tests an easy consensus.
        probing: bool,
    },
    /// A round is in the minutes.
    RoundCommitted {
        /// The round.
        round: Box<Round>,
        /// What is open after it.
        open_conflicts: Vec<ConflictShown>,
        /// The agenda after it.
        agenda: Vec<TopicShown>,
    },
    /// A person must decide.
    EscalationRaised {
        /// What about.
        escalation: Box<Escalation>,
    },
    /// A person or a policy has decided.
    EscalationSettled {
        /// Which one.
        id: String,
        /// How.
        ruling: Ruling,
    },
    /// The session is paused.
    SessionPaused {
        /// Session id.
        session: String,
        /// Why.
        reason: String,
    },
    /// The session is over.
    SessionCompleted {
        /// Session id.
        session: String,
        /// How it ended.
        outcome: Outcome,
        /// Rounds held.
        total_rounds: usize,
    },
    /// Something to know about this run.
    Noted {
        /// What.
        text: String,
    },
    /// Something that is not as it should be, and stops nothing.
    Warned {
        /// What.
        text: String,
    },
}

/// How a call ended.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum CallEnd {
    /// With a reply that could be read.
    Answered {
        /// A seat's confidence.
        confidence: Option<f64>,
        /// A seat's position.
        position: Option<String>,
        /// What had to be repaired.
        doubts: Vec<String>,
    },
    /// With a reply that could not.
    Refused {
        /// Why.
        reason: String,
    },
    /// Without a reply.
    Failed {
        /// Why.
        error: String,
    },
}

/// A topic of the agenda, as shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TopicShown {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it is critical.
    pub critical: bool,
    /// How far it has come.
    pub status: &'static str,
}

/// An open conflict, as shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConflictShown {
    /// Its id.
    pub id: String,
    /// What it is about.
    pub description: String,
    /// For how many rounds it is open.
    pub age: u32,
}

/// Watches a session.
pub trait Audience {
    /// Is told what has happened.
    fn notice(&mut self, notice: &Notice);

    /// Whether it wants to be told of replies piece by piece.
    fn reads_along(&self) -> bool {
        false
    }
}

impl<F: FnMut(&Notice)> Audience for F {
    fn notice(&mut self, notice: &Notice) {
        self(notice);
    }
}

impl TopicShown {
    /// The agenda of a session as it stands.
    pub fn all(session: &Session) -> Vec<Self> {
        let topics = session.opening().agenda.iter().zip(session.coverage());
        topics
            .map(|(topic, status)| Self {
                id: topic.id.clone(),
                name: topic.name.clone(),
                critical: topic.critical,
                status: status.as_str(),
            })
            .collect()
    }
}

impl From<&OpenConflict> for ConflictShown {
    fn from(conflict: &OpenConflict) -> Self {
        Self { id: conflict.id.clone(), description: conflict.description.clone(), age: conflict.age }
    }
}
