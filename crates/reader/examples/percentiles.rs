//! How long a reply takes to be read: p50, p99 and the longest of a set, and the worst of the hostile inputs.
//! `cargo run --release -p s2s-reader --example percentiles [FILE] [TIMES]`; FILE has lines `{id, schema, text}`.
#![allow(clippy::print_stdout, reason = "this is a command line")]

#[path = "../benches/inputs/mod.rs"]
mod inputs;

use std::hint::black_box;
use std::time::{Duration, Instant};

use inputs::{HOSTILE, KINDS, Reply};
use s2s_reader::read;

/// How often the whole set is read unless told.
const TIMES: usize = 20;
/// What takes this long is too slow, however often it is tried.
const SLOW: Duration = Duration::from_millis(500);

fn main() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let (file, times) = (words.next(), words.next());
    let times: usize = match times {
        Some(times) => times.parse().map_err(|_| format!("\"{times}\" is not a number of times"))?,
        None => TIMES,
    };
    let lines = match &file {
        Some(file) => std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?,
        None => include_str!("../benches/replies.jsonl").to_owned(),
    };
    let name = file.as_deref().unwrap_or("benches/replies.jsonl");
    let replies = inputs::replies(&lines).map_err(|what| format!("{name}: {what}"))?;
    if replies.is_empty() || times == 0 {
        return Err(format!("{name}: there is nothing to read"));
    }
    set(name, &replies, times);
    hostile();
    memory();
    Ok(())
}

/// The time of every single reading, the first round left out: it warms the caches.
fn set(name: &str, replies: &[Reply], times: usize) {
    let mut spans: Vec<(Duration, &str)> = Vec::with_capacity(replies.len() * times);
    let mut read_at_all = 0;
    for turn in 0..=times {
        for reply in replies {
            let (span, is_read) = timed(|| read(reply.kind, black_box(&reply.text)).is_ok());
            if turn == 0 {
                read_at_all += usize::from(is_read);
            } else {
                spans.push((span, &reply.id));
            }
        }
    }
    spans.sort_unstable();
    let at = |percent: usize| spans[(spans.len() * percent / 100).min(spans.len() - 1)];
    println!("{name}: {} replies, {read_at_all} read, {times} times each", replies.len());
    println!("p50 {:>9.1} µs", micros(at(50).0));
    println!("p99 {:>9.1} µs", micros(at(99).0));
    println!("max {:>9.1} µs  {}", micros(at(100).0), at(100).1);
}

/// Every hostile input as every kind: each gets its best of three, because another process may push in.
fn hostile() {
    let mut spans = Vec::new();
    for name in HOSTILE {
        let text = inputs::hostile(name);
        for kind in KINDS {
            let once = || timed(|| read(kind, black_box(&text)).is_ok()).0;
            let first = once();
            let best = if first < SLOW { first.min(once()).min(once()) } else { first };
            spans.push((best, name, kind));
        }
    }
    spans.sort_unstable_by_key(|(span, ..)| std::cmp::Reverse(*span));
    println!("hostile inputs of up to 1 MB, the worst five of {}", spans.len());
    for (span, name, kind) in spans.iter().take(5) {
        println!("{:>7.1} ms  {name} as {kind:?}", micros(*span) / 1000.0);
    }
}

/// The most memory this process had, inputs included; known on Linux only.
fn memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(most) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
        println!("most memory of the whole run: {}", most.trim());
    }
}

fn timed(read: impl FnOnce() -> bool) -> (Duration, bool) {
    let start = Instant::now();
    let is_read = black_box(read());
    (start.elapsed(), is_read)
}

fn micros(span: Duration) -> f64 {
    span.as_secs_f64() * 1e6
}
