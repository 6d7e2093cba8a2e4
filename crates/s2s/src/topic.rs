//! Checks the topic a person typed.
//! Given any text; hands on one clean line and what was changed about it, or why it cannot be a topic.
//! Right-to-left scripts and emoji are welcome; a path such as `../` is only text here, because the
//! session's id is made of letters and digits (S1). Deliberately absent: what the topic means (strategy
//! detection) and the id.

use crate::clean::{clean, clean_line};

/// The longest topic, in characters: several sentences. It stands in every prompt and at the head of
/// every document, so background belongs into an attachment.
pub const MAX_TOPIC_CHARS: usize = 2_000;

/// A topic that can be discussed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The topic: one line, clean, not empty.
    pub topic: String,
    /// What was changed, in sentences for people; empty if nothing was.
    pub notes: Vec<String>,
}

/// Why a text cannot be a topic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TopicError {
    /// Nothing was typed.
    #[error(
        "The topic is empty. Name the question, for example: s2s roundtable start \"REST vs GraphQL for our public API\""
    )]
    Empty,
    /// Nothing readable is left after cleaning.
    #[error("The topic has no visible text: it was only {removed}. Type the question in words.")]
    Invisible {
        /// What it consisted of.
        removed: String,
    },
    /// Longer than [`MAX_TOPIC_CHARS`].
    #[error(
        "The topic has {chars} characters; at most {MAX_TOPIC_CHARS} fit. Ask the question in a sentence or two and attach the rest with --context FILE (`-` reads standard input)."
    )]
    TooLong {
        /// How long it is.
        chars: usize,
    },
}

/// Checks a topic and cleans it into one line.
///
/// # Errors
/// [`TopicError`] where it is empty, invisible or too long.
pub fn check_topic(raw: &str) -> Result<Checked, TopicError> {
    let cleaned = clean(raw);
    let topic = clean_line(&cleaned.text).into_owned();
    if topic.is_empty() {
        return Err(match cleaned.removed.any() {
            true => TopicError::Invisible { removed: cleaned.removed.describe() },
            false => TopicError::Empty,
        });
    }
    let chars = topic.chars().count();
    if chars > MAX_TOPIC_CHARS {
        return Err(TopicError::TooLong { chars });
    }
    let mut notes = Vec::new();
    if cleaned.removed.any() {
        notes.push(format!("Taken out of the topic: {}.", cleaned.removed.describe()));
    }
    let lines = cleaned.text.lines().filter(|line| !line.trim().is_empty()).count();
    if lines > 1 {
        notes.push(format!(
            "The topic had {lines} lines; they are joined into one. Background is better attached with --context FILE."
        ));
    }
    Ok(Checked { topic, notes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, topic: &str, notes: &[&str]) {
        let checked = check_topic(raw).unwrap();
        assert_eq!(checked.topic, topic, "{raw:?}");
        assert_eq!(checked.notes.len(), notes.len(), "{raw:?}: {:?}", checked.notes);
        for (note, part) in checked.notes.iter().zip(notes) {
            assert!(note.contains(part), "{note:?} lacks {part:?}");
        }
    }

    #[test]
    fn good_topics_stay_as_they_are() {
        for topic in [
            "REST vs GraphQL for our public API",
            "🚀 or 🐢: which release train?",
            "REST أم GraphQL لواجهتنا العامة؟",
            "איזה מסד נתונים?",
            "../../etc/passwd",
            "C:\\dir or /dir; rm -rf $HOME `x`",
            "数据库选型",
            "?",
        ] {
            check(topic, topic, &[]);
        }
    }

    #[test]
    fn bad_parts_are_taken_out_and_said() {
        check("\x1b[31mREST\x1b[0m or\0 RPC", "REST or RPC", &["2 terminal sequences and 1 control character"]);
        check("pay\u{202e}lap", "paylap", &["1 text direction mark"]);
        check("RE\u{200b}ST", "REST", &["1 invisible character"]);
        check("  REST\u{a0}or \t RPC ", "REST or RPC", &[]);
    }

    #[test]
    fn lines_become_one_and_it_is_said() {
        check("REST or RPC?\r\n\r\nWe have 3 teams.\n", "REST or RPC? We have 3 teams.", &["2 lines"]);
        check("one line\n", "one line", &[]);
        check("a\x1b[1m\nb", "a b", &["1 terminal sequence", "2 lines"]);
    }

    #[test]
    fn what_is_no_topic_is_refused_with_a_way_out() {
        for (raw, parts) in [
            (String::new(), &["empty", "s2s roundtable start"][..]),
            (" \n\t ".into(), &["empty"]),
            ("\u{200b}\u{200b}\x1b[0m".into(), &["no visible text", "1 terminal sequence and 2 invisible characters"]),
            ("word ".repeat(2_048), &["10239 characters", "2000", "--context FILE"]),
        ] {
            let said = check_topic(&raw).unwrap_err().to_string();
            for part in parts {
                assert!(said.contains(part), "{said:?} lacks {part:?}");
            }
        }
    }

    #[test]
    fn length_is_counted_in_characters_after_cleaning() {
        assert!(check_topic(&"é".repeat(MAX_TOPIC_CHARS)).is_ok());
        assert!(check_topic(&format!("{}\u{200b}", "é".repeat(MAX_TOPIC_CHARS))).is_ok());
        let long = check_topic(&"é".repeat(MAX_TOPIC_CHARS + 1));
        assert_eq!(long, Err(TopicError::TooLong { chars: MAX_TOPIC_CHARS + 1 }));
    }
}
