"""A campaign: paid work of one kind on one round, through one platform."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from dynabench_api.words import CampaignState
from dynabench_events.crowd import CampaignPayLow, Work
from dynabench_events.history import Aggregate
from dynabench_tasks.rounds import RoundState

from crowd.domain.errors import CampaignStateRefused, LaunchUnderWay, StudyExists, TermsRefused
from crowd.domain.money import MOST_MINOR
from crowd.domain.platforms import CodeAction

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 10
MOST_UNITS, MOST_PLACES, MOST_MINUTES = 500, 10_000, 24 * 60
LONGEST_TITLE, LONGEST_WORD, MOST_WORDS = 200, 200, 20
LAUNCH_TIME = timedelta(minutes=2)
"""Time in which a launch that was cut off may still be carried out by the platform."""
TAKES_WORK: Mapping[Work, Collection[str]] = {
    Work.CREATE: (RoundState.OPEN,),
    Work.VALIDATE: (RoundState.OPEN, RoundState.PAUSED, RoundState.CLOSED),
}
"""States of a round in which people can do each kind of work."""
CHANGES: Mapping[CampaignState, Collection[CampaignState]] = {
    CampaignState.DRAFT: (CampaignState.RUNNING,),
    CampaignState.RUNNING: (CampaignState.PAUSED, CampaignState.ENDED),
    CampaignState.PAUSED: (CampaignState.RUNNING, CampaignState.ENDED),
    CampaignState.ENDED: (),
}


@dataclass(frozen=True)
class Terms:
    """Terms that an owner decides. Amounts are minor units of `currency`, `minutes` is the time limit."""

    work: Work
    title: str
    platform: str
    units: int
    places: int
    reward_minor: int
    bonus_minor: int
    screen_out_minor: int
    currency: str
    minutes: int
    languages: tuple[str, ...]
    qualifications: tuple[str, ...]

    def check(self, currencies: Collection[str]) -> None:
        """Raise TermsRefused for a term that can't be used; `currencies` are those of the platform."""
        self._within("units", self.units, 1, MOST_UNITS)
        self._within("places", self.places, 1, MOST_PLACES)
        self._within("minutes", self.minutes, 1, MOST_MINUTES)
        self._within("reward_minor", self.reward_minor, 0, MOST_MINOR)
        self._within("bonus_minor", self.bonus_minor, 0, MOST_MINOR)
        self._within("screen_out_minor", self.screen_out_minor, 0, MOST_MINOR)
        if self.screen_out_minor and self.screen_out_minor >= self.reward_minor:
            reason = "a screened-out person does less than the work, so gets less than the reward"
            raise TermsRefused("screen_out_minor", reason, f"Give less than {self.reward_minor}, or 0.")
        if self.bonus_minor and self.work is Work.VALIDATE:
            raise TermsRefused(
                "bonus_minor", "a bonus is paid for validated errors, and checkers write none", "Set it to 0."
            )
        if self.currency not in currencies:
            known = ", ".join(currencies)
            raise TermsRefused("currency", f"the platform does not pay in {self.currency}", f"Use {known}.")
        if not self.title.strip() or len(self.title) > LONGEST_TITLE:
            raise TermsRefused(
                "title", f"it is empty or longer than {LONGEST_TITLE} characters", "Give a short title."
            )
        for name, words in (("languages", self.languages), ("qualifications", self.qualifications)):
            if len(words) > MOST_WORDS or not all(0 < len(word) <= LONGEST_WORD for word in words):
                remedy = f"Give at most {MOST_WORDS}, each of 1 to {LONGEST_WORD} characters."
                raise TermsRefused(name, "there are too many, or one is empty or too long", remedy)

    @staticmethod
    def _within(field: str, value: int, least: int, most: int) -> None:
        if not least <= value <= most:
            raise TermsRefused(field, f"{value} is not between {least} and {most}", "Change it.")


