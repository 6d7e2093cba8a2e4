//! What stands at the start of each line, and what a terminal leaves around an answer.

use super::{EITHER, Kind, LINES, RICH, kept, kind};
use crate::styles::{clean_yaml, either, json};

/// Each line with something before it.
pub(crate) fn each_line(text: &str, mut write: impl FnMut(usize, &str) -> String) -> String {
    text.trim_end().lines().enumerate().map(|(at, line)| write(at + 1, line)).collect::<Vec<_>>().join("\n")
}

pub(crate) const KINDS: &[Kind] = &[
    kind("line_numbers", "gutter", "a line number and a bar before each line", EITHER, RICH, |v, r| {
        let text = either(v, r);
        match r.below(3) {
            0 => kept(v, each_line(&text, |at, line| format!("{at:>3} | {line}"))),
            1 => kept(v, each_line(&text, |at, line| format!("{at:>4}\t{line}"))),
            _ => kept(v, each_line(&text, |at, line| format!("{at:>2}: {line}"))),
        }
    }),
    kind("diff_plus", "gutter", "a plus before each line, as in a diff", EITHER, RICH, |v, r| {
        kept(v, each_line(&either(v, r), |_, line| format!("+{line}")))
    }),
    kind("blockquote", "gutter", "a quote mark before each line", EITHER, RICH, |v, r| {
        let mark = r.pick(&["> ", ">", "| "]);
        kept(v, each_line(&either(v, r), |_, line| format!("{mark}{line}")))
    }),
    kind("indented_whole", "gutter", "the whole answer stands four spaces to the right", EITHER, RICH, |v, r| {
        let pad = r.pick(&["    ", "  ", "\t"]);
        let text = if pad == "\t" { json(v) } else { either(v, r) };
        kept(v, each_line(&text, |_, line| format!("{pad}{line}")))
    }),
    kind("log_lines_around", "terminal", "log lines and spinners around JSON", EITHER, LINES, |v, r| {
        let before = r.pick(&[
            "[2026-02-11T08:00:01Z] INFO calling model=large\n⠋ Working…\n⠙ Working…",
            "2026/02/11 08:00:01 [info] request 77 started\n2026/02/11 08:00:09 [info] 200 OK",
            "> analysing 12 files\n> thinking (8s)",
            "WARN retry 1/3 after 529",
        ]);
        let after = r.pick(&["[2026-02-11T08:00:09Z] INFO done cost=$0.03", "Total tokens: 2211", "real\t0m8.1s"]);
        kept(v, format!("{before}\n{}\n{after}\n", json(v)))
    }),
    kind("ansi_codes", "terminal", "colours of a terminal", EITHER, RICH, |v, r| {
        let colour = r.pick(&["\u{1b}[36m", "\u{1b}[1;32m", "\u{1b}[38;5;208m"]);
        let text = each_line(&either(v, r), |_, line| format!("{colour}{line}\u{1b}[0m"));
        kept(v, format!("\u{1b}[2K\u{1b}[1G{text}"))
    }),
    kind("ansi_keys_only", "terminal", "only the keys in bold, as a pretty printer does", EITHER, RICH, |v, _| {
        let text = each_line(&clean_yaml(v), |_, line| match line.split_once(": ") {
            Some((key, rest))
                if key.trim_start_matches(['-', ' ']).chars().all(|c| c.is_ascii_lowercase() || c == '_') =>
            {
                format!("\u{1b}[1m{key}\u{1b}[22m: {rest}")
            }
            _ => line.to_owned(),
        });
        kept(v, text)
    }),
    kind("shell_echo", "terminal", "the command that was run stands above", EITHER, LINES, |v, r| {
        let line = r.pick(&[
            "$ claude -p --output-format text < prompt.md",
            "PS C:\\> codex exec -",
            "user@host:~$ llm -m big < p",
        ]);
        kept(v, format!("{line}\n{}", json(v)))
    }),
];
