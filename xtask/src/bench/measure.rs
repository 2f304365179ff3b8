//! Times, rates and peak memory of what is measured.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The release binary of the product, built if need be and installed.
pub(crate) fn product() -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "agent-memory"])
        .status()
        .map_err(|error| format!("could not start cargo: {error}"))?;
    if !built.success() {
        return Err("the product does not build".to_owned());
    }
    let target =
        std::env::var("CARGO_TARGET_DIR").map_or_else(|_| crate_root().join("target"), PathBuf::from);
    let name = if cfg!(windows) { "agent-memory.exe" } else { "agent-memory" };
    installed(&target.join("release").join(name))
}

/// A copy of a program, which is what an installation leaves. A linker writes its file here and there, so that the system
/// keeps it in many small pieces, and every start from those takes up to a millisecond more.
pub(crate) fn installed(program: &Path) -> Result<PathBuf, String> {
    let folder = program.with_file_name("installed");
    let copy = folder.join(program.file_name().unwrap_or_default());
    let put = std::fs::create_dir_all(&folder).and_then(|()| {
        // One that still runs keeps its own, and one that starts meanwhile never meets half of it.
        let new = folder.join(format!("{}.new", std::process::id()));
        std::fs::copy(program, &new)?;
        std::fs::rename(&new, &copy)
    });
    put.map(|()| copy).map_err(|error| format!("could not copy `{}`: {error}", program.display()))
}

fn crate_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// A list of durations and what it says.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The duration below which this share lies, in milliseconds.
    pub(crate) fn share(&mut self, share: f64) -> f64 {
        self.0.sort_unstable();
        let at = ((self.0.len() as f64 - 1.0) * share).round() as usize;
        self.0.get(at).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    }
}

/// What a finished process took.
pub(crate) struct Ran {
    pub(crate) time: Duration,
    pub(crate) peak_mb: f64,
    pub(crate) stdout: usize,
}

/// Runs a command to its end, with text on its standard input, and watches its peak memory.
pub(crate) fn watch(command: &mut Command, input: Option<&[u8]>) -> Result<Ran, String> {
    let start = Instant::now();
    let mut child = command
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("could not start: {error}"))?;
    let mut sink = child.stdin.take();
    let mut output = child.stdout.take();
    let (sent, read) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| match (sink.take(), input) {
            (Some(mut sink), Some(bytes)) => sink.write_all(bytes).is_ok(),
            _ => true,
        });
        let reader = scope.spawn(|| {
            let mut bytes = 0;
            if let Some(output) = output.as_mut() {
                bytes = std::io::copy(output, &mut std::io::sink()).unwrap_or(0);
            }
            bytes
        });
        let peak = peak_of(&mut child);
        (writer.join().unwrap_or(false), (reader.join().unwrap_or(0), peak))
    });
    let (stdout, peak) = read;
    let status = child.wait().map_err(|error| error.to_string())?;
    if !status.success() || !sent {
        return Err(format!("the measured command ended with {status}"));
    }
    Ok(Ran {
        time: start.elapsed(),
        peak_mb: peak as f64 / 1024.0,
        stdout: usize::try_from(stdout).unwrap_or(0),
    })
}

/// Watches a process until it ends; the peak of its memory in kilobytes, where the system tells it.
fn peak_of(child: &mut Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        if let Ok(text) = std::fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let now =
                line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse().ok()).unwrap_or(0);
            peak = peak.max(now);
        }
        match child.try_wait() {
            Ok(None) => std::thread::sleep(Duration::from_micros(300)),
            _ => return peak,
        }
    }
}
