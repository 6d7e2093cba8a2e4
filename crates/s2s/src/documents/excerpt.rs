//! The project's context at the head of a document: short, and without its headings' weight.
//! Given the context as the session knew it; hands on safe Markdown of a few lines. The whole text stays
//! in the minutes.

use super::escape::inline;

/// About a third of a page.
const MAX_CHARS: usize = 1_200;

/// The beginning of a context, with headings turned into bold lines and empty ones dropped.
pub(super) fn excerpt(context: &str) -> String {
    let mut out = String::new();
    let mut heading: Option<String> = None;
    let mut in_list = false;
    let mut kept = 0;
    for line in context.lines().map(str::trim) {
        if line.is_empty() || is_rule(line) {
            continue;
        }
        if line.starts_with('#') {
            heading = Some(inline(line.trim_matches(['#', ' '])));
            continue;
        }
        let left = MAX_CHARS.saturating_sub(kept);
        if line.chars().count() > left {
            let cut = format!("{} …", words_within(line, left)).trim_start().to_owned();
            let rest = format!("({} characters in all; the minutes hold the rest)", context.chars().count());
            push(&mut out, &format!("{} {rest}", inline(&cut)), false);
            break;
        }
        kept += line.chars().count();
        if let Some(heading) = heading.take().filter(|heading| !heading.is_empty()) {
            push(&mut out, &format!("**{heading}**"), false);
            in_list = false;
        }
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        match item.map(inline) {
            Some(item) => push(&mut out, &format!("- {item}"), in_list),
            None => push(&mut out, &inline(line), false),
        }
        in_list = item.is_some();
    }
    out
}

fn push(out: &mut String, text: &str, close: bool) {
    if !out.is_empty() {
        out.push_str(if close { "\n" } else { "\n\n" });
    }
    out.push_str(text);
}

/// The first words of a line, as many as fit.
fn words_within(line: &str, chars: usize) -> String {
    let mut kept = String::new();
    for word in line.split_whitespace() {
        if kept.chars().count() + word.chars().count() >= chars {
            break;
        }
        kept.push_str(if kept.is_empty() { "" } else { " " });
        kept.push_str(word);
    }
    kept
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && line.chars().all(|c| matches!(c, '-' | '=' | '*' | '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_without_text_go_and_the_rest_stays_readable() {
        let context =
            "# Shop\n\nSells parts.\n\n## Objectives\n\n## Constraints\n- two <b>people</b>\n- no cloud\n\n---\n";
        assert_eq!(
            excerpt(context),
            "**Shop**\n\nSells parts.\n\n**Constraints**\n\n- two \\<b>people\\</b>\n- no cloud"
        );
        assert_eq!(excerpt("## Only\n\n## Headings"), "");
    }

    #[test]
    fn a_long_context_is_cut_and_says_so() {
        let context = format!("start\n{}", "word ".repeat(1_000));
        let cut = excerpt(&context);
        assert!(cut.starts_with("start\n\nword word"), "{cut}");
        assert!(cut.ends_with("word … (5006 characters in all; the minutes hold the rest)"), "{cut}");
        assert!(cut.len() < MAX_CHARS + 100);
        assert_eq!(excerpt(&"x".repeat(2_000)), "… (2000 characters in all; the minutes hold the rest)");
    }
}
