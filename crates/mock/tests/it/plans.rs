//! Which call meets which act, and when the answer comes.

use std::time::Duration;

use s2s_mock::{Act, Format, Plan, Server, When};
use serde_json::json;

use crate::client::{Line, access, ask, body, call, path};

async fn outcomes(plan: Plan, calls: usize) -> Vec<&'static str> {
    let server = Server::start(plan).await.unwrap();
    for _ in 0..calls {
        call(&server, Format::OpenAi).await;
    }
    server.calls().iter().map(|seen| seen.outcome).collect()
}

#[tokio::test]
async fn the_first_rule_that_fits_decides() {
    let plan = Plan::calm().on_call(2, Act::Empty).on_calls(2..=3, Act::Length);
    assert_eq!(outcomes(plan, 4).await, ["answer", "empty", "length", "answer"]);
}

#[tokio::test]
async fn a_rule_can_be_used_up() {
    let plan = Plan::calm().on_model("large", Act::Status(503)).times(2).always(Act::Empty).times(1);
    assert_eq!(outcomes(plan, 4).await, ["status", "status", "empty", "answer"]);
}

#[tokio::test]
async fn a_rule_is_for_a_prompt_a_model_or_a_format() {
    let openai = When { format: Some(Format::OpenAi), ..When::default() };
    let plan = Plan::calm().on_prompt("# QA Lead", Act::Filter).on_model("small", Act::Length).when(openai, Act::Empty);
    let server = Server::start(plan).await.unwrap();
    call(&server, Format::Ollama).await;
    let mut asked = body(Format::Ollama, "# Architect", "U");
    asked["model"] = json!("mock-small");
    ask(&server, Format::Ollama, &asked).await;
    ask(&server, Format::OpenAi, &body(Format::OpenAi, "# Architect", "U")).await;
    ask(&server, Format::Ollama, &body(Format::Ollama, "# Architect", "U")).await;
    let outcomes: Vec<&str> = server.calls().iter().map(|seen| seen.outcome).collect();
    assert_eq!(outcomes, ["filter", "length", "empty", "answer"]);
}

#[tokio::test]
async fn a_share_is_the_same_for_the_same_seed() {
    let plan = |seed| Plan::calm().share(0.5, seed, &[Act::Empty, Act::Filter]);
    let (first, again, other) = (outcomes(plan(1), 40).await, outcomes(plan(1), 40).await, outcomes(plan(2), 40).await);
    assert_eq!(first, again);
    assert_ne!(first, other);
    let answered = first.iter().filter(|outcome| **outcome == "answer").count();
    assert!((10..=30).contains(&answered), "{first:?}");
    assert!(first.contains(&"empty") && first.contains(&"filter"));
}

#[tokio::test]
async fn words_are_said_in_order_and_then_the_usual() {
    let server = Server::start(Plan::calm().say("one").say("two")).await.unwrap();
    let mut said = Vec::new();
    for _ in 0..3 {
        said.push(call(&server, Format::Responses).await.said(Format::Responses));
    }
    assert_eq!(said, ["one", "two", "OK"]);
}

#[tokio::test]
async fn a_script_is_a_plan() {
    let script = "rules:\n- {prompt: one word, say: \"from a script\", times: 1}\n- {act: {status: 404}}\n";
    let server = Server::start(Plan::from_yaml(script).unwrap()).await.unwrap();
    assert_eq!(call(&server, Format::Gemini).await.said(Format::Gemini), "from a script");
    assert_eq!(call(&server, Format::Gemini).await.status, 404);
}

#[tokio::test]
async fn latency_and_pace_are_waited_for() {
    let plan = Plan::calm().latency(Duration::from_millis(40)).pace(Duration::from_millis(5)).piece_bytes(1);
    let server = Server::start(plan.on_call(2, Act::Late { after_ms: 0 })).await.unwrap();
    let start = std::time::Instant::now();
    call(&server, Format::Ollama).await;
    assert!(start.elapsed() >= Duration::from_millis(50));
    call(&server, Format::Ollama).await;
    assert_eq!(server.calls()[1].outcome, "late");
}

#[tokio::test]
async fn whoever_starts_it_is_told_of_every_call() {
    let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let server = Server::start_at(0, Plan::calm().counting_only(), move |seen| {
        told.send((seen.n, seen.outcome, seen.body["model"].clone())).unwrap();
    });
    let server = server.await.unwrap();
    call(&server, Format::OpenAi).await;
    assert_eq!(heard.recv().await.unwrap(), (1, "answer", json!("mock-large")));
    assert!(server.calls().is_empty());
}

#[tokio::test]
async fn a_port_that_is_taken_is_an_error() {
    let server = Server::start(Plan::calm()).await.unwrap();
    let port = server.url().rsplit(':').next().unwrap().parse().unwrap();
    assert!(Server::start_at(port, Plan::calm(), |_| {}).await.is_err());
}

#[tokio::test]
async fn every_connection_ends_with_the_server() {
    let server = Server::start(Plan::calm().always(Act::Hang)).await.unwrap();
    let mut line = Line::open(server.url()).await;
    let asked = body(Format::OpenAi, "S", "U").to_string();
    line.send("POST", path(Format::OpenAi), access(Format::OpenAi), asked.as_bytes()).await;
    while server.counters().in_flight == 0 {
        tokio::task::yield_now().await;
    }
    server.stop().await;
    assert!(line.more().await.is_some());

    let server = Server::start(Plan::calm()).await.unwrap();
    let mut line = Line::open(server.url()).await;
    drop(server);
    assert!(line.more().await.is_some());
}
