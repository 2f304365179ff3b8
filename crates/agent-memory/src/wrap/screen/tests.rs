//! What is painted, and what of it is read.

use super::*;

fn painted(bytes: &str) -> String {
    let mut screen = Screen::new(Medium::Terminal { rows: 4, columns: 20 });
    // In parts, since a read may end anywhere.
    bytes.as_bytes().chunks(3).for_each(|part| screen.show(part));
    screen.read().trim_end().trim_start_matches('\n').to_owned()
}

#[test]
fn what_is_painted_is_read_as_it_was_left() {
    let check = |bytes: &str, expect: &str| assert_eq!(painted(bytes), expect, "{bytes:?}");
    check("plain\r\ntext", "plain\ntext");
    check("\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}ok", "red ok");
    check("\u{1b}]0;title\u{1b}\\ok \u{1b}(Bx", "ok x");
    check("10%\r50%\r100%\r\ndone", "100%\ndone");
    check("Loading\r\u{1b}[KDone", "Done");
    check("abc\u{8}d", "abd");
    check("a\tb", "a       b");
    check("same\r\nsame\r\nother", "same\nother");
    check("é ü 日本 ok", "é ü 日本 ok");
    check("日本\u{1b}[3Gx", "日x");
    check("\u{1b}[", "");
    check("\u{1b}", "");
    check("\u{1b}[999999999999999999999A\u{1b}[0;99999999999Hx", "                   x");
    // A line that is longer than the screen is one line.
    check("We decided to cache pages for one hour", "We decided to cache pages for one hour");
    // What scrolls off is kept.
    check("1\r\n2\r\n3\r\n4\r\n5\r\n6", "1\n2\n3\n4\n5\n6");
}

#[test]
fn frames_that_are_painted_over_do_not_count() {
    let check = |bytes: &str, expect: &str| assert_eq!(painted(bytes), expect, "{bytes:?}");
    check("\u{1b}[H\u{1b}[2JWe deci\u{1b}[H\u{1b}[2JWe decided", "We decided");
    check("a\r\nthinking.\u{1b}[2K\u{1b}[1A\u{1b}[2K\u{1b}[Gdone", "done");
    check("a\r\n| box |\r\n\u{1b}[1A\u{1b}[Janswer\r\n| box |", "a\nanswer\n| box |");
    check("sh\r\n\u{1b}[?1049hvim\u{1b}[2J~\r\n\u{1b}[?1049lback", "sh\nback");
    check("\u{1b}[?1049hnever left", "");
    // Text that goes in above a line that stays.
    check("\u{1b}[4;1H> \u{1b}[1;3r\u{1b}[3;1H1\r\n2\r\n3\r\n4\u{1b}[r", "1\n2\n3\n4\n>");
    check("one\r\ntwo\u{1b}[1;1H\u{1b}[Lnew", "new\none\ntwo");
    check("one\r\ntwo\u{1b}[1;1H\u{1b}[M", "two");
    check("abcd\u{1b}[2G\u{1b}[P\u{1b}[@x", "axcd");
    check("abcd\u{1b}[2G\u{1b}[2X", "a  d");
    check("top\u{1b}[1;1H\u{1b}Mnew", "new\ntop");
}

#[test]
fn what_was_read_is_not_told_again() {
    let mut screen = Screen::new(Medium::Terminal { rows: 4, columns: 20 });
    screen.show(b"Welcome\r\n> ");
    assert_eq!(screen.read(), "Welcome\n>");
    assert_eq!(screen.read(), "");
    screen.show(b"Add\r\nDone\r\nDone too\r\n> ");
    assert_eq!(screen.read(), " Add\nDone\nDone too\n>");
    // The same screen painted again, with one line that is new.
    screen.show(b"\x1b[H\x1b[2JDone\r\nDone too\r\nNext");
    assert_eq!(screen.read(), "Next");
}

#[test]
fn in_a_pipe_lines_are_as_long_as_they_are() {
    let mut screen = Screen::new(Medium::Pipe);
    let long = "word ".repeat(30);
    screen.show(format!("{long}\nsecond line\rnew\n").as_bytes());
    assert_eq!(screen.read(), format!("{}\nnew", long.trim_end()));
}

#[test]
fn whatever_comes_is_borne() {
    let pieces =
        ["\u{1b}[", "\u{1b}", ";", "?", "9", "99999", "\r\n", "\t", "\u{8}", "日", "x y", "\u{1b}[?1049h"];
    let letters = b"ABCDEFGHJKLMPSTXdfhlrsu@`78DEMc";
    // A row of numbers that looks like chance and is always the same.
    let mut number = 1_u32;
    let mut next = |most: usize| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 8) as usize % most
    };
    for (rows, columns) in [(1, 1), (2, 3), (4, 20), (0, 0)] {
        let mut screen = Screen::new(Medium::Terminal { rows, columns });
        for _ in 0..20_000 {
            match next(4) {
                0 => screen.show(&letters[next(letters.len())..][..1]),
                1 => screen.show(&[next(256) as u8]),
                _ => screen.show(pieces[next(pieces.len())].as_bytes()),
            }
            match next(500) {
                0 => drop(screen.read()),
                1 => screen.resize(Medium::Terminal { rows: next(9), columns: next(9) }),
                2 => screen.show(b"\x1b\\\x1b[?1049l"),
                _ => {}
            }
        }
        assert!(screen.rows.len() <= MOST + screen.height + 1);
    }
}
