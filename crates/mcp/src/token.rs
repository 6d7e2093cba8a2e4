//! The token that a client over HTTP must show.
//! Made at random, or given by the person in a file that only they can read or in the environment. It is compared in
//! constant time and never shown by accident: its debug form says nothing. Deliberately absent: where it is asked for.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use s2s::Failure;

/// The fewest characters of a token that a person gives.
const LEAST: usize = 20;
/// The largest token file.
const MOST_BYTES: u64 = 4096;

/// A token.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A token that nobody can guess.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn random() -> Result<Self, Failure> {
        Ok(Self(random()?.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The token that a person gave.
    ///
    /// # Errors
    /// If it is too short, or could not stand in a header.
    pub fn given(text: &str, place: &str) -> Result<Self, Failure> {
        let text = text.trim();
        if text.len() < LEAST || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Failure::bad_input(format!(
                "the token in {place} is not usable: it needs at least {LEAST} letters, digits or signs, without blanks"
            ))
            .next("make one, for example: openssl rand -hex 32"));
        }
        Ok(Self(text.to_owned()))
    }

    /// The token in a file that nobody else can read.
    ///
    /// # Errors
    /// If it cannot be read, others can read it, or it is not usable.
    pub fn in_file(path: &Path) -> Result<Self, Failure> {
        let place = path.display().to_string();
        let unreadable = |error: std::io::Error| {
            Failure::bad_input(format!("the token file {place} cannot be read: {error}")).next("check --token-file")
        };
        let file = File::open(path).map_err(unreadable)?;
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::MetadataExt::mode(&file.metadata().map_err(unreadable)?);
            if mode & 0o077 != 0 {
                return Err(Failure::bad_input(format!("others can read the token file {place}"))
                    .next(format!("make it yours alone: chmod 600 {place}")));
            }
        }
        let mut text = String::new();
        file.take(MOST_BYTES).read_to_string(&mut text).map_err(unreadable)?;
        Self::given(&text, &place)
    }

    /// The token itself, for the one place where it is told.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether an `Authorization` header shows it. Digests are compared, in constant time.
    pub(crate) fn is_shown_by(&self, header: Option<&[u8]>) -> bool {
        let shown = header.and_then(|header| {
            let (scheme, rest) = header.split_at_checked(7)?;
            scheme.eq_ignore_ascii_case(b"bearer ").then_some(rest)
        });
        shown.is_some_and(|shown| blake3::hash(shown.trim_ascii()) == blake3::hash(self.0.as_bytes()))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Bytes that nobody can guess.
pub(crate) fn random() -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::failed(format!("the system gives no random numbers: {error}")))?;
    Ok(bytes)
}
