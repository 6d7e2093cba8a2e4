//! The formats on the wire, and what they have in common.
//! Given an [`Ask`], hands on a request; given the pieces of a stream, adds them to a [`Draft`]. All of it is pure:
//! no connection, no clock. Deliberately absent: status codes and headers, which `refusal` and `http` read.

mod anthropic;
mod draft;
mod gemini;
mod ollama;
mod openai;
mod parts;
mod responses;

use reqwest::Url;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::lines::Framing;
use crate::{Api, Ask, Fault, FaultKind, refusal};

pub(crate) use draft::{Draft, Ending, Sign};

/// A request, ready to be sent.
#[derive(Debug)]
pub(crate) struct Request {
    /// Where to.
    pub url: Url,
    /// The JSON.
    pub body: Vec<u8>,
}

/// The headers a format wants besides the key.
pub(crate) fn headers(api: Api) -> &'static [(&'static str, &'static str)] {
    match api {
        Api::Anthropic => &anthropic::HEADERS,
        Api::OpenAi | Api::OpenAiResponses | Api::Gemini | Api::Ollama => &[],
    }
}

/// How a format marks off the pieces of its stream.
pub(crate) fn framing(api: Api) -> Framing {
    if api == Api::Ollama { Framing::Lines } else { Framing::Events }
}

/// The call in the words of a format.
pub(crate) fn request(api: Api, base: &Url, ask: &Ask) -> Result<Request, Fault> {
    match api {
        Api::Anthropic => anthropic::request(base, ask),
        Api::OpenAi => openai::request(base, ask),
        Api::OpenAiResponses => responses::request(base, ask),
        Api::Gemini => gemini::request(base, ask),
        Api::Ollama => ollama::request(base, ask),
    }
}

/// Adds one piece of a stream to the draft. After the end mark only Gemini has more to say (its counts).
pub(crate) fn take(api: Api, draft: &mut Draft<'_>, piece: &[u8]) -> Result<Sign, Fault> {
    match api {
        Api::Gemini => gemini::take(draft, piece),
        _ if draft.ended => Ok(Sign::Nothing),
        Api::Anthropic => anthropic::take(draft, piece),
        Api::OpenAi => openai::take(draft, piece),
        Api::OpenAiResponses => responses::take(draft, piece),
        Api::Ollama => ollama::take(draft, piece),
    }
}

/// Where the names of the models are.
pub(crate) fn models_url(api: Api, base: &Url) -> Url {
    use crate::endpoint::below;
    match api {
        Api::Anthropic => {
            let mut url = below(base, &["v1", "models"]);
            url.query_pairs_mut().append_pair("limit", "1000");
            url
        }
        Api::OpenAi | Api::OpenAiResponses => below(base, &["models"]),
        Api::Gemini => {
            let mut url = below(base, &["models"]);
            url.query_pairs_mut().append_pair("pageSize", "1000");
            url
        }
        Api::Ollama => below(base, &["api", "tags"]),
    }
}

/// The names in a list of models, in its order.
pub(crate) fn model_names(body: &[u8]) -> Result<Vec<String>, Fault> {
    // Ollama gives `name` and `model`, some servers `id` and `name`: the id is what a call wants.
    let list = |body: &[u8]| -> Option<Vec<String>> {
        let tree: serde_json::Value = serde_json::from_slice(body).ok()?;
        let models = tree.get("data").or_else(|| tree.get("models"))?.as_array()?;
        let name = |model: &serde_json::Value| {
            let name = model.get("id").or_else(|| model.get("name"))?.as_str()?;
            // They come from outside and go onto a screen.
            Some(refusal::one_line(name.strip_prefix("models/").unwrap_or(name)))
        };
        Some(models.iter().filter_map(name).collect())
    };
    list(body).ok_or_else(|| Fault::new(FaultKind::Malformed, "sent no list of models"))
}

/// A piece as JSON; what is not is said, with the place but without its text.
fn json<'a, T: Deserialize<'a>>(piece: &'a [u8]) -> Result<T, Fault> {
    serde_json::from_slice(piece)
        .map_err(|error| Fault::new(FaultKind::Malformed, format!("sent a piece that is not in its format: {error}")))
}

/// A request's JSON. Plain values of our own: it can only fail where memory does.
fn body(value: &impl serde::Serialize) -> Result<Vec<u8>, Fault> {
    serde_json::to_vec(value).map_err(|error| {
        Fault::new(FaultKind::Rejected, format!("cannot be asked this: the request is no JSON ({error})"))
    })
}

/// Counts that may be of any shape: what cannot be read counts as not said.
fn lenient<'a, T: Deserialize<'a> + Default>(raw: Option<&'a RawValue>) -> T {
    // A list would be read as the fields in their order.
    let object = raw.map(RawValue::get).filter(|raw| raw.starts_with('{'));
    object.and_then(|raw| serde_json::from_str(raw).ok()).unwrap_or_default()
}
