//! The page as a whole: its head, what it opens with, the way through it, and the order of its sections.
//! Given the view; hands on the HTML. Deliberately absent: what is in a section (`sections`).

use super::BEGINNING;
use super::html::Html;
use super::sections::{self, section};
use super::view::View;

/// How it looks. Its colours are checked by `contrast.rs`.
pub(super) const STYLE: &str = include_str!("style.css");

/// What the page may load and run: nothing but its own style sheet, whatever a text in it says.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// Whether a section has anything to show.
type Any = fn(&View<'_>) -> bool;

/// What it shows.
type Write = fn(&mut Html, &View<'_>);

/// The sections in their order: id, title, whether there is anything to show, and what.
const SECTIONS: &[(&str, &str, Any, Write)] = &[
    ("outcome", "Outcome", |_| true, sections::outcome::outcome),
    ("panel", "Panel", |view| !view.table.seats.is_empty(), sections::panel::panel),
    ("confidence", "Confidence", |view| !view.figures.confidence.is_empty(), sections::figures::confidence),
    ("votes", "Votes", |view| !view.figures.votes.is_empty(), sections::votes::votes),
    ("agreement", "Agreement", |view| view.figures.agreement.is_some(), sections::figures::agreement),
    ("conflicts", "Conflicts", |view| !view.figures.conflicts.is_empty(), sections::figures::conflicts),
    ("agenda", "Agenda", |view| !view.agenda.is_empty(), sections::votes::agenda),
    ("artifacts", "Artifacts", |view| !view.artifacts.is_empty(), sections::artifacts::artifacts),
    ("people", "Asked of people", sections::people::any, sections::people::people),
    ("discussion", "Discussion", |view| !view.rounds.is_empty(), sections::rounds::rounds),
    ("afterwards", "Asked afterwards", |view| !view.asides.is_empty(), sections::asides::asides),
    ("cost", "Cost", |view| view.bill.is_some(), sections::record::cost),
    ("record", "Record", |_| true, sections::record::record),
];

/// The page.
pub(super) fn page(view: &View<'_>) -> String {
    let mut html = Html::beginning(BEGINNING, "html");
    html.within("head", &[], |html| head(html, view));
    html.within("body", &[], |html| {
        html.leaf("a", &[("class", "skip"), ("href", "#outcome")], "Skip to the outcome");
        html.within("header", &[], |html| opening(html, view));
        html.within("nav", &[("aria-label", "Sections of this report")], |html| way(html, view));
        html.within("main", &[], |html| {
            for (id, title, _, write) in SECTIONS.iter().filter(|(_, _, any, _)| any(view)) {
                section(html, id, title, |html| write(html, view));
            }
        });
    });
    html.finish()
}

fn head(html: &mut Html, view: &View<'_>) {
    html.void("meta", &[("charset", "utf-8")]);
    html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", POLICY)]);
    html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    html.void("meta", &[("name", "referrer"), ("content", "no-referrer")]);
    html.void("meta", &[("name", "robots"), ("content", "noindex")]);
    html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    html.open("title", &[]).text(&super::marked::words(view.topic, 120)).text(" · s2s report").close();
    html.style(STYLE);
}

fn opening(html: &mut Html, view: &View<'_>) {
    html.leaf("p", &[("class", "kind")], "Roundtable report");
    html.leaf("h1", &[("dir", "auto")], view.topic);
    let badge = format!("badge {}", view.badge.tone);
    html.within("p", &[("class", "standing")], |html| {
        html.leaf("span", &[("class", &badge)], view.badge.word).text(" ");
        html.leaf("span", &[("class", "soft")], &view.table.note);
    });
    for note in view.partial.iter().chain(&view.notes) {
        html.leaf("p", &[("class", "notice"), ("role", "note")], note);
    }
}

fn way(html: &mut Html, view: &View<'_>) {
    html.within("ol", &[], |html| {
        for (id, title, _, _) in SECTIONS.iter().filter(|(_, _, any, _)| any(view)) {
            html.open("li", &[]).leaf("a", &[("href", &format!("#{id}"))], title).close();
        }
    });
}
