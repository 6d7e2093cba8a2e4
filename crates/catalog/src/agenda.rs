//! Reads an agenda: the topics a workflow has to cover before it may end (A1 to A4).
//! Given: YAML text. Hands on: an [`Agenda`], which also gives the engine's plain topics.
//! Deliberately absent: coverage, which belongs to a session.

use s2s_engine::opening::Topic;
use s2s_yaml::node::{Fields, Misfit, Misfits, Node, read};
use serde::Serialize;

use crate::strategy::{one_line, slug};

const KEYS: &[&str] = &["workflow", "summary", "topics"];
const TOPIC_KEYS: &[&str] = &["id", "name", "about", "critical", "questions", "done_when", "least"];
const MOST_TOPICS: usize = 30;
const MOST_LEAST: u32 = 20;

/// The topics of a workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Agenda {
    /// The workflow it belongs to.
    pub workflow: String,
    /// What the workflow is after, in one sentence.
    pub summary: String,
    /// The topics, in order; at least one.
    pub topics: Vec<AgendaTopic>,
}

/// One topic, with what helps a facilitator to cover it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgendaTopic {
    /// Identifier, unique in its agenda.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What it is about.
    pub about: String,
    /// Whether it must be covered, not just touched, before the end (B3).
    pub critical: bool,
    /// Questions that open it up.
    pub questions: Vec<String>,
    /// What must be true for it to count as covered.
    pub done_when: Vec<String>,
    /// The fewest artifacts it must have, where a workflow keeps them (A5).
    pub least: u32,
}

impl Agenda {
    /// The topics as the engine knows them.
    pub fn topics(&self) -> Vec<Topic> {
        let plain = |topic: &AgendaTopic| Topic {
            id: topic.id.clone(),
            name: topic.name.clone(),
            critical: topic.critical,
            least: 0,
            criteria: 0,
        };
        self.topics.iter().map(plain).collect()
    }

    /// The topics of a workflow that keeps artifacts: each closes only when its criteria are met and it has its
    /// least number of them (A5).
    pub fn strict_topics(&self) -> Vec<Topic> {
        let strict = |(topic, from): (Topic, &AgendaTopic)| Topic {
            least: from.least,
            criteria: from.done_when.len() as u32,
            ..topic
        };
        self.topics().into_iter().zip(&self.topics).map(strict).collect()
    }

    /// The topic with this id.
    pub fn topic(&self, id: &str) -> Option<&AgendaTopic> {
        self.topics.iter().find(|topic| topic.id == id)
    }
}

/// Reads the agenda that the file `workflow.yaml` holds.
pub fn read_agenda(workflow: &str, text: &str) -> Result<Agenda, Vec<Misfit>> {
    let mut misfits = Misfits::default();
    let root = read(text).map_err(|flaw| vec![flaw.into()])?;
    let agenda = match misfits.keep(root.fields()) {
        Some(top) => agenda(&top, workflow, &mut misfits),
        None => None,
    };
    misfits.into_result(agenda)
}

fn agenda(top: &Fields<'_>, file_name: &str, misfits: &mut Misfits) -> Option<Agenda> {
    misfits.0.extend(top.unknown(KEYS));
    let workflow = misfits.keep(top.required("workflow").and_then(|node| {
        let workflow = slug(node)?;
        match workflow == file_name {
            true => Ok(workflow),
            false => Err(node.misfit(format!(
                "the workflow is `{workflow}`, but the file is called `{file_name}`; they must be \
                 the same"
            ))),
        }
    }));
    let summary = misfits.keep(top.required("summary").and_then(|node| node.text()));
    let list = misfits.keep(top.required("topics"))?;
    let items = misfits.keep(list.items())?;
    if items.is_empty() || items.len() > MOST_TOPICS {
        misfits.add(list.misfit(format!("there must be from 1 to {MOST_TOPICS} topics")));
    }
    let mut topics: Vec<AgendaTopic> = Vec::new();
    for item in items {
        if let Some(topic) = topic(item, misfits) {
            if topics.iter().any(|earlier| earlier.id == topic.id) {
                misfits.add(item.misfit(format!("two topics have the id `{}`", topic.id)));
            }
            topics.push(topic);
        }
    }
    Some(Agenda { workflow: workflow?, summary: one_line(summary?), topics })
}

fn topic(node: &Node, misfits: &mut Misfits) -> Option<AgendaTopic> {
    let fields = misfits.keep(node.fields())?;
    misfits.0.extend(fields.unknown(TOPIC_KEYS));
    let id = misfits.keep(fields.required("id").and_then(slug));
    let name = misfits.keep(fields.required("name").and_then(|node| node.text()));
    let about = misfits.keep(fields.required("about").and_then(|node| node.text()));
    let critical = misfits.keep(fields.get("critical").map_or(Ok(false), Node::flag));
    let questions = misfits.keep(fields.required("questions").and_then(lines));
    let done_when = misfits.keep(fields.required("done_when").and_then(lines));
    let least = misfits.keep(fields.get("least").map_or(Ok(0), least));
    Some(AgendaTopic {
        id: id?,
        name: one_line(name?),
        about: one_line(about?),
        critical: critical?,
        questions: questions?,
        done_when: done_when?,
        least: least?,
    })
}

fn least(node: &Node) -> Result<u32, Misfit> {
    node.whole(0..=MOST_LEAST)
}

fn lines(node: &Node) -> Result<Vec<String>, Misfit> {
    let texts = node.texts()?;
    match texts.is_empty() {
        true => Err(node.misfit("the list is empty; at least one is needed")),
        false => Ok(texts.iter().map(|text| one_line(text)).collect()),
    }
}
