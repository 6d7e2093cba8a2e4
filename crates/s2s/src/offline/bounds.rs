//! What topic and context settle about options before anything is weighed: one must be taken, one may not be, one is
//! there already. Given a playbook and the texts; hands on [`Bound`]s with the words that say so, and what is there
//! already as signals that lift it. Deliberately absent: what seats make of it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use s2s_catalog::Beside;
use s2s_catalog::playbook::{Playbook, Signal};

use super::naming::{Found, matches};
use super::weigh::{Heard, Place};
use super::words::{Gap, Token, find, quote, stated, stated_and_asked, tokens, without_comments};

/// Something that is settled about an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bound {
    pub option: usize,
    /// Whether it must be taken; else it may not be.
    pub demanded: bool,
    /// The words that say so, as written.
    pub words: String,
    pub place: Place,
    /// Why, where a constraint says it.
    pub why: Option<String>,
}

/// Something demanded or ruled out that nobody here can weigh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Strange {
    pub name: String,
    pub demanded: bool,
    /// The words that say so, as written.
    pub words: String,
    pub place: Place,
}

/// What topic and context demand or rule out of these names, which no playbook knows.
pub(super) fn strange(playbook: &Playbook, names: &[String], topic: &str, context: &str) -> Vec<Strange> {
    let words = &playbook.general.words;
    let mut list: Vec<Strange> = Vec::new();
    for (place, text) in texts(&stated_and_asked(topic).0, &stated_and_asked(&without_comments(context)).0) {
        let places = |(option, name): (usize, &String)| {
            find(name, &text).into_iter().map(move |place| Found { option, weak: false, place }).collect::<Vec<_>>()
        };
        let found: Vec<Found> = names.iter().enumerate().flat_map(places).collect();
        for (demanded, beside) in [(true, &words.demands), (false, &words.forbids)] {
            for (at, said) in beside_of(&found, &text, beside) {
                let known = |one: &Strange| one.demanded == demanded && one.name == names[at];
                if !(list.iter().any(known) || demanded && is_soft(&text, &said)) {
                    list.push(Strange { name: names[at].clone(), demanded, words: quote(&text, said), place });
                }
            }
        }
    }
    list
}

/// Criteria on which what is there already does better, where a playbook has them.
const KNOWN_WELL: [&str; 3] = ["team-skill", "operability", "cost"];
/// Words that may stand between a phrase and the name it is about.
const BETWEEN: &str = "a an the our your own only just and or plain also both either managed new for use using";
/// What follows a name in "no Kafka experience", which forbids nothing.
const OF_PEOPLE: &str = "experience experienced knowledge skills skill expertise developers developer background \
    training know lock";
/// How many words a list may have between a phrase and the last name of it.
const LONGEST: usize = 9;

/// What is settled, in the order of the texts.
pub(super) fn bounds(playbook: &Playbook, topic: &str, context: &str) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = Vec::new();
    for (place, text) in texts(topic, context) {
        let words = &playbook.general.words;
        let states = match place {
            Place::Topic => tokens(&stated_and_asked(topic).0),
            Place::Project => tokens(&stated_and_asked(&without_comments(context)).0),
        };
        for (demanded, beside) in [(true, &words.demands), (false, &words.forbids)] {
            // "Passkeys only?" asks, and settles nothing.
            let text = if demanded { &states } else { &text };
            for (option, said) in named_beside(playbook, text, beside) {
                if demanded && is_soft(text, &said) {
                    continue;
                }
                bounds.push(Bound { option, demanded, words: quote(text, said), place, why: None });
            }
        }
        for limit in &playbook.general.limits {
            let Some(said) = limit.when.iter().find_map(|phrase| stated(phrase, &text)) else { continue };
            let out = |id: &String| playbook.options.iter().position(|option| option.id == *id);
            bounds.extend(limit.options.iter().filter_map(out).map(|option| Bound {
                option,
                demanded: false,
                words: quote(&text, said.clone()),
                place,
                why: Some(limit.why.clone()),
            }));
        }
    }
    let mut kept: Vec<Bound> = Vec::new();
    for bound in bounds {
        if !kept.iter().any(|known| known.option == bound.option && known.demanded == bound.demanded) {
            kept.push(bound);
        }
    }
    kept
}

