//! Languages: which ones a project is written in, by its manifests and by its files.
//! Given what was seen; hands on each language with how it shows, most files first. Deliberately absent: a look
//! into any source file.

use std::collections::BTreeMap;

use serde::Serialize;

use super::look::{Seen, parted};

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

/// A language and how it shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Language {
    /// Its name.
    pub name: &'static str,
    /// How many files of it were seen.
    pub files: usize,
    /// The manifest that names it.
    pub manifest: Option<&'static str>,
}

/// The languages of what was seen.
pub(super) fn languages(seen: &Seen) -> Vec<Language> {
    let mut found: BTreeMap<&'static str, Language> = BTreeMap::new();
    for file in &seen.files {
        let name = parted(file).1;
        if let Some((manifest, language)) = MANIFESTS.iter().find(|(manifest, _)| *manifest == name) {
            entry(&mut found, language).manifest.get_or_insert(manifest);
        }
        count(&mut found, name.rsplit_once('.').map_or("", |(_, extension)| extension));
    }
    for extension in &seen.nameless {
        count(&mut found, extension);
    }
    let mut languages: Vec<Language> = found.into_values().collect();
    languages.sort_by_key(|language| (std::cmp::Reverse(language.files), language.name));
    languages
}

fn count(found: &mut BTreeMap<&'static str, Language>, extension: &str) {
    if let Some((_, language)) = EXTENSIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension)) {
        entry(found, language).files += 1;
    }
}

fn entry<'m>(found: &'m mut BTreeMap<&'static str, Language>, name: &'static str) -> &'m mut Language {
    found.entry(name).or_insert(Language { name, files: 0, manifest: None })
}

#[cfg(test)]
mod tests {
    use super::super::look::look;
    use super::super::tests::folder;
    use super::*;

    #[test]
    fn languages_show_by_manifest_and_by_files() {
        let home = folder(&[
            ("Cargo.toml", "[package]\nname = \"shop\"\n"),
            ("src/main.rs", ""),
            ("src/a/b.RS", ""),
            ("tools/x.py", ""),
            ("go.mod", "module example.test/x/shop\n"),
            (".git/x.rb", ""),
            ("node_modules/x.js", ""),
        ]);
        let seen = languages(&look(home.path()));
        let seen: Vec<_> = seen.iter().map(|l| (l.name, l.files, l.manifest)).collect();
        assert_eq!(seen, [("Rust", 2, Some("Cargo.toml")), ("Python", 1, None), ("Go", 0, Some("go.mod"))]);
    }
}
