"""The plan for a task's next round: its number of targets, and whether it is drafted automatically."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.nested_shapes import Key, Keys
from dynabench_tasks.configuration.shapes import Whole, Word

MOST_PROPOSED = 8
BY_ITSELF = "by_itself"
NEXT_ROUND = Keys(
    {
        "targets": Key(Whole(1, MOST_PROPOSED), None),
        "drafted": Key(Word(("by_owner", BY_ITSELF), "way to the next round"), "by_owner"),
    }
)


@dataclass(frozen=True)
class NextRound:
    """With `drafts_itself` the next round is drafted once every model is scored on the one that was released.

    `targets` is how many it is to have; None for as many as the round before.
    """

    targets: int | None = None
    drafts_itself: bool = False

    def document(self) -> Mapping[str, object]:
        """Return it as a configuration says it."""
        return {
            **({} if self.targets is None else {"targets": self.targets}),
            "drafted": BY_ITSELF if self.drafts_itself else "by_owner",
        }


def make_next_round(given: Mapping[str, Any], _place: object, _reading: object) -> NextRound:
    """Return the configured plan for the next round."""
    return NextRound(given["targets"], given["drafted"] == BY_ITSELF)
