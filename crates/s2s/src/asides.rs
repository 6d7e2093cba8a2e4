//! Asking one seat something once its session is over, or while it waits: beside the record, never in it.
//! Given the record, the texts the session began with and a panel; renders a prompt with the seat's own answers, the
//! syntheses and the outcome, asks, and keeps question and answer in `asides.jsonl`. Other seats' answers are not in the
//! prompt. Deliberately absent: any change of minutes or tape, and whether the prompt may be sent (the caller looks for
//! secrets in it).

use std::sync::Arc;
use std::time::Duration;

use s2s_catalog::Catalog;
use s2s_engine::Session;
use s2s_engine::opening::FACILITATOR;
use s2s_engine::record::{Outcome, SeatResponse, Usage};
use s2s_models::money::{Amount, Purse};
use s2s_models::{Fault, FaultKind, Prompt, Reply};
use s2s_store::{Aside, AsideAnswered, AsideAsked, AsideEnd, AsideFailed, Asides, Minutes, Sessions};
use serde::Serialize;

use crate::failure::{Failure, FailureKind};
use crate::panel::{AsideCall, Panel};
use crate::prompts::Charter;
use crate::roundtable::{Budgets, Clock, Ledger, usage, within_size};

/// How alike two names are that may be meant for each other.
const ALIKE: f64 = 0.7;

/// A question to one seat, ready to be asked.
#[derive(Debug)]
pub struct Prepared {
    id: String,
    session: Session,
    seat: String,
    question: String,
    prompt: Arc<Prompt>,
    earlier: Usage,
}

/// What a question is put together from.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The record.
    pub minutes: &'a Minutes,
    /// The session that it folds into, with its answers.
    pub session: &'a Session,
    /// The texts it began with.
    pub charter: &'a Charter,
    /// Where the prompt is.
    pub catalog: &'a Catalog,
    /// What was asked before.
    pub asides: &'a Asides,
    /// Who is asked, as the table names it.
    pub seat: &'a str,
    /// What.
    pub question: &'a str,
}

#[derive(Serialize)]
struct Values<'a> {
    over: bool,
    topic: &'a str,
    side: Option<&'static str>,
    context: &'a str,
    rounds: Vec<RoundGiven<'a>>,
    rulings: Vec<RulingGiven>,
    outcome: Option<OutcomeGiven<'a>>,
    conflicts: Vec<&'a str>,
    earlier: Vec<Earlier<'a>>,
    question: &'a str,
}

#[derive(Serialize)]
struct RoundGiven<'a> {
    number: u32,
    phase: &'a str,
    question: &'a str,
    own: Option<&'a SeatResponse>,
    synthesis: &'a str,
}

#[derive(Serialize)]
struct RulingGiven {
    round: u32,
    text: String,
}

#[derive(Serialize)]
struct OutcomeGiven<'a> {
    recommendation: Option<&'a str>,
    consensus: Vec<&'a str>,
    unresolved: Vec<&'a str>,
}

#[derive(Serialize)]
struct Earlier<'a> {
    question: &'a str,
    reply: &'a str,
}

/// The seat that a person means, by its id or its name in any case; the facilitator is one of them here.
///
/// # Errors
/// If nobody at the table is called so; with the nearest name, and all of them.
pub fn seat_named(minutes: &Minutes, asked: &str) -> Result<String, Failure> {
    let wanted = asked.trim().to_lowercase();
    let ids = || minutes.seats().iter().map(|seat| seat.id.as_ref()).chain([FACILITATOR]);
    if let Some(id) = ids().find(|id| id.to_lowercase() == wanted) {
        return Ok(id.to_owned());
    }
    if let Some(seat) = minutes.seats().iter().find(|seat| seat.name.to_lowercase() == wanted && !wanted.is_empty()) {
        return Ok(seat.id.to_string());
    }
    let near = ids().map(|id| (strsim::jaro_winkler(&wanted, &id.to_lowercase()), id));
    let near = near.filter(|(alike, _)| *alike > ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id);
    let meant = near.map(|id| format!("; did you mean \"{id}\"?")).unwrap_or_default();
    let all: Vec<&str> = ids().collect();
    Err(Failure::bad_input(format!("nobody at the table of session {} is called \"{asked}\"{meant}", minutes.id()))
        .next(format!("name one of: {}", all.join(", "))))
}

/// What all asides of a session cost.
pub fn cost(asides: &Asides) -> Usage {
    let mut all = Usage::default();
    for usage in asides.list.iter().map(Aside::usage) {
        all.calls += usage.calls;
        all.duration_ms += usage.duration_ms;
        all.add_tokens(&usage);
    }
    all
}

