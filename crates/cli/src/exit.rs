//! How a run of the program ends: an exit code, and what is said on standard error.
//! Given a failure; hands on its code after saying what happened and what to do next, as text or as one
//! JSON object. Deliberately absent: the table of codes, which is `s2s::FailureKind`.

use std::io::Write;
use std::process::ExitCode;

use s2s::clean::clean_text;
use s2s::{Failure, FailureKind};

use crate::meant;
use crate::screen::told;

/// Says a failure and gives its exit code.
pub fn report(failure: &Failure, json: bool) -> ExitCode {
    let text = if json { as_json(failure) } else { as_text(failure, columns()) };
    // Nobody is left to tell if standard error is gone too.
    let _ = anstream::stderr().write_all(text.as_bytes());
    ExitCode::from(failure.kind.exit_code())
}

fn as_text(failure: &Failure, columns: Option<usize>) -> String {
    let label = match failure.kind {
        FailureKind::Failed | FailureKind::BadInput => "error",
        FailureKind::NeedsPerson | FailureKind::NoAnswer => "paused",
        FailureKind::Budget => "budget",
        FailureKind::Interrupted => "stopped",
    };
    let bold = anstyle::Style::new().bold();
    let tone = anstyle::AnsiColor::Red.on_default().bold();
    let mut text = String::new();
    for (at, problem) in failure.problems.iter().enumerate() {
        let told = told(problem, failure.problems.get(at + 1), &format!("{label}: "), columns);
        text.push_str(&format!("{tone}{label}{tone:#}{}", told.strip_prefix(label).unwrap_or(&told)));
    }
    if failure.problems.is_empty() {
        let what = format!("{label}: {}", clean_text(&failure.what));
        let what = match columns {
            // Commands in `next` stay whole: a line that was broken cannot be copied.
            Some(columns) => textwrap::fill(&what, textwrap::Options::new(columns).break_words(false)),
            None => what,
        };
        text.push_str(&format!("{tone}{label}{tone:#}{}\n", what.strip_prefix(label).unwrap_or(&what)));
    }
    if let Some(next) = &failure.next {
        text.push_str(&format!("  {bold}next{bold:#}: {}\n", clean_text(next)));
    }
    text
}

/// The columns of standard error, where it is a terminal.
fn columns() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stderr())
        .map(|(width, _)| usize::from(width.0))
        .filter(|width| *width >= 20)
}

fn as_json(failure: &Failure) -> String {
    let mut error = serde_json::json!({
        "error": { "kind": failure.kind.as_str(), "what": failure.what, "next": failure.next }
    });
    if !failure.problems.is_empty() {
        error["error"]["problems"] = serde_json::json!(failure.problems);
    }
    format!("{error}\n")
}

/// What clap refused, in our own shape when a program reads along.
pub fn usage(mut error: clap::Error, json: bool) -> ExitCode {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    meant::tell(&mut error, &words);
    if !json || !error.use_stderr() {
        // Help and version are no errors; clap knows which stream they belong on.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { FailureKind::BadInput.exit_code() } else { 0 });
    }
    let rendered = error.render().to_string();
    let mut parts = rendered.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
    let what = parts.next().unwrap_or("bad usage").trim_start_matches("error: ");
    let tips = parts.flat_map(str::lines).filter_map(|line| line.trim().strip_prefix("tip: "));
    let tips: String = tips.map(|tip| format!("{tip}; ")).collect();
    report(&Failure::bad_input(what).next(format!("{tips}run the command with --help to see what it takes")), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_one_object_on_one_line() {
        let failure = Failure::bad_input("two\nlines \"quoted\"").next("mend it");
        let text = as_json(&failure);
        assert_eq!(text.lines().count(), 1);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["error"]["kind"], "bad_input");
        assert_eq!(value["error"]["what"], "two\nlines \"quoted\"");
        assert_eq!(value["error"]["next"], "mend it");
    }

    #[test]
    fn a_pause_is_not_called_an_error_and_escapes_are_taken_out() {
        let failure = Failure { kind: FailureKind::NeedsPerson, ..Failure::failed("X1 \u{1b}[2Jwaits") };
        let plain = anstream::adapter::strip_str(&as_text(&failure, None)).to_string();
        assert_eq!(plain, "paused: X1 waits\n");
    }
}
