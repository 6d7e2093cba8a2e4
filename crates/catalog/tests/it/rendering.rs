//! Filling in templates: strict, bounded, and with the line of an error.

use s2s_catalog::render;
use serde_json::json;

#[track_caller]
fn check(text: &str, expected: Result<&str, &str>) {
    let values = json!({"topic": "REST & <GraphQL>", "sly": "{{ 7 * 7 }}", "seats": ["a", "b"]});
    let rendered = render("own", text, &values).map_err(|error| error.to_string());
    assert_eq!(rendered.as_deref().map_err(String::as_str), expected);
}

#[test]
fn values_are_filled_in_as_they_are() {
    check("{{ topic }}\n", Ok("REST & <GraphQL>\n"));
    check("{{ sly }}", Ok("{{ 7 * 7 }}"));
    check("{% for seat in seats %}\n- {{ seat }}\n{% endfor %}\nend\n", Ok("- a\n- b\nend\n"));
}

#[test]
fn a_name_without_value_is_an_error_with_its_line() {
    check("one\n{{ topci }}\n", Err("own, line 2: a name has no value: `topci` is undefined"));
}

#[test]
fn a_template_that_runs_away_is_stopped() {
    check(
        "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
        Err("own, line 1: the template takes more than 5000000 steps"),
    );
}
