//! The names of the options: those in the topic, else those that a conflict is about.
//! Given the session and what was said; hands on names, and finds them in texts. A name counts only if
//! seats use it, so that a topic of products does not hide a discussion of kinds.

use s2s_engine::Session;

use super::heard::Heard;
use super::words::{count, name_in, options_in, same_text, two_way_splits, words};

/// A position longer than this is a sentence and names nothing.
const MAX_POSITION_WORDS: usize = 4;
/// Words of a name that say nothing by themselves.
const LINKS: [&str; 6] = ["a", "an", "the", "or", "and", "of"];

/// The options by name.
pub(super) struct Names {
    titles: Vec<String>,
    words: Vec<Vec<String>>,
}

impl Names {
    /// Options that go by these names.
    pub(super) fn of(titles: Vec<String>) -> Self {
        let words = titles.iter().map(|title| words(title)).collect();
        Self { titles, words }
    }

    /// The two sides of a debate whose proposal nothing names. No text ever names these.
    pub(super) fn of_sides(session: &Session) -> Self {
        let proposal = session.opening().sides.as_ref().map(|sides| sides.proposal.as_str()).unwrap_or_default();
        let what = if proposal.trim().is_empty() { "the proposal" } else { proposal.trim() };
        Self { titles: vec![format!("For: {what}"), "Against it".to_owned()], words: vec![Vec::new(), Vec::new()] }
    }

    /// The names for people.
    pub(super) fn titles(&self) -> &[String] {
        &self.titles
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.titles.len()
    }

    /// The option that a position names most often; of equals, the first named.
    pub(super) fn spoken_for(&self, position: &str) -> Option<usize> {
        let text = words(position);
        let first = |name: &Vec<String>| (0..text.len()).find(|at| count(&text[..=*at], name) > 0);
        let mentions = self.words.iter().enumerate().map(|(index, name)| (count(&text, name), first(name), index));
        let best = mentions.filter(|(count, ..)| *count > 0).max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        best.map(|(_, _, index)| index)
    }

    /// The one option that a text names; none if it names several or none.
    pub(super) fn only(&self, text: &str) -> Option<usize> {
        let text = words(text);
        one(self.words.iter().map(|name| count(&text, name) > 0))
    }

    /// Whether a text names an option at all.
    pub(super) fn any(&self, text: &str) -> bool {
        let text = words(text);
        self.words.iter().any(|name| count(&text, name) > 0)
    }

    /// The option that a decision means: the one it names, or the one whose every word its first sentence
    /// has, as "route messages through a broker" means the message broker.
    pub(super) fn meant(&self, text: &str) -> Option<usize> {
        let first = text.split_inclusive(['.', ';', '\n']).next().unwrap_or_default();
        if self.any(first) {
            return self.only(first);
        }
        let first = words(first);
        let tells = |word: &&String| !LINKS.contains(&word.as_str());
        let all = |name: &Vec<String>| {
            name.iter().any(|word| tells(&word))
                && name.iter().filter(tells).all(|word| count(&first, std::slice::from_ref(word)) > 0)
        };
        one(self.words.iter().map(all)).or_else(|| self.only(text))
    }
}

/// The place of the one that holds.
fn one(holds: impl Iterator<Item = bool>) -> Option<usize> {
    let mut found = holds.enumerate().filter(|(_, holds)| *holds).map(|(index, _)| index);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The names that most answers use: of equals those in the topic, then those of the first conflict.
pub(super) fn names(session: &Session, heard: &[Heard<'_>]) -> Option<Names> {
    let topic = options_in(&session.opening().topic);
    let mut candidates: Vec<Names> = if topic.is_empty() { Vec::new() } else { vec![Names::of(topic)] };
    let voted = |id: &str| session.points().iter().any(|point| point.conflict == id);
    let named = session.rounds().iter().flat_map(|round| &round.conflicts).filter(|conflict| !voted(&conflict.id));
    candidates.extend(named.filter_map(|conflict| {
        let positions: Vec<&str> = conflict.positions.values().map(String::as_str).collect();
        in_conflict(&conflict.description, &positions)
    }));
    let used = |names: &Names| heard.iter().filter(|said| names.spoken_for(said.position).is_some()).count();
    let mut best: Option<(usize, Names)> = None;
    for names in candidates {
        let used = used(&names);
        if used > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((used, names));
        }
    }
    best.map(|(_, names)| names)
}

/// What a conflict is between: "… a message broker or a log or stream", or positions of a few words.
fn in_conflict(description: &str, positions: &[&str]) -> Option<Names> {
    let tail = description.rsplit(": ").next().unwrap_or(description);
    let splits = two_way_splits(tail).into_iter().filter_map(|(one, other)| Some(vec![name_in(one)?, name_in(other)?]));
    let mut candidates: Vec<Vec<String>> = splits.collect();
    candidates.push(options_in(description));
    let mut short: Vec<String> = Vec::new();
    for position in positions {
        let name = position.trim().trim_end_matches(['.', '!']);
        let known = short.iter().any(|other| same_text(other) == same_text(name));
        if !known && (1..=MAX_POSITION_WORDS).contains(&name.split_whitespace().count()) {
            short.push(name.to_owned());
        }
    }
    candidates.push(short);
    let held = |names: &Names| {
        let leanings: Vec<usize> = positions.iter().filter_map(|position| names.spoken_for(position)).collect();
        (0..names.len()).all(|option| leanings.contains(&option))
    };
    let fitting = candidates.into_iter().filter(|titles| titles.len() > 1);
    fitting.map(|titles| Names::of(titles.into_iter().map(capitalised).collect())).find(held)
}

fn capitalised(name: String) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_names_its_options_or_none() {
        let one = "I would take a log or stream, because order is kept";
        let other = "What decides it for me is a message broker";
        let names = in_conflict("How events travel: a message broker or a log or stream", &[one, other]);
        assert_eq!(names.unwrap().titles(), ["Message broker", "Log or stream"]);
        let names = in_conflict("Which store holds the orders", &["Postgres", "MongoDB.", "postgres"]);
        assert_eq!(names.unwrap().titles(), ["Postgres", "MongoDB"]);
        assert!(
            in_conflict("A broker or a stream", &["A broker it is", "a broker"]).is_none(),
            "nobody holds the other"
        );
        assert!(
            in_conflict("How fast it must be", &["As fast as we can afford", "It hardly matters at all"]).is_none()
        );
    }

    #[test]
    fn a_decision_may_mean_an_option_in_other_words() {
        let names = Names::of(vec!["Message broker".to_owned(), "Log or stream".to_owned()]);
        assert_eq!(names.meant("Route messages through a broker. A stream can wait."), Some(0));
        assert_eq!(names.meant("Set limits on every queue"), None);
        assert_eq!(names.meant("A message broker or a log or stream"), None);
        assert_eq!(names.only("With a log or stream, nothing is lost"), Some(1));
    }
}
