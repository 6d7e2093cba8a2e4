//! What would flip a result, held against counting again: the change named really changes the winner, a slightly smaller
//! one does not, and no smaller one anywhere does.

use proptest::prelude::*;

use super::*;

fn count(scores: &[&[f64]], weights: &[&[f64]]) -> Count {
    let rows = |rows: &[&[f64]]| rows.iter().map(|row| row.to_vec()).collect();
    Count { scores: rows(scores), weights: rows(weights) }
}

/// Whether a flip is one, exactly.
fn check(count: &Count, flip: &Flip) -> Result<(), TestCaseError> {
    let seats = flip.who.seats(count);
    let winner = count.winner();
    prop_assert!(flip.by.abs() >= flip.limit.abs() && flip.by.signum() * flip.limit.signum() >= 0.0, "{flip:?}");
    let applied = count.changed(&seats, flip.criterion, flip.by);
    prop_assert_ne!(applied.winner(), winner, "applied, it changes the winner: {:?}", flip);
    prop_assert_eq!(applied.winner(), flip.leads, "{:?}", flip);
    let slack = 1e-6;
    if flip.limit.abs() > slack {
        let smaller = flip.limit - slack * flip.limit.signum();
        prop_assert_eq!(
            count.changed(&seats, flip.criterion, smaller).winner(),
            winner,
            "slightly smaller: {:?}",
            flip
        );
    }
    Ok(())
}

/// The smallest change on a fine grid that flips: found by trying, not by formula. Where the winner changes at one point
/// alone, two options are level there and neither leads.
fn by_trying(count: &Count, who: Who) -> Option<f64> {
    let seats = who.seats(count);
    let winner = count.winner();
    let criteria = count.scores.first().map_or(0, Vec::len);
    let changed = |at: usize, by: f64| count.changed(&seats, at, by);
    (1..=140).map(|step| f64::from(step) / 20.0).find(|size| {
        let beyond = |at: usize, sign: f64| {
            let (there, before) = (changed(at, size * sign), changed(at, (size - 1e-6) * sign));
            there.winner() != winner && before.winner() != winner && there != before
        };
        (0..criteria).any(|at| beyond(at, 1.0) || beyond(at, -1.0))
    })
}

