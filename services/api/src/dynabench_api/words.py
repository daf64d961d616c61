"""Lists of words with a name in OpenAPI; standard library only, so that rules of services may use them."""

from enum import StrEnum
from typing import Self


class Word(StrEnum):
    """A word from a named list. Readers accept words that are not in it."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        word = str.__new__(cls, value)
        word._name_ = word._value_ = value
        return word


class By(Word):
    """Groupings of tries."""

    SEGMENT = "segment"
    TARGET = "target"
    CONDITION = "condition"
    COHORT = "cohort"
    TAG = "tag"
    WEEK = "week"


class Says(Word):
    """The result of one criterion for the next round."""

    NOW = "now"
    NOT_YET = "not_yet"
    UNKNOWN = "unknown"


class Advice(Word):
    """The advice on the next round."""

    NOT_YET = "not_yet"
    SOON = "soon"
    NOW = "now"


class Mode(Word):
    """The ranking rule of a board."""

    UTILITY = "utility"
    CLASSIC = "classic"


class Verdict(Word):
    """The platform's decision on a try."""

    FOOLED = "fooled"
    NOT_FOOLED = "not_fooled"
    UNDECIDED = "undecided"
    UNKNOWN = "unknown"


class Resolution(Word):
    """The state of an example."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    FLAGGED = "flagged"
    DISPUTED = "disputed"
    NO_CLAIM = "no_claim"


class Became(Word):
    """The resolution of an example, or the reason why it has none."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    FLAGGED = "flagged"
    DISPUTED = "disputed"
    NO_CLAIM = "no_claim"
    WAITING = "waiting"
    UNASKED = "unasked"
    RETRACTED = "retracted"


class VoteKind(Word):
    """The kind of a validator's answer."""

    LABEL = "label"
    JUDGEMENT = "judgement"
    FLAG = "flag"
    UNSURE = "unsure"


class NoOfferState(Word):
    """Reasons why there is no example for the person."""

    NOTHING_WAITS = "nothing_waits"
    ONLY_OWN = "only_own"
    ALL_ANSWERED = "all_answered"
    OTHERS_WORKING = "others_working"
    PAUSED_YOU = "paused_you"
    ROUND_TAKES_NO_VOTES = "round_takes_no_votes"
    ANOTHER_IS_ASKED = "another_is_asked"


class WorkKind(Word):
    """Reasons why an example needs the owner's decision. Several may apply."""

    DISPUTED = "disputed"
    FLAGGED = "flagged"
    APPEALED = "appealed"
    QUESTION = "question"
    LOW_POSTERIOR = "low_posterior"


class ValidatorState(Word):
    """The right of a person to validate."""

    ACTIVE = "active"
    WARNED = "warned"
    PAUSED = "paused"


class GoldKind(Word):
    """The origin of a known item: a resolved example, or the task's owner."""

    EXAMPLE = "example"
    ATTENTION = "attention"


class Retirement(Word):
    """Reasons why a known item was retired."""

    SHOWN_OFTEN = "shown_often"
    FAILED_OFTEN = "failed_often"
    DECIDED_ANEW = "decided_anew"
    WITHDRAWN = "withdrawn"


class Access(Word):
    """The visibility of a dataset: everything; items only for the task's owners; or only scores."""

    OPEN = "open"
    SCORING = "scoring"
    HIDDEN = "hidden"


class EvaluationState(Word):
    """The progress of an evaluation."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHING = "finishing"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class LogEvent(Word):
    """An event in the log of an evaluation."""

    REQUESTED = "requested"
    TAKEN_OVER = "taken_over"
    BEGUN = "begun"
    WAITS = "waits"
    GOES_ON = "goes_on"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Place(Word):
    """The kind of place where a canary of a hidden dataset was found."""

    ANSWERS = "answers"
    DATASET = "dataset"
    EXAMPLE = "example"
    CARD = "card"


class NoticeKind(Word):
    """The subject of a notification."""

    EXAMPLE_RESOLVED = "example_resolved"
    EXAMPLE_DECIDED = "example_decided"
    APPEAL_ANSWERED = "appeal_answered"
    VALIDATING = "validating"
    ROUND_OPENED = "round_opened"
    ROUND_RELEASED = "round_released"
    GOAL_REACHED = "goal_reached"
    WORK_WAITS = "work_waits"
    MODEL_CHECKED = "model_checked"
    MODEL_WAITS = "model_waits"
    TARGET_LOST = "target_lost"
    TASK_REQUESTED = "task_requested"
    TASK_ANSWERED = "task_answered"
    EXAMPLE_ANSWERED = "example_answered"
    WORK_ASSIGNED = "work_assigned"
    WEEKLY_SUMMARY = "weekly_summary"
    MENTIONED = "mentioned"
    PAY_LOW = "pay_low"
    EXCLUSION_APPEALED = "exclusion_appealed"


class TaskRequestState(Word):
    """The state of a request for the right to start a task."""

    OPEN = "open"
    GRANTED = "granted"
    REFUSED = "refused"


class MailPace(Word):
    """The shortest time between two mails with notifications."""

    NEVER = "never"
    DAILY = "daily"
    WEEKLY = "weekly"


class CampaignWork(Word):
    """The kind of work in a campaign."""

    CREATE = "create"
    VALIDATE = "validate"


class CampaignState(Word):
    """The state of a campaign."""

    DRAFT = "draft"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


class AssignmentState(Word):
    """The state of a worker's assignment."""

    WORKING = "working"
    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"
    TIMED_OUT = "timed_out"
    SCREENED_OUT = "screened_out"


class EvidenceKind(Word):
    """A sign of unfair paid work, which an owner looks at."""

    FAST = "fast"
    PASTED = "pasted"
    ALIKE = "alike"
    ALONE = "alone"
    DEVICE = "device"
    ADDRESS = "address"


class FairPlayDecision(Word):
    """The owner's decision on evidence against a person."""

    NO_CONCERN = "no_concern"
    EXCLUDED = "excluded"


class PaymentKind(Word):
    """The kind of a payment."""

    REWARD = "reward"
    BONUS = "bonus"
    SCREEN_OUT = "screen_out"
    TOP_UP = "top_up"


class PaymentState(Word):
    """The state of a payment."""

    PREPARED = "prepared"
    UNKNOWN = "unknown"
    PAID = "paid"
    REFUSED = "refused"
