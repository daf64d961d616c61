"""Items of a task to evaluate models on, each text another one."""

import json
from collections.abc import Sequence
from typing import Any

TEXTS = (
    "The waiter was polite to guest {number}, but the fish had seen better days and so had we, honestly.",
    "Number {number} is the best seat of the house, and they gave it to us for nothing.",
    "The library closes at six on day {number}, and on Sundays it does not open at all.",
    "We waited {number} minutes for a table, were forgotten twice, and still paid for the bread.",
)


def items(labels: Sequence[str], number: int, mark: str) -> list[dict[str, Any]]:
    """Return so many items; `mark` is in ids and texts, so that sets differ."""
    return [
        {
            "id": f"{mark}-{each}",
            "context": {"prompt": f"Guest {each}."},
            "input": {"text": TEXTS[each % len(TEXTS)].format(number=f"{mark} {each}")},
            "label": labels[each % len(labels)],
        }
        for each in range(number)
    ]


def lines(made: Sequence[dict[str, Any]]) -> bytes:
    """Return them as they are uploaded."""
    return "".join(json.dumps(item) + "\n" for item in made).encode()
