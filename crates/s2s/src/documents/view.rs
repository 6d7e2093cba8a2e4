//! What a document template may use: the whole record of a session in words.
//! Every text is safe Markdown already (`escape`) and every statement carries its source (C2), so that a
//! project's own template decides on order and wording only. Field names are the contract with templates.
//! Deliberately absent: how the values are found (`gather`, `options`, `sorted`).

use serde::Serialize;

use super::weighed::MatrixView;

/// Something said or decided, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// What.
    pub text: String,
    /// Round, seat, point and tally.
    pub source: String,
}

/// Everything about a finished session.
#[derive(Debug, Clone, Serialize)]
pub struct View {
    /// The line by which the session finds its own document again.
    pub marker: String,
    /// The topic, as a title.
    pub title: String,
    /// Session id.
    pub session: String,
    /// The day it was completed, in UTC.
    pub date: String,
    /// Strategy and its phases.
    pub strategy: String,
    /// The phases that were held, in order.
    pub phases: Vec<String>,
    /// The kind of work.
    pub workflow: String,
    /// How votes were counted, in words.
    pub policy: String,
    /// Rounds held, in words.
    pub rounds_held: String,
    /// Whether the seats argued for assigned sides.
    pub two_sides: bool,
    /// Whether any answer is on record; if not, syntheses stand in.
    pub answers_known: bool,
    /// The panel in words; says so if no language model took part.
    pub panel_note: String,
    /// `accepted` or `proposed` (C4).
    pub status: String,
    /// What the votes and rulings came to, in a sentence.
    pub standing: String,
    /// Why it is no more than proposed.
    pub reasons: Vec<String>,
    /// Who sat at the table.
    pub seats: Vec<SeatView>,
    /// The seats' names and the people who ruled, as a YAML list for front matter.
    pub deciders_yaml: String,
    /// What the project said about itself.
    pub context: String,
    /// Where that came from.
    pub context_source: String,
    /// Changes of the context by rulings.
    pub context_changes: Vec<Statement>,
    /// What each round looked at.
    pub drivers: Vec<Statement>,
    /// The options, with pros and cons by seat.
    pub options: Vec<OptionView>,
    /// The last position of seats that spoke for none of them.
    pub others: Vec<Statement>,
    /// The option that a ruling or the carried points name, if it is one.
    pub chosen: Option<ChosenView>,
    /// What was chosen, one for each subject of the topic.
    pub decisions: Vec<ChosenView>,
    /// Subjects, of several, in which nothing was chosen.
    pub undecided: Vec<String>,
    /// Points the panel carried.
    pub carried: Vec<PointView>,
    /// Points nobody voted on.
    pub unvoted: Vec<PointView>,
    /// Points the panel did not carry.
    pub failed: Vec<PointView>,
    /// The facilitator's last recommendation: an opinion, not a decision. A block of its own.
    pub recommendation: Option<Statement>,
    /// What speaks for the decision, last word of each seat that holds it.
    pub good: Vec<Statement>,
    /// What speaks against it, last word of each seat that holds it; in a debate of the other side.
    pub bad: Vec<Statement>,
    /// Said about it without a sign that could be known.
    pub neutral: Vec<Statement>,
    /// What to watch: what speaks against the decision, or, without one, the last concerns of every seat.
    pub risks: Vec<Statement>,
    /// Positions that a ruling set aside.
    pub overruled: Vec<Statement>,
    /// Positions that were held against the decision to the end.
    pub holdouts: Vec<Statement>,
    /// Who disagreed, in a few words each.
    pub disagreed: Vec<String>,
    /// Ids of carried points that name a check.
    pub checks: Vec<String>,
    /// Points, not voted down, that say when to look at the decision again.
    pub reviews: Vec<PointView>,
    /// Points, not voted down, that ask rather than decide.
    pub asked_points: Vec<PointView>,
    /// Every count.
    pub tallies: Vec<TallyView>,
    /// Every block, with its reason.
    pub blocks: Vec<Statement>,
    /// Who stood aside on what.
    pub asides: Vec<Statement>,
    /// Conflicts still open.
    pub conflicts: Vec<ConflictView>,
    /// Conflicts that ended, and how.
    pub resolved: Vec<Statement>,
    /// What people or policies ruled.
    pub rulings: Vec<RulingView>,
    /// What people said between rounds.
    pub interjections: Vec<Statement>,
    /// Objections to the context.
    pub challenges: Vec<Statement>,
    /// The rounds in short.
    pub rounds: Vec<RoundView>,
    /// The agenda and how far it came.
    pub agenda: Vec<TopicView>,
    /// What the seats without a model weighed, one for each subject.
    pub matrices: Vec<MatrixView>,
    /// Confidence per seat and round.
    pub confidence: Vec<ConfidenceRow>,
    /// What was repaired or dropped in replies.
    pub doubts: Vec<Statement>,
    /// Requirements with their ids; empty in other documents.
    pub requirements: Requirements,
    /// The sections of an architecture description; empty in other documents.
    pub sections: Sections,
}

