//! Generated parts over edits: what is renewed, kept, placed, dropped, and refused.

use super::fence::{Piece, fresh, pieces};
use super::weave::{Answers, Edit, Kept, Loom, Settle, Woven};

/// A draft from lines: `# NAME` begins a section with a heading and a frame, `NAME: text` is a member of it.
fn draft(lines: &str) -> Vec<Piece> {
    let mut text = String::from("# Title\n\n");
    let part =
        |name: &str, inside: &str| format!("<!-- s2s:part {name} -->\n\n{inside}\n\n<!-- s2s:end {name} -->\n\n");
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match (line.strip_prefix("# "), line.split_once(": ")) {
            (Some(name), _) => text.push_str(&format!("## About {name}\n\n{}", part(name, &format!("All of {name}.")))),
            (None, Some((id, words))) => text.push_str(&part(id, &format!("### {id}\n\n{words}"))),
            _ => panic!("{line}"),
        }
    }
    pieces(&(text.trim_end().to_owned() + "\n"), "the draft").unwrap()
}

/// Weaves; every edit that is asked about gets this answer.
fn settled(old: &str, new: &[Piece], settle: Settle) -> (Woven, Vec<Edit>) {
    let loom = Loom::new(old, new, "a.md").unwrap();
    let edits = loom.edits();
    let answers: Answers = edits.iter().map(|edit| (edit.part.clone(), settle)).collect();
    (loom.weave(&answers), edits)
}

fn unasked(old: &str, new: &[Piece]) -> String {
    let (woven, edits) = settled(old, new, Settle::Mine);
    assert_eq!(edits, []);
    woven.text
}

/// The lines that matter: headings, words, and names of parts; no blank lines, no digests.
fn gist(text: &str) -> Vec<String> {
    assert!(!text.contains("\n\n\n"), "two blank lines:\n{text}");
    let short = |line: &str| match line.strip_prefix("<!-- s2s:part ").and_then(|rest| rest.split_once(' ')) {
        Some((name, rest)) => format!("{name}{}", if rest.contains(" kept") { "!" } else { "" }),
        None => line.to_owned(),
    };
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("<!-- s2s:end")).map(short).collect()
}

const TWO: &str = "# req\n REQ-001: one\n REQ-002: two\n # rules\n BR-001: rule\n # table";

#[test]
fn bug_an_edit_in_one_artifact_froze_its_whole_section() {
    let mine = fresh(&draft(TWO)).replace("\none\n", "\nmy one\n");
    let grown =
        "# req\n REQ-001: one\n REQ-002: zwei\n REQ-003: three\n REQ-004: four\n REQ-005: five\n # rules\n # table";
    let (woven, edits) = settled(&mine, &draft(grown), Settle::Mine);
    assert_eq!(edits.iter().map(|edit| edit.part.as_str()).collect::<Vec<_>>(), ["REQ-001"]);
    let expected = [
        "# Title",
        "## About req",
        "req",
        "All of req.",
        "REQ-001!",
        "### REQ-001",
        "my one",
        "REQ-002",
        "### REQ-002",
        "zwei",
        "REQ-003",
        "### REQ-003",
        "three",
        "REQ-004",
        "### REQ-004",
        "four",
        "REQ-005",
        "### REQ-005",
        "five",
        "## About rules",
        "rules",
        "All of rules.",
        "## About table",
        "table",
        "All of table.",
    ];
    assert_eq!(gist(&woven.text), expected);
    let again = settled(&woven.text, &draft(grown), Settle::Mine);
    assert_eq!(again.0.text, woven.text, "again changes nothing");
    assert!(again.1.iter().all(|edit| edit.again), "and nobody need be asked: {:?}", again.1);
    let taken = settled(&woven.text, &draft(grown), Settle::Generated).0;
    assert_eq!(taken.text, fresh(&draft(grown)), "whoever asks for the generated text gets it, even later");
}

/// The old file with the new draft has these lines in a row.
#[track_caller]
fn stands(what: &str, old: &str, new: &[Piece], expected: &str) {
    let text = unasked(old, new);
    assert_eq!(old.contains('\r'), text.contains("\r\n"), "{what}");
    let plain = text.replace("\r\n", "\n");
    let lines = gist(&plain);
    let kept = |line: &&String| !line.starts_with("### R") && !line.starts_with("### B") && !line.starts_with("All of");
    let kept = |line: &&String| kept(line) && !["one", "two", "three", "rule"].contains(&line.as_str());
    let words: Vec<&str> = lines.iter().filter(kept).map(|line| line.trim_start_matches(['#', ' '])).collect();
    assert!(words.join(" ").contains(expected), "{what}: {expected}\n{words:?}\n{text}");
    assert_eq!(unasked(&text, new), text, "{what}: again changes nothing");
    assert!(plain.ends_with('\n') && !plain.ends_with("\n\n"), "{what}: {plain:?}");
}

