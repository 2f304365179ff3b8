//! What tool calls tell by themselves: files that were changed, checks that were run, and whether the agent has read
//! what strangers wrote.

use crate::session::{Message, ToolCall};

/// Parts of names of tools that bring in what strangers wrote.
const STRANGE: &[&str] = &[
    "fetch",
    "websearch",
    "web_search",
    "search_web",
    "browser",
    "navigate",
    "playwright",
    "puppeteer",
    "crawl",
    "scrape",
    "read_url",
    "open_url",
    "http",
    "slack",
    "email",
    "gmail",
    "jira",
];

/// Parts of names of tools that change files.
const CHANGING: &[&str] = &["edit", "write", "patch", "create_file", "createfile", "replace", "insert"];

/// Programs that bring in what strangers wrote.
const FETCHING: &[&str] = &["curl", "wget", "http", "https", "xh", "lynx", "w3m", "links", "aria2c", "jira"];

/// Programs that show the files they are given.
const SHOWING: &[&str] = &[
    "cat", "less", "more", "head", "tail", "grep", "rg", "sed", "awk", "bat", "jq", "strings", "source", ".",
];

/// Whether the agent read something in this message that came from outside the project.
pub(super) fn reads_strangers(message: &Message) -> bool {
    let cwd = message.cwd.as_deref();
    message.tools.iter().any(|call| is_strange(call, cwd))
}

fn is_strange(call: &ToolCall, cwd: Option<&str>) -> bool {
    let name = call.name.to_lowercase();
    let ours = name.contains("agent-memory") || name.contains("agent_memory");
    let foreign_server = (name.starts_with("mcp_") || name.contains("mcp:")) && !ours;
    foreign_server
        || STRANGE.iter().any(|part| name.contains(part))
        || call.paths.iter().any(|path| is_outside(path, cwd))
        || call.command.as_deref().is_some_and(|line| parts(line).any(|part| fetches(part, cwd)))
}

/// Whether a path or address lies outside the folder in which the agent works.
fn is_outside(path: &str, cwd: Option<&str>) -> bool {
    if let Some((scheme, _)) = path.split_once("://") {
        return scheme != "file" && scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '+');
    }
    let path = path.replace('\\', "/");
    if path.starts_with("~/") || path.starts_with("../") || path.contains("/../") {
        return true;
    }
    let bytes = path.as_bytes();
    let drive = bytes.get(1) == Some(&b':') && bytes.get(2) == Some(&b'/');
    let absolute = path.starts_with('/') || drive;
    absolute && !path.starts_with("/dev/") && cwd.is_some_and(|cwd| inside(&path, cwd).is_none())
}

/// The rest of a path behind the folder it lies in.
fn inside<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let folder = folder.replace('\\', "/");
    let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
    rest.strip_prefix('/').or_else(|| rest.is_empty().then_some(rest))
}

fn fetches(part: &str, cwd: Option<&str>) -> bool {
    let mut words = words(part);
    let Some(program) = words.next().map(program_name) else { return false };
    if FETCHING.contains(&program) {
        return true;
    }
    if matches!(program, "gh" | "glab") {
        return words.next().is_some_and(|topic| {
            matches!(topic, "issue" | "pr" | "mr" | "api" | "gist" | "search" | "discussion" | "release")
        });
    }
    SHOWING.contains(&program) && words.any(|word| is_outside(word.trim_matches(['"', '\'']), cwd))
}

/// The files of the project that a message changed, each by its path in the project.
pub(super) fn changed(message: &Message) -> impl Iterator<Item = String> {
    let cwd = message.cwd.as_deref();
    let calls = message.tools.iter().filter(|call| {
        let name = call.name.to_lowercase();
        call.failed != Some(true) && CHANGING.iter().any(|part| name.contains(part))
    });
    calls.flat_map(|call| &call.paths).filter(move |path| !is_outside(path, cwd)).filter_map(move |path| {
        let path = path.replace('\\', "/");
        let short = cwd.and_then(|cwd| inside(&path, cwd)).unwrap_or(&path);
        let short = short.trim_start_matches("./");
        let fits = short.chars().count() <= super::LONGEST && !short.contains(['\n', '\0']);
        (fits && !short.is_empty()).then(|| short.to_owned())
    })
}

/// The checks that a message ran, each with whether it failed where that is known.
pub(super) fn checks(message: &Message) -> impl Iterator<Item = (String, Option<bool>)> {
    message.tools.iter().filter_map(|call| {
        let line = call.command.as_deref()?;
        let check = parts(line).find(|part| is_check(part))?;
        let line = check.split_whitespace().collect::<Vec<_>>().join(" ");
        (line.chars().count() <= super::LONGEST).then_some((line, call.failed))
    })
}

