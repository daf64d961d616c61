"""Reads of what annotation published: where a round stands, and the texts of an example."""

from sqlalchemy import Connection, select

from validation.adapters.tables import example, round_, task_configuration
from validation.domain.errors import ExampleUnknown, RoundUnknown
from validation.domain.identifiers import ExampleId, RoundId
from validation.domain.rounds import RoundState
from validation.domain.rules import VoteMode, read_rules
from validation.service_layer.ports import ServedExample


class SqlRounds:
    """The rounds that annotation told of."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def state(self, round_id: RoundId) -> RoundState:
        """Return where the round stands; one that never moved is a draft. Raises RoundUnknown."""
        statement = select(round_.c.state).where(round_.c.round_id == round_id)
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise RoundUnknown(round_id)
        return RoundState(row.state or RoundState.DRAFT)


class SqlExamples:
    """The texts of the examples."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def served(self, example_id: ExampleId) -> ServedExample:
        """Return what a validator may see. Raises ExampleUnknown."""
        statement = (
            select(example.c.context, example.c.input, example.c.claimed_label)
            .add_columns(task_configuration.c.configuration)
            .join(
                task_configuration,
                (task_configuration.c.task_id == example.c.task_id)
                & (task_configuration.c.configuration_version == example.c.configuration_version),
            )
            .where(example.c.example_id == example_id)
        )
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise ExampleUnknown(example_id)
        rules = read_rules(row.configuration)
        return ServedExample(
            example_id=example_id,
            context=row.context,
            input=row.input,
            claim_to_judge=row.claimed_label if rules.mode is VoteMode.JUDGEMENT else None,
            rules=rules,
        )

    def explanation(self, example_id: ExampleId) -> str | None:
        """Return the author's words on why the claimed label is right, if there are any."""
        statement = select(example.c.label_explanation).where(example.c.example_id == example_id)
        return self._connection.execute(statement).scalar_one_or_none() or None
