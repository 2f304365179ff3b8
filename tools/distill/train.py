"""Trains the table to follow the teacher, with both languages in one space.

Each step draws texts and pairs of every kind. A Portuguese text stands for the teacher's vector of its English side.
The loss has four parts: the distribution of similarities inside the batch follows the teacher's (`follow`), the two
sides of a pair find each other among the others (`contrast` for English, `translate` for the two languages), each
vector lies near the teacher's own, projected (`near`), and rows stay near their start (`pull`).
"""

import argparse
import dataclasses
import json
import lzma
import multiprocessing
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as F

import measure
from teacher import Teacher
from tokens import Tokeniser, shares

LENGTH = 128
KINDS = ("text", "pair", "pt")


@dataclasses.dataclass
class Settings:
    name: str = "shipped"
    rows: int = 41_000
    dims: int = 224
    steps: int = 2000
    rate: float = 2e-3
    batch: tuple = (1024, 1024, 2048)
    follow: float = 1.0
    warmth: float = 0.05
    contrast: float = 0.3
    translate: float = 0.3
    sharpness: float = 0.05
    near: float = 10.0
    pull: float = 1.0
    drop: float = 0.0
    rarity: float = 3e-4
    blend: float = 0.7
    seed: int = 7


class Corpus:
    """The texts by kind, their teacher vectors, and their row numbers under a vocabulary of a given size."""

    def __init__(self, work, teacher, device, limit):
        self.device, self.work = device, work
        self.pairs = {kind: [] for kind in KINDS}
        for line in text_lines(work / "corpus.jsonl"):
            entry = json.loads(line)
            self.pairs[entry["kind"]].append((entry["a"], entry["b"]))
        if limit:
            self.pairs = {kind: pairs[:limit] for kind, pairs in self.pairs.items()}
        self.pieces = (work / "vocab.txt").read_text(encoding="utf-8").split()
        self.a, self.b = {}, {}
        for kind, pairs in self.pairs.items():
            self.a[kind] = teacher.encode([a for a, _ in pairs])
            if kind == "pair":
                self.b[kind] = teacher.encode([b for _, b in pairs])
            elif kind != "text":
                self.b[kind] = self.a[kind]
        self.alone = teacher.encode([p.removeprefix("##") for p in self.pieces])
        self.rows = 0

    def tokenise(self, rows):
        if rows == self.rows:
            return
        self.rows, self.ids = rows, {}
        for kind, pairs in self.pairs.items():
            for side in (0, 1) if kind != "text" else (0,):
                self.ids[kind, side] = padded([p[side] for p in pairs], self.pieces[:rows], self.device)


def text_lines(path):
    packed = path.with_name(path.name + ".xz")
    with (lzma.open(packed, "rt", encoding="utf-8") if packed.exists() else open(path, encoding="utf-8")) as file:
        yield from file


def padded(texts, pieces, device):
    """Row numbers, cut or filled up to LENGTH; the number after the last row means nothing."""
    chunks = [texts[i : i + 5000] for i in range(0, len(texts), 5000)]
    with multiprocessing.get_context("fork").Pool(initializer=start, initargs=(pieces,)) as pool:
        blocks = pool.map(block, chunks)
    return torch.tensor(np.concatenate(blocks), device=device)


def start(pieces):
    global tokeniser, nothing
    tokeniser, nothing = Tokeniser({p: i for i, p in enumerate(pieces)}), len(pieces)


def block(texts):
    out = np.full((len(texts), LENGTH), nothing, np.int32)
    for i, text in enumerate(texts):
        ids = tokeniser.ids(text)[:LENGTH]
        out[i, : len(ids)] = ids
    return out


def projection(corpus, dims):
    """The main directions of the teacher's vectors of English texts."""
    sample = torch.cat([corpus.a[k][:60_000] for k in ("text", "pair", "pt")]).float()
    _, vectors = torch.linalg.eigh(sample.T @ sample / len(sample))
    return vectors.flip(1)[:, :dims]


