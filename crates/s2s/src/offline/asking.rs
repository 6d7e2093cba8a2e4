//! The facilitator's question: each round the criterion that separates the options most, where the seats
//! differ most, and that has not been asked about yet; an open topic of the agenda comes first.
//! Given the table; hands on a question with its focus. Deliberately absent: opinions, and any branch by the
//! name of a strategy.

use s2s_engine::Session;
use s2s_engine::opening::{Coverage, Topic};
use s2s_engine::reply::Question;

use super::stance::Stance;
use super::table::Table;
use super::tell::{kinds, not_weighed, settled};
use super::words::{listed, opening_with, within, without_comments};

/// Which criteria say most about a topic of the built-in agendas. Other topics get the next criterion.
const FITTING: [(&str, &[&str]); 11] = [
    ("high-level-arch", &["evolvability", "simplicity", "scalability"]),
    ("components", &["testability", "simplicity", "evolvability", "tooling"]),
    ("data-flow", &["data-integrity", "performance", "reliability"]),
    ("tech-choices", &["team-skill", "tooling", "cost", "operability"]),
    ("integration", &["client-fit", "security", "portability", "operability"]),
    ("user-workflows", &["client-fit", "time-to-value"]),
    ("functional-requirements", &["time-to-value", "client-fit", "simplicity"]),
    ("business-rules", &["data-integrity", "compliance", "security"]),
    ("nfr-measurable", &["performance", "scalability", "reliability", "operability"]),
    ("acceptance-criteria", &["testability", "reliability", "data-integrity"]),
    ("out-of-scope", &["cost", "simplicity", "portability", "evolvability"]),
];

/// The question of the round under way.
pub(super) fn question(table: &Table<'_>) -> Question {
    let stance = Stance::of(table.method(), table.session.phase_index());
    let topic = open_topic(table.session);
    let criterion = next_criterion(table, topic, &asked_before(table));
    let about = opening_with(table.about(criterion));
    let focus = match topic {
        Some(topic) => format!("{}: {}", topic.name, table.about(criterion)),
        None => about,
    };
    let question = match topic {
        Some(topic) => on_topic(table, stance, topic, criterion),
        None => wording(table, stance, criterion),
    };
    let question = match table.session.rounds() {
        // How the topic was read is said first, so that a wrong reading is seen at once.
        [] if !question.starts_with("To decide:") => {
            let options = contenders(table);
            let told = if question.contains(&options) { String::new() } else { format!(", {options}") };
            format!("To decide: {}{told}. {question}", table.playbook().decides)
        }
        _ => question,
    };
    Question { question, focus, context_summary: context_summary(table), participants: Vec::new() }
}

/// The topic that this round has to name, critical ones first (A2).
pub(super) fn open_topic(session: &Session) -> Option<&Topic> {
    let agenda = session.opening().agenda.iter().zip(session.coverage()).enumerate();
    let pending = || agenda.clone().filter(|(_, (_, coverage))| **coverage == Coverage::Pending);
    let first = pending().find(|(_, (topic, _))| topic.critical).or_else(|| pending().next());
    // One that lacks only what nobody here can say is not asked about again.
    let touched = || {
        let critical = agenda.clone().filter(|(_, (topic, now))| topic.critical && **now == Coverage::Partial);
        critical.into_iter().find(|(at, _)| session.is_held_up_by(*at))
    };
    first.or_else(touched).map(|(_, (topic, _))| topic)
}

/// The criteria that say most about a topic.
pub(super) fn fitting(topic: Option<&Topic>) -> &'static [&'static str] {
    topic.and_then(|topic| FITTING.iter().find(|(id, _)| *id == topic.id)).map_or(&[], |(_, ids)| ids)
}

