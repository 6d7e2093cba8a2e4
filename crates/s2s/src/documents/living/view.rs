//! The register in words: what the templates of living documents may use.
//! Given the project's register; hands on items whose every text is safe in Markdown and names its source (C2).
//! Deliberately absent: files, and any sentence about the subject that nobody said.

use std::collections::BTreeMap;

use s2s_engine::Standing;
use s2s_engine::artifact::{Artifact, ArtifactId, ArtifactKind, ArtifactStatus, Change, Level};
use serde::Serialize;

use super::super::escape::inline;
use super::super::sorted::QUALITY;
use super::diagram;
use crate::register::{Entry, ProjectRegister, Version};

/// Where the documents of each kind stand, as seen from the one that is written.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    /// The file of an artifact's definition, relative to the document; none = the same file.
    pub(super) of: BTreeMap<ArtifactId, String>,
}

/// An artifact in words.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Item {
    pub(super) id: String,
    /// Its id as a link to its heading, where it has one.
    shown: String,
    pub(super) title: String,
    text: String,
    noun: &'static str,
    status: &'static str,
    /// Whether the panel carried it.
    agreed: bool,
    priority: Option<&'static str>,
    acceptance: Vec<String>,
    pub(super) characteristic: Option<String>,
    target: Option<String>,
    measure: Option<String>,
    origin: Option<String>,
    reason: Option<String>,
    options: Vec<String>,
    consequences: Vec<String>,
    severity: Option<&'static str>,
    likelihood: Option<&'static str>,
    impact: Option<&'static str>,
    effort: Option<&'static str>,
    answer: Option<String>,
    between: Vec<Link>,
    serves: Vec<Link>,
    served_by: Vec<Link>,
    uses: Vec<Link>,
    superseded_by: Option<Link>,
    missing: Vec<&'static str>,
    proposed_by: Vec<String>,
    /// Session, round and tally.
    pub(super) source: String,
    history: Vec<String>,
    /// What people must know about the panel that made it.
    panel_note: Option<String>,
    /// The file of a decision, beside the document.
    file: Option<String>,
    #[serde(skip)]
    pub(super) rank: i32,
}

/// A name with the place it leads to.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Link {
    pub(super) text: String,
    pub(super) title: String,
    /// Markdown: a link where there is a place, else the plain text.
    pub(super) shown: String,
}

/// Quality requirements of one characteristic.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) items: Vec<Item>,
}

/// One session that the register rests on.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Held {
    id: String,
    topic: String,
    workflow: &'static str,
    date: String,
    note: Option<String>,
}

/// Everything a template may use.
#[derive(Debug, Clone, Serialize)]
pub(super) struct View {
    pub(super) project: String,
    pub(super) date: String,
    pub(super) description: String,
    pub(super) sessions: Vec<Held>,
    pub(super) requirements: Vec<Item>,
    pub(super) rules: Vec<Item>,
    pub(super) quality: Vec<Group>,
    pub(super) exclusions: Vec<Item>,
    pub(super) decisions: Vec<Item>,
    pub(super) components: Vec<Item>,
    pub(super) interfaces: Vec<Item>,
    pub(super) ideas: Vec<Item>,
    pub(super) risks: Vec<Item>,
    pub(super) mitigations: Vec<Item>,
    pub(super) questions: Vec<Item>,
    pub(super) conflicts: Vec<Item>,
    /// Superseded and withdrawn.
    pub(super) gone: Vec<Item>,
    /// Requirements that nothing serves.
    pub(super) unserved: Vec<Link>,
    pub(super) blocks: String,
    /// The one decision that a decision record is about.
    pub(super) decision: Option<Item>,
    pub(super) deciders: String,
}

