//! Reads one layer: a file's text, the environment or the flags, into checked values with their places.
//! Given texts; hands on settings, and every problem it found, not only the first. Deliberately absent:
//! which layer wins (`layers.rs`) and whether two values fit each other.

use std::collections::BTreeMap;

use s2s_yaml::node::{self, Entry, Kind, Misfit, Node, nearest};
use serde_json::Value;

use super::Problem;
use super::keys::{KEYS, Key, Shape, children};
use super::layers::{Layer, Origin};
use super::open::{self, Found, NO_KEYS};
use super::value;
use crate::clean::clean_line;
use crate::secrets::looks_like_secret;

/// A flag of the command line that sets a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagValue<'a> {
    /// The flag as the person typed it, for example `--strategy`.
    pub flag: &'a str,
    /// The setting, for example `roundtable.strategy`.
    pub path: &'a str,
    /// Its value; lists with commas.
    pub text: &'a str,
}

/// Where settings come from.
#[derive(Debug, Clone)]
pub enum Source<'a> {
    /// A settings file.
    File {
        /// [`Layer::User`] or [`Layer::Project`].
        layer: Layer,
        /// The name to show in problems.
        name: &'a str,
        /// What is in it.
        text: &'a str,
    },
    /// Environment variables; only those in the table of [`KEYS`] are read, an empty one is not set.
    Environment(&'a BTreeMap<String, String>),
    /// Flags.
    Flags(&'a [FlagValue<'a>]),
}

impl Source<'_> {
    /// The layer that this source fills.
    pub fn layer(&self) -> Layer {
        match self {
            Self::File { layer, .. } => *layer,
            Self::Environment(_) => Layer::Environment,
            Self::Flags(_) => Layer::Flag,
        }
    }
}

/// One checked value and where it stands.
#[derive(Debug)]
pub(super) struct Setting {
    pub key: &'static Key,
    /// The names below the key, where a person chooses them.
    pub below: Vec<String>,
    pub value: Value,
    pub origin: Origin,
}

/// What one layer holds.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub settings: Vec<Setting>,
    pub problems: Vec<Problem>,
    pub notes: Vec<String>,
}

pub(super) fn read(source: &Source<'_>) -> Reading {
    let mut reading = Reading::default();
    match source {
        Source::File { layer, name, text } => reading.file(*layer, name, text),
        Source::Environment(variables) => reading.environment(variables),
        Source::Flags(flags) => reading.flags(flags),
    }
    reading
}

impl Reading {
    fn file(&mut self, layer: Layer, name: &str, text: &str) {
        let root = match node::read(text) {
            Ok(root) => root,
            Err(flaw) => return self.problems.push(problem(name, flaw.into())),
        };
        // A newer file has keys this program cannot know: one problem, not one per key.
        if let Some(misfit) = newer_version(&root) {
            return self.problems.push(problem(name, misfit));
        }
        // A key that stands in the file is the one thing to say, and nothing else may quote it.
        let mut keys = Vec::new();
        find_keys(&root, &mut keys);
        if !keys.is_empty() {
            return self.problems.extend(keys.into_iter().map(|misfit| problem(name, misfit)));
        }
        let mut walk = Walk { layer, file: name, into: self };
        walk.section("", &root);
        self.problems.sort_by_key(|problem| (problem.line, problem.column));
    }

    fn environment(&mut self, variables: &BTreeMap<String, String>) {
        for (name, text) in variables {
            match KEYS.iter().find(|key| key.variable == Some(name)) {
                Some(key) if !text.trim().is_empty() => self.text(Layer::Environment, name, key, text),
                Some(_) => {}
                None => self.strange_variable(name),
            }
        }
    }

    /// Other programs may own variables that start alike, so a strange one is a note, and only if it
    /// looks like a slip.
    fn strange_variable(&mut self, name: &str) {
        let known = KEYS.iter().filter_map(|key| key.variable);
        let near = name.strip_prefix("S2S_").and_then(|word| {
            let words: Vec<&str> = known.filter_map(|known| known.strip_prefix("S2S_")).collect();
            words.into_iter().find(|known| strsim::damerau_levenshtein(word, known) <= 2)
        });
        if let Some(near) = near {
            self.notes.push(format!("The variable {name} is not known and is not used; S2S_{near} is."));
        }
    }