/// The criterion to ask about next.
pub(super) fn next_criterion(table: &Table<'_>, topic: Option<&Topic>, asked: &[usize]) -> usize {
    let times = |criterion: usize| asked.iter().filter(|past| **past == criterion).count();
    let fitting = fitting(topic);
    let fits = |criterion: usize| fitting.contains(&table.criterion(criterion).id.as_str());
    // Every second question tests the choice the table leans to, where another option would do better.
    let tests = asked.len() % 2 == 1 && table.session.open_conflicts().next().is_none();
    let pull = |criterion: usize| if tests { against(table, criterion) } else { separates(table, criterion) };
    let mut order: Vec<usize> = (0..table.playbook().criteria.len()).collect();
    order.sort_by(|&a, &b| {
        let fresh = times(a).cmp(&times(b));
        fresh.then(fits(b).cmp(&fits(a))).then(pull(b).total_cmp(&pull(a))).then(a.cmp(&b))
    });
    order.first().copied().unwrap_or_default()
}

/// The criteria of the rounds so far, in order.
pub(super) fn asked_before(table: &Table<'_>) -> Vec<usize> {
    table.session.rounds().iter().map(|round| table.turn_of(round).criterion).collect()
}

/// How much a criterion speaks against the option that the table leans to.
fn against(table: &Table<'_>, criterion: usize) -> f64 {
    let leading = table.strongest();
    let others = table.subject.focus.iter().filter(|option| **option != leading);
    let best = others.map(|&option| table.score(option, criterion)).fold(1.0_f64, f64::max);
    let share = table.views.iter().map(|view| view.share(criterion)).sum::<f64>();
    (best - table.score(leading, criterion)) * share
}

/// How far a criterion parts the options, by its mean weight and by how much seats differ about it.
fn separates(table: &Table<'_>, criterion: usize) -> f64 {
    let scores = table.subject.focus.iter().map(|&option| table.score(option, criterion));
    let (low, high) = scores.fold((5.0_f64, 1.0_f64), |(low, high), score| (low.min(score), high.max(score)));
    let shares: Vec<f64> = table.views.iter().map(|view| view.share(criterion)).collect();
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    let differ = shares.iter().map(|share| (share - mean).abs()).sum::<f64>() / shares.len().max(1) as f64;
    (high - low) * (mean + differ)
}

/// The names of the options that compete, as "A, B or C".
pub(super) fn contenders(table: &Table<'_>) -> String {
    match table.subject.one_kind() {
        Some(_) => listed(&table.subject.alike, "or"),
        None => listed(&competing(table), "or"),
    }
}

/// The options in focus, without those that may not be taken where two or more are left.
fn competing<'t>(table: &'t Table<'_>) -> Vec<&'t str> {
    let open = |option: &&usize| !table.subject.barred.contains(*option);
    let all = table.subject.focus.iter();
    match all.clone().filter(open).count() {
        0 | 1 => all.map(|&option| table.name(option)).collect(),
        _ => all.filter(open).map(|&option| table.name(option)).collect(),
    }
}

/// The same as "A, B and C".
pub(super) fn candidates(table: &Table<'_>) -> String {
    listed(&competing(table), "and")
}

/// The question on a topic of the agenda: the topic, what of it this playbook can speak to, and what the
/// phase asks.
fn on_topic(table: &Table<'_>, stance: Stance, topic: &Topic, criterion: usize) -> String {
    let (asks, about) = (&table.criterion(criterion).asks, table.about(criterion));
    let name = within(&topic.name);
    match stance {
        Stance::Plain | Stance::Focus | Stance::Facts if table.session.rounds().is_empty() => format!(
            "To decide: {}, {}. We begin with {name} and look at {about}. {asks}",
            table.playbook().decides,
            contenders(table)
        ),
        Stance::Plain | Stance::Focus | Stance::Facts => format!("On {name}, let us look at {about}. {asks}"),
        stance if stance.takes_sides() => format!("On {name}, argue your side from {about}. {asks}"),
        _ => format!("On {name}: {}", within(&wording(table, stance, criterion))),
    }
}

