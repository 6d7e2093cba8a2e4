//! From the text of a session file to minutes, or to the reason why not.
//! Checks, in this order: YAML, schema version, digests and seal, then the shape of each field, so
//! that an edited round is called edited and not merely misshapen. Deliberately absent: repair.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use s2s_engine::counted;
use s2s_engine::record::{Escalation, Round};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::chain;
use crate::error::StoreError;
use crate::known;
use crate::legacy;
use crate::minutes::{Head, Minutes, SCHEMA_VERSION};
use crate::written::{RawRound, Written};

impl Minutes {
    /// Reads the text of a session file; `path` is for the words of errors.
    ///
    /// # Errors
    /// If it is not YAML, newer than this program, edited since its last commit, or misshapen.
    pub fn parse(text: &str, path: &Path) -> Result<Self, StoreError> {
        let value = s2s_yaml::to_value(text).map_err(|flaw| StoreError::flawed(path, flaw))?;
        read(value, &Place { text, path })
    }

    /// Minutes from a document made here.
    pub(crate) fn from_document(document: Value) -> Result<Self, StoreError> {
        read(document, &Place { text: "", path: Path::new("(new session)") })
    }
}

/// The line where a round starts in the text of a session file, from 1; none where it cannot be told.
pub fn line_of_round(text: &str, number: u32) -> Option<u32> {
    let index = (number as usize).checked_sub(1)?;
    Some(Place { text, path: Path::new("") }.line_of_round(index)).filter(|line| *line > 0)
}

/// Where the text came from, to point at lines.
struct Place<'t> {
    text: &'t str,
    path: &'t Path,
}

fn read(value: Value, place: &Place<'_>) -> Result<Minutes, StoreError> {
    let Value::Object(mut document) = value else {
        return Err(place.flaw("", "this is not a session file: no fields in it"));
    };
    let schema_version = schema(&document, place)?;
    let seal = document.shift_remove("seal");
    let total = document.shift_remove("total_rounds");
    let raw_rounds = match document.shift_remove("rounds") {
        Some(Value::Array(rounds)) => rounds,
        None | Some(Value::Null) => Vec::new(),
        Some(_) => return Err(place.flaw("rounds", "`rounds` is not a list")),
    };
    let last_digest = check_chain(&document, &raw_rounds, place)?;
    let made_here = place.text.is_empty();
    let ours = schema_version.is_some() || raw_rounds.iter().any(|round| round.get("digest").is_some());
    if ours && !made_here {
        check_seal(seal.as_ref(), last_digest.as_deref(), &document, place)?;
        check_total(total.as_ref(), raw_rounds.len(), place)?;
    }
    let head = head(&document, schema_version, place)?;
    let rounds = rounds(&raw_rounds, place)?;
    let (escalations, escalation_rows) = escalations(&document, place)?;
    let strict = schema_version.is_some();
    Ok(Minutes {
        head,
        rounds,
        escalations,
        escalation_rows,
        interventions: listed(&document, "interventions", strict, place)?,
        outcome: field(&document, "outcome", strict, place)?,
        document,
        raw_rounds: raw_rounds.into_iter().map(|round| Arc::new(RawRound::new(round))).collect(),
        last_digest,
        settled: Written::default(),
    })
}

fn schema(document: &Map<String, Value>, place: &Place<'_>) -> Result<Option<u64>, StoreError> {
    match document.get("schema_version") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_u64() {
            Some(found) if found > SCHEMA_VERSION => {
                Err(StoreError::Newer { path: place.path.to_owned(), found, known: SCHEMA_VERSION })
            }
            Some(found) if found > 0 => Ok(Some(found)),
            _ => Err(place.flaw("schema_version", "`schema_version` is not a whole number from 1")),
        },
    }
}

