"""Writes `table.bin` from a trained table (what train.py wrote), and the cases that hold readers to it."""

import argparse
import json
import pathlib

import table

HERE = pathlib.Path(__file__).parent
ASSETS = HERE.parent.parent / "crates" / "memory-engine" / "assets"


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("trained", nargs="?", help="the trained table; without it only the cases are written anew")
    args.add_argument("--to", type=pathlib.Path, default=ASSETS)
    args = args.parse_args()
    path = args.to / "table.bin"
    if args.trained:
        trained = table.Table.read(args.trained)
        table.write(path, trained.pieces, trained.vectors)
    cases(table.Table.read(path), args.to / "table-cases.json")


def cases(read, path):
    """Row numbers and the first 8 components of 60 texts, and the cosine of 20 pairs of them."""
    texts = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
    vectors = read.embed(texts)
    entries = [
        {"text": text, "ids": read.tokeniser.ids(text), "head": [round(float(x), 6) for x in vector[:8]]}
        for text, vector in zip(texts, vectors)
    ]
    pairs = [(2 * i, 2 * i + 1) for i in range(20)]
    cosines = [{"a": a, "b": b, "cosine": round(float(vectors[a] @ vectors[b]), 6)} for a, b in pairs]
    lines = [json.dumps(e, ensure_ascii=False) for e in entries]
    body = '{"texts": [\n' + ",\n".join(lines) + '\n],\n"pairs": ' + json.dumps(cosines) + "}\n"
    path.write_text(body, encoding="utf-8")


if __name__ == "__main__":
    main()
