"""Reasons for refusing a request. Each carries data for its reader; the edge translates it to HTTP."""

from dataclasses import dataclass
from enum import StrEnum


class RequestRefused(Exception):
    """The request is unusable: the field, the reason, and the remedy."""

    def __init__(self, slug: str, field: str, reason: str, remedy: str, status: int = 422) -> None:
        super().__init__(f"{field}: {reason}")
        self.slug = slug
        self.field = field
        self.reason = reason
        self.remedy = remedy
        self.status = status


@dataclass
class UnknownModel(Exception):
    """No model of this name is served."""

    name: str


@dataclass
class UnknownVersion(Exception):
    """The model is served, but not in this version."""

    name: str
    version: str
    served: str


@dataclass
class ModelInTheLoop(Exception):
    """People try to fool the model in a round in progress, and the caller owns none of its tasks."""

    target: str


@dataclass
class QuotaUsed(Exception):
    """A person's quota is used up; the same request can succeed after `retry_after_seconds`."""

    tokens: int
    per_minute: int
    retry_after_seconds: int


@dataclass
class NotExplainable(Exception):
    """The model is served without explanations."""

    name: str


@dataclass
class Unavailable(Exception):
    """The model is temporarily unavailable."""

    slug: str
    detail: str
    retry_after_seconds: int
    instances: int = 1
    """Number of instances sent at once; above 1 the advice is to send fewer."""


@dataclass
class TooManyInFlight(Exception):
    """The model already has its maximum number of requests in flight."""

    name: str
    limit: int
    what: str = "requests"


class Fault(StrEnum):
    """The kind of failure of a call to the model server."""

    AWAY = "no connection"
    TIMED_OUT = "no answer in time"
    CRASHED = "the worker died"
    BATCH_FAILED = "the batch failed"
    NO_WORKER = "no worker"
    NOT_SERVED = "not served"
    REFUSED = "refused by the handler"
    UNREADABLE = "unreadable answer"


class CallFailed(Exception):
    """A call to the model server gave no predictions."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail
