//! Checks everything in force at once, for `s2s catalog check`.
//! Given: a catalog, the limits of a session and a number of seats. Hands on: a [`Report`] with
//! every problem by file and line, and what was proved of each strategy. Deliberately absent: any
//! repair, and any stop at the first problem.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use s2s_engine::opening::{Limits, Workflow};
use s2s_yaml::node::{Misfit, nearest, read};
use serde::Serialize;

use crate::bounds::{Bounds, bounds, unreachable};
use crate::catalog::{bad, item_name};
use crate::constraints::read_constraints;
use crate::known::read_known;
use crate::playbook::CRITERIA;
use crate::words::read_words;
use crate::{Catalog, CatalogError, Constraints, Kind, KnownModels, Problem, Source, Words};

/// What a check found.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Report {
    /// How many files were read.
    pub files: usize,
    /// Every flaw, by file.
    pub problems: Vec<Problem>,
    /// What is certain about each good strategy.
    pub strategies: Vec<StrategyFacts>,
}

/// What was proved of a strategy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrategyFacts {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
    /// Its phases, in order.
    pub phases: Vec<String>,
    /// The number of seats the figures hold for.
    pub seats: usize,
    /// That it ends, and at what cost.
    pub bounds: Bounds,
}

impl Catalog {
    /// Checks everything in force, with the built-in limits and three seats.
    pub fn check(&self) -> Report {
        self.check_with(&Limits::default(), 3)
    }

    /// Checks everything in force. `limits` and `seats` are those of the sessions to come; a
    /// strategy that wants more seats is counted with those it wants.
    pub fn check_with(&self, limits: &Limits, seats: usize) -> Report {
        let mut report = Report::default();
        for kind in Kind::ALL {
            if !self.check_folder(*kind, &mut report) {
                continue;
            }
            for name in self.names(*kind) {
                report.files += 1;
                self.check_item(*kind, &name, limits, seats, &mut report);
            }
        }
        self.check_weights(&mut report);
        report
    }

    fn check_item(&self, kind: Kind, name: &str, limits: &Limits, seats: usize, report: &mut Report) {
        let read = match kind {
            Kind::Strategy => self.check_strategy(name, limits, seats, report),
            Kind::Agenda => self.check_agenda(name),
            Kind::Role => self.role(name).map(drop),
            Kind::Prompt => self.prompt(name).map(drop),
            Kind::Template => self.template(name).map(drop),
            Kind::Playbook => self.playbook(name).map(drop),
            Kind::Constraints => self.check_constraints(name),
            Kind::Words => self.check_words(name, report),
            Kind::Models => self.check_models(name),
        };
        match read {
            Ok(()) => {}
            Err(CatalogError::Bad { problems }) => report.problems.extend(problems),
            Err(other) => report.problems.push(Problem::of_file(name, other.to_string())),
        }
    }

    fn check_strategy(
        &self,
        name: &str,
        limits: &Limits,
        seats: usize,
        report: &mut Report,
    ) -> Result<(), CatalogError> {
        let entry = self.strategy(name)?;
        let strategy = &entry.value;
        let seats = seats.max(strategy.least_participants as usize);
        let file = self.label(Kind::Strategy, name, &entry.source);
        let flaws = unreachable(strategy, limits);
        report.problems.extend(flaws.into_iter().map(|(index, what)| {
            let (line, column) = phase_place(&entry.text, index);
            Problem { line, column, ..Problem::of_file(&file, what) }
        }));
        report.strategies.push(StrategyFacts {
            name: name.to_owned(),
            phases: strategy.phases.iter().map(|phase| phase.name.clone()).collect(),
            seats,
            bounds: bounds(strategy, limits, seats),
            source: entry.source,
        });
        Ok(())
    }

    /// An agenda is found by its workflow, so one of any other name would never be read.
    fn check_agenda(&self, name: &str) -> Result<(), CatalogError> {
        let Some(entry) = self.agenda(name)? else { return Ok(()) };
        if name.parse::<Workflow>().is_ok() {
            return Ok(());
        }
        let file = self.label(Kind::Agenda, name, &entry.source);
        let known: Vec<_> = Workflow::ALL.iter().map(|workflow| workflow.as_str()).collect();
        let what = match nearest(name, known.iter().copied()) {
            Some(near) => format!("no workflow is called `{name}`; did you mean `{near}`?"),
            None => format!("no workflow is called `{name}`"),
        };
        let allowed = Some(known.join(", "));
        let problems = vec![Problem { allowed, ..Problem::of_file(file, what) }];
        Err(CatalogError::Bad { problems })
    }

