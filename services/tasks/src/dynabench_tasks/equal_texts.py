"""Equality of texts that differ only in ways a reader does not see, or takes for the same.

Four differences are ignored: compatibility forms (NFKC), invisible characters, lookalike characters, and letter case
with white space. Invisible characters are Unicode's default ignorables, which include direction marks. Lookalikes are
the confusables of UTS #39. Characters that any keyboard can type stay distinct. `0` and `O` are two characters, and two
words differ if one has a letter more. `nearly_comparable` ignores punctuation and accents as well. `near_duplicates`
handles looser likeness.

The list of lookalikes is Unicode's own, from the package confusable-homoglyphs. It is read at the first use, in 0.1 s.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import blake2b
from importlib.resources import files

from dynabench_tasks.values import Value, to_text

DIGEST_BYTES = 16
IGNORABLE_RANGES = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Unicode's Default_Ignorable_Code_Point, and the blank Braille pattern."""
LIKE_A_STROKE = frozenset("1Il|")
"""Characters that the list treats as one; here a capital among them becomes I, since letter case is folded later."""
ACCENT = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff]"
)
BETWEEN_DIGITS = re.compile(r"\d[.,:/-]\d")
AT_THE_ENDS = re.compile(r"^[+<=>$]+|[+<=>$]+$")
"""Signs on the keyboard that are no punctuation in Unicode, where they stand like it."""
MARK = "\u200e"
"""Stands around characters that run from right to left in the list of confusables."""


def comparable(text: str) -> str:
    """Return what is left of a text if all that makes no difference is taken away; texts that are the same give one."""
    if text.isascii():
        return _without_spaces(text.casefold())
    seen = "".join(map(_look_of, _visible(unicodedata.normalize("NFKC", text))))
    folded = unicodedata.normalize("NFKC", seen).casefold()
    return _without_spaces("".join(map(_look_of, _visible(folded))).casefold())


def nearly_comparable(text: str) -> str:
    """Return what is left of a text without punctuation and accents either; of punctuation alone, all that is seen.

    A mark between two digits stays, as in 1.5. Accents are those of Latin, Greek and Cyrillic letters, Hebrew points
    and Arabic vowel signs; the vowel signs of other scripts are letters. Symbols and emoji in a text say something.
    """
    # Before look-alikes are replaced, since some punctuation looks like a letter, and once more for what they leave.
    bare = _bare(comparable(_bare(text)))
    return AT_THE_ENDS.sub("", bare) or comparable(text)


def _bare(text: str) -> str:
    parts = ACCENT.sub("", unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text)))
    kept = (
        character
        for place, character in enumerate(parts)
        if not _is_punctuation(character) or BETWEEN_DIGITS.fullmatch(parts, max(0, place - 1), place + 2)
    )
    return unicodedata.normalize("NFC", "".join(kept))


def near_digest_of(texts: Mapping[str, Value]) -> bytes:
    """Return a digest that fields share if their texts are nearly equal; what is no text must be the same."""
    parts = [
        (name, nearly_comparable(value) if isinstance(value, str) else to_text(value))
        for name, value in texts.items()
    ]
    return blake2b(json.dumps(sorted(parts)).encode(), digest_size=DIGEST_BYTES).digest()


def _is_punctuation(character: str) -> bool:
    return (
        unicodedata.category(character)[0] == "P"
        or unicodedata.category(character) == "Sk"
        or character in "|~"
    )


def _visible(text: str) -> Iterator[str]:
    return (character for character in text if not _is_ignorable(character))


@cache
def _is_ignorable(character: str) -> bool:
    code = ord(character)
    return unicodedata.category(character) == "Cf" or any(
        low <= code <= high for low, high in IGNORABLE_RANGES
    )


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def _look_of(character: str) -> str:
    return character if character.isascii() else _looks().get(character, character)


@cache
def _looks() -> Mapping[str, str]:
    """Return the representative of each confusable character: an ASCII character if one looks like it.

    The list has every pair in both directions: a character with its replacement, and the replacement with all the
    characters that it replaces.
    """
    content = files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8")
    alike: dict[str, list[str]] = {}
    for shown, others in json.loads(content).items():
        character = shown.strip(MARK)
        if len(character) == 1:
            found = (other["c"].strip(MARK) for other in others)
            alike.setdefault(character, []).extend(each for each in found if len(each) == 1)
    return {character: _stands_for(character, alike) for character in alike if not character.isascii()}


def _stands_for(character: str, alike: Mapping[str, list[str]]) -> str:
    """Return the least of all characters that look like this one, directly or by way of others."""
    group, waiting = {character}, [character]
    while waiting:
        for other in alike.get(waiting.pop(), ()):
            if other not in group:
                group.add(other)
                waiting += [] if other.isascii() else [other]
    least = min(group)
    return "I" if least in LIKE_A_STROKE and character.isupper() else least
