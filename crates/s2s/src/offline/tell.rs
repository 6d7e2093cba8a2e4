//! The facilitator's prose: who leans where and why, what the focus showed, what to keep in mind, and the
//! recommendation. Given the table; hands on sentences whose facts come from the playbook and whose numbers
//! come from the seats' own counts. Deliberately absent: what is claimed, and what happens next.

use super::asking::candidates;
use super::debate::{is_pro, motion};
use super::lines::place_name;
use super::stance::Stance;
use super::table::{Table, Turn};
use super::words::{counted, listed, opening_with};

/// The most words of the context that a synthesis repeats.
const MOST_SHIFTS: usize = 5;

/// The synthesis of a round.
pub(super) fn told(
    table: &Table<'_>,
    turn: &Turn,
    seats: &[usize],
    shared: Option<usize>,
    chosen: Option<usize>,
) -> String {
    let mut said = vec![leanings(table, turn, seats, shared)];
    let (one, other) = match turn.stance {
        stance if stance.takes_sides() => motion(table),
        _ => (table.strongest(), rival(table, table.strongest())),
    };
    if turn.stance != Stance::Gut {
        let ahead = if table.score(other, turn.criterion) > table.score(one, turn.criterion) { other } else { one };
        let compared = table.compare(one, other, turn.criterion);
        let reason = table.reason(ahead, turn.criterion);
        said.push(format!("On {} {compared}: {reason}.", table.about(turn.criterion)));
    }
    let moved: Vec<&str> = seats
        .iter()
        .filter(|&&seat| !table.is_person(seat) && table.concedes(seat, turn.held))
        .map(|&seat| table.who(seat))
        .collect();
    if !moved.is_empty() && !turn.stance.takes_sides() {
        said.push(format!("Moved since the last round: {}.", listed(&moved, "and")));
    }
    if let (None, Some(option), false) = (shared, chosen, turn.stance.takes_sides() || turn.asked.is_empty()) {
        said.push(format!("{}.", by_weights(table, turn, seats, option)));
    }
    said.extend(roads(table, turn, seats, shared));
    let concerns: Vec<_> =
        table.session.responses().filter_map(|(seat, response)| Some((seat, response.concerns.first()?))).collect();
    // Another seat is quoted each round.
    let quoted = concerns.get(turn.held as usize % concerns.len().max(1)).filter(|_| !table.is_second);
    if let Some((seat, concern)) = quoted {
        let place = table.seats().iter().position(|known| known.id == **seat).unwrap_or_default();
        // Where two subjects share an answer, each line begins with the name of its own.
        let label = format!("{}: ", opening_with(&table.playbook().subject));
        let concern = concern.strip_prefix(&label).unwrap_or(concern);
        said.push(format!("To keep in mind, from {}: {concern}", table.the(place)));
    }
    if table.session.rounds().is_empty() {
        said.extend(also(table));
    }
    said.join(" ")
}

fn leanings(table: &Table<'_>, turn: &Turn, seats: &[usize], shared: Option<usize>) -> String {
    if turn.stance == Stance::Focus {
        return format!("The question is {}, with {} as the candidates.", table.playbook().decides, candidates(table));
    }
    if turn.stance.takes_sides() {
        return sides_heard(table, turn, seats);
    }
    if let Some(option) = shared {
        if let Some(said) = all_but_people(table, seats, option) {
            return said;
        }
        let all = if seats.len() == 2 { "Both".to_owned() } else { format!("All {}", counted(seats.len())) };
        let name = table.name(option);
        let moved = seats.iter().any(|&seat| table.concedes(seat, turn.held));
        return match turn.held % 3 {
            _ if moved => format!("{all} seats are now for {name}."),
            0 => format!("{all} seats lean to {name}."),
            1 => format!("The table is of one mind on {name}."),
            _ => format!("The whole table would still choose {name}."),
        };
    }
    format!("{}.", opening_with(&camps(table, seats, |seat| table.seen_leaning(seat, turn.held), "to")))
}

