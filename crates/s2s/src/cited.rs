//! Which sessions are still named: by documents, by the project's own files, and by the minutes of other sessions.
//! Given ids; hands on who names each, so that nothing is put away that a document gives as its source. What a
//! person wrote counts like what was generated. Errs on the safe side: a file that cannot be searched counts as one
//! that may name any. Deliberately absent: what to do about it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use aho_corasick::{AhoCorasick, MatchKind};
use s2s_store::{Sessions, StoreError};

use crate::config::Docs;

/// Files with these endings are searched.
const ENDINGS: [&str; 4] = ["md", "yaml", "yml", "json"];
/// A larger file is not searched.
const MAX_BYTES: u64 = 64 << 20;
/// How deep folders are followed.
const MOST_DEPTH: usize = 12;
/// Inside `.s2s`: sessions are looked at one by one, and what was put away names nothing any more.
const NOT_LOOKED_INTO: [&str; 2] = ["sessions", "trash"];

/// Who names which session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cited {
    /// The files that name each session, below the project; a session that nothing names is not here.
    pub by: BTreeMap<String, Vec<String>>,
    /// Files that could not be searched.
    pub unread: Vec<String>,
}

/// Who names these sessions. `leaving` are those that would be put away: what they say of each other does not
/// count, unless one of them is named itself and so stays.
///
/// # Errors
/// If the folder of the sessions cannot be read.
pub fn cited(root: &Path, docs: &Docs, sessions: &Sessions, leaving: &[String]) -> Result<Cited, StoreError> {
    let mut cited = Cited::default();
    let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(leaving);
    let (Ok(ids), false) = (built, leaving.is_empty()) else { return Ok(cited) };
    let mut files = Vec::new();
    for folder in [&docs.decisions, &docs.specifications, &docs.architecture] {
        gather(&root.join(folder), 0, &[], &mut files);
    }
    gather(sessions.root(), 0, &NOT_LOOKED_INTO, &mut files);
    files.sort();
    files.dedup();
    for file in files {
        let name = shown(root, &file);
        match named_in(&file, &ids, leaving) {
            Some(found) => found.into_iter().for_each(|id| cited.by.entry(id).or_default().push(name.clone())),
            None => cited.unread.push(name),
        }
    }
    let mut open: Vec<(String, BTreeSet<String>)> = Vec::new();
    for row in sessions.list()? {
        let path = sessions.minutes_path(&row.id);
        match named_in(&path, &ids, leaving) {
            Some(mut found) => {
                found.remove(&row.id);
                open.push((row.id, found));
            }
            None => cited.unread.push(shown(root, &path)),
        }
    }
    // A session that stays keeps those it names, which keep those that they name.
    loop {
        let stays = |id: &String| !leaving.contains(id) || cited.by.contains_key(id);
        let (staying, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(|(id, _)| stays(id));
        if staying.is_empty() {
            return Ok(cited);
        }
        for (id, found) in staying {
            found.into_iter().for_each(|named| cited.by.entry(named).or_default().push(format!("session {id}")));
        }
        open = rest;
    }
}

/// The files to search below a folder. Links are not followed: what they lead to is somebody else's.
fn gather(folder: &Path, depth: usize, except: &[&str], files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth < MOST_DEPTH && !except.iter().any(|skipped| name == *skipped) {
            gather(&path, depth + 1, &[], files);
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if kind.is_file() && ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)) {
            files.push(path);
        }
    }
}

/// The ids that a file names; none if it cannot be searched.
fn named_in(path: &Path, ids: &AhoCorasick, names: &[String]) -> Option<BTreeSet<String>> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MAX_BYTES {
        return None;
    }
    let whole = |found: &aho_corasick::Match| is_whole(&bytes[..found.start()], &bytes[found.end()..]);
    let found = ids.find_iter(&bytes).filter(whole).map(|found| names[found.pattern().as_usize()].clone());
    Some(found.collect())
}

/// Whether what stands around an id lets it be that id, and not a part of a longer one such as `ID-2`.
fn is_whole(before: &[u8], after: &[u8]) -> bool {
    let letter = |byte: &u8| byte.is_ascii_alphanumeric();
    let numbered = after.first() == Some(&b'-') && after.get(1).is_some_and(u8::is_ascii_digit);
    !before.last().is_some_and(letter) && !after.first().is_some_and(letter) && !numbered
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "20260101-000000-a";

    fn found(text: &str) -> Vec<String> {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("x.md");
        fs::write(&path, text).unwrap();
        let names = [A.to_owned(), format!("{A}-2")];
        let ids = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&names).unwrap();
        named_in(&path, &ids, &names).unwrap().into_iter().collect()
    }

    #[test]
    fn an_id_is_found_whole_and_not_as_a_part_of_another() {
        assert_eq!(found(&format!("<!-- s2s session: {A} -->")), [A]);
        assert_eq!(found(&format!("see .s2s/sessions/{A}.yaml and {A}-summary.md")), [A]);
        assert_eq!(found(&format!("({A}-2)")), [format!("{A}-2")]);
        assert_eq!(found(&format!("{A}-3 {A}b 9{A}")), [""; 0]);
    }

    #[test]
    fn what_a_staying_session_names_stays_with_it() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join(".s2s");
        let sessions = Sessions::new(&dir);
        fs::create_dir_all(sessions.folder()).unwrap();
        let write = |id: &str, text: &str| fs::write(sessions.minutes_path(id), text).unwrap();
        let ids = ["first", "second", "third", "alone", "pair"].map(|name| format!("20260101-000000-{name}"));
        write(&ids[0], &format!("id: {}\n", ids[0]));
        write(&ids[1], &format!("from: {}\n", ids[0]));
        write(&ids[2], &format!("from: {}\n", ids[1]));
        write(&ids[3], &format!("from: {}\n", ids[4]));
        write(&ids[4], &format!("from: {}\n", ids[3]));
        let docs = crate::config::Config::default().docs;
        let decisions = home.path().join(&docs.decisions).join("deep");
        fs::create_dir_all(&decisions).unwrap();
        let nothing = cited(home.path(), &docs, &sessions, &ids).unwrap();
        assert_eq!(nothing, Cited::default(), "they only name each other");
        fs::write(decisions.join("adr.md"), format!("# x\n<!-- s2s session: {} -->\n", ids[2])).unwrap();
        let found = cited(home.path(), &docs, &sessions, &ids).unwrap();
        let named: Vec<&str> = found.by.keys().map(String::as_str).collect();
        assert_eq!(named, ["20260101-000000-first", "20260101-000000-second", "20260101-000000-third"]);
        assert_eq!(found.by[&ids[2]], ["docs/decisions/deep/adr.md"]);
        assert_eq!(found.by[&ids[1]], ["session 20260101-000000-third"]);
        fs::write(dir.join("state.yaml"), format!("current_session: {}\n", ids[3])).unwrap();
        let found = cited(home.path(), &docs, &sessions, &ids).unwrap();
        assert_eq!(found.by[&ids[3]], [".s2s/state.yaml", "session 20260101-000000-pair"]);
        assert_eq!(found.by[&ids[4]], ["session 20260101-000000-alone"]);
        assert_eq!(found.unread, [""; 0]);
    }
}
