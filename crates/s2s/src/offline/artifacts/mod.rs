//! Artifacts of the offline panel: what a session with a register keeps, by rule and from what there is.
//! Given the answers that the panel would give anyway, the session, its topic, context, register and the round;
//! hands on the same answers with artifacts, criteria and votes. The rules draw every claim from the context, the
//! topic, a playbook, a role file or a known artifact; what they cannot draw is asked as an open question, and the
//! criterion counts as met by asking. Deliberately absent: anything in a session that keeps no artifacts.
//!
//! `story` reads the context, `marks` finds words; `specs` (with `wishes` and `echoes`), `design` (with `weighed` and
//! `parts`) and `storm` draw `plan`s made of `draft`s with `checks`; `refine` takes up what a person asked at the end; `pick`
//! says what a round keeps, `ask` asks, `speak` and `vote` say what seats say, `sum` sums up.

mod ask;
mod checks;
mod design;
mod draft;
mod echoes;
mod marks;
mod parts;
mod pick;
mod plan;
mod refine;
#[cfg(test)]
mod renewals;
mod speak;
mod specs;
mod storm;
mod story;
mod sum;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod trials;
mod vote;
mod weighed;
mod wishes;

use std::cell::OnceCell;

use s2s_catalog::Role;
use s2s_catalog::playbook::Playbook;
use s2s_engine::Session;
use s2s_engine::artifact::{Artifact, ArtifactKind};
use s2s_engine::opening::Workflow;
use s2s_engine::record::InterventionKind;
use s2s_engine::reply::Answer;
use s2s_engine::step::Brief;

use super::table::Table;
use super::words::counted;
use story::Story;

/// How a session says that there was nothing to add.
const STAND_REQUIREMENTS: &str = "The requirements stand as they are";
const STANDS_ARCHITECTURE: &str = "The architecture stands as it is";

/// Everything the rules may draw from.
pub(super) struct Desk<'a> {
    session: &'a Session,
    /// The session seen through a playbook, if one covers its topic.
    table: Option<&'a Table<'a>>,
    /// That one, and where the topic puts two questions the second.
    tables: &'a [Table<'a>],
    playbooks: &'a [Playbook],
    roles: &'a [Role],
    story: Story,
    style: OnceCell<Vec<Table<'a>>>,
    choices: OnceCell<Vec<Table<'a>>>,
}