/// What a debate has come to: who spoke for what, and at its end who would choose what.
fn sides_heard(table: &Table<'_>, turn: &Turn, seats: &[usize]) -> String {
    let (proposal, other) = motion(table);
    match turn.stance {
        Stance::Opening if turn.held == 0 => {
            // A role speaks for its side; a person for what they named, if anything.
            let of = |pro: bool, option: usize| -> Vec<&str> {
                let speaks = |seat: &&usize| match table.is_person(**seat) {
                    true => table.named_by(**seat) == Some(option),
                    false => is_pro(table, **seat) == pro,
                };
                seats.iter().filter(speaks).map(|&seat| table.who(seat)).collect()
            };
            let (pro, con) = (listed(&of(true, proposal), "and"), listed(&of(false, other), "and"));
            let (one, two) = (table.name(proposal), table.name(other));
            match (pro.as_str(), con.as_str()) {
                ("", "") => format!("Nobody has opened for {one} or {two} yet."),
                ("", con) => format!("{con} opened for {two}, nobody for {one}."),
                (pro, "") => format!("{pro} opened for {one}, nobody for {two}."),
                (pro, con) => format!("{pro} opened for {one}, {con} for {two}."),
            }
        }
        Stance::Closing => {
            let own = |seat: usize| match table.is_person(seat) {
                true => table.named_by(seat),
                false => Some(table.views[seat].favourite()),
            };
            let own = camps(table, seats, own, "to");
            format!("Both sides have closed. By their own weights, and not by the side they spoke for, {own}.")
        }
        Stance::Rebuttal => format!(
            "Each side has answered the other, with remedies for {} and for {}.",
            table.name(proposal),
            table.name(other)
        ),
        _ => format!("Both sides went on with their case for {} and {}.", table.name(proposal), table.name(other)),
    }
}

/// "A and B lean to X; C leans to Y".
fn camps(table: &Table<'_>, seats: &[usize], choice: impl Fn(usize) -> Option<usize>, to: &str) -> String {
    let mut parts = Vec::new();
    for option in 0..table.playbook().options.len() {
        let who: Vec<&str> =
            seats.iter().filter(|&&seat| choice(seat) == Some(option)).map(|&seat| table.who(seat)).collect();
        if !who.is_empty() {
            let lean = if who.len() == 1 { "leans" } else { "lean" };
            parts.push(format!("{} {lean} {to} {}", listed(&who, "and"), table.name(option)));
        }
    }
    parts.join("; ")
}

/// That the roles are of one mind, where people sit with them who named no option: nobody speaks for them.
fn all_but_people(table: &Table<'_>, seats: &[usize], option: usize) -> Option<String> {
    let silent: Vec<usize> =
        seats.iter().copied().filter(|&seat| table.is_person(seat) && table.named_by(seat).is_none()).collect();
    let others = match seats.len() - silent.len() {
        _ if silent.is_empty() => return None,
        1 => "One seat leans".to_owned(),
        count => format!("{} seats lean", opening_with(&counted(count))),
    };
    let people = table.all_of(&silent);
    Some(format!("{others} to {}; {people} named none of the options.", table.name(option)))
}

/// Why seats of one mind are so for different reasons, once; and for whom it is close, once.
fn roads(table: &Table<'_>, turn: &Turn, seats: &[usize], shared: Option<usize>) -> Option<String> {
    let option = shared.filter(|_| !turn.stance.takes_sides() && !turn.asked.is_empty())?;
    // What counts for a person, and how much, nobody knows.
    let seats: Vec<usize> = seats.iter().copied().filter(|&seat| !table.is_person(seat)).collect();
    let held = table.session.rounds().iter().filter(|round| !round.asked.is_empty()).count();
    if held == 0 {
        let roads = by_road(table, &seats, option);
        return (roads.len() > 1).then(|| format!("They come to it by different roads: {}.", listed(&roads, "and")));
    }
    if held != 1 {
        return None;
    }
    let lead = |seat: usize| {
        let view = &table.views[seat];
        view.score_of(option) - view.score_of(view.rival_of(option))
    };
    // Where only what is ruled out is left beside it, or a seat goes along against its own count, nothing is close.
    let open = |seat: &usize| !table.subject.barred.contains(&table.views[*seat].rival_of(option));
    let ahead = seats.iter().copied().filter(|seat| open(seat) && lead(*seat) >= 0.0);
    let closest = ahead.min_by(|&a, &b| lead(a).total_cmp(&lead(b)))?;
    let (view, rival) = (&table.views[closest], table.views[closest].rival_of(option));
    (lead(closest) < 0.5).then(|| {
        format!(
            "It is closest for {}, with {} at {:.2} and {} at {:.2} of 5.",
            table.the(closest),
            table.name(option),
            view.score_of(option),
            table.name(rival),
            view.score_of(rival)
        )
    })
}

