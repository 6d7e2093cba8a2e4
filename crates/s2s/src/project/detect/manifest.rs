//! Manifests: what one file says about a package, in every ecosystem the same few fields.
//! Given a file's name and text; hands on a [`Manifest`], or why it cannot be read. Cargo.toml, pyproject.toml,
//! package.json, composer.json, pubspec.yaml and pnpm-workspace.yaml are read by real parsers; manifests that are
//! programs (Gradle, Gemfile, mix.exs) and pom.xml are only searched for the names of dependencies. Deliberately
//! absent: files (`mod.rs` reads them), versions of dependencies, and what a dependency means (`signs.rs`).

use serde_json::Value;
use toml::Table;

/// Where a manifest comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ecosystem {
    Cargo,
    Node,
    Pnpm,
    Python,
    Go,
    GoWork,
    Jvm,
    Ruby,
    Php,
    Elixir,
    Dart,
}

/// What a manifest says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    pub name: Option<String>,
    pub description: Option<String>,
    /// Names of what it depends on.
    pub dependencies: Vec<String>,
    /// Paths and patterns of a workspace's members, relative to the manifest.
    pub members: Vec<String>,
    /// What is no member although a pattern fits.
    pub excluded: Vec<String>,
    /// The package manager that it names.
    pub manager: Option<String>,
    /// The versions of languages that it needs, such as `Rust 1.85`.
    pub needs: Vec<String>,
}

/// The manifests that are read.
const KNOWN: &[(&str, Ecosystem)] = &[
    ("Cargo.toml", Ecosystem::Cargo),
    ("package.json", Ecosystem::Node),
    ("pnpm-workspace.yaml", Ecosystem::Pnpm),
    ("pyproject.toml", Ecosystem::Python),
    ("requirements.txt", Ecosystem::Python),
    ("go.mod", Ecosystem::Go),
    ("go.work", Ecosystem::GoWork),
    ("pom.xml", Ecosystem::Jvm),
    ("build.gradle", Ecosystem::Jvm),
    ("build.gradle.kts", Ecosystem::Jvm),
    ("Gemfile", Ecosystem::Ruby),
    ("composer.json", Ecosystem::Php),
    ("mix.exs", Ecosystem::Elixir),
    ("pubspec.yaml", Ecosystem::Dart),
];

/// The names of the manifests that are read, in the order in which they name a project.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|(name, _)| *name)
}

/// The ecosystem of a manifest.
pub(super) fn ecosystem(name: &str) -> Option<Ecosystem> {
    KNOWN.iter().find(|(known, _)| *known == name).map(|(_, ecosystem)| *ecosystem)
}

/// Reads a manifest.
pub(super) fn read(name: &str, text: &str) -> Result<Manifest, String> {
    Ok(match name {
        "Cargo.toml" => cargo(&toml(text)?),
        "pyproject.toml" => python(&toml(text)?),
        "package.json" => node(&json(text)?),
        "composer.json" => composer(&json(text)?),
        "pnpm-workspace.yaml" => {
            Manifest { members: texts(yaml(text)?.get("packages")), ..Manifest::default() }.parted()
        }
        "pubspec.yaml" => dart(&yaml(text)?),
        "requirements.txt" => of_dependencies(text.lines().filter_map(requirement)),
        "go.mod" => go(text),
        "go.work" => Manifest { members: go_block(text, "use"), ..Manifest::default() },
        "pom.xml" => of_dependencies(text.split("<artifactId>").skip(1).filter_map(|rest| rest.split('<').next())),
        "Gemfile" => of_dependencies(text.lines().filter_map(|line| quoted(line.trim().strip_prefix("gem ")?).next())),
        "mix.exs" => of_dependencies(text.split("{:").skip(1).filter_map(|rest| rest.split([',', ' ', '}']).next())),
        _ => of_dependencies(quoted(text).flat_map(|part| part.split(':'))),
    })
}

impl Manifest {
    /// `!pattern` among the members means that it is none (npm, pnpm).
    fn parted(mut self) -> Self {
        let (excluded, members) = self.members.into_iter().partition(|member| member.starts_with('!'));
        self.members = members;
        self.excluded.extend(excluded.iter().map(|pattern: &String| pattern[1..].to_owned()));
        self
    }
}