/// Puts a question together; nobody is asked yet.
///
/// # Errors
/// If nothing was asked, the seat is a person's, or the prompt cannot be rendered.
pub fn prepare(request: Request<'_>) -> Result<Prepared, Failure> {
    let Request { minutes, session, charter, catalog, asides, seat, question } = request;
    let question = question.trim();
    if question.is_empty() {
        return Err(Failure::bad_input("there is no question")
            .next(format!("put it in quotes: s2s ask {} {seat} \"What would change your mind?\"", minutes.id())));
    }
    let human = |model: &str| model == "human" || model.starts_with("human:");
    if minutes.seats().iter().any(|known| *known.id == *seat && human(&known.model)) {
        return Err(Failure::bad_input(format!("{seat} is a person, and is not asked through s2s after the session"))
            .next("ask them yourself, or name another seat"));
    }
    let own = |round: u32| session.answers_of(round)?.iter().find(|answer| *answer.participant == *seat);
    let rounds = minutes.rounds().iter().map(|round| RoundGiven {
        number: round.number,
        phase: &round.phase,
        question: &round.question,
        own: own(round.number),
        synthesis: &round.synthesis,
    });
    let rulings = minutes.escalations().iter().filter_map(|escalation| {
        let ruling = escalation.ruling.as_ref()?;
        let text = ruling.text.clone().unwrap_or_else(|| ruling.choice.to_string());
        Some(RulingGiven { round: escalation.round, text })
    });
    let earlier = asides.list.iter().filter(|aside| aside.asked.seat == seat);
    let values = Values {
        over: minutes.outcome().is_some(),
        topic: minutes.topic(),
        side: side(minutes, seat),
        context: minutes.context_now(),
        rounds: rounds.collect(),
        rulings: rulings.collect(),
        outcome: minutes.outcome().map(outcome_given),
        conflicts: session.open_conflicts().map(|conflict| conflict.description.as_str()).collect(),
        earlier: earlier
            .filter_map(|aside| Some(Earlier { question: &aside.asked.question, reply: &aside.answer()?.reply }))
            .collect(),
        question,
    };
    let user = catalog.prompt("aside")?.value.render(values)?;
    let system: Arc<str> = charter.roles.get(seat).map_or("", |text| text.trim()).into();
    Ok(Prepared {
        id: minutes.id().to_owned(),
        session: session.clone(),
        seat: seat.to_owned(),
        question: question.to_owned(),
        prompt: Arc::new(Prompt { system, user }),
        earlier: cost(asides),
    })
}

fn side(minutes: &Minutes, seat: &str) -> Option<&'static str> {
    let sides = minutes.sides()?;
    let on = |seats: &[s2s_engine::opening::SeatId]| seats.iter().any(|known| **known == *seat);
    if on(&sides.pro) { Some("for the proposal") } else { on(&sides.con).then_some("against the proposal") }
}

fn outcome_given(outcome: &Outcome) -> OutcomeGiven<'_> {
    OutcomeGiven {
        recommendation: outcome.recommendation.as_deref(),
        consensus: outcome.consensus.iter().map(String::as_str).collect(),
        unresolved: outcome.unresolved.iter().map(String::as_str).collect(),
    }
}

