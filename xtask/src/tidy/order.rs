//! Modules of a crate stand in the order in which they may use each other; using a later one is a back edge.

use std::collections::BTreeMap;

use super::files::File;
use super::source::{Token, code, declared};

/// The crates whose order is held.
const CRATES: [&str; 3] = ["crates/memory-core/src", "crates/memory-engine/src", "crates/agent-memory/src"];

#[test]
fn no_module_uses_one_that_stands_after_it() {
    let files = super::files::all();
    let mut complaints = Vec::new();
    for folder in CRATES {
        complaints.extend(back_edges(folder, &files));
    }
    super::none(&complaints);
}

/// Every use of a later module by an earlier one.
fn back_edges(folder: &str, files: &[File]) -> Vec<String> {
    let texts: BTreeMap<&str, &str> = files.iter().map(|file| (&*file.path, &*file.text)).collect();
    let Some(lib) = texts.get(format!("{folder}/lib.rs").as_str()) else {
        return vec![format!("`{folder}/lib.rs` is missing")];
    };
    let lib = code(lib);
    let order = declared(&lib);
    let mut complaints = Vec::new();
    if order.is_empty() {
        complaints.push(format!("`{folder}/lib.rs` declares no modules"));
    }
    let shown_at_root = shown(&lib, &order);
    let place = |name: &str| order.iter().position(|module| module == name);
    for (own, module) in order.iter().enumerate() {
        let mut todo = vec![vec![module.clone()]];
        while let Some(path) = todo.pop() {
            let stem = format!("{folder}/{}", path.join("/"));
            let names = [format!("{stem}.rs"), format!("{stem}/mod.rs")];
            let Some(file) = names.iter().find(|name| texts.contains_key(name.as_str())) else {
                complaints.push(format!("`{stem}` is declared and has no file"));
                continue;
            };
            let inside = code(texts[file.as_str()]);
            todo.extend(declared(&inside).into_iter().map(|name| [path.as_slice(), &[name]].concat()));
            for name in used(&inside, path.len()) {
                let meant = shown_at_root.get(&name).unwrap_or(&name);
                if place(meant).is_some_and(|other| other > own) {
                    complaints.push(format!("`{file}` uses `{name}`, but `{meant}` stands after `{module}`"));
                }
            }
        }
    }
    complaints.sort();
    complaints.dedup();
    complaints
}

/// The names that a crate's root shows from its modules: each with its module.
fn shown(lib: &[Token], order: &[String]) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let mut module: Option<&String> = None;
    let mut fresh = false;
    for token in lib {
        if token.is("use") {
            (module, fresh) = (None, true);
        } else if token.is(";") {
            (module, fresh) = (None, false);
        } else if let Some(word) = token.word() {
            if fresh && word != "crate" && word != "self" {
                module = order.iter().find(|name| *name == word);
                fresh = false;
            } else if let Some(module) = module.filter(|module| *module != word) {
                names.insert(word.to_owned(), module.clone());
            }
        }
    }
    names
}

/// The names at the crate's root that code at this depth of modules refers to by `crate::` or `super::`.
fn used(code: &[Token], depth: usize) -> Vec<String> {
    let mut names = Vec::new();
    for at in 0..code.len() {
        let begins_path =
            (at == 0 || !code[at - 1].is("::")) && code.get(at + 1).is_some_and(|next| next.is("::"));
        if begins_path && code[at].is("crate") {
            heads(code, at + 2, 0, &mut names);
        } else if begins_path && code[at].is("super") {
            heads(code, at, depth, &mut names);
        }
    }
    names
}

/// Reads a path or a group of paths that begins here, at this depth below the root; gives where it ends.
fn heads(code: &[Token], at: usize, depth: usize, names: &mut Vec<String>) -> usize {
    let Some(token) = code.get(at) else { return at };
    if token.is("{") {
        let mut at = at + 1;
        while let Some(token) = code.get(at).filter(|token| !token.is("}")) {
            at = if token.is(",") { at + 1 } else { rest_of_item(code, heads(code, at, depth, names)) };
        }
        return at + 1;
    }
    let goes_on = code.get(at + 1).is_some_and(|next| next.is("::"));
    if token.is("super") && goes_on {
        return heads(code, at + 2, depth.saturating_sub(1), names);
    }
    if token.is("self") && goes_on {
        return heads(code, at + 2, depth, names);
    }
    if let Some(word) = token.word().filter(|_| depth == 0) {
        names.push(word.to_owned());
    }
    at + 1
}

/// The end of an item in a group: the comma or the brace that closes the group.
fn rest_of_item(code: &[Token], from: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = from;
    while let Some(token) = code.get(at) {
        if token.is("{") {
            depth += 1;
        } else if depth == 0 && (token.is(",") || token.is("}")) {
            return at;
        } else if token.is("}") {
            depth -= 1;
        }
        at += 1;
    }
    at
}

#[test]
fn a_back_edge_is_found_however_it_is_written() {
    let check = |lib: &str, early: &str, late: &str, inner: &str, expect: usize| {
        let files = [
            File::made_up("x/lib.rs", lib),
            File::made_up("x/early/mod.rs", early),
            File::made_up("x/early/inner.rs", inner),
            File::made_up("x/late.rs", late),
        ];
        let found = back_edges("x", &files);
        assert_eq!(found.len(), expect, "{lib} / {early} / {late} / {inner}: {found:?}");
    };
    let lib = "mod early;\npub mod late;\npub use late::{Thing, other as Renamed};";
    check(lib, "mod inner;", "use crate::early::x;", "use super::y;", 0);
    check(lib, "mod inner;\nuse crate::late::x;", "", "", 1);
    check(lib, "mod inner;\nuse super::late;", "", "", 1);
    check(lib, "mod inner;\nuse super::{std, late::{a, b}};", "", "", 1);
    check(lib, "mod inner;\nuse crate::{early, late::{self, x}};", "", "", 1);
    check(lib, "mod inner;\nfn a() -> crate::Thing { b(crate::late::c()) }", "", "", 2);
    check(lib, "mod inner;\nuse crate::Renamed;", "", "", 1);
    check(lib, "mod inner;", "", "use super::super::late;", 1);
    check(lib, "mod inner;", "", "use super::late;", 0);
    check(lib, "mod inner;\n#[cfg(test)] mod tests { use crate::late::x; }", "", "", 0);
    check(lib, "mod inner;\n/// [`crate::late`]\nfn a() { \"crate::late\"; }", "", "", 0);
    check("mod late;\nmod early;", "mod inner;\nuse crate::late::x;", "", "", 0);
    check(lib, "mod gone;", "", "", 1);
    check("", "", "", "", 1);
}
