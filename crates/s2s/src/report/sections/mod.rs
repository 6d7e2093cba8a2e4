//! The sections of the page, one file each, and the few shapes they share.
//! Given the view; writes HTML. Deliberately absent: the order of sections, which is the page's.

pub(super) mod artifacts;
pub(super) mod asides;
pub(super) mod figures;
pub(super) mod outcome;
pub(super) mod panel;
pub(super) mod people;
pub(super) mod record;
pub(super) mod rounds;
pub(super) mod votes;

use s2s_engine::record::{Because, Tally};

use super::html::Html;
use super::marked;

/// A section with its title.
pub(super) fn section(html: &mut Html, id: &str, title: &str, inside: impl FnOnce(&mut Html)) {
    let label = format!("{id}-title");
    html.within("section", &[("id", id), ("aria-labelledby", &label)], |html| {
        html.leaf("h2", &[("id", &label)], title);
        inside(html);
    });
}

/// What somebody said, in full.
fn said(html: &mut Html, class: &str, text: &str) {
    html.within("div", &[("class", class), ("dir", "auto")], |html| marked::blocks(html, text));
}

/// A list of what somebody said, under a small title; nothing where nothing was.
fn listed<'t>(html: &mut Html, title: &str, texts: impl IntoIterator<Item = &'t str>) {
    let mut texts = texts.into_iter().filter(|text| !text.trim().is_empty()).peekable();
    if texts.peek().is_none() {
        return;
    }
    html.leaf("h4", &[], title);
    html.within("ul", &[], |html| {
        for text in texts {
            html.within("li", &[("dir", "auto")], |html| marked::line(html, text));
        }
    });
}

/// A table with these heads; wide ones scroll by themselves. The second of each pair is its class.
fn table(html: &mut Html, caption: &str, heads: &[(&str, &'static str)], rows: impl FnOnce(&mut Html)) {
    html.within("div", &[("class", "wide"), ("tabindex", "0"), ("role", "group"), ("aria-label", caption)], |html| {
        html.within("table", &[], |html| {
            html.leaf("caption", &[("class", "unseen")], caption);
            html.open("thead", &[]).open("tr", &[]);
            for (head, class) in heads {
                html.leaf("th", &[("scope", "col"), ("class", class)], head);
            }
            html.close().close();
            html.within("tbody", &[], rows);
        });
    });
}

/// A cell with a plain text.
fn cell(html: &mut Html, class: &'static str, text: &str) {
    html.leaf("td", &[("class", class)], text);
}

/// The rules behind a step.
fn reasons(html: &mut Html, because: &[Because]) {
    html.within("ul", &[("class", "rules")], |html| {
        for one in because {
            html.open("li", &[]).leaf("span", &[("class", "rule")], &one.rule).text(" ").text(&one.text).close();
        }
    });
}

/// A vote in words: how it came out, and who did what.
fn count(tally: &Tally) -> String {
    let mut parts = vec![format!("{} in support", tally.support.len())];
    let mut add = |number: usize, what: &str| {
        if number > 0 {
            parts.push(format!("{number} {what}"));
        }
    };
    add(tally.stand_aside.len(), "aside");
    add(tally.block.len(), "against");
    add(tally.no_vote.len(), "without a vote");
    format!("{}: {}", if tally.carried { "carried" } else { "not carried" }, parts.join(", "))
}
