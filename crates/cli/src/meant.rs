//! What people type first, and what it is called here: `s2s resume` is `s2s roundtable resume`.
//! Given clap's refusal of a subcommand and the words before it; puts the command that was meant into its tip.
//! Deliberately absent: aliases. One thing has one name, and whoever is told it once knows it.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Words for what there is, each with its command.
const MEANT: [(&str, &str); 46] = [
    ("adrs", "adr list"),
    ("answer", "roundtable answer"),
    ("begin", START),
    ("check", "doctor"),
    ("clean", "session cleanup"),
    ("cleanup", "session cleanup"),
    ("close", "session close"),
    ("continue", "roundtable resume"),
    ("cost", "session cost"),
    ("costs", "session cost"),
    ("debate", "roundtable start \"your question\" --strategy debate"),
    ("decide", "roundtable answer"),
    ("decisions", "adr list"),
    ("delete", "session cleanup"),
    ("discuss", START),
    ("end", "session close"),
    ("export", "report"),
    ("follow", "watch"),
    ("history", "session list"),
    ("html", "report"),
    ("info", "session status"),
    ("list", "session list"),
    ("log", "show"),
    ("ls", "session list"),
    ("new", START),
    ("open", "show"),
    ("pause", "session close"),
    ("price", "session cost"),
    ("remove", "session cleanup"),
    ("replay", "session replay"),
    ("requirements", "specs"),
    ("resume", "roundtable resume"),
    ("roles", "role list"),
    ("run", START),
    ("sessions", "session list"),
    ("settings", "config show"),
    ("setup", "init"),
    ("start", START),
    ("status", "session status"),
    ("stop", "session close"),
    ("strategies", "catalog list"),
    ("tail", "watch"),
    ("tasks", "plan show"),
    ("validate", "session validate"),
    ("verify", "session verify"),
    ("view", "show"),
];
const START: &str = "roundtable start \"your question\"";
/// The shortest word in which a slip of the finger is looked for.
const SHORTEST: usize = 4;

/// Puts what was meant into the tip of a refused subcommand.
pub fn tell(error: &mut clap::Error, words: &[String]) {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return };
    if error.kind() != ErrorKind::InvalidSubcommand {
        return;
    }
    let typed = typed.clone();
    if let Some(command) = meant(&typed, words) {
        error.remove(ContextKind::SuggestedSubcommand);
        let tip = format!("did you mean `s2s {command}`?").into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
}

/// The command that a word stands for at this place, with a slip of the finger forgiven.
fn meant(typed: &str, words: &[String]) -> Option<&'static str> {
    let at = words.iter().position(|word| word == typed)?;
    // Below other commands the same words mean other things.
    let above = words[1..at.max(1)].iter().rev().find(|word| !word.starts_with('-') && !is_color(word));
    if above.is_some_and(|above| above != "roundtable" && above != "session") {
        return None;
    }
    let typed = typed.to_lowercase();
    let exact = MEANT.iter().find(|(word, _)| *word == typed);
    let near = || MEANT.iter().find(|(word, _)| word.len() >= SHORTEST && is_slip(&typed, word));
    exact.or_else(near).map(|(_, command)| *command)
}

fn is_color(word: &str) -> bool {
    matches!(word, "auto" | "always" | "never")
}

/// Whether one letter was left out, put in, taken for another, or changed places with the next one.
fn is_slip(typed: &str, word: &str) -> bool {
    let (typed, word): (Vec<char>, Vec<char>) = (typed.chars().collect(), word.chars().collect());
    let same = typed.iter().zip(&word).take_while(|(typed, meant)| typed == meant).count();
    let swapped = || match (&typed[same..], &word[same..]) {
        ([a, b, rest @ ..], [c, d, more @ ..]) => (a, b, rest) == (d, c, more),
        _ => false,
    };
    let (left_out, put_in) =
        (Some(&typed[same..]) == word.get(same + 1..), typed.get(same + 1..) == Some(&word[same..]));
    let another = typed.len() == word.len() && typed.get(same + 1..) == word.get(same + 1..);
    left_out || put_in || another || swapped()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Typed;

    #[test]
    fn one_slip_is_forgiven_and_two_are_not() {
        for typed in ["resum", "resumee", "rezume", "reusme", "resume"] {
            assert!(is_slip(typed, "resume"), "{typed}");
        }
        for typed in ["rsm", "report", "", "emuser", "resumexx"] {
            assert!(!is_slip(typed, "resume"), "{typed}");
        }
    }

    #[test]
    fn every_command_that_is_meant_exists_and_no_word_hides_one() {
        for (word, command) in MEANT {
            let mut at = Typed::command();
            assert!(at.find_subcommand(word).is_none(), "{word} is a command by itself");
            for part in command.split(' ').take_while(|part| !part.starts_with(['"', '-'])) {
                at = at.find_subcommand(part).unwrap_or_else(|| panic!("{command}: no {part}")).clone();
            }
        }
    }
}
