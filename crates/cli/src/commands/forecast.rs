//! `s2s roundtable start --dry-run`: what the roundtable would cost, and nobody is asked.
//! Given the table as it is set and its panel; prints three estimates. Deliberately absent: the estimates
//! themselves (`s2s::forecast`).

use s2s::Failure;
use s2s::convene::Convened;
use s2s::engine::counted;
use s2s::engine::opening::FACILITATOR;
use s2s::forecast::{Counted, Estimate, Forecast, Reach, forecast};
use s2s::panel::Panel;
use s2s::roundtable::{dollars, dollars_at_most};
use s2s::store::Panel as PanelKind;
use serde_json::json;

use crate::console::Console;

/// Prints the forecast.
pub fn show(convened: &Convened, panel: &dyn Panel, console: &Console) -> Result<u8, Failure> {
    let Convened { opening, charter } = convened;
    let told = forecast(opening, charter, panel)?;
    let names = opening.seats.iter().map(|seat| seat.id.to_string()).chain([FACILITATOR.to_owned()]);
    let models: Vec<(String, String)> = names.map(|seat| (panel.seat_model(&seat).0, seat)).collect();
    if console.json {
        let seats: serde_json::Map<String, _> = models.into_iter().map(|(model, seat)| (seat, json!(model))).collect();
        console.print_json(&json!({"schema": 1, "forecast": told, "models": seats}))?;
        return Ok(0);
    }
    let hurried = opening.settings.limits.max_minutes.is_some();
    console.print(&text(&told, &models, panel, hurried))?;
    Ok(0)
}

fn text(told: &Forecast, models: &[(String, String)], panel: &dyn Panel, hurried: bool) -> String {
    let mut out = String::from("Nobody was asked. This roundtable would take\n\n");
    out.push_str(&format!(
        "{:10} {:>7} {:>7} {:>12} {:>12} {:>12}\n",
        "", "rounds", "calls", "tokens in", "tokens out", "cost"
    ));
    for (name, estimate) in [("at least", &told.least), ("likely", &told.likely), ("at most", &told.most)] {
        out.push_str(&row(name, estimate, panel));
    }
    out.push('\n');
    let mut seen: Vec<&str> = Vec::new();
    for (model, _) in models {
        if !seen.contains(&model.as_str()) {
            seen.push(model);
            let seats: Vec<&str> =
                models.iter().filter(|(other, _)| other == model).map(|(_, seat)| seat.as_str()).collect();
            out.push_str(&format!("{model}: {}\n", seats.join(", ")));
        }
    }
    if panel.kind() != PanelKind::Models {
        out.push_str("No model takes part, so nothing is paid for.\n");
    } else if !told.priced {
        out.push_str(
            "The price of some models is not known; the cost counts the others alone.\nName it under `prices:`.\n",
        );
    }
    if panel.kind() == PanelKind::Models && told.budgets.is_empty() && !hurried {
        out.push_str("No budget is set; --max-cost USD sets one.\n");
    }
    for reach in &told.budgets {
        out.push_str(&reached(reach));
    }
    out
}

/// How far a budget reaches, in a sentence.
fn reached(reach: &Reach) -> String {
    let Reach { of, budget, one_round, likely, most } = *reach;
    let amount = |number: f64| match of {
        Counted::CostUsd => dollars_at_most(number),
        Counted::Calls => counted(number as u64, "call"),
        Counted::Tokens => counted(number as u64, "token"),
    };
    let flag = match of {
        Counted::CostUsd => "--max-cost",
        Counted::Calls => "--max-calls",
        Counted::Tokens => "--max-tokens",
    };
    let (one, held) = (amount(one_round), if of == Counted::CostUsd { dollars(budget) } else { amount(budget) });
    // Sums of dollars are not exact to the last digit.
    let reaches = |needed: f64| needed <= budget + 1e-9;
    if !reaches(one_round) {
        return format!(
            "The budget of {held} is too small for one round, which may take up to {one}:\n\
             nobody would be asked. Raise {flag}.\n"
        );
    }
    if !reaches(likely) {
        let likely = amount(likely);
        return format!(
            "The budget of {held} is enough for one round (up to {one}),\n\
             but likely not for the session ({likely}): it would end early, with what it has.\n"
        );
    }
    let most = amount(most);
    if !reaches(reach.most) {
        return format!(
            "The budget of {held} is enough for one round (up to {one})\n\
             and likely for the session, but not at most ({most}): it would end early.\n"
        );
    }
    format!("The budget of {held} is enough even at most ({most}).\n")
}

fn row(name: &str, estimate: &Estimate, panel: &dyn Panel) -> String {
    let Estimate { rounds, calls, input_tokens, output_tokens, cost_usd, .. } = estimate;
    let cost = if panel.kind() == PanelKind::Models { dollars(*cost_usd) } else { "-".to_owned() };
    format!("{name:10} {rounds:>7} {calls:>7} {input_tokens:>12} {output_tokens:>12} {cost:>12}\n")
}
