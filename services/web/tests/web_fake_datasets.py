"""Released datasets, measurements and exports of the fake platform."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from threading import Event
from typing import Any
from uuid import uuid4

from flask import Flask, Response, jsonify, request
from web_fake_loop import Loop
from web_fake_refusals import Refused, refuse

BASE = "/api/scoring/v1"
DATASET_ID = "0198c0de-0000-7000-8000-00000000da7a"
LABELS = ("contradiction", "entailment", "neutral")
TOLD_WHOLE = ("about", "citation", "counts", "description", "files", "measurements")
LONGEST_SLUG = 100
PIECE = b'{"id": "an example"}\n' * 20_000
CARD = """---
pretty_name: "Sentiment, round 2"
license: "cc-by-4.0"
---

# Sentiment, round 2

<script>alert("never runs")</script>

## Counts

| split | examples |
|---|---|
| train | 964 |

## Limits

- Written by few people, **in English**.
- [Found against](javascript:alert(1)) one target.

## Citation

none
"""


class Archive:
    """Released datasets; a test changes what it needs."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        second = next(found for found in loop.rounds.values() if found["number"] == 2)
        self.datasets = [dataset(second["round_id"])]
        self.card = CARD
        self.rows = [row(position) for position in range(60)]
        self.is_limit_reached = False
        self.measured: dict[str, Any] = {
            "state": "done",
            "measured_at": "2026-01-09T10:00:00Z",
            **measurements(),
        }
        self.may_finish = Event()
        self.finished_when_told = False
        self.stated_bytes: int | None = None

    def release(self) -> str:
        """Say that the dataset's round is released; return the round's id."""
        round_id: str = self.datasets[0]["round_id"]
        self.loop.rounds[round_id]["state"] = "released"
        return round_id

    def install(self, app: Flask, me: Callable[[], str]) -> None:
        """Add the routes; `me` returns the id of the person who asks, or refuses."""
        self._reading(app)
        self._measurements(app, me)
        self._exports(app, me)

    def _find(self, dataset_id: str) -> dict[str, Any]:
        for found in self.datasets:
            if found["dataset_id"] == dataset_id:
                return found
        detail = {"title": "No such dataset", "detail": "There is no dataset with this id."}
        raise Refused(404, {"type": "/problems/dataset-not-found", "field": "dataset_id", **detail})

    def _reading(self, app: Flask) -> None:
        @app.get(f"{BASE}/datasets")
        def datasets() -> Any:
            task, limit = request.args.get("task"), int(request.args.get("limit", 50))
            start = _start(request.args.get("cursor", "0"))
            if len(task or "") > LONGEST_SLUG:
                refuse(422, "input-invalid", "task", "It is too long.", "Change the field and send again.")
            chosen = [found for found in self.datasets if task in (None, found["task_slug"])]
            more = str(start + limit) if len(chosen) > start + limit else None
            items = [
                {name: each[name] for name in each if name not in TOLD_WHOLE}
                for each in chosen[start : start + limit]
            ]
            return jsonify(items=items, next_cursor=more)

        @app.get(f"{BASE}/datasets/<dataset_id>")
        def one_dataset(dataset_id: str) -> Any:
            return jsonify(self._find(dataset_id))

        @app.get(f"{BASE}/datasets/<dataset_id>/rows")
        def dataset_rows(dataset_id: str) -> Any:
            found, split = self._find(dataset_id), request.args.get("split", "train")
            if split not in {each["split"] for each in found["files"]}:
                refuse(404, "split-not-found", "split", "The dataset has no such split.", "Choose another.")
            label, offset = request.args.get("label"), int(request.args.get("offset", 0))
            chosen = [row for row in self.rows if label in (None, row["label"])]
            end = offset + int(request.args.get("limit", 50))
            return jsonify(
                columns=[{"name": name, "type": kind} for name, kind in COLUMNS.items()],
                rows=chosen[offset:end],
                next_offset=end if len(chosen) > end else None,
                searched=min(len(self.rows), end),
                is_limit_reached=self.is_limit_reached,
            )

        @app.get(f"{BASE}/datasets/<dataset_id>/card")
        def dataset_card(dataset_id: str) -> Any:
            return Response(self.card, content_type="text/markdown; charset=utf-8")

    def _measurements(self, app: Flask, me: Callable[[], str]) -> None:
        def answer() -> Any:
            is_there = self.measured["state"] != "computing" or len(self.measured) > 1
            return jsonify(self.measured), 200 if is_there else 202

        @app.get(f"{BASE}/datasets/<dataset_id>/measurements")
        def dataset_measurements(dataset_id: str) -> Any:
            self._find(dataset_id)
            return answer()

        @app.get(f"{BASE}/rounds/<round_id>/measurements")
        def round_measurements(round_id: str) -> Any:
            me()
            return answer()

    def _exports(self, app: Flask, me: Callable[[], str]) -> None:
        @app.get(f"{BASE}/rounds/<round_id>/export")
        def round_export(round_id: str) -> Any:
            me()
            response = Response(self.pieces(), content_type="application/jsonl")
            if self.stated_bytes is not None:
                response.content_length = self.stated_bytes
            return response

        @app.get(f"{BASE}/people/me/export")
        def own_export() -> Any:
            person_id = me()
            return Response(
                f'{{"kind": "example", "author": "{person_id}"}}\n', content_type="application/jsonl"
            )

    def pieces(self) -> Iterator[bytes]:
        """Yield a large piece, and the last one once the test has seen the first."""
        yield PIECE
        self.finished_when_told = self.may_finish.wait(timeout=30)
        yield b'{"id": "the last"}\n'