/// Who comes to an option by which criterion: "the A and the B for x". A seat for which nothing speaks for it is left out.
fn by_road(table: &Table<'_>, seats: &[usize], option: usize) -> Vec<String> {
    let mut roads = Vec::new();
    for criterion in 0..table.playbook().criteria.len() {
        let who: Vec<usize> =
            seats.iter().copied().filter(|&seat| table.road(seat, option) == Some(criterion)).collect();
        if !who.is_empty() {
            roads.push(format!("{} for {}", table.all_of(&who), table.about(criterion)));
        }
    }
    roads
}

/// How a split table is settled once everything has been said: the difference is named, and kept.
pub(super) fn by_weights(table: &Table<'_>, turn: &Turn, seats: &[usize], option: usize) -> String {
    let differs = |seat: &usize| table.seen_leaning(*seat, turn.held).is_some_and(|other| other != option);
    let apart: Vec<usize> = seats.iter().copied().filter(differs).collect();
    let weights = |&seat: &usize| match table.named_by(seat).filter(|_| table.is_person(seat)) {
        Some(named) => format!("{} would choose {}", table.the(seat), table.name(named)),
        None => {
            let (mine, theirs) = table.parting(seat, option);
            let (mine, theirs) = (table.about(mine), table.about(theirs));
            format!("{} gives more weight to {mine}, the others to {theirs}", table.the(seat))
        }
    };
    format!(
        "What is left is a difference of weights and not of facts: {}; {} goes forward, with the reservation of {} on record",
        listed(&apart.iter().map(weights).collect::<Vec<_>>(), "and"),
        table.name(option),
        table.all_of(&apart)
    )
}

/// What the topic did not ask about, or named and nobody knows; and what it called by another name.
fn also(table: &Table<'_>) -> Vec<String> {
    let outside = (0..table.playbook().options.len()).filter(|option| !table.subject.focus.contains(option));
    let names: Vec<&str> = outside.map(|option| table.name(option)).collect();
    let mut said = Vec::new();
    if let Some(kinds) = kinds(table) {
        said.push(kinds);
    }
    if !names.is_empty() {
        said.push(format!("Also known, but not asked about: {}.", listed(&names, "and")));
    }
    said.extend(not_weighed(table));
    said.extend(shifted(table));
    said.extend(unweighed(table));
    said.extend(settled(table));
    said
}

/// What topic or context settles about options, before any count.
pub(super) fn settled(table: &Table<'_>) -> Vec<String> {
    let mut said: Vec<String> = table
        .bounds
        .iter()
        .filter(|bound| table.settles(bound))
        .map(|bound| format!("{}.", opening_with(&table.bound_clause(bound))))
        .collect();
    if table.none_left {
        said.extend(instead(table));
    }
    said.extend(table.strange.iter().map(|one| {
        let (place, words, name) = (place_name(one.place), &one.words, &one.name);
        format!("The {place} says \"{words}\"; no playbook knows {name}, so this was not weighed and a person has to look at it.")
    }));
    said
}

