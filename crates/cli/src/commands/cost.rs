//! `s2s session cost`: what a session cost, by round, by seat and by model.
//! Given an id; reads the tape and prints sums. Deliberately absent: prices and the sums themselves
//! (`s2s::bill`).

use s2s::Failure;
use s2s::asides;
use s2s::bill::Bill;
use s2s::engine::counted;
use s2s::engine::record::Usage;
use s2s::roundtable::dollars;
use serde_json::json;

use crate::args::Named;
use crate::console::Console;
use crate::workplace::{session_meant, sessions_here};

/// Prints the bill of a session.
pub fn cost(named: &Named, console: &Console) -> Result<u8, Failure> {
    let sessions = sessions_here()?;
    let id = session_meant(&sessions, named.id.as_deref())?;
    let bill = Bill::of(&sessions.tape(&id)?.lines);
    // What was asked beside the record is no part of the session's own bill.
    let asides = sessions.asides(&id)?;
    let afterwards = (!asides.list.is_empty()).then(|| asides::cost(&asides));
    if console.json {
        let mut value = json!({"schema": 1, "session": id, "bill": bill});
        if let Some(usage) = &afterwards {
            value["afterwards"] = json!(usage);
        }
        console.print_json(&value)?;
        return Ok(0);
    }
    let mut text = format!(
        "{id}\n\n{:28} {:>6} {:>10} {:>10} {:>10} {:>10}\n",
        "", "calls", "tokens in", "of cache", "tokens out", "cost"
    );
    for (round, usage) in &bill.rounds {
        text.push_str(&row(&format!("round {round}"), usage));
    }
    text.push('\n');
    for (seat, usage) in &bill.seats {
        text.push_str(&row(seat, usage));
    }
    text.push('\n');
    for (model, usage) in &bill.models {
        text.push_str(&row(model, usage));
    }
    text.push_str(&format!("\n{}", row("in all", &bill.total)));
    if bill.failed_tries > 0 {
        let calls = counted(bill.failed_tries, "call");
        let them = if bill.failed_tries == 1 { "it was" } else { "they were" };
        text.push_str(&format!("\nOf these, {calls} failed: {them} tried again or given up.\n"));
    }
    text.push_str(&unanswered(&bill, sessions.is_held(&id).unwrap_or_default()));
    if let Some(usage) = &afterwards {
        text.push_str(&format!("\n{}", row("asked afterwards", usage)));
    }
    console.print(&text)?;
    Ok(0)
}

/// Calls without an end, and what they count at; while somebody drives the session, the last ones are being answered.
fn unanswered(bill: &Bill, driven: bool) -> String {
    let under_way = if driven { bill.open } else { 0 };
    let never = bill.unanswered - under_way;
    let mut text = String::new();
    if never > 0 {
        let (was, count) = if never == 1 { ("was", "it counts") } else { ("were", "they count") };
        let calls = counted(never, "call");
        text.push_str(&format!("\n{calls} {was} asked and never answered; {count} at what was reserved"));
        text.push_str(&if under_way == 0 {
            format!(": {}.\n", dollars(bill.unanswered_usd))
        } else {
            ".\n".to_owned()
        });
    }
    if under_way > 0 {
        let (is, count, ends) =
            if under_way == 1 { ("is", "it counts", "it ends") } else { ("are", "they count", "they end") };
        let calls = counted(under_way, "call");
        text.push_str(&format!("\n{calls} {is} being answered now; until {ends}, {count} at what is reserved.\n"));
    }
    text
}

fn row(name: &str, usage: &Usage) -> String {
    let Usage { calls, input_tokens, cached_tokens, output_tokens, cost_usd, .. } = usage;
    let cost = dollars(*cost_usd);
    format!("{name:28} {calls:>6} {input_tokens:>10} {cached_tokens:>10} {output_tokens:>10} {cost:>10}\n")
}
