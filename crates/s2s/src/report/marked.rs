//! What a model or a person wrote, as HTML: the safe part of Markdown (paragraphs, lists, code, quotes, tables, emphasis).
//! Given any text; writes elements of ours around its words. Raw HTML is shown as the text it is, a picture as its name, a
//! heading as a strong line, so that no reply can change the outline of the page; a link shows its address, and only an
//! address of the web is one. Deliberately absent: anything that would have to be fetched.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use url::Url;

use super::html::Html;

/// How deep lists and quotes may stand in each other; what is deeper stays at this depth.
const DEEPEST: usize = 6;

/// The longest text that is read as Markdown; a longer one is shown as its paragraphs. The parser is linear for prose, and
/// this keeps it so for whatever else.
const LONGEST_PARSED: usize = 64 * 1024;

/// Writes a text of one or many blocks.
pub(super) fn blocks(html: &mut Html, text: &str) {
    if text.len() > LONGEST_PARSED {
        for paragraph in text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
            html.leaf("p", &[], paragraph);
        }
        return;
    }
    let mut writing = Writing { html, opened: Vec::new(), depth: 0, head: false, address: Vec::new(), blocks: true };
    Parser::new_ext(text, options()).for_each(|event| writing.event(event));
}

/// Writes a text where only a line can stand: in a cell, an item, a summary. Its blocks follow each other.
pub(super) fn line(html: &mut Html, text: &str) {
    if text.len() > LONGEST_PARSED {
        html.text(text);
        return;
    }
    let mut writing = Writing { html, opened: Vec::new(), depth: 0, head: false, address: Vec::new(), blocks: false };
    Parser::new_ext(text.trim(), options()).for_each(|event| writing.event(event));
}

/// The words of a text alone, on one line and cut after about so many characters.
pub(super) fn words(text: &str, most: usize) -> String {
    // Marks take room too; what is cut off here would have been cut off below.
    let enough: String = text.chars().take(most * 4).collect();
    let mut words = String::new();
    for event in Parser::new_ext(&enough, options()) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                words.push_str(&text)
            }
            // An emphasis may end inside a word; only a block ends with a blank.
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image) => {}
            Event::SoftBreak | Event::HardBreak | Event::End(_) => words.push(' '),
            // A list in an item begins before the item ends.
            Event::Start(Tag::List(_) | Tag::Item | Tag::BlockQuote(_) | Tag::CodeBlock(_)) => words.push(' '),
            _ => {}
        }
    }
    let one_line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.chars().count() > most {
        true => one_line.chars().take(most - 1).collect::<String>().trim_end().to_owned() + "…",
        false => one_line,
    }
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH
}

struct Writing<'h> {
    html: &'h mut Html,
    /// How many elements each open tag has opened.
    opened: Vec<u8>,
    depth: usize,
    /// Whether the cells are those of a table's head.
    head: bool,
    /// The links under way: where each leads.
    address: Vec<Option<Url>>,
    blocks: bool,
}

impl Writing<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => {
                let opened = if self.blocks { self.block(&tag) } else { None };
                let opened = opened.unwrap_or_else(|| self.in_line(tag));
                self.opened.push(opened);
            }
            Event::End(end) => self.end(end),
            event => self.words(event),
        }
    }

    fn words(&mut self, event: Event<'_>) {
        let html = &mut *self.html;
        match event {
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => html.text(&text),
            Event::Code(text) => html.leaf("code", &[], &text),
            Event::SoftBreak => html.text("\n"),
            Event::HardBreak if self.blocks => html.void("br", &[]),
            Event::Rule if self.blocks => html.void("hr", &[]),
            Event::HardBreak | Event::Rule => html.text(" "),
            _ => html,
        };
    }

    /// Opens the elements of a block; none if it is no block.
    fn block(&mut self, tag: &Tag<'_>) -> Option<u8> {
        let html = &mut *self.html;
        Some(match tag {
            Tag::Paragraph | Tag::HtmlBlock => opened(html.open("p", &[]), 1),
            Tag::Heading { .. } => opened(html.open("p", &[]).open("strong", &[]), 2),
            Tag::CodeBlock(_) => opened(html.open("pre", &[("tabindex", "0")]).open("code", &[]), 2),
            Tag::BlockQuote(_) => self.nested("blockquote", &[]),
            Tag::List(Some(first)) => self.nested("ol", &[("start", &first.to_string())]),
            Tag::List(None) => self.nested("ul", &[]),
            Tag::Item => self.nested("li", &[]),
            Tag::Table(_) => opened(html.open("div", &[("class", "wide"), ("tabindex", "0")]).open("table", &[]), 2),
            Tag::TableHead => {
                self.head = true;
                opened(html.open("thead", &[]).open("tr", &[]), 2)
            }
            Tag::TableRow => opened(html.open("tr", &[]), 1),
            Tag::TableCell => opened(html.open(if self.head { "th" } else { "td" }, &[]), 1),
            _ => return None,
        })
    }

    fn nested(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) -> u8 {
        self.depth += 1;
        // An item belongs to the list around it: a list that was not opened has no items either.
        let room = self.depth <= DEEPEST * 2;
        if room { opened(self.html.open(name, attributes), 1) } else { 0 }
    }

    fn in_line(&mut self, tag: Tag<'_>) -> u8 {
        let html = &mut *self.html;
        match tag {
            Tag::Emphasis => opened(html.open("em", &[]), 1),
            Tag::Strong => opened(html.open("strong", &[]), 1),
            Tag::Strikethrough => opened(html.open("del", &[]), 1),
            Tag::Link { dest_url, .. } => {
                self.address.push(of_the_web(&dest_url));
                0
            }
            Tag::Image { .. } => opened(html.text("[picture: "), 0),
            // In a line, the words of a block stand apart from those before.
            _ => opened(html.text(" "), 0),
        }
    }

    fn end(&mut self, end: TagEnd) {
        for _ in 0..self.opened.pop().unwrap_or_default() {
            self.html.close();
        }
        match end {
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => self.depth = self.depth.saturating_sub(1),
            TagEnd::TableHead => self.head = false,
            TagEnd::Image => {
                self.html.text("]");
            }
            TagEnd::Link => {
                if let Some(url) = self.address.pop().flatten() {
                    let link = [("href", url.as_str()), ("rel", "noopener noreferrer nofollow")];
                    self.html.text(" (").leaf("a", &link, url.as_str()).text(")");
                }
            }
            _ => {}
        }
    }
}

