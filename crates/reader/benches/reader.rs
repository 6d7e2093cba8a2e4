//! How long reading takes: a set of replies one after another, and hostile inputs of 1 MB.
//! Run with `cargo bench -p s2s-reader`; for percentiles see the example `percentiles`.
#![allow(clippy::expect_used, reason = "a benchmark")]

mod inputs;

use divan::{Bencher, black_box};
use inputs::{HOSTILE, KINDS, Reply};
use s2s_reader::{Kind, read};

const REPLIES: &str = include_str!("replies.jsonl");

fn main() {
    divan::main();
}

fn replies(kind: Kind) -> Vec<Reply> {
    let all = inputs::replies(REPLIES).expect("the replies are sound");
    all.into_iter().filter(|reply| reply.kind == kind).collect()
}

fn one_after_another(bencher: Bencher<'_, '_>, kind: Kind) {
    let replies = replies(kind);
    let count = divan::counter::ItemsCount::new(replies.len());
    bencher.counter(count).bench_local(|| {
        for reply in &replies {
            let _ = black_box(read(reply.kind, black_box(&reply.text)));
        }
    });
}

/// All replies of seats, clean and damaged.
#[divan::bench]
fn responses(bencher: Bencher<'_, '_>) {
    one_after_another(bencher, Kind::Response);
}

/// All replies of the facilitator, clean and damaged.
#[divan::bench]
fn syntheses(bencher: Bencher<'_, '_>) {
    one_after_another(bencher, Kind::Synthesis);
}

/// One input of 1 MB, as every kind.
#[divan::bench(args = HOSTILE, sample_count = 5, sample_size = 1)]
fn hostile(bencher: Bencher<'_, '_>, name: &str) {
    let text = inputs::hostile(name);
    bencher.counter(divan::counter::BytesCount::of_str(&text)).bench_local(|| {
        for kind in KINDS {
            let _ = black_box(read(kind, black_box(&text)));
        }
    });
}
