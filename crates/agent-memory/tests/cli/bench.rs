//! `bench`: figures on a person's own memories, and nothing changed by them.

use crate::sandbox::Sandbox;

#[test]
fn a_memory_is_measured_and_left_as_it_was() {
    let sandbox = Sandbox::ready();
    let lines: String = (0..30)
        .map(|n| format!("{{\"text\":\"subject{n} depends on matter{n} and on whether topic{n} is settled by then\"}}\n"))
        .collect();
    sandbox.command(["remember", "--lines", "--batch", "30"]).stdin(lines).go().code(0);
    sandbox.run(["index", "update"]).code(0);
    // Its own log flows back into the ledger whenever the last reader leaves.
    let tree = || {
        sandbox.tree().into_iter().filter(|(name, _)| !name.contains(".vault/ledger.db")).collect::<Vec<_>>()
    };
    let before = tree();
    let json = sandbox.run(["bench", "--count", "10", "--json"]).code(0).silent().json();
    assert!(json["memories"].as_u64() >= Some(30) && json["sampled"].as_u64() == Some(10), "{json}");
    for run in json["questions"].as_array().unwrap() {
        assert!(run["asked"].as_u64() >= Some(5), "{json}");
        assert!(
            run["top10"].as_f64() >= Some(0.9) && run["rank1"].as_f64() <= run["top10"].as_f64(),
            "{json}"
        );
        assert!(
            run["p50Ms"].as_f64() > Some(0.0) && run["p50Ms"].as_f64() <= run["p99Ms"].as_f64(),
            "{json}"
        );
    }
    assert_eq!(json["index"]["behind"], 0);
    sandbox.run(["bench"]).code(0).says("its rarest words").says("p99 ms").silent();
    let changed = tree().into_iter().filter(|file| !before.contains(file)).map(|(name, _)| name);
    assert_eq!(changed.collect::<Vec<_>>(), Vec::<String>::new());
    sandbox.run(["bench", "--count", "0"]).code(3);
    Sandbox::new().run(["bench"]).code(2).talks("E_NO_ROOT");
}

#[test]
fn what_is_private_is_no_question_for_a_server() {
    let sandbox = Sandbox::ready();
    sandbox.remember("The deploy runs every Friday afternoon from the release branch");
    let private = ["remember", "--sensitivity", "private-user", "My doctor says that coffee is bad for me"];
    sandbox.run(private).code(0);
    let asked = || sandbox.run(["bench", "--json"]).code(0).json()["sampled"].clone();
    assert_eq!(asked(), 2);
    std::fs::write(sandbox.home().join("config.toml"), "[meaning]\nendpoint = \"http://127.0.0.1:9/v1\"\n")
        .unwrap();
    assert_eq!(asked(), 1);
}
