//! Architecture by rule: decisions that a playbook can weigh, components by what the requirements are about, and
//! interfaces to whoever is named outside. Given the desk and a topic of the design agenda; hands on its plan.
//! Where nothing is stated the parts stay coarse and the rest is asked. Deliberately absent: parts that no
//! requirement, objective or topic names.

use s2s_engine::artifact::{Artifact, ArtifactKind, Details};
use s2s_engine::opening::Topic;

use super::super::words::{listed, opening_with, within};
use super::draft::{Draft, SAID_ABOUT_IT, same_text, stands};
use super::marks::{actors, holds, outsiders, things};
use super::plan::Plan;
use super::story::Section;
use super::weighed::{decision, is_ripe, served};
use super::{Desk, asked_for};

const OWNS: &str = "owns, owner, responsible, owned by";
const DEPENDS: &str = "calls, depends, uses, may call, reads from, writes to";
const HALFWAY: &str = "halfway, retry, retries, rollback, fails, failure, resume, stops";
const DELAY: &str = "eventually, consistent, consistency, delay, stale, up to date";
const DOWN: &str = "down, does not answer, unavailable, outage, timeout, fallback, offline";
const ACCESS: &str = "sign in, sign-in, log in, login, authentication, oauth, api key, token";
const UPKEEP: &str = "upkeep, licence, license, maintenance, support contract, upgrade, per year";
const LEARNING: &str = "learn, training, course, know, knows, experience";
const REVERSE: &str = "reverse, reversible, irreversible, hard to change, costly to change";
/// The most components that are drawn from what is wanted.
const MOST_PARTS: usize = 5;

/// The plan of one topic of the design agenda; empty for a topic that no rule knows.
pub(super) fn plan(desk: &Desk<'_>, topic: &Topic) -> Plan {
    match topic.id.as_str() {
        "high-level-arch" => style(desk),
        "components" => components(desk),
        "data-flow" => data_flow(desk),
        "tech-choices" => choices(desk),
        "integration" => integration(desk),
        _ => Plan::default(),
    }
}

fn style(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    // A style is decided for something: for what is wanted, or because the topic asks for it.
    let asked = desk.table.is_some() || !desk.wanted().is_empty();
    for table in desk.style().iter().filter(|table| asked && is_ripe(desk, table)) {
        plan.claim(decision(desk, table));
    }
    mend(desk, &mut plan, ArtifactKind::Arch);
    let kept = desk.live(&[ArtifactKind::Arch]);
    let serves = plan.claims.iter().any(|draft| !draft.serves.is_empty()) || kept.iter().any(|a| !a.serves.is_empty());
    plan.criterion(
        1,
        serves,
        "Which requirements shape the structure most, and where are its boundaries?",
        "No requirement is kept that a boundary could be said to serve.",
    );
    plan.criterion(
        2,
        !plan.claims.is_empty() || kept.iter().any(|artifact| artifact.details.options.len() > 1),
        "Which other style was considered, and why is it turned down?",
        "No playbook has weighed one against another here.",
    );
    plan.criterion(
        3,
        desk.story.says(|text| holds(text, REVERSE)),
        "Which of these decisions would be costly to reverse?",
        "Nothing stated says what it would cost to go back.",
    );
    plan
}

/// A part and what it is there for.
struct Part {
    name: String,
    serves: Vec<String>,
    from: Vec<String>,
}

fn components(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    for part in parts(desk) {
        let quoted: Vec<String> = part.from.iter().take(3).map(|text| format!("\"{text}\"")).collect();
        let text = match part.from.as_slice() {
            [only] if only.eq_ignore_ascii_case(&part.name) => "Named so; nothing else is stated about it.".to_owned(),
            _ => format!("{SAID_ABOUT_IT}{}.", quoted.join("; ")),
        };
        let draft = Draft::new(ArtifactKind::Comp, &part.name, text);
        let draft = match part.from.first() {
            Some(from) => draft.resting_on(from),
            None => draft,
        };
        plan.claim(Draft { serves: part.serves, ..draft });
    }
    mend(desk, &mut plan, ArtifactKind::Comp);
    let names: Vec<String> = plan.claims.iter().map(|draft| draft.title.clone()).collect();
    let of = match names.is_empty() {
        true => "each part".to_owned(),
        false => listed(&names, "and"),
    };
    plan.criterion(
        1,
        !plan.claims.is_empty() && desk.story.says(|text| holds(text, OWNS)),
        &format!("What is the one duty of {of}, and which data does each own?"),
        "Nothing stated says which part owns which data.",
    );
    plan.criterion(
        2,
        desk.story.says(|text| holds(text, DEPENDS)),
        "Which part may call which, and which direction is forbidden?",
        "Nothing stated says how the parts depend on each other.",
    );
    plan.criterion(
        3,
        desk.story.says(|text| holds(text, "change, changes") && holds(text, "part, component, module")),
        "Which change is most likely, and which parts would it touch?",
        "Nothing stated says what is likely to change.",
    );
    plan
}

