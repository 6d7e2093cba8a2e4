//! Lists and objects in another shape.

use serde_json::{Map, Value, json};

use super::{CHAIR, EITHER, Kind, LINES, RICH, kept, kind};
use crate::rng::Rng;
use crate::styles::either;
use crate::{Form, tree, values};

/// A list of texts of the value's form.
pub(crate) fn list_key(value: &Value, rng: &mut Rng) -> &'static str {
    if values::form(value) == Form::Participant { rng.pick(&["rationale", "concerns"]) } else { "consensus" }
}

/// The value with this list in another shape; none if it has fewer items.
pub(crate) fn reshaped(
    value: &Value,
    rng: &mut Rng,
    least: usize,
    shape: impl Fn(&[String]) -> Value,
) -> Option<Value> {
    let key = list_key(value, rng);
    let items = tree::items(value, key);
    (items.len() >= least).then(|| tree::set(value, key, shape(&items)))
}

fn each(value: &Value, key: &str, change: impl Fn(&Value) -> Value) -> Option<Value> {
    let items = value.get(key)?.as_array()?;
    (!items.is_empty()).then(|| tree::set(value, key, items.iter().map(change).collect::<Vec<_>>()))
}

fn seats_as(value: &Value, shape: impl Fn(&Map<String, Value>) -> Value) -> Option<Value> {
    each(value, "conflicts", |conflict| {
        let positions = conflict.get("positions").map(tree::fields).unwrap_or_default();
        tree::set(conflict, "positions", shape(&positions))
    })
}

pub(crate) const KINDS: &[Kind] = &[
    kind("list_as_text", "lists", "a list of one item as a text", EITHER, RICH, |v, r| {
        let key = list_key(v, r);
        let first = tree::items(v, key).into_iter().next()?;
        let truth = tree::set(v, key, json!([first]));
        kept(&truth, either(&tree::set(v, key, first), r))
    }),
    kind("list_as_indexed_map", "lists", "numbers as keys", EITHER, LINES, |v, r| {
        let shaped = reshaped(v, r, 1, |items| {
            items.iter().enumerate().map(|(at, item)| ((at + 1).to_string(), json!(item))).collect::<Map<_, _>>().into()
        })?;
        kept(v, either(&shaped, r))
    }),
    kind("list_as_bulleted_text", "lists", "a text of bullets, one on a line", EITHER, RICH, |v, r| {
        let bullet = r.pick(&["- ", "* ", "• "]);
        let shaped = reshaped(v, r, 2, |items| {
            json!(items.iter().map(|item| format!("{bullet}{item}")).collect::<Vec<_>>().join("\n"))
        })?;
        kept(v, either(&shaped, r))
    }),
    kind("list_as_numbered_text", "lists", "a text of numbered lines", EITHER, RICH, |v, r| {
        let shaped = reshaped(v, r, 2, |items| {
            let lines = items.iter().enumerate().map(|(at, item)| format!("{}. {item}", at + 1));
            json!(lines.collect::<Vec<_>>().join("\n"))
        })?;
        kept(v, either(&shaped, r))
    }),
    kind("list_of_objects", "lists", "each item as an object with one text", EITHER, RICH, |v, r| {
        let key = r.pick(&["text", "point", "description", "reason", "content", "value"]);
        let shaped = reshaped(v, r, 1, |items| items.iter().map(|item| json!({key: item})).collect::<Vec<_>>().into())?;
        kept(v, either(&shaped, r))
    }),
    kind("list_encoded", "lists", "a list as an encoded string", EITHER, RICH, |v, r| {
        let shaped = reshaped(v, r, 1, |items| json!(json!(items).to_string()))?;
        kept(v, either(&shaped, r))
    }),
    kind("list_with_empty_items", "lists", "empty texts and nulls between the items", EITHER, RICH, |v, r| {
        let shaped = reshaped(v, r, 1, |items| {
            let mut all: Vec<Value> = items.iter().map(|item| json!(item)).collect();
            all.push(json!(""));
            all.insert(1, Value::Null);
            all.into()
        })?;
        kept(v, either(&shaped, r))
    }),
    kind("positions_as_list", "lists", "positions as {participant, position}", CHAIR, RICH, |v, r| {
        let (who, what) =
            r.pick(&[("participant", "position"), ("seat", "position"), ("role", "view"), ("name", "position")]);
        let shaped = seats_as(v, |seats| {
            seats.iter().map(|(seat, said)| json!({who: seat, what: said})).collect::<Vec<_>>().into()
        })?;
        kept(v, either(&shaped, r))
    }),
    kind("positions_as_single_maps", "lists", "positions as a list of maps of one seat", CHAIR, RICH, |v, r| {
        let shaped =
            seats_as(v, |seats| seats.iter().map(|(seat, said)| json!({seat: said})).collect::<Vec<_>>().into())?;
        kept(v, either(&shaped, r))
    }),
    kind("conflicts_as_map", "lists", "conflicts by their id", CHAIR, RICH, |v, r| {
        let items = v.get("conflicts")?.as_array()?;
        let by_id = items.iter().map(|one| (tree::text(one, "id").to_owned(), tree::without(one, "id")));
        let map: Map<String, Value> = by_id.collect();
        (!map.is_empty()).then_some(())?;
        kept(v, either(&tree::set(v, "conflicts", map), r))
    }),
    kind("single_object_for_list", "lists", "one object where a list belongs", CHAIR, RICH, |v, r| {
        let key = r.pick(&["conflicts", "resolved", "agenda_coverage"]);
        let first = v.get(key)?.as_array()?.first()?.clone();
        let truth = tree::set(v, key, json!([first]));
        kept(&truth, either(&tree::set(v, key, first), r))
    }),
    kind("ids_as_numbers", "lists", "numbers as ids", CHAIR, RICH, |v, r| {
        let numbered = |text: bool| {
            let items = v.get("conflicts")?.as_array()?;
            let one = |(at, one): (usize, &Value)| {
                tree::set(one, "id", if text { json!((at + 1).to_string()) } else { json!(at + 1) })
            };
            Some(tree::set(v, "conflicts", items.iter().enumerate().map(one).collect::<Vec<_>>()))
        };
        (!v.get("conflicts")?.as_array()?.is_empty()).then_some(())?;
        kept(&numbered(true)?, either(&numbered(false)?, r))
    }),
    kind("coverage_as_map", "lists", "agenda coverage as topic: status", CHAIR, RICH, |v, r| {
        let items = v.get("agenda_coverage")?.as_array()?;
        let map: Map<String, Value> =
            items.iter().map(|one| (tree::text(one, "topic").to_owned(), json!(tree::text(one, "status")))).collect();
        kept(v, either(&tree::set(v, "agenda_coverage", map), r))
    }),
    kind("main_text_in_bold_policy", "lists", "the main text all in bold", EITHER, RICH, |v, r| {
        let key = super::json::main_key(v);
        let bold = format!("**{}**", tree::text(v, key));
        kept(v, either(&tree::set(v, key, bold), r))
    }),
    kind(
        "list_items_with_dashes",
        "lists",
        "each item of a list starts with a dash of its own",
        EITHER,
        LINES,
        |v, r| {
            let shaped = reshaped(v, r, 1, |items| {
                items.iter().map(|item| json!(format!("- {item}"))).collect::<Vec<_>>().into()
            })?;
            kept(v, crate::styles::json(&shaped))
        },
    ),
];
