//! Texts as people write them at such a table: plain, rich in punctuation, or of several lines.

use crate::rng::Rng;

/// How much a text may hold; a style or a kind says how much it can carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Texts {
    /// One line of letters, digits, spaces, hyphens.
    Plain,
    /// One line with any punctuation: colons, quotes, hashes, URLs, code, other scripts.
    Rich,
    /// As rich, sometimes with several lines.
    Lines,
}

const SUBJECTS: [&str; 28] = [
    "A nightly export",
    "The checkout form",
    "One shared calendar",
    "Feature flags",
    "A thin gateway",
    "The tenant table",
    "Server-side rendering",
    "Optimistic locking",
    "The mobile client",
    "A weekly release train",
    "Row-level security",
    "The consent banner",
    "Edge caching",
    "A manual approval step",
    "The billing ledger",
    "Contract testing",
    "Two-factor login",
    "The legacy importer",
    "A bounded queue",
    "Read replicas",
    "The design system",
    "Typed events",
    "A paper prototype",
    "The support rota",
    "Static analysis",
    "The vendor SDK",
    "Blue-green deployment",
    "A single source of truth",
];

const VERBS: [&str; 18] = [
    "shortens",
    "complicates",
    "protects",
    "blocks",
    "reveals",
    "halves",
    "shifts",
    "decouples",
    "delays",
    "stabilises",
    "undermines",
    "pays for",
    "depends on",
    "covers",
    "outlives",
    "hardly touches",
    "makes cheaper",
    "leaves open",
];

const OBJECTS: [&str; 26] = [
    "the audit trail",
    "time to first byte",
    "our error budget",
    "the quarterly close",
    "trust of small customers",
    "screen-reader users",
    "data residency in the EU",
    "the hand-over between shifts",
    "idempotent retries",
    "the migration window",
    "cache invalidation",
    "a fair price model",
    "the learning curve",
    "battery life",
    "vendor lock-in",
    "the long tail of tickets",
    "ownership of the schema",
    "load during sales",
    "what auditors ask for",
    "the first-run experience",
    "rollbacks at night",
    "clock skew between regions",
    "the deletion deadline",
    "search relevance",
    "peak memory",
    "the public promise of v2",
];

const CLAUSES: [&str; 18] = [
    "before the pilot starts",
    "once the contract is signed",
    "as long as nobody edits by hand",
    "in every region but one",
    "under real traffic",
    "for teams of fewer than ten",
    "if the index is rebuilt first",
    "while support stays in office hours",
    "after the March incident",
    "with no extra headcount",
    "until the old API is gone",
    "for 30 days",
    "when both sides agree",
    "on hardware we already own",
    "even without the cache",
    "in the worst case only",
    "according to the last two reviews",
    "at roughly 400 requests a second",
];

const LABELS: [&str; 10] =
    ["Cost", "Latency", "Scope", "Privacy", "Budget", "Timeline", "UX", "Trade-off", "Assumption", "Precedent"];

const CODE: [&str; 10] = [
    "SELECT 1",
    "retry(max=3)",
    "--no-verify",
    "user.id != null",
    "POST /v2/orders",
    "git revert",
    "flush()",
    "tokio::select!",
    "a && b",
    "x[0]",
];

const QUOTED: [&str; 8] =
    ["eventually", "good enough", "done", "zero downtime", "move fast", "just this once", "temporary", "best effort"];

const PATHS: [&str; 6] = ["docs/adr-7", "wiki/Back_pressure", "spec?v=2&lang=en", "a/b/c", "~team/notes", "rfc/9110"];

const OTHER_SCRIPTS: [&str; 14] = [
    "先做一个小规模试点，再决定是否推广",
    "缓存失效仍然是最大的风险：没有人负责",
    "まず監査ログを残し、その後で移行する",
    "Сначала пилот, потом решение о покупке",
    "Откат занимает не больше пяти минут",
    "نبدأ بتجربة صغيرة ثم نقرر",
    "पहले छोटे समूह के साथ परीक्षण करें",
    "Η μετάβαση γίνεται μόνο τη νύχτα",
    "먼저 감사 로그를 남기고 나중에 이전한다",
    "Önce küçük bir deneme yapalım, sonra karar veririz",
    "Żółta ścieżka: najpierw próba, później wdrożenie",
    "Größere Änderungen brauchen zwei Prüfer, außer nachts",
    "El presupuesto está cerrado; ¿quién paga la migración?",
    "L’équipe préfère un déploiement par étapes",
];

fn object(rng: &mut Rng) -> &'static str {
    rng.pick(&OBJECTS)
}

/// One plain sentence without a full stop.
pub fn plain(rng: &mut Rng) -> String {
    let mut text = format!("{} {} {}", rng.pick(&SUBJECTS), rng.pick(&VERBS), object(rng));
    if rng.percent(60) {
        text = format!("{text} {}", rng.pick(&CLAUSES));
    }
    text
}

