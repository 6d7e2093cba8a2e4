//! Makes text from outside safe to show and to keep: a topic, a model's reply, an attached file.
//! Given any text; hands on the same text without terminal sequences, control characters, direction
//! overrides and invisible characters, and says how much of each was taken out. One pass, linear time.
//! Deliberately absent: limits on length (the reader of each input has its own) and any change to
//! letters, so right-to-left scripts and emoji stay as they are.

use std::borrow::Cow;

/// A text that is safe to show, and what was taken out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned<'a> {
    /// The text; borrowed where nothing had to change.
    pub text: Cow<'a, str>,
    /// What was taken out.
    pub removed: Removed,
}

/// How much was taken out of a text, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Removed {
    /// Whole terminal sequences (colours, titles, cursor moves).
    pub sequences: usize,
    /// Single control characters.
    pub controls: usize,
    /// Characters that override the direction of text.
    pub directions: usize,
    /// Characters that nobody sees.
    pub invisibles: usize,
}

impl Removed {
    /// Whether anything was taken out.
    pub fn any(&self) -> bool {
        *self != Self::default()
    }

    /// One phrase for people, for example "2 terminal sequences and 1 control character"; empty if nothing.
    pub fn describe(&self) -> String {
        let kinds = [
            (self.sequences, "terminal sequence"),
            (self.controls, "control character"),
            (self.directions, "text direction mark"),
            (self.invisibles, "invisible character"),
        ];
        let parts: Vec<String> = kinds
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}{}", if *count == 1 { "" } else { "s" }))
            .collect();
        match parts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
            None => String::new(),
        }
    }
}

/// Cleans a text of one or many lines; line breaks become `\n`, tabs stay.
pub fn clean_text(raw: &str) -> Cow<'_, str> {
    clean(raw).text
}

/// Cleans a text into one line: line breaks and runs of blanks become one space, the ends are trimmed.
pub fn clean_line(raw: &str) -> Cow<'_, str> {
    match clean(raw).text {
        Cow::Borrowed(text) if is_one_line(text) => Cow::Borrowed(text),
        text => Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

fn is_one_line(text: &str) -> bool {
    let mut before = ' ';
    for c in text.chars() {
        if c.is_whitespace() && (c != ' ' || before == ' ') {
            return false;
        }
        before = c;
    }
    text.is_empty() || before != ' '
}

/// Cleans a text and counts what was taken out.
pub fn clean(raw: &str) -> Cleaned<'_> {
    // Most text is clean: look before copying.
    let Some(first) = raw.char_indices().find(|(_, c)| sort(*c) != Sort::Plain) else {
        return Cleaned { text: Cow::Borrowed(raw), removed: Removed::default() };
    };
    let mut wash = Wash { out: String::with_capacity(raw.len()), removed: Removed::default() };
    wash.out.push_str(&raw[..first.0]);
    let mut rest = &raw[first.0..];
    while let Some(c) = rest.chars().next() {
        rest = wash.take(c, &rest[c.len_utf8()..]);
    }
    Cleaned { text: Cow::Owned(wash.out), removed: wash.removed }
}

struct Wash {
    out: String,
    removed: Removed,
}

