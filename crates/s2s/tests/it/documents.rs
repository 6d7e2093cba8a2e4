//! Documents from whole sessions: what they say. Where they go is in `shelf`, what no text can do to them in `hostile`.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use expect_test::expect_file;
use s2s::config::Config;
use s2s::convene::Convened;
use s2s::documents::{Shelf, Templates, render_document};
use s2s::engine::opening::OutputType;
use s2s::engine::record::{Escalation, Outcome, OutcomeStatus, RuledBy, Ruling, RulingChoice};
use s2s::engine::{Past, Session, Unattended};
use s2s::panel::{OfflinePanel, Panel};
use s2s::roundtable::{Chair, Deciding, Policy, Scribe, Surroundings, Word, interrupt};
use s2s::store::Minutes;
use s2s::{Failure, FailureKind};
use serde_json::json;

use crate::world::{Memory, Table, agreeable_with_votes, begin_with, catalog, script};

mod hostile;
#[cfg(unix)]
mod on_unix;
mod outcome;
mod shelf;

const KINDS: &[OutputType] = OutputType::ALL;

/// A finished session as a scribe gets it.
#[derive(Clone)]
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
    hold_as(table, panel, "20260102-030405-test")
}

fn hold_as(table: &Table, panel: Arc<dyn Panel>, id: &str) -> Record {
    let mut convened = table.convened(&*panel);
    id.clone_into(&mut convened.opening.id);
    hold_with(convened, panel, &mut Policy(Unattended::Accept))
}

fn hold_with(convened: Convened, panel: Arc<dyn Panel>, chair: &mut dyn Chair) -> Record {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let keeps = Keeps::default();
    let mut roundtable = begin_with(convened, panel);
    let mut around = Surroundings { audience: &mut Memory::default(), chair, scribe: &keeps, interrupt: interrupt().1 };
    runtime.block_on(roundtable.run(&mut around)).expect("runs");
    keeps.0.into_inner().unwrap().expect("the session ended")
}

fn offline() -> Arc<dyn Panel> {
    Arc::new(OfflinePanel::from_catalog(&catalog()).0)
}

fn templates() -> Templates {
    Templates::of(&catalog()).unwrap()
}

impl Record {
    fn document(&self, kind: OutputType) -> String {
        render_document(kind, &self.session, &self.minutes, &self.outcome, &templates()).unwrap()
    }

    fn of_type(mut self, kind: OutputType) -> Self {
        self.outcome.output_type = kind;
        self
    }

    fn write(&self, shelf: &Shelf) -> Result<Vec<String>, Failure> {
        shelf.write(&self.session, &self.minutes, &self.outcome)
    }
}

/// A panel that does not come together: one point carried, one blocked, one never voted on, a conflict
/// that stays open, a seat that falls silent, an objection to the context.
fn split() -> Record {
    hold(&split_table(), script(SPLIT))
}

fn split_table() -> Table {
    let mut config = Config::default();
    config.roundtable.limits.max_rounds = 3;
    config.roundtable.escalation.triggers.critical_keywords.clear();
    Table {
        topic: "Postgres vs MongoDB for order history",
        context: "# Parts shop\n\nSells parts to garages.\n\n## Constraints\n\n- Two developers",
        config,
        ..Table::default()
    }
}

