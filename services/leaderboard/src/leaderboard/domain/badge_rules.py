"""The badges there are and from when on somebody has them: the thresholds of the original Dynabench, as data."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Counts toward a badge.

    EXAMPLES are tries that were not taken back. FOOLING_STREAK counts tries in a row, in the order in which they were
    made in a task, each of which fooled and was not rejected; a try without a verdict is passed over, one that was
    taken back ends the streak. DAY_STREAK counts days in a row (UTC) with an example or a vote that counts.
    """

    EXAMPLES = "examples"
    VOTES = "votes"
    VALIDATED_ERRORS = "validated_errors"
    KEPT_FOOLING = "kept_fooling"
    FOOLING_STREAK = "fooling_streak"
    DAY_STREAK = "day_streak"
    WEEK_WON = "week_won"
    TASKS_COVERED = "tasks_covered"
    MODELS_PUBLISHED = "models_published"
    TASKS_WITH_MODEL = "tasks_with_model"
    ROUND_LED = "round_led"


@dataclass(frozen=True, slots=True)
class BadgeRule:
    """A badge with the count of its kind that it needs; 0 stands for the number of tasks."""

    name: str
    kind: Kind
    needed: int = 1


EVERY = 0
FEWEST_TASKS = 2
"""Least number of the platform's tasks for a badge that covers every task."""
PER_TASK = frozenset({Kind.KEPT_FOOLING, Kind.FOOLING_STREAK})
"""Kinds that are counted per task, so that a person can have a badge in each."""
REPEATED = frozenset({Kind.WEEK_WON, Kind.ROUND_LED})
"""Kinds of which each time is a badge of its own."""

BADGES = (
    BadgeRule("first_example", Kind.EXAMPLES, 1),
    BadgeRule("ten_examples", Kind.EXAMPLES, 10),
    BadgeRule("first_vote", Kind.VOTES, 1),
    BadgeRule("first_validated_fooling", Kind.VALIDATED_ERRORS, 1),
    BadgeRule("contributor_bronze", Kind.KEPT_FOOLING, 50),
    BadgeRule("contributor_silver", Kind.KEPT_FOOLING, 100),
    BadgeRule("contributor_gold", Kind.KEPT_FOOLING, 200),
    BadgeRule("contributor_platinum", Kind.KEPT_FOOLING, 500),
    BadgeRule("contributor_diamond", Kind.KEPT_FOOLING, 1_000),
    *(BadgeRule(f"fooling_streak_{number}", Kind.FOOLING_STREAK, number) for number in (5, 10, 20, 50, 100)),
    *(BadgeRule(f"day_streak_{days}", Kind.DAY_STREAK, days) for days in (2, 3, 5, 7, 14, 30, 90, 365)),
    BadgeRule("weekly_winner", Kind.WEEK_WON),
    BadgeRule("every_task", Kind.TASKS_COVERED, EVERY),
    BadgeRule("model_builder", Kind.MODELS_PUBLISHED, 1),
    BadgeRule("serial_model_builder", Kind.MODELS_PUBLISHED, 2),
    BadgeRule("model_multitasker", Kind.TASKS_WITH_MODEL, EVERY),
    BadgeRule("state_of_the_art", Kind.ROUND_LED),
)
