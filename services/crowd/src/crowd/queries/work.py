"""Reads of workers: the offer of a campaign, and their own assignments."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dynabench_api.crowd import CampaignOffer, WorkAnswer
from dynabench_api.words import CampaignState
from dynabench_events.crowd import AssignmentState
from dynabench_tasks.rounds import RoundState
from sqlalchemy import Engine, Row, Select, bindparam, exists, func, select

from crowd.adapters.assignments import ASSIGNMENTS, taken_places, to_assignment
from crowd.adapters.campaigns import find_campaign, find_campaigns
from crowd.adapters.reviews import reviews_of
from crowd.adapters.rounds import SqlRounds
from crowd.adapters.tables import assignment, campaign, review, round_
from crowd.adapters.work_done import ROUND_ERRORS, UNITS
from crowd.domain.assignment import reason_to_stop
from crowd.domain.campaign import Campaign
from crowd.domain.errors import AssignmentUnknown
from crowd.domain.platforms import CodeAction, CrowdPlatform
from crowd.domain.review import Review
from crowd.queries.estimates import measured
from crowd.queries.evidence import fair_play_answer

MOST_OWN = 50
CODES = {
    AssignmentState.SUBMITTED: CodeAction.REVIEW,
    AssignmentState.APPROVED: CodeAction.REVIEW,
    AssignmentState.SCREENED_OUT: CodeAction.SCREEN_OUT,
    AssignmentState.RETURNED: CodeAction.RETURN,
}
"""The completion code of each state."""


def campaign_offer(
    campaign_id: UUID, engine: Engine, platforms: Mapping[str, CrowdPlatform]
) -> CampaignOffer:
    """Return what a person reads before they accept. Raises CampaignUnknown."""
    with engine.connect() as connection:
        found = find_campaign(connection, campaign_id)
        of_round = SqlRounds(connection).get(found.round_id)
        typical = measured(connection, found.round_id, found.terms.work, found.terms.units, campaign_id)
        is_open = (
            found.state is CampaignState.RUNNING
            and found.takes_work(of_round.state)
            and taken_places(connection, campaign_id) < found.terms.places
        )
        return CampaignOffer(
            **vars(found.terms),
            campaign_id=campaign_id,
            task=found.task_slug,
            task_title=of_round.task_title,
            state=found.state,
            platform_title=platforms[found.platform].title if found.platform in platforms else found.platform,
            typical_minutes=typical.minutes,
            is_open=is_open,
        )


OWN = ASSIGNMENTS.add_columns(
    UNITS.label("done"),
    ROUND_ERRORS.label("validated_errors_in_round"),
    select(func.coalesce(round_.c.state, RoundState.DRAFT.value))
    .where(round_.c.round_id == campaign.c.round_id)
    .scalar_subquery()
    .label("round_state"),
    exists().where(review.c.assignment_id == assignment.c.assignment_id).label("is_reviewed"),
)
"""Assignments with the figures that their workers see."""
ONE = OWN.where(assignment.c.assignment_id == bindparam("assignment_id"))
OF_PERSON = (
    OWN.where(assignment.c.person_id == bindparam("person_id"))
    .order_by(assignment.c.assignment_id.desc())
    .limit(MOST_OWN)
)


@dataclass(frozen=True)
class Works:
    """Reads assignments as their workers see them."""

    engine: Engine
    platforms: Mapping[str, CrowdPlatform]

    def one(self, assignment_id: UUID) -> WorkAnswer:
        """Return an assignment. Raises AssignmentUnknown."""
        found = self._read(ONE, assignment_id=assignment_id)
        if not found:
            raise AssignmentUnknown
        return found[0]

    def of_person(self, person_id: UUID) -> tuple[WorkAnswer, ...]:
        """Return a person's assignments, newest first."""
        return self._read(OF_PERSON, person_id=person_id)

    def _read(self, statement: Select[Any], **parameters: UUID) -> tuple[WorkAnswer, ...]:
        with self.engine.connect() as connection:
            rows = connection.execute(statement, parameters).all()
            campaigns = find_campaigns(connection, {row.campaign_id for row in rows})
            reviewed = [row.assignment_id for row in rows if row.is_reviewed]
            reviews = reviews_of(connection, reviewed) if reviewed else {}
        return tuple(
            self._answer(row, campaigns[row.campaign_id], reviews.get(row.assignment_id)) for row in rows
        )

    def _answer(self, row: Row[Any], of: Campaign, decision: Review | None) -> WorkAnswer:
        work, done = to_assignment(row), row.done
        stops = reason_to_stop(of, row.round_state, is_empty=False)
        is_working, is_done = work.state is AssignmentState.WORKING, done >= of.terms.units
        code = of.codes[CODES[work.state]] if work.state in CODES else None
        platform = self.platforms.get(of.platform)
        back_url = None
        if platform is not None and code is not None:
            back_url = platform.back_url(of.study_id or "", work.submission_id, code, work.parameters)
        return WorkAnswer(
            assignment_id=work.assignment_id,
            campaign_id=of.campaign_id,
            task=of.task_slug,
            round_id=of.round_id,
            work=of.terms.work,
            state=work.state,
            units=of.terms.units,
            done=min(done, of.terms.units),
            validated_errors_in_round=row.validated_errors_in_round,
            reward_minor=of.terms.reward_minor,
            bonus_minor=of.terms.bonus_minor,
            currency=of.currency,
            deadline=work.deadline,
            can_finish=is_working and (is_done or stops is not None),
            why=stops if is_working and not is_done else work.why,
            code=code,
            back_url=back_url,
            fair_play=fair_play_answer(decision if decision and decision.concerns_person else None),
        )
