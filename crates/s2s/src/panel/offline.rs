//! The offline panel at the table: replies from playbooks, at once and for nothing.
//! Given a call; hands on the text that the offline roles give. Deliberately absent: the roles' thinking,
//! which is in `crate::offline`.

use s2s_catalog::{Catalog, Kind, Playbook, Role};
use s2s_engine::{Session, counted};
use s2s_models::Reply;
use s2s_store::Panel as PanelKind;

use super::{Answering, AsideCall, Call, Panel};
use crate::matrix::Matrix;
use crate::offline::Offline;
use crate::playbooks::unwritten;

/// The panel that needs no model.
pub struct OfflinePanel {
    offline: Offline,
}

impl OfflinePanel {
    /// A panel with this knowledge.
    pub fn new(offline: Offline) -> Self {
        Self { offline }
    }

    /// How its roles think.
    pub fn offline(&self) -> &Offline {
        &self.offline
    }

    /// A panel with the playbooks and roles of a catalog, and a sentence about each playbook that
    /// cannot be used. A role that cannot be read matters only if it is seated, and then the table
    /// cannot be set.
    pub fn from_catalog(catalog: &Catalog) -> (Self, Vec<String>) {
        let (playbooks, notes) = playbooks(catalog);
        let roles = catalog.names(Kind::Role).iter().filter_map(|id| Some(catalog.role(id).ok()?.value)).collect();
        (Self::new(Offline::new(playbooks, roles)), notes)
    }

    /// As [`OfflinePanel::from_catalog`], for these seats alone: no other role file is read. Says of each seat whose
    /// role gives the playbooks nothing to go by, that it has none.
    pub fn for_seats(catalog: &Catalog, seats: &[String]) -> (Self, Vec<String>) {
        let (playbooks, mut notes) = playbooks(catalog);
        let named = |id: &String| Some(Role { id: id.clone(), ..catalog.role(id).ok()?.value });
        let roles: Vec<Role> = seats.iter().filter_map(named).collect();
        notes.extend(roles.iter().filter_map(lacking));
        (Self::new(Offline::new(playbooks, roles)), notes)
    }
}

/// The playbooks in force, and a sentence about each that is not used.
fn playbooks(catalog: &Catalog) -> (Vec<Playbook>, Vec<String>) {
    let mut playbooks = Vec::new();
    let mut notes = Vec::new();
    for name in catalog.names(Kind::Playbook) {
        match catalog.playbook(&name) {
            Ok(entry) => match unwritten(&entry.value) {
                0 => playbooks.push(entry.value),
                open => notes.push(format!(
                    "The playbook `{name}` is not used: {} still to be written (s2s playbook check {name}).",
                    counted(open, "sentence")
                )),
            },
            Err(error) => notes.push(format!("The playbook `{name}` is not used: {error}")),
        }
    }
    if let Err(error) = catalog.constraints() {
        notes.push(format!("The project's constraints are not used, only the built-in ones: {error}"));
    }
    (playbooks, notes)
}

/// What a role's file does not say, and what the offline panel makes of that.
fn lacking(role: &Role) -> Option<String> {
    let does = match (role.weighs.is_empty(), role.checklist.is_empty()) {
        (false, false) => return None,
        (true, false) => "no `weighs:`, so every criterion counts alike for it",
        (false, true) => {
            "no `checklist:`, so on an unknown topic it asks what stands in its text, or what anybody would"
        }
        (true, true) => {
            "no `weighs:` and no `checklist:`, so it counts every criterion alike, and on an unknown topic asks \
             what stands in its text, or what anybody would"
        }
    };
    Some(format!("Without a model, {} has no playbook of its own: its role file has {does}.", role.id))
}

impl Panel for OfflinePanel {
    fn ask(&self, call: Call<'_>) -> Answering {
        let reply = Reply::free(self.offline.reply(call.session, call.brief));
        Box::pin(std::future::ready(Ok(reply)))
    }

    fn aside(&self, call: AsideCall<'_>) -> Answering {
        let reply = Reply::free(self.offline.aside(call.session, call.seat, call.question));
        Box::pin(std::future::ready(Ok(reply)))
    }

    fn matrices(&self, session: &Session) -> Vec<Matrix> {
        self.offline.matrices(session)
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
