//! `s2s dev mock-server`: plays the model providers until it is told to stop.
//! Given a port and a script; prints where it listens and what to export, then a line per call on standard
//! error. Deliberately absent: what is answered, which `s2s_mock` knows.

use std::io::Write;
use std::time::Duration;

use s2s::Failure;
use s2s::catalog::Problem;
use s2s::clean::clean_line;
use s2s::engine::counted;
use s2s_mock::{Act, Plan, ScriptError, Seen, Server};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::MockServer;
use crate::console::Console;

/// What people export to use the server: a variable, and what stands in it after the address.
const VARIABLES: [(&str, Option<&str>); 7] = [
    ("ANTHROPIC_BASE_URL", Some("")),
    ("ANTHROPIC_API_KEY", None),
    ("OPENAI_BASE_URL", Some("/v1")),
    ("OPENAI_API_KEY", None),
    ("GOOGLE_GEMINI_BASE_URL", Some("")),
    ("GEMINI_API_KEY", None),
    ("OLLAMA_HOST", Some("")),
];

/// Serves until SIGINT or SIGTERM.
pub fn mock_server(typed: &MockServer, console: &Console) -> Result<u8, Failure> {
    let plan = plan(typed)?;
    let failed = |error: std::io::Error| Failure::failed(format!("cannot start the runtime: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(serve(typed.port, plan, console))
}

/// The script's plan, with the flags over and after it.
fn plan(typed: &MockServer) -> Result<Plan, Failure> {
    let mut plan = match &typed.script {
        None => Plan::calm(),
        Some(file) => {
            let shown = file.display();
            let text = std::fs::read_to_string(file).map_err(|error| {
                Failure::bad_input(format!("cannot read {shown}: {error}")).next("check --script FILE")
            })?;
            Plan::from_yaml(&text).map_err(|ScriptError { line, column, what }| {
                let problem = Problem { line, column, ..Problem::of_file(shown.to_string(), what) };
                Failure::in_files(vec![problem]).next("the format is in docs/mock-server.md")
            })?
        }
    };
    if let Some(millis) = typed.latency_ms {
        plan = plan.latency(Duration::from_millis(millis));
    }
    match typed.fault_share {
        Some(share) if !(0.0..=1.0).contains(&share) => {
            Err(Failure::bad_input(format!("--fault-share {share}: a share is from 0 to 1"))
                .next("e.g. --fault-share 0.2"))
        }
        Some(share) => Ok(plan.share(share, typed.seed, &Act::passing()).counting_only()),
        None => Ok(plan.counting_only()),
    }
}

async fn serve(port: u16, plan: Plan, console: &Console) -> Result<u8, Failure> {
    let deaf = |error: std::io::Error| Failure::failed(format!("cannot listen for signals: {error}"));
    let mut int = signal(SignalKind::interrupt()).map_err(deaf)?;
    let mut term = signal(SignalKind::terminate()).map_err(deaf)?;
    let json = console.json;
    let server = Server::start_at(port, plan, move |seen| log(seen, json)).await.map_err(|error| {
        Failure::failed(format!("cannot listen on 127.0.0.1:{port}: {error}"))
            .next("choose another --port, or leave it out for a free one")
    })?;
    console.print(&greeting(server.url(), json))?;
    tokio::select! { _ = int.recv() => {} _ = term.recv() => {} }
    let counters = server.counters();
    server.stop().await;
    console.note(&format!(
        "stopped after {} on {}, at most {} at once",
        counted(counters.calls, "call"),
        counted(counters.connections, "connection"),
        counters.max_in_flight
    ));
    Ok(0)
}

/// Where the server is, and what to export.
fn greeting(url: &str, json: bool) -> String {
    let value = |after: &Option<&str>| after.map_or("mock".to_owned(), |after| format!("{url}{after}"));
    if json {
        let variables: serde_json::Map<String, serde_json::Value> =
            VARIABLES.iter().map(|(name, after)| ((*name).to_owned(), value(after).into())).collect();
        return format!("{}\n", json!({ "url": url, "environment": variables }));
    }
    let lines = VARIABLES.iter().map(|(name, after)| format!("export {name}={}\n", value(after)));
    format!("Mock server at {url}; Ctrl-C ends it.\n{}", lines.collect::<String>())
}

/// One line for a call.
fn log(seen: &Seen, json: bool) {
    let line = match json {
        true => json!({
            "call": seen.n, "format": seen.format.name(), "model": seen.model, "path": seen.path,
            "connection": seen.connection, "outcome": seen.outcome,
        })
        .to_string(),
        false => {
            let model = clean_line(&seen.model);
            let elsewhere = if seen.elsewhere { " (redirected here)" } else { "" };
            let (n, format, outcome) = (seen.n, seen.format.name(), seen.outcome);
            format!("{n} {format} {model}: {outcome}, connection {}{elsewhere}", seen.connection)
        }
    };
    // A log that nobody reads is not worth stopping for.
    let _ = anstream::stderr().write_all(format!("{line}\n").as_bytes());
}
