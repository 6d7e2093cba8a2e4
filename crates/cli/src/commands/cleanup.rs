//! `s2s session cleanup`: shows what is left over from long ago, and puts it away.
//! Given an age; asks at a terminal, does nothing unattended without `--yes`. What is put away lies in `.s2s/trash/`
//! until `--purge`. A session that something still names is kept unless that is asked for. Deliberately absent: what
//! counts as left over (the store knows) and who names a session (`s2s::cited`).

use jiff::{SignedDuration, Timestamp};
use s2s::Failure;
use s2s::cited::cited;
use s2s::store::{Away, Leftover, LeftoverKind, Sessions, Spared};
use serde_json::{Value, json};

use crate::args::Cleanup;
use crate::asking;
use crate::console::Console;
use crate::run::now;
use crate::screen;
use crate::workplace::{Workplace, here, project_at, shown};

/// The longest age: a hundred years.
const MOST_HOURS: i64 = 100 * 366 * 24;

/// Shows and puts away.
pub fn cleanup(typed: &Cleanup, console: &Console) -> Result<u8, Failure> {
    let before = before(&typed.older_than, now())?;
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let workplace = Workplace::open(cwd, project, &[])?;
    let (leftovers, spared) = plan(typed, before, &workplace)?;
    let show = |leftover: &Leftover| as_json(leftover, &workplace);
    if !console.json {
        console.print(&screen::leftovers(&leftovers, &spared, typed.purge, now(), &console.style))?;
    }
    let asked = leftovers.is_empty() || typed.dry_run || typed.yes || console.attended;
    let goes = !leftovers.is_empty() && !typed.dry_run && (typed.yes || (console.attended && agreed(typed)?));
    let done = if goes { put_away(&leftovers, typed.purge, &workplace)? } else { Done::default() };
    if console.json {
        let value = json!({
            "schema": 1,
            "before": before,
            "found": leftovers.iter().map(show).collect::<Vec<_>>(),
            "kept": spared.iter().map(|it| json!({ "name": it.name, "why": it.why })).collect::<Vec<_>>(),
            "put_away": done.number,
            "bytes": done.bytes,
            "trash": done.trash,
            "failed": done.failed,
        });
        console.print_json(&value)?;
    } else if goes {
        console.print(&said(&done, &shown(&workplace.cwd, &workplace.sessions.folder())))?;
    } else if !leftovers.is_empty() && asked {
        console.print("Nothing was changed.\n")?;
    }
    if !asked {
        return Err(Failure::bad_input("nothing was changed, because nobody could be asked")
            .next("add --yes to put this away, or --dry-run to look only"));
    }
    match done.failed.is_empty() {
        true => Ok(0),
        false => Err(Failure::failed(format!("not everything could be put away:\n{}", done.failed.join("\n")))
            .next("the rest is done; mend the cause and run it again")),
    }
}

/// The time before which something must have ended.
fn before(age: &str, now: Timestamp) -> Result<Timestamp, Failure> {
    let age = age.trim();
    let hours = [("h", 1), ("d", 24), ("w", 7 * 24)].iter().find_map(|(unit, hours)| {
        let number = age.strip_suffix(unit).filter(|number| number.chars().all(|c| c.is_ascii_digit()))?;
        number.parse::<i64>().ok()?.checked_mul(*hours).filter(|hours| *hours <= MOST_HOURS)
    });
    let before = hours.and_then(|hours| now.checked_sub(SignedDuration::from_hours(hours)).ok());
    before.ok_or_else(|| {
        Failure::bad_input(format!("--older-than \"{age}\" is not an age"))
            .next("a number with h, d or w, such as 30d, 12h or 4w")
    })
}

