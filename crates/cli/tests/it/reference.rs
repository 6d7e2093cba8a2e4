//! docs/cli.md is what `--help` prints. `UPDATE_DOCS=1` writes it anew.

use std::path::Path;
use std::process::Command;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cli.md");

const COMMANDS: &[&[&str]] = &[
    &[],
    &["init"],
    &["specs"],
    &["design"],
    &["brainstorm"],
    &["roundtable"],
    &["roundtable", "start"],
    &["roundtable", "resume"],
    &["roundtable", "list"],
    &["roundtable", "show"],
    &["roundtable", "answer"],
    &["watch"],
    &["show"],
    &["ask"],
    &["session"],
    &["session", "list"],
    &["session", "show"],
    &["session", "status"],
    &["session", "close"],
    &["session", "cleanup"],
    &["session", "validate"],
    &["session", "verify"],
    &["session", "cost"],
    &["session", "replay"],
    &["report"],
    &["adr"],
    &["adr", "list"],
    &["adr", "show"],
    &["adr", "supersede"],
    &["adr", "reopen"],
    &["role"],
    &["role", "new"],
    &["role", "list"],
    &["role", "show"],
    &["playbook"],
    &["playbook", "list"],
    &["playbook", "show"],
    &["playbook", "check"],
    &["playbook", "new"],
    &["plan"],
    &["plan", "list"],
    &["plan", "show"],
    &["plan", "close"],
    &["plan", "check"],
    &["trace"],
    &["docs"],
    &["catalog"],
    &["catalog", "check"],
    &["catalog", "list"],
    &["catalog", "show"],
    &["config"],
    &["config", "show"],
    &["models"],
    &["models", "trust"],
    &["doctor"],
    &["mcp"],
    &["mcp", "install"],
    &["read"],
    &["completions"],
    &["man"],
    &["dev"],
    &["dev", "mock-server"],
];

fn page() -> String {
    let mut page =
        String::from("# The command line\n\nWhat `--help` says of every command; a test keeps this page true.\n");
    for command in COMMANDS {
        let mut asked = Command::new(env!("CARGO_BIN_EXE_s2s"));
        let help = asked.args(*command).arg("--help").env("COLUMNS", "100").env("NO_COLOR", "1").output().unwrap();
        let name = ["s2s"].iter().chain(*command).copied().collect::<Vec<_>>().join(" ");
        let text = String::from_utf8(help.stdout).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        page.push_str(&format!("\n## {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end()));
    }
    page
}

#[test]
fn the_reference_is_what_help_prints() {
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let kept = std::fs::read_to_string(Path::new(PAGE)).unwrap_or_default();
    assert!(kept == page, "docs/cli.md is out of date: UPDATE_DOCS=1 cargo test -p s2s-cli reference");
}
