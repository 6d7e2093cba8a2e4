//! The panel of models: each seat has a model and its fallbacks, and every call is one turn of theirs.
//! Given calls; hands on whole replies, or faults with every try. It looks at the prompt alone. Deliberately
//! absent: which model a seat gets (`lineup`), the wire formats and the retry policy (`s2s-models`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use s2s_engine::counted;
use s2s_engine::opening::FACILITATOR;
use s2s_models::money::{Amount, Price, Purse};
use s2s_models::turn::{Again, Choice, Wish, take_turn};
use s2s_models::{Effort, Fault, FaultKind, Patience, Prompt, Shape};
use s2s_store::Panel as PanelKind;

use super::shapes::{keeps, plan_shape, shape};
use super::{Answering, AsideCall, Call, Hearing, Panel, PlanCall, Sign};

/// A seat's models.
#[derive(Clone)]
pub struct Seated {
    /// The model, then its fallbacks in order.
    pub choices: Vec<Choice>,
    /// The family of the first one.
    pub family: String,
}

/// How every call is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner {
    /// The most tokens of a reply.
    pub max_output_tokens: u32,
    /// How freely the models speak; none = each in its own way.
    pub temperature: Option<f64>,
    /// How hard they think; none = each in its own way.
    pub effort: Option<Effort>,
    /// How long to wait.
    pub patience: Patience,
}

impl Default for Manner {
    fn default() -> Self {
        Self { max_output_tokens: 8_192, temperature: None, effort: None, patience: Patience::default() }
    }
}

/// The panel that asks models.
pub struct ModelPanel {
    seats: BTreeMap<String, Seated>,
    manner: Manner,
}

impl ModelPanel {
    /// A panel of these seats; the facilitator's is among them, under its role's id.
    pub fn new(seats: BTreeMap<String, Seated>, manner: Manner) -> Self {
        Self { seats, manner }
    }

    /// The models whose price is not known, each once.
    pub fn unpriced(&self) -> Vec<String> {
        let choices = self.seats.values().flat_map(|seated| &seated.choices);
        let names: BTreeSet<String> = choices.filter(|choice| choice.price.is_none()).map(Choice::name).collect();
        names.into_iter().collect()
    }

    /// One turn of a seat's models.
    fn turn(
        &self,
        seated: &Seated,
        prompt: &Arc<Prompt>,
        shape: Option<Arc<Shape>>,
        time_left: Option<Duration>,
        purse: &Arc<dyn Purse>,
        heard: Option<Hearing>,
    ) -> Answering {
        let choices = seated.choices.clone();
        let patience = self.manner.patience;
        let deadline = time_left.map_or(patience.deadline, |left| patience.deadline.min(left));
        let wish = Wish {
            prompt: Arc::clone(prompt),
            shape,
            max_output_tokens: self.manner.max_output_tokens,
            temperature: self.manner.temperature,
            effort: self.manner.effort,
            patience: Patience { deadline, ..patience },
        };
        let purse = Arc::clone(purse);
        Box::pin(async move {
            let tell = |sign: Sign<'_>| {
                if let Some(heard) = &heard {
                    heard(sign);
                }
            };
            let again = |again: Again<'_>| {
                tell(Sign::Again { number: again.number as u32, why: &again.why.to_string() });
            };
            take_turn(&wish, &choices, &*purse, &|piece| tell(Sign::Piece(piece)), &again).await
        })
    }

    fn seat(&self, seat: &str) -> Option<&Seated> {
        self.seats.get(seat).filter(|seated| !seated.choices.is_empty())
    }
}

impl Panel for ModelPanel {
    fn ask(&self, call: Call<'_>) -> Answering {
        let seat = &*call.brief.call.seat;
        let Some(seated) = self.seat(seat) else { return nobody(seat) };
        let shape = shape(call.brief.call.kind, keeps(call.session));
        self.turn(seated, call.prompt, shape, call.time_left, call.purse, call.heard.cloned())
    }

    fn plan(&self, call: PlanCall<'_>) -> Option<Answering> {
        let Some(seated) = self.seat(FACILITATOR) else {
            let fault = Fault::new(FaultKind::Absent, "no model is named for the facilitator");
            return Some(Box::pin(std::future::ready(Err(fault.next("name one: --model provider:model")))));
        };
        Some(self.turn(seated, call.prompt, Some(plan_shape()), call.time_left, call.purse, None))
    }

    fn aside(&self, call: AsideCall<'_>) -> Answering {
        let Some(seated) = self.seat(call.seat) else { return nobody(call.seat) };
        // Free text for a person: no shape.
        self.turn(seated, call.prompt, None, call.time_left, call.purse, None)
    }

    fn kind(&self) -> PanelKind {
        PanelKind::Models
    }

    fn note(&self) -> String {
        let seats = self.seats.iter().filter(|(seat, _)| *seat != FACILITATOR);
        let seats: Vec<&Seated> = seats.map(|(_, seated)| seated).collect();
        let families: BTreeSet<&str> = seats.iter().map(|seated| seated.family.as_str()).collect();
        let named = families.iter().copied().collect::<Vec<_>>().join(", ");
        let alike = if families.len() == 1 { ": they share its blind spots" } else { "" };
        let (seats, families) = (counted(seats.len(), "seat"), counted(families.len(), "model family"));
        format!("{seats}, {families} ({named}){alike}.")
    }

    fn seat_model(&self, seat: &str) -> (String, String) {
        match self.seat(seat) {
            Some(seated) => (seated.choices[0].name(), seated.family.clone()),
            None => ("none".to_owned(), "none".to_owned()),
        }
    }

    fn pays(&self) -> bool {
        true
    }

    fn price(&self, seat: &str) -> Option<Price> {
        self.seat(seat)?.choices[0].price
    }

    fn longest_reply(&self) -> u32 {
        self.manner.max_output_tokens
    }

    fn longest_wait(&self) -> Duration {
        self.manner.patience.deadline
    }

    fn at_most(&self, seat: &str, input_tokens: u64) -> Amount {
        let most = |choice: &Choice| choice.most(input_tokens, self.manner.max_output_tokens);
        let one = Amount { calls: 1, ..Amount::default() };
        self.seat(seat).map_or(one, |seated| most(&seated.choices[0]))
    }
}

fn nobody(seat: &str) -> Answering {
    let fault = Fault::new(FaultKind::Absent, format!("no model is named for {seat}"));
    Box::pin(std::future::ready(Err(fault.next("name one: --seat SEAT=provider:model"))))
}
