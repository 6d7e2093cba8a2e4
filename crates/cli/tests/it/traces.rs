//! Traces: a whole session as a tree of spans at a collector, and runs that no collector can hurt.

use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;

use super::collector::{Collector, number, text, value};
use super::harness::{CALM, Folder, TOPIC, Watched, finish};
use super::mocked::{KEY, MODEL, Mock};

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

fn children<'a>(spans: &'a [Span], parents: &[&Span]) -> Vec<&'a Span> {
    spans.iter().filter(|span| parents.iter().any(|parent| parent.span_id == span.parent_span_id)).collect()
}

fn is_error(span: &Span) -> bool {
    span.status.as_ref().is_some_and(|status| status.code == StatusCode::Error as i32)
}

fn calm(folder: &Folder) -> Command {
    let args = ["roundtable", "start", TOPIC, "--panel", "script:calm.yaml", "--strategy", "standard", "--quiet"];
    folder.command(&args)
}

#[test]
fn a_session_is_a_tree_of_rounds_calls_and_tries_without_prompts_or_keys() {
    let (folder, collector) = (Folder::project(), Collector::answering("200 OK"));
    let mock = Mock::start(&folder, "rules:\n- {call: 2, act: {status: 503}}\n");
    let run = finish(mock.session(&folder, &[]).env(ENDPOINT, &collector.url).spawn().unwrap()).ok();
    assert_eq!(run.err, "");
    let (spans, id) = (collector.spans(), folder.ids().remove(0));
    assert_eq!((collector.sender("service.name"), spans.len()), ("s2s".to_owned(), 1 + 3 + 15 + 16));
    assert!(spans.iter().all(|span| span.trace_id == spans[0].trace_id), "one trace");

    let roots: Vec<&Span> = spans.iter().filter(|span| span.parent_span_id.is_empty()).collect();
    let [session] = roots.as_slice() else { panic!("{roots:?}") };
    assert_eq!(session.name, "invoke_workflow roundtable");
    assert_eq!(text(&session.attributes, "gen_ai.operation.name"), "invoke_workflow");
    assert_eq!(text(&session.attributes, "s2s.session.id"), id);
    assert_eq!(text(&session.attributes, "s2s.strategy"), "standard");
    assert_eq!(text(&session.attributes, "s2s.seats"), "product-manager,software-architect,technical-lead");
    assert_eq!(text(&session.attributes, "s2s.end"), "completed");
    assert_eq!(number(&session.attributes, "s2s.rounds"), 3);
    assert!(!is_error(session));

    let mut rounds = children(&spans, &[session]);
    rounds.sort_by_key(|round| round.start_time_unix_nano);
    let names: Vec<&str> = rounds.iter().map(|round| round.name.as_str()).collect();
    assert_eq!(names, ["round 1", "round 2", "round 3"]);
    let calls = children(&spans, &rounds);
    assert_eq!(calls.len(), 15);
    for call in &calls {
        let seat = text(&call.attributes, "s2s.seat");
        assert_eq!(call.name, format!("invoke_agent {seat}"));
        assert!(text(&call.attributes, "s2s.call").contains(&format!(".{seat}.")), "{call:?}");
        let tries = children(&spans, &[call]);
        assert_eq!(tries.len() as i64, number(&call.attributes, "s2s.failed_tries") + 1);
        assert!(!is_error(call), "{call:?}");
    }
    check_tries(&children(&spans, &calls));
    for taken in collector.taken() {
        let sent = String::from_utf8_lossy(&taken.body).into_owned();
        for secret in [KEY, TOPIC, "messages"] {
            assert!(!sent.contains(secret) && !taken.head.contains(secret), "{secret} was sent");
        }
    }
}

fn check_tries(tries: &[&Span]) {
    let (failed, answered): (Vec<&Span>, Vec<&Span>) = tries.iter().partition(|span| is_error(span));
    assert_eq!((failed.len(), answered.len()), (1, 15));
    assert_eq!(text(&failed[0].attributes, "error.type"), "overloaded");
    assert_eq!(number(&failed[0].attributes, "s2s.try"), 1);
    let after = answered.iter().filter(|span| number(&span.attributes, "s2s.try") == 2);
    let [second] = after.collect::<Vec<_>>()[..] else { panic!("the retry is a span of its own") };
    assert_eq!(second.parent_span_id, failed[0].parent_span_id);
    for span in &answered {
        let attributes = &span.attributes;
        assert_eq!((span.name.as_str(), span.kind), (format!("chat {MODEL}").as_str(), SpanKind::Client as i32));
        assert_eq!(text(attributes, "gen_ai.operation.name"), "chat");
        assert_eq!(text(attributes, "gen_ai.provider.name"), "openai");
        assert_eq!(text(attributes, "gen_ai.request.model"), MODEL);
        assert_ne!(text(attributes, "gen_ai.response.id"), "");
        assert!(number(attributes, "gen_ai.usage.input_tokens") > 1_000);
        assert!(number(attributes, "gen_ai.usage.output_tokens") > 10);
        assert!(matches!(value(attributes, "s2s.cost_usd"), Some(Value::DoubleValue(usd)) if *usd > 0.0));
        let Some(Value::ArrayValue(reasons)) = value(attributes, "gen_ai.response.finish_reasons") else {
            panic!("{attributes:?}")
        };
        assert_eq!(reasons.values[0].value, Some(Value::StringValue("stop".to_owned())));
    }
    let cached =
        answered.iter().filter(|span| value(&span.attributes, "gen_ai.usage.cache_read.input_tokens").is_some());
    assert!(cached.count() > 0, "what came from a cache is told");
}

