//! How a command is run: arguments, prompt, variables, folder, switches.

use std::sync::Arc;

use s2s_models::{Ask, Command, CommandProvider, Effort, FaultKind, Prompt};

use crate::command_fixture::{Bench, answer, ask, overheard};

#[tokio::test]
async fn arguments_arrive_exactly_as_they_are() {
    let bench = Bench::new();
    bench.program("show", "for arg in \"$@\"; do printf '[%s]' \"$arg\"; done");
    let odd = ["a b", "", "it's", "\"x\"", "$HOME", "`id`", "*", "a\nb", "\\", "--flag=ü"];
    let argv: Vec<&str> = std::iter::once("show").chain(odd).collect();
    let reply = answer(&bench.provider(&argv), &ask("x")).await.expect("a reply");
    assert_eq!(reply.text, odd.map(|arg| format!("[{arg}]")).concat());
}

#[tokio::test]
async fn model_and_effort_are_filled_in_or_left_out() {
    let bench = Bench::new();
    bench.program("show", "echo \"$@\"");
    let provider = bench.provider(&["show", "-m", "{model}", "--effort={effort}", "end"]);
    assert_eq!(answer(&provider, &ask("x")).await.expect("a reply").text, "end\n");
    let ask = Ask { model: "big one".to_owned(), effort: Some(Effort::High), ..ask("x") };
    assert_eq!(answer(&provider, &ask).await.expect("a reply").text, "-m big one --effort=high end\n");
}

#[tokio::test]
async fn the_prompt_comes_on_stdin_system_part_first() {
    let bench = Bench::new();
    let reply = bench.say("cat").await.expect("a reply");
    assert_eq!(reply.text, "Rules.\n\n---\n\nHello?");
}

#[tokio::test]
async fn the_system_part_can_go_its_own_way() {
    let bench = Bench::new();
    bench.program("show", "cat \"$1\"; printf ' then '; cat");
    let reply = answer(&bench.provider(&["show", "{system_file}"]), &ask("Hi")).await.expect("a reply");
    assert_eq!(reply.text, "Rules. then Hi");
    bench.program("show", "printf '%s then ' \"$1\"; cat");
    let reply = answer(&bench.provider(&["show", "{system}"]), &ask("Hi")).await.expect("a reply");
    assert_eq!(reply.text, "Rules. then Hi");
}

#[tokio::test]
async fn a_prompt_of_a_megabyte_passes_while_the_reply_comes() {
    let bench = Bench::new();
    bench.program("echo-back", "cat");
    let user = "0123456789abcdef".repeat(64 * 1024);
    let ask = Ask { prompt: Arc::new(Prompt { system: "".into(), user: user.clone() }), ..ask("") };
    let (reply, heard) = overheard(&bench.provider(&["echo-back"]), &ask).await;
    assert!(reply.expect("a reply").text == user, "the prompt came back changed");
    assert!(heard == user, "what was heard is not what came");
}

#[tokio::test]
async fn a_command_that_does_not_read_its_prompt_may_still_answer() {
    let bench = Bench::new();
    bench.program("deaf", "exec 0<&-; echo done");
    let ask = ask(&"x".repeat(1024 * 1024));
    assert_eq!(answer(&bench.provider(&["deaf"]), &ask).await.expect("a reply").text, "done\n");
}

#[tokio::test]
async fn only_a_few_variables_are_passed() {
    let mut bench = Bench::new();
    for (name, value) in [("AWS_SECRET_ACCESS_KEY", "no"), ("OPENAI_API_KEY", "no"), ("LC_X", "yes"), ("MINE", "yes")] {
        bench.variables.insert(name.to_owned(), value.to_owned());
    }
    bench.program("show", "env | cut -d= -f1 | grep -v -e '^_$' -e PWD -e SHLVL -e OLDPWD | sort | tr '\\n' ' '");
    let command = Command {
        argv: vec!["show".to_owned()],
        pass: vec!["MINE".to_owned(), "NOT_SET".to_owned()],
        env: vec![("SET".to_owned(), "x".to_owned())],
        cwd: None,
    };
    let provider = CommandProvider::new("test", command, &bench.variables).expect("a provider");
    assert_eq!(answer(&provider, &ask("x")).await.expect("a reply").text, "LC_X MINE PATH SET TMPDIR ");
    assert_eq!(provider.notes(), ["`NOT_SET`, named in `env:`, is not set"]);
}

#[tokio::test]
async fn it_works_in_an_empty_folder_that_is_gone_afterwards() {
    let bench = Bench::new();
    let reply = bench.say("ls -A | wc -l; touch left-behind; pwd").await.expect("a reply");
    assert_eq!(reply.text.lines().next().map(str::trim), Some("0"));
    assert!(reply.text.contains("/tmp/s2s-"), "{}", reply.text);
    assert!(bench.is_clean());
}

