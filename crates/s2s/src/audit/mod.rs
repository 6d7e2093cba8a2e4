//! The session as its own evidence: replay it from its tape, verify its prompts and its blindness.
//! Given minutes and tape; hands on reports with every finding and where it is. Deliberately absent:
//! calls to anybody, and any change to what is kept.

mod blind;
mod followed;
mod walk;

use s2s_engine::record::Outcome;
use s2s_store::{Minutes, StoreError, TapeLine, Taped};
use serde::Serialize;

use crate::prompts::{Charter, prompt_for};
use walk::{Walk, Walked};

/// Something that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Where: a line of the tape, a round, a field.
    pub place: String,
    /// What does not hold there.
    pub what: String,
}

/// What `verify` found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VerifyReport {
    /// Rounds in the minutes; their digests were checked when the minutes were read.
    pub rounds: usize,
    /// Prompts that were rendered again and compared.
    pub prompts: usize,
    /// Rounds in which every seat was shown to be blind to the others.
    pub blind_rounds: usize,
    /// What could not be checked, and why.
    pub notes: Vec<String>,
    /// What does not hold.
    pub findings: Vec<Finding>,
}

/// What `replay` found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReplayReport {
    /// Rounds that came out of the tape again.
    pub rounds: usize,
    /// Replies fed to the engine.
    pub replies: usize,
    /// Whether the whole file came out again, byte for byte.
    pub identical: bool,
    /// What could not be replayed, and why.
    pub notes: Vec<String>,
    /// What came out differently.
    pub findings: Vec<Finding>,
}

impl VerifyReport {
    /// Whether everything holds.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

impl ReplayReport {
    /// Whether everything came out the same.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Renders every prompt again from the record and compares; shows that blind rounds were blind (L2).
pub fn verify(minutes: &Minutes, tape: &[TapeLine]) -> Result<VerifyReport, StoreError> {
    let mut report = VerifyReport { rounds: minutes.rounds().len(), ..VerifyReport::default() };
    let Some(charter) = Charter::on_tape(tape) else {
        report.findings.push(no_tape("no prompt can be compared and no round be shown blind"));
        return Ok(report);
    };
    let mut walk = Walk::start(minutes, tape)?;
    report.notes.append(&mut walk.notes);
    while let Some(walked) = walk.next_walked() {
        match walked {
            Walked::Asked { line, brief, asked } => {
                report.prompts += 1;
                let place = || format!("tape line {line}, {}", asked.call);
                match brief.map(|brief| prompt_for(walk.session(), &brief, &charter)) {
                    Some(Ok(prompt)) if *prompt.system == *asked.prompt.system && prompt.user == asked.prompt.user => {}
                    Some(Ok(_)) => {
                        let what = "the prompt is not the one that the minutes lead to".to_owned();
                        report.findings.push(Finding { place: place(), what });
                    }
                    Some(Err(error)) => report.findings.push(Finding { place: place(), what: error.to_string() }),
                    None => {
                        let what = "nothing called for this call".to_owned();
                        report.findings.push(Finding { place: place(), what });
                    }
                }
            }
            Walked::Committed { .. } | Walked::Finished { .. } => {}
            Walked::Broken(finding) => report.findings.push(finding),
        }
    }
    if report.is_clean() {
        report.findings.extend(walk.loose_end());
    }
    report.prompts += followed::check(minutes, tape, &charter, &mut report.findings)?;
    let (blind_rounds, leaks) = blind::check(minutes, tape, &charter);
    report.blind_rounds = blind_rounds;
    report.findings.extend(leaks);
    Ok(report)
}

/// Feeds the tape's replies and times to the engine and compares what comes out with the minutes.
pub fn replay(minutes: &Minutes, tape: &[TapeLine]) -> Result<ReplayReport, StoreError> {
    let replies = tape.iter().filter(|line| matches!(line.what, Taped::Answered(_))).count();
    let mut report = ReplayReport { replies, ..ReplayReport::default() };
    if replies == 0 && !minutes.rounds().is_empty() {
        report.findings.push(no_tape("nothing can be replayed"));
        return Ok(report);
    }
    let mut walk = Walk::start(minutes, tape)?;
    report.notes.append(&mut walk.notes);
    while let Some(walked) = walk.next_walked() {
        match walked {
            Walked::Asked { .. } => {}
            Walked::Committed { round } => {
                report.rounds += 1;
                let kept = minutes.rounds().iter().find(|kept| kept.number == round.number);
                if kept.is_some_and(|kept| *kept != *round) {
                    let what = format!("the replay differs in {}", differing_fields(kept, &round));
                    report.findings.push(Finding { place: format!("round {}", round.number), what });
                }
            }
            Walked::Finished { outcome } => compare_outcome(minutes, &outcome, &mut report),
            Walked::Broken(finding) => report.findings.push(finding),
        }
    }
    if report.is_clean() {
        report.findings.extend(walk.loose_end());
    }
    let kept = minutes.to_yaml()?;
    report.identical = report.is_clean() && walk.rebuilt(minutes)?.is_some_and(|anew| anew == kept);
    Ok(report)
}

/// A record without evidence is not a clean one.
fn no_tape(so: &str) -> Finding {
    Finding { place: "tape".to_owned(), what: format!("there is no tape with the session's calls, so {so}") }
}

fn differing_fields(kept: Option<&s2s_engine::record::Round>, now: &s2s_engine::record::Round) -> String {
    let fields = |round| serde_json::to_value(round).ok();
    let (Some(kept), Some(now)) = (fields(kept), fields(Some(now))) else { return "its shape".to_owned() };
    let names = now.as_object().into_iter().flatten().filter(|(key, value)| kept.get(key.as_str()) != Some(value));
    names.map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(", ")
}

fn compare_outcome(minutes: &Minutes, outcome: &Outcome, report: &mut ReplayReport) {
    let Some(kept) = minutes.outcome() else { return };
    let bare = |outcome: &Outcome| Outcome { file: None, files: Vec::new(), ..outcome.clone() };
    if bare(kept) != bare(outcome) {
        let what = "the replay comes to another outcome".to_owned();
        report.findings.push(Finding { place: "outcome".to_owned(), what });
    }
}
