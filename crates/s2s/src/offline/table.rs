//! The table: one session seen through one playbook, with each seat's view and where it leans.
//! Given the session; hands on what the speakers and the facilitator need to know. A seat starts from its own
//! count, and once it has heard a synthesis it joins the majority if its own margin is small; the tolerance
//! grows with each round heard, so tables converge where the difference is small and stay split where it is
//! not. Deliberately absent: sentences.

use s2s_catalog::Role;
use s2s_catalog::playbook::{Criterion, Playbook, PlaybookOption};
use s2s_engine::Session;
use s2s_engine::opening::Seat;
use s2s_engine::record::{Round, RoundKind, RulingChoice};
use s2s_engine::strategy::Strategy;

use super::bounds::{Bound, Strange, barred, bounds, strange};
use super::stance::Stance;
use super::subject::{Subject, first_option, spoken_of, subjects};
use super::sum::conflict_ids;
use super::weigh::{Heard, View, hear, score};
use super::words::within;

/// What parts the focus of one subject from that of the other.
pub(super) const PARTED: &str = " · ";
/// How much lead over the majority's option a seat gives up for each round heard.
const TOLERANCE: f64 = 0.25;
/// The most it gives up of its own accord.
const MOST_TOLERANCE: f64 = 0.6;
/// What it gives up beyond that each time a split table is told to go on.
const WHEN_TOLD: f64 = 0.4;

/// A session seen through a playbook.
pub(super) struct Table<'a> {
    pub session: &'a Session,
    pub subject: Subject<'a>,
    pub heard: Vec<Heard<'a>>,
    /// What topic and context settle about options.
    pub bounds: Vec<Bound>,
    /// What they settle about things that no playbook knows.
    pub strange: Vec<Strange>,
    /// Whether all that the topic names is ruled out.
    pub none_left: bool,
    pub views: Vec<View>,
    /// The role of each seat, where there is a file of it.
    pub roles: Vec<Option<&'a Role>>,
    pub majority: usize,
    /// Conflicts that belong to the other subject of the topic, by id.
    pub others: Vec<String>,
    /// Whether another subject of the topic comes first.
    pub is_second: bool,
    ruled: Option<(u32, usize)>,
    /// After which rounds someone said to go on although the table was split.
    told_to_go_on: Vec<u32>,
}

/// One round as far as speakers need to know it.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    /// Rounds held before it.
    pub held: u32,
    pub stance: Stance,
    /// The criterion in focus.
    pub criterion: usize,
    pub ballot: bool,
    /// The seats that answer, by place.
    pub asked: Vec<usize>,
}

impl<'a> Table<'a> {
    /// The tables of all subjects of a session's topic, the strongest first; none if no playbook covers it.
    pub(super) fn all(session: &'a Session, playbooks: &'a [Playbook], roles: &'a [Role]) -> Vec<Self> {
        let topic = &session.opening().topic;
        let subjects = subjects(playbooks, topic).into_iter();
        let mut tables: Vec<Self> = subjects.map(|subject| Self::seen(session, subject, roles, topic)).collect();
        if let [first, second] = tables.as_mut_slice() {
            (first.others, second.others) = (conflict_ids(second), conflict_ids(first));
            second.is_second = true;
        }
        tables
    }

    /// The same table with a statement before it, if a playbook covers what it speaks of.
    pub(super) fn on(session: &'a Session, playbooks: &'a [Playbook], roles: &'a [Role], text: &str) -> Option<Self> {
        let subject = spoken_of(playbooks, text)?;
        let stated = match subject.named.as_slice() {
            [one] => Some(*one),
            _ => None,
        };
        Some(Self::seen_with(session, subject, roles, text, stated))
    }

    fn seen(session: &'a Session, subject: Subject<'a>, roles: &'a [Role], topic: &str) -> Self {
        Self::seen_with(session, subject, roles, topic, None)
    }

