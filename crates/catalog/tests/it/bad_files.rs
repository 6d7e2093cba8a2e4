//! Bad files against the exact words said about them. Each case is a project with one file.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use s2s_catalog::Catalog;

/// Writes one file into an empty `.s2s` and compares all problems of a check.
#[track_caller]
fn check(file: &str, bytes: impl AsRef<[u8]>, expected: Expect) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join(file);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(&path, bytes).expect("a file");
    expected.assert_eq(&problems(dir.path()));
}

fn problems(dir: &Path) -> String {
    let report = Catalog::with_project(dir, Some(&dir.join("agents"))).check();
    let root = format!("{}/", dir.display());
    let lines = report.problems.iter().map(|problem| format!("{problem}\n").replace(&root, ""));
    lines.collect()
}

const GOOD_PHASE: &str = "  - name: talk\n    goal: g\n    directive: d\n";

fn strategy(head: &str, phases: &str) -> String {
    format!("name: own\nsummary: s\n{head}phases:\n{phases}")
}

#[test]
fn a_good_file_has_no_problem() {
    check("strategies/own.yaml", strategy("policy: {rule: consent}\n", GOOD_PHASE), expect![[""]]);
}

#[test]
fn an_unknown_key_suggests_the_nearest() {
    let phase = "  - name: talk\n    gaol: g\n    directive: d\n    colour: red\n";
    check(
        "strategies/own.yaml",
        strategy("policy: {rule: consent}\n", phase),
        expect![[r#"
        strategies/own.yaml:5:5: the key `goal` is missing
        strategies/own.yaml:6:5: unknown key `gaol`; did you mean `goal`? (allowed: name, goal, directive, min_rounds, asks, sees, tracks)
        strategies/own.yaml:8:5: unknown key `colour` (allowed: name, goal, directive, min_rounds, asks, sees, tracks)
    "#]],
    );
}

#[test]
fn every_flaw_of_a_file_is_said_at_once() {
    let head = "participation: paralel\npolicy: {rule: majority}\nleast_participants: 1\ntwo_sides: yes\nvotes: 3\n";
    let phases = "  - name: Talk It Over\n    goal: 12\n    directive: ''\n    min_rounds: 0\n    asks: some\n    sees: [everything]\n    tracks: maybe\n  - just text\n";
    check(
        "strategies/own.yaml",
        strategy(head, phases),
        expect![[r#"
        strategies/own.yaml:3:16: unknown value `paralel`; did you mean `parallel`? (allowed: parallel, sequential)
        strategies/own.yaml:4:16: unknown value `majority` (allowed: unanimous, simple_majority, weighted_majority, consent, facilitator_judgment)
        strategies/own.yaml:5:21: expected a whole number from 2 to 50, found the number 1
        strategies/own.yaml:6:12: expected true or false, found the text "yes"
        strategies/own.yaml:7:8: unknown value `3` (allowed: with_answers, ballot_round)
        strategies/own.yaml:9:11: `Talk It Over` cannot be a name here (allowed: lower case letters, digits and hyphens)
        strategies/own.yaml:10:11: expected text (put it in quotes if it is meant as text), found the number 12
        strategies/own.yaml:11:16: the text is empty
        strategies/own.yaml:12:17: expected a whole number from 1 to 100, found the number 0
        strategies/own.yaml:13:11: unknown value `some` (allowed: all, none)
        strategies/own.yaml:14:12: unknown value `everything` (allowed: last_synthesis, consensus, conflicts, earlier_syntheses, phase_before_answers, both_sides)
        strategies/own.yaml:15:13: expected true or false, found the text "maybe"
        strategies/own.yaml:16:5: expected a map of keys and values, found the text "just text"
    "#]],
    );
}

#[test]
fn a_strategy_must_make_sense() {
    let phases = "  - name: a\n    goal: g\n    directive: d\n    sees: [both_sides, consensus, consensus]\n  - name: a\n    goal: g\n    directive: d\n    asks: none\n  - name: c\n    goal: g\n    directive: d\n    sees: [phase_before_answers]\n";
    check(
        "strategies/own.yaml",
        strategy("policy: {rule: consent}\n", phases),
        expect![[r#"
        strategies/own.yaml:8:12: `both_sides` needs `two_sides: true`
        strategies/own.yaml:8:35: `consensus` is listed twice
        strategies/own.yaml:9:5: two phases are called `a`
        strategies/own.yaml:16:12: `phase_before_answers` shows nothing here: the phase before asks nobody
    "#]],
    );
    let first = "  - name: a\n    goal: g\n    directive: d\n    sees: [earlier_syntheses]\n";
    check(
        "strategies/own.yaml",
        strategy("policy: {rule: consent}\n", first),
        expect![[r#"
        strategies/own.yaml:8:12: `earlier_syntheses` shows nothing in the first phase: there is no phase before it
    "#]],
    );
    let alone = "  - name: a\n    goal: g\n    directive: d\n    asks: none\n";
    check(
        "strategies/own.yaml",
        strategy("policy: {rule: consent}\n", alone),
        expect![[r#"
        strategies/own.yaml:5:3: no phase asks the seats (`asks: all`), so nobody would speak
    "#]],
    );
    check(
        "strategies/own.yaml",
        strategy("policy: {rule: consent}\nleast_participants: 0\n", "  - name: a\n    goal: g\n    directive: d\n"),
        expect![[r#"
        strategies/own.yaml:6:3: a phase asks the seats, but `least_participants` is 0
    "#]],
    );
    check(
        "strategies/own.yaml",
        strategy("policy: {rule: consent}\n", "  []\n"),
        expect![[r#"
        strategies/own.yaml:5:3: there must be from 1 to 20 phases
    "#]],
    );
    check(
        "strategies/own.yaml",
        strategy("policy: {rule: weighted_majority, threshold: 0}\n", GOOD_PHASE),
        expect![[r#"
            strategies/own.yaml:3:46: expected a share above 0 and up to 1, found the number 0
        "#]],
    );
    check(
        "strategies/own.yaml",
        strategy("policy: {rule: consent, threshold: 0.5}\n", GOOD_PHASE),
        expect![[r#"
            strategies/own.yaml:3:36: `consent` counts no threshold (allowed: a threshold only with weighted_majority)
        "#]],
    );
    check(
        "strategies/other.yaml",
        strategy("policy: {rule: consent}\n", GOOD_PHASE),
        expect![[r#"
            strategies/other.yaml:1:7: the name is `own`, but the file is called `other`; they must be the same
        "#]],
    );
}

#[test]
fn a_phase_that_cannot_be_reached_is_named_with_the_reason() {
    let phases = "  - name: a\n    goal: g\n    directive: d\n    min_rounds: 10\n  - name: b\n    goal: g\n    directive: d\n    min_rounds: 11\n  - name: c\n    goal: g\n    directive: d\n";
    check(
        "strategies/own.yaml",
        strategy("policy: {rule: consent}\n", phases),
        expect![[r#"
        strategies/own.yaml:9:5: the phase `b` can never have its 11 rounds: the phases before it take at least 10, and max_rounds is 20
        strategies/own.yaml:9:5: the phase `b` wants at least 11 rounds, but max_rounds_per_phase is 10
        strategies/own.yaml:13:5: the phase `c` can never be reached: the phases before it take at least 21 rounds, and max_rounds is 20
    "#]],
    );
}

#[test]
fn yaml_itself_can_be_broken() {
    check(
        "strategies/own.yaml",
        "name: own\n\tsummary: s\n",
        expect![[r#"
        strategies/own.yaml:2:1: a tab stands where YAML wants spaces; indent with spaces
    "#]],
    );
    check(
        "strategies/own.yaml",
        "name: own\nname: own\n",
        expect![[r#"
        strategies/own.yaml:2:1: the key `name` is given twice, first in line 1
    "#]],
    );
    check(
        "strategies/own.yaml",
        "name: [own\n",
        expect![[r#"
        strategies/own.yaml:1:7: this is not YAML: unclosed bracket '['
    "#]],
    );
    check(
        "strategies/own.yaml",
        "",
        expect![[r#"
        strategies/own.yaml:1:1: expected a map of keys and values, found nothing
    "#]],
    );
    check(
        "strategies/own.yaml",
        "just text",
        expect![[r#"
        strategies/own.yaml:1:1: expected a map of keys and values, found the text "just text"
    "#]],
    );
    let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
    check(
        "strategies/own.yaml",
        bomb,
        expect![[r#"
        strategies/own.yaml:1:7: anchors and aliases (`&name`, `*name`) are not read; write the value out
    "#]],
    );
}

#[test]
fn what_is_not_text_is_a_problem_and_no_crash() {
    check(
        "roles/own.md",
        b"---\nname: own\n\0\n",
        expect![[r#"
        roles/own.md:3: is a binary file (it holds a zero byte); text is expected
    "#]],
    );
    check(
        "roles/own.md",
        b"---\nname: own\nd: \xff\xfe\n---\nx",
        expect![[r#"
        roles/own.md:3: is not UTF-8 text; save it as UTF-8
    "#]],
    );
    check(
        "roles/own.md",
        vec![b'a'; (1 << 20) + 1],
        expect![[r#"
        roles/own.md: is too large: 1048577 bytes, at most 1048576 are read
    "#]],
    );
    check(
        "roles/own.md/inside",
        "a folder where a file should be",
        expect![[r#"
        roles/own.md: is not a regular file
    "#]],
    );
    check(
        "roles",
        "a file where a folder should be",
        expect![[r#"
        roles: cannot be read as a folder: Not a directory (os error 20)
    "#]],
    );
}

#[test]
fn a_role_needs_frontmatter_and_text() {
    check(
        "roles/own.md",
        "# A role\n",
        expect![[r#"
        roles/own.md:1:1: there is no frontmatter (allowed: a first line `---`, the keys name and description, a line `---`, then text)
    "#]],
    );
    check(
        "roles/own.md",
        "---\nname: own\n",
        expect![[r#"
        roles/own.md:2:1: the frontmatter has no end (allowed: a first line `---`, the keys name and description, a line `---`, then text)
    "#]],
    );
    check(
        "roles/own.md",
        "---\nname: own\ndescription: d\n---\n",
        expect![[r#"
        roles/own.md:4:1: the role has no text below its frontmatter
    "#]],
    );
    check(
        "roles/own.md",
        "---\nname: other\nskils: a, b\nweighs:\n  cost: 9\n  simplicity: low\nchecklist: one\ncolor: red\n---\nText.\n",
        expect![[r#"
            roles/own.md:2:1: the key `description` is missing
            roles/own.md:2:7: the name is `other`, but the file is called `own`; they must be the same
            roles/own.md:3:1: unknown key `skils`; did you mean `skills`? (allowed: name, title, description, model, skills, weighs, checklist, blocks, voice)
            roles/own.md:5:9: expected a number from 0 to 5, found the number 9
            roles/own.md:6:15: expected a number from 0 to 5, found the text "low"
            roles/own.md:7:12: expected a list, found the text "one"
        "#]],
    );
    check(
        "roles/own.md",
        "---\nname: own\ndescription: d\nweighs:\n  securty: 5\n---\nText.\n",
        expect![[r#"
            roles/own.md:5: no playbook knows the criterion `securty`; did you mean `security`? (allowed: client-fit, compliance, cost, data-integrity, evolvability, operability, performance, portability, reliability, scalability, security, simplicity, team-skill, testability, time-to-value, tooling)
        "#]],
    );
    check(
        "agents/own.md",
        "no frontmatter\n",
        expect![[r#"
        agents/own.md:1:1: there is no frontmatter (allowed: a first line `---`, the keys name and description, a line `---`, then text)
    "#]],
    );
}

#[test]
fn an_agenda_must_be_whole_and_belong_to_a_workflow() {
    let topic = "  - id: t\n    name: T\n    about: a\n    questions: [q]\n    done_when: [d]\n";
    check("agendas/brainstorm.yaml", format!("workflow: brainstorm\nsummary: s\ntopics:\n{topic}"), expect![[""]]);
    check(
        "agendas/spec.yaml",
        format!("workflow: spec\nsummary: s\ntopics:\n{topic}"),
        expect![[r#"
        agendas/spec.yaml: no workflow is called `spec`; did you mean `specs`? (allowed: specs, design, brainstorm)
    "#]],
    );
    check(
        "agendas/specs.yaml",
        format!("workflow: design\nsummary: s\ntopics:\n{topic}{topic}  - id: u\n    questions: []\n"),
        expect![[r#"
            agendas/specs.yaml:1:11: the workflow is `design`, but the file is called `specs`; they must be the same
            agendas/specs.yaml:9:5: two topics have the id `t`
            agendas/specs.yaml:14:5: the key `name` is missing
            agendas/specs.yaml:14:5: the key `about` is missing
            agendas/specs.yaml:14:5: the key `done_when` is missing
            agendas/specs.yaml:15:16: the list is empty; at least one is needed
        "#]],
    );
}

#[test]
fn word_lists_lead_somewhere() {
    check(
        "words.yaml",
        "detection:\n  - strategy: debatte\n    words: [gegen]\n",
        expect![[r#"
        words.yaml:2:15: there is no strategy `debatte` that these words could suggest (allowed: standard, disney, debate, consensus-driven, six-hats, direct)
    "#]],
    );
    check(
        "words/de.yaml",
        "detection:\n  - strategy: debate\n    words: ['?']\nstop_word: [der]\n",
        expect![[r#"
        words/de.yaml:3:12: the list holds no word
        words/de.yaml:4:1: unknown key `stop_word`; did you mean `stop_words`? (allowed: replace, detection, critical_keywords, stop_words)
    "#]],
    );
}

#[test]
fn templates_are_compiled() {
    check(
        "templates/own.md.j2",
        "# {{ title }}\n\n{% for a in b %}\n",
        expect![[r#"
        templates/own.md.j2:3:15: the template cannot be read: unexpected end of input, expected end of block
    "#]],
    );
    check(
        "prompts/own.md.j2",
        "text\n{{ a b }}\n",
        expect![[r#"
        prompts/own.md.j2:2:6: the template cannot be read: unexpected identifier, expected end of variable block
    "#]],
    );
}

#[test]
fn a_file_that_is_not_read_is_named() {
    check(
        "strategies/own.yml",
        "name: own\n",
        expect![[r#"
        strategies/own.yml: is not read, because of its name (allowed: NAME.yaml)
    "#]],
    );
    check("roles/README.md", "how we write roles\n", expect![[""]]);
    check(
        "playbooks/other.yaml",
        "name: own\n",
        expect![[r#"
        playbooks/other.yaml:1:1: the key `criteria` is missing
        playbooks/other.yaml:1:1: the key `options` is missing
        playbooks/other.yaml:1:1: the key `signals` is missing
        playbooks/other.yaml:1:1: the key `subject` is missing
    "#]],
    );
}
