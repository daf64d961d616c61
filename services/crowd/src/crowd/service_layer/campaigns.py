"""Commands on campaigns: draft, change, launch, pause, end, and add places."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from dynabench_api.words import CampaignState
from dynabench_common.events.audit import Action
from dynabench_common.http.idempotency import KeyedRequest
from dynabench_common.identifiers import new_id

from crowd.adapters.unit_of_work import UnitOfWork
from crowd.domain.campaign import Campaign, Terms, entry_url, new_codes
from crowd.domain.errors import (
    PlatformOutcomeUnknown,
    PlatformRefused,
    PlatformSilent,
    RoundTakesNoWork,
    StudyGone,
)
from crowd.domain.platforms import (
    CrowdPlatform,
    OutcomeUnknown,
    Refused,
    Study,
    StudyUnknown,
    Unavailable,
)
from crowd.service_layer.dependencies import Dependencies

Result = TypeVar("Result")
DESCRIPTIONS = {
    "create": "You write short texts that an AI model gets wrong and another person would not.",
    "validate": "You read short texts by other people and answer a question about each.",
}


@dataclass(frozen=True)
class DraftCampaign:
    """An owner drafts a campaign on a round."""

    round_id: UUID
    actor_id: UUID
    terms: Terms
    request: KeyedRequest


def draft_campaign(command: DraftCampaign, app: Dependencies) -> UUID:
    """Store a draft and return its id; a repeated request returns the same one.

    Raises RoundUnknown, TermsRefused, IdempotencyKeyReused, ConcurrentReplay.
    """
    command.terms.check(app.platform(command.terms.platform).currencies)
    with app.unit_of_work() as uow:
        kept = uow.replies.find(command.request)
        if kept is not None:
            return UUID(kept["campaign_id"])
        of_round = uow.rounds.get(command.round_id)
        new = Campaign(
            campaign_id=new_id(),
            round_id=command.round_id,
            task_slug=of_round.task_slug,
            terms=command.terms,
            state=CampaignState.DRAFT,
            codes=new_codes(),
            created_by=command.actor_id,
            created_at=app.clock.now(),
        )
        uow.campaigns.add(new)
        uow.replies.store(command.request, {"campaign_id": str(new.campaign_id)})
        uow.commit()
        return new.campaign_id


def change_draft(campaign_id: UUID, terms: Terms, app: Dependencies) -> None:
    """Replace the terms of a draft.

    Raises CampaignUnknown, CampaignStateRefused, LaunchUnderWay, StudyExists, TermsRefused.
    """
    terms.check(app.platform(terms.platform).currencies)
    with app.unit_of_work() as uow:
        campaign = uow.campaigns.lock(campaign_id)
        campaign.change(terms)
        uow.campaigns.save(campaign)
        uow.commit()


def delete_draft(campaign_id: UUID, app: Dependencies) -> None:
    """Remove a draft. Raises CampaignUnknown, CampaignStateRefused, LaunchUnderWay."""
    with app.unit_of_work() as uow:
        uow.campaigns.lock(campaign_id).ensure_no_launch()
        uow.campaigns.delete(campaign_id)
        uow.commit()


@dataclass(frozen=True)
class SetState:
    """An owner launches, pauses, resumes or ends a campaign; `actor_id` None stands for crowd itself."""

    campaign_id: UUID
    actor_id: UUID | None
    state: CampaignState


def set_state(command: SetState, app: Dependencies) -> None:
    """Change the state here and on the platform; the present state again changes nothing.

    Raises CampaignUnknown, CampaignStateRefused, LaunchUnderWay, ChangeUnderWay, RoundTakesNoWork, PlatformRefused,
    PlatformSilent.
    """
    with app.unit_of_work() as uow:
        campaign = uow.campaigns.get(command.campaign_id)
    if campaign.state is CampaignState.DRAFT and command.state is CampaignState.RUNNING:
        _launch(command, app)
        return
    with _only_change(command.campaign_id, app) as campaign:
        if campaign.state is command.state:
            return
        campaign.ensure_can_become(command.state)
        if command.state is CampaignState.RUNNING:
            with app.unit_of_work() as uow:
                _ensure_round_takes_work(campaign, uow)
        platform, study_id = app.platform(campaign.platform), campaign.study_id or ""
        change = {
            CampaignState.RUNNING: platform.publish,
            CampaignState.PAUSED: platform.pause,
            CampaignState.ENDED: platform.stop,
        }[command.state]
        try:
            on_platform(platform, lambda: change(study_id))
        except StudyGone:
            if command.state is CampaignState.RUNNING:
                raise
        _store_state(command, app)


def pause_with_study(campaign_id: UUID, app: Dependencies) -> None:
    """Pause a running campaign whose study takes nobody in any more. Raises ChangeUnderWay."""
    with _only_change(campaign_id, app) as campaign:
        platform = app.platform(campaign.platform)
        if campaign.state is CampaignState.RUNNING and is_paused_there(campaign, platform):
            _store_state(SetState(campaign_id, None, CampaignState.PAUSED), app)


def is_paused_there(campaign: Campaign, platform: CrowdPlatform) -> bool:
    """Return whether the campaign's study was paused or deleted on the platform."""
    try:
        return platform.is_paused(campaign.study_id or "")
    except StudyUnknown:
        return True


