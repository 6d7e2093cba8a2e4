//! Votes on artifacts: support by default, aside where it is not a seat's field, a block only where the seat's own
//! count speaks against the option that is decided on. Given the points put to a seat; hands on its votes on those
//! that are artifacts. No point fails because too many stood aside: what is nobody's field is everybody's.
//! Deliberately absent: votes on other points.

use std::collections::BTreeMap;

use s2s_engine::artifact::{Artifact, ArtifactKind};
use s2s_engine::reply::{Choice, PointId, Vote};

use super::super::claims::ADDED;
use super::super::role_of;
use super::super::table::Table;
use super::super::vote::{near, on_amended, on_option};
use super::weighed::title;
use super::{Desk, STAND_REQUIREMENTS, STANDS_ARCHITECTURE};

/// Under this weight a criterion is not a seat's field.
const FIELD: f64 = 2.0;

/// The votes of a seat on the artifacts among these points.
pub(super) fn votes(desk: &Desk<'_>, seat: usize, ballot: &[PointId]) -> BTreeMap<PointId, Vote> {
    let artifact = |point: &PointId| {
        let versions =
            desk.session.artifacts().flat_map(|holding| &holding.versions).filter(|version| version.round > 0);
        versions.map(|version| &version.artifact).find(|artifact| artifact.point.as_ref() == Some(point))
    };
    let known = ballot.iter().filter_map(|point| Some((point.clone(), artifact(point)?)));
    let votes = known.map(|(point, artifact)| (point, vote(desk, seat, artifact)));
    // That nothing changes can be seen by everybody.
    let says_so = |text: &str| text.starts_with(STAND_REQUIREMENTS) || text.starts_with(STANDS_ARCHITECTURE);
    let unchanged = ballot.iter().filter(|point| desk.session.point(point).is_some_and(|point| says_so(&point.text)));
    votes.chain(unchanged.map(|point| (point.clone(), Vote { choice: Choice::Support, reason: None }))).collect()
}

fn vote(desk: &Desk<'_>, seat: usize, artifact: &Artifact) -> Vote {
    let held = desk.session.rounds().len() as u32;
    let decided = desk.tables.iter().filter(|_| artifact.id.kind == ArtifactKind::Arch);
    if let Some((table, option)) = decided.into_iter().find_map(|table| Some((table, option_of(table, artifact)?))) {
        return match artifact.text.contains(ADDED) {
            true => on_amended(table, seat, held, option),
            false => on_option(table, seat, held, option),
        };
    }
    let aside = |seat: usize| reason_to_stand_aside(desk, seat, held, artifact);
    let all = 0..desk.session.opening().seats.len();
    let many = all.clone().filter(|&seat| aside(seat).is_some()).count() * 2 > all.len();
    match aside(seat).filter(|_| !many) {
        Some(reason) => Vote { choice: Choice::StandAside, reason: Some(reason) },
        None => Vote { choice: Choice::Support, reason: None },
    }
}

/// The option that an artifact is about.
fn option_of(table: &Table<'_>, artifact: &Artifact) -> Option<usize> {
    let names = |&option: &usize| match artifact.id.kind {
        ArtifactKind::Arch => artifact.title == title(table, option),
        ArtifactKind::Idea => artifact.title.eq_ignore_ascii_case(table.name(option)),
        _ => false,
    };
    (0..table.playbook().options.len()).find(names)
}

fn reason_to_stand_aside<'d, 'a>(desk: &'d Desk<'a>, seat: usize, held: u32, artifact: &Artifact) -> Option<String> {
    match artifact.id.kind {
        ArtifactKind::Idea => {
            let (table, option) = desk.tables.iter().find_map(|table| Some((table, option_of(table, artifact)?)))?;
            (!near(table, seat, held, option)).then(|| "I lean to another idea and can live with this one.".to_owned())
        }
        ArtifactKind::Arch => {
            let among =
                |tables: &'d [Table<'a>]| tables.iter().find_map(|table| Some((table, option_of(table, artifact)?)));
            let (table, option) = among(desk.style()).or_else(|| among(desk.choices()))?;
            (!near(table, seat, held, option)).then(|| {
                let own = table.views[seat].favourite();
                format!("By my own weights it would be {}; I can live with it.", table.name(own))
            })
        }
        _ => outside_field(desk, seat, artifact),
    }
}

/// Whether an artifact is about something that a seat's role gives little weight.
fn outside_field(desk: &Desk<'_>, seat: usize, artifact: &Artifact) -> Option<String> {
    let fields = fields(artifact);
    let role = role_of(desk.roles, &desk.session.opening().seats[seat]).filter(|role| !role.weighs.is_empty())?;
    let weight = |id: &&str| role.weighs.get(*id).copied().unwrap_or(1.0);
    let most = fields.iter().map(weight).fold(0.0, f64::max);
    (!fields.is_empty() && most < FIELD).then(|| "This is outside my field; I leave it to the others.".to_owned())
}

/// The criteria of the roles that an artifact is about.
fn fields(artifact: &Artifact) -> &'static [&'static str] {
    match (artifact.id.kind, artifact.details.characteristic.as_deref()) {
        (ArtifactKind::Nfr, Some("Performance efficiency")) => &["performance", "scalability"],
        (ArtifactKind::Nfr, Some("Compatibility")) => &["client-fit", "evolvability", "portability"],
        (ArtifactKind::Nfr, Some("Interaction capability")) => &["client-fit"],
        (ArtifactKind::Nfr, Some("Reliability")) => &["reliability", "operability"],
        (ArtifactKind::Nfr, Some("Security")) => &["security", "compliance"],
        (ArtifactKind::Nfr, Some("Maintainability")) => &["testability", "simplicity", "evolvability"],
        (ArtifactKind::Nfr, Some("Flexibility")) => &["scalability", "portability", "evolvability"],
        (ArtifactKind::Nfr, Some("Safety")) => &["compliance", "reliability"],
        (ArtifactKind::Br, _) => &["compliance", "data-integrity", "security"],
        (ArtifactKind::Comp, _) => &["evolvability", "simplicity", "testability"],
        (ArtifactKind::Int, _) => &["client-fit", "security", "operability", "portability"],
        _ => &[],
    }
}
