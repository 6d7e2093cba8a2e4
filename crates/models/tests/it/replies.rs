//! What is made of streams: whole replies, and those that look like one.

use std::sync::Mutex;

use s2s_models::{Api, FaultKind, Provider, Stop, Usage};

use crate::samples::{self, Sample, stops};
use crate::server::{Act, Server, ask, chunk, opened, provider, question, stream};

fn usage(api: Api) -> Usage {
    let (cached_tokens, cache_write_tokens) = match api {
        Api::Anthropic | Api::OpenAi => (80, 20),
        Api::OpenAiResponses | Api::Gemini => (80, 0),
        Api::Ollama => (0, 0),
    };
    let cost_usd = if api == Api::OpenAi { 0.0125 } else { 0.0 };
    Usage { input_tokens: 110, cached_tokens, cache_write_tokens, output_tokens: 7, cost_usd }
}

#[tokio::test]
async fn whole_replies() {
    for api in Api::ALL {
        let sample = Sample { thoughts: &["hm", " hm"], stop: stops(api)[0], ..Sample::default() };
        let server = Server::start(vec![stream(api, &samples::stream(api, &sample))]).await;
        let heard = Mutex::new(Vec::new());
        let keep = |piece: &str| heard.lock().unwrap().push(piece.to_owned());
        let reply = provider(api, &server.url).ask(&question(), &keep).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.stop), ("Tea.\n", Stop::End), "{api:?}");
        assert_eq!(reply.usage, usage(api), "{api:?}");
        assert_eq!(reply.request_id.as_deref(), Some("req-7"), "{api:?}");
        assert_eq!(*heard.lock().unwrap(), ["Te", "a.\n"], "{api:?}");
    }
}

#[tokio::test]
async fn a_reply_is_the_same_in_chunks_of_any_size() {
    for api in Api::ALL {
        let sample = Sample { text: &["日本 é", " \"q\" \\ ✓\n"], stop: stops(api)[0], ..Sample::default() };
        let text = samples::stream(api, &sample);
        let mut acts = Vec::new();
        for size in [1, 2, 3, 7, 64, 1000] {
            let mut bytes = opened(api);
            text.as_bytes().chunks(size).for_each(|part| bytes.extend(chunk(part)));
            bytes.extend(b"0\r\n\r\n");
            acts.push(Act::Send(bytes));
        }
        let server = Server::start(acts).await;
        let provider = provider(api, &server.url);
        for _ in 0..6 {
            let reply = provider.ask(&question(), &|_| ()).await.unwrap();
            assert_eq!(reply.text, "日本 é \"q\" \\ ✓\n", "{api:?}");
        }
    }
}

#[tokio::test]
async fn a_reply_cut_by_length_says_so() {
    for api in Api::ALL {
        let sample = Sample { stop: stops(api)[1], ..Sample::default() };
        let reply = ask(api, stream(api, &samples::stream(api, &sample))).await.unwrap();
        assert_eq!((reply.stop, reply.text.as_str()), (Stop::Length, "Tea.\n"), "{api:?}");
    }
}

#[tokio::test]
async fn a_filtered_reply_is_none() {
    for api in [Api::Anthropic, Api::OpenAi, Api::OpenAiResponses, Api::Gemini] {
        let sample = Sample { stop: stops(api)[2], ..Sample::default() };
        let fault = ask(api, stream(api, &samples::stream(api, &sample))).await.unwrap_err();
        assert_eq!((fault.kind, fault.usage), (FaultKind::Filtered, usage(api)), "{api:?}");
    }
}

