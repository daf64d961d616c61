"""Prolific's API v1 for researchers, and the page to which participants return.

From https://docs.prolific.com/api-reference and its OpenAPI document. Where that document leaves a rule open, the
stricter reading is taken.
"""

import math
import re
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, urlsplit

from flask import Blueprint, Response, jsonify, redirect, request
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.crowd_platforms.state import (
    PROLIFIC_TOKEN,
    Document,
    Refusal,
    State,
    Submission,
    hexadecimal_id,
)

Value = TypeVar("Value")

WORKSPACE_ID = "63722982f9cc073ecc730f6b"
FEES = 1 / 3
"""Share of the reward that Prolific charges besides it."""
TOKEN_SECONDS = 120
SHORTEST_REJECTION = 100
PARTICIPANT_COOKIE = "prolific_session"

TRANSITIONS = {
    ("UNPUBLISHED", "PUBLISH"): "ACTIVE",
    ("ACTIVE", "PAUSE"): "PAUSED",
    ("ACTIVE", "STOP"): "COMPLETED",
    ("PAUSED", "START"): "ACTIVE",
    ("PAUSED", "STOP"): "COMPLETED",
}
REJECTION_CATEGORY = re.compile(
    "TOO_QUICKLY|TOO_SLOWLY|FAILED_INSTRUCTIONS|INCOMP_LONGITUDINAL|FAILED_CHECK|LOW_EFFORT|MALINGERING|NO_CODE|"
    "BAD_CODE|NO_DATA|UNSUPP_DEVICE|OTHER"
)
REQUIRED = [
    "name",
    "description",
    "external_study_url",
    "prolific_id_option",
    "completion_codes",
    "total_available_places",
    "estimated_completion_time",
    "reward",
]
PARAMETERS_OF_ACTIONS: dict[str, tuple[str, ...]] = {
    "AUTOMATICALLY_APPROVE": (),
    "MANUALLY_REVIEW": (),
    "ADD_TO_PARTICIPANT_GROUP": ("participant_group",),
    "REMOVE_FROM_PARTICIPANT_GROUP": ("participant_group",),
    "REQUEST_RETURN": ("return_reason",),
    "DYNAMIC_PAYMENT": (),
    "FIXED_SCREEN_OUT_PAYMENT": ("fixed_screen_out_reward", "slots"),
}
CHANGEABLE_ONCE_PUBLISHED = {
    "internal_name",
    "total_available_places",
    "access_details",
    "submissions_config",
}
SHORT_STUDY = [
    "id",
    "name",
    "internal_name",
    "status",
    "estimated_completion_time",
    "total_available_places",
    "places_taken",
    "number_of_submissions",
    "reward",
    "total_cost",
    "published_at",
    "date_created",
    "is_ready_to_publish",
]
# These answer with an error that has no envelope.
BARE_ERRORS = {"list_studies", "create_study", "list_submissions", "bulk_approve", "calculate_cost"}
FREES_ITS_PLACE = {"RETURNED", "TIMED-OUT", "SCREENED OUT"}


