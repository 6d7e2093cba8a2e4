//! How a run can end: every way a command fails, and that nothing of it is left.

use std::time::{Duration, Instant};

use futures_util::FutureExt;
use s2s_models::{FaultKind, Provider};

use crate::command_fixture::{Bench, answer, ask, comes_true, exists, hasty, runs};

#[tokio::test]
async fn a_missing_program_is_final_and_says_what_to_do() {
    let bench = Bench::new();
    let fault = answer(&bench.provider(&["no-such-program"]), &ask("x")).await.expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Command);
    assert!(!fault.kind.can_pass());
    assert_eq!(fault.what, "`no-such-program` of the provider `test` cannot be run: it is not on the PATH");
    assert_eq!(fault.next.as_deref(), Some("install it or change `command:`"));
}

#[tokio::test]
async fn a_text_before_a_failure_is_no_reply() {
    let fault = Bench::new().fault("echo fine; echo broken >&2; exit 3", FaultKind::Command).await;
    assert_eq!(fault.what, "`speaker` failed with exit code 3: broken");
}

#[tokio::test]
async fn a_command_killed_by_another_says_the_signal() {
    let fault = Bench::new().fault("kill -9 $$", FaultKind::Command).await;
    assert_eq!(fault.what, "`speaker` was killed by signal 9");
}

#[tokio::test]
async fn nothing_printed_is_an_empty_reply() {
    let fault = Bench::new().fault("exit 0", FaultKind::Empty).await;
    assert_eq!(fault.what, "`speaker` ended well but printed nothing");
    Bench::new().fault("echo; echo ' '", FaultKind::Empty).await;
}

#[tokio::test]
async fn a_command_that_waits_for_more_input_gets_its_end() {
    let reply = Bench::new().say("while read -r line; do :; done; echo \"last: $line\"").await;
    assert_eq!(reply.expect("a reply").text, "last: Hello?\n");
}

#[tokio::test]
async fn a_command_that_hangs_is_ended_at_the_deadline() {
    let bench = Bench::new();
    bench.program("speaker", &format!("echo $$ > {}; exec sleep 600", bench.path("pid").display()));
    let fault = answer(&bench.provider(&["speaker"]), &hasty(2_000, 60_000)).await.expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert_eq!(fault.what, "`speaker` gave no whole reply in 2 s and was ended");
    comes_true("the child is reaped", || !exists(bench.pid("pid"))).await;
    assert!(bench.is_clean());
}

#[tokio::test]
async fn a_command_that_falls_silent_half_way_is_ended() {
    let bench = Bench::new();
    bench.program("speaker", "echo 'The answer is'; exec sleep 600");
    let fault = answer(&bench.provider(&["speaker"]), &hasty(60_000, 200)).await.expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Idle);
}

#[tokio::test]
async fn a_command_that_thinks_before_it_speaks_is_not_silent() {
    let bench = Bench::new();
    bench.program("speaker", "sleep 0.5; echo here");
    let reply = answer(&bench.provider(&["speaker"]), &hasty(60_000, 100)).await;
    assert_eq!(reply.expect("a reply").text, "here\n");
}

#[tokio::test]
async fn a_command_that_ignores_sigterm_is_killed_with_its_children() {
    let bench = Bench::new();
    let (pid, child) = (bench.path("pid"), bench.path("child"));
    let script = format!(
        "trap '' TERM; echo $$ > {}; sleep 600 & echo $! > {}; while :; do wait; done",
        pid.display(),
        child.display()
    );
    bench.program("speaker", &script);
    let started = Instant::now();
    let fault = answer(&bench.provider(&["speaker"]), &hasty(2_000, 60_000)).await.expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert!(started.elapsed() >= Duration::from_secs(4), "it got no grace");
    comes_true("both are dead", || !runs(bench.pid("pid")) && !runs(bench.pid("child"))).await;
}

#[tokio::test]
async fn sigterm_lets_a_command_tidy_up() {
    let bench = Bench::new();
    let (ready, tidied) = (bench.path("ready"), bench.path("tidied"));
    let script =
        format!("trap 'echo x > {}; exit 0' TERM; echo x > {}; sleep 600 & wait", tidied.display(), ready.display());
    bench.program("speaker", &script);
    let fault = answer(&bench.provider(&["speaker"]), &hasty(2_000, 60_000)).await.expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert!(ready.exists() && tidied.exists());
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipe_does_not_hold_us() {
    let bench = Bench::new();
    let started = Instant::now();
    let script = format!("echo reply; sleep 600 & echo $! > {}", bench.path("pid").display());
    assert_eq!(bench.say(&script).await.expect("a reply").text, "reply\n");
    assert!(started.elapsed() < Duration::from_secs(30));
    comes_true("the grandchild is dead", || !runs(bench.pid("pid"))).await;
}

#[tokio::test]
async fn a_flood_on_stderr_is_drained_and_its_end_kept() {
    let bench = Bench::new();
    let reply = bench.say("yes warning | head -c 20000000 >&2; echo reply").await;
    assert_eq!(reply.expect("a reply").text, "reply\n");
    let fault = bench.fault("yes warning | head -c 20000000 >&2; echo the cause >&2; exit 1", FaultKind::Command).await;
    assert!(fault.what.ends_with("warning / the cause"), "{fault}");
    assert!(fault.what.len() < 400, "{fault}");
    // The tape gets all that was kept.
    assert!(fault.details.is_some_and(|details| details.len() > 4_000 && details.ends_with("the cause")));
    let fault = bench.fault("echo first >&2; echo second >&2; exit 1", FaultKind::Command).await;
    assert!(fault.what.ends_with(": first / second") && fault.details.is_none(), "{fault:?}");
}

#[tokio::test]
async fn a_gigabyte_is_cut_short() {
    let bench = Bench::new();
    let script = format!("echo $$ > {}; yes | head -c 1000000000", bench.path("pid").display());
    let fault = bench.fault(&script, FaultKind::Oversize).await;
    assert!(!fault.kind.can_pass());
    comes_true("the child is reaped", || !exists(bench.pid("pid"))).await;
}

#[tokio::test]
async fn output_without_end_stops_at_the_deadline() {
    let bench = Bench::new();
    bench.program("speaker", "exec yes >&2");
    let fault = answer(&bench.provider(&["speaker"]), &hasty(300, 60_000)).await.expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Timeout);
}

