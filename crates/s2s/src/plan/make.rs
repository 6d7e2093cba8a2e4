//! Makes or renews a plan: prepares the prompt, asks the facilitator's model or the rules, merges, keeps.
//! Given the project and a panel; hands on the plan and what changed. The prompt and each reply are on disk before they
//! are used; a draft with flaws is asked for once more, then the flawed parts are left out and told. Deliberately
//! absent: the document, and whether the prompt may be sent (the caller looks for secrets in it).

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use s2s_catalog::{Catalog, Template};
use s2s_engine::artifact::{Artifact, ArtifactId, ArtifactKind};
use s2s_engine::opening::FACILITATOR;
use s2s_models::money::{Amount, Purse};
use s2s_models::{Fault, FaultKind, Prompt, Reply, Try};
use s2s_store::Sessions;
use serde::Serialize;
use serde_json::{Value, json};

use super::by_rule;
use super::check::{Finding, check_plan, is_newer, unserved};
use super::draft::{DraftTask, Resolved, read_reply, resolve};
use super::merge::{Changes, merge};
use super::rule::BY_RULE;
use super::store::{Plans, PlansLock, current, last_task};
use super::task::{Happening, MADE, Plan, PlanId, PlanStatus, RENEWED, TaskStatus};
use crate::failure::{Failure, FailureKind};
use crate::panel::{Panel, PlanCall};
use crate::register::ProjectRegister;
use crate::roundtable::{Budgets, Clock, Ledger};

/// What a plan is made from.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The project's `.s2s`.
    pub dir: &'a Path,
    /// Its sessions.
    pub sessions: &'a Sessions,
    /// Where the prompt and the facilitator's role are.
    pub catalog: &'a Catalog,
    /// What is known of the project.
    pub context: &'a str,
    /// The titles of its decision records.
    pub decisions: &'a [String],
    /// Whether a new plan is made, in place of the one that is open.
    pub new: bool,
}

/// All that is needed to plan; no other process changes plans meanwhile.
pub struct Prepared {
    plans: Plans,
    alone: PlansLock,
    others: Vec<Plan>,
    plan: Plan,
    is_new: bool,
    register: ProjectRegister,
    template: Template,
    system: Arc<str>,
    context: String,
    decisions: Vec<String>,
}

/// A plan that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The plan.
    pub plan: Plan,
    /// Whether it is a new one.
    pub is_new: bool,
    /// What became of its tasks.
    pub changes: Changes,
    /// What was left out or repaired.
    pub doubts: Vec<String>,
    /// What is still wrong with it.
    pub findings: Vec<Finding>,
}

/// What the prompt is made of.
#[derive(Serialize)]
struct Values<'a> {
    context: &'a str,
    artifacts: Vec<Given<'a>>,
    decisions: &'a [String],
    tasks: Vec<&'a super::task::Task>,
    flaws: &'a [String],
}

/// An artifact in the prompt: every field is there, so that a template can ask for it.
#[derive(Serialize)]
struct Given<'a> {
    id: ArtifactId,
    title: &'a str,
    text: &'a str,
    priority: Option<&'static str>,
    serves: &'a [ArtifactId],
    uses: &'a [ArtifactId],
    between: &'a [String],
}

impl<'a> Given<'a> {
    fn of(artifact: &'a Artifact) -> Self {
        Self {
            id: artifact.id,
            title: &artifact.title,
            text: &artifact.text,
            priority: artifact.details.priority.map(|priority| priority.as_str()),
            serves: &artifact.serves,
            uses: &artifact.uses,
            between: &artifact.details.between,
        }
    }
}

/// Reads the project and takes its plans for this process.
///
/// # Errors
/// If there is nothing to plan from, a session, a plan or the catalog cannot be read, or another process plans.
pub fn prepare(request: Request<'_>) -> Result<Prepared, Failure> {
    let register = ProjectRegister::read(request.sessions)?;
    // The tasks of a session that cannot be read would be dropped.
    register.refuse_gaps()?;
    if !register.live().any(|entry| is_planned_from(entry.id().kind)) {
        return Err(Failure::bad_input("there is nothing to plan from: the project has no requirements yet")
            .next("hold `s2s specs` first, then `s2s design`"));
    }
    let plans = Plans::new(request.dir);
    let alone = plans.lock()?;
    let mut others = plans.all()?;
    let open = current(&others).filter(|_| !request.new).map(|plan| plan.id);
    let next = PlanId(others.iter().map(|plan| plan.id.0).max().unwrap_or_default() + 1);
    let kept = open.and_then(|id| others.iter().position(|plan| plan.id == id)).map(|at| others.remove(at));
    let is_new = kept.is_none();
    let fresh = || Plan {
        id: next,
        status: PlanStatus::Open,
        made_at: Timestamp::UNIX_EPOCH,
        by: String::new(),
        tasks: Vec::new(),
        history: Vec::new(),
        rest: std::collections::BTreeMap::new(),
    };
    Ok(Prepared {
        plans,
        alone,
        others,
        plan: kept.unwrap_or_else(fresh),
        is_new,
        register,
        template: request.catalog.prompt("plan")?.value,
        system: request.catalog.role(FACILITATOR)?.value.body.trim().into(),
        context: request.context.to_owned(),
        decisions: request.decisions.to_vec(),
    })
}

