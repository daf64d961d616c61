"""Reads of a person's standing in each task that they vote in."""

from uuid import UUID

from sqlalchemy import Engine, select

from validation.adapters.gold_tables import validator
from validation.adapters.tables import task_configuration
from validation.adapters.validators import newest_grades, to_validator
from validation.domain.validators import ValidatorState
from validation.views import Record


def standings_of_person(engine: Engine, person_id: UUID) -> list[Record]:
    """Return where a person stands, by the tasks' slugs; a task that is not known here yet is left out."""
    slug = (
        select(task_configuration.c.slug)
        .where(task_configuration.c.task_id == validator.c.task_id)
        .order_by(task_configuration.c.configuration_version.desc())
        .limit(1)
        .scalar_subquery()
        .label("slug")
    )
    with engine.connect() as connection:
        rows = connection.execute(select(validator, slug).where(validator.c.person_id == person_id)).all()
        found = []
        for row in rows:
            grades = newest_grades(connection, row.task_id, [person_id]).get(person_id, ())
            of = to_validator(row, grades)
            is_paused = of.state is ValidatorState.PAUSED
            appealed = of.open_appeal
            found.append(
                {
                    "task_slug": row.slug,
                    "state": of.state,
                    "paused_by": ("owner" if of.is_paused_by_owner else "checks") if is_paused else None,
                    "paused_at": of.paused_at,
                    "reason": of.pause_reason,
                    "failures": of.failures,
                    "appeal": {"reason": appealed.reason, "at": appealed.appealed_at} if appealed else None,
                }
            )
    return sorted((each for each in found if each["task_slug"]), key=lambda each: str(each["task_slug"]))
