"""Robustness: what slips while people type."""

from random import Random

from evaluation.domain.variants import ROBUSTNESS, VARIANT_RULES, VariantRule
from evaluation.domain.variants.words import like, one_word_changed, replaced

ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
NEIGHBOURS = {
    key: "".join(row[place + step] for step in (-1, 1) if 0 <= place + step < len(row))
    for row in ROWS
    for place, key in enumerate(row)
}
MISSPELT = {
    "because": "becuase", "believe": "beleive", "definitely": "definately", "their": "thier", "receive": "recieve",
    "really": "realy", "separate": "seperate", "until": "untill", "which": "wich", "friend": "freind",
    "beginning": "begining", "tomorrow": "tommorow", "weird": "wierd", "different": "diffrent", "would": "woud",
    "people": "poeple", "restaurant": "restaraunt", "actually": "actualy", "disappointed": "dissapointed",
    "experience": "experiance", "probably": "probaly", "together": "togather", "surprise": "suprise",
    "always": "allways",
    "beautiful": "beatiful", "government": "goverment", "happened": "happend", "interesting": "intresting",
    "knowledge": "knowlege", "necessary": "neccessary", "something": "somthing", "through": "throught",
    "where": "whre",
    "writing": "writting", "there": "ther", "about": "abuot", "should": "shoud", "another": "anohter",
    "before": "befor",
    "favourite": "favorit", "favorite": "favorit", "great": "graet", "little": "litle", "minute": "minuet",
}  # fmt: skip


def neighbouring_key(text: str, chance: Random, kept: frozenset[str]) -> str:
    """Return the text with one letter of one word replaced by its neighbour on the keyboard."""

    def change(word: str, chance: Random) -> str:
        places = [place for place, letter in enumerate(word) if letter.lower() in NEIGHBOURS and place]
        if not places:
            return word
        place = chance.choice(places)
        other = chance.choice(NEIGHBOURS[word[place].lower()])
        return word[:place] + like(other, word[place]) + word[place + 1 :]

    return one_word_changed(text, chance, kept, change)


def swapped_letters(text: str, chance: Random, kept: frozenset[str]) -> str:
    """Return the text with two letters within one word in each other's place."""

    def change(word: str, chance: Random) -> str:
        places = [place for place in range(1, len(word) - 2) if word[place] != word[place + 1]]
        if not places:
            return word
        place = chance.choice(places)
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]

    return one_word_changed(text, chance, kept, change)


def misspelt(text: str, _chance: Random, kept: frozenset[str]) -> str:
    """Return the text with words as they are often misspelt."""
    return replaced(text, MISSPELT, kept)


def split_word(text: str, chance: Random, kept: frozenset[str]) -> str:
    """Return the text with a space within one word."""

    def change(word: str, chance: Random) -> str:
        place = chance.randrange(2, len(word) - 1)
        return f"{word[:place]} {word[place:]}"

    return one_word_changed(text, chance, kept, change)


RULES = (
    ("neighbouring_key", "one letter becomes one beside it on the keyboard", neighbouring_key),
    ("swapped_letters", "two letters of a word change places", swapped_letters),
    ("misspelt", "words as they are often misspelt", misspelt),
    ("split_word", "a space within a word", split_word),
)
for _name, _summary, _change in RULES:
    VARIANT_RULES.register(_name)(VariantRule(_name, ROBUSTNESS, _summary, _change))
