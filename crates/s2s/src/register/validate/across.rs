//! What sessions say of each other: ids are made once, references lead somewhere, parents are there and come to an
//! end. Given the register of all sessions; hands on findings, each at the session and round that says so.
//! Deliberately absent: what a session can be asked by itself (`own`).

use std::collections::{BTreeMap, BTreeSet};

use s2s_engine::artifact::{Artifact, ArtifactId, ArtifactStatus, Change};
use s2s_store::Sessions;

use super::super::{Entry, ProjectRegister, SessionSeen, Version};
use super::finding::{Findings, READ_FIRST, not_here, some_of};

const AMEND: &str = "amend it in a new session; nothing that was committed is changed";
const RESTORE: &str = "restore the session files from a backup or version control";

/// Findings by the session that they are in.
struct Across<'a> {
    sessions: &'a Sessions,
    register: &'a ProjectRegister,
    asked: &'a dyn Fn(&str) -> bool,
    /// What each session knew when it started.
    known: BTreeMap<&'a str, BTreeSet<ArtifactId>>,
    /// What sessions name and is not here, where sessions cannot be read: these may hold it.
    missing: BTreeMap<String, BTreeSet<ArtifactId>>,
    found: BTreeMap<String, Findings>,
}

/// Checks what sessions say of each other.
pub(super) fn check(
    sessions: &Sessions,
    register: &ProjectRegister,
    asked: &dyn Fn(&str) -> bool,
    found: &mut Findings,
) {
    let known =
        |seen: &SessionSeen| seen.register.iter().flat_map(|register| &register.known).map(|known| known.id).collect();
    let known = register.sessions.iter().map(|seen| (seen.id.as_str(), known(seen))).collect();
    let mut across = Across { sessions, register, asked, known, missing: BTreeMap::new(), found: BTreeMap::new() };
    for (id, entry) in &register.entries {
        across.history(*id, entry);
        across.references(*id, entry);
        across.replacements(*id);
    }
    across.titles();
    for seen in register.sessions.iter().filter(|seen| asked(&seen.id)) {
        across.start(seen);
        across.parents(seen);
    }
    for (session, ids) in std::mem::take(&mut across.missing) {
        if let Some(found) = across.at(&session) {
            found.warning(None, None, not_here(&ids), READ_FIRST);
        }
    }
    for mut findings in across.found.into_values() {
        findings.find_lines();
        found.append(findings);
    }
}

impl<'a> Across<'a> {
    /// Where findings about a session go; none if it was not asked for.
    fn at(&mut self, session: &str) -> Option<&mut Findings> {
        if !(self.asked)(session) {
            return None;
        }
        let (sessions, id) = (self.sessions, session.to_owned());
        Some(self.found.entry(id).or_insert_with(|| Findings::of(sessions, session)))
    }

    fn error(&mut self, version: &Version, what: String, next: &str) {
        if let Some(found) = self.at(&version.session) {
            found.error(Some(version.round), Some(version.artifact.id), what, next);
        }
    }

    fn warning(&mut self, version: &Version, what: String, next: &str) {
        if let Some(found) = self.at(&version.session) {
            found.warning(Some(version.round), Some(version.artifact.id), what, next);
        }
    }

    /// Whether an id may be in a session that cannot be read. Then it is told with all others that this session names.
    fn may_be_unread(&mut self, session: &str, id: ArtifactId) -> bool {
        let gaps = !self.register.unread.is_empty();
        if gaps {
            self.missing.entry(session.to_owned()).or_default().insert(id);
        }
        gaps
    }

    /// An id is made once, by one session, before anything else happens to it.
    fn history(&mut self, id: ArtifactId, entry: &Entry) {
        let made: Vec<&Version> =
            entry.versions.iter().filter(|version| version.artifact.change == Change::Created).collect();
        let makers: BTreeSet<&str> = made.iter().map(|version| version.session.as_str()).collect();
        if makers.len() > 1 {
            for version in &made {
                let others: Vec<&str> = makers.iter().copied().filter(|other| *other != version.session).collect();
                let what = format!("{id} is made here and in {}", others.join(", "));
                self.error(version, what, RESTORE);
            }
        }
        match entry.versions.first() {
            Some(first) if made.is_empty() => {
                if self.may_be_unread(&first.session, id) {
                    return;
                }
                let what =
                    format!("{id} is {} here, but no session that can be read has made it", first.artifact.change);
                self.warning(first, what, RESTORE);
            }
            Some(first) if first.artifact.change != Change::Created && makers.len() == 1 => {
                let what = format!("{id} is {} here, before it was made in {}", first.artifact.change, made[0].session);
                self.error(first, what, RESTORE);
            }
            _ => {}
        }
        let missing = entry.artifact().missing();
        if entry.is_live() && !missing.is_empty() {
            self.warning(entry.current(), format!("{id} lacks {}", missing.join(", ")), AMEND);
        }
    }

