//! The list of bad inputs: each is refused with words and exit 2, or taken safely, and never a panic.

use super::harness::{CALM, Folder, TOPIC};

const SCRIPTED: [&str; 4] = ["--panel", "script:calm.yaml", "--strategy", "standard"];

/// Starting with these words and flags is refused with exit 2 and these words, and leaves no session.
#[track_caller]
fn check_refused(folder: &Folder, args: &[&str], parts: &[&str]) {
    let mut all = vec!["roundtable", "start"];
    all.extend(args);
    folder.run(&all).is(2).says(parts);
    assert!(folder.ids().is_empty(), "a refused start leaves no session");
}

/// A topic that is fine becomes this topic and an id that ends so.
#[track_caller]
fn check_topic(topic: &str, kept: &str, slug: &str) {
    let folder = Folder::project();
    let mut args = vec!["roundtable", "start", "--quiet"];
    args.extend(SCRIPTED);
    args.extend(["--", topic]);
    folder.run(&args).ok();
    let minutes = folder.only();
    assert_eq!(minutes["topic"], kept);
    let id = minutes["id"].as_str().unwrap();
    assert!(id.ends_with(slug), "{id}");
}

#[test]
fn topic_empty() {
    let folder = Folder::project();
    check_refused(&folder, &[], &["The topic is empty"]);
    check_refused(&folder, &[""], &["The topic is empty"]);
    check_refused(&folder, &["  ", "\t"], &["The topic is empty"]);
}

#[test]
fn topic_of_10_kb() {
    check_refused(&Folder::project(), &[&"word ".repeat(2_000)], &["characters; at most 2000 fit", "--context FILE"]);
}

#[test]
fn topic_of_several_lines() {
    check_topic("Which\nway\r\nto go?", "Which way to go?", "-which-way-to-go");
}

#[test]
fn topic_with_emoji() {
    check_topic("🚀 or 🐢?", "🚀 or 🐢?", "-or");
    check_topic("🚀🐢", "🚀🐢", "-session");
}

#[test]
fn topic_with_a_path() {
    check_topic("../../etc/passwd", "../../etc/passwd", "-etc-passwd");
}

#[test]
fn topic_right_to_left() {
    check_topic("מה עדיף, REST או GraphQL?", "מה עדיף, REST או GraphQL?", "-rest-graphql");
}

#[test]
fn topic_with_control_characters() {
    check_topic("RE\u{1b}[31mST\u{7} or\u{202e} not", "REST or not", "-rest-or-not");
    check_refused(&Folder::project(), &["\u{1b}[2J\u{7}"], &["no visible text"]);
}

#[test]
fn topic_of_unquoted_words() {
    let folder = Folder::project();
    let mut args = vec!["roundtable", "start", "Which", "way", "now", "--quiet"];
    args.extend(SCRIPTED);
    folder.run(&args).ok();
    assert_eq!(folder.only()["topic"], "Which way now");
}

#[test]
fn strategy_unknown() {
    check_refused(
        &Folder::project(),
        &[TOPIC, "--strategy", "debat"],
        &["no strategy `debat`", "did you mean `debate`"],
    );
    check_refused(&Folder::project(), &[TOPIC, "--strategy", "../x"], &["--strategy", "not a name"]);
    check_refused(&Folder::project(), &[TOPIC, "--strategy", ""], &["--strategy"]);
}

#[test]
fn participant_unknown() {
    let args = [TOPIC, "--participants", "qa-led,technical-lead"];
    check_refused(&Folder::project(), &args, &["no role `qa-led`", "did you mean `qa-lead`"]);
}

#[test]
fn workflow_unknown() {
    check_refused(&Folder::project(), &[TOPIC, "--workflow-type", "desing"], &["desing", "similar value", "design"]);
}

#[test]
fn output_type_unknown() {
    check_refused(&Folder::project(), &[TOPIC, "--output-type", "adt"], &["adt", "similar value", "adr"]);
}

