//! What trials found of projects that go on: a brainstorm, then requirements, then a context that changes. Each test
//! is named after what went wrong there.

use s2s_engine::artifact::{Artifact, ArtifactKind, ArtifactStatus, Change};
use s2s_engine::opening::Workflow;

use super::super::test_table::{Held, hold};
use super::tests::{keeping, known, of, sound, titles, with_known};
use super::trials::{left_by, merged};

const TOOLS: &str = "# Tools\n\nTool rental.\n\n## Objectives\n- Rent out 500 tools a day\n\n## Scope\n### In\n\
    - Customers can reserve up to 3 tools\n- Waiting list for tools\n- Payment by card\n### Out\n- Repairs\n\n\
    ## Constraints\n- Uptime 99.9%\n";

fn brainstorm(topic: &str, context: &str, known: &[Artifact]) -> Held {
    hold(with_known(keeping(Workflow::Brainstorm, "disney", topic, context), known))
}

/// What a brainstorm and the requirements after it leave.
fn begun() -> Vec<Artifact> {
    let ideas = left_by(&brainstorm("How do we rent out more tools?", TOOLS, &[]));
    assert!(ideas.iter().any(|idea| idea.title == "Payment by card"));
    left_by(&merged(TOOLS, &for_specs(&ideas)))
}

/// What requirements are told of a brainstorm.
fn for_specs(artifacts: &[Artifact]) -> Vec<Artifact> {
    artifacts.iter().filter(|one| one.id.kind != ArtifactKind::Mit).cloned().collect()
}

fn live(held: &Held, kind: ArtifactKind) -> Vec<String> {
    let live = held.session.artifacts().filter(|holding| holding.status().is_live() && holding.id().kind == kind);
    live.map(|holding| holding.current().artifact.title.clone()).collect()
}

fn created(held: &Held) -> Vec<String> {
    let all = held.session.rounds().iter().flat_map(|round| &round.artifacts);
    all.filter(|one| one.change == Change::Created).map(|one| format!("{} {}", one.id, one.title)).collect()
}

#[test]
fn a_changed_figure_after_a_brainstorm_became_a_second_requirement() {
    let second = merged(&TOOLS.replace("500 tools", "800 tools").replace("up to 3", "up to 5"), &begun());
    assert_eq!(created(&second), [""; 0]);
    let wanted = live(&second, ArtifactKind::Req);
    for (new, old) in [("Rent out 800 tools a day", "500"), ("Customers can reserve up to 5 tools", "up to 3")] {
        let all = [wanted.clone(), live(&second, ArtifactKind::Nfr), live(&second, ArtifactKind::Br)].concat();
        assert!(all.iter().any(|title| title == new), "{all:?}");
        assert!(!all.iter().any(|title| title.contains(old)), "{all:?}");
    }
    let amended = second.session.artifacts().filter(|holding| holding.status() == ArtifactStatus::Amended).count();
    assert!(amended >= 2, "{amended}");
}

#[test]
fn ideas_brought_back_what_the_context_had_dropped() {
    let ideas: Vec<Artifact> =
        begun().into_iter().filter(|one| matches!(one.id.kind, ArtifactKind::Idea | ArtifactKind::Risk)).collect();
    let after = TOOLS
        .replace("- Waiting list for tools\n- Payment by card\n", "")
        .replace("- Repairs", "- Repairs\n- Payment by card\n- Gift vouchers");
    let own = [
        ideas,
        vec![
            known(ArtifactKind::Idea, 70, "Sell gift vouchers"),
            known(ArtifactKind::Idea, 71, "Lend tools to schools"),
        ],
    ]
    .concat();
    let replaced = merged(&after, &own);
    sound("replaced", &replaced);
    let wanted = live(&replaced, ArtifactKind::Req).join("; ");
    for gone in ["Payment", "Waiting list", "vouchers", "Repairs"] {
        assert!(!wanted.contains(gone), "{gone} in {wanted}");
    }
    assert!(wanted.contains("Lend tools to schools"), "{wanted}");
}

#[test]
fn an_unrelated_brainstorm_doubled_the_requirements() {
    let first = begun();
    let known: Vec<Artifact> = first.iter().filter(|one| one.id.kind == ArtifactKind::Idea).cloned().collect();
    let more = left_by(&brainstorm("Where do we keep events", TOOLS, &known));
    assert!(
        more.iter().any(|idea| idea.title == "Payment by card (Where do we keep events)"),
        "{:?}",
        titles(&more.iter().collect::<Vec<_>>())
    );
    let new = more.into_iter().filter(|one| !known.iter().any(|old| old.id == one.id));
    let second = merged(TOOLS, &for_specs(&first.into_iter().chain(new).collect::<Vec<_>>()));
    assert_eq!(created(&second), [""; 0]);
}

