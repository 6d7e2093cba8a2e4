//! Looking for words in what was said: whole words, in any case, a plural `s` allowed.
//! Given texts; hands on counts, and the names of the options that a topic weighs. These are aids for
//! sorting statements under headings; what was said, and who said it, never depends on them.

/// What can stand between two options in a topic.
const BETWEEN: [&str; 4] = [" versus ", " vs. ", " vs ", " or "];
/// What ends the last option's name.
const AFTER: [&str; 14] = [
    " for ", " in ", " as ", " on ", " when ", " to ", " at ", " with ", " given ", " under ", " if ", " by ", "?", "(",
];
/// What can stand before the first option's name, or before any.
const BEFORE: [&str; 27] = [
    "should",
    "we",
    "i",
    "use",
    "using",
    "adopt",
    "choose",
    "pick",
    "compare",
    "comparing",
    "evaluate",
    "decide",
    "deciding",
    "choosing",
    "between",
    "whether",
    "to",
    "on",
    "either",
    "a",
    "an",
    "the",
    "go",
    "with",
    "prefer",
    "take",
    "which",
];
/// A name longer than this is a sentence.
const MAX_NAME_WORDS: usize = 4;

/// The words of a text, in lower case.
pub(super) fn words(text: &str) -> Vec<String> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '+' | '#' | '-' | '\'' | '’');
    let split = text.split(|c: char| !inside(c)).map(|word| word.trim_matches(['-', '\'', '’']));
    split.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// How often a phrase (words in lower case) stands in a text.
pub(super) fn count(text: &[String], phrase: &[String]) -> usize {
    if phrase.is_empty() {
        return 0;
    }
    text.windows(phrase.len()).filter(|window| window.iter().zip(phrase).all(|(a, b)| same_word(a, b))).count()
}

/// How many of some phrases, with commas between them, stand in a text.
pub(super) fn hits(text: &[String], phrases: &str) -> usize {
    phrases.split(',').filter(|phrase| count(text, &words(phrase)) > 0).count()
}

fn same_word(word: &str, wanted: &str) -> bool {
    word == wanted || word.strip_suffix('s').is_some_and(|single| single == wanted)
}

/// The form in which two statements are the same.
pub(super) fn same_text(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches(['.', '!', ';', ',']).to_lowercase()
}

/// The options that a topic names, as in "REST vs GraphQL for our public API"; none if it names fewer
/// than two.
pub(super) fn options_in(topic: &str) -> Vec<String> {
    let topic = topic.rsplit(": ").next().unwrap_or(topic);
    let lower = topic.to_ascii_lowercase();
    let spread: String =
        if let Some(place) = lower.find("between ") { replace_first_and(&topic[place..]) } else { topic.to_owned() };
    let Some(parts) = split_at_any(&spread) else { return Vec::new() };
    let mut names: Vec<String> = Vec::new();
    for part in parts.iter().flat_map(|part| part.split(", ")) {
        // A second question of the topic is no option of the first.
        let (part, joined) = part.strip_prefix("and ").map_or((part, false), |rest| (rest, true));
        let asks = ["which ", "what ", "how ", "should ", "do ", "where "].iter().any(|word| part.starts_with(word));
        if joined && asks {
            continue;
        }
        let Some(name) = name_in(part) else { return Vec::new() };
        if !names.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            names.push(name);
        }
    }
    if names.len() < 2 { Vec::new() } else { names }
}

/// "between A and B" names two options as "A or B" does.
fn replace_first_and(text: &str) -> String {
    match text.to_ascii_lowercase().find(" and ") {
        Some(place) => format!("{} or {}", &text[..place], &text[place + " and ".len()..]),
        None => text.to_owned(),
    }
}

fn split_at_any(text: &str) -> Option<Vec<&str>> {
    let lower = text.to_ascii_lowercase();
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for word in BETWEEN {
        cuts.extend(lower.match_indices(word).map(|(place, found)| (place, place + found.len())));
    }
    cuts.sort_unstable();
    cuts.dedup_by_key(|(start, _)| *start);
    let (mut parts, mut from) = (Vec::new(), 0);
    for (start, end) in &cuts {
        parts.push(text.get(from..*start)?);
        from = *end;
    }
    parts.push(text.get(from..)?);
    (parts.len() > 1).then_some(parts)
}

/// A text cut in two at each place where an option can end, first place first.
pub(super) fn two_way_splits(text: &str) -> Vec<(&str, &str)> {
    let lower = text.to_ascii_lowercase();
    let cuts = BETWEEN.iter().flat_map(|word| lower.match_indices(word).map(|(place, found)| (place, found.len())));
    let mut cuts: Vec<(usize, usize)> = cuts.collect();
    cuts.sort_unstable();
    cuts.into_iter().filter_map(|(place, long)| Some((text.get(..place)?, text.get(place + long..)?))).collect()
}

/// The name in a part of a topic: without what leads up to it and what follows it.
pub(super) fn name_in(part: &str) -> Option<String> {
    let lower = part.to_ascii_lowercase();
    let mut words: Vec<&str> = part.split_whitespace().collect();
    let lead = words.iter().take_while(|word| BEFORE.contains(&word.to_ascii_lowercase().as_str())).count();
    let led: usize = words.drain(..lead).map(|word| word.len() + 1).sum();
    let rest = lower.get(led.min(lower.len())..)?;
    let end = AFTER.iter().filter_map(|word| rest.find(word)).min().unwrap_or(rest.len());
    let kept = rest.get(..end)?.split_whitespace().count();
    let name = words.get(..kept)?.join(" ");
    let name = name.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#')).to_owned();
    (!name.is_empty() && kept <= MAX_NAME_WORDS).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_names_its_options_or_none() {
        for (topic, names) in [
            ("REST vs GraphQL for our public API", "REST|GraphQL"),
            ("Rest versus gRPC vs. GraphQL?", "Rest|gRPC|GraphQL"),
            (
                "Should we use a relational database or a document store for orders?",
                "relational database|document store",
            ),
            ("API style: REST, GraphQL or gRPC", "REST|GraphQL|gRPC"),
            ("Choose between Kafka and RabbitMQ for events", "Kafka|RabbitMQ"),
            ("Monolith or microservices", "Monolith|microservices"),
            ("Kafka or RabbitMQ, and which retry policy?", "Kafka|RabbitMQ"),
            ("C++ vs C# in the engine", "C++|C#"),
            ("How do we cut cold starts?", ""),
            ("REST vs REST", ""),
            ("What makes the onboarding of new people slow in every team or department we have here today", ""),
            ("日本語 vs 한국어", "日本語|한국어"),
            (" vs ", ""),
            ("İ vs ß for é", "İ|ß"),
        ] {
            assert_eq!(options_in(topic).join("|"), names, "{topic:?}");
        }
    }

    #[test]
    fn words_are_whole_and_may_be_plural() {
        let text = words("Monoliths rest on REST; the rest-less do not. C++!");
        assert_eq!(count(&text, &words("monolith")), 1);
        assert_eq!(count(&text, &words("REST")), 2);
        assert_eq!(count(&text, &words("c++")), 1);
        assert_eq!(count(&text, &words("c")), 0);
        assert_eq!(hits(&text, "rest on, less, do not"), 2);
    }
}
