//! What a statement of the context becomes: a function, a rule, a quality, an exclusion, or nothing.
//! Given the desk; hands on statements by kind, drafts of functions, and the users that statements name. Deliberately
//! absent: the topics of the agenda.

use s2s_engine::artifact::{ArtifactKind, Details, Priority};

use super::super::words::{opening_with, within};
use super::checks::acceptance;
use super::draft::{Draft, SAME_THING, same_text};
use super::marks::{Target, Unit, actors, holds, is_availability, is_rule, likeness, load, names_all_of, target};
use super::plan::Plan;
use super::story::{Item, Section};
use super::{Desk, asked_for};
use crate::documents::sorted::{QUALITY, best};

/// What a statement becomes.
pub(super) fn kind_of(item: &Item) -> Option<ArtifactKind> {
    let constraint = item.section == Section::Constraint;
    match item.section {
        Section::Objective | Section::In | Section::Said | Section::Constraint | Section::Description => {
            if quality(item).is_some() {
                return Some(ArtifactKind::Nfr);
            }
            let wish = matches!(item.section, Section::Objective | Section::In | Section::Said);
            match is_rule(&item.text, constraint || item.section == Section::Description) {
                true => Some(ArtifactKind::Br),
                false if constraint => Some(ArtifactKind::Br),
                false => wish.then_some(ArtifactKind::Req),
            }
        }
        Section::Out => Some(ArtifactKind::Ex),
        _ => None,
    }
}

/// What a system is waited for.
const ANSWERS: &str = "page, request, answer, response, screen, search, call, load";

/// The characteristic and the number of a statement about quality.
pub(super) fn quality(item: &Item) -> Option<(&'static str, Target)> {
    let target = target(&item.text)?;
    let named = best(QUALITY, &item.text).map(|(heading, _)| heading.name);
    // In a wish a bare number of days or orders is about the business, not about the system.
    let firm = matches!(item.section, Section::Constraint) && !matches!(target.unit, Unit::Share | Unit::Span);
    let share_in_time = target.unit == Unit::Time && target.text.contains('%');
    let by_unit = match target.unit {
        _ if is_availability(&item.text) => Some("Reliability"),
        _ if share_in_time && holds(&item.text, ANSWERS) => Some("Performance efficiency"),
        Unit::Standard => Some("Interaction capability"),
        _ if firm => Some("Performance efficiency"),
        _ => None,
    };
    Some((named.or(by_unit)?, target))
}

/// The statements that become artifacts of this kind.
pub(super) fn of_kind<'d>(desk: &'d Desk<'_>, kind: ArtifactKind) -> impl Iterator<Item = &'d Item> {
    desk.story.items.iter().filter(move |item| kind_of(item) == Some(kind))
}

/// A statement in full, as the text under its title.
pub(super) fn stated(item: &Item) -> String {
    match item.section {
        Section::Said => format!("A person asked for this during the session: {}", sentence(&item.text)),
        _ => sentence(&item.text),
    }
}

/// A statement as a sentence of its own.
pub(super) fn sentence(text: &str) -> String {
    let text = opening_with(text.trim());
    if text.ends_with(['.', '!', '?', '…']) { text } else { format!("{text}.") }
}

/// A function from a wish.
pub(super) fn function(item: &Item) -> Draft {
    let priority = match item.section {
        Section::Objective | Section::Constraint => Priority::Must,
        Section::In => Priority::Should,
        _ => Priority::Could,
    };
    let details = Details { priority: Some(priority), acceptance: acceptance(&item.text), ..Details::default() };
    Draft::new(ArtifactKind::Req, &item.text, stated(item)).with(details).resting_on(&item.text)
}

/// Asks about everything that is wanted and left out at once, by the ids of both.
pub(super) fn disputes(desk: &Desk<'_>, plan: &mut Plan, wanted: &[String], left_out: &[String]) {
    let named = |kind: ArtifactKind, title: &str| {
        let of_kind = desk.live(&[kind]);
        let known = of_kind.iter().find(|artifact| same_text(&artifact.title) == same_text(title));
        known.map_or_else(|| Draft::mark(kind, title), |artifact| artifact.id.to_string())
    };
    for wish in wanted {
        let against = |out: &&String| names_all_of(wish, out) || likeness(wish, out) >= SAME_THING;
        let Some(out) = left_out.iter().find(against) else { continue };
        let (wants, leaves) = (named(ArtifactKind::Req, wish), named(ArtifactKind::Ex, out));
        plan.ask(
            &format!("Is this in or out: {}?", within(wish)),
            &format!(
                "{wants} asks for it, and {leaves} leaves it out: \"{out}\". One of the two has to be taken back."
            ),
        );
    }
}

/// Every kind of user that the context names, with the statements about each.
pub(super) fn users<'d>(desk: &'d Desk<'_>) -> Vec<(String, Vec<&'d str>)> {
    let mut users: Vec<(String, Vec<&str>)> = Vec::new();
    let told = desk.story.of(&[
        Section::User,
        Section::Objective,
        Section::In,
        Section::Said,
        Section::Description,
        Section::Constraint,
    ]);
    for item in told {
        let mut named = actors(&item.text);
        // "200 concurrent users" counts them and says nothing about what they want.
        let counted = load(&item.text).filter(|_| item.section != Section::User).map(|load| load.text.to_lowercase());
        named.retain(|name| !counted.as_ref().is_some_and(|counted| counted.contains(name.as_str())));
        if item.section == Section::User && named.is_empty() {
            let end = item.text.find([':', ',', '(']).unwrap_or(item.text.len());
            named.push(item.text[..end].trim().to_lowercase());
        }
        for name in named {
            let single = |name: &str| name.trim_end_matches('s').to_owned();
            match users.iter_mut().find(|(known, _)| single(known) == single(&name)) {
                Some((_, items)) => items.push(&item.text),
                None => users.push((name, vec![&item.text])),
            }
        }
    }
    users
}

/// The topic itself, where nothing else says what is wanted and the topic does.
pub(super) fn from_topic(desk: &Desk<'_>) -> Option<Draft> {
    let topic = asked_for(&desk.session.opening().topic).filter(|_| desk.table.is_none())?;
    let details = Details { priority: Some(Priority::Must), acceptance: acceptance(topic), ..Details::default() };
    let text = "The topic of the session asks for this; the context does not say more.";
    Some(Draft::new(ArtifactKind::Req, topic, text).with(details).resting_on(topic))
}
