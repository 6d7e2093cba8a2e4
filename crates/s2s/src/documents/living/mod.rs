//! Living documents: made from the project's register, kept up to date, and edited by people at the same time.
//! Given the register and the templates; hands on drafts, and writes them into the project's folders so that nobody's
//! text is lost (`fence`). Deliberately absent: the register itself, and what a session's own report says.

mod diagram;
mod fence;
mod rack;
mod view;

pub(crate) use diagram::label;
pub use fence::{Edit, Settle};
pub use rack::{Rack, Written};

use crate::failure::Failure;

/// A document with its generated parts renewed, and the edited parts that were kept. `rendered` is the draft with its
/// markers; no old text = a new document.
pub(crate) fn renewed(
    old: Option<&str>,
    rendered: &str,
    file: &str,
    settle: &mut dyn FnMut(&Edit) -> Settle,
) -> Result<(String, Vec<String>), Failure> {
    let draft = fence::pieces(rendered)?;
    let Some(old) = old else { return Ok((fence::fresh(&draft), Vec::new())) };
    let woven = fence::weave(old, &draft, file, settle)?;
    Ok((woven.text, woven.kept))
}
