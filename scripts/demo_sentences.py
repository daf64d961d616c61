"""Sentences for as many sentiment rounds as one likes: for rounds after the lines of `demo/` are used up.

Each form belongs to a kind and a label that a reader would give. Forms and words are put together by round and seed,
so that no two rounds share a sentence.
"""

import random
from collections.abc import Iterator, Mapping

from demo_lines import Line

PLACES = (
    "bakery",
    "hotel",
    "museum",
    "cinema",
    "library",
    "campsite",
    "ferry",
    "hairdresser",
    "theatre",
    "aquarium",
)
THINGS = (
    "kettle",
    "novel",
    "rucksack",
    "sofa",
    "bicycle",
    "camera",
    "lamp",
    "tent",
    "headset",
    "raincoat",
    "printer",
    "piano",
)
DAYS = (
    "on Monday",
    "last week",
    "in March",
    "at noon",
    "this year",
    "on our trip",
    "after work",
    "in winter",
)
FORMS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("negated", "positive"): (
        "I looked for a fault in the {thing} {day} and did not find one.",
        "There was not one thing to complain about at the {place} {day}.",
        "Nobody in our group was disappointed by the {place} {day}.",
        "The {thing} that I bought {day} has never let me down.",
    ),
    ("negated", "negative"): (
        "The {place} was not the good place that they promised us {day}.",
        "I would not call the {thing} that I got {day} a bargain.",
        "Nothing about the {thing} felt well made when I used it {day}.",
        "We never got the warm welcome for which the {place} is known {day}.",
    ),
    ("sarcastic", "negative"): (
        "Great, the {thing} broke {day}, right after the guarantee ran out.",
        "How thoughtful of the {place} to let us wait in the rain {day}.",
        "The {thing} is perfect {day} for anyone who enjoys sending things back.",
        "Wonderful: the {place} was closed {day} and nobody had told us.",
    ),
    ("contrastive", "positive"): (
        "I expected little of the {place}, and {day} it won me over.",
        "The {thing} looks cheap, yet {day} I would buy it again at once.",
        "We arrived cross at the {place} {day} and left singing.",
    ),
    ("contrastive", "negative"): (
        "Everyone praised the {place}, and {day} I left before the end.",
        "The {thing} looks lovely and was useless {day}.",
        "A beautiful building, the {place}, wasted {day} on rude people.",
    ),
    ("world_knowledge", "negative"): (
        "At the {place} a hair came with my soup {day}.",
        "The {thing} came in two halves {day}; I had ordered one piece.",
        "We were the only guests of the {place} {day}, and we soon knew why.",
    ),
    ("world_knowledge", "positive"): (
        "The whole {place} stood up and clapped {day}.",
        "I have lent my {thing} to nobody since {day}; I need it all the time.",
        "We missed the last train from the {place} {day}, because no one wanted to leave.",
    ),
    ("loaded_words", "neutral"): (
        "The {place} shows a film about a terrible war {day}.",
        "The word “wonderful” is printed on the box of the {thing} {day}.",
        "{day_first} the {place} keeps lost and broken things in a box.",
        "The crime novel next to the {thing} was returned {day}.",
    ),
    ("plain", "neutral"): (
        "The {place} changes its opening hours {day}.",
        "The {thing} was moved to the second shelf {day}.",
    ),
    ("plain", "positive"): ("I love the {place} and went there again {day}.",),
    ("plain", "negative"): ("I hated the {thing} that they gave us {day}.",),
}
OF_A_FORM = 6


def lines(round_number: int, seed: int) -> list[Line]:
    """Return the lines of a round, six of each form; rounds have different ones."""
    return list(_drawn(round_number, random.Random(seed)))


def _drawn(round_number: int, drawn: random.Random) -> Iterator[Line]:
    for (kind, claim), forms in FORMS.items():
        for form in forms:
            texts = sorted(
                {_text(form, place, thing, day) for place in PLACES for thing in THINGS for day in DAYS}
            )
            drawn.shuffle(texts)
            start = (round_number * OF_A_FORM) % (len(texts) - OF_A_FORM)
            yield from (Line(text, claim, kind) for text in texts[start : start + OF_A_FORM])


def _text(form: str, place: str, thing: str, day: str) -> str:
    return form.format(place=place, thing=thing, day=day, day_first=day[0].upper() + day[1:])
