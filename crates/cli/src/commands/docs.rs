//! `s2s docs`: brings the living documents up to date, and says what becomes of a person's edits in them.
//! Given the project; hands on what was written. Also the one who is asked when a session ends. Deliberately absent:
//! what documents say.

use s2s::Failure;
use s2s::documents::living::{Edit, Rack, Settle};
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

/// Brings every document up to date.
pub fn docs(typed: &Docs, console: &Console) -> Result<u8, Failure> {
    let cwd = here()?;
    let project = project_at(&cwd)?;
    let workplace = Workplace::open(cwd, project, &[])?;
    let register = ProjectRegister::read(&workplace.sessions)?;
    register.refuse_gaps()?;
    let rack = rack(&workplace)?;
    let how = typed.keep.as_deref().map(|whose| if whose == "mine" { Settle::Mine } else { Settle::Generated });
    let mut failed = None;
    let mut settle = |edit: &Edit| match settled(edit, how, console) {
        Ok(settle) => settle,
        Err(failure) => {
            failed.get_or_insert(failure);
            Settle::Mine
        }
    };
    let mut written = rack.write(&register, &mut settle)?;
    let plans = Plans::new(&workplace.project.dir).all()?;
    if let Some(plan) = document::write(&rack, &plans, &register, &mut settle)? {
        written.files.extend(plan.files);
        written.changed.extend(plan.changed);
        written.kept.extend(plan.kept);
    }
    if let Some(failure) = failed {
        return Err(failure);
    }
    adr::keep_index(&workplace.project, &workplace.settings.config, console)?;
    if console.json {
        let kept: Vec<_> = written.kept.iter().map(|(file, part)| json!({ "file": file, "part": part })).collect();
        let value = json!({ "files": written.files, "changed": written.changed, "kept": kept });
        console.print_json(&value)?;
        return Ok(0);
    }
    let mut text = String::new();
    for file in &written.files {
        let what = if written.changed.contains(file) { "written" } else { "as it was" };
        text.push_str(&format!("{file}  {what}\n"));
    }
    if text.is_empty() {
        text.push_str("No session has left artifacts yet: `s2s specs` begins with requirements.\n");
    }
    for (file, part) in &written.kept {
        text.push_str(&format!("{file}: your text stays in the part \"{part}\"\n"));
    }
    console.print(&text)?;
    Ok(0)
}

/// The rack of this project.
pub fn rack(workplace: &Workplace) -> Result<Rack, Failure> {
    let root = &workplace.project.root;
    Rack::new(root, &workplace.settings.config, &workplace.catalog, &project_name(&workplace.project))
}

/// What becomes of an edited part: as was said beforehand, as the person says now, or the person's text stays.
pub fn settled(edit: &Edit, how: Option<Settle>, console: &Console) -> Result<Settle, Failure> {
    if let Some(settle) = how {
        return Ok(settle);
    }
    if !console.attended {
        console.note(&format!(
            "{}, line {}: the part \"{}\" was edited; your text stays. See `s2s docs`.",
            edit.file, edit.line, edit.part
        ));
        return Ok(Settle::Mine);
    }
    loop {
        let question = format!("{}: the generated part \"{}\" was edited", edit.file, edit.part);
        let choices = vec![
            Choice::new(Some(Settle::Mine), "Keep my text"),
            Choice::new(Some(Settle::Generated), "Take the generated text"),
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
        };
        let shown = difference(&edit);
        assert!(shown.contains("--- your text\n+++ generated\n"), "{shown}");
        assert!(shown.contains("-mine\n+theirs\n") && shown.contains(" same\n"), "{shown}");
    }
}
