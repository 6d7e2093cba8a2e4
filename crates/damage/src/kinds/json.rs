//! JSON with a slip: commas, quotes, brackets, comments, escapes.

use super::{EITHER, Kind, LINES, PLAIN, RICH, SEAT, free_of, kept, kind};
use crate::Form;
use crate::styles::bracketed::{JSON, Syntax, backtick, bare, bracketed, python, quoted, raw, single};
use crate::styles::{json, json_line};
use crate::{tree, values, words};

/// The field that carries the main text.
pub(crate) fn main_key(value: &serde_json::Value) -> &'static str {
    if values::form(value) == Form::Participant { "position" } else { "synthesis" }
}

fn backslashed(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

fn triple(text: &str) -> String {
    if text.contains('\n') { format!("\"\"\"{text}\"\"\"") } else { quoted(text) }
}

pub(crate) const KINDS: &[Kind] = &[
    kind("trailing_commas", "json", "a comma after the last field or item", EITHER, LINES, |v, r| {
        let indent = r.pick(&[Some("  "), None]);
        kept(v, bracketed(v, &Syntax { last: ",", indent, ..JSON }))
    }),
    kind("single_quotes", "json", "single quotes, apostrophes escaped", EITHER, LINES, |v, _| {
        kept(v, bracketed(v, &Syntax { key: single, text: single, ..JSON }))
    }),
    kind("single_quotes_bare_apostrophes", "json", "single quotes, apostrophes not escaped", EITHER, PLAIN, |v, r| {
        let v = &tree::texts_of(v, &[main_key(v), "rationale", "consensus"], |_| words::apostrophe(r));
        let text = |text: &str| format!("'{text}'");
        kept(v, bracketed(v, &Syntax { key: single, text, ..JSON }))
    }),
    kind("python_literal", "json", "a dict as Python prints it", EITHER, LINES, |v, _| {
        kept(v, bracketed(v, &Syntax { key: python, text: python, null: "None", indent: None, ..JSON }))
    }),
    kind("unquoted_keys", "json", "keys without quotes", EITHER, LINES, |v, r| {
        let indent = r.pick(&[Some("  "), None]);
        kept(v, bracketed(v, &Syntax { key: bare, indent, ..JSON }))
    }),
    kind("unquoted_values", "json", "texts without quotes, one on a line", EITHER, PLAIN, |v, r| {
        let key = r.pick(&[quoted as fn(&str) -> String, bare]);
        kept(v, bracketed(v, &Syntax { key, text: bare, ..JSON }))
    }),
    kind("missing_final_closer", "json", "the last brace is missing, all fields are there", EITHER, LINES, |v, _| {
        let text = json(v);
        kept(v, text.trim_end_matches('}').trim_end())
    }),
    kind("extra_closers", "json", "a closer too many", EITHER, LINES, |v, r| {
        kept(v, json(v) + r.pick(&["}", "]}", "\n}", "\n]"]))
    }),
    kind("mismatched_closer", "json", "a list closed with a brace", EITHER, LINES, |v, _| {
        let text = json(v);
        let at = text.find("\n  ],")?;
        kept(v, format!("{}\n  }},{}", &text[..at], &text[at + 5..]))
    }),
    kind("unescaped_inner_quotes", "json", "quotes inside a text are not escaped", EITHER, PLAIN, |v, r| {
        let v = &tree::texts_of(v, &[main_key(v), "context_challenge", "recommendation"], |_| words::quotes(r));
        kept(v, bracketed(v, &Syntax { text: raw, ..JSON }))
    }),
    kind("invalid_escapes", "json", "backslashes of paths and patterns are not escaped", EITHER, PLAIN, |v, r| {
        let odd = [
            "Files under C:\\data\\sets stay",
            "Match \\d+\\s* first",
            "The rule \\w+@\\w+ is too wide",
            "See D:\\work\\src",
        ];
        let v = &tree::texts_of(v, &["rationale", "consensus", "concerns"], |_| r.pick(&odd).to_owned());
        kept(v, bracketed(v, &Syntax { text: backslashed, ..JSON }))
    }),
    kind("backtick_strings", "json", "texts between backticks, line breaks raw", EITHER, LINES, |v, _| {
        free_of(v, "`$")?;
        kept(v, bracketed(v, &Syntax { key: bare, text: backtick, ..JSON }))
    }),
    kind("triple_quotes", "json", "a text of several lines between three quotes", EITHER, PLAIN, |v, r| {
        let v = &tree::set(v, main_key(v), format!("{}.\n{}", words::plain(r), words::quotes(r)));
        kept(v, bracketed(v, &Syntax { text: triple, ..JSON }))
    }),
    kind("semicolons", "json", "semicolons in place of commas", EITHER, RICH, |v, _| {
        kept(v, bracketed(v, &Syntax { comma: ";", ..JSON }))
    }),
    kind("double_braces", "json", "two braces around, as in a template", EITHER, LINES, |v, _| {
        kept(v, format!("{{{}}}", json(v)))
    }),
    kind("line_comments", "json", "comments after two slashes", EITHER, RICH, |v, r| {
        let notes = [" // see above", " // my own estimate", ""];
        let text: Vec<String> = json(v).lines().map(|line| format!("{line}{}", r.pick(&notes))).collect();
        kept(v, text.join("\n"))
    }),
    kind("block_comments", "json", "comments between /* and */", EITHER, RICH, |v, r| {
        let notes = ["/* required */ ", "/* see the format */ ", ""];
        let line = |line: &str| {
            let rest = line.trim_start();
            let note = if rest.starts_with('"') { r.pick(&notes) } else { "" };
            format!("{}{note}{rest}", &line[..line.len() - rest.len()])
        };
        kept(v, json(v).lines().map(line).collect::<Vec<_>>().join("\n"))
    }),
    kind("missing_commas", "json", "commas at line ends left out", EITHER, LINES, |v, r| {
        let all = r.percent(40);
        let line = |line: &str| {
            let drop = line.ends_with(',') && (all || r.percent(40));
            if drop { line.trim_end_matches(',').to_owned() } else { line.to_owned() }
        };
        kept(v, json(v).lines().map(line).collect::<Vec<_>>().join("\n"))
    }),
    kind("raw_newlines", "json", "line breaks inside strings are raw", EITHER, LINES, |v, r| {
        let v = &tree::set(v, main_key(v), words::lines(r));
        kept(v, bracketed(v, &Syntax { text: |text| quoted(text).replace("\\n", "\n"), ..JSON }))
    }),
    kind("missing_closing_quote", "json", "one text lacks its closing quote at the line end", EITHER, PLAIN, |v, _| {
        let (text, main) = (json(v), quoted(tree::text(v, main_key(v))));
        kept(v, text.replacen(&format!("{main},"), &format!("{},", main.trim_end_matches('"')), 1))
    }),
    kind("missing_opening_quote", "json", "one text lacks its opening quote", EITHER, PLAIN, |v, _| {
        let (text, main) = (json(v), quoted(tree::text(v, main_key(v))));
        kept(v, text.replacen(&format!(": {main}"), &format!(": {}", main.trim_start_matches('"')), 1))
    }),
    kind("double_commas", "json", "two commas in a row", EITHER, LINES, |v, r| {
        let line = |line: &str| if line.ends_with(',') && r.percent(30) { format!("{line},") } else { line.to_owned() };
        kept(v, json(v).lines().map(line).collect::<Vec<_>>().join("\n"))
    }),
    kind("equals_for_colon", "json", "an equals sign in place of the colon", EITHER, RICH, |v, _| {
        kept(v, bracketed(v, &Syntax { key: bare, colon: " = ", ..JSON }))
    }),
    kind("no_outer_braces", "json", "the fields of an object without its braces", EITHER, LINES, |v, _| {
        let text = json(v);
        let inner = text.strip_prefix('{')?.strip_suffix('}')?.trim_matches('\n');
        kept(v, inner)
    }),
    kind("list_not_closed", "json", "a list lacks its closer before the next key", EITHER, LINES, |v, _| {
        let text = json(v);
        let at = text.find("\n  ],\n  \"")?;
        kept(v, format!("{},{}", &text[..at], &text[at + 5..]))
    }),
    kind("numbers_as_written", "json", "a plus, a missing zero, too many zeros in the number", SEAT, RICH, |v, r| {
        let number = v.get("confidence")?.as_f64()?;
        let written = match r.below(3) {
            0 => format!("+{number}"),
            1 => format!("{number}").trim_start_matches('0').to_owned(),
            _ => format!("{number:.4}"),
        };
        kept(v, json_line(&tree::set(v, "confidence", "NUMBER")).replace("\"NUMBER\"", &written))
    }),
];
