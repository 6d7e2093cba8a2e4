//! Fences in a document: the one around it, which ends it, and those inside its texts, whose lines hold no keys.
//! Given one line after the other; says of each where it stands.

use crate::lines::Line;

/// The fences that are open.
pub(super) struct Fences {
    /// The mark of the fence around the document.
    around: Option<char>,
    /// The mark of one inside a text.
    inside: Option<char>,
}

/// Where a line stands.
pub(super) enum Stands {
    /// It may begin a field.
    Free,
    /// It is text, or the mark of a fence inside one.
    Fenced,
    /// It closes the fence around the document.
    Ends,
}

impl Fences {
    pub(super) fn new(around: Option<char>) -> Self {
        Self { around, inside: None }
    }

    /// Takes the next line of a document whose keys stand at this column.
    pub(super) fn pass(&mut self, lines: &[Line<'_>], at: usize, column: usize) -> Stands {
        let line = &lines[at];
        let Some(mark) = line.fence().filter(|_| at > 0) else {
            return if self.inside.is_some() { Stands::Fenced } else { Stands::Free };
        };
        let bare = line.body.trim_matches(mark).is_empty();
        match self.inside {
            Some(open) => {
                if open == mark && bare {
                    self.inside = None;
                }
                Stands::Fenced
            }
            None if bare && self.around == Some(mark) && line.indent <= column => Stands::Ends,
            // The end of a fence whose beginning was not seen.
            None if bare && !lines[at + 1..].iter().any(|line| line.fence() == Some(mark)) => Stands::Ends,
            None => {
                self.inside = Some(mark);
                Stands::Fenced
            }
        }
    }
}
