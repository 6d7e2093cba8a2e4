//! What files and dependencies are a sign of: frameworks, package managers, folders of documents.
//! Given names; hands on what they stand for. Tables, so that a further one is a line. Deliberately absent: files.

use super::manifest::Ecosystem;

/// Dependencies that shape a project, by ecosystem. One that ends in `*` stands for all that begin so.
const FRAMEWORKS: &[(Ecosystem, &str, &str)] = &[
    (Ecosystem::Cargo, "actix-web", "Actix Web"),
    (Ecosystem::Cargo, "axum", "axum"),
    (Ecosystem::Cargo, "bevy", "Bevy"),
    (Ecosystem::Cargo, "diesel", "Diesel"),
    (Ecosystem::Cargo, "dioxus", "Dioxus"),
    (Ecosystem::Cargo, "leptos", "Leptos"),
    (Ecosystem::Cargo, "rocket", "Rocket"),
    (Ecosystem::Cargo, "sqlx", "SQLx"),
    (Ecosystem::Cargo, "tauri", "Tauri"),
    (Ecosystem::Cargo, "tokio", "Tokio"),
    (Ecosystem::Cargo, "tonic", "tonic"),
    (Ecosystem::Cargo, "warp", "warp"),
    (Ecosystem::Cargo, "yew", "Yew"),
    (Ecosystem::Node, "@angular/core", "Angular"),
    (Ecosystem::Node, "@nestjs/core", "NestJS"),
    (Ecosystem::Node, "@remix-run/react", "Remix"),
    (Ecosystem::Node, "@sveltejs/kit", "SvelteKit"),
    (Ecosystem::Node, "astro", "Astro"),
    (Ecosystem::Node, "electron", "Electron"),
    (Ecosystem::Node, "express", "Express"),
    (Ecosystem::Node, "fastify", "Fastify"),
    (Ecosystem::Node, "hono", "Hono"),
    (Ecosystem::Node, "koa", "Koa"),
    (Ecosystem::Node, "next", "Next.js"),
    (Ecosystem::Node, "nuxt", "Nuxt"),
    (Ecosystem::Node, "react", "React"),
    (Ecosystem::Node, "react-native", "React Native"),
    (Ecosystem::Node, "solid-js", "Solid"),
    (Ecosystem::Node, "svelte", "Svelte"),
    (Ecosystem::Node, "vue", "Vue"),
    (Ecosystem::Python, "aiohttp", "aiohttp"),
    (Ecosystem::Python, "celery", "Celery"),
    (Ecosystem::Python, "django", "Django"),
    (Ecosystem::Python, "fastapi", "FastAPI"),
    (Ecosystem::Python, "flask", "Flask"),
    (Ecosystem::Python, "pyramid", "Pyramid"),
    (Ecosystem::Python, "sqlalchemy", "SQLAlchemy"),
    (Ecosystem::Python, "streamlit", "Streamlit"),
    (Ecosystem::Python, "tensorflow", "TensorFlow"),
    (Ecosystem::Python, "torch", "PyTorch"),
    (Ecosystem::Go, "github.com/gin-gonic/gin", "Gin"),
    (Ecosystem::Go, "github.com/go-chi/chi", "chi"),
    (Ecosystem::Go, "github.com/gofiber/fiber", "Fiber"),
    (Ecosystem::Go, "github.com/gorilla/mux", "gorilla/mux"),
    (Ecosystem::Go, "github.com/labstack/echo", "Echo"),
    (Ecosystem::Go, "github.com/spf13/cobra", "Cobra"),
    (Ecosystem::Go, "google.golang.org/grpc", "gRPC"),
    (Ecosystem::Jvm, "io.ktor*", "Ktor"),
    (Ecosystem::Jvm, "ktor-server*", "Ktor"),
    (Ecosystem::Jvm, "io.micronaut*", "Micronaut"),
    (Ecosystem::Jvm, "micronaut-*", "Micronaut"),
    (Ecosystem::Jvm, "io.quarkus*", "Quarkus"),
    (Ecosystem::Jvm, "quarkus-*", "Quarkus"),
    (Ecosystem::Jvm, "org.springframework.boot*", "Spring Boot"),
    (Ecosystem::Jvm, "spring-boot*", "Spring Boot"),
    (Ecosystem::Jvm, "com.android.application", "Android"),
    (Ecosystem::Ruby, "hanami", "Hanami"),
    (Ecosystem::Ruby, "rails", "Ruby on Rails"),
    (Ecosystem::Ruby, "sinatra", "Sinatra"),
    (Ecosystem::Php, "laravel/framework", "Laravel"),
    (Ecosystem::Php, "slim/slim", "Slim"),
    (Ecosystem::Php, "symfony/framework-bundle", "Symfony"),
    (Ecosystem::Elixir, "phoenix", "Phoenix"),
    (Ecosystem::Dart, "flutter", "Flutter"),
];

