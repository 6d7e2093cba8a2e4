//! What the live view costs while a thousand pieces of replies arrive each second: the processor time of the whole
//! process, painter included, as a share of one core. Run with `cargo bench -p s2s-cli --bench live`, best with
//! `2>/dev/null`. It fails above a tenth of a core.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a benchmark")]
#![allow(dead_code, unused_imports, missing_docs, reason = "the binary's own screens, of which only some are measured")]

#[path = "../src/screen/mod.rs"]
mod screen;

/// What the screens want of the rest of the binary.
mod flags {
    pub fn raised(again: &str, _sentence: &str) -> String {
        again.to_owned()
    }
}

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use s2s::engine::record::RoundKind;
use s2s::roundtable::{Audience, Notice};
use screen::{Plain, Style};

const SEATS: usize = 5;
const PER_SECOND: u64 = 1_000;
const LASTS: Duration = Duration::from_secs(5);
const MOST: f64 = 0.1;

fn main() {
    let style = Style { live: true, color: true, ..Style::PIPE };
    let mut screen = Plain::new(std::io::sink(), style);
    let seats: Vec<String> = (1..=SEATS).map(|number| format!("seat-{number}")).collect();
    let call = |seat: &str| format!("r1.response.{seat}.1");
    let (phase, kind) = ("critique".to_owned(), RoundKind::Discussion);
    screen.notice(&Notice::RoundStarted { round: 1, max_rounds: 20, phase, kind, agenda: Vec::new() });
    let (question, focus) = ("Which of the two serves partners better?".to_owned(), String::new());
    screen.notice(&Notice::QuestionPosed { round: 1, question, focus, asked: seats.clone(), probing: false });
    for seat in &seats {
        screen.notice(&Notice::CallStarted { call: call(seat), seat: seat.clone(), model: "acme:large".to_owned() });
    }
    // As in a run: one runtime that notices come from, and the painter beside it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let (began, before) = (Instant::now(), processor());
    let mut told = 0;
    while began.elapsed() < LASTS {
        let due = (began.elapsed().as_micros() as u64 * PER_SECOND / 1_000_000).saturating_sub(told);
        for _ in 0..due {
            let seat = &seats[told as usize % SEATS];
            let text = if told < SEATS as u64 { "position: \"" } else { "word " };
            screen.notice(&Notice::Heard { call: call(seat), seat: seat.clone(), text: text.to_owned() });
            told += 1;
        }
        runtime.block_on(async { tokio::time::sleep(Duration::from_millis(1)).await });
    }
    let share = (processor() - before).as_secs_f64() / began.elapsed().as_secs_f64();
    println!("{told} pieces in {:.1} s: {:.2} % of a core", began.elapsed().as_secs_f64(), share * 100.0);
    assert!(share < MOST, "more than a tenth of a core");
}

fn processor() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
