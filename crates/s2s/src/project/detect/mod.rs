//! What a folder shows about the project in it: languages, frameworks, package managers, git, folders of documents,
//! members of a workspace, and what it says about itself.
//! Given the root; hands on a [`Detected`]. The look is bounded, follows no links, and never fails: what cannot be
//! read is a finding. Deliberately absent: any guess at what the project is for, and any writing.

mod languages;
mod look;
mod manifest;
mod members;
mod signs;

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::File;
use std::path::Path;

use serde::Serialize;

pub use languages::Language;
use look::{Seen, joined, parted};
use manifest::{Ecosystem, Manifest};

use super::{readme, text_file};
use crate::clean::clean_line;

/// Manifests and READMEs are read up to here.
const MAX_BYTES: u64 = 256 * 1024;
/// How many manifests are read.
const MAX_MANIFESTS: usize = 1_000;

/// How the lines begin that stand in every document that s2s writes.
const OUR_MARKS: [&str; 3] = ["<!-- s2s session: ", "<!-- s2s:part ", "# s2s:part "];

/// What a folder shows about its project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Detected {
    /// From a manifest, else the folder's name.
    pub name: String,
    /// The README's first paragraph, else the description of a manifest.
    pub description: Option<Sign>,
    /// Most files first.
    pub languages: Vec<Language>,
    /// Frameworks, each with the manifest that names it.
    pub frameworks: Vec<Sign>,
    /// Package managers, each with the file that shows it.
    pub package_managers: Vec<Sign>,
    /// Versions of languages that manifests ask for.
    pub needs: Vec<Sign>,
    /// The way to the folder of the git repository around it: `.`, `..` and so on.
    pub git: Option<String>,
    /// Folders of documents.
    pub docs: Vec<String>,
    /// The members of its workspaces, by path.
    pub members: Vec<Member>,
    /// What is odd about its files.
    pub findings: Vec<Finding>,
    /// Whether a bound was reached, so that there may be more.
    pub partial: bool,
}

/// Something that shows, and the file that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sign {
    /// What shows.
    pub name: String,
    /// Where, relative to the root.
    pub from: String,
}

/// A member of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Member {
    /// Its folder, relative to the root.
    pub path: String,
    /// What its manifest calls it, else the folder's name.
    pub name: String,
    /// The workspaces that name it: cargo, npm, yarn, pnpm, uv, go, nx.
    pub kinds: Vec<&'static str>,
}

/// Something odd about a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{path} {what}")]
pub struct Finding {
    /// The file, relative to the root.
    pub path: String,
    /// What is odd.
    pub what: String,
}

/// Looks at a folder.
pub fn detect(root: &Path) -> Detected {
    let seen = look::look(root);
    let files: HashSet<&str> = seen.files.iter().map(String::as_str).collect();
    let mut search = Search {
        root,
        seen: &seen,
        files,
        read: HashMap::new(),
        found: Detected::default(),
        at: HashMap::new(),
        count: 0,
    };
    let folders = search.walk();
    search.judge(&folders);
    let mut found = search.found;
    found.languages = languages::languages(&seen);
    let docs = seen.folders.iter().filter(|folder| signs::is_docs(folder) && !is_ours(root, folder, &seen.files));
    found.docs = docs.cloned().collect();
    found.git = git(root);
    found.partial |= seen.partial;
    if seen.nameless_folders > 0 {
        let what = format!(
            "holds {} with a name that is not UTF-8; no member is sought there",
            folders_of(seen.nameless_folders)
        );
        found.findings.push(Finding { path: ".".into(), what });
    }
    found
}

/// Whether a folder of documents holds what s2s wrote and nothing else: that is no news about the project.
fn is_ours(root: &Path, folder: &str, files: &[String]) -> bool {
    let inside = |path: &&String| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let marked = |text: &str| OUR_MARKS.iter().any(|mark| text.lines().any(|line| line.starts_with(mark)));
    let mut held = files.iter().filter(inside).peekable();
    held.peek().is_some()
        && held.all(|path| path.ends_with(".md") && text_of(root, path).is_ok_and(|text| marked(&text)))
}

fn folders_of(count: usize) -> String {
    if count == 1 { "a folder".to_owned() } else { format!("{count} folders") }
}

/// A search under way.
struct Search<'s> {
    root: &'s Path,
    seen: &'s Seen,
    files: HashSet<&'s str>,
    /// What each folder's manifests say, in the order of [`manifest::names`].
    read: HashMap<String, Vec<(&'static str, Manifest)>>,
    found: Detected,
    /// Where each member stands in the list.
    at: HashMap<String, usize>,
    count: usize,
}