/// Files that a package manager leaves or needs; the surest sign of each ecosystem first.
const MANAGERS: &[(&str, &str)] = &[
    ("Cargo.lock", "cargo"),
    ("Cargo.toml", "cargo"),
    ("pnpm-lock.yaml", "pnpm"),
    ("pnpm-workspace.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("deno.json", "deno"),
    ("uv.lock", "uv"),
    ("poetry.lock", "poetry"),
    ("pdm.lock", "pdm"),
    ("Pipfile", "pipenv"),
    ("go.work", "go"),
    ("go.mod", "go"),
    ("pom.xml", "maven"),
    ("build.gradle", "gradle"),
    ("build.gradle.kts", "gradle"),
    ("Gemfile", "bundler"),
    ("composer.json", "composer"),
    ("mix.exs", "mix"),
    ("pubspec.yaml", "pub"),
    ("Package.swift", "swiftpm"),
    ("conanfile.txt", "conan"),
    ("conanfile.py", "conan"),
    ("vcpkg.json", "vcpkg"),
];

/// The managers that a `packageManager` or a `[tool.…]` can name.
const NAMED: &[&str] = &["npm", "yarn", "pnpm", "bun", "poetry", "uv", "pdm"];

/// Folders in which projects keep documents, in lower case.
const DOCS: &[&str] = &[
    "docs",
    "doc",
    "documentation",
    "adr",
    "adrs",
    "decisions",
    "rfc",
    "rfcs",
    "specs",
    "specifications",
    "wiki",
    "docs/adr",
    "docs/adrs",
    "docs/architecture",
    "docs/decisions",
    "docs/design",
    "docs/rfcs",
    "docs/specifications",
    "docs/specs",
    "doc/adr",
    "doc/architecture/decisions",
    "docs/architecture/decisions",
];

/// The framework that a dependency stands for.
pub(super) fn framework(ecosystem: Ecosystem, dependency: &str) -> Option<&'static str> {
    let name = dependency.to_ascii_lowercase();
    let fits = |known: &str| match known.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == known,
    };
    FRAMEWORKS.iter().find(|(of, known, _)| *of == ecosystem && fits(known)).map(|(_, _, framework)| *framework)
}

/// The package managers whose files are in a folder, each with the file.
pub(super) fn managers(has: impl Fn(&str) -> bool) -> Vec<(&'static str, &'static str)> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for (file, manager) in MANAGERS {
        if !found.iter().any(|(known, _)| known == manager) && has(file) {
            found.push((manager, file));
        }
    }
    found
}

/// A package manager by the name that a manifest gives it.
pub(super) fn manager_named(name: &str) -> Option<&'static str> {
    NAMED.iter().find(|known| **known == name).copied()
}

/// Whether a folder is one for documents.
pub(super) fn is_docs(folder: &str) -> bool {
    DOCS.contains(&folder.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_hold_no_name_twice_and_find_what_they_hold() {
        for (at, (of, dependency, framework_name)) in FRAMEWORKS.iter().enumerate() {
            assert!(!FRAMEWORKS[..at].iter().any(|(o, d, _)| o == of && d == dependency), "{dependency} twice");
            assert_eq!(framework(*of, &dependency.replace('*', "-x")), Some(*framework_name));
        }
        assert_eq!(framework(Ecosystem::Node, "axum"), None);
        assert_eq!(framework(Ecosystem::Python, "Django"), Some("Django"));
        assert_eq!(
            managers(|file| ["Cargo.toml", "Cargo.lock", "yarn.lock"].contains(&file)),
            [("cargo", "Cargo.lock"), ("yarn", "yarn.lock")]
        );
        assert!(is_docs("docs") && is_docs("Doc/ADR") && !is_docs("src/docs"));
    }
}
