"""Changes of single words of a text; everything between them stays as it is."""

import re
from collections.abc import Callable, Mapping
from random import Random

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
SHORTEST_CHANGED = 4


def like(word: str, model: str) -> str:
    """Return a word in the case of another: capital, capitals or neither."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def replaced(text: str, words: Mapping[str, str], kept: frozenset[str]) -> str:
    """Return the text with words exchanged, in their case."""

    def one(found: re.Match[str]) -> str:
        word = found[0]
        other = words.get(word.lower())
        return word if other is None or word.lower() in kept else like(other, word)

    return WORD.sub(one, text)


def one_word_changed(
    text: str, chance: Random, kept: frozenset[str], change: Callable[[str, Random], str]
) -> str:
    """Return the text with one word of at least four letters changed, drawn from those that may be."""
    found = [
        each
        for each in WORD.finditer(text)
        if len(each[0]) >= SHORTEST_CHANGED and each[0].lower() not in kept
    ]
    if not found:
        return text
    chosen = chance.choice(found)
    return text[: chosen.start()] + change(chosen[0], chance) + text[chosen.end() :]
