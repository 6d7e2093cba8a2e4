//! Where living documents stand, and writing them: one requirements file, one architecture file, a file per decision,
//! a file per brainstorm. Given the register; hands on what was written and which edits were kept. All of it or
//! nothing per file, one process at a time. Deliberately absent: what a document says (`view.rs`, the templates).

use std::collections::BTreeMap;
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
use super::super::tidied;
use super::fence::{self, Edit, Settle};
use super::view::{Places, View};
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

/// What became of the documents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    /// Every document, as a path below the project.
    pub files: Vec<String>,
    /// Those that are new or say something else now.
    pub changed: Vec<String>,
    /// Edited parts that were kept: file and part.
    pub kept: Vec<(String, String)>,
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
    /// part that somebody edited.
    ///
    /// # Errors
    /// If a document cannot be read or written, or its markers do not pair up; the others are written all the same
    /// up to that one, and a second run goes on from there.
    pub fn write(
        &self,
        register: &ProjectRegister,
        settle: &mut dyn FnMut(&Edit) -> Settle,
    ) -> Result<Written, Failure> {
        let mut run = Run { rack: self, written: Written::default(), settle };
        self.specifications.make()?;
        let _alone = self.specifications.alone(&self.lock)?;
        if has(register, &[ArtifactKind::Req, ArtifactKind::Br, ArtifactKind::Nfr, ArtifactKind::Ex]) {
            run.put_requirements(register)?;
        }
        if has(register, &[ArtifactKind::Arch, ArtifactKind::Comp, ArtifactKind::Int]) {
            run.put_decisions(register)?;
            run.put_architecture(register)?;
        }
        run.put_brainstorms(register)?;
        Ok(run.written)
    }

    /// Whether the documents that are there can be brought up to date: found out before anybody is asked.
    ///
    /// # Errors
    /// If one cannot be read, or its markers do not pair up.
    pub fn check(&self) -> Result<(), Failure> {
        for (folder, name) in [(&self.specifications, REQUIREMENTS), (&self.architecture, ARCHITECTURE)] {
            if let Some(old) = folder.read(name)? {
                fence::pieces_of(&String::from_utf8_lossy(&old), &folder.shown(name))?;
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
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        let mut links = BTreeMap::new();
        for entry in register.live() {
            let id = entry.id();
            let Some((folder, name)) = self.home(register, id) else { continue };
            let shown = folder.shown(&name);
            if !texts.contains_key(&shown) {
                let bytes = folder.read(&name)?.unwrap_or_default();
                texts.insert(shown.clone(), String::from_utf8_lossy(&bytes).into_owned());
            }
            let text = texts.get(&shown).map(String::as_str).unwrap_or_default();
            let way = self.plans.way_to(folder, &name);
            let word = id.to_string();
            let is_heading = |line: &str| line.starts_with('#') && line.trim_matches(['#', ' ']) == word;
            if id.kind == ArtifactKind::Arch && !text.is_empty() {
                links.insert(id, format!("[{word}]({way})"));
            } else if text.lines().any(is_heading) {
                links.insert(id, format!("[{word}]({way}#{})", word.to_lowercase()));
            }
        }
        Ok(links)
    }

    /// Brings the plan's document up to date. `settle` is asked about each generated part that somebody edited.
    pub(crate) fn write_plan(
        &self,
        view: &impl Serialize,
        settle: &mut dyn FnMut(&Edit) -> Settle,
    ) -> Result<Written, Failure> {
        let mut run = Run { rack: self, written: Written::default(), settle };
        self.plans.make()?;
        let _alone = self.plans.alone(&self.lock)?;
        run.put(&self.plans, PLAN, &self.templates.plan, view)?;
        Ok(run.written)
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

fn has(register: &ProjectRegister, kinds: &[ArtifactKind]) -> bool {
    register.entries.values().any(|entry| entry.is_settled() && kinds.contains(&entry.id().kind))
}

/// One run of the rack.
struct Run<'r> {
    rack: &'r Rack,
    written: Written,
    settle: &'r mut dyn FnMut(&Edit) -> Settle,
}

impl Run<'_> {
    fn put_requirements(&mut self, register: &ProjectRegister) -> Result<(), Failure> {
        let folder = &self.rack.specifications;
        let template = self.rack.layout(register);
        self.put(folder, REQUIREMENTS, template, &self.rack.view(register, folder, REQUIREMENTS))
    }

    fn put_architecture(&mut self, register: &ProjectRegister) -> Result<(), Failure> {
        let (folder, template) = (&self.rack.architecture, &self.rack.templates.architecture);
        self.put(folder, ARCHITECTURE, template, &self.rack.view(register, folder, ARCHITECTURE))
    }

    fn put_decisions(&mut self, register: &ProjectRegister) -> Result<(), Failure> {
        let (folder, template) = (&self.rack.decisions, &self.rack.templates.decision);
        let made = register.entries.values().filter(|entry| entry.is_settled());
        for entry in made.filter(|entry| entry.id().kind == ArtifactKind::Arch) {
            let name = self.rack.decision_file(register, entry.id());
            let mut view = self.rack.view(register, folder, &name).about(entry.id());
            view.date = entry.current().at.strftime("%Y-%m-%d").to_string();
            let seats = entry.current().tally.iter().flat_map(|tally| tally.support.iter().chain(&tally.stand_aside));
            view.deciders = format!("[{}]", seats.map(|seat| yaml(seat)).collect::<Vec<_>>().join(", "));
            self.put(folder, &name, template, &view)?;
        }
        Ok(())
    }

    /// A file per session that had ideas; only what that session made.
    fn put_brainstorms(&mut self, register: &ProjectRegister) -> Result<(), Failure> {
        let (folder, template) = (&self.rack.brainstorms, &self.rack.templates.brainstorm);
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
            let mut view = self.rack.view(&own, folder, &name);
            view.date = seen.started.strftime("%Y-%m-%d").to_string();
            view.description = inline(&seen.topic);
            self.put(folder, &name, template, &view)?;
        }
        Ok(())
    }

    fn put(&mut self, folder: &Folder, name: &str, template: &Template, view: &impl Serialize) -> Result<(), Failure> {
        folder.make()?;
        let rendered = template.render(view).map_err(|error| {
            Failure::from(error).next("mend the template, or remove it from .s2s/templates to use the built-in one")
        })?;
        let draft = fence::pieces(&tidied(&rendered))?;
        let shown = folder.shown(name);
        match folder.read(name)? {
            None => {
                if !folder.create(name, &fence::fresh(&draft), Readers::Project)? {
                    return Err(Failure::failed(format!("{shown} was made by another program this very moment"))
                        .next("run `s2s docs` to bring it up to date"));
                }
                self.written.changed.push(shown.clone());
            }
            Some(old) => {
                let old = String::from_utf8(old).map_err(|_| {
                    Failure::bad_input(format!("{shown} is not UTF-8 text")).next("move it away to have it made anew")
                })?;
                let woven = fence::weave(&old, &draft, &shown, self.settle)?;
                if woven.text != old {
                    folder.replace(name, woven.text.as_bytes())?;
                    self.written.changed.push(shown.clone());
                }
                self.written.kept.extend(woven.kept.into_iter().map(|part| (shown.clone(), part)));
            }
        }
        self.written.files.push(shown);
        Ok(())
    }
}
