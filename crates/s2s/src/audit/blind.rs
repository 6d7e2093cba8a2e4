//! Whether a blind round was blind: no prompt of a seat holds text of another seat's answer of the
//! same round (L2). Text that was known before the round proves nothing and is left out: the topic, the
//! context, the charter, what people said, and every reply of the rounds before. Every text is read once,
//! for the sentences of all rounds together, so that a long session takes no longer than its length.

use std::collections::{BTreeMap, HashMap};

use aho_corasick::AhoCorasick;
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
    let rounds: Vec<Round<'_>> = by_round(tape).into_iter().map(Round::of).collect();
    let mut known = Known::of(rounds.iter().flat_map(|round| &round.said).map(|(_, text)| text.as_str()));
    given(minutes, charter).for_each(|text| known.hear(text));
    for round in &rounds {
        let leaks = round.leaks(&mut known);
        blind += usize::from(leaks.is_empty() && round.lines.iter().any(|line| is_response(line)));
        findings.extend(leaks);
        round.replies().for_each(|(kind, reply)| tell(kind, reply, &mut |text| known.hear(text)));
    }
    (blind, findings)
}

/// Which sentences were told before, among those that could leak.
struct Known<'t> {
    texts: Vec<&'t str>,
    told: HashMap<&'t str, bool>,
    finder: Option<AhoCorasick>,
}

impl<'t> Known<'t> {
    fn of(texts: impl Iterator<Item = &'t str>) -> Self {
        let told: HashMap<&str, bool> = texts.map(|text| (text, false)).collect();
        let texts: Vec<&str> = told.keys().copied().collect();
        let finder = AhoCorasick::new(&texts).ok();
        Self { texts, told, finder }
    }

    /// Takes in a text that was told.
    fn hear(&mut self, text: &str) {
        let Self { texts, told, finder } = self;
        let mut mark = |sentence: &'t str| told.insert(sentence, true);
        match finder {
            Some(finder) => finder.find_overlapping_iter(text).for_each(|found| {
                mark(texts[found.pattern().as_usize()]);
            }),
            // Too much for one search: each by itself then.
            None => texts.iter().filter(|sentence| text.contains(**sentence)).for_each(|sentence| {
                mark(sentence);
            }),
        }
    }

    fn has(&self, sentence: &str) -> bool {
        self.told.get(sentence).copied().unwrap_or_default()
    }
}

/// One round on the tape.
struct Round<'t> {
    number: u32,
    lines: Vec<&'t TapeLine>,
    /// What each seat answered, in sentences that nobody else would write by chance.
    said: Vec<(SeatId, String)>,
}

/// What every seat may quote because it was given, not answered.
fn given<'a>(minutes: &'a Minutes, charter: &'a Charter) -> impl Iterator<Item = &'a str> {
    let context = minutes.context();
    let changes = context.changes.iter().map(|change| change.text.as_str());
    let rulings = minutes.escalations().iter().filter_map(|escalation| escalation.ruling.as_ref()?.text.as_deref());
    let words = minutes.interventions().iter().filter_map(|done| done.text.as_deref());
    let texts = charter.roles.values().chain(charter.prompts.values()).map(|text| &**text);
    let all = [minutes.topic(), context.text.as_str()].into_iter().chain(changes).chain(rulings).chain(words);
    all.chain(texts)
}

fn by_round(tape: &[TapeLine]) -> BTreeMap<u32, Vec<&TapeLine>> {
    let mut rounds: BTreeMap<u32, Vec<&TapeLine>> = BTreeMap::new();
    for line in tape {
        if let Some(call) = line.what.call().filter(|call| call.kind != CallKind::Followup) {
            rounds.entry(call.round).or_default().push(line);
        }
    }
    rounds
}

fn is_response(line: &TapeLine) -> bool {
    line.what.call().is_some_and(|call| call.kind == CallKind::Response)
}

impl<'t> Round<'t> {
    fn of((number, lines): (u32, Vec<&'t TapeLine>)) -> Self {
        let mut round = Self { number, lines, said: Vec::new() };
        for line in &round.lines {
            if let Taped::Answered(answered) = &line.what
                && answered.call.kind == CallKind::Response
            {
                round.said.extend(telling(answered.call.seat.clone(), &answered.reply));
            }
        }
        round
    }

    fn replies(&self) -> impl Iterator<Item = (CallKind, &'t str)> {
        self.lines.iter().filter_map(|line| match &line.what {
            Taped::Answered(answered) => Some((answered.call.kind, answered.reply.as_str())),
            _ => None,
        })
    }

    /// The prompts that hold another seat's answer of this round. The question is known to everybody by then.
    fn leaks(&self, known: &mut Known<'_>) -> Vec<Finding> {
        let before = self.replies().filter(|(kind, _)| matches!(kind, CallKind::Question | CallKind::Sides));
        before.for_each(|(kind, reply)| tell(kind, reply, &mut |text| known.hear(text)));
        let said: Vec<&(SeatId, String)> = self.said.iter().filter(|(_, text)| !known.has(text)).collect();
        let mut findings = Vec::new();
        for line in &self.lines {
            let Taped::Asked(asked) = &line.what else { continue };
            if asked.call.kind != CallKind::Response {
                continue;
            }
            let leaked = said.iter().find(|(seat, text)| {
                *seat != asked.call.seat && (asked.prompt.user.contains(text) || asked.prompt.system.contains(text))
            });
            if let Some((seat, _)) = leaked {
                let place = format!("tape line {}, {}", line.seq, asked.call);
                let what = format!("the prompt holds what {seat} answered in round {}", self.number);
                findings.push(Finding { place, what });
            }
        }
        findings
    }
}

/// Tells what a reply says: as it was sent, and as it is read, without the escapes of its form.
fn tell(kind: CallKind, reply: &str, told: &mut dyn FnMut(&str)) {
    told(reply);
    if let Ok(reading) = examine(shape(kind), reply) {
        texts(&Value::Object(reading.value), told);
    }
}

fn texts(value: &Value, told: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => told(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, told)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, told)),
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
        let mut known = Known::of([r#"Take "the" small step"#, "Take the long way round"].into_iter());
        let reply = r#"{"position": "Take \"the\" small step", "confidence": 0.7}"#;
        tell(CallKind::Response, reply, &mut |text| known.hear(text));
        assert!(known.has(r#"Take "the" small step"#) && !known.has("Take the long way round"));
    }

    #[test]
    fn a_sentence_inside_another_is_known_too() {
        let mut known = Known::of(["one service for all of us", "service for all"].into_iter());
        known.hear("We want one service for all of us.");
        assert!(known.has("one service for all of us") && known.has("service for all"));
    }
}
