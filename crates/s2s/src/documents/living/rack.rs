//! Where living documents stand, and writing them: one requirements file, one architecture file, a file per decision,
//! a file per brainstorm. Given the register; hands on what was written and which edits were kept, one process at a
//! time. Deliberately absent: what a document says (`view.rs`, the templates), and how it is put together (`sheets.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use s2s_catalog::{Catalog, Template};
use s2s_engine::artifact::{ArtifactId, ArtifactKind};
use s2s_engine::opening::{RequirementsFormat, Workflow};
use s2s_engine::slug::slug;
use s2s_store::Status;
use serde::Serialize;

use super::super::escape::{inline, yaml};
use super::super::paper::{Folder, Readers};
use super::super::requirements::Numbering;
use super::fence;
use super::links::anchors;
use super::sheets::{Asking, Sheet, Written, edits, write_all};
use super::view::{Places, View};
use super::weave::Edit;
use crate::config::Config;
use crate::failure::Failure;
use crate::register::{Entry, ProjectRegister};

/// The file that the requirements of a project are in.
pub const REQUIREMENTS: &str = "requirements.md";
/// The file that describes the architecture.
pub const ARCHITECTURE: &str = "architecture.md";
/// The file that the plan in force is in.
pub const PLAN: &str = "plan.md";

/// The templates of living documents.
#[derive(Debug, Clone)]
struct Templates {
    /// By format, in the order of its values.
    requirements: Vec<Template>,
    architecture: Template,
    decision: Template,
    brainstorm: Template,
    plan: Template,
}

/// Writes living documents into a project.
#[derive(Debug, Clone)]
pub struct Rack {
    specifications: Folder,
    architecture: Folder,
    decisions: Folder,
    brainstorms: Folder,
    plans: Folder,
    lock: PathBuf,
    templates: Templates,
    format: RequirementsFormat,
    project: String,
}

impl Rack {
    /// A rack in the project at `root`, called so.
    ///
    /// # Errors
    /// If the settings name a folder outside the project, or a template cannot be read.
    pub fn new(root: &Path, config: &Config, catalog: &Catalog, project: &str) -> Result<Self, Failure> {
        let docs = &config.docs;
        let template = |name: &str| -> Result<Template, Failure> { Ok(catalog.template(name)?.value) };
        Ok(Self {
            specifications: Folder::new(root, &docs.specifications, "docs.specifications")?,
            architecture: Folder::new(root, &docs.architecture, "docs.architecture")?,
            decisions: Folder::new(root, &docs.decisions, "docs.decisions")?,
            brainstorms: Folder::new(root, &docs.brainstorms, "docs.brainstorms")?,
            plans: Folder::new(root, &docs.plans, "docs.plans")?,
            lock: root.join(".s2s").join(".s2s-documents.lock"),
            templates: Templates {
                requirements: RequirementsFormat::ALL
                    .iter()
                    .map(|format| template(&format!("requirements-{format}")))
                    .collect::<Result<_, _>>()?,
                architecture: template("architecture-arc42")?,
                decision: template("decision")?,
                brainstorm: template("brainstorm")?,
                plan: template("plan")?,
            },
            format: config.docs.requirements_format,
            project: project.to_owned(),
        })
    }

    /// Brings every document up to date that the register has something for. `settle` is asked about each generated
    /// part that somebody edited, once per document and before anything is written.
    ///
    /// # Errors
    /// If a document cannot be read, or its markers do not pair up: then none is written. If one cannot be written,
    /// the ones before it are, and a second run goes on from there.
    pub fn write(&self, register: &ProjectRegister, settle: &mut Asking<'_>) -> Result<Written, Failure> {
        self.specifications.make()?;
        let _alone = self.specifications.alone(&self.lock)?;
        write_all(self.sheets(register)?, settle)
    }

    /// The generated parts that somebody edited, in every document but the plan's; nothing is written.
    ///
    /// # Errors
    /// If a document cannot be read, or its markers do not pair up.
    pub fn edits(&self, register: &ProjectRegister) -> Result<Vec<Edit>, Failure> {
        edits(&self.sheets(register)?)
    }

