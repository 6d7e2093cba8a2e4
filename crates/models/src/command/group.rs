//! A child process with everything it starts, as one thing that can be ended.
//! Is given a command ready to start; hands on its pipes and the news of its end. Whatever happens to the
//! caller, the whole process group is killed and the child is reaped. Deliberately absent: what the pipes carry.
//!
//! The child leads its own process group. A thread waits for it without reaping it, so that its number (which is
//! also the group's) cannot be given to a stranger while we may still signal it; it reaps when the group is let go.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::oneshot;

use crate::children::ChildGroup;

/// How long a child may take to end by itself once it was asked to.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// A running child and its process group.
pub(super) struct Group {
    children: ChildGroup,
    ended: Option<oneshot::Receiver<ExitStatus>>,
    status: Option<ExitStatus>,
    /// Dropped last, when nobody will signal the group any more; the thread reaps then.
    _held: mpsc::Sender<()>,
}

/// The ends of the child's pipes that are ours.
pub(super) struct Pipes {
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

impl Group {
    /// Starts the command as the leader of a new process group.
    pub fn start(mut command: Command) -> io::Result<(Self, Pipes)> {
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let id = Pid::from_child(&child);
        let (tell, ended) = oneshot::channel();
        let (held, let_go) = mpsc::channel();
        reap_on_a_thread(child, id, tell, let_go)?;
        // From here on a failure drops the group, which kills it, and the thread reaps.
        let group = Self { children: ChildGroup::led_by(id), ended: Some(ended), status: None, _held: held };
        let missing = || io::Error::other("a pipe to the child is missing");
        let pipes = Pipes {
            stdin: ChildStdin::from_std(stdin.ok_or_else(missing)?)?,
            stdout: ChildStdout::from_std(stdout.ok_or_else(missing)?)?,
            stderr: ChildStderr::from_std(stderr.ok_or_else(missing)?)?,
        };
        Ok((group, pipes))
    }

    /// Waits until the child has exited, and says how. May be called again, and dropped half way.
    pub async fn exited(&mut self) -> ExitStatus {
        if let Some(status) = self.status {
            return status;
        }
        let status = match self.ended.as_mut() {
            // The thread always tells; were it gone, the child is as good as killed.
            Some(ended) => ended.await.unwrap_or_else(|_| ExitStatus::from_raw(9)),
            None => ExitStatus::from_raw(9),
        };
        self.ended = None;
        self.status = Some(status);
        status
    }

    /// Asks the group to end, gives it its grace, then kills what is left of it.
    pub async fn end(mut self) {
        self.children.signal(Signal::TERM);
        let in_time = tokio::time::timeout(GRACE, self.exited()).await;
        self.children.signal(Signal::KILL);
        if in_time.is_err() {
            self.exited().await;
        }
    }
}

fn reap_on_a_thread(
    child: Child,
    id: Pid,
    tell: oneshot::Sender<ExitStatus>,
    let_go: mpsc::Receiver<()>,
) -> io::Result<()> {
    // The child is handed over through a channel, so that it is still here if no thread can be had.
    let (give, take) = mpsc::channel::<Child>();
    let thread = std::thread::Builder::new().name("s2s-reaper".to_owned()).stack_size(64 * 1024);
    let started = thread.spawn(move || {
        let Ok(mut child) = take.recv() else { return };
        let _ = tell.send(wait_without_reaping(id));
        // Ends with an error when the group is dropped: nobody signals it after that.
        let _ = let_go.recv();
        let _ = child.wait();
    });
    let (error, mut child) = match started {
        Ok(_) => match give.send(child) {
            Ok(()) => return Ok(()),
            Err(back) => (io::Error::other("the thread that reaps the child is gone"), back.0),
        },
        Err(error) => (error, child),
    };
    let _ = kill_process_group(id, Signal::KILL);
    let _ = child.wait();
    Err(error)
}

fn wait_without_reaping(id: Pid) -> ExitStatus {
    loop {
        match waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
            Ok(Some(status)) => {
                let code = status.exit_status().map(|code| (code & 0xff) << 8);
                return ExitStatus::from_raw(code.or(status.terminating_signal()).unwrap_or(9));
            }
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return ExitStatus::from_raw(9),
        }
    }
}
