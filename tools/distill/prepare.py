"""Collects the training text and chooses the vocabulary.

Writes to the work folder: `corpus.jsonl` (one text or pair a line: `kind`, `a`, `b`) and `vocab.txt`.
Kinds: `text` a passage or sentence; `pair` two English texts that belong together; `word` a word and its
meaning; `pt` an English text and its Portuguese translation; `ptword` the same for single words.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess

import catalogues
from tokens import LONGEST_WORD, fold, humps

SEED = 20260316
PASSAGE, MESSAGE, TRANSLATIONS = 500, 320, 480_000
ENDINGS, PT_SHARE, EN_SHARE = 800, 6, 4
NOTICE = re.compile(r"copyright|\(c\) (19|20)|@[\w.]+\.\w+|https?://", re.I)
LETTER = re.compile(r"[^\W\d_]{2,}")


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--train", type=pathlib.Path, required=True, help="folder with passages and pairs, jsonl.zst")
    args.add_argument("--teacher", type=pathlib.Path, required=True, help="the teacher's model folder")
    args.add_argument("--packages", type=pathlib.Path, required=True, help="where Debian packages are unpacked")
    args.add_argument("--sources", type=pathlib.Path, help="unpacked source packages with catalogues (.po)")
    args.add_argument("--indices", type=pathlib.Path, required=True, help="folder with Translation-{en,pt,pt_BR}")
    args.add_argument("--fetch", action="store_true", help="download the packages of packages.txt first")
    args.add_argument("--rows", type=int, default=48_000)
    args.add_argument("--work", type=pathlib.Path, required=True)
    args = args.parse_args()
    if args.fetch:
        names = (pathlib.Path(__file__).parent / "packages.txt").read_text().split()
        catalogues.fetch(names, args.packages)
    args.work.mkdir(parents=True, exist_ok=True)
    random.seed(SEED)
    known = (args.teacher / "vocab.txt").read_text(encoding="utf-8").split("\n")
    corpus = collect(args)
    with open(args.work / "corpus.jsonl", "w", encoding="utf-8") as file:
        for kind, a, b in corpus:
            file.write(json.dumps({"kind": kind, "a": a, "b": b}, ensure_ascii=False) + "\n")
    print(collections.Counter(kind for kind, _, _ in corpus))
    pieces = vocabulary(known, corpus, args.rows)
    (args.work / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")


def collect(args):
    out = []
    for line in lines(args.train / "passages.jsonl.zst"):
        text = line["text"][:PASSAGE]
        out.append(("text", text, ""))
        sentences = [s for s in re.split(r"(?<=[.!?])\s+|\n+", line["text"]) if 25 <= len(s) <= 300]
        out += [("text", s, "") for s in random.sample(sentences, min(2, len(sentences)))]
    for line in lines(args.train / "pairs.jsonl.zst"):
        out.append(("pair", line["query"][:400], line["passage"][:PASSAGE]))
    english = catalogues.descriptions(next(args.indices.glob("*Translation-en*")))
    for name in ("pt_BR", "pt"):
        index = next(p for p in args.indices.glob("*Translation-*") if p.name.split("-")[-1].split(".")[0] == name)
        for digest, paragraphs in catalogues.descriptions(index).items():
            if len(english.get(digest, [])) == len(paragraphs):
                out += [("pt", e[:MESSAGE], p[:MESSAGE]) for e, p in zip(english[digest], paragraphs)]
    for paragraphs in english.values():
        if len(paragraphs) > 1:
            out.append(("pair", paragraphs[0], paragraphs[1][:MESSAGE]))
    for root in [args.packages] + ([args.sources] if args.sources else []):
        for en, pt in catalogues.messages(root):
            en, pt = catalogues.clean(en), catalogues.clean(pt)
            if good(en, pt):
                out.append(("pt", en[:MESSAGE], pt[:MESSAGE]))
    out = distinct(out)
    at = [i for i, (kind, _, _) in enumerate(out) if kind == "pt"]
    print(len(at), "translations, of which", min(len(at), TRANSLATIONS), "are drawn")
    left_out = set(random.sample(at, max(0, len(at) - TRANSLATIONS)))
    return [entry for i, entry in enumerate(out) if i not in left_out]


def good(en, pt):
    if not (3 <= len(en) and 3 <= len(pt)) or en.lower() == pt.lower() or "\ufffd" in pt or not LETTER.search(en) or not LETTER.search(pt):
        return False
    return 1 / 3 < len(en) / len(pt) < 3 and not NOTICE.search(en)


def distinct(entries):
    """The first of equal entries; a Portuguese text keeps at most four English sides, the other way too."""
    seen, sides, out = set(), collections.Counter(), []
    for kind, a, b in entries:
        key = (kind[:2], " ".join(fold(a).lower().split()), " ".join(fold(b).lower().split()))
        if key in seen:
            continue
        seen.add(key)
        if kind == "pt":
            if sides[key[1]] >= 4 or sides[key[2]] >= 4:
                continue
            sides.update(key[1:])
        out.append((kind, a, b))
    return out


def lines(path):
    text = subprocess.run(["zstd", "-dcq", "--long=27", str(path)], check=True, capture_output=True).stdout
    for line in text.splitlines():
        yield json.loads(line)


def vocabulary(known, corpus, rows):
    """The teacher's pieces that the tokeniser can reach, then frequent words they cut into pieces.

    The order is one of worth: a smaller table takes the first lines."""
    reachable = re.compile(r"(##)?[a-z0-9]+")
    pieces = {p for p in known if reachable.fullmatch(p)}
    for c in "abcdefghijklmnopqrstuvwxyz0123456789":
        pieces |= {c, "##" + c}
    english, portuguese = collections.Counter(), collections.Counter()
    cut = {}
    for kind, a, b in corpus:
        count_words(english, a, cut)
        count_words(portuguese if kind == "pt" else english, b, cut)
    print(len(pieces), "pieces kept,", len(english), "English words,", len(portuguese), "Portuguese words")
    out = sorted(pieces)
    out += endings_of(portuguese, pieces, ENDINGS)
    pieces = set(out)
    pt = ranked(portuguese, pieces, lambda w: w.isalpha() and len(w) > 2)
    en = ranked(english, pieces, lambda w: w[0].isalpha() and len(w) > 2)
    taken = {"pt": 0, "en": 0}
    while len(out) < rows and (pt or en):
        side = "pt" if pt and (not en or taken["pt"] * EN_SHARE <= taken["en"] * PT_SHARE) else "en"
        taken[side] += 1
        word = (pt if side == "pt" else en).pop(0)
        if word not in pieces:
            pieces.add(word)
            out.append(word)
    print(taken, "words added, the last one", out[-1])
    return out


def count_words(counts, text, cut):
    for word in set(fold(text).split()):
        parts = cut.get(word)
        if parts is None:
            parts = cut[word] = [p.lower() for p in humps(word)]
        for part in parts:
            if len(part) <= LONGEST_WORD:
                counts[part] += 1


def ranked(counts, pieces, fits):
    words = [w for w, n in counts.items() if n >= 8 and w not in pieces and fits(w)]
    return sorted(words, key=lambda w: (-counts[w], w))


def endings_of(counts, pieces, room):
    """Portuguese endings as continuation pieces: those that cover most letters of words not in the vocabulary."""
    weight = collections.Counter()
    for word, n in counts.items():
        if n >= 2 and word.isalpha():
            for size in range(3, min(8, len(word) - 2)):
                weight["##" + word[-size:]] += min(n, 50) * (size - 1)
    return sorted((p for p in weight if p not in pieces), key=lambda p: (-weight[p], p))[:room]


if __name__ == "__main__":
    main()
