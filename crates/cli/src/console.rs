//! Where a command speaks: standard output, standard error, and how both look.
//! Given the flags and what the streams are; hands on a [`Console`] that every command writes to. A
//! reader that went away is no error and never a panic. Deliberately absent: questions (`asking.rs`) and
//! what is said (`screen`).

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use s2s::Failure;
use s2s::clean::clean_text;
use serde_json::Value;

use crate::args::When;
use crate::asking;
use crate::screen::{Style, folded, hush};

/// Where a command speaks.
#[derive(Debug, Clone, Copy)]
pub struct Console {
    /// Whether programs read along: JSON instead of text.
    pub json: bool,
    /// Whether standard output is a terminal, whoever sits at it.
    pub terminal: bool,
    /// Whether a person can be asked: both standard input and output are a terminal (E9).
    pub attended: bool,
    /// How text looks.
    pub style: Style,
}

impl Console {
    /// The console of this process.
    pub fn new(json: bool, color: When) -> Self {
        let term = std::env::var_os("TERM");
        let dumb = term.as_ref().is_some_and(|term| term == "dumb");
        match color {
            // A CI system is taken for one that knows colours, whatever its terminal is.
            When::Auto if dumb => ColorChoice::Never.write_global(),
            When::Auto => {}
            When::Always => ColorChoice::Always.write_global(),
            When::Never => ColorChoice::Never.write_global(),
        }
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let style = Style {
            color: AutoStream::choice(&stdout) != ColorChoice::Never,
            width: if terminal { width() } else { Style::PIPE.width },
            // It is drawn on standard error, beside what is printed; both must be this terminal, and know its sequences.
            live: terminal && io::stderr().is_terminal() && term.is_some() && !dumb,
            // Whoever says so means it in a pipe too: what is piped ends on that terminal.
            ascii: dumb,
            ..Style::PIPE
        };
        if !style.color {
            asking::without_color();
        }
        if dumb {
            asking::in_lines();
        }
        Self { json, terminal, attended: terminal && io::stdin().is_terminal() && !json, style }
    }

    /// Prints text on standard output.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        self.print_on(text).map(|_| ())
    }

    /// Prints text on standard output; says whether anybody is there to read more.
    pub fn print_on(&self, text: &str) -> Result<bool, Failure> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            // `s2s roundtable list | head -1`: the reader has what it wanted.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(Failure::failed(format!("cannot write to standard output: {error}"))
                .next("check where the output is sent to")),
            Ok(()) => Ok(true),
        }
    }

    /// How text looks now: a terminal may have been resized since the command began.
    pub fn style_now(&self) -> Style {
        Style { width: if self.terminal { width() } else { self.style.width }, ..self.style }
    }

    /// A text cut to one line of the terminal, for an item of a menu.
    pub fn fitting(&self, text: &str) -> String {
        let room = self.style.width.saturating_sub(4).max(20);
        match text.chars().count() > room {
            true => text.chars().take(room - 1).chain(['…']).collect(),
            false => text.to_owned(),
        }
    }

    /// Prints one JSON value on a line of its own.
    pub fn print_json(&self, value: &Value) -> Result<(), Failure> {
        self.print(&format!("{value}\n"))
    }

    /// Says something to know that stops nothing, on standard error; with JSON as an object.
    pub fn note(&self, text: &str) {
        let line = match self.json {
            true => format!("{}\n", serde_json::json!({ "note": text })),
            false if self.terminal => folded(&format!("note: {}", clean_text(text)), &self.style),
            false => format!("note: {}\n", clean_text(text)),
        };
        let _mine = hush();
        // A note that nobody can read is not worth stopping for.
        let _ = anstream::stderr().write_all(line.as_bytes());
    }
}

/// The columns of the terminal, as they are now.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(Style::PIPE.width, |(width, _)| usize::from(width.0))
}
