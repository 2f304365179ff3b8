"""Translation pairs, English to Portuguese, from what programs ship: message catalogues and package
descriptions. Every reader yields `(english, portuguese)` as plain text, one sentence or paragraph each."""

import bz2
import gzip
import json
import lzma
import pathlib
import re
import struct
import subprocess
import tempfile

WANTED = ["*/LC_MESSAGES/*.mo", "*/en.json", "*/pt-br.json", "*/pt.json"]
PORTUGUESE = re.compile(r"(/|\.)pt([_-](BR|PT))?(/|\.po$)")


def fetch(packages, into):
    """Downloads Debian packages with apt and keeps the files that hold translations."""
    for package in packages:
        target = into / package
        if target.exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            got = subprocess.run(["apt-get", "download", "-q", package], cwd=folder, capture_output=True)
            archives = list(pathlib.Path(folder).glob("*.deb"))
            if got.returncode or not archives:
                print(f"`{package}` cannot be had here, left out")
                continue
            target.mkdir(parents=True)
            body = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archives[0]], stdout=subprocess.PIPE)
            subprocess.run(
                ["tar", "-x", "-C", target, "--wildcards", *WANTED],
                stdin=body.stdout, stderr=subprocess.DEVNULL, check=False,
            )
            body.wait()
    for path in into.rglob("*.mo"):
        if not PORTUGUESE.search("/" + str(path.relative_to(into))):
            path.unlink()


def clean(text):
    """A message without its markup: tags, keyboard accelerators, placeholders, file name patterns."""
    text = text.split("\x04")[-1]
    text = re.sub(r"<[^>]{1,80}>", " ", text)
    text = re.sub(r"\\[fF][BIRP]|[A-Z]<([^>]*)>", r"\1", text)
    text = re.sub(r"&(quot|lt|gt|amp|nbsp|apos|#\d+);", " ", text)
    text = re.sub(r"[&~](?=\w)", "", text)
    text = re.sub(r"(?<![\w])_(?=\w)|(?<=[a-zà-ú])_(?=[a-zà-ú]*(\s|$|\.\.\.))", "", text)
    text = re.sub(r"%\(\w+\)[a-z]|%[-+0#]*\d*(\.\d+)?l{0,2}[a-zA-Z]|%\d(\$\w)?|\$\{?\w+\}?|\{\w*\}|\{\{.*?\}\}", " ", text)
    return re.sub(r"\s+", " ", text.replace("\\n", " ")).strip(" |*:.…")


def mo(path):
    data = path.read_bytes()
    if len(data) < 20:
        return
    order = "<" if data[:4] == b"\xde\x12\x04\x95" else ">"
    count, at_ids, at_texts = struct.unpack_from(order + "III", data, 8)
    charset = re.search(rb"charset=([\w-]+)", data)
    charset = "latin-1" if charset and charset[1].lower().startswith(b"iso-8859") else "utf-8"
    for i in range(count):
        parts = []
        for at in (at_ids, at_texts):
            length, offset = struct.unpack_from(order + "II", data, at + 8 * i)
            parts.append(data[offset : offset + length].decode(charset, "replace").split("\0"))
        if parts[0][0]:
            yield parts[0][0], parts[1][0]
            if len(parts[0]) > 1 and len(parts[1]) > 1:
                yield parts[0][1], parts[1][1]


def po(path):
    """The entries of a source catalogue; fuzzy ones are left out."""
    for entry in re.split(r"\n\s*\n", path.read_text(encoding="utf-8", errors="replace")):
        if re.search(r"^#,.*fuzzy", entry, re.M) or "msgid_plural" in entry:
            continue
        found = {}
        for line in entry.splitlines():
            start = re.match(r"(msgid|msgstr)\s+(\".*)", line)
            if start:
                key, line = start.groups()
                found[key] = ""
            if line.startswith('"') and found:
                inner = line.strip()[1:-1]
                found[list(found)[-1]] += inner.replace("\\n", " ").replace('\\"', '"').replace("\\t", " ")
        if found.get("msgid") and found.get("msgstr"):
            yield found["msgid"], found["msgstr"]


def interface_json(folder):
    """Messages kept as `en.json` beside `pt-br.json` and `pt.json`."""
    english = folder / "en.json"
    for name in ("pt-br.json", "pt.json"):
        if english.exists() and (folder / name).exists():
            en, pt = (json.loads(p.read_text(encoding="utf-8")) for p in (english, folder / name))
            for key, value in en.items():
                if isinstance(value, str) and isinstance(pt.get(key), str):
                    yield value, pt[key]


def messages(root):
    for path in sorted(root.rglob("*")):
        if path.suffix in (".mo", ".po") and PORTUGUESE.search("/" + str(path.relative_to(root))):
            yield from mo(path) if path.suffix == ".mo" else po(path)
        elif path.name == "en.json":
            yield from interface_json(path.parent)


def opened(path):
    kinds = {".bz2": bz2.open, ".xz": lzma.open, ".gz": gzip.open}
    return kinds.get(path.suffix, open)(path, "rt", encoding="utf-8", errors="replace")


def descriptions(path):
    """Package descriptions of a `Translation-*` index: digest of the English text to a list of paragraphs."""
    out, digest, lines = {}, None, []
    with opened(path) as file:
        for line in [*file, "\n"]:
            if line.startswith("Description-md5:"):
                digest = line.split()[1]
            elif line.startswith("Description-"):
                lines = [line.split(":", 1)[1].strip(), ""]
            elif line.startswith(" ") and lines:
                lines.append("" if line.strip() == "." else line.strip())
            elif digest and lines:
                body = "\n".join(lines).split("\n\n")
                out[digest] = [re.sub(r"\s+", " ", p).strip() for p in body if p.strip()]
                digest, lines = None, []
    return out
