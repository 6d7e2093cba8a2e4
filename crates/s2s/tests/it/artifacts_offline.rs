//! The workflows of the offline panel from end to end: a table with a register, the loop, the minutes, the replay.

use std::collections::BTreeSet;
use std::sync::Arc;

use s2s::audit::{replay, verify};
use s2s::convene::{Request, convene};
use s2s::engine::artifact::{Artifact, ArtifactKind, Register};
use s2s::engine::opening::{Coverage, Workflow};
use s2s::engine::{Session, Unattended};
use s2s::panel::{OfflinePanel, Panel};
use s2s::roundtable::{Ended, Roundtable};
use s2s::store::{InMemory, Keeper};

use crate::world::{Table, begin_with, catalog, run, take_up};

const CONTEXT: &str = "# Library\n\nA lending library for tools in one town.\n\n## Objectives\n\n\
    - Members can reserve a tool until the evening before\n- Reduce the number of lost tools\n\n## Scope\n\n### In\n\n\
    - Reservations\n- Reminders by mail\n\n### Out\n\n- Selling tools\n\n## Constraints\n\n\
    - A tool may not be lent for more than 14 days\n- Pages answer within 2 seconds\n- Run by two volunteers\n";

const TOPIC: &str = "Tool library";

fn panel() -> Arc<dyn Panel> {
    Arc::new(OfflinePanel::from_catalog(&catalog()).0)
}

fn begin(workflow: Workflow, strategy: &str, topic: &str, context: &str, known: &[Artifact]) -> Roundtable<InMemory> {
    let panel = panel();
    let seats = ["business-analyst", "software-architect", "qa-lead", "ux-researcher"].map(String::from);
    let kinds = ArtifactKind::of_workflow(workflow).to_vec();
    let request = Request {
        id: "20260102-030405-test",
        topic,
        workflow,
        strategy,
        participants: &seats,
        people: &[],
        pro: &[],
        con: &[],
        output_type: None,
        context,
        register: Some(Register { kinds, known: known.to_vec(), ..Register::default() }),
        parent: None,
    };
    let convened = convene(request, &catalog(), &Table::default().config, &*panel).expect("the table can be set");
    begin_with(convened, panel)
}

async fn complete(name: &str, table: &mut Roundtable<InMemory>) -> Vec<Artifact> {
    // Nobody has to be asked: what the context does not say stays an open question.
    let (ended, _) = run(table, Unattended::Pause).await;
    assert!(matches!(ended, Ended::Completed(_)), "{name}: {ended:?}");
    let session = table.session();
    assert!(session.rounds().len() <= 12, "{name}: {} rounds", session.rounds().len());
    // A topic of which nothing is stated has questions only, and is no more than touched.
    let through = |topic: usize| session.coverage()[topic] != Coverage::Pending && !session.is_held_up_by(topic);
    assert!((0..session.coverage().len()).all(through), "{name}: {:?}", session.coverage());
    let made = made(session);
    let mut titles = BTreeSet::new();
    for artifact in &made {
        assert!(artifact.missing().is_empty(), "{name}: {} lacks {:?}", artifact.id, artifact.missing());
        assert!(titles.insert((artifact.id.kind, artifact.title.to_lowercase())), "{name}: {} twice", artifact.title);
    }
    let doubts: Vec<_> = session.rounds().iter().flat_map(|round| &round.doubts).collect();
    assert!(doubts.is_empty(), "{name}: {doubts:?}");
    let (minutes, tape) = (table.keeper().minutes(), table.keeper().lines());
    let report = replay(minutes, tape).expect("replays");
    assert!(report.is_clean() && report.identical, "{name}: {:?}", report.findings);
    let report = verify(minutes, tape).expect("verifies");
    assert!(report.findings.is_empty(), "{name}: {:?}", report.findings);
    made
}

fn made(session: &Session) -> Vec<Artifact> {
    let own = session.artifacts().filter(|holding| holding.is_own() && holding.status().is_live());
    own.map(|holding| holding.current().artifact.clone()).collect()
}

fn titles(artifacts: &[Artifact]) -> Vec<String> {
    artifacts.iter().map(|artifact| format!("{} {}", artifact.id, artifact.title)).collect()
}

fn count(artifacts: &[Artifact], kind: ArtifactKind) -> usize {
    artifacts.iter().filter(|artifact| artifact.id.kind == kind).count()
}

#[tokio::test]
async fn specs_come_from_the_context_and_the_design_serves_them() {
    let mut specs = begin(Workflow::Specs, "consensus-driven", TOPIC, CONTEXT, &[]);
    let wanted = complete("specs", &mut specs).await;
    for (kind, least) in [
        (ArtifactKind::Req, 4),
        (ArtifactKind::Br, 2),
        (ArtifactKind::Nfr, 1),
        (ArtifactKind::Ex, 1),
        (ArtifactKind::Oq, 3),
    ] {
        assert!(count(&wanted, kind) >= least, "{kind}: {:?}", titles(&wanted));
    }
    assert!(wanted.iter().filter(|artifact| artifact.id.kind.is_claim()).all(|artifact| artifact.point.is_some()));

    let mut design = begin(Workflow::Design, "debate", TOPIC, CONTEXT, &wanted);
    let built = complete("design", &mut design).await;
    assert!(count(&built, ArtifactKind::Arch) > 0 && count(&built, ArtifactKind::Comp) > 1, "{:?}", titles(&built));
    assert!(count(&built, ArtifactKind::Int) > 0, "{:?}", titles(&built));
    let serving = built.iter().filter(|artifact| artifact.id.kind == ArtifactKind::Comp);
    assert!(serving.flat_map(|artifact| &artifact.serves).all(|id| id.kind == ArtifactKind::Req));
}

#[tokio::test]
async fn an_empty_context_ends_in_open_questions() {
    for (workflow, strategy) in [(Workflow::Specs, "consensus-driven"), (Workflow::Design, "debate")] {
        let mut table = begin(workflow, strategy, TOPIC, "", &[]);
        let made = complete(workflow.as_str(), &mut table).await;
        assert!(count(&made, ArtifactKind::Oq) > 8, "{workflow}: {:?}", titles(&made));
        let invented =
            count(&made, ArtifactKind::Nfr) + count(&made, ArtifactKind::Br) + count(&made, ArtifactKind::Int);
        assert_eq!(invented, 0, "{workflow}: {:?}", titles(&made));
    }
}

#[tokio::test]
async fn a_brainstorm_ends_with_ideas_risks_and_mitigations() {
    for topic in ["REST vs GraphQL for the public API", "How do we get more volunteers"] {
        let mut table = begin(Workflow::Brainstorm, "disney", topic, CONTEXT, &[]);
        let made = complete(topic, &mut table).await;
        for kind in [ArtifactKind::Idea, ArtifactKind::Risk, ArtifactKind::Mit] {
            assert!(count(&made, kind) > 1, "{topic}: {kind} in {:?}", titles(&made));
        }
    }
}

#[tokio::test]
async fn a_session_that_was_interrupted_keeps_the_same_artifacts() {
    let mut whole = begin(Workflow::Specs, "standard", TOPIC, CONTEXT, &[]);
    let expected = complete("whole", &mut whole).await;
    let (minutes, tape) = begin(Workflow::Specs, "standard", TOPIC, CONTEXT, &[]).into_keeper().into_parts();
    let mut again = take_up(minutes, tape, panel());
    assert_eq!(complete("again", &mut again).await, expected);
}
