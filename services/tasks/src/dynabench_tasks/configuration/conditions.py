"""The arms of an experiment, drawn for each assignment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.nested_shapes import Key, Keys, ListOf
from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Number, Text, Word

MOST_ARMS = 20
CONDITIONS = ListOf(
    Keys(
        {
            "name": Key(Text(40)),
            "weight": Key(Number(0.001, 1_000), 1.0),
            "context": Key(Word(("shown", "hidden"), "way to show a context"), "shown"),
            "targets": Key(Word(("all", "none"), "choice of targets"), "all"),
        }
    ),
    1,
    MOST_ARMS,
)


@dataclass(frozen=True)
class Condition:
    """An arm, drawn with this weight among all arms.

    Without `shows_context` people write without seeing the context; without `has_targets` no model is asked and
    every verdict is undecided: a control arm.
    """

    name: str
    weight: float = 1.0
    shows_context: bool = True
    has_targets: bool = True

    def document(self) -> Mapping[str, object]:
        """Return the arm as its configuration says it."""
        return {
            "name": self.name,
            "weight": self.weight,
            "context": "shown" if self.shows_context else "hidden",
            "targets": "all" if self.has_targets else "none",
        }


def make_conditions(given: Sequence[Any] | None, place: Place, reading: Reading) -> tuple[Condition, ...]:
    """Return the arms; a default arm if none is named. `reading` receives repeated names."""
    if given is None:
        return (Condition("default"),)
    arms = [arm for arm in given if arm is not INVALID]
    if len(arms) == len(given):
        reading.refuse_twice([arm["name"] for arm in arms], place)
    return tuple(
        Condition(arm["name"], arm["weight"], arm["context"] == "shown", arm["targets"] == "all")
        for arm in arms
    )