/// Whether work follows from artifacts of this kind.
fn is_planned_from(kind: ArtifactKind) -> bool {
    use ArtifactKind::{Arch, Br, Comp, Int, Nfr, Req};
    matches!(kind, Req | Br | Nfr | Arch | Comp | Int)
}

impl Prepared {
    /// What a model would be sent.
    ///
    /// # Errors
    /// If the template cannot be filled in.
    pub fn prompt(&self, flaws: &[String]) -> Result<Prompt, Failure> {
        let live = self.register.live().filter(|entry| is_planned_from(entry.id().kind));
        let values = Values {
            context: &self.context,
            artifacts: live.map(|entry| Given::of(entry.artifact())).collect(),
            decisions: &self.decisions,
            tasks: self.plan.counting().collect(),
            flaws,
        };
        Ok(Prompt { system: Arc::clone(&self.system), user: self.template.render(values)? })
    }

    /// The register that is planned from.
    pub fn register(&self) -> &ProjectRegister {
        &self.register
    }

    /// The plan by rule; nothing is written.
    pub fn by_rule(&self, at: Timestamp) -> Made {
        let resolved = resolve(by_rule(&self.register, &self.done_elsewhere()), &self.plan, &self.register);
        self.merged(resolved, BY_RULE, at)
    }

    /// Asks the panel, or the rules where it has no words for plans, and keeps the plan.
    ///
    /// # Errors
    /// If nobody answers in a way that can be read, a budget does not allow it, or a file cannot be written. The plan
    /// that was there stays.
    pub async fn carry_out(self, panel: &dyn Panel, budgets: Budgets, clock: &dyn Clock) -> Result<Made, Failure> {
        let made = match self.drafted(panel, budgets, clock).await? {
            Some(resolved) => self.merged(resolved, &panel.seat_model(FACILITATOR).0, clock.now()),
            None => self.by_rule(clock.now()),
        };
        if made.is_new || !made.changes.is_nothing() || made.plan != self.plan {
            self.plans.write(&made.plan, &self.alone)?;
        }
        if made.is_new {
            for old in self.others.iter().filter(|plan| plan.status == PlanStatus::Open) {
                let mut old = old.clone();
                old.status = PlanStatus::Superseded;
                let what = format!("superseded by {}", made.plan.id);
                old.history.push(Happening { at: clock.now(), what, task: None, note: None, doubts: Vec::new() });
                self.plans.write(&old, &self.alone)?;
            }
        }
        Ok(made)
    }

    /// What done tasks of other plans serve, and was not changed since.
    fn done_elsewhere(&self) -> BTreeSet<ArtifactId> {
        let done = self.others.iter().flat_map(|plan| &plan.tasks).filter(|task| task.status == TaskStatus::Done);
        let stands = |id: &ArtifactId, task| self.register.get(*id).is_some_and(|entry| !is_newer(entry, task));
        done.flat_map(|task| task.serves.iter().filter(move |id| stands(id, task))).copied().collect()
    }

    fn merged(&self, resolved: Resolved, by: &str, at: Timestamp) -> Made {
        let mut plan = self.plan.clone();
        let all = self.others.iter().chain([&self.plan]).cloned().collect::<Vec<_>>();
        let mut changes = merge(&mut plan, &resolved.sketches, &self.register, last_task(&all), at);
        let mut doubts = resolved.doubts;
        doubts.append(&mut changes.doubts);
        if self.is_new {
            (plan.made_at, plan.by) = (at, by.to_owned());
        }
        if self.is_new || !changes.is_nothing() || doubts != plan.doubts() {
            let what = format!("{}{by}", if self.is_new { MADE } else { RENEWED });
            plan.history.push(Happening { at, what, task: None, note: None, doubts: doubts.clone() });
        }
        let findings = check_plan(&plan, &self.register);
        Made { plan, is_new: self.is_new, changes, doubts, findings }
    }

