//! Puts the entry for this server into a host's settings file, and leaves the rest of the file as it is.
//! Given the text of a file and a [`Shape`]; hands on the new text, or why it was left alone. Comments, order and layout of
//! what was there stay. Deliberately absent: files, questions.

use jsonc_parser::cst::{CstInputValue, CstRootNode};
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::{Map, Value, json};

use super::hosts::{Language, NAME, Shape};

/// What became of a text.
#[derive(Debug, PartialEq, Eq)]
pub enum Edited {
    /// The entry stands there word for word.
    Same,
    /// Another entry has the name.
    Taken,
    /// The new text.
    New(String),
}

/// A file that holds the entry and nothing else.
pub fn alone(shape: &Shape) -> String {
    let whole = json!({ shape.section: { NAME: &shape.entry } });
    match shape.language {
        Language::Json => format!("{whole:#}\n"),
        Language::Toml => toml_table(shape),
        Language::Yaml => format!("{}:\n{}", shape.section, yaml_entry(shape, "  ")),
    }
}

/// A file's text with the entry. The error says what is wrong with the text.
pub fn with_entry(text: &str, shape: &Shape) -> Result<Edited, String> {
    if text.trim().is_empty() {
        return Ok(Edited::New(alone(shape)));
    }
    match shape.language {
        Language::Json => in_json(text, shape),
        Language::Toml => in_toml(text, shape),
        Language::Yaml => in_yaml(text, shape),
    }
}

fn in_json(text: &str, shape: &Shape) -> Result<Edited, String> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(|flaw| flaw.to_string())?;
    let whole = root.object_value().ok_or("it is not an object")?;
    let servers = match whole.get(shape.section) {
        None => whole.object_value_or_set(shape.section),
        Some(there) => there.object_value().ok_or_else(|| format!("its `{}` is not an object", shape.section))?,
    };
    if servers.get(NAME).is_some() {
        let says: Value = parse_to_serde_value(text, &ParseOptions::default()).map_err(|flaw| flaw.to_string())?;
        return Ok(if says[shape.section][NAME] == shape.entry { Edited::Same } else { Edited::Taken });
    }
    servers.append(NAME, input(&shape.entry));
    Ok(Edited::New(root.to_string()))
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(truth) => CstInputValue::Bool(*truth),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

fn in_toml(text: &str, shape: &Shape) -> Result<Edited, String> {
    let whole: toml_edit::DocumentMut = text.parse().map_err(|flaw: toml_edit::TomlError| flaw.to_string())?;
    let there = match whole.get(shape.section) {
        None => None,
        Some(servers) => {
            let servers = servers.as_table_like().ok_or_else(|| format!("its `{}` is not a table", shape.section))?;
            if servers.is_empty() || whole[shape.section].is_table() {
                servers.get(NAME)
            } else {
                return Err(format!("its `{}` is written in one line", shape.section));
            }
        }
    };
    if there.is_some() {
        let own = toml_table(shape);
        let same = own.trim().lines().all(|line| text.lines().any(|other| other.trim() == line));
        return Ok(if same { Edited::Same } else { Edited::Taken });
    }
    Ok(Edited::New(format!("{}\n\n{}", text.trim_end(), toml_table(shape))))
}

/// JSON's strings, numbers and lists of strings are written alike in TOML.
fn toml_table(shape: &Shape) -> String {
    let mut table = format!("[{}.{NAME}]\n", shape.section);
    for (name, value) in fields(&shape.entry) {
        table.push_str(&format!("{name} = {value}\n"));
    }
    table
}

