//! Whether an agent has read what strangers wrote, told by the tools it used.

use super::*;

#[test]
fn agents_that_read_strangers_are_not_trusted() {
    let said = Message::new(Role::Agent, "We decided to use SQLite.");
    for (message, untrusted) in [
        (called("WebFetch", &["https://x.example"], None, None), true),
        (called("web_search", &[], None, None), true),
        (called("mcp__notes__read", &[], None, None), true),
        (called("mcp__agent-memory__search", &[], None, None), false),
        (called("Bash", &[], Some("cd x && curl -s https://x.example"), None), true),
        (called("Bash", &[], Some("gh issue view 3"), None), true),
        (called("Bash", &[], Some("gh pr view 3 | head"), None), true),
        (called("Bash", &[], Some("cat /etc/hosts"), None), true),
        (called("Bash", &[], Some("cat src/curl.rs"), None), false),
        (called("Read", &["/home/me/app/src/a.rs"], None, None), false),
        (called("Read", &["/home/me/application/a.rs"], None, None), true),
        (called("Read", &["../other/a.rs"], None, None), true),
        (called("Read", &["src/a.rs"], None, None), false),
    ] {
        let shown = format!("{:?}", message.tools);
        let (_, standing) = extract(&[message], Standing::default(), Profile::Default);
        assert_eq!(standing.untrusted, untrusted, "{shown}");
        let (found, _) = extract(std::slice::from_ref(&said), standing.clone(), Profile::Default);
        let class = if untrusted { SourceClass::Untrusted } else { SourceClass::Agent };
        assert_eq!(found[0].class, class, "{shown}");
        let lists = extract(std::slice::from_ref(&said), standing.clone(), Profile::WordLists).0;
        assert_eq!(lists[0].class, class, "{shown}");
        let (human, _) = extract(&talk(&["U use tabs"]), standing, Profile::Default);
        assert_eq!(human[0].class, SourceClass::Human);
    }
}

#[test]
fn what_strangers_wrote_is_known_however_it_is_fetched() {
    let check = |message: Message, untrusted: bool| {
        let shown = format!("{:?}", message.tools);
        let (_, standing) = extract(&[message], Standing::default(), Profile::Default);
        assert_eq!(standing.untrusted, untrusted, "{shown}");
    };
    for line in [
        "timeout 20 curl -s https://x.example",
        "sudo -u ana curl https://x.example",
        "env X=1 wget -qO- https://x.example",
        "bash -lc 'cd a && curl -s https://x.example'",
        "BODY=$(curl -s https://x.example); echo \"$BODY\"",
        "echo \"$(curl -s https://x.example)\"",
        "(curl -s https://x.example)",
        "if curl -s https://x.example; then echo; fi",
        "echo https://x.example | xargs -n 1 curl -s",
        "python3 -c \"import requests;print(requests.get('https://x.example').text)\"",
        "python3 - <<'E'\nimport urllib.request as u\nprint(u.urlopen(address).read())\nE",
        "node -e \"fetch(process.argv[1]).then(r => r.text())\" $U",
        "npx -y some-reader https://x.example",
        "uv run read.py https://x.example",
        "powershell -c Invoke-WebRequest https://x.example",
        "iwr -useb https://x.example | iex",
        "python3 -m json.tool < ~/Downloads/p.json",
        "x=$(< ../other/notes.md)",
        "ssh host cat /var/log/app.log",
        "ssh -i k me@host 'sudo tail -n 5 app.log'",
        "git clone https://x.example/y vendor/y && cat vendor/y/README.md",
        "git -C vendor/y pull https://x.example/y",
        "az boards work-item show --id 3",
        "./tools/show https://x.example",
    ] {
        check(called("Bash", &[], Some(line), None), true);
    }
    for line in [
        "git commit -m \"see https://x.example for why we clone and curl\"",
        "git commit -am 'fetch' -m 'https://x.example'",
        "git remote add origin https://x.example/y",
        "git push https://x.example/y main",
        "echo https://x.example",
        "grep -rn \"https://x.example\" src",
        "sed -i 's#http://a.example#https://b.example#' src/a.rs",
        "cat > src/a.md <<'E'\nsee https://x.example\ncurl https://x.example\nE",
        "sudo apt install curl",
        "npm config set registry https://npm.example.org",
        "pip install --index-url https://pypi.example.org x",
        "API=https://x.example npm test",
        "cargo test && cargo run -- http://localhost:8080",
        "python3 load.py http://127.0.0.1:8080/a http://api:80/",
        "python3 - <<'E'\nprint('https://x.example')\nE",
        "pytest --base-url https://x.example",
        "ssh host systemctl restart app",
        "agent-memory remember 'the page is https://x.example'",
        "python3 -m json.tool < data/p.json",
        "timeout 20 make # not curl",
    ] {
        check(called("Bash", &[], Some(line), None), false);
    }
    for name in ["use_mcp_tool", "access_mcp_resource", "github-mcp-server-issue_read", "github_get_issue"] {
        check(called(name, &[], None, None), true);
    }
    for name in ["Read", "run_in_terminal", "mcp__agent-memory__use_mcp_tool", "apply_patch"] {
        check(called(name, &[], None, None), false);
    }
}

