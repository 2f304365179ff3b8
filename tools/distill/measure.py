"""Recall of a table alone: on the benchmark sets (share of the gold in the first 10), and on the hand-written notes in
two languages (share of questions whose own note comes first, and among the first 3)."""

import argparse
import json
import lzma
import pathlib
import subprocess

import numpy as np

HERE = pathlib.Path(__file__).parent
CHATS = ("locomo", "realtalk")
WAYS = (("pt", "pt"), ("en", "en"), ("pt", "en"), ("en", "pt"))


def pools(path):
    if path.suffix == ".xz":
        data = lzma.open(path).read()
    else:
        data = subprocess.run(["zstd", "-dcq", "--long=27", str(path)], check=True, capture_output=True).stdout
    return [json.loads(line) for line in data.splitlines()]


def gather(folder):
    """Each set as pools of (documents, questions, gold); gold is a set of document positions for each question.

    Chat turns carry date and speaker before their text. Adversarial questions have no answer and are left out."""
    sets = {}
    for path in sorted(folder.glob("*.dev.jsonl.*")) if folder else []:
        name = path.name.split(".")[0]
        sets[name] = []
        for pool in pools(path):
            docs = [f"[{d['date']}] {d['who']}: {d['text']}" if name in CHATS else d["text"] for d in pool["docs"]]
            place = {str(d["id"]): i for i, d in enumerate(pool["docs"])}
            asked = [q for q in pool["queries"] if q["gold"] and q["cat"] != "adversarial"]
            gold = [{place[str(g)] for g in q["gold"] if str(g) in place} for q in asked]
            sets[name].append((docs, [q["q"] for q in asked], gold))
    notes = [json.loads(line) for line in (HERE / "portuguese.jsonl").read_text(encoding="utf-8").splitlines()]
    for asked, kept in WAYS:
        sets[f"{asked}-{kept}"] = [
            ([n["note"][kept] for n in notes], [n["question"][asked] for n in notes], [{i} for i in range(len(notes))])
        ]
    return sets


def scored(sets, vectors):
    """Vectors come in the order of `gather`: documents, then questions, pool after pool."""
    out, at = {}, 0
    for name, pools_ in sets.items():
        hits = {1: [], 3: [], 10: []}
        for docs, asked, gold in pools_:
            d = vectors[at : at + len(docs)]
            q = vectors[at + len(docs) : at + len(docs) + len(asked)]
            at += len(docs) + len(asked)
            order = np.argsort(-(q @ d.T), axis=1, kind="stable")[:, :10]
            for row, wanted in zip(order, gold):
                if wanted:
                    for k in hits:
                        hits[k].append(len(wanted & set(row[:k].tolist())) / len(wanted))
        if name in ("pt-pt", "en-en"):
            first = q[0] @ d.T
            out[f"{name} login"] = 1 + int((first > first[0]).sum())
        ks = (1, 3) if "-" in name else (10,)
        for k in ks:
            out[name if k == 10 else f"{name}@{k}"] = round(float(np.mean(hits[k])), 3)
    return out


def nearest(table, question, wanted, language):
    """Where `wanted` stands among all notes of the language for the question, from 1."""
    lines = (HERE / "portuguese.jsonl").read_text(encoding="utf-8").splitlines()
    notes = [json.loads(line)["note"][language] for line in lines]
    scores = table.embed(notes) @ table.embed([question])[0]
    return 1 + int((scores > scores[notes.index(wanted)]).sum())


def main():
    from table import Table

    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("tables", nargs="+")
    args.add_argument("--bench", type=pathlib.Path, help="folder of benchmark sets")
    args = args.parse_args()
    sets = gather(args.bench)
    for path in args.tables:
        table = Table.read(path)
        texts = [t for pools_ in sets.values() for docs, asked, _ in pools_ for t in docs + asked]
        print(path, json.dumps(scored(sets, table.embed(texts))))
        for language, question, wanted in (
            ("en", "authentication problem", "login failed after the token expired"),
            ("pt", "problema de autenticação", "o login falhou depois que o token expirou"),
        ):
            print(f"`{question}`: the note stands at place {nearest(table, question, wanted, language)}")


if __name__ == "__main__":
    main()
