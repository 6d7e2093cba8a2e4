//! An edited, cut or newer file is refused with its place, never repaired.

use s2s_store::{Kind, StoreError};

use crate::fixture::{ID, escalation, minutes, parse, round, with_rounds};

/// Edits a good file and looks at the refusal.
fn refused(text: &str, from: &str, to: &str) -> StoreError {
    assert!(text.contains(from), "{from:?} is not in\n{text}");
    let edited = text.replacen(from, to, 1);
    parse(&edited).expect_err(&format!("{from:?} -> {to:?} must be refused"))
}

#[test]
fn s3_an_edited_round_is_refused_with_its_number_and_line() {
    let mut all = with_rounds(ID, 3);
    all.push_escalation(escalation("X1", 3)).unwrap();
    let text = all.to_yaml().unwrap();
    for number in 1..=3_u32 {
        let from = format!("- point {number}");
        let error = refused(&text, &from, "- another point");
        let StoreError::BrokenChain { round, line, .. } = error else { panic!("{error}") };
        assert_eq!(round, number);
        let at = text.lines().nth(line as usize - 1).unwrap();
        assert_eq!(at, format!("  - number: {number}"));
    }
}

#[test]
fn s3_every_field_of_the_frozen_head_is_covered_by_the_first_round() {
    let text = with_rounds(ID, 1).to_yaml().unwrap();
    let edits = [
        ("REST or", "SOAP or"),
        ("workflow_type: design", "workflow_type: specs"),
        ("strategy: two-step", "strategy: one-step"),
        ("03:06:07Z", "03:06:08Z"),
        ("panel: offline", "panel: models"),
        ("No language model", "A language model"),
        ("id: qa-lead", "id: qa-chief"),
        ("max_rounds: 20", "max_rounds: 21"),
        ("A shop.", "A bank."),
        ("critical: true", "critical: false"),
    ];
    for (from, to) in edits {
        let error = refused(&text, from, to);
        assert!(matches!(error, StoreError::BrokenChain { round: 1, .. }), "{from}: {error}");
    }
}

#[test]
fn s3_without_rounds_the_seal_covers_the_head() {
    let error = refused(&minutes(ID).to_yaml().unwrap(), "REST or", "SOAP or");
    let StoreError::BrokenSeal { line, .. } = &error else { panic!("{error}") };
    assert!(*line > 0);
    assert_eq!(error.kind(), Kind::Damaged);
}

#[test]
fn s3_the_seal_covers_escalations_interventions_outcome_and_the_number_of_rounds() {
    let mut all = with_rounds(ID, 2);
    all.push_escalation(escalation("X1", 2)).unwrap();
    let text = all.to_yaml().unwrap();
    for (from, to) in [
        ("Let the client cache.", "Let nobody cache."),
        ("outcome: null", "outcome: {status: accepted, output_type: adr}"),
    ] {
        assert!(matches!(refused(&text, from, to), StoreError::BrokenSeal { .. }), "{from}");
    }
    let start = text.find("  - number: 2").unwrap();
    let end = text.find("\n# === ESCALATIONS").unwrap();
    let cut = format!("{}{}", &text[..start], &text[end..]).replace("total_rounds: 2", "total_rounds: 1");
    assert!(matches!(parse(&cut), Err(StoreError::BrokenSeal { .. })), "a round cut off");
    let unsealed = text.lines().filter(|line| !line.starts_with("seal:")).collect::<Vec<_>>().join("\n");
    assert!(matches!(parse(&unsealed), Err(StoreError::BrokenSeal { line: 0, .. })));
}

#[test]
fn s3_a_digest_may_be_missing_only_before_the_first_one() {
    let text = with_rounds(ID, 3).to_yaml().unwrap();
    let digests: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("digest:")).collect();
    assert_eq!(digests.len(), 3);
    let first_gone = text.replace(&format!("{}\n", digests[0]), "");
    assert_eq!(parse(&first_gone).unwrap().undigested(), 1, "the second digest covers it");
    let error = refused(&first_gone, "- point 1", "- another point");
    assert!(error.to_string().contains("one of the rounds 1 to 2 or the head"), "{error}");
    let second_gone = text.replace(&format!("{}\n", digests[1]), "");
    assert!(matches!(parse(&second_gone), Err(StoreError::BrokenChain { round: 2, .. })));
}

#[test]
fn a_newer_schema_is_refused_with_advice() {
    let error = refused(&minutes(ID).to_yaml().unwrap(), "schema_version: 1", "schema_version: 2");
    assert_eq!(error.kind(), Kind::Newer);
    assert!(error.to_string().contains("Update s2s"), "{error}");
}

#[test]
fn a_wrong_count_and_a_cut_file_are_refused_with_a_line() {
    let text = with_rounds(ID, 2).to_yaml().unwrap();
    let error = refused(&text, "total_rounds: 2", "total_rounds: 3");
    assert!(error.to_string().contains("says 3, but there are 2 rounds"), "{error}");
    // A file cut anywhere is never taken for a whole one. Each try reads all of it: a stride saves time.
    let ends = (0..text.len() - 200).step_by(13).chain(text.len() - 200..text.len() - 1);
    for end in ends.filter(|end| text.is_char_boundary(*end)) {
        assert!(parse(&text[..end]).is_err(), "cut at byte {end} of {}", text.len());
    }
}

#[test]
fn comments_and_layout_are_free_values_are_not() {
    let mut all = with_rounds(ID, 1);
    let text = all.to_yaml().unwrap().replace("# === ROUNDS ===", "# my own note\n\n");
    assert_eq!(parse(&text).unwrap(), all);
    all.push_round(round(2)).unwrap();
    assert_ne!(parse(&text).unwrap().seal(), all.seal());
}

#[test]
fn misshapen_fields_are_refused_by_name() {
    for (text, words) in [
        ("", "not a session file"),
        ("- a\n", "not a session file"),
        ("schema_version: one\n", "`schema_version` is not a whole number"),
        ("id: a\nid: b\n", "`id` appears twice"),
        ("id: a\ntopic: t\nstrategy: s\n", "`status` is missing"),
        ("id: a\ntopic: t\nstrategy: s\nstatus: asleep\n", "status"),
        ("id: a\ntopic: [t]\nstrategy: s\nstatus: active\n", "`topic` is not text"),
        ("id: a\ntopic: t\nstrategy: s\nstatus: active\nrounds: 7\n", "`rounds` is not a list"),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.contains(words), "{error}");
    }
}