    fn references(&mut self, id: ArtifactId, entry: &Entry) {
        let current = entry.current();
        for version in &entry.versions {
            for (field, other) in references(&version.artifact) {
                if other == id {
                    self.error(version, format!("{id} names itself under `{field}`"), AMEND);
                    continue;
                }
                let Some(named) = self.register.get(other) else {
                    self.dangling(version, field, other);
                    continue;
                };
                let gone = matches!(named.status(), ArtifactStatus::Superseded | ArtifactStatus::Withdrawn);
                if std::ptr::eq(version, current) && gone && entry.is_live() && field != "superseded_by" {
                    let what = format!("{id} names {other} under `{field}`, which is {}", named.status());
                    self.warning(
                        version,
                        what,
                        &format!("see what became of it: s2s trace {other}; then amend {id} in a new session"),
                    );
                }
            }
        }
    }

    fn dangling(&mut self, version: &Version, field: &str, other: ArtifactId) {
        if self.may_be_unread(&version.session, other) {
            return;
        }
        let id = version.artifact.id;
        let was_known = self.known.get(version.session.as_str()).is_some_and(|known| known.contains(&other));
        match was_known {
            true => {
                let what = format!("{id} names {other} under `{field}`, which no session holds any more");
                self.warning(version, what, RESTORE);
            }
            false => self.error(version, format!("{id} names {other} under `{field}`, which is not there"), AMEND),
        }
    }

    /// What stands in place of an artifact never leads back to it.
    fn replacements(&mut self, id: ArtifactId) {
        let register = self.register;
        let after = |id: ArtifactId| register.get(id).and_then(|entry| entry.artifact().superseded_by);
        let mut met = BTreeSet::from([id]);
        let mut at = id;
        while let Some(next) = after(at) {
            if next == id && at != id {
                let Some(entry) = register.get(id) else { return };
                let what = format!("{id} stands in its own place, by way of {at}");
                return self.error(entry.current(), what, RESTORE);
            }
            if !met.insert(next) {
                return;
            }
            at = next;
        }
    }

    /// Two live artifacts of a kind with one title are likely one.
    fn titles(&mut self) {
        let mut first: BTreeMap<(s2s_engine::artifact::ArtifactKind, String), ArtifactId> = BTreeMap::new();
        let register = self.register;
        for entry in register.live() {
            let words: Vec<&str> = entry.artifact().title.split_whitespace().collect();
            let key = (entry.id().kind, words.join(" ").to_lowercase());
            if let Some(other) = first.get(&key) {
                let what = format!("{} has the same title as {other}: {}", entry.id(), entry.artifact().title);
                self.warning(entry.current(), what, "withdraw one of them in a new session, or give it another title");
            } else {
                first.insert(key, entry.id());
            }
        }
    }

    /// What a session was opened with is still in the project.
    fn start(&mut self, seen: &SessionSeen) {
        let Some(opened) = &seen.register else { return };
        let ids = opened.known.iter().map(|known| known.id).chain(opened.retired.iter().copied());
        let gone: BTreeSet<ArtifactId> = ids.filter(|id| self.register.get(*id).is_none()).collect();
        if gone.is_empty() {
            return;
        }
        if !self.register.unread.is_empty() {
            return self.missing.entry(seen.id.clone()).or_default().extend(gone);
        }
        let what = format!("was opened with artifacts that no session holds any more: {}", some_of(gone));
        if let Some(found) = self.at(&seen.id) {
            found.warning(None, None, what, RESTORE);
        }
    }

    /// The parents are there, and come to an end.
    fn parents(&mut self, seen: &SessionSeen) {
        let register = self.register;
        let mut met = BTreeSet::from([seen.id.as_str()]);
        let mut at = seen;
        while let Some(parent) = at.parent.as_deref() {
            if parent == seen.id {
                let what = match at.id == seen.id {
                    true => "goes on from itself".to_owned(),
                    false => format!("goes on from itself, by way of {}", at.id),
                };
                if let Some(found) = self.at(&seen.id) {
                    found.error(None, None, what, RESTORE);
                }
                return;
            }
            if !met.insert(parent) {
                return;
            }
            match register.session(parent) {
                Some(seen) => at = seen,
                None => {
                    let unread = register.unread.iter().any(|(id, _)| id == parent);
                    let why = if unread { "cannot be read" } else { "is not in the project" };
                    if at.id == seen.id
                        && let Some(found) = self.at(&seen.id)
                    {
                        found.warning(None, None, format!("goes on from {parent}, which {why}"), RESTORE);
                    }
                    return;
                }
            }
        }
    }
}

/// Every id that a version names, with the field.
fn references(artifact: &Artifact) -> impl Iterator<Item = (&'static str, ArtifactId)> {
    let serves = artifact.serves.iter().map(|id| ("serves", *id));
    let uses = artifact.uses.iter().map(|id| ("uses", *id));
    let ends = artifact.details.between.iter().filter_map(|end| end.parse().ok()).map(|id| ("between", id));
    serves.chain(uses).chain(ends).chain(artifact.superseded_by.map(|id| ("superseded_by", id)))
}
