//! Marks and tones: the few signs and colours that carry meaning on every screen.
//! A colour never says anything that a word or a mark does not say too, so nothing is lost in a pipe.
//! Deliberately absent: where they are put.

use anstyle::{AnsiColor, Style as Ansi};

/// What a piece of text means, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Title,
    Label,
    Good,
    Warning,
    Bad,
    Quiet,
    Emphasis,
}

impl Tone {
    /// Its look at a terminal.
    pub(super) fn ansi(self) -> Ansi {
        let plain = Ansi::new();
        match self {
            Self::Plain => plain,
            Self::Title => plain.bold(),
            Self::Label => AnsiColor::Cyan.on_default(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Warning => AnsiColor::Yellow.on_default(),
            Self::Bad => AnsiColor::Red.on_default(),
            Self::Quiet => plain.dimmed(),
            Self::Emphasis => plain.italic(),
        }
    }
}

/// A mark before an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Covered, carried, agreed, resolved.
    Done,
    /// Partly so.
    Partly,
    /// Not yet.
    Open,
    /// In need of attention.
    Alert,
    /// Voted down.
    Failed,
    /// The one in use.
    Current,
}

impl Mark {
    /// How it is drawn.
    pub(super) fn text(self, ascii: bool) -> &'static str {
        match (self, ascii) {
            (Self::Done, false) => "✓",
            (Self::Partly, false) => "◐",
            (Self::Open, false) => "○",
            (Self::Alert, false) => "⚠",
            (Self::Failed, false) => "✗",
            (Self::Current, false) => "▸",
            (Self::Done, true) => "[x]",
            (Self::Partly, true) => "[~]",
            (Self::Open, true) => "[ ]",
            (Self::Alert, true) => "[!]",
            (Self::Failed, true) => "[-]",
            (Self::Current, true) => "*",
        }
    }

    /// Its colour.
    pub(super) fn tone(self) -> Tone {
        match self {
            Self::Done => Tone::Good,
            Self::Partly | Self::Alert => Tone::Warning,
            Self::Open => Tone::Quiet,
            Self::Failed => Tone::Bad,
            Self::Current => Tone::Title,
        }
    }
}
