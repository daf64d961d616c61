"""Answers of a platform, and a call of every verb for them."""

from typing import Any

from services.cli.tests.cli_evaluation_answers import EVALUATION_TOLD, EVALUATION_VERBS
from services.cli.tests.cli_owner_answers import VERBS as OWNER_VERBS
from services.cli.tests.cli_owner_answers import page, tell_owners_part
from services.cli.tests.cli_submission_answers import (
    SUBMISSION_TOLD,
    SUBMISSION_VERBS,
    written_log,
)
from services.client.tests.stub_platform import Seen, StubPlatform, Told
from services.client.tests.submission_answers import ONE

PERSON = {
    "person_id": "p1",
    "user_name": "ada",
    "roles": ["annotator", "owner:sentiment"],
    "cohort": "expert",
}
ROUND = {
    "round_id": "r1",
    "task_slug": "sentiment",
    "number": 3,
    "title": "Autumn",
    "state": "open",
    "targets": ["minilm-a"],
    "segments": 2,
}
TASK = {
    "task_id": "t1",
    "slug": "sentiment",
    "title": "Sentiment",
    "configuration": {"input": [{"name": "text"}, {"name": "label"}]},
    "rounds": [ROUND],
}
RATE = {"value": 0.4, "low": 0.373, "high": 0.428, "n": 1000, "reason": None}
FIGURES = {
    "round_id": "r1",
    "task_slug": "sentiment",
    "tries": 1000,
    "fooled": 400,
    "decided": 1000,
    "unknown": 0,
    "retracted": 3,
    "votes": 650,
    "resolved": 300,
    "pending": 100,
    "validated_errors": 200,
    "mer": RATE,
    "vmer": {"value": 0.2, "low": None, "high": None, "n": 1000, "reason": "no interval: under 5 annotators"},
    "vmer_range": {"low": 0.2, "high": 0.3, "pending": 100},
    "vmer_projected": {**RATE, "value": 0.267, "low": None, "not_checked": ["not_fooled"]},
    "validity": {"value": None, "reason": "nothing resolved", "n": 0},
    "targets": [{"target": "minilm-a", "tries": 1000, "validated_errors": 200, "vmer": RATE}],
    "segments": [{"segment_id": "s1", "number": 1}],
    "as_of": "2026-11-21T08:00:00Z",
}
EXAMPLE = {
    "example_id": "e1",
    "round_id": "r1",
    "verdict": "fooled",
    "claimed": "negative",
    "input": {"text": "my dog got \x1b[31mmost of it"},
    "attempt": 2,
    "answers": [
        {"target": "minilm-a", "value": "positive", "confidence": 0.91, "wrong": True},
        {"target": "n-gram-b", "missing": "no answer in time"},
    ],
}
CHECKED = {"valid": True, "problems": [], "configuration": {"slug": "sentiment"}}
CHANGE = {
    "configuration_version": 2,
    "created_at": "2026-11-21T08:00:00Z",
    "changes": [{"path": "title", "before": "Feelings", "after": "Sentiment"}],
}
MODEL = {"name": "minilm-a", "ready": True, "labels": ["negative", "positive"], "model_digest": "sha256:abc"}
DYNATASK = """
context: [{name: premise, type: string, placeholder: Enter premise...}]
input:
  - {name: hypothesis, type: string}
  - {name: label, type: target_label, labels: [entailed, neutral]}
output:
  - {name: label}
  - {name: prob, type: multiclass_probs, reference_name: label}
model_wrong_metric: {type: exact_match, reference_names: [label]}
"""
TOKEN = {"token_id": "k1", "name": "laptop", "created_at": "2026-11-21T08:00:00Z"}


STORE = "/store/i1"
TOLD: list[tuple[str, str, Any]] = [
    ("PUT", STORE, {}),
    ("POST", "/annotation/v1/images/i1/completion", {"image_id": "i1", "width": 4, "height": 3}),
    ("GET", "/accounts/v1/me", PERSON),
    ("POST", "/accounts/v1/tokens", {**TOKEN, "token": "dbt_new"}),
    ("GET", "/annotation/v1/tasks", page(TASK)),
    ("GET", "/annotation/v1/tasks/sentiment", TASK),
    ("POST", "/annotation/v1/tasks", TASK),
    ("GET", "/annotation/v1/tasks/sentiment/rounds", page(ROUND)),
    ("POST", "/annotation/v1/tasks/sentiment/rounds", {**ROUND, "state": "draft"}),
    ("GET", "/annotation/v1/rounds/r1", ROUND),
    ("PUT", "/annotation/v1/rounds/r1/state", ROUND),
    ("POST", "/annotation/v1/rounds/r1/contexts/upload", {"added": 1}),
    ("POST", "/annotation/v1/configuration-checks", CHECKED),
    ("PUT", "/annotation/v1/tasks/sentiment/configuration", {**TASK, **CHANGE}),
    ("GET", "/annotation/v1/rounds/r1/examples", page(EXAMPLE)),
    ("GET", "/annotation/v1/examples/e1", EXAMPLE),
    ("GET", "/leaderboard/v1/rounds/r1", FIGURES),
    ("GET", "/gateway/v1/models", {"models": ["minilm-a"]}),
    ("GET", "/gateway/v1/model-statuses", {"models": [MODEL]}),
    ("GET", "/gateway/v1/models/minilm-a", MODEL),
    (
        "POST",
        "/gateway/v1/models/minilm-a:predict",
        {"predictions": [{"label": "positive", "probabilities": {"positive": 0.9}}]},
    ),
]


def tell_everything(stub: StubPlatform) -> None:
    for method, path, body in (*TOLD, *EVALUATION_TOLD):
        stub.tell(method, path, body)
    upload = {"method": "PUT", "url": f"{stub.url}/api{STORE}"}
    stub.tell("POST", "/annotation/v1/tasks/sentiment/images", {"image_id": "i1", "upload": upload})
    tell_owners_part(stub)
    for method, path, body in SUBMISSION_TOLD:
        stub.tell(method, path, body)
    stub.tell("GET", f"{ONE}/log", _log)


def _log(request: Seen) -> Told:
    return Told(written_log(request.query))


VERBS: dict[str, tuple[str, ...]] = {
    **OWNER_VERBS,
    **EVALUATION_VERBS,
    **SUBMISSION_VERBS,
    "images upload": ("sentiment", "PICTURE"),
    "login": ("URL", "--token", "dbt_x"),
    "whoami": (),
    "tasks list": (),
    "tasks show": ("sentiment",),
    "tasks create": ("FILE",),
    "tasks check": ("FILE",),
    "tasks update": ("FILE", "--yes"),
    "tasks import-dynatask": ("DYNATASK", "--output", "FOLDER"),
    "rounds list": (),
    "rounds show": ("r1",),
    "rounds create": ("sentiment", "--target", "minilm-a"),
    "rounds open": ("r1",),
    "rounds pause": ("r1",),
    "rounds close": ("r1",),
    "contexts upload": ("r1", "FILE"),
    "examples show": ("e1",),
    "examples list": ("r1",),
    "models list": (),
    "models show": ("minilm-a",),
    "models predict": ("minilm-a", "my dog got most of it"),
    "board show": ("r1",),
}
