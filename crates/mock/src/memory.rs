//! Which beginnings of prompts the server has met before, as the providers' prompt caches do.
//! Given a key, a model and a prompt; hands on how many tokens were read from the cache and how many written
//! to it. Digests only, and a bounded number of them. Deliberately absent: expiry.

use std::collections::{HashSet, VecDeque};

use crate::asked::Asked;
use crate::random::{START, digest};
use crate::routes::Format;

/// Bytes that make about one token.
pub(crate) const BYTES_PER_TOKEN: usize = 4;

/// The shortest prefix that is cached, in tokens.
const LEAST: usize = 1024;

/// The steps in which OpenAI and Gemini cache, in tokens.
const STEP: usize = 128;

/// The most digests that are remembered; the oldest go first.
const MOST: usize = 200_000;

/// What the cache did for one call, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cached {
    pub(crate) read: u64,
    pub(crate) written: u64,
}

/// The prefixes met so far.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    known: HashSet<u64>,
    order: VecDeque<u64>,
}

impl Memory {
    /// Looks a prompt up, and remembers it.
    pub(crate) fn meet(&mut self, key: &str, asked: &Asked) -> Cached {
        match asked.format {
            Format::Ollama => Cached::default(),
            Format::Anthropic => self.marked(key, asked),
            Format::OpenAi | Format::Responses | Format::Gemini => self.stepped(key, asked),
        }
    }

    /// Anthropic: only what the caller marked.
    fn marked(&mut self, key: &str, asked: &Asked) -> Cached {
        let mut cached = Cached::default();
        let (mut sum, mut from) = (origin(key, asked), 0);
        for end in &asked.marks {
            sum = digest(sum, asked.prompt.as_bytes().get(from..*end).unwrap_or_default());
            from = *end;
            let tokens = end / BYTES_PER_TOKEN;
            if tokens < LEAST {
                continue;
            }
            match self.remember(sum) {
                true => cached.written = tokens as u64 - cached.read,
                false => cached = Cached { read: tokens as u64, written: 0 },
            }
        }
        cached
    }

    /// OpenAI and Gemini: by themselves, in steps.
    fn stepped(&mut self, key: &str, asked: &Asked) -> Cached {
        let mut cached = Cached::default();
        let mut sum = origin(key, asked);
        for (index, step) in asked.prompt.as_bytes().chunks_exact(STEP * BYTES_PER_TOKEN).enumerate() {
            sum = digest(sum, step);
            let tokens = (index + 1) * STEP;
            if tokens >= LEAST && !self.remember(sum) {
                cached.read = tokens as u64;
            }
        }
        cached
    }

    /// Whether this one is new.
    fn remember(&mut self, sum: u64) -> bool {
        let new = self.known.insert(sum);
        if new {
            self.order.push_back(sum);
            if self.order.len() > MOST
                && let Some(oldest) = self.order.pop_front()
            {
                self.known.remove(&oldest);
            }
        }
        new
    }
}

/// A cache belongs to one key and one model.
fn origin(key: &str, asked: &Asked) -> u64 {
    let sum = digest(START, key.as_bytes());
    digest(digest(sum, b"\n"), asked.model.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(format: Format, prompt: &str, marks: &[usize]) -> Asked {
        Asked { prompt: prompt.to_owned(), marks: marks.to_vec(), ..Asked::new(format) }
    }

    #[test]
    fn anthropic_caches_what_is_marked_and_long_enough() {
        let mut memory = Memory::default();
        let (long, end) = ("x".repeat(9000), 8000);
        assert_eq!(memory.meet("k", &asked(Format::Anthropic, &long, &[])), Cached::default());
        assert_eq!(memory.meet("k", &asked(Format::Anthropic, &long, &[400])), Cached::default());
        let first = memory.meet("k", &asked(Format::Anthropic, &long, &[end]));
        assert_eq!(first, Cached { read: 0, written: 2000 });
        let again = memory.meet("k", &asked(Format::Anthropic, &(long[..8000].to_owned() + "other"), &[end]));
        assert_eq!(again, Cached { read: 2000, written: 0 });
        assert_eq!(memory.meet("another key", &asked(Format::Anthropic, &long, &[end])).read, 0);
    }

    #[test]
    fn openai_caches_in_steps_by_itself() {
        let mut memory = Memory::default();
        let long = "y".repeat(4 * 1300);
        assert_eq!(memory.meet("k", &asked(Format::OpenAi, &long, &[])), Cached::default());
        assert_eq!(memory.meet("k", &asked(Format::OpenAi, &long, &[])), Cached { read: 1280, written: 0 });
        let other = long[..4 * 1200].to_owned() + &"z".repeat(400);
        assert_eq!(memory.meet("k", &asked(Format::OpenAi, &other, &[])).read, 1152);
        assert_eq!(memory.meet("k", &asked(Format::OpenAi, "short", &[])), Cached::default());
    }

    #[test]
    fn memory_is_bounded() {
        let mut memory = Memory::default();
        for sum in 0..MOST as u64 + 10 {
            memory.remember(sum);
        }
        assert_eq!((memory.known.len(), memory.order.len()), (MOST, MOST));
    }
}
