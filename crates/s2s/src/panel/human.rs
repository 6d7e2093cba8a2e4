//! People at the table: a panel in which some seats are answered by persons, and the rest by another panel (H1).
//! Given calls; a person's goes to a [`Desk`], which a terminal, a browser or a command fills. Hands on the reply in the
//! shape that is asked of a model, so that it goes through the same reader and onto the same tape. A person pays
//! nothing; what the other panel costs is reserved as it would be without people. Deliberately absent: how a person is
//! asked (the desk), and what stands in a form (`human_form`).

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use s2s_engine::Session;
use s2s_engine::opening::{FACILITATOR, HUMAN};
use s2s_engine::step::{Brief, CallKind};
use s2s_models::money::{Amount, Price};
use s2s_models::{Fault, FaultKind, Prompt, Reply};
use s2s_store::Panel as PanelKind;

use super::{Answering, Call, Panel, PlanCall};
use crate::failure::Failure;

/// A person who takes part: as typed, `NAME` or `NAME:ROLE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// The seat's id: the name in lower case, with hyphens.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// The role whose text the seat has.
    pub role: String,
}

impl Participant {
    /// Reads `NAME` or `NAME:ROLE`; without a role it is that of a plain person.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let (name, role) = text.split_once(':').map_or((text, HUMAN), |(name, role)| (name, role));
        let (name, role) = (name.trim(), role.trim());
        let id = s2s_engine::slug::seat_id(name);
        let plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '\''));
        if !name.contains(char::is_alphanumeric)
            || role.is_empty()
            || !plain
            || name.chars().count() > 40
            || id == FACILITATOR
        {
            return Err(Failure::bad_input(format!("\"{text}\" is no person: NAME or NAME:ROLE"))
                .next("a short name, and if you like one of the roles: --human anna:product-manager"));
        }
        Ok(Self { id, name: name.to_owned(), role: role.to_owned() })
    }
}

/// What a person is asked: the same that every other seat is told, and the points to vote on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Whose answer is wanted.
    pub seat: String,
    /// The seat's name for people.
    pub name: String,
    /// The round's number.
    pub round: u32,
    /// What the session is about.
    pub topic: String,
    /// The question.
    pub question: String,
    /// Its focus.
    pub focus: String,
    /// All that a seat is told: phase, context, what it may see of the past, the question.
    pub told: String,
    /// The points put to the vote, by id.
    pub ballot: Vec<(String, String)>,
    /// Why the answer before this one could not be used.
    pub retry_reason: Option<String>,
}

impl Sheet {
    /// The sheet for a call.
    pub fn of(session: &Session, brief: &Brief, prompt: &Prompt) -> Self {
        let opening = session.opening();
        let seat = &*brief.call.seat;
        let name = opening.seats.iter().find(|known| &*known.id == seat).map(|known| known.name.clone());
        let text = |id: &String| session.point(id).map(|point| point.text.clone()).unwrap_or_default();
        let question = session.question();
        Self {
            seat: seat.to_owned(),
            name: name.filter(|name| !name.is_empty()).unwrap_or_else(|| seat.to_owned()),
            round: brief.call.round,
            topic: opening.topic.clone(),
            question: question.map(|posed| posed.question.clone()).unwrap_or_default(),
            focus: question.map(|posed| posed.focus.clone()).unwrap_or_default(),
            told: format!("{}{}", argued(session, brief), prompt.user),
            ballot: brief.ballot.iter().map(|id| (id.clone(), text(id))).collect(),
            retry_reason: brief.retry_reason.clone(),
        }
    }
}

/// What a person argues for in a debate. A model is told with its role; a vote is everybody's own.
fn argued(session: &Session, brief: &Brief) -> String {
    let opening = session.opening();
    let side = session.side_of(&brief.call.seat).filter(|_| brief.ballot.is_empty());
    let (Some(side), Some(sides)) = (side, &opening.sides) else { return String::new() };
    let proposal = Some(sides.proposal.trim()).filter(|text| !text.is_empty()).unwrap_or(&opening.topic);
    let stands = if side == "pro" { "for" } else { "against" };
    format!("# Your side\n\nArgue {stands} this proposal: {proposal}\n\n")
}

