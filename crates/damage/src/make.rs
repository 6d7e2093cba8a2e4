//! Replies by the thousand: given a kind, a seed and a count, replies with their truth.

use serde_json::Value;

use crate::kinds::{Kind, Whose};
use crate::rng::Rng;
use crate::{Form, Truth, values};

/// One reply with its truth.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Category, form and number.
    pub id: String,
    /// The kind of damage, or the category in a file.
    pub kind: String,
    /// Which form was asked for.
    pub form: Form,
    /// What the model wrote.
    pub text: String,
    /// What a reader has to make of it.
    pub truth: Truth,
}

impl Reply {
    /// The line of a file of replies; `truth: null` says that it must be refused.
    pub fn line(&self) -> String {
        let truth = match &self.truth {
            Truth::Value(value) => value.clone(),
            Truth::MustRefuse => Value::Null,
        };
        let line = serde_json::json!({"id": self.id, "category": self.kind, "schema": self.form.name(), "text": self.text, "truth": truth});
        line.to_string()
    }

    /// Reads a line of a file of replies.
    pub fn from_line(line: &str) -> Option<Reply> {
        let line: Value = serde_json::from_str(line).ok()?;
        let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
        let truth = match line.get("truth") {
            None | Some(Value::Null) => Truth::MustRefuse,
            Some(value) => Truth::Value(value.clone()),
        };
        Some(Reply {
            id: text("id")?,
            kind: text("category")?,
            form: Form::named(&text("schema")?)?,
            text: text("text")?,
            truth,
        })
    }
}

/// One reply of this kind and form; none when the kind finds no value that it can damage.
pub fn reply(kind: &Kind, form: Form, rng: &mut Rng) -> Option<(String, Truth)> {
    (0..40).find_map(|_| {
        let value = values::value(rng, form, kind.texts);
        let value = values::without_some_nulls(value, rng);
        (kind.make)(&value, rng)
    })
}

/// So many replies of this kind, in turn for each form that it is for.
pub fn replies(kind: &Kind, seed: u64, each: usize) -> Vec<Reply> {
    let mut rng = Rng::named(seed, kind.name);
    let made = (0..each).filter_map(|at| {
        let form = match kind.whose {
            Whose::Participant => Form::Participant,
            Whose::Facilitator => Form::Facilitator,
            Whose::Either if at % 2 == 0 => Form::Participant,
            Whose::Either => Form::Facilitator,
        };
        let (text, truth) = reply(kind, form, &mut rng)?;
        Some(Reply { id: format!("{}/{}/{at}", kind.name, form.name()), kind: kind.name.to_owned(), form, text, truth })
    });
    made.collect()
}
