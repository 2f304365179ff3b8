//! Whether a command line checks the work: by the program that runs, and by what it is told to do, never by the names of
//! files beside them.

use super::shell::{Command, commands};

/// What a check is called, as a part of a program's name, of a subcommand or of a script.
#[rustfmt::skip]
const CHECKS: &[&str] = &[
    "test", "tests", "check", "checks", "lint", "clippy", "build", "tsc", "mypy", "verify", "compile", "typecheck",
    "nextest", "vet", "pytest", "unittest", "vitest", "jest", "mocha", "ava", "eslint", "stylelint", "ruff", "flake8",
    "pylint", "pyright", "basedpyright", "shellcheck", "hadolint", "ctest", "tox", "nox", "rspec", "rubocop", "phpunit",
    "phpstan", "playwright", "cypress", "ktlint", "detekt", "swiftlint", "xcodebuild", "ninja", "selftest", "e2e",
];
/// Programs that are told what to do by a subcommand, a target or a script.
#[rustfmt::skip]
const TOLD: &[&str] = &[
    "cargo", "go", "npm", "pnpm", "yarn", "bun", "npx", "bunx", "pnpx", "deno", "node", "ts-node", "tsx", "make", "gmake",
    "just", "task", "gradle", "gradlew", "mvn", "mvnw", "dotnet", "swift", "zig", "bazel", "bazelisk", "buck2", "mix",
    "rake", "rails", "bundle", "composer", "php", "ruby", "python", "python3", "py", "uv", "uvx", "poetry", "pdm", "hatch",
    "pipenv", "nx", "turbo", "lerna", "moon", "vite", "next", "ng", "vue", "biome", "docker", "podman", "meson", "sbt",
    "lein", "stack", "cabal", "dune", "flutter", "dart", "terraform", "helm", "forge", "bash", "sh", "zsh", "fish",
];
/// Words that only say that something else follows.
const RUNS: &[&str] = &["run", "exec", "x", "dlx", "compose", "run-script", "tool", "workspace"];

/// Whether a command line checks the work.
pub(super) fn checks(line: &str) -> bool {
    commands(line).iter().any(is_check)
}

fn is_check(command: &Command) -> bool {
    let program = command.program();
    if program == "test" {
        // The shell's own, which looks whether a file is there.
        return false;
    }
    if program == "cmake" {
        return command.words.iter().any(|word| word == "--build");
    }
    let told = || command.arguments().find(|word| !RUNS.contains(word)).is_some_and(names_check);
    names_check(&program) || TOLD.contains(&program.as_str()) && told()
}

/// Whether a name is that of a check; of a path its last part.
fn names_check(name: &str) -> bool {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name).to_lowercase();
    last.split(|c: char| !c.is_alphanumeric()).any(|part| CHECKS.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_that_check_the_work() {
        for line in [
            "cargo test --all",
            "cd web && pnpm run test:unit 2>&1 | tail -5",
            "npx tsc --noEmit",
            "uv run pytest -q tests/a.py",
            "python -m mypy src",
            "CI=1 timeout 60 ./scripts/run-tests.sh",
            "bash scripts/check.sh",
            "make -j4 build",
            "./gradlew check",
            "cmake --build out",
            "golangci-lint run",
            "bash -c 'go vet ./...'",
            "docker compose build",
        ] {
            assert!(checks(line), "{line}");
        }
        for line in [
            "git checkout package-lock.json",
            "git commit -m 'fix the build'",
            "ls src/tests",
            "cat build.log",
            "rm -rf build && mkdir build",
            "test -f Cargo.toml",
            "cd tests",
            "npm install eslint",
            "node server.js test",
            "grep -rn check src",
            "",
        ] {
            assert!(!checks(line), "{line}");
        }
    }
}