/// What becomes of a choice where all that was named is ruled out.
fn instead(table: &Table<'_>) -> Vec<String> {
    let open = table.subject.focus.iter().filter(|option| !table.subject.barred.contains(option));
    let open: Vec<&str> = open.map(|&option| table.name(option)).collect();
    if !table.subject.barred.is_empty() {
        let open = listed(&open, "and");
        return vec![format!(
            "That leaves nothing of what was named; weighed instead, though not asked about: {open}."
        )];
    }
    let out = table.bounds.iter().filter(|bound| !bound.demanded && table.subject.focus.contains(&bound.option));
    let mut said: Vec<String> = out.map(|bound| format!("{}.", opening_with(&table.bound_clause(bound)))).collect();
    said.push(
        "That would leave nothing to choose, so all were weighed; a person has to say which words give way.".into(),
    );
    said
}

/// What the project says that this playbook has no criterion for, so that nobody thinks it was weighed.
fn unweighed(table: &Table<'_>) -> Option<String> {
    let mut told: Vec<String> = Vec::new();
    for (words, about) in super::matrix::unweighed(table) {
        let line = format!("\"{words}\" ({about})");
        if !told.contains(&line) {
            told.push(line);
        }
    }
    (!told.is_empty()).then(|| format!("Heard, but nothing here weighs it: {}.", listed(&told, "and")))
}

/// Which words shift which criteria, one sentence for all.
fn shifted(table: &Table<'_>) -> Option<String> {
    let mut words: Vec<(&str, Vec<String>)> = Vec::new();
    for heard in &table.heard {
        let Some(criterion) = table.place_of(&heard.signal.criterion) else { continue };
        let less = if heard.signal.shift < 0.0 { "less for " } else { "" };
        let about = format!("{less}{}", table.about(criterion));
        match words.iter_mut().find(|(known, _)| *known == heard.words) {
            Some((_, list)) if !list.contains(&about) => list.push(about),
            Some(_) => {}
            None => words.push((&heard.words, vec![about])),
        }
    }
    let told: Vec<String> = words
        .iter()
        .take(MOST_SHIFTS)
        .map(|(words, about)| format!("\"{words}\" ({})", listed(about, "and")))
        .collect();
    (!told.is_empty()).then(|| format!("What was told about the project shifts the weights: {}.", listed(&told, "and")))
}

/// What the topic put to the choice and nobody here can weigh, said so that a reader sees what is missing.
pub(super) fn not_weighed(table: &Table<'_>) -> Vec<String> {
    let unknown = &table.subject.unknown;
    let elsewhere = &table.subject.elsewhere;
    let strange: Vec<&String> = unknown.iter().filter(|one| !elsewhere.iter().any(|(name, _)| name == *one)).collect();
    let mut said = Vec::new();
    if !strange.is_empty() {
        let (was, it) = if strange.len() == 1 { ("was", "it") } else { ("were", "them") };
        said.push(format!(
            "{} {was} not weighed: no playbook knows {it}, so the comparison is incomplete.",
            opening_with(&listed(&strange, "and"))
        ));
    }
    said.extend(elsewhere.iter().map(|(name, subject)| {
        let name = opening_with(name);
        format!("{name} was not weighed here: it is known as an answer to another question, {subject}.")
    }));
    said
}

/// What kind of thing each name of the topic stands for here, and which names cannot be told apart.
pub(super) fn kinds(table: &Table<'_>) -> Option<String> {
    let kind = |(option, name): &(usize, String)| format!("{name} as {}", table.option(*option).name);
    let known: Vec<String> = table.subject.called.iter().map(kind).collect();
    let alike = &table.subject.alike;
    if !alike.is_empty() {
        return Some(format!(
            "The playbook knows {} as one kind of thing and cannot choose between them.",
            listed(alike, "and")
        ));
    }
    (!known.is_empty()).then(|| format!("Weighed here by kind: {}.", listed(&known, "and")))
}

/// The option that the seats together like best after this one.
fn rival(table: &Table<'_>, option: usize) -> usize {
    let total = |at: usize| table.views.iter().map(|view| view.score_of(at)).sum::<f64>();
    let others = table.subject.focus.iter().copied().filter(|at| *at != option);
    let open = |at: usize| !table.subject.barred.contains(&at);
    let better = |a: usize, b: usize| open(a).cmp(&open(b)).then(total(a).total_cmp(&total(b))).then(b.cmp(&a));
    others.max_by(|&a, &b| better(a, b)).unwrap_or(option)
}

