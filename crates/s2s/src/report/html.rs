//! Writes HTML that cannot come out broken: every element is closed, every text cleaned and escaped, every link checked.
//! Given names known at compile time and any text; hands on the page. There is no way to put a ready piece of HTML in, so
//! no text of a model or a person can become one. Void elements end in `/>`, so that an XML parser can check the page.
//! Deliberately absent: what is written, and how it looks.

use crate::clean::{clean_line, clean_text};

/// Elements that stand in a line of text: no line break of the source comes before them.
const IN_LINE: &[&str] =
    &["a", "abbr", "b", "br", "code", "del", "em", "small", "span", "strong", "summary", "td", "th", "time"];

/// An attribute: a name of ours and any value.
pub(super) type Attribute<'a> = (&'static str, &'a str);

/// A page being written.
#[derive(Debug, Default)]
pub(super) struct Html {
    text: String,
    open: Vec<&'static str>,
}

impl Html {
    /// A page which begins so: a text of ours that ends in the open tag of this element.
    pub(super) fn beginning(with: &'static str, name: &'static str) -> Self {
        Self { text: format!("{with}>"), open: vec![name] }
    }

    /// Opens an element.
    pub(super) fn open(&mut self, name: &'static str, attributes: &[Attribute<'_>]) -> &mut Self {
        self.start(name, attributes);
        self.text.push('>');
        self.open.push(name);
        self
    }

    /// Closes the element opened last.
    pub(super) fn close(&mut self) -> &mut Self {
        if let Some(name) = self.open.pop() {
            self.text.push_str("</");
            self.text.push_str(name);
            self.text.push('>');
        }
        self
    }

    /// An element with whatever is written inside; it is closed whatever that leaves open.
    pub(super) fn within(&mut self, name: &'static str, attributes: &[Attribute<'_>], inside: impl FnOnce(&mut Self)) {
        let depth = self.open.len();
        self.open(name, attributes);
        inside(self);
        while self.open.len() > depth {
            self.close();
        }
    }

    /// An element with a text.
    pub(super) fn leaf(&mut self, name: &'static str, attributes: &[Attribute<'_>], text: &str) -> &mut Self {
        self.open(name, attributes).text(text).close()
    }

    /// An element that holds nothing.
    pub(super) fn void(&mut self, name: &'static str, attributes: &[Attribute<'_>]) -> &mut Self {
        self.start(name, attributes);
        self.text.push_str("/>");
        self
    }

    /// A text, cleaned and escaped.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.escaped(&clean_text(text));
        self
    }

    /// The style sheet. It is ours and known at compile time; a test shows that it cannot end its element.
    pub(super) fn style(&mut self, sheet: &'static str) -> &mut Self {
        self.open("style", &[]);
        self.text.push_str(sheet);
        self.close()
    }

    /// The whole page.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text.push('\n');
        self.text
    }

    fn start(&mut self, name: &'static str, attributes: &[Attribute<'_>]) {
        if !IN_LINE.contains(&name) && !self.open.contains(&"pre") {
            self.text.push('\n');
        }
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes.iter().filter(|(name, value)| *name != "href" || leads_well(value)) {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            self.escaped(&clean_line(value));
            self.text.push('"');
        }
    }

    fn escaped(&mut self, text: &str) {
        let mut from = 0;
        for (at, byte) in text.bytes().enumerate() {
            let safe = match byte {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'"' => "&quot;",
                b'\'' => "&#39;",
                _ => continue,
            };
            self.text.push_str(&text[from..at]);
            self.text.push_str(safe);
            from = at + 1;
        }
        self.text.push_str(&text[from..]);
    }
}

/// A place on this page, or an address of the web. Anything else is no link: the attribute is left out.
fn leads_well(address: &str) -> bool {
    ["#", "https://", "http://"].iter().any(|start| address.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_written_stays_inside_its_element() {
        let mut html = Html::default();
        html.within("p", &[("title", "a\"> <script>\n'&")], |html| {
            html.open("em", &[]).text("</p><script>alert(1)</script> & \u{1b}[2J\u{202e}x\u{0}");
        });
        let inside = "&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; x";
        let title = "a&quot;&gt; &lt;script&gt; &#39;&amp;";
        assert_eq!(html.finish(), format!("\n<p title=\"{title}\"><em>{inside}</em></p>\n"));
    }

    #[test]
    fn only_the_web_and_this_page_can_be_linked_to() {
        let linked = |address: &str| {
            let mut html = Html::default();
            html.leaf("a", &[("href", address)], "x");
            html.finish()
        };
        assert!(linked("#round-1").contains("href"));
        assert!(linked("https://example.org/").contains("href"));
        for address in ["javascript:alert(1)", "JAVASCRIPT:x", " https://x", "data:text/html,x", "//x", "file:///x", ""]
        {
            assert_eq!(linked(address), "<a>x</a>\n", "{address}");
        }
    }

    #[test]
    fn what_is_left_open_is_closed() {
        let mut html = Html::default();
        html.open("ul", &[]).open("li", &[]).text("one");
        assert_eq!(html.finish(), "\n<ul>\n<li>one</li></ul>\n");
    }
}
