//! What a server says when it does not answer, in each provider's own words and shape.
//! Given a complaint and a format; hands on a status and a JSON body. Deliberately absent: headers, and when
//! a complaint is made.

use serde_json::{Value, json};

use crate::routes::Format;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Complaint {
    NoKey,
    WrongKey,
    NotJson,
    Missing { field: &'static str },
    Invalid { what: String, param: Option<&'static str> },
    NoSuchModel(String),
    Status(u16),
    RateLimit { seconds: Option<u64> },
    SpendLimit,
    NoCredit,
    TooLong,
}

impl Complaint {
    pub(crate) fn invalid(what: &str, param: Option<&'static str>) -> Self {
        Self::Invalid { what: what.to_owned(), param }
    }

    /// Its name in [`crate::Seen::outcome`].
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::NoKey => "no_key",
            Self::WrongKey => "wrong_key",
            Self::NoSuchModel(_) => "no_such_model",
            _ => "bad_request",
        }
    }

    /// The status and body of this complaint.
    pub(crate) fn body(&self, format: Format, id: &str) -> (u16, Value) {
        let status = self.status(format);
        let message = self.message(format);
        let body = match format {
            Format::Anthropic => json!({
                "type": "error",
                "error": { "type": self.anthropic_type(status), "message": message },
                "request_id": id,
            }),
            Format::OpenAi | Format::Responses => self.openai(status, &message),
            Format::Gemini => self.gemini(status, &message),
            Format::Ollama => json!({ "error": message }),
        };
        (status, body)
    }

    fn status(&self, format: Format) -> u16 {
        match (self, format) {
            // Gemini takes a missing key for a stranger, and a wrong one for a wrong argument.
            (Self::NoKey, Format::Gemini) => 403,
            (Self::WrongKey, Format::Gemini) => 400,
            (Self::NoKey | Self::WrongKey, _) => 401,
            (Self::NotJson | Self::Missing { .. } | Self::Invalid { .. } | Self::TooLong, _) => 400,
            (Self::NoSuchModel(_), _) => 404,
            (Self::Status(status), _) => *status,
            (Self::RateLimit { .. } | Self::SpendLimit, _) => 429,
            (Self::NoCredit, Format::Anthropic | Format::Gemini) => 400,
            (Self::NoCredit, _) => 402,
        }
    }

    fn message(&self, format: Format) -> String {
        match self {
            Self::NoKey => no_key(format).to_owned(),
            Self::WrongKey => match format {
                Format::Anthropic => "invalid x-api-key".to_owned(),
                Format::Gemini => "API key not valid. Please pass a valid API key.".to_owned(),
                _ => "Incorrect API key provided.".to_owned(),
            },
            Self::NotJson => match format {
                Format::Anthropic => "The request body is not valid JSON".to_owned(),
                Format::Gemini => "Invalid JSON payload received.".to_owned(),
                Format::Ollama => "invalid character in request body".to_owned(),
                _ => "We could not parse the JSON body of your request.".to_owned(),
            },
            Self::Missing { field } => match format {
                Format::Anthropic => format!("{field}: Field required"),
                Format::Gemini => format!("* GenerateContentRequest.{field}: {field} is not specified"),
                Format::Ollama => format!("{field} is required"),
                _ => format!("Missing required parameter: '{field}'."),
            },
            Self::Invalid { what, .. } => what.clone(),
            Self::NoSuchModel(model) => match format {
                Format::Anthropic => format!("model: {model}"),
                Format::Gemini => format!("models/{model} is not found for API version v1beta, or is not supported for generateContent."),
                Format::Ollama => format!("model '{model}' not found"),
                _ => format!("The model `{model}` does not exist or you do not have access to it."),
            },
            Self::Status(status) => of_status(*status, format).to_owned(),
            Self::RateLimit { .. } => of_status(429, format).to_owned(),
            Self::SpendLimit => match format {
                Format::Anthropic => "You have reached your specified API usage limits. Check the spend limit in Plans & Billing.".to_owned(),
                Format::Ollama => "you've reached your usage limit, please upgrade to continue".to_owned(),
                _ => "You exceeded your current quota, please check your plan and billing details.".to_owned(),
            },
            Self::NoCredit => match format {
                Format::Anthropic => "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.".to_owned(),
                Format::Gemini => "Billing is not enabled for this project. Please enable billing.".to_owned(),
                _ => "Insufficient Balance".to_owned(),
            },
            Self::TooLong => match format {
                Format::Anthropic => "prompt is too long: 250000 tokens > 200000 maximum".to_owned(),
                Format::Gemini => "The input token count (1500000) exceeds the maximum number of tokens allowed (1048576).".to_owned(),
                Format::Ollama => "the input length exceeds the context length".to_owned(),
                _ => "This model's maximum context length is 128000 tokens. However, your messages resulted in 250000 tokens. Please reduce the length of the messages.".to_owned(),
            },
        }
    }

    fn anthropic_type(&self, status: u16) -> &'static str {
        match status {
            401 => "authentication_error",
            402 => "billing_error",
            403 => "permission_error",
            404 => "not_found_error",
            408 | 504 => "timeout_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            500.. => "api_error",
            _ => "invalid_request_error",
        }
    }

    fn openai(&self, status: u16, message: &str) -> Value {
        let (kind, code) = match self {
            Self::SpendLimit => ("insufficient_quota", Some("insufficient_quota")),
            Self::TooLong => ("invalid_request_error", Some("context_length_exceeded")),
            Self::NoSuchModel(_) => ("invalid_request_error", Some("model_not_found")),
            Self::Missing { .. } => ("invalid_request_error", Some("missing_required_parameter")),
            _ => match status {
                401 => ("invalid_request_error", Some("invalid_api_key")),
                429 => ("tokens", Some("rate_limit_exceeded")),
                500.. => ("server_error", None),
                _ => ("invalid_request_error", None),
            },
        };
        let param = match self {
            Self::Missing { field } => Some(*field),
            Self::Invalid { param, .. } => *param,
            Self::TooLong => Some("messages"),
            _ => None,
        };
        json!({ "error": { "message": message, "type": kind, "param": param, "code": code } })
    }

    fn gemini(&self, status: u16, message: &str) -> Value {
        let name = match status {
            400 | 413 | 422 => "INVALID_ARGUMENT",
            401 => "UNAUTHENTICATED",
            403 => "PERMISSION_DENIED",
            404 => "NOT_FOUND",
            408 | 504 => "DEADLINE_EXCEEDED",
            429 => "RESOURCE_EXHAUSTED",
            503 => "UNAVAILABLE",
            500.. => "INTERNAL",
            _ => "UNKNOWN",
        };
        let name = if *self == Self::NoCredit { "FAILED_PRECONDITION" } else { name };
        let mut error = json!({ "code": status, "message": message, "status": name });
        match self {
            Self::WrongKey => {
                error["details"] = json!([{ "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                    "reason": "API_KEY_INVALID", "domain": "googleapis.com" }]);
            }
            Self::RateLimit { seconds: Some(seconds) } => {
                error["details"] = json!([{ "@type": "type.googleapis.com/google.rpc.RetryInfo",
                    "retryDelay": format!("{seconds}s") }]);
            }
            _ => {}
        }
        json!({ "error": error })
    }
}

fn no_key(format: Format) -> &'static str {
    match format {
        Format::Anthropic => "x-api-key header is required",
        Format::Gemini => {
            "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or \
             other form of API consumer identity to call this API."
        }
        _ => {
            "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer \
             auth (i.e. Authorization: Bearer YOUR_KEY)."
        }
    }
}

/// What a status says where nothing more is known.
fn of_status(status: u16, format: Format) -> &'static str {
    match status {
        400 => "The request is not one we can answer",
        401 if format == Format::Anthropic => "invalid x-api-key",
        401 => "The request has no valid credentials",
        402 => "Payment is required",
        403 => "Your key does not have permission to use this resource",
        404 => "The requested resource could not be found",
        408 => "The request took too long to arrive",
        413 => "Request exceeds the maximum size",
        422 => "The request could not be processed",
        429 if format == Format::Gemini => "Resource has been exhausted (e.g. check quota).",
        429 => "Rate limit reached: too many requests for now",
        503 if format == Format::Gemini => "The model is overloaded. Please try again later.",
        503 => "The server is overloaded or not ready yet",
        504 => "The request timed out",
        529 => "Overloaded",
        500.. => "Internal server error",
        _ => "The request was refused",
    }
}
