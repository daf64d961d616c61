"""The control interface of the test server: workers, payments, webhooks, time and faults."""

import base64
import hashlib
import hmac
import json
from dataclasses import asdict
from typing import Any

import urllib3
from flask import Blueprint, Response, jsonify, request

from tests.crowd_platforms import mturk, prolific
from tests.crowd_platforms.state import Document, Event, Fault, Refusal, State, Submission, hexadecimal_id

MOST_ATTEMPTS = 13
"""Deliveries of one event: the first and at most twelve retries."""
ENDS = {"returned": ("RETURNED", "Returned"), "timed_out": ("TIMED-OUT", "Abandoned")}


def blueprint(state: State) -> Blueprint:
    """Return the control interface of a state."""
    control = Blueprint("control", __name__, url_prefix="/control")

    @control.errorhandler(Refusal)
    def refuse(refusal: Refusal) -> tuple[Response, int]:
        return jsonify({"detail": refusal.detail}), refusal.status

    _add_people(control, state)
    _add_machinery(control, state)
    _add_webhooks(control, state)
    return control


def _add_people(control: Blueprint, state: State) -> None:
    @control.post("/studies/<study_id>/arrivals")
    def arrive(study_id: str) -> Document:
        """Let a worker arrive; a `worker_id` that is known comes back. Returns the address of the entry."""
        worker_id = (request.get_json(silent=True) or {}).get("worker_id")
        if study_id in state.studies:
            submission = prolific.arrive(state, study_id, worker_id or hexadecimal_id())
            start = f"{request.host_url}participate/{submission.submission_id}"
            entry = prolific.entry_url(state, submission)
        elif study_id in state.hits:
            submission = mturk.arrive(state, study_id, worker_id or mturk.turk_id("A")[:14])
            start = entry = mturk.entry_url(state, submission, request.host_url.rstrip("/"))
        else:
            raise Refusal(404, f"No study or HIT with the id {study_id} exists.")
        return {**asdict(submission), "entry_url": entry, "start_url": start}

    @control.post("/submissions/<submission_id>/completion")
    def complete(submission_id: str) -> Document:
        """Hand a submission in with a `code`, as the page to which workers return does."""
        submission, code = known(submission_id), request.get_json().get("code", "NOCODE")
        platform = prolific if submission.study_id in state.studies else mturk
        platform.complete(state, submission, code)
        return asdict(submission)

    @control.post("/submissions/<submission_id>/end")
    def end(submission_id: str) -> Document:
        """End a submission as `returned` or `timed_out`."""
        submission, (on_prolific, on_mturk) = known(submission_id), ENDS[request.get_json()["as"]]
        if submission.status not in ("ACTIVE", "Accepted", "AWAITING REVIEW"):
            raise Refusal(409, f"The submission is {submission.status}.")
        if submission.study_id in state.studies:
            prolific.set_status(state, submission, on_prolific)
        else:
            submission.status = on_mturk
        return asdict(submission)

    @control.get("/submissions")
    def submissions() -> list[Document]:
        """All submissions with their status, completion code and rejection."""
        return [asdict(each) for each in state.submissions.values()]

    @control.get("/payments")
    def payments() -> list[Document]:
        """All amounts that workers got or will get, with the submission."""
        return [asdict(each) for each in state.payments]

    def known(submission_id: str) -> Submission:
        if submission_id not in state.submissions:
            raise Refusal(404, f"No submission with the id {submission_id} exists.")
        return state.submissions[submission_id]


def _add_machinery(control: Blueprint, state: State) -> None:
    @control.post("/reset")
    def reset() -> tuple[str, int]:
        state.clear()
        return "", 204

    @control.get("/studies")
    def studies() -> list[Document]:
        """All studies and HITs as the platforms have them."""
        those = [prolific.view(state, each) for each in state.studies.values()]
        return [*those, *(mturk.view(state, each) for each in state.hits.values())]

    @control.get("/calls")
    def calls() -> list[str]:
        """All calls of the platforms' interfaces, in order."""
        return state.calls

    @control.post("/clock")
    def move() -> Document:
        """Move the platforms' clock by `seconds`."""
        state.move(request.get_json()["seconds"])
        return {"now": state.now()}

    @control.put("/settling")
    def set_settling() -> tuple[str, int]:
        """Set after how many `reads` of a submission Prolific's approvals and bonuses show."""
        state.reads_to_settle = request.get_json()["reads"]
        return "", 204

    @control.post("/settlements")
    def settle() -> tuple[str, int]:
        """Settle all approvals and bonuses now."""
        state.settle()
        return "", 204

    @control.put("/currency")
    def set_currency() -> tuple[str, int]:
        """Set the currency of Prolific's account for studies to come."""
        state.currency = request.get_json()["currency"]
        return "", 204

    @control.post("/faults")
    def arm() -> tuple[str, int]:
        """Arm a fault: see `Fault`. `match` is searched in calls like `POST /api/v1/…` or `MTurk SendBonus`."""
        state.faults.append(Fault(**request.get_json()))
        return "", 204

    @control.delete("/faults")
    def disarm() -> tuple[str, int]:
        state.release()
        return "", 204


def _add_webhooks(control: Blueprint, state: State) -> None:
    @control.get("/events")
    def events() -> list[Document]:
        """All changes of which webhooks are sent."""
        return [asdict(each) for each in state.events]

    @control.post("/webhooks")
    def send() -> list[Document]:
        """Send events of `events`, or all unsent, to `target_url`; without one, return the requests only.

        `secret` signs. `times` up to 13 sends each so often, `reversed` in the wrong order, `age_seconds` with an old
        timestamp, `forged` with a wrong signature, `body` an event of the caller.
        """
        wish = request.get_json()
        with state.lock:
            deliveries = requests_of(state, wish)
        if target := wish.get("target_url"):
            for each in deliveries:
                answer = urllib3.request("POST", target, body=each["body"].encode(), headers=each["headers"])
                each["status"] = answer.status
        return deliveries


def requests_of(state: State, wish: Document) -> list[Document]:
    """Return the requests that a wish for webhooks means."""
    if "body" in wish:
        chosen = [Event(hexadecimal_id(), wish["body"])]
    else:
        ids = wish.get("events")
        chosen = [
            each for each in state.events if (not each.is_sent if ids is None else each.event_id in ids)
        ]
    for each in chosen:
        each.is_sent = True
    if not 1 <= (times := wish.get("times", 1)) <= MOST_ATTEMPTS:
        raise Refusal(400, f"An event is sent at most {MOST_ATTEMPTS} times.")
    ordered = reversed(chosen) if wish.get("reversed") else chosen
    return [_request(state, each, wish) for each in ordered for _ in range(times)]


def _request(state: State, event: Event, wish: Document) -> Document:
    body = json.dumps(event.body)
    timestamp = str(int(state.now() - wish.get("age_seconds", 0)))
    secret = "another secret" if wish.get("forged") else wish["secret"]
    digest = hmac.new(secret.encode(), (timestamp + body).encode(), hashlib.sha256).digest()
    headers: dict[str, Any] = {
        "Content-Type": "application/json",
        "X-Event-ID": event.event_id,
        "X-Timestamp": timestamp,
        "X-Prolific-Request-Timestamp": timestamp,
        "X-Prolific-Request-Signature": base64.b64encode(digest).decode(),
    }
    return {"event_id": event.event_id, "headers": headers, "body": body}