COUNTS: dict[str, Any] = {
    "examples": 1204,
    "verdicts": {"fooled": 402, "not_fooled": 802},
    "resolutions": {"correct": 264, "incorrect": 31, "not validated": 909},
    "cohorts": {"volunteer": 1000, "crowd": 204},
    "conditions": {"no_prompt": 500, "prompt": 704},
    "votes": 702,
    "decided": 1204,
    "fooled": 402,
    "unknown_authors": {},
    "stability": {"stable": 298, "not_stable": 9, "not_tried": 3},
}
ABOUT: dict[str, Any] = {
    "task_title": "Sentiment",
    "languages": ["en"],
    "content_warning": "",
    "origin": "",
    "source": "",
    "targets": ["sentiment-minilm"],
    "segments": 2,
    "fields": {
        "context": [{"name": "prompt", "type_name": "string"}],
        "input": [{"name": "text", "type_name": "string"}],
        "label": {"name": "label", "type_name": "multiclass"},
    },
    "labels": list(LABELS),
    "validation": {"policy": {"fixed": {"votes": 5, "agree": 3}}},
    "seed": 0,
    "collected": {
        "tries": 1227,
        "fooled": 410,
        "retracted": 14,
        "votes": 702,
        "fooled_resolved": 310,
        "fooled_correct": 264,
        "validated_errors": 264,
        "mer": 410 / 1227,
        "vmer": 264 / 1227,
        "agreement": {
            "basis": "first_two_votes",
            "examples": 351,
            "raw": 0.869,
            "krippendorff_alpha": 0.712,
            "reason": None,
        },
    },
    "largest_author_share": 0.11,
    "excluded": {"retracted": 14, "hidden": 0, "flagged": 6, "disputed": 0, "no_gold": 3},
}


def dataset(round_id: str, number: int = 2, **more: Any) -> dict[str, Any]:
    """Return a dataset as the service describes it."""
    return {
        "dataset_id": DATASET_ID,
        "digest": "sha256:" + "5f3c" * 16,
        "name": f"sentiment-r{number}",
        "version": 1,
        "title": f"Sentiment, round {number}",
        "task_slug": "sentiment",
        "round_id": round_id,
        "licence": "CC-BY-4.0",
        "labels": list(LABELS),
        "content_warning": "",
        "splits": {
            "test": {"examples": 120, "authors": 9},
            "train": {"examples": 964, "authors": 61},
            "dev": {"examples": 120, "authors": 8},
        },
        "released_at": "2026-01-09T09:00:00Z",
        "description": "Sentences about **restaurants**.\n\n<script>alert(1)</script>",
        "citation": "@misc{sentiment_r2_v1,\n  title = {Sentiment, round 2},\n  year = {2026}\n}",
        "counts": COUNTS,
        "about": deepcopy(ABOUT),
        "files": [
            *(
                file(f"data/{split}.{kind}", split)
                for split in ("train", "dev", "test")
                for kind in ("parquet", "jsonl.gz")
            ),
            file("README.md"),
            file("croissant.json"),
            file("SHA256SUMS"),
            file("manifest.json"),
        ],
        "measurements": "done",
        **more,
    }


