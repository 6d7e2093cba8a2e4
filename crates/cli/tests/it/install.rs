//! `s2s mcp install`: what is printed, what is written, and what is never touched.

use super::harness::Folder;

#[test]
fn the_entry_is_printed_for_every_host_and_nothing_is_written() {
    let folder = Folder::project();
    let entries = [
        ("claude", "\"mcpServers\"", ".mcp.json"),
        ("cursor", "\"mcpServers\"", ".cursor/mcp.json"),
        ("vscode", "\"servers\"", ".vscode/mcp.json"),
        ("codex", "[mcp_servers.s2s]", ".codex/config.toml"),
        ("zed", "\"context_servers\"", ".zed/settings.json"),
        ("goose", "extensions:", "goose/config.yaml"),
    ];
    for (client, section, file) in entries {
        let told = folder.run(&["mcp", "install", "--client", client]).ok().says(&[file, "--write"]);
        assert!(told.out.contains(section) && told.out.contains("\"mcp\""), "{client}: {}", told.out);
        let json = folder.run(&["mcp", "install", "--client", client, "--json"]).ok().json();
        assert_eq!((&json["written"], json["entry"].as_str().unwrap()), (&false.into(), told.out.as_str()));
    }
    for file in [".mcp.json", ".cursor", ".vscode", ".codex", ".zed"] {
        assert!(!folder.path().join(file).exists(), "{file}");
    }
}

#[test]
fn it_is_written_once_beside_what_is_there() {
    let folder = Folder::project();
    folder.write(".vscode/mcp.json", "{\n  // ours\n  \"servers\": { \"other\": { \"command\": \"x\" } }\n}\n");
    folder.run(&["mcp", "install", "--client", "vscode", "--write"]).is(2).says(&["nobody could be asked", "--yes"]);
    folder.run(&["mcp", "install", "--client", "vscode", "--write", "--yes"]).ok().shows(&["written"]);
    let text = folder.read(".vscode/mcp.json");
    assert!(text.contains("// ours") && text.contains("\"other\"") && text.contains("\"s2s\""), "{text}");
    folder.run(&["mcp", "install", "--client", "vscode", "--write", "--yes"]).ok().shows(&["already"]);
    assert_eq!(folder.read(".vscode/mcp.json"), text);
}

#[test]
fn another_entry_of_the_name_and_a_broken_file_are_left_alone() {
    let folder = Folder::project();
    let mine = "{\"mcpServers\": {\"s2s\": {\"command\": \"mine\"}}}";
    for (text, says) in [(mine, "another entry named s2s"), ("{ broken", "was left alone")] {
        folder.write(".mcp.json", text);
        let refused = folder.run(&["mcp", "install", "--client", "claude", "--write", "--yes"]).is(2);
        refused.says(&[says, "\"command\": \"s2s\""]);
        assert_eq!(folder.read(".mcp.json"), text);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_settings_file_stays_a_link() {
    let folder = Folder::project();
    folder.write("dotfiles/mcp.json", "{}\n");
    std::os::unix::fs::symlink("dotfiles/mcp.json", folder.path().join(".mcp.json")).unwrap();
    folder.run(&["mcp", "install", "--client", "claude", "--write", "--yes"]).ok();
    assert!(folder.path().join(".mcp.json").is_symlink());
    assert!(folder.read("dotfiles/mcp.json").contains("\"s2s\""));
}
