//! Markdown as it is drawn, and Markdown that nobody should have written.

use unicode_width::UnicodeWidthStr;

use super::super::markdown::lines;
use super::super::page::Page;
use super::super::{Style, wrap};
use super::check;

const RICH: &str = "# A plan\n\nTake **REST** with *small* `resources`, see [the guide](https://example.com/a/long/guide/to/rest).\n\n\
## Steps\n\n1. Begin:\n   - with one resource that everybody knows and that is long enough to be wrapped on most of the widths\n   - and a test\n2. Go on\n\n\
> Quoted, and *stressed*.\n\n```rust\nfn main() {\n    let x = 1;\n}\n```\n\n| way | cost | who |\n|---|:-:|--:|\n| REST | low | `all` |\n| GraphQL | 高い | app |\n\n---\n\n- [x] done\n- [ ] open\n\nThe end.";

#[test]
fn markdown_is_drawn_at_every_width() {
    check("markdown", |style| {
        let mut page = Page::new(style);
        page.rich_row("Answer", RICH);
        page.rich_row("Plain", "Nothing of that kind: 3 * 4 = 12, a_b_c.");
        page.finish()
    });
}

#[test]
fn a_text_without_markdown_is_left_to_the_plain_wrapping() {
    for text in ["", "one line", "one\ntwo\n\nthree", "2 * 3 * 4", "snake_case_name", "C1.1: yes"] {
        assert_eq!(lines(text, 40, false), None, "{text}");
    }
    let mut page = Page::new(&Style::PIPE);
    page.rich("one\ntwo");
    assert_eq!(page.finish().split_whitespace().collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(wrap::wrapped("one\ntwo", 40), ["one", "two"]);
}

fn is_safe(text: &str, room: usize) {
    for line in lines(text, room, false).unwrap_or_default() {
        let line: String = line.into_iter().map(|(text, _)| text).collect();
        assert!(!line.chars().any(char::is_control), "{line:?}");
        assert_eq!(s2s::clean::clean_text(&line), line);
        assert!(line.width() <= room.max(8), "wider than {room}: {line:?}");
    }
}

#[test]
fn hostile_markdown_draws_nothing_that_acts_on_a_terminal() {
    let hostile = [
        "- &#27;[2J&#x1b;]0;owned&#7; &#x9b;31m",
        "**a&#13;b&#10;c&#8;** `\u{1b}[31m`",
        "[&#27;[1m](https://x/&#27;[2J)",
        "![\u{202e}](javascript:&#27;x)",
        "```\u{1b}[2J\n\u{1b}]8;;http://x\u{7}\n```",
        "| \u{1b}[2J | &#27; |\n|---|---|\n| &#x202e; | b |",
        "<script>&#27;</script>\n\n<b>x</b>",
        "# \u{9b}2J\n\n> &#0;",
    ];
    for text in hostile {
        for room in [8, 20, 80] {
            is_safe(text, room);
            assert!(lines(text, room, false).is_some(), "{text}");
        }
    }
}

#[test]
fn endless_nesting_tables_and_words_stay_in_their_columns() {
    let deep = "> ".repeat(5_000) + "deep";
    let bullets: String = (0..200).map(|depth| format!("{}- x\n", "  ".repeat(depth))).collect();
    let wide = format!("|{}\n|{}\n|{}", "a|".repeat(300), "-|".repeat(300), "wörd|".repeat(300));
    let long = format!("- {}\n\n```\n{}\n```", "x".repeat(5_000), "漢".repeat(3_000));
    let open = "[".repeat(20_000) + "**" + &"*_`".repeat(5_000);
    for text in [deep, bullets, wide, long, open] {
        for room in [8, 33, 80] {
            is_safe(&text, room);
        }
    }
}
