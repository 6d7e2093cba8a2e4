//! Whether a blind round was blind: no prompt of a seat holds text of another seat's answer of the
//! same round (L2). Text that was known before the round proves nothing and is left out: the topic, the
//! context, the charter, what people said, and every reply of the rounds before.

use std::collections::BTreeMap;

use s2s_engine::opening::SeatId;
use s2s_engine::reply::Answer;
use s2s_engine::step::CallKind;
use s2s_engine::strategy::Participation;
use s2s_models::Stop;
use s2s_store::{Minutes, TapeLine, Taped};
use serde_json::Value;

use super::Finding;
use crate::prompts::Charter;
use crate::reading::{examine, read, shape};

/// Shorter texts are shared by chance.
const TELLING: usize = 24;

/// The rounds that were blind, and every leak.
pub(super) fn check(minutes: &Minutes, tape: &[TapeLine], charter: &Charter) -> (usize, Vec<Finding>) {
    let parallel = |p: Participation| p == Participation::Parallel;
    if !minutes.settings().is_some_and(|settings| parallel(settings.method.participation)) {
        return (0, Vec::new());
    }
    let mut findings = Vec::new();
    let mut blind = 0;
    let mut known = given(minutes, charter);
    let rounds = by_round(tape);
    for (number, lines) in rounds {
        let leaks = leaks_in(number, &lines, &known);
        blind += usize::from(leaks.is_empty() && lines.iter().any(|line| is_response(line)));
        findings.extend(leaks);
        for line in lines {
            if let Taped::Answered(answered) = &line.what {
                tell(answered.call.kind, &answered.reply, &mut known);
            }
        }
    }
    (blind, findings)
}

/// What every seat may quote because it was given, not answered.
fn given(minutes: &Minutes, charter: &Charter) -> String {
    let context = minutes.context();
    let changes = context.changes.iter().map(|change| change.text.as_str());
    let rulings = minutes.escalations().iter().filter_map(|escalation| escalation.ruling.as_ref()?.text.as_deref());
    let words = minutes.interventions().iter().filter_map(|done| done.text.as_deref());
    let texts = charter.roles.values().chain(charter.prompts.values()).map(|text| &**text);
    let all = [minutes.topic(), context.text.as_str()].into_iter().chain(changes).chain(rulings).chain(words);
    all.chain(texts).collect::<Vec<_>>().join("\n")
}

fn by_round(tape: &[TapeLine]) -> BTreeMap<u32, Vec<&TapeLine>> {
    let mut rounds: BTreeMap<u32, Vec<&TapeLine>> = BTreeMap::new();
    for line in tape {
        if let Some(call) = line.what.call() {
            rounds.entry(call.round).or_default().push(line);
        }
    }
    rounds
}

fn is_response(line: &TapeLine) -> bool {
    line.what.call().is_some_and(|call| call.kind == CallKind::Response)
}

fn leaks_in(number: u32, lines: &[&TapeLine], known: &str) -> Vec<Finding> {
    let mut said: Vec<(SeatId, String)> = Vec::new();
    let mut question = String::new();
    for line in lines {
        let Taped::Answered(answered) = &line.what else { continue };
        match answered.call.kind {
            CallKind::Response => said.extend(telling(answered.call.seat.clone(), &answered.reply)),
            kind @ (CallKind::Question | CallKind::Sides) => tell(kind, &answered.reply, &mut question),
            CallKind::Synthesis => {}
        }
    }
    said.retain(|(_, text)| !known.contains(text.as_str()) && !question.contains(text.as_str()));
    let mut findings = Vec::new();
    for line in lines {
        let Taped::Asked(asked) = &line.what else { continue };
        if asked.call.kind != CallKind::Response {
            continue;
        }
        let leaked = said.iter().find(|(seat, text)| {
            *seat != asked.call.seat && (asked.prompt.user.contains(text) || asked.prompt.system.contains(text))
        });
        if let Some((seat, _)) = leaked {
            let place = format!("tape line {}, {}", line.seq, asked.call);
            let what = format!("the prompt holds what {seat} answered in round {number}");
            findings.push(Finding { place, what });
        }
    }
    findings
}

/// Adds what a reply says: as it was sent, and as it is read, without the escapes of its form.
fn tell(kind: CallKind, reply: &str, known: &mut String) {
    known.push_str(reply);
    known.push('\n');
    if let Ok(reading) = examine(shape(kind), reply) {
        texts(&Value::Object(reading.value), known);
    }
}

fn texts(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => {
            out.push_str(text);
            out.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, out)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, out)),
        _ => {}
    }
}

/// The sentences of an answer that nobody else would write by chance.
fn telling(seat: SeatId, reply: &str) -> Vec<(SeatId, String)> {
    let Ok(reading) = read(CallKind::Response, reply, Stop::End) else { return Vec::new() };
    let Answer::Response(response) = reading.answer else { return Vec::new() };
    let texts = std::iter::once(response.position).chain(response.rationale).chain(response.concerns);
    texts.filter(|text| text.len() >= TELLING).map(|text| (seat.clone(), text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_json_escaped_is_known_as_it_reads() {
        let mut known = String::new();
        tell(CallKind::Response, r#"{"position": "Take \"the\" small step", "confidence": 0.7}"#, &mut known);
        assert!(known.contains(r#"Take "the" small step"#), "{known}");
    }
}
