"""Evaluations of models, and the datasets that they are scored on, as the fake platform tells them."""

from typing import Any
from uuid import UUID

from flask import Flask, jsonify, request
from web_fake_model_board import DATASET_ID, NOW, SCORED
from web_fake_refusals import Refused, refuse
from web_fake_submissions import unknown

BASE = "/api/scoring/v1"
MODEL, BASELINE = "sentiment-mini-v1", "sentiment-minilm"
METRICS = (
    ("macro_f1", 71.2, 720, 67.8, 74.4, None),
    ("accuracy", 73.4, 720, 70.0, 76.6, None),
    ("fairness", 95.0, 80, None, None, "too few clusters"),
    ("throughput", 1.4, 7, 1.2, 1.5, None),
)

TESTED = {
    "capability": "Negation",
    "test": "negated praise",
    "test_type": "MFT",
    "value": 41.7,
    "n": 60,
    "groups": 12,
    "low": 30.1,
    "high": 54.3,
    "reason": None,
}


def value(metric: str, number: float, n: int, *ends: Any) -> dict[str, Any]:
    low, high, reason = ends
    return {"metric": metric, "value": number, "n": n, "low": low, "high": high, "reason": reason}


def evaluation(number: int, model: str, state: str = "done", **more: Any) -> dict[str, Any]:
    """Return an evaluation; what it tells follows from its state."""
    is_done = state == "done"
    return {
        "evaluation_id": str(UUID(int=number)),
        "task_slug": "sentiment",
        "model": model,
        "model_digest": "sha256:aa",
        "prediction_only": False,
        "dataset_id": DATASET_ID,
        "dataset_name": "sentiment-round-2",
        "dataset_version": 1,
        "dataset_title": "Sentiment, round 2",
        "dataset_access": "open",
        "dataset_items": 720,
        "round_number": 2,
        "metric_version": 101,
        "state": state,
        "shards": 11,
        "shards_done": 11 if is_done else 3 if state == "running" else 0,
        "place": 2 if state == "queued" else None,
        "seconds_left": 58.0 if state == "running" else None,
        "waits_for": None,
        "fault": "ours" if state == "failed" else None,
        "reason": "The model did not answer." if state == "failed" else None,
        "requested_at": NOW,
        "begun_at": None if state == "queued" else NOW,
        "ended_at": NOW if state in ("done", "failed", "cancelled") else None,
        "values": [value(*each) for each in METRICS] if is_done else [],
        "undefined": {},
        "external": None,
        "slices": [{**value("macro_f1", 60.0, 60, 47.0, 71.0, None), "tag": "negation"}] if is_done else [],
        "tests": [TESTED] if is_done else [],
        "failed_items": 2 if is_done else None,
        "failures": ["r2-7", "r2-9"] if is_done else [],
        "constant_answer": None,
        "swapped_labels": {},
        "target_of_round": is_done,
        "may_act": False,
        **more,
    }


def line(event: str, **more: Any) -> dict[str, Any]:
    facts = {"shards": None, "shards_done": None, "requests": None, "reason": None}
    return {"at": NOW, "event": event, **facts, **more}


def shown_item(item_id: str, **more: Any) -> dict[str, Any]:
    """Return an item of a dataset."""
    return {
        "id": item_id,
        "context": {"prompt": "A day at the sea."},
        "input": {"text": "She said the soup was cold."},
        "golds": ["negative"],
        "tags": ["food"],
        **more,
    }


def variant(kind: str, rule: str, text: str) -> dict[str, Any]:
    context = {"prompt": "A day at the sea."}
    summary = "swaps gendered words" if kind == "fairness" else "changes how a word is written"
    return {"kind": kind, "rule": rule, "summary": summary, "context": context, "input": {"text": text}}


VARIANTS = [
    variant("fairness", "gender", "He said the soup was cold."),
    variant("robustness", "homoglyphs", "She said the s\u043eup was cold."),
    variant("robustness", "zero_width", "She said the so\u200bup was cold."),
]


def answer(model: str, said: str | None, *, right: bool, **more: Any) -> dict[str, Any]:
    failed = None if said else "the model failed"
    told = {"model": model, "evaluation_id": str(UUID(int=1)), "prediction_only": False, **more}
    return {**told, "answer": said, "right": right, "failed": failed}


