//! Whole small projects of every ecosystem, and what is seen of them.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Detected, Sign, detect};

/// A folder with these files.
pub(super) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    home
}

fn seen(files: &[(&str, &str)]) -> Detected {
    detect(folder(files).path())
}

fn names(signs: &[Sign]) -> Vec<&str> {
    signs.iter().map(|sign| sign.name.as_str()).collect()
}

fn members(found: &Detected) -> Vec<String> {
    found.members.iter().map(|member| format!("{} {} {}", member.path, member.name, member.kinds.join("+"))).collect()
}

#[test]
fn a_cargo_workspace() {
    let found = seen(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/*\", \"tools\"]\nexclude = [\"crates/old\"]\n[workspace.dependencies]\naxum = \"0.8\"\n",
        ),
        ("Cargo.lock", ""),
        ("crates/api/Cargo.toml", "[package]\nname = \"shop-api\"\n[dependencies]\ntokio = \"1\"\n"),
        ("crates/api/src/main.rs", "fn main() {}\n"),
        ("crates/old/Cargo.toml", "[package]\nname = \"old\"\n"),
        ("crates/no-package/notes.md", ""),
        ("tools/Cargo.toml", "[package]\nname = \"tools\"\n"),
        ("docs/decisions/0001.md", ""),
    ]);
    assert_eq!(members(&found), ["crates/api shop-api cargo", "tools tools cargo"]);
    assert_eq!(names(&found.frameworks), ["axum", "Tokio"]);
    assert_eq!(found.package_managers, [Sign { name: "cargo".into(), from: "Cargo.lock".into() }]);
    assert_eq!(found.docs, ["docs", "docs/decisions"]);
    assert_eq!((found.languages[0].name, found.findings.len(), found.partial), ("Rust", 0, false));
}

#[test]
fn npm_yarn_and_pnpm_workspaces() {
    let package = |name: &str| format!("{{\"name\": \"{name}\", \"dependencies\": {{\"react\": \"19\"}}}}");
    let (a, b) = (package("@t/a"), package("@t/b"));
    let root = "{\"name\": \"root\", \"private\": true, \"workspaces\": [\"packages/*\"]}";
    for (lock, kind) in [("package-lock.json", "npm"), ("yarn.lock", "yarn"), ("pnpm-lock.yaml", "pnpm")] {
        let workspace = if kind == "pnpm" { "packages:\n  - packages/*\n" } else { "" };
        let manifest = if kind == "pnpm" { "{\"name\": \"root\"}" } else { root };
        let mut files = vec![
            ("package.json", manifest),
            (lock, ""),
            ("packages/a/package.json", &a),
            ("packages/b/package.json", &b),
        ];
        if kind == "pnpm" {
            files.push(("pnpm-workspace.yaml", workspace));
        }
        let found = seen(&files);
        assert_eq!(members(&found), [format!("packages/a @t/a {kind}"), format!("packages/b @t/b {kind}")]);
        assert_eq!((names(&found.package_managers), names(&found.frameworks)), (vec![kind], vec!["React"]), "{kind}");
        assert_eq!(found.name, "root");
    }
    let found = seen(&[
        ("package.json", "{\"packageManager\": \"yarn@4\", \"workspaces\": {\"packages\": [\"a\"]}}"),
        ("a/package.json", &a),
    ]);
    assert_eq!((members(&found), names(&found.package_managers)), (vec!["a @t/a yarn".to_owned()], vec!["yarn"]));
    assert_eq!(names(&seen(&[("package.json", "{}")]).package_managers), ["npm"]);
}

#[test]
fn go_uv_and_nx_workspaces() {
    let found = seen(&[
        ("go.work", "go 1.22\n\nuse (\n\t./api\n\t./gone\n\t.\n)\n"),
        ("api/go.mod", "module example.test/shop/api\n\ngo 1.22\n\nrequire github.com/gin-gonic/gin v1.9.1\n"),
        ("api/main.go", "package main\n"),
    ]);
    assert_eq!(members(&found), ["api api go"]);
    assert_eq!((names(&found.frameworks), names(&found.needs)), (vec!["Gin"], vec!["Go 1.22"]));
    assert_eq!(found.findings[0].to_string(), "go.work names the member `gone`, which is not there");

    let found = seen(&[
        ("pyproject.toml", "[project]\nname = \"p\"\n[tool.uv.workspace]\nmembers = [\"libs/*\"]\n"),
        ("libs/x/pyproject.toml", "[project]\nname = \"x\"\ndependencies = [\"fastapi>=0.110\"]\n"),
    ]);
    assert_eq!((members(&found), names(&found.frameworks)), (vec!["libs/x x uv".to_owned()], vec!["FastAPI"]));
    assert_eq!(names(&found.package_managers), ["uv"]);

    let found = seen(&[
        ("nx.json", "{}"),
        ("package.json", "{\"name\": \"n\", \"workspaces\": [\"apps/*\"]}"),
        ("apps/web/package.json", "{\"name\": \"web\"}"),
        ("apps/web/project.json", "{}"),
        ("libs/deep/ui/project.json", "{}"),
    ]);
    assert_eq!(members(&found), ["apps/web web npm+nx", "libs/deep/ui ui nx"]);
}

#[test]
fn other_ecosystems_show_by_their_manifests() {
    for (file, text, manager, framework) in [
        ("requirements.txt", "Flask==3\n", "pip", "Flask"),
        ("pyproject.toml", "[tool.poetry]\nname='x'\n[tool.poetry.dependencies]\ndjango='5'\n", "poetry", "Django"),
        ("pom.xml", "<project><artifactId>spring-boot-starter-web</artifactId></project>", "maven", "Spring Boot"),
        ("build.gradle", "plugins { id 'io.quarkus' }", "gradle", "Quarkus"),
        ("Gemfile", "gem \"rails\"\n", "bundler", "Ruby on Rails"),
        ("composer.json", "{\"require\": {\"laravel/framework\": \"11\"}}", "composer", "Laravel"),
        ("mix.exs", "{:phoenix, \"1.7\"}", "mix", "Phoenix"),
        ("pubspec.yaml", "name: a\ndependencies:\n  flutter:\n    sdk: flutter\n", "pub", "Flutter"),
    ] {
        let found = seen(&[(file, text)]);
        assert_eq!(
            (names(&found.package_managers), names(&found.frameworks)),
            (vec![manager], vec![framework]),
            "{file}"
        );
    }
}

#[test]
fn nested_workspaces_are_followed_and_the_folders_below_the_root_looked_at() {
    let found = seen(&[
        ("web/package.json", "{\"workspaces\": [\"packages/*\"], \"dependencies\": {\"next\": \"15\"}}"),
        ("web/packages/ui/package.json", "{\"name\": \"ui\", \"workspaces\": [\"parts/*\", \"../../../out\"]}"),
        ("web/packages/ui/parts/x/package.json", "{\"name\": \"x\"}"),
        ("server/Cargo.toml", "[package]\nname = \"server\"\n"),
        ("tests/fixtures/deep/package.json", "{\"dependencies\": {\"vue\": \"3\"}}"),
    ]);
    assert_eq!(members(&found), ["web/packages/ui ui npm", "web/packages/ui/parts/x x npm"]);
    assert_eq!((names(&found.frameworks), names(&found.package_managers)), (vec!["Next.js"], vec!["cargo", "npm"]));
    assert!(
        found.findings[0]
            .to_string()
            .contains("web/packages/ui/package.json names the member `../../../out`, which leads out")
    );
}

#[test]
fn bad_manifests_are_findings_and_not_errors() {
    let large = format!("{{\"name\": \"{}\"}}", "x".repeat(300 * 1024));
    let found = seen(&[
        ("Cargo.toml", "[package\n"),
        ("package.json", "{broken"),
        ("web/package.json", &large),
        ("go.mod", "a\0b"),
    ]);
    let said: Vec<String> = found.findings.iter().map(ToString::to_string).collect();
    for part in [
        "Cargo.toml is no TOML",
        "package.json is no JSON",
        "web/package.json is not used: it is larger than 256 kB",
        "go.mod is not used: it is binary",
    ] {
        assert!(said.iter().any(|said| said.starts_with(part)), "{part} is not in {said:?}");
    }
    assert_eq!(found.languages.len(), 3, "the files are there all the same");
}

#[test]
fn the_name_comes_from_a_manifest_else_from_the_folder() {
    for (file, text, name) in [
        ("Cargo.toml", "[package]\nversion = \"1\"\nname = \"shop\"\n", "shop"),
        ("package.json", "{\"name\": \"@team/shop\"}", "@team/shop"),
        ("pyproject.toml", "[project]\nname='shop'\n", "shop"),
        ("go.mod", "module example.test/team/shop\n\ngo 1.22\n", "shop"),
    ] {
        assert_eq!(seen(&[(file, text)]).name, name, "{file}");
    }
    let home = folder(&[("my app/package.json", "{broken"), ("my app/Cargo.toml", "[workspace]\n")]);
    assert_eq!(detect(&home.path().join("my app")).name, "my app");
    assert_eq!(detect(Path::new("no/such/folder/..")).name, "This project");
}

#[test]
fn the_description_is_the_readme_s_else_a_manifest_s() {
    let package = ("package.json", "{\"description\": \"Parts for garages.\"}");
    let found = seen(&[package, ("sub/README.md", "Other."), ("readme.MD", "# Shop\n\nSells parts.\n")]);
    assert_eq!(found.description, Some(Sign { name: "Sells parts.".into(), from: "readme.MD".into() }));
    let found = seen(&[package, ("README.md", "a\0b")]);
    assert_eq!(found.description, Some(Sign { name: "Parts for garages.".into(), from: "package.json".into() }));
    assert_eq!(seen(&[]).description, None);
}

#[test]
fn git_is_found_here_or_above() {
    let home = folder(&[(".git/HEAD", ""), ("a/b/x.rs", "")]);
    assert_eq!(detect(home.path()).git.as_deref(), Some("."));
    assert_eq!(detect(&home.path().join("a/b")).git.as_deref(), Some("../.."));
    assert_eq!(seen(&[]).git, None);
}

/// The look ends at its bound: a folder of more files than that costs no more.
#[test]
fn a_huge_folder_takes_bounded_time() {
    let home = folder(&[("Cargo.toml", "[workspace]\nmembers = [\"**\"]\n")]);
    for part in 0..21 {
        let folder = home.path().join(format!("part{part}"));
        fs::create_dir(&folder).unwrap();
        for n in 0..1_000 {
            fs::File::create(folder.join(format!("f{n}.rs"))).unwrap();
        }
    }
    let start = Instant::now();
    let found = detect(home.path());
    assert!(found.partial && found.languages[0].files < 20_000);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