/// What goes, and what is old and stays all the same.
fn plan(typed: &Cleanup, before: Timestamp, workplace: &Workplace) -> Result<(Vec<Leftover>, Vec<Spared>), Failure> {
    let (sessions, root) = (&workplace.sessions, &workplace.project.root);
    let docs = &workplace.settings.config.docs;
    let folders = [&docs.decisions, &docs.specifications, &docs.architecture].map(|folder| root.join(folder));
    let found = sessions.leftovers(before, &folders)?;
    let (mut leftovers, mut spared) = (found.leftovers, found.spared);
    // The trash is emptied by a purge alone.
    leftovers.retain(|leftover| typed.purge || leftover.kind != LeftoverKind::Trash);
    let ended = leftovers.iter().filter(|leftover| leftover.kind == LeftoverKind::Session);
    let ids: Vec<String> = ended.map(|leftover| leftover.name.clone()).collect();
    if typed.include_named || ids.is_empty() {
        return Ok((leftovers, spared));
    }
    let cited = cited(root, docs, sessions, &ids)?;
    let stays = |leftover: &Leftover| {
        let by = cited.by.get(&leftover.name).map(|by| short(by));
        let unread = cited.unread.first().map(|file| format!("{file} cannot be searched and may name it"));
        by.map(|by| format!("named by {by}")).or(unread).filter(|_| leftover.kind == LeftoverKind::Session)
    };
    leftovers.retain(|leftover| match stays(leftover) {
        Some(why) => {
            spared.push(Spared { name: leftover.name.clone(), why });
            false
        }
        None => true,
    });
    Ok((leftovers, spared))
}

fn short(by: &[String]) -> String {
    match by {
        [] => String::new(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

fn agreed(typed: &Cleanup) -> Result<bool, Failure> {
    match typed.purge {
        true => asking::confirm("Delete this for good?", false),
        false => asking::confirm("Move this to .s2s/trash?", true),
    }
}

/// What was done.
#[derive(Debug, Default)]
struct Done {
    number: usize,
    bytes: u64,
    trash: Option<String>,
    failed: Vec<String>,
}

fn put_away(leftovers: &[Leftover], purge: bool, workplace: &Workplace) -> Result<Done, Failure> {
    let sessions: &Sessions = &workplace.sessions;
    let away = if purge { Away::Gone } else { sessions.new_trash(now())? };
    let mut done = Done::default();
    for leftover in leftovers {
        match sessions.put_away(leftover, &away) {
            Ok(()) => {
                done.number += 1;
                done.bytes += leftover.bytes;
            }
            Err(error) => done.failed.push(error.to_string()),
        }
    }
    if let Away::Trash(folder) = &away {
        done.trash = Some(shown(&workplace.cwd, folder));
    }
    Ok(done)
}

fn said(done: &Done, sessions: &str) -> String {
    let (size, number) = (screen::bytes(done.bytes), done.number);
    let things = if number == 1 { "thing" } else { "things" };
    match &done.trash {
        None => format!("Deleted: {number} {things}, {size}.\n"),
        Some(trash) => format!(
            "Put away: {number} {things}, {size}, to {trash}\nTo take a session back, move its file ID.yaml and its \
             folder ID from {trash}/sessions to {sessions}.\n"
        ),
    }
}

fn as_json(leftover: &Leftover, workplace: &Workplace) -> Value {
    let paths: Vec<String> = leftover.paths.iter().map(|path| shown(&workplace.cwd, path)).collect();
    json!({
        "kind": leftover.kind.as_str(), "name": leftover.name, "topic": leftover.topic, "status": leftover.status,
        "since": leftover.since, "bytes": leftover.bytes, "paths": paths,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_a_number_with_its_unit() {
        let now: Timestamp = "2026-03-04T00:00:00Z".parse().unwrap();
        let at = |age: &str| before(age, now).map(|at| at.to_string());
        assert_eq!(at("30d").unwrap(), "2026-02-02T00:00:00Z");
        assert_eq!(at("36h").unwrap(), "2026-03-02T12:00:00Z");
        assert_eq!(at(" 1w ").unwrap(), "2026-02-25T00:00:00Z");
        assert_eq!(at("0d").unwrap(), now.to_string());
        for age in ["", "d", "30", "30 d", "-1d", "+1d", "1.5d", "99999999999999999999d", "200y", "40000w", "٣d"] {
            assert!(at(age).unwrap_err().next.unwrap().contains("30d"), "{age}");
        }
    }
}
