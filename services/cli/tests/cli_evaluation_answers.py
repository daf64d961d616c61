"""The stub's answers about evaluations and boards of models, and a call of every verb for them."""

from typing import Any

from dynabench_client.results.leaderboard import BoardSnapshot, ModelBoard
from dynabench_client.results.models import Evaluation, ModelComparison, ScoredDataset

VALUE = {"metric": "accuracy", "value": 71.2, "n": 720, "low": 67.8, "high": 74.4, "reason": None}
EVALUATION = Evaluation.blank(
    evaluation_id="v1", model="minilm-a-v3", dataset_name="challenge", state="done", values=[VALUE], shards=9
).document()
DATASET = ScoredDataset.blank(
    dataset_id="d1", name="challenge", version=1, state="ready", items=720
).document()
MACRO_F1 = {"metric": "macro_f1", "first": 70.5, "second": 66.0, "difference": 4.5, "interval": [1.0, 8.0]}
FEW = {
    "metric": "accuracy",
    "first": 72.0,
    "second": 70.0,
    "difference": 2.0,
    "reason": "no interval: 2 contexts",
}
COMPARISON = ModelComparison.blank(
    dataset_id="d1",
    first="a",
    second="b",
    n=720,
    only_first=40,
    only_second=20,
    interval=[0.5, 5.0],
    metrics=[
        {**MACRO_F1, "p": 0.01, "holm_p": 0.02, "reason": None},
        {**FEW, "interval": None, "p": None, "holm_p": None},
    ],
).document()
ROW = {
    "model": "minilm-a-v3",
    "rank": 1,
    "rank_interval": [1, 2],
    "rank_set": [1, 2],
    "score": 71.2,
    "interval": [67.8, 74.4],
    "values": {"performance": 71.2, "throughput": 1.0},
    "n": 720,
    "datasets": {},
}
UNRANKED = {
    "model": "slow",
    "reason": "its evaluation on challenge is under way",
    "values": {},
    "datasets": {},
}
BOARD = ModelBoard.blank(task_slug="sentiment", rows=[ROW, UNRANKED]).document()
FROZEN = BoardSnapshot.blank(snapshot_id="s1", task_slug="sentiment", sha256="ab").document()
WHOLE_FROZEN = {**FROZEN, "board": BOARD}
EVALUATION_TOLD: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/scoring/v1/tasks/sentiment/evaluation-datasets", DATASET),
    ("POST", "/scoring/v1/evaluation-datasets/d1/predictions", EVALUATION),
    ("GET", "/scoring/v1/evaluation-datasets/d1/comparison", COMPARISON),
    ("GET", "/scoring/v1/evaluations/v1", EVALUATION),
    ("GET", "/leaderboard/v1/tasks/sentiment/model-board", BOARD),
    ("POST", "/leaderboard/v1/tasks/sentiment/model-board/snapshots", WHOLE_FROZEN),
)
EVALUATION_VERBS: dict[str, tuple[str, ...]] = {
    "datasets upload": ("FILE", "--task", "sentiment", "--name", "challenge"),
    "predictions upload": ("FILE", "--model", "mine", "--dataset", "d1"),
    "compare": ("a", "b", "--dataset", "d1"),
}
