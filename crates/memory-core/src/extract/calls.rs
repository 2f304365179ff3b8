//! What tool calls tell by themselves: files that were changed, checks that were run, and whether the agent has read
//! what strangers wrote.

use super::shell::{Command, commands, is_setting, program_name};
use crate::session::{Message, ToolCall};

/// Parts of names of tools that bring in what strangers wrote.
#[rustfmt::skip]
const STRANGE: &[&str] = &[
    "fetch", "websearch", "web_search", "search_web", "browser", "navigate", "playwright", "puppeteer",
    "crawl", "scrape", "read_url", "open_url", "http", "slack", "email", "gmail", "jira", "issue",
    "pull_request", "pullrequest", "discussion", "github", "gitlab", "notion", "confluence", "discord",
    "telegram", "reddit", "twitter", "outlook", "zendesk",
];

/// Parts of names of tools that change files.
const CHANGING: &[&str] = &["edit", "write", "patch", "create_file", "createfile", "replace", "insert"];

/// Programs that bring in what strangers wrote.
#[rustfmt::skip]
const FETCHING: &[&str] = &[
    "curl", "wget", "http", "https", "xh", "lynx", "w3m", "links", "aria2c", "jira", "acli", "invoke-webrequest",
    "iwr", "invoke-restmethod", "irm", "start-bitstransfer",
];

/// Programs that show the files they are given.
#[rustfmt::skip]
const SHOWING: &[&str] = &[
    "cat", "less", "more", "head", "tail", "grep", "rg", "sed", "awk", "bat", "jq", "strings", "source", ".",
    "nl", "tac", "sort", "cut", "diff", "yq", "xxd", "zcat", "pandoc", "pdftotext", "xmllint", "type",
    "get-content", "gc",
];

/// Programs that are given addresses and read nothing from them.
#[rustfmt::skip]
const HANDING_ON: &[&str] = &[
    "git", "echo", "printf", "export", "set", "setx", "alias", "test", "[", "[[", "for", "case", "read",
    "declare", "local", "cd", "ls", "mkdir", "touch", "rm", "mv", "cp", "tee", "tr", "open", "xdg-open",
    "start", "code", "agent-memory", "ping", "dig", "nslookup", "make", "write-output", "write-host",
];

/// Programs that only install, build or set things, unless they run something by one of the words of [`RUNNING`].
#[rustfmt::skip]
const MANAGING: &[&str] = &[
    "npm", "pnpm", "yarn", "bun", "deno", "pip", "pip3", "uv", "poetry", "pipenv", "conda", "cargo", "go",
    "gem", "bundle", "composer", "apt", "apt-get", "brew", "dnf", "apk", "docker", "podman", "kubectl",
    "helm", "terraform", "dotnet", "mvn", "gradle", "gradlew", "nix", "rustup", "gcloud", "aws", "az",
];

const RUNNING: &[&str] = &["run", "exec", "dlx", "x", "tool"];

/// Programs that run the code they are given.
const INTERPRETERS: &[&str] =
    &["python", "python3", "py", "node", "ruby", "perl", "php", "deno", "bun", "lua"];

/// What code that reads addresses calls, in lower case.
#[rustfmt::skip]
const FETCHING_CODE: &[&str] = &[
    "requests.get", "requests.post", "requests.request", "requests.session", "urllib", "urlopen", "httpx.",
    "aiohttp", "fetch(", "http.get", "https.get", "axios", "open-uri", "net::http", "lwp", "http::tiny",
    "curl", "wget",
];

/// Whether the agent read something in this message that came from outside the project.
pub(super) fn reads_strangers(message: &Message) -> bool {
    let cwd = message.cwd.as_deref();
    message.tools.iter().any(|call| is_strange(call, cwd))
}

fn is_strange(call: &ToolCall, cwd: Option<&str>) -> bool {
    let name = call.name.to_lowercase();
    let ours = name.contains("agent-memory") || name.contains("agent_memory");
    let fetches = |line: &str| commands(line).iter().any(|command| fetches(command, cwd));
    name.contains("mcp") && !ours
        || STRANGE.iter().any(|part| name.contains(part))
        || call.paths.iter().any(|path| is_outside(path, cwd))
        || call.command.as_deref().is_some_and(fetches)
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

fn fetches(command: &Command, cwd: Option<&str>) -> bool {
    let program = command.program();
    let one_of = |programs: &[&str]| programs.contains(&program.as_str());
    let first = command.arguments().next().unwrap_or_default();
    if command.reads.iter().any(|path| is_outside(path, cwd)) || one_of(FETCHING) {
        return true;
    }
    if one_of(SHOWING) {
        // An address is only looked for here: these programs read files.
        let outside = |word: &str| !word.contains("://") && is_outside(word, cwd);
        return command.elsewhere || command.words.iter().skip(1).any(|word| outside(word));
    }
    let addressed = || command.words.iter().any(|word| names_address(word));
    match program.as_str() {
        "gh" | "glab" => {
            matches!(first, "issue" | "pr" | "mr" | "api" | "gist" | "search" | "discussion" | "release")
        }
        "az" if first == "boards" => true,
        "git" => command.arguments().any(|word| word == "clone") || reads_remote(command) && addressed(),
        _ if one_of(HANDING_ON) || one_of(CHECKERS) => false,
        _ if one_of(MANAGING) => RUNNING.contains(&first) && addressed(),
        _ => addressed() || one_of(INTERPRETERS) && is_fetching_code(command),
    }
}

/// Whether `git` takes in what lies at the address it is given, rather than hand it on.
fn reads_remote(command: &Command) -> bool {
    command.arguments().any(|word| matches!(word, "fetch" | "pull" | "submodule" | "archive"))
        && !command.arguments().any(|word| matches!(word, "commit" | "push" | "remote" | "config" | "tag"))
}

fn is_fetching_code(command: &Command) -> bool {
    let fetching = |code: &str| {
        let code = code.to_lowercase();
        FETCHING_CODE.iter().any(|call| code.contains(call))
    };
    let option = |word: &String| word.starts_with('-');
    let inline = command.words.iter().skip(1).skip_while(|word| !option(word)).any(|word| fetching(word));
    inline || fetching(&command.given)
}

/// Whether a text names a place on the net, other than this machine.
fn names_address(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.match_indices("://").any(|(at, sign)| {
        let scheme = ["http", "https", "ftp"].iter().any(|scheme| lower[..at].ends_with(scheme));
        let rest = &lower[at + sign.len()..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "-._@:[]%".contains(c))).unwrap_or(rest.len());
        let host = rest[..end].rsplit('@').next().unwrap_or_default();
        let host = host.split(':').next().unwrap_or_default();
        let here = host.starts_with("127.") || host == "0.0.0.0" || host.ends_with(".localhost");
        // A name without a dot is one of this machine or of a network of containers.
        scheme && host.contains('.') && !here && host != "host.docker.internal"
    })
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
    part.split_whitespace().skip_while(|word| is_setting(word))
}
