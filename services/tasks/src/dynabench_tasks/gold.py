"""An example's gold answer once votes are in."""

from enum import StrEnum


class GoldPolicy(StrEnum):
    """Whose answer is the gold: the author's where votes confirm it, or what most voters say."""

    AUTHOR_CONFIRMED = "author_confirmed"
    MAJORITY = "majority"
