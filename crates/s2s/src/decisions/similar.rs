//! Which past decisions a new topic may be about.
//! Given the topic; hands on at most three records whose titles share its distinctive words, those that hold first.
//! It is a hint and nothing else: what cannot be read is left out, and nothing is an error. Deliberately absent: what
//! the records say, which would find everything.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Decision, Decisions};
use crate::config::Config;

/// The most decisions that are named.
const MOST: usize = 3;
/// Shorter words tell nothing.
const LEAST_CHARS: usize = 3;
/// Words that questions are made of, whatever they are about.
const COMMON: &str = " the and for our are with from into that this what which when where who how why should shall can \
    could would will does not use using used vs versus via per all any one two new old make made need have has its \
    their than then also about over under between instead choose choice decide decision question option adopt keep \
    move start stop way ways best good better more most system project ";

/// A past decision that a topic may be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Similar {
    /// Its name, as `s2s adr show` takes it.
    pub name: String,
    /// Its title.
    pub title: String,
    /// As the record gives it.
    pub status: String,
    /// As the record gives it.
    pub date: Option<String>,
    /// Its file, below the project.
    pub path: String,
}

/// Past decisions on the same subject: at most three, superseded ones after those that hold.
pub fn similar(root: &Path, config: &Config, topic: &str) -> Vec<Similar> {
    let Ok(all) = Decisions::read(root, config) else { return Vec::new() };
    let asked = distinctive(topic);
    let titles: Vec<BTreeSet<String>> = all.rows.iter().map(|row| distinctive(&row.title)).collect();
    // A word that most titles have says nothing about any of them.
    let is_rare = |word: &String| {
        let having = titles.iter().filter(|title| title.contains(word)).count();
        having <= 3 || having * 2 <= titles.len()
    };
    let mut found: Vec<(bool, usize, &Decision)> = Vec::new();
    for (row, title) in all.rows.iter().zip(&titles).filter(|(row, _)| row.readable) {
        let shared = asked.intersection(title).filter(|word| is_rare(word)).count();
        let whole = shared > 0 && shared == asked.len().min(title.len());
        if shared >= 2 || whole {
            found.push((!row.is_live(), shared, row));
        }
    }
    found.sort_by(|a, b| (a.0, b.1, &b.2.date, &a.2.name).cmp(&(b.0, a.1, &a.2.date, &b.2.name)));
    let told = |row: &Decision| Similar {
        name: row.name.clone(),
        title: row.title.clone(),
        status: row.status.clone().unwrap_or_else(|| "no status".to_owned()),
        date: row.date.clone(),
        path: row.path.clone(),
    };
    found.into_iter().take(MOST).map(|(_, _, row)| told(row)).collect()
}

fn distinctive(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| {
        word.chars().count() >= LEAST_CHARS
            && !COMMON.contains(&format!(" {word} "))
            && !word.chars().all(|c| c.is_ascii_digit())
    });
    words.map(|word| singular(word).to_owned()).collect()
}

fn singular(word: &str) -> &str {
    let bare = word.strip_suffix('s').filter(|bare| !bare.ends_with('s') && bare.chars().count() > LEAST_CHARS);
    bare.unwrap_or(word)
}
