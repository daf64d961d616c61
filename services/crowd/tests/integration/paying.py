"""People who are owed money, a process that dies at a chosen step, and what must hold for the money afterwards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID, uuid4

from crowd.adapters.ledger import Ledger
from crowd.adapters.unit_of_work import UnitOfWork
from crowd.domain.money import Account
from crowd.domain.platforms import OutcomeUnknown, SubmissionState, Unavailable
from crowd.service_layer.dependencies import Dependencies
from crowd.service_layer.payments import PayOwed, pay_owed
from crowd.service_layer.settling import carry_out_payments
from dynabench_common.identifiers import new_id
from dynabench_operate.doctor.money import FAULTS
from sqlalchemy import Engine, text

from .conftest import Crowd
from .fakes import FakePlatform

DONE, DONE_UNHEARD, NOT_DONE_UNHEARD, UNAVAILABLE = (
    "done",
    "done, unheard",
    "not done, unheard",
    "unavailable",
)
MOST_WAITS = 20


class Crash(BaseException):
    """The process dies here."""


@dataclass
class Steps:
    """Counts commits and calls, before and after each, and crashes at one of them."""

    crash_at: int
    passed: int = 0

    def step(self) -> None:
        """Pass a step, or die."""
        self.passed += 1
        if self.passed == self.crash_at:
            raise Crash


class CrashingUnitOfWork(UnitOfWork):
    """A transaction around whose commit the process may die."""

    def __init__(self, engine: Engine, steps: Steps) -> None:
        super().__init__(engine)
        self._steps = steps

    def commit(self) -> None:
        """Commit between two steps."""
        self._steps.step()
        super().commit()
        self._steps.step()


class UnreliablePlatform(FakePlatform):
    """A platform around whose calls the process may die, and whose next calls go as planned by name."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = Steps(0)
        self.plans: dict[str, list[str]] = {}
        self._is_lost = False

    def _begin(self, name: str) -> None:
        self.steps.step()
        super()._begin(name)
        plan = self.plans.get(name)
        planned = plan.pop(0) if plan else DONE
        self._is_lost = planned == DONE_UNHEARD
        if planned == UNAVAILABLE:
            raise Unavailable("429")
        if planned == NOT_DONE_UNHEARD:
            raise OutcomeUnknown

    def _end(self, name: str) -> None:
        self.steps.step()
        super()._end(name)
        if self._is_lost:
            raise OutcomeUnknown


def use_unreliable_platform(crowd: Crowd) -> UnreliablePlatform:
    """Connect a platform around whose calls the process can die; return it again when repeated."""
    if isinstance(crowd.platform, UnreliablePlatform):
        return crowd.platform
    platform = UnreliablePlatform()
    crowd.platform = platform
    cast(dict[str, FakePlatform], crowd.app.platforms)["fake"] = platform
    return platform


def dying(app: Dependencies, platform: UnreliablePlatform, steps: Steps) -> Dependencies:
    """Return collaborators of a process that dies at a step."""
    platform.steps = steps
    return replace(app, unit_of_work=lambda: CrashingUnitOfWork(app.engine, steps))


@dataclass
class Earner:
    """A person with handed-in work."""

    assignment_id: str
    person_id: UUID
    submission_id: str
    examples: Sequence[UUID]


def earner(
    crowd: Crowd,
    campaign_id: str,
    errors: int,
    *,
    is_approved: bool = True,
    there: SubmissionState = SubmissionState.SUBMITTED,
) -> Earner:
    """Let a new person write two tries, of which some are validated errors, and hand in, here and on the platform."""
    name = uuid4().hex
    assignment_id, person_id = crowd.entered(campaign_id, name)
    examples = [new_id(), new_id()]
    crowd.take(*(crowd.try_of(person_id, each) for each in examples))
    crowd.take(*(crowd.resolved(each) for each in examples[:errors]))
    done = crowd.send("PUT", f"/assignments/{assignment_id}/completion", {}, by=person_id)
    assert done.status_code == 200, done.text
    crowd.platform.says(f"s-{name}", there)
    if is_approved:
        assert crowd.send("PUT", f"/assignments/{assignment_id}/approval").status_code == 200
    return Earner(assignment_id, person_id, f"s-{name}", examples)


def owed(crowd: Crowd, campaign_id: str) -> dict[str, Any]:
    """Return the preview of *Pay all that is owed*."""
    found: dict[str, Any] = crowd.send("GET", f"/campaigns/{campaign_id}/owed").get_json()
    return found


def balances(crowd: Crowd, campaign_id: str) -> dict[Account, int]:
    """Return the balances of a campaign, whose sum is zero."""
    with crowd.app.engine.connect() as connection:
        found = Ledger(connection).balances(UUID(campaign_id))
    assert sum(found.values()) == 0
    return found


def pay_all(crowd: Crowd, campaign_id: str, app: Dependencies, total_minor: int, key: str) -> None:
    """Click on *Pay all that is owed*."""
    pay_owed(PayOwed(UUID(campaign_id), crowd.owner, total_minor, key), app)


def settle(crowd: Crowd) -> None:
    """Let the worker go on until every payment has an outcome."""
    unsettled = text("SELECT count(*) FROM payment WHERE state NOT IN ('paid', 'refused')")
    for _ in range(MOST_WAITS):
        while carry_out_payments(crowd.app):
            pass
        with crowd.app.engine.connect() as connection:
            if connection.execute(unsettled).scalar_one() == 0:
                return
        crowd.wait(minutes=1)
    raise AssertionError("a payment has no outcome")


def ensure_sound(crowd: Crowd) -> None:
    """Check that ledger, payments and the platform's own records agree."""
    with crowd.app.engine.connect() as connection:
        found = {fault: connection.execute(text(each)).scalar_one() for fault, each in FAULTS.items()}
        assert not any(found.values()), found
        rows = connection.execute(
            text(
                "SELECT submission_id, payment.kind, amount_minor FROM payment JOIN assignment USING (assignment_id) "
                "WHERE payment.state = 'paid'"
            )
        ).all()
    extras: dict[str, list[int]] = {}
    for row in rows:
        if row.kind in ("bonus", "top_up"):
            extras.setdefault(row.submission_id, []).append(row.amount_minor)
    assert {key: sorted(each) for key, each in extras.items()} == {
        key: sorted(each) for key, each in crowd.platform.paid.items()
    }
    rewarded = sorted(row.submission_id for row in rows if row.kind == "reward")
    assert rewarded == sorted(crowd.platform.approved)
