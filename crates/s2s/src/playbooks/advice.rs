//! What could be better in a playbook that can be read: cells that tell nothing apart, options that always or never win,
//! sentences said twice, words that stop a session, names that a topic could not find. Given a playbook, its text and the roles
//! that weigh; hands on advice with the line it is about. Advice refuses nothing. Deliberately absent: flaws, which the catalog
//! tells, and any judgement of the knowledge itself.

use std::collections::BTreeMap;

use s2s_catalog::playbook::{Playbook, PlaybookOption};
use s2s_catalog::{Problem, Role};
use s2s_engine::{counted, has_word};
use serde::Serialize;

use super::TO_WRITE;
use super::sway::can_win;

/// An option should be found under at least so many phrases.
const FEW_ALIASES: usize = 2;

/// What a piece of advice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdviceKind {
    /// Sentences of a starting file.
    Unwritten,
    /// A criterion on which all options are alike.
    Alike,
    /// An option that is nowhere behind another.
    WinsEverywhere,
    /// An option that is nowhere ahead of another, or that nothing makes win.
    NeverWins,
    /// A sentence that stands there twice.
    Twice,
    /// A word at which rule E3 asks a person.
    Critical,
    /// An option that a topic would hardly find, or a phrase that means two.
    Aliases,
    /// A signal that shifts nothing.
    NoEffect,
}

/// One thing that could be better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// What it is about.
    pub kind: AdviceKind,
    /// Line, from 1; 0 = the file as a whole.
    pub line: u32,
    /// What, and what to do.
    pub what: String,
}

impl Advice {
    /// The same as a problem of a file, to be shown with its line.
    pub fn in_file(&self, file: &str) -> Problem {
        Problem { line: self.line, ..Problem::of_file(file, self.what.clone()) }
    }
}

/// All advice on a playbook, in the order of its lines. `critical` are the words of rule E3.
pub fn advice(playbook: &Playbook, text: &str, roles: &[Role], critical: &[String]) -> Vec<Advice> {
    let lines = Lines(text.lines().collect());
    let mut all = unwritten(playbook, &lines);
    // A starting file is alike everywhere: there is nothing else to say of it yet.
    if all.is_empty() {
        all.extend(alike(playbook, &lines));
        all.extend(standing(playbook, &lines, roles));
        all.extend(twice(playbook, &lines));
    }
    all.extend(critical_words(playbook, &lines, critical));
    all.extend(aliases(playbook, &lines));
    let idle = playbook.signals.iter().filter(|signal| signal.shift == 0.0 && signal.lifts.is_empty());
    all.extend(idle.map(|signal| Advice {
        kind: AdviceKind::NoEffect,
        line: lines.of(&signal.why),
        what: format!("the signal on `{}` shifts and lifts nothing: give it a shift, or take it out", signal.criterion),
    }));
    all.sort_by_key(|advice| advice.line);
    all
}

/// The lines of a file, to find where something stands.
struct Lines<'t>(Vec<&'t str>);

impl Lines<'_> {
    /// The first line with this text; a long one is known by its beginning.
    fn of(&self, text: &str) -> u32 {
        self.after(0, text)
    }

    /// The first line with this text that is no comment.
    fn value(&self, text: &str) -> u32 {
        let found = self.0.iter().position(|line| line.contains(text) && !line.trim_start().starts_with('#'));
        found.and_then(|at| u32::try_from(at + 1).ok()).unwrap_or_default()
    }

    fn after(&self, from: u32, text: &str) -> u32 {
        let start: String = text.chars().take(40).take_while(|c| *c != '"' && *c != '\\').collect();
        let found = self.0.iter().enumerate().skip(from as usize).find(|(_, line)| line.contains(start.as_str()));
        found.and_then(|(at, _)| u32::try_from(at + 1).ok()).unwrap_or_default()
    }

    /// The line of an entry by its id, below a key of the top.
    fn entry(&self, under: &str, id: &str) -> u32 {
        let top = self.0.iter().position(|line| line.starts_with(under)).unwrap_or_default();
        self.after(u32::try_from(top).unwrap_or_default(), &format!("id: {id}"))
    }
}

/// Every sentence that a seat may say, in the order of the playbook.
pub(super) fn sentences(playbook: &Playbook) -> Vec<&str> {
    let mut all: Vec<&str> = vec![&playbook.decides];
    for criterion in &playbook.criteria {
        all.extend([criterion.name.as_str(), &criterion.means, &criterion.asks, &criterion.find_out]);
    }
    for option in &playbook.options {
        all.extend([option.name.as_str(), &option.what, &option.decide, &option.at_best, &option.start_with]);
        all.push(&option.revisit_when);
        all.extend(option.right_when.iter().map(String::as_str));
        all.extend(option.risks.iter().flat_map(|risk| [risk.risk.as_str(), &risk.mitigation]));
        all.extend(option.cells.values().map(|cell| cell.why.as_str()));
    }
    all.extend(playbook.whichever.iter().map(|practice| practice.text.as_str()));
    all.extend(playbook.signals.iter().map(|signal| signal.why.as_str()));
    all.extend(playbook.changes.iter().map(String::as_str));
    all
}

