"""The transaction of one command on votes and leases."""

from typing import Self

from dynabench_common.events.unit_of_work import SqlUnitOfWork
from dynabench_common.http.idempotency import Replies
from dynabench_common.onboarding.training import ensure_onboarded
from dynabench_common.work.locks import wait_for_lock
from dynabench_tasks.configuration.onboarding import Activity
from sqlalchemy import Engine

from validation.adapters import tables
from validation.adapters.copies import SqlExamples, SqlRounds
from validation.adapters.gold_items import SqlGoldItems
from validation.adapters.gold_showings import SqlGoldShowings
from validation.adapters.leases import SqlLeases, SqlVotes
from validation.adapters.messages import SqlMessages
from validation.adapters.queue import SqlQueue
from validation.adapters.tasks import SqlTasks
from validation.adapters.validations import SqlValidations
from validation.adapters.validators import SqlValidators
from validation.domain.identifiers import PersonId, RoundId


class UnitOfWork(SqlUnitOfWork):
    """Repositories that share one transaction with the outbox.

    Locks are taken in one order: the person, then examples in the order of their ids. So commands never wait for each
    other in a circle.
    """

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, tables.outbox)

    def __enter__(self) -> Self:
        super().__enter__()
        self.gold_showings = SqlGoldShowings(self.connection)
        self.gold_items = SqlGoldItems(self.connection)
        self.tasks = SqlTasks(self.connection)
        self.validators = SqlValidators(self.connection)
        self.validations = SqlValidations(self.connection, self.record, self.gold_showings)
        self.queue = SqlQueue(self.connection, self.gold_showings)
        self.leases = SqlLeases(self.connection)
        self.rounds = SqlRounds(self.connection)
        self.examples = SqlExamples(self.connection, self.gold_showings)
        self.votes = SqlVotes(self.connection, self.gold_showings)
        self.messages = SqlMessages(self.connection)
        self.replies = Replies(self.connection, tables.idempotency)
        return self

    def ensure_onboarded(self, round_id: RoundId, person_id: PersonId) -> None:
        """Refuse to let a person check before the onboarding of the round's task. Raises OnboardingNeeded."""
        task = self.tasks.onboarding_of_round(round_id)
        if task is not None:
            ensure_onboarded(self.connection, tables.onboarding, task, Activity.VALIDATE, person_id)

    def serialise(self, person_id: PersonId) -> None:
        """Let the person's other commands wait until this one ends."""
        wait_for_lock(self.connection, "commands", person_id)
