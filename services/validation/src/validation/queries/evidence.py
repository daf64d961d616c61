"""Reads of the worker's evidence about voters."""

from typing import Any

import numpy as np
from dynabench_tasks.statistics.rates import Rate
from sqlalchemy import Connection, Engine, Row, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from validation.adapters.agreement_tables import (
    agreeing_pair,
    one_author_voter,
    round_evidence,
    voter_confusion,
)
from validation.adapters.tables import round_, task_configuration
from validation.domain.agreement import rate_of_voters
from validation.domain.errors import RoundUnknown
from validation.domain.groups import NOBODY
from validation.domain.identifiers import RoundId
from validation.domain.rules import ValidationRules, read_rules
from validation.domain.statistics.round_votes import AverageVoter
from validation.domain.votes_advice import (
    ERROR_TO_HOLD,
    FEWEST_EXAMPLES,
    Outlook,
    describe,
    outlook,
    suggestions,
)

Record = dict[str, Any]

NOT_YET = "nothing is computed yet"
NOT_SETTLED = "no advice: the estimate of voters' errors has not converged"
NO_POLICY = f"none of the usual policies would keep the error below {ERROR_TO_HOLD:.0%}"


def task_of_round(engine: Engine, round_id: RoundId) -> str:
    """Return the slug of the round's task. Raises RoundUnknown."""
    with engine.connect() as connection:
        return str(_newest_configuration(connection, round_id).slug)


def agreeing_pairs(engine: Engine, round_id: RoundId) -> Record:
    """Return the pairs of voters who agree beyond chance, and voters who confirm one author alone.

    The least probable ones come first.
    """
    table, alone = agreeing_pair.c, one_author_voter.c
    statement = (
        select(table.a, table.b, table.examples, table.agreed, table.expected, table.p_adjusted)
        .where(table.round_id == round_id)
        .order_by(table.p_adjusted, table.a, table.b)
    )
    one_author = (
        select(*(column for column in alone if column.name != "round_id"))
        .where(alone.round_id == round_id)
        .order_by(alone.p_adjusted, alone.voter_id)
    )
    with engine.connect() as connection:
        computed = _evidence(connection, round_id)
        found = [dict(row._mapping) for row in connection.execute(one_author)]
        items = [dict(row._mapping) for row in connection.execute(statement)]
    return {
        "items": items,
        "one_author": found,
        "computed_at": computed.computed_at if computed else None,
    }


def votes_advice(engine: Engine, round_id: RoundId) -> Record:
    """Return how many votes would hold the error of resolutions down, with the numbers. Raises RoundUnknown."""
    with engine.connect() as connection:
        rules = read_rules(_newest_configuration(connection, round_id).configuration)
        computed = _evidence(connection, round_id)
        error = _validator_error(connection, round_id)
    voter = None if computed is None or computed.model is None else _average_voter(computed.model)
    reason = _why_none(computed, voter)
    if reason == NOT_SETTLED:
        error = Rate(None, error.n, reason=reason)
    record = {
        "current": describe(rules.policy),
        "validator_error": error,
        "computed_at": computed.computed_at if computed else None,
    }
    if voter is None or reason is not None:
        nothing = dict.fromkeys(("resolution_error_now", "expected_votes_now", "disputed_now"))
        return {**record, **nothing, "suggestions": [], "reason": reason}
    return {**record, **_advice(voter, rules)}


def _advice(voter: AverageVoter, rules: ValidationRules) -> Record:
    now, better = outlook(rules.policy, voter), suggestions(voter)
    return {
        "resolution_error_now": now.resolution_error,
        "expected_votes_now": now.expected_votes,
        "disputed_now": now.disputed,
        "suggestions": [_suggestion(each) for each in better],
        "reason": None if better else NO_POLICY,
    }


def _suggestion(found: Outlook) -> Record:
    return {
        "policy": describe(found.policy),
        "expected_votes": found.expected_votes,
        "resolution_error": found.resolution_error,
        "disputed": found.disputed,
    }


def _why_none(computed: Row[Any] | None, voter: AverageVoter | None) -> str | None:
    if computed is None or computed.computed_at is None:
        return NOT_YET
    if voter is None:
        return str(computed.reason)
    if "has_converged" not in computed.model:
        return NOT_YET
    if not computed.model["has_converged"]:
        return NOT_SETTLED
    if voter.examples < FEWEST_EXAMPLES:
        return f"{voter.examples} examples have votes, at least {FEWEST_EXAMPLES} are needed"
    return None


def _average_voter(model: Record) -> AverageVoter:
    return AverageVoter(
        options=tuple(model["options"]),
        shares=tuple(model["shares"]),
        confusion=tuple(tuple(row) for row in model["confusion"]),
        examples=model["examples"],
    )


def _validator_error(connection: Connection, round_id: RoundId) -> Rate:
    table = voter_confusion.c
    in_order = {
        name: func.array_agg(aggregate_order_by(table[name], table.voter_id)).label(name)
        for name in ("errors", "votes")
    }
    are_known = func.coalesce(func.bool_and(table.voter_id != NOBODY), True).label("are_known")
    statement = select(*in_order.values(), are_known).where(table.round_id == round_id)
    row = connection.execute(statement).one()
    errors, votes = (np.array(row._mapping[name] or (), dtype=np.float64) for name in in_order)
    return rate_of_voters(errors, votes, NOT_YET, are_known=row.are_known)


def _evidence(connection: Connection, round_id: RoundId) -> Row[Any] | None:
    return connection.execute(
        select(round_evidence).where(round_evidence.c.round_id == round_id)
    ).one_or_none()


def _newest_configuration(connection: Connection, round_id: RoundId) -> Row[str, dict[str, Any]]:
    columns = task_configuration.c
    statement = (
        select(columns.slug, columns.configuration)
        .join(round_, round_.c.task_id == columns.task_id)
        .where(round_.c.round_id == round_id)
        .order_by(columns.configuration_version.desc())
        .limit(1)
    )
    row = connection.execute(statement).one_or_none()
    if row is None:
        raise RoundUnknown(round_id)
    return row
