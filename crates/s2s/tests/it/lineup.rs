//! Who uses what: the order of wishes, tiers, defaults by key, fallbacks, families, and every way it can fail.
//! Each case is a settings file, roles and variables behind one `lineup`. Deliberately absent: calls.

use std::collections::BTreeMap;

use s2s::Failure;
use s2s::catalog::{Catalog, KnownModels};
use s2s::config::{Config, FlagValue, Layer, Resolved, Source};
use s2s::lineup::{Chosen, Lineup, RoleModel, survey};
use s2s::secrets::KeySource;

pub(crate) fn known() -> KnownModels {
    Catalog::builtin().known_models().unwrap().value
}

pub(crate) fn variables(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

pub(crate) struct Case<'a> {
    pub user: &'a str,
    pub own: &'a str,
    pub flags: &'a [(&'a str, &'a str)],
    pub roles: &'a [(&'a str, &'a str, bool)],
    pub variables: &'a [(&'a str, &'a str)],
}

pub(crate) const NOTHING: Case<'static> = Case { user: "", own: "", flags: &[], roles: &[], variables: &[] };
pub(crate) const CLAUDE: &[(&str, &str)] = &[("ANTHROPIC_API_KEY", "a")];

pub(crate) fn settings(case: &Case<'_>) -> Resolved {
    let flags: Vec<_> = case.flags.iter().map(|(path, text)| FlagValue { flag: "--flag", path, text }).collect();
    let variables = variables(case.variables);
    let sources = [
        Source::File { layer: Layer::User, name: "user.yaml", text: case.user },
        Source::File { layer: Layer::Project, name: "config.yaml", text: case.own },
        Source::Environment(&variables),
        Source::Flags(&flags),
    ];
    Config::resolve(&sources).unwrap_or_else(|problems| panic!("{problems:?}"))
}

pub(crate) fn lineup(case: &Case<'_>) -> Result<Option<Lineup>, Failure> {
    let seats = ["qa-lead", "technical-lead"].map(String::from);
    let roles = |name: &str| {
        let role = case.roles.iter().find(|(role, ..)| *role == name)?;
        Some(RoleModel { model: role.1.to_owned(), from_project: role.2 })
    };
    Lineup::resolve(&settings(case), &known(), &roles, &seats, &variables(case.variables))
}

/// Facilitator, qa-lead, technical-lead: the models, those asked instead behind `>`.
fn models(case: &Case<'_>) -> [String; 3] {
    let lineup = lineup(case).unwrap_or_else(|failure| panic!("{failure:?}")).expect("models");
    ["facilitator", "qa-lead", "technical-lead"]
        .map(|who| lineup.chain(who).unwrap().iter().map(Chosen::name).collect::<Vec<_>>().join(" > "))
}

/// What is said, and what to do.
fn refused(case: &Case<'_>, parts: &[&str]) {
    let failure = lineup(case).expect_err("a failure");
    let said = format!("{} → {}", failure.what, failure.next.as_deref().unwrap_or_default());
    for part in parts {
        assert!(said.contains(part), "{said:?} lacks {part:?}");
    }
}

#[test]
fn with_nothing_at_all_there_is_no_lineup() {
    assert_eq!(lineup(&NOTHING).unwrap(), None);
    let roles: &[_] = &[("facilitator", "opus", false), ("qa-lead", "sonnet", true)];
    assert_eq!(lineup(&Case { roles, ..NOTHING }).unwrap(), None);
    assert_eq!(lineup(&Case { variables: &[("ANTHROPIC_API_KEY", " ")], ..NOTHING }).unwrap(), None);
}

