//! Known models: what ships holds together, names are found as they are written elsewhere, a project adds.

use std::fs;

use s2s_catalog::{Ability, Api, Catalog, KnownModels};

fn known() -> KnownModels {
    Catalog::builtin().known_models().expect("a good file").value
}

#[test]
fn every_default_and_tier_is_a_known_model_with_a_price() {
    let known = known();
    for provider in &known.providers {
        assert_eq!(provider.base_url.is_none(), provider.api == Api::Command, "{}", provider.name);
        assert_eq!(provider.command.is_empty(), provider.api != Api::Command, "{}", provider.name);
        for model in provider.default.iter().chain(provider.tiers.values()) {
            if provider.api == Api::Command {
                continue;
            }
            let found = known.model(&provider.name, model).unwrap_or_else(|| panic!("{}:{model}", provider.name));
            assert!(found.price.is_some(), "{}:{model}", provider.name);
        }
    }
    for model in &known.models {
        assert!(known.provider(&model.provider).is_some(), "{}", model.provider);
        assert!(known.family_of(&model.name).is_some(), "{} has no family", model.name);
        let price = model.price.expect("a price");
        assert!(price.input < price.output && price.cached_input.unwrap_or(0.0) < price.input, "{}", model.name);
    }
    assert!(known.as_of.starts_with("2026-"));
}

#[test]
fn a_name_is_found_with_a_date_and_under_a_vendor_but_not_as_another_model() {
    let known = known();
    let found = |provider: &str, name: &str| known.model(provider, name).map(|model| model.name.clone());
    for (provider, name, expected) in [
        ("anthropic", "claude-haiku-4-5", Some("claude-haiku-4-5")),
        ("anthropic", "claude-haiku-4-5-20251001", Some("claude-haiku-4-5")),
        ("anthropic", "claude-opus-5-5", Some("claude-opus-5-5")),
        ("anthropic", "claude-opus-5-20260724", Some("claude-opus-5")),
        ("openai", "gpt-6.1-sol-2026-08-12", Some("gpt-6.1-sol")),
        ("openai", "gpt-6.1-sol-mini", None),
        ("openai", "gpt-6", None),
        ("openai-responses", "gpt-6-luna", Some("gpt-6-luna")),
        ("openrouter", "anthropic/claude-sonnet-5.5", Some("claude-sonnet-5-5")),
        ("openrouter", "meta-llama/llama-9", None),
        ("gemini", "gemini-3.8-flash-preview-11-2026", Some("gemini-3.8-flash")),
        ("local", "claude-opus-5-5", None),
    ] {
        assert_eq!(found(provider, name).as_deref(), expected, "{provider}:{name}");
    }
    assert!(known.alike("bedrock/claude-opus-5.5").expect("the same").can(Ability::JsonSchema));
    assert_eq!(known.named("gpt-6-luna").len(), 1);
}

#[test]
fn a_family_is_told_by_the_model_before_the_vendor() {
    let known = known();
    for (name, family) in [
        ("anthropic/claude-opus-5.5", Some("claude")),
        ("llama3.3:70b", Some("llama")),
        ("Qwen/Qwen3.8-72B", Some("qwen")),
        ("deepseek-r1-distill-llama-70b", Some("deepseek")),
        ("openai/gpt-oss-120b", Some("gpt")),
        ("o3-mini", Some("gpt")),
        ("google/o30", None),
        ("foo3", None),
        ("meta-llama/scout", Some("llama")),
        ("sonnet", Some("claude")),
        ("codellama", Some("llama")),
        ("my-own", None),
    ] {
        assert_eq!(known.family_of(name), family, "{name}");
    }
}

#[test]
fn a_project_adds_models_and_changes_prices_but_never_an_address() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("models");
    fs::create_dir(&folder).expect("a folder");
    fs::write(
        folder.join("ours.yaml"),
        "models:\n  - {model: 'local:qwen3', context_tokens: 32768, price: {input: 0, output: 0}}\n  - {model: \
         'openai:gpt-6-luna', price: {input: 9, output: 9}}\n",
    )
    .expect("written");
    let catalog = Catalog::with_project(home.path(), None);
    let known = catalog.known_models().expect("good").value;
    assert_eq!(known.model("local", "qwen3").and_then(|model| model.context_tokens), Some(32_768));
    assert_eq!(known.model("openai", "gpt-6-luna").and_then(|model| model.price).map(|price| price.input), Some(9.0));
    assert_eq!(known.models.len(), self::known().models.len() + 1);
    assert_eq!(catalog.check().problems, []);

    fs::write(folder.join("models.yaml"), "providers: [{name: openai, api: openai, base_url: 'http://evil'}]\n")
        .expect("written");
    let said = catalog.known_models().expect_err("refused").to_string();
    assert!(said.contains("models.yaml:1:1: a project's file of models holds no providers"), "{said}");
    assert!(!catalog.check().problems.is_empty());
    fs::write(folder.join("models.yaml"), "models: [{model: qwen}]\n").expect("written");
    let said = catalog.known_models().expect_err("refused").to_string();
    assert!(said.contains("says no provider") && said.contains("provider:model"), "{said}");
}
