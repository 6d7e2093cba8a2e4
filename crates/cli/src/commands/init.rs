//! `s2s init`: makes the current folder a project or a workspace, or completes it.
//! Given the folder; says what was made, what was kept, what could not be made and what changed since. Deliberately
//! absent: the making, which is the library's, and the questions about the project (`describe.rs`).

use std::fs;
use std::path::{Path, PathBuf};

use s2s::Failure;
use s2s::clean::clean_line;
use s2s::project::{self, Answers, CONFIG_FILE, CONTEXT_FILE, ContextText, Detected, FOLDER, InitReport, Making, Part};
use serde_json::json;

use super::{describe, detect};
use crate::args::Init;
use crate::asking;
use crate::console::Console;
use crate::screen::folded;
use crate::way::WHOLE;
use crate::workplace::{check_settings, here, shown};

/// Makes or completes a project here.
pub fn init(typed: &Init, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    if typed.detect {
        return detect::report(&cwd, console);
    }
    let config = cwd.join(FOLDER).join(CONFIG_FILE);
    if config.is_file() {
        check_settings(&cwd, &config)?;
    }
    let claimed = project::claimed(&cwd);
    if claimed.is_none() && !may_be_inside(&cwd, typed, console)? {
        return Ok(0);
    }
    let found = project::detect(&cwd);
    let mut notes: Vec<String> = found.findings.iter().map(|finding| clean_line(&finding.to_string()).into()).collect();
    let components = match typed.workspace {
        true => describe::components(typed, &cwd, &found, console, &mut notes)?,
        false => Vec::new(),
    };
    let answers = answers(&cwd, typed, &found, console, &mut notes)?;
    let making = Making { root: &cwd, found: &found, answers: &answers, components: &components };
    let mut report = match typed.workspace {
        true => project::make_workspace(making),
        false => project::init_with(&cwd, &found, &answers),
    };
    if let Some((_, up)) = claimed.filter(|_| report.problems.is_empty()) {
        report.link(&cwd, Some(&up), &[]);
    }
    let renewal = renewal(&cwd, &found, typed, console, &mut notes)?;
    report.notes.splice(0..0, notes);
    if console.json {
        console.print_json(&as_json(&cwd, &report, &renewal))?;
    } else {
        console.print(&folded(&as_text(&cwd, &report, &renewal), &console.style))?;
    }
    check(&report).map(|()| 0)
}

/// A project inside another is made only if somebody says so.
fn may_be_inside(cwd: &Path, typed: &Init, console: &Console) -> Result<bool, Failure> {
    let Some(around) = project::find(cwd).filter(|found| found.root != cwd) else { return Ok(true) };
    let inside = format!("this folder is inside the project {}", around.root.display());
    if typed.yes {
        return Ok(true);
    }
    if console.attended {
        return asking::confirm(&format!("It looks as if {inside}. Make a project of its own here?"), false);
    }
    Err(Failure::bad_input(inside).next("`s2s init --yes` makes a project of its own here"))
}

/// Answers are for a CONTEXT.md that is not there yet; one that is there belongs to the person.
fn answers(
    cwd: &Path,
    typed: &Init,
    found: &Detected,
    console: &Console,
    notes: &mut Vec<String>,
) -> Result<Answers, Failure> {
    if cwd.join(FOLDER).join(CONTEXT_FILE).symlink_metadata().is_err() {
        return describe::answers(typed, found, console, notes);
    }
    if !describe::typed_answers(typed).is_empty() {
        notes.push("CONTEXT.md is there already and is yours: the answers were not written; add them there.".into());
    }
    Ok(Answers::default())
}

/// What became of the part of CONTEXT.md that is ours.
#[derive(Default)]
struct Renewal {
    diff: Vec<String>,
    written: bool,
}

