"""The one tokenizer of all measurements: lower-cased words.

A word is a run of letters, marks and digits of any script, with apostrophes inside it. Languages that put no spaces
between words, such as Chinese, Japanese and Thai, come out as runs between punctuation: counts of words mean little
there, counts of characters still hold.
"""

import unicodedata

APOSTROPHES = frozenset("'\u2019\u02bc")
IN_WORDS = frozenset("LMN")


class _Separating(dict[int, str]):
    """What becomes of each code point, learnt at its first sight."""

    def __missing__(self, code_point: int) -> str:
        character = chr(code_point)
        if character in APOSTROPHES:
            character = "'"
        elif unicodedata.category(character)[0] not in IN_WORDS:
            character = " "
        self[code_point] = character
        return character


_SEPARATING = _Separating()


def words_of(text: str) -> list[str]:
    """Return the words of a text in their order."""
    found = (word.strip("'") for word in text.lower().translate(_SEPARATING).split())
    return [word for word in found if word]
