"""The arms of an experiment, drawn for each assignment."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_tasks.configuration.section import Section, refuse_twice

MOST_ARMS = 20


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


def read_conditions(section: Section) -> tuple[Condition, ...]:
    """Return the arms; one that everybody gets if none is named. Raises ConfigurationError."""
    if "conditions" not in section:
        section.take("conditions")
        return (Condition("default"),)
    arms = tuple(
        arm.finish(
            Condition(
                arm.text("name", 40),
                arm.number("weight", 0.001, 1_000, 1),
                arm.choice("context", ("shown", "hidden"), "shown") == "shown",
                arm.choice("targets", ("all", "none"), "all") == "all",
            )
        )
        for arm in section.sections("conditions", 1, MOST_ARMS)
    )
    refuse_twice([arm.name for arm in arms], "conditions")
    return arms
