//! Reads the question: which playbook covers a topic, and which of its options the topic names.
//! Given playbooks and a topic; hands on a [`Subject`], or two where the topic really puts two questions, or none if
//! no playbook covers it. Options put against each other count most, then what is asked for, then mere words; what is
//! only a circumstance ("on Kubernetes") counts half. An option that no playbook knows is carried as unknown and never
//! scored. Deliberately absent: any weighing of options.

use std::ops::Range;

use s2s_catalog::playbook::Playbook;

use super::choice::{choices, chooses, compared, is_asked, is_beside, is_name, parts};
use super::naming::{Evidence, Found, evidence, holds, matches, meet};
use super::words::{Gap, Token, quote, stated_and_asked, tokens};

/// What a topic is about.
#[derive(Debug, Clone)]
pub(super) struct Subject<'p> {
    /// What is known about it.
    pub playbook: &'p Playbook,
    /// Options the topic names, in its order.
    pub named: Vec<usize>,
    /// Options that compete: those named, or all if fewer than two are.
    pub focus: Vec<usize>,
    /// Options named that the playbook does not know.
    pub unknown: Vec<String>,
    /// Those of them that another playbook knows, with its subject.
    pub elsewhere: Vec<(String, String)>,
    /// Options that may not be taken, as topic or context settles it.
    pub barred: Vec<usize>,
    /// Options that the topic calls by a name of their own, such as a product.
    pub called: Vec<(usize, String)>,
    /// Names of the topic that stand for the same option, so that nothing here can part them.
    pub alike: Vec<String>,
    /// Names of the topic that no playbook knows as an option.
    pub strange: Vec<String>,
}

impl Subject<'_> {
    /// The one kind of thing that all names of the topic stand for, where it asks to choose between them.
    pub(super) fn one_kind(&self) -> Option<usize> {
        match self.named.as_slice() {
            [one] if !self.alike.is_empty() => Some(*one),
            _ => None,
        }
    }
}

/// The most subjects of one topic.
const MOST: usize = 2;

/// The subject of a topic.
pub(super) fn recognise<'p>(playbooks: &'p [Playbook], topic: &str) -> Option<Subject<'p>> {
    subjects(playbooks, topic).into_iter().next()
}

/// The subject that a statement speaks of, which asks for no choice: a common name is enough where it begins with it.
pub(super) fn spoken_of<'p>(playbooks: &'p [Playbook], statement: &str) -> Option<Subject<'p>> {
    read(playbooks, statement, true).into_iter().next()
}

/// The subjects of a topic, the strongest first. A second one is taken up only if it is a question of its own.
pub(super) fn subjects<'p>(playbooks: &'p [Playbook], topic: &str) -> Vec<Subject<'p>> {
    let whole = read(playbooks, topic, false);
    let (states, asks) = stated_and_asked(topic);
    if states.trim().is_empty() || asks.is_empty() {
        return whole;
    }
    // "We use Postgres. How should we search?": what is stated is a circumstance, and the question decides.
    let asked = read(playbooks, &asks, false);
    let name = |list: &[Subject<'_>]| list.first().map(|subject| subject.playbook.name.clone());
    if asked.is_empty() || (name(&asked) == name(&whole) && asked.len() == whole.len()) { whole } else { asked }
}

fn read<'p>(playbooks: &'p [Playbook], topic: &str, states: bool) -> Vec<Subject<'p>> {
    let tokens = tokens(topic);
    let all = evidence(playbooks, &tokens);
    let reading = Reading { parts: parts(&tokens), tokens: &tokens, states };
    let mut taken: Vec<Case<'p>> = Vec::new();
    while taken.len() < MOST {
        let free = |place: &Range<usize>| taken.iter().all(|case| case.evidence.places().all(|t| !meet(t, place)));
        let rest = all.iter().filter(|one| taken.iter().all(|case| case.evidence.playbook.name != one.playbook.name));
        let cases = rest.filter_map(|one| reading.case(one.clone().only(free)));
        let cases = cases.filter(|case| taken.is_empty() || reading.is_own(case, &taken));
        // Of equals the one that is named first, then the first in the catalog.
        let best = cases.reduce(|best, next| {
            let key = |case: &Case<'_>| (case.weight, std::cmp::Reverse(case.evidence.places().map(|p| p.start).min()));
            if key(&next) > key(&best) { next } else { best }
        });
        match best {
            Some(case) => taken.push(case),
            None => break,
        }
    }
    let first = taken.first().map(|case| case.evidence.playbook.name.clone());
    let is_first = |case: &Case<'_>| Some(&case.evidence.playbook.name) == first.as_ref();
    taken.iter().map(|case| reading.subject(case, is_first(case), &all)).collect()
}

