//! Sets the table: from what a person asked for to an opening and a charter.
//! Given a request, the catalog, the settings and the panel; hands on what a session starts with, or
//! what is wrong with the request (T1, T3, T4). Deliberately absent: files, and asking anybody.

use std::collections::BTreeMap;

use s2s_catalog::{Agenda, Catalog, Entry, Source};
use s2s_engine::artifact::Register;
use s2s_engine::opening::{FACILITATOR, HUMAN, Opening, OutputType, Seat, SeatId, Settings, Sides, Triggers, Workflow};
use s2s_engine::strategy::Strategy;
use s2s_store::{Adoption, ContextGiven, Minutes};

use crate::config::Config;
use crate::failure::Failure;
use crate::panel::{Panel, Participant};
use crate::prompts::{Charter, PROMPTS};

/// What a person asked for.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The session's id.
    pub id: &'a str,
    /// The topic, checked and clean.
    pub topic: &'a str,
    /// The kind of work.
    pub workflow: Workflow,
    /// The strategy's name.
    pub strategy: &'a str,
    /// The seats' role ids, in order.
    pub participants: &'a [String],
    /// The people who take part, seated after them.
    pub people: &'a [Participant],
    /// Seats for the proposal, if named.
    pub pro: &'a [String],
    /// Seats against it, if named.
    pub con: &'a [String],
    /// The document asked for.
    pub output_type: Option<OutputType>,
    /// The project's context.
    pub context: &'a str,
    /// The artifacts it may propose and refer to; none = it keeps no artifacts.
    pub register: Option<Register>,
    /// The session it goes on from.
    pub parent: Option<&'a str>,
}

/// A table that is set.
#[derive(Debug, Clone)]
pub struct Convened {
    /// What the session starts with.
    pub opening: Opening,
    /// The texts it keeps.
    pub charter: Charter,
}

/// Sets the table.
pub fn convene(
    request: Request<'_>,
    catalog: &Catalog,
    config: &Config,
    panel: &dyn Panel,
) -> Result<Convened, Failure> {
    let method = catalog.strategy(request.strategy)?.value;
    let seats = seats(request.participants, request.people, &method, catalog, panel)?;
    let sides = sides(&request, &method, &seats)?;
    let agenda = catalog.agenda(request.workflow.as_str())?.map(|entry| entry.value);
    let strict = request.register.is_some();
    let charter = charter(catalog, &seats, request.people, agenda.as_ref(), strict)?;
    let mut settings = settings(config, catalog, method, request.output_type)?;
    if strict && request.workflow == Workflow::Specs {
        settings.requirements_format = Some(config.docs.requirements_format);
    }
    let opening = Opening {
        id: request.id.to_owned(),
        topic: request.topic.to_owned(),
        workflow: request.workflow,
        seats,
        sides,
        settings,
        agenda: agenda.map(|agenda| if strict { agenda.strict_topics() } else { agenda.topics() }).unwrap_or_default(),
        context: request.context.to_owned(),
        register: request.register,
        parent: request.parent.map(str::to_owned),
    };
    Ok(Convened { opening, charter })
}

/// What a session of the original plugin is given when it is taken up (it kept no settings).
pub fn adopt(
    minutes: &Minutes,
    catalog: &Catalog,
    config: &Config,
    panel: &dyn Panel,
    context: ContextGiven,
) -> Result<(Adoption, Charter), Failure> {
    let method = catalog.strategy(minutes.strategy())?.value;
    let models = minutes.seats().iter().filter(|seat| !seat.is_human());
    let ids: Vec<String> = models.map(|seat| seat.id.to_string()).collect();
    // Which role a person had is on the tape alone.
    let person = |seat: &Seat| Participant { id: seat.id.to_string(), name: seat.name.clone(), role: HUMAN.to_owned() };
    let people: Vec<Participant> = minutes.seats().iter().filter(|seat| seat.is_human()).map(person).collect();
    let seats = seats(&ids, &people, &method, catalog, panel)?;
    let agenda = catalog.agenda(minutes.workflow().as_str())?.map(|entry| entry.value);
    let charter = charter(catalog, &seats, &people, agenda.as_ref(), false)?;
    let adoption = Adoption {
        settings: settings(config, catalog, method, None)?,
        seats,
        panel: panel.kind(),
        panel_note: match minutes.total_rounds() {
            0 => panel.note(),
            held => format!("Rounds 1 to {held} were held by another program. Since then: {}", panel.note()),
        },
        context,
        agenda: agenda.map(|agenda| agenda.topics()).unwrap_or_default(),
    };
    Ok((adoption, charter))
}

