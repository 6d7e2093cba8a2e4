//! Draws numbers as SVG: confidence over the rounds, votes, the life of a conflict, a share.
//! Given numbers alone; writes shapes with classes, coloured by the style sheet. The same numbers always stand beside a
//! drawing as text or in a table, so every drawing but the labelled one is hidden from screen readers.
//! Deliberately absent: who the numbers belong to, and any text that somebody said.

use super::html::Html;

/// The room of one panel of confidence, and the lines that its plot stands between.
const WIDE: f64 = 260.0;
const HIGH: f64 = 112.0;
const LEFT: f64 = 26.0;
const RIGHT: f64 = 226.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 90.0;

/// More rounds than this have no dot each: they would run into each other.
const MOST_DOTS: usize = 30;

/// One seat over the rounds, with what the table thought on average behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Panel<'a> {
    /// What the drawing shows, for those who do not see it.
    pub label: &'a str,
    /// The numbers of the rounds.
    pub rounds: &'a [u32],
    /// The seat's values, one for each round.
    pub values: &'a [Option<f64>],
    /// The table's.
    pub mean: &'a [Option<f64>],
    /// Under this a person is asked.
    pub floor: Option<f64>,
}

/// Draws a panel of confidence.
pub(super) fn confidence(html: &mut Html, panel: &Panel<'_>) {
    let room = format!("0 0 {WIDE} {HIGH}");
    let attributes = [("class", "chart"), ("viewBox", &*room), ("role", "img"), ("aria-label", panel.label)];
    html.within("svg", &attributes, |html| {
        for value in [0.0, 0.5, 1.0] {
            line(html, "grid", (LEFT, height(value)), (RIGHT, height(value)));
            let y = number(height(value) + 3.5);
            html.leaf("text", &[("class", "tick"), ("x", "20"), ("y", &y), ("text-anchor", "end")], mark(value));
        }
        if let Some(floor) = panel.floor.filter(|floor| *floor > 0.0 && *floor < 1.0) {
            line(html, "floor", (LEFT, height(floor)), (RIGHT, height(floor)));
        }
        let count = panel.rounds.len();
        path(html, "mean", panel.mean, count);
        path(html, "seat", panel.values, count);
        let known = || panel.values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?)));
        if count <= MOST_DOTS {
            known().for_each(|(at, value)| dot(html, place(at, count), height(value)));
        }
        if let Some((at, value)) = known().next_back() {
            let (x, y) = (number(place(at, count) + 7.0), number(height(value) + 4.0));
            html.leaf("text", &[("class", "value"), ("x", &x), ("y", &y)], &format!("{value:.2}"));
        }
        if let (Some(first), Some(last)) = (panel.rounds.first(), panel.rounds.last()) {
            tick(html, place(0, count), &format!("round {first}"));
            if count > 1 {
                tick(html, place(count - 1, count), &last.to_string());
            }
        }
    });
}

fn mark(value: f64) -> &'static str {
    if value == 0.0 {
        "0"
    } else if value == 1.0 {
        "1"
    } else {
        "½"
    }
}

fn place(at: usize, count: usize) -> f64 {
    match count {
        0 | 1 => LEFT + 24.0,
        _ => LEFT + 10.0 + (RIGHT - LEFT - 10.0) * at as f64 / (count - 1) as f64,
    }
}

/// Values outside of 0 to 1, which only a file made by hand can hold, stay at the edge.
fn height(value: f64) -> f64 {
    let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
    BOTTOM - (BOTTOM - TOP) * value
}

fn number(value: f64) -> String {
    let short = format!("{value:.1}");
    short.strip_suffix(".0").map(str::to_owned).unwrap_or(short)
}

