//! Ideas, risks and mitigations by rule: from the options that seats lean to and the risks a playbook holds, else
//! from the wishes of the context and what the roles would not accept. Given the desk; hands on the plan of the
//! round's stage. Deliberately absent: ideas that rest on nothing stated, in a playbook or in a role file.

use s2s_catalog::Role;
use s2s_engine::artifact::{Artifact, ArtifactKind, Details, Level};
use s2s_engine::opening::SeatId;

use super::super::role_of;
use super::super::stance::Stance;
use super::super::table::Table;
use super::super::unknown::{discussed, due};
use super::super::words::unstopped;
use super::draft::{Draft, same_text, titled};
use super::marks::holds;
use super::plan::Plan;
use super::story::Section;
use super::wishes::{sentence, stated};
use super::{Desk, is_question, subject_of};

/// What a round is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Ideas,
    Steps,
    Risks,
}

/// Ideas about how to go about it, which are nothing to build.
const LEAVE_IT: &str = "Leave it as it is";
const BY_HAND: &str = "Try one real case by hand first";
const SMALL: &str = "Start small with";

/// What is said of an idea that is no more than the topic.
const ONLY_THE_TOPIC: &str = "The topic itself; nothing else is stated that an idea could rest on.";

/// Whether an idea says what to build: it is no way to go about it, no question, and more than the topic was.
pub(super) fn is_buildable(idea: &Artifact) -> bool {
    let procedure = [LEAVE_IT, BY_HAND, SMALL].iter().any(|start| idea.title.starts_with(start));
    !procedure && !is_question(&idea.title) && idea.text != ONLY_THE_TOPIC
}

/// Words of a risk that would hurt.
const GRAVE: &str = "lose, loses, lost, loss, data, money, harm, nobody, cannot, never, outage, breach, personal, \
    contract, regulation, irreversible, undone";

/// What is said of a likelihood that no statement gives.
const GUESSED: &str = "nobody here knows how likely it is, and medium is a guess to be corrected.";

/// The plan of the round under way.
pub(super) fn plan(desk: &Desk<'_>) -> Plan {
    let mut plan = Plan::default();
    for stage in stages(desk) {
        if stage == Stage::Risks {
            desk.story.risks.iter().for_each(|risk| plan.claim(named_risk(risk)));
        }
        match desk.tables {
            [] => unknown(desk, stage, &mut plan),
            tables => tables.iter().for_each(|table| known(desk, table, stage, &mut plan)),
        }
    }
    tell_apart(desk, &mut plan);
    plan
}

/// A risk that the context names itself.
fn named_risk(risk: &str) -> Draft {
    let severity = if holds(risk, GRAVE) { Level::High } else { Level::Medium };
    let details = Details { severity: Some(severity), likelihood: Some(Level::Medium), ..Details::default() };
    let text = format!("{} The context names it; {GUESSED}", sentence(risk));
    Draft::new(ArtifactKind::Risk, risk, text).with(details).resting_on(risk)
}

/// What another session kept under the same title is here about this topic, and says so.
fn tell_apart(desk: &Desk<'_>, plan: &mut Plan) {
    let topic = titled(subject_of(&desk.session.opening().topic).trim_end_matches('?'));
    let mut renamed: Vec<(String, String)> = Vec::new();
    for draft in &mut plan.claims {
        let others = desk.session.artifacts().filter(|holding| holding.id().kind == draft.kind && !holding.is_own());
        if others
            .map(|holding| &holding.current().artifact)
            .any(|known| same_text(&known.title) == same_text(&draft.title))
        {
            let title = format!("{} ({topic})", draft.title);
            renamed.push((std::mem::replace(&mut draft.title, title.clone()), title));
        }
    }
    for served in plan.claims.iter_mut().flat_map(|draft| &mut draft.serves) {
        if let Some((_, title)) = renamed.iter().find(|(before, _)| before == served) {
            served.clone_from(title);
        }
    }
}

