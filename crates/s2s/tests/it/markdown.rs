//! What a Markdown linter would say of the documents, and whether their links lead anywhere.
//! The rules that matter for generated text, for whoever runs `cargo test`: `rumdl` as a library would bring 58 crates. CI
//! runs markdownlint over the same documents (`.ci/run`). Given a file; fails with every flaw and its line.
//! Deliberately left out: line length, since generated lines are as long as what was said; emphasis as a title, since a
//! heading is the id alone, so that its anchor stays when the title changes; `<br>`, the only line break in a table.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// The document reads the same everywhere, and every link in it leads to a file and a heading that are there.
#[track_caller]
pub fn well_formed(path: &Path) {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut found = flaws(&text);
    found.extend(dead_links(path, &text));
    assert!(found.is_empty(), "{}:\n{}\n\n{text}", path.display(), found.join("\n"));
}

/// Every flaw, as `line: what`.
fn flaws(text: &str) -> Vec<String> {
    let mut page = Page { text, lines: text.lines().collect(), found: Vec::new(), literal: BTreeSet::new() };
    page.blocks();
    page.spaces();
    page.found.sort_by_key(|(line, _)| *line);
    page.found.iter().map(|(line, what)| format!("{line}: {what}")).collect()
}

struct Page<'t> {
    text: &'t str,
    lines: Vec<&'t str>,
    found: Vec<(usize, String)>,
    /// Lines of code and front matter, which may look as they like.
    literal: BTreeSet<usize>,
}

impl Page<'_> {
    fn say(&mut self, line: usize, what: impl Into<String>) {
        self.found.push((line, what.into()));
    }

    /// The first and the last line of a block.
    fn span(&self, range: &Range<usize>) -> (usize, usize) {
        let line = |at: usize| self.text[..at].matches('\n').count() + 1;
        let block = self.text[range.clone()].trim_end();
        (line(range.start), line(range.start + block.len()))
    }

    fn is_blank(&self, line: usize) -> bool {
        line == 0 || self.lines.get(line - 1).is_none_or(|line| line.trim().is_empty())
    }

    fn blocks(&mut self) {
        let (mut level, mut titles, mut anchors) = (0, 0, BTreeSet::new());
        let (mut lists, mut linked) = (Vec::new(), 0);
        for (event, range) in Parser::new_ext(self.text, Options::all()).into_offset_iter() {
            let (first, last) = self.span(&range);
            match event {
                Event::Start(Tag::Heading { level: own, .. }) => {
                    self.apart("heading", first, last);
                    titles += usize::from(own == HeadingLevel::H1);
                    let own = own as usize;
                    if own > level + 1 {
                        self.say(first, format!("heading of level {own} after level {level}"));
                    }
                    level = own;
                    if !anchors.insert(self.text[range].trim().to_lowercase()) {
                        self.say(first, "heading a second time");
                    }
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    self.literal.extend(first..=last);
                    if matches!(kind, CodeBlockKind::Fenced(_)) {
                        self.fence(first, last);
                    }
                }
                Event::Start(Tag::MetadataBlock(_)) => self.literal.extend(first..=last),
                Event::Start(Tag::Table(_)) => self.table(first, last),
                Event::Start(Tag::List(start)) => {
                    if lists.is_empty() {
                        self.apart("list", first, last);
                    }
                    lists.push(start.map(|_| 1));
                }
                Event::End(TagEnd::List(_)) => drop(lists.pop()),
                Event::Start(Tag::Item) => self.item(first, &range, lists.last_mut()),
                Event::Start(Tag::Link { .. }) => linked += 1,
                Event::End(TagEnd::Link) => linked -= 1,
                Event::Text(words) if linked == 0 && words.contains("://") && !self.literal.contains(&first) => {
                    self.say(first, "bare address");
                }
                Event::Html(tag) | Event::InlineHtml(tag) => {
                    let tag = tag.trim();
                    if !(tag.starts_with("<!--") || tag.ends_with("-->") || tag == "<br>") {
                        self.say(first, format!("HTML {tag}"));
                    }
                }
                _ => {}
            }
        }
        if titles != 1 {
            self.say(1, format!("{titles} titles of level 1"));
        }
    }

    fn apart(&mut self, what: &str, first: usize, last: usize) {
        let after_front_matter = self.literal.contains(&(first - 1)) && self.lines[first - 2] == "---";
        if !self.is_blank(first - 1) && !after_front_matter {
            self.say(first, format!("no blank line before a {what}"));
        }
        if !self.is_blank(last + 1) {
            self.say(last, format!("no blank line after a {what}"));
        }
    }

    fn fence(&mut self, first: usize, last: usize) {
        self.apart("fence", first, last);
        let open = self.lines[first - 1].trim_start();
        let mark: String = open.chars().take_while(|c| open.starts_with(*c)).collect();
        let end = self.lines[last - 1].trim();
        if first == last || !end.starts_with(&mark) || !end.trim_start_matches(&mark[..1]).is_empty() {
            self.say(first, "fence that is never closed");
        }
    }

    /// The parser fills rows up and cuts them off, so the cells are counted in the text.
    fn table(&mut self, first: usize, last: usize) {
        self.apart("table", first, last);
        let cells = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        let columns = cells(self.lines[first - 1]);
        for line in first..=last {
            let row = self.lines[line - 1].trim();
            if cells(row) != columns || !row.starts_with('|') || !row.ends_with('|') {
                self.say(line, "row with other columns than its table");
            }
        }
    }

    fn item(&mut self, line: usize, range: &Range<usize>, list: Option<&mut Option<u64>>) {
        let Some(Some(number)) = list else { return };
        let digits: String = self.text[range.clone()].chars().take_while(char::is_ascii_digit).collect();
        if digits != number.to_string() {
            self.say(line, format!("item {digits} where {number} is next"));
        }
        *number += 1;
    }

    fn spaces(&mut self) {
        for line in 1..=self.lines.len() {
            if self.literal.contains(&line) {
                continue;
            }
            let text = self.lines[line - 1];
            if text.ends_with(char::is_whitespace) {
                self.say(line, "space at the end");
            }
            if text.contains('\t') {
                self.say(line, "tab");
            }
            if line > 1 && self.is_blank(line) && self.is_blank(line - 1) {
                self.say(line, "second blank line");
            }
        }
        if !self.text.ends_with('\n') || self.text.ends_with("\n\n") {
            self.say(self.lines.len(), "no single line break at the end");
        }
    }
}

