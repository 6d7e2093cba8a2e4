//! The context as statements: which objective, scope item, constraint or sentence says what.
//! Given the topic, CONTEXT.md and what people said since; hands on items, each under the section it stands in,
//! in its own words. Headings are known by their words; a question in the context is kept as a question.
//! Deliberately absent: what an item means for the register.

use super::super::words::without_comments;

/// Where a statement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Objective,
    In,
    Out,
    Constraint,
    User,
    Part,
    Outside,
    Decision,
    /// What may go wrong; kept apart from what is wanted.
    Risk,
    /// Prose about the project.
    Description,
    /// What a person said during the session.
    Said,
    /// A question that the context itself asks.
    Question,
    /// Handed on from another session, whose questions and artifacts are known by their ids.
    Left,
    /// Under a heading that says nothing here.
    Other,
}

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub section: Section,
    pub text: String,
}

/// Everything that was stated.
#[derive(Debug, Clone, Default)]
pub(super) struct Story {
    pub items: Vec<Item>,
    /// What the context names as a risk.
    pub risks: Vec<String>,
}

/// The words of headings, by section. The first that fits counts, so longer ones come first.
const HEADINGS: [(Section, &[&str]); 10] = [
    (Section::Out, &["out", "out of scope", "scope out", "excluded", "exclusions", "non-goals", "not in scope"]),
    (Section::In, &["in", "in scope", "scope in", "scope", "included", "features", "requirements"]),
    (Section::Objective, &["objectives", "objective", "goals", "goal", "aims", "purpose"]),
    (Section::Constraint, &["constraints", "constraint", "limits", "rules", "quality", "qualities"]),
    (Section::User, &["users", "user", "actors", "people", "personas", "stakeholders"]),
    (Section::Part, &["components", "parts", "modules", "building blocks"]),
    (Section::Outside, &["integrations", "interfaces", "outside systems", "external systems", "dependencies"]),
    (Section::Risk, &["risks", "risk", "known risks", "main risks"]),
    (Section::Decision, &["decisions", "decided", "outcome", "agreed", "consensus"]),
    (Section::Description, &["description", "overview", "about", "background", "summary", "domain"]),
];

/// The longest statement that is kept whole.
const LONGEST: usize = 400;

impl Section {
    /// What it is called when it is quoted.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Objective => "an objective",
            Self::In => "part of the scope",
            Self::Out => "out of scope",
            Self::Constraint => "a constraint",
            Self::User => "a kind of user",
            Self::Part => "a part of the system",
            Self::Outside => "an outside system",
            Self::Decision => "a decision",
            Self::Risk => "a risk",
            Self::Said => "said by a person in this session",
            Self::Question => "a question of the context",
            Self::Left => "handed on from a session",
            Self::Description | Self::Other => "a sentence of the context",
        }
    }

    fn headed(title: &str) -> Option<Self> {
        let title = title.trim().trim_end_matches(':').trim_matches(['*', '_']).to_lowercase();
        HEADINGS.iter().find(|(_, names)| names.contains(&title.as_str())).map(|(section, _)| *section)
    }
}

