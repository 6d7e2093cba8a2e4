//! One answer in many forms reads the same; what had to be repaired is said.

use expect_test::{Expect, expect};
use s2s_reader::{Kind, read};
use serde_json::{Value, json};

fn value(kind: Kind, text: &str) -> Value {
    match read(kind, text) {
        Ok(reading) => Value::Object(reading.value),
        Err(refusal) => panic!("{refusal}\n{text}"),
    }
}

fn doubts(text: &str, expected: Expect) {
    expected.assert_debug_eq(&read(Kind::Response, text).map(|reading| reading.doubts));
}

#[test]
fn a_response_reads_the_same_in_every_form() {
    let meant = json!({
        "position": "Use Postgres: one store, one backup",
        "rationale": ["Two teams run it", "It's boring"],
        "confidence": 0.8,
        "concerns": ["Issue #12 is open"],
        "context_challenge": null,
        "votes": {},
    });
    let forms = [
        r#"{"position": "Use Postgres: one store, one backup", "rationale": ["Two teams run it", "It's boring"],
            "confidence": 0.8, "concerns": ["Issue #12 is open"]}"#,
        "position: Use Postgres: one store, one backup\nrationale:\n  - Two teams run it\n  - It's boring\n\
         confidence: 80%\nconcerns: [Issue #12 is open]",
        "Sure!\n\n```yaml\nposition: 'Use Postgres: one store, one backup'\nrationale: |\n  - Two teams run it\n  - It's boring\n\
         confidence: 0,8\nconcerns: Issue #12 is open\n```\nHope this helps!",
        "## Position\nUse Postgres: one store, one backup\n\n## Rationale\n1. Two teams run it\n2. It's boring\n\n\
         ## Confidence\n8/10\n\n## Concerns\n- Issue #12 is open",
        "**Position:** Use Postgres: one store, one backup\n\n**Rationale:**\n* Two teams run it\n* It's boring\n\n\
         **Confidence:** high\n\n**Concerns:** Issue #12 is open",
        "<position>Use Postgres: one store, one backup</position>\n<rationale><item>Two teams run it</item>\
         <item>It's boring</item></rationale>\n<confidence>0.8</confidence><concerns>Issue #12 is open</concerns>",
        "{position: 'Use Postgres: one store, one backup', rationale: ['Two teams run it', 'It's boring',],\n\
         confidence: .8, // quite\n concerns: ['Issue #12 is open']",
        "| position | Use Postgres: one store, one backup |\n| rationale | - Two teams run it<br>- It's boring |\n\
         | confidence | 0.8 |\n| concerns | Issue #12 is open |",
        "position = \"Use Postgres: one store, one backup\"\nrationale = [\"Two teams run it\", \"It's boring\"]\n\
         confidence = 0.8\nconcerns = [\"Issue #12 is open\"]",
        "<think>position: MySQL?</think>\n> STANCE: Use Postgres: one store, one backup\n> Reasons:\n>   • Two teams run it\n\
         >   • It's boring\n> certainty: 0.8\n> RISKS:\n>   • Issue #12 is open",
    ];
    for form in forms {
        assert_eq!(value(Kind::Response, form), meant, "{form}");
    }
}

