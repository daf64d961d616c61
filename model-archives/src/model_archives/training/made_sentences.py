"""Plain sentences with an obvious sentiment, composed from the words of this file.

A model that continues training on a round alone soon forgets plain text, since rounds collect unusual text. These
sentences are mixed in, so that it keeps its earlier abilities. They need no download and no licence.
"""

from itertools import product

from model_archives.training.examples import LabelledText

PLACES = ("café", "hotel", "museum", "cinema", "library", "market", "ferry", "clinic", "theatre", "campsite")
PARTS = ("staff", "food", "room", "service", "view", "sound", "garden", "chair", "app", "coat")
GOOD = ("lovely", "excellent", "friendly", "comfortable", "brilliant", "charming", "delightful", "superb")
BAD = ("awful", "dirty", "rude", "broken", "disappointing", "boring", "noisy", "terrible")
FACTS = (
    "The {place} opens at nine on weekdays.",
    "The {place} is next to the station.",
    "There is a sign in front of the {place}.",
    "Tickets for the {place} are sold at the counter.",
)
FRAMES = (
    "The {part} at the {place} was {word}.",
    "What a {word} {part} the {place} has.",
    "I found the {part} of this {place} {word}.",
)
DENIALS = ("The {part} at the {place} was not {word}.", "Nothing about the {part} of the {place} was {word}.")


def made_sentences() -> list[LabelledText]:
    """Return 440 sentences of the three labels, in a fixed order; denials turn the word round."""
    pairs = list(product(PLACES, PARTS))
    made = [
        _plain(number, place, part, label) for number, (place, part) in enumerate(pairs) for label in WORDS
    ]
    made += [
        _denied(number, place, part, label) for number, (place, part) in enumerate(pairs) for label in WORDS
    ]
    made += [_labelled(fact.format(place=place), "neutral") for place in PLACES for fact in FACTS]
    return made


WORDS = {"positive": GOOD, "negative": BAD}
TURNED = {"positive": BAD, "negative": GOOD}


def _plain(number: int, place: str, part: str, label: str) -> LabelledText:
    word = WORDS[label][number % len(WORDS[label])]
    return _labelled(FRAMES[number % len(FRAMES)].format(place=place, part=part, word=word), label)


def _denied(number: int, place: str, part: str, label: str) -> LabelledText:
    word = TURNED[label][number % len(TURNED[label])]
    return _labelled(DENIALS[number % len(DENIALS)].format(place=place, part=part, word=word), label)


def _labelled(text: str, label: str) -> LabelledText:
    return LabelledText((text,), (label,), group=text)
