"""Reads of a round's facts: the round itself, counts of its examples by state, and the examples by ascending id.

Examples come in chunks by id, each chunk with its votes, so any round fits into memory. A reader on a connection of
its own transaction sees one state of the facts throughout.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.task_configuration import PublicExamples
from sqlalchemy import JSON, ColumnElement, Connection, Row, Select, and_, func, or_, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from scoring.adapters.facts import COPIED
from scoring.adapters.tables import (
    author_count,
    example,
    hidden_example,
    round_,
    segment,
    task_configuration,
    vote,
)
from scoring.domain.eligibility import standing
from scoring.domain.errors import RoundUnknown
from scoring.domain.facts import ExampleFacts, VoteFacts
from scoring.domain.round_facts import RoundFacts
from scoring.domain.standings import Alike
from scoring.domain.task_rules import read_rules

CHUNK = 2_000
FIRST = UUID(int=0)
VERDICT = func.coalesce(example.c.overruled_verdict, example.c.decided_verdict, example.c.verdict)
LIVE_VOTE = and_(
    vote.c.cast_version.is_not(None),
    or_(vote.c.withdrawn_version.is_(None), vote.c.withdrawn_version < vote.c.cast_version),
)
"""A vote that was changed is withdrawn and cast again under its id, so the newer of the two facts holds."""
IS_HIDDEN = select(1).where(hidden_example.c.example_id == example.c.example_id).exists()
READ = [
    example.c[name]
    for name in (
        "example_id", "author_id", "segment_id", "configuration_version", "context", "input", "claimed", "answers",
        "decided_version", "wrong_targets", "retracted_version", "resolution", "golds", "metadata",
        "label_explanation", "model_explanation", "cohort", "condition", "tags", "created_at",
        "duplicate_of", "decided_duplicate_of", "overruled_version", *COPIED,
    )
]  # fmt: skip
"""Columns that rows are made of."""
VOTE = (
    "voter_id", "kind", "option", "counted", "cast_at", "seconds", "agrees", "corrected", "reason", "explanation",
)  # fmt: skip
"""The parts of `VoteFacts`."""


def public_at_once(connection: Connection, round_ids: Collection[UUID]) -> frozenset[UUID]:
    """Return the rounds that had an example while a configuration made validated errors public at once.

    That configuration applies to examples made under it or an earlier one.
    """
    columns, count = task_configuration.c, author_count.c
    task_ids = select(round_.c.task_id).where(round_.c.round_id.in_(round_ids))
    newest = (
        select(columns.task_id, func.max(columns.configuration_version).label("version"))
        .where(
            columns.task_id.in_(task_ids),
            columns.configuration["public_examples"].astext == PublicExamples.AT_ONCE.value,
        )
        .group_by(columns.task_id)
        .subquery("newest")
    )
    had_example = (
        select(1)
        .where(
            count.round_id == round_.c.round_id,
            count.configuration_version <= newest.c.version,
            count.examples > 0,
        )
        .exists()
    )
    found = (
        select(round_.c.round_id)
        .join(newest, newest.c.task_id == round_.c.task_id)
        .where(round_.c.round_id.in_(round_ids), func.coalesce(round_.c.origin, "") == "", had_example)
    )
    return frozenset(connection.execute(found).scalars())


class FactReader:
    """Reads the facts of rounds on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def round(self, round_id: UUID) -> RoundFacts:
        """Return what is known of a round. Raises RoundUnknown, also while its task is unknown."""
        found = self._connection.execute(
            select(round_).where(round_.c.round_id == round_id, round_.c.task_id.is_not(None))
        ).one_or_none()
        configurations = self._configurations(found.task_id) if found else []
        if found is None or not configurations:
            raise RoundUnknown
        newest = configurations[-1]
        segments = self._connection.execute(
            select(segment.c.segment_id, segment.c.number, segment.c.targets)
            .where(segment.c.round_id == round_id)
            .order_by(segment.c.number)
        ).all()
        rules = {row.configuration_version: read_rules(row.configuration) for row in configurations}
        return RoundFacts(
            round_id=round_id,
            task_id=found.task_id,
            task_slug=newest.slug,
            task_title=newest.title,
            number=found.number,
            title=found.title,
            targets=tuple(found.targets or ()),
            origin=found.origin,
            source=found.source,
            state=found.state or "draft",
            rules=rules,
            configuration=newest.configuration,
            segments={row.segment_id: row.number for row in segments},
            digests=_digests(row.targets or () for row in segments),
            was_public_at_once=round_id in public_at_once(self._connection, [round_id]),
        )

    def groups(self, facts: RoundFacts) -> Iterator[Alike]:
        """Yield the counts of a round's examples by author and by the facts that decide their standing."""
        count = author_count.c
        kind = (
            count.configuration_version, count.is_retracted, count.verdict, count.resolution, count.has_golds,
            count.has_claim,
        )  # fmt: skip
        hidden = self._hidden_in(facts.round_id)
        by_author = func.json_object_agg(count.author_id, count.examples, type_=JSON)
        statement = (
            select(*kind, by_author.label("by_author"))
            .where(count.round_id == facts.round_id, count.examples > 0)
            .group_by(*kind)
        )
        for row in self._connection.execute(statement):
            *its_kind, all_of = row
            of_kind = hidden.get(tuple(its_kind), {})
            shown = Counter(all_of) - Counter(of_kind) if of_kind else all_of
            for each, is_hidden in ((shown, False), (of_kind, True)):
                if each:
                    yield _alike(facts, row, each, is_hidden=is_hidden)

    def _hidden_in(self, round_id: UUID) -> Mapping[tuple[Any, ...], Mapping[str, int]]:
        """Return the hidden examples of a round that are not withdrawn, by kind and author as in `author_count`."""
        has_golds = func.coalesce(func.jsonb_array_length(example.c.golds), 0) > 0
        statement = select(
            func.coalesce(example.c.author_id, example.c.example_id),
            example.c.configuration_version,
            example.c.retracted_version.is_not(None),
            VERDICT,
            func.coalesce(example.c.resolution, ""),
            has_golds,
            example.c.claimed != "",
        ).where(
            example.c.example_id.in_(
                select(hidden_example.c.example_id).where(hidden_example.c.round_id == round_id)
            ),
            example.c.created_version.is_not(None),
            example.c.retracted_version.is_(None),
        )
        found: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
        for author_id, *kind in self._connection.execute(statement):
            found[tuple(kind)][str(author_id)] += 1
        return found

    def targets_of(self, round_id: UUID) -> tuple[str, ...]:
        """Return the names of all targets that an example of the round has an answer of."""
        name = func.jsonb_array_elements(example.c.answers).op("->>")("target")
        found = self._connection.execute(select(name).where(example.c.round_id == round_id).distinct())
        return tuple(sorted(found.scalars()))

    def newest_fact(self, round_id: UUID) -> datetime | None:
        """Return when the newest example of a round was made or resolved."""
        newest = func.max(func.greatest(example.c.created_at, example.c.resolved_at))
        found: datetime | None = self._connection.execute(
            select(newest).where(example.c.round_id == round_id)
        ).scalar_one()
        return found

    def examples(self, round_id: UUID) -> Iterator[ExampleFacts]:
        """Yield every example of a round."""
        last = FIRST
        while True:
            chunk = self._chunk(round_id, last)
            yield from chunk
            if len(chunk) < CHUNK:
                return
            last = chunk[-1].example_id

    def some(self, example_ids: Collection[UUID]) -> list[ExampleFacts]:
        """Return these examples in the order of their ids, without those whose making is not known."""
        return self._read(
            and_(example.c.example_id.in_(example_ids), example.c.created_version.is_not(None)),
            len(example_ids),
        )

    def _chunk(self, round_id: UUID, after: UUID) -> list[ExampleFacts]:
        return self._read(and_(example.c.round_id == round_id, example.c.example_id > after), CHUNK)

    def _read(self, wanted: ColumnElement[bool], most: int) -> list[ExampleFacts]:
        found: Select[Any] = (
            select(*READ, VERDICT.label("judged_verdict"), IS_HIDDEN.label("is_hidden"))
            .where(wanted)
            .order_by(example.c.example_id)
            .limit(most)
        )
        rows = self._connection.execute(found).all()
        if not rows:
            return []
        votes = self._votes(and_(wanted, example.c.example_id <= rows[-1].example_id))
        return [_example(row, votes.get(row.example_id, ())) for row in rows]

    def _votes(self, of_examples: ColumnElement[bool]) -> dict[UUID, list[VoteFacts]]:
        """Return the votes on some examples.

        The database gathers those of each example, since reading rows costs more here than there.
        """
        in_order = aggregate_order_by(
            func.json_build_array(*(vote.c[name] for name in VOTE)), vote.c.cast_version
        )
        statement = (
            select(vote.c.example_id, func.json_agg(in_order, type_=JSON))
            .join_from(example, vote, vote.c.example_id == example.c.example_id)
            .where(of_examples, LIVE_VOTE)
            .group_by(vote.c.example_id)
        )
        found = self._connection.execute(statement)
        return {example_id: list(map(VoteFacts._make, votes)) for example_id, votes in found}

    def _configurations(self, task_id: UUID) -> Sequence[Any]:
        columns = task_configuration.c
        return self._connection.execute(
            select(columns.configuration_version, columns.slug, columns.title, columns.configuration)
            .where(columns.task_id == task_id)
            .order_by(columns.configuration_version)
        ).all()