/// The parts that are stated; else one for each thing that the requirements, or the context's wishes, are about;
/// else the topic itself, if it says more than a name.
fn parts(desk: &Desk<'_>) -> Vec<Part> {
    let stated: Vec<Part> = desk
        .story
        .of(&[Section::Part])
        .map(|item| {
            let end = item.text.find([':', ',', '(']).unwrap_or(item.text.len());
            let name = item.text[..end].trim();
            Part { name: opening_with(name), serves: about(desk, name), from: vec![item.text.clone()] }
        })
        .collect();
    if !stated.is_empty() {
        return stated;
    }
    let functions = desk.live(&[ArtifactKind::Req]);
    let mut texts: Vec<(String, Option<String>)> = functions
        .iter()
        // "The way of the customers" is about people, not about a thing.
        .filter(|artifact| !artifact.title.starts_with("The way of"))
        .map(|artifact| (artifact.title.clone(), Some(artifact.id.to_string())))
        .collect();
    if functions.is_empty() {
        texts.extend(desk.story.of(&[Section::Objective, Section::In]).map(|item| (item.text.clone(), None)));
    }
    let mut parts = grouped(&texts);
    parts.sort_by_key(|part| std::cmp::Reverse(part.from.len()));
    parts.truncate(MOST_PARTS);
    let topic = asked_for(&desk.session.opening().topic).filter(|_| parts.is_empty() && desk.table.is_none());
    if let Some(topic) = topic {
        parts.push(Part { name: opening_with(topic), serves: Vec::new(), from: vec![topic.to_owned()] });
    }
    parts
}

/// Each statement goes to the thing it names that most statements name, the first of equals.
fn grouped(texts: &[(String, Option<String>)]) -> Vec<Part> {
    let named: Vec<Vec<String>> = texts.iter().map(|(text, _)| things(text)).collect();
    let times = |name: &String| named.iter().filter(|things| things.contains(name)).count();
    let mut parts: Vec<Part> = Vec::new();
    for ((text, id), things) in texts.iter().zip(&named) {
        let most = things.iter().map(times).max();
        let Some(name) = things.iter().find(|name| Some(times(name)) == most) else { continue };
        let name = opening_with(name);
        if !parts.iter().any(|part| part.name == name) {
            parts.push(Part { name: name.clone(), serves: Vec::new(), from: Vec::new() });
        }
        if let Some(part) = parts.iter_mut().find(|part| part.name == name) {
            part.serves.extend(id.clone());
            part.from.push(text.clone());
        }
    }
    parts
}

/// The requirements whose words name a part.
fn about(desk: &Desk<'_>, name: &str) -> Vec<String> {
    let words = super::marks::content(name);
    let wanted = desk.wanted();
    let names = |artifact: &&&Artifact| !super::marks::content(&artifact.title).is_disjoint(&words);
    wanted.iter().filter(names).map(|artifact| artifact.id.to_string()).collect()
}

/// Criteria that a statement with one of these words shows: number, words, question.
type Shown = (u32, &'static str, &'static str);

const OF_DATA: [Shown; 2] = [
    (2, HALFWAY, "What happens when a flow of data stops halfway?"),
    (3, DELAY, "Where may two readers see different values, and for how long?"),
];
const OF_CHOICES: [Shown; 2] = [
    (2, LEARNING, "What of it is new to the team, and how is it learned?"),
    (3, UPKEEP, "What does it cost each year to keep these choices current and supported?"),
];

/// Adds criteria that are shown by their words, or asked about.
fn by_words(desk: &Desk<'_>, plan: &mut Plan, criteria: &[Shown]) {
    for (number, words, question) in criteria {
        let shown = desk.story.says(|text| holds(text, words));
        plan.criterion(*number, shown, question, "Nothing stated says so.");
    }
}

fn data_flow(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    plan.criterion(
        1,
        desk.story.says(|text| holds(text, OWNS) && holds(text, "data, record, records, writes")),
        "Which part is the only one to write each important entity?",
        "Nothing stated says where data is written.",
    );
    by_words(desk, &mut plan, &OF_DATA);
    plan
}

