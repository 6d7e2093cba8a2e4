//! What ships is whole: every file is embedded, every file loads.

use std::fs;
use std::path::Path;

use s2s_catalog::{Catalog, Kind, detect};
use s2s_engine::strategy::{Asks, PolicyRule, Sees, Votes};

#[test]
fn every_file_under_data_is_embedded() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let catalog = Catalog::builtin();
    let mut folders: Vec<_> = fs::read_dir(&data).expect("a folder").flatten().collect();
    folders.sort_by_key(|folder| folder.file_name());
    for folder in folders {
        let name = folder.file_name().into_string().expect("text");
        let kind = Kind::ALL.iter().copied().find(|kind| kind.folder() == name).expect(&name);
        for file in fs::read_dir(folder.path()).expect("a folder").flatten() {
            let file_name = file.file_name().into_string().expect("text");
            let item = file_name.strip_suffix(kind.ending()).expect(&file_name);
            let shown = catalog.show(kind, item).expect("in the table of builtin.rs");
            assert_eq!(shown.text, fs::read_to_string(file.path()).expect("text"), "{file_name}");
        }
    }
}

#[test]
fn every_shipped_file_is_good() {
    let report = Catalog::builtin().check();
    assert_eq!(report.problems, []);
    assert_eq!(report.files, Catalog::builtin().list().len());
    assert_eq!(report.strategies.len(), 6);
}

#[test]
fn a3_the_shipped_agendas_hold_the_topics_of_the_rules() {
    let topics = |workflow| {
        let agenda = Catalog::builtin().agenda(workflow).expect("good").expect("there").value;
        for topic in &agenda.topics {
            assert!((3..=5).contains(&topic.questions.len()), "{}", topic.id);
        }
        let mark = |t: s2s_engine::opening::Topic| format!("{}{}", t.id, if t.critical { "!" } else { "" });
        agenda.topics().into_iter().map(mark).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        topics("specs"),
        "user-workflows! functional-requirements! business-rules nfr-measurable acceptance-criteria out-of-scope"
    );
    assert_eq!(topics("design"), "high-level-arch! components! data-flow tech-choices integration");
}

#[test]
fn the_shipped_strategies_are_those_of_the_table() {
    let line = |name: &str| {
        let strategy = Catalog::builtin().strategy(name).expect("good").value;
        let phases = strategy.phases.iter().map(|phase| {
            let alone = if phase.asks == Asks::None { "~" } else { "" };
            let tracks = if phase.tracks { "*" } else { "" };
            assert_eq!(phase.min_rounds, 1);
            format!("{}{alone}{tracks}", phase.name)
        });
        format!("{}: {}", strategy.policy.rule.as_str(), phases.collect::<Vec<_>>().join(" "))
    };
    assert_eq!(line("standard"), "weighted_majority: discussion*");
    assert_eq!(line("disney"), "weighted_majority: dreamer realist critic*");
    assert_eq!(line("debate"), "facilitator_judgment: opening rebuttal closing*");
    assert_eq!(line("consensus-driven"), "consent: proposal discussion* resolution*");
    assert_eq!(line("six-hats"), "facilitator_judgment: blue-opening~ white red black yellow green blue-closing~*");
    assert_eq!(line("direct"), "facilitator_judgment: drawing-up~");
}

#[test]
fn only_the_debate_votes_in_a_ballot_round_alone() {
    for name in Catalog::builtin().names(Kind::Strategy) {
        let strategy = Catalog::builtin().strategy(&name).expect("good").value;
        assert_eq!(strategy.votes == Votes::BallotRound, name == "debate", "{name}");
        assert_eq!(strategy.two_sides, name == "debate", "{name}");
        let share = if strategy.policy.rule == PolicyRule::WeightedMajority { Some(0.6) } else { None };
        assert!(share.is_none_or(|share| share == strategy.policy.threshold), "{name}");
    }
}

/// Strategies.md says what a seat sees; beyond it, only the open conflicts where they are tracked.
#[test]
fn a_phase_shows_its_seats_what_the_table_says() {
    use Sees::{BothSides, Conflicts, Consensus, EarlierSyntheses, LastSynthesis, PhaseBeforeAnswers};
    let table: [(&str, &[&[Sees]]); 5] = [
        ("standard", &[&[LastSynthesis, Consensus, Conflicts]]),
        ("disney", &[&[LastSynthesis], &[EarlierSyntheses], &[EarlierSyntheses, Conflicts]]),
        ("debate", &[&[], &[BothSides], &[BothSides]]),
        ("consensus-driven", &[&[], &[PhaseBeforeAnswers, Conflicts], &[PhaseBeforeAnswers, Conflicts]]),
        (
            "six-hats",
            &[
                &[],
                &[LastSynthesis],
                &[LastSynthesis],
                &[EarlierSyntheses],
                &[EarlierSyntheses],
                &[EarlierSyntheses],
                &[EarlierSyntheses],
            ],
        ),
    ];
    for (name, expected) in table {
        let strategy = Catalog::builtin().strategy(name).expect("good").value;
        let sees: Vec<_> = strategy.phases.iter().map(|phase| phase.sees.as_slice()).collect();
        assert_eq!(sees, expected, "{name}");
    }
}

#[test]
fn t2_every_shipped_word_is_found_alone() {
    let words = Catalog::builtin().words().expect("words").value;
    for hint in &words.detection {
        assert!(!hint.reason.is_empty());
        for word in &hint.words {
            let found = detect(&word.to_uppercase(), &words).expect(word);
            assert_eq!((&found.strategy, &found.word), (&hint.strategy, word));
        }
    }
}

#[test]
fn every_constraint_stands_in_the_documentation_with_its_words() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/playbooks.md");
    let docs = fs::read_to_string(docs).expect("the page on playbooks");
    let constraints = Catalog::builtin().constraints().expect("good").value;
    assert!(constraints.list.len() >= 15);
    for constraint in &constraints.list {
        let row = format!("| {} | `{}` | {} | ", constraint.about, constraint.id, constraint.when.join(", "));
        assert!(docs.contains(&row), "docs/playbooks.md has no row: {row}");
    }
    let words = &constraints.words;
    for phrase in [&words.demands, &words.forbids, &words.has].into_iter().flat_map(|b| b.before.iter().chain(&b.after))
    {
        assert!(docs.contains(phrase.as_str()), "docs/playbooks.md does not say: {phrase}");
    }
}
