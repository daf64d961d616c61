"""The requester API of Mechanical Turk in the JSON protocol that boto3 speaks, and the page of external submits.

From the public API model (version 2017-01-17) and the errors that requesters report of it.
"""

import re
import secrets
import string
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode, urlsplit
from xml.etree import ElementTree

from flask import Blueprint, Response, jsonify, request

from tests.crowd_platforms.state import AWS_ACCESS_KEY_ID, Document, Refusal, State, Submission

TARGET = "MTurkRequesterServiceV20170117."
TOKEN_SECONDS = 24 * 3600
AMOUNT = re.compile(r"[0-9]+(\.)?[0-9]{0,2}")
REQUIRED = {
    "CreateHIT": "LifetimeInSeconds AssignmentDurationInSeconds Reward Title Description Question",
    "GetHIT": "HITId",
    "UpdateExpirationForHIT": "HITId ExpireAt",
    "CreateAdditionalAssignmentsForHIT": "HITId NumberOfAdditionalAssignments",
    "ListAssignmentsForHIT": "HITId",
    "GetAssignment": "AssignmentId",
    "ApproveAssignment": "AssignmentId",
    "RejectAssignment": "AssignmentId RequesterFeedback",
    "SendBonus": "WorkerId BonusAmount AssignmentId Reason",
}
HANDED_IN = ("Submitted", "Approved", "Rejected")
FREES_ITS_PLACE = {"Returned", "Abandoned"}


def blueprint(state: State) -> Blueprint:
    """Return the API over a state."""
    api = Blueprint("mturk", __name__)

    @api.post("/")
    def call() -> Response:
        operation = request.headers.get("X-Amz-Target", "").removeprefix(TARGET)
        if f"Credential={AWS_ACCESS_KEY_ID}/" not in request.headers.get("Authorization", ""):
            raise Refusal(
                400, "The security token included in the request is invalid.", "UnrecognizedClientException"
            )
        if operation not in OPERATIONS:
            raise Refusal(400, f"Unknown operation {operation}.", "UnknownOperationException")
        body: Document = request.get_json(force=True)
        missing = [name for name in REQUIRED.get(operation, "").split() if body.get(name) in (None, "")]
        if missing:
            raise error("ParameterValidationError", f"Missing: {', '.join(missing)}.")
        return jsonify(OPERATIONS[operation](state, body))

    @api.errorhandler(Refusal)
    def refuse(refusal: Refusal) -> tuple[Response, int]:
        code = refusal.code
        message = refusal.detail
        if not code.startswith("AWS."):
            return jsonify({"__type": code or "RequestError", "message": message}), refusal.status
        message = f"{message} ({int(state.now() * 1000)} s)"
        return jsonify({"__type": "RequestError", "Message": message, "TurkErrorCode": code}), refusal.status

    @api.get("/mturk/externalSubmit")
    @api.post("/mturk/externalSubmit")
    def external_submit() -> str:
        """The page that takes a worker's answer in."""
        values = request.values.to_dict()
        submission = state.submissions.get(values.pop("assignmentId", ""))
        if submission is None or not values:
            raise Refusal(400, "An assignmentId and at least one answer are needed.")
        complete(state, submission, next(iter(values.values())))
        return "<!doctype html><title>Mechanical Turk (test)</title><p>The HIT has been submitted.</p>"

    return api


def error(code: str, message: str) -> Refusal:
    return Refusal(400, message, f"AWS.MechanicalTurk.{code}")


def turk_id(prefix: str = "3") -> str:
    letters = string.ascii_uppercase + string.digits
    return prefix + "".join(secrets.choice(letters) for _ in range(29))


def known_hit(state: State, body: Document) -> Document:
    if (hit := state.hits.get(body["HITId"])) is None:
        raise error("HITDoesNotExist", f"Hit {body['HITId']} does not exist.")
    return hit


def known_assignment(state: State, body: Document) -> Submission:
    assignment = state.submissions.get(body["AssignmentId"])
    if assignment is None or assignment.study_id not in state.hits:
        raise error("AssignmentDoesNotExist", f"Assignment {body['AssignmentId']} does not exist.")
    return assignment


def spend_token(state: State, body: Document, result: str) -> str | None:
    """Return the earlier result of a request's token, which is known for 24 hours."""
    if (token := body.get("UniqueRequestToken")) is None:
        return None
    if len(token) > 64:
        raise error("ParameterValidationError", "A UniqueRequestToken has at most 64 characters.")
    at, earlier = state.tokens.get(token, (0.0, ""))
    if state.now() - at < TOKEN_SECONDS:
        return earlier
    state.tokens[token] = (state.now(), result)
    return None


def repeated(body: Document) -> Refusal:
    token = body["UniqueRequestToken"]
    return error("DuplicateRequest", f'The idempotency token "{token}" has already been processed.')