/// Programs that do nothing but check or build.
const CHECKERS: &[&str] = &[
    "pytest",
    "tox",
    "nox",
    "jest",
    "vitest",
    "mocha",
    "tsc",
    "eslint",
    "phpunit",
    "rspec",
    "ctest",
    "mypy",
    "ruff",
    "flake8",
    "pylint",
    "pyright",
    "shellcheck",
    "golangci-lint",
    "rubocop",
    "biome",
    "ava",
    "cypress",
    "playwright",
    "stylelint",
    "behat",
    "pest",
    "ktlint",
    "detekt",
    "swiftlint",
];

/// Programs with the first words behind them that make a check of them.
const RUNNERS: &[(&str, &[&str])] = &[
    ("cargo", &["test", "build", "check", "clippy", "nextest", "xtask"]),
    ("npm", &["test", "t"]),
    ("pnpm", &["test", "build", "lint", "typecheck", "check"]),
    ("yarn", &["test", "build", "lint", "typecheck", "check"]),
    ("bun", &["test"]),
    ("deno", &["test", "check", "lint"]),
    ("go", &["test", "build", "vet"]),
    ("make", &["test", "check", "build", "lint", "all"]),
    ("just", &["test", "check", "build", "lint"]),
    ("mvn", &["test", "verify", "package", "install"]),
    ("gradle", &["test", "build", "check", "integrationTest"]),
    ("gradlew", &["test", "build", "check", "integrationTest"]),
    ("dotnet", &["test", "build"]),
    ("mix", &["test", "compile", "credo", "dialyzer"]),
    ("rails", &["test"]),
    ("rake", &["test", "spec"]),
    ("buf", &["lint", "build", "breaking"]),
    ("swift", &["test", "build"]),
    ("bazel", &["test", "build"]),
    ("zig", &["build", "test"]),
    ("flutter", &["test", "analyze"]),
    ("dart", &["test", "analyze"]),
    ("terraform", &["validate"]),
    ("helm", &["lint"]),
    ("cmake", &["--build"]),
    ("composer", &["test"]),
    ("pre-commit", &["run"]),
    ("php", &["artisan"]),
];

/// Words of scripts of a project that say that they check.
const SCRIPTS: &[&str] = &["test", "build", "lint", "check", "typecheck", "e2e", "verify", "ci"];

fn is_check(part: &str) -> bool {
    let mut words = words(part).peekable();
    let Some(mut program) = words.next().map(program_name) else { return false };
    // What only starts another program is skipped.
    while matches!(program, "npx" | "bunx" | "uvx" | "time" | "sudo" | "exec" | "xvfb-run")
        || (matches!(program, "uv" | "poetry" | "pipenv" | "bundle" | "pnpm")
            && matches!(words.peek(), Some(&("run" | "exec" | "dlx"))))
        || (matches!(program, "python" | "python3" | "py") && words.peek() == Some(&"-m"))
    {
        if matches!(words.peek(), Some(&("run" | "exec" | "dlx" | "-m"))) {
            words.next();
        }
        match words.next() {
            Some(word) if program == "pnpm" && SCRIPTS.contains(&script(word)) => return true,
            Some(word) => program = program_name(word),
            None => return false,
        }
    }
    if CHECKERS.contains(&program) {
        return words.peek().is_none_or(|word| !matches!(*word, "install" | "init" | "--version"));
    }
    let rest: Vec<&str> = words.collect();
    let verb = rest.iter().find(|word| !word.starts_with('-') || **word == "--build").copied().unwrap_or("");
    if matches!(program, "npm" | "yarn" | "bun") && verb == "run" {
        let name = rest.iter().skip_while(|word| **word != "run").nth(1);
        return name.is_some_and(|name| SCRIPTS.contains(&script(name)));
    }
    if program == "php" && verb == "artisan" {
        return rest.contains(&"test");
    }
    RUNNERS.iter().any(|(runner, verbs)| *runner == program && verbs.contains(&verb))
}

/// The first part of a script's name: `test:e2e` is a test.
fn script(name: &str) -> &str {
    name.split([':', '-', '_']).next().unwrap_or(name)
}

/// The commands of a command line.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    line.split(['\n', ';', '|', '&']).map(str::trim).filter(|part| !part.is_empty())
}

/// The words of a command behind the variables that are set for it.
fn words(part: &str) -> impl Iterator<Item = &str> {
    let is_setting = |word: &&str| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    part.split_whitespace().skip_while(is_setting)
}

fn program_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}