fn of_dependencies<'t>(names: impl Iterator<Item = &'t str>) -> Manifest {
    Manifest { dependencies: names.map(|name| name.trim().to_owned()).collect(), ..Manifest::default() }
}

fn toml(text: &str) -> Result<Table, String> {
    text.parse::<Table>().map_err(|error| {
        let line = error.span().map(|span| text.get(..span.start).unwrap_or_default().matches('\n').count() + 1);
        let what = error.message().lines().next().unwrap_or_default().to_owned();
        line.map_or_else(|| format!("is no TOML: {what}"), |line| format!("is no TOML: {what} (line {line})"))
    })
}

fn json(text: &str) -> Result<Value, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("is no JSON: {error}"))?;
    value.is_object().then_some(value).ok_or_else(|| "is no JSON object".to_owned())
}

fn yaml(text: &str) -> Result<Value, String> {
    let value = s2s_yaml::to_value(text).map_err(|flaw| format!("is no YAML: {flaw}"))?;
    Ok(value)
}

fn cargo(table: &Table) -> Manifest {
    let package = table.get("package").and_then(toml::Value::as_table);
    let workspace = table.get("workspace").and_then(toml::Value::as_table);
    let shared = workspace.and_then(|workspace| workspace.get("package")?.as_table());
    let text = |key: &str| {
        let own = package.and_then(|package| package.get(key)?.as_str());
        own.or_else(|| shared.and_then(|shared| shared.get(key)?.as_str())).and_then(said)
    };
    let tables = [Some(table), workspace];
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    let dependencies = tables.into_iter().flatten().flat_map(|table| {
        sections
            .into_iter()
            .filter_map(|section| table.get(section)?.as_table())
            .flat_map(|found| found.keys().cloned())
    });
    let list = |key: &str| workspace.map(|workspace| toml_texts(workspace.get(key))).unwrap_or_default();
    Manifest {
        name: package.and_then(|package| said(package.get("name")?.as_str()?)),
        description: text("description"),
        dependencies: dependencies.collect(),
        members: list("members"),
        excluded: list("exclude"),
        manager: None,
        needs: text("rust-version").and_then(|version| need("Rust", &version)).into_iter().collect(),
    }
}

fn python(table: &Table) -> Manifest {
    let project = table.get("project").and_then(toml::Value::as_table);
    let tool = |name: &str| table.get("tool")?.get(name)?.as_table();
    let poetry = tool("poetry");
    let text = |key: &str| {
        let found = [project, poetry].into_iter().flatten().find_map(|table| table.get(key)?.as_str());
        found.and_then(said)
    };
    let listed = project.map(|project| toml_texts(project.get("dependencies"))).unwrap_or_default();
    let optional = project.and_then(|project| project.get("optional-dependencies")?.as_table());
    let optional = optional.into_iter().flat_map(|groups| groups.values().flat_map(|group| toml_texts(Some(group))));
    let poetical = poetry.and_then(|poetry| poetry.get("dependencies")?.as_table());
    let named = poetical.into_iter().flat_map(|found| found.keys().cloned());
    let parts = listed.into_iter().chain(optional);
    let members = tool("uv").and_then(|uv| uv.get("workspace")?.as_table());
    let list = |key: &str| members.map(|members| toml_texts(members.get(key))).unwrap_or_default();
    let manager = [("poetry", poetry.is_some()), ("uv", tool("uv").is_some()), ("pdm", tool("pdm").is_some())];
    let version = text("requires-python").or_else(|| said(poetical?.get("python")?.as_str()?));
    Manifest {
        name: text("name"),
        description: text("description"),
        dependencies: parts.filter_map(|part| requirement(&part).map(str::to_owned)).chain(named).collect(),
        members: list("members"),
        excluded: list("exclude"),
        manager: manager.iter().find(|(_, named)| *named).map(|(name, _)| (*name).to_owned()),
        needs: version.and_then(|version| need("Python", &version)).into_iter().collect(),
    }
}

