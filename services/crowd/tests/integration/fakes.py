"""A crowd platform in memory, and people who are let in at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from crowd.adapters.people import Session
from crowd.domain.errors import PeopleUnavailable
from crowd.domain.platforms import (
    CodeAction,
    Entry,
    EntryOver,
    EntryRefused,
    Payment,
    Refused,
    RejectionCategory,
    Study,
    StudyUnknown,
    Submission,
    SubmissionState,
)

APPROVABLE = (SubmissionState.SUBMITTED, SubmissionState.APPROVED)


@dataclass
class FakePlatform:
    """Recruits and pays in memory. `faults` are raised by the next calls of a name, after they took effect if late."""

    name: str = "fake"
    title: str = "A fake platform"
    currencies: Sequence[str] = ("GBP",)
    proves_people: bool = True
    pays: bool = True
    pays_once: bool = True
    is_test: bool = True
    studies: dict[str, Study] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    entered: dict[str, Submission] = field(default_factory=dict)
    approved: list[str] = field(default_factory=list)
    rejected: list[tuple[str, str, str]] = field(default_factory=list)
    prepared: dict[str, list[Payment]] = field(default_factory=dict)
    paid: dict[str, list[int]] = field(default_factory=dict)
    faults: dict[str, list[Exception]] = field(default_factory=dict)
    late_faults: dict[str, list[Exception]] = field(default_factory=dict)
    on_call: Callable[[str], None] = lambda _: None
    ignores_approvals: bool = False

    def _begin(self, name: str) -> None:
        self.on_call(name)
        if self.faults.get(name):
            raise self.faults[name].pop(0)

    def _end(self, name: str) -> None:
        if self.late_faults.get(name):
            raise self.late_faults[name].pop(0)

    def find_study(self, campaign_id: str) -> str | None:
        self._begin("find_study")
        return next((key for key, study in self.studies.items() if study.campaign_id == campaign_id), None)

    def create_study(self, study: Study) -> str:
        self._begin("create_study")
        study_id = f"study-{len(self.states) + 1}"
        self.studies[study_id], self.states[study_id] = study, "draft"
        self.places[study_id] = study.places
        self._end("create_study")
        return study_id

    def study_url(self, study_id: str) -> str | None:
        return f"https://platform.example/{study_id}"

    def publish(self, study_id: str) -> None:
        self._begin("publish")
        self._ensure_known(study_id)
        self.states[study_id] = "running"
        self._end("publish")

    def pause(self, study_id: str) -> None:
        self._begin("pause")
        self._ensure_known(study_id)
        self.states[study_id] = "paused"

    def is_paused(self, study_id: str) -> bool:
        self._begin("is_paused")
        self._ensure_known(study_id)
        return self.states[study_id] == "paused"

    def stop(self, study_id: str) -> None:
        self._begin("stop")
        self._ensure_known(study_id)
        self.states[study_id] = "ended"

    def _ensure_known(self, study_id: str) -> None:
        if study_id not in self.studies:
            raise StudyUnknown("there is no such study any more")

    def set_places(self, study_id: str, places: int) -> None:
        self._begin("set_places")
        self.places[study_id] = places

    def cost_minor(self, reward_minor: int, places: int, currency: str) -> int:
        return reward_minor * places * 4 // 3

    def check_entry(self, parameters: Mapping[str, str]) -> Entry:
        self._begin("check_entry")
        if parameters.get("sign") != "right":
            raise EntryRefused("the signature is wrong")
        entry = Entry(
            parameters["study"], parameters["worker"], parameters["submission"], is_proved=self.proves_people
        )
        if "over" in parameters:
            raise EntryOver(parameters["over"], entry)
        return entry

    def back_url(
        self, study_id: str, submission_id: str, code: str, parameters: Mapping[str, str]
    ) -> str | None:
        return f"https://platform.example/back?cc={code}"

    def submissions(self, study_id: str) -> Sequence[Submission]:
        self._begin("submissions")
        self._ensure_known(study_id)
        return list(self.entered.values())

    def approve(self, study_id: str, submission_ids: Sequence[str]) -> None:
        self._begin("approve")
        if any(self.entered[each].state not in APPROVABLE for each in submission_ids):
            raise Refused("a submission can't be approved")
        for each in () if self.ignores_approvals else submission_ids:
            self.says(each, SubmissionState.APPROVED)
        self._end("approve")

    def reject(self, study_id: str, submission_id: str, category: RejectionCategory, reason: str) -> None:
        self._begin("reject")
        self.rejected.append((submission_id, category, reason))

    def prepare(self, payments: Sequence[Payment]) -> str:
        self._begin("prepare")
        reference = f"batch-{len(self.prepared) + 1}"
        self.prepared[reference] = list(payments)
        self._end("prepare")
        return reference

    def pay(self, reference: str, payments: Sequence[Payment]) -> None:
        self._begin("pay")
        for payment in self.prepared.pop(reference, []):
            self.paid.setdefault(payment.submission_id, []).append(payment.amount_minor)
        self._end("pay")

    def bonuses(self, study_id: str, submission_ids: Sequence[str]) -> Mapping[str, Sequence[int]]:
        self._begin("bonuses")
        return {each: self.paid.get(each, []) for each in submission_ids}

    def read_notice(self, headers: Mapping[str, str], body: bytes) -> str | None:
        self._begin("read_notice")
        if headers.get("X-Signature") != "right":
            raise EntryRefused("the signature is wrong")
        return body.decode() or None

    def says(self, submission_id: str, state: SubmissionState, worker_id: str = "w1") -> None:
        """Let the platform have a submission in this state."""
        self.entered[submission_id] = Submission(submission_id, worker_id, state)
        if state is SubmissionState.APPROVED and submission_id not in self.approved:
            self.approved.append(submission_id)

    def action_of(self, study_id: str, code: str) -> CodeAction:
        """Return what a completion code means."""
        return self.studies[study_id].codes[code]


@dataclass
class FakePeople:
    """Lets people in at once, unless it is away."""

    admitted: dict[UUID, int] = field(default_factory=dict)
    is_away: bool = False

    def admit(self, person_id: UUID, minutes: int, task_slug: str) -> Session:
        if self.is_away:
            raise PeopleUnavailable
        self.admitted[person_id] = minutes
        return Session(f"access-{person_id}", f"refresh-{person_id}", 900)
