//! Where documents stand: names, next free names, and finding what this session wrote before.
//! Given the project, its settings and the templates; writes the document of an outcome and hands on its
//! path below the project. Nothing is ever overwritten (C1): an ADR takes the next free name, requirements
//! are appended. A document with this session's marker is its own, written by a run that died before its
//! minutes were: it is kept as it is, because somebody may have read and edited it since.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::fmt::strtime::BrokenDownTime;
use s2s_engine::Session;
use s2s_engine::artifact::Register;
use s2s_engine::opening::OutputType;
use s2s_engine::record::Outcome;
use s2s_engine::slug::slug;
use s2s_store::{Minutes, Sessions};

use super::gather::marker;
use super::living::{Edit, Rack, Settle};
use super::paper::{Folder, Readers};
use super::requirements::Numbering;
use super::{Beside, Templates, render_beside};
use crate::config::Config;
use crate::failure::Failure;
use crate::matrix::{self, Matrix};
use crate::plan::{self, Plans};
use crate::register::ProjectRegister;
use crate::roundtable::Scribe;

/// The file that all requirements of a project are in.
pub const REQUIREMENTS_FILE: &str = "requirements.md";
/// Beside the minutes; summaries have the session's id in their name.
const SESSIONS_FOLDER: &str = ".s2s/sessions";
/// Names tried before something must be wrong with the folder.
const MOST_NAMES: u32 = 1_000;

/// Writes the documents of finished sessions into a project.
#[derive(Debug, Clone)]
pub struct Shelf {
    decisions: Folder,
    specifications: Folder,
    architecture: Folder,
    sessions: Folder,
    dir: PathBuf,
    lock: PathBuf,
    timestamp_format: String,
    templates: Templates,
    living: Option<Living>,
}

/// Who is asked about the edited parts of a document.
type Asked = dyn Fn(&[Edit]) -> Vec<Settle> + Send + Sync;

/// What brings the living documents of a project up to date when a session ends.
#[derive(Clone)]
struct Living {
    rack: Rack,
    sessions: Sessions,
    plans: Plans,
    settle: Arc<Asked>,
    warn: Arc<dyn Fn(&Failure) + Send + Sync>,
}

impl fmt::Debug for Living {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Living").field("rack", &self.rack).finish_non_exhaustive()
    }
}

impl Shelf {
    /// A shelf in the project at `root`.
    ///
    /// # Errors
    /// If the settings name a folder outside the project, or a time format that cannot be part of a name.
    pub fn new(root: &Path, config: &Config, templates: Templates) -> Result<Self, Failure> {
        let docs = &config.docs;
        let format = config.naming.timestamp_format.clone();
        name_time(Timestamp::UNIX_EPOCH, &format)?;
        Ok(Self {
            decisions: Folder::new(root, &docs.decisions, "docs.decisions")?,
            specifications: Folder::new(root, &docs.specifications, "docs.specifications")?,
            architecture: Folder::new(root, &docs.architecture, "docs.architecture")?,
            sessions: Folder::new(root, Path::new(SESSIONS_FOLDER), "the project")?,
            dir: root.join(".s2s"),
            // The name is one that `s2s init` keeps out of version control.
            lock: root.join(".s2s").join(".s2s-documents.lock"),
            timestamp_format: format,
            templates,
            living: None,
        })
    }

    /// The same, which also brings the living documents up to date after a session that keeps artifacts. `settle` is
    /// asked about the generated parts that somebody edited, once per document; `warn` is told what could not be done
    /// and must not keep the session from its end.
    pub fn with_living(
        self,
        rack: Rack,
        sessions: Sessions,
        settle: impl Fn(&[Edit]) -> Vec<Settle> + Send + Sync + 'static,
        warn: impl Fn(&Failure) + Send + Sync + 'static,
    ) -> Self {
        let plans = Plans::new(&self.dir);
        let (settle, warn) = (Arc::new(settle), Arc::new(warn));
        Self { living: Some(Living { rack, sessions, plans, settle, warn }), ..self }
    }

    /// What the session weighed, as it is kept: the document says the same, whatever the playbooks say by now.
    fn matrices(&self, minutes: &Minutes) -> Result<Vec<Matrix>, Failure> {
        matrix::kept(&Sessions::new(&self.dir), minutes.id())
    }

