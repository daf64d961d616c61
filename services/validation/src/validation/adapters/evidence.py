"""The worker component that updates each round's evidence about truth and voters as votes come in.

The worker computes a round at once when it first has votes, then at most once a minute, and less often if it takes
long. It leaves at least nine tenths of the time to other work. The evidence is separate from the rule and never
decides, so it may lag.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from dynabench_common.clock import Clock
from dynabench_common.database.bulk import as_document, insert_rows
from dynabench_common.telemetry.logging import get_logger
from sqlalchemy import Connection, Engine, and_, case, delete, exists, func, or_, select, text

from validation.adapters.agreement_tables import (
    agreeing_pair,
    one_author_voter,
    posterior,
    round_evidence,
    voter_confusion,
)
from validation.adapters.round_votes import load_confirmations, load_votes, rules_of_round
from validation.adapters.tables import example_validation, vote
from validation.domain.groups import NOBODY
from validation.domain.statistics.agreeing_pairs import agreeing_pairs
from validation.domain.statistics.one_author import one_author_voters
from validation.domain.statistics.round_votes import MOST_OPTIONS, Evidence

log = get_logger(__name__)
LEAST_SECONDS_BETWEEN = 60.0
REST_PER_WORK = 9.0
ROWS = 5_000
SMALLEST_MOVE = 1e-4

NO_VOTES = "no votes yet"
SPANS = "votes mark spans, which are no options to compare"
TOO_MANY_OPTIONS = f"more than {MOST_OPTIONS} options are used"


class EvidenceKeeper:
    """Computes one round after the other."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    def step(self) -> bool:
        """Compute the round that waits longest among those whose turn it is; tell whether there was one."""
        now = self._clock.now()
        with self._engine.connect() as connection:
            due = connection.execute(_due(now)).one_or_none()
        if due is None:
            return False
        began = monotonic()
        found, reason = self._evidence(due.round_id)
        self._write(due.round_id, found, reason, now)
        self._write_one_author_voters(due.round_id)
        seconds = monotonic() - began
        with self._engine.begin() as connection:
            connection.execute(_finish(due.round_id, due.changed_at, now, seconds))
        examples = len(found.round_votes.example_ids) if found else 0
        log.info("evidence_computed", round_id=str(due.round_id), examples=examples, seconds=seconds)
        return True

    def _snapshot(self) -> Engine:
        return self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    def _evidence(self, round_id: UUID) -> tuple[Evidence | None, str | None]:
        with self._snapshot().connect() as connection:
            rules = rules_of_round(connection, round_id)
            if any(not found.question.field.agrees_if_equal for found in rules.values()):
                return None, SPANS
            votes = load_votes(connection, round_id, rules)
        if votes is None:
            return None, NO_VOTES
        return (Evidence(votes), None) if len(votes.options) <= MOST_OPTIONS else (None, TOO_MANY_OPTIONS)

    def _write(self, round_id: UUID, found: Evidence | None, reason: str | None, now: datetime) -> None:
        if found is not None:
            for rows in _posterior_rows(round_id, found, now):
                with self._engine.begin() as connection:
                    _write_posteriors(connection, rows)
        with self._engine.begin() as connection:
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(_superfluous(round_id, nothing_stands=found is None))
        with self._engine.begin() as connection:
            _write_voters(connection, round_id, found)
            model = None if found is None else _model(found)
            statement = round_evidence.update().where(round_evidence.c.round_id == round_id)
            connection.execute(statement.values(model=model, reason=reason))

    def _write_one_author_voters(self, round_id: UUID) -> None:
        with self._snapshot().connect() as connection:
            confirmed = load_confirmations(connection, round_id, rules_of_round(connection, round_id))
        rows = [{"round_id": round_id, **asdict(found)} for found in one_author_voters(confirmed)]
        with self._engine.begin() as connection:
            connection.execute(delete(one_author_voter).where(one_author_voter.c.round_id == round_id))
            if rows:
                connection.execute(one_author_voter.insert(), rows)


def _due(now: datetime) -> Any:
    table = round_evidence.c
    rest = func.greatest(LEAST_SECONDS_BETWEEN, REST_PER_WORK * table.seconds)
    is_model = func.jsonb_typeof(table.model) == "object"
    of_earlier_version = and_(is_model, ~table.model.has_key("has_converged"))
    has_rested = table.computed_at + rest * timedelta(seconds=1) <= now
    return (
        select(table.round_id, table.changed_at)
        .where(
            or_(table.changed_at.is_not(None), of_earlier_version),
            or_(table.computed_at.is_(None), has_rested),
        )
        .order_by(table.changed_at, table.round_id)
        .limit(1)
    )