/// The answer as a session that keeps artifacts needs it.
pub(super) fn completed(
    session: &Session,
    tables: &[Table<'_>],
    (playbooks, roles): (&[Playbook], &[Role]),
    brief: &Brief,
    answer: Answer,
) -> Answer {
    let desk = Desk::new(session, tables, playbooks, roles);
    match answer {
        Answer::Response(response) => Answer::Response(speak::response(&desk, brief, response)),
        Answer::Question(question) => Answer::Question(ask::question(&desk, question)),
        Answer::Synthesis(synthesis) => Answer::Synthesis(Box::new(sum::synthesis(&desk, *synthesis))),
        other => other,
    }
}

impl<'a> Desk<'a> {
    fn new(session: &'a Session, tables: &'a [Table<'a>], playbooks: &'a [Playbook], roles: &'a [Role]) -> Self {
        let changes = session.context_changes().iter().map(|change| change.text.as_str());
        // What was asked for at the end is taken up for itself (`refine`).
        let words = session.interventions().iter().filter(|done| done.kind != InterventionKind::Extend);
        let words = words.filter_map(|done| done.text.as_deref());
        let story = Story::read(&session.opening().context, changes.chain(words));
        let (style, choices) = (OnceCell::new(), OnceCell::new());
        Self { session, table: tables.first(), tables, playbooks, roles, story, style, choices }
    }

    /// The artifacts of these kinds that count now, by id.
    fn live(&self, kinds: &[ArtifactKind]) -> Vec<&'a Artifact> {
        let live = self.session.artifacts().filter(|holding| holding.status().is_live());
        live.map(|holding| &holding.current().artifact).filter(|artifact| kinds.contains(&artifact.id.kind)).collect()
    }

    /// What the project wants: functions and qualities.
    fn wanted(&self) -> Vec<&'a Artifact> {
        self.live(&[ArtifactKind::Req, ArtifactKind::Nfr])
    }

    /// What the workflow of this session keeps and counts now, its own and the project's.
    fn kept(&self) -> impl Iterator<Item = &'a Artifact> {
        let kinds = self.session.opening().register.as_ref().map(|register| register.kinds.clone()).unwrap_or_default();
        let kinds: Vec<ArtifactKind> = kinds.into_iter().filter(|kind| kind.is_claim()).collect();
        self.live(&kinds).into_iter()
    }

    /// The open questions of the project.
    fn open(&self) -> impl Iterator<Item = &'a Artifact> {
        self.live(&[ArtifactKind::Oq]).into_iter()
    }

    /// What a session says that goes on from artifacts and has nothing to add; said once.
    fn stands(&self) -> Option<String> {
        let what = match self.session.opening().workflow {
            Workflow::Specs => STAND_REQUIREMENTS,
            Workflow::Design => STANDS_ARCHITECTURE,
            Workflow::Brainstorm => return None,
        };
        let (kept, open) = (self.kept().count(), self.open().count());
        let changed = self.session.rounds().iter().any(|round| !round.artifacts.is_empty());
        let said = self.session.points().iter().any(|point| point.text.starts_with(what));
        let open = match open {
            0 => "no question is open".to_owned(),
            1 => "one question stays open".to_owned(),
            more => format!("{} questions stay open", counted(more)),
        };
        (kept > 0 && !changed && !said).then(|| format!("{what}: {kept} in all, none new and none changed; {open}."))
    }

    /// The table that weighs the style of the whole.
    fn style(&self) -> &[Table<'a>] {
        self.style.get_or_init(|| weighed::style(self))
    }

    /// The tables that weigh further choices.
    fn choices(&self) -> &[Table<'a>] {
        self.choices.get_or_init(|| weighed::choices(self))
    }

    /// Whether nobody is ever asked: the facilitator works straight from the context.
    fn is_direct(&self) -> bool {
        self.session.opening().settings.method.first_asking_phase().is_none()
    }

    fn in_last_phase(&self) -> bool {
        self.session.phase_index() + 1 == self.session.opening().settings.method.phases.len()
    }
}

/// What the topic itself asks for. A name, "Requirements for" a name, and a question ask for nothing.
fn asked_for(topic: &str) -> Option<&str> {
    let topic = topic.trim().trim_end_matches(['.', ' ']);
    let plain = topic.get(4..).filter(|_| starts_with(topic, "the ")).unwrap_or(topic);
    let named = subject_of(topic) != plain || plain.split_whitespace().count() < 3;
    (!named && !is_question(topic)).then_some(plain)
}

/// Whether a text asks, with a question mark or without.
fn is_question(text: &str) -> bool {
    const ASKING: [&str; 13] =
        ["how", "what", "which", "who", "whose", "why", "whether", "should", "could", "would", "can", "is", "are"];
    let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    text.trim_end().ends_with('?') || ASKING.contains(&first.as_str())
}

/// What a topic is about, without the words that only say what kind of session it is.
fn subject_of(topic: &str) -> &str {
    const LEADS: [&str; 14] = [
        "requirements for ",
        "requirements of ",
        "requirements: ",
        "specification of ",
        "specification for ",
        "specs for ",
        "specs of ",
        "architecture of ",
        "architecture for ",
        "design of ",
        "design for ",
        "brainstorm: ",
        "ideas for ",
        "the ",
    ];
    let mut rest = topic.trim().trim_end_matches(['.', ' ']);
    while let Some(lead) = LEADS.iter().find(|lead| starts_with(rest, lead)) {
        rest = rest[lead.len()..].trim_start();
    }
    rest
}

/// In any case; leads are plain ASCII, so their length is that of what they match.
fn starts_with(text: &str, lead: &str) -> bool {
    text.get(..lead.len()).is_some_and(|start| start.eq_ignore_ascii_case(lead))
}
