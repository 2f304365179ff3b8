//! `demo`: a small true story in a temporary folder, told by running this very program step by step.
//!
//! The user's own settings, approvals and memories are not touched: the demo has a home of its own, and both
//! are removed at the end.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use memory_engine::ambient::names;
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::output::{Page, Render, Tone};
use crate::project::files;

/// See a small story of how memories are kept, captured, found, edited, forgotten and restored
#[derive(Args)]
#[command(after_help = "Example:
  agent-memory demo")]
pub(crate) struct Demo {}

impl Demo {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let folder = files::private_folder("agent-memory-demo")?;
        let told = Story::new(app, &folder).and_then(|mut story| story.tell());
        files::remove_folder(&folder);
        told
    }
}

struct Story<'a> {
    app: &'a mut App,
    program: PathBuf,
    home: PathBuf,
    project: PathBuf,
    steps: Vec<Value>,
}

impl<'a> Story<'a> {
    fn new(app: &'a mut App, folder: &Path) -> Outcome<Self> {
        let program = std::env::current_exe()?;
        let (home, project) = (folder.join("home"), folder.join("shop"));
        files::make_folder(&home)?;
        files::make_folder(&project)?;
        // The commands call it by this name, so that it can be shortened in what they say.
        let project = files::resolved(&project);
        Ok(Self { app, program, home, project, steps: Vec::new() })
    }

    fn tell(&mut self) -> Outcome<()> {
        self.say("A memory is a folder beside your project.")?;
        self.run(&["init"])?;
        self.say(
            "Agents and people keep what is worth knowing; the first words tell what sort of thing it is.",
        )?;
        let decision = "We decided to use SSE, because the proxy drops idle sockets #sse #architecture";
        let decision = self.remember(&["--agent", "dev", decision])?;
        self.remember(&["--agent", "dev", "Lesson: clear the build cache after a toolchain change #ci"])?;
        self.remember(&["--agent", "dev", "--kind", "task", "load-test the event stream"])?;
        self.remember(&["--agent", "dev", "The login failed after the token expired #session"])?;
        self.run(&["list"])?;
        self.say("A question finds what it means, in whatever words, and forgives a slip of the pen.")?;
        self.run(&["search", "authentication", "problem", "--limit", "1"])?;
        self.run(&["search", "toolchian", "--limit", "1"])?;
        self.say("Underneath it is markdown that you can read, edit and put under version control.")?;
        self.show_file("dev/decisions.md")?;
        self.say("An edit in any editor is found and kept.")?;
        self.edit_by_hand(
            "dev/decisions.md",
            "the proxy drops idle sockets",
            "the proxy drops idle sockets after 60 s",
        )?;
        self.run(&["history", &decision])?;
        self.say("Credentials are masked before the first byte reaches the disk.")?;
        // Put together here, so that this source does not look like a leaked credential itself.
        let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
        let secret = self.remember(&["--agent", "dev", &format!("The deploy bot uses {token}")])?;
        self.run(&["show", &secret])?;
        self.say("What is said in a session is remembered without anyone asking for it, and once.")?;
        self.hold_session()?;
        self.run(&["process", "--agent", "dev", "--transcripts-dir", "sessions"])?;
        self.run(&["process", "--agent", "dev", "--transcripts-dir", "sessions"])?;
        self.run(&["search", "--agent", "dev", "which", "database", "for", "sessions", "--limit", "1"])?;
        self.say("Forgetting goes to the archive, and comes back the same.")?;
        self.run(&["forget", &decision])?;
        self.run(&["restore", &decision])?;
        self.say("And a check-up tells whether everything is as it should be.")?;
        self.run(&["doctor", "--deep"])?;
        let steps = std::mem::take(&mut self.steps);
        Ok(self.app.out.show(&End(steps))?)
    }

    fn say(&mut self, text: &str) -> Outcome<()> {
        if self.is_text() {
            self.app.out.page().line(&[(Tone::Strong, &format!("\n# {text}"))])?;
        }
        Ok(())
    }

