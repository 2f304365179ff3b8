//! `search`: what is asked in one way is found though it was kept in another, and an empty answer says why.

use std::io::Read;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

const LOGIN: &str = "login failed after the token expired";
const LOGIN_PT: &str = "o login falhou depois que o token expirou";

/// Notes of two agents, among them what the questions below ask for.
fn stocked() -> Sandbox {
    let sandbox = Sandbox::ready();
    for text in [
        LOGIN,
        LOGIN_PT,
        "the release train leaves on Tuesdays",
        "parseHttpHeader drops everything behind the colon",
        "a ação demora três segundos no banco de dados",
        "kubernetes evicts pods when the node runs out of disk",
        "We decided to use SSE, because the proxy drops idle sockets #sse",
        "Lesson: clear the build cache after a toolchain change #ci",
        "the coffee machine is on the second floor",
        "invoices are numbered by year and month",
    ] {
        sandbox.remember(text);
    }
    sandbox.run(["remember", "--agent", "ops", "TODO: rotate the signing keys of the proxy #keys"]).code(0);
    sandbox
}

fn contents(ran: &Ran) -> Vec<String> {
    let json = ran.json();
    let results = json["results"].as_array().unwrap().iter();
    results.map(|hit| hit["content"].as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn finds(sandbox: &Sandbox, question: &[&str], expect: &str) {
    let ran = sandbox.command([&["search", "--json"], question].concat()).go().code(0);
    let found = contents(&ran);
    let first = found.iter().take(3).any(|text| text.contains(expect));
    assert!(first, "{question:?} should find {expect:?}, found {found:?}");
}

#[test]
fn every_way_of_asking_finds_its_memory() {
    let sandbox = stocked();
    for (question, expect) in [
        (&["authentication problem"][..], LOGIN),
        (&["authentication", "problem"], LOGIN),
        (&["problema de autenticação"], LOGIN_PT),
        (&["kubernets evics"], "kubernetes"),
        (&["toolchian"], "toolchain"),
        (&["kuber"], "kubernetes"),
        (&["http header"], "parseHttpHeader"),
        (&["parseHttpHeader"], "parseHttpHeader"),
        (&["acao"], "ação"),
        (&["AÇÃO"], "ação"),
        (&["the"], "the "),
        (&["why does the release happen on a tuesday?"], "Tuesdays"),
        (&["\"idle sockets\""], "SSE"),
        (&["proxy", "-sse", "-cache"], "signing keys"),
        (&["proxy", "agent:ops"], "signing keys"),
        (&["proxy", "-a", "ops"], "signing keys"),
        (&["proxy", "--tag", "sse"], "SSE"),
        (&["proxy tag:sse"], "SSE"),
        (&["proxy", "-c", "decisions"], "SSE"),
        (&["proxy", "-k", "decisions", "--since", "yesterday"], "SSE"),
        (&["proxy since:7d", "--until", "today"], "proxy"),
    ] {
        finds(&sandbox, question, expect);
    }
    for ruled_out in [&["proxy", "-signing"][..], &["proxy", "-a", "dev"], &["proxy", "-c", "decisions"]] {
        let ran = sandbox.command([&["search", "--json"], ruled_out].concat()).go().code(0);
        assert!(contents(&ran).iter().all(|text| !text.contains("signing")), "{ruled_out:?}");
    }
    let none = sandbox.run(["search", "proxy", "--until", "2000-01-01"]).code(0);
    none.answers("(no results)\n").talks("`proxy` stands in 2 memories");
}

#[test]
fn the_shape_is_the_references_and_more() {
    let sandbox = stocked();
    let id = sandbox.remember("the espresso is in the upper drawer #kitchen");
    let ran = sandbox.run(["search", "espresso", "drawer", "-l", "1"]).code(0).silent();
    let (head, snippet) = ran.stdout.split_once('\n').unwrap();
    let rest = head.strip_prefix(&format!("[dev/notes] {id} score=")).unwrap_or_else(|| panic!("{head}"));
    let words: Vec<&str> = rest.split("  ").collect();
    assert!(words[0].split_once('.').is_some_and(|(_, digits)| digits.len() == 3), "{head}");
    assert!(words[1].len() == 10 && words[1].starts_with("20"), "{head}");
    let (file, lines) = words[2].split_once(':').unwrap();
    let line: usize = lines.parse().unwrap();
    assert_eq!(file, "dev/notes.md");
    assert_eq!(
        sandbox.read(file).lines().nth(line - 1),
        Some("the espresso is in the upper drawer #kitchen")
    );
    assert_eq!(snippet, "  the espresso is in the upper drawer #kitchen\n");
    let many = sandbox.run(["search", "proxy"]).code(0);
    let heads = many.stdout.lines().filter(|line| line.starts_with('[')).count();
    assert!(heads > 1 && many.stdout.matches("\n\n[").count() == heads - 1, "{}", many.stdout);
}

#[test]
fn json_is_a_superset_of_the_references() {
    let sandbox = stocked();
    let id = sandbox.remember("the espresso is in the upper drawer #kitchen");
    let json = sandbox.run(["search", "espresso drawer tag:", "--json"]).code(0).json();
    assert_eq!(json["query"], "espresso drawer tag:");
    for name in ["hidden", "behind"] {
        assert!(json[name].is_u64(), "{json}");
    }
    assert_eq!(json["words"][0]["word"], "espresso");
    assert_eq!(json["words"][0]["memories"], 1);
    assert!(json["notes"].is_array() && json.get("why").is_none());
    let hit = &json["results"][0];
    assert_eq!(
        [
            &hit["id"],
            &hit["agentId"],
            &hit["category"],
            &hit["kind"],
            &hit["file"],
            &hit["tags"],
            &hit["also"]
        ],
        [
            &json!(id),
            &json!("dev"),
            &json!("notes"),
            &json!("note"),
            &json!("dev/notes.md"),
            &json!(["kitchen"]),
            &json!([])
        ]
    );
    assert_eq!(hit["content"], "the espresso is in the upper drawer #kitchen");
    assert_eq!(hit["snippet"], hit["content"]);
    assert!(hit["score"].is_f64() && hit["date"].as_str().is_some_and(|date| date.len() == 16), "{hit}");
    assert!(hit["firstLine"].as_u64() <= hit["lastLine"].as_u64() && hit["firstLine"] != 0, "{hit}");
    assert!(hit.get("reasons").is_none() && hit.get("matched").is_none());
    let json = sandbox.run(["search", "espresso drawer", "--json", "--explain"]).code(0).json();
    let hit = &json["results"][0];
    assert!(hit["reasons"]["words"].as_f64().is_some_and(|part| part > 0.0), "{hit}");
    assert_eq!(hit["matched"]["espresso"], json!(["text"]));
}

#[test]
fn explaining_tells_the_reasons_and_the_question_as_understood() {
    let sandbox = stocked();
    sandbox.remember("the espresso is in the upper drawer of the kitchen");
    sandbox.remember("the espresso is in the upper drawer of the kitchen!");
    let ran = sandbox.run(["search", "espreso drawer since:never -a:b", "-a", "dev", "--explain"]).code(0);
    let ran = ran.says("    score: ").says("words +").says("    holds: ").says("drawer (text)");
    let ran = ran.says("question: espreso drawer").says("taken for espresso").says("only: agent dev");
    let ran = ran.says("`since:never` taken as text").talks("note: `since:never` is taken as text");
    assert!(ran.stdout.contains("nearly the same: "), "{}", ran.stdout);
    sandbox.run(["search", "espresso drawer"]).code(0).says("nearly the same: ");
    let ran = sandbox.run(["search", "what happened today", "--explain"]).code(0);
    ran.says("  time: since ").says(", before ");
    let json = sandbox.run(["search", "before 2020", "--json", "--explain"]).code(0).json();
    assert_eq!(json["time"], json!({ "since": null, "before": "2020-01-01T00:00" }));
    let ran = sandbox.run(["search", "authentication problem", "--explain"]).code(0);
    let ran = ran.talks("none of these holds a word of the question");
    ran.says("meaning +").says("no word of the question stands in it").says("in no memory");
    let json = sandbox.run(["search", "authentication problem", "--json"]).code(0).json();
    assert!(json["why"][0].as_str().unwrap().contains("nearest in meaning"), "{json}");
    assert_eq!(sandbox.run(["search", "login", "--json"]).code(0).json()["why"], json!(null));
    assert_eq!(sandbox.run(["search", "open tasks", "--json"]).code(0).json()["why"], json!(null));
}

#[test]
fn a_memory_is_found_by_its_id() {
    let sandbox = stocked();
    let id = sandbox.remember("the number of the house is seven");
    sandbox.remember(&format!("see {id} for the house"));
    let ran = sandbox.run(["search", &id, "--explain"]).code(0);
    let first = ran.stdout.lines().next().unwrap();
    assert!(first.contains(&id) && ran.stdout.contains(&format!("{id} (id)")), "{}", ran.stdout);
    let found = sandbox.run(["search", &id, "--json"]).code(0).json();
    assert_eq!(found["results"][0]["id"], json!(id), "{found}");
    assert_eq!(found["results"][1]["content"], json!(format!("see {id} for the house")), "{found}");
    let other = sandbox.run(["search", &id, "-c", "decisions", "--json"]).code(0).json();
    assert!(!other["results"].as_array().unwrap().iter().any(|hit| hit["id"] == json!(id)), "{other}");
}

#[test]
fn what_there_is_none_of_is_told() {
    let sandbox = stocked();
    sandbox.run(["search", "what is still open"]).code(0).says("- [ ] TODO: rotate the signing keys");
    let ran = sandbox.run(["search", "finished tasks"]).code(0).talks("there is no finished task");
    assert!(!ran.stdout.contains("rotate"), "{}", ran.stdout);
    let none = "there is no memory from that time (since 2020-03-01T00:00, before 2020-04-01T00:00)";
    sandbox.run(["search", "what happened in March 2020"]).code(0).says("(no results)").talks(none);
    let ran = sandbox.run(["search", "decisions in March 2020", "--json"]).code(0);
    assert_eq!(contents(&ran), ["We decided to use SSE, because the proxy drops idle sockets #sse"]);
    let why = ran.json()["why"][0].as_str().unwrap().to_owned();
    assert!(
        why.starts_with("there is no decision from that time") && why.ends_with("from other times"),
        "{why}"
    );
}

#[test]
fn an_empty_answer_says_why() {
    let sandbox = stocked();
    let nothing = |arguments: &[&str], code: i32| {
        let ran = sandbox.command([&["search"], arguments].concat()).go().code(code);
        ran.answers("(no results)\n")
    };
    nothing(&["zyzzyva", "-a", "nobody"], 2).talks("there is no agent `nobody`: there are dev, ops");
    nothing(&["zyzzyva agent:nobody"], 2).talks("there is no agent `nobody`");
    nothing(&["zyzzyva", "-c", "recipes"], 2).talks("there is no category `recipes`: there are decisions,");
    nothing(&["zyzzyva"], 0).talks("no memory holds `zyzzyva`");
    nothing(&["login -login"], 0).talks("`login` stands in 2 memories");
    nothing(&["  "], 0).talks("nothing was asked");
    nothing(&["zyzzyva", "-k", "decisoin"], 2).talks("there is no kind `decisoin`: there are");
    nothing(&["zyzzyva kind:decisoin"], 2).talks("there is no kind `decisoin`");
    nothing(&["login tag:nosuch"], 0).talks("no memory has the tag `nosuch`");
    let json = sandbox.run(["search", "zyzzyva", "-a", "nobody", "--json"]).code(2).json();
    assert_eq!(json["results"], json!([]));
    assert!(json["why"][0].as_str().unwrap().contains("nobody"), "{json}");
    Sandbox::ready().run(["search", "-a", "dev", "x"]).code(0).answers("(no results)\n").talks("remember");
    let alone = Sandbox::ready();
    alone.run(["remember", "--sensitivity", "secret", "the quokka hides"]).code(0);
    alone.run(["search", "quokka"]).code(0).answers("(no results)\n").talks("every memory here is secret");
    let (old, new) = (alone.remember("the walrus swims"), alone.remember("the pond is empty now"));
    alone.run(["supersede", &old, &new]).code(0);
    let ran = alone.run(["search", "walrus"]).code(0);
    ran.talks("1 memory that holds a word of this has been superseded: `--superseded` shows it too");
    let empty = Sandbox::new();
    empty.run(["search", "x"]).code(0).answers("(no results)\n").talks("agent-memory init");
    assert_eq!(empty.run(["search", "x", "--json"]).code(0).json()["results"], json!([]));
    assert!(!empty.file("").exists());
}

#[test]
fn what_is_kept_for_others_is_counted_and_not_shown() {
    let sandbox = stocked();
    sandbox.run(["remember", "--scope", "session", "--session", "s1", "the zyzzyva hums"]).code(0);
    sandbox.run(["remember", "--scope", "project", "the quokka naps"]).code(0);
    let ran = sandbox.run(["search", "zyzzyva"]).code(0).answers("(no results)\n");
    ran.talks("1 memory holds a word of this").talks("--session");
    assert_eq!(sandbox.run(["search", "zyzzyva", "--json"]).code(0).json()["hidden"], 1);
    sandbox.run(["search", "zyzzyva", "--session", "s1"]).code(0).says("the zyzzyva hums");
    sandbox.run(["search", "quokka"]).code(0).says("[project/").says("the quokka naps");
    let as_ops = |arguments: &[&str]| {
        sandbox.command([&["search"], arguments].concat()).env("AGENT_MEMORY_AGENT", "ops").go().code(0)
    };
    as_ops(&["espresso machine coffee floor"]).answers("(no results)\n").talks("--all-agents");
    as_ops(&["coffee machine", "--all-agents"]).says("second floor");
    as_ops(&["coffee machine", "-a", "dev"]).says("second floor");
    as_ops(&["quokka"]).says("the quokka naps");
    as_ops(&["signing keys"]).says("rotate the signing keys");
    sandbox.run(["search", "x", "-a", "dev", "--all-agents"]).code(3);
}

#[test]
fn limits_are_clamped_as_in_the_reference() {
    let sandbox = Sandbox::ready();
    let lines: String =
        (0..120).map(|n| format!("{{\"text\":\"quokka number {n} {}\"}}\n", word(n))).collect();
    sandbox.command(["remember", "--lines", "--batch", "200"]).stdin(lines).go().code(0);
    for (arguments, count) in [
        (&[][..], 10),
        (&["-l", "3"], 3),
        (&["--limit=25"], 25),
        (&["-l", "0"], 1),
        (&["-l", "-4"], 1),
        (&["-l", "1000"], 100),
    ] {
        let ran = sandbox.command([&["search", "quokka", "--json"], arguments].concat()).go().code(0);
        assert_eq!(contents(&ran).len(), count, "{arguments:?}");
    }
    sandbox.run(["search", "quokka", "-l", "1000"]).code(0).talks("from 1 to 100");
    sandbox.run(["search", "quokka", "-l", "ten"]).code(3).talks("from 1 to 100");
    sandbox.run(["search", "quokka", "-l", "NaN", "--json"]).code(3).fails_as("E_USAGE");
}

/// Words that make texts different enough not to be taken for nearly the same.
fn word(n: usize) -> String {
    let letters = |n: usize| -> String {
        (0..6).map(|at| char::from(b'a' + ((n * 7 + at * n + at) % 26) as u8)).collect()
    };
    format!("{} {} {}", letters(n + 1), letters(n * 31 + 5), letters(n * 17 + 11))
}

#[test]
fn a_prompt_comes_from_stdin() {
    let sandbox = stocked();
    let mut prompt =
        "Kubernetes evicts our pods: what did we learn about the node and its disk?\n".to_owned();
    while prompt.len() < 100_000 {
        prompt.push_str("Please look at everything that follows, and take your time with it.\n");
    }
    for arguments in [&["search", "--json"][..], &["search", "-", "--json"]] {
        let ran = sandbox.command(arguments).stdin(&prompt).go().code(0);
        assert_eq!(ran.json()["query"].as_str().unwrap().len(), prompt.len());
        assert!(contents(&ran).iter().any(|text| text.contains("kubernetes")), "{:?}", contents(&ran));
    }
    let long = "word ".repeat(300_000);
    let ran = sandbox.command(["search", "-"]).stdin(long).go().code(0);
    ran.talks("the prompt is long");
    sandbox.command(["search"]).stdin([0xff, 0xfe, b'x']).go().code(0);
    sandbox.run(["search"]).code(0).answers("(no results)\n").talks("nothing was asked");
}

#[test]
fn words_that_were_found_are_marked_on_a_screen_only() {
    let sandbox = stocked();
    let plain = sandbox.run(["search", "kubernetes", "-l", "1"]).code(0).says("  kubernetes evicts");
    assert!(!plain.stdout.contains('\u{1b}'));
    let marked = sandbox.run(["search", "kubernetes", "-l", "1", "--color", "always"]).code(0);
    assert!(marked.stdout.contains("kubernetes\u{1b}[0m evicts"), "{:?}", marked.stdout);
    let ran = sandbox.command(["search", "kubernetes"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").go();
    assert!(!ran.code(0).stdout.contains('\u{1b}'));
}

#[test]
fn hand_written_text_and_edits_are_found_at_once() {
    let sandbox = stocked();
    sandbox.write("dev/tasks.md", "- [ ] feed the axolotl\n");
    sandbox.run(["search", "axolotl"]).code(0).says("by hand").says("dev/tasks.md:1");
    let id = sandbox.remember("the wombat digs");
    sandbox.run(["edit", &id, "the numbat digs"]).code(0);
    sandbox.run(["search", "numbat"]).code(0).says(&id);
    sandbox.run(["forget", &id]).code(0);
    sandbox.run(["search", "numbat", "-c", "notes"]).code(0);
    let json = sandbox.run(["search", "numbat digs", "--json"]).code(0);
    assert!(!contents(&json).iter().any(|text| text.contains("numbat")));
    sandbox.run(["restore", &id]).code(0);
    sandbox.run(["search", "numbat"]).code(0).says(&id);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let sandbox = stocked();
    let mut child = Command::new(env!("CARGO_BIN_EXE_agent-memory"))
        .args(["search", "proxy", "--json"])
        .current_dir(sandbox.project())
        .env("AGENT_MEMORY_HOME", sandbox.home())
        .env("AGENT_MEMORY_NO_BACKGROUND", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut few = [0; 10];
    child.stdout.as_mut().unwrap().read_exact(&mut few).unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

#[test]
fn the_same_question_has_the_same_answer() {
    let sandbox = stocked();
    let once = |_: u8| -> Value {
        sandbox.run(["search", "proxy login", "--json"]).code(0).json()["results"].take()
    };
    assert_eq!(once(1), once(2));
}

#[test]
fn words_that_nobody_vouches_for_are_marked() {
    let sandbox = Sandbox::ready();
    let lines = "{\"text\":\"the lighthouse is open\",\"class\":\"untrusted\"}\n\
        {\"text\":\"the harbour is shut\",\"class\":\"foreign\"}\n{\"text\":\"the beach is wide\"}\n";
    sandbox.command(["remember", "--lines"]).stdin(lines).go().code(0);
    for (word, class, mark) in [
        ("lighthouse", "untrusted", " [untrusted]"),
        ("harbour", "foreign", " [foreign]"),
        ("beach", "human", ""),
    ] {
        let hit =
            sandbox.run(["search", word, "--limit", "1", "--json"]).code(0).json()["results"][0].clone();
        assert_eq!(hit["class"], class);
        let id = hit["id"].as_str().unwrap();
        assert_eq!(sandbox.run(["show", id, "--json"]).code(0).json()["class"], class);
        for text in [sandbox.run(["search", word, "--limit", "1"]), sandbox.run(["show", id])] {
            let head = text.stdout.lines().next().unwrap();
            assert!(head.contains(mark), "{head}");
            assert_eq!(
                head.contains(" [untrusted]") || head.contains(" [foreign]"),
                !mark.is_empty(),
                "{head}"
            );
        }
    }
}