fn counts() -> impl Strategy<Value = Count> {
    (2..6_usize, 1..10_usize, 1..6_usize).prop_flat_map(|(options, criteria, seats)| {
        let cells = prop::collection::vec(prop::collection::vec((1..=5_u8).prop_map(f64::from), criteria), options);
        let half = (0..=14_u8).prop_map(|half| f64::from(half) / 2.0);
        let weights = prop::collection::vec(prop::collection::vec(half, criteria), seats);
        (cells, weights).prop_map(|(scores, weights)| Count { scores, weights })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_flip_changes_the_winner_and_a_slightly_smaller_change_does_not(count in counts()) {
        let each: Vec<Who> = (0..count.weights.len()).map(Who::Seat).collect();
        for flip in smallest(&count, &[Who::All]).iter().chain(&smallest(&count, &each)) {
            check(&count, flip)?;
        }
    }

    #[test]
    fn no_smaller_change_flips(count in counts()) {
        for who in [Who::All, Who::Seat(0)] {
            let exact = smallest(&count, &[who]).map(|flip| flip.limit.abs());
            if let Some(tried) = by_trying(&count, who) {
                let exact = exact.unwrap_or(f64::INFINITY);
                prop_assert!(exact <= tried + 1e-9, "{who:?}: trying finds {tried}, the formula {exact}");
            }
        }
    }
}

#[test]
fn the_limit_is_the_closed_form() {
    // Two options, two criteria: 4·1^1.5 against 2·1^1.5, and 1·w^1.5 against 5·w^1.5: level where w^1.5 = 1/2.
    let count = count(&[&[4.0, 1.0], &[2.0, 5.0]], &[&[4.0, 1.0]]);
    let flip = smallest(&count, &[Who::All]).unwrap();
    let level = (4.0_f64.powf(1.5) * 2.0 / 4.0).powf(1.0 / 1.5);
    assert_eq!((flip.criterion, flip.leads), (1, 1));
    assert!((flip.limit - (level - 1.0)).abs() < 1e-9, "{flip:?}");
    assert!((flip.by - 1.6).abs() < 1e-9, "rounded away from none: {flip:?}");
}

#[test]
fn an_option_that_is_ahead_everywhere_is_not_flipped() {
    let count = count(&[&[5.0, 4.0], &[4.0, 3.0]], &[&[1.0, 2.0], &[5.0, 0.0]]);
    assert_eq!(smallest(&count, &[Who::All, Who::Seat(0), Who::Seat(1)]), None);
}

#[test]
fn one_seat_of_five_cannot_turn_a_clear_vote() {
    let favour: &[f64] = &[5.0, 0.5];
    let count = count(&[&[5.0, 1.0], &[1.0, 5.0]], &[favour; 5]);
    let each: Vec<Who> = (0..5).map(Who::Seat).collect();
    assert_eq!(smallest(&count, &each), None);
    assert!(smallest(&count, &[Who::All]).is_some());
}

#[test]
fn a_tie_of_votes_is_flipped_by_the_scores() {
    // One seat each way; the sum of scores decides, so a change need not turn a seat.
    let count = count(&[&[5.0, 1.0], &[1.0, 5.0]], &[&[4.0, 1.0], &[1.0, 3.0]]);
    assert_eq!(count.winner(), 0);
    let flip = smallest(&count, &[Who::Seat(1)]).unwrap();
    let seats = flip.who.seats(&count);
    let changed = count.changed(&seats, flip.criterion, flip.by);
    assert_eq!((changed.winner(), changed.votes()), (1, vec![1, 1]), "{flip:?}");
}

#[test]
fn numbers_have_the_places_they_need() {
    let shown: Vec<String> = [1.0, 1.8, 0.333_333, -0.0, 2.5].into_iter().map(number).collect();
    assert_eq!(shown, ["1", "1.8", "0.333", "0", "2.5"]);
}

/// A matrix of these numbers, with plain names.
fn matrix(scores: &[&[f64]], weights: &[&[f64]]) -> Matrix {
    let count = count(scores, weights);
    let seats = weights.len();
    let mean = |option: usize| (0..seats).map(|seat| count.mean(seat, option)).sum::<f64>() / seats as f64;
    let ranked = count.ranked();
    let each: Vec<Who> = (0..seats).map(Who::Seat).collect();
    let option = |(at, cells): (usize, &Vec<f64>)| {
        serde_json::json!({
            "id": format!("o{at}"), "name": format!("Option {at}"), "cells": cells, "lifts": vec![0.0; cells.len()],
            "decide": "", "why": Vec::<String>::new(),
        })
    };
    let seat = |at: usize| {
        let scores: Vec<f64> = (0..scores.len()).map(|option| count.mean(at, option)).collect();
        serde_json::json!({
            "seat": format!("s{at}"), "name": format!("Seat {at}"), "own": true, "weights": count.weights[at],
            "shares": vec![0.0; count.weights[at].len()], "scores": scores, "favourite": count.favourite(at),
        })
    };
    let value = serde_json::json!({
        "schema": SCHEMA, "after": { "rounds": 1, "said": 0 }, "playbook": "p", "subject": "s", "as_of": "2026-11",
        "criteria": (0..scores[0].len()).map(|at| serde_json::json!({ "id": format!("c{at}"), "name": format!("c{at}") }))
            .collect::<Vec<_>>(),
        "options": count.scores.iter().enumerate().map(option).collect::<Vec<_>>(),
        "seats": (0..seats).map(seat).collect::<Vec<_>>(),
        "not_weighed": [], "others": [], "shifts": [],
        "result": {
            "leader": ranked[0], "second": ranked.get(1), "votes": count.votes(),
            "means": (0..scores.len()).map(mean).collect::<Vec<_>>(), "ruled": null,
        },
        "flip_all": smallest(&count, &[Who::All]), "flip_one": smallest(&count, &each),
    });
    read(value, "x").unwrap()
}

#[test]
fn bug_a_change_that_a_weight_cannot_follow_says_where_it_is_held() {
    // Both seats have to be turned, and the second counts too little on it to follow all the way.
    let matrix = matrix(&[&[5.0, 1.0], &[1.0, 5.0]], &[&[6.0, 2.0], &[3.0, 0.5], &[6.0, 2.0]]);
    let flips = matrix.flips();
    assert_eq!(flips[0], "If c0 counted 4.1 less for every seat (Seat 1's is held at 0), Option 1 would lead.");
}

#[test]
fn bug_the_highest_average_is_named_whoever_has_it() {
    // Two seats like the first best and one the second; the third is nobody's favourite and does best on average.
    let matrix = matrix(
        &[&[5.0, 1.0, 1.0], &[1.0, 5.0, 1.0], &[4.5, 4.5, 1.0]],
        &[&[5.0, 0.5, 0.0], &[5.0, 0.5, 0.0], &[0.5, 5.0, 0.0]],
    );
    let told = matrix.leads();
    assert!(told.starts_with("Option 0 leads: 2 of 3 seats like it best"), "{told}");
    assert!(told.contains("ahead of Option 1. Option 2 has the highest average, "), "{told}");
}
