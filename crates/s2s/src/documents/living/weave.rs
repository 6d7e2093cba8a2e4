//! Brings the generated parts of a document up to date and leaves everything else as it is.
//! A part that no longer fits its digest was edited, and somebody is asked. A new artifact's part comes after the one
//! before it in its section; that of an artifact that is gone goes, unless it was edited. Given the old text and a new
//! draft; hands on the edits, and with answers the woven text. Deliberately absent: files, and asking.

use std::collections::{BTreeMap, BTreeSet};

use super::fence::{Part, Piece, digest, fresh, pieces, put};
use super::links::{headed, headings, ids, listed};
use crate::failure::Failure;

/// A generated part that somebody edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The document, below the project.
    pub file: String,
    /// The part's name: an artifact, or a section.
    pub part: String,
    /// Its first line in the file, from 1.
    pub line: usize,
    /// What stands there.
    pub mine: String,
    /// What would stand there; empty = the artifact is gone, and so would the part be.
    pub generated: String,
    /// Whether the same was offered before and turned down: there is no need to ask.
    pub again: bool,
}

impl Edit {
    /// The artifacts that the generated text names and the person's does not.
    pub fn missing(&self) -> Vec<String> {
        let mine: BTreeSet<String> = ids(&self.mine).into_iter().collect();
        ids(&self.generated).into_iter().filter(|id| !mine.contains(id)).collect()
    }
}

/// What becomes of an edited part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settle {
    /// The person's text stays.
    Mine,
    /// The generated text takes its place.
    Generated,
}

/// A part in which a person's text stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The document, below the project.
    pub file: String,
    /// The part's name.
    pub part: String,
    /// Artifacts that are not named there because of it.
    pub missing: Vec<String>,
    /// Whether the artifact is not in force any more.
    pub gone: bool,
    /// Links in the person's text that lead to no heading any more.
    pub dead: Vec<String>,
}

/// A document put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Woven {
    pub(super) text: String,
    /// With the text that stays.
    pub(super) kept: Vec<(Kept, String)>,
    /// Artifacts under a heading in the person's own text: they get no part.
    pub(super) by_hand: Vec<String>,
}

/// Answers by part; a part without one keeps the person's text.
pub(super) type Answers = BTreeMap<String, Settle>;

/// An old document and its new draft.
pub(super) struct Loom<'d> {
    file: &'d str,
    windows: bool,
    draft: &'d [Piece],
    /// The pieces of the old document; none = there is none.
    old: Vec<Piece>,
}

impl<'d> Loom<'d> {
    /// # Errors
    /// If the markers of the old document do not pair up.
    pub(super) fn new(old: &str, draft: &'d [Piece], file: &'d str) -> Result<Self, Failure> {
        let windows = old.contains("\r\n");
        let blank = old.trim().is_empty();
        let old = if blank { Vec::new() } else { pieces(&old.replace("\r\n", "\n"), file)? };
        Ok(Self { file, windows, draft, old })
    }

    /// The parts that were edited, in the order of the file.
    pub(super) fn edits(&self) -> Vec<Edit> {
        let drafted = self.drafted();
        let there: BTreeSet<&str> = parts(&self.old).map(|part| part.name.as_str()).collect();
        let edit = |mine: &Part| {
            let new = drafted.get(mine.name.as_str());
            let generated = match new {
                Some((at, _)) => self.offer(mine, *at, &there),
                None if mine.is_member() => String::new(),
                None => return None,
            };
            let edited = mine.is_edited() && mine.text != generated;
            let again = mine.kept && digest(&generated) == mine.digest;
            let (file, part) = (self.file.to_owned(), mine.name.clone());
            edited.then(|| Edit { file, part, line: mine.line + 1, mine: mine.text.clone(), generated, again })
        };
        parts(&self.old).filter_map(edit).collect()
    }

    /// The draft's parts by name, with their places.
    fn drafted(&self) -> BTreeMap<&str, (usize, &'d Part)> {
        self.draft.iter().enumerate().filter_map(|(at, piece)| Some((at, part(piece)?))).map(named).collect()
    }

    /// What is offered for an edited part. A section of older documents was one part with all its artifacts: those that
    /// the person's text has are offered with it.
    fn offer(&self, mine: &Part, at: usize, there: &BTreeSet<&str>) -> String {
        let Piece::Part(frame) = &self.draft[at] else { return String::new() };
        let mut offer = frame.text.clone();
        if mine.is_member() {
            return offer;
        }
        let inside = inside(&mine.text);
        let members = self.draft[at + 1..].iter().filter_map(part).take_while(|part| part.is_member());
        for member in members.filter(|member| inside.contains(&member.name) && !there.contains(member.name.as_str())) {
            // The blank lines at the end of one part and at the beginning of the next are one.
            offer.push_str(member.text.strip_prefix('\n').unwrap_or(&member.text));
        }
        offer
    }

