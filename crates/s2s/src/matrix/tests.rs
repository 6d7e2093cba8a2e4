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
    (1..=100).map(|step| f64::from(step) / 20.0).find(|size| {
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
        let half = (0..=12_u8).prop_map(|half| f64::from(half) / 2.0);
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
