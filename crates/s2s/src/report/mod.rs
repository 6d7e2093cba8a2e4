//! The report of a session: one HTML file with everything in it, for people who would rather look than read.
//! Given the record; hands on a page that needs no network and no script, can be printed, and is the same for the same record.
//! It goes from the record to a view (`gather`, `told`, `figures`), and from there onto the page (`page`, `sections`,
//! `charts`). Every text in it is untrusted and is escaped where it is written (`html`, `marked`).
//! Deliberately absent: decisions, and any fact that the record does not hold.

mod charts;
mod figures;
mod file;
mod gather;
mod html;
mod marked;
mod page;
mod sections;
mod told;
mod view;

#[cfg(test)]
mod contrast;

use s2s_engine::Session;
use s2s_store::{Aside, Minutes, Sessions};

use crate::bill::Bill;
use crate::failure::Failure;
use crate::roundtable::{Followed, follow_ups, recall};
pub use file::{beside_documents, keep};

/// How every report begins; by this a file is known as one of ours.
const BEGINNING: &str = "<!DOCTYPE html>\n<html lang=\"en\" data-made-by=\"s2s report\"";

/// What a report is made from.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// The minutes.
    pub minutes: &'a Minutes,
    /// The folded session; without it (a file of the original plugin) answers and artifacts are not known.
    pub session: Option<&'a Session>,
    /// What it cost, where the tape is known.
    pub bill: Option<&'a Bill>,
    /// What single seats were asked between rounds, in order; it is on the tape alone.
    pub follow_ups: &'a [Followed],
    /// What was asked of single seats afterwards, beside the record.
    pub asides: &'a [Aside],
    /// What could not be read, for the reader to know.
    pub notes: &'a [String],
}

/// A report and what to know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The page.
    pub html: String,
    /// Whether the session has no outcome yet.
    pub partial: bool,
    /// Parts of the record that could not be read; the page says so too.
    pub notes: Vec<String>,
}

/// The page of a record. Pure: the same record gives the same page.
pub fn page(record: &Record<'_>) -> String {
    page::page(&gather::gather(record))
}

/// The report of a kept session. A tape that cannot be read takes the answers away, not the report.
///
/// # Errors
/// If the minutes cannot be read.
pub fn report(sessions: &Sessions, id: &str) -> Result<Report, Failure> {
    let minutes = sessions.read(id)?;
    let mut notes = Vec::new();
    let tape = sessions.tape(id).map(|tape| tape.lines).unwrap_or_else(|error| {
        notes.push(format!("The answers, the follow-ups and the cost cannot be shown: {error}"));
        Vec::new()
    });
    let recalled = minutes.settings().is_some().then(|| recall(&minutes, &tape));
    let session = recalled.and_then(|recalled| match recalled {
        Ok(recalled) => Some(recalled.session),
        Err(error) => {
            notes.push(format!("The answers cannot be shown: {error}"));
            None
        }
    });
    let asides = sessions.asides(id).map(|asides| asides.list).unwrap_or_else(|error| {
        notes.push(format!("What was asked afterwards cannot be shown: {error}"));
        Vec::new()
    });
    let bill = Bill::of(&tape);
    let record = Record {
        minutes: &minutes,
        session: session.as_ref(),
        bill: Some(&bill),
        follow_ups: &follow_ups(&tape),
        asides: &asides,
        notes: &notes,
    };
    let html = page(&record);
    Ok(Report { html, partial: minutes.outcome().is_none(), notes })
}

/// Whether a file that begins so is a report of ours.
pub fn is_report(beginning: &[u8]) -> bool {
    beginning.starts_with(BEGINNING.as_bytes())
}
