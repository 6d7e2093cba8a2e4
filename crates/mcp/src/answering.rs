//! `roundtable_answer`: an escalation is settled by the person, whom the host asks; never by the calling model alone.
//! A client of protocol 2026-07-28 or newer gets the form as a result and calls again with what the person filled in;
//! what it brings back is sealed, so that it cannot be made up for another escalation. An older client is asked by a
//! request. One that can do neither is refused, unless the person's own settings let agents answer. Deliberately
//! absent: the form and its meaning (`ruling.rs`).

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    InputRequest, InputRequests, InputRequiredResult, ProtocolVersion, SealOptions,
};
use rmcp::service::{RequestContext, RoleServer};
use s2s::engine::record::{Escalation, Ruling};
use s2s::{Failure, FailureKind};

use crate::following::look;
use crate::hall::Permission;
use crate::ruling::{Filled, form, ruling};
use crate::server::Server;
use crate::standing::question;
use crate::tools::told::Short;
use crate::tools::{asked, off, refused, result};

/// How long a person may think before the question is put anew.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long a form may be filled in where the client brings the answer itself.
const VALID: Duration = Duration::from_secs(24 * 3600);
/// The name of the one question in a form.
const ASKED: &str = "answer";

/// What asking led to.
enum Led {
    /// The client must bring the person's answer.
    Form(Box<InputRequiredResult>),
    /// The person has ruled, or an agent that may, and the session goes on.
    Settled(Short),
}

/// Who waits for what.
struct Waits {
    id: String,
    topic: String,
    escalation: Escalation,
}

impl Server {
    /// Has the person asked, and goes on with what they said.
    pub(crate) async fn answer(
        &self,
        asked: asked::Answering,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        match self.answered(asked, request, context).await {
            Ok(Led::Form(form)) => (*form).into(),
            Ok(Led::Settled(stands)) => result(Ok(stands)).into(),
            Err(failure) => refused(&failure).into(),
        }
    }

