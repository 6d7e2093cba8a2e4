//! Texts in braces: in quotes, in several quotes, without quotes; and where they end.
//! Given the place where one begins; a quote closes it only if what follows can follow a text.

use super::Flow;
use super::ahead::{Ahead, is_closer, is_separator, structure};
use crate::node::Node;
use crate::scalar::{Quote, pairs_with, quote, unescape};

impl<'t> Flow<'t, '_> {
    /// A string, or several that are joined with `+`.
    pub(super) fn strings(&mut self) -> Node<'t> {
        let first = self.string();
        self.pos += self.at(self.pos).method();
        let mut ahead = self.at(self.pos);
        ahead.pass_space_and_notes();
        let below = self.text[self.pos..ahead.pos].contains('\n') && self.in_map();
        let adjacent = |ahead: &Ahead<'_>| below && ahead.opens_quote() && !self.key_at(ahead.pos);
        if self.cut || (ahead.peek() != Some('+') && !adjacent(&ahead)) {
            return first;
        }
        let Node::Scalar(first) = first else { return first };
        let mut joined = first.text.into_owned();
        loop {
            let mut ahead = self.at(self.pos);
            ahead.pass_space_and_notes();
            if ahead.peek() == Some('+') {
                ahead.pos += 1;
                ahead.pass_space_and_notes();
            } else if !below || self.key_at(ahead.pos) {
                return Node::quoted(joined);
            }
            if self.cut || !ahead.opens_quote() {
                return Node::quoted(joined);
            }
            self.pos = ahead.pos;
            if let Node::Scalar(next) = self.string() {
                joined.push_str(&next.text);
            }
        }
    }

    fn string(&mut self) -> Node<'t> {
        let Some(open) = self.peek() else { return Node::plain("") };
        let kind = quote(open).unwrap_or(Quote::Double);
        let triple = match kind {
            Quote::Double => "\"\"\"",
            Quote::Single => "'''",
            Quote::Tick => "```",
        };
        if let Some(inside) = self.rest().strip_prefix(triple)
            && let Some(len) = inside.find(triple)
        {
            self.pos += len + 2 * triple.len();
            self.doubt("read a text in triple quotes");
            return Node::quoted(inside[..len].strip_prefix('\n').unwrap_or(&inside[..len]));
        }
        let start = self.pos + open.len_utf8();
        let Some(end) = self.string_end(start, open) else {
            self.pos = self.restart.unwrap_or(self.text.len());
            self.cut = true;
            return Node::quoted(&self.text[start..self.pos]);
        };
        self.pos = end.after;
        let inside = &self.text[start..end.at];
        if open != '"' && !(self.in_yaml && open == '\'') {
            self.doubt("read a text in unusual quotes");
        }
        if end.loose {
            // Where the reply ends too, one of the quotes inside was the end of this text.
            self.cut |= self.rest().trim_start().is_empty();
            self.quotes |= holds_structure(inside);
            self.doubt("read a text with quotes inside or a quote missing");
        }
        if end.bare {
            return Node::plain(self.text[start - open.len_utf8()..end.at].trim().trim_end_matches(','));
        }
        if inside.contains('\n') {
            self.doubt("read a text with line breaks in its quotes");
        }
        if open == '\'' && inside.contains("''") {
            return Node::quoted(unescape(inside).replace("''", "'"));
        }
        Node::quoted(unescape(inside))
    }

    /// Where a string ends. A quote closes it if what follows can follow a string; any other quote is
    /// part of the text.
    fn string_end(&mut self, start: usize, open: char) -> Option<End> {
        let mut inner = 0usize;
        let mut blank_until = 0;
        let mut marks = self.text[start..].char_indices();
        while let Some((at, c)) = marks.next() {
            let at = start + at;
            match c {
                '\\' => {
                    marks.next();
                }
                '\n' if at < blank_until => {}
                '\n' => {
                    blank_until = self.behind_blank(at);
                    self.budget.pay_for_a_line();
                    if self.budget.spent() {
                        return None;
                    }
                    if self.restarts(blank_until) {
                        self.restart = Some(blank_until);
                        self.budget.pay(at - start);
                        return None;
                    }
                    if self.line_ends_string(start, at, open) {
                        self.budget.pay(at - start);
                        return Some(End { at, after: at, loose: true, bare: inner % 2 == 1 }.without_comma(self.text));
                    }
                }
                _ if pairs_with(open, c) => {
                    let after = at + c.len_utf8();
                    if self.closes(after) {
                        self.budget.pay(at - start);
                        return Some(End { at, after, loose: inner > 0, bare: false });
                    }
                    inner += 1;
                }
                _ => {}
            }
        }
        self.budget.pay(self.text.len() - start);
        None
    }

    /// Whether a line break ends a string that lost its closing quote: a known key, or a closer, or (in a
    /// list) another string begins the next line.
    fn line_ends_string(&self, start: usize, at: usize, open: char) -> bool {
        let line_from = self.text[start..at].rfind('\n').map_or(start, |n| start + n + 1);
        let line = self.text[line_from..at].trim_end();
        let mut ahead = self.at(at);
        ahead.pass_space();
        if self.in_map() {
            return self.known_key_at(ahead.pos);
        }
        let next = ahead.peek();
        let new_item = next.is_some_and(|next| pairs_with(open, next)) && line.ends_with(',');
        new_item || (next.and_then(structure) == Some(']') && !line.ends_with('[') && line_from == start)
    }

    /// Whether a quote here, followed by what stands at `after`, can end a string.
    fn closes(&self, after: usize) -> bool {
        let mut ahead = self.at(after);
        let broken = ahead.pass_space();
        let Some(c) = ahead.peek() else { return true };
        match structure(c) {
            Some('}') => return true,
            Some(']' | ')') => return ahead.closer_is_plausible(),
            Some(',' | ';') => {
                ahead.pos += c.len_utf8();
                return if self.in_map() { self.map_goes_on(ahead) } else { self.list_goes_on(ahead) };
            }
            _ => {}
        }
        if ahead.begins_note() || ahead.at_fence() || ahead.method() > 0 {
            return true;
        }
        if c == '+' {
            ahead.pos += 1;
            ahead.pass_space();
            return ahead.opens_quote();
        }
        if self.in_map() {
            // A text below a text continues it, as in Python.
            return self.key_at(ahead.pos) && (broken || quote(c).is_some()) || broken && quote(c).is_some();
        }
        broken && (quote(c).is_some() || matches!(structure(c), Some('{' | '['))) || self.known_key_at(ahead.pos)
    }

    /// Whether a comma before this place separates two pairs.
    fn map_goes_on(&self, mut ahead: Ahead<'t>) -> bool {
        let broken = ahead.pass_space();
        let Some(c) = ahead.peek() else { return true };
        let next_record = broken && structure(c) == Some('{');
        is_closer(c)
            || is_separator(c)
            || ahead.begins_note()
            || self.key_at(ahead.pos)
            || (broken && ahead.at_fence())
            || next_record
    }

    /// Whether a comma before this place separates two items.
    fn list_goes_on(&self, mut ahead: Ahead<'t>) -> bool {
        let broken = ahead.pass_space();
        let Some(c) = ahead.peek() else { return true };
        if broken || is_closer(c) || is_separator(c) || ahead.begins_note() {
            return true;
        }
        if quote(c).is_some() {
            // `"He said "yes", "no" and left"`: a closing quote cannot be followed by another one and a blank.
            return true;
        }
        if matches!(structure(c), Some('{' | '[')) || c.is_ascii_digit() {
            return true;
        }
        // A bare item: it ends before another quote begins.
        let item = ahead.rest().find(|c| is_separator(c) || is_closer(c) || c == '\n' || quote(c).is_some());
        item.is_some_and(|at| ahead.rest()[at..].starts_with(|c| is_separator(c) || is_closer(c)))
    }

    /// A value without quotes, up to what can end it.
    pub(super) fn bare(&mut self) -> Node<'t> {
        let start = self.pos;
        let in_map = self.in_map();
        let (mut brackets, mut parens, mut braces) = (0usize, 0usize, 0usize);
        let marks = self.rest().char_indices();
        let mut end = self.text.len();
        let mut open = true;
        let mut blank_until = 0;
        for (at, c) in marks {
            let at = start + at;
            let ends = match structure(c) {
                None if c == '/' => self.text[..at].ends_with([' ', '\t']) && self.at(at).begins_note(),
                None if c == '\n' && at < blank_until => false,
                None if c == '\n' => {
                    blank_until = self.behind_blank(at);
                    !in_map || self.line_ends_bare(at)
                }
                Some(',' | ';') if in_map => self.map_goes_on(self.at(at + c.len_utf8())),
                Some(',' | ';') => brackets + parens + braces == 0,
                Some('[') => bump(&mut brackets),
                Some('(') => bump(&mut parens),
                Some('{') => bump(&mut braces),
                Some(']') => drop_or_end(&mut brackets),
                Some(')') if parens > 0 => drop_or_end(&mut parens),
                Some(')') => self.at(at).closer_is_plausible() && in_map,
                Some('}') => drop_or_end(&mut braces),
                _ => false,
            };
            if ends {
                (end, open) = (at, false);
                break;
            }
        }
        self.pos = end;
        self.budget.pay(end - start);
        let mut text = self.text[start..end].trim();
        if let Some(unopened) = text.strip_suffix('"')
            && !unopened.contains('"')
        {
            self.doubt("read a text with quotes inside or a quote missing");
            text = unopened;
        }
        if open && !matches!(text, "null" | "true" | "false" | "None") {
            self.cut = true;
        }
        Node::plain(text)
    }

    /// Whether a new object begins here, in a fence or without.
    fn restarts(&self, at: usize) -> bool {
        let mut ahead = self.at(at);
        if ahead.at_fence() {
            let line = ahead.rest().lines().next().unwrap_or_default();
            ahead.pos += line.len();
            ahead.pass_space();
        }
        let Some(c) = ahead.peek().filter(|c| structure(*c) == Some('{')) else { return false };
        ahead.pos += c.len_utf8();
        ahead.pass_space();
        self.known_key_at(ahead.pos)
    }

    /// The end of the white space at a place: its line breaks need one look, not one each.
    fn behind_blank(&self, at: usize) -> usize {
        let mut ahead = self.at(at);
        ahead.pass_space();
        ahead.pos
    }

    fn line_ends_bare(&self, at: usize) -> bool {
        let mut ahead = self.at(at);
        ahead.pass_space();
        let Some(c) = ahead.peek() else { return true };
        is_closer(c) || is_separator(c) || ahead.begins_note() || ahead.at_fence() || self.key_at(ahead.pos)
    }
}

/// Whether a text with quotes inside looks as if it had swallowed others: a quote, a separator, an opening.
fn holds_structure(text: &str) -> bool {
    text.match_indices('"').any(|(at, _)| {
        let rest = text[at + 1..].trim_start();
        let behind = rest.strip_prefix([',', ':', ']', '}']).map(|rest| rest.trim_start_matches([',', ':', ' ', '\n']));
        behind.is_some_and(|rest| rest.starts_with(['"', '[', '{']))
    })
}

fn bump(count: &mut usize) -> bool {
    *count += 1;
    false
}

fn drop_or_end(count: &mut usize) -> bool {
    match count.checked_sub(1) {
        Some(less) => {
            *count = less;
            false
        }
        None => true,
    }
}

/// Where a string ends: its text, what follows, and how sure that is.
struct End {
    at: usize,
    after: usize,
    loose: bool,
    /// Its quotes belong to the text: it never was a quoted string.
    bare: bool,
}

impl End {
    fn without_comma(mut self, text: &str) -> Self {
        let inside = text[..self.at].trim_end().trim_end_matches(',');
        // The closing quote was escaped.
        self.at = inside.strip_suffix("\\\"").filter(|_| !self.bare).unwrap_or(inside).len();
        self
    }
}