#[test]
fn with_a_key_alone_its_provider_is_taken_and_said() {
    let case = Case { variables: CLAUDE, roles: &[("facilitator", "opus", false)], ..NOTHING };
    assert_eq!(
        models(&case),
        ["anthropic:claude-opus-5-5", "anthropic:claude-sonnet-5-5", "anthropic:claude-sonnet-5-5"]
    );
    let lineup = lineup(&case).unwrap().unwrap();
    assert_eq!(
        lineup.notes,
        ["anthropic:claude-sonnet-5-5 is the model where none is named, because ANTHROPIC_API_KEY holds a key."]
    );
    assert_eq!(lineup.note(), "2 seats, 1 model family: claude");
    assert_eq!(lineup.providers["anthropic"].key, Some(KeySource::Env("ANTHROPIC_API_KEY".into())));
    for (variables, first) in [
        (&[("GROQ_API_KEY", "x"), ("OPENAI_API_KEY", "x")][..], "openai:gpt-6.1-terra"),
        (&[("OPENAI_API_KEY", "x"), ("ANTHROPIC_API_KEY", "x")], "anthropic:claude-sonnet-5-5"),
        (&[("GOOGLE_API_KEY", "x")], "gemini:gemini-3.8-flash"),
        (&[("OPENROUTER_API_KEY", "x"), ("XAI_API_KEY", "x")], "openrouter:anthropic/claude-sonnet-5.5"),
        (&[("DEEPSEEK_API_KEY", "x")], "deepseek:deepseek-v4-pro"),
    ] {
        assert_eq!(models(&Case { variables, ..NOTHING })[1], first);
    }
}

#[test]
fn the_nearest_wish_wins() {
    let both = &[("ANTHROPIC_API_KEY", "a"), ("OPENAI_API_KEY", "b")][..];
    let own = "models: {default: 'openai:gpt-6.1-sol', seats: {qa-lead: 'openai:gpt-6-luna'}}";
    let roles: &[_] = &[("technical-lead", "anthropic:claude-haiku-5-5", true), ("facilitator", "opus", false)];
    // Own seat; the project's role file over models.default; models.default over a built-in role.
    let case = Case { own, roles, variables: both, ..NOTHING };
    assert_eq!(models(&case), ["openai:gpt-6.1-sol", "openai:gpt-6-luna", "anthropic:claude-haiku-5-5"]);
    // --model and S2S_MODEL over role files, not over seats.
    let flags: &[_] = &[("models.default", "anthropic:claude-opus-5-5")];
    assert_eq!(
        models(&Case { flags, ..case }),
        ["anthropic:claude-opus-5-5", "openai:gpt-6-luna", "anthropic:claude-opus-5-5"]
    );
    let variables = &[both[0], both[1], ("S2S_MODEL", "openai:gpt-6-sol")][..];
    assert_eq!(models(&Case { variables, own, roles, ..NOTHING })[2], "openai:gpt-6-sol");
    // --seat over all; models.facilitator over --model.
    let flags: &[_] =
        &[("models.default", "haiku"), ("models.seats.qa-lead", "opus"), ("models.facilitator", "sonnet")];
    assert_eq!(
        models(&Case { flags, own, roles, variables: both, ..NOTHING }),
        ["anthropic:claude-sonnet-5-5", "anthropic:claude-opus-5-5", "anthropic:claude-haiku-5-5"]
    );
    // A built-in role's model counts where nothing else is said.
    let roles: &[_] = &[("qa-lead", "haiku", false), ("technical-lead", "inherit", true)];
    assert_eq!(
        models(&Case { roles, variables: CLAUDE, ..NOTHING })[1..],
        ["anthropic:claude-haiku-5-5", "anthropic:claude-sonnet-5-5"]
    );
}

