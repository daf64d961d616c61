"""Public examples of the fake platform: walls, reports, and hiding."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from dynabench_tasks.values import to_text
from flask import Flask, jsonify, request
from web_fake_datasets import DATASET_ID
from web_fake_loop import Loop
from web_fake_refusals import refuse
from web_fake_votes import OPTIONS, PROMPT

BASE = "/api/scoring/v1"
EXAMPLE_ID = "0198c0de-0000-7000-8000-0000000000e1"
TEXTS = (
    "The vegetarian special was such a great choice that my dog got most of it.",
    "I could not be happier that this is over.",
    "Our hotel was five minutes from the beach, by helicopter.",
    "The waiter never smiled, and I would not have wanted him to.",
)
PARTS = ("example_id", "round_id", "round_number", "context", "input")


class Showcase:
    """Examples that anybody may read; a test changes what it needs."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.items = [self._item(number, text) for number, text in enumerate(TEXTS, start=1)]
        self.authors: dict[str, str] = {}
        self.reports: dict[str, list[str]] = {}
        self.hidden: dict[str, str | None] = {}
        self.kept: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        self.queries: list[dict[str, str]] = []

    def add(
        self, slug: str, context: dict[str, Any], written: dict[str, Any], claimed: Any, **more: Any
    ) -> str:
        """Add an example of an added task, which fooled all of its targets; return its id."""
        task = next(each for each in self.loop.added.values() if each.slug == slug)
        answers = [
            {
                name: each[name]
                for name in ("target", "value", "wrong", "confidence", "probabilities", "model_digest")
            }
            for each in task.answers({**written, "note": "fool"}, claimed)
        ]
        votes = [{"option": to_text(claimed), "count": 3}]
        item = {
            **self._item(len(self.items) + 1, ""),
            "task_slug": slug,
            "task_title": task.document["title"],
            "round_id": task.round_id,
            "round_number": task.number,
            "round_title": "",
            "context": context,
            "input": written,
            "claimed": claimed,
            "golds": [claimed],
            "answers": answers,
            "votes": votes,
            "content_notice": task.document.get("content_warning"),
            **more,
        }
        self.items.append(item)
        return str(item["example_id"])

    def install(self, app: Flask, me: Callable[[], str]) -> None:
        """Add the routes; `me` returns the id of the person who asks, or refuses."""
        self._reading(app)
        self._moderation(app, me)
        self._hidden(app, me)

    def find(self, example_id: str) -> dict[str, Any]:
        """Return a public example, or refuse."""
        for found in self.items:
            if found["example_id"] == example_id and example_id not in self.hidden:
                return found
        detail = "There is no public example with this id."
        return refuse(
            404, "public-example-not-found", "example_id", detail, "Check the id.", "No such example"
        )

    def _item(self, number: int, text: str) -> dict[str, Any]:
        rest = {"negative": 0.03, "neutral": 0.06}
        return {
            "example_id": str(UUID(int=UUID(EXAMPLE_ID).int + number - 1)),
            "task_slug": "sentiment",
            "task_title": "Sentiment",
            "round_id": self.loop.round_id,
            "round_number": 3,
            "round_title": "Harbour round",
            "configuration_version": 1,
            "context": {"prompt": PROMPT},
            "input": {"text": text},
            "claimed": OPTIONS[0],
            "golds": [OPTIONS[0]],
            "answers": [
                {
                    "target": target,
                    "value": OPTIONS[2],
                    "wrong": True,
                    "confidence": share,
                    "probabilities": {**rest, "positive": share},
                    "model_digest": "sha256:aa",
                }
                for target, share in (("sentiment-minilm", 0.91), ("n-gram-b", 0.87))
            ],
            "votes": [{"option": OPTIONS[0], "count": 3}],
            "tags": ["food"],
            "cohort": "volunteer",
            "author": "p0123456789abcdef0123",
            "content_notice": None,
            "created_at": f"2026-01-0{number % 9 + 1}T09:12:00Z",
            "resolved_at": f"2026-01-0{number % 9 + 1}T12:00:00Z",
            "dataset_id": DATASET_ID,
        }

    def _reading(self, app: Flask) -> None:
        @app.get(f"{BASE}/public-examples")
        def public_examples() -> Any:
            asked = request.args
            self.queries.append(dict(asked))
            shown = [each for each in self.items if each["example_id"] not in self.hidden]
            for query, name in (
                ("task", "task_slug"),
                ("round_id", "round_id"),
                ("dataset_id", "dataset_id"),
            ):
                shown = [each for each in shown if asked.get(query) in (None, each[name])]
            if "target" in asked:
                shown = [each for each in shown if asked["target"] in {a["target"] for a in each["answers"]}]
            if asked.get("order") != "best":
                shown = shown[::-1]
            start, limit = int(asked.get("cursor", "0")), int(asked.get("limit", "20"))
            more = str(start + limit) if len(shown) > start + limit else None
            return jsonify(items=shown[start : start + limit], next_cursor=more)

        @app.get(f"{BASE}/public-examples/<example_id>")
        def public_example(example_id: str) -> Any:
            return jsonify(self.find(example_id))

        @app.post(f"{BASE}/public-examples/<example_id>/explanations")
        def explain_example(example_id: str) -> Any:
            found, body = self.find(example_id), request.get_json()
            if found["round_id"] not in self.loop.added:
                return jsonify(self.loop.inspect(found, body))
            task = self.loop.added[found["round_id"]]
            return jsonify(task.inspect(found["input"], found["context"], body))

    def _moderation(self, app: Flask, me: Callable[[], str]) -> None:
        def decided(example_id: str, *, is_hidden: bool) -> Any:
            closed = len(self.reports.pop(example_id, ()))
            return jsonify(example_id=example_id, is_hidden=is_hidden, reports_closed=closed)

        @app.post(f"{BASE}/public-examples/<example_id>/reports")
        def report_example(example_id: str) -> Any:
            me()
            reason = request.get_json()["reason"]
            self.reports.setdefault(self.find(example_id)["example_id"], []).append(reason)
            answer = {"example_id": example_id, "reason": reason, "reported_at": "2026-01-09T09:00:00Z"}
            return jsonify(answer), 201

        @app.put(f"{BASE}/public-examples/<example_id>/hidden")
        def hide_example(example_id: str) -> Any:
            reason = request.get_json().get("reason")
            if reason is None and self.authors.get(example_id) != me():
                refuse(
                    422, "input-unusable", "reason", "There is no reason.", "Say why.", "A reason is missing"
                )
            self.hidden[self.find(example_id)["example_id"]] = reason
            return decided(example_id, is_hidden=True)

        @app.delete(f"{BASE}/public-examples/<example_id>/hidden")
        def show_example(example_id: str) -> Any:
            me()
            self.hidden.pop(example_id, None)
            return decided(example_id, is_hidden=False)

        @app.put(f"{BASE}/public-examples/<example_id>/shown")
        def show_example_as_owner(example_id: str) -> Any:
            me()
            self.shown[example_id] = request.get_json()["reason"]
            self.hidden.pop(example_id, None)
            return decided(example_id, is_hidden=False)

        @app.put(f"{BASE}/public-examples/<example_id>/kept")
        def keep_example(example_id: str) -> Any:
            me()
            self.kept[example_id] = request.get_json()["reason"]
            return decided(example_id, is_hidden=False)

        @app.get(f"{BASE}/tasks/<slug>/reports")
        def open_reports(slug: str) -> Any:
            me()
            found = [
                each
                for each in self.items
                if each["task_slug"] == slug and each["example_id"] in self.reports
            ]
            return jsonify(items=[self._reported(each) for each in found], next_cursor=None)

    def _hidden(self, app: Flask, me: Callable[[], str]) -> None:
        @app.get(f"{BASE}/tasks/<slug>/hidden-examples")
        def hidden_examples(slug: str) -> Any:
            me()
            found = [
                {
                    **{name: each[name] for name in PARTS},
                    "reason": self.hidden[each["example_id"]],
                    "hidden_at": "2026-01-09T10:00:00Z",
                }
                for each in self.items
                if each["task_slug"] == slug and self.hidden.get(each["example_id"])
            ]
            return jsonify(items=found, next_cursor=None)

    def _reported(self, item: dict[str, Any]) -> dict[str, Any]:
        reasons = self.reports[item["example_id"]]
        return {
            **{name: item[name] for name in PARTS},
            "is_public": item["example_id"] not in self.hidden,
            "reports": len(reasons),
            "reasons": reasons,
            "reported_at": "2026-01-09T09:00:00Z",
        }
