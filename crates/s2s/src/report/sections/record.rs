//! What the models cost, and what the record is known by.
//! Given the view; writes the last sections. Deliberately absent: prices, and the check itself (`s2s session verify`).

use std::collections::BTreeMap;

use s2s_engine::counted;
use s2s_engine::opening::FACILITATOR;
use s2s_engine::record::Usage;

use super::super::html::Html;
use super::super::view::View;
use super::{cell, table};
use crate::roundtable::dollars;

/// What the models cost, by seat and by model.
pub(in super::super) fn cost(html: &mut Html, view: &View<'_>) {
    let Some(bill) = view.bill else { return };
    let name =
        |seat: &str| if seat == FACILITATOR { "Facilitator".to_owned() } else { view.table.names.of(seat).to_owned() };
    let seats: BTreeMap<String, Usage> = bill.seats.iter().map(|(seat, usage)| (name(seat), *usage)).collect();
    html.leaf("h3", &[], "By seat");
    sums(html, "Cost by seat", "Seat", &seats, &bill.total);
    html.leaf("h3", &[], "By model");
    sums(html, "Cost by model", "Model", &bill.models, &bill.total);
    if bill.failed_tries > 0 {
        html.leaf("p", &[("class", "soft")], &format!("Of these, {} failed.", counted(bill.failed_tries, "try")));
    }
    if bill.unanswered > 0 {
        let calls = counted(bill.unanswered, "call");
        let text = format!("Asked and never answered: {calls}, counted at what was reserved.");
        html.leaf("p", &[("class", "soft")], &text);
    }
}

fn sums(html: &mut Html, caption: &str, of: &str, rows: &BTreeMap<String, Usage>, total: &Usage) {
    let heads = [
        (of, ""),
        ("Calls", "number"),
        ("Tokens in", "number"),
        ("of cache", "number"),
        ("Tokens out", "number"),
        ("Cost", "number"),
    ];
    table(html, caption, &heads, |html| {
        for (name, usage) in rows.iter().map(|(name, usage)| (name.as_str(), usage)).chain([("In all", total)]) {
            html.within("tr", &[], |html| {
                html.leaf("th", &[("scope", "row")], if name.is_empty() { "not recorded" } else { name });
                cell(html, "number", &usage.calls.to_string());
                for tokens in [usage.input_tokens, usage.cached_tokens, usage.output_tokens] {
                    cell(html, "number", &grouped(tokens));
                }
                cell(html, "number", &dollars(usage.cost_usd));
            });
        }
    });
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

/// What the record is known by, and how to check it.
pub(in super::super) fn record(html: &mut Html, view: &View<'_>) {
    html.within("dl", &[("class", "proof")], |html| {
        let mut row = |label: &str, value: &str| {
            html.leaf("dt", &[], label);
            html.within("dd", &[], |html| {
                html.leaf("code", &[], value);
            });
        };
        row("Session", view.id);
        if let Some(digest) = view.proof.digest {
            row("Digest of the last round", digest);
        }
        if let Some(seal) = &view.proof.seal {
            row("Seal of the minutes", seal);
        }
    });
    html.leaf(
        "p",
        &[],
        "This page is drawn from the minutes and the tape of the session, and adds nothing to them. Each \
        digest covers a round and the digest before it; the seal covers them all. To check that the record is \
        whole, that every prompt was the right one and that blind rounds were blind, run in the project:",
    );
    html.within("pre", &[("tabindex", "0")], |html| {
        html.leaf("code", &[], &format!("s2s session verify {}", view.id));
    });
}
