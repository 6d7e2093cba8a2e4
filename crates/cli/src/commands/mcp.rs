//! `s2s mcp`: serves the table to other agents, over standard input and output or HTTP.
//! Given where to serve; runs until the client leaves, or a signal comes, which pauses every session as Ctrl-C does.
//! Nothing but the protocol reaches standard output: it is moved away before anything runs. Deliberately absent: the
//! protocol and its tools (`s2s-mcp`), and how a session is begun (`serving.rs`).

use std::fs::File;
use std::io::IsTerminal;
use std::sync::Arc;

use s2s::Failure;
use s2s_mcp::{Door, Server, Token, serve_http, serve_stdio};

use super::install;
use super::serving::Table;
use crate::args::{Mcp, McpCommand};
use crate::console::Console;
use crate::screen::Style;
use crate::seating::models::runtime;
use crate::signals::{self, Signals};
use crate::workplace::here;

/// The variable with the token for HTTP.
const TOKEN: &str = "S2S_MCP_TOKEN";

/// Serves until the client leaves or a signal comes.
pub fn mcp(typed: &Mcp, console: &Console) -> Result<u8, Failure> {
    if let Some(McpCommand::Install(typed)) = &typed.command {
        return install::install(typed, console);
    }
    if let Some(folder) = &typed.project {
        std::env::set_current_dir(folder).map_err(|error| {
            Failure::bad_input(format!("--project {}: {error}", folder.display())).next("name a folder that exists")
        })?;
    }
    let console = Console {
        json: false,
        terminal: false,
        attended: false,
        style: Style { width: console.style.width, ..Style::PIPE },
    };
    let server = Server::new(Arc::new(Table::new(here()?, console)))?;
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        // From here on a signal is heard, not deadly.
        let mut signals = Signals::new()?;
        tokio::select! {
            served = serve(server.clone(), typed, &console) => served,
            () = signals.next() => {
                console.note("Ending: every session is paused; roundtable_wait takes it up again.");
                tokio::select! {
                    () = server.close() => Ok(()),
                    () = signals.next() => signals::leave(),
                }
            }
        }
    });
    // A read of standard input cannot be called off.
    runtime.shutdown_background();
    served.map(|()| 0)
}

async fn serve(server: Server, typed: &Mcp, console: &Console) -> Result<(), Failure> {
    match typed.http {
        Some(address) => {
            let door = Door::open(address, typed.allow_remote, &typed.host).await?;
            let token = token(typed)?;
            console.note(&format!("Serving MCP at {}", door.url()));
            serve_http(server, door, token).await
        }
        None => {
            if std::io::stdin().is_terminal() {
                console.note(
                    "This speaks MCP on standard input and output, for an agent host (docs/agents.md); Ctrl-C ends it.",
                );
            }
            serve_stdio(server, tokio::io::stdin(), tokio::fs::File::from_std(apart()?)).await
        }
    }
}

/// Standard output, taken away from everybody else in this process: what they print goes to standard error.
fn apart() -> Result<File, Failure> {
    let failed = |error: rustix::io::Errno| Failure::failed(format!("standard output cannot be set apart: {error}"));
    let own = rustix::io::dup(std::io::stdout()).map_err(failed)?;
    rustix::stdio::dup2_stdout(std::io::stderr()).map_err(failed)?;
    Ok(File::from(own))
}

/// The token that clients must show; one that was made here is told once, and only here.
fn token(typed: &Mcp) -> Result<Token, Failure> {
    if let Some(file) = &typed.token_file {
        return Token::in_file(file);
    }
    if let Ok(text) = std::env::var(TOKEN) {
        return Token::given(&text, TOKEN);
    }
    let token = Token::random()?;
    anstream::eprintln!("Token, told only now: {}", token.reveal());
    Ok(token)
}
