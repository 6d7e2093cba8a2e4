//! `s2s mcp`: real servers over pipes and sockets, our own bare client, and the clients that others wrote.

mod answers;
mod hostile;
mod interop;
mod lives;
pub mod talk;
mod tools;

use crate::harness::Folder;

/// A project whose seats answer from a script, as a person would set it.
pub fn scripted(name: &str) -> Folder {
    let folder = Folder::project();
    folder.write(".s2s/config.yaml", format!("panel: script:{name}\nroundtable: {{strategy: standard}}\n"));
    folder
}

/// A project whose seats think for a while before each answer.
pub fn unhurried(delay_ms: u32) -> Folder {
    let folder = scripted("slow.yaml");
    folder.write("slow.yaml", format!("default: {{delay_ms: {delay_ms}}}\n{}", crate::harness::CALM));
    folder
}
