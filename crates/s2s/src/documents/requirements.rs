//! Requirements from a session: sorted by kind, numbered on from what is there (C1).
//! Given the session and its view; hands on numbered entries with sources. A point that failed its vote is
//! no requirement; one without a vote is, and says so. Deliberately absent: the file.

use s2s_engine::{Point, Session, Standing};

use super::escape::inline;
use super::sorted::{QUALITY, best};
use super::tallied::point_source;
use super::view::{QualityGroup, Requirement, Requirements, Statement, View};

/// The highest number of each kind of id so far, and whether a file is there at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbering {
    /// Whether the document starts here.
    pub first: bool,
    /// `REQ-…`, functional.
    pub functional: u32,
    /// `NFR-…`, non-functional.
    pub quality: u32,
    /// `CON-…`, constraints.
    pub constraints: u32,
    /// `OPQ-…`, open questions.
    pub questions: u32,
}

impl Default for Numbering {
    fn default() -> Self {
        Self { first: true, functional: 0, quality: 0, constraints: 0, questions: 0 }
    }
}

impl Numbering {
    /// Goes on from the ids that a text holds, wherever they stand: an id that is only mentioned is taken too.
    pub fn after(text: &str) -> Self {
        Self {
            first: false,
            functional: highest(text, "REQ-"),
            quality: highest(text, "NFR-"),
            constraints: highest(text, "CON-"),
            questions: highest(text, "OPQ-"),
        }
    }
}

fn highest(text: &str, prefix: &str) -> u32 {
    let mut highest = 0;
    for (place, _) in text.match_indices(prefix) {
        let inside_word = text[..place].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        let digits: String = text[place + prefix.len()..].chars().take_while(char::is_ascii_digit).collect();
        // A number too long to count on from is somebody's joke; the ids stay readable.
        if !inside_word && digits.len() <= 6 {
            highest = highest.max(digits.parse().unwrap_or(0));
        }
    }
    highest
}

/// Hands out the ids of one kind.
struct Ids {
    prefix: &'static str,
    last: u32,
}

impl Ids {
    fn entry(&mut self, text: String, source: String, agreed: bool) -> Requirement {
        self.last = self.last.saturating_add(1);
        Requirement { id: format!("{}-{:03}", self.prefix, self.last), text, source, agreed, details: Vec::new() }
    }
}

pub(super) fn requirements(session: &Session, view: &View, from: &Numbering) -> Requirements {
    let mut functional = Ids { prefix: "REQ", last: from.functional };
    let mut quality = Ids { prefix: "NFR", last: from.quality };
    let elsewhere = |point: &Point| view.reviews.iter().chain(&view.asked_points).any(|other| other.id == point.id);
    let standing = session.points().iter().filter(|point| point.standing != Standing::Failed);
    let points: Vec<&Point> = standing.filter(|point| !elsewhere(point)).collect();
    let under = |name: Option<&'static str>| {
        let fits = move |point: &&&Point| best(QUALITY, &point.text).map(|(heading, _)| heading.name) == name;
        points
            .iter()
            .filter(fits)
            .map(|point| (inline(&point.text), point_source(session, point), point.standing == Standing::Carried))
    };
    let groups = QUALITY.iter().map(|heading| QualityGroup {
        characteristic: heading.name,
        items: under(Some(heading.name)).map(|(text, source, agreed)| quality.entry(text, source, agreed)).collect(),
    });
    Requirements {
        first: from.first,
        quality: groups.filter(|group| !group.items.is_empty()).collect(),
        functional: under(None).map(|(text, source, agreed)| functional.entry(text, source, agreed)).collect(),
        constraints: constraints(view, from.constraints),
        reviews: view.reviews.clone(),
        questions: questions(view, from.questions),
    }
}

/// What rulings decided, and what the resolution of a conflict or a changed context asks for.
fn constraints(view: &View, from: u32) -> Vec<Requirement> {
    let mut ids = Ids { prefix: "CON", last: from };
    let mut constraints = Vec::new();
    for ruling in view.rulings.iter().filter(|ruling| ruling.decides) {
        let text = ruling.text.clone().unwrap_or_else(|| ruling.choice.clone());
        constraints.push(ids.entry(text, ruling.source.clone(), true));
    }
    for statement in view.context_changes.iter().chain(&view.resolved) {
        constraints.push(ids.entry(statement.text.clone(), statement.source.clone(), true));
    }
    constraints
}

/// Open conflicts, points that ask, objections to the context, and topics that were not settled.
fn questions(view: &View, from: u32) -> Vec<Requirement> {
    let mut ids = Ids { prefix: "OPQ", last: from };
    let mut questions = Vec::new();
    for conflict in &view.conflicts {
        let mut question = ids.entry(conflict.description.clone(), format!("conflict {}", conflict.source), false);
        question.details.clone_from(&conflict.positions);
        questions.push(question);
    }
    for point in &view.asked_points {
        questions.push(ids.entry(point.text.clone(), point.source.clone(), false));
    }
    for challenge in &view.challenges {
        questions.push(ids.entry(challenge.text.clone(), format!("{}, about the context", challenge.source), false));
    }
    for topic in view.agenda.iter().filter(|topic| topic.status != "covered") {
        let state = if topic.status == "pending" { "was not discussed" } else { "was discussed but not settled" };
        let source = format!("agenda, after {}", view.rounds_held);
        questions.push(ids.entry(format!("{} {state}", topic.name), source, false));
    }
    for point in &view.failed {
        let text = format!("What stands in place of: {}", point.text);
        let mut question = ids.entry(text, point.source.clone(), false);
        question.details = blocks_of(view, &point.id);
        questions.push(question);
    }
    questions
}

fn blocks_of(view: &View, point: &str) -> Vec<Statement> {
    let about = format!("{point}, ");
    view.blocks.iter().filter(|block| block.source.starts_with(&about)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c1_ids_go_on_from_the_highest_that_is_there() {
        let text = "REQ-001 REQ-012, see PREREQ-900 and X-REQ-800\n- **NFR-7**\nCON-99999999999 OPQ-x REQ-";
        let numbering = Numbering::after(text);
        let expected = Numbering { first: false, functional: 12, quality: 7, constraints: 0, questions: 0 };
        assert_eq!(numbering, expected);
        let mut ids = Ids { prefix: "REQ", last: 999 };
        assert_eq!(ids.entry(String::new(), String::new(), true).id, "REQ-1000");
    }
}
