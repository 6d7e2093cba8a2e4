//! Providers that are reached over HTTP: one try, from the request to the reply or the fault.
//! Given an [`Endpoint`] and the one shared client. Deliberately absent: the formats (`wire`), what an error means
//! (`refusal`), and everything above one try: retries, limits, money.

mod client;
mod reading;
mod trouble;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Method, Response, Url};
use tokio::time::Instant;

use crate::endpoint::place;
use crate::wire::{self, Draft};
use crate::{Api, Ask, Endpoint, Fault, FaultKind, Heard, Patience, Provider, Reply, Replying, refusal};

pub use client::HttpClient;
use reading::Limits;

/// The most characters of a fault's words: a provider's own message gets some 300 of them.
const MOST_WORDS: usize = 340;

/// The most characters of a provider's name for a call.
const MOST_ID: usize = 128;

/// The most of a list of models that is read.
const MOST_LIST: usize = 8 << 20;

/// How long a list of models may take.
const LIST_PATIENCE: Patience = Patience { deadline: Duration::from_secs(15), idle: Duration::from_secs(15) };

/// A provider reached over HTTP.
#[derive(Debug, Clone)]
pub struct HttpProvider {
    name: Arc<str>,
    endpoint: Arc<Endpoint>,
    base: Url,
    headers: HeaderMap,
    client: HttpClient,
}

impl HttpProvider {
    /// A provider of this name. Fails where its address or its headers cannot be used.
    pub fn new(name: impl Into<Arc<str>>, endpoint: Endpoint, client: HttpClient) -> Result<Self, Fault> {
        let name = name.into();
        match Self::addressed(&endpoint) {
            Ok((base, headers)) => Ok(Self { name, endpoint: Arc::new(endpoint), base, headers, client }),
            Err(fault) => Err(dressed(fault, &name, &endpoint)),
        }
    }

    fn addressed(endpoint: &Endpoint) -> Result<(Url, HeaderMap), Fault> {
        let base = endpoint.address()?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in wire::headers(endpoint.api) {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        headers.extend(endpoint.header_map()?);
        Ok((base, headers))
    }

    /// The provider's name, as it stands before the `:` in a model's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it is reached.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// The names of the models it offers, in its own order.
    pub async fn models(&self) -> Result<Vec<String>, Fault> {
        self.listed().await.map_err(|fault| dressed(fault, &self.name, &self.endpoint))
    }

    async fn listed(&self) -> Result<Vec<String>, Fault> {
        let limits = Limits::new(&LIST_PATIENCE);
        let mut request = reqwest::Request::new(Method::GET, wire::models_url(self.endpoint.api, &self.base));
        request.headers_mut().extend(self.headers.clone());
        let response = self.sent(request, &limits).await?;
        let answered = checked(response, &limits).await?;
        let body = reading::whole(answered, MOST_LIST, limits.deadline).await;
        wire::model_names(&body)
    }

    async fn once(&self, ask: &Ask, heard: Heard<'_>) -> Result<Reply, Fault> {
        let limits = Limits::new(&ask.patience);
        let wire::Request { url, body } = wire::request(self.endpoint.api, &self.base, ask)?;
        let mut request = reqwest::Request::new(Method::POST, url);
        *request.headers_mut() = self.headers.clone();
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static(accepted(self.endpoint.api)));
        *request.body_mut() = Some(body.into());
        let response = self.sent(request, &limits).await?;
        let id = request_id(response.headers());
        // The name in the head is the one a provider's people ask for.
        match self.heard(response, limits, Draft::new(ask, heard)).await {
            Ok(reply) => Ok(Reply { request_id: clean_id(id.or(reply.request_id), &self.endpoint), ..reply }),
            Err(fault) => Err(Fault { request_id: clean_id(id.or(fault.request_id), &self.endpoint), ..fault }),
        }
    }

