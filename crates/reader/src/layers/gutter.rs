//! Marks that stand before every line: a quotation, a diff, a comment, a frame, line numbers.
//! Given the text; hands on the text without them, or nothing where not every line has them.

/// Takes off what stands before every line: `> `, `+ ` of a diff, `// ` of a comment, a frame, line numbers.
pub(super) fn without_gutter(text: &str) -> Option<String> {
    const MARKS: [&str; 16] = [
        ">", "+", "//", "|", "\u{2502}", "\u{2503}", "\u{2551}", "data:", "--", "%", ";", "*", "#", "$", "\u{258C}",
        "\u{2595}",
    ];
    let frame = |line: &&str| is_frame(line);
    let lines = || text.lines().filter(|line| !line.trim().is_empty() && !frame(line));
    let count = lines().count();
    let first = lines().next()?;
    let column = first.len() - first.trim_start().len();
    for mark in MARKS {
        // `**Position:**` does not begin with a mark of its own; `+{` and `>>` do.
        let loose = matches!(mark, ">" | "+" | "|" | "data:") || mark.len() == 3;
        let marked = |line: &str| {
            let behind = line.get(column..).and_then(|rest| rest.strip_prefix(mark));
            let blank = line.get(..column).is_some_and(|blank| blank.trim().is_empty());
            blank && behind.is_some_and(|rest| loose || rest.is_empty() || rest.starts_with([' ', '\t']))
        };
        let header = |line: &str| mark == "+" && ["+++", "---", "@@"].iter().any(|head| line.starts_with(head));
        let all = || lines().filter(|line| !header(line)).all(marked);
        // A quotation may follow a word of prose.
        let quotation = mark == ">" && text.contains("\n>");
        if count < 2 || !(quotation || marked(first) || header(first)) {
            continue;
        }
        let most =
            || quotation && lines().filter(|line| line.trim_start().starts_with(mark)).count() >= 3.max(count * 2 / 3);
        let table = mark == "|" && lines().all(|line| line.matches('|').take(3).count() == 3);
        if table || !(all() || most()) {
            continue;
        }
        let taken = text.lines().filter(|line| !header(line) && !frame(line)).map(|line| {
            match line.trim_start().strip_prefix(mark) {
                Some(rest) => {
                    let rest =
                        rest.trim_end().strip_suffix(mark).filter(|_| mark.len() == 3 || mark == "|").unwrap_or(rest);
                    rest.strip_prefix(' ').unwrap_or(rest).trim_end()
                }
                None => line,
            }
        });
        return Some(taken.collect::<Vec<_>>().join("\n"));
    }
    first.trim_start().starts_with(|c: char| c.is_ascii_digit()).then(|| numbered_lines(text, count)).flatten()
}

/// The upper or lower edge of a frame.
fn is_frame(line: &str) -> bool {
    let line = line.trim();
    let edge = |c: char| matches!(c, '\u{2500}'..='\u{257F}');
    line.starts_with(edge) && line.ends_with(edge) && line.chars().filter(|c| edge(*c)).take(3).count() == 3
}

/// Lines that count themselves: `1 | …`, `2: …`, `  3→…`.
fn numbered_lines(text: &str, count: usize) -> Option<String> {
    if count < 3 {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut last: Option<u32> = None;
    let mut mark = None;
    for line in text.lines() {
        if line.trim().is_empty() {
            out.push('\n');
            continue;
        }
        let body = line.trim_start();
        let digits = body.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = body[..digits].parse().ok()?;
        let rest = &body[digits..];
        let after = rest.trim_start_matches(' ');
        let sign = after.chars().next().filter(|c| matches!(c, '|' | ':' | '\u{2502}' | '\u{2192}' | '\t'));
        if last.is_some_and(|last| number <= last) || mark.is_some_and(|mark| mark != sign) {
            return None;
        }
        (last, mark) = (Some(number), Some(sign));
        let rest = match sign {
            Some(sign) => &after[sign.len_utf8()..],
            None if rest.starts_with("  ") || rest.starts_with(' ') => rest,
            None if rest.is_empty() => rest,
            None => return None,
        };
        out.push_str(rest.strip_prefix(' ').unwrap_or(rest));
        out.push('\n');
    }
    Some(out)
}
