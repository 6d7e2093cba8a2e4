//! One turn: a call over all its tries, with the one retry policy for every provider.
//! Given the models that may answer, in order, and a purse; hands on the first whole reply, or the last
//! fault with every try. At most four tries and one deadline hold for the turn whatever happens inside.
//! Deliberately absent: sessions, and reading the reply.

mod breaker;
mod outlet;
mod spans;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};
use tracing::Instrument;

pub use outlet::{Capacity, Outlet};
pub use spans::CONTENT;

use crate::money::{Amount, Price, Purse};
use crate::{Ask, Effort, Fault, FaultKind, Heard, Patience, Prompt, Reply, Shape, Speaker, Try, Usage};

/// The most tries of one turn, over all its models.
pub const MAX_TRIES: usize = 4;
/// The first wait between tries; it doubles, and a random part of up to a half is left out.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// How long a provider may take to end a try whose time is up.
const SLACK: Duration = Duration::from_secs(3);

/// A model that may answer.
#[derive(Clone)]
pub struct Choice {
    /// Its provider.
    pub outlet: Arc<Outlet>,
    /// The provider's own name for it.
    pub model: String,
    /// Its family: models of one origin.
    pub family: String,
    /// What it costs; none = not known.
    pub price: Option<Price>,
    /// What can be asked of it.
    pub abilities: Abilities,
    /// The most tokens its replies can have; none = not known.
    pub max_output_tokens: Option<u32>,
}

/// What can be asked of a model beyond a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Abilities {
    /// To keep to a JSON Schema.
    pub shape: bool,
    /// To speak more or less freely.
    pub temperature: bool,
    /// To think more or less hard.
    pub effort: bool,
}

/// What is wished of a turn, whichever model answers it.
#[derive(Debug, Clone)]
pub struct Wish {
    /// What is sent.
    pub prompt: Arc<Prompt>,
    /// The shape of the reply, for models that can keep to one.
    pub shape: Option<Arc<Shape>>,
    /// The most tokens of the reply.
    pub max_output_tokens: u32,
    /// How freely the model speaks.
    pub temperature: Option<f64>,
    /// How hard it thinks.
    pub effort: Option<Effort>,
    /// How long to wait: the deadline holds for the turn, over all its tries.
    pub patience: Patience,
}

impl Choice {
    /// `provider:model`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.outlet.name(), self.model)
    }

    /// The most that one try can cost.
    pub fn most(&self, input_tokens: u64, max_output_tokens: u32) -> Amount {
        let output = u64::from(self.most_output(max_output_tokens));
        let usd = self.price.map_or(0.0, |price| price.at_most(input_tokens, output));
        Amount { calls: 1, tokens: input_tokens + output, usd }
    }

    fn most_output(&self, wished: u32) -> u32 {
        self.max_output_tokens.map_or(wished, |most| wished.min(most))
    }

    fn ask(&self, wish: &Wish, deadline: Duration) -> Ask {
        Ask {
            model: self.model.clone(),
            prompt: Arc::clone(&wish.prompt),
            max_output_tokens: self.most_output(wish.max_output_tokens),
            temperature: wish.temperature.filter(|_| self.abilities.temperature),
            effort: wish.effort.filter(|_| self.abilities.effort),
            shape: wish.shape.clone().filter(|_| self.abilities.shape),
            patience: Patience { deadline, ..wish.patience },
        }
    }
}

/// A try that failed, and that another one follows.
#[derive(Debug, Clone, Copy)]
pub struct Again<'a> {
    /// Which try follows, from 2.
    pub number: usize,
    /// Why the one before it failed.
    pub why: &'a Fault,
}