    /// A new file under the first free name; or the one this session wrote before.
    fn place(&self, folder: &Folder, base: &str, readers: Readers, text: &str, id: &str) -> Result<String, Failure> {
        folder.make()?;
        if let Some(name) = folder.find(|head| is_marked(head, id))? {
            return Ok(folder.shown(&name));
        }
        for number in 1..=MOST_NAMES {
            let name = if number == 1 { format!("{base}.md") } else { format!("{base}-{number}.md") };
            if !folder.is_taken(&name) && folder.create(&name, text, readers)? {
                return Ok(folder.shown(&name));
            }
        }
        Err(Failure::failed(format!("{MOST_NAMES} documents called {base} are there already"))
            .next("move some of them away, then run `s2s roundtable resume`"))
    }

    /// Appends to the requirements, or begins them. One process at a time, so that none loses what another
    /// adds and no id is given twice.
    fn append(&self, session: &Session, minutes: &Minutes, outcome: &Outcome) -> Result<String, Failure> {
        let folder = &self.specifications;
        folder.make()?;
        let _alone = folder.alone(&self.lock)?;
        let kind = OutputType::Requirements;
        let matrices = self.matrices(minutes)?;
        let render = |numbering: Numbering| {
            let beside = Beside { numbering, matrices: &matrices };
            render_beside(kind, session, minutes, outcome, &self.templates, &beside)
        };
        let shown = folder.shown(REQUIREMENTS_FILE);
        let Some(old) = folder.read(REQUIREMENTS_FILE)? else {
            let text = render(Numbering::default())?;
            if folder.create(REQUIREMENTS_FILE, &text, Readers::Project)? {
                return Ok(shown);
            }
            return Err(Failure::failed(format!("{shown} was made by another program this very moment"))
                .next("run `s2s roundtable resume`; it will be appended to"));
        };
        if is_marked(&old, minutes.id()) {
            return Ok(shown);
        }
        let known = String::from_utf8_lossy(&old);
        let empty = known.trim().is_empty();
        let text = render(if empty { Numbering::default() } else { Numbering::after(&known) })?;
        folder.replace(REQUIREMENTS_FILE, &appended(&old, &text))?;
        Ok(shown)
    }
}

impl Living {
    fn write(&self, session: &Session, minutes: &Minutes, opened: &Register) -> Result<Vec<String>, Failure> {
        let register = ProjectRegister::with(&self.sessions, session, minutes)?;
        // What a session that cannot be read holds would go from the documents. This one ends all the same.
        if let Err(failure) = register.refuse_gaps() {
            (self.warn)(&docs_later(failure, "the documents were not written"));
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        if !opened.retired.is_empty() {
            files.extend(self.rack.keep_old(minutes.id(), &opened.kinds)?);
        }
        let written = self.rack.write(&register, &mut |edits| (self.settle)(edits))?;
        files.extend(written.changed);
        if let Err(failure) = self.write_plan(&register) {
            (self.warn)(&failure);
        }
        let main = self.rack.main(minutes.workflow(), minutes.id());
        if written.files.contains(&main) {
            files.retain(|file| *file != main);
            files.insert(0, main);
        }
        Ok(files)
    }

    /// The plan links to what was just written. It is the project's document, not one of this session: the session ends
    /// all the same where it cannot be brought up to date.
    fn write_plan(&self, register: &ProjectRegister) -> Result<(), Failure> {
        let again = |failure| docs_later(failure, "the plan's document was not brought up to date");
        let plans = self.plans.all().map_err(again)?;
        plan::document::write(&self.rack, &plans, register, &mut |edits| (self.settle)(edits)).map_err(again)?;
        Ok(())
    }
}

/// A failure that stops no session: what was left undone, and that `s2s docs` does it later.
fn docs_later(failure: Failure, undone: &str) -> Failure {
    let what = format!("{undone}: {}", failure.what);
    let next = failure.next.iter().cloned().chain(["then run `s2s docs`".to_owned()]);
    Failure { what, next: Some(next.collect::<Vec<_>>().join(", ")), ..failure }
}

impl Scribe for Shelf {
    fn write(&self, session: &Session, minutes: &Minutes, outcome: &Outcome) -> Result<Vec<String>, Failure> {
        if let (Some(living), Some(register)) = (&self.living, minutes.register()) {
            return living.write(session, minutes, register);
        }
        let kind = outcome.output_type;
        if kind == OutputType::Requirements {
            return Ok(vec![self.append(session, minutes, outcome)?]);
        }
        let beside = Beside { matrices: &self.matrices(minutes)?, ..Beside::default() };
        let text = render_beside(kind, session, minutes, outcome, &self.templates, &beside)?;
        let id = minutes.id();
        let time = name_time(minutes.started(), &self.timestamp_format)?;
        let subject = subject(id, &time, &slug(minutes.topic()));
        let path = match kind {
            OutputType::Adr => {
                self.place(&self.decisions, &format!("{time}-{subject}"), Readers::Project, &text, id)?
            }
            OutputType::Architecture => {
                self.place(&self.architecture, &format!("{subject}-{time}"), Readers::Project, &text, id)?
            }
            _ => self.place(&self.sessions, &format!("{id}-summary"), Readers::Owner, &text, id)?,
        };
        Ok(vec![path])
    }
}

/// A time as part of a file's name.
fn name_time(time: Timestamp, format: &str) -> Result<String, Failure> {
    let bad = |what: String| {
        Failure::bad_input(format!("naming.timestamp_format {format:?} {what}"))
            .next("set it in .s2s/config.yaml to codes such as %Y%m%d-%H%M%S")
    };
    let name = BrokenDownTime::from(time).to_string(format).map_err(|error| bad(format!("cannot be used: {error}")))?;
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || !name.starts_with(|c: char| c.is_ascii_alphanumeric()) || !name.chars().all(fits) {
        return Err(bad(format!("gives {name:?}, which cannot be part of a file name")));
    }
    Ok(name)
}

/// The topic's part of a name. A session whose id took a number because another had the same name keeps
/// the number here too, so that its document is called as it is.
fn subject(id: &str, time: &str, slug: &str) -> String {
    let rest = id.strip_prefix(time).and_then(|rest| rest.strip_prefix('-')?.strip_prefix(slug)?.strip_prefix('-'));
    match rest.filter(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())) {
        Some(number) => format!("{slug}-{number}"),
        None => slug.to_owned(),
    }
}

