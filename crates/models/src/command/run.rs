//! One run of a command: prompt in, output out, all at the same time, within caps and patience.
//! Is given a command ready to start and an ear for its output; hands on how it ended. Deliberately absent: what
//! the output means.

use std::io;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep_until};

use super::group::{Group, Pipes};
use crate::Patience;

/// How long pipes may stay open after the child has exited: something it started holds them.
const AFTER_EXIT: Duration = Duration::from_secs(1);
/// How much of the end of stderr is kept.
const STDERR_KEPT: usize = 8 * 1024;
/// How much is read at once.
const CHUNK: usize = 64 * 1024;

/// What the ear made of a piece of output.
pub(super) enum Sign {
    /// A sign of life: silence counts from here.
    Life,
    /// Nothing of the reply.
    None,
    /// More than we take.
    TooMuch,
}

/// Takes the output as it comes.
pub(super) trait Ear: Send {
    /// Takes a piece of stdout.
    fn hear(&mut self, piece: &[u8]) -> Sign;
    /// Whether silence counts now: some commands say nothing until they are done.
    fn expects_more(&self) -> bool;
}

/// How a run ended.
pub(super) struct Ended {
    pub how: How,
    /// The end of what it wrote to stderr.
    pub stderr: String,
}

/// The ways a run ends.
pub(super) enum How {
    /// By itself.
    Exited(ExitStatus),
    /// Not in time; it was killed.
    TimedOut,
    /// It fell silent; it was killed.
    Silent,
    /// It wrote more than we take; it was killed.
    TooMuch,
}

/// Runs the command to its end. Dropping the future kills it with everything it started.
pub(super) async fn run(command: Command, prompt: &[u8], patience: Patience, ear: &mut dyn Ear) -> io::Result<Ended> {
    let started = Instant::now();
    let (mut group, pipes) = Group::start(command)?;
    let mut stderr = Vec::new();
    let how = watch(&mut group, pipes, prompt, started, patience, ear, &mut stderr).await;
    match how {
        // Dropping it kills whatever the child has left behind.
        How::Exited(_) => drop(group),
        _ => group.end().await,
    }
    Ok(Ended { how, stderr: whole_words(&stderr) })
}

async fn watch(
    group: &mut Group,
    pipes: Pipes,
    prompt: &[u8],
    started: Instant,
    patience: Patience,
    ear: &mut dyn Ear,
    stderr: &mut Vec<u8>,
) -> How {
    let Pipes { stdin, stdout: mut out, stderr: mut err } = pipes;
    let mut writing = std::pin::pin!(write(stdin, prompt));
    let (mut written, mut out_open, mut err_open) = (false, true, true);
    let (mut out_chunk, mut err_chunk) = (vec![0; CHUNK], vec![0; CHUNK]);
    let deadline = started + patience.deadline;
    let mut last_life = started;
    let mut exit: Option<(ExitStatus, Instant)> = None;
    loop {
        if let (Some((status, _)), false, false) = (exit, out_open, err_open) {
            return How::Exited(status);
        }
        let silent_at = last_life + patience.idle;
        // Biased: what has been written counts before any clock does.
        tokio::select! {
            biased;
            read = out.read(&mut out_chunk), if out_open => match read {
                Ok(0) | Err(_) => out_open = false,
                Ok(n) => match ear.hear(&out_chunk[..n]) {
                    Sign::Life => last_life = Instant::now(),
                    Sign::None => {}
                    Sign::TooMuch => return How::TooMuch,
                },
            },
            read = err.read(&mut err_chunk), if err_open => match read {
                Ok(0) | Err(_) => err_open = false,
                Ok(n) => keep_end(stderr, &err_chunk[..n]),
            },
            () = &mut writing, if !written => written = true,
            status = group.exited(), if exit.is_none() => exit = Some((status, Instant::now() + AFTER_EXIT)),
            () = until(exit.map(|(_, patience_ends)| patience_ends)), if exit.is_some() => {
                return exit.map_or(How::TimedOut, |(status, _)| How::Exited(status));
            }
            () = sleep_until(deadline) => return How::TimedOut,
            () = sleep_until(silent_at), if exit.is_none() && ear.expects_more() => return How::Silent,
        }
        // Output that never stops is always ready, so the clocks are also looked at here.
        let now = Instant::now();
        if now >= deadline {
            return How::TimedOut;
        }
        if let Some((status, patience_ends)) = exit
            && now >= patience_ends
        {
            return How::Exited(status);
        }
    }
}

async fn until(when: Option<Instant>) {
    if let Some(when) = when {
        sleep_until(when).await;
    }
}

/// Writes the prompt and closes the pipe. A command that does not read it all may still answer, so a broken pipe is
/// no error here; one that cannot answer says so by its output or its exit code.
async fn write(mut stdin: tokio::process::ChildStdin, prompt: &[u8]) {
    let _ = stdin.write_all(prompt).await;
    let _ = stdin.shutdown().await;
    drop(stdin);
}

fn keep_end(kept: &mut Vec<u8>, piece: &[u8]) {
    kept.extend_from_slice(&piece[piece.len().saturating_sub(STDERR_KEPT)..]);
    let surplus = kept.len().saturating_sub(STDERR_KEPT);
    kept.drain(..surplus);
}

/// The kept end of stderr as text, from its first whole word on: half a secret would not be known as one.
fn whole_words(kept: &[u8]) -> String {
    let text = String::from_utf8_lossy(kept);
    match kept.len() < STDERR_KEPT {
        true => text.into_owned(),
        false => text.split_once(char::is_whitespace).map(|(_, rest)| rest.to_owned()).unwrap_or_default(),
    }
}
