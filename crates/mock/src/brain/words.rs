//! The replies of the mock panel, as values.
//! Given a prompt that was read; hands on what is said to it. Seats differ a little, everyone supports what is
//! put to the vote, and the facilitator claims points once and then proposes to go on and to end. The words
//! keep clear of those that call for a person. Deliberately absent: how a value is written.

use serde_json::{Map, Value, json};

use super::form::Form;

/// What the seats lean to, each with its reason.
const LEANINGS: [(&str, &str); 6] = [
    ("start with the smaller option and keep the way to the other one open", "what is small can be changed cheaply"),
    ("take the option that the team can run by itself from the first day", "whoever is woken at night has to know it"),
    ("decide by a trial on one real case, with the measure agreed before it", "a number ends what opinions do not"),
    (
        "take the option with the clearer contract, and write that contract first",
        "others build on what is written down",
    ),
    ("prefer what most users have met before, and add the rest where it pays", "people learn one new thing at a time"),
    ("choose the one that is easier to test from outside, and say how it is tested", "what is not tested is not known"),
];

/// What the seats worry about.
const WORRIES: [&str; 4] = [
    "the load of the second year is not known yet",
    "nobody has said who owns it after the first release",
    "two ways of doing the same thing tend to stay",
    "the cost of moving later may be larger than it looks",
];

/// Who argues for and who against: every other seat.
pub(crate) fn sides(form: &Form<'_>) -> Value {
    let every_other = |from: usize| form.seats.iter().skip(from).step_by(2).collect::<Vec<_>>();
    json!({ "pro": every_other(0), "con": every_other(1) })
}

/// A question.
pub(crate) fn question(form: &Form<'_>) -> Value {
    let aspects =
        ["what decides it", "what would go wrong first", "what it costs to change later", "what is still open"];
    let aspect = aspects[usize::try_from(form.round.saturating_sub(1)).unwrap_or(0) % aspects.len()];
    let topic = form.topic;
    json!({
        "action": "question",
        "question": match form.agenda.is_empty() {
            true => format!("On \"{topic}\": {aspect}?"),
            false => format!("On \"{topic}\", with the whole agenda ({}) in view: {aspect}?", form.agenda.join(", ")),
        },
        "context_summary": format!("The table is to decide: {topic}. Nothing is fixed beyond what the project says."),
        "participants": "all",
        "focus": aspect,
    })
}

/// A seat's answer.
pub(crate) fn response(form: &Form<'_>) -> Value {
    let temper = form.temper;
    let pick = |len: usize, shift: u32| usize::try_from((temper >> shift) % len as u64).unwrap_or(0);
    let (leaning, reason) = LEANINGS[pick(LEANINGS.len(), 8)];
    let topic = form.topic;
    let position = match form.side {
        Some("pro") => format!("For it. On \"{topic}\" I would {leaning}."),
        Some("con") => format!("Against it as it stands. On \"{topic}\" I would {leaning}."),
        _ => format!("On \"{topic}\" I would {leaning}."),
    };
    let votes: Map<String, Value> = form.ballot.iter().map(|id| ((*id).to_owned(), json!("support"))).collect();
    json!({
        "position": position,
        "rationale": [format!("In my trade, {reason}."), "It leaves the next step open."],
        "confidence": (70 + pick(21, 24)) as f64 / 100.0,
        "concerns": [WORRIES[pick(WORRIES.len(), 40)]],
        "context_challenge": null,
        "votes": votes,
    })
}

/// A summary, and what is next.
pub(crate) fn synthesis(form: &Form<'_>) -> Value {
    let topic = form.topic;
    let claims = form.round == 1 || form.points.is_empty();
    let consensus = match claims {
        true => json!([
            format!("The choice on \"{topic}\" starts small and is tried on one real case before it becomes the rule."),
            format!("The contract behind \"{topic}\" is written down before anyone builds on it."),
        ]),
        false => json!([]),
    };
    let resolution = "The seats moved to the smaller first step, because it can be changed cheaply.";
    let resolved = form
        .conflicts
        .iter()
        .map(|id| json!({ "conflict_id": id, "resolution": resolution, "resolution_type": "consensus" }));
    let covered = form.agenda.iter().map(|id| json!({ "topic": id, "status": "covered" }));
    let next = match (form.last_phase, claims) {
        (false, _) => "phase",
        (true, true) => "continue",
        (true, false) => "conclude",
    };
    let recommendation = (next == "conclude").then(|| {
        format!("On \"{topic}\": start small, write the contract first, and decide by a trial on one real case.")
    });
    let mut said = json!({
        "action": "synthesis",
        "synthesis": format!(
            "Round {} of \"{topic}\": the seats lean to a small first step with a written contract. They differ in \
             what they would measure, not in the direction.",
            form.round
        ),
        "consensus": consensus,
        "conflicts": [],
        "resolved": resolved.collect::<Vec<_>>(),
        "context_challenges": [],
        "next_action": next,
        "next_focus": null,
        "escalation_reason": null,
        "recommendation": recommendation,
        "output_type": null,
    });
    let covered: Vec<Value> = covered.collect();
    if !covered.is_empty() {
        said["agenda_coverage"] = Value::from(covered);
    }
    said
}
