//! The sections of an architecture description, after arc42: only those that have content.
//! Given the session and its view; hands on points under the section that they speak about, and the names of
//! the sections left out. Deliberately absent: sentences to fill an empty section.

use s2s_engine::{Point, Session, Standing};

use super::escape::inline;
use super::sorted::{QUALITY, SECTIONS, best};
use super::tallied::point_source;
use super::view::{PointView, QualityPoints, Sections, Statement, View};

/// Sorts what was said into sections.
pub(super) fn sections(session: &Session, view: &View) -> Sections {
    let mut sections = Sections::default();
    let standing = session.points().iter().filter(|point| point.standing != Standing::Failed);
    let elsewhere = |point: &Point| view.reviews.iter().chain(&view.asked_points).any(|other| other.id == point.id);
    for point in standing.filter(|point| !elsewhere(point)) {
        let shown = PointView { id: point.id.clone(), text: inline(&point.text), source: point_source(session, point) };
        if view.chosen.as_ref().is_some_and(|chosen| chosen.points.contains(&point.id)) {
            sections.strategy.push(shown);
        } else {
            place(&mut sections, point, shown);
        }
    }
    sections.quality.sort_by_key(|group| QUALITY.iter().position(|heading| heading.name == group.characteristic));
    sections.glossary = glossary(session);
    sections.absent = absent(&sections, view);
    sections
}

/// A point stands in one section: in the one that more of its words point to, a part of the system before
/// a quality of it.
fn place(sections: &mut Sections, point: &Point, shown: PointView) {
    let part = best(SECTIONS, &point.text);
    let quality = best(QUALITY, &point.text);
    if let Some((heading, found)) = quality
        && found > part.as_ref().map_or(0, |(_, found)| *found)
    {
        match sections.quality.iter_mut().find(|group| group.characteristic == heading.name) {
            Some(group) => group.points.push(shown),
            None => sections.quality.push(QualityPoints { characteristic: heading.name, points: vec![shown] }),
        }
        return;
    }
    let list = match part.map(|(heading, _)| heading.name) {
        Some("Context and Scope") => &mut sections.context,
        Some("Building Block View") => &mut sections.blocks,
        Some("Runtime View") => &mut sections.runtime,
        Some("Deployment View") => &mut sections.deployment,
        Some("Cross-cutting Concepts") => &mut sections.concepts,
        _ => &mut sections.strategy,
    };
    list.push(shown);
}

fn absent(sections: &Sections, view: &View) -> Vec<&'static str> {
    let constrained = view.rulings.iter().any(|ruling| ruling.decides)
        || !view.context_changes.is_empty()
        || !view.resolved.is_empty();
    let risks = !view.asked_points.is_empty()
        || !view.conflicts.is_empty()
        || !view.risks.is_empty()
        || !view.failed.is_empty();
    let all = [
        ("2 Constraints", constrained),
        ("3 Context and Scope", !sections.context.is_empty()),
        ("4 Solution Strategy", !sections.strategy.is_empty() || view.recommendation.is_some()),
        ("5 Building Block View", !sections.blocks.is_empty()),
        ("6 Runtime View", !sections.runtime.is_empty()),
        ("7 Deployment View", !sections.deployment.is_empty()),
        ("8 Cross-cutting Concepts", !sections.concepts.is_empty()),
        ("9 Architecture Decisions", !view.tallies.is_empty() || !view.unvoted.is_empty()),
        ("10 Quality Requirements", !sections.quality.is_empty()),
        ("11 Risks and Technical Debt", risks),
        ("12 Glossary", !sections.glossary.is_empty()),
    ];
    all.into_iter().filter(|(_, there)| !there).map(|(name, _)| name).collect()
}

/// Abbreviations that a point or a synthesis spells out, as in "service level objective (SLO)".
fn glossary(session: &Session) -> Vec<Statement> {
    let mut terms: Vec<Statement> = Vec::new();
    for round in session.rounds() {
        let texts = round.consensus.iter().map(String::as_str).chain([round.synthesis.as_str()]);
        for (short, long) in texts.flat_map(spelled_out) {
            let text = format!("**{}**: {}", inline(&short), inline(&long));
            if !terms.iter().any(|term| term.text == text) {
                terms.push(Statement { text, source: format!("round {}", round.number) });
            }
        }
    }
    terms.sort_by(|a, b| a.text.cmp(&b.text));
    terms
}

fn spelled_out(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('(') {
        let short: String = text[open + 1..].chars().take_while(char::is_ascii_uppercase).collect();
        if !(2..=6).contains(&short.len()) || !text[open + 1 + short.len()..].starts_with(')') {
            continue;
        }
        let words: Vec<&str> = text[..open].split_whitespace().collect();
        let Some(start) = words.len().checked_sub(short.len()) else { continue };
        let long = &words[start..];
        let initials: String =
            long.iter().filter_map(|word| word.chars().next()).flat_map(char::to_uppercase).collect();
        if initials == short {
            found.push((short, long.join(" ")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_abbreviations_that_are_spelled_out_are_terms() {
        let text = "Each service level objective (SLO) is public (API) and no Recovery point objective (RTO). É x (EX)";
        assert_eq!(spelled_out(text), [("SLO".to_owned(), "service level objective".to_owned())]);
        assert_eq!(spelled_out("(SLO)"), []);
    }
}
