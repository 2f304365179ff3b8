"""The teacher: all-MiniLM-L6-v2 as a plain forward pass, so that only torch, numpy and tokenizers are needed.

Its folder holds `tokenizer.json` and either `model.safetensors` or `teacher.npz`, the same weights as int8 with one
scale a row (`shrink` makes it; mean cosine to the full weights 0.999), which is four times smaller to carry."""

import json
import pathlib
import struct
import sys

import numpy as np

LAYERS, HEADS, WIDTH, WINDOW = 6, 12, 384, 256


def weights(folder):
    folder = pathlib.Path(folder)
    if (folder / "teacher.npz").exists():
        stored = np.load(folder / "teacher.npz")
        out = {k: stored[k].astype(np.float32) for k in stored.files if k[-2:] not in (".q", ".s")}
        for key in (k[:-2] for k in stored.files if k.endswith(".q")):
            out[key] = stored[key + ".q"].astype(np.float32) * stored[key + ".s"]
        return out
    data = (folder / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    out = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__" and entry["dtype"] == "F32" and not name.startswith("pooler"):
            start, end = (8 + size + at for at in entry["data_offsets"])
            out[name] = np.frombuffer(data[start:end], np.float32).reshape(entry["shape"])
    return out


def shrink(folder, to):
    out = {}
    for name, w in weights(folder).items():
        if w.ndim == 2 and len(w) > 2:
            scale = np.abs(w).max(axis=1, keepdims=True) / 127
            out[name + ".q"] = np.rint(w / np.maximum(scale, 1e-12)).astype(np.int8)
            out[name + ".s"] = scale.astype(np.float32)
        else:
            out[name] = w
    np.savez(to, **out)


class Teacher:
    def __init__(self, folder, device):
        import tokenizers
        import torch

        self.device = device
        kind = torch.float16 if device == "cuda" else torch.float32
        self.w = {k: torch.tensor(v, device=device, dtype=kind) for k, v in weights(folder).items()}
        self.tokenizer = tokenizers.Tokenizer.from_file(str(pathlib.Path(folder) / "tokenizer.json"))
        self.tokenizer.enable_truncation(WINDOW)
        self.tokenizer.no_padding()

    def encode(self, texts, budget=1 << 17):
        """Unit vectors of the texts, as one float16 tensor; batches hold about `budget` tokens of like length."""
        import torch

        ids = []
        for i in range(0, len(texts), 50_000):
            ids += [e.ids for e in self.tokenizer.encode_batch(texts[i : i + 50_000])]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        out = torch.zeros(len(ids), WIDTH, device=self.device, dtype=torch.float16)
        at = 0
        while at < len(order):
            end = min(len(order), at + max(1, budget // max(8, len(ids[order[at]]))))
            while end - at > 1 and len(ids[order[end - 1]]) * (end - at) > budget:
                end = at + (end - at) * 3 // 4
            rows = order[at:end]
            longest = len(ids[rows[-1]])
            block = np.zeros((len(rows), longest), np.int64)
            for k, r in enumerate(rows):
                block[k, : len(ids[r])] = ids[r]
            lengths = torch.tensor([len(ids[r]) for r in rows], device=self.device)
            with torch.no_grad():
                made = self.forward(torch.tensor(block, device=self.device), lengths)
            out[torch.tensor(rows, device=self.device)] = made.half()
            at = end
        return out

    def forward(self, ids, lengths):
        import torch
        import torch.nn.functional as F

        w = self.w
        n, length = ids.shape
        inside = torch.arange(length, device=ids.device)[None] < lengths[:, None]
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:length]
        x = self.norm("embeddings.LayerNorm", x + w["embeddings.token_type_embeddings.weight"][0])
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}."
            q, k, v = (
                F.linear(x, w[f"{at}attention.self.{part}.weight"], w[f"{at}attention.self.{part}.bias"])
                .view(n, length, HEADS, WIDTH // HEADS)
                .transpose(1, 2)
                for part in ("query", "key", "value")
            )
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=inside[:, None, None, :])
            mixed = mixed.transpose(1, 2).reshape(n, length, WIDTH)
            x = self.norm(f"{at}attention.output.LayerNorm", x + self.linear(f"{at}attention.output.dense", mixed))
            y = F.gelu(self.linear(f"{at}intermediate.dense", x))
            x = self.norm(f"{at}output.LayerNorm", x + self.linear(f"{at}output.dense", y))
        total = (x.float() * inside[:, :, None]).sum(1) / lengths[:, None]
        return F.normalize(total, dim=1)

    def linear(self, name, x):
        import torch.nn.functional as F

        return F.linear(x, self.w[name + ".weight"], self.w[name + ".bias"])

    def norm(self, name, x):
        import torch.nn.functional as F

        return F.layer_norm(x, (WIDTH,), self.w[name + ".weight"], self.w[name + ".bias"], 1e-12)


if __name__ == "__main__":
    shrink(sys.argv[1], sys.argv[2])
