//! Words in texts: finding a whole word, counting things for people, quoting a reply in short.
//! Given any text; hands on plain answers. Deliberately absent: lists of words, which are data, and
//! names made from text, which are in `slug.rs`.

/// Whether a text holds this word or phrase as a whole, in any case. A hyphen joins: `non-blocking`
/// does not hold `blocking`.
pub fn has_word(text: &str, word: &str) -> bool {
    let word = word.trim();
    if word.is_empty() {
        return false;
    }
    if !word.is_ascii() {
        let (text, word) = (text.to_lowercase(), word.to_lowercase());
        return text.match_indices(&word).any(|(at, _)| stands_alone(&text, at, at + word.len()));
    }
    // Every answer is searched for every keyword: the first letter decides before anything is compared.
    let (bytes, word) = (text.as_bytes(), word.as_bytes());
    let first = word[0].to_ascii_lowercase();
    let Some(last) = bytes.len().checked_sub(word.len()) else { return false };
    (0..=last).any(|at| {
        bytes[at].to_ascii_lowercase() == first
            && bytes[at..at + word.len()].eq_ignore_ascii_case(word)
            && stands_alone(text, at, at + word.len())
    })
}

fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let (before, word, after) = (&text[..start], &text[start..end], &text[end..]);
    let spaced = |edge: Option<char>| edge.is_some_and(|c| !is_unspaced(c));
    let left = spaced(word.chars().next()) && joined(before.chars().rev());
    let right = spaced(word.chars().next_back()) && joined(after.chars());
    !left && !right
}

/// Whether what comes next, away from the word, belongs to it.
fn joined(mut next: impl Iterator<Item = char>) -> bool {
    match next.next() {
        Some('-' | '_') => next.next().is_some_and(char::is_alphanumeric),
        Some(c) => c.is_alphanumeric(),
        None => false,
    }
}

/// Scripts that write words without spaces, or glue particles to them: there a keyword counts
/// wherever it stands, or teams who write so could never be warned.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// A number of things, for people: `1 round`, `2 rounds`.
pub(crate) fn counted(count: impl Into<u64>, noun: &str) -> String {
    match count.into() {
        1 => format!("1 {noun}"),
        more => format!("{more} {noun}s"),
    }
}

/// The start of a text from a reply, short enough to be quoted in a doubt.
pub(crate) fn clip(text: &str) -> &str {
    const MOST: usize = 60;
    let text = text.trim();
    text.char_indices().nth(MOST).map_or(text, |(end, _)| &text[..end])
}
