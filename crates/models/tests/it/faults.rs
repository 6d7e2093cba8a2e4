//! What goes wrong on the way: ends, resets, silence, floods, names, redirects.

use std::time::{Duration, Instant};

use s2s_models::{Api, Ask, FaultKind, Patience, Provider, Stop};
use tokio::io::AsyncWriteExt;

use crate::samples::{self, Sample};
use crate::server::{Act, Server, answer, ask, ask_with, chunk, opened, provider, question};

/// A head without a length: the body ends where the connection does.
const UNTIL_CLOSED: &[u8] = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";

#[tokio::test]
async fn an_end_before_the_answer_is_the_network() {
    for act in [Act::Close(Vec::new()), Act::Reset(Vec::new()), Act::Close(b"HTTP/1.1 20".to_vec())] {
        let fault = ask(Api::OpenAi, act.clone()).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Network, "{act:?}");
        assert!(fault.what.contains("closed the connection before it answered"), "{}", fault.what);
    }
}

#[tokio::test]
async fn an_end_anywhere_in_the_stream_is_a_cut() {
    for api in Api::ALL {
        let sample = Sample { text: &["日本", "日本"], stop: samples::stops(api)[0], ..Sample::default() };
        let text = samples::stream(api, &sample);
        let middle = text.find("日").unwrap() + 1;
        let json = text.rfind('{').unwrap() + 1;
        for end in [0, 1, middle, middle + 8, json] {
            let part = &text.as_bytes()[..end];
            for act in [
                Act::Close([UNTIL_CLOSED, part].concat()),
                Act::Close([opened(api), chunk(part)].concat()),
                Act::Close([opened(api), chunk(part), b"0\r\n\r\n".to_vec()].concat()),
            ] {
                let fault = ask(api, act).await.unwrap_err();
                assert_eq!(fault.kind, FaultKind::Cut, "{api:?} at {end}: {fault:?}");
                assert!(fault.usage.input_tokens > 0, "{api:?} at {end}");
            }
        }
    }
}

#[tokio::test]
async fn a_mark_that_only_lacks_its_line_break_is_a_mark() {
    for api in Api::ALL {
        let text = samples::whole(api);
        let reply = ask(api, Act::Close([UNTIL_CLOSED, text.trim_end().as_bytes()].concat())).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.stop), ("Tea.\n", Stop::End), "{api:?}");
    }
}

#[tokio::test]
async fn a_reset_in_mid_stream_is_the_network() {
    let sample = Sample { ends: false, ..Sample::default() };
    let part = samples::stream(Api::Anthropic, &sample);
    let fault =
        ask(Api::Anthropic, Act::Reset([opened(Api::Anthropic), chunk(part.as_bytes())].concat())).await.unwrap_err();
    // A reset may overtake what was sent before it.
    assert!(matches!(fault.kind, FaultKind::Network), "{fault:?}");
}

#[tokio::test]
async fn what_is_not_the_format_is_said() {
    for api in Api::ALL {
        let bytes: &[u8] = if api == Api::Ollama { b"not json\n" } else { b"data: not json\n\n" };
        let fault = ask(api, Act::Send([opened(api), chunk(bytes)].concat())).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Malformed, "{api:?}");
    }
    let invalid = b"data: {\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}\n\n";
    let fault = ask(Api::OpenAi, Act::Send([opened(Api::OpenAi), chunk(invalid)].concat())).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Malformed);
}

fn hasty(deadline_ms: u64, idle_ms: u64) -> Ask {
    let patience = Patience { deadline: Duration::from_millis(deadline_ms), idle: Duration::from_millis(idle_ms) };
    Ask { patience, ..question() }
}

