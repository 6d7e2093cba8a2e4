//! A look ahead in braces: marks of structure, keys, comments, and what else can stand at a place.
//! Given a text and a place; says what is there. It changes nothing, and looks a bounded way.

use crate::lines::whole_key;
use crate::scalar::{pairs_with, quote};

/// How far a look ahead goes for a key.
pub(super) const LOOK: usize = 96;

/// The mark of structure that a character stands for; models of some languages write wide ones.
pub(super) fn structure(c: char) -> Option<char> {
    match c {
        '{' | '}' | '[' | ']' | '(' | ')' | ':' | ',' | ';' => Some(c),
        '\u{FF1A}' => Some(':'),
        '\u{FF0C}' | '\u{3001}' => Some(','),
        '\u{FF1B}' => Some(';'),
        '\u{FF5B}' => Some('{'),
        '\u{FF5D}' => Some('}'),
        '\u{FF3B}' | '\u{3010}' => Some('['),
        '\u{FF3D}' | '\u{3011}' => Some(']'),
        _ => None,
    }
}

pub(super) fn is_separator(c: char) -> bool {
    matches!(structure(c), Some(',' | ';'))
}

pub(super) fn is_closer(c: char) -> bool {
    matches!(structure(c), Some('}' | ']' | ')'))
}

pub(super) struct Key<'t> {
    pub name: &'t str,
    pub quoted: bool,
    pub end: usize,
}

/// A look ahead: it moves on its own and changes nothing.
#[derive(Clone, Copy)]
pub(super) struct Ahead<'t> {
    pub text: &'t str,
    pub pos: usize,
}

impl<'t> Ahead<'t> {
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn opens_quote(&self) -> bool {
        self.peek().is_some_and(|c| quote(c).is_some())
    }

    /// Passes white space; whether a line break was in it.
    pub(super) fn pass_space(&mut self) -> bool {
        let rest = self.rest();
        let blank = rest.len() - rest.trim_start().len();
        self.pos += blank;
        rest[..blank].contains('\n')
    }

    pub(super) fn begins_note(&self) -> bool {
        let rest = self.rest();
        rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#')
    }

    pub(super) fn pass_space_and_notes(&mut self) {
        loop {
            self.pass_space();
            let rest = self.rest();
            if rest.starts_with("//") || rest.starts_with('#') {
                self.pos += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.pos += rest.find("*/").map_or(rest.len(), |at| at + 2);
            } else {
                return;
            }
        }
    }

    pub(super) fn pass_blank(&mut self) -> usize {
        let mut commas = 0;
        loop {
            self.pass_space_and_notes();
            match self.peek() {
                Some(c) if is_separator(c) => {
                    commas += 1;
                    self.pos += c.len_utf8();
                }
                _ => return commas,
            }
        }
    }

    pub(super) fn at_fence(&self) -> bool {
        self.rest().starts_with("```") || self.rest().starts_with("~~~")
    }

    /// Whether a closer here really closes: after it and its like comes the end of a line, a separator or nothing.
    pub(super) fn closer_is_plausible(&self) -> bool {
        let rest = &self.rest()[..floor(self.rest(), LOOK)];
        let rest = rest.trim_start_matches(|c: char| is_closer(c) || c == ' ' || c == '\t');
        rest.chars().next().is_none_or(|c| matches!(c, '\n' | '/' | '#') || is_separator(c) || quote(c).is_some())
    }

    /// Whether a key in quotes and an arrow stand here: `'position' => …`.
    pub(super) fn arrow_follows(&self) -> bool {
        let mut ahead = *self;
        ahead.pass_space();
        ahead.opens_quote() && ahead.key().is_some_and(|key| self.text[..key.end].ends_with("=>"))
    }

    /// The length of a call on a text: `.to_string()`, `.into()`, `.freeze`.
    pub(super) fn method(&self) -> usize {
        let Some(rest) = self.rest().strip_prefix('.') else { return 0 };
        let len = rest.bytes().take(24).take_while(|b| b.is_ascii_alphabetic() || *b == b'_').count();
        match rest[len..].starts_with("()") {
            true if len > 0 => 1 + len + 2,
            _ if &rest[..len] == "freeze" => 7,
            _ => 0,
        }
    }

