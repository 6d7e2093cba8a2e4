//! A soak: many roundtables at once against the mock, a fifth of whose answers fail, some runs dropped in the
//! middle and taken up again. `S2S_SOAK` says how many roundtables (default 40; 2,000 in CI). Every one must end
//! with a result or a cause, nothing cut may be stored as whole, nothing answered is asked again, and memory
//! stays flat. The retry policy is the real one, with its real waits: many roundtables wait at the same time.
//! Deliberately absent: what each fault means, which the tests of `s2s-models` and `s2s-mock` check one by one.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;

use futures_util::StreamExt;
use jiff::Timestamp;
use s2s::Failure;
use s2s::engine::Unattended;
use s2s::engine::opening::FACILITATOR;
use s2s::models::money::Price;
use s2s::models::turn::{Abilities, Capacity, Choice, Outlet};
use s2s::models::{Api, Endpoint, HttpClient, HttpProvider, Key};
use s2s::panel::{Manner, ModelPanel, Panel, Seated};
use s2s::roundtable::{Ended, Notice, Paused, Policy, Roundtable, Surroundings, interrupt};
use s2s::store::{InMemory, Keeper, Minutes, Sessions, TapeLine, Taped};
use s2s_mock::{Act, Format, Plan, Seen, Server};
use serde_json::Value;
use tokio::sync::{Notify, oneshot};

use crate::world::{NoScribe, Table};

/// How many roundtables are under way at once.
const AT_ONCE: usize = 200;
/// One in so many is kept on disk, and one in so many is dropped in the middle.
const ON_DISK: usize = 20;
const DROPPED: usize = 4;
/// Faults that another try cannot mend, or that look like a reply.
const FINAL: [Act; 7] =
    [Act::Length, Act::Filter, Act::Refusal, Act::TooLong, Act::Status(400), Act::ErrorBody, Act::NoCredit];
/// What the mock did with a call, and which texts were in it.
struct Noted {
    texts: Vec<u64>,
    outcome: &'static str,
    whole: bool,
}

/// What the mock did, by the session's topic.
type Log = Arc<Mutex<HashMap<String, Vec<Noted>>>>;

/// The mock in a thread of its own, so that it answers while we think.
struct Provider {
    url: String,
    log: Log,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<u64>>,
}

impl Provider {
    fn start() -> Self {
        let faults: Vec<Act> = Act::passing().into_iter().chain(FINAL).collect();
        let plan = Plan::calm().share(0.2, 7, &faults).counting_only();
        let log = Log::default();
        let ((tell, told), (stop, stopped)) = (mpsc::channel(), oneshot::channel());
        let noted = Arc::clone(&log);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let server = Server::start_at(0, plan, move |seen| note(&noted, seen)).await.unwrap();
                tell.send(server.url().to_owned()).unwrap();
                let _ = stopped.await;
                server.counters().calls
            })
        });
        Self { url: told.recv().unwrap(), log, stop: Some(stop), thread: Some(thread) }
    }

    /// Ends it; hands on how many calls arrived.
    fn stop(mut self) -> u64 {
        let _ = self.stop.take().unwrap().send(());
        self.thread.take().unwrap().join().unwrap()
    }
}

fn note(log: &Log, seen: &Seen) {
    let mut texts = Vec::new();
    let mut topic = None;
    walk(&seen.body, &mut |text| {
        texts.push(digest(text));
        topic = topic.take().or_else(|| text.lines().find_map(|line| line.strip_prefix("Topic: ")).map(str::to_owned));
    });
    // Ollama has no word for a reply that was declined: it comes as a whole one that says so.
    let in_words = seen.format == Format::Ollama && ["filter", "refusal"].contains(&seen.outcome);
    let noted = Noted { texts, outcome: seen.outcome, whole: in_words || seen.outcome == "answer" };
    log.lock().unwrap().entry(topic.expect("a prompt with a topic")).or_default().push(noted);
}

