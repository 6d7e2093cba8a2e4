//! Running text with tones, wrapped by words.
//! Given pieces of text as they are said; hands on lines no wider than the room, words kept whole where they fit.
//! Deliberately absent: what a tone means.

use s2s::clean::clean_text;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::super::marks::Tone;
use super::Line;

/// Text being said.
#[derive(Debug, Default)]
pub(super) struct Flow {
    said: Vec<(char, Tone)>,
}

impl Flow {
    pub(super) fn say(&mut self, text: &str, tone: Tone) {
        self.said.extend(text.chars().map(|c| (c, tone)));
    }

    /// The columns of all of it in one line.
    pub(super) fn width(&self) -> usize {
        self.said.iter().map(|(c, _)| c.width().unwrap_or(0)).sum()
    }

    /// Whether this was said last.
    pub(super) fn ends_with(&self, text: &str) -> bool {
        let mut said = self.said.iter().rev().map(|(c, _)| *c);
        text.chars().rev().all(|c| said.next() == Some(c))
    }

    /// The lines of it.
    pub(super) fn lines(self, room: usize) -> Vec<Line> {
        let mut lines: Vec<Vec<(char, Tone)>> = Vec::new();
        let mut line: Vec<(char, Tone)> = Vec::new();
        let mut taken = 0;
        for word in self.said.split(|(c, _)| c.is_whitespace()).filter(|word| !word.is_empty()) {
            let columns: usize = word.iter().map(|(c, _)| c.width().unwrap_or(0)).sum();
            let blank = usize::from(!line.is_empty());
            if taken + blank + columns <= room {
                if blank > 0 {
                    line.push((' ', between(&line, word)));
                }
                line.extend(word);
                taken += blank + columns;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                taken = 0;
            }
            // A word that is longer than a line is cut.
            for (c, tone) in word {
                let columns = c.width().unwrap_or(0);
                if taken + columns > room && !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                    taken = 0;
                }
                line.push((*c, *tone));
                taken += columns;
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines.into_iter().map(joined).collect()
    }
}

/// The tone of the blank between two words: theirs, where they have the same.
fn between(line: &[(char, Tone)], word: &[(char, Tone)]) -> Tone {
    match (line.last(), word.first()) {
        (Some((_, before)), Some((_, after))) if before == after => *after,
        _ => Tone::Plain,
    }
}

fn joined(line: Vec<(char, Tone)>) -> Line {
    let mut pieces = Line::new();
    for (c, tone) in line {
        match pieces.last_mut() {
            Some((text, last)) if *last == tone => text.push(c),
            _ => pieces.push((c.to_string(), tone)),
        }
    }
    pieces
}

/// A text without what could act on a terminal. Markdown can write any character by its number, so this is done once
/// more after it was read.
pub(super) fn clean(text: &str) -> String {
    clean_text(text).replace('\t', "    ")
}

/// A line in parts that fit.
pub(super) fn cut(line: &str, room: usize) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut taken = 0;
    for c in line.chars() {
        let columns = c.width().unwrap_or(0);
        if taken + columns > room && taken > 0 {
            parts.push(String::new());
            taken = 0;
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
        taken += columns;
    }
    parts
}

/// The start of a text that fits.
pub(super) fn clipped(text: &str, room: usize) -> String {
    match text.width() <= room {
        true => text.to_owned(),
        false => cut(text, room).swap_remove(0),
    }
}
