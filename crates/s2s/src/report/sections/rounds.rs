//! The discussion, round by round: question, every answer (folded), synthesis, points, votes, conflicts, decision.
//! Given the view; writes a section. Deliberately absent: the numbers over all rounds, which have sections of their own.

use s2s_engine::record::{Degraded, Round, RoundKind, SeatResponse};
use s2s_engine::reply::{Action, Choice};

use super::super::charts;
use super::super::html::Html;
use super::super::marked;
use super::super::view::{RoundView, View};
use super::{count, listed, reasons, said};

/// How much of a position is shown before it is unfolded.
const EXCERPT: usize = 150;

/// The discussion.
pub(in super::super) fn rounds(html: &mut Html, view: &View<'_>) {
    meanwhile(html, &view.before);
    for one in &view.rounds {
        let id = format!("round-{}", one.round.number);
        html.within("article", &[("class", "round"), ("id", &id)], |html| round(html, one, view));
        meanwhile(html, &one.after);
        followed(html, one, view);
    }
}

/// What single seats were asked after a round, folded like the answers.
fn followed(html: &mut Html, one: &RoundView<'_>, view: &View<'_>) {
    for followed in &one.followed {
        html.within("details", &[("class", "card")], |html| {
            html.within("summary", &[], |html| {
                html.text("A person asked ").leaf("strong", &[], view.table.names.of(&followed.seat)).text(": ");
                html.leaf("span", &[("dir", "auto")], &marked::words(&followed.question, EXCERPT));
            });
            // The summary has room for a line; the question may be longer.
            if marked::words(&followed.question, EXCERPT) != followed.question {
                said(html, "question", &followed.question);
            }
            said(html, "said", &followed.answer);
            html.leaf("p", &[("class", "soft")], "A follow-up: outside the votes, and nobody else was shown it.");
        });
    }
}

fn meanwhile(html: &mut Html, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    html.within("ul", &[("class", "meanwhile")], |html| {
        for line in lines {
            html.within("li", &[("dir", "auto")], |html| marked::line(html, line));
        }
    });
}

fn round(html: &mut Html, one: &RoundView<'_>, view: &View<'_>) {
    let round = one.round;
    html.within("h3", &[], |html| {
        html.text(&format!("Round {} ", round.number));
        let ballot = if round.kind == RoundKind::Ballot { ", ballot" } else { "" };
        html.leaf("small", &[], &format!("{}{ballot}", round.phase));
    });
    if !round.focus.trim().is_empty() {
        html.leaf("p", &[("class", "label")], &round.focus);
    }
    said(html, "question", &round.question);
    if round.probing {
        html.leaf("p", &[("class", "soft")], "A probing question, because the agreement came easily (P1).");
    }
    answers(html, one, view);
    if !round.synthesis.trim().is_empty() {
        html.leaf("h4", &[], "Synthesis");
        said(html, "said", &round.synthesis);
    }
    let claimed = round.consensus.iter().enumerate();
    let claimed: Vec<String> = claimed.map(|(at, text)| format!("C{}.{} {text}", round.number, at + 1)).collect();
    listed(html, "Points claimed", claimed.iter().map(String::as_str));
    ballots(html, round, view);
    let conflicts = round.conflicts.iter().map(|conflict| match conflict.description.trim() {
        "" => conflict.id.as_str(),
        text => text,
    });
    listed(html, "Conflicts", conflicts);
    listed(
        html,
        "Resolved",
        round.resolved.iter().map(|end| match end.resolution.trim() {
            "" => end.conflict_id.as_str(),
            text => text,
        }),
    );
    let made: Vec<String> = round.artifacts.iter().map(|made| format!("{} {}", made.id, made.title)).collect();
    listed(html, "Artifacts made or changed", made.iter().map(String::as_str));
    listed(html, "Objections to the context", round.context_challenges.iter().map(|one| one.challenge.as_str()));
    flaws(html, round, view);
    decision(html, one);
}

