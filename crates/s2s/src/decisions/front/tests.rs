//! Records as people write them, and as nobody should: what changes is one line, or nothing.

use super::*;

/// The lines that differ: taken out, put in.
fn changes(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let (before, after) = (lines(before), lines(after));
    let only = |a: &[String], b: &[String]| a.iter().filter(|line| !b.contains(line)).cloned().collect();
    (only(&before, &after), only(&after, &before))
}

#[test]
fn only_the_line_of_the_status_changes() {
    for (line, new) in [
        ("status: accepted", "status: superseded by 0002-b"),
        ("status:   \"accepted\"", "status: superseded by 0002-b"),
        ("status: 'it''s accepted' # since May", "status: superseded by 0002-b # since May"),
        ("status: accepted # \"really\"", "status: superseded by 0002-b # \"really\""),
        ("\"status\": accepted", "\"status\": superseded by 0002-b"),
        ("status:", "status: superseded by 0002-b"),
        ("status: # to be decided", "status: superseded by 0002-b # to be decided"),
        ("status: accepted#1", "status: superseded by 0002-b"),
    ] {
        for end in ["\n", "\r\n"] {
            let text = format!(
                "---\ntitle: \"a: b\"\n{line}\nother: |\n  status: x\n\n  y\nlist: [a,   b]\n---\n\n# T\n\nstatus: y\n"
            );
            let text = text.replace('\n', end);
            let marked = with_status(&text, "superseded by 0002-b").unwrap();
            assert_eq!(changes(&text, &marked), (vec![format!("{line}{end}")], vec![format!("{new}{end}")]));
            assert_eq!(read(&marked).unwrap().status.as_deref(), Some("superseded by 0002-b"), "{marked}");
        }
    }
}

#[test]
fn a_status_in_the_body_is_marked_too_and_the_rest_stays() {
    for (text, marked) in [
        (
            "---\nstatus: accepted\n---\n# T\n\n* Status: accepted, 2026-01\n\nWords.  \n",
            "---\nstatus: superseded by x_1\n---\n# T\n\n* Status: superseded by x_1, 2026-01\n\nWords.  \n",
        ),
        (
            "---\r\nstatus: accepted\r\n---\r\n# T\r\n\r\n## Status\r\n\r\nAccepted\r\n",
            "---\r\nstatus: superseded by x_1\r\n---\r\n# T\r\n\r\n## Status\r\n\r\nSuperseded by x_1\r\n",
        ),
        ("# T\n\nStatus: accepted\n", "# T\n\nStatus: superseded by x_1\n"),
        ("\u{feff}# T\n\n## Status\n\nin force\n", "\u{feff}# T\n\n## Status\n\nsuperseded by x_1\n"),
        ("---\ndate: d\n---\nStatus: accepted", "---\ndate: d\n---\nStatus: superseded by x_1"),
        ("---\nstatus: accepted\n---\n\nStatus: 200 OK\n", "---\nstatus: superseded by x_1\n---\n\nStatus: 200 OK\n"),
    ] {
        let now = with_status(text, "superseded by x_1").unwrap();
        assert_eq!(now, marked);
        assert_eq!(read(&now).unwrap().status.as_deref().map(str::to_lowercase).as_deref(), Some("superseded by x_1"));
    }
    let half = "---\nstatus: superseded by x\n---\n# T\n\nStatus: accepted\n";
    assert_eq!(with_body_status(half, "superseded by x").unwrap(), half.replace("accepted", "superseded by x"));
    assert_eq!(own_status_line("---\nstatus: a\n---\n\nStatus: 200 OK\n"), Some(5));
    assert_eq!(own_status_line("# T\n\nStatus: superseded by x\n"), None);
}

#[test]
fn what_cannot_be_changed_safely_is_refused_with_its_line() {
    for (text, words) in [
        ("---\na: 1\nstatus: >\n  accepted\n---\n", "line 3"),
        ("---\nstatus: accepted\n  since May\n---\n", "line 2"),
        ("---\nstatus: \"accepted\n  since May\"\n---\n", "line 2"),
        ("---\n{status: accepted}\n---\n", "line 2"),
        ("---\nstatus: [accepted]\n---\n", "line 2"),
        ("---\nstatus: &a accepted\n---\n", "line 2"),
        ("---\nstatus: a\ndate: x\nstatus: b\n---\n", "line 4"),
        ("---\nstatus: accepted\n\n# No end\n", "line 1"),
        ("---\nstatus: [\n---\n", "line"),
        ("---\njust words\n---\n", "line 2"),
    ] {
        let flaw = with_status(text, "superseded by x").unwrap_err().to_string();
        assert!(flaw.contains(words), "{text:?}: {flaw}");
    }
}

