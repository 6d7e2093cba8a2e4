//! The grammar of braces: JSON, and all that looks like it (JavaScript, Python, half-quoted, half-closed).
//! Given the place of an opening brace; hands on the map that stands there, where it ends, and whether the
//! text broke off inside it. One pass with short looks ahead: linear in its input.

use std::borrow::Cow;

use crate::node::{Doubts, Node};
use crate::policy::is_elision;
use crate::scalar::{Quote, pairs_with, quote, unescape};
use crate::schema::Schema;

/// What may be spent on one reply, so that no input is read over and over.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Bytes that may still be looked at.
    pub bytes: usize,
    /// Pieces that may still be made.
    pub nodes: usize,
}

impl Budget {
    pub(crate) fn for_text(text: &str) -> Self {
        Self { bytes: 32 * text.len() + 65_536, nodes: 20_000 }
    }

    /// Pays for a line.
    pub(crate) fn pay_for_a_line(&mut self) {
        self.pay(400);
    }

    /// Pays for trying a place.
    pub(crate) fn pay_for_a_look(&mut self) {
        self.pay(900);
    }

    pub(crate) fn spent(&self) -> bool {
        self.bytes == 0 || self.nodes == 0
    }

    pub(crate) fn pay(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}

/// A map that was found.
#[derive(Debug)]
pub(crate) struct Parsed<'t> {
    pub node: Node<'t>,
    /// Where it ends.
    pub end: usize,
    /// The text broke off inside it.
    pub cut: bool,
    pub doubts: Doubts,
}

/// The deepest nesting that is followed.
const DEEPEST: usize = 48;
/// How far a look ahead goes for a key.
const LOOK: usize = 96;

/// Reads the map whose opening brace (or parenthesis) stands at `at`.
pub(crate) fn object<'t>(text: &'t str, at: usize, schema: &Schema, budget: &mut Budget) -> Option<Parsed<'t>> {
    let mut flow = Flow::new(text, at, schema, budget);
    let node = flow.map()?;
    Some(flow.finish(node))
}

/// Whether the bracket at this place holds pairs: `['position' => …`.
pub(crate) fn holds_pairs(text: &str, at: usize) -> bool {
    Ahead { text, pos: at + 1 }.arrow_follows()
}

/// Reads the map or list at the start of a field of YAML.
pub(crate) fn in_yaml<'t>(text: &'t str, schema: &Schema, budget: &mut Budget) -> Option<Parsed<'t>> {
    let mut flow = Flow::new(text, 0, schema, budget);
    flow.in_yaml = true;
    let node = if text.starts_with('[') { flow.list()? } else { flow.map()? };
    flow.pass_blank();
    Some(flow.finish(node))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Map,
    List,
}

struct Flow<'t, 's> {
    text: &'t str,
    pos: usize,
    schema: &'s Schema,
    budget: &'s mut Budget,
    doubts: Doubts,
    cut: bool,
    /// Where the model began anew inside a text it never closed.
    restart: Option<usize>,
    /// A comment says that parts were left out.
    left_out: bool,
    /// The list it stands in is held by braces.
    round: bool,
    /// The map it stands in is held by brackets.
    square: bool,
    /// It stands in a field of YAML, where keys and texts need no quotes.
    in_yaml: bool,
    inside: Vec<Inside>,
}