fn in_yaml(text: &str, shape: &Shape) -> Result<Edited, String> {
    let value = |text: &str| s2s::yaml::to_value(text).map_err(|flaw| flaw.to_string());
    let whole = value(text)?;
    match &whole[shape.section] {
        Value::Null | Value::Object(_) => {}
        _ => return Err(format!("its `{}` is not a map", shape.section)),
    }
    let there = &whole[shape.section][NAME];
    if !there.is_null() {
        return Ok(if *there == shape.entry { Edited::Same } else { Edited::Taken });
    }
    let head = format!("{}:", shape.section);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    match lines.iter().position(|line| line.trim_end() == head) {
        Some(at) => {
            let inside = lines[at + 1..].iter().find(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
            let indent: String = inside.map_or(String::new(), |line| line.chars().take_while(|c| *c == ' ').collect());
            let indent = if indent.is_empty() { "  ".to_owned() } else { indent };
            lines.insert(at + 1, yaml_entry(shape, &indent).trim_end().to_owned());
        }
        None => lines.push(alone(shape).trim_end().to_owned()),
    }
    let new = lines.join("\n") + "\n";
    // The text was edited by lines: what it says now has to be what it said, and the entry.
    let mut expected = if whole.is_null() { Value::Object(Map::new()) } else { whole };
    expected[shape.section][NAME] = shape.entry.clone();
    match value(&new) {
        Ok(says) if says == expected => Ok(Edited::New(new)),
        _ => Err("it is laid out in a way that cannot be edited by program".to_owned()),
    }
}

/// JSON's strings, numbers and lists are written alike in YAML.
fn yaml_entry(shape: &Shape, indent: &str) -> String {
    let mut entry = format!("{indent}{NAME}:\n");
    for (name, value) in fields(&shape.entry) {
        entry.push_str(&format!("{indent}  {name}: {value}\n"));
    }
    entry
}

fn fields(entry: &Value) -> impl Iterator<Item = (&String, &Value)> {
    entry.as_object().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::super::hosts::shape;
    use super::*;
    use crate::args::Client;

    fn new(text: &str, client: Client) -> String {
        match with_entry(text, &shape(client)).unwrap() {
            Edited::New(text) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn comments_order_and_other_servers_stay() {
        let text =
            "{\n  // mine\n  \"mcpServers\": {\n    \"other\": { \"command\": \"x\" } // keep\n  },\n  \"a\": 1\n}\n";
        let edited = new(text, Client::Claude);
        assert!(edited.contains("// mine") && edited.contains("// keep") && edited.contains("\"a\": 1"), "{edited}");
        assert!(edited.contains("\"s2s\""), "{edited}");
        assert_eq!(with_entry(&edited, &shape(Client::Claude)), Ok(Edited::Same));
    }

    #[test]
    fn every_host_takes_an_empty_file_and_knows_its_own_entry_again() {
        for client in [Client::Claude, Client::Cursor, Client::Vscode, Client::Codex, Client::Zed, Client::Goose] {
            let edited = new("", client);
            assert_eq!(with_entry(&edited, &shape(client)), Ok(Edited::Same), "{client:?}: {edited}");
        }
    }

    #[test]
    fn another_entry_of_the_name_is_left_alone() {
        let taken = [
            (Client::Vscode, "{\"servers\": {\"s2s\": {\"command\": \"mine\"}}}"),
            (Client::Codex, "[mcp_servers.s2s]\ncommand = \"mine\"\n"),
            (Client::Goose, "extensions:\n  s2s:\n    cmd: mine\n"),
        ];
        for (client, text) in taken {
            assert_eq!(with_entry(text, &shape(client)), Ok(Edited::Taken), "{client:?}");
        }
    }

    #[test]
    fn toml_and_yaml_keep_what_was_there() {
        let toml = "# mine\nmodel = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\"\n";
        let edited = new(toml, Client::Codex);
        assert!(edited.starts_with(toml.trim_end()) && edited.contains("[mcp_servers.s2s]\n"), "{edited}");
        let yaml = "# mine\nGOOSE_MODEL: m\nextensions:\n    developer:\n        enabled: true\n";
        let edited = new(yaml, Client::Goose);
        assert!(edited.contains("# mine\n") && edited.contains("    s2s:\n      name: \"s2s\"\n"), "{edited}");
    }

    #[test]
    fn a_file_that_cannot_be_edited_is_refused_with_the_reason() {
        for (client, text) in [
            (Client::Cursor, "[1, 2]"),
            (Client::Cursor, "{\"mcpServers\": 3}"),
            (Client::Cursor, "{ broken"),
            (Client::Codex, "mcp_servers = 3"),
            (Client::Codex, "= broken"),
            (Client::Goose, "extensions: [a]"),
            (Client::Goose, "extensions: {developer: {enabled: true}}"),
        ] {
            assert!(with_entry(text, &shape(client)).is_err(), "{client:?}: {text}");
        }
    }
}
