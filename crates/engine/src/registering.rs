//! From what a synthesis proposes to artifacts with ids: every claim is checked before it counts.
//! Given the proposals, what the session holds and the round; hands on versions to be kept, the points that the
//! panel will vote on, and a doubt for each thing that did not fit. An id that a model made up is never taken;
//! nothing that was kept before is changed. Deliberately absent: keeping them (`holding.rs`).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::artifact::{Artifact, ArtifactId, ArtifactKind, Change, Details, Proposal};
use crate::fallback::NEEDS_RESOLUTION;
use crate::holding::Holdings;
use crate::ledger::{point_id, same_text};
use crate::opening::{Opening, SeatId};
use crate::reply::Conflict;
use crate::words::{clip, counted};

/// The most artifacts that one synthesis may propose: as many as seats can weigh in one vote.
pub const MOST_PROPOSALS: usize = 12;
/// The most where nobody is asked: one synthesis then holds all that a context says.
pub const MOST_ALONE: usize = 200;

/// The longest title that is made of a text.
const TITLE_WORDS: usize = 10;

/// Takes the proposals of one round.
pub(crate) struct Registering<'a> {
    opening: &'a Opening,
    held: &'a Holdings,
    asked: &'a [SeatId],
    round: u32,
    given: BTreeMap<ArtifactKind, u32>,
    /// Titles proposed in this very round.
    titles: HashMap<(ArtifactKind, String), ArtifactId>,
    touched: BTreeSet<ArtifactId>,
    kept: Vec<Artifact>,
    doubts: Vec<String>,
}

/// A proposal that was understood, with what is still to be looked up.
struct Understood<'p> {
    id: ArtifactId,
    before: Option<Artifact>,
    change: Change,
    title: String,
    proposal: &'p Proposal,
}

impl<'a> Registering<'a> {
    pub(crate) fn new(opening: &'a Opening, held: &'a Holdings, asked: &'a [SeatId], round: u32) -> Self {
        Self {
            opening,
            held,
            asked,
            round,
            given: BTreeMap::new(),
            titles: HashMap::new(),
            touched: BTreeSet::new(),
            kept: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// The artifacts of the round; the claims among them are added to its points.
    pub(crate) fn take(
        mut self,
        proposals: &[Proposal],
        conflicts: &[Conflict],
        points: &mut Vec<String>,
    ) -> (Vec<Artifact>, Vec<String>) {
        if self.opening.register.is_none() {
            if !proposals.is_empty() {
                self.doubts.push("proposed artifacts, which this session does not keep".to_owned());
            }
            return (Vec::new(), self.doubts);
        }
        let most = match self.opening.settings.method.first_asking_phase() {
            Some(_) => MOST_PROPOSALS,
            None => MOST_ALONE,
        };
        let mut understood = Vec::new();
        for proposal in proposals {
            if understood.len() == most {
                self.doubts.push(format!("proposed more than {most} artifacts in one round; the rest was dropped"));
                break;
            }
            understood.extend(self.understand(proposal));
        }
        // Ids first, references then: one proposal may name another of the same round by its title.
        for one in understood {
            self.keep(one, points);
        }
        self.conflicts(conflicts);
        (self.kept, self.doubts)
    }

    fn doubt(&mut self, what: String) {
        self.doubts.push(what);
    }

    fn understand<'p>(&mut self, proposal: &'p Proposal) -> Option<Understood<'p>> {
        let named = proposal.id.as_deref().map(str::trim).filter(|id| !id.is_empty());
        let claimed = named.and_then(|id| id.parse::<ArtifactId>().ok());
        let title = self.title(proposal);
        if let Some(id) = claimed.filter(|id| self.held.get(*id).is_some()) {
            return self.amend(id, title, proposal);
        }
        let kind = self.kind(proposal, claimed)?;
        if title.is_empty() {
            self.doubt(format!("proposed a {kind} without a title or a text"));
            return None;
        }
        if let Some(id) = self.held.titled(kind, &title) {
            let amended = self.amend(id, title, proposal)?;
            self.doubt(format!("proposed \"{}\" again; it is taken as a change of {id}", clip(&amended.title)));
            return Some(amended);
        }
        if let Some(id) = self.titles.get(&(kind, same_text(&title))) {
            self.doubt(format!("proposed \"{}\" twice in one round; {id} is the first", clip(&title)));
            return None;
        }
        let id = self.number(kind)?;
        if let Some(named) = named {
            self.doubt(format!("gave the id \"{}\", which the project does not have; it is {id}", clip(named)));
        }
        self.titles.insert((kind, same_text(&title)), id);
        Some(Understood { id, before: None, change: Change::Created, title, proposal })
    }

    fn title(&self, proposal: &Proposal) -> String {
        let given = proposal.title.trim();
        if !given.is_empty() {
            return one_line(given);
        }
        let words: Vec<&str> = proposal.text.split_whitespace().take(TITLE_WORDS).collect();
        words.join(" ").trim_end_matches(['.', ',', ';', ':']).to_owned()
    }

