//! Fields in tags: `<position>…</position>`, with items and records inside, or as parameters of a call.
//! Given a text; hands on the tree of its elements as a map. A tag that nothing closes is text.

use std::borrow::Cow;

use crate::budget::Budget;
use crate::layers::entities;
use crate::node::Node;
use crate::schema::Schema;

/// The elements of a text.
pub(crate) struct Elements<'t> {
    pub node: Node<'t>,
    /// A field was opened and never closed.
    pub cut: bool,
}

struct Element<'t> {
    name: &'t str,
    node: Node<'t>,
}

struct Open<'t> {
    name: &'t str,
    key: &'t str,
    from: usize,
    children: Vec<Element<'t>>,
}

const DEEPEST: usize = 32;

/// Reads the elements of a text, if at least one of them is a field.
pub(crate) fn elements<'t>(text: &'t str, schema: &Schema, budget: &mut Budget) -> Option<Elements<'t>> {
    if !text.contains("</") || !names_a_field(text, schema) {
        return None;
    }
    budget.pay(text.len());
    let mut stack = vec![Open { name: "", key: "", from: 0, children: Vec::new() }];
    let mut pos = 0;
    while let Some(at) = text[pos..].find('<').map(|at| pos + at) {
        if let Some(data) = text[at..].strip_prefix("<![CDATA[") {
            pos = data.find("]]>").map_or(text.len(), |len| at + 9 + len + 3);
            continue;
        }
        let Some(tag) = tag(text, at) else {
            pos = at + 1;
            continue;
        };
        pos = tag.end;
        if tag.closes {
            close(&mut stack, text, &tag, at);
        } else if tag.empty {
            empty(&mut stack, &tag);
        } else if stack.len() < DEEPEST {
            stack.push(Open { name: tag.name, key: tag.key, from: tag.end, children: attributes(&tag, schema) });
        }
        budget.nodes = budget.nodes.saturating_sub(1);
        if budget.spent() {
            break;
        }
    }
    let cut = budget.spent() || stack.iter().skip(1).any(|open| schema.field(open.key).is_some());
    while stack.len() > 1 {
        let unclosed = stack.pop()?;
        stack.last_mut()?.children.extend(unclosed.children);
    }
    let root = stack.pop()?;
    Some(Elements { node: tree(root.children, ""), cut })
}

/// A quick look whether any tag bears the name of a field.
fn names_a_field(text: &str, schema: &Schema) -> bool {
    text.match_indices('<').take(400).any(|(at, _)| {
        tag(text, at).is_some_and(|tag| schema.field(tag.key).is_some() || !attributes(&tag, schema).is_empty())
    })
}

struct Tag<'t> {
    name: &'t str,
    /// Its name, or the name it gives a parameter.
    key: &'t str,
    closes: bool,
    empty: bool,
    attributes: &'t str,
    end: usize,
}

fn tag(text: &str, at: usize) -> Option<Tag<'_>> {
    let rest = &text[at + 1..];
    let closes = rest.starts_with('/');
    let body = rest.strip_prefix('/').unwrap_or(rest);
    let len = body
        .bytes()
        .take(48)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':' | b'.'))
        .count();
    let name = &body[..len];
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    // `s2s:position` is `position`.
    let local = name.rsplit(':').next().unwrap_or(name);
    let attributes = &body[len..];
    let close = attributes
        .bytes()
        .take(300)
        .position(|b| matches!(b, b'>' | b'<' | b'\n'))
        .filter(|at| attributes.as_bytes()[*at] == b'>')?;
    let inside = &attributes[..close];
    // `<parameter=position>`
    let given = inside.strip_prefix('=').map(|key| key.trim_matches(['"', '\'']));
    if given.is_none() && !inside.is_empty() && !inside.starts_with([' ', '/']) {
        return None;
    }
    let named =
        inside.split("name=").nth(1).and_then(|value| value.get(1..)).and_then(|value| value.split(['"', '\'']).next());
    let end = at + 1 + (rest.len() - attributes.len()) + close + 1;
    let key = given.or(named).unwrap_or(local);
    Some(Tag { name, key, closes, empty: inside.ends_with('/'), attributes: inside, end })
}