#[test]
fn an_idea_in_other_words_became_a_second_requirement() {
    let ideas = [
        known(ArtifactKind::Idea, 1, "A waiting list for the tools"),
        known(ArtifactKind::Idea, 2, "Uptime of 99.9%"),
        known(ArtifactKind::Idea, 3, "Let neighbours share a tool"),
        known(ArtifactKind::Idea, 4, "Let neighbours share a tool (Where do we keep events)"),
    ];
    let held = merged(TOOLS, &ideas);
    let wanted = of(&held.session, ArtifactKind::Req);
    let count = |word: &str| wanted.iter().filter(|one| one.title.to_lowercase().contains(word)).count();
    assert_eq!((count("waiting list"), count("uptime"), count("neighbours")), (1, 0, 1), "{:?}", titles(&wanted));
}

#[test]
fn a_line_dropped_from_the_context_was_never_mentioned() {
    let first = begun();
    let dropped = first.iter().find(|one| one.title == "Waiting list for tools" && one.id.kind == ArtifactKind::Req);
    let id = dropped.expect("kept").id;
    let question = format!("{id} \"Waiting list for tools\" is not in CONTEXT.md any more: withdraw it?");
    let after = TOOLS.replace("- Waiting list for tools\n", "");
    let second = merged(&after, &first);
    let asked: Vec<String> = titles(&of(&second.session, ArtifactKind::Oq));
    let asked: Vec<&String> = asked.iter().filter(|title| title.contains("any more")).collect();
    assert_eq!(asked, [&question]);
    // Asked once; answered when the line is back.
    assert_eq!(created(&merged(&after, &left_by(&second))), [""; 0]);
    let back = merged(TOOLS, &left_by(&second));
    let resolved = back.session.artifacts().find(|holding| holding.current().artifact.title == question);
    assert_eq!(resolved.expect("known").status(), ArtifactStatus::Resolved);
    // What moved out of scope is asked about as a contradiction, and a session without context asks nothing.
    let moved = merged(&after.replace("- Repairs", "- Repairs\n- Waiting list for tools"), &first);
    let asked = titles(&of(&moved.session, ArtifactKind::Oq)).join("; ");
    assert!(asked.contains("Is this in or out: waiting list") && !asked.contains("any more"), "{asked}");
    let bare = titles(&of(&merged("", &first).session, ArtifactKind::Oq)).join("; ");
    assert!(!bare.contains("any more"), "{bare}");
}

#[test]
fn requirements_did_not_refer_to_the_ideas_behind_them() {
    let first = begun();
    for idea in first.iter().filter(|one| one.id.kind == ArtifactKind::Idea && TOOLS.contains(&one.title)) {
        let serving = first.iter().find(|one| one.serves.contains(&idea.id));
        let serving = serving.unwrap_or_else(|| panic!("nothing serves {} {}", idea.id, idea.title));
        assert_eq!(serving.title, idea.title);
    }
}

#[test]
fn risks_of_the_context_were_in_no_artifact() {
    let context = format!("{TOOLS}\n## Risks\n- Customers lose tools\n- The card reader breaks\n");
    let storm = brainstorm("How do we rent out more tools?", &context, &[]);
    sound("risks", &storm);
    let risks = titles(&of(&storm.session, ArtifactKind::Risk));
    for risk in ["Customers lose tools", "The card reader breaks"] {
        assert!(risks.iter().any(|title| title == risk), "{risks:?}");
    }
    let asked = |held: &Held| titles(&of(&held.session, ArtifactKind::Oq)).join("; ");
    let alone = asked(&merged(&context, &[]));
    assert!(alone.contains("What is done about this risk: customers lose tools?"), "{alone}");
    assert!(alone.contains("this risk: the card reader breaks?"), "{alone}");
    let after = asked(&merged(&context, &for_specs(&left_by(&storm))));
    assert!(!after.contains("this risk"), "{after}");
}

#[test]
fn the_panel_said_that_stated_figures_were_not_stated() {
    let context = "## Scope\n### In\n- Tenants can rent a locker\n\n## Constraints\n- Available 99.5% during opening hours\n\
        - 95% of pages answer within 300 ms at 200 concurrent users\n";
    let held = merged(context, &[]);
    sound("figures", &held);
    let qualities = of(&held.session, ArtifactKind::Nfr);
    let said = |word: &str| {
        let one = qualities.iter().find(|one| one.title.contains(word)).unwrap_or_else(|| panic!("{word}"));
        (one.details.characteristic.as_deref(), one.details.target.as_deref())
    };
    assert_eq!(said("Available"), (Some("Reliability"), Some("99.5%")));
    let target = "within 300 ms for 95% of pages at 200 concurrent users";
    assert_eq!(said("pages"), (Some("Performance efficiency"), Some(target)));
    let asked = of(&held.session, ArtifactKind::Oq);
    let untrue =
        |one: &&&Artifact| one.text.contains("names no load") || one.text.contains("nothing about availability");
    assert!(asked.iter().find(untrue).is_none(), "{asked:#?}");
    let wanted = titles(&of(&held.session, ArtifactKind::Req));
    assert!(!wanted.iter().any(|title| title.contains("the users")), "{wanted:?}");
}
