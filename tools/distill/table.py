"""Reads and writes `table.bin`: a header, the sorted vocabulary, one scale a row, int8 rows."""

import struct

import numpy as np

from tokens import Tokeniser, shares

MAGIC, VERSION, ALIGN = b"AMTB", 1, 64
HEADER = struct.Struct("<4sIII6Q")


def write(path, pieces, vectors):
    """Writes float vectors as int8; rows are put in the byte order of their pieces."""
    order = sorted(range(len(pieces)), key=lambda i: pieces[i].encode())
    assert len(set(pieces)) == len(pieces), "a piece is there twice"
    vectors = np.asarray(vectors, dtype=np.float32)[order]
    blobs = [pieces[i].encode() for i in order]
    offsets = np.concatenate([[0], np.cumsum([len(b) for b in blobs])]).astype("<u4")
    scales = (np.abs(vectors).max(axis=1) / 127).astype("<f4")
    rows = np.rint(vectors / np.maximum(scales, 1e-30)[:, None]).astype(np.int8)
    sections = [offsets.tobytes() + b"".join(blobs), scales.tobytes(), rows.tobytes()]
    at, places, body = HEADER.size, [], b""
    for section in sections:
        gap = -at % ALIGN
        places += [at + gap, len(section)]
        body += b"\0" * gap + section
        at += gap + len(section)
    with open(path, "wb") as file:
        file.write(HEADER.pack(MAGIC, VERSION, len(blobs), vectors.shape[1], *places) + body)


class Table:
    """A table as the product reads it: whole float rows here, for speed in numpy."""

    def __init__(self, pieces, vectors):
        self.pieces, self.vectors = pieces, vectors
        self.tokeniser = Tokeniser({piece: row for row, piece in enumerate(pieces)})

    @classmethod
    def read(cls, path):
        with open(path, "rb") as file:
            data = file.read()
        magic, version, rows, dims, *at = HEADER.unpack_from(data)
        assert (magic, version) == (MAGIC, VERSION), f"`{path}` is no table of version {VERSION}"
        offsets = np.frombuffer(data, "<u4", rows + 1, at[0])
        blob = data[at[0] + 4 * (rows + 1) : at[0] + at[1]]
        pieces = [blob[a:b].decode() for a, b in zip(offsets[:-1], offsets[1:])]
        scales = np.frombuffer(data, "<f4", rows, at[2])
        values = np.frombuffer(data, np.int8, rows * dims, at[4]).reshape(rows, dims)
        return cls(pieces, values.astype(np.float32) * scales[:, None])

    def embed(self, texts):
        out = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        for i, text in enumerate(texts):
            ids = self.tokeniser.ids(text)
            if ids:
                out[i] = np.array(shares(ids), np.float32) @ self.vectors[ids]
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        return out / np.maximum(norms, 1e-12)