fn answers(html: &mut Html, one: &RoundView<'_>, view: &View<'_>) {
    let round = one.round;
    match one.answers {
        Some(answers) if !answers.is_empty() => answers.iter().for_each(|given| answer(html, given, view)),
        _ if round.asked.is_empty() && round.confidence.is_empty() => {
            html.leaf("p", &[("class", "soft")], "Nobody was asked: the facilitator spoke alone.");
        }
        _ => {
            html.leaf("p", &[("class", "soft")], "The answers themselves are not in the record.");
        }
    }
    if !round.no_response.is_empty() {
        let text = format!("No usable answer from {}.", view.table.names.all(&round.no_response));
        html.leaf("p", &[("class", "soft")], &text);
    }
}

fn answer(html: &mut Html, given: &SeatResponse, view: &View<'_>) {
    html.within("details", &[("class", "card")], |html| {
        html.within("summary", &[], |html| {
            html.leaf("strong", &[], view.table.names.of(&given.participant)).text(" ");
            html.within("span", &[("class", "sure")], |html| {
                charts::share(html, given.confidence);
                html.text(&format!("{:.2}", given.confidence));
            });
            html.text(" ");
            html.leaf("span", &[("class", "excerpt"), ("dir", "auto")], &marked::words(&given.position, EXCERPT));
        });
        said(html, "said", &given.position);
        listed(html, "Because", given.rationale.iter().map(String::as_str));
        listed(html, "Concerns", given.concerns.iter().map(String::as_str));
        listed(html, "Objects to the context", given.context_challenge.as_deref());
        let votes: Vec<String> =
            given.votes.iter().map(|(point, choice)| format!("{point}: {}", chose(*choice))).collect();
        listed(html, "Votes", votes.iter().map(String::as_str));
    });
}

fn chose(choice: Choice) -> &'static str {
    match choice {
        Choice::Support => "support",
        Choice::StandAside => "stand aside",
        Choice::Block => "block",
    }
}

fn ballots(html: &mut Html, round: &Round, view: &View<'_>) {
    if round.tallies.is_empty() {
        return;
    }
    html.leaf("h4", &[], "Votes counted");
    html.within("ul", &[], |html| {
        for tally in &round.tallies {
            html.within("li", &[], |html| {
                html.leaf("span", &[("class", "id")], &tally.point).text(" ").text(&count(tally));
                for block in tally.block.iter().filter(|block| !block.reason.trim().is_empty()) {
                    html.text("; ").leaf("strong", &[], view.table.names.of(&block.seat)).text(" blocks: ");
                    html.open("span", &[("dir", "auto")]);
                    marked::line(html, &block.reason);
                    html.close();
                }
            });
        }
    });
}

fn flaws(html: &mut Html, round: &Round, view: &View<'_>) {
    let degraded = round.degraded.iter().map(|part| match part {
        Degraded::Question => "The question is a fallback: the facilitator gave no usable one (L4).".to_owned(),
        Degraded::Synthesis => "The synthesis is a fallback: the facilitator gave no usable one (L4).".to_owned(),
    });
    let doubts = round.doubts.iter().map(|doubt| format!("{}: {}", view.table.names.of(&doubt.seat), doubt.what));
    let lines: Vec<String> = degraded.chain(doubts).collect();
    if lines.is_empty() {
        return;
    }
    html.within("details", &[], |html| {
        html.leaf("summary", &[], &format!("Doubts about the replies ({})", lines.len()));
        html.within("ul", &[], |html| {
            for line in &lines {
                html.leaf("li", &[("dir", "auto")], line);
            }
        });
    });
}

fn decision(html: &mut Html, one: &RoundView<'_>) {
    let decision = &one.round.decision;
    if one.decided {
        html.within("h4", &[], |html| {
            html.text("Decision: ").text(action(decision.taken));
            if decision.proposed != decision.taken {
                html.text(" ").leaf("small", &[], &format!("(proposed: {})", action(decision.proposed)));
            }
        });
        reasons(html, &decision.because);
    }
    for escalation in &one.escalations {
        html.within("p", &[], |html| {
            html.leaf("a", &[("href", "#people")], &format!("{} was put to a person", escalation.id)).text(".");
        });
    }
}

fn action(action: Action) -> &'static str {
    match action {
        Action::Continue => "continue",
        Action::Phase => "next phase",
        Action::Conclude => "conclude",
        Action::Escalate => "ask a person",
    }
}
