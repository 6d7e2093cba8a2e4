//! The lists of models, in each provider's shape.
//! Given a format; hands on its list. The names are the mock's own: any other name is answered too, except
//! those that begin with `no-such`. Deliberately absent: pages, which so short a list does not need.

use serde_json::{Value, json};

use crate::routes::Format;

/// The models the server says it has.
const NAMES: [&str; 2] = ["mock-large", "mock-small"];

/// The list of models.
pub(crate) fn list(format: Format) -> Value {
    let each = |make: fn(&str) -> Value| NAMES.map(make);
    match format {
        Format::Anthropic => json!({
            "data": each(|name| json!({
                "type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z",
            })),
            "has_more": false,
            "first_id": NAMES[0],
            "last_id": NAMES[NAMES.len() - 1],
        }),
        Format::OpenAi | Format::Responses => json!({
            "object": "list",
            "data": each(|name| json!({
                "id": name, "object": "model", "created": 1_767_225_600, "owned_by": "mock",
            })),
        }),
        Format::Gemini => json!({
            "models": each(|name| json!({
                "name": format!("models/{name}"),
                "version": "001",
                "displayName": name,
                "inputTokenLimit": 1_048_576,
                "outputTokenLimit": 65_536,
                "supportedGenerationMethods": ["generateContent", "countTokens"],
            })),
        }),
        Format::Ollama => json!({
            "models": each(|name| json!({
                "name": format!("{name}:latest"),
                "model": format!("{name}:latest"),
                "modified_at": "2026-01-01T00:00:00Z",
                "size": 4_000_000_000u64,
                "digest": "0".repeat(64),
                "details": {
                    "format": "gguf", "family": "mock", "parameter_size": "8B", "quantization_level": "Q4_K_M",
                },
            })),
        }),
    }
}