fn dead_links(path: &Path, text: &str) -> Vec<String> {
    let mut dead = Vec::new();
    for event in Parser::new_ext(text, Options::all()) {
        let Event::Start(Tag::Link { dest_url, .. }) = event else { continue };
        if dest_url.contains("://") {
            continue;
        }
        let (file, anchor) = dest_url.split_once('#').unwrap_or((&dest_url, ""));
        let target = if file.is_empty() { path.to_owned() } else { path.with_file_name(file) };
        match fs::read_to_string(&target) {
            Err(error) => dead.push(format!("link to {dest_url}: {error}")),
            Ok(_) if anchor.is_empty() => {}
            Ok(other) if anchors(&other).contains(anchor) => {}
            Ok(_) => dead.push(format!("link to {dest_url}: no such heading")),
        }
    }
    dead
}

/// The anchors of a document's headings, as the common viewers make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut found, mut heading) = (BTreeSet::new(), None::<String>);
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => heading.iter_mut().for_each(|heading| heading.push_str(&text)),
            Event::End(TagEnd::Heading(_)) => {
                let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
                let heading = heading.take().unwrap_or_default().to_lowercase();
                found.insert(heading.chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect());
            }
            _ => {}
        }
    }
    found
}

#[test]
fn every_flaw_is_seen() {
    let sound = "---\na: 1\n---\n# A\n\n<!-- x -->\n\n1. b\n   - c\n2. d <https://e.org>\n\n| a | b |\n|---|---|\n| 1 \\| 2 | 3<br>4 |\n\n```\n# x \n\n\n```\n";
    assert_eq!(flaws(sound), [""; 0]);
    let cases = [
        ("B\n", "1: 0 titles of level 1"),
        ("# A\n\n# B\n", "1: 2 titles of level 1"),
        ("# A\n\n### B\n", "3: heading of level 3 after level 1"),
        ("# A\n\n## B\n\n## B\n", "5: heading a second time"),
        ("# A\nb\n", "1: no blank line after a heading"),
        ("# A\n\nb\n- c\n", "4: no blank line before a list"),
        ("# A\n\n```\nb\n```\nc\n", "5: no blank line after a fence"),
        ("# A\n\n```\nb\n", "3: fence that is never closed"),
        ("# A\n\n| a | b |\n|---|---|\n| 1 |\n", "5: row with other columns than its table"),
        ("# A\n\n| a | b |\n|---|---|\n| 1 | 2 | 3 |\n", "5: row with other columns than its table"),
        ("# A\n\n1. b\n3. c\n", "4: item 3 where 2 is next"),
        ("# A\n\nSee https://b.org now\n", "3: bare address"),
        ("# A\n\nb <b>c\n", "3: HTML <b>"),
        ("# A\n\nb \n", "3: space at the end"),
        ("# A\n\n\nb\n", "3: second blank line"),
        ("# A\n\nb", "3: no single line break at the end"),
        ("# A\n\nb\n\n", "4: no single line break at the end"),
    ];
    for (text, flaw) in cases {
        assert_eq!(flaws(text), [flaw], "{text}");
    }
}