def beginning(corpus, settings, project):
    """Rows before training: the teacher's vector of the piece, or, for a piece that comes mostly in Portuguese, the mean
    of the English sides it comes with; rare pieces weigh more."""
    size = settings.rows
    counts, abroad = (torch.zeros(size + 1, device=corpus.device) for _ in range(2))
    beside = torch.zeros(size + 1, corpus.a["pt"].shape[1], device=corpus.device)
    for (kind, side), ids in corpus.ids.items():
        for at in range(0, len(ids), 20_000):
            part = ids[at : at + 20_000].long()
            flat = part.flatten()
            ones = torch.ones_like(flat, dtype=torch.float32)
            counts.index_add_(0, flat, ones)
            if kind == "pt" and side == 1:
                abroad.index_add_(0, flat, ones)
                width = (part != size).sum(1, keepdim=True).clamp(min=1)
                vectors = (corpus.b[kind][at : at + 20_000].float() / width)[:, None].expand(-1, LENGTH, -1)
                beside.index_add_(0, flat, vectors.reshape(-1, beside.shape[1]))
    counts, abroad, beside = counts[:size], abroad[:size], beside[:size]
    own = corpus.alone[:size].float()
    own = F.normalize((own - own.mean(0)) @ project, dim=1)
    mean = corpus.a["pt"].float().mean(0)
    weight = abroad.clamp(min=1)[:, None]
    beside = F.normalize((F.normalize(beside / weight, dim=1) - F.normalize(mean, dim=0)) @ project, dim=1)
    mostly = (abroad > 0.8 * counts) & (abroad > 3)
    rows = torch.where(mostly[:, None], beside, own)
    share = (counts + 1) / (counts.sum() + size)
    return rows * (settings.rarity / (settings.rarity + share))[:, None], int(mostly.sum())


def train(corpus, settings, say):
    torch.manual_seed(settings.seed)
    corpus.tokenise(settings.rows)
    project = projection(corpus, settings.dims)
    first, mostly = beginning(corpus, settings, project)
    first = torch.cat([first, torch.zeros(1, settings.dims, device=corpus.device)])
    table = torch.nn.Parameter(first.clone())
    optimiser = torch.optim.Adam([table], lr=settings.rate, betas=(0.9, 0.99))
    size, began = settings.rows, time.time()
    draw = torch.Generator(device=corpus.device).manual_seed(settings.seed)
    for step in range(settings.steps):
        for group in optimiser.param_groups:
            done = step / settings.steps
            group["lr"] = settings.rate * min(1, (step + 1) / 50) * 0.5 * (1 + np.cos(np.pi * done))
        ids, goals, spans, at = [], [], [], 0
        for kind, wanted in zip(KINDS, settings.batch):
            have = len(corpus.a[kind])
            if not wanted or not have:
                continue
            chosen = torch.randint(have, (wanted,), device=corpus.device, generator=draw)
            ids.append(corpus.ids[kind, 0][chosen])
            goals.append(corpus.a[kind][chosen])
            if kind != "text":
                ids.append(corpus.ids[kind, 1][chosen])
                goals.append(corpus.b[kind][chosen])
                spans.append((kind, at, at + wanted, at + 2 * wanted))
            at += wanted * (1 if kind == "text" else 2)
        ids, goals = torch.cat(ids).long(), torch.cat(goals).float()
        if settings.drop:
            lost = torch.rand(ids.shape, device=ids.device, generator=draw) < settings.drop
            ids = torch.where(lost, size, ids)
        made = F.normalize(F.embedding_bag(ids, table, mode="sum", padding_idx=size), dim=1, eps=1e-6)
        loss = loss_of(made, goals, spans, settings, project)
        if settings.pull:
            loss = loss + settings.pull * (table - first).pow(2).sum(1).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
    say(f"{settings.name}: loss {loss.item():.3f} after {time.time() - began:.0f} s, {mostly} pieces Portuguese")
    return blended(table[:size].detach(), first[:size], settings.blend), table[:size].detach(), first[:size]


def blended(trained, first, share):
    """The trained rows with a part of their start, each at the same median length."""
    lengths = [rows.norm(dim=1).median() for rows in (trained, first)]
    return share * trained / lengths[0] + (1 - share) * first / lengths[1]


