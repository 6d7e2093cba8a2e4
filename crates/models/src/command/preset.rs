//! The agent CLIs we know: how each is told to answer one prompt and do nothing else.
//! Is given the user's argv; hands on the full one, with what was added. Every switch here was tried on the real
//! program; docs/agent-clis.md says on which version. Deliberately absent: what they print (see `envelope`).

use std::collections::BTreeMap;
use std::path::Path;

use super::Command;

/// An agent CLI, by the name of its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cli {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Any other command: prompt on stdin, reply on stdout.
    Other,
}

/// A switch: the spellings by which it is recognised, and the arguments that are added where it is missing.
struct Switch {
    /// `--name` also stands for `--name=…`; one that ends in `=` stands for any argument that begins with it.
    spelled: &'static [&'static str],
    args: &'static [&'static str],
}

const fn switch(spelled: &'static [&'static str], args: &'static [&'static str]) -> Switch {
    Switch { spelled, args }
}

const CLAUDE: &[Switch] = &[
    switch(&["-p", "--print"], &["-p"]),
    switch(&["--output-format"], &["--output-format", "stream-json"]),
    switch(&["--model"], &["--model", "{model}"]),
    switch(&["--effort"], &["--effort", "{effort}"]),
    // No tools at all, no MCP servers, no skills, no settings or hooks of anybody's, nothing kept.
    switch(&["--tools"], &["--tools", ""]),
    switch(&["--strict-mcp-config"], &["--strict-mcp-config"]),
    switch(&["--disable-slash-commands"], &["--disable-slash-commands"]),
    switch(&["--setting-sources"], &["--setting-sources", ""]),
    switch(&["--no-session-persistence"], &["--no-session-persistence"]),
    // A session with a name is not given one by a second, paid call.
    switch(&["-n", "--name"], &["--name", "s2s"]),
    switch(
        &["--system-prompt", "--system-prompt-file", "--append-system-prompt", "--append-system-prompt-file"],
        &["--system-prompt-file", "{system_file}"],
    ),
];

/// What `stream-json` needs besides, so that the reply can be heard as it comes.
const CLAUDE_STREAM: &[Switch] =
    &[switch(&["--verbose"], &["--verbose"]), switch(&["--include-partial-messages"], &["--include-partial-messages"])];

const CODEX: &[Switch] = &[
    switch(&["--json"], &["--json"]),
    switch(&["-m", "--model", "model="], &["--model", "{model}"]),
    switch(&["model_reasoning_effort="], &["-c", "model_reasoning_effort=\"{effort}\""]),
    switch(&["--color"], &["--color", "never"]),
    switch(&["--skip-git-repo-check"], &["--skip-git-repo-check"]),
    // Nothing kept, nothing of anybody's settings or rules, no project instructions, no MCP servers.
    switch(&["--ephemeral"], &["--ephemeral"]),
    switch(&["--ignore-user-config", "-p", "--profile"], &["--ignore-user-config"]),
    switch(&["--ignore-rules"], &["--ignore-rules"]),
    switch(&["project_doc_max_bytes="], &["-c", "project_doc_max_bytes=0"]),
    // There is no switch for "no tools": each is switched off by name, and what is left can write nothing.
    switch(&["-s", "--sandbox", "sandbox_mode="], &["--sandbox", "read-only"]),
    switch(&["web_search="], &["-c", "web_search=\"disabled\""]),
    switch(&["agents.enabled="], &["-c", "agents.enabled=false"]),
    switch(&["features.shell_tool="], &["-c", "features.shell_tool=false"]),
    switch(&["features.unified_exec="], &["-c", "features.unified_exec=false"]),
    switch(&["features.code_mode_host="], &["-c", "features.code_mode_host=false"]),
    switch(&["features.multi_agent="], &["-c", "features.multi_agent=false"]),
    switch(&["features.view_image="], &["-c", "features.view_image=false"]),
    switch(&["features.image_generation="], &["-c", "features.image_generation=false"]),
    switch(&["features.browser_use="], &["-c", "features.browser_use=false"]),
    switch(&["features.computer_use="], &["-c", "features.computer_use=false"]),
    switch(&["features.goals="], &["-c", "features.goals=false"]),
    switch(&["features.sleep_tool="], &["-c", "features.sleep_tool=false"]),
    switch(&["features.tool_suggest="], &["-c", "features.tool_suggest=false"]),
    switch(&["features.apps="], &["-c", "features.apps=false"]),
    switch(&["features.plugins="], &["-c", "features.plugins=false"]),
    switch(&["features.hooks="], &["-c", "features.hooks=false"]),
    // What it would tell the model about the machine.
    switch(&["skills.include_instructions="], &["-c", "skills.include_instructions=false"]),
    switch(&["include_permissions_instructions="], &["-c", "include_permissions_instructions=false"]),
    switch(&["include_environment_context="], &["-c", "include_environment_context=false"]),
    switch(&["include_collaboration_mode_instructions="], &["-c", "include_collaboration_mode_instructions=false"]),
    switch(&["model_instructions_file="], &["-c", "model_instructions_file=\"{system_file}\""]),
];

