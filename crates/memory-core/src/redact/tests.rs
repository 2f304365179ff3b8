//! The labelled set with its thresholds, and what must hold for any text.

use proptest::prelude::*;

use super::{Masked, is_masked, marker, redact, redact_beginning};

const FORMATS: &str = include_str!("../../tests/redact/formats.txt");
const GENERIC: &str = include_str!("../../tests/redact/generic.txt");
const BENIGN: &str = include_str!("../../tests/redact/benign.txt");

/// A labelled line: its text, and the secret in it with its kind.
struct Case {
    kind: String,
    text: String,
    secret: String,
}

fn lines(file: &str) -> impl Iterator<Item = String> {
    let joined = |line: &str| line.replace("<+>", "").replace('⏎', "\n").replace('␛', "\u{1b}");
    file.lines().filter(|line| !line.starts_with("//! ")).map(joined)
}

fn cases(file: &str) -> Vec<Case> {
    let case = |line: String| {
        let (kind, text) = line.split_once(" | ").expect("a kind and a text");
        let (_, rest) = text.split_once('⟦').expect("a secret begins");
        let (secret, _) = rest.split_once('⟧').expect("a secret ends");
        Case { kind: kind.into(), text: text.replace(['⟦', '⟧'], ""), secret: secret.into() }
    };
    lines(file).map(case).collect()
}

/// What became of a set of labelled lines.
#[derive(Debug, Default)]
struct Figures {
    all: usize,
    masked: usize,
    right_kind: usize,
    /// Lines where the mask covers the secret and not a byte more.
    exact: usize,
    complaints: Vec<String>,
}

fn measure(file: &str) -> Figures {
    let mut figures = Figures::default();
    for Case { kind, text, secret } in cases(file) {
        figures.all += 1;
        let redacted = redact(&text);
        assert_eq!(is_masked(&redacted.text), is_masked(&text) || !redacted.found.is_empty(), "{text}");
        if redacted.text.contains(&secret) || redacted.found.is_empty() {
            figures.complaints.push(format!("not masked: {text}"));
            continue;
        }
        figures.masked += 1;
        if redacted.found.iter().any(|masked| masked.kind == kind) {
            figures.right_kind += 1;
        } else {
            figures.complaints.push(format!("not {kind} but {:?}: {text}", redacted.found));
        }
        let begin = text.find(&secret).unwrap_or_default();
        let whole = Masked { kind: redacted.found[0].kind, at: begin..begin + secret.len() };
        if redacted.found == [whole] {
            figures.exact += 1;
        } else {
            figures.complaints.push(format!("not exactly: {}", redacted.text));
        }
    }
    figures
}

#[test]
fn formats_are_masked() {
    let figures = measure(FORMATS);
    assert!(figures.all >= 150, "{} lines", figures.all);
    assert!(figures.masked * 100 >= figures.all * 95, "{figures:#?}");
    assert!(figures.right_kind * 100 >= figures.masked * 95, "{figures:#?}");
    assert!(figures.exact * 100 >= figures.masked * 95, "{figures:#?}");
}

#[test]
fn announced_secrets_are_masked() {
    let figures = measure(GENERIC);
    assert!(figures.all >= 60, "{} lines", figures.all);
    assert!(figures.masked * 100 >= figures.all * 80, "{figures:#?}");
    assert!(figures.exact * 100 >= figures.masked * 90, "{figures:#?}");
}

#[test]
fn benign_text_stays() {
    let all = lines(BENIGN).count();
    let touched: Vec<String> = lines(BENIGN)
        .map(|line| (redact(&line), line))
        .filter(|(r, line)| r.text != *line)
        .map(|(r, _)| r.text)
        .collect();
    assert!(all >= 400, "{all} lines");
    assert!(touched.len() * 100 < all, "{} of {all} touched: {touched:#?}", touched.len());
}

#[test]
fn the_labelled_files_are_clean_themselves() {
    for file in [FORMATS, GENERIC, BENIGN] {
        assert_eq!(redact(file).found, []);
    }
}

#[track_caller]
fn check(text: &str, expect: &str) {
    assert_eq!(redact(&text.replace("<+>", "")).text, expect);
}