#[test]
fn t3_sides_overlapping_missing_or_without_debate() {
    let folder = Folder::project();
    let debate = |pro, con| [TOPIC, "--strategy", "debate", "--pro", pro, "--con", con];
    let (pm, sa, tl) = ("product-manager", "software-architect", "technical-lead");
    check_refused(&folder, &debate(pm, pm), &["named for both sides"]);
    check_refused(&folder, &debate(pm, sa), &["is on no side", tl]);
    check_refused(&folder, &debate("qa-lead", sa), &["not a participant of this session"]);
    check_refused(&folder, &debate("", sa), &["--pro", "empty name"]);
    check_refused(&folder, &debate("product-manager,product-manager", sa), &["twice"]);
    let all = "product-manager,software-architect,technical-lead";
    check_refused(&folder, &[TOPIC, "--strategy", "debate", "--pro", all], &["nobody is left for --con"]);
    check_refused(&folder, &[TOPIC, "--strategy", "standard", "--pro", pm], &["two sides", "--strategy debate"]);
}

#[test]
fn participants_too_few_or_twice() {
    let folder = Folder::project();
    check_refused(&folder, &[TOPIC, "--participants", "qa-lead"], &["at least two participants"]);
    check_refused(&folder, &[TOPIC, "--participants", "qa-lead,qa-lead"], &["twice", "qa-lead"]);
    check_refused(&folder, &[TOPIC, "--participants", ""], &["empty name"]);
    check_refused(&folder, &[TOPIC, "--participants", "a,,b"], &["empty name"]);
    check_refused(&folder, &[TOPIC, "--participants", "facilitator,qa-lead"], &["facilitator"]);
}

#[test]
fn flags_given_twice() {
    let args = [TOPIC, "--strategy", "debate", "--strategy", "standard"];
    check_refused(&Folder::project(), &args, &["--strategy", "cannot be used multiple times"]);
}

#[test]
fn rounds_that_cannot_be() {
    let folder = Folder::project();
    let rounds = |min, max| [TOPIC, "--min-rounds", min, "--max-rounds", max];
    check_refused(&folder, &rounds("5", "3"), &["min_rounds", "is 5", "--max-rounds"]);
    check_refused(&folder, &rounds("0", "3"), &["--min-rounds", "1"]);
    check_refused(&folder, &rounds("-1", "3"), &["--min-rounds", "-1"]);
    check_refused(&folder, &rounds("2", "many"), &["--max-rounds", "many"]);
    check_refused(&folder, &rounds("2", "99999999999999999999"), &["--max-rounds"]);
}

/// A settings file with this text is refused with its name and these words.
#[track_caller]
fn check_config(text: impl AsRef<[u8]>, parts: &[&str]) {
    let folder = Folder::project();
    folder.write(".s2s/config.yaml", text);
    for args in [&["roundtable", "start", TOPIC, "--yes"][..], &["config", "show"]] {
        folder.run(args).is(2).says(&["error: .s2s/config.yaml"]).says(parts);
    }
    assert!(folder.ids().is_empty());
}

#[test]
fn config_with_a_typo() {
    check_config("version: 1\nroundtable:\n  stategy: debate\n", &["config.yaml:3:3", "stategy", "did you mean"]);
}

#[test]
fn config_of_the_wrong_type() {
    check_config(
        "roundtable:\n  limits:\n    min_rounds: lots\n",
        &["config.yaml:3:", "min_rounds", "a whole number from 1"],
    );
    check_config("- a\n- b\n", &["config.yaml:1:"]);
}

#[test]
fn config_with_a_duplicate_key() {
    check_config("version: 1\nversion: 1\n", &["config.yaml:2:"]);
}

#[test]
fn config_with_tabs() {
    check_config("roundtable:\n\tstrategy: debate\n", &["config.yaml:2"]);
}

#[test]
fn config_with_an_anchors_bomb() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for n in 1..12 {
        let alias = format!("*a{}", n - 1);
        text.push_str(&format!("a{n}: &a{n} [{}]\n", [alias.as_str(); 9].join(", ")));
    }
    check_config(text, &[]);
}

