//! Whether every text of the report can be read: the contrast of each pair of colours that the style sheet brings together,
//! in light, in dark and on paper, after WCAG 2 (4.5 to 1). The colours are read from the style sheet itself.

use std::collections::{BTreeMap, BTreeSet};

use super::page::STYLE;

/// What stands on what: a colour of text and the backgrounds it is seen on.
const PAIRS: &[(&str, &[&str])] = &[
    ("ink", &["paper", "card", "code", "a0", "a1", "a2", "a3", "a4"]),
    ("soft", &["paper", "card", "code"]),
    ("accent", &["paper", "card", "code"]),
    ("good", &["paper", "card", "good-tint"]),
    ("warn", &["paper", "card", "warn-tint"]),
    ("bad", &["paper", "card", "bad-tint"]),
];

/// Shapes that mean something need 3 to 1 against what is beside them.
const SHAPES: &[(&str, &[&str])] = &[("accent", &["paper", "card", "none"]), ("bad", &["paper", "card", "none"])];

/// The colours of the part of the style sheet that follows this mark.
fn colours(after: &str) -> BTreeMap<String, [f64; 3]> {
    let part = &STYLE[STYLE.find(after).unwrap() + after.len()..];
    let part = &part[part.find(":root {").map_or(0, |at| at + 7)..];
    let part = &part[..part.find('}').unwrap()];
    let declared = part.split(';').filter_map(|line| line.trim().strip_prefix("--")?.split_once(": #"));
    declared.map(|(name, hex)| (name.to_owned(), luminous(hex))).collect()
}

fn luminous(hex: &str) -> [f64; 3] {
    assert_eq!(hex.len(), 6, "{hex}");
    [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0)
}

fn luminance(colour: [f64; 3]) -> f64 {
    let linear = colour.map(|part| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

#[test]
fn the_measure_is_the_known_one() {
    assert!((contrast(luminous("000000"), luminous("ffffff")) - 21.0).abs() < 1e-9);
    assert!((contrast(luminous("777777"), luminous("ffffff")) - 4.478).abs() < 1e-3);
}

#[test]
fn every_text_can_be_read_in_light_in_dark_and_on_paper() {
    let modes = [("light", ""), ("dark", "prefers-color-scheme: dark"), ("paper", "@media print")];
    for (mode, after) in modes {
        let colours = colours(after);
        assert_eq!(colours.len(), 20, "{mode}: {:?}", colours.keys());
        for (pairs, least) in [(PAIRS, 4.5), (SHAPES, 3.0)] {
            for (text, grounds) in pairs {
                for ground in *grounds {
                    let measured = contrast(colours[*text], colours[*ground]);
                    assert!(measured >= least, "{mode}: {text} on {ground} is {measured:.2} to 1, not {least}");
                }
            }
        }
    }
}

#[test]
fn no_colour_of_a_text_is_left_out_of_the_check() {
    let named = |property: &str| -> BTreeSet<&str> {
        let uses = STYLE.split(property).skip(1).filter_map(|rest| rest.trim_start().strip_prefix("var(--"));
        uses.filter_map(|rest| rest.split(')').next()).collect()
    };
    let texts: BTreeSet<&str> = PAIRS.iter().map(|(text, _)| *text).collect();
    let grounds: BTreeSet<&str> = PAIRS.iter().flat_map(|(_, grounds)| *grounds).copied().collect();
    let used: BTreeSet<&str> = named(" color:").into_iter().chain(named("{color:")).collect();
    assert!(used.is_subset(&texts), "{:?}", used.difference(&texts));
    let behind = named("background:");
    assert!(behind.is_subset(&grounds), "{:?}", behind.difference(&grounds));
    // A colour that is not one of the palette would escape the check altogether.
    let bare = STYLE.split("\n").filter(|line| !line.trim_start().starts_with("--"));
    assert!(bare.clone().all(|line| !line.contains(": #") || line.contains("--")), "a colour by itself");
}

#[test]
fn the_style_sheet_cannot_end_its_element_and_fetches_nothing() {
    for part in ["</", "<!", "url(", "@import", "@font-face", "expression"] {
        assert!(!STYLE.contains(part), "{part}");
    }
}
