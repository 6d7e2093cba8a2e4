//! The decision records of a project, whoever wrote them: roundtables, the register, people.
//! Given the project and its settings; hands on rows with what each record says and what is wrong with it, finds the
//! one a person means, marks what took whose place ([`supersede()`]) and keeps the index ([`write_index`]). The files
//! are the truth: there is no second list that could disagree. Deliberately absent: sessions, and screens.

mod front;
mod index;
mod own_status;
mod supersede;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

pub use index::{INDEX_FILE, Index, has_index, write_index};
use s2s_yaml::node::nearest;
pub use supersede::{Superseded, markable, supersede};

use crate::config::Config;
use crate::documents::paper::Folder;
use crate::failure::Failure;
use front::Said;

/// The most candidates that are named where a name is ambiguous.
const MOST_NAMED: usize = 8;

/// A decision record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decision {
    /// What it is called: `ARCH-001`, else its file's name without `.md`.
    pub name: String,
    /// Its file's name.
    pub file: String,
    /// Its file, below the project.
    pub path: String,
    /// Its first heading; the name, if there is none.
    pub title: String,
    /// As the record gives it, such as `accepted`.
    pub status: Option<String>,
    /// As the record gives it.
    pub date: Option<String>,
    /// The session it comes from.
    pub session: Option<String>,
    /// What took its place: a name of this list, or what the record calls it.
    pub superseded_by: Option<String>,
    /// What it took the place of.
    pub supersedes: Vec<String>,
    /// Whether its front matter is generated from the register of artifacts.
    pub generated: bool,
    /// What is wrong with it, with the line where there is one.
    pub problems: Vec<String>,
    /// Whether its text could be read at all.
    pub readable: bool,
}

impl Decision {
    /// Whether it still holds.
    pub fn is_live(&self) -> bool {
        let ended = |status: &str| ["superseded", "rejected", "deprecated", "withdrawn"].contains(&first_word(status));
        !self.status.as_deref().is_some_and(|status| ended(&status.to_lowercase()))
    }

    /// Whether it was accepted, and still is.
    pub fn is_accepted(&self) -> bool {
        self.status.as_deref().is_some_and(|status| first_word(&status.to_lowercase()) == "accepted")
    }

    fn stem(&self) -> &str {
        self.file.strip_suffix(".md").unwrap_or(&self.file)
    }
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default()
}

/// The decision records of a project.
#[derive(Debug, Clone)]
pub struct Decisions {
    /// By file name.
    pub rows: Vec<Decision>,
    folder: Folder,
    lock: PathBuf,
}

impl Decisions {
    /// Reads them all. A file that cannot be used is a row with its problem.
    ///
    /// # Errors
    /// If the settings name a folder outside the project, or the folder cannot be read.
    pub fn read(root: &Path, config: &Config) -> Result<Self, Failure> {
        let folder = Folder::new(root, &config.docs.decisions, "docs.decisions")?;
        // The name is one that `s2s init` keeps out of version control.
        let lock = root.join(".s2s").join(".s2s-documents.lock");
        let mut decisions = Self { rows: Vec::new(), folder, lock };
        let path = root.join(&config.docs.decisions);
        if !path.exists() {
            return Ok(decisions);
        }
        decisions.folder.make().map_err(|failure| failure.next("mend that, then run the command again"))?;
        for name in names(&path)? {
            let row = decisions.row(&name, &decisions.rows);
            decisions.rows.push(row);
        }
        decisions.tie();
        Ok(decisions)
    }

