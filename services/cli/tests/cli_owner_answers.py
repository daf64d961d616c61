"""A platform's answers about imports, decisions, releases and evidence, and a call of every verb for them."""

from hashlib import sha256
from typing import Any

from services.client.tests.stub_platform import StubPlatform

NOON = "2026-11-21T12:00:00Z"
MEASURE = {"value": 0.616, "n": 3600, "reason": None}
IMPORT = {
    "round_id": "r9",
    "task_slug": "sentiment",
    "number": 4,
    "source": "input",
    "origin": "imported",
    "targets": [],
    "state": "draft",
    "records": 0,
}
FINISHED = {**IMPORT, "state": "closed", "records": 1}
PREVIEW = {
    "from": "open",
    "to": "closed",
    "allowed": True,
    "consequences": [
        {"text": "Tries are refused from now on."},
        {"text": "Unused contexts.", "count": 3},
    ],
    "blockers": [],
}
AGREEMENT = {
    "round_id": "r1",
    "examples": 3600,
    "votes": 18000,
    "voters": 1280,
    "options": ["mixed", "negative", "neutral", "positive"],
    "basis": "all_votes",
    "raw": {"value": 0.8, "n": 3600, "reason": None},
    "fleiss_kappa": MEASURE,
    "krippendorff_alpha": MEASURE,
    "gwet_ac1": {"value": None, "n": 0, "reason": "undefined: one option used"},
    "vote_histogram": {"4": 2356, "5": 1244},
    "votes_equal_gold": 15644,
    "gold": {"negative": 1200},
    "groups": [],
}
NEXT = {
    "advice": "now",
    "evidence": [{"name": "goal", "says": "now", "text": "500 of 500 are validated."}],
}
RELEASE_PREVIEW = {
    "allowed": False,
    "state": "closed",
    "examples": 100,
    "resolved": 90,
    "unresolved": 10,
    "splits": {"train": {"examples": 70, "authors": 8}},
    "largest_author_share": 0.4,
    "blockers": [{"kind": "unresolved-examples", "text": "10 examples wait.", "remedy": "Accept them."}],
    "notices": ["One author wrote 40 % of the dataset."],
}
RELEASE = {"release_id": "x1", "round_id": "r1", "state": "building", "step": "splitting", "progress": 0.0}
EXPORTED = b'{"id": "e1"}\n' * 3
DATASET = {
    "dataset_id": "d1",
    "task_slug": "sentiment",
    "name": "sentiment-r3",
    "counts": {"train": 70},
    "files": [
        {
            "path": "data/train.parquet",
            "media_type": "application/x-parquet",
            "sha256": sha256(EXPORTED).hexdigest(),
            "size": len(EXPORTED),
            "split": "train",
            "examples": 70,
        }
    ],
    "citation": "@misc{sentiment,\n}",
}
BY_ROUND = "/validation/v1/rounds/r1"


def page(*items: Any) -> dict[str, Any]:
    return {"items": list(items), "next_cursor": None}


def tell_owners_part(stub: StubPlatform) -> None:
    """Set the answers that the verbs named here need."""
    for method, path, body in TOLD:
        stub.tell(method, path, body)
    stub.tell("PUT", "/annotation/v1/tasks/sentiment/imports/input", IMPORT, FINISHED)
    stub.send_on("/scoring/v1/datasets/d1/files/data/train.parquet", "/store/train")
    stub.tell("GET", "/store/train", EXPORTED)


TOLD: list[tuple[str, str, Any]] = [
    ("POST", "/annotation/v1/tasks/sentiment/records/check", {"stored": 1, "repeated": 0, "votes": 5}),
    ("POST", "/annotation/v1/rounds/r9/records", {"stored": 1, "repeated": 0, "votes": 5}),
    ("POST", "/annotation/v1/rounds/r9/harvest", {"seen": 1, "stored": 1, "wrong": 1}),
    ("PUT", "/annotation/v1/rounds/r9/state", {"round_id": "r9", "state": "closed"}),
    ("GET", "/validation/v1/rounds/r9/counts", {"examples": 1, "votes": 5}),
    ("GET", "/annotation/v1/rounds/r1/state/preview", PREVIEW),
    ("GET", "/leaderboard/v1/rounds/r1/next-round", NEXT),
    ("GET", f"{BY_ROUND}/agreement", AGREEMENT),
    ("GET", "/scoring/v1/rounds/r1/release/preview", RELEASE_PREVIEW),
    ("POST", "/scoring/v1/rounds/r1/releases", RELEASE),
    ("GET", "/scoring/v1/releases/x1", {**RELEASE, "state": "done", "dataset_id": "d1", "progress": 1}),
    ("GET", "/scoring/v1/rounds/r1/export", EXPORTED),
    ("GET", "/scoring/v1/people/me/export", EXPORTED),
    ("GET", "/scoring/v1/datasets", page(DATASET)),
    ("GET", "/scoring/v1/datasets/d1", DATASET),
]
VERBS: dict[str, tuple[str, ...]] = {
    "rounds import": ("FILE", "--task", "sentiment"),
    "rounds harvest": ("FILE", "--task", "sentiment", "--target", "minilm-a"),
    "rounds agreement": ("r1",),
    "rounds next": ("r1",),
    "rounds release": ("r1", "--dev", "10", "--follow"),
    "datasets list": (),
    "datasets show": ("d1",),
    "datasets download": ("d1", "-o", "DOWNLOADED"),
    "export": ("r1", "-o", "EXPORTED"),
}
