//! Names made from text: slugs, and the id of a session (S1).
//! Is given a topic or a point; hands on a name that is safe as a file name, in a URL and in a
//! shell. Deliberately absent: uniqueness, which only whoever keeps the names can tell.

use jiff::Timestamp;

/// The longest slug.
pub const MAX_SLUG: usize = 30;

/// The slug where a text has no letter or digit that can be kept.
pub const NO_SLUG: &str = "session";

/// A short name of a text: `a`–`z`, `0`–`9` and single hyphens, at most [`MAX_SLUG`] characters,
/// never cut inside a word unless its first word alone is longer, never empty.
pub fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(MAX_SLUG);
    for word in words(text) {
        let needed = word.len() + usize::from(!slug.is_empty());
        if slug.len() + needed > MAX_SLUG {
            if slug.is_empty() {
                slug.push_str(&word[..MAX_SLUG]);
            }
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word);
    }
    if slug.is_empty() { NO_SLUG.to_owned() } else { slug }
}

/// The id of a session that starts now: `{YYYYMMDD-HHMMSS}-{slug}`, in UTC.
pub fn session_id(now: Timestamp, topic: &str) -> String {
    format!("{}-{}", now.strftime("%Y%m%d-%H%M%S"), slug(topic))
}

/// The id of a person's seat, from their name: it keeps the letters of every script, and may be empty.
pub fn seat_id(name: &str) -> String {
    conflict_id(name)
}

/// The longest id of a conflict: longer than a slug, because two disagreements that begin with the
/// same words must not become one.
const MAX_CONFLICT_ID: usize = 48;

/// The id of a conflict, from the id or the words it was given: a slug that keeps the letters of every
/// script, because it is never a file name and `session` for every claim in Japanese would merge them.
pub(crate) fn conflict_id(text: &str) -> String {
    let mut id = String::with_capacity(MAX_CONFLICT_ID);
    let mut length = 0;
    for word in text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’'))).take(MAX_CONFLICT_ID) {
        let letters = || word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
        let needed = letters().take(MAX_CONFLICT_ID + 1).count();
        if needed == 0 {
            continue;
        }
        let joint = usize::from(length > 0);
        if length + joint + needed > MAX_CONFLICT_ID {
            if length == 0 {
                id.extend(letters().take(MAX_CONFLICT_ID));
            }
            break;
        }
        if joint == 1 {
            id.push('-');
        }
        id.extend(letters());
        length += joint + needed;
    }
    if id.is_empty() { "conflict".to_owned() } else { id }
}

/// The words of a text in plain lower-case letters and digits. An apostrophe joins (`don't` → `dont`).
fn words(text: &str) -> impl Iterator<Item = String> {
    // A topic can be 10 kB; nothing past the first few hundred characters can reach the slug.
    let start = text.char_indices().nth(MAX_SCANNED).map_or(text, |(end, _)| &text[..end]);
    start
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’')))
        .map(|word| word.chars().flat_map(char::to_lowercase).filter_map(plain).collect::<String>())
        .filter(|word| !word.is_empty())
}

/// How far into a text words are looked for.
const MAX_SCANNED: usize = 600;

/// The plain letters of one lower-case character; none where it has no common Latin reading.
fn plain(c: char) -> Option<&'static str> {
    const ASCII: &str = "0123456789abcdefghijklmnopqrstuvwxyz";
    if c.is_ascii() {
        return ASCII.find(c).map(|at| &ASCII[at..=at]);
    }
    TRANSLITERATED.iter().find(|(from, _)| from.contains(c)).map(|(_, to)| *to)
}

/// Accented and joined letters of the Latin script, with what people type for them.
const TRANSLITERATED: &[(&str, &str)] = &[
    ("àáâãåāăą", "a"),
    ("äæ", "ae"),
    ("çćĉċč", "c"),
    ("ďđð", "d"),
    ("èéêëēĕėęě", "e"),
    ("ĝğġģ", "g"),
    ("ĥħ", "h"),
    ("ìíîïĩīĭįı", "i"),
    ("ĵ", "j"),
    ("ķ", "k"),
    ("ĺļľŀł", "l"),
    ("ñńņňŉ", "n"),
    ("òóôõōŏő", "o"),
    ("öøœ", "oe"),
    ("ŕŗř", "r"),
    ("śŝşšș", "s"),
    ("ß", "ss"),
    ("ţťŧț", "t"),
    ("þ", "th"),
    ("ùúûũūŭůűų", "u"),
    ("ü", "ue"),
    ("ŵ", "w"),
    ("ýÿŷ", "y"),
    ("źżž", "z"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(slug(text), expected, "{text:?}");
    }

    #[test]
    fn s1_slug_is_lower_case_with_hyphens() {
        check("REST vs GraphQL for our public API", "rest-vs-graphql-for-our-public");
        check("  --Hello,   World!-- ", "hello-world");
        check("C++ & Rust: don't panic", "c-rust-dont-panic");
        check("Über café, naïve Straße", "ueber-cafe-naive-strasse");
        check("İstanbul", "istanbul");
    }

    #[test]
    fn s1_slug_is_never_cut_inside_a_word() {
        check("abcdefghij abcdefghij abcdefgh", "abcdefghij-abcdefghij-abcdefgh");
        check("abcdefghij abcdefghij abcdefghi", "abcdefghij-abcdefghij");
        check(&"x".repeat(80), &"x".repeat(30));
        check(&format!("a {}", "x".repeat(80)), "a");
    }

    #[test]
    fn s1_slug_is_never_empty_and_never_a_path() {
        for text in ["", "   ", "../..", "😀😀", "日本語", "\u{202e}\u{0}\n", "......", "שלום"] {
            check(text, "session");
        }
        check("../../etc/passwd", "etc-passwd");
        check("日本語 API", "api");
        check(&"長い ".repeat(5000), "session");
    }

    #[test]
    fn s1_session_id_is_the_utc_time_and_the_slug() {
        let now: Timestamp = "2026-03-04T05:06:07.89+02:00".parse().unwrap();
        assert_eq!(session_id(now, "Sign-in: OIDC?"), "20260304-030607-sign-in-oidc");
    }
}
