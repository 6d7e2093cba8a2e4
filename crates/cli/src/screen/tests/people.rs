//! What people at the table see: their sheet, what they say and ask, a session that waits for them.

use s2s::panel::Sheet;
use s2s::roundtable::{Audience, Notice};

use super::super::{Plain, Style, sheet};
use super::check;
use super::fixture::ID;

fn annas() -> Sheet {
    Sheet {
        seat: "anna".into(),
        name: "Anna, Product Manager".into(),
        round: 2,
        topic: "REST or GraphQL for the shop".into(),
        question: "What do the partners need?".into(),
        focus: "Partners".into(),
        told: "# Where the discussion stands\n\nPhase: discussion, goal: A decision that the panel can defend\n\n\
               # What you see of the discussion so far\n\nLast synthesis: They lean to REST, as long as nobody has \
               measured the apps.\n- a point\n\n# The question of round 2\n\nWhat do the partners need?\u{1b}[2J\n"
            .into(),
        ballot: Vec::new(),
        retry_reason: Some("`position` is empty".into()),
    }
}

#[test]
fn h1_the_sheet_of_a_person() {
    check("sheet", |style| sheet(&annas(), style));
}

fn shown(notices: &[Notice], style: &Style) -> String {
    let mut out = Vec::new();
    let mut plain = Plain::new(&mut out, *style);
    notices.iter().for_each(|notice| plain.notice(notice));
    drop(plain);
    String::from_utf8(out).unwrap()
}

#[test]
fn what_people_say_ask_and_are_waited_for() {
    let seats = vec!["anna".to_owned(), "bob".to_owned()];
    let notices = [
        Notice::PersonSpoke { after_round: 1, text: "Think of the partners abroad".into() },
        Notice::FollowUpAnswered {
            after_round: 1,
            seat: "qa-lead".into(),
            question: "What would you test first?".into(),
            answer: "Contract tests.\nThen load, with the numbers of the partners.\u{1b}[2J".into(),
        },
        Notice::PeopleAsked { round: 2, seats: seats.clone() },
        Notice::PeopleAwaited { round: 2, seats },
        Notice::SessionPaused { session: ID.into(), reason: "anna, bob have not answered yet".into() },
    ];
    check("people", |style| shown(&notices, style));
}