#[tokio::test]
async fn silence_is_noticed_before_and_in_the_stream() {
    let silent = Act::Send(Vec::new());
    let fault = ask_with(Api::OpenAi, silent.clone(), &hasty(10_000, 60)).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Idle);
    assert_eq!(fault.what, "acme sent nothing of a reply for 60 ms");
    let fault = ask_with(Api::OpenAi, silent, &hasty(60, 10_000)).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Timeout);
    let opened =
        Act::Send([opened(Api::OpenAi), chunk(b"data: {\"choices\":[{\"delta\":{\"content\":\"Te\"}}]}\n\n")].concat());
    let fault = ask_with(Api::OpenAi, opened, &hasty(10_000, 60)).await.unwrap_err();
    assert_eq!((fault.kind, fault.usage.output_tokens), (FaultKind::Idle, 1));
}

#[tokio::test]
async fn a_keep_alive_is_no_sign_of_life() {
    let anthropic = "event: ping\ndata: {\"type\":\"ping\"}\n\n";
    let openai = ": PROCESSING\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"\"}}]}\n\n";
    let responses = "data: {\"type\":\"response.in_progress\",\"response\":{}}\n\n";
    let gemini = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}]}}]}\n\n";
    let ollama = "{\"message\":{\"content\":\"\"},\"done\":false}\n";
    for (api, ping) in Api::ALL.into_iter().zip([anthropic, openai, responses, gemini, ollama]) {
        let act = Act::Repeat(opened(api), chunk(ping.as_bytes()), Duration::from_millis(5));
        let fault = ask_with(api, act, &hasty(10_000, 80)).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Idle, "{api:?}");
    }
}

#[tokio::test]
async fn thoughts_and_slow_words_are_life_until_the_deadline() {
    let anthropic =
        "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"h\"}}\n\n";
    let openai = "data: {\"choices\":[{\"delta\":{\"reasoning\":\"h\"}}]}\n\n";
    let responses = "data: {\"type\":\"response.reasoning_text.delta\",\"delta\":\"h\"}\n\n";
    let gemini = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"h\",\"thought\":true}]}}]}\n\n";
    let ollama = "{\"message\":{\"content\":\"\",\"thinking\":\"h\"},\"done\":false}\n";
    let thoughts = Api::ALL.into_iter().zip([anthropic, openai, responses, gemini, ollama]);
    futures_util::future::join_all(thoughts.map(|(api, thought)| async move {
        let act = Act::Repeat(opened(api), chunk(thought.as_bytes()), Duration::from_millis(5));
        let fault = ask_with(api, act, &hasty(700, 400)).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Timeout, "{api:?}");
        assert!(fault.usage.output_tokens >= 1, "{api:?}");
    }))
    .await;
}

#[tokio::test]
async fn single_bytes_are_no_sign_of_life() {
    // Never a whole piece: the line goes on and on.
    let act = Act::Repeat([opened(Api::OpenAi), chunk(b"data: ")].concat(), chunk(b"x"), Duration::from_millis(5));
    let fault = ask_with(Api::OpenAi, act, &hasty(10_000, 80)).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Idle);
}

#[tokio::test]
async fn a_flood_is_cut_off() {
    for api in Api::ALL {
        let word = "w".repeat(60_000);
        let text = samples::stream(api, &Sample { text: &[&word], ends: false, ..Sample::default() });
        let act = Act::Repeat(opened(api), chunk(text.as_bytes()), Duration::ZERO);
        let began = Instant::now();
        let fault = ask_with(api, act, &hasty(20_000, 20_000)).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Oversize, "{api:?}");
        assert!(fault.what.contains("KiB of text"), "{}", fault.what);
        assert!(
            (16_000..64_000).contains(&fault.usage.output_tokens),
            "what came is counted: {api:?} {:?}",
            fault.usage
        );
        assert!(began.elapsed() < Duration::from_secs(10), "{api:?}");
    }
    let act = Act::Repeat(opened(Api::OpenAi), chunk(&[b'x'; 60_000]), Duration::ZERO);
    let fault = ask_with(Api::OpenAi, act, &hasty(20_000, 20_000)).await.unwrap_err();
    assert!(fault.kind == FaultKind::Oversize && fault.what.contains("16 MiB of stream"), "{fault:?}");
}