/// What becomes of a file of `TWO` after a person's change, with another draft: where lines stand.
#[test]
fn parts_are_placed_dropped_and_left_where_people_put_them() {
    let three = "# req\n REQ-001: one\n REQ-002: two\n REQ-003: three\n # rules\n BR-001: rule\n # table";
    let part = |text: &str, id: &str| {
        let (from, to) = (text.find(&format!("<!-- s2s:part {id} ")).unwrap(), format!("<!-- s2s:end {id} -->\n\n"));
        text[from..text.find(&to).unwrap() + to.len()].to_owned()
    };
    let whole = fresh(&draft(TWO));
    let (one, two, rule) = (part(&whole, "REQ-001"), part(&whole, "REQ-002"), part(&whole, "BR-001"));
    let frame = part(&whole, "req");
    for (what, old, new, expected) in [
        (
            "a new one comes after the last of its section",
            whole.clone(),
            three,
            "req REQ-001 REQ-002 REQ-003 About rules",
        ),
        (
            "a part moved up stays there, and the next one follows it",
            whole.replace(&two, "").replace(&one, &format!("{two}{one}")),
            three,
            "req REQ-002 REQ-003 REQ-001 About rules",
        ),
        (
            "a part moved to another section draws no new one there",
            whole.replace(&two, "").replace(&rule, &format!("{rule}{two}")),
            three,
            "req REQ-001 REQ-003 About rules rules BR-001 REQ-002",
        ),
        ("a deleted part comes back to its place", whole.replace(&one, ""), TWO, "req REQ-001 REQ-002 About rules"),
        (
            "so does a deleted frame",
            whole.replace(&frame, ""),
            three,
            "About req req REQ-001 REQ-002 REQ-003 About rules",
        ),
        (
            "and a whole section with its heading",
            whole.replace(&format!("## About rules\n\n{}{rule}", part(&whole, "rules")), ""),
            TWO,
            "REQ-002 About rules rules BR-001 About table",
        ),
        (
            "a part of what is gone goes",
            whole.clone(),
            "# req\n REQ-002: two\n # rules\n # table",
            "req REQ-002 About rules rules About table",
        ),
        (
            "words below a part stay below it",
            whole.replace(&two, &format!("{two}My words.\n\n")),
            three,
            "REQ-002 My words. REQ-003 About rules",
        ),
        (
            "a heading of one's own begins something else",
            whole.replace(&two, &format!("{two}### Mine\n\nMy words.\n\n")),
            three,
            "REQ-002 REQ-003 Mine My words. About rules",
        ),
        (
            "the same with Windows line ends",
            whole.replace(&two, &format!("{two}My words.\n\n")).replace('\n', "\r\n"),
            three,
            "REQ-002 My words. REQ-003 About rules",
        ),
    ] {
        stands(what, &old, &draft(new), expected);
    }
}

#[test]
fn an_edited_part_of_what_is_gone_is_kept_and_named() {
    let mine = fresh(&draft(TWO)).replace("\ntwo\n", "\nmy two\n");
    let new = draft("# req\n REQ-001: one\n # rules\n BR-001: rule\n # table");
    let (woven, edits) = settled(&mine, &new, Settle::Mine);
    assert!(edits.len() == 1 && edits[0].generated.is_empty() && !edits[0].again, "{edits:?}");
    assert!(woven.text.contains("my two"), "{}", woven.text);
    let Kept { part, missing, gone, .. } = &woven.kept[0].0;
    assert_eq!((part.as_str(), missing.as_slice(), *gone), ("REQ-002", [].as_slice(), true));
    assert!(settled(&woven.text, &new, Settle::Mine).1[0].again, "asked once");
    let (removed, _) = settled(&woven.text, &new, Settle::Generated);
    assert_eq!(removed.text, fresh(&new));
}

