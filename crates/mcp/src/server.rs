//! The server as a client sees it: what it can do, its tools, resources and prompts.
//! Given a hall; answers requests, each by one call into `tools`, `resources` or `prompts`. One server serves every
//! client of the process, so that two clients see one session. Deliberately absent: transports (`stdio.rs`, `http.rs`).

use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, RequestStateCodec, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use s2s::Failure;
use s2s::project::Project;
use s2s::store::Sessions;

use crate::hall::Hall;
use crate::runs::Runs;
use crate::tools::{off, table};
use crate::{prompts, token};

const INSTRUCTIONS: &str = "A roundtable takes minutes: start it, then call roundtable_wait again and again until its \
    status is completed or needs_person, then roundtable_result. Decisions that need a person are the person's, never \
    yours. Do not play the panel yourself.";

/// The server; a clone is the same one.
#[derive(Clone)]
pub struct Server {
    pub(crate) hall: Arc<dyn Hall>,
    pub(crate) runs: Arc<Runs>,
    pub(crate) seal: Arc<RequestStateCodec>,
}

impl Server {
    /// A server over a hall.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn new(hall: Arc<dyn Hall>) -> Result<Self, Failure> {
        let seal = RequestStateCodec::try_new(token::random()?.to_vec());
        let seal = seal.map_err(|error| Failure::failed(format!("answers cannot be sealed: {error}")))?;
        Ok(Self { runs: Runs::new(Arc::clone(&hall)), hall, seal: Arc::new(seal) })
    }

    /// Pauses every session that runs here, and waits until all rest.
    pub async fn close(&self) {
        self.runs.close().await;
    }

    pub(crate) async fn project(&self) -> Result<Project, Failure> {
        let hall = Arc::clone(&self.hall);
        off(move || hall.project()).await
    }

    pub(crate) async fn sessions(&self) -> Result<Sessions, Failure> {
        Ok(Sessions::new(self.project().await?.dir))
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        ServerConfig::new(can)
            .with_server_info(Implementation::new("s2s", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(table::tools().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        table::tools().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request, context).await
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.resources().await
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(crate::resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.resource(request.uri).await
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request).map(Into::into)
    }
}
