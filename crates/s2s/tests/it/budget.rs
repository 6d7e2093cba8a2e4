//! Budgets: reserved before each call, one ledger over all runs, and an end that says so (D2, L7).

use std::sync::Arc;

use s2s::audit;
use s2s::engine::Unattended;
use s2s::engine::record::InterventionKind;
use s2s::models::Usage;
use s2s::models::money::Amount;
use s2s::panel::{Answering, Call, Panel};
use s2s::roundtable::{Budgets, Ended, Notice, Paused, spent_on};
use s2s::store::{Keeper, Panel as PanelKind, Status, Taped};

use crate::world::{Table, agreeable_with_votes, run, script, take_up};

/// What a call can cost at most; it then costs half of it.
const MOST: f64 = 0.01;

/// A scripted panel whose calls cost something.
struct Priced(Arc<dyn Panel>);

impl Panel for Priced {
    fn ask(&self, call: Call<'_>) -> Answering {
        let (purse, most) = (Arc::clone(call.purse), self.at_most(&call.brief.call.seat, 0));
        let answering = self.0.ask(call);
        Box::pin(async move {
            purse.reserve(most)?;
            let mut result = answering.await;
            let usage = Usage { input_tokens: 400, output_tokens: 100, cost_usd: MOST / 2.0, ..Usage::default() };
            if let Ok(reply) = &mut result {
                reply.usage = usage;
            }
            purse.settle(most, Amount::of(&usage));
            result
        })
    }

    fn kind(&self) -> PanelKind {
        PanelKind::Models
    }

    fn note(&self) -> String {
        "3 seats, 1 model family (test).".to_owned()
    }

    fn seat_model(&self, seat: &str) -> (String, String) {
        self.0.seat_model(seat)
    }

    fn pays(&self) -> bool {
        true
    }

    fn at_most(&self, _seat: &str, _input_tokens: u64) -> Amount {
        Amount { calls: 1, tokens: 1_000, usd: MOST }
    }
}

fn priced() -> Arc<dyn Panel> {
    Arc::new(Priced(script(&agreeable_with_votes())))
}

fn table(max_cost_usd: Option<f64>, max_calls: Option<u32>, max_tokens: Option<u64>) -> Table {
    let mut table = Table::default();
    let limits = &mut table.config.roundtable.limits;
    (limits.max_cost_usd, limits.max_calls, limits.max_tokens) = (max_cost_usd, max_calls, max_tokens);
    table
}

/// Two rounds of five calls cost at most 0.05 each; the second one starts only if all of it is there.
#[tokio::test]
async fn d2_a_budget_of_money_is_never_gone_beyond_and_concludes_with_what_there_is() {
    for (budget, rounds) in [(0.05, 1), (0.074, 1), (0.075, 2), (0.099, 2)] {
        let mut table = table(Some(budget), None, None).begin(priced());
        let (ended, notices) = run(&mut table, Unattended::Accept).await;
        assert!(matches!(ended, Ended::Completed(_)), "{budget}: {ended:?}");
        assert_eq!(table.session().rounds().len(), rounds, "{budget}");
        assert!(table.spent().amount.usd <= budget + 1e-9, "{budget}: {:?}", table.spent());
        let minutes = table.keeper().minutes();
        let stop = minutes.interventions().last().expect("the budget's word");
        assert_eq!(stop.kind, InterventionKind::Budget);
        assert!(stop.text.as_ref().is_some_and(|text| text.starts_with("Reached the budget of $")), "{stop:?}");
        assert!(notices.iter().any(|notice| matches!(notice, Notice::Warned { text } if text.contains("budget"))));
        let report = audit::replay(minutes, table.keeper().lines()).expect("replays");
        assert!(report.is_clean() && report.identical, "{budget}: {:?}", report.findings);
        assert!(audit::verify(minutes, table.keeper().lines()).expect("verifies").is_clean());
    }
}

#[tokio::test]
async fn d2_calls_and_tokens_are_budgets_too() {
    for (calls, tokens) in [(Some(9), None), (None, Some(7_400))] {
        let mut table = table(None, calls, tokens).begin(priced());
        let (ended, _) = run(&mut table, Unattended::Accept).await;
        assert!(matches!(ended, Ended::Completed(_)), "{ended:?}");
        assert_eq!(table.session().rounds().len(), 1);
        let spent = table.spent().amount;
        assert!(calls.is_none_or(|most| spent.calls <= most) && tokens.is_none_or(|most| spent.tokens <= most));
    }
}

#[tokio::test]
async fn a_budget_below_one_round_asks_nobody_and_waits_for_more() {
    let mut table = table(Some(0.049), None, None).begin(priced());
    let (ended, _) = run(&mut table, Unattended::Accept).await;
    assert!(
        matches!(&ended, Ended::Paused(Paused::OverBudget(text)) if text.contains("$0.0490 is too small for one round")),
        "{ended:?}"
    );
    let asked = table.keeper().lines().iter().filter(|line| matches!(line.what, Taped::Asked(_))).count();
    assert_eq!((asked, table.keeper().minutes().status()), (0, Status::Paused));
    let (minutes, tape) = table.into_keeper().into_parts();
    let mut again = take_up(minutes, tape, priced());
    again.set_budgets(Budgets { usd: Some(5.0), ..Budgets::default() }).expect("a larger budget");
    let (ended, _) = run(&mut again, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Completed(_)), "{ended:?}");
}

#[tokio::test]
async fn l7_one_ledger_counts_over_all_runs_and_calls_in_flight_count_at_their_most() {
    let mut table = table(None, None, None).begin(priced());
    run(&mut table, Unattended::Accept).await;
    let spent = table.spent();
    let (minutes, tape) = table.into_keeper().into_parts();
    assert_eq!(spent_on(&tape).amount.calls, spent.amount.calls);
    assert!((spent_on(&tape).amount.usd - spent.amount.usd).abs() < 1e-9);
    // Without its last answer, that call was in flight when the run was killed.
    let answered = |line: &&s2s::store::TapeLine| matches!(line.what, Taped::Answered(_));
    let last = tape.iter().rev().find(answered).expect("an answer").seq;
    let killed: Vec<_> = tape.into_iter().filter(|line| line.seq != last).collect();
    let after = spent_on(&killed).amount;
    assert_eq!(after.calls, spent.amount.calls);
    assert!((after.usd - (spent.amount.usd - MOST / 2.0 + MOST)).abs() < 1e-9, "{after:?}");
    assert!(after.tokens > 0);
    drop(minutes);
}
