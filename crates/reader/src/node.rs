//! What the two grammars hand on: a small tree, and the list of what was repaired on the way.
//! Given by the parsers; the aligner turns it into fields. Deliberately absent: what any of it means.

use std::borrow::Cow;

/// A piece of a reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node<'t> {
    /// A text, with its quotes and escapes undone.
    Scalar(Scalar<'t>),
    /// Several in order.
    List(Vec<Node<'t>>),
    /// Keys as written, with their values; a key may come twice.
    Map(Vec<(Cow<'t, str>, Node<'t>)>),
}

/// One text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scalar<'t> {
    pub text: Cow<'t, str>,
    /// It stood in quotes: `"null"` is a text, `null` is nothing.
    pub quoted: bool,
}

impl<'t> Node<'t> {
    pub(crate) fn plain(text: impl Into<Cow<'t, str>>) -> Self {
        Self::Scalar(Scalar { text: text.into(), quoted: false })
    }

    pub(crate) fn quoted(text: impl Into<Cow<'t, str>>) -> Self {
        Self::Scalar(Scalar { text: text.into(), quoted: true })
    }

    /// The same, independent of the text it was read from.
    pub(crate) fn into_owned(self) -> Node<'static> {
        match self {
            Self::Scalar(scalar) => {
                Node::Scalar(Scalar { text: Cow::Owned(scalar.text.into_owned()), quoted: scalar.quoted })
            }
            Self::List(items) => Node::List(items.into_iter().map(Node::into_owned).collect()),
            Self::Map(pairs) => Node::Map(
                pairs.into_iter().map(|(key, node)| (Cow::Owned(key.into_owned()), node.into_owned())).collect(),
            ),
        }
    }
}

/// What was repaired, once each.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Doubts(Vec<String>);

/// More than these say nothing more.
const MOST: usize = 32;

impl Doubts {
    pub(crate) fn add(&mut self, what: impl AsRef<str>) {
        let what = what.as_ref();
        if self.0.len() < MOST && !self.0.iter().any(|said| said == what) {
            self.0.push(what.to_owned());
        }
    }

    pub(crate) fn about(&mut self, field: &str, what: impl AsRef<str>) {
        self.add(format!("`{field}`: {}", what.as_ref()));
    }

    pub(crate) fn extend(&mut self, others: Doubts) {
        for what in others.0 {
            self.add(what);
        }
    }

    pub(crate) fn into_list(self) -> Vec<String> {
        self.0
    }
}