fn settings(
    config: &Config,
    catalog: &Catalog,
    method: Strategy,
    output_type: Option<OutputType>,
) -> Result<Settings, Failure> {
    let roundtable = &config.roundtable;
    let mut escalation = roundtable.escalation.triggers.clone();
    if escalation.critical_keywords == Triggers::default().critical_keywords {
        // Nobody set them: the word lists hold, to which a project can add its own language (T2).
        escalation.critical_keywords = catalog.words()?.value.critical_keywords;
    }
    Ok(Settings {
        limits: roundtable.limits,
        escalation,
        policy: config.policy(method.policy),
        family_share: roundtable.consensus.family_share,
        verbose: roundtable.verbose,
        interactive: roundtable.interactive,
        output_type,
        requirements_format: None,
        method,
    })
}

fn seats(
    ids: &[String],
    people: &[Participant],
    method: &Strategy,
    catalog: &Catalog,
    panel: &dyn Panel,
) -> Result<Vec<Seat>, Failure> {
    let mut seats: Vec<Seat> = Vec::with_capacity(ids.len());
    let mut files: Vec<(&String, Source)> = Vec::with_capacity(ids.len());
    for id in ids {
        if id == FACILITATOR {
            return Err(Failure::bad_input("the facilitator chairs the table and cannot be a participant"));
        }
        if seats.iter().any(|seat| *seat.id == **id) {
            return Err(Failure::bad_input(format!("\"{id}\" is named twice"))
                .next("name each participant once; a second view needs a second role"));
        }
        let Entry { value: role, source, .. } = catalog.role(id)?;
        if role.id == FACILITATOR {
            return Err(Failure::bad_input(format!("\"{id}\" is the facilitator's own file, which has no seat"))
                .next("name another role"));
        }
        if role.id == HUMAN {
            return Err(Failure::bad_input("the role \"human\" is for people, who have names")
                .next("seat a person: --human NAME"));
        }
        if let Some((other, _)) = files.iter().find(|(_, file)| *file == source && source != Source::BuiltIn) {
            return Err(Failure::bad_input(format!("\"{other}\" and \"{id}\" are the same role: {source}"))
                .next("name each participant once; a second view needs a second role"));
        }
        files.push((id, source));
        let (model, family) = panel.seat_model(id);
        seats.push(Seat { id: SeatId::from(id.as_str()), name: role.title, model, family });
    }
    for person in people {
        seats.push(seated_person(person, &seats, catalog)?);
    }
    let least = if method.asks_seats() { method.least_participants.max(2) } else { 0 };
    if (seats.len() as u32) < least {
        let named = if seats.len() == 1 { "one is" } else { "none is" };
        return Err(Failure::bad_input(format!(
            "\"{}\" needs at least {least} participants; {named} named",
            method.name
        ))
        .next("add some with --participants a,b,c (`s2s role list` names the roles)"));
    }
    Ok(seats)
}

/// A person's seat (H1): their name, with the title of the role if it is not that of a plain person.
fn seated_person(person: &Participant, seats: &[Seat], catalog: &Catalog) -> Result<Seat, Failure> {
    if seats.iter().any(|seat| *seat.id == *person.id) {
        return Err(Failure::bad_input(format!("\"{}\" sits at the table already", person.id))
            .next("give the person another name: --human NAME"));
    }
    let role = catalog.role(&person.role)?.value;
    if role.id == FACILITATOR {
        return Err(Failure::bad_input("the facilitator chairs the table and is no role for a person")
            .next("name another role, or none: --human NAME"));
    }
    let name = if role.id == HUMAN { person.name.clone() } else { format!("{}, {}", person.name, role.title) };
    Ok(Seat { id: SeatId::from(person.id.as_str()), name, model: HUMAN.to_owned(), family: HUMAN.to_owned() })
}

