"""What a round is after: what the annotator is asked to write, who chooses the label, and how much is wanted."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_tasks.configuration.section import ConfigurationError, Section
from dynabench_tasks.fields import Field

MOST_VALIDATED_ERRORS = 10_000_000


@dataclass(frozen=True)
class Goal:
    """A message beside the form; with `assigns_label` each assignment draws the label to write for.

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


def read_goal(section: Section, claimed: Field) -> Goal:
    """Return the goal. Raises ConfigurationError if a label is to be assigned and the claim is none."""
    goal = Goal(
        section.text("message", 500, default=""),
        section.choice("label", ("chosen", "assigned"), "chosen") == "assigned",
        section.whole_if_given("validated_errors", 1, MOST_VALIDATED_ERRORS),
    )
    if goal.assigns_label and claimed.type_name != "multiclass":
        raise ConfigurationError(
            section.at("label"),
            f"is `assigned`, but {claimed.name} is {claimed.type_name}",
            "Only multiclass labels can be assigned: use `chosen`.",
        )
    return section.finish(goal)