    /// Runs a command of this program and shows it as a person would have typed and seen it.
    fn run(&mut self, arguments: &[&str]) -> Outcome<String> {
        let output = Command::new(&self.program)
            .args(arguments)
            .current_dir(&self.project)
            .env(names::HOME, &self.home)
            .env_remove(names::DIR)
            .env_remove(names::AGENT)
            // The folder is gone when the story ends, so nothing may still be at work in it.
            .env(names::NO_BACKGROUND, "1")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .output()?;
        let typed: Vec<String> = arguments.iter().map(|it| quoted(it)).collect();
        let typed = format!("agent-memory {}", typed.join(" "));
        // Long temporary paths would hide the story.
        let shorter = |bytes: &[u8]| {
            String::from_utf8_lossy(bytes).replace(&self.project.display().to_string(), "shop")
        };
        let (answer, talk) = (shorter(&output.stdout), shorter(&output.stderr));
        self.steps.push(
            json!({ "command": typed, "stdout": answer, "stderr": talk, "code": output.status.code() }),
        );
        if self.is_text() {
            let mut page = self.app.out.page();
            page.line(&[(Tone::Good, "$ "), (Tone::Strong, &typed)])?;
            page.put(Tone::Plain, &answer)?;
            page.put(Tone::Dim, &talk)?;
            self.app.out.flush()?;
        }
        if output.status.success() {
            return Ok(answer);
        }
        Err(Failure::error("E_DEMO", format!("`{typed}` failed: {}", talk.trim())))
    }

    fn remember(&mut self, arguments: &[&str]) -> Outcome<String> {
        let answer = self.run(&[&["remember"], arguments].concat())?;
        let id = answer.split_whitespace().nth(1).map(str::to_owned);
        id.ok_or_else(|| Failure::error("E_DEMO", format!("`remember` answered `{}`", answer.trim())))
    }

    fn show_file(&mut self, file: &str) -> Outcome<()> {
        let text = files::read_text(&self.file(file)).unwrap_or_default();
        if self.is_text() {
            let mut page = self.app.out.page();
            page.line(&[(Tone::Good, "$ "), (Tone::Strong, &format!("cat .memory/{file}"))])?;
            page.body(&text)?;
        }
        Ok(())
    }

    /// Saves the file as an editor does.
    fn edit_by_hand(&mut self, file: &str, old: &str, new: &str) -> Outcome<()> {
        let path = self.file(file);
        let text = files::read_text(&path).unwrap_or_default();
        files::replace(&path, text.replace(old, new).as_bytes())?;
        if self.is_text() {
            let typed = format!("sed -i 's/{old}/{new}/' .memory/{file}");
            self.app.out.page().line(&[(Tone::Good, "$ "), (Tone::Strong, &typed)])?;
        }
        Ok(())
    }

    /// Writes down what a person and an agent said to each other, as a client does.
    fn hold_session(&mut self) -> Outcome<()> {
        let said = [
            ("user", "Which database do we take for the sessions?"),
            ("assistant", "Let me look at the code first."),
            ("assistant", "We decided to keep sessions in SQLite because the proxy drops idle sockets."),
            ("user", "Good. And why did the build fail last night?"),
            ("assistant", "The problem was that the disk of the runner was full."),
        ];
        let folder = self.project.join("sessions");
        files::make_folder(&folder)?;
        let line = |(role, text): &(&str, &str)| {
            format!(
                "{}\n",
                json!({ "role": role, "message": { "content": [{ "type": "text", "text": text }] } })
            )
        };
        let lines: String = said.iter().map(line).collect();
        files::replace(&folder.join("8a7b6c5d-0000-4000-8000-000000000001.jsonl"), lines.as_bytes())?;
        if self.is_text() {
            let mut page = self.app.out.page();
            for (role, text) in said {
                page.line(&[(Tone::Dim, &format!("{role:>9}: ")), (Tone::Plain, text)])?;
            }
        }
        Ok(())
    }

    fn file(&self, file: &str) -> PathBuf {
        self.project.join(".memory").join(file)
    }

    fn is_text(&self) -> bool {
        self.app.out.format() == crate::output::Format::Text
    }
}

fn quoted(argument: &str) -> String {
    let bare = argument.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
    if bare { argument.to_owned() } else { format!("\"{argument}\"") }
}

struct End(Vec<Value>);

impl Render for End {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        page.say("")?;
        page.say("That was the demo; its folder is gone again. In your own project:")?;
        page.say("  agent-memory init         sets a memory up")?;
        page.say("  agent-memory remember …   keeps a text")?;
        page.say("  agent-memory search …     finds it again")?;
        page.say("  agent-memory --help       shows everything else")
    }

    fn json(&self) -> Value {
        json!({ "steps": self.0 })
    }
}
