//! Words of a text, and phrases found among them as whole words in any case.
//! Given text written by people; hands on tokens and matches. Letters are compared without their accents and in one
//! form: "ＲＥＳＴ" is "REST", "café" is "cafe" however it was typed, and a word of Chinese or Japanese ends where
//! Latin letters begin. A phrase may hold `{2-5}` for a number in digits or words. Deliberately absent: what any word
//! means.

use std::borrow::Cow;
use std::ops::Range;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use s2s_catalog::playbook::number_range;

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// As it was written.
    pub raw: String,
    /// In lower case, without accents.
    pub word: String,
    /// What parts it from the word before.
    pub gap: Gap,
}

/// What stands between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Nothing but a space.
    Space,
    /// A hyphen, so that both may be one word.
    Hyphen,
    /// A comma: the next thing of a list, or the next part of a sentence.
    Comma,
    /// The end of a clause.
    Clause,
}

/// The words of a text: runs of letters and digits.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let text = match text.is_ascii() {
        true => Cow::Borrowed(text),
        false => ComposingNormalizerBorrowed::new_nfkc().normalize(text),
    };
    let mut tokens: Vec<Token> = Vec::new();
    let (mut raw, mut gap) = (String::new(), Gap::Clause);
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        if !c.is_alphanumeric() && !is_mark(c) {
            if !raw.is_empty() {
                tokens.push(token(std::mem::take(&mut raw), std::mem::replace(&mut gap, Gap::Space)));
                gap = if c == '-' { Gap::Hyphen } else { Gap::Space };
            } else if gap == Gap::Hyphen {
                gap = Gap::Space;
            }
            gap = gap.max(parting(c, letters.peek().copied()));
            continue;
        }
        if raw.chars().next_back().is_some_and(|last| is_spaceless(last) != is_spaceless(c)) {
            tokens.push(token(std::mem::take(&mut raw), std::mem::replace(&mut gap, Gap::Space)));
        }
        raw.push(c);
    }
    if !raw.is_empty() {
        tokens.push(token(raw, gap));
    }
    tokens
}

fn token(raw: String, gap: Gap) -> Token {
    Token { word: folded(&raw), raw, gap }
}

/// How far a sign between words parts them.
fn parting(sign: char, next: Option<char>) -> Gap {
    match sign {
        ',' | '、' => Gap::Comma,
        // A full stop inside a name such as `Node.js` ends nothing.
        '.' if next.is_some_and(|next| !next.is_whitespace()) => Gap::Space,
        '.' | ';' | '?' | '!' | ':' | '(' | ')' | '。' | '\n' | '—' | '–' => Gap::Clause,
        _ => Gap::Space,
    }
}

/// A word as it is compared: small letters without accents.
fn folded(raw: &str) -> String {
    if raw.is_ascii() {
        return raw.to_ascii_lowercase();
    }
    let parted = DecomposingNormalizerBorrowed::new_nfkd().normalize(&raw.to_lowercase()).into_owned();
    let plain: String = parted.chars().filter(|c| !is_mark(*c)).collect();
    ComposingNormalizerBorrowed::new_nfc().normalize(&plain).replace('ß', "ss").replace('ø', "o").replace('ł', "l")
}