@contextmanager
def _only_change(campaign_id: UUID, app: Dependencies) -> Iterator[Campaign]:
    """Yield a campaign that no other command changes meanwhile. Raises CampaignUnknown, ChangeUnderWay."""
    with app.unit_of_work() as claim:
        claim.exclude_others(campaign_id)
        yield claim.campaigns.get(campaign_id)


def _store_state(command: SetState, app: Dependencies) -> None:
    now = app.clock.now()
    with app.unit_of_work() as uow:
        campaign = uow.campaigns.lock(command.campaign_id)
        campaign.become(command.state, now)
        uow.campaigns.save(campaign)
        close_books(uow, campaign, now)
        _audit(uow, f"campaign.{command.state}", command.actor_id, campaign, now)
        uow.commit()


def _launch(command: SetState, app: Dependencies) -> None:
    """Create and publish the study. One launch calls the platform at a time.

    If the round takes no such work any more, the study of a launch that was cut off is paused.
    """
    with app.unit_of_work() as uow:
        campaign = uow.campaigns.lock(command.campaign_id)
        was_cut_off = campaign.launching_until is not None
        if not was_cut_off:
            _ensure_round_takes_work(campaign, uow)
        round_state = uow.rounds.get(campaign.round_id).state
        platform = app.platform(campaign.platform)
        campaign.begin_launch(app.clock.now())
        uow.campaigns.save(campaign)
        uow.commit()
    terms, is_study_known = campaign.terms, not was_cut_off
    try:
        if was_cut_off:
            _find_study(campaign, platform, app)
            is_study_known = True
        if not campaign.takes_work(round_state):
            _pause_study(campaign, platform, app)
            raise RoundTakesNoWork(round_state)
        cost = on_platform(
            platform, lambda: platform.cost_minor(terms.reward_minor, terms.places, terms.currency)
        )
        study_id = _study_id(campaign, platform, app)
        on_platform(platform, lambda: platform.publish(study_id))
    except PlatformOutcomeUnknown:
        raise
    except (PlatformRefused, PlatformSilent, RoundTakesNoWork) as err:
        if was_cut_off and isinstance(err, PlatformSilent):
            raise  # The first launch may have published the study: the worker tries again.
        is_over = campaign.takes_work(round_state) or isinstance(err, RoundTakesNoWork)
        gone = campaign.study_id if isinstance(err, StudyGone) else None
        _enter_failure(command, err, app, is_over=is_study_known and is_over, gone=gone)
        raise
    now = app.clock.now()
    with app.unit_of_work() as uow:
        campaign = uow.campaigns.lock(command.campaign_id)
        if campaign.state is CampaignState.DRAFT:
            campaign.launched(now)
            uow.campaigns.save(campaign)
            cause = f"reserved:{campaign.campaign_id}:{terms.places}"
            uow.ledger.reserve(campaign.campaign_id, cost, campaign.currency, cause, now)
            _audit(uow, "campaign.launched", command.actor_id, campaign, now)
        uow.commit()


def _enter_failure(
    command: SetState, err: Exception, app: Dependencies, *, is_over: bool, gone: str | None
) -> None:
    """Enter the reason of a failed launch, and forget a study that is gone, so that the next launch makes another.

    The worker continues a launch that is not over: its study was not found yet, or not paused yet.
    """
    problem = err.reason if isinstance(err, PlatformRefused) else None
    with app.unit_of_work() as uow:
        campaign = uow.campaigns.lock(command.campaign_id)
        if gone is not None and campaign.study_id == gone:
            campaign.study_id = None
        if is_over:
            campaign.launch_failed(problem)
        else:
            campaign.problem = problem
        uow.campaigns.save(campaign)
        uow.commit()


def _pause_study(campaign: Campaign, platform: CrowdPlatform, app: Dependencies) -> None:
    """Let nobody into the study of a draft, if the platform has one."""
    study_id = campaign.study_id
    if study_id is not None:
        try:
            on_platform(platform, lambda: platform.pause(study_id))
        except StudyGone:
            _store_study(campaign, None, app)


