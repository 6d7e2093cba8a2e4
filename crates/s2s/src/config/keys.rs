//! The one table of settings: name, shape, environment variable.
//! Read by the reader (what is allowed), by `s2s config show` (what there is) and by the tests that hold
//! the JSON Schema and the commented file to it. Deliberately absent: values; the defaults are
//! `Config::default`.

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Where it stands in the file, with dots.
    pub path: &'static str,
    /// What its value looks like.
    pub shape: Shape,
    /// The environment variable that sets it.
    pub variable: Option<&'static str>,
    /// What null means; none = null is not allowed.
    pub null: Option<&'static str>,
}

/// What a value looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// The version of the file.
    Version,
    /// True or false.
    Flag,
    /// A whole number within two ends.
    Whole(u32, u32),
    /// A number within two ends.
    Number(f64, f64),
    /// One of some words.
    Choice(&'static [&'static str]),
    /// The name of a data file: lower case, digits, hyphens.
    Name,
    /// Names of roles, at least two, none twice.
    Seats,
    /// Words or short phrases, none twice; the list may be empty.
    Words,
    /// A folder inside the project.
    Folder,
    /// A time format whose result is safe in a file name.
    TimeFormat,
    /// `auto`, `offline`, `models` or `script:FILE`.
    Panel,
    /// The name of a model.
    Model,
    /// A model for each seat named.
    SeatModels,
    /// Models to be asked instead, for each seat named.
    Fallback,
    /// Providers by name.
    Providers,
    /// Prices by model.
    Prices,
}

impl Shape {
    /// Whether its keys are names that a person chooses: it is laid over lower layers name by name.
    pub fn is_open(self) -> bool {
        matches!(self, Self::SeatModels | Self::Fallback | Self::Providers | Self::Prices)
    }
}

/// The counting rules, as the engine names them (a test holds the two together).
const POLICIES: &[&str] = &["unanimous", "simple_majority", "weighted_majority", "consent", "facilitator_judgment"];
/// What an escalation can lead to.
const ON_ESCALATION: &[&str] = &["pause", "accept", "continue"];
/// What becomes of a person's seat when nobody can be asked.
const ON_ABSENT: &[&str] = &["pause", "pass"];
/// A round costs a call per seat: a thousand of them is a slip, not a wish.
const ROUNDS: Shape = Shape::Whole(1, 1_000);
/// The ways requirements are laid out, as the engine names them.
const FORMATS: &[&str] = &["srs", "volere", "simple"];
/// How hard a model thinks.
const EFFORT: &[&str] = &["low", "medium", "high"];
const OWN_WAY: &str = "each model's own way";

/// Where a file may also name its panels (T4).
pub(super) const BY_WORKFLOW: &str = "roundtable.participants.by_workflow_type.";