fn line(html: &mut Html, class: &str, from: (f64, f64), to: (f64, f64)) {
    let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
    html.void("line", &[("class", class), ("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)]);
}

/// A line through the values; where one is missing, the line has a gap.
fn path(html: &mut Html, class: &str, values: &[Option<f64>], count: usize) {
    let mut way = String::new();
    let mut drawn = false;
    for (at, value) in values.iter().enumerate() {
        if let Some(value) = value {
            let step = if drawn { 'L' } else { 'M' };
            way.push_str(&format!("{step}{} {}", number(place(at, count)), number(height(*value))));
        }
        drawn = value.is_some();
    }
    if !way.is_empty() {
        html.void("path", &[("class", class), ("d", &way)]);
    }
}

fn dot(html: &mut Html, x: f64, y: f64) {
    html.void("circle", &[("class", "dot"), ("cx", &number(x)), ("cy", &number(y)), ("r", "3")]);
}

fn tick(html: &mut Html, x: f64, text: &str) {
    let y = number(BOTTOM + 16.0);
    html.leaf("text", &[("class", "tick"), ("x", &number(x)), ("y", &y), ("text-anchor", "middle")], text);
}

/// Parts of a whole beside each other, each with its class.
pub(super) fn parts(html: &mut Html, parts: &[(&'static str, usize)]) {
    let whole: usize = parts.iter().map(|(_, count)| count).sum();
    bar(html, "votes", whole, |html| {
        let mut from = 0;
        for (class, count) in parts.iter().filter(|(_, count)| *count > 0) {
            block(html, class, from as f64, *count as f64);
            from += count;
        }
    });
}

/// The rounds from one to another, of all that were held.
pub(super) fn span(html: &mut Html, class: &'static str, since: u32, until: u32, held: u32) {
    bar(html, "span", held.max(1) as usize, |html| {
        block(html, "whole", 0.0, f64::from(held.max(1)));
        let from = since.clamp(1, held.max(1)) - 1;
        block(html, class, f64::from(from), f64::from(until.clamp(from + 1, held.max(from + 1)) - from));
    });
}

/// A share of one.
pub(super) fn share(html: &mut Html, value: f64) {
    let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
    bar(html, "share", 1, |html| {
        block(html, "whole", 0.0, 1.0);
        block(html, "part", 0.0, value);
    });
}

fn bar(html: &mut Html, class: &'static str, whole: usize, inside: impl FnOnce(&mut Html)) {
    let room = format!("0 0 {} 1", whole.max(1));
    let class = format!("bar {class}");
    let attributes =
        [("class", &*class), ("viewBox", &*room), ("preserveAspectRatio", "none"), ("aria-hidden", "true")];
    html.within("svg", &attributes, inside);
}

fn block(html: &mut Html, class: &str, from: f64, wide: f64) {
    let (x, width) = (format!("{}", (from * 1e3).round() / 1e3), format!("{}", (wide * 1e3).round() / 1e3));
    html.void("rect", &[("class", class), ("x", &x), ("y", "0"), ("width", &width), ("height", "1")]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(draw: impl FnOnce(&mut Html)) -> String {
        let mut html = Html::default();
        draw(&mut html);
        html.finish()
    }

    fn panel(values: &[Option<f64>]) -> String {
        let rounds: Vec<u32> = (1..=values.len() as u32).collect();
        drawn(|html| {
            confidence(html, &Panel { label: "x", rounds: &rounds, values, mean: values, floor: Some(0.5) });
        })
    }

    #[test]
    fn a_missing_answer_is_a_gap_and_not_a_zero() {
        let text = panel(&[Some(0.5), None, Some(1.0), Some(0.0)]);
        assert!(text.contains("<path class=\"seat\" d=\"M36 50M162.7 10L226 90\"/>"), "{text}");
        assert_eq!(text.matches("<circle").count(), 3);
        assert!(text.contains(">0.00</text>"), "{text}");
    }

    #[test]
    fn nothing_leaves_the_room_and_nothing_is_not_a_number() {
        let text = panel(&[Some(f64::NAN), Some(7.0), Some(-1.0), Some(f64::INFINITY)]);
        assert!(text.contains("M36 90L99.3 10L162.7 90L226 90"), "{text}");
        for nothing in [&[][..], &[None]] {
            assert!(!panel(nothing).contains("<path"), "{nothing:?}");
        }
    }

    #[test]
    fn many_rounds_have_a_line_without_dots() {
        let text = panel(&vec![Some(0.5); MOST_DOTS + 1]);
        assert!(!text.contains("<circle") && text.contains("<path"));
    }

    #[test]
    fn bars_add_up_to_the_whole() {
        let votes = drawn(|html| parts(html, &[("support", 2), ("aside", 0), ("block", 1)]));
        assert!(votes.contains("viewBox=\"0 0 3 1\""), "{votes}");
        assert!(votes.contains("<rect class=\"block\" x=\"2\" y=\"0\" width=\"1\" height=\"1\"/>"), "{votes}");
        let life = drawn(|html| span(html, "open", 2, 4, 5));
        assert!(life.contains("<rect class=\"open\" x=\"1\" y=\"0\" width=\"3\" height=\"1\"/>"), "{life}");
        let odd = drawn(|html| span(html, "open", 9, 2, 0));
        assert!(odd.contains("width=\"1\""), "{odd}");
    }
}
