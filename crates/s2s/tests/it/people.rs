//! People at the table, in virtual time: what they say and ask between rounds (L8, L9), and seats of their own (H1, H2).

use std::sync::{Arc, Mutex};
use std::time::Duration;

use s2s::audit::{replay, verify};
use s2s::engine::Unattended;
use s2s::engine::record::InterventionKind;
use s2s::panel::{Desk, HumanPanel, Panel, Participant, Sheet, Writing, Wrote, form, read_form, written};
use s2s::roundtable::{Budgets, CallEnd, Ended, Notice, Paused, Word, follow_ups, interrupt};
use s2s::store::{InMemory, Keeper, Taped};

use crate::world::{Memory, NoScribe, Table, agreeable_with_votes, begin_with, run, run_with, script, take_up};

type Roundtable = s2s::roundtable::Roundtable<InMemory>;

/// Says these words after rounds, in order, and then goes on.
struct Speaks(Vec<Word>, Unattended);

impl s2s::roundtable::Chair for Speaks {
    fn rule<'a>(
        &'a mut self,
        _: &'a s2s::engine::Session,
        escalation: &'a s2s::engine::record::Escalation,
    ) -> s2s::roundtable::Deciding<'a, Option<s2s::engine::record::Ruling>> {
        Box::pin(std::future::ready(self.1.ruling(escalation)))
    }

    fn after_round<'a>(&'a mut self, _: &'a s2s::engine::Session) -> s2s::roundtable::Deciding<'a, Word> {
        let next = if self.0.is_empty() { Word::Continue } else { self.0.remove(0) };
        Box::pin(std::future::ready(next))
    }
}

fn say(text: &str) -> Word {
    Word::Say(text.to_owned())
}

fn ask(seat: &str, question: &str) -> Word {
    Word::Ask { seat: seat.to_owned(), question: question.to_owned() }
}

fn with_follow_ups() -> String {
    agreeable_with_votes() + "  - {kind: followup, seat: qa-lead, reply: \"Contract tests, then load.\"}\n"
}

fn holds(table: &Roundtable) {
    let (minutes, tape) = (table.keeper().minutes(), table.keeper().lines());
    let verified = verify(minutes, tape).expect("verifies");
    assert!(verified.is_clean(), "{:?}", verified.findings);
    let replayed = replay(minutes, tape).expect("replays");
    assert!(replayed.is_clean() && replayed.identical, "{:?}", replayed.findings);
}

#[tokio::test]
async fn l8_an_interjection_is_kept_asked_about_and_replayed_byte_for_byte() {
    let mut table = Table::default();
    table.config.roundtable.interactive = true;
    let mut table = table.begin(script(&agreeable_with_votes()));
    let mut chair = Speaks(vec![say("Mind the partners abroad \u{1b}[2J")], Unattended::Pause);
    let (ended, notices) = run_with(&mut table, &mut chair, interrupt().1).await;
    assert!(matches!(ended, Ended::Completed(_)), "{ended:?}");
    let said = &table.keeper().minutes().interventions()[0];
    assert_eq!((said.kind, said.after_round), (InterventionKind::Interjection, 1));
    assert!(!said.text.as_deref().unwrap_or_default().contains('\u{1b}'), "cleaned before it is kept");
    assert!(notices.iter().any(|notice| matches!(notice, Notice::PersonSpoke { after_round: 1, .. })));
    let round = &table.session().rounds()[1];
    assert!(round.question.contains("A person said to the table: Mind the partners abroad"), "{}", round.question);
    let prompts: Vec<&str> = table
        .keeper()
        .lines()
        .iter()
        .filter_map(|line| match &line.what {
            Taped::Asked(asked) if asked.call.round == 2 => Some(asked.prompt.user.as_str()),
            _ => None,
        })
        .collect();
    assert!(prompts.iter().all(|prompt| prompt.contains("Mind the partners abroad")), "everybody is told");
    holds(&table);
}

#[tokio::test(start_paused = true)]
async fn l8_what_is_said_while_a_round_is_under_way_waits_for_its_end() {
    let slow = agreeable_with_votes().replace("replies:", "default: {delay_ms: 1000}\nreplies:");
    let panel = script(&slow);
    let mut table = Table::default().begin(panel.clone());
    let (stop, heard) = interrupt();
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        stop.stop();
    };
    let mut chair = Speaks(Vec::new(), Unattended::Pause);
    let ((ended, _), ()) = tokio::join!(run_with(&mut table, &mut chair, heard), stopping);
    assert_eq!(ended, Ended::Paused(Paused::Interrupted));
    let (minutes, tape) = table.into_keeper().into_parts();
    let mut again = take_up(minutes, tape, panel);
    again.put_words([say("Mind the partners abroad")]);
    let (ended, _) = run(&mut again, Unattended::Pause).await;
    assert!(matches!(ended, Ended::Completed(_)));
    let said = again.keeper().minutes().interventions().iter().find(|i| i.kind == InterventionKind::Interjection);
    assert_eq!(said.map(|said| said.after_round), Some(1));
    holds(&again);
}

