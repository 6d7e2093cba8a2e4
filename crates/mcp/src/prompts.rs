//! The workflows as prompts: what a person picks in their host to have the table called.
//! Given a name and arguments; hands on one message that tells the calling model which tools to call, and in which
//! order. Deliberately absent: prompts for the panel, which the library renders.

use rmcp::model::{
    ErrorData, GetPromptRequestParams, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::Value;

/// The longest topic that is passed on, in characters; the tool checks it again.
const MOST_TOPIC: usize = 4000;

/// Name, what it is for, the tool it leads to, whether a topic is needed.
const WORKFLOWS: [(&str, &str, &str, bool); 4] = [
    ("roundtable", "Put a question to the panel", "roundtable_start", true),
    ("brainstorm", "Gather ideas and risks", "brainstorm_start", true),
    ("specs", "Work out requirements", "specs_start", false),
    ("design", "Work out an architecture", "design_start", false),
];

pub(crate) fn list() -> Vec<Prompt> {
    let prompt = |(name, about, _, needed): (&str, &str, &str, bool)| {
        let what = if needed { "The question" } else { "What it is about; empty = the whole project" };
        let topic = PromptArgument::new("topic").with_description(what).with_required(needed);
        Prompt::new(name, Some(about), Some(vec![topic]))
    };
    WORKFLOWS.into_iter().map(prompt).collect()
}

pub(crate) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let found = WORKFLOWS.into_iter().find(|(name, ..)| *name == request.name);
    let Some((_, about, tool, needed)) = found else {
        let known = WORKFLOWS.map(|(name, ..)| name).join(", ");
        return Err(ErrorData::invalid_params(format!("there is no such prompt; there are: {known}"), None));
    };
    let topic = topic(request.arguments.as_ref());
    if needed && topic.is_empty() {
        return Err(ErrorData::invalid_params("the argument `topic` is needed: the question, in a sentence", None));
    }
    let asked = match topic.is_empty() {
        true => format!("Call the tool {tool}."),
        false => format!("Call the tool {tool} with this topic, word for word:\n\n{topic}\n"),
    };
    let text = format!(
        "{asked}\nThen call roundtable_wait with the session it returns, again and again while status is \"running\", \
         and tell me briefly how it goes. If status is \"needs_person\", show me `question` and call \
         roundtable_answer: I decide, not you. Once it is \"completed\", call roundtable_result and tell me the \
         decision, how the votes fell, who dissented, and where the document is. Do not answer for the panel."
    );
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(about))
}

fn topic(arguments: Option<&JsonObject>) -> String {
    let given = arguments.and_then(|all| all.get("topic")).and_then(Value::as_str).unwrap_or_default();
    let cleaned = s2s::clean::clean_text(given);
    cleaned.trim().chars().take(MOST_TOPIC).collect()
}
