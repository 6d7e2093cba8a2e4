//! The shapes that secrets have: one table of beginnings, and the words behind which passwords stand.
//! Read by the scan. Deliberately absent: how a text is searched, and what is done with a finding.

use std::fmt;

use serde::Serialize;

/// What a finding looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A key of the provider named.
    Key(&'static str),
    /// A private key in PEM or OpenSSH form.
    PrivateKey,
    /// A signed token with three parts.
    Jwt,
    /// An address with a password in it.
    AddressPassword,
    /// A value behind a word such as `password`.
    Assigned,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(whose) => write!(f, "{} {whose} key", article(whose)),
            Self::PrivateKey => f.write_str("a private key"),
            Self::Jwt => f.write_str("a signed token (JWT)"),
            Self::AddressPassword => f.write_str("an address with a password in it"),
            Self::Assigned => f.write_str("a password or other secret"),
        }
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']) || word == "npm" || word == "xAI" {
        "an"
    } else {
        "a"
    }
}

/// The signs that may follow a beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    /// `A-Z` and `0-9`.
    Upper,
    /// `A-Z`, `a-z`, `0-9`.
    Alphanumeric,
    /// Those, `-` and `_`.
    Url,
    /// Those and `.`.
    Dotted,
    /// Those of base64: `+`, `/` and `=` too.
    Base64,
}

impl Signs {
    pub(super) fn hold(self, byte: u8) -> bool {
        match self {
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
        }
    }
}

/// How a key begins, and how it goes on.
pub(super) struct Beginning {
    pub(super) text: &'static str,
    pub(super) whose: &'static str,
    pub(super) signs: Signs,
    /// The fewest signs behind the beginning.
    pub(super) least: usize,
    /// The most; a longer run is something else.
    pub(super) most: usize,
}

const fn starts(text: &'static str, whose: &'static str, signs: Signs, least: usize, most: usize) -> Beginning {
    Beginning { text, whose, signs, least, most }
}

const MANY: usize = 400;

/// Every known beginning. Of two that start together the longer is taken.
pub(super) const BEGINNINGS: &[Beginning] = &[
    starts("sk-ant-", "Anthropic", Signs::Url, 20, MANY),
    starts("sk-or-v1-", "OpenRouter", Signs::Alphanumeric, 32, 128),
    starts("sk-proj-", "OpenAI", Signs::Url, 20, MANY),
    starts("sk-svcacct-", "OpenAI", Signs::Url, 20, MANY),
    starts("sk-admin-", "OpenAI", Signs::Url, 20, MANY),
    starts("sk-", "OpenAI", Signs::Alphanumeric, 32, 128),
    starts("AIza", "Google", Signs::Url, 35, 39),
    starts("GOCSPX-", "Google", Signs::Url, 20, 40),
    starts("ya29.", "Google", Signs::Url, 20, 2_048),
    starts("gsk_", "Groq", Signs::Alphanumeric, 40, 80),
    starts("xai-", "xAI", Signs::Alphanumeric, 40, 128),
    starts("hf_", "Hugging Face", Signs::Alphanumeric, 30, 60),
    starts("r8_", "Replicate", Signs::Alphanumeric, 30, 60),
    starts("pplx-", "Perplexity", Signs::Alphanumeric, 40, 80),
    starts("AKIA", "AWS", Signs::Upper, 16, 16),
    starts("ASIA", "AWS", Signs::Upper, 16, 16),
    starts("ghp_", "GitHub", Signs::Alphanumeric, 36, 255),
    starts("gho_", "GitHub", Signs::Alphanumeric, 36, 255),
    starts("ghu_", "GitHub", Signs::Alphanumeric, 36, 255),
    starts("ghs_", "GitHub", Signs::Alphanumeric, 36, 255),
    starts("ghr_", "GitHub", Signs::Alphanumeric, 36, 255),
    starts("github_pat_", "GitHub", Signs::Url, 50, 255),
    starts("glpat-", "GitLab", Signs::Dotted, 20, MANY),
    starts("gldt-", "GitLab", Signs::Dotted, 20, MANY),
    starts("glrt-", "GitLab", Signs::Dotted, 20, MANY),
    starts("glcbt-", "GitLab", Signs::Dotted, 20, MANY),
    starts("glptt-", "GitLab", Signs::Dotted, 20, MANY),
    starts("xoxb-", "Slack", Signs::Url, 20, 255),
    starts("xoxp-", "Slack", Signs::Url, 20, 255),
    starts("xoxa-", "Slack", Signs::Url, 20, 255),
    starts("xoxr-", "Slack", Signs::Url, 20, 255),
    starts("xoxs-", "Slack", Signs::Url, 20, 255),
    starts("xapp-", "Slack", Signs::Url, 20, 255),
    starts("sk_live_", "Stripe", Signs::Alphanumeric, 20, 255),
    starts("sk_test_", "Stripe", Signs::Alphanumeric, 20, 255),
    starts("rk_live_", "Stripe", Signs::Alphanumeric, 20, 255),
    starts("rk_test_", "Stripe", Signs::Alphanumeric, 20, 255),
    starts("whsec_", "Stripe", Signs::Base64, 24, 255),
    starts("npm_", "npm", Signs::Alphanumeric, 36, 36),
    starts("pypi-AgE", "PyPI", Signs::Url, 50, MANY),
    starts("SG.", "SendGrid", Signs::Dotted, 60, 70),
    starts("dop_v1_", "DigitalOcean", Signs::Alphanumeric, 64, 64),
    starts("shpat_", "Shopify", Signs::Alphanumeric, 32, 32),
    starts("dapi", "Databricks", Signs::Alphanumeric, 32, 34),
    starts("hvs.", "Vault", Signs::Url, 24, 255),
    starts("AccountKey=", "Azure storage", Signs::Base64, 60, 100),
    starts("AGE-SECRET-KEY-1", "age", Signs::Upper, 50, 70),
    starts("https://hooks.slack.com/services/T", "Slack", Signs::Base64, 30, 100),
];

/// Words behind which, after `:` or `=`, a secret stands. In any case; a word may have others before it.
pub(super) const WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "pass",
    "bearer",
    "secret",
    "secret_key",
    "secret-key",
    "token",
    "api_key",
    "api-key",
    "apikey",
    "access_key",
    "access-key",
    "private_key",
    "private-key",
    "credential",
];

/// Those among the words that stand before passwords, and the one before tokens.
pub(super) const PASSWORD_WORDS: usize = 5;
pub(super) const BEARER: usize = 5;

/// What a text says that is only the place for a secret. In any case.
pub(super) const PLACEHOLDERS: &[&str] = &[
    "example",
    "xxxx",
    "your",
    "placeholder",
    "changeme",
    "change_me",
    "set_me",
    "change-me",
    "redacted",
    "dummy",
    "fake",
    "sample",
    "insert",
    "replace",
    "${",
    "$(",
    "{{",
    "<",
    "...",
    "…",
    "***",
    "%s",
    "env.",
    "getenv",
    "process.env",
    "environ",
];
