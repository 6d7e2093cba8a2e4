//! Members of a workspace: which folders its patterns mean.
//! Given patterns and the folders that were seen; hands on those that fit, and a finding for a pattern that means
//! nothing here or leads out. Only folders that were seen can be members, so no pattern and no link leaves the
//! project. Matching is linear in text and pattern. Deliberately absent: reading manifests.

use std::collections::{HashMap, HashSet};

/// More wildcards than this are a slip, or meant badly; plain paths cost nothing and are not counted.
const MAX_WILDCARDS: usize = 50;
/// A longer pattern is none.
const MAX_LENGTH: usize = 200;

/// What the patterns of one manifest mean.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Meant {
    /// Folders, in their order.
    pub folders: Vec<String>,
    /// What is odd about the patterns, in parts of sentences.
    pub findings: Vec<String>,
}

/// The folders below `base` that the patterns mean and that `holds` a manifest.
pub(super) fn meant(
    base: &str,
    patterns: &[String],
    excluded: &[String],
    folders: &[String],
    holds: impl Fn(&str) -> bool,
    partial: bool,
) -> Meant {
    let mut found = Meant::default();
    if patterns.is_empty() {
        return found;
    }
    let below: Vec<(&String, &str)> =
        folders.iter().filter_map(|folder| Some((folder, inside(base, folder)?))).collect();
    let exact: HashMap<&str, &String> = below.iter().map(|(folder, inner)| (*inner, *folder)).collect();
    let excluded: Vec<String> = excluded.iter().take(MAX_WILDCARDS).filter_map(|out| plain(out).ok()).collect();
    let is_out = |inner: &str| excluded.iter().any(|out| fits(out, inner) || inside(out, inner).is_some());
    let (mut taken, mut wildcards) = (HashSet::new(), 0);
    for pattern in patterns {
        let pattern = match plain(pattern) {
            // The folder itself: it is no member of its own.
            Ok(pattern) if pattern.is_empty() => continue,
            Ok(pattern) => pattern,
            Err(why) => {
                found.findings.push(why);
                continue;
            }
        };
        if !pattern.contains(['*', '?']) {
            match exact.get(pattern.as_str()).filter(|folder| holds(folder)) {
                Some(folder) if taken.insert(*folder) => found.folders.push((*folder).clone()),
                None if !partial => found.findings.push(format!("names the member `{pattern}`, which is not there")),
                _ => {}
            }
            continue;
        }
        wildcards += 1;
        if wildcards > MAX_WILDCARDS {
            found.findings.push(format!("has more than {MAX_WILDCARDS} patterns; only so many are looked at"));
            break;
        }
        for (folder, inner) in &below {
            if fits(&pattern, inner) && holds(folder) && !is_out(inner) && taken.insert(*folder) {
                found.folders.push((*folder).clone());
            }
        }
    }
    found
}

/// The rest of a path below a folder.
fn inside<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    match folder {
        "" => Some(path),
        folder => path.strip_prefix(folder)?.strip_prefix('/'),
    }
}

/// A pattern without `./`, doubled and closing slashes; refused where it leads out or is not understood.
fn plain(pattern: &str) -> Result<String, String> {
    let shown = crate::clean::clean_line(pattern).chars().take(80).collect::<String>();
    if pattern.len() > MAX_LENGTH {
        return Err(format!("has a pattern of {} bytes; at most {MAX_LENGTH} are looked at", pattern.len()));
    }
    if pattern.starts_with('/') || pattern.contains('\\') || pattern.contains(':') {
        return Err(format!("names the member `{shown}`, which is no path inside the project"));
    }
    if pattern.contains(['{', '[', '(']) {
        return Err(format!("has the pattern `{shown}`; only `*`, `?` and `**` are understood here"));
    }
    let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    match parts.contains(&"..") {
        true => Err(format!("names the member `{shown}`, which leads out of the project")),
        false => Ok(parts.join("/")),
    }
}

/// Whether a path fits a pattern: `*` and `?` within a part, `**` for any parts.
pub(super) fn fits(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    matches_with(&pattern, &path, |part| *part == "**", |part, name| part_fits(part, name))
}

fn part_fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    matches_with(&pattern, &name, |c| *c == '*', |one, other| *one == '?' || one == other)
}

/// The one way back of wildcard matching: only to the last wildcard, so nothing grows beyond length times length.
fn matches_with<T>(pattern: &[T], text: &[T], any: impl Fn(&T) -> bool, same: impl Fn(&T, &T) -> bool) -> bool {
    let (mut at, mut from) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while from < text.len() {
        match pattern.get(at) {
            Some(part) if any(part) => {
                back = Some((at, from));
                at += 1;
            }
            Some(part) if same(part, &text[from]) => {
                at += 1;
                from += 1;
            }
            _ => {
                let Some((wildcard, taken)) = back else { return false };
                back = Some((wildcard, taken + 1));
                at = wildcard + 1;
                from = taken + 1;
            }
        }
    }
    pattern[at..].iter().all(any)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(patterns: &[&str], excluded: &[&str], wanted: &[&str], finding: &str) {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let folders = owned(&["crates", "crates/a", "crates/b", "crates/b/sub", "crates/empty", "web"]);
        let holds = |folder: &str| !folder.ends_with("empty") && folder != "crates";
        let found = meant("", &owned(patterns), &owned(excluded), &folders, holds, false);
        assert_eq!(found.folders, owned(wanted), "{patterns:?}");
        let said = found.findings.join("; ");
        assert!(
            if finding.is_empty() { said.is_empty() } else { said.contains(finding) },
            "{said:?} lacks {finding:?}"
        );
    }

    #[test]
    fn patterns_mean_folders_with_a_manifest() {
        check(&["crates/*"], &[], &["crates/a", "crates/b"], "");
        check(&["crates/**"], &[], &["crates/a", "crates/b", "crates/b/sub"], "");
        check(&["**"], &["crates/b"], &["crates/a", "web"], "");
        check(&["./web/", "crates/?", "web"], &["crates/a"], &["web", "crates/b"], "");
        check(&["."], &[], &[], "");
    }

    #[test]
    fn what_leads_out_or_is_not_there_is_a_finding() {
        check(&["../other", "web"], &[], &["web"], "`../other`, which leads out of the project");
        check(&["crates/../../x"], &[], &[], "leads out");
        check(&["/etc"], &[], &[], "no path inside the project");
        check(&["{a,b}/*"], &[], &[], "only `*`, `?` and `**` are understood");
        check(&["gone"], &[], &[], "the member `gone`, which is not there");
        check(&["gone/*"], &[], &[], "");
        check(&[&"x".repeat(201)], &[], &[], "a pattern of 201 bytes");
        check(&["a*"; 51], &[], &[], "more than 50 patterns");
        check(&["web"; 500], &[], &["web"], "");
    }

    #[test]
    fn matching_takes_no_more_than_length_times_length() {
        let pattern = vec!["**/*a"; 1_000].join("/");
        let path = vec!["b"; 5_000].join("/");
        assert!(!fits(&pattern, &path));
        assert!(!fits(&"*a".repeat(5_000), &"b".repeat(5_000)));
        assert!(fits("a*/**/c?", "abc/x/y/cd") && fits("**", "a") && !fits("a/*", "a"));
    }
}
