//! More YAML with a slip.

use super::json::main_key;
use serde_json::Value;

use super::{EITHER, Kind, PLAIN, RICH, SEAT, kept, kind};
use crate::styles::yaml::{Yaml, yaml};
use crate::styles::{clean_yaml, json_line};
use crate::{Form, tree, values, words};

pub(crate) fn bulleted(value: &Value, bullet: fn(usize) -> String) -> String {
    yaml(value, &Yaml { bullet, ..Yaml::CLEAN })
}

/// The YAML with the main text written as it stands here, after `: `.
pub(crate) fn with_main(value: &Value, written: &str) -> String {
    clean_yaml(&tree::set(value, main_key(value), "MAIN")).replacen(": MAIN", written, 1)
}

pub(crate) fn lists(value: &Value) -> [&'static str; 2] {
    if values::form(value) == Form::Participant {
        ["rationale", "concerns"]
    } else {
        ["consensus", "context_challenges"]
    }
}

pub(crate) const KINDS: &[Kind] = &[
    kind("long_dashes", "yaml", "long dashes as bullets", EITHER, RICH, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |_| "– ".to_owned()))
        } else {
            kept(v, bulleted(v, |_| "— ".to_owned()))
        }
    }),
    kind("number_bullets_in_brackets", "yaml", "numbers in brackets as bullets", SEAT, PLAIN, |v, r| {
        if r.percent(50) {
            kept(v, bulleted(v, |at| format!("({}) ", at + 1)))
        } else {
            kept(v, bulleted(v, |at| format!("- {}. ", at + 1)))
        }
    }),
    kind("rest_out_of_line", "yaml", "all but the first key stand further right", EITHER, RICH, |v, _| {
        let text = clean_yaml(v);
        kept(v, text.trim_end().replace('\n', "\n  "))
    }),
    kind("block_indicators", "yaml", "rare indicators after the bar", EITHER, PLAIN, |v, r| {
        let (one, two) = (words::plain(r), words::rich(r));
        let (mark, gap) = r.pick(&[("|+", "\n"), ("|2-", "\n"), (">+", " "), ("| # as asked", "\n"), (">", " ")]);
        let truth = tree::set(v, main_key(v), format!("{one}.{gap}{two}."));
        kept(&truth, with_main(v, &format!(": {mark}\n  {one}.\n  {two}.")))
    }),
    kind("open_quote_only", "yaml", "a text with an opening quote and no closing one", EITHER, PLAIN, |v, _| {
        kept(v, with_main(v, &format!(": \"{}", tree::text(v, main_key(v)))))
    }),
    kind("odd_starts", "yaml", "texts that start with a mark of YAML", EITHER, PLAIN, |v, r| {
        let starts = [
            "[WIP] the plan is not final",
            "*not* a blocker for us",
            "{id} must stay in the path",
            "#1 priority is the audit",
            "!important rules win",
            "&-signs break the export",
            "? is not an answer",
            "> 5 ms is too slow",
            "| pipes confuse the parser",
            "100% of it, not less",
        ];
        let v = &tree::texts_of(v, &[main_key(v), lists(v)[0]], |_| r.pick(&starts).to_owned());
        kept(v, yaml(v, &Yaml::PLAIN))
    }),
    kind("empty_document_first", "yaml", "an empty document before the answer", EITHER, RICH, |v, r| {
        kept(v, format!("---\n{}---\n{}", r.pick(&["", "\n", "# answer\n"]), clean_yaml(v)))
    }),
    kind("json_in_block", "yaml", "JSON in a block under a key", EITHER, RICH, |v, _| {
        kept(v, format!("response: |\n  {}\n", json_line(v)))
    }),
];
