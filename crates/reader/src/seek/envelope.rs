//! What an envelope says about the reply inside it: cut off, filtered, failed; whose turn it is.
//! Given the pairs of a map that is not the answer itself; keeps what counts against the reply, and the pieces of
//! text that a stream carries.

use std::borrow::Cow;

use super::{CUT, Seeker};
use crate::node::Node;
use crate::policy::{is_nothing, shortened};
use crate::schema::Schema;

impl Seeker<'_> {
    /// What stands beside the fields of an answer and takes it back: an error, a cut, a refusal.
    pub(super) fn read_beside(&mut self, pairs: &[(Cow<'_, str>, Node<'_>)], schema: &Schema) {
        for (key, node) in pairs.iter().filter(|(key, _)| schema.field(key).is_none()) {
            let Node::Scalar(scalar) = node else { continue };
            let word = scalar.text.trim();
            match key.as_ref() {
                "stop_reason" | "finish_reason" | "done_reason" | "finishReason" | "stopReason" => self.read_stop(word),
                "status" if ["incomplete", "failed", "cancelled", "error"].contains(&word) => {
                    self.stop = Some(CUT.into())
                }
                "truncated" | "is_error" | "isError" if word == "true" => self.stop = Some(CUT.into()),
                "error" | "refusal" if !is_nothing(word) && word != "false" => {
                    self.stop = Some(format!("the reply says that it is none (`{key}`: {})", shortened(word)));
                }
                _ => {}
            }
        }
    }

    /// What an envelope says about the reply in it: cut off, filtered, failed; and the piece of text it carries.
    pub(super) fn read_envelope(&mut self, pairs: &[(Cow<'_, str>, Node<'_>)], cut: bool) {
        let mut piece = String::new();
        for (key, node) in pairs {
            let word = match node {
                Node::Scalar(scalar) => scalar.text.trim(),
                _ => "",
            };
            match key.as_ref() {
                "stop_reason" | "finish_reason" | "done_reason" | "finishReason" | "stopReason" => self.read_stop(word),
                "status" if ["incomplete", "failed", "cancelled"].contains(&word) => self.stop = Some(CUT.into()),
                "incomplete_details" if matches!(node, Node::Map(_)) => self.stop = Some(CUT.into()),
                "is_error" | "isError" if word == "true" => {
                    self.stop = Some("the call failed and brought no answer".into())
                }
                "truncated" | "is_truncated" if word == "true" => self.stop = Some(CUT.into()),
                "error" if !matches!(word, "null" | "false" | "") || matches!(node, Node::Map(_)) => {
                    self.error = Some(format!("the reply is an error, not an answer: {}", shortened(&message(node))));
                }
                "text" | "content" | "partial_json" | "response" | "arguments" | "token" | "delta" => {
                    if let Node::Scalar(scalar) = node
                        && (scalar.quoted || word != "null")
                    {
                        piece.push_str(&scalar.text);
                    }
                }
                _ => {}
            }
        }
        if !piece.is_empty() && !cut {
            self.budget.pay(piece.len());
            self.pieces.push(piece);
        }
        let of = |names: &[&str]| pairs.iter().find(|(key, _)| names.contains(&key.as_ref())).map(|(_, node)| node);
        if let (Some(Node::Scalar(name)), Some(value), true) =
            (of(&["field", "key", "name"]), of(&["value", "content"]), pairs.len() == 2)
            && self.listed.len() < 32
        {
            self.listed.push((name.text.to_string().into(), value.clone().into_owned()));
        }
    }

    fn read_stop(&mut self, word: &str) {
        const WHOLE: [&str; 8] = ["stop", "end", "complete", "eos", "tool", "function", "finish", "success"];
        let word = word.to_ascii_lowercase();
        if word.contains("length") || word.contains("token") && word != "eos_token" || word == "incomplete" {
            self.stop = Some(CUT.into());
        } else if !matches!(word.as_str(), "" | "null" | "none") && !WHOLE.iter().any(|whole| word.contains(whole)) {
            self.stop = Some(format!("the reply was stopped by the provider ({})", shortened(&word)));
        }
    }
}

/// Keys of an envelope that hold thoughts or what was asked, never the answer.
pub(super) fn is_aside(key: &str) -> bool {
    const ASIDES: [&str; 12] = [
        "reasoning",
        "reasoning_content",
        "thinking",
        "thought",
        "thoughts",
        "chain_of_thought",
        "prompt",
        "instructions",
        "system",
        "request",
        "usage",
        "stats",
    ];
    ASIDES.iter().any(|aside| aside.eq_ignore_ascii_case(key))
}

/// A turn of somebody else, or a thought, in a list of turns and parts.
pub(super) fn is_not_the_answer(pairs: &[(Cow<'_, str>, Node<'_>)]) -> bool {
    pairs.iter().any(|(key, node)| match (key.as_ref(), node) {
        ("role", Node::Scalar(role)) => ["user", "system", "developer"].contains(&role.text.as_ref()),
        ("type", Node::Scalar(kind)) => ["reasoning", "thinking", "redacted_thinking"].contains(&kind.text.as_ref()),
        ("thought", Node::Scalar(thought)) => thought.text == "true",
        _ => false,
    })
}

fn message(node: &Node<'_>) -> String {
    match node {
        Node::Scalar(scalar) => scalar.text.to_string(),
        Node::Map(pairs) => {
            let told = pairs.iter().find(|(key, _)| matches!(key.as_ref(), "message" | "type" | "code"));
            told.map(|(_, node)| message(node)).unwrap_or_default()
        }
        Node::List(items) => items.first().map(message).unwrap_or_default(),
    }
}