#[test]
fn an_answer_is_taken_out_of_its_envelopes() {
    let inner = r#"{"position": "Use it", "confidence": 0.7}"#;
    let text = format!("Here it is:\n```json\n{inner}\n```");
    let quoted = serde_json::to_string(&text).unwrap_or_default();
    let arguments = serde_json::to_string(inner).unwrap_or_default();
    let envelopes = [
        format!(r#"{{"type": "result", "is_error": false, "result": {quoted}, "total_cost_usd": 0.01}}"#),
        format!(r#"{{"choices": [{{"message": {{"role": "assistant", "content": {quoted}}}, "finish_reason": "stop"}}]}}"#),
        format!(r#"{{"tool_calls": [{{"function": {{"name": "respond", "arguments": {arguments}}}}}]}}"#),
        format!(r#"{{"content": [{{"type": "tool_use", "input": {inner}}}], "stop_reason": "tool_use"}}"#),
        format!("data: {inner}\n\ndata: [DONE]\n"),
        "data: {\"delta\": {\"text\": \"position: Use\"}}\n\ndata: {\"delta\": {\"text\": \" it\\nconfidence: 0.7\"}}\n".to_owned(),
        format!("[\n{inner}\n]"),
        "response:\n  position: Use it\n  confidence: 0.7\n".to_owned(),
        arguments.clone(),
    ];
    for envelope in envelopes {
        let read = value(Kind::Response, &envelope);
        assert_eq!((&read["position"], &read["confidence"]), (&json!("Use it"), &json!(0.7)), "{envelope}");
    }
}

#[test]
fn a_synthesis_keeps_its_records_however_they_are_written() {
    let as_list = "action: synthesis\nsynthesis: We met\nnext_action: Continue - one more round\nconflicts:\n\
        - id: cache\n  description: Cache or not\n  positions:\n    - participant: qa-lead\n      position: no\n\
        resolved:\n  conflict_id: C0\n  resolution: agreed\nagenda_coverage:\n  auth tokens: covered\n\
        context_challenges:\n- The load is higher";
    let read = value(Kind::Synthesis, as_list);
    assert_eq!(
        read["conflicts"],
        json!([{"id": "cache", "description": "Cache or not", "positions": {"qa-lead": "no"}}])
    );
    assert_eq!(read["resolved"], json!([{"conflict_id": "C0", "resolution": "agreed", "resolution_type": null}]));
    assert_eq!(read["agenda_coverage"], json!([{"topic": "auth tokens", "status": "covered"}]));
    assert_eq!(read["context_challenges"], json!(["The load is higher"]));
    assert_eq!(read["next_action"], "continue");
    let by_key = as_list
        .replace("- id: cache\n  description", "  cache:\n    description")
        .replace("\n  positions", "\n    positions");
    assert_eq!(value(Kind::Synthesis, &by_key)["conflicts"][0]["id"], "cache");
}

/// Its place in the record was looked up in the reply's own fields, of which there are fewer.
#[test]
fn a_list_in_the_last_field_of_a_long_record_is_read() {
    let head = "action: synthesis\nsynthesis: They agree.\nnext_action: continue\n";
    let block = "artifacts:\n  - kind: REQ\n    title: Export\n    text: As CSV\n    proposed_by:\n      - qa-lead\n      - b\n";
    let flow = "artifacts: [{kind: REQ, title: Export, text: As CSV, proposed_by: [qa-lead, b]}]\n";
    for text in [block, flow] {
        let read = value(Kind::Synthesis, &format!("{head}{text}"));
        let artifact = &read["artifacts"][0];
        assert_eq!((&artifact["kind"], &artifact["text"]), (&"REQ".into(), &"As CSV".into()));
        assert_eq!(artifact["proposed_by"], serde_json::json!(["qa-lead", "b"]), "{text}");
    }
}

#[test]
fn votes_sides_and_questions_are_read() {
    let votes = "position: hold\nconfidence: 0.7\nvotes:\n  C1.1: support\n  C1.2: {vote: block, reason: too slow}\n  C1.3: stand aside";
    let read = value(Kind::Response, votes);
    assert_eq!(read["votes"]["C1.2"], json!({"vote": "block", "reason": "too slow"}));
    assert_eq!(read["votes"]["C1.3"], json!({"vote": "stand aside", "reason": null}));
    assert_eq!(value(Kind::Sides, "pro: architect, qa-lead\ncon: [devops]")["pro"], json!(["architect", "qa-lead"]));
    assert_eq!(
        value(Kind::Question, "action: question\nquestion: Which?\nparticipants: all")["participants"],
        json!(["all"])
    );
}

#[test]
fn another_name_counts_only_where_the_own_name_is_missing() {
    let both = "position: yes\nconfidence: 0.8\nrationale: [why]\nreasons: {C1.2: nobody measured it}";
    assert_eq!(value(Kind::Response, both)["rationale"], json!(["why"]));
    let other = "position: yes\nconfidence: 0.8\nreasons: [why]";
    assert_eq!(value(Kind::Response, other)["rationale"], json!(["why"]));
}

#[test]
fn of_several_answers_the_final_one_is_taken() {
    let reply = "Draft:\nposition: no\nconfidence: 0.3\n\n---\nFinal answer:\nposition: yes\nconfidence: 0.9";
    assert_eq!(value(Kind::Response, reply)["position"], "yes");
}

#[test]
fn a_clean_reply_has_no_doubts() {
    doubts(
        "position: yes\nrationale:\n  - \"a: b\"\nconfidence: 0.8",
        expect![[r#"
        Ok(
            [],
        )
    "#]],
    );
    doubts(
        "```json\n{\"position\": \"yes\", \"confidence\": 0.8, \"concerns\": []}\n```",
        expect![[r#"
        Ok(
            [],
        )
    "#]],
    );
}

#[test]
fn what_was_repaired_is_said() {
    doubts(
        "I think:\n{'position': 'It's fine', confidence: '80%', \"rationale\": \"- a\\n- b\",}",
        expect![[r#"
            Ok(
                [
                    "left out the text before the answer",
                    "`position`: read a text in unusual quotes",
                    "`position`: read a text with quotes inside or a quote missing",
                    "read keys without quotes",
                    "`confidence`: read a text in unusual quotes",
                    "`rationale`: left out a comma before a closing brace",
                    "`rationale`: read a text with bullets as a list",
                    "`confidence`: read \"80%\" as 0.8",
                ],
            )
        "#]],
    );
    doubts(
        "**Position:** **yes**\n**Confidence:** high\n\u{1b}[1m**Concerns:**\u{1b}[0m none\n\nLet me know!",
        expect![[r#"
            Ok(
                [
                    "took out 2 terminal sequences",
                    "left out the text after the last field",
                    "`position`: left out marks of emphasis",
                    "`confidence`: read \"high\" as 0.8",
                ],
            )
        "#]],
    );
}
