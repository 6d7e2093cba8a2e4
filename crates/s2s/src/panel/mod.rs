//! Who answers the calls of a session: one trait, several panels.
//! Given the session, a brief and its prompt; hands on a reply or a fault. A panel of models looks at
//! the prompt alone; the offline panel works from the session. Deliberately absent: reading replies.

mod assemble;
mod human;
mod human_form;
mod models;
mod offline;
mod script;
mod shapes;
mod stood_in;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use s2s_engine::Session;
use s2s_engine::step::Brief;
use s2s_models::money::{Amount, Price, Purse};
use s2s_models::{Fault, FaultKind, Prompt, Reply};
use s2s_store::Panel as PanelKind;

use crate::matrix::Matrix;
pub use assemble::{Assembled, Means, Reached, assemble, manner, price_of, reach};
pub use human::{Desk, HumanPanel, Participant, Sheet, Writing, Wrote};
pub use human_form::{form, read_form, written};
pub use models::{Manner, ModelPanel, Seated};
pub use offline::OfflinePanel;
pub use script::{ScriptError, ScriptPanel};
pub use stood_in::StoodIn;

/// A reply on its way.
pub type Answering = Pin<Box<dyn Future<Output = Result<Reply, Fault>> + Send>>;

/// A sign of life of a call under way.
#[derive(Debug, Clone, Copy)]
pub enum Sign<'a> {
    /// A piece of the reply, as it came.
    Piece(&'a str),
    /// It is tried again, and what was heard so far does not count.
    Again {
        /// Which try follows, from 2.
        number: u32,
        /// Why the one before it failed.
        why: &'a str,
    },
}

/// Is told the signs of life of a call as they come.
pub type Hearing = Arc<dyn Fn(Sign<'_>) + Send + Sync>;

/// An answer that is paid for as one call, and nothing else: for panels that do not pay by themselves.
pub(crate) fn paid_once(answering: Answering, purse: Arc<dyn Purse>) -> Answering {
    let one = Amount { calls: 1, ..Amount::default() };
    Box::pin(async move {
        purse.reserve(one)?;
        let result = answering.await;
        purse.settle(one, one);
        result
    })
}

/// One call to a panel.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The session as it is when the call is made.
    pub session: &'a Session,
    /// Which call.
    pub brief: &'a Brief,
    /// What a model is sent.
    pub prompt: &'a Arc<Prompt>,
    /// Which model the seat has.
    pub model: &'a str,
    /// What tries are paid from, by panels that pay.
    pub purse: &'a Arc<dyn Purse>,
    /// How much of the session's time is left; none = no limit.
    pub time_left: Option<Duration>,
    /// Who reads along, if anybody does.
    pub heard: Option<&'a Hearing>,
}

/// A call for a plan of the project's work. It belongs to no session.
#[derive(Clone, Copy)]
pub struct PlanCall<'a> {
    /// What the facilitator's model is sent.
    pub prompt: &'a Arc<Prompt>,
    /// 1, or 2 after a plan with flaws.
    pub attempt: u32,
    /// What tries are paid from, by panels that pay.
    pub purse: &'a Arc<dyn Purse>,
    /// How much time is left; none = no limit.
    pub time_left: Option<Duration>,
}

/// A question to one seat beside the record of its session.
#[derive(Clone, Copy)]
pub struct AsideCall<'a> {
    /// The session as its record tells it.
    pub session: &'a Session,
    /// Who is asked: a seat, or the facilitator.
    pub seat: &'a str,
    /// What.
    pub question: &'a str,
    /// What a model is sent.
    pub prompt: &'a Arc<Prompt>,
    /// What tries are paid from, by panels that pay.
    pub purse: &'a Arc<dyn Purse>,
    /// How much time is left; none = no limit.
    pub time_left: Option<Duration>,
}

/// Whoever answers.
pub trait Panel: Send + Sync {
    /// Makes the call. Nothing may be sent before the answer is first polled: by then the call is on
    /// the tape. Dropping the answer gives the call up.
    fn ask(&self, call: Call<'_>) -> Answering;

    /// Makes a call for a plan, as `ask` makes one of a session; none = it has no words for plans, and they are made by
    /// rule.
    fn plan(&self, _call: PlanCall<'_>) -> Option<Answering> {
        None
    }

    /// Makes a call beside the record, as `ask` makes one of a session. The reply is text for people, in Markdown.
    fn aside(&self, call: AsideCall<'_>) -> Answering {
        let fault = Fault::new(FaultKind::Absent, format!("{} cannot be asked beside the record", call.seat));
        Box::pin(std::future::ready(Err(fault)))
    }

    /// What its seats weighed, one matrix for each subject; only seats that answer from playbooks weigh.
    fn matrices(&self, _session: &Session) -> Vec<Matrix> {
        Vec::new()
    }

    /// The kind written into the minutes.
    fn kind(&self) -> PanelKind;

    /// What a person must know about this panel, on every screen and document.
    fn note(&self) -> String;

    /// The model and family of a seat.
    fn seat_model(&self, seat: &str) -> (String, String);

    /// Whether it reserves and settles its tries itself.
    fn pays(&self) -> bool {
        false
    }

    /// What a seat's model costs; none = not known, or not paid for.
    fn price(&self, _seat: &str) -> Option<Price> {
        None
    }

    /// The most tokens a reply may have.
    fn longest_reply(&self) -> u32 {
        0
    }

    /// The longest that a call may take.
    fn longest_wait(&self) -> Duration {
        Duration::MAX
    }

    /// The most that one try of a seat can cost, with a prompt of so many tokens.
    fn at_most(&self, _seat: &str, _input_tokens: u64) -> Amount {
        Amount { calls: 1, ..Amount::default() }
    }
}
