//! Roles on screen: a list by where they come from, or one of them with its text.
//! Given the rows of the catalog; hands on text. Files that cannot be used are at the end, each flaw with its
//! place. Deliberately absent: reading files.

use s2s::catalog::{Problem, RoleOrigin, RoleRow};
use s2s::engine::opening::{FACILITATOR, HUMAN};

use super::excerpt::excerpt;
use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::{clipped, one_line};
use super::{Style, words};

/// The most of a description that a list shows.
const DESCRIPTION: usize = 160;
/// Where descriptions start.
const INDENT: usize = 4;

/// Everybody who can be seated.
pub fn roles(rows: &[RoleRow], problems: &[Problem], style: &Style) -> String {
    let mut page = Page::new(style);
    for origin in [RoleOrigin::BuiltIn, RoleOrigin::Project, RoleOrigin::ClaudeAgent] {
        let of_it = |row: &&RoleRow| row.origin == origin && row.role.is_some();
        let rows: Vec<&RoleRow> = rows.iter().filter(of_it).collect();
        if !rows.is_empty() {
            page.gap();
            page.line(0, &[(&format!("{} ({})", heading(origin), rows.len()), Tone::Title)]);
        }
        rows.iter().for_each(|row| listed(&mut page, row));
    }
    let flaws: Vec<&Problem> = rows.iter().flat_map(|row| &row.problems).chain(problems).collect();
    if !flaws.is_empty() {
        page.gap();
        page.line(0, &[(&format!("Cannot be seated ({})", words::count(flaws.len(), "problem")), Tone::Title)]);
        let mark = Mark::Alert.text(style.ascii);
        for problem in flaws {
            page.paragraph(2, &format!("{mark} {problem}"), Tone::Plain);
            excerpt(problem, style).iter().for_each(|line| page.line(4, &[(line, Tone::Quiet)]));
        }
    }
    page.gap();
    page.paragraph(0, "Seat some: s2s roundtable start \"your question\" --participants A,B,C", Tone::Quiet);
    page.paragraph(0, "A role of your own: s2s role new NAME", Tone::Quiet);
    page.finish()
}

fn heading(origin: RoleOrigin) -> &'static str {
    match origin {
        RoleOrigin::BuiltIn => "Built-in",
        RoleOrigin::Project => "The project's own, .s2s/roles",
        RoleOrigin::ClaudeAgent => "Claude agents, .claude/agents; seated only by name",
    }
}

fn listed(page: &mut Page<'_>, row: &RoleRow) {
    let Some(role) = &row.role else { return };
    let style = *page.style();
    let over = if row.overrides { "  (over the built-in one)" } else { "" };
    let chairs = match row.id.as_str() {
        FACILITATOR => "  (chairs the table; no seat)",
        HUMAN => "  (for people: --human NAME)",
        _ => "",
    };
    let title = format!("  {}", one_line(&role.title));
    let id = one_line(&row.id);
    page.line(2, &[(&id, Tone::Label), (&title, Tone::Plain), (over, Tone::Warning), (chairs, Tone::Quiet)]);
    if !role.description.is_empty() {
        page.paragraph(INDENT, &clipped(&role.description, DESCRIPTION, style.ascii), Tone::Quiet);
    }
    if style.verbose {
        details(row).iter().for_each(|line| page.paragraph(INDENT, line, Tone::Quiet));
    }
}

/// What is to know of a role besides who it is.
fn details(row: &RoleRow) -> Vec<String> {
    let Some(role) = &row.role else { return Vec::new() };
    let mut lines = vec![format!("file: {}", row.source)];
    lines.push(format!("model: {}", role.model.as_deref().unwrap_or("as everybody")));
    if !role.skills.is_empty() {
        lines.push(format!("skills: {}", words::listed(&role.skills)));
    }
    if row.id != FACILITATOR && (role.weighs.is_empty() || role.checklist.is_empty()) {
        lines.push("offline panel: no playbook of its own (no `weighs:` or no `checklist:`)".to_owned());
    }
    if !row.ignored.is_empty() {
        let tools = if row.ignored.iter().any(|key| key == "tools") { "; a seat has no tools" } else { "" };
        lines.push(format!("ignored: {}{tools}", words::listed(&row.ignored)));
    }
    lines
}

/// One role, with the text as it stands in its file.
pub fn role(row: &RoleRow, text: &str, style: &Style) -> String {
    let mut page = Page::new(style);
    page.row_whole("Role", &row.id);
    if let Some(role) = &row.role {
        page.row("Name", &role.title);
        page.row("Brings", &role.description);
    }
    let over = if row.overrides { ", over the built-in one" } else { "" };
    page.row("From", &format!("{}{over}", row.source));
    for line in details(row).iter().skip(1) {
        let (label, value) = line.split_once(": ").unwrap_or(("", line));
        let label = label[..1].to_uppercase() + &label[1..];
        page.row(&label, value);
    }
    page.label("Problems");
    for problem in &row.problems {
        page.item(Mark::Alert, "", &problem.to_string());
        page.verbatim(&excerpt(problem, style));
    }
    let mut drawn = page.finish();
    let text = s2s::clean::clean_text(text);
    drawn.push_str(&format!("\n{}\n", text.trim_end()));
    drawn
}
