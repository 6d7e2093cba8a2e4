//! Requirements by rule: objectives and scope items become functions, numbers with units become qualities,
//! strict sentences become rules, what is out of scope becomes exclusions; what a criterion asks for and nobody
//! stated becomes a question. Given the desk and a topic of the specs agenda; hands on its plan.
//! Deliberately absent: requirements that rest on nothing stated.

use s2s_engine::artifact::{ArtifactKind, Details, Priority};
use s2s_engine::opening::Topic;

use super::super::words::{listed, opening_with, within};
use super::Desk;
use super::checks::{acceptance, measure, reason};
use super::draft::{Draft, SAID_OF_THEM, same_text, titled};
use super::echoes::{gone, ideas, linked};
use super::marks::{actors, holds, is_availability, load, technology};
use super::plan::Plan;
use super::story::{Item, Section};
use super::wishes::{disputes, from_topic, function, of_kind, quality, stated, users};

const FAILURE: &str = "fail, fails, failure, error, errors, mistake, mistakes, undo, cancel, cancelled, refund, retry, \
    wrong, lost, interrupted, correct, corrects";
const STEPS: &str = "then, step, steps, afterwards, finally, first, from start to end";
const LATER: &str = "later, never, for now, not yet, next release, this release, not in, phase two";
const STATES: &str = "until, unless, once, may not, not allowed, never, cannot, before, after, must not";
const CONSEQUENCE: &str = "otherwise, or else, penalty, because, so that, contract, needs";

/// The plan of one topic of the specs agenda; none for a topic that no rule knows.
pub(super) fn plan(desk: &Desk<'_>, topic: &Topic) -> Plan {
    match topic.id.as_str() {
        "user-workflows" => workflows(desk),
        "functional-requirements" => functions(desk),
        "business-rules" => rules(desk),
        "nfr-measurable" => qualities(desk),
        "acceptance-criteria" => checked(desk),
        "out-of-scope" => exclusions(desk),
        _ => Plan::default(),
    }
}

fn workflows(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    let users = users(desk);
    for (name, items) in users.iter().take(3) {
        let quoted: Vec<String> = items.iter().take(3).map(|item| format!("\"{item}\"")).collect();
        let text = format!("{SAID_OF_THEM}{}.", quoted.join("; "));
        let details = Details {
            priority: Some(Priority::Must),
            acceptance: items.iter().take(2).flat_map(|item| acceptance(item)).collect(),
            ..Details::default()
        };
        let title = format!("The way of the {name} from start to end");
        plan.claim(Draft::new(ArtifactKind::Req, &title, text).with(details).resting_on(items[0]));
    }
    let names: Vec<&str> = users.iter().map(|(name, _)| name.as_str()).collect();
    let who = if names.is_empty() { "each kind of user".to_owned() } else { listed(&names, "and") };
    plan.criterion(
        1,
        !users.is_empty(),
        "Who uses this, and what does each of them want to get done?",
        "The context names no kind of user.",
    );
    plan.criterion(
        2,
        desk.story.says(|text| holds(text, STEPS) && !actors(text).is_empty()),
        &format!("What is the main way of {who}, step by step?"),
        "The context names no steps.",
    );
    plan.criterion(
        3,
        desk.story.says(|text| holds(text, FAILURE) && !actors(text).is_empty()),
        &format!("What can go wrong on the way of {who}, and how do they get back on course?"),
        "The context describes no failure and no way back.",
    );
    plan
}

fn functions(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    let wishes: Vec<&Item> = of_kind(desk, ArtifactKind::Req).collect();
    wishes.iter().for_each(|item| plan.claim(linked(desk, function(item))));
    let left_out: Vec<String> = desk.live(&[ArtifactKind::Ex]).iter().map(|artifact| artifact.title.clone()).collect();
    let wanted: Vec<String> = plan.claims.iter().map(|draft| draft.title.clone()).collect();
    disputes(desk, &mut plan, &wanted, &left_out);
    ideas(desk, &mut plan);
    if plan.claims.is_empty() && wishes.is_empty() {
        plan.claims.extend(from_topic(desk));
    }
    for item in desk.story.of(&[Section::Question]) {
        plan.ask(&item.text, "The context asks this itself.");
    }
    risks(desk, &mut plan);
    gone(desk, &mut plan, ArtifactKind::Req);
    let known = desk.live(&[ArtifactKind::Req]).len();
    let any = !plan.claims.is_empty() || known > 0;
    let complete = |draft: &Draft| !actors(draft.from.as_deref().unwrap_or_default()).is_empty();
    plan.criterion(
        1,
        any && plan.claims.iter().all(complete) && !wishes.is_empty(),
        "For each function: who does it, what goes in, and what comes out?",
        "Not every function is stated with an actor, an input and an outcome.",
    );
    plan.criterion(
        2,
        any,
        "Which functions are a must, and which only a should or a could?",
        "The context states no function.",
    );
    let how = wishes.iter().find_map(|item| technology(&item.text));
    let question = format!("Is {} a demand, or only a habit?", how.unwrap_or("any technology"));
    plan.criterion(3, how.is_none(), &question, "A statement says how it is to be built.");
    plan
}

/// Asks about every risk of the context that no brainstorm has kept.
fn risks(desk: &Desk<'_>, plan: &mut Plan) {
    let kept: Vec<String> = desk.live(&[ArtifactKind::Risk]).iter().map(|risk| same_text(&risk.title)).collect();
    for risk in desk.story.risks.iter().filter(|risk| !kept.contains(&same_text(&titled(risk)))) {
        plan.ask(&format!("What is done about this risk: {}?", within(risk)), "The context names it as a risk.");
    }
}

