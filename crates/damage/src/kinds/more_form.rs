//! More characters, slips of JSON and languages.

use serde_json::Value;

use super::{EITHER, Kind, LINES, PLAIN, RICH, SEAT, free_of, kept, kind};
use crate::styles::bracketed::{JSON, Syntax, bare, bracketed, single};
use crate::styles::{either, json as json_text, json_line};
use crate::{Form, tree, values};

fn each_line(text: &str, change: impl FnMut(&str) -> String) -> String {
    text.lines().map(change).collect::<Vec<_>>().join("\n")
}

pub(crate) const KINDS: &[Kind] = &[
    kind("guillemets", "characters", "quotes of other countries around keys and texts", EITHER, RICH, |v, r| {
        free_of(v, "\"“”«»„")?;
        let text =
            if r.percent(50) { |text: &str| format!("«{text}»") } else { |text: &str| format!("„{text}“") };
        kept(v, bracketed(v, &Syntax { key: text, text, ..JSON }))
    }),
    kind("html_breaks", "characters", "a break element at the end of each line", EITHER, PLAIN, |v, r| {
        let mark = r.pick(&["<br>", "<br/>", "<br />"]);
        kept(v, each_line(&json_text(v), |line| format!("{line}{mark}")))
    }),
    kind("marks_in_keys", "characters", "invisible marks in keys", EITHER, RICH, |v, r| {
        let mark = r.pick(&["\u{200b}", "\u{feff}", "\u{2060}"]);
        kept(v, either(&tree::keys(v, |key| format!("{mark}{key}")), r))
    }),
    kind("leading_commas", "json", "commas at the start of lines", EITHER, LINES, |v, _| {
        let text = json_text(v).replace(",\n", "\n,");
        kept(v, text)
    }),
    kind("doubled_quotes", "json", "every quote doubled, as in a table", EITHER, RICH, |v, r| {
        free_of(v, "\"")?;
        let text = json_line(v).replace('"', "\"\"");
        kept(v, if r.percent(50) { format!("\"{text}\"") } else { text })
    }),
    kind("python_words", "json", "words of Python in JSON", EITHER, LINES, |v, r| {
        let v = &tree::set(
            v,
            if values::form(v) == Form::Participant { "context_challenge" } else { "next_focus" },
            Value::Null,
        );
        kept(v, bracketed(v, &Syntax { null: r.pick(&["None", "undefined", "nil", "NULL", "Null"]), ..JSON }))
    }),
    kind("mixed_quotes", "json", "single quotes for keys, double ones for texts", EITHER, LINES, |v, r| {
        if r.percent(50) {
            kept(v, bracketed(v, &Syntax { key: single, ..JSON }))
        } else {
            kept(v, bracketed(v, &Syntax { text: single, ..JSON }))
        }
    }),
    kind("constructor_call", "languages", "a call with named arguments", SEAT, RICH, |v, r| {
        let syntax = Syntax { key: bare, colon: "=", map: ("(", ")"), null: "None", ..JSON };
        kept(v, format!("{}{}", r.pick(&["ParticipantResponse", "Response", "Answer"]), bracketed(v, &syntax)))
    }),
    kind("ruby_symbols", "languages", "a hash with symbols", EITHER, RICH, |v, r| {
        let key = |key: &str| if key.contains('-') { format!("\"{key}\"") } else { key.to_owned() };
        let arrow = |key: &str| if key.contains('-') { format!("\"{key}\"") } else { format!(":{key}") };
        if r.percent(50) {
            kept(v, bracketed(v, &Syntax { key, null: "nil", ..JSON }))
        } else {
            kept(v, bracketed(v, &Syntax { key: arrow, colon: " => ", null: "nil", ..JSON }))
        }
    }),
];
