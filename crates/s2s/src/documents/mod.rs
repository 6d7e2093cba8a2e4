//! The documents of a finished session: ADR, requirements, architecture, summary.
//! Given the folded session, its minutes and its outcome; hands on Markdown ([`render_document`]) or files
//! ([`Shelf`]). Every statement names its source (C2) and a status is earned (C4): it is the outcome's, and
//! no text can raise it. Deliberately absent: decisions, and any sentence about the subject that nobody said.

mod architecture;
mod by_weight;
mod cells;
mod choice;
pub mod escape;
mod excerpt;
mod gather;
mod heard;
pub mod living;
mod names;
mod options;
pub(crate) mod paper;
mod requirements;
mod shelf;
mod signs;
pub(crate) mod sorted;
mod standing;
mod tallied;
pub mod view;
mod weighed;
mod words;

use s2s_catalog::{Catalog, Template};
use s2s_engine::Session;
use s2s_engine::opening::OutputType;
use s2s_engine::record::Outcome;
use s2s_store::Minutes;

use crate::failure::Failure;
use crate::matrix::Matrix;
pub use requirements::Numbering;
pub use shelf::Shelf;
pub use weighed::{MatrixRow, MatrixView, ScoreRow};

/// The templates of the four documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates {
    /// Architecture decision record.
    pub adr: Template,
    /// Requirements.
    pub requirements: Template,
    /// Architecture description.
    pub architecture: Template,
    /// Summary.
    pub summary: Template,
}

impl Templates {
    /// Those in force: the project's own over the built-in ones.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn of(catalog: &Catalog) -> Result<Self, Failure> {
        let template = |kind: OutputType| Ok::<_, Failure>(catalog.template(kind.as_str())?.value);
        Ok(Self {
            adr: template(OutputType::Adr)?,
            requirements: template(OutputType::Requirements)?,
            architecture: template(OutputType::Architecture)?,
            summary: template(OutputType::Summary)?,
        })
    }

    /// The one for a kind of document.
    pub fn get(&self, kind: OutputType) -> &Template {
        match kind {
            OutputType::Adr => &self.adr,
            OutputType::Requirements => &self.requirements,
            OutputType::Architecture => &self.architecture,
            OutputType::Summary => &self.summary,
        }
    }
}

/// A document as text. Pure: the same record gives the same text. Requirements start their ids at 1, and nothing was
/// weighed.
///
/// # Errors
/// If the template cannot be filled in; the failure names its line.
pub fn render_document(
    kind: OutputType,
    session: &Session,
    minutes: &Minutes,
    outcome: &Outcome,
    templates: &Templates,
) -> Result<String, Failure> {
    render_beside(kind, session, minutes, outcome, templates, &Beside::default())
}

/// What a document is told that the record does not hold.
#[derive(Debug, Clone, Default)]
pub struct Beside<'a> {
    /// Where the ids of requirements go on from.
    pub numbering: Numbering,
    /// What was weighed, as kept beside the record.
    pub matrices: &'a [Matrix],
}

/// As [`render_document`], with what stands beside the record.
///
/// # Errors
/// If the template cannot be filled in; the failure names its line.
pub fn render_beside(
    kind: OutputType,
    session: &Session,
    minutes: &Minutes,
    outcome: &Outcome,
    templates: &Templates,
    beside: &Beside<'_>,
) -> Result<String, Failure> {
    let mut view = gather::gather(session, minutes, outcome, beside.matrices);
    match kind {
        OutputType::Requirements => view.requirements = requirements::requirements(session, &view, &beside.numbering),
        OutputType::Architecture => view.sections = architecture::sections(session, &view),
        OutputType::Adr | OutputType::Summary => {}
    }
    let template = templates.get(kind);
    let text = template.render(&view).map_err(|error| {
        Failure::from(error)
            .next(format!("mend the template or remove it from .s2s/templates to use the built-in {kind} one"))
    })?;
    Ok(tidied(&text))
}

/// No run of blank lines, no blanks at the ends of lines, one newline at the end: what a template's
/// conditions leave behind is not worth a reader's time.
fn tidied(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut blank = 0;
    for line in text.lines().map(str::trim_end) {
        blank = if line.is_empty() { blank + 1 } else { 0 };
        if blank < 2 && !(line.is_empty() && tidy.is_empty()) {
            tidy.push_str(line);
            tidy.push('\n');
        }
    }
    while tidy.ends_with("\n\n") {
        tidy.pop();
    }
    tidy
}
