//! Settings from outside: layers, places, every kind of bad file, and the schema that editors use.
//! Each case is data behind one `check`. Deliberately absent: the command line that prints the result.

use std::collections::{BTreeMap, BTreeSet};

use s2s::config::{
    COMMENTED, Config, FlagValue, KEYS, Layer, OnEscalation, Panel, Problem, Resolved, Row, SCHEMA, Shape, Source,
};
use s2s_engine::opening::Workflow;
use s2s_engine::strategy::{Policy, PolicyRule};
use serde_json::Value;

fn project(text: &str) -> Result<Resolved, Vec<Problem>> {
    Config::resolve(&[Source::File { layer: Layer::Project, name: "config.yaml", text }])
}

/// A bad file gives exactly these problems, each starting with its place and holding its parts.
fn check(text: &str, expected: &[&[&str]]) {
    let problems = project(text).expect_err(text);
    let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (said, parts) in said.iter().zip(expected) {
        assert!(said.starts_with(&format!("config.yaml:{}: ", parts[0])), "{said:?} is not at {}", parts[0]);
        for part in &parts[1..] {
            assert!(said.contains(part), "{said:?} lacks {part:?}");
        }
    }
}

#[test]
fn a_typo_is_found_and_the_nearest_key_named() {
    check(
        "roundtabel: {}\n",
        &[&["1:1", "unknown key `roundtabel`", "did you mean `roundtable`?", "allowed: version, roundtable, models"]],
    );
    check(
        "roundtable:\n  limits:\n    max_round: 5\n",
        &[&["3:5", "in `roundtable.limits`", "did you mean `max_rounds`?"]],
    );
    check("max_rounds: 5\n", &[&["1:1", "at the top of the file", "did you mean `roundtable.limits.max_rounds`?"]]);
    check("roundtable:\n  limits:\n    escalation: {}\n", &[&["3:5", "did you mean `roundtable.escalation`?"]]);
    check("zzz: 1\n", &[&["1:1", "unknown key `zzz` at the top of the file (allowed"]]);
}

#[test]
fn a_wrong_type_says_what_is_expected_and_what_was_found() {
    let limits = |value: &str| format!("roundtable:\n  limits:\n    max_rounds: {value}\n");
    for (value, found) in [
        ("0", "the number 0"),
        ("-3", "the number -3"),
        ("2.5", "the number 2.5"),
        ("many", "the text \"many\""),
        ("\"20\"", "the text \"20\""),
        ("[1]", "a list"),
        ("99999999999", "the number 99999999999"),
        ("true", "true"),
    ] {
        let said = ["3:17", "`roundtable.limits.max_rounds`: expected a whole number from 1 to 1000, found ", found];
        check(&limits(value), &[&said]);
    }
    check(&limits(""), &[&["3:15", "there is no value", "remove the line"]]);
    check("roundtable:\n  verbose: yes\n", &[&["2:12", "expected true or false", "\"yes\""]]);
    check("roundtable: 5\n", &[&["1:13", "`roundtable`: expected a map", "allowed: strategy, verbose"]]);
    check("roundtable:\n  escalation: {confidence_below: 1.5}\n", &[&["2:34", "a number from 0 to 1"]]);
    check(
        "roundtable:\n  escalation: {on_escalation: acept}\n",
        &[&["2:31", "did you mean `accept`?", "pause, accept, continue"]],
    );
    check(
        "roundtable:\n  consensus: {policy: majority}\n",
        &[&["2:23", "unknown value `majority`", "simple_majority"]],
    );
    check("- a\n- b\n", &[&["1:1", "expected a map"]]);
}

