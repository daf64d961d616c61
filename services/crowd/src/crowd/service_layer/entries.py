"""The entry of a person whom a platform sends."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from dynabench_api.words import CampaignState
from dynabench_common.identifiers import new_id
from dynabench_events.crowd import AssignmentState

from crowd.adapters.people import Session
from crowd.adapters.unit_of_work import UnitOfWork
from crowd.domain.assignment import LOST, OPEN, Assignment
from crowd.domain.campaign import Campaign
from crowd.domain.errors import (
    AssignmentEnded,
    CampaignFull,
    CampaignNotOpen,
    EntryInvalid,
    OtherWorkOpen,
    PersonExcluded,
)
from crowd.domain.platforms import Entry, EntryOver, EntryRefused
from crowd.service_layer.campaigns import on_platform
from crowd.service_layer.dependencies import Dependencies

AFTERWARDS = 120
"""Minutes for which a session outlasts the time limit, so that a person can read their code and their bonuses."""
LONGEST_SESSION = 1_440


@dataclass(frozen=True)
class AcceptEntry:
    """A person accepts the work; `parameters` are those of the entry's address.

    `device` is an id of their browser, `address` that of their network; only a keyed hash of it is stored.
    """

    campaign_id: UUID
    parameters: Mapping[str, str]
    device: str | None
    address: str | None


@dataclass(frozen=True)
class Accepted:
    """The person's assignment, with a session to work in."""

    assignment_id: UUID
    person_id: UUID
    session: Session


def accept_entry(command: AcceptEntry, app: Dependencies) -> Accepted:
    """Check the entry with the platform and return the person's only assignment of the campaign.

    Raises CampaignUnknown, EntryInvalid, AssignmentEnded, CampaignNotOpen, CampaignFull, OtherWorkOpen,
    PersonExcluded, PlatformRefused, PlatformSilent, PeopleUnavailable.
    """
    with app.unit_of_work() as uow:
        campaign = uow.campaigns.get(command.campaign_id)
    if campaign.study_id is None:
        raise CampaignNotOpen(campaign.state)
    platform = app.platform(campaign.platform)
    over = None
    try:
        entry = on_platform(platform, lambda: platform.check_entry(command.parameters))
    except EntryOver as err:
        entry, over = err.entry, str(err)
    except EntryRefused as err:
        raise EntryInvalid(str(err)) from err
    if entry.study_id and entry.study_id != campaign.study_id:
        raise EntryInvalid("it belongs to another study")
    with app.unit_of_work() as uow:
        assignment = _assignment(command, entry, over, uow, app)
        if command.address is not None:
            seen = f"{command.campaign_id} {command.address}".encode()
            hashed = hmac.digest(app.address_key, seen, "sha256")
            uow.reviews.saw_address(assignment.assignment_id, hashed, app.clock.now())
        uow.commit()
    minutes = min(campaign.terms.minutes + AFTERWARDS, LONGEST_SESSION)
    session = app.people.admit(assignment.person_id, minutes, campaign.task_slug)
    return Accepted(assignment.assignment_id, assignment.person_id, session)


def _assignment(
    command: AcceptEntry, entry: Entry, over: str | None, uow: UnitOfWork, app: Dependencies
) -> Assignment:
    """Return the person's assignment, a new one at the first entry. `over` is the reason why nobody works by it now."""
    campaign = uow.campaigns.lock(command.campaign_id)
    person_id = uow.assignments.person_of(campaign.platform, entry.worker_id)
    known = uow.assignments.of_person(campaign.campaign_id, person_id)
    review = None if known is None else uow.reviews.get(known.assignment_id)
    may_appeal = review is not None and review.concerns_person
    if over is not None and not may_appeal:
        raise EntryInvalid(over)
    if known is not None:
        if known.state in LOST and not may_appeal:
            raise AssignmentEnded
        is_weak = over is not None or not entry.is_proved
        if is_weak and known.device not in (None, command.device):
            # Others can write or keep an address with the person's id: only the same browser continues the work.
            raise EntryInvalid("the work was begun in another browser")
        if known.state in OPEN and over is None:
            return _enter_again(known, entry, command.parameters, uow)
        return known
    if uow.assignments.of_submission(campaign.campaign_id, entry.submission_id) is not None:
        raise EntryInvalid("another person has entered with this submission")
    _ensure_open(campaign, uow)
    if uow.reviews.is_excluded(person_id, campaign.task_slug):
        raise PersonExcluded
    if uow.assignments.has_open_work(person_id, campaign.round_id, campaign.terms.work):
        raise OtherWorkOpen
    now = app.clock.now()
    new = Assignment(
        assignment_id=new_id(),
        campaign_id=campaign.campaign_id,
        round_id=campaign.round_id,
        work=campaign.terms.work,
        person_id=person_id,
        state=AssignmentState.WORKING,
        submission_id=entry.submission_id,
        parameters=dict(command.parameters),
        is_proved=entry.is_proved,
        device=command.device,
        accepted_at=now,
        deadline=now + timedelta(minutes=campaign.terms.minutes),
        changed_at=now,
    )
    new.accepted()
    uow.assignments.add(new)
    return new


def _enter_again(
    known: Assignment, entry: Entry, parameters: Mapping[str, str], uow: UnitOfWork
) -> Assignment:
    """Let the newest entry decide how the platform knows the person: some begin a new session at each entry."""
    other = uow.assignments.of_submission(known.campaign_id, entry.submission_id)
    if other is not None and other.assignment_id != known.assignment_id:
        raise EntryInvalid("another person has entered with this submission")
    locked = uow.assignments.lock(known.assignment_id)
    locked.enters_again(entry.submission_id, dict(parameters))
    uow.assignments.save(locked)
    return locked


def _ensure_open(campaign: Campaign, uow: UnitOfWork) -> None:
    if campaign.state is not CampaignState.RUNNING:
        raise CampaignNotOpen(campaign.state)
    state = uow.rounds.get(campaign.round_id).state
    if not campaign.takes_work(state):
        raise CampaignNotOpen(state)
    if uow.assignments.taken_places(campaign.campaign_id) >= campaign.terms.places:
        raise CampaignFull