/// Walks the chain; gives the digest of the last round. Only rounds at the start may have none of
/// their own; the first digest after them covers them too.
fn check_chain(
    document: &Map<String, Value>,
    rounds: &[Value],
    place: &Place<'_>,
) -> Result<Option<String>, StoreError> {
    let mut before = chain::digest_of_head(document);
    let mut digested = false;
    for (index, round) in rounds.iter().enumerate() {
        before = chain::digest_of_round(&before, round);
        let holds = match round.get("digest") {
            None => !digested,
            Some(stored) => stored.as_str() == Some(&before),
        };
        if !holds {
            let round = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let since = if digested { round } else { 0 };
            let line = place.line_of_round(index);
            return Err(StoreError::BrokenChain { path: place.path.to_owned(), line, round, since });
        }
        digested |= round.get("digest").is_some();
    }
    Ok((!rounds.is_empty()).then_some(before))
}

fn check_seal(
    seal: Option<&Value>,
    last: Option<&str>,
    document: &Map<String, Value>,
    place: &Place<'_>,
) -> Result<(), StoreError> {
    let expected = match last {
        Some(last) => chain::seal_of(last, document),
        None => chain::seal_of(&chain::digest_of_head(document), document),
    };
    if seal.and_then(Value::as_str) == Some(&expected) {
        return Ok(());
    }
    let what = if last.is_some() {
        "the number of rounds, the escalations, the interventions or the outcome"
    } else {
        "the head, the escalations, the interventions or the outcome"
    };
    Err(StoreError::BrokenSeal { path: place.path.to_owned(), line: place.line_of("seal"), what })
}

fn check_total(total: Option<&Value>, rounds: usize, place: &Place<'_>) -> Result<(), StoreError> {
    if total.and_then(Value::as_u64) == Some(rounds as u64) {
        return Ok(());
    }
    let said = total.map_or_else(|| "nothing".to_owned(), Value::to_string);
    let (are, rounds) = (if rounds == 1 { "is" } else { "are" }, counted(rounds, "round"));
    Err(place.flaw("total_rounds", &format!("`total_rounds` says {said}, but there {are} {rounds}")))
}

fn head(document: &Map<String, Value>, schema: Option<u64>, place: &Place<'_>) -> Result<Head, StoreError> {
    let strict = schema.is_some();
    let text = |key: &str| -> Result<Option<String>, StoreError> {
        match document.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Number(number)) if !strict => Ok(Some(number.to_string())),
            Some(_) => Err(place.flaw(key, &format!("`{key}` is not text"))),
        }
    };
    let needed = |key: &str| text(key)?.ok_or_else(|| place.flaw("", &format!("the field `{key}` is missing")));
    let time = |key: &str| -> Result<Option<Timestamp>, StoreError> {
        match text(key)? {
            None => Ok(None),
            Some(text) => match legacy::timestamp(&text) {
                None if strict => Err(place.flaw(key, &format!("`{key}` is not a time such as 2026-01-31T09:30:00Z"))),
                at => Ok(at),
            },
        }
    };
    let id = needed("id")?;
    let started = match time("started")? {
        Some(at) => at,
        None if strict => return Err(place.flaw("", "the field `started` is missing")),
        None => legacy::started_from_id(&id),
    };
    Ok(Head {
        schema_version: schema,
        topic: needed("topic")?,
        workflow: field(document, "workflow_type", strict, place)?.unwrap_or_default(),
        strategy: needed("strategy")?,
        status: field(document, "status", true, place)?
            .ok_or_else(|| place.flaw("", "the field `status` is missing"))?,
        started,
        paused_at: time("paused_at")?,
        completed_at: time("completed_at")?,
        panel: field(document, "panel", strict, place)?,
        panel_note: text("panel_note")?.unwrap_or_default(),
        seats: if strict {
            listed(document, "participants", strict, place)?
        } else {
            legacy::seats(document.get("participants"))
        },
        sides: field(document, "debate_sides", strict, place)?,
        settings: field(document, "settings", strict, place)?,
        context: field(document, "context", strict, place)?.unwrap_or_default(),
        agenda: listed(document, "agenda", strict, place)?,
        register: match document.get("register") {
            None | Some(Value::Null) => None,
            Some(value) => {
                Some(known::unfolded(value).map_err(|what| place.flaw("register", &format!("`register`: {what}")))?)
            }
        },
        parent: text("parent")?,
        current_phase: text("current_phase")?.unwrap_or_default(),
        id,
    })
}

