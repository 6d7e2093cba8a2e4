//! `s2s docs`: brings the living documents up to date, and says what becomes of a person's edits in them.
//! Given the project; hands on what was written. Also the one who is asked when a session ends. Deliberately absent:
//! what documents say.

use std::collections::BTreeSet;

use s2s::Failure;
use s2s::documents::living::{Edit, Kept, Rack, Settle, Written};
use s2s::plan::{Plans, document};
use s2s::register::ProjectRegister;
use serde_json::json;
use similar::TextDiff;

use super::adr;
use crate::args::Docs;
use crate::asking::{self, Choice};
use crate::console::Console;
use crate::workplace::{Workplace, here, project_at, project_name};

/// Lines around a difference.
const AROUND: usize = 2;
/// Names in one line.
const MOST_NAMED: usize = 12;

/// Brings every document up to date.
pub fn docs(typed: &Docs, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let workplace = Workplace::open(cwd, project, &[])?;
    let register = ProjectRegister::read(&workplace.sessions)?;
    register.refuse_gaps()?;
    let rack = rack(&workplace)?;
    let plans = Plans::new(&workplace.project.dir).all()?;
    let wish = Wish::of(typed);
    if !wish.parts.is_empty() {
        let mut edits = rack.edits(&register)?;
        edits.extend(document::edits(&rack, &plans, &register)?);
        wish.refuse_unclear(&edits)?;
    }
    let mut failed = None;
    let mut settle = |edits: &[Edit]| {
        settled(edits, &wish, console).unwrap_or_else(|failure| {
            failed.get_or_insert(failure);
            Vec::new()
        })
    };
    let mut written = rack.write(&register, &mut settle)?;
    if let Some(plan) = document::write(&rack, &plans, &register, &mut settle)? {
        written.files.extend(plan.files);
        written.changed.extend(plan.changed);
        written.kept.extend(plan.kept);
        written.by_hand.extend(plan.by_hand);
    }
    if let Some(failure) = failed {
        return Err(failure);
    }
    adr::keep_index(&workplace.project, &workplace.settings.config, console)?;
    tell(&written, console).map(|()| 0)
}

fn tell(written: &Written, console: &Console) -> Result<(), Failure> {
    if console.json {
        let kept = written
            .kept
            .iter()
            .map(|kept| json!({ "file": kept.file, "part": kept.part, "missing": kept.missing, "gone": kept.gone, "dead_links": kept.dead }));
        let by_hand = written.by_hand.iter().map(|(file, id)| json!({ "file": file, "id": id }));
        return console.print_json(&json!({
            "files": written.files,
            "changed": written.changed,
            "kept": kept.collect::<Vec<_>>(),
            "by_hand": by_hand.collect::<Vec<_>>(),
        }));
    }
    let mut text = String::new();
    for file in &written.files {
        let what = if written.changed.contains(file) { "written" } else { "as it was" };
        text.push_str(&format!("{file}  {what}\n"));
    }
    if text.is_empty() {
        text.push_str("No session has left artifacts yet: `s2s specs` begins with requirements.\n");
    }
    about_kept(written).iter().for_each(|line| text.push_str(&format!("{line}\n")));
    console.print(&text)
}

/// What was said beforehand about edited parts.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    keep: Option<Settle>,
    /// Where it holds; none = everywhere.
    parts: Vec<String>,
    /// Whether what stays is told once all is written, so that it need not be said before.
    told_after: bool,
}

impl Wish {
    fn of(typed: &Docs) -> Self {
        let settle = |whose: &str| if whose == "mine" { Settle::Mine } else { Settle::Generated };
        Self { keep: typed.keep.as_deref().map(settle), parts: typed.part.clone(), told_after: true }
    }

    /// Nothing was said, and whoever wishes this tells afterwards what stays.
    pub fn told_after() -> Self {
        Self { told_after: true, ..Self::default() }
    }

    fn about(&self, edit: &Edit) -> Option<Settle> {
        let holds = self.parts.is_empty() || self.parts.iter().any(|name| is_called(edit, name));
        self.keep.map(|settle| if holds { settle } else { Settle::Mine })
    }