#[tokio::test]
async fn refusals_and_blocked_prompts_are_filtered() {
    let openai = "data: {\"choices\":[{\"delta\":{\"refusal\":\"I cannot \"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"refusal\":\"help.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let responses = "data: {\"type\":\"response.refusal.delta\",\"delta\":\"I cannot help.\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{}}\n\n";
    let gemini = "data: {\"promptFeedback\":{\"blockReason\":\"I cannot help.\"},\"usageMetadata\":{\"promptTokenCount\":9}}\n\n";
    for (api, text) in [(Api::OpenAi, openai), (Api::OpenAiResponses, responses), (Api::Gemini, gemini)] {
        let fault = ask(api, stream(api, text)).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Filtered, "{api:?}");
        assert!(fault.what.contains("I cannot help."), "{}", fault.what);
    }
}

#[tokio::test]
async fn a_reply_with_nothing_in_it_is_none() {
    for api in Api::ALL {
        let nothing = Sample { text: &[" \n"], stop: stops(api)[0], ..Sample::default() };
        let thoughts = Sample { text: &[], thoughts: &["hm"], ..nothing };
        for (sample, words) in [(nothing, "nothing in it"), (thoughts, "thoughts and no reply")] {
            let fault = ask(api, stream(api, &samples::stream(api, &sample))).await.unwrap_err();
            assert_eq!((fault.kind, fault.usage), (FaultKind::Empty, usage(api)), "{api:?}");
            assert!(fault.what.contains(words), "{}", fault.what);
        }
    }
}

#[tokio::test]
async fn without_an_end_mark_a_reply_is_cut() {
    for api in Api::ALL {
        let stop = if matches!(api, Api::Anthropic | Api::OpenAi) { stops(api)[0] } else { "" };
        let sample = Sample { text: &["twelve bytes"], stop, ends: false, ..Sample::default() };
        let fault = ask(api, stream(api, &samples::stream(api, &sample))).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Cut, "{api:?}");
        assert!(fault.what.contains("before its end mark, after 12 bytes"), "{}", fault.what);
        assert_eq!(fault.usage.output_tokens, if stop.is_empty() { 3 } else { 7 }, "{api:?}");
        assert!(fault.usage.input_tokens > 0, "{api:?}");
    }
}

#[tokio::test]
async fn an_end_mark_without_a_reason_is_no_end() {
    for api in [Api::Anthropic, Api::OpenAi, Api::Ollama] {
        let fault = ask(api, stream(api, &samples::stream(api, &Sample::default()))).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Cut, "{api:?}");
    }
}

#[tokio::test]
async fn an_unknown_reason_is_no_end() {
    for api in Api::ALL {
        let sample = Sample { stop: "pause_turn", ..Sample::default() };
        let fault = ask(api, stream(api, &samples::stream(api, &sample))).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Malformed, "{api:?}");
        assert!(fault.what.contains("pause_turn"), "{}", fault.what);
    }
}

