"""Choice of the submitted models whose workers may run when demand exceeds the limit."""

from collections.abc import Iterable, Set
from dataclasses import dataclass

HELD_SECONDS = 30.0
"""Workers used within this time are not taken away for others: else two models too many would never answer."""


@dataclass(frozen=True)
class Asked:
    """Workers that somebody asked for so many seconds ago; `is_loaded`: they are there already."""

    serving_name: str
    seconds_ago: float
    is_loaded: bool


def turns(asked: Iterable[Asked], most: int) -> Set[str]:
    """Return the names that may run: those in use first, then those asked for last."""

    def rank(each: Asked) -> tuple[bool, float]:
        is_in_use = each.is_loaded and each.seconds_ago < HELD_SECONDS
        return not is_in_use, each.seconds_ago

    return {each.serving_name for each in sorted(asked, key=rank)[:most]}
