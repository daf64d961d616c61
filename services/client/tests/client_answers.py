"""What a platform answers, and a call of every verb that it can answer."""

from typing import Any

from services.client.tests.client_evaluation_answers import EVALUATION_TOLD, EVALUATION_VERBS
from services.client.tests.client_owner_answers import VERBS as OWNER_VERBS
from services.client.tests.client_owner_answers import page, tell_owners_part
from services.client.tests.client_people_answers import PEOPLE_TOLD, PEOPLE_VERBS
from services.client.tests.client_submission_answers import (
    ONE,
    SUBMISSION_TOLD,
    SUBMISSION_VERBS,
    written_log,
)
from services.client.tests.conftest import Seen, StubPlatform, Told

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
LEASE = {
    "lease_id": "l1",
    "expires_at": "2026-11-21T08:05:00Z",
    "example": {"example_id": "e1", "context": {"prompt": "A prompt"}, "input": {"text": "A text"}},
    "options": ["negative", "neutral", "positive"],
    "vote": "label",
}
VOTE = {
    "vote_id": "v1",
    "counted": True,
    "resolution": "correct",
    "reveal": {"claimed": "negative", "explanation": "irony"},
}
ANSWER = {"target": "minilm-a", "value": "positive", "confidence": 0.91}
CHECKED = {"valid": True, "problems": [], "configuration": {"slug": "sentiment"}}
CHANGE = {
    "configuration_version": 2,
    "created_at": "2026-11-21T08:00:00Z",
    "changes": [{"path": "title", "before": "Feelings", "after": "Sentiment"}],
}
INSPECTION = {
    "target": "minilm-a",
    "label": "positive",
    "convergence_delta": 0.01,
    "tokens": [
        {"field": "text", "text": "my", "start": 0, "end": 2, "weight": 0.1},
        {"field": "text", "text": "dog", "start": 3, "end": 6, "weight": -0.4},
    ],
}
MATRIX = {
    "round_id": "r1",
    "targets": ["minilm-a", "n-gram-b"],
    "answered_by_all": 10,
    "patterns": [
        {"fooled": [], "tries": 7, "validated": 0},
        {"fooled": ["minilm-a"], "tries": 3, "validated": 1},
    ],
    "pairs": [{"a": "minilm-a", "b": "n-gram-b", "both": 0, "only_a": 3, "only_b": 0, "neither": 7}],
    "incomplete": 1,
    "not_asked": 0,
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
    ("GET", "/accounts/v1/tokens", page(TOKEN)),
    ("POST", "/accounts/v1/tokens", {**TOKEN, "token": "dbt_new"}),
    ("DELETE", "/accounts/v1/tokens/k1", None),
    ("GET", "/annotation/v1/tasks", page(TASK)),
    ("GET", "/annotation/v1/tasks/sentiment", TASK),
    ("POST", "/annotation/v1/tasks", TASK),
    ("GET", "/annotation/v1/tasks/sentiment/rounds", page(ROUND)),
    ("POST", "/annotation/v1/tasks/sentiment/rounds", {**ROUND, "state": "draft"}),
    ("GET", "/annotation/v1/rounds/r1", ROUND),
    ("PUT", "/annotation/v1/rounds/r1/state", ROUND),
    (
        "GET",
        "/annotation/v1/rounds/r1/contexts",
        page({"context_id": "c1", "fields": {"prompt": "A prompt"}}),
    ),
    ("POST", "/annotation/v1/rounds/r1/contexts/upload", {"added": 1}),
    ("POST", "/annotation/v1/rounds/r1/probes", {"answers": [ANSWER]}),
    ("POST", "/annotation/v1/rounds/r1/similar", {"own": [], "others": 2}),
    ("POST", "/annotation/v1/configuration-checks", CHECKED),
    ("PUT", "/annotation/v1/tasks/sentiment/configuration", {**TASK, **CHANGE}),
    ("GET", "/annotation/v1/tasks/sentiment/versions", page(CHANGE)),
    ("GET", "/annotation/v1/tasks/sentiment/versions/1", {"configuration_version": 1, "yaml": "a: 1\n"}),
    ("GET", "/annotation/v1/tasks/sentiment/versions/2", {"configuration_version": 2, "yaml": "a: 2\n"}),
    ("GET", "/annotation/v1/task-configuration.schema.json", {"type": "object"}),
    ("GET", "/annotation/v1/tasks/sentiment/models", page({"name": "minilm-a", "ready": True})),
    ("POST", "/annotation/v1/tasks/sentiment/sandbox", {"answers": [ANSWER]}),
    ("PUT", "/annotation/v1/examples/e1/decision", EXAMPLE),
    ("PUT", "/annotation/v1/examples/e1/metadata", EXAMPLE),
    ("POST", "/annotation/v1/rounds/r1/assignments", {"context": {"context_id": "c1"}}),
    ("POST", "/annotation/v1/rounds/r1/examples", EXAMPLE),
    ("GET", "/annotation/v1/rounds/r1/examples", page(EXAMPLE)),
    ("GET", "/annotation/v1/examples/e1", EXAMPLE),
    (
        "POST",
        "/annotation/v1/examples/e1/retraction",
        {**EXAMPLE, "retracted_at": "2026-11-21T08:01:00Z"},
    ),
    ("PUT", "/annotation/v1/examples/e1/explanations", {**EXAMPLE, "explanations": {"label": "irony"}}),
    ("POST", "/annotation/v1/examples/e1/inspections", INSPECTION),
    ("GET", "/leaderboard/v1/rounds/r1", FIGURES),
    ("GET", "/leaderboard/v1/rounds/r1/history", {"points": [{"tries": 5, "fooled": 2, "mer": 0.4}]}),
    ("GET", "/leaderboard/v1/rounds/r1/matrix", MATRIX),
    (
        "GET",
        "/leaderboard/v1/tasks",
        page({"task_slug": "sentiment", "rounds": 1, "current_round": FIGURES}),
    ),
    ("POST", "/validation/v1/rounds/r1/leases", LEASE),
    ("DELETE", "/validation/v1/leases/l1", None),
    ("POST", "/validation/v1/leases/l1/votes", VOTE),
    ("PUT", "/validation/v1/votes/v1/judgement", {"vote_id": "v1", "agrees": True}),
    ("GET", "/gateway/v1/models", {"models": ["minilm-a"]}),
    ("GET", "/gateway/v1/model-statuses", {"models": [MODEL]}),
    ("GET", "/gateway/v1/models/minilm-a", MODEL),
    (
        "POST",
        "/gateway/v1/models/minilm-a:predict",
        {"predictions": [{"label": "positive", "probabilities": {"positive": 0.9}}]},
    ),
    ("POST", "/gateway/v1/models/minilm-a:explain", {"explanations": [{"delta": 0.01}]}),
]


