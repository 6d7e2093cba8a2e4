//! `s2s read`: one reply for a person, many for a script, and every source that cannot be read.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use super::harness::{Folder, Run, finish};

const RESPONSE: &str = r#"Here is my answer:

```json
{"position": "Keep the monolith", "rationale": ["one team", "one deployment"], "confidence": "80%", "concerns": []}
```
"#;

const SYNTHESIS: &str = "action: synthesis
synthesis: All seats want one deployment.
consensus:
  - Keep the monolith
conflicts: []
resolved: []
next_action: continue
";

/// One line of input.
fn line(id: &str, schema: &str, text: &str) -> String {
    format!("{}\n", json!({ "id": id, "schema": schema, "text": text }))
}

/// The lines of output.
#[track_caller]
fn lines(run: &Run) -> Vec<Value> {
    run.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn a_reply_is_shown_by_field_with_its_doubts() {
    let folder = Folder::bare();
    folder.write("reply.txt", RESPONSE);
    let run = folder.run(&["read", "--as", "response", "reply.txt"]).ok();
    let run = run.shows(&["position: Keep the monolith\n", "rationale:\n  - one team\n  - one deployment\n"]);
    let run = run.shows(&["confidence: 0.8\n", "concerns: (none)\n", "\nDoubts\n  - "]);
    assert_eq!(run.err, "");
    assert!(!folder.path().join(".s2s").exists(), "reading makes no project");
}

#[test]
fn a_reply_without_a_flaw_has_no_doubts() {
    let run = Folder::bare().run_with(&["read", "--as", "synthesis"], SYNTHESIS).ok();
    let run = run.shows(&["next_action: continue\n", "consensus:\n  - Keep the monolith\n", "\nNo doubts.\n"]);
    assert_eq!(run.err, "");
}

#[test]
fn standard_input_is_read_with_a_dash_or_without_a_file() {
    let folder = Folder::bare();
    let question = "question: Which way?\naction: question\nparticipants: all\nfocus: Ways\n";
    for args in [&["read", "--as", "question"][..], &["read", "--as", "question", "-"]] {
        folder.run_with(args, question).ok().shows(&["question: Which way?\n"]);
    }
    let sides = "pro: [qa-lead]\ncon: [technical-lead]\nproposal: Ship it\n";
    folder.run_with(&["read", "--as", "sides"], sides).ok().shows(&["pro:\n  - qa-lead\n", "proposal: Ship it\n"]);
}

#[test]
fn a_refusal_says_why_and_exits_1() {
    let run = Folder::bare().run_with(&["read", "--as", "response"], "position: Keep it\nrationale: [known]\n").is(1);
    let run = run.shows(&["Refused\n", "confidence"]).says(&["the reply in standard input is refused", "confidence"]);
    assert!(!run.out.contains("position:"), "{}", run.out);
}

#[test]
fn json_gives_one_object_read_or_refused() {
    let folder = Folder::bare();
    let read = folder.run_with(&["read", "--as", "response", "--json"], RESPONSE).ok();
    assert_eq!(read.out.lines().count(), 1);
    let read = read.json();
    assert_eq!(read["value"]["confidence"], 0.8);
    assert_eq!(read["value"]["context_challenge"], Value::Null);
    assert!(!read["doubts"].as_array().unwrap().is_empty());
    assert_eq!(read["refusal"], Value::Null);
    let refused = folder.run_with(&["read", "--as", "response", "--json"], "I would rather not say.").is(1);
    assert_eq!(refused.err, "", "a refusal is an answer, not an error");
    let refused = refused.json();
    assert_eq!((&refused["value"], &refused["doubts"]), (&Value::Null, &json!([])));
    assert!(!refused["refusal"].as_str().unwrap().is_empty());
}

#[test]
fn no_reply_can_reach_the_terminal() {
    let hostile = "position: \"\u{1b}[2Jgone\u{202e}\u{200b}\"\nrationale: [\"\u{7}ring\"]\nconfidence: 0.5\n";
    let run = Folder::bare().run_with(&["read", "--as", "response"], hostile);
    let shown = format!("{}{}", run.out, run.err);
    assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{200b}', '\u{7}']), "{shown:?}");
}

#[test]
fn a_source_that_cannot_be_read_is_said_by_name() {
    let folder = Folder::bare();
    folder.write("latin1.txt", b"position: caf\n\xe9\n");
    folder.write("large.txt", "x".repeat((1 << 20) + 1));
    let read = |file| folder.run(&["read", "--as", "response", file]).is(2);
    read("none.txt").says(&["none.txt cannot be read", "check the path"]);
    read(".").says(&[". is a folder", "name the file"]);
    read("latin1.txt").says(&["latin1.txt is not UTF-8 text (line 2)", "save the reply as UTF-8"]);
    read("large.txt").says(&["large.txt is larger than 1024 kB"]);
    let endless = folder.run(&["read", "--as", "response", "/dev/zero"]).is(2);
    endless.says(&["/dev/zero is larger than 1024 kB"]);
    let json = folder.run(&["read", "--as", "response", "none.txt", "--json"]).is(2);
    let error: Value = serde_json::from_str(&json.err).unwrap();
    assert_eq!((json.out.as_str(), &error["error"]["kind"]), ("", &json!("bad_input")));
}

#[test]
fn the_kind_is_needed_for_one_reply_and_refused_for_many() {
    let folder = Folder::bare();
    folder.run(&["read"]).is(2).says(&["--as <KIND>"]);
    folder.run(&["read", "--as", "respons"]).is(2).says(&["respons", "similar value", "response"]);
    folder.run(&["read", "--as", "response", "--jsonl"]).is(2).says(&["--as", "--jsonl"]);
}

#[test]
fn jsonl_answers_every_line_in_order_under_its_id() {
    let folder = Folder::bare();
    let input = [
        line("a", "participant", RESPONSE),
        "\n".to_owned(),
        line("b", "facilitator", SYNTHESIS),
        line("c", "response", "I would rather not say."),
        r#"{"truth": null, "id": 4, "text": "question: Why?\naction: question", "schema": "question"}"#.to_owned(),
    ];
    folder.write("replies.jsonl", format!("\u{feff}{}", input.concat()));
    let run = folder.run(&["read", "--jsonl", "replies.jsonl"]).ok();
    assert_eq!(run.err, "");
    let answers = lines(&run);
    assert_eq!(
        answers.iter().map(|answer| &answer["id"]).collect::<Vec<_>>(),
        [&json!("a"), &json!("b"), &json!("c"), &json!(4)]
    );
    for answer in &answers {
        let keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["id", "value", "doubts", "refusal"]);
        assert_eq!(answer["value"].is_null(), answer["refusal"].is_string(), "{answer}");
    }
    assert_eq!(answers[0]["value"]["confidence"], 0.8);
    assert_eq!(answers[1]["value"]["next_action"], "continue");
    assert!(answers[2]["value"].is_null());
    assert_eq!(answers[3]["value"]["question"], "Why?");
}