def loss_of(made, goals, spans, settings, project):
    like = goals @ goals.T
    same = like > 0.995
    teacher = (like / settings.warmth).masked_fill(same, -1e4).softmax(1)
    student = ((made @ made.T) / settings.warmth).masked_fill(same, -1e4).log_softmax(1)
    loss = settings.follow * -(teacher * student).sum(1).mean()
    if settings.near:
        loss = loss + settings.near * (1 - (made * F.normalize(goals @ project, dim=1)).sum(1)).mean()
    for kind, start_, middle, end in spans:
        weight = settings.translate if kind == "pt" else settings.contrast
        logits = made[start_:middle] @ made[middle:end].T / settings.sharpness
        twins = like[middle:end, middle:end] > 0.95
        twins.fill_diagonal_(False)
        logits = logits.masked_fill(twins, -1e4)
        target = torch.arange(middle - start_, device=made.device)
        share = (middle - start_) / (spans[-1][3] / 4)
        loss = loss + weight * share * 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target))
    return loss


class Bench:
    """Recall on the measuring sets, with the texts' row numbers kept between runs."""

    def __init__(self, folder, device):
        self.sets, self.device, self.rows, self.ids = measure.gather(folder), device, 0, None

    def scores(self, table, pieces):
        texts = [t for pools in self.sets.values() for docs, asked, _ in pools for t in docs + asked]
        if len(pieces) != self.rows:
            start(pieces)
            self.rows, self.ids = len(pieces), [tokeniser.ids(t) for t in texts]
            self.flat = torch.tensor([i for ids in self.ids for i in ids], device=self.device)
            lengths = [0] + [len(ids) for ids in self.ids]
            counts = [count for ids in self.ids for count in shares(ids)]
            self.counts = torch.tensor(counts, device=self.device, dtype=torch.float32)
            self.offsets = torch.tensor(np.cumsum(lengths)[:-1], device=self.device)
        peak = table.abs().amax(1, keepdim=True).clamp(min=1e-12) / 127
        stored = (table / peak).round() * peak
        made = F.embedding_bag(self.flat, stored, self.offsets, mode="sum", per_sample_weights=self.counts)
        vectors = F.normalize(made, dim=1, eps=1e-9)
        return measure.scored(self.sets, vectors.cpu().numpy())


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--work", type=pathlib.Path, required=True, help="what prepare.py wrote")
    args.add_argument("--teacher", type=pathlib.Path, required=True)
    args.add_argument("--bench", type=pathlib.Path, help="folder of measuring sets; only to report")
    args.add_argument("--try", dest="tries", default="[{}]", help="JSON list of settings that differ from the shipped")
    args.add_argument("--limit", type=int, default=0, help="entries of each kind, for a quick check")
    args.add_argument("--blends", default="[1.0]", help="JSON list of shares to report beside")
    args.add_argument("--seconds", type=float, default=1e9, help="start no other training after so long")
    args.add_argument("--to", type=pathlib.Path, required=True)
    args = args.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    began = time.time()
    corpus = Corpus(args.work, Teacher(args.teacher, device), device, args.limit)
    print(f"teacher done after {time.time() - began:.0f} s", flush=True)
    bench = Bench(args.bench, device) if args.bench else None
    for changes in json.loads(args.tries):
        if time.time() - began > args.seconds:
            break
        settings = Settings(**changes)
        vectors, trained, first = train(corpus, settings, lambda text: print(text, flush=True))
        pieces = corpus.pieces[: settings.rows]
        for share in json.loads(args.blends) if bench else []:
            found = bench.scores(blended(trained, first, share), pieces)
            print(json.dumps({"name": settings.name, "blend": share, **found}), flush=True)
            save(args.to / f"{settings.name}-{share}.npz", pieces, blended(trained, first, share).cpu().numpy())
        save(args.to / f"{settings.name}.npz", pieces, vectors.cpu().numpy())


def save(path, pieces, vectors):
    scales = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-12).astype(np.float32) / 127
    rows = np.rint(vectors / scales).astype(np.int8)
    np.savez_compressed(path, pieces=np.array(pieces), rows=rows, scales=scales)


if __name__ == "__main__":
    main()
