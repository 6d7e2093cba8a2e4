//! `--show-prompts`: what would be sent, without asking anybody or writing anything.
//! Given a set table; prints the facilitator's first prompt and each seat's, whose question stands in for
//! the one that the facilitator would ask. Deliberately absent: any call, and any file.

use s2s::Failure;
use s2s::convene::Convened;
use s2s::engine::event::Event;
use s2s::engine::reply::{Answer, Question};
use s2s::engine::step::{Brief, CallKind, Step};
use s2s::engine::{Session, next_step};
use s2s::prompts::prompt_for;
use serde_json::json;

use crate::console::Console;
use crate::run::now;

/// Prints the prompts of the first round.
pub fn show(convened: &Convened, console: &Console) -> Result<u8, Failure> {
    let mut session = Session::open(convened.opening.clone());
    // Sides, question, answers: three steps, with room for a phase that only the facilitator speaks in.
    for _ in 0..4 {
        let Step::Ask(briefs) = next_step(&session) else { break };
        for brief in &briefs {
            print(&session, brief, convened, console)?;
        }
        let Some(brief) = briefs.first() else { break };
        if matches!(brief.call.kind, CallKind::Response | CallKind::Synthesis) {
            break;
        }
        stand_in(&mut session, brief)?;
    }
    Ok(0)
}

fn print(session: &Session, brief: &Brief, convened: &Convened, console: &Console) -> Result<(), Failure> {
    let prompt = prompt_for(session, brief, &convened.charter)?;
    if console.json {
        return console.print_json(&json!({
            "call": brief.call.to_string(), "seat": &*brief.call.seat, "system": prompt.system, "user": prompt.user,
        }));
    }
    let rule = "=".repeat(console.style.width.clamp(24, 100));
    console.print(&format!(
        "{rule}\n{} to {}\n{rule}\n\n--- system ---\n{}\n\n--- user ---\n{}\n\n",
        brief.call,
        brief.call.seat,
        prompt.system.trim_end(),
        prompt.user.trim_end()
    ))
}

/// Answers for the facilitator, so that the prompts after its reply can be shown.
fn stand_in(session: &mut Session, brief: &Brief) -> Result<(), Failure> {
    let (call, at) = (brief.call.clone(), now());
    session.apply(Event::Asked { call: call.clone(), at })?;
    let event = match call.kind {
        CallKind::Question => {
            let question = Question {
                question: "(the question that the facilitator asks)".to_owned(),
                focus: "(its focus)".to_owned(),
                context_summary: "(the facilitator's summary of the context)".to_owned(),
                participants: Vec::new(),
            };
            let answer = Answer::Question(question);
            Event::Answered { call, at, answer, doubts: Vec::new(), stand_in: None, usage: Default::default() }
        }
        // Without the facilitator's word the engine deals the sides out itself (T3).
        _ => Event::Failed { call, at, error: "nobody is asked".to_owned(), usage: Default::default() },
    };
    Ok(session.apply(event)?)
}