def blueprint(state: State) -> Blueprint:
    """Return the API over a state."""
    api = Blueprint("prolific", __name__)

    @api.before_request
    def authenticate() -> None:
        is_api = request.path.startswith("/api/")
        if is_api and request.headers.get("Authorization") != f"Token {PROLIFIC_TOKEN}":
            raise Refusal(401, "Invalid token.")

    @api.errorhandler(Refusal)
    def refuse(refusal: Refusal) -> tuple[Response, int]:
        error = {
            "status": refusal.status,
            "error_code": refusal.status * 1_000 + 100,
            "title": "Bad request" if refusal.status == 400 else "Error",
            "detail": refusal.detail,
            "additional_information": "/api/v1/errors/",
        }
        is_bare = refusal.status == 400 and (request.endpoint or "").removeprefix("prolific.") in BARE_ERRORS
        return jsonify(error if is_bare else {"error": error}), refusal.status

    _add_studies(api, state)
    _add_submissions(api, state)
    _add_bonuses(api, state)

    @api.get("/.well-known/study/jwks.json")
    def keys() -> Document:
        return {"keys": [signing_key().as_dict(private=False)]}

    @api.get("/participate/<submission_id>")
    def participate(submission_id: str) -> Any:
        """Send a participant to the study, signed in on Prolific."""
        submission = known(state.submissions, submission_id, "submission")
        response = redirect(entry_url(state, submission))
        response.set_cookie(PARTICIPANT_COOKIE, submission_id, samesite="Lax")
        return response

    @api.get("/submissions/complete")
    def complete_submission() -> str:
        """The page to which a participant returns with a completion code."""
        if (submission_id := request.cookies.get(PARTICIPANT_COOKIE)) is None:
            raise Refusal(400, "No participant is signed in: begin at the address of /participate.")
        submission = known(state.submissions, submission_id, "submission")
        complete(state, submission, request.args.get("cc", "NOCODE"))
        return f"<!doctype html><title>Prolific (test)</title><p>Thank you. Your submission: {submission.status}.</p>"

    return api


def _add_studies(api: Blueprint, state: State) -> None:
    @api.get("/api/v1/studies/")
    def list_studies() -> Document:
        return {
            "results": [
                {key: view(state, each)[key] for key in SHORT_STUDY} for each in state.studies.values()
            ]
        }

    @api.post("/api/v1/studies/")
    def create_study() -> tuple[Document, int]:
        if errors := study_errors(body := read_body()):
            raise Refusal(400, errors)
        study = {"internal_name": None, **body, "id": hexadecimal_id(), "status": "UNPUBLISHED"}
        study |= {"date_created": moment(state.now()), "published_at": None, "is_ready_to_publish": True}
        state.studies[study["id"]] = study
        return view(state, study), 201

    @api.get("/api/v1/studies/<study_id>/")
    def show_study(study_id: str) -> Document:
        return view(state, known(state.studies, study_id, "study"))

    def update_study(study_id: str) -> Document:
        study = known(state.studies, study_id, "study")
        change_study(state, study, read_body())
        return view(state, study)

    api.add_url_rule("/api/v1/studies/<study_id>/", view_func=update_study, methods=["PATCH"])

    @api.post("/api/v1/studies/<study_id>/transition/")
    def transition_study(study_id: str) -> Document:
        study, action = known(state.studies, study_id, "study"), str(read_body().get("action"))
        if (status := TRANSITIONS.get((study["status"], action))) is None:
            raise Refusal(400, f"The action {action} is not permitted while the study is {study['status']}.")
        study["published_at"] = study["published_at"] or moment(state.now())
        set_study_status(state, study, status)
        return view(state, study)

    @api.get("/api/v1/studies/<study_id>/submissions/")
    def list_submissions(study_id: str) -> Document:
        known(state.studies, study_id, "study")
        found = [state.read(each) for each in state.of_study(study_id)]
        offset = request.args.get("offset", 0, int)
        return {
            "results": [
                short(each) for each in found[offset : offset + request.args.get("limit", 1_000, int)]
            ]
        }

    @api.post("/api/v1/study-cost-calculator/")
    def calculate_cost() -> Document:
        body = read_body()
        if missing := [name for name in ("reward", "total_available_places") if name not in body]:
            raise Refusal(400, {name: ["This field is required."] for name in missing})
        return {"total_cost": round(body["reward"] * body["total_available_places"] * (1 + FEES), 2)}