/// T3: sides from flags; none = the facilitator deals them out.
fn sides(request: &Request<'_>, method: &Strategy, seats: &[Seat]) -> Result<Option<Sides>, Failure> {
    let (pro, con) = (request.pro, request.con);
    if pro.is_empty() && con.is_empty() {
        return Ok(None);
    }
    if !method.two_sides {
        return Err(Failure::bad_input(format!("--pro and --con need two sides; \"{}\" has none", method.name))
            .next("use them with --strategy debate"));
    }
    for id in pro.iter().chain(con) {
        if !seats.iter().any(|seat| *seat.id == **id) {
            let names: Vec<&str> = seats.iter().map(|seat| &*seat.id).collect();
            return Err(Failure::bad_input(format!("\"{id}\" is not a participant of this session"))
                .next(format!("the participants are: {}", names.join(", "))));
        }
    }
    if let Some(id) = pro.iter().find(|id| con.contains(id)) {
        return Err(Failure::bad_input(format!("\"{id}\" is named for both sides")).next("name it once"));
    }
    let named = |side: &[String], other: &[String]| -> Vec<SeatId> {
        let on = |seat: &&Seat| match side {
            [] => !other.iter().any(|id| *seat.id == **id),
            _ => side.iter().any(|id| *seat.id == **id),
        };
        seats.iter().filter(on).map(|seat| seat.id.clone()).collect()
    };
    let sides = Sides { pro: named(pro, con), con: named(con, pro), proposal: request.topic.to_owned() };
    for (flag, side) in [("--pro", &sides.pro), ("--con", &sides.con)] {
        if side.is_empty() {
            return Err(Failure::bad_input(format!("nobody is left for {flag}")).next("each side needs a participant"));
        }
    }
    let placed = |seat: &&Seat| !sides.pro.contains(&seat.id) && !sides.con.contains(&seat.id);
    if let Some(seat) = seats.iter().find(placed) {
        return Err(Failure::bad_input(format!("\"{}\" is on no side", seat.id))
            .next("name it in --pro or --con, or give only one of the two: the rest is the other side"));
    }
    Ok(Some(sides))
}

fn charter(
    catalog: &Catalog,
    seats: &[Seat],
    people: &[Participant],
    agenda: Option<&Agenda>,
    strict: bool,
) -> Result<Charter, Failure> {
    let mut roles = BTreeMap::new();
    for id in seats.iter().map(|seat| &*seat.id).chain([FACILITATOR]) {
        let role = people.iter().find(|person| person.id == id).map_or(id, |person| person.role.as_str());
        roles.insert(id.to_owned(), catalog.role(role)?.value.body);
    }
    let mut prompts = BTreeMap::new();
    for name in PROMPTS {
        prompts.insert(name.to_owned(), catalog.prompt(name)?.value.text);
    }
    let notes = agenda.map(|agenda| agenda_notes(agenda, strict)).unwrap_or_default();
    prompts.insert("agenda".to_owned(), notes.into());
    Ok(Charter { roles, prompts })
}

/// What helps a facilitator to cover the agenda. Where the rules hold it to the criteria (A5), they are numbered.
fn agenda_notes(agenda: &Agenda, strict: bool) -> String {
    let mut notes = String::from("What the topics are about, and when each is done:\n");
    for topic in &agenda.topics {
        let numbered = |(at, text): (usize, &String)| format!("({}) {text}", at + 1);
        let done = match strict {
            true => topic.done_when.iter().enumerate().map(numbered).collect::<Vec<_>>().join(" "),
            false => topic.done_when.join("; "),
        };
        notes.push_str(&format!("- {}: {} Done when: {done}\n", topic.id, topic.about));
        if strict && topic.least > 0 {
            notes.push_str(&format!("  Artifacts under this topic: at least {}\n", topic.least));
        }
        notes.push_str(&format!("  Questions that open it up: {}\n", topic.questions.join(" ")));
    }
    notes
}
