//! Project roles and Claude agents, from the command line to the documents; and starting files for new ones.

use super::harness::{Folder, files_below};

const AGENT: &str = "---\nname: x\ndescription: Use this when: data\nmodel: opus\ntools: Read, Bash\ncolor: blue\n---\n\
    You know data.\n\n- What happens to old rows?\n- Who may delete a customer?\n";

/// Two agents and a file that cannot be used.
fn with_agents() -> Folder {
    let folder = Folder::project();
    folder.write(".claude/agents/dba.md", AGENT);
    folder.write(".claude/agents/Api_Owner.v2.md", AGENT);
    folder.write(".claude/agents/bad.md", "---\nname: bad\n---\nText \u{1b}[2J\n");
    folder
}

const SEATS: &str = "project:dba,project:Api_Owner.v2,qa-lead";

/// Agents speak, vote and disagree; the facilitator names them in every way a model may.
const SCRIPT: &str = r#"
replies:
  - {kind: sides, reply: {pro: ["project:dba"], con: ["project:Api_Owner.v2", qa-lead], proposal: "Use REST"}}
  - {kind: question, reply: {action: question, question: "Which way?", participants: all, focus: "Ways"}}
  - {kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7, concerns: []}}
  - {seat: "project:dba", round: 1, reply: {position: "Use SQL", rationale: ["known"], confidence: 0.8}}
  - {round: 2, kind: response, reply: {position: "Use REST", rationale: ["known"], confidence: 0.7, votes: {C1.1: support}}}
  - round: 1
    kind: synthesis
    reply: |
      action: synthesis
      synthesis: "REST it is."
      consensus: ["Use REST"]
      conflicts:
        - id: caching
          description: who caches
          positions:
            project:dba: the client
            project:Api_Owner.v2: the server
      next_action: continue
      next_focus: Costs
  - {round: 2, kind: synthesis, reply: {action: synthesis, synthesis: "All agree.", resolved: [{conflict_id: caching, resolution: "the client"}], next_action: conclude, recommendation: "Use REST", output_type: adr}}
  - {kind: synthesis, reply: {action: synthesis, synthesis: "All agree.", next_action: conclude, recommendation: "Use REST", output_type: adr}}
"#;

#[test]
fn a_seat_with_a_colon_survives_minutes_tape_votes_conflicts_and_documents() {
    let folder = with_agents();
    folder.write("agents.yaml", SCRIPT);
    let args = ["roundtable", "start", "An API", "--strategy", "standard", "--participants", SEATS, "--verbose"];
    folder.run(&[&args[..], &["--panel", "script:agents.yaml"]].concat()).ok();
    let minutes = folder.only();
    let rounds = minutes["rounds"].as_array().unwrap();
    assert_eq!(minutes["participants"][0]["id"], "project:dba");
    assert_eq!(minutes["participants"][0]["name"], "Dba");
    assert_eq!(rounds[0]["confidence"]["project:dba"], 0.8);
    assert_eq!(rounds[0]["conflicts"][0]["positions"]["project:Api_Owner.v2"], "the server");
    assert_eq!(rounds[0]["conflicts"][0]["positions"]["project:dba"], "the client");
    assert!(rounds[1]["tallies"].to_string().contains("project:Api_Owner.v2"), "{}", rounds[1]["tallies"]);
    let id = minutes["id"].as_str().unwrap();
    let tape = folder.read(&format!(".s2s/sessions/{id}/tape.jsonl"));
    assert!(tape.contains("r1.response.project:dba.1") && tape.contains("r1.response.project:Api_Owner.v2.1"));
    assert!(tape.contains("What happens to old rows?"), "its text is in the charter and in the prompts");
    assert!(!tape.contains("Read, Bash"), "the frontmatter is not");
    for check in ["validate", "verify", "replay"] {
        folder.run(&["session", check]).ok().shows(&["Everything holds"]);
    }
    let adr = minutes["outcome"]["file"].as_str().unwrap();
    assert!(folder.read(adr).contains("project:dba"), "{adr}");
    folder.run(&["session", "show", "--verbose"]).ok().shows(&["Dba (project:dba, script)", "Use SQL"]);
    folder.run(&["session", "cost"]).ok().shows(&["project:Api_Owner.v2"]);
    let strange = files_below(&folder.path()).into_iter().filter(|path| path.to_string_lossy().contains(':'));
    assert_eq!(strange.count(), 0, "no file is called after a seat");
}

#[test]
fn agents_debate_are_paused_and_taken_up_again() {
    let folder = with_agents();
    folder.write("agents.yaml", SCRIPT);
    let flags = ["--participants", SEATS, "--pro", "project:dba", "--con", "project:Api_Owner.v2,qa-lead"];
    let start = ["roundtable", "start", "An API", "--strategy", "debate", "--panel", "script:agents.yaml"];
    let ended = folder.run(&[&start[..], &flags[..], &["--on-escalation", "accept"]].concat());
    assert!([0, 3, 4].contains(&ended.code), "{}", ended.err);
    assert_eq!(folder.only()["debate_sides"]["pro"][0], "project:dba");
    folder.run(&["session", "validate"]).ok();
}

#[test]
fn agents_are_seated_by_name_only_and_offline_they_say_what_they_lack() {
    let folder = with_agents();
    let start = ["roundtable", "start", "REST or GraphQL", "--panel", "offline", "--yes"];
    let run = folder.run(&start).ok();
    assert!(!run.out.contains("project:"), "{}", run.out);
    let seated = [&start[..], &["--participants", SEATS]].concat();
    folder.run(&seated).ok().shows(&["project:dba has no playbook of its own", "Dba"]);
    for check in ["validate", "verify", "replay"] {
        folder.run(&["session", check]).ok();
    }
    folder
        .run(&["roundtable", "start", "x", "--participants", "project:bad,qa-lead"])
        .is(2)
        .says(&[".claude/agents/bad.md:4:6", "U+001B"]);
}

