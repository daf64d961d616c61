"""The transaction of one command, with a repository for each aggregate."""

from datetime import datetime
from typing import Self

from dynabench_common.events.audit import Action, action_taken
from dynabench_common.events.unit_of_work import SqlUnitOfWork
from dynabench_common.http.idempotency import Replies
from dynabench_common.onboarding.training import ensure_onboarded
from dynabench_tasks.configuration.onboarding import Activity
from sqlalchemy import Engine

from annotation.adapters import tables
from annotation.adapters.context_repository import SqlAssignments, SqlContexts
from annotation.adapters.example_repository import SqlExamples
from annotation.adapters.image_repository import SqlImages
from annotation.adapters.minhash_repository import SqlMinHashes
from annotation.adapters.probe_repository import SqlProbes
from annotation.adapters.record_repository import SqlRecords
from annotation.adapters.target_outages import SqlOutages
from annotation.adapters.task_repository import SqlRounds, SqlTasks
from annotation.adapters.work_orders import SqlWorkOrders
from annotation.domain.identifiers import PersonId
from annotation.domain.task import Task


class UnitOfWork(SqlUnitOfWork):
    """One transaction; leaving the block without `commit()` undoes it."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, tables.outbox)

    def __enter__(self) -> Self:
        super().__enter__()
        self.tasks = SqlTasks(self.connection, self.record)
        self.rounds = SqlRounds(self.connection, self.record)
        self.contexts = SqlContexts(self.connection, self.record)
        self.assignments = SqlAssignments(self.connection)
        self.examples = SqlExamples(self.connection, self.record)
        self.work_orders = SqlWorkOrders(self.connection, self.record)
        self.probes = SqlProbes(self.connection)
        self.minhashes = SqlMinHashes(self.connection)
        self.images = SqlImages(self.connection)
        self.records = SqlRecords(self.connection)
        self.replies = Replies(self.connection, tables.idempotency)
        self.outages = SqlOutages(self.connection)
        return self

    def ensure_onboarded(self, task: Task, person_id: PersonId) -> None:
        """Refuse to let a person write before the task's onboarding. Raises OnboardingNeeded."""
        trained = (task.task_id, task.slug, task.configuration.onboarding)
        ensure_onboarded(self.connection, tables.onboarding, trained, Activity.CREATE, person_id)

    def audit(self, action: Action, at: datetime) -> None:
        """Write an entry of the audit log in the same transaction as the action."""
        self.record([action_taken(action, at)])
