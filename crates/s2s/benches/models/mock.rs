//! The mock in its own process: it serves until its standard input ends, and says on each line of it what it
//! has counted. Given a latency; hands on an address and counters. Deliberately absent: faults.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use s2s_mock::{Plan, Server};

/// A mock in another process. It ends when this is dropped.
pub struct Mock {
    pub url: String,
    child: Child,
    told: BufReader<std::process::ChildStdout>,
}

/// What it counted.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    pub calls: u64,
    pub connections: u64,
    pub max_in_flight: u64,
}

/// The process of the mock.
pub fn serve(latency_ms: u64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let plan = Plan::calm().latency(Duration::from_millis(latency_ms)).counting_only();
    let server = runtime.block_on(Server::start(plan)).unwrap();
    println!("{}", server.url());
    let (ask, mut asked) = tokio::sync::mpsc::unbounded_channel();
    std::thread::spawn(move || std::io::stdin().lines().map_while(Result::ok).for_each(|_| ask.send(()).unwrap()));
    runtime.block_on(async {
        while asked.recv().await.is_some() {
            let counted = server.counters();
            println!("{} {} {}", counted.calls, counted.connections, counted.max_in_flight);
        }
    });
}

impl Mock {
    pub fn start(latency_ms: u64) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["serve", &latency_ms.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap());
        let mut url = String::new();
        told.read_line(&mut url).unwrap();
        Self { url: url.trim().to_owned(), child, told }
    }

    pub fn counted(&mut self) -> Counted {
        writeln!(self.child.stdin.as_mut().unwrap()).unwrap();
        let mut line = String::new();
        self.told.read_line(&mut line).unwrap();
        let mut numbers = line.split_whitespace().map(|number| number.parse::<u64>().unwrap());
        let mut next = || numbers.next().unwrap();
        Counted { calls: next(), connections: next(), max_in_flight: next() }
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