#[test]
fn a_seats_own_model_is_parsed_at_the_equals_sign() {
    let folder = with_agents();
    let start = |seat: &str| {
        let mut command =
            folder.command(&["roundtable", "start", "x", "--participants", SEATS, "--dry-run", "--seat", seat]);
        command.env("OPENAI_API_KEY", "k").env("ANTHROPIC_API_KEY", "k");
        super::harness::finish(command.spawn().unwrap())
    };
    start("project:dba=openai:gpt-6-luna").ok();
    start("project:Api_Owner.v2=anthropic:claude-haiku-5-5").ok();
    start("project:nobody=openai:gpt-6-luna").is(2).says(&["project:nobody", "no seat at this table"]);
    start("project:dba").is(2).says(&["SEAT=MODEL"]);
    start("project:=openai:x").is(2);
}

#[test]
fn a_key_in_an_agent_file_is_not_sent() {
    let folder = with_agents();
    let key = ["AKIA", "J7Q2ZK4WXB3TN6RV"].concat();
    folder.write(".claude/agents/dba.md", format!("{AGENT}\nUse {key} to sign in.\n"));
    let mut command = folder.command(&["roundtable", "start", "x", "--participants", SEATS, "--panel", "models"]);
    command.env("ANTHROPIC_API_KEY", "k").env("ANTHROPIC_BASE_URL", "http://127.0.0.1:9");
    let run =
        super::harness::finish(command.spawn().unwrap()).is(2).says(&["nothing was sent", "the role project:dba"]);
    assert!(!run.err.contains(&key));
}

#[test]
fn roles_are_listed_and_shown_with_what_is_wrong() {
    let folder = with_agents();
    folder.run(&["role", "new", "qa-lead"]).ok().shows(&["takes the place of the built-in role"]);
    let list = folder.run(&["role", "list"]).ok().shows(&[
        "Built-in (10)",
        "(over the built-in one)",
        "project:dba",
        "seated only by name",
        "Cannot be seated (1 problem)",
        ".claude/agents/bad.md:4:6",
    ]);
    assert!(!list.out.contains('\u{1b}') && !list.out.contains("ignored"), "{}", list.out);
    folder
        .run(&["role", "list", "--verbose"])
        .ok()
        .shows(&["ignored: tools, color; a seat has no tools", "model: opus"]);
    let rows = folder.run(&["role", "list", "--json"]).ok().json();
    let row = |name: &str| rows["roles"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone();
    assert_eq!(row("project:dba")["origin"], "claude_agent");
    assert_eq!(row("project:dba")["ignored"], serde_json::json!(["tools", "color"]));
    assert_eq!(
        (row("qa-lead")["overrides"].clone(), row("qa-lead")["origin"].clone()),
        (true.into(), "project".into())
    );
    assert_eq!(
        (row("project:bad")["usable"].clone(), row("project:bad")["problems"][0]["line"].clone()),
        (false.into(), 4.into())
    );
    folder.run(&["role", "show", "project:dba"]).ok().shows(&["Dba", "You know data.", "a seat has no tools"]);
    folder.run(&["role", "show", "project:qa-lead"]).ok().shows(&[".s2s/roles/qa-lead.md"]);
    folder.run(&["role", "show", "project:bad"]).ok().shows(&["U+001B"]);
    folder.run(&["role", "show", "project:dbb"]).is(2).says(&["did you mean `project:dba`?", "s2s role list"]);
    folder.run(&["role", "show", "../../etc/passwd"]).is(2);
    assert!(
        folder.run(&["role", "show", "qa-lead", "--json"]).ok().json()["text"].as_str().unwrap().contains("# QA Lead")
    );
}

#[test]
fn a_new_role_is_written_once_and_sits_down() {
    let folder = Folder::project();
    let new =
        ["role", "new", "data-protection", "--name", "Data Protection Officer", "--description", "What may be kept?"];
    folder.run(&new).ok().shows(&["made  .s2s/roles/data-protection.md", "--participants data-protection,", "Open it"]);
    let text = folder.read(".s2s/roles/data-protection.md");
    folder.run(&new).is(2).says(&["is there already"]);
    assert_eq!(folder.read(".s2s/roles/data-protection.md"), text);
    folder.run(&["catalog", "check"]).ok();
    let seats = ["--participants", "data-protection,qa-lead,technical-lead"];
    folder.run(&[&["roundtable", "start", "REST or GraphQL", "--panel", "offline", "--yes"], &seats[..]].concat()).ok();
    let made = folder.run(&["role", "new", "dpo", "--from", "data-protection", "--json"]).ok().json();
    assert_eq!((made["name"].clone(), made["title"].clone()), ("dpo".into(), "Dpo".into()));
    folder.run(&["role", "new", "Two Words"]).is(2).says(&["cannot be the name of a role", "s2s role new two-words"]);
    folder.run(&["role", "new", "x", "--from", "qa-led"]).is(2).says(&["did you mean `qa-lead`?"]);
    let bare = Folder::bare();
    bare.run(&["role", "new", "x"]).is(2).says(&["Not an s2s project"]);
    bare.run(&["role", "list"]).ok().shows(&["Built-in (11)"]);
}
