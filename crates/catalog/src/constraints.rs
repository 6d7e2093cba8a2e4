//! Constraints: what a context can say about any project, whatever the subject, and what that shifts in every
//! playbook; and the words that make an option certain, impossible or already there.
//! Given: YAML text, the project's on top of the built-in one: a constraint of the same id takes its place, words add.
//! Hands on: [`Constraints`], and what of them concerns a playbook. Deliberately absent: contexts and their reading.

use std::collections::BTreeMap;
use std::sync::Arc;

use s2s_yaml::node::{Fields, Misfit, Misfits, Node, nearest, read};
use serde::Serialize;

use crate::playbook::{CRITERIA, Limit, Playbook, Signal, Unweighed, number_range};
use crate::strategy::slug;

const KEYS: &[&str] = &["as_of", "constraints", "options"];
const CONSTRAINT: &[&str] = &["id", "about", "when", "shifts", "rules_out", "why", "contradicts"];

/// What holds for every subject.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Constraints {
    /// The constraints, in the order of the file.
    pub list: Vec<Constraint>,
    /// Words about options, shared by all playbooks.
    #[serde(skip)]
    pub words: Arc<OptionWords>,
}

/// Something a context may say about a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Constraint {
    /// Identifier.
    pub id: String,
    /// What kind of constraint it is: team size, deadline, budget.
    pub about: String,
    /// Phrases that say it; `{2-5}` stands for a number in that range.
    pub when: Vec<String>,
    /// Criteria whose weight shifts for every seat, by how much.
    pub shifts: BTreeMap<String, f64>,
    /// Words in the name of an option that is out of the question then.
    pub rules_out: Vec<String>,
    /// Why, as a clause.
    pub why: String,
    /// The id of a constraint that cannot hold at the same time.
    pub contradicts: Option<String>,
}

/// Words that stand beside an option's name and say something about it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OptionWords {
    /// That it must be so.
    pub demands: Beside,
    /// That it may not be.
    pub forbids: Beside,
    /// That it is there already.
    pub has: Beside,
}

/// Phrases right before and right after a name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Beside {
    /// Before it.
    pub before: Vec<String>,
    /// After it.
    pub after: Vec<String>,
}

impl Constraints {
    /// Gives a playbook what of the constraints concerns its criteria and options.
    pub fn join(&self, playbook: &mut Playbook) {
        let known = |id: &str| playbook.criteria.iter().any(|criterion| criterion.id == id);
        let mut signals = Vec::new();
        for constraint in &self.list {
            for (criterion, shift) in constraint.shifts.iter().filter(|(id, _)| known(id)) {
                signals.push(Signal {
                    id: Some(constraint.id.clone()),
                    when: constraint.when.clone(),
                    criterion: criterion.clone(),
                    shift: *shift,
                    lifts: BTreeMap::new(),
                    why: constraint.why.clone(),
                    contradicts: constraint.contradicts.clone(),
                });
            }
        }
        let limits = self.list.iter().filter(|constraint| !constraint.rules_out.is_empty());
        let limits = limits.map(|constraint| {
            let has = |name: &str| constraint.rules_out.iter().any(|words| holds(name, words));
            let options = playbook.options.iter().filter(|option| has(&option.name)).map(|option| option.id.clone());
            Limit { when: constraint.when.clone(), options: options.collect(), why: constraint.why.clone() }
        });
        let limits: Vec<Limit> = limits.filter(|limit| !limit.options.is_empty()).collect();
        let weighed = |constraint: &&Constraint| constraint.shifts.keys().any(|id| known(id));
        let limited = |constraint: &&Constraint| limits.iter().any(|limit| limit.when == constraint.when);
        let rest = self.list.iter().filter(|constraint| !weighed(constraint) && !limited(constraint));
        let idle =
            |constraint: &Constraint| Unweighed { when: constraint.when.clone(), about: constraint.about.clone() };
        playbook.general.unweighed = rest.map(idle).collect();
        playbook.general.limits = limits;
        playbook.general.signals = signals;
        playbook.general.words = Arc::clone(&self.words);
    }
}