impl Wash {
    /// Takes one character (or the sequence it opens) and gives back what is left of the input.
    fn take<'a>(&mut self, c: char, rest: &'a str) -> &'a str {
        match sort(c) {
            Sort::Plain => self.out.push(c),
            Sort::Blank => self.out.push(' '),
            Sort::Break => {
                self.out.push('\n');
                if c == '\r' {
                    return rest.strip_prefix('\n').unwrap_or(rest);
                }
            }
            Sort::Opens(kind) => {
                self.removed.sequences += 1;
                return after_sequence(kind, rest);
            }
            Sort::Control => self.removed.controls += 1,
            Sort::Direction => self.removed.directions += 1,
            Sort::Joiner if self.joins(c, rest) => self.out.push(c),
            Sort::Selector if self.selects() => self.out.push(c),
            Sort::Joiner | Sort::Selector | Sort::Invisible => self.removed.invisibles += 1,
        }
        rest
    }

    /// A joiner means something between two emoji, and between letters of scripts that join
    /// (Persian words are misspelt without it). Anywhere else it only hides.
    fn joins(&self, joiner: char, rest: &str) -> bool {
        // An emoji carries two modifiers at most: looking no further back keeps this linear.
        let before = self.out.chars().rev().take(3).find(|c| !is_emoji_modifier(*c));
        let (Some(before), Some(after)) = (before, rest.chars().next()) else {
            return false;
        };
        (joiner == '\u{200D}' && is_emoji(before) && is_emoji(after)) || (is_joining(before) && is_joining(after))
    }

    /// A selector chooses the look of the character before it; a second one selects nothing.
    fn selects(&self) -> bool {
        self.out.chars().next_back().is_some_and(|c| is_emoji(c) || c.is_ascii_digit() || c == '#' || c == '*')
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Plain,
    Blank,
    Break,
    Opens(Opens),
    Control,
    Direction,
    Joiner,
    Selector,
    Invisible,
}

/// How a terminal sequence opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opens {
    /// ESC: what follows decides.
    Escape,
    /// Parameters up to one final byte.
    Csi,
    /// A text up to a terminator (OSC, DCS, SOS, PM, APC).
    Text,
}

fn sort(c: char) -> Sort {
    match c {
        ' '..='~' | '\n' | '\t' => Sort::Plain,
        '\u{1B}' => Sort::Opens(Opens::Escape),
        '\u{9B}' => Sort::Opens(Opens::Csi),
        '\u{90}' | '\u{98}' | '\u{9D}' | '\u{9E}' | '\u{9F}' => Sort::Opens(Opens::Text),
        '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Sort::Break,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' => Sort::Control,
        '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' => Sort::Blank,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => Sort::Direction,
        '\u{200C}' | '\u{200D}' => Sort::Joiner,
        '\u{FE0E}' | '\u{FE0F}' => Sort::Selector,
        '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}' => {
            Sort::Invisible
        }
        '\u{200B}' | '\u{2060}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0D}' => {
            Sort::Invisible
        }
        '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{FFFE}' | '\u{FFFF}' | '\u{FDD0}'..='\u{FDEF}' => {
            Sort::Invisible
        }
        // Shorthand and musical format characters, and the tags that smuggle hidden ASCII.
        '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}' => Sort::Invisible,
        _ => Sort::Plain,
    }
}

/// What is left behind the sequence whose opening was just read.
fn after_sequence(kind: Opens, rest: &str) -> &str {
    match kind {
        Opens::Csi => after_csi(rest),
        Opens::Text => after_text(rest),
        Opens::Escape => match rest.as_bytes().first() {
            Some(b'[') => after_csi(&rest[1..]),
            Some(b']' | b'P' | b'X' | b'^' | b'_') => after_text(&rest[1..]),
            Some(0x20..=0x2F) => after_run(rest, |b| (0x20..=0x2F).contains(&b), |b| (0x30..=0x7E).contains(&b)),
            Some(0x30..=0x7E) => &rest[1..],
            _ => rest,
        },
    }
}

fn after_csi(rest: &str) -> &str {
    after_run(rest, |b| (0x20..=0x3F).contains(&b), |b| (0x40..=0x7E).contains(&b))
}

/// Skips a run of ASCII bytes and its final byte; a sequence that breaks off ends where it breaks.
fn after_run(rest: &str, inside: fn(u8) -> bool, last: fn(u8) -> bool) -> &str {
    let bytes = rest.as_bytes();
    let end = bytes.iter().position(|b| !inside(*b)).unwrap_or(bytes.len());
    let end = if bytes.get(end).is_some_and(|b| last(*b)) { end + 1 } else { end };
    // Only ASCII was passed, so this is a character boundary.
    &rest[end..]
}