def _finish(round_id: UUID, changed_at: datetime, now: datetime, seconds: float) -> Any:
    """Return the statement that records the votes covered; votes changed meanwhile keep the round marked as changed."""
    table = round_evidence.c
    return (
        round_evidence.update()
        .where(table.round_id == round_id)
        .values(
            changed_at=case((table.changed_at == changed_at, None), else_=table.changed_at),
            computed_at=now,
            seconds=seconds,
        )
    )


def _posterior_rows(round_id: UUID, found: Evidence, now: datetime) -> Iterator[list[dict[str, Any]]]:
    options, example_ids = found.round_votes.options, found.round_votes.example_ids
    labels, probabilities = found.labels.tolist(), found.probabilities.tolist()
    for start in range(0, len(example_ids), ROWS):
        places = range(start, min(start + ROWS, len(example_ids)))
        yield [
            {
                "example_id": example_ids[place],
                "round_id": round_id,
                "label": options[labels[place]],
                "p": probabilities[place],
                "computed_at": now,
            }
            for place in places
        ]


def _write_posteriors(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Write those that are new or have moved; most have not, once a round is large."""
    statement = insert_rows(posterior)
    new = statement.excluded
    upsert = statement.on_conflict_do_update(
        index_elements=["example_id"],
        set_={name: new[name] for name in ("round_id", "label", "p", "computed_at")},
        where=or_(posterior.c.label != new.label, func.abs(posterior.c.p - new.p) > SMALLEST_MOVE),
    )
    connection.execute(upsert, as_document(rows))


def _superfluous(round_id: UUID, *, nothing_stands: bool) -> Any:
    """Return the statement that drops posteriors of examples that have no votes any more, or are retracted."""
    state = example_validation.c
    votes_stand = exists().where(
        and_(
            vote.c.example_id == posterior.c.example_id,
            vote.c.counted,
            state.example_id == posterior.c.example_id,
            state.retracted.is_(False),
        )
    )
    of_round = delete(posterior).where(posterior.c.round_id == round_id)
    return of_round if nothing_stands else of_round.where(~votes_stand)


def _write_voters(connection: Connection, round_id: UUID, found: Evidence | None) -> None:
    for table in (voter_confusion, agreeing_pair):
        connection.execute(delete(table).where(table.c.round_id == round_id))
    if found is None:
        return
    connection.execute(voter_confusion.insert(), list(_voter_rows(round_id, found)))
    pairs = _pair_rows(round_id, found)
    if pairs:
        connection.execute(agreeing_pair.insert(), pairs)


def _voter_rows(round_id: UUID, found: Evidence) -> Iterator[dict[str, Any]]:
    round_votes, estimate = found.round_votes, found.estimate
    errors, votes = found.errors_by_voter
    given: dict[int, dict[str, dict[str, float]]] = {}
    rows = zip(estimate.row_voters.tolist(), estimate.row_chosen.tolist(), estimate.confusion, strict=True)
    for voter, chosen, by_truth in rows:
        confusion = given.setdefault(voter, {truth: {} for truth in round_votes.options})
        for truth, probability in zip(round_votes.options, by_truth.tolist(), strict=True):
            confusion[truth][round_votes.options[chosen]] = round(probability, 4)
    for voter, voter_id in enumerate(round_votes.voter_ids):
        yield {
            "round_id": round_id,
            "voter_id": voter_id,
            "votes": int(votes[voter]),
            "errors": float(errors[voter]),
            "confusion": given[voter],
        }


def _pair_rows(round_id: UUID, found: Evidence) -> list[dict[str, Any]]:
    voter_ids = found.round_votes.voter_ids
    unknown = voter_ids.index(NOBODY) if NOBODY in voter_ids else None
    return [
        {
            "round_id": round_id,
            "a": min(voter_ids[pair.a], voter_ids[pair.b]),
            "b": max(voter_ids[pair.a], voter_ids[pair.b]),
            "examples": pair.examples,
            "agreed": pair.agreed,
            "expected": pair.expected,
            "p_adjusted": pair.p_adjusted,
        }
        for pair in agreeing_pairs(found, unknown)
    ]


def _model(found: Evidence) -> dict[str, Any]:
    voter = found.average_voter
    return {
        "options": list(voter.options),
        "shares": list(voter.shares),
        "confusion": [list(row) for row in voter.confusion],
        "examples": voter.examples,
        "has_converged": found.estimate.has_converged,
    }