impl Story {
    /// Reads a context and what people said since.
    pub(super) fn read<'t>(context: &str, said: impl Iterator<Item = &'t str>) -> Self {
        let mut story = Self::default();
        story.context(&without_comments(context));
        for text in said {
            sentences(text).for_each(|text| story.add(Section::Said, text));
        }
        story
    }

    /// The statements of some sections, in the order of the context.
    pub(super) fn of<'s>(&'s self, sections: &'s [Section]) -> impl Iterator<Item = &'s Item> {
        self.items.iter().filter(|item| sections.contains(&item.section))
    }

    /// Whether any statement fits.
    pub(super) fn says(&self, fits: impl Fn(&str) -> bool) -> bool {
        self.first(fits).is_some()
    }

    /// The first statement that fits.
    pub(super) fn first(&self, fits: impl Fn(&str) -> bool) -> Option<&str> {
        let stated = |item: &&Item| item.section != Section::Question && fits(&item.text);
        self.items.iter().find(stated).map(|item| item.text.as_str())
    }

    fn context(&mut self, text: &str) {
        let mut reading = Reading { section: Section::Description, fence: None, attached: None };
        let mut paragraph = String::new();
        let mut listed = false;
        let mut rows: Vec<Vec<&str>> = Vec::new();
        let mut nest = Nest::default();
        for raw in text.lines() {
            let line = raw.trim();
            let before = reading.section;
            if !line.starts_with('|') {
                self.table(before, std::mem::take(&mut rows));
            }
            if reading.skips(line) {
                self.flush(before, &mut paragraph, std::mem::take(&mut listed));
                continue;
            }
            let heading = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#'));
            let bullet = bullet(line);
            if line.starts_with('|') {
                self.flush(reading.section, &mut paragraph, std::mem::take(&mut listed));
                rows.push(line.trim_matches('|').split('|').map(str::trim).collect());
                continue;
            }
            if bullet.is_some() && listed && nest.opens(raw) {
                nest.parents.push((nest.depth, std::mem::take(&mut paragraph)));
            }
            let label = heading.is_none() && bullet.is_none() && reading.is_label(line);
            if heading.is_some() || bullet.is_some() || label || line.is_empty() || line.starts_with("---") {
                self.flush(reading.section, &mut paragraph, std::mem::take(&mut listed));
            }
            match (heading, bullet) {
                (Some(title), _) => {
                    nest = Nest::default();
                    reading.enter(title, line.starts_with("# "));
                }
                (None, Some(item)) => {
                    nest.enter(raw);
                    paragraph = nest.joined(item, reading.section);
                    listed = true;
                }
                (None, None) if label => reading.enter(line, false),
                (None, None) if line.is_empty() || line.starts_with("---") => {}
                (None, None) => {
                    if !paragraph.is_empty() {
                        paragraph.push(' ');
                    }
                    paragraph.push_str(line);
                }
            }
        }
        self.flush(reading.section, &mut paragraph, listed);
        self.table(reading.section, rows);
    }

    /// Each row of a table is one statement, with what its columns are called.
    fn table(&mut self, section: Section, rows: Vec<Vec<&str>>) {
        let rule = |row: &Vec<&str>| row.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' ')));
        let headed = rows.get(1).is_some_and(rule);
        for row in rows.iter().skip(if headed { 2 } else { 0 }).filter(|row| !rule(row)) {
            let cells = row.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
            let cells: Vec<String> = cells
                .map(|(at, cell)| match rows[0].get(at).filter(|name| headed && !name.is_empty()) {
                    Some(name) if section != Section::Out => format!("{name}: {cell}"),
                    _ => (*cell).to_owned(),
                })
                .collect();
            self.add(section, &cells.join("; "));
        }
    }

    /// A list item is one statement; a paragraph is as many as it has sentences.
    fn flush(&mut self, section: Section, paragraph: &mut String, listed: bool) {
        let text = std::mem::take(paragraph);
        // "In: orders, invoices" under a plain heading.
        let labelled = text.split_once(':').and_then(|(label, rest)| Some((Section::headed(label)?, rest)));
        match labelled.filter(|_| matches!(section, Section::In | Section::Description | Section::Other)) {
            Some((section, rest)) => rest.split([',', ';']).for_each(|text| self.add(section, text)),
            None if listed => self.add(section, &text),
            None => sentences(&text).for_each(|text| self.add(section, text)),
        }
    }

    fn add(&mut self, section: Section, text: &str) {
        let text = text.trim().trim_start_matches("[ ]").trim_start_matches("[x]").trim();
        let text = text.replace("**", "").replace('`', "");
        if !text.chars().any(char::is_alphabetic) {
            return;
        }
        let text: String = text.trim_end_matches(['.', ';', ',']).chars().take(LONGEST).collect();
        let section = match (text.trim_end().ends_with('?'), section) {
            (true, Section::Left) => return,
            (true, _) => Section::Question,
            (false, section) => section,
        };
        if section == Section::Risk {
            if !self.risks.iter().any(|known| known.eq_ignore_ascii_case(&text)) {
                self.risks.push(text);
            }
            return;
        }
        if !self.items.iter().any(|item| item.text.eq_ignore_ascii_case(&text)) {
            self.items.push(Item { section, text });
        }
    }
}

/// The list items that an item stands under, with how far each is set in.
#[derive(Debug, Default)]
struct Nest {
    parents: Vec<(usize, String)>,
    depth: usize,
}

impl Nest {
    fn depth_of(raw: &str) -> usize {
        raw.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
    }

    /// Whether an item stands under the one before it.
    fn opens(&self, raw: &str) -> bool {
        Self::depth_of(raw) > self.depth + 1
    }

    fn enter(&mut self, raw: &str) {
        self.depth = Self::depth_of(raw);
        self.parents.retain(|(depth, _)| depth + 1 < self.depth);
    }

    /// An item behind the one it stands under, which carries those above it: "Check-in: with a barcode scanner". What
    /// is out of scope reads a colon as the start of a reason.
    fn joined(&self, item: &str, section: Section) -> String {
        let Some((_, parent)) = self.parents.last() else { return item.to_owned() };
        let join = if section == Section::Out { " – " } else { ": " };
        format!("{}{join}{item}", parent.trim_end_matches([':', '.', ' ']))
    }
}

/// Where a reader is in a context: under which heading, inside which fence, in which attachment.
struct Reading {
    section: Section,
    fence: Option<String>,
    /// Whether the text of the attachment under way is read for its headings.
    attached: Option<bool>,
}

