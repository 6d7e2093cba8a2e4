//! What the known criteria usually mean, so that a starting file need not be written from nothing. Whoever knows the subject
//! sharpens them. Given an id; hands on four texts. Deliberately absent: anything about one subject, and words of rule E3.

/// How a criterion reads, means, asks and what to find out.
pub(super) struct Usual {
    pub id: &'static str,
    pub name: &'static str,
    pub means: &'static str,
    pub asks: &'static str,
    pub find_out: &'static str,
}

const fn usual(
    id: &'static str,
    name: &'static str,
    means: &'static str,
    asks: &'static str,
    find_out: &'static str,
) -> Usual {
    Usual { id, name, means, asks, find_out }
}

/// The usual texts of a criterion, if it is a known one.
pub(super) fn usual_of(id: &str) -> Option<&'static Usual> {
    USUAL.iter().find(|usual| usual.id == id)
}

const USUAL: [Usual; 16] = [
    usual(
        "time-to-value",
        "time to the first useful version",
        "How soon somebody has real use of it.",
        "What has to be there before the first person has real use of it?",
        "the date by which somebody needs it, and what they need by then",
    ),
    usual(
        "simplicity",
        "simplicity",
        "How much there is to understand, for whoever comes next.",
        "Which parts would a new colleague have to understand before changing anything?",
        "how many people will work on it, and how often they change",
    ),
    usual(
        "operability",
        "running it in production",
        "How much work it is to watch, repair and update it.",
        "It fails on a Sunday: who notices, how, and what can they do?",
        "who runs it, and at which hours",
    ),
    usual(
        "security",
        "protection from misuse",
        "How hard it is to get at what one should not, and how far a mistake of ours reaches.",
        "What would an attacker try first, and what would they gain?",
        "what is worth protecting here, and from whom",
    ),
    usual(
        "evolvability",
        "room to evolve",
        "How cheaply it changes when the needs do.",
        "Which change is likely within two years, and what would it cost under each option?",
        "which changes are likely within two years",
    ),
    usual(
        "performance",
        "speed",
        "How long people and programs wait, at the slow end.",
        "Which waits are noticed today, and how long may they be?",
        "the longest wait that is still fine, and how often it is passed today",
    ),
    usual(
        "scalability",
        "room to grow",
        "How far it goes before it has to be built anew.",
        "What is ten times as much as today, and what gives way first?",
        "today's load, its peaks, and how fast it grows",
    ),
    usual(
        "client-fit",
        "fit for those who use it",
        "How well it suits the people and programs on the other side.",
        "Who uses it, with what, and what would they have to change?",
        "who uses it, and what each of them needs from it",
    ),
    usual(
        "team-skill",
        "skills at hand",
        "How much of it the people who are here already know.",
        "Who here has run this before, and what would the others have to learn?",
        "who has worked with which option, and for how long",
    ),
    usual(
        "cost",
        "cost over its life",
        "Fees, machines and people's time, and the price of leaving.",
        "What does it cost in the first year and in the third, people's time included?",
        "the budget, and how the price grows with use",
    ),
    usual(
        "testability",
        "testing it",
        "How early and how cheaply a mistake shows.",
        "Which mistake would only show in production, and could a test find it?",
        "which mistakes reached production lately, and how they were found",
    ),
    usual(
        "data-integrity",
        "integrity of the data",
        "How sure one can be that what is stored is whole and right.",
        "Where could two copies disagree, and who would notice?",
        "which data must never be wrong, and which may be late",
    ),
    usual(
        "reliability",
        "reliability",
        "How often it is there when it is needed, and what is lost when it is not.",
        "It is gone for an hour: who is held up, and what is lost?",
        "how long it may be gone, and how much may be lost",
    ),
    usual(
        "tooling",
        "tools around it",
        "How well it is served by what the team works with.",
        "Which tools would have to be built or changed for it?",
        "which tools the team relies on every day",
    ),
    usual(
        "portability",
        "freedom to leave",
        "How hard it is to move to something else.",
        "What would we have to rebuild if we left in three years?",
        "what can be taken along, and in which form",
    ),
    usual(
        "compliance",
        "rules to keep",
        "How well it meets what laws, contracts and customers ask for.",
        "Which rules apply, and with what evidence do we show that they are kept?",
        "which rules and contracts apply, and who checks them",
    ),
];

#[cfg(test)]
mod tests {
    use s2s_catalog::playbook::CRITERIA;

    use super::*;

    #[test]
    fn every_known_criterion_has_its_usual_texts() {
        for id in CRITERIA {
            assert!(usual_of(id).is_some(), "{id}");
        }
        assert_eq!(USUAL.len(), CRITERIA.len());
    }
}