    /// The document with these answers.
    pub(super) fn weave(&self, answers: &Answers) -> Woven {
        if self.old.is_empty() {
            return Woven { text: fresh(self.draft), kept: Vec::new(), by_hand: Vec::new() };
        }
        let stays = |edit: &Edit| answers.get(&edit.part) != Some(&Settle::Generated);
        let edits: BTreeMap<String, Edit> =
            self.edits().into_iter().filter(stays).map(|edit| (edit.part.clone(), edit)).collect();
        let mut plan = Placing::of(self, &edits);
        let drafted = self.drafted();
        let mut page = Page::default();
        let mut kept = Vec::new();
        for (at, piece) in self.old.iter().enumerate() {
            match piece {
                Piece::Own(own) => page.own(own),
                Piece::Part(mine) => {
                    page.waiting.extend(plan.before.remove(&at).unwrap_or_default());
                    page.flush();
                    let new = drafted.get(mine.name.as_str()).map(|(_, new)| *new);
                    if let Some(edit) = edits.get(&mine.name) {
                        page.part(mine, &mine.text, &digest(&edit.generated), true);
                        let (file, part) = (self.file.to_owned(), mine.name.clone());
                        let (missing, gone, dead) = (edit.missing(), new.is_none(), Vec::new());
                        kept.push((Kept { file, part, missing, gone, dead }, mine.text.clone()));
                    } else if let Some(new) = new {
                        page.part(new, &new.text, &digest(&new.text), false);
                    } else if mine.is_member() {
                        page.dropped = true;
                    } else {
                        page.part(mine, &mine.text, &mine.digest, mine.kept);
                    }
                    page.waiting.extend(plan.after.remove(&at).unwrap_or_default());
                }
            }
        }
        page.waiting.extend(plan.last);
        let text = page.end();
        Woven { text: if self.windows { text.replace('\n', "\r\n") } else { text }, kept, by_hand: plan.by_hand }
    }
}

fn named((at, part): (usize, &Part)) -> (&str, (usize, &Part)) {
    (part.name.as_str(), (at, part))
}

fn part(piece: &Piece) -> Option<&Part> {
    match piece {
        Piece::Part(part) => Some(part),
        Piece::Own(_) => None,
    }
}

fn parts(pieces: &[Piece]) -> impl Iterator<Item = &Part> {
    pieces.iter().filter_map(part)
}

/// The artifacts that a section's text is about.
fn inside(text: &str) -> BTreeSet<String> {
    headed(text).into_iter().chain(listed(text)).collect()
}

/// A new part, and the heading it brings along where the person's text lacks it.
struct New<'d> {
    part: &'d Part,
    lead: Option<&'d str>,
}

/// Where new parts go.
#[derive(Default)]
struct Placing<'d> {
    /// Ahead of the old piece of this place.
    before: BTreeMap<usize, Vec<New<'d>>>,
    /// Behind it.
    after: BTreeMap<usize, Vec<New<'d>>>,
    /// At the end.
    last: Vec<New<'d>>,
    by_hand: Vec<String>,
}

impl<'d> Placing<'d> {
    fn of(loom: &Loom<'d>, kept: &BTreeMap<String, Edit>) -> Self {
        let there: BTreeMap<&str, (usize, &Part)> =
            loom.old.iter().enumerate().filter_map(|(at, piece)| Some((at, part(piece)?))).map(named).collect();
        let frames = frames(loom);
        let lines: BTreeSet<&str> = own_lines(&loom.old);
        let own: BTreeSet<String> = loom.old.iter().flat_map(own_headed).collect();
        let held: BTreeSet<String> = kept.values().flat_map(held_by).collect();
        let mut placing = Self::default();
        // The part that the next new one comes after: in its section, and anywhere.
        let (mut behind, mut anywhere) = (None, None);
        // Where the section is in the file: below its frame, else where its first artifact is.
        let mut home = None;
        for (at, new) in loom.draft.iter().enumerate().filter_map(|(at, piece)| Some((at, part(piece)?))) {
            let found = there.get(new.name.as_str()).map(|(at, _)| *at);
            if !new.is_member() {
                (home, behind) = (Some(new.name.as_str()), found);
                anywhere = found.or(anywhere);
                // Front matter that lost its part is the person's.
                if found.is_none() && !new.front {
                    let lead = lead(loom.draft, at).filter(|lead| !lines.contains(first_line(lead)));
                    let members = parts(&loom.draft[at + 1..]).take_while(|part| part.is_member());
                    let mut members = members.filter_map(|part| there.get(part.name.as_str()));
                    placing.place(New { part: new, lead }, members.next().map(|(at, _)| *at), anywhere);
                }
                continue;
            }
            match found {
                Some(at) if behind.is_none() || frames.get(&at).copied() == home => {
                    (behind, anywhere, home) = (found, found, frames.get(&at).copied());
                }
                // Moved by hand to another section.
                Some(_) => {}
                None if own.contains(&new.name) => placing.by_hand.push(new.name.clone()),
                None if held.contains(&new.name) => {}
                None => placing.place(New { part: new, lead: None }, None, behind.or(anywhere)),
            }
        }
        placing.lead_in(&there);
        placing
    }

