//! Living documents: made from the project's register, kept up to date, and edited by people at the same time.
//! Given the register and the templates; hands on drafts, and writes them into the project's folders so that nobody's
//! text is lost (`fence`, `weave`). Deliberately absent: the register itself, and what a session's own report says.

mod diagram;
mod fence;
mod links;
mod rack;
mod sheets;
#[cfg(test)]
mod tests;
mod view;
mod weave;

pub(crate) use diagram::label;
pub use rack::Rack;
pub use sheets::{Asking, Written};
pub use weave::{Edit, Kept, Settle};

use crate::failure::Failure;

/// A document with its generated parts renewed, and the edited parts that were kept. `rendered` is the draft with its
/// markers; no old text = a new document.
pub(crate) fn renewed(
    old: Option<&str>,
    rendered: &str,
    file: &str,
    settle: &mut dyn FnMut(&Edit) -> Settle,
) -> Result<(String, Vec<Kept>), Failure> {
    let draft = fence::pieces(rendered, file)?;
    let loom = weave::Loom::new(old.unwrap_or_default(), &draft, file)?;
    let edits = loom.edits();
    let new = edits.iter().filter(|edit| !edit.again);
    let answers = new.map(|edit| (edit.part.clone(), settle(edit))).collect();
    let woven = loom.weave(&answers);
    Ok((woven.text, woven.kept.into_iter().map(|(kept, _)| kept).collect()))
}
