//! The single looks of `s2s doctor`: settings, catalog, store, terminal, git, keys, secrets.
//! Given what a command has at hand; each hands on one [`Check`] and never stops at a failure. Nothing is changed: the
//! store writes one file and removes it. Deliberately absent: models (`roll_call.rs`), and values of keys.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use s2s::Failure;
use s2s::catalog::{Catalog, Kind, Source};
use s2s::config::{Layer, Resolved};
use s2s::engine::counted;
use s2s::engine::opening::{Limits, Workflow};
use s2s::lineup::{define, survey};
use s2s::project::{CONTEXT_FILE, Project};
use s2s::secrets::{KeySource, scan};
use s2s::store::Sessions;

use super::names;
use crate::console::Console;
use crate::screen::Check;
use crate::seating::models::{known, variables};
use crate::workplace::shown;

/// Columns below which screens are hard to read.
const NARROW: usize = 60;

/// The settings: every layer can be read, and says what it may.
pub fn settings(settings: Result<&Resolved, &Failure>) -> Check {
    let settings = match settings {
        Ok(settings) => settings,
        Err(failure) => return Check::failed("settings", failure.clone()),
    };
    let rows = settings.rows();
    let counts = [Layer::User, Layer::Project, Layer::Environment].map(|layer| {
        let set: Vec<&str> = rows.iter().filter(|row| row.layer == layer).map(|row| row.key.as_str()).collect();
        (layer, set.len())
    });
    let set: Vec<String> =
        counts.into_iter().filter(|(_, set)| *set > 0).map(|(layer, set)| format!("{set} by the {layer}")).collect();
    let says = match set.as_slice() {
        [] => "all built-in".to_owned(),
        set => format!("{} settings: {}, the others built-in", rows.len(), set.join(", ")),
    };
    match settings.notes.as_slice() {
        [] => Check::ok("settings", says),
        notes => Check::note("settings", format!("{says}\n{}", notes.join("\n"))),
    }
}

/// The catalog: as `s2s catalog check` sees it.
pub fn catalog(catalog: &Catalog, settings: Option<&Resolved>) -> Check {
    let limits = settings.map_or_else(Limits::default, |settings| settings.config.roundtable.limits);
    let report = catalog.check_with(&limits, 3);
    let mut problems = report.problems;
    problems.extend(settings.map(|settings| names::unknown(settings, catalog, Workflow::ALL)).unwrap_or_default());
    match problems.is_empty() {
        true => Check::ok("catalog", format!("{} read, no problems", counted(report.files, "file"))),
        false => Check::failed("catalog", Failure::in_files(problems).next("mend the files named above")),
    }
}

/// The store: the folder can be written to, locked and synced, and every session can be read.
pub fn store(cwd: &Path, project: Option<&Project>) -> Check {
    let Some(project) = project else {
        return Check::note("store", "this folder is not an s2s project; sessions are kept in one").next("s2s init");
    };
    let sessions = Sessions::new(&project.dir);
    if let Err(error) = sessions.try_out() {
        return Check::failed("store", error.into());
    }
    let rows = match sessions.list() {
        Ok(rows) => rows,
        Err(error) => return Check::failed("store", error.into()),
    };
    // A row says what the file's head says; only reading it whole shows that its digests hold.
    let bad: Vec<String> = rows.iter().filter_map(|row| Some(sessions.read(&row.id).err()?.to_string())).collect();
    let place = shown(cwd, &sessions.folder());
    match bad.as_slice() {
        [] => {
            let kept = match rows.len() {
                0 => "no session yet".to_owned(),
                1 => "1 session, readable".to_owned(),
                n => format!("{n} sessions, all readable"),
            };
            Check::ok("store", format!("{place} can be written, locked and synced; {kept}"))
        }
        bad => Check::failed(
            "store",
            Failure::failed(format!(
                "{} of {} cannot be read:\n{}",
                bad.len(),
                counted(rows.len(), "session"),
                bad.join("\n")
            ))
            .next("s2s session validate ID says more"),
        ),
    }
}

/// The terminal: how wide it is, and what it can show.
pub fn terminal(console: &Console) -> Check {
    if !console.terminal {
        return Check::ok("terminal", "output goes into a pipe or a file, not to a terminal: plain text of 80 columns");
    }
    let style = &console.style;
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| env::var(name).ok().filter(|v| !v.is_empty()));
    let locale = locale.unwrap_or_default().to_lowercase();
    let unicode = locale.contains("utf-8") || locale.contains("utf8");
    let colour = if style.color { "colour" } else { "no colour" };
    let signs = match (style.ascii, unicode) {
        (true, _) => "ASCII signs (TERM is dumb)",
        (false, true) => "Unicode signs",
        (false, false) => "Unicode signs, although the locale does not name UTF-8",
    };
    let says = format!("{} columns, {colour}, {signs}", style.width);
    match (style.width >= NARROW, style.ascii || unicode) {
        (false, _) => Check::note("terminal", says).next(format!("{NARROW} columns or more are easier to read")),
        (true, false) => Check::note("terminal", says).next("if signs look wrong, set LANG to a UTF-8 locale"),
        (true, true) => Check::ok("terminal", says),
    }
}

