"""Reads of the copies of annotation's data: a round's state, and the texts of an example."""

from typing import Any

from dynabench_tasks.rounds import RoundState
from dynabench_tasks.vote_question import VoteMode
from sqlalchemy import Connection, Row, bindparam, select

from validation.adapters.gold_showings import SqlGoldShowings
from validation.adapters.tables import (
    configuration_of_example,
    example,
    key_of_reveals,
    round_,
    round_number,
    task_configuration,
)
from validation.adapters.tasks import configuration_columns, rules_in
from validation.domain.disclosure import Disclosure, answers_of_models
from validation.domain.errors import ExampleUnknown, RoundUnknown
from validation.domain.gold_showing import GoldShowing
from validation.domain.identifiers import ExampleId, RoundId
from validation.domain.queue import ServedExample

served_columns = (
    example.c.example_id,
    example.c.context,
    example.c.input,
    example.c.claimed,
    *configuration_columns,
    round_number,
)

FIND_STATE = select(round_.c.state).where(round_.c.round_id == bindparam("round"))
disclosure_columns = example.c.label_explanation, example.c.targets, key_of_reveals
FIND_DISCLOSURE = select(example.c.example_id, *disclosure_columns).where(
    example.c.example_id == bindparam("example")
)
FIND_SERVED = (
    select(*served_columns)
    .join(task_configuration, configuration_of_example)
    .join(round_, round_.c.round_id == example.c.round_id, isouter=True)
    .where(example.c.example_id == bindparam("example"))
)


class SqlRounds:
    """The rounds that annotation published."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def state(self, round_id: RoundId) -> RoundState:
        """Return where the round stands; one that never moved is a draft. Raises RoundUnknown."""
        row = self._connection.execute(FIND_STATE, {"round": round_id}).one_or_none()
        if row is None:
            raise RoundUnknown(round_id)
        return RoundState(row.state or RoundState.DRAFT)


class SqlExamples:
    """The texts of the examples, and of known items that go by a showing's id."""

    def __init__(self, connection: Connection, gold_showings: SqlGoldShowings) -> None:
        self._connection = connection
        self._gold_showings = gold_showings

    def served(self, example_id: ExampleId) -> ServedExample:
        """Return what a validator may see. Raises ExampleUnknown."""
        row = self._connection.execute(FIND_SERVED, {"example": example_id}).one_or_none()
        if row is not None:
            return to_served(row)
        showing = self._gold_showings.find(example_id)
        if showing is None:
            raise ExampleUnknown(example_id)
        return to_served_item(showing)

    def disclosure(self, example_id: ExampleId) -> Disclosure:
        """Return the author's reason and the models' answers. Raises ExampleUnknown."""
        row = self._connection.execute(FIND_DISCLOSURE, {"example": example_id}).one_or_none()
        if row is not None:
            return to_disclosure(row)
        showing = self._gold_showings.find(example_id)
        if showing is None:
            raise ExampleUnknown(example_id)
        return showing.disclosure


def to_served(row: Row[*tuple[Any, ...]]) -> ServedExample:
    """Return what a validator may see of the example whose `served_columns` a row holds."""
    rules = rules_in(row)
    return ServedExample(
        example_id=ExampleId(row.example_id),
        context=rules.values(row.context),
        input=rules.values(row.input),
        claim_to_judge=rules.claim(row.claimed) if rules.mode is VoteMode.JUDGEMENT else None,
        metadata_fields=rules.metadata_in(row.round_number),
        rules=rules,
    )


def to_disclosure(row: Row[*tuple[Any, ...]]) -> Disclosure:
    """Return the author's reason and the models' answers from a row with an example's id and `disclosure_columns`."""
    return Disclosure(
        row.label_explanation or "", answers_of_models(row.reveal_key, row.example_id, row.targets)
    )


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
