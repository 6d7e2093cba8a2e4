//! Budgets, dry runs and prices with models that cost something: what is asked, what is not, and how it ends.

use s2s_mock::Plan;

use super::mock::{Lab, START};

/// Prices at which what is sent decides, so that a round costs about as much as was reserved for it.
const DEAR: &str = "models: {default: \"anthropic:claude-sonnet-5-5\", facilitator: \"anthropic:claude-sonnet-5-5\"}\n\
                    prices: {\"anthropic:claude-sonnet-5-5\": {input: 1000, output: 0.001}}\n";

#[test]
fn a_budget_too_small_for_a_round_pauses_and_a_larger_one_goes_on() {
    let lab = Lab::new(Plan::calm());
    let run = lab.start(&["--max-cost", "0.0001"]).is(5);
    let run =
        run.says(&["The budget of $0.0001 is too small for one round, which may cost up to $", "nobody was asked"]);
    let id = lab.folder.ids().remove(0);
    run.says(&[&format!("s2s roundtable resume {id} --max-cost USD\n")]);
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

#[test]
fn a_dry_run_says_how_far_a_budget_reaches() {
    let lab = Lab::new(Plan::calm());
    let told = lab.start(&["--dry-run", "--max-cost", "1000", "--json"]).ok().json();
    let reach = &told["forecast"]["budgets"][0];
    let number = |name: &str| reach[name].as_f64().unwrap();
    let (one, likely, most) = (number("one_round"), number("likely"), number("most"));
    assert!(0.0 < one && one < likely && likely < most, "{reach}");
    assert_eq!(told["forecast"]["first_round"]["cost_usd"], reach["one_round"]);
    for (budget, says) in [
        (one * 0.9, "is too small for one round, which may take up to $"),
        ((one + likely) / 2.0, "but likely not for the session ($"),
        ((likely + most) / 2.0, "and likely for the session, but not at most ($"),
        (most * 1.1, "is enough even at most ($"),
    ] {
        lab.start(&["--dry-run", "--max-cost", &format!("{budget:.6}")]).ok().shows(&["The budget of $", says]);
    }
    lab.start(&["--dry-run", "--max-calls", "1"]).ok().shows(&["The budget of 1 call is too small for one round"]);
    lab.start(&["--dry-run", "--max-tokens", "9000000"]).ok().shows(&["The budget of 9000000 tokens is enough"]);
    assert!(lab.mock.calls().is_empty());
    // What a dry run calls enough for one round begins, and what it calls too small does not.
    lab.start(&["--max-cost", &format!("{:.6}", one * 0.999)]).is(5).says(&["is too small for one round"]);
    assert!(lab.mock.calls().is_empty());
    lab.start(&["--max-cost", &format!("{:.6}", one * 1.001)]);
    assert!(lab.folder.ids().len() > 1 && lab.mock.calls().len() >= 5, "{:?}", lab.mock.asked());
}

#[test]
fn at_least_is_not_undercut_by_a_warm_cache() {
    let settings = "models: {default: \"anthropic:claude-sonnet-5-5\", facilitator: \"anthropic:claude-sonnet-5-5\"}\n\
        prices: {\"anthropic:claude-sonnet-5-5\": {input: 100, cached_input: 1, cache_write: 125, output: 0.001}}\n";
    let lab = Lab::new(Plan::calm()).settings(settings);
    let least = lab.start(&["--dry-run", "--json"]).ok().json()["forecast"]["least"].clone();
    // The second session finds what the first one sent in the provider's cache.
    lab.start(&[]).ok();
    lab.start(&[]).ok();
    let bill = lab.run(&["session", "cost", "--json"]).ok().json()["bill"]["total"].clone();
    assert!(bill["cached_tokens"].as_u64().unwrap() > 0, "{bill}");
    assert!(least["cost_usd"].as_f64().unwrap() <= bill["cost_usd"].as_f64().unwrap(), "{least} {bill}");
}

#[test]
fn a_budget_of_nothing_is_refused_whatever_it_counts() {
    let lab = Lab::new(Plan::calm());
    for flag in ["--max-cost", "--max-calls", "--max-tokens", "--max-minutes"] {
        lab.start(&[flag, "0"]).is(2).says(&[flag]);
    }
    for name in ["max_cost_usd", "max_calls", "max_tokens", "max_minutes"] {
        lab.folder.write(".s2s/config.yaml", format!("roundtable: {{limits: {{{name}: 0}}}}\n"));
        lab.start(&[]).is(2).says(&[name]);
    }
    assert!(lab.folder.ids().is_empty());
}

#[test]
fn one_of_a_thing_is_not_told_in_the_plural() {
    let lab = Lab::new(Plan::calm());
    lab.start(&["--max-calls", "1"])
        .is(5)
        .says(&["The budget of 1 call is too small for one round, which takes 5 calls"]);
    lab.run(&["session", "validate"]).ok().shows(&["0 rounds"]);
    lab.run(&["roundtable", "resume", "--max-calls", "6", "--yes"]).is(5);
    lab.run(&["session", "validate"]).ok().shows(&["1 round,"]);
    lab.run(&["session", "verify"]).ok().shows(&["1 round, 5 prompts rendered again, 1 round shown blind"]);
    lab.run(&["session", "replay"]).ok().shows(&["1 round from 5 replies"]);
}

#[test]
fn the_closing_recap_names_the_models_that_stood_in() {
    let settings = "models:\n  default: \"anthropic:claude-sonnet-5-5\"\n  facilitator: \"anthropic:claude-sonnet-5-5\"\n  \
                    fallback: {default: [\"openai:gpt-6.1-terra\"]}\n";
    let lab = Lab::new(Plan::calm().on_model("claude", s2s_mock::Act::Status(401))).settings(settings);
    let run = lab.start(&[]).ok();
    let closing = run.out.split_once("Roundtable Complete!").expect("a closing recap").1;
    let closing = closing.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(closing.contains("Stand-ins answered: openai:gpt-6.1-terra for"), "{closing}");
    let shown = lab.run(&["roundtable", "show"]).ok().out;
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("Stand-ins answered: openai:gpt-6.1-terra for"), "{shown}");
    let models = lab.run(&["session", "cost", "--json"]).ok().json()["bill"]["models"].clone();
    assert_eq!(models["anthropic:claude-sonnet-5-5"]["input_tokens"], 0, "{models}");
    assert!(models["anthropic:claude-sonnet-5-5"]["calls"].as_u64().unwrap() > 0, "{models}");
}
