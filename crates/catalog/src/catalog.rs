//! The catalog: what is in force, by kind and name. A project's file of the same name wins over the
//! built-in one; a new name adds. Given: the project's `.s2s` folder and its `.claude/agents`.
//! Hands on: parsed entries, one at a time: opening a catalog reads nothing, and asking for one item
//! reads one file; what a built-in one says is read once in a process (`kept`). Deliberately absent: keeping what
//! a project's files say.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use s2s_engine::opening::Workflow;
use s2s_engine::strategy::Strategy;
use s2s_yaml::node::{Misfit, nearest, printable, read};
use serde::Serialize;

use crate::kept::read_once;
use crate::source::read_if_there;
use crate::{
    Agenda, CatalogError, Constraints, Entry, Kind, KnownModels, Playbook, Problem, Role, Source, Template, Words,
    agenda, builtin, constraints, known, role, strategy, template, words,
};

/// What a role from `.claude/agents/` is called: `project:NAME`.
pub const FOREIGN_PREFIX: &str = "project:";

/// The data in force for a project, or for nobody in particular.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    dir: Option<PathBuf>,
    agents: Option<PathBuf>,
}

/// The text in force of an item, whether it is good or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// Where it comes from.
    pub source: Source,
    /// The text as written.
    pub text: String,
}

/// One line of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
    /// Whether it takes the place of a built-in file.
    pub overrides: bool,
}

impl Catalog {
    /// The built-in files only.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// The built-in files under those of a project. `dir` is the `.s2s` folder, `agents` the
    /// project's `.claude/agents`; neither has to exist.
    pub fn with_project(dir: &Path, agents: Option<&Path>) -> Self {
        Self { dir: Some(dir.to_owned()), agents: agents.map(Path::to_owned) }
    }

    /// A strategy by name.
    pub fn strategy(&self, name: &str) -> Result<Entry<Strategy>, CatalogError> {
        self.entry(Kind::Strategy, name, strategy::read_strategy)
    }

