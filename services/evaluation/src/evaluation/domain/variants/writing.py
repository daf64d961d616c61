"""Robustness: the same words in another writing."""

import re
from random import Random

from evaluation.domain.variants import ROBUSTNESS, VARIANT_RULES, VariantRule
from evaluation.domain.variants.words import one_word_changed, replaced

CONTRACTED = {
    "is not": "isn't", "are not": "aren't", "was not": "wasn't", "were not": "weren't", "do not": "don't",
    "does not": "doesn't", "did not": "didn't", "cannot": "can't", "will not": "won't", "would not": "wouldn't",
    "could not": "couldn't", "should not": "shouldn't", "have not": "haven't", "has not": "hasn't", "it is": "it's",
    "i am": "I'm", "you are": "you're", "we are": "we're", "they are": "they're", "i have": "I've", "i will": "I'll",
}  # fmt: skip
LONG = {short.lower(): long for long, short in CONTRACTED.items()}
PHRASES = re.compile(r"\b(" + "|".join(map(re.escape, CONTRACTED)) + r")\b", re.IGNORECASE)
HOMOGLYPHS = str.maketrans("aceopxyi", "асеорхуі")
ZERO_WIDTH = "\u200b"


def other_case(text: str, _chance: Random, _kept: frozenset[str]) -> str:
    """Return the text in small letters, or in capitals if it has none but small ones."""
    return text.lower() if text != text.lower() else text.upper()


def contracted(text: str, _chance: Random, kept: frozenset[str]) -> str:
    """Return the text with contractions written out, or contracted where there are none."""
    written_out = replaced(
        text.replace("’", "'"), {short: long.lower() for short, long in LONG.items()}, kept
    )
    if written_out != text.replace("’", "'"):
        return written_out
    return PHRASES.sub(lambda found: _in_case(CONTRACTED[found[0].lower()], found[0]), text)


def other_punctuation(text: str, _chance: Random, _kept: frozenset[str]) -> str:
    """Return the text without its last mark, or with one where there is none."""
    stripped = text.rstrip()
    return stripped[:-1] if stripped.endswith((".", "!")) and len(stripped) > 1 else f"{stripped}."


def missing_space(text: str, chance: Random, _kept: frozenset[str]) -> str:
    """Return the text without one of the spaces that follow a mark."""
    places = [found.start(1) for found in re.finditer(r"[,.;:!?](\s)\S", text)]
    if not places:
        return text
    place = chance.choice(places)
    return text[:place] + text[place + 1 :]


def homoglyphs(text: str, chance: Random, kept: frozenset[str]) -> str:
    """Return the text with letters of one word replaced by ones of another script that look the same."""
    return one_word_changed(text, chance, kept, lambda word, _: word.translate(HOMOGLYPHS))


def zero_width(text: str, chance: Random, kept: frozenset[str]) -> str:
    """Return the text with a character that nobody sees within one word."""

    def change(word: str, chance: Random) -> str:
        place = chance.randrange(1, len(word))
        return word[:place] + ZERO_WIDTH + word[place:]

    return one_word_changed(text, chance, kept, change)


def _in_case(short: str, long: str) -> str:
    return short[:1].upper() + short[1:] if long[:1].isupper() else short


RULES = (
    ("other_case", "small letters, or capitals", other_case),
    ("contracted", "contractions written out, or contracted", contracted),
    ("other_punctuation", "the last mark left out, or added", other_punctuation),
    ("missing_space", "no space after a mark", missing_space),
    ("homoglyphs", "letters of another script that look the same", homoglyphs),
    ("zero_width", "an invisible character within a word", zero_width),
)
for _name, _summary, _change in RULES:
    VARIANT_RULES.register(_name)(VariantRule(_name, ROBUSTNESS, _summary, _change))
