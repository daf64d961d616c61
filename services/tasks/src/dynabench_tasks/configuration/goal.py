"""The goal of a round: a message to annotators, who chooses the label, and the validated errors wanted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.nested_shapes import Key, Keys
from dynabench_tasks.configuration.problems import Place, Reading
from dynabench_tasks.configuration.shapes import Text, Whole, Word
from dynabench_tasks.fields import Field

MOST_VALIDATED_ERRORS = 10_000_000
GOAL = Keys(
    {
        "message": Key(Text(500, may_be_blank=True), ""),
        "label": Key(Word(("chosen", "assigned"), "way to a label"), "chosen"),
        "validated_errors": Key(Whole(1, MOST_VALIDATED_ERRORS), None),
    }
)


@dataclass(frozen=True)
class Goal:
    """A message next to the form; with `assigns_label` each assignment draws the label to write for.

    `validated_errors` is how many validated errors a round is to bring, if its owner set a number.
    """

    message: str = ""
    assigns_label: bool = False
    validated_errors: int | None = None

    def document(self) -> Mapping[str, object]:
        """Return the goal as its configuration says it."""
        return {
            "message": self.message,
            "label": "assigned" if self.assigns_label else "chosen",
            **({} if self.validated_errors is None else {"validated_errors": self.validated_errors}),
        }


def make_goal(given: Mapping[str, Any], place: Place, claimed: Field | None, reading: Reading) -> Goal:
    """Return the goal; `reading` learns if a label is to be assigned and the claim is none."""
    goal = Goal(given["message"], given["label"] == "assigned", given["validated_errors"])
    if goal.assigns_label and claimed is not None and claimed.type_name != "multiclass":
        reading.refuse(
            (*place, "label"),
            f"is `assigned`, but {claimed.name} is {claimed.type_name}",
            "Only multiclass labels can be assigned: use `chosen`.",
        )
    return goal


def wanted_errors(configuration: Mapping[str, Any] | None) -> int | None:
    """Return how many validated errors a round is to bring by a published configuration, if it says so."""
    goal = (configuration or {}).get("goal")
    wanted = goal.get("validated_errors") if isinstance(goal, Mapping) else None
    return wanted if isinstance(wanted, int) and not isinstance(wanted, bool) and wanted > 0 else None
