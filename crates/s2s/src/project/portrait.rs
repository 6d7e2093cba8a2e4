//! What a folder shows about the project in it: name, languages, what the README says.
//! Given the root; hands on a [`Portrait`]. The look is bounded (depth 3, 2,000 entries), follows no
//! links, passes over hidden and generated folders, and never fails: what cannot be read is not seen.
//! Deliberately absent: any guess at what the project is for.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::readme;
use crate::clean::clean_line;

const MAX_DEPTH: usize = 3;
const MAX_ENTRIES: usize = 2_000;
/// Manifests and READMEs are read up to here.
const MAX_BYTES: u64 = 64 * 1024;

/// Generated or foreign code.
const PASSED_OVER: &[&str] = &["node_modules", "target", "vendor", "dist", "build", "out", "venv", "__pycache__"];

/// Files that name a language by being there.
const MANIFESTS: &[(&str, &str)] = &[
    ("Cargo.toml", "Rust"),
    ("package.json", "JavaScript"),
    ("tsconfig.json", "TypeScript"),
    ("pyproject.toml", "Python"),
    ("requirements.txt", "Python"),
    ("setup.py", "Python"),
    ("go.mod", "Go"),
    ("pom.xml", "Java"),
    ("build.gradle", "Java"),
    ("build.gradle.kts", "Kotlin"),
    ("Gemfile", "Ruby"),
    ("composer.json", "PHP"),
    ("mix.exs", "Elixir"),
    ("Package.swift", "Swift"),
    ("pubspec.yaml", "Dart"),
    ("CMakeLists.txt", "C++"),
];

const EXTENSIONS: &[(&str, &str)] = &[
    ("rs", "Rust"),
    ("js", "JavaScript"),
    ("jsx", "JavaScript"),
    ("mjs", "JavaScript"),
    ("ts", "TypeScript"),
    ("tsx", "TypeScript"),
    ("py", "Python"),
    ("go", "Go"),
    ("java", "Java"),
    ("kt", "Kotlin"),
    ("scala", "Scala"),
    ("rb", "Ruby"),
    ("php", "PHP"),
    ("cs", "C#"),
    ("fs", "F#"),
    ("c", "C"),
    ("cc", "C++"),
    ("cpp", "C++"),
    ("hpp", "C++"),
    ("swift", "Swift"),
    ("dart", "Dart"),
    ("ex", "Elixir"),
    ("exs", "Elixir"),
    ("erl", "Erlang"),
    ("hs", "Haskell"),
    ("ml", "OCaml"),
    ("clj", "Clojure"),
    ("zig", "Zig"),
    ("lua", "Lua"),
    ("sh", "Shell"),
    ("sql", "SQL"),
    ("tf", "Terraform"),
    ("proto", "Protocol Buffers"),
];

/// What a folder shows about its project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Portrait {
    /// From a manifest, else the folder's name.
    pub name: String,
    /// Most files first.
    pub languages: Vec<Language>,
    /// The README's first paragraph.
    pub summary: Option<String>,
    /// Whether the bound was reached, so that the counts are lower ends.
    pub partial: bool,
}

/// A language and how it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language {
    /// Its name.
    pub name: &'static str,
    /// How many files of it were seen.
    pub files: usize,
    /// The manifest that names it.
    pub manifest: Option<&'static str>,
}

/// Looks at a folder.
pub fn portrait(root: &Path) -> Portrait {
    let (files, partial) = look(root);
    let mut found: BTreeMap<&'static str, Language> = BTreeMap::new();
    for file in &files {
        let Some(name) = file.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let manifest = MANIFESTS.iter().find(|(manifest, _)| *manifest == name);
        let source = EXTENSIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension));
        if let Some((manifest, language)) = manifest {
            entry(&mut found, language).manifest.get_or_insert(manifest);
        }
        if let Some((_, language)) = source {
            entry(&mut found, language).files += 1;
        }
    }
    let mut languages: Vec<Language> = found.into_values().collect();
    languages.sort_by_key(|language| (std::cmp::Reverse(language.files), language.name));
    Portrait { name: name(root), languages, summary: summary(root, &files), partial }
}

fn entry<'m>(found: &'m mut BTreeMap<&'static str, Language>, name: &'static str) -> &'m mut Language {
    found.entry(name).or_insert(Language { name, files: 0, manifest: None })
}

/// Breadth first, so that the bound cuts off the deep files and not the telling ones.
fn look(root: &Path) -> (Vec<PathBuf>, bool) {
    let (mut files, mut level, mut seen) = (Vec::new(), vec![root.to_owned()], 0);
    for _ in 0..MAX_DEPTH {
        let mut below = Vec::new();
        for folder in level {
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            let mut entries: Vec<_> = entries.take(MAX_ENTRIES + 1 - seen).flatten().collect();
            // The disk's order is no order; the same folder should always look the same.
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                seen += 1;
                if seen > MAX_ENTRIES {
                    return (files, true);
                }
                let name = entry.file_name();
                let name = name.to_string_lossy();
                match entry.file_type() {
                    Ok(kind) if kind.is_file() => files.push(entry.path()),
                    Ok(kind) if kind.is_dir() && !name.starts_with('.') && !PASSED_OVER.contains(&&*name) => {
                        below.push(entry.path());
                    }
                    _ => {}
                }
            }
        }
        level = below;
    }
    (files, false)
}

