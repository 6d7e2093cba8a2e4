//! Every clean way to write a value; each style says which texts and which form it can carry.

pub mod bracketed;
pub mod markdown;
pub mod xml;
pub mod yaml;

use serde_json::Value;

use crate::rng::Rng;
use crate::words::Texts;
use bracketed::{JSON, Syntax, bracketed};
use yaml::{Yaml, yaml};

/// One clean way to write.
#[derive(Debug)]
pub struct Style {
    /// Its name.
    pub name: &'static str,
    /// The most its texts may hold.
    pub carries: Texts,
    /// Whether it can carry a facilitator's value, with objects in lists.
    pub nested: bool,
    /// Writes a value.
    pub write: fn(&Value, &mut Rng) -> String,
}

/// JSON on many lines.
pub fn json(value: &Value) -> String {
    bracketed(value, &JSON)
}

/// JSON on one line, with a space after commas.
pub fn json_line(value: &Value) -> String {
    bracketed(value, &Syntax { indent: None, ..JSON })
}

/// YAML as a careful model writes it: plain where it may be, quoted where it must.
pub fn clean_yaml(value: &Value) -> String {
    yaml(value, &Yaml::CLEAN)
}

/// JSON or YAML, by chance.
pub fn either(value: &Value, rng: &mut Rng) -> String {
    match rng.below(5) {
        0 | 1 => json(value),
        2 => json_line(value),
        _ => clean_yaml(value),
    }
}

/// The clean styles.
pub const STYLES: &[Style] = &[
    Style { name: "json_pretty", carries: Texts::Lines, nested: true, write: |value, _| json(value) },
    Style {
        name: "json_four_spaces",
        carries: Texts::Lines,
        nested: true,
        write: |value, _| bracketed(value, &Syntax { indent: Some("    "), ..JSON }),
    },
    Style {
        name: "json_tabs",
        carries: Texts::Lines,
        nested: true,
        write: |value, _| bracketed(value, &Syntax { indent: Some("\t"), ..JSON }),
    },
    Style { name: "json_line", carries: Texts::Lines, nested: true, write: |value, _| json_line(value) },
    Style { name: "json_compact", carries: Texts::Lines, nested: true, write: |value, _| value.to_string() },
    Style { name: "yaml_clean", carries: Texts::Lines, nested: true, write: |value, _| clean_yaml(value) },
    Style {
        name: "yaml_double_quoted",
        carries: Texts::Lines,
        nested: true,
        write: |value, _| yaml(value, &Yaml { text: yaml::double, ..Yaml::CLEAN }),
    },
    Style {
        name: "yaml_single_quoted",
        carries: Texts::Rich,
        nested: true,
        write: |value, _| yaml(value, &Yaml { text: yaml::single, ..Yaml::CLEAN }),
    },
    Style {
        name: "yaml_literal",
        carries: Texts::Lines,
        nested: true,
        write: |value, _| yaml(value, &Yaml { text: yaml::literal, ..Yaml::CLEAN }),
    },
    Style {
        name: "yaml_folded",
        carries: Texts::Rich,
        nested: true,
        write: |value, _| yaml(value, &Yaml { text: yaml::folded, ..Yaml::CLEAN }),
    },
    Style {
        name: "yaml_list_not_indented",
        carries: Texts::Lines,
        nested: true,
        write: |value, _| yaml(value, &Yaml { list_indent: 0, ..Yaml::CLEAN }),
    },
    Style { name: "yaml_flow_lists", carries: Texts::Lines, nested: true, write: |value, _| yaml::flow_lists(value) },
    Style {
        name: "markdown_headings",
        carries: Texts::Rich,
        nested: false,
        write: |value, rng| markdown::headings(value, rng.pick(&["#", "##", "###"]), markdown::title),
    },
    Style {
        name: "markdown_bold_keys",
        carries: Texts::Rich,
        nested: false,
        write: |value, _| markdown::bold(value, |key| format!("**{}:**", markdown::title(key))),
    },
    Style { name: "markdown_bullets", carries: Texts::Rich, nested: false, write: |value, _| markdown::bullets(value) },
    Style { name: "xml_fields", carries: Texts::Rich, nested: true, write: |value, _| xml::fields(value, "response") },
];
