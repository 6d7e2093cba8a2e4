//! Connections: used again after whole replies and after errors, given up with the call.

use std::time::Duration;

use s2s_models::{Api, Ask, HttpProvider, Patience, Provider};

use crate::samples;
use crate::server::{Act, Server, answer, chunk, client, endpoint, opened, provider, question, stream};

#[tokio::test]
async fn a_hundred_calls_take_one_connection() {
    for api in Api::ALL {
        let server = Server::start(vec![stream(api, &samples::whole(api))]).await;
        let provider = provider(api, &server.url);
        for _ in 0..100 {
            provider.ask(&question(), &|_| ()).await.unwrap();
        }
        let seen = server.seen.lock().unwrap();
        assert_eq!((seen.connections, seen.asked.len()), (1, 100), "{api:?}");
    }
}

#[tokio::test]
async fn a_last_chunk_that_comes_late_does_not_cost_the_connection() {
    let api = Api::OpenAi;
    let mut bytes = opened(api);
    samples::whole(api).as_bytes().chunks(5).for_each(|part| bytes.extend(chunk(part)));
    bytes.extend(chunk(b": bye\n\n"));
    bytes.extend(b"0\r\n\r\n");
    let server = Server::start(vec![Act::Send(bytes)]).await;
    let provider = provider(api, &server.url);
    for _ in 0..20 {
        provider.ask(&question(), &|_| ()).await.unwrap();
    }
    assert_eq!(server.seen.lock().unwrap().connections, 1);
}

#[tokio::test]
async fn errors_do_not_cost_the_connection() {
    let acts = [400, 429, 500, 503].map(|status| answer(status, "", &vec![b'x'; 30_000]));
    let server =
        Server::start(acts.into_iter().chain([stream(Api::OpenAi, &samples::whole(Api::OpenAi))]).collect()).await;
    let provider = provider(Api::OpenAi, &server.url);
    for _ in 0..4 {
        provider.ask(&question(), &|_| ()).await.unwrap_err();
    }
    provider.ask(&question(), &|_| ()).await.unwrap();
    assert_eq!(server.seen.lock().unwrap().connections, 1);
}

#[tokio::test]
async fn providers_share_their_connections() {
    let server = Server::start(vec![stream(Api::OpenAi, &samples::whole(Api::OpenAi))]).await;
    let client = client();
    for name in ["one", "two", "three"] {
        let provider = HttpProvider::new(name, endpoint(Api::OpenAi, &server.url), client.clone()).unwrap();
        provider.ask(&question(), &|_| ()).await.unwrap();
    }
    assert_eq!(server.seen.lock().unwrap().connections, 1);
}

#[tokio::test]
async fn a_server_that_never_ends_its_body_costs_only_the_connection() {
    // The end mark has come; the last chunk has not. The call's own deadline is nearer than the longest tail.
    let api = Api::OpenAi;
    let server = Server::start(vec![Act::Send([opened(api), chunk(samples::whole(api).as_bytes())].concat())]).await;
    let patience = Patience { deadline: Duration::from_secs(1), idle: Duration::from_secs(1) };
    let reply = provider(api, &server.url).ask(&Ask { patience, ..question() }, &|_| ()).await.unwrap();
    assert_eq!(reply.text, "Tea.\n");
}

#[tokio::test]
async fn nothing_is_sent_before_the_first_poll_and_a_dropped_call_hangs_up() {
    let server = Server::start(vec![Act::Send(opened(Api::OpenAi))]).await;
    let provider = provider(Api::OpenAi, &server.url);
    let ask = question();
    drop(provider.ask(&ask, &|_| ()));
    assert_eq!(server.seen.lock().unwrap().connections, 0);
    tokio::select! {
        done = provider.ask(&ask, &|_| ()) => panic!("nothing was answered, and yet: {done:?}"),
        () = server.until(|seen| seen.asked.len() == 1) => {}
    }
    server.until(|seen| seen.over == 1).await;
}

#[tokio::test]
async fn no_patience_is_too_long() {
    let patience = Patience { deadline: Duration::MAX, idle: Duration::MAX };
    let server = Server::start(vec![stream(Api::OpenAi, &samples::whole(Api::OpenAi))]).await;
    provider(Api::OpenAi, &server.url).ask(&Ask { patience, ..question() }, &|_| ()).await.unwrap();
}
