//! The first paragraph of a README: what a project says about itself.
//! Given Markdown text; hands on one clean paragraph, or none. Deliberately absent: the rest of the file.

use super::context::strip_comments;
use crate::clean::{clean_line, clean_text};

/// Longer first paragraphs are cut at a word.
const MAX_CHARS: usize = 600;

/// The first paragraph of prose: titles, badges, images, markup and front matter are passed over.
pub(super) fn first_paragraph(readme: &str) -> Option<String> {
    let text = clean_text(readme);
    let (text, _) = strip_comments(&text);
    let lines: Vec<&str> = without_front_matter(&text).lines().collect();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut fenced = false;
    for (at, line) in lines.iter().map(|line| line.trim()).enumerate() {
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        }
        let underlined = lines.get(at + 1).is_some_and(|next| is_underline(next.trim()));
        let passed = fenced || is_markup(line) || is_underline(line) || (underlined && paragraph.is_empty());
        match (passed || line.is_empty(), paragraph.is_empty()) {
            (true, true) => {}
            (true, false) => break,
            (false, _) => paragraph.push(line.trim_start_matches("> ").trim_end_matches('\\')),
        }
    }
    let joined = clean_line(&paragraph.join(" ")).into_owned();
    joined.chars().any(char::is_alphanumeric).then(|| shortened(&joined))
}

fn without_front_matter(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else {
        return text;
    };
    rest.find("\n---\n").map_or(text, |at| &rest[at + 5..])
}

fn is_markup(line: &str) -> bool {
    let list = ["- ", "* ", "+ ", "1. "].iter().any(|mark| line.starts_with(mark));
    let starts = ["#", "![", "[![", "<", "|", "```", "~~~", ":", ".. "].iter().any(|mark| line.starts_with(mark));
    let reference = line.starts_with('[') && line.contains("]: ");
    list || starts || reference
}

/// The line under a title, or a rule.
fn is_underline(line: &str) -> bool {
    line.len() >= 3
        && (line.chars().all(|c| c == '=') || line.chars().all(|c| c == '-') || line.chars().all(|c| c == '*'))
}

pub(super) fn shortened(text: &str) -> String {
    let Some((cut, _)) = text.char_indices().nth(MAX_CHARS) else {
        return text.to_owned();
    };
    let end = text[..cut].rfind(' ').unwrap_or(cut);
    format!("{} …", text[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(readme: &str, paragraph: Option<&str>) {
        assert_eq!(first_paragraph(readme).as_deref(), paragraph, "{readme:?}");
    }

    #[test]
    fn the_first_prose_is_found_behind_what_decorates_it() {
        check(
            "# Shop\n\n[![ci](x)](y)\n![logo](z)\n\nSells parts\nto garages.\n\nMore.",
            Some("Sells parts to garages."),
        );
        check("Shop\n====\n\nSells parts.\n", Some("Sells parts."));
        check("---\ntitle: x\n---\n<p align=center>\n\n> Sells parts.\n", Some("Sells parts."));
        check("# Shop\n<!-- old text -->\nSells parts.\n## Install", Some("Sells parts."));
        check("# Shop\n\n```\ncargo install shop\n```\n\nSells parts.", Some("Sells parts."));
        check("# Shop\n\n- one\n- two\n", None);
        check("", None);
        check("# Only a title", None);
        check("Sells \x1b[31mparts\x1b[0m.", Some("Sells parts."));
    }

    #[test]
    fn a_long_paragraph_is_cut_at_a_word() {
        let cut = first_paragraph(&"word ".repeat(400)).unwrap();
        assert!(cut.ends_with("word …") && cut.chars().count() <= MAX_CHARS + 2, "{cut}");
    }
}
