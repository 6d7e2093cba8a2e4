//! The offline panel at the table: replies from playbooks, at once and for nothing.
//! Given a call; hands on the text that the offline roles give. Deliberately absent: the roles' thinking,
//! which is in `crate::offline`.

use s2s_models::Reply;
use s2s_store::Panel as PanelKind;

use super::{Answering, Call, Panel};
use crate::offline::Offline;

/// The panel that needs no model.
pub struct OfflinePanel {
    offline: Offline,
}

impl OfflinePanel {
    /// A panel with this knowledge.
    pub fn new(offline: Offline) -> Self {
        Self { offline }
    }
}

impl Panel for OfflinePanel {
    fn ask(&self, call: Call<'_>) -> Answering {
        let reply = Reply::free(self.offline.reply(call.session, call.brief));
        Box::pin(std::future::ready(Ok(reply)))
    }

    fn kind(&self) -> PanelKind {
        PanelKind::Offline
    }

    fn note(&self) -> String {
        "No language model takes part: the roles answer from built-in playbooks.".to_owned()
    }

    fn seat_model(&self, _seat: &str) -> (String, String) {
        ("offline".to_owned(), "offline".to_owned())
    }
}
