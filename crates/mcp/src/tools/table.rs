//! The table of tools: name, description, schemas, hints.
//! Given nothing; hands on what a client lists. A test holds its size: every host pays for it in tokens. Deliberately
//! absent: what the tools do (`mod.rs`).

use std::sync::{Arc, OnceLock};

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::{asked, told};

/// What a tool does to the world.
#[derive(Clone, Copy)]
enum Hint {
    /// It only reads.
    Reads,
    /// It adds; models may be paid.
    Adds,
}

/// Every tool; made once.
pub(crate) fn tools() -> &'static [Tool] {
    static TOOLS: OnceLock<Vec<Tool>> = OnceLock::new();
    TOOLS.get_or_init(make)
}

fn make() -> Vec<Tool> {
    vec![
        tool::<asked::Start, told::Short>(
            "roundtable_start",
            "Put a technical question to a panel of experts who discuss and vote. Returns at once; then poll roundtable_wait.",
            Hint::Adds,
        ),
        tool::<asked::Wait, told::Status>(
            "roundtable_wait",
            "Wait for a session; returns within `seconds` with the progress so far. Call again while status is running.",
            Hint::Adds,
        ),
        tool::<asked::Named, told::Status>("roundtable_status", "Where a session stands now.", Hint::Reads),
        tool::<asked::Named, told::Outcome>(
            "roundtable_result",
            "Decision, votes, dissent and documents of a completed session.",
            Hint::Reads,
        ),
        tool::<asked::Answering, told::Short>(
            "roundtable_answer",
            "When status is needs_person: has your host ask the person to decide. Never decide for them.",
            Hint::Adds,
        ),
        tool::<asked::Named, told::Short>("roundtable_stop", "Pause a running session; nothing is lost.", Hint::Adds),
        tool::<asked::List, told::Listing>("session_list", "Sessions of this project.", Hint::Reads),
        tool::<asked::Show, told::Text>("session_show", "The discussion of a session, as Markdown.", Hint::Reads),
        tool::<asked::Catalog, told::Entries>(
            "catalog_list",
            "Strategies and roles that roundtable_start takes.",
            Hint::Reads,
        ),
        tool::<asked::Work, told::Short>(
            "specs_start",
            "Have the panel work out requirements. Poll roundtable_wait.",
            Hint::Adds,
        ),
        tool::<asked::Work, told::Short>(
            "design_start",
            "Have the panel work out an architecture. Poll roundtable_wait.",
            Hint::Adds,
        ),
        tool::<asked::Start, told::Short>(
            "brainstorm_start",
            "Have the panel gather ideas and risks. Poll roundtable_wait.",
            Hint::Adds,
        ),
    ]
}

fn tool<Asked: JsonSchema, Told: JsonSchema>(name: &'static str, description: &'static str, hint: Hint) -> Tool {
    let hints = match hint {
        Hint::Reads => ToolAnnotations::new().read_only(true),
        Hint::Adds => ToolAnnotations::new().destructive(false),
    };
    let mut told = schema::<Told>();
    without(&mut told, &["description", "required"]);
    Tool::new(name, description, Arc::new(schema::<Asked>()))
        .with_raw_output_schema(Arc::new(told))
        .with_annotations(hints)
}

/// The schema of a type, in one piece and without what no model reads.
fn schema<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut object = match schema.to_value() {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    };
    // What the type is for stands in the tool's description.
    object.remove("description");
    without(&mut object, &["title", "format", "default", "additionalProperties"]);
    object
}

/// Takes these keywords out of a schema; fields of the same name stay, because their values are schemas.
fn without(schema: &mut JsonObject, keywords: &[&str]) {
    schema.retain(|key, value| value.is_object() || !keywords.contains(&key.as_str()));
    for (key, value) in schema.iter_mut() {
        match value {
            Value::Object(fields) if key == "properties" => {
                fields.values_mut().filter_map(Value::as_object_mut).for_each(|field| without(field, keywords));
            }
            Value::Object(inner) => without(inner, keywords),
            _ => {}
        }
    }
}