/// The option that a text names first.
pub(super) fn first_option(playbook: &Playbook, text: &str) -> Option<usize> {
    matches(playbook, &tokens(text)).first().map(|found| found.option)
}

/// A topic as it is read.
struct Reading<'t> {
    tokens: &'t [Token],
    /// Which part of the topic each word belongs to.
    parts: Vec<usize>,
    /// Whether it states something and asks for nothing.
    states: bool,
}

/// A playbook that covers the topic, and how strongly.
struct Case<'p> {
    evidence: Evidence<'p>,
    weight: usize,
    /// Whether options are put against each other.
    compared: bool,
    /// Whether the subject is what the topic asks for.
    asked: bool,
}

impl Reading<'_> {
    fn part(&self, place: &Range<usize>) -> usize {
        self.parts.get(place.start).copied().unwrap_or_default()
    }

    /// Whether this is put to a choice, or one is asked for in the part of the topic where it stands.
    fn chooses_at(&self, place: &Range<usize>) -> bool {
        let part = self.part(place);
        if self.is_put_to_choice(place) {
            return true;
        }
        chooses(self.tokens.iter().zip(&self.parts).filter(|(_, at)| **at == part).map(|(token, _)| token))
    }

    /// Whether options are put against each other; `alike` takes two names of one option for that too.
    fn is_compared(&self, options: &[Found], alike: bool) -> bool {
        let pairs = options.iter().enumerate().flat_map(|(at, one)| options[at + 1..].iter().map(move |b| (one, b)));
        let mut apart = pairs.filter(|(one, other)| alike || one.option != other.option);
        apart.any(|(one, other)| compared(self.tokens, &one.place, &other.place))
    }

    /// "Monorepo?": the whole topic is one name.
    fn is_all(&self, place: &Range<usize>) -> bool {
        !self.states && place.len() == self.tokens.len()
    }

    /// "How should we search products": what is to be done is what it asks for.
    fn is_done(&self, place: &Range<usize>) -> bool {
        let word = |at: Option<usize>| at.map(|at| self.tokens[at].word.as_str());
        let part = self.part(place);
        let first = self.parts.iter().position(|at| *at == part);
        word(first) == Some("how") && word(place.start.checked_sub(1)) == Some("we")
    }

    fn is_put_to_choice(&self, place: &Range<usize>) -> bool {
        choices(self.tokens).iter().flatten().any(|operand| meet(operand, place))
    }

    /// The case of a playbook, if it covers the topic.
    fn case<'p>(&self, evidence: Evidence<'p>) -> Option<Case<'p>> {
        let asks = |place: &Range<usize>| is_asked(self.tokens, place);
        let asked = evidence.names.iter().any(|name| asks(&name.place));
        let all_compared = self.is_compared(&evidence.options, false);
        let beside = |place: &&Range<usize>| asked && is_beside(self.tokens, place);
        let elsewhere: Vec<usize> =
            evidence.unless.iter().filter(|place| !beside(place)).map(|place| self.part(place)).collect();
        // Where a part of the topic says that it is about something else, only a plain choice or question counts.
        let mut kept = evidence.only(|place| all_compared || asked || !elsewhere.contains(&self.part(place)));
        let is_compared = self.is_compared(&kept.options, false);
        if is_compared {
            // "A or B for C": what is only a circumstance of the choice is no part of it.
            let mut last: Option<Range<usize>> = None;
            kept.options.retain(|found| {
                let before = last.replace(found.place.clone());
                let joined = before.is_none_or(|before| compared(self.tokens, &before, &found.place));
                joined || !is_beside(self.tokens, &found.place)
            });
        }
        let named = kept.named();
        let firm: Vec<&Found> = kept.options.iter().filter(|found| !found.weak).collect();
        let firm_names = kept.names.iter().filter(|name| !name.weak).count();
        let apart = |name: &Range<usize>| kept.options.iter().any(|found| !meet(&found.place, name));
        let covered = firm_names > 0
            || asked
            || is_compared
            || (named.len() > 1 && !firm.is_empty())
            || firm.iter().any(|found| self.chooses_at(&found.place) || self.is_all(&found.place))
            || kept.names.iter().any(|name| self.is_done(&name.place))
            || kept.names.iter().any(|name| apart(&name.place) || (self.states && name.place.start == 0));
        let weight = self.weight(&kept, is_compared, asked);
        let doubted = kept.places().any(|place| elsewhere.contains(&self.part(place)));
        let weight = if doubted { weight / 3 } else { weight };
        (covered && weight > 0).then_some(Case { evidence: kept, weight, compared: is_compared, asked })
    }

    /// Options put against each other count most, then what is asked for, then names; longer ones a little more.
    fn weight(&self, evidence: &Evidence<'_>, compared: bool, asked: bool) -> usize {
        let full = |place: &Range<usize>| if !compared && is_beside(self.tokens, place) { 1 } else { 2 };
        let of_option = |option: usize| {
            let places = evidence.options.iter().filter(|found| found.option == option);
            places.map(|found| (if found.weak { 6 } else { 9 }) * full(&found.place)).max().unwrap_or_default()
        };
        let options: usize = evidence.named().into_iter().map(of_option).sum();
        let names: usize = evidence.names.iter().map(|name| (if name.weak { 1 } else { 5 }) * full(&name.place)).sum();
        let longer: usize = evidence.places().map(|place| place.len() - 1).sum();
        let knows_both = compared || self.is_compared(&evidence.options, true);
        options + names + longer + if asked { 16 } else { 0 } + if knows_both { 12 } else { 0 }
    }

    /// Whether a further subject is a question of its own: a comparison, something asked for, or a part of the
    /// topic that chooses and has nothing of the subjects before.
    fn is_own(&self, case: &Case<'_>, before: &[Case<'_>]) -> bool {
        let taken: Vec<usize> =
            before.iter().flat_map(|case| case.evidence.places().map(|place| self.part(place))).collect();
        let apart = |place: &Range<usize>| !taken.contains(&self.part(place)) && self.chooses_at(place);
        let direct = |place: &Range<usize>| apart(place) && !is_beside(self.tokens, place);
        let options = case.evidence.options.iter().any(|found| !found.weak && direct(&found.place));
        case.compared || case.asked || options || case.evidence.names.iter().any(|n| !n.weak && direct(&n.place))
    }

    fn subject<'p>(&self, case: &Case<'p>, first: bool, all: &[Evidence<'p>]) -> Subject<'p> {
        let (playbook, named) = (case.evidence.playbook, case.evidence.named());
        let focus = match named.len() {
            0 | 1 => (0..playbook.options.len()).collect(),
            _ => named.clone(),
        };
        let (called, alike) = called(playbook, self.tokens, &case.evidence.options, &named);
        let strange = self.unknown(case, first, all);
        let elsewhere = strange.iter().filter_map(|(name, subject)| Some((name.clone(), subject.clone()?))).collect();
        let unknown = strange.into_iter().map(|(name, _)| name).collect();
        let strange = self.strange(all);
        Subject { playbook, named, focus, unknown, elsewhere, barred: Vec::new(), called, alike, strange }
    }

    /// Names in the topic, as they are written, that are no option of any playbook.
    fn strange(&self, all: &[Evidence<'_>]) -> Vec<String> {
        let known = |at: usize| {
            let options = all.iter().flat_map(|one| &one.options);
            options.into_iter().any(|found| !found.weak && found.place.contains(&at))
        };
        let mut runs: Vec<Range<usize>> = Vec::new();
        for at in (0..self.tokens.len()).filter(|&at| is_name(&self.tokens[at]) && !known(at)) {
            match runs.last_mut() {
                Some(run) if run.end == at && self.tokens[at].gap <= Gap::Hyphen => run.end = at + 1,
                _ => runs.push(at..at + 1),
            }
        }
        runs.into_iter().map(|run| quote(self.tokens, run)).collect()
    }

    /// What is put to the choice beside options that are known, and is not one itself. Where no option is known,
    /// the names that are put to a choice at all. Each with the subject of another playbook that knows it.
    fn unknown(&self, case: &Case<'_>, first: bool, all: &[Evidence<'_>]) -> Vec<(String, Option<String>)> {
        let evidence = &case.evidence;
        let is_known = |place: &Range<usize>| evidence.options.iter().any(|found| meet(&found.place, place));
        let spoken_for = |place: &Range<usize>| {
            let part = |name: &Range<usize>| meet(name, place) && (holds(name, place) || !self.is_named(place));
            evidence.names.iter().any(|name| part(&name.place))
        };
        let mut unknown: Vec<(String, Option<String>)> = Vec::new();
        for choice in choices(self.tokens) {
            let beside = choice.iter().any(is_known);
            let nameless = first && evidence.options.is_empty() && choice.len() > 1;
            for place in choice.iter().filter(|place| !is_known(place) && !spoken_for(place)) {
                let stands = beside || (nameless && self.is_named(place));
                let name = quote(self.tokens, place.clone());
                let new = unknown.iter().all(|(known, _)| !known.eq_ignore_ascii_case(&name));
                if stands && new && !is_beside(self.tokens, place) && !self.leads_to_known(evidence, place) {
                    let others = all.iter().filter(|other| other.playbook.name != evidence.playbook.name);
                    let knows = |other: &&Evidence<'_>| {
                        other.options.iter().any(|found| !found.weak && meet(&found.place, place))
                    };
                    let elsewhere = others.into_iter().find(knows).map(|other| other.playbook.subject.clone());
                    unknown.push((name, elsewhere));
                }
            }
        }
        unknown
    }

    /// "clicking in the console": plain words that lead up to an option that is known are part of it.
    fn leads_to_known(&self, evidence: &Evidence<'_>, place: &Range<usize>) -> bool {
        let near = |found: &&Found| (place.end + 1..place.end + 4).contains(&found.place.start);
        let found = evidence.options.iter().find(near).filter(|_| !self.is_named(place));
        found.is_some_and(|found| is_beside(self.tokens, &found.place))
    }

    fn is_named(&self, place: &Range<usize>) -> bool {
        self.tokens[place.clone()].iter().all(is_name)
    }
}

/// What the topic calls the options, where it has names of its own for them; and names that mean the same one.
fn called(
    playbook: &Playbook,
    tokens: &[Token],
    found: &[Found],
    named: &[usize],
) -> (Vec<(usize, String)>, Vec<String>) {
    let (mut called, mut alike) = (Vec::new(), Vec::new());
    for &option in named {
        let mut names: Vec<String> = Vec::new();
        for one in found.iter().filter(|one| one.option == option && is_own_name(playbook, tokens, one)) {
            let name = quote(tokens, one.place.clone());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match names.as_slice() {
            [name] => called.push((option, name.clone())),
            [_, _, ..] if alike.is_empty() => alike = names,
            _ => {}
        }
    }
    (called, alike)
}

/// Whether the words found are a name like `Kafka`, and not the option's own words.
fn is_own_name(playbook: &Playbook, among: &[Token], found: &Found) -> bool {
    let mut own = tokens(&playbook.options[found.option].name);
    own.retain(|token| token.word.len() > 2);
    let known = |token: &Token| own.iter().any(|word| token.word.starts_with(word.word.trim_end_matches('s')));
    let words = &among[found.place.clone()];
    words.iter().all(|token| token.raw.starts_with(char::is_uppercase)) && !words.iter().any(known)
}
