//! `s2s roundtable list`: the sessions of a project, grouped by status.
//! Given nothing; prints the list. Deliberately absent: reading whole sessions, which a list can do without.

use s2s::Failure;
use s2s::store::Listed;
use serde_json::{Value, json};

use crate::console::Console;
use crate::run::now;
use crate::screen;
use crate::workplace::sessions_here;

/// Lists the sessions.
pub fn list(console: &Console) -> Result<u8, Failure> {
    let sessions = sessions_here()?;
    let rows = sessions.list()?;
    let current = sessions.current()?;
    match console.json {
        true => {
            let rows: Vec<Value> = rows.iter().map(row).collect();
            console.print_json(&json!({ "current": current, "sessions": rows }))?;
        }
        false => console.print(&screen::listing(&rows, current.as_deref(), now(), &console.style))?,
    }
    Ok(0)
}

fn row(listed: &Listed) -> Value {
    json!({
        "id": listed.id,
        "topic": listed.topic,
        "workflow_type": listed.workflow_type,
        "strategy": listed.strategy,
        "status": listed.status,
        "current_phase": listed.current_phase,
        "total_rounds": listed.total_rounds,
        "started": listed.started,
        "paused_at": listed.paused_at,
        "completed_at": listed.completed_at,
        "problem": listed.problem,
    })
}
