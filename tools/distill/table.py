"""Reads and writes `table.bin`: a header, the sorted vocabulary, one scale a row, rows of four bits a component."""

import struct

import numpy as np

from tokens import Tokeniser, shares

MAGIC, VERSION, ALIGN = b"AMTB", 2, 64
HEADER = struct.Struct("<4sIII6Q")
# A component is one of sixteen steps, half a step off zero at the least.
MIDDLE = 7.5
# The largest component of a row is cut to this share of itself, whichever leaves the row most like it was.
CUTS = np.linspace(0.5, 1.0, 11)


def write(path, pieces, vectors):
    """Writes float vectors with four bits a component; rows are put in the byte order of their pieces."""
    order = sorted(range(len(pieces)), key=lambda i: pieces[i].encode())
    assert len(set(pieces)) == len(pieces), "a piece is there twice"
    blobs = [pieces[i].encode() for i in order]
    offsets = np.concatenate([[0], np.cumsum([len(b) for b in blobs])]).astype("<u4")
    steps, scales = stepped(np.asarray(vectors, dtype=np.float32)[order])
    half = steps.shape[1] // 2
    rows = steps[:, :half] | steps[:, half:] << 4
    sections = [offsets.tobytes() + b"".join(blobs), scales.tobytes(), rows.tobytes()]
    at, places, body = HEADER.size, [], b""
    for section in sections:
        gap = -at % ALIGN
        places += [at + gap, len(section)]
        body += b"\0" * gap + section
        at += gap + len(section)
    with open(path, "wb") as file:
        file.write(HEADER.pack(MAGIC, VERSION, len(blobs), steps.shape[1], *places) + body)


def stepped(vectors):
    """Rows as steps from 0 to 15 and one scale each."""
    peak = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-30) / MIDDLE
    best, lost = None, None
    for cut in CUTS:
        scales = peak * cut
        steps = np.clip(np.floor(vectors / scales + MIDDLE + 0.5), 0, 15)
        error = ((steps - MIDDLE) * scales - vectors) ** 2
        error = error.sum(axis=1, keepdims=True)
        if best is None:
            best, lost = [steps, scales], error
        better = error < lost
        best = [np.where(better, new, old) for new, old in zip((steps, scales), best)]
        lost = np.where(better, error, lost)
    return best[0].astype(np.uint8), best[1][:, 0].astype("<f4")


class Table:
    """A table as the product reads it: whole float rows here, for speed in numpy."""

    def __init__(self, pieces, vectors):
        self.pieces, self.vectors = pieces, vectors
        self.tokeniser = Tokeniser({piece: row for row, piece in enumerate(pieces)})

    @classmethod
    def read(cls, path):
        """The file that the program reads, or what a training wrote."""
        if str(path).endswith(".npz"):
            trained = np.load(path)
            return cls([str(p) for p in trained["pieces"]], trained["rows"].astype(np.float32) * trained["scales"])
        with open(path, "rb") as file:
            data = file.read()
        magic, version, rows, dims, *at = HEADER.unpack_from(data)
        assert (magic, version) == (MAGIC, VERSION), f"`{path}` is no table of version {VERSION}"
        offsets = np.frombuffer(data, "<u4", rows + 1, at[0])
        blob = data[at[0] + 4 * (rows + 1) : at[0] + at[1]]
        pieces = [blob[a:b].decode() for a, b in zip(offsets[:-1], offsets[1:])]
        scales = np.frombuffer(data, "<f4", rows, at[2])
        packed = np.frombuffer(data, np.uint8, rows * dims // 2, at[4]).reshape(rows, dims // 2)
        steps = np.concatenate([packed & 15, packed >> 4], axis=1)
        return cls(pieces, (steps - np.float32(MIDDLE)) * scales[:, None])

    def embed(self, texts):
        out = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        for i, text in enumerate(texts):
            ids = self.tokeniser.ids(text)
            if ids:
                out[i] = np.array(shares(ids), np.float32) @ self.vectors[ids]
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        return out / np.maximum(norms, 1e-12)