    fn row(&self, file: &str, before: &[Decision]) -> Decision {
        let stem = file.strip_suffix(".md").unwrap_or(file);
        let mut problems = Vec::new();
        let text = self.text(file).map_err(|failure| problems.push(failure.what)).ok();
        let said = text.as_deref().map(front::read).unwrap_or_else(|| Ok(Said::default()));
        let said = said.unwrap_or_else(|flaw| {
            problems.push(flaw.to_string());
            Said::default()
        });
        let id = words::artifact_id(stem);
        if let Some(other) = id.and_then(|id| before.iter().find(|row| row.name == id)) {
            problems.push(format!("a second file of {}; the other is {}", other.name, other.file));
        }
        let name = id.filter(|id| !before.iter().any(|row| row.name == *id)).unwrap_or(stem).to_owned();
        if problems.is_empty() && said.status.is_none() {
            problems.push("no status: neither `status:` in front matter nor a line `Status: …`".to_owned());
        }
        let title = said.title.unwrap_or_else(|| stem.to_owned());
        let title = title.strip_prefix(&format!("{name}: ")).map(str::to_owned).unwrap_or(title);
        Decision {
            path: self.folder.shown(file),
            file: file.to_owned(),
            title,
            status: said.status.map(|status| words::plain(&status)),
            date: said.date.map(|date| words::plain(&date)),
            session: said.session.map(|session| words::plain(&session)),
            superseded_by: None,
            supersedes: said.supersedes,
            generated: said.generated,
            readable: text.is_some(),
            problems,
            name,
        }
    }

    /// Turns what records call each other into names, and says where they disagree.
    fn tie(&mut self) {
        let name_of = |rows: &[Decision], called: &str| meant(rows, called).map(|row| row.name.clone());
        let by: Vec<Option<String>> = self.rows.iter().map(|row| row.status.as_deref().and_then(successor)).collect();
        let supersedes: Vec<Vec<String>> = self.rows.iter().map(|row| row.supersedes.clone()).collect();
        for (at, (by, supersedes)) in by.into_iter().zip(supersedes).enumerate() {
            if let Some(called) = by {
                let known = name_of(&self.rows, &called);
                if known.is_none() {
                    self.rows[at].problems.push(format!("superseded by \"{called}\", which is not here"));
                }
                self.rows[at].superseded_by = Some(known.unwrap_or(called));
            }
            let named = supersedes.iter().map(|called| name_of(&self.rows, called).unwrap_or_else(|| called.clone()));
            let mut named: Vec<String> = named.collect();
            named.dedup();
            self.rows[at].supersedes = named;
        }
        let claims: Vec<(String, String)> =
            self.rows.iter().flat_map(|row| row.supersedes.iter().map(|old| (row.name.clone(), old.clone()))).collect();
        for (new, old) in claims {
            let row = self.rows.iter_mut().find(|row| row.name == old && row.superseded_by.is_none() && !row.generated);
            if let Some(row) = row {
                row.problems.push(format!(
                    "{new} says that it supersedes this, but this does not; complete it: s2s adr supersede {old} --by {new}"
                ));
            }
        }
    }

    /// What a record's file holds.
    ///
    /// # Errors
    /// If it cannot be read, or is no UTF-8 text.
    pub fn text(&self, file: &str) -> Result<String, Failure> {
        let shown = self.folder.shown(file);
        let gone = || Failure::failed(format!("{shown} is gone")).next("run the command again");
        let bytes = self.folder.read(file).map_err(|failure| failure.next("mend that, then run the command again"))?;
        String::from_utf8(bytes.ok_or_else(gone)?).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count();
            Failure::bad_input(format!("{shown}, line {line}: not UTF-8 text")).next("save it as UTF-8")
        })
    }

    /// The record that a person means: by id, number, file, session, or a part of its name or title that only one has.
    ///
    /// # Errors
    /// If there is none, or there are several.
    pub fn find(&self, typed: &str) -> Result<&Decision, Failure> {
        let wanted = typed.trim();
        if let Some(row) = meant(&self.rows, wanted) {
            return Ok(row);
        }
        let (small, number) = (wanted.to_lowercase(), words::number(wanted).filter(|_| is_number(wanted)));
        let of_number = |row: &&Decision| number.is_some_and(|number| has_number(row, number));
        let of_part = |row: &&Decision| {
            !small.is_empty()
                && (row.stem().to_lowercase().contains(&small) || row.title.to_lowercase().contains(&small))
        };
        let numbered: Vec<&Decision> = self.rows.iter().filter(of_number).collect();
        let found = if numbered.is_empty() { self.rows.iter().filter(of_part).collect() } else { numbered };
        match found.as_slice() {
            [one] => Ok(one),
            [] => {
                let near = nearest(wanted, self.rows.iter().map(|row| row.name.as_str()));
                let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                Err(Failure::bad_input(format!("there is no decision \"{wanted}\"{near}"))
                    .next("`s2s adr list` shows all of them"))
            }
            several => {
                let listed: Vec<String> = several.iter().take(MOST_NAMED).map(|row| line(row)).collect();
                let more = several.len().saturating_sub(MOST_NAMED);
                let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
                Err(Failure::bad_input(format!("\"{wanted}\" could be any of:\n{}{more}", listed.join("\n")))
                    .next("give more of the name"))
            }
        }
    }
}

