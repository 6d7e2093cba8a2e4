//! What a call asks for, whatever its format.
//! Given a checked body; hands on model, prompt, shape and the marks for the cache. Deliberately absent:
//! whether the body is one a real server would take, which `check` decides first.

use serde_json::Value;

use crate::routes::Format;

/// A call, understood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) format: Format,
    pub(crate) model: String,
    /// The system part, then everything else.
    pub(crate) prompt: String,
    /// Where the system part ends.
    pub(crate) system_end: usize,
    /// Where the prompt is marked for the cache, as ends of prefixes.
    pub(crate) marks: Vec<usize>,
    /// Whether the reply is streamed.
    pub(crate) stream: bool,
    /// Gemini without `alt=sse` streams a JSON array.
    pub(crate) sse: bool,
    /// The shape that is wanted.
    pub(crate) schema: Option<Value>,
    /// Whether thoughts are wanted.
    pub(crate) thinks: bool,
    /// Whether usage is wanted at the end of a stream (OpenAI chat).
    pub(crate) include_usage: bool,
}

impl Asked {
    /// An empty call in this format.
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            model: String::new(),
            prompt: String::new(),
            system_end: 0,
            marks: Vec::new(),
            stream: false,
            sse: true,
            schema: None,
            thinks: false,
            include_usage: false,
        }
    }

    /// The call in a body.
    pub(crate) fn of(format: Format, body: &Value) -> Self {
        let mut asked = Self::new(format);
        asked.model = body["model"].as_str().unwrap_or_default().to_owned();
        asked.stream = body["stream"].as_bool().unwrap_or(format == Format::Ollama);
        match format {
            Format::Anthropic => asked.anthropic(body),
            Format::OpenAi => asked.openai(body),
            Format::Responses => asked.responses(body),
            Format::Gemini => asked.gemini(body),
            Format::Ollama => asked.ollama(body),
        }
        asked
    }

    /// The system part.
    pub(crate) fn system(&self) -> &str {
        self.prompt.get(..self.system_end).unwrap_or_default()
    }

    /// The rest.
    pub(crate) fn user(&self) -> &str {
        self.prompt.get(self.system_end..).unwrap_or_default()
    }

    fn anthropic(&mut self, body: &Value) {
        self.take(&body["system"]);
        self.system_end = self.prompt.len();
        for message in list(&body["messages"]) {
            self.take(&message["content"]);
        }
        if body.get("cache_control").is_some_and(Value::is_object) {
            self.marks.push(self.prompt.len());
        }
        let format = [&body["output_config"]["format"], &body["output_format"]];
        self.schema = format.into_iter().find_map(|format| object(&format["schema"]));
        self.thinks = matches!(body["thinking"]["type"].as_str(), Some("enabled" | "adaptive"));
    }

    fn openai(&mut self, body: &Value) {
        self.messages(&body["messages"], "content");
        self.schema = object(&body["response_format"]["json_schema"]["schema"]);
        self.thinks = body["reasoning_effort"].as_str().is_some_and(|effort| effort != "none");
        self.include_usage = body["stream_options"]["include_usage"].as_bool().unwrap_or(false);
    }

    fn responses(&mut self, body: &Value) {
        self.take(&body["instructions"]);
        self.system_end = self.prompt.len();
        if body["input"].is_string() {
            self.take(&body["input"]);
        } else {
            self.messages(&body["input"], "content");
        }
        self.schema = object(&body["text"]["format"]["schema"]);
        self.thinks = body["reasoning"]["effort"].as_str().is_some_and(|effort| effort != "none");
    }

    fn gemini(&mut self, body: &Value) {
        let either = |name: &str, other: &str| body.get(name).or(body.get(other)).cloned().unwrap_or_default();
        self.take(&either("systemInstruction", "system_instruction")["parts"]);
        self.system_end = self.prompt.len();
        for content in list(&body["contents"]) {
            self.take(&content["parts"]);
        }
        let settings = either("generationConfig", "generation_config");
        let shapes = ["responseJsonSchema", "responseSchema", "response_schema"];
        self.schema = shapes.into_iter().find_map(|name| object(&settings[name]));
        self.thinks = settings["thinkingConfig"]["includeThoughts"].as_bool().unwrap_or(false);
    }

    fn ollama(&mut self, body: &Value) {
        self.messages(&body["messages"], "content");
        self.schema = object(&body["format"]);
        self.thinks = !matches!(body["think"], Value::Null | Value::Bool(false));
    }

    /// Messages with a role each; those of the system come first.
    fn messages(&mut self, messages: &Value, field: &str) {
        let mut opening = true;
        for message in list(messages) {
            let system = matches!(message["role"].as_str(), Some("system" | "developer"));
            opening &= system;
            self.take(&message[field]);
            if opening {
                self.system_end = self.prompt.len();
            }
        }
    }

    /// A text, or parts with a text each.
    fn take(&mut self, content: &Value) {
        if let Some(text) = content.as_str() {
            self.add(text);
        }
        for part in list(content) {
            self.add(part["text"].as_str().unwrap_or_default());
            if part.get("cache_control").is_some_and(Value::is_object) {
                self.marks.push(self.prompt.len());
            }
        }
    }

    fn add(&mut self, text: &str) {
        if !self.prompt.is_empty() {
            self.prompt.push('\n');
        }
        self.prompt.push_str(text);
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn object(value: &Value) -> Option<Value> {
    value.is_object().then(|| value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_format_says_system_and_user_in_its_own_way() {
        let two =
            json!([{"role": "system", "content": "S"}, {"role": "user", "content": [{"type": "text", "text": "U"}]}]);
        let bodies = [
            (
                Format::Anthropic,
                json!({"system": [{"type": "text", "text": "S"}], "messages": [{"role": "user", "content": "U"}]}),
            ),
            (Format::OpenAi, json!({"messages": two})),
            (Format::Responses, json!({"instructions": "S", "input": "U"})),
            (Format::Responses, json!({"input": two})),
            (
                Format::Gemini,
                json!({"systemInstruction": {"parts": [{"text": "S"}]}, "contents": [{"parts": [{"text": "U"}]}]}),
            ),
            (Format::Ollama, json!({"messages": two})),
        ];
        for (format, body) in bodies {
            let asked = Asked::of(format, &body);
            assert_eq!((asked.system(), asked.user()), ("S", "\nU"), "{format:?}");
        }
    }

    #[test]
    fn marks_for_the_cache_are_ends_of_prefixes() {
        let mark = json!({"type": "ephemeral"});
        let body = json!({"system": [{"text": "abc", "cache_control": mark}], "messages": [{"content": "de"}]});
        assert_eq!(Asked::of(Format::Anthropic, &body).marks, [3]);
    }
}
