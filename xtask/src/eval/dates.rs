//! Dates as the sets write them, each in its own way: `1:56 pm on 8 May, 2023`, `29.12.2023, 22:42:04`,
//! `March-15-2024`, `2023/03/27 (Mon) 23:35`, `2026-08-21`.

use memory_core::time::Time;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The moment that a text names.
pub fn parse(text: &str) -> Option<Time> {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != ':').filter(|word| !word.is_empty()).collect();
    let mut numbers: Vec<u32> = Vec::new();
    let (mut month, mut hour, mut minute) = (None, 0, 0);
    for (n, word) in words.iter().enumerate() {
        if let Some((hours, rest)) = word.split_once(':') {
            hour = hours.parse().ok()?;
            minute = rest.get(..2)?.parse().ok()?;
            match words.get(n + 1) {
                Some(&"pm") if hour < 12 => hour += 12,
                Some(&"am") if hour == 12 => hour = 0,
                _ => {}
            }
        } else if let Some(at) = MONTHS.iter().position(|name| word.starts_with(name) && word.len() >= 3) {
            month = month.or(Some(at as u32 + 1));
        } else if let Ok(number) = word.parse() {
            numbers.push(number);
        }
    }
    let year_at = numbers.iter().position(|number| (1900..2100).contains(number))?;
    let year = numbers.remove(year_at);
    let (month, day) = match (month, numbers.as_slice()) {
        (Some(month), [day, ..]) => (month, *day),
        (None, [month, day, ..]) if year_at == 0 => (*month, *day),
        (None, [day, month, ..]) => (*month, *day),
        _ => return None,
    };
    Time::parse(&format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_writing_a_date() {
        for (text, expect) in [
            ("1:56 pm on 8 May, 2023", "2023-05-08T13:56"),
            ("12:09 am on 13 September, 2023", "2023-09-13T00:09"),
            ("29.12.2023, 22:42:04", "2023-12-29T22:42"),
            ("March-15-2024", "2024-03-15T00:00"),
            ("2023/03/27 (Mon) 23:35", "2023-03-27T23:35"),
            ("2026-08-21", "2026-08-21T00:00"),
        ] {
            assert_eq!(parse(text).map(Time::minute).as_deref(), Some(expect), "{text}");
        }
        assert_eq!(parse(""), None);
    }
}