#[test]
fn jsonl_refuses_a_line_that_cannot_be_used_and_goes_on() {
    let unusable = [
        (r#"{"id": "a", "schema": "panel", "text": "x"}"#, "its schema is \"panel\""),
        (r#"{"id": "b", "text": "x"}"#, "it has no schema"),
        (r#"{"id": "c", "schema": "response"}"#, "it has no text"),
        (r#"{"id": "d", "schema": "response", "text": 7}"#, "invalid type"),
        (r#"{"id": "e", "schema": "response", "text": ["x"]}"#, "invalid type"),
        (r#"{"id": "f", "schema": "response", "text": null}"#, "invalid type"),
        (r#"{"id": "g", "schema": "response", "text": "x", "text": "y"}"#, "duplicate field"),
    ];
    let mut input: String = unusable.iter().map(|(line, _)| format!("{line}\n")).collect();
    input.push_str(&line("last", "participant", RESPONSE));
    let answers = lines(&Folder::bare().run_with(&["read", "--jsonl"], &input).ok());
    assert_eq!(answers.len(), unusable.len() + 1);
    for (number, (answer, (_, part))) in answers.iter().zip(unusable).enumerate() {
        let refusal = answer["refusal"].as_str().unwrap();
        let starts = format!("line {} cannot be used: ", number + 1);
        assert!(refusal.starts_with(&starts) && refusal.contains(part), "{refusal}");
    }
    assert_eq!(answers[unusable.len()]["value"]["position"], "Keep the monolith");
}

#[test]
fn jsonl_stops_at_a_line_without_an_id_and_names_it() {
    let folder = Folder::bare();
    let first = line("a", "participant", RESPONSE);
    for (bad, part) in [
        ("{\"id\": \"b\", ", "line 2 of standard input cannot be read as JSON"),
        ("position: x", "line 2 of standard input cannot be read as JSON"),
        ("[]", "line 2 of standard input"),
        ("{\"schema\": \"response\", \"text\": \"x\"}", "line 2 of standard input has no id"),
        ("{\"id\": {}, \"schema\": \"response\", \"text\": \"x\"}", "line 2 of standard input has no id"),
    ] {
        let run = folder.run_with(&["read", "--jsonl"], &format!("{first}{bad}\n{first}")).is(2);
        assert_eq!(lines(&run).len(), 1, "what was read before stays: {}", run.out);
        run.says(&[part, "each line is one object"]);
    }
    folder.write("long.jsonl", "[".repeat((16 << 20) + 1));
    folder.run(&["read", "--jsonl", "long.jsonl"]).is(2).says(&["line 1 of long.jsonl is longer than 16 MB"]);
    folder.run(&["read", "--jsonl", "none.jsonl"]).is(2).says(&["none.jsonl cannot be read"]);
    folder.run(&["read", "--jsonl", "."]).is(2).says(&["is a folder"]);
}

#[test]
fn jsonl_takes_half_a_surrogate_pair_and_refuses_bytes_that_are_no_text() {
    let folder = Folder::bare();
    let half = r#"{"id": "half", "schema": "participant", "text": "{\"position\": \"Keep it \ud83d!\", \"rationale\": [\"known\"], \"confidence\": 0.7}"}"#;
    let mut input = half.as_bytes().to_vec();
    input.extend(b"\n{\"id\": \"bytes\", \"schema\": \"participant\", \"text\": \"caf\xe9\"}\n");
    folder.write("odd.jsonl", input);
    let answers = lines(&folder.run(&["read", "--jsonl", "odd.jsonl"]).ok());
    assert_eq!(answers[0]["value"]["position"], "Keep it \u{fffd}!");
    assert!(answers[0]["doubts"][0].as_str().unwrap().contains("surrogate"), "{}", answers[0]);
    assert_eq!(answers[1]["refusal"], "line 2 cannot be used: it is not UTF-8 text");
}

#[test]
fn jsonl_answers_while_more_is_to_come() {
    let mut child = Folder::bare().command(&["read", "--jsonl"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for id in ["a", "b"] {
        input.write_all(line(id, "participant", RESPONSE).as_bytes()).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.contains(&format!("\"id\":\"{id}\"")), "{answer}");
    }
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!((rest.as_str(), finish(child).code), ("", 0));
}

/// Without an end to the input, only a run that notices its reader's leave comes to an end.
#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let folder = Folder::bare();
    let mut child = folder.command(&["read", "--jsonl"]).stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let line = line("a", "participant", RESPONSE);
    while input.write_all(line.as_bytes()).is_ok() {}
    let run = finish(child).ok();
    assert_eq!(run.err, "");
    let mut child = folder.command(&["read", "--as", "response"]).stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(RESPONSE.as_bytes()).unwrap();
    assert_eq!(finish(child).ok().err, "");
}
