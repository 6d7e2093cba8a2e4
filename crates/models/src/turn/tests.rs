//! The retry policy, in virtual time, with providers that say what a list tells them to.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::money::Bottomless;
use crate::{Provider, Replying, Usage};

/// Gives what its list says, then whole replies.
struct Listed {
    list: Mutex<VecDeque<Result<Reply, Fault>>>,
    asked: AtomicUsize,
    takes: Duration,
}

impl Provider for Listed {
    fn ask<'a>(&'a self, _ask: &'a Ask, _heard: Heard<'a>) -> Replying<'a> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let next = self.list.lock().unwrap().pop_front().unwrap_or_else(|| Ok(Reply::free("yes")));
        Box::pin(async move {
            sleep(self.takes).await;
            next
        })
    }
}

fn listed(list: Vec<Result<Reply, Fault>>) -> Arc<Listed> {
    Arc::new(Listed { list: Mutex::new(list.into()), asked: AtomicUsize::new(0), takes: Duration::from_millis(10) })
}

fn choice(name: &str, provider: &Arc<Listed>) -> Choice {
    let outlet = Arc::new(Outlet::new(name, Arc::clone(provider) as Arc<dyn Provider>, Capacity::default()));
    let price = Price { input: 1.0, cached_input: 0.1, cache_write: 1.0, output: 2.0 };
    let abilities = Abilities::default();
    Choice {
        outlet,
        model: "large".into(),
        family: name.into(),
        price: Some(price),
        abilities,
        max_output_tokens: None,
    }
}

fn wish() -> Wish {
    Wish {
        prompt: Arc::new(Prompt { system: "You are.".into(), user: "Are you?".into() }),
        shape: None,
        max_output_tokens: 1_000,
        temperature: None,
        effort: None,
        patience: Patience::default(),
    }
}

fn fails(kind: FaultKind) -> Result<Reply, Fault> {
    Err(Fault::new(kind, "as the list says"))
}

async fn turn(choices: &[Choice]) -> Result<Reply, Fault> {
    take_turn(&wish(), choices, &Bottomless, &|_| (), &|_| ()).await
}

#[tokio::test(start_paused = true)]
async fn every_further_try_is_told_before_it_is_made() {
    let (first, second) = (listed(vec![fails(FaultKind::Server), fails(FaultKind::Rejected)]), listed(Vec::new()));
    let told = Mutex::new(Vec::new());
    let note = |again: Again<'_>| told.lock().unwrap().push((again.number, again.why.kind));
    let choices = [choice("a", &first), choice("b", &second)];
    take_turn(&wish(), &choices, &Bottomless, &|_| (), &note).await.unwrap();
    assert_eq!(*told.lock().unwrap(), [(2, FaultKind::Server), (3, FaultKind::Rejected)]);
    told.lock().unwrap().clear();
    take_turn(&wish(), &[choice("c", &listed(vec![fails(FaultKind::Rejected)]))], &Bottomless, &|_| (), &note)
        .await
        .unwrap_err();
    assert!(told.lock().unwrap().is_empty(), "none follows the last one");
}

