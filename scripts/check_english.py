"""Refuse sentences over 30 words in documents; a table cell and a list item are texts of their own."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from weight import sentences, tracked

SENTENCE_WORDS = 30
UNCHECKED = ("CHANGELOG.md",)


def prose(document: str) -> str:
    """Return a Markdown text without code blocks and comments, each list of inline code as one word."""
    text = re.sub(r"^ *(```|~~~).*?^ *\1|<!--.*?-->", "", document, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^(#+ .*)$", r"\1\n", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`]+`(, `[^`]+`)*", "code", text)
    return re.sub(r"\]\([^)]*\)", "]", text)


def long_sentences(document: str, words: int = SENTENCE_WORDS) -> Iterator[tuple[int, str]]:
    """Yield the length in words and the text of each sentence with more than `words` words."""
    for sentence in sentences(prose(document)):
        length = sum(any(letter.isalnum() for letter in word) for word in sentence.split())
        if length > words:
            yield length, sentence


def main() -> int:
    """Check every Markdown file that git tracks; return 1 if one has a sentence that is too long."""
    found = [
        f"{path}: {length} words, at most {SENTENCE_WORDS}: {sentence}"
        for path in tracked("*.md")
        if path not in UNCHECKED
        for length, sentence in long_sentences(Path(path).read_text(encoding="utf-8"))
    ]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
