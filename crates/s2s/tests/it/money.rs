//! What was amiss with money, tokens and time, each with the test named after it: what a round must be able to cost,
//! what a lost reply counts at, whom a failed try is billed to, and the time that is kept for the summing up.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use s2s::bill::Bill;
use s2s::convene::Convened;
use s2s::engine::Unattended;
use s2s::forecast::forecast;
use s2s::models::money::Amount;
use s2s::models::{Fault, FaultKind, Reply, Speaker, Try, Usage};
use s2s::panel::{Answering, Call, Panel};
use s2s::roundtable::{Clock, Ended, Paused, Roundtable, dollars, dollars_at_most, spent_on};
use s2s::store::{InMemory, Minutes, Panel as PanelKind, TapeLine, Taped};

use crate::world::{AGREEABLE, Still, Table, agreeable_with_votes, run, script};

/// The most tokens of a reply, and what a token costs.
const LONGEST: u64 = 1_000;
const EACH: f64 = 1e-5;

type Change = Arc<dyn Fn(&str, Result<Reply, Fault>) -> Result<Reply, Fault> + Send + Sync>;

/// A scripted panel that is paid by the token, as models are; what comes back can be changed by seat.
struct Paid {
    inner: Arc<dyn Panel>,
    change: Change,
}

impl Panel for Paid {
    fn ask(&self, call: Call<'_>) -> Answering {
        let (purse, seat) = (Arc::clone(call.purse), call.brief.call.seat.to_string());
        let most = self.at_most(&seat, call.prompt.tokens_at_most());
        let (answering, change) = (self.inner.ask(call), Arc::clone(&self.change));
        Box::pin(async move {
            purse.reserve(most)?;
            // The others of the step reserve theirs before this one is back.
            tokio::task::yield_now().await;
            let mut result = answering.await;
            let usage = Usage { input_tokens: 400, output_tokens: 100, cost_usd: 500.0 * EACH, ..Usage::default() };
            if let Ok(reply) = &mut result {
                reply.usage = usage;
            }
            purse.settle(most, Amount::of(&usage));
            change(&seat, result)
        })
    }

    fn kind(&self) -> PanelKind {
        PanelKind::Models
    }

    fn note(&self) -> String {
        "3 seats, 1 model family (test).".to_owned()
    }

    fn seat_model(&self, _seat: &str) -> (String, String) {
        ("one:large".to_owned(), "one".to_owned())
    }

    fn pays(&self) -> bool {
        true
    }

    fn at_most(&self, _seat: &str, input_tokens: u64) -> Amount {
        let tokens = input_tokens + LONGEST;
        Amount { calls: 1, tokens, usd: tokens as f64 * EACH }
    }
}

fn paid(text: &str) -> Arc<dyn Panel> {
    changed(text, |_, result| result)
}

fn changed(
    text: &str,
    change: impl Fn(&str, Result<Reply, Fault>) -> Result<Reply, Fault> + Send + Sync + 'static,
) -> Arc<dyn Panel> {
    Arc::new(Paid { inner: script(text), change: Arc::new(change) })
}

fn asked(tape: &[TapeLine]) -> usize {
    tape.iter().filter(|line| matches!(line.what, Taped::Asked(_))).count()
}

#[tokio::test]
async fn a_first_round_is_admitted_as_a_whole_or_not_begun() {
    for strategy in ["standard", "debate", "disney", "six-hats"] {
        let panel = paid(&agreeable_with_votes());
        let mut table = Table { strategy, ..Table::default() };
        let Convened { opening, charter } = table.convened(&*panel);
        let whole = forecast(&opening, &charter, &*panel).expect("a forecast").first_round;
        let calls = u32::try_from(whole.calls).expect("few calls");
        for (max_calls, max_tokens, begins) in [
            (Some(calls - 1), None, false),
            (Some(calls), None, true),
            (None, Some(whole.tokens - 1), false),
            (None, Some(whole.tokens), true),
        ] {
            let limits = &mut table.config.roundtable.limits;
            (limits.max_calls, limits.max_tokens) = (max_calls, max_tokens);
            let mut held = table.begin(Arc::clone(&panel));
            let (ended, _) = run(&mut held, Unattended::Accept).await;
            let rounds = held.session().rounds().len();
            let tape = held.keeper().lines();
            match begins {
                true => assert!(rounds > 0 && matches!(ended, Ended::Completed(_)), "{strategy} {whole:?}: {ended:?}"),
                false => assert_eq!((rounds, asked(tape)), (0, 0), "{strategy} {whole:?}: {ended:?}"),
            }
        }
    }
}

