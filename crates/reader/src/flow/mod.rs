//! The grammar of braces: JSON, and all that looks like it (JavaScript, Python, half-quoted, half-closed).
//! Given the place of an opening brace; hands on the map that stands there, where it ends, and whether the
//! text broke off inside it. One pass with short looks ahead: linear in its input.

mod ahead;
mod texts;

use std::borrow::Cow;

use ahead::{Ahead, is_closer, is_separator, structure};

use crate::budget::Budget;
use crate::node::{Doubts, Node};
use crate::policy::is_elision;
use crate::scalar::{quote, unescape};
use crate::schema::Schema;

/// A map that was found.
#[derive(Debug)]
pub(crate) struct Parsed<'t> {
    pub node: Node<'t>,
    /// Where it ends.
    pub end: usize,
    /// The text broke off inside it.
    pub cut: bool,
    /// Why it cannot be taken, where it did not just break off.
    pub reason: Option<&'static str>,
    pub doubts: Doubts,
}

/// The deepest nesting that is followed.
const DEEPEST: usize = 48;

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
    /// The field that is being read.
    field: Option<&'static str>,
    /// A comment says that parts were left out.
    left_out: bool,
    /// A text holds quotes that may be the ends of others.
    quotes: bool,
    /// The list it stands in is held by braces.
    round: bool,
    /// The map it stands in is held by brackets.
    square: bool,
    /// It stands in a field of YAML, where keys and texts need no quotes.
    in_yaml: bool,
    inside: Vec<Inside>,
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
            field: None,
            left_out: false,
            quotes: false,
            round: false,
            square: false,
            in_yaml: false,
            inside: Vec::new(),
        }
    }

    fn finish(self, node: Node<'t>) -> Parsed<'t> {
        let left_out = self.left_out.then_some("the reply leaves parts out; give all items of every list");
        let quotes =
            self.quotes.then_some("a text in the reply holds quotes that cannot be told from its own; escape them");
        let reason = left_out.or(quotes);
        Parsed { node, end: self.pos, cut: self.cut || reason.is_some(), reason, doubts: self.doubts }
    }

    /// Keeps what was repaired, with the field it was repaired in.
    fn doubt(&mut self, what: &str) {
        match self.field {
            Some(field) => self.doubts.about(field, what),
            None => self.doubts.add(what),
        }
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

    /// Goes into a map or a list; `None` where it is nested too deeply to be an answer.
    fn enter(&mut self, inside: Inside) -> Option<char> {
        if self.inside.len() >= DEEPEST {
            self.budget.bytes = 0;
            self.cut = true;
            return None;
        }
        let open = self.peek()?;
        self.step(open);
        self.inside.push(inside);
        structure(open)
    }

    fn leave(&mut self, from: usize) {
        self.inside.pop();
        if !self.afford(from) {
            self.cut = true;
        }
    }

    fn map(&mut self) -> Option<Node<'t>> {
        let from = self.pos;
        let open = self.enter(Inside::Map)?;
        let around = std::mem::replace(&mut self.square, open == '[');
        let pairs = self.pairs();
        self.square = around;
        self.leave(from);
        pairs.map(Node::Map)
    }

    /// The pairs of a map up to its end; `None` if it turns out to be no map.
    fn pairs(&mut self) -> Option<Vec<(Cow<'t, str>, Node<'t>)>> {
        let mut pairs = Vec::new();
        let mut separated = true;
        loop {
            let commas = self.pass_blank();
            if commas > usize::from(separated) && !pairs.is_empty() {
                self.doubt("left out a stray comma");
            }
            match self.peek() {
                None => {
                    self.open_end(separated || commas > 0);
                    return Some(pairs);
                }
                Some(c) if is_closer(c) => {
                    if commas > 0 || (separated && !pairs.is_empty()) {
                        self.doubt("left out a comma before a closing brace");
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
                self.doubt("a closing brace is missing");
                return Some(pairs);
            };
            if !separated && commas == 0 && !pairs.is_empty() {
                self.doubt("put in a missing comma");
            }
            if let Some(at) = self.schema.field(&key) {
                self.field = Some(self.schema.fields[at].name);
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
            self.doubt("a closing brace is missing");
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
        self.doubt("mended a closing brace of the wrong kind");
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
        let open = self.enter(Inside::List)?;
        let around = std::mem::replace(&mut self.round, open == '{');
        let items = self.items();
        self.round = around;
        self.leave(from);
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
                    self.doubt("left out a comma before a closing bracket");
                }
                self.close(c, Inside::List);
                return items;
            }
            if self.known_key_at(self.pos) {
                self.doubt("a closing bracket is missing");
                return items;
            }
            if !separated && commas == 0 && !items.is_empty() {
                self.doubt("put in a missing comma");
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
            self.doubt("read the values of another language");
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
        self.doubt("read a list with dashes inside braces");
        Node::List(items)
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
            self.doubt("left out a comment");
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
                    self.doubt("read other marks as commas");
                }
                self.step(c);
                true
            }
            _ => false,
        }
    }
}
