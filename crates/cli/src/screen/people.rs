//! What people do at the table, on the screen: that they are asked, what they say, what a seat answers them.
//! Given notices' parts; hands on text. Deliberately absent: the asking, and what a person is shown before they answer
//! (`sheet`).

use super::marks::Tone;
use super::page::Page;
use super::wrap::one_line;
use super::{Style, words};

/// People are asked; the others are shown later.
pub(super) fn asked(seats: &[String], style: &Style) -> String {
    let mut page = Page::new(style);
    let is = if seats.len() == 1 { "is" } else { "are" };
    let listed = words::listed(seats);
    let have = if seats.len() == 1 { "has" } else { "have" };
    page.row("People", &format!("{listed} {is} asked; the others are shown once {listed} {have} answered."));
    page.finish()
}

/// Something said to the table (L8).
pub(super) fn spoke(text: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.row("Said", text);
    page.note("the next question takes it up");
    page.finish()
}

/// A follow-up and its answer (L9).
pub(super) fn followed_up(seat: &str, question: &str, answer: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.row("Follow-up", &format!("to {}: {question}", one_line(seat)));
    page.row("Answer", answer);
    page.note("outside the votes; nobody else at the table is shown it");
    page.finish()
}

/// A session that waits for people's answers: the exact commands that give them.
pub(super) fn awaited(session: &str, people: &[String], again: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.title("Roundtable Paused", Tone::Warning);
    page.row_whole("Session", session);
    let have = if people.len() == 1 { "has" } else { "have" };
    page.row("Reason", &format!("{} {have} not answered yet", words::listed(people)));
    page.row("Kept", "every committed round, and every reply that had arrived");
    let id = words::shell(&one_line(session));
    page.heading("Answer at a terminal");
    page.commands(&[(format!("s2s roundtable resume {id}{again}"), "")]);
    page.heading("Or print the form and fill it in");
    for person in people {
        let person = words::shell(&one_line(person));
        let command = format!("s2s roundtable answer {id}{again} --as {person}");
        page.commands(&[(format!("{command} > answer.txt"), ""), (format!("{command} --file answer.txt"), "")]);
    }
    page.finish()
}