/// An accent that was written on its own.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Scripts that write no spaces between words.
fn is_spaceless(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Where a phrase stands among the tokens, at every place, first one first. What the phrase writes as two words may
/// stand there as one, and one that is hyphenated as two.
pub(super) fn find(phrase: &str, among: &[Token]) -> Vec<Range<usize>> {
    if !may_hold(phrase, among) {
        return Vec::new();
    }
    let parts = parts(phrase);
    let fits = |at: usize| {
        let rest = &among[at..];
        let apart = parts.len() <= rest.len() && parts.iter().zip(rest).all(|(part, token)| part.fits(&token.word));
        match parts.as_slice() {
            [] => None,
            _ if apart => Some(at..at + parts.len()),
            [one] => {
                let hyphened = rest.len() > 1 && rest[1].gap == Gap::Hyphen;
                (hyphened && one.fits(&format!("{}{}", rest[0].word, rest[1].word))).then_some(at..at + 2)
            }
            [Part::Word(one), Part::Word(other)] => {
                let rest = rest[0].word.strip_prefix(one.as_str()).filter(|_| one.len() > 2 && other.len() > 2);
                rest.filter(|rest| parts[1].fits(rest)).map(|_| at..at + 1)
            }
            _ => None,
        }
    };
    (0..among.len()).filter_map(fits).collect()
}

/// A quick look that spares taking most phrases apart: whether any word begins as the phrase does.
fn may_hold(phrase: &str, among: &[Token]) -> bool {
    if !phrase.is_ascii() || phrase.starts_with('{') {
        return true;
    }
    let first = phrase.split(|c: char| !c.is_ascii_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    let short = &first.as_bytes()[..first.len().min(3)];
    let alike = |token: &Token| token.word.as_bytes().get(..short.len()).is_some_and(|w| w.eq_ignore_ascii_case(short));
    // A hyphen may stand after one or two letters of what the phrase writes as one word.
    let cut = |at: usize| among[at].word.len() < short.len() && among.get(at + 1).is_some_and(|t| t.gap == Gap::Hyphen);
    (0..among.len()).any(|at| alike(&among[at]) || cut(at))
}

/// Like [`find`], the first place that is not denied by the words before it ("no deadline", "not a startup") or after
/// it ("HIPAA does not apply").
pub(super) fn stated(phrase: &str, among: &[Token]) -> Option<Range<usize>> {
    find(phrase, among).into_iter().find(|place| !denied_before(among, place.start) && !denied_after(among, place.end))
}

fn denied_before(among: &[Token], start: usize) -> bool {
    const DENIALS: &str = "no not without never non isn aren wasn don doesn longer";
    const BETWEEN: &str = "a an the any our yet t really have has under in";
    let is = |list: &str, at: usize| list.split(' ').any(|word| word == among[at].word);
    let mut at = start;
    while at > 0 && start - at < 4 && among[at].gap < Gap::Comma {
        at -= 1;
        if is(DENIALS, at) {
            return true;
        }
        if !is(BETWEEN, at) {
            return false;
        }
    }
    false
}

fn denied_after(among: &[Token], end: usize) -> bool {
    const DENIED: [&str; 10] = [
        "not apply",
        "t apply",
        "not relevant",
        "not needed",
        "not matter",
        "t matter",
        "not a concern",
        "not an issue",
        "no concern",
        "out of scope",
    ];
    const VERBS: &str = "does do is are was were will would doesn don isn aren";
    let joined = |token: &Token| token.gap < Gap::Comma;
    let verb = among.get(end).filter(|token| joined(token) && VERBS.split(' ').any(|word| word == token.word));
    let rest: Vec<&str> =
        among.iter().skip(end + 1).take_while(|token| joined(token)).take(3).map(|token| token.word.as_str()).collect();
    verb.is_some() && DENIED.iter().any(|words| format!("{} ", rest.join(" ")).starts_with(&format!("{words} ")))
}

/// A text parted into what it states and what it asks.
pub(super) fn stated_and_asked(text: &str) -> (String, String) {
    const ASKING: &str = "is are should shall can could would does which what how why whether";
    let (mut states, mut asks) = (String::new(), String::new());
    let ends = |c: char| matches!(c, '.' | '?' | '!' | '\n' | '？' | '。');
    let mut rest = text;
    while !rest.is_empty() {
        // A full stop inside a name such as `Node.js` ends nothing.
        let stops = |(at, c): &(usize, char)| {
            let after = rest[at + c.len_utf8()..].chars().next();
            let short = rest[..*at].ends_with(" vs") || rest[..*at].ends_with(" etc") || rest[..*at].ends_with(" bzw");
            ends(*c) && (*c != '.' || (after.is_none_or(char::is_whitespace) && !short))
        };
        let end = rest.char_indices().find(stops).map_or(rest.len(), |(at, c)| at + c.len_utf8());
        let sentence;
        (sentence, rest) = rest.split_at(end);
        let first = tokens(sentence).into_iter().next().map(|token| token.word).unwrap_or_default();
        let question = sentence.ends_with(['?', '？']) || ASKING.split_whitespace().any(|word| word == first);
        if question { asks.push_str(sentence) } else { states.push_str(sentence) }
    }
    (states, asks)
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

/// A clause made the start of a sentence; a name like `gRPC` is left as it is written.
pub(super) fn opening_with(clause: &str) -> String {
    let first = clause.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if first.chars().skip(1).any(char::is_uppercase) {
        return clause.to_owned();
    }
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
    fn phrases_are_whole_words_in_any_case_and_bug_a_denial_with_an_article_or_after_was_not_heard() {
        check("key value", "A Key-Value store", Some("Key Value"));
        check("rest", "We are restless", None);
        check("partner", "for our PARTNERS", Some("PARTNERS"));
        check("größe", "Die Größe zählt", Some("Größe"));
        check("{1-5} developers", "We are Two developers", Some("Two developers"));
        check("{1-5} developers", "a team of 3 developers", Some("3 developers"));
        check("{1-5} developers", "12 developers", None);
        check("deadline", "there is no deadline", None);
        check("startup", "We are not a startup any more", None);
        check("startup", "no longer a startup", None);
        check("tight budget", "we do not have a tight budget", None);
        check("hipaa", "HIPAA does not apply to us", None);
        check("hipaa", "HIPAA doesn't apply to us", None);
        check("gdpr", "The GDPR is not optional", Some("GDPR"));
        check("startup", "not only a startup", Some("startup"));
        check("deadline", "no deadline yet, but a deadline in May", Some("deadline"));
        check("", "anything", None);
    }

    #[test]
    fn letters_are_compared_in_one_form() {
        check("graphql", "ＲＥＳＴ　ｏｒ　ＧｒａｐｈＱＬ", Some("GraphQL"));
        check("cafe", "Cafe\u{301} au lait", Some("Café"));
        check("mongodb", "PostgreSQL还是MongoDB？", Some("MongoDB"));
        check("grosse", "Größe", Some("Größe"));
        check("strasse", "Straße", Some("Straße"));
        check("monorepo", "mono-repo or not", Some("mono repo"));
        check("multi tenant", "a multitenant product", Some("multitenant"));
        check("mono repo", "mono, repo", Some("mono repo"));
    }

    #[test]
    fn signs_between_words_part_them() {
        let gaps = |text: &str| tokens(text).iter().map(|token| token.gap).collect::<Vec<_>>();
        assert_eq!(gaps("a b-c, d"), [Gap::Clause, Gap::Space, Gap::Hyphen, Gap::Comma]);
        assert_eq!(gaps("Node.js: x. y"), [Gap::Clause, Gap::Space, Gap::Clause, Gap::Clause]);
        assert_eq!(gaps("a - b、c"), [Gap::Clause, Gap::Space, Gap::Comma]);
    }

    #[test]
    fn sentences_join_without_breaking_names() {
        assert_eq!(within("Every client can call it."), "every client can call it.");
        assert_eq!(within("OpenAPI gives documents."), "OpenAPI gives documents.");
        assert_eq!(within("URLs cache well."), "URLs cache well.");
        assert_eq!(opening_with("a modular monolith"), "A modular monolith");
        assert_eq!(opening_with("gRPC between services"), "gRPC between services");
        assert_eq!(listed(&["a", "b", "c"], "and"), "a, b and c");
        assert_eq!(without_comments("a <!-- two developers --> b <!-- open"), "a  b ");
    }
}
