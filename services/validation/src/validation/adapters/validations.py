"""Storage of the aggregate: its row is its lock."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from dynabench_common.outbox import OutboxMessage
from sqlalchemy import Connection, Row, func, select

from validation.adapters.event_codec import encode
from validation.adapters.tables import (
    configuration_of_example,
    example,
    example_validation,
    round_,
    round_number,
    task_configuration,
    vote,
)
from validation.domain.answers import Answer, VoteKind
from validation.domain.errors import ExampleUnknown, VoteUnknown
from validation.domain.events import VoteCast, VoteJudged
from validation.domain.example_validation import ExampleValidation, Outcome, Vote
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId, VoteId
from validation.domain.resolution import Resolution
from validation.domain.rules import read_rules

Record = Callable[[Iterable[OutboxMessage]], None]


class SqlValidations:
    """Loads an example under a row lock and writes back what its events changed."""

    def __init__(self, connection: Connection, record: Record) -> None:
        self._connection = connection
        self._record = record

    def lock(self, example_id: ExampleId) -> ExampleValidation:
        """Return the example, locked. Raises ExampleUnknown."""
        state = example_validation.c
        statement = (
            select(example_validation, func.coalesce(example.c.claimed, "").label("claimed"))
            .add_columns(example.c.context, example.c.input, task_configuration.c.configuration, round_number)
            .join(example, example.c.example_id == state.example_id)
            .join(task_configuration, configuration_of_example)
            .join(round_, round_.c.round_id == state.round_id, isouter=True)
            .where(state.example_id == example_id)
            .with_for_update(of=example_validation)
        )
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise ExampleUnknown(example_id)
        return self._load(row)

    def lock_voted(self, vote_id: VoteId) -> ExampleValidation:
        """Return the example that the vote is on, locked. Raises VoteUnknown."""
        statement = select(vote.c.example_id).where(vote.c.vote_id == vote_id)
        example_id: UUID | None = self._connection.execute(statement).scalar_one_or_none()
        if example_id is None:
            raise VoteUnknown(vote_id)
        return self.lock(ExampleId(example_id))

    def save(self, validation: ExampleValidation) -> None:
        """Write the aggregate's state, its new or judged votes, and its events."""
        votes = {v.vote_id: v for v in validation.votes}
        for event in validation.events:
            if isinstance(event, VoteCast):
                self._insert_vote(validation.example_id, votes[event.vote_id], event.version)
            elif isinstance(event, VoteJudged):
                self._update_judgement(votes[event.vote_id])
        self._update_state(validation)
        self._record([encode(event) for event in validation.events])
        validation.events.clear()

    def _load(self, row: Row[Any]) -> ExampleValidation:
        statement = select(vote).where(vote.c.example_id == row.example_id).order_by(vote.c.version)
        return ExampleValidation(
            example_id=ExampleId(row.example_id),
            round_id=RoundId(row.round_id),
            author_id=PersonId(row.author_id),
            claimed=row.claimed,
            rules=read_rules(row.configuration),
            texts={**(row.context or {}), **(row.input or {})},
            round_number=row.round_number,
            retracted=row.retracted,
            version=row.version,
            votes=[to_vote(found) for found in self._connection.execute(statement)],
            outcome=_to_outcome(row),
        )

    def _insert_vote(self, example_id: ExampleId, new: Vote, version: int) -> None:
        self._connection.execute(
            vote.insert().values(
                vote_id=new.vote_id,
                example_id=example_id,
                voter_id=new.voter_id,
                lease_id=new.lease_id,
                version=version,
                kind=new.answer.kind,
                option=new.answer.option,
                reason=new.reason,
                counted=new.counted,
                seconds=new.seconds,
                cast_at=new.cast_at,
                metadata=dict(new.metadata),
            )
        )

    def _update_judgement(self, judged: Vote) -> None:
        statement = vote.update().where(vote.c.vote_id == judged.vote_id)
        self._connection.execute(statement.values(agrees=judged.agrees, judged_at=judged.judged_at))

    def _update_state(self, validation: ExampleValidation) -> None:
        outcome = validation.outcome
        statement = example_validation.update().where(
            example_validation.c.example_id == validation.example_id
        )
        self._connection.execute(
            statement.values(
                version=validation.version,
                votes_counted=validation.votes_counted,
                possible_slots=validation.possible_slots,
                certain_slots=validation.certain_slots,
                resolution=outcome.resolution if outcome else None,
                agreed_option=outcome.agreed_option if outcome else None,
                golds=list(outcome.golds) if outcome else None,
                resolved_at=outcome.resolved_at if outcome else None,
            )
        )


def to_vote(row: Row[Any]) -> Vote:
    """Return the vote that a row of the vote table holds."""
    return Vote(
        vote_id=VoteId(row.vote_id),
        voter_id=PersonId(row.voter_id),
        lease_id=LeaseId(row.lease_id),
        answer=Answer(VoteKind(row.kind), row.option),
        reason=row.reason,
        counted=row.counted,
        seconds=row.seconds,
        cast_at=row.cast_at,
        metadata=row.metadata,
        agrees=row.agrees,
        judged_at=row.judged_at,
    )


def _to_outcome(row: Row[Any]) -> Outcome | None:
    if row.resolution is None:
        return None
    return Outcome(
        resolution=Resolution(row.resolution),
        agreed_option=row.agreed_option,
        votes_counted=row.votes_counted,
        golds=tuple(row.golds),
        resolved_at=row.resolved_at,
    )