#[tokio::test]
async fn l8_what_is_said_before_the_first_round_is_in_the_first_question() {
    let mut table = Table::default().begin(script(&agreeable_with_votes()));
    table.put_words([say("Mind the partners abroad"), ask("qa-lead", "Why?")]);
    let (_, notices) = run(&mut table, Unattended::Pause).await;
    assert!(table.session().rounds()[0].question.contains("Mind the partners abroad"));
    let warned = notices.iter().any(|n| matches!(n, Notice::Warned { text } if text.contains("Nobody has said")));
    assert!(warned, "there is nothing to follow up on");
    holds(&table);
}

#[tokio::test]
async fn l9_a_follow_up_is_told_paid_and_on_the_tape_and_changes_nothing() {
    let words = |words: Vec<Word>| async {
        let mut table = Table::default();
        table.config.roundtable.interactive = true;
        let mut table = table.begin(script(&with_follow_ups()));
        let (ended, notices) = run_with(&mut table, &mut Speaks(words, Unattended::Pause), interrupt().1).await;
        assert!(matches!(ended, Ended::Completed(_)), "{ended:?}");
        (table, notices)
    };
    let (plain, _) = words(Vec::new()).await;
    let both = vec![ask("QA Lead", "What first?"), ask("qa-lead", "And then?"), ask("nobody", "?")];
    let (asked, notices) = words(both).await;
    let answers: Vec<&str> = notices
        .iter()
        .filter_map(|notice| match notice {
            Notice::FollowUpAnswered { after_round: 1, answer, .. } => Some(answer.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(answers, ["Contract tests, then load."; 2]);
    let yaml = |table: &Roundtable| table.keeper().minutes().to_yaml().expect("text");
    assert_eq!(yaml(&plain), yaml(&asked), "the record is what it would be without");
    let kept = follow_ups(asked.keeper().lines());
    assert_eq!((kept.len(), kept[1].question.as_str(), kept[1].round), (2, "And then?", 1));
    let calls = |table: &Roundtable| s2s::bill::Bill::of(table.keeper().lines()).total.calls;
    assert_eq!(calls(&asked), calls(&plain) + 2, "paid for");
    let second = asked.keeper().lines().iter().find_map(|line| match &line.what {
        Taped::Asked(asked) if asked.call.to_string() == "r1.followup.qa-lead.2" => Some(asked.prompt.user.clone()),
        _ => None,
    });
    let second = second.expect("on the tape");
    assert!(second.contains("What first?") && second.contains("And then?"), "{second}");
    assert!(!second.contains("what the team can already do"), "no other seat's answer: {second}");
    holds(&asked);
    holds(&plain);
}

#[tokio::test]
async fn l9_a_changed_follow_up_is_found_by_verify() {
    let mut table = Table::default();
    table.config.roundtable.interactive = true;
    let mut table = table.begin(script(&with_follow_ups()));
    let mut chair = Speaks(vec![ask("qa-lead", "What first?")], Unattended::Pause);
    run_with(&mut table, &mut chair, interrupt().1).await;
    let (minutes, mut tape) = table.into_keeper().into_parts();
    for line in &mut tape {
        if let Taped::Asked(asked) = &mut line.what {
            asked.question = asked.question.take().map(|_| "What last?".to_owned());
        }
    }
    let report = verify(&minutes, &tape).expect("verifies");
    assert!(report.findings[0].place.contains("r1.followup.qa-lead.1"), "{:?}", report.findings);
}

#[tokio::test]
async fn l9_a_follow_up_beyond_the_budget_is_not_asked() {
    let mut table = Table::default();
    table.config.roundtable.interactive = true;
    let mut table = table.begin(script(&with_follow_ups()));
    table.set_budgets(Budgets { calls: Some(5), ..Budgets::default() }).expect("a budget");
    let mut chair = Speaks(vec![ask("qa-lead", "What first?")], Unattended::Pause);
    let (_, notices) = run_with(&mut table, &mut chair, interrupt().1).await;
    let warned = notices.iter().any(|n| matches!(n, Notice::Warned { text } if text.contains("qa-lead was not asked")));
    assert!(warned && follow_ups(table.keeper().lines()).is_empty());
}

/// A person who takes their time, and writes what the test says; each answer once.
#[derive(Clone)]
struct Writes {
    delay: Duration,
    answers: Arc<Mutex<Vec<Wrote>>>,
    shown: Arc<Mutex<Vec<Sheet>>>,
}

impl Writes {
    fn these(delay_ms: u64, answers: Vec<Wrote>) -> Self {
        Self { delay: Duration::from_millis(delay_ms), answers: Arc::new(Mutex::new(answers)), shown: Arc::default() }
    }
}

impl Desk for Writes {
    fn ask(&self, sheet: Sheet) -> Writing {
        let (desk, delay) = (self.clone(), self.delay);
        Box::pin(async move {
            tokio::time::sleep(delay).await;
            desk.shown.lock().expect("a lock").push(sheet);
            let mut answers = desk.answers.lock().expect("a lock");
            if answers.is_empty() { Wrote::Later } else { answers.remove(0) }
        })
    }
}

fn answer(position: &str) -> Wrote {
    let text = format!("Position: {position}\nConfidence: 0.75\n");
    Wrote::Answer(written(read_form(&text, &sheet_of_nothing()).expect("reads").expect("says something")))
}

fn with_anna(desk: &Writes, base: &str) -> (Arc<dyn Panel>, Roundtable) {
    let panel: Arc<dyn Panel> =
        Arc::new(HumanPanel::new(script(base), ["anna".to_owned()], Arc::new(desk.clone()) as Arc<dyn Desk>));
    let anna = Participant::read("Anna:product-manager").expect("a person");
    let mut convened = Table::default().convened_with(&*panel, std::slice::from_ref(&anna));
    convened.opening.settings.limits.min_rounds = 1;
    let table = begin_with(convened, Arc::clone(&panel));
    (panel, table)
}

fn slow() -> String {
    agreeable_with_votes().replace("replies:", "default: {delay_ms: 100}\nreplies:")
}

#[tokio::test(start_paused = true)]
async fn h1_a_person_answers_blind_and_nothing_is_told_before() {
    let desk = Writes::these(60_000, vec![answer("I know the partners"); 9]);
    let (_, mut table) = with_anna(&desk, &slow());
    table.set_budgets(Budgets { minutes: Some(1.0), calls: Some(60), ..Budgets::default() }).expect("a budget");
    let (ended, notices) = run(&mut table, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Completed(_)), "waiting for a person is no waiting for models: {ended:?}");
    let sheet = desk.shown.lock().expect("a lock")[0].clone();
    assert!(sheet.told.contains("Which one?") && sheet.name == "Anna, Product Manager");
    for words in ["simple to keep", "the team can already do", "tested without a browser"] {
        assert!(!sheet.told.contains(words), "blind: {}", sheet.told);
    }
    let at = |is: &dyn Fn(&Notice) -> bool| notices.iter().position(is).expect("told");
    let asked = at(&|n| matches!(n, Notice::PeopleAsked { seats, .. } if *seats == ["anna"]));
    let first = at(&|n| matches!(n, Notice::CallEnded { call, .. } if call.starts_with("r1.response")));
    let own = at(&|n| matches!(n, Notice::CallEnded { seat, .. } if seat == "anna"));
    let ended = notices[first..own].iter().filter(|n| matches!(n, Notice::CallEnded { .. })).count();
    assert!(asked < first && ended == 3, "all are told when the last person is done: {asked} {first} {own}");
    let model = table.keeper().lines().iter().find_map(|line| match &line.what {
        Taped::Asked(asked) if &*asked.call.seat == "anna" => Some(asked.model.clone()),
        _ => None,
    });
    assert_eq!(model.as_deref(), Some("human"));
    let round = &table.session().rounds()[0];
    assert_eq!((round.usage.calls, round.confidence["anna"]), (5, 0.75), "question, three seats, synthesis");
    assert_eq!(table.spent().amount.calls, s2s::bill::Bill::of(table.keeper().lines()).total.calls);
    assert!(!s2s::bill::Bill::of(table.keeper().lines()).models.contains_key("human"));
    holds(&table);
}

#[tokio::test(start_paused = true)]
async fn h2_a_person_who_passes_is_a_silent_seat() {
    let desk = Writes::these(10, vec![Wrote::Pass; 9]);
    let (_, mut table) = with_anna(&desk, &slow());
    run(&mut table, Unattended::Accept).await;
    let round = &table.session().rounds()[0];
    assert_eq!(round.no_response.iter().map(|seat| &**seat).collect::<Vec<_>>(), ["anna"]);
    holds(&table);
}

#[tokio::test(start_paused = true)]
async fn h3_who_is_not_there_is_waited_for_and_asked_again_alone() {
    let desk = Writes::these(10, Vec::new());
    let (panel, mut table) = with_anna(&desk, &slow());
    let (ended, notices) = run(&mut table, Unattended::Accept).await;
    let Ended::Paused(Paused::ForPeople(people)) = ended else { panic!("waits for her: {ended:?}") };
    assert_eq!(people.iter().map(|seat| &**seat).collect::<Vec<_>>(), ["anna"]);
    let shown = notices.iter().any(|notice| {
        let Notice::CallEnded { end: CallEnd::Answered { position, .. }, .. } = notice else { return false };
        position.is_some()
    });
    assert!(!shown, "the others' words stay unsaid until she has answered");
    let spent = table.spent().amount.calls;
    let (minutes, tape) = table.into_keeper().into_parts();
    let answered =
        |tape: &[s2s::store::TapeLine]| tape.iter().filter(|line| matches!(line.what, Taped::Answered(_))).count();
    assert_eq!(answered(&tape), 4, "question and three seats are kept");
    desk.answers.lock().expect("a lock").extend(vec![answer("I know the partners"); 9]);
    let mut again = take_up(minutes, tape, panel);
    assert_eq!(again.spent().amount.calls, spent, "an open question to a person costs nothing");
    let (ended, notices) = run(&mut again, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Completed(_)), "{ended:?}");
    let before = notices.iter().filter(|n| matches!(n, Notice::Noted { text } if text.contains("answered before")));
    assert_eq!(before.count(), 3, "what was held back is told once she has answered");
    let asked = again.keeper().lines().iter().filter(|line| match &line.what {
        Taped::Asked(asked) => asked.call.round == 1 && &*asked.call.seat != "anna",
        _ => false,
    });
    assert_eq!(asked.count(), 5, "nobody else is asked twice");
    holds(&again);
}

/// An audience that reads along hears nothing of a round while a person writes.
#[tokio::test(start_paused = true)]
async fn h1_pieces_of_replies_are_held_back_too() {
    struct ReadsAlong(Memory);
    impl s2s::roundtable::Audience for ReadsAlong {
        fn notice(&mut self, notice: &Notice) {
            self.0.notice(notice);
        }
        fn reads_along(&self) -> bool {
            true
        }
    }
    let desk = Writes::these(1_000, vec![answer("I know the partners"); 9]);
    let (_, mut table) = with_anna(&desk, &slow());
    let mut audience = ReadsAlong(Memory::default());
    let mut chair = s2s::roundtable::Policy(Unattended::Accept);
    let mut around = s2s::roundtable::Surroundings {
        audience: &mut audience,
        chair: &mut chair,
        scribe: &NoScribe,
        interrupt: interrupt().1,
    };
    table.run(&mut around).await.expect("runs");
    let notices = audience.0.0;
    let asked = notices.iter().position(|n| matches!(n, Notice::PeopleAsked { .. })).expect("asked");
    assert!(matches!(&notices[asked + 1], Notice::CallStarted { .. }), "the next that is told is the opened curtain");
}

#[tokio::test]
async fn people_have_names_of_their_own() {
    let anna = Participant::read("Anna Maria:qa-lead").expect("a person");
    assert_eq!((anna.id.as_str(), anna.name.as_str(), anna.role.as_str()), ("anna-maria", "Anna Maria", "qa-lead"));
    assert_eq!(Participant::read("Яна").expect("a person").role, "human");
    for bad in ["", ":", "anna:", "facilitator", "a/b", &"x".repeat(41)] {
        assert!(Participant::read(bad).is_err(), "{bad}");
    }
    let desk: Arc<dyn Desk> = Arc::new(Writes::these(0, Vec::new()));
    let panel = HumanPanel::new(script(&slow()), ["anna".to_owned()], desk);
    assert!(panel.note().ends_with("anna is a person."), "{}", panel.note());
    let mut sheet = Sheet { told: "# x".into(), ..sheet_of_nothing() };
    sheet.ballot.push(("C1.1".into(), "Use REST".into()));
    assert!(form(&sheet, None).contains("C1.1: "));
}

fn sheet_of_nothing() -> Sheet {
    Sheet {
        seat: String::new(),
        name: String::new(),
        round: 1,
        topic: String::new(),
        question: String::new(),
        focus: String::new(),
        told: String::new(),
        ballot: Vec::new(),
        retry_reason: None,
    }
}