class Evaluations:
    """Evaluations, the newest first; a test changes what it needs."""

    def __init__(self) -> None:
        self.found = [
            evaluation(1, MODEL),
            evaluation(2, MODEL, "queued", dataset_name="challenge", may_act=True),
            evaluation(
                3,
                BASELINE,
                constant_answer="neutral",
                swapped_labels={"negative": "positive", "positive": "negative"},
            ),
            evaluation(4, "offline", prediction_only=True),
        ]
        self.log = [
            line("requested", shards=11, requests=2_800),
            line("begun"),
            line("waits", reason="starting, about 10 s"),
            line("goes_on", shards=11, shards_done=1),
        ]
        self.sets = [dict(SCORED)]
        self.samples = [shown_item("r2-1", variants=VARIANTS)]
        self.answers = [
            answer(MODEL, "negative", right=True),
            answer(BASELINE, "positive", right=False),
            answer("tiny", None, right=False),
            answer("offline", "negative", right=True, prediction_only=True),
        ]
        self.suspects = {
            "models": ["a", "b", "c", "d", "e"],
            "fewest_models": 5,
            "measured": 300,
            "below": 41,
            "items": [shown_item("r2-9", correlation=-0.91, right=2)],
        }
        self.uploads: list[tuple[dict[str, str], bytes]] = []

    def named(self, evaluation_id: str) -> dict[str, Any]:
        for each in self.found:
            if each["evaluation_id"] == evaluation_id:
                return each
        raise unknown("evaluation")

    def dataset(self, dataset_id: str) -> dict[str, Any]:
        for each in self.sets:
            if each["dataset_id"] == dataset_id:
                return each
        raise unknown("dataset")

    def _items(self, dataset_id: str) -> None:
        if self.dataset(dataset_id)["access"] != "open":
            detail, remedy = "Of this dataset scores alone are shown.", "Look at its scores."
            refuse(403, "items-not-shown", "dataset_id", detail, remedy, "The items are not shown")

    def install(self, app: Flask) -> None:
        """Answer what pages ask of evaluations and of datasets."""
        self._datasets(app)
        self._evaluations(app)

    def _datasets(self, app: Flask) -> None:
        base = f"{BASE}/evaluation-datasets"

        @app.get(base)
        def scored_datasets() -> Any:
            task = request.args.get("task")
            found = [each for each in self.sets if task in (None, each["task_slug"])]
            return jsonify(items=found, next_cursor=None)

        @app.get(f"{base}/<dataset_id>")
        def scored_dataset(dataset_id: str) -> Any:
            return jsonify(self.dataset(dataset_id))

        @app.get(f"{base}/<dataset_id>/samples")
        def dataset_samples(dataset_id: str) -> Any:
            self._items(dataset_id)
            return jsonify(dataset_id=dataset_id, seed=request.args.get("seed", 0, int), items=self.samples)

        @app.get(f"{base}/<dataset_id>/item")
        def dataset_item(dataset_id: str) -> Any:
            self._items(dataset_id)
            if request.args["id"] == "nobody":
                raise unknown("item")
            return jsonify(shown_item(request.args["id"], answers=self.answers))

        @app.get(f"{base}/<dataset_id>/suspects")
        def dataset_suspects(dataset_id: str) -> Any:
            self._items(dataset_id)
            return jsonify(dataset_id=dataset_id, **self.suspects)

        @app.post(f"{BASE}/tasks/<slug>/evaluation-datasets")
        def add_dataset(slug: str) -> Any:
            self.uploads.append((request.args.to_dict(), request.get_data()))
            if b"angry" in self.uploads[-1][1]:
                error = {"line": 2, "field": "label", "reason": "is 'angry'", "remedy": "Choose: neutral."}
                told = {"title": "Unusable items", "detail": "Line 2: label is 'angry'."}
                errors = {"errors": [error], "error_count": 8, "field": "label", "remedy": "Choose: neutral."}
                raise Refused(422, {"type": "/problems/items-unusable", **told, **errors})
            if request.args["name"] == "taken":
                detail, remedy = "Somebody else's dataset has this name.", "Choose another name."
                refuse(409, "dataset-name-taken", "name", detail, remedy, "Refused")
            return jsonify({**self.sets[0], "task_slug": slug}), 201

        @app.get(f"{BASE}/metrics")
        def evaluation_metrics() -> Any:
            rule = {"name": "gender", "kind": "fairness", "summary": "swaps gendered words"}
            return jsonify(version=101, items=[], variants=[rule])

    def _evaluations(self, app: Flask) -> None:
        @app.get(f"{BASE}/evaluations")
        def evaluations() -> Any:
            model = request.args.get("model")
            return jsonify(
                items=[each for each in self.found if model in (None, each["model"])], next_cursor=None
            )

        @app.get(f"{BASE}/evaluations/<evaluation_id>")
        def one_evaluation(evaluation_id: str) -> Any:
            return jsonify(self.named(evaluation_id))

        @app.get(f"{BASE}/evaluations/<evaluation_id>/log")
        def evaluation_log(evaluation_id: str) -> Any:
            self.named(evaluation_id)
            return jsonify(items=self.log)

        @app.post(f"{BASE}/evaluations/<evaluation_id>/runs")
        def run_evaluation(evaluation_id: str) -> Any:
            found = self.named(evaluation_id)
            if found["state"] == "done":
                refuse(
                    409, "evaluation-done", "evaluation_id", "It is done already.", "A new version follows."
                )
            found.update(state="queued", place=1, reason=None, fault=None, ended_at=None)
            return jsonify(found), 202

        @app.post(f"{BASE}/evaluations/<evaluation_id>/cancellation")
        def cancel_evaluation(evaluation_id: str) -> Any:
            found = self.named(evaluation_id)
            found.update(
                state="cancelled",
                place=None,
                reason="Somebody cancelled it.",
                fault="cancelled",
                ended_at=NOW,
            )
            return jsonify(found)