fn rules(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    for item in of_kind(desk, ArtifactKind::Br) {
        let source = format!("The project's context, as {}", item.section.name());
        let details = Details { source: Some(source), ..Details::default() };
        let draft = Draft::new(ArtifactKind::Br, &item.text, stated(item)).with(details).resting_on(&item.text);
        plan.claim(linked(desk, draft));
    }
    gone(desk, &mut plan, ArtifactKind::Br);
    let any = !plan.claims.is_empty() || !desk.live(&[ArtifactKind::Br]).is_empty();
    plan.criterion(
        1,
        any,
        "Which inputs are refused, and which limits does the domain set?",
        "The context states no rule of the domain.",
    );
    plan.criterion(
        2,
        of_kind(desk, ArtifactKind::Br).any(|item| holds(&item.text, STATES)),
        "Which changes of state are not allowed, and who may make those that are?",
        "The context names no change of state that is not allowed.",
    );
    plan.criterion(
        3,
        any,
        "Which rules come from a law or a contract, and who owns each?",
        "No rule has a source yet.",
    );
    plan
}

fn qualities(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    let items: Vec<&Item> = of_kind(desk, ArtifactKind::Nfr).collect();
    for item in &items {
        let Some((characteristic, target)) = quality(item) else { continue };
        let details = Details {
            characteristic: Some(characteristic.to_owned()),
            measure: Some(measure(characteristic, target.unit)),
            target: Some(target.text),
            priority: Some(if item.section == Section::In { Priority::Should } else { Priority::Must }),
            ..Details::default()
        };
        let draft = Draft::new(ArtifactKind::Nfr, &item.text, stated(item)).with(details).resting_on(&item.text);
        plan.claim(linked(desk, draft));
    }
    gone(desk, &mut plan, ArtifactKind::Nfr);
    let any = !plan.claims.is_empty() || !desk.live(&[ArtifactKind::Nfr]).is_empty();
    plan.criterion(
        1,
        any,
        "How fast must the most frequent action be, and under which load?",
        "The context states no number for any quality.",
    );
    let how = items.iter().find_map(|item| technology(&item.text));
    let question = format!("Which quality is meant where {} is named?", how.unwrap_or("a product"));
    plan.criterion(2, how.is_none(), &question, "A quality names a technology.");
    plan.criterion(
        3,
        any && items.iter().all(|item| holds(&item.text, CONSEQUENCE)) && !items.is_empty(),
        "Who needs each of these numbers, and what happens if one is missed?",
        "The context does not say who needs a number.",
    );
    plan.ask_unless(
        desk.story.first(|text| load(text).is_some()),
        "Which load is expected at the start, and in two years?",
        "The context names no load.",
    );
    plan.ask_unless(
        desk.story
            .first(|text| holds(text, "availability, downtime, uptime, recovery, backup") || is_availability(text)),
        "How long may the system be down in a month, and how much data may be lost?",
        "The context says nothing about availability.",
    );
    plan
}

fn checked(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    let functions = desk.live(&[ArtifactKind::Req]);
    let musts: Vec<_> = functions.iter().filter(|artifact| artifact.details.priority == Some(Priority::Must)).collect();
    plan.criterion(
        1,
        !musts.is_empty() && musts.iter().all(|artifact| !artifact.details.acceptance.is_empty()),
        "How is each function that cannot be left out checked?",
        "There is no such function yet, or one has no check.",
    );
    let failing = |text: &String| holds(text, FAILURE);
    plan.criterion(
        2,
        functions.iter().any(|artifact| artifact.details.acceptance.iter().any(failing)),
        "Which failure does the check of each main way cover?",
        "No check covers a failure.",
    );
    plan.ask_unless(
        desk.story.first(|text| holds(text, "accepts, accepted by, sign off, signs off, approves")),
        "Who accepts the result, and on what evidence?",
        "The context names nobody who accepts it.",
    );
    plan
}

fn exclusions(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    let items: Vec<&Item> = of_kind(desk, ArtifactKind::Ex).collect();
    let mut reasoned = true;
    for item in &items {
        let (what, why) = reason(&item.text);
        reasoned &= why.is_some();
        let why = why.unwrap_or_else(|| "The project's scope leaves it out; no further reason is stated".to_owned());
        let details = Details { reason: Some(why), ..Details::default() };
        plan.claim(Draft::new(ArtifactKind::Ex, &what, stated(item)).with(details).resting_on(&item.text));
    }
    gone(desk, &mut plan, ArtifactKind::Ex);
    let left_out: Vec<String> = plan.claims.iter().map(|draft| draft.title.clone()).collect();
    let kept = desk.live(&[ArtifactKind::Req]).into_iter().map(|artifact| artifact.title.clone());
    let wishes = of_kind(desk, ArtifactKind::Req).map(|item| function(item).title);
    disputes(desk, &mut plan, &kept.chain(wishes).collect::<Vec<_>>(), &left_out);
    plan.claims.extend(desk.tables.iter().flat_map(super::weighed::not_taken));
    let any = !plan.claims.is_empty() || !desk.live(&[ArtifactKind::Ex]).is_empty();
    let (question, why) = match any {
        true => ("Why is each of these left out?", "The context leaves things out without a reason."),
        false => ("What is left out on purpose, and who has to hear that?", "The context leaves nothing out."),
    };
    plan.criterion(1, any && reasoned, question, why);
    plan.criterion(
        2,
        any && items.iter().all(|item| holds(&item.text, LATER)),
        &opening_with("what of all that is left out may come later, and what never?"),
        "The context does not say whether it may come later.",
    );
    plan
}
