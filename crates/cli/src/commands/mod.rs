//! The commands: one file each.
//! Given what was typed and the console; hands on an exit code, or a failure to report.

mod adr;
mod answer;
mod answer_as;
mod ask;
mod catalog;
mod checkup;
mod cleanup;
mod close;
mod completions;
mod config;
mod conversation;
mod cost;
mod describe;
mod detect;
mod dev;
pub mod docs;
mod doctor;
mod forecast;
mod home;
mod init;
mod install;
mod keeping;
mod list;
mod man;
mod mcp;
mod models;
mod names;
pub mod opening;
mod plan;
mod plan_lines;
mod playbook;
mod prompts;
mod read;
mod read_lines;
pub mod reopen;
mod report;
mod resume;
mod role;
mod roll_call;
mod serving;
mod session;
mod show;
mod start;
mod status;
mod trace;
mod validate;
mod watch;
mod work;

use s2s::project;
use s2s::{Failure, FailureKind};

use self::session::Check;
use crate::args::{Command, Config, Dev, Roundtable, Session};
use crate::console::Console;
use crate::workplace::here;

/// Carries out what was typed; nothing typed = says where we are.
pub fn carry_out(command: Option<Command>, console: &Console) -> Result<u8, Failure> {
    let had_project = has_project();
    chosen(command, console).map_err(|failure| match failure.kind {
        FailureKind::Interrupted if !had_project && has_project() => {
            // Whoever leaves the second question has answered the first one.
            let what = failure.what.replace("nothing was changed", "this folder is an s2s project now (.s2s/)");
            Failure { what, ..failure }
        }
        _ => failure,
    })
}

fn has_project() -> bool {
    here().is_ok_and(|cwd| project::find(&cwd).is_some())
}

fn chosen(command: Option<Command>, console: &Console) -> Result<u8, Failure> {
    match command {
        None => home::home(console),
        Some(Command::Init(typed)) => init::init(&typed, console),
        Some(Command::Specs(typed)) => work::specs(&typed, console),
        Some(Command::Design(typed)) => work::design(&typed, console),
        Some(Command::Brainstorm(typed)) => work::brainstorm(&typed, console),
        Some(Command::Roundtable(typed)) => match *typed {
            Roundtable::Start(typed) => start::start(&typed, console),
            Roundtable::Resume(typed) => resume::resume(&typed, console),
            Roundtable::List => list::list(console),
            Roundtable::Show(typed) => show::show(&typed, console),
            Roundtable::Answer(typed) => answer::answer(&typed, console),
        },
        Some(Command::Session(typed)) => match typed {
            Session::List => list::list(console),
            Session::Show(typed) => show::show(&typed, console),
            Session::Status(typed) => status::status(&typed, console),
            Session::Close(typed) => close::close(&typed, console),
            Session::Cleanup(typed) => cleanup::cleanup(&typed, console),
            Session::Validate(typed) => validate::validate(&typed, console),
            Session::Verify(named) => session::session(Check::Verify, &named, console),
            Session::Cost(named) => cost::cost(&named, console),
            Session::Replay(named) => session::session(Check::Replay, &named, console),
        },
        Some(Command::Report(typed)) => report::report(&typed, console),
        Some(Command::Watch(typed)) => watch::watch(&typed, console),
        Some(Command::Show(typed)) => show::show(&typed, console),
        Some(Command::Ask(typed)) => ask::ask(&typed, console),
        Some(Command::Docs(typed)) => docs::docs(&typed, console),
        Some(Command::Adr(typed)) => adr::adr(typed, console),
        Some(Command::Role(typed)) => role::role(&typed, console),
        Some(Command::Playbook(typed)) => playbook::playbook(&typed, console),
        Some(Command::Plan(typed)) => plan::plan(&typed, console),
        Some(Command::Trace(typed)) => trace::trace(&typed, console),
        Some(Command::Catalog(typed)) => catalog::catalog(&typed, console),
        Some(Command::Config(Config::Show)) => config::show(console),
        Some(Command::Models(typed)) => models::models(&typed, console),
        Some(Command::Doctor(typed)) => doctor::doctor(&typed, console),
        Some(Command::Mcp(typed)) => mcp::mcp(&typed, console),
        Some(Command::Read(typed)) => read::read(&typed, console),
        Some(Command::Completions { shell }) => completions::completions(shell, console),
        Some(Command::Man { folder }) => man::man(folder.as_deref(), console),
        Some(Command::Dev(Dev::MockServer(typed))) => dev::mock_server(&typed, console),
    }
}
