//! The name of a new record: its day, its title in plain letters, and eight digits that make it the only one.

use crate::id::MemoryId;
use crate::time::Time;

/// The longest title part of a name.
const LONGEST: usize = 48;

/// The first day of the year 0, before which days have no plain form.
const YEAR_ZERO: Time = Time(-62_167_219_200_000);

/// The id of a new record: `<day>-<slug>-<8 hex>`. The same text, time and entropy give the same id.
pub fn record_id(title_or_text: &str, created: Time, entropy: &str) -> MemoryId {
    let mut hash = blake3::Hasher::new();
    for part in [title_or_text.as_bytes(), &created.0.to_le_bytes(), entropy.as_bytes()] {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let hex = hash.finalize().to_hex();
    let name = format!("{}-{}-{}", created.max(YEAR_ZERO).day(), slug(title_or_text), &hex[..8]);
    MemoryId::parse(&name).unwrap_or_else(|_| MemoryId::of_text(&name, 0))
}

fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | '0'..='9' => slug.push(c),
            // Marks of decomposed letters: the letter itself has been taken.
            '\u{300}'..='\u{36f}' => {}
            _ => match plain_letters(c) {
                Some(letters) => slug.push_str(letters),
                None if slug.is_empty() || slug.ends_with('-') => {}
                None => slug.push('-'),
            },
        }
        if slug.len() > LONGEST {
            slug.truncate(slug[..=LONGEST].rfind('-').unwrap_or(LONGEST));
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "memory".to_owned() } else { slug.to_owned() }
}

/// The plain letters for an accented small letter of the Latin languages.
fn plain_letters(c: char) -> Option<&'static str> {
    Some(match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ª' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ð' | 'ď' | 'đ' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĳ' => "ij",
        'ĵ' => "j",
        'ķ' | 'ĸ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ŉ' | 'ŋ' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'º' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ſ' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'þ' => "th",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(slug(text), expect, "{text:?}");
    }

    #[test]
    fn slugs() {
        check("Release plan", "release-plan");
        check("  Decisão: ação & Größe ", "decisao-acao-grosse");
        check("Caf\u{65}\u{301} İstanbul ŒUVRE", "cafe-istanbul-oeuvre");
        check("C++/Rust -- v2.0!", "c-rust-v2-0");
        check("", "memory");
        check("日本 --- ", "memory");
        check("日本 v2", "v2");
        check(&"x".repeat(60), &"x".repeat(48));
        check(&format!("{} yy", "x".repeat(48)), &"x".repeat(48));
        check(&format!("{} yyy", "x".repeat(45)), &"x".repeat(45));
        check(
            "one two three four five six seven eight nine ten eleven",
            "one-two-three-four-five-six-seven-eight-nine-ten",
        );
    }

    #[test]
    fn ids() {
        let at = Time(1_778_803_200_000);
        let id = record_id("Release plan", at, "");
        assert!(id.as_str().starts_with("2026-05-15-release-plan-"), "{id}");
        assert_eq!(id, record_id("Release plan", at, ""));
        assert_ne!(id, record_id("Release plan", at, "x"));
        assert_ne!(id, record_id("Release plan", Time(at.0 + 1), ""));
        assert_ne!(record_id("ab", at, "c"), record_id("a", at, "bc"));
    }

    proptest! {
        #[test]
        fn every_id_is_a_plain_file_name(text in any::<String>(), at in any::<i64>(), entropy in any::<String>()) {
            let id = record_id(&text, Time(at), &entropy);
            prop_assert!(!id.is_untracked() && id.as_str().len() <= 68, "{}", id);
            prop_assert!(id.as_str().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{}", id);
            prop_assert!(!id.as_str().contains("--"), "{}", id);
        }
    }
}
