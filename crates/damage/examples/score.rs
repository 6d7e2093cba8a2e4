//! Scores the reader on made replies or on a file of them, and prints what is not perfect.

use std::io::{self, Write as _};
use std::process::ExitCode;

use s2s_damage::judge::{Verdict, differing, judge};
use s2s_damage::make::{Reply, replies};
use s2s_damage::report::Report;
use s2s_damage::{Form, Truth, kinds};
use s2s_reader::{Kind, read};
use serde_json::Value;

const USAGE: &str = "score [--seed N] [--each N] [--held-out] [--all] [--make] [--list] [--show KIND] [FILE.jsonl]
  --seed N      which replies are made (1)
  --each N      how many of each kind (20)
  --held-out    the held-out kinds: totals and families only
  --all         every kind in the table, also the perfect ones
  --show KIND   failing replies of a shown kind or of a category of FILE, up to five
  --make        print the replies as lines of JSON (shown kinds)
  --list        print the shown kinds
  FILE.jsonl    score these replies instead of made ones";

#[derive(Default)]
struct Args {
    seed: Option<u64>,
    each: Option<usize>,
    held_out: bool,
    all: bool,
    make: bool,
    list: bool,
    show: Option<String>,
    file: Option<String>,
}

fn args() -> Result<Args, String> {
    let mut args = Args::default();
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        let mut value = |name: &str| given.next().ok_or(format!("{name} needs a value"));
        match word.as_str() {
            "--seed" => args.seed = Some(value("--seed")?.parse().map_err(|_| "--seed needs a number")?),
            "--each" => args.each = Some(value("--each")?.parse().map_err(|_| "--each needs a number")?),
            "--show" => args.show = Some(value("--show")?),
            "--held-out" => args.held_out = true,
            "--all" => args.all = true,
            "--make" => args.make = true,
            "--list" => args.list = true,
            word if word.starts_with('-') => return Err(USAGE.to_owned()),
            file => args.file = Some(file.to_owned()),
        }
    }
    Ok(args)
}

fn got(reply: &Reply) -> Result<Value, String> {
    let kind = if reply.form == Form::Participant { Kind::Response } else { Kind::Synthesis };
    read(kind, &reply.text).map(|reading| Value::Object(reading.value)).map_err(|refusal| refusal.to_string())
}

fn verdict(reply: &Reply) -> Verdict {
    judge(reply.form, &reply.truth, got(reply).ok().as_ref())
}

fn made(args: &Args) -> Result<Vec<(Reply, &'static str)>, String> {
    if let Some(file) = &args.file {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        return lines
            .map(|(at, line)| Ok((Reply::from_line(line).ok_or(format!("{file}:{}: no reply", at + 1))?, "file")))
            .collect();
    }
    let kinds = if args.held_out { kinds::held_out() } else { kinds::shown() };
    let of = |kind: &'static kinds::Kind| {
        let replies = replies(kind, args.seed.unwrap_or(1), args.each.unwrap_or(20));
        replies.into_iter().map(|reply| (reply, kind.family))
    };
    Ok(kinds.into_iter().flat_map(of).collect())
}

fn show(out: &mut impl io::Write, replies: &[(Reply, &str)], name: &str) -> io::Result<()> {
    let failing = replies.iter().filter(|(reply, _)| {
        reply.kind == name && !matches!(verdict(reply), Verdict::Recovered | Verdict::RightlyRefused)
    });
    for (reply, _) in failing.take(5) {
        writeln!(out, "──── {} {:?}\n{}", reply.id, verdict(reply), reply.text)?;
        match (&reply.truth, got(reply)) {
            (Truth::Value(truth), Ok(got)) => {
                for key in differing(reply.form, truth, &got) {
                    let field = |value: &Value| value.get(&key).cloned().unwrap_or_default();
                    writeln!(out, "── {key}\n  truth {}\n  got   {}", field(truth), field(&got))?;
                }
            }
            (Truth::Value(truth), Err(why)) => writeln!(out, "── refused: {why}\n── truth {truth}")?,
            (Truth::MustRefuse, got) => writeln!(out, "── must be refused; got {got:?}")?,
        }
        writeln!(out)?;
    }
    Ok(())
}

fn run(args: &Args) -> Result<(), String> {
    let mut out = io::stdout().lock();
    let io = |error: io::Error| error.to_string();
    if args.list {
        for kind in kinds::shown() {
            writeln!(out, "{:<16} {:<36} {}", kind.family, kind.name, kind.does).map_err(io)?;
        }
        return Ok(());
    }
    let hidden = args.held_out;
    if hidden && (args.show.is_some() || args.make) {
        return Err("hidden kinds are not shown: only their totals".into());
    }
    let replies = made(args)?;
    if args.make {
        return replies.iter().try_for_each(|(reply, _)| writeln!(out, "{}", reply.line())).map_err(io);
    }
    if let Some(name) = &args.show {
        return show(&mut out, &replies, name).map_err(io);
    }
    let (mut by_kind, mut by_family) = (Report::default(), Report::default());
    for (reply, family) in &replies {
        let verdict = verdict(reply);
        by_kind.count(&reply.kind, verdict);
        by_family.count(family, verdict);
    }
    if !hidden {
        write!(out, "{}", by_kind.table(args.all)).map_err(io)?;
        let perfect = by_kind.by_name.values().filter(|tally| tally.is_perfect()).count();
        writeln!(out, "\n{perfect} of {} kinds are perfect\n", by_kind.by_name.len()).map_err(io)?;
    }
    if args.file.is_none() {
        writeln!(out, "{}", by_family.table(true)).map_err(io)?;
    }
    writeln!(out, "total: {}", by_kind.total().words()).map_err(io)
}

fn main() -> ExitCode {
    let done = args().and_then(|args| run(&args));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(io::stderr(), "{why}");
            ExitCode::FAILURE
        }
    }
}
