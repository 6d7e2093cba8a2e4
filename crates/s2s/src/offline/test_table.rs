//! A table for tests: the shipped playbooks, roles and strategies, and a driver that lets a session run to
//! its end in memory. Given topic, strategy and seats; hands on everything that was said.

use std::sync::OnceLock;

use s2s_catalog::playbook::Playbook;
use s2s_catalog::{Catalog, Kind, Role};
use s2s_engine::event::Event;
use s2s_engine::opening::{Limits, Opening, Seat, Settings, Topic, Triggers, Workflow};
use s2s_engine::record::{RuledBy, Ruling, RulingChoice, Usage};
use s2s_engine::reply::{Answer, Response};
use s2s_engine::step::{CallKind, Step};
use s2s_engine::{Session, next_step};

use super::{Offline, shape};

pub(super) const BRAINSTORM: [&str; 3] = ["product-manager", "software-architect", "technical-lead"];

/// What a person at the table answers, whatever is asked.
pub(super) const PERSON: &str = "GraphQL, as the partners ask for it.";

/// The shipped playbooks.
pub(super) fn playbooks() -> Vec<Playbook> {
    panel().playbooks.clone()
}

fn shipped_playbooks(catalog: &Catalog) -> Vec<Playbook> {
    let names = catalog.names(Kind::Playbook);
    names.iter().map(|name| catalog.playbook(name).expect("a shipped playbook loads").value).collect()
}

/// A shipped role.
pub(super) fn role(id: &str) -> Role {
    panel().roles.iter().find(|role| role.id == id).expect("a shipped role").clone()
}

/// The shipped panel, read once.
pub(super) fn panel() -> &'static Offline {
    static PANEL: OnceLock<Offline> = OnceLock::new();
    PANEL.get_or_init(|| {
        let catalog = Catalog::builtin();
        let roles = catalog.names(Kind::Role);
        let role = |id: &String| catalog.role(id).expect("a shipped role loads").value;
        Offline::new(shipped_playbooks(&catalog), roles.iter().map(role).collect())
    })
}

/// An opening with these seats and built-in limits.
pub(super) fn opening(topic: &str, strategy: &str, seats: &[&str], context: &str) -> Opening {
    let method = Catalog::builtin().strategy(strategy).expect("a shipped strategy loads").value;
    Opening {
        id: "20261101-090000-test".into(),
        topic: topic.into(),
        workflow: Workflow::Brainstorm,
        seats: seats
            .iter()
            .map(|id| Seat {
                id: (*id).into(),
                name: role(id).title,
                model: "offline".into(),
                family: "offline".into(),
            })
            .collect(),
        sides: None,
        settings: Settings {
            limits: Limits::default(),
            escalation: Triggers::default(),
            policy: method.policy,
            family_share: 0.5,
            verbose: true,
            interactive: false,
            output_type: None,
            requirements_format: None,
            method,
        },
        agenda: Vec::new(),
        context: context.into(),
        register: None,
        parent: None,
    }
}

/// The topics of a built-in agenda.
pub(super) fn agenda(workflow: Workflow) -> Vec<Topic> {
    let agenda = Catalog::builtin().agenda(workflow.as_str()).expect("a shipped agenda loads");
    agenda.expect("the workflow has one").value.topics()
}

/// What happened at a table.
pub(super) struct Held {
    pub session: Session,
    /// Round, seat, answer.
    pub responses: Vec<(u32, String, Response)>,
    /// Every reply as text with what it says, in the order it was given.
    pub replies: Vec<(CallKind, String, Answer)>,
    /// Rules of every escalation, in order.
    pub causes: Vec<String>,
}

/// Lets a session run to its end; a split table gets the recommendation.
pub(super) fn hold(opening: Opening) -> Held {
    hold_by(opening, RulingChoice::Accept)
}

/// Lets a session run to its end, with this answer to a split table.
pub(super) fn hold_by(opening: Opening, on_split: RulingChoice) -> Held {
    let panel = panel();
    let mut held =
        Held { session: Session::open(opening), responses: Vec::new(), replies: Vec::new(), causes: Vec::new() };
    for _ in 0..500 {
        let events: Vec<Event> = match next_step(&held.session) {
            Step::Ask(briefs) => {
                let mut events = Vec::new();
                for brief in briefs {
                    let answer = match held.session.is_human(&brief.call.seat) {
                        true => Answer::Response(Response {
                            position: PERSON.into(),
                            confidence: 0.7,
                            ..Response::default()
                        }),
                        false => panel.answer(&held.session, &brief),
                    };
                    held.replies.push((brief.call.kind, shape::written(&answer), answer.clone()));
                    if let Answer::Response(response) = &answer {
                        held.responses.push((brief.call.round, brief.call.seat.to_string(), response.clone()));
                    }
                    let at = jiff::Timestamp::UNIX_EPOCH;
                    events.push(Event::Asked { call: brief.call.clone(), at });
                    events.push(Event::Answered {
                        call: brief.call,
                        at,
                        answer,
                        doubts: Vec::new(),
                        stand_in: None,
                        usage: Usage::default(),
                    });
                }
                events
            }
            Step::Commit { .. } => vec![Event::Committed],
            Step::Escalate(escalation) => {
                held.causes.extend(escalation.causes.iter().map(|cause| cause.rule.clone()));
                // Anything but a split is let go on.
                let split = escalation.causes.iter().any(|cause| cause.rule == "E1");
                let first = if split { on_split } else { RulingChoice::Continue };
                let go_on = [first, RulingChoice::Continue, RulingChoice::KeepContext, RulingChoice::Accept];
                let ruling = Ruling {
                    choice: go_on.into_iter().find(|choice| escalation.options.contains(choice)).expect("a choice"),
                    text: None,
                    rounds: None,
                    by: RuledBy::Policy,
                    name: None,
                    at: None,
                    then: None,
                };
                vec![Event::Ruled(Box::new(ruling))]
            }
            Step::Finish(outcome) => vec![Event::Finished(outcome)],
            Step::Pause(cause) => panic!("the offline panel always answers: {cause:?}"),
            Step::Rest => return held,
        };
        for event in events {
            held.session.apply(event).expect("the event fits");
        }
    }
    panic!("the session does not end");
}
