//! The tape: an unfinished end is set aside, anything else that does not fit is refused with its line.

use std::fs;
use std::path::PathBuf;

use s2s_store::{Keeper, Opened, StoreError, TapeEntry, Taped, read_tape};

use crate::fixture::{ID, answered, asked, minutes, now, project};

/// A session with a tape of three lines; gives the tape's path and bytes.
fn taped() -> (tempfile::TempDir, s2s_store::Sessions, PathBuf, Vec<u8>) {
    let (folder, sessions) = project();
    let mut held = sessions.create(minutes(ID)).unwrap();
    let opened = Opened { roles: [("qa-lead".to_owned(), "# QA\n".into())].into(), prompts: Default::default() };
    held.append(vec![TapeEntry { at: now(), what: Taped::Opened(opened) }, asked("r1.response.qa-lead.1")], true)
        .unwrap();
    held.append(vec![answered("r1.response.qa-lead.1", "yes")], true).unwrap();
    let path = held.tape_path().to_owned();
    drop(held);
    let bytes = fs::read(&path).unwrap();
    (folder, sessions, path, bytes)
}

#[test]
fn lines_are_as_specified() {
    let (_folder, _sessions, _path, bytes) = taped();
    let text = String::from_utf8(bytes).unwrap();
    let asked = text.lines().nth(1).unwrap();
    let expected = r#"{"seq":2,"at":"2026-03-04T03:06:07Z","type":"asked","call":"r1.response.qa-lead.1","round":1,"kind":"response","seat":"qa-lead","attempt":1,"model":"offline","prompt":{"system":"#;
    assert!(asked.starts_with(expected), "{asked}");
    let (body, crc) = asked.split_once(",\"crc\":\"").unwrap();
    assert_eq!(crc, format!("{:08x}\"}}", crc32fast::hash(format!("{body}}}").as_bytes())));
    let answered: serde_json::Value = serde_json::from_str(text.lines().nth(2).unwrap()).unwrap();
    let keys: Vec<_> = answered.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["seq", "at", "type", "call", "reply", "stop", "usage", "request_id", "tries", "crc"]);
}

#[test]
fn l7_a_last_line_torn_at_any_byte_is_set_aside_and_said() {
    let (_folder, sessions, path, bytes) = taped();
    let last = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for end in last + 1..bytes.len() - 1 {
        fs::write(&path, &bytes[..end]).unwrap();
        let seen = sessions.tape(ID).unwrap();
        assert_eq!(
            (seen.lines.len(), seen.torn.as_ref().map(|torn| (torn.line, torn.bytes))),
            (2, Some((3, (end - last) as u64)))
        );
        // Opening syncs to the disk several times: every seventh byte is enough for that part.
        if !(end - last).is_multiple_of(7) {
            continue;
        }
        let mut held = sessions.open(ID).unwrap();
        let torn = held.torn().unwrap().clone();
        let aside = torn.moved_to.unwrap();
        assert_eq!(fs::read(&aside).unwrap(), &bytes[last..end]);
        assert_eq!(fs::read(&path).unwrap(), &bytes[..last]);
        held.append(vec![answered("r1.response.qa-lead.1", "yes")], true).unwrap();
        drop(held);
        assert_eq!(fs::read(&path).unwrap(), bytes, "the same line in its place");
        fs::remove_file(aside).unwrap();
    }
}

#[test]
fn l7_a_whole_last_line_without_its_newline_counts() {
    let (_folder, sessions, path, bytes) = taped();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(sessions.tape(ID).unwrap().lines.len(), 3);
    let mut held = sessions.open(ID).unwrap();
    assert_eq!(held.torn(), None);
    held.append(vec![asked("r1.synthesis.facilitator.1")], true).unwrap();
    assert_eq!(held.tape().unwrap().lines.len(), 4);
    assert!(fs::read(&path).unwrap().starts_with(&bytes));
}

#[test]
fn torn_ends_are_kept_beside_each_other() {
    let (_folder, sessions, path, bytes) = taped();
    for n in 1..=2 {
        fs::write(&path, [&bytes[..], b"{\"seq\":4"].concat()).unwrap();
        let held = sessions.open(ID).unwrap();
        let aside = held.torn().unwrap().moved_to.clone().unwrap();
        assert_eq!(aside.file_name().unwrap().to_str().unwrap(), format!("tape.torn-{n}"));
    }
    // What a power cut can leave: a hole of zeros.
    fs::write(&path, [&bytes[..], &[0; 4096]].concat()).unwrap();
    assert_eq!(sessions.open(ID).unwrap().torn().map(|torn| torn.bytes), Some(4096));
}

