//! Settings about models: names a person chooses, laid over each other name by name, and no keys in files.
//! Each case is data behind one `check`. Deliberately absent: what a model's name stands for (`lineup.rs`).

use std::collections::{BTreeMap, BTreeSet};

use s2s::config::{Api, Config, Effort, FlagValue, Layer, PROVIDER_FIELDS, Panel, Problem, Resolved, SCHEMA, Source};
use serde_json::Value;

fn project(text: &str) -> Result<Resolved, Vec<Problem>> {
    Config::resolve(&[Source::File { layer: Layer::Project, name: "config.yaml", text }])
}

/// A bad file gives one problem, at this place and with these parts.
fn check(text: &str, place: &str, parts: &[&str]) {
    let problems = project(text).expect_err(text);
    let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(said[0].starts_with(&format!("config.yaml:{place}: ")), "{said:?} is not at {place}");
    for part in parts {
        assert!(said[0].contains(part), "{said:?} lacks {part:?}");
    }
}

#[test]
fn all_of_it_can_be_set() {
    let text = r#"
models:
  default: "anthropic:claude-opus-5-5"
  facilitator: opus
  seats: {qa-lead: "openai:gpt-6.1-sol", "project:Api_Owner": local:qwen}
  fallback: {default: ["openai:gpt-6-luna"], qa-lead: [local:qwen, opus], facilitator: []}
  temperature: 0.3
  effort: high
  max_output_tokens: 4096
  call_timeout_seconds: 120
  idle_timeout_seconds: 20
providers:
  local: {api: openai, base_url: "http://127.0.0.1:8080/v1/", api_key_env: LOCAL_KEY, json_schema: false}
  gateway:
    api: openai
    base_url: "https://gw.example.com/openai/deployments/x?api-version=2026-01-01"
    api_key_command: [pass, show, gateway]
    key_header: api-key
    headers: {X-Team: shop}
    max_concurrent: 4
    requests_per_minute: 60
    family: gpt
  house: {api: command, command: [answer, "--model", "{model}"], env: [HOUSE_HOME]}
prices: {"openai:gpt-6.1-sol": {input: 1.25, cached_input: 0.125, output: 10}}
roundtable: {limits: {max_cost_usd: 2.5, max_tokens: 500000, max_minutes: 30, max_calls: 40}}
panel: models
"#;
    let resolved = project(text).unwrap();
    let config = &resolved.config;
    assert_eq!(config.models.seats["project:Api_Owner"], "local:qwen");
    assert_eq!(config.models.fallback("qa-lead"), ["local:qwen", "opus"]);
    assert_eq!(config.models.fallback("technical-lead"), ["openai:gpt-6-luna"]);
    assert!(config.models.fallback("facilitator").is_empty());
    assert_eq!((config.models.effort, config.models.temperature), (Some(Effort::High), Some(0.3)));
    let local = &config.providers["local"];
    assert_eq!((local.api, local.base_url.as_deref()), (Some(Api::OpenAi), Some("http://127.0.0.1:8080/v1")));
    assert_eq!(config.providers["gateway"].headers.as_ref().unwrap()["X-Team"], "shop");
    assert_eq!(config.prices["openai:gpt-6.1-sol"].cached_input, Some(0.125));
    let limits = &config.roundtable.limits;
    assert_eq!((limits.max_cost_usd, limits.max_tokens, limits.max_minutes), (Some(2.5), Some(500_000), Some(30.0)));
    assert_eq!((limits.max_calls, limits.max_rounds), (Some(40), 20));
    assert_eq!(config.panel, Panel::Models);
    assert_eq!(resolved.origin("providers.local.base_url").unwrap().place(), "config.yaml:13:24");
    // What is shown can be read again.
    let shown = resolved.to_text();
    for line in [
        "    qa-lead: \"openai:gpt-6.1-sol\"  # project, config.yaml:5:11",
        "    \"project:Api_Owner\": \"local:qwen\"  # project, config.yaml:5:42",
        "  house:\n    api: command  # project, config.yaml:23:11",
        "  \"openai:gpt-6.1-sol\": {input: 1.25, cached_input: 0.125, output: 10.0}",
    ] {
        assert!(shown.contains(line), "{line:?} is not in\n{shown}");
    }
    assert_eq!(project(&shown).unwrap().config, *config);
}