#[track_caller]
fn stays(text: &str) {
    let text = text.replace("<+>", "");
    assert_eq!(redact(&text).text, text);
}

#[test]
fn only_the_secret_is_replaced() {
    check("postgres:<+>//app:Vq7mT2xLp9@db/app", "postgres://app:[redacted:url-password]@db/app");
    check("amqp:<+>//w:p@ssw0rd!@mq/x", "amqp://w:[redacted:url-password]@mq/x");
    check("pass<+>word = \"Tr0ub4dor&3\"; next()", "password = \"[redacted:secret-assignment]\"; next()");
    check("a se<+>nha é Capivara#2023, anote.", "a senha é [redacted:secret-assignment], anote.");
    check("DB_PASS<+>WORD=kV9#mTq2\nDB_USER=app", "DB_PASSWORD=[redacted:secret-assignment]\nDB_USER=app");
    check(
        "curl -<+>u ana:S3cr3tP1e https://acme.org",
        "curl -u ana:[redacted:login-password] https://acme.org",
    );
    check("?to<+>ken=8fTzQ2xLk7mWv4Rn&limit=5", "?token=[redacted:secret-assignment]&limit=5");
    check("Authorization: Bea<+>rer 9f8Kx2mTqLv7ZwRb4n8P", "Authorization: Bearer [redacted:authorization]");
}

#[test]
fn padding_and_marks_inside_a_value_are_no_operators() {
    check("api_ke<+>y: kQ8mZr3vT1xYp9LsWn4bCw==", "api_key: [redacted:secret-assignment]");
    check(
        "  pass<+>word: Wng5a3dQcUxtMg==\n  user: a",
        "  password: [redacted:secret-assignment]\n  user: a",
    );
    check("--to<+>ken kQ8mZr3vT1xYp9LsWn4bCw== x", "--token [redacted:secret-assignment] x");
    for value in ["Zx9::kw!PqLm2", "a->b9Zx!kwPq", "Zx9&&kwPqLm2", "Zx9||kw!PqLm2", "hunter2->hunter3"] {
        check(&format!("se<+>nha: {value}"), "senha: [redacted:secret-assignment]");
    }
    stays("pass<+>word: given||fallback");
    stays("to<+>ken: session&&session.token");
    stays("pass<+>word: auth::Password");
}

#[test]
fn an_option_takes_a_password_where_its_program_says_so() {
    check("curl -<+>uana:S3nh4F0rte https://a.b", "curl -uana:[redacted:login-password] https://a.b");
    check("sudo mysql -u root -<+>pS3nh4F0rte app", "sudo mysql -u root -p[redacted:login-password] app");
    check("redis-cli -<+>a S3nh4F0rte ping", "redis-cli -a [redacted:login-password] ping");
    check("smbclient x -<+>U ana%S3nh4F0rte", "smbclient x -U ana%[redacted:login-password]");
    check("docker login -<+>p S3nh4F0rte x", "docker login -p [redacted:login-password] x");
    check("sh -c \"mysql -<+>pS3nh4F0rte\"", "sh -c \"mysql -p[redacted:login-password]\"");
    stays("docker run -<+>u node:Node18 x");
    stays("mysql -h db; cargo test -<+>pS3nh4F0rte");
    stays("grep -<+>a S3nh4F0rte x");
    stays("psql -<+>U ana%S3nh4F0rte");
    stays("mysql -u root -<+>p\"$PASSWORD\"");
}

#[test]
fn cookies_are_masked_where_they_are_tokens() {
    let token = "kQ8mZr3vT1xYp9LsWn4bC7dE2fGhJ5uA";
    check(&format!("Cook<+>ie: a=b; sid={token}; c=d"), "Cookie: a=b; sid=[redacted:cookie]; c=d");
    check(&format!("Cook<+>ie: a={token}; b=c; d={token}"), "Cookie: a=[redacted:cookie]");
    stays("Set-Cook<+>ie: theme=dark; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT");
}