    fn place(&mut self, new: New<'d>, before: Option<usize>, after: Option<usize>) {
        match (before, after) {
            (Some(at), _) => self.before.entry(at).or_default().push(new),
            (None, Some(at)) => self.after.entry(at).or_default().push(new),
            (None, None) => self.last.push(new),
        }
    }

    /// New parts with nothing ahead of them come before the first part there is; in a text without any, at its end.
    fn lead_in(&mut self, there: &BTreeMap<&str, (usize, &Part)>) {
        if let Some(first) = there.values().map(|(at, _)| *at).min() {
            let mut ahead = std::mem::take(&mut self.last);
            ahead.extend(self.before.remove(&first).unwrap_or_default());
            self.before.insert(first, ahead);
        }
    }
}

/// The section that each old part stands in: the last frame before it.
fn frames<'d>(loom: &Loom<'d>) -> BTreeMap<usize, &'d str> {
    let drafted = loom.drafted();
    let mut section = None;
    let mut frames = BTreeMap::new();
    for (at, old) in loom.old.iter().enumerate().filter_map(|(at, piece)| Some((at, part(piece)?))) {
        let new = drafted.get(old.name.as_str()).map(|(_, new)| *new);
        section = new.filter(|new| !new.is_member()).map(|new| new.name.as_str()).or(section);
        if let Some(section) = section {
            frames.insert(at, section);
        }
    }
    frames
}

fn own_lines(old: &[Piece]) -> BTreeSet<&str> {
    let own = old.iter().filter_map(|piece| if let Piece::Own(own) = piece { Some(own) } else { None });
    own.flat_map(|own| own.lines()).map(str::trim_end).collect()
}

fn own_headed(piece: &Piece) -> BTreeSet<String> {
    match piece {
        Piece::Own(own) => headed(own),
        Piece::Part(_) => BTreeSet::new(),
    }
}

/// The artifacts that a kept section's text has in it; one artifact's text holds no other.
fn held_by(edit: &Edit) -> BTreeSet<String> {
    if super::fence::is_id(&edit.part) { BTreeSet::new() } else { inside(&edit.mine) }
}

/// The last heading ahead of a part in the draft, with what is written below it.
fn lead(draft: &[Piece], at: usize) -> Option<&str> {
    let Some(Piece::Own(own)) = draft.get(at.checked_sub(1)?) else { return None };
    let last = headings(own).last()?.at;
    Some(own[last..].trim_end())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end()
}

/// The document as far as it is woven.
#[derive(Default)]
struct Page<'d> {
    text: String,
    /// New parts that come next.
    waiting: Vec<New<'d>>,
    /// Whether the text ends with a new part, which wants a blank line after it.
    joint: bool,
    /// Whether a part was left out here, and with it a blank line.
    dropped: bool,
}

impl Page<'_> {
    fn push(&mut self, text: &str) {
        let blank = self.text.is_empty() || self.text.ends_with("\n\n");
        let text = if self.dropped && blank { text.strip_prefix('\n').unwrap_or(text) } else { text };
        if text.is_empty() {
            return;
        }
        if self.joint && !text.starts_with('\n') {
            self.text.push('\n');
        }
        (self.joint, self.dropped) = (false, false);
        self.text.push_str(text);
    }

    /// The person's text. New parts come after what is said below the part before them, and ahead of the next heading.
    fn own(&mut self, own: &str) {
        let headings = headings(own);
        let mut ahead = headings.iter().peekable();
        let mut done = 0;
        for new in std::mem::take(&mut self.waiting) {
            let level = new.lead.map_or(6, |lead| lead.bytes().take_while(|byte| *byte == b'#').count());
            while ahead.next_if(|heading| heading.level > level).is_some() {}
            let cut = ahead.peek().map_or(own.len(), |heading| heading.at);
            self.push(&own[done..cut]);
            self.new_part(&new);
            done = cut;
        }
        self.push(&own[done..]);
    }

    fn flush(&mut self) {
        for new in std::mem::take(&mut self.waiting) {
            self.new_part(&new);
        }
    }

    fn new_part(&mut self, new: &New<'_>) {
        self.gap();
        if let Some(lead) = new.lead {
            self.text.push_str(lead);
            self.gap();
        }
        (self.joint, self.dropped) = (true, false);
        put(&mut self.text, new.part, &new.part.text, &digest(&new.part.text), false);
    }

    fn part(&mut self, part: &Part, inside: &str, digest: &str, kept: bool) {
        let mut marked = String::new();
        put(&mut marked, part, inside, digest, kept);
        self.push(&marked);
    }

    /// A blank line, unless there is one.
    fn gap(&mut self) {
        while !(self.text.is_empty() || self.text.ends_with("\n\n")) {
            self.text.push('\n');
        }
    }

    fn end(mut self) -> String {
        self.flush();
        if self.dropped && self.text.ends_with("\n\n") {
            self.text.pop();
        }
        self.text
    }
}
