//! CONTEXT.md of a new project.
//! Given what the folder shows and what a person answered; hands on the text: answers as they are, and questions as
//! comments, which are not context, where there is none. Deliberately absent: asking, and the file.

use super::detect::Detected;
use super::detected_part;
use crate::clean::{clean_line, clean_text};

/// What a person says about a project. What is left out is taken from the folder, or left open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// What it is; none = what the folder says of itself, an empty text = nothing.
    pub description: Option<String>,
    /// The field it is for, such as `spare parts for garages`.
    pub domain: Option<String>,
    /// What should be better once it is done.
    pub objectives: Vec<String>,
    /// What belongs to the work.
    pub scope_in: Vec<String>,
    /// What is left out on purpose.
    pub scope_out: Vec<String>,
    /// What every decision must respect.
    pub constraints: Vec<String>,
}

impl Answers {
    /// Whether nothing was answered.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The text of a new CONTEXT.md.
pub fn draft(found: &Detected, answers: &Answers) -> String {
    let mut text = format!("# {}\n", found.name);
    let detected = found.description.as_ref().map(|sign| sign.name.clone());
    if let Some(description) = answers.description.as_deref().map(said).or(detected).filter(|said| !said.is_empty()) {
        text.push_str(&format!("\n{description}\n"));
    }
    if let Some(domain) = answers.domain.as_deref().map(said).filter(|domain| !domain.is_empty()) {
        text.push_str(&format!("\nDomain: {domain}\n"));
    }
    text.push_str(&format!("\n{}", detected_part::part(found)));
    text.push_str(INTRODUCTION);
    let sections = [
        ("## Objectives", OBJECTIVES, &answers.objectives),
        ("## Scope\n\n### In", IN, &answers.scope_in),
        ("### Out", OUT, &answers.scope_out),
        ("## Constraints", CONSTRAINTS, &answers.constraints),
    ];
    for (heading, question, given) in sections {
        let given: Vec<String> = given.iter().map(|item| clean_line(item).trim().to_owned()).collect();
        let lines: Vec<String> = given.iter().filter(|item| !item.is_empty()).map(|item| format!("- {item}")).collect();
        let body = if lines.is_empty() { question.to_owned() } else { lines.join("\n") };
        text.push_str(&format!("\n{heading}\n\n{body}\n"));
    }
    text
}

fn said(text: &str) -> String {
    clean_text(text).trim().to_owned()
}

const INTRODUCTION: &str = "
<!-- Every roundtable of this project starts from this file. Comments like this one are not read:
     write your answers below them. What you leave empty, the panel does not know. -->
";
const OBJECTIVES: &str =
    "<!-- What should be better once this is done, for whom, and how will you notice? Two or three lines. -->";
const IN: &str = "<!-- What belongs to the work? -->";
const OUT: &str = "<!-- What is left out on purpose, even if somebody will ask for it? -->";
const CONSTRAINTS: &str =
    "<!-- What must every decision respect? One per line, with numbers where there are any: people and what
     they know, money, dates, load, laws, systems that stay. -->";

#[cfg(test)]
mod tests {
    use super::super::detect::Sign;
    use super::*;

    #[test]
    fn answers_stand_where_the_questions_would_and_win_over_what_was_detected() {
        let description = Some(Sign { name: "From the README.".into(), from: "README.md".into() });
        let found = Detected { name: "shop".into(), description, ..Detected::default() };
        let answers = Answers {
            domain: Some("spare parts\x1b[31m".into()),
            objectives: vec!["Faster\norders".into(), "  ".into(), "Fewer errors".into()],
            ..Answers::default()
        };
        let text = draft(&found, &answers);
        assert!(text.starts_with("# shop\n\nFrom the README.\n\nDomain: spare parts\n\n<!-- s2s:detected"), "{text}");
        assert!(
            text.contains("## Objectives\n\n- Faster orders\n- Fewer errors\n\n## Scope\n\n### In\n\n<!-- What"),
            "{text}"
        );
        let own = Answers { description: Some("Mine.".into()), ..Answers::default() };
        assert!(draft(&found, &own).starts_with("# shop\n\nMine.\n\n<!--"));
        let none = Answers { description: Some(" ".into()), ..Answers::default() };
        assert!(draft(&found, &none).starts_with("# shop\n\n<!--") && !none.is_empty());
    }
}
