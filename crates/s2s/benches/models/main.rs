//! What our way of asking models costs beside a bare loop of the same calls: `cargo bench -p s2s --bench models`.
//! The mock, the bare loop and our roundtables each run in a process of their own, which is this binary again
//! with other arguments. Given a folder for the store as `S2S_BENCH_STORE` (default `/dev/shm`) and the number
//! of repetitions as `S2S_BENCH_REPEAT` (default 5); prints least, median and most of each figure.
//! Deliberately absent: verdicts. The figures and their aims are in docs/performance.md.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a benchmark")]

mod bare;
mod figures;
mod mock;
mod ours;

use std::process::{Command, Stdio};

use figures::{Figures, spread};
use mock::{Counted, Mock};

/// The calls of one roundtable: five rounds of a question, five answers and a synthesis.
pub const CALLS: u64 = 35;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    match given[..] {
        ["serve", latency] => mock::serve(latency.parse().unwrap()),
        ["bare", url, count, at_once, threads] => {
            let (count, at_once, threads) = numbers(count, at_once, threads);
            bare::run(url, count, at_once, threads).print();
        }
        ["ours", url, count, at_once, threads, store] => {
            let (count, at_once, threads) = numbers(count, at_once, threads);
            ours::run(url, count, at_once, threads, store).print();
        }
        _ => measure(&given),
    }
}

fn numbers(count: &str, at_once: &str, threads: &str) -> (u64, usize, u64) {
    (count.parse().unwrap(), at_once.parse().unwrap(), threads.parse().unwrap())
}

/// One kind of measurement: so many roundtables, so many at once on so many threads, with answers this late.
struct Case {
    name: &'static str,
    count: u64,
    at_once: u64,
    threads: u64,
    latency_ms: u64,
}

const CASES: [Case; 4] = [
    Case { name: "cpu", count: 60, at_once: 1, threads: 1, latency_ms: 0 },
    Case { name: "one", count: 8, at_once: 1, threads: 1, latency_ms: 20 },
    Case { name: "many", count: 1_000, at_once: 1_000, threads: 1, latency_ms: 200 },
    Case { name: "threads", count: 1_000, at_once: 1_000, threads: 2, latency_ms: 200 },
];

fn measure(wanted: &[&str]) {
    let repeat = std::env::var("S2S_BENCH_REPEAT").map_or(5, |text| text.parse().unwrap());
    let store = std::env::var("S2S_BENCH_STORE").unwrap_or_else(|_| "/dev/shm".to_owned());
    for case in CASES.iter().filter(|case| wanted.is_empty() || wanted.contains(&case.name)) {
        let Case { name, count, at_once, threads, latency_ms } = case;
        println!("{name}: {count} roundtables, {at_once} at once, {threads} thread(s), {latency_ms} ms");
        let kinds = [("bare", None), ("memory", Some("memory")), ("store", Some(store.as_str()))];
        let mut seen: Vec<Vec<(Figures, Counted)>> = vec![Vec::new(); kinds.len()];
        for _ in 0..repeat {
            for (at, (_, store)) in kinds.iter().enumerate() {
                seen[at].push(once(case, *store));
            }
        }
        for ((name, _), runs) in kinds.iter().zip(&seen) {
            let calls = (case.count * CALLS) as f64;
            let of = |figure: &dyn Fn(&Figures) -> f64| spread(runs.iter().map(|(figures, _)| figure(figures)));
            println!(
                "  {name:7} cpu µs/call {}  wall ms/roundtable {}  kB/roundtable {}  connections {}  in flight {}",
                of(&|figures| figures.cpu_s * 1e6 / calls),
                of(&|figures| figures.wall_s * 1e3 * case.at_once as f64 / case.count as f64),
                of(&|figures| figures.grown_kb / case.at_once as f64),
                spread(runs.iter().map(|(_, counted)| counted.connections as f64)),
                spread(runs.iter().map(|(_, counted)| counted.max_in_flight as f64)),
            );
        }
        for (name, runs) in [("memory", &seen[1]), ("store", &seen[2])] {
            let pairs = || runs.iter().zip(&seen[0]);
            let cpu = spread(pairs().map(|(ours, bare)| ours.0.cpu_s / bare.0.cpu_s));
            let wall = spread(pairs().map(|(ours, bare)| ours.0.wall_s / bare.0.wall_s));
            println!("  {name:7} beside the bare loop: cpu {cpu}, wall {wall}");
        }
    }
}

/// One run in its own process against a mock in another; every call is counted there.
fn once(case: &Case, store: Option<&str>) -> (Figures, Counted) {
    let mut mock = Mock::start(case.latency_ms);
    let [count, at_once, threads] = [case.count, case.at_once, case.threads].map(|number| number.to_string());
    let mut words = vec![mock.url.as_str(), count.as_str(), at_once.as_str(), threads.as_str()];
    words.insert(0, if store.is_some() { "ours" } else { "bare" });
    words.extend(store);
    let child = Command::new(std::env::current_exe().unwrap()).args(words).stderr(Stdio::inherit()).output().unwrap();
    assert!(child.status.success(), "a measured run failed");
    let counted = mock.counted();
    // One roundtable of each thread goes before, so that connections are open and lazy things are there.
    assert_eq!(
        counted.calls,
        (case.count + case.threads) * CALLS,
        "{}: every roundtable makes the same calls",
        case.name
    );
    (Figures::read(&String::from_utf8(child.stdout).unwrap()), counted)
}
