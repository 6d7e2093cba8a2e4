//! Headings, ids and links of a Markdown text.
//! Given a text; hands on the anchors that viewers make of its headings, the ids it names, and the text with links that
//! lead to no heading written out as plain words. Code and comments do not count. Deliberately absent: files.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::fence::is_id;

/// A heading outside of code and comments.
pub(super) struct Heading<'t> {
    /// Where its line begins.
    pub(super) at: usize,
    pub(super) level: usize,
    pub(super) words: &'t str,
}

/// The headings of a text, in order.
pub(super) fn headings(text: &str) -> Vec<Heading<'_>> {
    let (mut found, mut at) = (Vec::new(), 0);
    let (mut code, mut comment): (Option<char>, bool) = (None, false);
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let mark = ['`', '~'].into_iter().find(|mark| bare.chars().take_while(|c| c == mark).count() >= 3);
        match (code, mark) {
            (None, Some(mark)) if !comment => code = Some(mark),
            (Some(open), Some(mark)) if open == mark => code = None,
            (None, _) if comment || bare.starts_with("<!--") => comment = !bare.contains("-->"),
            (None, _) => found.extend(heading(line, at)),
            _ => {}
        }
        at += line.len();
    }
    found
}

fn heading(line: &str, at: usize) -> Option<Heading<'_>> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &line[level..];
    let is_one = (1..=6).contains(&level) && rest.starts_with([' ', '\t', '\n', '\r']);
    is_one.then(|| Heading { at, level, words: rest.trim().trim_end_matches('#').trim_end() })
}

/// The anchors of the headings, as the common viewers make them.
pub(super) fn anchors(text: &str) -> BTreeSet<String> {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let anchor =
        |words: &str| words.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect();
    headings(text).iter().map(|heading| anchor(heading.words)).collect()
}

/// The ids that a heading begins with.
pub(super) fn headed(text: &str) -> BTreeSet<String> {
    let first =
        |heading: &Heading<'_>| heading.words.split([' ', ':']).next().filter(|word| is_id(word)).map(str::to_owned);
    headings(text).iter().filter_map(first).collect()
}

/// The ids that an item of a list begins with, in bold or not.
pub(super) fn listed(text: &str) -> BTreeSet<String> {
    let first = |line: &str| {
        let word = line.trim_start().strip_prefix("- ")?.trim_start_matches('*').split([' ', '*', ':']).next()?;
        is_id(word).then(|| word.to_owned())
    };
    text.lines().filter_map(first).collect()
}

/// Every id in a text, in its order, each once.
pub(super) fn ids(text: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let named = words.map(|word| word.trim_matches('-')).filter(|word| is_id(word));
    named.filter(|word| seen.insert(*word)).map(str::to_owned).collect()
}

/// The text with each link that is dead written out as its words. A link is asked about by its file (empty = this one)
/// and its anchor; one without an anchor is left alone.
pub(super) fn without_dead(text: &str, is_dead: &dyn Fn(&str, &str) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        shown.push_str(&rest[..at]);
        rest = &rest[at..];
        match (link(rest), shown.ends_with('\\')) {
            (Some((words, target, long)), false) => {
                let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
                let dead = !anchor.is_empty() && is_dead(file, anchor);
                shown.push_str(if dead { words } else { &rest[..long] });
                rest = &rest[long..];
            }
            _ => {
                shown.push('[');
                rest = &rest[1..];
            }
        }
    }
    shown.push_str(rest);
    shown
}

/// The dead links of a text, as they are written.
pub(super) fn dead(text: &str, is_dead: &dyn Fn(&str, &str) -> bool) -> Vec<String> {
    let found = RefCell::new(Vec::new());
    without_dead(text, &|file, anchor| {
        let dead = is_dead(file, anchor);
        if dead {
            found.borrow_mut().push(format!("{file}#{anchor}"));
        }
        dead
    });
    found.into_inner()
}

/// A link at the beginning of a text: its words, where it leads, and how long it is.
fn link(text: &str) -> Option<(&str, &str, usize)> {
    let words = text[1..].split(['[', ']', '\n']).next()?;
    let target = text[1 + words.len()..].strip_prefix("](")?.split([')', '\n', ' ']).next()?;
    let long = words.len() + target.len() + 4;
    text.get(..long).is_some_and(|all| all.ends_with(')')).then_some((words, target, long))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_in_code_and_comments_are_none() {
        let text = "# One\n```sh\n# two\n```\n<!--\n# three\n-->\n<!-- # four -->\n#five\n### REQ-001: Six ##\n";
        assert_eq!(anchors(text), ["one", "req-001-six"].map(String::from).into());
        assert_eq!(headed(text), ["REQ-001".to_owned()].into());
        assert_eq!(
            listed("- **OQ-001** a\n- REQ-002: b\n  - c REQ-003\n- d\n"),
            ["OQ-001", "REQ-002"].map(String::from).into()
        );
        assert_eq!(
            ids("REQ-002, UTF-8 [REQ-001](#req-001) SHA-256 TASK-003 REQ-002"),
            ["REQ-002", "REQ-001", "TASK-003"]
        );
    }

    #[test]
    fn only_dead_links_become_words() {
        let dead = |file: &str, anchor: &str| file.is_empty() && anchor == "req-001";
        for (text, shown) in [
            ("a [REQ-001](#req-001), [REQ-002](#req-002)", "a REQ-001, [REQ-002](#req-002)"),
            ("[REQ-001](x.md#req-001) [b](y.md)", "[REQ-001](x.md#req-001) [b](y.md)"),
            ("\\[REQ-001](#req-001) [a [REQ-001](#req-001)", "\\[REQ-001](#req-001) [a REQ-001"),
            ("[REQ-001](#req-001\n[", "[REQ-001](#req-001\n["),
        ] {
            assert_eq!(without_dead(text, &dead), shown, "{text}");
        }
    }
}
