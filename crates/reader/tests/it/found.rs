//! Replies that were once misread, each with the name of what went wrong.

use s2s_reader::{Kind, read};
use serde_json::{Value, json};

fn value(kind: Kind, text: &str) -> Value {
    match read(kind, text) {
        Ok(reading) => Value::Object(reading.value),
        Err(refusal) => panic!("{refusal}\n{text}"),
    }
}

fn response(text: &str) -> Value {
    value(Kind::Response, text)
}

fn synthesis(text: &str) -> Value {
    value(Kind::Synthesis, &format!("action: s\nsynthesis: s1\nnext_action: continue\n{text}"))
}

fn refused(text: &str) {
    if let Ok(reading) = read(Kind::Response, text) {
        panic!("read as {:?}\n{text}", reading.value);
    }
}

#[test]
fn bold_keys_on_every_line_keep_their_texts() {
    for text in ["**Position:** Use it\n**Confidence:** 0.8", "**Position**: Use it\n**Confidence**: 0.8"] {
        assert_eq!(response(text)["position"], "Use it", "{text}");
    }
}

#[test]
fn conflicts_under_deeper_headings_are_kept() {
    let text = "## Action\nsynthesize\n\n## Synthesis\nWe agree.\n\n## Conflicts\n### C1: Sharding\n- architect: now\n\
                - ops: later\n\n### C2: Cost\n- architect: fine\n\n## Next action\ncontinue";
    let conflicts = json!([
        {"id": "C1", "description": "Sharding", "positions": {"architect": "now", "ops": "later"}},
        {"id": "C2", "description": "Cost", "positions": {"architect": "fine"}},
    ]);
    assert_eq!(value(Kind::Synthesis, text)["conflicts"], conflicts);
}

#[test]
fn a_deeper_heading_stays_in_its_text() {
    let text = "## Position\nUse it.\n\n### Risks\nIt may leak.\n\n## Confidence\n0.8";
    let read = response(text);
    assert!(read["position"].as_str().is_some_and(|text| text.contains("It may leak.")), "{read}");
    assert_eq!(read["concerns"], json!([]));
}

#[test]
fn a_block_of_text_in_a_record_is_not_split_at_its_bullets() {
    let text = "conflicts:\n  - id: C1\n    description: |\n      The schema has:\n      - id: the key\n    positions:\n      a: x\n      b: y";
    let conflicts =
        json!([{"id": "C1", "description": "The schema has:\n- id: the key", "positions": {"a": "x", "b": "y"}}]);
    assert_eq!(synthesis(text)["conflicts"], conflicts);
}

#[test]
fn quoted_and_bare_items_in_one_list_stay_apart() {
    let text = "position: A\nconfidence: 0.8\nconcerns: [\"slow\", cost, \"fear\"]\nrationale: [\"x\", z]";
    let read = response(text);
    assert_eq!((&read["concerns"], &read["rationale"]), (&json!(["slow", "cost", "fear"]), &json!(["x", "z"])));
}

#[test]
fn a_confidence_that_was_cut_or_taken_back_is_refused() {
    for confidence in ["0.", "0.8\n  but really 0.3", "\n  0.8\n  0.3", "0.8?", "1,000", "0.8 / 10"] {
        refused(&format!("position: A\nrationale: [b]\nconfidence: {confidence}"));
    }
}

#[test]
fn the_reason_of_a_vote_is_no_vote() {
    for votes in
        ["\n  - P2: block\n    reason: support it later", " [{\"P2\": \"block\", \"reason\": \"support it later\"}]"]
    {
        let read = response(&format!("position: A\nconfidence: 0.8\nvotes:{votes}"));
        assert_eq!(read["votes"], json!({"P2": {"vote": "block", "reason": "support it later"}}), "{votes}");
    }
}

#[test]
fn a_vote_that_says_nothing_is_not_dropped() {
    refused("position: A\nconfidence: 0.8\nvotes:\n  P1: support\n  P2: none");
}

#[test]
fn code_in_an_item_stays_whole() {
    let text = "position: A\nconfidence: 0.8\nrationale:\n  - |\n    Run this:\n    # install first\n    apt install x\n  - two";
    assert_eq!(response(text)["rationale"], json!(["Run this:\n# install first\napt install x", "two"]));
    let text = "position: A\nconfidence: 0.8\nrationale:\n  - Use this:\n    ```sql\n    SELECT 1;\n    -- comment\n    ```\n  - second";
    let read = response(text);
    assert_eq!(read["rationale"].as_array().map(Vec::len), Some(2), "{read}");
    assert!(read["rationale"][0].as_str().is_some_and(|text| text.contains("-- comment")), "{read}");
}

#[test]
fn an_error_or_a_cut_beside_the_fields_counts() {
    for beside in
        ["\"error\": \"context length exceeded\"", "\"finish_reason\": \"length\"", "\"refusal\": \"I can't\""]
    {
        refused(&format!("{{{beside}, \"position\": \"A\", \"confidence\": 0.8}}"));
    }
    refused("position: A\nconfidence: 0.8\nfinish_reason: length");
}

#[test]
fn an_answer_that_is_taken_back_is_refused() {
    refused("{\"position\": \"A\", \"confidence\": 0.8}\n\nIgnore the above; I cannot answer.");
    refused(
        "For example, a valid reply would look like this:\n{\"position\": \"A\", \"confidence\": 0.8}\nBut I cannot answer.",
    );
}