#[tokio::test]
async fn a_flood_is_cut_off_where_the_tokens_asked_for_end() {
    let api = Api::OpenAi;
    let text = samples::stream(api, &Sample { text: &["w".repeat(1_000).as_str()], ends: false, ..Sample::default() });
    for (max_output_tokens, cap) in [(1_000, "71 KiB"), (20_000, "220 KiB")] {
        let act = Act::Repeat(opened(api), chunk(text.as_bytes()), Duration::ZERO);
        let ask = Ask { max_output_tokens, ..hasty(20_000, 20_000) };
        let fault = ask_with(api, act, &ask).await.unwrap_err();
        assert!(fault.what.contains(&format!("more than {cap} of text")), "{fault}");
        assert!(fault.usage.output_tokens >= u64::from(max_output_tokens), "{:?}", fault.usage);
    }
}

#[tokio::test]
async fn a_flood_in_an_error_is_not_read_to_its_end() {
    let head = b"HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    let act = Act::Repeat(head, chunk(&[b'x'; 60_000]), Duration::ZERO);
    let fault = ask(Api::OpenAi, act).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Server);
}

#[tokio::test]
async fn an_error_that_never_ends_is_told_within_the_silence() {
    let head = b"HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    let act = Act::Repeat(head, chunk(b"x"), Duration::from_millis(5));
    let fault = ask_with(Api::OpenAi, act, &hasty(10_000, 80)).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Server);
}

#[tokio::test]
async fn a_packed_answer_is_refused() {
    for encoding in ["gzip", "br", "zstd", "deflate"] {
        let headers = format!("content-encoding: {encoding}\r\ncontent-type: text/event-stream\r\n");
        let fault = ask(Api::OpenAi, answer(200, &headers, b"\x1f\x8b\x08\x00")).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Malformed, "{encoding}");
        let fault = ask(Api::OpenAi, answer(429, &headers, b"\x1f\x8b\x08\x00")).await.unwrap_err();
        assert_eq!((fault.kind, fault.what.as_str()), (FaultKind::RateLimited, "acme answered 429"));
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Server::start(vec![answer(200, "", b"{}")]).await;
    for status in [301, 302, 303, 307, 308] {
        let headers = format!("location: {}/v1/steal?a=query-part\r\n", elsewhere.url);
        let fault = ask(Api::Anthropic, answer(status, &headers, b"")).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Redirected);
        let host = elsewhere.url.strip_prefix("http://").unwrap();
        assert!(fault.what.contains(host) && !fault.what.contains("query-part"), "{}", fault.what);
    }
    assert_eq!(elsewhere.seen.lock().unwrap().connections, 0);
}

#[tokio::test]
async fn ways_that_lead_nowhere_are_said_apart() {
    let closed = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    };
    // A label longer than names may have: no resolver knows it, and none has to be asked.
    let unknown = "x".repeat(70);
    // Speaks before it is spoken to, and not TLS.
    let plain = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let plain_url = format!("https://{}", plain.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = plain.accept().await {
            stream.write_all(b"HTTP/1.1 400 No\r\n\r\n").await.unwrap();
        }
    });
    for (url, words) in [
        (format!("http://{closed}"), "refused the connection".to_owned()),
        (format!("http://{unknown}.example?key=query-part"), format!("no address is known for {unknown}.example")),
        (plain_url, "no safe connection to 127.0.0.1".to_owned()),
    ] {
        let fault = provider(Api::Ollama, &url).ask(&question(), &|_| ()).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Network, "{url}");
        assert!(fault.what.starts_with("acme could not be reached: ") && fault.what.contains(&words), "{}", fault.what);
        assert!(!format!("{fault:?}").contains("query-part"), "{fault:?}");
        assert!(fault.next.is_some());
    }
}