const SPLIT: &str = r#"
replies:
  - {round: 1, kind: question, reply: {action: question, question: Which store fits the way orders are read?, context_summary: A parts shop, participants: all, focus: Reading patterns}}
  - {kind: question, reply: {action: question, question: What would make each of you agree?, context_summary: A parts shop, participants: all, focus: Reporting}}
  - {round: 1, seat: software-architect, reply: {position: Postgres keeps orders and reports in one place., confidence: 0.8, rationale: ["Postgres joins orders and invoices in one query", "MongoDB would need a second store for reports"], concerns: [Wide rows grow over the years]}}
  - {round: 1, seat: technical-lead, reply: {position: "MongoDB: an order is one document.", confidence: 0.7, rationale: [Reading one order is one lookup], concerns: [Reports across orders are slow], context_challenge: The context names no load; is it hundreds or millions of orders?}}
  - {round: 1, seat: qa-lead, reply: {position: Either can be tested., confidence: 0.6, rationale: [Both start in a container]}}
  - {round: 1, kind: synthesis, reply: {action: synthesis, synthesis: "Reading and reporting pull apart.\n\n- Reports want joins\n- Screens want one document", consensus: [Keep the order history behind one service interface, Answer order searches with a p95 latency under 200 ms], conflicts: [{id: store-kind, description: Which store holds the orders, positions: {software-architect: Postgres, technical-lead: MongoDB}}], next_action: continue}}
  - {round: 2, seat: software-architect, reply: {position: Postgres with a JSON column settles it., confidence: 0.85, rationale: [A JSON column holds the document], votes: {C1.1: support, C1.2: block}, reasons: {C1.2: nobody has measured it}}}
  - {round: 2, seat: technical-lead, reply: {position: MongoDB stays simpler to read., confidence: 0.7, rationale: [No mapping layer], votes: {C1.1: support, C1.2: {vote: block, reason: Nobody has measured the searches yet}}}}
  - {round: 2, seat: qa-lead, reply: {position: Postgres is what we can test today., confidence: 0.65, votes: {C1.1: support, C1.2: stand_aside}}}
  - {round: 2, kind: synthesis, reply: {action: synthesis, synthesis: Two lean to Postgres., next_action: continue, recommendation: Take Postgres and measure.}}
  - {round: 3, seat: software-architect, reply: {position: Postgres., confidence: 0.85, concerns: [Reports must not slow down orders]}}
  - {round: 3, seat: technical-lead, reply: {position: MongoDB still., confidence: 0.7}}
  - {round: 3, seat: qa-lead, fault: timeout}
  - {round: 3, kind: synthesis, reply: {action: synthesis, synthesis: No change., consensus: [Revisit the choice when a report takes longer than a minute], next_action: conclude, recommendation: Take Postgres and measure., output_type: adr}}
"#;

#[test]
fn every_document_says_that_no_model_took_part() {
    let record = split();
    for kind in KINDS {
        let text = record.document(*kind);
        assert!(text.contains("No language model takes part"), "{kind}:\n{text}");
    }
}

#[test]
fn the_documents_of_a_split_panel() {
    let record = split();
    expect_file!["documents/adr.md"].assert_eq(&record.document(OutputType::Adr));
    expect_file!["documents/requirements.md"].assert_eq(&record.document(OutputType::Requirements));
    expect_file!["documents/architecture.md"].assert_eq(&record.document(OutputType::Architecture));
    expect_file!["documents/summary.md"].assert_eq(&record.document(OutputType::Summary));
}

#[test]
fn c4_a_document_is_accepted_only_if_the_outcome_is() {
    let accepted = hold(&Table::default(), script(&agreeable_with_votes()));
    assert_eq!(accepted.outcome.status, OutcomeStatus::Accepted, "{:?}", accepted.outcome.reasons);
    let adr = accepted.document(OutputType::Adr);
    assert!(adr.starts_with("---\nstatus: accepted\n"), "{adr}");

    let proposed = split();
    assert_eq!(proposed.outcome.status, OutcomeStatus::Proposed);
    for kind in KINDS {
        let text = proposed.document(*kind);
        assert!(!text.to_lowercase().contains("status: accepted") && !text.contains("**accepted**"), "{text}");
        for reason in &proposed.outcome.reasons {
            assert!(text.contains(reason), "{kind} does not say: {reason}");
        }
    }
}

/// A person who decides whatever is put to them.
struct Owner;

impl Chair for Owner {
    fn rule<'a>(&'a mut self, _: &'a Session, escalation: &'a Escalation) -> Deciding<'a, Option<Ruling>> {
        let accepts = escalation.options.contains(&RulingChoice::AcceptContext);
        let ruling = Ruling {
            choice: if accepts { RulingChoice::AcceptContext } else { RulingChoice::Decide },
            text: Some("It is | Postgres".to_owned()),
            rounds: None,
            by: RuledBy::Person,
            name: Some("the owner".to_owned()),
            at: None,
            then: None,
        };
        Box::pin(std::future::ready(Some(ruling)))
    }

    fn after_round<'a>(&'a mut self, _: &'a Session) -> Deciding<'a, Word> {
        Box::pin(std::future::ready(Word::Continue))
    }
}

#[test]
fn c2_a_ruling_names_who_ruled() {
    let panel = script(SPLIT);
    let record = hold_with(split_table().convened(&*panel), panel, &mut Owner);
    let adr = record.document(OutputType::Adr);
    assert!(adr.contains("\"QA Lead\", \"the owner\"]\n"), "{adr}");
    let ruled = "Accepted the challenge to the context: It is \\| Postgres (X1, round 1, ruled by the owner)";
    assert!(adr.contains(ruled), "{adr}");
    let requirements = record.document(OutputType::Requirements);
    assert!(
        requirements.contains("**CON-001** It is \\| Postgres (X1, round 1, ruled by the owner)"),
        "{requirements}"
    );
}

