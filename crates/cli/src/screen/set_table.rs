//! The table as a conversation has set it, before the first question is put: one screen to look over.
//! Given what was answered; hands on text. Deliberately absent: asking, and what a roundtable costs (`--dry-run`).

use super::marks::Tone;
use super::page::Page;
use super::{Style, words};

/// A table that is set.
pub struct SetTable<'a> {
    /// The question.
    pub topic: &'a str,
    /// The strategy's name and what it is for.
    pub strategy: (&'a str, &'a str),
    /// Who sits there: name and title.
    pub seats: Vec<(String, String)>,
    /// Who answers for them.
    pub answers: String,
    /// The fewest and the most rounds.
    pub rounds: (u32, u32),
    /// The command that asks nothing.
    pub command: String,
}

/// The screen.
pub fn set_table(table: &SetTable<'_>, style: &Style) -> String {
    let mut page = Page::new(style);
    page.part("The table is set");
    page.row("Question", table.topic);
    page.row("Strategy", &format!("{}: {}", table.strategy.0, table.strategy.1));
    page.label("Seats");
    table.seats.iter().for_each(|(name, title)| page.value(&format!("{name}  {title}")));
    page.row("Answered by", &table.answers);
    let (least, most) = table.rounds;
    page.row("Rounds", &format!("{least} to {}", words::count(most as usize, "round")));
    page.gap();
    page.paragraph(2, "The same without questions:", Tone::Quiet);
    page.commands(&[(table.command.clone(), "")]);
    page.gap();
    page.finish()
}
