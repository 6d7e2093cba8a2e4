//! What makes a seat the seat it is: the lead-in of its voice, what it would block, what it asks for, and how it takes
//! what others have said. Given a table and a seat; hands on lines whose words are those of the role's file.
//! Deliberately absent: facts of the playbook, and who says what when.

use std::collections::BTreeSet;

use s2s_catalog::Role;
use s2s_engine::has_word;

use super::said::Line;
use super::stance::Stance;
use super::table::{Table, Turn};
use super::words::{tokens, unstopped, within};

impl Table<'_> {
    /// What the seat would block: one thing of its role's file for each round, until all are said.
    pub(super) fn block_lines(&self, turn: &Turn, seat: usize) -> Vec<Line> {
        let blocks = self.own(seat, |role| &role.blocks);
        let line = |(at, block): (usize, &String)| {
            let block = within(unstopped(block));
            let text = match (seat + turn.held as usize) % 5 {
                0 => format!("I would block this for as long as it is true that {block}."),
                1 => format!("Here is where I draw my line: if {block}, it is a no from me."),
                2 => format!("I could not agree to this if {block}."),
                3 => format!("What would make me say no, whichever way we go: {block}."),
                _ => format!("This would make me stand in the way: {block}."),
            };
            Line::new(format!("block:{seat}:{at}"), text)
        };
        self.due(turn, blocks.iter().enumerate().map(line))
    }

    /// What the seat asks for: one question of its role's list for each round.
    pub(super) fn ask_lines(&self, turn: &Turn, seat: usize) -> Vec<Line> {
        let asks = self.own(seat, |role| &role.checklist);
        let line = |(at, ask): (usize, &String)| {
            let ask = within(ask);
            let text = match (seat + turn.held as usize) % 5 {
                0 => format!("Nobody has answered this yet: {ask}"),
                1 => format!("What I would ask before I sign: {ask}"),
                2 => format!("One thing is missing for me: {ask}"),
                3 => format!("I would like to hear from somebody who knows: {ask}"),
                _ => format!("My question to all of you: {ask}"),
            };
            Line::new(format!("ask:{seat}:{at}"), text)
        };
        self.due(turn, asks.iter().enumerate().map(line))
    }

    /// A list of the seat's role. A second subject of the same answer does not bring it up again.
    fn own(&self, seat: usize, list: fn(&Role) -> &Vec<String>) -> &[String] {
        self.roles[seat].filter(|_| !self.is_second).map_or(&[], |role| list(role))
    }

    /// The line that is due in this round, of those that may be said aloud: the one nearest to the focus and the subject;
    /// where none is near, each subject and round begins at another place of the list.
    fn due(&self, turn: &Turn, lines: impl Iterator<Item = Line>) -> Vec<Line> {
        let mut lines: Vec<Line> = lines.filter(|line| !self.is_loaded(&line.text)).collect();
        let first = self.playbook().name.bytes().map(usize::from).sum::<usize>() + turn.held as usize / 2;
        let first = first % lines.len().max(1);
        lines.rotate_left(first);
        let asked = self.criterion(turn.criterion);
        let focus = roots(&format!("{} {} {}", asked.name, asked.asks, asked.find_out));
        let subject = roots(&format!("{} {}", self.playbook().subject, self.playbook().decides));
        let near = |line: &Line| {
            let own = roots(&line.text);
            let shared = |words: &BTreeSet<String>| own.intersection(words).count();
            2 * shared(&focus) + shared(&subject)
        };
        lines.sort_by_key(|line| std::cmp::Reverse(near(line)));
        lines.truncate(1);
        lines
    }

    /// A first sentence in the seat's own voice, every second time.
    pub(super) fn in_voice(&self, turn: &Turn, seat: usize, position: String) -> String {
        let fits =
            matches!(turn.stance, Stance::Plain | Stance::Propose | Stance::Build | Stance::Attack | Stance::Adjust);
        let set = ["I hold on", "I come round", "I block", "I stand aside", "My own"];
        let told = set.iter().any(|start| position.starts_with(start));
        let voice = self.own(seat, |role| &role.voice);
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
        let weighty =
            |other: &&usize| self.score(self.leaning(**other, before), self.parting(**other, option).0) >= 3.0;
        apart.filter(weighty).map(line).filter(|line| !self.is_loaded(&line.text)).collect()
    }

    /// Whether a text holds a word that calls a person, though nothing is meant by it (E3).
    fn is_loaded(&self, text: &str) -> bool {
        self.session.opening().settings.escalation.critical_keywords.iter().any(|word| has_word(text, word))
    }
}

/// The longer words of a text, cut so that their forms are alike.
fn roots(text: &str) -> BTreeSet<String> {
    const PLAIN: &str = "about answered before block could every everybody goes line missing nobody sign somebody stand such \
        than that their them then there they thing things this true what when which whichever will with would";
    let long = tokens(text).into_iter().map(|token| token.word).filter(|word| word.len() > 3);
    let plain = |word: &String| PLAIN.split_whitespace().any(|known| known == word);
    long.filter(|word| !plain(word)).map(|word| word.chars().take(5).collect()).collect()
}