#[test]
fn names_are_laid_over_each_other_one_by_one() {
    let user = "models: {seats: {a: x:1, b: x:2}, fallback: {default: [x:9]}}\nproviders: {p: {api: openai, \
                base_url: 'https://mine'}, q: {api: ollama}}\n";
    let own = "models: {seats: {b: y:1, c: y:2, a: null}}\nproviders: {p: {base_url: 'https://theirs'}}\n";
    let flags = [
        FlagValue { flag: "--seat", path: "models.seats.c", text: "z:1" },
        FlagValue { flag: "--seat", path: "models.seats.project:My.Own", text: "z:2" },
        FlagValue { flag: "--fallback", path: "models.fallback.c", text: "z:3, z:4" },
        FlagValue { flag: "--model", path: "models.default", text: "z:5" },
        FlagValue { flag: "--max-cost", path: "roundtable.limits.max_cost_usd", text: "0.5" },
    ];
    let resolved = Config::resolve(&[
        Source::Flags(&flags),
        Source::File { layer: Layer::Project, name: "p.yaml", text: own },
        Source::File { layer: Layer::User, name: "u.yaml", text: user },
    ])
    .unwrap();
    let models = &resolved.config.models;
    let seats: Vec<(&str, &str)> = models.seats.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(seats, [("b", "y:1"), ("c", "z:1"), ("project:My.Own", "z:2")]);
    assert_eq!(models.fallback["c"], ["z:3", "z:4"]);
    assert_eq!(models.default.as_deref(), Some("z:5"));
    assert_eq!(resolved.config.roundtable.limits.max_cost_usd, Some(0.5));
    let p = &resolved.config.providers["p"];
    assert_eq!((p.api, p.base_url.as_deref()), (Some(Api::OpenAi), Some("https://theirs")));
    let place = |path: &str| resolved.origin(path).map(|origin| origin.place());
    assert_eq!(place("models.seats.b").as_deref(), Some("p.yaml:1:18"));
    assert_eq!(place("models.seats.c").as_deref(), Some("--seat"));
    assert_eq!(place("models.seats.a").as_deref(), Some("p.yaml:1:34"), "where it was taken away");
    assert_eq!(place("providers.p.api").as_deref(), Some("u.yaml:2:17"));
    assert_eq!(place("providers.p.base_url").as_deref(), Some("p.yaml:2:17"));
    assert_eq!(resolved.config.providers.len(), 2);
}

#[test]
fn the_environment_names_models_and_limits() {
    let variables =
        [("S2S_MODEL", "openai:gpt-6-luna"), ("S2S_FACILITATOR_MODEL", "opus"), ("S2S_MAX_COST_USD", "1.5")];
    let variables: BTreeMap<_, _> = variables.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let resolved = Config::resolve(&[Source::Environment(&variables)]).unwrap();
    assert_eq!(resolved.config.models.default.as_deref(), Some("openai:gpt-6-luna"));
    assert_eq!(resolved.config.models.facilitator.as_deref(), Some("opus"));
    assert_eq!(resolved.config.roundtable.limits.max_cost_usd, Some(1.5));
    assert_eq!(resolved.origin("models.default").unwrap().layer, Layer::Environment);
}

#[test]
fn a_key_in_a_file_is_refused_and_not_repeated() {
    let key = ["sk-ant-", "api03-q7Zk2Lw9Xb4Tn8Rv3Yc6Md1Hf5Jg0Ps"].concat();
    for (text, place) in [
        (format!("providers: {{a: {{api: openai, api_key_env: {key}}}}}\n"), "1:43"),
        (format!("providers:\n  a:\n    headers: {{X-Auth: \"{key}\"}}\n"), "3:23"),
        (format!("providers: {{a: {{command: [run, {key}]}}}}\n"), "1:32"),
        (format!("panel: {key}\n"), "1:8"),
    ] {
        check(&text, place, &["an Anthropic key", "keys do not belong in a file; use api_key_env"]);
        let said = project(&text).unwrap_err()[0].to_string();
        assert!(!said.contains("sk-ant"), "{said}");
    }
    for path in ["models.default", "models.seats.qa-lead", "panel"] {
        let flags = [FlagValue { flag: "--model", path, text: &key }];
        let said = Config::resolve(&[Source::Flags(&flags)]).unwrap_err()[0].to_string();
        assert!(said.starts_with("--model: this looks like an Anthropic key") && !said.contains("sk-ant"), "{said}");
    }
    check(
        "providers: {a: {api: openai, api_key: hunter2}}\n",
        "1:30",
        &["`providers`: `a`: keys do not belong in a file; use api_key_env", "api_key_command"],
    );
    check("providers: {a: {headers: {Authorization: Bearer me}}}\n", "1:27", &["keys do not belong", "key_header"]);
    let said = project("providers: {a: {api_key_env: my secret words}}\n").unwrap_err()[0].to_string();
    assert!(said.contains("not the name of a variable") && !said.contains("my secret"), "{said}");
    check("providers: {a: {base_url: 'https://bob:pa55w0rd@host/'}}\n", "1:27", &["a password in it"]);
    check("providers: {a: {base_url: 'https://bob@host/'}}\n", "1:27", &["name or password does not belong"]);
    check("providers: {a: {base_url: 'https://host/?key=abc'}}\n", "1:27", &["a key does not belong in an address"]);
}

