//! A real terminal: tmux on a server of its own, in which the binary runs and whose screen is read.
//! Nothing is timed: a test waits for what it wants to see. None where there is no tmux.

use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::harness::{Folder, skipped};

/// How long a screen may take on a machine that is busy with other tests.
const LONGEST: Duration = Duration::from_secs(120);

/// A terminal with something running in it; it ends with the test.
pub struct Terminal {
    socket: String,
}

impl Terminal {
    /// A terminal of this size in which the binary runs with these arguments and variables, then `ENDED CODE` stands.
    pub fn running(
        folder: &Folder,
        (columns, rows): (usize, usize),
        args: &[&str],
        variables: &[(&str, String)],
    ) -> Option<Self> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let socket = format!("s2s-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        let words: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
        let set: Vec<String> = variables.iter().map(|(name, value)| format!("{name}={}", quoted(value))).collect();
        let binary = quoted(env!("CARGO_BIN_EXE_s2s"));
        let line = format!(
            "trap : INT; env {} {binary} {}; echo \"ENDED $?\"; cat >/dev/null",
            set.join(" "),
            words.join(" ")
        );
        let terminal = Self { socket };
        let mut command = Command::new("tmux");
        command.args(["-L", &terminal.socket, "-f", "/dev/null", "new-session", "-d"]);
        command.args(["-x", &columns.to_string(), "-y", &rows.to_string(), &line]);
        folder.settle(&mut command);
        command.env("TERM", "xterm-256color").env("SHELL", "/bin/sh").env_remove("TMUX");
        command.env("LC_ALL", "C.UTF-8");
        match command.output() {
            Ok(output) if output.status.success() => Some(terminal),
            Ok(output) => panic!("tmux: {}", String::from_utf8_lossy(&output.stderr)),
            Err(error) => {
                skipped(&format!("`tmux` cannot be run here: {error}"));
                None
            }
        }
    }

    fn tmux(&self, args: &[&str]) -> Output {
        Command::new("tmux").args(["-L", &self.socket]).args(args).env_remove("TMUX").output().unwrap()
    }

    fn captured(&self, more: &[&str]) -> String {
        let args = [&["capture-pane", "-p"], more].concat();
        let text = String::from_utf8_lossy(&self.tmux(&args).stdout).into_owned();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// What the screen shows.
    pub fn screen(&self) -> String {
        self.captured(&[])
    }

    /// The same with its colours.
    pub fn in_color(&self) -> String {
        self.captured(&["-e"])
    }

    /// All that was printed, from the first line on, each as it was before the terminal broke it.
    pub fn scrollback(&self) -> String {
        self.captured(&["-S", "-", "-J"])
    }

    /// Waits until the screen shows all of this; gives the screen.
    #[track_caller]
    pub fn until(&self, parts: &[&str]) -> String {
        self.until_it(|screen| parts.iter().all(|part| screen.contains(part)), &format!("{parts:?}"))
    }

    /// Waits for a screen that is as wanted.
    #[track_caller]
    pub fn until_it(&self, wanted: impl Fn(&str) -> bool, what: &str) -> String {
        let began = Instant::now();
        loop {
            let screen = self.screen();
            if wanted(&screen) {
                return screen;
            }
            assert!(began.elapsed() < LONGEST, "never shown: {what}\n{screen}");
        }
    }

    /// Types keys by tmux's names for them.
    pub fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    pub fn resize(&self, columns: usize, rows: usize) {
        self.tmux(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    /// Whether the cursor can be seen.
    pub fn has_cursor(&self) -> bool {
        let shown = self.tmux(&["display-message", "-p", "#{cursor_flag}"]);
        String::from_utf8_lossy(&shown.stdout).trim() == "1"
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
