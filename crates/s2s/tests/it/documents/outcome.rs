//! What an ADR says was decided, by whom, and what speaks for and against it.

use s2s::engine::record::RulingChoice;

use super::*;

/// Two options that only a conflict names, and a person or a policy that ends it.
const STORES: &str = r#"
replies:
  - {kind: question, reply: {action: question, question: Which one?, context_summary: A shop, participants: all, focus: Fit}}
  - {seat: software-architect, reply: {position: A document store fits., confidence: 0.8, rationale: [One order is one lookup, "A relational database, 2 of 5 on reading", I give reading more weight], concerns: [Reports across orders are slow, "Not said yet: the load"], votes: {C1.1: support}}}
  - {seat: technical-lead, reply: {position: A relational database fits., confidence: 0.8, rationale: [A relational database joins in one query, A document store keeps one order together], concerns: [Wide rows grow over the years], votes: {C1.1: support}}}
  - {seat: qa-lead, reply: {position: A relational database can be tested today., confidence: 0.8, rationale: [Both start in a container], votes: {C1.1: support}}}
  - {kind: synthesis, reply: {action: synthesis, synthesis: They differ., consensus: [Keep orders behind one interface], conflicts: [{id: store-kind, description: "Where orders live: a document store or a relational database", positions: {software-architect: A document store fits., technical-lead: A relational database fits., qa-lead: A relational database can be tested today.}}], next_action: continue, recommendation: "A relational database, and measure."}}
"#;

fn stores(chair: &mut dyn Chair) -> String {
    let mut config = Config::default();
    config.roundtable.limits.max_rounds = 4;
    let panel = script(STORES);
    let table = Table { topic: "Where do orders live", config, ..Table::default() };
    hold_with(table.convened(&*panel), panel, chair).document(OutputType::Adr)
}

/// A person who gives these words as an own decision.
struct Says(&'static str);

impl Chair for Says {
    fn rule<'a>(&'a mut self, _: &'a Session, _: &'a Escalation) -> Deciding<'a, Option<Ruling>> {
        let ruling = Ruling {
            choice: RulingChoice::Decide,
            text: Some(self.0.to_owned()),
            rounds: None,
            by: RuledBy::Person,
            name: None,
            at: None,
            then: None,
        };
        Box::pin(std::future::ready(Some(ruling)))
    }

    fn after_round<'a>(&'a mut self, _: &'a Session) -> Deciding<'a, Word> {
        Box::pin(std::future::ready(Word::Continue))
    }
}

fn part<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let rest = text.split_once(from).unwrap_or_else(|| panic!("no {from} in {text}")).1;
    rest.split_once(to).map_or(rest, |(part, _)| part)
}

#[test]
fn a_persons_ruling_is_the_outcome_and_names_whom_it_overruled() {
    let adr = stores(&mut Says("We take a document store."));
    assert!(adr.contains("Chosen option: **Document store**, ruled by a person (X1, round 3)."), "{adr}");
    assert!(part(&adr, "**Status: ", "\n\n").ends_with("; ruled by a person: X1."), "{adr}");
    assert!(!adr.contains("carried every point"), "{adr}");
    let dissent = part(&adr, "\n## Dissent\n", "\n## ");
    let overruled = "- Overruled: A relational database fits. (round 4, technical-lead; overruled by X1 in round 3)";
    assert!(dissent.contains(overruled) && dissent.matches("- Overruled: ").count() == 2, "{dissent}");
    assert!(adr.contains("- **Who disagreed**: Technical Lead (overruled by X1); QA Lead (overruled by X1)"), "{adr}");
}

#[test]
fn an_own_decision_that_names_no_option_is_the_outcome_in_its_words() {
    let adr = stores(&mut Says("Keep the files we have for a year."));
    assert!(
        adr.contains("Chosen option: **Keep the files we have for a year**, ruled by a person (X1, round 3)."),
        "{adr}"
    );
    assert_eq!(part(&adr, "\n## Dissent\n", "\n## ").matches("- Overruled: ").count(), 3, "{adr}");
}

#[test]
fn what_a_policy_took_is_not_told_as_a_persons_decision() {
    let adr = stores(&mut Policy(Unattended::Accept));
    let chosen =
        "Chosen option: **Relational database**, taken by the unattended policy, no person decided (X1, round 3).";
    assert!(adr.contains(chosen), "{adr}");
}

