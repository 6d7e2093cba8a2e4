//! The form in which a person answers: headings with room below, for an editor, a file or a browser.
//! Given what a person is asked; hands on a form to fill in, and reads a filled one back into a reply as a model would
//! write it. Whatever is wrong with it is said in words; nothing is guessed. Deliberately absent: asking anybody.
//!
//! ```text
//! Position:
//! Use REST, with versioned paths.
//!
//! Rationale:
//! - the partners know it
//!
//! Confidence: 0.7
//! Concerns:
//! Votes:
//! C1.1: block: nobody has measured it
//! ```

use s2s_engine::reply::{Answer, Choice, Response, Vote};

use super::Sheet;
use crate::clean::clean_text;
use crate::offline::shape;

/// How sure a person is who does not say.
const CONFIDENCE: f64 = 0.7;
/// The headings, in their order.
const HEADINGS: [&str; 6] = ["position", "rationale", "confidence", "concerns", "context_challenge", "votes"];

/// The form for an answer, with what was asked as comments. `before` is what was written last, to be mended.
pub fn form(sheet: &Sheet, before: Option<(&str, &str)>) -> String {
    let mut lines: Vec<String> = vec![format!("Round {}: your answer, {}", sheet.round, sheet.name)];
    if let Some((_, wrong)) = before {
        lines.push(format!("THIS COULD NOT BE USED: {wrong}"));
    }
    if let Some(reason) = &sheet.retry_reason {
        lines.push(format!("YOUR LAST ANSWER COULD NOT BE USED: {reason}"));
    }
    lines.push("Lines that begin with # are left out. Write below the headings, save, and close.".to_owned());
    lines.push("Leave the position empty to give no response in this round.".to_owned());
    lines.push(String::new());
    lines.extend(sheet.told.lines().map(str::to_owned));
    let mut text = String::new();
    for line in lines {
        let line = clean_text(&line).into_owned();
        text.push_str(format!("# {line}").trim_end());
        text.push('\n');
    }
    text.push('\n');
    match before {
        Some((written, _)) => text.push_str(&without_comments(written)),
        None => text.push_str(&empty(sheet)),
    }
    text
}

fn empty(sheet: &Sheet) -> String {
    let mut text = format!(
        "Position:\n\n\nRationale:\n- \n\n# How sure you are, from 0 to 1.\nConfidence: {CONFIDENCE}\n\nConcerns:\n- \n"
    );
    if !sheet.ballot.is_empty() {
        text.push_str("\n# support, stand_aside, or block: and why. A line without a vote is no vote.\nVotes:\n");
        for (id, point) in &sheet.ballot {
            let point = crate::clean::clean_line(point);
            text.push_str(&format!("# {point}\n{id}: \n"));
        }
    }
    text
}

fn without_comments(written: &str) -> String {
    written.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// Reads a filled form: the answer, or none where the position is empty.
///
/// # Errors
/// What is wrong with it, in a sentence.
pub fn read_form(text: &str, sheet: &Sheet) -> Result<Option<Response>, String> {
    let mut parts: [Vec<&str>; 6] = Default::default();
    let mut at = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let heading = line.split_once(':').and_then(|(name, rest)| Some((heading(name)?, rest)));
        match (heading, at) {
            // Inside the votes a line is a vote, whatever its name.
            (Some((place, rest)), _) => {
                at = Some(place);
                parts[place].push(rest);
            }
            (None, Some(place)) => parts[place].push(line),
            (None, None) if line.trim().is_empty() => {}
            (None, None) => {
                return Err(format!("\"{}\" stands above the first heading; begin with \"Position:\"", line.trim()));
            }
        }
    }
    let [position, rationale, confidence, concerns, challenge, votes] = parts;
    let position = unquoted(&joined(&position));
    if position.is_empty() {
        return Ok(None);
    }
    let challenge = unquoted(&joined(&challenge));
    Ok(Some(Response {
        position,
        rationale: items(&rationale),
        confidence: confidence_of(&joined(&confidence))?,
        concerns: items(&concerns),
        context_challenge: Some(challenge).filter(|text| !text.is_empty() && text != "null"),
        votes: votes_of(&votes, sheet)?,
    }))
}

/// The answer as a reply: what goes onto the tape.
pub fn written(response: Response) -> String {
    shape::written(&Answer::Response(response))
}

fn heading(name: &str) -> Option<usize> {
    if name.starts_with(char::is_whitespace) {
        return None;
    }
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    HEADINGS.iter().position(|heading| *heading == name)
}

fn joined(lines: &[&str]) -> String {
    clean_text(&lines.join("\n")).trim().trim_start_matches(['|', '>']).trim().to_owned()
}

/// Without the quotes of somebody who writes YAML.
fn unquoted(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.map_or_else(|| text.to_owned(), |text| text.replace("\\\"", "\""))
}

/// One item for each line that begins with a dash; where none does, one for each line.
fn items(lines: &[&str]) -> Vec<String> {
    let dashed = lines.iter().any(|line| line.trim_start().starts_with('-'));
    let mut items: Vec<String> = Vec::new();
    for line in lines.iter().map(|line| clean_text(line).trim().to_owned()) {
        match line.strip_prefix('-') {
            Some(item) => items.push(item.trim().to_owned()),
            None if line.is_empty() || line == "[]" => {}
            None => match items.last_mut().filter(|_| dashed) {
                Some(last) => last.push_str(&format!(" {line}")),
                None => items.push(line),
            },
        }
    }
    items.iter().map(|item| unquoted(item.trim())).filter(|item| !item.is_empty()).collect()
}

