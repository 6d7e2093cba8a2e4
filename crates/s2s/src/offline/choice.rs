//! How a topic puts a choice: what it joins by "or", "vs", "from … to", what it asks for with "which", what it names
//! only as a circumstance. Given the topic's words; hands on places. Words of several languages join, as their letters
//! are read too. Deliberately absent: what is known about anything that is named.

use std::ops::Range;

use super::words::{Gap, Token};

/// Words that join what is compared, in some languages that people write.
const JOINERS: &str = "or vs versus oder ou o oppure eller lub czy nebo veya или либо або чи 或 或者 或是 还是 還是 または それとも か 또는 \
    against";
/// Words that say that something is to be chosen.
const CHOICE: &str = "adopt best better between choice choose choosing compare decide drop enough evaluate instead introduce \
    keep migrate migration move need pick prefer replace right select should start stay switch use using \
    versus vs which worth";
/// Words that ask for what comes after them.
const ASKING: &str = "which what choose choosing pick picking select selecting decide deciding need evaluate evaluating \
    introduce introducing adopt adopting use using want add find compare comparing welche quelle";
/// Words that may stand between such a word and the thing.
const ARTICLES: &str = "a an the our your its their own new best right main primary single one kind type sort style form of on \
    any good";
/// Words after which a new part of the sentence begins.
const STOPS: &str = "for in on at as by to of from with without via per than then if when while where because since until \
    that which what who how why and but so is are was be been do does did has have should would could can \
    will may must we i you they it this these our behind during over under within between enough fits fit \
    into";
/// Words that lead up to an option without being part of it.
const LEADS: &str = "a an the our your its their own just plain only rather instead even also still better keep keeping use \
    using stay staying stick go going with on to move moving switch switching migrate migrating adopt \
    adopting build building buy buying is are should we do can have run running introduce pick choose select \
    simply maybe perhaps either";
/// What stands in the place of an option and is none.
const NOTHING: &str = "not nothing something anything another other others both neither none else one whatever wait waiting \
    leave leaving stop skip postpone later more less api apis approach architecture database databases db \
    store in for no yes never now similar alternative alternatives";
/// Words that introduce what is only a circumstance: where, for whom, with what.
const BESIDE: &str =
    "for on in with behind at inside over via through during within under of by as across around fur para";
/// Words after which "with" or "on" names the thing itself.
const HOLDING: &str = "go going stay staying start starting stick sticking live begin continue work compare comparing replace \
    replacing rely build";
/// Verbs that ask for what comes after them and begin a sentence with a capital letter.
const VERBS: &str = "discuss consider review assess weigh replace replacing deploy drop between";
/// How far a word reaches that makes "to", "with" or "and" join two things.
const REACH: usize = 6;
/// The most words of an option that nobody knows.
const LONGEST: usize = 4;

fn is(list: &str, token: &Token) -> bool {
    list.split(' ').any(|word| word == token.word)
}

/// Whether the word at a place joins two things of one choice.
pub(super) fn joins(tokens: &[Token], at: usize) -> bool {
    let before = |words: &str| {
        let clause = (0..=at).rev().find(|&near| tokens[near].gap == Gap::Clause).unwrap_or_default();
        tokens[at.saturating_sub(REACH).max(clause)..at].iter().any(|token| is(words, token))
    };
    let last = |word: &str| at > 0 && tokens[at - 1].word == word;
    match tokens[at].word.as_str() {
        "to" => before("from"),
        "with" | "by" => before("replace replacing compare comparing swap"),
        "and" => before("between compare comparing"),
        "than" => last("rather") || last("better"),
        "of" => last("instead"),
        _ => is(JOINERS, &tokens[at]),
    }
}

/// Whether two places are put against each other: something that joins stands between them, and little else.
pub(super) fn compared(tokens: &[Token], one: &Range<usize>, other: &Range<usize>) -> bool {
    let between = one.end.min(other.end)..other.start.max(one.start);
    let near = between.len() <= LONGEST + 2;
    let lists = || {
        // "A, B or C": a comma joins where the list ends with a word that does.
        let next = tokens[between.end..].iter().take(LONGEST).position(|token| is(JOINERS, token));
        tokens[between.end].gap == Gap::Comma && between.len() <= 1 && next.is_some()
    };
    near && (between.clone().any(|at| joins(tokens, at)) || lists())
}

/// Whether some word of these asks for a choice.
pub(super) fn chooses<'t>(mut tokens: impl Iterator<Item = &'t Token>) -> bool {
    tokens.any(|token| is(CHOICE, token))
}