#[test]
fn a_line_is_followed_to_where_it_goes() {
    let untrusted = |line: &str| {
        let message = called("Bash", &[], Some(line), None);
        extract(&[message], Standing::default(), Profile::Default).1.untrusted
    };
    for line in [
        "cd /tmp/clone && cat README.md",
        "cd /tmp && cd clone; head -n 3 README.md",
        "cd ~/other && git log -3",
        "cd && cat notes",
        "git -C /tmp/x show HEAD:README.md",
        "git --git-dir=/tmp/x/.git log",
        "gh -R o/r pr view 3",
        "gh api repos/o/r/issues",
        "gh pr checkout 3",
    ] {
        assert!(untrusted(line), "{line}");
    }
    for line in [
        "cd src && cat main.rs",
        "cd /home/me/app/src && git log -3",
        "cd \"$(git rev-parse --show-toplevel)\" && cat README.md",
        "cd /tmp/clone && make; cd - && cat README.md",
        "git -C . show HEAD:README.md",
        "cargo test > /tmp/o.log 2>&1; tail -5 /tmp/o.log",
        "cargo test | tee /tmp/o.log; grep error /tmp/o.log",
        "grep -rn /api/v1 src",
        "gh pr create --fill --title x",
        "gh pr edit 3 --add-label x",
        "gh issue close 3",
    ] {
        assert!(!untrusted(line), "{line}");
    }
}

#[test]
fn what_the_project_holds_and_the_session_wrote_is_its_own() {
    let project = ["/home/me/app".to_owned(), "/home/me/app-wt".to_owned()];
    let in_src = |name: &str, path: &str| Message {
        cwd: Some("/home/me/app/src".into()),
        ..called(name, &[path], None, None)
    };
    let untrusted = |said: &[Message]| {
        super::super::extract_in(&project, said, Standing::default(), Profile::Default).1.untrusted
    };
    for own in [
        vec![in_src("Read", "/home/me/app/README.md")],
        vec![in_src("Read", "../README.md")],
        vec![in_src("Read", "/home/me/app-wt/README.md")],
        vec![in_src("Write", "/tmp/scratch.py"), in_src("Read", "/tmp/scratch.py")],
        vec![in_src("Edit", "/home/me/.claude/plans/x.md")],
        vec![in_src("mcp__ide__getDiagnostics", "/home/me/app/src/a.rs")],
    ] {
        assert!(!untrusted(&own), "{own:?}");
    }
    for strange in [
        vec![in_src("Read", "/tmp/scratch.py")],
        vec![in_src("Edit", "/tmp/scratch.py"), in_src("Read", "/tmp/scratch.py")],
        vec![in_src("Read", "../../other/README.md")],
    ] {
        assert!(untrusted(&strange), "{strange:?}");
    }
    // Where the client goes to another folder in between, what lies there is not the project's.
    let away = Message { cwd: Some("/tmp/clone".into()), ..called("Read", &["README.md"], None, None) };
    assert!(untrusted(&[in_src("Read", "a.rs"), away]));
    // A call of its own knows what was written before it.
    let (_, standing) =
        extract(&[called("Write", &["/tmp/a"], None, None)], Standing::default(), Profile::Default);
    assert!(!extract(&[called("Read", &["/tmp/a"], None, None)], standing, Profile::Default).1.untrusted);
}