impl Search<'_> {
    /// Reads the manifests of the root, of the folders in it, and of all members; gives those folders.
    fn walk(&mut self) -> Vec<String> {
        let near = self.seen.folders.iter().filter(|folder| !folder.contains('/')).cloned();
        let mut waiting: VecDeque<String> = std::iter::once(String::new()).chain(near).collect();
        let mut known: HashSet<String> = waiting.iter().cloned().collect();
        let mut walked = Vec::new();
        while let Some(folder) = waiting.pop_front() {
            self.read_manifests(&folder);
            for (member, kind) in self.members_of(&folder) {
                if known.insert(member.clone()) {
                    waiting.push_back(member.clone());
                }
                self.note_member(member, kind);
            }
            walked.push(folder);
        }
        self.found.members.sort_by(|one, other| one.path.cmp(&other.path));
        walked
    }

    fn note_member(&mut self, path: String, kind: &'static str) {
        let at = *self.at.entry(path.clone()).or_insert(self.found.members.len());
        match self.found.members.get_mut(at) {
            Some(member) if member.kinds.contains(&kind) => {}
            Some(member) => member.kinds.push(kind),
            None => self.found.members.push(Member { path, name: String::new(), kinds: vec![kind] }),
        }
    }

    fn read_manifests(&mut self, folder: &str) {
        let mut read = Vec::new();
        for name in manifest::names() {
            let path = joined(folder, name);
            if !self.files.contains(path.as_str()) {
                continue;
            }
            self.count += 1;
            if self.count > MAX_MANIFESTS {
                self.found.partial = true;
                break;
            }
            match text_of(self.root, &path).and_then(|text| manifest::read(name, &text)) {
                Ok(manifest) => read.push((name, manifest)),
                Err(what) => self.found.findings.push(Finding { path, what: clean_line(&what).into_owned() }),
            }
        }
        self.read.insert(folder.to_owned(), read);
    }

    /// The members that a folder's manifests name, each with the kind of workspace.
    fn members_of(&mut self, folder: &str) -> Vec<(String, &'static str)> {
        let mut all = Vec::new();
        for (name, manifest) in self.read.get(folder).into_iter().flatten() {
            let (marks, kind): (&[&str], _) = match manifest::ecosystem(name) {
                Some(Ecosystem::Cargo) => (&["Cargo.toml"], "cargo"),
                Some(Ecosystem::Node) => (&["package.json"], self.node_kind(folder, manifest)),
                Some(Ecosystem::Pnpm) => (&["package.json"], "pnpm"),
                Some(Ecosystem::Python) => (&["pyproject.toml"], "uv"),
                Some(Ecosystem::GoWork) => (&["go.mod"], "go"),
                _ => continue,
            };
            let holds = |folder: &str| marks.iter().any(|mark| self.files.contains(joined(folder, mark).as_str()));
            let (wanted, out) = (&manifest.members, &manifest.excluded);
            let meant = members::meant(folder, wanted, out, &self.seen.folders, holds, self.seen.partial);
            let path = joined(folder, name);
            self.found.findings.extend(meant.findings.into_iter().map(|what| Finding { path: path.clone(), what }));
            all.extend(meant.folders.into_iter().map(|member| (member, kind)));
        }
        if self.files.contains(joined(folder, "nx.json").as_str()) {
            // Nx finds its projects by this file, wherever they lie.
            let inside = self.seen.files.iter().filter_map(|file| file.strip_suffix("/project.json"));
            let inside = inside.filter(|project| folder.is_empty() || project.starts_with(&format!("{folder}/")));
            all.extend(inside.map(|project| (project.to_owned(), "nx")));
        }
        all
    }

    fn node_kind(&self, folder: &str, manifest: &Manifest) -> &'static str {
        let named = manifest.manager.as_deref().and_then(signs::manager_named);
        let has = |file: &str| self.files.contains(joined(folder, file).as_str());
        named
            .or_else(|| {
                signs::managers(has)
                    .into_iter()
                    .map(|(name, _)| name)
                    .find(|name| ["pnpm", "yarn", "npm", "bun"].contains(name))
            })
            .unwrap_or("npm")
    }

    /// What the manifests that were read are signs of.
    fn judge(&mut self, folders: &[String]) {
        let mut found = std::mem::take(&mut self.found);
        for folder in folders {
            for (manager, file) in signs::managers(|file| self.files.contains(joined(folder, file).as_str())) {
                add(&mut found.package_managers, manager, &joined(folder, file));
            }
            for (name, manifest) in self.read.get(folder).into_iter().flatten() {
                let from = joined(folder, name);
                if let Some(manager) = manifest.manager.as_deref().and_then(signs::manager_named) {
                    add(&mut found.package_managers, manager, &from);
                }
                let Some(ecosystem) = manifest::ecosystem(name) else { continue };
                for dependency in &manifest.dependencies {
                    if let Some(framework) = signs::framework(ecosystem, dependency) {
                        add(&mut found.frameworks, framework, &from);
                    }
                }
                for need in &manifest.needs {
                    add(&mut found.needs, need, &from);
                }
            }
        }
        self.default_managers(&mut found, folders);
        for member in &mut found.members {
            let named = self
                .read
                .get(&member.path)
                .and_then(|read| read.iter().find_map(|(_, manifest)| manifest.name.clone()));
            member.name = short(&named.unwrap_or_else(|| parted(&member.path).1.to_owned()));
        }
        let own: &[(&str, Manifest)] = self.read.get("").map_or(&[], Vec::as_slice);
        let said = own.iter().find_map(|(name, manifest)| Some((manifest.description.clone()?, *name)));
        let said = said.map(|(name, from)| Sign { name: readme::shortened(&name), from: from.to_owned() });
        found.description = self.readme().or(said);
        let named = own.iter().find_map(|(_, manifest)| manifest.name.clone());
        let folder = || self.root.file_name().map(|name| name.to_string_lossy().into_owned());
        found.name = short(&named.or_else(folder).unwrap_or_default());
        if found.name.is_empty() {
            found.name = "This project".to_owned();
        }
        self.found = found;
    }

    /// A manifest without any sign of its manager is for the one that comes with the language.
    fn default_managers(&self, found: &mut Detected, folders: &[String]) {
        let rules: [(&[&str], &str, &[&str]); 2] = [
            (&["package.json"], "npm", &["npm", "yarn", "pnpm", "bun", "deno"]),
            (&["pyproject.toml", "requirements.txt"], "pip", &["uv", "poetry", "pdm", "pipenv"]),
        ];
        for (manifests, manager, others) in rules {
            let shown = found.package_managers.iter().any(|sign| others.contains(&sign.name.as_str()));
            let paths = folders.iter().flat_map(|folder| manifests.iter().map(|name| joined(folder, name)));
            let mut there = paths.filter(|path| self.files.contains(path.as_str()));
            if let (false, Some(path)) = (shown, there.next()) {
                add(&mut found.package_managers, manager, &path);
            }
        }
    }

    fn readme(&self) -> Option<Sign> {
        let is_readme = |path: &&String| {
            let stem = path.split('.').next().unwrap_or_default();
            !path.contains('/') && stem.eq_ignore_ascii_case("readme")
        };
        let mut readmes = self.seen.files.iter().filter(is_readme);
        readmes.find_map(|path| {
            let name = readme::first_paragraph(&text_of(self.root, path).ok()?)?;
            Some(Sign { name, from: path.clone() })
        })
    }
}