/// Git: whether this is a repository, and what it does with `.s2s`.
pub fn git(cwd: &Path, project: Option<&Project>) -> Check {
    let root = project.map_or(cwd, |project| project.root.as_path());
    let Some(inside) = git_says(root, &["rev-parse", "--is-inside-work-tree"]) else {
        return Check::note("git", "git cannot be run here; what it keeps of .s2s is not known");
    };
    if !inside.status.success() {
        return Check::note("git", "this folder is no git repository: minutes and documents have no history");
    }
    if project.is_none() {
        return Check::ok("git", "a repository");
    }
    let yes = |arguments: &[&str]| git_says(root, arguments).filter(|output| output.status.success());
    if yes(&["check-ignore", "-q", ".s2s/config.yaml"]).is_some() {
        return Check::note("git", "a repository; .s2s is ignored, so minutes and settings are not shared");
    }
    let tracked = yes(&["ls-files", "--", ".s2s"]).map_or(0, |output| output.stdout.split(|b| *b == b'\n').count() - 1);
    // Any session's tape will do: it need not be there.
    let tapes = yes(&["check-ignore", "-q", ".s2s/sessions/any/tape.jsonl"]).is_some();
    let says = match tracked {
        0 => "a repository; nothing in .s2s is tracked yet".to_owned(),
        1 => "a repository; 1 file of .s2s is tracked".to_owned(),
        n => format!("a repository; {n} files of .s2s are tracked"),
    };
    match tapes {
        true => Check::ok("git", format!("{says}; tapes are ignored")),
        false => Check::note("git", format!("{says}; tapes (every prompt and reply) are not ignored"))
            .next("s2s init writes .s2s/.gitignore where it is missing"),
    }
}

/// What git says; none where it cannot be run. It runs nothing that the repository's settings name.
fn git_says(root: &Path, arguments: &[&str]) -> Option<Output> {
    let mut command = Command::new("git");
    command.args(["-c", "core.fsmonitor=false"]).args(arguments).current_dir(root).stdin(Stdio::null());
    command.output().ok()
}

/// Secrets: whether what a roundtable would send holds one, and where.
pub fn secrets(cwd: &Path, catalog: &Catalog, project: Option<&Project>) -> Check {
    let Some(project) = project else { return Check::ok("secrets", "no project, so nothing that would be sent") };
    let context = project.dir.join(CONTEXT_FILE);
    let mut texts: Vec<(String, String)> = Vec::new();
    texts.extend(std::fs::read_to_string(&context).ok().map(|text| (shown(cwd, &context), text)));
    let sent = catalog.list().into_iter().filter(|item| matches!(item.kind, Kind::Role | Kind::Prompt));
    texts.extend(sent.filter_map(|item| match &item.source {
        Source::File(path) => Some((shown(cwd, path), catalog.show(item.kind, &item.name).ok()?.text)),
        _ => None,
    }));
    let found: Vec<String> =
        texts.iter().flat_map(|(name, text)| scan(name, text)).map(|finding| finding.to_string()).collect();
    match found.as_slice() {
        [] => Check::ok("secrets", format!("none in {}, nor in the project's roles and prompts", CONTEXT_FILE)),
        found => Check::failed(
            "secrets",
            Failure::failed(found.join("\n"))
                .next("take it out of there; if it is no secret, start with --allow-secrets"),
        ),
    }
}

/// Keys: where some are found. Names only; none is read.
pub fn keys(catalog: &Catalog, settings: Option<&Resolved>) -> Check {
    let variables = variables();
    let known = match known(catalog) {
        Ok(known) => known,
        Err(failure) => return Check::failed("keys", failure),
    };
    let is_set = |name: &&str| variables.get(*name).is_some_and(|value| !value.trim().is_empty());
    let of_providers = known.providers.iter().flat_map(|provider| &provider.key).map(String::as_str);
    let mut found: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    found.extend(of_providers.filter(is_set).filter(|name| seen.insert(*name)).map(str::to_owned));
    if let Some(settings) = settings {
        for row in survey(settings, &known, &variables) {
            let source = define(&row.name, settings, &known, &variables).ok().and_then(|provider| provider.key);
            match source {
                Some(KeySource::Env(name)) if found.contains(&name) || !is_set(&name.as_str()) => {}
                Some(source) => found.push(format!("{source} (for {})", row.name)),
                None => {}
            }
        }
    }
    match found.as_slice() {
        [] => Check::ok("keys", "none is set"),
        found => Check::ok("keys", found.join(", ")),
    }
}
