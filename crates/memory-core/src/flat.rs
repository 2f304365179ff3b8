//! Flat files of the vault tool: one markdown file for each agent, with `## ` sections whose headings say, in
//! English or Portuguese, what they hold. Each section becomes one memory, and so does text before the first heading.

use crate::kind::Kind;
use crate::memory::Body;
use crate::text::folded;

/// A section of a flat file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What sort of thing it is, by its heading.
    pub kind: Kind,
    /// Its heading, where that says more than the kind does.
    pub title: Option<String>,
    /// Its text.
    pub body: Body,
}

/// Headings and what they hold, in the order of the vault tool. A heading that only contains one of them counts too.
const HEADINGS: &[(&str, Kind)] = &[
    ("decisoes", Kind::Decision),
    ("decisoes tecnicas", Kind::Decision),
    ("notas de sessao", Kind::Lesson),
    ("aprendizados", Kind::Lesson),
    ("preferencias do utilizador", Kind::Lesson),
    ("preferencias do usuario", Kind::Lesson),
    ("contexto", Kind::Context),
    ("contexto de projeto", Kind::Context),
    ("projetos", Kind::Context),
    ("tarefas", Kind::Task),
    ("handoffs", Kind::Handoff),
    ("decisions", Kind::Decision),
    ("technical decisions", Kind::Decision),
    ("lessons", Kind::Lesson),
    ("tasks", Kind::Task),
    ("projects", Kind::Context),
    ("findings", Kind::Lesson),
    ("notes", Kind::Lesson),
    ("session notes", Kind::Lesson),
    ("context", Kind::Context),
    ("project context", Kind::Context),
];

/// The sections of a flat file. A `## ` inside a fence of code is text.
pub fn sections(text: &str) -> Vec<Section> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut all = Vec::new();
    let (mut heading, mut start, mut at, mut fence) = (None, 0, 0, None::<&str>);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if fence.is_none()
            && let Some(next) = line.strip_prefix("## ")
        {
            all.extend(section(heading, &text[start..at]));
            (heading, start) = (Some(next.trim()), at + line.len());
        }
        at += line.len();
    }
    all.extend(section(heading, &text[start..]));
    all
}

/// What a heading says its section holds; lessons where it says nothing that is known.
pub fn kind_of_heading(heading: &str) -> Kind {
    let plain = folded(heading.trim());
    let exact = HEADINGS.iter().find(|(known, _)| *known == plain);
    let within = || HEADINGS.iter().find(|(known, _)| plain.contains(known));
    exact.or_else(within).map_or(Kind::Lesson, |(_, kind)| kind.clone())
}

fn section(heading: Option<&str>, text: &str) -> Option<Section> {
    let Some(heading) = heading else {
        // The name of the file as a heading says nothing by itself.
        let says = text.lines().any(|line| !line.trim().is_empty() && !line.starts_with("# "));
        return says.then(|| Section { kind: Kind::Lesson, title: None, body: Body::new(text) });
    };
    let body = Body::new(text);
    let plain = folded(heading);
    let title = (!HEADINGS.iter().any(|(known, _)| *known == plain) && !heading.is_empty())
        .then(|| heading.to_owned());
    (!body.is_empty()).then(|| Section { kind: kind_of_heading(heading), title, body })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expect: &[(&str, &str, &str)]) {
        let found = sections(text);
        let found: Vec<(&str, &str, &str)> = found
            .iter()
            .map(|it| (it.kind.word(), it.title.as_deref().unwrap_or(""), it.body.as_str()))
            .collect();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn sections_of_flat_files() {
        check("", &[]);
        check("# dev\n\n", &[]);
        check(
            "# dev\n\nbefore\n\n## Decisions\nuse SSE\n",
            &[("lesson", "", "# dev\n\nbefore"), ("decision", "", "use SSE")],
        );
        check(
            "## Tasks\n- [ ] a\n\n### sub\nb\n## Odd one\n\nc\n\n",
            &[("task", "", "- [ ] a\n\n### sub\nb"), ("lesson", "Odd one", "c")],
        );
        check(
            "## Notes\n```\n## no heading\n```\n## Empty\n\n",
            &[("lesson", "", "```\n## no heading\n```")],
        );
        check("\u{feff}## Tarefas\r\nx\r\n", &[("task", "", "x")]);
        check("##No\n## \nbare\n", &[("lesson", "", "##No"), ("lesson", "", "bare")]);
    }

    #[test]
    fn headings_in_two_languages() {
        for (heading, kind) in [
            ("Decisions", Kind::Decision),
            ("Technical Decisions", Kind::Decision),
            ("DECISÕES TÉCNICAS", Kind::Decision),
            ("Decisões de 2025", Kind::Decision),
            ("Notas de sessão", Kind::Lesson),
            ("Preferências do usuário", Kind::Lesson),
            ("Session Notes", Kind::Lesson),
            ("Findings", Kind::Lesson),
            ("Contexto de projeto", Kind::Context),
            ("Project Context", Kind::Context),
            ("Open tasks", Kind::Task),
            ("Handoffs", Kind::Handoff),
            ("Anything", Kind::Lesson),
        ] {
            assert_eq!(kind_of_heading(heading), kind, "{heading}");
        }
    }

    proptest! {
        #[test]
        fn no_word_is_lost(pieces in proptest::collection::vec(prop_oneof![
            any::<String>(), Just("\n## Decisions\n".to_owned()), Just("\n```\n".to_owned()), Just("\n# a\n".to_owned())], 0..8))
        {
            let text = pieces.concat();
            let kept: String = sections(&text).iter().map(|it| format!("{}\n{}\n", it.title.as_deref().unwrap_or(""), it.body.as_str())).collect();
            for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
                let line = line.trim_start_matches('\u{feff}').trim();
                prop_assert!(kept.contains(line), "{line:?} of {text:?}");
            }
        }
    }
}
