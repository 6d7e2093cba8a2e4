//! Budgets, dry runs and prices with models that cost something: what is asked, what is not, and how it ends.

use s2s_mock::Plan;

use super::mock::{Lab, START};

/// Prices at which what is sent decides, so that a round costs about as much as was reserved for it.
const DEAR: &str = "models: {default: \"anthropic:claude-sonnet-5-5\", facilitator: \"anthropic:claude-sonnet-5-5\"}\n\
                    prices: {\"anthropic:claude-sonnet-5-5\": {input: 1000, output: 0.001}}\n";

#[test]
fn a_budget_too_small_for_a_round_pauses_and_a_larger_one_goes_on() {
    let lab = Lab::new(Plan::calm());
    lab.start(&["--max-cost", "0.0001"]).is(5).says(&["budget of $0.0001", "more needed", "s2s roundtable resume"]);
    assert!(lab.mock.calls().is_empty(), "nothing may be asked");
    assert_eq!(lab.folder.only()["status"], "paused");
    lab.run(&["roundtable", "resume", "--max-cost", "20", "--yes"]).ok();
    assert_eq!(lab.folder.only()["status"], "completed");
}

#[test]
fn d2_a_budget_reached_midway_concludes_with_a_document() {
    let lab = Lab::new(Plan::calm()).settings(DEAR);
    lab.start(&["--max-cost", "20"]).is(5).says(&["ended early: Reached the budget of $20.00"]);
    let minutes = lab.folder.only();
    assert_eq!(minutes["status"], "completed");
    let rounds = minutes["rounds"].as_array().unwrap().len();
    assert!((1..3).contains(&rounds), "{rounds}");
    let file = minutes["outcome"]["file"].as_str().unwrap();
    assert!(lab.folder.path().join(file).exists(), "{file}");
    let bill = lab.run(&["session", "cost", "--json"]).ok().json();
    assert!(bill["bill"]["total"]["cost_usd"].as_f64().unwrap() <= 20.0, "{bill}");
}

#[test]
fn max_calls_is_never_exceeded() {
    for most in [1, 4, 5, 9, 12] {
        let lab = Lab::new(Plan::calm());
        lab.start(&["--max-calls", &most.to_string()]).is(5);
        assert!(lab.mock.calls().len() <= most, "{} of {most}", lab.mock.calls().len());
    }
}

#[test]
fn failed_tries_count_for_max_calls() {
    let lab = Lab::new(Plan::calm().on_call(2, s2s_mock::Act::CutInJson).on_call(3, s2s_mock::Act::CutInJson));
    lab.start(&["--max-calls", "9"]).is(5);
    assert!(lab.mock.calls().len() <= 9);
}

#[test]
fn a_dry_run_asks_nobody_and_keeps_nothing() {
    let lab = Lab::new(Plan::calm());
    lab.start(&["--dry-run"]).ok().shows(&["Nobody was asked", "at least", "at most", "No budget is set"]);
    let value = lab.start(&["--dry-run", "--json"]).ok().json();
    assert!(value["forecast"]["most"]["cost_usd"].as_f64().unwrap() > 0.0, "{value}");
    assert!(lab.mock.calls().is_empty());
    assert!(lab.folder.ids().is_empty());
}

#[test]
fn a_budget_in_dollars_needs_a_price() {
    let settings = "providers: {far: {api: openai, base_url: \"https://models.invalid/v1\"}}\n";
    let lab = Lab::new(Plan::calm()).own_settings(settings);
    let run = lab.start(&["--model", "far:unheard-of", "--max-cost", "1"]).is(2);
    run.says(&["the price of far:unheard-of is not known", "`prices:`", "--max-tokens"]);
    assert!(lab.folder.ids().is_empty());
    let priced = format!("{settings}prices: {{\"far:unheard-of\": {{input: 1, output: 2}}}}\n");
    let lab = lab.own_settings(&priced);
    lab.run(&[&START[..], &["--model", "far:unheard-of", "--max-cost", "1", "--dry-run"]].concat()).ok();
}

#[test]
fn what_a_session_cost_is_told_by_round_seat_and_model() {
    let lab = Lab::new(Plan::calm());
    lab.start(&["--seat", "technical-lead=openai:gpt-6.1-sol"]).ok().shows(&["Cost          $0.0"]);
    let run = lab.run(&["session", "cost"]).ok();
    run.shows(&["round 1", "technical-lead", "openai:gpt-6.1-sol", "anthropic:claude-opus-5-5", "in all"]);
    let bill = lab.run(&["session", "cost", "--json"]).ok().json();
    assert_eq!(bill["bill"]["total"]["calls"], lab.mock.calls().len());
}