def minor_units(text: str) -> int:
    if AMOUNT.fullmatch(text) is None:
        raise error("ParameterValidationError", f"{text} is not an amount.")
    return int(Decimal(text) * 100)


def create_hit(state: State, body: Document) -> Document:
    try:
        root = ElementTree.fromstring(body["Question"])
    except ElementTree.ParseError as broken:
        raise error("XMLParseError", f"There was an error parsing the XML question: {broken}.") from broken
    address = next((each.text or "" for each in root.iter() if each.tag.endswith("}ExternalURL")), "")
    if not root.tag.endswith("ExternalQuestion") or urlsplit(address).scheme != "https":
        raise error("InvalidQuestionFormat", "An ExternalQuestion has an ExternalURL that begins with https.")
    minor_units(body["Reward"])
    if not 30 <= body["LifetimeInSeconds"] <= 31_536_000:
        raise error("ParameterOutOfRange", "LifetimeInSeconds is between 30 and 31536000.")
    hit_id = turk_id()
    if (earlier := spend_token(state, body, hit_id)) is not None:
        raise error("HitAlreadyExists", f"The HIT with ID {earlier} already exists.")
    kept = {
        key: value for key, value in body.items() if key not in ("UniqueRequestToken", "LifetimeInSeconds")
    }
    hit = {"MaxAssignments": 1, **kept, "HITId": hit_id, "HITTypeId": turk_id(), "HITGroupId": turk_id()}
    hit |= {
        "CreationTime": state.now(),
        "Expiration": state.now() + body["LifetimeInSeconds"],
        "address": address,
    }
    state.hits[hit_id] = hit
    return {"HIT": view(state, hit)}


def view(state: State, hit: Document) -> Document:
    statuses = [each.status for each in state.of_study(hit["HITId"]) if each.status not in FREES_ITS_PLACE]
    pending, available = statuses.count("Accepted"), hit["MaxAssignments"] - len(statuses)
    is_open = hit["Expiration"] > state.now() and available > 0
    status = "Assignable" if is_open else "Unassignable" if pending else "Reviewable"
    return {
        **{key: value for key, value in hit.items() if key != "address"},
        "HITStatus": status,
        "HITReviewStatus": "NotReviewed",
        "NumberOfAssignmentsPending": pending,
        "NumberOfAssignmentsAvailable": available,
        "NumberOfAssignmentsCompleted": statuses.count("Approved") + statuses.count("Rejected"),
    }


def page(those: list[Document], body: Document, name: str) -> Document:
    if not 1 <= (size := body.get("MaxResults", 10)) <= 100:
        raise error("ParameterOutOfRange", "MaxResults is between 1 and 100.")
    begin = int(body.get("NextToken", 0))
    found = those[begin : begin + size]
    more = {"NextToken": str(begin + size)} if begin + size < len(those) else {}
    return {name: found, "NumResults": len(found), **more}


def list_hits(state: State, body: Document) -> Document:
    return page([view(state, each) for each in reversed(state.hits.values())], body, "HITs")


def update_expiration(state: State, body: Document) -> Document:
    known_hit(state, body)["Expiration"] = body["ExpireAt"]
    return {}


def add_assignments(state: State, body: Document) -> Document:
    hit, more = known_hit(state, body), body["NumberOfAdditionalAssignments"]
    if more < 1:
        raise error("ParameterOutOfRange", "NumberOfAdditionalAssignments is at least 1.")
    if hit["MaxAssignments"] < 10 <= hit["MaxAssignments"] + more:
        reason = (
            "HITs created with fewer than 10 assignments can not be extended to have 10 or more assignments."
        )
        raise error("InvalidMaximumAssignmentsIncrease", reason)
    if spend_token(state, body, hit["HITId"]) is not None:
        raise repeated(body)
    hit["MaxAssignments"] += more
    return {}


def assignment_view(state: State, assignment: Submission) -> Document:
    hit = state.hits[assignment.study_id]
    feedback = {"RequesterFeedback": assignment.rejection["message"]} if assignment.rejection else {}
    return {
        "AssignmentId": assignment.submission_id,
        "WorkerId": assignment.worker_id,
        "HITId": assignment.study_id,
        "AssignmentStatus": assignment.status,
        "AcceptTime": assignment.started_at,
        "SubmitTime": assignment.completed_at,
        "AutoApprovalTime": (assignment.completed_at or 0) + hit.get("AutoApprovalDelayInSeconds", 2_592_000),
        "Answer": f"<QuestionFormAnswers><FreeText>{assignment.entered_code}</FreeText></QuestionFormAnswers>",
        **feedback,
    }


def list_assignments(state: State, body: Document) -> Document:
    hit, wanted = known_hit(state, body), body.get("AssignmentStatuses", HANDED_IN)
    found = [
        each for each in state.of_study(hit["HITId"]) if each.status in HANDED_IN and each.status in wanted
    ]
    return page([assignment_view(state, each) for each in found], body, "Assignments")