/// Is told before each further try. What was heard of the one before it does not count.
pub type Retried<'a> = &'a (dyn Fn(Again<'_>) + Send + Sync);

/// Takes a turn: asks the choices in order until one has given a whole reply.
pub async fn take_turn(
    wish: &Wish,
    choices: &[Choice],
    purse: &dyn Purse,
    heard: Heard<'_>,
    retried: Retried<'_>,
) -> Result<Reply, Fault> {
    let began = Instant::now();
    let deadline = began + wish.patience.deadline;
    let mut turn = Turn { wish, purse, heard, retried, began, deadline, tries: Vec::new() };
    let choices = &choices[..choices.len().min(MAX_TRIES)];
    let mut last = Fault::new(FaultKind::Absent, "no model is named for this call");
    for (at, choice) in choices.iter().enumerate() {
        // Each model after this one keeps a try for itself.
        let behind = choices.len() - at - 1;
        // A model that is out is not asked again, as long as another can answer. With no other it is: it may be back.
        if let Some(fault) = choice.outlet.ruled_out(&choice.model).filter(|_| behind > 0) {
            turn.passed_over(choice, &fault);
            last = fault;
            continue;
        }
        let mine = MAX_TRIES.saturating_sub(turn.sent() + behind).max(1);
        // … and its share of the time: a model that hangs leaves some for its fallback.
        let left = turn.deadline.saturating_duration_since(Instant::now());
        let until = Instant::now() + left / (behind as u32 + 1);
        match turn.with(choice, mine, behind > 0, until).await {
            Ok(mut reply) => {
                reply.by = (at > 0).then(|| Speaker { model: choice.name(), family: choice.family.clone() });
                reply.tries = turn.tries;
                return Ok(reply);
            }
            Err(fault) => last = fault,
        }
        if Instant::now() >= turn.deadline {
            break;
        }
        if behind > 0 {
            turn.again(&last);
        }
    }
    // The last try stands in the fault itself.
    let model = turn.tries.pop().map(|failed| failed.model);
    Err(Fault { tries: turn.tries, model: model.map(Into::into), ..last })
}

struct Turn<'a> {
    wish: &'a Wish,
    purse: &'a dyn Purse,
    heard: Heard<'a>,
    retried: Retried<'a>,
    began: Instant,
    deadline: Instant,
    tries: Vec<Try>,
}

impl Turn<'_> {
    /// How many tries reached a provider.
    fn sent(&self) -> usize {
        self.tries.iter().filter(|failed| failed.sent).count()
    }

    /// Tells that another try follows.
    fn again(&self, why: &Fault) {
        (self.retried)(Again { number: self.sent() + 1, why });
    }

    /// Notes that a model was not asked, because of what it answered before.
    fn passed_over(&mut self, choice: &Choice, before: &Fault) {
        spans::passed_over(choice, before);
        self.tries.push(Try {
            after: self.began.elapsed(),
            model: choice.name(),
            error: format!("not asked again; before: {before}"),
            sent: false,
            usage: Usage::default(),
            request_id: None,
        });
    }

    /// Up to `most` tries with one model.
    async fn with(&mut self, choice: &Choice, most: usize, others: bool, until: Instant) -> Result<Reply, Fault> {
        let mut wait = FIRST_WAIT;
        for left in (0..most).rev() {
            let fault = match self.once(choice, others, until).await {
                Ok(reply) => return Ok(reply),
                Err(fault) => fault,
            };
            let (after, model) = (self.began.elapsed(), choice.name());
            let sent = fault.kind.was_sent();
            choice.outlet.rule_out(&choice.model, &fault);
            let (error, usage, request_id) = (fault.to_string(), fault.usage, fault.request_id.clone());
            self.tries.push(Try { after, model, error, sent, usage, request_id });
            if left == 0 || !fault.kind.can_pass() {
                spans::failed(choice, &fault, self.tries.len(), None);
                return Err(fault);
            }
            let pause = fault.retry_after.unwrap_or_else(|| wait.mul_f64(0.5 + 0.5 * fastrand::f64()));
            if Instant::now() + pause >= until {
                spans::failed(choice, &fault, self.tries.len(), None);
                let what = format!("{}; there is no time left to try again", fault.what);
                return Err(Fault { what, ..fault });
            }
            spans::failed(choice, &fault, self.tries.len(), Some(pause.as_millis()));
            self.again(&fault);
            sleep(pause).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
        Err(Fault::new(FaultKind::Absent, "no try was left"))
    }

    async fn once(&self, choice: &Choice, others: bool, until: Instant) -> Result<Reply, Fault> {
        let permit = choice.outlet.enter(until, others).await?;
        let most = choice.most(self.wish.prompt.tokens_at_most(), self.wish.max_output_tokens);
        self.purse.reserve(most)?;
        let mut hold = Hold { purse: self.purse, reserved: most, spent: most };
        let ask = choice.ask(self.wish, until.saturating_duration_since(Instant::now()));
        let span = spans::of_try(choice, &ask, self.tries.len() + 1);
        let replying = choice.outlet.provider().ask(&ask, self.heard).instrument(span.clone());
        // A provider keeps the deadline itself, and then knows what was used; this is for one that does not.
        let mut result = match timeout_at(until + SLACK, replying).await {
            Ok(result) => result,
            Err(_) => Err(out_of_time(choice, self.wish.patience.deadline)),
        };
        permit.end(result.as_ref().err());
        let usage = match &mut result {
            Ok(reply) => &mut reply.usage,
            Err(fault) => {
                if fault.kind.may_be_paid() && fault.usage.input_tokens == 0 {
                    fault.usage.input_tokens = self.wish.prompt.tokens_likely();
                }
                &mut fault.usage
            }
        };
        if let Some(price) = choice.price.filter(|_| usage.cost_usd == 0.0) {
            usage.cost_usd = price.of(usage);
        }
        hold.spent = Amount::of(usage);
        spans::ended(&span, &ask, &result);
        result
    }
}

fn out_of_time(choice: &Choice, deadline: Duration) -> Fault {
    let what = format!("{} gave no whole reply within {} s", choice.name(), deadline.as_secs());
    Fault::new(FaultKind::Timeout, what).next("raise `models.call_timeout_seconds`, or take a faster model")
}

/// A reservation; dropped in mid-call it counts as spent, for it may have to be paid.
struct Hold<'a> {
    purse: &'a dyn Purse,
    reserved: Amount,
    spent: Amount,
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.purse.settle(self.reserved, self.spent);
    }
}
