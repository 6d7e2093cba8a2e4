//! What an audience is told: one stream of facts, for a screen, a JSON reader, a browser alike.
//! Everything told about a round is on disk already (L1). Deliberately absent: how it looks.

use s2s_engine::artifact::{ArtifactKind, ArtifactStatus};
use s2s_engine::record::{Escalation, Outcome, Round, RoundKind, Ruling};
use s2s_engine::{OpenConflict, Session, Standing};
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
    /// A try of a call failed, and it is tried again; what was heard of it so far does not count.
    CallRetried {
        /// The call's name.
        call: String,
        /// Who is asked.
        seat: String,
        /// Which try follows, from 2.
        attempt: u32,
        /// Why the one before it failed.
        why: String,
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
    /// What the session has used so far, over all its runs.
    Spent {
        /// Calls, each try counted.
        calls: u32,
        /// Tokens, sent and received.
        tokens: u64,
        /// US dollars.
        cost_usd: f64,
        /// Of these calls, those that a run was cut off from: each counts at what was reserved for it (L7).
        lost_calls: u32,
        /// Of these dollars, what was reserved for them.
        lost_usd: f64,
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
    /// People are asked. Until the last of them has answered, nothing is told of this round's other answers (H1).
    PeopleAsked {
        /// Round number.
        round: u32,
        /// The seats that people answer for.
        seats: Vec<String>,
    },
    /// People have not answered, and the session waits for them.
    PeopleAwaited {
        /// Round number.
        round: u32,
        /// The seats that people answer for.
        seats: Vec<String>,
    },
    /// A person said something to the table (L8).
    PersonSpoke {
        /// After which round.
        after_round: u32,
        /// What was said.
        text: String,
    },
    /// A seat answered a follow-up, outside the votes (L9).
    FollowUpAnswered {
        /// After which round.
        after_round: u32,
        /// Who was asked.
        seat: String,
        /// What a person asked.
        question: String,
        /// What the seat said.
        answer: String,
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
    /// A session that keeps artifacts would end here: what it leaves, before a person is asked (D9).
    ReviewOpened {
        /// How many of each kind, in the order of kinds.
        artifacts: Vec<KindShown>,
        /// The titles of questions without an answer, with their ids.
        open_questions: Vec<String>,
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
    /// Live artifacts under it that claim something; questions and conflicts do not count.
    pub artifacts: u32,
    /// The fewest it must have before it is covered (A5).
    pub least: u32,
}

/// The artifacts of one kind that a session made or changed, as shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KindShown {
    /// The kind, such as `REQ`.
    pub kind: ArtifactKind,
    /// How many.
    pub all: u32,
    /// Of these, carried by the panel.
    pub carried: u32,
    /// Of these, still without a vote.
    pub unvoted: u32,
    /// Of these, withdrawn, voted down or superseded.
    pub withdrawn: u32,
}

impl KindShown {
    /// What a session made or changed, by kind; questions and conflicts are not voted on.
    pub fn all(session: &Session) -> Vec<Self> {
        let mut kinds: Vec<Self> = Vec::new();
        for holding in session.artifacts().filter(|holding| holding.is_own()) {
            let kind = holding.id().kind;
            let at = kinds.iter().position(|shown| shown.kind == kind).unwrap_or_else(|| {
                kinds.push(Self { kind, all: 0, carried: 0, unvoted: 0, withdrawn: 0 });
                kinds.len() - 1
            });
            let shown = &mut kinds[at];
            shown.all += 1;
            match (holding.status(), holding.current().standing) {
                (ArtifactStatus::Withdrawn | ArtifactStatus::Superseded, _) => shown.withdrawn += 1,
                (_, Some(Standing::Carried)) => shown.carried += 1,
                (_, Some(Standing::Unvoted)) => shown.unvoted += 1,
                _ => {}
            }
        }
        kinds
    }
}

/// The questions of a session that nobody has answered, each with its id.
pub(super) fn open_questions(session: &Session) -> Vec<String> {
    let open = session.artifacts().filter(|held| held.id().kind == ArtifactKind::Oq && held.status().is_live());
    open.map(|held| format!("{}: {}", held.id(), held.current().artifact.title)).collect()
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
                artifacts: session.artifacts_on(&topic.id),
                least: topic.least,
            })
            .collect()
    }
}

impl From<&OpenConflict> for ConflictShown {
    fn from(conflict: &OpenConflict) -> Self {
        Self { id: conflict.id.clone(), description: conflict.description.clone(), age: conflict.age }
    }
}
