//! A run as people see it: the notices in order, in every style.

use s2s::engine::record::{RoundKind, RuledBy};
use s2s::roundtable::{Audience, CallEnd, Notice};

use super::super::{JsonLines, Plain, Style};
use super::check;
use super::fixture::{self, ID, committed, first_round, second_round, started, topics};

fn shown(notices: &[Notice], style: &Style) -> String {
    let mut out = Vec::new();
    let mut plain = Plain::new(&mut out, *style);
    notices.iter().for_each(|notice| plain.notice(notice));
    assert!(plain.broken().is_none());
    drop(plain);
    String::from_utf8(out).unwrap()
}

/// What is shown from this title on; in colour its line starts before its words.
fn from_title(text: &str, title: &str) -> String {
    let words = text.find(title).unwrap();
    text[text[..words].rfind('\n').map_or(0, |end| end + 1)..].to_owned()
}

fn round_started(round: u32, kind: RoundKind, free: bool) -> Notice {
    let agenda = if free { Vec::new() } else { topics() };
    Notice::RoundStarted { round, max_rounds: 20, phase: "opening".into(), kind, agenda }
}

fn posed() -> Notice {
    let round = first_round();
    let asked = round.asked.iter().map(ToString::to_string).collect();
    Notice::QuestionPosed { round: 1, question: round.question, focus: round.focus, asked, probing: false }
}

fn answered(seat: &str, end: CallEnd) -> [Notice; 2] {
    let call = format!("r1.response.{seat}.1");
    let started = Notice::CallStarted { call: call.clone(), seat: seat.into(), model: "script".into() };
    [started, Notice::CallEnded { call, seat: seat.into(), end, duration_ms: 1_420, cost_usd: 0.0, spent_usd: 0.0 }]
}

fn calls() -> Vec<Notice> {
    let position = Some("REST with a small set of resources.".to_owned());
    let said = CallEnd::Answered { confidence: Some(0.8), position, doubts: Vec::new() };
    let refused = CallEnd::Refused { reason: "`position` is missing".into() };
    let failed = CallEnd::Failed { error: "timed out after 120 s".into() };
    let calls = [("software-architect", said), ("technical-lead", refused), ("devops-engineer", failed)];
    calls.into_iter().flat_map(|(seat, end)| answered(seat, end)).collect()
}

fn whole() -> Vec<Notice> {
    let mut notices = vec![started(false), round_started(1, RoundKind::Discussion, false), posed()];
    notices.extend(calls());
    notices.push(committed(first_round()));
    notices.push(committed(second_round()));
    notices.push(Notice::EscalationRaised { escalation: Box::new(fixture::escalation()) });
    notices
}

fn settled() -> Notice {
    Notice::EscalationSettled { id: "X1".into(), ruling: fixture::ruling() }
}

fn completed() -> Notice {
    Notice::SessionCompleted { session: ID.into(), outcome: fixture::outcome(), total_rounds: 2 }
}

fn paused() -> Notice {
    Notice::SessionPaused { session: ID.into(), reason: "a person must decide X1".into() }
}

#[test]
fn start() {
    check("start", |style| shown(&[started(false)], style));
}

#[test]
fn l7_resume_says_what_is_not_asked_again() {
    check("resumed", |style| shown(&[started(true)], style));
}

#[test]
fn a3_agenda_before_each_round() {
    let free = round_started(2, RoundKind::Ballot, true);
    check("agenda", |style| shown(&[round_started(1, RoundKind::Discussion, false), posed(), free.clone()], style));
}

#[test]
fn recap_says_why_the_engine_decided_so() {
    check("recap", |style| shown(&[committed(first_round()), committed(second_round())], style));
}

#[test]
fn e8_escalation_shows_causes_positions_recommendation_and_choices() {
    check("escalation", |style| shown(&whole()[whole().len() - 2..], style));
}

#[test]
fn d8_ruling_says_what_was_taken_then() {
    let policy = s2s::engine::record::Ruling { by: RuledBy::Policy, rounds: Some(3), ..fixture::ruling() };
    let policy = Notice::EscalationSettled { id: "X2".into(), ruling: policy };
    let warned = Notice::Warned { text: "unknown seat \"qa-leed\" was dropped from the question".into() };
    check("ruling", |style| shown(&[settled(), policy.clone(), warned.clone()], style));
}

#[test]
fn e9_pause_gives_the_exact_commands() {
    let raised = Notice::EscalationRaised { escalation: Box::new(fixture::escalation()) };
    let quiet = |style: &Style| Style { quiet: true, ..*style };
    check("paused", |style| {
        let text = shown(&[raised.clone(), paused()], &quiet(style));
        from_title(&text, "Roundtable Paused")
    });
    let after_ruling = shown(&[raised, settled(), paused()], &Style::PIPE);
    assert!(!after_ruling.contains("answer"), "a settled escalation is not to be answered: {after_ruling}");
}

#[test]
fn c3_completion_shows_tallies_status_output_and_next_steps() {
    check("completed", |style| {
        let text = shown(&[started(false), committed(first_round()), committed(second_round()), completed()], style);
        from_title(&text, "Roundtable Complete!")
    });
}

#[test]
fn verbose_adds_positions_and_doubts() {
    let style = Style { verbose: true, ..Style::PIPE };
    expect_test::expect_file!["screens/verbose.txt"].assert_eq(&shown(&whole(), &style));
}

#[test]
fn quiet_shows_only_escalations_and_the_end() {
    let mut notices = whole();
    notices.extend([settled(), completed()]);
    let text = shown(&notices, &Style { quiet: true, ..Style::PIPE });
    let titles: Vec<&str> = text.lines().filter(|line| line.starts_with(|c: char| !" ═".contains(c))).collect();
    assert_eq!(titles, ["⚠ Escalation Required: X1, after round 2", "Roundtable Complete!"]);
}

#[test]
fn a_session_taken_up_again_names_the_points_it_votes_on() {
    let mut out = Vec::new();
    let mut plain = Plain::new(&mut out, Style::PIPE).recalling(&[first_round()]);
    plain.notice(&committed(second_round()));
    drop(plain);
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("C1.1  Partners get a stable, versioned contract"), "{text}");
}

/// Takes a few bytes, then is gone.
struct Gone(usize);

impl std::io::Write for Gone {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_is_gone_is_remembered() {
    let mut plain = Plain::new(Gone(2_000), Style::PIPE);
    let mut json = JsonLines::new(Gone(2_000));
    let broken: Vec<(bool, bool)> = whole()
        .iter()
        .map(|notice| {
            plain.notice(notice);
            json.notice(notice);
            (plain.broken().is_some(), json.broken().is_some())
        })
        .collect();
    assert_eq!(broken.first(), Some(&(false, false)));
    assert_eq!(broken.last(), Some(&(true, true)));
}

#[test]
fn json_is_one_harmless_object_per_line() {
    let mut out = Vec::new();
    let text = "a\u{9b}31mb\u{202e}c\n\u{e0041}";
    let warned = Notice::Warned { text: text.into() };
    {
        let mut json = JsonLines::new(&mut out);
        whole().iter().chain([&warned]).for_each(|notice| json.notice(notice));
    }
    let out = String::from_utf8(out).unwrap();
    let events: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.len(), whole().len() + 1);
    assert_eq!(events[0]["event"], "session_started");
    let last = out.lines().last().unwrap();
    assert_eq!(last, r#"{"event":"warned","text":"a\u009b31mb\u202ec\n\udb40\udc41"}"#);
    assert_eq!(events.last().unwrap()["text"], text, "nothing is lost");
}