#[test]
fn a_record_without_a_status_or_front_matter_gets_one_and_keeps_its_text() {
    let marked = with_status("# T\r\n\r\nWords\r\n", "superseded by x").unwrap();
    assert_eq!(marked, "---\r\nstatus: superseded by x\r\n---\r\n\r\n# T\r\n\r\nWords\r\n");
    let marked = with_status("---\ndate: 2026-01-02\n---\n# T", "superseded by x").unwrap();
    assert_eq!(marked, "---\nstatus: superseded by x\ndate: 2026-01-02\n---\n# T");
    assert_eq!(with_status("---\n---\n", "superseded by x").unwrap(), "---\nstatus: superseded by x\n---\n");
    let marked = with_status("\u{feff}---\nstatus: a\n---\n", "superseded by x").unwrap();
    assert_eq!(marked, "\u{feff}---\nstatus: superseded by x\n---\n");
    assert_eq!(with_status("", "superseded by x").unwrap(), "---\nstatus: superseded by x\n---\n\n");
    let odd = with_status("---\nstatus: a\n---\n", "superseded by a: #b").unwrap();
    assert_eq!(read(&odd).unwrap().status.as_deref(), Some("superseded by a: #b"));
}

#[test]
fn a_line_stands_under_the_title_once() {
    let line = line_about(true, "Use [REST]", "0001 a.md", Some("the vendor\n# is gone"));
    assert_eq!(line, "- Supersedes [Use \\[REST\\]](0001%20a.md): the vendor # is gone");
    for (text, marked) in [
        ("# T\n\nWords\n", "# T\n\nLINE\n\nWords\n"),
        ("# T\nWords\n", "# T\n\nLINE\n\nWords\n"),
        ("# T", "# T\n\nLINE\n"),
        ("T\n===\n\nWords", "T\n===\n\nLINE\n\nWords"),
        (
            "---\nstatus: a\n---\n<!-- # no -->\n<!--\n# no\n-->\n\n# T\n\nx\n",
            "---\nstatus: a\n---\n<!-- # no -->\n<!--\n# no\n-->\n\n# T\n\nLINE\n\nx\n",
        ),
        ("# T\n\n- Supersedes [b](b.md)\n\nWords\n", "# T\n\n- Supersedes [b](b.md)\nLINE\n\nWords\n"),
        ("```\n# code\n```\nno title\n", "LINE\n\n```\n# code\n```\nno title\n"),
        ("", "LINE\n"),
    ] {
        for end in ["\n", "\r\n"] {
            if end == "\r\n" && !text.contains('\n') {
                continue;
            }
            let (text, marked) = (text.replace('\n', end), marked.replace("LINE", &line).replace('\n', end));
            let written = with_line(&text, &line).unwrap();
            assert_eq!(written, marked, "{text:?}");
            assert_eq!(with_line(&written, &line).unwrap(), written, "twice");
            assert!(read(&written).unwrap().supersedes.contains(&"0001 a.md".to_owned()), "{written}");
        }
    }
}

#[test]
fn records_of_every_make_are_read() {
    let ours = "---\nstatus: accepted\ndate: 2026-01-02\ndecision-makers: [\"QA\"]\n---\n<!-- s2s session: X-1 -->\n\n# REST \\_or\\_ not\n";
    let said = read(ours).unwrap();
    assert_eq!((said.title.as_deref(), said.session.as_deref()), (Some("REST _or_ not"), Some("X-1")));
    assert_eq!((said.status.as_deref(), said.date.as_deref()), (Some("accepted"), Some("2026-01-02")));
    let generated = "---\n# s2s:part meta 0\nstatus: accepted\n# s2s:end meta\n---\n\n# ARCH-001: T\n\n- Source: `X-2`, round 1, no vote\n";
    let said = read(generated).unwrap();
    assert!(said.generated && said.session.as_deref() == Some("X-2"), "{said:?}");
    for (body, status, date) in [
        ("# 1. T\n\nStatus: accepted, 2026-11\n", "accepted", Some("2026-11")),
        ("# T\n\n* Status: proposed\n", "proposed", None),
        ("# T\n\n**Status**: accepted\n", "accepted", None),
        ("# T\n\n## Status\n\nAccepted\n\n## Context\n", "Accepted", None),
    ] {
        let said = read(body).unwrap();
        assert_eq!((said.status.as_deref(), said.date.as_deref()), (Some(status), date), "{body}");
    }
    assert_eq!(read("```\nStatus: x\n- Supersedes [a](a.md)\n```\n").unwrap(), Said::default());
    assert_eq!(own_status_line("---\nstatus: a\n---\n\n# T\nStatus: b\n"), Some(6));
}
