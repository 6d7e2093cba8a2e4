//! Which crate may use which: the house of ARCHITECTURE.md.

use std::collections::BTreeMap;

use crate::tree::files;

/// Every crate of ours and the crates of ours it may use.
const ALLOWED: [(&str, &[&str]); 12] = [
    ("s2s-engine", &[]),
    ("s2s-yaml", &[]),
    ("s2s-models", &[]),
    ("s2s-reader", &[]),
    ("s2s-catalog", &["s2s-engine", "s2s-yaml"]),
    ("s2s-store", &["s2s-engine", "s2s-yaml"]),
    ("s2s", &["s2s-engine", "s2s-catalog", "s2s-store", "s2s-models", "s2s-yaml", "s2s-reader"]),
    ("s2s-mock", &["s2s-yaml"]),
    ("s2s-mcp", &["s2s"]),
    ("s2s-cli", &["s2s", "s2s-mcp", "s2s-mock"]),
    ("s2s-damage", &[]),
    ("xtask", &[]),
];

/// What the engine must not be able to do: crates that bring files, clocks, chance, YAML or async.
const ENGINE_MAY_USE: [&str; 3] = ["serde", "jiff", "thiserror"];

fn manifests() -> BTreeMap<String, toml::Table> {
    let mut all = files("crates", "Cargo.toml");
    all.extend(files("xtask", "Cargo.toml"));
    let parsed = all.into_iter().map(|(path, text)| {
        let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        (table["package"]["name"].as_str().expect("a name").to_owned(), table)
    });
    parsed.collect()
}

fn dependencies(manifest: &toml::Table) -> Vec<String> {
    let table = manifest.get("dependencies").and_then(toml::Value::as_table);
    table.map(|table| table.keys().cloned().collect()).unwrap_or_default()
}

#[test]
fn crates_use_only_what_the_house_allows() {
    let manifests = manifests();
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.into_iter().collect();
    for (name, manifest) in &manifests {
        let allowed = allowed.get(name.as_str()).unwrap_or_else(|| panic!("{name} has no room in edges.rs"));
        for dependency in dependencies(manifest) {
            let ours = manifests.contains_key(&dependency);
            assert!(!ours || allowed.contains(&dependency.as_str()), "{name} must not use {dependency}");
        }
    }
}

#[test]
fn the_engine_can_do_nothing_but_think() {
    let engine = &manifests()["s2s-engine"];
    for dependency in dependencies(engine) {
        assert!(ENGINE_MAY_USE.contains(&dependency.as_str()), "the engine must not use {dependency}");
    }
    for (path, text) in files("crates/engine/src", ".rs") {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for banned in
            ["std::fs", "std::io", "std::net", "std::env", "std::time", "Timestamp::now", "async fn", "std::thread"]
        {
            assert!(!code.contains(banned), "{path} holds {banned}");
        }
    }
}

#[test]
fn the_library_touches_no_terminal_environment_or_process() {
    for (path, text) in files("crates/s2s/src", ".rs") {
        for banned in ["std::env::", "process::exit", "Timestamp::now", "println!", "is_terminal"] {
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            assert!(!code.contains(banned) || path.ends_with("tests.rs"), "{path} holds {banned}");
        }
    }
}