    fn kind(&mut self, proposal: &Proposal, claimed: Option<ArtifactId>) -> Option<ArtifactKind> {
        let allowed = self.opening.register.as_ref().map(|register| register.kinds.as_slice()).unwrap_or_default();
        let said = proposal.kind.as_deref().map(|kind| kind.trim().to_ascii_uppercase());
        let kind = said.as_deref().and_then(|kind| kind.parse().ok()).or(claimed.map(|id| id.kind));
        match kind.filter(|kind| allowed.contains(kind)) {
            Some(kind) => Some(kind),
            None => {
                let names: Vec<&str> = allowed.iter().map(|kind| kind.as_str()).collect();
                let what = said.unwrap_or_else(|| "no kind".to_owned());
                self.doubt(format!(
                    "proposed \"{}\" as {}; this session keeps {}",
                    clip(&self.title(proposal)),
                    clip(&what),
                    names.join(", ")
                ));
                None
            }
        }
    }

    /// The next number of a kind: ids are never used twice, whatever becomes of the artifact.
    fn number(&mut self, kind: ArtifactKind) -> Option<ArtifactId> {
        let given = self.given.entry(kind).or_default();
        if *given >= self.held.room(kind) {
            self.doubt(format!("proposed more {kind} than one session may add; the rest was dropped"));
            return None;
        }
        *given += 1;
        Some(ArtifactId { kind, number: self.held.last(kind).saturating_add(*given) })
    }