#[test]
fn the_user_of_an_address_may_be_a_token() {
    check("https:<+>//kQ8mZr3vT1xYp9LsWn4bC7dE@a.b/x.git", "https://[redacted:url-password]@a.b/x.git");
    check(
        "https:<+>//x-access-token:kQ8mZr3vT1xYp9@a.b/x",
        "https://x-access-token:[redacted:url-password]@a.b/x",
    );
    check("postgres:<+>//ana:SENHA_FORTE@db/app", "postgres://ana:[redacted:url-password]@db/app");
    stays("postgres:<+>//ana:DB_PASSWORD@db/app");
    stays("postgres:<+>//USER:WHATEVER@HOST/app");
    stays("https:<+>//3f2a9c81be04d7f65a103f2a9c81be04@errors.acme.org/2");
}

#[test]
fn a_value_may_stand_further_from_its_name() {
    let mask = "[redacted:secret-assignment]";
    let cases = [
        ("API_TO<+>KEN = os.getenv(\"X\", \"", "kQ8mZr3vT1xYp9LsWn4b", "\")"),
        ("to<+>ken = process.env.X || \"", "kQ8mZr3vT1xYp9LsWn4b", "\""),
        ("<add key=\"Pass<+>word\" value=\"", "Zx9kwPqLm2", "\"/>"),
        ("- name: DB_PASS<+>WORD\n  value: ", "Zx9kwPqLm2", "\n"),
        ("pass<+>word: >-\n  ", "Girassol77!", "\nuser: a"),
        ("cre<+>dentials: ana / ", "Zx9kwPqLm2", ""),
    ];
    for (before, secret, after) in cases {
        let before = before.replace("<+>", "");
        check(&format!("{before}{secret}{after}"), &format!("{before}{mask}{after}"));
    }
    stays("- name: DB_PASS<+>WORD\n  valueFrom: Zx9kwPqLm2");
    stays("pass<+>word: >-\n  The password2024 of the account");
}

#[test]
fn what_follows_on_the_line_hides_no_value() {
    let mask = "[redacted:secret-assignment]";
    for (before, secret, after) in [
        ("pass<+>word: ", "Zq9vLp2xW7", ", user='ana'"),
        ("pass<+>word: ", "Zq9vLp2xW7", " host=\"db1.example\""),
        ("api_ke<+>y: ", "9f8a7b6c5d4e3f2a1b0c", " region = 'eu'"),
        ("sec<+>ret: ", "kJ8h2Lq0XzPw4", " run with FOO='bar'"),
        ("let to<+>ken: &'static str = \"", "kQ8mZr3vT1xYp9LsWn4b", "\";"),
        ("to<+>ken: string | undefined = '", "kQ8mZr3vT1xYp9LsWn4b", "'"),
        ("to<+>ken: Optional[str] = '", "kQ8mZr3vT1xYp9LsWn4b", "'"),
        ("to<+>ken: dict[str, str] = '", "kQ8mZr3vT1xYp9LsWn4b", "'"),
    ] {
        let before = before.replace("<+>", "");
        check(&format!("{before}{secret}{after}"), &format!("{before}{mask}{after}"));
    }
    stays("pass<+>word: see the vault, user='ana.silva.costa1'");
}

#[test]
fn a_password_is_no_placeholder_because_of_a_part() {
    check("se<+>nha: Maria123456", "senha: [redacted:secret-assignment]");
    check("PASS<+>WORD=teste-Gir4ssol77!", "PASSWORD=[redacted:secret-assignment]");
    stays("pass<+>word: admin123456");
    stays("pass<+>word: 123456");
    stays("PASS<+>WORD=test-password1!");
}

#[test]
fn two_findings_over_one_secret_make_one_mask() {
    let token = format!("gh{}{}", "p_", "cqnLGp9NjmtNL1EihJvc7t3QMlJhc510TUq8");
    check(&format!("export GITHUB_TOKEN={token}"), "export GITHUB_TOKEN=[redacted:github-pat]");
    check(&format!("token={token},{token}"), "token=[redacted:github-pat],[redacted:github-pat]");
    // The name announces more than the format covers: all of it goes, under the surer kind.
    check(&format!("token=\"x7Kp2:{token}:9vL4n\""), "token=\"[redacted:github-pat]\"");
}