fn start_of(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    // A NUL means that this is no text, whatever it is called.
    (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

fn summary(root: &Path, files: &[PathBuf]) -> Option<String> {
    let is_readme = |path: &&PathBuf| {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
        path.parent() == Some(root) && stem.as_deref() == Some("readme")
    };
    files.iter().filter(is_readme).find_map(|path| readme::first_paragraph(&start_of(path)?))
}

fn name(root: &Path) -> String {
    let manifest = |file: &str, read: fn(&str) -> Option<String>| read(&start_of(&root.join(file))?);
    let folder = || root.file_name().map(|name| name.to_string_lossy().into_owned());
    let named = manifest("Cargo.toml", |text| toml_name(text, "[package]"))
        .or_else(|| manifest("package.json", json_name))
        .or_else(|| manifest("pyproject.toml", |text| toml_name(text, "[project]")))
        .or_else(|| manifest("go.mod", go_name))
        .or_else(folder)
        .unwrap_or_default();
    let line = clean_line(&named);
    let short: String = line.chars().take(80).collect();
    if short.is_empty() { "This project".to_owned() } else { short }
}

/// The `name = "…"` of one table; enough of TOML for that.
fn toml_name(text: &str, table: &str) -> Option<String> {
    let lines = text.lines().map(str::trim).skip_while(|line| *line != table).skip(1);
    let mut inside = lines.take_while(|line| !line.starts_with('['));
    let value = inside.find_map(|line| line.strip_prefix("name")?.trim_start().strip_prefix('='))?;
    let value = value.trim().strip_prefix(['"', '\''])?;
    value.split(['"', '\'']).next().map(str::to_owned).filter(|name| !name.is_empty())
}

fn json_name(text: &str) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    value.get("name")?.as_str().map(str::to_owned).filter(|name| !name.is_empty())
}

fn go_name(text: &str) -> Option<String> {
    let module = text.lines().find_map(|line| line.strip_prefix("module "))?;
    module.trim().rsplit('/').next().map(str::to_owned).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        home
    }

    #[test]
    fn languages_show_by_manifest_and_by_files() {
        let home = folder(&[
            ("Cargo.toml", "[package]\nname = \"shop\"\n"),
            ("src/main.rs", ""),
            ("src/a/b.rs", ""),
            ("src/a/b/too_deep.rs", ""),
            ("tools/x.py", ""),
            ("go.mod", "module example.test/x/shop\n"),
            (".git/x.rb", ""),
            ("node_modules/x.js", ""),
            ("target/x.c", ""),
        ]);
        let seen = portrait(home.path());
        let languages: Vec<_> = seen.languages.iter().map(|l| (l.name, l.files, l.manifest)).collect();
        assert_eq!(languages, [("Rust", 2, Some("Cargo.toml")), ("Python", 1, None), ("Go", 0, Some("go.mod"))]);
        assert!(!seen.partial);
    }

    #[test]
    fn the_name_comes_from_a_manifest_else_from_the_folder() {
        for (file, text, name) in [
            ("Cargo.toml", "[dependencies]\nname = \"no\"\n[package]\nversion = \"1\"\nname = \"shop\"\n", "shop"),
            ("package.json", "{\"name\": \"@team/shop\"}", "@team/shop"),
            ("pyproject.toml", "[project]\nname='shop'\n", "shop"),
            ("go.mod", "module example.test/team/shop\n\ngo 1.22\n", "shop"),
        ] {
            assert_eq!(portrait(folder(&[(file, text)]).path()).name, name, "{file}");
        }
        let home = folder(&[("my app/package.json", "{broken"), ("my app/Cargo.toml", "[workspace]\n")]);
        assert_eq!(portrait(&home.path().join("my app")).name, "my app");
        assert_eq!(portrait(Path::new("/")).name, "This project");
    }

    #[test]
    fn only_a_readable_readme_of_the_root_counts() {
        let home = folder(&[("sub/README.md", "Other."), ("readme.MD", "# Shop\n\nSells parts.\n")]);
        assert_eq!(portrait(home.path()).summary.as_deref(), Some("Sells parts."));
        assert_eq!(portrait(folder(&[("README.md", "a\0b")]).path()).summary, None);
        assert_eq!(portrait(folder(&[]).path()).summary, None);
    }

    #[test]
    fn the_look_is_bounded() {
        let home = tempfile::tempdir().unwrap();
        for n in 0..=MAX_ENTRIES {
            fs::write(home.path().join(format!("f{n}.rs")), "").unwrap();
        }
        let seen = portrait(home.path());
        assert!(seen.partial);
        assert_eq!(seen.languages[0].files, MAX_ENTRIES);
    }
}
