//! The report of a session: well formed whatever the strategy, inert whatever was said, whole or plainly not, and no larger
//! than what it tells. An XML parser reads every page, so a tag that a text smuggled in would show.

use std::collections::BTreeSet;
use std::sync::Arc;

use roxmltree::{Document, Node, ParsingOptions};
use s2s::bill::Bill;
use s2s::clean::clean_text;
use s2s::engine::Unattended;
use s2s::engine::opening::Workflow;
use s2s::engine::record::Round;
use s2s::panel::{OfflinePanel, Panel};
use s2s::report::{Record, is_report, page};
use s2s::roundtable::{Ended, Roundtable};
use s2s::store::{InMemory, Keeper, Minutes};
use serde_json::Value;

use crate::made;
use crate::varied::VARIED;
use crate::world::{Table, catalog, run, script};

/// Every element that a page is made of.
const ELEMENTS: &[&str] = &[
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "header",
    "nav",
    "main",
    "section",
    "article",
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "div",
    "span",
    "a",
    "strong",
    "em",
    "del",
    "small",
    "code",
    "pre",
    "blockquote",
    "br",
    "hr",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "details",
    "summary",
    "figure",
    "figcaption",
    "svg",
    "line",
    "path",
    "circle",
    "rect",
    "text",
];

/// Every attribute that they have.
const ATTRIBUTES: &[&str] = &[
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "charset",
    "class",
    "content",
    "cx",
    "cy",
    "d",
    "data-label",
    "data-made-by",
    "dir",
    "height",
    "href",
    "http-equiv",
    "id",
    "lang",
    "name",
    "preserveAspectRatio",
    "r",
    "rel",
    "role",
    "scope",
    "start",
    "tabindex",
    "text-anchor",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];

const HOSTILE: &str = "<script>alert(1)</script></style></title></svg></details>--> ]]> <img src=x onerror=alert(1)> \
    [a](javascript:alert(1)) ![b](http://127.0.0.1/b) &lt;b&gt; &#60;i> \u{202e}rev\u{2066} \u{0}\u{1b}[31m\u{fffe} \"'`";

/// The page of a table, with what its tape tells.
fn of(table: &Roundtable<InMemory>) -> String {
    let bill = Bill::of(&table.keeper().tape().unwrap().lines);
    page(&Record {
        minutes: table.keeper().minutes(),
        session: Some(table.session()),
        bill: Some(&bill),
        follow_ups: &[],
        asides: &[],
        notes: &[],
    })
}

/// The page is one tree of our own elements, and everything in it is where it belongs.
#[track_caller]
fn sound(html: &str) {
    assert!(is_report(html.as_bytes()), "{}", &html[..80.min(html.len())]);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(html, options).unwrap_or_else(|error| panic!("{error}"));
    let all: Vec<Node<'_, '_>> = document.descendants().filter(Node::is_element).collect();
    let named = |name: &str| all.iter().filter(|node| node.has_tag_name(name)).count();
    let (mut ids, mut level) = (BTreeSet::new(), 0);
    for node in &all {
        let name = node.tag_name().name();
        assert!(ELEMENTS.contains(&name), "<{name}>");
        for attribute in node.attributes() {
            assert!(ATTRIBUTES.contains(&attribute.name()), "{}={}", attribute.name(), attribute.value());
        }
        if let Some(id) = node.attribute("id") {
            assert!(ids.insert(id), "{id} twice");
        }
        if let Some(own) = name.strip_prefix('h').and_then(|level| level.parse::<u32>().ok()) {
            assert!(own <= level + 1, "{name} after a heading of level {level}");
            level = own;
        }
        let labelled = node.attribute("aria-hidden").is_some() || node.attribute("aria-label").is_some();
        assert!(name != "svg" || labelled, "a drawing without words");
    }
    for one in ["h1", "main", "nav", "title", "style"] {
        assert_eq!(named(one), 1, "{one}");
    }
    for address in all.iter().filter_map(|node| node.attribute("href")) {
        let here = address.strip_prefix('#').is_some_and(|id| ids.contains(id));
        assert!(here || address.starts_with("https://") || address.starts_with("http://"), "{address}");
    }
    assert_eq!(clean_text(html), html, "nothing unseen, no direction turned");
}

async fn offline(strategy: &'static str) -> Roundtable<InMemory> {
    let panel: Arc<dyn Panel> = Arc::new(OfflinePanel::from_catalog(&catalog()).0);
    let mut table = Table { strategy, ..Table::default() }.begin(panel);
    let (ended, _) = run(&mut table, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Completed(_)), "{strategy}: {ended:?}");
    table
}

async fn varied() -> Roundtable<InMemory> {
    let mut table = Table::default().begin(script(VARIED));
    let (ended, _) = run(&mut table, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Completed(_)), "{ended:?}");
    table
}

#[tokio::test]
async fn every_strategy_gives_a_well_formed_page() {
    for strategy in ["standard", "disney", "debate", "consensus-driven", "six-hats"] {
        let table = offline(strategy).await;
        let html = of(&table);
        sound(&html);
        assert!(html.contains("No language model takes part"), "{strategy}");
        assert!(!html.contains("id=\"cost\""), "{strategy}: nothing was paid");
        for round in table.session().rounds() {
            assert!(html.contains(&format!("id=\"round-{}\"", round.number)), "{strategy}");
        }
    }
}

