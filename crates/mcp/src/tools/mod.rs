//! The tools: arguments in, one call of the hall or one look at its sessions, a result or a refusal out.
//! A refusal is a result too, marked as an error, and says what to do next: a calling model reads results, while most
//! hosts hide protocol errors from it. Deliberately absent: the table of tools (`table.rs`), waiting (`wait.rs`) and
//! who may answer for a person (`answering.rs`).

pub(crate) mod asked;
pub(crate) mod table;
pub(crate) mod told;
mod wait;

use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, JsonObject};
use rmcp::service::{RequestContext, RoleServer};
use s2s::Failure;
use s2s::catalog::Kind;
use s2s::engine::opening::Workflow;
use s2s::store::{Listed, Sessions, Status};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::following::{look, short};
use crate::hall::{Hall, Wish};
use crate::reading;
use crate::server::Server;
use crate::standing::Standing;
use told::{Entries, Entry, Listing, Row, Short, Text};

/// The largest arguments, in bytes: a long topic and a context, not a book.
const MOST_BYTES: usize = 1 << 20;
/// How many sessions are listed where nobody says.
const FEW: i64 = 20;
/// The most sessions that are listed.
const MANY: i64 = 200;

impl Server {
    /// Calls a tool.
    pub(crate) async fn call(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.take().unwrap_or_default();
        let name = request.name.clone();
        if !table::tools().iter().any(|tool| tool.name == name) {
            let known: Vec<String> = table::tools().iter().map(|tool| tool.name.to_string()).collect();
            let what = format!("there is no tool \"{}\"; there are: {}", short(&name, 80), known.join(", "));
            return Err(ErrorData::invalid_params(what, None));
        }
        if name == "roundtable_answer" {
            return match read(arguments) {
                Ok(asked) => Ok(self.answer(asked, request, &context).await),
                Err(failure) => Ok(refused(&failure).into()),
            };
        }
        Ok(self.called(&name, arguments, &context).await.unwrap_or_else(|failure| refused(&failure)).into())
    }

    async fn called(
        &self,
        name: &str,
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Failure> {
        match name {
            "roundtable_start" => self.start(None, read(arguments)?).await,
            "brainstorm_start" => self.start(Some(Workflow::Brainstorm), read(arguments)?).await,
            "specs_start" => self.work(Workflow::Specs, read(arguments)?).await,
            "design_start" => self.work(Workflow::Design, read(arguments)?).await,
            "roundtable_wait" => told(&self.wait(read(arguments)?, context).await?),
            "roundtable_status" => {
                let asked: asked::Named = read(arguments)?;
                let status = self.reading(&asked.session, look).await?;
                told(&self.with_failure(status))
            }
            "roundtable_result" => {
                let asked: asked::Named = read(arguments)?;
                let root = self.project().await?.root;
                told(&self.reading(&asked.session, move |sessions, id| reading::outcome(sessions, &root, id)).await?)
            }
            "roundtable_stop" => self.stop(read(arguments)?).await,
            "session_list" => self.list(read(arguments)?).await,
            "session_show" => {
                let asked: asked::Show = read(arguments)?;
                let round = u32::try_from(asked.round).map_err(|_| {
                    Failure::bad_input("`round` is negative").next("give a round from 1, or leave it out")
                })?;
                let text =
                    self.reading(&asked.session, move |sessions, id| reading::shown(sessions, id, round)).await?;
                told(&Text { text })
            }
            _ => self.catalog_list(read(arguments)?).await,
        }
    }

    async fn start(&self, workflow: Option<Workflow>, asked: asked::Start) -> Result<CallToolResult, Failure> {
        let asked::Start { topic, context, strategy, participants, max_rounds } = asked;
        if !(0..=1000).contains(&max_rounds) {
            return Err(
                Failure::bad_input(format!("`max_rounds` is {max_rounds}")).next("give 1 to 1000, or leave it out")
            );
        }
        self.begin(Wish { workflow, topic, strategy, participants, max_rounds, context, from: String::new() }).await
    }

    async fn work(&self, workflow: Workflow, asked: asked::Work) -> Result<CallToolResult, Failure> {
        let asked::Work { topic, context, from } = asked;
        let from = match from.trim() {
            "" => String::new(),
            from => self.reading(from, |_, id| Ok(id.to_owned())).await?,
        };
        self.begin(Wish { workflow: Some(workflow), topic, context, from, ..Wish::default() }).await
    }

    async fn begin(&self, wish: Wish) -> Result<CallToolResult, Failure> {
        // Said before a thread is made for it.
        self.project().await?;
        let session = self.runs.begin(wish).await?;
        let next = format!(
            "It runs. Call roundtable_wait with session {session} until status is no longer running, and tell the person \
             how it goes."
        );
        told(&Short { session, status: Standing::Running.as_str().to_owned(), next })
    }

    async fn stop(&self, asked: asked::Named) -> Result<CallToolResult, Failure> {
        let (id, holder) =
            self.reading(&asked.session, |sessions, id| Ok((id.to_owned(), sessions.holder(id)?))).await?;
        if !self.runs.stop(&id).await
            && let Some(holder) = holder
        {
            let who = holder.pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"));
            return Err(Failure::failed(format!("session {id} is run by {who}, not by this server"))
                .next("the person can stop it there with Ctrl-C; roundtable_wait follows it all the same"));
        }
        told(&Short::from(self.reading(&id, look).await?))
    }

    async fn list(&self, asked: asked::List) -> Result<CallToolResult, Failure> {
        let most = if asked.limit <= 0 { FEW } else { asked.limit.min(MANY) };
        let sessions = self.sessions().await?;
        let most = usize::try_from(most).unwrap_or_default();
        let rows = off(move || {
            let rows = sessions.list()?.into_iter().rev().take(most);
            Ok(rows.map(|row| listed(&sessions, row)).collect())
        });
        told(&Listing { sessions: rows.await? })
    }

    async fn catalog_list(&self, asked: asked::Catalog) -> Result<CallToolResult, Failure> {
        let kinds = match asked.kind.trim() {
            "" => vec![Kind::Strategy, Kind::Role],
            "strategy" => vec![Kind::Strategy],
            "role" => vec![Kind::Role],
            other => {
                return Err(Failure::bad_input(format!("there is no kind \"{}\" here", short(other, 40)))
                    .next("give `kind` as strategy or role, or leave it out for both"));
            }
        };
        let hall = std::sync::Arc::clone(&self.hall);
        let entries = off(move || Ok(entries(&*hall, &kinds))).await?;
        told(&Entries { entries })
    }

    /// Reads something of a session that is named by its id or the start of one.
    pub(crate) async fn reading<T: Send + 'static>(
        &self,
        asked: &str,
        read: impl FnOnce(&Sessions, &str) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let sessions = self.sessions().await?;
        let asked = asked.trim().to_owned();
        off(move || {
            // Checked as a name before any path is made of it.
            let id = sessions.resolve(&asked).map_err(|error| {
                Failure::from(error).next("call session_list for the ids of this project's sessions")
            })?;
            read(&sessions, &id)
        })
        .await
    }
}