#[test]
fn text_values_are_checked_for_what_they_will_be_used_for() {
    check("docs: {decisions: ../../etc}\n", &[&["1:19", "leads out of the project"]]);
    check("docs: {decisions: /etc}\n", &[&["1:19", "leads out of the project"]]);
    check("docs: {decisions: .}\n", &[&["1:19", "not a folder inside the project"]]);
    check("naming: {timestamp_format: \"%Y/%m\"}\n", &[&["1:28", "gives \"1970/01\""]]);
    check("naming: {timestamp_format: \"%!\"}\n", &[&["1:28", "cannot be used"]]);
    check("panel: ofline\n", &[&["1:8", "no such panel", "auto, offline, models, script:FILE"]]);
    check("panel: 'script:'\n", &[&["1:8", "names no file"]]);
    check("roundtable: {strategy: Six Hats}\n", &[&["1:24", "\"Six Hats\" is not a name"]]);
    let word = "roundtable: {escalation: {critical_keywords: [ok, \"\\e[31m\"]}}\n";
    check(word, &[&["1:51", "characters that nobody can see"]]);
}

#[test]
fn participants_are_at_least_two_different_roles() {
    let seats = |list: &str| format!("roundtable:\n  participants:\n    specs: {list}\n");
    check(&seats("[qa-lead]"), &[&["3:12", "at least two participants"]]);
    check(&seats("[]"), &[&["3:12", "at least two participants"]]);
    check(&seats("[qa-lead, qa-lead]"), &[&["3:22", "\"qa-lead\" is given twice"]]);
    check(&seats("[qa-lead, facilitator]"), &[&["3:22", "has no seat"]]);
    check(&seats("[QA Lead, ../x]"), &[&["3:13", "\"QA Lead\" is not the name of a role"], &["3:22", "\"../x\""]]);
    check(&seats("qa-lead"), &[&["3:12", "expected a list"]]);
    let good = project(&seats("[qa-lead, 'project:Api_Owner']")).unwrap();
    assert_eq!(good.config.participants(Workflow::Specs), ["qa-lead", "project:Api_Owner"]);
}

#[test]
fn what_is_not_plain_yaml_is_refused_at_its_place() {
    check("roundtable:\n  verbose: true\n  verbose: false\n", &[&["3:3", "`verbose` is given twice, first in line 2"]]);
    check("roundtable:\n\tverbose: true\n", &[&["2:1", "a tab"]]);
    check("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", &[&["1:7", "anchors and aliases"]]);
    check("panel: [offline\n", &[&["1:8", "not YAML"]]);
    check("panel: !!str auto\n", &[&["1:14", "tags"]]);
    check("panel: auto\n---\npanel: auto\n", &[&["3:1", "second document"]]);
    check(&format!("{}{}", "[".repeat(200), "]".repeat(200)), &[&["1:34", "nested deeper"]]);
}

