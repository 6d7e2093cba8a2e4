//! What a phase asks of a seat: the same knowledge, turned to another task.
//! Given a phase by its name and place; hands on a [`Stance`]. No strategy is asked for its name: a
//! project's own strategy that has a `critic` phase gets the critic, and phases with unknown names get the
//! plain stance. Deliberately absent: sentences.

use s2s_engine::strategy::{Asks, Phase, Strategy};

/// The task of a seat in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Stance {
    /// Say what you would do, and why.
    Plain,
    /// How it looks at its best; no criticism.
    Dream,
    /// How to build it, and the smallest useful start.
    Build,
    /// What fails, and what helps.
    Attack,
    /// What is known, and what is not.
    Facts,
    /// The feeling, without reasons.
    Gut,
    /// What is good about it.
    Benefits,
    /// What else could be done.
    Alternatives,
    /// One concrete proposal.
    Propose,
    /// The change that would win support.
    Adjust,
    /// Support, stand aside or block.
    Resolve,
    /// The case of one's side.
    Opening,
    /// The answer to the other side.
    Rebuttal,
    /// The last word, with what is conceded.
    Closing,
    /// The facilitator alone, at the start.
    Focus,
    /// The facilitator alone, at the end.
    Conclude,
}

impl Stance {
    /// The stance of the phase at this place of a strategy.
    pub(super) fn of(method: &Strategy, index: usize) -> Self {
        let Some(phase) = method.phases.get(index) else { return Self::Plain };
        if phase.asks == Asks::None {
            return if index + 1 == method.phases.len() { Self::Conclude } else { Self::Focus };
        }
        let named = named(phase);
        match named {
            Self::Opening | Self::Rebuttal | Self::Closing if !method.two_sides => Self::Plain,
            // A discussion that follows proposals is about changing them.
            Self::Plain if index > 0 && phase.name == "discussion" => Self::Adjust,
            _ => named,
        }
    }

    /// Whether a seat speaks for its side here.
    pub(super) fn takes_sides(self) -> bool {
        matches!(self, Self::Opening | Self::Rebuttal | Self::Closing)
    }
}

fn named(phase: &Phase) -> Stance {
    match phase.name.as_str() {
        "dreamer" => Stance::Dream,
        "realist" => Stance::Build,
        "critic" | "black" => Stance::Attack,
        "white" => Stance::Facts,
        "red" => Stance::Gut,
        "yellow" => Stance::Benefits,
        "green" => Stance::Alternatives,
        "proposal" => Stance::Propose,
        "resolution" => Stance::Resolve,
        "opening" => Stance::Opening,
        "rebuttal" => Stance::Rebuttal,
        "closing" => Stance::Closing,
        _ => Stance::Plain,
    }
}