/// Every setting, in the order of the file.
pub const KEYS: &[Key] = &[
    key("version", Shape::Version),
    key("roundtable.strategy", Shape::Name).var("S2S_STRATEGY"),
    key("roundtable.verbose", Shape::Flag).var("S2S_VERBOSE"),
    key("roundtable.interactive", Shape::Flag).var("S2S_INTERACTIVE"),
    key("roundtable.live", Shape::Flag).var("S2S_LIVE"),
    key("roundtable.limits.min_rounds", ROUNDS).var("S2S_MIN_ROUNDS"),
    key("roundtable.limits.max_rounds", ROUNDS).var("S2S_MAX_ROUNDS"),
    key("roundtable.limits.max_rounds_per_phase", ROUNDS).var("S2S_MAX_ROUNDS_PER_PHASE"),
    key("roundtable.limits.max_calls", Shape::Whole(1, 1_000_000)).var("S2S_MAX_CALLS").or_null("no limit"),
    key("roundtable.limits.max_cost_usd", Shape::Number(0.0001, 1_000_000.0))
        .var("S2S_MAX_COST_USD")
        .or_null("no limit"),
    key("roundtable.limits.max_tokens", Shape::Whole(1, u32::MAX)).var("S2S_MAX_TOKENS").or_null("no limit"),
    key("roundtable.limits.max_minutes", Shape::Number(0.1, 10_080.0)).var("S2S_MAX_MINUTES").or_null("no limit"),
    key("roundtable.escalation.max_rounds_per_conflict", ROUNDS).var("S2S_MAX_ROUNDS_PER_CONFLICT"),
    key("roundtable.escalation.confidence_below", Shape::Number(0.0, 1.0)).var("S2S_CONFIDENCE_BELOW"),
    key("roundtable.escalation.critical_keywords", Shape::Words).var("S2S_CRITICAL_KEYWORDS"),
    key("roundtable.escalation.on_escalation", Shape::Choice(ON_ESCALATION)).var("S2S_ON_ESCALATION"),
    key("roundtable.escalation.agents_may_answer", Shape::Flag).var("S2S_AGENTS_MAY_ANSWER"),
    key("roundtable.escalation.on_absent", Shape::Choice(ON_ABSENT)).var("S2S_ON_ABSENT"),
    key("roundtable.consensus.policy", Shape::Choice(POLICIES)).var("S2S_POLICY").or_null("the strategy's own"),
    key("roundtable.consensus.threshold", Shape::Number(0.01, 1.0)).var("S2S_THRESHOLD").or_null("the strategy's own"),
    key("roundtable.consensus.family_share", Shape::Number(0.01, 1.0)).var("S2S_FAMILY_SHARE"),
    key("roundtable.strategies.specs", Shape::Name),
    key("roundtable.strategies.design", Shape::Name),
    key("roundtable.strategies.brainstorm", Shape::Name),
    key("roundtable.participants.specs", Shape::Seats).var("S2S_PARTICIPANTS_SPECS"),
    key("roundtable.participants.design", Shape::Seats).var("S2S_PARTICIPANTS_DESIGN"),
    key("roundtable.participants.brainstorm", Shape::Seats).var("S2S_PARTICIPANTS_BRAINSTORM"),
    key("roundtable.participants.by_workflow_type.specs", Shape::Seats),
    key("roundtable.participants.by_workflow_type.design", Shape::Seats),
    key("roundtable.participants.by_workflow_type.brainstorm", Shape::Seats),
    key("models.default", Shape::Model).var("S2S_MODEL").or_null("chosen from the keys that are there"),
    key("models.facilitator", Shape::Model).var("S2S_FACILITATOR_MODEL").or_null("as the seats"),
    key("models.seats", Shape::SeatModels),
    key("models.fallback", Shape::Fallback),
    key("models.temperature", Shape::Number(0.0, 2.0)).var("S2S_TEMPERATURE").or_null(OWN_WAY),
    key("models.effort", Shape::Choice(EFFORT)).var("S2S_EFFORT").or_null(OWN_WAY),
    key("models.max_output_tokens", Shape::Whole(256, 1_000_000)).var("S2S_MAX_OUTPUT_TOKENS"),
    key("models.call_timeout_seconds", Shape::Whole(1, 86_400)).var("S2S_CALL_TIMEOUT_SECONDS"),
    key("models.idle_timeout_seconds", Shape::Whole(1, 3_600)).var("S2S_IDLE_TIMEOUT_SECONDS"),
    key("providers", Shape::Providers),
    key("prices", Shape::Prices),
    key("docs.decisions", Shape::Folder),
    key("docs.specifications", Shape::Folder),
    key("docs.architecture", Shape::Folder),
    key("docs.brainstorms", Shape::Folder),
    key("docs.plans", Shape::Folder),
    key("docs.requirements_format", Shape::Choice(FORMATS)),
    key("naming.timestamp_format", Shape::TimeFormat),
    key("panel", Shape::Panel).var("S2S_PANEL"),
];

const fn key(path: &'static str, shape: Shape) -> Key {
    Key { path, shape, variable: None, null: None }
}

impl Key {
    const fn var(self, variable: &'static str) -> Self {
        Self { variable: Some(variable), ..self }
    }

    const fn or_null(self, means: &'static str) -> Self {
        Self { null: Some(means), ..self }
    }

    /// The setting with this path.
    pub fn find(path: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.path == path)
    }

    /// The setting that a path leads to: the one with this path, or the map that holds its last part.
    pub(super) fn holding(path: &str) -> Option<(&'static Self, Option<&str>)> {
        if let Some(key) = Self::find(path) {
            return Some((key, None));
        }
        let below = |key: &'static Self| Some((key, Some(path.strip_prefix(key.path)?.strip_prefix('.')?)));
        KEYS.iter().filter(|key| matches!(key.shape, Shape::SeatModels | Shape::Fallback)).find_map(below)
    }

    /// The last part of the path.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// The path under which the value ends up: one of the two places of T4 stands for the other.
    pub fn target(&self) -> &'static str {
        match self.path.strip_prefix(BY_WORKFLOW) {
            Some(workflow) => KEYS
                .iter()
                .map(|key| key.path)
                .find(|path| path.strip_prefix("roundtable.participants.") == Some(workflow))
                .unwrap_or(self.path),
            None => self.path,
        }
    }
}

/// The keys that may stand in the section with this path (empty = top of the file), each once.
pub(super) fn children(section: &str) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    for key in KEYS {
        let inside = match section {
            "" => Some(key.path),
            _ => key.path.strip_prefix(section).and_then(|rest| rest.strip_prefix('.')),
        };
        let Some(child) = inside.and_then(|rest| rest.split('.').next()) else {
            continue;
        };
        if !found.contains(&child) {
            found.push(child);
        }
    }
    found
}
