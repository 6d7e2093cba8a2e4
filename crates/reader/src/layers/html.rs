//! A page of HTML as the Markdown it means, and the letters that HTML and XML write with names.
//! Given the text; hands on what its tags and entities say.

use std::borrow::Cow;

const HTML_TAGS: [&str; 22] = [
    "p", "div", "ul", "ol", "li", "br", "strong", "b", "em", "i", "h1", "h2", "h3", "h4", "pre", "code", "html",
    "body", "span", "section", "article", "hr",
];

/// Whether the text is a page: it begins with a tag of HTML.
pub(super) fn is_html(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('<') else { return false };
    let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    name.eq_ignore_ascii_case("doctype")
        || rest.starts_with("!DOCTYPE")
        || HTML_TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name))
}

/// A page as Markdown: what the tags mean, line by line.
pub(super) fn from_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&entities(&rest[..at]));
        let tail = &rest[at + 1..];
        let close = tail.bytes().take(200).position(|b| b == b'>');
        let name: &str =
            tail.trim_start_matches(['/', '!']).split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let known = HTML_TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name)) || name.eq_ignore_ascii_case("doctype");
        let (Some(close), true) = (close, known) else {
            out.push('<');
            rest = tail;
            continue;
        };
        let closing = tail.starts_with('/');
        match (name.to_ascii_lowercase().as_str(), closing) {
            ("li", false) => out.push_str("\n- "),
            ("strong" | "b", _) => out.push_str("**"),
            ("em" | "i" | "span" | "code", _) => {}
            ("h1" | "h2" | "h3" | "h4", false) => out.push_str("\n## "),
            ("li", true) => {}
            _ => out.push('\n'),
        }
        rest = &tail[close + 1..];
    }
    out.push_str(&entities(rest));
    out
}

/// The letters that HTML and XML write with names.
pub(crate) fn entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    const NAMES: [(&str, &str); 9] = [
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&mdash;", "\u{2014}"),
        ("&ndash;", "\u{2013}"),
        ("&hellip;", "\u{2026}"),
        ("&amp;", "&"),
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        if let Some((name, letter)) = NAMES.iter().find(|(name, _)| tail.starts_with(name)) {
            out.push_str(letter);
            rest = &tail[name.len()..];
        } else if let Some((letter, len)) = numbered_letter(tail) {
            out.push(letter);
            rest = &tail[len..];
        } else {
            out.push('&');
            rest = &tail[1..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// `&#39;`, `&#x27;`.
fn numbered_letter(text: &str) -> Option<(char, usize)> {
    let inside = text.strip_prefix("&#")?;
    let len = inside.bytes().take(8).position(|b| b == b';')?;
    let digits = &inside[..len];
    let number = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((char::from_u32(number)?, len + 3))
}
