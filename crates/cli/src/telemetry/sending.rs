//! The last step of a span: off to the collector, and a note of what went wrong on the way.
//! Given finished spans, on the thread of the batch processor; hands them to OTLP over HTTP. The client is made
//! with the first batch, so that a run without spans reads no certificates. Redirects are not followed: headers
//! for the collector may hold a key. Deliberately absent: retries, and any word about a failure before the end.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use opentelemetry::{Array, KeyValue, StringValue, Value};
use opentelemetry_otlp::{Protocol, SpanExporter as OtlpExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{SpanData, SpanExporter};

/// The attribute that is a list by convention; a field of a span can only be a text.
const LIST: &str = "gen_ai.response.finish_reasons";

/// The first thing that went wrong, shared by the exporter and whoever tells of it.
#[derive(Debug, Clone, Default)]
pub struct Trouble(Arc<OnceLock<String>>);

impl Trouble {
    /// What went wrong, if anything did.
    pub fn said(&self) -> Option<String> {
        self.0.get().cloned()
    }

    fn note(&self, error: &OTelSdkError) {
        // The first one is the one that is told.
        let _ = self.0.set(without_queries(&error.to_string()));
    }
}

/// Sends spans by OTLP.
#[derive(Debug)]
pub struct Exporter {
    timeout: Duration,
    trouble: Trouble,
    resource: Option<Resource>,
    otlp: OnceLock<Result<OtlpExporter, String>>,
}

impl Exporter {
    /// An exporter that gives each batch this long.
    pub fn new(timeout: Duration, trouble: Trouble) -> Self {
        Self { timeout, trouble, resource: None, otlp: OnceLock::new() }
    }

    /// The address, headers and the rest are read from the standard variables by the exporter itself.
    fn connect(&self) -> Result<OtlpExporter, String> {
        let redirects = reqwest::redirect::Policy::none();
        let client = reqwest::blocking::Client::builder().timeout(self.timeout).redirect(redirects).build();
        let client = client.map_err(|error| error.to_string())?;
        let otlp = OtlpExporter::builder().with_http().with_http_client(client).with_protocol(Protocol::HttpBinary);
        let mut otlp = otlp.build().map_err(|error| error.to_string())?;
        if let Some(resource) = &self.resource {
            otlp.set_resource(resource);
        }
        Ok(otlp)
    }
}

impl SpanExporter for Exporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let batch = batch.into_iter().map(with_list).collect();
        let sent = match self.otlp.get_or_init(|| self.connect()) {
            Ok(otlp) => otlp.export(batch).await,
            Err(why) => Err(OTelSdkError::InternalFailure(why.clone())),
        };
        if let Err(error) = &sent {
            self.trouble.note(error);
        }
        sent
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.resource = Some(resource.clone());
    }
}

fn with_list(mut span: SpanData) -> SpanData {
    for KeyValue { key, value, .. } in &mut span.attributes {
        if key.as_str() == LIST
            && let Value::String(text) = &*value
        {
            *value = Value::Array(Array::String(vec![StringValue::from(text.as_str().to_owned())]));
        }
    }
    span
}

/// An error without what stands behind a `?` in its addresses, where keys may be.
fn without_queries(text: &str) -> String {
    let word = |word: &str| match word.split_once('?') {
        Some((before, rest)) if before.contains("://") => {
            let after = rest.trim_start_matches(|c: char| !")\"',;".contains(c));
            format!("{before}{after}")
        }
        _ => word.to_owned(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::without_queries;

    #[test]
    fn keys_in_the_query_of_an_address_are_not_told() {
        let told = without_queries("error sending request for url (https://c.test/v1/traces?key=abc): is it there?");
        assert_eq!(told, "error sending request for url (https://c.test/v1/traces): is it there?");
    }
}