#[test]
fn tiers_are_those_of_the_defaults_provider() {
    let roles: &[_] = &[("facilitator", "opus", true), ("qa-lead", "haiku", true)];
    let variables = &[("OPENAI_API_KEY", "b")][..];
    assert_eq!(models(&Case { roles, variables, ..NOTHING })[..2], ["openai:gpt-6.1-sol", "openai:gpt-6-luna"]);
    let own = "models: {default: claude}";
    assert_eq!(models(&Case { own, roles, ..NOTHING }), ["claude:opus", "claude:haiku", "claude:default"]);
    // A provider without tiers has its one model, and that is said.
    let own = "models: {default: 'ollama:llama3.3:70b'}";
    let case = Case { own, roles, ..NOTHING };
    assert_eq!(models(&case), ["ollama:llama3.3:70b"; 3]);
    let notes = lineup(&case).unwrap().unwrap().notes;
    assert!(notes[0].contains("`opus` means nothing at ollama"), "{notes:?}");
    let own = "models: {default: opus}";
    assert_eq!(models(&Case { own, variables, ..NOTHING })[1], "openai:gpt-6.1-sol");
    refused(
        &Case { own, ..NOTHING },
        &["models.default, config.yaml:1:10", "`opus` needs a provider", "ANTHROPIC_API_KEY"],
    );
}

#[test]
fn a_name_may_be_a_provider_a_bare_model_or_both() {
    let variables = &[("ANTHROPIC_API_KEY", "a"), ("OPENAI_API_KEY", "b"), ("OPENROUTER_API_KEY", "c")][..];
    for (text, expected) in [
        ("openai", "openai:gpt-6.1-terra"),
        ("openai:", "openai:gpt-6.1-terra"),
        ("claude-haiku-4-5-20251001", "anthropic:claude-haiku-4-5-20251001"),
        ("gpt-6-luna", "openai:gpt-6-luna"),
        ("openai:some-new-model", "openai:some-new-model"),
        ("openrouter:qwen/qwen3-72b:free", "openrouter:qwen/qwen3-72b:free"),
        ("ollama:llama3.3:70b", "ollama:llama3.3:70b"),
        ("codex", "codex:default"),
        ("openai-responses:gpt-6-luna", "openai-responses:gpt-6-luna"),
    ] {
        let flags: &[_] = &[("models.default", text)];
        assert_eq!(models(&Case { flags, variables, ..NOTHING })[1], expected, "{text}");
    }
    for (text, parts) in [
        (
            "anthropc:claude-opus-5-5",
            &["there is no provider `anthropc`; did you mean `anthropic`?", "provider:model"][..],
        ),
        ("llama3.3:70b", &["there is no provider `llama3.3`", "ollama"]),
        ("my-model", &["--flag: `my-model` does not say whose model it is", "anthropic:claude-opus-5-5"]),
        ("claude-opus-5.5", &["did you mean `claude-opus-5-5`?"]),
        ("ollama", &["`ollama` does not say which model", "ollama:MODEL"]),
    ] {
        let flags: &[_] = &[("models.default", text)];
        refused(&Case { flags, variables, ..NOTHING }, parts);
    }
}

#[test]
fn a_missing_key_is_named_only_where_it_is_needed() {
    let flags: &[_] = &[("models.default", "openai:gpt-6-luna")];
    refused(
        &Case { flags, variables: CLAUDE, ..NOTHING },
        &["facilitator uses openai:gpt-6-luna", "OPENAI_API_KEY is not set", "set OPENAI_API_KEY, or choose another"],
    );
    let own = "models: {default: 'local:qwen'}\nproviders:\n  local: {api: openai, base_url: 'http://127.0.0.1:1/v1', \
               api_key_env: LOCAL_KEY}\n  other: {api: openai, base_url: 'https://x', api_key_env: OTHER_KEY}\n";
    refused(&Case { own, ..NOTHING }, &["there is no key for local: LOCAL_KEY is not set"]);
    assert_eq!(models(&Case { own, variables: &[("LOCAL_KEY", "k")], ..NOTHING })[0], "local:qwen");
    // This machine may want no key; nor does a program with a login of its own.
    let own = "models: {default: 'openai:x'}\nproviders: {openai: {base_url: 'http://127.0.0.1:9/v1'}}\n";
    assert_eq!(lineup(&Case { own, ..NOTHING }).unwrap().unwrap().providers["openai"].key, None);
    // A seat alone is not enough for the others.
    let own = "models: {seats: {qa-lead: 'ollama:qwen'}}";
    refused(&Case { own, ..NOTHING }, &["nothing says which model facilitator uses", "models.default"]);
}

