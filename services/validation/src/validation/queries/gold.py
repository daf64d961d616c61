"""Reads of known items: for their owner, and for a person who must not distinguish one from an example."""

from dynabench_tasks.vote_question import VoteMode
from sqlalchemy import Engine, and_, select, union_all

from validation.adapters.gold_items import to_item
from validation.adapters.gold_tables import gold_item, gold_showing, in_pool
from validation.adapters.tables import example_validation, task_configuration, vote
from validation.domain.errors import GoldUnknown
from validation.domain.gold import GoldItem
from validation.domain.identifiers import ExampleId, GoldId, PersonId, TaskId
from validation.domain.rules import ValidationRules, read_rules
from validation.queries.votes import Record

WAITING: Record = {
    "resolution": None,
    "agreed_option": None,
    "golds": [],
    "votes_counted": 0,
    "pending": True,
    "retracted": False,
    "resolved_at": None,
}
"""The state of an example without answers."""
of_item = and_(
    task_configuration.c.task_id == gold_item.c.task_id,
    task_configuration.c.configuration_version == gold_item.c.configuration_version,
)


def task_of_gold(engine: Engine, gold_id: GoldId) -> str:
    """Return the slug of the task that an item is of. Raises GoldUnknown."""
    statement = select(task_configuration.c.slug).join(gold_item, of_item)
    with engine.connect() as connection:
        slug: str | None = connection.execute(
            statement.where(gold_item.c.gold_id == gold_id)
        ).scalar_one_or_none()
    if slug is None:
        raise GoldUnknown(gold_id)
    return slug


def gold_of_task(engine: Engine, task_id: TaskId, before: GoldId | None, limit: int) -> list[Record]:
    """Return the items of a task, the newest first, with their contents and people's results."""
    statement = (
        select(gold_item, task_configuration.c.configuration)
        .join(task_configuration, of_item)
        .where(gold_item.c.task_id == task_id)
        .order_by(gold_item.c.gold_id.desc())
        .limit(limit)
    )
    if before is not None:
        statement = statement.where(gold_item.c.gold_id < before)
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    configurations = {row.configuration_version: row.configuration for row in rows}
    rules = {version: read_rules(each) for version, each in configurations.items()}
    return [gold_record(to_item(row), rules[row.configuration_version]) for row in rows]


def gold_record(item: GoldItem, rules: ValidationRules) -> Record:
    """Return an item as its owner sees it."""
    read = rules.claim if rules.mode is VoteMode.LABEL else str
    return {
        "gold_id": item.gold_id,
        "kind": item.kind,
        "example_id": item.example_id,
        "context": rules.values(item.content.context),
        "input": rules.values(item.content.input),
        "claimed": rules.claim(item.content.claimed),
        "answers": [read(answer) for answer in item.content.answers],
        "shown": item.shown,
        "answered": item.answered,
        "failed": item.failed,
        "added_at": item.added_at,
        "retirement": item.retirement,
        "retired_at": item.retired_at,
    }


def disguise(engine: Engine, example_id: ExampleId, person_id: PersonId) -> Record | None:
    """Return the apparent state of an example for a person who may get it as a known item; None for any other.

    A person who could look up its resolution would learn that it is a known item, and its answer. A showing appears
    to wait for every account, so a second account reveals nothing more.
    """
    slug = task_configuration.c.slug.label("task_slug")
    showing = (
        select(gold_showing.c.round_id, slug)
        .select_from(gold_showing)
        .join(gold_item)
        .join(task_configuration, of_item)
        .where(gold_showing.c.showing_id == example_id)
    )
    voted = select(1).where(vote.c.example_id == example_id, vote.c.voter_id == person_id)
    source = (
        select(example_validation.c.round_id, slug)
        .join(gold_item, gold_item.c.example_id == example_validation.c.example_id)
        .join(task_configuration, of_item)
        .where(
            gold_item.c.example_id == example_id,
            in_pool,
            gold_item.c.author_id != person_id,
            ~voted.exists(),
        )
    )
    with engine.connect() as connection:
        row = connection.execute(union_all(showing, source)).one_or_none()
    return None if row is None else {"example_id": example_id, **row._mapping, **WAITING}
