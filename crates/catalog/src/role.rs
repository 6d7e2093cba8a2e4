//! Reads a role: a Markdown file whose frontmatter says who it is and whose text is what a model is
//! told about it. Given: text of a role file, or of a foreign agent file under `.claude/agents/`.
//! Hands on: a [`Role`]. Both kinds of file are as untrusted as any text of a project: what is too long, or holds
//! what nobody would see on a screen, is a misfit. Deliberately absent: models and seats; a role becomes a seat
//! elsewhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use s2s_yaml::node::{Fields, Kind, Misfit, Misfits, Node, printable, read};
use serde::Serialize;

use crate::catalog::FOREIGN_PREFIX;
use crate::strategy::{named_as_file, one_line};

const KEYS: &[&str] = &["name", "title", "description", "model", "skills", "weighs", "checklist", "blocks", "voice"];
/// Keys of other tools that a role file may carry; they mean nothing here.
const IGNORED: &[&str] = &["color", "tools"];
const EXPECTED: &str = "a first line `---`, the keys name and description, a line `---`, then text";

/// The longest text of a role, in bytes: it is sent with every question.
pub const MAX_ROLE_BYTES: usize = 64 << 10;
/// The longest title, in characters: it stands in minutes, prompts and documents.
const MAX_TITLE_CHARS: usize = 80;
/// The longest name of an agent file: with the prefix it names a seat.
const MAX_NAME_BYTES: usize = 64;

/// Who sits at the table, before a model is chosen for them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Role {
    /// The file's name, or `project:NAME` for an agent file of the project.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// What they bring, in one sentence.
    pub description: String,
    /// The model the file asks for.
    pub model: Option<String>,
    /// Skills the file names.
    pub skills: Vec<String>,
    /// How much each criterion counts for them, from 0 to 5; used by the offline panel.
    pub weighs: BTreeMap<String, f64>,
    /// What they ask when nothing else is known.
    pub checklist: Vec<String>,
    /// What they would not accept.
    pub blocks: Vec<String>,
    /// How their sentences may begin, as clauses before a comma; used by the offline panel.
    pub voice: Vec<String>,
    /// The text below the frontmatter.
    pub body: Arc<str>,
}

impl Role {
    /// Reads the text of a role's own file, `name.md`.
    ///
    /// # Errors
    /// All that is wrong with it, by line.
    pub fn parse(name: &str, text: &str) -> Result<Self, Vec<Misfit>> {
        read_role(name, text)
    }
}

/// Reads the role that the file `name.md` holds.
pub fn read_role(name: &str, text: &str) -> Result<Role, Vec<Misfit>> {
    let (head, body) = split(text).map_err(|misfit| vec![misfit])?;
    let root = read(&head).map_err(|flaw| vec![flaw.into()])?;
    let mut misfits = Misfits::default();
    let role = match misfits.keep(root.fields()) {
        Some(top) => {
            let known = [KEYS, IGNORED].concat();
            let unknown = top.unknown(&known).into_iter();
            misfits.0.extend(unknown.map(|m| Misfit { allowed: Some(KEYS.join(", ")), ..m }));
            misfits.keep(named_as_file(&top, name));
            misfits.keep(top.required("description").and_then(Node::text));
            role(&top, nobody(name, name, body), &mut misfits)
        }
        None => None,
    };
    check_text(text, body, &mut misfits);
    misfits.into_result(role)
}

/// Reads an agent file that was written for another tool. Its frontmatter is often not quite YAML
/// (a description with colons in it), so what cannot be read as such is read line by line.
pub fn read_foreign_role(name: &str, text: &str) -> Result<Role, Vec<Misfit>> {
    let id = format!("{FOREIGN_PREFIX}{name}");
    let (head, body) = split(text).map_err(|misfit| vec![misfit])?;
    let mut misfits = Misfits::default();
    if !can_be_seated(name) {
        misfits.add(Misfit {
            line: 0,
            column: 0,
            what: format!("no seat can be called `project:{}`; rename the file", printable(name)),
            allowed: Some(format!("letters, digits, `-`, `_` and `.`, at most {MAX_NAME_BYTES}")),
        });
    }
    let tree = read(&head).ok();
    let read_as_yaml = tree.as_ref().and_then(|root| root.fields().ok());
    let found = match read_as_yaml {
        Some(top) => role(&top, nobody(&id, name, body), &mut misfits),
        None => Some(Role {
            description: one_line(line_value(&head, "description").unwrap_or_default()),
            model: line_value(&head, "model").and_then(chosen_model),
            ..nobody(&id, name, body)
        }),
    };
    check_text(text, body, &mut misfits);
    misfits.into_result(found)
}

