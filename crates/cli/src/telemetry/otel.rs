//! Traces for an OpenTelemetry collector: whether they are wanted, and the way from our spans to it.
//! Given the flag and the standard variables; hands on a listener, and a [`Sending`] that is ended with the run.
//! Deliberately absent: gRPC and JSON (OTLP is spoken as `http/protobuf`), metrics, and the wire (`sending.rs`).

use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{BatchSpanProcessor, SdkTracerProvider};
use s2s::models::turn::CONTENT;
use tracing::{Level, Metadata};
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::Layer;

use super::sending::{Exporter, Trouble};
use super::{Listener, is_ours};

/// How long the end of a run may wait for the collector.
const PATIENCE: Duration = Duration::from_secs(2);
/// The name of the service, unless the environment has one.
const SERVICE: &str = "s2s";
/// The standard wish for prompts and replies in traces.
const CAPTURE: &str = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/// A variable's value, if it has one.
pub type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Whether traces are to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// They are.
    Yes,
    /// Nobody asked for them.
    No,
    /// Somebody asked, and this stands against it.
    Not(String),
}

/// Whether traces are wanted: by the flag, or by the address of a collector in the environment.
pub fn wanted(asked: bool, variable: Variable<'_>) -> Wanted {
    let address = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
    if !asked && !address.iter().any(|name| variable(name).is_some()) {
        return Wanted::No;
    }
    // Without the flag, these are how an environment says no.
    let refused = |why: &str| if asked { Wanted::Not(why.to_owned()) } else { Wanted::No };
    if is_true(variable("OTEL_SDK_DISABLED")) {
        return refused("OTEL_SDK_DISABLED is true");
    }
    if variable("OTEL_TRACES_EXPORTER").is_some_and(|names| names.split(',').all(|name| name.trim() != "otlp")) {
        return refused("OTEL_TRACES_EXPORTER does not name otlp");
    }
    let protocol = variable("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL").or_else(|| variable("OTEL_EXPORTER_OTLP_PROTOCOL"));
    match protocol.as_deref().map(str::trim) {
        None | Some("http/protobuf") => Wanted::Yes,
        Some(other) => Wanted::Not(format!(
            "OTEL_EXPORTER_OTLP_PROTOCOL is {other}, and s2s speaks http/protobuf only; set it, with the address of \
             the collector's HTTP port (usually 4318)"
        )),
    }
}

/// Spans on their way to a collector.
pub struct Sending {
    provider: SdkTracerProvider,
    trouble: Trouble,
}

/// Starts to send. Nothing is connected before the first spans are on their way.
pub fn start(variable: Variable<'_>) -> (Listener, Sending) {
    let trouble = Trouble::default();
    let processor = BatchSpanProcessor::builder(Exporter::new(timeout(variable), trouble.clone())).build();
    let provider =
        SdkTracerProvider::builder().with_span_processor(processor).with_resource(resource(variable)).build();
    let layer = OpenTelemetryLayer::new(provider.tracer(SERVICE))
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_tracked_inactivity(false)
        .with_error_records_to_exceptions(false)
        .with_error_events_to_exceptions(false);
    let content = is_true(variable(CAPTURE));
    let listener = layer.with_filter(filter_fn(move |told| is_traced(told, content))).boxed();
    (listener, Sending { provider, trouble })
}

/// Spans, warnings inside them, and prompts and replies where these were asked for.
fn is_traced(told: &Metadata<'_>, content: bool) -> bool {
    match told.target() == CONTENT {
        true => content,
        false => is_ours(told) && (told.is_span() || *told.level() <= Level::WARN),
    }
}

impl Sending {
    /// Sends what is left; says what went wrong, if anything did.
    pub fn end(self) -> Option<String> {
        let ended = self.provider.shutdown_with_timeout(PATIENCE);
        let silent = || format!("the collector did not take them within {} s", PATIENCE.as_secs());
        self.trouble.said().or_else(|| ended.is_err().then(silent))
    }
}

/// How long one batch may take.
fn timeout(variable: Variable<'_>) -> Duration {
    let named = variable("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT").or_else(|| variable("OTEL_EXPORTER_OTLP_TIMEOUT"));
    named.and_then(|millis| millis.trim().parse().ok()).map_or(Duration::from_secs(10), Duration::from_millis)
}

/// Who sends: the environment's word before ours.
fn resource(variable: Variable<'_>) -> Resource {
    let attributes = variable("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default();
    let named = attributes.split(',').any(|pair| pair.trim_start().starts_with("service.name="));
    let version = opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder().with_attribute(version);
    match named || variable("OTEL_SERVICE_NAME").is_some() {
        true => resource.build(),
        false => resource.with_service_name(SERVICE).build(),
    }
}

fn is_true(value: Option<String>) -> bool {
    value.is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(asked: bool, variables: &[(&str, &str)]) -> Wanted {
        let value =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        wanted(asked, &value)
    }

    #[test]
    fn traces_are_sent_for_the_flag_or_an_address_unless_the_environment_says_no() {
        let address = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
        assert_eq!(decide(false, &[]), Wanted::No);
        assert_eq!(decide(true, &[]), Wanted::Yes);
        assert_eq!(decide(false, &[address]), Wanted::Yes);
        assert_eq!(decide(false, &[address, ("OTEL_SDK_DISABLED", "True")]), Wanted::No);
        assert_eq!(decide(false, &[address, ("OTEL_TRACES_EXPORTER", "none")]), Wanted::No);
        assert_eq!(decide(true, &[("OTEL_TRACES_EXPORTER", "console, otlp")]), Wanted::Yes);
        assert!(matches!(decide(true, &[("OTEL_SDK_DISABLED", "true")]), Wanted::Not(_)));
        let Wanted::Not(why) = decide(false, &[address, ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]) else {
            panic!("gRPC is not spoken")
        };
        assert!(why.contains("http/protobuf"), "{why}");
    }
}
