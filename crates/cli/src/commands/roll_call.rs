//! Asks every model of a lineup for one word, all at once, each once.
//! Given lineups and the means to reach providers; hands on who answered, how fast and at what cost, or what kept
//! them. A provider that a project defines and nobody confirmed is not asked. Deliberately absent: retries (a doctor
//! wants to see the first failure), fallbacks, and sessions.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use s2s::engine::opening::FACILITATOR;
use s2s::lineup::{Chosen, Definition, Lineup};
use s2s::models::money::Price;
use s2s::models::{Ask, Fault, FaultKind, HttpClient, Patience, Prompt, Provider, Reply};
use s2s::panel::{Means, price_of, reach};
use s2s::secrets::trust;
use s2s::{Failure, FailureKind};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::console::Console;
use crate::screen::{Called, State, Waiting};
use crate::seating::models::trust_store;
use crate::signals::Signals;

/// Enough for a model that thinks before it says one word.
const MOST_TOKENS: u32 = 2_000;
/// How long one model may take.
const PATIENCE: Duration = Duration::from_secs(30);
const WORD: &str = "Reply with the single word: ready";

/// Everybody to be asked, each model once.
pub struct Roll {
    entries: Vec<(Chosen, Called)>,
}

/// How a call ended: which one, how long it took, and what came.
type Ended = (usize, Duration, Result<Reply, Fault>);

