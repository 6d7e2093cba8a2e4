//! What a person has confirmed once: that a project's file may send keys somewhere, or run something.
//! Given the path of the person's own file and a lineup; hands on what is still doubtful. A confirmation holds
//! for what would be done, whoever asks for it: any change asks again. Deliberately absent: the question itself.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use s2s_models::Command;
use s2s_yaml::node;

use crate::Failure;
use crate::clean::clean_line;
use crate::lineup::{Definition, Lineup, binding_content};

/// Larger than any list of confirmations.
const MOST_BYTES: u64 = 1 << 20;
const HEAD: &str = "# What you confirmed for s2s: providers that projects define. Remove a line to be asked again.\n";

/// A provider that a project's file defines and that nobody has confirmed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubtful {
    /// Its name.
    pub provider: String,
    /// What using it would do, in a sentence for a person.
    pub what_it_would_do: String,
    /// Where the project says so.
    pub place: String,
    /// What a confirmation is kept under.
    pub fingerprint: String,
}

/// The confirmations of one person.
#[derive(Debug, Clone)]
pub struct Store {
    path: PathBuf,
    confirmed: BTreeMap<String, String>,
}

impl Store {
    /// Opens the confirmations; no file is none.
    ///
    /// # Errors
    /// When the file cannot be read, is not ours, or others may write to it.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let failed = |what: String, next: &str| Err(Failure::failed(format!("{shown} {what}")).next(next));
        let mut store = Self { path: path.to_owned(), confirmed: BTreeMap::new() };
        let about = match fs::metadata(path) {
            Ok(about) => about,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(store),
            Err(error) => return failed(format!("cannot be read: {error}"), "make it readable, or remove it"),
        };
        if !about.is_file() || about.len() > MOST_BYTES {
            return failed("is not a list of confirmations".to_owned(), "move it away; you are then asked again");
        }
        // Whoever can write here can confirm in this person's name.
        if about.uid() != rustix::process::geteuid().as_raw() || about.mode() & 0o022 != 0 {
            return failed("may be changed by others".to_owned(), "remove it; you are then asked again");
        }
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => return failed(format!("cannot be read: {error}"), "make it readable, or remove it"),
        };
        let root = node::read(&text);
        let list = root.as_ref().ok().filter(|root| !root.is_nothing()).map(|root| root.fields());
        match (&root, list) {
            (Ok(_), None) => {}
            (Ok(_), Some(Ok(fields))) => {
                let entries = fields.entries().iter();
                let pairs = entries.filter_map(|entry| Some((entry.key.clone(), entry.value.text().ok()?.to_owned())));
                store.confirmed.extend(pairs);
            }
            _ => return failed("is not a list of confirmations".to_owned(), "move it away; you are then asked again"),
        }
        Ok(store)
    }

    /// Whether this was confirmed.
    pub fn knows(&self, doubtful: &Doubtful) -> bool {
        self.confirmed.contains_key(&doubtful.fingerprint)
    }

    /// Keeps a confirmation, for this person alone and all at once.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn confirm(&mut self, doubtful: &Doubtful) -> Result<(), Failure> {
        // Another s2s may have confirmed something since.
        if let Ok(now) = Self::open(&self.path) {
            self.confirmed.extend(now.confirmed);
        }
        self.confirmed.insert(doubtful.fingerprint.clone(), doubtful.what_it_would_do.clone());
        self.write().map_err(|error| {
            Failure::failed(format!("{} cannot be written: {error}", self.path.display()))
                .next("make its folder writable; nothing was confirmed")
        })
    }

    fn write(&self) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut text = HEAD.to_owned();
        for (fingerprint, what) in &self.confirmed {
            text.push_str(&format!("{fingerprint}: {}\n", serde_json::Value::from(what.as_str())));
        }
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.as_file().set_permissions(fs::Permissions::from_mode(0o600))?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}

/// The providers in use that a project's file defines or changes and that are not confirmed.
pub fn untrusted(lineup: &Lineup, store: &Store) -> Vec<Doubtful> {
    let all = lineup.providers.values().filter_map(doubtful);
    all.filter(|doubtful| !store.knows(doubtful)).collect()
}

/// What is doubtful about a provider; none if the project's file has no say in it.
pub fn doubtful(provider: &Definition) -> Option<Doubtful> {
    let (_, origin) = provider.from_project.first()?;
    let content = binding_content(provider).to_string();
    let what = clean_line(&would_do(provider)).into_owned();
    let fingerprint = blake3::hash(content.as_bytes()).to_hex().to_string();
    Some(Doubtful { provider: provider.name.clone(), what_it_would_do: what, place: origin.place(), fingerprint })
}

fn would_do(provider: &Definition) -> String {
    if provider.base_url.is_none() {
        let program = provider.command.first().map_or("", String::as_str);
        let unasked = match Command::variables_unasked(program) {
            [] => None,
            begin => Some(format!("every variable that begins with {}", begin.join(" or "))),
        };
        let given: Vec<String> = provider.env.iter().cloned().chain(unasked).collect();
        let extra = if given.is_empty() { String::new() } else { format!(" and give it {}", given.join(", ")) };
        let argv: Vec<String> = provider.command.iter().map(|word| shell_word(word)).collect();
        return format!("run `{}` with every prompt{extra}", argv.join(" "));
    }
    let headers = match provider.headers.len() {
        0 => String::new(),
        _ => format!(", with the headers {}", provider.headers.keys().cloned().collect::<Vec<_>>().join(", ")),
    };
    let key = match &provider.key {
        Some(crate::secrets::KeySource::Command(argv)) => {
            let argv: Vec<String> = argv.iter().map(|word| shell_word(word)).collect();
            let place = provider.folder.as_ref().map(|folder| format!(" in {}", folder.display()));
            let place = place.unwrap_or_default();
            format!("run `{}`{place} and send what it prints, and every prompt,", argv.join(" "))
        }
        Some(source) => format!("send the key in {source}, and every prompt,"),
        None => "send every prompt".to_owned(),
    };
    format!("{key} to {}{headers}", provider.target())
}

fn shell_word(word: &str) -> String {
    let plain =
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./=:{}@".contains(&byte));
    if plain { word.to_owned() } else { format!("{word:?}") }
}
