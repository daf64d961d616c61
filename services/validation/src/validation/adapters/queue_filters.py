"""An owner's filter of the queue as a condition on an example's row."""

from sqlalchemy import ColumnElement, and_, or_, select, true

from validation.adapters.tables import example, example_validation, verdict_of_example
from validation.domain.queue import EVERYTHING, QueueFilter

of = example.c


def matches(wanted: QueueFilter) -> ColumnElement[bool]:
    """Match the rows of `example_validation` whose example satisfies the filter."""
    if wanted == EVERYTHING:
        return true()
    state = example_validation.c
    is_that_one = and_(of.example_id == state.example_id, of.round_id == state.round_id)
    return select(1).where(is_that_one, *_conditions(wanted)).exists()


def _conditions(wanted: QueueFilter) -> list[ColumnElement[bool]]:
    equal = {
        verdict_of_example: wanted.verdict,
        of.condition: wanted.condition,
        of.cohort: wanted.cohort,
        of.claimed: wanted.claimed,
        of.segment_id: wanted.segment_id,
    }
    conditions = [column == value for column, value in equal.items() if value is not None]
    if wanted.tag is not None:
        conditions.append(of.tags.contains([wanted.tag]))
    if wanted.target is not None:
        conditions.append(_answered_wrongly(wanted.target))
    return conditions


def _answered_wrongly(target: str) -> ColumnElement[bool]:
    """Match the examples that a target answered wrongly, by the task's rule or the author's decision."""
    by_rule = of.targets.contains([{"name": target, "wrong": True}])
    return or_(and_(of.decided_version.is_(None), by_rule), of.decided_wrong.contains([target]))