/// The stages of the round: by the task of the phase, else by how long the discussion has run. The last phase
/// takes in what was left over.
fn stages(desk: &Desk<'_>) -> Vec<Stage> {
    let session = desk.session;
    let method = &session.opening().settings.method;
    let stance = if session.is_probing() { Stance::Attack } else { Stance::of(method, session.phase_index()) };
    let all = [Stage::Ideas, Stage::Risks, Stage::Steps];
    let own: &[Stage] = match stance {
        _ if desk.is_direct() => &all,
        Stance::Dream | Stance::Benefits | Stance::Alternatives | Stance::Opening | Stance::Propose => &all[..1],
        Stance::Attack | Stance::Rebuttal | Stance::Resolve => &all[1..2],
        Stance::Build | Stance::Adjust | Stance::Closing => &all[2..],
        Stance::Facts | Stance::Gut | Stance::Focus => &[],
        Stance::Conclude => &all,
        Stance::Plain => match session.rounds_in_phase() {
            0 => &all[..1],
            1 => &all[1..2],
            _ => &all[2..],
        },
    };
    let mut stages = own.to_vec();
    let single = method.phases.len() == 1 && session.rounds_in_phase() < 2;
    if desk.in_last_phase() && !single && !own.is_empty() {
        stages.extend(all.into_iter().filter(|stage| !own.contains(stage)));
    }
    stages
}

fn known(desk: &Desk<'_>, table: &Table<'_>, stage: Stage, plan: &mut Plan) {
    let held = desk.session.rounds().len() as u32;
    let front = table.strongest();
    match stage {
        Stage::Ideas => {
            for &option in &table.subject.focus {
                let first =
                    |seat: usize| table.leaning(seat, held) == option || table.views[seat].favourite() == option;
                let second = |seat: usize| table.views[seat].rival_of(table.leaning(seat, held)) == option;
                let who = match seats(table, first) {
                    none if none.is_empty() => seats(table, second),
                    some => some,
                };
                if who.is_empty() && option != front {
                    continue;
                }
                let text = table.option(option).at_best.clone();
                let draft = Draft::new(ArtifactKind::Idea, table.name(option), text).with(weight(table, option));
                plan.claim(Draft { who, ..draft });
            }
        }
        Stage::Steps => {
            let text = &table.option(front).start_with;
            let title = format!("{SMALL} {}", table.name(front));
            let details = Details { impact: Some(Level::Medium), effort: Some(Level::Low), ..Details::default() };
            let who = seats(table, |seat| table.leaning(seat, held) == front);
            plan.claim(Draft { who, ..Draft::new(ArtifactKind::Idea, &title, text).with(details) });
        }
        Stage::Risks => risks(table, front, plan),
    }
}

fn seats(table: &Table<'_>, fits: impl Fn(usize) -> bool) -> Vec<SeatId> {
    let fitting = (0..table.seats().len()).filter(|&seat| fits(seat));
    fitting.map(|seat| table.seats()[seat].id.clone()).collect()
}

/// What an option would do, and what it would take, from the seats' counts.
fn weight(table: &Table<'_>, option: usize) -> Details {
    let mean = |scores: Vec<f64>| scores.iter().sum::<f64>() / scores.len().max(1) as f64;
    let impact = mean(table.views.iter().map(|view| view.score_of(option)).collect());
    let ids = ["simplicity", "time-to-value", "cost", "team-skill"];
    let ease = mean(ids.iter().filter_map(|id| table.place_of(id)).map(|at| table.score(option, at)).collect());
    Details { impact: Some(level(impact, 3.0, 3.7)), effort: Some(level(5.0 - ease, 1.5, 2.5)), ..Details::default() }
}

fn level(value: f64, medium: f64, high: f64) -> Level {
    match value {
        value if value >= high => Level::High,
        value if value >= medium => Level::Medium,
        _ => Level::Low,
    }
}

/// The risks of an option with what is done about each. A risk weighs as much as what it touches matters.
fn risks(table: &Table<'_>, option: usize, plan: &mut Plan) {
    for risk in &table.option(option).risks {
        let at = table.place_of(&risk.touches).unwrap_or_default();
        let rank = |seat: usize| table.views[seat].matters.iter().position(|&known| known == at).unwrap_or(99);
        let best = (0..table.seats().len()).map(rank).min().unwrap_or(99);
        let severity = match best {
            0 | 1 => Level::High,
            2 | 3 => Level::Medium,
            _ => Level::Low,
        };
        let likelihood = level(5.0 - table.score(option, at), 1.5, 2.5);
        let details = Details { severity: Some(severity), likelihood: Some(likelihood), ..Details::default() };
        let who = seats(table, |seat| rank(seat) < 3);
        let title = titled(unstopped(&risk.risk));
        plan.claim(Draft { who: who.clone(), ..Draft::new(ArtifactKind::Risk, &title, &risk.risk).with(details) });
        let mitigation = Draft::new(ArtifactKind::Mit, unstopped(&risk.mitigation), &risk.mitigation);
        plan.claim(Draft { serves: vec![title], who, ..mitigation });
    }
}