/// The options that may not be taken: those ruled out, and beside one that must be taken all others. Where that
/// leaves nothing, nothing is settled.
pub(super) fn barred(bounds: &[Bound], focus: &[usize]) -> Vec<usize> {
    let of = |demanded: bool, option: usize| bounds.iter().any(|one| one.option == option && one.demanded == demanded);
    let any = focus.iter().any(|&option| of(true, option));
    let out = |option: &usize| (of(false, *option) && !of(true, *option)) || (any && !of(true, *option));
    let barred: Vec<usize> = focus.iter().copied().filter(out).collect();
    if barred.len() == focus.len() { Vec::new() } else { barred }
}

/// What is there already, as signals that lift it on what a team has learned and paid for.
pub(super) fn there<'p>(playbook: &'p Playbook, topic: &str, context: &str) -> Vec<Heard<'p>> {
    let mut heard: Vec<Heard<'p>> = Vec::new();
    for (place, text) in texts(topic, context) {
        for (option, said) in named_beside(playbook, &text, &playbook.general.words.has) {
            let id = &playbook.options[option].id;
            if heard.iter().any(|known| known.signal.lifts.contains_key(id)) {
                continue;
            }
            let known_well = KNOWN_WELL.into_iter().filter(|id| playbook.criterion(id).is_some());
            heard.extend(known_well.map(|criterion| Heard {
                signal: Cow::Owned(Signal {
                    id: None,
                    when: Vec::new(),
                    criterion: criterion.to_owned(),
                    shift: 0.5,
                    lifts: BTreeMap::from([(id.clone(), 1)]),
                    why: "what is there already is learned and paid for".to_owned(),
                    contradicts: None,
                }),
                words: quote(&text, said.clone()),
                place,
                at: said.clone(),
            }));
        }
    }
    heard
}

fn texts(topic: &str, context: &str) -> [(Place, Vec<Token>); 2] {
    [(Place::Project, tokens(&without_comments(context))), (Place::Topic, tokens(topic))]
}

/// The options that stand beside one of these phrases, with all the words from the first to the last of both.
fn named_beside(playbook: &Playbook, text: &[Token], beside: &Beside) -> Vec<(usize, Range<usize>)> {
    beside_of(&matches(playbook, text), text, beside)
}

fn beside_of(found: &[Found], text: &[Token], beside: &Beside) -> Vec<(usize, Range<usize>)> {
    let mut named: Vec<(usize, Range<usize>)> = Vec::new();
    for one in found {
        let before = beside.before.iter().flat_map(|phrase| find(phrase, text));
        let before = before.filter(|said| !is_denied(text, said) && leads_to(text, said, one, found));
        let after = beside.after.iter().flat_map(|phrase| find(phrase, text));
        let after = after.filter(|said| follows(text, said, one));
        let of_people = text.get(one.place.end).is_some_and(|next| is(OF_PEOPLE, next) && next.gap <= Gap::Hyphen);
        let first = before.filter(|said| !(of_people && text[said.start].word == "no")).max_by_key(|said| said.start);
        let said = first.map(|said| said.start..one.place.end).or_else(|| {
            let said = after.into_iter().next()?;
            (!is_denied(text, &one.place)).then_some(one.place.start..said.end)
        });
        named.extend(said.map(|said| (one.option, said)));
    }
    named
}

/// Whether a phrase leads to a name: right before it, or before a list that it is in.
fn leads_to(text: &[Token], said: &Range<usize>, one: &Found, all: &[Found]) -> bool {
    if said.end > one.place.start || one.place.start - said.end > LONGEST {
        return false;
    }
    let between = said.end..one.place.start;
    let listed = |at: usize| all.iter().any(|other| other.place.contains(&at)) || is_name(&text[at]);
    let passes = |at: usize| is(BETWEEN, &text[at]) || (listed(at) && !one.weak);
    let one_clause = (said.end..=one.place.start).all(|at| text[at].gap < Gap::Clause || heads(text, said, at));
    // "We use the cloud for backups. Postgres …": a list ends with its sentence.
    let lists = between.clone().any(|at| text[at].gap == Gap::Comma) || text[one.place.start].gap == Gap::Comma;
    one_clause && between.clone().all(passes) && (!lists || between.clone().any(listed))
}

/// "Stack: Postgres": after a heading or its colon the list begins.
fn heads(text: &[Token], said: &Range<usize>, at: usize) -> bool {
    at == said.end && text[said.start].gap == Gap::Clause && text[said.end - 1].word == "stack"
}

