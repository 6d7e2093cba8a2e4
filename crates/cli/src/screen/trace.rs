//! Where an artifact comes from, on screen: what it says, who said it when and how the panel voted, what changed it,
//! what it serves and what serves it; and the list of all of them. Given traced values; hands on text. Deliberately
//! absent: how they are gathered.

use s2s::engine::artifact::{ArtifactId, ArtifactStatus, Change, Details};
use s2s::register::{Chain, Index, Named, TaskLink, Told, TracedArtifact, TracedTask};
use unicode_width::UnicodeWidthStr;

use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::{clipped, one_line};
use super::{Style, chain, words};

/// One artifact.
pub fn artifact(artifact: &TracedArtifact, around: Option<&Chain>, style: &Style) -> String {
    let mut page = Page::new(style);
    page.title(&format!("{}  {}", artifact.id, artifact.title), Tone::Title);
    page.row("Kind", artifact.noun);
    page.row("Status", &standing(artifact));
    if !artifact.text.trim().is_empty() {
        page.row("Says", &artifact.text);
    }
    if let Some(topic) = &artifact.topic {
        page.row("Topic", topic);
    }
    fields(&mut page, &artifact.fields);
    page.part("Where it comes from");
    for told in &artifact.history {
        version(&mut page, told);
    }
    let tasks = &artifact.tasks;
    let before = artifact.superseded_by.as_slice();
    let links: [(&str, &[Named]); 7] = [
        ("Superseded by", before),
        ("Supersedes", &artifact.supersedes),
        ("Serves", &artifact.serves),
        ("Served by", &artifact.served_by),
        ("Uses", &artifact.uses),
        ("Used by", &artifact.used_by),
        ("Interfaces", &artifact.joined_by),
    ];
    page.part("Links");
    if links.iter().all(|(_, named)| named.is_empty()) && tasks.is_empty() {
        page.paragraph(2, "Nothing refers to it, and it refers to nothing.", Tone::Quiet);
    }
    for (label, named) in links {
        list(&mut page, label, named);
    }
    page.label("Tasks");
    tasks.iter().for_each(|task| one_task(&mut page, task));
    if let Some(around) = around {
        page.part("Sessions");
        chain::links(&mut page, around);
    }
    page.finish()
}

/// One task of a plan.
pub fn task(task: &TracedTask, style: &Style) -> String {
    let mut page = Page::new(style);
    page.title(&format!("{}  {}", task.task.id, task.task.title), Tone::Title);
    page.row_whole("Plan", &task.task.plan);
    page.row("Status", if task.task.done { "done" } else { "not done" });
    list(&mut page, "Serves", &task.for_artifacts);
    page.finish()
}

/// Every artifact, by kind; `planned` says whether there is a plan that could serve them.
pub fn index(index: &Index, planned: bool, style: &Style) -> String {
    let mut page = Page::new(style);
    if index.artifacts.is_empty() {
        page.paragraph(0, "No session of this project has made an artifact yet. They come from", Tone::Plain);
        page.gap();
        page.commands(&[
            ("s2s brainstorm \"topic\"".to_owned(), "ideas and risks"),
            ("s2s specs".to_owned(), "requirements"),
            ("s2s design".to_owned(), "an architecture"),
        ]);
    }
    let mut kind = None;
    for artifact in &index.artifacts {
        if kind != Some(artifact.id.kind) {
            kind = Some(artifact.id.kind);
            let count = index.artifacts.iter().filter(|other| Some(other.id.kind) == kind).count();
            page.gap();
            page.line(0, &[(&format!("{} ({count})", heading(artifact)), Tone::Title)]);
        }
        row(&mut page, artifact);
    }
    page.gap();
    unserved(&mut page, "No ARCH, COMP or INT serves", &index.unserved.by_design);
    if planned {
        unserved(&mut page, "No task serves", &index.unserved.by_tasks);
    }
    for one in &index.unread {
        let mark = Mark::Alert.text(style.ascii);
        page.line(
            0,
            &[(mark, Tone::Warning), (" cannot be read: ", Tone::Plain), (&one_line(&one.session), Tone::Plain)],
        );
        page.paragraph(2, &one.why, Tone::Quiet);
    }
    page.finish()
}

fn heading(artifact: &TracedArtifact) -> String {
    let mut letters = artifact.noun.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}s", letters.as_str())
}

