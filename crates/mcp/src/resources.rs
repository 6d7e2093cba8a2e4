//! Sessions and their documents as resources: `s2s://session/ID` and `s2s://session/ID/document`.
//! Given an address; hands on Markdown. The id in it is checked as a name and looked up before any path is made.
//! Deliberately absent: every other address, and every file that no session names.

use rmcp::model::{
    ErrorData, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use s2s::Failure;
use s2s::store::Status;

use crate::following::short;
use crate::reading::{main_document, shown};
use crate::server::Server;
use crate::tools::off;

const SCHEME: &str = "s2s://session/";
const DOCUMENT: &str = "/document";
const MARKDOWN: &str = "text/markdown";
/// The most sessions that are listed; the rest is found by its address.
const MOST: usize = 50;

pub(crate) fn templates() -> ListResourceTemplatesResult {
    let template = |uri: &str, name: &str, about: &str| {
        ResourceTemplate::new(uri, name).with_description(about).with_mime_type(MARKDOWN)
    };
    ListResourceTemplatesResult::with_all_items(vec![
        template("s2s://session/{id}", "session", "The discussion of a session"),
        template("s2s://session/{id}/document", "document", "The main document that a completed session wrote"),
    ])
}

impl Server {
    pub(crate) async fn resources(&self) -> Result<ListResourcesResult, ErrorData> {
        let Ok(sessions) = self.sessions().await else {
            // A folder that is no project yet has no sessions.
            return Ok(ListResourcesResult::with_all_items(Vec::new()));
        };
        let read = off(move || {
            let rows = sessions.list()?.into_iter().rev().filter(|row| row.problem.is_none()).take(MOST);
            // Only what a session wrote is offered.
            let wrote =
                |id: &str| sessions.read(id).is_ok_and(|minutes| minutes.outcome().is_some_and(|it| it.file.is_some()));
            Ok(rows.map(|row| (row.status == Some(Status::Completed) && wrote(&row.id), row)).collect::<Vec<_>>())
        });
        let mut found = Vec::new();
        for (document, row) in read.await.map_err(|failure| broken(&failure))? {
            let topic = short(&row.topic, 120);
            let uri = format!("{SCHEME}{}", row.id);
            if document {
                let name = format!("{} document", row.id);
                let about = format!("What was decided: {topic}");
                found.push(described(Resource::new(format!("{uri}{DOCUMENT}"), name), about));
            }
            found.push(described(Resource::new(uri, row.id), topic));
        }
        Ok(ListResourcesResult::with_all_items(found))
    }

    pub(crate) async fn resource(&self, uri: String) -> Result<ReadResourceResponse, ErrorData> {
        let unknown = || {
            let known = "known are s2s://session/ID and s2s://session/ID/document";
            ErrorData::resource_not_found(format!("there is no resource \"{}\"; {known}", short(&uri, 120)), None)
        };
        let rest = uri.strip_prefix(SCHEME).ok_or_else(unknown)?;
        let (id, document) = rest.strip_suffix(DOCUMENT).map_or((rest, false), |id| (id, true));
        let root = self.project().await.map_err(|failure| broken(&failure))?.root;
        let read = self.reading(id, move |sessions, id| match document {
            true => main_document(sessions, &root, id),
            false => shown(sessions, id, 0),
        });
        let text = read.await.map_err(|failure| ErrorData::resource_not_found(sentence(&failure), None))?;
        let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

fn described(resource: Resource, about: String) -> Resource {
    resource.with_description(about).with_mime_type(MARKDOWN)
}

fn broken(failure: &Failure) -> ErrorData {
    ErrorData::internal_error(sentence(failure), None)
}

fn sentence(failure: &Failure) -> String {
    match &failure.next {
        Some(next) => format!("{}; {next}", failure.what),
        None => failure.what.clone(),
    }
}