fn wording(table: &Table<'_>, stance: Stance, criterion: usize) -> String {
    let asks = &table.criterion(criterion).asks;
    let about = table.about(criterion);
    let options = contenders(table);
    let strongest = table.name(table.strongest());
    let split = table.session.open_conflicts().next().is_some();
    let told = table.times_told(table.session.rounds().len() as u32) > 0;
    match stance {
        Stance::Dream => format!(
            "Leave cost and risk aside: what could {options} make possible for {about} if everything went right?"
        ),
        Stance::Build => {
            format!("How would you build it, in small steps, with {strongest} as the working assumption? {asks}")
        }
        Stance::Attack => format!("What fails first if we go for {strongest}, and what would help? {asks}"),
        Stance::Facts => format!("Facts only: what is known about {about} with {options}, and what is missing? {asks}"),
        Stance::Gut => format!("Without reasons: what is your feeling about {options} when you think of {about}?"),
        Stance::Benefits => format!("What is gained, above all for {about}, if we go for {strongest}?"),
        Stance::Alternatives => format!("What else could we do than choose one of {options}, with {about} in mind?"),
        Stance::Propose => {
            format!("What exactly do you propose: {options}? Say it so that it could be decided today. {asks}")
        }
        Stance::Adjust => format!("What change would let you support {strongest}? {asks}"),
        Stance::Resolve => format!(
            "Do you support {strongest}, stand aside, or block it, and what is the smallest change that would lift a block? Think of {about}."
        ),
        Stance::Opening => format!("What is the strongest case for your side, starting from {about}? {asks}"),
        Stance::Rebuttal => format!("What is your answer to the other side, above all on {about}?"),
        Stance::Closing => format!("What is your final case, and what do you grant the other side? Think of {about}."),
        Stance::Focus => format!(
            "To decide: {}. The candidates are {}; they differ most on {about}. {asks}",
            table.playbook().decides,
            candidates(table)
        ),
        Stance::Conclude => format!("What follows from all that was said about {options}?"),
        Stance::Plain if split && told => format!(
            "Everything has been said once, and we are to go on. Is what is left about {about} a matter of facts or of weights, and can you live with {strongest}?"
        ),
        Stance::Plain if split => format!(
            "The table is split; the answer may lie in {about}. {asks} What would you have to see to change your mind?"
        ),
        Stance::Plain if table.session.rounds().is_empty() => {
            format!(
                "To decide: {}. {}? Let us start with {about}. {asks}",
                table.playbook().decides,
                opening_with(&options)
            )
        }
        Stance::Plain if against(table, criterion) > 0.0 => {
            format!("The table leans to {strongest}, but on {about} another option would do better. {asks}")
        }
        Stance::Plain => asks.clone(),
    }
}

/// The project in a few lines: its first words, and what stands under goals, scope and constraints.
pub(super) fn context_summary(table: &Table<'_>) -> String {
    let summary = summarised(&table.session.opening().context);
    let mut lines = if summary.is_empty() { "No project context was given.".to_owned() } else { summary };
    if let Some(kinds) = kinds(table) {
        lines.push_str(&format!("\n{kinds}"));
    }
    for said in settled(table).into_iter().chain(not_weighed(table)) {
        lines.push_str(&format!("\n{said}"));
    }
    lines
}

/// A context cut down to what a seat needs: at most eight lines of it.
pub(super) fn summarised(context: &str) -> String {
    let plain = without_comments(context);
    let said = plain.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("---"));
    let mut lines: Vec<String> = Vec::new();
    let mut heading: Option<&str> = None;
    for line in said {
        if let Some(title) = line.strip_prefix('#') {
            heading = Some(title.trim_start_matches('#').trim());
            continue;
        }
        let words = line.trim_start_matches(['-', '*', '+', ' ']);
        match heading.take() {
            Some(title) => lines.push(format!("{title}: {words}")),
            None => match lines.last_mut() {
                Some(last) if last.chars().count() + words.chars().count() < 240 => {
                    last.push_str("; ");
                    last.push_str(words);
                }
                _ => lines.push(words.to_owned()),
            },
        }
    }
    lines.truncate(8);
    lines.join("\n")
}