    /// The drafts of every document that the register has something for.
    fn sheets(&self, register: &ProjectRegister) -> Result<Vec<Sheet<'_>>, Failure> {
        let mut sheets = Vec::new();
        if has(register, &[ArtifactKind::Req, ArtifactKind::Br, ArtifactKind::Nfr, ArtifactKind::Ex]) {
            sheets.push(self.requirements(register)?);
        }
        if has(register, &[ArtifactKind::Arch, ArtifactKind::Comp, ArtifactKind::Int]) {
            self.put_decisions(register, &mut sheets)?;
            sheets.push(self.architecture(register)?);
        }
        self.put_brainstorms(register, &mut sheets)?;
        Ok(sheets)
    }

    /// Whether the documents that are there can be brought up to date: found out before anybody is asked.
    ///
    /// # Errors
    /// If one cannot be read, or its markers do not pair up.
    pub fn check(&self) -> Result<(), Failure> {
        for (folder, name) in [(&self.specifications, REQUIREMENTS), (&self.architecture, ARCHITECTURE)] {
            if let Some(old) = folder.read(name)? {
                let text = String::from_utf8_lossy(&old).replace("\r\n", "\n");
                fence::pieces(&text, &folder.shown(name))?;
            }
        }
        Ok(())
    }

    /// The highest ids in the requirements file: those of sessions without a register, and of people, count too.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn numbers(&self) -> Result<Numbering, Failure> {
        let old = self.specifications.read(REQUIREMENTS)?;
        Ok(old.map_or_else(Numbering::default, |old| Numbering::after(&String::from_utf8_lossy(&old))))
    }

    /// The main document of a session of this workflow.
    pub fn main(&self, workflow: Workflow, session: &str) -> String {
        match workflow {
            Workflow::Specs => self.specifications.shown(REQUIREMENTS),
            Workflow::Design => self.architecture.shown(ARCHITECTURE),
            Workflow::Brainstorm => self.brainstorms.shown(&format!("{session}.md")),
        }
    }

    /// Keeps the requirements and the architecture that a session starts over beside the new ones.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn keep_old(&self, session: &str, kinds: &[ArtifactKind]) -> Result<Option<String>, Failure> {
        let (folder, name) = match kinds.contains(&ArtifactKind::Req) {
            true => (&self.specifications, REQUIREMENTS),
            false => (&self.architecture, ARCHITECTURE),
        };
        folder.make()?;
        let _alone = folder.alone(&self.lock)?;
        let kept = format!("{}.before-{session}.md", name.trim_end_matches(".md"));
        if folder.is_taken(&kept) {
            return Ok(Some(folder.shown(&kept)));
        }
        let Some(old) = folder.read(name)? else { return Ok(None) };
        let text = String::from_utf8_lossy(&old).into_owned();
        folder.create(&kept, &text, Readers::Project)?;
        folder.remove(name)?;
        Ok(Some(folder.shown(&kept)))
    }
}

impl Rack {
    /// Requirements stay in the layout that the last session about them was asked for; else as the settings say.
    fn layout(&self, register: &ProjectRegister) -> &Template {
        let asked = register.sessions.iter().filter(|seen| seen.status == Status::Completed);
        let asked = asked.filter_map(|seen| Some((seen.started, seen.requirements_format?)));
        let format = asked.max_by_key(|(started, _)| *started).map_or(self.format, |(_, format)| format);
        let at = RequirementsFormat::ALL.iter().position(|other| *other == format).unwrap_or_default();
        &self.templates.requirements[at]
    }

    /// The name of a decision's file: the one it has, else one made of its title.
    fn decision_file(&self, register: &ProjectRegister, id: ArtifactId) -> String {
        let title = register.get(id).map(|entry| slug(&entry.artifact().title)).unwrap_or_default();
        self.decisions.named(&format!("{id}-")).unwrap_or_else(|| format!("{id}-{title}.md"))
    }

    /// The document that an artifact is defined in.
    fn home(&self, register: &ProjectRegister, id: ArtifactId) -> Option<(&Folder, String)> {
        match id.kind {
            ArtifactKind::Req | ArtifactKind::Br | ArtifactKind::Nfr | ArtifactKind::Ex => {
                Some((&self.specifications, REQUIREMENTS.to_owned()))
            }
            ArtifactKind::Arch => Some((&self.decisions, self.decision_file(register, id))),
            ArtifactKind::Comp | ArtifactKind::Int => Some((&self.architecture, ARCHITECTURE.to_owned())),
            _ => None,
        }
    }

    /// What the project is called.
    pub(crate) fn project(&self) -> &str {
        &self.project
    }

    /// How artifacts are linked to from the plan: those whose document is there and has a heading for them.
    pub(crate) fn links_from_plan(&self, register: &ProjectRegister) -> Result<BTreeMap<ArtifactId, String>, Failure> {
        let mut seen: BTreeMap<String, (bool, BTreeSet<String>)> = BTreeMap::new();
        let mut links = BTreeMap::new();
        for entry in register.live() {
            let id = entry.id();
            let Some((folder, name)) = self.home(register, id) else { continue };
            let shown = folder.shown(&name);
            if !seen.contains_key(&shown) {
                let bytes = folder.read(&name)?.unwrap_or_default();
                seen.insert(shown.clone(), (!bytes.is_empty(), anchors(&String::from_utf8_lossy(&bytes))));
            }
            let Some((is_there, anchors)) = seen.get(&shown) else { continue };
            let way = self.plans.way_to(folder, &name);
            let word = id.to_string();
            let anchor = word.to_lowercase();
            if id.kind == ArtifactKind::Arch && *is_there {
                links.insert(id, format!("[{word}]({way})"));
            } else if anchors.contains(&anchor) {
                links.insert(id, format!("[{word}]({way}#{anchor})"));
            }
        }
        Ok(links)
    }

