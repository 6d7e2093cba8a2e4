//! Who could be seated: every role with where it comes from, and what is wrong with those that cannot.
//! Given: a catalog. Hands on: one [`RoleRow`] for each role file, the built-in ones first, and the problems of the
//! folders themselves. A bad file is a row with its problems; it keeps nobody else from being seated. Deliberately
//! absent: writing files, and who sits at which table.

use serde::Serialize;

use crate::catalog::FOREIGN_PREFIX;
use crate::role::ignored_keys;
use crate::{Catalog, CatalogError, Kind, Problem, Report, Role, Source};

/// Where a role comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleOrigin {
    /// It ships with s2s.
    BuiltIn,
    /// The project's `.s2s/roles/`.
    Project,
    /// The project's `.claude/agents/`.
    ClaudeAgent,
}

/// One role of a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoleRow {
    /// What a seat of it is called.
    pub id: String,
    /// Where it comes from.
    pub origin: RoleOrigin,
    /// Its file.
    pub source: Source,
    /// Whether it takes the place of a built-in role.
    pub overrides: bool,
    /// What the file says; none where it cannot be seated.
    pub role: Option<Role>,
    /// Keys of the file that mean nothing here, such as `tools`.
    pub ignored: Vec<String>,
    /// Why it cannot be seated.
    pub problems: Vec<Problem>,
}

impl Catalog {
    /// Every role, and what is wrong with the folders they are in.
    pub fn roles(&self) -> (Vec<RoleRow>, Vec<Problem>) {
        let mut folders = Report::default();
        if !self.check_folder(Kind::Role, &mut folders) {
            return (Vec::new(), folders.problems);
        }
        let listed = self.list().into_iter().filter(|row| row.kind == Kind::Role);
        let rows = listed.map(|row| {
            let origin = match &row.source {
                Source::BuiltIn => RoleOrigin::BuiltIn,
                Source::File(_) if row.name.starts_with(FOREIGN_PREFIX) => RoleOrigin::ClaudeAgent,
                Source::File(_) => RoleOrigin::Project,
            };
            let text = self.show(Kind::Role, &row.name).map(|shown| shown.text).unwrap_or_default();
            let (role, problems) = match self.role(&row.name) {
                Ok(entry) => (Some(entry.value), Vec::new()),
                Err(CatalogError::Bad { problems }) => (None, problems),
                Err(other) => (None, vec![Problem::of_file(row.source.to_string(), other.to_string())]),
            };
            let ignored = ignored_keys(&text);
            RoleRow { id: row.name, origin, source: row.source, overrides: row.overrides, role, ignored, problems }
        });
        (rows.collect(), folders.problems)
    }
}
