//! What a process used: processor time, wall time, memory. Given two looks at it; hands on the difference, as a line
//! that another process reads. Deliberately absent: what was done meanwhile.

use std::fmt;
use std::sync::Barrier;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// What a run used.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    pub wall_s: f64,
    pub cpu_s: f64,
    /// The most memory of the process during the run, less what it had before.
    pub grown_kb: f64,
}

/// The beginning of a run.
pub struct Began {
    at: Instant,
    cpu_s: f64,
    resident_kb: f64,
}

impl Began {
    pub fn now() -> Self {
        Self { at: Instant::now(), cpu_s: cpu_s(), resident_kb: kilobytes("VmRSS:") }
    }

    pub fn ended(self) -> Figures {
        Figures {
            wall_s: self.at.elapsed().as_secs_f64(),
            cpu_s: cpu_s() - self.cpu_s,
            grown_kb: kilobytes("VmHWM:") - self.resident_kb,
        }
    }
}

impl Figures {
    pub fn print(&self) {
        println!("{} {} {}", self.wall_s, self.cpu_s, self.grown_kb);
    }

    pub fn read(line: &str) -> Self {
        let mut numbers = line.split_whitespace().map(|number| number.parse::<f64>().unwrap());
        let mut next = || numbers.next().unwrap();
        Self { wall_s: next(), cpu_s: next(), grown_kb: next() }
    }
}

/// Where a thread says that it is warm, and waits until all are.
pub struct Start(Barrier);

impl Start {
    pub fn wait(&self) {
        // Once to be warm, once to begin: between the two the first figures are taken.
        self.0.wait();
        self.0.wait();
    }
}

/// Runs `part` on so many threads and measures all of them together, from where the last one is warm.
pub fn measured(threads: u64, part: impl Fn(u64, &Start) + Sync) -> Figures {
    let start = Start(Barrier::new(threads as usize + 1));
    std::thread::scope(|scope| {
        let (part, start) = (&part, &start);
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread, start))).collect();
        start.0.wait();
        let began = Began::now();
        start.0.wait();
        running.into_iter().for_each(|thread| thread.join().unwrap());
        began.ended()
    })
}

fn cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn kilobytes(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Least, median and most of a figure.
pub struct Spread([f64; 3]);

pub fn spread(figures: impl Iterator<Item = f64>) -> Spread {
    let mut all: Vec<f64> = figures.collect();
    all.sort_by(f64::total_cmp);
    Spread([all[0], all[all.len() / 2], all[all.len() - 1]])
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, median, most] = self.0;
        let digits = if most < 20.0 { 3 } else { 0 };
        write!(f, "{least:.digits$}/{median:.digits$}/{most:.digits$}")
    }
}