fn opened(_: &mut Html, elements: u8) -> u8 {
    elements
}

/// The address, if it is one of the web that hides nobody's name in it.
fn of_the_web(address: &str) -> Option<Url> {
    let url = Url::parse(address).ok()?;
    let web = matches!(url.scheme(), "http" | "https") && url.has_host();
    (web && url.username().is_empty() && url.password().is_none()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut html = Html::default();
        blocks(&mut html, text);
        html.finish().replace('\n', "")
    }

    fn in_line(text: &str) -> String {
        let mut html = Html::default();
        line(&mut html, text);
        html.finish().trim().to_owned()
    }

    #[test]
    fn bug_words_of_a_list_in_a_list_ran_together() {
        assert_eq!(words("- item\n  - nested\n  - more\n\n> said", 80), "item nested more said");
        assert_eq!(words("**in**side", 80), "inside");
    }

    #[test]
    fn prose_lists_code_and_emphasis_look_as_they_were_meant() {
        assert_eq!(
            shown("Take **REST**, *not* `SOAP`.\n\n- one\n- two\n\n3. three"),
            "<p>Take <strong>REST</strong>, <em>not</em> <code>SOAP</code>.</p><ul><li>one</li><li>two</li></ul><ol start=\"3\"><li>three</li></ol>"
        );
        assert_eq!(shown("```sh\nrm -rf /\n```"), "<pre tabindex=\"0\"><code>rm -rf /</code></pre>");
        assert_eq!(shown("# Mine\nx"), "<p><strong>Mine</strong></p><p>x</p>");
        let table = "<thead><tr><th>a</th><th>b</th></tr></thead><tr><td>1</td><td>2</td></tr>";
        assert_eq!(
            shown("|a|b|\n|-|-|\n|1|2|"),
            format!("<div class=\"wide\" tabindex=\"0\"><table>{table}</table></div>")
        );
    }

    #[test]
    fn raw_html_is_text() {
        let text = shown("<script>alert(1)</script>\n\nA <b onclick=x>b</b> <!-- c --> &lt;i&gt; &#60;u>");
        assert!(!text.contains("<script") && !text.contains("<b") && !text.contains("<!--"), "{text}");
        assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{text}");
        assert!(text.contains("&lt;i&gt; &lt;u&gt;"), "{text}");
    }

    #[test]
    fn a_link_shows_where_it_leads_and_leads_nowhere_but_the_web() {
        let link = "<a href=\"https://example.org/a\" rel=\"noopener noreferrer nofollow\">https://example.org/a</a>";
        assert_eq!(shown("[bank](https://example.org/a)"), format!("<p>bank ({link})</p>"));
        for address in
            ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "file:///etc/passwd", "/x", "https://u:p@x/"]
        {
            assert_eq!(shown(&format!("[click]({address})")), "<p>click</p>", "{address}");
        }
        assert_eq!(shown("![a picture](https://example.org/p.png)"), "<p>[picture: a picture]</p>");
    }

    #[test]
    fn a_line_holds_no_block() {
        assert_eq!(in_line("# A\n\n- **b**\n- c\n\n```\nd\n```"), "A  <strong>b</strong> c d");
    }

    #[test]
    fn nothing_nests_without_end() {
        let deep = shown(&format!("{}x", "> ".repeat(5_000)));
        assert_eq!(deep.matches("<blockquote>").count(), DEEPEST * 2);
        assert_eq!(deep.matches("</blockquote>").count(), DEEPEST * 2);
        let huge = "word ".repeat(40_000);
        assert_eq!(shown(&huge).matches("<p>").count(), 1);
    }

    #[test]
    fn an_excerpt_is_words_alone() {
        assert_eq!(words("Take **REST**, not\n`SOAP`.\n\n- because", 80), "Take REST, not SOAP. because");
        assert_eq!(words("one two three", 8), "one two…");
    }
}
