//! Persons at an offline table. A person follows no playbook: where they lean is what they said, and nothing else is
//! said for them; no weights, no scores. Given the table; hands on names as a sentence needs them, and leanings.
//! Deliberately absent: how a person is asked (`panel::human`).

use super::subject::first_option;
use super::table::{Table, Turn};
use super::words::listed;

impl Table<'_> {
    /// Whether a person sits there.
    pub(super) fn is_person(&self, seat: usize) -> bool {
        self.seats()[seat].is_human()
    }

    /// A seat in the middle of a sentence: a role takes an article, a person does not.
    pub(super) fn the(&self, seat: usize) -> String {
        let who = self.who(seat);
        if self.is_person(seat) { who.to_owned() } else { format!("the {who}") }
    }

    /// Several seats in the middle of a sentence.
    pub(super) fn all_of(&self, seats: &[usize]) -> String {
        let each: Vec<String> = seats.iter().map(|&seat| self.the(seat)).collect();
        listed(&each, "and")
    }

    /// Where a seat is seen to lean: a role by its count, a person by the option they named last, if any.
    pub(super) fn seen_leaning(&self, seat: usize, held: u32) -> Option<usize> {
        if self.is_person(seat) { self.named_by(seat) } else { Some(self.leaning(seat, held)) }
    }

    /// The option that a person named in this round, else in the one before.
    pub(super) fn named_by(&self, seat: usize) -> Option<usize> {
        let id = &self.seats()[seat].id;
        let now = self.session.responses().find(|(known, _)| *known == id).map(|(_, said)| said.position.as_str());
        let before = || {
            let rounds = self.session.rounds().iter().rev().filter_map(|round| self.session.answers_of(round.number));
            let own = |answers: &'_ [s2s_engine::record::SeatResponse]| {
                answers.iter().find(|answer| answer.participant == *id).map(|answer| answer.position.clone())
            };
            rounds.filter_map(own).next()
        };
        match now {
            Some(position) => first_option(self.playbook(), position),
            None => first_option(self.playbook(), &before()?),
        }
    }

    /// The option that all these seats are seen to lean to; people who named none are not in the way of it.
    pub(super) fn shared_by_all(&self, seats: &[usize], turn: &Turn) -> Option<usize> {
        let roles: Vec<usize> = seats.iter().copied().filter(|&seat| !self.is_person(seat)).collect();
        let option = self.shared(&roles, turn.held)?;
        let people = seats.iter().filter(|&&seat| self.is_person(seat));
        let dissents = people.filter_map(|&seat| self.named_by(seat)).any(|named| named != option);
        (!dissents).then_some(option)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_table::{BRAINSTORM, hold, hold_by, opening};
    use s2s_engine::record::RulingChoice;
    use s2s_engine::reply::Answer;

    /// Everything the facilitator says at a table where Anna sits, round by round.
    fn said(topic: &str, strategy: &str) -> String {
        let mut opening = opening(topic, strategy, &BRAINSTORM, "");
        let mut anna = opening.seats[0].clone();
        (anna.id, anna.name, anna.model) = ("anna".into(), "Anna, Product Manager".into(), "human".into());
        opening.seats.push(anna);
        let mut said = String::new();
        for held in [hold(opening.clone()), hold_by(opening, RulingChoice::Continue)] {
            for (_, _, answer) in &held.replies {
                let Answer::Synthesis(sum) = answer else { continue };
                said.push_str(&format!("{}\n{}\n", sum.synthesis, sum.recommendation.clone().unwrap_or_default()));
                sum.resolved.iter().for_each(|end| said.push_str(&format!("{}\n", end.resolution)));
            }
        }
        said
    }

    #[test]
    fn bug_a_person_was_called_the_anna() {
        for strategy in ["standard", "disney", "debate", "consensus-driven", "six-hats"] {
            for topic in ["REST vs GraphQL for our public API", "Monolith or microservices for the new product"] {
                let said = said(topic, strategy);
                assert!(!said.contains("the Anna") && !said.contains("Anna, Product Manager"), "{strategy}: {said}");
                assert!(!said.contains("All four seats"), "{strategy}: {said}");
            }
        }
    }

    #[test]
    fn bug_a_person_was_given_weights_and_scores_of_a_playbook() {
        let differs = said("REST vs GraphQL for our public API", "standard");
        assert!(
            differs.contains("Anna would choose GraphQL") || differs.contains("Anna leans to GraphQL"),
            "{differs}"
        );
        let silent = said("Monolith or microservices for the new product", "standard");
        assert!(silent.contains("Anna named none of the options"), "{silent}");
        // In a debate a side is dealt to her; she speaks for it only if she does.
        let debate = said("Monolith or microservices for the new product", "debate");
        assert!(!debate.split('.').next().is_some_and(|opening| opening.contains("Anna")), "{debate}");
        let debate = said("REST vs GraphQL for our public API", "debate");
        let opened = debate.split('.').next().unwrap_or_default();
        assert!(opened.contains("GraphQL") && opened.find("Anna") > opened.find("for REST"), "{opened}");
        for said in [differs, silent] {
            for invented in ["Anna gives more weight", "closest for Anna", "Anna has "] {
                assert!(!said.contains(invented), "{invented:?} in {said}");
            }
        }
    }
}
