//! How files look: heads, length, names, and what must not be in the tree.

use crate::tree::{files, root, rust};

/// The most lines of a file, tests left out.
const MOST_LINES: usize = 600;

/// Names that say nothing.
const EMPTY_NAMES: [&str; 9] = ["Manager", "Handler", "Helper", "Context", "Util", "Utils", "Core", "Agent", "Info"];

fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("tests.rs") || path.contains("/benches/")
}

#[test]
fn every_rust_file_opens_with_a_head() {
    for (path, text) in rust() {
        assert!(text.starts_with("//!"), "{path} does not say what it is for");
    }
}

#[test]
fn no_file_outgrows_its_room() {
    for (path, text) in rust() {
        if !is_test(&path) {
            let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default().lines().count();
            assert!(code <= MOST_LINES, "{path} has {code} lines; split it by noun (at most {MOST_LINES})");
        }
    }
}

#[test]
fn names_say_something() {
    for (path, text) in rust() {
        for name in EMPTY_NAMES {
            for keyword in ["struct", "enum", "trait", "type"] {
                let found = text.lines().any(|line| {
                    let rest = line.trim_start().strip_prefix("pub ").unwrap_or(line.trim_start());
                    let rest = rest.strip_prefix(keyword).map(str::trim_start).unwrap_or_default();
                    rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
                });
                assert!(!found, "{path} names something {name}");
            }
        }
    }
}

#[test]
fn nothing_is_left_to_do_later() {
    // Written in parts, so that this file does not find itself.
    let marks =
        [["TO", "DO"].concat(), ["FIX", "ME"].concat(), ["todo", "!("].concat(), ["unimple", "mented!"].concat()];
    for (path, text) in rust() {
        for mark in &marks {
            assert!(!text.contains(mark.as_str()), "{path} holds {mark}");
        }
    }
}

#[test]
fn no_machine_is_named() {
    let paths = ["work", "farm", "root"].map(|name| format!(" /{name}/"));
    let texts = ["rs", "md", "yaml", "toml", "j2"].iter().flat_map(|ending| files("", &format!(".{ending}")));
    for (path, text) in texts {
        for machine in &paths {
            assert!(!text.contains(machine.as_str()), "{path} names {machine}");
        }
    }
}

#[test]
fn the_architecture_page_stays_short() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    assert!(text.lines().count() <= 200, "ARCHITECTURE.md has more than 200 lines");
}

#[test]
fn every_sleep_in_a_test_is_virtual() {
    let sleep = ["thread::", "sleep"].concat();
    for (path, text) in rust() {
        let tests = if is_test(&path) { Some(text.as_str()) } else { text.split_once("#[cfg(test)]").map(|(_, t)| t) };
        assert!(!tests.is_some_and(|tests| tests.contains(&sleep)), "a test in {path} sleeps for real");
    }
}
