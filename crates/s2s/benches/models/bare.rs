//! The bare loop: the calls of one of our roundtables, as they were recorded, sent with plain `reqwest` in the same
//! steps and read to the end. Given an address and a number; hands on what it took. Deliberately absent: everything
//! else, above all any look at what came back but its status.

use std::sync::Arc;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, redirect};
use s2s_mock::{Plan, Server};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, LocalSet};

use crate::figures::{Figures, Start, measured};
use crate::ours::{House, open_all_files};

struct Recorded {
    path: String,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// The calls of one roundtable, in their steps.
async fn record() -> Vec<Vec<Recorded>> {
    let server = Server::start(Plan::calm()).await.unwrap();
    House::new(server.url(), 1).roundtable(0, None).await;
    let mut calls = server.calls().into_iter().map(|seen| {
        let kept = ["content-type", "accept", "accept-encoding", "user-agent", "x-api-key", "anthropic-version"];
        let pairs = seen.headers.iter().filter(|(name, _)| kept.contains(&name.as_str()));
        let header = |text: &str| HeaderValue::from_str(text).unwrap();
        let headers = pairs.map(|(name, text)| (name.parse::<HeaderName>().unwrap(), header(text))).collect();
        Recorded { path: seen.path, headers, body: seen.body.to_string().into_bytes() }
    });
    let mut steps = Vec::new();
    for _ in 0..5 {
        for size in [1, 5, 1] {
            steps.push(calls.by_ref().take(size).collect());
        }
    }
    assert_eq!(calls.count(), 0);
    steps
}

async fn roundtable(client: &Client, url: &str, steps: &[Vec<Recorded>]) {
    for step in steps {
        let calls = step.iter().map(|call| {
            let address = format!("{url}{}", call.path);
            let request = client.post(address).headers(call.headers.clone()).body(call.body.clone());
            async move {
                let mut response = request.send().await.unwrap();
                assert!(response.status().is_success());
                let mut read = 0;
                while let Some(chunk) = response.chunk().await.unwrap() {
                    read += chunk.len();
                }
                read
            }
        });
        futures_util::future::join_all(calls).await;
    }
}

/// Runs so many, so many at once, shared out over threads that have nothing in common.
pub fn run(url: &str, count: u64, at_once: usize, threads: u64) -> Figures {
    open_all_files();
    let at_once = at_once.div_ceil(threads as usize);
    measured(threads, |_, start| part(url, count / threads, at_once, start))
}

fn part(url: &str, count: u64, at_once: usize, start: &Start) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let url: Arc<str> = url.into();
    LocalSet::new().block_on(&runtime, async {
        let steps = Arc::new(record().await);
        let client = Client::builder().no_proxy().redirect(redirect::Policy::none()).tcp_nodelay(true).build().unwrap();
        roundtable(&client, &url, &steps).await;
        start.wait();
        let (places, mut running) = (Arc::new(Semaphore::new(at_once)), JoinSet::new());
        for _ in 0..count {
            let place = Arc::clone(&places).acquire_owned().await.unwrap();
            let (client, url, steps) = (client.clone(), Arc::clone(&url), Arc::clone(&steps));
            running.spawn_local(async move {
                roundtable(&client, &url, &steps).await;
                drop(place);
            });
        }
        running.join_all().await;
    })
}