#[tokio::test]
async fn a_question_longer_than_expected_strands_no_round() {
    let long = format!("A web shop {}", "with very many developers ".repeat(400));
    let text = agreeable_with_votes().replace("A web shop with two developers", &long);
    let panel = paid(&text);
    let mut table = Table::default();
    let Convened { opening, charter } = table.convened(&*panel);
    let whole = forecast(&opening, &charter, &*panel).expect("a forecast").first_round;
    table.config.roundtable.limits.max_tokens = Some(whole.tokens);
    let mut held = table.begin(panel);
    let (ended, _) = run(&mut held, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Completed(_)), "{ended:?}");
    let round = &held.session().rounds()[0];
    assert!((1..3).contains(&round.no_response.len()), "some could be paid for: {:?}", round.no_response);
    assert!(round.degraded.is_empty(), "the summing up was kept back: {:?}", round.degraded);
    assert!(held.spent().amount.tokens <= whole.tokens);
}

#[tokio::test]
async fn a_budget_too_small_for_one_round_says_so_and_what_a_round_may_cost() {
    let panel = paid(&agreeable_with_votes());
    let mut table = Table::default();
    table.config.roundtable.limits.max_cost_usd = Some(0.01);
    let Convened { opening, charter } = table.convened(&*panel);
    let told = forecast(&opening, &charter, &*panel).expect("a forecast");
    let reach = told.budgets[0];
    assert!(
        reach.budget < reach.one_round && reach.one_round <= reach.likely && reach.likely <= reach.most,
        "{reach:?}"
    );
    let (ended, _) = run(&mut table.begin(Arc::clone(&panel)), Unattended::Accept).await;
    let needed = dollars_at_most(told.first_round.cost_usd);
    let said =
        format!("The budget of $0.0100 is too small for one round, which may cost up to {needed}; nobody was asked");
    assert_eq!(ended, Ended::Paused(Paused::OverBudget(said)));
    // A budget of what was said to be needed is enough.
    table.config.roundtable.limits.max_cost_usd = needed.trim_start_matches('$').parse().ok();
    let (ended, _) = run(&mut table.begin(panel), Unattended::Accept).await;
    assert!(matches!(ended, Ended::Completed(_)), "{ended:?}");
    assert_eq!([dollars(0.123), dollars_at_most(0.123), dollars_at_most(0.01)], ["$0.12", "$0.13", "$0.0100"]);
}

#[tokio::test]
async fn l7_a_lost_reply_counts_all_tokens_that_were_reserved() {
    let mut table = Table::default().begin(paid(&agreeable_with_votes()));
    run(&mut table, Unattended::Accept).await;
    let whole = table.spent().amount;
    let (_, tape) = table.into_keeper().into_parts();
    let last = tape.iter().rev().find(|line| matches!(line.what, Taped::Answered(_))).expect("an answer").seq;
    let killed: Vec<TapeLine> = tape.into_iter().filter(|line| line.seq != last).collect();
    let reserved = killed.iter().rev().find_map(|line| match &line.what {
        Taped::Asked(asked) => Some((asked.reserved_tokens, asked.reserved_usd)),
        _ => None,
    });
    let (tokens, usd) = reserved.expect("a call");
    assert!(tokens > LONGEST && (usd - tokens as f64 * EACH).abs() < 1e-9, "{tokens} {usd}");
    let after = spent_on(&killed).amount;
    assert_eq!((after.calls, after.tokens), (whole.calls, whole.tokens - 500 + tokens));
    let bill = Bill::of(&killed);
    assert_eq!(bill.unanswered, 1);
    assert_eq!(bill.total.input_tokens + bill.total.output_tokens, after.tokens, "the bill and the ledger agree");
    assert!((bill.total.cost_usd - after.usd).abs() < 1e-9);
}