    /// A table where one option may be stated: what a statement says of a project is taken, and not argued with.
    fn seen_with(
        session: &'a Session,
        mut subject: Subject<'a>,
        roles: &'a [Role],
        topic: &str,
        stated: Option<usize>,
    ) -> Self {
        let (opening, context) = (session.opening(), known_text(session));
        let bounds = bounds(subject.playbook, topic, &context);
        // What must be taken competes, whether the topic names it or not.
        let demanded = bounds.iter().filter(|bound| bound.demanded).map(|bound| bound.option);
        subject.focus.extend(demanded.filter(|option| !subject.focus.contains(option)).collect::<Vec<_>>());
        let out = |option: &usize| bounds.iter().any(|bound| bound.option == *option && !bound.demanded);
        let none_left = !bounds.iter().any(|bound| bound.demanded) && subject.focus.iter().all(out);
        if none_left {
            // What nobody asked about and nothing rules out competes instead.
            let others = (0..subject.playbook.options.len()).filter(|at| !out(at) && !subject.focus.contains(at));
            subject.focus.extend(others.collect::<Vec<_>>());
        }
        // Between names of one kind nothing here can choose, and no other kind is put before them.
        let stated = stated.or(subject.one_kind().filter(|_| bounds.is_empty()));
        subject.barred = match stated {
            Some(stated) => subject.focus.iter().copied().filter(|option| *option != stated).collect(),
            None => barred(&bounds, &subject.focus),
        };
        let names: Vec<String> = subject.unknown.iter().chain(&subject.strange).cloned().collect();
        let strange = strange(subject.playbook, &names, topic, &context);
        let heard = hear(subject.playbook, topic, &context);
        let view = |seat: &Seat| View::of(super::role_of(roles, seat), &subject, &heard);
        let views: Vec<View> = opening.seats.iter().map(view).collect();
        // Where nobody sits at the table, all criteria count alike.
        let majority = match views.as_slice() {
            [] => majority(&subject, &[View::of(None, &subject, &heard)]),
            views => majority(&subject, views),
        };
        let ruled = ruled(session, subject.playbook, majority);
        let told_to_go_on = told_to_go_on(session);
        let roles = opening.seats.iter().map(|seat| super::role_of(roles, seat)).collect();
        Self {
            session,
            subject,
            heard,
            bounds,
            strange,
            none_left,
            views,
            roles,
            majority,
            others: Vec::new(),
            is_second: false,
            ruled,
            told_to_go_on,
        }
    }

