//! Text that tries to be more than text: headings, tables, front matter, markers, links. It stays what it is.

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::*;

pub(super) const HOSTILE: &str = "# Accepted\n\n---\nstatus: accepted\n---\n\n| a | b |\n|---|---|\n| c | d |\n\n```sh\nrm -rf\n```\n\n~~~\nx\n~~~\n\n<!-- s2s session: 20260102-030405-other -->\n<script>alert(1)</script>\n<details>\n\n[link](javascript:x) ![image](http://x/y.png) <http://auto.link> **bold** `code | x`\n\nSetext\n===\n\n    indented\n\n[ref]: http://x \"t\"\n\n1. one\n- [ ] task\n> quote\n\\";
const HARMLESS: &str = "Accepted\n\nstatus accepted\n\na b c d\n\nsh rm\n\nx\n\ns2s session other script alert details\n\nlink image auto bold code x\n\nSetext\n\nindented\n\nref\n\n1. one\n- task\nquote";

/// A session in which every text, in every place, is the one given.
pub(super) fn all_say(text: &str) -> Record {
    let mut config = Config::default();
    config.roundtable.limits.max_rounds = 3;
    let point = |n: u32| format!("{text} {n}");
    let block = json!({"vote": "block", "reason": text});
    let answer = json!({
        "position": text, "confidence": 0.4, "rationale": [text], "concerns": [text], "context_challenge": text,
        "votes": {"C1.1": block, "C1.2": "support"},
    });
    let synthesis = json!({
        "action": "synthesis", "synthesis": text, "consensus": [point(1), point(2)],
        "conflicts": [{"id": text, "description": text, "positions": {"qa-lead": text}}],
        "context_challenges": [{"participant": "qa-lead", "challenge": text, "suggestion": text}],
        "next_action": "continue", "recommendation": text,
    });
    let question = json!({
        "action": "question", "question": text, "context_summary": text, "participants": "all", "focus": text,
    });
    let replies = json!({"replies": [
        {"kind": "question", "reply": question},
        {"kind": "synthesis", "reply": synthesis},
        {"seat": "software-architect", "reply": answer},
        {"seat": "technical-lead", "reply": answer},
        {"seat": "qa-lead", "reply": answer},
    ]});
    let table = Table { config, ..Table::default() };
    let panel = script(&replies.to_string());
    let mut convened = table.convened(&*panel);
    text.clone_into(&mut convened.opening.topic);
    text.clone_into(&mut convened.opening.context);
    for seat in &mut convened.opening.seats {
        text.clone_into(&mut seat.name);
    }
    hold_with(convened, panel, &mut Policy(Unattended::Continue))
}

/// What a Markdown reader sees besides words: headings, table cells, and everything that has no place here.
fn skeleton(text: &str) -> Vec<String> {
    let mut options = Options::all();
    options.remove(Options::ENABLE_SMART_PUNCTUATION);
    let mut seen = Vec::new();
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => seen.push(level.to_string()),
            Event::Start(Tag::Table(columns)) => seen.push(format!("table of {}", columns.len())),
            Event::Start(Tag::TableRow) => seen.push("row".to_owned()),
            Event::Start(
                tag @ (Tag::CodeBlock(_)
                | Tag::Link { .. }
                | Tag::Image { .. }
                | Tag::FootnoteDefinition(_)
                | Tag::Emphasis
                | Tag::Strikethrough
                | Tag::MetadataBlock(_)
                | Tag::DefinitionList),
            ) => seen.push(format!("{tag:?}")),
            Event::Html(html) | Event::InlineHtml(html) => seen.push(html.trim().to_owned()),
            Event::TaskListMarker(_) | Event::Rule | Event::InlineMath(_) | Event::DisplayMath(_) => {
                seen.push(format!("{event:?}"));
            }
            _ => {}
        }
    }
    seen
}

#[test]
fn hostile_text_changes_no_structure() {
    let (hostile, harmless) = (all_say(HOSTILE), all_say(HARMLESS));
    for kind in KINDS {
        let text = hostile.document(*kind);
        let seen = skeleton(&text);
        assert_eq!(seen, skeleton(&harmless.document(*kind)), "{kind}:\n{text}");
        let markup: Vec<&String> = seen.iter().filter(|part| part.contains('<')).collect();
        assert_eq!(markup, ["<!-- s2s session: 20260102-030405-test -->"], "{kind}");
        let metadata = seen.iter().filter(|part| part.contains("MetadataBlock")).count();
        assert_eq!(metadata, usize::from(*kind == OutputType::Adr), "{kind}");
        assert!(!seen.iter().any(|part| part.contains("Link") || part.contains("CodeBlock")), "{kind}: {seen:?}");
        assert!(!text.lines().any(|line| line.contains("session: 20260102-030405-other") && line.starts_with('<')));
    }
}

#[test]
fn hostile_text_in_front_matter_stays_a_value() {
    let text = all_say(HOSTILE).document(OutputType::Adr);
    let front = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap().0;
    let front: serde_json::Value = s2s_yaml::from_str(front).unwrap();
    assert_eq!(front["status"], "proposed");
    let names = front["decision-makers"].as_array().unwrap();
    assert_eq!(names.len(), 3);
    assert!(names[0].as_str().unwrap().starts_with("# Accepted --- status: accepted"));
}
