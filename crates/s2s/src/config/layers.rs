//! Lays the layers over each other and remembers, for every value, which one it came from.
//! Given the sources; hands on [`Resolved`], or all problems of all layers. Checks what only the whole can
//! show: that two settings fit each other. Deliberately absent: reading (`read.rs`).

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Map, Value};

use super::address;
use super::fields::{FieldShape, PROVIDER_FIELDS};
use super::keys::{BY_WORKFLOW, KEYS};
use super::read::{Reading, Source, read};
use super::{Config, Problem};

/// Where a value can come from; a later one wins (T1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// Part of the program.
    BuiltIn,
    /// The person's own settings file.
    User,
    /// `.s2s/config.yaml`.
    Project,
    /// Environment variables.
    Environment,
    /// The command line.
    Flag,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BuiltIn => "built-in",
            Self::User => "user",
            Self::Project => "project",
            Self::Environment => "environment",
            Self::Flag => "flag",
        })
    }
}

/// The layer and place of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The layer.
    pub layer: Layer,
    /// The file, variable or flag; empty for a built-in value.
    pub file: String,
    /// From 1; 0 where there are no lines.
    pub line: u32,
    /// From 1; 0 where there are no columns.
    pub column: u32,
}

impl Origin {
    /// The place in one word, for example `.s2s/config.yaml:12:5` or `--strategy`; empty for a built-in value.
    pub fn place(&self) -> String {
        match self.line {
            0 => self.file.clone(),
            line => format!("{}:{line}:{}", self.file, self.column),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.layer {
            Layer::BuiltIn => f.write_str("built-in"),
            layer => write!(f, "{layer}, {}", self.place()),
        }
    }
}

/// The settings in force, where each came from, and what a person should know about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// The settings.
    pub config: Config,
    /// Sentences for people: values that were overruled or adjusted. Not errors.
    pub notes: Vec<String>,
    /// The folder from which each file's own programs and their arguments are found; filled in by whoever read them.
    pub folders: BTreeMap<Layer, PathBuf>,
    pub(super) values: Value,
    pub(super) origins: BTreeMap<String, Origin>,
}

impl Resolved {
    /// Where the setting with this path came from; none if there is no such setting. What stands in a map has a path
    /// too, once it is set: `models.seats.qa-lead`, `providers.local.base_url`. If it was taken away again, this is
    /// where.
    pub fn origin(&self, path: &str) -> Option<&Origin> {
        self.origins.get(path)
    }

    /// Whether the strategy was named for this run, by flag or environment; detection (T2) then stays silent.
    pub fn strategy_is_named(&self) -> bool {
        self.origin("roundtable.strategy").is_some_and(|origin| origin.layer >= Layer::Environment)
    }
}

impl Config {
    /// Lays the sources over the built-in settings, the higher layer over the lower whatever their order.
    ///
    /// # Errors
    /// Every problem of every source, in the order of the layers.
    pub fn resolve(sources: &[Source<'_>]) -> Result<Resolved, Vec<Problem>> {
        let built_in = Origin { layer: Layer::BuiltIn, file: String::new(), line: 0, column: 0 };
        let mut stack = Stack {
            values: serde_json::to_value(Self::default()).unwrap_or_default(),
            origins: KEYS.iter().map(|key| (key.target().to_owned(), built_in.clone())).collect(),
            notes: Vec::new(),
            problems: Vec::new(),
        };
        let mut sources: Vec<&Source<'_>> = sources.iter().collect();
        sources.sort_by_key(|source| source.layer());
        for source in sources {
            stack.lay(read(source));
        }
        stack.check_rounds();
        stack.check_addresses();
        stack.check_programs();
        stack.finish()
    }
}

struct Stack {
    values: Value,
    origins: BTreeMap<String, Origin>,
    notes: Vec<String>,
    problems: Vec<Problem>,
}

impl Stack {
    fn lay(&mut self, mut reading: Reading) {
        self.problems.append(&mut reading.problems);
        self.notes.append(&mut reading.notes);
        // T4: in one file the more specific place wins, wherever it stands.
        reading.settings.sort_by_key(|setting| setting.key.path.starts_with(BY_WORKFLOW));
        for setting in reading.settings {
            let target = setting.key.target();
            if setting.key.path != target
                && let Some(plain) = self.origins.get(target)
                && plain.file == setting.origin.file
                && self.get(target) != Some(&setting.value)
            {
                self.notes.push(format!(
                    "{}: `{}` wins over `{target}` in line {}; keep one of them.",
                    setting.origin.place(),
                    setting.key.path,
                    plain.line
                ));
            }
            let Some(slot) = self.values.pointer_mut(&pointer(target)) else { continue };
            let path = [&[target.to_owned()], setting.below.as_slice()].concat().join(".");
            if setting.below.is_empty() {
                *slot = setting.value;
                self.origins.insert(path, setting.origin);
            } else if lay_below(slot, &setting.below, setting.value) {
                // Also where a value was taken away: whoever did that has a say in what happens now.
                self.origins.insert(path, setting.origin);
            }
        }
    }

