"""Submissions of the fake platform as they are kept, and as the registry tells them to one person or another."""

from typing import Any
from uuid import uuid4

from web_fake_refusals import Refused

STEPS = (
    "received",
    "checksum",
    "opened",
    "scanned",
    "manifest",
    "contract",
    "deployed",
    "smoke_test",
    "accepted",
)
AT_STEP = {
    "draft": "received",
    "checking": "manifest",
    "waiting": "deployed",
    "refused": "contract",
    "cancelled": "scanned",
}
ENDED = {"refused", "deployed", "published", "withdrawn", "retired", "cancelled", "deleted"}
SERVED = {"deployed", "published"}
WHOLE_CARD: dict[str, Any] = {
    "text": "A small model.\n\nIt fails on **irony**.",
    "licence": "Apache-2.0",
    "contact": "ada@example.org",
    "languages": ["en", "de"],
    "parameters": 22_713_216,
    "trained_on": ["sentiment-r2, version 1"],
    "paper": "https://example.org/paper",
}
EMPTY_CARD: dict[str, Any] = {
    "text": "",
    "licence": "",
    "contact": "",
    "languages": [],
    "parameters": None,
    "trained_on": [],
    "paper": None,
}
NEEDED = ("text", "licence", "contact", "languages")
SHARED_ENTRIES = [
    ("model.safetensors", 82_104_332, "weights"),
    ("config.json", 812, "configuration"),
    ("tokenizer.json", 466_062, "tokenizer"),
    ("MAR-INF/MANIFEST.json", 304, "manifest"),
]
CODE_ENTRIES = [
    ("handler.py", 2_204, "code"),
    ("words.pkl", 90_112, "pickle"),
    ("notes.txt", 70_000, "text"),
    ("data.bin", 4_096, "other"),
    ("MAR-INF/MANIFEST.json", 304, "manifest"),
]
CODE_FINDING = {
    "code": "code",
    "is_refusal": False,
    "path": "handler.py",
    "reason": "it is not on the list of data (code)",
    "remedy": "Leave it: an owner of the task decides on it. Or submit weights, tokenizer and configuration alone.",
}
SAMPLE = {
    "instance": {"text": "A fine day."},
    "answer": {"label": "positive", "prob": {"positive": 0.91, "negative": 0.09}},
}
SAMPLE_LABELS = ("negative", "neutral", "positive")
FAILURES = {
    "yours": ("The labels are not those of the task.", "Name the task's labels in dynabench.json."),
    "ours": ("The worker did not start in time.", "Run the step again."),
    "owner": ("It sends texts elsewhere.", "Submit an archive without code."),
}


def record(submission_id: str, submitted_by: str, state: str, **more: Any) -> dict[str, Any]:
    """Return a submission as the registry keeps it."""
    is_served, model = state in {*SERVED, "withdrawn", "retired"}, more.get("model", "sentiment-mini")
    has_code, version = more.pop("has_code", state == "waiting"), more.get("version", 1)
    found = {
        "submission_id": submission_id,
        "task": "sentiment",
        "model": model,
        "version": version,
        "serving_name": f"{model}-v{version}" if is_served else None,
        "state": state,
        "step": AT_STEP.get(state, "accepted"),
        "submitted_by": submitted_by,
        "file_name": "mini.mar",
        "size": 82_602_706,
        "digest": None if state == "draft" else "sha256:" + "5f3c" * 16,
        "pool": None if state == "draft" else "sandboxed" if has_code else "shared",
        "created_at": "2026-01-07T09:29:00Z",
        "received_at": None if state == "draft" else "2026-01-07T09:30:00Z",
        "ended_at": "2026-01-07T09:31:00Z" if state in ENDED else None,
        "anonymous": False,
        "signed_by": None,
        "counted": state not in {"draft", "cancelled"},
        "card": dict(WHOLE_CARD if state == "published" else EMPTY_CARD),
        "scan": None if state == "draft" else scan(has_code=has_code),
        "part_bytes": 8_388_608,
        "fault": "yours",
        "in_the_loop": [],
        "tombstone": None,
        "was_published": False,
    }
    if state == "deleted":
        bury(found, "submitter", "A better one is there.")
    return {**found, **more}


def bury(found: dict[str, Any], deleted_as: str, reason: str) -> None:
    """Leave a tombstone of a submission."""
    found.update(
        state="deleted",
        was_published=found["state"] == "published",
        file_name="",
        scan=None,
        card=dict(EMPTY_CARD),
        tombstone={
            "deleted_at": "2026-01-08T09:30:00Z",
            "deleted_as": deleted_as,
            "reason": reason,
            "removed_at": None,
        },
    )


def scan(*, has_code: bool) -> dict[str, Any]:
    """Return what was found in an archive."""
    entries = CODE_ENTRIES if has_code else SHARED_ENTRIES
    return {
        "kind": "code" if has_code else "declarative",
        "content_digest": "sha256:" + "ab" * 32,
        "handler": "handler.py" if has_code else None,
        "description": None,
        "entries": [
            {"path": path, "size": size, "sha256": "cd" * 32, "kind": kind} for path, size, kind in entries
        ],
        "findings": [dict(CODE_FINDING)] if has_code else [],
    }


