"""A task's models ranked, and two of them compared, as the fake platform tells it."""

from typing import Any

from flask import Flask, jsonify, request
from web_fake_refusals import refuse

DATASET_ID = "0198c0de-0000-7000-8000-00000000da7b"
NOW = "2026-01-05T12:00:00Z"
VALUES = {"performance": 71.2, "throughput": 1.4, "latency": 0.8, "fairness": 95.0, "robustness": 88.0}


def dimension(name: str, weight: float, price: float | None, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "metric": "macro_f1" if name == "performance" else name,
        "unit": "× baseline" if name in ("throughput", "latency", "memory") else "%",
        "direction": "lower" if name in ("latency", "memory") else "higher",
        "weight": weight,
        "share": weight / 7,
        "price": price,
        "price_in_words": f"1 point of {name} is worth {price} points of performance" if price else "",
        "is_measured": True,
        "note": "",
        **more,
    }


def row(name: str, place: int | None, **more: Any) -> dict[str, Any]:
    return {
        "model": name,
        "model_digest": "sha256:aa",
        "submitted_by": None,
        "is_anonymous": False,
        "is_baseline": False,
        "is_mine": False,
        "is_published": True,
        "prediction_only": False,
        "external": False,
        "submissions": 0,
        "rank": place,
        "rank_interval": None if place is None else [place, place],
        "rank_set": None if place is None else [1, 2] if place < 3 else [3, 3],
        "tie_group": None if place is None else 1 if place < 3 else 2,
        "score": None if place is None else 80.0 - place,
        "interval": None if place is None else [78.0 - place, 82.0 - place],
        "z_score": None,
        "n": 0 if place is None else 720,
        "values": {} if place is None else VALUES,
        "target_of": [],
        "is_constant": False,
        "primary": [60.0 + (place or 0), None if place is None else 70.0 + place],
        "lead": None,
        "best_of_gain": None,
        "faster": None,
        "widened_on": [],
        "no_interval": "",
        "datasets": {},
        "reason": "",
        **more,
    }


def weight(name: str, usual: float) -> float:
    """Return the weight that is asked for, or the task's own."""
    asked = dict(part.split(":") for part in request.args.get("weights", "").split(",") if part)
    return float(asked.get(name, usual))


def dataset(number: int, dataset_id: str, share: float) -> dict[str, Any]:
    return {
        "dataset_id": dataset_id,
        "name": f"sentiment-round-{number}",
        "version": 1,
        "kind": "round",
        "round_number": number,
        "access": "open",
        "items": 720,
        "weight": 1.0,
        "share": share,
        "least_difference": 7.0,
        "note": "",
    }


def model_board() -> dict[str, Any]:
    return {
        "task_slug": "sentiment",
        "mode": request.args.get("mode", "utility"),
        "external": request.args.get("external") == "true",
        "external_models": 2,
        "gamma": float(request.args.get("gamma", "1")),
        "as_of": NOW,
        "digest": "3f9c0a1b2c3d",
        "dimensions": [
            dimension("performance", weight("performance", 4), None),
            dimension("throughput", weight("throughput", 1), 2.1),
            dimension("latency", 0, None),
            dimension(
                "memory",
                1,
                None,
                is_measured=False,
                note="none of these datasets measures it, so it does not count",
            ),
            dimension("fairness", 1, 0.4),
            dimension("robustness", 1, 0.6),
        ],
        "datasets": [dataset(1, DATASET_ID[:-1] + "a", 0.0), dataset(2, DATASET_ID, 1.0)],
        "rows": [
            row(
                "roberta-adv-v2",
                1,
                submissions=7,
                best_of_gain=1.4,
                lead={
                    "over": "deberta-mix-v1",
                    "dataset": "sentiment-round-2",
                    "items": 7,
                    "n": 720,
                    "difference": 7,
                },
            ),
            row("deberta-mix-v1", 2, is_anonymous=True, is_mine=True, is_published=False, faster=[3.1, 3.1]),
            row("sentiment-minilm", 3, is_baseline=True, target_of=[2, 3], widened_on=["sentiment-round-2"]),
            row(
                "offline",
                4,
                prediction_only=True,
                is_constant=True,
                interval=None,
                no_interval="no interval: the uncertainty of its fairness on sentiment-round-2 is not known",
            ),
            row("tiny-x-v1", None, reason="its evaluation on sentiment-round-2 is under way"),
        ],
        "problem": "",
    }