#[test]
fn a_token_may_follow_an_escape_but_no_word() {
    let token = format!("gh{}{}", "p_", "cqnLGp9NjmtNL1EihJvc7t3QMlJhc510TUq8");
    for before in ["\\n", "\\r\\n", "%3D", "\\u003d", "\u{1b}[32m", "(", "“", "é "] {
        check(&format!("{before}{token}"), &format!("{before}[redacted:github-pat]"));
    }
    stays(&format!("a{token}"));
    stays(&format!("_{token}"));
}

#[test]
fn a_common_shape_needs_more_than_the_shape() {
    check("twi<+>lio key SK4f9a1c7e8b3d20564f9a1c7e8b3d2056", "twilio key [redacted:twilio-key]");
    stays("SK4f9a1c7e8b3d20564f9a1c7e8b3d2056");
    // A bot token begins with the base64 of a number; a path through modules does not.
    stays("application_settings_base.secure.session_storage_backend_kind");
    check("use 110201543:A<+>ARcqnLGp9NjmtNL1EihJvc7t3QMlJhc510", "use [redacted:telegram-token]");
}

#[test]
fn a_right_checksum_outweighs_the_look_of_an_example() {
    // The first ends with the checksum of its thirty characters, the second does not.
    check("npm<+>_xxxxyyyyAB12cd34EF56gh78IJ90kl2hrlPr", "[redacted:npm-token]");
    stays("npm<+>_xxxxyyyyAB12cd34EF56gh78IJ90kl2hrlPs");
}