/// A sentence with an apostrophe in it.
pub fn apostrophe(rng: &mut Rng) -> String {
    let frames = ["The team's view on {} isn't settled", "We don't own {}, it's theirs", "That's why {} can't wait"];
    rng.pick(&frames).replace("{}", object(rng))
}

/// A sentence with words in straight double quotes, not at its ends.
pub fn quotes(rng: &mut Rng) -> String {
    let frames = [
        "Calling {o} \"{q}\" hides the real cost",
        "They said \"{q}\" about {o}, and nobody asked back",
        "Nobody agrees on what \"{q}\" means for {o}",
    ];
    rng.pick(&frames).replace("{o}", object(rng)).replace("{q}", rng.pick(&QUOTED))
}

/// A sentence with ` #` in it.
pub fn hash(rng: &mut Rng) -> String {
    let number = rng.within(2, 4000);
    match rng.below(3) {
        0 => format!("{} as in issue #{number} of the tracker", plain(rng)),
        1 => format!("See #{number} first: {}", plain(rng)),
        _ => format!("Ticket #{number} and C # bindings both need {}", object(rng)),
    }
}

/// A sentence with a colon and a space in it.
pub fn colon(rng: &mut Rng) -> String {
    match rng.below(3) {
        0 => format!("{}: {}", rng.pick(&LABELS), plain(rng)),
        1 => format!("Two options: keep {} or drop it", object(rng)),
        _ => format!("{}: {}, ratio 3:1 at 12:30", plain(rng), rng.pick(&CLAUSES)),
    }
}

/// Some code in backticks, not at the start.
pub fn code(rng: &mut Rng) -> String {
    format!("Run `{}` before anyone touches {}", rng.pick(&CODE), object(rng))
}

/// One line in another script.
pub fn other_script(rng: &mut Rng) -> String {
    rng.pick(&OTHER_SCRIPTS).to_owned()
}

/// Two to four sentences on one line.
pub fn sentences(rng: &mut Rng) -> String {
    let count = rng.within(2, 4);
    (0..count).map(|_| plain(rng) + rng.pick(&[".", ".", "!", "?"])).collect::<Vec<_>>().join(" ")
}

fn numbers(rng: &mut Rng) -> String {
    let number = rng.within(2, 98);
    match rng.below(5) {
        0 => format!("{number}% of users never see {}", object(rng)),
        1 => format!("p99 < {number} ms, not {}.5 ms, for {}", number + 40, object(rng)),
        2 => format!("{} (about {number},000 rows/day)", plain(rng)),
        3 => format!("Version {number}.0.1 ships ≤ 5 days later — {}", rng.pick(&CLAUSES)),
        _ => format!("Budget of €{number}k / $1.2M covers {}", object(rng)),
    }
}

fn marks(rng: &mut Rng) -> String {
    match rng.below(9) {
        0 => format!("{} (see https://example.org/{})", plain(rng), rng.pick(&PATHS)),
        1 => format!("{}; otherwise {}", plain(rng), rng.pick(&CLAUSES)),
        2 => format!("{} — and/or {}", plain(rng), rng.pick(&CLAUSES)),
        3 => format!("What if {} fails? Then {}", object(rng), rng.pick(&CLAUSES)),
        4 => format!("Routes such as /users/{{id}}/items[0] expose {}", object(rng)),
        5 => format!("Not only {}, but also {}, {}, and {}", object(rng), object(rng), object(rng), object(rng)),
        6 => format!("Draft -> review -> release is the path for {}", object(rng)),
        7 => format!("“{}” is how they describe {}", rng.pick(&QUOTED), object(rng)),
        _ => format!("{} & {} = one owner + one deputy", object(rng), object(rng)),
    }
}

/// One line with any punctuation.
pub fn rich(rng: &mut Rng) -> String {
    match rng.below(14) {
        0..=2 => plain(rng),
        3 => apostrophe(rng),
        4 => quotes(rng),
        5 => hash(rng),
        6 => colon(rng),
        7 => code(rng),
        8 => other_script(rng),
        9 => sentences(rng),
        10 => numbers(rng),
        _ => marks(rng),
    }
}

/// Two or three lines: sentences, paragraphs or a short list.
pub fn lines(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => format!("{}.\n{}.", rich(rng), rich(rng)),
        1 => format!("{}.\n\n{}.", plain(rng), rich(rng)),
        2 => format!("{}:\n- {}\n- {}", plain(rng), plain(rng), rich(rng)),
        _ => format!("{}.\n{}.\n{}.", plain(rng), rich(rng), plain(rng)),
    }
}

/// A text of this kind.
pub fn text(rng: &mut Rng, texts: Texts) -> String {
    match texts {
        Texts::Plain => plain(rng),
        Texts::Rich => rich(rng),
        Texts::Lines if rng.percent(30) => lines(rng),
        Texts::Lines => rich(rng),
    }
}