    /// Brings the plan's document up to date. `settle` is asked about each generated part that somebody edited.
    pub(crate) fn write_plan(&self, view: &impl Serialize, settle: &mut Asking<'_>) -> Result<Written, Failure> {
        self.plans.make()?;
        let _alone = self.plans.alone(&self.lock)?;
        write_all(vec![Sheet::new(&self.plans, PLAN.to_owned(), &self.templates.plan, view)?], settle)
    }

    /// The generated parts of the plan's document that somebody edited.
    pub(crate) fn edits_in_plan(&self, view: &impl Serialize) -> Result<Vec<Edit>, Failure> {
        edits(&[Sheet::new(&self.plans, PLAN.to_owned(), &self.templates.plan, view)?])
    }

    fn view(&self, register: &ProjectRegister, from: &Folder, own: &str) -> View {
        let mut places = Places::default();
        for id in register.entries.keys() {
            let Some((folder, name)) = self.home(register, *id) else { continue };
            if folder.shown(&name) != from.shown(own) {
                places.of.insert(*id, from.way_to(folder, &name));
            }
        }
        let mut view = View::of(register, &places);
        view.project = inline(&self.project);
        view
    }
}

/// The documents in words.
impl Rack {
    fn requirements(&self, register: &ProjectRegister) -> Result<Sheet<'_>, Failure> {
        let folder = &self.specifications;
        let view = self.view(register, folder, REQUIREMENTS);
        Sheet::new(folder, REQUIREMENTS.to_owned(), self.layout(register), &view)
    }

    fn architecture(&self, register: &ProjectRegister) -> Result<Sheet<'_>, Failure> {
        let folder = &self.architecture;
        let view = self.view(register, folder, ARCHITECTURE);
        Sheet::new(folder, ARCHITECTURE.to_owned(), &self.templates.architecture, &view)
    }

    fn put_decisions<'r>(&'r self, register: &ProjectRegister, sheets: &mut Vec<Sheet<'r>>) -> Result<(), Failure> {
        let (folder, template) = (&self.decisions, &self.templates.decision);
        let made = register.entries.values().filter(|entry| entry.is_settled());
        for entry in made.filter(|entry| entry.id().kind == ArtifactKind::Arch) {
            let name = self.decision_file(register, entry.id());
            let mut view = self.view(register, folder, &name).about(entry.id());
            view.date = entry.current().at.strftime("%Y-%m-%d").to_string();
            let seats = entry.current().tally.iter().flat_map(|tally| tally.support.iter().chain(&tally.stand_aside));
            view.deciders = format!("[{}]", seats.map(|seat| yaml(seat)).collect::<Vec<_>>().join(", "));
            sheets.push(Sheet::new(folder, name, template, &view)?);
        }
        Ok(())
    }

    /// A file per session that had ideas; only what that session made.
    fn put_brainstorms<'r>(&'r self, register: &ProjectRegister, sheets: &mut Vec<Sheet<'r>>) -> Result<(), Failure> {
        let (folder, template) = (&self.brainstorms, &self.templates.brainstorm);
        let mut by_session: BTreeMap<&str, BTreeMap<ArtifactId, Entry>> = BTreeMap::new();
        for (id, entry) in &register.entries {
            let first = &entry.versions[0];
            if first.complete {
                by_session.entry(&first.session).or_default().insert(*id, entry.clone());
            }
        }
        for seen in &register.sessions {
            let Some(entries) = by_session.remove(seen.id.as_str()) else { continue };
            let own = ProjectRegister { entries, sessions: vec![seen.clone()], unread: Vec::new() };
            if !has(&own, &[ArtifactKind::Idea, ArtifactKind::Risk, ArtifactKind::Mit]) {
                continue;
            }
            let name = format!("{}.md", seen.id);
            let mut view = self.view(&own, folder, &name);
            view.date = seen.started.strftime("%Y-%m-%d").to_string();
            view.description = inline(&seen.topic);
            sheets.push(Sheet::new(folder, name, template, &view)?);
        }
        Ok(())
    }
}

fn has(register: &ProjectRegister, kinds: &[ArtifactKind]) -> bool {
    register.entries.values().any(|entry| entry.is_settled() && kinds.contains(&entry.id().kind))
}
