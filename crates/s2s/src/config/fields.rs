//! The one table of what a provider's settings may hold.
//! Read by the reader and by the test that holds the JSON Schema to it. Deliberately absent: values, and the
//! checks themselves (`open.rs`).

/// What a provider's setting looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldShape {
    /// One of the ways to speak to a provider.
    Api,
    /// Where it is.
    Address,
    /// The name of an environment variable.
    Variable,
    /// Names of environment variables.
    Variables,
    /// A program and its arguments.
    Program,
    /// A file outside the project.
    File,
    /// The name of a header.
    Header,
    /// Headers with their values.
    Headers,
    /// True or false.
    Flag,
    /// A whole number within two ends.
    Whole(u32, u32),
    /// A name in lower case.
    Name,
}

/// One setting of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// What its value looks like.
    pub shape: FieldShape,
    /// Whether it says where something is sent or what is run: from a project's file it has to be confirmed.
    pub binding: bool,
}

const fn binding(name: &'static str, shape: FieldShape) -> Field {
    Field { name, shape, binding: true }
}

const fn harmless(name: &'static str, shape: FieldShape) -> Field {
    Field { name, shape, binding: false }
}

/// Every setting of a provider, in the order of the file.
pub const PROVIDER_FIELDS: &[Field] = &[
    binding("api", FieldShape::Api),
    binding("base_url", FieldShape::Address),
    binding("allow_http", FieldShape::Flag),
    binding("api_key_env", FieldShape::Variable),
    binding("api_key_command", FieldShape::Program),
    binding("api_key_file", FieldShape::File),
    binding("key_header", FieldShape::Header),
    binding("headers", FieldShape::Headers),
    binding("command", FieldShape::Program),
    binding("env", FieldShape::Variables),
    harmless("json_schema", FieldShape::Flag),
    harmless("max_concurrent", FieldShape::Whole(1, 1_000)),
    harmless("requests_per_minute", FieldShape::Whole(1, 100_000)),
    harmless("family", FieldShape::Name),
];

/// Names under which people write a key itself. A key in a file is one too many.
pub(super) const KEY_FIELDS: &[&str] =
    &["api_key", "apikey", "api-key", "key", "token", "auth_token", "secret", "password", "authorization"];

/// Headers that carry a key.
pub(super) const KEY_HEADERS: &[&str] =
    &["authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "x-auth-token"];
