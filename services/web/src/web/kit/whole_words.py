"""Word boundaries: whether a stretch of a text starts or ends within a word, and the whole words around it.

A word is a run of letters, digits and the marks that belong to them. Scripts without spaces between words (Chinese,
Japanese, Thai, Lao, Khmer, Burmese) have no such boundaries, so nothing cuts a word there.
"""

import unicodedata

WITHOUT_BLANKS = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the stretch `[start, end)`, in code points, made as long as the words in which it begins and ends."""
    while 0 < start < end and is_one_word(text[start - 1], text[start]):
        start -= 1
    while start < end < len(text) and is_one_word(text[end - 1], text[end]):
        end += 1
    return start, end


def is_one_word(before: str, after: str) -> bool:
    """Return whether no word ends between two characters that stand side by side."""
    return _is_of_a_word(before) and _is_of_a_word(after)


def _is_of_a_word(character: str) -> bool:
    if unicodedata.category(character)[0] not in "LNM":
        return False
    return not unicodedata.name(character, "").startswith(WITHOUT_BLANKS)
