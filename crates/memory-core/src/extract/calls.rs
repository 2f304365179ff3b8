//! What tool calls tell by themselves: files that were changed, checks that were run, and whether the agent has read
//! what strangers wrote.

use super::Standing;
use super::ground::{Ground, inside};
use crate::session::shell::{Command, commands, is_setting, program_name};
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

/// Parts of names of tools that write whole files, so that nothing of somebody else is left in them.
const WRITING: &[&str] = &["write", "create_file", "createfile"];

/// Servers of tools that only tell what the editor knows of the project.
const LOCAL: &[&str] = &["mcp__ide__"];

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

/// Programs of [`SHOWING`] whose first argument is a pattern.
const MATCHING: &[&str] = &["grep", "rg", "sed", "awk", "jq", "yq"];

/// Words behind `git` that show what a repository holds.
#[rustfmt::skip]
const OF_REPOSITORY: &[&str] = &[
    "show", "log", "diff", "grep", "blame", "cat-file", "shortlog", "whatchanged", "archive", "format-patch", "stash",
];

/// What a code host keeps that strangers write.
#[rustfmt::skip]
const HOSTED: &[&str] = &["issue", "pr", "mr", "api", "gist", "snippet", "search", "discussion", "release"];

/// Words behind these that only send something.
#[rustfmt::skip]
const SENDING: &[&str] = &[
    "create", "edit", "update", "merge", "close", "reopen", "ready", "comment", "note", "review", "approve", "lock",
    "unlock", "delete", "upload", "pin", "unpin", "update-branch",
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

/// Whether the agent read something in this message that came from outside the project. What it wrote is noted.
pub(super) fn reads_strangers(message: &Message, standing: &mut Standing, project: &[String]) -> bool {
    if standing.began.is_none() {
        standing.began.clone_from(&message.cwd);
    }
    if message.tools.is_empty() {
        return false;
    }
    let folders = project.iter().map(String::as_str).chain(standing.began.as_deref());
    let mut ground = Ground::new(folders, message.cwd.as_deref(), &mut standing.written);
    let mut strange = false;
    for call in &message.tools {
        strange |= is_strange(call, &mut ground);
    }
    strange
}

fn is_strange(call: &ToolCall, ground: &mut Ground<'_>) -> bool {
    let name = call.name.to_lowercase();
    let named = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let ours = named(&["agent-memory", "agent_memory"]);
    let strange = name.contains("mcp") && !ours && !named(LOCAL)
        || named(STRANGE)
        || !named(CHANGING) && call.paths.iter().any(|path| ground.is_outside(path))
        || call.command.as_deref().is_some_and(|line| line_fetches(line, ground));
    if named(WRITING) && call.failed != Some(true) {
        call.paths.iter().for_each(|path| ground.wrote(path));
    }
    strange
}

/// Whether a command of a line brings in what strangers wrote, each in the folder to which those before it went.
fn line_fetches(line: &str, ground: &mut Ground<'_>) -> bool {
    let start = ground.base();
    let mut strange = false;
    for command in commands(line) {
        strange |= fetches(&command, ground);
        if command.elsewhere {
            continue;
        }
        command.writes.iter().for_each(|path| ground.wrote(path));
        match command.program().as_str() {
            "tee" => command.arguments().for_each(|path| ground.wrote(path)),
            "cd" | "chdir" | "pushd" | "set-location" | "sl" => {
                // `/d` is an option of Windows.
                let option = |word: &&String| *word == "/d" || word.len() > 1 && word.starts_with('-');
                match command.words.iter().skip(1).find(|word| !option(word)) {
                    Some(folder) if folder == "-" => ground.back(start.clone()),
                    Some(folder) => ground.go(folder),
                    None => ground.go("~"),
                }
            }
            "popd" => ground.back(start.clone()),
            _ => {}
        }
    }
    ground.back(start);
    strange
}

fn fetches(command: &Command, ground: &Ground<'_>) -> bool {
    let program = command.program();
    let one_of = |programs: &[&str]| programs.contains(&program.as_str());
    let first = command.arguments().next().unwrap_or_default();
    if command.reads.iter().any(|path| ground.is_outside(path)) || one_of(FETCHING) {
        return true;
    }
    if one_of(SHOWING) {
        return command.elsewhere || shows_outside(command, ground);
    }
    let addressed = || command.words.iter().any(|word| names_address(word));
    match program.as_str() {
        "gh" | "glab" => {
            let mut behind = command.arguments().skip_while(|word| !HOSTED.contains(word));
            let what = behind.next();
            what.is_some()
                && (what == Some("api") || !behind.next().is_some_and(|verb| SENDING.contains(&verb)))
        }
        "az" if first == "boards" => true,
        "git" => {
            command.arguments().any(|word| word == "clone")
                || reads_remote(command) && addressed()
                || shows_repository(command, ground)
        }
        _ if one_of(HANDING_ON) || one_of(CHECKERS) => false,
        _ if one_of(MANAGING) => RUNNING.contains(&first) && addressed(),
        _ => addressed() || one_of(INTERPRETERS) && is_fetching_code(command),
    }
}

/// Whether a program that shows files shows one from outside.
fn shows_outside(command: &Command, ground: &Ground<'_>) -> bool {
    let program = command.program();
    let given =
        |word: &&String| word.starts_with("-e") || word.starts_with("-f") || word.starts_with("--regexp");
    let pattern =
        MATCHING.contains(&program.as_str()) && !command.words.iter().skip(1).any(|word| given(&word));
    let mut files = command.arguments().skip(usize::from(pattern));
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    // An address is only looked for here: these programs read files.
    files.any(|word| !word.contains("://") && !is_number(word) && ground.is_outside(word))
}

/// Whether `git` shows what a repository outside holds.
fn shows_repository(command: &Command, ground: &Ground<'_>) -> bool {
    let words = &command.words;
    let behind = |option: &str| words.iter().skip_while(|word| *word != option).nth(1);
    let joined = |option: &str| words.iter().find_map(|word| word.strip_prefix(option));
    let named =
        behind("-C").map(String::as_str).or_else(|| joined("--git-dir=")).or_else(|| joined("--work-tree="));
    let outside = named.map_or_else(|| ground.is_away(), |folder| ground.is_outside(folder));
    outside && command.arguments().any(|word| OF_REPOSITORY.contains(&word))
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
pub(super) fn changed(message: &Message, project: &[String]) -> Vec<String> {
    if message.tools.is_empty() {
        return Vec::new();
    }
    let cwd = message.cwd.as_deref();
    let mut nothing = Vec::new();
    let folders = || project.iter().map(String::as_str).chain(cwd);
    let ground = Ground::new(folders(), cwd, &mut nothing);
    let calls = message.tools.iter().filter(|call| {
        let name = call.name.to_lowercase();
        call.failed != Some(true) && CHANGING.iter().any(|part| name.contains(part))
    });
    let paths = calls.flat_map(|call| &call.paths).filter(|path| ground.is_in_project(path));
    let short = |path: &String| {
        let path = path.replace('\\', "/");
        let short = folders().find_map(|folder| inside(&path, &folder.replace('\\', "/"))).unwrap_or(&path);
        let short = short.trim_start_matches("./");
        let fits = short.chars().count() <= super::LONGEST && !short.contains(['\n', '\0']);
        (fits && !short.is_empty()).then(|| short.to_owned())
    };
    paths.filter_map(short).collect()
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