impl Roll {
    /// The models of these lineups, fallbacks included.
    pub fn of(lineups: &[Lineup]) -> Self {
        let mut entries: Vec<(Chosen, Called)> = Vec::new();
        for lineup in lineups {
            let facilitator = (FACILITATOR, lineup.facilitator.as_slice());
            let others = lineup.seats.iter().map(|(seat, chain)| (seat.as_str(), chain.as_slice()));
            for (who, chain) in std::iter::once(facilitator).chain(others) {
                for (at, chosen) in chain.iter().enumerate() {
                    let known = entries.iter().position(|(there, _)| there.name() == chosen.name());
                    let known = known.unwrap_or_else(|| {
                        entries.push((chosen.clone(), unasked(chosen)));
                        entries.len() - 1
                    });
                    let called = &mut entries[known].1;
                    let whose = if at == 0 { &mut called.seats } else { &mut called.instead_for };
                    if !whose.iter().any(|there| there == who) {
                        whose.push(who.to_owned());
                    }
                }
            }
        }
        Self { entries }
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The roll as nobody was asked, and why.
    pub fn not_asked(self, why: &str) -> Vec<Called> {
        let said = |called| Called { says: Some(why.to_owned()), ..called };
        self.called().into_iter().map(said).collect()
    }

    /// What came of it.
    pub fn called(self) -> Vec<Called> {
        self.entries.into_iter().map(|(_, called)| called).collect()
    }

    /// Everybody at this provider fails with this.
    fn fail(&mut self, provider: &str, what: &str, next: Option<&str>) {
        for (_, called) in self.entries.iter_mut().filter(|(chosen, _)| chosen.provider == provider) {
            called.state = State::Failed;
            called.says = Some(what.to_owned());
            called.next = next.map(str::to_owned);
        }
    }
}

fn unasked(chosen: &Chosen) -> Called {
    Called {
        model: chosen.name(),
        seats: Vec::new(),
        instead_for: Vec::new(),
        state: State::NotAsked,
        says: None,
        next: None,
        latency_ms: None,
        input_tokens: 0,
        output_tokens: 0,
        cost_usd: None,
    }
}

/// Asks everybody on the roll. A signal gives all calls up, with their connections and processes.
pub async fn call(roll: &mut Roll, lineups: &[Lineup], means: Means<'_>, console: &Console) -> Result<(), Failure> {
    // Heard before anything is started: a program that prints a key must not be left behind.
    let mut signals = Signals::new()?;
    tokio::select! {
        asked = ask_all(roll, lineups, means, console) => asked,
        () = signals.next() => Err(left()),
    }
}

async fn ask_all(roll: &mut Roll, lineups: &[Lineup], means: Means<'_>, console: &Console) -> Result<(), Failure> {
    let definitions: BTreeMap<&str, &Definition> =
        lineups.iter().flat_map(|lineup| &lineup.providers).map(|(name, provider)| (name.as_str(), provider)).collect();
    let waiting = Waiting::new(&console.style);
    let mut calls = JoinSet::new();
    let client = HttpClient::new().map_err(|fault| Failure::failed(fault.what))?;
    for (name, definition) in &definitions {
        if let Err(failure) = confirmed(definition) {
            roll.fail(name, &failure.what, failure.next.as_deref());
            continue;
        }
        match reach(definition, &client, means).await {
            Ok(reached) => begin(&mut calls, roll, definition, &reached.provider),
            Err(failure) => roll.fail(name, &failure.what, failure.next.as_deref()),
        }
    }
    let (all, mut done) = (calls.len(), 0);
    waiting.tell(done, all);
    while let Some(ended) = calls.join_next().await {
        let Ok(ended) = ended else { continue };
        done += 1;
        waiting.tell(done, all);
        if let Some((chosen, called)) = roll.entries.get_mut(ended.0) {
            let price = definitions.get(chosen.provider.as_str()).and_then(|provider| price_of(chosen, provider));
            take_in(called, ended, price);
        }
    }
    Ok(())
}

/// That what a project says of a provider was confirmed by this person.
fn confirmed(definition: &Definition) -> Result<(), Failure> {
    let Some(doubtful) = trust::doubtful(definition) else { return Ok(()) };
    if trust_store()?.knows(&doubtful) {
        return Ok(());
    }
    let what =
        format!("not asked: this project defines it, and would {} ({})", doubtful.what_it_would_do, doubtful.place);
    Err(Failure::bad_input(what).next(format!("look at it, then: s2s models trust {}", definition.name)))
}

/// Begins the calls to one provider, no more at once than it takes.
fn begin(calls: &mut JoinSet<Ended>, roll: &Roll, definition: &Definition, provider: &Arc<dyn Provider>) {
    let lines = definition.max_concurrent.map_or(Semaphore::MAX_PERMITS, |most| most.max(1) as usize);
    let lines = Arc::new(Semaphore::new(lines));
    for (at, (chosen, _)) in roll.entries.iter().enumerate() {
        if chosen.provider != definition.name {
            continue;
        }
        let most = chosen.known.as_ref().and_then(|known| known.max_output_tokens);
        let ask = Ask {
            model: chosen.model.clone(),
            prompt: Arc::new(Prompt { system: "".into(), user: WORD.to_owned() }),
            max_output_tokens: most.map_or(MOST_TOKENS, |most| most.min(MOST_TOKENS)),
            temperature: None,
            effort: None,
            shape: None,
            patience: Patience { deadline: PATIENCE, idle: PATIENCE },
        };
        let (provider, lines, name) = (Arc::clone(provider), Arc::clone(&lines), chosen.name());
        calls.spawn(async move {
            // Closed by nobody: whoever waits here gets a turn.
            let _line = lines.acquire().await;
            let began = Instant::now();
            let result = match tokio::time::timeout(PATIENCE, provider.ask(&ask, &|_| {})).await {
                Ok(result) => result,
                Err(_) => Err(Fault::new(FaultKind::Timeout, format!("{name} gave no reply within 30 s"))
                    .next("try again; if it stays so, take another model")),
            };
            (at, began.elapsed(), result)
        });
    }
}

fn take_in(called: &mut Called, (_, took, result): Ended, price: Option<Price>) {
    called.latency_ms = u64::try_from(took.as_millis()).ok();
    let usage = match &result {
        Ok(reply) => reply.usage,
        Err(fault) => fault.usage,
    };
    (called.input_tokens, called.output_tokens) = (usage.input_tokens, usage.output_tokens);
    called.cost_usd = match price {
        _ if usage.cost_usd > 0.0 => Some(usage.cost_usd),
        price => price.map(|price| price.of(&usage)),
    };
    match result {
        Ok(_) => called.state = State::Ok,
        Err(fault) => {
            called.state = State::Failed;
            called.says = Some(fault.to_string());
            called.next = fault.next;
        }
    }
}

fn left() -> Failure {
    Failure { kind: FailureKind::Interrupted, ..Failure::failed("left before everybody had answered") }
}