    /// Each name must mean one part: names such as `outcome` stand in many documents, and what is taken there by mistake
    /// is somebody's lost text.
    fn refuse_unclear(&self, edits: &[Edit]) -> Result<(), Failure> {
        for name in &self.parts {
            let meant: Vec<&Edit> = edits.iter().filter(|edit| is_called(edit, name)).collect();
            if meant.is_empty() {
                return Err(Failure::bad_input(format!("no edited part is called \"{name}\""))
                    .next("`s2s docs` names the parts in which your text stays"));
            }
            if meant.len() > 1 {
                let forms: Vec<String> =
                    meant.iter().map(|edit| format!("--part {}", full_name(&edit.file, &edit.part))).collect();
                let what = format!("{} edited parts are called \"{name}\"; nothing was written", meant.len());
                return Err(Failure::bad_input(what).next(format!("say which: {}", forms.join(", or "))));
            }
        }
        Ok(())
    }
}

/// The name that no other part has, as a word of a shell.
fn full_name(file: &str, part: &str) -> String {
    let name = format!("{file}:{part}");
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:".contains(c));
    if is_plain { name } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// Whether a part is meant: by its name, or by its file or the file's name before it.
fn is_called(edit: &Edit, name: &str) -> bool {
    let of = |file: &str| name.strip_prefix(file).and_then(|rest| rest.strip_prefix(':')) == Some(&edit.part);
    name == edit.part || of(&edit.file) || of(edit.file.rsplit('/').next().unwrap_or_default())
}

/// Where a person's text stays, what is missing there, and how it is taken in: a line per document.
pub fn about_kept(written: &Written) -> Vec<String> {
    let mut lines = Vec::new();
    for file in &written.files {
        let kept: Vec<&Kept> = written.kept.iter().filter(|kept| kept.file == *file).collect();
        if !kept.is_empty() {
            let parts: Vec<&str> = kept.iter().map(|kept| kept.part.as_str()).collect();
            let missing = kept.iter().flat_map(|kept| kept.missing.clone()).collect();
            let gone = kept.iter().filter(|kept| kept.gone).map(|kept| kept.part.as_str()).collect();
            let is_single = |part: &str| written.kept.iter().filter(|kept| kept.part == part).count() == 1;
            let only = match parts[..] {
                [part] if is_single(part) => part.to_owned(),
                [part] => full_name(file, part),
                _ if parts.iter().all(|part| is_single(part)) => "NAME".to_owned(),
                _ => full_name(file, "NAME"),
            };
            let rest = rest(&only, missing, gone);
            lines.push(format!("{file}: your text stays in {}.{rest}", listed(&parts)));
            let dead: Vec<&str> = kept.iter().flat_map(|kept| &kept.dead).map(String::as_str).collect();
            if !dead.is_empty() {
                lines.push(format!("{file}: links in your text that lead nowhere: {}", listed(&dead)));
            }
        }
        let by_hand: Vec<&str> =
            written.by_hand.iter().filter(|(of, _)| of == file).map(|(_, id)| id.as_str()).collect();
        if !by_hand.is_empty() {
            let ids = listed(&by_hand);
            lines.push(format!(
                "{file}: {ids} under a heading of your own, so not renewed; remove it to have it generated."
            ));
        }
    }
    lines
}

/// What kept texts lack, what is only in them, and the command that takes the generated text.
fn rest(only: &str, missing: BTreeSet<String>, gone: Vec<&str>) -> String {
    let mut said = String::new();
    if !missing.is_empty() {
        let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
        said.push_str(&format!(" Missing there: {}.", listed(&missing)));
    }
    if !gone.is_empty() {
        said.push_str(&format!(" No longer in force: {}.", listed(&gone)));
    }
    said.push_str(&format!(" To take the generated text: s2s docs --keep generated --part {only}"));
    said
}

/// Names in a row; of many, the first ones and how many more.
fn listed(names: &[&str]) -> String {
    match names.len() > MOST_NAMED {
        true => format!("{} and {} more", names[..MOST_NAMED].join(", "), names.len() - MOST_NAMED),
        false => names.join(", "),
    }
}

/// A failure that stops nothing, for people.
pub fn warning(failure: &Failure) -> String {
    match &failure.next {
        Some(next) => format!("Warning: {}. Next: {next}", failure.what),
        None => format!("Warning: {}", failure.what),
    }
}

/// The rack of this project.
pub fn rack(workplace: &Workplace) -> Result<Rack, Failure> {
    let root = &workplace.project.root;
    Rack::new(root, &workplace.settings.config, &workplace.catalog, &project_name(&workplace.project))
}

/// What becomes of the edited parts of one document: as was said beforehand, as the person says now, or the person's text
/// stays. What was turned down before is not asked about again.
pub fn settled(edits: &[Edit], wish: &Wish, console: &Console) -> Result<Vec<Settle>, Failure> {
    let mut answers: Vec<Settle> = edits.iter().map(|edit| wish.about(edit).unwrap_or(Settle::Mine)).collect();
    let open: Vec<usize> =
        (0..edits.len()).filter(|at| wish.about(&edits[*at]).is_none() && !edits[*at].again).collect();
    let asked: Vec<&Edit> = open.iter().map(|at| &edits[*at]).collect();
    if asked.is_empty() {
        return Ok(answers);
    }
    if !console.attended {
        if !wish.told_after {
            console.note(&unasked(&asked));
        }
        return Ok(answers);
    }
    for (at, answer) in open.iter().zip(ask_all(&asked, console)?) {
        answers[*at] = answer;
    }
    Ok(answers)
}

fn unasked(edits: &[&Edit]) -> String {
    let places: Vec<String> = edits.iter().map(|edit| format!("{} (line {})", edit.part, edit.line)).collect();
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    // Which parts of other documents are edited is not known here.
    let only = full_name(&edits[0].file, if let [edit] = edits { &edit.part } else { "NAME" });
    let missing = edits.iter().flat_map(|edit| edit.missing()).collect();
    let gone = edits.iter().filter(|edit| edit.generated.is_empty()).map(|edit| edit.part.as_str()).collect();
    let what = if edits.len() == 1 { "a generated part was" } else { "generated parts were" };
    let rest = rest(&only, missing, gone);
    format!("{}: {what} edited; your text stays in {}.{rest}", edits[0].file, listed(&places))
}

/// What is done about all edited parts of a document.
#[derive(Clone, Copy)]
enum Answer {
    All(Settle),
    Each,
    Show,
}

/// One question for all of them; a question for each, if that is wanted.
fn ask_all(edits: &[&Edit], console: &Console) -> Result<Vec<Settle>, Failure> {
    if let [edit] = edits {
        return Ok(vec![ask(edit, console)?]);
    }
    let parts: Vec<&str> = edits.iter().map(|edit| edit.part.as_str()).collect();
    let question = format!("{}: {} generated parts were edited: {}", edits[0].file, parts.len(), listed(&parts));
    loop {
        let choices = vec![
            Choice::new(Answer::All(Settle::Mine), "Keep my text in all of them"),
            Choice::new(Answer::All(Settle::Generated), "Take the generated text in all of them"),
            Choice::new(Answer::Each, "Decide one by one"),
            Choice::new(Answer::Show, "Show the differences"),
        ];
        match asking::choose(&question, choices)? {
            Answer::All(settle) => return Ok(vec![settle; edits.len()]),
            Answer::Each => return edits.iter().map(|edit| ask(edit, console)).collect(),
            Answer::Show => {
                for edit in edits {
                    console.print(&format!("{}, line {}\n{}", edit.part, edit.line, difference(edit)))?;
                }
            }
        }
    }
}

fn ask(edit: &Edit, console: &Console) -> Result<Settle, Failure> {
    let gone = edit.generated.is_empty();
    let state = if gone { "no longer in force, but its text was edited" } else { "the generated text was edited" };
    let question = format!("{}: {}: {state}", edit.file, edit.part);
    loop {
        let choices = vec![
            Choice::new(Some(Settle::Mine), "Keep my text"),
            Choice::new(Some(Settle::Generated), if gone { "Remove it" } else { "Take the generated text" }),
            Choice::new(None, "Show the difference"),
        ];
        match asking::choose(&question, choices)? {
            Some(settle) => return Ok(settle),
            None => console.print(&difference(edit))?,
        }
    }
}

fn difference(edit: &Edit) -> String {
    let diff = TextDiff::from_lines(&edit.mine, &edit.generated);
    diff.unified_diff().context_radius(AROUND).header("your text", "generated").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_both_texts() {
        let edit = Edit {
            file: "a.md".into(),
            part: "one".into(),
            line: 3,
            mine: "same\nmine\n".into(),
            generated: "same\ntheirs\n".into(),
            again: false,
        };
        let shown = difference(&edit);
        assert!(shown.contains("--- your text\n+++ generated\n"), "{shown}");
        assert!(shown.contains("-mine\n+theirs\n") && shown.contains(" same\n"), "{shown}");
    }
}