#[test]
fn prompts_are_in_traces_only_where_the_standard_variable_asks_for_them() {
    let (folder, collector) = (Folder::project(), Collector::answering("200 OK"));
    let mock = Mock::start(&folder, "rules: []\n");
    let mut command = mock.session(&folder, &["--log", "trace"]);
    command.env(ENDPOINT, &collector.url).env("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true");
    let run = finish(command.spawn().unwrap()).ok();
    assert!(!run.err.contains(TOPIC), "the log never has them: {}", run.err);
    let told: Vec<_> = collector.spans().into_iter().flat_map(|span| span.events).collect();
    assert_eq!(told.len(), 15, "{told:?}");
    for event in told {
        assert_eq!(event.name, "gen_ai.client.inference.operation.details");
        let input: serde_json::Value = serde_json::from_str(&text(&event.attributes, "gen_ai.input.messages")).unwrap();
        assert_eq!(input[0]["role"], "user");
        assert_ne!(text(&event.attributes, "gen_ai.output.messages"), "");
    }
    let sent =
        collector.taken().iter().map(|taken| String::from_utf8_lossy(&taken.body).into_owned()).collect::<String>();
    assert!(sent.contains(TOPIC) && !sent.contains(KEY));
}

#[test]
fn a_collector_that_hangs_is_absent_or_refuses_costs_one_note_and_no_more() {
    let folder = Folder::project();
    let hanging = TcpListener::bind("127.0.0.1:0").unwrap();
    let hangs = format!("http://{}", hanging.local_addr().unwrap());
    let absent = {
        let gone = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", gone.local_addr().unwrap())
    };
    let refusing = Collector::answering("500 Internal Server Error");
    for (url, says) in [(&hangs, "within 2 s"), (&absent, "not be sent"), (&refusing.url, "not be sent")] {
        let began = Instant::now();
        // Whoever waited for the export would wait for ten minutes.
        let run = calm(&folder).env(ENDPOINT, url).env("OTEL_EXPORTER_OTLP_TIMEOUT", "600000").spawn().unwrap();
        let run = finish(run).ok().says(&[says]);
        assert!(began.elapsed() < Duration::from_secs(60), "{url} held the run");
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}

#[test]
fn an_interrupted_run_sends_what_it_has() {
    let (folder, collector) = (Folder::project(), Collector::answering("200 OK"));
    let stuck = "  - {round: 2, kind: response, seat: technical-lead, delay_ms: 600000, reply: {position: \"late\", confidence: 0.7}}\n";
    folder.write("stuck.yaml", format!("{CALM}{stuck}"));
    let args =
        ["roundtable", "start", TOPIC, "--panel", "script:stuck.yaml", "--strategy", "standard", "--json", "--otel"];
    let mut command = folder.command(&args);
    command.env(ENDPOINT, &collector.url);
    let mut run = Watched::of(command);
    run.until("call_ended", "r2.response.product-manager");
    run.signal("INT");
    assert_eq!(run.finish().code, 130);
    let spans = collector.spans();
    let session = spans.iter().find(|span| span.parent_span_id.is_empty()).unwrap();
    assert_eq!(text(&session.attributes, "s2s.end"), "interrupted");
    assert!(spans.iter().any(|span| text(&span.attributes, "s2s.call") == "r2.response.technical-lead.1"));
}

#[test]
fn nothing_is_sent_unasked_or_where_the_environment_forbids_it() {
    let (folder, collector) = (Folder::project(), Collector::answering("200 OK"));
    let run = finish(calm(&folder).env(ENDPOINT, &collector.url).env("OTEL_SDK_DISABLED", "true").spawn().unwrap());
    assert_eq!(run.ok().err, "");
    let grpc = calm(&folder).env(ENDPOINT, &collector.url).env("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc").spawn().unwrap();
    finish(grpc).ok().says(&["Traces are not sent", "http/protobuf"]);
    let list = folder.command(&["roundtable", "list"]).env(ENDPOINT, &collector.url).spawn().unwrap();
    assert_eq!(finish(list).ok().err, "");
    assert!(collector.taken().is_empty());
}