#[test]
fn good_and_bad_follow_from_what_a_statement_is_about() {
    let adr = stores(&mut Says("We take a document store."));
    let consequences = part(&adr, "\n### Consequences\n", "\n### ");
    let items: Vec<&str> = consequences.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let starts =
        ["Good, because: One order is one lookup", "Bad, because: Reports across orders", "Also said: Not said yet"];
    assert_eq!(items.len(), starts.len(), "{consequences}");
    assert!(items.iter().zip(starts).all(|(item, start)| item.starts_with(start)), "{consequences}");
    let document = part(&adr, "\n### Document store\n", "\n### ");
    assert!(document.contains("- Also said: I give reading more weight"), "{document}");
    assert!(document.contains("- Neutral: A document store keeps one order together"), "{document}");
    let relational = part(&adr, "\n### Relational database\n", "\n## ");
    assert!(relational.contains("- Neutral: A relational database, 2 of 5 on reading"), "{relational}");
    assert!(relational.contains("- Good, because: A relational database joins"), "{relational}");
}

#[test]
fn a_sides_concerns_stand_under_the_other_side() {
    let record = hold(&rest_or_graphql("debate"), offline());
    let adr = record.document(OutputType::Adr);
    let sides = record.session.opening().sides.clone().unwrap();
    let of_pro: Vec<String> = (1..=record.session.rounds().len())
        .filter_map(|round| record.session.answers_of(u32::try_from(round).unwrap()))
        .flatten()
        .filter(|answer| sides.pro.contains(&answer.participant))
        .flat_map(|answer| answer.concerns.clone())
        .collect();
    let rest = part(&adr, "\n### REST\n", "\n### ");
    let pro_holds_rest = rest.contains(&format!(
        "**{}**",
        record.session.opening().seats.iter().find(|seat| sides.pro.contains(&seat.id)).unwrap().name
    ));
    let own = if pro_holds_rest { rest } else { part(&adr, "\n### GraphQL\n", "\n## ") };
    for concern in &of_pro {
        assert!(!own.contains(&format!("Bad, because: {concern}")), "{concern}\n{own}");
    }
    assert!(adr.contains("What the other side says against it:\n\n- Bad, because: "), "{adr}");
}

#[test]
fn seats_that_agree_hold_one_option() {
    let table = Table { topic: "How we serve partners", ..Table::default() };
    let adr = hold(&table, script(&agreeable_with_votes())).document(OutputType::Adr);
    let options = part(&adr, "## Considered Options\n\n", "\n\n");
    assert!(options.starts_with("- As the panel carried it: Use REST"), "{adr}");
    assert!(options.ends_with("; the panel saw no second one") && options.lines().count() == 1, "{adr}");
}

#[test]
fn only_a_ruling_that_decides_becomes_a_constraint() {
    let mut record = split();
    let escalations = record.session.escalations();
    assert!(escalations.iter().all(|escalation| escalation.ruling.is_some()));
    let requirements = record.document(OutputType::Requirements);
    assert!(!requirements.contains("CON-"), "{requirements}");
    let unsure = STORES
        .replace("0.8", "0.3")
        .replace("A relational database, and measure.", "Do not decide on this record alone.");
    let panel = script(&unsure.replace("conflicts: [{id", "was: [{id"));
    let table = Table { topic: "Where do orders live", ..Table::default() };
    record = hold(&table, panel);
    assert!(!record.session.escalations().is_empty());
    let requirements = record.document(OutputType::Requirements);
    assert!(!requirements.contains("CON-") && requirements.contains("\n### Rulings\n"), "{requirements}");
    assert!(requirements.contains("recommendation: Do not decide on this record alone."), "{requirements}");
}

#[test]
fn an_adr_is_dated_by_the_day_it_was_completed() {
    let record = split();
    let last = record.session.rounds().last().unwrap().timestamp.max(record.minutes.started());
    let adr = record.document(OutputType::Adr);
    assert!(adr.contains(&format!("\ndate: {}\n", last.strftime("%Y-%m-%d"))), "{adr}");
}