/// Skips the payload of a text sequence. Without a terminator only its opening goes, so that one stray
/// byte cannot swallow a whole reply. The next opening ends the search: each stretch is looked at once.
fn after_text(rest: &str) -> &str {
    let ends = |c: char| matches!(c, '\u{7}' | '\u{9C}') || matches!(sort(c), Sort::Opens(_));
    let Some(at) = rest.find(ends) else {
        return rest;
    };
    let tail = &rest[at..];
    tail.strip_prefix("\u{1B}\\").or_else(|| tail.strip_prefix(['\u{7}', '\u{9C}'])).unwrap_or(rest)
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1F000}'..='\u{1FAFF}' | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{25A0}'..='\u{27BF}'
        | '\u{2900}'..='\u{297F}' | '\u{2B00}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
        | '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}')
}

fn is_emoji_modifier(c: char) -> bool {
    matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
}

/// Arabic, Syriac, N'Ko and the scripts of India: there a joiner changes the spelling.
fn is_joining(c: char) -> bool {
    matches!(c, '\u{620}'..='\u{8FF}' | '\u{900}'..='\u{DFF}' | '\u{FB50}'..='\u{FDCF}' | '\u{FE70}'..='\u{FEFC}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, text: &str, removed: [usize; 4]) {
        let cleaned = clean(raw);
        let r = cleaned.removed;
        assert_eq!(cleaned.text, text, "{raw:?}");
        assert_eq!([r.sequences, r.controls, r.directions, r.invisibles], removed, "{raw:?}");
        assert_eq!(clean(&cleaned.text).text, cleaned.text, "cleaning twice changes {raw:?}");
    }

    #[test]
    fn plain_text_is_not_copied() {
        for raw in ["", "REST vs GraphQL", "two\nlines\tand a tab", "حدود النظام", "日本語 全角", "naïve café"]
        {
            assert!(matches!(clean_text(raw), Cow::Borrowed(text) if text == raw), "{raw:?}");
        }
    }

    #[test]
    fn terminal_sequences_go_as_a_whole() {
        check("\x1b[31mred\x1b[0m", "red", [2, 0, 0, 0]);
        check("\x1b[2J\x1b[1;1Hhi", "hi", [2, 0, 0, 0]);
        check("\u{9b}31mred", "red", [1, 0, 0, 0]);
        check("\x1b]0;title\x07text", "text", [1, 0, 0, 0]);
        check("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link", [2, 0, 0, 0]);
        check("\u{9d}0;title\u{9c}text", "text", [1, 0, 0, 0]);
        check("\x1bPq#0;2;0\x1b\\after", "after", [1, 0, 0, 0]);
        check("\x1b_hidden\x1b\\shown\x1b^hidden\u{9c}", "shown", [2, 0, 0, 0]);
        check("\x1b(Bplain\x1bc", "plain", [2, 0, 0, 0]);
        check("\x1b\x1b[31mred", "red", [2, 0, 0, 0]);
    }

    #[test]
    fn a_broken_sequence_takes_no_text_with_it() {
        check("\x1b]0;never closed", "0;never closed", [1, 0, 0, 0]);
        check("\x1b]0;a\x1b[1mb", "0;ab", [2, 0, 0, 0]);
        check("\x1b[31", "", [1, 0, 0, 0]);
        check("\x1b[31é", "é", [1, 0, 0, 0]);
        check("end\x1b", "end", [1, 0, 0, 0]);
    }

    #[test]
    fn controls_go_and_every_line_break_is_one_newline() {
        check("a\0b\x08c\x7fd\u{80}e", "abcde", [0, 4, 0, 0]);
        check("a\r\nb\rc\u{85}d\u{2028}e\x0cf", "a\nb\nc\nd\ne\nf", [0; 4]);
        check("a\u{a0}b\u{202f}c", "a b c", [0; 4]);
    }

    #[test]
    fn direction_overrides_and_hidden_characters_go() {
        check("admin\u{202e}nimda\u{2066}x", "adminnimdax", [0, 0, 2, 0]);
        check("pass\u{200b}word\u{feff}\u{ad}\u{2060}", "password", [0, 0, 0, 4]);
        check("x\u{e0041}\u{e0042}\u{e0100}", "x", [0, 0, 0, 3]);
        check("a\u{200d}b\u{200c}c", "abc", [0, 0, 0, 2]);
    }

    #[test]
    fn emoji_and_joining_scripts_keep_what_they_need() {
        for raw in
            ["👩\u{200d}💻 or 👍🏽?", "🧑🏽\u{200d}🚀", "❤\u{fe0f}\u{200d}🔥", "1\u{fe0f}\u{20e3}", "می\u{200c}خواهم"]
        {
            check(raw, raw, [0; 4]);
        }
        check("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}", [0, 0, 0, 1]);
    }

    #[test]
    fn a_line_is_one_line() {
        for (raw, line) in [
            ("  a \n\n b\t c  ", "a b c"),
            ("a\x1b[0m\r\nb", "a b"),
            ("already one line", "already one line"),
            (" \u{200b}\n", ""),
            ("two  spaces", "two spaces"),
        ] {
            assert_eq!(clean_line(raw), line, "{raw:?}");
        }
        assert!(matches!(clean_line("already one line"), Cow::Borrowed(_)));
    }

    #[test]
    fn what_was_removed_is_said_in_words() {
        assert_eq!(
            clean("\x1b[1mx\0\0\u{200b}").removed.describe(),
            "1 terminal sequence, 2 control characters and 1 invisible character"
        );
        assert_eq!(clean("\u{202e}x").removed.describe(), "1 text direction mark");
        assert_eq!(clean("x").removed.describe(), "");
        assert!(!clean("x").removed.any());
    }

    /// Each of these took time by the square with a naive search; 2 MB of it would then take hours, so
    /// coming back at all is the proof.
    #[test]
    fn hostile_text_is_cleaned_in_linear_time() {
        for piece in ["\x1b]", "\u{9d}", "\x1b[", "\x1b[1;", "\u{200d}\u{1f3fb}", "\x1bP\x1b", "\u{fe0f}"] {
            let cleaned = clean(&piece.repeat(500_000)).text.into_owned();
            assert!(!cleaned.contains(['\x1b', '\u{9d}', '\u{200d}', '\u{fe0f}']), "{piece:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_comes_in_what_goes_out_is_safe_and_stays_so(
            pieces in proptest::collection::vec(piece(), 0..40),
        ) {
            let raw = pieces.concat();
            let cleaned = clean(&raw);
            let unsafe_left = |c: char| !matches!(sort(c), Sort::Plain | Sort::Joiner | Sort::Selector);
            proptest::prop_assert!(!cleaned.text.contains(unsafe_left), "{:?}", cleaned.text);
            let again = clean(&cleaned.text);
            proptest::prop_assert_eq!(&again.text, &cleaned.text);
            proptest::prop_assert!(!again.removed.any());
            let line = clean_line(&raw);
            proptest::prop_assert!(is_one_line(&line), "{:?}", line);
            proptest::prop_assert_eq!(clean_line(&line), line.clone());
        }
    }

    /// Text made of what matters here: openings, terminators, joiners, marks, emoji and letters.
    fn piece() -> impl proptest::strategy::Strategy<Value = String> {
        const TELLING: &[&str] = &[
            "\x1b", "[", "]", "\\", "P", "31m", "\u{7}", "\u{9b}", "\u{9c}", "\u{9d}", "\r", "\n", "\t", " ", "\u{a0}",
            "\u{200b}", "\u{200c}", "\u{200d}", "\u{fe0f}", "\u{202e}", "👩", "🏽", "❤", "م", "x", "é", "\u{3000}",
        ];
        use proptest::strategy::Strategy;
        proptest::prop_oneof![
            4 => proptest::sample::select(TELLING).prop_map(str::to_owned),
            1 => proptest::prelude::any::<String>(),
        ]
    }
}