#[tokio::test]
async fn errors_in_mid_stream_are_sorted() {
    let anthropic = |kind: &str| {
        format!(
            "event: error\ndata: {{\"type\":\"error\",\"error\":{{\"type\":\"{kind}\",\"message\":\"Sorry.\"}}}}\n\n"
        )
    };
    let openai = |rest: &str| format!("data: {{\"error\":{{\"message\":\"Sorry.\",{rest}}},\"choices\":[]}}\n\n");
    let failed = |code: &str| {
        format!(
            "data: {{\"type\":\"response.failed\",\"response\":{{\"error\":{{\"code\":\"{code}\",\"message\":\"Sorry.\"}}}}}}\n\n"
        )
    };
    use FaultKind as Kind;
    for (api, error, kind) in [
        (Api::Anthropic, anthropic("overloaded_error"), Kind::Overloaded),
        (Api::Anthropic, anthropic("api_error"), Kind::Server),
        (Api::Anthropic, anthropic("rate_limit_error"), Kind::RateLimited),
        (Api::Anthropic, anthropic("invalid_request_error"), Kind::Rejected),
        (Api::OpenAi, openai("\"type\":\"server_error\""), Kind::Server),
        (Api::OpenAi, openai("\"code\":429"), Kind::RateLimited),
        (Api::OpenAi, openai("\"code\":502"), Kind::Server),
        (Api::OpenAi, openai("\"code\":\"insufficient_quota\""), Kind::SpendLimit),
        (Api::OpenAi, "{\"error\":\"Sorry.\"}\n".to_owned(), Kind::Server),
        (Api::OpenAiResponses, failed("server_error"), Kind::Server),
        (Api::OpenAiResponses, failed("rate_limit_exceeded"), Kind::RateLimited),
        (
            Api::OpenAiResponses,
            "data: {\"type\":\"error\",\"code\":\"server_is_overloaded\",\"message\":\"Sorry.\"}\n\n".to_owned(),
            Kind::Overloaded,
        ),
        (
            Api::Gemini,
            "data: {\"error\":{\"code\":503,\"message\":\"Sorry.\",\"status\":\"UNAVAILABLE\"}}\n\n".to_owned(),
            Kind::Overloaded,
        ),
        (Api::Ollama, "{\"error\":\"Sorry.\"}\n".to_owned(), Kind::Server),
    ] {
        let sample = Sample { ends: false, ..Sample::default() };
        let text = samples::stream(api, &sample) + &error;
        let fault = ask(api, stream(api, &text)).await.unwrap_err();
        assert_eq!(fault.kind, kind, "{api:?} {error}");
        assert!(fault.what.contains("Sorry."), "{}", fault.what);
        assert!(fault.usage.input_tokens > 0 && fault.usage.output_tokens > 0, "{api:?} {:?}", fault.usage);
    }
}

#[tokio::test]
async fn wrong_usage_is_estimated() {
    let system_and_user = "You are blunt.Tea or coffee?".len() as u64;
    for api in Api::ALL {
        let names = match api {
            Api::Anthropic | Api::OpenAiResponses => ["input_tokens", "output_tokens"],
            Api::OpenAi => ["prompt_tokens", "completion_tokens"],
            Api::Gemini => ["promptTokenCount", "candidatesTokenCount"],
            Api::Ollama => ["prompt_eval_count", "eval_count"],
        };
        for odd in ["-5", "\"many\"", "99999999999999999999", "1e300", "4000000000", "null", "[]", "{}", "0", "1.5"] {
            let counts = format!("\"{}\":{odd},\"{}\":{odd}", names[0], names[1]);
            let counts = if api == Api::Ollama { counts } else { format!("{{{counts}}}") };
            let sample = Sample { text: &["twelve bytes"], stop: stops(api)[0], usage: &counts, ..Sample::default() };
            let reply = ask(api, stream(api, &samples::stream(api, &sample))).await.unwrap();
            let expected = Usage { input_tokens: system_and_user.div_ceil(4), output_tokens: 3, ..Usage::default() };
            assert_eq!(reply.usage, expected, "{api:?} {odd}");
        }
    }
}

#[tokio::test]
async fn usage_that_is_no_object_is_estimated() {
    for api in [Api::Anthropic, Api::OpenAi, Api::OpenAiResponses, Api::Gemini] {
        for odd in ["\"much\"", "[1,2]", "7", "{\"cost\":\"free\",\"prompt_tokens_details\":7}"] {
            let sample = Sample { text: &["twelve bytes"], stop: stops(api)[0], usage: odd, ..Sample::default() };
            let reply = ask(api, stream(api, &samples::stream(api, &sample))).await.unwrap();
            assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (7, 3), "{api:?} {odd}");
        }
    }
}

#[tokio::test]
async fn thoughts_counted_beside_the_answer_are_added() {
    let usage = r#"{"prompt_tokens":10,"completion_tokens":5,"total_tokens":115,"completion_tokens_details":{"reasoning_tokens":100}}"#;
    let sample = Sample { stop: "stop", usage, ..Sample::default() };
    let reply = ask(Api::OpenAi, stream(Api::OpenAi, &samples::stream(Api::OpenAi, &sample))).await.unwrap();
    assert_eq!(reply.usage.output_tokens, 105);
}
