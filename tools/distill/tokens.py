"""The tokeniser of the table: text to row numbers.

The same steps are written in Rust on the reading side; README.md describes them, and the file of
cases beside the table holds both to each other. Only ASCII letters and digits reach the word pieces,
so no text has an unknown piece: what is not Latin script is a gap between words.
"""

import unicodedata

LONGEST_WORD = 32
# After so many tokens a token counts half.
FADES = 64
LETTERS = {
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O",
    "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "TH", "ı": "i",
}
INVISIBLE = {"\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"}


def fold(text):
    """Text in ASCII letters and digits with their case kept; every other character is one space."""
    if text.isascii():
        return "".join(c if c.isalnum() else " " for c in text)
    out = []
    for c in unicodedata.normalize("NFKD", text):
        if c.isascii():
            out.append(c if c.isalnum() else " ")
        elif c in LETTERS:
            out.append(LETTERS[c])
        elif c not in INVISIBLE and not unicodedata.category(c).startswith("M"):
            out.append(" ")
    return "".join(out)


def humps(word):
    """The parts of an identifier: `parseHTTPHeader2Text` is parse, HTTP, Header2, Text."""
    start = 0
    for i in range(1, len(word)):
        before, here = word[i - 1], word[i]
        if not ("A" <= here <= "Z"):
            continue
        ends_upper_run = "A" <= before <= "Z" and i + 1 < len(word) and "a" <= word[i + 1] <= "z"
        if not ("A" <= before <= "Z") or ends_upper_run:
            yield word[start:i]
            start = i
    yield word[start:]


class Tokeniser:
    """Splits text into pieces of a vocabulary, a mapping from piece to row number."""

    def __init__(self, rows):
        self.rows = rows
        self.seen = {}

    def ids(self, text):
        out = []
        for word in fold(text).split():
            found = self.seen.get(word)
            if found is None:
                found = self.word(word)
                if len(self.seen) < 2_000_000:
                    self.seen[word] = found
            out.extend(found)
        return out

    def word(self, word):
        lower = word.lower()
        whole = self.rows.get(lower)
        if whole is not None:
            return [whole]
        return [row for part in humps(word) for row in self.pieces(part.lower())]

    def pieces(self, word):
        """Greedy longest match from the left; a word past the limit has no pieces."""
        if len(word) > LONGEST_WORD:
            return []
        out, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                row = self.rows.get(word[start:end] if start == 0 else "##" + word[start:end])
                if row is not None:
                    out.append(row)
                    start = end
                    break
            else:
                start += 1
        return out


def shares(ids):
    """How much each token of a text counts: what comes first says what a text is about, and a word that comes again
    says little more."""
    often, out = {}, []
    for place, token in enumerate(ids):
        often[token] = often.get(token, 0) + 1
        out.append(1 / (often[token] ** 0.5 * (1 + place / FADES)))
    return out
