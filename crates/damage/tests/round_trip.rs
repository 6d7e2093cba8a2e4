//! For any value, written in any of our own styles and damaged in form, reading gives the value back.

use proptest::prelude::*;
use s2s_damage::form_only::{INNER, OUTER};
use s2s_damage::judge::{Verdict, differing, judge};
use s2s_damage::rng::Rng;
use s2s_damage::styles::{STYLES, Style};
use s2s_damage::words::Texts;
use s2s_damage::{Form, Truth};
use s2s_reader::{Kind, read};
use serde_json::{Value, json};

/// A line that starts with a word and ends with one; between them anything that the class allows.
#[allow(clippy::expect_used)]
fn line(class: &str) -> BoxedStrategy<String> {
    let pattern = format!("[A-Z][a-z]{{3,8}} {class}{{1,9}}( {class}{{1,9}}){{0,5}} [a-z]{{3,8}}[.!?]?");
    // Letters and marks that nobody can see are cleaned away, as they should be.
    let unseen = ['\u{115f}', '\u{1160}', '\u{2800}', '\u{3164}', '\u{ffa0}', '\u{fffc}'];
    let lines = proptest::string::string_regex(&pattern).expect("a regular expression");
    lines.prop_map(move |line| line.replace(unseen, "x")).boxed()
}

fn text(texts: Texts) -> BoxedStrategy<String> {
    let mild = line("[A-Za-z0-9,.;:'\"()/%&@+=?!-]");
    let any = line(r"[\p{L}\p{N}\p{P}\p{S}]");
    match texts {
        Texts::Plain => line("[A-Za-z0-9-]"),
        Texts::Rich => mild,
        Texts::Lines => prop_oneof![
            4 => any,
            1 => (line("[A-Za-z0-9,;:'\"()-]"), line("[A-Za-z0-9,;:'\"()-]")).prop_map(|(one, two)| format!("{one}\n{two}")).boxed(),
        ]
        .boxed(),
    }
}

fn item(texts: Texts) -> BoxedStrategy<String> {
    text(texts.min(Texts::Rich))
}

fn maybe(texts: Texts) -> BoxedStrategy<Value> {
    prop_oneof![Just(Value::Null), text(texts).prop_map(Value::String)].boxed()
}

fn list(texts: Texts, least: usize) -> BoxedStrategy<Vec<String>> {
    prop::collection::vec(item(texts), least..4).boxed()
}

fn participant(texts: Texts) -> BoxedStrategy<Value> {
    (text(texts), list(texts, 1), 0..=100_u32, list(texts, 0), maybe(texts))
        .prop_map(|(position, rationale, percent, concerns, challenge)| {
            json!({"position": position, "rationale": rationale, "confidence": f64::from(percent) / 100.0,
                   "concerns": concerns, "context_challenge": challenge})
        })
        .boxed()
}

fn conflict(texts: Texts) -> BoxedStrategy<Value> {
    (1..9_u32, text(texts), item(texts), item(texts))
        .prop_map(|(id, description, one, two)| {
            json!({"id": format!("C{id}"), "description": description, "positions": {"ops": one, "qa-lead": two}})
        })
        .boxed()
}

fn resolved(texts: Texts) -> BoxedStrategy<Value> {
    (1..9_u32, text(texts))
        .prop_map(
            |(id, words)| json!({"conflict_id": format!("C{id}"), "resolution": words, "resolution_type": "majority"}),
        )
        .boxed()
}

fn facilitator(texts: Texts) -> BoxedStrategy<Value> {
    let objects = (prop::collection::vec(conflict(texts), 0..3), prop::collection::vec(resolved(texts), 0..2));
    let next = prop::sample::select(vec!["continue", "phase", "conclude", "escalate"]);
    (text(texts), list(texts, 0), objects, next, maybe(texts), text(texts), list(texts, 0))
        .prop_map(|(synthesis, consensus, (conflicts, resolved), next, focus, recommendation, challenges)| {
            json!({"action": "moderate", "synthesis": synthesis, "consensus": consensus, "conflicts": conflicts,
                   "resolved": resolved, "next_action": next, "next_focus": focus, "escalation_reason": null,
                   "recommendation": recommendation, "output_type": "adr",
                   "agenda_coverage": [{"topic": "pricing", "status": "partial"}], "context_challenges": challenges})
        })
        .boxed()
}

/// A style, a form that it can carry, and a value of it.
fn written() -> impl Strategy<Value = (&'static Style, Form, Value)> {
    (0..STYLES.len(), any::<bool>()).prop_flat_map(|(at, seat)| {
        let style = &STYLES[at];
        let form = if seat || !style.nested { Form::Participant } else { Form::Facilitator };
        let value = if form == Form::Participant { participant(style.carries) } else { facilitator(style.carries) };
        value.prop_map(move |value| (style, form, value))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read((style, form, value) in written(), inner in 0..INNER.len(), outer in 0..OUTER.len(), seed: u64) {
        let mut rng = Rng::new(seed);
        let clean = (style.write)(&value, &mut rng);
        let reply = (OUTER[outer].damage)(&(INNER[inner].damage)(&clean, &mut rng), &mut rng);
        let kind = if form == Form::Participant { Kind::Response } else { Kind::Synthesis };
        let how = format!("{} in {} in {}", style.name, INNER[inner].name, OUTER[outer].name);
        match read(kind, &reply) {
            Ok(reading) => {
                let got = Value::Object(reading.value);
                let verdict = judge(form, &Truth::Value(value.clone()), Some(&got));
                let keys = differing(form, &value, &got);
                prop_assert_eq!(verdict, Verdict::Recovered, "{}: {:?} of\n{}\ngot {}", how, keys, reply, got);
            }
            Err(refusal) => prop_assert!(false, "{}: {} of\n{}", how, refusal, reply),
        }
    }
}
