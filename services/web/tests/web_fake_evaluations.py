"""Evaluations of models, and the datasets that they are scored on, as the fake platform tells them."""

from typing import Any
from uuid import UUID

from flask import Flask, jsonify, request
from web_fake_model_board import DATASET_ID, NOW, SCORED
from web_fake_refusals import refuse
from web_fake_submissions import unknown

BASE = "/api/scoring/v1"
MODEL, BASELINE = "sentiment-mini-v1", "sentiment-minilm"
METRICS = (
    ("macro_f1", 71.2, 720, 67.8, 74.4, None),
    ("accuracy", 73.4, 720, 70.0, 76.6, None),
    ("fairness", 95.0, 80, None, None, "too few clusters"),
    ("throughput", 1.4, 7, 1.2, 1.5, None),
)


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
        "slices": [{**value("macro_f1", 60.0, 60, 47.0, 71.0, None), "tag": "negation"}] if is_done else [],
        "failed_items": 2 if is_done else None,
        "failures": ["r2-7", "r2-9"] if is_done else [],
        "constant_answer": None,
        "target_of_round": is_done,
        "may_act": False,
        **more,
    }


def line(event: str, **more: Any) -> dict[str, Any]:
    facts = {"shards": None, "shards_done": None, "requests": None, "reason": None}
    return {"at": NOW, "event": event, **facts, **more}


class Evaluations:
    """Evaluations, the newest first; a test changes what it needs."""

    def __init__(self) -> None:
        self.found = [
            evaluation(1, MODEL),
            evaluation(2, MODEL, "queued", dataset_name="challenge", may_act=True),
            evaluation(3, BASELINE, constant_answer="neutral"),
            evaluation(4, "offline", prediction_only=True),
        ]
        self.log = [
            line("requested", shards=11, requests=2_800),
            line("begun"),
            line("waits", reason="starting, about 10 s"),
            line("goes_on", shards=11, shards_done=1),
        ]
        self.sets = [SCORED]

    def named(self, evaluation_id: str) -> dict[str, Any]:
        for each in self.found:
            if each["evaluation_id"] == evaluation_id:
                return each
        raise unknown("evaluation")

    def install(self, app: Flask) -> None:
        """Answer what pages ask of evaluations."""

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
                refuse(409, "evaluation-done", "evaluation_id", "It is done.", "A new version follows.")
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
