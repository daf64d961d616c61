"""Configurations, versions, contexts and models of the fake platform.

A configuration is refused where it says `broken` (at that place) and where it can't be read as a mapping; all others
are taken.
"""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import yaml
from flask import Flask, jsonify, request
from web_fake_loop import Loop
from web_fake_refusals import Refused
from web_fake_votes import OPTIONS

FITTING = {"task_type": "text-classification", "labels": OPTIONS}
MODELS = [
    {"name": "sentiment-minilm", **FITTING, "ready": True, "in_the_loop": True, "published": True},
    {"name": "sentiment-cnn", **FITTING, "ready": True, "in_the_loop": False, "published": True},
    {"name": "sentiment-late", **FITTING, "ready": False, "in_the_loop": False, "published": True},
]
BASE = "/api/annotation/v1"


class Workshop:
    """Owners' configurations, models and uploads; a task's first configuration is the one in `loop`."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.texts: dict[str, list[str]] = {
            slug: [yaml.safe_dump(json.loads(json.dumps(loop.task(slug)["configuration"])), sort_keys=False)]
            for slug in ("sentiment", "nli")
        }
        self.models = [dict(model) for model in MODELS]
        self.submitted: Callable[[str], list[dict[str, Any]]] = lambda _task: []
        self.uploads: list[list[dict[str, Any]]] = []
        self.uploaded_bytes = 0
        self.drafted: list[dict[str, Any]] = []
        self.matrix = matrix()
        self.front: dict[str, Any] = {"model": "sentiment-words", "labels": OPTIONS, "longest_text": 300}
        self.front_asked: list[tuple[str, str]] = []

    def install(self, app: Flask) -> None:
        """Add the routes."""
        self._checks(app)
        self._versions(app)
        self._rounds(app)
        self._contexts(app)
        self._matrix(app)
        self._front(app)

    def document(self, slug: str) -> dict[str, Any]:
        found: dict[str, Any] = yaml.safe_load(self.texts[slug][-1])
        return found

    def save(self, slug: str, text: str) -> None:
        """Make a text the newest version."""
        self.texts[slug].append(text)
        self.loop.versions[slug] = len(self.texts[slug])

    def check(self, text: str) -> dict[str, Any]:
        for number, line in enumerate(text.split("\n"), start=1):
            if "broken" in line:
                place = {"line": number, "column": line.index("broken") + 1}
                words = {"reason": "is 'broken', no known word", "remedy": "Did you mean 'any'?"}
                problems = [{"path": "ensemble", **place, **words}]
                return {"valid": False, "problems": problems, "configuration": None}
        try:
            document = yaml.safe_load(text)
        except yaml.YAMLError:
            document = None
        if not isinstance(document, dict):
            words = {"reason": "is no mapping", "remedy": "Begin with `slug:`."}
            problem = {"path": "configuration", "line": None, "column": None, **words}
            return {"valid": False, "problems": [problem], "configuration": None}
        return {"valid": True, "problems": [], "configuration": document}

    def ensure_usable(self, text: str) -> dict[str, Any]:
        found = self.check(text)
        if not found["valid"]:
            problem = found["problems"][0]
            raise Refused(
                422,
                {
                    "type": "/problems/configuration-unusable",
                    "title": "The configuration can't be used",
                    "detail": f"{problem['path']} {problem['reason']}.",
                    "remedy": problem["remedy"],
                    "field": problem["path"],
                },
            )
        document: dict[str, Any] = found["configuration"]
        return document

    def changes(self, before: dict[str, Any], after: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            {"path": key, "before": before.get(key), "after": after.get(key)}
            for key in {**after, **before}
            if before.get(key) != after.get(key)
        ]

    def _checks(self, app: Flask) -> None:
        @app.post(f"{BASE}/configuration-checks")
        def check_configuration() -> Any:
            return jsonify(self.check(request.get_json()["configuration"]))

        @app.post(f"{BASE}/tasks")
        def create_task() -> Any:
            text = request.get_json()["configuration"]
            slug = self.ensure_usable(text)["slug"]
            if slug in self.texts:
                detail = {"title": "Already there", "detail": f"There is a task {slug}."}
                raise Refused(409, {"type": "/problems/slug-taken", "field": "slug", **detail})
            self.texts[slug] = [text]
            made = {**self.loop.task("nli"), "configuration": self.document(slug)}
            return jsonify({**made, "slug": slug, "title": slug}), 201

        @app.put(f"{BASE}/tasks/<slug>/configuration")
        def configure(slug: str) -> Any:
            body = request.get_json()
            after = self.ensure_usable(body["configuration"])
            if body.get("dry_run"):
                changes = self.changes(self.document(slug), after)
                return jsonify(configuration_version=len(self.texts[slug]) + 1, changes=changes)
            self.save(slug, body["configuration"])
            return jsonify(self.loop.task(slug))

    def _versions(self, app: Flask) -> None:
        @app.get(f"{BASE}/tasks/<slug>/versions")
        def versions(slug: str) -> Any:
            documents = [yaml.safe_load(text) for text in self.texts[slug]]
            before = [None, *documents]
            items = [
                {
                    "configuration_version": number + 1,
                    "created_at": f"2026-01-0{number + 1}T09:00:00Z",
                    "changes": self.changes(before[number], documents[number]) if before[number] else [],
                }
                for number in range(len(documents))
            ]
            return jsonify(items=items[::-1], next_cursor=None)

        @app.get(f"{BASE}/tasks/<slug>/versions/<int:number>")
        def version(slug: str, number: int) -> Any:
            if number > len(self.texts[slug]):
                detail = {"title": "No such version", "detail": f"The task has no version {number}."}
                raise Refused(404, {"type": "/problems/version-not-found", **detail})
            text = self.texts[slug][number - 1]
            return jsonify(
                configuration_version=number,
                created_at="2026-01-01T09:00:00Z",
                configuration=yaml.safe_load(text),
                yaml=text,
            )

    def _rounds(self, app: Flask) -> None:
        @app.get(f"{BASE}/tasks/<slug>/models")
        def models(slug: str) -> Any:
            if not request.headers.get("Authorization"):
                detail = {"title": "Not signed in", "detail": "Sign in."}
                raise Refused(401, {"type": "/problems/token-missing", **detail})
            return jsonify(items=[*self.models, *self.submitted(slug)])

        @app.post(f"{BASE}/tasks/<slug>/rounds")
        def draft_round(slug: str) -> Any:
            body = request.get_json()
            if len(body["targets"]) > 8:
                detail = {"title": "Unusable input", "detail": f"It has {len(body['targets'])} entries."}
                remedy = {"remedy": "Give at most 8.", "field": "targets"}
                raise Refused(422, {"type": "/problems/input-unusable", **detail, **remedy})
            self.drafted.append(body)
            round_id = str(uuid4())
            number = len(self.loop.rounds) + 1
            self.loop.rounds[round_id] = {
                **next(iter(self.loop.rounds.values())),
                **body,
                "round_id": round_id,
                "task_slug": slug,
                "number": number,
                "state": "draft",
                "contexts": 0,
            }
            return jsonify(self.loop.rounds[round_id]), 201

    def _contexts(self, app: Flask) -> None:
        @app.get(f"{BASE}/rounds/<round_id>/contexts")
        def contexts(round_id: str) -> Any:
            owned = {"flags": 0, "is_withdrawn": False}
            items = [
                {**owned, "use_count": max(0, 3 - position), **context}
                for position, context in enumerate(self.loop.contexts)
            ]
            start, limit = int(request.args.get("cursor", 0)), int(request.args.get("limit", 50))
            more = str(start + limit) if len(items) > start + limit else None
            return jsonify(items=items[start : start + limit], next_cursor=more)

        @app.post(f"{BASE}/rounds/<round_id>/contexts/upload")
        def upload(round_id: str) -> Any:
            content = request.get_data()
            self.uploaded_bytes = len(content)
            errors = [found for found in map(_problem_of, *_numbered(content)) if found]
            if errors:
                raise Refused(
                    422,
                    {
                        "type": "/problems/contexts-unusable",
                        "title": "Contexts that can't be used",
                        "detail": f"{len(errors)} lines can't be used, so nothing was added.",
                        "errors": errors[:100],
                        "error_count": len(errors),
                    },
                )
            added = [json.loads(line) for line in content.splitlines()]
            self.uploads.append(added)
            self.loop.contexts += [
                {"context_id": str(uuid4()), "fields": each["fields"], "tags": each.get("tags", [])}
                for each in added
            ]
            return jsonify(added=len(added)), 201

    def _front(self, app: Flask) -> None:
        """Add the model that strangers may ask: it is wrong about a text that says `fool`, and right otherwise."""

        @app.get(f"{BASE}/front-model")
        def front_model() -> Any:
            return jsonify(self.front)

        @app.post(f"{BASE}/front-model/answers")
        def front_answer() -> Any:
            body = request.get_json()
            text, claimed = body["text"], body["claimed"]
            if not text.strip() or len(text) > self.front["longest_text"]:
                detail = {"title": "Unusable input", "detail": "text is blank.", "remedy": "Write something."}
                raise Refused(422, {"type": "/problems/input-unusable", "field": "text", **detail})
            self.front_asked.append((text, request.headers.get("X-Forwarded-For", "")))
            others = [label for label in OPTIONS if label != claimed]
            label = others[0] if "fool" in text else claimed
            return jsonify(
                model=self.front["model"],
                label=label,
                probabilities={label: 0.81, **{each: 0.095 for each in OPTIONS if each != label}},
                fooled=label != claimed,
            )

    def _matrix(self, app: Flask) -> None:
        @app.get("/api/leaderboard/v1/rounds/<round_id>/matrix")
        def fooling_matrix(round_id: str) -> Any:
            return jsonify({"round_id": round_id, **self.matrix})


def matrix() -> dict[str, Any]:
    """Return which tries fooled which of the open round's targets."""
    a, b = "sentiment-minilm", "n-gram-b"
    return {
        "targets": [a, b],
        "segments": [],
        "answered_by_all": 1180,
        "incomplete": 24,
        "not_asked": 0,
        "patterns": [
            {"fooled": [], "tries": 778, "validated": 0},
            {"fooled": [a, b], "tries": 377, "validated": 268},
            {"fooled": [b], "tries": 18, "validated": 9},
            {"fooled": [a], "tries": 7, "validated": 5},
        ],
        "pairs": [{"a": a, "b": b, "both": 377, "only_a": 7, "only_b": 18, "neither": 778}],
    }


def _numbered(content: bytes) -> tuple[list[int], list[bytes]]:
    lines = content.splitlines()
    return list(range(1, len(lines) + 1)), lines


def _problem_of(number: int, line: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(line)
    except ValueError:
        return {"line": number, "field": "", "reason": "is no JSON", "remedy": "Write one object a line."}
    if "prompt" not in document.get("fields", {}):
        return {
            "line": number,
            "field": "fields.prompt",
            "reason": "is missing",
            "remedy": "Give the prompt a text.",
        }
    return None
