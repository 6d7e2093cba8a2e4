//! Strategies for tests, by hand: the shipped ones are data of the catalog, and the engine must not
//! need them. Owns only their shape (phases, votes, policy); goals and directives say nothing here.

use s2s_engine::strategy::{Asks, Participation, Phase, Policy, PolicyRule, Strategy, Votes};

/// The names `strategy` can make.
pub const NAMES: [&str; 6] = ["standard", "sequential", "disney", "debate", "consensus-driven", "six-hats"];

fn phase(name: &str, tracks: bool) -> Phase {
    Phase { name: name.to_owned(), tracks, sees: Vec::new(), ..Phase::discussion() }
}

fn alone(name: &str, tracks: bool) -> Phase {
    Phase { asks: Asks::None, ..phase(name, tracks) }
}

/// The strategy with this name.
pub fn strategy(name: &str) -> Strategy {
    let weighted = Policy { rule: PolicyRule::WeightedMajority, threshold: 0.6 };
    let judged = Policy { rule: PolicyRule::FacilitatorJudgment, threshold: 0.6 };
    let consent = Policy { rule: PolicyRule::Consent, threshold: 0.6 };
    let (policy, phases) = match name {
        "standard" | "sequential" => (weighted, vec![phase("discussion", true)]),
        "disney" => (weighted, vec![phase("dreamer", false), phase("realist", false), phase("critic", true)]),
        "debate" => (judged, vec![phase("opening", false), phase("rebuttal", false), phase("closing", true)]),
        "consensus-driven" => {
            (consent, vec![phase("proposal", false), phase("discussion", true), phase("resolution", true)])
        }
        "six-hats" => {
            let hats = ["white", "red", "black", "yellow", "green"].map(|hat| phase(hat, false));
            let mut phases = vec![alone("blue-opening", false)];
            phases.extend(hats);
            phases.push(alone("blue-closing", true));
            (judged, phases)
        }
        other => panic!("no strategy {other:?}"),
    };
    let in_turn = name == "sequential";
    Strategy {
        name: name.to_owned(),
        summary: String::new(),
        participation: if in_turn { Participation::Sequential } else { Participation::Parallel },
        policy,
        least_participants: 2,
        two_sides: name == "debate",
        votes: if name == "debate" { Votes::BallotRound } else { Votes::WithAnswers },
        phases,
    }
}