#[test]
fn what_is_asked_instead_must_be_usable_but_need_not() {
    let own = "models: {fallback: {default: ['openai:gpt-6-luna', haiku], qa-lead: ['ollama:qwen', sonnet], \
               facilitator: []}}";
    let both = &[("ANTHROPIC_API_KEY", "a"), ("OPENAI_API_KEY", "b")][..];
    assert_eq!(
        models(&Case { own, variables: both, ..NOTHING }),
        [
            "anthropic:claude-sonnet-5-5",
            "anthropic:claude-sonnet-5-5 > ollama:qwen",
            "anthropic:claude-sonnet-5-5 > openai:gpt-6-luna > anthropic:claude-haiku-5-5"
        ]
    );
    let case = Case { own, variables: CLAUDE, ..NOTHING };
    assert_eq!(models(&case)[2], "anthropic:claude-sonnet-5-5 > anthropic:claude-haiku-5-5");
    let lineup = lineup(&case).unwrap().unwrap();
    assert!(lineup.notes[1].contains("openai:gpt-6-luna cannot be asked instead"), "{:?}", lineup.notes);
    assert!(!lineup.providers.contains_key("openai") && lineup.providers.contains_key("ollama"));
    let own = "models: {fallback: {default: ['opnai:x']}}";
    refused(&Case { own, variables: CLAUDE, ..NOTHING }, &["models.fallback", "did you mean `openai`"]);
}

#[test]
fn families_and_prices_follow_the_model() {
    let own = "models: {seats: {qa-lead: 'openrouter:openai/gpt-6-sol', technical-lead: 'local:mystery'}}\nproviders: \
               {local: {api: ollama, base_url: 'http://127.0.0.1:1'}}\nprices: {'local:mystery': {input: 0, output: 0}}\n";
    let variables = &[("ANTHROPIC_API_KEY", "a"), ("OPENROUTER_API_KEY", "c")][..];
    let found = lineup(&Case { own, variables, ..NOTHING }).unwrap().unwrap();
    assert_eq!(found.families(), ["gpt", "local"]);
    assert_eq!(found.note(), "2 seats, 2 model families: gpt, local");
    let qa = &found.chain("qa-lead").unwrap()[0];
    assert_eq!(qa.price.unwrap().output, 10.0);
    assert_eq!(found.chain("technical-lead").unwrap()[0].price.unwrap().input, 0.0);
    // At another provider the same model can do the same, but its price is not known.
    let own = "models: {default: 'gw:claude-opus-5-5'}\nproviders: {gw: {api: anthropic, base_url: 'https://gw', family: house}}\n";
    let found = lineup(&Case { own, ..NOTHING }).unwrap().unwrap();
    let chosen = &found.facilitator[0];
    assert_eq!((chosen.price, chosen.family.as_str()), (None, "house"));
    assert_eq!(chosen.known.as_ref().unwrap().context_tokens, Some(1_000_000));
}