impl View {
    /// The register in words, as seen from a document whose neighbours stand at `places`.
    pub(super) fn of(register: &ProjectRegister, places: &Places) -> Self {
        let writing = Writing { register, places, served: served(register) };
        let live =
            |kind: ArtifactKind| -> Vec<Item> { register.of_kind(kind).map(|entry| writing.item(entry)).collect() };
        let mut ideas = live(ArtifactKind::Idea);
        ideas.sort_by_key(|idea| std::cmp::Reverse(idea.rank));
        let mut risks = live(ArtifactKind::Risk);
        risks.sort_by_key(|risk| std::cmp::Reverse(risk.rank));
        let settled = register.entries.values().filter(|entry| entry.is_settled());
        let gone =
            settled.filter(|entry| matches!(entry.status(), ArtifactStatus::Superseded | ArtifactStatus::Withdrawn));
        let wanted = [ArtifactKind::Req, ArtifactKind::Nfr];
        let lonely = register
            .live()
            .filter(|entry| wanted.contains(&entry.id().kind) && !writing.served.contains_key(&entry.id()));
        Self {
            project: String::new(),
            date: String::new(),
            description: String::new(),
            sessions: sessions(register),
            requirements: live(ArtifactKind::Req),
            rules: live(ArtifactKind::Br),
            quality: by_characteristic(live(ArtifactKind::Nfr)),
            exclusions: live(ArtifactKind::Ex),
            decisions: live(ArtifactKind::Arch),
            components: live(ArtifactKind::Comp),
            interfaces: live(ArtifactKind::Int),
            ideas,
            risks,
            mitigations: live(ArtifactKind::Mit),
            questions: live(ArtifactKind::Oq),
            conflicts: live(ArtifactKind::Conf),
            gone: gone.map(|entry| writing.item(entry)).collect(),
            unserved: lonely.map(|entry| writing.link(entry.id())).collect(),
            blocks: diagram::building_blocks(register),
            decision: None,
            deciders: String::new(),
        }
    }

    /// The same, about one decision.
    pub(super) fn about(mut self, id: ArtifactId) -> Self {
        let id = id.to_string();
        self.decision = self.decisions.iter().chain(&self.gone).find(|item| item.id == id).cloned();
        self
    }
}

/// What serves each artifact.
fn served(register: &ProjectRegister) -> BTreeMap<ArtifactId, Vec<ArtifactId>> {
    let mut served: BTreeMap<ArtifactId, Vec<ArtifactId>> = BTreeMap::new();
    for entry in register.live() {
        for id in &entry.artifact().serves {
            served.entry(*id).or_default().push(entry.id());
        }
    }
    served
}

fn sessions(register: &ProjectRegister) -> Vec<Held> {
    let made = |id: &str| register.entries.values().any(|entry| entry.versions.iter().any(|v| v.session == id));
    let kept = register.sessions.iter().filter(|seen| seen.register.is_some() && made(&seen.id));
    kept.map(|seen| Held {
        id: inline(&seen.id),
        topic: inline(&seen.topic),
        workflow: seen.workflow.as_str(),
        date: seen.started.strftime("%Y-%m-%d").to_string(),
        note: (!seen.panel_note.is_empty()).then(|| inline(&seen.panel_note)),
    })
    .collect()
}

fn by_characteristic(items: Vec<Item>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for item in items {
        let name = item.characteristic.clone().unwrap_or_else(|| "Not sorted".to_owned());
        match groups.iter_mut().find(|group| group.name.eq_ignore_ascii_case(&name)) {
            Some(group) => group.items.push(item),
            None => groups.push(Group { name, items: vec![item] }),
        }
    }
    let place = |group: &Group| QUALITY.iter().position(|heading| heading.name.eq_ignore_ascii_case(&group.name));
    groups.sort_by_key(|group| place(group).unwrap_or(QUALITY.len()));
    groups
}

struct Writing<'r> {
    register: &'r ProjectRegister,
    places: &'r Places,
    served: BTreeMap<ArtifactId, Vec<ArtifactId>>,
}