#[test]
fn a_hidden_escape_in_a_key_never_reaches_the_screen() {
    let said = project("\"\\e[31mx\": 1\n").unwrap_err()[0].to_string();
    assert!(said.contains("unknown key `x`") && !said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn all_problems_are_said_in_the_order_of_the_file() {
    let text = "panel: none\nroundtable:\n  verbos: true\n  limits: {min_rounds: 0, max_rounds: x}\n  participants: {specs: [a]}\ndocs: 3\n";
    check(text, &[&["1:8"], &["3:3", "`verbose`"], &["4:24"], &["4:39"], &["5:25"], &["6:7"]]);
}

#[test]
fn a_newer_file_is_one_problem_and_the_plugins_version_is_read() {
    check("version: 2\nnew_key: 1\n", &[&["1:10", "version 2, made for a newer s2s"]]);
    check("version: one\n", &[&["1:10", "expected the version of this file, 1"]]);
    for text in ["version: 1\n", "version: \"1.0\"\n", "version: 1.0\n", ""] {
        assert_eq!(project(text).unwrap().config, Config::default(), "{text:?}");
    }
}

#[test]
fn least_rounds_above_most_rounds_is_a_problem_with_both_places() {
    let text = "roundtable:\n  limits:\n    min_rounds: 9\n    max_rounds: 4\n";
    check(
        text,
        &[&["3:5", "`roundtable.limits.min_rounds` is 9 (project, config.yaml:3:5)", "4 (project, config.yaml:4:5)"]],
    );
    check(
        "roundtable: {limits: {min_rounds: 30}}\n",
        &[&["1:23", "more than `roundtable.limits.max_rounds`, 20 (built-in)", "max_rounds from 30 up"]],
    );
    let flags = [FlagValue { flag: "--max-rounds", path: "roundtable.limits.max_rounds", text: "4" }];
    let file = Source::File { layer: Layer::User, name: "user.yaml", text: "roundtable: {limits: {min_rounds: 9}}" };
    let said = Config::resolve(&[file, Source::Flags(&flags)]).unwrap_err()[0].to_string();
    assert!(said.starts_with("--max-rounds: ") && said.contains("user.yaml:1:23"), "{said}");
}

#[test]
fn a_built_in_least_gives_way_to_a_chosen_most_and_says_so() {
    let resolved = project("roundtable: {limits: {max_rounds: 2}}\n").unwrap();
    assert_eq!(resolved.config.roundtable.limits.min_rounds, 2);
    assert!(resolved.notes[0].contains("lowered from 3 to 2"), "{:?}", resolved.notes);
}

#[test]
fn t1_the_higher_layer_wins_whatever_the_order() {
    let strategy = |name: &str| format!("roundtable: {{strategy: {name}, verbose: true}}\n");
    let (user, own) = (strategy("disney"), strategy("debate"));
    let variables = BTreeMap::from([("S2S_STRATEGY".to_owned(), "six-hats".to_owned())]);
    let flags = [FlagValue { flag: "--strategy", path: "roundtable.strategy", text: "consensus-driven" }];
    let layers = [
        Source::Flags(&flags),
        Source::Environment(&variables),
        Source::File { layer: Layer::Project, name: "p.yaml", text: &own },
        Source::File { layer: Layer::User, name: "u.yaml", text: &user },
    ];
    let expected = [
        ("consensus-driven", Layer::Flag, "--strategy"),
        ("six-hats", Layer::Environment, "S2S_STRATEGY"),
        ("debate", Layer::Project, "p.yaml:1:14"),
        ("disney", Layer::User, "u.yaml:1:14"),
        ("standard", Layer::BuiltIn, ""),
    ];
    for (skipped, (name, layer, place)) in expected.into_iter().enumerate() {
        let resolved = Config::resolve(&layers[skipped..]).unwrap();
        let origin = resolved.origin("roundtable.strategy").unwrap();
        assert_eq!(
            (resolved.config.roundtable.strategy.as_str(), origin.layer, origin.place().as_str()),
            (name, layer, place)
        );
        assert_eq!(resolved.strategy_is_named(), skipped < 2);
        let verbose = resolved.origin("roundtable.verbose").unwrap();
        assert_eq!(
            verbose.layer,
            if skipped < 3 {
                Layer::Project
            } else if skipped < 4 {
                Layer::User
            } else {
                Layer::BuiltIn
            }
        );
    }
}

#[test]
fn t1_the_strategys_own_policy_stands_between_the_files_and_the_built_in() {
    let own = Policy { rule: PolicyRule::Consent, threshold: 0.7 };
    assert_eq!(Config::default().policy(own), own);
    let set = project("roundtable: {consensus: {policy: unanimous}}\n").unwrap().config;
    assert_eq!(set.policy(own), Policy { rule: PolicyRule::Unanimous, threshold: 0.7 });
    let set = project("roundtable: {consensus: {threshold: 0.9}}\n").unwrap().config;
    assert_eq!(set.policy(own), Policy { rule: PolicyRule::Consent, threshold: 0.9 });
}

#[test]
fn t4_both_places_for_participants_are_read_and_the_deeper_one_wins() {
    let plain = "    specs: [a, b]\n";
    let deep = "    by_workflow_type: {specs: [c, d], design: [e, f]}\n";
    for (text, specs) in
        [(plain.to_owned(), ["a", "b"]), (deep.to_owned(), ["c", "d"]), (format!("{deep}{plain}"), ["c", "d"])]
    {
        let resolved = project(&format!("roundtable:\n  participants:\n{text}")).unwrap();
        assert_eq!(resolved.config.participants(Workflow::Specs), specs, "{text}");
        let both = text.contains("    specs") && text.contains("by_workflow_type");
        assert_eq!(resolved.notes.len(), usize::from(both), "{:?}", resolved.notes);
        if text.contains("design") {
            assert_eq!(resolved.config.participants(Workflow::Design), ["e", "f"]);
        }
    }
    // Across layers the higher one wins, in whichever place it says so.
    let user = format!("roundtable:\n  participants:\n{deep}");
    let own = format!("roundtable:\n  participants:\n{plain}");
    let layers = [
        Source::File { layer: Layer::User, name: "u", text: &user },
        Source::File { layer: Layer::Project, name: "p", text: &own },
    ];
    let resolved = Config::resolve(&layers).unwrap();
    assert_eq!(resolved.config.participants(Workflow::Specs), ["a", "b"]);
    assert_eq!(resolved.config.participants(Workflow::Design), ["e", "f"]);
}

#[test]
fn null_overrules_a_lower_layer_where_it_means_something() {
    let layers = [
        Source::File { layer: Layer::User, name: "u", text: "roundtable: {limits: {max_calls: 50}}" },
        Source::File { layer: Layer::Project, name: "p", text: "roundtable: {limits: {max_calls: null}}" },
    ];
    assert_eq!(Config::resolve(&layers[..1]).unwrap().config.roundtable.limits.max_calls, Some(50));
    assert_eq!(Config::resolve(&layers).unwrap().config.roundtable.limits.max_calls, None);
}

#[test]
fn the_environment_sets_every_kind_of_value() {
    let variables = [
        ("S2S_VERBOSE", "1"),
        ("S2S_INTERACTIVE", "Off"),
        ("S2S_MAX_ROUNDS", " 7 "),
        ("S2S_MAX_CALLS", "none"),
        ("S2S_CONFIDENCE_BELOW", "0.25"),
        ("S2S_CRITICAL_KEYWORDS", "Datenschutz, sécurité"),
        ("S2S_ON_ESCALATION", "continue"),
        ("S2S_PANEL", "script:a b.yaml"),
        ("S2S_PARTICIPANTS_DESIGN", "qa-lead,technical-lead"),
        ("S2S_STRATEGY", ""),
        ("S2S_STRATGY", "debate"),
        ("S2S_UNRELATED_THING", "x"),
    ];
    let variables: BTreeMap<_, _> = variables.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let resolved = Config::resolve(&[Source::Environment(&variables)]).unwrap();
    let table = &resolved.config.roundtable;
    assert_eq!(
        (table.verbose, table.interactive, table.limits.max_rounds, table.limits.max_calls),
        (true, false, 7, None)
    );
    assert_eq!(table.escalation.triggers.confidence_below, 0.25);
    assert_eq!(table.escalation.triggers.critical_keywords, ["Datenschutz", "sécurité"]);
    assert_eq!(table.escalation.on_escalation, OnEscalation::Continue);
    assert_eq!(resolved.config.panel, Panel::Script("a b.yaml".into()));
    assert_eq!(table.participants.design, ["qa-lead", "technical-lead"]);
    assert_eq!(table.strategy, "standard");
    assert_eq!(resolved.notes, ["The variable S2S_STRATGY is not known and is not used; S2S_STRATEGY is."]);
}

#[test]
fn a_bad_variable_or_flag_is_named() {
    for (path, text, part) in [
        ("roundtable.limits.max_rounds", "0", "expected a whole number from 1 to 1000, found the number 0"),
        ("roundtable.limits.max_rounds", "-1", "the number -1"),
        ("roundtable.limits.max_rounds", "ten", "the text \"ten\""),
        ("roundtable.verbose", "maybe", "true or false"),
        ("roundtable.participants.specs", "qa-lead", "at least two"),
        ("roundtable.participants.specs", "qa-lead,qa-lead", "given twice"),
        ("panel", "nobody", "no such panel"),
        ("roundtable.nothing", "1", "not a setting"),
    ] {
        let flags = [FlagValue { flag: "--flag", path, text }];
        let said = Config::resolve(&[Source::Flags(&flags)]).unwrap_err();
        assert_eq!(said.len(), 1, "{said:?}");
        let said = said[0].to_string();
        assert!(said.starts_with("--flag: ") && said.contains(part), "{said:?} lacks {part:?}");
    }
    let variables = BTreeMap::from([("S2S_MAX_ROUNDS".to_owned(), "many".to_owned())]);
    let said = Config::resolve(&[Source::Environment(&variables)]).unwrap_err()[0].to_string();
    assert!(said.starts_with("S2S_MAX_ROUNDS: expected"), "{said}");
}

#[test]
fn show_is_yaml_that_says_where_each_value_came_from() {
    let text =
        "panel: 'script:a b.yaml'\nroundtable:\n  escalation:\n    critical_keywords: ['no', 'zwei Worte', ok]\n";
    let resolved = project(text).unwrap();
    let shown = resolved.to_text();
    for line in [
        "version: 1  # built-in",
        "  strategy: standard  # built-in",
        "    max_calls: null  # built-in: no limit",
        "    critical_keywords: [\"no\", \"zwei Worte\", ok]  # project, config.yaml:4:5",
        "    policy: null  # built-in: the strategy's own",
        "    # built-in\n    brainstorm: [product-manager, software-architect, technical-lead]",
        "panel: \"script:a b.yaml\"  # project, config.yaml:1:1",
    ] {
        assert!(shown.contains(&format!("{line}\n")), "{line:?} is not in\n{shown}");
    }
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert_eq!(project(&shown).unwrap().config, resolved.config);
    let lowered = project("roundtable: {limits: {max_rounds: 2}}\n").unwrap().to_text();
    assert!(lowered.contains("# Note: `roundtable.limits.min_rounds` is lowered"), "{lowered}");
}

#[test]
fn show_as_json_has_every_setting_with_layer_and_place() {
    let resolved = project("panel: offline\n").unwrap();
    let json = resolved.to_json();
    let rows = json["settings"].as_array().unwrap();
    assert_eq!(rows.len(), KEYS.iter().filter(|key| key.target() == key.path).count());
    let row = rows.iter().find(|row| row["key"] == "panel").unwrap();
    let expected = ("offline".into(), "project".into(), "config.yaml:1:1".into());
    assert_eq!((row["value"].clone(), row["layer"].clone(), row["place"].clone()), expected);
}

/// Every setting in the commented file, its '#' taken away.
fn uncommented() -> String {
    let line = |line: &str| match line.trim_start().strip_prefix('#') {
        Some(setting) if setting.starts_with(|c: char| c.is_ascii_lowercase()) => {
            format!("{}{setting}\n", &line[..line.len() - line.trim_start().len()])
        }
        _ => format!("{line}\n"),
    };
    COMMENTED.lines().map(line).collect()
}

#[test]
fn the_commented_file_is_the_defaults_with_and_without_its_comment_signs() {
    assert!(COMMENTED.starts_with("# yaml-language-server: $schema=./config.schema.json\n"));
    let as_written = project(COMMENTED).unwrap();
    assert_eq!((as_written.config, as_written.notes.len()), (Config::default(), 0));
    let open = project(&uncommented()).unwrap();
    assert_eq!(open.config, Config::default());
    // An empty map adds no name, so it has no place of its own; that it is listed is enough.
    let listed = |row: &Row| {
        let name = row.path.last().map_or("", String::as_str);
        row.value.as_object().is_some_and(|map| map.is_empty()) && COMMENTED.contains(&format!("#{name}: {{}}\n"))
    };
    let silent = open.rows().into_iter().filter(|row| row.layer == Layer::BuiltIn && !listed(row));
    let silent: Vec<_> = silent.map(|row| row.key).collect();
    assert_eq!(silent, Vec::<&str>::new(), "not in the commented file");
    let unnamed: Vec<_> = KEYS
        .iter()
        .filter_map(|key| key.variable)
        .filter(|name| {
            let short = name.strip_prefix("S2S_PARTICIPANTS").unwrap_or(name);
            !COMMENTED.contains(short)
        })
        .collect();
    assert_eq!(unnamed, Vec::<&str>::new(), "variables not named in the commented file");
}

fn walk_schema(schema: &Value, path: &str, found: &mut BTreeMap<String, Value>) {
    assert!(schema["description"].is_string(), "{path} has no description");
    let Some(properties) = schema["properties"].as_object() else {
        found.insert(path.to_owned(), schema.clone());
        return;
    };
    assert_eq!(schema["additionalProperties"], false, "{path} lets unknown keys pass");
    for (key, value) in properties {
        let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        walk_schema(value, &below, found);
    }
}

#[test]
fn the_schema_and_the_reader_know_the_same_keys_bounds_and_defaults() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let mut found = BTreeMap::new();
    walk_schema(&schema, "", &mut found);
    let in_schema: BTreeSet<&str> = found.keys().map(String::as_str).collect();
    let in_reader: BTreeSet<&str> = KEYS.iter().map(|key| key.path).collect();
    assert_eq!(in_schema, in_reader);
    let defaults = serde_json::to_value(Config::default()).unwrap();
    for key in KEYS {
        let leaf = &found[key.path];
        if key.target() == key.path {
            let default = defaults.pointer(&format!("/{}", key.path.replace('.', "/"))).unwrap();
            assert_eq!(&leaf["default"], default, "{}", key.path);
        }
        let nullable = leaf["type"].as_array().is_some_and(|types| types.contains(&"null".into()));
        assert_eq!(nullable, key.null.is_some(), "{}", key.path);
        match key.shape {
            Shape::Whole(low, high) => {
                assert_eq!((&leaf["minimum"], &leaf["maximum"]), (&low.into(), &high.into()), "{}", key.path)
            }
            Shape::Number(low, high) => {
                assert_eq!(
                    (leaf["minimum"].as_f64(), leaf["maximum"].as_f64()),
                    (Some(low), Some(high)),
                    "{}",
                    key.path
                );
            }
            Shape::Choice(words) => {
                let listed = leaf["enum"].as_array().unwrap().iter().filter_map(Value::as_str);
                assert_eq!(listed.collect::<Vec<_>>(), words, "{}", key.path);
            }
            _ => {}
        }
    }
}

#[test]
fn a_settings_file_is_read_within_its_bound() {
    use s2s::config::{MAX_FILE_BYTES, read_file};
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("config.yaml");
    assert_eq!(read_file(&path).unwrap(), None);
    std::fs::write(&path, "panel: auto\n").unwrap();
    assert_eq!(read_file(&path).unwrap().as_deref(), Some("panel: auto\n"));
    // 100 MB that take no room on disk: refused by size, before a byte is read.
    std::fs::File::create(&path).unwrap().set_len(100 << 20).unwrap();
    let said = read_file(&path).unwrap_err().to_string();
    assert!(said.contains("has 100.0 MB; at most 1 MB is read") && said.contains("config.yaml"), "{said}");
    std::fs::write(&path, vec![b'#'; MAX_FILE_BYTES as usize]).unwrap();
    assert!(read_file(&path).unwrap().is_some());
    std::fs::write(&path, b"a: 1\nb: \xFF\n").unwrap();
    assert!(read_file(&path).unwrap_err().to_string().contains("is not UTF-8 text (line 2)"));
    let said = read_file(home.path()).unwrap_err().to_string();
    assert!(said.contains("is a folder, not a file"), "{said}");
}