    fn get(&self, path: &str) -> Option<&Value> {
        self.values.pointer(&pointer(path))
    }

    /// A built-in minimum gives way to a smaller maximum that a person chose. The other way round
    /// nothing is raised: a maximum guards the bill.
    fn check_rounds(&mut self) {
        const MIN: &str = "roundtable.limits.min_rounds";
        const MAX: &str = "roundtable.limits.max_rounds";
        let number = |path| self.get(path).and_then(Value::as_u64);
        let (Some(min), Some(max)) = (number(MIN), number(MAX)) else {
            return;
        };
        let (Some(min_from), Some(max_from)) = (self.origins.get(MIN), self.origins.get(MAX)) else {
            return;
        };
        if min <= max {
            return;
        }
        if min_from.layer == Layer::BuiltIn {
            self.notes.push(format!("`{MIN}` is lowered from {min} to {max}, because `{MAX}` is {max} ({max_from})."));
            if let Some(slot) = self.values.pointer_mut(&pointer(MIN)) {
                *slot = max.into();
            }
            return;
        }
        let blamed = if max_from.layer > min_from.layer { max_from } else { min_from };
        self.problems.push(Problem {
            file: blamed.file.clone(),
            line: blamed.line,
            column: blamed.column,
            what: format!("`{MIN}` is {min} ({min_from}), more than `{MAX}`, {max} ({max_from})"),
            allowed: Some(format!("min_rounds up to {max}, or max_rounds from {min} up")),
        });
    }

    /// A key sent over plain HTTP can be read on the way, so that has to be meant.
    fn check_addresses(&mut self) {
        let Some(providers) = self.values.get("providers").and_then(Value::as_object) else { return };
        for (name, provider) in providers {
            let url = provider.get("base_url").and_then(Value::as_str).and_then(|text| address::read(text).ok());
            let meant = provider.get("allow_http").and_then(Value::as_bool).unwrap_or(false);
            if meant || !url.is_some_and(|url| address::is_exposed(&url)) {
                continue;
            }
            let path = format!("providers.{name}.base_url");
            let Some(origin) = self.origins.get(&path) else { continue };
            self.problems.push(Problem {
                line: origin.line,
                column: origin.column,
                allowed: Some(format!("https://, or `providers.{name}.allow_http: true` if that is meant")),
                ..Problem::of_file(origin.file.clone(), format!("`{path}`: over http:// everyone on the way can read"))
            });
        }
    }

    /// A confirmed `./agent` would be another program in every project, so a project names none from its folder.
    fn check_programs(&mut self) {
        let Some(providers) = self.values.get("providers").and_then(Value::as_object) else { return };
        for (name, provider) in providers {
            for field in PROVIDER_FIELDS.iter().filter(|field| field.shape == FieldShape::Program) {
                let path = format!("providers.{name}.{}", field.name);
                let origin = self.origins.get(&path).filter(|origin| origin.layer == Layer::Project);
                let program = provider.get(field.name).and_then(|argv| argv.get(0)).and_then(Value::as_str);
                let (Some(origin), Some(program)) = (origin, program) else { continue };
                if !program.contains('/') || program.starts_with('/') || program.starts_with("~/") {
                    continue;
                }
                self.problems.push(Problem {
                    line: origin.line,
                    column: origin.column,
                    allowed: Some("the name of an installed program, or a path from / or ~/ on".to_owned()),
                    ..Problem::of_file(
                        origin.file.clone(),
                        format!("`{path}`: {program:?} is another program in every folder"),
                    )
                });
            }
        }
    }

    fn finish(self) -> Result<Resolved, Vec<Problem>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        match serde_json::from_value(self.values.clone()) {
            Ok(config) => Ok(Resolved {
                config,
                notes: self.notes,
                folders: BTreeMap::new(),
                values: self.values,
                origins: self.origins,
            }),
            // Every value was checked against its key; this would be a flaw in the table of keys itself.
            Err(error) => {
                Err(vec![Problem::of_file("settings", format!("{error}; this is a bug in s2s, please report it"))])
            }
        }
    }
}

/// Puts a value below a map, or takes it away where the value is null. True = that changed something.
fn lay_below(map: &mut Value, names: &[String], value: Value) -> bool {
    let (Some((name, rest)), Some(map)) = (names.split_first(), map.as_object_mut()) else { return false };
    if !rest.is_empty() {
        return lay_below(map.entry(name.clone()).or_insert_with(|| Value::Object(Map::new())), rest, value);
    }
    if value.is_null() {
        return map.shift_remove(name).is_some();
    }
    map.insert(name.clone(), value);
    true
}

pub(super) fn pointer(path: &str) -> String {
    format!("/{}", path.replace('.', "/"))
}
