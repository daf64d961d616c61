"""Helpers of tests about submissions: archives, people, tasks and the sending of parts."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import urllib3
from dynabench_common.identifiers import new_id
from flask.testing import FlaskClient
from registry.adapters.tables import task
from sqlalchemy import Engine
from werkzeug.test import TestResponse

PREFIX = "/api/registry/v1"
SENTIMENT: Mapping[str, Any] = {
    "slug": "sentiment",
    "title": "Sentiment",
    "context": [{"name": "prompt", "type": "string"}],
    "input": [
        {"name": "text", "type": "string"},
        {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]},
    ],
    "output": [{"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}],
}


def keep_task(engine: Engine, slug: str = "sentiment") -> None:
    """Let the registry know a task."""
    with engine.begin() as connection:
        connection.execute(
            task.insert().values(
                task_id=new_id(), slug=slug, fact_version=1, configuration={**SENTIMENT, "slug": slug}
            )
        )


def digest_of(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


@dataclass
class Submitter:
    """A person who uses the interface."""

    client: FlaskClient
    person_id: UUID
    headers: dict[str, str]

    def begin(self, data: bytes, model: str = "tiny", **more: Any) -> TestResponse:
        body = {
            "task": "sentiment",
            "model": model,
            "file_name": f"{model}.mar",
            "size": len(data),
            "digest": digest_of(data),
            **more,
        }
        return self.post("/submissions", {name: value for name, value in body.items() if value is not None})

    def post(self, path: str, body: Any = None) -> TestResponse:
        return self.client.post(PREFIX + path, json=body, headers=self.headers)

    def put(self, path: str, body: Any) -> TestResponse:
        return self.client.put(PREFIX + path, json=body, headers=self.headers)

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.client.get(PREFIX + path, headers={**self.headers, **headers})

    def send_parts(
        self, submission: Mapping[str, Any], data: bytes, numbers: list[int] | None = None
    ) -> None:
        """PUT parts straight to the store."""
        upload = submission["upload"]
        wanted = numbers or list(range(1, upload["parts"] + 1))
        signed = self.post(f"/submissions/{submission['submission_id']}/upload/parts", {"numbers": wanted})
        for part in signed.get_json()["parts"]:
            start = (part["number"] - 1) * upload["part_bytes"]
            answer = urllib3.request("PUT", part["url"], body=data[start : start + part["size"]])
            assert answer.status == 200, answer.data

    def complete(self, submission: Mapping[str, Any]) -> TestResponse:
        return self.post(f"/submissions/{submission['submission_id']}/upload/completion")

    def submit(self, data: bytes, model: str = "tiny", **more: Any) -> dict[str, Any]:
        """Send an archive whole; return the submission."""
        begun = self.begin(data, model, **more)
        assert begun.status_code == 201, begun.get_json()
        submission = begun.get_json()["submission"]
        self.send_parts(submission, data)
        done = self.complete(submission)
        assert done.status_code == 200, done.get_json()
        received: dict[str, Any] = done.get_json()
        return received