    /// A word must lead to a strategy that exists.
    fn check_words(&self, name: &str, report: &mut Report) -> Result<(), CatalogError> {
        let shown = self.show(Kind::Words, name)?;
        let file = self.label(Kind::Words, name, &shown.source);
        read_words(&shown.text, Words::default()).map_err(|misfits| bad(&file, misfits))?;
        let known = self.names(Kind::Strategy);
        let root = read(&shown.text).ok();
        let fields = root.as_ref().and_then(|root| root.fields().ok());
        let hints = fields.and_then(|top| top.get("detection")?.items().ok()).unwrap_or_default();
        for hint in hints {
            let Some(node) = hint.fields().ok().and_then(|hint| hint.get("strategy")) else { continue };
            let Ok(strategy) = node.text() else { continue };
            if !known.iter().any(|name| name == strategy) {
                let what = format!("there is no strategy `{strategy}` that these words could suggest");
                let misfit = Misfit { allowed: Some(known.join(", ")), ..node.misfit(what) };
                report.problems.push(Problem::in_file(&file, misfit));
            }
        }
        Ok(())
    }

    /// A project's file is checked as it is read: on top of the built-in one.
    fn check_constraints(&self, name: &str) -> Result<(), CatalogError> {
        let shown = self.show(Kind::Constraints, name)?;
        let file = self.label(Kind::Constraints, name, &shown.source);
        let below = match shown.source {
            Source::BuiltIn => Constraints::default(),
            Source::File(_) => Self::builtin().constraints()?.value,
        };
        read_constraints(&shown.text, below).map(drop).map_err(|misfits| bad(&file, misfits))
    }

    fn check_models(&self, name: &str) -> Result<(), CatalogError> {
        let shown = self.show(Kind::Models, name)?;
        let file = self.label(Kind::Models, name, &shown.source);
        let built_in = shown.source == Source::BuiltIn;
        read_known(&shown.text, KnownModels::default(), built_in).map(drop).map_err(|misfits| bad(&file, misfits))
    }

    /// A criterion that no playbook names would never be weighed, so it is a slip.
    fn check_weights(&self, report: &mut Report) {
        let names = self.names(Kind::Playbook);
        let playbooks: Vec<_> = names.iter().filter_map(|name| self.playbook(name).ok()).collect();
        let own = playbooks.iter().flat_map(|entry| &entry.value.criteria);
        let mut known: BTreeSet<&str> = own.map(|criterion| criterion.id.as_str()).collect();
        known.extend(CRITERIA);
        for id in self.names(Kind::Role) {
            let Ok(role) = self.role(&id) else { continue };
            let file = self.label(Kind::Role, &id, &role.source);
            for criterion in role.value.weighs.keys().filter(|key| !known.contains(key.as_str())) {
                let what = match nearest(criterion, known.iter().copied()) {
                    Some(near) => format!("no playbook knows the criterion `{criterion}`; did you mean `{near}`?"),
                    None => format!("no playbook knows the criterion `{criterion}`"),
                };
                report.problems.push(Problem {
                    line: line_of_key(&role.text, criterion),
                    allowed: Some(known.iter().copied().collect::<Vec<_>>().join(", ")),
                    ..Problem::of_file(&file, what)
                });
            }
        }
    }

    /// Says which files of the project's folders are not read, and why. False if the project's own
    /// folder cannot be looked into: then every item of this kind would say the same again.
    pub(crate) fn check_folder(&self, kind: Kind, report: &mut Report) -> bool {
        let mut open = true;
        for (folder, prefix) in self.folders(kind) {
            let problem = |what: String| Problem::of_file(folder.display().to_string(), what);
            let files = match fs::read_dir(&folder) {
                Ok(files) => files,
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => {
                    report.problems.push(problem(format!("cannot be read as a folder: {error}")));
                    open &= !prefix.is_empty();
                    continue;
                }
            };
            // Other tools put what they like beside their agents.
            if !prefix.is_empty() {
                continue;
            }
            let mut stray: Vec<_> = files.flatten().map(|file| file.path()).collect();
            stray.retain(|path| is_stray(kind, path));
            stray.sort();
            report.problems.extend(stray.iter().map(|path| Problem {
                allowed: Some(format!("NAME{}", kind.ending())),
                ..Problem::of_file(path.display().to_string(), "is not read, because of its name")
            }));
        }
        open
    }
}

/// Where a phase stands in its file, which has been read before.
fn phase_place(text: &str, index: usize) -> (u32, u32) {
    let root = read(text).ok();
    let phases = root.as_ref().and_then(|root| root.fields().ok()?.get("phases")?.items().ok());
    phases.and_then(|list| list.get(index)).map_or((0, 0), |node| (node.line, node.column))
}

fn line_of_key(text: &str, key: &str) -> u32 {
    let names_it = |line: &str| {
        let rest = line.trim_start().trim_start_matches('"').strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start_matches('"').trim_start().starts_with(':'))
    };
    let line = text.lines().position(names_it).map_or(0, |index| index + 1);
    u32::try_from(line).unwrap_or(0)
}

fn is_stray(kind: Kind, path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return true };
    let quiet = name.starts_with('.') || name.to_ascii_lowercase().starts_with("readme");
    !quiet && item_name(kind, name).is_none()
}
