//! Word lists: which words of a topic suggest a strategy (T2), which words call a person (E3), and
//! which words say nothing (for the fallback synthesis, L4).
//! Given: YAML text, one file per language, the project's on top of the built-in one. Hands on:
//! [`Words`] and [`detect`]. Deliberately absent: the probing questions, which the engine owns.

use std::collections::BTreeSet;

use s2s_yaml::node::{Fields, Misfit, Misfits, Node, read};
use serde::Serialize;

use crate::strategy::{one_line, slug};

const KEYS: &[&str] = &["replace", "detection", "critical_keywords", "stop_words"];

/// The word lists in force.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Words {
    /// Which words suggest which strategy; the order decides.
    pub detection: Vec<Hint>,
    /// Words that call a person when a seat says them (E3).
    pub critical_keywords: Vec<String>,
    /// Words that never count as a theme.
    pub stop_words: BTreeSet<String>,
}

/// The words that suggest one strategy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// The strategy.
    pub strategy: String,
    /// Why it suits such a topic, for the person who confirms.
    pub reason: String,
    /// Words and phrases, compared as whole words in any case.
    pub words: Vec<String>,
}

/// A strategy found by a word of the topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Detection {
    /// The strategy.
    pub strategy: String,
    /// The word of the list that was found.
    pub word: String,
    /// Why the strategy suits.
    pub reason: String,
}

/// Finds the strategy that a topic's words suggest: the first hint with a word in it (T2).
pub fn detect(topic: &str, words: &Words) -> Option<Detection> {
    let spoken = tokens(topic);
    words.detection.iter().find_map(|hint| {
        let word = hint.words.iter().find(|word| holds(topic, &spoken, word))?;
        Some(Detection { strategy: hint.strategy.clone(), word: word.clone(), reason: hint.reason.clone() })
    })
}

fn holds(topic: &str, spoken: &[String], word: &str) -> bool {
    // Chinese, Japanese and Thai write no spaces between words: there, containing is enough.
    if word.chars().any(spaceless) {
        return topic.to_lowercase().contains(&word.to_lowercase());
    }
    let wanted = tokens(word);
    !wanted.is_empty() && spoken.windows(wanted.len()).any(|window| window == wanted)
}

fn spaceless(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

fn tokens(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Reads a word list on top of another: it adds, or with `replace: true` takes the place of each
/// list it names. The name of the file is free (a language, usually).
pub fn read_words(text: &str, below: Words) -> Result<Words, Vec<Misfit>> {
    let mut misfits = Misfits::default();
    let root = read(text).map_err(|flaw| vec![flaw.into()])?;
    let words = match misfits.keep(root.fields()) {
        Some(top) => words(&top, below, &mut misfits),
        None => None,
    };
    misfits.into_result(words)
}

fn words(top: &Fields<'_>, mut words: Words, misfits: &mut Misfits) -> Option<Words> {
    misfits.0.extend(top.unknown(KEYS));
    let replace = misfits.keep(top.get("replace").map_or(Ok(false), Node::flag))?;
    if let Some(node) = top.get("detection") {
        if replace {
            words.detection.clear();
        }
        for item in misfits.keep(node.items())? {
            if let Some(hint) = misfits.keep(hint(item)) {
                add_hint(&mut words.detection, hint);
            }
        }
    }
    if let Some(list) = top.get("critical_keywords").and_then(|node| misfits.keep(node.texts())) {
        if replace {
            words.critical_keywords.clear();
        }
        for word in list {
            add_word(&mut words.critical_keywords, word);
        }
    }
    if let Some(list) = top.get("stop_words").and_then(|node| misfits.keep(node.texts())) {
        if replace {
            words.stop_words.clear();
        }
        words.stop_words.extend(list.iter().map(|word| word.to_lowercase()));
    }
    Some(words)
}

fn hint(node: &Node) -> Result<Hint, Misfit> {
    let fields = node.fields()?;
    if let Some(unknown) = fields.unknown(&["strategy", "reason", "words"]).into_iter().next() {
        return Err(unknown);
    }
    let strategy = slug(fields.required("strategy")?)?;
    let reason = fields.get("reason").map_or(Ok(""), Node::text)?;
    let list = fields.required("words")?;
    let words = list.texts()?;
    match words.iter().all(|word| tokens(word).is_empty()) {
        true => Err(list.misfit("the list holds no word")),
        false => Ok(Hint { strategy, reason: one_line(reason), words }),
    }
}

/// A second hint for the same strategy adds its words and keeps the place in the order.
fn add_hint(hints: &mut Vec<Hint>, hint: Hint) {
    match hints.iter_mut().find(|there| there.strategy == hint.strategy) {
        Some(there) => {
            for word in hint.words {
                add_word(&mut there.words, word);
            }
            if !hint.reason.is_empty() {
                there.reason = hint.reason;
            }
        }
        None => hints.push(hint),
    }
}

fn add_word(words: &mut Vec<String>, word: String) {
    if !words.iter().any(|there| there.to_lowercase() == word.to_lowercase()) {
        words.push(word);
    }
}