/// The keys of a file's frontmatter that mean nothing here: other tools' words, such as `tools`. In order.
pub(crate) fn ignored_keys(text: &str) -> Vec<String> {
    let Ok((head, _)) = split(text) else { return Vec::new() };
    let tree = read(&head).ok();
    let keys: Vec<String> = match tree.as_ref().and_then(|root| root.fields().ok()) {
        Some(top) => top.entries().iter().map(|entry| entry.key.clone()).collect(),
        None => head.lines().filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect(),
    };
    let is_word = |key: &String| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    keys.into_iter().filter(|key| is_word(key) && !KEYS.contains(&key.as_str())).collect()
}

/// What holds for the whole file: there is a text, it is not too long, and a person can see all of it. What a
/// person who reads the file would not see must not reach a model either.
fn check_text(text: &str, body: &str, misfits: &mut Misfits) {
    if body.trim().is_empty() {
        misfits.add(no_body(text));
    }
    if body.len() > MAX_ROLE_BYTES {
        let line = line_at(text, text.len() - body.len());
        let what = format!("the role's text has {} bytes; it is sent with every question", body.len());
        misfits.add(Misfit { line, column: 1, what, allowed: Some(format!("at most {MAX_ROLE_BYTES} bytes")) });
    }
    if let Some((at, hidden)) = text.char_indices().find(|(_, c)| is_hidden(*c)) {
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let column = u32::try_from(text[start..at].chars().count() + 1).unwrap_or(u32::MAX);
        misfits.add(Misfit { line: line_at(text, at), column, what: unseen(hidden), allowed: None });
    }
}

fn line_at(text: &str, at: usize) -> u32 {
    u32::try_from(text[..at].matches('\n').count() + 1).unwrap_or(u32::MAX)
}

fn unseen(hidden: char) -> String {
    format!("U+{:04X} stands here, which nobody sees and a terminal or a model may obey; take it out", hidden as u32)
}

/// Controls, overrides of the direction, and what is invisible without meaning anything to a script.
fn is_hidden(c: char) -> bool {
    let control = c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let nothing = matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}');
    control || turns || nothing
}

