"""Trains a finished table on with questions and what answers them, most of which share no word.

`asked.jsonl.bz2` holds them, a group a line: `sort`, and under `q` and `a` the questions and the answers by language.
The loss has four parts: a question finds an answer of its group among those of others (`contrast`), similarities in the
batch follow the teacher's of the English sides (`follow`), a Portuguese text lies where its English side lies
(`translate`), and what other texts are like stays as the table had it (`keep`). Rows keep their length, so that only what
a word means may change and not how much it counts, and a part of each stays as it was.
"""

import argparse
import bz2
import collections
import dataclasses
import json
import pathlib
import random

import numpy as np
import torch
import torch.nn.functional as F

import measure
from prepare import lines
from table import Table
from teacher import Teacher
from tokens import shares
from train import LENGTH, save

HERE = pathlib.Path(__file__).parent
Group = collections.namedtuple("Group", "sort asked answers")


@dataclasses.dataclass
class Settings:
    steps: int = 1000
    rate: float = 1.5e-3
    batch: int = 256
    # How much of a batch each sort of group has, and how many groups that stand one after the other come together: they are
    # often about one matter, and a question must find the one of them that answers it.
    sorts: tuple = (("note", 5), ("talk", 2), ("assistant", 1), ("work", 1), ("code", 2), ("commit", 0.5))
    beside: int = 4
    same_language: float = 0.7
    sharpness: float = 0.1
    drop: float = 0.1
    follow: float = 1.0
    warmth: float = 0.05
    translations: int = 128
    translate: float = 0.3
    near: float = 5.0
    keep: float = 5.0
    others: tuple = (96, 160, 64)
    pull: float = 0.3
    blend: float = 0.75
    seed: int = 1


def groups():
    lines = bz2.decompress((HERE / "asked.jsonl.bz2").read_bytes()).decode().splitlines()
    entries = [json.loads(line) for line in lines]
    return [Group(entry["sort"], entry["q"], entry["a"]) for entry in entries]


class Others:
    """Texts that have nothing to do with the groups, and pairs of them."""

    def __init__(self, folder, seed):
        draw = random.Random(seed)
        self.texts = [e["text"][:400] for e in draw.sample(list(lines(folder / "passages.jsonl.zst")), 20_000)]
        pairs = draw.sample(list(lines(folder / "pairs.jsonl.zst")), 40_000)
        self.pairs = [(e["query"][:300], e["passage"][:400]) for e in pairs]

    def some(self, texts, pairs):
        drawn = random.sample(self.pairs, pairs)
        return random.sample(self.texts, texts) + [a for a, _ in drawn] + [b for _, b in drawn]


class Bags:
    """Texts as vectors under some rows."""

    def __init__(self, tokeniser):
        self.tokeniser, self.seen = tokeniser, {}

    def pieces(self, text):
        if text not in self.seen:
            ids = self.tokeniser.ids(text)[:LENGTH]
            self.seen[text] = (ids, shares(ids)) if ids else ([0], [0.0])
        return self.seen[text]

    def vectors(self, texts, rows, drop=0.0):
        ids, counts, starts = [], [], []
        for text in texts:
            starts.append(len(ids))
            of_text, count = self.pieces(text)
            ids += of_text
            counts += count
        counts = torch.tensor(counts)
        if drop:
            counts = counts * (torch.rand(len(counts)) >= drop)
        made = F.embedding_bag(
            torch.tensor(ids), rows, torch.tensor(starts), mode="sum", per_sample_weights=counts
        )
        return F.normalize(made, dim=1, eps=1e-6)


def taught(all_groups, folder):
    """The teacher's vectors of all English sides."""
    texts = sorted({text for g in all_groups for text in g.asked["en"] + g.answers["en"]})
    device = "cuda" if torch.cuda.is_available() else "cpu"
    vectors = Teacher(folder, device).encode(texts, budget=1 << 13).cpu().float()
    return dict(zip(texts, vectors))


def contrast(asked, answers, own, sharpness):
    logits = asked @ answers.T / sharpness
    own = torch.tensor(own)
    same = own[:, None] == own[None]
    same.fill_diagonal_(False)
    logits = logits.masked_fill(same, -1e4)
    target = torch.arange(len(own))
    return 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target))


def likeness(made, wanted, same, warmth):
    """How far the similarities of vectors are from the wanted ones."""
    goal = (wanted / warmth).masked_fill(same, -1e4).softmax(1)
    return F.kl_div((made @ made.T / warmth).masked_fill(same, -1e4).log_softmax(1), goal, reduction="batchmean")


