//! What `codex exec --json` prints: one event per line.
//! Is given JSON values; fills what was said. Deliberately absent: commands and patches, which are switched off.

use serde_json::Value;

use super::{Complaint, Said, number, text};
use crate::{Heard, Stop, Usage};

/// Takes one event; says whether it was a sign of life.
pub(super) fn event(event: &Value, said: &mut Said, heard: Heard<'_>) -> bool {
    match text(event, "/type") {
        Some("thread.started") => said.request_id = text(event, "/thread_id").map(str::to_owned),
        Some("item.completed") => item(event, said, heard),
        Some("turn.completed") => {
            said.stop = Some(Stop::End);
            said.usage = Usage {
                input_tokens: number(event, "/usage/input_tokens"),
                cached_tokens: number(event, "/usage/cached_input_tokens"),
                cache_write_tokens: number(event, "/usage/cache_write_input_tokens"),
                output_tokens: number(event, "/usage/output_tokens"),
                cost_usd: 0.0,
            };
        }
        Some("turn.failed") => {
            let words = text(event, "/error/message").unwrap_or("the turn failed");
            said.complaint = Some(Complaint::new(words, None));
        }
        // It tells of every attempt to connect again; only `turn.failed` says that it has given up.
        Some("error") => {
            said.trouble = text(event, "/message").map(str::to_owned);
            return false;
        }
        _ => {}
    }
    true
}

fn item(event: &Value, said: &mut Said, heard: Heard<'_>) {
    let kind = text(event, "/item/type").or_else(|| text(event, "/item/item_type"));
    match kind {
        // Of several messages the last one is the answer; those before it are remarks on the way.
        Some("agent_message" | "assistant_message") => {
            let message = text(event, "/item/text").unwrap_or_default();
            heard(message);
            said.text = message.to_owned();
        }
        Some("error") => said.trouble = text(event, "/item/message").map(str::to_owned),
        _ => {}
    }
}