#[test]
fn files_of_the_older_form_are_taken_over() {
    let old = |words: &str| {
        let inside = format!("### REQ-001\n\n{words}\n\n### REQ-002\n\ntwo");
        let part = |name: &str, inside: &str| {
            format!("## About {name}\n\n<!-- s2s:part {name} -->\n\n{inside}\n\n<!-- s2s:end {name} -->\n\n")
        };
        let text = format!(
            "# Title\n\n{}{}{}",
            part("req", &inside),
            part("rules", "### BR-001\n\nrule"),
            part("table", "All of table.")
        );
        fresh(&pieces(&(text.trim_end().to_owned() + "\n"), "the draft").unwrap())
    };
    assert_eq!(unasked(&old("one"), &draft(TWO)), fresh(&draft(TWO)), "unedited: renewed");
    let mine = old("one").replace("\none\n", "\nmy one\n");
    let grown = draft("# req\n REQ-001: one\n REQ-002: two\n REQ-003: three\n # rules\n BR-001: rule\n # table");
    let (woven, edits) = settled(&mine, &grown, Settle::Mine);
    assert_eq!(edits.len(), 1);
    assert!(edits[0].part == "req" && edits[0].generated.contains("one\n\n### REQ-002\n"), "{}", edits[0].generated);
    let lines = gist(&woven.text);
    let at = |line: &str| lines.iter().position(|other| other == line).unwrap_or_else(|| panic!("{line}: {lines:?}"));
    assert!(at("req!") < at("my one") && at("two") < at("REQ-003"), "{lines:?}");
    assert!(!lines.contains(&"REQ-001".to_owned()) && lines.contains(&"BR-001".to_owned()), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| *line == "### REQ-001").count(), 1, "{lines:?}");
    assert!(settled(&woven.text, &grown, Settle::Mine).1[0].again, "asked once");
    assert_eq!(settled(&woven.text, &grown, Settle::Generated).0.text, fresh(&grown));
}

#[test]
fn what_stands_under_a_heading_of_ones_own_is_not_made_a_second_time() {
    let whole = fresh(&draft(TWO));
    let bare: String = whole
        .lines()
        .filter(|line| !(line.starts_with("<!--") && line.contains("REQ-002")))
        .fold(String::new(), |text, line| text + line + "\n");
    let (woven, edits) = settled(&bare, &draft(TWO), Settle::Mine);
    assert_eq!((edits.len(), woven.by_hand.as_slice()), (0, ["REQ-002".to_owned()].as_slice()));
    assert_eq!(woven.text, bare);
}

#[test]
fn a_text_of_ones_own_gets_the_sections_at_its_end() {
    let text = unasked("My file, no end", &draft("# req\n REQ-001: one"));
    assert!(text.starts_with("My file, no end\n\n## About req\n\n<!-- s2s:part req "), "{text}");
    assert!(text.ends_with("one\n\n<!-- s2s:end REQ-001 -->\n"), "{text}");
}

#[test]
fn front_matter_has_parts_too() {
    let with = |status: &str| {
        let meta = format!("# s2s:part meta\nstatus: {status}\n# s2s:end meta\n");
        pieces(&format!("---\n{meta}---\n\n# s2s:part is a heading\n"), "the draft").unwrap()
    };
    let new = unasked(&fresh(&with("proposed")), &with("accepted"));
    assert!(new.starts_with("---\n# s2s:part meta "), "{new}");
    assert!(new.contains("\nstatus: accepted\n# s2s:end meta\n---\n"), "{new}");
    let own = "---\nstatus: mine\n---\n\n# Title\n";
    assert_eq!(unasked(own, &with("accepted")), own, "whoever took the part out wants their own");
}

#[test]
fn markers_that_do_not_pair_up_are_refused_with_their_line() {
    let good = fresh(&draft("# one"));
    let (begin, end) = (good.lines().nth(4).unwrap().to_owned(), "<!-- s2s:end one -->");
    for (text, words) in [
        (good.replace(&format!("{end}\n"), ""), "line 5: this part never ends"),
        (good.clone() + end, "line 10: \"one\" ends, but never began"),
        (good.clone() + &good, "line 14: a second part \"one\""),
        (
            good.replace("\nAll", "\n<!-- s2s:part x y -->\nAll"),
            "line 7: a part begins inside the part that began in line 5",
        ),
        (good.replace("end one", "end two"), "line 9: \"two\" ends, but the part of line 5 is open"),
        (good.replace(&begin, "<!-- s2s:part -->"), "line 5: this marker is broken"),
        (good.replace(&begin, begin.trim_end_matches(" -->")), "line 5: this marker is broken"),
        (good.replace(end, "<!-- s2s:end one"), "line 9: this marker is broken"),
        (good.replace(end, "<!-- s2s:end one two -->"), "line 9: this marker is broken"),
    ] {
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let said =
                Loom::new(&text, &draft("# one"), "a.md").err().map(|failure| failure.to_string()).unwrap_or_default();
            assert!(said.ends_with(words), "{words}: {said}\n{text}");
        }
    }
}

#[test]
fn what_a_kept_text_lacks_is_named() {
    let table = |ids: &[&str]| {
        let rows: String = ids.iter().map(|id| format!("- [{id}](#{})\n", id.to_lowercase())).collect();
        pieces(&format!("<!-- s2s:part table -->\n{rows}<!-- s2s:end table -->\n"), "the draft").unwrap()
    };
    let mine = fresh(&table(&["REQ-001"])).replace("- [", "- mine [");
    let (woven, _) = settled(&mine, &table(&["REQ-001", "REQ-002", "REQ-003"]), Settle::Mine);
    assert_eq!(woven.kept[0].0.missing, ["REQ-002", "REQ-003"]);
}