def chosen(all_groups, settings):
    """Numbers of groups, each sort as often as the settings say, in runs of neighbours."""
    of_sort = collections.defaultdict(list)
    for number, group in enumerate(all_groups):
        of_sort[group.sort].append(number)
    names, shares = zip(*settings.sorts)
    while True:
        out = []
        for name in random.choices(names, shares, k=settings.batch // settings.beside):
            at = random.randrange(len(of_sort[name]))
            out += of_sort[name][at : at + settings.beside]
        yield out


def drawn(all_groups, numbers, settings):
    """Questions with an answer each, their English sides, and the groups they are of."""
    out = []
    for number in numbers:
        _, asked, answers = all_groups[number]
        language = random.choice(list(asked))
        other = language if random.random() < settings.same_language else random.choice(list(answers))
        i, j = random.randrange(len(asked[language])), random.randrange(len(answers[other]))
        english = (asked["en"][min(i, len(asked["en"]) - 1)], answers["en"][min(j, len(answers["en"]) - 1)])
        out.append((asked[language][i], answers[other][j], *english, number))
    return [list(column) for column in zip(*out)]


def translations(all_groups, count):
    out = []
    for group in random.choices(all_groups, k=count):
        side = random.choice((group.asked, group.answers))
        i = random.randrange(min(len(side["en"]), len(side["pt"])))
        out.append((side["en"][i], side["pt"][i]))
    return [list(column) for column in zip(*out)]


def tune(table, all_groups, teacher, others, settings):
    random.seed(settings.seed)
    torch.manual_seed(settings.seed)
    bags = Bags(table.tokeniser)
    first = torch.tensor(table.vectors)
    lengths = first.norm(dim=1, keepdim=True)
    usual = float(lengths.median())
    rows = torch.nn.Parameter(first.clone())
    optimiser = torch.optim.Adam([rows], betas=(0.9, 0.99))
    both = [g for g in all_groups if "pt" in g.asked]
    portuguese = [text for g in both for text in g.asked["pt"] + g.answers["pt"]]
    for step, numbers in zip(range(settings.steps), chosen(all_groups, settings)):
        for group in optimiser.param_groups:
            slope = min(1, (step + 1) / 30) * 0.5 * (1 + np.cos(np.pi * step / settings.steps))
            group["lr"] = settings.rate * usual * slope
        asked, answers, asked_en, answers_en, own = drawn(all_groups, numbers, settings)
        a, b = (bags.vectors(texts, rows, settings.drop) for texts in (asked, answers))
        loss = contrast(a, b, own, settings.sharpness)
        goals = torch.stack([teacher[text] for text in asked_en + answers_en])
        like = goals @ goals.T
        loss = loss + settings.follow * likeness(torch.cat([a, b]), like, like > 0.995, settings.warmth)
        english, translated = translations(both, settings.translations)
        e, p = (bags.vectors(texts, rows, settings.drop) for texts in (english, translated))
        beside = contrast(e, p, list(range(len(english))), settings.sharpness)
        loss = loss + settings.translate * (beside + settings.near * (1 - (e.detach() * p).sum(1)).mean())
        texts = others.some(*settings.others[:2])
        stay = len(texts)
        texts += random.sample(portuguese, settings.others[2])
        with torch.no_grad():
            before = bags.vectors(texts, first)
        now = bags.vectors(texts, rows)
        kept = likeness(now, before @ before.T, torch.eye(len(texts), dtype=torch.bool), settings.warmth)
        moved = (1 - (now[:stay] * before[:stay]).sum(1)).mean()
        loss = loss + settings.keep * (kept + settings.near * moved)
        loss = loss + settings.pull * (rows - first).pow(2).sum() / usual**2 / 2000
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        with torch.no_grad():
            rows.mul_(lengths / rows.norm(dim=1, keepdim=True).clamp(min=1e-9))
        if (step + 1) % 100 == 0:
            print(f"step {step + 1}: loss {loss.item():.3f}", flush=True)
    blended = settings.blend * rows.detach() + (1 - settings.blend) * first
    return (blended * lengths / blended.norm(dim=1, keepdim=True).clamp(min=1e-9)).numpy()


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("base", help="the table to go on from, as export.py writes it")
    args.add_argument("--train", type=pathlib.Path, required=True, help="folder with passages and pairs, jsonl.zst")
    args.add_argument("--teacher", type=pathlib.Path, required=True)
    args.add_argument("--to", required=True, help="the trained table, for export.py")
    args = args.parse_args()
    settings = Settings()
    table, all_groups = Table.read(args.base), groups()
    print(collections.Counter(g.sort for g in all_groups))
    vectors = tune(table, all_groups, taught(all_groups, args.teacher), Others(args.train, 5), settings)
    save(args.to, table.pieces, vectors)
    sets = measure.gather(None)
    texts = [t for pools in sets.values() for docs, asked, _ in pools for t in docs + asked]
    print(json.dumps(measure.scored(sets, Table(table.pieces, vectors).embed(texts))))


if __name__ == "__main__":
    main()
