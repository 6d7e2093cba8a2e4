//! The page of `s2s models`: providers, known models, and who would sit with which.
//! Given rows as they were found out; hands on text of at most 100 columns. The same rows are the JSON.
//! Deliberately absent: finding anything out.

use s2s::catalog::{Ability, Price};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::marks::{Mark, Tone};
use super::page::Page;
use super::wrap::one_line;
use super::{Style, words};

/// How far what is said of a provider is set in.
const SET_IN: usize = 6;

/// A provider, and whether it can be used.
#[derive(Debug, Clone, Serialize)]
pub struct Provided {
    pub name: String,
    /// How it is spoken to; none where that is not said.
    pub api: Option<&'static str>,
    /// Its address or its command.
    pub target: String,
    pub usable: bool,
    /// Why it cannot be used, and what to do about it.
    pub why_not: Option<String>,
    /// The model that is taken when none is named.
    pub default_model: Option<String>,
    /// Where it is defined.
    pub from: String,
    /// What to know about how it is used.
    pub notes: Vec<String>,
}

/// A known model at a provider.
#[derive(Debug, Clone, Serialize)]
pub struct Offered {
    pub model: String,
    pub context_tokens: Option<u32>,
    pub price: Option<Price>,
    /// Whether the settings give the price.
    pub price_set: bool,
    pub abilities: Vec<Ability>,
    pub family: Option<String>,
}

/// The known models of one provider.
#[derive(Debug, Clone, Serialize)]
pub struct Known {
    pub provider: String,
    pub models: Vec<Offered>,
}

/// One place at the table.
#[derive(Debug, Clone, Serialize)]
pub struct Sits {
    pub seat: String,
    /// The model, then those asked instead.
    pub models: Vec<String>,
    pub family: String,
}

/// Who would sit with which model.
#[derive(Debug, Clone, Serialize)]
pub struct Sitting {
    pub workflow: String,
    /// `models`, `offline` or `script`; none where that cannot be said.
    pub panel: Option<&'static str>,
    /// One sentence about it.
    pub says: String,
    /// What to do about it, where something is wrong.
    pub next: Option<String>,
    pub seats: Vec<Sits>,
    pub notes: Vec<String>,
}

/// The page.
pub fn models(providers: &[Provided], known: &[Known], as_of: &str, sitting: &Sitting, style: &Style) -> String {
    let mut page = Page::new(style);
    page.line(0, &[("Providers, in the order in which a default is sought", Tone::Title)]);
    for provider in providers {
        provided(&mut page, provider);
    }
    page.gap();
    let head = format!("Known models; prices in US dollars per million tokens, as of {as_of}");
    page.line(0, &[(&one_line(&head), Tone::Title)]);
    let names = known.iter().flat_map(|known| &known.models).map(|offered| one_line(&offered.model).width());
    let widest = names.max().unwrap_or(0).clamp(8, 36);
    for known in known {
        page.gap();
        let head = format!("{:widest$} {:>9} {:>8} {:>8}  family", one_line(&known.provider), "context", "in", "out");
        page.line(2, &[(&head, Tone::Label)]);
        for offered in &known.models {
            page.line(2, &[(&row(offered, widest), Tone::Plain)]);
        }
    }
    page.gap();
    page.line(0, &[(&format!("At the table ({})", sitting.workflow), Tone::Title)]);
    seated(&mut page, sitting);
    page.finish()
}

fn provided(page: &mut Page<'_>, provider: &Provided) {
    let style = *page.style();
    let mark = if provider.usable { Mark::Done } else { Mark::Open };
    let name = format!(" {:17}", one_line(&provider.name));
    let api = format!("{:17}", provider.api.unwrap_or("-"));
    let target = one_line(&provider.target);
    page.line(
        2,
        &[
            (mark.text(style.ascii), mark.tone()),
            (&name, Tone::Title),
            (&api, Tone::Quiet),
            (target.as_str(), Tone::Plain),
        ],
    );
    let usable = match &provider.why_not {
        None => "usable".to_owned(),
        Some(why) => format!("not usable: {why}"),
    };
    let default = provider.default_model.as_ref().map(|model| match model.as_str() {
        "default" => "default: the program's own choice".to_owned(),
        model => format!("default {model}"),
    });
    let from = Some(provider.from.clone()).filter(|from| !from.is_empty());
    let parts: Vec<String> = [Some(usable), default, from].into_iter().flatten().collect();
    let dot = if style.ascii { " | " } else { " · " };
    page.paragraph(SET_IN, &one_line(&parts.join(dot)), Tone::Quiet);
    // How a program that is not there would be run helps nobody.
    for note in provider.notes.iter().filter(|_| provider.usable) {
        page.paragraph(SET_IN, &format!("- {}", one_line(note)), Tone::Quiet);
    }
}

fn row(offered: &Offered, widest: usize) -> String {
    let Offered { model, context_tokens, price, price_set, abilities, family } = offered;
    let context = context_tokens.map_or("-".to_owned(), |tokens| words::thousands(tokens.into()));
    let (input, output) = match price {
        Some(price) => (amount(price.input), amount(price.output)),
        None => ("?".to_owned(), "?".to_owned()),
    };
    let family = family.as_deref().unwrap_or("-");
    let abilities: Vec<&str> = abilities.iter().copied().map(ability).collect();
    let set = if *price_set { " (your price)" } else { "" };
    let model = one_line(model);
    let line =
        format!("{model:widest$} {context:>9} {input:>8} {output:>8}  {:9} {}{set}", family, abilities.join(", "));
    line.trim_end().to_owned()
}

/// A price with as many digits as it needs, two at least.
fn amount(usd: f64) -> String {
    let fine = format!("{usd:.4}");
    let short = fine.trim_end_matches('0');
    let digits = short.split_once('.').map_or(0, |(_, digits)| digits.len());
    format!("{usd:.*}", digits.max(2))
}

fn ability(ability: Ability) -> &'static str {
    match ability {
        Ability::JsonSchema => "schema",
        Ability::Cache => "cache",
        Ability::Effort => "effort",
        Ability::Temperature => "temperature",
    }
}

fn seated(page: &mut Page<'_>, sitting: &Sitting) {
    let widest = sitting.seats.iter().map(|sits| one_line(&sits.seat).width()).max().unwrap_or(0);
    for sits in &sitting.seats {
        let (first, others) = sits.models.split_first().map_or(("-", &[][..]), |(first, rest)| (first.as_str(), rest));
        let instead = if others.is_empty() { String::new() } else { format!("; else {}", others.join(", ")) };
        let model = one_line(&format!("{first} ({}){instead}", sits.family));
        page.line(2, &[(&format!("{:widest$}  {model}", one_line(&sits.seat)), Tone::Plain)]);
    }
    page.paragraph(2, &sitting.says, Tone::Plain);
    for note in &sitting.notes {
        page.paragraph(2, note, Tone::Quiet);
    }
    if let Some(next) = &sitting.next {
        page.paragraph(2, &format!("next: {next}"), Tone::Plain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_have_the_digits_they_need() {
        for (usd, text) in [(10.0, "10.00"), (0.1, "0.10"), (0.125, "0.125"), (0.0, "0.00"), (0.0375, "0.0375")] {
            assert_eq!(amount(usd), text);
        }
    }
}
