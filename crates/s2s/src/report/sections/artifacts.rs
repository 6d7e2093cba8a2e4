//! What the session made or changed: requirements, decisions, components, risks, open questions.
//! Given the view; writes a section with one card each, by kind. Deliberately absent: links into other sessions (`s2s trace`).

use s2s_engine::artifact::{Artifact, ArtifactStatus, Level};

use super::super::html::Html;
use super::super::marked;
use super::super::view::{ArtifactView, View};
use super::{listed, said};

/// The artifacts.
pub(in super::super) fn artifacts(html: &mut Html, view: &View<'_>) {
    let mut kind = None;
    for shown in &view.artifacts {
        if kind != Some(shown.artifact.id.kind) {
            kind = Some(shown.artifact.id.kind);
            html.leaf("h3", &[], &capital(shown.artifact.id.kind.noun()));
        }
        card(html, shown, view);
    }
}

fn capital(noun: &str) -> String {
    let mut letters = noun.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}s", letters.as_str())
}

fn card(html: &mut Html, shown: &ArtifactView<'_>, view: &View<'_>) {
    let artifact = shown.artifact;
    html.within("details", &[("class", "card")], |html| {
        html.within("summary", &[], |html| {
            html.leaf("span", &[("class", "id")], &artifact.id.to_string()).text(" ");
            html.open("span", &[("class", "grow"), ("dir", "auto")]);
            marked::line(html, &artifact.title);
            html.close().text(" ");
            html.leaf("span", &[("class", tone(shown.status))], shown.status.as_str());
        });
        said(html, "said", &artifact.text);
        fields(html, artifact);
        let by = if artifact.proposed_by.is_empty() {
            String::new()
        } else {
            format!(", {}", view.table.names.all(&artifact.proposed_by))
        };
        let point = artifact.point.as_ref().map(|point| format!(", voted on as {point}")).unwrap_or_default();
        html.leaf("p", &[("class", "soft")], &format!("From round {}{by}{point}.", shown.round));
    });
}

fn tone(status: ArtifactStatus) -> &'static str {
    match status {
        ArtifactStatus::Active | ArtifactStatus::Amended | ArtifactStatus::Resolved => "word good",
        ArtifactStatus::Open => "word warn",
        ArtifactStatus::Superseded | ArtifactStatus::Withdrawn => "word soft",
    }
}

/// The fields of its kind, as far as they are filled in.
fn fields(html: &mut Html, artifact: &Artifact) {
    let details = &artifact.details;
    let level = |level: Option<Level>| level.map(|level| level.as_str().to_owned());
    let ids = |ids: &[s2s_engine::artifact::ArtifactId]| {
        (!ids.is_empty()).then(|| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
    };
    let short = [
        ("Priority", details.priority.map(|priority| priority.as_str().to_owned())),
        ("Characteristic", details.characteristic.clone()),
        ("Target", details.target.clone()),
        ("Measured by", details.measure.clone()),
        ("Source", details.source.clone()),
        ("Reason", details.reason.clone()),
        ("Severity", level(details.severity)),
        ("Likelihood", level(details.likelihood)),
        ("Impact", level(details.impact)),
        ("Effort", level(details.effort)),
        ("Answer", details.answer.clone()),
        ("Between", (!details.between.is_empty()).then(|| details.between.join(" and "))),
        ("Serves", ids(&artifact.serves)),
        ("Uses", ids(&artifact.uses)),
        ("Superseded by", artifact.superseded_by.map(|id| id.to_string())),
    ];
    let given: Vec<_> = short.iter().filter_map(|(label, text)| Some((label, text.as_ref()?))).collect();
    if !given.is_empty() {
        html.within("dl", &[("class", "held")], |html| {
            for (label, text) in given {
                html.leaf("dt", &[], label);
                html.within("dd", &[("dir", "auto")], |html| marked::line(html, text));
            }
        });
    }
    listed(html, "Accepted when", details.acceptance.iter().map(String::as_str));
    listed(html, "Options", details.options.iter().map(String::as_str));
    listed(html, "Consequences", details.consequences.iter().map(String::as_str));
}