const GEMINI: &[Switch] = &[
    switch(&["-o", "--output-format"], &["--output-format", "stream-json"]),
    switch(&["-m", "--model"], &["--model", "{model}"]),
    // The folder is ours and empty; untrusted folders are refused without a terminal.
    switch(&["--skip-trust"], &["--skip-trust"]),
    switch(&["-e", "--extensions"], &["--extensions", "none"]),
    switch(&["--allowed-mcp-server-names"], &["--allowed-mcp-server-names", "none"]),
    switch(&["--policy", "--admin-policy"], &["--admin-policy", "{policy_file}"]),
];

/// The rule that takes every tool from the Gemini CLI: with it none is even named to the model.
const GEMINI_POLICY: &str = "[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 999\n";
/// The settings of a Gemini CLI that has a key and so needs nothing of the user's home.
const GEMINI_SETTINGS: &str = r#"{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "hooksConfig": {"enabled": false},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false}
}
"#;

impl Cli {
    /// Which CLI this program is.
    pub fn of(program: &str) -> Self {
        match Path::new(program).file_stem().and_then(|stem| stem.to_str()) {
            Some("claude") => Self::Claude,
            Some("codex") => Self::Codex,
            Some("gemini") => Self::Gemini,
            _ => Self::Other,
        }
    }

    /// The user's argv with every switch that it lacks, and those that were added.
    pub fn complete(self, argv: &[String]) -> (Vec<String>, Vec<String>) {
        let (mut full, mut added) = (argv.to_vec(), Vec::new());
        if self == Self::Codex && !full.iter().any(|arg| arg == "exec" || arg == "e") {
            full.insert(1, "exec".to_owned());
            added.push("exec".to_owned());
        }
        let switches = match self {
            Self::Claude => CLAUDE,
            Self::Codex => CODEX,
            Self::Gemini => GEMINI,
            Self::Other => &[],
        };
        add(switches, &mut full, &mut added);
        if self == Self::Claude && value_of(&full, &["--output-format"]).as_deref() == Some("stream-json") {
            add(CLAUDE_STREAM, &mut full, &mut added);
        }
        (full, added)
    }

