//! What a seat is told when it is asked afterwards: its own part of the session, and nobody else's answers.

use s2s::asides::{Request, prepare, seat_named};
use s2s::engine::Unattended;
use s2s::prompts::Charter;
use s2s::roundtable::recall;
use s2s::store::Asides;

use crate::world::{Table, agreeable_with_votes, catalog, run, script};

#[tokio::test(start_paused = true)]
async fn l3_a_seat_that_is_asked_afterwards_is_told_no_answer_but_its_own() {
    let mut table = Table::default().begin(script(&agreeable_with_votes()));
    run(&mut table, Unattended::Accept).await;
    let (minutes, tape) = table.into_keeper().into_parts();
    let session = recall(&minutes, &tape).unwrap().session;
    let charter = Charter::on_tape(&tape).unwrap();
    let ask = |seat: &str, question: &str| {
        prepare(Request {
            minutes: &minutes,
            session: &session,
            charter: &charter,
            catalog: &catalog(),
            asides: &Asides::default(),
            seat,
            question,
        })
    };
    let prepared = ask("qa-lead", "What would change your mind?").unwrap();
    let prompt = &prepared.prompt().user;
    for part in [
        "Whatever can be tested without a browser",
        "- because: Contract tests are cheap there",
        "Synthesis: They lean to REST.",
        "Recommendation: Use REST",
        "A web shop. Two developers.",
        "# The question\n\nWhat would change your mind?",
        "that is over.",
    ] {
        assert!(prompt.contains(part), "{part:?} is not in: {prompt}");
    }
    for other in ["Take the plain one", "what the team can already do"] {
        assert!(!prompt.contains(other), "{other:?} is in: {prompt}");
    }
    assert!(!prompt.contains("\n\n\n"), "{prompt}");
    assert!(prepared.prompt().system.contains("QA"), "{}", prepared.prompt().system);
    assert!(ask("qa-lead", "  ").unwrap_err().what.contains("no question"));
    assert_eq!(seat_named(&minutes, "QA-Lead").unwrap(), "qa-lead");
    assert_eq!(seat_named(&minutes, "facilitator").unwrap(), "facilitator");
    let wrong = seat_named(&minutes, "qa-laed").unwrap_err();
    assert!(wrong.what.contains("did you mean \"qa-lead\"?"), "{wrong}");
}
