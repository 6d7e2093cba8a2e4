//! Living documents: made from the project's register, kept up to date, and edited by people at the same time.
//! Given the register and the templates; hands on drafts, and writes them into the project's folders so that nobody's
//! text is lost ([`fence`]). Deliberately absent: the register itself, and what a session's own report says.

mod diagram;
mod fence;
mod rack;
mod view;

pub(crate) use diagram::label;
pub use fence::{Edit, Settle};
pub use rack::{Rack, Written};