@dataclass(kw_only=True)
class Campaign(Aggregate):
    """A campaign. `codes` gives the completion code of each action; the platform's study exists after the launch."""

    campaign_id: UUID
    round_id: UUID
    task_slug: str
    terms: Terms
    state: CampaignState
    codes: Mapping[CodeAction, str]
    created_by: UUID
    created_at: datetime
    study_id: str | None = None
    problem: str | None = None
    launching_until: datetime | None = None
    launched_at: datetime | None = None
    ended_at: datetime | None = None
    pay_low_at: datetime | None = None

    @property
    def platform(self) -> str:
        """Return the platform's name."""
        return self.terms.platform

    @property
    def currency(self) -> str:
        """Return the currency's code."""
        return self.terms.currency

    @property
    def codes_there(self) -> dict[str, CodeAction]:
        """Return the action of each code that the platform must know."""
        used = set(CodeAction) if self.terms.screen_out_minor else set(CodeAction) - {CodeAction.SCREEN_OUT}
        return {code: action for action, code in self.codes.items() if action in used}

    def change(self, terms: Terms) -> None:
        """Replace the terms of a draft. Raises CampaignStateRefused, LaunchUnderWay, StudyExists."""
        self.ensure_no_launch()
        if self.study_id is not None:
            raise StudyExists
        self.terms = terms

    def ensure_no_launch(self) -> None:
        """Raise CampaignStateRefused unless the campaign is a draft, and LaunchUnderWay if it is being launched."""
        self.ensure_draft()
        if self.launching_until is not None:
            raise LaunchUnderWay

    def ensure_draft(self) -> None:
        """Raise CampaignStateRefused unless the campaign is a draft."""
        if self.state is not CampaignState.DRAFT:
            raise CampaignStateRefused(self.state, CampaignState.DRAFT)

    def ensure_can_become(self, state: CampaignState) -> None:
        """Raise CampaignStateRefused unless the state can follow."""
        if state not in CHANGES[self.state]:
            raise CampaignStateRefused(self.state, state)

    def begin_launch(self, now: datetime) -> None:
        """Exclude other launches. Raises CampaignStateRefused, LaunchUnderWay."""
        self.ensure_draft()
        if self.launching_until is not None and now < self.launching_until:
            raise LaunchUnderWay
        self.launching_until = now + LAUNCH_TIME

    def launch_failed(self, problem: str | None) -> None:
        """Enter that the platform did not carry the launch out, and its reason, so that another may begin."""
        self.launching_until, self.problem = None, problem

    def launched(self, now: datetime) -> None:
        """Enter that the platform recruits."""
        self.state, self.launched_at = CampaignState.RUNNING, now
        self.launching_until = self.problem = None

    def become(self, state: CampaignState, now: datetime) -> None:
        """Change the state. Raises CampaignStateRefused."""
        self.ensure_can_become(state)
        self.state, self.problem = state, None
        if state is CampaignState.ENDED:
            self.ended_at = now

    def set_places(self, places: int) -> None:
        """Raise the number of places. Raises TermsRefused."""
        if self.state in (CampaignState.DRAFT, CampaignState.ENDED):
            remedy = "Change a draft, or draft a new campaign."
            raise TermsRefused("places", f"the campaign is {self.state}", remedy)
        if not self.terms.places <= places <= MOST_PLACES:
            remedy = f"Give {self.terms.places} to {MOST_PLACES}."
            raise TermsRefused("places", "the number can only become larger", remedy)
        self.terms = replace(self.terms, places=places)

    def pay_is_low(self, report: CampaignPayLow) -> None:
        """Enter that the measured pay is below the floor."""
        self.pay_low_at = report.found_at
        self.record(report)

    def takes_work(self, round_state: str) -> bool:
        """Return whether people can work in a round of this state."""
        return round_state in TAKES_WORK[self.terms.work]


def entry_url(campaign_id: UUID, public_url: str) -> str:
    """Return the address to which a platform sends people; `public_url` is the origin of the pages."""
    return f"{public_url.rstrip('/')}/work/{campaign_id}"


def new_codes() -> dict[CodeAction, str]:
    """Return a random completion code for each action."""
    return {action: "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH)) for action in CodeAction}
