//! What an earlier session left open or settled, and a later one tells otherwise.

use memory_engine::core::kind::Kind;

use super::{OTHER, Told, texts};

#[test]
fn a_report_of_the_work_ticks_the_task_of_another_session() {
    let mut told = Told::new();
    let memory = told.sandbox.open();
    told.says("user", "TODO: add a health check endpoint");
    told.says("user", "TODO: write the load test with k6");
    told.says("user", "TODO: tag the release");
    told.take(&memory);
    told.goes_on_in(OTHER);
    told.says(
        "assistant",
        "I've added the health check endpoint in `src/server.ts`. Next I will tag the release.",
    );
    told.says("user", "we no longer need the load test with k6");
    told.take(&memory);
    let mut tasks = texts(&memory, Kind::Task);
    tasks.sort();
    assert_eq!(
        tasks,
        ["- [ ] Tag the release", "- [x] Add a health check endpoint", "- [x] Write the load test with k6"]
    );
    assert_eq!(texts(&memory, Kind::Decision), Vec::<String>::new());
}
