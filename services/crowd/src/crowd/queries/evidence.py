"""Reads of evidence for review: work of a campaign's people, compared with that of others by the rules of fair play.

Speed is compared with all people of the task, pasted texts with its paid people, votes with all voters of the round,
texts with the paid people of the round, and devices and addresses within the campaign.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from dynabench_api.crowd import (
    ComparisonAnswer,
    EvidenceAnswer,
    FairPlayAnswer,
    FindingAnswer,
    PersonEvidence,
)
from dynabench_api.words import EvidenceKind
from dynabench_events.crowd import Work
from sqlalchemy import Connection, Engine, Select, and_, func, select

from crowd.adapters.reviews import reviews_of
from crowd.adapters.rounds import SqlRounds
from crowd.adapters.tables import assignment, entry_address, example, vote, worker
from crowd.adapters.work_done import VOTE_STANDS
from crowd.domain.campaign import Campaign
from crowd.domain.fair_play import Comparison, Fingerprint, Pace, Share, alike, fast, frequent, shared
from crowd.domain.review import Review
from crowd.queries.estimates import MEDIAN, tries_of_task, votes_of_task

LEAST_PASTED = 20
"""Pasted characters that make a try one with pasted text: a name is no text."""


def evidence_of_campaign(of: Campaign, engine: Engine) -> EvidenceAnswer:
    """Return the people of a campaign with a finding or a decision, open appeals first."""
    with engine.connect() as connection:
        comparisons = _comparisons(connection, of)
        people = connection.execute(
            select(assignment.c.assignment_id, assignment.c.person_id, assignment.c.state)
            .where(assignment.c.campaign_id == of.campaign_id)
            .order_by(assignment.c.assignment_id)
        ).all()
        reviews = reviews_of(connection, [row.assignment_id for row in people])
    listed = [
        PersonEvidence(
            assignment_id=row.assignment_id,
            person_id=row.person_id,
            state=row.state,
            findings=tuple(
                FindingAnswer(kind=each.kind, **vars(each.findings[row.person_id]))
                for each in comparisons
                if row.person_id in each.findings
            ),
            fair_play=fair_play_answer(reviews.get(row.assignment_id)),
        )
        for row in people
    ]
    return EvidenceAnswer(
        comparisons=tuple(
            ComparisonAnswer(
                kind=each.kind, compared=each.compared, base_rate=each.base_rate, typical=each.typical
            )
            for each in comparisons
        ),
        people=tuple(sorted((each for each in listed if each.findings or each.fair_play), key=_place)),
    )


def fair_play_answer(review: Review | None) -> FairPlayAnswer | None:
    """Return a decision, if there is one."""
    return None if review is None else FairPlayAnswer.model_validate(review)


def _place(person: PersonEvidence) -> tuple[int, int]:
    """Return the order of a person: open appeals, then those without a decision, then the others."""
    found = person.fair_play
    is_appealed = found is not None and found.appeal is not None and found.answer is None
    return (0 if is_appealed else 1 if found is None else 2, -len(person.findings))


def _comparisons(connection: Connection, of: Campaign) -> list[Comparison]:
    task_id = SqlRounds(connection).get(of.round_id).task_id
    if of.terms.work is Work.CREATE:
        of_work = [
            fast(_paces(connection, tries_of_task(task_id))),
            frequent(EvidenceKind.PASTED, _pasted(connection, task_id)),
            alike(_fingerprints(connection, of.round_id)),
        ]
    else:
        of_work = [
            fast(_paces(connection, votes_of_task(task_id))),
            frequent(EvidenceKind.ALONE, _alone(connection, of.round_id)),
        ]
    devices = select(assignment.c.person_id, assignment.c.device).where(
        assignment.c.campaign_id == of.campaign_id, assignment.c.device.is_not(None)
    )
    addresses = (
        select(assignment.c.person_id, entry_address.c.address)
        .join(entry_address, entry_address.c.assignment_id == assignment.c.assignment_id)
        .where(assignment.c.campaign_id == of.campaign_id)
    )
    return [
        *of_work,
        shared(EvidenceKind.DEVICE, _marks(connection, devices)),
        shared(EvidenceKind.ADDRESS, _marks(connection, addresses)),
    ]


def _paces(connection: Connection, work: Select[Any]) -> Mapping[UUID, Pace]:
    unit = work.subquery().c
    medians = select(
        unit.person_id,
        func.percentile_cont(MEDIAN).within_group(unit.seconds.asc()).label("seconds"),
        func.count().label("units"),
    ).group_by(unit.person_id)
    return {
        row.person_id: Pace(float(row.seconds), row.units)
        for row in connection.execute(medians)
        if row.seconds is not None
    }


def _pasted(connection: Connection, task_id: UUID) -> Mapping[UUID, Share]:
    has_pasted = example.c.pasted_characters >= LEAST_PASTED
    counted = (
        select(
            example.c.author_id,
            func.count().filter(has_pasted),
            func.count(),
            func.coalesce(func.sum(example.c.pasted_characters).filter(has_pasted), 0),
        )
        .where(
            example.c.task_id == task_id,
            example.c.author_id.is_not(None),
            example.c.pasted_characters.is_not(None),
        )
        .group_by(example.c.author_id)
    )
    return {row[0]: Share(row[1], row[2], int(row[3])) for row in connection.execute(counted)}


def _fingerprints(connection: Connection, round_id: UUID) -> list[Fingerprint]:
    written = (
        select(example.c.author_id, example.c.bands)
        .join(worker, worker.c.person_id == example.c.author_id)
        .where(
            example.c.round_id == round_id,
            example.c.bands.is_not(None),
            example.c.retracted_version.is_(None),
        )
    )
    return [Fingerprint(row.author_id, frozenset(row.bands)) for row in connection.execute(written)]


def _alone(connection: Connection, round_id: UUID) -> Mapping[UUID, Share]:
    """Return how often people's votes on resolved examples equal no other vote."""
    votes = (
        select(
            vote.c.voter_id,
            func.count().over(partition_by=vote.c.example_id).label("votes"),
            func.count().over(partition_by=(vote.c.example_id, vote.c.answer)).label("equal"),
        )
        .join(
            example,
            and_(
                example.c.example_id == vote.c.example_id,
                example.c.resolution.is_not(None),
                example.c.retracted_version.is_(None),
            ),
        )
        .where(vote.c.round_id == round_id, vote.c.answer.is_not(None), VOTE_STANDS)
        .subquery()
        .c
    )
    counted = (
        select(votes.voter_id, func.count().filter(votes.equal == 1), func.count())
        .where(votes.votes > 1)
        .group_by(votes.voter_id)
    )
    return {row[0]: Share(row[1], row[2]) for row in connection.execute(counted)}


def _marks(connection: Connection, marks: Select[Any]) -> Mapping[UUID, list[object]]:
    found: dict[UUID, list[object]] = defaultdict(list)
    for person_id, mark in connection.execute(marks):
        found[person_id].append(mark)
    return found
