//! Whether the follow-ups of a session were asked as they should be: every prompt rendered again and compared (L9).
//! Given minutes, tape and charter; hands on what does not fit. Deliberately absent: the rounds (`walk`).

use s2s_engine::step::CallKind;
use s2s_store::{Minutes, StoreError, TapeLine, Taped};

use super::Finding;
use crate::prompts::{Charter, followed_up_on, followup_prompt};
use crate::roundtable::after_round;

/// How many were asked; what is wrong with them is added to the findings.
pub(super) fn check(
    minutes: &Minutes,
    tape: &[TapeLine],
    charter: &Charter,
    findings: &mut Vec<Finding>,
) -> Result<usize, StoreError> {
    let mut asked_in_all = 0;
    for (at, line) in tape.iter().enumerate() {
        let Taped::Asked(asked) = &line.what else { continue };
        if asked.call.kind != CallKind::Followup {
            continue;
        }
        asked_in_all += 1;
        let (call, question) = (&asked.call, asked.question.as_deref().unwrap_or_default());
        let then = after_round(minutes, tape, call.round)?;
        let what = match followup_prompt(&then, charter, &call.seat, question, &followed_up_on(&tape[..at])) {
            _ if then.rounds().len() as u32 != call.round => "it follows a round that is not in the minutes".to_owned(),
            Ok(prompt) if *prompt.system == *asked.prompt.system && prompt.user == asked.prompt.user => continue,
            Ok(_) => "the prompt is not the one that the minutes lead to".to_owned(),
            Err(error) => error.to_string(),
        };
        findings.push(Finding { place: format!("tape line {}, {call}", line.seq), what });
    }
    Ok(asked_in_all)
}