/// Whether a name has these words one after the other.
fn holds(name: &str, words: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (name, words) = (parts(name), parts(words));
    !words.is_empty() && name.windows(words.len()).any(|window| window == words)
}

/// Reads constraints on top of others.
pub fn read_constraints(text: &str, below: Constraints) -> Result<Constraints, Vec<Misfit>> {
    let root = read(text).map_err(|flaw| vec![flaw.into()])?;
    let mut misfits = Misfits::default();
    let read = match misfits.keep(root.fields()) {
        Some(top) => constraints(&top, below, &mut misfits),
        None => None,
    };
    misfits.into_result(read)
}

fn constraints(top: &Fields<'_>, below: Constraints, misfits: &mut Misfits) -> Option<Constraints> {
    misfits.0.extend(top.unknown(KEYS));
    if let Some(as_of) = top.get("as_of") {
        misfits.keep(as_of.text());
    }
    let mut list = below.list;
    let mut added: Vec<(&Node, Option<String>)> = Vec::new();
    let items = top.get("constraints").and_then(|node| misfits.keep(node.items())).unwrap_or_default();
    for node in items {
        let Some(constraint) = constraint(node, misfits) else { continue };
        added.push((node, constraint.contradicts.clone()));
        match list.iter_mut().find(|known| known.id == constraint.id) {
            Some(known) => *known = constraint,
            None => list.push(constraint),
        }
    }
    for (node, contradicts) in added {
        if let Some(other) = contradicts.filter(|other| list.iter().all(|known| known.id != *other)) {
            misfits.add(node.misfit(format!("contradicts `{other}`, but no constraint has that id")));
        }
    }
    let mut words = (*below.words).clone();
    if let Some(fields) = top.get("options").and_then(|node| misfits.keep(node.fields())) {
        misfits.0.extend(fields.unknown(&["demands", "forbids", "has"]));
        add(&fields, "demands", &mut words.demands, misfits);
        add(&fields, "forbids", &mut words.forbids, misfits);
        add(&fields, "has", &mut words.has, misfits);
    }
    Some(Constraints { list, words: Arc::new(words) })
}

fn add(fields: &Fields<'_>, key: &str, words: &mut Beside, misfits: &mut Misfits) {
    let Some(sides) = fields.get(key).and_then(|node| misfits.keep(node.fields())) else { return };
    misfits.0.extend(sides.unknown(&["before", "after"]));
    for (side, list) in [("before", &mut words.before), ("after", &mut words.after)] {
        let more = sides.get(side).and_then(|node| misfits.keep(node.texts())).unwrap_or_default();
        list.extend(more);
    }
}

fn constraint(node: &Node, misfits: &mut Misfits) -> Option<Constraint> {
    let fields = misfits.keep(node.fields())?;
    misfits.0.extend(fields.unknown(CONSTRAINT));
    let text = |key: &str, misfits: &mut Misfits| {
        misfits.keep(fields.required(key).and_then(|node| node.text().map(str::to_owned)))
    };
    let texts = |key: &str, misfits: &mut Misfits| {
        fields.get(key).and_then(|node| misfits.keep(node.texts())).unwrap_or_default()
    };
    let when = texts("when", misfits);
    if when.is_empty() {
        misfits.add(node.misfit("`when` needs at least one phrase"));
    }
    let broken = |word: &&str| word.contains(['{', '}']) && number_range(word).is_none();
    if let Some(word) = when.iter().flat_map(|phrase| phrase.split_whitespace()).find(broken) {
        misfits.add(node.misfit(format!("`{word}` is not a range of numbers; write for example `{{2-5}}`")));
    }
    Some(Constraint {
        id: misfits.keep(fields.required("id").and_then(slug))?,
        about: text("about", misfits)?,
        shifts: shifts(&fields, misfits),
        rules_out: texts("rules_out", misfits),
        why: text("why", misfits)?,
        contradicts: fields.get("contradicts").and_then(|node| misfits.keep(node.text())).map(str::to_owned),
        when,
    })
}

