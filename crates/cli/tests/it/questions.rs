//! Every question that is asked at a terminal has its row in docs/terminal.md, with what answers it in a script.

use std::fs;
use std::path::{Path, PathBuf};

/// What asks a person.
const ASKS: [&str; 10] =
    ["choose", "confirm", "text", "text_or_nothing", "text_or_pass", "several", "some", "rounds", "share", "secret"];

#[test]
fn every_question_has_a_row_that_says_how_a_script_answers_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let docs = fs::read_to_string(source.join("../../../docs/terminal.md")).unwrap();
    let rows: Vec<&str> = docs.lines().filter(|line| line.starts_with("| ")).collect();
    let (mut found, mut missing) = (0, Vec::new());
    for path in rust_below(&source) {
        let name = path.strip_prefix(&source).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        for ask in ASKS {
            for (at, call) in text.match_indices(&format!("asking::{ask}(")) {
                found += 1;
                let rest = text[at + call.len()..].trim_start().trim_start_matches("&format!(");
                // A question that is put together before has a row for its file.
                let asked = rest.strip_prefix('"').and_then(|rest| rest.split(['"', '{', '\\']).next()).unwrap_or("");
                let has = rows.iter().any(|row| row.contains(asked.trim()) && row.contains(&format!("`{name}`")));
                if !has {
                    missing.push(format!("{name}: {ask} \"{asked}\""));
                }
            }
        }
    }
    assert!(found > 20, "the questions were not found: {found}");
    assert!(missing.is_empty(), "without a row in docs/terminal.md, \"Every question has a flag\": {missing:#?}");
}

fn rust_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_below(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("asking.rs") {
            files.push(path);
        }
    }
    files
}
