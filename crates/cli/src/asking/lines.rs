//! Questions in plain lines, for terminals that cannot be drawn on and for whoever wants nothing that moves: choices with
//! numbers, one line to answer, Enter alone takes what stands in brackets. Given a question; hands on a line or a number,
//! or that the person left: Ctrl-C and the end of the input do. Deliberately absent: colour, and any sequence.

use std::io::{self, BufRead, Write};

use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

/// The character of Ctrl-C.
const LEAVES: u8 = 3;

/// What came of asking.
pub(super) enum Answered {
    Line(String),
    Left,
}

/// While it lives, Ctrl-C ends the line instead of making a signal: whoever asks is told that the person left.
struct Terminal(Option<Termios>);

impl Terminal {
    fn taken() -> Self {
        let Ok(before) = tcgetattr(io::stdin()) else { return Self(None) };
        let mut modes = before.clone();
        modes.local_modes.remove(LocalModes::ISIG);
        modes.special_codes[SpecialCodeIndex::VEOL] = LEAVES;
        Self(tcsetattr(io::stdin(), OptionalActions::Now, &modes).is_ok().then_some(before))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // A terminal that is gone needs nothing back.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }
}

/// Asks for a line; `default` is what Enter alone means.
pub(super) fn line(question: &str, default: &str) -> io::Result<Answered> {
    let _mine = Terminal::taken();
    let mut out = io::stdout().lock();
    let default_shown = if default.is_empty() { String::new() } else { format!(" [{default}]") };
    write!(out, "{question}{default_shown} ")?;
    out.flush()?;
    let mut typed = Vec::new();
    let mut input = io::stdin().lock();
    loop {
        let here = input.fill_buf()?;
        let end = here.iter().position(|byte| matches!(*byte, b'\n' | LEAVES));
        let (taken, over) = (end.map_or(here.len(), |at| at + 1), end.is_some() || here.is_empty());
        typed.extend_from_slice(&here[..taken]);
        input.consume(taken);
        if over {
            break;
        }
    }
    if typed.last() != Some(&b'\n') {
        writeln!(out)?;
        return Ok(Answered::Left);
    }
    let typed = String::from_utf8_lossy(&typed).trim().to_owned();
    Ok(Answered::Line(if typed.is_empty() { default.to_owned() } else { typed }))
}

/// Says that an answer will not do.
pub(super) fn wrong(why: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{why}")
}

/// Lists choices with their numbers; `marks` are put before those that are taken already.
pub(super) fn list(labels: &[String], ticked: Option<&[usize]>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for (at, label) in labels.iter().enumerate() {
        let mark = match ticked {
            Some(ticked) if ticked.contains(&at) => "* ",
            Some(_) => "  ",
            None => "",
        };
        writeln!(out, "  {}. {mark}{label}", at + 1)?;
    }
    Ok(())
}

/// The places that a line such as `1, 3` names, of so many; none where it is something else.
pub(super) fn places(text: &str, of: usize) -> Option<Vec<usize>> {
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    let place = |word: &str| word.parse::<usize>().ok().filter(|number| (1..=of).contains(number)).map(|one| one - 1);
    let mut found: Vec<usize> = words.map(place).collect::<Option<_>>()?;
    found.sort_unstable();
    found.dedup();
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn numbers_name_choices_and_anything_else_does_not() {
        assert_eq!(places("3, 1 1", 3), Some(vec![0, 2]));
        for wrong in ["0", "4", "1-2", "one"] {
            assert_eq!(places(wrong, 3), None, "{wrong}");
        }
        assert_eq!(places("", 3), Some(Vec::new()));
    }
}
