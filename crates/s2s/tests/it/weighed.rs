//! What is kept of the weighing when a session ends: once, before the document, and as it was then. Only seats without a model
//! weigh.

use std::sync::Arc;

use s2s::documents::{Beside, Templates, render_beside};
use s2s::engine::opening::OutputType;
use s2s::engine::record::Outcome;
use s2s::engine::{Session, Unattended};
use s2s::matrix::Matrix;
use s2s::offline::Offline;
use s2s::panel::{OfflinePanel, Panel};
use s2s::prompts::Charter;
use s2s::roundtable::{Policy, Roundtable, Scribe, Surroundings, interrupt};
use s2s::store::{InMemory, Keeper, Minutes};
use s2s::{Failure, catalog::Catalog};

use crate::world::{Memory, Still, Table, agreeable_with_votes, run, script};

fn offline() -> Arc<dyn Panel> {
    Arc::new(OfflinePanel::from_catalog(&Catalog::builtin()).0)
}

/// Cannot write.
struct Full;

impl Scribe for Full {
    fn write(&self, _: &Session, _: &Minutes, _: &Outcome) -> Result<Vec<String>, Failure> {
        Err(Failure::failed("the disk is full"))
    }
}

fn matrices(table: &Roundtable<InMemory>) -> Vec<Matrix> {
    let kept = table.keeper().matrices().unwrap();
    kept.into_iter().map(|value| serde_json::from_value(value).unwrap()).collect()
}

#[tokio::test]
async fn what_a_run_that_died_kept_of_this_end_holds_whatever_the_playbooks_say_since() {
    let mut table = Table::default().begin(offline());
    let (mut audience, mut chair) = (Memory::default(), Policy(Unattended::Accept));
    let mut around =
        Surroundings { audience: &mut audience, chair: &mut chair, scribe: &Full, interrupt: interrupt().1 };
    table.run(&mut around).await.unwrap_err();
    let before = matrices(&table);
    assert_eq!(before.len(), 1, "kept before the document is written");
    let forgetful: Arc<dyn Panel> = Arc::new(OfflinePanel::new(Offline::new(Vec::new(), Vec::new())));
    let (mut table, _) =
        Roundtable::take_up(table.into_keeper(), Charter::default(), forgetful, Arc::new(Still)).unwrap();
    run(&mut table, Unattended::Accept).await;
    assert_eq!(matrices(&table), before);
}

#[tokio::test]
async fn a_table_of_models_or_a_script_has_no_matrix() {
    let mut table = Table::default().begin(script(&agreeable_with_votes()));
    run(&mut table, Unattended::Accept).await;
    assert!(table.session().rounds().len() > 1 && matrices(&table).is_empty());
}

#[tokio::test]
async fn the_adr_tells_the_kept_matrix() {
    let mut table = Table::default().begin(offline());
    run(&mut table, Unattended::Accept).await;
    let kept = matrices(&table);
    let minutes = table.keeper().minutes();
    let templates = Templates::of(&Catalog::builtin()).unwrap();
    let outcome = minutes.outcome().unwrap();
    let document = |matrices: &[Matrix]| {
        let beside = Beside { matrices, ..Beside::default() };
        render_beside(OutputType::Adr, table.session(), minutes, outcome, &templates, &beside).unwrap()
    };
    let adr = document(&kept);
    assert!(adr.contains("## Decision Matrix\n") && adr.contains("| Criterion | REST | GraphQL |"), "{adr}");
    assert!(adr.contains(&format!("- **Result**: {}", kept[0].leads())), "{adr}");
    assert!(!document(&[]).contains("Decision Matrix"));
    let twice = document(&[kept[0].clone(), kept[0].clone()]);
    assert!(twice.contains("## Decision Matrix: API style\n"), "one section for each subject: {twice}");
}