def parts_of(found: dict[str, Any]) -> int:
    return int(-(-found["size"] // found["part_bytes"]))


def part_size(found: dict[str, Any], number: int) -> int:
    return int(min(found["part_bytes"], found["size"] - (number - 1) * found["part_bytes"]))


def card_of(found: dict[str, Any]) -> dict[str, Any]:
    card = found["card"]
    return {**card, "missing": [name for name in NEEDED if not card[name]]}


def decides(person: Any, task: str) -> bool:
    return person is not None and bool({"admin", f"owner:{task}"} & set(person.roles))


def listed(found: dict[str, Any], person: Any) -> dict[str, Any]:
    """Return a submission without its steps, as the public interface shows it."""
    mine = found["submitted_by"] == str(person.person_id)
    left_out = {"card", "scan", "part_bytes", "fault", "steps", "parts", "text", "reason", "in_the_loop"}
    left_out |= {"was_published"}
    told = {name: value for name, value in found.items() if name not in left_out}
    hidden = found["anonymous"] and not mine
    return {**told, "submitted_by": None if hidden else found["submitted_by"], "mine": mine}


def whole(found: dict[str, Any], person: Any) -> dict[str, Any]:
    """Return a submission with its steps, as the public interface shows it."""
    state, decided_on = found["state"], decides(person, found["task"])
    told, rounds = listed(found, person), found["in_the_loop"]
    may_end = state in SERVED and not rounds
    plan = {name: found[name] for name in ("size", "digest", "part_bytes")}
    return {
        **told,
        "upload": {**plan, "parts": parts_of(found)},
        "steps": [] if state == "deleted" else [step(found, name) for name in STEPS],
        "scan": found["scan"],
        "card": card_of(found),
        "webhook": None,
        "in_the_loop": rounds,
        "may_cancel": told["mine"] and state in {"draft", "checking", "waiting"} and not rounds,
        "may_retry": state in {"refused", "deployed", "checking"},
        "may_decide": decided_on and state == "waiting",
        "may_publish": told["mine"] and state in SERVED,
        "may_withdraw": told["mine"] and may_end,
        "may_retire": decided_on and may_end,
        "may_delete": (told["mine"] or decided_on) and state != "deleted" and not rounds,
        "retry_after_seconds": 1 if state in {"draft", "checking"} else 0,
    }


def step(found: dict[str, Any], name: str) -> dict[str, Any]:
    """Return one step of a submission."""
    now = {"checking": "running", "waiting": "held", "refused": "failed", "cancelled": "waiting"}
    at, place = STEPS.index(found["step"]), STEPS.index(name)
    is_done = place < at or found["state"] in {*SERVED, "withdrawn", "retired"}
    state = "passed" if is_done else now.get(found["state"], "waiting") if place == at else "waiting"
    reason, remedy = FAILURES[found["fault"]] if state == "failed" else (None, None)
    is_begun = state != "waiting"
    return {
        "step": name,
        "state": state,
        "attempt": int(is_begun),
        "started_at": f"2026-01-07T09:30:{place:02}Z" if is_begun else None,
        "ended_at": f"2026-01-07T09:30:{place + 1:02}Z" if state in {"passed", "failed"} else None,
        "heartbeat_at": f"2026-01-07T09:30:{place + 1:02}Z" if state == "running" else None,
        "fault": found["fault"] if state == "failed" else None,
        "reason": found.get("reason") or found.get("text") or reason if state == "failed" else None,
        "remedy": found.get("text") or remedy if state == "failed" else None,
        "samples": [SAMPLE] if name == "smoke_test" and is_done else [],
    }


def offered(found: dict[str, Any], person: Any, of_team: int) -> dict[str, Any]:
    """Return a published model as the public interface shows it."""
    mine = person is not None and found["submitted_by"] == str(person.person_id)
    names = ("model", "version", "task", "submission_id", "pool", "size", "digest", "signed_by")
    return {
        **{name: found[name] for name in names},
        "name": found["serving_name"],
        "submitted_by": found["submitted_by"] if mine or not found["anonymous"] else None,
        "submissions_of_team": of_team,
        "published": found["state"] == "published",
        "deployed_at": found["ended_at"],
        "card": card_of(found),
        "tombstone": found["tombstone"],
    }


def fitting(found: dict[str, Any]) -> dict[str, Any]:
    """Return a served model as annotation tells of it."""
    shape = {"task_type": "text-classification", "labels": list(SAMPLE_LABELS)}
    return {
        "name": found["serving_name"],
        **shape,
        "ready": False,
        "published": found["state"] == "published",
    }


def status(found: dict[str, Any], fields: tuple[str, ...], start: str) -> dict[str, Any]:
    """Return a served model as the gateway tells of it."""
    return {
        "name": found["serving_name"],
        "ready": False,
        "state": "stopped",
        "start": start,
        "accepted": True,
        "reason": None,
        "version": str(found["version"]),
        "task": found["task"],
        "task_type": "text-classification",
        "fields": list(fields),
        "labels": list(SAMPLE_LABELS),
        "model_digest": "sha256:aa",
        "handler_digest": "sha256:bb",
        "published": found["state"] == "published",
        "submitted_by": None,
        "worker_peak_bytes": None,
        "in_flight": 0,
        "max_in_flight": 8,
        "max_characters": 4000,
        "breaker": {"state": "closed", "failures_in_a_row": 0, "retry_after_seconds": 0.0},
        "explain": None,
    }


def hostile(text: str) -> dict[str, Any]:
    """Return everything of a submission that people write, each holding a text."""
    card = {**dict.fromkeys(("text", "licence", "contact", "paper"), text), "parameters": 1}
    found = scan(has_code=True)
    found["entries"][0]["path"] = text
    found["findings"] = [{**CODE_FINDING, "path": text, "reason": text, "remedy": text}]
    listed_texts = {"languages": [text[:35]], "trained_on": [text]}
    return {"file_name": text, "card": {**card, **listed_texts}, "scan": found, "text": text}


def new_id() -> str:
    return str(uuid4())


def unknown(what: str) -> Refused:
    detail = {"title": f"No such {what}", "detail": f"There is no {what} with this name, or not for you."}
    return Refused(404, {"type": f"/problems/{what}-not-found", "field": what, **detail})
