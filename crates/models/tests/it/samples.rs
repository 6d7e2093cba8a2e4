//! Streams as the providers send them, in each format.

use s2s_models::Api;

/// What is inside a stream.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    pub text: &'a [&'a str],
    pub thoughts: &'a [&'a str],
    /// The format's own word for why it stopped; empty = it does not say.
    pub stop: &'a str,
    /// The counts as JSON; empty = the usual ones.
    pub usage: &'a str,
    /// Whether the end mark comes.
    pub ends: bool,
}

impl Default for Sample<'_> {
    fn default() -> Self {
        Self { text: &["Te", "a.\n"], thoughts: &[], stop: "", usage: "", ends: true }
    }
}

/// The word of each format for: done, too long, filtered.
pub fn stops(api: Api) -> [&'static str; 3] {
    match api {
        Api::Anthropic => ["end_turn", "max_tokens", "refusal"],
        Api::OpenAi => ["stop", "length", "content_filter"],
        Api::OpenAiResponses => ["completed", "max_output_tokens", "content_filter"],
        Api::Gemini => ["STOP", "MAX_TOKENS", "SAFETY"],
        Api::Ollama => ["stop", "length", "unload"],
    }
}

/// A stream that ends well.
pub fn whole(api: Api) -> String {
    stream(api, &Sample { stop: stops(api)[0], ..Sample::default() })
}