/// The advice in words: the choice, its best reasons over all seats, the price, what helps, and who differs.
pub(super) fn recommendation(table: &Table<'_>, turn: &Turn, option: usize) -> String {
    if let Some(kind) = table.subject.one_kind() {
        return no_choice(table, kind);
    }
    let weight = |c: usize| table.views.iter().map(|view| view.share(c)).sum::<f64>();
    let rival = rival(table, option);
    let pull = |c: usize| (table.score(option, c) - table.score(rival, c)) * weight(c);
    let mut order: Vec<usize> = (0..table.playbook().criteria.len()).collect();
    order.sort_by(|&a, &b| pull(b).total_cmp(&pull(a)).then(a.cmp(&b)));
    let known = table.option(option);
    let mut said = vec![format!("{}.", table.decide(option))];
    let leads = ["What speaks for it most is", "Next comes"];
    for (&c, lead) in order.iter().zip(leads).filter(|(c, _)| pull(**c) > 0.0) {
        // A middling score is no praise; what the other option lacks is the reason then.
        let (own, theirs) = (table.score(option, c), table.score(rival, c));
        let reason = match own >= 4.0 {
            true => table.reason(option, c),
            false => format!("with {} ({theirs:.0} to {own:.0}), {}", table.name(rival), table.reason(rival, c)),
        };
        said.push(format!("{lead} {}: {reason}.", table.about(c)));
    }
    if let Some(&price) = order.last().filter(|&&c| pull(c) < 0.0) {
        let (about, name) = (table.about(price), table.name(rival));
        said.push(format!("The price is {about}, the strength of {name}: {}.", table.reason(rival, price)));
        let helps = known.risks.iter().find(|risk| risk.touches == table.criterion(price).id).or(known.risks.first());
        said.extend(helps.map(|risk| format!("{}.", risk.mitigation)));
    }
    if let Some(when) = known.right_when.first() {
        said.push(format!("This holds as long as {when}."));
    }
    let others: Vec<String> = (0..table.seats().len()).filter_map(|seat| differing(table, seat, option)).collect();
    if !others.is_empty() && turn.stance != Stance::Focus {
        said.push(format!("Not everyone weighs it so: {}.", listed(&others, "and")));
    }
    said.extend(settled(table));
    said.extend(not_weighed(table));
    said.join(" ")
}

/// What is said where the topic asks to choose between names that are one kind of thing here.
pub(super) fn no_choice(table: &Table<'_>, kind: usize) -> String {
    let mut order: Vec<usize> = (0..table.playbook().criteria.len()).collect();
    let weight = |c: usize| table.views.iter().map(|view| view.share(c)).sum::<f64>();
    order.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)).then(a.cmp(&b)));
    let facts: Vec<&str> = order.iter().take(3).map(|&c| table.criterion(c).find_out.as_str()).collect();
    let (names, kind) = (listed(&table.subject.alike, "and"), &table.option(kind).name);
    let mut said = vec![
        format!("This panel cannot choose between {names}: to its playbook they are one kind of thing, {kind}."),
        format!("A person has to; what would help to choose: {}.", facts.join("; ")),
    ];
    said.extend(settled(table));
    said.extend(not_weighed(table));
    said.join(" ")
}

/// How a seat weighs it otherwise, where it does.
fn differing(table: &Table<'_>, seat: usize, option: usize) -> Option<String> {
    let the = table.the(seat);
    if table.is_person(seat) {
        let named = table.named_by(seat).filter(|named| *named != option)?;
        return Some(format!("{the} would choose {}", table.name(named)));
    }
    let view = &table.views[seat];
    let (mine, score) = (view.favourite(), view.score_of(view.favourite()));
    let ahead = format!("{the} has {} ahead, {score:.1} to {:.1}", table.name(mine), view.score_of(option));
    (mine != option).then_some(ahead)
}