def get_assignment(state: State, body: Document) -> Document:
    assignment = known_assignment(state, body)
    require(assignment, *HANDED_IN, text="Reviewable,Approved,Rejected")
    return {
        "Assignment": assignment_view(state, assignment),
        "HIT": view(state, state.hits[assignment.study_id]),
    }


def require(assignment: Submission, *statuses: str, text: str = "Submitted") -> None:
    if assignment.status not in statuses:
        raise error("InvalidAssignmentState", f"This operation can be called with a status of: {text}")


def approve_assignment(state: State, body: Document) -> Document:
    assignment = known_assignment(state, body)
    require(assignment, "Submitted", *(["Rejected"] if body.get("OverrideRejection") else []))
    assignment.status = "Approved"
    reward = minor_units(state.hits[assignment.study_id]["Reward"])
    state.pay("reward", assignment, reward, "USD", assignment.submission_id)
    return {}


def reject_assignment(state: State, body: Document) -> Document:
    assignment = known_assignment(state, body)
    require(assignment, "Submitted")
    assignment.status, assignment.rejection = "Rejected", {"message": body["RequesterFeedback"]}
    return {}


def send_bonus(state: State, body: Document) -> Document:
    assignment, amount = known_assignment(state, body), minor_units(body["BonusAmount"])
    if assignment.worker_id != body["WorkerId"] or assignment.status not in HANDED_IN:
        raise error("AssignmentDoesNotExist", f"Assignment {body['AssignmentId']} does not exist.")
    if amount == 0:
        raise error("ParameterOutOfRange", "A bonus is at least 0.01.")
    if spend_token(state, body, assignment.submission_id) is not None:
        raise repeated(body)
    state.pay("bonus", assignment, amount, "USD", body.get("UniqueRequestToken", ""))
    return {}


def list_bonuses(state: State, body: Document) -> Document:
    if not (body.get("HITId") or body.get("AssignmentId")):
        raise error("ParameterValidationError", "Either the HITId or the AssignmentId must be given.")
    if "HITId" in body:
        known_hit(state, body)
    found = [
        {
            "WorkerId": each.worker_id,
            "BonusAmount": f"{each.amount_minor // 100}.{each.amount_minor % 100:02}",
            "AssignmentId": each.submission_id,
            "Reason": "A bonus.",
            "GrantTime": state.now(),
        }
        for each in state.payments
        if each.kind == "bonus" and body.get("AssignmentId", each.submission_id) == each.submission_id
        if body.get("HITId", each.study_id) == each.study_id
    ]
    return page(found, body, "BonusPayments")


OPERATIONS: dict[str, Callable[[State, Document], Any]] = {
    "CreateHIT": create_hit,
    "GetHIT": lambda state, body: {"HIT": view(state, known_hit(state, body))},
    "ListHITs": list_hits,
    "UpdateExpirationForHIT": update_expiration,
    "CreateAdditionalAssignmentsForHIT": add_assignments,
    "ListAssignmentsForHIT": list_assignments,
    "GetAssignment": get_assignment,
    "ApproveAssignment": approve_assignment,
    "RejectAssignment": reject_assignment,
    "SendBonus": send_bonus,
    "ListBonusPayments": list_bonuses,
    "GetAccountBalance": lambda state, body: {"AvailableBalance": "10000.00"},
}


def complete(state: State, assignment: Submission, answer: str) -> None:
    """Take an answer in. A finished assignment is left alone."""
    if assignment.status == "Accepted":
        assignment.status, assignment.completed_at, assignment.entered_code = "Submitted", state.now(), answer


def arrive(state: State, hit_id: str, worker_id: str) -> Submission:
    """Let a worker accept an assignment, or come back to the one they have."""
    hit = state.hits[hit_id]
    for earlier in state.of_study(hit_id):
        if earlier.worker_id == worker_id and earlier.status not in FREES_ITS_PLACE:
            if earlier.status == "Accepted":
                return earlier
            raise Refusal(409, f"{worker_id} has done this HIT: {earlier.status}.")
    if (status := view(state, hit)["HITStatus"]) != "Assignable":
        raise Refusal(409, f"The HIT is {status}.")
    assignment = Submission(turk_id(), hit_id, worker_id, state.now(), "Accepted")
    state.submissions[assignment.submission_id] = assignment
    return assignment


def entry_url(state: State, assignment: Submission, submit_to: str) -> str:
    """Return the address of the external question with what Mechanical Turk appends."""
    address = str(state.hits[assignment.study_id]["address"])
    appended = {
        "assignmentId": assignment.submission_id,
        "hitId": assignment.study_id,
        "turkSubmitTo": submit_to,
        "workerId": assignment.worker_id,
    }
    return f"{address}{'&' if '?' in address else '?'}{urlencode(appended)}"