#[test]
fn addresses_in_variables_are_nearer_than_files() {
    let own = "providers: {anthropic: {base_url: 'https://theirs'}}";
    let at = |variables: &[(&str, &str)]| {
        let found = lineup(&Case { own, variables, ..NOTHING }).unwrap().unwrap();
        let provider = found.providers.values().next().unwrap().clone();
        (provider.base_url.unwrap(), provider.from, provider.from_project.len())
    };
    let key = CLAUDE[0];
    assert_eq!(at(&[key]), ("https://theirs".into(), "built-in; project, config.yaml:1:25".into(), 1));
    let (url, from, project) = at(&[key, ("ANTHROPIC_BASE_URL", "http://127.0.0.1:7/")]);
    assert_eq!((url.as_str(), project), ("http://127.0.0.1:7", 0));
    assert!(from.ends_with("ANTHROPIC_BASE_URL"), "{from}");
    let google = &[("GEMINI_API_KEY", "g"), ("GOOGLE_GEMINI_BASE_URL", "https://g.example.com")];
    assert_eq!(at(google).0, "https://g.example.com/v1beta");
    for (host, expected) in [
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("10.0.0.5:9999", "http://10.0.0.5:9999"),
        ("https://ollama.example.com", "https://ollama.example.com"),
    ] {
        let case = Case { own: "models: {default: 'ollama:x'}", variables: &[("OLLAMA_HOST", host)], ..NOTHING };
        let found = lineup(&case).unwrap().unwrap();
        assert_eq!(found.providers["ollama"].base_url.as_deref(), Some(expected));
    }
    let flags: &[_] = &[("models.default", "anthropic")];
    let bad = &[key, ("ANTHROPIC_BASE_URL", "https://bob:hunter22@x")];
    refused(&Case { flags, variables: bad, ..NOTHING }, &["ANTHROPIC_BASE_URL holds no good address"]);
    let said = lineup(&Case { flags, variables: bad, ..NOTHING }).unwrap_err();
    assert!(!format!("{said:?}").contains("hunter22"));
    let open = &[key, ("ANTHROPIC_BASE_URL", "http://api.example.com")];
    refused(&Case { flags, variables: open, ..NOTHING }, &["everyone on the way", "providers.anthropic.allow_http"]);
}

#[test]
fn a_provider_that_says_too_little_or_too_much_is_refused() {
    let case = |own| Case { own, flags: &[("models.default", "p:m")], ..NOTHING };
    refused(&case("providers: {p: {base_url: 'https://x'}}"), &["does not say how it is spoken to", "providers.p.api"]);
    refused(&case("providers: {p: {api: openai}}"), &["does not say where it is", "providers.p.base_url"]);
    refused(&case("providers: {p: {api: command}}"), &["names no program", "providers.p.command"]);
    refused(
        &case("providers: {p: {api: openai, base_url: 'https://x', api_key_env: A, api_key_file: /k}}"),
        &["two sources for its key: api_key_env and api_key_file"],
    );
    // From two layers the higher one is meant.
    let user = "providers: {p: {api: openai, base_url: 'https://x', api_key_file: /k}}";
    let case =
        Case { user, own: "providers: {p: {api_key_command: [pass]}}", flags: &[("models.default", "p:m")], ..NOTHING };
    let found = lineup(&case).unwrap().unwrap();
    assert_eq!(found.providers["p"].key, Some(KeySource::Command(vec!["pass".into()])));
}

#[test]
fn a_model_that_would_be_taken_for_a_switch_is_refused() {
    for model in ["gemini-cli:--yolo", "claude:-p", "claude: --x", "--yolo"] {
        let case = Case { roles: &[("qa-lead", model, true)], variables: CLAUDE, ..NOTHING };
        refused(&case, &[model, "the role qa-lead", "take it for a switch", "write provider:model"]);
    }
    let own = "models: {default: 'gemini-cli:--yolo'}";
    refused(&Case { own, ..NOTHING }, &["config.yaml:1:10", "take it for a switch"]);
}

#[test]
fn a_program_from_home_is_found_there() {
    let own = "models: {default: 'p:m'}\nproviders: {p: {api: command, command: [~/bin/agent, ~/x]}}";
    let found = lineup(&Case { own, variables: &[("HOME", "/home/me/")], ..NOTHING }).unwrap().unwrap();
    assert_eq!(found.providers["p"].command, ["/home/me/bin/agent", "~/x"]);
    refused(&Case { own, ..NOTHING }, &["~/bin/agent starts with ~, and HOME is not set", "full path"]);
}

#[test]
fn a_seat_that_was_typed_must_be_there() {
    let flags: &[_] = &[("models.seats.qa-led", "opus")];
    refused(
        &Case { flags, variables: CLAUDE, ..NOTHING },
        &["--flag: `qa-led` has no seat at this table; did you mean `qa-lead`?", "technical-lead"],
    );
    let own = "models: {seats: {ux-researcher: 'nobody:x'}}";
    assert!(lineup(&Case { own, variables: CLAUDE, ..NOTHING }).unwrap().is_some());
}

