//! The screens as they are drawn, kept as files under `screens/`: every screen at three widths, on a
//! narrow dumb terminal and in colour. `UPDATE_EXPECT=1` writes them anew.

mod fixture;
mod hostile;
mod markdown;
mod pages;
mod people;
mod register;
mod run;

use expect_test::expect_file;
use unicode_width::UnicodeWidthStr;

use super::{Style, WIDEST};

/// Draws a screen in every style and compares all of it with the file of this name.
fn check(name: &str, draw: impl Fn(&Style) -> String) {
    let mut all = String::new();
    for width in [60, 80, 120] {
        let drawn = draw(&Style { width, ..Style::PIPE });
        is_tidy(&drawn, width);
        all.push_str(&format!("<<< {width} columns\n{drawn}"));
    }
    let narrow = draw(&Style { width: 40, ascii: true, ..Style::PIPE });
    is_tidy(&narrow, 40);
    let color = draw(&Style { color: true, ..Style::PIPE });
    assert_eq!(uncolored(&color), draw(&Style::PIPE), "colour changes more than colour");
    all.push_str(&format!(
        "<<< 40 columns, ASCII\n{narrow}<<< 80 columns, in colour\n{}",
        color.replace('\u{1b}', "␛")
    ));
    expect_file![format!("screens/{name}.txt")].assert_eq(&all);
}

/// What every plain screen keeps to, whatever it says.
fn is_tidy(drawn: &str, width: usize) {
    assert!(drawn.ends_with('\n') && !drawn.ends_with("\n\n") && !drawn.starts_with('\n'), "edges: {drawn:?}");
    assert!(!drawn.contains("\n\n\n"), "two empty lines: {drawn}");
    assert!(drawn.chars().all(|c| c == '\n' || !c.is_control()), "control characters: {drawn:?}");
    assert_eq!(s2s::clean::clean_text(drawn), drawn, "not clean");
    for line in drawn.lines() {
        assert_eq!(line.trim_end(), line, "blanks at the end of a line");
        // What somebody may copy is never broken: a command, an id, a path.
        let copied = ["s2s ", "20260304-"].iter().any(|mark| line.contains(mark));
        assert!(copied || line.width() <= width.min(WIDEST), "wider than {width}: {line:?}");
    }
}

fn uncolored(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain + rest
}