fn row(page: &mut Page<'_>, artifact: &TracedArtifact) {
    let style = *page.style();
    let id = format!("{:<9}", artifact.id.to_string());
    let status = if artifact.settled { artifact.status.as_str() } else { "proposed" };
    let served = artifact.served_by.len() + artifact.tasks.len();
    let links = match (artifact.serves.len(), served) {
        (0, 0) => String::new(),
        (to, 0) => format!("serves {to}"),
        (0, by) => format!("served by {by}"),
        (to, by) => format!("serves {to}, served by {by}"),
    };
    let wide = style.columns() >= 60;
    let status = format!("{status:<11}");
    let beside = if wide && !links.is_empty() { links.width() + 2 } else { 0 };
    let room = style.columns().saturating_sub(2 + id.width() + 1 + status.width() + 1 + beside).max(8);
    let title = clipped(&artifact.title, room, style.ascii);
    let padding = " ".repeat(room.saturating_sub(title.width()) + 2);
    let mut pieces = vec![
        (id.as_str(), Tone::Label),
        (" ", Tone::Plain),
        (status.as_str(), tone(artifact.status)),
        (" ", Tone::Plain),
        (title.as_str(), Tone::Plain),
    ];
    if beside > 0 {
        pieces.extend([(padding.as_str(), Tone::Plain), (links.as_str(), Tone::Quiet)]);
    }
    page.line(2, &pieces);
}

fn unserved(page: &mut Page<'_>, what: &str, ids: &[ArtifactId]) {
    if !ids.is_empty() {
        let names: Vec<String> = ids.iter().map(ToString::to_string).collect();
        page.paragraph(0, &format!("{what}: {}", names.join(", ")), Tone::Warning);
        page.gap();
    }
}

fn standing(artifact: &TracedArtifact) -> String {
    let mut text = artifact.status.to_string();
    if !artifact.settled {
        text.push_str(", only proposed: its session is not complete");
    }
    if let Some(by) = &artifact.retired_by {
        text.push_str(&format!(", by session {by}, which started over"));
    }
    text
}

fn tone(status: ArtifactStatus) -> Tone {
    match status {
        ArtifactStatus::Active | ArtifactStatus::Amended | ArtifactStatus::Resolved => Tone::Good,
        ArtifactStatus::Open => Tone::Warning,
        ArtifactStatus::Superseded | ArtifactStatus::Withdrawn => Tone::Quiet,
    }
}

/// The fields of its kind, as they are written in files.
fn fields(page: &mut Page<'_>, fields: &Details) {
    let value = serde_json::to_value(fields).unwrap_or_default();
    for (name, value) in value.as_object().into_iter().flatten() {
        let mut letters = name.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        page.label(&format!("{first}{}", letters.as_str()));
        match value {
            serde_json::Value::Array(items) => {
                items.iter().filter_map(|item| item.as_str()).for_each(|item| page.value(&format!("- {item}")));
            }
            serde_json::Value::String(text) => page.value(text),
            other => page.value(&other.to_string()),
        }
    }
}

/// One version: when and where, who proposed it, how the panel voted, what it said.
fn version(page: &mut Page<'_>, told: &Told) {
    page.gap();
    let what = match told.change {
        Change::Created => "Created",
        Change::Amended => "Amended",
        Change::Superseded => "Superseded",
        Change::Withdrawn => "Withdrawn",
        Change::Resolved => "Resolved",
    };
    let workflow = told.workflow.map(|workflow| format!("{workflow}, ")).unwrap_or_default();
    page.row(what, &format!("{workflow}round {}, {}", told.round, words::minute(told.at)));
    page.row_whole("Session", &told.session);
    if !told.complete {
        page.remark("this session is not complete: nothing of it counts yet");
    }
    if told.change == Change::Amended {
        page.row("Then", &format!("{}: {}", told.title, told.text));
    }
    if !told.proposed_by.is_empty() {
        page.row("Proposed by", &words::listed(&told.proposed_by));
    }
    match (&told.tally, told.standing) {
        (Some(tally), _) => {
            page.row("Vote", &words::tally(tally));
            for (word, seats) in [("support", &tally.support), ("stand aside", &tally.stand_aside)] {
                if !seats.is_empty() {
                    page.remark(&format!("{word}: {}", words::listed(seats)));
                }
            }
            for block in &tally.block {
                page.remark(&format!("block: {}: {}", block.seat, block.reason));
            }
        }
        (None, Some(_)) => page.row("Vote", "none was held on it"),
        (None, None) => {}
    }
}

fn list(page: &mut Page<'_>, label: &str, named: &[Named]) {
    page.label(label);
    for one in named {
        let mark = match one.status {
            Some(status) if status.is_live() || status == ArtifactStatus::Resolved => Mark::Done,
            Some(_) => Mark::Failed,
            None => Mark::Alert,
        };
        let text = match (&one.title, one.status) {
            (Some(title), Some(status)) => format!("{title} ({status})"),
            _ => "not in this project".to_owned(),
        };
        page.item(mark, &one.id.to_string(), &text);
    }
}

fn one_task(page: &mut Page<'_>, task: &TaskLink) {
    let mark = if task.done { Mark::Done } else { Mark::Open };
    page.item(mark, &task.id, &format!("{} ({})", task.title, task.plan));
}