/// What the manifests in a folder call it, such as `@shop/web`; what cannot be read calls it nothing.
pub(super) fn called(folder: &Path) -> Vec<String> {
    let is_there = |file: &&str| folder.join(file).is_file();
    let named = |file: &str| manifest::read(file, &text_of(folder, file).ok()?).ok()?.name;
    let mut names: Vec<String> =
        manifest::names().filter(is_there).filter_map(named).map(|name| short(&name)).collect();
    names.sort();
    names.dedup();
    names
}

/// Each thing once, with the first file that shows it.
fn add(signs: &mut Vec<Sign>, name: &str, from: &str) {
    if !signs.iter().any(|sign| sign.name == name) {
        signs.push(Sign { name: name.to_owned(), from: from.to_owned() });
    }
}

fn short(name: &str) -> String {
    clean_line(name).chars().take(80).collect()
}

fn text_of(root: &Path, path: &str) -> Result<String, String> {
    let file = File::open(root.join(path)).map_err(|error| format!("cannot be read: {error}"))?;
    text_file::read(file, MAX_BYTES).map_err(|why| format!("is not used: {why}"))
}

/// The way up to the git repository, as a person would type it.
fn git(root: &Path) -> Option<String> {
    let up = root.ancestors().position(|folder| folder.join(".git").exists())?;
    Some(if up == 0 { ".".to_owned() } else { vec![".."; up].join("/") })
}

#[cfg(test)]
mod tests;