#[test]
fn plain_http_leaves_the_house_only_if_that_is_meant() {
    let at = |rest: &str| format!("providers: {{a: {{base_url: 'http://api.host.com/v1'{rest}}}}}\n");
    check(&at(""), "1:17", &["`providers.a.base_url`: over http://", "providers.a.allow_http: true"]);
    assert!(project(&at(", allow_http: true")).is_ok());
    assert!(project(&at(", allow_http: false")).is_err());
    assert!(project("providers: {a: {base_url: 'http://192.168.1.5:8080'}}\n").is_ok());
}

#[test]
fn a_project_names_no_program_that_is_another_one_in_the_next_project() {
    for program in ["./agent", "bin/agent", "../agent", "~other/agent"] {
        for field in ["command", "api_key_command"] {
            let text = format!("providers: {{a: {{{field}: ['{program}', x]}}}}\n");
            let what = format!("`providers.a.{field}`: \"{program}\" is another program in every folder");
            check(&text, "1:17", &[&what, "installed program", "from / or ~/ on"]);
            // In a person's own file it is that person's own affair.
            assert!(Config::resolve(&[Source::File { layer: Layer::User, name: "u", text: &text }]).is_ok());
        }
    }
    for program in ["agent", "/opt/bin/agent", "~/bin/agent"] {
        assert!(project(&format!("providers: {{a: {{command: ['{program}', ./x]}}}}\n")).is_ok(), "{program}");
    }
}

#[test]
fn what_is_wrong_with_a_provider_is_said_at_its_place() {
    check("providers: {a: {api: opnai}}\n", "1:22", &["`providers`: `a`: api: ", "did you mean `openai`?", "command"]);
    check("providers: {a: {base_ulr: x}}\n", "1:17", &["unknown key `base_ulr`; did you mean `base_url`?"]);
    check("providers: {A B: {api: openai}}\n", "1:13", &["is not a name for a provider"]);
    check("providers: {a: {base_url: 'ftp://x'}}\n", "1:27", &["must start with https://"]);
    check("providers: {a: {command: claude -p}}\n", "1:26", &["expected a list", "no shell"]);
    check("providers: {a: {command: []}}\n", "1:26", &["names no program"]);
    check("providers: {a: {api_key_file: key.txt}}\n", "1:31", &["full path", "outside the project"]);
    check("providers: {a: {max_concurrent: 0}}\n", "1:33", &["a whole number from 1 to 1000"]);
    check("providers: 5\n", "1:12", &["`providers`: expected a map"]);
    check("models: {seats: {facilitator: x:1}}\n", "1:18", &["models.facilitator"]);
    check("models: {seats: {Q A: x:1}}\n", "1:18", &["not the name of a role"]);
    check("models: {seats: {qa-lead: [x]}}\n", "1:27", &["`models.seats`: `qa-lead`: expected text"]);
    check("models: {fallback: {qa-lead: x:1}}\n", "1:30", &["expected a list"]);
    check("models: {default: two words}\n", "1:19", &["not the name of a model", "provider:model"]);
    check("models: {effort: max}\n", "1:18", &["low, medium, high"]);
    check("models: {temperature: 3}\n", "1:23", &["a number from 0 to 2"]);
    check("prices: {gpt: {input: 1, output: 2}}\n", "1:10", &["does not say whose model it is"]);
    check("prices: {'x:y': {input: 1}}\n", "1:17", &["`output` is missing"]);
    check("prices: {'x:y': {input: -1, output: 2}}\n", "1:25", &["a number from 0"]);
    let flags = [FlagValue { flag: "--seat", path: "models.seats.facilitator", text: "x:1" }];
    let said = Config::resolve(&[Source::Flags(&flags)]).unwrap_err()[0].to_string();
    assert!(said.starts_with("--seat: the facilitator has no seat"), "{said}");
}

#[test]
fn the_schema_knows_every_setting_of_a_provider() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let listed = schema["$defs"]["provider"]["properties"].as_object().unwrap();
    let listed: BTreeSet<&str> = listed.keys().map(String::as_str).collect();
    let read: BTreeSet<&str> = PROVIDER_FIELDS.iter().map(|field| field.name).collect();
    assert_eq!(listed, read);
    let apis = schema["$defs"]["provider"]["properties"]["api"]["enum"].as_array().unwrap();
    let apis: Vec<&str> = apis.iter().filter_map(Value::as_str).collect();
    assert_eq!(apis, Api::ALL.iter().map(|api| api.as_str()).collect::<Vec<_>>());
}