    async fn answered(
        &self,
        asked: asked::Answering,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Led, Failure> {
        let waits = self.waits(&asked.session).await?;
        let hall = std::sync::Arc::clone(&self.hall);
        let permission = off(move || hall.permission()).await?;
        if permission == Permission::Granted && !asked.choice.trim().is_empty() {
            let given = Filled { choice: asked.choice, text: asked.text, rounds: asked.rounds };
            let ruling = ruling(&given, &waits.escalation, true)?;
            return self.settle(waits, ruling).await.map(Led::Settled);
        }
        match takes_forms(context) {
            false => Err(no_way(&waits, &permission)),
            true if is_new(context) => self.by_result(waits, &request).await,
            true => self.by_request(waits, context).await.map(Led::Settled),
        }
    }

    async fn waits(&self, asked: &str) -> Result<Waits, Failure> {
        let found = self.reading(asked, |sessions, id| {
            let minutes = sessions.read(id)?;
            Ok((id.to_owned(), minutes.topic().to_owned(), minutes.pending().cloned(), sessions.is_held(id)?))
        });
        let (id, topic, pending, held) = found.await?;
        match pending {
            Some(escalation) if !held => Ok(Waits { id, topic, escalation }),
            // It may be about to settle it by the policy in the settings.
            Some(_) => Err(Failure::failed(format!("session {id} is running"))
                .next(format!("call roundtable_wait with session {id}, and answer once its status is needs_person"))),
            None => Err(Failure::bad_input(format!("nothing waits for an answer in session {id}"))
                .next(format!("call roundtable_status with session {id}"))),
        }
    }

    /// Protocol 2026-07-28: the form is the result, and the next call brings the answer.
    async fn by_result(&self, waits: Waits, request: &CallToolRequestParams) -> Result<Led, Failure> {
        let bound = format!("roundtable_answer|{}", waits.id);
        let opened = request.request_state.as_deref().map(|state| self.seal.open_with(state, bound.as_bytes()));
        if let Some(Ok(escalation)) = opened {
            if escalation != waits.escalation.id.as_bytes() {
                return Err(Failure::failed("what the person answered was settled meanwhile").next(format!(
                    "{} waits now: call roundtable_answer with session {} again",
                    waits.escalation.id, waits.id
                )));
            }
            let responses = request.input_responses.as_ref().and_then(|responses| responses.get(ASKED));
            let Some(response) = responses else { return Err(unanswered(&waits.id)) };
            let brought = serde_json::from_value(response.clone());
            let brought =
                brought.map_err(|_| Failure::bad_input("the host's answer cannot be read").next(TRY_AGAIN))?;
            let ruling = said(brought, &waits)?;
            return self.settle(waits, ruling).await.map(Led::Settled);
        }
        // No state, or one of another server or session: the person is asked anew.
        let options = SealOptions::new().associated_data(bound.as_bytes()).ttl(VALID);
        let state = self.seal.seal_with(waits.escalation.id.as_bytes(), &options);
        let question = InputRequest::Elicitation(ElicitRequest::new(asks(&waits)?));
        let requests: InputRequests = [(ASKED.to_owned(), question)].into_iter().collect();
        Ok(Led::Form(Box::new(InputRequiredResult::new(Some(requests), Some(state)))))
    }

    /// Older protocols: a request to the client, for as long as the person thinks. A host that gives up on the call has
    /// not taken the question away: what the person answers then counts all the same.
    async fn by_request(&self, waits: Waits, context: &RequestContext<RoleServer>) -> Result<Short, Failure> {
        let (server, peer, question, id) = (self.clone(), context.peer.clone(), asks(&waits)?, waits.id.clone());
        let asking = tokio::spawn(async move {
            let brought = peer.create_elicitation_with_timeout(question, Some(PATIENCE)).await.map_err(|error| {
                Failure::failed(format!("the host could not ask the person: {error}")).next(in_a_terminal(&waits.id))
            })?;
            let ruling = said(brought, &waits)?;
            server.settle(waits, ruling).await
        });
        tokio::select! {
            settled = asking => settled.unwrap_or_else(|_| Err(unanswered(&id))),
            () = context.ct.cancelled() => Err(unanswered(&id)),
        }
    }

    async fn settle(&self, waits: Waits, ruling: Ruling) -> Result<Short, Failure> {
        let Waits { id, escalation, .. } = waits;
        self.runs.go_on(&id, Some((escalation.id, ruling))).await?;
        self.reading(&id, |sessions, id| look(sessions, id).map(Short::from)).await
    }
}

const TRY_AGAIN: &str = "call roundtable_answer again; the person is asked anew";

/// Whether the client can put a form to the person.
fn takes_forms(context: &RequestContext<RoleServer>) -> bool {
    let capabilities = context.client_capabilities();
    // A client that names neither way takes forms, as the first version of it did.
    capabilities.and_then(|all| all.elicitation).is_some_and(|ways| ways.form.is_some() || ways.url.is_none())
}

/// Whether the client's protocol has no requests from the server.
fn is_new(context: &RequestContext<RoleServer>) -> bool {
    // Versions are dates, so their texts compare as they do.
    context.protocol_version().is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

fn asks(waits: &Waits) -> Result<ElicitRequestParams, Failure> {
    let schema = serde_json::from_value(form(&waits.escalation));
    let requested_schema = schema.map_err(|error| Failure::failed(format!("the form cannot be made: {error}")))?;
    let topic = s2s::clean::clean_line(&waits.topic).into_owned();
    let message = format!("{topic}\n{}", question(&waits.escalation));
    Ok(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema })
}

fn said(brought: ElicitResult, waits: &Waits) -> Result<Ruling, Failure> {
    if brought.action != ElicitationAction::Accept {
        return Err(unanswered(&waits.id));
    }
    // What does not fit is for the person to mend, never for the calling model.
    let again = |what: &str| Failure::bad_input(format!("the person's answer does not fit: {what}")).next(TRY_AGAIN);
    let Some(content) = brought.content.filter(|content| content.is_object()) else {
        return Err(again("the form came back empty"));
    };
    let answer: Filled = serde_json::from_value(content).map_err(|error| again(&error.to_string()))?;
    ruling(&answer, &waits.escalation, false).map_err(|failure| again(&failure.what))
}

fn unanswered(id: &str) -> Failure {
    let kind = FailureKind::NeedsPerson;
    let failure = Failure::failed(format!("the person has not decided; session {id} waits"));
    let next = "leave it waiting, or ask them again later with roundtable_answer; do not decide in their place";
    Failure { kind, ..failure.next(next) }
}

fn no_way(waits: &Waits, permission: &Permission) -> Failure {
    let why = match permission {
        Permission::OnlyByProject(place) => format!(
            " (agents_may_answer in {place} does not count: only the person's own settings can let agents answer)"
        ),
        Permission::Granted | Permission::Withheld => String::new(),
    };
    let what = match permission {
        Permission::Granted => "no choice is given".to_owned(),
        _ => format!("only the person can decide this, and your host cannot ask them{why}"),
    };
    let id = &waits.id;
    let next = match permission {
        Permission::Granted => "agents may answer here: call again with `choice`".to_owned(),
        _ => format!("put this to the person, word for word:\n{}\n{}", question(&waits.escalation), in_a_terminal(id)),
    };
    Failure { kind: FailureKind::NeedsPerson, ..Failure::failed(what).next(next) }
}

fn in_a_terminal(id: &str) -> String {
    format!(
        "They answer in a terminal, in the project's folder: s2s roundtable answer {id}\n\
         Then call roundtable_wait with session {id}."
    )
}