COLUMNS = {
    "id": "string",
    "context_prompt": "string",
    "input_text": "string",
    "label": "multiclass",
    "claimed": "multiclass",
    "targets": "targets",
    "verdict": "string",
    "resolution": "string",
}
TEXTS = (
    "The soup was cold, and we loved it.",
    "لم يكن الطعام سيئًا",
    "<script>alert(1)</script> is no dish.",
    "We came back. " * 60,
)


def row(position: int) -> dict[str, Any]:
    """Return a row as the service reads it from a split's file."""
    label, answer = LABELS[position % 3], LABELS[(position + position % 2) % 3]
    return {
        "id": f"0198c0de-0000-7000-8000-{position:012d}",
        "context_prompt": f"A restaurant by the sea, seat {position}.",
        "input_text": TEXTS[position % 4],
        "label": label,
        "claimed": label,
        "targets": [{"name": "sentiment-minilm", "answer": answer, "wrong": answer != label}],
        "verdict": "fooled" if answer != label else "not_fooled",
        "resolution": "correct" if answer != label else None,
    }


def file(path: str, split: str | None = None) -> dict[str, Any]:
    kinds = {
        "parquet": "application/x-parquet",
        "gz": "application/jsonl+gzip",
        "md": "text/markdown",
        "zip": "application/zip",
        "json": "application/json" if path == "manifest.json" else "application/ld+json",
        "SHA256SUMS": "text/plain",
    }
    return {
        "path": path,
        "media_type": kinds[path.rsplit(".", 1)[-1]],
        "size": 48_213 if split else 812,
        "sha256": "a1b2c3d4" * 8,
        "split": split,
        "examples": 120 if split else None,
    }


def _start(cursor: str) -> int:
    if not cursor.isdigit():
        raise Refused(
            422, {"type": "/problems/cursor-invalid", "title": "Unusable cursor", "detail": "Not ours."}
        )
    return int(cursor)


def many(count: int) -> list[dict[str, Any]]:
    """Return that many datasets of rounds that nobody knows."""
    return [dataset(str(uuid4()), number, dataset_id=str(uuid4())) for number in range(1, count + 1)]


def spread(middle: float, bins: list[int], width: float) -> dict[str, Any]:
    edges = [width * position for position in range(len(bins) + 1)]
    return {
        "n": sum(bins),
        "mean": middle * 1.1,
        "p5": width,
        "p50": middle,
        "p95": edges[-2],
        "max": edges[-1],
        "histogram": [
            {"low": low, "high": high, "count": number}
            for low, high, number in zip(edges, edges[1:], bins, strict=False)
        ],
    }


def association(token: str, label: str, pmi: float, count: int) -> dict[str, Any]:
    return {"token": token, "label": label, "pmi": pmi, "low": pmi - 0.4, "high": pmi + 0.4, "count": count}


def measurements() -> dict[str, Any]:
    """Return what was measured of data whose hypotheses give their labels away."""
    words = {
        "prompt": spread(22, [4, 90, 310, 402, 240, 110, 48], 6),
        "text": spread(9, [12, 420, 510, 190, 60, 12], 4),
    }
    return {
        "examples": 1204,
        "label_balance": {
            "gold": {"contradiction": 120, "entailment": 98, "neutral": 77},
            "claimed": {"contradiction": 402, "entailment": 401, "neutral": 401},
        },
        "lengths": {name: {"words": each, "characters": each} for name, each in words.items()},
        "vocabulary": {
            "types": 3120,
            "tokens": 14_006,
            "type_token_ratio": 0.2228,
            "new_per_1000": [{"examples": 1000, "new": 2900.0}, {"examples": 1204, "new": 1078.4}],
        },
        "near_duplicates": {"pairs": 18, "share": 0.027},
        "overlap": spread(0.34, [120, 180, 260, 240, 160, 110, 70, 34, 20, 10], 0.1),
        "authors": {"people": 78, "examples": 1204, "top1_share": 0.11, "top5_share": 0.54, "hhi": 0.036},
        "associations": [
            association("never", "contradiction", 2.1, 84),
            association("nobody", "contradiction", 1.7, 40),
            association("not", "contradiction", 0.6, 201),
            association("perhaps", "contradiction", -1.2, 4),
            association("some", "entailment", 0.9, 130),
            association("perhaps", "neutral", 1.6, 52),
        ],
        "associations_reason": None,
        "input_only_baseline": {
            "accuracy": 0.61,
            "low": 0.57,
            "high": 0.65,
            "majority": 0.34,
            "n": 1204,
            "reason": None,
        },
    }
