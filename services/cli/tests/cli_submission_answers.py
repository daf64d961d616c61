"""The stub's answers about submitted models, and a call of every verb for them."""

from typing import Any

from services.client.tests.submission_answers import DELETED, LINE, ONE, SUBMISSION, SUBMISSION_ID, WHOLE

QUOTA = {"task": "sentiment", "used": 1, "of": 5, "next_free_at": None}


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
