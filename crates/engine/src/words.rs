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
    let last = text.len().checked_sub(word.len());
    last.is_some_and(|last| (0..=last).any(|at| word_at(text, at, word)))
}

fn word_at(text: &str, at: usize, word: &str) -> bool {
    let end = at + word.len();
    let here = text.as_bytes().get(at..end);
    here.is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes())) && stands_alone(text, at, end)
}

/// Words to look for in many texts at once. Every answer is searched for every keyword, so one walk
/// over a text must do for all of them.
pub(crate) struct Keywords<'a> {
    words: Vec<&'a str>,
    /// Whether an ASCII word begins with this byte.
    begins: [bool; 256],
}

impl<'a> Keywords<'a> {
    pub(crate) fn new(words: impl Iterator<Item = &'a str>) -> Self {
        let words: Vec<&str> = words.map(str::trim).collect();
        let mut begins = [false; 256];
        for first in words.iter().filter(|word| word.is_ascii()).filter_map(|word| word.bytes().next()) {
            begins[usize::from(first.to_ascii_lowercase())] = true;
            begins[usize::from(first.to_ascii_uppercase())] = true;
        }
        Self { words, begins }
    }

    /// Calls `found` with the place of each word that the text holds as a whole, perhaps repeatedly.
    pub(crate) fn each_in(&self, text: &str, mut found: impl FnMut(usize)) {
        let mut before = b' ';
        for (at, byte) in text.bytes().enumerate() {
            // Inside a word nothing begins, which settles most letters at once.
            let begins = self.begins[usize::from(byte)] && !before.is_ascii_alphanumeric();
            before = byte;
            if !begins {
                continue;
            }
            for (index, word) in self.words.iter().enumerate() {
                if !word.is_empty() && word.is_ascii() && word_at(text, at, word) {
                    found(index);
                }
            }
        }
        for (index, word) in self.words.iter().enumerate() {
            if !word.is_ascii() && has_word(text, word) {
                found(index);
            }
        }
    }
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

/// A number of things, for people: `1 round`, `2 rounds`, `3 tries`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    let after_vowel = |stem: &str| stem.ends_with(['a', 'e', 'o', 'u']);
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (more, Some(stem)) if !after_vowel(stem) => format!("{more} {stem}ies"),
        (more, _) => format!("{more} {noun}s"),
    }
}

/// Words that say nothing about a subject.
const EMPTY_WORDS: [&str; 24] = [
    "about", "after", "also", "because", "been", "before", "could", "from", "have", "into", "more", "most", "only",
    "other", "over", "should", "than", "that", "their", "them", "then", "they", "this", "with",
];

/// The words of a text that say something about its subject, in lower case.
pub(crate) fn telling_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= 4);
    words.map(str::to_lowercase).filter(|word| !EMPTY_WORDS.contains(&word.as_str()))
}

/// Whether a text takes up what was said (L8): it holds all of it, or half of its telling words. What has no such
/// word must be there as it was said.
pub(crate) fn takes_up(text: &str, said: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let (text, all) = (plain(text), plain(said));
    if text.contains(all.trim_end_matches(['.', '!', '?'])) {
        return true;
    }
    let telling: std::collections::BTreeSet<String> = telling_words(said).collect();
    let taken = telling.iter().filter(|word| text.contains(word.as_str())).count();
    taken > 0 && taken * 2 >= telling.len()
}

/// A text from a reply as it is quoted to a person: whole, or its start with an ellipsis.
pub(crate) fn quote(text: &str) -> String {
    const MOST: usize = 200;
    let text = text.trim();
    text.char_indices().nth(MOST).map_or_else(|| text.to_owned(), |(end, _)| format!("{}…", &text[..end]))
}

/// The start of a text from a reply, short enough to be quoted in a doubt.
pub(crate) fn clip(text: &str) -> &str {
    const MOST: usize = 60;
    let text = text.trim();
    text.char_indices().nth(MOST).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e3_one_walk_finds_what_a_search_for_each_word_finds() {
        let words = ["legal", "must-have", "", " security ", "安全", "sécurité", "-x"];
        let keywords = Keywords::new(words.into_iter());
        for text in [
            "",
            "legal",
            "illegal, paralegal, Legal",
            "LEGAL-security must-have",
            "a must-have: Sécurité!",
            "これは安全の問題です security",
            "élegal legalé é legal",
            "non-legal _security_ -x",
        ] {
            let mut found = vec![false; words.len()];
            keywords.each_in(text, |index| found[index] = true);
            assert_eq!(found, words.map(|word| has_word(text, word)), "{text:?}");
        }
    }

    #[test]
    fn counts_and_quotes_read_well() {
        assert_eq!([counted(0_u32, "round"), counted(1_usize, "round")], ["0 rounds", "1 round"]);
        assert_eq!([counted(3_u64, "reply"), counted(2_u8, "day")], ["3 replies", "2 days"]);
        assert_eq!(clip(&format!(" {} ", "é".repeat(100))), "é".repeat(60));
    }
}
