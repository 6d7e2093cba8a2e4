//! Keeping what was weighed when a session ends, beside its record.
//! Given the panel's matrices; hands them to the keeper before a document tells of them. Deliberately absent: the weighing.

use s2s_store::Keeper;

use super::drive::Roundtable;
use crate::failure::Failure;
use crate::matrix::After;
use crate::offline::matrix::after;

impl<K: Keeper> Roundtable<K> {
    /// Keeps what was weighed, before a document tells of it. What a run that died here kept of this very end holds: its
    /// document may be there too, and the playbooks may have changed since.
    pub(super) fn keep_matrices(&mut self) -> Result<(), Failure> {
        let now = after(&self.session);
        let kept = self.keeper.matrices().unwrap_or_default();
        let of_this_end = |value: &serde_json::Value| {
            let known: Option<After> = value.get("after").cloned().and_then(|after| serde_json::from_value(after).ok());
            known == Some(now)
        };
        if !kept.is_empty() && kept.iter().all(of_this_end) {
            return Ok(());
        }
        let made = self.panel.matrices(&self.session);
        if made.is_empty() && kept.is_empty() {
            return Ok(());
        }
        let values: Result<Vec<_>, _> = made.iter().map(serde_json::to_value).collect();
        let values = values.map_err(|error| Failure::failed(format!("the matrix cannot be written: {error}")))?;
        Ok(self.keeper.keep_matrices(&values)?)
    }
}