def moving_parts() -> dict[str, Any]:
    """Tell what scores are made of: the first model is right more often, the second twice as fast."""
    made = {"roberta-adv-v2": (80.0, 0.0), "deberta-mix-v1": (79.0, 1.0), "sentiment-minilm": (70.0, 0.5)}
    is_classic = request.args.get("mode") == "classic"
    return {
        "dimensions": [{"name": "performance", "price": 1.0}, {"name": "throughput", "price": 2.1}],
        "models": []
        if is_classic
        else [
            {
                "model": name,
                "utilities": {"performance": right, "throughput": speed},
                "variances": {"performance:performance": 1.0},
            }
            for name, (right, speed) in made.items()
        ],
    }


def comparison(dataset_id: str) -> dict[str, Any]:
    return {
        "dataset_id": dataset_id,
        "first": request.args["first"],
        "second": request.args["second"],
        "n": 720,
        "both": 400,
        "only_first": 145,
        "only_second": 81,
        "neither": 94,
        "agree": 500,
        "contexts": 310,
        "mcnemar_p": 0.0000248,
        "difference": 8.9,
        "interval": [4.8, 12.9],
        "items_to_lose": 64,
        "both_wrong_alike": 90,
        "undefined": {"macro_f1": "undefined: all items have the same label"},
        "metrics": [
            {
                "metric": "macro_f1",
                "first": 74.1,
                "second": 66.0,
                "difference": 8.1,
                "interval": [3.9, 12.2],
                "p": 0.001,
                "holm_p": 0.002,
                "reason": None,
            },
            {
                "metric": "accuracy",
                "first": 75.7,
                "second": 66.8,
                "difference": 8.9,
                "interval": None,
                "p": None,
                "holm_p": None,
                "reason": "no interval: 2 contexts, at least 5 are needed",
            },
        ],
        "tags": [
            {
                "tag": "negation",
                "n": 60,
                "only_first": 9,
                "only_second": 3,
                "mcnemar_p": 0.146,
                "holm_p": 0.292,
            }
        ],
        "items": [{"id": "r2-1", "first": "neutral", "second": "positive", "first_is_right": True}],
    }


def compared_items(dataset_id: str) -> dict[str, Any]:
    """Return a page of the items on which two models differ, by who is right."""
    right, offset = request.args.get("right"), int(request.args.get("offset", 0))
    limit = int(request.args["limit"])
    found = [
        {
            "id": f"r2-{number}",
            "context": {"prompt": "A day at the sea."},
            "input": {"text": f"The soup was <b>cold</b> again, {number}."},
            "golds": ["negative"],
            "tags": ["food"],
            "first": "negative" if number < 30 else None,
            "second": "positive",
            "first_is_right": number < 30,
            "second_is_right": False,
        }
        for number in range(1, 32)
    ]
    wanted = [each for each in found if right in (None, "first" if each["first_is_right"] else "neither")]
    return {
        "dataset_id": dataset_id,
        "first": request.args["first"],
        "second": request.args["second"],
        "number": len(wanted),
        "items": wanted[offset : offset + limit],
    }


def proposals(slug: str) -> dict[str, Any]:
    proposed = {
        "model": "sentiment-cnn",
        "rank": 1,
        "rank_set": [1, 2],
        "score": 79.0,
        "interval": [77.0, 81.0],
        "n": 720,
        "is_baseline": False,
        "trained_on": ["sentiment-round-1, version 1: train"],
        "alike": {},
    }
    second = {**proposed, "model": "sentiment-minilm", "rank": 3, "rank_set": [3, 3], "trained_on": []}
    second |= {"interval": None, "no_interval": "no interval: its uncertainty is not known"}
    return {
        "task_slug": slug,
        "as_of": NOW,
        "proposed": [proposed, {**second, "alike": {"sentiment-cnn": 0.42}}] if slug == "sentiment" else [],
        "passed_over": [{"model": "offline", "rank": 2, "reason": "it is not published"}],
        "waiting": ["tiny-x-v1"],
        "scored_rounds": [2],
        "problem": "",
    }


