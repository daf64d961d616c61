"""Conversations about examples on the fake platform."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from flask import Flask, jsonify, request
from web_fake_refusals import refuse

PATH = "/api/validation/v1/examples/<example_id>/messages"


class Threads:
    """Messages by example; everybody but the owner `olga` is an author."""

    def __init__(self, people: dict[str, Any]) -> None:
        self.people = people
        self.messages: dict[str, list[dict[str, Any]]] = {}
        self.appeal: dict[str, Any] | None = None
        self.mentioned: list[str] = []

    def install(self, app: Flask, is_author: Callable[[], bool]) -> None:
        def thread(example_id: str) -> Any:
            items, author = self.messages.get(example_id, []), is_author()
            can_write = [each["by_author"] for each in items][-5:] != [author] * 5
            answer = {"example_id": example_id, "is_author": author, "can_write": can_write}
            return jsonify({**answer, "items": items, "appeal": self.appeal})

        @app.get("/api/accounts/v1/tasks/<slug>/owners")
        def thread_owners(slug: str) -> Any:
            owners = [each for each in self.people.values() if f"owner:{slug}" in each.roles]
            return jsonify(
                items=[{"person_id": str(each.person_id), "user_name": each.user_name} for each in owners]
            )

        @app.get(PATH)
        def messages(example_id: str) -> Any:
            return thread(example_id)

        @app.post(PATH)
        def write(example_id: str) -> Any:
            text = request.get_json()["text"]
            self.mentioned += request.get_json().get("mentioned", [])
            if not text.strip():
                refuse(422, "input-invalid", "body.text", "The message is empty.", "Write something.")
            items = self.messages.setdefault(example_id, [])
            written_at = f"2026-01-08T10:0{len(items)}:00Z"
            message = {"message_id": str(uuid4()), "by_author": is_author(), "text": text}
            items.append({**message, "written_at": written_at})
            return thread(example_id), 201