fn unknown(desk: &Desk<'_>, stage: Stage, plan: &mut Plan) {
    let topic = subject_of(&desk.session.opening().topic).trim_end_matches('?').trim();
    match stage {
        Stage::Ideas => {
            for item in desk.story.of(&[Section::Objective, Section::In, Section::Said]) {
                let impact = if item.section == Section::In { Level::Medium } else { Level::High };
                let details = Details { impact: Some(impact), ..Details::default() };
                plan.claim(
                    Draft::new(ArtifactKind::Idea, &item.text, stated(item)).with(details).resting_on(&item.text),
                );
            }
            // A question is what ideas are to answer, and no idea itself.
            if plan.claims.is_empty() && !topic.is_empty() && !is_question(&desk.session.opening().topic) {
                plan.claim(Draft::new(ArtifactKind::Idea, topic, ONLY_THE_TOPIC).resting_on(topic));
            }
            let details = Details { effort: Some(Level::Low), impact: Some(Level::Low), ..Details::default() };
            let text =
                "What every other idea has to be better than: nothing is done, and it is watched what that costs.";
            plan.claim(Draft::new(ArtifactKind::Idea, LEAVE_IT, text).with(details));
        }
        Stage::Steps => {
            let details = Details { effort: Some(Level::Low), impact: Some(Level::Medium), ..Details::default() };
            let text = format!("The smallest step that would teach something about this: {topic}.");
            plan.claim(Draft::new(ArtifactKind::Idea, BY_HAND, text).with(details));
        }
        Stage::Risks => refusals(desk, plan),
    }
    questions(desk, plan);
}

/// What a seat would not accept is a risk; the question it asks next is what would show it in time.
fn refusals(desk: &Desk<'_>, plan: &mut Plan) {
    let round = desk.session.rounds().len();
    for (place, (id, role)) in asked_roles(desk).into_iter().enumerate() {
        let Some(refusal) = role.blocks.get(round % role.blocks.len().max(1)) else { continue };
        let severity = if holds(refusal, GRAVE) { Level::High } else { Level::Medium };
        let details = Details { severity: Some(severity), likelihood: Some(Level::Medium), ..Details::default() };
        let title = titled(unstopped(refusal));
        let text = format!("{refusal} Nobody here knows how likely it is; medium is a guess to be corrected.");
        plan.claim(Draft { who: vec![id.clone()], ..Draft::new(ArtifactKind::Risk, &title, text).with(details) });
        let questions = due(Some(role), place, discussed(desk.session));
        let Some(question) = questions.first().copied().or_else(|| role.checklist.first().map(String::as_str)) else {
            continue;
        };
        let text = format!("Find out before anything is decided: {question}");
        let mitigation = Draft::new(ArtifactKind::Mit, &format!("Ask first: {question}"), text);
        plan.claim(Draft { serves: vec![title], who: vec![id], ..mitigation });
    }
}

/// The first question of some seats stays open.
fn questions(desk: &Desk<'_>, plan: &mut Plan) {
    for (place, (_, role)) in asked_roles(desk).into_iter().take(2).enumerate() {
        if let Some(question) = due(Some(role), place, discussed(desk.session)).first() {
            plan.ask(question, &format!("Asked by the {} in round {}.", role.title, desk.session.round_number()));
        }
    }
}

fn asked_roles<'d>(desk: &'d Desk<'_>) -> Vec<(SeatId, &'d Role)> {
    let seats = desk.session.opening().seats.iter().filter(|seat| desk.session.asked().contains(&seat.id));
    seats.filter_map(|seat| Some((seat.id.clone(), role_of(desk.roles, seat)?))).collect()
}
