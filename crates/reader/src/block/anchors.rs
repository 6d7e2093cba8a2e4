//! Anchors and aliases of YAML: `&name` marks a value, `*name` means it again.
//! Given what was read of a document; hands on the same with every alias in its place. One step deep: an alias
//! never grows into more than the text it names.

use std::borrow::Cow;

use super::Region;
use crate::node::Node;

/// `rationale: &why` and `concerns: *why`: the second means the lines of the first.
pub(super) fn share_lines(regions: &mut [Region<'_, '_>]) {
    for at in 0..regions.len() {
        let Some(name) = regions[at].head.rest.body.strip_prefix('*').filter(|name| is_name(name)) else { continue };
        let anchored = |region: &Region<'_, '_>| match anchor(region.head.rest.body) {
            Some((own, len)) if own == name => Some(len),
            _ => None,
        };
        let Some((source, len)) = regions.iter().enumerate().find_map(|(at, region)| Some((at, anchored(region)?)))
        else {
            continue;
        };
        let rest = regions[source].head.rest.from(len);
        regions[at].head.rest = rest;
        regions[at].lines = regions[source].lines;
        let again = regions.iter().any(|region| region.head.rest.body.strip_prefix('*') == Some(name));
        if !again {
            regions[source].head.rest = rest;
        }
    }
}

/// Takes anchors off texts and puts texts in the place of aliases. An `&` that no alias names is a text's own.
pub(super) fn resolve(node: &mut Node<'_>) {
    let mut named: Vec<String> = Vec::new();
    visit(node, &mut |text| named.extend(text.strip_prefix('*').filter(|name| is_name(name)).map(str::to_owned)));
    if named.is_empty() {
        return;
    }
    let mut texts: Vec<(String, String)> = Vec::new();
    visit(node, &mut |text| {
        if let Some((name, len)) = anchor(text).filter(|(name, _)| named.iter().any(|own| own == name)) {
            let rest = text[len..].trim_start().to_owned();
            texts.push((name.to_owned(), rest.clone()));
            *text = Cow::Owned(rest);
        }
    });
    visit(node, &mut |text| {
        let meant = text.strip_prefix('*').and_then(|name| texts.iter().find(|(own, _)| own == name));
        if let Some((_, meant)) = meant {
            *text = Cow::Owned(meant.clone());
        }
    });
}

fn visit<'t>(node: &mut Node<'t>, each: &mut impl FnMut(&mut Cow<'t, str>)) {
    match node {
        Node::Scalar(scalar) if !scalar.quoted => each(&mut scalar.text),
        Node::Scalar(_) => {}
        Node::List(items) => items.iter_mut().for_each(|item| visit(item, each)),
        Node::Map(pairs) => pairs.iter_mut().for_each(|(_, node)| visit(node, each)),
    }
}

/// The name of the anchor that a text begins with, and its length.
fn anchor(text: &str) -> Option<(&str, usize)> {
    let body = text.strip_prefix('&')?;
    let len = body.find(' ').unwrap_or(body.len());
    is_name(&body[..len]).then_some((&body[..len], 1 + len))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() < 32 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
