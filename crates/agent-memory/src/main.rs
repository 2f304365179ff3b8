//! The program `agent-memory`; everything it does stands in the library of the same name.

use std::process::ExitCode;

fn main() -> ExitCode {
    agent_memory::main()
}
