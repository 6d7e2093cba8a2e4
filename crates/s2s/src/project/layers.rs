//! The context of a component: its workspaces' CONTEXT.md first, then its own.
//! Given a project; hands on one text in which each part says whose it is, what it was made of, and whether a topic
//! looks as if it belonged somewhere else. Deliberately absent: attachments, secrets (the caller scans the whole
//! text), and any reading of what a topic means: only names count.

use std::path::{Path, PathBuf};

use super::context::{ContextError, ContextText, Standing, read_context};
use super::workspace::{Around, around, below};
use super::{CONTEXT_FILE, FOLDER, Project, detect};
use crate::failure::Failure;

/// Shorter names stand in any sentence.
const MIN_NAME: usize = 3;

/// What a session gets to know, of all levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layers {
    /// The whole text; empty if no file says anything.
    pub text: String,
    /// What it was made of, such as `../../.s2s/CONTEXT.md, CONTEXT.md`; empty if of nothing.
    pub source: String,
    /// What a person should know about the files, in sentences.
    pub notes: Vec<String>,
}

/// Where a topic seems to belong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// Why, as a part of a sentence.
    pub why: String,
    /// The way from this project to the folder where it belongs.
    pub folder: String,
}

/// The CONTEXT.md files of a project, the outermost workspace's first, its own last.
///
/// # Errors
/// Where a workspace cannot be used; with the place in its file.
pub fn context_files(project: &Project) -> Result<Vec<PathBuf>, Failure> {
    let above = around(project)?;
    let dirs = above.iter().rev().map(|around| &around.workspace.dir).chain([&project.dir]);
    Ok(dirs.map(|dir| dir.join(CONTEXT_FILE)).collect())
}

/// Reads the contexts of all levels.
///
/// # Errors
/// Where a workspace or a file cannot be used.
pub fn read_layers(project: &Project) -> Result<Layers, Failure> {
    let own = read_context(&project.dir).map_err(unread)?;
    let above = around(project)?;
    let Some(nearest) = above.first() else {
        let source = if own.text.is_empty() { String::new() } else { CONTEXT_FILE.to_owned() };
        return Ok(Layers { text: own.text, source, notes: own.notes });
    };
    let mut layers = Layers { text: String::new(), source: String::new(), notes: Vec::new() };
    let mut read: Vec<(String, String, ContextText)> = Vec::new();
    for around in above.iter().rev() {
        let context = read_context(&around.workspace.dir).map_err(unread)?;
        let name = folder_name(&around.workspace.root);
        let source = format!("{}/{FOLDER}/{CONTEXT_FILE}", around.up);
        read.push((source, format!("Workspace {name} (holds for all its components):"), context));
    }
    read.push((
        CONTEXT_FILE.to_owned(),
        format!("Component {} (this discussion is about it):", nearest.component),
        own,
    ));
    let is_sound = read.iter().any(|(_, _, context)| context.standing == Standing::Sound);
    let mut sources = Vec::new();
    for (source, head, mut context) in read {
        if is_sound && context.is_thin() {
            // The last note says that it is thin; together they are not.
            context.notes.pop();
        }
        // The notes speak of the file by its name; here there are several of that name.
        let named = context.notes.iter().map(|note| note.replacen(CONTEXT_FILE, &source, 1));
        layers.notes.extend(named);
        if !context.text.is_empty() {
            let gap = if layers.text.is_empty() { "" } else { "\n\n" };
            layers.text.push_str(&format!("{gap}{head}\n\n{}", context.text));
            sources.push(source);
        }
    }
    layers.source = sources.join(", ");
    Ok(layers)
}

/// Whether a component's topic names the workspace, several components, or another one than this.
///
/// # Errors
/// Where a workspace cannot be used; with the place in its file.
pub fn belongs_elsewhere(topic: &str, project: &Project) -> Result<Option<Hint>, Failure> {
    let above = around(project)?;
    Ok(above.iter().find_map(|level| named_in(level, topic)))
}

fn unread(error: ContextError) -> Failure {
    Failure::bad_input(error.to_string())
}

fn named_in(level: &Around, topic: &str) -> Option<Hint> {
    let root = &level.workspace.root;
    let called: Vec<Vec<String>> = level.components.iter().map(|path| full_names(root, path)).collect();
    let named = level.components.iter().enumerate().filter(|(at, _)| is_named(topic, *at, &called));
    let named: Vec<&str> = named.map(|(_, path)| path.as_str()).collect();
    let own = std::iter::once(folder_name(root)).chain(detect::called(root));
    let workspace = own.into_iter().find(|name| has_word(topic, name) || has_word(topic, last(name)));
    match named.as_slice() {
        [one] if *one != level.component => {
            Some(Hint { why: format!("the topic names the component {one}"), folder: format!("{}/{one}", level.up) })
        }
        [_, _, ..] => {
            let why = format!("the topic names several components ({})", named.join(", "));
            Some(Hint { why, folder: level.up.clone() })
        }
        [] => workspace
            .map(|name| Hint { why: format!("the topic names the workspace {name}"), folder: level.up.clone() }),
        _ => None,
    }
}

