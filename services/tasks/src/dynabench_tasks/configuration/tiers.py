"""The order in which targets are asked: cheap ones first, the others only about inputs that fooled all of those."""

from collections.abc import Sequence
from typing import Any

from dynabench_tasks.configuration.nested_shapes import Key, Keys, ListOf, Texts
from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Text
from dynabench_tasks.configuration.task_configuration import MOST_TARGETS
from dynabench_tasks.verdict import Ensemble
from dynabench_tasks.wrong_when import WrongRule
from dynabench_tasks.wrong_when.ask_annotator import AskAnnotator

Tiers = tuple[tuple[str, ...], ...]
LONGEST_NAME = 200
TIERS = ListOf(
    Keys({"targets": Key(Texts(Text(LONGEST_NAME), 1, MOST_TARGETS), description="Names of served models")}),
    0,
    MOST_TARGETS,
)


def make_tiers(
    given: Sequence[Any], place: Place, ensemble: Ensemble | None, rule: WrongRule | None, reading: Reading
) -> Tiers:
    """Return the tiers; `reading` receives repeated targets, and tiers without the rule `all`."""
    tiers = [tier for tier in given if tier is not INVALID and tier["targets"] is not INVALID]
    if given and ensemble is not None and ensemble.needed is not None:
        reading.refuse(
            place,
            "need `ensemble: all`: with another rule, a model that is not asked could decide alone",
            "Set `ensemble: all`, or leave the tiers out.",
        )
    if given and isinstance(rule, AskAnnotator):
        reading.refuse(
            place,
            "need a rule that says at once whether an answer is wrong",
            "Set another `wrong_when`, or leave the tiers out.",
        )
    seen: set[str] = set()
    for number, tier in enumerate(tiers):
        for name in sorted(seen.intersection(tier["targets"])):
            reading.refuse((*place, number, "targets"), f"repeats {name!r}", "Name each target once.")
        seen.update(tier["targets"])
    return tuple(tier["targets"] for tier in tiers)


def in_tiers(targets: Sequence[str], tiers: Tiers) -> list[tuple[str, ...]]:
    """Return a round's targets as they are asked, one tier after the other; targets without a tier come last."""
    named = {name for tier in tiers for name in tier}
    rest = tuple(name for name in targets if name not in named)
    asked = [tuple(name for name in targets if name in tier) for tier in tiers]
    return [tier for tier in (*asked, rest) if tier]
