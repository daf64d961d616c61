"""Obstacles to an action on a round."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.rounds import Blocker

from web.kit.service_words import service_words


@dataclass(frozen=True)
class BlockerView:
    """Obstacle and its remedy."""

    text: str
    remedy: str


def blocker_views(blockers: Sequence[Blocker]) -> list[BlockerView]:
    """Return what stands in the way."""
    return [BlockerView(service_words(each.text), service_words(each.remedy)) for each in blockers]