fn walk(value: &Value, with: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => with(text),
        Value::Array(items) => items.iter().for_each(|item| walk(item, with)),
        Value::Object(fields) => fields.values().for_each(|field| walk(field, with)),
        _ => {}
    }
}

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// A panel in which every seat speaks another format.
fn panel(client: &HttpClient, url: &str, number: usize, seats: &[String]) -> Arc<dyn Panel> {
    let seated = seats.iter().map(String::as_str).chain([FACILITATOR]).enumerate().map(|(at, seat)| {
        let api = Api::ALL[(number + at) % Api::ALL.len()];
        let path = match api {
            Api::OpenAi | Api::OpenAiResponses => "/v1",
            Api::Gemini => "/v1beta",
            Api::Anthropic | Api::Ollama => "",
        };
        let base_url = format!("{url}{path}");
        let endpoint = Endpoint { base_url, key: Some(Key::new("mock")), ..Endpoint::new(api) };
        let provider = HttpProvider::new(api.as_str(), endpoint, client.clone()).unwrap();
        let outlet = Arc::new(Outlet::new(api.as_str(), Arc::new(provider), Capacity::default()));
        let choice = Choice {
            outlet,
            model: "mock-large".to_owned(),
            family: "mock".to_owned(),
            price: Some(Price { input: 3.0, cached_input: 0.3, cache_write: 3.75, output: 15.0 }),
            abilities: Abilities { shape: number.is_multiple_of(2), ..Abilities::default() },
            max_output_tokens: None,
        };
        (seat.to_owned(), Seated { choices: vec![choice], family: api.as_str().to_owned() })
    });
    Arc::new(ModelPanel::new(seated.collect(), Manner::default()))
}

fn now() -> Timestamp {
    Timestamp::now()
}

/// Runs until the end, or until so many notices were heard: then the run is dropped, with its calls in flight.
async fn run<K: Keeper>(table: &mut Roundtable<K>, drop_after: Option<usize>) -> Option<Result<Ended, Failure>> {
    let (enough, mut heard) = (Notify::new(), 0);
    let mut audience = |_: &Notice| {
        heard += 1;
        if Some(heard) == drop_after {
            enough.notify_one();
        }
    };
    let mut chair = Policy(Unattended::Accept);
    let interrupt = interrupt();
    let mut around =
        Surroundings { audience: &mut audience, chair: &mut chair, scribe: &NoScribe, interrupt: interrupt.1 };
    tokio::select! {
        biased;
        () = enough.notified() => None,
        ended = table.run(&mut around) => Some(ended),
    }
}

/// One roundtable to its end, over as many runs as it takes.
async fn hold<K: Keeper>(
    number: usize,
    keeper: K,
    again: impl Fn(K) -> K,
    charter: s2s::prompts::Charter,
    panel: Arc<dyn Panel>,
) -> (Result<Ended, Failure>, Vec<TapeLine>) {
    let mut table = Roundtable::begin(keeper, charter.clone(), Arc::clone(&panel), Arc::new(now)).unwrap();
    let mut drop_after = number.is_multiple_of(DROPPED).then_some(2 + number / DROPPED % 30);
    loop {
        if let Some(ended) = run(&mut table, drop_after).await {
            return (ended, table.into_keeper().tape().unwrap().lines);
        }
        let keeper = again(table.into_keeper());
        (table, _) = Roundtable::take_up(keeper, charter.clone(), Arc::clone(&panel), Arc::new(now)).unwrap();
        // A second time too, for some.
        drop_after = drop_after.filter(|after| *after < 10).map(|after| after + 10);
    }
}

/// What all roundtables came to.
#[derive(Debug, Default)]
struct Sum {
    completed: usize,
    paused: usize,
    failed: usize,
    answers: u64,
    asked_twice: usize,
    tries: usize,
}

/// One roundtable, held and checked.
async fn one(number: usize, client: &HttpClient, provider: &Provider, folder: &std::path::Path, sum: &Mutex<Sum>) {
    let topic: &'static str = Box::leak(format!("Soak {number}: REST or GraphQL").into_boxed_str());
    let set = Table { topic, ..Table::default() };
    let panel = panel(client, &provider.url, number, &set.seats);
    let convened = set.convened(&*panel);
    let minutes = Minutes::new(&convened.opening, now(), panel.kind(), &panel.note(), "CONTEXT.md").unwrap();
    let (ended, tape) = if number.is_multiple_of(ON_DISK) {
        let sessions = Sessions::new(folder.join(number.to_string()));
        let again = |held: s2s::store::Held| {
            let id = held.minutes().id().to_owned();
            drop(held);
            sessions.open(&id).unwrap()
        };
        hold(number, sessions.create(minutes).unwrap(), again, convened.charter, panel).await
    } else {
        hold(number, InMemory::new(minutes), |keeper| keeper, convened.charter, panel).await
    };
    let noted = provider.log.lock().unwrap().remove(topic).unwrap_or_default();
    let mut sum = sum.lock().unwrap();
    match ended {
        Ok(Ended::Completed(_)) => sum.completed += 1,
        Ok(Ended::Paused(Paused::ForRuling(_) | Paused::NobodyAnswered(_))) => sum.paused += 1,
        Ok(Ended::Paused(other)) => panic!("{topic} paused without a reason of its own: {other}"),
        Err(failure) => {
            assert!(!failure.what.is_empty());
            sum.failed += 1;
        }
    }
    checked(topic, &tape, &noted, &mut sum);
}