    /// The place of the opening mark of a value with a type or a function before it: `vec![`, `[]string{`,
    /// `listOf(`, `Some(`, `%{`.
    pub(super) fn constructor(&self) -> Option<usize> {
        let rest = self.rest();
        let window = &rest[..floor(rest, 40)];
        let len = window.find(|c: char| {
            !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '!' | '%' | '<' | '>' | '&' | '*'))
        })?;
        let open = window[len..].chars().next().filter(|c| matches!(c, '(' | '{' | '['))?;
        let name = &window[..len];
        if name.is_empty() || name.ends_with(':') || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut ahead = Ahead { text: self.text, pos: self.pos + len + open.len_utf8() };
        ahead.pass_space();
        let next = ahead.peek()?;
        let holds = quote(next).is_some()
            || is_closer(next)
            || matches!(next, '{' | '[')
            || ahead.key().is_some()
            || ahead.constructor_next();
        holds.then_some(self.pos + len)
    }

    /// A constructor inside a constructor, one step deep: `Some(String::from("x"))`.
    pub(super) fn constructor_next(&self) -> bool {
        let rest = self.rest();
        let window = &rest[..floor(rest, 40)];
        let len = window.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'!')).count();
        len > 0 && window[len..].starts_with(['(', '{', '[']) && window[len + 1..].starts_with(['"', '\''])
    }

    /// The key and its colon (or `=`, `=>`) at this place.
    pub(super) fn key(&self) -> Option<Key<'t>> {
        let rest = self.rest();
        let window = &rest[..floor(rest, LOOK)];
        let first = window.chars().next()?;
        if quote(first).is_some() {
            let inside = &window[first.len_utf8()..];
            for (at, c) in inside.char_indices() {
                if c == '\n' {
                    // `"concerns: [`: the key lost its closing quote.
                    let (name, rest) = inside[..at].split_once(':')?;
                    let value = rest.trim_start().starts_with(['[', '{'])
                        && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
                    let end = self.pos + first.len_utf8() + name.len() + 1;
                    return value.then_some(Key { name, quoted: true, end });
                }
                if pairs_with(first, c) {
                    let after = self.pos + first.len_utf8() + at + c.len_utf8();
                    let name = inside[..at].trim();
                    // `"position: "…"`: the quote that should close the key opens its value.
                    if let Some(name) = name.strip_suffix([':', '\u{FF1A}']).filter(|_| self.colon(after).is_none()) {
                        return Some(Key { name: name.trim_end(), quoted: true, end: after - c.len_utf8() });
                    }
                    let end = self.colon(after).or_else(|| self.value_without_colon(after))?;
                    return Some(Key { name, quoted: true, end });
                }
            }
            return None;
        }
        // Symbols and variables: `:position`, `$position`.
        let sigil =
            usize::from(matches!(first, ':' | '$' | '@') && window[1..].starts_with(|c: char| c.is_alphabetic()));
        if sigil == 1 {
            let name = window[1..]
                .bytes()
                .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'?'))
                .count();
            let after = self.pos + 1 + name;
            let end = self.colon(after).or_else(|| self.value_without_colon(after))?;
            return Some(Key { name: &window[1..1 + name], quoted: true, end });
        }
        let len = window.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '*' | '/')))?;
        let len = whole_key(window, len);
        let name = window[..len].trim().trim_matches('*');
        let end =
            self.pos + len + window[len..].chars().next().filter(|c| quote(*c).is_some()).map_or(0, char::len_utf8);
        let begins = name.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_');
        begins.then_some(())?;
        Some(Key { name, quoted: false, end: self.colon(end)? })
    }

    /// The place of a value that follows its key without a colon, on the same line.
    pub(super) fn value_without_colon(&self, from: usize) -> Option<usize> {
        let rest = self.text[from..].strip_prefix([' ', '\t'])?.trim_start_matches([' ', '\t']);
        let value = rest.starts_with(['"', '[', '{']) || rest.starts_with(|c: char| c.is_ascii_digit());
        (value || rest.starts_with("null")).then(|| self.text.len() - rest.len())
    }

    /// The place behind a colon, `=` or `=>`.
    pub(super) fn colon(&self, from: usize) -> Option<usize> {
        let rest = self.text[from..].trim_start_matches([' ', '\t']);
        let at = self.text.len() - rest.len();
        let c = rest.chars().next()?;
        if structure(c) == Some(':') {
            let at = at + c.len_utf8();
            return Some(if self.text[at..].starts_with('=') { at + 1 } else { at });
        }
        if let Some(len) = ["=>", "->"].iter().find(|arrow| rest.starts_with(**arrow)).map(|arrow| arrow.len()) {
            return Some(at + len);
        }
        (c == '=' && !rest.starts_with("==")).then_some(at + 1)
    }
}

/// The greatest character boundary up to `len`.
pub(super) fn floor(text: &str, len: usize) -> usize {
    let mut at = len.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
