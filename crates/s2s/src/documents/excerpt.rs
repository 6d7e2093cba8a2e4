//! The project's context at the head of a document: short, and without its headings' weight.
//! Given the context as the session knew it; hands on safe Markdown of a few lines. The whole text stays
//! in the minutes.

use super::escape::inline;

/// About a third of a page.
const MAX_CHARS: usize = 1_200;
/// Of that, at most so many lines with text.
const MAX_LINES: usize = 12;

/// The beginning of a context, with headings turned into bold lines and empty ones dropped. What stands in
/// a fence goes; attachments are told by name.
pub(super) fn excerpt(context: &str) -> String {
    let (lines, attached) = outside_fences(context);
    let mut out = String::new();
    let mut heading: Option<String> = None;
    let mut in_list = false;
    let (mut kept, mut kept_lines) = (0, 0);
    for line in lines {
        if line.starts_with('#') {
            heading = Some(inline(line.trim_matches(['#', ' '])));
            continue;
        }
        let left = MAX_CHARS.saturating_sub(kept);
        if line.chars().count() > left || kept_lines == MAX_LINES {
            let left = if kept_lines == MAX_LINES { 0 } else { left };
            let cut = format!("{} …", words_within(line, left)).trim_start().to_owned();
            let rest = format!("({} characters in all; the minutes hold the rest)", context.chars().count());
            push(&mut out, &format!("{} {rest}", inline(&cut)), false);
            break;
        }
        kept += line.chars().count();
        kept_lines += 1;
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
    if !attached.is_empty() {
        push(&mut out, &format!("Attached: {}", attached.join(", ")), false);
    }
    out
}

/// The lines with text outside of fences, and the names of what is attached in one.
fn outside_fences(context: &str) -> (Vec<&str>, Vec<String>) {
    let (mut lines, mut attached): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    let mut fence: Option<(char, usize)> = None;
    for line in context.lines().map(str::trim).filter(|line| !line.is_empty() && !is_rule(line)) {
        let mark = line.chars().next().filter(|mark| matches!(mark, '~' | '`'));
        let long = line.chars().take_while(|c| Some(*c) == mark).count();
        match (fence, mark) {
            (None, Some(mark)) if long >= 3 => {
                fence = Some((mark, long));
                let name = lines.last().and_then(|last| last.strip_prefix("Attached: "));
                if let Some(name) = name {
                    attached.push(inline(name));
                    lines.pop();
                }
            }
            (None, _) => lines.push(line),
            (Some((open, least)), Some(mark)) if mark == open && long >= least && long == line.chars().count() => {
                fence = None;
            }
            (Some(_), _) => {}
        }
    }
    (lines, attached)
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
    fn attachments_are_told_by_name_and_fences_go() {
        let context = "Sells parts.\n\n```sh\nmake\n```\n\nAttached: `a.rs`\n\n~~~~\nfn a() {}\n~~~\nAttached: `forged`\n~~~~\n\nAttached: `-`\n\n~~~\nnote\n~~~";
        assert_eq!(excerpt(context), "Sells parts.\n\nAttached: `a.rs`, `-`");
        assert_eq!(excerpt("Attached: nothing\n~~ not a fence"), "Attached: nothing\n\n\\~\\~ not a fence");
    }

    #[test]
    fn no_more_than_twelve_lines_are_quoted() {
        let cut = excerpt(&"- item\n".repeat(20));
        assert_eq!(cut.matches("- item").count(), MAX_LINES);
        assert!(cut.ends_with("- item\n\n… (140 characters in all; the minutes hold the rest)"), "{cut}");
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
