//! Where a topic names what a playbook knows: its subject, its options, and words that show it means something else.
//! Given playbooks and the topic's words; hands on the places of each playbook, where a longer name of one playbook
//! hides a shorter one of another inside it ("api versioning" is not "api"). Deliberately absent: which playbook wins.

use std::ops::Range;

use s2s_catalog::playbook::Playbook;

use super::words::{Gap, Token, find};

/// An option named in a text.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub option: usize,
    /// Too common a word to recognise anything by alone.
    pub weak: bool,
    pub place: Range<usize>,
}

/// The subject named in a text.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    pub weak: bool,
    pub place: Range<usize>,
}

/// Everything of one playbook that a topic names.
#[derive(Debug, Clone)]
pub(super) struct Evidence<'p> {
    pub playbook: &'p Playbook,
    pub options: Vec<Found>,
    pub names: Vec<Mention>,
    /// Where words stand that show the topic is about something else.
    pub unless: Vec<Range<usize>>,
}

impl Evidence<'_> {
    /// The options named, each once, in the order of the text.
    pub(super) fn named(&self) -> Vec<usize> {
        let mut named: Vec<usize> = Vec::new();
        for found in &self.options {
            if !named.contains(&found.option) {
                named.push(found.option);
            }
        }
        named
    }

    /// Every place that speaks for this playbook.
    pub(super) fn places(&self) -> impl Iterator<Item = &Range<usize>> {
        self.options.iter().map(|found| &found.place).chain(self.names.iter().map(|name| &name.place))
    }

    /// The same without what stands at places that do not fit.
    pub(super) fn only(mut self, fits: impl Fn(&Range<usize>) -> bool) -> Self {
        self.options.retain(|found| fits(&found.place));
        self.names.retain(|name| fits(&name.place));
        self
    }
}

/// What each playbook has in a topic; playbooks that it does not touch are left out.
pub(super) fn evidence<'p>(playbooks: &'p [Playbook], tokens: &[Token]) -> Vec<Evidence<'p>> {
    let all: Vec<Evidence<'p>> = playbooks.iter().map(|playbook| of(playbook, tokens)).collect();
    let touched: Vec<Evidence<'p>> = all.into_iter().filter(|one| one.places().next().is_some()).collect();
    let hidden = |one: &Evidence<'p>, place: &Range<usize>, weak: bool| {
        let others = touched.iter().filter(|other| other.playbook.name != one.playbook.name);
        let mut all = others.flat_map(|other| {
            let options = other.options.iter().map(|found| (found.weak, &found.place));
            options.chain(other.names.iter().map(|name| (name.weak, &name.place)))
        });
        all.any(|(common, longer)| holds(longer, place) && longer.len() > place.len() && (weak || !common))
    };
    let seen = |one: &Evidence<'p>| {
        let mut kept = one.clone();
        kept.options.retain(|found| !hidden(one, &found.place, found.weak));
        kept.names.retain(|name| !hidden(one, &name.place, name.weak));
        kept
    };
    touched.iter().map(seen).filter(|one| one.places().next().is_some()).collect()
}

fn of<'p>(playbook: &'p Playbook, tokens: &[Token]) -> Evidence<'p> {
    let names = phrases(&playbook.names).flat_map(|(weak, name)| {
        find(name, tokens).into_iter().map(move |place| Mention { weak, place }).collect::<Vec<_>>()
    });
    let mut names: Vec<Mention> = names.collect();
    names.sort_by_key(|name| (name.place.start, std::cmp::Reverse(name.place.end), name.weak));
    let mut kept: Vec<Mention> = Vec::new();
    for name in names {
        if kept.iter().all(|other| name.place.start >= other.place.end) {
            kept.push(name);
        }
    }
    let unless = playbook.unless.iter().flat_map(|other| find(other, tokens)).collect();
    let mut options = matches(playbook, tokens);
    // "Build or buy" is the subject's name, and "buy" in it names no option by itself.
    for name in kept.iter().filter(|name| name.place.len() > 1) {
        let inside = |found: &Found| holds(&name.place, &found.place) && found.place.len() < name.place.len();
        let first = options.iter().find(|found| inside(found)).map(|found| found.option);
        if options.iter().filter(|found| inside(found)).all(|found| found.weak && Some(found.option) == first) {
            options.retain(|found| !inside(found));
        }
    }
    Evidence { playbook, options, names: kept, unless }
}

/// Every place where an option is named, the longest reading of each, in the order of the text.
pub(super) fn matches(playbook: &Playbook, tokens: &[Token]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for (option, known) in playbook.options.iter().enumerate() {
        let name = std::iter::once((false, known.name.as_str()));
        for (weak, alias) in name.chain(phrases(&known.aliases)) {
            let places = find(alias, tokens).into_iter().filter(|place| names_a_thing(tokens, place, weak));
            found.extend(places.map(|place| Found { option, weak, place }));
        }
    }
    // A longer reading wins over a shorter one inside it, a firm one over a weak one of the same words.
    found.sort_by_key(|one| (one.place.start, std::cmp::Reverse(one.place.end), one.weak));
    let mut kept: Vec<Found> = Vec::new();
    for one in found {
        if kept.iter().all(|other| one.place.start >= other.place.end) {
            kept.push(one);
        }
    }
    kept
}

/// "the rest of the system" names no option, and neither does "a stream of complaints".
fn names_a_thing(tokens: &[Token], place: &Range<usize>, weak: bool) -> bool {
    let common = weak || (place.len() == 1 && tokens[place.start].raw == tokens[place.start].word);
    let after = tokens.get(place.end).is_some_and(|token| token.word == "of" && token.gap == Gap::Space);
    let before = place.start > 0 && tokens[place.start - 1].word == "the";
    let plain_rest = before && place.len() == 1 && tokens[place.start].raw == "rest";
    !(plain_rest || (after && common))
}

fn phrases(list: &[String]) -> impl Iterator<Item = (bool, &str)> {
    list.iter().map(|phrase| match phrase.strip_prefix('~') {
        Some(common) => (true, common),
        None => (false, phrase.as_str()),
    })
}

/// Whether a place lies within another.
pub(super) fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether two places share a word.
pub(super) fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}