/// The page as it is, without the style sheet and the digests, which have tests of their own.
#[tokio::test]
async fn the_page_of_a_varied_session_is_known_word_for_word() {
    let html = of(&varied().await);
    sound(&html);
    let (head, rest) = html.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    let hex = |word: &str| word.len() > 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let words = |text: &str| -> String {
        let parts = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
        let mask = |part: &str| match part.char_indices().last() {
            Some((at, _)) if hex(&part[..at]) => format!("DIGEST{}", &part[at..]),
            _ => part.to_owned(),
        };
        parts.map(mask).collect()
    };
    expect_test::expect_file!["report.html"].assert_eq(&words(&format!("{head}<style></style>{body}")));
}

#[tokio::test]
async fn the_outcome_tells_decision_reason_and_dissent_before_anything_else() {
    let html = of(&varied().await);
    let order = [
        "Recommended by the facilitator",
        "Why it ended",
        "What the panel carried",
        "It needs an endpoint for every screen",
        "id=\"panel\"",
        "id=\"confidence\"",
        "id=\"votes\"",
        "id=\"agreement\"",
        "id=\"conflicts\"",
        "id=\"people\"",
        "id=\"discussion\"",
        "id=\"record\"",
    ];
    let places: Vec<usize> = order.iter().map(|part| html.find(part).unwrap_or_else(|| panic!("{part}"))).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert!(html.contains("s2s session verify 20260102-030405-test"));
}

/// Puts the hostile text into every free text of a value.
fn poisoned(value: &mut Value, text: &str) {
    const FREE: &[&str] = &[
        "question",
        "focus",
        "synthesis",
        "description",
        "resolution",
        "text",
        "reason",
        "what",
        "recommendation",
        "next_focus",
        "position",
        "rule",
        "policy",
        "phase",
        "escalation_reason",
        "context_summary",
        "challenge",
    ];
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(said) if FREE.contains(&key.as_str()) => text.clone_into(said),
                    Value::Array(said) if matches!(key.as_str(), "consensus" | "rationale" | "concerns") => {
                        *said = vec![Value::from(text)];
                    }
                    value => poisoned(value, text),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| poisoned(value, text)),
        _ => {}
    }
}

fn poisoned_minutes(rounds: &[Round], text: &str) -> Minutes {
    let mut opening = made::opening("20260102-030405-test", Workflow::Brainstorm, None, None);
    opening.topic = text.to_owned();
    for seat in &mut opening.seats {
        (seat.name, seat.model, seat.family) = (text.to_owned(), text.to_owned(), text.to_owned());
    }
    let mut minutes = Minutes::new(&opening, made::at(0), s2s::store::Panel::Models, text, text).unwrap();
    for round in rounds {
        let mut value = serde_json::to_value(round).unwrap();
        poisoned(&mut value, text);
        minutes.push_round(serde_json::from_value(value).unwrap()).unwrap();
    }
    minutes
}

#[tokio::test]
async fn whatever_is_in_a_record_stays_text() {
    let table = varied().await;
    for text in [HOSTILE.to_owned(), format!("{HOSTILE}{}", "W".repeat(100_000)), format!("- {HOSTILE}\n\n> {HOSTILE}")]
    {
        let minutes = poisoned_minutes(table.session().rounds(), &text);
        let notes = [text.clone()];
        let html =
            page(&Record { minutes: &minutes, session: None, bill: None, follow_ups: &[], asides: &[], notes: &notes });
        sound(&html);
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        for alive in ["<script", "<img", "javascript:alert(1)\"", "onerror=\"", "http://127.0.0.1"] {
            let shown = html.matches(alive).count();
            // The address of a picture is not even shown where Markdown is read; elsewhere it is text.
            assert!(alive == "http://127.0.0.1" || shown == 0, "{alive}");
        }
    }
}

#[tokio::test]
async fn a_session_without_an_outcome_says_so() {
    let table = Table::default().begin(script(VARIED));
    let html = of(&table);
    sound(&html);
    assert!(html.contains("This session has no outcome yet: it is under way") && html.contains("tells of 0 rounds"));
    let mut waits = Table::default().begin(script(VARIED));
    let (ended, _) = run(&mut waits, Unattended::Pause).await;
    assert!(matches!(ended, Ended::Paused(_)), "{ended:?}");
    let html = of(&waits);
    sound(&html);
    assert!(html.contains("it waits for a person to decide X1") && html.contains("Recommended so far"));
}

#[test]
fn artifacts_are_told_by_kind() {
    let artifacts = vec![made::artifact("RISK-001", &[]), made::artifact("IDEA-001", &["RISK-001"])];
    let register = made::register(Workflow::Brainstorm, Vec::new());
    let opening = made::opening("20260102-030405-test", Workflow::Brainstorm, Some(register), None);
    let minutes = made::complete(&opening, 0, made::two_rounds(artifacts));
    let recalled = s2s::roundtable::recall(&minutes, &[]).unwrap();
    let html = page(&Record {
        minutes: &minutes,
        session: Some(&recalled.session),
        bill: None,
        follow_ups: &[],
        asides: &[],
        notes: &[],
    });
    sound(&html);
    for part in ["<h3>Ideas</h3>", "<h3>Risks</h3>", "Title of RISK-001", "Severity", "voted on as C1.1"] {
        assert!(html.contains(part), "{part}");
    }
}

#[tokio::test]
async fn a_page_grows_with_its_session_and_not_faster() {
    let table = varied().await;
    let size = |times: u32| {
        let first = &table.session().rounds()[0];
        let rounds: Vec<Round> = (1..=times).map(|number| Round { number, ..first.clone() }).collect();
        let minutes =
            made::started(&made::opening("20260102-030405-test", Workflow::Brainstorm, None, None), 0, rounds);
        page(&Record { minutes: &minutes, session: None, bill: None, follow_ups: &[], asides: &[], notes: &[] }).len()
    };
    let (none, some, many) = (size(0), size(50), size(400));
    assert!(many - none < 9 * (some - none), "{none} {some} {many}");
}