fn shifts(constraint: &Fields<'_>, misfits: &mut Misfits) -> BTreeMap<String, f64> {
    let mut shifts = BTreeMap::new();
    let Some(fields) = constraint.get("shifts").and_then(|node| misfits.keep(node.fields())) else { return shifts };
    for entry in fields.entries() {
        if !CRITERIA.contains(&entry.key.as_str()) {
            let what = match nearest(&entry.key, CRITERIA) {
                Some(near) => format!("unknown criterion `{}`; did you mean `{near}`?", entry.key),
                None => format!("unknown criterion `{}`", entry.key),
            };
            misfits.add(Misfit { allowed: Some(CRITERIA.join(", ")), ..entry.value.misfit(what) });
        }
        if let Some(shift) = misfits.keep(entry.value.number(-5.0..=5.0)) {
            shifts.insert(entry.key.clone(), shift);
        }
    }
    shifts
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = include_str!("../data/constraints/general.yaml");

    fn check(from: &str, to: &str, expected: &str) {
        assert!(GOOD.contains(from), "the text to change is there: {from}");
        let misfits = read_constraints(&GOOD.replacen(from, to, 1), Constraints::default()).expect_err("it breaks");
        let said: Vec<String> = misfits.iter().map(ToString::to_string).collect();
        assert!(said.iter().any(|one| one.contains(expected)), "{said:#?} does not say: {expected}");
        assert!(misfits.iter().all(|misfit| misfit.line > 0), "every misfit has a line: {said:#?}");
    }

    #[test]
    fn a_bad_constraint_is_told_with_its_line() {
        check("{simplicity: 1.5", "{simplicty: 1.5", "unknown criterion `simplicty`; did you mean `simplicity`?");
        check("{simplicity: 1.5", "{simplicity: 9", "expected a number from -5 to 5");
        check("contradicts: small-team", "contradicts: tiny", "contradicts `tiny`, but no constraint has that id");
        check("{1-7} developers", "{7-1} developers", "`{7-1}` is not a range of numbers");
        check("    about: \"team size\"", "    abut: \"team size\"", "unknown key `abut`");
        check("  forbids:", "  forbid:", "unknown key `forbid`");
    }

    #[test]
    fn a_project_adds_and_replaces_by_id() {
        let below = read_constraints(GOOD, Constraints::default()).expect("what ships is good");
        let own = "constraints:\n  - {id: deadline, about: deadline, when: [sprint], shifts: {cost: 1}, why: so}\n  - {id: \
                   ours, about: budget, when: [grant], shifts: {cost: 2}, why: so}\noptions:\n  forbids: {before: [\
                   'steer clear of']}\n";
        let both = read_constraints(own, below.clone()).expect("good");
        assert_eq!(both.list.len(), below.list.len() + 1);
        let deadline = both.list.iter().find(|one| one.id == "deadline").expect("still there");
        assert_eq!(deadline.when, ["sprint"]);
        assert_eq!(both.words.forbids.before.last().map(String::as_str), Some("steer clear of"));
        assert_eq!(both.words.has, below.words.has);
    }

    #[test]
    fn a_playbook_gets_what_concerns_its_criteria_and_options() {
        let all = read_constraints(GOOD, Constraints::default()).expect("good");
        let mut playbook = Playbook::parse(include_str!("../data/playbooks/sign-in.yaml")).expect("good");
        all.join(&mut playbook);
        assert!(playbook.general.signals.iter().all(|signal| playbook.criterion(&signal.criterion).is_some()));
        assert!(playbook.general.signals.iter().any(|signal| signal.id.as_deref() == Some("tight-budget")));
        let barred: Vec<_> = playbook.general.limits.iter().flat_map(|limit| &limit.options).collect();
        assert_eq!(barred, ["managed-provider"], "a self-hosted one stays");
    }
}
