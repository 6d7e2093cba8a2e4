//! What prompts hold, and what they must not (L2, L3), over all strategies.

use s2s::audit;
use s2s::engine::Unattended;
use s2s::engine::record::RoundKind;
use s2s::engine::step::CallKind;
use s2s::store::{Keeper, Taped};

use crate::world::{Table, agreeable_with_votes, run, script};

fn prompts(lines: &[s2s::store::TapeLine], kind: CallKind) -> Vec<(u32, String, String)> {
    lines
        .iter()
        .filter_map(|line| match &line.what {
            Taped::Asked(asked) if asked.call.kind == kind => {
                let whole = format!("{}\n{}", asked.prompt.system, asked.prompt.user);
                Some((asked.call.round, asked.call.seat.to_string(), whole))
            }
            _ => None,
        })
        .collect()
}

const POSITIONS: [(&str, &str); 3] = [
    ("software-architect", "Take the plain one because it is simple to keep"),
    ("technical-lead", "I would go with what the team can already do"),
    ("qa-lead", "Whatever can be tested without a browser is fine by me"),
];

#[tokio::test]
async fn l2_no_first_round_prompt_holds_an_answer_in_any_strategy() {
    for strategy in ["standard", "disney", "debate", "consensus-driven", "six-hats"] {
        let mut table = Table { strategy, ..Table::default() }.begin(script(&agreeable_with_votes()));
        run(&mut table, Unattended::Accept).await;
        let lines = table.keeper().lines();
        let first =
            prompts(lines, CallKind::Response).iter().map(|(round, ..)| *round).min().expect("somebody was asked");
        for (round, seat, prompt) in prompts(lines, CallKind::Response) {
            if round == first {
                let leak = POSITIONS.iter().find(|(_, position)| prompt.contains(position));
                assert!(leak.is_none(), "{strategy}: {seat} saw {leak:?} in round {round}");
            }
        }
        let report = audit::verify(table.keeper().minutes(), lines).expect("verifies");
        assert!(report.is_clean(), "{strategy}: {:?}", report.findings);
        assert!(report.prompts > 0);
    }
}

#[tokio::test]
async fn l2_in_sequence_a_seat_sees_the_answers_before_its_own() {
    let mut table = Table::default();
    let panel = script(&agreeable_with_votes());
    let mut convened = table.convened(&*panel);
    convened.opening.settings.method.participation = s2s::engine::strategy::Participation::Sequential;
    table.strategy = "standard";
    let mut sequential = crate::world::begin_with(convened, panel);
    run(&mut sequential, Unattended::Pause).await;
    let first: Vec<(String, usize)> = prompts(sequential.keeper().lines(), CallKind::Response)
        .into_iter()
        .filter(|(round, ..)| *round == 1)
        .map(|(_, seat, prompt)| (seat, POSITIONS.iter().filter(|(_, p)| prompt.contains(p)).count()))
        .collect();
    let expected = [("software-architect", 0), ("technical-lead", 1), ("qa-lead", 2)];
    assert_eq!(first, expected.map(|(seat, seen)| (seat.to_owned(), seen)));
}

#[tokio::test]
async fn l3_a_seat_gets_the_facilitators_summary_not_the_whole_context() {
    let context = "SECRET-OF-THE-FILE: only the facilitator gets CONTEXT.md itself.";
    let mut table = Table { context, ..Table::default() }.begin(script(&agreeable_with_votes()));
    run(&mut table, Unattended::Pause).await;
    let lines = table.keeper().lines();
    for (_, seat, prompt) in prompts(lines, CallKind::Response) {
        assert!(!prompt.contains("SECRET-OF-THE-FILE"), "{seat} saw the file");
        assert!(prompt.contains("A web shop with two developers"), "{seat} did not get the summary");
    }
    assert!(prompts(lines, CallKind::Question)[0].2.contains("SECRET-OF-THE-FILE"));
    for (_, _, prompt) in prompts(lines, CallKind::Synthesis).into_iter().chain(prompts(lines, CallKind::Question)) {
        assert!(!prompt.contains("schema_version"), "nobody gets the session file");
    }
}

#[tokio::test]
async fn l3_a_phase_shows_only_what_it_names() {
    let mut table = Table { strategy: "debate", ..Table::default() }.begin(script(&agreeable_with_votes()));
    run(&mut table, Unattended::Accept).await;
    let phases: Vec<&str> = table.session().rounds().iter().map(|round| round.phase.as_str()).collect();
    for (round, seat, prompt) in prompts(table.keeper().lines(), CallKind::Response) {
        let others = POSITIONS.iter().filter(|(other, p)| *other != seat && prompt.contains(p)).count();
        match phases[round as usize - 1] {
            "opening" => assert_eq!(others, 0, "the opening is blind"),
            "rebuttal" => assert!(others > 0, "a rebuttal answers something"),
            _ => {}
        }
        assert!(prompt.contains("Your side:"), "each seat is told its side in every phase (T3)");
        assert_eq!(
            prompt.contains("Vote as yourself"),
            table.session().rounds()[round as usize - 1].kind == RoundKind::Ballot
        );
    }
}
