//! A flood of notices: how often the terminal is written to, and how much.

use std::io::{self, Write};

use super::super::region::{Region, Size, Stage};
use super::super::{TICK, view};
use super::{SEATS, at, heard, posed, started, table};
use crate::screen::Style;

/// Counts what a terminal would get.
#[derive(Debug, Default)]
struct Counted {
    writes: usize,
    bytes: usize,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (self.writes, self.bytes) = (self.writes + 1, self.bytes + bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A thousand pieces a second for ten seconds, drawn as the painter does: once for each tick.
#[test]
fn a_thousand_pieces_a_second_are_ten_drawings_at_most_and_only_changes_are_sent() {
    let stage: &'static Stage = Box::leak(Box::new(Stage::new()));
    let mut region = Region::new(Counted::default(), stage);
    let (size, mut table) = (Size { columns: 80, rows: 24 }, table());
    table.note(&posed("Which?", &SEATS), at(0));
    SEATS.iter().for_each(|seat| table.note(&started("response", seat, 1), at(0)));
    table.note(&heard(SEATS[0], "position: "), at(0));
    for millis in 1..=10_000 {
        table.note(&heard(SEATS[0], "word "), at(millis));
        if millis.is_multiple_of(TICK.as_millis() as u64) {
            region.show(size, || view(&mut table, at(millis), size, &Style::PIPE));
        }
    }
    let Counted { writes, bytes } = *region.written();
    // The line is full after one tick; then only the time moves, once a second.
    assert!((10..=15).contains(&writes), "{writes} writes");
    assert!(bytes < 6_000, "{bytes} bytes");
}