def _add_submissions(api: Blueprint, state: State) -> None:
    @api.get("/api/v1/submissions/")
    def list_all_submissions() -> Document:
        known(state.studies, request.args.get("study", ""), "study")
        size, page = request.args.get("page_size", 20, int), request.args.get("page", 1, int)
        found = [state.read(each) for each in state.of_study(request.args["study"])]
        return {"results": [short(each) for each in found[(page - 1) * size : page * size]]}

    @api.get("/api/v1/submissions/<submission_id>/")
    def show_submission(submission_id: str) -> Document:
        return detail(state, state.read(known_submission(state, submission_id)))

    @api.post("/api/v1/submissions/<submission_id>/transition/")
    def transition_submission(submission_id: str) -> Document:
        submission, body = known_submission(state, submission_id), read_body()
        match body.get("action"):
            case "APPROVE":
                approve(state, submission)
            case "REJECT":
                reject(state, submission, body)
            case "COMPLETE":
                complete(state, submission, body.get("completion_code", ""), "researcher")
            case action:
                raise Refusal(400, {"action": [f"The action {action} is not permitted."]})
        return detail(state, submission)

    @api.post("/api/v1/submissions/bulk-approve/")
    def bulk_approve() -> Any:
        body = read_body()
        ids = body.get("submission_ids")
        if ids is None and isinstance(people := body.get("participant_ids"), list):
            study_id = known(state.studies, body.get("study_id", ""), "study")["id"]
            ids = [each.submission_id for each in state.of_study(study_id) if each.worker_id in people]
        if not isinstance(ids, list):
            raise Refusal(400, {"submission_ids": ["This field is required."]})
        if unknown := [each for each in ids if each not in state.submissions]:
            raise Refusal(400, f"Unknown submissions: {', '.join(unknown)}.")
        for each in [state.submissions[each] for each in ids]:
            check_approval(each)
            state.defer(each, lambda each=each: approve(state, each))  # type: ignore[misc]
        return jsonify("The request to bulk approve has been made successfully.")


def _add_bonuses(api: Blueprint, state: State) -> None:
    @api.post("/api/v1/submissions/bonus-payments/")
    def set_up_bonuses() -> tuple[Document, int]:
        body = read_body()
        study = known(state.studies, body.get("study_id", ""), "study")
        rows = read_bonuses(state, study["id"], str(body.get("csv_bonuses", "")))
        amount = sum(minor for _, minor in rows)
        bulk = {
            "id": hexadecimal_id(),
            "study": study["id"],
            "amount": amount,
            "fees": round(amount * FEES, 2),
        }
        bulk |= {"vat": 0, "total_amount": round(amount * (1 + FEES), 2)}
        state.bulk_bonuses[bulk["id"]] = {"rows": rows, "currency": study["currency_code"]}
        return bulk, 201

    @api.post("/api/v1/bulk-bonus-payments/<bulk_id>/pay/")
    def pay_bonuses(bulk_id: str) -> Any:
        """Pay, and pay again when called again: the description says that this call is not idempotent."""
        bulk = known(state.bulk_bonuses, bulk_id, "bulk bonus payment")
        for submission, minor in bulk["rows"]:
            payment = state.pay("bonus", submission, minor, bulk["currency"], bulk_id)
            payment.is_settled = False
            state.defer(submission, lambda payment=payment: setattr(payment, "is_settled", True))  # type: ignore[misc]
        return jsonify(f"Bulk bonus payment with ID {bulk_id} is being processed asynchronously."), 202


def read_body() -> Document:
    if not isinstance(body := request.get_json(silent=True), dict):
        raise Refusal(400, "The body is not a JSON object.")
    return body


def known(those: dict[str, Value], key: str, what: str) -> Value:
    if key not in those:
        raise Refusal(404, f"No {what} with the id {key} was found.")
    return those[key]


def known_submission(state: State, submission_id: str) -> Submission:
    submission = known(state.submissions, submission_id, "submission")
    known(state.studies, submission.study_id, "study")
    return submission