/// Whether a place is what the topic asks for: "which database", "do we need a cache".
pub(super) fn is_asked(tokens: &[Token], place: &Range<usize>) -> bool {
    let ends = tokens.get(place.end).is_none_or(|next| next.gap > Gap::Hyphen || is(STOPS, next) || is(JOINERS, next));
    let mut at = place.start;
    let ends = ends && !is(BESIDE, &tokens[at]) && !is(STOPS, &tokens[at]);
    while ends && at > 0 && place.start - at < LONGEST {
        if tokens[at].gap > Gap::Hyphen {
            return false;
        }
        at -= 1;
        if is(ASKING, &tokens[at]) {
            return true;
        }
        if is(STOPS, &tokens[at]) && !is(ARTICLES, &tokens[at]) {
            return false;
        }
    }
    false
}

/// Whether a place is only where, for whom or with what something happens.
pub(super) fn is_beside(tokens: &[Token], place: &Range<usize>) -> bool {
    let mut at = place.start;
    while at > 0 && place.start - at < LONGEST && tokens[at].gap <= Gap::Hyphen {
        at -= 1;
        if joins(tokens, at) {
            return false;
        }
        if is(BESIDE, &tokens[at]) {
            return !(at > 0 && is(HOLDING, &tokens[at - 1]));
        }
        if is(STOPS, &tokens[at]) && !is(ARTICLES, &tokens[at]) {
            return false;
        }
    }
    false
}

/// The parts of a topic that may each have a subject of their own, as a number for every word.
pub(super) fn parts(tokens: &[Token]) -> Vec<usize> {
    let mut part = 0;
    let begins = |at: usize| {
        (is("and plus und et y и", &tokens[at]) && !joins(tokens, at)) || (at > 0 && tokens[at].gap == Gap::Clause)
    };
    let number = |at: usize| {
        part += usize::from(begins(at));
        part
    };
    (0..tokens.len()).map(number).collect()
}

/// What a topic puts to the choice, each choice with all that it joins.
pub(super) fn choices(tokens: &[Token]) -> Vec<Vec<Range<usize>>> {
    let joined = (0..tokens.len()).filter(|&at| joins(tokens, at)).map(|at| {
        let mut choice: Vec<Range<usize>> = Vec::new();
        let mut left = before(tokens, at);
        while let Some(place) = left {
            // "A, B or C": what stands before a comma belongs to the list, if it is a name.
            left = (tokens[place.start].gap == Gap::Comma).then(|| before(tokens, place.start)).flatten();
            left = left.filter(|left| is_name(&tokens[left.end - 1]));
            choice.insert(0, place);
        }
        choice.extend(after(tokens, at + 1));
        choice
    });
    joined.filter(|choice| !choice.is_empty()).collect()
}

/// A word that is written like a name.
pub(super) fn is_name(token: &Token) -> bool {
    token.raw.chars().any(|c| c.is_uppercase() || c.is_ascii_digit())
}

fn after(tokens: &[Token], from: usize) -> Option<Range<usize>> {
    let stops = |at: usize| is(STOPS, &tokens[at]) || joins(tokens, at);
    let first = (from..tokens.len()).find(|&at| !is(LEADS, &tokens[at]) || is_thing(tokens, at))?;
    if (from..=first).any(|at| tokens[at].gap > Gap::Hyphen) || is(NOTHING, &tokens[first]) || stops(first) {
        return None;
    }
    let named = is_name(&tokens[first]);
    let end = (first + 1..tokens.len()).find(|&at| {
        tokens[at].gap > Gap::Hyphen || stops(at) || (named && !is_name(&tokens[at])) || at - first >= LONGEST
    });
    Some(first..end.unwrap_or(tokens.len()))
}

/// A lead-in that is written as a name, such as the language Go, is a thing.
fn is_thing(tokens: &[Token], at: usize) -> bool {
    at > 0 && is_name(&tokens[at]) && tokens[at].raw.len() > 1 && tokens[at].gap == Gap::Space
}

fn before(tokens: &[Token], until: usize) -> Option<Range<usize>> {
    let skipped = |at: &usize| matches!(tokens[*at].word.as_str(), "rather" | "instead" | "better");
    let last = (0..until).rev().find(|at| !skipped(at))?;
    let opens = |at: usize| {
        let token = &tokens[at];
        let leads = is(LEADS, token) && !is_thing(tokens, at);
        is(STOPS, token) || is(ASKING, token) || is(VERBS, token) || leads || joins(tokens, at)
    };
    if opens(last) || is(NOTHING, &tokens[last]) {
        return None;
    }
    let named = is_name(&tokens[last]);
    let mut start = last;
    while start > 0 && last - start + 1 < LONGEST && tokens[start].gap <= Gap::Hyphen {
        if opens(start - 1) || (named && !is_name(&tokens[start - 1])) {
            break;
        }
        start -= 1;
    }
    Some(start..last + 1)
}
