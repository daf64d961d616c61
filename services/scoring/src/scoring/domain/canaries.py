"""Canaries: made-up words in the requests of hidden datasets. If one appears elsewhere, the dataset has leaked.

A canary is ten syllables of a consonant and a vowel: 20 letters with 63 random bits. Nobody writes one by accident, and
a text can be searched without a list of them. Only whole words are found, in any case and between any marks. A canary
leaves this service only in requests.
"""

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aeiou"
SYLLABLES = 10
LETTERS = 2 * SYLLABLES
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

    What stands between spaces and is shorter is passed over, which halves the time that it takes.
    """
    return frozenset(
        word
        for text in texts
        for part in text.split()
        if len(part) >= LETTERS
        for word in SHAPED.findall(part.lower())
    )