fn follows(text: &[Token], said: &Range<usize>, one: &Found) -> bool {
    let between = one.place.end..said.start;
    said.start >= one.place.end
        && between.len() <= 1
        && !one.weak
        && (one.place.end..=said.start).all(|at| text[at].gap <= Gap::Hyphen)
        && between.clone().all(|at| text[at].word.chars().all(|c| c.is_ascii_digit()))
}

/// "Our standard is X, but we can deviate" demands nothing.
fn is_soft(text: &[Token], said: &Range<usize>) -> bool {
    const SOFT: &str = "deviate deviating deviation deviations exception exceptions negotiable optional flexible unless \
        preferably ideally normally usually binding";
    let after = text.iter().skip(said.end).take(8).any(|token| is(SOFT, token));
    let before = text[said.start.saturating_sub(3)..said.start].iter().any(|token| is(SOFT, token));
    after || before
}

fn is_denied(text: &[Token], said: &Range<usize>) -> bool {
    let before = said.start.checked_sub(1).map(|at| &text[at]);
    before.is_some_and(|token| is("not no never don doesn longer without", token) && text[said.start].gap < Gap::Comma)
}

fn is_name(token: &Token) -> bool {
    token.raw.chars().any(|c| c.is_uppercase() || c.is_ascii_digit())
}

fn is(list: &str, token: &Token) -> bool {
    list.split_whitespace().any(|word| word == token.word)
}

#[cfg(test)]
mod tests {
    use super::super::test_table::playbooks;
    use super::*;

    /// What is settled and what is there, as `+demanded -ruled out =there`.
    fn check(playbook: &str, context: &str, expected: &str) {
        let playbooks = playbooks();
        let playbook = playbooks.iter().find(|known| known.name == playbook).expect("a shipped playbook");
        let sign = |bound: &Bound| if bound.demanded { '+' } else { '-' };
        let id = |option: usize| playbook.options[option].id.as_str();
        let mut told: Vec<String> =
            bounds(playbook, "", context).iter().map(|one| format!("{}{}", sign(one), id(one.option))).collect();
        for heard in there(playbook, "", context) {
            told.extend(heard.signal.lifts.keys().map(|id| format!("={id}")));
        }
        told.dedup();
        assert_eq!(told.join(" "), expected, "{context}");
    }

    #[test]
    fn an_option_is_demanded_ruled_out_or_there_already() {
        check("api-style", "We must use GraphQL.", "+graphql");
        check("api-style", "GraphQL is mandatory for all teams.", "+graphql");
        check("api-style", "No GraphQL, please.", "-graphql");
        check("api-style", "gRPC is not allowed by the network team", "-grpc");
        check("api-style", "We must not use REST or GraphQL.", "-rest -graphql");
        check("api-style", "No GraphQL experience in the team.", "");
        check("api-style", "We do not have to use GraphQL.", "");
        check("api-style", "There is no problem with REST.", "");
        check("database-kind", "We already run Postgres, Redis and Kafka.", "=relational =key-value");
        check("database-kind", "## Stack\n- PostgreSQL, Python", "=relational");
        check("database-kind", "Our existing MongoDB is full.", "=document");
        check("sign-in", "It must run on premises.", "-managed-provider");
        check("sign-in", "There is no cloud.", "-managed-provider");
        check("sign-in", "Cloud first.", "");
    }

    #[test]
    fn bug_a_question_or_a_standard_one_may_leave_was_taken_as_a_demand() {
        check("api-style", "Is it wise to offer GraphQL only?", "");
        check("api-style", "Should we say that GraphQL is mandatory?", "");
        check("api-style", "Offer GraphQL only.", "+graphql");
        check("database-kind", "Our standard is MongoDB but we can deviate.", "");
        check("database-kind", "Our standard is MongoDB.", "+document");
    }

    #[test]
    fn what_settles_everything_settles_nothing() {
        let bound = |option, demanded| Bound { option, demanded, words: String::new(), place: Place::Topic, why: None };
        assert_eq!(barred(&[bound(0, false)], &[0, 1]), [0]);
        assert_eq!(barred(&[bound(1, true)], &[0, 1, 2]), [0, 2]);
        assert_eq!(barred(&[bound(0, false), bound(1, false)], &[0, 1]), Vec::<usize>::new());
        assert_eq!(barred(&[bound(5, true)], &[0, 1]), Vec::<usize>::new());
    }
}