#[test]
fn every_document_says_that_no_language_model_took_part() {
    let scripted = split();
    let unaided = hold(&rest_or_graphql("standard"), offline());
    for kind in KINDS {
        for (record, note) in [(&scripted, "the replies come from a script"), (&unaided, "built-in playbooks")] {
            let text = record.document(*kind);
            let head: String = text.lines().take(16).collect();
            assert!(head.contains("No language model takes part") && head.contains(note), "{kind}: {head}");
        }
    }
}

fn rest_or_graphql(strategy: &'static str) -> Table {
    Table {
        topic: "REST vs GraphQL for our public API",
        context: "# Parts shop\n\nSells parts to garages. Three developers.\n\n## Constraints\n\n- Partners call us over plain HTTP\n- A mobile app on slow networks",
        strategy,
        ..Table::default()
    }
}

/// The headings under which every item is something that was said or decided.
const SAID: [&str; 14] = [
    "Decision Drivers",
    "Decision Outcome",
    "Consequences",
    "REST",
    "GraphQL",
    "Functional requirements",
    "Key Decisions",
    "4. Solution Strategy",
    "5. Building Block View",
    "11. Risks and Technical Debt",
    "Reliability",
    "Performance efficiency",
    "Compatibility",
    "Dissent",
];

#[test]
fn c2_every_statement_names_its_round() {
    let mut checked = 0;
    for strategy in ["standard", "debate", "disney", "consensus-driven", "six-hats"] {
        let record = hold(&rest_or_graphql(strategy), offline());
        for kind in KINDS {
            let text = record.document(*kind);
            assert!(text.contains(record.minutes.id()), "{kind} does not name its session");
            let mut heading = "";
            for line in text.lines() {
                if line.starts_with('#') {
                    heading = line.trim_start_matches('#').trim();
                } else if line.starts_with("- ") && SAID.contains(&heading) {
                    let source = line.rsplit_once(" (").map_or("", |(_, source)| source);
                    assert!(source.contains("round ") && source.ends_with(')'), "{strategy} {kind}: {line}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 150, "only {checked} statements were looked at");
}

#[test]
fn the_adr_of_the_offline_panel_weighs_both_options() {
    for strategy in ["standard", "debate"] {
        let record = hold(&rest_or_graphql(strategy), offline());
        let text = record.document(OutputType::Adr);
        let part = |from: &str| text.split_once(from).unwrap_or_else(|| panic!("{strategy}: no {from}")).1;
        assert!(part("## Considered Options\n").starts_with("\n- REST\n- GraphQL\n"), "{text}");
        assert!(part("## Decision Outcome\n").starts_with("\nChosen option: **"), "{text}");
        let rest = part("\n### REST\n").split("\n### GraphQL\n").next().unwrap();
        assert!(rest.matches("- Good, because: ").count() >= 3, "{rest}");
        let graphql = part("\n### GraphQL\n").split("\n## ").next().unwrap();
        assert!(graphql.contains("GraphQL") && graphql.matches("\n- ").count() >= 3, "{graphql}");
    }
}

#[test]
fn without_a_tape_syntheses_and_conflicts_stand_in() {
    let record = split();
    let past = Past {
        rounds: record.minutes.rounds().to_vec(),
        escalations: record.minutes.escalations().to_vec(),
        interventions: record.minutes.interventions().to_vec(),
        current_phase: None,
        outcome: None,
    };
    let resumed = Session::fold(record.minutes.opening().unwrap(), past);
    assert!(resumed.answers_of(1).is_none());
    let text = Record { session: resumed, ..record }.document(OutputType::Adr);
    assert!(text.contains("The answers themselves are not on record."), "{text}");
    assert!(text.contains("- Reading and reporting pull apart. - Reports want joins"), "{text}");
    assert!(text.contains("**Technical Lead**: MongoDB (round 1, technical-lead)"), "{text}");
}

fn shelf(root: &Path) -> Shelf {
    fs::create_dir_all(root.join(".s2s/sessions")).unwrap();
    Shelf::new(root, &Config::default(), templates()).unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The project's own template, with a name that does not exist.
#[test]
fn a_template_that_cannot_be_filled_in_is_named_with_its_line() {
    let mut templates = templates();
    templates.adr.text = "# {{ title }}\n{{ verdict }}\n".into();
    let record = split();
    let failure =
        render_document(OutputType::Adr, &record.session, &record.minutes, &record.outcome, &templates).unwrap_err();
    assert!(
        failure.what.contains("adr") && failure.what.contains('2') && failure.what.contains("verdict"),
        "{failure}"
    );
    assert!(failure.next.unwrap().contains(".s2s/templates"));
}