/// Compares the tape with what the mock did.
fn checked(topic: &str, tape: &[TapeLine], noted: &[Noted], sum: &mut Sum) {
    // By prompt: how often it was asked and how often answered, as the tape tells it.
    let mut prompts = BTreeMap::new();
    let mut told: BTreeMap<(u64, u64), (usize, usize)> = BTreeMap::new();
    for line in tape {
        match &line.what {
            Taped::Opened(_) => {}
            Taped::Asked(asked) => {
                let prompt = (digest(&asked.prompt.system), digest(&asked.prompt.user));
                prompts.insert(asked.call.to_string(), prompt);
                let told = told.entry(prompt).or_default();
                assert_eq!(told.1, 0, "{topic}: {} was answered, and asked again", asked.call);
                told.0 += 1;
                sum.asked_twice += usize::from(told.0 > 1);
            }
            Taped::Answered(answered) => {
                sum.tries += answered.tries.len();
                if answered.stop.as_deref() == Some("end") {
                    sum.answers += 1;
                    told.entry(prompts[&answered.call.to_string()]).or_default().1 += 1;
                }
            }
            Taped::Failed(failed) => {
                assert!(!failed.error.is_empty(), "{topic}: {} failed without a cause", failed.call);
                sum.tries += failed.tries.len() + 1;
            }
        }
    }
    for ((system, user), (asked, answered)) in told {
        let mine = noted.iter().filter(|noted| noted.texts.contains(&system) && noted.texts.contains(&user));
        let mine: Vec<&Noted> = mine.collect();
        let whole = mine.iter().filter(|noted| noted.whole).count();
        let outcomes: Vec<&str> = mine.iter().map(|noted| noted.outcome).collect();
        assert!(answered <= whole, "{topic}: {answered} stored as whole, but the mock did {outcomes:?}");
        assert!(whole <= asked, "{topic}: asked {asked} times, but the mock did {outcomes:?}");
    }
}

/// The memory this process holds now, in kB.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().trim_end_matches(" kB").parse().ok()
}

#[tokio::test]
async fn a_fifth_of_faults_costs_nothing_but_tries() {
    let roundtables: usize = std::env::var("S2S_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let (client, provider) = (HttpClient::new().unwrap(), Provider::start());
    let (folder, sum) = (tempfile::tempdir().unwrap(), Mutex::default());
    let mut running = futures_util::stream::iter(0..roundtables)
        .map(|number| one(number, &client, &provider, folder.path(), &sum))
        .buffer_unordered(AT_ONCE);
    let (mut done, mut early) = (0, None);
    while running.next().await.is_some() {
        done += 1;
        if done == roundtables / 4 {
            early = resident();
        }
    }
    let late = resident();
    drop(running);
    let calls = provider.stop();
    let sum = sum.into_inner().unwrap();
    let per_answer = calls as f64 / sum.answers as f64;
    println!(
        "{roundtables} roundtables, {calls} calls, {per_answer:.3} per whole reply; {sum:?}; memory {early:?} to {late:?} kB"
    );
    assert_eq!(sum.completed + sum.paused + sum.failed, roundtables);
    assert!(sum.completed * 10 >= roundtables * 8, "most come to their end: {sum:?}");
    assert!(sum.asked_twice > 0, "some runs were dropped with calls in flight");
    assert!(per_answer <= 1.5, "{calls} calls for {} whole replies", sum.answers);
    if let (Some(early), Some(late), true) = (early, late, roundtables >= 1_000) {
        assert!(late < early + early / 4, "memory grew from {early} to {late} kB");
    }
}
