//! Which strategy a topic suggests.

use std::fs;

use s2s_catalog::{Catalog, detect};

#[test]
fn t2_whole_words_suggest_a_strategy_in_order() {
    let words = Catalog::builtin().words().expect("words").value;
    let table = [
        ("REST vs GraphQL for our public API", Some(("debate", "vs"))),
        ("REST VS. GraphQL", Some(("debate", "vs"))),
        ("Postgres versus MongoDB", Some(("debate", "versus"))),
        ("Help us choose a queue", Some(("debate", "choose"))),
        ("What lies between us and launch", Some(("debate", "between"))),
        ("Look at caching from all angles", Some(("six-hats", "all angles"))),
        ("Look at caching from ALL\n angles!", Some(("six-hats", "all angles"))),
        ("A thorough review", Some(("six-hats", "thorough"))),
        ("We need this asap", Some(("consensus-driven", "asap"))),
        ("A new onboarding", Some(("disney", "new"))),
        ("(brainstorm) names", Some(("disney", "brainstorm"))),
        // The order of the list decides, not the order of the topic.
        ("A quick, creative way to compare tools", Some(("debate", "compare"))),
        ("A new, fast and thorough review", Some(("six-hats", "thorough"))),
        ("new and urgent", Some(("consensus-driven", "urgent"))),
        // Parts of words are not words.
        ("Renewal of the newsletter", None),
        ("Breakfast canvas", None),
        ("decided choices, comparison", None),
        ("angles of all kinds", None),
        ("", None),
        ("🚀🚀🚀", None),
    ];
    for (topic, expected) in table {
        let found = detect(topic, &words);
        let found = found.as_ref().map(|found| (found.strategy.as_str(), found.word.as_str()));
        assert_eq!(found, expected, "{topic:?}");
    }
}

#[test]
fn t2_a_project_adds_words_of_its_language() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join("words")).expect("a folder");
    let german = "detection:\n  - strategy: debate\n    words: [gegen, Vergleich]\n  - strategy: own\n    reason: r\n    words: [sonstiges]\ncritical_keywords: [Datenschutz, SECURITY]\n";
    fs::write(dir.path().join("words/de.yaml"), german).expect("a file");
    let chinese = "detection:\n  - strategy: debate\n    words: [比较]\n";
    fs::write(dir.path().join("words.yaml"), chinese).expect("a file");
    let words = Catalog::with_project(dir.path(), None).words().expect("words").value;
    let strategy = |topic| detect(topic, &words).map(|found| found.strategy);
    assert_eq!(strategy("REST gegen GraphQL").as_deref(), Some("debate"));
    assert_eq!(strategy("Ein neuer vergleich, quick").as_deref(), Some("debate"));
    assert_eq!(strategy("请比较两种方案").as_deref(), Some("debate"));
    assert_eq!(strategy("Sonstiges, but new").as_deref(), Some("disney"));
    assert_eq!(strategy("Sonstiges").as_deref(), Some("own"));
    assert_eq!(words.critical_keywords, ["security", "must-have", "blocking", "legal", "Datenschutz"]);
    assert!(!words.detection[0].reason.is_empty(), "the built-in reason stays");
}

#[test]
fn t2_a_project_can_replace_a_list() {
    let dir = tempfile::tempdir().expect("a folder");
    let own = "replace: true\ndetection:\n  - strategy: standard\n    words: [plain]\n";
    fs::write(dir.path().join("words.yaml"), own).expect("a file");
    let words = Catalog::with_project(dir.path(), None).words().expect("words").value;
    assert_eq!(detect("A new tool", &words), None);
    assert_eq!(detect("A plain talk", &words).map(|found| found.strategy).as_deref(), Some("standard"));
    assert_eq!(words.critical_keywords.len(), 4, "a list that is not named stays");
}
