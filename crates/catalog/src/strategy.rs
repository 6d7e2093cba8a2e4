//! Reads a strategy file.
//! Given: YAML text. Hands on: the engine's [`Strategy`], or every misfit of shape and of sense
//! within the file. Deliberately absent: limits; whether a strategy fits those of a session is
//! [`crate::bounds`]' question.

use s2s_engine::strategy::{Asks, Participation, Phase, Policy, PolicyRule, Sees, Strategy, Votes};
use s2s_yaml::node::{Fields, Misfit, Misfits, Node, read};

const KEYS: &[&str] =
    &["name", "summary", "participation", "policy", "least_participants", "two_sides", "votes", "phases"];
const PHASE_KEYS: &[&str] = &["name", "goal", "directive", "min_rounds", "asks", "sees", "tracks"];

const PARTICIPATION: &[(&str, Participation)] =
    &[("parallel", Participation::Parallel), ("sequential", Participation::Sequential)];
const VOTES: &[(&str, Votes)] = &[("with_answers", Votes::WithAnswers), ("ballot_round", Votes::BallotRound)];
const ASKS: &[(&str, Asks)] = &[("all", Asks::All), ("none", Asks::None)];
const SEES: &[(&str, Sees)] = &[
    ("last_synthesis", Sees::LastSynthesis),
    ("consensus", Sees::Consensus),
    ("conflicts", Sees::Conflicts),
    ("earlier_syntheses", Sees::EarlierSyntheses),
    ("phase_before_answers", Sees::PhaseBeforeAnswers),
    ("both_sides", Sees::BothSides),
];
const RULES: &[(&str, PolicyRule)] = &[
    ("unanimous", PolicyRule::Unanimous),
    ("simple_majority", PolicyRule::SimpleMajority),
    ("weighted_majority", PolicyRule::WeightedMajority),
    ("consent", PolicyRule::Consent),
    ("facilitator_judgment", PolicyRule::FacilitatorJudgment),
];

/// More phases than anyone can sit through are a slip.
const MOST_PHASES: usize = 20;
/// A round number beyond this is a slip; the limits of a session are checked elsewhere.
const MOST_ROUNDS: u32 = 100;
/// The least number of seats cannot be larger than any table.
const MOST_SEATS: u32 = 50;

/// Reads the strategy that the file `name.yaml` holds.
pub fn read_strategy(name: &str, text: &str) -> Result<Strategy, Vec<Misfit>> {
    let mut misfits = Misfits::default();
    let root = read(text).map_err(|flaw| vec![flaw.into()])?;
    let strategy = match misfits.keep(root.fields()) {
        Some(top) => strategy(&top, name, &mut misfits),
        None => None,
    };
    misfits.into_result(strategy)
}

fn strategy(top: &Fields<'_>, file_name: &str, misfits: &mut Misfits) -> Option<Strategy> {
    misfits.0.extend(top.unknown(KEYS));
    let name = misfits.keep(named_as_file(top, file_name));
    let summary = misfits.keep(top.required("summary").and_then(|node| node.text()));
    let participation = or_default(top, "participation", misfits, |node| node.one_of(PARTICIPATION));
    let policy = misfits.keep(top.required("policy").and_then(policy));
    let least = top.get("least_participants").map_or(Ok(2), least_participants);
    let least_participants = misfits.keep(least);
    let two_sides = or_default(top, "two_sides", misfits, Node::flag);
    let votes = or_default(top, "votes", misfits, |node| node.one_of(VOTES));
    let list = misfits.keep(top.required("phases").and_then(Node::items));
    let phases = phases(top, list?, two_sides.unwrap_or(true), misfits);
    check_seats(top, least_participants.unwrap_or(2), phases.as_deref().unwrap_or_default(), misfits);
    Some(Strategy {
        name: name?,
        summary: one_line(summary?),
        participation: participation?,
        policy: policy?,
        least_participants: least_participants?,
        two_sides: two_sides?,
        votes: votes?,
        phases: phases?,
    })
}

/// None is a number of its own: such a strategy asks nobody. One seat alone is no table.
fn least_participants(node: &Node) -> Result<u32, Misfit> {
    node.whole(0..=0).or_else(|_| node.whole(2..=MOST_SEATS))
}

/// Whether seats are asked must be said in both places, so that a slip in one of them is seen.
fn check_seats(top: &Fields<'_>, least: u32, phases: &[Phase], misfits: &mut Misfits) {
    let asks = phases.iter().any(|phase| phase.asks == Asks::All);
    let (Ok(list), false) = (top.required("phases"), phases.is_empty()) else { return };
    if least > 0 && !asks {
        misfits.add(list.misfit("no phase asks the seats (`asks: all`), so nobody would speak"));
    } else if least == 0 && asks {
        misfits.add(list.misfit("a phase asks the seats, but `least_participants` is 0"));
    }
}

fn or_default<T: Default>(
    fields: &Fields<'_>,
    key: &str,
    misfits: &mut Misfits,
    read: impl FnOnce(&Node) -> Result<T, Misfit>,
) -> Option<T> {
    match fields.get(key) {
        Some(node) => misfits.keep(read(node)),
        None => Some(T::default()),
    }
}