fn confidence_of(text: &str) -> Result<f64, String> {
    if text.is_empty() {
        return Ok(CONFIDENCE);
    }
    let (number, part) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim(), 0.01),
        None => (text, 1.0),
    };
    let value = number.replace(',', ".").parse::<f64>().ok().map(|value| value * part);
    value
        .filter(|value| (0.0..=1.0).contains(value))
        .ok_or_else(|| format!("the confidence is \"{text}\"; a number from 0 to 1, such as 0.7"))
}

fn votes_of(lines: &[&str], sheet: &Sheet) -> Result<std::collections::BTreeMap<String, Vote>, String> {
    let mut votes = std::collections::BTreeMap::new();
    for line in lines.iter().map(|line| clean_text(line).trim().to_owned()) {
        if line.is_empty() || line == "{}" {
            continue;
        }
        let (id, vote) = line.split_once(':').unwrap_or((line.as_str(), ""));
        let Some((id, _)) = sheet.ballot.iter().find(|(known, _)| known.eq_ignore_ascii_case(id.trim())) else {
            return Err(format!("\"{line}\" is no vote: no point {} is put to the vote", id.trim()));
        };
        let (choice, reason) = vote.split_once(':').unwrap_or((vote, ""));
        let choice = choice.trim().to_lowercase().replace([' ', '-'], "_");
        if choice.is_empty() {
            continue;
        }
        let cast: Choice = choice.parse().map_err(|_| {
            format!("the vote on {id} is \"{}\"; support, stand_aside, or block: with the reason", vote.trim())
        })?;
        let reason = Some(unquoted(reason.trim())).filter(|reason| !reason.is_empty());
        votes.insert(id.clone(), Vote { choice: cast, reason });
    }
    Ok(votes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        Sheet {
            seat: "anna".into(),
            name: "Anna".into(),
            round: 2,
            topic: "An API".into(),
            question: "Which way?".into(),
            focus: String::new(),
            told: "# The question of round 2\n\nWhich way?".into(),
            ballot: vec![("C1.1".into(), "Use REST".into())],
            retry_reason: None,
        }
    }

    #[test]
    fn h2_an_untouched_form_is_no_response() {
        assert_eq!(read_form(&form(&sheet(), None), &sheet()), Ok(None));
        assert_eq!(read_form("", &sheet()), Ok(None));
    }

    #[test]
    fn a_filled_form_comes_back_as_an_answer_that_the_reader_takes() {
        let text = form(&sheet(), None)
            .replace("Position:\n", "Position:\nREST: with \"versions\"\n# no\nand tests.\n")
            .replace("Rationale:\n- ", "Rationale:\n- known\n- cheap: and\n  quick")
            .replace("0.7", "85 %")
            .replace("C1.1: ", "C1.1: Block: nobody measured it");
        let answer = read_form(&text, &sheet()).expect("reads").expect("says something");
        assert_eq!(answer.position, "REST: with \"versions\"\nand tests.");
        assert_eq!(answer.rationale, ["known", "cheap: and quick"]);
        assert!((answer.confidence - 0.85).abs() < 1e-9 && answer.concerns.is_empty());
        let vote = &answer.votes["C1.1"];
        assert_eq!((vote.choice, vote.reason.as_deref()), (Choice::Block, Some("nobody measured it")));
        let reply = written(answer.clone());
        let read = crate::reading::read(s2s_engine::step::CallKind::Response, &reply, s2s_models::Stop::End);
        let reading = read.expect("the reader takes it");
        assert_eq!((reading.answer, reading.doubts.len()), (Answer::Response(answer), 0));
    }

    #[test]
    fn an_answer_written_as_models_write_it_is_taken_too() {
        let text = "position: \"Use REST\"\nrationale:\n  - \"known\"\nconfidence: 0.9\nconcerns: []\nvotes:\n  C1.1: support\n";
        let answer = read_form(text, &sheet()).expect("reads").expect("says something");
        assert_eq!((answer.position.as_str(), answer.rationale.as_slice()), ("Use REST", &["known".to_owned()][..]));
        assert_eq!((answer.confidence, answer.concerns.len()), (0.9, 0));
        assert_eq!(answer.votes["C1.1"].choice, Choice::Support);
    }

    #[test]
    fn what_is_wrong_is_said_and_kept_to_be_mended() {
        for (text, said) in [
            ("Use REST", "above the first heading"),
            ("Position: x\nConfidence: very", "a number from 0 to 1"),
            ("Position: x\nVotes:\nC1.1: maybe", "the vote on C1.1 is \"maybe\""),
            ("Position: x\nVotes:\nC9.9: support", "no point C9.9"),
        ] {
            let wrong = read_form(text, &sheet()).expect_err(text);
            assert!(wrong.contains(said), "{wrong}");
            let again = form(&sheet(), Some((text, &wrong)));
            assert!(again.contains(&wrong) && again.ends_with(&format!("{text}\n")), "{again}");
        }
    }
}