    pub(super) fn playbook(&self) -> &'a Playbook {
        self.subject.playbook
    }

    pub(super) fn option(&self, at: usize) -> &'a PlaybookOption {
        &self.subject.playbook.options[at]
    }

    /// The decision for an option, under the name that the topic gives it.
    pub(super) fn decide(&self, option: usize) -> String {
        let decide = &self.option(option).decide;
        match self.called(option) {
            Some(name) => format!("{name}: {}", within(decide)),
            None => decide.clone(),
        }
    }

    /// The name that the topic itself has for an option.
    pub(super) fn called(&self, option: usize) -> Option<&str> {
        self.subject.called.iter().find(|(known, _)| *known == option).map(|(_, name)| name.as_str())
    }

    pub(super) fn criterion(&self, at: usize) -> &'a Criterion {
        &self.subject.playbook.criteria[at]
    }

    pub(super) fn method(&self) -> &'a Strategy {
        &self.session.opening().settings.method
    }

    /// A seat's name for people; a person goes by their name, without the role they speak for.
    pub(super) fn who(&self, seat: usize) -> &'a str {
        let seat = &self.seats()[seat];
        match seat.name.split_once(", ") {
            _ if seat.name.is_empty() => &seat.id,
            Some((name, _)) if seat.is_human() => name,
            _ => &seat.name,
        }
    }

    pub(super) fn seats(&self) -> &'a [Seat] {
        &self.session.opening().seats
    }

    /// How an option does on a criterion here, from 1 to 5.
    pub(super) fn score(&self, option: usize, criterion: usize) -> f64 {
        score(self.subject.playbook, &self.heard, option, criterion)
    }

    /// The reason in the cell.
    pub(super) fn why(&self, option: usize, criterion: usize) -> &'a str {
        let id = &self.criterion(criterion).id;
        self.option(option).cells.get(id).map_or("", |cell| cell.why.as_str())
    }

    /// The place of a criterion by its id.
    pub(super) fn place_of(&self, id: &str) -> Option<usize> {
        self.playbook().criteria.iter().position(|criterion| criterion.id == id)
    }

    /// The option a seat leans to after so many rounds heard.
    pub(super) fn leaning(&self, seat: usize, held: u32) -> usize {
        if let Some((_, option)) = self.ruled.filter(|(round, _)| held >= *round) {
            return option;
        }
        let view = &self.views[seat];
        let own = view.favourite();
        let lead = view.score_of(own) - view.score_of(self.majority);
        if lead <= self.tolerance(held) { self.majority } else { own }
    }

    /// How much lead over the majority's option a seat gives up after so many rounds heard.
    pub(super) fn tolerance(&self, held: u32) -> f64 {
        let told = WHEN_TOLD * self.times_told(held) as f64;
        (TOLERANCE * f64::from(held)).min(MOST_TOLERANCE) + told
    }

    /// How often, by then, a split table was told to go on. From the first time on everything has been
    /// said, and what is left is a difference of weights.
    pub(super) fn times_told(&self, held: u32) -> usize {
        self.told_to_go_on.iter().filter(|round| held >= **round).count()
    }

    /// The option a seat votes for. Debaters speak for a side, so no round has moved them: their own count votes.
    pub(super) fn voting_for(&self, seat: usize, held: u32) -> usize {
        match self.method().two_sides && self.ruled.is_none() {
            true => self.views[seat].favourite(),
            false => self.leaning(seat, held),
        }
    }

    /// Where a seat's weights part from those of the seats that like an option best: what it counts more, and
    /// what they count more, each as far as it decides between that option and its own.
    pub(super) fn parting(&self, seat: usize, option: usize) -> (usize, usize) {
        let own = self.views[seat].favourite();
        let camp: Vec<&View> = self.views.iter().filter(|view| view.favourite() == option).collect();
        let theirs = |c: usize| camp.iter().map(|view| view.share(c)).sum::<f64>() / camp.len().max(1) as f64;
        let more = |c: usize| self.views[seat].share(c) - theirs(c);
        let lead = |c: usize| self.score(own, c) - self.score(option, c);
        let most = |pull: &dyn Fn(usize) -> f64| {
            let all = 0..self.playbook().criteria.len();
            all.max_by(|&a, &b| pull(a).total_cmp(&pull(b)).then(b.cmp(&a))).unwrap_or_default()
        };
        (most(&|c| more(c).max(0.0) * lead(c).max(0.0)), most(&|c| (-more(c)).max(0.0) * (-lead(c)).max(0.0)))
    }

    /// The criterion that brings a seat to an option: one that counts for it, on which the option does better than its
    /// strongest rival. None where nothing of the kind speaks for it.
    pub(super) fn road(&self, seat: usize, option: usize) -> Option<usize> {
        let view = &self.views[seat];
        let rival = view.rival_of(option);
        let pull = |c: usize| (self.score(option, c) - self.score(rival, c)) * view.share(c);
        let best = view.matters.iter().copied().max_by(|&a, &b| pull(a).total_cmp(&pull(b)).then(b.cmp(&a)));
        best.filter(|&c| pull(c) > 0.0)
    }

    /// Words of the project that demand a thing, and words that rule out the same.
    pub(super) fn torn(&self) -> Option<(&str, &str)> {
        let known = self.bounds.iter().filter(|bound| bound.demanded).find_map(|bound| {
            let against = self.bounds.iter().find(|other| other.option == bound.option && !other.demanded)?;
            Some((bound.words.as_str(), against.words.as_str()))
        });
        let strange = || {
            self.strange.iter().filter(|one| one.demanded).find_map(|one| {
                let against = self.strange.iter().find(|other| other.name == one.name && !other.demanded)?;
                Some((one.words.as_str(), against.words.as_str()))
            })
        };
        known.or_else(strange)
    }

    /// Whether a person has to look at it, whatever was counted.
    pub(super) fn needs_a_person(&self) -> bool {
        self.none_left || !self.strange.is_empty() || self.subject.one_kind().is_some() || self.torn().is_some()
    }

    /// Whether a seat gives up its own favourite in this round.
    pub(super) fn concedes(&self, seat: usize, held: u32) -> bool {
        held > 0 && self.leaning(seat, held) != self.leaning(seat, held - 1)
    }

    /// The option that all these seats lean to, if there is one.
    pub(super) fn shared(&self, seats: &[usize], held: u32) -> Option<usize> {
        let mut leanings = seats.iter().map(|&seat| self.leaning(seat, held));
        let first = leanings.next()?;
        leanings.all(|option| option == first).then_some(first)
    }

    /// The option that does best over all seats, whatever each one prefers.
    pub(super) fn strongest(&self) -> usize {
        match self.ruled {
            Some((_, option)) => option,
            None => self.majority,
        }
    }

    /// The round that a committed record tells of.
    pub(super) fn turn_of(&self, round: &Round) -> Turn {
        let index = self.method().phase_index(&round.phase).unwrap_or_default();
        let place = |id: &str| self.seats().iter().position(|seat| *seat.id == *id);
        Turn {
            held: round.number.saturating_sub(1),
            stance: self.stance(index, round.probing),
            criterion: self.criterion_in(&round.focus, round.number),
            ballot: round.kind == RoundKind::Ballot,
            asked: round.asked.iter().filter_map(|id| place(id)).collect(),
        }
    }

    /// The round under way.
    pub(super) fn turn(&self) -> Turn {
        let focus = self.session.question().map_or("", |question| question.focus.as_str());
        let number = self.session.round_number();
        let place = |id: &str| self.seats().iter().position(|seat| *seat.id == *id);
        Turn {
            held: number.saturating_sub(1),
            stance: self.stance(self.session.phase_index(), self.session.is_probing()),
            criterion: self.criterion_in(focus, number),
            ballot: self.session.round_kind() == RoundKind::Ballot,
            asked: self.session.asked().iter().filter_map(|id| place(id)).collect(),
        }
    }

    fn stance(&self, phase: usize, probing: bool) -> Stance {
        if probing { Stance::Attack } else { Stance::of(self.method(), phase) }
    }

    /// The criterion that a focus names; for a focus that names none, each round another one.
    pub(super) fn criterion_in(&self, focus: &str, round: u32) -> usize {
        let focus = focus.to_lowercase();
        // Where two subjects share a round, each has its own part of the focus.
        let label = format!("{}: ", self.playbook().subject.to_lowercase());
        let focus = focus.split(PARTED).find_map(|part| part.strip_prefix(&label)).unwrap_or(&focus);
        let named = self.playbook().criteria.iter().enumerate().filter(|(_, known)| focus.contains(&known.name));
        let longest = named.max_by_key(|(_, known)| known.name.len()).map(|(at, _)| at);
        longest.unwrap_or_else(|| round as usize % self.playbook().criteria.len().max(1))
    }
}