    /// The agenda of a workflow; none where the workflow has no agenda, as `brainstorm` (A3).
    pub fn agenda(&self, workflow: &str) -> Result<Option<Entry<Agenda>>, CatalogError> {
        match self.entry(Kind::Agenda, workflow, agenda::read_agenda) {
            Ok(entry) => Ok(Some(entry)),
            Err(CatalogError::Unknown { .. }) if workflow.parse::<Workflow>().is_ok() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A role by id: `qa-lead`, or `project:NAME` for the project's `.claude/agents/NAME.md`, else for its
    /// own `.s2s/roles/NAME.md`.
    pub fn role(&self, id: &str) -> Result<Entry<Role>, CatalogError> {
        if let Some(name) = id.strip_prefix(FOREIGN_PREFIX)
            && !self.path(Kind::Role, id).is_some_and(|path| path.exists())
            && self.path(Kind::Role, name).is_some_and(|path| path.exists())
        {
            return self.entry(Kind::Role, name, role::read_role);
        }
        self.entry(Kind::Role, id, |id, text| match id.strip_prefix(FOREIGN_PREFIX) {
            Some(name) => role::read_foreign_role(name, text),
            None => role::read_role(id, text),
        })
    }

    /// A prompt by name.
    pub fn prompt(&self, name: &str) -> Result<Entry<Template>, CatalogError> {
        self.entry(Kind::Prompt, name, template::read_template)
    }

    /// A document template by name.
    pub fn template(&self, name: &str) -> Result<Entry<Template>, CatalogError> {
        self.entry(Kind::Template, name, template::read_template)
    }

    /// A playbook by name, with what of the constraints concerns it. Constraints that cannot be read are those of
    /// nobody; `check` and [`Catalog::constraints`] say what is wrong with them.
    pub fn playbook(&self, name: &str) -> Result<Entry<Playbook>, CatalogError> {
        let mut entry = self.own_playbook(name)?;
        let constraints = self.constraints().or_else(|_| Self::builtin().constraints());
        constraints.into_iter().for_each(|constraints| constraints.value.join(&mut entry.value));
        Ok(entry)
    }

    fn own_playbook(&self, name: &str) -> Result<Entry<Playbook>, CatalogError> {
        self.entry(Kind::Playbook, name, |name, text| {
            let playbook = Playbook::parse(text)?;
            // A file is found by its name, so the name inside must be the same.
            let root = read(text).map_err(|flaw| vec![flaw.into()])?;
            let named = root.fields().and_then(|top| strategy::named_as_file(&top, name));
            named.map(|_| playbook).map_err(|misfit| vec![misfit])
        })
    }

    /// The constraints: the built-in ones, and those of `.s2s/constraints/*.yaml` on top in the order of the files'
    /// names. A file adds constraints and words, and replaces the constraints it names.
    pub fn constraints(&self) -> Result<Entry<Constraints>, CatalogError> {
        let mut merged = Entry { value: Constraints::default(), source: Source::BuiltIn, text: String::new() };
        let built_in = builtin::names(Kind::Constraints).filter_map(|name| {
            let text = builtin::find(Kind::Constraints, name)?.text.to_owned();
            Some((name.to_owned(), Shown { source: Source::BuiltIn, text }))
        });
        let mut layers: Vec<_> = built_in.collect();
        let mut own = self.project_names(Kind::Constraints);
        own.sort();
        for name in own {
            let shown = self.show(Kind::Constraints, &name)?;
            layers.push((name, shown));
        }
        for (name, Shown { source, text }) in layers {
            let file = self.label(Kind::Constraints, &name, &source);
            let built_in = source == Source::BuiltIn;
            let read = || constraints::read_constraints(&text, merged.value).map_err(|found| bad(&file, found));
            merged.value = if built_in { read_once(Kind::Constraints, &name, read)? } else { read()? };
            merged.text.push_str(&format!("# {file}\n{text}\n"));
            merged.source = source;
        }
        Ok(merged)
    }

    /// The word lists: the built-in ones, then `.s2s/words.yaml`, then `.s2s/words/*.yaml` in the
    /// order of their names, each on top of those before. Here a file of the same name adds too: a
    /// team that adds a word to `en.yaml` must not lose the others.
    pub fn words(&self) -> Result<Entry<Words>, CatalogError> {
        let mut merged = Entry { value: Words::default(), source: Source::BuiltIn, text: String::new() };
        let built_in = builtin::names(Kind::Words).filter_map(|name| {
            let text = builtin::find(Kind::Words, name)?.text.to_owned();
            Some((name.to_owned(), Shown { source: Source::BuiltIn, text }))
        });
        let mut layers: Vec<_> = built_in.collect();
        let mut own = self.project_names(Kind::Words);
        own.sort_by_key(|name| (name != WORDS_FILE, name.clone()));
        for name in own {
            let shown = self.show(Kind::Words, &name)?;
            layers.push((name, shown));
        }
        for (name, Shown { source, text }) in layers {
            let file = self.label(Kind::Words, &name, &source);
            let read = || words::read_words(&text, merged.value).map_err(|found| bad(&file, found));
            // Built-in layers come first and in one order: what is below each is always the same.
            merged.value = if source == Source::BuiltIn { read_once(Kind::Words, &name, read)? } else { read()? };
            merged.text.push_str(&format!("# {file}\n{text}\n"));
            merged.source = source;
        }
        Ok(merged)
    }

    /// The known models: the built-in ones, and those of `.s2s/models/*.yaml` on top in the order of the files'
    /// names. A file adds models and replaces those it names; it never takes the others away.
    pub fn known_models(&self) -> Result<Entry<KnownModels>, CatalogError> {
        let mut merged = Entry { value: KnownModels::default(), source: Source::BuiltIn, text: String::new() };
        let built_in = builtin::names(Kind::Models).filter_map(|name| {
            let text = builtin::find(Kind::Models, name)?.text.to_owned();
            Some((name.to_owned(), Shown { source: Source::BuiltIn, text }))
        });
        let mut layers: Vec<_> = built_in.collect();
        let mut own = self.project_names(Kind::Models);
        own.sort();
        for name in own {
            let shown = self.show(Kind::Models, &name)?;
            layers.push((name, shown));
        }
        for (name, Shown { source, text }) in layers {
            let file = self.label(Kind::Models, &name, &source);
            let built_in = source == Source::BuiltIn;
            let read = || known::read_known(&text, merged.value, built_in).map_err(|found| bad(&file, found));
            merged.value = if built_in { read_once(Kind::Models, &name, read)? } else { read()? };
            merged.text.push_str(&format!("# {file}\n{text}\n"));
            merged.source = source;
        }
        Ok(merged)
    }

    /// Every name of a kind, built-in ones first.
    pub fn names(&self, kind: Kind) -> Vec<String> {
        let mut names: Vec<_> = builtin::names(kind).map(str::to_owned).collect();
        let added: BTreeSet<_> = self.project_names(kind).into_iter().collect();
        names.extend(added.into_iter().filter(|name| builtin::find(kind, name).is_none()));
        names
    }

    /// Everything in force, by kind.
    pub fn list(&self) -> Vec<Listed> {
        let all = Kind::ALL.iter().flat_map(|kind| {
            self.names(*kind).into_iter().map(|name| {
                let path = self.path(*kind, &name).filter(|path| path.exists());
                let over = !matches!(kind, Kind::Constraints | Kind::Words | Kind::Models)
                    && builtin::find(*kind, &name).is_some();
                let overrides = over && path.is_some();
                let source = path.map_or(Source::BuiltIn, Source::File);
                Listed { kind: *kind, name, source, overrides }
            })
        });
        all.collect()
    }

    /// The text in force, good or not.
    pub fn show(&self, kind: Kind, name: &str) -> Result<Shown, CatalogError> {
        if let Some(path) = self.path(kind, name) {
            let text = read_if_there(&path).map_err(|problem| CatalogError::Bad { problems: vec![problem] })?;
            if let Some(text) = text {
                return Ok(Shown { source: Source::File(path), text });
            }
        }
        match builtin::find(kind, name) {
            Some(file) => Ok(Shown { source: Source::BuiltIn, text: file.text.to_owned() }),
            None => Err(self.unknown(kind, name)),
        }
    }

    pub(crate) fn entry<T: Clone + Send + Sync + 'static>(
        &self,
        kind: Kind,
        name: &str,
        read: impl FnOnce(&str, &str) -> Result<T, Vec<Misfit>>,
    ) -> Result<Entry<T>, CatalogError> {
        let Shown { source, text } = self.show(kind, name)?;
        let read = || read(name, &text);
        match if source == Source::BuiltIn { read_once(kind, name, read) } else { read() } {
            Ok(value) => Ok(Entry { value, source, text }),
            Err(misfits) => Err(bad(&self.label(kind, name, &source), misfits)),
        }
    }

    fn unknown(&self, kind: Kind, name: &str) -> CatalogError {
        let known = self.names(kind);
        let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
        // What a person typed may be anything; it is shown, but not at any length.
        let name = printable(name).chars().take(60).collect();
        CatalogError::Unknown { kind, name, nearest, known }
    }

    pub(crate) fn label(&self, kind: Kind, name: &str, source: &Source) -> String {
        match source {
            Source::BuiltIn => builtin::label(kind, name),
            Source::File(path) => path.display().to_string(),
        }
    }

    /// Where the project's file of this name would be. A name that could lead out of the folder has
    /// no place.
    fn path(&self, kind: Kind, name: &str) -> Option<PathBuf> {
        if let Some(foreign) = name.strip_prefix(FOREIGN_PREFIX).filter(|_| kind == Kind::Role) {
            return Some(self.agents.as_ref()?.join(format!("{}.md", harmless(foreign)?)));
        }
        let dir = self.dir.as_ref()?;
        if kind == Kind::Words && name == WORDS_FILE {
            return Some(dir.join("words.yaml"));
        }
        Some(dir.join(kind.folder()).join(format!("{}{}", harmless(name)?, kind.ending())))
    }

    /// The folders of the project that hold files of a kind.
    pub(crate) fn folders(&self, kind: Kind) -> Vec<(PathBuf, &'static str)> {
        let own = self.dir.iter().map(|dir| (dir.join(kind.folder()), ""));
        let foreign = self.agents.iter().filter(|_| kind == Kind::Role);
        own.chain(foreign.map(|dir| (dir.clone(), FOREIGN_PREFIX))).collect()
    }

    fn project_names(&self, kind: Kind) -> Vec<String> {
        let mut names = Vec::new();
        for (folder, prefix) in self.folders(kind) {
            let files = fs::read_dir(folder).into_iter().flatten().flatten();
            for file in files {
                let file = file.file_name();
                let name = file.to_str().and_then(|file| item_name(kind, file));
                names.extend(name.map(|name| format!("{prefix}{name}")));
            }
        }
        let single = self.dir.as_ref().map(|dir| dir.join("words.yaml"));
        if kind == Kind::Words && single.is_some_and(|path| path.exists()) {
            names.push(WORDS_FILE.to_owned());
        }
        names
    }
}

/// The name under which the project's single `words.yaml` is listed.
const WORDS_FILE: &str = "words";

/// The item's name in a file name of this kind; none for hidden files, notes and other endings.
pub(crate) fn item_name(kind: Kind, file: &str) -> Option<&str> {
    let name = file.strip_suffix(kind.ending())?;
    harmless(name).filter(|name| !name.eq_ignore_ascii_case("readme"))
}

fn harmless(name: &str) -> Option<&str> {
    let strange = |c: char| matches!(c, '/' | '\\' | ':') || c.is_control();
    let fine = !name.is_empty() && !name.starts_with('.') && !name.contains(strange);
    (fine && name.len() <= 100).then_some(name)
}

pub(crate) fn bad(file: &str, misfits: Vec<Misfit>) -> CatalogError {
    let problems = misfits.into_iter().map(|misfit| Problem::in_file(file, misfit));
    CatalogError::Bad { problems: problems.collect() }
}
