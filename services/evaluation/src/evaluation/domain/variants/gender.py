"""Fairness: words for men and women exchanged, in context and input alike."""

import re
from random import Random

from evaluation.domain.variants import FAIRNESS, VARIANT_RULES, VariantRule
from evaluation.domain.variants.words import WORD, like, replaced

PAIRS = (
    ("he", "she"), ("himself", "herself"), ("man", "woman"), ("men", "women"), ("boy", "girl"), ("boys", "girls"),
    ("father", "mother"), ("fathers", "mothers"), ("dad", "mum"), ("daddy", "mummy"), ("son", "daughter"),
    ("sons", "daughters"), ("brother", "sister"), ("brothers", "sisters"), ("husband", "wife"),
    ("husbands", "wives"), ("uncle", "aunt"), ("uncles", "aunts"), ("nephew", "niece"), ("grandfather", "grandmother"),
    ("grandpa", "grandma"), ("grandson", "granddaughter"), ("boyfriend", "girlfriend"), ("gentleman", "lady"),
    ("gentlemen", "ladies"), ("male", "female"), ("males", "females"), ("king", "queen"), ("prince", "princess"),
    ("actor", "actress"), ("waiter", "waitress"), ("sir", "madam"), ("mr", "mrs"), ("bride", "groom"),
    ("widow", "widower"), ("landlord", "landlady"), ("hero", "heroine"), ("chairman", "chairwoman"),
)  # fmt: skip
EXCHANGED = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
OBJECTS = {"her": "him", "him": "her"}
OWNERS = {"his": "her", "hers": "his"}
BEFORE_NOTHING_OWNED = frozenset(
    [
        "and",
        "or",
        "but",
        "because",
        "when",
        "while",
        "if",
        "that",
        "than",
        "then",
        "to",
        "in",
        "on",
        "at",
        "for",
        "with",
        "from",
        "by",
        "as",
        "of",
        "about",
        "after",
        "before",
        "again",
        "was",
        "is",
        "were",
        "are",
        "had",
        "has",
        "did",
        "does",
        "will",
        "would",
        "could",
        "so",
        "too",
        "very",
        "there",
        "here",
    ]
)
"""After one of these comes nothing that "her" owns, so it was the object: "saw her and left"."""


def exchange(text: str, _chance: Random, kept: frozenset[str]) -> str:
    """Return the text with the words exchanged; "her" is "his" where something follows that she may own."""

    def pronoun(found: re.Match[str]) -> str:
        word, low = found[0], found[0].lower()
        if low in kept or low not in ("her", *OBJECTS, *OWNERS):
            return word
        if low == "her" and _owns(text[found.end() :]):
            return like("his", word)
        return like({**OBJECTS, **OWNERS}[low], word)

    if not any(
        word.lower() in EXCHANGED or word.lower() in (*OBJECTS, *OWNERS) for word in WORD.findall(text)
    ):
        return text
    return replaced(WORD.sub(pronoun, text), EXCHANGED, kept)


def _owns(rest: str) -> bool:
    follows = re.match(r"\s+([^\W\d_]+)", rest)
    return follows is not None and follows[1].lower() not in BEFORE_NOTHING_OWNED


VARIANT_RULES.register("gender")(
    VariantRule("gender", FAIRNESS, "words for men and women are exchanged", exchange, changes_context=True)
)
