"""The stub's answers about submitted models, and a call of every verb for them."""

from typing import Any

SUBMISSION_ID = "0192f5a0-0000-7000-8000-00000000000c"
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
SAMPLE = {"instance": {"text": "Not bad."}, "answer": {"label": "positive"}}
CARD = {
    "text": "A card.",
    "licence": "MIT",
    "contact": "ada@example.org",
    "languages": ["en"],
    "parameters": 22_713_216,
    "trained_on": [],
    "paper": None,
    "missing": [],
}


def step(name: str, **changes: Any) -> dict[str, Any]:
    """Return a step that passed, but for the changes."""
    return {
        "step": name,
        "state": "passed",
        "attempt": 1,
        "started_at": "2026-11-08T09:30:00Z",
        "ended_at": "2026-11-08T09:30:02.5Z",
        "heartbeat_at": "2026-11-08T09:30:02Z",
        "fault": None,
        "reason": None,
        "remedy": None,
        "samples": [SAMPLE] if name == "smoke_test" else [],
        **changes,
    }


SUBMISSION: dict[str, Any] = {
    "submission_id": SUBMISSION_ID,
    "task": "sentiment",
    "model": "minilm-a",
    "version": 3,
    "serving_name": "minilm-a-v3",
    "state": "deployed",
    "step": "accepted",
    "submitted_by": "0192f5a0-0000-7000-8000-000000000001",
    "mine": True,
    "file_name": "minilm-a.mar",
    "size": 83_000_000,
    "digest": "sha256:" + "d" * 64,
    "pool": "shared",
    "created_at": "2026-11-08T09:29:00Z",
    "received_at": "2026-11-08T09:30:00Z",
    "ended_at": "2026-11-08T09:31:00Z",
    "anonymous": False,
    "signed_by": None,
    "counted": True,
    "tombstone": None,
}
WHOLE: dict[str, Any] = {
    **SUBMISSION,
    "upload": {"size": 83_000_000, "digest": SUBMISSION["digest"], "part_bytes": 16_777_216, "parts": 5},
    "steps": [step(name) for name in STEPS],
    "scan": None,
    "card": CARD,
    "webhook": None,
    "in_the_loop": [],
    **dict.fromkeys(("may_cancel", "may_retry", "may_decide"), False),
    **dict.fromkeys(("may_publish", "may_withdraw", "may_retire", "may_delete"), True),
    "retry_after_seconds": 0,
}
DELETED: dict[str, Any] = {
    **WHOLE,
    "state": "deleted",
    "file_name": "",
    "steps": [],
    "tombstone": {
        "deleted_at": "2026-11-09T09:30:00Z",
        "deleted_as": "owner",
        "reason": "It repeats letters of patients.",
        "removed_at": None,
    },
}
LINE = {"id": 4, "step": "scanned", "at": "2026-11-08T09:30:01Z", "line": "12 entries, all declarative"}
QUOTA = {"task": "sentiment", "used": 1, "of": 5, "next_free_at": None}
ONE = f"/registry/v1/submissions/{SUBMISSION_ID}"


def written_log(after: str) -> dict[str, Any]:
    """Return the log after a line, which has one."""
    return {"lines": [] if "after=4" in after else [LINE], "next_after": 4}


SUBMISSION_TOLD: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/registry/v1/submissions", {"submission": WHOLE, "known": True}),
    ("GET", "/registry/v1/submissions", {"items": [SUBMISSION], "next_cursor": None, "quota": QUOTA}),
    ("GET", ONE, WHOLE),
    ("PUT", f"{ONE}/card", WHOLE),
    ("POST", f"{ONE}/publication", {**WHOLE, "state": "published"}),
    ("POST", f"{ONE}/deletion", DELETED),
)
SUBMISSION_VERBS: dict[str, tuple[str, ...]] = {
    "models submit": ("FILE", "--task", "sentiment"),
    "models submissions": ("--task", "sentiment"),
    "models submission": (SUBMISSION_ID,),
    "models follow": (SUBMISSION_ID,),
    "models card": (SUBMISSION_ID, "CARD"),
    "models publish": (SUBMISSION_ID, "--anonymous"),
    "models delete": (SUBMISSION_ID, "--reason", "Read it."),
}