#[tokio::test]
async fn invalid_utf8_is_not_repaired() {
    let fault = Bench::new().fault("printf 'caf\\351 au lait'", FaultKind::Malformed).await;
    assert_eq!(fault.what, "`speaker`: its output is not UTF-8");
}

#[tokio::test]
async fn giving_up_leaves_no_process_and_no_folder() {
    let bench = Bench::new();
    let (pid, child) = (bench.path("pid"), bench.path("child"));
    let script = format!(
        "trap '' TERM HUP; sleep 600 & echo $! > {}; echo $$ > {}; while :; do wait; done",
        child.display(),
        pid.display()
    );
    bench.program("speaker", &script);
    let provider = bench.provider(&["speaker"]);
    let asked = ask("x");
    let mut call = provider.ask(&asked, &|_| {});
    let written = || std::fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n'));
    comes_true("the command has started", || (&mut call).now_or_never().is_none() && written()).await;
    drop(call);
    assert!(bench.is_clean(), "the folder of the call is left");
    comes_true("the child is reaped", || !exists(bench.pid("pid"))).await;
    comes_true("the grandchild is dead", || !runs(bench.pid("child"))).await;
}

#[test]
fn a_runtime_that_ends_takes_its_calls_with_it() {
    let bench = Bench::new();
    let pid = bench.path("pid");
    bench.program("speaker", &format!("trap '' TERM; echo $$ > {}; while :; do sleep 600; done", pid.display()));
    let provider = bench.provider(&["speaker"]);
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let first = runtime();
    let call = first.spawn(async move { provider.ask(&ask("x"), &|_| {}).await });
    let written = || std::fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n'));
    first.block_on(comes_true("the command has started", written));
    drop(first);
    runtime().block_on(comes_true("the child is reaped", || !exists(bench.pid("pid"))));
    drop(call);
    assert!(bench.is_clean());
}

#[tokio::test]
async fn nothing_is_started_before_the_call_is_polled() {
    let bench = Bench::new();
    bench.program("speaker", &format!("echo x > {}", bench.path("started").display()));
    let provider = bench.provider(&["speaker"]);
    let asked = ask("x");
    drop(provider.ask(&asked, &|_| {}));
    assert!(!bench.path("started").exists() && bench.is_clean());
}

#[tokio::test]
async fn secrets_do_not_reach_a_fault() {
    let mut bench = Bench::new();
    bench.variables.insert("OPENAI_API_KEY".to_owned(), "sk-made-up-123".to_owned());
    bench.program("codex", "echo \"bad key: $OPENAI_API_KEY\" >&2; exit 1");
    let fault = answer(&bench.provider(&["codex"]), &ask("x")).await.expect_err("a fault");
    assert_eq!(fault.what, "`codex` failed with exit code 1: bad key: [removed]");
}

#[tokio::test]
async fn no_part_of_a_secret_is_left_by_a_cut() {
    let mut bench = Bench::new();
    bench.variables.insert("OPENAI_API_KEY".to_owned(), "sk-made-up-123".to_owned());
    // Wherever the kept end begins, a key stands there.
    bench.program("codex", "yes \"$OPENAI_API_KEY\" | head -c 1000005 >&2; echo >&2; exit 1");
    let fault = answer(&bench.provider(&["codex"]), &ask("x")).await.expect_err("a fault");
    let words = fault.what.split_once("exit code 1: ").map_or("", |(_, words)| words);
    let (cut, whole) = words.split_once('/').expect("several lines");
    assert!("…[removed] ".ends_with(cut.trim_start_matches('…')), "{cut}");
    assert!(!whole.contains("made-up"), "{whole}");
}

#[tokio::test]
async fn a_cli_too_old_for_a_switch_is_to_be_updated() {
    let bench = Bench::new();
    bench.program("claude", "echo \"error: unknown option '--no-session-persistence'\" >&2; exit 1");
    let fault = answer(&bench.provider(&["claude"]), &ask("x")).await.expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Command);
    assert!(fault.next.is_some_and(|next| next.starts_with("update `claude`")));
}

#[tokio::test]
async fn control_characters_do_not_reach_a_fault() {
    let fault = Bench::new().fault("printf '\\033[31mred\\007\\nend' >&2; exit 1", FaultKind::Command).await;
    assert_eq!(fault.what, "`speaker` failed with exit code 1: [31mred / end");
}
