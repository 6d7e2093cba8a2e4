//! Many connections at once: none is lost, and the counters say how it was.

use s2s_mock::{Act, Format, Plan, Server};
use tokio::task::JoinSet;

use crate::client::{Line, access, body, path};

#[tokio::test]
async fn many_connections_are_served_at_once_and_used_again() {
    let (lines, calls) = (400u64, 5u64);
    let late = Act::Late { after_ms: 30 };
    let plan = Plan::calm().on_calls(1..=lines, late).counting_only();
    let server = Server::start(plan).await.unwrap();
    let mut clients = JoinSet::new();
    for index in 0..lines {
        let url = server.url().to_owned();
        clients.spawn(async move {
            let format = Format::ALL[usize::try_from(index).unwrap() % Format::ALL.len()];
            let asked = body(format, "# QA Lead", "Say one word.").to_string();
            let mut line = Line::open(&url).await;
            for _ in 0..calls {
                line.send("POST", path(format), access(format), asked.as_bytes()).await;
                assert_eq!(line.receive().await.said(format), "OK");
            }
        });
    }
    clients.join_all().await;
    let counters = server.counters();
    assert_eq!((counters.connections, counters.calls), (lines, lines * calls));
    assert_eq!((counters.in_flight, counters.abandoned), (0, 0));
    assert!(counters.max_in_flight > lines / 2, "{counters:?}");
    assert!(server.calls().is_empty());
}