def tell_everything(stub: StubPlatform) -> None:
    for method, path, body in (*TOLD, *PEOPLE_TOLD, *EVALUATION_TOLD):
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
    **PEOPLE_VERBS,
    **SUBMISSION_VERBS,
    "images upload": ("sentiment", "PICTURE"),
    "login": ("URL", "--token", "dbt_x"),
    "whoami": (),
    "tasks list": (),
    "tasks show": ("sentiment",),
    "tasks create": ("FILE",),
    "tasks check": ("FILE",),
    "tasks update": ("FILE", "--yes"),
    "tasks versions": ("sentiment",),
    "tasks diff": ("sentiment", "1", "2"),
    "tasks schema": (),
    "tasks models": ("sentiment",),
    "tasks sandbox": ("sentiment", "minilm-a", "--input", "text=my dog got most of it"),
    "tasks import-dynatask": ("DYNATASK", "--output", "FOLDER"),
    "rounds list": (),
    "rounds show": ("r1",),
    "rounds create": ("sentiment", "--target", "minilm-a"),
    "rounds open": ("r1",),
    "rounds pause": ("r1",),
    "rounds close": ("r1",),
    "rounds history": ("r1",),
    "contexts upload": ("r1", "FILE"),
    "contexts list": ("r1",),
    "examples create": ("r1", "--text", "my dog got most of it", "--label", "negative"),
    "examples show": ("e1",),
    "examples list": ("r1",),
    "examples retract": ("e1",),
    "examples explain": ("e1", "--why-label", "irony"),
    "examples inspect": ("e1", "minilm-a"),
    "examples probe": ("r1", "--text", "my dog got most of it"),
    "examples similar": ("r1", "--text", "my dog got most of it"),
    "examples decide": ("e1", "--wrong", "minilm-a"),
    "examples metadata": ("e1", "statement=irony"),
    "validate next": ("r1",),
    "validate vote": ("l1", "negative"),
    "validate skip": ("l1",),
    "validate judge": ("v1", "--agree"),
    "models list": (),
    "models show": ("minilm-a",),
    "models predict": ("minilm-a", "my dog got most of it"),
    "models explain": ("minilm-a", "my dog got most of it"),
    "board list": (),
    "board show": ("r1",),
    "board matrix": ("r1",),
    "tokens list": (),
    "tokens create": ("laptop",),
    "tokens revoke": ("k1",),
}
