"""The tables that boards of people and badges are read from: sums, moved as the others are."""

from sqlalchemy import Column, DateTime, Index, Integer, MetaData, Table, Text, Uuid

from leaderboard.domain.people import PersonCounts, PersonTryCounts, PersonWeekCounts


def person_tables(metadata: MetaData) -> tuple[Table, Table, Table]:
    """Return people's sums in each round and task, their tries, and their validated errors by week.

    An index of the first keeps the order of the boards of people.
    """
    of_scope = Table(
        "person_tally",
        metadata,
        Column("scope_id", Uuid, primary_key=True),
        Column("person_id", Uuid, primary_key=True),
        *(Column(name, Integer, nullable=False) for name in PersonCounts._fields),
    )
    order = (of_scope.c.scope_id, of_scope.c.errors.desc(), of_scope.c.decided, of_scope.c.person_id)
    Index("ix_person_tally_board", *order)
    person_try = Table(
        "person_try",
        metadata,
        Column("person_id", Uuid, primary_key=True),
        Column("task_id", Uuid, primary_key=True),
        Column("created_at", DateTime(timezone=True), primary_key=True),
        Column("example_id", Uuid, primary_key=True),
        Column("round_id", Uuid, primary_key=True),
        *(Column(name, Integer, nullable=False) for name in PersonTryCounts._fields),
    )
    person_week = Table(
        "person_week",
        metadata,
        Column("task_id", Uuid, primary_key=True),
        Column("week", Text, primary_key=True),
        Column("person_id", Uuid, primary_key=True),
        *(Column(name, Integer, nullable=False) for name in PersonWeekCounts._fields),
    )
    Index("ix_person_week_errors", person_week.c.task_id, person_week.c.week, person_week.c.errors)
    Index("ix_person_week_person_id", person_week.c.person_id)
    return of_scope, person_try, person_week
