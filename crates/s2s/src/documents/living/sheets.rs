//! A run over several documents: what is asked, what is written, and that no link leads nowhere.
//! Given rendered drafts; asks once per document about all its edited parts, before anything is written, and hands on
//! what became of the files. A link to a heading that will not be there is written as plain text. All of it or nothing
//! per file. Deliberately absent: what a document says, and which there are (`rack.rs`).

use std::collections::{BTreeMap, BTreeSet};

use s2s_catalog::Template;
use serde::Serialize;

use super::super::paper::{Folder, Readers};
use super::super::tidied;
use super::fence::{Piece, pieces};
use super::links::{anchors, dead, without_dead};
use super::weave::{Answers, Edit, Kept, Loom, Settle, Woven};
use crate::failure::Failure;

/// Who is asked about the edited parts of a document, all at once; an answer for each, in order. What has no answer
/// stays as the person left it.
pub type Asking<'a> = dyn FnMut(&[Edit]) -> Vec<Settle> + 'a;

/// What became of the documents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    /// Every document, as a path below the project.
    pub files: Vec<String>,
    /// Those that are new or say something else now.
    pub changed: Vec<String>,
    /// Edited parts that were kept.
    pub kept: Vec<Kept>,
    /// Artifacts that a person wrote down outside of the parts, by file: they are not renewed there.
    pub by_hand: Vec<(String, String)>,
}

/// A document that is to be written.
pub(super) struct Sheet<'r> {
    folder: &'r Folder,
    name: String,
    shown: String,
    rendered: String,
    old: Option<String>,
}

impl<'r> Sheet<'r> {
    /// The draft of a document, beside what is there.
    ///
    /// # Errors
    /// If the template cannot be rendered, or what is there cannot be read.
    pub(super) fn new(
        folder: &'r Folder,
        name: String,
        template: &Template,
        view: &impl Serialize,
    ) -> Result<Self, Failure> {
        let rendered = template.render(view).map_err(|error| {
            Failure::from(error).next("mend the template, or remove it from .s2s/templates to use the built-in one")
        })?;
        let shown = folder.shown(&name);
        let unreadable =
            |_| Failure::bad_input(format!("{shown} is not UTF-8 text")).next("move it away to have it made anew");
        let old = folder.read(&name)?.map(|bytes| String::from_utf8(bytes).map_err(unreadable)).transpose()?;
        Ok(Self { folder, name, rendered: tidied(&rendered), shown, old })
    }

    /// The draft without links that lead to no heading.
    fn draft(&self, anchors: &Anchors) -> Result<Vec<Piece>, Failure> {
        let is_dead = |way: &str, anchor: &str| self.is_dead(way, anchor, anchors);
        pieces(&without_dead(&self.rendered, &is_dead), "the template")
    }

    /// Whether a link from here leads to a document of this run that has no such heading.
    fn is_dead(&self, way: &str, anchor: &str, anchors: &Anchors) -> bool {
        let file = if way.is_empty() { self.shown.clone() } else { followed(&self.shown, way) };
        anchors.get(&file).is_some_and(|there| !there.contains(anchor))
    }

    fn loom<'d>(&'d self, draft: &'d [Piece]) -> Result<Loom<'d>, Failure> {
        Loom::new(self.old.as_deref().unwrap_or_default(), draft, &self.shown)
    }

    fn woven(&self, known: &Anchors, answers: &Answers) -> Result<Woven, Failure> {
        Ok(self.loom(&self.draft(known)?)?.weave(answers))
    }

    fn write(&self, woven: Woven, anchors: &Anchors, written: &mut Written) -> Result<(), Failure> {
        self.folder.make()?;
        match &self.old {
            None if !self.folder.create(&self.name, &woven.text, Readers::Project)? => {
                return Err(Failure::failed(format!("{} was made by another program this very moment", self.shown))
                    .next("run `s2s docs` to bring it up to date"));
            }
            Some(old) if *old != woven.text => self.folder.replace(&self.name, woven.text.as_bytes())?,
            _ => {}
        }
        if self.old.as_ref() != Some(&woven.text) {
            written.changed.push(self.shown.clone());
        }
        for (mut kept, text) in woven.kept {
            kept.dead = dead(&text, &|way, anchor| self.is_dead(way, anchor, anchors));
            written.kept.push(kept);
        }
        written.by_hand.extend(woven.by_hand.into_iter().map(|id| (self.shown.clone(), id)));
        written.files.push(self.shown.clone());
        Ok(())
    }
}

/// The anchors of each document of the run.
type Anchors = BTreeMap<String, BTreeSet<String>>;

/// Brings documents up to date.
///
/// # Errors
/// If the markers of one do not pair up: then none is written. If one cannot be written: then the ones before it are.
pub(super) fn write_all(sheets: Vec<Sheet<'_>>, ask: &mut Asking<'_>) -> Result<Written, Failure> {
    // As it would be if everybody kept their text: what is offered must not change by itself from run to run.
    let unsettled = woven(&sheets, &Anchors::new(), &[])?;
    let before = anchors_of(&sheets, &unsettled);
    let mut answers = Vec::with_capacity(sheets.len());
    for sheet in &sheets {
        answers.push(asked(&sheet.loom(&sheet.draft(&before)?)?.edits(), ask));
    }
    let mut texts = woven(&sheets, &before, &answers)?;
    let after = anchors_of(&sheets, &texts);
    if after != before {
        texts = woven(&sheets, &after, &answers)?;
    }
    let mut written = Written::default();
    for (sheet, woven) in sheets.iter().zip(texts) {
        sheet.write(woven, &after, &mut written)?;
    }
    Ok(written)
}

/// The generated parts that somebody edited, in all documents; nothing is asked or written.
///
/// # Errors
/// If the markers of one do not pair up.
pub(super) fn edits(sheets: &[Sheet<'_>]) -> Result<Vec<Edit>, Failure> {
    let before = anchors_of(sheets, &woven(sheets, &Anchors::new(), &[])?);
    let mut all = Vec::new();
    for sheet in sheets {
        all.extend(sheet.loom(&sheet.draft(&before)?)?.edits());
    }
    Ok(all)
}

fn woven(sheets: &[Sheet<'_>], known: &Anchors, answers: &[Answers]) -> Result<Vec<Woven>, Failure> {
    let none = Answers::new();
    sheets.iter().enumerate().map(|(at, sheet)| sheet.woven(known, answers.get(at).unwrap_or(&none))).collect()
}

fn asked(edits: &[Edit], ask: &mut Asking<'_>) -> Answers {
    if edits.is_empty() {
        return Answers::new();
    }
    edits.iter().map(|edit| edit.part.clone()).zip(ask(edits)).collect()
}

fn anchors_of(sheets: &[Sheet<'_>], texts: &[Woven]) -> Anchors {
    sheets.iter().zip(texts).map(|(sheet, woven)| (sheet.shown.clone(), anchors(&woven.text))).collect()
}

/// Where a relative way leads from a file.
fn followed(from: &str, way: &str) -> String {
    let mut path: Vec<&str> = from.split('/').collect();
    path.pop();
    for step in way.split('/') {
        match step {
            ".." => drop(path.pop()),
            "." | "" => {}
            step => path.push(step),
        }
    }
    path.join("/")
}