def study_errors(body: Document) -> dict[str, list[str]]:
    """Return what is wrong with a study, by field."""
    errors = {name: ["This field is required."] for name in REQUIRED if body.get(name) in (None, "", [])}
    for name in ("total_available_places", "estimated_completion_time", "reward"):
        value = body.get(name)
        if name not in errors and (
            isinstance(value, bool) or not isinstance(value, int | float) or value < 1
        ):
            errors[name] = ["It must be a number of at least 1."]
    if errors:
        return errors
    minutes = body["estimated_completion_time"]
    if body.get("maximum_allowed_time", math.inf) < (least := 2 + 2 * minutes + 2 * math.sqrt(minutes)):
        errors["maximum_allowed_time"] = [f"It must be at least {math.ceil(least)}."]
    if urlsplit(body["external_study_url"]).scheme not in ("http", "https"):
        errors["external_study_url"] = ["Enter a valid URL."]
    if body["prolific_id_option"] not in ("question", "url_parameters", "not_required"):
        errors["prolific_id_option"] = ["It is not a valid choice."]
    if set(body.get("device_compatibility", ())) - {"desktop", "tablet", "mobile"}:
        errors["device_compatibility"] = ["It is not a valid choice."]
    for each in body.get("filters") or ():
        if "filter_id" not in each or not ({"selected_values", "selected_range"} & set(each)):
            errors["filters"] = ["A filter needs a filter_id, and selected_values or selected_range."]
    if wrong := [*code_errors(body)]:
        errors["completion_codes"] = wrong
    return errors


def change_study(state: State, study: Document, body: Document) -> None:
    if study["status"] != "UNPUBLISHED":
        if refused := set(body) - CHANGEABLE_ONCE_PUBLISHED:
            raise Refusal(400, {name: ["It can not change in a published study."] for name in refused})
        if body.get("total_available_places", math.inf) < study["total_available_places"]:
            raise Refusal(400, {"total_available_places": ["It can only be increased."]})
    if errors := study_errors({**study, **body}):
        raise Refusal(400, errors)
    is_larger = body.get("total_available_places", 0) > study["total_available_places"]
    study.update(body)
    if is_larger and study["status"] in ("COMPLETED", "AWAITING REVIEW"):
        set_study_status(state, study, "ACTIVE")


def code_errors(body: Document) -> list[str]:
    codes, errors = body["completion_codes"], []
    if len({each.get("code") for each in codes}) < len(codes):
        errors.append("Each code must be unique within a study.")
    screens_out = 0
    for code in codes:
        if missing := {"code", "code_type", "actions"} - set(code):
            errors.append(f"A completion code lacks {', '.join(sorted(missing))}.")
            continue
        names = {each.get("action") for each in code["actions"]}
        if {"AUTOMATICALLY_APPROVE", "MANUALLY_REVIEW"} <= names:
            errors.append("AUTOMATICALLY_APPROVE and MANUALLY_REVIEW can not be used together.")
        for action in code["actions"]:
            if (parameters := PARAMETERS_OF_ACTIONS.get(action.get("action"))) is None:
                errors.append(f"The action {action.get('action')} is unknown.")
            elif missing := set(parameters) - set(action):
                errors.append(f"The action {action['action']} lacks {', '.join(sorted(missing))}.")
            elif action["action"] == "FIXED_SCREEN_OUT_PAYMENT":
                screens_out += 1
                if not 0 < action["fixed_screen_out_reward"] < body["reward"] or action["slots"] < 1:
                    errors.append("A screen-out pays less than the reward, and has at least one slot.")
    if screens_out > 1:
        errors.append("Only one code can have the action FIXED_SCREEN_OUT_PAYMENT.")
    return errors


def view(state: State, study: Document) -> Document:
    study.setdefault("currency_code", state.currency)
    return {
        **study,
        "places_taken": places_taken(state, study),
        "number_of_submissions": len(state.of_study(study["id"])),
        "total_cost": round(study["reward"] * study["total_available_places"] * (1 + FEES), 2),
    }