fn unwritten(playbook: &Playbook, lines: &Lines<'_>) -> Vec<Advice> {
    let open: Vec<&str> = sentences(playbook).into_iter().filter(|sentence| sentence.starts_with(TO_WRITE)).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let are = if open.len() == 1 { "is" } else { "are" };
    let what = format!(
        "{} {are} still to be written, the first one here; until then no session uses this playbook",
        counted(open.len(), "sentence")
    );
    vec![Advice { kind: AdviceKind::Unwritten, line: lines.value(TO_WRITE), what }]
}

fn alike(playbook: &Playbook, lines: &Lines<'_>) -> Vec<Advice> {
    let scores = |id: &str| -> Vec<u8> {
        playbook.options.iter().filter_map(|option| option.cells.get(id)).map(|cell| cell.score).collect()
    };
    let lifted = |id: &str| playbook.signals.iter().any(|signal| signal.criterion == id && !signal.lifts.is_empty());
    let same = playbook.criteria.iter().filter(|criterion| {
        let scores = scores(&criterion.id);
        scores.windows(2).all(|pair| pair[0] == pair[1]) && !lifted(&criterion.id)
    });
    same.map(|criterion| Advice {
        kind: AdviceKind::Alike,
        line: lines.entry("criteria", &criterion.id),
        what: format!(
            "every option has the same score on `{}`: it parts none of them and only makes answers longer",
            criterion.id
        ),
    })
    .collect()
}

/// Options that are behind nobody anywhere, ahead of nobody anywhere, or favourite of nobody whatever is heard.
fn standing(playbook: &Playbook, lines: &Lines<'_>, roles: &[Role]) -> Vec<Advice> {
    let at = |option: &PlaybookOption, id: &str| option.cells.get(id).map_or(3, |cell| cell.score);
    let nowhere_behind = |one: &PlaybookOption, other: &PlaybookOption| {
        playbook.criteria.iter().all(|criterion| at(one, &criterion.id) >= at(other, &criterion.id))
    };
    let others = |one: &PlaybookOption| playbook.options.iter().filter(|other| other.id != one.id).collect::<Vec<_>>();
    let wins = can_win(playbook, roles);
    let mut all = Vec::new();
    for (place, option) in playbook.options.iter().enumerate() {
        let line = lines.entry("options", &option.id);
        if others(option).into_iter().all(|other| nowhere_behind(option, other)) {
            let what = format!(
                "`{}` is behind no other option on any criterion: say what it costs, or there is nothing to decide",
                option.id
            );
            all.push(Advice { kind: AdviceKind::WinsEverywhere, line, what });
            continue;
        }
        let over = others(option).into_iter().find(|other| nowhere_behind(other, option));
        let what = match (over, wins.get(place).copied().unwrap_or(true)) {
            (Some(other), false) => format!(
                "`{}` is ahead of `{}` on no criterion, and no signal makes any role like it best: give it what it is good \
                 at, or leave it out",
                option.id, other.id
            ),
            (None, false) => format!(
                "no signal makes any role like `{}` best: add one that says when it is right, with a lift",
                option.id
            ),
            _ => continue,
        };
        all.push(Advice { kind: AdviceKind::NeverWins, line, what });
    }
    all
}

fn twice(playbook: &Playbook, lines: &Lines<'_>) -> Vec<Advice> {
    let mut known: BTreeMap<String, u32> = BTreeMap::new();
    let mut all = Vec::new();
    for sentence in sentences(playbook).into_iter().filter(|sentence| sentence.split_whitespace().count() > 3) {
        let plain: String = sentence.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let times = known.entry(plain).or_default();
        *times += 1;
        if *times == 2 {
            let first = lines.of(sentence);
            let line = Some(lines.after(first, sentence)).filter(|line| *line > 0).unwrap_or(first);
            let what = format!("this stands on line {first} too; seats would say the same: say what is different here");
            all.push(Advice { kind: AdviceKind::Twice, line, what });
        }
    }
    all
}

fn critical_words(playbook: &Playbook, lines: &Lines<'_>, critical: &[String]) -> Vec<Advice> {
    let mut all = Vec::new();
    for sentence in sentences(playbook) {
        let found = critical.iter().map(|word| word.trim()).find(|word| !word.is_empty() && has_word(sentence, word));
        if let Some(word) = found {
            let what = format!(
                "a seat that says \"{word}\" stops the session for a person (rule E3): use another word unless that is meant"
            );
            all.push(Advice { kind: AdviceKind::Critical, line: lines.of(sentence), what });
        }
    }
    all
}

fn aliases(playbook: &Playbook, lines: &Lines<'_>) -> Vec<Advice> {
    let bare = |phrase: &str| phrase.trim_start_matches('~').trim().to_lowercase();
    let mut all = Vec::new();
    for (place, option) in playbook.options.iter().enumerate() {
        let line = lines.entry("options", &option.id);
        if option.aliases.len() < FEW_ALIASES {
            let what = format!(
                "`{}` has only one alias: add what people call it, products and short forms too, so that a topic finds it",
                option.id
            );
            all.push(Advice { kind: AdviceKind::Aliases, line, what });
        }
        for other in &playbook.options[place + 1..] {
            let shared = option.aliases.iter().find(|alias| other.aliases.iter().any(|one| bare(one) == bare(alias)));
            if let Some(alias) = shared {
                let what =
                    format!("`{alias}` means `{}` and `{}`: a topic that says it names neither", option.id, other.id);
                all.push(Advice { kind: AdviceKind::Aliases, line: lines.entry("options", &other.id), what });
            }
        }
    }
    all
}
