//! Lists of texts, however they were written: a list, bullets inside a text, one text, entries by number.
//! Given a node; hands on the texts. Items that were left out are a flaw, not a shorter list.

use std::borrow::Cow;

use super::{Aligner, Flaw, carried};
use crate::flow;
use crate::lines::bullet;
use crate::node::{Node, Scalar};
use crate::policy::{self, is_carrier, is_number};
use crate::scalar::without_ornament;
use crate::schema::NO_FIELDS;

impl Aligner<'_> {
    /// A list of texts, from a list, a text with bullets in it, a single text, or entries by number.
    pub(super) fn texts(&mut self, name: &str, node: &Node<'_>) -> Result<Vec<String>, Flaw> {
        let mut texts = Vec::new();
        match node {
            Node::Scalar(scalar) => {
                if let Some(text) = self.cleaned(name, scalar) {
                    return self.split(name, text);
                }
            }
            Node::List(items) if items.len() == 1 && matches!(items[0], Node::List(_)) => {
                self.doubts.about(name, "read a list inside a list");
                return self.texts(name, &items[0]);
            }
            Node::List(items) => {
                for item in items {
                    if let Some(text) = self.item(name, item)? {
                        texts.push(text);
                    }
                }
            }
            Node::Map(pairs) => {
                self.doubts.about(name, "read entries with keys as a list");
                let numbered = pairs.iter().all(|(key, _)| is_number(key));
                for (key, node) in pairs {
                    let Some(text) = self.item(name, node)? else { continue };
                    texts.push(if numbered || is_carrier(key) { text } else { format!("{key}: {text}") });
                }
            }
        }
        if let Some(text) = texts.iter().find(|text| policy::is_elision(text)) {
            return Err(Flaw::Bad(format!(
                "`{name}` leaves items out (\"{}\"); give them all",
                policy::shortened(text)
            )));
        }
        self.without_ornaments(name, &mut texts);
        self.without_bullets(name, &mut texts);
        let before = texts.len();
        texts.retain(|text| !policy::is_placeholder(text));
        if texts.len() < before {
            self.doubts.about(name, "left out placeholders");
        }
        Ok(texts)
    }

    /// Names: a list of them, or one text with commas.
    pub(super) fn names(&mut self, name: &str, node: &Node<'_>) -> Result<Vec<String>, Flaw> {
        let Node::Scalar(scalar) = node else { return self.texts(name, node) };
        let text = self.cleaned(name, scalar).unwrap_or_default();
        if text.contains('\n') {
            return self.split(name, text);
        }
        Ok(text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    fn item(&mut self, name: &str, node: &Node<'_>) -> Result<Option<String>, Flaw> {
        match node {
            Node::Scalar(scalar) => Ok(self.cleaned(name, scalar)),
            Node::List(items) if items.len() == 1 => self.item(name, &items[0]),
            Node::Map(pairs) if pairs.len() == 1 && is_number(&pairs[0].0) => self.item(name, &pairs[0].1),
            Node::Map(pairs) if carried(pairs).is_none() && pairs.len() == 1 => {
                // `- Cost: it doubles` in a language that takes this for a record.
                let (key, node) = &pairs[0];
                let text = self.text(name, node)?;
                self.doubts.about(name, "read a record of one field as a text");
                Ok(text.map(|text| format!("{key}: {text}")))
            }
            Node::List(_) | Node::Map(_) => self.text(name, node),
        }
    }

    /// A text that is a list after all: bullets on its lines, or a list in brackets.
    pub(super) fn split(&mut self, name: &str, text: String) -> Result<Vec<String>, Flaw> {
        if text.starts_with('[') && text.ends_with(']') {
            let parsed =
                flow::in_yaml(&text, &NO_FIELDS, self.budget).filter(|parsed| !parsed.cut && parsed.end == text.len());
            if let Some(parsed) = parsed {
                self.doubts.about(name, "read a list written inside a text");
                return self.texts(name, &parsed.node.into_owned());
            }
        }
        let broken = text.contains("<br");
        let text = if broken { unbroken(&text) } else { text };
        if let Some(items) = numbered_in_line(&text) {
            self.doubts.about(name, "read a text with numbers as a list");
            return Ok(items);
        }
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let items: Option<Vec<&str>> = lines.iter().map(|line| bullet(line.trim_start())).collect();
        let inline =
            || text.strip_prefix('\u{2022}').map(|rest| rest.split('\u{2022}').map(str::trim).collect::<Vec<_>>());
        let several = broken || lines.len() > 1 && !lines.iter().any(|line| line.trim_start().starts_with("```"));
        let begins = |line: &&str| line.trim_start().starts_with(|c: char| c.is_uppercase() || !c.is_alphabetic());
        let rows = || (several && lines.iter().all(begins) && items_unmarked(&lines)).then(|| lines.clone());
        if let Some(items) = items.or_else(inline).or_else(rows) {
            self.doubts.about(name, "read a text with bullets as a list");
            let mut texts = Vec::new();
            for item in items {
                let behind = bullet(item.trim()).unwrap_or(item);
                texts.extend(self.cleaned(name, &Scalar { text: Cow::Borrowed(behind), quoted: true }));
            }
            self.without_ornaments(name, &mut texts);
            return Ok(texts);
        }
        self.doubts.about(name, "read a text as a list of one");
        Ok(Some(text).filter(|text| !policy::is_placeholder(text)).into_iter().collect())
    }

    /// Takes off the ornament that stands before every item.
    fn without_ornaments(&mut self, name: &str, texts: &mut [String]) {
        if texts.is_empty() || !texts.iter().all(|text| without_ornament(text).is_some()) {
            return;
        }
        self.doubts.about(name, "left out ornaments before the items");
        for text in texts {
            if let Some(rest) = without_ornament(text) {
                *text = rest.to_owned();
            }
        }
    }

    /// Takes off the bullets that stand inside the items of a list.
    fn without_bullets(&mut self, name: &str, texts: &mut [String]) {
        let counted = |at: usize, text: &str| match text.bytes().next() {
            Some(b'0'..=b'9') => {
                text.starts_with(&format!("{}. ", at + 1)) || text.starts_with(&format!("{}) ", at + 1))
            }
            _ => bullet(text).is_some(),
        };
        if texts.is_empty() || !texts.iter().enumerate().all(|(at, text)| counted(at, text)) {
            return;
        }
        self.doubts.about(name, "left out bullets inside the items");
        for text in texts {
            let numbered = || text.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(": ");
            if let Some(rest) = bullet(text).or_else(numbered) {
                *text = rest.trim_start().to_owned();
            }
        }
    }
}

/// `1) this 2) that`, in one line.
fn numbered_in_line(text: &str) -> Option<Vec<String>> {
    let mark = [") ", ". "].into_iter().find(|mark| text.starts_with(&format!("1{mark}")))?;
    let mut rest = text.strip_prefix('1')?.strip_prefix(mark)?;
    let mut items = Vec::new();
    for number in 2..100 {
        let Some((item, more)) = rest.split_once(&format!(" {number}{mark}")) else { break };
        items.push(item.trim().to_owned());
        rest = more;
    }
    items.push(rest.trim().to_owned());
    (items.len() > 1 && !text.contains('\n')).then_some(items)
}

/// Lines that are items without bullets: none of them has one.
fn items_unmarked(lines: &[&str]) -> bool {
    lines.iter().all(|line| bullet(line.trim_start()).is_none())
}

/// A text whose line breaks were written as tags.
fn unbroken(text: &str) -> String {
    ["<br>", "<br/>", "<br />"].iter().fold(text.to_owned(), |text, tag| text.replace(tag, "\n"))
}
