"""The texts that people read on a page, and those outside of the catalogue's brackets."""

import re
from collections.abc import Collection, Iterator
from html.parser import HTMLParser

from web_pseudo import CLOSE, OPEN

READ_ATTRIBUTES = {"title", "aria-label", "placeholder", "alt", "data-waits-for", "content"}
UNREAD = {"code", "pre", "kbd", "script", "style", "textarea", "template", "time"}
# What is left alone by programs that translate pages, but may have words of the catalogue.
CATALOGUED = {"title", "option", "abbr"}
VOID = {"meta", "link", "input", "br", "hr", "img", "col", "wbr", "source"}
# Within these a sentence may go on; any other element begins anew.
INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "code",
    "em",
    "i",
    "kbd",
    "mark",
    "small",
    "span",
    "strong",
    "time",
    "tspan",
}
READ_METAS = {"description"}
# Names, terms and units that are the same in every language.
SAME = re.compile(
    r"\b(Dynabench|MER|vMER|UTC|ISO|JSON|YAML|CSV|API|BibTeX|Parquet|Croissant|Hugging Face|SPDX|CC BY 4\.0)\b"
)
WORD = re.compile(r"[^\W\d_]{2,}")
QUOTED = re.compile(r"“[^”]*”")
REPEATED = re.compile(r"(.)\1{9,}")
ISOLATES = re.compile("[\u2068\u2069]")
DATE = re.compile(r"\b\d{1,2} \w{3,4}( \d{4})?\b( \d\d:\d\d(:\d\d)?)?")
PARTS = re.compile(r"[·,:;“”\"()\n→|/–—@]+")
LONG = 8


class _Reader(HTMLParser):
    def __init__(self, start: str, end: str) -> None:
        super().__init__()
        self._marks = start, end
        self.unbracketed: list[str] = []
        self._depth = 0
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "meta" and given.get("name") not in READ_METAS:
            return
        for name, value in attrs:
            if name in READ_ATTRIBUTES and value:
                self.unbracketed += self._outside(value, 0)[0]
        if tag == "input" and given.get("type") in {"submit", "button"} and given.get("value"):
            self.unbracketed += self._outside(str(given["value"]), 0)[0]
        if tag not in VOID:
            is_own = given.get("translate") == "no" and tag not in CATALOGUED
            is_unread = tag in UNREAD or is_own
            self._open.append((tag, is_unread))
        if tag not in INLINE:
            self._depth = 0

    def handle_endtag(self, tag: str) -> None:
        if tag in (each for each, _is_unread in self._open):
            while self._open.pop()[0] != tag:
                pass
        if tag not in INLINE:
            self._depth = 0

    def handle_data(self, data: str) -> None:
        found, self._depth = self._outside(data, self._depth)
        if not any(is_unread for _tag, is_unread in self._open):
            self.unbracketed += found

    def _outside(self, text: str, depth: int) -> tuple[list[str], int]:
        """Return the stretches outside of all brackets, and how many brackets are open at the end."""
        start, end = self._marks
        found = [""]
        for character in text:
            if character == start:
                depth += 1
                found.append("")
            elif character == end:
                depth = max(0, depth - 1)
            elif depth == 0:
                found[-1] += character
        return found, depth


def strings_in(document: object) -> Iterator[str]:
    """Yield every text in an answer of the platform: what pages show of it is data."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        yield from (each for part in document.values() for each in strings_in(part))
        yield from map(str, document)
    elif isinstance(document, list):
        yield from (each for part in document for each in strings_in(part))


def forgotten(page: str, data: Collection[str], start: str = OPEN, end: str = CLOSE) -> list[str]:
    """Return what stands on a page in words and comes neither from the catalogue nor from the platform.

    Texts of the catalogue stand between `start` and `end`.
    """
    reader = _Reader(start, end)
    reader.feed(page)
    reader.close()
    plain = {" ".join(text.split()) for text in data}
    words = {form for text in plain for form in (text, text.capitalize(), text.replace("_", " "))}
    long = sorted((text for text in plain if len(text) >= LONG), key=len, reverse=True)
    return [
        text
        for text in map(_tidy, reader.unbracketed)
        if WORD.search(text) and not _is_data(text, words, long)
    ]


def _tidy(text: str) -> str:
    return " ".join(ISOLATES.sub("", text).split())


def _is_data(text: str, words: Collection[str], long: Collection[str]) -> bool:
    is_cut = len(text) >= LONG and text.endswith("…")
    if text in words or (is_cut and any(each.startswith(text[:-1]) for each in long)):
        return True
    left = text
    for same in (QUOTED, REPEATED, SAME, DATE):
        left = same.sub("·", left)
    for each in long:
        if each in left:
            left = left.replace(each, "·")
    parts = (part.strip(" .") for part in PARTS.split(left))
    return all(not WORD.search(part) or part in words for part in parts)
