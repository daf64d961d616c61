"""Submissions and published models: lists, logs and texts of entries."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, Row, func, select

from registry.adapters.submission_store import read_submission
from registry.adapters.tables import submission, submission_entry, submission_log
from registry.domain.errors import ModelUnknown
from registry.domain.submission import Step, Submission, SubmissionState


@dataclass(frozen=True)
class Offered:
    """A published model, and how many versions its submitter sent to the task in all."""

    submission: Submission
    of_team: int


def submissions(
    engine: Engine,
    *,
    person_id: UUID | None,
    task: str | None,
    state: SubmissionState | None,
    before: UUID | None,
    limit: int,
    hidden: frozenset[str],
) -> list[Submission]:
    """Return submissions to tasks that are not `hidden`, the newest first: of a person, of a task, or both."""
    statement = select(submission).where(submission.c.task_slug.not_in(hidden))
    statement = statement.order_by(submission.c.submission_id.desc()).limit(limit)
    if person_id is not None:
        statement = statement.where(submission.c.submitted_by == person_id)
    if task is not None:
        statement = statement.where(submission.c.task_slug == task)
    if state is not None:
        statement = statement.where(submission.c.state == state)
    if before is not None:
        statement = statement.where(submission.c.submission_id < before)
    with engine.connect() as connection:
        return [read_submission(row) for row in connection.execute(statement)]


def log_lines(
    engine: Engine, submission_id: UUID, step: Step | None, after: int, limit: int
) -> list[Row[Any]]:
    """Return lines of a log after one, the oldest first."""
    statement = (
        select(submission_log)
        .where(submission_log.c.submission_id == submission_id, submission_log.c.id > after)
        .order_by(submission_log.c.id)
        .limit(limit)
    )
    if step is not None:
        statement = statement.where(submission_log.c.step == step)
    with engine.connect() as connection:
        return list(connection.execute(statement))


def entry_text(engine: Engine, submission_id: UUID, path: str) -> str | None:
    """Return the text of an entry of an archive, None where there is none to show."""
    statement = select(submission_entry.c.content).where(
        submission_entry.c.submission_id == submission_id, submission_entry.c.path == path
    )
    with engine.connect() as connection:
        return connection.execute(statement).scalar_one_or_none()


def published_models(
    engine: Engine, task: str | None, before: UUID | None, limit: int, hidden: frozenset[str]
) -> list[Offered]:
    """Return published models of tasks that are not `hidden`, the newest first."""
    statement = (
        select(submission)
        .where(submission.c.state == SubmissionState.PUBLISHED, submission.c.task_slug.not_in(hidden))
        .order_by(submission.c.submission_id.desc())
        .limit(limit)
    )
    if task is not None:
        statement = statement.where(submission.c.task_slug == task)
    if before is not None:
        statement = statement.where(submission.c.submission_id < before)
    with engine.connect() as connection:
        found = [read_submission(row) for row in connection.execute(statement)]
    counts = _counts(engine, found)
    return [Offered(each, counts[(each.submitted_by, each.task_slug)]) for each in found]


def served_model(engine: Engine, name: str) -> Offered:
    """Return the submission that is, or was, served under a name. Raises ModelUnknown."""
    with engine.connect() as connection:
        row = connection.execute(select(submission).where(submission.c.serving_name == name)).one_or_none()
    if row is None:
        raise ModelUnknown
    found = read_submission(row)
    return Offered(found, _counts(engine, [found])[(found.submitted_by, found.task_slug)])


def _counts(engine: Engine, found: list[Submission]) -> Mapping[tuple[UUID, str], int]:
    """Return how many archives of each submitter reached each task."""
    people = {each.submitted_by for each in found}
    statement = (
        select(submission.c.submitted_by, submission.c.task_slug, func.count())
        .where(submission.c.submitted_by.in_(people), submission.c.serving_name.is_not(None))
        .group_by(submission.c.submitted_by, submission.c.task_slug)
    )
    with engine.connect() as connection:
        return {(person, task): int(number) for person, task, number in connection.execute(statement)}
