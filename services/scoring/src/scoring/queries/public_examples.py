"""Public examples with their content, reported ones, and hidden ones."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.problems import UnknownKind
from dynabench_tasks.fields import values_of
from sqlalchemy import Connection, Engine, Row, select

from scoring.adapters import public_examples
from scoring.adapters.fact_reader import FactReader
from scoring.adapters.public_examples import Position
from scoring.adapters.tables import release_key
from scoring.domain.errors import PublicExampleUnknown
from scoring.domain.moderation import OwnerHiddenExample, ReportedExample
from scoring.domain.pseudonyms import Pseudonyms, new_key
from scoring.domain.public_examples import PublicExample, Wanted
from scoring.domain.round_facts import RoundFacts
from scoring.domain.row_maker import RowMaker
from scoring.domain.validated_errors import validated_errors

MOST_REASONS = 10


def listed(
    engine: Engine, wanted: Wanted, after: Position | None, limit: int
) -> tuple[list[PublicExample], Position | None]:
    """Return at most so many public examples, the newest or the best first, and where the next page starts."""
    with _one_moment(engine) as connection:
        rows = connection.execute(public_examples.page(wanted, after, limit + 1)).all()
        page = rows[:limit]
        made = _made(connection, page)
    last = Position(page[-1].key, page[-1].example_id) if len(rows) > limit else None
    return [made[row.example_id] for row in page if row.example_id in made], last


def one(engine: Engine, example_id: UUID) -> PublicExample:
    """Return a public example. Raises PublicExampleUnknown, also if there is one that is not public."""
    with _one_moment(engine) as connection:
        made = _made(connection, connection.execute(public_examples.one(example_id)).all())
    if example_id not in made:
        raise PublicExampleUnknown
    return made[example_id]


def reported(engine: Engine, task: str, after: UUID | None, limit: int) -> list[ReportedExample]:
    """Return at most so many examples of a task with open reports, in the order of their ids."""
    with _one_moment(engine) as connection:
        rows = connection.execute(public_examples.with_reports(task, after, limit)).all()
        public = public_examples.are_public(connection, [row.example_id for row in rows])
        return [
            ReportedExample(
                **content,
                is_public=row.example_id in public,
                reports=row.reports,
                reasons=row.reasons[:MOST_REASONS],
                reported_at=row.reported_at,
            )
            for row, content in _with_content(connection, rows)
        ]


def hidden_by_owners(engine: Engine, task: str, after: UUID | None, limit: int) -> list[OwnerHiddenExample]:
    """Return at most so many examples of a task that owners hide, in the order of their ids."""
    with _one_moment(engine) as connection:
        rows = connection.execute(public_examples.hidden_by_owners(task, after, limit)).all()
        return [
            OwnerHiddenExample(**content, reason=row.reason, hidden_at=row.hidden_at)
            for row, content in _with_content(connection, rows)
        ]


def _with_content(
    connection: Connection, rows: Sequence[Row[Any]]
) -> Iterator[tuple[Row[Any], dict[str, Any]]]:
    """Yield the rows of examples, in the order of their ids, with the texts and the round of each."""
    reader, of_id = FactReader(connection), {row.example_id: row for row in rows}
    rounds = {round_id: reader.round(round_id) for round_id in {row.round_id for row in rows}}
    for example in reader.some(list(of_id)):
        row = of_id[example.example_id]
        found = rounds[row.round_id]
        rules = found.rules_of(example.configuration_version)
        types = {field.name: field.type_name for field in (*rules.context, *rules.input)}
        yield (
            row,
            {
                "example_id": example.example_id,
                "round_id": row.round_id,
                "round_number": found.number,
                "context": values_of(types, example.context),
                "input": values_of(types, example.input),
            },
        )


def _one_moment(engine: Engine) -> Connection:
    """Return a connection on which an example stays what it is in the list."""
    return engine.connect().execution_options(isolation_level="REPEATABLE READ")


def _made(connection: Connection, rows: Sequence[Row[Any]]) -> dict[UUID, PublicExample]:
    """Return the examples of the rows, by id; none of a task that names a kind of a later version."""
    reader, round_ids = FactReader(connection), {row.round_id for row in rows}
    rounds: dict[UUID, RoundFacts] = {}
    for round_id in round_ids:
        with suppress(UnknownKind):
            rounds[round_id] = reader.round(round_id)
    of_id = {row.example_id: row for row in rows if row.round_id in rounds}
    keys = {
        row.round_id: bytes(row.key)
        for row in connection.execute(select(release_key).where(release_key.c.round_id.in_(round_ids)))
    }
    # Before the release an author has no pseudonym. One under a new key reveals nothing.
    makers = {
        round_id: RowMaker(found, found.fields(), Pseudonyms(keys.get(round_id) or new_key()))
        for round_id, found in rounds.items()
    }
    made = {}
    for example in reader.some(list(of_id)):
        row = of_id[example.example_id]
        found, written = rounds[row.round_id], makers[row.round_id].in_progress(example)
        configuration = found.rules_of(example.configuration_version).configuration
        if configuration is None or written is None:
            raise LookupError(f"{example.example_id} is kept as a validated error and is none")
        made[example.example_id] = PublicExample(
            row=written,
            configuration=found.configuration,
            rules=configuration,
            configuration_version=example.configuration_version,
            task_slug=row.slug,
            task_title=row.title,
            round_id=row.round_id,
            round_number=row.number,
            round_title=found.title,
            dataset_id=row.dataset_id if row.is_released else None,
            resolved_at=row.resolved_at,
            errors_of=frozenset(validated_errors(example, configuration).targets),
            shows_context=configuration.condition(example.condition).shows_context,
        )
    return made
