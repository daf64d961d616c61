"""What a platform answers about imports, decisions, releases and evidence, and a call of every verb for them."""

from hashlib import sha256
from typing import Any

from services.client.tests.conftest import StubPlatform

NOON = "2026-11-21T12:00:00Z"
RATE = {"value": 0.4, "low": 0.373, "high": 0.428, "n": 1000, "reason": None}
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
        {"text": "Contexts that nobody has used.", "count": 3},
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
STANDING = {
    "round_id": "r1",
    "task_slug": "sentiment",
    "number": 3,
    "state": "open",
    "funnel": {"tries": 1000, "fooled": 400, "resolved": 300, "correct": 200, "no_claim": 1},
    "burn_up": {
        "goal": 500,
        "points": [{"at": NOON, "validated": 200}],
        "per_day": 12.5,
        "forecast": {"low": "2026-12-01", "expected": "2026-12-15", "high": "2027-01-04"},
    },
    "authors": {"people": 12, "top5_share": 0.8, "top1_share": 0.3, "hhi": 0.2},
    "labels": {"claimed": {"negative": 500}, "gold": {"negative": 150}},
    "cohorts": {"volunteer": 1000},
    "as_of": NOON,
}
HEADLINE = {"round_id": "r1", "task_slug": "sentiment", "state": "open", "tries": 1000, "mer": RATE}
EFFORT = {
    "target": None,
    "tries_per_fooling": {"value": 2.5, "low": 2.1, "high": 3.0, "n": 400, "reason": None},
    "minutes_per_validated_error": {"value": 3.2, "n": 200, "reason": None},
    "survival": [{"tries": 1, "share": 0.7, "at_risk": 100}],
}
BREAKDOWN = {"round_id": "r1", "by": "tag", "items": [{"name": "irony", "tries": 10, "mer": RATE}]}
NEXT = {
    "advice": "now",
    "evidence": [{"name": "goal", "says": "now", "text": "500 of 500 are validated."}],
}
WORK = {
    "example_id": "e1",
    "context": {},
    "input": {"text": "my dog got most of it"},
    "claimed": "negative",
    "resolution": "disputed",
    "kinds": ["disputed"],
    "votes": [{"option": "positive", "count": 2}],
    "oldest_at": NOON,
}
LISTED = {
    "example_id": "e1",
    "author_id": "p1",
    "created_at": NOON,
    "input": {"text": "my dog got most of it"},
    "verdict": "fooled",
    "became": "disputed",
    "tags": ["food"],
    "votes": [{"option": "positive", "count": 2}],
}
RESOLVED = {"resolution": "correct", "agreed_option": "negative", "golds": ["negative"], "votes_counted": 3}
VOTES = {
    **RESOLVED,
    "items": [
        {"vote_id": "v1", "kind": "label", "option": "negative", "explanation": "irony"},
        {"vote_id": "v2", "kind": "flag", "option": "flag", "reason": "spam", "counted": False},
    ],
    "appeal": {"reason": "Read it again.", "at": NOON, "answer": None},
}
RECENT = {
    "vote_id": "v1",
    "example": {"example_id": "e1", "input": {"text": "A text"}},
    "kind": "label",
    "value": "negative",
    "cast_at": NOON,
    "can_change": True,
}
VALIDATOR = {"voter_id": "p2", "votes": 50, "agreement": RATE, "gold": RATE, "failures": 2, "state": "warned"}
PAIR = {"a": "p1", "b": "p2", "examples": 40, "agreed": 40, "expected": 20.5, "p_adjusted": 0.01}
ONE_AUTHOR = {
    "voter_id": "p3",
    "author_id": "p4",
    "confirmed": 6,
    "of_author": 6,
    "expected": 0.7,
    "p_adjusted": 0.02,
}
ADVICE = {
    "current": {"adaptive": {"agree": 2, "max_votes": 3}},
    "validator_error": RATE,
    "resolution_error_now": 0.08,
    "suggestions": [{"policy": {"fixed": {"votes": 5, "agree": 3}}, "expected_votes": 5.0}],
}
GOLD = {"gold_id": "g1", "kind": "attention", "input": {"text": "Choose neutral."}, "answers": ["neutral"]}
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
MEASURED = {
    "state": "done",
    "label_balance": {"gold": {"negative": 40}},
    "lengths": {"text": {"words": {"n": 10, "mean": 5.5, "p5": 1, "p95": 10}}},
    "vocabulary": {"types": 10, "tokens": 40},
    "associations": [{"token": "not", "label": "negative", "pmi": 1.2}],
    "input_only_baseline": {"accuracy": 0.61, "low": 0.55, "high": 0.67, "n": 100},
}
ENTRY = {
    "entry_id": "a1",
    "actor_name": "olga",
    "action": "round.closed",
    "object_kind": "round",
    "object_id": "r1",
    "reason": "The goal is reached.",
    "taken_at": NOON,
}
CAST = {"vote_id": "v1", "counted": True, "reveal": {"claimed": "negative"}, "undo_until": NOON}
LEASED = {"lease_id": "l1", "example": {"example_id": "e1", "input": {"text": "A text"}}, "options": ["a"]}
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
    ("POST", "/annotation/v1/rounds/r9/records", {"stored": 1, "repeated": 0, "votes": 5}),
    ("POST", "/annotation/v1/tasks/sentiment/records/check", {"stored": 1, "repeated": 0, "votes": 5}),
    ("POST", "/annotation/v1/rounds/r9/harvest", {"seen": 1, "stored": 1, "wrong": 1}),
    ("PUT", "/annotation/v1/rounds/r9/state", {"round_id": "r9", "state": "closed"}),
    ("GET", "/validation/v1/rounds/r9/counts", {"examples": 1, "votes": 5}),
    ("GET", "/annotation/v1/rounds/r1/state/preview", PREVIEW),
    ("PUT", "/annotation/v1/rounds/r1/targets", {"round_id": "r1", "targets": ["n-gram-b"]}),
    ("GET", "/leaderboard/v1/rounds/r1/standing", STANDING),
    ("GET", "/leaderboard/v1/standings", page(HEADLINE)),
    ("GET", "/leaderboard/v1/rounds/r1/effort", page(EFFORT)),
    ("GET", "/leaderboard/v1/rounds/r1/breakdown", BREAKDOWN),
    ("GET", "/leaderboard/v1/rounds/r1/next-round", NEXT),
    ("GET", f"{BY_ROUND}/agreement", AGREEMENT),
    ("GET", f"{BY_ROUND}/work", page(WORK)),
    ("GET", f"{BY_ROUND}/work/counts", {"disputed": 1, "pending": 5, "oldest_pending_at": NOON}),
    ("GET", f"{BY_ROUND}/examples", page(LISTED)),
    ("PUT", "/validation/v1/examples/e1/abstention", None),
    ("POST", f"{BY_ROUND}/requeue", {"requeued": 1}),
    ("POST", f"{BY_ROUND}/gold/refresh", {"added": 4, "retired": 1, "in_use": 30}),
    ("PUT", "/validation/v1/examples/e1/adjudication", RESOLVED),
    ("DELETE", "/validation/v1/examples/e1/adjudication", RESOLVED),
    ("POST", "/validation/v1/examples/e1/appeal", {"reason": "Read it again.", "at": NOON}),
    ("GET", "/validation/v1/examples/e1/votes", VOTES),
    ("GET", f"{BY_ROUND}/me/votes", page(RECENT)),
    ("DELETE", "/validation/v1/votes/v1", LEASED),
    ("POST", "/validation/v1/votes/v1/reveal", CAST),
    ("PUT", "/validation/v1/votes/v1", CAST),
    ("GET", "/validation/v1/tasks/sentiment/validators", page(VALIDATOR)),
    ("PUT", "/validation/v1/tasks/sentiment/validators/p2", VALIDATOR),
    ("GET", f"{BY_ROUND}/validators/pairs", {"items": [PAIR], "one_author": [ONE_AUTHOR]}),
    ("GET", f"{BY_ROUND}/votes-advice", ADVICE),
    ("GET", "/validation/v1/tasks/sentiment/gold", page(GOLD)),
    ("POST", "/validation/v1/tasks/sentiment/gold", GOLD),
    ("DELETE", "/validation/v1/gold/g1", None),
    ("GET", "/scoring/v1/rounds/r1/release/preview", RELEASE_PREVIEW),
    ("POST", "/scoring/v1/rounds/r1/releases", RELEASE),
    ("GET", "/scoring/v1/releases/x1", {**RELEASE, "state": "done", "dataset_id": "d1", "progress": 1}),
    ("GET", "/scoring/v1/datasets/d1/card", b"# Sentiment\n\nA card.\n"),
    ("GET", "/scoring/v1/rounds/r1/export", EXPORTED),
    ("GET", "/scoring/v1/people/me/export", EXPORTED),
    ("GET", "/scoring/v1/datasets", page(DATASET)),
    ("GET", "/scoring/v1/datasets/d1", DATASET),
    ("GET", "/scoring/v1/datasets/d1/croissant", {"@type": "sc:Dataset", "name": "sentiment-r3"}),
    ("GET", "/scoring/v1/datasets/d1/measurements", MEASURED),
    ("GET", "/accounts/v1/audit", page(ENTRY)),
]
VERBS: dict[str, tuple[str, ...]] = {
    "rounds import": ("FILE", "--task", "sentiment"),
    "rounds harvest": ("FILE", "--task", "sentiment", "--target", "minilm-a"),
    "rounds reopen": ("r1", "--reason", "More people came."),
    "rounds targets": ("r1", "--target", "n-gram-b", "--reason", "The first one is solved."),
    "rounds standing": ("r1",),
    "rounds agreement": ("r1",),
    "rounds effort": ("r1",),
    "rounds breakdown": ("r1", "--by", "tag"),
    "rounds next": ("r1",),
    "rounds work": ("r1",),
    "rounds examples": ("r1", "--text", "sand", "--became", "disputed"),
    "rounds requeue": ("r1", "e1", "--reason", "The guidelines changed."),
    "rounds release": ("r1", "--dev", "10", "--follow"),
    "examples adjudicate": ("e1", "negative", "--reason", "It is irony."),
    "examples abstain": ("e1",),
    "examples appeal": ("e1", "--reason", "Read it again."),
    "examples votes": ("e1",),
    "validate back": ("r1",),
    "validate reveal": ("v1",),
    "validate undo": ("v1",),
    "validate change": ("v1", "neutral"),
    "validators list": ("sentiment",),
    "validators pause": ("sentiment", "p2", "--reason", "All answers are the same."),
    "validators reinstate": ("sentiment", "p2", "--reason", "It was a mistake."),
    "validators pairs": ("r1",),
    "validators one-author": ("r1",),
    "validators advice": ("r1",),
    "gold list": ("sentiment",),
    "gold add": ("sentiment", "--input", "text=Choose neutral.", "--answer", "neutral"),
    "gold refresh": ("r1",),
    "gold retire": ("g1",),
    "datasets list": (),
    "datasets show": ("d1",),
    "datasets card": ("d1",),
    "datasets croissant": ("d1",),
    "datasets measure": ("d1",),
    "datasets download": ("d1", "-o", "DOWNLOADED"),
    "export": ("r1", "-o", "EXPORTED"),
    "audit": ("--task", "sentiment"),
}
