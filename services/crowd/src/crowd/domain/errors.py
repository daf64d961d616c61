"""Refusals that a caller can act on. They carry data; the edge decides their HTTP form."""

from dataclasses import dataclass


class CampaignUnknown(Exception):
    """There is no such campaign."""


class AssignmentUnknown(Exception):
    """There is no such assignment, or not for the caller."""


class RoundUnknown(Exception):
    """No event has named the round."""


class PlatformUnknown(Exception):
    """No platform of this name is connected."""


class PaymentUnknown(Exception):
    """There is no such payment."""


@dataclass(eq=False)
class TermsRefused(Exception):
    """A term of a campaign can't be used."""

    field: str
    reason: str
    remedy: str


@dataclass(eq=False)
class RoundTakesNoWork(Exception):
    """The round's state permits no work of this kind."""

    state: str


@dataclass(eq=False)
class CampaignStateRefused(Exception):
    """The campaign can't change from its state to another, or is no draft."""

    state: str
    wanted: str


class LaunchUnderWay(Exception):
    """Another launch of the campaign calls the platform now."""


class ChangeUnderWay(Exception):
    """Another command changes the same campaign or assignment, and calls the platform now."""


class StudyExists(Exception):
    """The platform has the draft's study already, with the present terms."""


@dataclass(eq=False)
class PlatformRefused(Exception):
    """The platform refused a call."""

    platform: str
    reason: str


class StudyGone(PlatformRefused):
    """The platform has no study of this campaign any more."""


@dataclass(eq=False)
class PlatformSilent(Exception):
    """The platform did not answer, or asked to wait."""

    platform: str


class PlatformOutcomeUnknown(PlatformSilent):
    """The platform did not answer, and may have carried the call out."""


@dataclass(eq=False)
class EntryInvalid(Exception):
    """The entry's parameters prove no person of this campaign."""

    reason: str


@dataclass(eq=False)
class WebhookForged(Exception):
    """A webhook's signature or time does not hold."""

    reason: str


class CampaignFull(Exception):
    """All places of the campaign are taken."""


@dataclass(eq=False)
class CampaignNotOpen(Exception):
    """The campaign takes nobody in now."""

    state: str


class AssignmentEnded(Exception):
    """The person's assignment has ended; nobody gets a second one of a campaign."""


class OtherWorkOpen(Exception):
    """The person works for another campaign on the round, so the same units would count for both."""


class PersonExcluded(Exception):
    """The task's owner takes no further work from the person."""


class AppealRefused(Exception):
    """There is no exclusion to appeal against, or the person has appealed."""


@dataclass(eq=False)
class AssignmentStateRefused(Exception):
    """The assignment can't change from its state to another."""

    state: str
    wanted: str


@dataclass(eq=False)
class UnitsMissing(Exception):
    """More units can and must be done before the work is handed in."""

    done: int
    units: int


class PeopleUnavailable(Exception):
    """The accounts service did not admit the person."""


@dataclass(eq=False)
class OwedChanged(Exception):
    """Another amount is owed than the preview showed, in minor units."""

    shown: int
    total: int


@dataclass(eq=False)
class PaidByPlatform(Exception):
    """The platform pays people itself."""

    platform: str


@dataclass(eq=False)
class PaymentRefused(Exception):
    """The payment was refused, so it can't be confirmed."""

    reason: str
