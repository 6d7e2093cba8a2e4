//! The building blocks as a Mermaid flowchart.
//! Given the register; hands on the lines of a diagram, empty where there is no component. Labels hold letters,
//! digits, plain marks and entities only: no text can leave its box. Deliberately absent: layout, which is the viewer's.

use std::collections::BTreeMap;

use s2s_engine::artifact::{ArtifactId, ArtifactKind};

use crate::register::ProjectRegister;

/// The longest label.
const LONGEST: usize = 60;

/// Marks that are kept as entities, such as `#37;`.
const MARKS: &str = "%';#()?!=*@$€£";

/// Components, the interfaces between them, and the outside.
pub(crate) fn building_blocks(register: &ProjectRegister) -> String {
    let components: Vec<_> = register.of_kind(ArtifactKind::Comp).collect();
    if components.is_empty() {
        return String::new();
    }
    let mut lines = vec!["flowchart LR".to_owned()];
    for entry in &components {
        let id = entry.id();
        lines.push(format!("    {}[\"{id} {}\"]", node(id), label(&entry.artifact().title)));
    }
    let mut outside: BTreeMap<String, String> = BTreeMap::new();
    let mut edges = Vec::new();
    for entry in register.of_kind(ArtifactKind::Int) {
        let ends: Vec<String> =
            entry.artifact().details.between.iter().map(|end| place(register, end, &mut outside)).collect();
        for pair in ends.windows(2) {
            edges.push(format!(
                "    {} -- \"{} {}\" --- {}",
                pair[0],
                entry.id(),
                label(&entry.artifact().title),
                pair[1]
            ));
        }
    }
    for (name, node) in &outside {
        lines.push(format!("    {node}([\"{name}\"])"));
    }
    for entry in &components {
        let needed = entry.artifact().uses.iter().filter(|id| register.get(**id).is_some_and(|e| e.is_live()));
        edges.extend(needed.map(|id| format!("    {} --> {}", node(entry.id()), node(*id))));
    }
    lines.extend(edges);
    lines.join("\n")
}

/// The node of an end: a live component, or an outside system that gets one.
fn place(register: &ProjectRegister, end: &str, outside: &mut BTreeMap<String, String>) -> String {
    if let Ok(id) = end.parse::<ArtifactId>()
        && register.get(id).is_some_and(|entry| entry.is_live())
        && id.kind == ArtifactKind::Comp
    {
        return node(id);
    }
    let next = format!("OUT_{}", outside.len() + 1);
    outside.entry(label(end)).or_insert(next).clone()
}

fn node(id: ArtifactId) -> String {
    format!("{}_{:03}", id.kind, id.number)
}

/// A text that cannot end its label or start a tag. Marks that mean something to Mermaid are written as its entities.
pub(crate) fn label(text: &str) -> String {
    let shown = shortened(text);
    let mut label = String::with_capacity(shown.len());
    for c in shown.chars() {
        match MARKS.contains(c) {
            true => label.push_str(&format!("#{};", u32::from(c))),
            false => label.push(c),
        }
    }
    label
}

/// What is shown of a text: letters, digits and marks, on one line.
fn shortened(text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || " -_.,:/&+".contains(c) || MARKS.contains(c) { c } else { ' ' };
    let words: String = text.chars().map(plain).collect();
    let one_line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", one_line[..cut].trim_end()),
        None => one_line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bug_labels_dropped_marks_that_mean_something() {
        assert_eq!(label("Spend 50% less; it's time"), "Spend 50#37; less#59; it#39;s time");
        assert_eq!(label("Issue #37; (why?)"), "Issue #35;37#59; #40;why#63;#41;");
        // Cut as it is read, never within an entity.
        let cut = label(&"%".repeat(LONGEST + 1));
        assert_eq!(cut, format!("{}…", "#37;".repeat(LONGEST)));
    }

    #[test]
    fn no_text_can_leave_its_label() {
        assert_eq!(label("a\"] --> evil[\"x"), "a -- evil x");
        assert_eq!(label("<script>`x`</script>\nend"), "script x /script end");
        assert!(label(&"long ".repeat(40)).chars().count() <= LONGEST + 1);
    }
}