impl Prepared {
    /// What a model would be sent.
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }

    /// Asks, and keeps question and answer. The budgets hold for all asides of the session together; what the session
    /// itself has cost does not count.
    ///
    /// # Errors
    /// If a budget does not allow it, nobody answers, or the file cannot be written. What was asked is kept all the same.
    pub async fn carry_out(
        self,
        sessions: &Sessions,
        panel: &dyn Panel,
        budgets: Budgets,
        by: &str,
        clock: &dyn Clock,
    ) -> Result<Aside, Failure> {
        let most = panel.at_most(&self.seat, self.prompt.tokens_at_most());
        let left = self.left(budgets, most)?;
        let ledger = Ledger::new(left, &[]);
        let time = left.minutes.map(|minutes| Duration::try_from_secs_f64(minutes * 60.0).unwrap_or(Duration::MAX));
        let purse: Arc<dyn Purse> = Arc::new(ledger);
        let call = AsideCall {
            session: &self.session,
            seat: &self.seat,
            question: &self.question,
            prompt: &self.prompt,
            purse: &purse,
            time_left: time,
        };
        let answering = panel.aside(call);
        let asked = AsideAsked {
            seat: self.seat.clone(),
            question: self.question.clone(),
            by: by.to_owned(),
            model: panel.seat_model(&self.seat).0,
            prompt_digest: digest(&self.prompt),
            reserved_usd: most.usd,
            reserved_tokens: most.tokens,
        };
        let asked_at = clock.now();
        // Nothing is polled, so nothing is sent, before the question is on the disk.
        let number = sessions.keep_aside(&self.id, asked_at, asked.clone())?;
        let result = match panel.pays() {
            true => answering.await,
            false => paid(answering, &purse).await,
        };
        let at = clock.now();
        let took = u64::try_from(at.duration_since(asked_at).as_millis()).unwrap_or_default();
        let end = ended(&result, at, took);
        sessions.end_aside(&self.id, number, at, end.clone())?;
        match result {
            Ok(_) => Ok(Aside { number, at: asked_at, asked, end: Some(end) }),
            Err(fault) => Err(self.failure(fault)),
        }
    }

    /// The budgets without what was asked before; a question that they do not reach is not asked.
    fn left(&self, budgets: Budgets, most: Amount) -> Result<Budgets, Failure> {
        let spent = &self.earlier;
        let tokens = spent.input_tokens.saturating_add(spent.output_tokens);
        let left = Budgets {
            calls: budgets.calls.map(|most| most.saturating_sub(spent.calls)),
            usd: budgets.usd.map(|most| (most - spent.cost_usd).max(0.0)),
            tokens: budgets.tokens.map(|most| most.saturating_sub(tokens)),
            minutes: budgets.minutes.map(|most| (most - spent.duration_ms as f64 / 60_000.0).max(0.0)),
        };
        let over = [
            (left.calls.is_some_and(|left| left < most.calls), "--max-calls N", "calls"),
            (left.usd.is_some_and(|left| left < most.usd), "--max-cost USD", "dollars"),
            (left.tokens.is_some_and(|left| left < most.tokens), "--max-tokens N", "tokens"),
            (left.minutes.is_some_and(|left| left <= 0.0), "--max-minutes N", "minutes"),
        ];
        match over.iter().find(|(is_over, ..)| *is_over) {
            None => Ok(left),
            Some((_, flag, of)) => Err(Failure {
                kind: FailureKind::Budget,
                ..Failure::failed(format!(
                    "nobody was asked: the budget in {of} for what is asked afterwards does not reach"
                ))
                .next(format!("raise it: {flag}"))
            }),
        }
    }

    fn failure(&self, fault: Fault) -> Failure {
        let kind = if fault.kind == FaultKind::Budget { FailureKind::Budget } else { FailureKind::NoAnswer };
        let failure = Failure { kind, ..Failure::failed(format!("{} gave no answer: {fault}", self.seat)) };
        match fault.next {
            Some(next) => failure.next(next),
            None => failure.next(format!("the session is as it was; ask again: s2s ask {} {} …", self.id, self.seat)),
        }
    }
}

fn ended(result: &Result<Reply, Fault>, at: jiff::Timestamp, took: u64) -> AsideEnd {
    match result {
        Ok(reply) => {
            let reply = within_size(reply.clone());
            let usage = Usage { duration_ms: took, ..usage(&reply.usage, true, &reply.tries) };
            AsideEnd::Answered(AsideAnswered {
                answered_at: at,
                answered_by: reply.by.map(|by| by.model),
                stop: reply.stop.as_str().to_owned(),
                usage,
                request_id: reply.request_id,
                reply: reply.text,
            })
        }
        Err(fault) => {
            let usage = Usage { duration_ms: took, ..usage(&fault.usage, fault.kind.was_sent(), &fault.tries) };
            AsideEnd::Failed(AsideFailed { failed_at: at, error: fault.to_string(), usage })
        }
    }
}

fn digest(prompt: &Prompt) -> String {
    let mut hasher = blake3::Hasher::new();
    // The length keeps the two parts apart.
    hasher.update(&(prompt.system.len() as u64).to_le_bytes());
    hasher.update(prompt.system.as_bytes()).update(prompt.user.as_bytes());
    hasher.finalize().to_hex().to_string()
}

/// A call of a panel that does not pay by itself.
async fn paid(answering: crate::panel::Answering, purse: &Arc<dyn Purse>) -> Result<Reply, Fault> {
    let one = Amount { calls: 1, ..Amount::default() };
    purse.reserve(one)?;
    let result = answering.await;
    purse.settle(one, one);
    result
}
