//! A plan from a YAML text: what people write for `s2s dev mock-server --script`.
//! Given the text; hands on a [`Plan`], or what is wrong and where. The format is in docs/mock-server.md.
//! Deliberately absent: files.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;

use crate::act::Act;
use crate::plan::{Plan, Rule, When};
use crate::routes::Format;

/// A script that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    /// The line, from 1; 0 where there is none to point at.
    pub line: u32,
    /// The column, from 1, in characters; 0 where there is none to point at.
    pub column: u32,
    /// What is wrong there.
    pub what: String,
}

impl std::error::Error for ScriptError {}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        write!(f, "{}; the format is in docs/mock-server.md", self.what)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Script {
    latency_ms: u64,
    pace_ms: u64,
    piece_bytes: Option<usize>,
    without_keys: bool,
    say: Vec<String>,
    rules: Vec<Line>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Line {
    call: Option<u64>,
    calls: Option<(u64, u64)>,
    format: Option<Format>,
    model: Option<String>,
    prompt: Option<String>,
    share: Option<f64>,
    seed: Option<u64>,
    times: Option<u64>,
    act: Option<Act>,
    acts: Vec<Act>,
    say: Option<String>,
}

impl Plan {
    /// A plan from a script.
    ///
    /// # Errors
    /// Where the text is no YAML, has a key or an act that is not known, or a rule that does nothing.
    pub fn from_yaml(text: &str) -> Result<Self, ScriptError> {
        let script: Option<Script> = s2s_yaml::from_str(text).map_err(|flaw| {
            let s2s_yaml::Flaw { line, column, what } = flaw;
            ScriptError { line, column, what }
        })?;
        let script = script.unwrap_or_default();
        let mut plan =
            Self::calm().latency(Duration::from_millis(script.latency_ms)).pace(Duration::from_millis(script.pace_ms));
        if let Some(bytes) = script.piece_bytes {
            plan = plan.piece_bytes(bytes);
        }
        plan.keyless = script.without_keys;
        plan.say = script.say;
        for (index, line) in script.rules.into_iter().enumerate() {
            let rule = line.rule().map_err(|(key, what)| {
                let (line, column) = place_of(text, index, key);
                ScriptError { line, column, what: format!("rule {}: {what}", index + 1) }
            })?;
            plan.rules.push(rule);
        }
        Ok(plan)
    }
}

/// Where a key of a rule stands, else the rule itself.
fn place_of(text: &str, index: usize, key: &str) -> (u32, u32) {
    let root = s2s_yaml::node::read(text).ok();
    let rules = root.as_ref().and_then(|root| root.fields().ok()?.get("rules")?.items().ok());
    let Some(rule) = rules.and_then(|rules| rules.get(index)) else { return (0, 0) };
    let named = rule.fields().ok().and_then(|fields| fields.entries().iter().find(|entry| entry.key == key));
    named.map_or((rule.line, rule.column), |entry| (entry.line, entry.column))
}

impl Line {
    /// The rule; else the key that is wrong (empty = the whole rule) and why.
    fn rule(self) -> Result<Rule, (&'static str, &'static str)> {
        let mut acts = self.acts;
        acts.extend(self.act);
        acts.extend(self.say.map(Act::Say));
        if acts.is_empty() {
            return Err(("", "it does nothing; give it `act`, `acts` or `say`"));
        }
        if self.call.is_some() && self.calls.is_some() {
            return Err(("calls", "it has both `call` and `calls`; keep one"));
        }
        if self.share.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
            return Err(("share", "`share` is from 0 to 1"));
        }
        if acts.iter().any(|act| matches!(act, Act::Status(status) if !(400..=599).contains(status))) {
            return Err(("act", "`status` is from 400 to 599"));
        }
        let calls = self.call.map(|call| call..=call).or(self.calls.map(|(first, last)| first..=last));
        let when = When {
            calls,
            format: self.format,
            model: self.model,
            prompt: self.prompt,
            share: self.share.map(|share| (share, self.seed.unwrap_or(0))),
        };
        Ok(Rule { when, acts, times: self.times })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::{Wait, WrongUsage};

    #[test]
    fn every_key_is_understood() {
        let plan = Plan::from_yaml(
            "latency_ms: 20\npace_ms: 1\npiece_bytes: 8\nwithout_keys: true\nsay: [one, two]\nrules:\n\
             - {call: 3, act: {status: 503}}\n\
             - {calls: [1, 5], model: large, act: {rate_limit: {seconds: 2}}, times: 2}\n\
             - {prompt: \"# QA\", format: openai, act: hang}\n\
             - {share: 0.2, seed: 7, acts: [reset, {wrong_usage: texts}, {rate_limit: unsaid}]}\n\
             - {prompt: \"Sum up\", say: \"no more\"}\n\
             - {act: {drip: {every_ms: 1000}}}\n",
        )
        .unwrap();
        assert_eq!(plan.latency, Duration::from_millis(20));
        assert_eq!(plan.say, ["one", "two"]);
        assert!(plan.keyless);
        let acts: Vec<&Act> = plan.rules.iter().map(|rule| &rule.acts[0]).collect();
        assert_eq!(acts[0], &Act::Status(503));
        assert_eq!(acts[1], &Act::RateLimit(Wait::Seconds(2)));
        assert_eq!(acts[2], &Act::Hang);
        assert_eq!(plan.rules[2].when.format, Some(Format::OpenAi));
        assert_eq!(plan.rules[3].acts[1], Act::WrongUsage(WrongUsage::Texts));
        assert_eq!(plan.rules[3].acts[2], Act::RateLimit(Wait::Unsaid));
        assert_eq!(acts[4], &Act::Say("no more".to_owned()));
        assert_eq!(acts[5], &Act::Drip { every_ms: 1000 });
    }

    #[test]
    fn an_empty_script_is_calm() {
        assert!(Plan::from_yaml("").unwrap().rules.is_empty());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let wrong = |text: &str| Plan::from_yaml(text).unwrap_err().to_string();
        assert!(wrong("rules:\n- {call: 1}\n").starts_with("line 2, column 3: rule 1: it does nothing"));
        assert!(
            wrong("rules:\n- {call: 1, act: dance}\n").contains("line 2"),
            "{}",
            wrong("rules:\n- {call: 1, act: dance}\n")
        );
        assert!(wrong("speed: 3\n").contains("speed"));
        assert!(
            wrong("rules:\n- {act: hang, share: 2}\n").starts_with("line 2, column 15: rule 1: `share` is from 0 to 1")
        );
        assert!(wrong("rules:\n- {act: {status: 200}}\n").contains("from 400 to 599"));
    }
}
