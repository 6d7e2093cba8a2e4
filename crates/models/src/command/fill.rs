//! Placeholders in a command's arguments and variables, and the two ways a system part travels.
//! Is given templates and what one call asks; hands on exact arguments. Deliberately absent: quoting, since no
//! shell ever reads them.

use std::path::Path;

use crate::{Ask, Fault, FaultKind};

/// The most bytes of one argument: Linux takes 128 KiB.
const MOST_ARG_BYTES: usize = 120 * 1024;
/// The model's name that means "whatever the command takes by itself".
const DEFAULT_MODEL: &str = "default";

/// Where the system part stands in the folder of a call.
pub(super) const SYSTEM_FILE: &str = "system.md";

/// What the placeholders stand for in one call.
pub(super) struct Values<'a> {
    pub ask: &'a Ask,
    /// The folder of the call, with the files that arguments point to.
    pub folder: &'a Path,
}

/// Whether the system part goes its own way, so that stdin holds the user part alone.
pub(super) fn carries_system<'a>(mut templates: impl Iterator<Item = &'a str>) -> bool {
    templates.any(|template| template.contains("{system}") || template.contains("{system_file}"))
}

/// What is written to stdin.
pub(super) fn stdin(ask: &Ask, system_apart: bool) -> String {
    let (system, user) = (ask.prompt.system.trim_end(), &ask.prompt.user);
    match system_apart || system.is_empty() {
        true => user.clone(),
        false => format!("{system}\n\n---\n\n{user}"),
    }
}

/// The exact arguments. One whose placeholder has no value is left out, with the option before it that it belongs to.
pub(super) fn arguments(templates: &[String], values: &Values<'_>) -> Result<Vec<String>, Fault> {
    let mut filled: Vec<String> = Vec::with_capacity(templates.len());
    // Whether the last one kept is an option that may belong to the next argument.
    let mut option_before = false;
    for template in templates {
        match fill(template, values)? {
            Some(argument) => {
                option_before = template.starts_with('-');
                filled.push(argument);
            }
            None => {
                if option_before && !template.starts_with('-') {
                    filled.pop();
                }
                option_before = false;
            }
        }
    }
    Ok(filled)
}

/// The text with its placeholders filled; none where one has no value.
pub(super) fn fill(template: &str, values: &Values<'_>) -> Result<Option<String>, Fault> {
    if !template.contains('{') {
        return Ok(Some(template.to_owned()));
    }
    let ask = values.ask;
    let model = (!ask.model.is_empty() && ask.model != DEFAULT_MODEL).then_some(ask.model.as_str());
    let path = |name| values.folder.join(name).to_string_lossy().into_owned();
    let (system_file, policy_file, home) = (path(SYSTEM_FILE), path("policy.toml"), path("home"));
    // No system part, no option for it: a CLI may refuse an empty file.
    let system = Some(&*ask.prompt.system).filter(|system| !system.trim().is_empty());
    let known = [
        ("{model}", model),
        ("{effort}", ask.effort.map(|effort| effort.as_str())),
        ("{system_file}", system.map(|_| system_file.as_str())),
        ("{policy_file}", Some(&policy_file)),
        ("{home}", Some(&home)),
        ("{system}", system),
    ];
    let (mut filled, mut rest) = (String::new(), template);
    // In one walk, so that a value that looks like a placeholder stays as it is.
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        match known.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((_, None)) => return Ok(None),
            Some((name, Some(value))) => {
                filled.push_str(value);
                rest = &rest[name.len()..];
            }
            None => {
                filled.push('{');
                rest = &rest[1..];
            }
        }
    }
    filled.push_str(rest);
    checked(filled).map(Some)
}

fn checked(argument: String) -> Result<String, Fault> {
    if argument.len() > MOST_ARG_BYTES {
        let what = format!("the system part has {} bytes: too many for an argument", argument.len());
        return Err(
            Fault::new(FaultKind::TooLong, what).next("use `{system_file}` instead of `{system}` in `command:`")
        );
    }
    if argument.contains('\0') {
        return Err(Fault::new(FaultKind::Rejected, "an argument of the command would hold a NUL character"));
    }
    Ok(argument)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Effort, Patience, Prompt};

    fn ask(model: &str) -> Ask {
        Ask {
            model: model.to_owned(),
            prompt: Arc::new(Prompt { system: "Be {model}.".into(), user: "Go.".to_owned() }),
            max_output_tokens: 100,
            temperature: None,
            effort: None,
            shape: None,
            patience: Patience::default(),
        }
    }

    fn filled(ask: &Ask, templates: &[&str]) -> Vec<String> {
        let templates: Vec<String> = templates.iter().map(|text| (*text).to_owned()).collect();
        let values = Values { ask, folder: Path::new("/f") };
        arguments(&templates, &values).expect("arguments")
    }

    #[test]
    fn placeholders_are_filled_once() {
        let args = filled(&ask("opus"), &["-m", "{model}", "--x={model}", "{system}", "{other}", "{system_file}"]);
        assert_eq!(args, ["-m", "opus", "--x=opus", "Be {model}.", "{other}", "/f/system.md"]);
    }

    #[test]
    fn the_default_model_leaves_out_the_option_too() {
        assert_eq!(filled(&ask("default"), &["-p", "-m", "{model}", "last"]), ["-p", "last"]);
        assert_eq!(filled(&ask("default"), &["-p", "--model={model}", "last"]), ["-p", "last"]);
        assert_eq!(filled(&ask("default"), &["run", "{model}"]), ["run"]);
        assert_eq!(filled(&ask("default"), &["-c", "e=\"{effort}\"", "-v"]), ["-v"]);
    }

    #[test]
    fn effort_is_passed_where_it_is_set() {
        let ask = Ask { effort: Some(Effort::Low), ..ask("m") };
        assert_eq!(filled(&ask, &["-c", "e=\"{effort}\""]), ["-c", "e=\"low\""]);
    }

    #[test]
    fn stdin_holds_both_parts_unless_the_system_part_goes_its_own_way() {
        assert_eq!(stdin(&ask("m"), false), "Be {model}.\n\n---\n\nGo.");
        assert_eq!(stdin(&ask("m"), true), "Go.");
    }

    #[test]
    fn a_system_part_too_long_for_an_argument_is_refused_with_the_way_out() {
        let mut ask = ask("m");
        ask.prompt = Arc::new(Prompt { system: "x".repeat(MOST_ARG_BYTES + 1).into(), user: String::new() });
        let values = Values { ask: &ask, folder: Path::new("/f") };
        let fault = arguments(&["{system}".to_owned()], &values).expect_err("too long");
        assert_eq!(fault.kind, FaultKind::TooLong);
        assert!(fault.next.is_some_and(|next| next.contains("{system_file}")));
    }
}