    /// Variables whose names begin like this belong to the CLI's own login and settings.
    pub fn own_variables(self) -> &'static [&'static str] {
        match self {
            Self::Claude => &["ANTHROPIC_", "CLAUDE_"],
            Self::Codex => &["OPENAI_", "CODEX_"],
            Self::Gemini => &["GEMINI_", "GOOGLE_"],
            Self::Other => &[],
        }
    }

    /// Variables set for every run, over what was there. With a key, Codex and the Gemini CLI get a home of their own:
    /// they have no switch against the user's memory, nor Gemini against hooks and keeping what was said.
    pub fn set_variables(self, given: &BTreeMap<String, String>) -> &'static [(&'static str, &'static str)] {
        match (self, self.has_own_home(given)) {
            // No telemetry, no update in the middle of a roundtable, no retries besides our own.
            (Self::Claude, _) => &[
                ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
                ("DISABLE_AUTOUPDATER", "1"),
                ("CLAUDE_CODE_MAX_RETRIES", "0"),
            ],
            (Self::Codex, true) => &[("CODEX_HOME", "{home}")],
            (Self::Gemini, true) => &[("GEMINI_SYSTEM_MD", "{system_file}"), ("GEMINI_CLI_HOME", "{home}")],
            (Self::Gemini, false) => &[("GEMINI_SYSTEM_MD", "{system_file}")],
            (Self::Codex, false) | (Self::Other, _) => &[],
        }
    }

    fn has_own_home(self, given: &BTreeMap<String, String>) -> bool {
        let has = |name| given.get(name).is_some_and(|value: &String| !value.is_empty());
        match self {
            Self::Codex => has("CODEX_API_KEY") && !has("CODEX_HOME"),
            Self::Gemini => has("GEMINI_API_KEY") && !has("GEMINI_CLI_HOME"),
            Self::Claude | Self::Other => false,
        }
    }

    /// What cannot be switched off, for a person to know.
    pub fn caveat(self, given: &BTreeMap<String, String>) -> Option<&'static str> {
        match (self, self.has_own_home(given)) {
            (Self::Codex, false) => {
                Some("without CODEX_API_KEY Codex uses your own ~/.codex: its AGENTS.md is sent with every call")
            }
            (Self::Gemini, false) => Some(
                "without GEMINI_API_KEY the Gemini CLI uses your own ~/.gemini: its hooks run, its GEMINI.md is sent \
                 with every call, and it keeps a record of each there",
            ),
            _ => None,
        }
    }

    /// Files that the arguments and variables point to, by their paths under the folder of a call.
    pub fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Codex => &[("home/config.toml", "")],
            Self::Gemini => &[("policy.toml", GEMINI_POLICY), ("home/.gemini/settings.json", GEMINI_SETTINGS)],
            Self::Claude | Self::Other => &[],
        }
    }

    /// What a person does when the CLI has no login.
    pub fn log_in(self) -> &'static str {
        match self {
            Self::Claude => "run `claude` once and log in, or set ANTHROPIC_API_KEY",
            Self::Codex => "run `codex login`, or set CODEX_API_KEY",
            Self::Gemini => "run `gemini` once and log in, or set GEMINI_API_KEY",
            Self::Other => "log in with the command's own means; name the variables it needs in `env:`",
        }
    }
}

impl Command {
    /// How the names of variables begin that a program of this name gets unasked, because they belong to its own
    /// login and settings. It is the name that counts: any program called `claude` gets what Claude Code gets.
    pub fn variables_unasked(program: &str) -> &'static [&'static str] {
        Cli::of(program).own_variables()
    }
}

fn add(switches: &[Switch], full: &mut Vec<String>, added: &mut Vec<String>) {
    for switch in switches {
        if has(full, switch.spelled) {
            continue;
        }
        let args = switch.args.iter().map(|arg| (*arg).to_owned());
        full.extend(args.clone());
        added.extend(args);
    }
}

fn has(argv: &[String], spelled: &[&str]) -> bool {
    argv.iter().skip(1).any(|arg| {
        spelled.iter().any(|name| match name.ends_with('=') {
            true => arg.starts_with(name),
            false => arg.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')),
        })
    })
}

/// The value given to an option, as the argument after it or after its `=`.
pub(super) fn value_of(argv: &[String], spelled: &[&str]) -> Option<String> {
    let mut rest = argv.iter().skip(1);
    while let Some(arg) = rest.next() {
        for name in spelled {
            match arg.strip_prefix(name) {
                Some("") => return rest.next().cloned(),
                Some(value) if value.starts_with('=') => return Some(value[1..].to_owned()),
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn what_the_user_wrote_stands_and_what_is_missing_is_added() {
        let given = argv("/opt/bin/claude -p --output-format json --model=opus");
        let (full, added) = Cli::of(&given[0]).complete(&given);
        assert_eq!(full[..given.len()], given);
        assert_eq!(full[given.len()..], added);
        assert!(added.windows(2).any(|pair| pair == ["--tools", ""]));
        for there in ["-p", "--output-format", "--model", "--verbose"] {
            assert!(!added.iter().any(|arg| arg == there), "{there} was added");
        }
    }

    #[test]
    fn a_complete_argv_is_left_alone() {
        for program in ["claude", "codex", "gemini"] {
            let (full, _) = Cli::of(program).complete(&argv(program));
            assert_eq!(Cli::of(program).complete(&full), (full.clone(), vec![]), "{program}");
        }
    }

    #[test]
    fn codex_gets_its_subcommand_first() {
        let (full, _) = Cli::Codex.complete(&argv("codex --model gpt-x"));
        assert_eq!(full[..4], argv("codex exec --model gpt-x"));
    }

    #[test]
    fn other_commands_get_nothing() {
        let given = argv("llm -m small");
        assert_eq!(Cli::of("llm").complete(&given), (given, vec![]));
    }
}
