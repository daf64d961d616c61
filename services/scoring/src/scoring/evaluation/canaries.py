"""Requests with a made-up word in them: items of a hidden dataset that give away where its texts went."""

from collections.abc import Mapping, Sequence
from secrets import SystemRandom

from dynabench_tasks.values import Value

from scoring.domain.canaries import made_up_word
from scoring.evaluation.items import CANARY, Item, Request

CANARIES = 3
"""So many of a dataset's items, if it has as many, are asked once more with a made-up word."""


def canaries(items: Sequence[Item], names: Sequence[str]) -> Mapping[str, Request]:
    """Return requests by the made-up word that each holds; `names` are the fields that hold text.

    The items and the place of the word within a text are drawn anew at each call: nobody can tell them beforehand.
    Tasks without a text field have none.
    """
    chance = SystemRandom()
    drawn = sorted(chance.sample(range(len(items)), min(CANARIES, len(items))))
    found: dict[str, Request] = {}
    for turn, number in enumerate(drawn, start=1):
        word, item = made_up_word(), items[number]
        written = _with_word(item.input, names, word, chance)
        context = item.context if written else _with_word(item.context, names, word, chance)
        if context is not None:
            found[word] = Request(number, f"{CANARY}:{turn}", context, written or item.input)
    return found


def _with_word(
    values: Mapping[str, Value], names: Sequence[str], word: str, chance: SystemRandom
) -> Mapping[str, Value] | None:
    """Return the values with the word in one of the texts; None where there is no text."""
    texts = {name: value for name, value in values.items() if name in names and isinstance(value, str)}
    if not texts:
        return None
    name = chance.choice(sorted(texts))
    words = texts[name].split(" ")
    words.insert(chance.randint(1, len(words)), word)
    return {**values, name: " ".join(words)}
