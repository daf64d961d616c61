"""Submissions in PostgreSQL."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from dynabench_archives.model_servers import Fault, Pool
from dynabench_common.work.jobs import JobQueue, LeasedJob, LeaseLost
from dynabench_common.work.locks import wait_for_lock
from sqlalchemy import ColumnElement, Connection, Engine, Row, and_, exists, func, or_, select, text
from sqlalchemy.dialects.postgresql import insert

from registry.adapters.serving_tables import served_model
from registry.adapters.tables import (
    model,
    submission,
    submission_entry,
    submission_log,
    submission_step,
    webhook_call,
)
from registry.domain.card import Card
from registry.domain.errors import ModelNameTaken, SubmissionUnknown
from registry.domain.served_model import Origin
from registry.domain.submission import (
    STEPS,
    Archive,
    Signature,
    Step,
    StepRecord,
    StepState,
    Submission,
    SubmissionState,
)
from registry.domain.tombstone import DeletedAs, Tombstone

LONGEST_LINE = 2_000
MOST_LINES = 5_000
FREE: Mapping[str, None] = {"lease_id": None, "leased_until": None}
GONE = (
    SubmissionState.CANCELLED,
    SubmissionState.WITHDRAWN,
    SubmissionState.RETIRED,
    SubmissionState.DELETED,
)
COUNTED_WHILE = (SubmissionState.CHECKING, SubmissionState.WAITING)
BLANK_STEP: Mapping[str, Any] = {
    "state": StepState.WAITING,
    "started_at": None,
    "ended_at": None,
    "beat_at": None,
    "fault": None,
    "reason": None,
    "remedy": None,
    "shown": None,
}


class SqlSubmissions:
    """Submissions with their steps and logs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.checks = JobQueue(connection, submission, SubmissionState.CHECKING)

    def add(self, new: Submission, webhook_secret: str | None) -> None:
        """Store a new submission, with all its steps waiting."""
        self._connection.execute(
            submission.insert().values(
                submission_id=new.submission_id,
                aggregate_version=new.aggregate_version,
                model_name=new.model_name,
                version=new.version,
                task_slug=new.task_slug,
                submitted_by=new.submitted_by,
                file_name=new.archive.file_name,
                archive_bytes=new.archive.size,
                archive_digest=new.archive.digest,
                part_bytes=new.archive.part_bytes,
                archive_key=new.archive.key,
                upload_id=new.archive.upload_id,
                state=new.state,
                step=new.step,
                created_at=new.created_at,
                counted=new.counted,
                anonymous=new.anonymous,
                webhook_url=new.webhook_url,
                webhook_secret=webhook_secret,
                signature=None if new.signature is None else asdict(new.signature),
            )
        )
        self._connection.execute(
            submission_step.insert(),
            [
                {"submission_id": new.submission_id, "step": step, "attempt": 0, "state": StepState.WAITING}
                for step in STEPS
            ],
        )

    def get(self, submission_id: UUID, *, lock: bool = False) -> Submission:
        """Return one, locked if asked for. Raises SubmissionUnknown."""
        statement = select(submission).where(submission.c.submission_id == submission_id)
        row = self._connection.execute(statement.with_for_update() if lock else statement).one_or_none()
        if row is None:
            raise SubmissionUnknown
        return read_submission(row)

    def steps(self, submission_id: UUID) -> list[StepRecord]:
        """Return its steps in their order."""
        rows = self._connection.execute(
            select(submission_step).where(submission_step.c.submission_id == submission_id)
        )
        return sorted(map(_read_step, rows), key=lambda record: STEPS.index(record.step))

    def find_same(self, person_id: UUID, task: str, digest: str) -> Submission | None:
        """Return the person's newest submission of these bytes to the task that is not gone."""
        return self._newest(
            submission.c.submitted_by == person_id,
            submission.c.task_slug == task,
            submission.c.archive_digest == digest,
            submission.c.state.not_in(GONE),
        )

    def find_draft(
        self, person_id: UUID, task: str, model_name: str, file_name: str, size: int
    ) -> Submission | None:
        """Return the person's upload of such a file to the task that has not ended."""
        return self._newest(
            submission.c.submitted_by == person_id,
            submission.c.task_slug == task,
            submission.c.model_name == model_name,
            submission.c.file_name == file_name,
            submission.c.archive_bytes == size,
            submission.c.state == SubmissionState.DRAFT,
        )

    def _newest(self, *conditions: ColumnElement[bool]) -> Submission | None:
        statement = select(submission).where(*conditions).order_by(submission.c.submission_id.desc()).limit(1)
        row = self._connection.execute(statement).one_or_none()
        return None if row is None else read_submission(row)

    def next_version(self, name: str, task: str, person_id: UUID) -> int:
        """Return the number of the model's next version, with its name locked. Raises ModelNameTaken.

        Names of models that the installation brings are taken. One under which no archive ever arrived, and none is
        being sent, is free for others.
        """
        wait_for_lock(self._connection, "model", name)
        shipped = served_model.c.name == name, served_model.c.origin == Origin.FILE.value
        if self._connection.execute(select(served_model.c.name).where(*shipped)).first() is not None:
            raise ModelNameTaken(name)
        is_own = and_(model.c.submitted_by == person_id, model.c.task_slug == task)
        is_needed = exists().where(
            submission.c.model_name == model.c.name,
            or_(submission.c.received_at.is_not(None), submission.c.state == SubmissionState.DRAFT),
        )
        first = insert(model).values(name=name, task_slug=task, submitted_by=person_id, newest_version=1)
        statement = first.on_conflict_do_update(
            index_elements=["name"],
            set_={
                "newest_version": model.c.newest_version + 1,
                "submitted_by": person_id,
                "task_slug": task,
            },
            where=or_(is_own, ~is_needed),
        ).returning(model.c.newest_version)
        version = self._connection.execute(statement).scalar_one_or_none()
        if version is None:
            raise ModelNameTaken(name)
        return int(version)

    def counting(self, person_id: UUID, task: str, since: datetime) -> list[datetime]:
        """Return when those began that count against the quota, the oldest first."""
        statement = (
            select(submission.c.created_at)
            .where(
                submission.c.submitted_by == person_id,
                submission.c.task_slug == task,
                submission.c.created_at > since,
                or_(submission.c.counted, submission.c.state.in_(COUNTED_WHILE)),
            )
            .order_by(submission.c.created_at)
        )
        return list(self._connection.execute(statement).scalars())

    def serialise(self, person_id: UUID) -> None:
        """Let other submissions of the person wait until this transaction ends, so that quotas hold."""
        wait_for_lock(self._connection, "submissions", person_id)

    def drafts(self, person_id: UUID) -> int:
        """Count uploads that have not ended."""
        statement = select(func.count()).where(
            submission.c.submitted_by == person_id, submission.c.state == SubmissionState.DRAFT
        )
        return int(self._connection.execute(statement).scalar_one())

    def change(self, changed: Submission, /, **values: Any) -> Submission:
        """Write columns of a locked submission; return it as it is then."""
        statement = (
            submission.update()
            .where(submission.c.submission_id == changed.submission_id)
            .values(values)
            .returning(submission)
        )
        return read_submission(self._connection.execute(statement).one())

    def write_card(self, changed: Submission, card: Card) -> Submission:
        """Write the card."""
        return self.change(changed, card=asdict(card))

    def sign(self, changed: Submission, signature: Signature | None) -> Submission:
        """Keep another signature, or none."""
        return self.change(changed, signature=None if signature is None else asdict(signature))

    def begin_checks(self, changed: Submission, step: Step, now: datetime) -> Submission:
        """Let the checks run from a step on; it and the later ones wait again."""
        self._connection.execute(
            submission_step.update()
            .where(
                submission_step.c.submission_id == changed.submission_id,
                submission_step.c.step.in_(STEPS[STEPS.index(step) :]),
            )
            .values(BLANK_STEP)
        )
        return self.change(
            changed,
            state=SubmissionState.CHECKING,
            step=step,
            requested_at=now,
            ended_at=None,
            attempts=0,
            **FREE,
        )

    def set_step(self, submission_id: UUID, step: Step, **values: Any) -> None:
        """Write a step; with `state` running it begins anew."""
        if values.get("state") == StepState.RUNNING:
            values = {**BLANK_STEP, "attempt": submission_step.c.attempt + 1, **values}
        self._connection.execute(
            submission_step.update()
            .where(submission_step.c.submission_id == submission_id, submission_step.c.step == step)
            .values(values)
        )

    def log(self, submission_id: UUID, step: Step, at: datetime, lines: Sequence[str]) -> None:
        """Add lines to a step's log, as long as it has not too many."""
        held = self._connection.execute(
            select(func.count()).where(
                submission_log.c.submission_id == submission_id, submission_log.c.step == step
            )
        ).scalar_one()
        rows = [
            {"submission_id": submission_id, "step": step, "at": at, "line": line[:LONGEST_LINE]}
            for line in lines[: max(0, MOST_LINES - held)]
        ]
        if rows:
            self._connection.execute(submission_log.insert(), rows)

    def claim(self, now: datetime, seconds: float) -> LeasedJob | None:
        """Lease a submission for its checks: the oldest one of the submitter who has waited longest for a turn.

        Submitters without a turn in the last day go first. So a hundred submissions of one person
        delay another person's by no more than the one under check.
        """
        turn = {"now": now, "day": now - timedelta(days=1)}
        submission_id = self._connection.execute(CLAIM, turn).scalar_one_or_none()
        if submission_id is None:
            return None
        return self.checks.take(submission_id, now, seconds, claimed_at=now)

    def renew(self, job: LeasedJob, now: datetime, seconds: float, step: Step) -> None:
        """Extend the lease and store a heartbeat of the step. Raises LeaseLost."""
        self.checks.renew(job, now + timedelta(seconds=seconds))
        self.set_step(job.key, step, beat_at=now)

    def lock_leased(self, job: LeasedJob) -> Submission:
        """Return the submission, locked, if the lease is valid. Raises LeaseLost."""
        statement = select(submission).where(*self.checks.is_leased(job)).with_for_update()
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise LeaseLost
        return read_submission(row)

    def call_webhook(self, submission: Submission, body: Mapping[str, Any], now: datetime) -> None:
        """Note a call to the submitter's address, if there is one."""
        if submission.webhook_url is not None:
            self._connection.execute(
                webhook_call.insert().values(
                    submission_id=submission.submission_id, body=dict(body), due_at=now
                )
            )