/// Whether a line of the file is this session's marker. Text that somebody said can never be such a line:
/// its `<` is escaped.
fn is_marked(bytes: &[u8], id: &str) -> bool {
    let marker = marker(id);
    String::from_utf8_lossy(bytes).lines().any(|line| line.trim_end() == marker)
}

/// The old text unchanged, a blank line, the new text, in the line ends of the old.
fn appended(old: &[u8], new: &str) -> Vec<u8> {
    let windows = old.windows(2).any(|pair| pair == b"\r\n");
    let end = if windows { "\r\n" } else { "\n" };
    let mut bytes = old.to_vec();
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.extend_from_slice(end.as_bytes());
    }
    if !bytes.is_empty() {
        bytes.extend_from_slice(end.as_bytes());
    }
    let new = if windows { new.replace('\n', "\r\n") } else { new.to_owned() };
    bytes.extend_from_slice(new.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_as_it_is() {
        for (old, all) in [
            ("", "new\n"),
            ("old", "old\n\nnew\n"),
            ("old\n", "old\n\nnew\n"),
            ("old\r\nold\r\n", "old\r\nold\r\n\r\nnew\r\n"),
            ("old\r\nold", "old\r\nold\r\n\r\nnew\r\n"),
        ] {
            assert_eq!(String::from_utf8(appended(old.as_bytes(), "new\n")).unwrap(), all, "{old:?}");
        }
    }

    #[test]
    fn a_time_format_that_makes_no_name_is_refused() {
        assert_eq!(name_time(Timestamp::UNIX_EPOCH, "%Y%m%d-%H%M%S").unwrap(), "19700101-000000");
        for format in ["", "%Y/%m/%d", "../%Y", "%", "%Q!"] {
            let failure = name_time(Timestamp::UNIX_EPOCH, format).unwrap_err();
            assert!(failure.what.contains("naming.timestamp_format"), "{failure}");
            assert_eq!(failure.kind, crate::FailureKind::BadInput);
        }
    }

    #[test]
    fn a_document_keeps_the_number_of_its_session() {
        let named = |id: &str| subject(id, "20260102-030405", "kafka");
        assert_eq!(named("20260102-030405-kafka"), "kafka");
        assert_eq!(named("20260102-030405-kafka-2"), "kafka-2");
        for other in ["20260102-030405-kafka-x", "20260102-030405-kafka-", "20270102-030405-kafka-2", ""] {
            assert_eq!(named(other), "kafka", "{other}");
        }
    }

    #[test]
    fn only_a_whole_line_is_a_marker() {
        assert!(is_marked(b"a\n<!-- s2s session: X -->\r\nb", "X"));
        assert!(!is_marked(b"a\n\\<!-- s2s session: X -->\n- <!-- s2s session: X -->", "X"));
        assert!(!is_marked(b"<!-- s2s session: X-2 -->", "X"));
    }
}
