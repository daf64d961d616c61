"""Refuse long sentences, coined words, and docstrings that begin with a clause.

Sentences are checked in documents, words also in docstrings and comments.
A sentence has at most 30 words; a table cell and a list item are texts of their own. A coined word has a standard term.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

from weight import CLAUSES, sentences, tracked

SENTENCE_WORDS = 30
UNCHECKED = ("CHANGELOG.md",)
HANDLERS = "model-archives/src/model_archives/handlers/"
"""A digest of these files identifies a served model, so their comments change only together with their code."""
STANDARD_TERMS = {
    "asker": "caller",
    "at hand": "available, or nothing",
    "door": "endpoint or listener",
    "hang on": "wait or depend on",
    "hangs on": "waits or depends on",
    "held up": "blocked",
    "hung up": "disconnected",
    "in hand": "open, running or leased",
    "knock": "probe or call",
    "parked": "quarantined",
    "parking": "quarantine",
    "sees off": "finishes or closes",
    "sibling": "another process or service",
    "sign of life": "heartbeat",
    "told": "informed or notified",
    "twin": "fake or copy",
    "wave": "batch or step",
}


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


def explanations(source: str) -> Iterator[str]:
    """Yield the docstrings and comments of a Python module, without inline code."""
    tree = ast.parse(source)
    bodies = (body for node in ast.walk(tree) if isinstance(body := getattr(node, "body", None), list))
    values = (each.value for body in bodies for each in body if isinstance(each, ast.Expr))
    texts = [each.value for each in values if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    texts += [each.string for each in tokens if each.type == tokenize.COMMENT]
    yield from (re.sub(r"`[^`]*`", "code", text) for text in texts)


def clauses(source: str) -> Iterator[str]:
    """Yield the docstrings of a Python module that begin with a clause in place of a noun."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, documented))
    docstrings = (ast.get_docstring(node) or "" for node in nodes)
    yield from (text.splitlines()[0] for text in docstrings if text.partition(" ")[0] in CLAUSES)


def coined_words(text: str) -> Iterator[tuple[str, str]]:
    """Yield each coined word of a text with its standard term."""
    for word, term in STANDARD_TERMS.items():
        pattern = word.replace(" ", r"\s+")
        yield from ((word, term) for _ in re.finditer(rf"\b{pattern}s?\b", text, re.IGNORECASE))


def coined_words_in(path: str) -> Iterator[tuple[str, str]]:
    """Yield the coined words in the prose of a document, or in the docstrings and comments of a module."""
    text = Path(path).read_text(encoding="utf-8")
    if any(coined_words(text)):
        for each in explanations(text) if path.endswith(".py") else [prose(text)]:
            yield from coined_words(each)


def main() -> int:
    """Check every document and Python module that git tracks; return 1 if one has a flaw."""
    documents = [path for path in tracked("*.md") if path not in UNCHECKED]
    modules = [path for path in tracked("*.py") if not path.startswith(HANDLERS)]
    found = [
        f"{path}: {length} words, at most {SENTENCE_WORDS}: {sentence}"
        for path in documents
        for length, sentence in long_sentences(Path(path).read_text(encoding="utf-8"))
    ]
    found += [
        f"{path}: a coined word: “{word}”. Write: {term}."
        for path in [*documents, *modules]
        for word, term in coined_words_in(path)
    ]
    found += [
        f"{path}: the docstring begins with a clause: “{line}”. Begin with a noun phrase or an imperative."
        for path in modules
        for line in clauses(Path(path).read_text(encoding="utf-8"))
    ]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
