//! The scripted panel: replies from a YAML file, with faults, for tests and teaching.
//! Given calls; hands on what the file says for that round, kind, seat and attempt. Deliberately
//! absent: any knowledge of the session.
//!
//! ```yaml
//! models: {qa-lead: "acme:large"}         # optional: model names, for families in tallies
//! default: {delay_ms: 0}                  # optional: for every reply
//! replies:
//!   - {round: 1, kind: question, reply: "action: question…"}
//!   - {round: 1, seat: qa-lead, reply: {position: …, confidence: 0.8}}
//!   - {seat: qa-lead, attempt: 2, fault: timeout}     # no round = every round
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use s2s_catalog::Problem;
use s2s_engine::step::{CallId, CallKind};
use s2s_models::{Fault, FaultKind, Reply, Stop, Usage};
use s2s_store::Panel as PanelKind;
use serde::Deserialize;
use serde_json::Value;

use super::{Answering, AsideCall, Call, Panel, PlanCall};

/// A script that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ScriptError(Problem);

impl From<ScriptError> for Problem {
    fn from(error: ScriptError) -> Self {
        error.0
    }
}

/// The panel that reads its lines from a file.
#[derive(Debug, Clone)]
pub struct ScriptPanel {
    script: Script,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    #[serde(default)]
    models: BTreeMap<String, String>,
    #[serde(default)]
    default: Manner,
    replies: Vec<Line>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Manner {
    delay_ms: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    round: Option<u32>,
    kind: Option<Kind>,
    seat: Option<String>,
    attempt: Option<u32>,
    delay_ms: Option<u64>,
    reply: Option<Value>,
    fault: Option<ScriptedFault>,
    /// With `garbage`: how many bytes.
    bytes: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Sides,
    Question,
    Response,
    Synthesis,
    /// The answer to a follow-up, in plain words.
    Followup,
    /// A plan, which belongs to no session.
    Plan,
    /// An answer beside the record.
    Aside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ScriptedFault {
    Timeout,
    Error,
    Garbage,
    Empty,
    Cut,
}

impl ScriptPanel {
    /// Reads a script; `file` is its name in errors.
    pub fn read(file: &str, text: &str) -> Result<Self, ScriptError> {
        let error = |(line, column): (u32, u32), what: &str| {
            ScriptError(Problem { line, column, ..Problem::of_file(file, what) })
        };
        if s2s_yaml::to_value(text).is_ok_and(|value| value.is_null()) {
            return Err(error((0, 0), "the script is empty: it needs `replies:`"));
        }
        let script: Script = s2s_yaml::from_str(text).map_err(|flaw| error((flaw.line, flaw.column), &flaw.what))?;
        if let Some(place) = script.replies.iter().position(|line| line.reply.is_some() == line.fault.is_some()) {
            let what = format!("replies[{place}] must have either `reply` or `fault`");
            return Err(error(place_of(text, place), &what));
        }
        Ok(Self { script })
    }

    /// The most exact line for a call; the first of equals.
    fn line(&self, call: &CallId) -> Option<&Line> {
        let fits = |line: &&Line| {
            line.round.is_none_or(|round| round == call.round)
                && line.attempt.is_none_or(|attempt| attempt == call.attempt)
                && line.seat.as_deref().is_none_or(|seat| seat == &*call.seat)
                && line.kind.map_or(line.seat.is_some() && call.kind == CallKind::Response, |kind| kind.is(call.kind))
        };
        let exactness = |line: &Line| {
            [line.round.is_some(), line.seat.is_some(), line.kind.is_some(), line.attempt.is_some()]
                .into_iter()
                .filter(|given| *given)
                .count()
        };
        let mut best: Option<&Line> = None;
        for line in self.script.replies.iter().filter(fits) {
            if best.is_none_or(|best| exactness(line) > exactness(best)) {
                best = Some(line);
            }
        }
        best
    }

    fn outcome(&self, call: &CallId) -> Result<Reply, Fault> {
        let Some(line) = self.line(call) else {
            return Err(Fault::new(FaultKind::Absent, format!("the script has no reply for {call}")));
        };
        line.outcome()
    }

    /// The line for a plan: one for just this attempt before one for any.
    fn plan_line(&self, attempt: u32) -> Option<&Line> {
        let plans = || self.script.replies.iter().filter(|line| line.kind == Some(Kind::Plan));
        plans().find(|line| line.attempt == Some(attempt)).or_else(|| plans().find(|line| line.attempt.is_none()))
    }
}

impl Line {
    fn outcome(&self) -> Result<Reply, Fault> {
        let line = self;
        match (line.fault, &line.reply) {
            (Some(ScriptedFault::Timeout), _) => Err(Fault::new(FaultKind::Timeout, "scripted timeout")),
            (Some(ScriptedFault::Error), _) => Err(Fault::new(FaultKind::Refused, "scripted error")),
            (Some(ScriptedFault::Empty), _) => Ok(Reply::free("")),
            (Some(ScriptedFault::Garbage), _) => Ok(Reply::free(garbage(line.bytes.unwrap_or(64)))),
            (Some(ScriptedFault::Cut), _) => Ok(Reply { stop: Stop::Length, ..Reply::free("position: \"it wa") }),
            (None, reply) => {
                let text = text_of(reply.as_ref());
                let usage = Usage { output_tokens: text.len().div_ceil(4) as u64, ..Usage::default() };
                Ok(Reply { usage, ..Reply::free(text) })
            }
        }
    }
}

fn text_of(reply: Option<&Value>) -> String {
    match reply {
        Some(Value::String(text)) => text.clone(),
        Some(value) => s2s_yaml::to_string(value).unwrap_or_default(),
        None => String::new(),
    }
}

/// Where a reply stands in the script: line and column; zeros where that cannot be told.
fn place_of(text: &str, index: usize) -> (u32, u32) {
    let root = s2s_yaml::node::read(text).ok();
    let replies = root.as_ref().and_then(|root| root.fields().ok()?.get("replies")?.items().ok());
    replies.and_then(|list| list.get(index)).map_or((0, 0), |node| (node.line, node.column))
}

/// Bytes that mean nothing, some of them hostile to a terminal.
fn garbage(bytes: usize) -> String {
    const PIECE: &str = "%[}\u{1b}[2J {{: - <\u{202e}>\" ]\u{7}~ ";
    let mut text: String = PIECE.repeat(bytes / PIECE.len() + 1);
    let end = (0..=bytes).rev().find(|&end| text.is_char_boundary(end)).unwrap_or_default();
    text.truncate(end);
    text
}

impl Kind {
    fn is(self, kind: CallKind) -> bool {
        matches!(
            (self, kind),
            (Self::Sides, CallKind::Sides)
                | (Self::Question, CallKind::Question)
                | (Self::Response, CallKind::Response)
                | (Self::Synthesis, CallKind::Synthesis)
                | (Self::Followup, CallKind::Followup)
        )
    }
}

impl Panel for ScriptPanel {
    fn ask(&self, call: Call<'_>) -> Answering {
        let outcome = self.outcome(&call.brief.call);
        let delay = self.line(&call.brief.call).and_then(|line| line.delay_ms).unwrap_or(self.script.default.delay_ms);
        Box::pin(async move {
            if delay > 0 {
                tokio::time::sleep(Duration::from_millis(delay)).await;
            }
            outcome
        })
    }

    fn plan(&self, call: PlanCall<'_>) -> Option<Answering> {
        let plans = self.script.replies.iter().any(|line| line.kind == Some(Kind::Plan));
        let outcome = match self.plan_line(call.attempt) {
            _ if !plans => return None,
            Some(line) => line.outcome(),
            None => Err(Fault::new(FaultKind::Absent, format!("the script has no plan for attempt {}", call.attempt))),
        };
        Some(Box::pin(std::future::ready(outcome)))
    }

    fn aside(&self, call: AsideCall<'_>) -> Answering {
        let asides = || self.script.replies.iter().filter(|line| line.kind == Some(Kind::Aside));
        let own = asides().find(|line| line.seat.as_deref() == Some(call.seat));
        let outcome = match own.or_else(|| asides().find(|line| line.seat.is_none())) {
            Some(line) => line.outcome(),
            None => {
                Err(Fault::new(FaultKind::Absent, format!("the script has no reply of kind `aside` for {}", call.seat)))
            }
        };
        Box::pin(std::future::ready(outcome))
    }

    fn kind(&self) -> PanelKind {
        PanelKind::Script
    }

    fn note(&self) -> String {
        "No language model takes part: the replies come from a script.".to_owned()
    }

    fn seat_model(&self, seat: &str) -> (String, String) {
        let model = self.script.models.get(seat).cloned().unwrap_or_else(|| "script".to_owned());
        let family = model.split(':').next().unwrap_or(&model).to_owned();
        (model, family)
    }
}