#[test]
fn the_survey_says_of_each_provider_whether_it_can_be_used() {
    let own = "providers: {local: {api: openai, base_url: 'http://127.0.0.1:8/v1?x=1'}, broken: {api: openai}}";
    let rows = survey(&settings(&Case { own, ..NOTHING }), &known(), &variables(CLAUDE));
    let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
    assert_eq!(rows[0].name, "anthropic");
    assert_eq!(
        (&row("anthropic").usable, row("anthropic").default_model.as_deref()),
        (&Ok(()), Some("claude-sonnet-5-5"))
    );
    assert_eq!(row("openai").usable, Err("there is no key for openai: OPENAI_API_KEY is not set".into()));
    assert_eq!(
        row("gemini").usable.as_ref().unwrap_err(),
        "there is no key for gemini: GEMINI_API_KEY or GOOGLE_API_KEY is not set"
    );
    assert_eq!((row("claude").target.as_str(), &row("claude").usable), ("claude", &Ok(())));
    assert_eq!((row("local").target.as_str(), &row("local").usable), ("http://127.0.0.1:8/v1", &Ok(())));
    assert_eq!(row("local").from, "project, config.yaml:1:21");
    assert!(row("broken").usable.as_ref().unwrap_err().contains("where it is"));
}

/// The models of a table where `project:dba` sits, whose agent file asks for this one; with the notes.
fn with_agent(model: &str, own: &str, keys: &[(&str, &str)]) -> Result<(String, Vec<String>), Failure> {
    let case = Case { own, variables: keys, ..NOTHING };
    let seats = ["qa-lead", "project:dba"].map(String::from);
    let role = |name: &str| (name == "project:dba").then(|| RoleModel { model: model.to_owned(), from_project: true });
    let lineup = Lineup::resolve(&settings(&case), &known(), &role, &seats, &variables(keys))?.expect("models");
    Ok((lineup.chain("project:dba").unwrap()[0].name(), lineup.notes))
}

#[test]
fn an_agent_files_model_is_a_wish_of_another_tool() {
    let openai = &[("OPENAI_API_KEY", "b")][..];
    // Aliases go through the one data file.
    assert_eq!(with_agent("opus", "", CLAUDE).unwrap().0, "anthropic:claude-opus-5-5");
    assert_eq!(with_agent("haiku", "", openai).unwrap().0, "openai:gpt-6-luna");
    // A name that is known and can be had is taken; one that is not known, or cannot be had, is not.
    assert_eq!(with_agent("claude-haiku-5-5", "", CLAUDE).unwrap().0, "anthropic:claude-haiku-5-5");
    for (model, keys, expected) in [
        ("sonnet[1m]", CLAUDE, "anthropic:claude-sonnet-5-5"),
        ("us.anthropic.claude-x-v1:0", CLAUDE, "anthropic:claude-sonnet-5-5"),
        ("--dangerous", CLAUDE, "anthropic:claude-sonnet-5-5"),
        ("claude-haiku-5-5", openai, with_agent("inherit", "", openai).unwrap().0.as_str()),
    ] {
        let (name, notes) = with_agent(model, "", keys).unwrap();
        assert_eq!(name, expected, "{model}");
        assert!(notes.iter().any(|note| note.contains(model) && note.contains("project:dba")), "{notes:?}");
    }
    // What names a provider of ours is meant, and so is what is set for the seat.
    let failure = with_agent("anthropic:claude-haiku-5-5", "", openai).unwrap_err();
    assert!(failure.what.contains("ANTHROPIC_API_KEY"), "{failure:?}");
    let set = "models: {seats: {'project:dba': nonsense}}";
    assert!(with_agent("opus", set, CLAUDE).unwrap_err().what.contains("nonsense"));
    let set = "models: {seats: {'project:dba': 'openai:gpt-6-luna'}}";
    let both = &[CLAUDE[0], openai[0]][..];
    assert_eq!(with_agent("opus", set, both).unwrap().0, "openai:gpt-6-luna");
}