impl Writing<'_> {
    fn item(&self, entry: &Entry) -> Item {
        let current = entry.current();
        let Artifact { id, details, .. } = &current.artifact;
        let text = |text: &Option<String>| text.as_deref().map(inline).filter(|text| !text.is_empty());
        let texts = |texts: &[String]| texts.iter().map(|text| inline(text)).collect::<Vec<_>>();
        let links = |ids: &[ArtifactId]| ids.iter().map(|id| self.link(*id)).collect::<Vec<_>>();
        let level = |level: Option<Level>| level.map(Level::as_str);
        Item {
            id: id.to_string(),
            shown: self.link(*id).shown,
            title: inline(&current.artifact.title),
            text: beyond_title(&current.artifact),
            noun: id.kind.noun(),
            status: entry.status().as_str(),
            agreed: current.standing == Some(Standing::Carried),
            priority: details.priority.map(|priority| priority.as_str()),
            acceptance: texts(&details.acceptance),
            characteristic: text(&details.characteristic),
            target: text(&details.target),
            measure: text(&details.measure),
            origin: text(&details.source),
            reason: text(&details.reason),
            options: texts(&details.options),
            consequences: texts(&details.consequences),
            severity: level(details.severity),
            likelihood: level(details.likelihood),
            impact: level(details.impact),
            effort: level(details.effort),
            answer: text(&details.answer),
            between: details.between.iter().map(|end| self.end(end)).collect(),
            serves: links(&current.artifact.serves),
            served_by: links(self.served.get(id).map(Vec::as_slice).unwrap_or_default()),
            uses: links(&current.artifact.uses),
            superseded_by: current.artifact.superseded_by.map(|id| self.link(id)),
            missing: current.artifact.missing(),
            proposed_by: current.artifact.proposed_by.iter().map(|seat| inline(seat)).collect(),
            source: source(current),
            history: history(entry),
            panel_note: self.panel_note(&current.session),
            file: self.places.of.get(id).cloned(),
            rank: rank(&current.artifact),
        }
    }

    fn panel_note(&self, session: &str) -> Option<String> {
        let seen = self.register.sessions.iter().find(|seen| seen.id == session)?;
        Some(inline(&seen.panel_note)).filter(|note| !note.is_empty())
    }

    fn link(&self, id: ArtifactId) -> Link {
        let title = self.register.get(id).map(|entry| inline(&entry.artifact().title)).unwrap_or_default();
        let text = id.to_string();
        let anchor = text.to_lowercase();
        use ArtifactKind::{Arch, Br, Comp, Ex, Int, Nfr, Req};
        let has_heading = matches!(id.kind, Req | Br | Nfr | Ex | Arch | Comp | Int);
        let live = self.register.get(id).is_some_and(Entry::is_live);
        let shown = match (live && has_heading, self.places.of.get(&id)) {
            // A decision has a file of its own.
            (true, Some(file)) if id.kind == ArtifactKind::Arch => format!("[{text}]({file})"),
            (true, Some(file)) => format!("[{text}]({file}#{anchor})"),
            (true, None) => format!("[{text}](#{anchor})"),
            (false, _) => text.clone(),
        };
        Link { text, title, shown }
    }

    /// An end of an interface: a component, or the name of an outside system.
    fn end(&self, end: &str) -> Link {
        match end.parse::<ArtifactId>() {
            Ok(id) if self.register.get(id).is_some() => self.link(id),
            _ => Link { text: inline(end), title: inline(end), shown: inline(end) },
        }
    }
}

/// The text, unless it only says the title again.
fn beyond_title(artifact: &Artifact) -> String {
    let plain = |text: &str| text.trim().trim_end_matches('.').to_lowercase();
    let again = plain(&artifact.text) == plain(&artifact.title);
    if again { String::new() } else { inline(&artifact.text) }
}

/// How much an idea is worth for its effort, or how bad a risk is.
fn rank(artifact: &Artifact) -> i32 {
    let weight = |level: Option<Level>| match level {
        Some(Level::High) => 3,
        Some(Level::Medium) => 2,
        Some(Level::Low) => 1,
        None => 2,
    };
    let details = &artifact.details;
    match artifact.id.kind {
        ArtifactKind::Risk => weight(details.severity) * weight(details.likelihood),
        _ => 2 * weight(details.impact) - weight(details.effort),
    }
}

/// C2: session, round, and how the panel voted.
fn source(version: &Version) -> String {
    let vote = match (&version.tally, version.standing) {
        (Some(tally), _) => {
            let how = if tally.carried { "carried" } else { "not carried" };
            format!("{how} {}/{}/{}", tally.support.len(), tally.stand_aside.len(), tally.block.len())
        }
        (None, Some(_)) => "unvoted".to_owned(),
        (None, None) => "no vote".to_owned(),
    };
    format!("`{}`, round {}, {vote}", inline(&version.session), version.round)
}

fn history(entry: &Entry) -> Vec<String> {
    if entry.versions.len() < 2 {
        return Vec::new();
    }
    let told = |version: &Version| {
        let date = version.at.strftime("%Y-%m-%d");
        let change = match (version.artifact.change, version.standing) {
            (_, Some(Standing::Failed)) => "voted down".to_owned(),
            (Change::Superseded, _) => match version.artifact.superseded_by {
                Some(by) => format!("superseded by {by}"),
                None => "superseded".to_owned(),
            },
            (change, _) => change.to_string(),
        };
        format!("{date}: {change} ({})", source(version))
    };
    entry.versions.iter().map(told).collect()
}
