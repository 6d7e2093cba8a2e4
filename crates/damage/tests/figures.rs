//! The figures of the reader over fixed seeds, on the shown kinds and on those that are held out.

use s2s_damage::judge::judge;
use s2s_damage::kinds::{self, Kind};
use s2s_damage::make::replies;
use s2s_damage::report::Tally;
use s2s_damage::{Form, Truth};
use s2s_reader::read;
use serde_json::Value;

const SEEDS: [u64; 3] = [11, 22, 33];
const EACH: usize = 8;

fn tally(kinds: &[&'static Kind]) -> Tally {
    let mut tally = Tally::default();
    for reply in SEEDS.iter().flat_map(|seed| kinds.iter().flat_map(|kind| replies(kind, *seed, EACH))) {
        let kind =
            if reply.form == Form::Participant { s2s_reader::Kind::Response } else { s2s_reader::Kind::Synthesis };
        let got = read(kind, &reply.text).ok().map(|reading| Value::Object(reading.value));
        tally.count(judge(reply.form, &reply.truth, got.as_ref()));
    }
    tally
}

/// A few of our own kinds are debatable, and some cannot be read without a guess; the rest must be right.
/// Fails with figures only: nothing of a held-out kind is told.
fn assert_figures(tally: Tally) {
    let all = tally.recoverable();
    assert!(tally.recovered * 100 >= all * 93, "fewer than 93 % are recovered: {}", tally.words());
    assert!(tally.wrong * 1000 <= all * 5, "more than 0.5 % are wrong: {}", tally.words());
    assert_eq!(tally.accepted, 0, "what must be refused is accepted: {}", tally.words());
}

#[test]
fn all_kinds_together_reach_the_figures() {
    let all: Vec<&Kind> = kinds::shown().into_iter().chain(kinds::held_out()).collect();
    assert_figures(tally(&all));
}

#[test]
fn held_out_kinds_reach_the_figures() {
    let tally = tally(&kinds::held_out());
    assert!(tally.recovered * 100 >= tally.recoverable() * 93, "fewer than 93 % are recovered: {}", tally.words());
    assert_eq!(tally.accepted, 0, "what must be refused is accepted: {}", tally.words());
}

#[test]
fn every_kind_has_a_name_of_its_own_and_makes_replies() {
    let all: Vec<&Kind> = kinds::shown().into_iter().chain(kinds::held_out()).collect();
    let mut names: Vec<&str> = all.iter().map(|kind| kind.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all.len(), "two kinds have the same name");
    let made = |kind: &&&Kind| replies(kind, 5, 12).len() == 12;
    assert_eq!(all.iter().filter(made).count(), all.len(), "a kind finds no value that it can damage");
}

#[test]
fn a_kind_always_makes_the_same_for_the_same_seed() {
    for kind in kinds::shown().into_iter().chain(kinds::held_out()) {
        let lines = |seed| replies(kind, seed, 4).iter().map(|reply| reply.line()).collect::<Vec<_>>();
        assert_eq!(lines(9), lines(9));
    }
}

#[test]
fn enough_kinds_must_be_refused() {
    let all: Vec<&Kind> = kinds::shown().into_iter().chain(kinds::held_out()).collect();
    let refuses = |kind: &&&Kind| replies(kind, 1, 1).iter().all(|reply| reply.truth == Truth::MustRefuse);
    assert!(all.len() >= 120 && all.iter().filter(refuses).count() >= 30);
}