/// One seat.
#[derive(Debug, Clone, Serialize)]
pub struct SeatView {
    /// Role id.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// The model that answered, or that none did.
    pub model: String,
    /// `pro` or `con`, where there are sides.
    pub side: Option<&'static str>,
    /// Confidence in the last round answered.
    pub confidence: Option<String>,
}

/// An option that was considered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OptionView {
    /// Its name, or whose position it is.
    pub title: String,
    /// The position in short, where the option has no name of its own.
    pub summary: Option<String>,
    /// What speaks for it by what was weighed; empty where nothing was.
    pub good: Vec<Statement>,
    /// What speaks against it by what was weighed.
    pub bad: Vec<Statement>,
    /// Who spoke for it.
    pub voices: Vec<VoiceView>,
    /// Concerns of the other side of a debate.
    pub against: Vec<Statement>,
    /// Said about it by seats that hold another one, or did not hold it to the end.
    pub about: Vec<Statement>,
    /// Statements left out because a seat said more than fits.
    pub left_out: usize,
}

/// What one seat said for an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VoiceView {
    /// The seat's name.
    pub seat: String,
    /// Its last position; in a debate its case, which is its first.
    pub position: Statement,
    /// What a side of a debate said last.
    pub closing: Option<Statement>,
    /// Its reasons.
    pub good: Vec<Statement>,
    /// Its concerns about what it holds.
    pub bad: Vec<Statement>,
    /// What else it said, without a sign that could be known.
    pub said: Vec<Statement>,
}

impl VoiceView {
    /// Keeps the first of each list, and says how many went.
    pub(super) fn cut(&mut self, most: usize) -> usize {
        let mut gone = 0;
        for list in [&mut self.good, &mut self.bad, &mut self.said] {
            gone += list.len().saturating_sub(most);
            list.truncate(most);
        }
        gone
    }
}

/// The option that was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChosenView {
    /// Its name.
    pub title: String,
    /// The carried point that names it first, in words.
    pub text: Option<String>,
    /// How it came about: by carried points or a ruling, after a comma.
    pub how: String,
    /// The carried points that name it.
    pub points: Vec<String>,
}

/// A point and what the panel made of it.
#[derive(Debug, Clone, Serialize)]
pub struct PointView {
    /// `C2.1`.
    pub id: String,
    /// The claim.
    pub text: String,
    /// Where it comes from, with its tally.
    pub source: String,
}

/// One count.
#[derive(Debug, Clone, Serialize)]
pub struct TallyView {
    /// The point's id.
    pub point: String,
    /// The claim.
    pub text: String,
    /// The round that voted.
    pub round: u32,
    /// The counting rule.
    pub policy: String,
    /// Votes for it.
    pub support: usize,
    /// Stand-asides.
    pub stand_aside: usize,
    /// Blocks.
    pub block: usize,
    /// Seats that did not vote.
    pub no_vote: usize,
    /// The share of support, in per cent.
    pub share: String,
    /// Whether it carried.
    pub carried: bool,
}

/// A conflict that is open.
#[derive(Debug, Clone, Serialize)]
pub struct ConflictView {
    /// Slug.
    pub id: String,
    /// What it is about.
    pub description: String,
    /// Since when, and how old it is.
    pub source: String,
    /// Who holds what.
    pub positions: Vec<Statement>,
}

