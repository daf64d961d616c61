"""The rule for a wrong target answer, and the number of wrong answers that fool the ensemble."""

from typing import Any

from dynabench_tasks.configuration.nested_shapes import Keys, OneOf
from dynabench_tasks.configuration.problems import INVALID, Place, Reading, Unfit
from dynabench_tasks.configuration.shapes import Whole
from dynabench_tasks.configuration.task_configuration import MOST_TARGETS
from dynabench_tasks.fields import Field
from dynabench_tasks.verdict import Ensemble
from dynabench_tasks.wrong_when import WRONG_RULES, WrongRule

ENSEMBLE = OneOf(
    ("any", "all"),
    {"at_least": Whole(1, MOST_TARGETS)},
    "ensemble",
    "`any`, `all` or `at_least: 2`",
)
WRONG_WHEN = OneOf(
    tuple(name for name in WRONG_RULES.names if not WRONG_RULES[name].keys),
    {name: Keys(WRONG_RULES[name].keys) for name in WRONG_RULES.names},
    "wrong-when rule",
    "a rule and what it compares",
)


def make_ensemble(given: Any) -> Ensemble:
    """Return how many wrong targets fool the ensemble."""
    name, least = given
    return Ensemble({"any": 1, "all": None}.get(name, least))


def make_wrong_rule(
    given: Any, place: Place, claimed: Field | None, languages: Any, reading: Reading
) -> WrongRule | None:
    """Return the rule for answers to the claimed field; None if there is none, as `reading` then says."""
    if claimed is None or given is INVALID:
        return None
    name, values = given
    rule_type: Any = WRONG_RULES[name]
    here = place if values is None else (*place, name)
    if values is INVALID or (values is not None and INVALID in values.values()):
        return None
    attributes = {key.attribute or each: (values or {})[each] for each, key in rule_type.keys.items()}
    rule: WrongRule = rule_type(**attributes)
    try:
        rule.ensure_fits(claimed)
    except Unfit as err:
        reading.refuse((*here, *err.keys), err.reason, err.remedy)
        return None
    return rule if languages is INVALID else rule.in_languages(tuple(languages))
