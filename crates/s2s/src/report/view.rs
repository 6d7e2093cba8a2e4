//! What the page shows of a session, in the order of its sections: facts alone, no markup.
//! Given by `gather`, `told` and `figures`; read by the page. Texts are as they are in the record: whoever writes them onto a
//! page cleans and escapes them. Deliberately absent: anything that is not in the record or counted from it.

use std::collections::BTreeMap;

use s2s_engine::artifact::{Artifact, ArtifactStatus};
use s2s_engine::opening::{Coverage, Seat, SeatId, Sides, Topic};
use s2s_engine::record::{Because, Escalation, Round, SeatResponse, Tally};
use s2s_store::Aside;

use crate::bill::Bill;
use crate::roundtable::Followed;

/// Everything on the page.
#[derive(Debug)]
pub(super) struct View<'a> {
    /// Session id.
    pub id: &'a str,
    /// The question before the table.
    pub topic: &'a str,
    /// Where it stands.
    pub badge: Badge,
    /// Why this is not the whole story, where it is not.
    pub partial: Option<String>,
    /// What could not be read, where something could not.
    pub notes: Vec<String>,
    /// How it came out.
    pub ending: Ending<'a>,
    /// The session in a few facts: label and value.
    pub facts: Vec<(&'static str, String)>,
    /// Who sat at the table.
    pub table: TableView<'a>,
    /// Numbers.
    pub figures: Figures<'a>,
    /// How far each topic came.
    pub agenda: Vec<TopicView<'a>>,
    /// What the session made or changed.
    pub artifacts: Vec<ArtifactView<'a>>,
    /// What was done before the first round.
    pub before: Vec<String>,
    /// The discussion.
    pub rounds: Vec<RoundView<'a>>,
    /// What was asked of single seats afterwards.
    pub asides: &'a [Aside],
    /// What the models cost; none where nothing was.
    pub bill: Option<&'a Bill>,
    /// What the record is known by.
    pub proof: Proof<'a>,
}

/// A word on where the session stands, and how it is meant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Badge {
    /// The word.
    pub word: &'static str,
    /// The class that colours it: `good`, `warn` or `plain`.
    pub tone: &'static str,
}

/// How a session came out.
#[derive(Debug, Default)]
pub(super) struct Ending<'a> {
    /// What the facilitator recommends in the end.
    pub recommendation: Option<&'a str>,
    /// What people ruled, in their own words.
    pub rulings: Vec<(String, &'a str)>,
    /// The rules that ended it, or led to the last step so far.
    pub because: &'a [Because],
    /// Why it is no more than proposed.
    pub reasons: &'a [String],
    /// What stands.
    pub carried: Vec<PointView<'a>>,
    /// What nobody voted on.
    pub unvoted: Vec<PointView<'a>>,
    /// What was voted down.
    pub failed: Vec<PointView<'a>>,
    /// Votes against, or beside, what stands.
    pub dissent: Vec<Dissent<'a>>,
    /// What stayed open.
    pub unresolved: Vec<&'a str>,
}

/// A claimed point and its vote.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointView<'a> {
    /// The round that claimed it.
    pub round: u32,
    /// Its place in the round, from 1.
    pub place: usize,
    /// The claim.
    pub text: &'a str,
    /// The round of the vote, and the count.
    pub vote: Option<(u32, &'a Tally)>,
}

impl PointView<'_> {
    /// `C1.2`.
    pub(super) fn id(&self) -> String {
        format!("C{}.{}", self.round, self.place)
    }
}

/// One seat that did not support what was carried.
#[derive(Debug)]
pub(super) struct Dissent<'a> {
    /// Who.
    pub seat: &'a str,
    /// What it did: blocked, stood aside.
    pub how: &'static str,
    /// Which point.
    pub point: String,
    /// What the point says.
    pub claim: &'a str,
    /// Why, where it said so.
    pub reason: &'a str,
}

/// Who sat at the table.
#[derive(Debug)]
pub(super) struct TableView<'a> {
    /// The seats in order.
    pub seats: &'a [Seat],
    /// The sides, where there are two.
    pub sides: Option<&'a Sides>,
    /// What to know about the panel.
    pub note: String,
    /// What the seats are called.
    pub names: Names<'a>,
}