/// A ruling.
#[derive(Debug, Clone, Serialize)]
pub struct RulingView {
    /// The escalation's id.
    pub id: String,
    /// Why somebody had to decide.
    pub causes: Vec<String>,
    /// What was chosen, in words.
    pub choice: String,
    /// The decision in words, where one was given.
    pub text: Option<String>,
    /// The round after which the same was ruled in the same words before.
    pub same_as: Option<u32>,
    /// Round and who ruled.
    pub source: String,
    /// Whether it binds: an own decision, or an accepted recommendation on a conflict.
    pub decides: bool,
}

/// One round in short.
#[derive(Debug, Clone, Serialize)]
pub struct RoundView {
    /// From 1.
    pub number: u32,
    /// Its phase.
    pub phase: String,
    /// `discussion` or `ballot`.
    pub kind: String,
    /// What was asked.
    pub question: String,
    /// The summing up, as a block.
    pub synthesis: String,
    /// The same on one line.
    pub synthesis_line: String,
    /// Ids of the points claimed.
    pub claimed: Vec<String>,
    /// What the facilitator proposed.
    pub proposed: String,
    /// What the engine took.
    pub taken: String,
    /// The rules that decided, with their words.
    pub because: Vec<String>,
    /// What was not as it should be: silent seats, fallbacks, a probing question.
    pub notes: Vec<String>,
}

/// A topic of the agenda.
#[derive(Debug, Clone, Serialize)]
pub struct TopicView {
    /// Name for people.
    pub name: String,
    /// `✓`, `◐` or `○`.
    pub mark: &'static str,
    /// In a word.
    pub status: String,
    /// Whether it is critical.
    pub critical: bool,
}

/// One seat's confidence over the rounds.
#[derive(Debug, Clone, Serialize)]
pub struct ConfidenceRow {
    /// Who.
    pub seat: String,
    /// One cell for each round.
    pub cells: Vec<String>,
}

/// Requirements, sorted and numbered.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Requirements {
    /// Whether the document starts here, rather than being appended to.
    pub first: bool,
    /// What the system does.
    pub functional: Vec<Requirement>,
    /// How well, by quality characteristic.
    pub quality: Vec<QualityGroup>,
    /// What must be respected.
    pub constraints: Vec<Requirement>,
    /// When to look at them again.
    pub reviews: Vec<PointView>,
    /// What nobody has answered.
    pub questions: Vec<Requirement>,
}

/// Requirements on one quality characteristic of ISO/IEC 25010.
#[derive(Debug, Clone, Serialize)]
pub struct QualityGroup {
    /// The characteristic's name in the standard.
    pub characteristic: &'static str,
    /// Its requirements.
    pub items: Vec<Requirement>,
}

/// One requirement, constraint or question.
#[derive(Debug, Clone, Serialize)]
pub struct Requirement {
    /// `REQ-001`.
    pub id: String,
    /// In words.
    pub text: String,
    /// Where it comes from.
    pub source: String,
    /// Whether the panel has voted for it.
    pub agreed: bool,
    /// More about it, each with its source.
    pub details: Vec<Statement>,
}

/// The sections of an architecture description that have content.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Sections {
    /// Points about what is outside.
    pub context: Vec<PointView>,
    /// Points about the overall approach.
    pub strategy: Vec<PointView>,
    /// Points about the parts.
    pub blocks: Vec<PointView>,
    /// Points about what happens in what order.
    pub runtime: Vec<PointView>,
    /// Points about where it runs.
    pub deployment: Vec<PointView>,
    /// Points that concern all parts.
    pub concepts: Vec<PointView>,
    /// Points about how well.
    pub quality: Vec<QualityPoints>,
    /// Abbreviations that the panel spelled out.
    pub glossary: Vec<Statement>,
    /// The arc42 sections that are left out, because nothing was said about them.
    pub absent: Vec<&'static str>,
}

/// Points on one quality characteristic.
#[derive(Debug, Clone, Serialize)]
pub struct QualityPoints {
    /// The characteristic's name in ISO/IEC 25010.
    pub characteristic: &'static str,
    /// The points.
    pub points: Vec<PointView>,
}