/// Fields that stand in the head of a tag: `<response confidence="0.8">`.
fn attributes<'t>(tag: &Tag<'t>, schema: &Schema) -> Vec<Element<'t>> {
    let mut children = Vec::new();
    let mut rest = tag.attributes;
    while let Some((name, tail)) = rest.split_once('=') {
        let name = name.trim();
        let Some(mark) = tail.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
        let Some((value, behind)) = tail[1..].split_once(mark) else { break };
        if schema.field(name).is_some() {
            children.push(Element { name, node: Node::quoted(entities(value)) });
        }
        rest = behind;
    }
    children
}

/// `<confidence value="0.8"/>`
fn empty<'t>(stack: &mut [Open<'t>], tag: &Tag<'t>) {
    let value = tag.attributes.split("value=").nth(1).and_then(|value| {
        let mark = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        value[1..].split(mark).next()
    });
    if let Some(around) = stack.last_mut() {
        around.children.push(Element { name: tag.key, node: Node::plain(entities(value.unwrap_or_default())) });
    }
}

fn close<'t>(stack: &mut Vec<Open<'t>>, text: &'t str, tag: &Tag<'t>, at: usize) {
    let Some(depth) = stack.iter().rposition(|open| !open.name.is_empty() && open.name.eq_ignore_ascii_case(tag.name))
    else {
        return;
    };
    while stack.len() > depth + 1 {
        let Some(unclosed) = stack.pop() else { return };
        if let Some(around) = stack.last_mut() {
            around.children.extend(unclosed.children);
        }
    }
    let Some(open) = stack.pop() else { return };
    const INLINE: [&str; 9] = ["b", "i", "em", "strong", "code", "a", "u", "sub", "sup"];
    let inline = |child: &Element<'_>| INLINE.iter().any(|tag| tag.eq_ignore_ascii_case(child.name));
    let node = if !open.children.is_empty() && open.children.iter().all(inline) {
        Node::plain(entities(&without_tags(&text[open.from..at])).into_owned())
    } else if open.children.is_empty() {
        leaf(&text[open.from..at])
    } else {
        tree(open.children, open.key)
    };
    if let Some(around) = stack.last_mut() {
        around.children.push(Element { name: open.key, node });
    }
}

/// A text without the tags that only dress it.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let end = rest[at..].find('>').map_or(rest.len(), |end| at + end + 1);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn leaf(text: &str) -> Node<'_> {
    let text = text.trim();
    if let Some(data) = text.strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>")) {
        return Node::quoted(data.trim());
    }
    Node::plain(entities(text))
}

/// Elements of one name are a list, others a map; a name that comes twice holds a list.
fn tree<'t>(children: Vec<Element<'t>>, parent: &str) -> Node<'t> {
    let items = ["item", "li", "entry", "point", "value", "reason", "element", "text", "challenge", "concern"];
    let first = children.first().map_or("", |child| child.name);
    let same = children.iter().all(|child| child.name.eq_ignore_ascii_case(first));
    // `<conflicts><conflict>…`: one of what the plural names.
    let one_of_many = parent.len() > first.len()
        && parent.get(..first.len()).is_some_and(|stem| stem.eq_ignore_ascii_case(first))
        && !first.is_empty();
    if same && (children.len() > 1 || one_of_many || items.iter().any(|item| item.eq_ignore_ascii_case(first))) {
        return Node::List(children.into_iter().map(|child| child.node).collect());
    }
    let mut pairs: Vec<(Cow<'_, str>, Node<'_>)> = Vec::new();
    for child in children {
        match pairs.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(child.name)) {
            Some((_, Node::List(list))) => list.push(child.node),
            Some((_, earlier)) => {
                let first = std::mem::replace(earlier, Node::List(Vec::new()));
                *earlier = Node::List(vec![first, child.node]);
            }
            None => pairs.push((Cow::Borrowed(child.name), child.node)),
        }
    }
    Node::Map(pairs)
}
