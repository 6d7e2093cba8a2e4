//! Plans on disk: `.s2s/plans/PLAN-001.yaml`, and beside it the calls that made it.
//! Given a project's `.s2s`; hands on plans, writes them whole or not at all, one process at a time. Deliberately
//! absent: what a plan says, and the document.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use s2s_catalog::Problem;
use s2s_yaml::Flaw;
use serde::Serialize;
use serde_json::Value;

use super::task::{Plan, PlanId, PlanStatus, TaskId};
use crate::failure::Failure;

/// A larger file is no plan.
const MAX_BYTES: u64 = 16 << 20;

/// The plans of a project.
#[derive(Debug, Clone)]
pub struct Plans {
    folder: PathBuf,
    lock: PathBuf,
}

/// A plan that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnreadPlan {
    /// Its file, below the project.
    pub file: String,
    /// Why not.
    pub why: String,
    /// What to do.
    pub next: String,
}

/// A plan's file by its id, and what came of reading it.
type Named = (PlanId, Result<Plan, Failure>);

/// While it lives, no other process changes plans.
#[derive(Debug)]
pub struct PlansLock {
    _file: File,
}

impl Plans {
    /// The plans below a project's `.s2s`.
    pub fn new(dir: &Path) -> Self {
        Self { folder: dir.join("plans"), lock: dir.join(".s2s-plans.lock") }
    }

    /// Takes the plans for this process alone.
    ///
    /// # Errors
    /// If another process has them, or the lock cannot be made.
    pub fn lock(&self) -> Result<PlansLock, Failure> {
        let file = File::options().create(true).append(true).open(&self.lock);
        let file = file.map_err(|error| trouble("lock", &self.lock, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(PlansLock { _file: file }),
            Err(fs::TryLockError::WouldBlock) => {
                Err(Failure::failed("another `s2s plan` changes the plans right now").next("wait for it, or stop it"))
            }
            Err(fs::TryLockError::Error(error)) => Err(trouble("lock", &self.lock, &error)),
        }
    }

    /// Every plan, by id.
    ///
    /// # Errors
    /// If one cannot be read: its tasks have numbers that must not be given again.
    pub fn all(&self) -> Result<Vec<Plan>, Failure> {
        self.each()?.into_iter().map(|(_, plan)| plan).collect()
    }

    /// The plans that can be read, by id, and those that cannot: for whoever only looks.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn readable(&self) -> Result<(Vec<Plan>, Vec<UnreadPlan>), Failure> {
        let (mut plans, mut unread) = (Vec::new(), Vec::new());
        for (id, plan) in self.each()? {
            match plan {
                Ok(plan) => plans.push(plan),
                Err(Failure { what, next, problems, .. }) => {
                    let file = shown(&self.path(id));
                    let why = match problems.first() {
                        Some(Problem { line, column, what, .. }) if *line > 0 => {
                            format!("line {line}, column {column}: {what}")
                        }
                        Some(problem) => problem.what.clone(),
                        None => what.strip_prefix(&format!("{file}: ")).unwrap_or(&what).to_owned(),
                    };
                    unread.push(UnreadPlan { file, why, next: next.unwrap_or_default() });
                }
            }
        }
        Ok((plans, unread))
    }

    fn each(&self) -> Result<Vec<Named>, Failure> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(trouble("read", &self.folder, &error)),
        };
        let mut plans = Vec::new();
        for entry in entries {
            let name = entry.map_err(|error| trouble("read", &self.folder, &error))?.file_name();
            let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".yaml")?.parse::<PlanId>().ok()) else {
                continue;
            };
            plans.push((id, self.read(&self.folder.join(&name), id)));
        }
        plans.sort_by_key(|(id, _)| *id);
        Ok(plans)
    }

    fn read(&self, path: &Path, id: PlanId) -> Result<Plan, Failure> {
        let mut text = String::new();
        let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text));
        read.map_err(|error| trouble("read", path, &error))?;
        let mend = "mend it there; a copy under version control may help";
        let plan: Plan = s2s_yaml::from_str(&text).map_err(|flaw| {
            let Flaw { line, column, what } = flaw;
            let problem = Problem { line, column, ..Problem::of_file(path.display().to_string(), what) };
            Failure::in_files(vec![problem]).next(mend)
        })?;
        if plan.id != id {
            let what = format!("{} holds the plan {}", shown(path), plan.id);
            return Err(Failure::bad_input(what).next("name the file as the plan is called"));
        }
        Ok(plan)
    }

    /// Puts a plan on disk: whoever reads sees the old or the new one.
    ///
    /// # Errors
    /// If it cannot be written; the old one stays.
    pub fn write(&self, plan: &Plan, _alone: &PlansLock) -> Result<(), Failure> {
        let path = self.path(plan.id);
        let text = s2s_yaml::to_string(plan).map_err(|flaw| Failure::failed(format!("{}: {flaw}", shown(&path))))?;
        let written = || {
            fs::create_dir_all(&self.folder)?;
            let mut temp = tempfile::Builder::new().prefix(".s2s-").tempfile_in(&self.folder)?;
            temp.write_all(text.as_bytes())?;
            temp.as_file().sync_all()?;
            temp.persist(&path).map_err(|error| error.error)?;
            if cfg!(unix) { File::open(&self.folder)?.sync_all() } else { Ok(()) }
        };
        written().map_err(|error: io::Error| trouble("write", &path, &error))
    }

    /// Keeps a call as evidence, on the disk before anything is done with it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_call(&self, plan: PlanId, line: &Value) -> Result<(), Failure> {
        let folder = self.folder.join(plan.to_string());
        let path = folder.join("calls.jsonl");
        let kept = || {
            fs::create_dir_all(&folder)?;
            let mut options = File::options();
            options.create(true).append(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(&path)?;
            file.write_all(format!("{line}\n").as_bytes())?;
            file.sync_all()
        };
        kept().map_err(|error: io::Error| trouble("write", &path, &error))
    }

    fn path(&self, id: PlanId) -> PathBuf {
        self.folder.join(format!("{id}.yaml"))
    }
}

/// The plan that is worked on.
pub fn current(plans: &[Plan]) -> Option<&Plan> {
    plans.iter().rfind(|plan| plan.status == PlanStatus::Open)
}

/// The highest number of a task in the project.
pub fn last_task(plans: &[Plan]) -> u32 {
    let mentioned = |plan: &Plan| {
        let tasks = plan.tasks.iter().map(|task| task.id);
        tasks.chain(plan.history.iter().filter_map(|one| one.task)).max()
    };
    plans.iter().filter_map(mentioned).max().unwrap_or(TaskId(0)).0
}

fn shown(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(".s2s/plans/{name}")
}

fn trouble(doing: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::failed(format!("cannot {doing} {}: {error}", path.display())).next("mend the cause and run it again")
}