/// A stream with this in it.
pub fn stream(api: Api, sample: &Sample<'_>) -> String {
    match api {
        Api::Anthropic => anthropic(sample),
        Api::OpenAi => openai(sample),
        Api::OpenAiResponses => responses(sample),
        Api::Gemini => gemini(sample),
        Api::Ollama => ollama(sample),
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// The value, or the usual one where it is empty.
fn or<'a>(value: &'a str, usual: &'a str) -> &'a str {
    if value.is_empty() { usual } else { value }
}

fn event(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

fn anthropic(sample: &Sample<'_>) -> String {
    let usual =
        r#"{"input_tokens":10,"cache_read_input_tokens":80,"cache_creation_input_tokens":20,"output_tokens":1}"#;
    let usage = or(sample.usage, usual);
    let mut all = event(
        "message_start",
        &format!(
            r#"{{"type":"message_start","message":{{"id":"msg_1","role":"assistant","content":[],"usage":{usage}}}}}"#
        ),
    );
    all += &event("ping", r#"{"type":"ping"}"#);
    for thought in sample.thoughts {
        let delta = format!(r#"{{"type":"thinking_delta","thinking":{}}}"#, quoted(thought));
        all += &event("content_block_delta", &format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#));
    }
    all += &event(
        "content_block_start",
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
    );
    for text in sample.text {
        let delta = format!(r#"{{"type":"text_delta","text":{}}}"#, quoted(text));
        all += &event("content_block_delta", &format!(r#"{{"type":"content_block_delta","index":1,"delta":{delta}}}"#));
    }
    all += &event("content_block_stop", r#"{"type":"content_block_stop","index":1}"#);
    if !sample.stop.is_empty() {
        let usage = or(sample.usage, r#"{"output_tokens":7}"#);
        let delta = format!(r#"{{"stop_reason":{},"stop_sequence":null}}"#, quoted(sample.stop));
        all += &event("message_delta", &format!(r#"{{"type":"message_delta","delta":{delta},"usage":{usage}}}"#));
    }
    if sample.ends {
        all += &event("message_stop", r#"{"type":"message_stop"}"#);
    }
    all
}

fn openai(sample: &Sample<'_>) -> String {
    let chunk = |choices: &str, usage: &str| {
        format!(
            "data: {{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"choices\":[{choices}],\"usage\":{usage}}}\n\n"
        )
    };
    let delta = |delta: &str, stop: &str| format!(r#"{{"index":0,"delta":{{{delta}}},"finish_reason":{stop}}}"#);
    let mut all = ": OPENROUTER PROCESSING\n\n".to_owned();
    all += &chunk(&delta(r#""role":"assistant","content":"""#, "null"), "null");
    for thought in sample.thoughts {
        all += &chunk(&delta(&format!(r#""content":null,"reasoning_content":{}"#, quoted(thought)), "null"), "null");
    }
    for text in sample.text {
        all += &chunk(&delta(&format!(r#""content":{}"#, quoted(text)), "null"), "null");
    }
    if !sample.stop.is_empty() {
        all += &chunk(&delta("", &quoted(sample.stop)), "null");
    }
    let usual = r#"{"prompt_tokens":110,"completion_tokens":7,"total_tokens":117,"cost":0.0125,
        "prompt_tokens_details":{"cached_tokens":80,"cache_write_tokens":20},"completion_tokens_details":{"reasoning_tokens":3}}"#;
    all += &chunk("", &or(sample.usage, usual).replace('\n', ""));
    if sample.ends {
        all += "data: [DONE]\n\n";
    }
    all
}

fn responses(sample: &Sample<'_>) -> String {
    let mut all = event(
        "response.created",
        r#"{"type":"response.created","response":{"id":"resp_1","usage":null,"error":null}}"#,
    );
    for thought in sample.thoughts {
        let kind = "response.reasoning_summary_text.delta";
        all += &event(kind, &format!(r#"{{"type":"{kind}","delta":{}}}"#, quoted(thought)));
    }
    for text in sample.text {
        let kind = "response.output_text.delta";
        all += &event(kind, &format!(r#"{{"type":"{kind}","delta":{}}}"#, quoted(text)));
    }
    if sample.ends {
        let usual = r#"{"input_tokens":110,"output_tokens":7,"input_tokens_details":{"cached_tokens":80}}"#;
        let usage = or(sample.usage, usual);
        let (kind, details) = match sample.stop {
            "completed" => ("response.completed", "null".to_owned()),
            why => ("response.incomplete", format!(r#"{{"reason":{}}}"#, quoted(why))),
        };
        let response = format!(
            r#"{{"id":"resp_1","output":[{{"type":"message"}}],"incomplete_details":{details},"usage":{usage}}}"#
        );
        all += &event(kind, &format!(r#"{{"type":"{kind}","response":{response}}}"#));
    }
    all
}

fn gemini(sample: &Sample<'_>) -> String {
    let parts = |parts: &str, stop: &str| {
        format!(
            r#""candidates":[{{"content":{{"parts":[{parts}],"role":"model"}},"index":0{stop}}}],"responseId":"gem-1""#
        )
    };
    let mut all = String::new();
    for thought in sample.thoughts {
        all +=
            &format!("data: {{{}}}\r\n\r\n", parts(&format!(r#"{{"text":{},"thought":true}}"#, quoted(thought)), ""));
    }
    for text in sample.text {
        all += &format!("data: {{{}}}\r\n\r\n", parts(&format!(r#"{{"text":{}}}"#, quoted(text)), ""));
    }
    if sample.ends {
        let usual =
            r#"{"promptTokenCount":110,"cachedContentTokenCount":80,"candidatesTokenCount":4,"thoughtsTokenCount":3}"#;
        let stop =
            if sample.stop.is_empty() { String::new() } else { format!(r#","finishReason":{}"#, quoted(sample.stop)) };
        all += &format!(
            "data: {{{},\"usageMetadata\":{}}}\r\n\r\n",
            parts(r#"{"text":""}"#, &stop),
            or(sample.usage, usual)
        );
    }
    all
}

fn ollama(sample: &Sample<'_>) -> String {
    let mut all = String::new();
    for thought in sample.thoughts {
        all += &format!(
            "{{\"message\":{{\"role\":\"assistant\",\"content\":\"\",\"thinking\":{}}},\"done\":false}}\n",
            quoted(thought)
        );
    }
    for text in sample.text {
        all += &format!("{{\"message\":{{\"role\":\"assistant\",\"content\":{}}},\"done\":false}}\n", quoted(text));
    }
    if sample.ends {
        let stop =
            if sample.stop.is_empty() { String::new() } else { format!("\"done_reason\":{},", quoted(sample.stop)) };
        let counts = or(sample.usage, "\"prompt_eval_count\":110,\"eval_count\":7");
        all += &format!("{{\"message\":{{\"role\":\"assistant\",\"content\":\"\"}},\"done\":true,{stop}{counts}}}\n");
    }
    all
}
