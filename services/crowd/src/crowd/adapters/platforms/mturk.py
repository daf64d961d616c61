"""Amazon Mechanical Turk: one HIT a campaign, whose page is an ExternalQuestion.

Amazon closed Mechanical Turk for good on 30 September 2026. So this adapter speaks with nobody any more: it can be used
against a server of the same interface alone, as tests do.

Mechanical Turk signs no entry and tells nothing of an assignment before the worker submits it. Returned and abandoned
assignments are not listed at all.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal
from urllib.parse import urlencode
from xml.sax.saxutils import escape

import boto3
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    SSLError,
)
from pydantic import model_validator

from crowd.adapters.platforms.configuration import PlatformConfiguration, SecretFile
from crowd.domain.platforms import (
    Entry,
    EntryRefused,
    OutcomeUnknown,
    Payment,
    Refused,
    RejectionCategory,
    Study,
    StudyUnknown,
    Submission,
    SubmissionState,
    Unavailable,
)

REGION = "us-east-1"
ENDPOINT = "https://mturk-requester.us-east-1.amazonaws.com"
SANDBOX_ENDPOINT = "https://mturk-requester-sandbox.us-east-1.amazonaws.com"
WORKER_SITE, WORKER_SANDBOX = "https://www.mturk.com", "https://workersandbox.mturk.com"
CONNECT_SECONDS, ANSWER_SECONDS = 3, 20
NAMESPACE = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
DRAFT_SECONDS = 30
"""Mechanical Turk has no drafts. A HIT lives at least this long before `publish` extends it; the campaign takes nobody
in meanwhile."""
OPEN_FOR = timedelta(days=364)
EXPIRED = datetime(2015, 1, 1, tzinfo=UTC)
"""A moment in the past, which ends recruiting at once."""
AUTO_APPROVAL_SECONDS = 30 * 24 * 3600
LONGEST_REASON = 500
LONGEST_FEEDBACK = 1024
MANY_PLACES = 10
FEE_PERCENT, FEE_PERCENT_MANY = 20, 40
ID = re.compile(r"[A-Za-z0-9]{1,64}")
WORKER = re.compile(r"\bA[0-9A-Z]{9,}\b")
"""Ids of workers, removed from reasons: owners read these, and must not learn a person's identity."""
QUALIFICATION = re.compile(r"([A-Za-z0-9]+)(?:>=(\d+))?")
UNKNOWN_HIT = "AWS.MechanicalTurk.HITDoesNotExist"
ALREADY_DONE = re.compile(r"duplicate|already", re.IGNORECASE)
STATES = {
    "Submitted": SubmissionState.SUBMITTED,
    "Approved": SubmissionState.APPROVED,
    "Rejected": SubmissionState.REJECTED,
}


class MturkConfiguration(PlatformConfiguration):
    """Settings of a requester. Without a key, AWS's own ways of signing in apply."""

    kind: Literal["mturk"]
    sandbox: bool
    access_key_id: str | None = None
    secret_file: SecretFile | None = None
    endpoint_url: str | None = None

    @model_validator(mode="after")
    def _key_is_whole(self) -> "MturkConfiguration":
        if (self.access_key_id is None) != (self.secret_file is None):
            raise ValueError("access_key_id and secret_file go together. Give both, or none")
        return self