#[tokio::test(start_paused = true)]
async fn what_can_pass_is_tried_four_times_and_no_more() {
    use FaultKind::{Cut, Empty, Idle, Network, Overloaded, RateLimited, Server, Timeout};
    for kind in [Cut, Empty, Idle, Network, Overloaded, RateLimited, Server, Timeout] {
        let provider = listed(vec![fails(kind); 3]);
        let reply = turn(&[choice("a", &provider)]).await.unwrap();
        assert_eq!((reply.tries.len(), reply.by), (3, None), "{kind}");
        let provider = listed(vec![fails(kind); 9]);
        let fault = turn(&[choice("a", &provider)]).await.unwrap_err();
        assert_eq!((fault.kind, fault.tries.len()), (kind, 3));
        assert_eq!(provider.asked.load(Ordering::SeqCst), MAX_TRIES, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_final_is_not_tried_again() {
    use FaultKind::{Command, Filtered, Forbidden, Malformed, NotFound, Oversize, Redirected, Rejected, SpendLimit};
    let more = [FaultKind::TooLong, FaultKind::Unauthorized, FaultKind::Budget];
    let all = [Command, Filtered, Forbidden, Malformed, NotFound, Oversize, Redirected, Rejected, SpendLimit];
    for kind in all.into_iter().chain(more) {
        let provider = listed(vec![fails(kind); 9]);
        let fault = turn(&[choice("a", &provider)]).await.unwrap_err();
        assert_eq!((fault.kind, provider.asked.load(Ordering::SeqCst)), (kind, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn the_provider_s_wish_to_wait_is_kept_and_one_beyond_the_deadline_ends_the_turn() {
    let wait = |seconds| {
        let fault = Fault::new(FaultKind::RateLimited, "slow down");
        Err(Fault { retry_after: Some(Duration::from_secs(seconds)), ..fault })
    };
    let began = Instant::now();
    let provider = listed(vec![wait(7)]);
    turn(&[choice("a", &provider)]).await.unwrap();
    assert!((7.0..7.5).contains(&began.elapsed().as_secs_f64()));
    let began = Instant::now();
    let provider = listed(vec![wait(3_600)]);
    let fault = turn(&[choice("a", &provider)]).await.unwrap_err();
    assert!(fault.what.contains("no time left"), "{fault}");
    assert!(began.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_fallback_answers_when_the_first_model_cannot_and_says_so() {
    let first = listed(vec![fails(FaultKind::Unauthorized)]);
    let second = listed(vec![]);
    let reply = turn(&[choice("a", &first), choice("b", &second)]).await.unwrap();
    let by = Speaker { model: "b:large".into(), family: "b".into() };
    assert_eq!((reply.by, reply.tries.len()), (Some(by), 1));
    // Faults that can pass are tried three times, so that the fallback has the fourth.
    let first = listed(vec![fails(FaultKind::Server); 9]);
    let second = listed(vec![fails(FaultKind::Server); 9]);
    let fault = turn(&[choice("a", &first), choice("b", &second)]).await.unwrap_err();
    let asked = |provider: &Listed| provider.asked.load(Ordering::SeqCst);
    assert_eq!((asked(&first), asked(&second), fault.tries.len()), (3, 1, 3));
}

#[tokio::test(start_paused = true)]
async fn a_model_that_is_out_is_asked_once_and_then_passed_over_for_its_fallback() {
    let asked = |provider: &Listed| provider.asked.load(Ordering::SeqCst);
    for kind in [FaultKind::NotFound, FaultKind::Unauthorized, FaultKind::Forbidden] {
        let (first, second) = (listed(vec![fails(kind); 9]), listed(vec![]));
        let choices = [choice("a", &first), choice("b", &second)];
        turn(&choices).await.unwrap();
        let reply = turn(&choices).await.unwrap();
        assert_eq!((asked(&first), asked(&second)), (1, 2), "{kind}");
        assert_eq!(reply.by.map(|by| by.model).as_deref(), Some("b:large"));
        let [passed] = reply.tries.as_slice() else { panic!("{:?}", reply.tries) };
        assert!(!passed.sent && passed.model == "a:large", "it is no call: {passed:?}");
        assert_eq!(passed.error, format!("not asked again; before: {kind}: as the list says"));
    }
    // It takes no try from the fallback, another model of the provider is asked, and so is one with nobody behind it.
    let (first, second) = (listed(vec![fails(FaultKind::NotFound)]), listed(vec![fails(FaultKind::Server); 5]));
    let (lost, fallback) = (choice("a", &first), choice("b", &second));
    let other = Choice { model: "small".into(), ..lost.clone() };
    turn(&[lost.clone(), other]).await.unwrap();
    assert_eq!(turn(&[lost.clone(), fallback]).await.unwrap_err().tries.len(), 1 + MAX_TRIES - 1);
    assert_eq!((asked(&first), asked(&second)), (2, MAX_TRIES));
    turn(&[lost]).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn one_deadline_holds_over_all_tries() {
    let slow = Arc::new(Listed {
        list: Mutex::new(vec![fails(FaultKind::Server); 9].into()),
        asked: AtomicUsize::new(0),
        takes: Duration::from_secs(120),
    });
    let began = Instant::now();
    let fault = turn(&[choice("a", &slow), choice("b", &slow)]).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert!((150..=306).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
}

/// A purse with a bottom, in calls.
struct Calls(Mutex<(u32, Vec<Amount>)>);

impl Purse for Calls {
    fn reserve(&self, most: Amount) -> Result<(), Fault> {
        let mut left = self.0.lock().unwrap();
        left.0 = left.0.checked_sub(most.calls).ok_or_else(|| Fault::new(FaultKind::Budget, "no call is left"))?;
        Ok(())
    }

    fn settle(&self, reserved: Amount, spent: Amount) {
        assert!(spent.usd <= reserved.usd && spent.tokens <= reserved.tokens);
        self.0.lock().unwrap().1.push(spent);
    }
}

#[tokio::test(start_paused = true)]
async fn every_try_is_paid_from_the_purse_and_an_empty_one_ends_the_turn() {
    let paid = Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() };
    let cut = || Err(Fault { usage: paid, ..Fault::new(FaultKind::Cut, "half a reply") });
    let provider = listed(vec![cut(), cut(), cut()]);
    let purse = Calls(Mutex::new((2, Vec::new())));
    let fault = take_turn(&wish(), &[choice("a", &provider)], &purse, &|_| (), &|_| ()).await.unwrap_err();
    assert_eq!((fault.kind, fault.tries.len()), (FaultKind::Budget, 2));
    let spent = purse.0.into_inner().unwrap().1;
    assert_eq!(spent.len(), 2);
    assert!(spent.iter().all(|spent| spent.tokens == 15 && (spent.usd - 20.0e-6).abs() < 1e-12));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_counts_as_spent() {
    let provider = listed(vec![]);
    let purse = Calls(Mutex::new((9, Vec::new())));
    let choices = [choice("a", &provider)];
    let given_up =
        tokio::time::timeout(Duration::from_millis(5), take_turn(&wish(), &choices, &purse, &|_| (), &|_| ())).await;
    assert!(given_up.is_err());
    let spent = purse.0.into_inner().unwrap().1;
    assert!(spent.len() == 1 && spent[0].usd > 0.0);
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_is_down_is_left_alone_and_found_again() {
    let provider = listed(vec![fails(FaultKind::Network); 5]);
    let choices = [choice("a", &provider)];
    let began = Instant::now();
    // Two turns at once see five outages; with nobody else to ask they wait out the rest, then go on.
    let (one, two) = tokio::join!(turn(&choices), turn(&choices));
    let tries = one.unwrap().tries.len() + two.unwrap().tries.len();
    assert_eq!((tries, provider.asked.load(Ordering::SeqCst)), (5, 7), "five outages, then a reply for each");
    assert!((5..10).contains(&began.elapsed().as_secs()), "the rest was waited for: {:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_a_provider_that_rests_if_another_can_answer_or_the_rest_is_long() {
    let (down, up) = (listed(vec![fails(FaultKind::Network); 99]), listed(vec![]));
    let alone = [choice("a", &down)];
    let both = [alone[0].clone(), choice("b", &up)];
    let asked = || down.asked.load(Ordering::SeqCst);
    turn(&alone).await.unwrap_err();
    assert_eq!((turn(&both).await.unwrap().tries.len(), asked()), (2, 5), "the fifth outage opens the breaker");
    let began = Instant::now();
    let reply = turn(&both).await.unwrap();
    assert!(reply.by.is_some() && began.elapsed() < Duration::from_millis(100), "{:?}", began.elapsed());
    assert!(reply.tries[0].error.contains("left alone") && !reply.tries[0].sent, "{:?}", reply.tries);
    // One that fails whenever it is tried again rests longer each time, and in the end is not waited for.
    let mut last = turn(&alone).await.unwrap_err();
    for _ in 0..4 {
        last = turn(&alone).await.unwrap_err();
    }
    let (before, began) = (asked(), Instant::now());
    assert_eq!((last.kind, turn(&alone).await.unwrap_err().kind), (FaultKind::Resting, FaultKind::Resting));
    assert_eq!((asked(), began.elapsed()), (before, Duration::ZERO));
}
