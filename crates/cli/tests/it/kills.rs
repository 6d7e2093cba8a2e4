//! SIGKILL at random moments of a scripted run with slow seats; the resumed session must end with the
//! same minutes as an undisturbed run. `S2S_KILLS` says how many moments are tried (20 by default).

use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use super::harness::{CALM, Folder, TOPIC, finish};

fn slow() -> String {
    format!("default: {{delay_ms: 15}}\n{CALM}")
}

fn start(folder: &Folder) -> std::process::Child {
    let args = ["roundtable", "start", TOPIC, "--panel", "script:slow.yaml", "--strategy", "standard", "--quiet"];
    folder.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The minutes without what may differ: times, the id, what a call in flight cost twice.
fn comparable(mut minutes: Value) -> Value {
    let map = minutes.as_object_mut().unwrap();
    for key in ["id", "started", "paused_at", "completed_at", "interventions", "seal"] {
        map.remove(key);
    }
    for round in minutes["rounds"].as_array_mut().unwrap() {
        let round = round.as_object_mut().unwrap();
        round.remove("timestamp");
        for key in ["calls", "duration_ms"] {
            round["usage"].as_object_mut().unwrap().remove(key);
        }
    }
    let outcome = minutes["outcome"].as_object_mut().unwrap();
    outcome.remove("file");
    let files = outcome.remove("files").unwrap();
    assert_eq!(files.as_array().unwrap().len(), 1, "one document, never two: {files}");
    minutes
}

/// Small and reproducible: the seed is printed with a failure.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % below.max(1)
    }
}

#[test]
fn l7_a_run_killed_at_any_moment_ends_with_the_same_minutes() {
    let kills: u32 = std::env::var("S2S_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let mut chance = Chance(seed);
    let calm = Folder::project();
    calm.write("slow.yaml", slow());
    let began = Instant::now();
    finish(start(&calm)).ok();
    let whole = began.elapsed().as_micros() as u64;
    let expected = comparable(calm.only());
    let mut before_any_session = 0;
    for kill in 0..kills {
        let folder = Folder::project();
        folder.write("slow.yaml", slow());
        let mut child = start(&folder);
        let moment = Duration::from_micros(chance.next(whole));
        // The moment is the subject of this test: nothing is waited for but its coming.
        let spawned = Instant::now();
        while spawned.elapsed() < moment {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let told = format!("kill {kill} after {moment:?}, seed {seed}");
        match folder.ids().as_slice() {
            [] => {
                before_any_session += 1;
                finish(start(&folder)).ok();
            }
            [id] if folder.minutes(id)["status"] == "completed" => {}
            [_] => {
                let run = folder.run(&["roundtable", "resume", "--panel", "script:slow.yaml", "--quiet"]);
                assert_eq!(run.code, 0, "{told}: {}{}", run.out, run.err);
            }
            several => panic!("{told}: {several:?}"),
        }
        assert_eq!(comparable(folder.only()), expected, "{told}");
        let verified = folder.run(&["session", "verify"]);
        assert_eq!(verified.code, 0, "{told}: {}{}", verified.out, verified.err);
    }
    println!("{kills} kills, {before_any_session} of them before the session was made; a run takes {whole} µs");
}
