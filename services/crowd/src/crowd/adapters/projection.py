"""Copies of facts that crowd needs: rounds, examples, votes and resolutions.

After each batch the touched examples of paid people are judged again from all stored facts. So bonuses depend on the
facts alone, not on the order of events. A person is known here before they write, since an entry comes first. Work of
other people is copied for its time and votes: pay is estimated from it, and paid work is compared with it.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.events.cloud_events import Event
from dynabench_common.events.facts import Facts, NewestFacts, Row, copied, values_of, write_facts
from dynabench_common.ignored_keys import missing_kind_in
from dynabench_events import message_types, recorded
from dynabench_events.crowd import Work
from dynabench_events.example import DuplicateOverruled, ExampleCreated, ExampleRetracted, VerdictDecided
from dynabench_events.task import RoundCreated, RoundStateChanged, TaskCreated
from dynabench_events.validation import ExampleResolved, ResolutionWithdrawn, VoteCast, VotesWithdrawn
from dynabench_tasks.configuration.problems import UnknownKind
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.verdict import Verdict
from dynabench_tasks.votes import VoteKind
from sqlalchemy import Connection, and_, select, tuple_
from sqlalchemy.dialects.postgresql import distinct_on

from crowd.adapters.ledger import Ledger
from crowd.adapters.tables import assignment, campaign, example, round_, task_configuration, vote, worker
from crowd.adapters.work_done import LAST_MOMENT, counted_errors
from crowd.domain.fair_play import fingerprint
from crowd.domain.validated_errors import is_validated_error

TOPICS = ("dynabench.task.v1", "dynabench.example.v1", "dynabench.validation.v1")
CROWD = "crowd"
"""Cohort of paid people."""
CONFIGURATION_OF_EXAMPLE = and_(
    task_configuration.c.task_id == example.c.task_id,
    task_configuration.c.configuration_version == example.c.configuration_version,
)


def _task_created(event: TaskCreated) -> Row:
    """Return a configuration as it is: a kind that is missing here leaves its examples unjudged."""
    missing_kind_in(event)
    return values_of(event, "task_id", "configuration_version", "slug", "title", "configuration")


def _example_created(event: ExampleCreated) -> Row:
    return {
        **values_of(
            event, "example_id", "task_id", "configuration_version", "round_id", "author_id", "created_at"
        ),
        "verdict": _counted(event.verdict, event.duplicate_of),
        "is_duplicate": event.duplicate_of is not None,
        "seconds": round(event.seconds_since_context),
        "pasted_characters": event.pasted_characters,
        "bands": _bands(event),
        "answers": [
            {
                "target": answer.target,
                "value": answer.value,
                "wrong": answer.wrong,
                "is_given": not answer.is_missing and not answer.not_asked,
            }
            for answer in event.answers
        ],
    }


def _bands(event: ExampleCreated) -> list[int] | None:
    """Return the fingerprint of a paid person's text; nobody else's is compared."""
    if event.cohort != CROWD:
        return None
    return fingerprint(event.round_id, event.input.values(), event.context.values()) or None


def _verdict_decided(event: VerdictDecided) -> Row:
    return {
        "example_id": event.example_id,
        "decided_verdict": _counted(event.verdict, event.duplicate_of),
        "wrong_targets": sorted(event.wrong_targets),
    }


def _counted(verdict: Verdict, duplicate_of: UUID | None) -> str:
    """Return what a verdict counts as: a text that is equal to an earlier one fooled nobody further."""
    return Verdict.NOT_FOOLED.value if duplicate_of and verdict is Verdict.FOOLED else verdict.value


def _resolution_withdrawn(event: ResolutionWithdrawn) -> Row:
    return {"example_id": event.example_id, "resolution": None, "golds": None}


def _vote_cast(event: VoteCast) -> Row:
    return {
        **values_of(event, "vote_id", "example_id", "round_id", "voter_id", "cast_at"),
        "seconds": round(event.seconds),
        "answer": None if event.kind is VoteKind.UNSURE else f"{event.kind} {event.option}",
    }


def _votes_withdrawn(event: VotesWithdrawn) -> Sequence[Row]:
    return [{"vote_id": vote_id} for vote_id in event.vote_ids]


FACTS = Facts(
    (TaskCreated, task_configuration.c.fact_version, _task_created),
    (RoundCreated, round_.c.created_version, copied("round_id", "task_id", "number")),
    (RoundStateChanged, round_.c.state_version, copied("round_id", "state")),
    (ExampleCreated, example.c.created_version, _example_created),
    (VerdictDecided, example.c.decided_version, _verdict_decided),
    (DuplicateOverruled, example.c.overruled_version, copied("example_id")),
    (ExampleRetracted, example.c.retracted_version, copied("example_id")),
    (ExampleResolved, example.c.resolution_version, copied("example_id", "resolution", "golds")),
    (ResolutionWithdrawn, example.c.resolution_version, _resolution_withdrawn),
    (VoteCast, vote.c.cast_version, _vote_cast),
    (VotesWithdrawn, vote.c.withdrawn_version, _votes_withdrawn),
)


class CrowdProjection:
    """Keeps the copies of facts, and the bonuses that follow from them; a worker's consumer calls it."""

    accepts = message_types(FACTS.event_types)

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Write the events' facts and derive bonuses. Raises PermanentEventError."""
        if not events:
            return
        facts = FACTS.newest(map(recorded, events))
        write_facts(connection, facts)
        judge(connection, _touched(connection, facts), max(event.time for event in events))


