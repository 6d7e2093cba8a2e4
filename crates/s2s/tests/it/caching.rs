//! How much of what is sent was sent before, so that a provider's prompt cache can serve it: at least 60 % over
//! five rounds with five seats. Counted on the tape, and only against calls of earlier steps: calls of one step
//! go out together and find nothing of each other. Deliberately absent: prices, and how long a provider keeps a
//! prefix.

use std::sync::Arc;

use s2s::config::Config;
use s2s::engine::Unattended;
use s2s::engine::opening::FACILITATOR;
use s2s::panel::{Manner, ModelPanel, Panel};
use s2s::roundtable::Ended;
use s2s::store::{Prompt, TapeLine, Taped};
use s2s_mock::{Plan, Server};

use crate::world::{Table, mocked, run};

/// The shortest prefix that providers cache: 1,024 tokens of four bytes.
const LEAST: usize = 4 * 1024;

const CONTEXT: &str = "# Context\n\n## What it is\n\nA web shop with 40,000 customers and a public API that twelve partners \
call. Partners send orders in bulk at night, and change them during the day by telephone. The shop itself is a server-side \
application with a relational database; the API is a part of it that grew over six years.\n\n## Objectives\n\n- Partners \
change and cancel their orders by themselves, without a call to the office.\n- A change reaches the warehouse within one \
minute, or is refused with a reason that the partner's own program can act on.\n- A new partner is connected within two \
days, by one developer, from the documentation alone.\n\n## Scope\n\nIn: orders, their lines, delivery dates, addresses, \
prices as agreed with the partner, the state of a delivery, and messages to a partner when one of these changes. Out: \
invoices, returns, the catalog of goods, and everything about customers who are no partners. The telephone stays for two \
more years.\n\n## Constraints\n\n- Two teams of four developers; one runs the API, the other the shop. Nobody else.\n- No \
new database this year, and nothing that has to be operated by a vendor.\n- Everything partners see is versioned and kept \
for two years after its successor is there.\n- Nights and weekends are covered by one person on call, who is not always \
one of the API's developers.\n- Addresses and prices are personal or secret: no partner sees another's, and logs hold \
neither.\n\n## What is known\n\nAt the busiest hour there are 40 requests a second, nearly all of them reads of order \
states, and eight of ten repeat what the same partner asked less than five minutes before. The largest bulk order so far \
had 9,000 lines. Four of the twelve partners have developers of their own; the others use a program that one company sells \
to all of them, and which understands plain HTTP with JSON and nothing else. Response times below 300 ms were never asked \
for, but two partners have asked why an answer sometimes takes six seconds; the cause is known (a lock on the table of \
lines during bulk orders) and is not mended yet. The contract with the partners says that interfaces are announced \
ninety days before they change.\n";

/// A session of five rounds and five seats, as its tape tells it.
async fn tape() -> Vec<TapeLine> {
    let server = Server::start(Plan::calm()).await.unwrap();
    let seats = ["software-architect", "technical-lead", "qa-lead", "devops-engineer", "product-manager"];
    let seated = mocked(&server);
    let all = seats.iter().copied().chain([FACILITATOR]).map(|seat| (seat.to_owned(), seated.clone()));
    let panel: Arc<dyn Panel> = Arc::new(ModelPanel::new(all.collect(), Manner::default()));
    let mut config = Config::default();
    (config.roundtable.limits.min_rounds, config.roundtable.limits.max_rounds) = (5, 5);
    let table = Table { config, seats: seats.map(String::from).to_vec(), context: CONTEXT, ..Table::default() };
    let mut roundtable = table.begin(panel);
    let (ended, _) = run(&mut roundtable, Unattended::Accept).await;
    assert!(matches!(ended, Ended::Completed(_)), "{ended:?}");
    roundtable.into_keeper().into_parts().1
}

/// The calls in their steps: those asked before any of them was answered.
fn steps(tape: &[TapeLine]) -> Vec<Vec<&Prompt>> {
    let mut steps: Vec<Vec<&Prompt>> = Vec::new();
    let mut open = false;
    for line in tape {
        match &line.what {
            Taped::Asked(asked) if open => steps.last_mut().unwrap().push(&asked.prompt),
            Taped::Asked(asked) => steps.push(vec![&asked.prompt]),
            _ => {}
        }
        open = matches!(line.what, Taped::Asked(_));
    }
    steps
}

/// The share of all bytes that `repeated` finds in prompts of earlier steps.
fn share(steps: &[Vec<&Prompt>], repeated: impl Fn(&Prompt, &Prompt) -> usize) -> f64 {
    let (mut all, mut again) = (0, 0);
    let mut earlier: Vec<&Prompt> = Vec::new();
    for step in steps {
        for prompt in step {
            all += prompt.system.len() + prompt.user.len();
            again += earlier.iter().map(|before| repeated(prompt, before)).max().unwrap_or(0);
        }
        earlier.extend(step);
    }
    again as f64 / all as f64
}

/// Anthropic: the system part, which we mark, and all of it or nothing.
fn system(prompt: &Prompt, before: &Prompt) -> usize {
    if prompt.system == before.system { prompt.system.len() } else { 0 }
}

/// OpenAI and Gemini: the longest common beginning.
fn beginning(prompt: &Prompt, before: &Prompt) -> usize {
    let bytes = |prompt: &Prompt| [prompt.system.as_bytes(), prompt.user.as_bytes()].concat();
    bytes(prompt).iter().zip(&bytes(before)).take_while(|(one, other)| one == other).count()
}

#[tokio::test]
async fn most_of_what_is_sent_was_sent_before() {
    let tape = tape().await;
    let steps = steps(&tape);
    assert_eq!(steps.iter().map(Vec::len).collect::<Vec<_>>(), [1, 5, 1].repeat(5));
    let long_enough = |bytes: usize| if bytes >= LEAST { bytes } else { 0 };
    let (marked, common) = (share(&steps, system), share(&steps, beginning));
    let marked_long = share(&steps, |prompt, before| long_enough(system(prompt, before)));
    let common_long = share(&steps, |prompt, before| long_enough(beginning(prompt, before)));
    println!(
        "a repeated prefix: {marked:.3} by system parts, {common:.3} by common beginnings; of at least 1,024 tokens: \
         {marked_long:.3} and {common_long:.3}"
    );
    let systems: Vec<usize> = steps[0].iter().chain(&steps[1]).map(|prompt| prompt.system.len() / 4).collect();
    println!("tokens of the system parts: {systems:?}");
    assert!(marked >= 0.6, "{marked}");
    assert!(common >= 0.6, "{common}");
}
