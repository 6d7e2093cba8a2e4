//! Characters: marks at the start, odd spaces, odd quotes, entities, line ends.

use super::{EITHER, Kind, LINES, PLAIN, RICH, free_of, kept, kind};
use crate::rng::Rng;
use crate::styles::bracketed::{JSON, Syntax, bracketed};
use crate::styles::{clean_yaml, either, json, json_line};
use crate::tree;

/// The leading spaces of each line, written in another way.
pub(crate) fn indents(text: &str, one: &str) -> String {
    let line = |line: &str| {
        let rest = line.trim_start_matches(' ');
        one.repeat(line.len() - rest.len()) + rest
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn sprinkled(text: &str, rng: &mut Rng) -> String {
    let marks = ['\u{200b}', '\u{200c}', '\u{2060}', '\u{feff}'];
    let mut out = String::new();
    for letter in text.chars() {
        out.push(letter);
        if letter == ' ' && rng.percent(15) {
            out.push(rng.pick(&marks));
        }
    }
    out
}

pub(crate) const KINDS: &[Kind] = &[
    kind("byte_order_mark", "characters", "a byte order mark at the start", EITHER, LINES, |v, r| {
        kept(v, format!("\u{feff}{}", either(v, r)))
    }),
    kind("nbsp_indent", "characters", "no-break spaces in place of indentation", EITHER, RICH, |v, r| {
        kept(v, indents(&either(v, r), "\u{a0}"))
    }),
    kind("nbsp_in_texts", "characters", "no-break spaces between words and after colons", EITHER, RICH, |v, r| {
        kept(v, either(v, r).replace(": ", ":\u{a0}").replace(" the ", "\u{a0}the\u{a0}"))
    }),
    kind("zero_width", "characters", "zero-width characters here and there", EITHER, RICH, |v, r| {
        let text = either(v, r);
        kept(v, format!("\u{200b}{}", sprinkled(&text, r)))
    }),
    kind("crlf", "characters", "line ends of Windows", EITHER, LINES, |v, r| {
        kept(v, either(v, r).replace('\n', "\r\n"))
    }),
    kind("smart_quotes", "characters", "typographic quotes around keys and texts", EITHER, RICH, |v, r| {
        free_of(v, "\"“”")?;
        let text = |text: &str| format!("“{text}”");
        let indent = r.pick(&[Some("  "), None]);
        kept(v, bracketed(v, &Syntax { key: text, text, indent, ..JSON }))
    }),
    kind(
        "smart_quotes_keys_only",
        "characters",
        "typographic quotes around keys, straight ones around texts",
        EITHER,
        RICH,
        |v, _| kept(v, bracketed(v, &Syntax { key: |key| format!("“{key}”"), ..JSON })),
    ),
    kind("fullwidth_punctuation", "characters", "commas and colons of full width", EITHER, RICH, |v, _| {
        kept(v, bracketed(v, &Syntax { colon: "：", comma: "，", ..JSON }))
    }),
    kind("html_entities", "characters", "quotes and brackets as entities", EITHER, RICH, |v, r| {
        let text = if r.percent(50) { json(v) } else { json_line(v) };
        let text = text.replace('&', "&amp;").replace('"', "&quot;").replace('\'', "&#39;").replace('<', "&lt;");
        kept(v, text)
    }),
    kind(
        "markdown_escaped_underscores",
        "characters",
        "underscores with a backslash before them",
        EITHER,
        PLAIN,
        |v, r| kept(v, either(v, r).replace('_', "\\_")),
    ),
    kind("double_escaped", "characters", "every quote and line break escaped once too often", EITHER, RICH, |v, r| {
        free_of(v, "\"\\")?;
        let text = if r.percent(50) {
            json(v).replace('"', "\\\"")
        } else {
            json(v).replace('"', "\\\"").replace('\n', "\\n")
        };
        kept(v, text)
    }),
    kind("raw_tabs_in_texts", "characters", "raw tabs inside strings", EITHER, PLAIN, |v, _| {
        let v = &tree::texts(v, |text| text.replacen(' ', "\t", 1));
        kept(v, bracketed(v, &Syntax { text: |text| format!("\"{text}\""), ..JSON }))
    }),
    kind("unicode_escapes", "characters", "every letter that is not ASCII as an escape", EITHER, LINES, |v, _| {
        let escape = |letter: char| {
            let mut units = [0; 2];
            letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>()
        };
        let text = json(v).chars().map(|c| if c.is_ascii() { c.to_string() } else { escape(c) }).collect::<String>();
        kept(v, text)
    }),
    kind("trailing_spaces", "characters", "spaces and tabs at the end of each line", EITHER, RICH, |v, r| {
        let tail = r.pick(&["  ", " \t", "\u{a0}"]);
        kept(v, clean_yaml(v).replace('\n', &format!("{tail}\n")))
    }),
];