/// What came of asking a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrote {
    /// An answer, as [`super::written`] makes it.
    Answer(String),
    /// Nothing: a silent seat, as the rules treat it (L5).
    Pass,
    /// Not now: the person left, or nobody is there. The call stays open and the session pauses.
    Later,
}

/// An answer on its way.
pub type Writing = Pin<Box<dyn Future<Output = Wrote> + Send>>;

/// Where people write their answers.
pub trait Desk: Send + Sync {
    /// Asks one person. Several may be asked at once; a desk with one chair lets them sit down one after the other.
    fn ask(&self, sheet: Sheet) -> Writing;
}

/// A panel with people in it.
pub struct HumanPanel {
    rest: Arc<dyn Panel>,
    people: BTreeSet<String>,
    desk: Arc<dyn Desk>,
}

impl HumanPanel {
    /// These seats are answered at the desk, all others by the other panel.
    pub fn new(rest: Arc<dyn Panel>, people: impl IntoIterator<Item = String>, desk: Arc<dyn Desk>) -> Self {
        Self { rest, people: people.into_iter().collect(), desk }
    }

    fn is_human(&self, seat: &str) -> bool {
        self.people.contains(seat)
    }
}

impl Panel for HumanPanel {
    fn ask(&self, call: Call<'_>) -> Answering {
        let seat = &*call.brief.call.seat;
        if !self.is_human(seat) {
            let answering = self.rest.ask(call);
            if self.rest.pays() {
                return answering;
            }
            return super::paid_once(answering, Arc::clone(call.purse));
        }
        if call.brief.call.kind == CallKind::Followup {
            let fault = Fault::new(FaultKind::Absent, format!("{seat} is a person"));
            return Box::pin(std::future::ready(Err(fault.next("speak to them"))));
        }
        let sheet = Sheet::of(call.session, call.brief, call.prompt);
        let (desk, seat) = (Arc::clone(&self.desk), seat.to_owned());
        Box::pin(async move {
            match desk.ask(sheet).await {
                Wrote::Answer(text) => Ok(Reply::free(text)),
                Wrote::Pass => Err(Fault::new(FaultKind::Absent, format!("{seat} gave no response"))),
                Wrote::Later => Err(Fault::new(FaultKind::Waits, format!("{seat} has not answered yet"))),
            }
        })
    }

    fn plan(&self, call: PlanCall<'_>) -> Option<Answering> {
        self.rest.plan(call)
    }

    fn kind(&self) -> PanelKind {
        self.rest.kind()
    }

    fn note(&self) -> String {
        let people: Vec<&str> = self.people.iter().map(String::as_str).collect();
        let (are, people) = match people.as_slice() {
            [one] => ("is a person", (*one).to_owned()),
            several => ("are people", several.join(", ")),
        };
        format!("{} {people} {are}.", self.rest.note()).trim_start().to_owned()
    }

    fn seat_model(&self, seat: &str) -> (String, String) {
        if self.is_human(seat) { (HUMAN.to_owned(), HUMAN.to_owned()) } else { self.rest.seat_model(seat) }
    }

    fn pays(&self) -> bool {
        true
    }

    fn price(&self, seat: &str) -> Option<Price> {
        if self.is_human(seat) { Some(Price::default()) } else { self.rest.price(seat) }
    }

    fn longest_reply(&self) -> u32 {
        self.rest.longest_reply()
    }

    fn longest_wait(&self) -> Duration {
        self.rest.longest_wait()
    }

    fn at_most(&self, seat: &str, input_tokens: u64) -> Amount {
        if self.is_human(seat) { Amount::default() } else { self.rest.at_most(seat, input_tokens) }
    }
}
