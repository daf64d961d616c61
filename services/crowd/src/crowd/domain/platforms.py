"""The protocol of a crowd platform: recruiting, checking entries, and paying."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Unavailable(Exception):
    """The platform did not carry the call out: it could not be reached, or asked to wait."""


class OutcomeUnknown(Exception):
    """The call may have been carried out: the answer did not arrive."""


class Refused(Exception):
    """The platform refused the call. The text is its reason, for the owner."""


class StudyUnknown(Refused):
    """The platform has no such study any more."""


class EntryRefused(Exception):
    """The parameters of an entry are forged, expired, replayed, or of another study."""


class CodeAction(StrEnum):
    """The action of the platform when a person returns with a completion code."""

    REVIEW = "review"
    SCREEN_OUT = "screen_out"
    RETURN = "return"


class SubmissionState(StrEnum):
    """The platform's state of one person's submission."""

    WORKING = "working"
    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"
    TIMED_OUT = "timed_out"
    SCREENED_OUT = "screened_out"


class RejectionCategory(StrEnum):
    """The reason of a rejection that platforms ask for."""

    TOO_QUICK = "too_quick"
    FAILED_INSTRUCTIONS = "failed_instructions"
    INCOMPLETE = "incomplete"
    FAILED_CHECK = "failed_check"
    LOW_EFFORT = "low_effort"
    MALINGERING = "malingering"
    OTHER = "other"


@dataclass(frozen=True)
class Study:
    """Description of a campaign for its platform. Amounts are minor units; `codes` gives the action of each code."""

    campaign_id: str
    title: str
    description: str
    entry_url: str
    reward_minor: int
    screen_out_minor: int
    currency: str
    places: int
    minutes: int
    typical_minutes: int
    languages: Sequence[str]
    qualifications: Sequence[str]
    codes: Mapping[str, CodeAction]


@dataclass(frozen=True)
class Entry:
    """A checked entry: the platform's ids, and whether the platform proved or confirmed it.

    `study_id` is empty if the platform's links name no study.
    """

    study_id: str
    worker_id: str
    submission_id: str
    is_proved: bool


class EntryOver(EntryRefused):
    """Nobody works by this genuine entry any more. Its person may still read a decision about them, and appeal."""

    def __init__(self, reason: str, entry: Entry) -> None:
        super().__init__(reason)
        self.entry = entry


@dataclass(frozen=True)
class Submission:
    """One person's submission as the platform has it."""

    submission_id: str
    worker_id: str
    state: SubmissionState


@dataclass(frozen=True)
class Payment:
    """One payment. `payment_id` is the same in every attempt; platforms that take a token receive it."""

    payment_id: str
    study_id: str
    submission_id: str
    worker_id: str
    amount_minor: int
    currency: str
    message: str


class CrowdPlatform(Protocol):
    """A platform that sends people and pays them.

    Every call may raise Unavailable, OutcomeUnknown and Refused. Calls are safe to repeat after OutcomeUnknown, except
    `create_study` and `pay`. Ask `find_study` before the first. Ask `bonuses` before the second, and repeat it only if
    the platform `pays_once`.
    """

    name: str
    title: str
    currencies: Sequence[str]
    proves_people: bool
    pays: bool
    pays_once: bool
    is_test: bool

    def find_study(self, campaign_id: str) -> str | None:
        """Return the id of the campaign's study on the platform; None if none was created."""
        ...

    def create_study(self, study: Study) -> str:
        """Create an unpublished study and return its id."""
        ...

    def study_url(self, study_id: str) -> str | None:
        """Return the study's address for the owner on the platform, if there is one."""
        ...

    def publish(self, study_id: str) -> None:
        """Let people in, also after a pause."""
        ...

    def pause(self, study_id: str) -> None:
        """Let no new person in; people who work go on."""
        ...

    def is_paused(self, study_id: str) -> bool:
        """Return whether a study takes nobody in until it is published again. Undefined for one that was stopped."""
        ...

    def stop(self, study_id: str) -> None:
        """End recruiting for good; people who work go on."""
        ...

    def set_places(self, study_id: str, places: int) -> None:
        """Set the number of places, which never becomes smaller."""
        ...

    def cost_minor(self, reward_minor: int, places: int, currency: str) -> int:
        """Return rewards and fees of all places."""
        ...

    def check_entry(self, parameters: Mapping[str, str]) -> Entry:
        """Check the parameters of an entry's address. Raises EntryRefused, EntryOver."""
        ...

    def back_url(
        self, study_id: str, submission_id: str, code: str, parameters: Mapping[str, str]
    ) -> str | None:
        """Return the address that takes a person back with a code; `parameters` are those of the entry."""
        ...

    def submissions(self, study_id: str) -> Sequence[Submission]:
        """Return the study's submissions; empty for a platform that has none."""
        ...

    def approve(self, study_id: str, submission_ids: Sequence[str]) -> None:
        """Approve submissions that are handed in, by which the platform pays their rewards, each once.

        The platform may answer before it acts. A refusal may leave some approved, so look at `submissions`.
        """
        ...

    def reject(self, study_id: str, submission_id: str, category: RejectionCategory, reason: str) -> None:
        """Reject a submission."""
        ...

    def prepare(self, payments: Sequence[Payment]) -> str:
        """Register bonuses without paying them, and return the reference to pay them by."""
        ...

    def pay(self, reference: str, payments: Sequence[Payment]) -> None:
        """Pay prepared bonuses, all or none. A repeated call pays them again unless the platform `pays_once`."""
        ...

    def bonuses(self, study_id: str, submission_ids: Sequence[str]) -> Mapping[str, Sequence[int]]:
        """Return the amounts, in minor units, that the platform has recorded as bonuses of each submission."""
        ...

    def read_notice(self, headers: Mapping[str, str], body: bytes) -> str | None:
        """Return the study that a webhook is about; None for nothing known. Raises EntryRefused, Unavailable."""
        ...