/// A row of the list. One that is active is running only while somebody holds it.
fn listed(sessions: &Sessions, row: Listed) -> Row {
    let status = match (row.problem, row.status) {
        (Some(problem), _) => format!("unreadable: {}", short(&problem, 160)),
        (None, Some(status @ (Status::Active | Status::Paused))) => {
            let held = sessions.is_held(&row.id).unwrap_or(true);
            let stands = sessions.read(&row.id).map(|minutes| Standing::of(&minutes, held).as_str());
            stands.map_or_else(|_| status.to_string(), str::to_owned)
        }
        (None, status) => status.map(|status| status.to_string()).unwrap_or_default(),
    };
    let (topic, rounds) = (short(&row.topic, 160), i64::from(row.total_rounds));
    Row { session: row.id, topic, workflow: row.workflow_type, status, rounds }
}

fn entries(hall: &dyn Hall, kinds: &[Kind]) -> Vec<Entry> {
    let catalog = hall.catalog();
    let about = |kind: Kind, name: &str| match kind {
        Kind::Strategy => catalog.strategy(name).map(|entry| entry.value.summary).ok(),
        _ => catalog.role(name).map(|entry| entry.value.description).ok(),
    };
    let named = kinds.iter().flat_map(|kind| catalog.names(*kind).into_iter().map(|name| (*kind, name)));
    named
        .map(|(kind, name)| Entry {
            about: about(kind, &name).map(|text| short(&text, 200)).unwrap_or_default(),
            kind: kind.to_string(),
            name,
        })
        .collect()
}

/// The arguments as a tool wants them.
fn read<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Failure> {
    let value = serde_json::Value::Object(arguments);
    let bytes = value.to_string().len();
    if bytes > MOST_BYTES {
        return Err(Failure::bad_input(format!("the arguments have {bytes} bytes; at most {MOST_BYTES} fit"))
            .next("say it shorter: the panel needs the question and the facts, not whole files"));
    }
    serde_json::from_value(value).map_err(|error| {
        Failure::bad_input(format!("the arguments do not fit: {}", short(&error.to_string(), 300)))
            .next("compare them with the tool's input schema, and call again")
    })
}

/// A result, as structured content and as text.
fn told<T: Serialize>(value: &T) -> Result<CallToolResult, Failure> {
    let value = serde_json::to_value(value);
    let value = value.map_err(|error| Failure::failed(format!("the result cannot be written: {error}")))?;
    Ok(CallToolResult::structured(value))
}

/// A result, or a refusal.
pub(crate) fn result<T: Serialize>(value: Result<T, Failure>) -> CallToolResult {
    value.and_then(|value| told(&value)).unwrap_or_else(|failure| refused(&failure))
}

/// What went wrong, and what to do next.
pub(crate) fn refused(failure: &Failure) -> CallToolResult {
    let text = s2s::clean::clean_text(&failure.what).into_owned();
    let text = match &failure.next {
        Some(next) => format!("{text}\nNext: {next}"),
        None => text,
    };
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Does something that blocks, off the thread that answers.
pub(crate) async fn off<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Failure::failed(format!("the call broke off: {error}"))))
}
