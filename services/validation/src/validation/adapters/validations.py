"""Storage of the aggregate: its row is its lock."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from dynabench_common.events.outbox import OutboxMessage, outbox_message
from dynabench_events import EventRecord, Versioned
from dynabench_events.validation import VoteCast, VoteJudged, VotesWithdrawn, WithdrawalCause
from sqlalchemy import Connection, Row, bindparam, func, select

from validation.adapters.agreement_sums import note_changes
from validation.adapters.gold_showings import SqlGoldShowings
from validation.adapters.tables import (
    configuration_of_example,
    example,
    example_validation,
    round_,
    round_number,
    task_configuration,
    vote,
)
from validation.adapters.tasks import configuration_columns, rules_in
from validation.adapters.validation_rows import (
    state_columns,
    to_adjudication,
    to_appeal,
    to_outcome,
    to_vote,
    vote_row,
)
from validation.domain.errors import ExampleUnknown, VoteUnknown
from validation.domain.example_validation import ExampleValidation
from validation.domain.gold_showing import GoldShowing
from validation.domain.identifiers import ExampleId, PersonId, RoundId, VoteId
from validation.domain.votes import Vote

Record = Callable[[Iterable[OutboxMessage]], None]
IS_GIVEN = example_validation.c.example_id == bindparam("given_id")
LOCK = (
    select(example_validation, func.coalesce(example.c.claimed, "").label("claimed"))
    .add_columns(example.c.task_slug, example.c.context, example.c.input)
    .add_columns(*configuration_columns, round_number)
    .join(example, example.c.example_id == example_validation.c.example_id)
    .join(task_configuration, configuration_of_example)
    .join(round_, round_.c.round_id == example_validation.c.round_id, isouter=True)
    .where(IS_GIVEN)
    .with_for_update(of=example_validation)
)
FIND_VOTES = select(vote).where(vote.c.example_id == bindparam("given_id")).order_by(vote.c.version)
INSERT_VOTE = vote.insert()
UPDATE_STATE = example_validation.update().where(IS_GIVEN)


class SqlValidations:
    """Loads an example under a row lock and writes back what its events changed.

    A lease on a known item names its showing, which has the shape of an example. Commands look up, lock and save the
    subject of a lease or a vote, without knowing which of the two it is. So each command on an example also works for
    a known item, with the same answers.
    """

    def __init__(self, connection: Connection, record: Record, gold_showings: SqlGoldShowings) -> None:
        self._connection = connection
        self._record = record
        self._gold_showings = gold_showings

    def lock(self, example_id: ExampleId) -> ExampleValidation:
        """Return the example or the showing, locked until the unit of work ends. Raises ExampleUnknown."""
        row = self._connection.execute(LOCK, {"given_id": example_id}).one_or_none()
        if row is not None:
            return self._load(row)
        showing = self._gold_showings.lock(example_id)
        if showing is None:
            raise ExampleUnknown(example_id)
        return showing

    def lock_voted(self, vote_id: VoteId) -> ExampleValidation:
        """Return the example or the showing that the vote is on, locked likewise. Raises VoteUnknown."""
        statement = select(vote.c.example_id).where(vote.c.vote_id == vote_id)
        example_id: UUID | None = self._connection.execute(statement).scalar_one_or_none()
        example_id = example_id or self._gold_showings.showing_of(vote_id)
        if example_id is None:
            raise VoteUnknown(vote_id)
        return self.lock(ExampleId(example_id))

    def save(self, validation: ExampleValidation) -> None:
        """Write the aggregate's state, what its events say of votes, and the events.

        A showing has one event, for its person's own record alone.
        """
        if isinstance(validation, GoldShowing):
            self._gold_showings.save(validation)
            messages = [outbox_message(validation.as_it_stands())] if validation.unsaved else []
            validation.take_unsaved()
        else:
            events = validation.take_unsaved()
            for event in events:
                self._save_votes(validation, event)
            self._connection.execute(
                UPDATE_STATE, {**state_columns(validation), "given_id": validation.example_id}
            )
            note_changes(self._connection, [(validation.round_id, validation.example_id)])
            messages = [outbox_message(event) for event in events]
        self._record(messages)

    def save_reveal(self, validation: ExampleValidation, revealed: Vote) -> None:
        """Record that the voter has seen the author's claim."""
        if isinstance(validation, GoldShowing):
            self._gold_showings.save_reveal(revealed)
        else:
            of_vote = vote.c.vote_id == revealed.vote_id
            self._connection.execute(vote.update().where(of_vote).values(revealed_at=revealed.revealed_at))

    def _save_votes(self, validation: ExampleValidation, event: Versioned[EventRecord]) -> None:
        match event.record:
            case VoteCast(vote_id=vote_id):
                row = vote_row(validation, validation.vote(VoteId(vote_id)), event.version)
                self._connection.execute(INSERT_VOTE, row)
            case VoteJudged(vote_id=vote_id):
                self._update_remarks(validation.vote(VoteId(vote_id)))
            case VotesWithdrawn(cause=WithdrawalCause.UNDONE, vote_ids=vote_ids):
                self._connection.execute(vote.delete().where(vote.c.vote_id.in_(vote_ids)))
            case VotesWithdrawn(vote_ids=vote_ids, withdrawn_at=withdrawn_at):
                self._connection.execute(
                    vote.update()
                    .where(vote.c.vote_id.in_(vote_ids))
                    .values(counted=False, set_aside_at=withdrawn_at)
                )
            case _:
                pass

    def _load(self, row: Row[Any]) -> ExampleValidation:
        votes = self._connection.execute(FIND_VOTES, {"given_id": row.example_id})
        return ExampleValidation(
            example_id=ExampleId(row.example_id),
            round_id=RoundId(row.round_id),
            author_id=PersonId(row.author_id),
            claimed=row.claimed,
            rules=rules_in(row),
            task_slug=row.task_slug,
            texts={**(row.context or {}), **(row.input or {})},
            round_number=row.round_number,
            retracted=row.retracted,
            version=row.version,
            votes=[to_vote(found) for found in votes],
            outcome=to_outcome(row),
            adjudication=to_adjudication(row),
            appealed=to_appeal(row),
        )

    def _update_remarks(self, judged: Vote) -> None:
        self._connection.execute(
            vote.update()
            .where(vote.c.vote_id == judged.vote_id)
            .values(
                agrees=judged.agrees,
                judged_at=judged.judged_at,
                corrected=judged.corrected,
                explanation=judged.explanation,
                revealed_at=judged.revealed_at,
            )
        )
