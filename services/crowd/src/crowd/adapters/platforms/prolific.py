"""Prolific: studies recruit, the API confirms each entry, approvals and bulk bonuses pay.

Written from Prolific's public API description (v1). Prolific has no call that a test could make without an account.
"""

import base64
import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import quote, urlencode, urlsplit

from crowd.adapters.platforms.configuration import Currency, PlatformConfiguration, SecretFile
from crowd.adapters.platforms.prolific_api import ApiRefused, Overloaded, ProlificApi
from crowd.adapters.platforms.prolific_links import KEYS_PATH, PARAMETER, SignedLinks
from crowd.domain.platforms import (
    CodeAction,
    Entry,
    EntryOver,
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

API_URL = "https://api.prolific.com"
V1 = "/api/v1"
PERSON, STUDY, SUBMISSION = "PROLIFIC_PID", "STUDY_ID", "SESSION_ID"
SIGNATURE, SIGNED_AT = "x-prolific-request-signature", "x-prolific-request-timestamp"
WINDOW_SECONDS = 300
"""Largest age of a webhook. Prolific signs each delivery anew, so late retries are as young as first ones."""
SHORTEST_REASON = 100
MOST_APPROVED = 1000
NOT_FOUND = 404
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
PARTICIPANT_GROUP = "participant_group_allowlist"

STATES = {
    "RESERVED": SubmissionState.WORKING,
    "ACTIVE": SubmissionState.WORKING,
    "AWAITING REVIEW": SubmissionState.SUBMITTED,
    "APPROVED": SubmissionState.APPROVED,
    "PARTIALLY APPROVED": SubmissionState.APPROVED,
    "REJECTED": SubmissionState.REJECTED,
    "RETURNED": SubmissionState.RETURNED,
    "TIMED OUT": SubmissionState.TIMED_OUT,
    "SCREENED OUT": SubmissionState.SCREENED_OUT,
}
CATEGORIES = {
    RejectionCategory.TOO_QUICK: "TOO_QUICKLY",
    RejectionCategory.FAILED_INSTRUCTIONS: "FAILED_INSTRUCTIONS",
    RejectionCategory.INCOMPLETE: "OTHER",
    RejectionCategory.FAILED_CHECK: "FAILED_CHECK",
    RejectionCategory.LOW_EFFORT: "LOW_EFFORT",
    RejectionCategory.MALINGERING: "MALINGERING",
    RejectionCategory.OTHER: "OTHER",
}
PAUSED = "PAUSED"
PUBLISH = {"UNPUBLISHED": "PUBLISH", PAUSED: "START"}
PAUSE = {"ACTIVE": "PAUSE"}
STOP = {"ACTIVE": "STOP", PAUSED: "STOP"}
"""The action for each status of a study. In any other status the wish is fulfilled already."""
BETWEEN = ("PUBLISHING", "PROCESSING")
ENDED = "COMPLETED"


class ProlificConfiguration(PlatformConfiguration):
    """Settings of a Prolific account. With `signed_links` an entry needs Prolific's signature."""

    kind: Literal["prolific"]
    token_file: SecretFile
    webhook_secret_file: SecretFile | None = None
    currency: Currency
    project: str | None = None
    signed_links: bool = False
    api_url: str = API_URL
    app_url: str = "https://app.prolific.com"


class Prolific:
    """One account of Prolific, as a crowd platform."""

    proves_people = True
    pays = True
    pays_once = False

    def __init__(self, configuration: ProlificConfiguration) -> None:
        self.name = configuration.name
        self.title = configuration.title
        self.currencies: Sequence[str] = (configuration.currency,)
        self.is_test = urlsplit(configuration.api_url).hostname != urlsplit(API_URL).hostname
        self._project = configuration.project
        self._needs_signature = configuration.signed_links
        self._app_url = configuration.app_url.rstrip("/")
        secret = configuration.webhook_secret_file
        self._webhook_secret = secret.get_secret_value().encode() if secret else None
        self._api = ProlificApi(configuration.api_url, configuration.token_file.get_secret_value())
        self._links = SignedLinks(lambda: self._api.read(KEYS_PATH))

    def find_study(self, campaign_id: str) -> str | None:
        """Return the id of the study whose internal name is the campaign's id."""
        project = f"/projects/{quote(self._project, safe='')}" if self._project else ""
        studies = self._api.read_all(f"{V1}{project}/studies/", {"ordering": "-date_created"})
        return next((str(each["id"]) for each in studies if each.get("internal_name") == campaign_id), None)

    def create_study(self, study: Study) -> str:
        """Create a draft."""
        secure = {"is_external_study_url_secure": True} if self._needs_signature else {}
        project = {"project": self._project} if self._project else {}
        body = {
            "name": study.title,
            "internal_name": study.campaign_id,
            "description": study.description,
            "external_study_url": _with_ids(study.entry_url),
            "prolific_id_option": "url_parameters",
            "completion_codes": [_code(code, action, study) for code, action in study.codes.items()],
            "total_available_places": study.places,
            "estimated_completion_time": study.typical_minutes,
            "maximum_allowed_time": max(study.minutes, _shortest_limit(study.typical_minutes)),
            "reward": study.reward_minor,
            "device_compatibility": ["desktop", "tablet", "mobile"],
            "peripheral_requirements": [],
            "filters": [_filter(each) for each in study.qualifications],
            **secure,
            **project,
        }
        return _id_of(self._api.write("POST", f"{V1}/studies/", body))

    def study_url(self, study_id: str) -> str | None:
        """Return the page of the study in Prolific's app."""
        return f"{self._app_url}/researcher/studies/{quote(study_id, safe='')}"

    def publish(self, study_id: str) -> None:
        """Publish a draft, or start a paused study."""
        self._transition(study_id, PUBLISH)

    def pause(self, study_id: str) -> None:
        """Pause an active study."""
        self._transition(study_id, PAUSE)

    def is_paused(self, study_id: str) -> bool:
        """Return whether the study's status is PAUSED."""
        return self._status(study_id) == PAUSED

    def stop(self, study_id: str) -> None:
        """Stop a study that recruits, also a paused one."""
        self._transition(study_id, STOP)

    def set_places(self, study_id: str, places: int) -> None:
        """Set the number of places, which Prolific only lets grow."""
        present = int(self._study(study_id)["total_available_places"])
        if places < present:
            raise Refused(f"Prolific has {present} places already, and takes none away")
        if places > present:
            self._api.write("PATCH", _study_path(study_id), {"total_available_places": places})

    def cost_minor(self, reward_minor: int, places: int, currency: str) -> int:
        """Return rewards, fees and tax, as Prolific calculates them for this account."""
        body = {"reward": reward_minor, "total_available_places": places}
        try:
            answer = self._api.write("POST", f"{V1}/study-cost-calculator/", body)
            return math.ceil(float(answer["total_cost"]))
        except OutcomeUnknown as err:
            raise Unavailable(str(err)) from err
        except (LookupError, TypeError, ValueError) as err:
            raise Unavailable("Prolific's answer is malformed") from err

    def check_entry(self, parameters: Mapping[str, str]) -> Entry:
        """Ask Prolific whether this person works on this submission of this study now."""
        ids = {name: parameters.get(name, "") for name in (PERSON, STUDY, SUBMISSION)}
        if not all(ID.fullmatch(each) for each in ids.values()):
            raise EntryRefused("it lacks Prolific's ids. Open the study on Prolific again")
        token, is_fresh = parameters.get(PARAMETER), True
        if token:
            is_fresh = self._links.check(token, ids)
        elif self._needs_signature:
            raise EntryRefused("it lacks Prolific's signature. Open the study on Prolific again")
        found = self._submission(ids[SUBMISSION])
        if found is None or found.get("participant") != ids[PERSON] or found.get("study_id") != ids[STUDY]:
            raise EntryRefused("Prolific knows no such submission. Open the study on Prolific again")
        state = _state(found.get("status"))
        if state is None:
            raise Unavailable("Prolific is still changing the submission. Try again in a minute")
        entry = Entry(ids[STUDY], ids[PERSON], ids[SUBMISSION], is_proved=True)
        if state is not SubmissionState.WORKING:
            raise EntryOver(
                f"the submission is not open on Prolific any more (status: {found.get('status')}). "
                "Nothing more can be done in it",
                entry,
            )
        if not is_fresh:
            raise EntryOver("it has expired. Open the study on Prolific again", entry)
        return entry

    def back_url(
        self, study_id: str, submission_id: str, code: str, parameters: Mapping[str, str]
    ) -> str | None:
        """Return Prolific's address for completed submissions; Prolific knows its person by the session."""
        return f"{self._app_url}/submissions/complete?{urlencode({'cc': code})}"

    def submissions(self, study_id: str) -> Sequence[Submission]:
        """Return the submissions whose status is known; one that Prolific is changing is left out."""
        with _known_study():
            found = list(self._api.read_all(f"{V1}/submissions/", {"study": study_id}))
        states = ((each, _state(each.get("status"))) for each in found)
        return tuple(
            Submission(str(each["id"]), str(each.get("participant_id")), state)
            for each, state in states
            if state is not None
        )

    def approve(self, study_id: str, submission_ids: Sequence[str]) -> None:
        """Approve in bulk. Prolific answers before it acts."""
        for start in range(0, len(submission_ids), MOST_APPROVED):
            body = {"submission_ids": list(submission_ids[start : start + MOST_APPROVED])}
            self._api.write("POST", f"{V1}/submissions/bulk-approve/", body)

    def reject(self, study_id: str, submission_id: str, category: RejectionCategory, reason: str) -> None:
        """Reject a submission. Prolific ignores a repetition."""
        if len(reason) < SHORTEST_REASON:
            raise Refused(
                f"the reason has {len(reason)} characters, and Prolific asks for at least {SHORTEST_REASON}. "
                "Explain to the person what was wrong"
            )
        body = {"action": "REJECT", "rejection_category": CATEGORIES[category], "message": reason}
        self._api.write("POST", f"{_submission_path(submission_id)}transition/", body)

    def prepare(self, payments: Sequence[Payment]) -> str:
        """Set up a bulk bonus, and return its id."""
        lines = (f"{each.submission_id},{_decimal(each.amount_minor)}" for each in payments)
        body = {"study_id": payments[0].study_id, "csv_bonuses": "\n".join(lines)}
        return _id_of(self._api.write("POST", f"{V1}/submissions/bonus-payments/", body))

    def pay(self, reference: str, payments: Sequence[Payment]) -> None:
        """Pay a bulk bonus, which Prolific carries out some minutes later.

        Prolific warns that a second call with the same id pays people twice. So this is never repeated here, and only a
        call that surely did not arrive counts as not carried out.
        """
        try:
            self._api.write("POST", f"{V1}/bulk-bonus-payments/{quote(reference, safe='')}/pay/", None)
        except Overloaded as err:
            raise OutcomeUnknown(str(err)) from err

    def bonuses(self, study_id: str, submission_ids: Sequence[str]) -> Mapping[str, Sequence[int]]:
        """Return what Prolific has paid; a bonus appears some minutes after `pay`."""
        found = {each: self._submission(each) or {} for each in submission_ids}
        return {
            each: [round(paid) for paid in one.get("bonus_payments") or ()] for each, one in found.items()
        }

    def read_notice(self, headers: Mapping[str, str], body: bytes) -> str | None:
        """Return the study of a signed webhook. A repeated one only leads to another look at the same study."""
        self._check_signature({name.lower(): value for name, value in headers.items()}, body)
        try:
            notice = json.loads(body)
            event, resource = str(notice["event_type"]), str(notice["resource_id"])
        except (ValueError, LookupError, TypeError):
            return None
        if event.startswith("study."):
            return resource
        if not event.startswith("submission.") or not ID.fullmatch(resource):
            return None
        found = self._submission(resource)
        return str(found["study_id"]) if found and found.get("study_id") else None

    def _check_signature(self, headers: Mapping[str, str], body: bytes) -> None:
        if self._webhook_secret is None:
            raise EntryRefused("no webhook_secret_file is set, so no webhook can be checked")
        signed_at = headers.get(SIGNED_AT, "")
        signed = hmac.new(self._webhook_secret, signed_at.encode() + body, hashlib.sha256).digest()
        given = headers.get(SIGNATURE, "").encode()
        if not hmac.compare_digest(base64.b64encode(signed), given):
            raise EntryRefused("the signature of the webhook is wrong")
        if not signed_at.isdecimal() or abs(time.time() - int(signed_at)) > WINDOW_SECONDS:
            raise EntryRefused("the webhook is older than five minutes")

    def _study(self, study_id: str) -> Mapping[str, Any]:
        with _known_study():
            found = self._api.read(_study_path(study_id))
        if not isinstance(found, dict) or not {"status", "total_available_places"} <= found.keys():
            raise Unavailable("Prolific's answer is malformed")
        return found

    def _submission(self, submission_id: str) -> Mapping[str, Any] | None:
        """Return a submission; None if Prolific knows none with this id."""
        try:
            found = self._api.read(_submission_path(submission_id))
        except ApiRefused as err:
            if err.status in {400, NOT_FOUND}:
                return None
            raise
        if not isinstance(found, dict):
            raise Unavailable("Prolific's answer is malformed")
        return found

    def _status(self, study_id: str) -> str:
        return str(self._study(study_id)["status"]).upper()

    def _transition(self, study_id: str, actions: Mapping[str, str]) -> None:
        status = self._status(study_id)
        if status in BETWEEN:
            raise Unavailable("Prolific is still changing the study. Try again in a minute")
        if status == ENDED and actions is PUBLISH:
            raise Refused("the study has ended on Prolific. Add places, or start another campaign")
        action = actions.get(status)
        if action is not None:
            self._api.write("POST", f"{_study_path(study_id)}transition/", {"action": action})


@contextmanager
def _known_study() -> Iterator[None]:
    """Raise StudyUnknown if Prolific does not find the study."""
    try:
        yield
    except ApiRefused as err:
        if err.status == NOT_FOUND:
            raise StudyUnknown("Prolific has no such study any more") from err
        raise


def _study_path(study_id: str) -> str:
    return f"{V1}/studies/{quote(study_id, safe='')}/"


def _submission_path(submission_id: str) -> str:
    return f"{V1}/submissions/{quote(submission_id, safe='')}/"


def _id_of(answer: Any) -> str:
    """Return the id of something created. Without one, nobody knows what was."""
    if not isinstance(answer, dict) or not answer.get("id"):
        raise OutcomeUnknown("Prolific's answer is malformed")
    return str(answer["id"])


def _with_ids(entry_url: str) -> str:
    """Return the address with Prolific's placeholders for the ids."""
    ids = "&".join(f"{name}={{{{%{name}%}}}}" for name in (PERSON, STUDY, SUBMISSION))
    return f"{entry_url}{'&' if urlsplit(entry_url).query else '?'}{ids}"


def _code(code: str, action: CodeAction, study: Study) -> dict[str, Any]:
    match action:
        case CodeAction.REVIEW:
            return {"code": code, "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]}
        case CodeAction.SCREEN_OUT:
            paid = {
                "action": "FIXED_SCREEN_OUT_PAYMENT",
                "fixed_screen_out_reward": study.screen_out_minor,
                "slots": study.places,
            }
            return {"code": code, "code_type": "FIXED_SCREENOUT", "actions": [paid]}
        case CodeAction.RETURN:
            asked = {"action": "REQUEST_RETURN", "return_reason": "The work was not finished."}
            return {"code": code, "code_type": "OTHER", "actions": [asked]}


def _filter(qualification: str) -> dict[str, Any]:
    """Return a filter from `filter_id:value,value`, or of a participant group from its id alone."""
    filter_id, colon, values = qualification.partition(":")
    if not colon:
        return {"filter_id": PARTICIPANT_GROUP, "selected_values": [qualification]}
    return {"filter_id": filter_id, "selected_values": values.split(",")}


def _shortest_limit(typical_minutes: int) -> int:
    """Return the shortest time limit that Prolific takes for an expected time."""
    return math.ceil(2 + 2 * typical_minutes + 2 * math.sqrt(typical_minutes))


def _state(status: Any) -> SubmissionState | None:
    return STATES.get(str(status).upper().replace("-", " ").replace("_", " "))


def _decimal(amount_minor: int) -> str:
    return f"{amount_minor // 100}.{amount_minor % 100:02d}"
