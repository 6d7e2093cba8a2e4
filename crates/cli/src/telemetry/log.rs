//! The log: one plain line for each thing told, on standard error or at the end of a file.
//! Given a level or a filter; hands on a listener. A line has the time, the level, what happened, its values, and
//! which session, round and call it belongs to. Line breaks in values are escaped, and nothing is coloured.
//! Deliberately absent: prompts and replies, which no filter can bring into a log.

use std::fmt::{self, Write as _};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use s2s::Failure;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::{Targets, filter_fn};
use tracing_subscriber::layer::{Context as Around, Layer};
use tracing_subscriber::registry::LookupSpan;

use super::{LOG_VARIABLE, Listener, is_ours};
use crate::args::Traces;
use crate::screen::hush;

/// What of a span is said with every line inside it, and by which name.
const PLACES: [(&str, &str); 4] =
    [("s2s.session.id", "session"), ("s2s.round", "round"), ("s2s.call", "call"), ("s2s.try", "try")];

/// The level of a log file for which none was named.
const USUAL: &str = "info";

/// The listener that logs; none where no log was asked for.
///
/// # Errors
/// A filter that cannot be read, or a file that cannot be opened.
pub fn listener(typed: &Traces, variable: Option<String>) -> Result<Option<Listener>, Failure> {
    let named = typed.log.clone().or(variable);
    let Some(filter) = named.or_else(|| typed.log_file.as_ref().map(|_| USUAL.to_owned())) else { return Ok(None) };
    let targets: Targets = filter.parse().map_err(|error| {
        Failure::bad_input(format!("{LOG_VARIABLE} \"{filter}\" is not a filter: {error}"))
            .next("name a level (error, warn, info, debug, trace), or levels by part: s2s=info,s2s_models=debug")
    })?;
    let out = match &typed.log_file {
        None => Out::StandardError,
        Some(path) => {
            let opened = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
            Out::File(opened.map_err(|error| {
                Failure::bad_input(format!("cannot open the log file {}: {error}", path.display()))
                    .next("check --log-file FILE")
            })?)
        }
    };
    // Spans are always heard: they say where a line belongs, whatever its level.
    let filter =
        filter_fn(move |told| is_ours(told) && (told.is_span() || targets.would_enable(told.target(), told.level())));
    Ok(Some(Log { out: Mutex::new(out) }.with_filter(filter).boxed()))
}

enum Out {
    StandardError,
    File(File),
}

struct Log {
    out: Mutex<Out>,
}

/// Where a span is, as a line says it.
struct Place(Vec<(&'static str, String)>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Log {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, around: Around<'_, S>) {
        let mut values = Values::default();
        attributes.record(&mut values);
        let place = |(name, value): (&'static str, String)| {
            PLACES.iter().find(|(field, _)| *field == name).map(|(_, said)| (*said, value))
        };
        let places = values.0.into_iter().filter_map(place).collect();
        if let Some(span) = around.span(id) {
            span.extensions_mut().insert(Place(places));
        }
    }

    fn on_event(&self, event: &Event<'_>, around: Around<'_, S>) {
        let mut places: Vec<(&'static str, String)> = Vec::new();
        for span in around.event_scope(event).into_iter().flatten() {
            if let Some(Place(inner)) = span.extensions().get::<Place>() {
                // From the inside out: what is known already holds.
                let new = inner.iter().filter(|(name, _)| places.iter().all(|(known, _)| known != name));
                let new: Vec<_> = new.cloned().collect();
                places.extend(new);
            }
        }
        places.reverse();
        let mut values = Values::default();
        event.record(&mut values);
        let line = line(Timestamp::now(), event, &values.0, &places);
        // A log that cannot be written is not worth stopping for.
        let _ = match &mut *self.out.lock().unwrap_or_else(PoisonError::into_inner) {
            Out::StandardError => {
                let _mine = hush();
                io::stderr().write_all(line.as_bytes())
            }
            Out::File(file) => file.write_all(line.as_bytes()),
        };
    }
}

fn line(at: Timestamp, event: &Event<'_>, values: &[(&'static str, String)], places: &[(&str, String)]) -> String {
    let message = values.iter().find(|(name, _)| *name == "message").map_or("", |(_, text)| text);
    let mut line = format!("{at:.3} {:<5} {message}", event.metadata().level().as_str());
    let named = values.iter().filter(|(name, _)| *name != "message");
    let named = named.map(|(name, value)| (name.strip_prefix("s2s.").unwrap_or(name), value));
    for (name, value) in named.chain(places.iter().map(|(name, value)| (*name, value))) {
        let plain = !value.is_empty() && value.chars().all(|c| !c.is_whitespace() && !c.is_control() && c != '"');
        // Writing into a string cannot fail.
        let _ = if plain { write!(line, " {name}={value}") } else { write!(line, " {name}={value:?}") };
    }
    line.push('\n');
    line
}

/// The values of a span or a line, as text.
#[derive(Default)]
struct Values(Vec<(&'static str, String)>);

impl Visit for Values {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.push((field.name(), format!("{value:?}")));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        // Dollars, mostly: no tails of digits.
        self.0.push((field.name(), format!("{value:.6}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name(), value.to_owned()));
    }
}