/// A component goes by its path and by what its manifests call it, such as `@shop/web`.
fn full_names(workspace: &Path, path: &str) -> Vec<String> {
    std::iter::once(path.to_owned()).chain(detect::called(&workspace.join(path))).collect()
}

/// It also goes by the last part of such a name, where no other component has the same.
fn is_named(topic: &str, at: usize, called: &[Vec<String>]) -> bool {
    let short = |names: &[String], one: &str| names.iter().any(|name| last(name).eq_ignore_ascii_case(one));
    let is_only = |one: &str| called.iter().filter(|names| short(names, one)).count() == 1;
    let mut names = called[at].iter().enumerate();
    // The path comes first and is its own; a bare name in a manifest may be another component's, too.
    let in_full = |(number, name): (usize, &str)| (number == 0 || name.contains('/')) && has_word(topic, name);
    names.any(|(number, name)| in_full((number, name)) || (is_only(last(name)) && has_word(topic, last(name))))
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or_default()
}

/// Whether a name stands in a text as a word of its own, in any case.
fn has_word(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '@');
    let stands_alone = |at: usize| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    };
    name.chars().count() >= MIN_NAME && text.match_indices(&name).any(|(at, _)| stands_alone(at))
}

fn folder_name(root: &Path) -> String {
    let parent = root.parent().unwrap_or(root);
    crate::clean::clean_line(&below(parent, root)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "# Shop\n\nA shop for spare parts, made by two teams in one repository, live since last year, with a \
        thousand orders a day and four people who keep it running, all of them in one town.\n";

    fn workspace(home: &Path, own: &str) -> Project {
        let shop = home.join("shop");
        for (path, text) in [
            (".s2s/workspace.yaml", "components: [services/api, services/web, db]\n"),
            (".s2s/CONTEXT.md", SOUND),
            ("services/api/.s2s/workspace.yaml", "workspace: ../..\n"),
            ("services/api/.s2s/CONTEXT.md", own),
        ] {
            std::fs::create_dir_all(shop.join(path).parent().unwrap()).unwrap();
            std::fs::write(shop.join(path), text).unwrap();
        }
        super::super::find(&shop.join("services/api")).unwrap()
    }

    #[test]
    fn the_workspace_comes_first_and_both_are_named() {
        let home = tempfile::tempdir().unwrap();
        let layers = read_layers(&workspace(home.path(), "# API\n\nTakes orders.\n")).unwrap();
        assert!(
            layers.text.starts_with("Workspace shop (holds for all its components):\n\n# Shop\n"),
            "{}",
            layers.text
        );
        assert!(
            layers.text.ends_with("Component services/api (this discussion is about it):\n\n# API\n\nTakes orders.")
        );
        assert_eq!(layers.source, "../../.s2s/CONTEXT.md, CONTEXT.md");
        assert_eq!(layers.notes, Vec::<String>::new(), "together they are not thin");
    }

    #[test]
    fn an_empty_one_is_left_out_and_a_broken_one_is_said() {
        let home = tempfile::tempdir().unwrap();
        let api = workspace(home.path(), "");
        assert_eq!(read_layers(&api).unwrap().source, "../../.s2s/CONTEXT.md");
        std::fs::write(home.path().join("shop/.s2s/CONTEXT.md"), "A shop.").unwrap();
        let notes = read_layers(&api).unwrap().notes;
        assert!(
            notes[0].starts_with("../../.s2s/CONTEXT.md is thin: 2 words")
                && notes[1].starts_with("CONTEXT.md says nothing"),
            "{notes:?}"
        );
        let files = context_files(&api).unwrap();
        assert!(files[0].ends_with("shop/.s2s/CONTEXT.md") && files[1].ends_with("api/.s2s/CONTEXT.md"), "{files:?}");
        std::fs::write(home.path().join("shop/.s2s/CONTEXT.md"), "a\0b").unwrap();
        assert!(read_layers(&api).unwrap_err().what.contains("shop/.s2s/CONTEXT.md cannot be used"));
        std::fs::write(home.path().join("shop/.s2s/workspace.yaml"), "components: []\n").unwrap();
        assert!(read_layers(&api).unwrap_err().what.contains("does not list `services/api`"));
    }

    #[test]
    fn a_workspace_in_a_workspace_is_looked_at_from_the_inside_out() {
        let home = tempfile::tempdir().unwrap();
        workspace(home.path(), "");
        let api = home.path().join("shop/services/api");
        std::fs::write(api.join(".s2s/workspace.yaml"), "workspace: ../..\ncomponents: [orders, stock]\n").unwrap();
        std::fs::create_dir_all(api.join("orders/.s2s")).unwrap();
        std::fs::write(api.join("orders/.s2s/workspace.yaml"), "workspace: ..\n").unwrap();
        let orders = super::super::find(&api.join("orders")).unwrap();
        assert_eq!(read_layers(&orders).unwrap().source, "../../../.s2s/CONTEXT.md");
        for (topic, folder) in [
            ("How do we count stock?", Some("../stock")),
            ("One release for the shop", Some("../../..")),
            ("A page in services/web", Some("../../../services/web")),
            ("Rules for orders", None),
        ] {
            let hint = belongs_elsewhere(topic, &orders).unwrap();
            assert_eq!(hint.map(|hint| hint.folder).as_deref(), folder, "{topic}");
        }
    }

    #[test]
    fn a_project_alone_is_as_before() {
        let home = tempfile::tempdir().unwrap();
        let alone = Project { root: home.path().to_owned(), dir: home.path().to_owned() };
        assert_eq!(read_layers(&alone).unwrap().source, "");
        std::fs::write(home.path().join("CONTEXT.md"), SOUND).unwrap();
        let layers = read_layers(&alone).unwrap();
        assert_eq!((layers.text.as_str(), layers.source.as_str()), (SOUND.trim(), "CONTEXT.md"));
        assert_eq!(belongs_elsewhere("shop", &alone), Ok(None));
    }

    #[test]
    fn components_and_workspaces_go_by_the_names_in_their_manifests() {
        let home = tempfile::tempdir().unwrap();
        let api = workspace(home.path(), "");
        let shop = home.path().join("shop");
        for (path, text) in [
            ("package.json", "{\"name\": \"@m/parts-market\", \"workspaces\": [\"services/*\"]}"),
            ("services/web/package.json", "{\"name\": \"@m/storefront\"}"),
            ("services/api/package.json", "{\"name\": \"@m/orders\"}"),
            ("db/Cargo.toml", "[package]\nname = \"keeper\"\n"),
        ] {
            std::fs::create_dir_all(shop.join(path).parent().unwrap()).unwrap();
            std::fs::write(shop.join(path), text).unwrap();
        }
        for (topic, folder) in [
            ("Should @m/storefront move to SSR", Some("../../services/web")),
            ("Should the storefront move to SSR?", Some("../../services/web")),
            ("Should web move to SSR?", Some("../../services/web")),
            ("Which disk for the keeper?", Some("../../db")),
            ("Should @m/orders cache?", None),
            ("@m/orders and @m/storefront share types?", Some("../..")),
            ("One licence for @m/parts-market", Some("../..")),
            ("One licence for the parts-market", Some("../..")),
            ("Should @x/storefront move?", None),
        ] {
            let hint = belongs_elsewhere(topic, &api).unwrap();
            assert_eq!(hint.as_ref().map(|hint| hint.folder.as_str()), folder, "{topic}: {hint:?}");
        }
        std::fs::write(shop.join("db/Cargo.toml"), "[package]\nname = \"web\"\n").unwrap();
        assert_eq!(belongs_elsewhere("Should web move?", &api), Ok(None), "two are called so");
        std::fs::write(shop.join("services/web/package.json"), "{").unwrap();
        assert!(belongs_elsewhere("Should services/web move?", &api).unwrap().is_some());
    }

    #[test]
    fn a_topic_that_names_others_says_where_it_belongs() {
        let home = tempfile::tempdir().unwrap();
        let api = workspace(home.path(), "");
        for (topic, folder) in [
            ("Cache orders in the API?", None),
            ("Which database?", None),
            ("A therapist's db", None),
            ("How does the API talk to Web?", Some("../..")),
            ("One deployment for all of Shop", Some("../..")),
            ("Does the shop's API need a cache?", None),
            ("Server rendering for services/web", Some("../../services/web")),
            ("web-socket or polling", None),
        ] {
            let hint = belongs_elsewhere(topic, &api).unwrap();
            assert_eq!(hint.as_ref().map(|hint| hint.folder.as_str()), folder, "{topic}: {hint:?}");
        }
    }
}
