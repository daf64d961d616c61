"""Checks for passwords that are too easy to guess.

The check removes everything that a guesser tries first, then judges the rest. It removes common words (also with digits
for letters), the person's own names, runs along the keyboard or the alphabet, and repeats. This needs no list of a
million passwords, and the reason for a refusal helps the person. Length is required. Special characters are not: they
make passwords harder to keep, not harder to guess.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable

from accounts.domain.errors import FieldRefused

SHORTEST, LONGEST = 10, 200
LEAST_DISTINCT = 5
LEAST_LEFT = 4
SHORTEST_RUN = 3
SHORTEST_OWN_NAME = 4
REMEDY = "Use at least 10 characters, such as a few unrelated words."

COMMON = (
    "abc123 access admin administrator annotator asdf baseball batman changeme charlie computer default demo "
    "dragon dynabench flower football freedom guest hello iloveyou internet jordan killer letmein login "
    "lovely master michael monkey mustang ninja owner pass passw0rd password pokemon princess qazwsx qwerty "
    "root sample secret shadow starwars summer sunshine superman temp test trustno1 user welcome whatever "
    "winter zaq12wsx"
)
WORDS = tuple(COMMON.split())
RUNS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "azerty",
)
LEET = str.maketrans("0134578@$!", "oieastbasi")


def normalised(password: str) -> str:
    """Return the form that is hashed, so that one password typed on two systems stays one password."""
    return unicodedata.normalize("NFKC", password)


def check(password: str, own_names: Iterable[str] = (), field: str = "password") -> None:
    """Raise FieldRefused for a password that is too short, too long or too easy to guess.

    `own_names` are the person's user name and the name in their mail address.
    """
    text = normalised(password)
    if len(text) < SHORTEST:
        raise FieldRefused(field, f"has {len(text)} characters; {SHORTEST} are needed", REMEDY)
    if len(text) > LONGEST:
        raise FieldRefused(field, f"has more than {LONGEST} characters", "Use a shorter one.")
    folded = "".join(character.lower()[:1] for character in text)
    if len(set(folded)) < LEAST_DISTINCT or _unit_length(folded) < LEAST_DISTINCT:
        raise FieldRefused(field, "repeats the same few characters", REMEDY)
    if _left_over(folded, own_names) < LEAST_LEFT:
        raise FieldRefused(field, "is too easy to guess", REMEDY)


def _unit_length(text: str) -> int:
    """Return the length of the shortest piece that `text` is a repetition of."""
    return (text + text).index(text, 1)


def _left_over(folded: str, own_names: Iterable[str]) -> int:
    """Count the characters that no guessable part covers."""
    covered = [False] * len(folded)
    names = [name.lower() for name in own_names if len(name) >= SHORTEST_OWN_NAME]
    for form in (folded, folded.translate(LEET)):
        for part in (*WORDS, *names):
            for found in re.finditer(re.escape(part), form):
                covered[found.start() : found.end()] = [True] * len(part)
    for start, end in _runs(folded):
        covered[start:end] = [True] * (end - start)
    return covered.count(False)


def _runs(text: str) -> Iterable[tuple[int, int]]:
    """Yield the stretches that follow a run forwards or backwards, or stay on one character."""
    steps = {pair for run in RUNS for pair in itertools.pairwise(run)}
    directions = (
        lambda left, right: (left, right) in steps,
        lambda left, right: (right, left) in steps,
        lambda left, right: left == right,
    )
    for follows in directions:
        start = 0
        for position in range(1, len(text) + 1):
            if position == len(text) or not follows(text[position - 1], text[position]):
                if position - start >= SHORTEST_RUN:
                    yield start, position
                start = position