def places_taken(state: State, study: Document) -> int:
    return sum(each.status not in FREES_ITS_PLACE for each in state.of_study(study["id"]))


def moment(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def short(submission: Submission) -> Document:
    return {
        "id": submission.submission_id,
        "participant_id": submission.worker_id,
        "status": submission.status,
        "started_at": moment(submission.started_at),
        "completed_at": moment(submission.completed_at),
        "has_siblings": False,
        "study_code": submission.entered_code,
        "return_requested": moment(submission.return_requested),
    }


def detail(state: State, submission: Submission) -> Document:
    bonuses = [each for each in state.payments if each.kind == "bonus" and each.is_settled]
    shown = short(submission)
    for listed, single in (("participant_id", "participant"), ("study_code", "entered_code")):
        shown[single] = shown.pop(listed)
    paid = [each.amount_minor for each in bonuses if each.submission_id == submission.submission_id]
    return {**shown, "study_id": submission.study_id, "bonus_payments": paid}


def set_study_status(state: State, study: Document, status: str) -> None:
    if study["status"] != status:
        study["status"] = status
        state.record("study.status.change", study["id"], status, metadata={})


def set_status(state: State, submission: Submission, status: str) -> None:
    """Change a submission, and its study once all places are taken and finished."""
    submission.status = status
    who = {"participant_id": submission.worker_id}
    state.record("submission.status.change", submission.submission_id, status, **who)
    study = state.studies[submission.study_id]
    taken = [each.status for each in state.of_study(study["id"]) if each.status not in FREES_ITS_PLACE]
    if study["status"] in ("ACTIVE", "AWAITING REVIEW"):
        is_full = len(taken) >= study["total_available_places"] and "ACTIVE" not in taken
        finished = "COMPLETED" if set(taken) == {"APPROVED"} else "AWAITING REVIEW"
        set_study_status(state, study, finished if is_full else "ACTIVE")


def check_approval(submission: Submission) -> None:
    if submission.status not in ("AWAITING REVIEW", "APPROVED"):
        raise Refusal(
            400, f"The submission {submission.submission_id} is {submission.status}: it can not be approved."
        )


def approve(state: State, submission: Submission) -> None:
    check_approval(submission)
    if submission.status != "APPROVED":
        study = state.studies[submission.study_id]
        state.pay("reward", submission, study["reward"], study["currency_code"], submission.submission_id)
        set_status(state, submission, "APPROVED")


def reject(state: State, submission: Submission, body: Document) -> None:
    message, category = str(body.get("message", "")), body.get("rejection_category")
    errors = {}
    if len(message) < SHORTEST_REJECTION:
        errors["message"] = [f"Ensure this value has at least {SHORTEST_REJECTION} characters."]
    if REJECTION_CATEGORY.fullmatch(category or "") is None:
        errors["rejection_category"] = [f"{category} is not a valid choice."]
    if errors:
        raise Refusal(400, errors)
    if submission.status not in ("AWAITING REVIEW", "REJECTED"):
        raise Refusal(400, f"A submission that is {submission.status} can not be rejected.")
    submission.rejection = {"message": message, "rejection_category": category}
    if submission.status != "REJECTED":
        set_status(state, submission, "REJECTED")


def complete(state: State, submission: Submission, code: str, actor: str = "participant") -> None:
    """Hand a submission in with a code, and carry out the code's actions. A finished one is left alone."""
    if submission.status != "ACTIVE":
        return
    study = state.studies[submission.study_id]
    known_codes = {each["code"]: each for each in study["completion_codes"]}
    given = known_codes.get(code)
    if actor == "researcher" and (given is None or given.get("actor") != "researcher"):
        raise Refusal(400, {"completion_code": ["The study has no such code for researchers."]})
    submission.entered_code, submission.completed_at = code, state.now()
    actions = {each["action"]: each for each in given["actions"]} if given else {}
    if "REQUEST_RETURN" in actions:
        submission.return_requested = state.now()
    if screen_out := actions.get("FIXED_SCREEN_OUT_PAYMENT"):
        amount = screen_out["fixed_screen_out_reward"]
        state.pay("screen_out", submission, amount, study["currency_code"], submission.submission_id)
        set_status(state, submission, "SCREENED OUT")
        screened = sum(each.status == "SCREENED OUT" for each in state.of_study(study["id"]))
        if screened >= screen_out["slots"] and study["status"] == "ACTIVE":
            set_study_status(state, study, "PAUSED")
        return
    set_status(state, submission, "AWAITING REVIEW")
    if "AUTOMATICALLY_APPROVE" in actions:
        approve(state, submission)


def read_bonuses(state: State, study_id: str, text: str) -> list[tuple[Submission, int]]:
    """Return the submission and the amount in minor units of each line `id,amount`."""
    rows, wrong = [], []
    took_part = {
        key: each for each in state.of_study(study_id) for key in (each.worker_id, each.submission_id)
    }
    for line in filter(None, map(str.strip, text.replace("\\n", "\n").splitlines())):
        found = re.fullmatch(r"(\w+),\s*(\d+)(?:\.(\d{1,2}))?", line)
        minor = int(found[2]) * 100 + int((found[3] or "0").ljust(2, "0")) if found else 0
        if found is None or found[1] not in took_part or minor == 0:
            wrong.append(line)
        else:
            rows.append((took_part[found[1]], minor))
    if wrong or not rows:
        raise Refusal(
            400, {"csv_bonuses": [f"These lines are not correct: {'; '.join(wrong) or 'none was given'}."]}
        )
    return rows


def arrive(state: State, study_id: str, worker_id: str) -> Submission:
    """Let a participant take a place, or come back to the one they have."""
    study = state.studies[study_id]
    for earlier in state.of_study(study_id):
        if earlier.worker_id == worker_id:
            if earlier.status == "ACTIVE":
                return earlier
            raise Refusal(409, f"{worker_id} has taken part in this study: {earlier.status}.")
    if study["status"] != "ACTIVE":
        raise Refusal(409, f"The study is {study['status']}.")
    if places_taken(state, study) >= study["total_available_places"]:
        raise Refusal(409, "All places are taken.")
    submission = Submission(hexadecimal_id(), study_id, worker_id, state.now(), "ACTIVE")
    state.submissions[submission.submission_id] = submission
    set_status(state, submission, "ACTIVE")
    return submission


def entry_url(state: State, submission: Submission) -> str:
    """Return the study's address with the ids in it, signed if the study asks for that."""
    study = state.studies[submission.study_id]
    ids = {
        "PROLIFIC_PID": submission.worker_id,
        "STUDY_ID": study["id"],
        "SESSION_ID": submission.submission_id,
    }
    address = str(study["external_study_url"])
    for name, value in ids.items():
        for placeholder in (f"{{{{%{name}%}}}}", quote(f"{{{{%{name}%}}}}")):
            address = address.replace(placeholder, value)
    if not study.get("is_external_study_url_secure"):
        return address
    now = int(state.now())
    claims = {
        "iss": "https://www.prolific.com",
        "iat": now,
        "exp": now + TOKEN_SECONDS,
        "aud": address,
        "sub": submission.submission_id,
        "prolific": {**dict(parse_qsl(urlsplit(address).query)), "workspace_id": WORKSPACE_ID},
    }
    header = {"alg": "RS256", "kid": signing_key().kid, "typ": "JWT"}
    token = jwt.encode(header, claims, signing_key())
    return f"{address}{'&' if '?' in address else '?'}prolific_token={token}"


@cache
def signing_key() -> RSAKey:
    return RSAKey.generate_key(
        2048, {"kid": "prolific-test", "use": "sig", "alg": "RS256", "key_ops": ["verify", "sign"]}
    )