fn line(row: &Decision) -> String {
    format!("  {}  {}", row.name, row.title)
}

/// The record that is called exactly so; a number only where one record alone has it.
fn meant<'r>(rows: &'r [Decision], called: &str) -> Option<&'r Decision> {
    let is = |text: &str| text.eq_ignore_ascii_case(called);
    let exact = |row: &&Decision| is(&row.name) || is(&row.file) || is(row.stem()) || is(&row.path);
    let of_session = |row: &&Decision| !row.generated && row.session.as_deref() == Some(called);
    let found = rows.iter().find(exact).or_else(|| rows.iter().find(of_session));
    found.or_else(|| {
        let number = words::number(called).filter(|_| is_number(called))?;
        // `0001` as it is written in a file's name means that file, whatever other kinds have the number.
        let written = format!("{}-", called.to_lowercase());
        let mut begins = rows.iter().filter(|row| row.stem().to_lowercase().starts_with(&written));
        if let (Some(row), None) = (begins.next(), begins.next()) {
            return Some(row);
        }
        let mut numbered = rows.iter().filter(|row| has_number(row, number));
        numbered.next().filter(|_| numbered.next().is_none())
    })
}

/// Whether a name is a number and no more, such as `7` or `ADR-0007`.
fn is_number(called: &str) -> bool {
    called.chars().next_back().is_some_and(|c| c.is_ascii_digit())
        && !called.trim_start_matches(char::is_alphabetic).trim_start_matches('-').contains('-')
}

fn has_number(row: &Decision, (generated, number): (Option<bool>, u32)) -> bool {
    let own = words::number(row.stem());
    let is_artifact = words::artifact_id(row.stem()).is_some();
    own.is_some_and(|(_, own)| own == number) && generated.is_none_or(|generated| generated == is_artifact)
}

/// What a status says took the record's place.
fn successor(status: &str) -> Option<String> {
    let words = status.trim();
    let rest = words.get(.."superseded by ".len()).filter(|start| start.eq_ignore_ascii_case("superseded by "))?;
    let rest = words[rest.len()..].trim().trim_end_matches('.');
    let called = words::target(rest).map(words::decoded).unwrap_or_else(|| rest.to_owned());
    (!called.is_empty()).then_some(called)
}

/// The Markdown files of the folder, in order; the index is none of the records.
fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let failed = |error: std::io::Error| {
        Failure::failed(format!("cannot read the folder {}: {error}", folder.display()))
            .next("check your right to read it, or set docs.decisions in .s2s/config.yaml")
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_index = ["readme.md", "index.md"].contains(&name.to_lowercase().as_str());
        if name.ends_with(".md") && !name.starts_with('.') && !is_index {
            names.push(name);
        }
    }
    // By name without its ending, so that `x` comes before `x-2`.
    names.sort_unstable_by(|a, b| a.trim_end_matches(".md").cmp(b.trim_end_matches(".md")));
    Ok(names)
}

#[cfg(test)]
mod tests;
