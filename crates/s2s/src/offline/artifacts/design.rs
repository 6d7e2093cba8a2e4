//! Architecture by rule: decisions that a playbook can weigh, components by what the requirements are about, and
//! interfaces to whoever is named outside. Given the desk and a topic of the design agenda; hands on its plan.
//! Where nothing is stated the parts stay coarse and the rest is asked. Deliberately absent: how a part or an outside
//! system gets its name (`parts`).

use s2s_engine::artifact::{Artifact, ArtifactKind, Details};
use s2s_engine::opening::Topic;

use super::super::table::Table;
use super::super::words::{listed, opening_with, within};
use super::Desk;
use super::draft::{Draft, SAID_ABOUT_IT, same_text, stands};
use super::marks::{content, holds, outsiders};
use super::parts::{outside, parts, talking};
use super::plan::Plan;
use super::weighed::{decision, is_ripe, served};

const OWNS: &str = "owns, owner, responsible, owned by";
const DEPENDS: &str = "calls, depends, uses, may call, reads from, writes to";
const HALFWAY: &str = "halfway, retry, retries, rollback, fails, failure, resume, stops";
const DELAY: &str = "eventually, consistent, consistency, delay, stale, up to date";
const DOWN: &str = "down, does not answer, unavailable, outage, timeout, fallback, offline";
pub(super) const ACCESS: &str = "sign in, sign-in, signing in, log in, login, logging in, auth, authentication, authenticate, \
    oauth, api key, token";
const UPKEEP: &str = "upkeep, licence, license, maintenance, support contract, upgrade, per year";
const LEARNING: &str = "learn, training, course, know, knows, experience";
const REVERSE: &str = "reverse, reversible, irreversible, hard to change, costly to change";

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
        plan.claim(decided(desk, table));
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

/// The decision of a table, there for the requirements that name its subject, however they spell it.
fn decided(desk: &Desk<'_>, table: &Table<'_>) -> Draft {
    let draft = decision(desk, table);
    let named = naming(desk, &table.playbook().subject);
    // Where no words are shared, a decision is said to serve the first ones; those that name it say more.
    let first: Vec<String> = served(desk, "").iter().map(ToString::to_string).collect();
    let mut serves = match draft.serves == first && !named.is_empty() {
        true => Vec::new(),
        false => draft.serves.clone(),
    };
    serves.extend(named.into_iter().filter(|id| !draft.serves.contains(id) || draft.serves == first));
    serves.sort();
    serves.dedup();
    Draft { serves, ..draft }
}

/// The requirements that hold every word of a subject, or another word for signing in where that is the subject.
fn naming(desk: &Desk<'_>, subject: &str) -> Vec<String> {
    let words = content(subject);
    let fits = |title: &str| {
        let all = !words.is_empty() && words.is_subset(&content(title));
        all || (holds(subject, ACCESS) && holds(title, ACCESS))
    };
    desk.wanted().iter().filter(|artifact| fits(&artifact.title)).map(|artifact| artifact.id.to_string()).collect()
}

/// The requirements whose words name a part.
pub(super) fn about(desk: &Desk<'_>, name: &str) -> Vec<String> {
    let words = content(name);
    let wanted = desk.wanted();
    let names = |artifact: &&&Artifact| !content(&artifact.title).is_disjoint(&words);
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
        plan.claim(decided(desk, table));
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
        let Some(part) = talking(desk, &parts, &from) else { break };
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
            let subject = artifact.title.split(':').next().unwrap_or_default();
            match naming(desk, subject) {
                named if named.is_empty() => served(desk, &text).iter().map(ToString::to_string).collect(),
                named => named,
            }
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

#[cfg(test)]
mod tests {
    use s2s_engine::opening::Workflow;

    use super::super::super::test_table::hold;
    use super::super::tests::{keeping, known, of, sound, titles, with_known};
    use super::*;

    #[test]
    fn an_interface_came_from_a_figure_and_sign_in_served_nothing() {
        let context = "## Scope\n### In\n- A calendar for each room, kept in sync with Google Calendar\n\n## Constraints\n\
        - The practice software (MediSoft, SOAP API) stays\n- 95% of pages answer within 300 ms at 200 concurrent users\n";
        let wanted = [
            known(ArtifactKind::Req, 1, "A calendar for each room, kept in sync with Google Calendar"),
            known(ArtifactKind::Req, 2, "Sign in with a one-time code"),
            known(ArtifactKind::Nfr, 1, "95% of pages answer within 300 ms at 200 concurrent users"),
        ];
        let held = hold(with_known(keeping(Workflow::Design, "standard", "Architecture for rooms", context), &wanted));
        sound("rooms", &held);
        assert_eq!(titles(&of(&held.session, ArtifactKind::Comp)), ["Calendar", "Sign-in"]);
        let ends = titles(&of(&held.session, ArtifactKind::Int));
        assert_eq!(ends, ["Calendar and Google Calendar", "Calendar and MediSoft"]);
        let decisions = of(&held.session, ArtifactKind::Arch);
        let sign_in = decisions.iter().find(|arch| arch.title.starts_with("Sign-in")).expect("is weighed");
        assert_eq!(sign_in.serves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["REQ-002"]);
    }
}
