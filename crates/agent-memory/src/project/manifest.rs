//! What a project says about itself in its manifest, and the page that is made of it.
//!
//! Known manifests are `package.json`, `Cargo.toml`, `pyproject.toml` and `go.mod`, in this order; without one,
//! the folder's name is all there is. The words of a manifest are shortened to one line each.

use std::path::Path;

use serde_json::Value as Json;
use toml::Value as Toml;

use crate::output::{folded, plain};
use crate::project::files;

/// What is known of a project.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    name: String,
    about: String,
    language: String,
    package_manager: String,
    dependencies: Vec<String>,
    test: String,
}

/// Reads the first manifest there is.
pub(crate) fn read(project: &Path) -> Manifest {
    let text = |name: &str| files::read_text(&project.join(name));
    let has = |name: &str| files::exists(&project.join(name));
    let found = None
        .or_else(|| text("package.json").and_then(|it| node(&it, &has)))
        .or_else(|| text("Cargo.toml").and_then(|it| cargo(&it)))
        .or_else(|| text("pyproject.toml").and_then(|it| python(&it, &has)))
        .or_else(|| text("go.mod").and_then(|it| go(&it)));
    let mut manifest = found.unwrap_or_default();
    if manifest.name.is_empty() {
        let folder = project.file_name().map(|name| name.to_string_lossy().into_owned());
        manifest.name = line(&folder.unwrap_or_else(|| "Project".to_owned()));
    }
    manifest
}

impl Manifest {
    /// The first `_project.md`.
    pub(crate) fn page(&self) -> String {
        let mut page = format!("# {}\n\n", self.name);
        if self.about.is_empty() {
            page.push_str("<!-- TODO: one or two sentences on what this project is for -->\n");
        } else {
            page.push_str(&self.about);
            page.push('\n');
        }
        page.push_str("\n## Stack\n\n");
        let facts = [
            ("Language", self.language.as_str()),
            ("Package manager", self.package_manager.as_str()),
            ("Key dependencies", &self.dependencies.join(", ")),
            ("Tests", self.test.as_str()),
        ];
        if facts.iter().all(|(_, value)| value.is_empty()) {
            page.push_str("<!-- TODO: languages, frameworks, how to build and test -->\n");
        }
        for (label, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
            page.push_str(&format!("- {label}: {value}\n"));
        }
        page.push_str("\n## Conventions\n\n<!-- TODO: rules that every agent should follow here -->\n");
        page.push_str("\n## Goals\n\n<!-- TODO: what is being worked towards now -->\n");
        page
    }
}

/// A value as one harmless line.
fn line(text: &str) -> String {
    folded(&plain(text), 300)
}

fn node(text: &str, has: &dyn Fn(&str) -> bool) -> Option<Manifest> {
    let json: Json = serde_json::from_str(text).ok()?;
    let word = |pointer: &str| json.pointer(pointer).and_then(Json::as_str).map(line).unwrap_or_default();
    let keys = |name: &str| {
        json.get(name).and_then(Json::as_object).map(|map| map.keys().map(|key| line(key)).collect())
    };
    let dependencies: Vec<String> = keys("dependencies").unwrap_or_default();
    let tools: Vec<String> = keys("devDependencies").unwrap_or_default();
    let typed = dependencies.iter().chain(&tools).any(|name| name == "typescript");
    let mut language = if typed { "TypeScript" } else { "JavaScript" }.to_owned();
    match word("/engines/node") {
        version if version.is_empty() => language.push_str(" (Node.js)"),
        version => language.push_str(&format!(" (Node.js {version})")),
    }
    let locks = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
        ("package-lock.json", "npm"),
        ("npm-shrinkwrap.json", "npm"),
    ];
    // Without a lock file nothing says which one it is.
    let package_manager = match word("/packageManager") {
        named if !named.is_empty() => named,
        _ => locks.into_iter().find(|(lock, _)| has(lock)).map_or(String::new(), |(_, name)| name.to_owned()),
    };
    let runner = package_manager.split('@').next().filter(|name| !name.is_empty());
    let test = match (word("/scripts/test"), runner) {
        (script, _) if script.is_empty() => String::new(),
        (_, Some(runner)) => format!("`{runner} test`"),
        (script, None) => format!("`{script}`"),
    };
    Some(Manifest {
        name: word("/name"),
        about: word("/description"),
        language,
        dependencies: few(dependencies),
        test,
        package_manager,
    })
}

fn cargo(text: &str) -> Option<Manifest> {
    let toml: Toml = toml::from_str(text).ok()?;
    let word = |name: &str| {
        let own = toml.get("package").and_then(|it| it.get(name)).and_then(Toml::as_str);
        own.or_else(|| toml.get("workspace")?.get("package")?.get(name)?.as_str())
            .map(line)
            .unwrap_or_default()
    };
    let dependencies = toml.get("dependencies").or_else(|| toml.get("workspace")?.get("dependencies"));
    let keys = dependencies.and_then(Toml::as_table).map(|table| table.keys().map(|key| line(key)).collect());
    let edition = word("edition");
    Some(Manifest {
        name: word("name"),
        about: word("description"),
        language: if edition.is_empty() { "Rust".to_owned() } else { format!("Rust (edition {edition})") },
        package_manager: "cargo".to_owned(),
        dependencies: few(keys.unwrap_or_default()),
        test: "`cargo test`".to_owned(),
    })
}