/// Everything the session was told about the project, by file, ruling or interjection.
pub(super) fn known_text(session: &Session) -> String {
    let mut text = session.opening().context.clone();
    for change in session.context_changes() {
        text.push('\n');
        text.push_str(&change.text);
    }
    for said in session.interventions().iter().filter_map(|intervention| intervention.text.as_ref()) {
        text.push('\n');
        text.push_str(said);
    }
    text
}

/// The option most seats like best; where that is a tie, the one with the higher scores.
fn majority(subject: &Subject<'_>, views: &[View]) -> usize {
    let votes = |option: usize| views.iter().filter(|view| view.favourite() == option).count();
    let total = |option: usize| views.iter().map(|view| view.score_of(option)).sum::<f64>();
    let best = subject
        .focus
        .iter()
        .copied()
        .max_by(|&a, &b| votes(a).cmp(&votes(b)).then(total(a).total_cmp(&total(b))).then(b.cmp(&a)));
    best.unwrap_or_default()
}

/// After which rounds a person or a policy let a split table go on.
fn told_to_go_on(session: &Session) -> Vec<u32> {
    let went_on = session.escalations().iter().filter(|escalation| {
        let split = escalation.causes.iter().any(|cause| cause.rule == "E1");
        split && escalation.ruling.as_ref().is_some_and(|ruling| ruling.choice == RulingChoice::Continue)
    });
    went_on.map(|escalation| escalation.round).collect()
}

/// The option that a person or a policy has ruled for, and after which round.
fn ruled(session: &Session, playbook: &Playbook, majority: usize) -> Option<(u32, usize)> {
    session.escalations().iter().rev().find_map(|escalation| {
        let ruling = escalation.ruling.as_ref()?;
        let about_options = escalation.causes.iter().any(|cause| cause.rule == "E1" || cause.rule == "E4");
        match ruling.choice {
            RulingChoice::Accept if about_options => Some((escalation.round, majority)),
            RulingChoice::Decide => {
                let option = first_option(playbook, ruling.text.as_deref()?)?;
                Some((escalation.round, option))
            }
            _ => None,
        }
    })
}