    fn amend<'p>(&mut self, id: ArtifactId, title: String, proposal: &'p Proposal) -> Option<Understood<'p>> {
        let holding = self.held.get(id)?;
        let before = holding.current().artifact.clone();
        let kinds = self.opening.register.as_ref().map(|register| register.kinds.as_slice()).unwrap_or_default();
        if !kinds.contains(&id.kind) {
            self.doubt(format!("would change {id}, which another workflow keeps; it stays as it is"));
            return None;
        }
        if self.touched.contains(&id) {
            self.doubt(format!("changed {id} twice in one round; the first counts"));
            return None;
        }
        let status = proposal.status.as_deref().map(|status| status.trim().to_ascii_lowercase());
        let change = match status.as_deref() {
            Some("withdrawn") => Change::Withdrawn,
            Some("resolved") if id.kind.is_question() => Change::Resolved,
            _ => Change::Amended,
        };
        let mut details = proposal.details.clone().over(&before.details);
        details.between = self.ends(&details);
        let text = proposal.text.trim();
        let served: Vec<ArtifactId> = proposal.serves.iter().filter_map(|name| self.find(name.trim())).collect();
        let same = (text.is_empty() || same_text(text) == same_text(&before.text))
            && (title.is_empty() || same_text(&title) == same_text(&before.title))
            && (served.is_empty() || served == before.serves)
            && details == before.details;
        // Said again, word for word: nothing to keep.
        if change == Change::Amended && same {
            return None;
        }
        let title = if proposal.title.trim().is_empty() { before.title.clone() } else { title };
        self.touched.insert(id);
        Some(Understood { id, before: Some(before), change, title, proposal })
    }

    fn keep(&mut self, one: Understood<'_>, points: &mut Vec<String>) {
        let Understood { id, before, change, title, proposal } = one;
        let text = proposal.text.trim().to_owned();
        let mut artifact = Artifact {
            id,
            change,
            title,
            text: match &before {
                Some(before) if text.is_empty() => before.text.clone(),
                _ => text,
            },
            topic: self.topic(id, proposal).or_else(|| before.as_ref().and_then(|before| before.topic.clone())),
            details: match &before {
                Some(before) => proposal.details.clone().over(&before.details),
                None => proposal.details.clone(),
            },
            serves: self.references(id, "serves", &proposal.serves),
            uses: self.references(id, "uses", &proposal.uses),
            superseded_by: None,
            conflict: None,
            proposed_by: self.seats(id, &proposal.proposed_by),
            point: None,
        };
        if let Some(before) = before {
            artifact.serves = if artifact.serves.is_empty() { before.serves } else { artifact.serves };
            artifact.uses = if artifact.uses.is_empty() { before.uses } else { artifact.uses };
        }
        artifact.details.between = self.ends(&artifact.details);
        let missing = artifact.missing();
        if !missing.is_empty() && change == Change::Created {
            self.doubt(format!("{id} lacks {}", missing.join(", ")));
        }
        self.put_to_vote(&mut artifact, points);
        self.kept.push(artifact);
        self.supersede(id, &proposal.supersedes);
    }

    /// V1 holds for artifacts too: each is a point, with its id in the text. A change names its round, or a change
    /// back to what was carried before would count as carried already.
    fn put_to_vote(&self, artifact: &mut Artifact, points: &mut Vec<String>) {
        if !artifact.id.kind.is_claim() {
            return;
        }
        let Artifact { id, title, text, .. } = &*artifact;
        let round = self.round;
        let claim = match (artifact.change, text.is_empty()) {
            (Change::Withdrawn, _) => format!("{id} is withdrawn in round {round}: {title}"),
            (Change::Amended, true) => format!("{id} is amended in round {round}: {title}"),
            (Change::Amended, false) => format!("{id} is amended in round {round}: {title}: {text}"),
            (_, true) => format!("{id} {title}"),
            _ => format!("{id} {title}: {text}"),
        };
        artifact.point = Some(point_id(self.round, points.len()));
        points.push(one_line(&claim));
    }

    fn topic(&mut self, id: ArtifactId, proposal: &Proposal) -> Option<String> {
        let named = proposal.topic.as_deref()?.trim();
        let is = |text: &str| text.eq_ignore_ascii_case(named);
        let found = self.opening.agenda.iter().find(|topic| is(&topic.id) || is(&topic.name));
        if found.is_none() && !named.is_empty() && !self.opening.agenda.is_empty() {
            self.doubt(format!("put {id} under \"{}\", which is not on the agenda", clip(named)));
        }
        found.map(|topic| topic.id.clone())
    }

    fn seats(&mut self, id: ArtifactId, named: &[String]) -> Vec<SeatId> {
        let mut seats: Vec<SeatId> = Vec::new();
        for name in named {
            match self.asked.iter().find(|seat| seat.eq_ignore_ascii_case(name.trim())) {
                Some(seat) if seats.contains(seat) => {}
                Some(seat) => seats.push(seat.clone()),
                None => self.doubt(format!("said that \"{}\" proposed {id}, who was not asked", clip(name))),
            }
        }
        seats
    }

    /// An artifact by its id, or by its title, kept before or in this round.
    fn find(&self, named: &str) -> Option<ArtifactId> {
        if let Ok(id) = named.parse::<ArtifactId>() {
            let here = self.titles.values().any(|given| *given == id);
            return (here || self.held.get(id).is_some()).then_some(id);
        }
        let title = same_text(named);
        let own = |kind: &ArtifactKind| self.titles.get(&(*kind, title.clone())).copied();
        ArtifactKind::ALL.iter().find_map(|kind| own(kind).or_else(|| self.held.titled(*kind, named)))
    }

    fn references(&mut self, id: ArtifactId, field: &str, named: &[String]) -> Vec<ArtifactId> {
        let mut found: Vec<ArtifactId> = Vec::new();
        for name in named.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
            match self.find(name) {
                Some(other) if other == id => self.doubt(format!("{id} names itself under `{field}`")),
                Some(other) if found.contains(&other) => {}
                Some(other) => found.push(other),
                None => self.doubt(format!("{id} names \"{}\" under `{field}`, which is not there", clip(name))),
            }
        }
        found
    }

    /// The ends of an interface: a component by its id where it is one, else an outside system by its name.
    fn ends(&self, details: &Details) -> Vec<String> {
        let end = |name: &String| self.find(name).map_or_else(|| one_line(name.trim()), |id| id.to_string());
        details.between.iter().filter(|name| !name.trim().is_empty()).map(end).collect()
    }

    fn supersede(&mut self, by: ArtifactId, named: &[String]) {
        for id in self.references(by, "supersedes", named) {
            let Some(holding) = self.held.get(id) else { continue };
            let before = holding.current().artifact.clone();
            if !self.touched.insert(id) {
                self.doubt(format!("changed {id} twice in one round; the first counts"));
                continue;
            }
            self.kept.push(Artifact {
                change: Change::Superseded,
                superseded_by: Some(by),
                point: None,
                proposed_by: Vec::new(),
                ..before
            });
        }
    }

    /// Every conflict of the session has its artifact, so that nobody can forget it.
    fn conflicts(&mut self, conflicts: &[Conflict]) {
        for conflict in conflicts {
            if conflict.id == NEEDS_RESOLUTION || self.held.has_conflict(&conflict.id) {
                continue;
            }
            let Some(id) = self.number(ArtifactKind::Conf) else { return };
            let about = if conflict.description.trim().is_empty() { &conflict.id } else { &conflict.description };
            self.kept.push(Artifact {
                id,
                change: Change::Created,
                title: one_line(about),
                text: String::new(),
                topic: None,
                details: Details::default(),
                serves: Vec::new(),
                uses: Vec::new(),
                superseded_by: None,
                conflict: Some(conflict.id.clone()),
                proposed_by: conflict.positions.keys().cloned().collect(),
                point: None,
            });
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why a topic that was claimed as covered is not, if it is not: too few artifacts, or criteria not met.
pub(crate) fn short_of(least: u32, has: u32, criteria: u32, met: &BTreeSet<u32>) -> Option<String> {
    let open: Vec<String> = (1..=criteria).filter(|number| !met.contains(number)).map(|n| n.to_string()).collect();
    let mut short = Vec::new();
    if has < least {
        short.push(format!("{} of at least {least}", counted(u64::from(has), "artifact")));
    }
    if !open.is_empty() {
        short.push(format!("not met: {}", open.join(", ")));
    }
    (!short.is_empty()).then(|| short.join("; "))
}
