"""The one tokenizer of all measurements: lower-cased words.

A word is a run of letters, marks and digits of any script, with apostrophes inside it. In languages without spaces
between words, such as Chinese, Japanese and Thai, each run between punctuation is one word. There, counts of words
mean little; counts of characters stay valid.
"""

import unicodedata

APOSTROPHES = frozenset("'\u2019\u02bc")
IN_WORDS = frozenset("LMN")


class _Separating(dict[int, str]):
    """Replacement of each code point, computed when it first occurs."""

    def __missing__(self, code_point: int) -> str:
        character = chr(code_point)
        if character in APOSTROPHES:
            character = "'"
        elif unicodedata.category(character)[0] not in IN_WORDS:
            character = " "
        self[code_point] = character
        return character


_SEPARATING = _Separating()
_ASCII = bytes(ord(chr(code).lower().translate(_SEPARATING)) for code in range(128)) + bytes(128)


def words_of(text: str) -> list[str]:
    """Return the words of a text in their order."""
    is_plain = text.isascii()
    separated = text.encode().translate(_ASCII).decode() if is_plain else text.lower().translate(_SEPARATING)
    words = separated.split()
    if "'" not in separated:
        return words
    return [bare for word in words if (bare := word.strip("'"))]