#[test]
fn config_of_100_mb() {
    let folder = Folder::project();
    let file = std::fs::File::create(folder.path().join(".s2s/config.yaml")).unwrap();
    file.set_len(100 << 20).unwrap();
    folder.run(&["config", "show"]).is(2).says(&["config.yaml", "100.0 MB; at most 1 MB"]);
}

#[test]
fn config_of_the_user_is_named_by_its_path() {
    let folder = Folder::project();
    std::fs::create_dir_all(folder.user_config().parent().unwrap()).unwrap();
    std::fs::write(folder.user_config(), "docz: {}\n").unwrap();
    let path = folder.user_config();
    folder.run(&["config", "show"]).is(2).says(&[&format!("{}:1:1", path.display()), "docs"]);
}

#[test]
fn context_file_missing_or_empty_is_said_and_the_run_goes_on() {
    for text in [None, Some(""), Some("# Title only\n")] {
        let folder = Folder::project();
        match text {
            Some(text) => folder.write(".s2s/CONTEXT.md", text),
            None => std::fs::remove_file(folder.path().join(".s2s/CONTEXT.md")).unwrap(),
        }
        folder.start(&[]).ok().shows(&["CONTEXT.md", "thin"]);
    }
}

#[test]
fn context_file_binary() {
    let folder = Folder::project();
    folder.write(".s2s/CONTEXT.md", b"PNG\0\x01\xff");
    check_refused(&folder, &[TOPIC, "--panel", "offline"], &["CONTEXT.md cannot be used", "binary"]);
}

#[test]
fn context_flag_takes_text_only_and_standard_input_once() {
    let folder = Folder::project();
    folder.write("blob.bin", b"a\0b");
    check_refused(&folder, &[TOPIC, "--context", "none.md"], &["none.md cannot be attached"]);
    check_refused(&folder, &[TOPIC, "--context", "blob.bin"], &["blob.bin", "binary"]);
    check_refused(&folder, &[TOPIC, "--context", "-", "--context", "-"], &["--context -", "twice"]);
    let mut args = vec!["roundtable", "start", TOPIC, "--context", "-", "--quiet"];
    args.extend(SCRIPTED);
    folder.run_with(&args, "Two developers, no budget.").ok();
    let minutes = folder.only();
    assert!(minutes["context"]["text"].as_str().unwrap().contains("Two developers, no budget."));
    assert!(minutes["context"]["source"].as_str().unwrap().contains("standard input"));
}

#[test]
fn script_missing_bad_or_a_folder() {
    let folder = Folder::project();
    folder.write("bad.yaml", "replies:\n  - {round: 1}\n");
    folder.write("typo.yaml", CALM.replace("position", "\tposition"));
    for (panel, part) in [
        ("script:none.yaml", "none.yaml cannot be used"),
        ("script:bad.yaml", "either `reply` or `fault`"),
        ("script:.s2s", "not a regular file"),
        ("script:", "script:"),
        ("oracle", "auto, offline, models, script:FILE"),
    ] {
        check_refused(&folder, &[TOPIC, "--panel", panel], &[part]);
    }
}

#[test]
fn with_json_every_refusal_is_one_object_on_standard_error() {
    let folder = Folder::project();
    for args in [
        &["roundtable", "start", TOPIC, "--strategy", "debat", "--json"][..],
        &["roundtable", "start", TOPIC, "--workflow-type", "x", "--json"],
        &["roundtable", "show", "nothing", "--json"],
        &["frobnicate", "--json"],
    ] {
        let run = folder.run(args).is(2);
        let error: serde_json::Value =
            serde_json::from_str(run.err.trim()).unwrap_or_else(|e| panic!("{e}: {}", run.err));
        assert_eq!(error["error"]["kind"], "bad_input", "{error}");
        assert!(error["error"]["what"].as_str().is_some_and(|what| !what.is_empty()));
        assert_eq!(run.out, "");
    }
}