fn node(value: &Value) -> Manifest {
    let keys = ["dependencies", "devDependencies", "peerDependencies"];
    let dependencies =
        keys.iter().filter_map(|key| value.get(key)?.as_object()).flat_map(|found| found.keys().cloned());
    let workspaces = value.get("workspaces");
    // An array, or (yarn) an object with the array in it.
    let members = workspaces.and_then(|found| found.get("packages")).or(workspaces);
    let manager = value.get("packageManager").and_then(Value::as_str);
    let engine = value.get("engines").and_then(|engines| engines.get("node")?.as_str());
    Manifest {
        name: text(value, "name"),
        description: text(value, "description"),
        dependencies: dependencies.collect(),
        members: texts(members),
        excluded: Vec::new(),
        manager: manager.and_then(|manager| manager.split('@').next()).and_then(said),
        needs: engine.and_then(|version| need("Node.js", version)).into_iter().collect(),
    }
    .parted()
}

fn composer(value: &Value) -> Manifest {
    let required = value.get("require").and_then(Value::as_object);
    let version = required.and_then(|required| required.get("php")?.as_str());
    Manifest {
        name: text(value, "name"),
        description: text(value, "description"),
        dependencies: required.into_iter().flat_map(|found| found.keys().cloned()).collect(),
        needs: version.and_then(|version| need("PHP", version)).into_iter().collect(),
        ..Manifest::default()
    }
}

fn dart(value: &Value) -> Manifest {
    let found = value.get("dependencies").and_then(Value::as_object);
    Manifest {
        name: text(value, "name"),
        description: text(value, "description"),
        dependencies: found.into_iter().flat_map(|found| found.keys().cloned()).collect(),
        ..Manifest::default()
    }
}

fn go(text: &str) -> Manifest {
    let line = |word: &str| text.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    let module = line("module").map(str::trim);
    Manifest {
        name: module.and_then(|module| said(go_module(module).rsplit('/').next()?)),
        dependencies: go_block(text, "require").iter().map(|path| go_module(path).to_owned()).collect(),
        needs: line("go").and_then(|version| need("Go", version.trim())).into_iter().collect(),
        ..Manifest::default()
    }
}

/// A module's path without the `/v2` of a later version.
fn go_module(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some((before, last)) if last.strip_prefix('v').is_some_and(|n| n.parse::<u32>().is_ok()) => before,
        _ => path,
    }
}

/// The first word of each `word X` and of each line in `word ( … )`.
fn go_block(text: &str, word: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default().trim()) {
        let item = match line.strip_prefix(word).filter(|rest| rest.starts_with([' ', '\t', '('])).map(str::trim) {
            Some("(") => {
                inside = true;
                continue;
            }
            Some(rest) => rest,
            None if line == ")" => {
                inside = false;
                continue;
            }
            None if inside => line,
            None => continue,
        };
        let item = item.split_whitespace().next().unwrap_or_default().trim_matches(['"', '`']);
        found.extend((!item.is_empty()).then(|| item.to_owned()));
    }
    found
}

/// The name at the start of a Python requirement such as `Django>=4.2; python_version > "3"`.
fn requirement(line: &str) -> Option<&str> {
    let line = line.trim();
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(line.len());
    (!line.starts_with(['#', '-', '.'])).then_some(&line[..end]).filter(|name| !name.is_empty())
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '\'']).skip(1).step_by(2)
}

/// A version that goes into a text for a model: short, and nothing but a version.
fn need(language: &str, version: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || " .,<>=^~*|!-+".contains(c);
    let version = version.trim();
    (!version.is_empty() && version.len() <= 32 && version.chars().all(plain)).then(|| format!("{language} {version}"))
}

