//! The offline panel: facilitator and seats that answer without any language model.
//! Given a session and a brief; hands on the raw text of a reply, in the shape that is asked of a model,
//! so that it goes through the same reader and onto the same tape. All knowledge comes from playbooks and
//! role files; a topic that no playbook covers gets the roles' own questions and a low confidence.
//! Deliberately absent: clock, chance, I/O, and any sentence of fact that is not in a data file.
//!
//! How an answer comes about: `subject` reads the topic (`naming` finds names, `choice` how they are put), `bounds` what
//! is settled before, `weigh` scores the options for each seat, `table` says who leans where, `stance` turns the phase
//! into a task, `speak`, `position` and `character` find the words, `vote` votes; `asking` asks, `sum` sums up in the
//! words of `tell` and with the points of `claims`; `both` joins the answers to two questions; `people` keeps persons
//! apart from roles; `unknown` stands in where no playbook helps; `artifacts` adds to both what a session with a register
//! keeps; `aside` answers beside the record; `matrix` puts the weighing down.

mod artifacts;
mod aside;
mod asking;
mod both;
mod bounds;
mod character;
mod choice;
mod claims;
mod debate;
mod lines;
pub(crate) mod matrix;
mod naming;
mod people;
mod position;
mod said;
pub(crate) mod shape;
#[cfg(test)]
mod shifts;
mod speak;
mod stance;
mod subject;
mod sum;
mod table;
mod tell;
#[cfg(test)]
mod test_table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod topics;
#[cfg(test)]
mod transcripts;
#[cfg(test)]
mod trial;
mod unknown;
mod vote;
mod weigh;
mod words;

use s2s_catalog::playbook::Playbook;
use s2s_catalog::{FOREIGN_PREFIX, Role};
use s2s_engine::Session;
use s2s_engine::opening::Seat;
use s2s_engine::reply::Answer;
use s2s_engine::step::{Brief, CallKind};

use crate::matrix::Matrix;
use table::Table;

/// A panel that needs no model.
#[derive(Debug, Clone)]
pub struct Offline {
    playbooks: Vec<Playbook>,
    roles: Vec<Role>,
}

impl Offline {
    /// A panel that knows these playbooks and roles.
    pub fn new(playbooks: Vec<Playbook>, roles: Vec<Role>) -> Self {
        Self { playbooks, roles }
    }

    /// The raw reply to a brief. The same session and brief always give the same text.
    pub fn reply(&self, session: &Session, brief: &Brief) -> String {
        if brief.call.kind == CallKind::Followup {
            return followed_up(session, &brief.call.seat);
        }
        shape::written(&self.answer(session, brief))
    }

    /// The reply as a value, before it is written out.
    pub fn answer(&self, session: &Session, brief: &Brief) -> Answer {
        let tables = Table::all(session, &self.playbooks, &self.roles);
        let alone = || unknown::answer(session, &self.roles, brief);
        let answer = match tables.first().and_then(undebatable) {
            Some(said) => unknown::told_first(alone(), &said),
            None => both::answer(&tables, brief).unwrap_or_else(alone),
        };
        match session.opening().register {
            Some(_) => artifacts::completed(session, &tables, (&self.playbooks, &self.roles), brief, answer),
            None => answer,
        }
    }

    /// What a seat says to a question beside the record, in Markdown: what it said on the question's words, and what
    /// its playbook has on them; or that it has nothing.
    pub fn aside(&self, session: &Session, seat: &str, question: &str) -> String {
        let tables = Table::all(session, &self.playbooks, &self.roles);
        let named = |table: &&Table<'_>| subject::first_option(table.playbook(), question).is_some();
        aside::answer(session, tables.iter().find(named).or(tables.first()), seat, question)
    }

    /// What the seats without a model weighed, one matrix for each subject of the topic; none where no playbook covers it.
    pub fn matrices(&self, session: &Session) -> Vec<Matrix> {
        let tables = Table::all(session, &self.playbooks, &self.roles);
        tables.iter().filter_map(matrix::matrix).collect()
    }

    /// The name of the playbook that covers a topic, if one does.
    pub fn covers(&self, topic: &str) -> Option<&str> {
        subject::recognise(&self.playbooks, topic).map(|subject| subject.playbook.name.as_str())
    }
}

/// Why there is nothing to debate: two sides of one kind of thing would both be its side.
fn undebatable(table: &Table<'_>) -> Option<String> {
    let kind = table.subject.one_kind().filter(|_| table.method().two_sides)?;
    Some(tell::no_choice(table, kind))
}

/// The answer to a follow-up: without a model a seat can only say again what it holds, and on what.
fn followed_up(session: &Session, seat: &str) -> String {
    let held = session.rounds().len() as u32;
    let own = |round: u32| session.answers_of(round)?.iter().find(|answer| &*answer.participant == seat);
    let Some(answer) = (1..=held).rev().find_map(own) else {
        return "I have not been heard yet in this session, and without a model I have nothing to add.".to_owned();
    };
    let mut text = format!("Without a model I can only say again what I hold: {}", answer.position.trim());
    for reason in &answer.rationale {
        text.push_str(&format!("\n- {}", reason.trim()));
    }
    for concern in &answer.concerns {
        text.push_str(&format!("\n- concern: {}", concern.trim()));
    }
    text
}

/// The role of a seat. A project's own role may be seated as `project:NAME` too.
fn role_of<'r>(roles: &'r [Role], seat: &Seat) -> Option<&'r Role> {
    let named = |id: &str| roles.iter().find(|role| role.id == id);
    named(&seat.id).or_else(|| named(seat.id.strip_prefix(FOREIGN_PREFIX)?))
}