    /// Sends a request and waits for the head of the answer.
    async fn sent(&self, request: reqwest::Request, limits: &Limits) -> Result<Response, Fault> {
        let place = place(request.url());
        let sending = self.client.for_url(request.url()).execute(request);
        match tokio::time::timeout_at(limits.next(), sending).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(trouble::at(&place, &error)),
            Err(_) => Err(limits.over(Instant::now()).unwrap_or_else(|| limits.late())),
        }
    }

    /// Reads the answer to its end.
    async fn heard(&self, response: Response, limits: Limits, mut draft: Draft<'_>) -> Result<Reply, Fault> {
        let api = self.endpoint.api;
        let response = checked(response, &limits).await?;
        if !is_stream(api, response.headers()) {
            let body = reading::whole(response, refusal::MOST_BODY, limits.soon()).await;
            return Err(no_stream(&body));
        }
        let place = place(&self.base);
        match reading::stream(response, api, &mut draft, limits, &place).await {
            Ok(()) => draft.finish(),
            Err(fault) => {
                let request_id = fault.request_id.or_else(|| draft.id.take());
                Err(Fault { usage: draft.usage(), request_id, ..fault })
            }
        }
    }
}

impl Provider for HttpProvider {
    fn ask<'a>(&'a self, ask: &'a Ask, heard: Heard<'a>) -> Replying<'a> {
        Box::pin(async move { self.once(ask, heard).await.map_err(|fault| dressed(fault, &self.name, &self.endpoint)) })
    }
}

/// Whether the answer is one that can be read; if not, why.
async fn checked(response: Response, limits: &Limits) -> Result<Response, Fault> {
    let status = response.status();
    let packed =
        response.headers().get(CONTENT_ENCODING).filter(|encoding| encoding.as_bytes() != b"identity").is_some();
    if status.is_redirection() {
        let to = response.headers().get(LOCATION).and_then(|to| Url::parse(to.to_str().ok()?).ok());
        let to = to.map_or_else(|| "another address".to_owned(), |url| place(&url));
        let what = format!("answered {}: it leads to {to}, and redirects are not followed", status.as_u16());
        return Err(Fault::new(FaultKind::Redirected, what));
    }
    if !status.is_success() {
        let headers = response.headers().clone();
        // A packed body is not unpacked, whatever it may say.
        let body = if packed { Vec::new() } else { reading::whole(response, refusal::MOST_BODY, limits.soon()).await };
        return Err(refusal::by_status(status.as_u16(), &headers, &body));
    }
    if packed {
        let what = "sent a compressed answer, though it was told not to; we do not unpack";
        return Err(Fault::new(FaultKind::Malformed, what).next("switch compression off at the gateway or proxy"));
    }
    Ok(response)
}

/// What an answer must look like.
fn accepted(api: Api) -> &'static str {
    if api == Api::Ollama { "application/x-ndjson" } else { "text/event-stream" }
}

/// Whether the answer says it is a stream, or at least does not say it is something else.
fn is_stream(api: Api, headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let whole = kind.starts_with("application/json") && api != Api::Ollama;
    !whole && !kind.starts_with("text/html")
}

/// An answer with status 200 that is no stream: an error, or something else altogether.
fn no_stream(body: &[u8]) -> Fault {
    let tree: Option<serde_json::Value> = serde_json::from_slice(body).ok();
    let is_error = |tree: &serde_json::Value| {
        let one = tree.get(0).unwrap_or(tree);
        one.get("error").is_some_and(|error| !error.is_null()) || one.get("type").is_some_and(|kind| kind == "error")
    };
    if tree.as_ref().is_some_and(is_error) {
        return refusal::in_stream(body);
    }
    let what = if tree.is_some() { "JSON in one piece".to_owned() } else { refusal::Said::read(body).message };
    Fault::new(FaultKind::Malformed, format!("answered 200, but with no stream: {what}"))
}

/// The provider's name for the call, as the head of its answer has it.
fn request_id(headers: &HeaderMap) -> Option<String> {
    let names = ["request-id", "x-request-id", "apim-request-id", "x-goog-request-id"];
    names.iter().find_map(|name| headers.get(*name)?.to_str().ok().filter(|id| !id.is_empty())).map(str::to_owned)
}

/// A name for a call that can be shown and kept.
fn clean_id(id: Option<String>, endpoint: &Endpoint) -> Option<String> {
    let mut id = refusal::one_line(&id?);
    endpoint.redact(&mut id);
    refusal::cut(&mut id, MOST_ID);
    Some(id)
}

/// A fault as a person sees it: who, what, and what to do; on one line, and without any secret.
fn dressed(fault: Fault, name: &str, endpoint: &Endpoint) -> Fault {
    let mut what = refusal::one_line(&format!("{name} {}", fault.what));
    endpoint.redact(&mut what);
    refusal::cut(&mut what, MOST_WORDS);
    let next = fault.next.clone().or_else(|| refusal::next_step(fault.kind, endpoint));
    Fault { what, next, ..fault }
}
