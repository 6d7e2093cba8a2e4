//! `s2s init --detect`: says what a folder shows, and writes nothing.
//! Given what was detected; hands on text for people or JSON for programs. Deliberately absent: the look itself,
//! which is the library's.

use std::path::Path;

use s2s::Failure;
use s2s::clean::clean_line;
use s2s::project::{Detected, Sign, detect};
use serde_json::json;

use crate::console::Console;

/// Says what this folder shows.
pub fn report(cwd: &Path, console: &Console) -> Result<u8, Failure> {
    let found = detect(cwd);
    if console.json {
        console.print_json(&json!(found))?;
    } else {
        console.print(&as_text(&found))?;
    }
    Ok(0)
}

fn as_text(found: &Detected) -> String {
    let mut text = String::new();
    let mut line = |name: &str, items: Vec<String>| {
        let items = if items.is_empty() { "none seen".to_owned() } else { items.join(", ") };
        text.push_str(&format!("{name:<17} {}\n", clean_line(&items)));
    };
    line("Name", vec![found.name.clone()]);
    let described = found.description.as_ref().map(|sign| format!("{} ({})", sign.name, sign.from));
    line("Description", described.into_iter().collect());
    let least = if found.partial { "at least " } else { "" };
    let languages = found.languages.iter().map(|language| {
        let files = if language.files == 1 { "file" } else { "files" };
        let manifest = language.manifest.map(|manifest| format!("{manifest}, ")).unwrap_or_default();
        format!("{} ({manifest}{least}{} {files})", language.name, language.files)
    });
    line("Languages", languages.collect());
    line("Frameworks", signed(&found.frameworks));
    line("Package managers", signed(&found.package_managers));
    line("Needs", signed(&found.needs));
    line("Git", found.git.iter().map(|up| format!("repository in {up}")).collect());
    line("Documents", found.docs.clone());
    let members = found.members.iter().map(|member| format!("{} ({})", member.path, member.kinds.join(", ")));
    line("Members", members.collect());
    for finding in &found.findings {
        text.push_str(&format!("note: {}\n", clean_line(&finding.to_string())));
    }
    if found.partial {
        text.push_str("note: this folder is larger than what is looked at; there may be more\n");
    }
    text
}

fn signed(signs: &[Sign]) -> Vec<String> {
    signs.iter().map(|sign| format!("{} ({})", sign.name, sign.from)).collect()
}