#[test]
fn an_ampersand_or_a_dunder_is_no_markup() {
    assert_eq!(
        response("position: &Str is better than String\nconfidence: 0.8")["position"],
        "&Str is better than String"
    );
    assert_eq!(response("position: A\nconfidence: 0.8\nrationale:\n  - __all__")["rationale"], json!(["__all__"]));
    assert_eq!(
        response("position: Strip <|im_end|> from replies\nconfidence: 0.8")["position"],
        "Strip <|im_end|> from replies"
    );
    assert_eq!(response("position: <Suspense>\nconfidence: 0.8")["position"], "<Suspense>");
}

#[test]
fn paragraphs_of_a_main_text_at_the_end_are_kept() {
    let text = "confidence: 0.8\nposition: Use Postgres.\n\nIt is robust.\n\nUse replicas for reports.";
    assert!(response(text)["position"].as_str().is_some_and(|text| text.ends_with("reports.")));
}

#[test]
fn bullets_and_keys_inside_a_text_are_not_run_together() {
    let text = "position: A\nconfidence: 0.8\nrationale:\n  - First:\n      - sub a\n      - sub b\n  - title: Cost\n    detail: it is cheap";
    assert_eq!(response(text)["rationale"], json!(["First:\n- sub a\n- sub b", "title: Cost\ndetail: it is cheap"]));
}

#[test]
fn a_topic_with_a_colon_keeps_its_name() {
    let read = synthesis("agenda_coverage:\n  - \"API: v2: covered\"\nresolved:\n  - C0");
    assert_eq!(read["agenda_coverage"], json!([{"topic": "API: v2", "status": "covered", "met": []}]));
    assert_eq!(read["resolved"][0]["conflict_id"], "C0");
}

#[test]
fn words_in_tags_inside_an_item_are_kept() {
    let text = "<position>A</position><confidence>0.8</confidence><rationale><item>a <b>bold</b> x</item></rationale>";
    assert_eq!(response(text)["rationale"], json!(["a bold x"]));
}

#[test]
fn an_item_about_the_rest_of_the_team_leaves_nothing_out() {
    let text = "position: A\nconfidence: 0.8\nrationale:\n  - ... and the rest of the team agrees";
    assert_eq!(response(text)["rationale"].as_array().map(Vec::len), Some(1));
}

#[test]
fn items_left_out_of_a_list_in_yaml_are_not_taken_for_a_forgotten_bracket() {
    refused("position: A\nconcerns: [\"a\", // ... remaining items omitted\n  \"b\"]\nconfidence: 0.8");
}

#[test]
fn bug_a_seat_with_a_colon_in_its_name_was_cut_at_the_colon() {
    let positions = json!({"project:dba": "the client", "project:Api_Owner.v2": "nobody: never", "qa-lead": "x"});
    for text in [
        "conflicts:\n  - id: c\n    description: d\n    positions:\n      project:dba: the client\n      \
         project:Api_Owner.v2: 'nobody: never'\n      qa-lead: x\n",
        "conflicts:\n  - id: c\n    description: d\n    positions:\n      \"project:dba\": \"the client\"\n      \
         \"project:Api_Owner.v2\": \"nobody: never\"\n      qa-lead: x\n",
        "conflicts:\n  - id: c\n    description: d\n    positions: {project:dba: the client, \
         project:Api_Owner.v2: \"nobody: never\", qa-lead: x}\n",
        "conflicts:\n  - {id: c, description: d, positions: {\"project:dba\": \"the client\", \
         'project:Api_Owner.v2': 'nobody: never', qa-lead: x}}\n",
        "conflicts:\n  - id: c\n    description: d\n    positions:\n      - project:dba: the client\n      \
         - project:Api_Owner.v2: 'nobody: never'\n      - qa-lead: x\n",
        "conflicts:\n  - id: c\n    description: d\n    positions:\n      - participant: project:dba\n        \
         position: the client\n      - participant: project:Api_Owner.v2\n        position: 'nobody: never'\n      \
         - participant: qa-lead\n        position: x\n",
    ] {
        assert_eq!(synthesis(text)["conflicts"][0]["positions"], positions, "{text}");
    }
    let headings = "## Action\nsynthesize\n\n## Synthesis\nWe agree.\n\n## Conflicts\n### C1: Sharding\n\
                    - project:dba: now\n- **qa-lead**: later\n\n## Next action\ncontinue";
    let positions = &value(Kind::Synthesis, headings)["conflicts"][0]["positions"];
    assert_eq!(positions, &json!({"project:dba": "now", "qa-lead": "later"}));
    let challenges =
        synthesis("context_challenges:\n  - participant: project:dba\n    challenge: x\n    suggestion: y\n");
    assert_eq!(challenges["context_challenges"][0]["participant"], "project:dba");
    let asked =
        value(Kind::Question, "action: question\nquestion: Why?\nfocus: x\nparticipants: project:dba, qa-lead\n");
    assert_eq!(asked["participants"], json!(["project:dba", "qa-lead"]));
    // Not a seat's name: as it was.
    assert_eq!(response("position: project:dba is right\nconfidence: 0.8")["position"], "project:dba is right");
}
