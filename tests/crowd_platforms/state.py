"""The memory of the test server: submissions, payments, delayed effects, webhook events and faults."""

import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]

PROLIFIC_TOKEN = "a-prolific-token-that-only-tests-know"
AWS_ACCESS_KEY_ID = "AKIAONLYTESTSKNOWIT0"


class Refusal(Exception):
    """The platform refuses a call. `detail` is a text, or texts by field; `code` is the platform's own error code."""

    def __init__(self, status: int, detail: Any, code: str = "") -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.code = code


@dataclass
class Submission:
    """One person's submission to a study, or assignment of a HIT; `status` is the platform's word."""

    submission_id: str
    study_id: str
    worker_id: str
    started_at: float
    status: str
    completed_at: float | None = None
    entered_code: str | None = None
    return_requested: float | None = None
    rejection: Document | None = None


@dataclass
class Payment:
    """An amount in minor units that a worker got: kind `reward`, `screen_out` or `bonus`."""

    kind: str
    worker_id: str
    study_id: str
    submission_id: str
    amount_minor: int
    currency: str
    reference: str
    is_settled: bool = True


@dataclass
class Later:
    """An accepted effect that shows after `reads` more reads of its submission."""

    submission_id: str
    reads: int
    carry_out: Callable[[], None]


@dataclass
class Event:
    """A change of which webhooks are sent."""

    event_id: str
    body: Document
    is_sent: bool = False


@dataclass
class Fault:
    """A fault of the next `times` calls that match: `answer` is `drop`, `hang` or a status."""

    match: str
    when: str
    answer: str | int
    times: int = 1
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None


class State:
    """All that the platforms remember. The lock is held during each call."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.released = threading.Event()
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.studies: dict[str, Document] = {}
        self.hits: dict[str, Document] = {}
        self.submissions: dict[str, Submission] = {}
        self.bulk_bonuses: dict[str, Document] = {}
        self.tokens: dict[str, tuple[float, str]] = {}
        self.payments: list[Payment] = []
        self.later: list[Later] = []
        self.events: list[Event] = []
        self.calls: list[str] = []
        self.currency = "GBP"
        self.reads_to_settle = 1
        self._moved = 0.0
        self.release()

    def now(self) -> float:
        return time.time() + self._moved

    def move(self, seconds: float) -> None:
        self._moved += seconds

    def of_study(self, study_id: str) -> list[Submission]:
        return [each for each in self.submissions.values() if each.study_id == study_id]

    def pay(self, kind: str, submission: Submission, amount: int, currency: str, reference: str) -> Payment:
        """Record a payment that is settled at once."""
        ids = (submission.worker_id, submission.study_id, submission.submission_id)
        self.payments.append(Payment(kind, *ids, amount, currency, reference))
        return self.payments[-1]

    def defer(self, submission: Submission, carry_out: Callable[[], None]) -> None:
        """Let an accepted effect show after the set number of reads."""
        self.later.append(Later(submission.submission_id, self.reads_to_settle, carry_out))

    def read(self, submission: Submission) -> Submission:
        """Return a submission as a client sees it now."""
        for each in [each for each in self.later if each.submission_id == submission.submission_id]:
            if each.reads > 0:
                each.reads -= 1
            else:
                self._carry_out(each)
        return submission

    def settle(self) -> None:
        """Carry out all that is deferred."""
        for each in list(self.later):
            self._carry_out(each)

    def _carry_out(self, later: Later) -> None:
        self.later.remove(later)
        later.carry_out()

    def record(self, event_type: str, resource_id: str, status: str, **more: Any) -> None:
        """Record a change for webhooks."""
        body = {"resource_id": resource_id, "event_type": event_type, **more, "status": status}
        self.events.append(Event(hexadecimal_id(), body))

    def take_fault(self, call: str, when: str) -> Fault | None:
        """Return the armed fault of a call, and count it down."""
        with self.lock:
            for fault in self.faults:
                if fault.when == when and fault.times > 0 and re.search(fault.match, call):
                    fault.times -= 1
                    return fault
        return None

    def release(self) -> None:
        """Disarm all faults, and let go of the calls that hang."""
        self.faults: list[Fault] = []
        self.released.set()
        self.released = threading.Event()


def hexadecimal_id() -> str:
    """Return an id as Prolific gives them."""
    return secrets.token_hex(12)