def _alike(facts: RoundFacts, kind: Any, by_author: Mapping[str, int], *, is_hidden: bool) -> Alike:
    found = standing(
        facts.rules_of(kind.configuration_version),
        is_retracted=kind.is_retracted,
        verdict=kind.verdict,
        resolution=kind.resolution or None,
        has_golds=kind.has_golds,
        has_claim=kind.has_claim,
        is_hidden=is_hidden,
    )
    return Alike(found, kind.has_claim, bool(kind.resolution) and not kind.is_retracted, by_author)


def _example(row: Row[Any], votes: Sequence[VoteFacts]) -> ExampleFacts:
    answers = row.answers
    if row.decided_version is not None:
        answers = [{**given, "wrong": given["target"] in row.wrong_targets} for given in answers]
    return ExampleFacts(
        example_id=row.example_id,
        author_id=row.author_id,
        segment_id=row.segment_id,
        configuration_version=row.configuration_version,
        context=row.context,
        input=row.input,
        claimed=row.claimed,
        verdict=row.judged_verdict,
        answers=answers,
        is_retracted=row.retracted_version is not None,
        resolution=row.resolution,
        golds=row.golds or (),
        metadata=row.metadata or {},
        label_explanation=row.label_explanation or "",
        model_explanation=row.model_explanation or "",
        cohort=row.cohort,
        condition=row.condition,
        tags=row.tags,
        created_at=row.created_at,
        votes=[vote for vote in votes if vote.counted],
        uncounted_votes=[vote for vote in votes if not vote.counted],
        **{name: getattr(row, name) for name in COPIED},
        duplicate_of=None if row.overruled_version else row.decided_duplicate_of or row.duplicate_of,
        is_hidden=row.is_hidden,
    )


def _digests(segments: Iterable[Iterable[Mapping[str, str]]]) -> dict[str, tuple[str, ...]]:
    """Return the digests that each target had, in the order of segments."""
    found: dict[str, dict[str, None]] = {}
    for targets in segments:
        for target in targets:
            if target["digest"]:
                found.setdefault(target["name"], {})[target["digest"]] = None
    return {name: tuple(digests) for name, digests in found.items()}
