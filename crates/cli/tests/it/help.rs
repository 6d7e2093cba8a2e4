//! `--help` and the manual pages, for every command there is: found by walking, so that a new one cannot be forgotten.

use std::process::{Command, Stdio};

use unicode_width::UnicodeWidthStr;

use super::harness::{Folder, finish};

/// Every command, by what the help of the one above lists; with its help.
fn all(folder: &Folder) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![Vec::<String>::new()];
    while let Some(path) = waiting.pop() {
        let mut args: Vec<&str> = path.iter().map(String::as_str).collect();
        args.push("--help");
        let help = folder.run(&args).ok().out;
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
        waiting.extend(names.map(|name| path.iter().cloned().chain([name.to_owned()]).collect()));
        found.push((path, help));
    }
    found
}

#[test]
fn every_help_has_an_example_that_is_of_its_command_and_fits_80_columns() {
    let folder = Folder::bare();
    let all = all(&folder);
    assert!(all.len() > 45, "{}", all.len());
    for (path, help) in all {
        let name = ["s2s".to_owned()].into_iter().chain(path).collect::<Vec<_>>().join(" ");
        let wide: Vec<&str> = help.lines().filter(|line| line.width() > 80).collect();
        assert!(wide.is_empty(), "{name}: {wide:#?}");
        let (_, example) = help.rsplit_once("Example:\n").unwrap_or_else(|| panic!("{name} has no example"));
        for line in example.trim_end().lines() {
            assert!(line.contains(&name), "an example of {name} is of another command, or broken over lines: {line:?}");
        }
    }
}

#[test]
fn a_slip_of_the_finger_is_answered_with_what_was_meant() {
    let folder = Folder::project();
    folder.start(&["--quiet"]).ok();
    let id = folder.ids().remove(0);
    let near = format!("{}x", id.replace("api", "apo"));
    let cases: &[(&[&str], &str)] = &[
        (&["rountable"], "roundtable"),
        (&["roundtable", "strat"], "start"),
        (&["roundtable", "start", "--stratgy", "debate", "x"], "--strategy"),
        (&["roundtable", "start", "A question", "--strategy", "debat"], "did you mean `debate`?"),
        (&["roundtable", "start", "A question", "--participants", "qa-leed,technical-lead"], "did you mean `qa-lead`?"),
        (&["roundtable", "start", "A question", "--model", "antropic:x", "--panel", "models"], "`anthropic`"),
        (&["role", "show", "qa-leed"], "did you mean `qa-lead`?"),
        (&["catalog", "show", "strateg", "debate"], "did you mean `strategy`?"),
        (&["roundtable", "show", &near], &id),
    ];
    for (args, meant) in cases {
        let run = folder.run(args).is(2);
        assert!(run.err.contains(meant), "{args:?}: {}", run.err);
    }
}

#[test]
fn every_command_has_a_manual_page_that_troff_takes_without_a_word() {
    let folder = Folder::bare();
    folder.run(&["man", "pages"]).ok().shows(&["written to pages", "man -l pages/s2s.1"]);
    for (path, help) in all(&folder) {
        let name = ["s2s".to_owned()].into_iter().chain(path).collect::<Vec<_>>().join("-");
        let page = folder.read(&format!("pages/{name}.1"));
        assert!(page.contains(".SH EXAMPLE\n.nf\n"), "{name}");
        let mut groff = Command::new("groff");
        groff.args(["-k", "-ww", "-man", "-Tutf8", &format!("pages/{name}.1")]);
        folder.settle(&mut groff);
        match groff.stdin(Stdio::null()).spawn() {
            Ok(child) => {
                let read = finish(child).ok();
                assert_eq!(read.err, "", "{name}");
                let example = help.trim_end().lines().last().unwrap().trim();
                assert!(read.out.contains(example), "{name}: {}", read.out);
            }
            Err(error) => eprintln!("groff cannot be run here: {error}"),
        }
    }
    folder.run(&["man"]).ok().shows(&[".TH s2s 1"]);
    folder.write("file", "");
    folder.run(&["man", "file"]).is(1).says(&["cannot write to file", "man1"]);
}