#[test]
fn documented_examples_references_and_placeholders_stay() {
    stays("AK<+>IAIOSFODNN7EXAMPLE");
    stays("sk_te<+>st_4eC39HqLyjWDarjtT1zdp7dc");
    stays("gh<+>p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    stays("pass<+>word: ${DB_PASSWORD}");
    stays("to<+>ken = process.env.TOKEN");
    stays("to<+>ken: String");
    stays("postgres:<+>//user:pass@host/db");
    stays("postgres:<+>//shop9:shop9@host/db");
    stays("eyJ<+>hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.x7Kp2mQ9vL4nR8tYzWbx7Kp2mQ9vL4nR8tYzWb12");
    check("eyJ<+>hbGciOiJIUzI1NiJ9.eyJzdWIiOiI5OTk5OTk5OTkifQ.x7Kp2mQ9vL4nR8tYzWbx7Kp2mQ9", "[redacted:jwt]");
}

#[test]
fn a_private_key_is_masked_as_far_as_it_goes() {
    const LINE: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7x9";
    let begin = "-----BEGIN PRI<+>VATE KEY-----";
    let end = "-----END PRI<+>VATE KEY-----";
    check(&format!("a\n{begin}\n{LINE}\nAB=\n{end}\nb"), "a\n[redacted:private-key]\nb");
    check(&format!("\"{begin}\\n{LINE}\\nAB=\\n{end}\\n\""), "\"[redacted:private-key]\\n\"");
    check(&format!("{begin}\n{LINE}\nthen we went on"), "[redacted:private-key]\nthen we went on");
    check(
        &format!("{begin}\n{LINE}\n-----BEGIN CERTIFICATE-----"),
        "[redacted:private-key]\n-----BEGIN CERTIFICATE-----",
    );
    stays(&format!("it lies between {begin} and {end}"));
    let prose = "we read up to aLongIdentifierOfFortyLettersWithoutAnyBreak and then went on and on and on";
    stays(&format!("{begin} {prose} {end}"));
    stays(&format!("-----BEGIN PUBLIC KEY-----\n{LINE}\n-----END PUBLIC KEY-----"));
    let public = format!("Comment: x\nPublic-Lines: 1\n{LINE}\n");
    let putty = format!("PuT<+>TY-User-Key-File-3: ssh-ed25519\n{public}Private-Lines: 1\n{LINE}\n");
    check(&format!("{putty}Private-MAC: 00ff\nMAC: no"), "[redacted:putty-key]\nMAC: no");
    check(&format!("{putty}then we went on"), "[redacted:putty-key]\nthen we went on");
}

#[test]
fn a_private_key_is_masked_where_it_is_shown() {
    const LINE: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7x9";
    let begin = "-----BEGIN RSA PRI<+>VATE KEY-----";
    let end = "-----END RSA PRI<+>VATE KEY-----";
    for before in ["-", "+", "> ", "# ", "| ", "   13→", "13\t", "13: ", "13|", "13-", " 13 "] {
        let shown = |lines: &[&str]| lines.iter().map(|l| format!("{before}{l}\n")).collect::<String>();
        let whole = shown(&["a", begin, LINE, LINE, "AB9=", end, "b"]);
        check(&whole, &shown(&["a", "[redacted:private-key]", "b"]));
        let upper = shown(&["a", begin, LINE, LINE]);
        check(&upper, &shown(&["a", "[redacted:private-key]"]));
        let lower = shown(&["a", LINE, LINE, "AB9=", end, "b"]);
        // A plus may belong to the line of a key.
        let kept = if before == "+" { "" } else { before };
        check(&lower, &format!("{before}a\n{kept}[redacted:private-key]\n{before}b\n"));
    }
    check(&format!("a {LINE}\\n{LINE}\\n{end}\\n"), "a [redacted:private-key]\\n");
    stays(&format!("it ends with\n{end}"));
    stays(&format!("see commit 9fceb02d0ae598e95dc970b7\n{end}"));
    stays(&format!("{LINE}\n-----END PUBLIC KEY-----"));
    stays(&format!("{LINE}\nthen\n{end}"));
}

#[test]
fn a_secret_at_the_cut_is_masked_as_a_whole() {
    let url = "postgres:<+>//app:Zx9kwPqLm2TrueSecret@db/app".replace("<+>", "");
    let token = format!("gh{}{}", "p_", "cqnLGp9NjmtNL1EihJvc7t3QMlJhc510TUq8");
    for (text, begins, secret) in [(&url, 15, 20), (&token, 0, token.len())] {
        let text = format!("é {text} end");
        let begins = "é ".len() + begins;
        for most in 0..=text.len() + 1 {
            let kept = redact_beginning(&text, most);
            let cut = text.floor_char_boundary(most);
            assert!(
                if cut <= begins { text.starts_with(&kept) } else { kept.contains("[redacted:") },
                "{kept}"
            );
            assert!(cut < begins + secret || kept.ends_with(&text[begins + secret..cut]), "{kept}");
        }
        // What is masked before the cut brings nothing of the rest in.
        let many = redact_beginning(&format!("{text} ").repeat(2000), 50_000);
        assert!(!many.contains("Zx9k") && !many.contains("cqnL"), "{many}");
    }
}

#[test]
fn markers_are_opaque() {
    stays("[redacted:github-pat]");
    stays("password = \"[redacted:secret-assignment]\"");
    stays("[redacted:url-password]=Tr0ub4dor&3");
    stays("password=abc[redacted:jwt]9Xk!");
    stays("[redacted:jwt]AK<+>IAQZRTKLMNVW3XYPB2");
    stays("AK<+>IAQZRTKLMNVW3XYPB2[redacted:jwt]");
    stays("Authorization: [redacted:authorization]'=`x7Kp2mQ9vL4nR8tYzWb`");
    // The closing quote is inside the mask.
    stays("key_secret=\"01A0A32a [redacted:private-key].");
    stays("count-[redacted:google-api-key].password=Tr0ub4dor&3");
    // What only looks like a marker hides nothing.
    check("[redacted: pass<+>word=Tr0ub4dor&3", "[redacted: password=[redacted:secret-assignment]");
}

#[test]
fn redacting_the_labelled_lines_twice_changes_nothing_more() {
    let all = cases(FORMATS).into_iter().chain(cases(GENERIC));
    for text in all.map(|case| case.text).chain(lines(BENIGN)) {
        let once = redact(&text).text;
        assert_eq!(redact(&once).found, [], "{once}");
    }
}

#[test]
fn crowded_text_stays_in_bounds() {
    let size = 60_000;
    let unit = |piece: &str| piece.repeat(size / piece.len());
    for piece in CROWDS {
        let text = unit(piece);
        let redacted = redact(&text);
        assert!(redacted.text.len() <= text.len() * 8, "{piece}");
        assert_eq!(redact(&redacted.text).found, [], "{piece}");
    }
}

/// Anchors and names that, repeated, make each rule read as far as it can.
#[rustfmt::skip]
const CROWDS: &[&str] = &[
    "sk-", "sk-ant-", "eyJ", "eyJ.", "eyJ-", "eyJhbGci.", "://a:", "://a:b/", "://:@", "token=", "token:",
    "token=\"", "token=\\\"", "token ", "password is ", "key", "api key ", "PRIVATE KEY",
    "-----BEGIN PRIVATE KEY-----", "a-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "-", "1 ", "A-----END PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nA: b\n",
    "PuTTY-User-Key-File-", "A: PuTTY-User-Key-File-2\n", "PuTTY-User-Key-File-2: a\n", "AKIA", ".", "a.",
    "MTk.", ":AA", "0:AA", "Q~", "8Q~", "-us1", ".atlasv1.", "[redacted:", "[redacted:a]",
    "[redacted:a]token=", "AccountKey=", "hooks.slack.com/services/", "fm2_", "xoxb-1-", "ghp_",
    "SK0twilio", " -u a:", "mysql -p", " -pa1!", "cookie: ", "cookie: a=", "://a@", "env(\"a\", ", "creds: a / ",
    "password: |\n", "password value: ", "é", "bearer ", "authorization:", "senha é ", "\\n", "m[0m",
];

/// Texts in which words, signs and pieces of secrets meet in every order.
fn crowded() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(PIECES).prop_map(str::to_owned),
        2 => prop::sample::select(SIGNS).prop_map(str::to_owned),
        1 => "[A-Za-z0-9]{1,44}",
        1 => "[0-9a-f]{32}",
        1 => "\\PC{0,8}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

const SIGNS: &[&str] = &[
    " ", "=", ": ", "\"", "'", "`", "\n", "\\n", ".", "-", "_", "@", "/", " is ", " é ", "&", "(", "]", "#",
];

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "password", "token", "API_KEY", "secret", "senha", "count", "Authorization", "Bearer ", "--token",
    "key", "pass", "ghp_", "sk-", "AKIA", "AIza", "xoxb-", "eyJhbGciOiJIUzI1NiJ9.",
    "eyJzdWIiOiI5OTk5OTk5In0.", "://", "a:b9!xKq@", "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n", "[redacted:", "[redacted:jwt]", "Tr0ub4dor&3", "kV9#mTq2",
    "x7Kp2mQ9vL4nR8tYzWb", ":AA", "8Q~", ".atlasv1.", "-us1", "twilio", "PuTTY-User-Key-File-2: x\n",
    "Private-Lines: 1\n", "example", "AccountKey=", " -u ", "${", "...",
    "mysql", " -p", "curl", " -ua:", "Cookie: ", "sid=", "credentials: a / ", "value=\"", "os.getenv(\"A\", ", "||", "->",
];

proptest! {
    #[test]
    fn redacting_twice_is_redacting_once(text in crowded()) {
        let once = redact(&text);
        let twice = redact(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert_eq!(twice.found, []);
    }

    #[test]
    fn text_outside_the_masks_is_unchanged(text in crowded()) {
        let redacted = redact(&text);
        let mut rebuilt = String::new();
        let mut end = 0;
        for masked in &redacted.found {
            prop_assert!(masked.at.start >= end && masked.at.start < masked.at.end);
            rebuilt.push_str(&text[end..masked.at.start]);
            marker::write(&mut rebuilt, masked.kind);
            end = masked.at.end;
        }
        rebuilt.push_str(&text[end..]);
        prop_assert!(redacted.found.is_empty() || is_masked(&redacted.text));
        prop_assert_eq!(rebuilt, redacted.text);
    }

    #[test]
    fn any_text_is_read_without_panic(text in "\\PC{0,200}") {
        redact(&text);
    }
}
