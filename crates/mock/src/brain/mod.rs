//! What the server says when nobody tells it: the replies that lead a roundtable to its end.
//! Given a call; hands on a text: YAML, or JSON of the shape that was asked for. It knows the prompts as a
//! model does, by reading them. Deliberately absent: good judgment.

mod fit;
mod form;
mod words;
mod yaml;

use serde_json::Value;

use crate::asked::Asked;
use form::{Form, Kind};

/// The usual reply to a call.
pub(crate) fn reply(asked: &Asked) -> String {
    let form = Form::of(asked);
    let said = match form.kind {
        Kind::Sides => words::sides(&form),
        Kind::Question => words::question(&form),
        Kind::Response => words::response(&form),
        Kind::Synthesis => words::synthesis(&form),
        Kind::Other => Value::Null,
    };
    match (&asked.schema, form.kind) {
        (Some(schema), _) => fit::fit(&said, schema).to_string(),
        (None, Kind::Other) => "OK".to_owned(),
        (None, _) => yaml::block(&said),
    }
}

/// The usual thoughts before a reply.
pub(crate) fn thoughts(asked: &Asked) -> String {
    let kind = Form::of(asked).kind;
    format!("I am asked for a {}. I look at what is given, and then say what follows from it.", kind.name())
}
