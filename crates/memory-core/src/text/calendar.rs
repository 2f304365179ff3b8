//! The names of months and weekdays in English and Portuguese, and which dates exist.

/// English name, Portuguese name (folded), and the stems of both.
pub(super) const MONTHS: [[&str; 4]; 12] = [
    ["january", "janeiro", "januari", "~janeir"],
    ["february", "fevereiro", "februari", "~fevereir"],
    ["march", "marco", "march", "~marc"],
    ["april", "abril", "april", "~abril"],
    ["may", "maio", "may", "~mai"],
    ["june", "junho", "june", "~junh"],
    ["july", "julho", "juli", "~julh"],
    ["august", "agosto", "august", "~agost"],
    ["september", "setembro", "septemb", "~setembr"],
    ["october", "outubro", "octob", "~outubr"],
    ["november", "novembro", "novemb", "~novembr"],
    ["december", "dezembro", "decemb", "~dezembr"],
];

/// Short names, with their month; `set` and `out` are months only between numbers.
const SHORT: &[(&str, u8)] = &[
    ("jan", 1),
    ("feb", 2),
    ("fev", 2),
    ("mar", 3),
    ("apr", 4),
    ("abr", 4),
    ("mai", 5),
    ("jun", 6),
    ("jul", 7),
    ("aug", 8),
    ("ago", 8),
    ("sep", 9),
    ("sept", 9),
    ("set", 9),
    ("oct", 10),
    ("out", 10),
    ("nov", 11),
    ("dec", 12),
    ("dez", 12),
];

const WEEKDAYS: [[&str; 2]; 7] = [
    ["monday", "segunda"],
    ["tuesday", "terca"],
    ["wednesday", "quarta"],
    ["thursday", "quinta"],
    ["friday", "sexta"],
    ["saturday", "sabado"],
    ["sunday", "domingo"],
];

/// The month that a folded word names in full.
pub(super) fn month_named(word: &str) -> Option<u8> {
    let at = MONTHS.iter().position(|names| names[0] == word || names[1] == word)?;
    u8::try_from(at + 1).ok()
}

/// The month that a folded word names in full or in short.
pub(super) fn month_of(word: &str) -> Option<u8> {
    month_named(word).or_else(|| SHORT.iter().find(|short| short.0 == word).map(|short| short.1))
}

/// The weekday that a folded word names: 1 for Monday to 7 for Sunday.
pub(super) fn weekday_of(word: &str) -> Option<i8> {
    let at = WEEKDAYS.iter().position(|names| names.contains(&word))?;
    i8::try_from(at + 1).ok()
}

/// The weekday that a short English name means.
pub(super) fn short_weekday_of(word: &str) -> Option<i8> {
    const NAMES: [&[&str]; 7] =
        [&["mon"], &["tue", "tues"], &["wed"], &["thu", "thur", "thurs"], &["fri"], &["sat"], &["sun"]];
    let at = NAMES.iter().position(|names| names.contains(&word))?;
    i8::try_from(at + 1).ok()
}

/// The number that a word says, in digits or letters.
pub fn count_of(word: &str) -> Option<i64> {
    const NAMES: &[(i64, &[&str])] = &[
        (1, &["a", "an", "one", "um", "uma"]),
        (2, &["two", "dois", "duas", "couple"]),
        (3, &["three", "tres", "few", "some", "several", "alguns", "algumas"]),
        (4, &["four", "quatro"]),
        (5, &["five", "cinco"]),
        (6, &["six", "seis"]),
        (7, &["seven", "sete"]),
        (8, &["eight", "oito"]),
        (9, &["nine", "nove"]),
        (10, &["ten", "dez"]),
        (11, &["eleven", "onze"]),
        (12, &["twelve", "doze"]),
        (15, &["fifteen", "quinze"]),
        (20, &["twenty", "vinte"]),
        (30, &["thirty", "trinta"]),
        (60, &["sixty", "sessenta"]),
        (90, &["ninety", "noventa"]),
    ];
    if let Some((count, _)) = NAMES.iter().find(|(_, names)| names.contains(&word)) {
        return Some(*count);
    }
    let short = word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit());
    if short { word.parse().ok() } else { None }
}

/// Whether there is such a day.
pub(super) fn exists(year: u16, month: u8, day: u8) -> bool {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return false,
    };
    (1..=last).contains(&day)
}

/// A number of up to four digits, with an English ending such as `16th`.
pub(super) fn ordinal(word: &str) -> Option<u16> {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, ending) = word.split_at_checked(digits)?;
    let known = matches!(ending, "" | "st" | "nd" | "rd" | "th" | "º" | "o");
    if known && digits <= 4 { number.parse().ok() } else { None }
}

/// Years that a number of four digits is taken for.
pub(super) fn is_year(number: u16) -> bool {
    (1900..=2199).contains(&number)
}