def _find_study(campaign: Campaign, platform: CrowdPlatform, app: Dependencies) -> None:
    """Store the study that a launch without an answer may have created, so that its terms can't be changed here."""
    if campaign.study_id is None:
        found = on_platform(platform, lambda: platform.find_study(str(campaign.campaign_id)))
        if found is not None:
            _store_study(campaign, found, app)


def _ensure_round_takes_work(campaign: Campaign, uow: UnitOfWork) -> None:
    state = uow.rounds.get(campaign.round_id).state
    if not campaign.takes_work(state):
        raise RoundTakesNoWork(state)


def _study_id(campaign: Campaign, platform: CrowdPlatform, app: Dependencies) -> str:
    """Return the campaign's study, which is stored at once, so that no later launch creates another."""
    if campaign.study_id is not None:
        return campaign.study_id
    study_id = on_platform(platform, lambda: _study(campaign, platform, app))
    _store_study(campaign, study_id, app)
    return study_id


def _store_study(campaign: Campaign, study_id: str | None, app: Dependencies) -> None:
    with app.unit_of_work() as uow:
        present = uow.campaigns.lock(campaign.campaign_id)
        campaign.study_id = present.study_id = study_id
        uow.campaigns.save(present)
        uow.commit()


def _study(campaign: Campaign, platform: CrowdPlatform, app: Dependencies) -> str:
    """Return the campaign's study; an earlier launch whose answer did not arrive may have created it."""
    found = platform.find_study(str(campaign.campaign_id))
    if found is not None:
        return found
    terms = campaign.terms
    return platform.create_study(
        Study(
            campaign_id=str(campaign.campaign_id),
            title=terms.title,
            description=DESCRIPTIONS[terms.work],
            entry_url=entry_url(campaign.campaign_id, app.public_url),
            reward_minor=terms.reward_minor,
            screen_out_minor=terms.screen_out_minor,
            currency=terms.currency,
            places=terms.places,
            minutes=terms.minutes,
            typical_minutes=max(1, terms.minutes // 2),
            languages=terms.languages,
            qualifications=terms.qualifications,
            codes=campaign.codes_there,
        )
    )


@dataclass(frozen=True)
class AddPlaces:
    """An owner raises the number of places."""

    campaign_id: UUID
    actor_id: UUID
    places: int


def add_places(command: AddPlaces, app: Dependencies) -> None:
    """Raise the number of places here and on the platform, and reserve their cost; the same number changes nothing.

    Raises CampaignUnknown, ChangeUnderWay, TermsRefused, PlatformRefused, PlatformSilent.
    """
    with _only_change(command.campaign_id, app) as campaign:
        terms, added = campaign.terms, command.places - campaign.terms.places
        campaign.set_places(command.places)
        if not added:
            return
        platform, study_id = app.platform(campaign.platform), campaign.study_id or ""
        cost = on_platform(platform, lambda: platform.cost_minor(terms.reward_minor, added, terms.currency))
        on_platform(platform, lambda: platform.set_places(study_id, command.places))
        if campaign.state is CampaignState.PAUSED:
            on_platform(platform, lambda: platform.pause(study_id))  # new places can open a full study again
        now = app.clock.now()
        with app.unit_of_work() as uow:
            present = uow.campaigns.lock(command.campaign_id)
            present.set_places(command.places)
            uow.campaigns.save(present)
            cause = f"reserved:{present.campaign_id}:{command.places}"
            uow.ledger.reserve(present.campaign_id, cost, present.currency, cause, now)
            _audit(uow, "campaign.places_added", command.actor_id, present, now)
            uow.commit()


def close_books(uow: UnitOfWork, campaign: Campaign, now: datetime) -> None:
    """Return what is left of the reservation, once a campaign has ended and nobody's work is open."""
    if campaign.state is CampaignState.ENDED and not uow.assignments.open(campaign.campaign_id):
        uow.ledger.release_rest(campaign.campaign_id, now)


def on_platform(platform: CrowdPlatform, call: Callable[[], Result]) -> Result:
    """Return what a call of a platform returns. Raises PlatformRefused, PlatformSilent."""
    try:
        return call()
    except StudyUnknown as err:
        raise StudyGone(platform.name, str(err)) from err
    except Refused as err:
        raise PlatformRefused(platform.name, str(err)) from err
    except Unavailable as err:
        raise PlatformSilent(platform.name) from err
    except OutcomeUnknown as err:
        raise PlatformOutcomeUnknown(platform.name) from err


def _audit(uow: UnitOfWork, action: str, actor_id: UUID | None, campaign: Campaign, now: datetime) -> None:
    uow.audit(
        Action(
            action,
            actor_id,
            "campaign",
            campaign.campaign_id,
            task_slug=campaign.task_slug,
            round_id=campaign.round_id,
            details={"title": campaign.terms.title},
        ),
        now,
    )
