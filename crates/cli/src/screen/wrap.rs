//! Text from anywhere, made into lines that fit: cleaned, wrapped, clipped, measured in columns.
//! Given any text; hands on lines without control characters. Wide characters count as two columns.
//! Deliberately absent: colour and layout.

use s2s::clean::clean_text;
use textwrap::{Options, WordSplitter, WrapAlgorithm};
use unicode_width::UnicodeWidthStr;

use super::Style;

/// Deeper indentation in somebody's text is not followed.
const DEEPEST: usize = 8;

/// Text from anywhere as one clean line.
pub(super) fn one_line(text: &str) -> String {
    s2s::clean::clean_line(text).into_owned()
}

/// The start of a line that fits this many columns, marked where something was left out.
pub(super) fn clipped(text: &str, columns: usize, ascii: bool) -> String {
    let text = one_line(text);
    if text.width() <= columns {
        return text;
    }
    let more = if ascii { "..." } else { "…" };
    let room = columns.saturating_sub(more.width());
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if kept.width() > room {
            kept.pop();
            break;
        }
    }
    kept.truncate(kept.trim_end().len());
    kept + more
}

/// The lines of a text from anywhere: its own line breaks kept, lists set in, words wrapped.
pub(super) fn wrapped(text: &str, room: usize) -> Vec<String> {
    let text = clean_text(text).replace('\t', "    ");
    let mut lines: Vec<String> = Vec::new();
    for source in text.trim().lines() {
        let source = source.trim_end();
        if source.is_empty() {
            // One empty line between paragraphs is kept, more are not.
            if lines.last().is_some_and(|line| !line.is_empty()) {
                lines.push(String::new());
            }
            continue;
        }
        let words = source.trim_start();
        let depth = (source.len() - words.len()).min(DEEPEST).min(room / 4);
        let (first, next) = (" ".repeat(depth), " ".repeat(depth + bullet(words)));
        let options = Options::new(room)
            .initial_indent(&first)
            .subsequent_indent(&next)
            .wrap_algorithm(WrapAlgorithm::FirstFit)
            .word_splitter(WordSplitter::NoHyphenation)
            .break_words(true);
        lines.extend(textwrap::wrap(words, options).into_iter().map(|line| line.into_owned()));
    }
    lines
}

/// A text with lines of its own, each broken where it does not fit; what goes on is set in below it.
pub fn folded(text: &str, style: &Style) -> String {
    let room = style.columns();
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.lines() {
        let words = line.trim_start();
        let first = " ".repeat((line.len() - words.len()).min(room / 4));
        let next = format!("{first}  ");
        let options = Options::new(room)
            .initial_indent(&first)
            .subsequent_indent(&next)
            .wrap_algorithm(WrapAlgorithm::FirstFit)
            .word_splitter(WordSplitter::NoHyphenation)
            .break_words(false);
        match line.width() > room {
            true => out.push_str(&textwrap::fill(words, options)),
            false => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// The lines of a text whose first line is shorter by what stands before it.
pub(super) fn wrapped_after(text: &str, room: usize, taken: usize, hang: usize) -> Vec<String> {
    let width = room.saturating_sub(hang).max(8);
    if taken + 8 > room {
        return std::iter::once(String::new()).chain(wrapped(text, width)).collect();
    }
    // A stand-in for what is there already, so that one wrapping fits all lines.
    let placeholder = "x".repeat(taken.saturating_sub(hang + 1));
    let mut lines = wrapped(&format!("{placeholder} {}", text.trim_start()), width);
    if let Some(first) = lines.first_mut() {
        *first = first.strip_prefix(&*placeholder).unwrap_or(first).trim_start().to_owned();
    }
    lines
}

/// The width of the bullet or number that a line of a list starts with.
fn bullet(words: &str) -> usize {
    let Some((start, _)) = words.split_once(' ') else { return 0 };
    let number = start.strip_suffix(['.', ')']).is_some_and(|n| n.len() <= 2 && n.parse::<u8>().is_ok());
    if matches!(start, "-" | "*" | "•") || number { start.width() + 1 } else { 0 }
}