/// The mark of structure that a character stands for; models of some languages write wide ones.
fn structure(c: char) -> Option<char> {
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

fn is_separator(c: char) -> bool {
    matches!(structure(c), Some(',' | ';'))
}

fn is_closer(c: char) -> bool {
    matches!(structure(c), Some('}' | ']' | ')'))
}

impl<'t, 's> Flow<'t, 's> {
    fn new(text: &'t str, pos: usize, schema: &'s Schema, budget: &'s mut Budget) -> Self {
        let doubts = Doubts::default();
        Self {
            text,
            pos,
            schema,
            budget,
            doubts,
            cut: false,
            restart: None,
            left_out: false,
            round: false,
            square: false,
            in_yaml: false,
            inside: Vec::new(),
        }
    }

    fn finish(self, node: Node<'t>) -> Parsed<'t> {
        Parsed { node, end: self.pos, cut: self.cut || self.left_out, doubts: self.doubts }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn step(&mut self, c: char) {
        self.pos += c.len_utf8();
    }

    /// Takes account of a finished piece; false when the reply is too tangled to go on.
    fn afford(&mut self, from: usize) -> bool {
        self.budget.pay(self.pos - from + 1);
        self.budget.nodes = self.budget.nodes.saturating_sub(1);
        !self.budget.spent()
    }

    fn map(&mut self) -> Option<Node<'t>> {
        let from = self.pos;
        if self.inside.len() >= DEEPEST {
            self.budget.bytes = 0;
            self.cut = true;
            return None;
        }
        let open = self.peek()?;
        self.step(open);
        let around = std::mem::replace(&mut self.square, structure(open) == Some('['));
        self.inside.push(Inside::Map);
        let pairs = self.pairs();
        self.inside.pop();
        self.square = around;
        if !self.afford(from) {
            self.cut = true;
        }
        pairs.map(Node::Map)
    }

    /// The pairs of a map up to its end; `None` if it turns out to be no map.
    fn pairs(&mut self) -> Option<Vec<(Cow<'t, str>, Node<'t>)>> {
        let mut pairs = Vec::new();
        let mut separated = true;
        loop {
            let commas = self.pass_blank();
            if commas > usize::from(separated) && !pairs.is_empty() {
                self.doubts.add("left out a stray comma");
            }
            match self.peek() {
                None => {
                    self.open_end(separated || commas > 0);
                    return Some(pairs);
                }
                Some(c) if is_closer(c) => {
                    if commas > 0 || (separated && !pairs.is_empty()) {
                        self.doubts.add("left out a comma before a closing brace");
                    }
                    self.close(c, Inside::Map);
                    return Some(pairs);
                }
                Some(_) => {}
            }
            let Some(key) = self.key() else {
                if pairs.is_empty() {
                    return None;
                }
                // Prose may follow a map that was never closed; anything else is a part that cannot be read.
                self.cut |= self.peek().is_some_and(|c| quote(c).is_some() || c == ':' || c.is_ascii_digit());
                self.doubts.add("a closing brace is missing");
                return Some(pairs);
            };
            if !separated && commas == 0 && !pairs.is_empty() {
                self.doubts.add("put in a missing comma");
            }
            let value = self.value();
            pairs.push((key, value));
            if self.cut || !self.afford(self.pos) {
                self.cut = true;
                return Some(pairs);
            }
            separated = self.pass_separator();
        }
    }

    /// The text ends inside an open map or list. A map that is complete but for its closers can be
    /// taken; a list could have gone on.
    fn open_end(&mut self, separated: bool) {
        if separated || self.inside.contains(&Inside::List) {
            self.cut = true;
        } else {
            self.doubts.add("a closing brace is missing");
        }
    }

    /// Takes a closer. One of the wrong kind closes too, unless the one around it needs it.
    fn close(&mut self, c: char, inside: Inside) {
        let (own, other) = match inside {
            Inside::Map if self.square => ("})]", Inside::List),
            Inside::Map => ("})", Inside::List),
            Inside::List if self.round => ("])}", Inside::Map),
            Inside::List => ("])", Inside::Map),
        };
        if own.contains(structure(c).unwrap_or(c)) {
            return self.step(c);
        }
        let around = self.inside.len().checked_sub(2).map(|at| self.inside[at]);
        self.doubts.add("mended a closing brace of the wrong kind");
        let for_the_one_around = around == Some(other) && !self.more_follows(c, inside);
        if !for_the_one_around {
            self.step(c);
        }
    }

    /// Whether after a closer of the wrong kind something follows that only the container *around* can
    /// hold, so that the closer was meant for this one.
    fn more_follows(&self, c: char, inside: Inside) -> bool {
        let mut ahead = self.at(self.pos + c.len_utf8());
        ahead.pass_blank();
        match inside {
            Inside::List => self.key_at(ahead.pos),
            Inside::Map => matches!(ahead.peek().and_then(structure), Some('{')),
        }
    }

    /// A look from another place that changes nothing here.
    fn at(&self, pos: usize) -> Ahead<'t> {
        Ahead { text: self.text, pos }
    }

    fn list(&mut self) -> Option<Node<'t>> {
        let from = self.pos;
        if self.inside.len() >= DEEPEST {
            self.budget.bytes = 0;
            self.cut = true;
            return None;
        }
        let open = self.peek()?;
        self.step(open);
        let around = std::mem::replace(&mut self.round, structure(open) == Some('{'));
        self.inside.push(Inside::List);
        let items = self.items();
        self.inside.pop();
        self.round = around;
        if !self.afford(from) {
            self.cut = true;
        }
        Some(Node::List(items))
    }

    fn items(&mut self) -> Vec<Node<'t>> {
        let mut items = Vec::new();
        let mut separated = true;
        loop {
            let commas = self.pass_blank();
            let Some(c) = self.peek() else {
                self.cut = true;
                return items;
            };
            if is_closer(c) {
                if (commas > 0 || separated) && !items.is_empty() {
                    self.doubts.add("left out a comma before a closing bracket");
                }
                self.close(c, Inside::List);
                return items;
            }
            if self.known_key_at(self.pos) {
                self.doubts.add("a closing bracket is missing");
                return items;
            }
            if !separated && commas == 0 && !items.is_empty() {
                self.doubts.add("put in a missing comma");
            }
            let before = self.pos;
            items.push(self.value());
            if self.cut || self.pos == before || !self.afford(before) {
                self.cut = true;
                return items;
            }
            separated = self.pass_separator();
        }
    }

    fn value(&mut self) -> Node<'t> {
        self.pass_space_and_notes();
        let Some(c) = self.peek() else {
            self.cut = true;
            return Node::plain("");
        };
        let start = self.pos;
        match structure(c) {
            Some('{') => {
                if let Some(map) = self.map() {
                    return map;
                }
                self.pos = start;
                // Languages in which braces hold lists too.
                if self.opens_list(start + c.len_utf8()) {
                    return self.list().unwrap_or_else(|| Node::plain(""));
                }
            }
            Some('[') if self.at(start + c.len_utf8()).arrow_follows() => {
                if let Some(map) = self.map() {
                    return map;
                }
                self.pos = start;
            }
            Some('[') => return self.list().unwrap_or_else(|| Node::plain("")),
            Some('(') if self.opens_list(start + 1) => return self.list().unwrap_or_else(|| Node::plain("")),
            Some('}' | ']' | ',' | ';') => return Node::plain(""),
            _ => {}
        }
        if quote(c).is_some() {
            return self.strings();
        }
        // Python's u'…', b'…', r'…', f'…'.
        if matches!(c, 'u' | 'b' | 'r' | 'f') && self.at(start + 1).opens_quote() && c.is_ascii() {
            self.step(c);
            return self.strings();
        }
        if let Some(open) = self.at(start).constructor() {
            self.doubts.add("read the values of another language");
            self.pos = open;
            return match self.map() {
                Some(map) => map,
                None => {
                    self.pos = open;
                    self.list().unwrap_or_else(|| Node::plain(""))
                }
            };
        }
        if c == '-' && self.at(start + 1).peek() == Some(' ') && self.in_map() {
            return self.dashes();
        }
        self.bare()
    }

    /// Whether what follows a brace or parenthesis are items: a text, a record, or nothing.
    fn opens_list(&self, at: usize) -> bool {
        let mut ahead = self.at(at);
        ahead.pass_space_and_notes();
        ahead.opens_quote() || matches!(ahead.peek().and_then(structure), Some('{' | ')' | '}' | '['))
    }

    fn in_map(&self) -> bool {
        self.inside.last() == Some(&Inside::Map)
    }

    /// A list with dashes inside braces.
    fn dashes(&mut self) -> Node<'t> {
        let mut items = Vec::new();
        while let Some(item) = self.rest().strip_prefix("- ") {
            let line = item.lines().next().unwrap_or_default();
            self.pos += 2 + line.len();
            items.push(Node::plain(line.trim().trim_end_matches(',')));
            if !self.afford(self.pos) {
                self.cut = true;
                break;
            }
            self.pass_space_and_notes();
        }
        self.doubts.add("read a list with dashes inside braces");
        Node::List(items)
    }

    /// A string, or several that are joined with `+`.
    fn strings(&mut self) -> Node<'t> {
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
            self.doubts.add("read a text in triple quotes");
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
            self.doubts.add("read a text in unusual quotes");
        }
        if end.loose {
            self.doubts.add("read a text with quotes inside or a quote missing");
        }
        if end.bare {
            return Node::plain(self.text[start - open.len_utf8()..end.at].trim().trim_end_matches(','));
        }
        if inside.contains('\n') {
            self.doubts.add("read a text with line breaks in its quotes");
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
        matches!(structure(c), Some('{' | '[')) || c.is_ascii_digit() || ahead.rest().starts_with("null")
    }

    /// Whether a key stands here: in quotes, or one word, or a known name; and its colon.
    fn key_at(&self, pos: usize) -> bool {
        self.at(pos).key().is_some_and(|key| key.quoted || !key.name.contains(' ') || self.knows(key.name))
    }

    fn known_key_at(&self, pos: usize) -> bool {
        self.at(pos).key().is_some_and(|key| self.knows(key.name))
    }

    fn knows(&self, name: &str) -> bool {
        self.schema.field(name).is_some()
    }

    fn key(&mut self) -> Option<Cow<'t, str>> {
        let ahead = self.at(self.pos);
        let key = ahead.key()?;
        self.pos = key.end;
        if !key.quoted && !self.in_yaml {
            self.doubts.add("read keys without quotes");
        }
        if key.name.contains('\\') { Some(unescape(key.name)) } else { Some(Cow::Borrowed(key.name)) }
    }

    /// A value without quotes, up to what can end it.
    fn bare(&mut self) -> Node<'t> {
        let start = self.pos;
        let in_map = self.in_map();
        let (mut brackets, mut parens, mut braces) = (0usize, 0usize, 0usize);
        let mut marks = self.rest().char_indices();
        let mut end = self.text.len();
        let mut open = true;
        let mut blank_until = 0;
        while let Some((at, c)) = marks.next() {
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
            self.doubts.add("read a text with quotes inside or a quote missing");
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

    /// Blanks, comments and commas; how many commas.
    fn pass_blank(&mut self) -> usize {
        let mut ahead = self.at(self.pos);
        let commas = ahead.pass_blank();
        self.note_passed(ahead);
        commas
    }

    fn pass_space_and_notes(&mut self) {
        let mut ahead = self.at(self.pos);
        ahead.pass_space_and_notes();
        self.note_passed(ahead);
    }

    fn note_passed(&mut self, ahead: Ahead<'t>) {
        let passed = &self.text[self.pos..ahead.pos];
        if passed.contains(['/', '#']) {
            self.doubts.add("left out a comment");
            self.left_out |= passed.lines().any(|line| is_elision(line.trim_start_matches([',', ' ', '\t'])));
        }
        self.pos = ahead.pos;
    }

    /// One comma or semicolon.
    fn pass_separator(&mut self) -> bool {
        self.pass_space_and_notes();
        match self.peek() {
            Some(c) if is_separator(c) => {
                if c != ',' {
                    self.doubts.add("read other marks as commas");
                }
                self.step(c);
                true
            }
            _ => false,
        }
    }
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

struct Key<'t> {
    name: &'t str,
    quoted: bool,
    end: usize,
}

