//! What a run comes to: a whole reply, or a fault that says what happened and what to do.
//! Is given what was said, how the run ended and what stood on stderr; hands on the reply or the fault. Deliberately
//! absent: tries again, which are the caller's.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use super::envelope::{Complaint, NOT_UTF8, Said, complaint_at_the_end};
use super::environment::Environment;
use super::preset::Cli;
use super::sort::sort;
use crate::ask::seconds;
use crate::{Fault, FaultKind, Patience, Reply};

/// The most characters of a program's own words in a fault: a few lines of a terminal.
const MOST_WORDS: usize = 240;

/// One run, over.
pub(super) struct Over<'a> {
    pub program: &'a str,
    pub cli: Cli,
    pub said: Said,
    /// What was wrong with the output.
    pub flaw: Option<&'static str>,
    /// Nothing was printed at all.
    pub silent: bool,
    pub stderr: &'a str,
    /// Knows the secrets that must not be repeated.
    pub environment: &'a Environment,
}

impl Over<'_> {
    /// After the command has exited by itself. A whole reply counts whatever the exit code: it was paid for.
    pub fn exited(self, status: ExitStatus) -> Result<Reply, Fault> {
        let program = self.program;
        if self.flaw == Some(NOT_UTF8) {
            return Err(self.fault(FaultKind::Malformed, format!("`{program}`: {NOT_UTF8}")).next(SHOW_WHAT_IT_PRINTS));
        }
        if let Some(complaint) = self.said.complaint.clone() {
            return Err(self.complained(&complaint));
        }
        if let Some(stop) = self.said.stop {
            if self.said.text.trim().is_empty() {
                let how = if self.silent { "ended well but printed nothing" } else { "gave an empty reply" };
                return Err(self.fault(FaultKind::Empty, format!("`{program}` {how}")));
            }
            let Said { text, usage, request_id, .. } = self.said;
            return Ok(Reply { text, stop, usage, request_id, by: None, tries: Vec::new() });
        }
        if !status.success() {
            return Err(self.failed(status));
        }
        if let Some(flaw) = self.flaw {
            return Err(self.fault(FaultKind::Malformed, format!("`{program}`: {flaw}")).next(SHOW_WHAT_IT_PRINTS));
        }
        if self.silent {
            return Err(self.fault(FaultKind::Empty, format!("`{program}` ended well but printed nothing")));
        }
        let what = format!("`{program}` ended before the end mark of its reply{}", self.last_words());
        Err(self.fault(FaultKind::Cut, what))
    }

    /// After it was killed because it took too long.
    pub fn timed_out(self, patience: Patience) -> Fault {
        let (program, words) = (self.program, self.last_words());
        let time = seconds(patience.deadline);
        let what = format!("`{program}` gave no whole reply in {time} and was ended{words}");
        self.fault(FaultKind::Timeout, what)
    }

    /// After it was killed because it fell silent.
    pub fn fell_silent(self, patience: Patience) -> Fault {
        let (program, words) = (self.program, self.last_words());
        let what = format!("`{program}` said nothing for {} and was ended{words}", seconds(patience.idle));
        self.fault(FaultKind::Idle, what)
    }

    /// After it was killed because it wrote too much.
    pub fn too_much(self) -> Fault {
        let what = format!("`{}` printed more than we take (4 MiB) and was ended", self.program);
        self.fault(FaultKind::Oversize, what).next(SHOW_WHAT_IT_PRINTS)
    }

    fn failed(self, status: ExitStatus) -> Fault {
        if let Some(complaint) = complaint_at_the_end(self.stderr) {
            return self.complained(&complaint);
        }
        let ending = match (status.code(), status.signal()) {
            (Some(code), _) => format!("failed with exit code {code}"),
            (None, Some(signal)) => format!("was killed by signal {signal}"),
            (None, None) => "failed".to_owned(),
        };
        let kind = sort(None, self.stderr).filter(|_| self.cli != Cli::Other).unwrap_or(FaultKind::Command);
        let what = format!("`{}` {ending}{}", self.program, self.last_words());
        let lacks_a_switch = ["unknown option", "unexpected argument", "Unknown argument", "unrecognized option"];
        let next = match lacks_a_switch.iter().any(|words| self.stderr.contains(words)) {
            true => format!("update `{}`, or take the switch it does not know out of `command:`", self.program),
            false => self.advice(kind),
        };
        self.fault(kind, what).next(next)
    }

    fn complained(self, complaint: &Complaint) -> Fault {
        let kind = match complaint.refused {
            true => FaultKind::Filtered,
            false => sort(complaint.status, &complaint.text).unwrap_or(FaultKind::Refused),
        };
        let what = format!("`{}` says: {}", self.program, self.in_short(&complaint.text));
        let next = self.advice(kind);
        self.fault(kind, what).next(next)
    }

    fn advice(&self, kind: FaultKind) -> String {
        let program = self.program;
        match kind {
            FaultKind::Unauthorized => self.cli.log_in().to_owned(),
            FaultKind::Forbidden => format!("check what the account behind `{program}` may do"),
            FaultKind::SpendLimit => "wait until the limit is reset, or give the seat another model".to_owned(),
            FaultKind::RateLimited | FaultKind::Overloaded | FaultKind::Server => {
                "try again later, or give the seat another model".to_owned()
            }
            FaultKind::Network | FaultKind::Timeout => "check the network and the proxy settings".to_owned(),
            FaultKind::NotFound => format!("name a model that `{program}` knows, or `default` for its own choice"),
            FaultKind::TooLong => "shorten the context, or give the seat a model with a larger window".to_owned(),
            FaultKind::Oversize => "ask for less; with claude, CLAUDE_CODE_MAX_OUTPUT_TOKENS sets the limit".to_owned(),
            FaultKind::Filtered => "put the topic in other words, or give the seat another model".to_owned(),
            _ => {
                format!("run the command by hand to see more; docs/agent-clis.md has the full command for `{program}`")
            }
        }
    }

    /// The end of stderr, or the last trouble it told of, for the end of a sentence.
    fn last_words(&self) -> String {
        let trouble = self.said.trouble.as_deref().unwrap_or_default();
        let words = self.in_short(if self.stderr.trim().is_empty() { trouble } else { self.stderr });
        if words.is_empty() { String::new() } else { format!(": {words}") }
    }

    fn fault(self, kind: FaultKind, what: String) -> Fault {
        let details = self.environment.without_secrets(self.stderr.trim());
        let details = Some(details).filter(|details| details.chars().count() > MOST_WORDS);
        Fault {
            usage: self.said.usage,
            request_id: self.said.request_id,
            details: details.map(Into::into),
            ..Fault::new(kind, what)
        }
    }

    /// A program's words as one short line: its last lines, where the cause stands, without control characters.
    /// Secrets go first: half of one, left by a cut, would not be found.
    fn in_short(&self, words: &str) -> String {
        let words = self.environment.without_secrets(words);
        let mut short = String::new();
        for line in words.lines().rev().map(str::trim).filter(|line| !line.is_empty()) {
            let line: String = line.chars().filter(|c| !c.is_control()).collect();
            let room = MOST_WORDS.saturating_sub(short.chars().count());
            short = match (short.is_empty(), line.chars().count()) {
                (true, length) if length > room => {
                    return format!("…{}", line.chars().skip(length - room).collect::<String>());
                }
                (true, _) => line,
                (false, length) if length + 3 > room => return format!("… / {short}"),
                (false, _) => format!("{line} / {short}"),
            };
        }
        short
    }
}

const SHOW_WHAT_IT_PRINTS: &str = "run the command by hand and look at what it prints";