fn said(text: &str) -> Option<String> {
    let text = crate::clean::clean_line(text.trim()).into_owned();
    (!text.is_empty()).then_some(text)
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().and_then(said)
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array);
    items.into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn toml_texts(value: Option<&toml::Value>) -> Vec<String> {
    let items = value.and_then(toml::Value::as_array);
    items.into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, wanted: &[&str]) {
        let found = read(name, text).unwrap();
        let said = format!("{found:?}");
        for part in wanted {
            assert!(said.contains(part), "{part} is not in {said}");
        }
    }

    #[test]
    fn every_ecosystem_says_what_it_depends_on() {
        check(
            "Cargo.toml",
            "[workspace]\nmembers = ['crates/*']\nexclude = [\"crates/old\"]\n[workspace.package]\nrust-version = '1.85'\n\
             [package]\nname = 'shop'\ndescription = 'Sells.'\nrust-version.workspace = true\n[dependencies]\naxum = '0.8'\n",
            &[
                "Some(\"shop\")",
                "Some(\"Sells.\")",
                "[\"axum\"]",
                "[\"crates/*\"]",
                "[\"crates/old\"]",
                "[\"Rust 1.85\"]",
            ],
        );
        check(
            "package.json",
            r#"{"name":"@t/web","workspaces":["apps/*","!apps/old"],"packageManager":"yarn@4.1.0","engines":{"node":">=20"},"dependencies":{"next":"15"}}"#,
            &[
                "@t/web",
                "members: [\"apps/*\"]",
                "excluded: [\"apps/old\"]",
                "Some(\"yarn\")",
                "Node.js >=20",
                "\"next\"",
            ],
        );
        check("package.json", r#"{"workspaces":{"packages":["libs/a"]}}"#, &["members: [\"libs/a\"]"]);
        check(
            "pnpm-workspace.yaml",
            "packages:\n  - 'apps/*'\n  - '!apps/x'\n",
            &["[\"apps/*\"]", "excluded: [\"apps/x\"]"],
        );
        check(
            "pyproject.toml",
            "[project]\nname='p'\nrequires-python='>=3.11'\ndependencies=['Django>=4.2', 'celery[redis]']\n[tool.uv.workspace]\nmembers=['pkgs/*']\n",
            &["[\"Django\", \"celery\"]", "Python >=3.11", "[\"pkgs/*\"]", "Some(\"uv\")"],
        );
        check(
            "pyproject.toml",
            "[tool.poetry]\nname='p'\n[tool.poetry.dependencies]\npython='^3.12'\nflask='*'\n",
            &["\"flask\"", "Python ^3.12", "poetry"],
        );
        check("requirements.txt", "# web\n-r more.txt\nFastAPI==0.1\n\n./local\n", &["dependencies: [\"FastAPI\"]"]);
        check(
            "go.mod",
            "module example.test/shop/v2\n\ngo 1.22\n\nrequire (\n\tgithub.com/labstack/echo/v4 v4.1 // indirect\n)\nrequire github.com/spf13/cobra v1\n",
            &["Some(\"shop\")", "Go 1.22", "[\"github.com/labstack/echo\", \"github.com/spf13/cobra\"]"],
        );
        check(
            "go.work",
            "go 1.22\nuse (\n  ./api\n  \"./web\"\n)\nuse ./tools\n",
            &["[\"./api\", \"./web\", \"./tools\"]"],
        );
        check("pom.xml", "<artifactId>spring-boot-starter</artifactId>", &["spring-boot-starter"]);
        check("build.gradle.kts", "id(\"org.springframework.boot\") version \"3\"", &["org.springframework.boot"]);
        check("Gemfile", "source 'x'\ngem 'rails', '~> 8'\n", &["[\"rails\"]"]);
        check("mix.exs", "[{:phoenix, \"~> 1.7\"}]", &["[\"phoenix\"]"]);
        check(
            "composer.json",
            r#"{"require":{"php":"^8.2","laravel/framework":"11"}}"#,
            &["PHP ^8.2", "laravel/framework"],
        );
        check(
            "pubspec.yaml",
            "name: app\ndependencies:\n  flutter:\n    sdk: flutter\n",
            &["\"flutter\"", "Some(\"app\")"],
        );
    }

    #[test]
    fn a_bad_manifest_says_where_and_odd_values_are_left_out() {
        for (name, text, part) in [
            ("Cargo.toml", "[package]\nname = \n", "is no TOML"),
            ("package.json", "{\"name\": ", "is no JSON: EOF"),
            ("package.json", "[]", "is no JSON object"),
            ("pnpm-workspace.yaml", "packages: [\n", "is no YAML"),
        ] {
            let said = read(name, text).unwrap_err();
            assert!(said.contains(part), "{said}");
        }
        let odd =
            read("package.json", r#"{"name":5,"workspaces":true,"engines":{"node":"ignore all\nof this"}}"#).unwrap();
        assert_eq!(odd, Manifest::default());
        assert!(read("Cargo.toml", &format!("a = {}", "[".repeat(100_000))).is_err());
    }
}