    fn flags(&mut self, flags: &[FlagValue<'_>]) {
        for FlagValue { flag, path, text } in flags {
            match Key::holding(path) {
                Some((key, None)) => self.text(Layer::Flag, flag, key, text),
                Some((key, Some(name))) => self.named_text(flag, key, name, text),
                None => {
                    let what = format!("`{path}` is not a setting");
                    let allowed = Some("a setting that `s2s config show` lists".to_owned());
                    self.problems.push(Problem { allowed, ..Problem::of_file(*flag, what) });
                }
            }
        }
    }

    fn text(&mut self, layer: Layer, name: &str, key: &'static Key, text: &str) {
        if self.holds_key(name, text) {
            return;
        }
        match value::read(key, &node_of(key, text.trim())) {
            Ok(value) => {
                let origin = Origin { layer, file: name.to_owned(), line: 0, column: 0 };
                self.settings.push(Setting { key, below: Vec::new(), value, origin });
            }
            Err(misfits) => self.problems.extend(misfits.into_iter().map(|misfit| problem(name, misfit))),
        }
    }

    /// A key where a name belongs is a slip of the hand; no problem may repeat it.
    fn holds_key(&mut self, name: &str, text: &str) -> bool {
        let found = looks_like_secret(text);
        self.problems.extend(found.map(|kind| Problem {
            allowed: Some("a setting; a key goes into the variable that its provider reads".to_owned()),
            ..Problem::of_file(name, format!("this looks like {kind}, which is no setting"))
        }));
        found.is_some()
    }

    /// One entry of a map, from a flag: `--seat qa-lead=MODEL`.
    fn named_text(&mut self, flag: &str, key: &'static Key, name: &str, text: &str) {
        if self.holds_key(flag, text) {
            return;
        }
        let entry = Entry { key: name.to_owned(), line: 0, column: 0, value: node_of(key, text.trim()) };
        match open::read_entry(key.shape, &entry) {
            Ok(found) => self.settings.extend(found.into_iter().map(|Found { path, value, .. }| {
                let origin = Origin { layer: Layer::Flag, file: flag.to_owned(), line: 0, column: 0 };
                Setting { key, below: path, value, origin }
            })),
            Err(misfits) => self.problems.extend(misfits.into_iter().map(|misfit| problem(flag, misfit))),
        }
    }
}

struct Walk<'a> {
    layer: Layer,
    file: &'a str,
    into: &'a mut Reading,
}

impl Walk<'_> {
    /// A section with nothing in it counts as not given: people comment values out.
    fn section(&mut self, path: &str, node: &Node) {
        if node.is_nothing() {
            return;
        }
        let fields = match node.fields() {
            Ok(fields) => fields,
            Err(misfit) => {
                return self.problem(named(path, misfit, Some(children(path).join(", "))));
            }
        };
        let allowed = children(path);
        for entry in fields.entries() {
            let full = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
            match Key::find(&full) {
                Some(key) => self.leaf(key, entry),
                None if allowed.contains(&entry.key.as_str()) => self.section(&full, &entry.value),
                None => self.problem(unknown_key(path, entry, &allowed)),
            }
        }
    }

    fn leaf(&mut self, key: &'static Key, entry: &Entry) {
        if key.shape.is_open() {
            return self.names(key, entry);
        }
        match value::read(key, &entry.value) {
            Ok(value) => {
                let origin =
                    Origin { layer: self.layer, file: self.file.to_owned(), line: entry.line, column: entry.column };
                self.into.settings.push(Setting { key, below: Vec::new(), value, origin });
            }
            Err(misfits) => misfits.into_iter().for_each(|misfit| self.problem(named(key.path, misfit, None))),
        }
    }

    /// A map whose keys are names; with nothing in it, it counts as not given.
    fn names(&mut self, key: &'static Key, entry: &Entry) {
        if entry.value.is_nothing() {
            return;
        }
        match open::read(key.shape, &entry.value) {
            Ok(found) => self.into.settings.extend(found.into_iter().map(|Found { path, value, line, column }| {
                let origin = Origin { layer: self.layer, file: self.file.to_owned(), line, column };
                Setting { key, below: path, value, origin }
            })),
            Err(misfits) => misfits.into_iter().for_each(|misfit| self.problem(named(key.path, misfit, None))),
        }
    }

    fn problem(&mut self, misfit: Misfit) {
        self.into.problems.push(problem(self.file, misfit));
    }
}

