"""Adds words to a trained table.

`words.txt.bz2` holds them, a word a line. A Portuguese word has its English meanings behind ` = `, and its row is where the
teacher sees these; a word alone is English, and its row is where the teacher sees the word. What the teacher sees is
brought into the table by the one linear map that fits the rows best which the table has already.
"""

import argparse
import bz2
import pathlib

import numpy as np

from table import Table
from teacher import Teacher
from tokens import fold
from train import save

HERE = pathlib.Path(__file__).parent
# A meaning counts this share of the one before it.
LATER = 0.6
# What of a word's row is new where the table had one that was made of translated messages.
ANEW = 0.25
# Held against the map's numbers.
RIDGE = 3.0


def words():
    """Each word as the tokeniser sees it, with its meanings."""
    lines = bz2.decompress((HERE / "words.txt.bz2").read_bytes()).decode().splitlines()
    out = {}
    for line in lines:
        word, _, meanings = line.partition(" = ")
        parts = fold(word).split()
        if len(parts) == 1:
            out.setdefault(parts[0].lower(), []).extend(m.strip() for m in meanings.split(",") if m.strip())
    return out


class Bridge:
    """What the teacher sees, as directions of the table."""

    def __init__(self, teacher, table, known):
        self.teacher = teacher
        own = [i for i, p in enumerate(table.pieces) if p in known and p.isalpha() and len(p) > 2]
        seen = teacher.encode([table.pieces[i] for i in own], budget=1 << 13).float().cpu().numpy()
        rows = table.vectors[own]
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        self.middle = seen.mean(axis=0)
        x = self.padded(seen)
        self.map = np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ rows)

    def padded(self, seen):
        return np.c_[seen - self.middle, np.ones(len(seen))]

    def directions(self, texts):
        seen = self.teacher.encode(texts, budget=1 << 13).float().cpu().numpy()
        made = self.padded(seen) @ self.map
        return made / np.linalg.norm(made, axis=1, keepdims=True)


def widened(table, listed, bridge):
    """The table's pieces and rows with the words added."""
    lengths = np.linalg.norm(table.vectors, axis=1)
    usual = float(np.median(lengths))
    texts = sorted({m for meanings in listed.values() for m in meanings} | {w for w, m in listed.items() if not m})
    direction = dict(zip(texts, bridge.directions(texts)))

    def length(meaning):
        """A word counts what its meaning counts: the rarest word of it."""
        return max((lengths[i] for i in table.tokeniser.ids(meaning)), default=usual)

    pieces, rows = list(table.pieces), [row for row in table.vectors]
    for word, meanings in listed.items():
        shares = [LATER**n for n in range(len(meanings))]
        if meanings:
            row = sum(share * direction[m] for share, m in zip(shares, meanings))
            row = row / np.linalg.norm(row) * min(usual, sum(s * length(m) for s, m in zip(shares, meanings)) / sum(shares))
        else:
            row = direction[word] * usual
        at = table.tokeniser.rows.get(word)
        if at is None:
            pieces.append(word)
            rows.append(row)
        elif meanings:
            was = rows[at]
            mixed = ANEW * row / np.linalg.norm(row) + (1 - ANEW) * was / max(lengths[at], 1e-9)
            rows[at] = mixed / np.linalg.norm(mixed) * lengths[at]
    return pieces, np.array(rows, np.float32)


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("base", help="what train.py wrote")
    args.add_argument("--teacher", type=pathlib.Path, required=True)
    args.add_argument("--to", required=True)
    args = args.parse_args()
    table = Table.read(args.base)
    known = set((args.teacher / "vocab.txt").read_text(encoding="utf-8").split("\n"))
    # Words of the teacher's own vocabulary are left as they are: most are English too.
    listed = {word: meanings for word, meanings in words().items() if word not in known}
    pieces, rows = widened(table, listed, Bridge(Teacher(args.teacher, "cpu"), table, known))
    print(f"{len(pieces)} rows, {len(pieces) - len(table.pieces)} of them new")
    save(args.to, pieces, rows)


if __name__ == "__main__":
    main()