CLAIM = text(
    "SELECT submission_id FROM submission AS waiting"
    " WHERE state = 'checking' AND (leased_until IS NULL OR leased_until <= :now)"
    " ORDER BY (SELECT max(claimed_at) FROM submission AS other"
    "  WHERE other.submitted_by = waiting.submitted_by AND other.claimed_at > :day) NULLS FIRST,"
    "  requested_at, submission_id"
    " LIMIT 1 FOR UPDATE SKIP LOCKED"
)


def keep_entry_texts(engine: Engine, submission_id: UUID, texts: Mapping[str, str]) -> None:
    """Replace the texts that are kept of an archive, unless it is no longer checked."""
    rows = [
        {"submission_id": submission_id, "path": path, "content": content} for path, content in texts.items()
    ]
    own = select(submission.c.state).where(submission.c.submission_id == submission_id)
    with engine.begin() as connection:
        if connection.execute(own.with_for_update()).scalar_one_or_none() != SubmissionState.CHECKING:
            return
        connection.execute(submission_entry.delete().where(submission_entry.c.submission_id == submission_id))
        if rows:
            connection.execute(submission_entry.insert(), rows)


def read_submission(row: Row[Any]) -> Submission:
    """Return the submission that a row of the table holds."""
    return Submission(
        submission_id=row.submission_id,
        aggregate_version=row.aggregate_version,
        model_name=row.model_name,
        version=row.version,
        task_slug=row.task_slug,
        submitted_by=row.submitted_by,
        archive=Archive(
            row.file_name,
            row.archive_bytes,
            row.archive_digest,
            row.part_bytes,
            row.archive_key,
            row.upload_id,
        ),
        state=SubmissionState(row.state),
        step=Step(row.step),
        created_at=row.created_at,
        received_at=row.received_at,
        ended_at=row.ended_at,
        counted=row.counted,
        pool=None if row.pool is None else Pool(row.pool),
        serving_name=row.serving_name,
        scan=row.scan,
        served=row.served,
        card=None if row.card is None else _read_card(row.card),
        anonymous=row.anonymous,
        approved_by=row.approved_by,
        signed_by=row.signed_by,
        webhook_url=row.webhook_url,
        signature=None if row.signature is None else Signature(**row.signature),
        tombstone=None if row.deleted_at is None else _read_tombstone(row),
    )


def _read_tombstone(row: Row[Any]) -> Tombstone:
    return Tombstone(
        deleted_at=row.deleted_at,
        deleted_as=DeletedAs(row.deleted_as),
        reason=row.deletion_reason,
        was_published=row.was_published,
        removed_at=row.removed_at,
    )


def _read_card(stored: Mapping[str, Any]) -> Card:
    return Card(
        **{**stored, "languages": tuple(stored["languages"]), "trained_on": tuple(stored["trained_on"])}
    )


def _read_step(row: Row[Any]) -> StepRecord:
    return StepRecord(
        step=Step(row.step),
        state=StepState(row.state),
        attempt=row.attempt,
        started_at=row.started_at,
        ended_at=row.ended_at,
        beat_at=row.beat_at,
        fault=None if row.fault is None else Fault(row.fault),
        reason=row.reason,
        remedy=row.remedy,
        shown=tuple(row.shown or ()),
    )