/// A problem quotes what it found, so it is cleaned before anyone sees it.
fn problem(file: &str, misfit: Misfit) -> Problem {
    let what = clean_line(&misfit.what).into_owned();
    Problem::in_file(file, Misfit { what, ..misfit })
}

/// Every value that looks like a key or holds a password.
fn find_keys(node: &Node, found: &mut Vec<Misfit>) {
    match &node.kind {
        Kind::Scalar { text, .. } => found.extend(looks_like_secret(text).map(|kind| Misfit {
            allowed: Some("api_key_env: NAME, api_key_command: [program, argument], api_key_file: PATH".to_owned()),
            ..node.misfit(format!("this looks like {kind}: {NO_KEYS}"))
        })),
        Kind::Seq(items) => items.iter().for_each(|item| find_keys(item, found)),
        Kind::Map(entries) => entries.iter().for_each(|entry| find_keys(&entry.value, found)),
    }
}

fn named(path: &str, misfit: Misfit, allowed: Option<String>) -> Misfit {
    let what = match path {
        "" => misfit.what,
        _ => format!("`{path}`: {}", misfit.what),
    };
    Misfit { what, allowed: misfit.allowed.or(allowed), ..misfit }
}

/// A slip of the finger, a key in the wrong section, or a key that does not exist: said apart.
fn unknown_key(section: &str, entry: &Entry, allowed: &[&str]) -> Misfit {
    let key = &entry.key;
    let place = if section.is_empty() { "at the top of the file".to_owned() } else { format!("in `{section}`") };
    let elsewhere = KEYS.iter().find(|known| known.name() == key || known.path.split('.').any(|part| part == key));
    let hint = match (nearest(key, allowed.iter().copied()), elsewhere) {
        (Some(near), None) => format!("; did you mean `{near}`?"),
        (_, Some(known)) => format!("; did you mean `{}`?", path_up_to(known.path, key)),
        (None, None) => match KEYS.iter().find(|known| nearest(key, [known.name()]).is_some()) {
            Some(known) => format!("; did you mean `{}`?", known.path),
            None => String::new(),
        },
    };
    Misfit {
        line: entry.line,
        column: entry.column,
        what: format!("unknown key `{key}` {place}{hint}"),
        allowed: Some(allowed.join(", ")),
    }
}

fn path_up_to<'p>(path: &'p str, part: &str) -> &'p str {
    let mut end = 0;
    for piece in path.split('.') {
        end += piece.len() + usize::from(end > 0);
        if piece == part {
            break;
        }
    }
    &path[..end]
}

fn newer_version(root: &Node) -> Option<Misfit> {
    let version = root.fields().ok()?.get("version")?;
    let number = value::version_number(version)?;
    (number > 1).then(|| Misfit {
        allowed: Some("1; or install the newer s2s".to_owned()),
        ..version.misfit(format!("this file is of version {number}, made for a newer s2s; this one reads version 1"))
    })
}

/// A variable or a flag as the node it would be in a file.
fn node_of(key: &Key, text: &str) -> Node {
    let scalar = |text: &str, plain| Node { line: 0, column: 0, kind: Kind::Scalar { text: text.to_owned(), plain } };
    if key.null.is_some() && ["none", "null"].contains(&text.to_lowercase().as_str()) {
        return scalar("", true);
    }
    match key.shape {
        Shape::Seats | Shape::Words | Shape::Fallback => {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            Node { line: 0, column: 0, kind: Kind::Seq(items.map(|item| scalar(item, false)).collect()) }
        }
        Shape::Flag => match text.to_lowercase().as_str() {
            "1" | "yes" | "on" | "true" => scalar("true", true),
            "0" | "no" | "off" | "false" => scalar("false", true),
            _ => scalar(text, false),
        },
        Shape::Whole(..) | Shape::Number(..) | Shape::Version => scalar(text, true),
        _ => scalar(text, false),
    }
}
