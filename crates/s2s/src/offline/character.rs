//! What makes a seat the seat it is: the lead-in of its voice, what it would block, what it asks for, and how it takes
//! what others have said. Given a table and a seat; hands on lines whose words are those of the role's file.
//! Deliberately absent: facts of the playbook, and who says what when.

use s2s_engine::has_word;

use super::said::Line;
use super::stance::Stance;
use super::table::{Table, Turn};
use super::words::{unstopped, within};

impl Table<'_> {
    /// What the seat would block, in the order of its role's file.
    pub(super) fn block_lines(&self, seat: usize) -> Vec<Line> {
        let blocks = self.roles[seat].map_or(&[][..], |role| role.blocks.as_slice());
        let line = |(at, block): (usize, &String)| {
            let block = within(unstopped(block));
            let text = match (seat + at) % 3 {
                0 => format!("I would block this for as long as it is true that {block}."),
                1 => format!("Here is where I draw my line: if {block}, it is a no from me."),
                _ => format!("I could not agree to this if {block}."),
            };
            Line::new(format!("block:{seat}:{at}"), text)
        };
        blocks.iter().enumerate().map(line).filter(|line| !self.is_loaded(&line.text)).collect()
    }

    /// What the seat asks for, in the order of its role's list.
    pub(super) fn ask_lines(&self, seat: usize) -> Vec<Line> {
        let asks = self.roles[seat].map_or(&[][..], |role| role.checklist.as_slice());
        let line = |(at, ask): (usize, &String)| {
            let text = match (seat + at) % 3 {
                0 => format!("Nobody has answered this yet: {}", within(ask)),
                1 => format!("What I would ask before I sign: {}", within(ask)),
                _ => format!("One thing is missing for me: {}", within(ask)),
            };
            Line::new(format!("ask:{seat}:{at}"), text)
        };
        asks.iter().enumerate().map(line).filter(|line| !self.is_loaded(&line.text)).collect()
    }

    /// A first sentence in the seat's own voice, every second time.
    pub(super) fn in_voice(&self, turn: &Turn, seat: usize, position: String) -> String {
        let fits = matches!(
            turn.stance,
            Stance::Plain | Stance::Propose | Stance::Build | Stance::Attack | Stance::Alternatives | Stance::Adjust
        );
        let set = ["I hold on", "I come round", "I block", "I stand aside", "My own"];
        let told = set.iter().any(|start| position.starts_with(start));
        let voice = self.roles[seat].map_or(&[][..], |role| role.voice.as_slice());
        let due = (seat + turn.held as usize).is_multiple_of(2);
        match voice.get(turn.held as usize / 2).filter(|_| fits && due && !told) {
            Some(lead) if !self.is_loaded(lead) => format!("{lead}, {}", self.inside(&position)),
            _ => position,
        }
    }

    /// A sentence of this table set into another: a name of the topic keeps its capital.
    fn inside(&self, sentence: &str) -> String {
        let named = self.subject.called.iter().any(|(_, name)| sentence.starts_with(name.as_str()));
        if named { sentence.to_owned() } else { within(sentence) }
    }

    /// What the seat makes of those who lean elsewhere, once it has heard them.
    pub(super) fn heard_lines(&self, turn: &Turn, seat: usize, option: usize) -> Vec<Line> {
        let Some(before) = turn.held.checked_sub(1) else { return Vec::new() };
        let apart = turn.asked.iter().filter(|&&other| other != seat && self.leaning(other, before) != option);
        let line = |&other: &usize| {
            let wanted = self.leaning(other, before);
            let (theirs, _) = self.parting(other, option);
            let (who, name, about) = (self.who(other), self.name(wanted), self.about(theirs));
            let (mine, reason) = (self.about(self.views[seat].matters[0]), self.reason(wanted, theirs));
            let text = match (seat + turn.held as usize) % 2 {
                0 => format!(
                    "I have heard the {who} on {about}, and it is true of {name} that {reason}; for me {mine} still comes first."
                ),
                _ => format!(
                    "The {who} has a point on {about} with {name}, since {reason}; it does not outweigh {mine} for me."
                ),
            };
            // A fact that all agree on: the argument is about its weight.
            Line::new(format!("heard:{wanted}:{theirs}"), text)
        };
        apart
            .filter(|&&other| self.score(self.leaning(other, before), self.parting(other, option).0) >= 3.0)
            .map(line)
            .filter(|line| !self.is_loaded(&line.text))
            .collect()
    }

    /// Whether a text holds a word that calls a person, though nothing is meant by it (E3).
    fn is_loaded(&self, text: &str) -> bool {
        self.session.opening().settings.escalation.critical_keywords.iter().any(|word| has_word(text, word))
    }
}
