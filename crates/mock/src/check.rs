//! What a real server checks before it answers: the key, the body, the fields, the shape.
//! Given headers and a body; hands on nothing, or the complaint the real server makes. A key that begins with
//! `wrong` is refused, as is a model that begins with `no-such`; anything else passes. Deliberately absent:
//! the words of the complaint, which differ by format.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::complaint::Complaint;
use crate::routes::Format;
use crate::strict;

/// The key in the headers or the query, without the word before it.
pub(crate) fn key<'a>(headers: &'a BTreeMap<String, String>, query: &'a str) -> Option<&'a str> {
    let named = ["x-api-key", "x-goog-api-key", "api-key"].into_iter().find_map(|name| headers.get(name));
    let bearer = headers.get("authorization").map(|value| bearer(value));
    let asked = query.split('&').find_map(|pair| pair.strip_prefix("key="));
    named.map(String::as_str).or(bearer).or(asked).filter(|key| !key.is_empty())
}

fn bearer(value: &str) -> &str {
    value.split_once(' ').filter(|(word, _)| word.eq_ignore_ascii_case("bearer")).map_or("", |(_, key)| key.trim())
}

/// Whether the key of this format is there and right.
pub(crate) fn access(format: Format, headers: &BTreeMap<String, String>, query: &str) -> Result<(), Complaint> {
    let from = |name: &str| headers.get(name).map(String::as_str);
    let bearer = from("authorization").map(bearer);
    let key = match format {
        // Claude's own tools may send a token instead of a key.
        Format::Anthropic => from("x-api-key").or(bearer),
        // Azure's gateways have a header of their own.
        Format::OpenAi | Format::Responses => bearer.or(from("api-key")),
        Format::Gemini => from("x-goog-api-key").or(query.split('&').find_map(|pair| pair.strip_prefix("key="))),
        Format::Ollama => Some("none is needed"),
    };
    match key {
        None | Some("") => Err(Complaint::NoKey),
        Some(key) if key.starts_with("wrong") => Err(Complaint::WrongKey),
        Some(_) if format == Format::Anthropic && from("anthropic-version").is_none() => {
            Err(Complaint::invalid("anthropic-version: header is required", None))
        }
        Some(_) => Ok(()),
    }
}

/// Whether the body is one this format takes.
pub(crate) fn body(format: Format, body: &Value) -> Result<(), Complaint> {
    let Some(fields) = body.as_object() else { return Err(Complaint::invalid("the body is no JSON object", None)) };
    let needed: &[&str] = match format {
        Format::Anthropic => &["model", "max_tokens", "messages"],
        Format::OpenAi | Format::Ollama => &["model", "messages"],
        Format::Responses => &["model", "input"],
        Format::Gemini => &["contents"],
    };
    if let Some(missing) = needed.iter().find(|name| fields.get(**name).is_none_or(Value::is_null)) {
        return Err(Complaint::Missing { field: missing });
    }
    let model = body["model"].as_str().unwrap_or_default();
    known(model)?;
    match format {
        Format::Anthropic => anthropic(body),
        Format::OpenAi => openai(body),
        Format::Responses => responses(body),
        Format::Gemini => gemini(body),
        Format::Ollama => Ok(()),
    }
}

/// Whether there is such a model.
pub(crate) fn known(model: &str) -> Result<(), Complaint> {
    match model.starts_with("no-such") {
        true => Err(Complaint::NoSuchModel(model.to_owned())),
        false => Ok(()),
    }
}

fn anthropic(body: &Value) -> Result<(), Complaint> {
    if body["max_tokens"].as_u64().is_none_or(|most| most == 0) {
        return Err(Complaint::invalid("max_tokens: Input should be greater than or equal to 1", None));
    }
    let messages = body["messages"].as_array().map_or(&[] as &[Value], Vec::as_slice);
    if messages.is_empty() {
        return Err(Complaint::invalid("messages: at least one message is required", None));
    }
    for (index, message) in messages.iter().enumerate() {
        if !matches!(message["role"].as_str(), Some("user" | "assistant")) {
            let what = format!("messages.{index}.role: Input should be 'user' or 'assistant'");
            return Err(Complaint::Invalid { what, param: None });
        }
    }
    let format = [&body["output_config"]["format"], &body["output_format"]];
    let schema = format.into_iter().map(|format| &format["schema"]).find(|schema| schema.is_object());
    let flaw = schema.and_then(loose);
    flaw.map_or(Ok(()), |what| {
        Err(Complaint::Invalid { what: format!("output_config.format.schema: {what}"), param: None })
    })
}

/// Anthropic asks only that objects are closed.
fn loose(schema: &Value) -> Option<String> {
    let open = schema["type"] == "object" && schema["additionalProperties"] != Value::Bool(false);
    if open {
        return Some("For 'object' type, 'additionalProperties' must be explicitly set to false".to_owned());
    }
    let inner = schema["properties"].as_object().into_iter().flat_map(|all| all.values());
    inner.chain(schema.get("items")).find_map(loose)
}

fn openai(body: &Value) -> Result<(), Complaint> {
    if body["messages"].as_array().is_none_or(Vec::is_empty) {
        let what =
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
        return Err(Complaint::invalid(what, Some("messages")));
    }
    let format = &body["response_format"];
    match format["type"].as_str() {
        Some("json_schema") => shape(&format["json_schema"], "response_format"),
        _ => Ok(()),
    }
}

fn responses(body: &Value) -> Result<(), Complaint> {
    let format = &body["text"]["format"];
    match format["type"].as_str() {
        Some("json_schema") => shape(format, "text.format"),
        _ => Ok(()),
    }
}

/// A named schema, held to the strict rules if it says so.
fn shape(shape: &Value, param: &'static str) -> Result<(), Complaint> {
    let name = shape["name"].as_str().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
        let what = format!("Invalid '{param}.name': a name of 1 to 64 letters, digits, '_' or '-' is expected.");
        return Err(Complaint::Invalid { what, param: Some(param) });
    }
    if !shape["schema"].is_object() {
        let what = format!("Missing required parameter: '{param}.schema'.");
        return Err(Complaint::Invalid { what, param: Some(param) });
    }
    let flaw = if shape["strict"] == Value::Bool(true) { strict::flaw(&shape["schema"]) } else { None };
    let said = |flaw: String| format!("Invalid schema for response_format '{name}': {flaw}");
    flaw.map_or(Ok(()), |flaw| Err(Complaint::Invalid { what: said(flaw), param: Some(param) }))
}

fn gemini(body: &Value) -> Result<(), Complaint> {
    if body["contents"].as_array().is_none_or(Vec::is_empty) {
        return Err(Complaint::invalid("* GenerateContentRequest.contents: contents is not specified", None));
    }
    let settings = &body["generationConfig"];
    let shaped = settings.get("responseSchema").or(settings.get("responseJsonSchema")).is_some_and(Value::is_object);
    if shaped && settings["responseMimeType"] != "application/json" {
        let what = "a response schema needs the response mime type application/json";
        return Err(Complaint::invalid(what, None));
    }
    Ok(())
}
