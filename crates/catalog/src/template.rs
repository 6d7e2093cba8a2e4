//! Fills in prompts and documents.
//! Given: a template in Jinja syntax, and values. Hands on: text, or an error with the template's
//! line. A name that no value has is an error, never an empty space; a template that runs away is
//! stopped; nothing is escaped, because nothing here is HTML. Block tags on their own line leave no
//! blank line behind. Deliberately absent: includes, and templates inside values (a value that
//! holds `{{ }}` stays text).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use s2s_yaml::node::Misfit;
use serde::Serialize;

use crate::CatalogError;

/// How many steps one rendering may take.
const FUEL: u64 = 5_000_000;

/// The one name of a template in its environment; people know it by another.
const ONLY: &str = "template";

/// How many templates are kept ready.
const MOST_READY: usize = 64;

/// Templates that were read before, by their text. A session fills in the same few in every call, and reading one
/// takes several times as long as filling it in. What is here changes no result.
static READY: LazyLock<Mutex<HashMap<String, Arc<Environment<'static>>>>> = LazyLock::new(Mutex::default);

/// A prompt or document template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Its name, for errors.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
}

impl Template {
    /// Fills in the values.
    pub fn render(&self, values: impl Serialize) -> Result<String, CatalogError> {
        render(&self.name, &self.text, values)
    }
}

/// Reads a template: it must be good Jinja.
pub fn read_template(name: &str, text: &str) -> Result<Template, Vec<Misfit>> {
    match ready(text) {
        Ok(_) => Ok(Template { name: name.to_owned(), text: text.into() }),
        Err(error) => Err(vec![Misfit {
            line: u32::try_from(error.line().unwrap_or(1)).unwrap_or(u32::MAX),
            column: column(&error, text),
            what: words(&error, text),
            allowed: None,
        }]),
    }
}

/// Fills in a template. `name` is used in errors only.
pub fn render(name: &str, text: &str, values: impl Serialize) -> Result<String, CatalogError> {
    let values = minijinja::Value::from(Serde(&values));
    let rendered = ready(text).and_then(|env| env.get_template(ONLY)?.render(values));
    rendered.map_err(|error| CatalogError::Render {
        file: name.to_owned(),
        line: error.line().unwrap_or(0),
        what: words(&error, text),
    })
}

/// An environment with this one template, read.
fn ready(text: &str) -> Result<Arc<Environment<'static>>, minijinja::Error> {
    let lock = || READY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(env) = lock().get(text) {
        return Ok(Arc::clone(env));
    }
    let mut env = environment()?;
    env.add_template_owned(ONLY, text.to_owned())?;
    let env = Arc::new(env);
    let mut ready = lock();
    if ready.len() >= MOST_READY {
        ready.clear();
    }
    ready.insert(text.to_owned(), Arc::clone(&env));
    Ok(env)
}

fn environment<'s>() -> Result<Environment<'s>, minijinja::Error> {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_auto_escape_callback(|_| AutoEscape::None);
    env.set_fuel(Some(FUEL));
    // Needed for the place of an error.
    env.set_debug(true);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    env.set_syntax(syntax.build()?);
    Ok(env)
}

/// Column of an error, from 1; 0 if unknown.
fn column(error: &minijinja::Error, text: &str) -> u32 {
    let before = error.range().and_then(|range| text.get(..range.start));
    let line = before.map(|before| before.rsplit('\n').next().unwrap_or(before));
    line.map_or(0, |line| u32::try_from(line.chars().count() + 1).unwrap_or(u32::MAX))
}

fn words(error: &minijinja::Error, text: &str) -> String {
    let kind = match error.kind() {
        ErrorKind::UndefinedError => "a name has no value",
        ErrorKind::OutOfFuel => return format!("the template takes more than {FUEL} steps"),
        ErrorKind::SyntaxError => "the template cannot be read",
        ErrorKind::UnknownFilter => "there is no such filter",
        ErrorKind::UnknownTest => "there is no such test",
        ErrorKind::UnknownFunction => "there is no such function",
        _ => "the template fails",
    };
    // The library names the place, not the name; the template's own text does.
    let here = error.range().and_then(|range| text.get(range)).map(str::trim);
    let detail = error.detail().or(here.filter(|here| !here.is_empty()));
    match detail {
        Some(detail) => format!("{kind}: {detail}"),
        None => kind.to_owned(),
    }
}