    /// A draft of the facilitator's model, asked for twice at most; none where the panel plans by rule.
    async fn drafted(
        &self,
        panel: &dyn Panel,
        budgets: Budgets,
        clock: &dyn Clock,
    ) -> Result<Option<Resolved>, Failure> {
        let time = budgets.minutes.map(|minutes| Duration::try_from_secs_f64(minutes * 60.0).unwrap_or(Duration::MAX));
        let purse: Arc<dyn Purse> = Arc::new(Ledger::new(budgets, &[]));
        let mut flaws: Vec<String> = Vec::new();
        let mut best: Option<Resolved> = None;
        let mut last: Option<Failure> = None;
        for attempt in 1..=2 {
            let prompt = Arc::new(self.prompt(&flaws)?);
            let call = PlanCall { prompt: &prompt, attempt, purse: &purse, time_left: time };
            let Some(answering) = panel.plan(call) else { return Ok(None) };
            self.asked(panel, attempt, &prompt, clock.now())?;
            let result = match panel.pays() {
                true => answering.await,
                false => paid(answering, &purse).await,
            };
            self.ended(attempt, &result, clock.now())?;
            let reply = match result {
                Ok(reply) => reply,
                Err(fault) => {
                    last = Some(failure(fault));
                    break;
                }
            };
            match read_reply(&reply.text, reply.stop) {
                Ok((draft, mut read)) => {
                    let mut resolved = self.resolved(draft);
                    flaws.clone_from(&resolved.doubts);
                    read.append(&mut resolved.doubts);
                    resolved.doubts = read;
                    if best.as_ref().is_none_or(|best| resolved.doubts.len() <= best.doubts.len()) {
                        best = Some(resolved);
                    }
                }
                Err(refusal) => {
                    last = Some(self.unreadable(&refusal.0));
                    flaws = vec![refusal.0];
                }
            }
            if flaws.is_empty() {
                break;
            }
        }
        match (best, last) {
            (Some(best), _) => Ok(Some(best)),
            (None, Some(failure)) => Err(failure),
            (None, None) => Ok(None),
        }
    }

    /// A draft with its references resolved; a requirement that it forgets is a doubt too.
    fn resolved(&self, draft: Vec<DraftTask>) -> Resolved {
        let mut resolved = resolve(draft, &self.plan, &self.register);
        let served: BTreeSet<ArtifactId> =
            resolved.sketches.iter().flat_map(|sketch| &sketch.serves).copied().collect();
        let all = self.others.iter().chain([&self.plan]).cloned().collect::<Vec<_>>();
        for entry in unserved(&all, &self.register).iter().filter(|entry| !served.contains(&entry.id())) {
            resolved.doubts.push(format!("no task serves {} \"{}\"", entry.id(), entry.artifact().title));
        }
        resolved
    }

    fn unreadable(&self, why: &str) -> Failure {
        let what = format!("the model's plan cannot be read: {why}");
        Failure { kind: FailureKind::NoAnswer, ..Failure::failed(what) }.next(format!(
            "run `s2s plan` again, or with another --model; the replies are in .s2s/plans/{}/calls.jsonl",
            self.plan.id
        ))
    }

    fn asked(&self, panel: &dyn Panel, attempt: u32, prompt: &Prompt, at: Timestamp) -> Result<(), Failure> {
        let line = json!({
            "at": at,
            "call": format!("plan.{attempt}"),
            "asked": panel.seat_model(FACILITATOR).0,
            "prompt": { "system": &*prompt.system, "user": prompt.user },
        });
        self.plans.keep_call(self.plan.id, &line)
    }

    fn ended(&self, attempt: u32, result: &Result<Reply, Fault>, at: Timestamp) -> Result<(), Failure> {
        let call = format!("plan.{attempt}");
        let line = match result {
            Ok(reply) => json!({
                "at": at,
                "call": call,
                "reply": reply.text,
                "stop": reply.stop,
                "by": reply.by.as_ref().map(|by| &by.model),
                "usage": reply.usage,
                "tries": tries(&reply.tries),
            }),
            Err(fault) => {
                let (error, tries) = (fault.to_string(), tries(&fault.tries));
                json!({ "at": at, "call": call, "error": error, "usage": fault.usage, "tries": tries })
            }
        };
        self.plans.keep_call(self.plan.id, &line)
    }
}

/// The tries before the last one, as evidence.
fn tries(tries: &[Try]) -> Vec<Value> {
    tries.iter().map(|one| json!({ "model": one.model, "error": one.error, "usage": one.usage })).collect()
}

/// A call of a panel that does not pay by itself.
async fn paid(answering: crate::panel::Answering, purse: &Arc<dyn Purse>) -> Result<Reply, Fault> {
    let one = Amount { calls: 1, ..Amount::default() };
    purse.reserve(one)?;
    let result = answering.await;
    purse.settle(one, one);
    result
}

fn failure(fault: Fault) -> Failure {
    let kind = match fault.kind {
        FaultKind::Budget => FailureKind::Budget,
        _ => FailureKind::NoAnswer,
    };
    let failure = Failure { kind, ..Failure::failed(format!("no plan was made: {fault}")) };
    match fault.next {
        Some(next) => failure.next(next),
        None => failure.next("nothing was changed; run `s2s plan` again, or with `--panel offline`"),
    }
}
