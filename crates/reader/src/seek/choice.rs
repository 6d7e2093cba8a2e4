//! The one answer among all that was found, or why there is none.
//! Given what was tried; several answers must say the same, or the words before them must name the final one.

use serde_json::{Map, Value};

use super::Found;
use crate::align::Flaw;
use crate::node::Doubts;
use crate::schema::Schema;

const PROVISIONAL: [&str; 12] = [
    "draft",
    "schema",
    "example",
    "template",
    "format",
    "previous",
    "earlier",
    "initial",
    "first attempt",
    "old ",
    "sketch",
    "for instance",
];

const FINAL: [&str; 12] = [
    "final",
    "revised",
    "correct",
    "updated",
    "actual",
    "instead",
    "change my",
    "reconsider",
    "on reflection",
    "improved",
    "better",
    "my answer",
];

/// The one answer among what was found.
pub(super) fn choose(
    mut found: Vec<Found>,
    schema: &Schema,
    doubts: &mut Doubts,
) -> Result<Map<String, Value>, String> {
    let last = found.last().filter(|last| last.known > 1 || found.len() == 1);
    if let Some(why) = last.and_then(|last| last.cut) {
        return Err(why.into());
    }
    let good: Vec<usize> = (0..found.len()).filter(|&at| found[at].value.is_ok() && found[at].cut.is_none()).collect();
    let Some(&last) = good.last() else { return Err(reason(found, schema)) };
    let example =
        |label: &str| ["for example", "would look like", "an example:"].iter().any(|told| label.contains(told));
    if good.len() == 1 && example(&found[last].label) {
        return Err("the reply holds an example and no answer".into());
    }
    let chosen = if good.iter().all(|&at| same(&found[at], &found[last])) {
        if good.len() > 1 {
            doubts.add("the answer was given more than once");
        }
        last
    } else {
        pick(&found, &good).ok_or("the reply holds two different answers; give one")?
    };
    if good.len() > 1 && !good.iter().all(|&at| same(&found[at], &found[chosen])) {
        doubts.add("took the final one of several answers");
    }
    let Found { value, doubts: own, label, .. } = found.swap_remove(chosen);
    let prose = label.lines().any(|line| line.contains(char::is_alphanumeric));
    if prose && !ends_in_fence(&label) {
        doubts.add("left out the text before the answer");
    }
    doubts.extend(own);
    value.map_err(Flaw::into_reason)
}

/// Whether the answer stands in a fence of its own: then it is clear where it begins.
fn ends_in_fence(label: &str) -> bool {
    let last = label.trim_end().lines().next_back().unwrap_or_default().trim_start();
    last.starts_with("```") || last.starts_with("~~~")
}

fn same(a: &Found, b: &Found) -> bool {
    matches!((&a.value, &b.value), (Ok(a), Ok(b)) if a == b)
}

/// The answer that the words before it call the final one.
fn pick(found: &[Found], good: &[usize]) -> Option<usize> {
    let says = |at: usize, words: &[&str]| words.iter().any(|word| found[at].label.contains(word));
    let standing: Vec<usize> = good.iter().copied().filter(|&at| says(at, &FINAL) || !says(at, &PROVISIONAL)).collect();
    match standing.as_slice() {
        [] => None,
        [one] => Some(*one),
        [.., last] if says(*last, &FINAL) => Some(*last),
        [first, ..] if standing.iter().all(|at| same(&found[*at], &found[*first])) => Some(*first),
        _ => None,
    }
}

/// Whether a reply says itself that it breaks off, on a last line of its own: `[truncated]`, `(to be continued)`.
pub(super) fn says_cut(text: &str) -> bool {
    const TOLD: [&str; 6] =
        ["truncated", "continued", "to be continued", "output truncated", "response truncated", "output limit reached"];
    let last = text.trim_end().lines().next_back().unwrap_or_default().trim();
    let apart = last.starts_with(['[', '(', '<', '\u{2026}', '.']);
    let said = last.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    apart && said.len() < 60 && TOLD.iter().any(|told| said.starts_with(told))
}

/// Whether the last words of a reply take it back.
pub(super) fn is_withdrawn(text: &str) -> bool {
    const TOLD: [&str; 7] = [
        "ignore the above",
        "disregard the above",
        "please disregard",
        "i retract",
        "i take that back",
        "wait, that is wrong",
        "correction:",
    ];
    let last = text.trim_end().rsplit("\n\n").next().unwrap_or_default();
    let head: String = last.trim_start().chars().take(200).collect::<String>().to_lowercase();
    last.len() < text.trim_end().len() && TOLD.iter().any(|told| head.starts_with(told))
}

/// Why nothing that was found will do: the flaw of what came nearest.
fn reason(found: Vec<Found>, schema: &Schema) -> String {
    if let Some(why) = found.iter().find_map(|found| found.cut) {
        return why.into();
    }
    let nearest = found.into_iter().filter(|found| found.value.is_err()).max_by_key(|found| found.known);
    match nearest.map(|found| found.value) {
        Some(Err(flaw)) => flaw.into_reason(),
        _ => {
            let names: Vec<&str> =
                schema.fields.iter().filter(|field| field.required).map(|field| field.name).collect();
            format!("the reply is prose, not YAML: none of the fields was found ({})", names.join(", "))
        }
    }
}
