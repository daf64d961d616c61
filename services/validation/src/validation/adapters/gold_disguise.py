"""Repositories that present a leased known item as an example like any other.

A lease on a known item names its showing. Commands look up, lock and save whatever a lease or a vote names, without
knowing which of the two it is. So each command on an example works for a known item too, and answers alike.
"""

from datetime import datetime

from dynabench_common.event_records import outbox_message
from dynabench_tasks.vote_question import VoteMode
from sqlalchemy import Connection

from validation.adapters.copies import SqlExamples
from validation.adapters.golds import SqlGolds
from validation.adapters.leases import SqlVotes
from validation.adapters.queue import SqlQueue
from validation.adapters.validations import Record, SqlValidations
from validation.domain.errors import ExampleUnknown, VoteUnknown
from validation.domain.example_validation import ExampleValidation
from validation.domain.gold_showing import GoldShowing
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId, VoteId
from validation.domain.queue_filters import EVERYTHING, QueueFilter
from validation.domain.votes import Vote
from validation.service_layer.ports import ServedExample


class DisguisedValidations(SqlValidations):
    """The examples as validation knows them, and showings."""

    def __init__(self, connection: Connection, record: Record, golds: SqlGolds) -> None:
        super().__init__(connection, record)
        self._golds = golds

    def lock(self, example_id: ExampleId) -> ExampleValidation:
        """Return the example, locked. Raises ExampleUnknown."""
        try:
            return super().lock(example_id)
        except ExampleUnknown:
            showing = self._golds.lock(example_id)
            if showing is None:
                raise
            return showing

    def lock_voted(self, vote_id: VoteId) -> ExampleValidation:
        """Return the example that the vote is on, locked. Raises VoteUnknown."""
        try:
            return super().lock_voted(vote_id)
        except VoteUnknown:
            showing_id = self._golds.showing_of(vote_id)
            if showing_id is None:
                raise
            return self.lock(showing_id)

    def save(self, validation: ExampleValidation) -> None:
        """Store the example and record its events; a showing has one, for its person's own record alone."""
        if isinstance(validation, GoldShowing):
            self._golds.save(validation)
            if validation.events:
                self._record([outbox_message(validation.as_it_stands())])
            validation.events.clear()
        else:
            super().save(validation)

    def save_reveal(self, validation: ExampleValidation, revealed: Vote) -> None:
        """Store that the voter has seen what the author says."""
        if isinstance(validation, GoldShowing):
            self._golds.save_reveal(revealed)
        else:
            super().save_reveal(validation, revealed)


class DisguisedQueue(SqlQueue):
    """The examples that wait for votes, and showings that wait for their person's answer."""

    def __init__(self, connection: Connection, golds: SqlGolds) -> None:
        super().__init__(connection)
        self._golds = golds

    def is_waiting(self, example_id: ExampleId, round_id: RoundId, wanted: QueueFilter = EVERYTHING) -> bool:
        """Tell whether the example is of the round and kind, and still waits for votes."""
        if super().is_waiting(example_id, round_id, wanted):
            return True
        return wanted == EVERYTHING and self._golds.is_open(example_id, round_id)

    def skip(self, example_id: ExampleId, person_id: PersonId, now: datetime) -> None:
        """Keep the example from the person until tomorrow, UTC; a known item never comes again."""
        if self._golds.find(example_id) is None:
            super().skip(example_id, person_id, now)

    def withhold(self, example_id: ExampleId, person_id: PersonId) -> None:
        """Keep the example from the person for good; a known item never comes again."""
        if self._golds.find(example_id) is None:
            super().withhold(example_id, person_id)


class DisguisedExamples(SqlExamples):
    """The texts of the examples and of known items."""

    def __init__(self, connection: Connection, golds: SqlGolds) -> None:
        super().__init__(connection)
        self._golds = golds

    def served(self, example_id: ExampleId) -> ServedExample:
        """Return what a validator may see. Raises ExampleUnknown."""
        try:
            return super().served(example_id)
        except ExampleUnknown:
            showing = self._golds.find(example_id)
            if showing is None:
                raise
            return to_served_item(showing)

    def explanation(self, example_id: ExampleId) -> str | None:
        """Return the author's words on why the claim is right, if there are any."""
        found = super().explanation(example_id)
        showing = None if found else self._golds.find(example_id)
        return (showing.content.explanation or None) if showing else found


class DisguisedVotes(SqlVotes):
    """Look-ups across examples and known items."""

    def __init__(self, connection: Connection, golds: SqlGolds) -> None:
        super().__init__(connection)
        self._golds = golds

    def cast_on_lease(self, lease_id: LeaseId, voter_id: PersonId) -> VoteId | None:
        """Return the vote that the person cast on the lease, which ended with it."""
        return super().cast_on_lease(lease_id, voter_id) or self._golds.cast_on_lease(lease_id, voter_id)

    def any_of(self, person_id: PersonId, round_id: RoundId) -> bool:
        """Tell whether the person has voted in the round."""
        return super().any_of(person_id, round_id) or self._golds.any_of(person_id, round_id)


def to_served_item(showing: GoldShowing) -> ServedExample:
    """Return what a validator may see of a known item: what they may see of an example."""
    rules, content = showing.rules, showing.content
    return ServedExample(
        example_id=showing.example_id,
        context=rules.values(content.context),
        input=rules.values(content.input),
        claim_to_judge=rules.claim(content.claimed) if rules.mode is VoteMode.JUDGEMENT else None,
        metadata_fields=rules.metadata_in(showing.round_number),
        rules=rules,
    )