#[tokio::test]
async fn claude_gets_the_switches_it_lacks_and_says_so() {
    let bench = Bench::new();
    let script = r#"file=; for arg in "$@"; do [ "$last" = --system-prompt-file ] && file=$arg; last=$arg; done
printf '{"type":"result","subtype":"success","is_error":false,"result":"%s|%s|%s"}' "$*" "$(cat $file)" "$(cat)""#;
    bench.program("claude", script);
    let provider = bench.provider(&["claude", "-p", "--output-format", "json"]);
    let ask = Ask { model: "opus".to_owned(), ..ask("Hi") };
    let text = answer(&provider, &ask).await.expect("a reply").text;
    assert!(text.starts_with("-p --output-format json --model opus --tools  --strict-mcp-config"), "{text}");
    assert!(text.ends_with("/system.md|Rules.|Hi"), "{text}");
    assert!(provider.notes()[0].starts_with("`claude` also gets: --model {model} --effort {effort} --tools ''"));
    assert!(provider.argv().iter().any(|arg| arg == "--no-session-persistence"));
}

#[tokio::test]
async fn gemini_gets_a_policy_against_all_tools() {
    let bench = Bench::new();
    let script = r#"file=; for arg in "$@"; do [ "$last" = --admin-policy ] && file=$arg; last=$arg; done
grep -q 'decision = "deny"' "$file" || exit 1
printf '{"type":"message","role":"assistant","content":"%s"}\n' "$(cat $GEMINI_SYSTEM_MD)"
echo '{"type":"result","status":"success"}'"#;
    bench.program("gemini", script);
    let provider = bench.provider(&["gemini"]);
    assert_eq!(answer(&provider, &ask("Hi")).await.expect("a reply").text, "Rules.");
    assert!(provider.notes()[1].starts_with("without GEMINI_API_KEY the Gemini CLI uses your own ~/.gemini"));
}

#[tokio::test]
async fn gemini_with_a_key_gets_a_home_of_its_own() {
    let mut bench = Bench::new();
    bench.variables.insert("GEMINI_API_KEY".to_owned(), "made-up-key".to_owned());
    let script = "grep -q gemini-api-key \"$GEMINI_CLI_HOME/.gemini/settings.json\" || exit 1; echo here";
    bench.program("gemini", script);
    let provider = bench.provider(&["gemini", "-o", "text"]);
    assert_eq!(answer(&provider, &ask("Hi")).await.expect("a reply").text, "here\n");
    assert_eq!(provider.notes().len(), 1);
    assert!(bench.is_clean());
}

#[tokio::test]
async fn codex_with_a_key_gets_a_home_of_its_own() {
    let mut bench = Bench::new();
    let script = r#"echo '{"type":"item.completed","item":{"type":"agent_message","text":"'${CODEX_HOME:-yours}'"}}'
echo '{"type":"turn.completed"}'"#;
    bench.program("codex", script);
    let provider = bench.provider(&["codex"]);
    assert_eq!(answer(&provider, &ask("Hi")).await.expect("a reply").text, "yours");
    assert!(provider.notes()[1].starts_with("without CODEX_API_KEY Codex uses your own ~/.codex"));
    bench.variables.insert("CODEX_API_KEY".to_owned(), "made-up-key".to_owned());
    let text = answer(&bench.provider(&["codex"]), &ask("Hi")).await.expect("a reply").text;
    assert!(text.starts_with(&bench.path("tmp/s2s-").display().to_string()), "{text}");
}

#[test]
fn a_program_is_looked_for_where_the_variables_say() {
    let bench = Bench::new();
    bench.program("speaker", "");
    assert_eq!(bench.provider(&["speaker"]).found(), Ok(bench.path("bin/speaker")));
    let full = bench.path("bin/speaker").display().to_string();
    assert_eq!(bench.provider(&[&full]).found(), Ok(bench.path("bin/speaker")));
    std::fs::write(bench.path("bin/data"), "no program").expect("a file");
    for absent in ["no-such-program", "data", "/no/such/program"] {
        let fault = bench.provider(&[absent]).found().expect_err("a fault");
        assert_eq!(fault.kind, FaultKind::Command);
        assert!(fault.what.contains(absent), "{fault}");
        assert_eq!(fault.next.as_deref(), Some("install it or change `command:`"));
    }
}

#[test]
fn an_empty_command_is_refused() {
    let fault = CommandProvider::new("mine", Command::default(), &Bench::new().variables).err().expect("a fault");
    assert_eq!(fault.what, "the provider `mine` has no command");
}
