//! Artifacts as prompts show them: what the project has, what the session has made, what may be proposed.
//! Given the session; hands on serializable views. Deliberately absent: anything of a session that keeps none.

use s2s_engine::artifact::{Artifact, ArtifactKind};
use s2s_engine::{Holding, Session, Standing};
use serde::Serialize;

/// What the facilitator sees of the artifacts of this session.
#[derive(Serialize)]
pub(crate) struct ArtifactsView {
    kinds: Vec<KindView>,
    made: Vec<MadeView>,
}

#[derive(Serialize)]
struct KindView {
    name: &'static str,
    noun: &'static str,
    required: Vec<&'static str>,
    optional: Vec<&'static str>,
}

#[derive(Serialize)]
struct MadeView {
    id: String,
    title: String,
    status: &'static str,
    vote: &'static str,
    missing: Vec<&'static str>,
}

/// An artifact that the project had before.
#[derive(Serialize)]
pub(crate) struct KnownView {
    id: String,
    title: String,
    text: String,
}

impl ArtifactsView {
    /// None for a session that keeps no artifacts.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        let register = session.opening().register.as_ref()?;
        let made = session.artifacts().filter(|holding| holding.is_own());
        Some(Self { kinds: register.kinds.iter().copied().map(kind).collect(), made: made.map(self::made).collect() })
    }
}

fn kind(kind: ArtifactKind) -> KindView {
    let fields = |required: bool| {
        let of = kind.fields().iter().filter(move |rule| rule.required == required);
        of.map(|rule| rule.name).collect()
    };
    KindView { name: kind.as_str(), noun: kind.noun(), required: fields(true), optional: fields(false) }
}

fn made(holding: &Holding) -> MadeView {
    let current = holding.current();
    let vote = match current.standing {
        Some(Standing::Carried) => "carried",
        Some(Standing::Failed) => "voted down",
        Some(Standing::Unvoted) => "not voted yet",
        None => "no vote",
    };
    let Artifact { id, title, .. } = &current.artifact;
    let missing = current.artifact.missing();
    MadeView { id: id.to_string(), title: title.clone(), status: holding.status().as_str(), vote, missing }
}

/// What the project had when the session started; part of the prompts that never change.
pub(crate) fn known(session: &Session) -> Vec<KnownView> {
    let register = session.opening().register.as_ref();
    let known = register.map(|register| register.known.as_slice()).unwrap_or_default();
    let view = |artifact: &Artifact| KnownView {
        id: artifact.id.to_string(),
        title: artifact.title.clone(),
        text: artifact.text.clone(),
    };
    known.iter().map(view).collect()
}