fn python(text: &str, has: &dyn Fn(&str) -> bool) -> Option<Manifest> {
    let toml: Toml = toml::from_str(text).ok()?;
    let poetry = toml.get("tool").and_then(|tool| tool.get("poetry"));
    let table = toml.get("project").or(poetry);
    let word =
        |name: &str| table.and_then(|it| it.get(name)).and_then(Toml::as_str).map(line).unwrap_or_default();
    let dependencies: Vec<String> = match table.and_then(|it| it.get("dependencies")) {
        Some(Toml::Array(list)) => list.iter().filter_map(Toml::as_str).map(requirement).collect(),
        Some(Toml::Table(named)) => {
            named.keys().filter(|key| *key != "python").map(|key| line(key)).collect()
        }
        _ => Vec::new(),
    };
    let version = word("requires-python");
    let manager = [("uv.lock", "uv"), ("poetry.lock", "poetry"), ("pdm.lock", "pdm")];
    let pytest = text.contains("pytest");
    Some(Manifest {
        name: word("name"),
        about: word("description"),
        language: if version.is_empty() { "Python".to_owned() } else { format!("Python {version}") },
        package_manager: manager
            .into_iter()
            .find(|(lock, _)| has(lock))
            .map_or("", |(_, name)| name)
            .to_owned(),
        dependencies: few(dependencies),
        test: if pytest { "`pytest`".to_owned() } else { String::new() },
    })
}

/// The name in a requirement such as `httpx[http2]>=0.27`.
fn requirement(text: &str) -> String {
    let end =
        text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(text.len());
    line(text.get(..end).unwrap_or(text))
}

fn go(text: &str) -> Option<Manifest> {
    let mut lines = text.lines().map(str::trim);
    let module = lines.find_map(|it| it.strip_prefix("module "))?;
    let version = text.lines().find_map(|it| it.trim().strip_prefix("go ")).unwrap_or("");
    let required = text.lines().map(|it| it.trim().trim_start_matches("require ").trim_start());
    let paths = required.filter(|it| !it.contains("// indirect") && it.contains('.') && it.contains(" v"));
    let names = paths.filter_map(|it| it.split_whitespace().next()).filter(|it| it.contains('/'));
    Some(Manifest {
        name: line(module.rsplit('/').next().unwrap_or(module)),
        about: String::new(),
        language: line(&format!("Go {version}")),
        package_manager: "go modules".to_owned(),
        dependencies: few(names.map(line).collect()),
        test: "`go test ./...`".to_owned(),
    })
}

/// The first eight: a page is for orientation, the manifest has the rest.
fn few(mut names: Vec<String>) -> Vec<String> {
    names.truncate(8);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(manifest: Option<Manifest>) -> String {
        let it = manifest.unwrap();
        let names = it.dependencies.join(" ");
        format!("{}|{}|{}|{}|{names}|{}", it.name, it.about, it.language, it.package_manager, it.test)
    }

    #[test]
    fn node_projects() {
        let text = r#"{"name":"shop","description":"Sells\nthings","engines":{"node":">=20"},"scripts":{"test":"vitest"},
            "dependencies":{"next":"1","react":"2"},"devDependencies":{"typescript":"5"}}"#;
        let got = facts(node(text, &|name| name == "pnpm-lock.yaml"));
        assert_eq!(got, "shop|Sells things|TypeScript (Node.js >=20)|pnpm|next react|`pnpm test`");
        assert_eq!(facts(node("{}", &|_| false)), "||JavaScript (Node.js)|||");
        let tested = r#"{"scripts":{"test":"vitest run"}}"#;
        assert_eq!(facts(node(tested, &|_| false)), "||JavaScript (Node.js)|||`vitest run`");
        let npm = facts(node(tested, &|name| name == "package-lock.json"));
        assert_eq!(npm, "||JavaScript (Node.js)|npm||`npm test`");
        assert_eq!(node("[", &|_| false), None);
        assert_eq!(facts(node(r#"{"name":3,"dependencies":[]}"#, &|_| false)), "||JavaScript (Node.js)|||");
    }

    #[test]
    fn rust_python_and_go_projects() {
        let rust = "[package]\nname = \"x\"\nedition = \"2024\"\n[dependencies]\nclap = \"4\"\n";
        assert_eq!(facts(cargo(rust)), "x||Rust (edition 2024)|cargo|clap|`cargo test`");
        let workspace = "[workspace.package]\nedition = \"2024\"\n[workspace.dependencies]\na = \"1\"\n";
        assert_eq!(facts(cargo(workspace)), "||Rust (edition 2024)|cargo|a|`cargo test`");
        let uv = "[project]\nname = \"p\"\nrequires-python = \">=3.11\"\ndependencies = [\"httpx[http2]>=0.27\", \"rich\"]\n[tool.pytest]\n";
        assert_eq!(facts(python(uv, &|name| name == "uv.lock")), "p||Python >=3.11|uv|httpx rich|`pytest`");
        assert_eq!(facts(python("[project]\nname = \"p\"\n", &|_| false)), "p||Python|||");
        let module = "module example.com/team/tool\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.2.3\n\tgithub.com/c/d v1.0.0 // indirect\n)\n";
        assert_eq!(facts(go(module)), "tool||Go 1.22|go modules|github.com/a/b|`go test ./...`");
    }

    #[test]
    fn the_page_asks_for_what_is_not_known() {
        let page = Manifest { name: "x".into(), ..Manifest::default() }.page();
        assert_eq!(page.matches("TODO").count(), 4);
        assert!(page.starts_with("# x\n\n") && page.ends_with("-->\n"));
    }

    #[test]
    fn words_of_a_manifest_stay_on_their_line() {
        let text = "{\"name\":\"a\\n\\u001b[31m<!-- id:1 -->\",\"description\":\"x\\n## 2020-01-01\"}";
        let page = node(text, &|_| false).unwrap().page();
        assert!(page.starts_with("# a \\u{1b}[31m<!-- id:1 -->\n\nx ## 2020-01-01\n"), "{page}");
    }
}
