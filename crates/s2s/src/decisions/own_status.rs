//! The status that a record's body gives: a line `Status: …`, or a section of that name with a line below.
//! Given a body; hands on what it says and where, or the body with other words there and every other byte as it was.
//! What stands in a fence or a comment is no status. Deliberately absent: front matter (`front.rs`), and files.

/// What records call their standing; another word after `Status:` may be about something else.
const KNOWN: [&str; 14] = [
    "accepted",
    "active",
    "adopted",
    "agreed",
    "approved",
    "decided",
    "deprecated",
    "draft",
    "final",
    "implemented",
    "pending",
    "proposed",
    "rejected",
    "withdrawn",
];

/// A status in a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnStatus<'b> {
    /// Its words, without marks around them.
    pub(super) words: &'b str,
    /// The day that stands behind it.
    pub(super) date: Option<&'b str>,
    /// Its line in the body, from 0.
    pub(super) line: usize,
    body: &'b str,
    /// Where the words begin, in bytes.
    at: usize,
}

impl OwnStatus<'_> {
    /// Whether it is the record's standing that it speaks of; `known` is what the front matter says.
    pub(super) fn is_standing(&self, known: Option<&str>) -> bool {
        let same = known.is_some_and(|known| known.trim().eq_ignore_ascii_case(self.words));
        let first = super::first_word(self.words);
        same || KNOWN.iter().any(|word| first.eq_ignore_ascii_case(word))
    }

    /// Whether it says that something took the record's place.
    pub(super) fn is_superseded(&self) -> bool {
        super::first_word(self.words).eq_ignore_ascii_case("superseded")
    }

    /// The body with other words in their place, in the case of the old ones.
    pub(super) fn replaced(&self, status: &str) -> String {
        let mut words = super::words::safe(status);
        if self.words.starts_with(char::is_uppercase) && words.is_ascii() {
            words[..1].make_ascii_uppercase();
        }
        format!("{}{words}{}", &self.body[..self.at], &self.body[self.at + self.words.len()..])
    }
}

/// The first status that a body gives: a line before a section.
pub(super) fn find(body: &str) -> Option<OwnStatus<'_>> {
    let lines = visible(body);
    let found = lines.iter().find_map(|line| Some((line, value_of(line.text)?)));
    let (Line { number: line, from, text }, value) = found.or_else(|| in_section(&lines))?;
    let (words, date) = parted(value);
    // The value reaches to the end of its line, and the words begin it.
    let (line, at) = (*line, from + text.trim_end().len() - value.len());
    (!words.is_empty()).then_some(OwnStatus { words, date, line, body, at })
}

/// A line, its number from 0, and where it begins in bytes.
struct Line<'b> {
    number: usize,
    from: usize,
    text: &'b str,
}

/// The lines that a reader sees as text.
fn visible(body: &str) -> Vec<Line<'_>> {
    let (mut fence, mut comment, mut next) = (None, false, 0);
    let mut lines = Vec::new();
    for (number, line) in body.split_inclusive('\n').enumerate() {
        let from = next;
        next += line.len();
        let bare = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        if comment || (fence.is_none() && bare.starts_with("<!--")) {
            comment = !bare.contains("-->");
        } else if let Some(mark) = mark.filter(|mark| fence.is_none_or(|open| open == *mark)) {
            fence = if fence.is_none() { Some(mark) } else { None };
        } else if fence.is_none() {
            lines.push(Line { number, from, text: line });
        }
    }
    lines
}

/// What stands behind `Status:` in a line, whatever marks are around the word.
fn value_of(line: &str) -> Option<&str> {
    let (key, value) = line.trim().trim_start_matches(['*', '-', '_', '>', ' ']).split_once(':')?;
    let value = value.trim_start_matches(['*', '_', ' ', '\t']);
    (key.trim_matches(['*', '_', ' ']).eq_ignore_ascii_case("status") && !value.is_empty()).then_some(value)
}

/// The first line of a section called "Status".
fn in_section<'l, 'b>(lines: &'l [Line<'b>]) -> Option<(&'l Line<'b>, &'b str)> {
    let is_word = |text: &str| text.trim().trim_end_matches([':', '#']).trim_end().eq_ignore_ascii_case("status");
    let is_rule =
        |text: &str| text.trim().len() >= 2 && ["-", "="].iter().any(|c| text.trim().replace(c, "").is_empty());
    let under = |at: usize| lines.get(at + 1).is_some_and(|next| is_rule(next.text));
    let first = lines.iter().enumerate().find_map(|(at, line)| match line.text.trim_start_matches('#') {
        title if title.len() < line.text.len() && is_word(title) => Some(at + 1),
        title if is_word(title) && under(at) => Some(at + 2),
        _ => None,
    })?;
    let line = lines.get(first..)?.iter().find(|line| !line.text.trim().is_empty())?;
    let value = line.text.trim().trim_start_matches(['*', '-', '_', '>', ' ']);
    (!line.text.trim_start().starts_with('#')).then_some((line, value))
}

/// The words and the day behind them: `accepted, 2026-11`. What follows a bold status is its reason.
fn parted(value: &str) -> (&str, Option<&str>) {
    let is_date = |text: &str| text.len() >= 4 && text.chars().all(|c| c.is_ascii_digit() || c == '-');
    let value = value.split("**").next().unwrap_or_default();
    let value = value.split("<!--").next().unwrap_or_default();
    let value = value.trim_end().trim_end_matches(['*', '_', '.', ' ']);
    match value.rsplit_once(',') {
        Some((words, date)) if is_date(date.trim()) => (words.trim_end(), Some(date.trim())),
        _ => (value, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_found_and_only_its_words_change() {
        for (body, words, changed) in [
            ("# T\n\nStatus: accepted, 2026-11\n\nx\n", "accepted", "# T\n\nStatus: superseded by b, 2026-11\n\nx\n"),
            ("* Status: Accepted  \n* Deciders: us\n", "Accepted", "* Status: Superseded by b  \n* Deciders: us\n"),
            ("**Status:** accepted\r\nx", "accepted", "**Status:** superseded by b\r\nx"),
            ("**Status**: accepted", "accepted", "**Status**: superseded by b"),
            ("**Status: accepted.** All carried.\n", "accepted", "**Status: superseded by b.** All carried.\n"),
            ("> _Status: draft_\n", "draft", "> _Status: superseded by b_\n"),
            ("## Status\n\nAccepted\n\n## Context\n", "Accepted", "## Status\n\nSuperseded by b\n\n## Context\n"),
            ("### STATUS:\n- **Approved** by all\n", "Approved", "### STATUS:\n- **Superseded by b** by all\n"),
            ("Status\n------\nAccepted.\n", "Accepted", "Status\n------\nSuperseded by b.\n"),
        ] {
            let own = find(body).unwrap();
            assert_eq!((own.words, own.replaced("superseded by b").as_str()), (words, changed));
            assert!(own.is_standing(None), "{body}");
        }
    }

    #[test]
    fn what_is_no_status_of_the_record_is_none() {
        for body in [
            "```\nStatus: x\n```\n",
            "<!--\nStatus: accepted\n-->\n",
            "HTTP status: 200\n",
            "## Status\n\n## Context\n\nAccepted\n",
            "Status:\n",
            "## Status\n",
            "~~~\n```\nStatus: x\n~~~\n",
        ] {
            assert_eq!(find(body), None, "{body}");
        }
        assert!(!find("Status: 200 OK\n").unwrap().is_standing(Some("accepted")));
        assert!(find("Status: in force\n").unwrap().is_standing(Some("In force")));
    }
}
