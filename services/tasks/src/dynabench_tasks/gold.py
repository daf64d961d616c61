"""An example's gold answer once votes are in."""

from enum import StrEnum


class GoldPolicy(StrEnum):
    """The source of the gold: the author's answer if votes confirm it, or the answer of most voters."""

    AUTHOR_CONFIRMED = "author_confirmed"
    MAJORITY = "majority"
