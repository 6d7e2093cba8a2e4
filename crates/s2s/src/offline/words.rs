//! Words of a text, and phrases found among them as whole words in any case.
//! Given text written by people; hands on tokens and matches. A phrase may hold `{2-5}` for a number in
//! digits or words. Deliberately absent: what any word means.

use std::ops::Range;

use s2s_catalog::playbook::number_range;

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// As it was written.
    pub raw: String,
    /// In lower case.
    pub word: String,
}

/// The words of a text: runs of letters and digits.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|raw| Token { raw: raw.to_owned(), word: raw.to_lowercase() }).collect()
}

/// Where a phrase stands among the tokens, at every place, first one first.
pub(super) fn find(phrase: &str, among: &[Token]) -> Vec<Range<usize>> {
    let parts = parts(phrase);
    if parts.is_empty() || parts.len() > among.len() {
        return Vec::new();
    }
    let fits = |at: &usize| parts.iter().zip(&among[*at..]).all(|(part, token)| part.fits(&token.word));
    (0..=among.len() - parts.len()).filter(fits).map(|at| at..at + parts.len()).collect()
}

/// Like [`find`], the first place that is not denied by the word before it ("no deadline").
pub(super) fn stated(phrase: &str, among: &[Token]) -> Option<Range<usize>> {
    const DENIALS: [&str; 6] = ["no", "not", "without", "never", "non", "isn"];
    let denied = |at: usize| at > 0 && DENIALS.contains(&among[at - 1].word.as_str());
    find(phrase, among).into_iter().find(|place| !denied(place.start))
}

/// The words of a place, as they were written.
pub(super) fn quote(among: &[Token], place: Range<usize>) -> String {
    among[place].iter().map(|token| token.raw.as_str()).collect::<Vec<_>>().join(" ")
}

/// Text without `<!-- … -->`, where templates keep their examples.
pub(super) fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<!--") {
        plain.push_str(&rest[..start]);
        rest = rest[start..].split_once("-->").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain
}

/// A sentence set into another one: its first letter small, unless it is part of a name like `OpenAPI`.
pub(super) fn within(sentence: &str) -> String {
    let first = sentence.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let named = first.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit());
    if named || first == "I" || first.starts_with("SQL") {
        return sentence.to_owned();
    }
    with_first(sentence, |c| c.to_lowercase().collect())
}

/// A clause made the start of a sentence.
pub(super) fn opening_with(clause: &str) -> String {
    with_first(clause, |c| c.to_uppercase().collect())
}

/// A clause without its full stop.
pub(super) fn unstopped(sentence: &str) -> &str {
    sentence.trim_end().trim_end_matches('.')
}

/// "a, b and c".
pub(super) fn listed<S: AsRef<str>>(items: &[S], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [head @ .., tail] => {
            let head: Vec<&str> = head.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", head.join(", "), tail.as_ref())
        }
    }
}

/// A small number in words.
pub(super) fn counted(number: usize) -> String {
    NUMBERS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

const NUMBERS: [&str; 13] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

enum Part {
    Word(String),
    Number(std::ops::RangeInclusive<u32>),
}

impl Part {
    fn fits(&self, word: &str) -> bool {
        match self {
            Self::Word(wanted) => word == wanted || (wanted.len() > 2 && word.strip_suffix('s') == Some(wanted)),
            Self::Number(range) => {
                let spelled = || NUMBERS.iter().skip(1).position(|name| *name == word).map(|at| at as u32 + 1);
                word.parse().ok().or_else(spelled).is_some_and(|number| range.contains(&number))
            }
        }
    }
}

fn parts(phrase: &str) -> Vec<Part> {
    let words = |text: &str| tokens(text).into_iter().map(|token| Part::Word(token.word)).collect::<Vec<_>>();
    phrase
        .split_whitespace()
        .flat_map(|word| match number_range(word) {
            Some(range) => vec![Part::Number(range)],
            None => words(word),
        })
        .collect()
}

fn with_first(text: &str, change: impl Fn(char) -> String) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| change(first) + chars.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(phrase: &str, text: &str, expected: Option<&str>) {
        let tokens = tokens(text);
        let found = stated(phrase, &tokens).map(|place| quote(&tokens, place));
        assert_eq!(found.as_deref(), expected, "{phrase:?} in {text:?}");
    }

    #[test]
    fn phrases_are_whole_words_in_any_case() {
        check("key value", "A Key-Value store", Some("Key Value"));
        check("rest", "We are restless", None);
        check("partner", "for our PARTNERS", Some("PARTNERS"));
        check("größe", "Die Größe zählt", Some("Größe"));
        check("{1-5} developers", "We are Two developers", Some("Two developers"));
        check("{1-5} developers", "a team of 3 developers", Some("3 developers"));
        check("{1-5} developers", "12 developers", None);
        check("deadline", "there is no deadline", None);
        check("deadline", "no deadline yet, but a deadline in May", Some("deadline"));
        check("", "anything", None);
    }

    #[test]
    fn sentences_join_without_breaking_names() {
        assert_eq!(within("Every client can call it."), "every client can call it.");
        assert_eq!(within("OpenAPI gives documents."), "OpenAPI gives documents.");
        assert_eq!(within("URLs cache well."), "URLs cache well.");
        assert_eq!(opening_with("a modular monolith"), "A modular monolith");
        assert_eq!(listed(&["a", "b", "c"], "and"), "a, b and c");
        assert_eq!(without_comments("a <!-- two developers --> b <!-- open"), "a  b ");
    }
}