def _touched(connection: Connection, facts: NewestFacts) -> list[UUID]:
    touched: set[UUID] = set()
    for kind, rows in facts.items():
        if kind.table is example:
            touched.update(row["example_id"] for row in rows)
        elif kind.table is task_configuration:
            versions = [(row["task_id"], row["configuration_version"]) for row in rows]
            made_under = tuple_(example.c.task_id, example.c.configuration_version).in_(versions)
            touched.update(connection.execute(select(example.c.example_id).where(made_under)).scalars())
    return sorted(touched)


def judge(connection: Connection, example_ids: Collection[UUID], at: datetime) -> None:
    """Decide of these examples of paid people whether they are validated errors, and let bonuses follow."""
    rows = connection.execute(
        select(example, task_configuration.c.configuration)
        .join(task_configuration, CONFIGURATION_OF_EXAMPLE)
        .join(worker, worker.c.person_id == example.c.author_id)
        .where(example.c.example_id.in_(example_ids), example.c.created_version.is_not(None))
        .order_by(example.c.example_id)
        .with_for_update(of=example)
    ).all()
    changed = {row.example_id: is_error for row in rows if (is_error := _is_error(row)) is not row.is_error}
    for is_error in (True, False):
        ids = [example_id for example_id, found in changed.items() if found is is_error]
        if ids:
            connection.execute(
                example.update().where(example.c.example_id.in_(ids)).values(is_error=is_error)
            )
    ledger = Ledger(connection)
    for assignment_id, example_id in _assignments_of(connection, changed):
        if example_id in counted_errors(connection, assignment_id):
            ledger.owe_bonus(assignment_id, example_id, at)
        else:
            ledger.reverse_bonus(assignment_id, example_id, at)


def _is_error(row: Any) -> bool:
    if row.retracted_version is not None:
        return False
    try:
        configuration = read_published(row.configuration)
    except UnknownKind:
        return bool(row.is_error)
    wrong = None if row.decided_version is None else frozenset(row.wrong_targets)
    answers = [each if wrong is None else {**each, "wrong": each["target"] in wrong} for each in row.answers]
    verdict = (
        Verdict.FOOLED.value if row.overruled_version is not None else row.decided_verdict or row.verdict
    )
    return is_validated_error(configuration, answers, verdict, row.resolution, row.golds or ())


def _assignments_of(connection: Connection, example_ids: Collection[UUID]) -> list[tuple[UUID, UUID]]:
    """Return assignment and example, in one order of locks: the newest assignment in which it can have been written.

    Nothing is owed for what a person writes after the hand-in: the owner has not agreed to that.
    """
    statement = (
        select(assignment.c.assignment_id, example.c.example_id)
        .ext(distinct_on(example.c.example_id))
        .join(campaign, campaign.c.campaign_id == assignment.c.campaign_id)
        .join(
            example,
            and_(example.c.author_id == assignment.c.person_id, example.c.round_id == campaign.c.round_id),
        )
        .where(
            example.c.example_id.in_(example_ids),
            campaign.c.work == Work.CREATE,
            example.c.created_at.between(assignment.c.accepted_at, LAST_MOMENT),
        )
        .order_by(example.c.example_id, assignment.c.accepted_at.desc())
    )
    return sorted((row.assignment_id, row.example_id) for row in connection.execute(statement))
