//! YAML in, YAML out, flaws with their line: the one place that knows the YAML library.
//! Used by the catalog, the store and the reader of replies. Every text is taken as hostile: size,
//! depth, number of values and aliases are limited, and a key given twice is an error. Deliberately
//! absent: any schema, any file access (callers check a file's size against [`MAX_BYTES`] first).

mod flaw;
pub mod node;
mod read;
mod write;

pub use flaw::Flaw;
pub use read::{MAX_ALIASES, MAX_BYTES, MAX_DEPTH, MAX_NODES, from_str, to_value};
pub use write::to_string;