class Mturk:
    """One requester of Mechanical Turk, as a crowd platform."""

    currencies: Sequence[str] = ("USD",)
    proves_people = False
    pays = True
    pays_once = True

    def __init__(self, configuration: MturkConfiguration) -> None:
        self.name = configuration.name
        self.title = configuration.title
        self.is_test = configuration.sandbox
        amazons = WORKER_SANDBOX if configuration.sandbox else WORKER_SITE
        self._worker_site = (configuration.endpoint_url or amazons).rstrip("/")
        secret = configuration.secret_file
        self.client: Any = boto3.Session(
            aws_access_key_id=configuration.access_key_id,
            aws_secret_access_key=secret.get_secret_value() if secret else None,
        ).client(
            "mturk",
            region_name=REGION,
            endpoint_url=configuration.endpoint_url or (SANDBOX_ENDPOINT if self.is_test else ENDPOINT),
            config=Config(
                connect_timeout=CONNECT_SECONDS,
                read_timeout=ANSWER_SECONDS,
                retries={"total_max_attempts": 1},
            ),
        )

    def find_study(self, campaign_id: str) -> str | None:
        """Return the HIT whose annotation is the campaign's id."""
        hits = self._listed("list_hits", "HITs")
        return next(
            (str(each["HITId"]) for each in hits if each.get("RequesterAnnotation") == campaign_id), None
        )

    def create_study(self, study: Study) -> str:
        """Create a HIT that expires before anybody finds it; `publish` extends its life."""
        if study.screen_out_minor:
            raise Refused("Mechanical Turk pays nobody who is screened out. Set that payment to 0")
        try:
            with _changes():
                created = self.client.create_hit(
                    Title=study.title,
                    Description=study.description,
                    Reward=_decimal(study.reward_minor),
                    MaxAssignments=study.places,
                    AssignmentDurationInSeconds=study.minutes * 60,
                    LifetimeInSeconds=DRAFT_SECONDS,
                    AutoApprovalDelayInSeconds=AUTO_APPROVAL_SECONDS,
                    Question=_question(study.entry_url),
                    RequesterAnnotation=study.campaign_id,
                    UniqueRequestToken=study.campaign_id,
                    QualificationRequirements=[_requirement(each) for each in study.qualifications],
                )
        except _AlreadyDone as err:
            found = self.find_study(study.campaign_id)
            if found is None:
                raise OutcomeUnknown("Mechanical Turk has the HIT, and does not list it yet") from err
            return found
        return str(created["HIT"]["HITId"])

    def study_url(self, study_id: str) -> str | None:
        """Return None: the requester's site lists no HITs that were made through the interface."""
        return None

    def publish(self, study_id: str) -> None:
        """Let the HIT live for a year from now."""
        self._expire(study_id, datetime.now(UTC) + OPEN_FOR)

    def pause(self, study_id: str) -> None:
        """Expire the HIT; `publish` extends it again."""
        self._expire(study_id, EXPIRED)

    def is_paused(self, study_id: str) -> bool:
        """Return whether the HIT has expired. A stopped HIT looks the same."""
        return bool(self._hit(study_id)["Expiration"] <= datetime.now(UTC))

    def stop(self, study_id: str) -> None:
        """Expire the HIT."""
        self._expire(study_id, EXPIRED)

    def set_places(self, study_id: str, places: int) -> None:
        """Add assignments. Mechanical Turk takes no HIT from below ten assignments to ten or more."""
        present = int(self._hit(study_id)["MaxAssignments"])
        if places < present:
            raise Refused(f"Mechanical Turk has {present} places already, and takes none away")
        if places > present:
            with suppress(_AlreadyDone), _changes():
                self.client.create_additional_assignments_for_hit(
                    HITId=study_id,
                    NumberOfAdditionalAssignments=places - present,
                    UniqueRequestToken=f"{study_id}-{places}",
                )

    def cost_minor(self, reward_minor: int, places: int, currency: str) -> int:
        """Return rewards and Amazon's fees: 20 %, or 40 % from ten assignments on, at least a cent each."""
        percent = FEE_PERCENT_MANY if places >= MANY_PLACES else FEE_PERCENT
        fee = max(1, -(-reward_minor * percent // 100))
        return places * (reward_minor + fee)

    def check_entry(self, parameters: Mapping[str, str]) -> Entry:
        """Read the ids that Mechanical Turk adds to the address. Nothing proves them before the worker submits."""
        if parameters.get("assignmentId") == PREVIEW:
            raise EntryRefused("this is a preview. Accept the HIT on Mechanical Turk to begin")
        ids = [parameters.get(name, "") for name in ("hitId", "workerId", "assignmentId")]
        if not all(ID.fullmatch(each) for each in ids):
            raise EntryRefused("it lacks Mechanical Turk's ids. Open the HIT on Mechanical Turk again")
        hit, worker, assignment = ids
        return Entry(hit, worker, assignment, is_proved=False)

    def back_url(
        self, study_id: str, submission_id: str, code: str, parameters: Mapping[str, str]
    ) -> str | None:
        """Return the address that submits the assignment. The address in the entry's own parameters is not trusted."""
        query = urlencode({"assignmentId": submission_id, "code": code})
        return f"{self._worker_site}/mturk/externalSubmit?{query}"

    def submissions(self, study_id: str) -> Sequence[Submission]:
        """Return the submitted assignments."""
        found = self._listed("list_assignments_for_hit", "Assignments", HITId=study_id)
        return tuple(
            Submission(each["AssignmentId"], each["WorkerId"], STATES[each["AssignmentStatus"]])
            for each in found
        )

    def approve(self, study_id: str, submission_ids: Sequence[str]) -> None:
        """Approve assignments one by one."""
        for each in submission_ids:
            with _changes():
                self.client.approve_assignment(AssignmentId=each)

    def reject(self, study_id: str, submission_id: str, category: RejectionCategory, reason: str) -> None:
        """Reject an assignment, unless it is rejected already."""
        states = {each.submission_id: each.state for each in self.submissions(study_id)}
        if states.get(submission_id) is not SubmissionState.REJECTED:
            feedback = reason[:LONGEST_FEEDBACK]
            with _changes():
                self.client.reject_assignment(AssignmentId=submission_id, RequesterFeedback=feedback)

    def prepare(self, payments: Sequence[Payment]) -> str:
        """Return a reference. Mechanical Turk registers nothing; each payment's id is its token."""
        return payments[0].payment_id

    def pay(self, reference: str, payments: Sequence[Payment]) -> None:
        """Send each bonus with its token, by which Amazon pays it once within 24 hours.

        A failure after the first bonus leaves the outcome of all unknown, since some are paid.
        """
        for number, each in enumerate(payments):
            try:
                with suppress(_AlreadyDone), _changes():
                    self.client.send_bonus(
                        WorkerId=each.worker_id,
                        BonusAmount=_decimal(each.amount_minor),
                        AssignmentId=each.submission_id,
                        Reason=each.message,
                        UniqueRequestToken=each.payment_id,
                    )
            except (Unavailable, Refused) as err:
                if number == 0:
                    raise
                raise OutcomeUnknown(str(err)) from err

    def bonuses(self, study_id: str, submission_ids: Sequence[str]) -> Mapping[str, Sequence[int]]:
        """Return the bonuses of the HIT by assignment."""
        found: dict[str, list[int]] = {each: [] for each in submission_ids}
        for paid in self._listed("list_bonus_payments", "BonusPayments", HITId=study_id):
            if paid["AssignmentId"] in found:
                found[paid["AssignmentId"]].append(int(Decimal(paid["BonusAmount"]) * 100))
        return found

    def read_notice(self, headers: Mapping[str, str], body: bytes) -> str | None:
        """Refuse: Mechanical Turk notifies by queues, which this adapter does not read."""
        raise EntryRefused("Mechanical Turk sends no webhooks")

    def _expire(self, study_id: str, at: datetime) -> None:
        with _changes():
            self.client.update_expiration_for_hit(HITId=study_id, ExpireAt=at)

    def _hit(self, study_id: str) -> Mapping[str, Any]:
        with _reads():
            found: Mapping[str, Any] = self.client.get_hit(HITId=study_id)["HIT"]
        return found

    def _listed(self, operation: str, key: str, **given: Any) -> Iterator[Mapping[str, Any]]:
        with _reads():
            for page in self.client.get_paginator(operation).paginate(**given):
                yield from page[key]


class _AlreadyDone(Refused):
    """A refusal since a request with the same token was carried out before."""


@contextmanager
def _changes() -> Iterator[None]:
    """Raise the protocol's exceptions for boto's."""
    try:
        yield
    except ClientError as err:
        raise _failure(err) from err
    except (EndpointConnectionError, ConnectTimeoutError, SSLError) as err:
        raise Unavailable("Mechanical Turk can't be reached") from err
    except HTTPClientError as err:
        raise OutcomeUnknown("Mechanical Turk did not answer") from err
    except BotoCoreError as err:
        raise Refused(f"the call can't be made: {WORKER.sub('…', str(err))[:LONGEST_REASON]}") from err


@contextmanager
def _reads() -> Iterator[None]:
    """Raise the protocol's exceptions; a read without an answer has changed nothing."""
    try:
        with _changes():
            yield
    except OutcomeUnknown as err:
        raise Unavailable(str(err)) from err


def _code_of(err: ClientError) -> str:
    return str(err.response.get("TurkErrorCode") or err.response["Error"].get("Code", ""))


def _failure(err: ClientError) -> Exception:
    status = err.response["ResponseMetadata"]["HTTPStatusCode"]
    if status in {429, 503} or "Throttl" in _code_of(err):
        return Unavailable(f"Mechanical Turk asks to wait (status {status})")
    if status >= 500:
        return OutcomeUnknown(f"Mechanical Turk answered with status {status}")
    if _code_of(err) == UNKNOWN_HIT:
        return StudyUnknown("Mechanical Turk has no such HIT any more")
    reason = WORKER.sub("…", str(err.response["Error"].get("Message", "")))[:LONGEST_REASON] or _code_of(err)
    return (_AlreadyDone if ALREADY_DONE.search(_code_of(err)) else Refused)(reason)


def _question(entry_url: str) -> str:
    """Return the page as an ExternalQuestion; a height of 0 fits the window."""
    return (
        f'<ExternalQuestion xmlns="{NAMESPACE}"><ExternalURL>{escape(entry_url)}</ExternalURL>'
        "<FrameHeight>0</FrameHeight></ExternalQuestion>"
    )


def _requirement(qualification: str) -> dict[str, Any]:
    """Return a requirement from the id of a qualification type, or from `id>=score`."""
    matched = QUALIFICATION.fullmatch(qualification)
    if matched is None:
        raise Refused(f"{qualification!r} is no qualification. Give the id of a type, or id>=score")
    type_id, score = matched.groups()
    compared = (
        {"Comparator": "Exists"}
        if score is None
        else {"Comparator": "GreaterThanOrEqualTo", "IntegerValues": [int(score)]}
    )
    return {"QualificationTypeId": type_id, "ActionsGuarded": "DiscoverPreviewAndAccept", **compared}


def _decimal(amount_minor: int) -> str:
    return f"{amount_minor // 100}.{amount_minor % 100:02d}"