/// A look ahead: it moves on its own and changes nothing.
#[derive(Clone, Copy)]
struct Ahead<'t> {
    text: &'t str,
    pos: usize,
}

impl<'t> Ahead<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn opens_quote(&self) -> bool {
        self.peek().is_some_and(|c| quote(c).is_some())
    }

    /// Passes white space; whether a line break was in it.
    fn pass_space(&mut self) -> bool {
        let rest = self.rest();
        let blank = rest.len() - rest.trim_start().len();
        self.pos += blank;
        rest[..blank].contains('\n')
    }

    fn begins_note(&self) -> bool {
        let rest = self.rest();
        rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#')
    }

    fn pass_space_and_notes(&mut self) {
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

    fn pass_blank(&mut self) -> usize {
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

    fn at_fence(&self) -> bool {
        self.rest().starts_with("```") || self.rest().starts_with("~~~")
    }

    /// Whether a closer here really closes: after it and its like comes the end of a line, a separator or nothing.
    fn closer_is_plausible(&self) -> bool {
        let rest = &self.rest()[..floor(self.rest(), LOOK)];
        let rest = rest.trim_start_matches(|c: char| is_closer(c) || c == ' ' || c == '\t');
        rest.chars().next().is_none_or(|c| matches!(c, '\n' | '/' | '#') || is_separator(c) || quote(c).is_some())
    }

    /// Whether a key in quotes and an arrow stand here: `'position' => …`.
    fn arrow_follows(&self) -> bool {
        let mut ahead = *self;
        ahead.pass_space();
        ahead.opens_quote() && ahead.key().is_some_and(|key| self.text[..key.end].ends_with("=>"))
    }

    /// The length of a call on a text: `.to_string()`, `.into()`, `.freeze`.
    fn method(&self) -> usize {
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
    fn constructor(&self) -> Option<usize> {
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
    fn constructor_next(&self) -> bool {
        let rest = self.rest();
        let window = &rest[..floor(rest, 40)];
        let len = window.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'!')).count();
        len > 0 && window[len..].starts_with(['(', '{', '[']) && window[len + 1..].starts_with(['"', '\''])
    }

    /// The key and its colon (or `=`, `=>`) at this place.
    fn key(&self) -> Option<Key<'t>> {
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
        let name = window[..len].trim().trim_matches('*');
        let end =
            self.pos + len + window[len..].chars().next().filter(|c| quote(*c).is_some()).map_or(0, char::len_utf8);
        let begins = name.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_');
        begins.then_some(())?;
        Some(Key { name, quoted: false, end: self.colon(end)? })
    }

    /// The place of a value that follows its key without a colon, on the same line.
    fn value_without_colon(&self, from: usize) -> Option<usize> {
        let rest = self.text[from..].strip_prefix([' ', '\t'])?.trim_start_matches([' ', '\t']);
        let value = rest.starts_with(['"', '[', '{']) || rest.starts_with(|c: char| c.is_ascii_digit());
        (value || rest.starts_with("null")).then(|| self.text.len() - rest.len())
    }

    /// The place behind a colon, `=` or `=>`.
    fn colon(&self, from: usize) -> Option<usize> {
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
fn floor(text: &str, len: usize) -> usize {
    let mut at = len.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