/// The names of seats for people.
#[derive(Debug, Clone, Default)]
pub(super) struct Names<'a>(pub BTreeMap<&'a str, &'a str>);

impl<'a> Names<'a> {
    /// A seat's name for people, else its id.
    pub(super) fn of<'b>(&self, seat: &'b str) -> &'b str
    where
        'a: 'b,
    {
        self.0.get(seat).copied().unwrap_or(seat)
    }

    /// Several names in a line.
    pub(super) fn all(&self, seats: &[SeatId]) -> String {
        seats.iter().map(|seat| self.of(seat)).collect::<Vec<_>>().join(", ")
    }
}

/// What can be drawn.
#[derive(Debug, Default)]
pub(super) struct Figures<'a> {
    /// The numbers of the rounds that have any confidence.
    pub rounds: Vec<u32>,
    /// How sure each seat was in those rounds.
    pub confidence: Vec<Series<'a>>,
    /// How sure the table was on average.
    pub mean: Vec<Option<f64>>,
    /// Under this a person is asked.
    pub floor: Option<f64>,
    /// How often seats voted alike.
    pub agreement: Option<Agreement<'a>>,
    /// Every conflict from its first to its last round.
    pub conflicts: Vec<Span<'a>>,
    /// Rounds held.
    pub held: u32,
    /// Every vote.
    pub votes: Vec<PointView<'a>>,
}

/// One seat over the rounds.
#[derive(Debug)]
pub(super) struct Series<'a> {
    /// Who.
    pub seat: &'a str,
    /// One value for each of the rounds; none where it was not asked or gave no answer.
    pub values: Vec<Option<f64>>,
}

/// How often each two seats voted alike.
#[derive(Debug)]
pub(super) struct Agreement<'a> {
    /// The seats that voted at all, in order.
    pub seats: Vec<&'a str>,
    /// For each two of them: votes alike, votes that both cast.
    pub pairs: Vec<Vec<(u32, u32)>>,
}

/// A conflict over the rounds.
#[derive(Debug)]
pub(super) struct Span<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it is about.
    pub description: &'a str,
    /// The round that named it.
    pub since: u32,
    /// The last round in which it was open.
    pub until: u32,
    /// How it ended; none while it is open.
    pub end: Option<End<'a>>,
    /// Who holds what.
    pub positions: BTreeMap<&'a str, &'a str>,
}

/// The end of a conflict.
#[derive(Debug)]
pub(super) struct End<'a> {
    /// By whom.
    pub by: &'static str,
    /// In words, where there are any.
    pub how: &'a str,
}

/// A topic of the agenda.
#[derive(Debug)]
pub(super) struct TopicView<'a> {
    /// The topic.
    pub topic: &'a Topic,
    /// How far it came.
    pub status: Coverage,
    /// The round that brought it there.
    pub since: Option<u32>,
    /// Criteria met.
    pub met: usize,
}

/// An artifact as it stands.
#[derive(Debug)]
pub(super) struct ArtifactView<'a> {
    /// The version that holds.
    pub artifact: &'a Artifact,
    /// Where it stands.
    pub status: ArtifactStatus,
    /// The round that made this version.
    pub round: u32,
}

/// A round with all that belongs to it.
#[derive(Debug)]
pub(super) struct RoundView<'a> {
    /// What the minutes hold.
    pub round: &'a Round,
    /// The answers, where they are known.
    pub answers: Option<&'a [SeatResponse]>,
    /// Whether the record keeps decisions: the original plugin kept none.
    pub decided: bool,
    /// The questions to a person that it raised.
    pub escalations: Vec<&'a Escalation>,
    /// What was done after it.
    pub after: Vec<String>,
    /// What single seats were asked after it.
    pub followed: Vec<&'a Followed>,
}

/// What the record is known by.
#[derive(Debug)]
pub(super) struct Proof<'a> {
    /// The digest of the last round.
    pub digest: Option<&'a str>,
    /// The seal of the whole record.
    pub seal: Option<String>,
}
