//! Who sat at the table: seats, their models and sides, and what to know about the panel.
//! Given the view; writes a section. Deliberately absent: what anybody said.

use super::super::html::Html;
use super::super::marked;
use super::super::view::View;
use super::{cell, table};

/// The panel.
pub(in super::super) fn panel(html: &mut Html, view: &View<'_>) {
    let at_table = &view.table;
    // A family that is called like the model says nothing more.
    let families = at_table.seats.iter().any(|seat| !seat.family.trim().is_empty() && seat.family != seat.model);
    let mut heads = vec![("Seat", ""), ("Answers with", "")];
    if families {
        heads.push(("Family", ""));
    }
    if at_table.sides.is_some() {
        heads.push(("Side", ""));
    }
    table(html, "The seats and what they answer with", &heads, |html| {
        for seat in at_table.seats {
            html.within("tr", &[], |html| {
                html.leaf("th", &[("scope", "row")], at_table.names.of(&seat.id));
                let model = if seat.model.trim().is_empty() { "not recorded" } else { &seat.model };
                cell(html, "", if model == "offline" { "playbooks, no language model" } else { model });
                if families {
                    cell(html, "", &seat.family);
                }
                if let Some(sides) = at_table.sides {
                    let on = |side: &[s2s_engine::opening::SeatId]| side.contains(&seat.id);
                    let side = if on(&sides.pro) { "for" } else { "against" };
                    cell(html, "", if on(&sides.pro) || on(&sides.con) { side } else { "" });
                }
            });
        }
    });
    if let Some(sides) = at_table.sides.filter(|sides| !sides.proposal.trim().is_empty()) {
        html.within("p", &[("dir", "auto")], |html| {
            html.leaf("strong", &[], "Proposal argued about: ");
            marked::line(html, &sides.proposal);
        });
    }
}
