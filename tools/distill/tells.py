"""Learns which way in the table's space lies what tells something: a fact, an event, a plan, a taste, and not a greeting, a
thank-you or a question. Reads the turns of `talk.jsonl.bz2`, writes one weight a component and an offset."""

import argparse
import bz2
import json
import pathlib

import numpy as np

from table import Table

HERE = pathlib.Path(__file__).parent
# What tells a little counts half.
SHARES = np.array([0.0, 0.5, 1.0])
# How strongly weights are held near nothing.
RIDGE = 1.0
FOLDS = 5


def turns():
    """The texts, as they are kept, and how much each tells."""
    with bz2.open(HERE / "talk.jsonl.bz2", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [f"{row['who']}: {row['text']}" for row in rows], SHARES[[row["tells"] for row in rows]]


def fit(vectors, shares):
    """A logistic regression by Newton's method; the offset is the last weight and is not held back."""
    x = np.c_[vectors, np.ones(len(vectors))].astype(np.float64)
    held = np.full(x.shape[1], RIDGE)
    held[-1] = 1e-6
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (shares - p) - held * weights
        bend = (x * (p * (1 - p))[:, None]).T @ x + np.diag(held)
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def area(scores, is_full):
    """The share of pairs in which what tells more has the higher score."""
    order = np.empty(len(scores))
    order[np.argsort(scores)] = np.arange(1, len(scores) + 1)
    full = int(is_full.sum())
    return (order[is_full].sum() - full * (full + 1) / 2) / (full * (len(scores) - full))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--table", default=HERE / "../../crates/memory-engine/assets/table.bin", type=pathlib.Path)
    arguments.add_argument("--out", required=True, type=pathlib.Path)
    options = arguments.parse_args()
    texts, shares = turns()
    vectors = Table.read(options.table).embed(texts)
    # Turns stand in the order of their conversations, so a fold shares none with the others.
    scores = np.empty(len(texts))
    for fold in np.array_split(np.arange(len(texts)), FOLDS):
        others = np.setdiff1d(np.arange(len(texts)), fold)
        weights = fit(vectors[others], shares[others])
        scores[fold] = vectors[fold] @ weights[:-1] + weights[-1]
    print(f"{len(texts)} turns; what tells is above what does not in {area(scores, shares == 1):.3f} of pairs, in folds")
    weights = fit(vectors, shares)
    scores = vectors @ weights[:-1] + weights[-1]
    # One unit is one spread of the scores, counted from their middle.
    weights[-1] -= scores.mean()
    weights /= scores.std()
    options.out.write_bytes(weights.astype("<f4").tobytes())


if __name__ == "__main__":
    main()
