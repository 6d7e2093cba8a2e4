//! Documents from whole sessions: what they say, where they go, and what they never do.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use s2s::catalog::Kind;
use s2s::documents::{Shelf, Templates, render_document};
use s2s::engine::opening::{OutputType, Workflow};
use s2s::engine::record::Outcome;
use s2s::engine::{Session, Unattended};
use s2s::offline::Offline;
use s2s::panel::{OfflinePanel, Panel};
use s2s::roundtable::{Policy, Scribe, Surroundings, interrupt};
use s2s::store::Minutes;
use s2s::{Failure, FailureKind};

use crate::world::{Memory, Table, begin_with, catalog, script};

/// A finished session as a scribe gets it.
struct Record {
    session: Session,
    minutes: Minutes,
    outcome: Outcome,
}

/// Keeps what it is given, and writes nothing.
#[derive(Default)]
struct Keeps(Mutex<Option<Record>>);

impl Scribe for Keeps {
    fn write(&self, session: &Session, minutes: &Minutes, outcome: &Outcome) -> Result<Vec<String>, Failure> {
        let record = Record { session: session.clone(), minutes: minutes.clone(), outcome: outcome.clone() };
        *self.0.lock().unwrap() = Some(record);
        Ok(Vec::new())
    }
}

fn hold(table: &Table, panel: Arc<dyn Panel>) -> Record {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let keeps = Keeps::default();
    let mut convened = table.convened(&*panel);
    convened.opening.id = format!("20260102-030405-{}", s2s::engine::slug::slug(table.topic));
    let mut roundtable = begin_with(convened, panel);
    let mut around = Surroundings {
        audience: &mut Memory::default(),
        chair: &mut Policy(Unattended::Accept),
        scribe: &keeps,
        interrupt: interrupt().1,
    };
    runtime.block_on(roundtable.run(&mut around)).expect("runs");
    keeps.0.into_inner().unwrap().expect("the session ended")
}

fn offline() -> Arc<dyn Panel> {
    let catalog = catalog();
    let playbooks = catalog.names(Kind::Playbook).iter().map(|name| catalog.playbook(name).unwrap().value).collect();
    let roles = catalog.names(Kind::Role).iter().map(|name| catalog.role(name).unwrap().value).collect();
    Arc::new(OfflinePanel::new(Offline::new(playbooks, roles)))
}

fn templates() -> Templates {
    Templates::of(&catalog()).unwrap()
}

impl Record {
    fn document(&self, kind: OutputType) -> String {
        render_document(kind, &self.session, &self.minutes, &self.outcome, &templates()).unwrap()
    }
}

#[test]
fn preview() {
    for strategy in ["standard", "debate", "six-hats", "consensus-driven", "disney"] {
        let table = Table {
            topic: "REST vs GraphQL for our public API",
            context: "# Parts shop\n\nSells parts to garages. Three developers, all know HTTP.\n\n## Constraints\n\n- Partners integrate with plain HTTP clients\n- Mobile app on slow networks",
            strategy,
            ..Table::default()
        };
        let record = hold(&table, offline());
        for kind in [OutputType::Adr, OutputType::Summary, OutputType::Requirements, OutputType::Architecture] {
            fs::write(format!("/tmp/docs-{strategy}-{kind}.md"), record.document(kind)).unwrap();
        }
    }
}
