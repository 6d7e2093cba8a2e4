//! What may be spent on one reply, so that no input is read over and over.
//! Given the length of the text; everything that looks at text pays from it, and stops when it is spent.

/// Looks and pieces that are left.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Bytes that may still be looked at.
    pub bytes: usize,
    /// Pieces that may still be made.
    pub nodes: usize,
}

impl Budget {
    pub(crate) fn for_text(text: &str) -> Self {
        Self { bytes: 32 * text.len() + 65_536, nodes: 20_000 }
    }

    /// Pays for a line.
    pub(crate) fn pay_for_a_line(&mut self) {
        self.pay(400);
    }

    /// Pays for trying a place.
    pub(crate) fn pay_for_a_look(&mut self) {
        self.pay(900);
    }

    pub(crate) fn spent(&self) -> bool {
        self.bytes == 0 || self.nodes == 0
    }

    pub(crate) fn pay(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}
