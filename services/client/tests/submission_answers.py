"""The stub's answers about submitted models, and its store of their archives."""

import hashlib
from typing import Any

from services.client.tests.stub_platform import Seen, StubPlatform, Told

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
ONE = f"/registry/v1/submissions/{SUBMISSION_ID}"
CONTENT = bytes(range(250)) * 4
PART = 300
PARTS = (CONTENT[:300], CONTENT[300:600], CONTENT[600:900], CONTENT[900:])
DRAFT = {
    **WHOLE,
    "state": "draft",
    "step": "received",
    "serving_name": None,
    "upload": {"size": len(CONTENT), "digest": None, "part_bytes": PART, "parts": 4},
    "steps": [step("received", state="running", ended_at=None)],
}


def held(number: int, content: bytes) -> dict[str, Any]:
    return {"number": number, "size": len(content), "etag": hashlib.md5(content).hexdigest()}


def tell_store(stub: StubPlatform, *parts: dict[str, Any]) -> None:
    """Let the store hold these parts, and take the others."""

    def sign(request: Seen) -> Told:
        numbers = request.body["numbers"]
        urls = [f"{stub.url}/api/store/{number}?signature=secret" for number in numbers]
        signed = [
            {"number": number, "size": len(PARTS[number - 1]), "url": url}
            for number, url in zip(numbers, urls, strict=True)
        ]
        return Told({"parts": signed, "expires_in_seconds": 900})

    stub.tell("POST", "/registry/v1/submissions", {"submission": DRAFT, "known": False})
    stub.tell("GET", f"{ONE}/upload", {"parts": 4, "held": list(parts)})
    stub.tell("POST", f"{ONE}/upload/parts", sign)
    for number in range(1, 5):
        stub.tell("PUT", f"/store/{number}", {})
    stub.tell("POST", f"{ONE}/upload/completion", {**DRAFT, "state": "checking"})


def sent(stub: StubPlatform) -> dict[int, list[bytes]]:
    """Return what was sent of each part."""
    return {
        number: [request.data for request in found]
        for number in range(1, 5)
        if (found := stub.seen("PUT", f"/store/{number}"))
    }