/// Offers to renew what was detected, if it changed since and nobody wrote into it.
fn renewal(
    cwd: &Path,
    found: &Detected,
    typed: &Init,
    console: &Console,
    notes: &mut Vec<String>,
) -> Result<Renewal, Failure> {
    let dir = cwd.join(FOLDER);
    let path = dir.join(CONTEXT_FILE);
    // A link, a folder, no text: `read_context` says so where it matters.
    let is_plain = path.symlink_metadata().is_ok_and(|about| about.is_file());
    let Some(old) = is_plain.then(|| fs::read_to_string(&path).ok()).flatten() else { return Ok(Renewal::default()) };
    let (text, diff) = match project::compare(&old, found) {
        Part::Absent | Part::Current => return Ok(Renewal::default()),
        Part::Edited => {
            let left = "The part of CONTEXT.md that s2s keeps was edited by hand; it is left as it is.";
            notes.push(left.to_owned());
            return Ok(Renewal::default());
        }
        Part::Changed { text, diff } => (text, diff),
    };
    let renews = match typed.yes {
        true => true,
        false if console.attended => {
            console.print(&format!("Changed since the last init:\n  {}\n", diff.join("\n  ")))?;
            asking::confirm("Renew this part of CONTEXT.md? Your own words stay.", true)?
        }
        false => {
            notes.push("What is detected here changed; `s2s init --yes` renews that part of CONTEXT.md.".to_owned());
            false
        }
    };
    if renews {
        let failed = |problem: project::InitProblem| Failure::failed(format!("not renewed: {problem}"));
        project::renew_context(&dir, &old, &text).map_err(failed)?;
    }
    Ok(Renewal { diff, written: renews })
}

/// Makes a project for a session that is about to start; says so in one line.
pub fn for_start(cwd: &Path, console: &Console) -> Result<(), Failure> {
    let report = project::init(cwd);
    check(&report)?;
    console.note("Made .s2s/ in this folder. Tell the panel about your project in .s2s/CONTEXT.md.");
    Ok(())
}

fn check(report: &InitReport) -> Result<(), Failure> {
    if report.problems.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    Err(Failure::failed(lines.join("\n")))
}

fn as_text(cwd: &Path, report: &InitReport, renewal: &Renewal) -> String {
    let mut text = String::new();
    if report.half_made {
        text.push_str("This set-up was not complete; what was missing is made.\n");
    }
    for path in &report.created {
        text.push_str(&format!("made  {}\n", shown(cwd, path)));
    }
    for path in &report.extended {
        text.push_str(&format!("added to  {}\n", shown(cwd, path)));
    }
    for path in &report.kept {
        text.push_str(&format!("kept  {}\n", shown(cwd, path)));
    }
    if !renewal.diff.is_empty() {
        let word = if renewal.written { "renewed" } else { "not renewed" };
        text.push_str(&format!("{word}: what {FOLDER}/{CONTEXT_FILE} says was detected\n"));
        text.extend(renewal.diff.iter().map(|line| format!("  {line}\n")));
    }
    for note in &report.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    if report.problems.is_empty() {
        text.push_str(&next(cwd));
    }
    text
}

/// What to do with a project that stands: a context that says little comes first.
fn next(cwd: &Path) -> String {
    let start = format!("s2s roundtable start \"your question\"\n     or {WHOLE}");
    let Some(context) = project::read_context(&cwd.join(FOLDER)).ok().filter(ContextText::is_thin) else {
        return format!("\nNext:\n     {start}\n");
    };
    let says = |body: &str| body.lines().any(|line| !line.starts_with('#') && line.chars().any(char::is_alphanumeric));
    let begun = ["Objectives", "Scope", "Constraints"].iter().any(|name| context.section(name).is_some_and(says));
    let tell = match begun {
        true => "Say more in .s2s/CONTEXT.md: the panel knows you by it, and it is short.",
        false => "Fill in .s2s/CONTEXT.md: objectives, scope, constraints.",
    };
    format!("\nNext:\n  1. {tell}\n  2. {start}\n")
}

fn as_json(cwd: &Path, report: &InitReport, renewal: &Renewal) -> serde_json::Value {
    let names = |paths: &[PathBuf]| paths.iter().map(|path| shown(cwd, path)).collect::<Vec<_>>();
    let problems: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    json!({
        "created": names(&report.created), "kept": names(&report.kept), "extended": names(&report.extended),
        "half_made": report.half_made,
        "changed": { "diff": renewal.diff, "written": renewal.written },
        "notes": report.notes, "problems": problems,
    })
}