#[test]
fn any_changed_byte_of_a_middle_line_is_refused_with_the_line() {
    let (_folder, sessions, path, bytes) = taped();
    let first = bytes.iter().position(|byte| *byte == b'\n').unwrap();
    let second = first + 1 + bytes[first + 1..].iter().position(|byte| *byte == b'\n').unwrap();
    for at in first + 1..second {
        let mut edited = bytes.clone();
        edited[at] = if edited[at] == b'x' { b'y' } else { b'x' };
        fs::write(&path, &edited).unwrap();
        let error = read_tape(&path).expect_err("an edit");
        assert!(matches!(error, StoreError::Unreadable { line: 2, .. }), "byte {at}: {error}");
    }
    assert!(sessions.open(ID).is_err());
    assert!(!path.with_extension("torn-1").exists(), "nothing is moved where a line was edited");
}

#[test]
fn lines_lost_doubled_or_exchanged_are_refused() {
    let (_folder, _sessions, path, bytes) = taped();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    for (order, line) in [(vec![0, 2], 2), (vec![0, 0, 1, 2], 2), (vec![1, 0, 2], 1), (vec![1, 2], 1)] {
        fs::write(&path, order.iter().flat_map(|n| lines[*n].to_vec()).collect::<Vec<_>>()).unwrap();
        let error = read_tape(&path).expect_err("a gap");
        assert!(matches!(error, StoreError::Unreadable { line: at, .. } if at == line), "{order:?}: {error}");
    }
    fs::write(&path, [&bytes[..], b"\n"].concat()).unwrap();
    assert!(read_tape(&path).is_err(), "an empty line is no line");
    fs::write(&path, [&bytes[..], b"{\"seq\":4}\n"].concat()).unwrap();
    assert!(read_tape(&path).is_err(), "a bad last line that is ended was not torn");
}

#[test]
fn a_type_from_the_future_is_refused_with_advice() {
    let (_folder, _sessions, path, bytes) = taped();
    let body = r#"{"seq":4,"at":"2026-03-04T03:06:07Z","type":"sung"}"#;
    let line = format!("{},\"crc\":\"{:08x}\"}}\n", &body[..body.len() - 1], crc32fast::hash(body.as_bytes()));
    fs::write(&path, [&bytes[..], line.as_bytes()].concat()).unwrap();
    let words = read_tape(&path).unwrap_err().to_string();
    assert!(words.contains("`sung`") && words.contains("newer") && words.contains(":4"), "{words}");
}

#[test]
fn a_reply_of_50_mb_is_kept_and_read_back() {
    let (_folder, sessions) = project();
    let mut held = sessions.create(minutes(ID)).unwrap();
    let reply = "a reply without end, ".repeat(50 * 1024 * 1024 / 21);
    held.append(vec![answered("r1.response.qa-lead.1", &reply)], false).unwrap();
    held.append(vec![asked("r1.synthesis.facilitator.1")], false).unwrap();
    let error = held.append(vec![answered("r1.response.qa-lead.1", &"x".repeat(65 * 1024 * 1024))], false).unwrap_err();
    assert!(error.to_string().contains("more than 64 MB"), "{error}");
    held.append(vec![asked("r1.synthesis.facilitator.2")], false).unwrap();
    let lines = held.tape().unwrap().lines;
    assert!(matches!(&lines[0].what, Taped::Answered(answered) if answered.reply == reply));
    assert_eq!(lines.len(), 3, "what was refused left nothing behind");
}

#[test]
fn a_line_without_end_is_refused_before_it_fills_the_memory() {
    let (_folder, _sessions, path, _bytes) = taped();
    fs::File::create(&path).unwrap().set_len(100 * 1024 * 1024).unwrap();
    let words = read_tape(&path).unwrap_err().to_string();
    assert!(words.contains("more than 64 MB"), "{words}");
}

/// A replay adds up the costs on the tape; one that came back a little different gave other minutes.
#[test]
fn a_cost_comes_back_from_the_tape_to_the_last_digit() {
    let (_folder, sessions) = project();
    let mut held = sessions.create(minutes(ID)).unwrap();
    let costs: Vec<f64> = (1..500).map(|n| f64::from(n) * 0.000_123_7 / 7.3).collect();
    let line = |cost: &f64| {
        let mut entry = answered("r1.response.qa-lead.1", "yes");
        if let Taped::Answered(answered) = &mut entry.what {
            answered.usage.cost_usd = *cost;
        }
        entry
    };
    held.append(costs.iter().map(line).collect(), true).unwrap();
    let lines = held.tape().unwrap().lines;
    let back = lines.iter().filter_map(|line| match &line.what {
        Taped::Answered(answered) => Some(answered.usage.cost_usd),
        _ => None,
    });
    assert_eq!(back.collect::<Vec<_>>(), costs);
}