#[tokio::test]
async fn tokens_of_failed_tries_are_billed_to_the_model_that_was_asked() {
    let cut = Usage { input_tokens: 300, output_tokens: 7, cost_usd: 0.25, ..Usage::default() };
    let failed = move |model: &str| Try {
        after: Duration::ZERO,
        model: model.to_owned(),
        error: "cut off".to_owned(),
        sent: true,
        usage: cut,
        request_id: None,
    };
    let panel = changed(AGREEABLE, move |seat, result| match (seat, result) {
        ("qa-lead", Ok(reply)) => {
            let by = Some(Speaker { model: "two:small".to_owned(), family: "two".to_owned() });
            Ok(Reply { by, tries: vec![failed("one:large")], ..reply })
        }
        ("technical-lead", Ok(_)) => {
            let fault = Fault::new(FaultKind::Cut, "ended early");
            let (tries, model) = (vec![failed("one:large")], Some("two:small".to_owned()));
            Err(Fault { usage: cut, tries, model: model.map(Into::into), ..fault })
        }
        (_, result) => result,
    });
    let mut table = Table::default().begin(panel);
    run(&mut table, Unattended::Accept).await;
    let rounds = table.session().rounds().len() as u64;
    let bill = Bill::of(table.keeper().lines());
    let (large, small) = (&bill.models["one:large"], &bill.models["two:small"]);
    let per_round = (small.input_tokens / rounds, small.output_tokens / rounds, u64::from(small.calls) / rounds);
    assert_eq!(per_round, (400 + 300, 100 + 7, 2), "one whole reply and one cut one: {bill:?}");
    assert_eq!(large.input_tokens + small.input_tokens, bill.total.input_tokens);
    assert_eq!(large.calls + small.calls, bill.total.calls);
    assert!((large.cost_usd + small.cost_usd - bill.total.cost_usd).abs() < 1e-9, "{bill:?}");
}

/// A clock that goes on while calls are waited for.
#[derive(Clone)]
struct Passing(Arc<Mutex<Timestamp>>);

impl Clock for Passing {
    fn now(&self) -> Timestamp {
        *self.0.lock().expect("a time")
    }
}

impl Passing {
    fn reach(&self, end: Timestamp) {
        let mut now = self.0.lock().expect("a time");
        *now = end.max(*now);
    }
}

/// Ten seconds for every call, but one seat never answers.
struct Slow {
    inner: Arc<dyn Panel>,
    clock: Passing,
}

impl Panel for Slow {
    fn ask(&self, call: Call<'_>) -> Answering {
        let hangs = &*call.brief.call.seat == "qa-lead";
        let left = call.time_left.expect("a limit");
        let took = if hangs { left } else { Duration::from_secs(10) };
        let (then, clock) = (self.clock.now(), self.clock.clone());
        let answering = self.inner.ask(call);
        Box::pin(async move {
            let end = then + SignedDuration::try_from(took.min(left)).expect("short");
            clock.reach(end);
            match hangs || took > left {
                true => Err(Fault::new(FaultKind::Timeout, "no reply in time")),
                false => answering.await,
            }
        })
    }

    fn kind(&self) -> PanelKind {
        PanelKind::Models
    }

    fn note(&self) -> String {
        self.inner.note()
    }

    fn seat_model(&self, seat: &str) -> (String, String) {
        self.inner.seat_model(seat)
    }
}

#[tokio::test]
async fn d2_max_minutes_keeps_time_so_that_the_round_under_way_can_be_summed_up() {
    let clock = Passing(Arc::new(Mutex::new(Still.now())));
    let panel: Arc<dyn Panel> = Arc::new(Slow { inner: script(&agreeable_with_votes()), clock: clock.clone() });
    let mut table = Table::default();
    table.config.roundtable.limits.max_minutes = Some(1.0);
    let Convened { opening, charter } = table.convened(&*panel);
    let minutes = Minutes::new(&opening, Still.now(), panel.kind(), &panel.note(), "CONTEXT.md").expect("minutes");
    let mut held = Roundtable::begin(InMemory::new(minutes), charter, panel, Arc::new(clock)).expect("begins");
    let (ended, _) = run(&mut held, Unattended::Accept).await;
    let Ended::Completed(outcome) = ended else { panic!("{ended:?}") };
    assert_eq!(outcome.consensus.len(), 1, "{outcome:?}");
    let rounds = held.session().rounds();
    assert_eq!(rounds.len(), 1);
    assert!(rounds[0].degraded.is_empty(), "the facilitator had its time: {:?}", rounds[0].degraded);
    assert_eq!(rounds[0].no_response.len(), 1);
    assert!(held.spent().waited <= Duration::from_secs(60), "{:?}", held.spent());
    let stop = held.session().interventions().last().and_then(|stop| stop.text.clone());
    assert_eq!(stop.as_deref(), Some("Reached the budget of 1 minute"));
}