/// A file is found by its name, so the name inside must be the same.
pub(crate) fn named_as_file(top: &Fields<'_>, file_name: &str) -> Result<String, Misfit> {
    let node = top.required("name")?;
    let name = slug(node)?;
    match name == file_name {
        true => Ok(name),
        false => {
            Err(node
                .misfit(format!("the name is `{name}`, but the file is called `{file_name}`; they must be the same")))
        }
    }
}

/// An identifier: lower case letters, digits and hyphens.
pub(crate) fn slug(node: &Node) -> Result<String, Misfit> {
    let text = node.text()?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match text.chars().all(plain) && !text.starts_with('-') && !text.ends_with('-') {
        true => Ok(text.to_owned()),
        false => Err(Misfit {
            allowed: Some("lower case letters, digits and hyphens".to_owned()),
            ..node.misfit(format!("`{}` cannot be a name here", text.trim()))
        }),
    }
}

/// Folded text of a file as one line: where a person broke the lines means nothing.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn policy(node: &Node) -> Result<Policy, Misfit> {
    let fields = node.fields()?;
    if let Some(unknown) = fields.unknown(&["rule", "threshold"]).into_iter().next() {
        return Err(unknown);
    }
    let rule = fields.required("rule")?.one_of(RULES)?;
    let threshold = match fields.get("threshold") {
        None => 0.6,
        Some(node) if rule != PolicyRule::WeightedMajority => {
            let what = format!("`{}` counts no threshold", rule.as_str());
            return Err(Misfit {
                allowed: Some("a threshold only with weighted_majority".to_owned()),
                ..node.misfit(what)
            });
        }
        Some(node) => match node.number(0.0..=1.0) {
            Ok(share) if share > 0.0 => share,
            _ => return Err(node.unexpected("a share above 0 and up to 1")),
        },
    };
    Ok(Policy { rule, threshold })
}

fn phases(top: &Fields<'_>, list: &[Node], two_sides: bool, misfits: &mut Misfits) -> Option<Vec<Phase>> {
    let node = top.required("phases").ok()?;
    if list.is_empty() || list.len() > MOST_PHASES {
        misfits.add(node.misfit(format!("there must be from 1 to {MOST_PHASES} phases")));
        return None;
    }
    let mut phases: Vec<Phase> = Vec::new();
    let mut whole = true;
    for item in list {
        let Some(phase) = phase(item, misfits) else {
            whole = false;
            continue;
        };
        if phases.iter().any(|earlier| earlier.name == phase.name) {
            misfits.add(item.misfit(format!("two phases are called `{}`", phase.name)));
        }
        check_sees(item, &phase, phases.last().map(|before| before.asks), two_sides, misfits);
        phases.push(phase);
    }
    whole.then_some(phases)
}

fn phase(node: &Node, misfits: &mut Misfits) -> Option<Phase> {
    let fields = misfits.keep(node.fields())?;
    misfits.0.extend(fields.unknown(PHASE_KEYS));
    let name = misfits.keep(fields.required("name").and_then(slug));
    let goal = misfits.keep(fields.required("goal").and_then(|node| node.text()));
    let directive = misfits.keep(fields.required("directive").and_then(|node| node.text()));
    let rounds = fields.get("min_rounds").map_or(Ok(1), |node| node.whole(1..=MOST_ROUNDS));
    let min_rounds = misfits.keep(rounds);
    let asks = or_default(&fields, "asks", misfits, |node| node.one_of(ASKS));
    let sees = or_default(&fields, "sees", misfits, |node| {
        node.items()?.iter().map(|item| item.one_of(SEES)).collect::<Result<Vec<_>, _>>()
    });
    let tracks = or_default(&fields, "tracks", misfits, Node::flag);
    Some(Phase {
        name: name?,
        goal: one_line(goal?),
        directive: one_line(directive?),
        min_rounds: min_rounds?,
        asks: asks?,
        sees: sees?,
        tracks: tracks?,
    })
}

/// What a phase may show depends on what came before it.
fn check_sees(node: &Node, phase: &Phase, before: Option<Asks>, two_sides: bool, misfits: &mut Misfits) {
    let listed = node.fields().ok().and_then(|fields| fields.get("sees"));
    let items = listed.and_then(|list| list.items().ok()).unwrap_or_default();
    for (index, (item, sees)) in items.iter().zip(&phase.sees).enumerate() {
        let answers = matches!(sees, Sees::PhaseBeforeAnswers | Sees::BothSides);
        let what = if phase.sees[..index].contains(sees) {
            "is listed twice"
        } else if *sees == Sees::BothSides && !two_sides {
            "needs `two_sides: true`"
        } else if before.is_none() && (answers || *sees == Sees::EarlierSyntheses) {
            "shows nothing in the first phase: there is no phase before it"
        } else if before == Some(Asks::None) && answers {
            "shows nothing here: the phase before asks nobody"
        } else {
            continue;
        };
        let word = SEES.iter().find(|(_, value)| value == sees).map_or("", |(word, _)| word);
        misfits.add(item.misfit(format!("`{word}` {what}")));
    }
}
