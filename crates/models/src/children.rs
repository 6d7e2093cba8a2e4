//! The process groups that this process has started and not yet ended, so that none outlives it.
//! Is given the leader of a group; ends the group when it is let go, or all of them when the process must leave at
//! once and nothing is dropped any more. Deliberately absent: starting and reaping. Whoever holds a group reaps its
//! leader only after letting go, so that no number in this list can be a stranger's.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

static RUNNING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// A process group that is killed when this is dropped.
#[derive(Debug)]
pub struct ChildGroup(Pid);

impl ChildGroup {
    /// Takes over the group that this child leads. The child must not be reaped before this is dropped.
    pub fn led_by(leader: Pid) -> Self {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).insert(leader.as_raw_nonzero().get());
        Self(leader)
    }

    /// The group by the number of its leader.
    pub fn leader(&self) -> Pid {
        self.0
    }

    /// Sends a signal to everybody in it.
    pub fn signal(&self, signal: Signal) {
        // Nobody left to signal is what we want.
        let _ = kill_process_group(self.0, signal);
    }
}

impl Drop for ChildGroup {
    /// Whoever gives up on a group has no time for grace: our own process may end next.
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0.as_raw_nonzero().get());
    }
}

/// Kills every group that still runs: the last thing before a process leaves at once.
pub fn end_all_children() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for leader in running.iter().filter_map(|leader| Pid::from_raw(*leader)) {
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Command;

    use super::*;

    fn sleeper() -> (std::process::Child, ChildGroup) {
        let child = Command::new("sleep").arg("1000").process_group(0).spawn().unwrap();
        let group = ChildGroup::led_by(Pid::from_child(&child));
        (child, group)
    }

    /// The only test of this binary that starts processes: the call is for all of them.
    #[test]
    fn a_group_ends_when_it_is_let_go_and_all_end_when_the_process_leaves() {
        let (mut one, group) = sleeper();
        drop(group);
        assert_eq!(one.wait().unwrap().signal(), Some(9));
        let (mut two, group) = sleeper();
        end_all_children();
        assert_eq!(two.wait().unwrap().signal(), Some(9), "though nothing was dropped");
        std::mem::forget(group);
    }
}
