"""Canaries: made-up words in the requests of hidden datasets. If one appears elsewhere, the dataset has leaked.

A canary is ten syllables of a consonant and a vowel: 20 letters with 63 random bits. Nobody writes one by accident, and
a text can be searched without a list of them. Only whole words are found, in any case and between any marks. A canary
leaves evaluations only in requests: items of a hidden dataset that are asked once more, with the word in a text.
"""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from dynabench_tasks.values import Value

from evaluation.domain.items import CANARY, Item, Request

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aeiou"
SYLLABLES = 10
LETTERS = 2 * SYLLABLES
CANARIES = 3
"""Number of a dataset's items, if it has as many, that get a second request with a made-up word."""
SHAPED = re.compile(rf"(?<![a-z])(?:[{CONSONANTS}][{VOWELS}]){{{SYLLABLES}}}(?![a-z])")


class Place(StrEnum):
    """The place where a canary was found; `reference` of a sighting is the id of that very thing.

    An evaluation's answers, a dataset's items, an example with what was written about it, a submission's model card.
    """

    ANSWERS = "answers"
    DATASET = "dataset"
    EXAMPLE = "example"
    CARD = "card"


@dataclass(frozen=True)
class Sighting:
    """Words that are shaped like made-up ones, and where they stand; `name` is that of the model or the dataset."""

    place: Place
    reference: UUID
    name: str
    words: frozenset[str]


def made_up_word() -> str:
    """Return a new made-up word."""
    return "".join(secrets.choice(CONSONANTS) + secrets.choice(VOWELS) for _ in range(SYLLABLES))


def shaped_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that are shaped like made-up ones, in small letters; in all other text there are hardly any.

    Shorter runs between spaces are skipped, which halves the time.
    """
    return frozenset(
        word
        for text in texts
        for part in text.split()
        if len(part) >= LETTERS
        for word in SHAPED.findall(part.lower())
    )


def canaries(items: Sequence[Item], names: Sequence[str]) -> Mapping[str, Request]:
    """Return requests by the made-up word that each holds; `names` are the fields that hold text.

    The items and the place of the word within a text are drawn anew at each call: nobody can tell them beforehand.
    Tasks without a text field have none.
    """
    chance = secrets.SystemRandom()
    drawn = sorted(chance.sample(range(len(items)), min(CANARIES, len(items))))
    found: dict[str, Request] = {}
    for turn, number in enumerate(drawn, start=1):
        word, item = made_up_word(), items[number]
        written = _with_word(item.input, names, word, chance)
        context = item.context if written else _with_word(item.context, names, word, chance)
        if context is not None:
            found[word] = Request(number, f"{CANARY}:{turn}", context, written or item.input)
    return found


def _with_word(
    values: Mapping[str, Value], names: Sequence[str], word: str, chance: secrets.SystemRandom
) -> Mapping[str, Value] | None:
    """Return the values with the word in one of the texts; None where there is no text."""
    texts = {name: value for name, value in values.items() if name in names and isinstance(value, str)}
    if not texts:
        return None
    name = chance.choice(sorted(texts))
    words = texts[name].split(" ")
    words.insert(chance.randint(1, len(words)), word)
    return {**values, name: " ".join(words)}