/// Rounds with a digest are ours and must fit; those without are read as far as they make sense.
fn rounds(raw: &[Value], place: &Place<'_>) -> Result<Vec<Round>, StoreError> {
    let mut rounds = Vec::with_capacity(raw.len());
    for (index, value) in raw.iter().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let flaw = |what: String| StoreError::unreadable(place.path, place.line_of_round(index), what);
        let round = if value.get("digest").is_some() {
            Round::deserialize(value).map_err(|error| flaw(format!("round {number}: {error}")))?
        } else {
            legacy::round(value, number).ok_or_else(|| flaw(format!("round {number} has no usable number")))?
        };
        if round.number != number {
            return Err(flaw(format!("round {} stands where round {number} is due", round.number)));
        }
        rounds.push(round);
    }
    Ok(rounds)
}

/// Escalations of the plugin have no id and any shape: they stay in the document and are not folded.
fn escalations(document: &Map<String, Value>, place: &Place<'_>) -> Result<(Vec<Escalation>, Vec<usize>), StoreError> {
    let Some(Value::Array(entries)) = document.get("escalations") else { return Ok((Vec::new(), Vec::new())) };
    let mut found = (Vec::new(), Vec::new());
    for (row, entry) in entries.iter().enumerate() {
        if entry.get("id").is_none() || entry.get("causes").is_none() {
            continue;
        }
        let escalation = Escalation::deserialize(entry)
            .map_err(|error| place.flaw("escalations", &format!("escalation {}: {error}", row + 1)))?;
        found.0.push(escalation);
        found.1.push(row);
    }
    Ok(found)
}

/// A field of the document; `null` is the same as absent. Where the file is not ours, a field of an
/// unexpected shape is left to the document.
fn field<T: DeserializeOwned>(
    document: &Map<String, Value>,
    key: &str,
    strict: bool,
    place: &Place<'_>,
) -> Result<Option<T>, StoreError> {
    match document.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match T::deserialize(value) {
            Ok(value) => Ok(Some(value)),
            Err(error) if strict => Err(place.flaw(key, &format!("`{key}`: {error}"))),
            Err(_) => Ok(None),
        },
    }
}

/// A list of the document, entry by entry, with the same leniency as [`field`].
fn listed<T: DeserializeOwned>(
    document: &Map<String, Value>,
    key: &str,
    strict: bool,
    place: &Place<'_>,
) -> Result<Vec<T>, StoreError> {
    let entries = match document.get(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(entries)) => entries,
        Some(_) if strict => return Err(place.flaw(key, &format!("`{key}` is not a list"))),
        Some(_) => return Ok(Vec::new()),
    };
    let mut values = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        match T::deserialize(entry) {
            Ok(value) => values.push(value),
            Err(error) if strict => return Err(place.flaw(key, &format!("`{key}`, entry {}: {error}", index + 1))),
            Err(_) => {}
        }
    }
    Ok(values)
}

impl Place<'_> {
    fn flaw(&self, key: &str, what: &str) -> StoreError {
        StoreError::unreadable(self.path, self.line_of(key), what)
    }

    /// The line of a top-level field, from 1; 0 where it cannot be told.
    fn line_of(&self, key: &str) -> u32 {
        let found = (1..)
            .zip(self.text.lines())
            .find(|(_, line)| !key.is_empty() && line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')));
        found.map_or(0, |(line, _)| line)
    }

    /// The line where a round starts: its dash, at the column of the first one. What is inside a
    /// round stands further in, so no text of a round can be taken for one.
    fn line_of_round(&self, index: usize) -> u32 {
        let start = self.line_of("rounds");
        let after = (1..).zip(self.text.lines()).skip(start as usize);
        let mut dashes = after.filter_map(|(line, content)| {
            let bare = content.trim_start_matches(' ');
            bare.starts_with("- ").then_some((line, content.len() - bare.len()))
        });
        let Some((first, column)) = dashes.next() else { return start };
        if index == 0 {
            return first;
        }
        dashes.filter(|(_, at)| *at == column).nth(index - 1).map_or(start, |(line, _)| line)
    }
}