SCORED = {
    "dataset_id": DATASET_ID,
    "name": "sentiment-round-2",
    "version": 1,
    "title": "Sentiment, round 2",
    "task_slug": "sentiment",
    "kind": "round",
    "access": "open",
    "licence": "CC-BY-4.0",
    "digest": "sha256:dd",
    "round_id": None,
    "round_number": 2,
    "items": 720,
    "clusters": 300,
    "requests": 1000,
    "variants": {"fairness:gender": 100, "robustness:zero_width": 180},
    "state": "ready",
    "reason": None,
    "created_at": NOW,
    "public_at_once": False,
    "leaks": None,
}


def install(app: Flask) -> None:
    """Answer what boards of models ask for."""
    _install_kept(app)

    @app.get("/api/leaderboard/v1/tasks/<slug>/model-board")
    def ranked_models(slug: str) -> Any:
        if ":-" in request.args.get("weights", ""):
            refuse(422, "weights-unusable", "weights", "It is below 0.", "Give a weight from 0 up.")
        found = model_board()
        answer = jsonify({**found, "task_slug": slug, "rows": found["rows"] if slug == "sentiment" else []})
        answer.set_etag(found["digest"])
        return answer

    @app.get("/api/leaderboard/v1/tasks/<slug>/model-board/moving-parts")
    def board_parts(slug: str) -> Any:
        answer = jsonify(moving_parts())
        answer.set_etag("3f9c0a1b2c3d")
        return answer

    @app.get("/api/leaderboard/v1/tasks/<slug>/target-proposals")
    def target_proposals(slug: str) -> Any:
        answer = jsonify(proposals(slug))
        answer.set_etag("3f9c0a1b2c3d")
        return answer

    @app.get("/api/scoring/v1/evaluation-datasets/<dataset_id>/comparison")
    def compared_models(dataset_id: str) -> Any:
        return jsonify(comparison(dataset_id))

    @app.get("/api/scoring/v1/evaluation-datasets/<dataset_id>/comparison/items")
    def items_that_differ(dataset_id: str) -> Any:
        return jsonify(compared_items(dataset_id))


VIEW_ID = "0198c0de-0000-7000-8000-0000000000a1"
SNAPSHOT_ID = "0198c0de-0000-7000-8000-0000000000b1"
SHA256 = "ab" * 32


def view(**more: Any) -> dict[str, Any]:
    return {
        "view_id": VIEW_ID,
        "task_slug": "sentiment",
        "name": "small <b>devices</b>",
        "weights": {"memory": 3.0},
        "datasets": {"sentiment-round-2": 2.0},
        "gamma": 0.8,
        "mode": "utility",
        "created_at": NOW,
        "is_mine": False,
        **more,
    }


def snapshot() -> dict[str, Any]:
    return {
        "snapshot_id": SNAPSHOT_ID,
        "task_slug": "sentiment",
        "created_at": NOW,
        "as_of": NOW,
        "sha256": SHA256,
    }


def _install_kept(app: Flask) -> None:
    base = "/api/leaderboard/v1"

    def is_signed_in() -> bool:
        return "Authorization" in request.headers

    @app.get(f"{base}/tasks/<slug>/model-board/views")
    def views(slug: str) -> Any:
        items = [view(is_mine=is_signed_in())] if slug == "sentiment" else []
        return jsonify(items=items, next_cursor=None)

    @app.post(f"{base}/tasks/<slug>/model-board/views")
    def save_view(slug: str) -> Any:
        if request.json["name"] == "taken":
            refuse(409, "view-name-taken", "name", "You have one.", "Choose another.")
        return jsonify(view(**{"name": request.json["name"], "is_mine": True})), 201

    @app.get(f"{base}/board-views/<view_id>")
    def one_view(view_id: str) -> Any:
        return jsonify(view())

    @app.delete(f"{base}/board-views/<view_id>")
    def delete_view(view_id: str) -> Any:
        return "", 204

    @app.get(f"{base}/tasks/<slug>/model-board/snapshots")
    def snapshots(slug: str) -> Any:
        return jsonify(items=[snapshot()] if slug == "sentiment" else [], next_cursor=None)

    @app.post(f"{base}/tasks/<slug>/model-board/snapshots")
    def freeze(slug: str) -> Any:
        return jsonify({**snapshot(), "board": model_board()}), 201

    @app.get(f"{base}/board-snapshots/<snapshot_id>")
    def one_snapshot(snapshot_id: str) -> Any:
        return jsonify({**snapshot(), "board": model_board()})