fn choices(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    for table in desk.choices() {
        plan.claim(decision(desk, table));
    }
    plan.criterion(
        1,
        !plan.claims.is_empty(),
        "Which technology is forced by what is there, and which choice is open, between what?",
        "Nothing stated names a choice that a playbook could weigh.",
    );
    by_words(desk, &mut plan, &OF_CHOICES);
    plan
}

fn integration(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    let parts = desk.live(&[ArtifactKind::Comp]);
    for (name, from) in outside(desk) {
        let about = |part: &&&Artifact| !super::marks::content(&part.title).is_disjoint(&super::marks::content(&from));
        let Some(part) = parts.iter().find(about).or_else(|| parts.first()) else { break };
        let end = opening_with(&name);
        let details = Details { between: vec![part.id.to_string(), end.clone()], ..Details::default() };
        let text = format!("Stated: \"{from}\". Direction, style and owner are still to be said.");
        let title = format!("{} and {}", part.title, name);
        let serves = standing(desk, part);
        plan.claim(Draft { serves, ..Draft::new(ArtifactKind::Int, &title, text).with(details).resting_on(from) });
    }
    mend(desk, &mut plan, ArtifactKind::Int);
    let which = match plan.claims.is_empty() {
        true => "Which systems outside are called or call us, and who can change them?",
        false => "For each interface: in which direction, in which style, and who owns the other side?",
    };
    plan.criterion(1, false, which, "Nothing stated says so.");
    plan.criterion(
        2,
        desk.story.says(|text| holds(text, DOWN) && !outsiders(text).is_empty()),
        "What happens here when a system outside does not answer?",
        "Nothing stated says so.",
    );
    plan.criterion(
        3,
        desk.story.says(|text| holds(text, ACCESS)),
        "How does each side of an interface know whom it is talking to, and what may it do?",
        "Nothing stated says so.",
    );
    plan
}

/// What an artifact serves of what still stands, else what its words name.
fn standing(desk: &Desk<'_>, artifact: &Artifact) -> Vec<String> {
    let live: Vec<String> =
        artifact.serves.iter().filter(|id| stands(desk.session, **id)).map(ToString::to_string).collect();
    match artifact.id.kind {
        _ if !live.is_empty() || artifact.serves.is_empty() => live,
        ArtifactKind::Arch => {
            let text = format!("{} {}", artifact.title, artifact.text);
            served(desk, &text).iter().map(ToString::to_string).collect()
        }
        _ => about(desk, &artifact.title),
    }
}

/// Known artifacts that serve what does not stand any more, and that the plan does not draw anew: they serve what
/// is left of it; where nothing is, somebody has to say what they are for.
fn mend(desk: &Desk<'_>, plan: &mut Plan, kind: ArtifactKind) {
    for artifact in desk.live(&[kind]) {
        let gone: Vec<String> =
            artifact.serves.iter().filter(|id| !stands(desk.session, **id)).map(ToString::to_string).collect();
        let same = |draft: &Draft| draft.kind == kind && same_text(&draft.title) == same_text(&artifact.title);
        let drawn = plan.claims.iter().any(|draft| same(draft) && !draft.serves.is_empty());
        if gone.is_empty() || drawn {
            continue;
        }
        let serves = standing(desk, artifact);
        plan.claims.retain(|draft| !same(draft));
        match serves.is_empty() {
            true => plan.ask(
                &format!("What is {} there for now: {}?", artifact.id, within(&artifact.title)),
                &format!("It serves {}, which stands no more.", listed(&gone, "and")),
            ),
            false => plan.claims.push(Draft {
                title: artifact.title.clone(),
                serves,
                id: Some(artifact.id),
                ..Draft::new(kind, "", artifact.text.clone())
            }),
        }
    }
}

/// Who is on the other side: stated systems first, then systems and people that statements name.
fn outside(desk: &Desk<'_>) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut add = |name: String, from: &str| {
        if !found.iter().any(|(known, _)| known.trim_end_matches('s') == name.trim_end_matches('s')) {
            found.push((name, from.to_owned()));
        }
    };
    for item in desk.story.of(&[Section::Outside]) {
        let end = item.text.find([':', ',', '(']).unwrap_or(item.text.len());
        add(item.text[..end].trim().to_owned(), &item.text);
    }
    let told: Vec<String> = desk
        .story
        .items
        .iter()
        .filter(|item| !matches!(item.section, Section::Out | Section::Left | Section::Other | Section::Question))
        .map(|item| item.text.clone())
        .chain(desk.wanted().iter().map(|artifact| artifact.title.clone()))
        .collect();
    for named in [outsiders, actors] {
        for text in &told {
            named(text).into_iter().for_each(|name| add(name, text));
        }
    }
    found.truncate(4);
    found
}