impl Reading {
    /// Whether a line is a fence, inside one, or names an attachment: no statement.
    fn skips(&mut self, line: &str) -> bool {
        if let Some(name) = line.strip_prefix("Attached: ").filter(|_| self.fence.is_none()) {
            let name = name.trim_matches('`').to_lowercase();
            let left = name.starts_with("session ");
            let prose = left || name.ends_with(".md") || name.ends_with(".txt");
            (self.attached, self.section) = (Some(prose), if left { Section::Left } else { Section::Other });
            return true;
        }
        if let Some(fence) = &self.fence {
            if line == fence {
                (self.fence, self.attached) = (None, None);
                self.section = if self.section == Section::Left { Section::Other } else { self.section };
                return true;
            }
            return self.attached != Some(true);
        }
        let opens = line.starts_with("```") || line.starts_with("~~~");
        if opens {
            self.fence = Some(line.chars().take_while(|c| matches!(c, '`' | '~')).collect());
        }
        opens
    }

    /// Under another heading. The project's own title comes before its description; what a session left has none.
    fn enter(&mut self, title: &str, top: bool) {
        if self.section == Section::Left {
            return;
        }
        let plain = if top && self.attached.is_none() { Section::Description } else { Section::Other };
        self.section = Section::headed(title).unwrap_or(plain);
    }

    /// A line of its own like "Agreed:", as a session hands on what it came to.
    fn is_label(&self, line: &str) -> bool {
        self.attached == Some(true) && line.ends_with(':') && line.split_whitespace().count() < 4
    }
}

/// What a list mark leads to.
fn bullet(line: &str) -> Option<&str> {
    let marked = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark));
    marked.or_else(|| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = rest.len() < line.len();
        numbered.then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))).flatten()
    })
}

/// Sentences end at a full stop, question mark or exclamation mark before a space and a capital letter.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let ends = |(at, c): &(usize, char)| {
            let after = &rest[at + c.len_utf8()..];
            matches!(c, '.' | '!' | '?')
                && after.starts_with(char::is_whitespace)
                && after.trim_start().starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        };
        let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, c)| at + c.len_utf8());
        let (sentence, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(context: &str, expected: &[(Section, &str)]) {
        let story = Story::read(context, ["Add an export. And a print view."].into_iter());
        let said = [(Section::Said, "Add an export"), (Section::Said, "And a print view")];
        let items: Vec<(Section, &str)> = story.items.iter().map(|item| (item.section, item.text.as_str())).collect();
        assert_eq!(items, [expected, &said].concat(), "{context}");
    }

    #[test]
    fn statements_are_found_under_their_headings() {
        use Section::{Constraint, Description, In, Objective, Other, Out, Question};
        check("", &[]);
        check(
            "# Shop\n\nSells parts to garages. Live since 2019,\nin 3.5 countries.\n\n## Objectives\n- Halve the time\n  to add a supplier.\n\
             1. Sell more\n\n## Scope\n### In\nOrders. Invoices.\n### Out\n* Payments\n\n## Constraints:\n- [ ] Data stays in the EU; always\n\
             - Who runs it?\n## Notes\n- x1",
            &[
                (Description, "Sells parts to garages"),
                (Description, "Live since 2019, in 3.5 countries"),
                (Objective, "Halve the time to add a supplier"),
                (Objective, "Sell more"),
                (In, "Orders"),
                (In, "Invoices"),
                (Out, "Payments"),
                (Constraint, "Data stays in the EU; always"),
                (Question, "Who runs it?"),
                (Other, "x1"),
            ],
        );
        check(
            "## Scope\nIn: orders, invoices\n\nOut: payments\n",
            &[(In, "orders"), (In, "invoices"), (Out, "payments")],
        );
        check(
            "## Constraints\n- One\nAttached: `session 2026-x`\n\n~~~\nTopic: Parts\nAgreed:\n- C1.1: Use REST\nNot resolved:\n- x1\n~~~\n\n\
             Attached: `a.rs`\n\n~~~\n# Goals\n- code\n~~~\n\nAttached: `n.md`\n\n~~~~\n## Goals\n- Two\n- Three\n~~~~\n",
            &[
                (Constraint, "One"),
                (Section::Left, "Topic: Parts"),
                (Section::Left, "C1.1: Use REST"),
                (Section::Left, "x1"),
                (Objective, "Two"),
                (Objective, "Three"),
            ],
        );
        check(
            "Attached: `session x`\n\n~~~\nRecommendation: Answer this: (1) Who pays?\nAgreed:\n- C3.2: MIT-001 Ask first: who pays?\n\
             - C3.3: Pay\n~~~\n\n## Constraints\n- Who runs it?\n",
            &[(Section::Left, "C3.3: Pay"), (Question, "Who runs it?")],
        );
        check(
            "## Scope\n### In\n- Check-in:\n  - with a barcode scanner\n    at the door\n  - by hand\n    - for groups\n- Lockers\n\n\
             | Locker size | Price |\n|---|:--|\n| Small | 5 |\n| Large | |\n\n### Out\n* Repairs\n\t* of bikes\n",
            &[
                (In, "Check-in: with a barcode scanner at the door"),
                (In, "Check-in: by hand: for groups"),
                (In, "Lockers"),
                (In, "Locker size: Small; Price: 5"),
                (In, "Locker size: Large"),
                (Out, "Repairs – of bikes"),
            ],
        );
        check("<!-- ## Objectives\n- hidden -->\n```\n## Objectives\n- code\n```\n---\n...\n", &[]);
    }
}