/// Whether a seat can be called after this agent file.
fn can_be_seated(name: &str) -> bool {
    name.len() <= MAX_NAME_BYTES
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// A value in one line; none of it hidden, however it was written.
fn seen(node: &Node) -> Result<String, Misfit> {
    let text = one_line(node.text()?);
    match text.chars().find(|c| is_hidden(*c)) {
        Some(hidden) => Err(node.misfit(unseen(hidden))),
        None => Ok(text),
    }
}

/// What the frontmatter says, over a role that says nothing.
fn role(top: &Fields<'_>, nobody: Role, misfits: &mut Misfits) -> Option<Role> {
    // Another tool takes a key without a value as if it were not there.
    let foreign = nobody.id.starts_with(FOREIGN_PREFIX);
    let given = |key: &str| top.get(key).filter(|node| !(foreign && node.is_nothing()));
    let mut text = |key: &str| match given(key) {
        Some(node) => misfits.keep(seen(node)),
        None => Some(String::new()),
    };
    let (title, description, model) = (text("title"), text("description"), text("model"));
    if let Some(node) = top.get("title")
        && title.as_ref().is_some_and(|title| title.chars().count() > MAX_TITLE_CHARS)
    {
        let allowed = Some(format!("at most {MAX_TITLE_CHARS} characters"));
        misfits.add(Misfit { allowed, ..node.misfit("the title is too long") });
    }
    let skills = misfits.keep(given("skills").map_or(Ok(Vec::new()), skills));
    let weighs = given("weighs").map(|node| weighs(node, misfits)).unwrap_or_default();
    let mut list = |key: &str| match given(key) {
        Some(node) => misfits.keep(node.items().and_then(|items| items.iter().map(seen).collect())),
        None => Some(Vec::new()),
    };
    let (checklist, blocks, voice) = (list("checklist"), list("blocks"), list("voice"));
    Some(Role {
        title: title.filter(|title| !title.is_empty()).unwrap_or(nobody.title),
        description: description?,
        model: chosen_model(&model?),
        skills: skills?,
        weighs,
        checklist: checklist?,
        blocks: blocks?,
        voice: voice?,
        ..nobody
    })
}

fn nobody(id: &str, name: &str, body: &str) -> Role {
    Role {
        id: id.to_owned(),
        title: title_of(name),
        description: String::new(),
        model: None,
        skills: Vec::new(),
        weighs: BTreeMap::new(),
        checklist: Vec::new(),
        blocks: Vec::new(),
        voice: Vec::new(),
        body: body.trim().into(),
    }
}

/// `inherit` is another tool's word for "no model of its own".
fn chosen_model(model: &str) -> Option<String> {
    let model = model.trim();
    (!model.is_empty() && model != "inherit").then(|| model.to_owned())
}

fn skills(node: &Node) -> Result<Vec<String>, Misfit> {
    match &node.kind {
        Kind::Seq(_) => node.texts(),
        Kind::Scalar { text, .. } if text.trim().is_empty() => Ok(Vec::new()),
        _ => {
            let parts = node.text()?.split(',').map(str::trim).filter(|part| !part.is_empty());
            Ok(parts.map(str::to_owned).collect())
        }
    }
}

/// Any criterion is taken: a project's playbook may have its own. The check of the whole catalog
/// says which ones no playbook names.
fn weighs(node: &Node, misfits: &mut Misfits) -> BTreeMap<String, f64> {
    let Some(fields) = misfits.keep(node.fields()) else { return BTreeMap::new() };
    let mut weights = BTreeMap::new();
    for entry in fields.entries() {
        if let Some(weight) = misfits.keep(entry.value.number(0.0..=5.0)) {
            weights.insert(entry.key.clone(), weight);
        }
    }
    weights
}

fn title_of(name: &str) -> String {
    let words = name.split(['-', '_']).filter(|word| !word.is_empty()).map(|word| {
        let mut chars = word.chars();
        let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        first + chars.as_str()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Parts a file into frontmatter and text. The frontmatter keeps its lines: the `---` above it
/// becomes an empty line, so that a misfit in line 3 is in line 3 of the file.
fn split(text: &str) -> Result<(String, &str), Misfit> {
    let misfit =
        |line, what: &str| Misfit { line, column: 1, what: what.to_owned(), allowed: Some(EXPECTED.to_owned()) };
    let mut head = String::from("\n");
    let mut rest = text;
    for number in 1u32.. {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let fence = line.trim_end() == "---";
        match (number, fence) {
            (1, false) => return Err(misfit(1, "there is no frontmatter")),
            (1, true) => {}
            (_, true) => return Ok((head, after)),
            (_, false) => {
                head.push_str(line);
                head.push('\n');
            }
        }
        if after.is_empty() {
            return Err(misfit(number, "the frontmatter has no end"));
        }
        rest = after;
    }
    Err(misfit(1, "the frontmatter has no end"))
}

fn no_body(text: &str) -> Misfit {
    let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    Misfit {
        line: lines.max(1),
        column: 1,
        what: "the role has no text below its frontmatter".to_owned(),
        allowed: None,
    }
}

fn line_value<'t>(head: &'t str, key: &str) -> Option<&'t str> {
    let value = |line: &'t str| line.strip_prefix(key)?.strip_prefix(':').map(str::trim);
    head.lines().find_map(value)
}
