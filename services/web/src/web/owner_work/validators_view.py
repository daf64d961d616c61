"""View of a task's validators: their accuracy, and pairs who agree beyond chance."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.validation import OneAuthorValidator, Validator, ValidatorPair

from web.kit.language import _
from web.kit.numbers import (
    MISSING,
    RateView,
    TimeView,
    count,
    decimal,
    moment,
    percent,
    rate,
    seconds,
    short_id,
)
from web.kit.people_words import validator_state
from web.kit.words import Word

SURE = 0.0001


@dataclass(frozen=True)
class ValidatorRow:
    """A validator with figures, and the owner's possible actions."""

    voter_id: str
    name: str
    state: Word
    is_paused: bool
    votes: str
    agreement: RateView
    gold: RateView
    failures: str
    took: str
    appeal: str
    appealed_at: TimeView | None


@dataclass(frozen=True)
class AgreeingPairRow:
    """Two validators who agree more than chance explains."""

    first: str
    second: str
    examples: str
    agreed: str
    expected: str
    p: str


@dataclass(frozen=True)
class OneAuthorRow:
    """A validator who confirms one author more than chance explains."""

    validator: str
    author: str
    confirmed: str
    of_author: str
    expected: str
    p: str


def validator_rows(found: Sequence[Validator]) -> list[ValidatorRow]:
    """Return the validators, those with an open appeal first."""
    ordered = sorted(found, key=lambda each: each.appeal is None)
    return [_row(each) for each in ordered]


def pair_rows(found: Sequence[ValidatorPair]) -> list[AgreeingPairRow]:
    """Return the pairs, the least likely first."""
    return [
        AgreeingPairRow(
            voter_name(pair.a),
            voter_name(pair.b),
            count(pair.examples),
            f"{count(pair.agreed)} ({percent(pair.agreed / pair.examples if pair.examples else None)})",
            MISSING if pair.expected is None else decimal(pair.expected),
            _probability(pair.p_adjusted),
        )
        for pair in found
    ]


def one_author_rows(found: Sequence[OneAuthorValidator]) -> list[OneAuthorRow]:
    """Return the validators who confirm one author alone, the least likely first."""
    return [
        OneAuthorRow(
            voter_name(each.voter_id),
            _("Author %(id)s", id=short_id(each.author_id)),
            count(each.confirmed),
            f"{count(each.of_author)} ({percent(each.of_author / each.confirmed)})",
            decimal(each.expected),
            _probability(each.p_adjusted),
        )
        for each in found
    ]


def voter_name(voter_id: str) -> str:
    """Return a short name for a voter."""
    return _("Voter %(id)s", id=short_id(voter_id))


def _row(found: Validator) -> ValidatorRow:
    return ValidatorRow(
        voter_id=found.voter_id,
        name=voter_name(found.voter_id),
        state=validator_state(found.state),
        is_paused=found.state == "paused",
        votes=count(found.votes),
        agreement=rate(found.agreement),
        gold=rate(found.gold),
        failures=count(found.failures),
        took=seconds(found.seconds_median) if found.seconds_median is not None else MISSING,
        appeal=found.appeal.reason if found.appeal else "",
        appealed_at=moment(found.appeal.at) if found.appeal else None,
    )


def _probability(p: float | None) -> str:
    if p is None:
        return MISSING
    return _("under %(number)s", number=SURE) if p < SURE else decimal(p, 4)
